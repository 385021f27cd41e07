//! The figures of a study of balance. They depend on the games alone.

use std::borrow::Cow;
use std::fmt::{self, Write};

use sandtable_stats::interval::{Estimate, normal_quantile, quantile, wilson};
use sandtable_stats::power::{paired_rates, smallest_effect};
use sandtable_stats::root::{Crossing, Method, Status};
use serde::{Deserialize, Serialize};

use super::tally::{DEFICIT, LEVEL, RestrictedTally, Tally};
use super::{Balance, Handicap, HandicapParameter, KIND};
use crate::build_info;
use crate::lab::tournament::manifest::ScenarioEntry;
use crate::lab::words::{NOT_REPRODUCIBLE, more, percent, percent_more, plain, probability, with_sets};
use crate::run::summary::finite;
use crate::system::{Extras, Setup, difference_of_points, mean_points, team_labels};

/// The file `balance.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// `balance`.
    pub kind: Cow<'static, str>,
    /// The version of the program.
    pub sandtable_version: Cow<'static, str>,
    /// The commit it was built from.
    pub sandtable_commit: Cow<'static, str>,
    /// The seed.
    pub seed: u64,
    /// The scenario and the hash of its data.
    pub scenario: ScenarioEntry,
    /// The overrides, `path=value`.
    pub overrides: Vec<String>,
    /// Whether the same command gives the same games: no agent has a budget in milliseconds.
    pub reproducible: bool,
    /// Games of all arms.
    pub games: u64,
    /// The agents, each against itself.
    pub strengths: Vec<StrengthLine>,
    /// What each side loses under each restriction.
    pub restrictions: Vec<RestrictionLine>,
}

/// One agent on all sides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StrengthLine {
    /// The agent.
    pub agent: String,
    /// Games played.
    pub games: u64,
    /// The teams.
    pub teams: Vec<TeamLine>,
    /// The share of drawn games.
    pub draws: Estimate,
    /// The mean score of the first team, a draw one half.
    pub first_score: Estimate,
    /// The smallest distance of that score from one half that so many games show with probability 0.8.
    #[serde(alias = "visible")]
    pub minimum_detectable_effect: Option<f64>,
    /// The sides.
    pub sides: Vec<SideLine>,
    /// When games end.
    pub end: EndLine,
    /// How games run; none if the system cannot tell.
    pub course: Option<CourseLine>,
    /// The handicap that makes the game fair; none if not asked for.
    pub handicap: Option<HandicapLine>,
}

/// A team.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TeamLine {
    /// Its sides, joined by `+`.
    pub team: String,
    /// Games won.
    pub wins: u64,
    /// The share of games won.
    pub share: Estimate,
}

/// A side.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SideLine {
    /// The side.
    pub side: String,
    /// Mean points in the game's own unit.
    pub points: Estimate,
    /// The standard deviation of the points of a game.
    pub points_deviation: Option<f64>,
    /// Mean worth of the result, 0 to 1.
    pub utility: Estimate,
}

/// When games end, and why.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EndLine {
    /// The turns by which 5, 25, 50, 75 and 95 per cent of the games have ended.
    pub quantiles: [u32; 5],
    /// The latest turn in which any game of the study ended.
    pub last_turn: u32,
    /// The share of games that ended in it.
    pub reached_last: Estimate,
    /// Mean number of decisions.
    pub decisions: Estimate,
    /// The end reasons, the most frequent first.
    pub end_reasons: Vec<EndReasonLine>,
    /// Games by end turn and end reason.
    pub counts: Vec<EndCount>,
}

/// Why games end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EndReasonLine {
    /// The end reason.
    pub end_reason: String,
    /// The share of games.
    pub share: Estimate,
}

/// Games that ended alike.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndCount {
    /// The turn.
    pub turn: u32,
    /// The end reason.
    pub end_reason: String,
    /// Games.
    pub games: u64,
}

/// How games run, by the worth of the position to the first team after each turn, from 0 to 1.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CourseLine {
    /// A worth so close to one half counts as level.
    pub level: f64,
    /// A winner whose worth was once so far below one half has come back.
    pub deficit: f64,
    /// How often the lead changes in a game.
    pub lead_changes: Estimate,
    /// The share of games in which it never does.
    pub no_lead_change: Estimate,
    /// The quartiles of the turn from which on the winner leads to the end, in decided games.
    pub decisive_turn: Option<[u32; 3]>,
    /// The mean of the same as a share of the game's length.
    pub decisive_turn_share: Estimate,
    /// The share of decided games in which the winner came back.
    pub comebacks: Estimate,
    /// The mean of the largest deficit that the winner overcame.
    pub drama: Estimate,
    /// Turn by turn.
    pub turns: Vec<TurnLine>,
}

