//! Files that are read: see [`sandtable_scenarios::files`].

pub use sandtable_scenarios::files::{read_bytes, read_text, read_text_within};
