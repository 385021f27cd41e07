//! Tables: typed and documented columns, filled row by row, written as Parquet or CSV, and read back as typed frames.
//!
//! A [`Schema`] says what each column is; a [`Rows`] buffer holds the rows of some games, column by column;
//! [`write`](write::write) turns a buffer into a file; [`partition`] cuts a buffer into those of several files; a
//! [`Frame`] is a table that was read back.
//!
//! This crate alone knows the library behind the files.

pub mod partition;
pub mod read;
pub mod rows;
pub mod schema;
pub mod write;

pub use read::{Frame, TextTable};
pub use rows::{Row, Rows};
pub use schema::{Column, Kind, Schema};
pub use write::Format;
