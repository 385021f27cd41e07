//! `sandtable list`

use std::io::{Write, stdout};

use sandtable_ai::agents;
use serde_json::{Value, json};

use crate::cli::ListArgs;
use crate::failure::Failure;
use crate::system::{AnySystem, ScenarioInfo};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &ListArgs) -> Result<(), Failure> {
    let mut out = stdout().lock();
    if args.json {
        let text = serde_json::to_string_pretty(&whole(systems)).map_err(anyhow::Error::from)?;
        writeln!(out, "{text}")?;
        return Ok(());
    }
    if args.agents {
        return options(&mut out);
    }
    for system in systems {
        let info = system.info();
        let scenarios = own_scenarios(system.as_ref());
        writeln!(out, "{}: {}, {}", info.id, info.name, info.summary)?;
        let width = scenarios.iter().map(|scenario| scenario.id.len()).max().unwrap_or(0);
        for scenario in scenarios {
            writeln!(out, "  {:<width$}  {}", scenario.id, scenario.summary)?;
        }
    }
    let names: Vec<&str> = agents().iter().map(|agent| agent.name).collect();
    writeln!(out, "\nagents: {}; their options: sandtable list --agents", names.join(", "))?;
    Ok(())
}

/// The scenarios of a system; none if it is a scenario itself.
fn own_scenarios(system: &dyn AnySystem) -> Vec<ScenarioInfo> {
    let id = system.info().id;
    system.scenarios().into_iter().filter(|scenario| scenario.id != id).collect()
}

/// The agents with their options.
fn options(out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(
        out,
        "An agent is written name:option=value,option=value, such as mcts:iterations=200,depth=2t"
    )?;
    for agent in agents() {
        writeln!(out, "{}: {}", agent.name, agent.summary)?;
        for option in agent.options {
            writeln!(out, "  {}=  {}", option.name, option.summary)?;
            writeln!(out, "      {}; default: {}", option.values, option.default)?;
        }
    }
    Ok(())
}

/// Everything that is listed.
fn whole(systems: &[Box<dyn AnySystem>]) -> Value {
    let systems: Vec<Value> = systems
        .iter()
        .map(|system| {
            let info = system.info();
            let scenarios: Vec<Value> = system
                .scenarios()
                .into_iter()
                .map(|scenario| json!({ "id": scenario.id, "summary": scenario.summary }))
                .collect();
            json!({ "id": info.id, "name": info.name, "summary": info.summary, "scenarios": scenarios })
        })
        .collect();
    let agents: Vec<Value> = agents()
        .iter()
        .map(|agent| {
            let options: Vec<Value> = agent
                .options
                .iter()
                .map(|option| {
                    json!({
                        "name": option.name,
                        "summary": option.summary,
                        "values": option.values.to_string(),
                        "default": option.default,
                    })
                })
                .collect();
            json!({ "name": agent.name, "summary": agent.summary, "options": options })
        })
        .collect();
    json!({ "systems": systems, "agents": agents })
}
