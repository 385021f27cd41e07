//! The `sandtable` program as a library, for its tests and benchmarks: everything that is no system's own, and [`systems`],
//! those that are plugged in.

pub mod systems;

pub use sandtable_experiments::*;
