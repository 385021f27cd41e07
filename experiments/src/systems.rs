//! The systems that the program knows.

mod blitzwar;
mod reference;

use crate::system::AnySystem;

/// All systems, in the order in which they are listed.
pub fn all() -> Vec<Box<dyn AnySystem>> {
    let mut systems: Vec<Box<dyn AnySystem>> = vec![Box::new(blitzwar::BlitzWarSystem)];
    systems.extend(reference::all());
    systems
}
