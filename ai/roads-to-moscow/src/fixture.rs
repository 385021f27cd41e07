//! What the tests of the players share.

use sandtable_roads_to_moscow::RoadsToMoscow;

use crate::map_tables::MapTables;

/// A scenario, by its name within the system, and what players read off its map.
pub fn open(scenario: &str) -> (RoadsToMoscow, MapTables) {
    let name = format!("roads-to-moscow/{scenario}");
    let scenario = sandtable_scenarios_roads_to_moscow::open(&name, &[]).unwrap();
    let game = RoadsToMoscow::new(scenario.into_rules()).unwrap();
    let tables = MapTables::new(&game);
    (game, tables)
}
