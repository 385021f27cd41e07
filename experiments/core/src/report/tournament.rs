//! A tournament as a page.

use std::path::Path;

use sandtable_stats::interval::Estimate;

use super::html::{
    Section, capital, figure, identity, paragraph, read_report, sections_page, table, unfinished,
};
use super::sections::{ladder, pairwise};
use crate::draw::plots::{Bar, Grid, Rung, mean_dots};
use crate::failure::Failure;
use crate::lab::tournament::manifest::KIND;
use crate::lab::tournament::report::{PairingLine, RatingLine, Report, ScenarioLine, SideLine, TestLine};
use crate::lab::words::{elo, percent, probability};

/// The page of the tournament in a folder.
///
/// # Errors
/// If the tournament is a shard, nothing of it or not all that was asked for is in its report, a file is damaged, or a
/// plot cannot be drawn.
pub fn tournament_page(folder: &Path) -> Result<String, Failure> {
    let again = format!("sandtable tournament --out {}", folder.display());
    let (report, manifest): (Report, _) = read_report(folder, KIND, &again)?;
    if let Some(shard) = &report.shard {
        return Err(Failure::input(format!(
            "{} is shard {shard} of a tournament: put all of them together with: sandtable merge OUT SHARD...",
            folder.display()
        )));
    }
    let entered = |list: &str| manifest[list].as_array().map_or(0, Vec::len);
    if manifest["pairs"] != report.pairs_asked
        || entered("agents") != report.ratings.len()
        || entered("scenarios") != report.scenarios.len()
    {
        return Err(unfinished(folder, KIND, &again));
    }
    let mut sections = vec![summary(&report)];
    if report.games > 0 {
        sections.push(ratings(&report)?);
        sections.push(pairwise(&scores(&report))?);
        sections.push(sides(&report)?);
        sections.push(pairings(&report));
        sections.extend(tests(&report));
        sections.extend(cycles(&report));
    }
    sections.push(identity(&manifest));
    let title = format!("Tournament: {} agents, {} games", report.ratings.len(), report.games);
    let verdict = match &report.ratings[..] {
        [first, second, ..] if report.games > 0 => leader_in_words(&report, first, second),
        _ => "Nothing was played.".to_owned(),
    };
    Ok(sections_page(&title, &verdict, &sections))
}

fn summary(report: &Report) -> Section {
    let names: Vec<&str> = report.scenarios.iter().map(|line| line.scenario.as_str()).collect();
    let mut sentences = vec![format!(
        "{} agents played {} pairs of games with swapped sides and the same dice in {}.{}",
        report.ratings.len(),
        report.pairs,
        names.join(", "),
        if report.complete { "" } else { " It is not finished." }
    )];
    if !report.reproducible {
        sentences.push("On another day or machine other games come out: an agent goes by the clock.".into());
    }
    sentences.extend(report.scenarios.iter().map(|line| format!("{}.", fairness_in_words(line))));
    sentences.extend(report.separation().map(|warning| format!("{}.", capital(&warning))));
    for cycle in report.cycles.iter().filter(|cycle| cycle.established) {
        let [a, b, c] = &cycle.agents;
        sentences.push(format!("Strength is intransitive: {a} beats {b}, {b} beats {c}, {c} beats {a}."));
    }
    let tested = report.pairings.iter().filter_map(|line| Some((line, line.sprt.as_ref()?)));
    sentences.extend(tested.map(|(line, test)| {
        format!("The test of {} against {} {}.", line.agent, line.opponent, verdict(test))
    }));
    Section::summary(&sentences, Some(report))
}

