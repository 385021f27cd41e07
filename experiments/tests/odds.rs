//! `sandtable odds` as its users run it.

mod study;

use std::fs;

use sandtable::table::Format;
use sandtable::table::read::read_text;
use serde_json::Value;
use study::Scratch;

fn succeed(args: &[&str]) -> String {
    study::succeed(&[&["odds"], args].concat())
}

/// Fails with exit code 2, a message that holds all of `words`, and without an answer.
fn refused(args: &[&str], words: &[&str]) {
    let args = [&["odds"], args].concat();
    study::refused(&args, words);
    assert!(study::run(&args).stdout.is_empty(), "{args:?} printed something");
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&succeed(&[args, &["--json"]].concat())).unwrap()
}

fn figure(odds: &Value, stage: usize, name: &str) -> f64 {
    odds["stages"][stage]["figures"][name]["exact"].as_f64().unwrap()
}

/// A battle before Minsk in the summer of 1942.
fn minsk<'a>(attack: &'a str, defend: &'a str) -> Vec<&'a str> {
    let position = "dates = { east_attack = 15, axis_soviet_war = 15 }";
    let scenario = "blitzwar/barbarossa-1941";
    vec!["combat", scenario, "--turn", "25", "--position", position, "--attack", attack, "--defend", defend]
}

