//! `sandtable report`

use std::io::{Write, stdout};

use crate::cli::ReportArgs;
use crate::failure::Failure;
use crate::report::{Evidence, run_page};
use crate::run::manifest::Manifest;
use crate::system::{AnySystem, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &ReportArgs) -> Result<(), Failure> {
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
    let path = args.out.clone().unwrap_or_else(|| args.run.join("report.html"));
    super::render::save(&path, &run_page(&evidence, scenario.as_ref())?)?;
    writeln!(stdout().lock(), "{}", path.display())?;
    Ok(())
}
