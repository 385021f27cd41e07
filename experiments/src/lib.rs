//! The `sandtable` program as a library, for its tests and benchmarks.
//!
//! * [`system`]: how a game system is plugged in; [`systems`]: those that are.
//! * [`run`]: games in parts, a folder that survives a power cut, a summary.
//! * [`lab`]: questions answered by many games: an arena of numbered games, tournaments, studies.
//! * [`table`]: typed, documented columns as Parquet or CSV, cut into files by scenario where a table has several (a
//!   crate).
//! * [`manifest`]: what every folder says of itself.
//! * [`draw`]: maps and plots; [`report`]: runs, tournaments and studies as pages.
//! * [`files`] and [`failure`]: what is read, and what can go wrong.
//! * [`cli`] and [`commands`]: the command line, one module a command.

pub mod cli;
pub mod commands;
pub mod draw;
pub mod failure;
pub mod files;
pub mod lab;
pub mod manifest;
pub mod report;
pub mod run;
pub mod system;
pub mod systems;
mod terminal;

pub use sandtable_table as table;
