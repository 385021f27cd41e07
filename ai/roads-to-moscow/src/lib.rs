//! What agents know of *Roads to Moscow*: how to play each side, and what a position is worth.

mod activation;
mod assault;
mod evaluator;
mod fighting;
#[cfg(test)]
mod fixture;
mod forecast;
mod map_tables;
mod plan;
mod plans;
mod posts;
mod reach;
mod restrictions;
mod scripted;
mod survey;
mod weights;

use std::sync::Arc;

use sandtable_ai::policy::{Evaluator, Named, Policy, Portfolio, SystemKnowledge, Weight};
use sandtable_ai::restricted::Restriction;
use sandtable_ai::search::Depth;
use sandtable_roads_to_moscow::RoadsToMoscow;

use evaluator::Standing;
use map_tables::MapTables;
use scripted::Scripted;
use weights::Weights;

/// Knowledge of *Roads to Moscow*, made for one set of rules.
#[derive(Clone, Debug)]
pub struct MoscowKnowledge {
    tables: Arc<MapTables>,
}

impl MoscowKnowledge {
    /// Reads the map, the objectives and the combat tables from the rules. Its policies and evaluators must only be used
    /// with this game.
    pub fn new(game: &RoadsToMoscow) -> MoscowKnowledge {
        MoscowKnowledge { tables: Arc::new(MapTables::new(game)) }
    }

    fn player(&self, name: &str, weights: [Weights; 2]) -> Option<Box<dyn Policy<RoadsToMoscow>>> {
        let light = match name {
            "scripted" => false,
            "light" => true,
            _ => return None,
        };
        Some(Box::new(Scripted::new(self.tables.clone(), weights, light)))
    }
}

const POLICIES: [Named; 2] = [
    Named {
        name: "scripted",
        summary: "plans each sequence: attacks at good odds, the enemy's roads barred, guns and headquarters behind",
    },
    Named { name: "light", summary: "the same player with fewer cares, for rollouts" },
];

const EVALUATORS: [Named; 1] = [Named {
    name: "standing",
    summary: "values positions by the score, the objectives within reach and the strength of both sides",
}];

impl SystemKnowledge<RoadsToMoscow> for MoscowKnowledge {
    fn policies(&self) -> &[Named] {
        &POLICIES
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<RoadsToMoscow>>> {
        self.player(name, weights::with(self.tables.attacker, &[])?)
    }

    fn weights(&self) -> Vec<Weight> {
        weights::all(self.tables.attacker)
    }

    fn weighted_policy(
        &self,
        name: &str,
        values: &[(String, f32)],
    ) -> Option<Box<dyn Policy<RoadsToMoscow>>> {
        self.player(name, weights::with(self.tables.attacker, values)?)
    }

    fn evaluators(&self) -> &[Named] {
        &EVALUATORS
    }

    fn evaluator(&self, name: &str) -> Option<Box<dyn Evaluator<RoadsToMoscow>>> {
        (name == EVALUATORS[0].name)
            .then(|| Box::new(Standing::new(self.tables.clone())) as Box<dyn Evaluator<RoadsToMoscow>>)
    }

    fn restrictions(&self) -> &[Restriction<RoadsToMoscow>] {
        &restrictions::RESTRICTIONS
    }

    fn default_evaluator(&self) -> &'static str {
        EVALUATORS[0].name
    }

    fn default_depth(&self) -> Depth {
        // This turn alone, in which an attack is answered by all the enemy's formations: with the next one the dice hide what a plan
        // is worth, and half as many simulations fit into the same time.
        Depth::Turns(1)
    }

    fn default_rollout(&self) -> &'static str {
        "light"
    }

    fn portfolio(&self) -> Option<Portfolio<RoadsToMoscow>> {
        Some(plans::portfolio(&self.tables))
    }
}
