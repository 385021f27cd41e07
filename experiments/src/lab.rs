//! Questions answered by many games.
//!
//! * [`arena`]: plays numbered games on many threads and hands their results over.
//! * [`progress`]: what is shown meanwhile.
//! * [`store`]: the folder that keeps it.
//! * [`sweep`]: which values of a scenario matter, and how much?
//! * [`tournament`]: how strong are these agents, against each other and on each side?
//! * [`tune`]: which weights make an agent strongest, which values make a scenario fair?

pub mod arena;
mod columns;
pub mod progress;
pub mod store;
pub mod sweep;
pub mod tournament;
pub mod tune;
mod words;
