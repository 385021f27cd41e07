//! Overrides, messages, export, and files that are wrong, of Europe Engulfed.

use sandtable_scenarios::example::battle::{BattleText, Battles as _};
use sandtable_scenarios::{example, kit};
use sandtable_scenarios_europe_engulfed::{Examples, open};

const PATTON: &str = "europe-engulfed/patton-1945";
const TOURNAMENT: &str = "europe-engulfed/tournament-1942";

#[test]
fn scenarios_open_and_the_engine_takes_them() {
    kit::check_scenarios::<Examples>(&[
        "campaign-1939",
        "campaign-1941",
        "european-war-1939",
        "patton-1945",
        "tournament-1942",
    ]);
    kit::check_facts::<Examples>(true, 150);
}

#[test]
fn overrides_reach_the_rules() {
    let edits = [
        "charts.combat.hit_on=5",
        "areas.berlin.resource=8",
        "setup.turns=4",
        "setup.nations.united_states.special_actions=1",
        "weather.effects.snow.half_dice=no",
        "options.stacking=yes",
    ];
    let rules = kit::with::<Examples>(PATTON, &edits).unwrap_or_else(|error| panic!("{error}")).into_rules();
    let plain = open(PATTON, &[]).unwrap().into_rules();
    assert_eq!((plain.combat.hit_on, rules.combat.hit_on), (6, 5));
    let berlin = rules.areas.iter().position(|area| area.id == "berlin").unwrap();
    assert_eq!((plain.areas[berlin].resource, rules.areas[berlin].resource), (6, 8));
    assert_eq!((plain.setup.turns, rules.setup.turns), (3, 4));
    assert_eq!(rules.setup.nations[1].special_actions, 1);
    assert!(plain.weather.effects[3].half_dice && !rules.weather.effects[3].half_dice);
    assert!(rules.options.stacking && !plain.options.stacking);
}

#[test]
fn values_out_of_range_are_refused_with_their_path() {
    kit::check_paths::<Examples>(PATTON, &[("charts.combat.hit_no=5", "charts.combat.hit_on")]);
    kit::check_values::<Examples>(
        PATTON,
        &[
            ("charts.combat.hit_on=9", "found 9, expected a number from 2 to 7"),
            ("setup.first_turn=1945-7", "is not a year and a bimester from 1 to 6"),
            ("setup.nations.united_states.special_actions=4", "more than the pool of 3 holds"),
            ("areas.berlin.beaches=baltic", "a sea, a colon and 1 to 9 blocks"),
        ],
    );
}

/// 20.5: the table of losses tells of so many submarines and no more, in the set-up and in a position.
#[test]
fn submarines_that_the_table_does_not_know_are_refused() {
    let message = "found 61 submarines, and there are at most 60";
    kit::check_values::<Examples>(TOURNAMENT, &[("setup.strategic_levels.submarines=61", message)]);
    assert!(kit::with::<Examples>(TOURNAMENT, &["setup.strategic_levels.submarines=60"]).is_ok());
    let told = |submarines: u8| {
        let text = format!(
            "scenario = \"{TOURNAMENT}\"\n[[example]]\nid = \"S\"\ntitle = \"S\"\nrules = [\"2.1\"]\nprovenance = \"derived\"\n\
             position = {{ assets = {{ submarine = {submarines} }} }}\nexpect = {{ turn = 1 }}\n"
        );
        let reports = example::run::<Examples>("submarines.toml", &text);
        reports.unwrap_or_else(|error| panic!("{error}"))[0].failures.concat()
    };
    assert_eq!(told(60), "");
    assert!(told(61).contains("submarine: a level of 0 to 60 is expected"), "{}", told(61));
}

#[test]
fn files_that_contradict_themselves_are_refused() {
    kit::check_faults::<Examples>(
        PATTON,
        &[
            (
                "setup/units.csv",
                "ruhr,great_britain_inf4,3 3 3 3,",
                "ruhr,great_britain_inf4,3 3 3 3 3,",
                "stand on the map than pools.csv has",
            ),
            (
                "setup/units.csv",
                "ruhr,great_britain_inf4,3 3 3 3,",
                "madrid,great_britain_inf4,3 3 3 3,",
                "in an area that is not in play",
            ),
            (
                "setup/units.csv",
                "warsaw,soviet_union_inf3,2,",
                "smolensk,soviet_union_inf3,2,",
                "0 land units may stand in warsaw, and 1 must (16.11)",
            ),
            (
                "borders.csv",
                "marmarica,tobruk,fortress",
                "marmarica,tobruk,land",
                "joins a fortress and its host",
            ),
        ],
    );
}

/// Each condition of a victory point has what it speaks of, and nothing else.
#[test]
fn conditions_that_say_too_little_or_too_much_are_refused() {
    let setup = |find, put, told| ("setup.toml", find, put, told);
    kit::check_faults::<Examples>(
        TOURNAMENT,
        &[
            setup("when = \"italy_stands\"", "when = \"italy_stands\"\nareas = [\"oslo\"]", "areas"),
            setup("when = \"held\"\nareas = [\"paris\"]", "when = \"held\"", "`areas` is missing"),
            setup("areas = [\"paris\"]", "areas = []", "found no areas, expected one or more"),
            setup("number = 25", "number = 25\nareas = [\"oslo\"]", "areas"),
            setup(
                "when = \"italy_stands\"",
                "when = \"italy_stood\"",
                "a condition (controlled, controlled_together, held",
            ),
        ],
    );
    kit::check_faults::<Examples>(
        "europe-engulfed/campaign-1941",
        &[setup("kind = \"conquest\"", "kind = \"conquest\"\nneeded = 1", "needed")],
    );
}

/// Options 14.2 are refused where the pools have changed before the start.
#[test]
fn pools_follow_the_war_from_its_beginning() {
    let edit = ["options.german_reductions=yes"];
    for (scenario, opens) in [(TOURNAMENT, false), (PATTON, false), ("europe-engulfed/campaign-1941", true)] {
        let told = kit::with::<Examples>(scenario, &edit).err().map(|error| error.to_string());
        assert_eq!(told.is_none(), opens, "{scenario}: {told:?}");
    }
}

/// Who attacks comes from next to the battle.
#[test]
fn attackers_from_afar_are_refused() {
    let told = |attackers: &str| {
        let text = BattleText {
            scenario: PATTON.into(),
            attackers: vec![attackers.into()],
            defenders: "lublin: soviet_union inf 2".into(),
            ..BattleText::default()
        };
        Examples::describe(&text).err().map(|error| error.to_string())
    };
    assert_eq!(told("lodz: united_states inf 3"), None);
    let afar = told("saxony: united_states inf 3").expect("an error");
    assert!(afar.contains("saxony is not next to lublin by land"), "{afar}");
    let air = told("saxony: united_states asu").expect("an error");
    assert!(air.contains("by land or air link"), "{air}");
}

sandtable_scenarios::loader_tests!(
    Examples,
    PATTON,
    export: ["charts.combat.hit_on=5", "setup.control.berlin.power=united_states"],
    damages: 200,
    overrides: 200
);
