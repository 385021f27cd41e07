//! Which agent plays which side.

use sandtable_core::Game;

use crate::agent::Agent;
use crate::policy::SystemKnowledge;
use crate::spec::{AgentSpec, SpecError};

/// The agent of each side, as specified. An agent plays one game: for the next, [`Assignment::agents`] makes new
/// ones, so that no game can depend on which were played before it, or on which thread.
///
/// To make them costs nothing beside a game: agents of policies and searches are buffers that the game fills anew, and
/// the `random` agent has no memory at all.
pub struct Assignment<'a, G: Game> {
    specs: Vec<AgentSpec>,
    knowledge: &'a dyn SystemKnowledge<G>,
}

impl<'a, G: Game + 'static> Assignment<'a, G> {
    /// Side `i` is played by the agent that `specs[i]` describes.
    ///
    /// # Errors
    /// If an agent cannot be built.
    pub fn new(specs: &[AgentSpec], knowledge: &'a dyn SystemKnowledge<G>) -> Result<Self, SpecError> {
        for spec in specs {
            spec.build(knowledge)?;
        }
        Ok(Assignment { specs: specs.to_vec(), knowledge })
    }

    /// How many sides there are.
    pub fn sides(&self) -> usize {
        self.specs.len()
    }

    /// New agents for one game, by side.
    pub fn agents(&self) -> impl Iterator<Item = Box<dyn Agent<G>>> {
        let build = |spec: &AgentSpec| spec.build(self.knowledge).expect("it could be built before");
        self.specs.iter().map(build)
    }
}
