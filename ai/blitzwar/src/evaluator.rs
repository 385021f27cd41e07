//! The evaluator of `BlitzWar`: move weights from the scripted player, and a value of positions fitted to its games.

use std::sync::Arc;

use sandtable_blitzwar::location::Location;
use sandtable_blitzwar::rules::VictoryRow;
use sandtable_blitzwar::{Action, BlitzWar, Force, Kind, State};
use sandtable_core::{Game, PerSide, Rng64, Side};

use super::map_tables::MapTables;
use super::scripted::{Effort, Scripted};
use sandtable_ai::policy::{Evaluator, Policy};
use sandtable_ai::{Feature, LogisticValue};

/// A feature whose worth changes as the end comes near: it counts in full where the share of time left is that of its name, in
/// hundredths, and fades towards the next such share on either side.
const fn by_time_left(name: &'static str, summary: &'static str, sign: i8) -> Feature {
    Feature { name, summary, sign }
}

const LEAD: &str =
    "Axis points at the end, if it gains from now on as usual, - those of an even result, tens; by time left";
const CORPS: &str = "balance of corps, -1 to 1; by time left";
const DANGER: &str = "German Supply Zones lost, and 0.3 of those next to an enemy; by time left";
const TIME: &str = "1 where so much time is left, fading on either side";

/// Shares of the time left for which the value has weights of its own; between them it goes over from one to the next.
const LEFT: [f32; 5] = [0.0, 0.1, 0.25, 0.5, 1.0];
/// Turns before the end of a war to the German surrender that count as all its time: what came before says little.
const WAR: f32 = 40.0;

/// What the value looks at: the first three by time left, in the order of [`LEFT`].
const FEATURES: &[Feature] = &[
    by_time_left("lead_0", LEAD, 1),
    by_time_left("lead_10", LEAD, 1),
    by_time_left("lead_25", LEAD, 1),
    by_time_left("lead_50", LEAD, 1),
    by_time_left("lead_100", LEAD, 1),
    by_time_left("corps_0", CORPS, 1),
    by_time_left("corps_10", CORPS, 1),
    by_time_left("corps_25", CORPS, 1),
    by_time_left("corps_50", CORPS, 1),
    by_time_left("corps_100", CORPS, 1),
    by_time_left("danger_0", DANGER, -1),
    by_time_left("danger_10", DANGER, -1),
    by_time_left("danger_25", DANGER, -1),
    by_time_left("danger_50", DANGER, -1),
    by_time_left("danger_100", DANGER, -1),
    by_time_left("time_10", TIME, 0),
    by_time_left("time_25", TIME, 0),
    by_time_left("time_50", TIME, 0),
    by_time_left("time_100", TIME, 0),
    Feature { name: "air", summary: "balance of air units, -1 to 1", sign: 1 },
    Feature { name: "axis_supply", summary: "Axis supply, tens of units", sign: 1 },
    Feature { name: "enemy_supply", summary: "enemy supply, tens of units", sign: -1 },
    Feature { name: "seized", summary: "Soviet Supply Zones lost", sign: 1 },
];

/// Mean Axis strategic points by turn in 1,500 campaigns between scripted players (8db51e1, seed 4242): linear between the knots.
const USUAL_POINTS: [(f32, f32); 14] = [
    (1.0, 7.0),
    (5.0, 7.7),
    (7.0, 8.4),
    (9.0, 9.3),
    (11.0, 12.0),
    (15.0, 16.6),
    (19.0, 20.0),
    (23.0, 21.2),
    (27.0, 25.7),
    (29.0, 25.2),
    (33.0, 21.8),
    (39.0, 16.6),
    (43.0, 14.1),
    (47.0, 12.6),
];

fn usual_points(turn: f32) -> f32 {
    for pair in USUAL_POINTS.windows(2) {
        let ((t0, p0), (t1, p1)) = (pair[0], pair[1]);
        if turn <= t1 {
            return p0 + (p1 - p0) * ((turn - t0) / (t1 - t0)).max(0.0);
        }
    }
    USUAL_POINTS[USUAL_POINTS.len() - 1].1
}

