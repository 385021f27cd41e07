//! `sandtable tournament` as its users run it: what changes no value, what survives a kill, what is refused.

mod study;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sandtable::lab::tournament::manifest::Manifest;
use sandtable::table::TextTable;
use serde_json::Value;
use study::{Scratch, file, refused, sandtable, succeed};

const CONNECT_FOUR: &str = "reference/connect-four";
const BACKGAMMON: &str = "reference/backgammon";
const RANDOM: &str = "random";
const WEAK: &str = "flat-mc:iterations=8,depth=2";
const STRONG: &str = "flat-mc:iterations=40";

/// A tournament in `out`; `args` are its other arguments, agents and scenarios by their flags.
fn tournament(out: &str, args: &[&str]) -> String {
    succeed(&[&["tournament", "--out", out], args].concat())
}

fn with_agents<'a>(agents: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let agents = agents.iter().flat_map(|agent| ["--agent", agent]);
    agents.chain(more.iter().copied()).collect()
}

/// The rows of table `results`, in an order of their own.
fn games(folder: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for scenario in fs::read_dir(Path::new(folder).join("results")).unwrap() {
        let scenario = scenario.unwrap();
        let name = scenario.file_name().into_string().unwrap();
        for part in fs::read_dir(scenario.path()).unwrap() {
            let part = file(part.unwrap().path());
            // Files of CSV have the column of their path too.
            let own = if part.names[0] == "scenario" { vec![] } else { vec![name.clone()] };
            rows.extend(part.rows.into_iter().map(|row| [own.clone(), row].concat()));
        }
    }
    rows.sort();
    rows
}

/// A part of the games of a scenario.
fn part(folder: &str, scenario: &str, name: &str) -> PathBuf {
    let scenario = format!("scenario={}", scenario.replace('/', "%2F"));
    Path::new(folder).join("results").join(scenario).join(name)
}

/// All that must not differ between tournaments with the same games: by name, the rows or bytes.
fn figures(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for name in ["ratings", "pairings", "sides", "scenarios", "tournament"] {
        let found = ["parquet", "csv", "json"]
            .map(|ending| Path::new(folder).join(name).with_extension(ending))
            .into_iter()
            .find(|path| path.exists());
        files.insert(name.to_owned(), fs::read(found.unwrap()).unwrap());
    }
    files
}

fn assert_same(one: &str, other: &str) {
    assert!(games(one) == games(other), "the games in {one} and {other} differ");
    let (one, other) = (figures(one), figures(other));
    for (name, bytes) in &one {
        assert!(
            bytes == &other[name],
            "{name} differs: {} {}",
            String::from_utf8_lossy(bytes),
            String::from_utf8_lossy(&other[name])
        );
    }
}

fn report(folder: &str) -> Value {
    serde_json::from_slice(&fs::read(Path::new(folder).join("tournament.json")).unwrap()).unwrap()
}

#[test]
fn pairings_say_how_far_apart_the_ratings_are() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    tournament(&out, &with_agents(&[RANDOM, WEAK, STRONG], &["--scenario", CONNECT_FOUR, "--pairs", "20"]));
    let report = report(&out);
    let rating = |agent: &Value| {
        let line = report["ratings"].as_array().unwrap().iter().find(|line| line["agent"] == *agent);
        line.unwrap()["elo"]["value"].as_f64().unwrap()
    };
    let pairings = report["pairings"].as_array().unwrap();
    assert_eq!(pairings.len(), 3);
    for line in pairings {
        let difference = &line["rating_difference"];
        let lead = rating(&line["agent"]) - rating(&line["opponent"]);
        assert!((difference["value"].as_f64().unwrap() - lead).abs() < 1e-6, "{line}");
        assert!(difference["value"] != line["elo"]["value"], "by all games, not by those of the two: {line}");
        assert!(difference["low"].as_f64().is_none_or(|low| low < lead), "{line}");
    }
}

