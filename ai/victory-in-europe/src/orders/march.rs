//! Marches and Strategic Movement of armies that attack nobody.

use std::cell::OnceCell;

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Areas, Arm, Kind};
use sandtable_victory_in_europe::{Action, Force, Nation, Place, State, UnitId, VictoryInEurope};

use super::offensive::is_open;
use super::{Orders, POINTS, Situation, TRANSFERS};
use crate::assessment::{BETTER_LANDING, EVACUATION, area_of, is_box, is_extra, is_guest};

/// What a leader must gain, beyond any march, to leave the army that he is with: two ports whose worth changes from turn to
/// turn would have him commute between them.
const LEADER_STAYS: f32 = 2.0;
/// What it is worth more to bring an army to a beachhead by Strategic Movement.
const SECOND_WAVE: f32 = 12.0;
/// What it costs to keep armour where no enemy is within two areas: any infantry guards a coast as well.
const IDLE_ARMOUR: f32 = 4.0;
/// What it is worth more to stand in a capital that an enemy would walk into, and more yet to the army of the minor whose
/// capital it is: it falls with it (10.2).
const FIRST_GUARD: f32 = 4.0;
const OWN_CAPITAL: f32 = 8.0;
/// Power that a leader adds to an army, in expected hits a round.
const LEADER_PRESENCE: f32 = 0.7;
/// What it is worth that a leader or paratroops cross the ocean to where a landing is made ready.
const PASSAGE: f32 = 7.0;
/// Places that are compared for each Strategic Movement.
const WANTED: usize = 10;