/// A turn of all games that last so long.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TurnLine {
    /// The turn.
    pub turn: u32,
    /// Games that last so long.
    pub games: u64,
    /// The mean worth to the first team.
    pub worth: Estimate,
    /// How often whoever leads then goes on to win.
    pub hold: Estimate,
}

/// A fair handicap, or why there is none.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HandicapLine {
    /// What is turned.
    pub path: String,
    /// The least value.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// The score of the first team that counts as fair.
    pub target: f64,
    /// How the search ended.
    pub status: Status,
    /// The value at which the first team scores the target, the least if there are several; between the steps if
    /// there are steps.
    pub value: Estimate,
    /// Where there are steps, one beside a value at which the first team scores the target whose games do not tell its score from that:
    /// with few games there are more of them. Of several values the first with such a step counts. Without steps the value itself.
    /// None if there is no fair value in the range, or at no step.
    pub fair: Option<f64>,
    /// The step nearest to that value, or to the first if none has a fair step; none if there is no fair value in the range.
    pub nearest: Option<f64>,
    /// All values at which the first team scores the target, in ascending order.
    pub crossings: Vec<CrossingLine>,
    /// The probability of scores so far from a logistic curve over the whole range if it were one; none if they are
    /// too few.
    pub misfit: Option<f64>,
    /// What was found, played again with dice that the search has not seen.
    pub checks: Vec<CheckLine>,
    /// Whether those games contradict what was found.
    pub disputed: bool,
    /// Games that the search took, without those that check it.
    pub games: u64,
    /// The score of the first team at the least value: by the fitted curve or, where no curve fits, by the games there.
    pub score_low: Estimate,
    /// The same at the greatest value.
    pub score_high: Estimate,
    /// The answer in words.
    pub answer: String,
}

/// A value at which the first team scores the target.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CrossingLine {
    /// The value; where there are steps, on the line from the score at one to that at the next.
    pub value: Estimate,
    /// The steps on either side; none where any value will do.
    pub between: Option<[f64; 2]>,
    /// Whether the score of the first team rises there with the value.
    pub rising: bool,
    /// By what it was found.
    pub method: Method,
}

/// Fresh games at a value that was found, or at a step beside it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckLine {
    /// The value.
    pub value: f64,
    /// Games.
    pub games: u64,
    /// The score of the first team in them.
    pub score: Estimate,
    /// Its score there by the games of the search.
    pub foretold: Estimate,
    /// Whether both may be of one kind: a difference so large would come by luck in more than one study in a hundred.
    pub agrees: bool,
}

/// What a side loses when it is denied something; the games of both arms have the same dice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RestrictionLine {
    /// The strength of all other sides.
    pub agent: String,
    /// The side that is restricted.
    pub side: String,
    /// What it is denied.
    pub restriction: String,
    /// Who plays it then.
    pub restricted_agent: String,
    /// Pairs of games.
    pub pairs: u64,
    /// The share of games its team wins when free.
    pub free_share: Estimate,
    /// The same when restricted.
    pub restricted_share: Estimate,
    /// Restricted - free.
    pub share: Estimate,
    /// The probability of such a difference if there were none (`McNemar`).
    pub share_p: f64,
    /// Points of the side, restricted - free.
    pub points: Estimate,
    /// The probability of such a difference if there were none (paired t).
    pub points_p: f64,
    /// The correlation of the points of the two games of a pair; none if they do not vary.
    pub correlation: Option<f64>,
}

impl Report {
    /// The figures.
    pub fn new(balance: &Balance<'_>) -> Self {
        let question = &balance.question;
        let last_turn = balance.strengths.iter().filter_map(|tally| tally.turns.keys().max()).max();
        let last_turn = last_turn.copied().unwrap_or(0);
        let setup = Setup { agents: balance.specs.clone(), seed: 0, extras: Extras::default() };
        Report {
            kind: KIND.into(),
            sandtable_version: build_info::version().into(),
            sandtable_commit: build_info::commit().into(),
            seed: balance.seed,
            scenario: question.scenario.clone(),
            overrides: question.overrides.clone(),
            reproducible: !setup.is_timed(),
            games: balance.done,
            strengths: (0..balance.specs.len())
                .map(|strength| strength_line(balance, strength, last_turn))
                .collect(),
            restrictions: balance.restricted.iter().map(|tally| restriction_line(balance, tally)).collect(),
        }
    }
}

