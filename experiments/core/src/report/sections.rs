//! The sections of a report, one function each.

use std::cmp::Reverse;
use std::fmt::Write;

use sandtable_core::SideInfo;
use sandtable_stats::interval::{Estimate, wilson};
use sandtable_stats::power::smallest_effect;
use sandtable_stats::survival::Survival;

use super::evidence::{Evidence, Fights, Series};
use super::html::{Section, capital, figure, identity, paragraph, sections_page, spoken, table};
use crate::draw::board::{Board, Heat};
use crate::draw::page::escape;
use crate::draw::plots::{
    Band, Bar, Curve, Grid, Rung, Unit, bands, curves, elo_ladder, heat_map, legend, mean_dots, share_bars,
    stacked_columns, survival,
};
use crate::lab::words::plain;
use crate::run::manifest::Manifest;
use crate::run::summary::Summary;
use crate::system::odds::{CombatOdds, End};
use crate::system::{AnyScenario, FightSource, PlainBattle, SurvivalSource, team_labels};

/// The page of a run.
///
/// # Errors
/// If a plot cannot be drawn.
pub fn run_page(
    evidence: &Evidence,
    scenario: &dyn AnyScenario,
    odds: Option<(PlainBattle, &CombatOdds)>,
) -> anyhow::Result<String> {
    let sides = scenario.sides();
    let summary = Summary::new(&evidence.manifest, sides, &evidence.tally);
    let board = scenario.map().map(|map| Board::new(&map, sides));
    let mut sections = vec![summary_section(evidence, &summary, scenario, board.as_ref())];
    sections.push(outcome(&summary, sides)?);
    sections.push(length(evidence, sides)?);
    if evidence.series.iter().any(|series| series.sides.iter().any(|turns| !turns.is_empty())) {
        sections.push(over_time(&evidence.series, sides)?);
        sections.extend(deciding(&evidence.series, sides)?);
    }
    if let Some(source) = scenario.highlights().survival {
        sections.push(lives(evidence, source)?);
    }
    if let Some(board) = &board
        && let Some(source) = scenario.highlights().fights
    {
        sections.push(fought_over(evidence, board, source));
    }
    if let Some((battle, odds)) = odds {
        sections.push(odds_grid(battle, odds)?);
    }
    sections.push(manifest_section(&evidence.manifest)?);
    let title = format!("{}: {} games", summary.scenario, summary.games);
    Ok(sections_page(&title, &verdict(&evidence.tally.wins, summary.games, sides), &sections))
}

/// Whether these players' games are even. That they are is never said, only what would have shown.
fn verdict(wins: &[u64], games: u64, sides: &[SideInfo]) -> String {
    let &[first, second] = wins else {
        let rates: Vec<String> = wins
            .iter()
            .enumerate()
            .map(|(team, &wins)| format!("{} wins {}", team_name(sides, team), rate_words(wins, games)))
            .collect();
        return format!("{}.", rates.join("; "));
    };
    let decided = first + second;
    if decided == 0 {
        return format!("All of {games} games are draws.");
    }
    let of = if decided == games { "games" } else { "decided games" };
    let share = |wins: u64| {
        let Estimate { value, low, high } = wilson(wins, decided);
        let percent = |value: f64| format!("{:.1}%", 100.0 * value);
        format!(
            "{} of the {of} (95% interval {} to {}, {wins} of {decided})",
            percent(value),
            percent(low),
            percent(high)
        )
    };
    let bounds = wilson(first, decided);
    if bounds.low > 0.5 || bounds.high < 0.5 {
        let ahead = usize::from(bounds.high < 0.5);
        let words = share(wins[ahead]);
        return format!(
            "Between these players the game favours {}, which wins {words}.",
            team_name(sides, ahead)
        );
    }
    let detectable = smallest_effect(decided, 0.5, 0.05, 0.8).ok().filter(|effect| *effect < 0.5);
    format!(
        "Not shown to favour a side between these players: {} wins {}{}.",
        team_name(sides, 0),
        share(first),
        detectable.map_or(String::new(), |effect| format!(
            "; the minimum detectable bias at 80% power is {:.1} percentage points",
            100.0 * effect
        ))
    )
}