/// Whether a scenario favours a team. That it does not is only said with the power to see it.
fn fairness_in_words(line: &ScenarioLine) -> String {
    let ScenarioLine { scenario, first_team, second_team, first_score, .. } = line;
    let scored = format!("{first_team} scored {} in {} pairs", percent(first_score), line.pairs);
    if first_score.low > 0.5 || first_score.high < 0.5 {
        let ahead = if first_score.low > 0.5 { first_team } else { second_team };
        return format!("{scenario} favours {ahead}: {scored}");
    }
    match line.minimum_detectable_effect.filter(|visible| *visible > 0.0) {
        Some(visible) => format!(
            "{scenario} is not shown to favour a side: {scored}; the minimum detectable bias at 80% power is {:.1}%",
            100.0 * visible
        ),
        None => format!("Whether {scenario} favours a side cannot be told from these games: {scored}"),
    }
}

fn leader_in_words(report: &Report, first: &RatingLine, second: &RatingLine) -> String {
    let met = overall(report).find_map(|line| {
        if (&line.agent, &line.opponent) == (&first.agent, &second.agent) {
            Some(line.score)
        } else if (&line.opponent, &line.agent) == (&first.agent, &second.agent) {
            let Estimate { value, low, high } = line.score;
            Some(Estimate { value: 1.0 - value, low: 1.0 - high, high: 1.0 - low })
        } else {
            None
        }
    });
    let lead = format!("{} is rated highest, {} second", first.agent, second.agent);
    match met {
        Some(score) if score.low > 0.5 => format!("{lead}; against it the first scored {}.", percent(&score)),
        Some(score) => {
            format!(
                "{lead}; which of the two is stronger is not shown: the first scored {}.",
                percent(&score)
            )
        }
        None => format!("{lead}; they have not met."),
    }
}

/// How a test went.
fn verdict(test: &TestLine) -> String {
    match (&test.accepted, test.expected_pairs) {
        (Some(hypothesis), _) => format!(
            "accepted {hypothesis} after {} pairs{}",
            test.pairs,
            if test.stopped_early {
                " and stopped there, so that the score is biased away from even"
            } else {
                ""
            }
        ),
        (None, Some(more)) => {
            format!("is still open after {} pairs; about {more:.0} more are expected", test.pairs)
        }
        (None, None) => format!("is still open after {} pairs", test.pairs),
    }
}

/// Pairings over all scenarios together.
fn overall(report: &Report) -> impl Iterator<Item = &PairingLine> {
    report.pairings.iter().filter(|line| line.scenario.is_none())
}

fn ratings(report: &Report) -> anyhow::Result<Section> {
    let rungs: Vec<Rung> =
        report.ratings.iter().map(|line| Rung { name: line.agent.clone(), elo: line.elo }).collect();
    let Section { title, mut body } = ladder(&rungs, report.games)?;
    let rows: Vec<[String; 6]> = report
        .ratings
        .iter()
        .map(|line| {
            [
                line.rank.to_string(),
                line.agent.clone(),
                percent(&line.score),
                elo(&line.elo),
                line.games.to_string(),
                line.alpha_rank.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share)),
            ]
        })
        .collect();
    table(&mut body, ["Rank", "Agent", "Score", "Elo", "Games", "alpha-Rank"], &rows);
    let draws = report.draws_between_equals.map_or(String::new(), |share| {
        format!(" Equal agents draw {:.1}% of their games by the model.", 100.0 * share)
    });
    paragraph(
        &mut body,
        &format!(
            "Elo by Bradley-Terry with sides and draws, with 95% intervals of the likelihood, which takes the two games of a pair \
             for independent; table ratings has those of whole pairs as well. \"At least\" and \"at most\": the games bound the \
             rating from one side only. alpha-Rank: the share of time in which a \
             population that keeps switching to what beats it plays the agent; a dash: not all have met.{draws}"
        ),
    );
    Ok(Section { title, body })
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

/// Points by side, for all agents together, and what the first team is worth.
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
        figure(
            &mut body,
            &mean_dots(&format!("points by side in {}", scenario.scenario), "points", &bars)?,
            &format!(
                "Mean points a game by side in {}, over {} games of all agents, with 95% intervals.",
                scenario.scenario,
                2 * scenario.pairs
            ),
        );
        paragraph(
            &mut body,
            &format!(
                "In {} {} scores {}; what it is worth between equal agents, in Elo: {}. Draws {}.",
                scenario.scenario,
                scenario.first_team,
                percent(&scenario.first_score),
                elo(&scenario.first_elo),
                percent(&scenario.draws)
            ),
        );
    }
    Ok(Section::new("Points by side", body))
}

