//! The `sandtable` program as a library, for its tests and benchmarks.

pub mod failure;
pub mod stats;
pub mod table;
