//! What the tables of a run say, counted.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::{Context, ensure};
use sandtable_stats::interval::{Estimate, Moments};
use sandtable_stats::survival::Survival;

use crate::failure::Failure;
use crate::files;
use crate::run::folder::{Receipt, verified_receipt};
use crate::run::manifest::Manifest;
use crate::run::tally::Tally;
use crate::system::{AnyScenario, Highlights, SurvivalSource};
use crate::table::read::read;
use crate::table::{Format, Frame, Kind, Schema};

/// What a report is made of.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The run.
    pub manifest: Manifest,
    /// How many of its parts are missing.
    pub missing: u64,
    /// Results of all games together.
    pub tally: Tally,
    /// By turn in which games ended: how many each team won, and how many nobody won.
    pub endings: BTreeMap<u32, Vec<u64>>,
    /// Columns of `turns` over time.
    pub series: Vec<Series>,
    /// How long countries and the like lasted, by identifier: those that lived at the start.
    pub survival: BTreeMap<String, Survival>,
    /// The others: fallen before the first turn, or not there yet.
    pub not_at_risk: Vec<String>,
    /// Where was fought, by the identifier of the place.
    pub fights: BTreeMap<String, Fights>,
}

/// A column of `turns` over time.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The column.
    pub column: String,
    /// Its unit.
    pub unit: String,
    /// What it says.
    pub doc: String,
    /// Per side: the values at the end of each turn.
    pub sides: Vec<BTreeMap<u32, Values>>,
}

/// Values over games, in thousandths, with how many games each team won among them; the last count is of draws.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Values(BTreeMap<i64, Vec<u64>>);

/// Fights in one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fights {
    /// How many.
    pub fights: u64,
    /// The sum of the squares of how many in each game.
    pub squares: u64,
    /// In how many games.
    pub games: u64,
}

impl Fights {
    /// The mean over so many games, with its Student interval.
    pub fn a_game(&self, games: u64) -> Estimate {
        let (n, sum) = (games as f64, self.fights as f64);
        let deviations = (self.squares as f64 - sum * sum / n).max(0.0);
        Moments { n: games, mean: sum / n, deviations }.mean_from(0.0, f64::INFINITY)
    }
}

impl Values {
    /// Adds a value of a game that ended so.
    pub fn add(&mut self, value: f64, ending: usize, endings: usize) {
        let counts = self.0.entry((value * 1000.0).round() as i64).or_insert_with(|| vec![0; endings]);
        counts[ending] += 1;
    }

    /// How many values.
    pub fn n(&self) -> u64 {
        self.0.values().flatten().sum()
    }

