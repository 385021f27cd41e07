//! A study of balance as a page.

use std::collections::BTreeMap;
use std::path::Path;

use sandtable_core::SideInfo;
use sandtable_stats::interval::{Estimate, Moments};
use sandtable_stats::pairs::GameResults;
use sandtable_stats::power::holm;

use super::html::{Section, figure, identity, paragraph, read_report, sections_page, table};
use super::sections::team_shade;
use crate::draw::page::{SIDES, escape};
use crate::draw::plots::{
    Bar, Curve, Unit, curves, dots_against, legend, mean_dots, response, share_bars, stacked_columns,
};
use crate::failure::Failure;
use crate::lab::balance::FRESH;
use crate::lab::balance::report::{CourseLine, HandicapLine, Report, RestrictionLine, StrengthLine};
use crate::lab::balance::tables::GAMES;
use crate::lab::balance::tally::Tally;
use crate::lab::balance::{KIND, Question};
use crate::lab::store::read_parts;
use crate::lab::study::{GamesTable, Manifest};
use crate::lab::words::{more, percent, percent_more, plain, with_sets};
use crate::system::{AnySystem, open, team_labels};

/// More values of a parameter than these are put together.
const VALUES: usize = 24;

/// What the page shows of a strength beside its line in the report: counted anew from the table of games, as the
/// command counts.
struct Seen {
    tally: Tally,
    /// The games of the search for a handicap, by the bits of the parameter's value.
    search: BTreeMap<u64, (f64, Tally)>,
}

/// The page of the study in a folder.
///
/// # Errors
/// If the study is not finished, a file is damaged, or a plot cannot be drawn.
pub fn balance_page(systems: &[Box<dyn AnySystem>], folder: &Path) -> Result<String, Failure> {
    let again = format!("sandtable balance --out {}", folder.display());
    let (report, manifest): (Report, _) = read_report(folder, KIND, &again)?;
    let sides = sides_of(systems, folder, &report)?;
    let whole = |line: &StrengthLine| {
        line.teams.len() == team_labels(&sides).len() && line.sides.len() == sides.len()
    };
    if report.strengths.is_empty() || !report.strengths.iter().all(whole) {
        return Err(Failure::input(format!(
            "{} is damaged: it is not of the sides of {}",
            folder.join(KIND).with_extension("json").display(),
            report.scenario.id
        )));
    }
    let seen = read_games(folder, &report, &sides, &again)?;
    let mut sections = vec![summary(&report)];
    sections.push(wins(&report, &sides)?);
    sections.push(points(&report)?);
    sections.push(ends(&report)?);
    sections.push(course(&report, &seen)?);
    sections.extend(handicaps(&report, &seen)?);
    sections.extend(restrictions(&report)?);
    sections.push(identity(&manifest));
    let scenario = with_sets(&report.scenario.id, &report.overrides);
    let verdicts = report.strengths.iter();
    let verdicts = verdicts.map(|line| format!("Between {} players: {}.", line.agent, line.verdict()));
    let verdict = verdicts.collect::<Vec<_>>().join(" ");
    Ok(sections_page(&format!("Balance of {scenario}: {} games", report.games), &verdict, &sections))
}

fn sides_of(
    systems: &[Box<dyn AnySystem>],
    folder: &Path,
    report: &Report,
) -> Result<Vec<SideInfo>, Failure> {
    let overrides = report
        .overrides
        .iter()
        .map(|text| text.parse())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    Ok(open(systems, &report.scenario.id, &overrides)?.sides().to_vec())
}

fn read_games(folder: &Path, report: &Report, sides: &[SideInfo], again: &str) -> Result<Vec<Seen>, Failure> {
    let format = Manifest::<Question>::read(folder)?.table_format()?;
    let teams = team_labels(sides).len();
    let new = || Seen { tally: Tally::new(sides.len(), teams), search: BTreeMap::new() };
    let mut seen: Vec<Seen> = report.strengths.iter().map(|_| new()).collect();
    read_parts(folder, format, &GamesTable::new(GAMES, sides), |record| {
        for (line, seen) in report.strengths.iter().zip(&mut seen) {
            let Some(value) = record.parameter else {
                if record.arm == line.agent {
                    seen.tally.add(&record.result);
                }
                continue;
            };
            if !record.arm.ends_with(FRESH) && record.agents.iter().all(|agent| *agent == line.agent) {
                let there = seen.search.entry(value.to_bits());
                there.or_insert_with(|| (value, new().tally)).1.add(&record.result);
            }
        }
        Ok(())
    })?;
    match report.strengths.iter().zip(&seen).find(|(line, seen)| line.games != seen.tally.games) {
        None => Ok(seen),
        Some((line, seen)) => Err(Failure::input(format!(
            "{}: the figures are of {} games of {}, the tables hold {}; finish the study with: {again}",
            folder.display(),
            line.games,
            line.agent,
            seen.tally.games
        ))),
    }
}

