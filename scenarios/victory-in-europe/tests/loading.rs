//! Overrides, messages, export, and files that are wrong, of Victory in Europe.

use sandtable_core::Index;
use sandtable_scenarios::kit;
use sandtable_scenarios_victory_in_europe::{Examples, LoadError, Problem, Scenario};
use sandtable_victory_in_europe::nation::{Force, Nation, Team};
use sandtable_victory_in_europe::rules::{BorderKind, Effect, Entry, Rules, Terrain};
use sandtable_victory_in_europe::{Place, UnitId};

const CAMPAIGN: &str = "victory-in-europe/campaign-1939";

fn open_with(scenario: &str, edits: &[&str]) -> Result<Scenario<Rules>, LoadError> {
    kit::with::<Examples>(&format!("victory-in-europe/{scenario}"), edits)
}

fn with(edits: &[&str]) -> Result<Scenario<Rules>, LoadError> {
    kit::with::<Examples>(CAMPAIGN, edits)
}

fn area(rules: &Rules, id: &str) -> Place {
    Place::nth(rules.areas.iter().position(|area| area.id == id).unwrap())
}

fn unit(rules: &Rules, id: &str) -> UnitId {
    UnitId::nth(rules.units.iter().position(|unit| unit.id == id).unwrap())
}

#[test]
fn overrides_reach_the_rules() {
    let rules = with(&[
        "charts.battle_cm=2",
        "areas.paris.stack=4",
        "areas.warsaw.terrain=forest",
        "borders.london-southampton.terrain=river",
        "cities.paris.factory_steps=3",
        "resources.baku.value=5",
        "unit_types.battleship.special.sub=2",
        "unit_types.leader.special.army=2",
        "units.ger_pz_1a.steps=3",
        "cards.ax39-3.event.bonus=2",
        "calendar.2.winter=yes",
        "powers.vichy.capital=marseille",
        "diplomacy.resistance.spain.axis=8",
        "diplomacy.imports.sweden.value=3",
        "gates.dardanelles_strait.rule=no_enemy",
        "regions.libya=[\"tripoli\", \"benghazi\"]",
        "victory.axis.any_of.0=[\"paris\", \"cairo\"]",
        "options.three_players=true",
        "setup.units.ger_ldr_guderian.place=berlin",
        "setup.units.ger_inf_6a.place=munich",
        "setup.units.ger_inf_6a.steps=2",
        "setup.units.ita_ss.place=pool",
        "setup.factories.prague.steps=2",
        "setup.factories.frankfurt.steps=1",
        "setup.control.danzig.nation=germany",
        "setup.units.pol_inf_3a.place=gone",
        "setup.usa.mobilisation.us_inf_1a=3",
        "setup.usa.mobilisation.convoy_b=1",
    ])
    .unwrap_or_else(|error| panic!("{error}"))
    .into_rules();
    assert_eq!(rules.charts.battle_cm, 2);
    let paris = &rules.areas[area(&rules, "paris").at()];
    assert_eq!((paris.stack, paris.city), (4, 3));
    assert_eq!(rules.areas[area(&rules, "warsaw").at()].terrain, Terrain::Forest);
    assert_eq!(rules.borders[0].kind, BorderKind::River);
    assert_eq!(rules.areas[area(&rules, "baku").at()].resource, 5);
    let kind = |id: &str| rules.unit_types.iter().find(|kind| kind.id == id).unwrap();
    assert_eq!(kind("battleship").special, [0, 0, 0, 2, 0, 0]);
    assert_eq!(kind("leader").special, [0, 2, 0, 0, 0, 0]);
    assert_eq!(rules.units[unit(&rules, "ger_pz_1a").at()].steps, 3);
    let card = rules.cards.iter().find(|card| card.id == "ax39-3").unwrap();
    assert!(matches!(card.effect, Effect::Firepower { bonus: 2, .. }));
    assert!(rules.calendar[1].winter);
    assert_eq!(rules.capitals[Nation::Vichy.index()], Some(area(&rules, "marseille")));
    assert_eq!(rules.resistance[Nation::Spain.index()][Force::Axis.index()], 8);
    assert_eq!(rules.imports.iter().find(|import| import.from == Nation::Sweden).unwrap().value, 3);
    assert_eq!(rules.regions.libya.len(), 2);
    assert_eq!(rules.victory.axis_any[0].len(), 2);
    assert!(rules.options.three_players);
    let placed = |id: &str| {
        let unit = unit(&rules, id);
        rules.setup.units.iter().find(|placed| placed.0 == unit).map(|&(_, place, _, steps)| (place, steps))
    };
    assert_eq!(placed("ger_ldr_guderian"), Some((area(&rules, "berlin"), 1)));
    assert_eq!(placed("ger_inf_6a"), Some((area(&rules, "munich"), 2)));
    assert_eq!(placed("ita_ss"), None);
    assert!(rules.setup.gone.contains(&unit(&rules, "pol_inf_3a")));
    assert!(rules.setup.factories.contains(&(area(&rules, "frankfurt"), 1)));
    assert_eq!(rules.setup.control[area(&rules, "danzig").at()], Nation::Germany);
    assert!(rules.setup.mobilisation.contains(&(unit(&rules, "us_inf_1a"), 3)));
    assert!(rules.setup.mobilisation.contains(&(unit(&rules, "convoy_b"), 1)));
}

