//! Ratings and all other figures of a tournament. They depend on the games alone: no thread, no session is in them.

use std::fmt::{self, Write};

use sandtable_core::SideInfo;
use sandtable_stats::interval::{Estimate, Moments};
use sandtable_stats::pairs::{GameResults, PairResults, Results};
use sandtable_stats::power::smallest_effect;
use sandtable_stats::ratings::{AlphaRank, BradleyTerry, Fit, Games, Pairing as Met, Sides, cycles};
use sandtable_stats::sprt::Hypothesis;
use serde::{Deserialize, Serialize};

use super::Field;
use super::manifest::{Layout, Manifest, ScenarioEntry};
use super::schedule::{Match, PairSchedule, Pairing};
use crate::failure::Failure;
use crate::lab::words::{NOT_REPRODUCIBLE, elo, ends, is_hardly_known, percent, probability};
use crate::run::summary::finite;
use crate::system::{AnyScenario, mean_points, team_labels};

/// The file `tournament.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// `tournament`.
    pub kind: String,
    /// The version of the program.
    pub sandtable_version: String,
    /// The commit it was built from.
    pub sandtable_commit: String,
    /// The seed.
    pub seed: u64,
    /// Which share of the tournament it is, if not all of it.
    pub shard: Option<String>,
    /// Who meets whom.
    pub layout: Layout,
    /// Pairs that each pairing was to play in each scenario.
    pub pairs_asked: u64,
    /// The test that ends a pairing.
    pub sprt: Option<String>,
    /// Whether all that was asked for has been played.
    pub complete: bool,
    /// Whether the same command gives the same games: no agent has a budget in milliseconds.
    pub reproducible: bool,
    /// Pairs played.
    pub pairs: u64,
    /// Games played.
    pub games: u64,
    /// The hashes of the scenarios' data.
    pub scenario_hashes: Vec<ScenarioEntry>,
    /// The agents, the strongest first.
    pub ratings: Vec<RatingLine>,
    /// The probability of a draw between equal agents, by the ratings' model; none before the first game.
    pub draws_between_equals: Option<f64>,
    /// Who met whom: all scenarios together and, if there are several, one by one.
    pub pairings: Vec<PairingLine>,
    /// The scenarios.
    pub scenarios: Vec<ScenarioLine>,
    /// The sides in each scenario, for all agents together and one by one.
    pub sides: Vec<SideLine>,
    /// Triples in which strength is not transitive, the surest first.
    pub cycles: Vec<CycleLine>,
}

/// An agent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RatingLine {
    /// 1 for the highest rating.
    pub rank: u32,
    /// Its name.
    pub agent: String,
    /// Games played.
    pub games: u64,
    /// Mean score.
    pub score: Estimate,
    /// The Bradley-Terry rating; its interval is that of the likelihood, which takes the two games of a pair for
    /// independent. An end that no game bounds is open.
    pub elo: Estimate,
    /// The same with an interval that holds however the two games of a pair depend on each other.
    pub elo_pairs: Estimate,
    /// The share of alpha-Rank; none unless all agents have met.
    pub alpha_rank: Option<f64>,
}

/// Two agents who have met.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairingLine {
    /// The one whose results these are.
    pub agent: String,
    /// The other one.
    pub opponent: String,
    /// The scenario; none for all together.
    pub scenario: Option<String>,
    /// Pairs of games.
    pub pairs: u64,
    /// Pairs by points: 0, ½, 1, 1½, 2 (pentanomial).
    pub pairs_by_points: [u64; 5],
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Mean score, with an interval by the variance of pairs.
    pub score: Estimate,
    /// The variance of the score of a pair; none below two pairs.
    pub variance: Option<f64>,
    /// The score as an Elo difference.
    pub elo: Estimate,
    /// The advantage in standard deviations of a game, as Elo.
    pub normalised_elo: Estimate,
    /// How much higher the agent is rated, by all games of the tournament and not by these alone, with an interval over pairs;
    /// only for all scenarios together, and none in reports of older versions.
    #[serde(default)]
    pub rating_difference: Option<Estimate>,
    /// The probability that the agent is the stronger one.
    #[serde(alias = "superiority")]
    pub likelihood_of_superiority: f64,
    /// How the test went; only for all scenarios together.
    pub sprt: Option<TestLine>,
}

