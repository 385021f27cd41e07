//! Who may attack what, and who must (16.1, 17.1).

use std::ops::ControlFlow::Continue;

use super::assessment::Assessment;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, Zone};
use crate::nation::Force;
use crate::phase::Phase;
use crate::restrictions::Permits;
use crate::rules::{Kind, Zones};
use crate::sequence::Flow;
use crate::state::{State, mark};

/// An attack: who makes it, and its odds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Assault {
    pub attackers: Counters,
    pub odds: Assessment,
}

impl BlitzWar {
    /// Blitz groups in which an armour corps is left, one bit each.
    pub(crate) fn armoured_groups(&self, state: &State) -> u16 {
        // The enemy's counters still bear the groups of their own turn.
        let own = self.tables.sheet.corps.and(&self.counters_of(state, state.active));
        own.difference(self.of_kind(Kind::Infantry)).iter().fold(0, |groups, counter| {
            let group = state.marks[counter] >> mark::GROUP_SHIFT;
            groups | u16::from(group != 0 && self.corps_of(state, counter).1 > 0) << group
        })
    }

    /// Whether a zone has foes of the side in turn: enemy or neutral corps.
    pub(crate) fn has_foes(&self, state: &State, zone: Zone) -> bool {
        let neutral =
            |counter: Counter| self.kind(counter).is_corps() && self.force(state, counter).is_none();
        let enemy = |force: Force| force.opposes(state.active) && state.corps[force.index()].contains(zone);
        Force::ALL.into_iter().any(enemy) || state.stack(zone).any(neutral)
    }

    /// What a counter has attacked in the Blitz Phase.
    fn target_of(state: &State, counter: Counter) -> Zone {
        match state.marks[counter] >> mark::GROUP_SHIFT {
            0 => Location::NONE,
            group => state.group_target[group as usize - 1],
        }
    }

    /// The target that a counter's Blitz group must attack again, if its defenders survive (17.1).
    pub(crate) fn bound_target(&self, state: &State, counter: Counter) -> Option<Zone> {
        let target = Self::target_of(state, counter);
        (target != Location::NONE && self.has_foes(state, target)).then_some(target)
    }

    /// Whether an activated counter of the active side may attack at all in this phase (16.1, 17.1).
    pub(crate) fn may_fight(&self, state: &State, counter: Counter) -> bool {
        self.fights(state, counter, |group| self.armoured_groups(state) >> group & 1 != 0)
    }

    /// The same, if the question whether a Blitz group has armour left is answered for it.
    #[inline]
    fn fights(&self, state: &State, counter: Counter, armoured: impl FnOnce(u16) -> bool) -> bool {
        let marks = state.marks[counter];
        if marks & mark::FOUGHT != 0 || state.is_turned(counter) || !self.kind(counter).is_corps() {
            return false;
        }
        let in_beachhead = state.location(counter).is_beachhead();
        if marks & mark::ACTIVE == 0 && !in_beachhead {
            return false;
        }
        // Whoever has walked ashore undefended in this phase has had its advance (16.4).
        if state.phase == Phase::Blitz && marks & mark::ADVANCED != 0 {
            return false;
        }
        match marks >> mark::GROUP_SHIFT {
            0 => true,
            group => state.phase == Phase::Normal && armoured(group),
        }
    }

    /// Own counters that may attack in this phase, wherever they are.
    pub(crate) fn fighters(&self, state: &State) -> Counters {
        let mut armoured = None;
        let mut has_armour =
            |group: u16| *armoured.get_or_insert_with(|| self.armoured_groups(state)) >> group & 1 != 0;
        let fights = |counter: Counter| {
            (state.has_mark(counter, mark::ACTIVE) || state.location(counter) >= Location::FIRST_BEACHHEAD)
                && self.fights(state, counter, &mut has_armour)
        };
        self.tables.sheet.corps.and(&self.counters_of(state, state.active)).filter(fights)
    }

    /// Counters that are `wanted`: in those of these zones where corps of the side in turn are, and in the beachheads at a
    /// zone.
    #[inline]
    pub(super) fn counters_around(
        &self,
        state: &State,
        zones: &Zones,
        beach: Zone,
        mut wanted: impl FnMut(Counter) -> bool,
    ) -> Counters {
        let mut found = Counters::EMPTY;
        let landed = if self.coast(beach) == 0 { &[] } else { &state.slot_zone[..] };
        let slots = landed.iter().zip(Location::beachheads()).filter(|&(&zone, _)| zone == beach);
        let places =
            zones.and(&state.corps[state.active.index()]).iter().chain(slots.map(|(_, place)| place));
        places.for_each(|place| {
            for counter in state.stack(place) {
                if wanted(counter) {
                    found.insert(counter);
                }
            }
        });
        found
    }

    /// Counters in beachheads.
    pub(crate) fn beached(&self, state: &State) -> Counters {
        let mut found = Counters::EMPTY;
        for place in Location::beachheads() {
            state.stack(place).for_each(|counter| found.insert(counter));
        }
        found
    }

