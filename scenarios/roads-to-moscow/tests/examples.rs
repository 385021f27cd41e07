//! The worked examples of Roads to Moscow.

use sandtable_scenarios::kit;
use sandtable_scenarios_roads_to_moscow::Examples;

#[test]
fn every_worked_example_holds() {
    let reports = kit::reports::<Examples>();
    kit::check_examples::<Examples>(&reports, 10);
}
