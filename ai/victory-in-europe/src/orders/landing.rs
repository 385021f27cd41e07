//! Landings from the sea and jumps of paratroops.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Areas, Arm, Kind, Target};
use sandtable_victory_in_europe::{Action, Force, Nation, Place, State, UnitId, VictoryInEurope};

use super::offensive::expected_defence;
use super::{Orders, Situation};
use crate::assessment::{RELIEF_LANDING, area_of, fire};
use crate::map_tables::MapTables;
use crate::odds::{BattleSide, Block, expect};
use crate::strategy;

/// Steps an army needs to land where it is met.
const LANDING_STEPS: u8 = 3;
/// What a leader in a port is worth to who sets out from there: he orders a further round (5.61).
const LEADER_ABOARD: f32 = 2.0;
/// Least probability that who has landed stays ashore, and the price of a step that is driven back into the sea.
const STAYS: f32 = 0.4;
const DRIVEN_BACK: f32 = 0.3;
/// Share of the counterattacks that could be made that are: the enemy has other uses of his command.
const COUNTERED: f32 = 0.7;
/// What it costs to land elsewhere while a beachhead waits for who is to follow.
const SCATTERED: f32 = 6.0;
/// Armies that counterattack together at most, and areas from which they come.
const COUNTER_ARMIES: usize = 3;
const COUNTER_REACH: usize = 2;

