//! Attacks by land: which battle to open with whom, and which to reinforce.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Areas, Arm, BorderKind, Kind};
use sandtable_victory_in_europe::{Force, Nation, Place, State, UnitId, VictoryInEurope};

use super::{Orders, POINTS, Situation};
use crate::assessment::{LAST_CHANCE, area_of, is_reserved};
use crate::odds::{BattleSide, Block, Expectation, expect};

/// Most units that are weighed for one battle.
const CANDIDATES: usize = 24;
/// Factor on the least probability of victory where the war is decided.
const BOLD: f32 = 0.65;
/// Probability of victory from which on nobody else joins.
const ENOUGH: f32 = 0.93;
/// Armies with which Berlin is worn down, and steps it must lose for each that the attacker has to replace.
const ASSAULT: usize = 3;
const WEAR: f32 = 0.8;
/// The same of all other ground, once it is time for a second front, for Allies who replace all they lose: 1.6 steps for each, for
/// their steps count least ([`Assessment::replaces_all`]).
const WEAR_ELSEWHERE: f32 = 3.0;
/// Share of the further round of a leader that is counted on, and of the reserve next to a battle.
const LEADER_ROUND: f32 = 0.4;
const RESERVE: f32 = 0.4;

/// A unit that could join a battle.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Candidate {
    unit: UnitId,
    /// The neighbour of the battle over whose border it comes.
    entry: Place,
    /// All neighbours of the battle from which it could.
    entries: Areas,
    block: Block,
    /// What its old place loses.
    leaves: f32,
}

/// A battle that is worth opening.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Offensive {
    pub(super) goal: Place,
    pub(super) gain: f32,
    pub(super) units: [(UnitId, Place); CANDIDATES],
    pub(super) count: usize,
}

impl Offensive {
    /// Nobody goes to this goal yet.
    fn at(goal: Place) -> Offensive {
        Offensive {
            goal,
            gain: f32::NEG_INFINITY,
            units: [(UnitId::NONE, Place::NONE); CANDIDATES],
            count: 0,
        }
    }

    /// Whether it is the last attack on Berlin.
    pub(super) fn is_last_storm(&self) -> bool {
        self.gain >= LAST_CHANCE
    }

    /// Units on the list that stand in an area.
    fn from<'a>(&'a self, state: &'a State, area: Place) -> impl Iterator<Item = UnitId> + 'a {
        self.units[..self.count]
            .iter()
            .map(|(unit, _)| *unit)
            .filter(move |&unit| state.location(unit) == area)
    }

    /// A unit goes too, over the border from `entry`, if there is room on the list.
    fn add(&mut self, unit: UnitId, entry: Place) -> bool {
        let has_room = self.count < CANDIDATES;
        if has_room {
            self.units[self.count] = (unit, entry);
            self.count += 1;
        }
        has_room
    }
}

/// Armies that attack together.
struct Attack {
    plan: Offensive,
    side: BattleSide,
    /// What their old places lose.
    leaves: f32,
    /// All of them come across straits (1.7).
    straits: bool,
}

impl Orders {
    /// The attack or reinforcement that brings most, of any force that moves.
    pub(super) fn best_offensive(&self, situation: &Situation<'_>) -> Option<Offensive> {
        let &Situation { game, assessment, state, .. } = situation;
        let mut most: Option<Offensive> = None;
        for force in Force::ALL.into_iter().filter(|force| force.bit() & state.movers != 0) {
            if state.command_of(force) < game.rules.charts.battle_cm {
                continue;
            }
            let mut reaches = [(UnitId::NONE, [Areas::EMPTY; POINTS]); 96];
            let mut count = 0;
            for unit in game.unit_ids() {
                if count < reaches.len()
                    && game.force(state, unit) == Some(force)
                    && game.arm(unit) == Arm::Army
                    && self.may_move(game, state, unit)
                    && area_of(state, unit).is_some_and(|area| !state.disputed().contains(area))
                {
                    reaches[count] = (unit, self.reach(game, state, force, unit));
                    count += 1;
                }
            }
            let pressed = state.attacked[force.team().other().index()].and(&state.held[force.index()]);
            for goal in pressed.difference(&self.tried) {
                if let Some(plan) = self.relief(situation, force, goal, &reaches[..count])
                    && most.is_none_or(|most| plan.gain > most.gain)
                {
                    most = Some(plan);
                }
            }
            let goals =
                assessment.hostile[force.index()].difference(&state.disputed()).difference(&self.tried);
            for goal in goals {
                let enemy = state.held_by(force.team().other()).contains(goal);
                let defended = assessment.foes.contains(goal) || !enemy && !is_open(game, state, force, goal);
                if !defended {
                    continue;
                }
                if let Some(plan) = self.plan(situation, force, goal, &reaches[..count])
                    && most.is_none_or(|most| plan.gain > most.gain)
                {
                    most = Some(plan);
                }
            }
        }
        most
    }

