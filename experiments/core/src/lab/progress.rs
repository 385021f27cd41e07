//! What is shown while the lab works.

pub use crate::run::progress::{Meter as Progress, ProgressReport};
