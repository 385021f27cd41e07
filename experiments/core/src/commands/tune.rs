//! `sandtable tune`

use std::cell::RefCell;
use std::io::{Write, stdin, stdout};

use sandtable_ai::AgentSpec;
use sandtable_core::SideInfo;
use sandtable_stats::design::{Factor, Point, Range, Value};

use super::play;
use crate::build_info;
use crate::cli::TuneArgs;
use crate::failure::{Failure, expected};
use crate::files::write_atomically;
use crate::lab::arena::Arena;
use crate::lab::progress::Progress;
use crate::lab::study::{Asked, GamesTable, Manifest, Study, enter};
use crate::lab::tournament::manifest::ScenarioEntry;
use crate::lab::tune::fairness::Fairness;
use crate::lab::tune::matches::Matches;
use crate::lab::tune::protocol;
use crate::lab::tune::report::{Proof, Report};
use crate::lab::tune::rounds::{Display, RoundPlayer};
use crate::lab::tune::search::{Budget, Candidate, PROOF, search};
use crate::lab::tune::tables::{Step, of_report};
use crate::lab::tune::{GAMES, KIND, Looks, Objective, Question, Space};
use crate::system::{AnyScenario, AnySystem, open, read_agent};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &TuneArgs) -> Result<(), Failure> {
    let stop = play::stop_on_interrupt()?;
    let arena = Arena::new(play::threads(args.lab.threads), &stop)?;
    let display = RefCell::new(Display {
        progress: Progress::new(args.lab.quiet || args.lab.json, "games", 0),
        total: args.budget,
        estimate: String::new(),
    });
    let room = Room { args, arena: &arena, display: &display };
    let done =
        if args.what == "scenario" { tune_scenario(systems, &room) } else { tune_agent(systems, &room) };
    display.borrow().progress.finish();
    done
}

/// What tuning has at its disposal.
struct Room<'a> {
    args: &'a TuneArgs,
    arena: &'a Arena<'a>,
    display: &'a RefCell<Display>,
}

impl<'a> Room<'a> {
    /// The folder, new or with the games that were played before this session.
    fn rounds(
        &self,
        cost: u64,
        question: Question,
        scenario: &dyn AnyScenario,
    ) -> Result<RoundPlayer<'a>, Failure> {
        let args = self.args;
        question.budget.shares(question.method, cost)?;
        let manifest =
            Manifest::new(args.lab.format.unwrap_or_default(), None, Asked { seed: args.seed, question });
        let new = || play::new_folder(KIND);
        let (lock, manifest) = enter(args.lab.out.as_deref(), Some(manifest), None, new)?;
        let study = Study::open(lock, &manifest, GamesTable::new(GAMES, scenario.sides()))?;
        self.display.borrow_mut().progress =
            Progress::new(args.lab.quiet || args.lab.json, "games", study.before());
        let out = study.root().display();
        let go_on = format!("go on with the same command and --out {out}");
        Ok(RoundPlayer::new(self.arena, self.display, study, go_on))
    }
}

fn budget(args: &TuneArgs) -> Budget {
    Budget { games: args.budget, runs: args.runs, batch: args.batch }
}

fn tune_agent(systems: &[Box<dyn AnySystem>], room: &Room<'_>) -> Result<(), Failure> {
    let args = room.args;
    for (flag, given) in [
        ("--parameter", !args.parameters.is_empty()),
        ("--target", args.target.is_some()),
        ("--agents", args.agents.is_some()),
    ] {
        if given {
            return Err(Failure::input(format!("{flag}: it is for `sandtable tune scenario SCENARIO`")));
        }
    }
    let agent = read_agent(&args.what).map_err(|error| Failure::input(format!("{}: {error}", args.what)))?;
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
    let rounds = RoundPlayer::without_folder(room.arena, room.display);
    let mut objective = Matches { scenario, agent, space, seed: args.seed, rounds };
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
    objective.rounds = room.rounds(objective.cost(), question(args, scenario, &space), scenario)?;
    let (candidates, steps) = seek(room, &mut objective, &space)?;
    let best = candidates[0].point.clone();
    let proof = if best == space.start {
        Proof::NothingBetter
    } else {
        let (results, verdict) = objective.prove(&best, &args.sprt, budget(args).proof(), |results| {
            let score = results.score().map(|score| 100.0 * score);
            let left = args.sprt.expected_remaining(results).unwrap_or(0.0);
            room.display.borrow_mut().estimate = format!(
                "proof: new values score {:.1}% [{:.1}, {:.1}], about {left:.0} more pairs",
                score.value, score.low, score.high
            );
        })?;
        Proof::of_match(&args.sprt, &results, &verdict)
    };
    finish(room, scenario, (&space, &candidates, &steps), proof, objective.rounds)
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
        let wanted = (all && !weight.apart || args.weights.contains(&name))
            && (args.side == "all" || args.side == weight.side);
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

fn tune_scenario(systems: &[Box<dyn AnySystem>], room: &Room<'_>) -> Result<(), Failure> {
    let args = room.args;
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
    if args.parameters.is_empty() {
        return Err(Failure::input("there is nothing to turn: add --parameter PATH=LOW..HIGH"));
    }
    let (side, score) = target(args, scenario)?;
    let text = agents(args);
    let agent = read_agent(text).map_err(|error| Failure::input(format!("--agents {text}: {error}")))?;
    scenario.check_agent(&agent).map_err(|failure| failure.within(&format!("--agents {text}")))?;
    let factors: Vec<Factor> = args.parameters.iter().map(|turn| turn.0.clone()).collect();
    // The runs begin in the middle of each range.
    let start: Point = factors.iter().map(|factor| factor.at(0.5)).collect();
    let space = Space { factors, start };
    let rounds = RoundPlayer::without_folder(room.arena, room.display);
    let mut objective = Fairness {
        systems,
        scenario: name.clone(),
        overrides: args.set.clone(),
        space: space.clone(),
        agents: vec![agent; scenario.sides().len()],
        team: side.team,
        target: score,
        seed: args.seed,
        rounds,
    };
    check_ranges(&objective)?;
    if args.ask_tell {
        return protocol::serve(&mut objective, &space, stdin().lock(), stdout().lock());
    }
    objective.rounds = room.rounds(objective.cost(), question(args, scenario, &space), scenario)?;
    let (candidates, steps) = seek(room, &mut objective, &space)?;
    let looks = Looks { stream: PROOF, first: 0, count: budget(args).proof() / 2 };
    // Without values the scenario is what it was.
    let questions = [Vec::new(), candidates[0].point.clone()].map(|point| (point, looks));
    let seen = objective.measure(&questions)?;
    let (before, after) = (seen[0].score, seen[1].score);
    let proof = Proof::Fairness {
        side: side.id.to_owned(),
        target: score,
        before,
        after,
        games: looks.count,
        reached: after.contains(score),
    };
    finish(room, scenario, (&space, &candidates, &steps), proof, objective.rounds)
}

/// The side whose score is tuned, and the score it is to have.
fn target<'s>(args: &TuneArgs, scenario: &'s dyn AnyScenario) -> Result<(&'s SideInfo, f64), Failure> {
    let Some(target) = &args.target else {
        return Err(Failure::input("there is no target: add --target SIDE=SCORE, such as axis=0.5"));
    };
    let flag = format!("--target {target}");
    let side = scenario.sides().iter().find(|side| side.id == target.path).ok_or_else(|| {
        let ids = scenario.sides().iter().map(|side| side.id);
        Failure::input(format!("{flag}: unknown side: {}", expected(&target.path, ids)))
    })?;
    let score = target.text().parse().ok().filter(|score| (0.0..=1.0).contains(score));
    let score = score.ok_or_else(|| Failure::input(format!("{flag}: expected a score from 0 to 1")))?;
    Ok((side, score))
}

