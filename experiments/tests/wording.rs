//! What pages say is so: of agent assignments, of lives, of tests that ended early, and of work that is not finished.

mod study;

use std::fs;
use std::path::Path;

use serde_json::Value;
use study::{outcome, succeed};
use tempfile::TempDir;

fn page(folder: &str) -> String {
    fs::read_to_string(succeed(&["report", folder]).trim()).unwrap()
}

/// The page is refused with these words.
fn refused(folder: &str, words: &str) {
    let (code, _, error) = outcome(&["report", folder]);
    assert!(code == Some(2) && error.contains(words), "{code:?}: {error}");
}

/// Changes a file of JSON.
fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

#[test]
fn agent_assignments_are_told_apart_by_side() {
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
        manifest["games"] = 3.into();
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
    assert!(page.contains("Intransitive cycles") == (report["ratings"].as_array().unwrap().len() > 2));
    // What the games bound from one side only is said so, and both intervals are open on the other.
    let ratings = report["ratings"].as_array().unwrap();
    for (line, open, bounded) in [(&ratings[0], "high", "low"), (&ratings[1], "low", "high")] {
        for interval in ["elo", "elo_pairs"] {
            let key = |end: &str| {
                if interval == "elo" { line["elo"][end].clone() } else { line["elo_pairs"][end].clone() }
            };
            assert!(key(open).is_null() && key(bounded).is_number(), "{line}");
        }
    }
    let told = succeed(&["tournament", "--out", &folder]);
    for text in [&page, &told] {
        assert!(text.contains("at least +") && text.contains("at most -"), "{text}");
        assert!(text.contains("arning: these games hardly bound the Elo of"), "{text}");
    }
    assert!(told.contains("biased away from even"), "{told}");

    edit(&out.join("manifest.json"), |manifest| manifest["pairs"] = 90.into());
    refused(&folder, "not finished; go on with it with: sandtable tournament");
    edit(&out.join("manifest.json"), |manifest| manifest["pairs"] = 80.into());
    edit(&out.join("tournament.json"), |report| report["shard"] = "1/2".into());
    refused(&folder, "sandtable merge");
    fs::remove_file(out.join("tournament.json")).unwrap();
    refused(&folder, "not finished");
}

/// A side that wins nearly all games is named in the warning beside the agents, and the score stands before
/// the Elo wherever the two are said.
#[test]
fn a_side_that_wins_nearly_all_is_named_and_scores_come_first() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("cup");
    let folder = out.display().to_string();
    let mut args = vec!["tournament", "--scenario", "blitzwar/campaign-1939", "--pairs", "10", "--quiet"];
    args.extend(["--agent", "random", "--agent", "random:deny=air", "--seed", "1", "--out", &folder]);
    succeed(&args);
    let told = succeed(&["tournament", "--out", &folder]);
    let page = page(&folder);
    let report: Value =
        serde_json::from_str(&fs::read_to_string(out.join("tournament.json")).unwrap()).unwrap();
    let side = &report["scenarios"][0];
    let named = format!("{} in blitzwar/campaign-1939", side["first_team"].as_str().unwrap());
    for text in [&told, &page] {
        let warning = text.split("arning: these games hardly bound the Elo of ").nth(1);
        let warning = warning.unwrap_or_else(|| panic!("no warning in {text}"));
        assert!(warning.split(": an agent or a side wins").next().unwrap().contains(&named), "{text}");
    }
    let of = |what: &str, start: &str| {
        let line = told.lines().find(|line| line.contains(start)).unwrap_or_else(|| panic!("{what}: {told}"));
        let (score, elo) = (line.find("score"), line.find("Elo"));
        assert!(score.unwrap() < elo.unwrap(), "{what}: {line}");
    };
    of("an agent", "1. score");
    of("a pairing", "    score ");
    of("a side", "worth between equals");
    let heads = page.split("<tr>").skip(1).map(|row| row.split("</tr>").next().unwrap());
    let heads: Vec<&str> = heads.filter(|row| row.contains(">Elo")).collect();
    assert!(!heads.is_empty());
    for head in heads {
        let score = head.find(">Score").unwrap_or_else(|| panic!("no score in {head}"));
        assert!(score < head.find(">Elo").unwrap(), "{head}");
    }
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
        page.contains("minimum detectable bias at 80% power")
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

/// Games that all end alike are a sample all the same: no interval is a point, no share leaves 0 to 1, and there is no
/// correlation with what does not vary.
#[test]
fn games_that_do_not_vary_are_told_with_care() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path().join("plays").display().to_string();
    // At hardly any play at all the second player of two who search never wins this.
    let agents = ["--side", "first=mcts:iterations=300", "--side", "second=random"];
    let args = ["play", "reference/connect-four", "--games", "12", "--out", &folder];
    let page = succeed(&[&args[..], &agents].concat());
    // Points are 0 or 1 there: of twelve games that are alike up to 24% of others may be unlike (Wilson).
    assert!(page.contains("1.00  [0.76, 1.00]") && page.contains("0.00  [0.00, 0.24]"), "{page}");

    let folder = scratch.path().join("cup").display().to_string();
    let mut args = vec!["tournament", "--scenario", "reference/connect-four", "--pairs", "6", "--quiet"];
    args.extend(["--agent", "random", "--agent", "mcts:iterations=300", "--out", &folder]);
    succeed(&args);
    let report: Value =
        serde_json::from_str(&fs::read_to_string(Path::new(&folder).join("tournament.json")).unwrap())
            .unwrap();
    let sides = report["sides"].as_array().unwrap();
    assert_eq!(sides.len(), 6, "of each agent, and of both together");
    for line in sides {
        let [low, high] = ["low", "high"].map(|end| line["points"][end].as_f64().unwrap());
        assert!(0.0 <= low && low < high && high <= 1.0, "{line}");
    }

    let folder = scratch.path().join("comparison").display().to_string();
    let mut args = vec!["compare", "reference/connect-four", "--games", "40", "--out", &folder];
    args.extend(["--agents", "random", "--side-a", "first=mcts:iterations=300"]);
    let page = succeed(&args);
    assert!(page.contains("A is constant"), "{page}");
    let report: Value =
        serde_json::from_str(&fs::read_to_string(Path::new(&folder).join("comparison.json")).unwrap())
            .unwrap();
    for line in report["measures"].as_array().unwrap() {
        for arm in ["a", "b"] {
            let [low, high] = ["low", "high"].map(|end| line[arm][end].as_f64());
            if line["unit"] == "points" {
                assert!(low.unwrap() >= 0.0 && high.unwrap() <= 1.0, "{line}");
            }
            if let (Some(low), Some(high)) = (low, high) {
                assert!(low < high, "{line}");
                let is_share = line["unit"] == "" || line["measure"].as_str().unwrap().starts_with("score_");
                assert!(!is_share || (low >= 0.0 && high <= 1.0), "{line}");
            }
        }
    }
}
