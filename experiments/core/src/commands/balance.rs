//! `sandtable balance`

use std::io::stdout;

use super::play;
use super::study::{self, Session};
use crate::cli::BalanceArgs;
use crate::failure::Failure;
use crate::lab::balance::{
    Balance, Handicap, KIND, Question, check_parameter, ladder, named_restrictions, report::Report, tables,
};
use crate::lab::study::{Asked, GamesTable, Manifest, enter};
use crate::lab::tournament::manifest::ScenarioEntry;
use crate::system::{AnySystem, open};

/// Games of each arm, if nobody says otherwise.
const GAMES: u64 = 1000;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &BalanceArgs) -> Result<(), Failure> {
    let asked = ask(systems, args)?;
    let (lock, manifest) =
        enter(args.common.lab.out.as_deref(), asked, args.common.games, || play::new_folder(KIND))?;
    let question = manifest.identity.question.clone();
    let (mut balance, mut entrants) = Balance::new(systems, question, manifest.identity.seed)?;
    study::check_scenario(&manifest.identity.question.scenario, entrants.scenarios[0].as_ref())?;
    let table = GamesTable::new(tables::GAMES, balance.sides());
    let session = Session { command: KIND, lock, manifest: &manifest, table, args: &args.common };
    let ended = session.play(&mut entrants, &mut balance)?;
    let report = Report::new(&balance);
    ended.study.publish(KIND, &report, tables::of_report(&report))?;
    ended.print(&args.common, &report, &mut stdout().lock())
}

/// What the command line asks for; nothing if it names no scenario.
fn ask(systems: &[Box<dyn AnySystem>], args: &BalanceArgs) -> Result<Option<Manifest<Question>>, Failure> {
    let Some(name) = &args.scenario else {
        study::refuse_flags(
            &args.common,
            &[
                ("agent", !args.agents.is_empty()),
                ("set", !args.set.is_empty()),
                ("restrict", !args.restrict.is_empty()),
                ("handicap", args.handicap.is_some()),
                ("target", args.target.is_some()),
                ("width", args.width.is_some()),
                ("handicap-games", args.handicap_games.is_some()),
            ],
        )?;
        return Ok(None);
    };
    let scenario = open(systems, name, &args.set)?;
    let games = args.common.games.unwrap_or(GAMES);
    // A search is as long as it was begun with, however many other games are added.
    let begun = args.common.lab.out.as_deref().filter(|out| Manifest::<Question>::is_in(out));
    let begun = begun.and_then(|out| Manifest::<Question>::read(out).ok()?.identity.question.handicap);
    let search_games = args.handicap_games.or(begun.map(|handicap| handicap.games)).unwrap_or(games);
    let handicap = args.handicap.clone().map(|parameter| Handicap {
        parameter,
        target: args.target.unwrap_or(0.5),
        width: args.width.unwrap_or(0.0),
        games: search_games,
    });
    let agents = if args.agents.is_empty() { ladder(scenario.as_ref()) } else { args.agents.clone() };
    let question = Question {
        scenario: ScenarioEntry::of(scenario.as_ref()),
        overrides: args.set.iter().map(ToString::to_string).collect(),
        agents,
        games,
        handicap,
        restrictions: named_restrictions(scenario.as_ref(), &args.restrict)?,
    };
    let seed = args.common.seed.unwrap_or(1);
    // Everything is checked before a folder is made.
    Balance::new(systems, question.clone(), seed)?;
    if let Some(handicap) = &question.handicap {
        check_parameter(systems, name, &args.set, &handicap.parameter)?;
    }
    Ok(Some(Manifest::new(args.common.lab.format.unwrap_or_default(), None, Asked { seed, question })))
}
