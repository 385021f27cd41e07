//! What tuning found, as a page.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use sandtable_stats::design::{Factor, number};

use super::html::{Section, capital, figure, identity, paragraph, read_report, sections_page, table};
use crate::draw::page::escape;
use crate::draw::plots::{Bar, Line, Unit, dots_against, legend, lines, stacked_columns};
use crate::failure::Failure;
use crate::lab::store::read_report_table;
use crate::lab::tune::KIND;
use crate::lab::tune::report::{CandidateLine, Proof, Report};
use crate::lab::tune::tables::{COURSE, course_schema};
use crate::lab::words::{elo as elo_words, percent};
use crate::table::Frame;

/// The page of what was tuned in a folder.
///
/// # Errors
/// If the tuning is not finished, a file is damaged, or a plot cannot be drawn.
pub fn tuning_page(folder: &Path) -> Result<String, Failure> {
    let again = format!("sandtable tune ... --out {}", folder.display());
    let (report, manifest): (Report, _) = read_report(folder, KIND, &again)?;
    let mut sections = vec![summary(&report)];
    sections.push(proof(&report)?);
    sections.push(play_off(&report)?);
    sections.push(course(&report, folder)?);
    sections.push(values(&report));
    sections.push(identity(&manifest));
    Ok(sections_page(&title(&report), &format!("{}.", capital(&report.verdict())), &sections))
}

/// Whether the numbers are those of a scenario and not of an agent.
fn is_scenario(report: &Report) -> bool {
    report.tuned == "scenario"
}

fn title(report: &Report) -> String {
    if is_scenario(report) {
        format!("Tuning of {}", report.scenario)
    } else {
        format!("Tuning of {} in {}", report.tuned, report.scenario)
    }
}

fn summary(report: &Report) -> Section {
    let names: Vec<&str> = report.space.factors.iter().map(|factor| factor.name.as_str()).collect();
    let mut sentences = vec![format!(
        "{}, seed {}: {} runs of an optimiser over {}, {} games at most for runs, play-off and proof together.",
        title(report),
        report.seed,
        report.budget.runs,
        if let [name] = names[..] { name.to_owned() } else { format!("{} numbers", names.len()) },
        report.budget.games
    )];
    let old: BTreeMap<String, String> = report.space.named(&report.space.start).into_iter().collect();
    if is_scenario(report) {
        let found: Vec<String> =
            report.best.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        sentences.push(format!("The play-off was won by {}.", found.join(", ")));
        return Section::summary(&sentences, Some(report));
    }
    let moved: Vec<String> = report
        .best
        .iter()
        .filter(|&(name, value)| old.get(name) != Some(value))
        .map(|(name, value)| format!("{name} from {} to {value}", old.get(name).map_or("", String::as_str)))
        .collect();
    sentences.push(if moved.is_empty() {
        "The values stay as they were.".to_owned()
    } else {
        format!("The play-off was won by a setting with {}.", moved.join(", "))
    });
    Section::summary(&sentences, Some(report))
}

/// The proof with dice that no run has seen.
fn proof(report: &Report) -> anyhow::Result<Section> {
    let mut body = String::new();
    paragraph(&mut body, &format!("{}.", capital(&report.verdict())));
    match &report.proof {
        Proof::NothingBetter => {
            paragraph(&mut body, "There was no match to play: the old values won the play-off.");
        }
        Proof::Match { pairs, score, elo, llr, sprt, accepted, .. } => {
            let bar = Bar { name: "new values".to_owned(), shade: 1, estimate: *score };
            figure(
                &mut body,
                &dots_against("score in the proof", "mean score", Unit::Percent, 0.5, &[bar])?,
                "Score of the new values against the old ones, with a 95% interval by the variance of pairs; 50% is as strong.",
            );
            let columns: Vec<(u32, Vec<u64>)> = (0..).zip(pairs.iter().map(|&pairs| vec![pairs])).collect();
            figure(
                &mut body,
                &stacked_columns(
                    "pairs by points",
                    ("half points of the new values in a pair", "pairs"),
                    &[1],
                    &columns,
                )?,
                &format!(
                    "{} pairs of games (same dice, teams swapped) by the points of the new values.",
                    pairs.iter().sum::<u64>()
                ),
            );
            let rows = [[
                elo_words(elo),
                sprt.clone(),
                format!("{llr:.2}"),
                accepted.clone().unwrap_or_else(|| "neither".to_owned()),
            ]];
            let head = ["Elo difference", "Test (elo0, elo1, alpha, beta)", "LLR", "Accepted"];
            table(&mut body, head, &rows);
            if accepted.is_some() {
                let early = "The match stopped as soon as the test was decided: its score and Elo are biased away from even.";
                paragraph(&mut body, early);
            }
        }
        Proof::Fairness { side, target, before, after, games, .. } => {
            let bars = [("before", 2, before), ("now", 1, after)].map(|(name, shade, estimate)| Bar {
                name: name.to_owned(),
                shade,
                estimate: *estimate,
            });
            figure(
                &mut body,
                &dots_against("score in the proof", "mean score", Unit::Percent, *target, &bars)?,
                &format!(
                    "Score of {side} in {games} fresh games each, with 95% intervals; the line is the target of {:.1}%.",
                    100.0 * target
                ),
            );
        }
    }
    Ok(Section::new("Proof", body))
}

