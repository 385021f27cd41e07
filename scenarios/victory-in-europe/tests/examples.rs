//! The worked examples hold, and would say so if they did not.

use sandtable_scenarios::example::battle::{Battles, battles_in, example_battle};
use sandtable_scenarios::kit;
use sandtable_scenarios_victory_in_europe::{Battle, BattleText, Examples};

sandtable_scenarios::example_tests!(Examples, more_than: 150);

/// The examples of the specification are there, by number.
#[test]
fn every_example_of_the_rulebook_is_worked() {
    // There is no twentieth.
    for number in (1..=37).filter(|&number| number != 20) {
        let id = format!("E-{number:02}");
        assert!(reports().iter().any(|report| report.id == id), "{id}");
    }
}

/// Something would fail if rulings were played otherwise.
#[test]
fn every_ruling_is_proven() {
    kit::check_rulings::<Examples>(env!("CARGO_MANIFEST_DIR"), reports());
}

const SMALL: &str = r#"
scenario = "victory-in-europe/stalingrad-1942"

[[example]]
id = "X"
title = "A battle"
rules = ["5.3"]
provenance = "derived"
position = { turn = 13, first = "axis", phase = "combat", units = ["voronezh: ger_pz_2a 3 came from kursk, ussr infantry 4"], attacks = { axis = ["voronezh"] } }
do = ["fight voronezh", "fire army with ger_pz_2a"]
dice = [2, 3, 6]
expect.units = ["voronezh: ger panzer 3, su_inf4_1 3"]
expect.fired = [{ unit = "ger_pz_2a", at = "army", fire = 2, dice = 3, hits = 1 }]
expect.illegal = [{ do = "fire air", because = "nothing to fire at" }]
"#;

#[test]
fn an_example_that_does_not_hold_says_what_was_expected_and_found() {
    kit::check_damage::<Examples>(
        SMALL,
        &[
            ("[2, 3, 6]", "[2, 3]", "dice: roll 3 was asked for but not written"),
            ("[2, 3, 6]", "[2, 3, 7]", "dice: roll 3 is 7, on a die of 6 faces"),
            ("[2, 3, 6]", "[2, 3, 6, 1]", "dice: 1 of 4 rolls were not used"),
            ("su_inf4_1 3\"]", "su_inf4_1 4\"]", "voronezh: expected ger panzer 3, su_inf4_1 4, found"),
            ("su_inf4_1 3\"]", "su_inf4_1 3, su_para 1\"]", "voronezh: expected"),
            ("hits = 1", "hits = 2", "shot 1 (ger_pz_2a), hits: expected 2, found 1"),
            ("at = \"army\"", "at = \"air\"", "shot 1 (ger_pz_2a), target: expected aircraft, found armies"),
            (
                "because = \"nothing to fire at\"",
                "because = \"winter\"",
                "`fire air`: expected to be illegal because `winter`, found `nothing to fire at`",
            ),
            (
                "do = \"fire air\"",
                "do = \"fire army\"",
                "`fire army`: expected to be illegal, but it is legal",
            ),
            ("fire army with ger_pz_2a", "fire air with ger_pz_2a", "not legal: nothing to fire at"),
            ("fire army with ger_pz_2a", "fire army with ger_pz_1a", "there is no ger_pz_1a"),
            ("\"fight voronezh\"", "\"fihgt voronezh\"", "did you mean `fight`?"),
            ("\"fight voronezh\"", "\"fight voronesh\"", "did you mean `voronezh`?"),
            ("ussr infantry 4", "ussr infntry 4", "did you mean `infantry`?"),
            ("ussr infantry 4", "ger_pz_2b 4", "did you mean `ger_pz_2a`?"),
            ("ussr infantry 4", "ussr infantry 5", "no infantry of 5 steps of the USSR is left"),
            ("ger_pz_2a 3 came", "ger_pz_2a 4 came", "it has 1 to 3 steps"),
            ("phase = \"combat\"", "phase = \"combatt\"", "did you mean `combat`?"),
        ],
    );
}

