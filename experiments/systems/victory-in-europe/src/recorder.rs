//! What turns the facts of Victory in Europe into rows, and finds what a side wastes.

use sandtable_core::{Board as _, Index as _, Side};
use sandtable_victory_in_europe::board::Bloc;
use sandtable_victory_in_europe::event::{self, Event, LossCause};
use sandtable_victory_in_europe::nation::{Force, NATIONS, Nation, Team};
use sandtable_victory_in_europe::phase::Phase;
use sandtable_victory_in_europe::rules::{Areas, Arm, Kind as Unit, Standing};
use sandtable_victory_in_europe::{Place, State, UnitId, VictoryInEurope};

use super::tables::{BATTLES, CARDS, COUNTRY_STATUS, ROLLS, WASTE, WASTE_TERMS};
use super::victory_areas;
use sandtable_experiments::system::waste::{Case, Entry, Tracker, Waste};
use sandtable_experiments::system::{Facts, Recorder, TurnEnd};
use sandtable_experiments::table::Row;

/// The forces of a side, as a mask.
fn forces_of(game: &VictoryInEurope, side: Side) -> u8 {
    match (game.rules.options.three_players, side.index()) {
        (_, 0) => Team::Axis.forces(),
        (false, _) => Team::Allies.forces(),
        (true, force) => 1 << force,
    }
}

/// What one side did and suffered in a turn.
#[derive(Clone, Copy, Debug, Default)]
struct TurnTally {
    lost: [i32; 3],
    points: i32,
    battles: i32,
    waste: Waste,
}

/// Areas that are worth an army.
#[derive(Clone, Copy, Debug, Default)]
struct Valued {
    /// Of any country (8.1).
    capitals: Areas,
    /// Other sources of any country (1.8).
    alternatives: Areas,
    /// Of decisive victories.
    victory: Areas,
    ports: Areas,
}

impl Valued {
    fn of(game: &VictoryInEurope) -> Valued {
        let rules = &game.rules;
        Valued {
            capitals: rules.capitals.into_iter().flatten().collect(),
            alternatives: rules.alternatives.into_iter().flatten().collect(),
            victory: victory_areas(game),
            ports: rules.ports.iter().map(|port| port.area).collect(),
        }
    }
}

/// Turns facts into rows.
#[derive(Debug)]
pub struct VictoryRecorder {
    turn: u8,
    /// By force.
    open: [TurnTally; 3],
    closed: [TurnTally; 3],
    closed_turn: u8,
    /// The force each nation fights with, followed through the facts.
    forces: [Option<Force>; NATIONS],
    /// Turns in which each team last began and ended its Movement Phase.
    begun: [u8; 2],
    ended: [u8; 2],
    tracker: Tracker<UnitId, Place>,
    valued: Valued,
}

impl Default for VictoryRecorder {
    fn default() -> Self {
        VictoryRecorder {
            turn: 0,
            open: [TurnTally::default(); 3],
            closed: [TurnTally::default(); 3],
            closed_turn: 0,
            forces: [None; NATIONS],
            begun: [0; 2],
            ended: [0; 2],
            tracker: Tracker::default(),
            valued: Valued::default(),
        }
    }
}

/// Index of a place among the words of places: areas first, then seas. `None` off the map.
fn place_word(game: &VictoryInEurope, place: Place) -> Option<usize> {
    let areas = game.rules.areas.len();
    match place.sea_zone() {
        Some(zone) => Some(areas + usize::from(zone)),
        None => Some(place.at()).filter(|&area| area < areas),
    }
}

/// Forces at war with one.
fn enemies(game: &VictoryInEurope, state: &State, force: Force) -> impl Iterator<Item = Force> {
    let at_war = move |&other: &Force| game.at_war(state, Bloc::of(force), Bloc::of(other));
    Force::ALL.into_iter().filter(at_war)
}

/// Areas with armies of a force, fortresses apart.
fn armies(game: &VictoryInEurope, state: &State, force: Force) -> Areas {
    let marches = |&unit: &UnitId| game.arm(unit) == Arm::Army && game.kind(unit) != Unit::Fortress;
    let places = game.units_of(state, force).into_iter().filter(marches).map(|unit| state.location(unit));
    places.filter(|&place| place.is_area()).collect()
}