/// What is expected of a landing: the probability that it takes its goal, the steps that costs, and the probability that who has
/// landed is there a turn later.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Fight {
    win: f32,
    lost: f32,
    stays: f32,
}

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
        if situation.assessment.foes.contains(goal) || expected_defence(situation, force, goal).steps > 0.0 {
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
            if assessment.holds_alone(map_tables, from)
                || assessment.is_beachhead(game, map_tables, force, from)
            {
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
            let Fight { win, lost, stays } = self.landing_odds(situation, force, goal, invader);
            let weights = &assessment.weights[force.index()];
            let relief = if assessment.relieves && force == Force::Western {
                RELIEF_LANDING * assessment.room(game, force, goal)
            } else {
                0.0
            };
            // A second front is owed whatever it costs.
            let is_owed = is_second_front(situation, goal);
            let gain = win * stays * assessment.beachhead(game, state, force, goal)
                - 0.5 * lost
                - DRIVEN_BACK * (1.0 - stays) * f32::from(state.steps(invader))
                - leaves
                - weights.landing
                - scatters(situation, force, goal)
                + relief;
            if win > strategy::landing_odds(state, force)
                && (stays > STAYS || is_owed)
                && gain > most.map_or(0.0, |most| most.gain)
            {
                most = Some(Landing { gain, goal, force, invader });
            }
        }
        most
    }

    /// Probability that a landing takes its goal, and the steps it is expected to cost: an infantry, with the leader, the
    /// paratroops, the aircraft and the ship that can join it (7.5).
    fn landing_odds(&self, situation: &Situation<'_>, force: Force, goal: Place, unit: UnitId) -> Fight {
        let &Situation { game, map_tables, assessment, state, .. } = situation;
        let defence = expected_defence(situation, force, goal);
        let mut host = BattleSide::default();
        let mut rounds = game.rules.charts.rounds;
        let later = |block: Block| Block { class: block.class + 1.0, ..block };
        let leader = area_of(state, unit).and_then(|from| self.leader_aboard(situation, force, from));
        for invader in [Some(unit), leader].into_iter().flatten() {
            host.add_army(later(assessment.block(game, state, invader)), 1.0);
        }
        rounds += u8::from(leader.is_some());
        let jumper = game.units_of(state, force).iter().find(|&jumper| {
            self.may_move(game, state, jumper) && may_jump(game, map_tables, state, jumper, goal)
        });
        if let Some(jumper) = jumper {
            host.add_army(assessment.block(game, state, jumper), 1.0);
        }
        // Ashore they defend themselves as anybody else would there.
        let landed = [Some(unit), leader, jumper].into_iter().flatten();
        let ashore = assessment.battle_side(game, state, (goal, true), landed);
        let (mut win, mut lost) = (1.0, 0.0);
        let barriers = barriers(situation, force, goal);
        if defence.steps + barriers.steps > 0.0 {
            let aircraft = self.support(situation, force, goal, false);
            let ship = self.gunfire(situation, force, goal);
            let mut fleet = BattleSide::default();
            for (unit, block) in [aircraft, ship].into_iter().flatten() {
                host.add_support(block);
                fleet.add_army(Block { fire: f32::from(fire(game, unit, Target::Surface)), ..block }, 1.0);
            }
            if barriers.steps > 0.0 {
                // Nobody is ashore before the last ship is sunk, and who fights there then has a round less.
                let at_sea = if defence.steps > 0.0 { 1 } else { rounds };
                // Until then they are a target for the ships.
                let mut afloat = 0.0;
                for invader in [Some(unit), leader].into_iter().flatten() {
                    let block = Block { fire: 0.0, ..assessment.block(game, state, invader) };
                    fleet.add_army(block, 1.0);
                    afloat += block.steps;
                }
                let at_sea = expect(&fleet, &barriers, at_sea);
                (win, lost) = (at_sea.win, at_sea.attacker_loses * afloat / fleet.steps.max(1.0));
                rounds -= u8::from(defence.steps > 0.0);
            }
            if defence.steps > 0.0 {
                let expected = expect(&host, &defence, rounds);
                (win, lost) = (win * expected.win, lost + expected.attacker_loses);
            }
        }
        let left = ((ashore.steps - lost) / ashore.steps.max(1.0)).max(0.2);
        let counter = counterattack(situation, force, goal);
        let stays = 1.0 - COUNTERED * expect(&counter, &ashore.scaled(left), game.rules.charts.rounds).win;
        Fight { win, lost, stays }
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

/// Whether an area is in France or where an aim of the war is near, and the time for a second front there has come.
fn is_second_front(situation: &Situation<'_>, area: Place) -> bool {
    let &Situation { game, assessment, .. } = situation;
    assessment.second_front
        && (assessment.landing_aims.contains(area) || game.home(Nation::France).contains(area))
}

/// What it costs that a landing would be made away from a beachhead that has room for who is to follow; but a second
/// front waits for no beachhead elsewhere.
fn scatters(situation: &Situation<'_>, force: Force, goal: Place) -> f32 {
    let &Situation { game, map_tables, assessment, state, .. } = situation;
    let near = map_tables.neighbours[goal.at()];
    let owed = is_second_front(situation, goal);
    let weak = |area: Place| {
        (!owed || is_second_front(situation, area))
            && assessment.is_beachhead(game, map_tables, force, area)
            && assessment.own_units[area.at()] < game.rules.areas[area.at()].stack
            && !near.contains(area)
    };
    if state.held[force.index()].iter().any(weak) { SCATTERED } else { 0.0 }
}

/// Enemy ships in a port of an area before which ships of one's own lie: they keep who would land there at sea.
fn barriers(situation: &Situation<'_>, force: Force, goal: Place) -> BattleSide {
    let &Situation { game, assessment, state, .. } = situation;
    let mut ships = BattleSide::default();
    for unit in game.units_at(state, goal, force.team().other()) {
        let seas = game.coast_seas(goal, state.coast(unit));
        if game.arm(unit) == Arm::Naval && seas & assessment.own_seas != 0 {
            // In a naval base submarines are harder to hit (7.5); which ship is one is not told by its back.
            let shelters =
                game.has_base(goal, state.coast(unit)) && assessment.is_submarine(game, state, unit);
            // One that shelters does not fire (7.33).
            let (fire, hits) = if shelters { (0.0, 2.0) } else { (1.0, 1.0) };
            ships.add_army(Block { fire, ..assessment.block(game, state, unit) }, hits);
        }
    }
    ships
}

/// The strongest armies with which the enemy could attack who has landed in an area before the next can follow: from two areas
/// around, through his own ground, as many as the ground and the borders let in.
fn counterattack(situation: &Situation<'_>, force: Force, goal: Place) -> BattleSide {
    let &Situation { game, map_tables, assessment, state, .. } = situation;
    let passable = state.held_by(force.team().other());
    let mut strongest = [Block::default(); COUNTER_ARMIES];
    let (mut seen, mut ring, mut ways) = (Areas::one(goal), Areas::one(goal), 0);
    for _ in 0..COUNTER_REACH {
        ring = ring.neighbours(&map_tables.neighbours).difference(&seen).and(&passable);
        seen = seen.or(&ring);
        for area in ring {
            if map_tables.neighbours[goal.at()].contains(area) {
                ways += game.border_limit(state, area, goal);
            }
            let armies = game.units_at(state, area, force.team().other());
            for unit in
                armies.filter(|&unit| game.arm(unit) == Arm::Army && game.kind(unit) != Kind::Fortress)
            {
                let block = assessment.block(game, state, unit);
                let weaker = |other: &Block| other.power() < block.power();
                if let Some(rank) = strongest.iter().position(weaker) {
                    strongest[rank..].rotate_right(1);
                    strongest[rank] = block;
                }
            }
        }
    }
    let most = usize::from(ways.min(game.rules.areas[goal.at()].stack));
    let mut host = BattleSide::default();
    for block in strongest.into_iter().take(most).filter(|block| block.steps > 0.0) {
        host.add_army(block, 1.0);
    }
    host
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
