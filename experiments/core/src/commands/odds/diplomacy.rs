//! `sandtable odds reactions` and `sandtable odds events`

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::super::output::{aligned, table};
use super::{
    Answer, chance_cells, chance_columns, chance_json, chance_text, check, check_policies, facts, facts_json,
    named,
};
use crate::cli::{EventArgs, ReactionArgs, ReactionTable};
use crate::failure::Failure;
use crate::system::AnySystem;
use crate::system::odds::{EventOdds, EventRequest, ReactionOdds, ReactionRequest};
use crate::table::{Column, Kind, Rows, Schema};

pub(super) fn reactions(systems: &[Box<dyn AnySystem>], args: &ReactionArgs) -> Result<(), Failure> {
    check(&args.output)?;
    let (system, scenario) = named(systems, &args.system)?;
    let odds = system.reactions(&ReactionRequest {
        scenario,
        overrides: &args.set,
        position: args.position.as_deref(),
        by: &args.by,
        on: &args.on,
        samples: args.samples.map(|samples| (samples, args.seed)),
    })?;
    let (schema, rows) = match args.table {
        ReactionTable::Chains => chain_table(&odds),
        ReactionTable::Nations => nation_table(&odds),
    };
    Answer { text: reaction_text(&odds), json: reaction_json(&odds), schema, rows }.show(&args.output)
}

pub(super) fn events(systems: &[Box<dyn AnySystem>], args: &EventArgs) -> Result<(), Failure> {
    check(&args.output)?;
    check_policies(&args.policies)?;
    let (system, scenario) = named(systems, &args.system)?;
    let odds = system.events(&EventRequest {
        scenario,
        overrides: &args.set,
        position: args.position.as_deref(),
        policies: &args.policies,
        months: args.months.map(usize::from),
        samples: args.samples.map(|samples| (samples, args.seed)),
    })?;
    let (schema, rows) = event_table(&odds);
    Answer { text: event_text(&odds), json: event_json(&odds), schema, rows }.show(&args.output)
}

// ---- reactions ----

/// The tables of `odds reactions`, documented.
pub(in super::super) fn reaction_schemas() -> [Schema; 2] {
    [
        schema(
            "reaction_chains",
            "one row for each end of the chain of reactions to a declaration of war",
            &[("joined", "who joins whom: nation:side, separated by spaces")],
            "probability that exactly these join",
        ),
        schema(
            "reactions",
            "one row for each nation that may join a side after a declaration of war",
            &[("nation", "the nation"), ("side", "the side that it joins")],
            "probability that it joins this side",
        ),
    ]
}

/// A table of chances of what is named by words.
fn schema(
    name: &'static str,
    doc: &'static str,
    words: &[(&'static str, &'static str)],
    chance: &str,
) -> Schema {
    let words = words.iter().map(|(name, doc)| Column::new(*name, Kind::Text, "", *doc));
    Schema { name, doc, columns: words.chain(chance_columns(chance)).collect() }
}

/// A nation and the side that it joins, with the probability and how many samples came out so.
type Joining<'a> = (&'a (String, &'static str), f64, u64);

/// Each nation by itself, the most probable first.
fn nations(odds: &ReactionOdds) -> Vec<Joining<'_>> {
    let mut nations: Vec<Joining<'_>> = Vec::new();
    for outcome in &odds.outcomes {
        for joined in &outcome.joined {
            let at = nations.iter().position(|(other, ..)| *other == joined).unwrap_or(nations.len());
            if at == nations.len() {
                nations.push((joined, 0.0, 0));
            }
            nations[at].1 += outcome.probability;
            nations[at].2 += outcome.seen;
        }
    }
    // Sums of exact parts may pass 1 by rounding.
    for nation in &mut nations {
        nation.1 = nation.1.min(1.0);
    }
    nations.sort_by(|one, other| other.1.total_cmp(&one.1));
    nations
}