/// How much each of [`LEFT`] counts where this share of the time is left; they add up to 1.
fn shares(left: f32) -> [f32; LEFT.len()] {
    let mut shares = [0.0; LEFT.len()];
    let above = LEFT.iter().position(|&knot| left < knot).unwrap_or(LEFT.len());
    match above {
        0 => shares[0] = 1.0,
        above if above == LEFT.len() => shares[above - 1] = 1.0,
        above => {
            let share = (left - LEFT[above - 1]) / (LEFT[above] - LEFT[above - 1]);
            (shares[above - 1], shares[above]) = (1.0 - share, share);
        }
    }
    shares
}

/// The value that comes with the player: of wars that go on to the German surrender, or of scenarios with a table of points of their
/// own (18).
pub(crate) fn of_scenario(game: &BlitzWar) -> LogisticValue {
    let (id, file) = if ends_by_surrender(game) {
        ("blitzwar/surrender", include_str!("../value/surrender.toml"))
    } else {
        ("blitzwar/points", include_str!("../value/points.toml"))
    };
    LogisticValue::shipped(id, FEATURES, file)
}

/// The features of a position.
fn features(game: &BlitzWar, state: &State) -> [f32; FEATURES.len()] {
    let mut corps = [0.0f32; 2];
    let mut air = [0.0f32; 2];
    for counter in game.sheet() {
        let place = state.location(counter);
        if place >= Location::POOL {
            continue;
        }
        let Some(force) = game.force(state, counter) else { continue };
        let camp = usize::from(force != Force::Axis);
        let kind = game.kind(counter);
        if kind.is_corps() {
            // Armour counts half as much again; what waits in America less.
            let (infantry, mobile) = game.corps_of(state, counter);
            let strength = f32::from(infantry) + 1.5 * f32::from(mobile);
            corps[camp] += if place == game.rules.landmarks.america { 0.5 * strength } else { strength };
        } else if kind == Kind::Air && place.is_zone() {
            air[camp] += f32::from(state.strength(counter));
        }
    }
    let balance = |of: [f32; 2]| (of[0] - of[1]) / (of[0] + of[1] + 1.0);
    let axis = state.control(Force::Axis);
    let foes = state.corps(Force::Allied).or(state.corps(Force::Soviet));
    let mut danger = 0.0;
    for zone in *game.supply_zones(Force::Axis) {
        if !axis.contains(zone) {
            danger += 1.0;
        } else if game.adjacent(zone).intersects(&foes) {
            danger += 0.3;
        }
    }
    let last = f32::from(game.rules.setup.last_turn);
    // A position edited beyond the last turn counts as the last.
    let turn = f32::from(state.turn()).min(last);
    let gain = usual_points(last) - usual_points(turn);
    let lead = (f32::from(game.axis_points(state)) + gain - even_points(game)) / 10.0;
    let ground = balance(corps);
    let stock = |force: Force| f32::from(game.total_stock(state, force)) / 20.0;

    let all = if ends_by_surrender(game) { WAR } else { last - f32::from(game.rules.setup.first_turn) + 1.0 };
    let shares = shares((last - turn) / all);
    let mut features = [0.0; FEATURES.len()];
    let (by_left, others) = features.split_at_mut(4 * LEFT.len() - 1);
    for (at, share) in shares.into_iter().enumerate() {
        by_left[at] = lead * share;
        by_left[LEFT.len() + at] = ground * share;
        by_left[2 * LEFT.len() + at] = danger * share;
        // The last turn is what the constant stands for.
        if at > 0 {
            by_left[3 * LEFT.len() + at - 1] = share;
        }
    }
    others.copy_from_slice(&[
        balance(air),
        stock(Force::Axis),
        stock(Force::Allied) + stock(Force::Soviet),
        game.supply_zones(Force::Soviet).and(axis).len() as f32,
    ]);
    features
}