/// A sequential test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TestLine {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this H0 is accepted.
    pub lower: f64,
    /// At or above this H1 is accepted.
    pub upper: f64,
    /// `H0` or `H1`; none while it is open.
    pub accepted: Option<String>,
    /// How many pairs it has taken.
    pub pairs: u64,
    /// How many more pairs it is expected to take; none once it is decided, or below two pairs.
    pub expected_pairs: Option<f64>,
    /// Whether the pairing ended before its last pair. Its score is then biased away from the middle.
    pub stopped_early: bool,
}

/// A scenario.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScenarioLine {
    /// Its name.
    pub scenario: String,
    /// The sides of the first team, joined by `+`.
    pub first_team: String,
    /// The sides of the second team.
    pub second_team: String,
    /// Pairs of games.
    pub pairs: u64,
    /// The mean score of the first team, whoever played it.
    pub first_score: Estimate,
    /// What the first team is worth between equal agents, in Elo.
    pub first_elo: Estimate,
    /// How far from one half the mean score must be for four of five such tournaments to show it; none of fewer than
    /// two pairs.
    #[serde(alias = "visible")]
    pub minimum_detectable_effect: Option<f64>,
    /// The share of drawn games.
    pub draws: Estimate,
    /// The mean game turn of the end.
    pub turns: Option<f64>,
    /// The mean number of decisions a game.
    pub decisions: Option<f64>,
}

/// A side in a scenario.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SideLine {
    /// The scenario.
    pub scenario: String,
    /// Who played it; none for all together.
    pub agent: Option<String>,
    /// The side.
    pub side: String,
    /// Games.
    pub games: u64,
    /// Games won by its team.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Mean score of its team.
    pub score: Estimate,
    /// Mean points.
    pub points: Estimate,
    /// The standard deviation of the points of a game.
    pub points_deviation: Option<f64>,
    /// Mean worth of the result.
    pub utility: Estimate,
}

/// Three agents of whom the first beats the second, the second the third, and the third the first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CycleLine {
    /// Their names.
    pub agents: [String; 3],
    /// The scores of the first against the second, the second against the third, the third against the first.
    pub scores: [Estimate; 3],
    /// The probability of such scores if it were no cycle, corrected for the number of triples.
    pub p_value: f64,
    /// Whether that is below 5%.
    pub established: bool,
}

impl Report {
    /// The figures of what has been entered.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn new(manifest: &Manifest, field: &Field<'_>, schedule: &PairSchedule) -> Result<Self, Failure> {
        let agents = field.agents.len();
        let scenarios = field.scenarios.len();
        let mut games = Games::default();
        for pairing in schedule.pairings() {
            for (scenario, played) in pairing.matches.iter().enumerate() {
                played.add_to(&mut games, Met { a: pairing.a, b: pairing.b, scenario });
            }
        }
        let pairs = schedule.pairs();
        let model = BradleyTerry { sides: Sides::PerScenario, ..BradleyTerry::default() };
        let impossible = |error: sandtable_stats::Error| Failure::Internal(error.into());
        let fit = model.fit(&games, agents, scenarios).map_err(impossible)?;
        let by_pairs: Vec<Estimate> = (0..agents).map(|agent| fit.by_pairs(&games, agent)).collect();
        let names: Vec<String> = (0..agents).map(|agent| field.name(agent)).collect();
        Ok(Report {
            kind: super::manifest::KIND.to_owned(),
            sandtable_version: manifest.sandtable_version.clone(),
            sandtable_commit: manifest.sandtable_commit.clone(),
            seed: manifest.identity.seed,
            shard: manifest.shard.map(|shard| shard.to_string()),
            layout: manifest.identity.layout,
            pairs_asked: manifest.identity.pairs,
            sprt: manifest.identity.sprt.clone(),
            complete: schedule.is_complete(),
            reproducible: !field.is_timed(),
            pairs,
            games: 2 * pairs,
            scenario_hashes: manifest.identity.scenarios.clone(),
            ratings: rating_lines(schedule, &fit, &by_pairs, &names)?,
            draws_between_equals: (pairs > 0).then_some(fit.draws),
            pairings: pairing_lines(schedule, field, &names, |a, b| fit.difference_by_pairs(&games, a, b)),
            scenarios: scenario_lines(schedule, field, &fit),
            sides: side_lines(schedule, field, &names),
            cycles: cycles(agents, |a, b| Some(schedule.pairing(a, b).results()))
                .into_iter()
                .map(|cycle| CycleLine {
                    agents: cycle.players.map(|player| names[player].clone()),
                    scores: cycle.scores,
                    p_value: cycle.adjusted,
                    established: cycle.adjusted < 0.05,
                })
                .collect(),
        })
    }
}

