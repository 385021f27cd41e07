//! Fog of war: what a viewer sees, and worlds he cannot tell apart (SPEC of hidden information, R-63, R-65).
//!
//! Open: control, factories, standings, cards once laid open or shown by an event, where blocks stand, their nation, and
//! what stacking tells of them: army, paratroop, leader, fortress, aircraft, ship, convoy; and, from the books both players can keep,
//! which counters are in the pool and how many steps each of the others has. Hidden: which block is which, until it
//! has been seen in battle and has not moved since; hands and laid cards; production that is being written.

use std::hash::{Hash, Hasher};

use sandtable_core::{Dice, Digest};

use crate::game::VictoryInEurope;
use crate::nation::Force;
use crate::phase::Phase;
use crate::production::Written;
use crate::rules::{Arm, Kind, MAX_UNITS, Units};
use crate::state::{NONE, POOL, State, mark, on_map};

/// What can be told of a block from where and how it stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Silhouette {
    Army,
    Leader,
    Paratroop,
    Air,
    Ship,
}

impl VictoryInEurope {
    fn silhouette(&self, unit: u8) -> Silhouette {
        match (self.arm(unit), self.kind(unit)) {
            (_, Kind::Leader) => Silhouette::Leader,
            (_, Kind::Paratroop) => Silhouette::Paratroop,
            (Arm::Army, _) => Silhouette::Army,
            (Arm::Air, _) => Silhouette::Air,
            (Arm::Naval, _) => Silhouette::Ship,
        }
    }

    /// The forces whose secrets a viewer knows, as a mask.
    pub(crate) fn insight(&self, viewer: Force) -> u8 {
        if self.rules.options.three_players { viewer.bit() } else { viewer.team().forces() }
    }

    /// Whether who knows the secrets of `insight` cannot tell which unit this is. Convoys are told by their zones, fortresses
    /// by where they were built.
    fn is_hidden(&self, state: &State, unit: u8, insight: u8) -> bool {
        !matches!(self.kind(unit), Kind::Convoy | Kind::Fortress)
            && self.force(state, unit).is_some_and(|force| force.bit() & insight == 0)
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
        self.redraw_blocks(&mut world, insight, dice);
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
                let open = (state.cards.spent | state.cards.seen) & 1 << card != 0
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
            for slot in hand.iter_mut().filter(|slot| **slot != NONE && state.cards.seen & 1 << **slot == 0) {
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
        for force in Force::ALL.into_iter().filter(|force| force.bit() & insight == 0) {
            world.budget.written[force.index()] = Written::default();
            world.cards.taken[force.index()] = 0;
        }
        if world.active & insight == 0 {
            self.hide_budget(world);
        }
    }

    /// Hidden blocks of the same nation and silhouette are dealt anew to the places where such blocks stand.
    fn redraw_blocks(&self, world: &mut State, insight: u8, dice: &mut impl Dice) {
        let asked = world.pending.unit().filter(|&unit| self.is_hidden(world, unit, insight));
        let looks = |world: &State, unit| (world.post(unit), self.nation(world, unit), self.silhouette(unit));
        let asked = asked.map(|unit| looks(world, unit));
        let mut done = Units::EMPTY;
        for first in 0..self.unit_count() {
            if done.has(first) || !on_map(world.location(first)) || !self.is_hidden(world, first, insight) {
                continue;
            }
            let kind = (self.nation(world, first), self.silhouette(first));
            let (mut units, mut posts, mut count) = ([0; MAX_UNITS], [Post::default(); MAX_UNITS], 0);
            for unit in first..self.unit_count() {
                if on_map(world.location(unit))
                    && self.is_hidden(world, unit, insight)
                    && (self.nation(world, unit), self.silhouette(unit)) == kind
                {
                    (units[count], posts[count]) = (unit, world.post(unit));
                    count += 1;
                    done.insert(unit);
                }
            }
            // In an order that does not tell who stood where.
            let posts = &mut posts[..count];
            posts.sort_unstable();
            for at in (1..count).rev() {
                posts.swap(at, dice.below(at as u32 + 1) as usize);
            }
            for (&unit, &post) in units.iter().zip(posts.iter()) {
                world.take_post(unit, post);
            }
        }
        if let Some(look) = asked {
            let mut there = world.stack(look.0.place);
            let now = there.find(|&unit| self.is_hidden(world, unit, insight) && looks(world, unit) == look);
            world.pending = world.pending.with_unit(now.unwrap_or(NONE));
        }
    }

    /// A hash of everything the viewer can see.
    pub(crate) fn observation_hash(&self, state: &State, viewer: Force) -> u64 {
        let insight = self.insight(viewer);
        let mut seen = state.clone();
        for force in Force::ALL.into_iter().filter(|force| force.bit() & insight == 0) {
            if self.lies_face_down(state, force, insight) {
                seen.cards.laid[force.index()] = NONE - 1;
            }
            let hand = &mut seen.cards.hand[force.index()];
            for slot in hand.iter_mut().filter(|slot| **slot != NONE && state.cards.seen & 1 << **slot == 0) {
                *slot = NONE - 1;
            }
            hand.sort_unstable();
        }
        self.redraw_production(&mut seen, insight);
        let mut digest = Digest::default();
        if let Some(unit) = seen.pending.unit()
            && self.is_hidden(&seen, unit, insight)
        {
            (seen.post(unit), self.nation(state, unit), self.silhouette(unit)).hash(&mut digest);
            seen.pending = seen.pending.with_unit(NONE);
        }
        // Hidden blocks: how many of each nation and silhouette stand where, and which there are somewhere.
        let mut sum = 0u64;
        for unit in 0..self.unit_count() {
            if on_map(seen.location(unit)) && self.is_hidden(&seen, unit, insight) {
                (unit, seen.steps(unit), seen.has_half_hit(unit), seen.has_jumped(unit)).hash(&mut digest);
                let view = (self.nation(state, unit), self.silhouette(unit), seen.post(unit));
                sum = sum.wrapping_add(Digest::of(&view));
                seen.send(unit, POOL);
            }
        }
        sum.hash(&mut digest);
        seen.hash(&mut digest);
        digest.finish()
    }
}

/// Where a block stands, and what can be seen of it there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Post {
    place: u8,
    coast: u8,
    mark: u8,
    via: u8,
}

impl State {
    fn post(&self, unit: u8) -> Post {
        Post {
            place: self.location(unit),
            coast: self.coast(unit),
            mark: self.mark[unit as usize],
            via: self.via(unit),
        }
    }
    fn take_post(&mut self, unit: u8, post: Post) {
        self.put(unit, post.place, post.coast);
        self.set_marks(unit, post.mark);
        self.via[unit as usize] = post.via;
    }
    /// Two units on the map change places, each with its steps.
    pub(crate) fn change_places(&mut self, a: u8, b: u8) {
        let (at_a, at_b) = (self.post(a), self.post(b));
        self.take_post(a, at_b);
        self.take_post(b, at_a);
    }
}