    /// The best way to attack an area, if it is worth it.
    fn plan(
        &self,
        situation: &Situation<'_>,
        force: Force,
        goal: Place,
        reaches: &[(UnitId, [Areas; POINTS])],
    ) -> Option<Offensive> {
        let &Situation { game, map_tables, assessment, state, .. } = situation;
        let winter = game.winter_at(state, goal);
        let mut candidates = [None::<Candidate>; CANDIDATES];
        let count = candidates_for(situation, goal, reaches, &mut candidates);
        let candidates = &candidates[..count];
        let defence = expected_defence(situation, force, goal);
        let mut rounds = game.rules.charts.rounds;
        let mut attack = gather(situation, goal, candidates, &defence, rounds);
        let plan = &mut attack.plan;
        if plan.count == 0 {
            return None;
        }
        if attack.straits {
            rounds = game.rules.charts.strait_rounds;
        }
        let leader = candidates
            .iter()
            .flatten()
            .find(|candidate| game.kind(candidate.unit) == Kind::Leader && candidate.block.steps >= 1.0);
        let is_led = leader.is_some_and(|leader| plan.add(leader.unit, leader.entry));
        if let Some((unit, block)) = self.support(situation, force, goal, winter)
            && plan.add(unit, Place::NONE)
        {
            attack.side.add_support(block);
        }
        let mut odds = expect(&attack.side, &defence, rounds);
        if is_led {
            // He orders a further round only where it pays.
            odds.win += LEADER_ROUND * (expect(&attack.side, &defence, rounds + 1).win - odds.win);
        }
        let weights = &assessment.weights[force.index()];
        plan.gain = odds.win * assessment.prize(force, goal) + weights.kill * odds.defender_loses
            - weights.loss * assessment.scarcity[force.index()] * odds.attacker_loses
                / assessment.confidence[force.index()]
            - weights.expose * attack.leaves * (1.0 - 0.5 * odds.win);
        // What decides the war is worth more than one attempt.
        let least = weights.odds
            * if map_tables.vital.contains(goal) { BOLD } else { 1.0 }
            * assessment.caution(force, goal);
        let pays = odds.win >= least || wears_down(situation, force, plan, &odds);
        let pays = pays && plan.gain >= weights.gain;
        let is_last = assessment.is_last_chance(game, goal);
        if is_last {
            // Nothing else counts at the end (9.3).
            plan.gain = plan.gain.max(0.0) + LAST_CHANCE;
        }
        (pays || is_last).then_some(attack.plan)
    }