fn strength_line(balance: &Balance<'_>, strength: usize, last_turn: u32) -> StrengthLine {
    let tally = &balance.strengths[strength];
    let teams = team_labels(&balance.sides).into_iter().enumerate();
    StrengthLine {
        agent: balance.specs[strength].to_string(),
        games: tally.games,
        teams: teams
            .map(|(number, team)| TeamLine { team, wins: tally.wins[number], share: tally.share(number) })
            .collect(),
        draws: wilson(tally.draws, tally.games),
        first_score: tally.outcomes.score(),
        minimum_detectable_effect: smallest_effect(tally.games, tally.outcomes.variance().sqrt(), 0.05, 0.8)
            .ok(),
        sides: balance
            .sides
            .iter()
            .enumerate()
            .map(|(side, info)| SideLine {
                side: info.id.to_owned(),
                points: mean_points(&tally.points[side], info),
                points_deviation: finite(tally.points[side].deviation()),
                utility: tally.utility[side].mean_on(0.0, 1.0),
            })
            .collect(),
        end: end_line(tally, last_turn),
        course: course_line(tally),
        handicap: balance
            .question
            .handicap
            .as_ref()
            .and_then(|asked| handicap_line(balance, strength, asked)),
    }
}

fn end_line(tally: &Tally, last_turn: u32) -> EndLine {
    let mut end_reasons: Vec<(String, u64)> = Vec::new();
    for ((_, end_reason), games) in &tally.ends {
        match end_reasons.iter_mut().find(|(known, _)| known == end_reason) {
            Some((_, count)) => *count += games,
            None => end_reasons.push((end_reason.clone(), *games)),
        }
    }
    end_reasons.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let share = |games: u64| wilson(games, tally.games);
    EndLine {
        quantiles: [0.05, 0.25, 0.5, 0.75, 0.95].map(|q| quantile(&tally.turns, q).unwrap_or(0)),
        last_turn,
        reached_last: share(tally.turns.get(&last_turn).copied().unwrap_or(0)),
        decisions: tally.decisions.mean_from(0.0, f64::INFINITY),
        end_reasons: end_reasons
            .into_iter()
            .map(|(end_reason, games)| EndReasonLine { end_reason, share: share(games) })
            .collect(),
        counts: tally
            .ends
            .iter()
            .map(|((turn, end_reason), &games)| EndCount {
                turn: *turn,
                end_reason: end_reason.clone(),
                games,
            })
            .collect(),
    }
}

fn course_line(tally: &Tally) -> Option<CourseLine> {
    if tally.worth.is_empty() {
        return None;
    }
    let summary = tally.shapes.summary();
    let unknown = Estimate { value: f64::NAN, low: 0.0, high: 1.0 };
    Some(CourseLine {
        level: LEVEL,
        deficit: DEFICIT,
        lead_changes: summary.lead_changes,
        no_lead_change: summary.no_lead_change,
        decisive_turn: summary.decisive_turn.map(|turns| turns.map(|turn| turn + tally.first_turn)),
        decisive_turn_share: summary.decisive_turn_share,
        comebacks: summary.comebacks,
        drama: summary.drama,
        turns: tally
            .worth
            .iter()
            .zip(tally.first_turn..)
            .enumerate()
            .map(|(place, (worth, turn))| TurnLine {
                turn,
                games: worth.n,
                worth: worth.mean_on(0.0, 1.0),
                hold: summary.holds.get(place).copied().unwrap_or(unknown),
            })
            .collect(),
    })
}