impl Orders {
    /// The Strategic Movement of an army that brings more than `least`: to where its force is most in want of it.
    pub(super) fn best_transfer(&self, situation: &Situation<'_>, least: f32) -> Option<(UnitId, Place)> {
        let &Situation { game, map_tables, assessment, state, legal } = situation;
        if self.transfers >= TRANSFERS {
            return None;
        }
        let mut most = (least, None);
        let wanted = Force::ALL.map(|force| wanted_places(situation, force));
        let owed = assessment.urgent.or(&assessment.bare);
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            if game.arm(unit) != Arm::Army || self.asked[unit.at()] || state.steps(unit) < 2 {
                continue;
            }
            let (Some(force), Some(here)) = (game.force(state, unit), area_of(state, unit)) else { continue };
            if is_extra(game, unit) {
                let gain = PASSAGE - assessment.command_price(force);
                if gain > most.0
                    && let Some(port) = passage(situation, force, unit, here)
                {
                    most = (gain, Some((unit, port)));
                }
                continue;
            }
            if state.disputed().contains(here) || assessment.holds_alone(map_tables, here) {
                continue;
            }
            let passenger = Passenger::new(situation, force, unit, here);
            for goal in wanted[force.index()].into_iter().flatten() {
                // Who faces the enemy is not sent to guard the rear, nor a coast off which ships lie, unless an enemy army is near
                // an area whose loss would open a country, or would walk into an empty capital or area that decides the war.
                if passenger.at_front && !owed.contains(goal) || assessment.is_hopeless(goal, passenger.power)
                {
                    continue;
                }
                let Some(gain) = passenger.gain(self, situation, goal) else { continue };
                let gain = gain - assessment.command_price(force);
                if gain > most.0 && passenger.reaches(situation, goal) {
                    most = (gain, Some((unit, goal)));
                }
            }
        }
        most.1
    }

    /// The march that brings most, of any unit, to any of these areas.
    pub(super) fn best_march(&self, situation: &Situation<'_>, goals: &Areas) -> Option<(UnitId, Place)> {
        let &Situation { game, map_tables, state, legal, .. } = situation;
        if goals.is_empty() {
            return None;
        }
        let mut most = (0.0, None);
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            if game.arm(unit) != Arm::Army || self.asked[unit.at()] {
                continue;
            }
            let (Some(force), Some(here)) = (game.force(state, unit), area_of(state, unit)) else { continue };
            let goals = goals.and(&free_to_go(situation, unit, here));
            if state.disputed().contains(here) || goals.is_empty() {
                continue;
            }
            let now = staying(situation, force, unit, here);
            let reach = self.reach(game, state, force, unit);
            let last = reach.iter().rposition(|areas| !areas.is_empty()).unwrap_or(0);
            let mut seen = Areas::one(here);
            let points = usize::from(game.unit_type(unit).moves).min(POINTS);
            for areas in reach.iter().take(points.min(last + 1)) {
                for from in *areas {
                    for to in map_tables.neighbours[from.at()].difference(&seen) {
                        seen.insert(to);
                        if !goals.contains(to) {
                            continue;
                        }
                        let Some(there) = arriving(situation, force, unit, here, to) else { continue };
                        let there = there - self.undoing(unit, to);
                        if there - now > most.0 {
                            most = (there - now, Some((unit, to)));
                        }
                    }
                }
            }
        }
        most.1
    }

    /// With command that nothing else is worth: an army behind the front goes to a capital that an enemy would walk into, even if it
    /// cannot hold it, for whoever wants it has to fight.
    ///
    /// Who goes is chosen as in [`Orders::best_transfer`], but that a hopeless place and an army of one step will do, as a battle is
    /// all that is asked for; that command has no price, as nobody else wants it; that a minor's last guard may go home; and that
    /// nobody leaves the front.
    pub(super) fn guard_by_rail(&self, situation: &Situation<'_>) -> Option<(UnitId, Place)> {
        let &Situation { game, assessment, state, legal, .. } = situation;
        let open = |force: Force| {
            let at = force.index();
            let reached = state.held[at].and(&state.held_before[at]).difference(&state.disputed());
            if state.command_of(force) > 0 { assessment.bare.and(&reached) } else { Areas::EMPTY }
        };
        let open = Force::ALL.map(open);
        if open.iter().all(Areas::is_empty) {
            return None;
        }
        let mut most = (0.0, None);
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            if game.arm(unit) != Arm::Army || self.asked[unit.at()] || is_extra(game, unit) {
                continue;
            }
            let (Some(force), Some(here)) = (game.force(state, unit), area_of(state, unit)) else { continue };
            let goals = open[force.index()].and(&free_to_go(situation, unit, here));
            if state.disputed().contains(here) || goals.is_empty() {
                continue;
            }
            let passenger = Passenger::new(situation, force, unit, here);
            if passenger.at_front {
                continue;
            }
            for goal in goals {
                let gain = passenger.gain(self, situation, goal);
                if let Some(gain) = gain.filter(|gain| *gain > most.0)
                    && passenger.reaches(situation, goal)
                {
                    most = (gain, Some((unit, goal)));
                }
            }
        }
        most.1
    }

    /// With command that nothing else is worth: a leader or paratroops behind the front join an army there that has none.
    pub(super) fn leader_to_front(&self, situation: &Situation<'_>) -> Option<(UnitId, Place)> {
        let &Situation { game, map_tables, assessment, state, legal } = situation;
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            if self.asked[unit.at()] || !is_extra(game, unit) {
                continue;
            }
            let (Some(force), Some(here)) = (game.force(state, unit), area_of(state, unit)) else { continue };
            let at = force.index();
            if force == Force::Western
                || state.command_of(force) == 0
                || is_near_front(situation, force, here)
            {
                continue;
            }
            let lacks = |area: &Place| {
                assessment.own_units[area.at()] > 0
                    && map_tables.neighbours[area.at()]
                        .and(&assessment.hostile[at])
                        .intersects(&assessment.foes)
                    && !state.stack(*area).any(|other| game.kind(other) == game.kind(unit))
            };
            let drawn = |area: &Place| assessment.pull[at][area.at()];
            let posts = game.strategic_reach(state, unit).difference(&state.disputed());
            let post = posts.iter().filter(lacks).max_by(|a, b| drawn(a).total_cmp(&drawn(b)));
            if let Some(post) = post {
                return Some((unit, post));
            }
        }
        None
    }

    /// Units that are asked one by one whether they want to go anywhere: aircraft, ships, and with command points left
    /// the strongest of those far from where they are wanted.
    pub(super) fn next_to_ask(&mut self, situation: &Situation<'_>) -> Option<Action> {
        let &Situation { game, map_tables, assessment, state, legal } = situation;
        let mut most = (0.0, None);
        // The most that any own area draws, by force.
        let tops = Force::ALL.map(|force| {
            let held = state.held[force.index()].difference(&state.disputed());
            held.iter().map(|area| assessment.pull[force.index()][area.at()]).fold(0.0, f32::max)
        });
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            if self.asked[unit.at()] {
                continue;
            }
            let Some(force) = game.force(state, unit) else { continue };
            let worth = match game.arm(unit) {
                Arm::Air => 10.0 + assessment.block(game, state, unit).power(),
                Arm::Naval => 5.0,
                Arm::Army => {
                    if state.command_of(force) == 0 || self.transfers >= TRANSFERS {
                        continue;
                    }
                    let Some(here) = area_of(state, unit) else { continue };
                    if assessment.holds_alone(map_tables, here) {
                        continue;
                    }
                    let power = assessment.block(game, state, unit).power();
                    let at = force.index();
                    let there = assessment.own[here.at()];
                    let drawn = tops[at] - assessment.pull[at][here.at()];
                    let leaves =
                        assessment.cover(here, there) - assessment.cover(here, (there - power).max(0.0));
                    assessment.weights[at].pull * power * drawn - leaves - 0.3
                }
            };
            if worth > most.0 {
                most = (worth, Some(unit));
            }
        }
        let unit = most.1?;
        self.asked[unit.at()] = true;
        if game.arm(unit) == Arm::Army {
            self.transfers += 1;
        }
        Some(Action::Select(unit))
    }
}