/// The results of `one` against `other`, in whichever order they stand.
fn results_of(schedule: &PairSchedule, one: usize, other: usize) -> PairResults {
    if one < other {
        schedule.pairing(one, other).results()
    } else {
        schedule.pairing(other, one).results().reversed()
    }
}

fn rating_lines(
    schedule: &PairSchedule,
    fit: &Fit,
    by_pairs: &[Estimate],
    names: &[String],
) -> Result<Vec<RatingLine>, Failure> {
    let agents = names.len();
    let all_met = schedule.pairings().iter().all(|pairing| pairing.results().n() > 0);
    // What is not known to be better or worse counts as equal: in the limit the smallest difference would decide.
    let payoff = |one: usize, other: usize| {
        if one == other {
            return 0.5;
        }
        let score = results_of(schedule, one, other).score();
        if score.contains(0.5) { 0.5 } else { score.value }
    };
    let shares = if all_met {
        let shares = AlphaRank::default().single(agents, payoff);
        Some(shares.map_err(|error| Failure::Internal(error.into()))?)
    } else {
        None
    };
    let mut order: Vec<usize> = (0..agents).collect();
    order.sort_by(|&one, &other| {
        let elo = |agent: usize| fit.ratings[agent].elo.value;
        elo(other).total_cmp(&elo(one)).then_with(|| names[one].cmp(&names[other]))
    });
    let line = |(place, &agent): (usize, &usize)| {
        let mut results = PairResults::default();
        (0..agents)
            .filter(|&other| other != agent)
            .for_each(|other| results.merge(&results_of(schedule, agent, other)));
        RatingLine {
            rank: place as u32 + 1,
            agent: names[agent].clone(),
            games: results.games(),
            score: results.score(),
            elo: fit.ratings[agent].elo,
            elo_pairs: by_pairs[agent],
            alpha_rank: shares.as_ref().map(|shares| shares[agent]),
        }
    };
    Ok(order.iter().enumerate().map(line).collect())
}

fn pairing_lines(
    schedule: &PairSchedule,
    field: &Field<'_>,
    names: &[String],
    difference: impl Fn(usize, usize) -> Estimate,
) -> Vec<PairingLine> {
    let line = |pairing: &Pairing, scenario: Option<&str>, matches: &[Match]| {
        let (mut results, mut games) = (PairResults::default(), [0; 3]);
        for played in matches {
            results.merge(&played.results());
            games.iter_mut().zip(played.by_outcome()).for_each(|(sum, count)| *sum += count);
        }
        PairingLine {
            agent: names[pairing.a].clone(),
            opponent: names[pairing.b].clone(),
            scenario: scenario.map(str::to_owned),
            pairs: results.n(),
            pairs_by_points: results.counts,
            wins: games[2],
            draws: games[1],
            losses: games[0],
            score: results.score(),
            variance: finite(results.variance()),
            elo: results.elo(),
            normalised_elo: results.normalised_elo(),
            rating_difference: None,
            likelihood_of_superiority: results.likelihood_of_superiority(),
            sprt: None,
        }
    };
    let mut lines = Vec::new();
    for pairing in schedule.pairings().iter().filter(|pairing| pairing.results().n() > 0) {
        lines.push(PairingLine {
            rating_difference: Some(difference(pairing.a, pairing.b)),
            sprt: test_line(schedule, pairing),
            ..line(pairing, None, &pairing.matches)
        });
        if field.scenarios.len() > 1 {
            for (scenario, played) in field.scenarios.iter().zip(&pairing.matches) {
                if played.pairs() > 0 {
                    lines.push(line(pairing, Some(scenario.id()), std::slice::from_ref(played)));
                }
            }
        }
    }
    lines
}