#[test]
fn threads_change_no_value() {
    let scratch = Scratch::new();
    let args = with_agents(
        &[RANDOM, WEAK, STRONG],
        &["--scenario", CONNECT_FOUR, "--pairs", "40", "--sprt", "0,150,0.1,0.1"],
    );
    let folders = ["1", "2", "5"].map(|threads| {
        let out = scratch.text(threads);
        tournament(&out, &[&args[..], &["--threads", threads]].concat());
        out
    });
    assert_same(&folders[0], &folders[1]);
    assert_same(&folders[0], &folders[2]);
}

#[test]
fn a_tournament_that_grew_equals_one_big_one() {
    let scratch = Scratch::new();
    let (grown, big) = (scratch.text("grown"), scratch.text("big"));
    let args = ["--format", "csv", "--scenario", BACKGAMMON];
    tournament(&grown, &with_agents(&[RANDOM, WEAK], &[&args[..], &["--pairs", "3"]].concat()));
    let before = games(&grown);
    // More pairs, another agent, another scenario, each on its own.
    tournament(&grown, &["--pairs", "5"]);
    tournament(&grown, &["--agent", "flat-mc:iterations=4,depth=2"]);
    assert!(before.iter().all(|game| games(&grown).contains(game)), "what is there stays");
    let all = [RANDOM, WEAK, "flat-mc:iterations=4,depth=2"];
    tournament(&big, &with_agents(&all, &[&args[..], &["--pairs", "5"]].concat()));
    assert_eq!(games(&big).len(), 3 * 5 * 2);
    assert_same(&grown, &big);
    // Nothing is left to be played.
    let again = tournament(&grown, &[]);
    assert!(!again.contains("speed:"), "{again}");
    assert_same(&grown, &big);
    // In whatever order the agents are named, the same games are played.
    let turned = scratch.text("turned");
    let all = [all[2], all[1], all[0]];
    tournament(&turned, &with_agents(&all, &[&args[..], &["--pairs", "5"]].concat()));
    let unordered = |folder: &str| {
        let without_leg = |mut row: Vec<String>| {
            row.remove(2);
            row
        };
        let mut rows: Vec<_> = games(folder).into_iter().map(without_leg).collect();
        rows.sort();
        rows
    };
    assert_eq!(unordered(&turned), unordered(&big));
}

#[test]
fn a_pair_shares_its_dice_and_any_game_can_be_played_again() {
    let scratch = Scratch::new();
    let out = scratch.text("tournament");
    tournament(&out, &with_agents(&[RANDOM, WEAK], &["--scenario", BACKGAMMON, "--pairs", "3"]));
    let table = file(part(&out, BACKGAMMON, "part-00000.parquet"));
    let column = |name: &str| table.column(name).unwrap().map(str::to_owned).collect::<Vec<_>>();
    let (legs, pairs, seeds) = (column("leg"), column("pair"), column("seed"));
    assert_eq!(legs, ["1", "2"].repeat(3));
    assert_eq!(pairs, ["0", "0", "1", "1", "2", "2"]);
    assert!(seeds.iter().all(|seed| seed == &seeds[0]));
    let sides: Vec<String> =
        table.names.iter().filter_map(|name| name.strip_prefix("agent_")).map(str::to_owned).collect();
    let agents: Vec<Vec<String>> = sides.iter().map(|side| column(&format!("agent_{side}"))).collect();
    assert_eq!((&agents[0][0], &agents[1][0]), (&agents[1][1], &agents[0][1]), "sides are swapped");
    for leg in [0, 1] {
        let run = scratch.text(&format!("run{leg}"));
        let agents_by_game: Vec<String> =
            sides.iter().zip(&agents).map(|(side, agents)| format!("{side}={}", agents[leg])).collect();
        let mut args = vec!["play", BACKGAMMON, "--games", "3", "--seed", &seeds[0], "--out", &run];
        args.extend(agents_by_game.iter().flat_map(|agents| ["--side", agents]));
        succeed(&args);
        let played = file(Path::new(&run).join("games/part-00000.parquet"));
        for name in ["winner", "turns", "decisions", "end_reason"] {
            let there: Vec<&str> = played.column(name).unwrap().collect();
            let here: Vec<String> = column(name).into_iter().skip(leg).step_by(2).collect();
            assert_eq!(there, here, "{name} of leg {leg}");
        }
    }
}

