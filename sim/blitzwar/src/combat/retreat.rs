//! After the losses: air, retreat, and holding at the price of one more corps (13.4.2, 17.2).

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Zone};
use crate::nation::Force;
use crate::phase::{Pending, Phase};
use crate::restrictions::Permits;
use crate::rules::{Kind, Zones};
use crate::sequence::{Flow, Offer};
use crate::state::{Combat, State, mark};

impl BlitzWar {
    pub(super) fn after_losses(
        &self,
        state: &mut State,
        attackers: &Counters,
        defended: bool,
        context: &mut impl Rolls,
    ) -> Zones {
        let target = state.combat.target;
        if state.phase == Phase::Blitz && self.air_superiority(state, target) == Some(state.active) {
            // One of the attacker's air units that give superiority is spent (13.4.2, 16.1).
            let spent = state.stack(target).find(|&counter| {
                self.kind(counter) == Kind::Air && self.force(state, counter) == Some(state.active)
            });
            if let Some(counter) = spent {
                self.eliminate(state, counter, context);
            }
        }
        if !defended {
            self.open_advance(state, attackers);
            return Zones::EMPTY;
        }
        if state.phase == Phase::Blitz || !self.must_retreat(state) {
            Self::end_combat(state, attackers);
            return Zones::EMPTY;
        }
        state.pending = Pending::Retreat;
        let zones = self.retreat_zones(state);
        if zones.is_empty() && !self.may_hold(state, true) {
            self.rout(state, attackers, context);
        }
        zones
    }

    /// Whether the defender, having lost more than the attacker, retreats (17.2).
    pub(crate) fn must_retreat(&self, state: &State) -> bool {
        let combat = &state.combat;
        let difference = combat.defender_lost.saturating_sub(combat.attacker_lost);
        let holds = self.terrain_effects(combat.target).holds
            || self.tables.zones.fortress.contains(combat.target)
            || combat.all_across_line;
        difference > 1 || difference == 1 && !holds
    }

    /// Whether the defender, who is `cut_off` if it has nowhere to retreat to, may stay for one more loss (17.2): it must
    /// leave a survivor.
    pub(crate) fn may_hold(&self, state: &State, cut_off: bool) -> bool {
        let combat = &state.combat;
        let force = Force::ALL[combat.defender as usize];
        let turned = state
            .stack(combat.target)
            .any(|counter| state.is_turned(counter) && self.kind(counter).is_corps());
        if self.defending_corps(state) < 2 && !turned {
            return false;
        }
        if combat.defender_lost.saturating_sub(combat.attacker_lost) == 1 {
            return true;
        }
        let cornered = cut_off || self.tables.zones.fortress.contains(combat.target);
        // Who had a line at the end of his own turn has it throughout the enemy's (7).
        cornered
            && state.stack(combat.target).any(|counter| {
                self.kind(counter).is_corps()
                    && self.force(state, counter) == Some(force)
                    && !state.is_unsupplied(counter)
            })
    }

    /// Stays for one more loss instead of retreating.
    pub(crate) fn hold(state: &mut State) {
        state.combat.defender_due = 1;
        state.combat.defender_armour = false;
        state.combat.defender_german = false;
        state.pending = Pending::CancelLoss;
    }

    /// Of these zones, those over which no air on mission is hostile to the defenders.
    fn quiet(&self, state: &State, zones: Zones) -> Zones {
        let force = Force::ALL[state.combat.defender as usize];
        let hostile = |counter: Counter| {
            self.kind(counter) == Kind::Air
                && state.is_turned(counter)
                && self.force(state, counter).is_some_and(|other| other.opposes(force))
        };
        let loud = |&zone: &Zone| !self.snow_at(state, zone) && state.stack(zone).any(hostile);
        zones.difference(&zones.iter().filter(loud).collect())
    }

