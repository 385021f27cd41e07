//! Roads to Moscow as users of the program see it: maps, games told and drawn, tables, odds.

mod study;

use std::fs;
use std::path::Path;

use serde_json::Value;
use study::{Scratch, refused, succeed, wastes_at_most};

const SCENARIOS: [&str; 4] = ["pervyy-voin", "road-to-mtsensk", "borodino-field", "mozhaysk"];

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&succeed(&[args, &["--json"]].concat())).unwrap()
}

#[test]
fn all_set_ups_are_drawn_with_what_a_wargamer_looks_for() {
    for (scenario, town) in SCENARIOS.into_iter().zip(["Mtsensk", "Orel", "Borodino", "Mozhaysk"]) {
        let picture = succeed(&["render", &format!("roads-to-moscow/{scenario}")]);
        for part in
            [town, "class=\"broad\"", "class=\"stream\"", "class=\"pri\"", "class=\"rail\"", "class=\"span\""]
        {
            assert!(picture.contains(part), "{scenario}: {part}");
        }
        let (hexes, counters) =
            (picture.matches("class=\"num\"").count(), picture.matches("class=\"cv ").count());
        assert!(
            (600..=1428).contains(&hexes) && counters > 15,
            "{scenario}: {hexes} hexes, {counters} stacks"
        );
        assert!(picture.contains("objective and its points") && picture.contains("source of supply"));
    }
    let plain = succeed(&["render", "roads-to-moscow/mozhaysk"]);
    assert!(plain.contains("class=\"works\"") && !plain.contains("url(#hatch0)"));
    let shown = succeed(&["render", "roads-to-moscow/mozhaysk", "--show", "control,zoc"]);
    assert!(
        shown.contains("class=\"front\"") && shown.contains("url(#hatch0)") && shown.contains("url(#hatch1)")
    );
    refused(
        &["render", "roads-to-moscow/mozhaysk", "--show", "zones"],
        &["zones", "control", "zoc", "supply"],
    );
}

/// A column of a table in CSV, of the first part.
fn column(run: &str, table: &str, name: &str) -> Vec<String> {
    let mut files: Vec<_> =
        fs::read_dir(Path::new(run).join(table)).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let text = fs::read_to_string(&files[0]).unwrap();
    let mut lines = text.lines();
    let at = lines.next().unwrap().split(',').position(|column| column == name).unwrap();
    lines.map(|line| line.split(',').nth(at).unwrap().to_owned()).collect()
}

#[test]
fn games_are_played_tabled_told_and_drawn() {
    let scratch = Scratch::new();
    let run = scratch.text("run");
    let games = ["--games", "3", "--quiet", "--format", "csv", "--seed", "4", "--out", &run];
    succeed(&[&["play", "roads-to-moscow/pervyy-voin", "--agents", "scripted"][..], &games].concat());
    for table in ["combats", "activations", "fronts"] {
        assert!(column(&run, table, "turn").len() > 10, "{table}");
    }
    let waste = column(&run, "waste", "waste");
    let turns = |name: &str| -> usize {
        column(&run, "turns", name).iter().map(|cell| cell.parse::<usize>().unwrap()).sum()
    };
    for case in ["unsupplied_own", "unsupplied_cut", "unfired_artillery", "idle_formations", "low_odds"] {
        assert_eq!(waste.iter().filter(|word| *word == case).count(), turns(case), "{case}");
    }
    let told = succeed(&["replay", &run, "--game", "2"]);
    assert!(
        told.contains("== turn 1: 6AM") && told.contains("Sequence") && told.contains("points of 7"),
        "{told}"
    );
    let all = succeed(&["replay", &run, "--game", "2", "--all"]);
    assert!(all.lines().count() > 4 * told.lines().count());
    let page = scratch.text("game.html");
    succeed(&["replay", &run, "--game", "2", "--html", &page]);
    let page = fs::read_to_string(&page).unwrap();
    for part in ["data-layer=\"control\"", "data-layer=\"zoc\"", "turn 1: 6AM, after 4"] {
        assert!(page.contains(part), "{part}");
    }
    let report = scratch.text("report.html");
    succeed(&["report", &run, "--out", &report]);
    let report = fs::read_to_string(&report).unwrap();
    for part in [
        "Hexes that units entered",
        "How far the side holds along the main road",
        "Pervyy Voin 2912",
        "Artillery units that could have supported",
    ] {
        assert!(report.contains(part), "{part}");
    }
}

/// Games of a look at waste; the limits are at most some one and a half times what the player wastes in them.
const GAMES: u32 = 48;

#[test]
fn the_scripted_player_wastes_little_on_the_road_to_mtsensk() {
    wastes_at_most(
        "roads-to-moscow/road-to-mtsensk",
        GAMES,
        &[
            ("german", "unsupplied_own", 26.0),
            ("german", "unsupplied_cut", 44.0),
            ("soviet", "unsupplied_own", 5.0),
            ("soviet", "unsupplied_cut", 30.0),
            ("german", "unfired_artillery", 5.0),
            ("soviet", "unfired_artillery", 0.6),
            ("german", "low_odds", 1.0),
            ("soviet", "low_odds", 0.4),
            ("soviet", "idle_formations", 7.0),
        ],
    );
}