/// An army that could go by Strategic Movement.
struct Passenger {
    force: Force,
    unit: UnitId,
    here: Place,
    power: f32,
    /// What it is worth that it stays.
    stays: f32,
    /// An enemy stands beside it.
    at_front: bool,
    /// Where it can go, once somebody has asked.
    reach: OnceCell<Areas>,
}

impl Passenger {
    fn new(situation: &Situation<'_>, force: Force, unit: UnitId, here: Place) -> Passenger {
        let &Situation { game, map_tables, assessment, state, .. } = situation;
        let power = assessment.block(game, state, unit).power();
        let there = (assessment.own[here.at()] - power).max(0.0);
        let stays = assessment.post(force, here, there, power) - idle_armour(situation, force, unit, here);
        let hostile = map_tables.neighbours[here.at()].and(&assessment.hostile[force.index()]);
        let at_front = hostile.intersects(&assessment.foes);
        Passenger { force, unit, here, power, stays, at_front, reach: OnceCell::new() }
    }

    /// Whether it can go there: who is sent where no line leads loses its turn.
    fn reaches(&self, &Situation { game, state, .. }: &Situation<'_>, goal: Place) -> bool {
        self.reach.get_or_init(|| game.strategic_reach(state, self.unit)).contains(goal)
    }

    /// What it is worth more to be in an area than to stay, without the command it costs; nothing if it has no business there.
    fn gain(&self, orders: &Orders, situation: &Situation<'_>, goal: Place) -> Option<f32> {
        let &Situation { game, assessment, state, .. } = situation;
        let &Passenger { force, unit, here, power, stays, .. } = self;
        if goal == here
            || assessment.strays(game, state, unit, (here, goal))
            || !serves_in(game, state, unit, goal)
        {
            return None;
        }
        // Another port counts in full even for who waits for a landing, other than on marches (`other_port`): this costs command,
        // and those who wait and go by it follow a landing to the ports behind it (146 of 161 in 120 games from 1942 on).
        Some(
            assessment.post(force, goal, assessment.own[goal.at()], power)
                + second_wave(situation, force, goal)
                + first_guard(situation, unit, goal)
                - idle_armour(situation, force, unit, goal)
                - orders.undoing(unit, goal)
                - stays,
        )
    }
}

/// Whether an enemy stands within two areas.
fn is_near_front(situation: &Situation<'_>, force: Force, area: Place) -> bool {
    let &Situation { map_tables, assessment, .. } = situation;
    let near = map_tables.neighbours[area.at()];
    let near = near.or(&near.neighbours(&map_tables.neighbours));
    near.and(&assessment.hostile[force.index()]).intersects(&assessment.foes)
}

/// Power of an army on the march; a leader who can order a Blitz is worth more than his dice (5.61), but for those of the
/// Western Allies: they wait in the ports, and go ashore with the first wave.
fn presence(situation: &Situation<'_>, force: Force, unit: UnitId) -> f32 {
    let &Situation { game, assessment, state, .. } = situation;
    let leads = force != Force::Western && game.kind(unit) == Kind::Leader && state.steps(unit) > 0;
    assessment.block(game, state, unit).power().max(if leads { LEADER_PRESENCE } else { 0.1 })
}