fn handicap_line(balance: &Balance<'_>, strength: usize, asked: &Handicap) -> Option<HandicapLine> {
    let root = balance.root(strength)?;
    let parameter = &asked.parameter;
    let team = team_labels(&balance.sides).swap_remove(0);
    let target = percent_alone(asked.target);
    let side = |what: &str| {
        format!(
            "no fair value inside the range: {team} scores {what} {target} throughout, {} over all of it",
            percent(&balance.searches[strength].outcomes.score())
        )
    };
    let crossings: Vec<CrossingLine> =
        root.crossings.iter().map(|crossing| crossing_line(crossing, parameter)).collect();
    let checks = check_lines(balance, strength, parameter);
    let disputed = checks.iter().any(|check| !check.agrees);
    let (mut fair, mut nearest) = (None, None);
    let score_at = |value: f64| {
        let check = checks.iter().find(|check| parameter.are_same(check.value, value));
        let searched = || {
            let place = parameter.place(value);
            let step = parameter.step.map_or(place, |_| place.round());
            balance.searches[strength].finder.score_at(step)
        };
        // Where the fresh games contradict the search, they alone count.
        check.map_or_else(searched, |check| {
            if check.agrees { check.score.pooled_with(&check.foretold) } else { check.score }
        })
    };
    let answer = match (root.status, &crossings[..]) {
        (Status::Above, _) => side("more than"),
        (Status::Below, _) => side("less than"),
        (_, []) => format!(
            "not found: {team} scores {} at {} and {} at {}, which does not tell where {target} is",
            percent(&root.score_low),
            parameter.low,
            percent(&root.score_high),
            parameter.high
        ),
        (_, [first, others @ ..]) => {
            let nearest_to = |crossing: &CrossingLine| parameter.nearest(crossing.value.value);
            let fair_step = |crossing: &CrossingLine| {
                let close = nearest_to(crossing);
                let [low, high] = crossing.between.unwrap_or([close; 2]);
                let steps = if parameter.are_same(close, high) { [high, low] } else { [low, high] };
                let is_fair = |step: &f64| parameter.step.is_none() || score_at(*step).contains(asked.target);
                steps.into_iter().find(is_fair)
            };
            let with_fair = crossings.iter().find(|crossing| fair_step(crossing).is_some());
            fair = with_fair.and_then(fair_step);
            let close = nearest_to(with_fair.unwrap_or(first));
            nearest = Some(close);
            let score_in_words = |step: f64| format!("{} at {}", percent(&score_at(step)), short(step));
            let wide = asked.width > 0.0 && root.status != Status::Found;
            let wide = if wide { ", an interval wider than was asked for" } else { "" };
            let found = if others.is_empty() {
                match (fair, first.between) {
                    (None, Some([low, high])) if low < high => format!(
                        "fair between {} and {}, at no step: {team} scores {} and {}; nearest is {}; between the scores it is \
                         {target} at {}",
                        short(low),
                        short(high),
                        score_in_words(low),
                        score_in_words(high),
                        short(close),
                        first.in_words()
                    ),
                    (None, _) => format!(
                        "fair at no step: {team} scores {}, the nearest; it is {target} at {}",
                        score_in_words(close),
                        first.in_words()
                    ),
                    (Some(step), _) if parameter.step.is_some() => format!(
                        "fair at {}: {team} scores {}, and {target} at {}",
                        short(step),
                        score_in_words(step),
                        first.in_words()
                    ),
                    (Some(value), _) => {
                        format!("fair at {}: {team} scores {target} at {}", short(value), first.in_words())
                    }
                }
            } else {
                let crossing_in_words = |crossing: &CrossingLine| match (parameter.step, fair_step(crossing))
                {
                    (None, _) => crossing.in_words(),
                    (_, Some(step)) => format!("{} ({})", crossing.in_words(), score_in_words(step)),
                    (_, None) => format!("{} (at no step)", crossing.in_words()),
                };
                let all: Vec<String> = crossings.iter().map(crossing_in_words).collect();
                format!("fair at {} values: {team} scores {target} at {}", all.len(), all.join(", and at "))
            };
            format!("{found}{wide}{}{}", by_what(&crossings, root.misfit), checked(&team, &checks))
        }
    };
    Some(HandicapLine {
        path: parameter.path.clone(),
        low: parameter.low,
        high: parameter.high,
        target: asked.target,
        status: root.status,
        value: root.value,
        fair,
        nearest,
        crossings,
        misfit: root.misfit,
        checks,
        disputed,
        games: root.units,
        score_low: root.score_low,
        score_high: root.score_high,
        answer,
    })
}

fn crossing_line(crossing: &Crossing, parameter: &HandicapParameter) -> CrossingLine {
    let Crossing { value, rising, method } = *crossing;
    let between = parameter.step.map(|step| {
        let steps = (value.value - parameter.low) / step;
        [steps.floor(), steps.ceil()]
            .map(|steps| (parameter.low + steps * step).clamp(parameter.low, parameter.high))
    });
    CrossingLine { value, between, rising, method }
}

