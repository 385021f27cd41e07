//! What turns the facts of BlitzWar into rows, and finds what a side wastes.

use sandtable_blitzwar::location::{Counter, Location, Zone};
use sandtable_blitzwar::nation::NATIONS;
use sandtable_blitzwar::phase::Phase;
use sandtable_blitzwar::rules::Zones;
use sandtable_blitzwar::{Battle, BlitzWar, Country, Event, Force, Kind as Unit, Nation, State, Status};
use sandtable_core::{Board as _, Index as _};

use super::tables::{BATTLES, COUNTRY_STATUS, WASTE, WASTE_TERMS};
use sandtable_experiments::system::waste::{Case, Entry, Tracker, Waste};
use sandtable_experiments::system::{Facts, Recorder, TurnEnd};
use sandtable_experiments::table::Row;

/// Kinds of units in the columns of strengths and losses, see [`place_of`].
const KINDS: usize = 5;

/// What one side did and suffered in a turn.
#[derive(Clone, Copy, Debug, Default)]
struct TurnTally {
    lost: [i32; KINDS],
    spent_halves: i32,
    supply_lost: i32,
    battles: i32,
    axis_points: i32,
    waste: Waste,
    lost_unsupplied: i32,
    unplaced: i32,
    lost_supply_halves: i32,
}

/// Zones that are worth an army.
#[derive(Clone, Copy, Debug, Default)]
struct Valued {
    /// Of any country.
    capitals: Zones,
    /// General ones and those of any side.
    points: Zones,
    /// Supply Zones by side.
    sources: [Zones; 3],
    ports: Zones,
}

impl Valued {
    fn of(game: &BlitzWar) -> Valued {
        let zones = game.rules.every_zone();
        Valued {
            capitals: zones.filter(|&zone| game.rules.zones[zone.at()].capital).collect(),
            points: game.strategic_points(),
            sources: Force::ALL.map(|force| *game.supply_zones(force)),
            ports: *game.ports(),
        }
    }

    /// Zones in which an army of a side has a task though no enemy is near.
    fn guarded(&self, force: Force) -> Zones {
        self.capitals.or(&self.points).or(&self.sources[force.index()]).or(&self.ports)
    }
}

/// Turns facts into rows of `turns` and `battles`.
#[derive(Debug, Default)]
pub struct BlitzRecorder {
    turn: u8,
    open: [TurnTally; 3],
    closed: [TurnTally; 3],
    closed_turn: u8,
    /// Units on the map, by nation: counted once a game and then followed through the facts, which is far less work
    /// than counting them every turn.
    units: [[i32; KINDS]; NATIONS],
    counted: bool,
    /// The same by side, at the end of turn `summed_turn`.
    strength: [[i32; KINDS]; 3],
    summed_turn: u32,
    /// Side of each nation's counters, followed through the game's the status of countries.
    sides: Vec<Option<Force>>,
    /// Phase, and the side whose it is.
    phase: Option<(Phase, Force)>,
    tracker: Tracker<Counter, Location>,
    valued: Valued,
}

/// Units on the map by nation and [`place_of`].
fn units_on_map(game: &BlitzWar, state: &State) -> [[i32; KINDS]; NATIONS] {
    let mut units = [[0; KINDS]; NATIONS];
    let on_map = |&counter: &Counter| !matches!(state.location(counter), Location::POOL | Location::LOCKED);
    for counter in game.sheet().filter(on_map) {
        let (infantry, armour) = game.corps_of(state, counter);
        let units = &mut units[game.nation(counter).index()];
        units[0] += i32::from(infantry);
        units[1] += i32::from(armour);
        if let Some(place @ 2..) = place_of(game.kind(counter)) {
            units[place] += i32::from(state.strength(counter));
        }
    }
    units
}

/// Place of a kind of unit in the columns of strengths and losses.
fn place_of(kind: Unit) -> Option<usize> {
    match kind {
        Unit::Infantry => Some(0),
        Unit::Armour | Unit::White | Unit::Elite => Some(1),
        Unit::Air => Some(2),
        Unit::Fleet => Some(3),
        Unit::Submarine => Some(4),
        Unit::Supply => None,
    }
}