#[test]
fn options_change_what_the_scenario_allows() {
    let rules = |scenario: &str, edit: &str| open_with(scenario, &[edit]).unwrap().into_rules();
    // The notes of all scenarios but that of 1939 let units be exchanged; there the Allies are first.
    for scenario in ["campaign-1939", "barbarossa-1941", "stalingrad-1942", "kursk-1943", "bagration-1944"] {
        let three = rules(scenario, "options.three_players=true");
        let noted = scenario != "campaign-1939";
        assert!(three.options.three_players && three.setup.free_deployment == noted, "{scenario}");
        assert!(!rules(scenario, "options.free_deployment=false").setup.free_deployment, "{scenario}");
        let free = rules(scenario, "setup.free_deployment=true").setup;
        let first = if noted { Team::Axis } else { Team::Allies };
        assert!(free.free_deployment && free.deploys_first == first, "{scenario}");
        let hands = three.setup.hands_of_three;
        assert_eq!(hands.0 + hands.1, three.setup.hand, "{scenario}");
    }
    // Handicaps of study.
    let handicap = rules("kursk-1943", "setup.soviet.extra_production=3").setup.handicap;
    assert_eq!(handicap.map(|extra| (extra.production, extra.command)), [(0, 0), (0, 0), (3, 0)]);
    // Only that of 1942 has the late entry of the USA.
    let late = rules("stalingrad-1942", "options.late_usa_entry=true");
    assert_eq!((late.setup.usa, late.setup.ussr), (Entry::Neutral, Entry::AtWar));
    assert_eq!((late.setup.usa_entry_turn, late.setup.usa_roll), (15, (7, 12, 14)));
    assert!(late.options.late_usa_entry);
    let plain = rules("campaign-1939", "options.late_usa_entry=true");
    assert!(!plain.options.late_usa_entry);
    assert_eq!((plain.setup.usa_entry_turn, plain.setup.usa_roll), (11, (10, 7, 10)));
    //
    let invadable = |rules: &Rules| {
        ["hamburg", "stettin", "bremen_ruhr", "danzig"].map(|id| rules.areas[area(rules, id).at()].invadable)
    };
    assert_eq!(invadable(&plain), [false, false, false, true]);
    assert_eq!(invadable(&rules("campaign-1939", "options.north_germany_closed=false")), [true; 4]);
    // The text of 8.6 and 10.1 is the default, the rulings are options.
    let literal = |rules: &Rules| (!rules.options.surrounded_port_supplied, rules.options.overflight_is_war);
    assert_eq!(literal(&plain), (true, true));
    assert_eq!(literal(&rules("kursk-1943", "options.surrounded_port_supplied=true")), (false, true));
    assert_eq!(literal(&rules("kursk-1943", "options.overflight_is_war=false")), (true, false));
    // With three players the Allied hands hold as many cards together as that of the Axis.
    let error = open_with("stalingrad-1942", &["options.three_players=true", "setup.hand_soviet=1"]);
    let error = error.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("setup.hand_allied") && error.contains("they lay as many (12.0)"), "{error}");
    assert!(open_with("stalingrad-1942", &["setup.hand_soviet=1"]).is_ok());
}

