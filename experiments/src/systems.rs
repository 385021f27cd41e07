//! The systems that the program knows: the one list of them.

use sandtable_experiments::system::AnySystem;

/// All systems, in the order in which they are listed.
pub fn all() -> Vec<Box<dyn AnySystem>> {
    let systems = [
        sandtable_experiments_blitzwar::systems(),
        sandtable_experiments_victory_in_europe::systems(),
        sandtable_experiments_roads_to_moscow::systems(),
        sandtable_experiments_eurofront::systems(),
        sandtable_experiments_europe_engulfed::systems(),
        sandtable_experiments_reference::systems(),
        sandtable_experiments_reference::skirmish::systems(),
    ];
    systems.into_iter().flatten().collect()
}
