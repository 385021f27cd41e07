//! Files and folders that people name: what is there is not lost, what cannot be is refused before the work, and what
//! fails leaves nothing half done.

mod study;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use study::{FRANCE, Scratch, refused, run, sandtable, succeed};

/// A copy of a scenario as a folder.
fn copy(folder: &Path) {
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    succeed(&["export", FRANCE, folder.to_str().unwrap()]);
}

/// The names in a folder.
fn names(folder: impl AsRef<Path>) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_path_too_long_for_a_table_is_refused_before_the_first_game() {
    let scratch = Scratch::new();
    let deep = scratch.path(&"a/".repeat(90)).join("b");
    copy(&deep);
    let deep = deep.to_str().unwrap();
    let out = scratch.text("out");
    let agents = ["--agent", "random", "--agent", "scripted", "--pairs", "1"];
    let args = [&["tournament", "--out", &out, "--scenario", deep][..], &agents].concat();
    refused(&args, &["--scenario", deep, "bytes", "shorter path"]);
    let experiment = scratch.path("sweep.toml");
    let text = format!(
        "scenario = \"{deep}\"\ngames = 1\nagents = [\"random\"]\n[design]\nkind = \"grid\"\npoints = 2\n[[factor]]\n\
         path = \"combat.modifiers.armour\"\nvalues = [0, 2]\n"
    );
    fs::write(&experiment, text).unwrap();
    refused(&["sweep", experiment.to_str().unwrap(), "--out", &out], &[deep, "bytes", "shorter path"]);
    assert!(!Path::new(&out).exists(), "nothing was played");
    // Other tables are not cut by scenario.
    succeed(&["play", deep, "--agents", "random", "--games", "1", "--out", &out, "--quiet"]);
}

