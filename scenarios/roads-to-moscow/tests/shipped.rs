//! What the data of Roads to Moscow must say.

use sandtable_scenarios::kit;
use sandtable_scenarios_roads_to_moscow::Examples;

#[test]
fn every_scenario_opens_and_the_engine_takes_it() {
    kit::check_scenarios::<Examples>(&["borodino-field", "mozhaysk", "pervyy-voin", "road-to-mtsensk"]);
}
