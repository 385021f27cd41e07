//! The worked examples hold, and would say so if they did not.

use sandtable_scenarios::kit;
use sandtable_scenarios_blitzwar::Examples;

sandtable_scenarios::example_tests!(Examples, more_than: 90);

/// The example of the specification is there.
#[test]
fn every_example_of_the_rulebook_is_worked() {
    assert!(reports().iter().any(|report| report.id == "A1"));
}

/// Something would fail if rulings were played otherwise.
#[test]
fn every_ruling_is_proven() {
    kit::check_rulings::<Examples>(env!("CARGO_MANIFEST_DIR"), reports());
}

const SMALL: &str = r#"
scenario = "blitzwar/barbarossa-1941"

[[example]]
id = "X"
title = "A Blitz"
rules = ["16.2"]
provenance = "derived"
position = { turn = 25, side = "axis", phase = "blitz", control = { axis = ["bialystok"] }, dates = { east_attack = 15, axis_soviet_war = 15 }, units = ["bialystok: ger I1C2 activated", "minsk: ussr I2"] }
do = ["attack minsk"]
dice = [4]
expect.battle = { odds = "3-2", column = "2-1", result = "0/1" }
expect.units = ["minsk: ussr I1"]
expect.illegal = [{ do = "attack vitebsk", because = "no enemy corps are there" }]
"#;

#[test]
fn an_example_that_does_not_hold_says_what_was_expected_and_found() {
    kit::check_damage::<Examples>(
        SMALL,
        &[
            ("minsk: ussr I1\"]", "minsk: ussr I2\"]", "units: minsk: expected ussr I2, found ussr I1"),
            ("result = \"0/1\"", "result = \"1/1\"", "battle, result: expected 1/1, found 0/1"),
            ("column = \"2-1\"", "column = \"3-1\"", "battle, column: expected 3-1, found 2-1"),
            ("dice = [4]", "dice = [4, 5]", "dice: 1 of 2 rolls were not used"),
            ("dice = [4]", "dice = []", "dice: roll 1 was asked for but not written"),
            ("dice = [4]", "dice = [7]", "dice: roll 1 is 7, on a die of 6 faces"),
            (
                "because = \"no enemy corps are there\"",
                "because = \"snow\"",
                "`attack vitebsk`: expected to be illegal because `snow`, found `no enemy corps are there (16.1)`",
            ),
            (
                "do = [\"attack minsk\"]",
                "do = [\"attack vitebsk\"]",
                "`attack vitebsk`: not legal: no enemy corps are there",
            ),
            ("do = [\"attack minsk\"]", "do = [\"attack minks\"]", "did you mean `minsk`?"),
            ("do = [\"attack minsk\"]", "do = [\"atack minsk\"]", "did you mean `attack`?"),
            ("ger I1C2 activated", "ger I9", "no German counter"),
        ],
    );
}

#[test]
fn a_malformed_file_is_an_error_with_its_line() {
    kit::check_malformed::<Examples>(
        SMALL,
        &[
            ("title =", "titel =", "small.toml:6: unknown field `titel`; did you mean `title`?"),
            ("dice = [4]", "dice = [4", "small.toml:"),
            ("barbarossa-1941", "barbarosa-1941", "did you mean `blitzwar/barbarossa-1941`?"),
            (
                "[[example]]",
                "[[example]]\nscenario = \"other/one\"",
                "other/one is no scenario of BlitzWar, as others of the file",
            ),
        ],
    );
}
