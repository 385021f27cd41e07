//! What agents know of *Europe Engulfed*: how to play each side, and what a position is worth.

mod battle;
mod evaluator;
mod map_tables;
mod orders;
mod outlook;
mod plans;
mod restrictions;
mod rooms;
mod scripted;
mod survey;
mod weights;

use std::sync::Arc;

use sandtable_europe_engulfed::EuropeEngulfed;

use evaluator::Material;
use map_tables::MapTables;
use sandtable_ai::policy::{Evaluator, Named, Policy, Portfolio, SystemKnowledge, Weight};
use sandtable_ai::restricted::Restriction;
use sandtable_ai::search::Depth;
use scripted::Scripted;

/// Knowledge of *Europe Engulfed*, made for one set of rules.
#[derive(Clone, Debug)]
pub struct EngulfedKnowledge {
    map: Arc<MapTables>,
    weights: Vec<Weight>,
    material: Material,
}

impl EngulfedKnowledge {
    /// Reads the map and the aims of both teams from the rules. Its policies and evaluators must only be used with this game.
    pub fn new(game: &EuropeEngulfed) -> EngulfedKnowledge {
        let map = Arc::new(MapTables::new(game));
        let material = Material::new(map.clone(), game);
        EngulfedKnowledge { map, weights: weights::described(game), material }
    }
}

const EVALUATORS: [Named; 1] = [Named {
    name: "material",
    summary: "values positions by power, ground and aims; weighs all moves alike",
}];

const POLICIES: [Named; 2] = [
    Named {
        name: "scripted",
        summary: "attacks at good odds with air support, spends Special Actions where they win ground, builds for the front",
    },
    Named { name: "light", summary: "the same player with fewer cares, for rollouts" },
];

impl SystemKnowledge<EuropeEngulfed> for EngulfedKnowledge {
    fn policies(&self) -> &[Named] {
        &POLICIES
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<EuropeEngulfed>>> {
        self.weighted_policy(name, &[])
    }

    fn weights(&self) -> Vec<Weight> {
        self.weights.clone()
    }

    fn weighted_policy(
        &self,
        name: &str,
        values: &[(String, f32)],
    ) -> Option<Box<dyn Policy<EuropeEngulfed>>> {
        let weights = weights::with(values)?;
        let light = match name {
            "scripted" => false,
            "light" => true,
            _ => return None,
        };
        Some(Box::new(Scripted::new(self.map.clone(), &weights, light)))
    }

    fn evaluators(&self) -> &[Named] {
        &EVALUATORS
    }

    fn evaluator(&self, name: &str) -> Option<Box<dyn Evaluator<EuropeEngulfed>>> {
        (name == EVALUATORS[0].name)
            .then(|| Box::new(self.material.clone()) as Box<dyn Evaluator<EuropeEngulfed>>)
    }

    fn restrictions(&self) -> &[Restriction<EuropeEngulfed>] {
        &restrictions::RESTRICTIONS
    }

    fn default_evaluator(&self) -> &'static str {
        EVALUATORS[0].name
    }

    fn default_depth(&self) -> Depth {
        // This turn and the next: an offensive shows what it is worth when it has been answered.
        Depth::Turns(2)
    }

    fn default_rollout(&self) -> &'static str {
        POLICIES[1].name
    }

    fn portfolio(&self) -> Option<Portfolio<EuropeEngulfed>> {
        Some(plans::portfolio(&self.map))
    }
}
