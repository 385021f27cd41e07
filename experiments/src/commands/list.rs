//! `sandtable list`

use std::io::{Write, stdout};

use sandtable_ai::agents;

use crate::failure::Failure;
use crate::system::AnySystem;

pub(super) fn run(systems: &[Box<dyn AnySystem>]) -> Result<(), Failure> {
    let mut out = stdout().lock();
    writeln!(out, "Systems and scenarios")?;
    for system in systems {
        let info = system.info();
        writeln!(out, "  {}: {}, {}", info.id, info.name, info.summary)?;
        for scenario in system.scenarios().iter().filter(|scenario| scenario.id != info.id) {
            writeln!(out, "    {}: {}", scenario.id, scenario.summary)?;
        }
    }
    writeln!(out, "\nAgents (name:option=value,option=value)")?;
    for agent in agents() {
        writeln!(out, "  {}: {}", agent.name, agent.summary)?;
        for option in agent.options {
            writeln!(out, "    {}=  {}", option.name, option.summary)?;
            writeln!(out, "        {}; default: {}", option.values, option.default)?;
        }
    }
    Ok(())
}
