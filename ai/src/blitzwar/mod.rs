//! What agents know of BlitzWar: how to play each side, and what a position is worth.

mod atlas;
mod board;
mod combat;
mod plan;
mod scripted;
mod strategy;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use sandtable_blitzwar::BlitzWar;

use crate::policy::{Brain, Guide, Named, Policy};
use atlas::Atlas;
use scripted::Scripted;

/// Knowledge of BlitzWar, made for one set of rules (map, cards and charts of a scenario).
#[derive(Clone, Debug)]
pub struct BlitzBrain {
    atlas: Arc<Atlas>,
}

impl BlitzBrain {
    /// Derives distances, values and odds from the rules. Its policies and guides must only be used with this game.
    pub fn new(game: &BlitzWar) -> BlitzBrain {
        BlitzBrain { atlas: Arc::new(Atlas::new(game)) }
    }
}

impl Brain<BlitzWar> for BlitzBrain {
    fn policies(&self) -> &[Named] {
        &[Named {
            name: "scripted",
            summary: "plans offensives, reserves, air, landings and cards turn by turn",
        }]
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<BlitzWar>>> {
        match name {
            "scripted" => Some(Box::new(Scripted::new(self.atlas.clone()))),
            _ => None,
        }
    }

    fn guides(&self) -> &[Named] {
        &[]
    }

    fn guide(&self, _name: &str) -> Option<Box<dyn Guide<BlitzWar>>> {
        None
    }

    fn default_rollout(&self) -> &'static str {
        "scripted"
    }
}
