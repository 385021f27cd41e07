//! What agents know of `BlitzWar`: how to play each side, and what a position is worth.

mod board;
mod combat;
mod evaluator;
mod map_tables;
mod plan;
mod portfolio;
mod restrictions;
mod scripted;
mod strategy;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tests;
mod weights;

use std::sync::Arc;

use sandtable_blitzwar::BlitzWar;

use evaluator::BlitzEvaluator;
use map_tables::MapTables;
use sandtable_ai::LogisticValue;
use sandtable_ai::policy::{Evaluator, Named, Policy, Portfolio, SystemKnowledge, Weight};
use sandtable_ai::restricted::Restriction;
use sandtable_ai::search::Depth;
use scripted::{Effort, Scripted};

pub use strategy::{Dates, Weights};

/// Knowledge of `BlitzWar`, made for one set of rules (map, cards and charts of a scenario).
#[derive(Clone, Debug)]
pub struct BlitzKnowledge {
    map_tables: Arc<MapTables>,
    value: LogisticValue,
}

impl BlitzKnowledge {
    /// Derives distances, values and odds from the rules. Its policies and evaluators must only be used with this game.
    pub fn new(game: &BlitzWar) -> BlitzKnowledge {
        BlitzKnowledge { map_tables: Arc::new(MapTables::new(game)), value: evaluator::of_scenario(game) }
    }
}

impl SystemKnowledge<BlitzWar> for BlitzKnowledge {
    fn policies(&self) -> &[Named] {
        &POLICIES
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<BlitzWar>>> {
        Some(Box::new(Scripted::new(self.map_tables.clone(), effort(name)?)))
    }

    fn weights(&self) -> Vec<Weight> {
        weights::all()
    }

    fn weighted_policy(&self, name: &str, values: &[(String, f32)]) -> Option<Box<dyn Policy<BlitzWar>>> {
        let effort = effort(name)?;
        Some(Box::new(Scripted::new(self.map_tables.clone(), effort).with(&weights::with(values)?)))
    }

    fn evaluators(&self) -> &[Named] {
        &GUIDES
    }

    fn evaluator(&self, name: &str) -> Option<Box<dyn Evaluator<BlitzWar>>> {
        (name == "blitzwar").then(|| {
            Box::new(BlitzEvaluator::new(self.map_tables.clone(), self.value.clone()))
                as Box<dyn Evaluator<BlitzWar>>
        })
    }

    fn restrictions(&self) -> &[Restriction<BlitzWar>] {
        &restrictions::RESTRICTIONS
    }

    fn default_rollout(&self) -> &'static str {
        "light"
    }

    fn default_evaluator(&self) -> &'static str {
        "blitzwar"
    }

    fn default_depth(&self) -> Depth {
        // An offensive shows what it is worth within a season.
        Depth::Turns(4)
    }

    fn portfolio(&self) -> Option<Portfolio<BlitzWar>> {
        Some(portfolio::portfolio(&self.map_tables))
    }
}

/// How much the player of a policy cares for.
fn effort(policy: &str) -> Option<Effort> {
    match policy {
        "scripted" => Some(Effort::Full),
        "light" => Some(Effort::Light),
        _ => None,
    }
}

const POLICIES: [Named; 2] = [
    Named {
        name: "scripted",
        summary: "plans cards, offensives, fronts, air, landings and shipping turn by turn, to a timetable for each side",
    },
    Named { name: "light", summary: "the same player with fewer cares, for rollouts" },
];

const GUIDES: [Named; 1] = [Named {
    name: "blitzwar",
    summary: "prefers what the scripted player would do; values positions by points, corps, supply and Supply Zones",
}];