/// What it is worth that an army stays where it is, with what a march must bring beyond it.
fn staying(situation: &Situation<'_>, force: Force, unit: UnitId, here: Place) -> f32 {
    let &Situation { game, assessment, state, .. } = situation;
    if is_guest(game, state, unit, here) {
        return -EVACUATION;
    }
    let power = presence(situation, force, unit);
    let there = (assessment.own[here.at()] - power).max(0.0);
    let company = is_extra(game, unit) && assessment.own_units[here.at()] > 0;
    assessment.post(force, here, there, power) - idle_armour(situation, force, unit, here)
        + assessment.weights[force.index()].march
        + if company { LEADER_STAYS } else { 0.0 }
}

/// What it is worth that an army marches to an area; nothing if it finds no room or a battle there.
fn arriving(situation: &Situation<'_>, force: Force, unit: UnitId, here: Place, to: Place) -> Option<f32> {
    let &Situation { game, assessment, state, .. } = situation;
    let is_extra = is_extra(game, unit);
    let power = presence(situation, force, unit);
    if state.held[force.index()].contains(to) && !state.disputed().contains(to) {
        let full = assessment.own_units[to.at()] >= game.rules.areas[to.at()].stack;
        if full && !is_extra || assessment.strays(game, state, unit, (here, to)) {
            return None;
        }
        let lonely = is_extra && assessment.own_units[to.at()] == 0;
        return Some(
            assessment.post(force, to, assessment.own[to.at()], power) + first_guard(situation, unit, to)
                - idle_armour(situation, force, unit, to)
                - other_port(situation, (force, power), here, to)
                - if lonely { 2.0 } else { 0.0 },
        );
    }
    let is_undefended = assessment.hostile[force.index()].contains(to)
        && !assessment.foes.contains(to)
        && (state.held_by(force.team().other()).contains(to) || is_open(game, state, force, to));
    (is_undefended && !is_extra).then(|| walking_in(situation, force, unit, here, to))
}

/// What it is worth more to be in an area if it is a capital that an enemy would walk into.
fn first_guard(situation: &Situation<'_>, unit: UnitId, area: Place) -> f32 {
    let &Situation { game, map_tables, assessment, state, .. } = situation;
    // Armour does not wait for who may land.
    let waits = |force| game.kind(unit) == Kind::Panzer && !is_near_front(situation, force, area);
    if !assessment.bare.contains(area) || is_extra(game, unit) || game.force(state, unit).is_some_and(waits) {
        return 0.0;
    }
    let own = map_tables.capital_of[area.at()] == game.nation(state, unit) as u8;
    FIRST_GUARD + if own { OWN_CAPITAL } else { 0.0 }
}

/// Where an army may go: the last guard of a place stays, but for a minor's, which is wanted in its own capital if that lies open,
/// whatever it guards elsewhere.
fn free_to_go(situation: &Situation<'_>, unit: UnitId, here: Place) -> Areas {
    let &Situation { game, map_tables, assessment, state, .. } = situation;
    if is_extra(game, unit) || !assessment.holds_alone(map_tables, here) {
        return map_tables.all;
    }
    let nation = game.nation(state, unit);
    let capital = game.rules.capitals[nation.index()].filter(|_| !nation.is_major());
    capital.map_or(Areas::EMPTY, |capital| Areas::one(capital).and(&assessment.bare))
}

/// What it is worth to take an area that nobody defends, less the risk of what stands next to it: who stands alone before
/// strong enemies is lost, and the ground again.
fn walking_in(situation: &Situation<'_>, force: Force, unit: UnitId, here: Place, to: Place) -> f32 {
    let &Situation { game, map_tables, assessment, state, .. } = situation;
    let power = assessment.block(game, state, unit).power().max(0.1);
    let weights = &assessment.weights[force.index()];
    let risk: f32 = map_tables.neighbours[to.at()].iter().map(|near| assessment.foe[near.at()]).sum();
    let fear = weights.fear / assessment.confidence[force.index()];
    let ratio = fear * risk / (power + 0.3);
    let lost = ratio * ratio / (ratio * ratio + 1.5);
    let steps = f32::from(state.steps(unit));
    let already = weights.prize * assessment.drive(force) * assessment.pull[force.index()][here.at()];
    (assessment.prize(force, to) - already + assessment.post(force, to, 0.0, power)) * (1.0 - 0.6 * lost)
        - 1.2 * lost * steps
}

