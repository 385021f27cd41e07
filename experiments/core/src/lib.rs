//! The `sandtable` program but for its systems, each of which is a crate over this one.
//!
//! * [`system`]: how a game system is plugged in.
//! * [`run`]: games in parts, a folder that survives a power cut, a summary.
//! * [`lab`]: questions answered by many games: an arena of numbered games, tournaments, studies.
//! * [`table`]: typed, documented columns as Parquet or CSV, cut into files by scenario where a table has several (a
//!   crate).
//! * [`manifest`]: what every folder says of itself; [`build_info`]: its version and commit.
//! * [`draw`]: maps and plots; [`report`]: runs, tournaments and studies as pages.
//! * [`files`] and [`failure`]: what is read, and what can go wrong.
//! * [`cli`] and [`commands`]: the command line, one module a command.

pub mod build_info;
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
mod terminal;

pub use sandtable_table as table;