/// `80.0% (95% interval 65.2% to 89.5%, 32 of 40 games)`.
fn rate_words(hits: u64, n: u64) -> String {
    let Estimate { value, low, high } = wilson(hits, n);
    let percent = |value: f64| format!("{:.1}%", 100.0 * value);
    let value = if n == 0 { "none".to_owned() } else { percent(value) };
    format!("{value} (95% interval {} to {}, {hits} of {n} games)", percent(low), percent(high))
}

/// The sides of a team by name.
fn team_name(sides: &[SideInfo], team: usize) -> String {
    let names: Vec<&str> =
        sides.iter().filter(|side| usize::from(side.team) == team).map(|side| side.name).collect();
    names.join(" and ")
}

/// The first side of a team lends it its colour.
pub(super) fn team_shade(sides: &[SideInfo], team: usize) -> usize {
    sides.iter().position(|side| usize::from(side.team) == team).unwrap_or(0)
}

/// How many games of what were played by whom.
fn played_in_words(summary: &Summary, sides: &[SideInfo]) -> String {
    let player = |side: &SideInfo| {
        let agent = summary.agents.get(side.id).map_or("nobody", String::as_str);
        format!("{} by {agent}", side.name)
    };
    let players: Vec<String> = sides.iter().map(player).collect();
    let Summary { games, scenario, seed, .. } = summary;
    format!("{games} games of {scenario} were played with seed {seed}: {}.", players.join(", "))
}

/// How often each team won, and how often nobody did.
fn results_in_words(wins: &[u64], summary: &Summary, sides: &[SideInfo]) -> String {
    let won = |(team, &wins)| format!("{} won {}", team_name(sides, team), rate_words(wins, summary.games));
    let mut results: Vec<String> = wins.iter().enumerate().map(won).collect();
    if summary.draws.games > 0 {
        results.push(format!("draws {}", rate_words(summary.draws.games, summary.games)));
    }
    format!("{}.", results.join("; "))
}

/// When games end, and why; `None` if there are none.
fn length_in_words(summary: &Summary) -> Option<String> {
    let turns = &summary.turns;
    let (min, low, median, high, max) =
        (turns.min?, turns.lower_quartile?, turns.median?, turns.upper_quartile?, turns.max?);
    let mut reasons: Vec<_> = summary.end_reasons.iter().collect();
    reasons.sort_by_key(|&(reason, &games)| (Reverse(games), reason));
    let reasons: Vec<String> =
        reasons.iter().map(|(reason, games)| format!("{} {games}", reason.replace('_', " "))).collect();
    Some(format!(
        "A game ends on turn {median} in the median; half of the games end on turns {low} to {high}, all of them on turns \
         {min} to {max}. End reasons: {}.",
        reasons.join(", ")
    ))
}

/// What came out, in sentences.
pub fn summary_section(
    evidence: &Evidence,
    summary: &Summary,
    scenario: &dyn AnyScenario,
    board: Option<&Board>,
) -> Section {
    let sides = scenario.sides();
    let mut body = String::from("<div id=\"summary\">");
    if evidence.missing > 0 {
        paragraph(
            &mut body,
            &format!(
                "This run is not finished: {} of its {} parts are missing. What follows is about the games that are there.",
                evidence.missing,
                evidence.manifest.parts().count()
            ),
        );
    }
    if let Some(shard) = evidence.manifest.shard {
        paragraph(
            &mut body,
            &format!("This is share {shard} of the games of a run; the others are elsewhere."),
        );
    }
    paragraph(&mut body, &played_in_words(summary, sides));
    paragraph(&mut body, &results_in_words(&evidence.tally.wins, summary, sides));
    if let Some(words) = length_in_words(summary) {
        paragraph(&mut body, &words);
    }
    if let Some(words) = decided_in_words(&evidence.series, sides) {
        paragraph(&mut body, &words);
    }
    if let Some(source) = scenario.highlights().survival {
        paragraph(&mut body, &falls_in_words(evidence, source));
    }
    if let (Some(board), Some(source)) = (board, scenario.highlights().fights)
        && let Some(words) = fights_in_words(evidence, board, source)
    {
        paragraph(&mut body, &words);
    }
    body.push_str("</div>");
    Section::new("Summary", body)
}

