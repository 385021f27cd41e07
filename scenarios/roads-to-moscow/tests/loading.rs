//! Overrides, messages, export, and files that are wrong, of Roads to Moscow.

use sandtable_core::Index;
use sandtable_roads_to_moscow::ids::hex;
use sandtable_roads_to_moscow::rules::{CombatResult, Crt, Entry, Rules, Settlement, Terrain, Water};
use sandtable_scenarios::kit;
use sandtable_scenarios_roads_to_moscow::{Examples, LoadError, Scenario};

const WHOLE: &str = "roads-to-moscow/mozhaysk";

fn open_with(scenario: &str, edits: &[&str]) -> Result<Scenario<Rules>, LoadError> {
    kit::with::<Examples>(&format!("roads-to-moscow/{scenario}"), edits)
}

fn with(edits: &[&str]) -> Result<Scenario<Rules>, LoadError> {
    kit::with::<Examples>(WHOLE, edits)
}

#[test]
fn overrides_reach_the_rules() {
    let rules = with(&[
        "charts.stacking.points=10",
        "charts.combat.drm_limit=4",
        "charts.activation.combine=9",
        "charts.supply.line=8",
        "charts.movement.overrun=1.5",
        "maps.mozhaysk.hexes.2019.settlement=village",
        "maps.mozhaysk.hexes.4101.terrain=rough",
        "maps.mozhaysk.sides.0101-0102.water=stream",
        "combat.assault.5.3-1=D2R",
        "units.g_10pz_I_7.attack=8",
        "unit_types.cavalry.leads_overrun=no",
        "formations.10Pz.value=4",
        "air_units.g_ju87_1.er=8",
        "calendar.mozhaysk-16AM.winter=yes",
        "options.historical_weather=true",
        "options.second_player_fills_cup=false",
        "options.secret_air=true",
        "setup.threshold=22",
        "setup.units.g_10pz_I_7.place=4123",
        "setup.objectives.3423.points=3",
        "setup.objectives.3720.points=2",
        "setup.soviet.air=[\"s_i153_m\", \"s_il2_m 15PM\"]",
        "setup.fortified=[\"3723\"]",
        "setup.automatic.last_turn=15PM",
    ])
    .unwrap_or_else(|error| panic!("{error}"))
    .into_rules();
    let numbers = &rules.numbers;
    assert_eq!((numbers.stacking, numbers.drm_limit, numbers.combine), (10, 4, 9));
    assert_eq!((numbers.supply_line, rules.terrain.overrun), (8, 3));
    let at = |number| rules.map.hexes.iter().find(|data| data.hex == hex(number)).unwrap();
    assert_eq!((at(2019).settlement, at(4101).terrain), (Settlement::Village, Terrain::Rough));
    let side = rules.map.sides.iter().find(|side| (side.a, side.b) == (hex(101), hex(102))).unwrap();
    assert_eq!(side.water, Water::Stream);
    let table = &rules.results[Crt::Assault as usize];
    assert_eq!(table.result(table.column(3, 1), 5), CombatResult::parse("D2R").unwrap());
    let unit = rules.unit("g_10pz_I_7").unwrap();
    assert_eq!(rules.units[unit.at()].full.offence, 8);
    assert_eq!(rules.entries[unit.at()], Entry::At(hex(4123)));
    assert!(rules.kinds.iter().all(|kind| kind.combat || !kind.leads_overrun));
    assert_eq!(rules.formations[rules.formation("10Pz").unwrap().at()].combination, 4);
    assert_eq!(rules.air[rules.air_unit("g_ju87_1").unwrap().at()].efficiency, 8);
    assert!(rules.calendar.iter().find(|turn| turn.name == "16AM").unwrap().winter);
    let options = rules.options;
    assert!(options.historical_weather && options.free_cup && options.simultaneous_cas);
    let scenario = &rules.scenario;
    assert_eq!((scenario.threshold, scenario.automatic_until), (22, 6));
    assert!(scenario.objectives.contains(&(hex(3423), 3)) && scenario.objectives.contains(&(hex(3720), 2)));
    assert_eq!(scenario.soviet_positions, [hex(3723)]);
    assert_eq!(rules.air.iter().map(|air| air.turn).collect::<Vec<_>>(), [1, 1, 1, 1, 1, 6]);
}

#[test]
fn fuel_is_a_matter_of_the_scenario() {
    let rules = |scenario: &str, edits: &[&str]| open_with(scenario, edits).unwrap().into_rules();
    let road = rules("road-to-mtsensk", &[]).fuel;
    assert!(road.in_force && (road.extra_from, road.extra) == (7, 1));
    assert!(!rules("road-to-mtsensk", &["setup.fuel=false"]).fuel.in_force);
    let first = rules("pervyy-voin", &[]).fuel;
    assert!(first.in_force && first.extra == 0);
    let error = with(&["setup.fuel=true"]).err().unwrap().to_string();
    assert!(error.contains("the set-up lacks [fuel_supply]"), "{error}");
}

#[test]
fn a_path_that_does_not_exist_names_the_nearest() {
    kit::check_paths::<Examples>(
        WHOLE,
        &[
            ("charts.stacking.point=9", "charts.stacking.points"),
            ("maps.mozhaysk.hexes.2019.settlment=town", "maps.mozhaysk.hexes.2019.settlement"),
            ("units.g_10pz_I_77.attack=3", "units.g_10pz_I_7.attack"),
            ("options.historical_wether=true", "options.historical_weather"),
            ("setup.german.sorces=[]", "setup.german.sources"),
        ],
    );
}

