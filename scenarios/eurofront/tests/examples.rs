//! The worked examples hold, and would say so if they did not.

use std::sync::OnceLock;

use sandtable_scenarios::{ExampleReport, kit};
use sandtable_scenarios_eurofront::Examples;

/// What came of the examples, run once.
fn reports() -> &'static [ExampleReport] {
    static REPORTS: OnceLock<Vec<ExampleReport>> = OnceLock::new();
    REPORTS.get_or_init(kit::reports::<Examples>)
}

#[test]
fn every_worked_example_holds() {
    kit::check_examples::<Examples>(reports(), 140);
}

#[test]
fn every_rule_names_code_that_exists_and_proof_that_exists() {
    kit::check_coverage::<Examples>(env!("CARGO_MANIFEST_DIR"), reports());
}

/// Something would fail if rulings were played otherwise.
#[test]
fn every_ruling_is_proven() {
    kit::check_rulings::<Examples>(env!("CARGO_MANIFEST_DIR"), reports());
}

#[test]
fn the_example_of_the_readme_holds() {
    kit::check_readme::<Examples>(env!("CARGO_MANIFEST_DIR"));
}

const SMALL: &str = r#"
scenario = "eurofront/1936"

[[example]]
id = "X"
title = "An assault across the Tagus"
rules = ["7.61"]
provenance = "derived"
position = { combat = "nationalists", month = "1936-08", weather = "dry", units = ["toledo: sn_inf_2 3, sn_mec_bs 2, sr_inf_1 3", "avila: sn_hq_1 2 active", "burgos: sn_inf_3 1"], entered = ["sn_inf_2 from avila", "sn_mec_bs from madrid"] }
do = ["combat"]
dice = [1, 4, 6, 3, 6]
expect.fired = ["defensive toledo 3 dice 1 hit 1 repulse", "offensive toledo 2 dice 1 hit"]
expect.rounds = ["toledo supported assault"]
expect.among = ["toledo: sn_inf_2 2 revealed"]
expect.control = { nationalists = ["burgos"] }
expect.illegal = [{ do = "move sn_inf_2 to burgos", because = "movement is not at hand" }]
"#;

#[test]
fn an_example_that_does_not_hold_says_what_was_expected_and_found() {
    kit::check_damage::<Examples>(
        SMALL,
        &[
            ("[1, 4, 6, 3, 6]", "[1, 4, 6, 3]", "dice: roll 5 was asked for but not written"),
            ("[1, 4, 6, 3, 6]", "[1, 4, 6, 3, 7]", "dice: roll 5 is 7, on a die of 6 faces"),
            ("[1, 4, 6, 3, 6]", "[1, 4, 6, 3, 6, 1]", "dice: 1 of 6 rolls were not used"),
            (
                "2 dice 1 hit\"",
                "2 dice 2 hits\"",
                "volleys: expected defensive toledo 3 dice 1 hit 1 repulse",
            ),
            (
                "supported assault",
                "unsupported assault",
                "expected toledo unsupported assault, found toledo supported",
            ),
            ("sn_inf_2 2 revealed", "sn_inf_2 1 revealed", "`toledo: sn_inf_2 1 revealed`: found sn_inf_2 2"),
            (
                "{ nationalists = [\"burgos\"]",
                "{ disputed = [\"burgos\"]",
                "expected disputed, found nationalists",
            ),
            ("{ nationalists = [\"burgos\"]", "{ nationalist = [\"burgos\"]", "did you mean `nationalists`?"),
            ("because = \"movement", "because = \"mountain", "expected to be illegal because `mountain"),
            ("do = [\"combat\"]", "do = [\"combatt\"]", "did you mean `combat`?"),
            ("burgos: sn_inf_3", "burgoss: sn_inf_3", "did you mean `burgos`?"),
            ("sn_inf_3 1\"", "sn_inf_33 1\"", "did you mean `sn_inf_3`?"),
            ("sn_inf_3 1\"", "sn_inf_3 9\"", "3 steps at most"),
            ("sn_inf_3 1\"", "sn_inf_3\"", "its steps are missing"),
            ("1936-08", "1936-06", "is not a month of the scenario"),
            ("weather = \"dry\"", "weather = \"dri\"", "did you mean `dry`?"),
            ("combat = \"nationalists\"", "combat = \"nationalist\"", "did you mean `nationalists`?"),
        ],
    );
}

#[test]
fn a_file_that_means_nothing_is_refused() {
    kit::check_malformed::<Examples>(
        SMALL,
        &[
            ("dice =", "dise =", "did you mean `dice`?"),
            ("expect.fired", "expect.fire_d", "did you mean `fired`?"),
            ("entered =", "enterd =", "did you mean `entered`?"),
            (
                "combat = \"nationalists\",",
                "combat = \"nationalists\", production = true,",
                "begins with one of",
            ),
            ("eurofront/1936", "eurofront/1937", "eurofront/1936"),
        ],
    );
}
