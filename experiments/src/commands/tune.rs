//! `sandtable tune`

use std::io::{Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use sandtable_ai::AgentSpec;
use sandtable_stats::design::{Factor, Point, Range, Value};

use super::{play, require_empty};
use crate::cli::TuneArgs;
use crate::failure::{Failure, expected};
use crate::lab::arena::Arena;
use crate::lab::progress::{Progress, Standing};
use crate::lab::tune::fairness::Fairness;
use crate::lab::tune::matches::Matches;
use crate::lab::tune::protocol;
use crate::lab::tune::report::{Proof, Report};
use crate::lab::tune::search::{Budget, Candidate, PROOF, search};
use crate::lab::tune::tables::{Step, of_report};
use crate::lab::tune::{Looks, Objective, Space};
use crate::run::folder::write_atomically;
use crate::system::{AnyScenario, AnySystem, open};
use crate::table::Format;
use crate::table::write::write;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &TuneArgs) -> Result<(), Failure> {
    if let Some(out) = &args.out {
        require_empty(out).map_err(|failure| failure.within("--out"))?;
    }
    let stop = play::stop_on_interrupt()?;
    let arena = Arena::new(play::threads(args.threads), &stop)?;
    if args.what == "scenario" {
        tune_scenario(systems, args, &arena, &stop)
    } else {
        tune_agent(systems, args, &arena, &stop)
    }
}

fn budget(args: &TuneArgs) -> Budget {
    Budget { games: args.budget, runs: args.runs, batch: args.batch }
}

fn tune_agent(
    systems: &[Box<dyn AnySystem>],
    args: &TuneArgs,
    arena: &Arena<'_>,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    for (flag, given) in [
        ("--knob", !args.knobs.is_empty()),
        ("--target", args.target.is_some()),
        ("--agents", args.agents.is_some()),
    ] {
        if given {
            return Err(Failure::input(format!("{flag}: it is for `sandtable tune scenario SCENARIO`")));
        }
    }
    let agent: AgentSpec =
        args.what.parse().map_err(|error| Failure::input(format!("{}: {error}", args.what)))?;
    let Some(name) = &args.scenario else {
        return Err(Failure::input("an agent is tuned in a scenario: add --scenario SCENARIO"));
    };
    let scenario = open(systems, name, &args.set)?;
    let scenario = scenario.as_ref();
    scenario.check_agent(&agent).map_err(|failure| failure.within(&args.what))?;
    let mut teams: Vec<u8> = scenario.sides().iter().map(|side| side.team).collect();
    teams.sort_unstable();
    teams.dedup();
    if teams != [0, 1] {
        return Err(Failure::input(format!("--scenario {name}: tuning needs two teams")));
    }
    let space = agent_space(args, &agent, scenario)?;
    let mut objective = Matches { scenario, agent, space, seed: args.seed, arena, stop };
    let space = objective.space.clone();
    // Both ends of every range are tried before the first game.
    for (factor, range) in space.factors.iter().enumerate() {
        for value in range.levels(2) {
            let mut point = space.start.clone();
            point[factor] = value;
            scenario.check_agent(&objective.spec(&point)?)?;
        }
    }
    if args.ask_tell {
        return protocol::serve(&mut objective, &space, stdin().lock(), stdout().lock());
    }
    let (candidates, steps, mut progress) = seek(args, &mut objective, &space)?;
    let best = candidates[0].point.clone();
    let before = budget(args).games - budget(args).proof();
    let proof = if best == space.start {
        Proof::NothingBetter
    } else {
        let (results, verdict) = objective.prove(&best, &args.sprt, budget(args).proof(), |results| {
            progress.show(|| {
                let score = results.score();
                let low = 100.0 * score.low;
                let (value, high) = (100.0 * score.value, 100.0 * score.high);
                let estimate = format!("proof: new values score {value:.1}% [{low:.1}, {high:.1}]");
                Standing { done: before + results.games(), total: args.budget, estimate }
            });
        })?;
        Proof::of_match(&args.sprt, &results, &verdict)
    };
    progress.finish();
    finish(args, scenario, &space, (&candidates, &steps), proof)
}

