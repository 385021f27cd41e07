//! Which values of the parameters are best, when every look is noisy.
//!
//! Two optimisers over the same [`Factor`](crate::design::Factor)s, both in the form *ask, play, tell*, both told
//! what to maximise:
//! - [`Spsa`] follows the slope: for many ordered factors at once and a response that is smooth in them, such as the
//!   weights of an evaluation. A look is a match of two settings against each other, or two runs with the same dice.
//! - [`Ntbea`] searches a table of levels with a bandit: for a few factors of any kind, categories included, with no
//!   slope to follow. A look is one setting.
//!
//! Their state is plain data: it can be stored at any time and taken up again, and the same answers lead to the same
//! questions. Short runs from several seeds with a play-off at the end beat one long run.

mod ntbea;
mod spsa;

pub use ntbea::{Ntbea, NtbeaSettings};
pub use spsa::{Spsa, SpsaSettings, Trial};
