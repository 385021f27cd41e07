//! Land combat: attacks, odds, losses, retreat and advance (16, 17).
//!
//! ```text
//! Attack(zone) -> [Withhold(counter)...] -> Resolve -> [German defence?] -> die
//!   -> attacker's loss -> defender's losses -> Normal: [retreat | hold -> one more loss] -> [Advance...]
//! ```
//!
//! An attack starts with every counter that can take part; the attacker withholds those he wants elsewhere. A larger
//! attack is never worse for its odds, so an attack that is legal at all is legal in full.

use sandtable_core::Index;

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Battle, Event, Modifiers};
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, Zone};
use crate::nation::{Country, Force, Nation};
use crate::phase::{Pending, Phase};
use crate::restrictions::Permits;
use crate::rules::{AttackerLoss, Conversion, Kind, Zones};
use crate::sequence::{ActionSink, Flow, Offer, PassFirst};
use crate::state::{Combat, GROUPS, State, Status, mark};

/// Odds of an attack as the rules see it (16.1, 16.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Assessment {
    /// Attacking infantry and armour corps.
    pub attackers: (u8, u8),
    /// Defending infantry and armour corps.
    pub defenders: (u8, u8),
    /// Of the defenders, fortified corps.
    pub fortified: u8,
    /// Ladder index of the rounded odds: -1 below 2-3, 0 = 2-3, 1 = 1-1, 2 = 3-2, n+1 = n-1.
    pub odds: i8,
    /// Column shifts.
    pub modifiers: Modifiers,
    /// An Elite Army attacks.
    pub elite: bool,
    /// All attackers come across an intact fortified line.
    pub all_across_line: bool,
    /// The Axis may waive the German defence shift.
    pub may_waive: bool,
}

impl Assessment {
    /// Ladder index after the shifts; the attack is legal if the odds are at least 2-3 and this is at least 1 (16.2).
    #[inline]
    pub fn index(&self) -> i8 {
        self.odds + self.modifiers.total()
    }
    /// Whether the attack may be made.
    pub fn is_legal(&self) -> bool {
        self.odds >= 0 && self.index() >= 1
    }
    /// Column of the combat table, 1 (1-1) to 8 (7-1).
    #[inline]
    pub fn column(&self) -> u8 {
        self.index().clamp(1, 8) as u8
    }
}

/// An attack: who makes it, and its odds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Assault {
    pub attackers: Counters,
    pub odds: Assessment,
}

/// What all attackers come across (16.3.2).
struct Crossing {
    /// Rivers and beaches, all of them.
    all_terrain: bool,
    /// The fortified line, which still stands, all of them.
    all_line: bool,
}

/// Who defends the zone.
struct Defence {
    /// Counters with corps.
    counters: Counters,
    /// Their corps.
    corps: u8,
    /// The side they are on.
    force: Force,
    /// All are out of supply.
    unsupplied: bool,
}

/// What the loss at hand may be (16.2).
pub(crate) struct Casualties {
    /// Counters that may take it.
    pub counters: Counters,
    /// It is an armour corps.
    armour: bool,
    /// It is an armour corps or a German one.
    armour_or_german: bool,
}

/// Ladder index of the odds, rounded down (16.1): -1 below 2-3.
pub fn odds_index(attackers: u8, defenders: u8) -> i8 {
    let (a, d) = (i16::from(attackers), i16::from(defenders));
    if d == 0 {
        return i8::MAX / 2;
    }
    match a / d {
        0 if 3 * a >= 2 * d => 0,
        0 => -1,
        1 if 2 * a >= 3 * d => 2,
        n => (n + i16::from(n > 1)).min(60) as i8,
    }
}

/// The table's result after conversion for small forces (16.2). Only where the attacker would lose too is it changed.
pub fn convert(
    conversions: &[Conversion],
    loss: (AttackerLoss, u8),
    attacker_capacity: u8,
    defender_capacity: u8,
) -> (AttackerLoss, u8) {
    if loss.0 == AttackerLoss::None {
        return loss;
    }
    let fits = |row: &&Conversion| {
        row.losses == loss.1
            && (row.attackers == 0 || row.attackers == attacker_capacity)
            && row.defenders == defender_capacity
    };
    conversions.iter().find(fits).map_or(loss, |row| (AttackerLoss::None, row.instead))
}

