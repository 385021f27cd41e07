//! Questions answered by many games.
//!
//! * [`analysis`]: what was given away in a game, and how much of it was luck?
//! * [`arena`]: plays numbered games on many threads and hands their results over.
//! * [`balance`]: how fair is this scenario, and what would make it so?
//! * [`compare`]: what difference does a change make?
//! * [`learn`]: what are positions worth?
//! * [`progress`]: what is shown meanwhile.
//! * [`store`]: the folder that keeps them, also through a kill.
//! * [`study`]: games in a fixed order whose continuation may depend on their results.
//! * [`sweep`]: which values of a scenario matter, and how much?
//! * [`tournament`]: how strong are these agents, against each other and on each side?
//! * [`tune`]: which weights make an agent strongest, which values make a scenario fair?

pub mod analysis;
pub mod arena;
pub mod balance;
pub(crate) mod columns;
pub mod compare;
pub mod learn;
pub mod progress;
pub mod store;
pub mod study;
pub mod sweep;
pub mod tournament;
pub mod tune;
pub(crate) mod words;
