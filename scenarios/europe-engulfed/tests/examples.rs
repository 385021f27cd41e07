//! The worked examples hold, and would say so if they did not.

use sandtable_scenarios_europe_engulfed::Examples;

sandtable_scenarios::example_tests!(Examples, more_than: 20);

/// Rulings stand in the basis of a rule, and something would fail if they were played otherwise.
#[test]
fn every_ruling_is_proven() {
    sandtable_scenarios::kit::check_rulings::<Examples>(env!("CARGO_MANIFEST_DIR"), reports());
}
