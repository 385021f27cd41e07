//! The program as its users run it: what changes no value, what survives a kill, what is refused.

mod study;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sandtable::table::Format;
use sandtable::table::TextTable;
use sandtable::table::read::read_text;
use study::{Scratch, refused, sandtable, succeed};

/// All files of a run that must not differ between repetitions, by their path in the run.
fn results(run: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        // Wall-clock times differ, and with them the receipts that hold their checksums.
        if folder.ends_with("timings") || folder.ends_with("parts") {
            continue;
        }
        for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            files.insert(file.strip_prefix(run).unwrap().to_owned(), fs::read(&file).unwrap());
        }
    }
    files.insert("summary.json".into(), fs::read(run.join("summary.json")).unwrap());
    files
}

fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (results(one), results(other));
    assert!(one.keys().eq(other.keys()), "{:?} and {:?}", one.keys(), other.keys());
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{} differs", name.display());
    }
}

const BACKGAMMON: [&str; 4] = ["play", "reference/backgammon", "--agents", "random"];

/// Plays backgammon into a folder; `more` are further arguments.
fn backgammon(out: &str, more: &[&str]) -> String {
    succeed(&[&BACKGAMMON[..], &["--out", out], more].concat())
}

#[test]
fn threads_change_no_byte() {
    let scratch = Scratch::new();
    for format in ["parquet", "csv"] {
        let folders = ["1", "2", "5"].map(|threads| {
            let out = scratch.text(&format!("{format}{threads}"));
            let more = ["--games", "500", "--part-games", "70", "--decisions", "--record"];
            backgammon(&out, &[&more[..], &["--format", format, "--threads", threads]].concat());
            out
        });
        assert_same(folders[0].as_ref(), folders[1].as_ref());
        assert_same(folders[0].as_ref(), folders[2].as_ref());
        assert!(results(folders[0].as_ref()).len() > 5 * 8, "five tables of eight parts");
    }
}

#[test]
fn the_part_size_changes_no_value() {
    let scratch = Scratch::new();
    let [small, large] = ["7", "1000"].map(|size| {
        let out = scratch.text(size);
        backgammon(&out, &["--games", "60", "--format", "csv", "--part-games", size]);
        out
    });
    for table in ["games", "turns", "hits"] {
        let rows = |run: &str, parts: usize| {
            let file = |part: usize| Path::new(run).join(format!("{table}/part-{part:05}.csv"));
            (0..parts)
                .flat_map(|part| read_text(Format::Csv, fs::read(file(part)).unwrap()).unwrap().rows)
                .collect::<Vec<_>>()
        };
        let (small, large) = (rows(&small, 9), rows(&large, 1));
        assert!(small.len() >= 60);
        assert_eq!(small, large, "{table}");
    }
}

#[test]
fn a_run_says_from_which_commit_it_came_and_is_not_continued_by_another() {
    let scratch = Scratch::new();
    let out = scratch.text("run");
    backgammon(&out, &["--games", "10"]);
    let path = Path::new(&out).join("manifest.json");
    let manifest = fs::read_to_string(&path).unwrap();
    let version = succeed(&["--version"]);
    let commit = version.trim().rsplit_once('(').unwrap().1.trim_end_matches(')').to_owned();
    assert!(manifest.contains(&format!("\"sandtable_commit\": \"{commit}\"")), "{manifest}");
    fs::write(&path, manifest.replace(&commit, "0123456789ab")).unwrap();
    let resume = [&BACKGAMMON[..], &["--games", "10", "--out", &out, "--resume"]].concat();
    refused(&resume, &["sandtable_commit", "0123456789ab"]);
}

#[test]
fn validation_plays_the_scenario() {
    assert!(succeed(&["validate", "reference/backgammon"]).contains("3 random games of "));
}