impl BlitzRecorder {
    pub(super) fn new(game: &BlitzWar) -> BlitzRecorder {
        let (sides, valued) = (game.starting_sides(), Valued::of(game));
        BlitzRecorder { sides, valued, ..BlitzRecorder::default() }
    }

    /// Sums up the units of each side's nations.
    fn sum_units(&mut self, game: &BlitzWar, state: &State) {
        if !self.counted {
            self.counted = true;
            self.units = units_on_map(game, state);
        }
        self.strength = Default::default();
        for (nation, units) in Nation::ALL.into_iter().zip(&self.units) {
            if let Some(force) = state.force_of(nation) {
                let strength = &mut self.strength[force.index()];
                strength.iter_mut().zip(units).for_each(|(sum, units)| *sum += units);
            }
        }
    }

    /// The tally of a turn that is not over, or has just ended.
    fn tally(&mut self, turn: u8, force: Force) -> &mut TurnTally {
        let tallies = if turn == self.closed_turn { &mut self.closed } else { &mut self.open };
        &mut tallies[force.index()]
    }

    /// Counts a case of waste and tells of it.
    fn waste(&mut self, game: &BlitzWar, entry: Entry, facts: &mut Facts) {
        self.tally(entry.turn, Force::ALL[entry.side]).waste.count(entry.case, entry.amount);
        debug_assert!(entry.place.is_none_or(|place| place < game.rules.zones.len() + game.rules.seas.len()));
        entry.write(WASTE, facts);
    }

    /// A stack over the limit gives up corps (4): waste if its side has filled it, by placement in the Reinforcement Phase
    /// or in its own turn.
    #[inline(never)]
    fn overstacked(&mut self, game: &BlitzWar, force: Force, corps: u8, zone: Zone, facts: &mut Facts) {
        let own = match self.phase {
            Some((Phase::Diplomacy, _)) | None => false,
            Some((Phase::Reorganisation, _)) => true,
            Some((_, active)) => active == force,
        };
        if own {
            let (case, place, amount) = (Case::LostStacking, Some(zone.at()), i32::from(corps));
            let side = force.index();
            self.waste(game, Entry { turn: self.turn, side, case, place, unit: None, amount }, facts);
        }
    }

    /// A phase begins. The Naval Phase is the first of a side's turn (8).
    #[inline(never)]
    fn phase(&mut self, phase: Phase, force: Force) {
        self.phase = Some((phase, force));
        if phase == Phase::NavalMovement {
            self.tracker.side_begins(force.index(), self.turn);
        }
    }

    /// Looks at the positions between the turns of sides.
    #[inline(never)]
    fn survey(&mut self, game: &BlitzWar, state: &State, facts: &mut Facts) {
        let (ended, begun) = self.tracker.take_due();
        for force in Force::ALL {
            if ended[force.index()] != 0 {
                self.side_ends(game, state, force, ended[force.index()], facts);
            }
        }
        for force in Force::ALL {
            if begun[force.index()] != 0 {
                self.side_begins(game, state, force, begun[force.index()], facts);
            }
        }
    }

    /// A side begins its turn: which of its corps have supply, and what its enemies have left open to it.
    fn side_begins(&mut self, game: &BlitzWar, state: &State, force: Force, turn: u8, facts: &mut Facts) {
        let own = game.counters_of(state, force);
        let unsupplied = if state.active() == force {
            game.unsupplied(state)
        } else {
            own.filter(|counter| state.is_unsupplied(counter))
        };
        for counter in own {
            self.tracker.begins(counter, state.location(counter), !unsupplied.contains(counter), turn);
        }
        for enemy in Force::ALL {
            // Nobody guards a place against corps that may not come, such as Yugoslavs beside Sofia (9.6).
            let empty = game.left_open(state, enemy, force);
            if empty.is_empty() {
                continue;
            }
            let sources = self.valued.sources[enemy.index()].or(&game.depots(state, enemy));
            let matters = |&zone: &Zone| game.capital_matters(state, game.rules.zones[zone.at()].country);
            let capitals = empty.and(&self.valued.capitals).iter().filter(matters).collect();
            for (case, zones) in [
                (Case::OpenSources, sources),
                (Case::OpenCapitals, capitals),
                (Case::OpenPoints, self.valued.points),
            ] {
                for zone in empty.and(&zones) {
                    let (side, place) = (enemy.index(), Some(zone.at()));
                    self.waste(game, Entry { turn, side, case, place, unit: None, amount: 1 }, facts);
                }
            }
        }
    }

