//! The systems that the program knows.

mod blitzwar;
mod data;
mod reference;
mod victory_in_europe;

use crate::system::AnySystem;

/// All systems, in the order in which they are listed.
pub fn all() -> Vec<Box<dyn AnySystem>> {
    let mut systems: Vec<Box<dyn AnySystem>> =
        vec![Box::new(blitzwar::BlitzWarSystem), Box::new(victory_in_europe::VictorySystem)];
    systems.extend(reference::all());
    systems
}