fn test_line(schedule: &PairSchedule, pairing: &Pairing) -> Option<TestLine> {
    let (verdict, pairs) = schedule.test_of(pairing)?;
    Some(TestLine {
        llr: verdict.llr,
        lower: verdict.lower,
        upper: verdict.upper,
        accepted: verdict.accepted.map(|hypothesis| {
            match hypothesis {
                Hypothesis::H0 => "H0",
                Hypothesis::H1 => "H1",
            }
            .to_owned()
        }),
        pairs,
        expected_pairs: schedule.expected_pairs(pairing).filter(|_| verdict.accepted.is_none()),
        stopped_early: verdict.accepted.is_some() && pairs < schedule.pairs_of_a_pairing(),
    })
}

fn scenario_lines(schedule: &PairSchedule, field: &Field<'_>, fit: &Fit) -> Vec<ScenarioLine> {
    let teams = team_labels(field.sides());
    let line = |(index, scenario): (usize, &dyn AnyScenario)| {
        let (mut draws, mut turns, mut decisions) =
            (Results::<3>::default(), Moments::default(), Moments::default());
        let mut first = PairResults::default();
        for pairing in schedule.pairings() {
            let played = &pairing.matches[index];
            first.merge(&of_first_team(played));
            for (one, row) in played.outcomes.iter().enumerate() {
                for (other, count) in row.iter().enumerate() {
                    draws.counts[usize::from(one == 1) + usize::from(other == 1)] += count;
                }
            }
            for leg in &played.legs {
                turns.merge(&leg.turns);
                decisions.merge(&leg.decisions);
            }
        }
        ScenarioLine {
            scenario: scenario.id().to_owned(),
            first_team: teams[0].clone(),
            second_team: teams[1].clone(),
            pairs: first.n(),
            first_score: first.score(),
            first_elo: fit.sides[index],
            minimum_detectable_effect: smallest_effect(first.n(), first.variance().sqrt(), 0.05, 0.8).ok(),
            draws: draws.score(),
            turns: finite(turns.mean().value),
            decisions: finite(decisions.mean().value),
        }
    };
    field.scenarios.iter().map(AsRef::as_ref).enumerate().map(line).collect()
}

/// The pairs by the points of whoever was on the first team. Its two games share their dice and so depend on each
/// other.
fn of_first_team(played: &Match) -> PairResults {
    let mut results = PairResults::default();
    for (one, row) in played.outcomes.iter().enumerate() {
        for (other, count) in row.iter().enumerate() {
            results.counts[one + 2 - other] += count;
        }
    }
    results
}

/// The games of a side, added up.
#[derive(Default)]
struct SideSum {
    games: u64,
    wins: u64,
    draws: u64,
    points: Moments,
    utility: Moments,
}

impl SideSum {
    /// Adds the games of a match with the same sides, `leg` 0 or 1, for a side of this team.
    fn add(&mut self, played: &Match, leg: usize, side: usize, team: u8) {
        // By outcome for the first team.
        let mut games = [0; 3];
        for (one, row) in played.outcomes.iter().enumerate() {
            for (other, count) in row.iter().enumerate() {
                games[if leg == 0 { one } else { 2 - other }] += count;
            }
        }
        self.games += games.iter().sum::<u64>();
        self.wins += games[if team == 0 { 2 } else { 0 }];
        self.draws += games[1];
        self.points.merge(&played.legs[leg].points[side]);
        self.utility.merge(&played.legs[leg].utility[side]);
    }
}

fn side_lines(schedule: &PairSchedule, field: &Field<'_>, names: &[String]) -> Vec<SideLine> {
    let mut lines = Vec::new();
    for (index, scenario) in field.scenarios.iter().enumerate() {
        for (side, info) in field.sides().iter().enumerate() {
            lines.push(line_of_all(schedule, index, scenario.id(), side, info));
        }
        for (agent, name) in names.iter().enumerate() {
            for (side, info) in field.sides().iter().enumerate() {
                let mut sum = SideSum::default();
                for pairing in schedule.pairings() {
                    // In the first game `a` plays the first team.
                    let leg = if pairing.a == agent {
                        usize::from(info.team)
                    } else if pairing.b == agent {
                        1 - usize::from(info.team)
                    } else {
                        continue;
                    };
                    sum.add(&pairing.matches[index], leg, side, info.team);
                }
                if sum.games > 0 {
                    let losses = sum.games - sum.wins - sum.draws;
                    lines.push(SideLine {
                        scenario: scenario.id().to_owned(),
                        agent: Some(name.clone()),
                        side: info.id.to_owned(),
                        games: sum.games,
                        wins: sum.wins,
                        draws: sum.draws,
                        score: GameResults { counts: [losses, sum.draws, sum.wins] }.score(),
                        points: mean_points(&sum.points, info),
                        points_deviation: finite(sum.points.deviation()),
                        utility: sum.utility.mean_on(0.0, 1.0),
                    });
                }
            }
        }
    }
    lines
}