#[test]
fn a_path_that_does_not_exist_names_the_nearest() {
    kit::check_paths::<Examples>(
        CAMPAIGN,
        &[
            ("charts.batle_cm=2", "charts.battle_cm"),
            ("areas.pariss.stack=4", "areas.paris.stack"),
            ("options.three_player=true", "options.three_players"),
            ("setup.units.gb_inf_beff.steps=3", "setup.units.gb_inf_bef.steps"),
        ],
    );
    match *with(&["setup.factories.nowhere.steps=1"]).unwrap_err().problem {
        Problem::UnknownPath { near } => assert_eq!(near.unwrap().rsplit('.').next(), Some("steps")),
        other => panic!("{other}"),
    }
}

#[test]
fn a_value_of_the_wrong_kind_names_the_right_one() {
    let cases = [
        ("charts.battle_cm=many", "charts.battle_cm.value: found the text `many`, expected a whole number"),
        ("charts.rounds=0", "charts.rounds.value: found 0, expected a number from 1 to 20"),
        ("areas.paris.terrain=swamp", "`swamp` is not a terrain (clear, forest, mountain, desert)"),
        ("areas.paris.country=franc", "`franc` is not a nation; did you mean `france`?"),
        (
            "setup.units.ger_pz_1a.place=berlln",
            "`berlln` is not an area, a sea zone, `pool` or `gone`; did you mean `berlin`?",
        ),
        (
            "setup.units.ger_pz_1a.place=paris",
            "units of Germany cannot stand in `paris`, which France controls",
        ),
        ("setup.units.ger_pz_1a.place=north_sea", "the unit cannot be in `north_sea`"),
        ("setup.units.ger_inf_6a.steps=3", "the unit is not on the map: name its place"),
        ("setup.units.ger_inf_6a.place=munich", "found 0, expected a number from 1 to 4"),
        ("setup.units.ger_pz_1a.coast=1", "only ships in port have a coast"),
        ("setup.units.ger_ss_1.coast=0", "a ship in `hamburg` needs a coast of it that has a port"),
        ("setup.units.ger_pz_1a.steps=5", "found 5, expected a number from 1 to 4"),
        (
            "setup.units.ger_ldr_guderian.place=breslau",
            "2 leaders of a side stand in `breslau`, which takes 1",
        ),
        (
            "setup.units.ger_fa_me109_1.place=breslau",
            "2 aircraft of a side stand in `breslau`, which takes 1",
        ),
        ("setup.units.gb_ca_1.place=scapa_flow", "3 ships of a side stand in `scapa_flow`, which takes 2"),
        ("charts.blitz_uses=4", "charts.blitz_uses.value: found 4, expected a number from 0 to 3"),
        ("setup.axis.extra_command=21", "found 21, expected a number from 0 to 20"),
        ("setup.deploys_first=soviet", "`soviet` is not who exchanges first (axis, allies)"),
        ("cards.al39-6.event.nation=[\"france\", \"britian\"]", "did you mean `britain`?"),
        ("charts.sea_stack=1", "1 ships of a side stand in `convoy_c`, which takes 0"),
        ("setup.factories.rome.steps=2", "`rome` takes 1 factory steps at most (1.42)"),
        ("setup.control.paris.nation=vichy", "Vichy France is gone and controls nothing"),
        ("setup.last_turn=27", "the calendar has 26 turns"),
        ("setup.hand=1", "no card is left for turn 2"),
        ("calendar.3.draw=3", "calendar.3.draw: no card is left for turn 6"),
        ("setup.entry.italy=surrendered", "it contradicts `setup.country_status`"),
        ("setup.patrons.poland=italy", "Poland and Italy are not on the same side"),
        ("setup.usa.entry_turn=0", "a neutral USA needs a turn to enter the war"),
        ("setup.usa.mobilisation.ger_pz_1a=1", "the unit stands in the set-up twice"),
        ("cities.paris.markers=0", "0 markers of 4 steps hold no 4 factory steps"),
        ("unit_types.panzer.arm=air", "a panzer is of another arm"),
        ("unit_types.panzer.class=E", "`E` is not a class (A, B, C, D)"),
        ("units.fin_inf_1a.home=oslo", "`oslo` is no area of Finland"),
    ];
    kit::check_values::<Examples>(CAMPAIGN, &cases);
}