#[test]
fn a_killed_tournament_goes_on_where_it_was() {
    let scratch = Scratch::new();
    let (killed, whole) = (scratch.text("killed"), scratch.text("whole"));
    let args = with_agents(
        &[RANDOM, WEAK, STRONG],
        &["--scenario", BACKGAMMON, "--pairs", "30", "--threads", "2", "--quiet"],
    );
    tournament(&whole, &args);
    let journal = Path::new(&killed).join("journal");
    let noted = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut kills = 0;
    let mut seen = 0;
    // Killed once so many pairs more are noted: at any moment of the work, also at its beginning.
    for more in [0, 1, 9, 0, 14, 3] {
        let mut child = sandtable(&[&["tournament", "--out", &killed], &args[..]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let running = loop {
            if child.try_wait().unwrap().is_some() {
                break false;
            }
            if Manifest::is_in(Path::new(&killed)) && noted() >= seen + more {
                break true;
            }
            sleep(Duration::from_millis(1));
        };
        child.kill().unwrap();
        child.wait().unwrap();
        kills += u32::from(running);
        // What was finished before is not lost.
        let now = noted();
        assert!(now >= seen + more || !running, "{now} of {seen}");
        seen = now;
    }
    assert!(kills >= 2, "the tournament is long enough to be killed");
    assert!(seen > 0, "what was played is in the journal");
    tournament(&killed, &["--quiet"]);
    assert_same(&killed, &whole);
    assert_eq!(noted(), 0, "all pairs are in the parts");
}

#[test]
fn what_a_crash_leaves_half_written_is_played_again() {
    let scratch = Scratch::new();
    let (torn, whole) = (scratch.text("torn"), scratch.text("whole"));
    let args = with_agents(&[RANDOM, STRONG], &["--scenario", BACKGAMMON, "--threads", "1", "--quiet"]);
    tournament(&whole, &[&args[..], &["--pairs", "4"]].concat());
    tournament(&torn, &[&args[..], &["--pairs", "1"]].concat());
    let mut child = sandtable(&[&["tournament", "--out", &torn], &args[..], &["--pairs", "9000"]].concat())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = Path::new(&torn).join("journal");
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 3 && Instant::now() < deadline
    {
        sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // The last line is torn off, a line in the middle is spoilt.
    let text = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() >= 3, "{text}");
    let spoilt = lines[1].replacen("\"decisions\":", "\"decisions\":1", 1);
    let last = lines[lines.len() - 1];
    let kept =
        [&lines[..1], &[spoilt.as_str()], &lines[2..lines.len() - 1], &[&last[..last.len() / 2]]].concat();
    fs::write(&journal, kept.join("\n")).unwrap();
    // A part without its receipt, and a file that was not finished.
    fs::write(part(&torn, BACKGAMMON, "part-00001.parquet"), "torn").unwrap();
    fs::write(part(&torn, BACKGAMMON, ".part-00002.parquet.tmp"), "torn").unwrap();
    tournament(&torn, &["--pairs", "4"]);
    assert_same(&torn, &whole);
}

#[test]
fn an_interrupt_keeps_what_is_finished() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let args = with_agents(&[STRONG, WEAK], &["--scenario", BACKGAMMON, "--pairs", "100000", "--quiet"]);
    let child = sandtable(&[&["tournament", "--out", &out], &args[..]].concat())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let journal = Path::new(&out).join("journal");
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&journal).map_or(0, |file| file.len()) == 0 && Instant::now() < deadline {
        sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("of 100000 pairs; go on with: sandtable tournament --out"), "{message}");
    let report = report(&out);
    assert_eq!(report["complete"], false);
    assert!(report["games"].as_u64().unwrap() > 0);
    assert_eq!(games(&out).len() as u64, report["games"].as_u64().unwrap());
}

