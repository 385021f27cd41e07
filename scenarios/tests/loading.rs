//! Overrides, messages, export, and files that are wrong.

mod common;

use std::sync::OnceLock;

use common::{Scratch, exported, mutate};
use proptest::prelude::*;
use sandtable_blitzwar::BlitzWar;
use sandtable_blitzwar::nation::Nation;
use sandtable_blitzwar::rules::{Terrain, Weather};
use sandtable_scenarios::blitzwar::Description;
use sandtable_scenarios::{LoadError, Override, Problem, Scenario, SourceFile, export, load, open};

const CAMPAIGN: &str = "blitzwar/campaign-1939";

fn with(edits: &[&str]) -> Result<Scenario, LoadError> {
    let edits: Vec<Override> = edits.iter().map(|edit| Override::parse(edit).unwrap()).collect();
    open(CAMPAIGN, &edits)
}

fn message(edit: &str) -> String {
    with(&[edit]).unwrap_err().to_string()
}

/// The files of the campaign, as an export writes them.
fn files() -> Vec<SourceFile> {
    static FILES: OnceLock<Vec<SourceFile>> = OnceLock::new();
    FILES.get_or_init(|| exported(CAMPAIGN, &["", "map/"])).clone()
}

/// The error of the campaign with one text replaced in one file.
fn broken(file: &str, from: &str, to: &str) -> String {
    let mut files = files();
    let file = files.iter_mut().find(|it| it.name == file).unwrap();
    assert!(file.text.contains(from), "{from}");
    file.text = file.text.replacen(from, to, 1);
    load("edited", files, &[]).unwrap_err().to_string()
}

#[test]
fn overrides_reach_the_rules() {
    let rules = with(&[
        "combat.modifiers.air_superiority=1",
        "combat.land.4.2-1=C/3",
        "calendar.20.weather=mud",
        "map.zones.warsaw.terrain=marsh",
        "map.zones.warsaw.port=no",
        "cards.ax_l1.infantry=4",
        "diplomacy.usa.entry_turn = 18",
        "setup.units.ger.berlin.air=3",
        "setup.units.gre.athens.infantry=1",
        "setup.released.ussr_air_a1=2",
        "options.final_check=true",
        "victory.axis_points.0.to=13",
        "victory.axis_points.1.from=14",
        "costs.fortify=1.5",
        "diplomacy.general.winter_1942=[21, 22]",
    ])
    .unwrap_or_else(|error| panic!("{error}"))
    .into_blitzwar();
    assert_eq!(rules.charts.shifts.attacker_air, 1);
    assert_eq!(rules.charts.land[3][2].1, 3);
    assert_eq!(rules.calendar[19].weather, Weather::Mud);
    assert_eq!(rules.zones.iter().find(|zone| zone.id == "warsaw").unwrap().terrain, Terrain::Marsh);
    assert_eq!(rules.decks[0][0].infantry, 4);
    assert_eq!(rules.dates.usa_entry, 18);
    let greeks: u8 =
        rules.setup.units.iter().filter(|it| it.nation == Nation::Gre).map(|it| it.infantry).sum();
    assert_eq!(greeks, 4);
    assert_eq!(rules.setup.released.iter().map(|&(_, count)| count).sum::<u8>(), 2);
    assert!(rules.options.final_check);
    assert_eq!((rules.victory_points[0].to, rules.costs.fortify), (13, 3));
    assert_eq!(rules.dates.winter_1942, [21, 22]);
}

#[test]
fn handicaps_add_units_at_a_supply_zone() {
    let supply = |scenario: &Scenario, nation: Nation| -> f64 {
        Description::of(scenario.blitzwar())
            .units
            .iter()
            .filter(|it| it.nation == nation)
            .map(|it| it.supply)
            .sum()
    };
    let plain = open(CAMPAIGN, &[]).unwrap();
    let more = with(&[
        "setup.axis.extra_supply=4",
        "setup.allied.extra_supply=2.5",
        "setup.soviet.extra_supply=1",
        "setup.axis.extra_infantry=2",
        "setup.allied.extra_air=1",
    ])
    .unwrap();
    for (nation, extra) in [(Nation::Axis, 4.0), (Nation::Allied, 2.5), (Nation::Ussr, 1.0)] {
        assert!((supply(&more, nation) - supply(&plain, nation) - extra).abs() < 1e-9, "{}", nation.name());
    }
    let berlin: u8 = more
        .blitzwar()
        .setup
        .units
        .iter()
        .filter(|it| it.nation == Nation::Ger && more.blitzwar().zones[it.place as usize].id == "berlin")
        .map(|it| it.infantry)
        .sum();
    assert_eq!(berlin, 2);
    assert!(message("setup.axis.extra_supply=0.3").contains("expected a multiple of one half"));
    assert!(message("setup.axis.extra_supply=60").contains("Axis supply units do not fit on the counters"));
    assert!(message("setup.axis.extra_infantry=12").contains("need at least 4 counters"));
}

