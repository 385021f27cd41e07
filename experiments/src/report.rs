//! A run or a tournament as one page: what came out, in words and in plots.
//!
//! [`evidence`] reads the tables of a run, a part at a time, into counts that do not grow with the number of games.
//! [`sections`] says it: one function a section, each with the data it shows as its argument, so that a page is a list of
//! sections and other commands can put theirs into one.

pub mod evidence;
pub mod sections;
pub mod tournament;

pub use evidence::Evidence;
pub use sections::{Section, run_page};
pub use tournament::tournament_page;