/// What may be changed of an agent: options that are named, and weights.
fn agent_space(args: &TuneArgs, agent: &AgentSpec, scenario: &dyn AnyScenario) -> Result<Space, Failure> {
    let mut space = Space { factors: Vec::new(), start: Vec::new() };
    for turn in &args.options {
        let factor = &turn.0;
        let info =
            agent.agent().options.iter().find(|option| option.name == factor.name).ok_or_else(|| {
                let names = agent.agent().options.iter().map(|option| option.name);
                Failure::input(format!("--option {}: {}", factor.name, expected(&factor.name, names)))
            })?;
        let now = agent.given_number(info.name).or_else(|| info.default.parse().ok());
        space.start.push(now.map_or_else(|| factor.at(0.5), |now| nearest(factor, now)));
        space.factors.push(factor.clone());
    }
    let ids: Vec<&str> = scenario.sides().iter().map(|side| side.id).collect();
    if args.side != "all" && !ids.contains(&args.side.as_str()) {
        let names = ids.iter().copied().chain(["all"]);
        return Err(Failure::input(format!("--side {}: {}", args.side, expected(&args.side, names))));
    }
    let weights = if agent.agent().options.iter().any(|option| option.name == "weights") {
        scenario.weights()
    } else {
        Vec::new()
    };
    let names: Vec<String> =
        weights.iter().map(|weight| format!("{}.{}", weight.side, weight.name)).collect();
    if let Some(other) = args.weights.iter().find(|name| !names.contains(name)) {
        return Err(Failure::input(format!(
            "--weight {other}: {}",
            expected(other, names.iter().map(String::as_str))
        )));
    }
    // Options that are named are tuned alone unless weights are too.
    let all = args.options.is_empty() && args.weights.is_empty();
    for (weight, name) in weights.iter().zip(names) {
        let wanted =
            (all || args.weights.contains(&name)) && (args.side == "all" || args.side == weight.side);
        if wanted {
            let (low, high) = (f64::from(weight.range.0), f64::from(weight.range.1));
            let factor = if weight.whole {
                Factor::integer(&name, low as i64, high as i64)
            } else {
                Factor::real(&name, tidy(low), tidy(high))
            };
            let given = agent.given_weights().iter().find(|given| given.0 == name);
            let now = given.map_or(weight.default, |given| given.1);
            space.start.push(nearest(&factor, tidy(f64::from(now))));
            space.factors.push(factor);
        }
    }
    if space.factors.is_empty() {
        return Err(Failure::input(format!(
            "agent {agent} has no weights to tune here: name a numeric option with --option NAME=LOW..HIGH"
        )));
    }
    Ok(space)
}

/// A number of single precision as its author wrote it.
fn tidy(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// The value of a factor nearest to a number.
fn nearest(factor: &Factor, number: f64) -> Value {
    match factor.range {
        Range::Real { low, high } => Value::Real(number.clamp(low, high)),
        Range::Integer { low, high } => Value::Integer((number.round() as i64).clamp(low, high)),
        Range::Categories(_) => Value::Category { category: 0 },
    }
}

fn tune_scenario(
    systems: &[Box<dyn AnySystem>],
    args: &TuneArgs,
    arena: &Arena<'_>,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    for (flag, given) in [
        ("--scenario", args.scenario.is_some()),
        ("--option", !args.options.is_empty()),
        ("--weight", !args.weights.is_empty()),
    ] {
        if given {
            return Err(Failure::input(format!("{flag}: it is for tuning an agent")));
        }
    }
    let name = args.name.clone().unwrap_or_default();
    let scenario = open(systems, &name, &args.set)?;
    let scenario = scenario.as_ref();
    if args.knobs.is_empty() {
        return Err(Failure::input("there is nothing to turn: add --knob PATH=LOW..HIGH"));
    }
    let Some(target) = &args.target else {
        return Err(Failure::input("there is no target: add --target SIDE=SCORE, such as axis=0.5"));
    };
    let flag = format!("--target {target}");
    let side = scenario.sides().iter().find(|side| side.id == target.path).ok_or_else(|| {
        let ids = scenario.sides().iter().map(|side| side.id);
        Failure::input(format!("{flag}: unknown side: {}", expected(&target.path, ids)))
    })?;
    let score = target.value.parse().ok().filter(|score| (0.0..=1.0).contains(score));
    let score = score.ok_or_else(|| Failure::input(format!("{flag}: expected a score from 0 to 1")))?;
    let text = args.agents.as_deref().unwrap_or("scripted");
    let agent: AgentSpec =
        text.parse().map_err(|error| Failure::input(format!("--agents {text}: {error}")))?;
    scenario.check_agent(&agent).map_err(|failure| failure.within(&format!("--agents {text}")))?;
    let factors: Vec<Factor> = args.knobs.iter().map(|turn| turn.0.clone()).collect();
    // The runs begin in the middle of each range.
    let start: Point = factors.iter().map(|factor| factor.at(0.5)).collect();
    let space = Space { factors, start };
    let mut objective = Fairness {
        systems,
        scenario: name.clone(),
        overrides: args.set.clone(),
        space: space.clone(),
        agents: vec![agent; scenario.sides().len()],
        team: side.team,
        target: score,
        seed: args.seed,
        arena,
        stop,
    };
    // Both ends of every range are tried before the first game.
    for (factor, range) in space.factors.iter().enumerate() {
        for value in range.levels(2).into_iter().chain([space.start[factor], range.at(0.37)]) {
            let mut point = space.start.clone();
            point[factor] = value;
            let place = format!("--knob {}, value {}", range.name, space.text(factor, value));
            open(systems, &name, &objective.overrides(&point)).map_err(|failure| failure.within(&place))?;
        }
    }
    if args.ask_tell {
        return protocol::serve(&mut objective, &space, stdin().lock(), stdout().lock());
    }
    let (candidates, steps, progress) = seek(args, &mut objective, &space)?;
    let looks = Looks { stream: PROOF, first: 0, count: budget(args).proof() / 2 };
    // Without values the scenario is what it was.
    let questions = [Vec::new(), candidates[0].point.clone()].map(|point| (point, looks));
    let seen = objective.measure(&questions)?;
    progress.finish();
    let (before, after) = (seen[0].interval(), seen[1].interval());
    let proof = Proof::Fairness {
        side: side.id.to_owned(),
        target: score,
        before,
        after,
        games: looks.count,
        reached: after.contains(score),
    };
    finish(args, scenario, &space, (&candidates, &steps), proof)
}

