//! A sweep as a page.

use std::fmt::Write;
use std::path::Path;

use sandtable_stats::interval::Estimate;

use super::html::{
    Section, figure, identity, paragraph, read_report, sections_page, spoken, table, unfinished,
};
use crate::draw::page::escape;
use crate::draw::plots::{Bar, Effect, Unit, dots_against, legend, means_within, sensitivity_bars, span_of};
use crate::failure::Failure;
use crate::lab::sweep::file::DesignKind;
use crate::lab::sweep::manifest::{KIND, Manifest};
use crate::lab::sweep::report::{EffectLine, Index, IndexLine, Report, is_share};
use crate::lab::words::{self, plain, with_sets};

/// The page of the sweep in a folder.
///
/// # Errors
/// If the sweep is a shard or not finished, a file is damaged, or a plot cannot be drawn.
pub fn sweep_page(folder: &Path) -> Result<String, Failure> {
    let asked = Manifest::read(folder)?;
    if let Some(shard) = asked.shard {
        return Err(Failure::input(format!(
            "{} is shard {shard} of a sweep: put all of them together with: sandtable merge OUT SHARD...",
            folder.display()
        )));
    }
    let again = format!("sandtable sweep FILE --out {}", folder.display());
    let (report, manifest): (Report, _) = read_report(folder, KIND, &again)?;
    if report.games_a_point != asked.identity.experiment.games {
        return Err(unfinished(folder, KIND, &again));
    }
    let mut sections = vec![summary(&report)];
    let main = report.main_measures();
    for measure in &main {
        sections.push(measured(&report, measure)?);
    }
    let others: Vec<&str> = measures(&report).into_iter().filter(|other| !main.contains(other)).collect();
    if !others.is_empty() {
        let mut body = String::new();
        for measure in others {
            let Section { title, body: inner } = measured(&report, measure)?;
            let _ = write!(body, "<details><summary>{}</summary>{inner}</details>", escape(&title));
        }
        sections.push(Section::new("Other measures", body));
    }
    sections.push(factors(&report));
    sections.push(identity(&manifest));
    let scenario = with_sets(&report.scenario, &report.overrides);
    let found = main.first().map_or_else(String::new, |measure| headline(&report, measure));
    Ok(sections_page(&format!("Sweep of {scenario}: {} games", report.games), &found, &sections))
}

/// All measures, in the order of the tables.
fn measures(report: &Report) -> Vec<&str> {
    let mut all: Vec<&str> = Vec::new();
    for line in &report.effects {
        if !all.contains(&&*line.measure) {
            all.push(&line.measure);
        }
    }
    all
}

fn assignment_name(report: &Report, assignment: usize) -> String {
    words::assignment(&report.sides, &report.assignments[assignment])
}

fn summary(report: &Report) -> Section {
    let design = match report.design.kind {
        DesignKind::Grid => "a grid",
        DesignKind::LatinHypercube => "a Latin hypercube",
        DesignKind::Saltelli => "a Saltelli design",
    };
    let names: Vec<&str> = report.factors.iter().map(|parameter| parameter.factor.name.as_str()).collect();
    let mut sentences = vec![format!(
        "Which of {} matter in {}? {} games were played, {} at each of {} points of {design} ({} of them different), with seed \
         {} and the same dice at every point.",
        names.join(", "),
        with_sets(&report.scenario, &report.overrides),
        report.games,
        report.games_a_point,
        report.points,
        report.settings,
        report.seed
    )];
    if !report.reproducible {
        sentences.push("On another day or machine other games come out: an agent goes by the clock.".into());
    }
    for assignment in 0..report.assignments.len() {
        for measure in report.main_measures() {
            sentences.push(verdict(report, assignment, measure));
        }
    }
    sentences.extend(report.notes.iter().map(|note| format!("Not told: {note}.")));
    Section::summary(&sentences, Some(report))
}

/// Which factors are shown to move a measure under the first agent assignment: those of which a coefficient of the
/// linear model, or else the total Sobol index, has an interval without zero.
fn headline(report: &Report, measure: &str) -> String {
    let of = |index| indices(report, 0, measure, index).collect::<Vec<_>>();
    let lines = [of(Index::Coefficient), of(Index::SobolTotal)].concat();
    if lines.is_empty() {
        return verdict(report, 0, measure);
    }
    let is_shown = |factor: &str| {
        let own = |line: &&&IndexLine| line.factor.as_deref() == Some(factor);
        lines.iter().filter(own).any(|line| line.estimate.low > 0.0 || line.estimate.high < 0.0)
    };
    let names = report.factors.iter().map(|parameter| parameter.factor.name.as_str());
    let (shown, others): (Vec<&str>, Vec<&str>) = names.partition(|name| is_shown(name));
    let whose = format!("{} between {}", spoken(measure), assignment_name(report, 0));
    let (points, games) = (report.points, report.games);
    let basis = format!("{games} games at {points} points, 95% intervals, one by one");
    match (&shown[..], &others[..]) {
        ([], _) => format!("No factor is shown to move {whose} ({basis})."),
        (_, []) => format!("Shown to move {whose}: {} ({basis}).", shown.join(", ")),
        _ => format!(
            "Shown to move {whose}: {}; not shown: {} ({basis}).",
            shown.join(", "),
            others.join(", ")
        ),
    }
}