#[test]
fn the_scripted_player_wastes_little_before_mozhaysk() {
    wastes_at_most(
        "roads-to-moscow/mozhaysk",
        GAMES,
        &[
            ("german", "unsupplied_own", 22.0),
            ("german", "unsupplied_cut", 22.0),
            ("soviet", "unsupplied_own", 5.0),
            ("soviet", "unsupplied_cut", 47.0),
            ("german", "unfired_artillery", 8.0),
            ("soviet", "unfired_artillery", 1.2),
            ("german", "low_odds", 2.4),
            ("soviet", "low_odds", 0.3),
            ("soviet", "idle_formations", 23.0),
        ],
    );
}

#[test]
fn the_weather_is_that_of_the_turn_track() {
    let odds = json(&["odds", "weather", "roads-to-moscow/road-to-mtsensk"]);
    let turns = odds["fronts"][0]["by_turn"].as_array().unwrap();
    assert_eq!(turns.len(), 16);
    let chances = |turn: usize| -> Vec<f64> {
        turns[turn]["probability"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| (p.as_f64().unwrap() * 10.0).round())
            .collect()
    };
    // 6AM: dry on 1 to 5, overcast on 6 to 9, rain on 10.
    assert_eq!(turns[4]["date"], "6AM");
    assert_eq!(chances(4), [5.0, 4.0, 1.0]);
    assert!(turns[12]["date"].as_str().unwrap().contains("winter"));
    let fuel = &odds["draws"]["distributions"][0];
    let sum: f64 = fuel["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|outcome| outcome["probability"].as_f64().unwrap())
        .sum();
    assert!((sum - 1.0).abs() < 1e-9 && fuel["question"] == "fuel units received");
    let historical =
        json(&["odds", "weather", "roads-to-moscow/mozhaysk", "--set", "options.historical_weather=true"]);
    assert_eq!(historical["fronts"][0]["certain"], true);
    assert!(historical["draws"].is_null(), "no fuel in this scenario");
}

#[test]
fn the_order_of_draws_is_exact_and_sampled_alike() {
    let args = ["odds", "initiative", "roads-to-moscow/mozhaysk", "--turn", "2", "--samples", "4000"];
    let odds = json(&args);
    let formations = odds["formations"].as_array().unwrap();
    let named = |name: &str| formations.iter().find(|draw| draw["formation"] == name).unwrap();
    let before = |one: &str, other: &str| named(one)["before"][other]["exact"].as_f64().unwrap();
    let markers = |name: &str| named(name)["markers"].as_f64().unwrap();
    // As many markers each in one cup.
    assert!((before("10Pz", "SSR") - 0.5).abs() < 1e-9);
    assert!((before("10Pz", "32") + before("32", "10Pz") - 1.0).abs() < 0.01);
    // 55 in 100 that the German begins, and then any of his markers.
    let german = formations.iter().filter(|draw| draw["side"] == "german");
    let all: f64 = german.map(|draw| draw["markers"].as_f64().unwrap()).sum();
    let first = named("10Pz")["draws"][0]["exact"].as_f64().unwrap();
    assert!((first - 0.55 * markers("10Pz") / all).abs() < 1e-9, "{first}");
    for draw in formations {
        let chances = draw["draws"].as_array().unwrap();
        let sum: f64 = chances.iter().map(|chance| chance["exact"].as_f64().unwrap()).sum();
        assert!((sum + draw["never"]["exact"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{draw}");
        for chance in chances {
            let [exact, low, high] =
                [&chance["exact"], &chance["sampled"]["low"], &chance["sampled"]["high"]]
                    .map(|value| value.as_f64().unwrap());
            // Twice the 95% interval.
            let slack = (high - low) / 2.0;
            assert!(low - slack <= exact && exact <= high + slack, "{}: {chance}", draw["formation"]);
        }
    }
    let opened = json(&["odds", "initiative", "roads-to-moscow", "--turn", "1", "--policy", "opening=SSR"]);
    let first =
        opened["formations"].as_array().unwrap().iter().find(|draw| draw["formation"] == "SSR").unwrap();
    assert!((first["draws"][0]["exact"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    let settled = json(&["odds", "initiative", "roads-to-moscow", "--policy", "first=soviet"]);
    let german =
        settled["formations"].as_array().unwrap().iter().find(|draw| draw["formation"] == "10Pz").unwrap();
    assert_eq!(german["draws"][0]["exact"], 0.0);
    let csv = succeed(&["odds", "initiative", "roads-to-moscow", "--table", "before", "--format", "csv"]);
    let all = formations.len();
    assert_eq!(csv.lines().count(), 1 + all * (all - 1));
    refused(&["odds", "initiative", "roads-to-moscow", "--turn", "99"], &["--turn 99"]);
    refused(&["odds", "initiative", "roads-to-moscow", "--policy", "opening=SSR"], &["turn 1"]);
    refused(&["odds", "initiative", "blitzwar"], &["BlitzWar has no draws"]);
}

/// Two battalions and a gun against a battalion of riflemen in the open.
const COMBAT: [&str; 9] = [
    "odds",
    "combat",
    "roads-to-moscow/mozhaysk",
    "--attack",
    "3523: 10Pz I/69, II/69",
    "--defend",
    "3623: I/113",
    "--units",
    "3521: I/90",
];

#[test]
fn the_odds_of_a_combat_are_exact_and_sampled_alike() {
    let odds = json(&[&COMBAT[..], &["--samples", "20000"]].concat());
    let stage = &odds["stages"][0];
    let sum: f64 = stage["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|outcome| outcome["probability"].as_f64().unwrap())
        .sum();
    assert!((sum - 1.0).abs() < 1e-9);
    for (name, figure) in stage["figures"].as_object().unwrap() {
        let [exact, low, high] = [&figure["exact"], &figure["sampled"]["low"], &figure["sampled"]["high"]]
            .map(|value| value.as_f64().unwrap());
        let slack = (high - low) / 2.0 + 1e-3;
        assert!(low - slack <= exact && exact <= high + slack, "{name}: {figure}");
    }
    let cleared = |more: &[&str]| {
        json(&[&COMBAT[..], more].concat())["stages"][0]["figures"]["cleared"]["exact"].as_f64().unwrap()
    };
    assert!(cleared(&["--policy", "attacker_artillery=0"]) < cleared(&[]), "the gun helps");
    assert!(cleared(&["--weather", "rain"]) <= cleared(&[]) + 1e-9);
    refused(&[&COMBAT[..], &["--policy", "table=mobile"]].concat(), &["Mobile"]);
    refused(&[&COMBAT[..], &["--policy", "attacker_plane=1"]].concat(), &["attacker_plane", "attacker_lead"]);
}

#[test]
fn the_odds_of_an_overrun_are_those_of_the_mobile_table() {
    const OVERRUN: [&str; 11] = [
        "odds",
        "combat",
        "roads-to-moscow/road-to-mtsensk",
        "--attack",
        "2729: I/35, I/12",
        "--defend",
        "2728: Tula",
        "--turn",
        "1",
        "--policy",
        "attack=overrun",
    ];
    // Rulebook 8.56: 9 against 3 in woods, with the better ratings: 3-1 at -1; the hex is cleared on six faces of ten.
    let odds = json(&[&OVERRUN[..], &["--samples", "20000"]].concat());
    let cleared = &odds["stages"][0]["figures"]["cleared"];
    assert!((cleared["exact"].as_f64().unwrap() - 0.6).abs() < 1e-9, "{cleared}");
    assert!((cleared["sampled"]["value"].as_f64().unwrap() - 0.6).abs() < 0.02, "{cleared}");
    refused(&[&OVERRUN[..], &["--policy", "table=assault"]].concat(), &["table", "Mobile table"]);
    refused(&[&OVERRUN[..], &["--attack", "2629: II/35"]].concat(), &["one stack"]);
}

#[test]
fn tables_of_odds_rise_with_odds_and_fall_with_modifiers() {
    let grid = json(&[&COMBAT[..], &["--by-table"]].concat());
    let cells = grid["cells"].as_array().unwrap();
    // Eleven columns of the Assault table, -5 to +5.
    assert_eq!(cells.len(), 11 * 11);
    let cleared = |at: usize| cells[at]["cleared"].as_f64().unwrap();
    for at in 0..cells.len() {
        if at % 11 < 10 {
            assert!(cleared(at) + 1e-9 >= cleared(at + 1), "{} against {}", cells[at], cells[at + 1]);
        }
        if at + 11 < cells.len() {
            assert!(cleared(at) <= cleared(at + 11) + 1e-9, "{} against {}", cells[at], cells[at + 11]);
        }
    }
    // In the table itself: 3-1 at 0 clears the hex on 1 to 6.
    let cell = cells.iter().find(|cell| cell["odds"] == "3-1" && cell["modifier"] == 0).unwrap();
    assert!((cell["cleared"].as_f64().unwrap() - 0.6).abs() < 1e-9, "{cell}");
    let strengths = json(&[&COMBAT[..], &["--grid", "12x4"]].concat());
    let cell = |attack: u64, defence: u64| {
        let all = strengths["cells"].as_array().unwrap();
        all.iter().find(|cell| cell["attackers"] == attack && cell["defenders"] == defence).unwrap()
    };
    assert_eq!((&cell(12, 4)["odds"], &cell(7, 4)["odds"]), (&"3-1".into(), &"3-2".into()));
    assert!(!cell(1, 4)["odds"].is_null(), "1-4 is the least");
    refused(&["odds", "combat", "blitzwar", "--example", "D42", "--by-table"], &["BlitzWar", "--by-table"]);
}
