//! A tournament as a page.

use std::fmt::Write;

use sandtable_stats::interval::Estimate;

use super::html::{Section, paragraph, sections_page, table};
use super::sections::{ladder, pairwise};
use crate::draw::page::escape;
use crate::draw::plots::{Bar, Grid, Rung, mean_dots};
use crate::lab::tournament::report::{PairingLine, RatingLine, Report, SideLine};
use crate::lab::words::plain;

/// The page of a tournament.
///
/// # Errors
/// If a plot cannot be drawn.
pub fn tournament_page(report: &Report) -> anyhow::Result<String> {
    let mut sections = vec![in_words(report)];
    if report.games > 0 {
        let rungs: Vec<Rung> = report
            .ratings
            .iter()
            .map(|line| Rung { name: line.agent.clone(), elo: line.elo_pairs })
            .collect();
        sections.push(ladder(&rungs, report.games)?);
        sections.push(pairwise(&scores(report))?);
        sections.push(sides(report)?);
        sections.push(pairings(report));
    }
    sections.push(identity(report));
    let title = format!("Tournament: {} agents, {} games", report.ratings.len(), report.games);
    Ok(sections_page(&title, &sections))
}

fn percent(estimate: Estimate) -> String {
    let Estimate { value, low, high } = estimate;
    format!("{:.1}% (95% interval {:.1}% to {:.1}%)", 100.0 * value, 100.0 * low, 100.0 * high)
}

fn in_words(report: &Report) -> Section {
    let mut body = String::from("<div id=\"summary\">");
    let names: Vec<&str> = report.scenarios.iter().map(|line| line.scenario.as_str()).collect();
    paragraph(
        &mut body,
        &format!(
            "{} agents played {} pairs of games with swapped sides and the same dice in {}.{}",
            report.ratings.len(),
            report.pairs,
            names.join(", "),
            if report.complete { "" } else { " It is not finished." }
        ),
    );
    if let [first, second, ..] = &report.ratings[..]
        && report.games > 0
    {
        paragraph(&mut body, &leader_in_words(report, first, second));
    }
    for line in &report.scenarios {
        let Estimate { low, high, .. } = line.first_score;
        let verdict = if low > 0.5 {
            format!("favours {}", line.first_team)
        } else if high < 0.5 {
            format!("favours {}", line.second_team)
        } else {
            "is even as far as these games can tell".to_owned()
        };
        paragraph(
            &mut body,
            &format!(
                "{} {verdict}: {} scored {}.",
                line.scenario,
                line.first_team,
                percent(line.first_score)
            ),
        );
    }
    for cycle in report.cycles.iter().filter(|cycle| cycle.established) {
        let [a, b, c] = &cycle.agents;
        paragraph(
            &mut body,
            &format!("Strength goes in a circle: {a} beats {b}, {b} beats {c}, {c} beats {a}."),
        );
    }
    for line in &report.pairings {
        let Some(test) = &line.sprt else { continue };
        let verdict = match test.accepted.as_deref() {
            Some(hypothesis) => format!("accepted {hypothesis}"),
            None => "is still open".to_owned(),
        };
        paragraph(
            &mut body,
            &format!(
                "The test of {} against {} {verdict} after {} pairs.",
                line.agent, line.opponent, test.pairs
            ),
        );
    }
    body.push_str("</div>");
    Section::new("In words", body)
}

fn leader_in_words(report: &Report, first: &RatingLine, second: &RatingLine) -> String {
    let met = overall(report).find(|line| line.agent == first.agent && line.opponent == second.agent);
    let met = met.map(|line| line.score).or_else(|| {
        let turned =
            overall(report).find(|line| line.agent == second.agent && line.opponent == first.agent)?;
        let Estimate { value, low, high } = turned.score;
        Some(Estimate { value: 1.0 - value, low: 1.0 - high, high: 1.0 - low })
    });
    let lead = format!("{} is rated highest, {} second", first.agent, second.agent);
    match met {
        Some(score) if score.low > 0.5 => format!("{lead}; against it the first scored {}.", percent(score)),
        Some(score) => {
            format!("{lead}; which of the two is stronger is not shown: the first scored {}.", percent(score))
        }
        None => format!("{lead}; they have not met."),
    }
}

/// Pairings over all scenarios together.
fn overall(report: &Report) -> impl Iterator<Item = &PairingLine> {
    report.pairings.iter().filter(|line| line.scenario.is_none())
}

/// Scores by agent and opponent, in the order of the ratings.
fn scores(report: &Report) -> Grid {
    let names: Vec<String> = report.ratings.iter().map(|line| line.agent.clone()).collect();
    let place = |name: &str| names.iter().position(|other| other == name);
    let mut values = vec![vec![None; names.len()]; names.len()];
    for line in overall(report) {
        if let (Some(row), Some(column)) = (place(&line.agent), place(&line.opponent)) {
            values[row][column] = Some(line.score.value);
            values[column][row] = Some(1.0 - line.score.value);
        }
    }
    Grid {
        row_title: "score of".into(),
        column_title: "against".into(),
        rows: names.clone(),
        columns: names,
        values,
    }
}

/// Points by side, for all agents together.
fn sides(report: &Report) -> anyhow::Result<Section> {
    let mut body = String::new();
    for scenario in &report.scenarios {
        let here = |line: &&SideLine| line.scenario == scenario.scenario && line.agent.is_none();
        let bars: Vec<Bar> = report
            .sides
            .iter()
            .filter(here)
            .enumerate()
            .map(|(shade, line)| Bar { name: line.side.clone(), shade, estimate: line.points })
            .collect();
        let _ = write!(
            body,
            "<figure>{}<figcaption>Mean points a game by side in {}, over {} games of all agents, with 95% intervals.\
             </figcaption></figure>",
            mean_dots(&format!("points by side in {}", scenario.scenario), "points", &bars)?,
            escape(&scenario.scenario),
            2 * scenario.pairs
        );
    }
    Ok(Section::new("Points by side", body))
}

fn pairings(report: &Report) -> Section {
    let rows: Vec<[String; 8]> = overall(report)
        .map(|line| {
            [
                line.agent.clone(),
                line.opponent.clone(),
                line.pairs.to_string(),
                line.wins.to_string(),
                line.draws.to_string(),
                line.losses.to_string(),
                percent(line.score),
                plain(&line.elo, 0),
            ]
        })
        .collect();
    let mut body = String::new();
    let head = ["Agent", "Opponent", "Pairs", "Won", "Drawn", "Lost", "Score", "Elo difference"];
    table(&mut body, head, &rows);
    body.push_str("<p class=\"note\">Intervals by the variance of pairs; .. is an open end.</p>");
    Section::new("Pairings", body)
}

fn identity(report: &Report) -> Section {
    let hashes: Vec<String> =
        report.scenario_hashes.iter().map(|entry| format!("{} {}", entry.id, entry.hash)).collect();
    let rows = [
        ("sandtable", format!("{} ({})", report.sandtable_version, report.sandtable_commit)),
        ("seed", report.seed.to_string()),
        ("pairs asked for", report.pairs_asked.to_string()),
        ("test", report.sprt.clone().unwrap_or_else(|| "none".into())),
        (
            "reproducible",
            if report.reproducible { "yes" } else { "no: an agent goes by the clock" }.to_owned(),
        ),
        ("scenarios", hashes.join(", ")),
    ];
    let mut body = String::from("<table id=\"manifest\">");
    for (name, value) in rows {
        let _ = write!(body, "<tr><th>{name}</th><td>{}</td></tr>", escape(&value));
    }
    body.push_str("</table>");
    Section::new("Manifest", body)
}