    /// Reinforcements for an area under attack, if they are worth it (4.4).
    fn relief(
        &self,
        situation: &Situation<'_>,
        force: Force,
        goal: Place,
        reaches: &[(UnitId, [Areas; POINTS])],
    ) -> Option<Offensive> {
        let &Situation { game, map_tables, assessment, state, .. } = situation;
        let near = map_tables.neighbours[goal.at()];
        let team = force.team();
        let attackers = game.units_at(state, goal, team.other());
        let attack = assessment.battle_side(game, state, (goal, false), attackers);
        let mut defence = assessment.defenders(game, state, goal, team);
        let rounds = game.rules.charts.rounds + 1;
        let before = expect(&attack, &defence, rounds);
        let mut room = game.rules.areas[goal.at()].stack.saturating_sub(assessment.own_units[goal.at()]);
        let mut plan = Offensive::at(goal);
        let mut used = [0u8; 16];
        let mut leaves = 0.0;
        for (unit, reach) in reaches {
            let Some(entry) = reach.iter().find_map(|areas| areas.and(&near).first()) else { continue };
            let block = assessment.block(game, state, *unit);
            let slot = near.iter().position(|area| area == entry).unwrap_or(0) % 16;
            let fills = game.kind(*unit) != Kind::Leader;
            if !fills
                || room == 0
                || block.steps < 2.0
                || used[slot] >= game.border_limit(state, entry, goal)
                || plan.count == CANDIDATES
            {
                continue;
            }
            let from = state.location(*unit).at();
            let there = assessment.own[from];
            let left = assessment.cover(Place::nth(from), there)
                - assessment.cover(Place::nth(from), (there - block.power()).max(0.0));
            let gone = plan.from(state, state.location(*unit)).count() as u8;
            if left > 0.5 * assessment.worth[goal.at()]
                || assessment.would_be_open(map_tables, state.location(*unit), gone + 1)
            {
                continue;
            }
            leaves += left;
            used[slot] += 1;
            room -= 1;
            defence.add_army(block, 1.0);
            plan.units[plan.count] = (*unit, entry);
            plan.count += 1;
        }
        if plan.count == 0 {
            return None;
        }
        let after = expect(&attack, &defence, rounds);
        let weights = &assessment.weights[force.index()];
        plan.gain = (before.win - after.win) * (assessment.held(goal) + 5.0)
            + weights.kill * (after.attacker_loses - before.attacker_loses)
            - weights.loss * (after.defender_loses - before.defender_loses)
            - 0.5 * leaves;
        (plan.gain >= weights.gain).then_some(plan)
    }

    /// The best aircraft that can help in a battle.
    pub(super) fn support(
        &self,
        situation: &Situation<'_>,
        force: Force,
        goal: Place,
        winter: bool,
    ) -> Option<(UnitId, Block)> {
        let &Situation { game, assessment, state, .. } = situation;
        let mut most: Option<(UnitId, Block)> = None;
        let coast = game.coast_seas(goal, 0);
        // Where enemy aircraft are, fighters fire at armies with what is left (5.4).
        let is_contested =
            game.units_at(state, goal, force.team().other()).any(|other| game.arm(other) == Arm::Air);
        for unit in game.unit_ids() {
            if game.arm(unit) != Arm::Air
                || game.force(state, unit) != Some(force)
                || !self.may_move(game, state, unit)
            {
                continue;
            }
            if area_of(state, unit).is_none() {
                continue;
            }
            // The last step may lead into a country that is neutral until then.
            let (lands, seas) = game.air_reach(state, unit, game.unit_type(unit).moves.saturating_sub(1));
            let reaches = lands.contains(goal) || lands.intersects(game.adjacent(goal)) || seas & coast != 0;
            let mut block = assessment.block(game, state, unit);
            let escorts = game.kind(unit) == Kind::Fighter && is_contested;
            if escorts {
                block.fire = (block.fire - 1.0).max(0.0);
            }
            if winter {
                // What fires second does not fire at all (3.42).
                block.fire = if escorts { 0.0 } else { block.fire.min(1.0) };
            }
            if reaches && most.is_none_or(|(_, best)| block.power() > best.power()) && block.power() > 0.0 {
                most = Some((unit, block));
            }
        }
        most
    }
}

/// Whether a battle that will hardly be won is fought for what it costs the defender: Berlin holds against any one assault, but its
/// garrison replaces no more than a step an army and turn, and falls to the next (11.4). So is any other ground by Allies who
/// replace whatever they lose, once the time for a second front has come, if it costs the defender more.
fn wears_down(situation: &Situation<'_>, force: Force, plan: &Offensive, odds: &Expectation) -> bool {
    let &Situation { game, assessment, .. } = situation;
    let least = if plan.goal == game.rules.victory.last {
        WEAR
    } else if force != Force::Axis && assessment.second_front && assessment.replaces_all(force) {
        WEAR_ELSEWHERE
    } else {
        return false;
    };
    let fights = |unit: UnitId| game.kind(unit).is_infantry() || game.kind(unit) == Kind::Panzer;
    let armies = plan.units[..plan.count].iter().filter(|(unit, _)| fights(*unit)).count();
    // Who can replace what he loses may lose more than he costs.
    let price = odds.attacker_loses * assessment.scarcity[force.index()].sqrt();
    armies >= ASSAULT && odds.defender_loses >= least * price
}

