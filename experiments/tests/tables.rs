//! Every table that a command writes is documented, with the very columns it has; and `sandtable schema` tells of
//! them all.

mod study;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use sandtable::table::TextTable;
use serde_json::Value;
use study::{FRANCE, Scratch, file, games, refused, succeed};

/// By table: its columns, those in the path with their values.
type Tables = BTreeMap<String, BTreeSet<String>>;

/// Adds the columns of the tables below a folder: a table is a file, or a folder of files.
fn walk(folder: &Path, table: Option<&str>, in_path: &[String], all: &mut Tables) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            match name.split_once('=') {
                Some((column, _)) => walk(&path, table, &[in_path, &[column.to_owned()]].concat(), all),
                None => walk(&path, Some(name), in_path, all),
            }
        } else if let Some(stem) = name.strip_suffix(".parquet") {
            let columns = all.entry(table.unwrap_or(stem).to_owned()).or_default();
            let stored = file(&path).names;
            assert!(!stored.iter().any(|name| in_path.contains(name)), "{name} has a column of its path too");
            columns.extend(stored.into_iter().chain(in_path.iter().cloned()));
        }
    }
}

fn schema(args: &[&str]) -> Vec<Value> {
    let text = succeed(&[&["schema", "--json"], args].concat());
    serde_json::from_str::<Vec<Value>>(&text).unwrap()
}

