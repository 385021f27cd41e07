//! Fog of war (17): what a viewer sees, and determinizations he cannot tell apart.
//!
//! ```text
//! open     control, markers, air support units, fleets, Special Actions; of enemy blocks the nation and how many stand in an area;
//!          which of them have moved, are out of supply, have landed; airborne that have dropped; blocks of a battle while it is
//!          fought, those on board of a naval move
//! reckoned which blocks a nation has on the map, and their steps
//! hidden   which of them stands where; how many air units the enemy sends into air combat until both have said it
//! ```
//!
//! What can be done at all may depend on what is hidden; so that a determinization is never without an action, every phase in which
//! it does can be passed.
//!
//! Partners hide nothing from each other (A115).

use sandtable_core::{Dice, Digest};

use crate::game::EuropeEngulfed;
use crate::ids::{Area, MAX_UNITS, Nation, Team, UnitId, Units};
use crate::phase::Stage;
use crate::state::{State, mark};

impl EuropeEngulfed {
    /// Blocks whose identity the other team knows: those revealed, and who has landed; infantry stands up again once it is ashore.
    pub fn shown_blocks(&self, state: &State) -> Units {
        state.marked(mark::REVEALED).or(&state.marked(mark::LANDED).difference(&self.tables.infantry))
    }

    /// Blocks of a nation whose identity a viewer of the other team does not know.
    fn hidden_blocks(&self, state: &State, nation: Nation) -> Units {
        let blocks = self.tables.of_nation[nation.index()].and(&self.tables.land_units);
        blocks.difference(&self.shown_blocks(state)).filter(|unit| {
            state.is_on_map(unit)
                && state.pending.unit() != Some(unit)
                && !state.crossing.cargo.contains(unit)
        })
    }

    /// The enemy's air combat units, if they are not to be seen yet.
    fn secret_fighters(&self, state: &State, viewer: Team) -> bool {
        let battle = &state.battle;
        battle.striker != viewer && battle.stage == Stage::AirSplit(battle.striker.other())
    }

    /// Deals the hidden blocks of the enemy to the places where they stand: by number, or as the dice have it.
    fn deal<D: Dice>(&self, state: &State, viewer: Team, mut dice: Option<&mut D>) -> State {
        let mut dealt = state.clone();
        dealt.cache.unsupplied = None;
        let enemy = viewer.other();
        let any_mark = state.marked(!0);
        for nation in Nation::members(state.nations(enemy)) {
            // Where infantry has landed infantry stands: those posts come first.
            let mut posts = [(false, Area::NONE, 0u16); MAX_UNITS];
            let mut blocks = [UnitId(0); MAX_UNITS];
            let mut count = 0;
            let hidden = self.hidden_blocks(state, nation);
            for unit in hidden {
                let marks = if any_mark.contains(unit) { state.marks(unit) } else { 0 };
                posts[count] = (marks & mark::LANDED == 0, state.location(unit), marks);
                blocks[count] = unit;
                count += 1;
            }
            posts[..count].sort_unstable();
            for at in 0..count {
                let landed = !posts[at].0;
                if dice.is_none() && !landed {
                    break;
                }
                let fit = |block: &UnitId| !landed || self.tables.infantry.contains(*block);
                let choices = blocks[at..count].iter().filter(|block| fit(block)).count() as u32;
                let nth = dice.as_deref_mut().map_or(0, |dice| dice.below(choices)) as usize;
                let other = (at..count).filter(|other| fit(&blocks[*other])).nth(nth).unwrap_or(at);
                blocks.swap(at, other);
            }
            dealt.unmark_these(&hidden, !0);
            for (&unit, &(_, area, marks)) in blocks[..count].iter().zip(&posts[..count]) {
                dealt.places.put(unit, area);
                if marks != 0 {
                    dealt.mark(unit, marks);
                }
            }
        }
        if self.secret_fighters(state, viewer) {
            let count = self.usable_air(state, enemy).len();
            let drawn = dice.map_or(0, |dice| dice.below(count + 1));
            dealt.battle.fighters[enemy.index()] = drawn as u8;
        }
        dealt
    }

    /// The state with what is hidden from a viewer drawn anew.
    pub(crate) fn redraw_hidden<D: Dice>(&self, state: &State, viewer: Team, dice: &mut D) -> State {
        self.deal(state, viewer, Some(dice))
    }

    /// A hash of what a viewer sees.
    pub(crate) fn observation_hash(&self, state: &State, viewer: Team) -> u64 {
        Digest::of(&self.deal(state, viewer, None::<&mut sandtable_core::Rng64>))
    }
}
