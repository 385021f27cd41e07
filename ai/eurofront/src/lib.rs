#![allow(clippy::doc_markdown)] // the name of the game is no path

//! What agents know of *EuroFront*: how to play each side, and what a position is worth.
//!
//! # What is built
//!
//! In the scenario of 1936 the player fights for cities and railways; in campaigns it sees fronts as well: what the enemy
//! holds and may be reached draws, lines are held for what lies behind them, neutral land draws nobody, headquarters keep
//! apart and are spent while they are strong. Away from the front on land it declares the wars of the Axis when they are
//! ready, weighs diplomatic events, offers and accepts armistices, allots and transfers points, leads invasions and drops
//! and places beachheads.
//!
//! What it does not do yet: it evacuates nobody, opens no sea and no strait on purpose, sends no convoys by choice and
//! does not see how a voyage will be intercepted but by who rules the waters at its ends. The Allies declare no war,
//! the Soviets none but on the Baltic States. In 1940A the Axis drives at Paris, and when France is beaten tries for the
//! ports of England from those of the Channel; it sends what is idle to where the conditions ask for armies, too slowly to
//! fulfil them all, marches on Egypt from Libya, and fights no war in Greece. In Operation Weser it takes Kristiansand, brings Dietl ashore there and besieges Oslo until it falls or the army is gone. Only in the North do the routes of areas draw armies,
//! and only in the scenario of the Winter War (1939A) are attacks planned along them. On maps of more than two hundred
//! places it does not look at what cutting a railway would bring. It lets no reinforcement wait or hasten and disbands
//! nobody. It plays no surprise in the Ardennes, confines no paratroops to the ground and names no hexes for second
//! waves. Its evaluator is made for 1936 and for the Victory Cities of 1944.

mod accounts;
mod battle;
mod command;
mod diplomacy;
mod evaluator;
mod forecast;
mod landings;
mod map_tables;
mod norway;
mod plan;
mod plans;
mod production;
mod restrictions;
mod scripted;
mod slopes;
mod stations;
mod survey;
#[cfg(test)]
mod testing;
mod weights;

use std::sync::Arc;

use sandtable_ai::policy::{Evaluator, Named, Policy, Portfolio, SystemKnowledge, Weight};
use sandtable_ai::restricted::Restriction;
use sandtable_ai::search::Depth;
use sandtable_eurofront::EuroFront;

use evaluator::Standing;
use map_tables::MapTables;
use scripted::Scripted;
use weights::{Sides, Weights};

/// Knowledge of *EuroFront*, made for one set of rules.
#[derive(Clone, Debug)]
pub struct EuroKnowledge {
    tables: Arc<MapTables>,
    sides: Sides,
}

impl EuroKnowledge {
    /// Reads the map and the scenario from the rules. Its policies and evaluators must only be used with this game.
    pub fn new(game: &EuroFront) -> EuroKnowledge {
        EuroKnowledge { tables: Arc::new(MapTables::new(game)), sides: weights::sides(game) }
    }

    fn player(&self, name: &str, weights: [Weights; 2]) -> Option<Box<dyn Policy<EuroFront>>> {
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
        summary: "commands where it brings most, plans attacks and posts together, builds for its front",
    },
    Named { name: "light", summary: "the same player with fewer cares, for rollouts" },
];

const EVALUATORS: [Named; 1] = [Named {
    name: "standing",
    summary: "values positions by the places held and the strength of both sides",
}];

impl SystemKnowledge<EuroFront> for EuroKnowledge {
    fn policies(&self) -> &[Named] {
        &POLICIES
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<EuroFront>>> {
        self.weighted_policy(name, &[])
    }

    fn weights(&self) -> Vec<Weight> {
        weights::weights(self.sides)
    }

    fn weighted_policy(&self, name: &str, values: &[(String, f32)]) -> Option<Box<dyn Policy<EuroFront>>> {
        self.player(name, weights::with(self.sides, values)?)
    }

    fn evaluators(&self) -> &[Named] {
        &EVALUATORS
    }

    fn evaluator(&self, name: &str) -> Option<Box<dyn Evaluator<EuroFront>>> {
        (name == EVALUATORS[0].name)
            .then(|| Box::new(Standing::new(self.tables.clone())) as Box<dyn Evaluator<EuroFront>>)
    }

    fn restrictions(&self) -> &[Restriction<EuroFront>] {
        &restrictions::RESTRICTIONS
    }

    fn default_evaluator(&self) -> &'static str {
        EVALUATORS[0].name
    }

    fn default_depth(&self) -> Depth {
        // Two months: what headquarters have spent has begun to come back.
        Depth::Turns(4)
    }

    fn default_rollout(&self) -> &'static str {
        "light"
    }

    fn portfolio(&self) -> Option<Portfolio<EuroFront>> {
        Some(plans::portfolio(&self.tables))
    }
}