/// What matters for a measure, in a sentence.
fn verdict(report: &Report, assignment: usize, measure: &str) -> String {
    let name = format!("{} ({})", spoken(measure), assignment_name(report, assignment));
    if let Some(value) = report.constant(assignment, measure) {
        return format!("{name}: {value:.3} at every point, so no factor shows in it.");
    }
    let shown = report.by_weight(assignment, measure);
    let what = if shown.iter().any(|(_, index)| index.is_some()) {
        format!("{} with 95% interval", report.weight_name())
    } else {
        "share of the variance between levels".to_owned()
    };
    let weighed: Vec<String> = shown
        .iter()
        .map(|(effect, index)| match index {
            Some(index) => format!("{} {}", effect.factor, plain(&index.estimate, 2)),
            None => format!("{} {:.2}", effect.factor, effect.share),
        })
        .collect();
    let explained = match report.explained(assignment, measure) {
        Some(share) if share < 0.7 => {
            format!(" The linear model explains {share:.2} of the variance; the rest is curved, or noise.")
        }
        Some(share) => format!(" The linear model explains {share:.2} of the variance."),
        None => String::new(),
    };
    format!("{name}, by {what}: {}.{explained}", weighed.join(", "))
}

/// A measure in every agent assignment: how much each factor matters, and the means over its levels.
fn measured(report: &Report, measure: &str) -> anyhow::Result<Section> {
    let mut body = String::new();
    for assignment in 0..report.assignments.len() {
        if report.assignments.len() > 1 {
            let _ = write!(body, "<h3>{}</h3>", escape(&assignment_name(report, assignment)));
        }
        if let Some(value) = report.constant(assignment, measure) {
            paragraph(&mut body, &format!("{value:.3} at every point, so no factor shows in it."));
            continue;
        }
        weights(&mut body, report, assignment, measure)?;
        levels(&mut body, report, assignment, measure)?;
    }
    Ok(Section::new(&format!("What moves {}", spoken(measure)), body))
}

fn indices<'r>(
    report: &'r Report,
    assignment: usize,
    measure: &'r str,
    index: Index,
) -> impl Iterator<Item = &'r IndexLine> {
    report
        .indices
        .iter()
        .filter(move |line| line.assignment == assignment && line.measure == measure && line.index == index)
}

/// Sobol indices, or shares and coefficients of a linear model; the shares of variance between levels where there is
/// neither.
fn weights(body: &mut String, report: &Report, assignment: usize, measure: &str) -> anyhow::Result<()> {
    let of = |index| -> Vec<(String, Estimate)> {
        indices(report, assignment, measure, index)
            .map(|line| (line.factor.clone().unwrap_or_default(), line.estimate))
            .collect()
    };
    let name = spoken(measure);
    let (first, shares) = (of(Index::SobolFirst), of(Index::Share));
    if !first.is_empty() {
        return sobol_indices(body, &name, first, &of(Index::SobolTotal));
    }
    if shares.is_empty() {
        return main_effects(body, &name, &report.by_weight(assignment, measure));
    }
    model_shares(body, &name, shares, report.explained(assignment, measure))?;
    coefficients(body, &name, indices(report, assignment, measure, Index::Coefficient))
}

/// What each factor explains on its own, and with all others.
fn sobol_indices(
    body: &mut String,
    name: &str,
    first: Vec<(String, Estimate)>,
    totals: &[(String, Estimate)],
) -> anyhow::Result<()> {
    let total = |factor: &str| totals.iter().find(|(name, _)| name == factor).map(|&(_, total)| total);
    let effects: Vec<Effect> =
        first.into_iter().map(|(factor, own)| Effect { total: total(&factor), name: factor, own }).collect();
    let picture = sensitivity_bars(&format!("sensitivity of {name}"), "share of the variance", &effects)?;
    let key = legend([("on its own", 1), ("with all others", 0)]);
    let _ = write!(
        body,
        "<figure>{picture}<figcaption>{key} Sobol indices: the share of the variance of {} over the design that a factor \
         explains, with 95% bootstrap intervals over points.</figcaption></figure>",
        escape(name)
    );
    Ok(())
}

