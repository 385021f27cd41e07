//! The tables of a tournament.

use anyhow::{Context, bail, ensure};
use sandtable_core::SideInfo;

use super::manifest::Entries;
use super::report::Report;
use super::{Field, PairRecord, seed_of};
use crate::lab::columns::{
    self, add_result, count, estimate, named, optional, read_agents, read_results, real, text, three,
};
use crate::lab::store::RecordTable;
use crate::system::agent_columns;
use crate::table::{Column, Frame, Kind, Rows, Schema};

/// The column by which table `results` is cut.
pub const SCENARIO: &str = "scenario";

/// All tables, documented.
pub fn schemas(sides: &[SideInfo]) -> Vec<Schema> {
    vec![results(sides), ratings(), pairings(), sides_table(sides), scenarios()]
}

fn results(sides: &[SideInfo]) -> Schema {
    let mut columns = vec![
        text(SCENARIO, "the scenario").partition(),
        count("pair", "", "the number of the pair of games between these agents in this scenario, from 0"),
        Column::new(
            "leg",
            Kind::Int,
            "",
            "1 or 2: the game of the pair; the same dice, the agents with their teams swapped",
        ),
        Column::new(
            "seed",
            Kind::Unsigned,
            "",
            "`sandtable play` with this seed and these agents plays this game under the number `pair`",
        ),
    ];
    columns.extend(agent_columns(sides));
    columns.extend(columns::result(sides));
    Schema { name: "results", doc: "one row a game of a tournament", columns }
}

fn ratings() -> Schema {
    let mut columns = vec![
        Column::new("rank", Kind::Int, "", "1 for the highest rating"),
        text("agent", "the agent"),
        count("games", "games", "games played"),
    ];
    columns.extend(estimate(
        "score",
        "points a game",
        "mean score, a win 1 and a draw one half; interval over pairs",
    ));
    columns.extend(estimate(
        "elo",
        "Elo",
        "Bradley-Terry rating with ties and side effects by scenario; the mean over comparable agents is 0; interval by \
         likelihood",
    ));
    columns.extend([
        real("elo_pairs_low", "Elo", "lower end of the 95% interval over pairs, which may depend on each other; missing if unbounded")
            .optional(),
        real("elo_pairs_high", "Elo", "upper end of the same; missing if unbounded").optional(),
        real(
            "alpha_rank",
            "",
            "share of alpha-Rank in the limit of strong selection; scores whose interval holds one half count as ties; \
             missing unless all have met",
        )
        .optional(),
    ]);
    Schema { name: "ratings", doc: "one row an agent of a tournament", columns }
}

fn pairings() -> Schema {
    let mut columns = vec![
        text("agent", "the agent whose results these are"),
        text("opponent", "the other agent"),
        text("scenario", "the scenario; missing for all together").optional(),
        count("pairs", "pairs", "pairs of games: same dice, teams swapped"),
        count("pairs_0", "pairs", "pairs without a point"),
        count("pairs_05", "pairs", "pairs with half a point"),
        count("pairs_1", "pairs", "pairs with one point"),
        count("pairs_15", "pairs", "pairs with one and a half points"),
        count("pairs_2", "pairs", "pairs with two points"),
        count("wins", "games", "games won"),
        count("draws", "games", "games drawn"),
        count("losses", "games", "games lost"),
    ];
    columns.extend(estimate(
        "score",
        "points a game",
        "mean score, with an interval by the variance of pairs",
    ));
    columns
        .push(real("variance", "", "variance of the score of a pair (the mean of its two games)").optional());
    columns.extend(estimate("elo", "Elo", "the score as an Elo difference; missing if the score is 0 or 1"));
    columns.extend(estimate(
        "normalised_elo",
        "Elo",
        "the advantage in standard deviations of a game, as Elo",
    ));
    columns.extend(estimate(
        "rating_difference",
        "Elo",
        "how much higher the agent is rated, by all games of the tournament; interval over pairs; missing for one of several scenarios",
    ));
    columns.extend([
        real(
            "likelihood_of_superiority",
            "",
            "probability that the agent is the stronger one, in the light of these games",
        ),
        real("llr", "", "log-likelihood ratio of the sequential test; missing without a test").optional(),
        real(
            "expected_pairs",
            "pairs",
            "how many more pairs the test is expected to take; missing without one that is open",
        )
        .optional(),
        text("accepted", "the hypothesis that the test accepted, H0 or H1; missing while it is open")
            .optional(),
        Column::new(
            "stopped_early",
            Kind::Flag,
            "",
            "whether the test ended the pairing before its last pair",
        ),
    ]);
    Schema {
        name: "pairings",
        doc: "one row two agents of a tournament that have met, all scenarios together and one by one",
        columns,
    }
}

