//! Overrides, messages, export, and files that are wrong.

use sandtable_blitzwar::nation::Nation;
use sandtable_blitzwar::rules::{Rules, Terrain, Weather};
use sandtable_core::Index;
use sandtable_scenarios::kit;
use sandtable_scenarios_blitzwar::{Description, Examples, LoadError, Override, Scenario, open};

const CAMPAIGN: &str = "blitzwar/campaign-1939";

fn with(edits: &[&str]) -> Result<Scenario<Rules>, LoadError> {
    kit::with::<Examples>(CAMPAIGN, edits)
}

fn message(edit: &str) -> String {
    kit::message::<Examples>(CAMPAIGN, edit)
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
    .into_rules();
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
    let supply = |scenario: &Scenario<Rules>, nation: Nation| -> f64 {
        Description::of(scenario.rules())
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
        .rules()
        .setup
        .units
        .iter()
        .filter(|it| it.nation == Nation::Ger && more.rules().zones[it.place.at()].id == "berlin")
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
    assert_eq!(scenario.rules().charts.shifts.armour, 2);
    assert_eq!(scenario.rules().dates.usa_entry, 18);
    assert_eq!(scenario.overrides()[0].to_string(), "combat.modifiers.armour=2");
}

#[test]
fn a_path_that_does_not_exist_names_the_nearest() {
    kit::check_paths::<Examples>(
        CAMPAIGN,
        &[
            ("combat.modifiers.air_superiorty=1", "combat.modifiers.air_superiority"),
            ("combat.modifier.armour=1", "combat.modifiers.armour"),
            ("map.zones.warsav.terrain=marsh", "map.zones.warsaw.terrain"),
            ("calendar.48.weather=mud", "calendar.47.weather"),
            ("setup.axis.supply=4", "setup.axis.extra_supply"),
        ],
    );
    assert!(message("entry_turn=3").ends_with("entry_turn`?"));
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
    kit::check_faults::<Examples>(CAMPAIGN, &cases);
}

#[test]
fn a_fault_names_its_line() {
    let edited = |from, to| kit::edited::<Examples>(CAMPAIGN, "map/zones.csv", from, to);
    let message = kit::fault_of::<Examples>(edited("ruhr,Ruhr,ger,no,easy", "ruhr,Ruhr,ger,no,esay"));
    assert!(message.starts_with("map/zones.csv:6: map.zones.ruhr.terrain: "), "{message}");
    let mut files = kit::files::<Examples>(CAMPAIGN);
    files.retain(|file| file.name != "combat.toml");
    let message = kit::fault_of::<Examples>(files);
    assert!(message.starts_with("combat.toml: the file is missing"), "{message}");
}

#[test]
fn what_plays_alike_has_the_same_content() {
    kit::check_content::<Examples>(
        CAMPAIGN,
        &[("cards.csv", ",Balanced,", ",Even,")],
        &[("setup.toml", "kustrin = { infantry = 4 }", "kustrin = { infantry = 3 }")],
        &["cards.ax_l1.infantry=4"],
    );
}

sandtable_scenarios::loader_tests!(
    Examples,
    CAMPAIGN,
    export: [
        "combat.modifiers.armour=2",
        "calendar.20.weather=mud",
        "setup.units.gre.athens.infantry=1",
        "map.zones.warsaw.name=1944",
    ],
    damages: 160,
    overrides: 40
);