impl BlitzWar {
    pub(crate) fn combat_begins(state: &mut State) {
        state.befriended = false;
        state.attacked = Zones::EMPTY;
        state.combat = Combat::NONE;
    }

    // ---- who may attack what (16.1, 17.1) ----

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
    fn counters_around(
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
        // Own corps stand beside those of a country that lets them pass (R-88).
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
    fn targets(&self, state: &State, mut found: impl FnMut(Zone, &Counters) -> Flow) -> Flow {
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
    pub(crate) fn is_bound_to(&self, state: &State, attackers: &Counters, target: Zone) -> bool {
        attackers.iter().any(|counter| Self::target_of(state, counter) == target)
            && self.has_foes(state, target)
    }

    // ---- odds (16.1 to 16.3) ----

    /// Odds and shifts of an attack on a zone by these counters, as things stand. The German defence shift is counted as
    /// used.
    pub fn assess(&self, state: &State, target: Zone, attackers: &Counters) -> Assessment {
        let mut result = Assessment::default();
        let crossing = self.count_attackers(state, target, attackers, &mut result);
        let defence = self.count_defenders(state, target, &mut result);
        result.odds = odds_index(result.attackers.0 + result.attackers.1, defence.corps);
        self.shift_for_attack(state, target, attackers, &defence, &mut result);
        self.shift_for_air(state, target, &mut result);
        self.shift_for_german_defence(state, target, &defence, &mut result);
        self.shift_for_ground(target, &crossing, &defence, &mut result);
        result
    }

    /// Corps that attack, and what lies between them and the zone.
    #[inline]
    fn count_attackers(
        &self,
        state: &State,
        target: Zone,
        attackers: &Counters,
        result: &mut Assessment,
    ) -> Crossing {
        result.elite = attackers.intersects(self.of_kind(Kind::Elite));
        let river = &self.tables.links.river[target];
        let line = &self.tables.links.line[target];
        let mut crossing = Crossing { all_terrain: true, all_line: self.line_stands(state, target) };
        attackers.iter().for_each(|counter| {
            let (infantry, armour) = self.corps_of(state, counter);
            result.attackers.0 += infantry;
            result.attackers.1 += armour;
            let place = state.location(counter);
            let by_land = place.is_zone();
            crossing.all_terrain &= !by_land || river.contains(place);
            crossing.all_line &= by_land && line.contains(place);
        });
        crossing
    }

    /// Corps that defend, and whose they are.
    #[inline]
    fn count_defenders(&self, state: &State, target: Zone, result: &mut Assessment) -> Defence {
        let (mut counters, mut last) = (Counters::EMPTY, None);
        let mut unsupplied = true;
        for counter in state.stack(target) {
            if self.kind(counter).is_corps() {
                let (infantry, armour) = self.corps_of(state, counter);
                result.defenders.0 += infantry;
                result.defenders.1 += armour;
                result.fortified += u8::from(state.is_turned(counter)) * (infantry + armour);
                unsupplied &= state.is_unsupplied(counter);
                counters.insert(counter);
                last = Some(counter);
            }
        }
        let force = last.and_then(|counter| self.force(state, counter));
        Defence {
            counters,
            corps: result.defenders.0 + result.defenders.1,
            // Neutrals under attack join the other camp before the dice (9.3, R-05).
            force: force.unwrap_or(if state.active == Force::Axis { Force::Allied } else { Force::Axis }),
            unsupplied,
        }
    }

    /// Shifts for those who attack, and whom (16.3.1).
    #[inline]
    fn shift_for_attack(
        &self,
        state: &State,
        target: Zone,
        attackers: &Counters,
        defence: &Defence,
        result: &mut Assessment,
    ) {
        let (shifts, of_nation) = (&self.rules.charts.shifts, &self.tables.sheet.of_nation);
        let defenders = &defence.counters;
        let minors = || -> u8 {
            defenders.and(&self.tables.countries.minors).iter().map(|counter| state.strength(counter)).sum()
        };
        if attackers.intersects(&of_nation[Nation::Ger.index()])
            && (self.germans_surprise(state, target, defence.force)
                || 2 * minors() > defence.corps
                || result.elite)
        {
            result.modifiers.german_attack = shifts.german_attack;
        }
        if attackers.intersects(&of_nation[Nation::Uk.index()])
            && defence.corps > 0
            && defenders.difference(&of_nation[Nation::Ita.index()]).is_empty()
        {
            result.modifiers.british_vs_italians = if self.british_early(state) {
                shifts.british_vs_italians_early
            } else {
                shifts.british_vs_italians
            };
        }
        if result.attackers.1 > 0 {
            result.modifiers.armour = shifts.armour;
        }
        if defence.unsupplied && defence.corps > 0 {
            result.modifiers.out_of_supply = shifts.out_of_supply;
        }
    }

    /// Whether the Germans attack within the first turns of their war in the west, with Poland beaten before it, or in the
    /// east (16.3.1).
    #[inline]
    fn germans_surprise(&self, state: &State, target: Zone, defender: Force) -> bool {
        let (turn, dates) = (state.turn, &self.rules.dates);
        let country = self.country_at(state, target);
        let (west, poland) = match state.timers.west_attack {
            0 if matches!(country, Country::Be | Country::Fra) => {
                (turn, state.status(Country::Pol) == Status::Surrendered)
            }
            0 => (u8::MAX, false),
            west => (west, state.timers.poland_before_west),
        };
        // Whoever attacks Soviets for the first time starts the clock with it (9.3, R-107).
        let east = if state.timers.east_attack == 0 { turn } else { state.timers.east_attack };
        let within = |start: u8, length: u8| turn >= start && turn - start < length;
        let case_west = defender == Force::Allied && poland && within(west, dates.german_west_turns);
        let case_east = defender == Force::Soviet
            && within(east, dates.german_east_turns)
            && !dates.winter_1942.contains(&turn);
        case_west || case_east
    }

    /// The shift for air superiority at the zone, for one side or the other (16.3.1, 16.3.2).
    #[inline]
    fn shift_for_air(&self, state: &State, target: Zone, result: &mut Assessment) {
        let shifts = &self.rules.charts.shifts;
        match self.air_superiority(state, target) {
            Some(holder) if holder == state.active => result.modifiers.attacker_air = shifts.attacker_air,
            Some(holder) if holder.opposes(state.active) => {
                result.modifiers.defender_air = shifts.defender_air;
            }
            _ => {}
        }
    }

    /// The shift for Germans or Finns who defend, and whether the Axis may do without it (16.3.2).
    #[inline]
    fn shift_for_german_defence(
        &self,
        state: &State,
        target: Zone,
        defence: &Defence,
        result: &mut Assessment,
    ) {
        let (dates, of_nation) = (&self.rules.dates, &self.tables.sheet.of_nation);
        let germans = defence.counters.intersects(&of_nation[Nation::Ger.index()]);
        let shielded = germans || defence.counters.intersects(&of_nation[Nation::Fin.index()]);
        let firm = state.turn <= dates.german_defence_always || state.timers.german_defence;
        let in_ussr = self.home(Country::Ussr).contains(target);
        if shielded
            && defence.force == Force::Axis
            && firm
            && !(in_ussr && dates.winter_1942.contains(&state.turn))
        {
            result.modifiers.german_defence = self.rules.charts.shifts.german_defence;
            result.may_waive =
                germans && !defence.counters.difference(&of_nation[Nation::Ger.index()]).is_empty();
        }
    }

    /// Shifts for fortifications, ground and fortresses (16.3.2).
    #[inline]
    fn shift_for_ground(
        &self,
        target: Zone,
        crossing: &Crossing,
        defence: &Defence,
        result: &mut Assessment,
    ) {
        let shifts = &self.rules.charts.shifts;
        let modifiers = &mut result.modifiers;
        if defence.corps > 0 && result.fortified == defence.corps {
            modifiers.all_fortified = shifts.all_fortified;
        }
        if self.terrain_effects(target).defends || crossing.all_terrain {
            modifiers.terrain = shifts.terrain;
        }
        // Soviet fortresses help only Soviets.
        let for_all = !self.home(Country::Ussr).contains(target);
        if self.tables.zones.fortress.contains(target) && (for_all || defence.force == Force::Soviet) {
            modifiers.fortress = shifts.fortress;
        }
        if crossing.all_line {
            modifiers.fortified_line = shifts.fortified_line;
            result.all_across_line = true;
        }
    }

    /// Whether this turn is one of the first in which the British attack only Italians (16.3.1, R-41).
    fn british_early(&self, state: &State) -> bool {
        let timers = &state.timers;
        let before = timers.british_italian_turns - u8::from(timers.british_italian_last == state.turn);
        before < self.rules.dates.british_early_turns
    }

    /// Counters of the side in turn that take part in the combat at hand; empty if there is none. They stand beside its zone,
    /// in beachheads at it, or have advanced.
    pub fn attackers(&self, state: &State) -> Counters {
        let target = state.combat.target;
        let mut zones = *self.adjacent(target);
        zones.insert(target);
        let attackers = self.counters_around(state, &zones, target, |counter| state.attacks(counter));
        debug_assert!(
            state.on_map.iter().all(|counter| state.attacks(counter) == attackers.contains(counter))
        );
        attackers
    }

    /// The attack at hand as things stand.
    fn assault_at_hand(&self, state: &State) -> Assault {
        let attackers = self.attackers(state);
        Assault { attackers, odds: self.assess(state, state.combat.target, &attackers) }
    }

    // ---- decisions ----

    pub(crate) fn combat_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        match state.pending {
            Pending::Attack => self.build_actions(state, out),
            Pending::GermanDefence => {
                out.offer(Action::UseShift)?;
                out.offer(Action::WaiveShift)
            }
            Pending::AttackerLoss | Pending::DefenderLoss | Pending::CancelLoss => {
                self.casualty_actions(state, out)
            }
            Pending::Retreat => self.retreat_actions(state, out),
            Pending::Advance => self.advance_actions(state, &self.attackers(state), out),
            _ => self.attack_actions(state, out),
        }
    }

    /// Attacks that can be declared; compulsory ones (17.1) leave no other choice. Corps in beachheads may go ashore
    /// where nobody defends (16.4).
    fn attack_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let (mut bound, mut free) = (Zones::EMPTY, Zones::EMPTY);
        let _ = self.targets(state, |target, attackers| {
            let compulsory = state.phase == Phase::Normal && self.is_bound_to(state, attackers, target);
            if compulsory {
                bound.insert(target);
            } else {
                free.insert(target);
            }
            Continue(())
        });
        if !bound.is_empty() {
            self.turned_back(state, out)?;
            for target in bound {
                out.offer(Action::Attack(target))?;
            }
            return Continue(());
        }
        let mut out = PassFirst::new(out, Action::Pass);
        self.turned_back(state, &mut out)?;
        for target in free {
            out.offer(Action::Attack(target))?;
        }
        if !state.has_beachheads() {
            return Continue(());
        }
        for counter in self.tables.sheet.corps.and(&self.counters_of(state, state.active)) {
            if let Some(zone) = Self::landing_zone(state, counter)
                && !self.ways(state, state.active, &Zones::one(zone)).is_empty()
                && !self.has_identical_before(state, counter)
                && self.may_enter(state, counter, zone)
            {
                out.offer(Action::Advance(counter, zone))?;
            }
        }
        Continue(())
    }