impl VictoryRecorder {
    pub(super) fn new(game: &VictoryInEurope) -> VictoryRecorder {
        VictoryRecorder {
            valued: Valued::of(game),
            forces: game.rules.setup.standing.map(Standing::force),
            ..VictoryRecorder::default()
        }
    }

    /// The tally of a turn that is not over, or has just ended.
    fn tally(&mut self, turn: u8, force: usize) -> &mut TurnTally {
        let tallies = if turn == self.closed_turn { &mut self.closed } else { &mut self.open };
        &mut tallies[force]
    }

    /// Counts a case of waste and tells of it.
    fn waste(&mut self, entry: Entry, facts: &mut Facts) {
        self.tally(entry.turn, entry.side).waste.count(entry.case, entry.amount);
        entry.write(WASTE, facts);
    }

    /// A phase begins. A team has moved when the other one pins, or, if it was the second to move, when battles are named;
    /// with three players an Allied phase begins twice.
    fn phase(&mut self, phase: Phase, team: Team) {
        let (turn, other) = (self.turn, team.other());
        match phase {
            Phase::Movement if self.begun[team.index()] != turn => {
                self.begun[team.index()] = turn;
                self.tracker.side_begins(team.index(), turn);
            }
            Phase::Pinning | Phase::NamingBattles if self.ended[other.index()] != turn => {
                self.ended[other.index()] = turn;
                self.tracker.side_ends(other.index(), turn);
            }
            _ => {}
        }
    }

    /// Looks at the positions between the movements of teams.
    #[inline(never)]
    fn survey(&mut self, game: &VictoryInEurope, state: &State, facts: &mut Facts) {
        let (ended, begun) = self.tracker.take_due();
        for team in [Team::Axis, Team::Allies] {
            if ended[team.index()] != 0 {
                for force in Force::ALL.into_iter().filter(|force| force.team() == team) {
                    self.movement_ends(game, state, force, ended[team.index()], facts);
                }
            }
        }
        for team in [Team::Axis, Team::Allies] {
            if begun[team.index()] != 0 {
                self.movement_begins(game, state, team, begun[team.index()], facts);
            }
        }
    }

    /// A team begins to move: which of its units have supply, and what its enemies have left open to it.
    fn movement_begins(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        team: Team,
        turn: u8,
        facts: &mut Facts,
    ) {
        for force in Force::ALL.into_iter().filter(|force| force.team() == team) {
            let unsupplied = game.unsupplied(state, force);
            for unit in game.units_of(state, force) {
                self.tracker.begins(unit, state.location(unit), !unsupplied.contains(unit), turn);
            }
        }
        for force in Force::ALL.into_iter().filter(|force| force.team() != team) {
            let hostile = enemies(game, state, force)
                .fold(Areas::EMPTY, |all, enemy| all.or(&armies(game, state, enemy)));
            self.open_places(game, state, force, &hostile, turn, facts);
        }
    }

    /// Areas of a force that are open to enemy armies.
    fn open_places(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        armies: &Areas,
        turn: u8,
        facts: &mut Facts,
    ) {
        let reach = game.land().neighbours_of(armies);
        let near = state.held[force.index()].and(&reach);
        let open = near.filter(|area| !game.has_army(state, area, force.team()));
        if open.is_empty() {
            return;
        }
        let rules = &game.rules;
        let with = |nation: &Nation| state.politics.standing(*nation).force() == Some(force);
        let own = Nation::ALL.into_iter().filter(with).map(Nation::index);
        let sources = own.flat_map(|nation| [rules.capitals[nation], rules.alternatives[nation]]);
        for (case, areas) in [
            (Case::OpenSources, sources.flatten().collect()),
            (Case::OpenCapitals, self.valued.capitals),
            (Case::OpenPoints, self.valued.victory),
        ] {
            for area in open.and(&areas) {
                let (side, place) = (force.index(), place_word(game, area));
                self.waste(Entry { turn, side, case, place, unit: None, amount: 1 }, facts);
            }
        }
    }

