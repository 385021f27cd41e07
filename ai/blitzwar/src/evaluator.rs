//! The evaluator of `BlitzWar`: move weights from the scripted player, and a value of positions fitted to its games.

use std::sync::Arc;

use sandtable_blitzwar::location::Location;
use sandtable_blitzwar::{Action, BlitzWar, Force, Kind, State};
use sandtable_core::{Game, PerSide, Rng64, Side};

use super::map_tables::MapTables;
use super::scripted::{Effort, Scripted};
use sandtable_ai::policy::{Evaluator, Policy};
use sandtable_ai::{Feature, LogisticValue};

/// What the value looks at. The constant, the date and the points are learned from games of the scripted player; the others,
/// which the fit cannot tell from these over a whole war, are set by judgement: what search gains or loses in a turn or two
/// must show.
const FEATURES: &[Feature] = &[
    Feature { name: "progress", summary: "share of the turns gone by", sign: 0 },
    Feature {
        name: "lead",
        summary: "Axis strategic points - those of an even war at the date, tens",
        sign: 1,
    },
    Feature { name: "lead_late", summary: "lead * progress", sign: 1 },
    Feature { name: "corps", summary: "balance of corps, -1 to 1", sign: 1 },
    Feature { name: "corps_late", summary: "corps * progress", sign: 1 },
    Feature { name: "air", summary: "balance of air units, -1 to 1", sign: 1 },
    Feature { name: "axis_supply", summary: "Axis supply, tens of units", sign: 1 },
    Feature { name: "enemy_supply", summary: "enemy supply, tens of units", sign: -1 },
    Feature { name: "danger", summary: "German Supply Zones lost or next to an enemy", sign: -1 },
    Feature { name: "danger_late", summary: "danger * progress", sign: -1 },
    Feature { name: "seized", summary: "Soviet Supply Zones lost", sign: 1 },
];

/// Axis strategic points of an even war by turn, as the weights were fitted: linear between the knots.
const EVEN_POINTS: [(f32, f32); 6] =
    [(1.0, 6.0), (7.0, 9.0), (15.0, 16.0), (27.0, 20.0), (39.0, 14.0), (47.0, 11.0)];

fn even_points(turn: f32) -> f32 {
    for pair in EVEN_POINTS.windows(2) {
        let ((t0, p0), (t1, p1)) = (pair[0], pair[1]);
        if turn <= t1 {
            return p0 + (p1 - p0) * ((turn - t0) / (t1 - t0)).max(0.0);
        }
    }
    EVEN_POINTS[EVEN_POINTS.len() - 1].1
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
    let turn = f32::from(state.turn());
    let last = f32::from(game.rules.setup.last_turn);
    let progress = (turn / last).min(1.0);
    let lead = (f32::from(game.axis_points(state)) - even_points(turn)) / 10.0;
    let stock = |force: Force| f32::from(game.total_stock(state, force)) / 20.0;
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
    let seized = game.supply_zones(Force::Soviet).and(axis).len() as f32;
    let ground = balance(corps);
    [
        progress,
        lead,
        lead * progress,
        ground,
        ground * progress,
        balance(air),
        stock(Force::Axis),
        stock(Force::Allied) + stock(Force::Soviet),
        danger,
        danger * progress,
        seized,
    ]
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
    pub fn new(map_tables: Arc<MapTables>) -> BlitzEvaluator {
        let value = LogisticValue::shipped("blitzwar", FEATURES, include_str!("../value.toml"));
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