/// The port in which a landing is made ready without the like of a leader or of paratroops who are in a box overseas, or wait in
/// a port for a landing that is worth much less.
fn passage(situation: &Situation<'_>, force: Force, unit: UnitId, here: Place) -> Option<Place> {
    let &Situation { game, assessment, state, .. } = situation;
    let waits = game.coast_seas(here, 0) != 0 && !is_near_front(situation, force, here);
    if force != Force::Western || !is_box(game, here) && !waits {
        return None;
    }
    let least = BETTER_LANDING * assessment.staging(force, here);
    let lacks = |area: &Place| {
        assessment.staging(force, *area) > least
            && assessment.own_units[area.at()] > 0
            && !state.stack(*area).any(|other| game.kind(other) == game.kind(unit))
    };
    let ports = game.strategic_reach(state, unit).difference(&state.disputed());
    let worth = |area: &Place| assessment.staging(force, *area);
    ports.iter().filter(lacks).max_by(|a, b| worth(a).total_cmp(&worth(b)))
}

/// What of the worth of a port is not counted, on the march, for who waits for a landing in another.
fn other_port(situation: &Situation<'_>, (force, power): (Force, f32), here: Place, to: Place) -> f32 {
    let assessment = situation.assessment;
    if assessment.keeps_waiting(force, [here, to].map(|port| assessment.staging(force, port))) {
        assessment.embarkation(force, to, assessment.own[to.at()], power)
    } else {
        0.0
    }
}

/// What it costs that armour stands in an area behind the front.
fn idle_armour(situation: &Situation<'_>, force: Force, unit: UnitId, area: Place) -> f32 {
    let is_panzer = situation.game.kind(unit) == Kind::Panzer;
    if is_panzer && !is_near_front(situation, force, area) { IDLE_ARMOUR } else { 0.0 }
}

/// What it is worth more to be in an area if it is a beachhead: who lands and is not followed is driven back into the sea.
fn second_wave(situation: &Situation<'_>, force: Force, area: Place) -> f32 {
    let &Situation { game, map_tables, assessment, .. } = situation;
    if assessment.is_beachhead(game, map_tables, force, area) { SECOND_WAVE } else { 0.0 }
}

/// Where a full army of a force is wanted most, among the places that Strategic Movement reaches (4.7): the best first.
fn wanted_places(situation: &Situation<'_>, force: Force) -> [Option<Place>; WANTED] {
    let &Situation { game, assessment, state, .. } = situation;
    let mut wanted = [None::<(f32, Place)>; WANTED];
    if force.bit() & state.movers != 0 && state.command_of(force) > 0 {
        let at = force.index();
        for area in state.held[at].and(&state.held_before[at]).difference(&state.disputed()) {
            if assessment.own_units[area.at()] >= game.rules.areas[area.at()].stack {
                continue;
            }
            let worth = assessment.post(force, area, assessment.own[area.at()], 1.0)
                + second_wave(situation, force, area);
            let better = |other: &Option<(f32, Place)>| other.is_none_or(|(most, _)| worth > most);
            if let Some(rank) = wanted.iter().position(better) {
                wanted[rank..].rotate_right(1);
                wanted[rank] = Some((worth, area));
            }
        }
    }
    wanted.map(|place| place.map(|(_, area)| area))
}

/// Whether an army serves its nation in a place: minors, which live by their own capital (8.1), Italy, and France until
/// it falls fight in or next to their own country.
pub(crate) fn serves_in(game: &VictoryInEurope, state: &State, unit: UnitId, goal: Place) -> bool {
    let nation = game.nation(state, unit);
    let home = game.home(nation).or(game.country(nation));
    nation.is_major() && !matches!(nation, Nation::Italy | Nation::France)
        || home.contains(goal)
        || game.adjacent(goal).intersects(&home)
}

#[cfg(test)]
mod tests {
    use sandtable_core::{Game, PlayContext, Rng64};
    use sandtable_victory_in_europe::editor::Editor;
    use sandtable_victory_in_europe::{Phase, VictoryInEurope};

    use super::*;
    use crate::assessment::Assessment;
    use crate::map_tables::MapTables;
    use crate::weights::Weights;

