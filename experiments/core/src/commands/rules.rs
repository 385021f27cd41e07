//! `sandtable rules`

use std::io::{Write, stdout};

use crate::cli::RulesArgs;
use crate::failure::{Failure, expected};
use crate::system::AnySystem;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &RulesArgs) -> Result<(), Failure> {
    let system = systems.iter().find(|system| system.info().id == args.system).ok_or_else(|| {
        let ids = systems.iter().map(|system| system.info().id);
        Failure::input(format!("unknown system \"{}\": {}", args.system, expected(&args.system, ids)))
    })?;
    let rules = system
        .coverage()
        .ok_or_else(|| Failure::input(format!("{} has no rulebook to cover", args.system)))?;
    let mut out = stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&rules).map_err(anyhow::Error::from)?)?;
        return Ok(());
    }
    for rule in &rules {
        let (code, proofs) = (rule.code.join(" "), rule.proofs().join(", "));
        let [code, proofs] = [&code, &proofs].map(|text| if text.is_empty() { "-" } else { text.as_str() });
        writeln!(out, "{:<8} {}\n         code: {code}\n         proof: {proofs}", rule.rule, rule.title)?;
        if let Some((provenance, basis)) = &rule.provenance {
            writeln!(out, "         {provenance}: {basis}")?;
        }
    }
    let coded = rules.iter().filter(|rule| rule.is_implemented()).count();
    let proven = rules.iter().filter(|rule| rule.is_proven()).count();
    let made = rules.iter().filter(|rule| rule.is_reconstructed()).count();
    let made = if made > 0 { format!(", {made} of them reconstructed") } else { String::new() };
    writeln!(out, "{} rules{made}, {coded} in code, {proven} proven by examples or tests", rules.len())?;
    Ok(())
}