/// Who won how often, and the points.
///
/// # Errors
/// If a plot cannot be drawn.
pub fn outcome(summary: &Summary, sides: &[SideInfo]) -> anyhow::Result<Section> {
    let rate = |name: String, shade, rate: &crate::run::summary::Rate| Bar {
        name,
        shade,
        estimate: Estimate { value: rate.rate.unwrap_or(f64::NAN), low: rate.low, high: rate.high },
    };
    let mut wins: Vec<Bar> = summary
        .wins
        .iter()
        .enumerate()
        .map(|(team, wins)| rate(team_name(sides, team), team_shade(sides, team), wins))
        .collect();
    if summary.draws.games > 0 {
        wins.push(rate("draw".into(), sides.len(), &summary.draws));
    }
    let points: Vec<Bar> = summary
        .points
        .iter()
        .zip(sides)
        .enumerate()
        .map(|(shade, (mean, side))| Bar {
            name: side.name.to_owned(),
            shade,
            estimate: Estimate {
                value: mean.mean.unwrap_or(f64::NAN),
                low: mean.low.unwrap_or(f64::NEG_INFINITY),
                high: mean.high.unwrap_or(f64::INFINITY),
            },
        })
        .collect();
    let body = format!(
        "<figure>{}<figcaption>Share of {n} games won, with 95% Wilson intervals.</figcaption></figure>\
         <figure>{}<figcaption>Mean points a game over {n} games, with 95% Student intervals inside what can be had.</figcaption></figure>",
        share_bars("share of games won", "games won", &wins)?,
        mean_dots("mean points", "points", &points)?,
        n = summary.games
    );
    Ok(Section::new("Outcome", body))
}

/// When games end.
///
/// # Errors
/// If the plot cannot be drawn.
pub fn length(evidence: &Evidence, sides: &[SideInfo]) -> anyhow::Result<Section> {
    let teams = team_labels(sides).len();
    let mut shades: Vec<usize> = (0..teams).map(|team| team_shade(sides, team)).collect();
    shades.push(sides.len());
    let columns: Vec<(u32, Vec<u64>)> =
        evidence.endings.iter().map(|(&turn, games)| (turn, games.clone())).collect();
    let names: Vec<String> = (0..teams).map(|team| format!("{} won", team_name(sides, team))).collect();
    let draws = (evidence.tally.draws > 0).then_some(("draw", sides.len()));
    let entries = names.iter().map(String::as_str).zip(shades.iter().copied()).chain(draws);
    let body = format!(
        "<figure>{}<figcaption>{} Games by the turn in which they ended and by who won; {} games.</figcaption></figure>",
        stacked_columns("games by last turn", ("last game turn", "games"), &shades, &columns)?,
        legend(entries),
        evidence.tally.games
    );
    Ok(Section::new("Length", body))
}

/// Quantities of each side over time.
///
/// # Errors
/// If a plot cannot be drawn.
pub fn over_time(series: &[Series], sides: &[SideInfo]) -> anyhow::Result<Section> {
    let mut body = format!(
        "<p class=\"note\">{} Line: the median over the games that still run at the turn; bands: the middle half and the \
         middle 80% of them.</p><div class=\"grid\">",
        legend(sides.iter().enumerate().map(|(shade, side)| (side.name, shade)))
    );
    for series in series {
        let of_sides: Vec<Band> = series
            .sides
            .iter()
            .zip(sides)
            .enumerate()
            .map(|(shade, (turns, side))| Band {
                name: side.name.to_owned(),
                shade,
                points: turns
                    .iter()
                    .filter_map(|(&turn, values)| {
                        let at = |q| values.quantile(q);
                        Some((turn, [at(0.1)?, at(0.25)?, at(0.5)?, at(0.75)?, at(0.9)?]))
                    })
                    .collect(),
            })
            .collect();
        let name = spoken(&series.column);
        let title = if series.unit == name { name.clone() } else { format!("{name} ({})", series.unit) };
        let _ = write!(
            body,
            "<figure>{}<figcaption>{}.</figcaption></figure>",
            bands(&format!("{name} over time"), &title, &of_sides)?,
            escape(&capital(&series.doc))
        );
    }
    body.push_str("</div>");
    Ok(Section::new("Over time", body))
}

