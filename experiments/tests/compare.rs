//! `sandtable compare`: nothing where there is no difference, the right one where there is, and what is refused.

mod study;

use sandtable::lab::compare::tables;
use sandtable::table::TextTable;
use serde_json::Value;
use study::{BACKGAMMON, CONNECT_FOUR, FRANCE, Scratch, games, interrupt, refused, report, succeed};

fn compare(args: &[&str]) -> Value {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    succeed(&[&["compare", "--out", &out, "--quiet"], args].concat());
    report(&out, "comparison")
}

fn measure<'a>(report: &'a Value, name: &str) -> &'a Value {
    let measures = report["measures"].as_array().unwrap();
    measures.iter().find(|line| line["measure"] == name).unwrap_or_else(|| panic!("{name} in {report}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

/// Fails unless what is said of the arms and of their difference is what the games say; `measures` with their columns.
fn fits_the_games(report: &Value, games: &TextTable, measures: &[(&str, &str)]) {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    for (name, column) in measures {
        let value = |cell: &str| match name.strip_prefix("wins_") {
            Some(team) => f64::from(u8::from(cell == team)),
            None => cell.parse().unwrap(),
        };
        let cells: Vec<f64> = games.column(column).unwrap().map(value).collect();
        let line = measure(report, name);
        let [a, b] = [0, 1].map(|arm| cells.iter().skip(arm).step_by(2).copied().collect::<Vec<f64>>());
        let differences: Vec<f64> = b.iter().zip(&a).map(|(b, a)| b - a).collect();
        let difference = mean(&differences);
        let squares: f64 = differences.iter().map(|one| (one - difference).powi(2)).sum();
        let deviation = (squares / (differences.len() - 1) as f64).sqrt();
        for (said, truth) in [
            (&line["a"]["value"], mean(&a)),
            (&line["b"]["value"], mean(&b)),
            (&line["difference"]["value"], difference),
            (&line["deviation"], deviation),
        ] {
            assert!((number(said) - truth).abs() < 1e-6, "{name}: {truth} in {line}");
        }
        assert!(deviation > 0.0, "{name} differs in some pairs");
    }
}

#[test]
fn a_scenario_differs_in_nothing_from_itself() {
    for (scenario, agents) in [(FRANCE, "random"), (BACKGAMMON, "flat-mc:iterations=8,depth=2")] {
        let report = compare(&[scenario, scenario, "--agents", agents, "--games", "30"]);
        assert_eq!(report["pairs"], 30);
        for line in report["measures"].as_array().unwrap() {
            assert_eq!(line["difference"]["value"], 0.0, "{line}");
            assert_eq!(line["p_value"], 1.0, "{line}");
            assert_eq!(line["a"], line["b"], "{line}");
            assert_eq!(line["pairs_needed"], Value::Null, "{line}");
            // Points of BlitzWar are 0 to 10, of backgammon -3 to 3: so far they may differ in pairs that nobody saw.
            if line["unit"] == "points" {
                let most = if scenario == FRANCE { 10.0 } else { 6.0 };
                // Wilson's interval of none in thirty.
                let unseen = most * 0.113_513;
                let [low, high] = ["low", "high"].map(|end| number(&line["difference"][end]));
                assert!((low + unseen).abs() < 1e-3 && (high - unseen).abs() < 1e-3, "{line}");
            }
            if line["correlation"] != Value::Null {
                assert!((number(&line["correlation"]) - 1.0).abs() < 1e-9, "{line}");
            }
        }
        assert!(number(&measure(&report, "decisions")["correlation"]) > 0.99);
    }
}

#[test]
fn other_agents_make_a_difference_and_common_dice_help() {
    let args =
        [CONNECT_FOUR, "--agents", "random", "--side-b", "first=flat-mc:iterations=40", "--games", "300"];
    let report = compare(&args);
    let wins = measure(&report, "wins_first");
    assert!(number(&wins["difference"]["low"]) > 0.2 && number(&wins["p_value"]) < 1e-6, "{wins}");
    assert_eq!(wins["effect"], 0.05);
    // As many pairs as the formula says: (1.96 + 0.84)² deviation² / effect².
    let n = 7.849 * number(&wins["deviation"]).powi(2) / 0.0025 + 1.9;
    assert!((number(&wins["pairs_needed"]) - n).abs() < 2.0, "{wins}");
    for line in report["measures"].as_array().unwrap() {
        let value = |name: &str| number(&line[name]["value"]);
        assert!((value("difference") - (value("b") - value("a"))).abs() < 1e-9, "B - A: {line}");
        // What 300 pairs show with probability 0.8: (1.96 + 0.84) deviations over √(300 - 1.92).
        let visible = 2.8016 * number(&line["deviation"]) / 298.08f64.sqrt();
        assert!(
            (number(&line["minimum_detectable_effect"]) - visible).abs() < 1e-3 * visible + 1e-12,
            "{line}"
        );
    }
    // A draw is half a win.
    let (wins, draws, score) =
        (measure(&report, "wins_first"), measure(&report, "draws"), measure(&report, "score_first"));
    for arm in ["a", "b"] {
        let value = |line: &Value| number(&line[arm]["value"]);
        assert!((value(score) - value(wins) - value(draws) / 2.0).abs() < 1e-9, "{score}");
    }
    let points: f64 = ["wins_first", "wins_second", "draws"]
        .map(|name| number(&measure(&report, name)["difference"]["value"]))
        .iter()
        .sum();
    assert!(points.abs() < 1e-9, "what one wins the others lose");
    // A measure's own effect; the last one named counts.
    let args = [&args[..], &["--effect", "0.1", "--effect", "turns=2", "--effect", "turns=1"]].concat();
    let report = compare(&args);
    assert_eq!(
        (&measure(&report, "wins_first")["effect"], &measure(&report, "draws")["effect"]),
        (&0.1.into(), &0.1.into())
    );
    assert_eq!(measure(&report, "turns")["effect"], 1.0);
    assert_eq!(measure(&report, "decisions")["effect"], Value::Null);
}

#[test]
fn values_differ_by_arm() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let set = ["--set", "options.final_check=true", "--set-b", "setup.axis.extra_supply=20"];
    let args = ["--agents", "random", "--games", "12", "--format", "csv"];
    let page = succeed(&[&["compare", FRANCE, "--out", &out], &set[..], &args[..]].concat());
    assert!(page.contains("A: blitzwar/france-1940 --set options.final_check=true, random"), "{page}");
    assert!(
        page.contains("B: blitzwar/france-1940 --set options.final_check=true --set setup.axis"),
        "{page}"
    );
    let table = games(&out, tables::GAMES);
    let arms: Vec<&str> = table.column("arm").unwrap().collect();
    assert_eq!(arms, ["A", "B"].repeat(12));
    let report = report(&out, "comparison");
    fits_the_games(&report, &table, &[("points_axis", "points_axis"), ("decisions", "decisions")]);
    assert_ne!(report["a"]["scenario"]["hash"], report["b"]["scenario"]["hash"]);
    assert!(measure(&report, "decisions")["difference"]["value"] != 0.0);
    assert!(measure(&report, "lead_changes")["a"]["value"].is_number());
    for name in &study::file(std::path::Path::new(&out).join("compare_measures.csv")).names {
        let schema = succeed(&["schema", FRANCE, "compare_measures"]);
        assert!(schema.contains(&format!("  {name} ")), "{name} is not in {schema}");
    }
}

#[test]
fn threads_change_no_value() {
    let scratch = Scratch::new();
    let folders = ["1", "2", "5"].map(|threads| {
        let out = scratch.text(threads);
        let args = ["--agents-a", "random", "--agents-b", "flat-mc:iterations=8", "--games", "60", "--quiet"];
        succeed(&[&["compare", BACKGAMMON, "--threads", threads, "--out", &out], &args[..]].concat());
        out
    });
    study::assert_same(&folders[0], &folders[1], "comparison", tables::GAMES);
    study::assert_same(&folders[0], &folders[2], "comparison", tables::GAMES);
}

#[test]
fn a_killed_comparison_goes_on_where_it_was() {
    let args = [BACKGAMMON, "--agents-a", "random", "--agents-b", "flat-mc:iterations=20", "--games", "120"];
    study::survives_kills("compare", &args, "comparison", tables::GAMES);
}

#[test]
fn pairs_that_are_added_make_the_comparison_of_the_larger_number() {
    let scratch = Scratch::new();
    let (out, whole) = (scratch.text("out"), scratch.text("whole"));
    let begin = |out: &str, games: &str| {
        let args = ["--agents-a", "random", "--agents-b", "flat-mc:iterations=8", "--quiet"];
        succeed(&[&["compare", BACKGAMMON, "--out", out, "--games", games], &args[..]].concat());
    };
    begin(&whole, "40");
    begin(&out, "25");
    succeed(&["compare", "--out", &out, "--games", "40", "--quiet"]);
    study::assert_same(&out, &whole, "comparison", tables::GAMES);
    let columns = [("turns", "turns"), ("decisions", "decisions"), ("wins_white", "winner")];
    fits_the_games(&report(&out, "comparison"), &games(&out, tables::GAMES), &columns);
    // Without a word about the number it stays as it is, and it never falls.
    let args = ["--agents-a", "random", "--agents-b", "flat-mc:iterations=8", "--quiet"];
    succeed(&[&["compare", BACKGAMMON, "--out", &out], &args[..]].concat());
    study::assert_same(&out, &whole, "comparison", tables::GAMES);
    refused(&["compare", "--out", &out, "--games", "39"], &["one of 40 games an arm", "39"]);
}

#[test]
fn an_interrupt_says_what_was_done() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let message = interrupt(&["compare", BACKGAMMON, "--games", "1000000", "--quiet", "--out", &out], &out);
    assert!(message.contains(" of 2000000 games; go on with: sandtable compare --out"), "{message}");
}