fn summary(report: &Report) -> Section {
    let scenario = with_sets(&report.scenario.id, &report.overrides);
    let agents: Vec<&str> = report.strengths.iter().map(|line| line.agent.as_str()).collect();
    let mut sentences = vec![format!(
        "How fair is {scenario}? {} games were played with seed {}, each agent against itself: {}.",
        report.games,
        report.seed,
        agents.join(", ")
    )];
    if !report.reproducible {
        sentences.push("On another day or machine other games come out: an agent goes by the clock.".into());
    }
    for line in &report.strengths {
        let [_, q25, q50, q75, _] = line.end.quantiles;
        let lasting = format!(
            "Between {} players games end on turn {q50} in the median, half of them on turns {q25} to {q75}",
            line.agent
        );
        sentences.push(match line.course.as_ref().and_then(|course| Some((course, course.decisive_turn?))) {
            Some((course, [low, middle, high])) => format!(
                "{lasting}; the lead changes {} times a game, and in games that are won, from turn {middle} on in the median (half \
                 of them: {low} to {high}) the winner leads to the end.",
                plain(&course.lead_changes, 2)
            ),
            None => format!("{lasting}."),
        });
        if let Some(handicap) = &line.handicap {
            sentences.push(format!(
                "Handicap {} from {} to {}: {}.",
                handicap.path, handicap.low, handicap.high, handicap.answer
            ));
        }
    }
    let tried = report.restrictions.len();
    let p: Vec<f64> = report.restrictions.iter().map(|line| line.share_p).collect();
    let felt: Vec<&RestrictionLine> = report
        .restrictions
        .iter()
        .zip(holm(&p, tried))
        .filter(|&(_, p)| p < 0.05)
        .map(|(line, _)| line)
        .collect();
    for line in &felt {
        sentences.push(format!(
            "With {} restricted ({}; {} on the other sides) the share of games that its team wins changes by {}.",
            line.side,
            line.restriction,
            line.agent,
            percent_more(&line.share)
        ));
    }
    if felt.len() < tried {
        sentences.push(format!(
            "For {} of {tried} restrictions these games show no difference in wins, at 5% for all {tried} together (Holm); the \
             intervals below, each at 95% for itself, tell how large one can be.",
            tried - felt.len()
        ));
    }
    Section::summary(&sentences, Some(report))
}

fn wins(report: &Report, sides: &[SideInfo]) -> anyhow::Result<Section> {
    let mut bars = Vec::new();
    for line in &report.strengths {
        bars.extend(line.teams.iter().enumerate().map(|(number, team)| Bar {
            name: format!("{}, {}", team.team, line.agent),
            shade: team_shade(sides, number),
            estimate: team.share,
        }));
        if line.draws.value > 0.0 {
            let name = format!("draw, {}", line.agent);
            bars.push(Bar { name, shade: sides.len(), estimate: line.draws });
        }
    }
    let mut body = String::new();
    figure(
        &mut body,
        &share_bars("share of games won by strength", "games won", &bars)?,
        "Share of games won by each team, by the agent on all sides, with 95% Wilson intervals.",
    );
    let first = &report.strengths[0].teams[0].team;
    let scores: Vec<Bar> = report
        .strengths
        .iter()
        .map(|line| Bar { name: line.agent.clone(), shade: 0, estimate: line.first_score })
        .collect();
    figure(
        &mut body,
        &dots_against("score of the first team", "mean score", Unit::Percent, 0.5, &scores)?,
        &format!("Mean score of {first}, a draw one half, with 95% intervals; a fair game scores 50%."),
    );
    let rows: Vec<[String; 5]> = report
        .strengths
        .iter()
        .map(|line| {
            let visible = line.minimum_detectable_effect.filter(|visible| *visible > 0.0);
            let visible = visible.map_or("unknown".to_owned(), |v| format!("{:.1}%", 100.0 * v));
            let wins: Vec<String> = line.teams.iter().map(|team| team.wins.to_string()).collect();
            [
                line.agent.clone(),
                line.games.to_string(),
                wins.join(" - "),
                percent(&line.first_score),
                visible,
            ]
        })
        .collect();
    let score = format!("Score of {first}");
    table(&mut body, ["Agent", "Games", "Won", &score, "Minimum detectable bias at 80% power"], &rows);
    Ok(Section::new("Who wins", body))
}

