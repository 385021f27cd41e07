//! The guide of `BlitzWar`: move weights from the scripted player, and a value of positions fitted to its games.

use std::sync::Arc;

use sandtable_blitzwar::rules::MAX_ZONES;
use sandtable_blitzwar::state::POOL;
use sandtable_blitzwar::{Action, BlitzWar, Force, Kind, State};
use sandtable_core::{MAX_SIDES, PerSide, Rng64, Side};

use super::atlas::Atlas;
use super::scripted::{Effort, Scripted};
use crate::policy::{Guide, Policy};

/// How many features a position has.
pub(crate) const FEATURES: usize = 12;

/// Weights of the value of a position: the logit of the Axis share of the ten victory points is their inner product
/// with the features.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueWeights {
    /// One weight a feature, in the order of the fields below.
    pub weights: [f32; FEATURES],
}

impl Default for ValueWeights {
    fn default() -> ValueWeights {
        ValueWeights { weights: VALUE }
    }
}

/// What the weights weigh.
pub const FEATURE_NAMES: [&str; FEATURES] = [
    "one",
    "progress of the war, 0 to 1",
    "Axis strategic points less what history gives at the date, tens",
    "the same times progress",
    "corps balance, -1 to 1",
    "the same times progress",
    "air balance, -1 to 1",
    "Axis supply, tens of units",
    "enemy supply, tens of units",
    "German Supply Zones lost or next to an enemy",
    "the same times progress",
    "Soviet Supply Zones lost",
];

/// What is good for the Axis (1) must not count against it, nor what is bad (-1) for it; 0 = free.
#[cfg(test)]
pub(crate) const SIGNS: [i8; FEATURES] = [0, 0, 1, 1, 1, 1, 1, 1, -1, -1, -1, 1];

/// The constant, the date and the points as fitted; the others, which the fit cannot tell from these over a whole war,
/// by judgement: what search gains or loses in a turn or two must show.
const VALUE: [f32; FEATURES] = [-0.5, 0.46, 1.2, 0.3, 0.6, 0.6, 0.1, 0.1, -0.08, -0.3, -0.6, 0.3];

/// Axis strategic points by turn, of the scripted player against itself: linear between the knots.
const USUAL_POINTS: [(f32, f32); 6] =
    [(1.0, 6.0), (7.0, 9.0), (15.0, 16.0), (27.0, 20.0), (39.0, 14.0), (47.0, 11.0)];

fn usual_points(turn: f32) -> f32 {
    for pair in USUAL_POINTS.windows(2) {
        let ((t0, p0), (t1, p1)) = (pair[0], pair[1]);
        if turn <= t1 {
            return p0 + (p1 - p0) * ((turn - t0) / (t1 - t0)).max(0.0);
        }
    }
    USUAL_POINTS[USUAL_POINTS.len() - 1].1
}

/// The features of a position.
pub(crate) fn features(game: &BlitzWar, state: &State) -> [f32; FEATURES] {
    let mut corps = [0.0f32; 2];
    let mut air = [0.0f32; 2];
    for counter in 0..game.counters() {
        let place = state.location(counter);
        if place >= POOL {
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
        } else if kind == Kind::Air && (place as usize) < MAX_ZONES {
            air[camp] += f32::from(state.strength(counter));
        }
    }
    let balance = |of: [f32; 2]| (of[0] - of[1]) / (of[0] + of[1] + 1.0);
    let turn = f32::from(state.turn());
    let last = f32::from(game.rules.setup.last_turn);
    let progress = (turn / last).min(1.0);
    let lead = (f32::from(game.axis_points(state)) - usual_points(turn)) / 10.0;
    let stock = |force: Force| f32::from(game.total_stock(state, force)) / 20.0;
    let axis = state.control(Force::Axis);
    let foes = state.corps(Force::Allied).or(state.corps(Force::Soviet));
    let mut danger = 0.0;
    for zone in *game.supply_zones(Force::Axis) {
        if !axis.has(zone) {
            danger += 1.0;
        } else if game.adjacent(zone).meets(&foes) {
            danger += 0.3;
        }
    }
    let seized = game.supply_zones(Force::Soviet).and(axis).len() as f32;
    let ground = balance(corps);
    [
        1.0,
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
pub(crate) struct BlitzGuide {
    player: Scripted,
    value: ValueWeights,
}

/// Weight of the scripted player's choice against all other actions together.
const FIRST_CHOICE: f32 = 9.0;

impl BlitzGuide {
    /// A guide with the usual weights.
    pub fn new(atlas: Arc<Atlas>) -> BlitzGuide {
        BlitzGuide::with(atlas, ValueWeights::default())
    }

    /// A guide with other weights.
    pub fn with(atlas: Arc<Atlas>, value: ValueWeights) -> BlitzGuide {
        BlitzGuide { player: Scripted::new(atlas, Effort::Full), value }
    }
}

impl Guide<BlitzWar> for BlitzGuide {
    fn weigh(&mut self, game: &BlitzWar, world: &State, side: Side, legal: &[Action], out: &mut Vec<f32>) {
        // The worlds of a search do not follow each other: each gets a plan of its own, and the same one every time.
        self.player.begin_game();
        let mut rng = Rng64::stream(u64::from(world.turn()), 0, side.index() as u64);
        let first = self.player.pick(game, world, side, legal, &mut rng);
        let share = FIRST_CHOICE * (legal.len() as f32 - 1.0).max(1.0);
        out.extend(legal.iter().map(|&action| if action == first { share } else { 1.0 }));
    }

    fn evaluate(&mut self, game: &BlitzWar, world: &State) -> PerSide<f32> {
        let sum: f32 = features(game, world)
            .iter()
            .zip(self.value.weights)
            .map(|(feature, weight)| feature * weight)
            .sum();
        let axis = 1.0 / (1.0 + (-sum).exp());
        let mut value = PerSide([0.0; MAX_SIDES]);
        value[Force::Axis.side()] = axis;
        value[Force::Allied.side()] = 1.0 - axis;
        value[Force::Soviet.side()] = 1.0 - axis;
        value
    }
}
