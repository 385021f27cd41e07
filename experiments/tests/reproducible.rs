//! A game is fixed by its seed and number: whoever plays it, on whichever thread, in whichever order, and whoever
//! tells it again.

mod study;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sandtable::table::Format;
use sandtable::table::TextTable;
use sandtable::table::read::read_text;
use study::{BACKGAMMON, CONNECT_FOUR, Scratch, refused, run, succeed};

/// All tables of a run or tournament but wall-clock times, by path.
fn tables(folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() && !path.ends_with("timings") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "csv") {
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn assert_same(what: &str, one: &str, other: &str) {
    let (one, other) = (tables(one), tables(other));
    assert!(
        !one.is_empty() && one.keys().eq(other.keys()),
        "{what}: {:?} and {:?}",
        one.keys(),
        other.keys()
    );
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{what}: {} differs", name.display());
    }
}

/// The scenarios of a system.
fn scenarios(system: &str) -> Vec<String> {
    let systems = sandtable::systems::all();
    let system = systems.iter().find(|known| known.info().id == system).unwrap();
    system.scenarios().into_iter().map(|scenario| scenario.id).collect()
}

/// Plays a few games of a scenario in parts of one game: in one row, on two threads, in shards, and after some of them
/// were lost.
fn assert_independent(scenario: &str, agents: &[&str], games: &str) {
    let scratch = Scratch::new();
    let play = |name: &str, more: &[&str]| {
        let out = scratch.text(name);
        let args =
            ["play", scenario, "--seed", "7", "--games", games, "--part-games", "1", "--format", "csv"];
        succeed(&[&args[..], agents, &["--quiet", "--out", &out], more].concat());
        out
    };
    let alone = play("alone", &["--threads", "1"]);
    let threads = play("threads", &["--threads", "2"]);
    assert_same(&format!("{scenario}: two threads"), &threads, &alone);
    let shards =
        ["1/2", "2/2"].map(|shard| play(&shard.replace('/', "-"), &["--threads", "1", "--shard", shard]));
    let merged = scratch.text("merged");
    succeed(&["merge", &merged, &shards[0], &shards[1]]);
    assert_same(&format!("{scenario}: shards"), &merged, &alone);
    for part in ["00000", "00002"] {
        fs::remove_file(Path::new(&threads).join(format!("parts/part-{part}.json"))).unwrap();
    }
    succeed(&["play", "--resume", "--out", &threads, "--threads", "1", "--quiet"]);
    assert_same(&format!("{scenario}: resumed"), &threads, &alone);
    let last = (games.parse::<u32>().unwrap() - 1).to_string();
    succeed(&["replay", &alone, "--game", &last]);
}

#[test]
fn games_of_victory_in_europe_depend_on_nothing_but_their_number() {
    for scenario in scenarios("victory-in-europe") {
        assert_independent(&scenario, &["--agents", "scripted"], "4");
    }
}

#[test]
fn games_of_blitzwar_depend_on_nothing_but_their_number() {
    for scenario in scenarios("blitzwar") {
        assert_independent(&scenario, &["--agents", "scripted"], "4");
    }
}

#[test]
fn games_with_search_depend_on_nothing_but_their_number() {
    let search = ["--side", "white=mcts:iterations=30,per=turn", "--side", "black=ismcts:iterations=20"];
    assert_independent(BACKGAMMON, &search, "6");
    let search = ["--side", "first=flat-mc:iterations=30", "--side", "second=mcts:iterations=40"];
    assert_independent(CONNECT_FOUR, &search, "6");
}

/// Rewrites the table of games in a run of one part, and its receipt with it.
fn edit_games(run: &str, edit: impl FnOnce(&mut TextTable)) {
    let path = Path::new(run).join("games/part-00000.csv");
    let mut table = read_text(Format::Csv, fs::read(&path).unwrap()).unwrap();
    edit(&mut table);
    let lines: Vec<String> =
        [&table.names].into_iter().chain(&table.rows).map(|row| row.join(",") + "\n").collect();
    let bytes = lines.concat().into_bytes();
    let receipt = Path::new(run).join("parts/part-00000.json");
    let mut known: serde_json::Value = serde_json::from_slice(&fs::read(&receipt).unwrap()).unwrap();
    let games = known["tables"].as_array_mut().unwrap();
    let games = games.iter_mut().find(|table| table["file"] == "games/part-00000.csv").unwrap();
    games["bytes"] = bytes.len().into();
    games["crc32"] = format!("{:08x}", crc32fast::hash(&bytes)).into();
    fs::write(&receipt, known.to_string()).unwrap();
    fs::write(&path, bytes).unwrap();
}