    /// Zone a counter's beachhead joins.
    pub(crate) fn landing_zone(state: &State, counter: Counter) -> Option<Zone> {
        let place = state.location(counter);
        (place >= Location::FIRST_BEACHHEAD).then(|| state.beachhead(place).map(|(zone, _)| zone)).flatten()
    }

    /// Of the fighters, those that can take part in an attack on a zone in this phase.
    pub(crate) fn eligible(&self, state: &State, target: Zone, fighters: &Counters) -> Counters {
        let mut permits = Permits::new(self, state);
        let able = fighters.iter().filter(|&counter| self.reaches(state, target, counter, &mut permits));
        self.joint_limits(state, target, able.collect())
    }

    /// Whether a fighter can take part in an attack on a zone in this phase, others apart.
    #[inline]
    fn reaches(&self, state: &State, target: Zone, counter: Counter, permits: &mut Permits<'_>) -> bool {
        let place = state.location(counter);
        let near = if place.is_zone() {
            self.adjacent(target).contains(place)
                && !(state.phase == Phase::Blitz
                    && self.tables.links.line[target].contains(place)
                    && self.line_stands(state, target))
        } else {
            Self::landing_zone(state, counter) == Some(target)
        };
        near && (Self::target_of(state, counter) == target
            || self.bound_target(state, counter).is_none_or(|bound| bound == target))
            && permits.may_attack(counter, target)
    }

    /// Whether the phase allows an attack on the zone, whoever attacks (6, 16.1).
    pub(crate) fn attackable(&self, state: &State, target: Zone) -> bool {
        let force = state.active;
        if state.attacked.contains(target) || force == Force::Soviet && state.allied_attacked.contains(target)
        {
            return false;
        }
        // Own corps stand beside those of a country that lets them pass.
        if state.corps[force.index()].contains(target) {
            return false;
        }
        state.phase != Phase::Blitz
            || !self.terrain_effects(target).bars_blitz
                && (!self.snow_at(state, target) || self.calendar(state).snow_blitz[force.index()])
    }

    /// Whether these counters make a legal attack in this phase.
    pub(crate) fn is_legal_attack(&self, state: &State, target: Zone, attackers: &Counters) -> bool {
        Self::allows(state, &self.assess(state, target, attackers))
    }

    /// Whether the odds allow the attack in this phase.
    fn allows(state: &State, odds: &Assessment) -> bool {
        odds.is_legal() && (state.phase != Phase::Blitz || odds.attackers.1 > 0)
    }

    /// Zones that can be attacked now, with the counters that could take part; calls `found` until it breaks.
    pub(super) fn targets(&self, state: &State, mut found: impl FnMut(Zone, &Counters) -> Flow) -> Flow {
        let fighters = self.fighters(state);
        if fighters.is_empty() {
            return Continue(());
        }
        let mut near = Zones::EMPTY;
        for counter in fighters {
            match Self::landing_zone(state, counter) {
                Some(zone) => near.insert(zone),
                None => near = near.or(self.adjacent(state.location(counter))),
            }
        }
        for target in self.foes_among(state, state.active, &near) {
            if let Some(assault) = self.assault(state, target, &fighters) {
                found(target, &assault.attackers)?;
            }
        }
        Continue(())
    }

    /// Of these fighters, those who can attack a zone with foes together in this phase, if they may.
    pub(crate) fn assault(&self, state: &State, target: Zone, fighters: &Counters) -> Option<Assault> {
        if !self.attackable(state, target) {
            return None;
        }
        self.legal(state, target, self.eligible(state, target, fighters))
    }

    /// The attack on a zone by all counters that can take part, if it is legal.
    pub(crate) fn assault_in_full(&self, state: &State, target: Zone) -> Option<Assault> {
        let mut permits = Permits::new(self, state);
        let mut armoured = None;
        let mut has_armour =
            |group: u16| *armoured.get_or_insert_with(|| self.armoured_groups(state)) >> group & 1 != 0;
        let able = self.counters_around(state, self.adjacent(target), target, |counter| {
            self.fights(state, counter, &mut has_armour)
                && state.serves(self.nation(counter), state.active)
                && self.reaches(state, target, counter, &mut permits)
        });
        self.legal(state, target, self.joint_limits(state, target, able))
    }

    /// The attack on a zone by these counters, if it is legal.
    fn legal(&self, state: &State, target: Zone, attackers: Counters) -> Option<Assault> {
        if attackers.is_empty() {
            return None;
        }
        let odds = self.assess(state, target, &attackers);
        Self::allows(state, &odds).then_some(Assault { attackers, odds })
    }

    /// Whether a Blitz group is bound to attack the zone again (17.1).
    pub(crate) fn is_bound_to(state: &State, attackers: &Counters, target: Zone) -> bool {
        attackers.iter().any(|counter| Self::target_of(state, counter) == target)
    }
}
