//! `sandtable report`

use std::fs;
use std::io::{Write, stdout};

use super::tournament;
use crate::cli::ReportArgs;
use crate::failure::Failure;
use crate::lab::tournament::manifest::KIND;
use crate::report::{Evidence, run_page, tournament_page};
use crate::run::manifest::Manifest;
use crate::system::{AnySystem, find, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &ReportArgs) -> Result<(), Failure> {
    let page = if tournament::is_in(&args.run) {
        let path = args.run.join(KIND).with_extension("json");
        let text = fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, &error))?;
        let report = serde_json::from_str(&text)
            .map_err(|error| Failure::input(format!("{} is damaged: {error}", path.display())))?;
        tournament_page(&report)?
    } else {
        page_of_run(systems, args)?
    };
    let path = args.out.clone().unwrap_or_else(|| args.run.join("report.html"));
    super::render::save(&path, &page)?;
    writeln!(stdout().lock(), "{}", path.display())?;
    Ok(())
}

fn page_of_run(systems: &[Box<dyn AnySystem>], args: &ReportArgs) -> Result<String, Failure> {
    let manifest = Manifest::read(&args.run)?;
    let scenario = open(systems, &manifest.identity.scenario, &manifest.identity.parsed_overrides()?)?;
    let hash = format!("{:016x}", scenario.hash());
    if hash != manifest.identity.scenario_hash {
        return Err(Failure::input(format!(
            "the run in {} cannot be reported: the data of {} was {} then and is {hash} now",
            args.run.display(),
            manifest.identity.scenario,
            manifest.identity.scenario_hash
        )));
    }
    let evidence = Evidence::read(&args.run, manifest, scenario.as_ref())?;
    let (system, source) = find(systems, &evidence.manifest.identity.scenario)?;
    let overrides = evidence.manifest.identity.parsed_overrides()?;
    let odds = match scenario.highlights().battle {
        Some(battle) => Some((battle, battle.odds(system, source, &overrides)?)),
        None => None,
    };
    Ok(run_page(&evidence, scenario.as_ref(), odds.as_ref().map(|(battle, odds)| (*battle, odds)))?)
}