fn columns(table: &Value) -> BTreeSet<String> {
    let columns = table["columns"].as_array().unwrap().iter();
    columns.map(|column| column["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_table_that_is_written_is_documented() {
    let scratch = Scratch::new();
    let experiment = scratch.text("sweep.toml");
    let text = "scenario = \"blitzwar/france-1940\"\ngames = 2\nagents = [\"random\"]\n[design]\nkind = \"grid\"\n\
                points = 2\n[[factor]]\npath = \"combat.modifiers.armour\"\nvalues = [0, 2]\nname = \"factor\"\n";
    fs::write(&experiment, text).unwrap();
    let out = |name: &str| scratch.text(name);
    let run = |command: &str, folder: &str| {
        let folder = out(folder);
        let words = command.replace("EXPERIMENT", &experiment);
        let words: Vec<&str> = words.split_whitespace().collect();
        succeed(&[&words[..], &["--out", &folder, "--quiet"]].concat());
    };
    run("play blitzwar/france-1940 --agents scripted --games 2 --decisions --record", "run");
    run("tournament --scenario blitzwar/france-1940 --agent random --agent scripted --pairs 2", "tournament");
    run(
        "balance blitzwar/france-1940 --agent random --games 4 --restrict air --handicap setup.axis.extra_supply=0..4",
        "balance",
    );
    run(
        "compare blitzwar/france-1940 --set-b setup.axis.extra_supply=4 --agents random --games 4",
        "compare",
    );
    run("sweep EXPERIMENT", "sweep");
    run(
        "tune mcts:iterations=4 --scenario blitzwar/france-1940 --option iterations=2..6 --budget 80 --runs 1 --batch 1",
        "tune",
    );
    run(&format!("analyse {} --budget iterations=16,depth=1t", out("run")), "analyse");
    for (words, name) in [
        ("--attack|brest_litovsk: ger I1|--defend|minsk: ussr I1|--turn|17", "battle_odds"),
        ("--attack|brest_litovsk: ger I1|--defend|minsk: ussr I1|--turn|17|--grid|3x2", "odds_grid"),
    ] {
        let words: Vec<&str> = words.split('|').collect();
        let path = out(&format!("{name}.parquet"));
        let odds = ["odds", "combat", "blitzwar", "--format", "parquet", "--out", &path];
        succeed(&[&odds[..], &words].concat());
    }
    let path = out("weather_odds.parquet");
    succeed(&["odds", "weather", "blitzwar", "--format", "parquet", "--out", &path]);
    let path = out("draw_odds.parquet");
    let draws = ["--table", "draws", "--format", "parquet", "--out", &path];
    succeed(&[&["odds", "weather", "victory-in-europe"], &draws[..]].concat());

    for (table, name) in [("order", "draw_order"), ("before", "drawn_before")] {
        let path = out(&format!("{name}.parquet"));
        let words = ["--table", table, "--format", "parquet", "--out", &path];
        succeed(&[&["odds", "initiative", "roads-to-moscow"], &words[..]].concat());
    }
    for (table, name) in [("chains", "reaction_chains"), ("nations", "reactions")] {
        let path = out(&format!("{name}.parquet"));
        let words =
            ["--by", "axis", "--on", "holland", "--table", table, "--format", "parquet", "--out", &path];
        succeed(&[&["odds", "reactions", "eurofront/1940"], &words[..]].concat());
    }
    let path = out("event_odds.parquet");
    succeed(&["odds", "events", "eurofront/1940", "--months", "1", "--format", "parquet", "--out", &path]);
    let path = out("odds_by_table.parquet");
    let battle = ["--attack", "3523: 10Pz I/69", "--defend", "3623: I/113", "--by-table"];
    let odds = ["odds", "combat", "roads-to-moscow", "--format", "parquet", "--out", &path];
    succeed(&[&odds[..], &battle].concat());

    let mut written = Tables::new();
    for folder in ["run", "tournament", "balance", "compare", "sweep", "tune", "analyse"] {
        walk(Path::new(&out(folder)), None, &[], &mut written);
    }
    for name in [
        "battle_odds",
        "odds_grid",
        "weather_odds",
        "draw_odds",
        "draw_order",
        "drawn_before",
        "odds_by_table",
        "reaction_chains",
        "reactions",
        "event_odds",
    ] {
        written.insert(name.to_owned(), file(out(&format!("{name}.parquet"))).names.into_iter().collect());
    }
    let documented: Tables = schema(&[FRANCE])
        .iter()
        .map(|table| (table["table"].as_str().unwrap().to_owned(), columns(table)))
        .collect();
    assert!(documented.keys().eq(written.keys()), "{:?} {:?}", documented.keys(), written.keys());
    for (name, columns) in &written {
        assert_eq!(&documented[name], columns, "{name}");
    }
}

#[test]
fn a_table_is_documented_without_a_scenario() {
    let all = schema(&[]);
    let names: Vec<&str> = all.iter().map(|table| table["table"].as_str().unwrap()).collect();
    // A name that means different things in different systems is there once for each.
    let by_name = |name: &str| all.iter().filter(|table| table["table"] == name).cloned().collect::<Vec<_>>();
    let several: BTreeSet<&str> = names.iter().copied().filter(|name| by_name(name).len() > 1).collect();
    assert!(several.contains("battles") && !several.contains("games"), "{several:?}");
    let battles = by_name("battles");
    let of = |system: &str| {
        let own =
            battles.iter().filter(|table| table["systems"].as_array().unwrap().contains(&system.into()));
        let [table] = own.collect::<Vec<_>>()[..] else { panic!("{battles:?}") };
        columns(table)
    };
    let written = |scenario: &str| columns(&schema(&[scenario, "battles"])[0]);
    assert_eq!(of("blitzwar"), written(FRANCE));
    assert_eq!(of("victory-in-europe"), written("victory-in-europe/barbarossa-1941"));
    let page = succeed(&["schema", "battles"]);
    assert!(page.contains("(blitzwar)\n") && page.contains("(victory-in-europe)\n"), "{page}");

    let list = succeed(&["schema"]);
    for (table, name) in all.iter().zip(&names).filter(|(_, name)| !several.contains(*name)) {
        assert!(list.contains(&format!("\n  {name} ")), "{name} is not in {list}");
        assert!(list.contains(&format!("sandtable {}\n", table["command"].as_str().unwrap())));
        assert_eq!(&schema(&[name]), std::slice::from_ref(table));
        let page = succeed(&["schema", name]);
        for column in table["columns"].as_array().unwrap() {
            let field = |key: &str| column[key].as_str().unwrap();
            assert!(field("doc").len() > 5, "{column}");
            let start = format!("  {} ", field("name"));
            // A column may be called `column`, as the first one of the page.
            let line = |line: &&str| line.starts_with(&start) && line.ends_with(field("doc"));
            let line = page.lines().find(line).unwrap_or_else(|| panic!("no {column} in {page}"));
            assert!(line.contains(field("type")), "{line}");
            assert!(line.contains(field("unit")), "{line}");
        }
    }
    // The list says which tables only some systems bring.
    assert!(
        list.contains("a blot that was hit (reference/backgammon)")
            && list.contains("a card played (victory-in-europe)"),
        "{list}"
    );
    let one_line = |text: &str, name: &str, end: &str| {
        text.lines().filter(|line| line.starts_with(&format!("  {name} ")) && line.ends_with(end)).count()
            == 1
    };
    assert!(one_line(&list, "games", "  one row a game"), "{list}");
    // Tables of other systems are there too, and each scenario has its own sides.
    assert!(names.contains(&"hits") && names.contains(&"battles"));
    let results = succeed(&["schema", "results"]);
    assert!(
        results.lines().any(|line| line.starts_with("  scenario ") && line.contains(" string, in the path "))
    );
    let columns_of = |line: &str| line.find("  string").or(line.find("  type"));
    let at: BTreeSet<_> = results.lines().skip(1).filter_map(columns_of).collect();
    assert_eq!(at.len(), 1, "the types are in one column: {results}");
    let games = succeed(&["schema", "reference/kuhn", "games"]);
    assert!(!games.contains("agent_axis") && succeed(&["schema", "games"]).contains("agent_axis"));
    refused(&["schema", "gmes"], &["unknown table or scenario", "did you mean \"games\"?"]);
    refused(&["schema", "blitzwar/frnce-1940"], &["did you mean \"blitzwar/france-1940\"?"]);
    refused(&["schema", "reference/kuhn", "battles"], &["unknown table"]);
}

/// The rows of the games of a tournament by the folder of their scenario.
fn by_scenario(folder: &str) -> BTreeMap<String, Vec<Vec<String>>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(Path::new(folder).join("results")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let parts = fs::read_dir(&path).unwrap();
        let mut rows: Vec<_> = parts.flat_map(|part| file(part.unwrap().path()).rows).collect();
        rows.sort();
        all.insert(name, rows);
    }
    all
}

#[test]
fn games_in_several_folders_grow_and_are_put_together() {
    const BARBAROSSA: &str = "blitzwar/barbarossa-1941";
    let scratch = Scratch::new();
    let agents = ["--agent", "random", "--agent", "scripted", "--quiet"];
    let play =
        |out: &str, args: &[&str]| succeed(&[&["tournament", "--out", out], &agents[..], args].concat());
    let both = ["--scenario", FRANCE, "--scenario", BARBAROSSA, "--pairs", "4"];
    let whole = scratch.text("whole");
    play(&whole, &both);
    let expected = by_scenario(&whole);
    let names: Vec<&str> = expected.keys().map(String::as_str).collect();
    assert_eq!(names, ["scenario=blitzwar%2Fbarbarossa-1941", "scenario=blitzwar%2Ffrance-1940"]);
    assert!(expected.values().all(|rows| rows.len() == 8));
    let figures = |folder: &str| fs::read_to_string(Path::new(folder).join("tournament.json")).unwrap();

    // Session by session, with a file that a crash has left in each folder.
    let grown = scratch.text("grown");
    play(&grown, &["--scenario", FRANCE, "--pairs", "2"]);
    play(&grown, &["--scenario", BARBAROSSA, "--pairs", "3"]);
    for scenario in &names {
        for orphan in ["part-00002.parquet", ".part-00009.parquet.tmp"] {
            fs::write(Path::new(&grown).join("results").join(scenario).join(orphan), "torn").unwrap();
        }
    }
    play(&grown, &["--pairs", "4"]);
    assert_eq!((by_scenario(&grown), figures(&grown)), (expected.clone(), figures(&whole)));

    // From shards.
    let shards = ["1/2", "2/2"].map(|shard| {
        let out = scratch.text(&shard.replace('/', "-"));
        play(&out, &[&both[..], &["--shard", shard]].concat());
        out
    });
    let merged = scratch.text("merged");
    succeed(&["merge", &merged, &shards[0], &shards[1]]);
    assert_eq!((by_scenario(&merged), figures(&merged)), (expected.clone(), figures(&whole)));

    // A file of one folder is damaged.
    let part = Path::new(&whole).join("results").join(names[1]).join("part-00000.parquet");
    let bytes = fs::read(&part).unwrap();
    fs::write(&part, &bytes[..bytes.len() - 1]).unwrap();
    let again = ["tournament", "--out", &whole, "--pairs", "5"];
    refused(&again, &["scenario=blitzwar%2Ffrance-1940/part-00000.parquet is damaged", "part-00000.json"]);
}

/// The values of a column of a run's table.
fn cells(table: &TextTable, column: &str) -> Vec<String> {
    let at = table.names.iter().position(|name| name == column).unwrap();
    table.rows.iter().map(|row| row[at].clone()).collect()
}

#[test]
fn single_cases_of_waste_add_up_to_the_turns() {
    // A side with two forces in the second one, and a case that is not told while it lasts.
    for (scenario, side, west) in [
        ("blitzwar/barbarossa-1941", "side", "allied"),
        ("victory-in-europe/stalingrad-1942", "force", "western"),
    ] {
        let scratch = Scratch::new();
        let out = scratch.text("run");
        succeed(&["play", scenario, "--agents", "scripted", "--games", "3", "--out", &out, "--quiet"]);
        let (turns, waste) = (games(&out, "turns"), games(&out, "waste"));
        let of = |side: &str| {
            if side == "axis" || west == "allied" { side.to_owned() } else { "allies".to_owned() }
        };
        let key = |table: &TextTable, sides: &str| {
            let columns = [cells(table, "game"), cells(table, "turn"), cells(table, sides)];
            (0..table.rows.len())
                .map(|row| (columns[0][row].clone(), columns[1][row].clone(), of(&columns[2][row])))
                .collect::<Vec<_>>()
        };
        let mut sums = BTreeMap::new();
        let (cases, amounts) = (cells(&waste, "waste"), cells(&waste, "amount"));
        for ((key, case), amount) in key(&waste, side).into_iter().zip(cases).zip(amounts) {
            *sums.entry((case, key)).or_insert(0) += amount.parse::<i32>().unwrap();
        }
        let mut seen = BTreeSet::new();
        let names = ["lost_stacking", "unsupplied_own", "unsupplied_cut", "open_sources", "open_capitals"];
        let idle = ["idle_armies", "idle_air", "idle_ships"];
        for case in names.into_iter().chain(["open_points", "moves_undone"]).chain(idle) {
            for (key, cell) in key(&turns, "side").into_iter().zip(cells(&turns, case)) {
                let (cell, sum) =
                    (cell.parse::<i32>().unwrap(), sums.remove(&(case.to_owned(), key.clone())));
                let sum = sum.unwrap_or(0);
                assert!(
                    cell == sum || idle.contains(&case) && cell > sum,
                    "{case} {key:?}: {cell} and {sum}"
                );
                if cell > 0 {
                    seen.insert(case);
                }
            }
        }
        assert!(sums.is_empty(), "in no turn: {sums:?}");
        assert!(seen.len() > 5, "{scenario} wastes nothing but {seen:?}");
        // Attrition strikes on the map alone.
        let places = cells(&waste, "waste").into_iter().zip(cells(&waste, "place"));
        let attrition = places.filter(|(case, _)| west != "allied" && case.starts_with("unsupplied"));
        attrition.for_each(|(case, place)| assert!(!place.is_empty(), "{case} nowhere"));
        // The Soviets are the last in a BlitzWar turn: what they leave unspent is what lies on the map when it ends.
        if west == "allied" {
            let stocks = cells(&turns, "side").into_iter().zip(cells(&turns, "supply"));
            let ends = stocks.zip(cells(&turns, "unspent")).filter(|((side, _), _)| side == "soviet");
            ends.for_each(|((_, stock), unspent)| assert_eq!(stock, unspent));
        }
    }
}
