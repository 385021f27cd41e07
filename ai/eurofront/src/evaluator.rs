//! What a position is worth: the utility each side is heading for.

use std::sync::Arc;

use sandtable_ai::policy::Evaluator;
use sandtable_ai::{Feature, LogisticValue};
use sandtable_core::{Game, PerSide, Side};
use sandtable_eurofront::ids::{Camp, Faction};
use sandtable_eurofront::rules::Goal;
use sandtable_eurofront::{EuroFront, State};

use super::map_tables::MapTables;

/// What the evaluator looks at, from the side of the Axis: what counts for victory, strength, command, and how late it is.
const FEATURES: &[Feature] = &[
    Feature { name: "late", summary: "the share of the months gone by", sign: 0 },
    Feature {
        name: "level",
        summary: "what counts for victory, as the scenario measures it: cities, conditions, ports, production",
        sign: 1,
    },
    Feature { name: "level_late", summary: "level * late", sign: 0 },
    Feature { name: "strength", summary: "balance of steps, -1 to 1", sign: 1 },
    Feature { name: "strength_late", summary: "strength * late", sign: 0 },
    Feature {
        name: "command",
        summary: "steps of headquarters more than the others have, in 1939B than twice theirs, in quarters",
        sign: 1,
    },
];

/// Points of Victory Cities that count as one.
const POINTS: f32 = 10.0;
/// Pacified cities of Spain that count as one.
const CITIES: f32 = 4.0;
/// Steps of headquarters that count as one, and points of the count of 1939A.
const STEPS: f32 = 4.0;
/// Conditions of 1940A that make a draw.
const CONDITIONS: f32 = 4.0;

/// The value that comes with the player, by how a scenario is won.
fn of_scenario(goal: Goal) -> LogisticValue {
    let (id, file) = match goal {
        Goal::Recognition => ("eurofront/recognition", include_str!("../value/recognition.toml")),
        Goal::WinterWar => ("eurofront/winter_war", include_str!("../value/winter_war.toml")),
        Goal::Weser => ("eurofront/weser", include_str!("../value/weser.toml")),
        Goal::FallOfFrance => ("eurofront/conditions", include_str!("../value/conditions.toml")),
        Goal::Campaign => ("eurofront/production", include_str!("../value/production.toml")),
        Goal::VictoryCities { .. } => ("eurofront/cities", include_str!("../value/cities.toml")),
    };
    LogisticValue::shipped(id, FEATURES, file)
}

/// What counts for victory in a position, more of it for the Axis than for the others, as its scenario measures it.
fn level_of(tables: &MapTables, game: &EuroFront, state: &State) -> f32 {
    match tables.goal {
        Goal::Recognition => pacified(tables, game, state) / CITIES,
        Goal::WinterWar => f32::from(game.winter_war_score(state)) / STEPS,
        Goal::Weser => {
            let held = state.owners.of(Camp::Axis).difference(&state.battles());
            let ports = tables.norway.and(&game.seas().harbours);
            let oslo = crate::norway::capital(game).is_some_and(|oslo| held.contains(oslo));
            ports.and(&held).len() as f32 / ports.len().max(1) as f32 + if oslo { 1.0 } else { 0.0 }
        }
        Goal::FallOfFrance => f32::from(game.conditions_met(state)) - CONDITIONS,
        // 19.22 to 19.24: by monthly production against theirs.
        Goal::Campaign => {
            let [axis, allies, soviets] =
                Faction::ALL.map(|faction| f32::from(game.monthly_production(state, faction)));
            (axis.max(1.0) / (allies + soviets).max(1.0)).ln()
        }
        Goal::VictoryCities { .. } => {
            let [axis, allies, soviets] =
                Faction::ALL.map(|faction| f32::from(game.victory_points(state, faction)));
            (2.0 * axis - allies - soviets) / POINTS
        }
    }
}

/// Cities that count towards recognition and that railways join to supply (1936 rule 9): of the Nationalists less those of the Republicans.
fn pacified(tables: &MapTables, game: &EuroFront, state: &State) -> f32 {
    let counted = |camp: Camp| -> f32 {
        let network = game.whole_network(state, camp).and(&state.friendly[camp.index()]);
        let held = tables.prizes.iter().filter(|(hex, _)| network.contains(*hex));
        held.map(|(_, prize)| prize.count).sum()
    };
    counted(Camp::Axis) - counted(Camp::Coalition)
}