    /// What a look at the orders of a force says, in its movement in a scenario as edited.
    fn looks_at<T>(
        (scenario, force): (&str, Force),
        edit: impl FnOnce(&mut Editor<'_>),
        ask: impl FnOnce(&VictoryInEurope, &mut Orders, &Situation<'_>) -> T,
    ) -> T {
        let scenario = sandtable_scenarios_victory_in_europe::open(scenario, &[]).unwrap();
        let game = VictoryInEurope::new(scenario.into_rules()).unwrap();
        let mut editor = Editor::new(&game);
        editor.command([5, 5, 5]).first(force.team());
        edit(&mut editor);
        let context = &mut PlayContext::silent(Rng64::stream(1, 1, 1));
        let state = editor.begin(Phase::Movement, force.team(), context);
        let (map_tables, mut legal) = (MapTables::new(&game), Vec::new());
        game.legal_actions(&state, &mut legal);
        let mut assessment = Assessment::new(&Weights::all());
        assessment.refresh(&game, &map_tables, &state, force);
        let situation = Situation {
            game: &game,
            map_tables: &map_tables,
            assessment: &assessment,
            state: &state,
            legal: &legal,
        };
        ask(&game, &mut Orders::new(), &situation)
    }

    /// What a look at the orders of the Axis in the autumn of 1944 says.
    fn looks<T>(
        edit: impl FnOnce(&mut Editor<'_>),
        ask: impl FnOnce(&VictoryInEurope, &mut Orders, &Situation<'_>) -> T,
    ) -> T {
        let late = |editor: &mut Editor<'_>| {
            editor.turn(22).command([1, 5, 5]);
            edit(editor);
        };
        looks_at(("victory-in-europe/bagration-1944", Force::Axis), late, ask)
    }

    #[test]
    fn a_strategic_movement_back_to_where_an_army_stood_a_turn_ago_must_bring_more() {
        let west = ("victory-in-europe/kursk-1943", Force::Western);
        looks_at(
            west,
            |_| {},
            |_, orders, situation| {
                // The best there is, by less than a step more than this.
                let mut least = 0.0;
                while orders.best_transfer(situation, least + 1.0).is_some() {
                    least += 1.0;
                }
                let best = orders.best_transfer(situation, least);
                let (unit, goal) = best.expect("a transfer that pays");
                orders.stands[unit.at()] = situation.state.location(unit);
                orders.stood[unit.at()] = goal;
                assert_ne!(orders.best_transfer(situation, least), best);
                orders.stood[unit.at()] = situation.state.location(unit);
                assert_eq!(orders.best_transfer(situation, least), best, "it has stood there for a turn");
            },
        );
    }

    #[test]
    fn a_leader_leaves_a_port_of_little_promise_for_the_landing() {
        let goes = |sea: &'static str| {
            let edit = move |editor: &mut Editor<'_>| {
                editor.clear().turn(18).place("gb_ldr_montgomery", "tunis", 2).place("gb_inf_8a", "tunis", 3);
                editor.place("us_inf_3a", "london", 3).place("gb_bb_kgv", sea, 4);
            };
            looks_at(("victory-in-europe/kursk-1943", Force::Western), edit, |game, _, situation| {
                let (leader, here) = (game.unit("gb_ldr_montgomery").unwrap(), game.place("tunis").unwrap());
                passage(situation, Force::Western, leader, here)
                    .map(|to| game.rules.areas[to.at()].id.clone())
            })
        };
        assert_eq!(goes("english_channel"), Some("london".to_owned()));
        assert_eq!(goes("western_mediterranean"), None);
    }

    #[test]
    fn a_capital_that_lies_open_is_guarded_before_others_attack() {
        let beside = |editor: &mut Editor<'_>| {
            editor.remove("ger_inf_11a").remove("ger_inf_15a").place("ger_inf_14a", "nancy", 3);
            editor.control("lille", Nation::Britain).place("gb_inf_8a", "lille", 3);
        };
        looks(beside, |game, orders, situation| {
            let belgium = game.place("belgium").unwrap();
            assert!(situation.assessment.bare.contains(belgium));
            assert!(orders.best_offensive(situation).is_some(), "there is something to attack");
            // Nobody is brought there by rail.
            orders.start(situation.state);
            orders.transfers = TRANSFERS;
            let first = orders.next(situation, &mut Rng64::stream(2, 1, 1));
            let Some(Action::Select(unit)) = first else { panic!("{first:?}") };
            assert!(
                situation.assessment.bare.contains(orders.goal[unit.at()]),
                "to a capital that lies open"
            );
        });
    }