#[test]
fn faults_of_the_files_are_told_with_their_place() {
    let cases = [
        (
            "areas.csv",
            "\nparis,Paris,france",
            "\nparis,Paris,frence",
            "areas.paris.country: `frence` is not a nation",
        ),
        ("areas.csv", "\nparis,Paris,", "\nlondon,Paris,", "`london` stands there twice"),
        (
            "areas.csv",
            "id,name,",
            "id,nam,",
            "areas.csv:4: `nam` is not a column of this table; did you mean `name`?",
        ),
        ("borders.csv", "\nlondon,southampton,", "\nlondon,southamton,", "did you mean `southampton`?"),
        ("borders.csv", "\nlondon,southampton,", "\nlondon,london,", "`london` is joined to itself"),
        (
            "borders.csv",
            "\nlondon,birmingham,",
            "\nsouthampton,london,",
            "`southampton` and `london` are joined twice",
        ),
        (
            "seas.csv",
            "skagerrak,Skagerrak,sea,",
            "skagerrak,Skagerrak,lake,",
            "`lake` is not a kind of sea zone",
        ),
        (
            "sea_links.csv",
            "kiel_canal",
            "keil_canal",
            "`keil_canal` is not a gate; did you mean `kiel_canal`?",
        ),
        ("gates.toml", "sides = [\"hamburg\"]", "sides = []", "a gate needs a side"),
        ("ports.csv", "skagerrak", "skagerak", "did you mean `skagerrak`?"),
        (
            "ports.csv",
            "Varde,yes,north_sea skagerrak,no,no",
            "Varde,no,north_sea skagerrak,yes,no",
            "naval bases and red ports are ports",
        ),
        (
            "ports.csv",
            "cyprus,1,Famagusta,yes,eastern_mediterranean",
            "cyprus,1,Famagusta,yes,none",
            "only a red port opens on the sea outside the map",
        ),
        ("ports.csv", "cyprus,1,", "cyprus,2,", "an area with a second coast has a first"),
        ("cities.csv", "\nparis,", "\nparris,", "did you mean `paris`?"),
        (
            "cities.csv",
            "area,name,factory_steps",
            "area,name,xyz",
            "`xyz` is not a column of this table (area, name, factory_steps, markers, provenance, basis)",
        ),
        ("resources.csv", ",axis,", ",axes,", "`axes` is not a use (any, axis, local); did you mean `axis`?"),
        ("regions.toml", "\"el_agheila\"", "\"el_agela\"", "did you mean `el_agheila`?"),
        ("regions.toml", "[fjords]", "[fjord]", "`fjords` is missing"),
        ("places.toml", "moscow = ", "moskow = ", "did you mean `moscow`?"),
        ("unit_types.toml", "kind = \"panzer\"", "kind = \"pantzer\"", "did you mean `panzer`?"),
        (
            "unit_types.toml",
            "special = { sub = 1 }",
            "special = { subs = 1 }",
            "`subs` is not a target; did you mean `sub`?",
        ),
        ("units.csv", "surface=3 sub=3", "surface=3 sub=9", "`sub=9` is not a target and its firepower"),
        ("units.csv", ",panzer,", ",panser,", "`panser` is not a type of unit; did you mean `panzer`?"),
        ("cards.toml", "kind = \"round\"", "kind = \"rounds\"", "did you mean `round`?"),
        ("cards.toml", "units = [\"panzer\"]", "units = [\"panzers\"]", "did you mean `panzer`?"),
        (
            "cards.toml",
            "\"eastern_mediterranean\"",
            "\"eastern_mediteranean\"",
            "did you mean `eastern_mediterranean`?",
        ),
        ("cards.toml", "bonus = 1, battles = 1", "bonuss = 1, battles = 1", "did you mean `bonus`?"),
        ("calendar.csv", "\n26,1945", "\n27,1945", "turn 26 is expected here, in order"),
        ("calendar.csv", "\n26,1945,4,autumn", "\n26,1945,4,summer", "it is not the season of quarter 4"),
        ("powers.toml", "[sphere]", "[spheres]", "did you mean `sphere`?"),
        ("diplomacy.toml", "[resistance.spain]", "[resistance.spane]", "did you mean `spain`?"),
        ("charts.toml", "[subsidy]", "[subsidies]", "did you mean `subsidy`?"),
        ("victory.toml", "\"cairo\"", "\"cario\"", "did you mean `cairo`?"),
        ("options.toml", "ruling = \"R-34\"", "ruling = \"R-340\"", "did you mean `R-34`?"),
        ("setup.toml", "western = [\"britain\"", "western = [\"brittain\"", "did you mean `britain`?"),
        ("setup.toml", "victory-in-europe", "victory-in-eurpe", "did you mean `victory-in-europe`?"),
        (
            "setup.toml",
            "system = \"victory-in-europe\"",
            "system = \"chess\"",
            "is not the system `victory-in-europe`",
        ),
        ("setup.toml", "\"gb_inf_ff\"", "\"gb_inf_bef\"", "the unit stands in the set-up twice"),
        (
            "setup.toml",
            "provenance = \"rulebook\"",
            "provenance = \"rumour\"",
            "`rumour` is not a provenance",
        ),
        ("setup/control.csv", "\nparis,france", "\npariss,france", "setup.control: `paris` is missing"),
        (
            "setup/units.csv",
            "\nger_pz_1a,",
            "\nger_pz_11a,",
            "`ger_pz_11a` is not a unit; did you mean `ger_pz_1a`?",
        ),
        (
            "setup/factories.csv",
            "\nberlin,3,",
            "\nberlin,three,",
            "setup.factories, column steps: found `three`, expected a whole number",
        ),
    ];
    kit::check_faults::<Examples>(CAMPAIGN, &cases);
    // An area that nothing leads to.
    let mut files = kit::files::<Examples>(CAMPAIGN);
    let ports = files.iter_mut().find(|file| file.name == "ports.csv").unwrap();
    let kept: Vec<&str> = ports.text.lines().filter(|line| !line.starts_with("cyprus,")).collect();
    ports.text = kept.join("\n");
    let message = kit::fault_of::<Examples>(files);
    assert!(
        message.starts_with("areas.csv:") && message.contains("no border or sea joins `cyprus`"),
        "{message}"
    );
}

#[test]
fn what_plays_alike_has_the_same_content() {
    kit::check_content::<Examples>(
        CAMPAIGN,
        &[("cards.toml", "name = \"Case White\"", "name = \"White\"")],
        &[("setup/units.csv", "ger_pz_1a,breslau,0,2", "ger_pz_1a,breslau,0,3")],
        &["ports.cyprus-1.port=no"],
    );
}

sandtable_scenarios::loader_tests!(
    Examples,
    CAMPAIGN,
    export: ["charts.battle_cm=2", "setup.units.ger_inf_6a.place=munich", "setup.units.ger_inf_6a.steps=2"],
    damages: 120,
    overrides: 40
);