/// The line of a side over all agents. Each pair has two of its games, on the same dice: the mean of the two is what is
/// independent of the other pairs.
fn line_of_all(
    schedule: &PairSchedule,
    index: usize,
    scenario: &str,
    side: usize,
    info: &SideInfo,
) -> SideLine {
    let mut sum = SideSum::default();
    let mut first = PairResults::default();
    let (mut points, mut utility) = (Moments::default(), Moments::default());
    for pairing in schedule.pairings() {
        let played = &pairing.matches[index];
        (0..2).for_each(|leg| sum.add(played, leg, side, info.team));
        first.merge(&of_first_team(played));
        points.merge(&played.points_of_pairs[side]);
        utility.merge(&played.utility_of_pairs[side]);
    }
    SideLine {
        scenario: scenario.to_owned(),
        agent: None,
        side: info.id.to_owned(),
        games: sum.games,
        wins: sum.wins,
        draws: sum.draws,
        score: if info.team == 0 { first.score() } else { first.reversed().score() },
        points: mean_points(&points, info),
        points_deviation: finite(sum.points.deviation()),
        utility: utility.mean_on(0.0, 1.0),
    }
}

/// The same as a page of text.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = String::new();
        let ids: Vec<&str> = self.scenarios.iter().map(|line| line.scenario.as_str()).collect();
        let shard = self.shard.as_ref().map_or_else(String::new, |shard| format!(", shard {shard}"));
        writeln!(
            page,
            "{}, seed {}{shard}: {} agents, {} pairs, {} games{}",
            ids.join(", "),
            self.seed,
            self.ratings.len(),
            self.pairs,
            self.games,
            if self.complete { "" } else { " (not finished)" }
        )?;
        if !self.reproducible {
            writeln!(page, "{NOT_REPRODUCIBLE}")?;
        }
        writeln!(page, "ratings (Bradley-Terry with sides and draws, 95% intervals)")?;
        for line in &self.ratings {
            let rank = line
                .alpha_rank
                .map_or_else(String::new, |share| format!("  alpha-Rank {:.1}%", 100.0 * share));
            writeln!(
                page,
                "  {}. score {:<21} Elo {:<22} {} games{rank}  {}",
                line.rank,
                percent(&line.score),
                elo(&line.elo),
                line.games,
                line.agent
            )?;
        }
        if let Some(warning) = self.separation() {
            writeln!(page, "  {warning}")?;
        }
        self.write_table(&mut page)?;
        self.write_pairings(&mut page)?;
        if self.ratings.len() > 2 {
            self.write_cycles(&mut page)?;
        }
        for line in &self.scenarios {
            writeln!(page, "sides of {}", line.scenario)?;
            writeln!(
                page,
                "  {} scores {} against {}; worth between equals, in Elo: {}; draws {}",
                line.first_team,
                percent(&line.first_score),
                line.second_team,
                elo(&line.first_elo),
                percent(&line.draws)
            )?;
            for side in self.sides.iter().filter(|side| side.scenario == line.scenario) {
                let agent = side.agent.as_deref().unwrap_or("all");
                write!(
                    page,
                    "  {:<10} points {:.2} {}",
                    side.side,
                    side.points.value,
                    ends(&side.points, 1.0, 2, false)
                )?;
                if let Some(deviation) = side.points_deviation {
                    write!(page, ", standard deviation {deviation:.2}")?;
                }
                writeln!(page, ", score {}  {agent}", percent(&side.score))?;
            }
        }
        f.write_str(page.trim_end())
    }
}

impl Report {
    /// A warning, if the games hardly bound some of the ratings or what a side is worth.
    pub fn separation(&self) -> Option<String> {
        if self.pairs == 0 {
            return None;
        }
        let agents =
            self.ratings.iter().filter(|line| is_hardly_known(&line.elo)).map(|line| line.agent.clone());
        let sides = self.scenarios.iter().filter(|line| is_hardly_known(&line.first_elo));
        let named: Vec<String> =
            agents.chain(sides.map(|line| format!("{} in {}", line.first_team, line.scenario))).collect();
        (!named.is_empty()).then(|| {
            format!(
                "warning: these games hardly bound the Elo of {}: an agent or a side wins nearly all of them; go by the scores",
                named.join(", ")
            )
        })
    }

