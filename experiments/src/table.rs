//! Tables: typed and documented columns, filled row by row, written as Parquet or CSV.
//!
//! A [`Schema`] says what each column is; a [`Rows`] buffer holds the rows of some games, column by column;
//! [`write`] turns a buffer into a file; [`partition`] cuts a buffer into those of several files.

mod pages;
pub mod partition;
pub mod read;
pub mod rows;
pub mod schema;
pub mod write;

pub use rows::{Row, Rows};
pub use schema::{Column, Kind, Schema};
pub use write::Format;
