//! Fog of war: what a viewer sees, and worlds he cannot tell apart (SPEC of hidden information, R-63, R-65).
//!
//! Open: control, factories, standings, cards once laid open, where blocks stand, their nation, and what stacking tells of
//! them: army, leader, aircraft, ship, convoy. Hidden: a block's type and steps, until it has been seen in battle and has
//! not moved since; hands and laid cards; production that is being written.

use std::hash::{Hash, Hasher};

use sandtable_core::{Dice, Digest};

use crate::game::VictoryInEurope;
use crate::nation::Force;
use crate::phase::Phase;
use crate::rules::{Arm, Kind};
use crate::state::{NONE, POOL, State, mark, on_map};

/// What can be told of a block from where and how it stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Silhouette {
    Army,
    Leader,
    Fortress,
    Air,
    Ship,
    Convoy,
}

impl VictoryInEurope {
    fn silhouette(&self, unit: u8) -> Silhouette {
        match (self.arm(unit), self.kind(unit)) {
            (_, Kind::Leader) => Silhouette::Leader,
            (_, Kind::Fortress) => Silhouette::Fortress,
            (_, Kind::Convoy) => Silhouette::Convoy,
            (Arm::Army, _) => Silhouette::Army,
            (Arm::Air, _) => Silhouette::Air,
            (Arm::Naval, _) => Silhouette::Ship,
        }
    }

    /// The forces whose secrets a viewer knows, as a mask.
    pub(crate) fn insight(&self, viewer: Force) -> u8 {
        if self.rules.options.three_players { viewer.bit() } else { viewer.team().forces() }
    }

    /// Whether a unit's type and steps are hidden from who knows the secrets of `insight`.
    fn is_hidden(&self, state: &State, unit: u8, insight: u8) -> bool {
        self.force(state, unit).is_some_and(|force| force.bit() & insight == 0)
            && !state.has_mark(unit, mark::KNOWN)
    }

    /// The card a force has laid, if it is face down for the viewer.
    fn lies_face_down(&self, state: &State, force: Force, insight: u8) -> bool {
        state.phase == Phase::Cards && force.bit() & insight == 0 && state.cards.laid[force.index()] != NONE
    }

    /// The state with what is hidden from the viewer drawn anew.
    pub(crate) fn redraw_hidden(&self, state: &State, viewer: Force, dice: &mut impl Dice) -> State {
        let insight = self.insight(viewer);
        let mut world = state.clone();
        self.redraw_cards(state, &mut world, insight, dice);
        self.redraw_production(&mut world, insight);
        self.redraw_blocks(state, &mut world, insight, dice);
        world
    }

    /// Cards that the viewer has not seen are dealt anew: enemy hands and laid cards, from the cards of the year that are
    /// neither his nor spent.
    fn redraw_cards(&self, state: &State, world: &mut State, insight: u8, dice: &mut impl Dice) {
        for force in Force::ALL.into_iter().filter(|force| force.bit() & insight == 0) {
            let mut unseen = [NONE; 32];
            let mut count = 0;
            for card in self.year_deck(state, force) {
                let held_by_viewer = Force::ALL.into_iter().any(|other| {
                    other.bit() & insight != 0
                        && (state.cards.hand[other.index()].contains(&card)
                            || state.cards.laid[other.index()] == card)
                });
                let open = state.cards.spent & 1 << card != 0
                    || Force::ALL.into_iter().any(|other| {
                        state.cards.laid[other.index()] == card && !self.lies_face_down(state, other, insight)
                    });
                if !held_by_viewer && !open {
                    unseen[count] = card;
                    count += 1;
                }
            }
            let mut deal = |slot: &mut u8| {
                let at = dice.below(count as u32) as usize;
                *slot = unseen[at];
                count -= 1;
                unseen[at] = unseen[count];
            };
            if self.lies_face_down(state, force, insight) {
                deal(&mut world.cards.laid[force.index()]);
            }
            let hand = &mut world.cards.hand[force.index()];
            for slot in hand.iter_mut().filter(|slot| **slot != NONE) {
                deal(slot);
            }
            hand.sort_unstable();
        }
    }