fn sides_table(sides: &[SideInfo]) -> Schema {
    let ids = sides.iter().map(|side| side.id.to_owned()).collect();
    let mut columns = vec![
        text("scenario", "the scenario"),
        text("agent", "who played the side; missing for all together").optional(),
        Column::new("side", Kind::Word(ids), "", "the side"),
        count("games", "games", "games played"),
        count("wins", "games", "games won by the side's team"),
        count("draws", "games", "games drawn"),
    ];
    columns.extend(estimate("score", "points a game", "mean score of the team, a win 1 and a draw one half"));
    columns.extend(estimate("points", "points", "mean points in the game's own unit"));
    columns.push(real("points_deviation", "points", "standard deviation of the points of a game").optional());
    columns.extend(estimate("utility", "", "mean worth of the result, 0 to 1"));
    Schema { name: "sides", doc: "one row a scenario, agent and side of a tournament", columns }
}

fn scenarios() -> Schema {
    let mut columns = vec![
        text("scenario", "the scenario"),
        text("first_team", "the side or sides of the first team"),
        text("second_team", "the side or sides of the second team"),
        count("pairs", "pairs", "pairs of games"),
    ];
    columns.extend(estimate(
        "first_score",
        "points a game",
        "mean score of the first team, whoever played it",
    ));
    columns.extend(estimate("first_elo", "Elo", "what the first team is worth between equal agents"));
    columns.extend(estimate("draws", "", "share of drawn games"));
    columns.extend([
        real("turns", "game turns", "mean game turn of the end").optional(),
        real("decisions", "decisions", "mean number of decisions a game").optional(),
    ]);
    Schema { name: "scenarios", doc: "one row a scenario of a tournament", columns }
}

/// Table `results`: rows from pairs, and pairs from rows.
#[derive(Clone, Debug)]
pub struct ResultsTable {
    schema: Schema,
    sides: Vec<SideInfo>,
    scenarios: Vec<String>,
    agents: Vec<String>,
    seed: u64,
}

impl ResultsTable {
    /// The table of a tournament.
    pub fn new(entries: &Entries, field: &Field<'_>) -> Self {
        ResultsTable {
            schema: results(field.sides()),
            sides: field.sides().to_vec(),
            scenarios: entries.scenarios.iter().map(|scenario| scenario.id.clone()).collect(),
            agents: entries.agents.clone(),
            seed: entries.seed,
        }
    }
}

impl RecordTable for ResultsTable {
    type Record = PairRecord;

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn add(&self, rows: &mut Rows, record: &PairRecord) {
        let names = [&self.agents[record.a], &self.agents[record.b]];
        let scenario = &self.scenarios[record.scenario];
        for (leg, result) in record.legs.iter().enumerate() {
            let mut row = rows.row();
            row.text(scenario)
                .long(record.pair as i64)
                .int(leg as i32 + 1)
                .unsigned(seed_of(self.seed, scenario, names[0], names[1]));
            for side in &self.sides {
                row.text(names[usize::from(side.team) ^ leg]);
            }
            add_result(&mut row, result, self.sides.len());
        }
    }

