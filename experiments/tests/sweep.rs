//! `sandtable sweep` as its users run it: what changes no value, what survives a kill, what is refused.

mod study;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sandtable::lab::sweep::manifest::Manifest;
use sandtable::table::TextTable;
use sandtable_stats::design::{Factor, Value as Level};
use sandtable_stats::interval::Bootstrap;
use sandtable_stats::sensitivity::{sobol, standardised_regression};
use study::{Scratch, games, refused, report, sandtable, succeed};

const FRANCE: &str = r#"
scenario = "blitzwar/france-1940"
seed = 3
games = 6
agents = ["random", { axis = "scripted", allied = "random", soviet = "random" }]

[design]
kind = "grid"
points = 3

[[factor]]
path = "combat.modifiers.air_superiority"
range = [0, 4]
whole = true
name = "air"

[[factor]]
path = "combat.modifiers.armour"
values = [0, 2]
"#;

/// Where the games of [`FRANCE`] are.
const GAMES: &str = "sweep_games/scenario=blitzwar%2Ffrance-1940";

fn experiment(scratch: &Scratch, name: &str, text: &str) -> String {
    let path = scratch.text(name);
    fs::write(&path, text).unwrap();
    path
}

/// All files of a sweep but the manifest, which names the command line.
fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, all);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                all.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(Path::new(folder), Path::new(folder), &mut all);
    all.remove("manifest.json");
    // Names the process that wrote last.
    all.remove(".lock");
    all
}

#[track_caller]
fn assert_same(one: &str, other: &str) {
    let (one, other) = (files(one), files(other));
    assert!(one.keys().eq(other.keys()), "{:?} {:?}", one.keys(), other.keys());
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{name} differs");
    }
}

fn table(folder: &str, name: &str) -> TextTable {
    study::file(Path::new(folder).join(name))
}

fn results(folder: &str) -> TextTable {
    games(folder, GAMES)
}

fn column(table: &TextTable, name: &str) -> Vec<String> {
    table.column(name).unwrap_or_else(|| panic!("no column {name}")).map(str::to_owned).collect()
}

fn numbers(table: &TextTable, name: &str) -> Vec<f64> {
    column(table, name).iter().map(|cell| cell.parse().unwrap()).collect()
}