#[test]
fn seeds_and_games_change_values() {
    let scratch = Scratch::new();
    let [one, two] = ["1", "2"].map(|seed| {
        let out = scratch.text(seed);
        backgammon(&out, &["--games", "50", "--seed", seed]);
        fs::read(scratch.path(seed).join("turns/part-00000.parquet")).unwrap()
    });
    assert!(one != two);
}

#[test]
fn shards_merge_to_the_whole() {
    let scratch = Scratch::new();
    let arguments = ["--games", "500", "--part-games", "30"];
    let whole = scratch.text("whole");
    backgammon(&whole, &arguments);
    let shards = [1, 2, 3].map(|shard| {
        let out = scratch.text(&format!("shard{shard}"));
        backgammon(&out, &[&arguments[..], &["--shard", &format!("{shard}/3")]].concat());
        out
    });
    let [one, two, three] = shards.each_ref().map(String::as_str);
    let merged = scratch.text("merged");
    refused(&["merge", &merged, one, three], &["shard 2/3 is missing"]);
    refused(&["merge", &merged, one, two, one], &["are both shard 1/3"]);
    refused(&["merge", &merged, &whole, one, two], &["whole run"]);
    let other = scratch.text("other");
    backgammon(&other, &["--games", "500", "--part-games", "30", "--seed", "9", "--shard", "3/3"]);
    refused(&["merge", &merged, one, two, &other], &["another run", "seed is 9 and not 1"]);
    assert!(!Path::new(&merged).exists(), "a refused merge writes nothing");
    succeed(&["merge", &merged, three, one, two]);
    assert_same(merged.as_ref(), whole.as_ref());
    refused(&["merge", &merged, one, two, three], &["not empty"]);
}

fn receipts(run: &Path) -> usize {
    let Ok(entries) = fs::read_dir(run.join("parts")) else { return 0 };
    entries.flatten().filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')).count()
}