    fn parse(&self, frame: &Frame) -> anyhow::Result<Vec<PairRecord>> {
        let find = |what: &str, names: &[String], name: &str| {
            let known = names.iter().position(|other| other == name);
            known.with_context(|| format!("unknown {what} \"{name}\""))
        };
        let scenario = |name| find("scenario", &self.scenarios, name);
        let scenarios = frame.texts(SCENARIO)?.map(scenario).collect::<anyhow::Result<Vec<_>>>()?;
        let (pairs, legs) = (frame.numbers::<u64>("pair")?, frame.numbers::<u8>("leg")?);
        let agents = read_agents(frame, &self.sides)?;
        let on_team = |row: usize, team: u8| {
            let side = self.sides.iter().position(|side| side.team == team).unwrap_or(0);
            find("agent", &self.agents, &agents[row][side])
        };
        let mut results = read_results(frame, &self.sides)?.into_iter();
        let mut records = Vec::new();
        for one in (0..frame.len()).step_by(2) {
            let other = one + 1;
            let (Some(first), Some(second)) = (results.next(), results.next()) else {
                bail!("a pair lacks its second game");
            };
            let (a, b) = (on_team(one, 0)?, on_team(one, 1)?);
            let fits = (scenarios[one], pairs[one]) == (scenarios[other], pairs[other])
                && (legs[one], legs[other]) == (1, 2)
                && (b, a) == (on_team(other, 0)?, on_team(other, 1)?);
            ensure!(fits, "the games of pair {} do not belong together", pairs[one]);
            records.push(PairRecord {
                a,
                b,
                scenario: scenarios[one],
                pair: pairs[one],
                legs: [first, second],
            });
        }
        Ok(records)
    }
}

/// The tables of a report, beside `results`.
pub fn of_report(report: &Report, sides: &[SideInfo]) -> Vec<(Schema, Rows)> {
    let (ratings, pairings, sides_schema, scenarios) =
        (ratings(), pairings(), sides_table(sides), scenarios());
    let mut rows = Rows::new(&ratings);
    for line in &report.ratings {
        let mut row = rows.row();
        row.int(line.rank as i32).text(&line.agent).long(line.games as i64);
        three(&mut row, &line.score);
        three(&mut row, &line.elo);
        optional(&mut row, line.elo_pairs.low);
        optional(&mut row, line.elo_pairs.high);
        optional(&mut row, line.alpha_rank.unwrap_or(f64::NAN));
    }
    let mut all = vec![(ratings, rows)];

    let mut rows = Rows::new(&pairings);
    for line in &report.pairings {
        let mut row = rows.row();
        row.text(&line.agent).text(&line.opponent);
        named(&mut row, line.scenario.as_deref());
        row.long(line.pairs as i64);
        for &count in &line.pairs_by_points {
            row.long(count as i64);
        }
        row.long(line.wins as i64).long(line.draws as i64).long(line.losses as i64);
        three(&mut row, &line.score);
        optional(&mut row, line.variance.unwrap_or(f64::NAN));
        three(&mut row, &line.elo);
        three(&mut row, &line.normalised_elo);
        match &line.rating_difference {
            Some(difference) => three(&mut row, difference),
            None => _ = row.none().none().none(),
        }
        row.real(line.likelihood_of_superiority);
        match &line.sprt {
            Some(test) => {
                row.real(test.llr);
                optional(&mut row, test.expected_pairs.unwrap_or(f64::NAN));
                named(&mut row, test.accepted.as_deref());
                row.flag(test.stopped_early);
            }
            None => _ = row.none().none().none().flag(false),
        }
    }
    all.push((pairings, rows));

    let mut rows = Rows::new(&sides_schema);
    for line in &report.sides {
        let mut row = rows.row();
        row.text(&line.scenario);
        named(&mut row, line.agent.as_deref());
        row.word(sides.iter().position(|side| side.id == line.side).unwrap_or(0))
            .long(line.games as i64)
            .long(line.wins as i64)
            .long(line.draws as i64);
        three(&mut row, &line.score);
        three(&mut row, &line.points);
        optional(&mut row, line.points_deviation.unwrap_or(f64::NAN));
        three(&mut row, &line.utility);
    }
    all.push((sides_schema, rows));

    let mut rows = Rows::new(&scenarios);
    for line in &report.scenarios {
        let mut row = rows.row();
        row.text(&line.scenario).text(&line.first_team).text(&line.second_team).long(line.pairs as i64);
        three(&mut row, &line.first_score);
        three(&mut row, &line.first_elo);
        three(&mut row, &line.draws);
        optional(&mut row, line.turns.unwrap_or(f64::NAN));
        optional(&mut row, line.decisions.unwrap_or(f64::NAN));
    }
    all.push((scenarios, rows));
    all
}