/// How well a look at a side's figure tells the winner, turn by turn.
fn concordance_by_turn(series: &Series, side: &SideInfo, turns_of: usize) -> Vec<(u32, Estimate)> {
    let turns = &series.sides[turns_of];
    turns
        .iter()
        .filter_map(|(&turn, values)| Some((turn, values.concordance(usize::from(side.team))?)))
        .collect()
}

/// From which turn on the winner is told apart, if any.
///
/// # Errors
/// If the plot cannot be drawn.
pub fn deciding(series: &[Series], sides: &[SideInfo]) -> anyhow::Result<Option<Section>> {
    let Some(series) = series.first() else { return Ok(None) };
    let list: Vec<Curve> = sides
        .iter()
        .enumerate()
        .map(|(shade, side)| Curve {
            name: side.name.to_owned(),
            shade,
            points: concordance_by_turn(series, side, shade),
        })
        .filter(|curve| !curve.points.is_empty())
        .collect();
    if list.is_empty() {
        return Ok(None);
    }
    let name = spoken(&series.column);
    let body = format!(
        "<figure>{}<figcaption>{} How well the {name} of a side at the end of a turn predict whether it wins: the concordance \
         (AUC), the share of pairs of a game won and a game not won in which the won one has more (95% intervals of Newcombe). \
         50% is no better than a coin. Games that are over are left out, and turns with fewer than five games of either kind.\
         </figcaption></figure>",
        curves("how early the winner is told", "concordance (AUC)", &list)?,
        legend(list.iter().map(|curve| (curve.name.as_str(), curve.shade)))
    );
    Ok(Some(Section::new("When it is decided", body)))
}

/// The same in a sentence.
fn decided_in_words(series: &[Series], sides: &[SideInfo]) -> Option<String> {
    const SURE: f64 = 0.9;
    let series = series.first()?;
    let name = spoken(&series.column);
    let found = sides
        .iter()
        .enumerate()
        .filter_map(|(at, side)| {
            let points = concordance_by_turn(series, side, at);
            let doubtful = points.iter().rposition(|(_, estimate)| estimate.value < SURE);
            let first = points.get(doubtful.map_or(0, |at| at + 1))?;
            Some((first.0, side.name, first.1))
        })
        .min_by_key(|&(turn, ..)| turn);
    if let Some((turn, side, share)) = found {
        return Some(format!(
            "What decides: from turn {turn} on the {name} of {side}, the side that tells earliest, predict the winner with a \
             concordance (AUC) of {:.0}% or more: of a game {side} wins and one it does not, the won one has more in so many pairs \
             (95% interval at that turn {:.0}% to {:.0}%).",
            100.0 * share.value,
            100.0 * share.low,
            100.0 * share.high
        ));
    }
    let best = sides
        .iter()
        .enumerate()
        .flat_map(|(at, side)| {
            concordance_by_turn(series, side, at).into_iter().map(move |point| (side.name, point))
        })
        .max_by(|one, other| one.1.1.value.total_cmp(&other.1.1.value))?;
    let (side, (turn, Estimate { value, low, high })) = best;
    Some(format!(
        "The {name} alone do not settle who wins to the end: they predict it best on turn {turn}, when of a game {side} wins and \
         one it does not, the won one has more in {:.0}% of all pairs (concordance or AUC, 95% interval {:.0}% to {:.0}%).",
        100.0 * value,
        100.0 * low,
        100.0 * high
    ))
}

/// Events of an observation.
fn falls(survival: &Survival) -> u64 {
    survival.curve().iter().map(|step| step.events).sum()
}

