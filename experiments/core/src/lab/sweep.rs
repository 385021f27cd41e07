//! Sweeps: designed experiments over values of a scenario's data, crossed with agent assignments.
//!
//! A sweep plays the same numbered games (the same dice) at every point of a design, so that what differs between two
//! points is not the luck of the dice; and asks which factors move the outcome, and how.
//!
//! ```text
//! experiment file ──▶ Experiment ──▶ Plan: points, settings, jobs ──▶ games in parts ──▶ Cells ──▶ Report, tables
//! ```
//!
//! * [`file`]: the experiment as its author writes it. [`plan`]: what is played where.
//! * [`manifest`]: what identifies a sweep. [`store`]: its folder. [`play`]: the games.
//! * [`games`]: their table. [`report`]: effects and indices. [`tables`]: all figures as tables.

pub mod file;
pub mod games;
pub mod manifest;
pub mod plan;
pub mod play;
pub mod report;
pub mod store;
pub mod tables;