    /// A force has ended its moves: which of its units are idle or back where they came from.
    fn movement_ends(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        turn: u8,
        facts: &mut Facts,
    ) {
        let opposed = Force::ALL.into_iter().filter(|other| other.team() != force.team());
        let hostile = opposed.fold(Areas::EMPTY, |all, other| {
            all.or(&state.held[other.index()]).or(&armies(game, state, other))
        });
        let front = hostile.or(&game.land().neighbours_of(&hostile));
        let valued = self.valued;
        let factories = state.held[force.index()].filter(|area| state.factory(area) > 0);
        let sources = valued.capitals.or(&valued.alternatives);
        let mut unguarded = sources.or(&valued.victory).or(&valued.ports).or(&factories);
        for unit in game.units_of(state, force) {
            let (place, kind) = (state.location(unit), game.kind(unit));
            if kind == Unit::Fortress {
                continue;
            }
            let (case, busy) = match game.arm(unit) {
                Arm::Air => (Case::IdleAir, false),
                Arm::Naval => (Case::IdleShips, !place.is_area()),
                Arm::Army if place.is_area() => {
                    let guards = unguarded.contains(place);
                    unguarded.remove(place);
                    (Case::IdleArmies, front.contains(place) || guards)
                }
                Arm::Army => (Case::IdleArmies, true),
            };
            // Who may not move waits for the rules, not for his player (13-URALS, 13-USA).
            let finding = self.tracker.ends(unit, place, busy || !game.is_mobile(state, unit), turn);
            let (place, unit) = (place_word(game, place), Some(unit.at()));
            let entry = Entry { turn, side: force.index(), case, place, unit, amount: 1 };
            if finding.idle_turns == WASTE_TERMS.idle_after {
                self.waste(entry, facts);
            } else if finding.idle_turns > WASTE_TERMS.idle_after {
                self.tally(turn, force.index()).waste.count(case, 1);
            }
            if finding.undone && case == Case::IdleArmies {
                self.waste(Entry { case: Case::MovesUndone, ..entry }, facts);
            }
        }
    }

    /// Steps are lost over the stacking limit or for want of supply.
    fn wasted_steps(
        &mut self,
        game: &VictoryInEurope,
        unit: UnitId,
        steps: u8,
        case: Case,
        facts: &mut Facts,
    ) {
        if let Some(force) = self.force_of(game, unit) {
            let place = place_word(game, self.tracker.place(unit));
            let (turn, side, unit) = (self.turn, force.index(), Some(unit.at()));
            self.waste(Entry { turn, side, case, place, unit, amount: i32::from(steps) }, facts);
        }
    }

    fn force_of(&self, game: &VictoryInEurope, unit: UnitId) -> Option<Force> {
        self.forces[game.printed_nation(unit).index()]
    }

    fn battle(&mut self, battle: &event::Battle, facts: &mut Facts, game: &VictoryInEurope) {
        let attackers = Force::ALL.into_iter().filter(|force| force.team() == battle.attacker);
        for force in attackers {
            self.open[force.index()].battles += 1;
        }
        let place = place_word(game, battle.place).expect("a battle is fought on the map");
        let mut row = facts.row(BATTLES);
        row.int(i32::from(self.turn)).word(place).word(battle.attacker.index()).int(i32::from(battle.rounds));
        for pair in [battle.units, battle.steps, battle.dice, battle.hits, battle.lost] {
            row.int(i32::from(pair[0])).int(i32::from(pair[1]));
        }
        row.flag(battle.won).flag(battle.exploitation).flag(battle.winter);
    }
}

impl Recorder<VictoryInEurope> for VictoryRecorder {
    #[inline]
    fn look(&mut self, game: &VictoryInEurope, state: &State, facts: &mut Facts) {
        if self.tracker.is_due() {
            self.survey(game, state, facts);
        }
    }