#[test]
fn a_path_names_a_scenario_in_one_way() {
    let scratch = Scratch::new();
    copy(&scratch.path("1940"));
    let here = scratch.path("");
    let play = |args: &[&str]| {
        let output = sandtable(args).current_dir(&here).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let agents = ["--agent", "random", "--agent", "scripted", "--quiet", "--out", "cup"];
    play(&[&["tournament", "--scenario", "1940", "--pairs", "1"][..], &agents].concat());
    play(&[&["tournament", "--scenario", "./1940/", "--pairs", "2"][..], &agents].concat());
    assert_eq!(names(here.join("cup/results")), ["scenario=.%2F1940"], "no reader takes it for a number");
}

#[test]
fn pages_and_pictures_replace_their_own_kind_only() {
    let scratch = Scratch::new();
    let folder = scratch.text("run");
    succeed(&["play", FRANCE, "--agents", "random", "--games", "2", "--out", &folder, "--quiet"]);
    let manifest = Path::new(&folder).join("manifest.json");
    let before = fs::read(&manifest).unwrap();
    let there = manifest.to_str().unwrap();
    refused(&["report", there], &[there, "is not the folder of a run"]);
    for args in [
        vec!["report", &folder, "--out", there],
        vec!["render", FRANCE, "--out", there],
        vec!["replay", &folder, "--game", "0", "--html", there],
        vec!["replay", &folder, "--game", "0", "--svg", there],
    ] {
        refused(&args, &[there, "no page or picture of sandtable", "expected a new file"]);
        assert!(fs::read(&manifest).unwrap() == before, "{args:?}");
    }
    // A folder, and one that is not there.
    refused(&["report", &folder, "--out", &folder], &[&folder]);
    let nowhere = scratch.text("no/such/page.html");
    refused(&["render", FRANCE, "--out", &nowhere], &[&nowhere]);
    // What the program has written it writes again, in the current folder too.
    for _ in 0..2 {
        succeed(&["report", &folder]);
        for args in [
            vec!["render", FRANCE, "--out", "map.svg"],
            vec!["replay", &folder, "--game", "0", "--html", "game.html", "--svg", "end.svg"],
        ] {
            let output = sandtable(&args).current_dir(scratch.path("")).output().unwrap();
            assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    // An empty file holds nothing that could be lost.
    fs::write(scratch.path("empty.svg"), "").unwrap();
    succeed(&["render", FRANCE, "--out", &scratch.text("empty.svg")]);
    assert_eq!(names(scratch.path("")), ["empty.svg", "end.svg", "game.html", "map.svg", "run"]);
}

#[test]
fn a_turn_that_a_game_has_not_is_refused() {
    let scratch = Scratch::new();
    let folder = scratch.text("run");
    succeed(&["play", FRANCE, "--agents", "random", "--games", "1", "--out", &folder, "--quiet"]);
    refused(&["render", "--run", &folder, "--turn", "99"], &["--turn 99", "expected a turn of game 0"]);
    // The turn that the message names is the last one.
    let message = run(&["render", "--run", &folder, "--turn", "99"]).stderr;
    let message = String::from_utf8(message).unwrap();
    let last: u32 = message.rsplit("game 0, ").next().unwrap().split(' ').next().unwrap().parse().unwrap();
    succeed(&["render", "--run", &folder, "--turn", &last.to_string()]);
    refused(&["render", "--run", &folder, "--turn", &(last + 1).to_string()], &["expected a turn"]);
}

#[test]
fn damaged_tables_are_named() {
    let scratch = Scratch::new();
    let folder = scratch.text("run");
    let games = ["--agents", "random", "--games", "2", "--record", "--quiet", "--out", &folder];
    succeed(&[&["play", FRANCE][..], &games].concat());
    let part = Path::new(&folder).join("records/part-00000.parquet");
    let whole = fs::read(&part).unwrap();
    // A value in the middle is another one: only the checksum tells.
    let mut bytes = whole.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&part, &bytes).unwrap();
    let replay = ["replay", &folder, "--game", "1"];
    refused(&replay, &["records/part-00000.parquet is damaged", "checksum"]);
    fs::remove_file(&part).unwrap();
    refused(&replay, &["records/part-00000.parquet is damaged"]);
    fs::write(&part, &whole).unwrap();
    succeed(&replay);
    fs::remove_file(Path::new(&folder).join("parts/part-00000.json")).unwrap();
    refused(&replay, &["game 1 is not in this folder"]);

    // The table of a search, which its page shows.
    let out = scratch.text("tune");
    let tune = "tune flat-mc:iterations=2 --scenario reference/connect-four --option iterations=2..6 --budget 80 --runs 1 \
                --batch 1 --quiet --out";
    succeed(&tune.split_whitespace().chain([out.as_str()]).collect::<Vec<_>>());
    succeed(&["report", &out]);
    let course = Path::new(&out).join("tune_course.parquet");
    let mut bytes = fs::read(&course).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&course, &bytes).unwrap();
    refused(&["report", &out], &["tune_course.parquet is damaged", "checksum"]);
}

/// The odds of a battle.
fn odds<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let battle = ["--attack", "brest_litovsk: ger I1", "--defend", "minsk: ussr I1", "--turn", "17"];
    [&["odds", "combat", "blitzwar"][..], &battle, more].concat()
}

#[test]
fn odds_are_written_as_a_whole_to_a_new_file() {
    let scratch = Scratch::new();
    refused(&odds(&["--grid", "3x2", "--samples", "100"]), &["--samples", "--grid", "cannot be used with"]);
    let path = scratch.text("odds.csv");
    succeed(&odds(&["--format", "csv", "--out", &path]));
    let before = fs::read(&path).unwrap();
    refused(&odds(&["--format", "csv", "--out", &path]), &[&path, "exists"]);
    assert_eq!(fs::read(&path).unwrap(), before);
    // A file that cannot be written is not there afterwards, nor a part of it.
    let limited = scratch.text("limited.csv");
    let words = odds(&["--format", "csv", "--out", &limited]);
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$@\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh"]).arg(cargo_bin("sandtable")).args(&words);
    let output = shell.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "the machine's fault: {message}");
    assert!(message.contains("limited.csv"), "{message}");
    assert_eq!(names(scratch.path("")), ["odds.csv"]);
}