    /// The least value that a share `q` of all does not exceed.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        let rank = (q * self.n() as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        self.0
            .iter()
            .find(|(_, counts)| {
                seen += counts.iter().sum::<u64>();
                seen >= rank
            })
            .map(|(&value, _)| value as f64 / 1000.0)
    }

    /// How well the value tells whether the team won: the probability that a game it won has a higher value than a
    /// game it did not win, ties counting half (the area under the receiver operating characteristic), with the
    /// interval of Newcombe (2006, *Statistics in Medicine* 25, 559, method 5), which is that of Hanley and McNeil
    /// with the variance at its own ends. `None` below five games of either kind.
    pub fn concordance(&self, team: usize) -> Option<Estimate> {
        let split = |counts: &[u64]| {
            let won = counts.get(team).copied().unwrap_or(0);
            (won as f64, (counts.iter().sum::<u64>() - won) as f64)
        };
        let (won, lost) = self
            .0
            .values()
            .map(|counts| split(counts))
            .fold((0.0, 0.0), |sum, (won, lost)| (sum.0 + won, sum.1 + lost));
        if won < 5.0 || lost < 5.0 {
            return None;
        }
        let mut below = 0.0;
        let mut area = 0.0;
        for counts in self.0.values() {
            let (here_won, here_lost) = split(counts);
            area += here_won * (below + here_lost / 2.0);
            below += here_lost;
        }
        let area: f64 = area / (won * lost);
        let reach = sandtable_stats::interval::normal_quantile(0.975);
        let games = f64::midpoint(won, lost) - 1.0;
        let error = |area: f64| {
            let others = 1.0 + games * ((1.0 - area) / (2.0 - area) + area / (1.0 + area));
            (area * (1.0 - area) * others / (won * lost)).sqrt()
        };
        // The areas of which this one is no farther than the reach.
        let end = |outer: f64| {
            let (mut inside, mut outside) = (area, outer);
            for _ in 0..50 {
                let middle = f64::midpoint(inside, outside);
                if (area - middle).abs() <= reach * error(middle) {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            inside
        };
        Some(Estimate { value: area, low: end(0.0), high: end(1.0) })
    }
}

/// The end of a game: its last turn, and the index of the winning team or, of a draw, the number of teams.
#[derive(Clone, Copy, Debug)]
struct End {
    turn: u32,
    ending: usize,
}

impl Evidence {
    /// Reads a run folder. Parts that are missing are counted; the rest is read.
    ///
    /// # Errors
    /// If there is no run, no part is there, or a file is damaged.
    pub fn read(folder: &Path, manifest: Manifest, scenario: &dyn AnyScenario) -> Result<Evidence, Failure> {
        let identity = &manifest.identity;
        let format = manifest.table_format()?;
        let schemas = scenario.tables(identity.setup(scenario)?.extras);
        let mut reader = Reader::new(scenario, identity.seed, &schemas);
        let mut tally = Tally::new(scenario.sides());
        let (mut missing, mut there) = (0, 0);
        for part in manifest.parts() {
            let Some(receipt) = verified_receipt(folder, part, &manifest, scenario.sides())? else {
                missing += 1;
                continue;
            };
            there += 1;
            tally.merge(&receipt.tally);
            reader.part(folder, format, &schemas, &receipt)?;
        }
        if there == 0 {
            return Err(Failure::input(format!("{}: no part of the run is finished yet", folder.display())));
        }
        let Reader { endings, series, survival, not_at_risk, fights, .. } = reader;
        Ok(Evidence { manifest, missing, tally, endings, series, survival, not_at_risk, fights })
    }
}

/// Reads parts and counts.
struct Reader {
    teams: Vec<String>,
    sides: Vec<String>,
    highlights: Highlights,
    subjects: Vec<String>,
    not_at_risk: Vec<String>,
    endings: BTreeMap<u32, Vec<u64>>,
    series: Vec<Series>,
    survival: BTreeMap<String, Survival>,
    fights: BTreeMap<String, Fights>,
}

impl Reader {
    fn new(scenario: &dyn AnyScenario, seed: u64, schemas: &[Schema]) -> Reader {
        let highlights = scenario.highlights();
        let sides: Vec<String> = scenario.sides().iter().map(|side| side.id.to_owned()).collect();
        let columns_of = |table: &str| {
            schemas.iter().find(|schema| schema.name == table).map_or(&[][..], |schema| &schema.columns)
        };
        let series = highlights.over_time.iter().filter_map(|&name| {
            let column = columns_of("turns").iter().find(|column| column.name == name)?;
            Some(Series {
                column: name.to_owned(),
                unit: column.unit.to_owned(),
                doc: column.doc.clone(),
                sides: vec![BTreeMap::new(); sides.len()],
            })
        });
        let subjects = highlights.survival.and_then(|source| {
            match &columns_of(source.table).iter().find(|column| column.name == source.subject)?.kind {
                Kind::Word(words) => Some(words.to_vec()),
                _ => None,
            }
        });
        let alive = scenario.alive_at_start(seed);
        let (subjects, not_at_risk) =
            subjects.unwrap_or_default().into_iter().partition(|subject| alive.contains(subject));
        Reader {
            teams: crate::system::team_labels(scenario.sides()),
            series: series.collect(),
            subjects,
            not_at_risk,
            sides,
            highlights,
            endings: BTreeMap::new(),
            survival: BTreeMap::new(),
            fights: BTreeMap::new(),
        }
    }

    fn part(
        &mut self,
        folder: &Path,
        format: Format,
        schemas: &[Schema],
        receipt: &Receipt,
    ) -> Result<(), Failure> {
        let open = |table: &str| -> Result<(String, Frame), Failure> {
            let start = format!("{table}/");
            let known = receipt.tables.iter().find(|known| known.file.starts_with(&start));
            let schema = schemas.iter().find(|schema| schema.name == table);
            let (known, schema) =
                known.zip(schema).with_context(|| format!("the run has no table {table}"))?;
            let path = folder.join(&known.file);
            let bytes = files::read_bytes(&path).map_err(|error| Failure::file("read", &path, &error))?;
            let place = path.display().to_string();
            let frame = read(format, schema, bytes).map_err(|error| damaged(&place, &error))?;
            Ok((place, frame))
        };
        let (file, games) = open("games")?;
        let ends = self.games(&games).map_err(|error| damaged(&file, &error))?;
        if !self.series.is_empty() {
            let (file, turns) = open("turns")?;
            self.turns(&turns, &ends).map_err(|error| damaged(&file, &error))?;
        }
        if let Some(source) = self.highlights.survival {
            let (file, country_status) = open(source.table)?;
            self.country_status(source, &country_status, &ends).map_err(|error| damaged(&file, &error))?;
        }
        if let Some(source) = self.highlights.fights {
            let (file, fights) = open(source.table)?;
            self.battles(source.place, &fights).map_err(|error| damaged(&file, &error))?;
        }
        Ok(())
    }

    fn games(&mut self, games: &Frame) -> anyhow::Result<HashMap<u64, End>> {
        let mut ends = HashMap::new();
        let rows = games.numbers::<u64>("game")?.into_iter().zip(games.optional_texts("winner")?);
        for ((game, winner), turn) in rows.zip(games.numbers("turns")?) {
            let ending = match winner {
                None => self.teams.len(),
                Some(name) => {
                    let team = self.teams.iter().position(|team| team == name);
                    team.with_context(|| format!("\"{name}\" is no team"))?
                }
            };
            self.endings.entry(turn).or_insert_with(|| vec![0; self.teams.len() + 1])[ending] += 1;
            ensure!(ends.insert(game, End { turn, ending }).is_none(), "game {game} is there twice");
        }
        Ok(ends)
    }

    fn turns(&mut self, turns: &Frame, ends: &HashMap<u64, End>) -> anyhow::Result<()> {
        let rows = turns.numbers::<u64>("game")?.into_iter().zip(turns.numbers("turn")?);
        let keys: Vec<(End, u32, usize)> = rows
            .zip(turns.texts("side")?)
            .map(|((game, turn), side)| {
                let end = ends.get(&game).with_context(|| format!("no game {game}"))?;
                let side = self.sides.iter().position(|other| other == side).context("an unknown side")?;
                Ok((*end, turn, side))
            })
            .collect::<anyhow::Result<_>>()?;
        for series in &mut self.series {
            for (&(end, turn, side), value) in keys.iter().zip(turns.amounts(&series.column)?) {
                let values = series.sides[side].entry(turn).or_default();
                values.add(value, end.ending, self.teams.len() + 1);
            }
        }
        Ok(())
    }

    fn country_status(
        &mut self,
        source: SurvivalSource,
        country_status: &Frame,
        ends: &HashMap<u64, End>,
    ) -> anyhow::Result<()> {
        let mut fallen: HashMap<(u64, &str), u32> = HashMap::new();
        let rows = country_status.numbers("game")?.into_iter().zip(country_status.numbers("turn")?);
        let rows = rows.zip(country_status.texts(source.subject)?).zip(country_status.texts(source.state)?);
        for (((game, turn), subject), state) in rows {
            if state == source.end {
                // Only the first fall counts: what rises again has not survived.
                fallen.entry((game, subject)).or_insert(turn);
            }
        }
        for (&game, end) in ends {
            for subject in &self.subjects {
                let fall = fallen.get(&(game, subject.as_str()));
                self.survival
                    .entry(subject.clone())
                    .or_default()
                    .add(fall.copied().unwrap_or(end.turn), fall.is_some());
            }
        }
        Ok(())
    }

    fn battles(&mut self, place: &str, battles: &Frame) -> anyhow::Result<()> {
        let mut counts: HashMap<(i64, &str), u64> = HashMap::new();
        for (game, place) in battles.ints("game")?.zip(battles.optional_texts(place)?) {
            *counts.entry((game, place.unwrap_or_default())).or_default() += 1;
        }
        for ((_, place), count) in counts {
            let fights = self.fights.entry(place.to_owned()).or_default();
            fights.fights += count;
            fights.squares += count * count;
            fights.games += 1;
        }
        Ok(())
    }
}

fn damaged(file: &str, error: &anyhow::Error) -> Failure {
    Failure::input(format!("{file} is damaged: {error:#}"))
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "shares of small counts are exact")]
mod tests {
    use super::*;