    /// Of these few zones, those that neither foes nor the friend's counters bar to a side.
    fn ways(&self, state: &State, force: Force, zones: &Zones) -> Zones {
        let friend = force.friend();
        let clear = zones.difference(&Self::enemy_corps(state, force));
        let mut open = clear;
        clear.iter().for_each(|zone| {
            let bars = |counter: Counter| {
                let corps = self.kind(counter).is_corps();
                match self.force(state, counter) {
                    None => corps,
                    // Air on mission hinders nobody.
                    side => side == friend && (corps || !state.is_turned(counter)),
                }
            };
            if state.stack(zone).any(bars) {
                open.remove(zone);
            }
        });
        open
    }

    fn build_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let target = state.combat.target;
        let attackers = self.attackers(state);
        if attackers.len() > 1 {
            let open = attackers.filter(|counter| counter >= state.combat.cursor);
            for counter in open {
                if self.bound_target(state, counter) == Some(target) && state.phase == Phase::Normal
                    || self.has_identical_in(state, &open, counter)
                {
                    continue;
                }
                let mut fewer = attackers;
                fewer.remove(counter);
                if self.is_legal_attack(state, target, &fewer) {
                    out.offer(Action::Withhold(counter))?;
                }
            }
        }
        out.offer(Action::Resolve)
    }

    pub(crate) fn combat_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (action, state.pending) {
            (Action::Pass, Pending::Advance) => Self::end_combat(state, &self.attackers(state)),
            (Action::Pass, _) => self.end_phase(state, context),
            (Action::Attack(target), _) => {
                self.declare(state, target, None, context);
            }
            (Action::Withhold(counter), _) => {
                state.clear_mark(counter, mark::ATTACKS);
                state.combat.cursor = Counter(counter.0 + 1);
            }
            (Action::Resolve, _) => {
                let assault = self.assault_at_hand(state);
                if assault.odds.may_waive {
                    state.pending = Pending::GermanDefence;
                } else {
                    self.roll(state, assault, false, context);
                }
            }
            (Action::UseShift, _) => self.roll(state, self.assault_at_hand(state), false, context),
            (Action::WaiveShift, _) => self.roll(state, self.assault_at_hand(state), true, context),
            (Action::Lose(counter, kind), _) => {
                self.take_loss(state, &mut self.attackers(state), counter, kind, context);
            }
            (Action::Retreat(zone), _) => self.retreat(state, &self.attackers(state), zone, context),
            (Action::Hold, _) => Self::hold(state),
            (Action::Advance(counter, zone), Pending::Advance) => self.advance(state, counter, zone, context),
            (Action::Advance(counter, zone), _) => {
                state.combat = Combat { target: zone, ..Combat::NONE };
                state.add_mark(counter, mark::ATTACKS);
                if state.phase == Phase::Normal {
                    state.add_mark(counter, mark::FOUGHT);
                }
                state.pending = Pending::Advance;
                self.advance(state, counter, zone, context);
            }
            _ => {}
        }
    }

    /// Declares an attack on a zone by all who can take part; they are `known` to who has just asked. Gives the attack, if
    /// it still can be made.
    pub(crate) fn declare(
        &self,
        state: &mut State,
        target: Zone,
        known: Option<Assault>,
        context: &mut impl Rolls,
    ) -> Option<Assault> {
        let before = (state.timers, state.status);
        // The attack brings a neutral into the war before it is fought (9.3, R-05).
        self.provoke(state, state.active, target, false, context);
        let assault = match known {
            Some(assault) if before == (state.timers, state.status) => assault,
            // Those who stood among the corps of a country that let them pass have been driven out (R-72).
            _ => self.assault_in_full(state, target)?,
        };
        assault.attackers.iter().for_each(|counter| state.add_mark(counter, mark::ATTACKS));
        let defender = state
            .stack(target)
            .filter(|&counter| self.kind(counter).is_corps())
            .find_map(|counter| self.force(state, counter))
            .unwrap_or(Force::Axis);
        state.combat = Combat { target, defender: defender as u8, ..Combat::NONE };
        state.pending = Pending::Attack;
        Some(assault)
    }

    /// What a die from 1 to 6 does to both sides: the entry of the combat table after conversion (16.2).
    pub fn combat_result(&self, odds: &Assessment, die: u8) -> (AttackerLoss, u8) {
        let charts = &self.rules.charts;
        let entry = charts.land[die as usize - 1][odds.column() as usize - 1];
        let attacking = odds.attackers.0 + odds.attackers.1;
        let defending = odds.defenders.0 + odds.defenders.1 + odds.fortified;
        convert(&charts.conversions, entry, attacking, defending)
    }

    /// Fights the combat up to the next decision in it, or to its end.
    fn roll(&self, state: &mut State, mut assault: Assault, waived: bool, context: &mut impl Rolls) {
        self.engage(state, &mut assault, context);
        self.strike(state, &assault, waived, context);
    }

    /// What comes before the die: who takes part is known now, and Germans against Soviets anywhere is war (9.3).
    pub(crate) fn engage(&self, state: &mut State, assault: &mut Assault, context: &mut impl Rolls) {
        if state.timers.axis_soviet_war == 0
            && assault.attackers.intersects(&self.tables.sheet.of_nation[Nation::Ger.index()])
        {
            let target = state.combat.target;
            self.provoke(state, state.active, target, true, context);
            assault.odds = self.assess(state, target, &assault.attackers);
        }
    }

    /// Rolls the die and sets the losses (16.2). Gives the zones to which the defenders may retreat, if that is the next
    /// decision.
    pub(crate) fn strike(
        &self,
        state: &mut State,
        assault: &Assault,
        waived: bool,
        context: &mut impl Rolls,
    ) -> Zones {
        let target = state.combat.target;
        let Assault { attackers, mut odds } = *assault;
        if waived {
            odds.modifiers.german_defence = 0;
        }
        let blitz = state.phase == Phase::Blitz;
        let die = context.die(6) as u8;
        let (loss, defender_loss) = self.combat_result(&odds, die);
        let defender = Force::ALL[state.combat.defender as usize];
        let attacker = state.active;
        context.emit(|| {
            Event::Battle(Battle {
                zone: target,
                blitz,
                attacker,
                defender,
                attacking_infantry: odds.attackers.0,
                attacking_armour: odds.attackers.1,
                defending_infantry: odds.defenders.0,
                defending_armour: odds.defenders.1,
                fortified: odds.fortified,
                odds: odds.odds,
                modifiers: odds.modifiers,
                column: odds.column(),
                die,
                attacker_loss: u8::from(loss != AttackerLoss::None),
                attacker_armour_loss: loss == AttackerLoss::Armour,
                defender_loss,
            })
        });
        self.note_british(state, target, &attackers);
        Self::stamp(state, target, &attackers, blitz);
        if self.home(Country::Ussr).contains(target)
            && let Some(counter) = attackers.and(self.of_kind(Kind::Elite)).first()
        {
            state.elite_east = counter;
        }
        let armour = loss == AttackerLoss::Armour;
        let combat = &mut state.combat;
        combat.attacker_due = u8::from(loss != AttackerLoss::None);
        combat.attacker_lost = combat.attacker_due;
        combat.attacker_armour = armour;
        combat.attacker_elite = odds.elite;
        combat.defender_due = defender_loss;
        combat.defender_lost = defender_loss;
        combat.defender_armour = armour && defender_loss > 0;
        combat.defender_german = odds.may_waive && !waived && defender_loss > 0;
        combat.fast_infantry = odds.index() >= 9;
        combat.all_across_line = odds.all_across_line;
        if combat.attacker_due > 0 && attackers.iter().any(|counter| state.attacks(counter)) {
            state.pending = Pending::AttackerLoss;
            Zones::EMPTY
        } else {
            self.next_loss(state, &attackers, context)
        }
    }

    /// Notes the first British attack on Italians (9.6), and counts the turns in which the British attack only Italians
    /// (16.3.1).
    fn note_british(&self, state: &mut State, target: Zone, attackers: &Counters) {
        if !attackers.intersects(&self.tables.sheet.of_nation[Nation::Uk.index()]) {
            return;
        }
        let italian = |counter: Counter| self.nation(counter) == Nation::Ita;
        let defenders = self.tables.sheet.corps.and(&state.members(target));
        if state.timers.british_italian_first == 0 && defenders.iter().any(italian) {
            state.timers.british_italian_first = state.turn;
        }
        if defenders.iter().all(italian) && state.timers.british_italian_last != state.turn {
            state.timers.british_italian_last = state.turn;
            state.timers.british_italian_turns += 1;
        }
    }

    /// Marks zone and attackers as having fought.
    fn stamp(state: &mut State, target: Zone, attackers: &Counters, blitz: bool) {
        state.attacked.insert(target);
        if state.active == Force::Allied {
            state.allied_attacked.insert(target);
        }
        if !blitz {
            attackers.iter().for_each(|counter| state.add_mark(counter, mark::FOUGHT));
            return;
        }
        // At most one group for each armour counter of a side, fewer than the numbers there are.
        let free =
            state.group_target.iter().position(|&target| target == Location::NONE).unwrap_or(GROUPS - 1);
        state.group_target[free] = target;
        let group = free + 1;
        attackers.iter().for_each(|counter| {
            let marks = &mut state.marks[counter];
            *marks = *marks & !mark::GROUP | (group as u16) << mark::GROUP_SHIFT;
        });
    }

    // ---- losses (16.2) ----

    fn defending_corps(&self, state: &State) -> u8 {
        self.defence(state).0
    }

    /// The defending corps, and the losses they can take: a fortified corps two (15.1).
    fn defence(&self, state: &State) -> (u8, u8) {
        let force = Force::ALL[state.combat.defender as usize];
        let (mut corps, mut fortified) = (0, 0);
        for counter in state.stack(state.combat.target) {
            // Sums without a jump: what stands in a stack follows no pattern.
            let is_corps = u8::from(self.kind(counter).is_corps());
            let strength = state.strength(counter) * is_corps;
            corps += strength * u8::from(state.serves(self.nation(counter), force));
            fortified += strength * u8::from(state.is_turned(counter));
        }
        (corps, corps + fortified)
    }

    /// Eliminates every defending corps.
    fn lose_all(&self, state: &mut State, context: &mut impl Rolls) {
        let (target, force) = (state.combat.target, Force::ALL[state.combat.defender as usize]);
        while let Some(counter) = state
            .stack(target)
            .find(|&counter| self.kind(counter).is_corps() && self.force(state, counter) == Some(force))
        {
            self.eliminate(state, counter, context);
        }
        state.combat.defender_due = 0;
    }

    /// Opens the defender's next loss decision, or goes on after the losses. Losses beyond what is there are forgotten.
    fn next_loss(&self, state: &mut State, attackers: &Counters, context: &mut impl Rolls) -> Zones {
        let (mut corps, losses) = self.defence(state);
        if state.combat.defender_due > 0 && corps > 0 {
            if state.combat.defender_due < losses {
                state.pending = Pending::DefenderLoss;
                return Zones::EMPTY;
            }
            // Nobody is left to choose among.
            self.lose_all(state, context);
            corps = 0;
        }
        self.after_losses(state, attackers, corps > 0, context)
    }

    /// Corps counters that defend.
    fn defenders(&self, state: &State) -> Counters {
        let force = Force::ALL[state.combat.defender as usize];
        let mut defenders = Counters::EMPTY;
        for counter in state.stack(state.combat.target) {
            if self.kind(counter).is_corps() && state.serves(self.nation(counter), force) {
                defenders.insert(counter);
            }
        }
        defenders
    }

    /// What the loss that is to be chosen now may be; the attackers are asked for only if it is theirs.
    pub(crate) fn casualties(&self, state: &State, attackers: impl FnOnce() -> Counters) -> Casualties {
        let combat = &state.combat;
        let attacker = state.pending == Pending::AttackerLoss;
        let mut counters = if attacker { attackers() } else { self.defenders(state) };
        let (mut armour, mut armour_or_german) = (false, false);
        let armoured = |counter: Counter| self.corps_of(state, counter).1 > 0;
        let germans = &self.tables.sheet.of_nation[Nation::Ger.index()];
        if attacker {
            if combat.attacker_elite && counters.intersects(self.of_kind(Kind::Elite)) {
                counters = counters.and(self.of_kind(Kind::Elite));
            }
            armour = combat.attacker_armour && counters.iter().any(armoured);
        } else if combat.defender_armour || combat.defender_german {
            let wants_armour = combat.defender_armour && counters.iter().any(armoured);
            let wants_german = combat.defender_german && counters.intersects(germans);
            let both_in_one = counters.and(germans).iter().any(armoured);
            match (wants_armour, wants_german, combat.defender_due) {
                (true, true, 1) => {
                    // A German loss goes before an armour loss that only others could take.
                    counters = counters.and(germans);
                    armour = both_in_one;
                }
                (true, true, 2) => armour_or_german = !both_in_one,
                (true, false, 1) => armour = true,
                (false, true, 1) => counters = counters.and(germans),
                _ => {}
            }
        }
        Casualties { counters, armour, armour_or_german }
    }

    /// Whether the loss may be an infantry and an armour corps of a counter of them.
    pub(crate) fn lost_corps(&self, state: &State, casualties: &Casualties, counter: Counter) -> [bool; 2] {
        let (infantry, armour) = self.corps_of(state, counter);
        let bars_infantry =
            casualties.armour || casualties.armour_or_german && self.nation(counter) != Nation::Ger;
        [infantry > 0 && !bars_infantry, armour > 0]
    }

    fn casualty_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let casualties = self.casualties(state, || self.attackers(state));
        for counter in casualties.counters {
            if !self.has_identical_in(state, &casualties.counters, counter) {
                let open = self.lost_corps(state, &casualties, counter);
                for (kind, open) in [Kind::Infantry, Kind::Armour].into_iter().zip(open) {
                    if open {
                        out.offer(Action::Lose(counter, kind))?;
                    }
                }
            }
        }
        Continue(())
    }

    /// Whether a candidate of lower index is interchangeable.
    fn has_identical_in(&self, state: &State, candidates: &Counters, counter: Counter) -> bool {
        candidates.iter().take_while(|&other| other < counter).any(|other| {
            state.location(other) == state.location(counter)
                && self.counter_type(other) == self.counter_type(counter)
                && state.look(other) == state.look(counter)
        })
    }

    /// Takes the loss that was to be chosen. Of the attackers, a counter that had to be exchanged is so among them too. Gives
    /// the zones to which the defenders may retreat, if that is the next decision.
    pub(crate) fn take_loss(
        &self,
        state: &mut State,
        attackers: &mut Counters,
        counter: Counter,
        kind: Kind,
        context: &mut impl Rolls,
    ) -> Zones {
        let attacker = state.pending == Pending::AttackerLoss;
        if attacker {
            state.combat.attacker_due = 0;
        } else {
            state.combat.defender_due -= 1;
            if kind == Kind::Armour {
                state.combat.defender_armour = false;
            }
            if self.nation(counter) == Nation::Ger {
                state.combat.defender_german = false;
            }
        }
        if state.is_turned(counter) {
            // A fortified corps absorbs the loss by turning back (15.1).
            state.turn_face(counter, false);
        } else {
            let rest = self.lose_corps(state, counter, kind, context);
            if attacker && rest != Some(counter) {
                attackers.remove(counter);
                if let Some(fresh) = rest {
                    attackers.insert(fresh);
                }
            }
        }
        if state.pending == Pending::CancelLoss {
            self.open_advance(state, attackers);
            Zones::EMPTY
        } else {
            self.next_loss(state, attackers, context)
        }
    }

    // ---- after the losses: air, retreat, advance ----

    fn after_losses(
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
    /// the two; never one attacked in this phase, held by enemies, or neutral (R-35).
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

    fn retreat_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
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

    fn open_advance(&self, state: &mut State, attackers: &Counters) {
        if self.defending_corps(state) > 0 {
            return Self::end_combat(state, attackers);
        }
        state.pending = Pending::Advance;
        self.close_advance(state, attackers);
    }

    /// Ends the combat if nobody can advance.
    fn close_advance(&self, state: &mut State, attackers: &Counters) {
        let mut first = crate::sequence::FirstOnly::default();
        let _ = self.advance_actions(state, attackers, &mut first);
        if !first.any {
            Self::end_combat(state, attackers);
        }
    }

    fn end_combat(state: &mut State, attackers: &Counters) {
        attackers.iter().for_each(|counter| state.clear_mark(counter, mark::ATTACKS));
        state.combat = Combat::NONE;
        state.pending = Pending::None;
    }

    // ---- advance (16.4, 17.3) ----

    /// Zones a counter may still advance in the turn.
    pub(crate) fn advances_left(&self, state: &State, counter: Counter) -> u8 {
        let done = ((state.marks[counter] & mark::ADVANCED) / mark::ADVANCED_ONE) as u8;
        let fast = self.kind(counter).is_mobile() || state.combat.fast_infantry;
        (if fast { 2u8 } else { 1 }).saturating_sub(done)
    }

    fn advance_actions(&self, state: &State, attackers: &Counters, out: &mut impl Offer) -> Flow {
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

    fn advance(&self, state: &mut State, counter: Counter, zone: Zone, context: &mut impl Rolls) {
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