#[test]
fn a_test_stops_a_pairing_and_says_so() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let args = ["--scenario", CONNECT_FOUR, "--pairs", "500", "--sprt", "0,100,0.05,0.05"];
    let page = tournament(&out, &with_agents(&[STRONG, RANDOM], &args));
    assert!(page.contains("H1 accepted after") && page.contains("stopped early"), "{page}");
    assert!(page.contains("so that score and Elo are biased away from even"), "{page}");
    let pairing = &report(&out)["pairings"][0];
    let pairs = pairing["pairs"].as_u64().unwrap();
    assert!(pairs < 500, "{pairing}");
    assert_eq!(pairing["sprt"]["pairs"], pairs, "nothing is played beyond the decision");
    assert_eq!(
        (&pairing["sprt"]["accepted"], &pairing["sprt"]["stopped_early"]),
        (&"H1".into(), &true.into())
    );
    let llr = pairing["sprt"]["llr"].as_f64().unwrap();
    assert!(llr >= pairing["sprt"]["upper"].as_f64().unwrap() && llr > 2.9);
    assert_eq!(pairing["sprt"]["expected_pairs"], Value::Null, "it expects no more");
    // One that is open says how long it may take.
    let open = scratch.text("open");
    let args = ["--scenario", CONNECT_FOUR, "--pairs", "20", "--sprt", "0,1,0.01,0.01"];
    let page = tournament(&open, &with_agents(&[STRONG, RANDOM], &args));
    let test = report(&open)["pairings"][0]["sprt"].clone();
    let more = test["expected_pairs"].as_f64().unwrap();
    assert!(test["accepted"].is_null() && more > 20.0, "{test}");
    assert!(page.contains(&format!("undecided after 20 pairs, about {more:.0} more expected")), "{page}");
    // Decided it stays, whatever is asked for; without the test it goes on.
    tournament(&out, &["--pairs", "501"]);
    assert_eq!(report(&out)["pairings"][0]["pairs"], pairs);
    let more = (pairs + 2).to_string();
    let page = tournament(&out, &["--pairs", &more, "--sprt", "none"]);
    assert!(!page.contains("accepted"), "{page}");
    assert_eq!(report(&out)["pairings"][0]["pairs"], pairs + 2);
    assert_eq!(report(&out)["pairings"][0]["sprt"], Value::Null);
}

