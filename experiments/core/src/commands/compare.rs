//! `sandtable compare`

use std::io::stdout;

use super::play;
use super::study::{self, Session};
use crate::cli::CompareArgs;
use crate::failure::Failure;
use crate::lab::compare::report::{Report, check_effects};
use crate::lab::compare::{ArmQuestion, Comparison, KIND, Question, tables};
use crate::lab::study::{Asked, GamesTable, Manifest, enter};
use crate::lab::tournament::manifest::ScenarioEntry;
use crate::system::{AnySystem, Override, open};

/// Games of each arm, if nobody says otherwise.
const GAMES: u64 = 1000;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &CompareArgs) -> Result<(), Failure> {
    let asked = ask(systems, args)?;
    let (lock, manifest) =
        enter(args.common.lab.out.as_deref(), asked, args.common.games, || play::new_folder(KIND))?;
    let (mut comparison, mut entrants) =
        Comparison::new(systems, manifest.identity.question.clone(), manifest.identity.seed)?;
    for (arm, scenario) in
        [&manifest.identity.question.a, &manifest.identity.question.b].into_iter().zip(&entrants.scenarios)
    {
        study::check_scenario(&arm.scenario, scenario.as_ref())?;
    }
    check_effects(&comparison, &args.effects)?;
    let table = GamesTable::new(tables::GAMES, comparison.sides());
    let session = Session { command: "compare", lock, manifest: &manifest, table, args: &args.common };
    let ended = session.play(&mut entrants, &mut comparison)?;
    let report = Report::new(&comparison, &args.effects, args.power)?;
    ended.study.publish(KIND, &report, tables::of_report(&report))?;
    ended.print(&args.common, &report, &mut stdout().lock())
}

/// What the command line asks for; nothing if it names no scenario.
fn ask(systems: &[Box<dyn AnySystem>], args: &CompareArgs) -> Result<Option<Manifest<Question>>, Failure> {
    let Some(a) = &args.a else {
        study::refuse_flags(
            &args.common,
            &[
                ("set", !args.set.is_empty()),
                ("set-a", !args.set_a.is_empty()),
                ("set-b", !args.set_b.is_empty()),
                ("agents", args.agents.is_some()),
                ("agents-a", args.agents_a.is_some()),
                ("agents-b", args.agents_b.is_some()),
                ("side", !args.sides.is_empty()),
                ("side-a", !args.sides_a.is_empty()),
                ("side-b", !args.sides_b.is_empty()),
            ],
        )?;
        return Ok(None);
    };
    let b = args.b.as_ref().unwrap_or(a);
    let arm =
        |name: &str, set: (&str, &[Override]), sides: (&str, &[String]), agents: (&str, &Option<String>)| {
            let overrides = [&args.set, set.1].concat();
            let scenario = open(systems, name, &overrides).map_err(|failure| match set.1 {
                [] => failure,
                _ => failure.within(set.0),
            })?;
            let others = match (agents.1, &args.agents) {
                (Some(text), _) => Some((agents.0, text.as_str())),
                (None, Some(text)) => Some(("--agents", text.as_str())),
                (None, None) => None,
            };
            // Without a word about agents the system's own rules of thumb play, or else chance.
            let scripted = "scripted".parse().is_ok_and(|spec| scenario.check_agent(&spec).is_ok());
            let others = others.unwrap_or(("--agents", if scripted { "scripted" } else { "random" }));
            let given = [sides, ("--side", args.sides.as_slice())];
            let agents = play::agents_by_side(scenario.as_ref(), &given, Some(others))?;
            Ok::<_, Failure>(ArmQuestion {
                scenario: ScenarioEntry::of(scenario.as_ref()),
                overrides: overrides.iter().map(ToString::to_string).collect(),
                agents: agents.into_iter().flatten().map(|agent| agent.to_string()).collect(),
            })
        };
    let question = Question {
        a: arm(a, ("--set-a", &args.set_a), ("--side-a", &args.sides_a), ("--agents-a", &args.agents_a))?,
        b: arm(b, ("--set-b", &args.set_b), ("--side-b", &args.sides_b), ("--agents-b", &args.agents_b))?,
        games: args.common.games.unwrap_or(GAMES),
    };
    let seed = args.common.seed.unwrap_or(1);
    // Everything is checked before a folder is made.
    let (comparison, _) = Comparison::new(systems, question.clone(), seed)?;
    check_effects(&comparison, &args.effects)?;
    Ok(Some(Manifest::new(args.common.lab.format.unwrap_or_default(), None, Asked { seed, question })))
}