    fn fact(&mut self, game: &VictoryInEurope, event: Event, facts: &mut Facts) {
        let turn = i32::from(self.turn);
        match event {
            Event::TurnBegins { turn } => {
                self.closed = std::mem::take(&mut self.open);
                self.closed_turn = self.turn;
                self.turn = turn;
            }
            Event::Standing { nation, standing } => {
                facts.row(COUNTRY_STATUS).int(turn).word(nation.index()).word(standing as usize);
                if standing == Standing::Defending {
                    self.forces[nation.index()] = Some(Force::Axis);
                } else if let Some(force) = standing.force() {
                    self.forces[nation.index()] = Some(force);
                }
            }
            Event::Cards { played, first } => {
                for force in Force::ALL {
                    let card = usize::from(played[force.index()]);
                    if let Some(sheet) = game.rules.cards.get(card) {
                        facts
                            .row(CARDS)
                            .int(turn)
                            .word(force.index())
                            .word(card)
                            .int(i32::from(sheet.command))
                            .flag(force.team() == first);
                    }
                }
            }
            Event::Roll { force, nation, dice, bonus, needed } => {
                facts
                    .row(ROLLS)
                    .int(turn)
                    .word(force.index())
                    .word(nation.index())
                    .int(i32::from(dice))
                    .int(i32::from(bonus))
                    .int(i32::from(needed))
                    .flag(dice + bonus >= needed);
            }
            Event::BattleEnds(battle) => self.battle(&battle, facts, game),
            Event::Loss { unit, steps, cause } => {
                if let Some(force) = self.force_of(game, unit) {
                    let arm: Arm = game.arm(unit);
                    self.open[force.index()].lost[arm as usize] += i32::from(steps);
                }
                match cause {
                    LossCause::Stacking => self.wasted_steps(game, unit, steps, Case::LostStacking, facts),
                    LossCause::Attrition => {
                        let own = self.tracker.has_left_supply(unit);
                        let case = if own { Case::UnsuppliedOwn } else { Case::UnsuppliedCut };
                        self.wasted_steps(game, unit, steps, case, facts);
                    }
                    _ => {}
                }
            }
            Event::PhaseBegins { phase, team: Some(team) } => self.phase(phase, team),
            Event::Moved { unit, to, .. } => self.tracker.moved(unit, to, self.turn),
            Event::BattleBegins { place, .. } => self.tracker.fights_at(place, self.turn),
            Event::Fired { unit, .. } if unit != UnitId::NONE => self.tracker.fights(unit, self.turn),
            Event::Taken { area, .. } => self.tracker.changes_hands(area, self.turn),
            Event::Unspent { nation, points } => {
                if let Some(force) = self.forces[nation.index()] {
                    let waste = &mut self.open[force.index()].waste;
                    waste.unspent += f64::from(points);
                    waste.unspent_lost += f64::from(points);
                }
            }
            Event::Production { nation, points, local, .. } => {
                if let Some(force) = self.forces[nation.index()] {
                    self.open[force.index()].points += i32::from(points) + i32::from(local);
                }
            }
            _ => {}
        }
    }

    fn turn_cells(&mut self, game: &VictoryInEurope, state: &State, end: TurnEnd, row: &mut Row<'_>) {
        let forces = forces_of(game, end.side);
        let tallies = if end.turn == u32::from(self.closed_turn) { &self.closed } else { &self.open };
        let mut sum = TurnTally::default();
        let mut held = Areas::EMPTY;
        let (mut units, mut steps) = ([0; 3], [0; 3]);
        for force in Force::ALL.into_iter().filter(|force| force.bit() & forces != 0) {
            let tally = &tallies[force.index()];
            (0..3).for_each(|arm| sum.lost[arm] += tally.lost[arm]);
            sum.points += tally.points;
            // Both Allied forces count a battle as theirs; one player's side counts it once.
            sum.battles = sum.battles.max(tally.battles);
            sum.waste.add(&tally.waste);
            held = held.or(&state.held[force.index()]);
            for unit in game.units_of(state, force) {
                units[game.arm(unit) as usize] += 1;
                steps[game.arm(unit) as usize] += i32::from(state.steps(unit));
            }
        }
        let (mut factories, mut resources) = (0, 0);
        for area in held {
            factories += i32::from(state.factory(area));
            resources += i32::from(game.rules.areas[area.at()].resource);
        }
        row.int(held.len() as i32)
            .int(held.and(&victory_areas(game)).len() as i32)
            .int(factories)
            .int(resources);
        for arm in 0..3 {
            row.int(units[arm]).int(steps[arm]);
        }
        for lost in sum.lost {
            row.int(lost);
        }
        row.int(sum.points).int(sum.battles);
        sum.waste.cells(row);
    }
}

#[cfg(test)]
mod tests;