#[test]
fn a_merge_that_fails_leaves_nothing() {
    let scratch = Scratch::new();
    let run = |name: &str, shard: &str| {
        let out = scratch.text(name);
        let games = ["--agents", "random", "--games", "4", "--part-games", "2", "--quiet"];
        succeed(&[&["play", FRANCE][..], &games, &["--shard", shard, "--out", &out]].concat());
        out
    };
    let play = [run("a", "1/2"), run("b", "2/2")];
    let cup = ["1/2", "2/2"].map(|shard| {
        let out = scratch.text(&format!("cup{}", &shard[..1]));
        let agents = ["--agent", "random", "--agent", "scripted", "--pairs", "2", "--quiet"];
        let where_ = ["--scenario", FRANCE, "--shard", shard, "--out", &out];
        succeed(&[&["tournament"][..], &agents, &where_].concat());
        out
    });
    let experiment = scratch.text("sweep.toml");
    let text = format!(
        "scenario = \"{FRANCE}\"\ngames = 2\nagents = [\"random\"]\n[design]\nkind = \"grid\"\npoints = 2\n[[factor]]\n\
         path = \"combat.modifiers.armour\"\nvalues = [0, 2]\n"
    );
    fs::write(&experiment, text).unwrap();
    let sweep = ["1/2", "2/2"].map(|shard| {
        let out = scratch.text(&format!("sweep{}", &shard[..1]));
        succeed(&["sweep", &experiment, "--shard", shard, "--out", &out, "--quiet"]);
        out
    });
    for (shards, kind) in [(play, "play"), (cup, "cup"), (sweep, "sweep")] {
        let place = scratch.path(&format!("place-{kind}"));
        fs::create_dir(&place).unwrap();
        let whole = place.join("whole");
        let words = ["merge", whole.to_str().unwrap(), &shards[0], &shards[1]];
        // Files may not grow: the merge fails in its middle.
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$@\"", "sh"]);
        let output = shell.arg(cargo_bin("sandtable")).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(names(&place).is_empty(), "{kind}: {:?}", names(&place));
        // Then there is room.
        let told = succeed(&words);
        assert!(told.contains(whole.to_str().unwrap()) && !told.contains("/.whole"), "{told}");
        assert_eq!(names(&place), ["whole"]);
        assert!(whole.join("manifest.json").exists());
        refused(&words, &["not empty"]);
    }
}

/// Places that are named in no alphabet. The program's own messages may replace what it cannot write.
#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_names() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt;

    let scratch = Scratch::new();
    let here = scratch.path("");
    let name = |start: &str, end: &str| -> OsString {
        OsStr::from_bytes(&[start.as_bytes(), b"-\xff\xfe", end.as_bytes()].concat()).to_owned()
    };
    let perform = |args: &[&OsStr]| {
        let output = Command::new(cargo_bin("sandtable")).args(args).current_dir(&here).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let words = |text: &'static str| text.split(' ').map(OsStr::new).collect::<Vec<_>>();
    let experiment = name("sweep", ".toml");
    let text = "scenario = \"reference/kuhn\"\ngames = 2\nagents = [\"random\"]\n";
    fs::write(here.join(&experiment), text).unwrap();
    fs::write(here.join(name("example", ".toml")), "scenario = \"blitzwar/france-1940\"\n").unwrap();
    let studies = [
        ("play", "play reference/kuhn --agents random --games 4 --json --out"),
        (
            "cup",
            "tournament --scenario reference/kuhn --agent random --agent mcts:iterations=2 --pairs 4 --json --out",
        ),
        ("fair", "balance reference/kuhn --agent random --games 8 --json --out"),
        (
            "pair",
            "compare reference/kuhn --agents random --agents-b mcts:iterations=2 --games 8 --json --out",
        ),
    ];
    for (start, command) in studies {
        let out = name(start, "");
        perform(&[&words(command)[..], &[&out]].concat());
        // What was begun there goes on there.
        if start == "play" {
            perform(&[&words("play --resume --json --out")[..], &[&out]].concat());
        } else {
            let command = words(command)[0];
            perform(&[command, OsStr::new("--json"), OsStr::new("--out"), &out]);
        }
        perform(&[OsStr::new("report"), &out, OsStr::new("--out"), &name(start, ".html")]);
    }
    let played = name("play", "");
    perform(&[&words("replay --game 1")[..], &[&played]].concat());
    let shards: Vec<OsString> = ["1/2", "2/2"]
        .into_iter()
        .map(|shard| {
            let out = name(&shard.replace('/', "of"), "");
            let play = words("play reference/kuhn --agents random --games 4 --part-games 1 --quiet --shard");
            perform(&[&play[..], &[OsStr::new(shard), OsStr::new("--out"), &out]].concat());
            out
        })
        .collect();
    perform(&[OsStr::new("merge"), &name("whole", ""), &shards[0], &shards[1]]);
    perform(&[&words("export blitzwar/france-1940")[..], &[&name("copy", "")]].concat());
    perform(&[&words("render blitzwar/france-1940 --out")[..], &[&name("map", ".svg")]].concat());
    perform(&[&words("odds weather blitzwar --format csv --out")[..], &[&name("odds", ".csv")]].concat());
    perform(&[OsStr::new("check"), &name("example", ".toml")]);
    // Where a name must be text, as that of a scenario in tables, one that is none is refused; nothing panics.
    for args in [
        [&words("validate")[..], &[&name("copy", "")]].concat(),
        [&words("describe")[..], &[&name("copy", "")]].concat(),
        [&words("sweep")[..], &[&experiment, OsStr::new("--out"), &name("sweep", "")]].concat(),
    ] {
        let output = Command::new(cargo_bin("sandtable")).args(&args).current_dir(&here).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(!message.contains("panicked"), "{args:?}: {message}");
    }
}