#[test]
fn experiment_tables_override_too() {
    let table: toml::Table = toml::from_str(
        "\"combat.modifiers.armour\" = 2\ncalendar.20.weather = \"mud\"\n[diplomacy.usa]\nentry_turn = 18\n",
    )
    .unwrap();
    let edits = Override::from_table(&table);
    assert_eq!(edits.len(), 3);
    let scenario = open(CAMPAIGN, &edits).unwrap();
    assert_eq!(scenario.blitzwar().charts.shifts.armour, 2);
    assert_eq!(scenario.blitzwar().dates.usa_entry, 18);
    assert_eq!(scenario.overrides()[0].to_string(), "combat.modifiers.armour=2");
}

#[test]
fn a_path_that_does_not_exist_names_the_nearest() {
    let near = |edit: &str| match *with(&[edit]).unwrap_err().problem {
        Problem::UnknownPath { near } => near.unwrap(),
        other => panic!("{edit}: {other}"),
    };
    assert_eq!(near("combat.modifiers.air_superiorty=1"), "combat.modifiers.air_superiority");
    assert_eq!(near("combat.modifier.armour=1"), "combat.modifiers.armour");
    assert_eq!(near("map.zones.warsav.terrain=marsh"), "map.zones.warsaw.terrain");
    assert_eq!(near("calendar.48.weather=mud"), "calendar.47.weather");
    assert_eq!(near("setup.axis.supply=4"), "setup.axis.extra_supply");
    assert!(near("entry_turn=3").ends_with("entry_turn"));
    assert_eq!(
        message("cards.ax_l1.infantri=4"),
        "cards.ax_l1.infantri: there is no such value; did you mean `cards.ax_l1.infantry`?"
    );
}

#[test]
fn a_value_of_the_wrong_kind_names_the_right_one() {
    assert_eq!(
        message("combat.modifiers.armour=strong"),
        "combat.modifiers.armour.value: found the text `strong`, expected a whole number"
    );
    assert_eq!(
        message("cards.ax_l1.infantry=1.5"),
        "cards.ax_l1.infantry: found the number 1.5, expected a whole number"
    );
    assert_eq!(
        message("map.zones.warsaw.port=7"),
        "map.zones.warsaw.port: found the number 7, expected true or false"
    );
    assert!(
        message("map.zones.warsaw=1")
            .contains("expected a path that goes on to one of its values (name, country")
    );
    assert!(message("diplomacy.general.winter_1942=20").contains("expected a list"));
    assert_eq!(
        message("map.zones.warsaw.terrain=swamp"),
        "map.zones.warsaw.terrain: `swamp` is not a terrain (easy, narrow, marsh, mountain, high_mountain)"
    );
    assert_eq!(
        message("cards.ax_l1.infantry=99"),
        "cards.ax_l1.infantry: found 99, expected a number from 0 to 30"
    );
    assert!(Override::parse("no equals sign").unwrap_err().to_string().contains("expected `path=value`"));
    assert!(Override::parse("=3").is_err());
}

#[test]
fn an_unknown_scenario_names_the_nearest() {
    let message = |name: &str| open(name, &[]).unwrap_err().to_string();
    assert!(message("blitzwar/campain-1939").ends_with("did you mean `blitzwar/campaign-1939`?"));
    assert!(message("france-1940").ends_with("did you mean `blitzwar/france-1940`?"));
}