/// The games with fresh dice. They agree with the search unless the scores differ by more than luck explains in 99 of
/// 100 studies, all checks of a search together.
fn check_lines(balance: &Balance<'_>, strength: usize, parameter: &HandicapParameter) -> Vec<CheckLine> {
    let checks = balance.searches[strength].checks.as_deref().unwrap_or_default();
    let played: Vec<_> = checks.iter().filter(|check| check.outcomes.n() > 0).collect();
    let reach = normal_quantile(1.0 - 0.005 / played.len().max(1) as f64);
    let line = |check: &&super::Check| {
        let (score, foretold) = (check.outcomes.score(), check.foretold);
        CheckLine {
            value: parameter.value(check.place),
            games: check.outcomes.n(),
            score,
            foretold,
            agrees: score.agrees_with(&foretold, reach),
        }
    };
    played.iter().map(line).collect()
}

impl CrossingLine {
    /// `2.34 [2.25, 2.43], between 2 and 3`.
    fn in_words(&self) -> String {
        let value = plain(&self.value, 2);
        match self.between {
            Some([low, high]) if low < high => {
                format!("{value}, between {} and {}", short(low), short(high))
            }
            _ => value,
        }
    }
}

/// What the answer rests on, where it is no curve.
fn by_what(crossings: &[CrossingLine], misfit: Option<f64>) -> String {
    if crossings.iter().all(|crossing| crossing.method == Method::Logistic) {
        return String::new();
    }
    let why = match misfit {
        Some(p) if p < 0.05 => format!("no logistic curve fits the scores ({})", probability(p)),
        Some(p) if p < 0.2 => format!("a logistic curve fits the scores poorly ({})", probability(p)),
        _ => "near the target no logistic curve is sure to fit the scores".to_owned(),
    };
    format!("; {why}, so that this goes by their order alone")
}

/// What the fresh games say.
fn checked(team: &str, checks: &[CheckLine]) -> String {
    if checks.is_empty() {
        return String::new();
    }
    let seen: Vec<String> = checks
        .iter()
        .map(|check| format!("{} at {} ({} games)", percent(&check.score), short(check.value), check.games))
        .collect();
    let wrong: Vec<String> = checks
        .iter()
        .filter(|check| !check.agrees)
        .map(|check| format!("{} at {}", percent(&check.foretold), short(check.value)))
        .collect();
    let seen = format!("with fresh dice {team} scores {}", seen.join(", "));
    if wrong.is_empty() {
        format!("; {seen}")
    } else {
        format!("; BUT {seen}, WHICH CONTRADICTS the search: there it was {}", wrong.join(", "))
    }
}

/// A number with as many digits as tell something.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn percent_alone(share: f64) -> String {
    format!("{}%", short(100.0 * share))
}

fn restriction_line(balance: &Balance<'_>, tally: &RestrictedTally) -> RestrictionLine {
    let rates = paired_rates(&tally.wins);
    RestrictionLine {
        agent: balance.specs[tally.strength].to_string(),
        side: balance.sides[tally.side].id.to_owned(),
        restriction: tally.restriction.clone(),
        restricted_agent: tally.agent.clone(),
        pairs: tally.wins.n(),
        free_share: rates.first,
        restricted_share: rates.second,
        share: rates.difference,
        share_p: rates.p_value,
        points: difference_of_points(&tally.points.difference, &balance.sides[tally.side]),
        points_p: tally.points.p_value(),
        correlation: finite(tally.points.correlation()),
    }
}

/// The same as a page of text.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = String::new();
        let scenario = with_sets(&self.scenario.id, &self.overrides);
        writeln!(page, "{scenario}, seed {}: {} games", self.seed, self.games)?;
        if !self.reproducible {
            writeln!(page, "{NOT_REPRODUCIBLE}")?;
        }
        for line in &self.strengths {
            line.write(&mut page)?;
        }
        if !self.restrictions.is_empty() {
            let mut agent = "";
            for line in &self.restrictions {
                if line.agent != agent {
                    agent = &line.agent;
                    writeln!(
                        page,
                        "restricted play, {agent} on the other sides: what a side loses on the same dice"
                    )?;
                }
                line.write(&mut page)?;
            }
        }
        f.write_str(page.trim_end())
    }
}

