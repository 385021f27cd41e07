//! The odds of an attack and the shifts of its column (16.1 to 16.3).

use crate::event::Modifiers;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, Zone};
use crate::nation::{Country, Force, Nation};
use crate::rules::Kind;
use crate::state::{State, Status};

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

impl BlitzWar {
    /// Odds and shifts of an attack on a zone by these counters, as things stand. The German defence shift is counted as
    /// used.
    pub fn assess(&self, state: &State, target: Zone, attackers: &Counters) -> Assessment {
        self.assess_from(state, target, attackers, |counter| state.location(counter))
    }

    /// The same for an attack of counters that stand at places of their own, such as those to which they are about to march.
    pub fn assess_from(
        &self,
        state: &State,
        target: Zone,
        attackers: &Counters,
        place: impl Fn(Counter) -> Location,
    ) -> Assessment {
        let mut result = Assessment::default();
        let crossing = self.count_attackers(state, target, attackers, place, &mut result);
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
        place: impl Fn(Counter) -> Location,
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
            let place = place(counter);
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
}
