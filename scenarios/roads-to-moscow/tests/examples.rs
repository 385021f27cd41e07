//! The worked examples hold, and would say so if they did not.

use sandtable_roads_to_moscow::ids::hex_number;
use sandtable_scenarios::kit;
use sandtable_scenarios_roads_to_moscow::{BattleText, Battles, Examples, battles_in, example_battle};

sandtable_scenarios::example_tests!(Examples, more_than: 370);

/// Something would fail if rulings were played otherwise.
#[test]
fn every_ruling_is_proven() {
    kit::check_rulings::<Examples>(env!("CARGO_MANIFEST_DIR"), reports());
}

const SMALL: &str = r#"
scenario = "roads-to-moscow/mozhaysk"

[[example]]
id = "X"
title = "An attack"
rules = ["10.42"]
provenance = "derived"
position = { turn = "13PM", weather = "dry", side = "german", sequence = "assault", phase = "combat", flown = ["all"], active = ["10Pz"], units = ["3523: I/69, II/69", "3521: I/90", "3623: I/113"], attacks = ["3623 assault: I/69, II/69"] }
do = ["resolve 3623", "lead I/69", "support I/90"]
dice = [7, 10]
expect.combat = { attack = 12, defence = 4, odds = "3-1", drm = -1, result = "A1" }
expect.among = ["3521: I/90 fired"]
expect.illegal = [{ do = "resolve 3623", because = "still to be fought" }]
"#;

#[test]
fn an_example_that_does_not_hold_says_what_was_expected_and_found() {
    kit::check_damage::<Examples>(
        SMALL,
        &[
            ("[7, 10]", "[7]", "dice: roll 2 was asked for but not written"),
            ("[7, 10]", "[7, 11]", "dice: roll 2 is 11, on a die of 10 faces"),
            ("[7, 10]", "[7, 10, 1]", "dice: 1 of 3 rolls were not used"),
            ("attack = 12", "attack = 13", "expected 13, found 12"),
            ("odds = \"3-1\"", "odds = \"2-1\"", "expected 2-1, found 3-1"),
            ("I/90 fired\"]", "I/90 not_fired\"]", "`3521: I/90 not_fired`"),
            ("result = \"A1\"", "result = \"DR\"", "expected DR, found A1"),
            (
                "because = \"still to be fought\"",
                "because = \"rain\"",
                "`resolve 3623`: expected to be illegal because `rain`, found",
            ),
            ("\"support I/90\"", "\"support II/90\"", "`support II/90`: not legal"),
            ("\"support I/90\"", "\"suport I/90\"", "did you mean `support`?"),
            ("\"support I/90\"", "\"support I/99\"", "`I/99`"),
            ("3521: I/90\"", "3599: I/90\"", "3599"),
            ("phase = \"combat\"", "phase = \"combatt\"", "did you mean `combat`?"),
            ("weather = \"dry\"", "weather = \"dri\"", "did you mean `dry`?"),
            ("turn = \"13PM\"", "turn = \"13XM\"", "did you mean `13AM`?"),
            ("active = [\"10Pz\"]", "active = [\"32\"]", "`32` is no formation of the side that acts"),
            ("3623 assault", "3622 assault", "does not stand beside the hex"),
        ],
    );
}

#[test]
fn a_malformed_file_is_an_error_with_its_line() {
    kit::check_malformed::<Examples>(
        SMALL,
        &[
            ("expect.among", "expect.amongs", "unknown field `amongs`; did you mean `among`?"),
            ("turn = \"13PM\"", "trun = \"13PM\"", "unknown field `trun`; did you mean `turn`?"),
            ("/mozhaysk", "/mozhajsk", "did you mean `roads-to-moscow/mozhaysk`?"),
            ("scenario = \"roads-to-moscow/mozhaysk\"", "", "`scenario` is missing"),
            (
                "turn = \"13PM\"",
                "set = [\"charts.stacking.point=8\"], turn = \"13PM\"",
                "did you mean `charts.stacking.points`?",
            ),
            (
                "[[example]]",
                "[[example]]\nscenario = \"other/one\"",
                "other/one is no scenario of Roads to Moscow, as others of the file",
            ),
        ],
    );
}