/// Begins a long run and waits until so many parts are written.
fn begin(out: &str, more: &[&str], parts: usize) -> std::process::Child {
    let mut child = sandtable(&[&BACKGAMMON[..], &["--out", out], more].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = Instant::now();
    while receipts(out.as_ref()) < parts {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it could be disturbed");
        assert!(patience.elapsed() < Duration::from_secs(60), "no part is written");
        sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn a_killed_run_goes_on_to_the_same_tables() {
    let scratch = Scratch::new();
    let arguments = ["--games", "8000", "--part-games", "100"];
    let whole = scratch.text("whole");
    backgammon(&whole, &arguments);
    for parts in [1, 15, 40] {
        let out = scratch.text(&format!("killed{parts}"));
        let mut child = begin(&out, &arguments, parts);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(receipts(out.as_ref()) < 80, "killed too late to show anything");
        // What a crash may leave: a file half written, and tables without a receipt.
        fs::write(Path::new(&out).join("games/.part-00079.parquet.tmp"), "half").unwrap();
        fs::write(Path::new(&out).join("games/part-00079.parquet"), "half").unwrap();
        succeed(&["play", "--resume", "--out", &out, "--threads", "1"]);
        assert_same(out.as_ref(), whole.as_ref());
    }
}

#[test]
fn a_run_that_never_wrote_a_part_goes_on() {
    let scratch = Scratch::new();
    let [whole, killed] = ["whole", "killed"].map(|name| scratch.text(name));
    backgammon(&whole, &["--games", "200"]);
    backgammon(&killed, &["--games", "200"]);
    for folder in ["parts", "games", "turns", "hits", "timings"] {
        fs::remove_dir_all(Path::new(&killed).join(folder)).unwrap();
    }
    succeed(&["play", "--resume", "--out", &killed]);
    assert_same(killed.as_ref(), whole.as_ref());
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let scratch = Scratch::new();
    let arguments = ["--games", "8000", "--part-games", "100"];
    let (whole, out) = (scratch.text("whole"), scratch.text("interrupted"));
    backgammon(&whole, &arguments);
    let child = begin(&out, &arguments, 1);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains(&format!("go on with: sandtable play --resume --out {out}")), "{message}");
    assert!(!Path::new(&out).join("summary.json").exists(), "there is no summary of half a run");
    let parts = receipts(out.as_ref());
    assert!(message.contains(&format!("stopped after {} of 8000 games", parts * 100)), "{message}");
    refused(&["play", "--resume", "--out", &out, "--seed", "2"], &["begun with seed 1", "not with 2"]);
    refused(
        &["play", "--resume", "--out", &out, "--shard", "1/2"],
        &["begun with shard none", "not with 1/2"],
    );
    refused(
        &["play", "--resume", "--out", &out, "--agents", "scripted"],
        &["--agents scripted", "unknown policy"],
    );
    refused(&["play", "--resume", "--out", "nowhere"], &["--out nowhere", "there is no such folder"]);
    succeed(&["play", "--resume", "--out", &out]);
    assert_same(out.as_ref(), whole.as_ref());
}

/// Something that spoils a file.
type Damage = fn(&Path);

#[test]
fn a_damaged_part_is_named_and_can_be_played_again() {
    let scratch = Scratch::new();
    let (whole, out) = (scratch.text("whole"), scratch.text("damaged"));
    for run in [&whole, &out] {
        backgammon(run, &["--games", "200", "--part-games", "50"]);
    }
    let resume = ["play", "--resume", "--out", &out];
    let receipt = Path::new(&out).join("parts/part-00002.json");
    let damages: [(&str, Damage); 5] = [
        ("turns/part-00002.parquet", |file| {
            let mut bytes = fs::read(file).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(file, bytes).unwrap();
        }),
        ("games/part-00002.parquet", |file| fs::write(file, &fs::read(file).unwrap()[..100]).unwrap()),
        ("hits/part-00002.parquet", |file| fs::remove_file(file).unwrap()),
        ("parts/part-00002.json", |file| fs::write(file, "{").unwrap()),
        ("parts/part-00002.json", |file| {
            fs::copy(file.with_file_name("part-00001.json"), file).unwrap();
        }),
    ];
    for (name, damage) in damages {
        damage(&Path::new(&out).join(name));
        let before = fs::read(Path::new(&out).join("games/part-00000.parquet")).unwrap();
        refused(&resume, &[name, "is damaged", "delete", "part-00002.json"]);
        assert_eq!(fs::read(Path::new(&out).join("games/part-00000.parquet")).unwrap(), before);
        fs::remove_file(&receipt).unwrap();
        succeed(&resume);
        assert_same(out.as_ref(), whole.as_ref());
    }
    fs::write(Path::new(&out).join("manifest.json"), "{\"seed\": 1}").unwrap();
    refused(&resume, &["manifest.json: it is not a manifest of sandtable"]);
}

#[test]
fn mistakes_are_explained_and_leave_nothing_behind() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let play = |arguments: &[&str], words: &[&str]| {
        refused(&[&["play"], arguments, &["--out", &out]].concat(), words);
        assert!(!Path::new(&out).exists(), "{arguments:?} left a folder behind");
    };
    let game = "reference/kuhn";
    play(
        &["reference/khun", "--agents", "random"],
        &["unknown scenario", "did you mean \"reference/kuhn\"?"],
    );
    play(&["Cargo.toml", "--agents", "random"], &["Cargo.toml is not a scenario"]);
    play(&[game], &["side first has no agent", "--side first=AGENT"]);
    play(&[game, "--side", "frist=random"], &["--side frist=random", "did you mean \"first\"?"]);
    play(&[game, "--side", "random"], &["--side random", "expected SIDE=AGENT"]);
    play(&[game, "--side", "first=random", "--side", "first=random"], &["side first is given twice"]);
    play(&[game, "--agents", "rnadom"], &["--agents rnadom", "did you mean \"random\"?"]);
    play(&[game, "--agents", "mcts:iteration=5"], &["did you mean \"iterations\"?"]);
    play(&[game, "--agents", "mcts:iterations=few"], &["few", "a whole number"]);
    play(&[game, "--agents", "scripted"], &["--agents scripted", "unknown policy"]);
    play(&[game, "--agents", "mcts:rollout=clever"], &["unknown policy", "clever"]);
    let war = "blitzwar/france-1940";
    play(&[war, "--agents", "mcts:c=1"], &["--agents mcts:c=1", "c asks for a tree of single actions"]);
    play(&[war, "--agents", "ismcts:over=actions"], &["over=actions", "search over whole plans"]);
    play(&[game, "--agents", "random", "--games", "0"], &["--games", "1.."]);
    play(&[game, "--agents", "random", "--games", "many"], &["--games", "many"]);
    play(&[game, "--agents", "random", "--threads", "0"], &["--threads", "1..=1024"]);
    play(&[game, "--agents", "random", "--part-games", "0"], &["--part-games"]);
    play(&[game, "--agents", "random", "--shard", "3/2"], &["--shard", "3/2", "expected i/n"]);
    play(&[game, "--agents", "random", "--format", "parket"], &["--format", "parket", "parquet"]);
    play(&[game, "--agents", "random", "--set", "deck"], &["--set", "expected path=value"]);
    play(&[game, "--agents", "random", "--set", "deck.size=4"], &["--set deck.size=4", "no values to set"]);
    play(&[game, "--agents", "random", "--gmaes", "4"], &["--gmaes", "--games"]);
    play(&["--resume"], &["there is no such folder"]);
    refused(&["play", game, "--agents", "random", "--resume"], &["--out"]);
    refused(&["replay", &out, "--game", "0"], &["there is no such folder"]);
    refused(&["describe", "reference/kuhm"], &["did you mean \"reference/kuhn\"?"]);
    refused(&["rules", "reference/kuhn"], &["no rulebook"]);
    refused(&["rules", "reference/kuhm"], &["did you mean \"reference/kuhn\"?"]);
    refused(&["export", game, &out], &["no data files"]);
    refused(&["validate", "no-such-folder"], &["no-such-folder", "no file or folder"]);
    refused(&["schema", game, "game"], &["did you mean \"games\"?"]);
    refused(&["paly"], &["paly", "play"]);
    let example = scratch.text("example.toml");
    refused(&["check", &example], &["cannot read", "example.toml"]);
    fs::write(&example, "scenario = 4").unwrap();
    refused(&["check", &example], &["example.toml", "expected a string"]);
    fs::write(&example, "scenario = \"reference/khun\"").unwrap();
    refused(&["check", &example], &["example.toml", "did you mean \"reference/kuhn\"?"]);
}

#[test]
fn folders_that_are_in_use_are_left_alone() {
    let scratch = Scratch::new();
    let full = scratch.text("full");
    fs::create_dir(&full).unwrap();
    fs::write(Path::new(&full).join("thesis.txt"), "mine").unwrap();
    let game = ["play", "reference/kuhn", "--agents", "random", "--out"];
    refused(&[&game[..], &[&full]].concat(), &["--out", "not empty", "--resume"]);
    refused(&[&game[..], &[&full, "--resume"]].concat(), &["not the folder of a run"]);
    assert_eq!(fs::read_dir(&full).unwrap().count(), 1);
    let file = scratch.text("full/thesis.txt");
    refused(&[&game[..], &[&file]].concat(), &["--out", "cannot write"]);
    refused(&[&game[..], &[&scratch.text("full/thesis.txt/run")]].concat(), &["--out", "cannot write"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[test]
fn two_processes_do_not_write_one_run() {
    let scratch = Scratch::new();
    let out = scratch.text("busy");
    let mut child = begin(&out, &["--games", "200000", "--part-games", "100", "--threads", "1"], 1);
    // Who comes second learns who is first, whether it goes on or begins.
    let first = format!("process {} on ", child.id());
    let words = ["another sandtable is writing this run", &first, ", since 20"];
    refused(&["play", "--resume", "--out", &out], &words);
    refused(&[&BACKGAMMON[..], &["--games", "10", "--out", &out]].concat(), &words);
    child.kill().unwrap();
    child.wait().unwrap();
    // The lock of a process that is gone holds nobody back.
    refused(&[&BACKGAMMON[..], &["--games", "10", "--out", &out]].concat(), &["not empty"]);
}

fn table(run: &str, name: &str, format: Format) -> TextTable {
    study::file(Path::new(run).join(format!("{name}/part-00000.{}", format.extension())))
}

#[test]
fn both_formats_hold_the_same_values() {
    let scratch = Scratch::new();
    let (parquet, csv) = (scratch.text("parquet"), scratch.text("csv"));
    let searched = [
        "play",
        "reference/backgammon",
        "--side",
        "white=mcts:iterations=30,depth=4",
        "--side",
        "black=random",
    ];
    for (out, format) in [(&parquet, "parquet"), (&csv, "csv")] {
        succeed(
            &[&searched[..], &["--games", "5", "--decisions", "--record", "--out", out, "--format", format]]
                .concat(),
        );
    }
    for name in ["games", "turns", "hits", "decisions", "records"] {
        let (parquet, csv) = (table(&parquet, name, Format::Parquet), table(&csv, name, Format::Csv));
        assert!(!parquet.rows.is_empty());
        assert_eq!(parquet, csv, "{name}");
    }
    let decisions = table(&csv, "decisions", Format::Csv);
    let count = |name: &str, wanted: fn(&str) -> bool| {
        decisions.column(name).unwrap().filter(|cell| wanted(cell)).count()
    };
    let searched = count("iterations", |cell| !cell.is_empty());
    assert!(searched > 0 && searched <= count("side", |side| side == "white"), "only white searches");
}

#[test]
fn tables_agree_with_each_other() {
    let scratch = Scratch::new();
    let out = scratch.text("run");
    backgammon(&out, &["--games", "40", "--decisions"]);
    let [games, turns, decisions] =
        ["games", "turns", "decisions"].map(|name| table(&out, name, Format::Parquet));
    let numbers = |table: &TextTable, name: &str| -> Vec<u64> {
        table.column(name).unwrap().map(|cell| cell.parse().unwrap()).collect()
    };
    assert_eq!(numbers(&games, "game"), (0..40).collect::<Vec<_>>());
    assert_eq!(numbers(&games, "decisions").iter().sum::<u64>(), decisions.rows.len() as u64);
    assert_eq!(numbers(&turns, "decisions").iter().sum::<u64>(), decisions.rows.len() as u64);
    assert_eq!(
        numbers(&turns, "choices").iter().sum::<u64>(),
        numbers(&decisions, "legal").iter().sum::<u64>()
    );
    assert_eq!(numbers(&games, "turns").iter().sum::<u64>() * 2, turns.rows.len() as u64);
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(Path::new(&out).join("summary.json")).unwrap()).unwrap();
    let white = games.column("winner").unwrap().filter(|&winner| winner == "white").count();
    assert_eq!(summary["wins"][0]["games"], white);
    assert_eq!(summary["games"], 40);
}

#[test]
fn replays_tell_the_game_that_was_played() {
    let scratch = Scratch::new();
    let [again, recorded, timed] = ["again", "recorded", "timed"].map(|name| scratch.text(name));
    let game = ["play", "reference/connect-four", "--games", "6", "--out"];
    let search = ["--side", "first=mcts:iterations=60", "--side", "second=random"];
    succeed(&[&game[..], &[&again], &search].concat());
    succeed(&[&game[..], &[&recorded, "--record"], &search].concat());
    succeed(&[&game[..], &[&timed, "--side", "first=mcts:ms=1", "--side", "second=random"]].concat());
    for number in 0..6 {
        let tell = |run: &str| succeed(&["replay", run, "--game", &number.to_string()]);
        let story = tell(&again);
        assert_eq!(story, tell(&recorded));
        for (run, story) in [(&again, &story), (&timed, &tell(&timed))] {
            let games = table(run, "games", Format::Parquet);
            let cell = |name: &str| games.column(name).unwrap().nth(number).unwrap().to_owned();
            assert!(story.contains(&format!("{} decisions", cell("decisions"))), "{story}");
            let end = match cell("winner").as_str() {
                "" => "a draw".to_owned(),
                winner => format!("{winner} won ({})", cell("end_reason")),
            };
            assert!(story.contains(&end), "{end} is not in {story}");
        }
    }
    let start = succeed(&["replay", &again, "--game", "0", "--until", "2"]);
    assert!(
        start.contains("== turn 2") && !start.contains("== turn 3") && !start.contains("the end"),
        "{start}"
    );
    refused(&["replay", &again, "--game", "6"], &["games 0 to 5"]);
}

#[test]
fn output_that_is_no_terminal_has_no_control_characters() {
    let scratch = Scratch::new();
    let output = sandtable(&[&BACKGAMMON[..], &["--games", "3000", "--out", &scratch.text("run")]].concat())
        .output()
        .unwrap();
    assert!(output.status.success());
    let shown = [output.stdout, output.stderr].concat();
    assert!(shown.iter().all(|&byte| byte == b'\n' || byte >= b' '), "{}", String::from_utf8_lossy(&shown));
    assert!(String::from_utf8(shown).unwrap().contains("polars.read_parquet"));
    let quiet =
        succeed(&[&BACKGAMMON[..], &["--games", "10", "--quiet", "--out", &scratch.text("quiet")]].concat());
    assert_eq!(quiet, "");
    let json =
        succeed(&[&BACKGAMMON[..], &["--games", "10", "--json", "--out", &scratch.text("json")]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["summary"]["games"], 10);
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let mut child = sandtable(&["list"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_column_is_documented() {
    for scenario in ["reference/connect-four", "reference/backgammon", "reference/kuhn"] {
        let text = succeed(&["schema", scenario]);
        let mut docs = None;
        for line in text.lines().filter(|line| line.starts_with("  ")) {
            match (line.find("meaning"), docs) {
                (Some(at), _) if line.starts_with("  column ") => docs = Some(at),
                (_, Some(at)) => assert!(line.get(at..).is_some_and(|doc| doc.len() > 5), "{line}"),
                (_, None) => panic!("no headers: {text}"),
            }
        }
        assert!(text.contains("games:") && text.contains("turns:") && text.contains("points_"));
    }
}

#[test]
fn the_signature_is_the_same_every_time() {
    let signature = |scenario: &str| succeed(&["bench", "--signature", scenario]);
    let scenarios = ["blitzwar/france-1940", "roads-to-moscow/pervyy-voin", "reference/kuhn"];
    let signatures = scenarios.map(signature);
    assert_eq!(signatures, scenarios.map(signature));
    assert_ne!(signatures[0], signatures[1]);
}

#[test]
fn a_replay_tells_the_headlines_and_with_all_every_move() {
    let scratch = Scratch::new();
    // Names of places that change hands, and words that only moves have.
    for (scenario, prize, detail) in [
        ("blitzwar/france-1940", "takes Paris", "side spends"),
        ("victory-in-europe/barbarossa-1941", "takes", "goes from"),
    ] {
        let out = scratch.text(scenario.split('/').next().unwrap());
        succeed(&["play", scenario, "--games", "1", "--agents", "scripted", "--quiet", "--out", &out]);
        let replay = ["replay", &out, "--game", "0"];
        let (headlines, all) = (succeed(&replay), succeed(&[&replay[..], &["--all"]].concat()));
        let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        let (short, long) = (lines(&headlines), lines(&all));
        // A part of the whole log, in its order: what is said of the headlines alone stands in the last line.
        let mut rest = long.iter();
        for line in &short[..short.len() - 1] {
            assert!(rest.any(|other| other == line), "{line:?} is not in its place in {all}");
        }
        assert!(long.len() > 10 * short.len(), "{} of {} lines: {headlines}", short.len(), long.len());
        assert!(headlines.contains(prize) && all.contains(detail), "{headlines}");
        assert!(!headlines.contains(detail), "{headlines}");
        let turns = |list: &[String]| list.iter().filter(|line| line.starts_with("== turn")).count();
        assert_eq!(turns(&short), turns(&long));
        assert!(short.iter().any(|line| line.starts_with("== the end: ")) && headlines.contains("--all"));
    }
}

#[test]
fn the_list_is_short_and_its_json_complete() {
    let list = succeed(&["list"]);
    assert!(!list.contains("iterations="), "{list}");
    let agents = succeed(&["list", "--agents"]);
    let all: serde_json::Value = serde_json::from_str(&succeed(&["list", "--json"])).unwrap();
    let texts = |value: &serde_json::Value, key: &str| -> Vec<String> {
        value.as_array().unwrap().iter().map(|entry| entry[key].as_str().unwrap().to_owned()).collect()
    };
    let systems = all["systems"].as_array().unwrap();
    let scenarios: usize = systems.iter().map(|system| system["scenarios"].as_array().unwrap().len()).sum();
    // A line for each system and scenario, and the agents.
    assert!(list.lines().count() <= systems.len() + scenarios + 2, "{list}");
    for system in systems {
        for id in texts(&system["scenarios"], "id") {
            let line = list.lines().find(|line| line.trim_start().split([' ', ':']).next() == Some(&*id));
            assert!(line.is_some(), "{id} is not in {list}");
        }
    }
    for agent in all["agents"].as_array().unwrap() {
        let name = agent["name"].as_str().unwrap();
        assert!(list.contains(name) && agents.contains(&format!("{name}: ")), "{name}");
        for option in texts(&agent["options"], "name") {
            assert!(agents.contains(&format!("  {option}=  ")), "{option} is not in {agents}");
        }
    }
    assert!(
        all["agents"].as_array().unwrap().iter().any(|agent| agent["options"].as_array().unwrap().len() > 3)
    );
}

/// On a terminal a bar tells how far the games are, from the first ones on; what is not a terminal gets no word of it.
#[test]
fn progress_is_for_terminals() {
    let scratch = Scratch::new();
    // All games are in one part: the bar does not wait for its end.
    let args = |out: &str| {
        format!(
            "play blitzwar/france-1940 --games 150 --part-games 150 --agents scripted --threads 1 --out {out}"
        )
    };
    let plain = args(&scratch.text("plain"));
    let output = sandtable(&plain.split(' ').collect::<Vec<_>>()).output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{:?}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(!output.stdout.contains(&0x1b));
    // `script` of util-linux runs a command on a terminal of its own.
    let program = assert_cmd::cargo::cargo_bin("sandtable");
    let command = format!("{} {}", program.display(), args(&scratch.text("shown")));
    let Ok(output) = Command::new("script").args(["-qec", &command, "/dev/null"]).output() else {
        eprintln!("no script(1) here: the bar was not looked at");
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    for words in ["/150 games (", "/s, ", "left; axis"] {
        assert!(shown.contains(words), "{words} is not in {shown}");
    }
}

#[test]
fn a_number_that_is_none_is_refused_by_its_option() {
    let games = ["play", "reference/kuhn", "--games"];
    for (value, expected) in [
        ("-1", "a whole number that is not negative"),
        ("some", "a whole number"),
        ("99999999999999999999999", "a smaller number"),
        ("0", "1.."),
    ] {
        let args = [&games[..], &[value]].concat();
        refused(&args, &[&format!("invalid value '{value}' for '--games <N>'"), expected]);
    }
    refused(&["replay", "somewhere", "--game", "-1"], &["'-1' for '--game <N>'"]);
}