/// Armies that can attack an area, the strongest first, and how many they are.
fn candidates_for(
    situation: &Situation<'_>,
    goal: Place,
    reaches: &[(UnitId, [Areas; POINTS])],
    candidates: &mut [Option<Candidate>; CANDIDATES],
) -> usize {
    let &Situation { game, map_tables, assessment, state, .. } = situation;
    let near = map_tables.neighbours[goal.at()];
    let winter = game.winter_at(state, goal);
    let mut count = 0;
    for (unit, reach) in reaches {
        let Some(entry) = reach.iter().find_map(|areas| areas.and(&near).first()) else { continue };
        let from = state.location(*unit);
        if winter && from != entry
            || count == CANDIDATES
            || assessment.holds_alone(map_tables, from) && game.kind(*unit) != Kind::Leader
        {
            continue;
        }
        let mut block = assessment.block(game, state, *unit);
        if winter {
            block.fire = block.fire.min(1.0);
        }
        let there = assessment.own[from.at()];
        let power = block.power();
        let leaves = assessment.cover(from, there) - assessment.cover(from, (there - power).max(0.0));
        let entries = if winter {
            Areas::one(entry)
        } else {
            reach.iter().fold(Areas::EMPTY, |all, areas| all.or(&areas.and(&near)))
        };
        candidates[count] = Some(Candidate { unit: *unit, entry, entries, block, leaves });
        count += 1;
    }
    let worth = |candidate: &Option<Candidate>| {
        candidate.map_or(0.0, |candidate| candidate.block.power() - 0.1 * candidate.leaves)
    };
    // Equal ones stay in the order of their units.
    let unit = |candidate: &Option<Candidate>| candidate.map_or(UnitId::NONE, |candidate| candidate.unit);
    candidates[..count].sort_unstable_by(|a, b| worth(b).total_cmp(&worth(a)).then(unit(a).cmp(&unit(b))));
    count
}

/// Who is expected to defend an area: those who stand there, those whom an attacked neutral calls up, and a reserve.
pub(super) fn expected_defence(situation: &Situation<'_>, force: Force, goal: Place) -> BattleSide {
    let &Situation { game, assessment, state, .. } = situation;
    let other = force.team().other();
    let mut defence = assessment.defenders(game, state, goal, other);
    let is_neutral = !state.held_by(other).contains(goal);
    if is_neutral && defence.units == 0 {
        defence = assessment.neutral_defenders(game, state, goal);
    }
    if let Some(reserve) = reserve(situation, force, goal) {
        defence.add_army(reserve, 1.0);
    }
    defence
}

/// The strongest candidates, within stacking and border limits, until victory is as good as certain.
fn gather(
    situation: &Situation<'_>,
    goal: Place,
    candidates: &[Option<Candidate>],
    defence: &BattleSide,
    rounds: u8,
) -> Attack {
    let &Situation { game, map_tables, assessment, state, .. } = situation;
    let near = map_tables.neighbours[goal.at()];
    let stack = game.rules.areas[goal.at()].stack;
    let decides = goal == game.rules.victory.last;
    let mut used = [0u8; 16];
    let mut attack =
        Attack { plan: Offensive::at(goal), side: BattleSide::default(), leaves: 0.0, straits: true };
    let mut odds = expect(&attack.side, defence, rounds);
    let mut armies = 0;
    for candidate in candidates.iter().flatten() {
        if game.kind(candidate.unit) == Kind::Leader || candidate.block.steps < 1.0 {
            continue;
        }
        let slot = |entry: Place| near.iter().position(|area| area == entry).unwrap_or(0) % 16;
        let is_free = |entry: &Place| used[slot(*entry)] < game.border_limit(state, *entry, goal);
        // Who finds the shortest way taken goes round to another border, where the war is decided.
        let others = if decides { candidate.entries } else { Areas::EMPTY };
        let entry = Some(candidate.entry).filter(is_free).or_else(|| others.iter().find(is_free));
        let Some(entry) = entry.filter(|_| armies < stack && odds.win <= ENOUGH) else {
            continue;
        };
        let from = state.location(candidate.unit);
        let gone = attack.plan.from(state, from).count() as u8;
        if assessment.would_be_open(map_tables, from, gone + 1) {
            continue;
        }
        used[slot(entry)] += 1;
        armies += 1;
        attack.straits &=
            game.border(entry, goal).is_some_and(|(_, border)| border.kind == BorderKind::Strait);
        attack.side.add_army(candidate.block, 1.0);
        // With each one that goes those who stay are weaker.
        let gone: f32 =
            attack.plan.from(state, from).map(|unit| assessment.block(game, state, unit).power()).sum();
        let there = assessment.own[from.at()] - gone;
        let power = assessment.block(game, state, candidate.unit).power();
        attack.leaves += assessment.cover(from, there) - assessment.cover(from, (there - power).max(0.0));
        attack.plan.add(candidate.unit, entry);
        odds = expect(&attack.side, defence, rounds);
    }
    attack
}

