//! `sandtable report`

use std::io::{Write, stdout};

use super::output::{check_drawing, save_drawing};
use crate::cli::ReportArgs;
use crate::failure::Failure;
use crate::lab::{balance, compare, sweep, tournament, tune};
use crate::manifest::kind_of;
use crate::report::{
    Evidence, balance_page, comparison_page, run_page, sweep_page, tournament_page, tuning_page,
};
use crate::run::manifest::Manifest;
use crate::system::{AnySystem, find, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &ReportArgs) -> Result<(), Failure> {
    let folder = &args.run;
    let kind = kind_of(folder);
    if kind.is_none() {
        // Before anything is said about a file in it.
        Manifest::read(folder)?;
    }
    let path = args.out.clone().unwrap_or_else(|| folder.join("report.html"));
    check_drawing(&path)?;
    let page = match kind.as_deref() {
        Some(tournament::manifest::KIND) => tournament_page(folder)?,
        Some(balance::KIND) => balance_page(systems, folder)?,
        Some(compare::KIND) => comparison_page(folder)?,
        Some(sweep::manifest::KIND) => sweep_page(folder)?,
        Some(tune::KIND) => tuning_page(folder)?,
        _ => page_of_run(systems, args)?,
    };
    save_drawing(&path, &page)?;
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
