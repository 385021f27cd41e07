//! Landings from the sea and jumps of paratroops.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Areas, Arm, Kind};
use sandtable_victory_in_europe::{Action, Force, Place, State, UnitId, VictoryInEurope};

use super::{Orders, Situation};
use crate::assessment::{RELIEF_LANDING, area_of};
use crate::map_tables::MapTables;
use crate::odds::{BattleSide, Block, expect};
use crate::strategy;

/// Steps an army needs to land where it is met.
const LANDING_STEPS: u8 = 3;

impl Orders {
    /// The infantry that could best go ashore, and what it leaves bare.
    fn best_invader(&self, situation: &Situation<'_>, force: Force, goal: Place) -> Option<(UnitId, f32)> {
        let &Situation { game, map_tables, assessment, state, .. } = situation;
        let seas = assessment.own_seas;
        let before = game.coast_seas(goal, 0) & seas;
        // Ports on the sea before the coast, or one sea further.
        let chain = (0..map_tables.links.len()).filter(|&zone| before >> zone & 1 != 0);
        let chain = chain.fold(before, |chain, zone| chain | map_tables.links[zone]) & seas;
        let ports = (0..map_tables.ports.len()).filter(|&zone| chain >> zone & 1 != 0);
        let ports = ports.fold(Areas::EMPTY, |ports, zone| ports.or(&map_tables.ports[zone]));
        let mut most: Option<(f32, UnitId, f32)> = None;
        for from in ports.and(&state.held[force.index()]) {
            if assessment.holds_alone(map_tables, from) {
                continue;
            }
            for unit in state.stack(from).filter(|&unit| game.kind(unit).is_infantry()) {
                if !self.may_move(game, state, unit)
                    || game.kind(unit) == Kind::Paratroop
                    || state.steps(unit) < LANDING_STEPS.min(game.max_steps(unit))
                        && !assessment.is_bare(goal)
                {
                    continue;
                }
                let there = assessment.own[from.at()];
                let power = assessment.block(game, state, unit).power();
                let leaves = assessment.cover(from, there) - assessment.cover(from, (there - power).max(0.0));
                let worth = 3.0 * power - leaves;
                if most.is_none_or(|most| worth > most.0) {
                    most = Some((worth, unit, leaves));
                }
            }
        }
        most.map(|(_, unit, leaves)| (unit, leaves))
    }

    /// The best landing on a coast, what it brings, and who makes it.
    pub(super) fn best_invasion(&self, situation: &Situation<'_>) -> Option<(f32, Place, Force)> {
        let &Situation { game, assessment, state, legal, .. } = situation;
        let mut most: Option<(f32, Place, Force)> = None;
        for &action in legal {
            let Action::Invade(area) = action else { continue };
            if self.tried.contains(area) {
                continue;
            }
            let Some(force) = Force::ALL.into_iter().find(|force| {
                force.bit() & state.movers != 0 && assessment.hostile[force.index()].contains(area)
            }) else {
                continue;
            };
            let Some((unit, leaves)) = self.best_invader(situation, force, area) else {
                continue;
            };
            let (win, lost) = self.landing_odds(situation, force, area, unit);
            let counter: f32 =
                game.adjacent(area).iter().map(|near| assessment.foe[near.at()]).sum::<f32>() * 0.6;
            let weights = &assessment.weights[force.index()];
            let gain = win * assessment.beachhead(game, force, area)
                - 1.5 * counter.min(6.0)
                - 0.5 * lost
                - leaves
                - weights.landing
                + if assessment.relieves { RELIEF_LANDING * assessment.room(game, force, area) } else { 0.0 };
            if win > strategy::landing_odds(state, force) && gain > most.map_or(0.0, |most| most.0) {
                most = Some((gain, area, force));
            }
        }
        most
    }

    /// Probability that a landing takes its goal, and the steps it is expected to cost: an infantry, with the leader, the
    /// paratroops, the aircraft and the ship that can join it (7.5).
    fn landing_odds(&self, situation: &Situation<'_>, force: Force, goal: Place, unit: UnitId) -> (f32, f32) {
        let &Situation { game, map_tables, assessment, state, .. } = situation;
        let mut defence = assessment.defenders(game, state, goal, force.team().other());
        if !state.held_by(force.team().other()).contains(goal) && defence.units == 0 {
            defence = assessment.neutral_defenders(game, state, goal);
        }
        if defence.steps == 0.0 {
            return (1.0, 0.0);
        }
        let mut host = BattleSide::default();
        let mut rounds = game.rules.charts.rounds;
        let later = |block: Block| Block { class: block.class + 1.0, ..block };
        host.add_army(later(assessment.block(game, state, unit)), 1.0);
        let from = area_of(state, unit);
        let aboard = |other: &UnitId| {
            game.kind(*other) == Kind::Leader
                && state.steps(*other) > 0
                && game.force(state, *other) == Some(force)
                && self.may_move(game, state, *other)
        };
        if let Some(leader) = from.and_then(|from| state.stack(from).find(aboard)) {
            host.add_army(later(assessment.block(game, state, leader)), 1.0);
            rounds += 1;
        }
        if let Some(jumper) = game.units_of(state, force).iter().find(|&jumper| {
            self.may_move(game, state, jumper) && may_jump(game, map_tables, state, jumper, goal)
        }) {
            host.add_army(assessment.block(game, state, jumper), 1.0);
        }
        if let Some((_, block)) = self.support(situation, force, goal, false) {
            host.add_support(block);
        }
        let ship = game
            .units_of(state, force)
            .iter()
            .filter(|&ship| {
                game.arm(ship) == Arm::Naval
                    && state
                        .location(ship)
                        .sea_zone()
                        .is_some_and(|zone| map_tables.shores[zone as usize].contains(goal))
            })
            .map(|ship| assessment.block(game, state, ship))
            .filter(|block| block.fire > 0.0)
            .max_by(|a, b| a.power().total_cmp(&b.power()));
        if let Some(block) = ship {
            host.add_support(block);
        }
        let expected = expect(&host, &defence, rounds);
        (expected.win, expected.attacker_loses)
    }

    /// Paratroops that can join a battle that has been opened.
    pub(super) fn best_jump(&self, situation: &Situation<'_>) -> Option<(UnitId, Place)> {
        let &Situation { game, map_tables, assessment, state, legal } = situation;
        let mut most = (0.0, None);
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            if game.kind(unit) != Kind::Paratroop || self.asked[unit.at()] || state.steps(unit) < 2 {
                continue;
            }
            let Some(force) = game.force(state, unit) else { continue };
            for goal in state.attacked[force.team().index()].and(&assessment.hostile[force.index()]) {
                let worth = assessment.worth[goal.at()];
                if worth > most.0 && may_jump(game, map_tables, state, unit, goal) {
                    most = (worth, Some((unit, goal)));
                }
            }
        }
        most.1
    }
}

/// Whether paratroops may reach a battle: over one place at most (2.6).
pub(super) fn may_jump(
    game: &VictoryInEurope,
    map_tables: &MapTables,
    state: &State,
    unit: UnitId,
    goal: Place,
) -> bool {
    let Some(from) = area_of(state, unit).filter(|_| game.kind(unit) == Kind::Paratroop) else {
        return false;
    };
    let near = &map_tables.neighbours[from.at()];
    near.contains(goal)
        || near.intersects(&map_tables.neighbours[goal.at()])
        || game.coast_seas(from, 0) & game.coast_seas(goal, 0) != 0
}