    fn values(list: &[(f64, usize)]) -> Values {
        let mut values = Values::default();
        for &(value, ending) in list {
            values.add(value, ending, 3);
        }
        values
    }

    #[test]
    fn quantiles_are_values_that_occurred() {
        let values = values(&[(4.0, 0), (1.5, 0), (2.0, 1), (3.0, 2)]);
        let at = |q| values.quantile(q).unwrap();
        assert_eq!([at(0.0), at(0.25), at(0.26), at(0.5), at(0.9)], [1.5, 1.5, 2.0, 2.0, 4.0]);
        assert_eq!(Values::default().quantile(0.5), None);
        assert_eq!(values.n(), 4);
    }

    #[test]
    fn a_value_tells_the_winner_by_pairs() {
        // Won: 3 3 4 5 6. Lost: 1 2 3 3 7. Of 25 pairs, 4 + 4 half and so on by hand: 2x(2+1) + 3x4 = 18.
        let list: Vec<(f64, usize)> = [3, 3, 4, 5, 6].map(|v| (f64::from(v), 0)).to_vec();
        let lost: Vec<(f64, usize)> = [1, 2, 3, 3, 7].map(|v| (f64::from(v), 1)).to_vec();
        let mixed = values(&[list.clone(), lost.clone()].concat());
        let concordance = mixed.concordance(0).unwrap();
        assert_eq!(concordance.value, 18.0 / 25.0);
        assert!(concordance.low < 0.72 && concordance.high > 0.72 && concordance.low > 0.3);
        assert!(
            (mixed.concordance(1).unwrap().value - 7.0 / 25.0).abs() < 1e-12,
            "the other team, the other way"
        );
        assert_eq!(values(&list).concordance(0), None, "no lost game");
        for few in [4, 5] {
            let none = values(&[&list[..few], &lost[..]].concat()).concordance(0).is_none();
            assert_eq!(none, few < 5, "{few} won games");
        }
        // All of ten won games above all of ten lost ones: Newcombe's method 5 is no point.
        let apart = |value: f64, ending| vec![(value, ending); 10];
        let sure = values(&[apart(2.0, 0), apart(1.0, 1)].concat()).concordance(0).unwrap();
        assert!((sure.value, sure.high) == (1.0, 1.0) && (sure.low - 0.800_213_6).abs() < 1e-6, "{sure:?}");
        let never = values(&[apart(1.0, 0), apart(2.0, 1)].concat()).concordance(0).unwrap();
        assert!(
            (never.value, never.low) == (0.0, 0.0) && (never.high - 0.199_786_4).abs() < 1e-6,
            "{never:?}"
        );
    }