/// Puts a pipe, a device, a link that leads out and a file without end in the place of a file, one after the other.
#[cfg(unix)]
fn in_place_of(path: &Path, mut try_it: impl FnMut(&[&str])) {
    use std::os::unix::fs::symlink;

    let kept = path.with_extension("kept");
    fs::rename(path, &kept).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    try_it(&[name, "pipe", "expected a regular file"]);
    fs::remove_file(path).unwrap();
    symlink("/dev/zero", path).unwrap();
    try_it(&[name]);
    fs::remove_file(path).unwrap();
    fs::File::create(path).unwrap().set_len(1 << 40).unwrap();
    try_it(&[name, "larger than 16 MiB"]);
    fs::remove_file(path).unwrap();
    fs::rename(&kept, path).unwrap();
}

#[cfg(unix)]
#[test]
fn a_scenario_is_made_of_regular_files_in_its_folder() {
    use std::os::unix::fs::symlink;

    let scratch = Scratch::new();
    for scenario in [FRANCE, "victory-in-europe/kursk-1943"] {
        let folder = scratch.path(scenario);
        fs::create_dir_all(folder.parent().unwrap()).unwrap();
        let shown = folder.to_str().unwrap();
        succeed(&["export", scenario, shown]);
        let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) =
            names(&folder).into_iter().map(|name| folder.join(name)).partition(|path| path.is_dir());
        assert!(files.len() > 4 && files.contains(&folder.join("setup.toml")), "{files:?}");
        // The map of the one and the set-up of the other have a folder of their own.
        let within: Vec<PathBuf> =
            folders.iter().flat_map(|inner| names(inner).into_iter().map(|name| inner.join(name))).collect();
        assert!(within.len() > 1, "{folders:?}");
        files.extend(within);
        let outside = scratch.path("outside");
        for file in files {
            in_place_of(&file, |words| refused(&["describe", shown], words));
            // A link that leads out is refused even to what would do.
            fs::rename(&file, &outside).unwrap();
            symlink(&outside, &file).unwrap();
            let name = file.file_name().unwrap().to_str().unwrap();
            refused(&["describe", shown], &[name, "link to", "not in the folder"]);
            fs::remove_file(&file).unwrap();
            fs::rename(&outside, &file).unwrap();
        }
        // What is not asked for is not followed either, and a file may be a link within the folder.
        let overrides = folder.join("overrides.toml");
        symlink("/etc/hostname", &overrides).unwrap();
        refused(&["describe", shown], &["overrides.toml", "link to /etc/hostname", "not in the folder"]);
        fs::remove_file(&overrides).unwrap();
        fs::rename(folder.join("setup.toml"), folder.join("real.toml")).unwrap();
        symlink("real.toml", folder.join("setup.toml")).unwrap();
        succeed(&["describe", shown]);
    }
}