fn pairings(report: &Report) -> Section {
    let rows: Vec<[String; 10]> = report
        .pairings
        .iter()
        .map(|line| {
            [
                line.agent.clone(),
                line.opponent.clone(),
                line.scenario.clone().unwrap_or_else(|| "all".to_owned()),
                line.pairs.to_string(),
                line.wins.to_string(),
                line.draws.to_string(),
                line.losses.to_string(),
                percent(&line.score),
                elo(&line.elo),
                line.rating_difference.as_ref().map(elo).unwrap_or_default(),
            ]
        })
        .collect();
    let mut body = String::new();
    let head = [
        "Agent",
        "Opponent",
        "Scenario",
        "Pairs",
        "Won",
        "Drawn",
        "Lost",
        "Score",
        "Elo difference",
        "Difference of ratings",
    ];
    table(&mut body, head, &rows);
    let early = report.pairings.iter().any(|line| line.sprt.as_ref().is_some_and(|test| test.stopped_early));
    paragraph(
        &mut body,
        &format!(
            "95% intervals by the variance of pairs. The difference of ratings is by all games of the tournament.{}",
            if early {
                " Pairings that a test ended early are biased away from even: see the tests."
            } else {
                ""
            }
        ),
    );
    Section::new("Pairings", body)
}

/// The sequential tests, if pairings were to end by one.
fn tests(report: &Report) -> Option<Section> {
    let sprt = report.sprt.as_ref()?;
    let rows: Vec<[String; 6]> = overall(report)
        .filter_map(|line| {
            let test = line.sprt.as_ref()?;
            Some([
                line.agent.clone(),
                line.opponent.clone(),
                test.pairs.to_string(),
                format!("{:.2}", test.llr),
                format!("{:.2} and {:.2}", test.lower, test.upper),
                capital(&verdict(test)),
            ])
        })
        .collect();
    let mut body = String::new();
    let head = ["Agent", "Opponent", "Pairs", "Log-likelihood ratio", "Bounds", "How it went"];
    table(&mut body, head, &rows);
    let words = match sprt.split(',').collect::<Vec<_>>()[..] {
        [elo0, elo1, alpha, beta] => format!(
            "H0: the agent is stronger than its opponent by {elo0} Elo or less; H1: by {elo1} or more. H1 is accepted wrongly \
             with probability {alpha} at most, H0 with {beta}."
        ),
        _ => format!("Test {sprt}."),
    };
    paragraph(&mut body, &words);
    Some(Section::new("Sequential tests", body))
}

/// Triples in which strength may not be transitive.
fn cycles(report: &Report) -> Option<Section> {
    if report.ratings.len() < 3 {
        return None;
    }
    let mut body = String::new();
    if report.cycles.is_empty() {
        paragraph(&mut body, "None: in these results whoever beats the stronger beats the weaker too.");
    } else {
        let rows: Vec<[String; 4]> = report
            .cycles
            .iter()
            .map(|cycle| {
                let [a, b, c] = &cycle.agents;
                let scores: Vec<String> = cycle.scores.iter().map(percent).collect();
                [
                    format!("{a} beats {b}, {b} beats {c}, {c} beats {a}"),
                    scores.join("; "),
                    probability(cycle.p_value),
                    if cycle.established { "yes" } else { "no" }.to_owned(),
                ]
            })
            .collect();
        table(&mut body, ["Cycle", "Scores", "p", "Shown"], &rows);
        paragraph(
            &mut body,
            "p: of such scores if it were no cycle, corrected for the number of triples; shown below 0.05.",
        );
    }
    Some(Section::new("Intransitive cycles", body))
}
