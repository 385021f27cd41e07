//! The statistics of the Sandtable lab: from counts of game results to numbers with error bars, and from questions to
//! the games that answer them.
//!
//! | module | question |
//! |---|---|
//! | [`interval`] | how sure is this rate, mean, quantile or any other figure of a sample? |
//! | [`pairs`] | how strong is one agent against another, from games in pairs (same dice, sides swapped)? |
//! | [`sprt`] | is B better than A, stopping as soon as it is known? |
//! | [`ratings`] | how strong are many agents, which side and scenario favours whom, who beats whom in a cycle? |
//! | [`design`], [`sensitivity`] | which of these parameters matters, and how much? |
//! | [`root`] | at which value of a parameter is the game fair? |
//! | [`power`] | how many games does it take to see an effect; did this change make a difference? |
//! | [`optimise`] | which values of the parameters are best, when every look is noisy? |
//! | [`logistic`] | how does the chance of winning depend on what is seen? |
//! | [`survival`] | how long does a country live? |
//! | [`shape`] | when is a game decided, how often does the lead change, how often does a loser come back? |
//!
//! Everything here is a pure function of its arguments: no clock, no files, no global generator. Whatever draws random
//! numbers takes a seed, and the same seed gives the same answer on every machine.
//!
//! Intervals are 95% intervals ([`interval::LEVEL`]) unless a function takes a level. A *score* is points per game from
//! 0 to 1: a win is 1, a draw ½.

#![allow(clippy::float_cmp, reason = "the ends of a scale and ties are meant exactly")]

pub mod design;
pub mod interval;
pub mod logistic;
pub mod optimise;
pub mod pairs;
pub mod power;
pub mod ratings;
pub mod root;
pub mod sensitivity;
pub mod shape;
pub mod sprt;
pub mod survival;

mod error;
mod random;

pub use error::Error;