#[cfg(unix)]
#[test]
fn other_files_that_are_named_are_regular_too() {
    let scratch = Scratch::new();
    let write = |name: &str, text: &str| {
        fs::write(scratch.path(name), text).unwrap();
        scratch.text(name)
    };
    let example = write("example.toml", "scenario = \"blitzwar/france-1940\"\n");
    in_place_of(example.as_ref(), |words| refused(&["check", &example], words));
    let battle = format!("{example}#x");
    in_place_of(example.as_ref(), |words| {
        refused(&["odds", "combat", "blitzwar", "--example", &battle], words);
    });
    let sweep = write("sweep.toml", "scenario = \"reference/kuhn\"\n");
    in_place_of(sweep.as_ref(), |words| refused(&["sweep", &sweep, "--out", &scratch.text("out")], words));
    let weights = write("weights.toml", "[axis]\nprize = 1.0\n");
    let agents = format!("scripted:weights={weights}");
    let play = ["play", FRANCE, "--games", "1", "--quiet", "--agents", &agents, "--out"];
    in_place_of(weights.as_ref(), |words| {
        refused(&[&play[..], &[&scratch.text("weighed")]].concat(), &words[..1]);
    });
    succeed(&[&play[..], &[&scratch.text("weighed")]].concat());
    // The files of a run, and a page where there is a pipe.
    let folder = scratch.text("run");
    succeed(&["play", FRANCE, "--agents", "random", "--games", "2", "--record", "--out", &folder, "--quiet"]);
    for file in ["manifest.json", "parts/part-00000.json"] {
        in_place_of(&Path::new(&folder).join(file), |words| {
            let output = run(&["replay", &folder, "--game", "0"]);
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && message.contains(words[0]), "{file}: {message}");
        });
    }
    let table = Path::new(&folder).join("records/part-00000.parquet");
    let kept = table.with_extension("kept");
    fs::rename(&table, &kept).unwrap();
    assert!(Command::new("mkfifo").arg(&table).status().unwrap().success());
    refused(&["replay", &folder, "--game", "0"], &["part-00000.parquet", "expected a regular file"]);
    let page = table.to_str().unwrap();
    refused(&["replay", &folder, "--game", "0", "--html", page], &[page]);
    fs::remove_file(&table).unwrap();
    fs::rename(&kept, &table).unwrap();
    succeed(&["replay", &folder, "--game", "0"]);
}

/// Runs a script in which `/mnt` is a disk of 300 kB that is nobody else's, as whatever user may mount one.
///
/// # Panics
/// If this machine does not let us: a test that shows nothing does not pass.
#[cfg(target_os = "linux")]
fn on_a_small_disk(script: &str) -> std::process::Output {
    let program = cargo_bin("sandtable");
    let run = |wrapper: &str, script: &str| {
        let mount = format!("mount -t tmpfs -o size=300k none /mnt && cd /mnt && {script}");
        let mut words = wrapper.split(' ');
        let mut command = Command::new(words.next().unwrap());
        // `sudo` hands on no environment.
        let program = format!("SANDTABLE={}", program.display());
        command.args(words).args(["env", &program, "sh", "-c", &mount]).output().ok()
    };
    let wrappers = ["unshare --user --map-root-user --mount", "unshare --mount", "sudo -n unshare --mount"];
    let works = |wrapper: &&str| run(wrapper, "true").is_some_and(|tried| tried.status.success());
    let wrapper = wrappers.into_iter().find(works).expect(
        "a small disk of our own, by unshare or sudo; where there is none run with `--skip a_full_disk`",
    );
    run(wrapper, script).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_says_so_and_how_to_go_on() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = sandtable(&["list"]).stdout(full).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("the disk is full") && message.contains("make room"), "{message}");
    for (command, out, go_on) in [
        (
            "play reference/backgammon --agents random --games 20000 --part-games 500",
            "run",
            "go on with: sandtable play --resume --out /mnt/run",
        ),
        (
            "tournament --scenario reference/connect-four --agent random --agent flat-mc:iterations=1 --pairs 20000",
            "cup",
            "go on with: sandtable tournament --out /mnt/cup",
        ),
        (
            "balance reference/connect-four --agent random --games 40000",
            "fair",
            "go on with: sandtable balance --out /mnt/fair",
        ),
    ] {
        let script = format!("$SANDTABLE {command} --threads 1 --quiet --out /mnt/{out}");
        let output = on_a_small_disk(&script);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}: {message}");
        for words in ["the disk is full: there is no room for /mnt/", "make room", go_on] {
            assert!(message.contains(words), "{command}: {words:?} is not in: {message}");
        }
    }
    // Before the first game, where the folder cannot even be locked.
    let script = "dd if=/dev/zero of=ballast bs=1k 2>/dev/null; \
                  $SANDTABLE play reference/kuhn --agents random --games 10 --quiet --out run";
    let output = on_a_small_disk(script);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("the disk is full: there is no room for run"), "{message}");
    // With room again it goes on: what was finished is safe.
    let script = "dd if=/dev/zero of=ballast bs=1k count=150 2>/dev/null; \
                  $SANDTABLE play reference/kuhn --agents random --games 3000 --part-games 100 --threads 1 --quiet --out run; \
                  test $? = 1 || exit 7; ls run/parts | grep -q json || exit 8; rm ballast; \
                  mount -o remount,size=3m /mnt; $SANDTABLE play --resume --quiet --out run && test -f run/summary.json";
    let output = on_a_small_disk(script);
    assert!(output.status.success(), "{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}

/// An export that finds no room says so as all commands do, and leaves nothing: with room again the same command works.
#[cfg(target_os = "linux")]
#[test]
fn an_export_to_a_full_disk_leaves_nothing() {
    for (before, after) in
        [("true", "test ! -e new"), ("mkdir new", "test -d new && test -z \"$(ls -A new)\"")]
    {
        let script = format!(
            "{before}; dd if=/dev/zero of=ballast bs=1k count=200 2>/dev/null; \
             $SANDTABLE export {FRANCE} new; test $? = 1 || exit 7; {after} || exit 8; rm ballast; \
             mount -o remount,size=3m /mnt; $SANDTABLE export {FRANCE} new && $SANDTABLE validate new"
        );
        let output = on_a_small_disk(&script);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{:?}: {message}", output.status);
        let words = "the disk is full: there is no room for new/";
        assert!(
            message.contains(words) && message.contains("make room, then do the same again"),
            "{message}"
        );
    }
    // Not even the help is lost without a word.
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = sandtable(&["--help"]).stdout(full).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && message.contains("the disk is full"), "{message}");
}