/// Countries by how often they fell, the most often first.
fn by_falls(evidence: &Evidence) -> Vec<(&str, &Survival, u64)> {
    let mut list: Vec<(&str, &Survival, u64)> =
        evidence.survival.iter().map(|(id, survival)| (id.as_str(), survival, falls(survival))).collect();
    list.sort_by_key(|&(id, survival, falls)| (Reverse(falls), survival.median().0.unwrap_or(u32::MAX), id));
    list
}

fn falls_in_words(evidence: &Evidence, source: SurvivalSource) -> String {
    let list = by_falls(evidence);
    let told: Vec<String> = list
        .iter()
        .filter(|(.., falls)| *falls > 0)
        .take(4)
        .map(|&(id, survival, falls)| {
            let when = median_words(survival).map_or(String::new(), |words| format!(", {words}"));
            format!("{} {} in {}{when}", (source.name)(id), source.verb.0, rate_words(falls, survival.n()))
        })
        .collect();
    if told.is_empty() {
        format!("No {} {} in any game.", source.noun.0, source.verb.0)
    } else {
        format!("{}.", told.join("; "))
    }
}

/// When half have fallen, with the interval.
fn median_words(survival: &Survival) -> Option<String> {
    let (Some(turn), low, high) = survival.median() else { return None };
    let low = low.map_or(String::new(), |turn| turn.to_string());
    let end = high.map_or_else(|| "later than any game lasts".to_owned(), |turn| turn.to_string());
    Some(format!("in the median on turn {turn} (95% interval {low} to {end})"))
}

/// How long countries last.
///
/// # Errors
/// If a plot cannot be drawn.
pub fn lives(evidence: &Evidence, source: SurvivalSource) -> anyhow::Result<Section> {
    let last = evidence.endings.keys().next_back().copied().unwrap_or(1);
    let list = by_falls(evidence);
    let mut body = format!(
        "<p class=\"note\">The share of games in which {} {} has not yet {}, by game turn: Kaplan-Meier curves with 95% \
         intervals. A game that ends before counts as long as it lasts.</p><div class=\"grid\">",
        article(source.noun.0),
        source.noun.0,
        source.verb.1
    );
    for &(id, observed, falls) in list.iter().filter(|(.., falls)| *falls > 0) {
        let steps: Vec<(u32, Estimate)> =
            observed.curve().into_iter().map(|step| (step.turn, step.survival)).collect();
        let median = median_words(observed).unwrap_or_else(|| "no median".to_owned());
        let _ = write!(
            body,
            "<figure class=\"small\"><b>{}</b><br>{}<figcaption>{falls} of {} games; {median}</figcaption></figure>",
            escape((source.name)(id)),
            survival((source.name)(id), &steps, last)?,
            observed.n()
        );
    }
    body.push_str("</div>");
    let never: Vec<&str> =
        list.iter().filter(|(.., falls)| *falls == 0).map(|&(id, ..)| (source.name)(id)).collect();
    if !never.is_empty() {
        paragraph(&mut body, &format!("Never {} in these games: {}.", source.verb.1, never.join(", ")));
    }
    if !evidence.not_at_risk.is_empty() {
        let others: Vec<&str> = evidence.not_at_risk.iter().map(|id| (source.name)(id)).collect();
        let words = format!("Not counted, for they had {} or were not there at the start: ", source.verb.1);
        paragraph(&mut body, &format!("{words}{}.", others.join(", ")));
    }
    Ok(Section::new(&format!("Survival of {}", source.noun.1), body))
}

/// Places by fights, the most first, by index.
fn by_fights(evidence: &Evidence, board: &Board) -> Vec<(usize, Fights)> {
    let mut list: Vec<(usize, Fights)> = board
        .map()
        .places
        .iter()
        .enumerate()
        .filter_map(|(at, place)| Some((at, *evidence.fights.get(&place.id)?)))
        .collect();
    list.sort_by_key(|&(at, fights)| (Reverse(fights.fights), at));
    list
}

/// The name of a place, or its identifier if it has none.
fn place_name(board: &Board, at: usize) -> &str {
    let place = &board.map().places[at];
    if place.name.is_empty() { &place.id } else { &place.name }
}

