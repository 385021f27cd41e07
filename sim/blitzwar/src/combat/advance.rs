//! Advance after combat (16.4, 17.3).

use std::ops::ControlFlow::Continue;

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, Zone};
use crate::restrictions::Permits;
use crate::rules::Zones;
use crate::sequence::{Flow, Offer};
use crate::state::{State, mark};

impl BlitzWar {
    /// Zones a counter may still advance in the turn.
    pub(crate) fn advances_left(&self, state: &State, counter: Counter) -> u8 {
        let done = ((state.marks[counter] & mark::ADVANCED) / mark::ADVANCED_ONE) as u8;
        let fast = self.kind(counter).is_mobile() || state.combat.fast_infantry;
        (if fast { 2u8 } else { 1 }).saturating_sub(done)
    }

    pub(super) fn advance_actions(&self, state: &State, attackers: &Counters, out: &mut impl Offer) -> Flow {
        let target = state.combat.target;
        let mut permits = Permits::new(self, state);
        let (mut into, mut beyond) = (None, None);
        let mut any = false;
        for counter in attackers {
            if self.advances_left(state, counter) == 0 || self.has_identical_in(state, attackers, counter) {
                continue;
            }
            let place = state.location(counter);
            let mut zones = Zones::EMPTY;
            if place != target {
                let adjacent = !place.is_zone() || self.adjacent(target).contains(place);
                if adjacent {
                    zones = *into.get_or_insert_with(|| self.ways(state, state.active, &Zones::one(target)));
                }
            } else if !state.has_mark(counter, mark::HALTED) {
                zones = *beyond.get_or_insert_with(|| self.ways(state, state.active, self.adjacent(target)));
            }
            if state.has_mark(counter, mark::ASHORE) {
                // From a beachhead on only through a port that is neither fortress nor mountain, over easy terrain.
                let landed = &self.rules.zones[place.at()];
                let shut = self.terrain_effects(place).shuts_port;
                let gate = landed.port && !landed.fortress && !shut;
                zones = if gate { zones.and(&self.tables.zones.open_ground) } else { Zones::EMPTY };
            }
            if zones.is_empty() {
                continue;
            }
            for zone in permits.within(counter, &zones) {
                if !any {
                    any = true;
                    out.offer(Action::Pass)?;
                }
                out.offer(Action::Advance(counter, zone))?;
            }
        }
        Continue(())
    }

    pub(super) fn advance(&self, state: &mut State, counter: Counter, zone: Zone, context: &mut impl Rolls) {
        let from = state.location(counter);
        if from >= Location::FIRST_BEACHHEAD {
            state.add_mark(counter, mark::ASHORE);
        }
        let crossed =
            from.is_zone() && self.line_stands(state, zone) && self.tables.links.line[zone].contains(from);
        if crossed || self.terrain_effects(zone).bars_blitz {
            state.add_mark(counter, mark::HALTED);
        }
        state.marks[counter] += mark::ADVANCED_ONE;
        self.enter(state, counter, zone, context);
        self.close_advance(state, &self.attackers(state));
    }
}