#[test]
fn figures_fit_the_games() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let page = tournament(
        &out,
        &with_agents(
            &[RANDOM, WEAK, STRONG],
            &["--scenario", CONNECT_FOUR, "--pairs", "30", "--format", "csv"],
        ),
    );
    for words in [
        "no intransitive cycles",
        "alpha-Rank 100.0%",
        "score of row against column",
        "worth between equals, in Elo: ",
    ] {
        assert!(page.contains(words), "{words:?} is not in: {page}");
    }
    let table = |name: &str| file(Path::new(&out).join(format!("{name}.csv")));
    let ratings = table("ratings");
    let agents: Vec<&str> = ratings.column("agent").unwrap().collect();
    assert_eq!(agents[0], STRONG);
    let numbers = |table: &TextTable, name: &str| -> Vec<f64> {
        table.column(name).unwrap().map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()
    };
    assert_eq!(numbers(&ratings, "games"), [120.0; 3]);
    let elo = numbers(&ratings, "elo");
    assert!(elo[0] > elo[1] && elo[0] > elo[2], "{elo:?}");
    assert!((numbers(&ratings, "alpha_rank").iter().sum::<f64>() - 1.0).abs() < 1e-9);
    // The score of random by hand, from the games.
    let results = file(part(&out, CONNECT_FOUR, "part-00000.csv"));
    let sides: Vec<&str> = results.names.iter().filter_map(|name| name.strip_prefix("agent_")).collect();
    let agents_by_game: Vec<Vec<&str>> =
        sides.iter().map(|side| results.column(&format!("agent_{side}")).unwrap().collect()).collect();
    let winners: Vec<&str> = results.column("winner").unwrap().collect();
    let (mut points, mut games, mut wins_of_first) = (0.0, 0.0, 0.0);
    for (game, winner) in winners.iter().enumerate() {
        for (side, agents) in sides.iter().zip(&agents_by_game) {
            if agents[game] == RANDOM {
                games += 1.0;
                points += if winner.is_empty() { 0.5 } else { f64::from(u8::from(winner == side)) };
            }
        }
        wins_of_first += if winner.is_empty() { 0.5 } else { f64::from(u8::from(*winner == sides[0])) };
    }
    let random = agents.iter().position(|agent| *agent == RANDOM).unwrap();
    assert!((numbers(&ratings, "score")[random] - points / games).abs() < 1e-9);
    let scenarios = table("scenarios");
    assert!((numbers(&scenarios, "first_score")[0] - wins_of_first / winners.len() as f64).abs() < 1e-9);
    let side_rows = table("sides");
    let all: Vec<usize> =
        (0..side_rows.rows.len()).filter(|&row| side_rows.rows[row][1].is_empty()).collect();
    assert_eq!(all.len(), 2);
    let score = numbers(&side_rows, "score");
    assert!((score[all[0]] + score[all[1]] - 1.0).abs() < 1e-9);
    // By agent and in all, the sides have the same games.
    let of_side = |name: &str| -> f64 {
        let values = numbers(&side_rows, name);
        (0..values.len()).filter(|row| !all.contains(row)).map(|row| values[row]).sum()
    };
    for name in ["games", "wins", "draws"] {
        let values = numbers(&side_rows, name);
        let in_all: f64 = all.iter().map(|&row| values[row]).sum();
        assert!((of_side(name) - in_all).abs() < 0.5, "{name}");
    }
    // Every column is documented.
    for name in ["results", "ratings", "pairings", "sides", "scenarios"] {
        let documented = succeed(&["schema", CONNECT_FOUR, name]);
        let columns = if name == "results" { results.names.clone() } else { table(name).names };
        for column in columns {
            assert!(
                documented.lines().any(|line| line.trim_start().starts_with(&format!("{column} "))),
                "{column}"
            );
        }
    }
}

#[test]
fn a_gauntlet_leaves_the_others_alone() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let args = ["--scenario", "reference/kuhn", "--pairs", "10", "--layout", "gauntlet"];
    let page = tournament(&out, &with_agents(&[RANDOM, WEAK, STRONG], &args));
    assert_eq!(games(&out).len(), 2 * 10 * 2);
    assert!(!page.contains("alpha-Rank"), "not all have met: {page}");
    let json: Value =
        serde_json::from_str(&tournament(&out, &["--json", "--layout", "round-robin"])).unwrap();
    assert_eq!(json["tournament"]["games"], 3 * 10 * 2);
    assert_eq!(json["session"]["games"], 10 * 2);
    assert!(json["tournament"]["ratings"][0]["alpha_rank"].is_number());
}

#[test]
fn shards_put_together_are_the_whole() {
    let scratch = Scratch::new();
    let (whole, merged) = (scratch.text("whole"), scratch.text("merged"));
    for (name, sprt) in [("games", "none"), ("pairings", "0,200,0.1,0.1")] {
        let args = with_agents(
            &[RANDOM, WEAK, STRONG],
            &["--scenario", CONNECT_FOUR, "--pairs", "25", "--sprt", sprt],
        );
        let (whole, merged) = (format!("{whole}-{name}"), format!("{merged}-{name}"));
        tournament(&whole, &args);
        let shards = ["1/3", "2/3", "3/3"].map(|shard| {
            let out = scratch.text(&format!("{name}-{}", &shard[..1]));
            tournament(&out, &[&args[..], &["--shard", shard]].concat());
            out
        });
        refused(&["merge", &merged, &shards[0], &shards[2]], &["shard 2/3 is missing"]);
        refused(&["merge", &merged, &shards[0], &shards[0]], &["both shard 1/3"]);
        refused(&["merge", &merged, &shards[0], &whole], &["a whole tournament and not a shard"]);
        assert!(!Path::new(&merged).exists(), "nothing is written before all is verified");
        succeed(&["merge", &merged, &shards[2], &shards[0], &shards[1]]);
        assert_same(&merged, &whole);
        // The whole can be added to.
        for out in [&merged, &whole] {
            tournament(out, &["--agent", "flat-mc:iterations=2"]);
        }
        assert_same(&merged, &whole);
    }
}