    /// Zones the defenders may retreat to (17.2): controlled and without enemy air if there is one, else lacking one of
    /// the two; never one attacked in this phase, held by enemies, or neutral.
    pub(crate) fn retreat_zones(&self, state: &State) -> Zones {
        let (target, force) = (state.combat.target, Force::ALL[state.combat.defender as usize]);
        let friend = force.friend().map_or(Zones::EMPTY, |friend| state.control[friend.index()]);
        let held = self.own_area(state, force).or(&friend);
        let enemy = Force::ALL
            .into_iter()
            .filter(|&other| self.at_war(state, force, other))
            .fold(Zones::EMPTY, |zones, other| zones.or(&state.control[other.index()]));
        let near = self.adjacent(target).and(&held.or(&enemy)).difference(&state.attacked);
        let near = self.ways(state, force, &near);
        let mut permits = Permits::new(self, state);
        let mut open = Zones::EMPTY;
        for counter in state.stack(target) {
            if self.kind(counter).is_corps() && state.serves(self.nation(counter), force) {
                open = open.or(&permits.within(counter, &near));
                if open == near {
                    break;
                }
            }
        }
        let held = open.and(&held);
        let best = self.quiet(state, held);
        if best.is_empty() { held.or(&self.quiet(state, open)) } else { best }
    }

    pub(super) fn retreat_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let zones = self.retreat_zones(state);
        for zone in zones {
            out.offer(Action::Retreat(zone))?;
        }
        if self.may_hold(state, zones.is_empty()) {
            out.offer(Action::Hold)?;
        }
        Continue(())
    }

    /// Retreats the defenders.
    pub(crate) fn retreat(
        &self,
        state: &mut State,
        attackers: &Counters,
        zone: Zone,
        context: &mut impl Rolls,
    ) {
        let (from, force) = (state.combat.target, Force::ALL[state.combat.defender as usize]);
        context.emit(|| Event::Retreated { from, to: zone });
        while let Some(counter) = self.next_to_leave(state) {
            if self.kind(counter).is_corps() && !self.may_enter(state, counter, zone) {
                self.eliminate(state, counter, context); // bound to its country (9.6): it cannot follow the others
            } else if self.kind(counter).is_corps() {
                state.turn_face(counter, false);
                self.enter_as(state, force, counter, zone, context);
            } else {
                self.relocate(state, counter, zone, context);
            }
        }
        self.open_advance(state, attackers);
    }

    /// Defenders that cannot retreat are eliminated, with the air at the airfield (17.2).
    fn rout(&self, state: &mut State, attackers: &Counters, context: &mut impl Rolls) {
        while let Some(counter) = self.next_to_leave(state) {
            self.eliminate(state, counter, context);
        }
        self.open_advance(state, attackers);
    }

    /// A corps or air unit at the airfield of the defender that still stands in the zone under attack.
    fn next_to_leave(&self, state: &State) -> Option<Counter> {
        let force = Force::ALL[state.combat.defender as usize];
        state.stack(state.combat.target).find(|&counter| {
            let air = self.kind(counter) == Kind::Air && !state.is_turned(counter);
            self.force(state, counter) == Some(force) && (self.kind(counter).is_corps() || air)
        })
    }

    pub(super) fn open_advance(&self, state: &mut State, attackers: &Counters) {
        if self.defending_corps(state) > 0 {
            return Self::end_combat(state, attackers);
        }
        state.pending = Pending::Advance;
        self.close_advance(state, attackers);
    }

    /// Ends the combat if nobody can advance.
    pub(super) fn close_advance(&self, state: &mut State, attackers: &Counters) {
        let mut first = crate::sequence::FirstOnly::default();
        let _ = self.advance_actions(state, attackers, &mut first);
        if !first.any {
            Self::end_combat(state, attackers);
        }
    }

    pub(super) fn end_combat(state: &mut State, attackers: &Counters) {
        attackers.iter().for_each(|counter| state.clear_mark(counter, mark::ATTACKS));
        state.combat = Combat::NONE;
        state.pending = Pending::None;
    }
}