    /// A side ends its turn: which of its units are out of supply, idle or back where they came from.
    fn side_ends(&mut self, game: &BlitzWar, state: &State, force: Force, turn: u8, facts: &mut Facts) {
        let zones = game.rules.zones.len();
        self.tally(turn, force).waste.unspent = f64::from(game.total_stock(state, force)) / 2.0;
        let enemies = Force::ALL.into_iter().filter(|&enemy| enemy.opposes(force));
        let hostile =
            enemies.fold(Zones::EMPTY, |all, enemy| all.or(state.control(enemy)).or(state.corps(enemy)));
        let front = game.land().neighbours_of(&hostile);
        let mut unguarded = self.valued.guarded(force);
        for counter in game.counters_of(state, force) {
            let (kind, location) = (game.kind(counter), state.location(counter));
            let (ashore, army) = (location.at() < zones, kind.is_corps());
            let case = match kind {
                Unit::Supply => continue,
                Unit::Air => Case::IdleAir,
                Unit::Fleet | Unit::Submarine => Case::IdleShips,
                _ => Case::IdleArmies,
            };
            let mut busy = !ashore;
            if army && ashore {
                if state.has_fought(counter) {
                    self.tracker.fights(counter, turn);
                }
                busy = front.contains(location) || unguarded.contains(location);
                unguarded.remove(location);
            }
            let finding = self.tracker.ends(counter, location, busy, turn);
            let place = if ashore { Some(location.at()) } else { location.sea().map(|sea| zones + sea.at()) };
            let unit = Some(usize::from(game.counter_type(counter)));
            let entry = Entry { turn, side: force.index(), case, place, unit, amount: 1 };
            if finding.idle_turns == WASTE_TERMS.idle_after {
                self.waste(game, entry, facts);
            } else if finding.idle_turns > WASTE_TERMS.idle_after {
                self.tally(turn, force).waste.count(case, 1);
            }
            if !army {
                continue;
            }
            if finding.undone {
                self.waste(game, Entry { case: Case::MovesUndone, ..entry }, facts);
            }
            if state.is_unsupplied(counter) {
                let own = self.tracker.has_left_supply(counter);
                let case = if own { Case::UnsuppliedOwn } else { Case::UnsuppliedCut };
                let amount = i32::from(state.strength(counter));
                self.waste(game, Entry { case, amount, ..entry }, facts);
            }
        }
    }

    #[inline(never)]
    fn note_status(&mut self, country: Country, status: Status, facts: &mut Facts) {
        facts.row(COUNTRY_STATUS).int(i32::from(self.turn)).word(country.index()).word(status as usize);
        if let Some(side) = self.sides.get_mut(country.index()) {
            // The losses of a country that surrenders are its last side's.
            *side = status.force().or(*side);
        }
    }

    #[inline(never)]
    fn battle(&mut self, battle: &Battle, facts: &mut Facts) {
        self.open[battle.attacker.index()].battles += 1;
        self.tracker.fights_at(battle.zone, self.turn);
        let shifts = &battle.modifiers;
        let mut row = facts.row(BATTLES);
        row.int(i32::from(self.turn))
            .word(usize::from(!battle.blitz))
            .word(battle.zone.at())
            .word(battle.attacker.index())
            .word(battle.defender.index());
        for corps in [
            battle.attacking_infantry,
            battle.attacking_armour,
            battle.defending_infantry,
            battle.defending_armour,
            battle.fortified,
        ] {
            row.int(i32::from(corps));
        }
        row.int(i32::from(battle.odds));
        for shift in [
            shifts.german_attack,
            shifts.british_vs_italians,
            shifts.armour,
            shifts.attacker_air,
            shifts.out_of_supply,
            shifts.german_defence,
            shifts.all_fortified,
            shifts.defender_air,
            shifts.terrain,
            shifts.fortress,
            shifts.fortified_line,
        ] {
            row.int(i32::from(shift));
        }
        row.word(usize::from(battle.column))
            .int(i32::from(battle.die))
            .int(i32::from(battle.attacker_loss))
            .flag(battle.attacker_armour_loss)
            .int(i32::from(battle.defender_loss));
    }
}