#[test]
fn a_described_battle_is_the_same_as_its_worked_example() {
    let described = json(&minsk("bialystok: ger I1C2", "minsk: ussr I2"));
    let example = json(&["combat", "blitzwar", "--example", "D42"]);
    assert_eq!(described["stages"], example["stages"]);
    assert!(described["facts"]["odds"].as_str().unwrap().contains("3-2; shifts: armour +1; column 2-1"));
    // Column 2-1 is 1/0 C/1 C/1 0/1 0/1 0/1.
    assert!((figure(&described, 0, "attacker_loss") - 0.5).abs() < 1e-12);
    assert!((figure(&described, 0, "defender_loss") - 5.0 / 6.0).abs() < 1e-12);
    let all: f64 = described["stages"][1]["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|outcome| outcome["probability"].as_f64().unwrap())
        .sum();
    assert!((all - 1.0).abs() < 1e-12);
}

#[test]
fn air_terrain_weather_supply_and_policy_bear_on_the_odds() {
    let odds = |more: &[&str], defend: &str| {
        json(&[&minsk("bialystok: ger I1C2", defend)[..], more].concat())["facts"]["odds"].to_string()
    };
    assert!(odds(&["--units", "minsk: ger A1 mission"], "minsk: ussr I2").contains("attacker's air +2"));
    assert!(odds(&["--terrain", "mountain"], "minsk: ussr I2").contains("terrain -1"));
    assert!(odds(&[], "minsk: ussr I2 unsupplied").contains("out of supply +2"));
    let line = json(&minsk("minsk: ussr I2, ussr I2", "bialystok: ger I1 fortified"));
    assert!(line["facts"]["odds"].to_string().contains("all fortified -1"));
    let mud = json(&[&minsk("bialystok: ger I1C2", "minsk: ussr I2")[..], &["--weather", "mud"]].concat());
    assert_eq!(mud["facts"]["combat"], "Normal");
    let [stands, goes] = ["defender=hold", "defender=retreat"].map(|policy| {
        let args = minsk("bialystok: ger I3, ger I3", "minsk: ussr I3");
        json(&[&args[..], &["--policy", policy]].concat())
    });
    assert!(figure(&stands, 1, "retreated") < 1e-12 && figure(&goes, 1, "retreated") > 0.1);
    assert!(figure(&stands, 1, "defender_loss") > figure(&goes, 1, "defender_loss"));
}

#[test]
fn samples_lie_beside_the_exact_odds() {
    let args = ["combat", "blitzwar", "--example", "D42", "--samples", "200000", "--seed", "7"];
    let odds = json(&args);
    assert_eq!(odds, json(&args), "the seed fixes the samples");
    let figures = odds["stages"][1]["figures"].as_object().unwrap();
    for (name, figure) in figures {
        let [exact, low, high] = [&figure["exact"], &figure["sampled"]["low"], &figure["sampled"]["high"]]
            .map(|v| v.as_f64().unwrap());
        // Four standard errors: twice the 95% interval.
        let slack = (high - low) / 2.0 + 1e-4;
        assert!(low - slack <= exact && exact <= high + slack, "{name}: {exact} not near {low} to {high}");
    }
    let text = succeed(&args);
    assert!(
        text.contains("200000 samples") && text.contains("sampled 88.") && !text.contains('\u{1b}'),
        "{text}"
    );
}

#[test]
fn tables_hold_what_is_shown() {
    let folder = Scratch::new();
    let args = ["combat", "blitzwar", "--example", "D42", "--samples", "1000"];
    for (word, format) in [("csv", Format::Csv), ("parquet", Format::Parquet)] {
        let path = folder.path(word);
        let out = path.to_str().unwrap();
        assert_eq!(succeed(&[&args[..], &["--format", word, "--out", out]].concat()), "");
        let bytes = fs::read(&path).unwrap();
        let table = read_text(format, bytes.clone()).unwrap();
        let column = |name: &str| table.names.iter().position(|column| column == name).unwrap();
        let sum: f64 = table
            .rows
            .iter()
            .filter(|row| row[column("stage")] == "whole_battle" && row[column("end")] != "held")
            .map(|row| row[column("probability")].parse::<f64>().unwrap())
            .sum();
        assert!((sum - 8.0 / 9.0).abs() < 1e-12, "{word}: cleared with {sum}");
        // A file that is there is not touched.
        refused(&[&args[..], &["--format", word, "--out", out]].concat(), &["--out", "exists"]);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_grid_covers_all_strengths() {
    let grid = json(&["combat", "blitzwar", "--example", "D42", "--grid", "6x4"]);
    let cells = grid["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 24);
    let cell = |attackers: u64, defenders: u64| {
        cells.iter().find(|cell| cell["attackers"] == attackers && cell["defenders"] == defenders).unwrap()
    };
    let own = json(&["combat", "blitzwar", "--example", "D42"]);
    assert_eq!(cell(3, 2)["cleared"], own["stages"][1]["figures"]["cleared"]["exact"]);
    assert_eq!((&cell(6, 2)["odds"], &cell(6, 2)["column"]), (&"3-1".into(), &"4-1".into()));
    assert!(cell(1, 4)["fault"].as_str().unwrap().contains("the odds are below 2-3"));
    let text = succeed(&["combat", "blitzwar", "--example", "D42", "--grid", "6x4"]);
    assert!(text.contains("4-1 (3-1)"), "{text}");
}

#[test]
fn every_scenario_has_odds_of_weather_and_short_ones_of_events() {
    let all: Value = serde_json::from_str(&study::succeed(&["list", "--json"])).unwrap();
    let systems = all["systems"].as_array().unwrap().iter();
    let scenarios = systems.flat_map(|system| system["scenarios"].as_array().unwrap());
    let ids = scenarios.map(|scenario| scenario["id"].as_str().unwrap());
    let wargames: Vec<&str> = ids.filter(|id| !id.starts_with("reference/")).collect();
    assert!(wargames.len() > 25, "{wargames:?}");
    for scenario in wargames {
        json(&["weather", scenario]);
    }
    // Four months are left, fewer than are usual.
    assert_eq!(json(&["events", "eurofront/1939A"])["months"].as_array().unwrap().len(), 4);
    refused(&["events", "eurofront/1939A", "--months", "6"], &["--months 6", "1 to 4"]);
}

#[test]
fn the_weather_of_a_calendar_is_certain() {
    let args = ["weather", "blitzwar", "--from", "7", "--to", "11", "--at-least", "4"];
    let text = succeed(&args);
    assert!(text.contains("fixed by the calendar"), "{text}");
    let odds = json(&args);
    let front = &odds["fronts"][0];
    assert_eq!((&front["certain"], front["by_turn"].as_array().unwrap().len()), (&Value::Bool(true), 5));
    // Turns 7 to 9 and 11 are fair, turn 10 is mud.
    assert_eq!(front["count"], serde_json::json!([{ "turns": 4, "probability": 1.0 }]));
    assert_eq!(front["longest_run"], serde_json::json!([{ "turns": 3, "probability": 1.0 }]));
    assert_eq!(front["asked"]["probability"], 1.0);
    let changed = ["--set", "calendar.8.weather=mud", "--kind", "mud,snow"];
    let odds = json(&[&args[..], &changed].concat());
    assert_eq!(odds["fronts"][0]["count"][0]["turns"], 2);
    assert_eq!(odds["fronts"][0]["asked"]["probability"], 0.0);
    let csv = succeed(&[&args[..], &["--format", "csv"]].concat());
    assert_eq!(csv.lines().count(), 1 + 5 * 3);
}

/// A battle before Kursk in the spring of 1942.
fn kursk(more: &[&'static str]) -> Vec<&'static str> {
    let attack = "orel: ger panzer 4, ger infantry 4, Manstein 2";
    let defend = "kursk: ussr guards 4, ussr infantry_d1 3";
    [&["combat", "victory-in-europe", "--attack", attack, "--defend", defend][..], more].concat()
}

fn sum(stage: &Value) -> f64 {
    let outcomes = stage["outcomes"].as_array().unwrap();
    outcomes.iter().map(|outcome| outcome["probability"].as_f64().unwrap()).sum()
}

#[test]
fn blocks_fight_round_by_round() {
    let odds = json(&kursk(&["--samples", "20000"]));
    let stages = odds["stages"].as_array().unwrap();
    let names: Vec<&str> = stages.iter().map(|stage| stage["stage"].as_str().unwrap()).collect();
    assert_eq!(names, ["round_1", "round_2", "whole_battle"]);
    assert_eq!(odds["unit"], "steps");
    for stage in stages {
        assert!((sum(stage) - 1.0).abs() < 1e-12);
        for (name, figure) in stage["figures"].as_object().unwrap() {
            let [exact, low, high] =
                [&figure["exact"], &figure["sampled"]["low"], &figure["sampled"]["high"]]
                    .map(|v| v.as_f64().unwrap());
            let slack = (high - low) / 2.0 + 1e-3;
            assert!(
                low - slack <= exact && exact <= high + slack,
                "{name}: {exact} not near {low} to {high}"
            );
        }
    }
    // Class C first: the panzer's four dice at firepower 2, the leader's two at 1, and three steps can be lost beside
    // them.
    assert!(figure(&odds, 0, "defender_loss") > 4.0 / 3.0 + 2.0 / 6.0);
    let text = succeed(&kursk(&[]));
    for words in ["After round 2", "losses in steps", "4C2", "the leader may exploit", "Kursk"] {
        assert!(text.contains(words), "no {words} in {text}");
    }
}

#[test]
fn a_raid_is_the_same_as_its_worked_example() {
    let odds = json(&["combat", "victory-in-europe", "--example", "E-36"]);
    // Two dice of flak at firepower 1, then again as many as the factory has steps left.
    assert!((figure(&odds, 0, "attacker_loss") - 1.0 / 3.0).abs() < 1e-12);
    let left = 2.0 - figure(&odds, 0, "defender_loss");
    assert!((figure(&odds, 1, "attacker_loss") - (1.0 / 3.0 + left / 6.0)).abs() < 1e-12);
    assert!((sum(&odds["stages"][2]) - 1.0).abs() < 1e-12);
}

#[test]
fn winter_forest_and_policy_bear_on_the_odds_of_blocks() {
    let lost = |more: &[&'static str], name: &str| {
        let odds = json(&kursk(more));
        let last = odds["stages"].as_array().unwrap().len() - 1;
        figure(&odds, last, name)
    };
    let plain = lost(&[], "attacker_loss");
    assert!(lost(&["--weather", "winter"], "defender_loss") < lost(&["--weather", "mild"], "defender_loss"));
    assert!(lost(&["--terrain", "forest"], "attacker_loss") > plain, "infantry in a forest has one more");
    assert!((lost(&["--weather", "summer"], "defender_loss") - lost(&[], "defender_loss")).abs() < 1e-12);
    assert!(lost(&["--terrain", "mountain"], "defender_loss") < lost(&[], "defender_loss"));
    assert!(lost(&["--policy", "blitz=2"], "cleared") > lost(&[], "cleared"));
    assert!(lost(&["--policy", "blitz=2"], "again") > 0.1 && lost(&[], "again") < 1e-12);
    assert!(lost(&["--policy", "defender=20"], "retreated") > 0.8 && lost(&[], "retreated") < 1e-12);
    let early = ["--policy", "defender=20", "--policy", "defender.early=yes"];
    assert!(lost(&early, "attacker_loss") < plain);
    assert!(lost(&["--policy", "attacker=1-1"], "cleared") < lost(&[], "cleared"));
}

#[test]
fn a_grid_of_steps_covers_what_the_units_can_have() {
    let grid = json(&kursk(&["--grid", "9x3"]));
    let cells = grid["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 27);
    let cleared = |at: usize| cells[at]["cleared"].as_f64().unwrap();
    assert!(cleared(7 * 3) > cleared(3 * 3) && cleared(7 * 3) > cleared(7 * 3 + 2));
    assert!(cells[26]["fault"].as_str().unwrap().contains("8 steps at most"));
    let text = succeed(&kursk(&["--grid", "4x3"]));
    assert!(!text.contains("Column of the first round") && text.contains("cleared"), "{text}");
    let csv = succeed(&kursk(&["--grid", "2x2", "--format", "csv"]));
    assert_eq!(csv.lines().count(), 5);
}

#[test]
fn winters_are_certain_and_cards_are_drawn() {
    let args = ["weather", "victory-in-europe", "--from", "3", "--to", "6"];
    let odds = json(&args);
    let fronts = odds["fronts"].as_array().unwrap();
    let winters = |front: usize| -> Vec<f64> {
        let turns = fronts[front]["by_turn"].as_array().unwrap();
        turns.iter().map(|turn| turn["probability"][1].as_f64().unwrap()).collect()
    };
    // The first quarter everywhere, the last in the east, with its rivers and seas.
    assert_eq!(
        [winters(0), winters(1), winters(2)],
        [[1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0]]
    );
    let distributions = odds["draws"]["distributions"].as_array().unwrap();
    let distribution = |turn: u64, subject: &str, question: &str| {
        let wanted = |distribution: &&Value| {
            distribution["turn"] == turn
                && distribution["subject"] == subject
                && distribution["question"] == question
        };
        let found = distributions
            .iter()
            .find(wanted)
            .unwrap_or_else(|| panic!("no {question} of {subject} on {turn}"));
        let outcomes = found["outcomes"].as_array().unwrap().iter();
        outcomes.map(|o| o["probability"].as_f64().unwrap()).collect::<Vec<f64>>()
    };
    // Four of eight are drawn, and each turn one is laid.
    let in_hand = distribution(3, "axis", "card in hand");
    assert!(in_hand.len() == 8 && in_hand.iter().all(|p| (p - 0.5).abs() < 1e-12));
    let later: f64 = distribution(5, "allies", "card in hand").iter().sum();
    assert!((later - 2.0).abs() < 1e-12, "two of four have been laid");
    for (turn, subject, question) in
        [(3, "axis", "best command in hand"), (4, "both", "Player 1"), (6, "allies", "command laid")]
    {
        assert!(
            (distribution(turn, subject, question).iter().sum::<f64>() - 1.0).abs() < 1e-12,
            "{question}"
        );
    }
    let random = json(&[&args[..], &["--policy", "axis=random", "--policy", "allies=random"]].concat());
    let first = |odds: &Value, turn: u64| {
        let distributions = odds["draws"]["distributions"].as_array().unwrap();
        let distribution = distributions
            .iter()
            .find(|distribution| distribution["turn"] == turn && distribution["question"] == "Player 1")
            .unwrap();
        distribution["outcomes"][0]["probability"].as_f64().unwrap()
    };
    assert!((first(&random, 3) - first(&random, 4)).abs() < 1e-12, "at random all turns are alike");
    assert!(first(&odds, 3) > first(&odds, 4) + 0.01);
    let text = succeed(&args);
    for words in ["fixed by the calendar", "Gulf of Finland", "Draws, turn 3", "command of the hand together"]
    {
        assert!(text.contains(words), "no {words} in {text}");
    }
    let csv = succeed(&[&args[..], &["--format", "csv", "--table", "draws"]].concat());
    assert!(csv.starts_with("turn,date,subject,question,outcome,probability\n3,"), "{csv}");
    assert_eq!(succeed(&[&args[..], &["--format", "csv"]].concat()).lines().count(), 1 + 3 * 4 * 2);
}

#[test]
fn what_means_nothing_of_blocks_is_refused() {
    refused(&kursk(&["--policy", "blitzz=2"]), &["unknown policy", "blitz"]);
    refused(&kursk(&["--policy", "blitz=3"]), &["0, 1 or 2"]);
    refused(&kursk(&["--policy", "defender=maybe"]), &["stand", "2-1"]);
    refused(&kursk(&["--policy", "attacker.fighters=ari"]), &["ari", "air"]);
    refused(&kursk(&["--weather", "mud"]), &["mud", "winter"]);
    refused(&kursk(&["--terrain", "forrest"]), &["forrest", "forest"]);
    let defend = |units| ["combat", "victory-in-europe", "--attack", "orel: ger panzer 3", "--defend", units];
    refused(&defend("kursk: ger infantry 3"), &["same side"]);
    refused(&defend("kurks: ussr guards 3"), &["kurks", "kursk"]);
    let neutral = ["combat", "victory-in-europe/campaign-1939", "--attack", "warsaw: ger panzer 3"];
    refused(&[&neutral[..], &["--defend", "minsk: ussr guards 3"]].concat(), &["not at war", "ussr"]);
    refused(&["combat", "victory-in-europe", "--example", "E-9999"], &["E-9999"]);
    refused(&["weather", "victory-in-europe", "--policy", "axis=higest"], &["higest", "highest"]);
    refused(&["weather", "victory-in-europe", "--policy", "axes=random"], &["axes", "axis"]);
    refused(&["weather", "blitzwar", "--policy", "axis=random"], &["unknown policy"]);
    refused(&["weather", "blitzwar", "--table", "draws"], &["nothing is drawn"]);
}

#[test]
fn what_means_nothing_is_refused_with_the_nearest_name() {
    let attack = "bialystok: ger I3, ger I3";
    let refuse = |defend: &str, more: &[&str], words: &[&str]| {
        refused(&[&minsk(attack, defend)[..], more].concat(), words);
    };
    refuse("minks: ussr I2", &[], &["`minks` is not a land zone", "`minsk`"]);
    refuse("minsk: usr I2", &[], &["`usr` is not a nation", "`ussr`"]);
    refuse("minsk: ussr X2", &[], &["`X2` is not a unit"]);
    refuse("minsk: ussr I2", &["--terrain", "marsch"], &["marsch", "marsh"]);
    refuse("minsk: ussr I2", &["--weather", "snoww"], &["snoww", "snow"]);
    refuse("minsk: ussr I2", &["--policy", "agin=never"], &["unknown policy", "again"]);
    refuse("minsk: ussr I2", &["--policy", "again=nevr"], &["nevr", "never"]);
    let twice = ["--policy", "again=never", "--policy", "again=2-1"];
    refuse("minsk: ussr I2", &twice, &["--policy again=2-1 after again=never"]);
    refuse("minsk: ussr I2", &["--seed", "3"], &["--samples"]);
    refuse("minsk: ussr I2", &["--format", "parquet"], &["--out"]);
    refuse("minsk: ussr I2", &["--grid", "0x4"], &["12x6"]);
    refuse("minsk: ger I2", &[], &["fights for"]);
    refused(&minsk("riga: ger I1", "minsk: ussr I2"), &["cannot be attacked", "no own corps"]);
    refused(&minsk(attack, "minsk: ussr I2, ussr I2, ussr I2, ussr I2, ussr I2"), &["below 2-3"]);
    refused(&["combat", "blitzwar", "--example", "D4242"], &["D4242"]);
    refused(&["combat", "blitzwar", "--example", "D42", "--nth", "3"], &["only one"]);
    refused(&["combat", "blitzwar", "--example", "nowhere.toml#D42"], &["nowhere.toml"]);
    refused(&["combat", "blitzwr", "--example", "D42"], &["blitzwr", "\"blitzwar\""]);
    refused(&["weather", "blitzwar", "--kind", "fare"], &["fare", "\"fair\""]);
    refused(&["weather", "blitzwar", "--from", "99"], &["--from 99", "1 to 47"]);
    for system in ["reference/backgammon", "reference/kuhn"] {
        refused(&["combat", system, "--example", "D42"], &["has no battles"]);
        refused(&["weather", system], &["has no weather"]);
    }
}

#[test]
fn reactions_follow_the_table_link_by_link() {
    let args = ["reactions", "eurofront/1940", "--by", "axis", "--on", "holland", "--samples", "4000"];
    let odds = json(&args);
    let chance = |odds: &Value, nation: &str| {
        let found = odds["nations"].as_array().unwrap().iter().find(|joined| joined["nation"] == nation);
        found.map_or(0.0, |joined| joined["chance"]["exact"].as_f64().unwrap())
    };
    // The victim joins at once; Belgium reacts on 1 to 6 (16.51).
    assert_eq!((chance(&odds, "holland"), chance(&odds, "belgium")), (1.0, 1.0));
    let outcomes = odds["outcomes"].as_array().unwrap();
    let sum: f64 = outcomes.iter().map(|outcome| outcome["chance"]["exact"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    for outcome in outcomes {
        let (exact, sampled) = (&outcome["chance"]["exact"], &outcome["chance"]["sampled"]);
        let [exact, value] = [exact, &sampled["value"]].map(|share| share.as_f64().unwrap());
        assert!((exact - value).abs() < 0.04, "{outcome}");
    }
    // Belgium first: Holland reacts on 1 or 2, when France has fallen on 1 alone.
    let belgium = |position: &[&str]| {
        json(&[&["reactions", "eurofront/1940", "--by", "axis", "--on", "belgium"], position].concat())
    };
    assert!((chance(&belgium(&[]), "holland") - 2.0 / 6.0).abs() < 1e-12);
    let fallen = belgium(&["--position", "status = { france = \"defeated\" }"]);
    assert!((chance(&fallen, "holland") - 1.0 / 6.0).abs() < 1e-12);
    let text = succeed(&args);
    for words in
        ["the Axis declares war on Holland", "Who joins whom, 4000 chains sampled", "All ends of the chain"]
    {
        assert!(text.contains(words), "no {words} in {text}");
    }
    refused(&["reactions", "eurofront/1940", "--by", "axes", "--on", "holland"], &["--by", "axes", "axis"]);
    refused(
        &["reactions", "eurofront/1940", "--by", "axis", "--on", "holand"],
        &["--on", "holand", "holland"],
    );
    refused(
        &["reactions", "eurofront/1940", "--by", "axis", "--on", "germany"],
        &["--on germany", "neutral"],
    );
    refused(&["reactions", "blitzwar", "--by", "axis", "--on", "holland"], &["BlitzWar has no reactions"]);
}

#[test]
fn events_come_about_month_by_month() {
    let args = ["events", "eurofront/1942", "--months", "3", "--samples", "3000"];
    let odds = json(&args);
    assert_eq!(odds["months"].as_array().unwrap().len(), 3);
    let events = odds["events"].as_array().unwrap();
    assert!(!events.is_empty());
    for event in events {
        let mut last = 0.0;
        for month in event["by_month"].as_array().unwrap() {
            let [exact, value] =
                [&month["exact"], &month["sampled"]["value"]].map(|share| share.as_f64().unwrap());
            assert!(exact >= last && exact <= 1.0, "{event}");
            assert!((exact - value).abs() < 0.04, "{event}");
            last = exact;
        }
        // A die of six in the first month.
        let first = 6.0 * event["by_month"][0]["exact"].as_f64().unwrap();
        assert!((first - first.round()).abs() < 1e-9 && first > 0.5, "{event}");
    }
    // One event a side and month: the second waits until the first has happened.
    let id = |at: usize| events[at]["event"].as_str().unwrap();
    let axis: Vec<&str> = (0..events.len()).filter(|&at| events[at]["side"] == "axis").map(id).collect();
    let policy = format!("axis={}+{}", axis[0], axis[1]);
    let both = json(&["events", "eurofront/1942", "--months", "3", "--policy", &policy]);
    let by_month = |odds: &Value, id: &str, month: usize| {
        let found = odds["events"].as_array().unwrap().iter().find(|event| event["event"] == id).unwrap();
        found["by_month"][month]["exact"].as_f64().unwrap()
    };
    assert!((by_month(&both, axis[0], 1) - by_month(&odds, axis[0], 1)).abs() < 1e-12);
    assert!(by_month(&both, axis[1], 2) < by_month(&odds, axis[1], 2));
    assert!(by_month(&both, axis[1], 0) < 1e-12);
    let csv = succeed(&[&args[..], &["--format", "csv"]].concat());
    assert_eq!(csv.lines().count(), 1 + 3 * events.len());
    refused(&["events", "eurofront/1942", "--policy", "axis=QQ"], &["axis=\"QQ\"", "event \"QQ\""]);
    refused(&["events", "eurofront/1942", "--policy", "reds=ME"], &["reds", "coalition"]);
    refused(&["events", "eurofront/1942", "--months", "200"], &["--months 200", "end of the calendar"]);
    refused(&["events", "roads-to-moscow"], &["Roads to Moscow has no diplomatic events"]);
}

#[test]
fn special_dice_by_class_and_two_months_of_weather() {
    // Two cadres of full strength behind a river fire first: four dice need 5.
    let example = ["combat", "europe-engulfed", "--example", "C-01"];
    let odds = json(&[&example[..], &["--samples", "20000"]].concat());
    assert!((figure(&odds, 0, "attacker_loss") - 4.0 / 3.0).abs() < 1e-12);
    assert!((sum(&odds["stages"][0]) - 1.0).abs() < 1e-12);
    for name in ["attacker_loss", "defender_loss"] {
        let sampled = &odds["stages"][0]["figures"][name]["sampled"];
        let [low, high] = ["low", "high"].map(|end| sampled[end].as_f64().unwrap());
        let (exact, slack) = (figure(&odds, 0, name), (high - low) / 2.0 + 1e-3);
        assert!(low - slack <= exact && exact <= high + slack, "{name}: {exact} not near {low} to {high}");
    }
    // An assault doubles the dice of both sides.
    let assault = json(&[&example[..], &["--policy", "mode=assault"]].concat());
    assert!((figure(&assault, 0, "attacker_loss") - 8.0 / 3.0).abs() < 1e-12);
    let described = |more: &[&'static str]| {
        let battle =
            ["--attack", "lodz: united_states inf 3/3 x3", "--defend", "lublin: soviet_union inf 2 x2"];
        json(&[&["combat", "europe-engulfed/patton-1945"], &battle[..], more].concat())
    };
    let fort = described(&["--position", "field_forts = [\"lublin\"]"]);
    assert!(figure(&fort, 0, "attacker_loss") > figure(&described(&[]), 0, "attacker_loss") + 0.3);
    // Who counterattacks is fired at first, and pays for it.
    let answered = described(&["--policy", "counterattack=assault"]);
    assert!(figure(&answered, 0, "defender_loss") > figure(&described(&[]), 0, "defender_loss") + 0.5);

    let weather = json(&["weather", "europe-engulfed/campaign-1941", "--to", "3"]);
    let chance = |turn: usize, kind: usize| {
        weather["fronts"][0]["by_turn"][turn]["probability"][kind].as_f64().unwrap()
    };
    assert!((chance(0, 0) - 1.0).abs() < 1e-12, "July is clear");
    assert!((chance(2, 3) - 27.0 / 36.0).abs() < 1e-12, "snow in the east from 5 to 10 of two dice");

    refused(&[&example[..], &["--policy", "mood=assault"]].concat(), &["unknown policy", "mode"]);
    refused(&[&example[..], &["--policy", "counterattack=maybe"]].concat(), &["maybe", "never"]);
    let same = ["combat", "europe-engulfed", "--attack", "lodz: soviet_union inf 2"];
    refused(&[&same[..], &["--defend", "lublin: soviet_union inf 2"]].concat(), &["same side"]);
    refused(&[&same[..], &["--defend", "lublim: united_states inf 3"]].concat(), &["lublim", "lublin"]);
    refused(&["weather", "europe-engulfed", "--policy", "axis=random"], &["unknown policy"]);
}