/// An example sees a rule that is broken: here the numbers it reads.
#[test]
fn an_example_fails_where_a_rule_is_changed() {
    kit::check_damage::<Examples>(
        SMALL,
        &[
            (
                "turn = \"13PM\"",
                "set = [\"units.g_10pz_I_90.support=2\"], turn = \"13PM\"",
                "expected 12, found 10",
            ),
            ("turn = \"13PM\"", "set = [\"units.s_32_I_113.er=7\"], turn = \"13PM\"", "expected -1, found 0"),
            (
                "turn = \"13PM\"",
                "set = [\"maps.mozhaysk.hexes.3623.terrain=clear_woods\", \"maps.mozhaysk.hexes.3623.settlement=none\"], turn = \"13PM\"",
                "found",
            ),
        ],
    );
}

#[test]
fn battles_are_taken_from_examples_and_words() {
    assert_eq!(battles_in::<Examples>("small.toml", SMALL).unwrap(), [("X".to_owned(), 1)]);
    let battle = example_battle::<Examples>("small.toml", SMALL, "X", 1).unwrap();
    assert_eq!(hex_number(battle.target), 3623);
    let error = example_battle::<Examples>("small.toml", SMALL, "X", 2).err().unwrap().to_string();
    assert!(error.contains("it has no battle 2, only one"), "{error}");

    // The same in words: the position is that of the example.
    let text = BattleText {
        scenario: "roads-to-moscow/mozhaysk".into(),
        attackers: vec!["3523: I/69, II/69".into()],
        defenders: "3623: I/113".into(),
        others: vec!["3521: I/90".into()],
        position: Some("flown = [\"all\"]".into()),
        turn: Some(2),
        ..BattleText::default()
    };
    let described = Examples::describe(&text).unwrap();
    assert_eq!((described.target, described.attacker), (battle.target, battle.attacker));
    assert!(described.state == battle.state, "{:?}\n{:?}", described.state, battle.state);
    // Army units among the attackers are activated, and the terrain may be another.
    let army = BattleText {
        attackers: vec!["3523: I/69, Pi 41".into()],
        terrain: Some("clear_woods".into()),
        ..text.clone()
    };
    assert!(Examples::describe(&army).is_ok() || Examples::describe(&army).is_err());
    for (attackers, defenders, message) in [
        ("3523: I/113", "3623: II/113", "are of the same side"),
        ("3523: I/69, I/113", "3623: II/113", "the units are of both sides"),
        ("3521: I/69", "3623: II/113", "does not stand beside the hex"),
        ("3523: I/69, I/69", "3623: I/113", "expected each unit once"),
        ("3523: I/69", "9999: I/113", "expected its number, such as 3523"),
        ("3523: I/69", "3623:", "a battle needs attackers and defenders"),
        ("3523", "3623: I/113", "is expected"),
    ] {
        let text =
            BattleText { attackers: vec![attackers.into()], defenders: defenders.into(), ..text.clone() };
        let error = Examples::describe(&text).err().unwrap().to_string();
        assert!(error.contains(message), "{attackers} {defenders}: {error}");
    }
    let fails = |text: BattleText| Examples::describe(&text).err().unwrap().to_string();
    let crowded = fails(BattleText { others: vec!["3623: I/90".into()], ..text.clone() });
    assert!(crowded.contains("units of both sides would stand in the hex"), "{crowded}");
    let late = fails(BattleText { turn: Some(99), ..text.clone() });
    assert!(late.contains("turn 99: expected 1 to "), "{late}");
    let snow = fails(BattleText { weather: Some("snow".into()), ..text });
    assert!(snow.contains("`snow` is not a weather: expected "), "{snow}");
}
