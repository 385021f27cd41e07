//! What the tests of studies have in common: the program as its users run it, and what is in a study's folder.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use sandtable::system::waste::Case;
use sandtable::table::read::read_text;
use sandtable::table::{Format, TextTable};
use serde_json::Value;
use tempfile::TempDir;

pub const CONNECT_FOUR: &str = "reference/connect-four";
pub const BACKGAMMON: &str = "reference/backgammon";
pub const FRANCE: &str = "blitzwar/france-1940";

pub fn sandtable(args: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("sandtable"));
    command.args(args);
    command
}

pub fn run(args: &[&str]) -> Output {
    sandtable(args).output().unwrap()
}

/// Exit code, output and messages.
pub fn outcome(args: &[&str]) -> (Option<i32>, String, String) {
    let output = run(args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

pub fn succeed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// How long a command may take that is refused.
const PATIENCE: Duration = Duration::from_secs(30);

/// Fails with exit code 2 and a message that holds all of `words`.
pub fn refused(args: &[&str], words: &[&str]) {
    // Who waits for ever, as on a pipe, is stopped, and has no exit code.
    let output = assert_cmd::Command::from_std(sandtable(args)).timeout(PATIENCE).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    for word in words {
        assert!(message.contains(word), "{args:?}: {word:?} is not in: {message}");
    }
}

pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Self {
        Scratch(TempDir::new().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

/// The report in a study's folder.
pub fn report(folder: &str, kind: &str) -> Value {
    serde_json::from_slice(&fs::read(Path::new(folder).join(kind).with_extension("json")).unwrap()).unwrap()
}

pub fn file(path: impl AsRef<Path>) -> TextTable {
    let path = path.as_ref();
    let format = if path.extension().unwrap() == "csv" { Format::Csv } else { Format::Parquet };
    read_text(format, fs::read(path).unwrap()).unwrap()
}

/// The rows of the table of games, in the order of the parts.
pub fn games(folder: &str, table: &str) -> TextTable {
    let parts = fs::read_dir(Path::new(folder).join(table)).unwrap();
    let mut paths: Vec<_> = parts.map(|part| part.unwrap().path()).collect();
    paths.sort();
    let mut whole = TextTable::default();
    for path in paths {
        let part = file(path);
        whole.names = part.names;
        whole.rows.extend(part.rows);
    }
    whole
}

/// Fails unless two studies have the same games and figures.
pub fn assert_same(one: &str, other: &str, kind: &str, table: &str) {
    assert!(games(one, table) == games(other, table), "the games in {one} and {other} differ");
    let files = |folder: &str| {
        let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "parquet" || ending == "csv"))
            .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
            .collect();
        files.sort();
        files
    };
    assert!(files(one) == files(other), "the tables in {one} and {other} differ");
    assert_eq!(report(one, kind), report(other, kind));
}

/// Begins a study, kills it several times in the middle, lets it end, and compares it with one that was left alone.
pub fn survives_kills(command: &str, args: &[&str], kind: &str, table: &str) {
    let scratch = Scratch::new();
    let (killed, whole) = (scratch.text("killed"), scratch.text("whole"));
    let with = |out| [&[command, "--out", out, "--threads", "2", "--quiet"], args].concat();
    succeed(&with(&whole));
    let journal = Path::new(&killed).join("journal");
    let noted = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut kills = 0;
    for _ in 0..3 {
        let before = noted();
        let mut child =
            sandtable(&with(&killed)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // As soon as something new is there it is killed.
        while noted() <= before && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        child.wait().unwrap();
        assert!(noted() >= before, "what was finished is not lost");
    }
    assert!(kills >= 2, "the study is long enough to be killed");
    succeed(&[command, "--out", &killed, "--quiet"]);
    assert_same(&killed, &whole, kind, table);
    // Once it is complete, nothing is played again.
    let page = succeed(&[command, "--out", &killed]);
    assert!(!page.contains("speed:"), "{page}");
    assert_same(&killed, &whole, kind, table);
}

/// Interrupts a study that would take long; returns what it says.
pub fn interrupt(args: &[&str], out: &str) -> String {
    let child = sandtable(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let journal = Path::new(out).join("journal");
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&journal).map_or(0, |file| file.len()) == 0 && Instant::now() < deadline {
        sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{message}");
    message
}

/// The scripted player stays within limits on every column of waste, and on `more` of them, of every side: of each column its name and
/// the most a game by side.
#[track_caller]
pub fn limits_all_waste<const N: usize>(
    (scenario, games): (&str, u32),
    sides: [&str; N],
    more: &[&str],
    limits: &[(&str, [f64; N])],
) {
    for column in Case::ALL.map(Case::id).iter().chain(more) {
        assert!(limits.iter().any(|(limited, _)| limited == column), "{scenario}: no limit on {column}");
    }
    let by_side =
        |&(column, most): &_| sides.into_iter().zip(most).map(move |(side, most)| (side, column, most));
    let each: Vec<(&str, &str, f64)> = limits.iter().flat_map(by_side).collect();
    wastes_at_most(scenario, games, &each);
}

/// The columns of table `turns` of the scripted player stay within limits: scenario, games (seed 5), and of each column the
/// side, its name and the most a game.
#[track_caller]
pub fn wastes_at_most(scenario: &str, games: u32, limits: &[(&str, &str, f64)]) {
    let scratch = Scratch::new();
    let run = scratch.text("run");
    let count = games.to_string();
    let play = ["play", scenario, "--agents", "scripted", "--games", &count, "--seed", "5", "--threads", "1"];
    succeed(&[&play[..], &["--format", "csv", "--quiet", "--out", &run]].concat());
    let mut sums: BTreeMap<(String, String), f64> = BTreeMap::new();
    for file in fs::read_dir(Path::new(&run).join("turns")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let side = names.iter().position(|name| *name == "side").unwrap();
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            for (name, cell) in names.iter().zip(&cells) {
                if let Ok(value) = cell.parse::<f64>() {
                    *sums.entry((cells[side].to_owned(), (*name).to_owned())).or_default() += value;
                }
            }
        }
    }
    let mut over = Vec::new();
    for &(side, column, limit) in limits {
        let value = sums[&(side.to_owned(), column.to_owned())] / f64::from(games);
        println!("{scenario}: {side} {column} {value:.2}");
        if value > limit {
            over.push(format!("{side} {column} {value:.2} a game, at most {limit}"));
        }
    }
    assert!(over.is_empty(), "{scenario}: {}", over.join("; "));
}