fn candidate(report: &Report, line: &CandidateLine) -> String {
    let start = if is_scenario(report) { "middle" } else { "old values" };
    line.run.map_or(start.to_owned(), |run| format!("run {run}"))
}

fn play_off(report: &Report) -> anyhow::Result<Section> {
    let target = match &report.proof {
        Proof::Fairness { target, .. } => *target,
        _ => 0.5,
    };
    let bars: Vec<Bar> = report
        .candidates
        .iter()
        .map(|line| Bar {
            name: candidate(report, line),
            shade: if line.run.is_some() { 1 } else { 2 },
            estimate: line.measure.score,
        })
        .collect();
    let mut body = String::new();
    let words = match &report.proof {
        Proof::Fairness { side, .. } => format!("Score of {side}; the line is the target."),
        _ => "Score against the old values; the line is as strong.".to_owned(),
    };
    figure(
        &mut body,
        &dots_against("play-off", "mean score", Unit::Percent, target, &bars)?,
        &format!("{words} The best setting is on top; the same fresh dice for all, 95% intervals."),
    );
    let rows: Vec<[String; 3]> = report
        .candidates
        .iter()
        .map(|line| {
            let score = percent(&line.measure.score);
            [candidate(report, line), score, line.measure.games.to_string()]
        })
        .collect();
    table(&mut body, ["Setting", "Score", "Games"], &rows);
    Ok(Section::new("Play-off", body))
}

/// Where the runs went, number by number.
fn course(report: &Report, folder: &Path) -> Result<Section, Failure> {
    let mut body = String::new();
    let Some(table) = read_report_table(folder, &course_schema())? else {
        paragraph(
            &mut body,
            &format!("The course of the search is not stored in this folder (there is no table {COURSE})."),
        );
        return Ok(Section::new("Course of the search", body));
    };
    let runs = runs_of(&table)?;
    let names: Vec<String> = (0..report.budget.runs).map(|run| format!("run {run}")).collect();
    let key = legend(names.iter().zip(0..).map(|(name, shade)| (name.as_str(), shade)));
    let _ = write!(
        body,
        "<p class=\"note\">{key} Each run's best guess at a number, by the games that all runs have played. Where the runs \
         end together, away from where they began, the number matters. Horizontal line: where they began.</p><div class=\"grid\">"
    );
    for (factor, &start) in report.space.factors.iter().zip(&report.space.start) {
        let drawn: Vec<Line> = runs
            .iter()
            .filter(|((name, _), _)| *name == factor.name)
            .map(|((_, run), points)| Line {
                name: names.get(*run).cloned().unwrap_or_default(),
                shade: *run,
                points: points.clone(),
            })
            .collect();
        let picture = lines(&factor.name, ("games", &factor.name), range_of(factor), &drawn, number(start))?;
        let _ = write!(body, "<figure>{picture}<figcaption>{}</figcaption></figure>", escape(&factor.name));
    }
    body.push_str("</div>");
    Ok(Section::new("Course of the search", body))
}

/// By number and run: games and values.
type Runs = BTreeMap<(String, usize), Vec<(f64, f64)>>;

fn runs_of(course: &Frame) -> anyhow::Result<Runs> {
    let mut runs = Runs::new();
    let rows = course.texts("name")?.zip(course.numbers("run")?);
    for ((name, run), (games, value)) in rows.zip(course.amounts("games")?.zip(course.amounts("value")?)) {
        runs.entry((name.to_owned(), run)).or_default().push((games, value));
    }
    Ok(runs)
}

fn range_of(factor: &Factor) -> std::ops::Range<f64> {
    number(factor.at(0.0))..number(factor.at(1.0))
}

fn values(report: &Report) -> Section {
    let old: BTreeMap<String, String> = report.space.named(&report.space.start).into_iter().collect();
    let rows: Vec<[String; 4]> = report
        .space
        .factors
        .iter()
        .map(|factor| {
            let range = range_of(factor);
            let known =
                |values: &BTreeMap<String, String>| values.get(&factor.name).cloned().unwrap_or_default();
            [
                factor.name.clone(),
                format!("{} to {}", range.start, range.end),
                known(&old),
                known(&report.best),
            ]
        })
        .collect();
    let mut body = String::new();
    let old = if is_scenario(report) { "Middle" } else { "Old value" };
    table(&mut body, ["Number", "Range", old, "Value found"], &rows);
    Section::new("Values", body)
}