#[test]
fn a_malformed_file_is_an_error_with_its_line() {
    kit::check_malformed::<Examples>(
        SMALL,
        &[
            ("expect.fired", "expect.fried", "small.toml:13: unknown field `fried`; did you mean `fired`?"),
            ("turn = 13", "trun = 13", "unknown field `trun`; did you mean `turn`?"),
            ("stalingrad-1942", "stalingrad-1924", "did you mean `victory-in-europe/stalingrad-1942`?"),
            ("victory-in-europe/", "victory-in-eurpoe/", "did you mean `victory-in-europe/stalingrad-1942`?"),
            ("scenario = \"victory-in-europe/stalingrad-1942\"", "", "`scenario` is missing"),
            ("turn = 13", "set = [\"charts.battle_cn=2\"], turn = 13", "did you mean `charts.battle_cm`?"),
            (
                "[[example]]",
                "[[example]]\nscenario = \"other/one\"",
                "other/one is no scenario of Victory in Europe, as others of the file",
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
                "turn = 13",
                "set = [\"unit_types.panzer.fire=3\"], turn = 13",
                "firepower: expected 2, found 3",
            ),
            ("turn = 13", "set = [\"unit_types.panzer.class=D\"], turn = 13", "it is the turn of su_inf4_1"),
            ("turn = 13", "set = [\"areas.voronezh.terrain=mountain\"], turn = 13", "voronezh: expected"),
        ],
    );
}

#[test]
fn battles_are_taken_from_examples_and_words() {
    assert_eq!(battles_in::<Examples>("small.toml", SMALL).unwrap(), [("X".to_owned(), 1)]);
    let battle = example_battle::<Examples>("small.toml", SMALL, "X", 1).unwrap();
    assert_eq!(battle.game.place_name(battle.place), "Voronezh");
    let error = example_battle::<Examples>("small.toml", SMALL, "X", 2).err().unwrap().to_string();
    assert!(error.contains("it has no battle 2, only one"), "{error}");
    let error = example_battle::<Examples>("small.toml", SMALL, "Y", 1).err().unwrap().to_string();
    assert!(error.contains("`Y` is not an example of the file"), "{error}");

    // The same in words: the position is that of the example.
    let text = BattleText {
        scenario: "victory-in-europe/stalingrad-1942".into(),
        attackers: vec!["kursk: ger_pz_2a 3".into()],
        defenders: "voronezh: ussr infantry 4".into(),
        turn: Some(13),
        ..BattleText::default()
    };
    let described = Examples::describe(&text).unwrap();
    let look = |battle: &Battle| {
        let stack = battle.state.stack(battle.place);
        stack.map(|unit| (unit, battle.state.steps(unit), battle.state.via(unit))).collect::<Vec<_>>()
    };
    assert_eq!(look(&described), look(&battle));
    assert_eq!(described.attacker, battle.attacker);
    // Invaders come from a sea zone, ships and aircraft from where they start.
    let landing = BattleText {
        attackers: vec![
            "english_channel: ger_inf_4a 3, ger_ldr_manstein 2".into(),
            "brest: ger_ca 3".into(),
            "le_havre: ger_fa_fw190 2".into(),
        ],
        defenders: "southampton: gb_inf_bef 2, gb_ca_1 2".into(),
        ..text.clone()
    };
    let landing = Examples::describe(&landing).unwrap();
    let unit = |id: &str| landing.game.unit(id).unwrap();
    let invades = sandtable_victory_in_europe::state::mark::INVADES;
    assert!(landing.state.has_mark(unit("ger_inf_4a"), invades));
    assert!(!landing.state.has_mark(unit("ger_fa_fw190"), invades));
    for (attackers, defenders, message) in [
        ("kursk: spa_inf_1a 2", "voronezh: ussr infantry 4", "Spain is on no side here"),
        ("kursk: ger_pz_2a 3", "voronezh: ger_inf_2a 2", "fight on the same side"),
        ("kursk: ger_pz_2a 3", "voronezh:", "nobody defends voronezh"),
        ("kursk", "voronezh: ussr infantry 4", "`place: unit, unit` is expected"),
    ] {
        let text =
            BattleText { attackers: vec![attackers.into()], defenders: defenders.into(), ..text.clone() };
        let error = Examples::describe(&text).err().unwrap().to_string();
        assert!(error.contains(message), "{attackers} {defenders}: {error}");
    }
}