impl Recorder<BlitzWar> for BlitzRecorder {
    #[inline]
    fn look(&mut self, game: &BlitzWar, state: &State, facts: &mut Facts) {
        if self.tracker.is_due() {
            self.survey(game, state, facts);
        }
    }

    #[allow(clippy::inline_always)] // most of the thousands of facts of a game go into no table
    #[inline(always)]
    fn fact(&mut self, game: &BlitzWar, event: Event, facts: &mut Facts) {
        match event {
            Event::TurnBegins { turn } => {
                self.closed = std::mem::take(&mut self.open);
                self.closed_turn = self.turn;
                self.turn = turn;
            }
            Event::SideDone { force, axis_points, turn } => {
                self.open[force.index()].axis_points = i32::from(axis_points);
                self.tracker.side_ends(force.index(), turn);
            }
            Event::PhaseBegins { phase, force } => self.phase(phase, force),
            Event::Moved { counter, to, .. } => self.tracker.moved(counter, to, self.turn),
            Event::Exchanged { counter, into } => self.tracker.goes_on(counter, into),
            Event::Combined { counter, into } => self.tracker.joins(counter, into),
            Event::Control { zone, .. } => self.tracker.changes_hands(zone, self.turn),
            Event::Overstacked { force, corps, zone } => self.overstacked(game, force, corps, zone, facts),
            Event::Unplaced { force, kind: Unit::Supply, units } => {
                self.open[force.index()].waste.unspent_lost += f64::from(units) / 2.0;
            }
            Event::Unplaced { force, units, .. } => self.open[force.index()].unplaced += i32::from(units),
            Event::Standing { country, status } => self.note_status(country, status, facts),
            Event::Reinforced { nation, kind, units, .. } => {
                if let Some(place) = place_of(kind) {
                    self.units[nation.index()][place] += i32::from(units);
                }
            }
            Event::Lost { nation, kind, units, unsupplied, .. } => {
                if let Some(place) = place_of(kind) {
                    self.units[nation.index()][place] -= i32::from(units);
                    if let Some(force) = self.sides[nation.index()] {
                        let tally = &mut self.open[force.index()];
                        tally.lost[place] += i32::from(units);
                        tally.lost_unsupplied += if unsupplied { i32::from(units) } else { 0 };
                    }
                } else if let Some(force) = self.sides[nation.index()] {
                    self.open[force.index()].lost_supply_halves += i32::from(units);
                }
            }
            Event::Spent { force, halves } => self.open[force.index()].spent_halves += i32::from(halves),
            Event::SupplyLost { force, units } => self.open[force.index()].supply_lost += i32::from(units),
            Event::Battle(battle) => self.battle(&battle, facts),
            _ => {}
        }
    }

    fn turn_cells(&mut self, game: &BlitzWar, state: &State, end: TurnEnd, row: &mut Row<'_>) {
        if self.summed_turn != end.turn {
            self.summed_turn = end.turn;
            self.sum_units(game, state);
        }
        let force = Force::of(end.side);
        let tallies = if end.turn == u32::from(self.closed_turn) { &self.closed } else { &self.open };
        let tally = &tallies[force.index()];
        let held = state.control(force);
        row.int(tally.axis_points).int(game.strategic_points().and(held).len() as i32).int(held.len() as i32);
        for units in self.strength[force.index()] {
            row.int(units);
        }
        row.real(f64::from(game.total_stock(state, force)) / 2.0);
        for lost in tally.lost {
            row.int(lost);
        }
        row.real(f64::from(tally.spent_halves) / 2.0).int(tally.supply_lost).int(tally.battles);
        tally.waste.cells(row);
        row.int(tally.lost_unsupplied).int(tally.unplaced).real(f64::from(tally.lost_supply_halves) / 2.0);
    }
}

#[cfg(test)]
mod tests;
