//! Stacking (4): checked at the end of every phase in which stacks change; the owner eliminates the excess.

use sandtable_core::Index;

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::BlitzWar;
use crate::location::Zone;
use crate::nation::Force;
use crate::phase::{Pending, Phase};
use crate::rules::Kind;
use crate::rules::Zones;
use crate::sequence::{Flow, Offer};
use crate::state::State;

impl BlitzWar {
    /// Whether the infantry and armour in a zone exceed its limit: three counters, or a number of corps at Malta,
    /// Gibraltar and Tobruk; America has no limit (4).
    pub fn is_overstacked(&self, state: &State, zone: Zone) -> bool {
        if !self.may_be_crowded(state, zone) || self.tables.zones.unlimited.contains(zone) {
            return false;
        }
        let (mut counters, mut corps) = (0, 0);
        for counter in state.stack(zone) {
            if self.kind(counter).is_corps() {
                counters += 1;
                corps += state.strength(counter);
            }
        }
        counters > self.rules.limits.stack
            || self.tables.zones.limited.contains(zone)
                && self.rules.zones[zone.at()].corps_limit.is_some_and(|limit| corps > limit)
    }

    /// Whether a zone needs a closer look: a stack within the limit in counters can only be too large where corps are
    /// limited.
    #[inline]
    fn may_be_crowded(&self, state: &State, zone: Zone) -> bool {
        state.places.exceeds(zone, self.rules.limits.stack) || self.tables.zones.limited.contains(zone)
    }

    /// Of these zones, those over the limit.
    pub(crate) fn crowded(&self, state: &State, zones: &Zones) -> Zones {
        zones.filter(|zone| self.is_overstacked(state, zone))
    }

    /// The first zone over the limit and the side that must eliminate.
    pub(crate) fn first_excess(&self, state: &mut State) -> Option<(Force, Zone)> {
        // In these phases only the side in turn moves; elsewhere retreats and evictions may fill a zone of another's.
        let moves = matches!(state.phase, Phase::SeaTransport | Phase::TacticalMovement | Phase::BlitzMove);
        let piles = state.piles();
        for force in Force::ALL {
            if moves && force != state.active {
                continue;
            }
            if let Some(zone) = self.crowded(state, &piles.and(&state.corps[force.index()])).first() {
                return Some((force, zone));
            }
        }
        state.piled = 0;
        if moves {
            let others = Force::ALL.into_iter().filter(|&force| force != state.active);
            let zones = others.fold(Zones::EMPTY, |zones, force| zones.or(&state.corps[force.index()]));
            for zone in self.crowded(state, &piles.and(&zones)) {
                state.pile(zone);
            }
        }
        None
    }

    pub(crate) fn excess_actions(&self, state: &State, owner: u8, zone: Zone, out: &mut impl Offer) -> Flow {
        for counter in state.stack(zone) {
            if self.kind(counter).is_corps()
                && self.force(state, counter).is_some_and(|force| force as u8 == owner)
                && !self.has_identical_before(state, counter)
            {
                out.offer(Action::Eliminate(counter))?;
            }
        }
        Continue(())
    }

    pub(crate) fn excess_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Eliminate(counter) = action else { return };
        let (zone, nation) = (state.location(counter), self.nation(counter));
        let single = self.rules.zones[zone.at()].corps_limit.is_some();
        let corps = if single { 1 } else { state.strength(counter) };
        if let Some(force) = state.force_of(nation) {
            context.emit(|| Event::Overstacked { force, corps, zone });
        }
        if single {
            // Where the limit counts corps, only the excess corps go.
            let armour = self.corps_of(state, counter).0 == 0;
            self.lose_corps(state, counter, if armour { Kind::Armour } else { Kind::Infantry }, context);
        } else {
            self.eliminate(state, counter, context);
        }
        state.pending = Pending::None;
        self.end_phase(state, context);
    }
}
