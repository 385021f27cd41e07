//! Questions answered by many games.
//!
//! * [`arena`]: plays numbered games on many threads and hands their results over.
//! * [`progress`]: what is shown meanwhile.
//! * [`tournament`]: how strong are these agents, against each other and on each side?

pub mod arena;
pub mod progress;
pub mod tournament;