    #[test]
    fn how_well_a_value_tells_is_newcombes() {
        // Hanley and McNeil (1982), *Radiology* 143, 29, table I: 58 normal and 51 abnormal images by rating; area
        // 0.893.
        let ratings = [(33, 3), (6, 2), (6, 2), (11, 11), (2, 33)];
        let of_each = |(value, (normal, abnormal)): (i32, (usize, usize))| {
            let value = f64::from(value);
            [vec![(value, 1); normal], vec![(value, 0); abnormal]].concat()
        };
        let images: Vec<_> = (1..).zip(ratings).flat_map(of_each).collect();
        // The ends by Newcombe's method 5, worked out apart.
        let concordance = values(&images).concordance(0).unwrap();
        for (mine, theirs) in
            [(concordance.value, 0.893_171), (concordance.low, 0.811_688), (concordance.high, 0.940_006)]
        {
            assert!((mine - theirs).abs() < 1e-6, "{concordance:?}");
        }
        // Values that are all the same tell nothing, in either direction alike.
        let same = values(&[vec![(1.0, 0); 20], vec![(1.0, 1); 30]].concat()).concordance(0).unwrap();
        assert_eq!(same.value, 0.5);
        assert!((same.low - 0.344_798).abs() < 1e-6 && (same.high - 0.655_202).abs() < 1e-6, "{same:?}");
    }
}
