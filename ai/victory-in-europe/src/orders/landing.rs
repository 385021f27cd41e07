//! Landings from the sea and jumps of paratroops.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Areas, Arm, Kind};
use sandtable_victory_in_europe::{Action, Force, Place, State, UnitId, VictoryInEurope};

use super::offensive::expected_defence;
use super::{Orders, Situation};
use crate::assessment::{RELIEF_LANDING, area_of};
use crate::map_tables::MapTables;
use crate::odds::{BattleSide, Block, expect};
use crate::strategy;

/// Steps an army needs to land where it is met.
const LANDING_STEPS: u8 = 3;
/// What a leader in a port is worth to who sets out from there: he orders a further round (5.61).
const LEADER_ABOARD: f32 = 2.0;

/// A landing that is worth its price.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Landing {
    pub(super) gain: f32,
    pub(super) goal: Place,
    pub(super) force: Force,
    /// The infantry that goes ashore.
    invader: UnitId,
}

impl Orders {
    /// The landing is made: by the infantry it was planned with, and with the aircraft and the ship that were counted on.
    pub(super) fn launch(&mut self, situation: &Situation<'_>, landing: Landing) -> Action {
        let Landing { goal, force, invader, .. } = landing;
        self.tried.insert(goal);
        self.invader = invader;
        if expected_defence(situation, force, goal).steps > 0.0 {
            let aircraft = self.support(situation, force, goal, false);
            let ship = self.gunfire(situation, force, goal);
            for (unit, _) in [aircraft, ship].into_iter().flatten() {
                self.send(unit, goal, Place::NONE);
            }
        }
        Action::Invade(goal)
    }

    /// The infantry that a landing was planned with goes ashore.
    pub(crate) fn board(&mut self, state: &State, legal: &[Action]) -> Option<Action> {
        self.start(state);
        Some(Action::Join(self.invader)).filter(|join| legal.contains(join))
    }

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
        let is_met = assessment.foes.contains(goal);
        let mut most: Option<(f32, UnitId, f32)> = None;
        for from in ports.and(&state.held[force.index()]) {
            if assessment.holds_alone(map_tables, from) {
                continue;
            }
            let led = if is_met && self.leader_aboard(situation, force, from).is_some() {
                LEADER_ABOARD
            } else {
                0.0
            };
            for unit in state.stack(from).filter(|&unit| game.kind(unit).is_infantry()) {
                if !self.may_move(game, state, unit)
                    || game.kind(unit) == Kind::Paratroop
                    || is_met && state.steps(unit) < LANDING_STEPS.min(game.max_steps(unit))
                {
                    continue;
                }
                let there = assessment.own[from.at()];
                let power = assessment.block(game, state, unit).power();
                let leaves = assessment.cover(from, there) - assessment.cover(from, (there - power).max(0.0));
                let worth = 3.0 * power + led - leaves;
                if most.is_none_or(|most| worth > most.0) {
                    most = Some((worth, unit, leaves));
                }
            }
        }
        most.map(|(_, unit, leaves)| (unit, leaves))
    }

    /// The leader who goes ashore with an infantry from a port.
    fn leader_aboard(&self, situation: &Situation<'_>, force: Force, from: Place) -> Option<UnitId> {
        let &Situation { game, state, .. } = situation;
        state.stack(from).find(|&unit| {
            game.kind(unit) == Kind::Leader
                && state.steps(unit) > 0
                && game.force(state, unit) == Some(force)
                && self.may_move(game, state, unit)
        })
    }

    /// The best landing on a coast.
    pub(super) fn best_invasion(&self, situation: &Situation<'_>) -> Option<Landing> {
        let &Situation { game, assessment, state, legal, .. } = situation;
        let mut most: Option<Landing> = None;
        for &action in legal {
            let Action::Invade(goal) = action else { continue };
            if self.tried.contains(goal) {
                continue;
            }
            let Some(force) = Force::ALL.into_iter().find(|force| {
                force.bit() & state.movers != 0 && assessment.hostile[force.index()].contains(goal)
            }) else {
                continue;
            };
            let Some((invader, leaves)) = self.best_invader(situation, force, goal) else {
                continue;
            };
            let (win, lost) = self.landing_odds(situation, force, goal, invader);
            let counter: f32 =
                game.adjacent(goal).iter().map(|near| assessment.foe[near.at()]).sum::<f32>() * 0.6;
            let weights = &assessment.weights[force.index()];
            let relief = if assessment.relieves && force == Force::Western {
                RELIEF_LANDING * assessment.room(game, force, goal)
            } else {
                0.0
            };
            let gain = win * assessment.beachhead(game, state, force, goal)
                - 1.5 * counter.min(6.0)
                - 0.5 * lost
                - leaves
                - weights.landing
                + relief;
            if win > strategy::landing_odds(state, force) && gain > most.map_or(0.0, |most| most.gain) {
                most = Some(Landing { gain, goal, force, invader });
            }
        }
        most
    }

    /// Probability that a landing takes its goal, and the steps it is expected to cost: an infantry, with the leader, the
    /// paratroops, the aircraft and the ship that can join it (7.5).
    fn landing_odds(&self, situation: &Situation<'_>, force: Force, goal: Place, unit: UnitId) -> (f32, f32) {
        let &Situation { game, map_tables, assessment, state, .. } = situation;
        let defence = expected_defence(situation, force, goal);
        if defence.steps == 0.0 {
            return (1.0, 0.0);
        }
        let mut host = BattleSide::default();
        let mut rounds = game.rules.charts.rounds;
        let later = |block: Block| Block { class: block.class + 1.0, ..block };
        host.add_army(later(assessment.block(game, state, unit)), 1.0);
        if let Some(leader) = area_of(state, unit).and_then(|from| self.leader_aboard(situation, force, from))
        {
            host.add_army(later(assessment.block(game, state, leader)), 1.0);
            rounds += 1;
        }
        if let Some(jumper) = game.units_of(state, force).iter().find(|&jumper| {
            self.may_move(game, state, jumper) && may_jump(game, map_tables, state, jumper, goal)
        }) {
            host.add_army(assessment.block(game, state, jumper), 1.0);
        }
        let aircraft = self.support(situation, force, goal, false);
        let ship = self.gunfire(situation, force, goal);
        for (_, block) in [aircraft, ship].into_iter().flatten() {
            host.add_support(block);
        }
        let expected = expect(&host, &defence, rounds);
        (expected.win, expected.attacker_loses)
    }

    /// The ship that supports a landing best: one before the coast, but for the one that holds the sea for it.
    fn gunfire(&self, situation: &Situation<'_>, force: Force, goal: Place) -> Option<(UnitId, Block)> {
        let &Situation { game, map_tables, assessment, state, .. } = situation;
        let is_ship =
            |ship: &UnitId| game.arm(*ship) == Arm::Naval && game.force(state, *ship) == Some(force);
        let zones = (0..map_tables.shores.len() as u8)
            .filter(|&zone| map_tables.shores[usize::from(zone)].contains(goal));
        zones
            .flat_map(|zone| state.stack(Place::sea(zone)).filter(is_ship).skip(1))
            .filter(|&ship| self.may_move(game, state, ship))
            .map(|ship| (ship, assessment.block(game, state, ship)))
            .filter(|(_, block)| block.fire > 0.0)
            .max_by(|(_, a), (_, b)| a.power().total_cmp(&b.power()))
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