/// The runs and the play-off, with progress.
fn seek(
    args: &TuneArgs,
    objective: &mut impl Objective,
    space: &Space,
) -> Result<(Vec<Candidate>, Vec<Step>, Progress), Failure> {
    let mut steps = Vec::new();
    let mut progress = Progress::new(args.quiet || args.json, "games", 0);
    let candidates = search(objective, space, args.method, budget(args), args.seed, |games, bests| {
        // After the runs it hears of the winner of the play-off.
        if games <= budget(args).search() {
            steps.push(Step { games, bests: bests.to_vec() });
        }
        progress.show(|| {
            // What the runs agree on is likely to be true.
            let name = &space.factors[0].name;
            let values: Vec<String> = bests.iter().map(|point| space.text(0, point[0])).collect();
            let estimate = format!("{name} by run: {}", values.join(", "));
            Standing { done: games, total: args.budget, estimate }
        });
    })?;
    Ok((candidates, steps, progress))
}

fn finish(
    args: &TuneArgs,
    scenario: &dyn AnyScenario,
    space: &Space,
    (candidates, steps): (&[Candidate], &[Step]),
    proof: Proof,
) -> Result<(), Failure> {
    let report = Report {
        kind: "tune".into(),
        sandtable_version: env!("CARGO_PKG_VERSION").into(),
        sandtable_commit: env!("SANDTABLE_COMMIT").into(),
        tuned: args.what.clone(),
        scenario: scenario.id().to_owned(),
        scenario_hash: format!("{:016x}", scenario.hash()),
        overrides: args.set.iter().map(ToString::to_string).collect(),
        seed: args.seed,
        method: args.method,
        budget: budget(args),
        space: space.clone(),
        candidates: Report::lines(space, candidates),
        best: space.named(&candidates[0].point).into_iter().collect(),
        proof,
    };
    let folder = write_folder(args, &report, steps)?;
    let mut out = stdout().lock();
    if args.json {
        let value = serde_json::json!({ "folder": folder, "tune": report });
        writeln!(out, "{}", serde_json::to_string_pretty(&value).map_err(anyhow::Error::from)?)?;
    } else if !args.quiet {
        writeln!(out, "{report}\nbest.toml, tune.json and tables in {}", folder.display())?;
    }
    Ok(())
}

fn write_folder(args: &TuneArgs, report: &Report, steps: &[Step]) -> Result<PathBuf, Failure> {
    let folder = match &args.out {
        Some(out) => out.clone(),
        None => play::new_folder("tune")?,
    };
    std::fs::create_dir_all(&folder).map_err(|error| {
        Failure::input(format!("--out {}: cannot write there: {error}", folder.display()))
    })?;
    let file = |name: &str, text: &str| {
        write_atomically(&Path::new(&folder).join(name), |out| Ok(out.write_all(text.as_bytes())?))
    };
    file("best.toml", &report.best_file())?;
    let text = serde_json::to_string_pretty(report).map_err(anyhow::Error::from)?;
    file("tune.json", &format!("{text}\n"))?;
    for (schema, rows) in of_report(report, steps) {
        let path = folder.join(schema.name).with_extension(Format::Parquet.extension());
        write_atomically(&path, |out| write(Format::Parquet, &schema, rows, out))?;
    }
    Ok(folder)
}