#[test]
fn a_gauntlet_stays_that_of_its_first_agent() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let gauntlet = ["--scenario", "reference/kuhn", "--pairs", "3", "--layout", "gauntlet"];
    tournament(&out, &with_agents(&[WEAK, RANDOM], &gauntlet));
    let other = with_agents(&[RANDOM, WEAK], &["--layout", "gauntlet"]);
    refused(&[&["tournament", "--out", &out], &other[..]].concat(), &["--agent random", WEAK]);
    let stranger = with_agents(&[STRONG, WEAK], &[]);
    refused(&[&["tournament", "--out", &out], &stranger[..]].concat(), &[STRONG, WEAK]);
    tournament(&out, &with_agents(&[WEAK, STRONG], &[]));
    assert_eq!(report(&out)["pairings"].as_array().unwrap().len(), 2, "nobody has met random but the first");
}

#[test]
fn bad_input_is_named_and_damages_nothing() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let new = |args: &[&str], words: &[&str]| {
        refused(&[&["tournament", "--out", &out], args].concat(), words);
        assert!(!Path::new(&out).exists(), "{args:?}");
    };
    let kuhn = ["--scenario", "reference/kuhn"];
    new(&with_agents(&["randon", WEAK], &kuhn), &["--agent randon", "did you mean \"random\"?"]);
    new(&with_agents(&["mcts:iteration=5", WEAK], &kuhn), &["did you mean \"iterations\"?"]);
    new(&with_agents(&["scripted", WEAK], &kuhn), &["--agent scripted", "reference/kuhn", "policy"]);
    new(&with_agents(&[RANDOM, RANDOM], &kuhn), &["given twice"]);
    new(&with_agents(&[RANDOM], &kuhn), &["two agents or more"]);
    new(&with_agents(&[RANDOM, WEAK], &[]), &["--scenario"]);
    new(
        &with_agents(&[RANDOM, WEAK], &["--scenario", "reference/backgamon"]),
        &["--scenario reference/backgamon", "did you mean \"reference/backgammon\"?"],
    );
    new(
        &with_agents(&[RANDOM, WEAK], &["--scenario", "reference/kuhn", "--scenario", "reference/kuhn"]),
        &["given twice"],
    );
    let blitzwar = "blitzwar/campaign-1939";
    new(
        &with_agents(&[RANDOM, WEAK], &["--scenario", "reference/kuhn", "--scenario", blitzwar]),
        &[blitzwar, "its sides are axis", "the same sides"],
    );
    for (sprt, word) in [("0,5,0.05", "four numbers"), ("5,0,0.05,0.05", "elo1"), ("0,5,0.7,0.05", "alpha")] {
        new(&[&with_agents(&[RANDOM, WEAK], &kuhn)[..], &["--sprt", sprt]].concat(), &["--sprt", word]);
    }
    new(&[&with_agents(&[RANDOM, WEAK], &kuhn)[..], &["--layout", "gauntlett"]].concat(), &["gauntlet"]);
    new(&[&with_agents(&[RANDOM, WEAK], &kuhn)[..], &["--pairs", "0"]].concat(), &["--pairs"]);

    // A folder with something else in it.
    let other = scratch.text("other");
    fs::create_dir(&other).unwrap();
    fs::write(Path::new(&other).join("letter.txt"), "dear").unwrap();
    let args = with_agents(&[RANDOM, WEAK], &[&kuhn[..], &["--pairs", "4"]].concat());
    refused(
        &[&["tournament", "--out", &other], &args[..]].concat(),
        &["neither empty nor that of a tournament"],
    );

    // A tournament that is there.
    tournament(&out, &args);
    let before = (figures(&out), games(&out), fs::read(Path::new(&out).join("manifest.json")).unwrap());
    let add =
        |args: &[&str], words: &[&str]| refused(&[&["tournament", "--out", &out], args].concat(), words);
    add(&["--agent", "randon"], &["did you mean \"random\"?"]);
    add(&["--seed", "2"], &["--seed 2", "seed 1"]);
    add(&["--format", "csv"], &["--format csv", "parquet"]);
    add(&["--shard", "1/2"], &["--shard 1/2", "no shards"]);
    add(&["--scenario", BACKGAMMON, "--scenario", blitzwar], &["the same sides"]);
    add(&["--pairs", "3"], &["--pairs 3", "has played 4"]);
    add(&["--layout", "gauntlet"], &["--layout gauntlet", "everybody meet everybody"]);
    // Whose test it would be.
    let turned = ["--agent", WEAK, "--agent", RANDOM, "--sprt", "0,100,0.1,0.1"];
    add(&turned, &[&format!("--agent {WEAK}"), "random before it"]);
    let after = (figures(&out), games(&out), fs::read(Path::new(&out).join("manifest.json")).unwrap());
    assert!(before == after, "nothing was changed");

    // A tournament is no run.
    refused(&["play", "--resume", "--out", &out], &["is a tournament and not a run"]);
    refused(&["merge", &scratch.text("merged"), &out], &["a whole tournament and not a shard"]);

    // Another version, other data, a damaged part.
    let manifest = String::from_utf8(before.2.clone()).unwrap();
    let edit = |from: &str, to: &str| {
        assert!(manifest.contains(from), "{from}");
        fs::write(Path::new(&out).join("manifest.json"), manifest.replace(from, to)).unwrap();
    };
    edit(
        &format!("\"sandtable_version\": \"{}\"", env!("CARGO_PKG_VERSION")),
        "\"sandtable_version\": \"0.0.1\"",
    );
    add(&["--pairs", "9"], &["begun by another sandtable", "version 0.0.1", "use another --out"]);
    edit("\"hash\": \"", "\"hash\": \"f");
    add(&["--pairs", "9"], &["its data have changed", "reference/kuhn", "use another --out"]);
    edit("\"seed\": 1", "\"seed\": true");
    add(&["--pairs", "9"], &["manifest.json is damaged"]);
    fs::write(Path::new(&out).join("manifest.json"), &manifest).unwrap();
    let part = part(&out, "reference/kuhn", "part-00000.parquet");
    let bytes = fs::read(&part).unwrap();
    fs::write(&part, &bytes[..bytes.len() - 1]).unwrap();
    add(&["--pairs", "9"], &["part-00000.parquet is damaged", "delete", "parts/part-00000.json"]);
    fs::remove_file(Path::new(&out).join("parts/part-00000.json")).unwrap();
    tournament(&out, &["--pairs", "4"]);
    assert!((figures(&out), games(&out)) == (before.0, before.1), "played again they are the same");
}

/// The most memory that a running program has held so far, in bytes.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

#[cfg(target_os = "linux")]
#[test]
fn ten_thousand_games_take_little_memory() {
    let scratch = Scratch::new();
    let out = scratch.text("cup");
    let args = with_agents(
        &[RANDOM, "flat-mc:iterations=1,depth=1"],
        &["--scenario", CONNECT_FOUR, "--pairs", "5000", "--threads", "2", "--quiet"],
    );
    let mut command = sandtable(&[&["tournament", "--out", &out], &args[..]].concat());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    let ended = loop {
        peak = peak.max(peak_memory(child.id()).unwrap_or(0));
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => sleep(Duration::from_millis(5)),
        }
    };
    assert!(ended.success());
    assert_eq!(games(&out).len(), 10_000);
    let mebibytes = peak >> 20;
    assert!(mebibytes > 0 && mebibytes < 300, "{mebibytes} MiB");
}