/// What the defender of an area is expected to bring up after the attack has been seen: only who moves second can (4.4).
fn reserve(situation: &Situation<'_>, force: Force, goal: Place) -> Option<Block> {
    let &Situation { game, map_tables, assessment, state, .. } = situation;
    let team = force.team();
    if state.first != team || assessment.foe_units[goal.at()] >= game.rules.areas[goal.at()].stack {
        return None;
    }
    let free = map_tables.neighbours[goal.at()].difference(&state.attacked[team.index()]);
    let most = free
        .iter()
        .filter(|&area| assessment.foe_units[area.at()] > 1 && game.border_limit(state, area, goal) > 0)
        .map(|area| assessment.foe[area.at()] / f32::from(assessment.foe_units[area.at()]))
        .fold(0.0, f32::max);
    // He has not the command for all his battles.
    let steps = RESERVE * 3.0 * most;
    (steps > 0.0).then_some(Block { steps, fire: 2.0, class: 3.0 })
}

/// Whether a neutral area has nobody who would defend it.
pub(super) fn is_open(game: &VictoryInEurope, state: &State, force: Force, area: Place) -> bool {
    state.controller(area) == Nation::Sphere || is_reserved(game, state, force, area)
}

#[cfg(test)]
mod tests {
    use sandtable_victory_in_europe::editor::Editor;

    use super::*;
    use crate::assessment::Assessment;
    use crate::map_tables::MapTables;
    use crate::weights::Weights;

    #[test]
    fn who_replaces_all_losses_wears_down_a_garrison_that_one_blow_does_not_take() {
        let scenario =
            sandtable_scenarios_victory_in_europe::open("victory-in-europe/bagration-1944", &[]).unwrap();
        let game = VictoryInEurope::new(scenario.into_rules()).unwrap();
        let tanks = ["su_tk_t34_1", "su_tk_t34_2", "su_tk_t34_3"];
        let wears = |guards: u8, (attackers, kills): (usize, f32)| {
            let mut editor = Editor::new(&game);
            editor.clear().turn(22);
            for tank in tanks {
                editor.place(tank, "warsaw", 3);
            }
            for guard in ["su_guard_1", "su_guard_2", "su_guard_3", "su_guard_4"] {
                editor.place(guard, "moscow", guards);
            }
            let (state, map_tables) = (editor.finish(), MapTables::new(&game));
            let mut assessment = Assessment::new(&Weights::all());
            assessment.refresh(&game, &map_tables, &state, Force::Soviet);
            let mut plan = Offensive::at(game.place("konigsberg").unwrap());
            for tank in &tanks[..attackers] {
                plan.add(game.unit(tank).unwrap(), game.place("warsaw").unwrap());
            }
            let situation = Situation {
                game: &game,
                map_tables: &map_tables,
                assessment: &assessment,
                state: &state,
                legal: &[],
            };
            let odds = Expectation { win: 0.1, attacker_loses: 2.0, defender_loses: kills };
            wears_down(&situation, Force::Soviet, &plan, &odds)
        };
        assert!(wears(4, (3, 4.0)));
        assert!(!wears(4, (3, 2.5)), "it must cost the defender more");
        assert!(!wears(4, (2, 4.0)), "two armies wear nobody down");
        assert!(!wears(1, (3, 4.0)), "steps are wanted elsewhere");
    }
}