#[test]
fn a_replay_that_ends_otherwise_fails() {
    let scratch = Scratch::new();
    for (name, more) in [("again", &[][..]), ("recorded", &["--record"])] {
        let out = scratch.text(name);
        let args = [
            "play",
            CONNECT_FOUR,
            "--agents",
            "random",
            "--games",
            "3",
            "--format",
            "csv",
            "--quiet",
            "--out",
        ];
        succeed(&[&args[..], &[&out], more].concat());
        let tell = ["replay", &out, "--game", "1"];
        let story = succeed(&tell);
        for (column, cell) in [
            ("final_hash", "1"),
            ("decisions", "99"),
            ("end_reason", "boredom"),
            ("points_first", "0.25"),
            ("turns", "3"),
        ] {
            let mut before = String::new();
            let mut place = 0;
            edit_games(&out, |games| {
                place = games.names.iter().position(|name| name == column).unwrap();
                before = std::mem::replace(&mut games.rows[1][place], cell.to_owned());
            });
            let output = run(&tell);
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{column}: {message}");
            let difference = format!("{column} is {cell} there and {before} now");
            for words in ["game 1 of the run in", &out, &difference] {
                assert!(message.contains(words), "{words:?} is not in: {message}");
            }
            // Other games are what they were, and a story that stops before the end shows no end.
            succeed(&["replay", &out, "--game", "2"]);
            succeed(&[&tell[..], &["--until", "2"]].concat());
            edit_games(&out, |games| games.rows[1][place] = before);
        }
        assert_eq!(succeed(&tell), story);
        // A run without the column is compared by what it has.
        edit_games(&out, |games| {
            let place = games.names.iter().position(|name| name == "final_hash").unwrap();
            games.names.remove(place);
            games.rows.iter_mut().for_each(|row| drop(row.remove(place)));
        });
        assert_eq!(succeed(&tell), story);
        edit_games(&out, |games| {
            let place = games.names.iter().position(|name| name == "decisions").unwrap();
            games.rows[1][place] = "99".into();
        });
        assert_eq!(run(&tell).status.code(), Some(1));
    }
}

#[test]
fn a_picture_of_another_game_is_not_drawn() {
    let scratch = Scratch::new();
    let out = scratch.text("run");
    let args = [
        "play",
        study::FRANCE,
        "--agents",
        "random",
        "--games",
        "1",
        "--format",
        "csv",
        "--quiet",
        "--out",
        &out,
    ];
    succeed(&args);
    edit_games(&out, |games| {
        let place = games.names.iter().position(|name| name == "final_hash").unwrap();
        games.rows[0][place] = "1".into();
    });
    let [page, picture] = ["game.html", "end.svg"].map(|name| scratch.text(name));
    for args in [
        &["replay", &out, "--game", "0", "--html", &page, "--svg", &picture][..],
        &["render", "--run", &out, "--out", &picture],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("final_hash is 1 there"), "{args:?}");
        assert!(!Path::new(&page).exists() && !Path::new(&picture).exists());
    }
    // Before the end there is nothing to compare.
    succeed(&["render", "--run", &out, "--turn", "1", "--out", &picture]);
}

#[test]
fn a_game_that_is_not_there_yet_can_be_told() {
    let scratch = Scratch::new();
    let [whole, shard] = ["whole", "shard"].map(|name| scratch.text(name));
    let args =
        ["play", CONNECT_FOUR, "--agents", "random", "--games", "4", "--part-games", "1", "--quiet", "--out"];
    succeed(&[&args[..], &[&whole]].concat());
    succeed(&[&args[..], &[&shard, "--shard", "1/2"]].concat());
    for game in ["0", "1"] {
        let tell = |run: &str| succeed(&["replay", run, "--game", game]);
        assert_eq!(tell(&whole), tell(&shard));
    }
    refused(&["replay", &shard, "--game", "9"], &["games 0 to 3"]);
}

#[test]
fn rows_of_a_tournament_keep_their_order_at_any_number_of_threads() {
    let scratch = Scratch::new();
    for (kind, stopping) in [("test", &["--sprt", "0,200,0.1,0.1"][..]), ("round", &[])] {
        let folders = ["1", "2", "4"].map(|threads| {
            let out = scratch.text(&format!("{kind}{threads}"));
            // Agents of very different speed, so that threads overtake each other.
            let agents = ["random", "flat-mc:iterations=2", "flat-mc:iterations=40", "mcts:iterations=90"];
            let mut args = vec!["tournament", "--scenario", "reference/kuhn"];
            for agent in agents {
                args.extend(["--agent", agent]);
            }
            args.extend([
                "--pairs",
                "120",
                "--format",
                "csv",
                "--quiet",
                "--threads",
                threads,
                "--out",
                &out,
            ]);
            succeed(&[&args[..], stopping].concat());
            out
        });
        assert_same(kind, &folders[1], &folders[0]);
        assert_same(kind, &folders[2], &folders[0]);
    }
}