/// The indefinite article of a noun.
fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn fights_in_words(evidence: &Evidence, board: &Board, source: FightSource) -> Option<String> {
    let games = evidence.tally.games;
    let told: Vec<String> = by_fights(evidence, board)
        .iter()
        .take(3)
        .map(|(at, fights)| format!("{} {}", place_name(board, *at), plain(&fights.a_game(games), 1)))
        .collect();
    let (_, fights) = source.noun;
    (!told.is_empty()).then(|| {
        format!(
            "Most fought over, in {fights} a game with 95% intervals over {games} games: {}.",
            told.join(", ")
        )
    })
}

/// Battle locations.
pub fn fought_over(evidence: &Evidence, board: &Board, source: FightSource) -> Section {
    let games = evidence.tally.games;
    let (fight, fights) = source.noun;
    let list = by_fights(evidence, board);
    let mut values: Vec<Option<f64>> =
        (0..board.map().places.len()).map(|at| board.is_land(at).then_some(0.0)).collect();
    for (at, there) in &list {
        values[*at] = Some(there.a_game(games).value);
    }
    let heat = Heat { values, meaning: format!("{fights} a game") };
    let mut body = String::new();
    let caption = format!("{} a game by the place attacked, over {games} games.", capital(fights));
    figure(&mut body, &board.heat(&heat), &caption);
    let rows: Vec<[String; 3]> = list
        .iter()
        .take(12)
        .map(|(at, there)| {
            let name = place_name(board, *at).to_owned();
            [name, plain(&there.a_game(games), 2), rate_words(there.games, games)]
        })
        .collect();
    let mean = format!("{} a game, 95% interval", capital(fights));
    table(&mut body, ["Place", &mean, &format!("Games with a {fight} there")], &rows);
    Section::new("Battle locations", body)
}

/// Strengths of players.
///
/// # Errors
/// If the plot cannot be drawn.
pub fn ladder(rungs: &[Rung], games: u64) -> anyhow::Result<Section> {
    let body = format!(
        "<figure>{}<figcaption>Elo by maximum likelihood over {games} games, with 95% intervals.</figcaption></figure>",
        elo_ladder(rungs)?
    );
    Ok(Section::new("Elo ladder", body))
}

/// Who scores what against whom: a score is points a game, a draw one half.
///
/// # Errors
/// If the plot cannot be drawn.
pub fn pairwise(scores: &Grid) -> anyhow::Result<Section> {
    let body = format!(
        "<figure>{}<figcaption>Score of the player of the row against the player of the column: 100% wins every game.\
         </figcaption></figure>",
        heat_map("pairwise scores", scores, 0.0..1.0, Unit::Percent)?
    );
    Ok(Section::new("Pairwise scores", body))
}

/// The probability that the place attacked is cleared, by the strengths of attacker and defender.
///
/// # Errors
/// If the plot cannot be drawn.
pub fn odds_grid(battle: PlainBattle, odds: &CombatOdds) -> anyhow::Result<Section> {
    let (attackers, defenders) = battle.up_to;
    let mut values = vec![vec![None; usize::from(attackers)]; usize::from(defenders)];
    for cell in &odds.grid {
        let cleared =
            cell.result.as_ref().ok().map(|result| result.whole.chance(|outcome| outcome.end != End::Held));
        values[usize::from(cell.defenders - 1)][usize::from(cell.attackers - 1)] = cleared;
    }
    let grid = Grid {
        row_title: "defenders".into(),
        column_title: "attackers".into(),
        rows: (1..=defenders).map(|n| n.to_string()).collect(),
        columns: (1..=attackers).map(|n| n.to_string()).collect(),
        values,
    };
    let body = format!(
        "<figure>{}<figcaption>Exact probability that the place attacked is cleared of defenders, in {} of each side: \
         {}. Empty cells are attacks that the rules do not allow.</figcaption></figure>",
        heat_map("odds of a battle", &grid, 0.0..1.0, Unit::Percent)?,
        escape(odds.unit),
        escape(battle.words)
    );
    Ok(Section::new("Battle odds", body))
}

/// What identifies the run.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn manifest_section(manifest: &Manifest) -> anyhow::Result<Section> {
    Ok(identity(&serde_json::to_value(manifest)?))
}