/// Values positions by what counts for victory, strength and command.
#[derive(Debug)]
pub(super) struct Standing {
    tables: Arc<MapTables>,
    value: LogisticValue,
}

impl Standing {
    pub fn new(tables: Arc<MapTables>) -> Standing {
        let value = of_scenario(tables.goal);
        Standing { tables, value }
    }
}

fn features(tables: &MapTables, game: &EuroFront, state: &State) -> [f32; FEATURES.len()] {
    let (mut steps, mut command) = ([0.0f32; 2], [0.0f32; 2]);
    for camp in Camp::ALL {
        for block in state.standing[camp.index()] {
            let headquarters = game.brief(block).kind.is_headquarters();
            let sum = if headquarters { &mut command } else { &mut steps };
            sum[camp.index()] += f32::from(state.steps[block]);
        }
    }
    let late = f32::from(state.month) / game.rules.calendar.len() as f32;
    let level = level_of(tables, game, state);
    let strength = (steps[0] - steps[1]) / (steps[0] + steps[1]).max(1.0);
    let command = match tables.goal {
        Goal::Weser => f32::from(game.balance_of_command(state)) / STEPS,
        _ => (command[0] - command[1]) / STEPS,
    };
    [late, level, level * late, strength, strength * late, command]
}

/// A side of the Axis.
fn axis_side(game: &EuroFront) -> Side {
    game.factions()
        .find(|faction| faction.camp() == Camp::Axis)
        .map_or(Side(0), |faction| game.side_of(faction))
}

impl Evaluator<EuroFront> for Standing {
    fn evaluate(&mut self, game: &EuroFront, state: &State) -> PerSide<f32> {
        self.value.worth(game.sides(), axis_side(game), &features(&self.tables, game, state))
    }

    fn value(&mut self) -> Option<&mut LogisticValue> {
        Some(&mut self.value)
    }

    fn features(&mut self, game: &EuroFront, state: &State, out: &mut Vec<f32>) -> Option<Side> {
        out.extend(features(&self.tables, game, state));
        Some(axis_side(game))
    }

    fn is_uniform(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sandtable_ai::policy::Evaluator;
    use sandtable_eurofront::editor::Editor;
    use sandtable_eurofront::ids::{Faction, Hexes, place};

    use super::{MapTables, Standing, axis_side};
    use crate::testing::game;

    /// Up to 608d4ab3 all but 1944 were valued as the Spanish Civil War: campaigns as good as won by whoever held more cities.
    #[test]
    fn what_decides_a_scenario_counts_in_it() {
        let won = [("1936", "madrid"), ("1939B", "oslo"), ("1941", "moscow"), ("1944", "paris")];
        for (scenario, place) in won {
            let game = game(scenario);
            let mut value = Standing::new(Arc::new(MapTables::new(&game)));
            let side = axis_side(&game);
            let place = Hexes::one(game.rules.place(place).unwrap());
            let mut of = |owner: Faction| {
                let state = Editor::new(&game).clear().owns(&place, Some(owner)).finish();
                value.evaluate(&game, &state)[side]
            };
            let [ours, theirs] = [of(Faction::Axis), of(Faction::Soviets)];
            assert!(ours > theirs + 0.002, "{scenario}: {ours} {theirs}");
            assert!((0.05..0.95).contains(&theirs), "{scenario}: nothing is decided as it begins: {theirs}");
        }
    }

    /// Finnish units that are lost bring the armistice nearer (1939A).
    #[test]
    fn losses_count_in_the_winter_war() {
        let game = game("1939A");
        let mut value = Standing::new(Arc::new(MapTables::new(&game)));
        let side = axis_side(&game);
        let finn = game.rules.block("fi_inf_1").unwrap();
        let whole = Editor::new(&game).finish();
        let fewer = Editor::new(&game).remove(finn, place::ELIMINATED).finish();
        let [whole, fewer] = [whole, fewer].map(|state| value.evaluate(&game, &state)[side]);
        assert!(whole > fewer + 0.02, "{whole} {fewer}");
    }
}