fn words(joined: &[(String, &'static str)], between: &str) -> String {
    let words: Vec<String> = joined.iter().map(|(nation, side)| format!("{nation}:{side}")).collect();
    words.join(between)
}

fn chain_table(odds: &ReactionOdds) -> (Schema, Rows) {
    let [schema, _] = reaction_schemas();
    let mut rows = Rows::new(&schema);
    for outcome in &odds.outcomes {
        let mut row = rows.row();
        row.text(&words(&outcome.joined, " "));
        chance_cells(&mut row, outcome.probability, outcome.seen, odds.samples);
    }
    (schema, rows)
}

fn nation_table(odds: &ReactionOdds) -> (Schema, Rows) {
    let [_, schema] = reaction_schemas();
    let mut rows = Rows::new(&schema);
    for ((nation, side), probability, seen) in nations(odds) {
        let mut row = rows.row();
        row.text(nation).text(side);
        chance_cells(&mut row, probability, seen, odds.samples);
    }
    (schema, rows)
}

/// Writing to a string does not fail.
fn reaction_text(odds: &ReactionOdds) -> String {
    let mut text = format!("{}\n{}", odds.title, facts(&odds.facts));
    let sampled = if odds.samples > 0 { format!(", {} chains sampled", odds.samples) } else { String::new() };
    let _ = writeln!(text, "\nWho joins whom{sampled}");
    text += &aligned(nations(odds).iter().map(|((nation, side), probability, seen)| {
        [nation.clone(), (*side).to_owned(), chance_text(*probability, *seen, odds.samples)]
    }));
    let _ = writeln!(text, "\nAll ends of the chain{sampled}");
    text += &aligned(odds.outcomes.iter().map(|outcome| {
        [chance_text(outcome.probability, outcome.seen, odds.samples), words(&outcome.joined, ", ")]
    }));
    text
}

fn reaction_json(odds: &ReactionOdds) -> Value {
    let joined = |joined: &[(String, &'static str)]| -> Vec<Value> {
        joined.iter().map(|(nation, side)| json!({ "nation": nation, "side": side })).collect()
    };
    let outcomes: Vec<Value> = odds
        .outcomes
        .iter()
        .map(|outcome| {
            json!({
                "joined": joined(&outcome.joined),
                "chance": chance_json(outcome.probability, outcome.seen, odds.samples),
            })
        })
        .collect();
    let nations: Vec<Value> = nations(odds)
        .iter()
        .map(|((nation, side), probability, seen)| {
            json!({
                "nation": nation,
                "side": side,
                "chance": chance_json(*probability, *seen, odds.samples),
            })
        })
        .collect();
    json!({
        "title": odds.title,
        "facts": facts_json(&odds.facts),
        "samples": odds.samples,
        "nations": nations,
        "outcomes": outcomes,
    })
}

// ---- events ----

/// The table of `odds events`, documented.
pub(in super::super) fn event_schema() -> Schema {
    schema(
        "event_odds",
        "one row for each diplomatic event and month",
        &[("side", "whose event it is"), ("event", "the event"), ("month", "the month")],
        "probability that it has happened by the end of the month",
    )
}

fn event_table(odds: &EventOdds) -> (Schema, Rows) {
    let schema = event_schema();
    let mut rows = Rows::new(&schema);
    for event in &odds.events {
        for (month, (probability, seen)) in odds.months.iter().zip(event.by_month.iter().zip(&event.seen)) {
            let mut row = rows.row();
            row.text(event.side).text(&event.id).text(month);
            chance_cells(&mut row, *probability, *seen, odds.samples);
        }
    }
    (schema, rows)
}

fn event_text(odds: &EventOdds) -> String {
    let mut text = format!("{}\n{}", odds.title, facts(&odds.facts));
    let sampled =
        if odds.samples > 0 { format!(", {} courses sampled", odds.samples) } else { String::new() };
    let _ = writeln!(text, "\nChance that an event has happened by the end of the month{sampled}");
    let mut header = vec!["event".to_owned(), "side".to_owned(), String::new()];
    header.extend(odds.months.iter().cloned());
    text += &table(
        &header,
        odds.events.iter().map(|event| {
            let chances = event.by_month.iter().zip(&event.seen);
            let cells = chances.map(|(exact, seen)| chance_text(*exact, *seen, odds.samples));
            [event.id.clone(), event.side.to_owned(), event.name.clone()]
                .into_iter()
                .chain(cells)
                .collect::<Vec<_>>()
        }),
    );
    text
}

fn event_json(odds: &EventOdds) -> Value {
    let events: Vec<Value> = odds
        .events
        .iter()
        .map(|event| {
            let chances = event.by_month.iter().zip(&event.seen);
            let by_month: Vec<Value> =
                chances.map(|(exact, seen)| chance_json(*exact, *seen, odds.samples)).collect();
            json!({ "event": event.id, "name": event.name, "side": event.side, "by_month": by_month })
        })
        .collect();
    json!({
        "title": odds.title,
        "facts": facts_json(&odds.facts),
        "months": odds.months,
        "samples": odds.samples,
        "events": events,
    })
}
