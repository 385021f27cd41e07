//! The systems that the program knows.

mod reference;

use crate::system::AnySystem;

/// All systems, in the order in which they are listed.
pub fn all() -> Vec<Box<dyn AnySystem>> {
    reference::all()
}