/// Shares of variance between the levels of each factor, of a design without a model.
fn main_effects(
    body: &mut String,
    name: &str,
    lines: &[(&EffectLine, Option<&IndexLine>)],
) -> anyhow::Result<()> {
    let effects: Vec<Effect> = lines
        .iter()
        .map(|(effect, _)| Effect {
            name: effect.factor.clone(),
            own: Estimate { value: effect.share, low: f64::NAN, high: f64::NAN },
            total: None,
        })
        .collect();
    figure(
        body,
        &sensitivity_bars(&format!("main effects on {name}"), "share between levels", &effects)?,
        &format!(
            "Main effects: the share of the variance of {name} between the levels of a factor. The design has no model to give \
             an interval."
        ),
    );
    Ok(())
}

/// What a linear model loses without each factor, and how much it explains with all.
fn model_shares(
    body: &mut String,
    name: &str,
    shares: Vec<(String, Estimate)>,
    explained: Option<f64>,
) -> anyhow::Result<()> {
    let effects: Vec<Effect> =
        shares.into_iter().map(|(name, own)| Effect { name, own, total: None }).collect();
    let explained = explained.map_or(String::new(), |share| {
        format!(" The model explains {share:.2} of the variance with all factors.")
    });
    figure(
        body,
        &sensitivity_bars(&format!("sensitivity of {name}"), "share of the variance", &effects)?,
        &format!(
            "The share of the variance of {name} over the design that a linear model loses without the factor, with 95% bootstrap \
             intervals over points.{explained}"
        ),
    );
    Ok(())
}

/// Standardised coefficients of the linear model, if it has any.
fn coefficients<'a>(
    body: &mut String,
    name: &str,
    lines: impl Iterator<Item = &'a IndexLine>,
) -> anyhow::Result<()> {
    let coefficients: Vec<Bar> = lines
        .map(|line| {
            let factor = line.factor.clone().unwrap_or_default();
            let value = line.value.as_ref();
            let name = value.map_or(factor.clone(), |value| format!("{factor}: {value}"));
            Bar { name, shade: 1, estimate: line.estimate }
        })
        .collect();
    if coefficients.is_empty() {
        return Ok(());
    }
    let title = format!("regression of {name}");
    figure(
        body,
        &dots_against(&title, "standardised coefficient", Unit::Plain, 0.0, &coefficients)?,
        &format!(
            "By how many of its standard deviations {name} moves when a factor does by one of its own, with 95% bootstrap \
             intervals; right of the line it rises with the factor."
        ),
    );
    Ok(())
}

/// The means over the levels of every factor, all on one scale.
fn levels(body: &mut String, report: &Report, assignment: usize, measure: &str) -> anyhow::Result<()> {
    let lines: Vec<&EffectLine> =
        report.by_weight(assignment, measure).into_iter().map(|(effect, _)| effect).collect();
    let unit = if is_share(measure) { Unit::Percent } else { Unit::Plain };
    let responses = lines.iter().flat_map(|line| line.levels.iter().map(|level| &level.response));
    let span = span_of(unit, responses);
    body.push_str("<div class=\"grid\">");
    for line in lines {
        let bars: Vec<Bar> = line
            .levels
            .iter()
            .map(|level| Bar { name: level.label.clone(), shade: 1, estimate: level.response })
            .collect();
        let name = spoken(measure);
        let title = format!("{name} by level of {}", line.factor);
        figure(
            body,
            &means_within(&title, &name, unit, span.clone(), &bars)?,
            &format!("Mean {title}: over the design points there, with 95% intervals."),
        );
    }
    body.push_str("</div>");
    Ok(())
}

fn factors(report: &Report) -> Section {
    let rows: Vec<[String; 3]> = report
        .factors
        .iter()
        .map(|parameter| {
            let factor = &parameter.factor;
            // A grid plays these levels of a range alone; other designs spread over all of it.
            let is_grid = report.design.kind == DesignKind::Grid;
            let most = if is_grid { report.design.points } else { 9 };
            let values: Vec<String> = factor.levels(most).iter().map(|&value| factor.label(value)).collect();
            let all = is_grid || factor.count().is_some_and(|count| count == values.len());
            let words = match (&values[..], all) {
                ([low, .., high], false) => format!("from {low} to {high}"),
                _ => values.join(", "),
            };
            [factor.name.clone(), parameter.path.clone(), words]
        })
        .collect();
    let mut body = String::new();
    table(&mut body, ["Factor", "Path", "Values"], &rows);
    Section::new("What was varied", body)
}