/// Whether the scenario has no table of points of its own (18).
fn ends_by_surrender(game: &BlitzWar) -> bool {
    game.rules.setup.victory_by_points.is_empty()
}

/// Axis points on the last turn from which on it is not beaten, less a half; in wars to the surrender the usual ones.
fn even_points(game: &BlitzWar) -> f32 {
    let setup = &game.rules.setup;
    let unbeaten = |row: &&VictoryRow| row.axis >= row.allied_soviet;
    let least = setup.victory_by_points.iter().filter(unbeaten).map(|row| row.from).min();
    least.map_or_else(|| usual_points(f32::from(setup.last_turn)), |least| f32::from(least) - 0.5)
}

/// Weights for moves and a value for positions.
#[derive(Debug)]
pub(crate) struct BlitzEvaluator {
    player: Scripted,
    value: LogisticValue,
}

/// Weight of the scripted player's choice against all other actions together.
const FIRST_CHOICE: f32 = 9.0;

impl BlitzEvaluator {
    /// An evaluator that asks a fresh scripted player.
    pub fn new(map_tables: Arc<MapTables>, value: LogisticValue) -> BlitzEvaluator {
        BlitzEvaluator { player: Scripted::new(map_tables, Effort::Full), value }
    }
}

impl Evaluator<BlitzWar> for BlitzEvaluator {
    fn weigh(&mut self, game: &BlitzWar, state: &State, side: Side, legal: &[Action], out: &mut Vec<f32>) {
        // The determinizations of a search do not follow each other: each gets a plan of its own, and the same one every time.
        self.player.begin_anew();
        let mut rng = Rng64::stream(u64::from(state.turn()), 0, side.index() as u64);
        let first = self.player.pick(game, state, side, legal, &mut rng);
        let share = FIRST_CHOICE * (legal.len() as f32 - 1.0).max(1.0);
        out.extend(legal.iter().map(|&action| if action == first { share } else { 1.0 }));
    }

    fn evaluate(&mut self, game: &BlitzWar, state: &State) -> PerSide<f32> {
        self.value.worth(game.sides(), Force::Axis.side(), &features(game, state))
    }

    fn value(&mut self) -> Option<&mut LogisticValue> {
        Some(&mut self.value)
    }

    fn features(&mut self, game: &BlitzWar, state: &State, out: &mut Vec<f32>) -> Option<Side> {
        out.extend(features(game, state));
        Some(Force::Axis.side())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_go_over_from_one_share_of_the_time_left_to_the_next() {
        for (left, expected) in [
            (-0.1, [1.0, 0.0, 0.0, 0.0, 0.0]),
            (0.0, [1.0, 0.0, 0.0, 0.0, 0.0]),
            (0.1, [0.0, 1.0, 0.0, 0.0, 0.0]),
            (0.125, [0.0, 1.0 - 1.0 / 6.0, 1.0 / 6.0, 0.0, 0.0]),
            (0.875, [0.0, 0.0, 0.0, 0.25, 0.75]),
            (1.2, [0.0, 0.0, 0.0, 0.0, 1.0]),
        ] {
            let shares = shares(left);
            assert!(
                shares.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-5),
                "{left}: {shares:?}"
            );
        }
    }

    /// Points are counted against what the scenario asks for; with as many left to gain as usual, even is even.
    #[test]
    fn the_lead_is_over_an_even_result_of_the_scenario() {
        for (scenario, even) in [("blitzwar/france-1940", 15.5), ("blitzwar/barbarossa-1941", 23.5)] {
            let scenario = sandtable_scenarios_blitzwar::open(scenario, &[]).unwrap();
            let game = BlitzWar::new(scenario.into_rules()).unwrap();
            assert!((even_points(&game) - even).abs() < 1e-5);
        }
    }
}
