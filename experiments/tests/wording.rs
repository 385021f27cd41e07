//! What pages say is so: of line-ups, of lives, of tests that ended early, and of work that is not finished.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

fn sandtable(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(cargo_bin("sandtable")).args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn succeed(args: &[&str]) -> String {
    let (code, out, error) = sandtable(args);
    assert_eq!(code, Some(0), "{args:?}: {error}");
    out
}

fn page(folder: &str) -> String {
    fs::read_to_string(succeed(&["report", folder]).trim()).unwrap()
}

/// The page is refused with these words.
fn refused(folder: &str, words: &str) {
    let (code, _, error) = sandtable(&["report", folder]);
    assert!(code == Some(2) && error.contains(words), "{code:?}: {error}");
}

/// Changes a file of JSON.
fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

#[test]
fn line_ups_are_told_apart_by_side() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("comparison");
    let folder = out.display().to_string();
    let mut args =
        vec!["compare", "blitzwar/france-1940", "--agents", "scripted", "--games", "4", "--out", &folder];
    args.extend([
        "--side-a",
        "axis=random",
        "--side-b",
        "axis=random",
        "--side-b",
        "allied=random",
        "--quiet",
    ]);
    succeed(&args);
    let page = page(&folder);
    assert!(page.contains("played by axis=random, allied=scripted, soviet=scripted"), "{page}");
    assert!(page.contains("played by axis=random, allied=random, soviet=scripted"), "{page}");

    // More games have been asked for than the figures are of.
    edit(&out.join("manifest.json"), |manifest| manifest["question"]["games"] = 9.into());
    refused(&folder, "not finished; go on with it with: sandtable compare");

    let file = scratch.path().join("sweep.toml");
    fs::write(
        &file,
        "scenario = \"blitzwar/france-1940\"\ngames = 2\nagents = [\"random\", { axis = \"random\", allied = \"scripted\", soviet \
         = \"random\" }]\n[design]\nkind = \"grid\"\npoints = 2\n[[factor]]\npath = \"setup.axis.extra_supply\"\nrange = [0, 4]\n\
         whole = true\nname = \"supply\"\n",
    )
    .unwrap();
    let out = scratch.path().join("sweep");
    let folder = out.display().to_string();
    succeed(&["sweep", file.to_str().unwrap(), "--quiet", "--out", &folder]);
    let page = self::page(&folder);
    assert!(page.contains("<h3>random</h3>"), "{page}");
    assert!(page.contains("<h3>axis=random, allied=scripted, soviet=random</h3>"), "{page}");
    // The grid has two levels, and no others were played.
    assert!(page.contains("<td>0, 4</td>"), "{page}");
    edit(&out.join("manifest.json"), |manifest| {
        manifest["experiment"]["games"] = 3.into();
        manifest["stages"] = serde_json::json!([2, 3]);
    });
    refused(&folder, "not finished; go on with it with: sandtable sweep");
}

#[test]
fn who_has_fallen_before_the_start_does_not_survive() {
    let scratch = TempDir::new().unwrap();
    for (scenario, word, gone, lives) in [
        ("blitzwar/barbarossa-1941", "surrendered", ["France", "Greece"], "Turkey"),
        ("victory-in-europe/bagration-1944", "fallen", ["France", "Norway"], "Turkey"),
    ] {
        let folder = scratch.path().join(word).display().to_string();
        succeed(&["play", scenario, "--games", "3", "--agents", "random", "--quiet", "--out", &folder]);
        let page = page(&folder);
        let list = |start: &str| -> Vec<String> {
            let from =
                page.find(start).unwrap_or_else(|| panic!("{start:?} is not in the page of {scenario}"));
            let line = page[from..].split("</p>").next().unwrap();
            let (_, names) = line.split_once(": ").unwrap();
            names.trim_end_matches('.').split(", ").map(str::to_owned).collect()
        };
        let never = list(&format!("Never {word} in these games:"));
        let others = list("Not counted, for they had");
        let has = |names: &[String], name: &str| names.iter().any(|other| other == name);
        for name in gone {
            assert!(!has(&never, name) && has(&others, name), "{name}: {never:?} / {others:?}");
        }
        assert!(has(&never, lives) && !has(&others, lives), "{never:?} / {others:?}");
    }
}

#[test]
fn one_sided_tournaments_and_early_ends_are_told_with_care() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("cup");
    let folder = out.display().to_string();
    let mut args = vec!["tournament", "--scenario", "reference/connect-four", "--pairs", "80", "--quiet"];
    args.extend(["--agent", "random", "--agent", "mcts:iterations=200", "--sprt", "0,20,0.05,0.05"]);
    args.extend(["--out", &folder]);
    succeed(&args);
    let report: Value =
        serde_json::from_str(&fs::read_to_string(out.join("tournament.json")).unwrap()).unwrap();
    let [won, lost] = ["wins", "losses"].map(|key| report["pairings"][0][key].as_u64().unwrap());
    assert!(won == 0 && lost > 0, "the match is one-sided: {won} to {lost}");
    let page = page(&folder);
    assert!(!["NaN", "-inf", "inf)"].iter().any(|word| page.contains(word)), "{page}");
    assert!(page.contains("and stopped there, so that the score is biased away from even"), "{page}");
    assert!(
        page.contains("H0: the agent is stronger than its opponent by 0 Elo or less; H1: by 20 or more."),
        "{page}"
    );
    assert!(page.contains("Circles of strength") == (report["ratings"].as_array().unwrap().len() > 2));
    // Where every pair came out alike, drawing them anew tells nothing: the interval is no narrower than the likelihood's.
    for line in report["ratings"].as_array().unwrap() {
        let end = |key: &str, end: &str| line[key][end].as_f64();
        for (side, wider) in [("low", -1.0), ("high", 1.0)] {
            match (end("elo_pairs", side), end("elo", side)) {
                (Some(pairs), Some(likelihood)) => assert!(wider * pairs >= wider * likelihood, "{line}"),
                (Some(_), None) => panic!("closed though that of the likelihood is open: {line}"),
                (None, _) => {}
            }
        }
    }

    edit(&out.join("manifest.json"), |manifest| manifest["pairs"] = 90.into());
    refused(&folder, "not finished; go on with it with: sandtable tournament");
    edit(&out.join("manifest.json"), |manifest| manifest["pairs"] = 80.into());
    edit(&out.join("tournament.json"), |report| report["shard"] = "1/2".into());
    refused(&folder, "sandtable merge");
    fs::remove_file(out.join("tournament.json")).unwrap();
    refused(&folder, "not finished");
}

#[test]
fn no_bias_is_said_only_with_the_power_to_see_one() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path().join("cup").display().to_string();
    let mut args = vec!["tournament", "--scenario", "reference/connect-four", "--pairs", "4", "--quiet"];
    args.extend(["--agent", "random", "--agent", "flat-mc:iterations=2", "--out", &folder]);
    succeed(&args);
    let page = page(&folder);
    assert!(!page.contains("is even"), "{page}");
    assert!(
        page.contains("would show in 4 of 5 such tournaments")
            || page.contains("cannot be told")
            || page.contains("favours"),
        "{page}"
    );
    // Tuning that has not got so far has a manifest and no report.
    let out = scratch.path().join("tuning");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("manifest.json"), "{\"kind\": \"tune\"}").unwrap();
    refused(&out.display().to_string(), "the tune in");
}