#[test]
fn a_value_of_the_wrong_kind_names_the_right_one() {
    let cases = [
        (
            "charts.stacking.points=many",
            "charts.stacking.points.value: found the text `many`, expected a whole number",
        ),
        ("charts.combat.below_assault=AX", "charts.combat.below_assault.value"),
        ("maps.mozhaysk.hexes.2019.terrain=sand", "`sand` is not natural terrain"),
        ("maps.mozhaysk.hexes.2019.terrain=rough", "settlements stand in clear hexes (8.33)"),
        ("maps.mozhaysk.sides.0101-0102.slope=0103", "it is neither of the two hexes"),
        ("combat.mobile.5.3-1=DX", "DX: 'X' is none of 1, 2, 3, R, d, E"),
        ("units.g_10pz_I_7.formation=11Pz", "did you mean `10Pz`?"),
        ("units.g_10pz_I_7.formation=32", "it is no formation of the unit's side"),
        ("units.g_10pz_I_7.type=armor", "did you mean `armour`?"),
        ("units.g_10pz_I_7.reduced_attack=9", "the reduced face is better than the full one"),
        ("units.g_10pz_I_7.range=4", "artillery, and nothing else, has support and range"),
        ("units.g_10pz_I_7.class=blue", "`blue` is not"),
        ("setup.first_turn=12AM", "`12AM`"),
        ("setup.last_turn=12PM", "`12PM`"),
        ("setup.attacker=finnish", "`finnish` is not"),
        ("setup.columns=[42, 1]", "expected a number from"),
        ("setup.columns=[1]", "first and last column are expected"),
        ("setup.columns=[30, 42]", "lies beyond the line of the scenario, columns 30 to 42"),
        ("setup.units.g_10pz_I_7.place=9999", "`9999`"),
        ("setup.units.g_10pz_I_7.place=3723", "(8.14)"),
        (
            "setup.german.markers=[\"10Pz\", \"10Pz\", \"10Pz\", \"SSR\", \"SSR\"]",
            "`10Pz` has 2 Activation Markers, not 3 (4.24)",
        ),
        (
            "setup.soviet.markers=[\"32\", \"32\", \"20T\", \"ANY_SM\"]",
            "`18T` has units, but no marker (4.23)",
        ),
        ("setup.german.markers=[\"32\", \"SSR\"]", "`32` is no formation of this side"),
        ("setup.soviet.later=[\"19T\"]", "a formation and a turn are expected, as in `19T 13PM`"),
        ("setup.soviet.air=[\"g_ju87_1\"]", "the air unit is of the other side"),
        ("setup.soviet.air=[\"s_il2_m\", \"s_il2_m 15AM\"]", "the air unit stands there twice"),
        ("setup.soviet.air=[\"s_il2_m 22AM\"]", "`22AM`"),
        ("setup.map=tula", "`tula` is not a map"),
    ];
    kit::check_values::<Examples>(WHOLE, &cases);
}

#[test]
fn faults_of_the_files_are_told_with_their_place() {
    let cases = [
        ("maps/mozhaysk/hexes.csv", "\n2019,clear,", "\n2019,cleer,", "did you mean `clear`?"),
        ("maps/mozhaysk/hexes.csv", "hex,terrain,", "hex,terain,", "did you mean `terrain`?"),
        ("maps/mozhaysk/hexes.csv", "\n2019,", "\n2018,", "stands there twice"),
        ("units.csv", ",armour,", ",armor,", "did you mean `armour`?"),
        ("units.csv", "\ng_10pz_I_7,", "\ng_10pz_II_7,", "stands there twice"),
        ("formations.csv", ",german,", ",germn,", "did you mean `german`?"),
        ("air_units.csv", ",german,", ",germn,", "did you mean `german`?"),
        (
            "calendar.csv",
            "\nmozhaysk,17AM,1941-10-17,4,9,overcast",
            "\nmozhaysk,17AM,1941-10-17,4,9,overcst",
            "did you mean `overcast`?",
        ),
        ("combat/assault.csv", "\n5,", "\n55,", "5"),
        ("charts.toml", "[stacking.points]", "[stacking.point]", "stacking"),
        ("terrain.toml", "[clear", "[cleer", "clear"),
        (
            "coordination.toml",
            "provenance = \"reconstructed\"",
            "provenance = \"rumour\"",
            "`rumour` is not a provenance",
        ),
        ("options.toml", "ruling = \"R-16\"", "ruling = \"R-160\"", "did you mean `R-16`?"),
        ("setup.toml", "\"4224\"", "\"4242\"", "4242"),
        (
            "setup.toml",
            "system = \"roads-to-moscow\"",
            "system = \"chess\"",
            "is not the system `roads-to-moscow`",
        ),
        ("setup/units.csv", "\ng_10pz_I_7,", "\ng_10pz_I_9,", "`g_10pz_I_9` is not a unit"),
        ("setup/units.csv", ",start,", ",begin,", "`begin`"),
        ("setup/objectives.csv", "\n3423,", "\n3499,", "3499"),
    ];
    kit::check_faults::<Examples>(WHOLE, &cases);
}

#[test]
fn what_plays_alike_has_the_same_content() {
    kit::check_content::<Examples>(
        WHOLE,
        &[("charts.toml", "provenance = \"reconstructed\"", "provenance = \"rulebook\"")],
        &[("setup/objectives.csv", "\n3423,1,", "\n3423,2,")],
        &["units.g_10pz_I_7.attack=7"],
    );
}

sandtable_scenarios::loader_tests!(
    Examples,
    WHOLE,
    export: ["charts.stacking.points=10", "setup.objectives.3423.points=3"],
    damages: 80,
    overrides: 30
);
