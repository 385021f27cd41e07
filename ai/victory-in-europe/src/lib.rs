//! What agents know of *Victory in Europe*: how to play each force, and what a position is worth.

mod assessment;
mod evaluator;
mod map_tables;
mod odds;
mod orders;
mod plans;
mod pursuit;
mod restrictions;
mod scripted;
mod strategy;
mod weights;

use std::sync::Arc;

use sandtable_victory_in_europe::VictoryInEurope;

use evaluator::Material;
use map_tables::MapTables;
use sandtable_ai::policy::{Evaluator, Named, Policy, Portfolio, SystemKnowledge, Weight};
use sandtable_ai::restricted::Restriction;
use sandtable_ai::search::Depth;
use scripted::Scripted;
#[doc(hidden)]
pub use strategy::is_time_for_second_front;
pub(crate) use weights::Weights;

/// Knowledge of *Victory in Europe*, made for one set of rules.
#[derive(Clone, Debug)]
pub struct VictoryKnowledge {
    map_tables: Arc<MapTables>,
    weights: Vec<Weight>,
}

impl VictoryKnowledge {
    /// Reads the map and the aims of both teams from the rules. Its policies and evaluators must only be used with this game.
    pub fn new(game: &VictoryInEurope) -> VictoryKnowledge {
        VictoryKnowledge { map_tables: Arc::new(MapTables::new(game)), weights: weights::described(game) }
    }

    /// The scripted player with other weights, by force.
    pub(crate) fn scripted_with(&self, weights: &[Weights; 3]) -> Box<dyn Policy<VictoryInEurope>> {
        Box::new(Scripted::new(self.map_tables.clone(), weights))
    }
}

const GUIDES: [Named; 1] = [Named {
    name: "material",
    summary: "values positions by aims, ground, steps, factories and the way to Berlin; weighs all moves alike",
}];

const POLICIES: [Named; 1] = [Named {
    name: "scripted",
    summary: "plans battles and landings by expected hits, guards what is threatened, drives at the aims of its force",
}];

impl SystemKnowledge<VictoryInEurope> for VictoryKnowledge {
    fn policies(&self) -> &[Named] {
        &POLICIES
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<VictoryInEurope>>> {
        (name == POLICIES[0].name).then(|| self.scripted_with(&Weights::all()))
    }

    fn weights(&self) -> Vec<Weight> {
        self.weights.clone()
    }

    fn weighted_policy(
        &self,
        name: &str,
        values: &[(String, f32)],
    ) -> Option<Box<dyn Policy<VictoryInEurope>>> {
        let weights = weights::with(&self.weights, values)?;
        (name == POLICIES[0].name).then(|| self.scripted_with(&weights))
    }

    fn evaluators(&self) -> &[Named] {
        &GUIDES
    }

    fn evaluator(&self, name: &str) -> Option<Box<dyn Evaluator<VictoryInEurope>>> {
        (name == GUIDES[0].name)
            .then(|| Box::new(Material::new(self.map_tables.clone())) as Box<dyn Evaluator<VictoryInEurope>>)
    }

    fn restrictions(&self) -> &[Restriction<VictoryInEurope>] {
        &restrictions::RESTRICTIONS
    }

    fn default_evaluator(&self) -> &'static str {
        GUIDES[0].name
    }

    fn default_depth(&self) -> Depth {
        // This turn and the next: an offensive shows what it is worth when it has been answered.
        Depth::Turns(2)
    }

    fn default_rollout(&self) -> &'static str {
        POLICIES[0].name
    }

    fn portfolio(&self) -> Option<Portfolio<VictoryInEurope>> {
        Some(plans::portfolio(&self.map_tables))
    }
}