#[test]
fn faults_of_the_files_are_told_with_their_place() {
    let cases = [
        (
            "map/zones.csv",
            "berlin,Berlin,ger,",
            "berlin,Berlin,gre_,",
            "map.zones.berlin.country: `gre_` is not a country; did you mean `gre`?",
        ),
        ("map/zones.csv", "ruhr,Ruhr,ger,no,easy", "ruhr,Ruhr,ger,no,esay", "did you mean `easy`?"),
        ("map/zones.csv", "hamburg,Hamburg,", "berlin,Hamburg,", "`berlin` stands there twice"),
        (
            "map/zones.csv",
            "id,name,",
            "id,nam,",
            "map/zones.csv:3: `nam` is not a column of this table; did you mean `name`?",
        ),
        (
            "map/zones.csv",
            "warsaw,Warsaw,pol,no,easy,no,no,no,yes",
            "warsaw,Warsaw,pol,no,easy,no,no,no,no",
            "no zone is the capital of Poland",
        ),
        (
            "map/zones.csv",
            "lodz,Lodz,pol,no,easy,no,no,no,no",
            "lodz,Lodz,pol,no,easy,no,no,no,yes",
            "Poland has two capitals",
        ),
        (
            "map/zones.csv",
            "lodz,Lodz,pol,no,easy,no,no",
            "lodz,Lodz,pol,no,easy,no,yes",
            "the port opens on no sea",
        ),
        (
            "map/zones.csv",
            "berlin,Berlin,ger,no,easy,no",
            "berlin,Berlin,ger,no,easy,maybe",
            "found `maybe`, expected `yes` or `no`",
        ),
        ("map/links.csv", "adana,konya,", "adana,kony,", "`kony` is not a land zone; did you mean `konya`?"),
        ("map/links.csv", "adana,konya,", "adana,adana,", "`adana` is joined to itself"),
        ("map/links.csv", "adana,konya,", "damascus,adana,", "are joined twice"),
        (
            "map/links.csv",
            "adana,konya,land,none",
            "adana,konya,land,paris",
            "`paris` is not an end of the link",
        ),
        (
            "map/coasts.csv",
            "danzig,baltic_sea",
            "danzig,baltic",
            "`baltic` is not a sea zone; did you mean `baltic_sea`?",
        ),
        (
            "map/coasts.csv",
            "cairo,eastern_mediterranean,no",
            "cairo,eastern_mediterranean,yes",
            "`cairo` has no port",
        ),
        (
            "map/seas.csv",
            "bay_of_biscay central_atlantic english_channel norwegian_sea",
            "bay_of_biscay central_atlantic english_channel",
            "`north_atlantic` is a neighbour of `norwegian_sea`, but not the other way round",
        ),
        ("calendar.csv", "20,1942,winter", "21,1942,winter", "`21` stands there twice"),
        ("calendar.csv", "47,1945,spring", "48,1945,spring", "turn 47 is expected here"),
        ("combat.toml", "7-1 = \"1/3\"", "", "`7-1` is missing"),
        ("combat.toml", "\"C/3\"", "\"C3\"", "expected a result as in"),
        ("combat.toml", "[modifiers.armour]", "[modifiers.armor]", "did you mean `armour`?"),
        (
            "cards.csv",
            "ax_l1,axis,limited",
            "ax_l1,axis,total",
            "the axis side has 7 limited cards; it needs 8",
        ),
        (
            "cards.csv",
            "al_l1,allied,limited,Balanced,1,0,2,1,0",
            "al_l1,allied,limited,Balanced,1,0,2,1,1",
            "only Axis cards bring submarines",
        ),
        ("counters.toml", "count = 12", "count = 13", "the mix has 252 counters"),
        ("counters.toml", "kind = \"infantry\"", "kind = \"infantri\"", "did you mean `infantry`?"),
        (
            "diplomacy.toml",
            "rule = \"capital_and\", zones = 4",
            "rule = \"capital_and\"",
            "diplomacy.fra.surrender: `zones` is missing",
        ),
        ("diplomacy.toml", "[balkans]", "[balkan]", "did you mean `balkans`?"),
        ("options.toml", "ruling = \"R-43\"", "ruling = \"R-430\"", "did you mean `R-43`?"),
        ("victory.toml", "from = 13", "from = 14", "the row starts at 14; the one before it ends at 12"),
        ("victory.toml", "axis = 6", "axis = 5", "must add up to 10"),
        ("limits.toml", "counters = 3", "counters = 0", "expected a number from 1 to 9"),
        ("costs.toml", "naval = 1.0", "naval = 1.25", "expected a multiple of one half"),
        ("setup.toml", "last_turn = 47", "last_turn = 48", "the calendar has 47 turns"),
        (
            "setup.toml",
            "ussr = { status = \"soviet\" }",
            "ussr = { status = \"neutral\" }",
            "no country is at war on the soviet side",
        ),
        ("setup.toml", "[soviet]", "[sovjet]", "did you mean `soviet`?"),
        (
            "setup.toml",
            "kustrin = { infantry = 4 }",
            "kustrin = { infantry = 10 }",
            "need at least 4 counters; 3 may stand there",
        ),
        (
            "setup.toml",
            "kustrin = { infantry = 4 }",
            "kustrin = { armour = 9 }",
            "corps do not fit on the counters",
        ),
        (
            "setup.toml",
            "gibraltar = { infantry = 1",
            "gibraltar = { infantry = 2",
            "2 corps stand in `gibraltar`, which holds 1",
        ),
        ("setup.toml", "kustrin =", "warsaw =", "German units are Axis, and Allied controls `warsaw`"),
        ("setup.toml", "kustrin =", "kustrim =", "did you mean `kustrin`?"),
        ("setup.toml", "scapa_flow = { fleet = 4 }", "scapa_flow = { flet = 4 }", "did you mean `fleet`?"),
        (
            "setup.toml",
            "berlin = { air = 2 }",
            "berlin = { air = 2, supply = 1 }",
            "common supply stands under `axis`",
        ),
        ("setup.toml", "system = \"blitzwar\"", "system = \"blizwar\"", "did you mean `blitzwar`?"),
        (
            "setup.toml",
            "provenance = \"rulebook\"",
            "provenance = \"rumour\"",
            "`rumour` is not a provenance",
        ),
        ("map/areas.toml", "\"norwich\"", "\"norwhich\"", "did you mean `norwich`?"),
        ("costs.toml", "naval = 1.0", "naval = ", "costs.toml:"),
    ];
    for (file, from, to, expected) in cases {
        let message = broken(file, from, to);
        assert!(message.contains(expected), "{from} -> {to}: {message}");
        assert!(message.starts_with(file), "{from} -> {to}: {message}");
    }
}

