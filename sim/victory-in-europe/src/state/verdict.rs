//! How a game has ended (9), as a part of the state.

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Verdict {
    /// It has not.
    #[default]
    Open,
    /// The Axis holds Berlin and one of the groups of 9.1, by its index among them.
    Axis(u8),
    /// The Allies hold the five capitals between them (9.2).
    Allies,
    /// No decision by the end: who holds Berlin has won (9.3).
    Berlin,
}