#[test]
fn bad_input_is_refused_before_the_first_game() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let with = |args: &[&'static str], words: &[&str]| {
        refused(&[&["compare", "--out", &out], args].concat(), words);
        assert!(!std::path::Path::new(&out).exists(), "{args:?} made a folder");
    };
    with(&[FRANCE, "reference/kuhn"], &["first, second", "axis, allied, soviet"]);
    with(&[FRANCE, "blitzwar/campain-1939"], &["blitzwar/campain-1939", "blitzwar/campaign-1939"]);
    with(&[FRANCE, "--set-b", "setup.axis.extra_suply=1"], &["--set-b", "extra_suply", "extra_supply"]);
    with(&[FRANCE, "--agents-b", "scriptd"], &["--agents-b scriptd", "scripted"]);
    with(&[FRANCE, "--side-a", "axs=random"], &["--side-a axs=random", "axis"]);
    with(&[FRANCE, "--effect", "x"], &["--effect", "0.05"]);
    with(&[FRANCE, "--effect", "pionts=1"], &["--effect pionts", "points"]);
    with(&[FRANCE, "--power", "1"], &["--power", "0.8"]);
    with(&[], &["there is no comparison to go on with"]);
}

#[test]
fn the_verdict_comes_first_and_says_what_is_shown() {
    let scratch = Scratch::new();
    let first = |name: &str, args: &[&str]| {
        let out = scratch.text(name);
        let page = succeed(&[&["compare"], args, &["--out", &out]].concat());
        let table = page.lines().filter(|line| line.trim_start().starts_with("measure ")).count();
        assert_eq!(table, 1, "{page}");
        let report = report(&out, "comparison");
        (page.lines().next().unwrap().to_owned(), report)
    };
    let strong =
        [CONNECT_FOUR, "--agents", "random", "--side-b", "first=flat-mc:iterations=40", "--games", "100"];
    let (verdict, report) = first("strong", &strong);
    let wins = measure(&report, "wins_first");
    let difference = number(&wins["difference"]["value"]);
    assert!(
        verdict.starts_with(&format!(
            "Shown: B raises how often first wins by {:+.1} percentage points",
            100.0 * difference
        )),
        "{verdict}"
    );
    // A change too small for so few games is not called none: the power is told.
    let small = [FRANCE, "--agents", "random", "--set-b", "setup.axis.extra_supply=1", "--games", "30"];
    let (verdict, report) = first("small", &small);
    let wins = measure(&report, "wins_axis");
    assert!(
        verdict.starts_with("Not shown that setup.axis.extra_supply=1 changes how often axis wins: "),
        "{verdict}"
    );
    let detectable = 100.0 * number(&wins["minimum_detectable_effect"]);
    assert!(
        verdict.ends_with(&format!("30 pairs have 80% power to show {detectable:.1} points or more.")),
        "{verdict}"
    );
    let same = [CONNECT_FOUR, "--agents", "random", "--games", "20"];
    assert!(
        first("same", &same).0.starts_with("Nothing is shown: first wins the same games with B as without")
    );
}
