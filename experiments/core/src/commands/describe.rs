//! `sandtable describe`

use std::io::{Write, stdout};

use crate::cli::DescribeArgs;
use crate::failure::Failure;
use crate::system::{AnySystem, open, team_labels};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &DescribeArgs) -> Result<(), Failure> {
    let scenario = open(systems, &args.scenario, &args.set)?;
    let mut out = stdout().lock();
    let info = scenario.system();
    writeln!(out, "{}: {}, {}", scenario.id(), info.name, info.summary)?;
    let sides: Vec<String> =
        scenario.sides().iter().map(|side| format!("{} ({})", side.name, side.id)).collect();
    writeln!(out, "Sides: {}", sides.join(", "))?;
    let teams = team_labels(scenario.sides());
    if teams.len() < scenario.sides().len() {
        writeln!(out, "Teams: {}", teams.join(" against "))?;
    }
    for known in scenario.knowledge() {
        writeln!(out, "Agents know {} {}: {}", known.kind, known.name, known.summary)?;
    }
    writeln!(out, "Data hash: {:016x}", scenario.hash())?;
    write!(out, "{}", scenario.describe())?;
    Ok(())
}