    #[test]
    fn command_to_spare_brings_a_guard_to_a_capital_that_it_cannot_hold() {
        let guard = |is_beside: bool| {
            let edit = |editor: &mut Editor<'_>| {
                editor.clear().place("ger_inf_14a", "leipzig", 2);
                let coast = if is_beside { "le_havre" } else { "algiers" };
                editor.control(coast, Nation::Britain);
                for army in ["gb_inf_8a", "us_inf_3a", "us_inf_7a"] {
                    editor.place(army, coast, 3);
                }
            };
            looks(edit, |game, orders, situation| {
                let (paris, unit) = (game.place("paris").unwrap(), game.unit("ger_inf_14a").unwrap());
                assert_ne!(orders.best_transfer(situation, 0.0), Some((unit, paris)), "it would be hopeless");
                orders.guard_by_rail(situation) == Some((unit, paris))
            })
        };
        assert!(guard(true));
        assert!(!guard(false), "no enemy is near");
    }

    #[test]
    fn the_last_guard_of_a_coast_leaves_it_for_its_own_capital_alone_and_a_majors_not_even_for_that() {
        let guards_athens = |unit: &'static str, soviets_at: &'static str| {
            move |editor: &mut Editor<'_>| {
                editor.clear().place(unit, "athens", 3).place("gb_bb_kgv", "aegean_sea", 4);
                editor.control("crete", Nation::Britain).place("gb_inf_8a", "crete", 3);
                editor.control(soviets_at, Nation::Ussr).place("su_guard_1", soviets_at, 4);
            }
        };
        looks(guards_athens("bul_inf", "bucharest"), |game, orders, situation| {
            let [athens, bulgaria, belgrade] =
                ["athens", "bulgaria", "belgrade"].map(|area| game.place(area).unwrap());
            let (unit, bare) = (game.unit("bul_inf").unwrap(), situation.assessment.bare);
            assert!(bare.contains(bulgaria) && bare.contains(belgrade));
            assert_eq!(free_to_go(situation, unit, athens), Areas::one(bulgaria));
            assert_eq!(orders.best_march(situation, &bare), Some((unit, bulgaria)));
            assert_eq!(orders.best_march(situation, &Areas::one(belgrade)), None);
            assert_eq!(orders.guard_by_rail(situation), Some((unit, bulgaria)));
        });
        looks(guards_athens("bul_inf", "debrecen"), |game, orders, situation| {
            let [bulgaria, belgrade] = ["bulgaria", "belgrade"].map(|area| game.place(area).unwrap());
            let bare = situation.assessment.bare;
            assert!(!bare.contains(bulgaria) && bare.contains(belgrade));
            assert_eq!(orders.best_march(situation, &bare), None);
            assert_eq!(orders.guard_by_rail(situation), None);
        });
        looks(guards_athens("ger_inf_14a", "breslau"), |game, orders, situation| {
            let [athens, berlin] = ["athens", "berlin"].map(|area| game.place(area).unwrap());
            let unit = game.unit("ger_inf_14a").unwrap();
            assert!(situation.assessment.bare.contains(berlin));
            assert_eq!(free_to_go(situation, unit, athens), Areas::EMPTY);
            assert_eq!(orders.guard_by_rail(situation), None);
        });
    }

    #[test]
    fn a_capital_by_the_sea_is_guarded_where_an_enemy_could_land() {
        let guard = |army_at: &'static str| {
            let edit = move |editor: &mut Editor<'_>| {
                editor.clear().place("ger_inf_14a", "bremen_ruhr", 3);
                editor.place("gb_bb_kgv", "north_sea", 4).place("gb_inf_8a", army_at, 3);
            };
            looks(edit, |game, orders, situation| {
                let (denmark, unit) = (game.place("denmark").unwrap(), game.unit("ger_inf_14a").unwrap());
                let bare = situation.assessment.bare;
                let oslo = game.place("oslo").unwrap();
                assert!(!bare.contains(oslo), "no ship is before it");
                let march = orders.best_march(situation, &bare);
                assert_eq!(march, bare.contains(denmark).then_some((unit, denmark)));
                march.is_some()
            })
        };
        assert!(guard("london"));
        assert!(!guard("cairo"), "no ship could bring an army from there");
    }

    #[test]
    fn a_german_city_that_the_soviets_can_reach_is_guarded() {
        // Who stands in Vilna, and who before it.
        let goes = |screen: &'static [&'static str], guards: &'static [&'static str]| {
            let edit = move |editor: &mut Editor<'_>| {
                editor.clear().place("ger_inf_14a", "danzig", 3);
                editor.place("ger_inf_3a", "brest_litovsk", 3).place("ger_inf_4a", "brest_litovsk", 3);
                let (held, at) =
                    if screen.is_empty() { (Nation::Ussr, "vilna") } else { (Nation::Germany, "minsk") };
                editor.control("minsk", Nation::Ussr).control("vilna", held);
                for army in screen {
                    editor.place(army, "vilna", 3);
                }
                for army in guards {
                    editor.place(army, at, 4);
                }
                editor.reveal();
            };
            looks(edit, |game, orders, situation| {
                let (konigsberg, unit) =
                    (game.place("konigsberg").unwrap(), game.unit("ger_inf_14a").unwrap());
                let bare = situation.assessment.bare;
                let march = orders.best_march(situation, &bare);
                assert_eq!(march, bare.contains(konigsberg).then_some((unit, konigsberg)));
                march.is_some()
            })
        };
        let guards: &[&str] = &["su_guard_1", "su_guard_2", "su_guard_3"];
        assert!(goes(&[], &guards[..1]), "they stand beside it");
        assert!(goes(&["ger_inf_1a"], guards), "they break through Vilna");
        assert!(!goes(&["ger_inf_1a", "ger_inf_2a"], &guards[..1]), "Vilna holds");
    }

    #[test]
    fn the_last_guard_of_a_german_city_that_the_soviets_can_reach_stays() {
        let stays = |guards: &'static [&'static str]| {
            let edit = move |editor: &mut Editor<'_>| {
                editor.clear().place("ger_inf_14a", "konigsberg", 3).place("ger_inf_1a", "vilna", 3);
                editor.place("ger_inf_3a", "brest_litovsk", 3).place("ger_inf_4a", "brest_litovsk", 3);
                editor.control("minsk", Nation::Ussr);
                for army in guards {
                    editor.place(army, "minsk", 4);
                }
                editor.reveal();
            };
            looks(edit, |game, _, situation| {
                let unit = game.unit("ger_inf_14a").unwrap();
                free_to_go(situation, unit, game.place("konigsberg").unwrap()).is_empty()
            })
        };
        assert!(stays(&["su_guard_1", "su_guard_2", "su_guard_3"]), "they break through Vilna");
        assert!(!stays(&[]), "no enemy is near");
    }

    #[test]
    fn the_front_gives_up_an_army_for_an_empty_capital_on_which_an_enemy_could_land() {
        let sends = |ship_at: &'static str| {
            let edit = move |editor: &mut Editor<'_>| {
                editor.clear().command([5, 5, 5]).control("brest_litovsk", Nation::Ussr);
                for army in ["ger_inf_1a", "ger_inf_2a", "ger_inf_14a"] {
                    editor.place(army, "warsaw", 3);
                }
                editor.place("ger_inf_3a", "berlin", 3).place("su_inf3_1", "brest_litovsk", 1);
                editor.place("gb_inf_8a", "london", 3).place("gb_bb_kgv", ship_at, 4);
            };
            looks(edit, |game, orders, situation| {
                let denmark = game.place("denmark").unwrap();
                let sent = orders.best_transfer(situation, 0.0);
                sent.is_some_and(|(_, goal)| goal == denmark)
            })
        };
        assert!(sends("north_sea"));
        assert!(!sends("irish_sea"), "no ship is before it");
    }

    #[test]
    fn nobody_is_sent_by_rail_or_ship_where_no_line_leads() {
        for force in [Force::Axis, Force::Western, Force::Soviet] {
            looks_at(
                ("victory-in-europe/kursk-1943", force),
                |_| {},
                |game, orders, situation| {
                    let mut sent = 0;
                    while let Some((unit, goal)) = orders.best_transfer(situation, 0.0) {
                        let (mut state, mut legal) = (situation.state.clone(), Vec::new());
                        let context = &mut PlayContext::silent(Rng64::stream(1, 1, 1));
                        game.apply(&mut state, Action::Select(unit), context);
                        game.legal_actions(&state, &mut legal);
                        let goes =
                            |action: &Action| matches!(action, Action::Strategic(to, _) if *to == goal);
                        let ids = (&game.rules.units[unit.at()].id, &game.rules.areas[goal.at()].id);
                        assert!(legal.iter().any(goes), "{ids:?}");
                        orders.asked[unit.at()] = true;
                        sent += 1;
                    }
                    assert!(sent > 0, "{force:?}: nobody is sent, and nothing is seen here");
                },
            );
        }
    }
}