    /// The pairwise scores in per cent, by rank.
    fn write_table(&self, page: &mut String) -> fmt::Result {
        writeln!(page, "score of row against column, in per cent")?;
        write!(page, "      ")?;
        for column in &self.ratings {
            write!(page, "{:>7}", column.rank)?;
        }
        writeln!(page)?;
        for row in &self.ratings {
            write!(page, "  {:>4}", format!("{}.", row.rank))?;
            for column in &self.ratings {
                let score = self.pairings.iter().filter(|line| line.scenario.is_none()).find_map(|line| {
                    if (&line.agent, &line.opponent) == (&row.agent, &column.agent) {
                        Some(line.score.value)
                    } else if (&line.opponent, &line.agent) == (&row.agent, &column.agent) {
                        Some(1.0 - line.score.value)
                    } else {
                        None
                    }
                });
                match score {
                    Some(score) => write!(page, "{:>7.1}", 100.0 * score)?,
                    None => write!(page, "{:>7}", "-")?,
                }
            }
            writeln!(page)?;
        }
        Ok(())
    }

    fn write_pairings(&self, page: &mut String) -> fmt::Result {
        writeln!(page, "pairings (pairs by points 0, ½, 1, 1½, 2)")?;
        for line in &self.pairings {
            let place = line.scenario.as_ref().map_or_else(String::new, |scenario| format!(" in {scenario}"));
            writeln!(page, "  {} - {}{place}", line.agent, line.opponent)?;
            let counts: Vec<String> = line.pairs_by_points.iter().map(u64::to_string).collect();
            writeln!(
                page,
                "    score {}, Elo {}, {} pairs ({}), variance of a pair {}, likelihood of superiority {:.1}%",
                percent(&line.score),
                elo(&line.elo),
                line.pairs,
                counts.join(", "),
                line.variance.map_or_else(|| "unknown".to_owned(), |variance| format!("{variance:.4}")),
                100.0 * line.likelihood_of_superiority
            )?;
            // Between two agents alone it would say the same twice.
            if let Some(difference) = line.rating_difference.filter(|_| self.ratings.len() > 2) {
                writeln!(page, "    difference of ratings, by all games: Elo {}", elo(&difference))?;
            }
            if let Some(test) = &line.sprt {
                let sprt = self.sprt.as_deref().unwrap_or_default();
                let verdict = match (&test.accepted, test.stopped_early) {
                    (Some(hypothesis), true) => {
                        format!(
                            "{hypothesis} accepted after {} pairs, stopped early, so that score and Elo are biased away from even",
                            test.pairs
                        )
                    }
                    (Some(hypothesis), false) => format!("{hypothesis} accepted after {} pairs", test.pairs),
                    (None, _) => {
                        let more = test
                            .expected_pairs
                            .map_or_else(String::new, |pairs| format!(", about {pairs:.0} more expected"));
                        format!("undecided after {} pairs{more}", test.pairs)
                    }
                };
                writeln!(
                    page,
                    "    sequential test {sprt}: {verdict} (log-likelihood ratio {:.2}, bounds {:.2} and {:.2})",
                    test.llr, test.lower, test.upper
                )?;
            }
        }
        Ok(())
    }

    fn write_cycles(&self, page: &mut String) -> fmt::Result {
        if self.cycles.is_empty() {
            return writeln!(page, "no intransitive cycles in these results");
        }
        writeln!(page, "intransitive cycles (each beats the next, the last beats the first)")?;
        for cycle in &self.cycles {
            let [one, two, three] = &cycle.agents;
            let scores: Vec<String> =
                cycle.scores.iter().map(|score| format!("{:.1}%", 100.0 * score.value)).collect();
            let how_sure = if cycle.established { "established" } else { "not established" };
            writeln!(page, "  {one} > {two} > {three} > {one}")?;
            writeln!(page, "    {}; {how_sure}, {}", scores.join(", "), probability(cycle.p_value))?;
        }
        Ok(())
    }
}
