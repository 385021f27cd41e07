//! What is hidden: activation markers (19.2), and with the optional rule of 10.41 aircraft being committed. A player does not
//! know which marker the opponent has drawn or keeps in the pool, nor what the Second Player left out of his cup.

use sandtable_core::{Dice, Digest};

use crate::game::RoadsToMoscow;
use crate::ids::{Marker, Markers, Player};
use crate::phase::Phase;
use crate::state::State;

impl RoadsToMoscow {
    /// The opponent's markers that a viewer has not seen this turn, each the first of its formation that are alike.
    fn unseen(&self, state: &State, viewer: Player) -> Markers {
        let enemy = viewer.enemy();
        let hidden: Markers =
            self.hidden_drawn(state, viewer).into_iter().chain(state.pool[enemy.index()]).collect();
        state.cup.or(&state.left_out).and(&self.marker_sets().of[enemy.index()]).or(&hidden)
    }

    /// The marker that the opponent has drawn and not yet shown. On turn 1 he picks it face up (R10).
    fn hidden_drawn(&self, state: &State, viewer: Player) -> Option<Marker> {
        state.drawn.filter(|_| state.active != viewer && !state.opening && !self.is_combining(state))
    }

    /// Whether the marker in hand has been revealed for an attempt to combine (7.33).
    fn is_combining(&self, state: &State) -> bool {
        state.phase == Phase::CombinePoints
    }

    /// Whether a marker can be the one in a player's pool, by what his attempts to combine have shown: of none of these
    /// formations, nor an "any" (4.25a).
    pub(crate) fn fits_pool(&self, state: &State, player: Player, marker: Marker) -> bool {
        let not = &state.pool_not[player.index()];
        not.is_empty() || !not.contains(self.formation_of(marker)) && !self.marker_sets().any.contains(marker)
    }

    /// A state that the viewer cannot tell from this one: the opponent's unseen markers dealt anew.
    pub(crate) fn redraw_hidden(&self, state: &State, viewer: Player, dice: &mut impl Dice) -> State {
        let mut state = *state;
        if self.secret_air(&state) == Some(viewer.enemy()) {
            self.deal_air(&mut state, dice); // 10.41
        }
        let enemy = viewer.enemy();
        let mut unseen = self.unseen(&state, viewer);
        if unseen.is_empty() {
            return state;
        }
        let mut draw = |from: &Markers, unseen: &mut Markers| {
            let drawn = from.nth(dice.below(from.len()))?;
            unseen.remove(drawn);
            Some(drawn)
        };
        let pooled = state.pool[enemy.index()].is_some();
        let hand = self.hidden_drawn(&state, viewer).is_some();
        // The marker that lies in the pool, or that he has taken from it because his cup is empty (R47).
        let known = unseen.filter(|marker| self.fits_pool(&state, enemy, marker));
        if pooled {
            state.pool[enemy.index()] = draw(&known, &mut unseen);
        } else if hand {
            state.drawn = draw(&known, &mut unseen);
        }
        if pooled && hand {
            let from = unseen;
            state.drawn = draw(&from, &mut unseen);
        }
        let own = &self.marker_sets().of[enemy.index()];
        let left_out = state.left_out.and(own).len();
        state.left_out = state.left_out.difference(own);
        for _ in 0..left_out {
            let from = unseen;
            if let Some(marker) = draw(&from, &mut unseen) {
                state.left_out.insert(marker);
            }
        }
        // He has chosen one of two, and may have laid the one drawn into the pool.
        if pooled && hand && state.phase == Phase::Sequence && dice.below(2) == 1 {
            std::mem::swap(&mut state.drawn, &mut state.pool[enemy.index()]);
        }
        state.cup = state.cup.difference(own).or(&unseen);
        state
    }

    /// A hash of all that the viewer can see.
    pub(crate) fn observation_hash(&self, state: &State, viewer: Player) -> u64 {
        let unseen = self.unseen(state, viewer);
        let own = &self.marker_sets().of[viewer.enemy().index()];
        let enemy = viewer.enemy().index();
        let counts = (
            state.cup.and(own).len(),
            state.left_out.and(own).len(),
            state.pool[enemy].is_some(),
            self.hidden_drawn(state, viewer).is_some(),
        );
        let mut seen = *state;
        if self.secret_air(state) == Some(viewer.enemy()) {
            Self::hide_air(&mut seen);
        }
        seen.cup = seen.cup.difference(&unseen);
        seen.left_out = seen.left_out.difference(&unseen);
        seen.pool[enemy] = None;
        if self.hidden_drawn(state, viewer).is_some() {
            seen.drawn = None;
        }
        Digest::of(&(viewer, unseen, counts, seen))
    }
}
