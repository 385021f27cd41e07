//! A run: games in parts, a folder that survives a power cut, and what is said about it.
//!
//! * [`manifest`]: what identifies a run. [`folder`]: its files. [`tally`]: its results, counted.
//! * [`schedule`]: which thread plays which games. [`progress`]: what is shown meanwhile. [`summary`]: what is shown
//!   after.

pub mod folder;
pub mod lock;
pub mod manifest;
pub mod progress;
pub mod schedule;
pub mod summary;
pub mod tally;
