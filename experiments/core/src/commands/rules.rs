//! `sandtable rules`

use std::collections::BTreeMap;
use std::io::{Write, stdout};

use sandtable_scenarios::Ruling;

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
        for Ruling { id, question, ruling, proofs, .. } in &rule.rulings {
            let proofs = if proofs.is_empty() { "-".to_owned() } else { proofs.join(", ") };
            writeln!(out, "         ruling {id}: {question} {ruling}\n         proof: {proofs}")?;
        }
    }
    let coded = rules.iter().filter(|rule| rule.is_implemented()).count();
    let proven = rules.iter().filter(|rule| rule.is_proven()).count();
    let made = rules.iter().filter(|rule| rule.is_reconstructed()).count();
    let made = if made > 0 { format!(", {made} of them reconstructed") } else { String::new() };
    let rulings: BTreeMap<&str, &Ruling> =
        rules.iter().flat_map(|rule| &rule.rulings).map(|ruling| (ruling.id.as_str(), ruling)).collect();
    let upheld = rulings.values().filter(|ruling| !ruling.proofs.is_empty()).count();
    let of_rulings = match rulings.len() {
        0 => String::new(),
        count => format!("; {count} rulings, {upheld} proven"),
    };
    writeln!(
        out,
        "{} rules{made}, {coded} in code, {proven} proven by examples or tests{of_rulings}",
        rules.len()
    )?;
    Ok(())
}
