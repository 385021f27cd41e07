//! A comparison as a page.

use std::path::Path;

use super::html::{
    Section, figure, identity, paragraph, read_report, sections_page, spoken, table, unfinished,
};
use crate::draw::plots::{Bar, Unit, dots_against};
use crate::failure::Failure;
use crate::lab::compare::report::{MeasureLine, Report, share_of_power};
use crate::lab::compare::{ArmQuestion, KIND};
use crate::lab::words::{assignment, more, percent, percent_more, plain, probability, with_sets};

/// The page of the comparison in a folder.
///
/// # Errors
/// If the comparison is not finished, a file is damaged, or a plot cannot be drawn.
pub fn comparison_page(folder: &Path) -> Result<String, Failure> {
    let again = format!("sandtable compare --out {}", folder.display());
    let (report, manifest): (Report, _) = read_report(folder, KIND, &again)?;
    if manifest["question"]["games"] != report.pairs {
        return Err(unfinished(folder, KIND, &again));
    }
    let sections = [summary(&report), differences(&report)?, figures(&report), identity(&manifest)];
    Ok(sections_page(&format!("Comparison: {} pairs of games", report.pairs), &report.verdict(), &sections))
}

fn arm(arm: &ArmQuestion, sides: &[String]) -> String {
    format!("{}, played by {}", with_sets(&arm.scenario.id, &arm.overrides), assignment(sides, &arm.agents))
}

fn difference(line: &MeasureLine) -> String {
    if line.is_share() {
        percent_more(&line.difference)
    } else {
        format!("{} {}", more(&line.difference, 2), line.unit)
    }
}

/// An amount of a measure without its interval, with its unit.
fn size(line: &MeasureLine, value: f64) -> String {
    if line.is_share() { line.size(value) } else { format!("{} {}", line.size(value), line.unit) }
}

/// What the games show of a measure. That there is no difference is only said with the power to see one.
fn finding(line: &MeasureLine, power: f64) -> String {
    let name = spoken(&line.measure);
    let Some(detectable) = line.minimum_detectable_effect.filter(|size| *size > 0.0) else {
        return if line.difference.value == 0.0 {
            let both = if line.is_share() { percent(&line.a) } else { plain(&line.a, 2) };
            format!("{name}: {both} in both: the two games of a pair never differ")
        } else {
            format!("{name}: {}: by the same in every pair", difference(line))
        };
    };
    let difference = difference(line);
    if line.difference.contains(0.0) {
        format!(
            "{name}: {difference}: no difference shown; the minimum detectable effect at {} power is {}",
            share_of_power(power),
            size(line, detectable)
        )
    } else {
        format!("{name}: {difference} in B, {}", probability(line.p_value))
    }
}

fn summary(report: &Report) -> Section {
    let mut sentences = vec![
        format!("A: {}.", arm(&report.a, &report.sides)),
        format!("B: {}.", arm(&report.b, &report.sides)),
        format!(
            "{} pairs of games, one of each arm with the same dice, seed {}. Differences are B - A.",
            report.pairs, report.seed
        ),
    ];
    if !report.reproducible {
        sentences.push("On another day or machine other games come out: an agent goes by the clock.".into());
    }
    let told = ["wins_", "score_", "points_"];
    let main = report.measures.iter().filter(|line| told.iter().any(|kind| line.measure.starts_with(kind)));
    let turns = report.measures.iter().filter(|line| line.measure == "turns");
    sentences.extend(main.chain(turns).map(|line| format!("{}.", finding(line, report.power))));
    Section::summary(&sentences, Some(report))
}

/// One plot a unit: shares, points, turns and so on.
fn differences(report: &Report) -> anyhow::Result<Section> {
    let mut groups: Vec<(&str, Vec<&MeasureLine>)> = Vec::new();
    for line in &report.measures {
        let unit = if line.is_share() { "" } else { &*line.unit };
        match groups.iter_mut().find(|(known, _)| *known == unit) {
            Some((_, lines)) => lines.push(line),
            None => groups.push((unit, vec![line])),
        }
    }
    let mut body = String::new();
    for (unit, lines) in groups {
        let bars: Vec<Bar> = lines
            .iter()
            .map(|line| Bar { name: spoken(&line.measure), shade: 1, estimate: line.difference })
            .collect();
        let (title, scale) = match unit {
            "" => ("difference of shares".to_owned(), Unit::Percent),
            unit => (format!("difference ({unit})"), Unit::Plain),
        };
        let names: Vec<String> = lines.iter().map(|line| spoken(&line.measure)).collect();
        figure(
            &mut body,
            &dots_against(&format!("B - A: {}", names.join(", ")), &title, scale, 0.0, &bars)?,
            "B - A over pairs of games with the same dice, with 95% intervals; the line is no difference.",
        );
    }
    Ok(Section::new("Differences", body))
}

fn figures(report: &Report) -> Section {
    let rows: Vec<[String; 9]> = report
        .measures
        .iter()
        .map(|line| {
            let [_, a, b, difference, p, correlation, detectable, needed] = line.cells();
            let efficiency =
                line.relative_efficiency.map_or("-".to_owned(), |efficiency| format!("{efficiency:.1}"));
            [spoken(&line.measure), a, b, difference, p, correlation, efficiency, detectable, needed]
        })
        .collect();
    let mut body = String::new();
    let head =
        ["Measure", "A", "B", "B - A", "p", "Correlation", "Relative efficiency", "MDE", "Pairs needed"];
    table(&mut body, head, &rows);
    paragraph(
        &mut body,
        &format!(
            "p: of such a difference if there were none (McNemar for shares, else paired t). Relative efficiency: how many \
             independent games of each arm tell as much as a pair. MDE: the minimum detectable effect of {} pairs at {} power. \
             Pairs needed: for the effect named, at that power. A dash: the games do not vary enough to tell, or nobody asked.",
            report.pairs,
            share_of_power(report.power)
        ),
    );
    Section::new("Figures, and games needed", body)
}