#[test]
fn a_fault_names_its_line() {
    let message = broken("map/zones.csv", "ruhr,Ruhr,ger,no,easy", "ruhr,Ruhr,ger,no,esay");
    assert!(message.starts_with("map/zones.csv:6: map.zones.ruhr.terrain: "), "{message}");
    let mut files = files();
    files.retain(|file| file.name != "combat.toml");
    let error = load("edited", files, &[]).unwrap_err();
    assert!(error.to_string().starts_with("combat.toml: the file is missing"), "{error}");
}

#[test]
fn an_exported_scenario_opens_with_the_same_content() {
    let scratch = Scratch::new("export");
    let scenario = with(&[
        "combat.modifiers.armour=2",
        "calendar.20.weather=mud",
        "setup.units.gre.athens.infantry=1",
        "map.zones.warsaw.name=1944",
    ])
    .unwrap();
    export(&scenario, &scratch.0).unwrap();
    let again = open(scratch.name(), &[]).unwrap();
    assert_eq!(again.content_hash(), scenario.content_hash());
    assert_eq!(again.blitzwar(), scenario.blitzwar());
    assert_eq!(again.provenance_counts(), scenario.provenance_counts());
    assert_ne!(scenario.content_hash(), open(CAMPAIGN, &[]).unwrap().content_hash());
    // Nothing is written over what is there.
    let before = std::fs::read_to_string(scratch.0.join("setup.toml")).unwrap();
    let error = export(&open("blitzwar/france-1940", &[]).unwrap(), &scratch.0).unwrap_err();
    assert_eq!(*error.problem, Problem::NotEmpty);
    assert_eq!(std::fs::read_to_string(scratch.0.join("setup.toml")).unwrap(), before);
    // An edit by hand counts.
    std::fs::write(
        scratch.0.join("setup.toml"),
        before.replace("kustrin = { infantry = 4 }", "kustrin = { infantry = 3 }"),
    )
    .unwrap();
    assert_ne!(open(scratch.name(), &[]).unwrap().content_hash(), scenario.content_hash());
}

#[test]
fn notes_do_not_change_the_content() {
    let mut files = files();
    let cards = files.iter_mut().find(|file| file.name == "cards.csv").unwrap();
    cards.text = cards.text.replacen(",Balanced,", ",Even,", 1);
    let plain = open(CAMPAIGN, &[]).unwrap();
    assert_eq!(load("edited", files, &[]).unwrap().content_hash(), plain.content_hash());
    assert_ne!(with(&["cards.ax_l1.infantry=4"]).unwrap().content_hash(), plain.content_hash());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_files_load_or_say_why_not(
        file in 0_usize..16,
        edits in prop::collection::vec((0_u8..6, any::<usize>(), prop_oneof![-3_i64..300, any::<i64>()]), 1..4),
    ) {
        let mut files = files();
        let count = files.len();
        let text = &mut files[file % count].text;
        for (kind, place, number) in edits {
            mutate(text, kind, place, number);
        }
        match load("fuzzed", files, &[]) {
            // What loads can be described, and the engine takes it.
            Ok(scenario) => {
                prop_assert!(!scenario.describe().is_empty());
                prop_assert!(BlitzWar::new(scenario.into_blitzwar()).is_ok());
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_override_is_made_or_refused(path in "[a-z_.0-9-]{0,30}", value in "\\PC{0,12}") {
        if let Ok(edit) = Override::parse(&format!("{path}={value}")) {
            let _ = open(CAMPAIGN, &[edit]).map_err(|error| error.to_string());
        }
    }
}