impl StrengthLine {
    /// In a sentence, whether the game is fair between these agents.
    pub fn verdict(&self) -> String {
        let first = &self.teams[0].team;
        let score = format!("{first} scores {}", percent(&self.first_score));
        if self.first_score.contains(0.5) {
            return match self.minimum_detectable_effect.filter(|visible| *visible > 0.0) {
                Some(visible) => format!(
                    "{score}: no bias shown; the minimum detectable bias at 80% power is {:.1}%",
                    100.0 * visible
                ),
                None => format!("{score}: no bias shown, but the games do not vary"),
            };
        }
        if self.first_score.value > 0.5 {
            return format!("{score}: the game favours {first}");
        }
        let others: Vec<&str> = self.teams[1..].iter().map(|team| team.team.as_str()).collect();
        format!("{score}: the game favours {}", others.join(" or "))
    }

    fn write(&self, page: &mut String) -> fmt::Result {
        writeln!(page, "{} on all sides, {} games", self.agent, self.games)?;
        for team in &self.teams {
            writeln!(page, "  {:<16} wins {}", team.team, percent(&team.share))?;
        }
        writeln!(page, "  {:<16}      {}", "draws", percent(&self.draws))?;
        writeln!(page, "  {}", self.verdict())?;
        for side in &self.sides {
            write!(page, "  {:<16} points {}", side.side, plain(&side.points, 2))?;
            if let Some(deviation) = side.points_deviation {
                write!(page, ", standard deviation {deviation:.2}")?;
            }
            writeln!(page)?;
        }
        let [q05, q25, q50, q75, q95] = self.end.quantiles;
        writeln!(
            page,
            "  end turn         median {q50}, half from {q25} to {q75}, nine of ten from {q05} to {q95}; {} last until turn {}, the latest",
            percent(&self.end.reached_last),
            self.end.last_turn
        )?;
        for end_reason in &self.end.end_reasons {
            writeln!(page, "  end by           {} {}", end_reason.end_reason, percent(&end_reason.share))?;
        }
        match &self.course {
            Some(course) => course.write(page)?,
            None => writeln!(page, "  course           this system cannot tell who leads in mid-game")?,
        }
        if let Some(handicap) = &self.handicap {
            writeln!(
                page,
                "  handicap         {} from {} to {}: {} ({} games)",
                handicap.path, handicap.low, handicap.high, handicap.answer, handicap.games
            )?;
        }
        Ok(())
    }
}

impl CourseLine {
    fn write(&self, page: &mut String) -> fmt::Result {
        writeln!(
            page,
            "  lead changes     {} a game; none in {}",
            plain(&self.lead_changes, 2),
            percent(&self.no_lead_change)
        )?;
        if let Some([low, middle, high]) = self.decisive_turn {
            writeln!(
                page,
                "  decisive turn    median turn {middle}, half from {low} to {high}: after {} of the game",
                percent(&self.decisive_turn_share)
            )?;
            writeln!(
                page,
                "  comebacks        {} of winners trailed by {} or more; mean deficit overcome {}",
                percent(&self.comebacks),
                self.deficit,
                plain(&self.drama, 3)
            )?;
        }
        Ok(())
    }
}

impl RestrictionLine {
    fn write(&self, page: &mut String) -> fmt::Result {
        write!(
            page,
            "  {:<10} {:<18} wins {} (from {:.1}% to {:.1}%), points {}",
            self.side,
            self.restriction,
            percent_more(&self.share),
            100.0 * self.free_share.value,
            100.0 * self.restricted_share.value,
            more(&self.points, 2),
        )?;
        if let Some(correlation) = self.correlation {
            write!(page, ", correlation {correlation:.2}")?;
        } else {
            write!(page, ", correlation not defined: the points are the same in every game of an arm")?;
        }
        writeln!(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contradiction_is_loud() {
        let line = |hits, games, foretold| {
            let (score, foretold) = (wilson(hits, games), wilson(foretold, 200));
            CheckLine { value: 2.0, games, score, foretold, agrees: score.agrees_with(&foretold, 2.6) }
        };
        // The search says 30% of 200 games; luck may bring 38%, but not 45% in 300.
        let (like, unlike) = (line(76, 200, 60), line(135, 300, 60));
        assert!(like.agrees && !unlike.agrees, "{like:?} {unlike:?}");
        assert_eq!(
            checked("axis", &[like]),
            "; with fresh dice axis scores 38.0% [31.6, 44.9] at 2 (200 games)"
        );
        let words = checked("axis", &[unlike]);
        assert!(
            words.contains("45.0%") && words.contains("WHICH CONTRADICTS the search: there it was 30.0%"),
            "{words}"
        );
        assert_eq!(checked("axis", &[]), "");
    }
}
