//! Tournaments: agents meet in pairs of games over one or more scenarios.
//!
//! A *pair* is two games with the same dice in which the agents swap teams; it is the unit that is independent of all
//! others. A *pairing* is two agents, with all their pairs in all scenarios. Which dice a pair has depends on the
//! seed of the tournament, the scenario, the two agents and the number of the pair: not on who else takes part, nor
//! on when or where it is played. So a tournament can grow by pairs, agents and scenarios, and what is there stays as
//! it is.
//!
//! * [`manifest`]: what identifies a tournament. [`store`]: its folder.
//! * [`schedule`]: who has met whom, and what is to be played next; pairs are counted in their order.
//! * [`report`]: ratings and all other figures. [`tables`]: the same as tables. [`merge`]: shards put together.

pub mod manifest;
pub mod merge;
pub mod report;
pub mod schedule;
pub mod store;
pub mod tables;

use sandtable_ai::AgentSpec;
use sandtable_core::{Digest, SideInfo};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::lab::arena::AgentAssignment;
use crate::system::{AnyScenario, Extras, GameResult, Setup};
use crate::table::partition;

/// Two games with the same dice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairRecord {
    /// The agent on the first team in the first game; its number is the lower one.
    pub a: usize,
    /// The other agent.
    pub b: usize,
    /// The scenario.
    pub scenario: usize,
    /// The number of the pair among those of these two in this scenario, from 0.
    pub pair: u64,
    /// The result with `a` on the first team, then with `b` on the first team.
    pub legs: [GameResult; 2],
}

/// The seed of all games between two agents in a scenario, in whichever order the two are named. The number of the
/// pair is the number of the game.
pub fn seed_of(seed: u64, scenario: &str, one: &str, other: &str) -> u64 {
    Digest::of(&("tournament", seed, scenario, one.min(other), one.max(other)))
}

/// The field of a tournament: scenarios with the same sides, and agents who can play them.
pub struct Field<'a> {
    /// The scenarios.
    pub scenarios: &'a [Box<dyn AnyScenario + 'a>],
    /// The agents.
    pub agents: Vec<AgentSpec>,
}

impl Field<'_> {
    /// The sides, which all scenarios have in common.
    pub fn sides(&self) -> &[SideInfo] {
        self.scenarios[0].sides()
    }

    /// The name of an agent: its description in canonical form.
    pub fn name(&self, agent: usize) -> String {
        self.agents[agent].to_string()
    }

    fn setup(&self) -> Setup {
        Setup { agents: self.agents.clone(), seed: 0, extras: Extras::default() }
    }

    /// Whether any agent's choices depend on the speed of the machine.
    pub fn is_timed(&self) -> bool {
        self.setup().is_timed()
    }

    /// Whether any agent searches, and so takes much longer than the rules do.
    pub fn searches(&self) -> bool {
        self.setup().searches()
    }

    /// Every pair of agents in every scenario, with their sides: see [`Field::assignment`].
    pub fn assignments(&self) -> Vec<AgentAssignment<'_>> {
        let mut assignments = Vec::new();
        for scenario in self.scenarios {
            for first in &self.agents {
                for second in &self.agents {
                    let agents = self.sides().iter().map(|side| if side.team == 0 { first } else { second });
                    assignments.push(AgentAssignment {
                        scenario: scenario.as_ref(),
                        agents: agents.cloned().collect(),
                    });
                }
            }
        }
        assignments
    }

    /// The place in [`Field::assignments`] of `first` on the first team and `second` on the second one.
    pub fn assignment(&self, scenario: usize, first: usize, second: usize) -> usize {
        (scenario * self.agents.len() + first) * self.agents.len() + second
    }

    /// Fails unless a tournament can be played here.
    ///
    /// # Errors
    /// If a scenario has other sides than the first one or not two teams or too long a path, or an agent asks for
    /// what a system has not.
    pub fn check(&self) -> Result<(), Failure> {
        let shape = |scenario: &dyn AnyScenario| {
            scenario.sides().iter().map(|side| (side.id, side.team)).collect::<Vec<_>>()
        };
        let first = &self.scenarios[0];
        for scenario in self.scenarios {
            let mut teams: Vec<u8> = scenario.sides().iter().map(|side| side.team).collect();
            teams.sort_unstable();
            teams.dedup();
            if teams != [0, 1] {
                return Err(Failure::input(format!(
                    "--scenario {}: it has {} teams; a tournament needs two",
                    scenario.id(),
                    teams.len()
                )));
            }
            if shape(scenario.as_ref()) != shape(first.as_ref()) {
                let ids = |scenario: &dyn AnyScenario| {
                    scenario.sides().iter().map(|side| side.id).collect::<Vec<_>>().join(", ")
                };
                return Err(Failure::input(format!(
                    "--scenario {}: its sides are {}, those of {} are {}; the scenarios of a tournament have the same \
                     sides",
                    scenario.id(),
                    ids(scenario.as_ref()),
                    first.id(),
                    ids(first.as_ref())
                )));
            }
            partition::check(tables::SCENARIO, scenario.id())
                .map_err(|what| Failure::input(format!("--scenario {}: {what}", scenario.id())))?;
            for agent in &self.agents {
                scenario.check_agent(agent).map_err(|failure| match failure {
                    Failure::Input(message) => {
                        Failure::input(format!("--agent {agent}, in {}: {message}", scenario.id()))
                    }
                    other => other,
                })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dice_of_two_agents_are_theirs_alone() {
        let seed = seed_of(1, "chess", "a", "b");
        assert_eq!(seed, seed_of(1, "chess", "b", "a"));
        for other in [
            seed_of(2, "chess", "a", "b"),
            seed_of(1, "go", "a", "b"),
            seed_of(1, "chess", "a", "c"),
            seed_of(1, "chess", "ab", ""),
        ] {
            assert_ne!(seed, other);
        }
    }
}