fn points(report: &Report) -> anyhow::Result<Section> {
    let bars: Vec<Bar> = report
        .strengths
        .iter()
        .flat_map(|line| {
            line.sides.iter().enumerate().map(|(shade, side)| Bar {
                name: format!("{}, {}", side.side, line.agent),
                shade,
                estimate: side.points,
            })
        })
        .collect();
    let mut body = String::new();
    figure(
        &mut body,
        &mean_dots("mean points by strength", "points", &bars)?,
        "Mean points a game by side and agent, with 95% intervals.",
    );
    let spread = |line: &StrengthLine| {
        let sides = line.sides.iter().map(|side| {
            let deviation = side.points_deviation.map_or("unknown".into(), |d| format!("{d:.2}"));
            [line.agent.clone(), side.side.clone(), plain(&side.points, 2), deviation]
        });
        sides.collect::<Vec<_>>()
    };
    let rows: Vec<[String; 4]> = report.strengths.iter().flat_map(spread).collect();
    table(&mut body, ["Agent", "Side", "Mean points", "Standard deviation of a game"], &rows);
    Ok(Section::new("Points", body))
}

/// When games end and why.
fn ends(report: &Report) -> anyhow::Result<Section> {
    let mut body = String::new();
    for line in &report.strengths {
        // The rarest end reasons share a colour.
        let names: Vec<&str> =
            line.end.end_reasons.iter().map(|end_reason| end_reason.end_reason.as_str()).collect();
        let own = if names.len() > SIDES { SIDES - 1 } else { names.len() };
        let mut columns: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for count in &line.end.counts {
            let place = names.iter().position(|name| *name == count.end_reason).unwrap_or(0).min(own);
            let parts = columns.entry(count.turn).or_insert_with(|| vec![0; own + 1]);
            parts[place] += count.games;
        }
        let columns: Vec<(u32, Vec<u64>)> = columns.into_iter().collect();
        let shades: Vec<usize> = (0..=own).collect();
        let mut shown: Vec<(String, usize)> =
            names[..own].iter().zip(0..).map(|(name, shade)| (name.replace('_', " "), shade)).collect();
        if own < names.len() {
            shown.push(("other reasons".to_owned(), own));
        }
        let title = format!("games by last turn, {}", line.agent);
        let picture = stacked_columns(&title, ("last game turn", "games"), &shades, &columns)?;
        let [q05, q25, q50, q75, q95] = line.end.quantiles;
        let _ = std::fmt::Write::write_fmt(
            &mut body,
            format_args!(
                "<figure>{picture}<figcaption>{} {}: {} games by the turn in which they ended and why. Median turn {q50}, half \
                 from {q25} to {q75}, nine of ten from {q05} to {q95}; {} last until turn {}.</figcaption></figure>",
                legend(shown.iter().map(|(name, shade)| (name.as_str(), *shade))),
                escape(&line.agent),
                line.games,
                percent(&line.end.reached_last),
                line.end.last_turn
            ),
        );
    }
    Ok(Section::new("When games end", body))
}

/// An agent whose games tell who leads when.
type Told<'a> = (&'a StrengthLine, &'a CourseLine, &'a Seen);

/// How games run: who leads when, how often the lead changes, from when on it does not.
fn course(report: &Report, seen: &[Seen]) -> anyhow::Result<Section> {
    let told: Vec<Told<'_>> = report
        .strengths
        .iter()
        .zip(seen)
        .filter_map(|(line, seen)| Some((line, line.course.as_ref()?, seen)))
        .collect();
    let mut body = String::new();
    if told.is_empty() {
        paragraph(&mut body, "This system cannot tell who leads in mid-game, so there is nothing to show.");
        return Ok(Section::new("How games run", body));
    }
    lead_by_turn(&mut body, &told, &report.strengths[0].teams[0].team)?;
    for (line, _, seen) in &told {
        lead_changes(&mut body, line, seen)?;
    }
    courses(&mut body, &told);
    let course = told[0].1;
    paragraph(
        &mut body,
        &format!(
            "A position counts as level within {} of even; a winner that was {} or more below even has come back.",
            course.level, course.deficit
        ),
    );
    Ok(Section::new("How games run", body))
}

