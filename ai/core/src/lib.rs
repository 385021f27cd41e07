//! Agents that play any [`Game`](sandtable_core::Game).
//!
//! * [`agent`]: what an agent is, and the [`View`] through which alone it sees the game.
//! * [`policy`]: what a system may teach its agents: policies, evaluators (move weights and evaluation), its
//!   [`SystemKnowledge`].
//! * [`simple`]: the `random` and the `scripted` agent.
//! * [`flat`]: flat Monte Carlo.
//! * [`search`]: Monte Carlo tree search, open-loop in chance, with and without hidden information.
//! * [`plans`]: search over whole plans, for systems that know some.
//! * [`restricted`]: agents that are denied something.
//! * [`spec`]: one-line descriptions of agents, such as `mcts:iterations=2000,rollout=scripted,depth=2t`.
//! * [`assignment`]: which agent plays which side, with new agents for each game.
//! * [`play`]: one game between agents.
//! * [`kit`]: what every agent must keep, checked for any game.
//!
//! ```
//! use sandtable_ai::{AgentSpec, Plain, Streams, play_game};
//! # use sandtable_core::{Dice, Game, Outcome, PerSide, Side, SideInfo, Context, Turn};
//! # struct Nim([SideInfo; 2]);
//! # impl Game for Nim {
//! #     type State = (u8, u8);
//! #     type Action = u8;
//! #     type Event = ();
//! #     fn sides(&self) -> &[SideInfo] { &self.0 }
//! #     fn initial<T: Context<()>>(&self, _: &mut T) -> (u8, u8) { (10, 0) }
//! #     fn turn_of(&self, s: &(u8, u8)) -> Turn { if s.0 == 0 { Turn::Over } else { Turn::Decide(Side(s.1)) } }
//! #     fn outcome(&self, s: &(u8, u8)) -> Option<Outcome> {
//! #         let mut utility = PerSide::default();
//! #         utility.0[1 - usize::from(s.1)] = 1.0;
//! #         (s.0 == 0).then_some(Outcome { points: utility, utility, winner: Some(1 - s.1), end_reason: "last_taken" })
//! #     }
//! #     fn legal_actions(&self, s: &(u8, u8), out: &mut Vec<u8>) { out.extend(1..=s.0.min(3)) }
//! #     fn apply<T: Context<()>>(&self, s: &mut (u8, u8), a: u8, _: &mut T) { *s = (s.0 - a, 1 - s.1) }
//! #     fn determinize<D: Dice>(&self, s: &(u8, u8), _: Side, _: &mut D) -> (u8, u8) { *s }
//! #     fn observation(&self, s: &(u8, u8), _: Side) -> u64 { self.hash(s) }
//! #     fn hash(&self, s: &(u8, u8)) -> u64 { u64::from(s.0) * 2 + u64::from(s.1) }
//! #     fn recomputed_hash(&self, s: &(u8, u8)) -> u64 { self.hash(s) }
//! #     fn check(&self, _: &(u8, u8)) -> Result<(), String> { Ok(()) }
//! #     fn turn_number(&self, _: &(u8, u8)) -> u32 { 1 }
//! #     fn describe(&self, _: &(u8, u8), a: u8) -> String { format!("takes {a}") }
//! # }
//! # let side = |id| SideInfo { id, name: id, team: u8::from(id == "second"), points: (0, 1) };
//! # let game = Nim([side("first"), side("second")]);
//! let agents = ["mcts:iterations=2000", "random"]
//!     .map(|spec| spec.parse::<AgentSpec>().unwrap().build(&Plain).unwrap());
//! let mut streams = Streams::new(1, 0, game.sides().len());
//! let outcome = play_game(&game, agents, &mut streams, (), &mut ());
//! assert_eq!(outcome.winner, Some(0)); // ten sticks, take one to three, the last one wins: the first side can force it
//! ```

pub mod agent;
pub mod analysis;
pub mod assignment;
pub mod budget;
pub mod flat;
pub mod kit;
pub mod plans;
pub mod play;
pub mod policy;
pub mod restricted;
pub mod search;
pub mod simple;
pub mod spec;
mod tree;
pub mod value;

pub use agent::{Agent, SearchFigures, View};
pub use analysis::{AnalysisOptions, Analyst};
pub use assignment::Assignment;
pub use play::{Decision, Observer, Streams, play_game};
pub use policy::{
    Evaluator, Horizon, Named, Plain, Policy, Portfolio, SystemKnowledge, UniformEvaluator, UniformPolicy,
    Weight,
};
pub use restricted::{Restricted, Restriction};
pub use spec::{AgentInfo, AgentSpec, OptionInfo, SpecError, agents};
pub use value::{Feature, LogisticValue};
