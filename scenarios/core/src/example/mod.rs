//! Worked examples: a position, decisions in words, the dice, and what must hold. The format is documented in
//! `examples/README.md` of each system.
//!
//! ```text
//! format  the file as it is read, but for positions and expectations, which are the system's
//! runner  builds positions, plays steps with the dice as written, compares
//! words   names, and what differs
//! battle  a battle of an example, or one described in the same words, for the study of odds
//! ```

pub mod battle;
pub mod format;
mod runner;
pub mod words;

pub use runner::{
    Refusal, ScriptedContext, State, Vocabulary, describe_position, fresh, pass, play, play_forced,
    play_phrase, play_until, run,
};

/// What came of one example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExampleReport {
    /// File it stands in.
    pub file: String,
    /// Identifier, unique in a system.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Numbers of the rules it proves.
    pub rules: Vec<String>,
    /// `rulebook` with its number, or `derived`.
    pub provenance: String,
    /// Whether everything held.
    pub passed: bool,
    /// What did not hold, each with its step and what was expected and found.
    pub failures: Vec<String>,
}