#[test]
fn threads_and_kills_change_no_value() {
    let scratch = Scratch::new();
    let file = experiment(&scratch, "france.toml", FRANCE);
    let (one, three, killed) = (scratch.text("one"), scratch.text("three"), scratch.text("killed"));
    succeed(&["sweep", &file, "--out", &one, "--threads", "1", "--quiet"]);
    succeed(&["sweep", &file, "--out", &three, "--threads", "3", "--json"]);
    assert_same(&one, &three);
    assert_eq!(results(&one).rows.len(), 6 * 2 * 6);

    let parts = || fs::read_dir(Path::new(&killed).join("parts")).map_or(0, Iterator::count);
    let mut kills = 0;
    for more in [0, 5, 20] {
        let mut child = sandtable(&["sweep", &file, "--out", &killed, "--threads", "2", "--quiet"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let before = parts();
        let running = loop {
            if child.try_wait().unwrap().is_some() {
                break false;
            }
            if Manifest::is_in(Path::new(&killed)) && parts() >= before + more {
                break true;
            }
            sleep(Duration::from_millis(1));
        };
        child.kill().unwrap();
        child.wait().unwrap();
        kills += u32::from(running);
    }
    assert!(kills >= 2, "the sweep is long enough to be killed");
    // What a crash leaves half written.
    fs::write(Path::new(&killed).join(GAMES).join(".part-00071.parquet.tmp"), "torn").unwrap();
    succeed(&["sweep", &file, "--out", &killed, "--quiet"]);
    assert_same(&one, &killed);
}

#[test]
fn an_interrupt_says_how_to_go_on() {
    let scratch = Scratch::new();
    let file = experiment(&scratch, "long.toml", &FRANCE.replace("games = 6", "games = 100000"));
    let out = scratch.text("out");
    let child =
        sandtable(&["sweep", &file, "--out", &out, "--quiet"]).stderr(Stdio::piped()).spawn().unwrap();
    let parts = || fs::read_dir(Path::new(&out).join("parts")).map_or(0, Iterator::count);
    let deadline = Instant::now() + Duration::from_secs(60);
    while parts() == 0 && Instant::now() < deadline {
        sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("parts missing; go on with: sandtable sweep"), "{message}");
    assert!(parts() > 0 && !Path::new(&out).join("sweep.json").exists());
}

#[test]
fn an_interrupt_finishes_the_part_at_hand() {
    let scratch = Scratch::new();
    // Parts of sixteen slow games; once one is written, the next is at hand.
    let text = FRANCE.replace("games = 6", "games = 1000").replace(
        "agents = [\"random\", { axis = \"scripted\", allied = \"random\", soviet = \"random\" }]",
        "agents = [\"flat-mc:iterations=2,depth=1t\"]",
    );
    let file = experiment(&scratch, "slow.toml", &text);
    let out = scratch.text("out");
    let child = sandtable(&["sweep", &file, "--out", &out, "--quiet", "--threads", "1"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let written = || fs::read_dir(Path::new(&out).join("parts")).map_or(0, Iterator::count);
    let start = Instant::now();
    while written() == 0 && start.elapsed() < Duration::from_secs(120) {
        sleep(Duration::from_millis(5));
    }
    // Well into the second part, which takes about as long as the first.
    sleep(start.elapsed() / 3);
    let before = written();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    let parts = written();
    assert!(parts > before, "the part at hand is finished: {message}");
    assert!(message.contains(&format!("stopped with {} of", 375 - parts)), "{message}");
    assert_eq!(results(&out).rows.len(), 16 * parts);
}

#[test]
fn games_that_are_added_make_the_sweep_of_the_larger_number() {
    let scratch = Scratch::new();
    let file = experiment(&scratch, "france.toml", FRANCE);
    let more = experiment(&scratch, "more.toml", &FRANCE.replace("games = 6", "games = 9"));
    let (whole, out) = (scratch.text("whole"), scratch.text("out"));
    succeed(&["sweep", &more, "--out", &whole, "--quiet"]);
    succeed(&["sweep", &file, "--out", &out, "--quiet"]);
    let before = files(&out);
    succeed(&["sweep", &file, "--out", &out, "--games", "8", "--quiet"]);
    // The file says 6, of which there are more already: it goes on with those, and then with what another file says.
    assert!(!succeed(&["sweep", &file, "--out", &out]).contains("speed:"));
    succeed(&["sweep", &more, "--out", &out, "--quiet"]);
    let after = files(&out);
    for (name, bytes) in before.iter().filter(|(name, _)| name.starts_with(GAMES)) {
        assert!(after[name] == *bytes, "{name} was written anew");
    }
    // All figures are those of one sweep; its games are the same, in the order in which they were played.
    let figures = |folder: &str| -> BTreeMap<String, Vec<u8>> {
        let all = files(folder).into_iter();
        all.filter(|(name, _)| !name.starts_with(GAMES) && !name.starts_with("parts/")).collect()
    };
    assert!(figures(&out) == figures(&whole));
    let sorted = |folder: &str| {
        let mut rows = results(folder).rows;
        rows.sort();
        rows
    };
    assert!(sorted(&out) == sorted(&whole));
    assert_eq!(sorted(&out).len(), 6 * 2 * 9);
    refused(&["sweep", &file, "--out", &out, "--games", "7"], &["9 there, 7 here", "not taken away"]);
    // Shards to which games are added are still shards of one sweep, and not of that with fewer.
    let shards = ["1/2", "2/2"].map(|shard| {
        let out = scratch.text(&shard.replace('/', "-"));
        succeed(&["sweep", &file, "--out", &out, "--shard", shard, "--quiet"]);
        out
    });
    let merged = scratch.text("merged");
    let [one, two] = shards.each_ref().map(String::as_str);
    succeed(&["sweep", &file, "--out", one, "--games", "9", "--quiet"]);
    refused(&["merge", &merged, one, two], &["another sweep"]);
    succeed(&["sweep", &file, "--out", two, "--games", "9", "--quiet"]);
    succeed(&["merge", &merged, one, two]);
    assert!(figures(&merged) == figures(&whole) && sorted(&merged) == sorted(&whole));
    // A killed extension goes on.
    let killed = scratch.text("killed");
    succeed(&["sweep", &file, "--out", &killed, "--quiet"]);
    let parts = || fs::read_dir(Path::new(&killed).join("parts")).unwrap().count();
    let begun = parts();
    let mut child = sandtable(&["sweep", &more, "--out", &killed, "--quiet"]).spawn().unwrap();
    while parts() == begun && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().unwrap();
    succeed(&["sweep", &more, "--out", &killed, "--quiet"]);
    assert!(figures(&killed) == figures(&whole) && sorted(&killed) == sorted(&whole));
}

#[test]
fn indices_and_shares_are_those_of_the_table_of_points() {
    let scratch = Scratch::new();
    // With this seed the points of random games are not all alike.
    let file = experiment(&scratch, "france.toml", &FRANCE.replace("seed = 3", "seed = 35"));
    let out = scratch.text("out");
    succeed(&["sweep", &file, "--out", &out, "--quiet", "--format", "csv"]);
    let (points, indices) = (table(&out, "points.csv"), table(&out, "indices.csv"));
    // Every game is won by somebody or drawn.
    for row in 0..points.rows.len() {
        let shares: Vec<&String> =
            points.names.iter().filter(|name| name.starts_with("wins_") || *name == "draws").collect();
        let sum: f64 = shares
            .iter()
            .filter(|name| !name.ends_with("_low") && !name.ends_with("_high"))
            .map(|name| numbers(&points, name)[row])
            .sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum} in row {row}");
    }
    let drawn = column(&results(&out), "winner").iter().filter(|winner| winner.is_empty()).count();
    let draws: f64 = numbers(&points, "draws").iter().sum();
    assert!((draws * 6.0 - drawn as f64).abs() < 1e-9);
    // The regression of the table, with its factors under their names.
    let factors = [Factor::integer("air", 0, 4), Factor::categories("combat_modifiers_armour", ["0", "2"])];
    let of_first_assignment =
        |name: &str| -> Vec<f64> { numbers(&points, name).into_iter().step_by(2).collect() };
    let design: Vec<Vec<Level>> = of_first_assignment("air")
        .into_iter()
        .zip(of_first_assignment("combat_modifiers_armour"))
        .map(|(air, armour)| {
            vec![Level::Integer(air as i64), Level::Category { category: armour as usize / 2 }]
        })
        .collect();
    let model =
        standardised_regression(&factors, &design, &of_first_assignment("points_axis"), &Bootstrap::new(3))
            .unwrap();
    for (factor, share) in factors.iter().zip(model.shares) {
        let lines: Vec<f64> = indices
            .rows
            .iter()
            .filter(|row| row[..4] == ["0", "points_axis", "share", factor.name.as_str()].map(str::to_owned))
            .map(|row| row[5].parse().unwrap())
            .collect();
        assert!(lines.len() == 1 && (lines[0] - share.value).abs() < 1e-9, "{}: {lines:?}", factor.name);
    }
}

#[test]
fn the_seed_chooses_the_design() {
    let scratch = Scratch::new();
    let text =
        FRANCE.replace("kind = \"grid\"", "kind = \"latin-hypercube\"").replace("games = 6", "games = 1");
    let text = text.replace("points = 3", "points = 6");
    let design = |seed: &str| {
        let file = experiment(&scratch, &format!("{seed}.toml"), &text.replace("seed = 3", seed));
        let out = scratch.text(&format!("out {seed}"));
        succeed(&["sweep", &file, "--out", &out, "--quiet"]);
        let points = table(&out, "points.parquet");
        (column(&points, "air"), column(&points, "combat_modifiers_armour"))
    };
    assert_ne!(design("seed = 3"), design("seed = 4"));
}

#[test]
fn shards_put_together_are_the_whole() {
    let scratch = Scratch::new();
    let file = experiment(&scratch, "france.toml", FRANCE);
    let whole = scratch.text("whole");
    succeed(&["sweep", &file, "--out", &whole, "--quiet", "--format", "csv"]);
    let shards = ["1/3", "2/3", "3/3"].map(|shard| {
        let out = scratch.text(&shard.replace('/', "-"));
        succeed(&[
            "sweep",
            &file,
            "--out",
            &out,
            "--shard",
            shard,
            "--threads",
            "1",
            "--quiet",
            "--format",
            "csv",
        ]);
        out
    });
    // A shard that is complete goes on with nothing.
    succeed(&["sweep", &file, "--out", &shards[0], "--shard", "1/3", "--threads", "1", "--quiet"]);
    let merged = scratch.text("merged");
    let [one, two, three] = shards.each_ref().map(String::as_str);
    refused(&["merge", &merged, one, two], &["shard 3/3 is missing"]);
    refused(&["merge", &merged, one, two, two], &["are both shard 2/3"]);
    refused(&["merge", &merged, &whole], &["a whole sweep and not a shard"]);
    refused(&["sweep", &file, "--out", one, "--shard", "2/3"], &["another shard", "1/3"]);
    let other = experiment(&scratch, "other.toml", &FRANCE.replace("seed = 3", "seed = 4"));
    let mixed = scratch.text("mixed");
    succeed(&["sweep", &other, "--out", &mixed, "--shard", "3/3", "--quiet", "--format", "csv"]);
    refused(&["merge", &merged, one, two, &mixed], &["another sweep", "seed is 4 and not 3"]);
    fs::rename(Path::new(three).join("parts/part-00005.json"), scratch.text("kept")).unwrap();
    refused(&["merge", &merged, one, two, three], &["is not finished: part 5 is missing"]);
    fs::rename(scratch.text("kept"), Path::new(three).join("parts/part-00005.json")).unwrap();
    assert!(!Path::new(&merged).exists(), "nothing was written");
    succeed(&["merge", &merged, three, one, two]);
    assert_same(&whole, &merged);
}

#[test]
fn points_share_their_dice_and_any_game_can_be_played_again() {
    let scratch = Scratch::new();
    let file = experiment(&scratch, "france.toml", FRANCE);
    let out = scratch.text("out");
    succeed(&["sweep", &file, "--out", &out, "--quiet"]);
    let points = table(&out, "points.parquet");
    assert_eq!(points.rows.len(), 6 * 2);
    assert_eq!(column(&points, "air"), ["0", "0", "0", "0", "2", "2", "2", "2", "4", "4", "4", "4"]);
    let armour = column(&points, "combat_modifiers_armour");
    assert_eq!(armour[..4], ["0", "0", "2", "2"]);
    // The fourth point (air 2, armour 2) with the second agent assignment, as a run of its own.
    let run = scratch.text("run");
    let sets = ["--set", "combat.modifiers.air_superiority=2", "--set", "combat.modifiers.armour=2"];
    let who = ["--side", "axis=scripted", "--agents", "random", "--seed", "3", "--games", "6", "--out", &run];
    succeed(&[&["play", "blitzwar/france-1940", "--quiet", "--format", "csv"], &sets[..], &who[..]].concat());
    let games = table(&run, "games/part-00000.csv");
    let all = results(&out);
    let own = |name: &str| -> Vec<String> {
        let (point, assignment) = (column(&all, "point"), column(&all, "assignment"));
        let cells = column(&all, name).into_iter().zip(point.iter().zip(&assignment));
        cells
            .filter(|(_, (point, assignment))| *point == "3" && *assignment == "1")
            .map(|(cell, _)| cell)
            .collect()
    };
    for name in ["decisions", "points_axis"] {
        assert_eq!(own(name).len(), 6);
        assert_eq!(own(name), column(&games, name), "{name}");
    }
    // The table of points says what the games say.
    let row = 3 * 2 + 1;
    let wins = own("winner").iter().filter(|winner| *winner == "axis").count() as f64 / 6.0;
    assert!((numbers(&points, "wins_axis")[row] - wins).abs() < 1e-12);
    let mean = own("points_axis").iter().map(|cell| cell.parse::<f64>().unwrap()).sum::<f64>() / 6.0;
    assert!((numbers(&points, "points_axis")[row] - mean).abs() < 1e-9);
    assert!(numbers(&points, "points_axis_low")[row] <= mean);
    assert_eq!(column(&points, "agent_axis")[row], "scripted");
    assert_eq!(column(&points, "games")[row], "6");
}

#[test]
fn a_factor_without_effect_has_none_and_one_with_effect_has_all() {
    let scratch = Scratch::new();
    // Nobody plays for points of passage in France; who wins a battle moves everything.
    let text = r#"
scenario = "blitzwar/france-1940"
games = 8
agents = ["scripted"]
[design]
kind = "saltelli"
points = 6
[[factor]]
path = "options.final_check"
values = [false, true]
name = "idle"
[[factor]]
path = "combat.modifiers.german_attack"
range = [-3, 3]
whole = true
name = "attack"
"#;
    let file = experiment(&scratch, "france.toml", text);
    let out = scratch.text("out");
    // Games end on the last turn whatever happens.
    let page = succeed(&["sweep", &file, "--out", &out, "--format", "csv"]);
    assert!(page.contains("Saltelli design of 24 points") && page.contains("total Sobol index"), "{page}");
    assert!(page.contains("turns: 11.000 at every point"), "{page}");
    let indices = table(&out, "indices.csv");
    let find = |index: &str, factor: &str| {
        let row =
            indices.rows.iter().find(|row| row[1] == "points_axis" && row[2] == index && row[3] == factor);
        row.unwrap_or_else(|| panic!("{index} {factor}"))[5].parse::<f64>().unwrap()
    };
    // With the same dice at all points, no noise is taken for an effect.
    assert!(find("sobol_total", "idle").abs() < 1e-12);
    assert!(find("sobol_total", "attack") > 0.5);
    // The indices are those of the table of points, where first and total ones are not the same, whose rows are the
    // games of points with these values.
    let points = table(&out, "points.csv");
    let responses = numbers(&points, "points_axis");
    let own = sobol(2, &responses, &Bootstrap::new(1)).unwrap();
    for (factor, own) in ["idle", "attack"].into_iter().zip(own) {
        assert!((own.first.value - own.total.value).abs() > 1e-3 || factor == "idle");
        assert!((find("sobol_first", factor) - own.first.value).abs() < 1e-9);
        assert!((find("sobol_total", factor) - own.total.value).abs() < 1e-9);
    }
    let values: Vec<(String, String)> =
        column(&points, "idle").into_iter().zip(column(&points, "attack")).collect();
    let all = results(&out);
    let (of_point, gained) = (column(&all, "point"), numbers(&all, "points_axis"));
    for (row, value) in values.iter().enumerate() {
        let first = values.iter().position(|other| other == value).unwrap().to_string();
        let games = of_point.iter().zip(&gained).filter(|(point, _)| **point == first);
        let sum: f64 = games.map(|(_, points)| points).sum();
        assert!((sum / 8.0 - responses[row]).abs() < 1e-9, "point {row}");
    }
    let report = report(&out, "sweep");
    assert!(report["settings"].as_u64().unwrap() <= 14);
    assert_eq!(report["points"], 24);
    assert_eq!(results(&out).rows.len() as u64, 8 * report["settings"].as_u64().unwrap());
    let effects = table(&out, "effects.csv");
    let middle: Vec<f64> = effects
        .rows
        .iter()
        .filter(|row| row[1] == "points_axis" && row[2] == "attack")
        .map(|row| row[6].parse().unwrap())
        .collect();
    assert!(middle.len() >= 3 && middle[0] < middle[middle.len() - 1], "{middle:?}");
}

#[test]
fn one_game_bounds_the_points_by_what_they_can_be() {
    let scratch = Scratch::new();
    let text = r#"
scenario = "blitzwar/france-1940"
games = 1
agents = ["random"]
[design]
kind = "grid"
points = 2
[[factor]]
path = "options.final_check"
values = [false, true]
"#;
    let file = experiment(&scratch, "france.toml", text);
    let out = scratch.text("out");
    succeed(&["sweep", &file, "--out", &out, "--format", "csv", "--quiet"]);
    let ends = |table: &TextTable, low: &str, high: &str, rows: &dyn Fn(&[String]) -> bool| {
        let at = |name: &str| table.names.iter().position(|column| column == name).unwrap();
        let rows: Vec<_> = table.rows.iter().filter(|row| rows(row)).collect();
        assert!(rows.len() >= 2);
        for row in rows {
            let [low, high] = [low, high].map(|name| row[at(name)].parse::<f64>().unwrap());
            assert!(0.0 <= low && low + 5.0 < high && high <= 10.0, "{row:?}");
        }
    };
    ends(&table(&out, "points.csv"), "points_axis_low", "points_axis_high", &|_| true);
    ends(&table(&out, "effects.csv"), "response_low", "response_high", &|row| row[1].starts_with("points_"));
}

#[test]
fn the_example_of_the_help_can_be_played() {
    let scratch = Scratch::new();
    let help = succeed(&["sweep", "--help"]);
    let start = help.find("# An experiment").expect("the help shows an experiment");
    let example = help[start..].replace("games = 20 ", "games = 1 ").replace("points = 24 ", "points = 6 ");
    let file = experiment(&scratch, "example.toml", &example);
    let out = scratch.text("out");
    let page = succeed(&["sweep", &file, "--out", &out]);
    assert!(
        page.contains("Latin hypercube of 6 points")
            && page.contains("agent assignment 1: axis=random, allied=scripted"),
        "{page}"
    );
    assert_eq!(table(&out, "points.parquet").rows.len(), 12);
    let indices = column(&table(&out, "indices.parquet"), "index");
    for index in ["coefficient", "share", "r_squared"] {
        assert!(indices.iter().any(|name| name == index), "{indices:?}");
    }
}

#[test]
fn bad_input_is_named_and_damages_nothing() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let bad = |from: &str, to: &str, words: &[&str]| {
        assert!(FRANCE.contains(from), "{from}");
        let file = experiment(&scratch, "bad.toml", &FRANCE.replace(from, to));
        refused(&["sweep", &file, "--out", &out], &[&["bad.toml"], words].concat());
        assert!(!Path::new(&out).exists(), "{to}");
    };
    refused(&["sweep", &scratch.text("none.toml"), "--out", &out], &["none.toml", "cannot read"]);
    bad("seed = 3", "sede = 3", &["sede", "expected"]);
    bad("seed = 3", "seed = \"x\"", &["line 3", "seed"]);
    bad("games = 6", "games = 0", &["games = 0", "from 1"]);
    bad("france-1940", "france-1941", &["france-1941", "did you mean"]);
    bad("\"random\",", "\"randon\",", &["assignment 1", "randon", "did you mean \"random\"?"]);
    bad("axis = \"scripted\"", "axsi = \"scripted\"", &["assignment 2", "axsi", "did you mean \"axis\"?"]);
    bad(", soviet = \"random\"", "", &["assignment 2", "side soviet has no agent"]);
    bad("kind = \"grid\"", "kind = \"gird\"", &["gird", "grid"]);
    bad("points = 3", "points = 0", &["design.points = 0"]);
    bad("modifiers.armour", "modifiers.armor", &["[[factor]] 2", "combat.modifiers.armor", "armour"]);
    bad("[0, 2]", "[0, \"two\"]", &["[[factor]] 2", "value two", "whole number"]);
    bad("[0, 2]", "[0, 0]", &["[[factor]] 2", "0 is there twice"]);
    bad("[0, 4]\nwhole = true", "[4, 0]", &["[[factor]] 1", "4..0", "the lower first"]);
    bad("[0, 4]", "[0, 4.5]", &["[[factor]] 1", "expected whole numbers"]);
    // Its ends are whole, what lies between is not.
    bad("[0, 4]\nwhole = true", "[0, 3]", &["[[factor]] 1", "value 1.5", "whole number"]);
    bad("name = \"air\"", "name = \"turns\"", &["[[factor]] 1", "name = \"turns\"", "another column"]);
    bad("name = \"air\"", "name = \"Air\"", &["name = \"Air\"", "lower-case"]);
    bad("range = [0, 4]", "range = [0, 4]\nvalues = [1]", &["either values"]);
    let twice = "path = \"combat.modifiers.air_superiority\"";
    bad("path = \"combat.modifiers.armour\"", twice, &["[[factor]] 2", "[[factor]] 1 has the same path"]);

    // Another experiment, a damaged part.
    let file = experiment(&scratch, "france.toml", FRANCE);
    succeed(&["sweep", &file, "--out", &out, "--quiet"]);
    let before = files(&out);
    let other = experiment(&scratch, "other.toml", &FRANCE.replace("games = 6", "games = 5"));
    refused(&["sweep", &other, "--out", &out], &["another games: 6 there, 5 here", "use another --out"]);
    refused(&["sweep", &file, "--out", &out, "--format", "csv"], &["another format"]);
    refused(&["tournament", "--out", &out, "--agent", "random"], &["scenario"]);
    assert!(files(&out) == before, "nothing was changed");
    let part = Path::new(&out).join(GAMES).join("part-00002.parquet");
    let bytes = fs::read(&part).unwrap();
    fs::write(&part, &bytes[..bytes.len() - 1]).unwrap();
    refused(
        &["sweep", &file, "--out", &out],
        &["part-00002.parquet is damaged", "delete", "part-00002.json"],
    );
    fs::remove_file(Path::new(&out).join("parts/part-00002.json")).unwrap();
    succeed(&["sweep", &file, "--out", &out, "--quiet"]);
    assert!(files(&out) == before, "played again it is the same");
}