    /// What the enemy has written and not placed is taken as not written: the viewer plans without it.
    fn redraw_production(&self, world: &mut State, insight: u8) {
        if world.phase != Phase::Production {
            return;
        }
        for unit in 0..self.unit_count() {
            if world.has_mark(unit, mark::BUILT)
                && self.force(world, unit).is_some_and(|force| force.bit() & insight == 0)
            {
                world.set_mark(unit, mark::BUILT, false);
                if world.location(unit) == POOL {
                    world.via[unit as usize] = NONE;
                }
            }
        }
    }

    /// Hidden blocks of the same nation and silhouette change places at random, steps and all.
    fn redraw_blocks(&self, state: &State, world: &mut State, insight: u8, dice: &mut impl Dice) {
        let mut group = [0; crate::rules::MAX_UNITS];
        let mut done = crate::rules::Units::EMPTY;
        for first in 0..self.unit_count() {
            if done.has(first) || !on_map(state.location(first)) || !self.is_hidden(state, first, insight) {
                continue;
            }
            let kind = (self.nation(state, first), self.silhouette(first));
            let mut count = 0;
            for unit in first..self.unit_count() {
                if on_map(state.location(unit))
                    && self.is_hidden(state, unit, insight)
                    && (self.nation(state, unit), self.silhouette(unit)) == kind
                {
                    group[count] = unit;
                    count += 1;
                    done.insert(unit);
                }
            }
            for at in (1..count).rev() {
                let other = dice.below(at as u32 + 1) as usize;
                if at != other {
                    world.change_places(group[at], group[other]);
                }
            }
        }
    }

    /// A hash of everything the viewer can see.
    pub(crate) fn observation_hash(&self, state: &State, viewer: Force) -> u64 {
        let insight = self.insight(viewer);
        let mut seen = state.clone();
        for force in Force::ALL.into_iter().filter(|force| force.bit() & insight == 0) {
            let face_down = self.lies_face_down(state, force, insight);
            let cards = &mut seen.cards;
            if face_down {
                cards.laid[force.index()] = NONE - 1;
            }
            for slot in cards.hand[force.index()].iter_mut().filter(|slot| **slot != NONE) {
                *slot = NONE - 1;
            }
        }
        self.redraw_production(&mut seen, insight);
        if state.phase == Phase::Production && insight & state.active == 0 {
            seen.budget = crate::production::Budget::default();
        }
        let mut digest = Digest::default();
        // Hidden blocks: how many of each nation and silhouette stand where; everything else as it is.
        for place in 0..crate::state::PLACES as u8 {
            let mut sum = 0u64;
            for unit in state.stack(place).filter(|&unit| self.is_hidden(state, unit, insight)) {
                let marks = state.mark[unit as usize];
                let view = (
                    self.nation(state, unit),
                    self.silhouette(unit),
                    state.coast(unit),
                    marks,
                    state.via(unit),
                );
                sum = sum.wrapping_add(Digest::of(&view));
            }
            sum.hash(&mut digest);
        }
        for unit in 0..self.unit_count() {
            if on_map(state.location(unit)) && self.is_hidden(state, unit, insight) {
                seen.send(unit, POOL);
            }
        }
        if let Some(unit) = seen.pending.unit()
            && self.is_hidden(state, unit, insight)
        {
            (state.location(unit), self.nation(state, unit), self.silhouette(unit)).hash(&mut digest);
            seen.pending = seen.pending.with_unit(NONE);
        }
        seen.hash(&mut digest);
        digest.finish()
    }
}

impl State {
    /// Two units on the map exchange everything but their identity and steps; a decision about one is about the other then.
    pub(crate) fn change_places(&mut self, a: u8, b: u8) {
        let (at_a, at_b) = (self.location(a), self.location(b));
        let (coast_a, coast_b) = (self.coast(a), self.coast(b));
        self.put(a, at_b, coast_b);
        self.put(b, at_a, coast_a);
        match self.pending.unit() {
            Some(unit) if unit == a => self.pending = self.pending.with_unit(b),
            Some(unit) if unit == b => self.pending = self.pending.with_unit(a),
            _ => {}
        }
        let (a, b) = (a as usize, b as usize);
        self.mark.swap(a, b);
        self.via.swap(a, b);
    }
}