#[test]
fn folders_of_another_layout_are_refused() {
    let scratch = Scratch::new();
    let experiment = scratch.text("sweep.toml");
    let text = format!(
        "scenario = \"{FRANCE}\"\ngames = 1\nagents = [\"random\"]\n[design]\nkind = \"grid\"\npoints = 2\n[[factor]]\n\
         path = \"combat.modifiers.armour\"\nvalues = [0, 2]\n"
    );
    fs::write(&experiment, text).unwrap();
    let begin = [
        ("run", format!("play {FRANCE} --agents random --games 2")),
        ("tournament", format!("tournament --scenario {FRANCE} --agent random --agent scripted --pairs 1")),
        ("sweep", format!("sweep {experiment}")),
        ("comparison", format!("compare {FRANCE} --agents random --games 1")),
    ];
    for (kind, words) in begin {
        let out = scratch.text(kind);
        let command: Vec<&str> = words.split_whitespace().collect();
        let with = |more: &[&'static str]| {
            let words = [&command[..], &["--out", &out, "--quiet"], more].concat();
            words.into_iter().map(str::to_owned).collect::<Vec<String>>()
        };
        let args = with(&[]);
        succeed(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let path = Path::new(&out).join("manifest.json");
        let text = fs::read_to_string(&path).unwrap();
        let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(manifest["kind"], kind);
        let go_on = if kind == "run" { with(&["--resume"]) } else { args };
        let go_on: Vec<&str> = go_on.iter().map(String::as_str).collect();
        let report = ["report", out.as_str()];
        let said = ["another sandtable", "layout 2", "cannot read it"];
        manifest["schema_version"] = 2.into();
        fs::write(&path, manifest.to_string()).unwrap();
        refused(&go_on, &said);
        refused(&report, &said);
        if kind == "run" || kind == "tournament" || kind == "sweep" {
            refused(&["merge", &scratch.text("merged"), &out, &out], &said);
        }
        // Before there were kinds, a run had none.
        if kind == "run" {
            manifest.as_object_mut().unwrap().remove("kind");
            fs::write(&path, manifest.to_string()).unwrap();
            refused(&go_on, &said);
            refused(&["replay", &out, "--game", "0"], &said);
        }
        fs::write(&path, "{\"name\": \"an app\"}").unwrap();
        if kind == "run" {
            refused(&go_on, &["not a manifest of sandtable"]);
        } else {
            refused(&go_on, &["neither empty nor that of a"]);
        }
        refused(&report, &["not a manifest of sandtable"]);
        fs::write(&path, text).unwrap();
        succeed(&go_on);
    }
}
