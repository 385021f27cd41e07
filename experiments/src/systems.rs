//! The systems that the program knows: the one list of them.

use crate::system::AnySystem;

mod data;

/// Takes in the modules of this folder whose names it is given. Each says by its function `systems` what it adds.
macro_rules! registry {
    ($($module:ident)*) => {
        $(mod $module;)*

        /// All systems, in the order in which they are listed.
        pub fn all() -> Vec<Box<dyn AnySystem>> {
            [$($module::systems()),*].into_iter().flatten().collect()
        }
    };
}

registry! {
    blitzwar
    victory_in_europe
    roads_to_moscow
    reference
    skirmish
}