/// Curves over the turns: what the position is worth to the first team, and how often the leader wins.
fn lead_by_turn(body: &mut String, told: &[Told<'_>], first: &str) -> anyhow::Result<()> {
    let curve = |value: fn(&crate::lab::balance::report::TurnLine) -> Estimate| {
        let of = |(shade, (line, course, _)): (usize, &Told<'_>)| Curve {
            name: line.agent.clone(),
            shade,
            points: course
                .turns
                .iter()
                .map(|turn| (turn.turn, value(turn)))
                .filter(|(_, e)| e.value.is_finite())
                .collect(),
        };
        told.iter().enumerate().map(of).collect::<Vec<Curve>>()
    };
    let key = legend(told.iter().enumerate().map(|(shade, (line, ..))| (line.agent.as_str(), shade)));
    for (list, title, words) in [
        (
            curve(|turn| turn.worth),
            format!("worth to {first}"),
            format!(
                "Mean worth of the position to {first} at the end of each turn, by agent, over the games that last so long: 100% \
                 is won, 50% even. Bands: 95% intervals."
            ),
        ),
        (
            curve(|turn| turn.hold),
            "leader wins".to_owned(),
            "How often whoever leads at the end of a turn goes on to win, in decided games. Bands: 95% intervals.".to_owned(),
        ),
    ] {
        let picture = curves(&title, &title, &list)?;
        let _ = std::fmt::Write::write_fmt(
            body,
            format_args!("<figure>{picture}<figcaption>{key} {}</figcaption></figure>", escape(&words)),
        );
    }
    Ok(())
}

/// Games of an agent by how often the lead changes, and by the turn from which on it does not.
fn lead_changes(body: &mut String, line: &StrengthLine, seen: &Seen) -> anyhow::Result<()> {
    let shapes = &seen.tally.shapes;
    let counts = |counts: &BTreeMap<u32, u64>, first: u32| -> Vec<(u32, Vec<u64>)> {
        counts.iter().map(|(&at, &games)| (at + first, vec![games])).collect()
    };
    let changes = counts(shapes.lead_changes(), 0);
    figure(
        body,
        &stacked_columns("lead changes", ("lead changes in a game", "games"), &[1], &changes)?,
        &format!("{}: games by how often the lead changes.", line.agent),
    );
    let points = counts(shapes.decisive_turn(), seen.tally.first_turn);
    if !points.is_empty() {
        figure(
            body,
            &stacked_columns("decisive turn", ("decisive turn (game turn)", "games"), &[0], &points)?,
            &format!("{}: decided games by the turn from which on the winner leads to the end.", line.agent),
        );
    }
    Ok(())
}

/// The table of the courses of games, an agent a row.
fn courses(body: &mut String, told: &[Told<'_>]) {
    let rows: Vec<[String; 6]> = told
        .iter()
        .map(|(line, course, _)| {
            let decisive_turn = course.decisive_turn.map_or("none".to_owned(), |[low, middle, high]| {
                format!("turn {middle}, half from {low} to {high}")
            });
            [
                line.agent.clone(),
                plain(&course.lead_changes, 2),
                percent(&course.no_lead_change),
                format!("{decisive_turn}; after {} of the game", percent(&course.decisive_turn_share)),
                percent(&course.comebacks),
                plain(&course.drama, 3),
            ]
        })
        .collect();
    table(
        body,
        [
            "Agent",
            "Lead changes a game",
            "Without any",
            "Decisive turn",
            "Winners that came back",
            "Deficit overcome",
        ],
        &rows,
    );
}

/// Scores by value of the parameter; neighbours are put together where there are many.
fn seen_at(seen: &Seen) -> Vec<(f64, Estimate)> {
    let mut all: Vec<(f64, GameResults)> =
        seen.search.values().map(|(value, tally)| (*value, tally.outcomes)).collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    if let (true, Some(first), Some(last)) = (all.len() > VALUES, all.first(), all.last()) {
        let (low, width) = (first.0, (last.0 - first.0) / VALUES as f64);
        let mut bins: BTreeMap<usize, (Moments, GameResults)> = BTreeMap::new();
        for (value, outcomes) in &all {
            let bin = (((value - low) / width) as usize).min(VALUES - 1);
            let (values, sum) = bins.entry(bin).or_default();
            values.extend((0..outcomes.n()).map(|_| *value));
            sum.merge(outcomes);
        }
        all = bins.into_values().map(|(values, outcomes)| (values.mean, outcomes)).collect();
    }
    all.iter().map(|(value, outcomes)| (*value, outcomes.score())).collect()
}

fn handicaps(report: &Report, seen: &[Seen]) -> anyhow::Result<Option<Section>> {
    let found: Vec<(&StrengthLine, &HandicapLine, &Seen)> = report
        .strengths
        .iter()
        .zip(seen)
        .filter_map(|(line, seen)| Some((line, line.handicap.as_ref()?, seen)))
        .collect();
    if found.is_empty() {
        return Ok(None);
    }
    let mut body = String::new();
    for (line, handicap, seen) in &found {
        let first = &line.teams[0].team;
        let curve = response(
            "score by handicap",
            &handicap.path,
            &seen_at(seen),
            handicap.target,
            &if handicap.nearest.is_some() { handicap.value } else { Estimate::UNKNOWN },
        )?;
        figure(
            &mut body,
            &curve,
            &format!(
                "{}: score of {first} at each value that the search has tried, with 95% Wilson intervals, over {} games. \
                 Horizontal line: the target. Blue, where there is one in the range: the value at which {first} scores it, the \
                 least if there are several, with its 95% interval.",
                line.agent, handicap.games
            ),
        );
    }
    let fresh: Vec<[String; 6]> = found
        .iter()
        .flat_map(|(line, handicap, _)| handicap.checks.iter().map(move |check| (*line, *handicap, check)))
        .map(|(line, handicap, check)| {
            [
                line.agent.clone(),
                format!("{} = {}", handicap.path, check.value),
                percent(&check.foretold),
                percent(&check.score),
                check.games.to_string(),
                if check.agrees { "agrees" } else { "CONTRADICTS the search" }.to_owned(),
            ]
        })
        .collect();
    let rows: Vec<[String; 6]> = found
        .iter()
        .map(|(line, handicap, _)| {
            [
                line.agent.clone(),
                format!("{} from {} to {}", handicap.path, handicap.low, handicap.high),
                handicap.nearest.map_or("none shown".to_owned(), |_| plain(&handicap.value, 2)),
                handicap.answer.clone(),
                percent(&handicap.score_low),
                percent(&handicap.score_high),
            ]
        })
        .collect();
    let head =
        ["Agent", "Parameter", "Fair value", "Summary", "Fitted score at the least", "at the greatest value"];
    table(&mut body, head, &rows);
    if !fresh.is_empty() {
        let head = ["Agent", "Value", "Score in the search", "Score with fresh dice", "Games", "Verdict"];
        table(&mut body, head, &fresh);
        paragraph(
            &mut body,
            "What was found, played again with dice that the search has not seen. A contradiction is a difference that luck \
             brings in fewer than one study in a hundred.",
        );
    }
    Ok(Some(Section::new("Fair handicap", body)))
}

fn restrictions(report: &Report) -> anyhow::Result<Option<Section>> {
    if report.restrictions.is_empty() {
        return Ok(None);
    }
    let sides: Vec<&str> = report.strengths[0].sides.iter().map(|side| side.side.as_str()).collect();
    let bars = |value: fn(&RestrictionLine) -> Estimate| -> Vec<Bar> {
        let bar = |line: &RestrictionLine| Bar {
            name: format!("{} {}, {}", line.side, line.restriction, line.agent),
            shade: sides.iter().position(|side| *side == line.side).unwrap_or(0),
            estimate: value(line),
        };
        report.restrictions.iter().map(bar).collect()
    };
    let mut body = String::new();
    figure(
        &mut body,
        &dots_against(
            "wins under restrictions",
            "difference in games won",
            Unit::Percent,
            0.0,
            &bars(|l| l.share),
        )?,
        "Share of games won by the side's team, restricted - free, on the same dice, with 95% \
         intervals. Left of the line: what it is denied is worth something.",
    );
    figure(
        &mut body,
        &dots_against("points under restrictions", "points", Unit::Plain, 0.0, &bars(|l| l.points))?,
        "The same for the mean points of the side.",
    );
    let rows: Vec<[String; 7]> = report
        .restrictions
        .iter()
        .map(|line| {
            [
                line.agent.clone(),
                line.side.clone(),
                format!("{} ({})", line.restriction, line.restricted_agent),
                line.pairs.to_string(),
                format!("{}, p = {:.3}", percent_more(&line.share), line.share_p),
                format!("{} to {}", percent(&line.free_share), percent(&line.restricted_share)),
                format!("{}, p = {:.3}", more(&line.points, 2), line.points_p),
            ]
        })
        .collect();
    table(
        &mut body,
        ["Agent", "Side", "Restriction", "Pairs", "Wins", "from free to restricted", "Points"],
        &rows,
    );
    Ok(Some(Section::new("Restricted play", body)))
}