/// Tries both ends of every range, its start and a value between before the first game.
fn check_ranges(objective: &Fairness<'_>) -> Result<(), Failure> {
    let space = &objective.space;
    for (factor, range) in space.factors.iter().enumerate() {
        for value in range.levels(2).into_iter().chain([space.start[factor], range.at(0.37)]) {
            let mut point = space.start.clone();
            point[factor] = value;
            let place = format!("--parameter {}, value {}", range.name, space.text(factor, value));
            let overrides = objective.overrides(&point);
            open(objective.systems, &objective.scenario, &overrides)
                .map_err(|failure| failure.within(&place))?;
        }
    }
    Ok(())
}

/// What the command line asks for.
fn question(args: &TuneArgs, scenario: &dyn AnyScenario, space: &Space) -> Question {
    let of_scenario = args.what == "scenario";
    Question {
        tuned: args.what.clone(),
        scenario: ScenarioEntry::of(scenario),
        overrides: args.set.iter().map(ToString::to_string).collect(),
        space: space.lines(),
        target: args.target.as_ref().map(ToString::to_string),
        agents: of_scenario.then(|| agents(args).to_owned()),
        method: args.method,
        budget: budget(args),
        sprt: (!of_scenario).then(|| args.sprt.to_string()),
    }
}

/// Who plays all sides of a scenario that is tuned.
fn agents(args: &TuneArgs) -> &str {
    args.agents.as_deref().unwrap_or("scripted")
}

/// The runs and the play-off, with progress, and where the runs stood on the way.
fn seek(
    room: &Room<'_>,
    objective: &mut impl Objective,
    space: &Space,
) -> Result<(Vec<Candidate>, Vec<Step>), Failure> {
    let args = room.args;
    let mut steps = Vec::new();
    let candidates = search(objective, space, args.method, budget(args), args.seed, |games, bests| {
        // After the runs it hears of the winner of the play-off.
        if games <= budget(args).search() {
            steps.push(Step { games, bests: bests.to_vec() });
        }
        // What the runs agree on is likely to be true.
        let name = &space.factors[0].name;
        let values: Vec<String> = bests.iter().map(|point| space.text(0, point[0])).collect();
        room.display.borrow_mut().estimate = format!("{name} by run: {}", values.join(", "));
    })?;
    Ok((candidates, steps))
}

fn finish(
    room: &Room<'_>,
    scenario: &dyn AnyScenario,
    (space, candidates, steps): (&Space, &[Candidate], &[Step]),
    proof: Proof,
    rounds: RoundPlayer<'_>,
) -> Result<(), Failure> {
    let args = room.args;
    room.display.borrow().progress.finish();
    let report = Report {
        kind: KIND.into(),
        sandtable_version: build_info::version().into(),
        sandtable_commit: build_info::commit().into(),
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
    let Some(study) = rounds.close()? else { return Ok(()) };
    let folder = study.root();
    write_atomically(&folder.join("best.toml"), |out| Ok(out.write_all(report.best_file().as_bytes())?))?;
    study.publish(KIND, &report, of_report(&report, steps))?;
    let mut out = stdout().lock();
    if args.lab.json {
        let value = serde_json::json!({ "folder": folder.display().to_string(), "tune": report });
        writeln!(out, "{}", serde_json::to_string_pretty(&value).map_err(anyhow::Error::from)?)?;
    } else if !args.lab.quiet {
        writeln!(
            out,
            "{report}\nbest.toml and tune.json in {}, one row a game in {GAMES}",
            folder.display()
        )?;
    }
    Ok(())
}
