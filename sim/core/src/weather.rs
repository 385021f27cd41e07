//! The distribution of a weather: fixed by the calendar, rolled turn by turn, or rolled in view of the turn before.
//!
//! A [`Weather`] is a chain over a few *kinds*, given by index, that may change its distribution every turn. A system
//! describes its weather table once; the questions (by turn, runs, "at least k fair turns between two dates") are
//! answered exactly. A kind is whatever the next roll depends on: where the ground remembers more than the sky shows,
//! a kind is a pair of the two, and a question names the kinds it means. Turns are counted from 0.
//!
//! ```
//! use sandtable_core::weather::Weather;
//!
//! // Fair (0) on a roll of 1 to 4, else mud (1), four turns long.
//! let weather = Weather::rolled(vec![vec![4.0 / 6.0, 2.0 / 6.0]; 4]).unwrap();
//! let fair = |kind: usize| kind == 0;
//! let all_four = (4.0f64 / 6.0).powi(4);
//! assert!((weather.at_least(4, fair, 0..4) - all_four).abs() < 1e-12);
//! assert!((weather.longest_run(fair, 0..4).probability(&4) - all_four).abs() < 1e-12);
//! ```

use std::ops::Range;

use crate::context::Dice;
use crate::pmf::Pmf;

/// How far a sum of probabilities may be from 1.
const TOLERANCE: f64 = 1e-9;

/// The distribution of the weather of a number of turns.
#[derive(Clone, PartialEq, Debug)]
pub struct Weather {
    /// Probability of each kind on the first turn.
    first: Vec<f64>,
    /// For each later turn and each kind of the turn before: the probability of each kind.
    moves: Vec<Vec<Vec<f64>>>,
}

impl Weather {
    /// A weather that depends on the turn before: the distribution of the first turn, and for every later turn a
    /// distribution for each kind of the turn before it.
    ///
    /// # Errors
    /// Names the turn whose distribution has not one probability for each kind, or a sum other than 1.
    pub fn chain(first: Vec<f64>, moves: Vec<Vec<Vec<f64>>>) -> Result<Self, String> {
        let kinds = first.len();
        check(&first, kinds).map_err(|fault| format!("the distribution of the first turn {fault}"))?;
        for (turn, distributions) in moves.iter().enumerate() {
            if distributions.len() != kinds {
                return Err(format!(
                    "turn {} has {} distributions; one for each of {kinds} kinds",
                    turn + 2,
                    distributions.len()
                ));
            }
            for (kind, distribution) in distributions.iter().enumerate() {
                check(distribution, kinds).map_err(|fault| {
                    format!("the distribution of turn {} after kind {kind} {fault}", turn + 2)
                })?;
            }
        }
        Ok(Weather { first, moves })
    }

    /// A weather rolled for each turn by itself, by the distribution of the turn.
    ///
    /// # Errors
    /// As [`Weather::chain`], and if there are no turns.
    pub fn rolled(distributions: Vec<Vec<f64>>) -> Result<Self, String> {
        let mut distributions = distributions.into_iter();
        let first = distributions.next().ok_or("a weather needs at least one turn")?;
        let kinds = first.len();
        Weather::chain(first, distributions.map(|distribution| vec![distribution; kinds]).collect())
    }

    /// A weather without chance: its kind turn by turn.
    ///
    /// # Errors
    /// If there are no turns, or a kind is not below `kinds`.
    pub fn fixed(kinds: usize, calendar: &[usize]) -> Result<Self, String> {
        if let Some(kind) = calendar.iter().find(|&&kind| kind >= kinds) {
            return Err(format!("kind {kind} of the calendar is not one of {kinds}"));
        }
        Weather::rolled(
            calendar
                .iter()
                .map(|&now| (0..kinds).map(|kind| f64::from(u8::from(kind == now))).collect())
                .collect(),
        )
    }

    /// How many turns there are.
    pub fn turns(&self) -> usize {
        self.moves.len() + 1
    }

    /// How many kinds there are.
    pub fn kinds(&self) -> usize {
        self.first.len()
    }

    /// Whether nothing is left to chance.
    pub fn is_certain(&self) -> bool {
        (0..self.turns()).all(|turn| self.at(turn).into_iter().all(|p| p <= 0.0 || p >= 1.0))
    }

    /// The probability of each kind on a turn.
    ///
    /// # Panics
    /// If there is no such turn.
    pub fn at(&self, turn: usize) -> Vec<f64> {
        let mut now = self.first.clone();
        for distributions in &self.moves[..turn] {
            let mut next = vec![0.0; now.len()];
            for (mass, distribution) in now.iter().zip(distributions) {
                for (sum, p) in next.iter_mut().zip(distribution) {
                    *sum += mass * p;
                }
            }
            now = next;
        }
        now
    }

    /// The distribution of anything that is reckoned turn by turn over some turns: `step` takes what it has come to
    /// and the kind of the turn.
    ///
    /// # Panics
    /// If the turns are not among those there are.
    pub fn reckon<T: Ord + Clone>(
        &self,
        turns: Range<usize>,
        start: T,
        mut step: impl FnMut(&T, usize) -> T,
    ) -> Pmf<T> {
        if turns.is_empty() {
            return Pmf::point(start);
        }
        let mut distribution = Pmf::weighted(
            self.at(turns.start).into_iter().enumerate().map(|(kind, p)| ((kind, step(&start, kind)), p)),
        );
        for distributions in &self.moves[turns.start..turns.end - 1] {
            distribution = distribution.then(|(before, sum)| {
                let next = distributions[*before].iter().enumerate().filter(|&(_, &p)| p > 0.0);
                Pmf::weighted(next.map(|(kind, &p)| ((kind, step(sum, kind)), p)))
            });
        }
        distribution.map(|(_, sum)| sum)
    }

    /// How many of these turns have such weather.
    ///
    /// # Panics
    /// As [`Weather::reckon`].
    pub fn count(&self, such: impl Fn(usize) -> bool, turns: Range<usize>) -> Pmf<u32> {
        self.reckon(turns, 0, |&count, kind| count + u32::from(such(kind)))
    }

    /// The probability that at least `k` of these turns have such weather.
    ///
    /// # Panics
    /// As [`Weather::reckon`].
    pub fn at_least(&self, k: u32, such: impl Fn(usize) -> bool, turns: Range<usize>) -> f64 {
        self.count(such, turns).chance(|&count| count >= k)
    }

    /// The length of the longest run of such weather within these turns.
    ///
    /// # Panics
    /// As [`Weather::reckon`].
    pub fn longest_run(&self, such: impl Fn(usize) -> bool, turns: Range<usize>) -> Pmf<u32> {
        let longest = self.reckon(turns, (0, 0), |&(best, run): &(u32, u32), kind| {
            let run = if such(kind) { run + 1 } else { 0 };
            (best.max(run), run)
        });
        longest.map(|(best, _)| best)
    }

    /// The length of the run of such weather that begins with this turn, 0 if it has other weather; a run still
    /// unbroken at the end has the length it has come to.
    ///
    /// # Panics
    /// As [`Weather::reckon`].
    pub fn run_from(&self, such: impl Fn(usize) -> bool, turn: usize) -> Pmf<u32> {
        let run = self.reckon(turn..self.turns(), (false, 0), |&(broken, run): &(bool, u32), kind| {
            let broken = broken || !such(kind);
            (broken, run + u32::from(!broken))
        });
        run.map(|(_, run)| run)
    }

    /// Rolls the weather of all turns.
    pub fn sample(&self, dice: &mut impl Dice) -> Vec<usize> {
        let mut kinds = Vec::with_capacity(self.turns());
        let mut kind = draw(&self.first, dice);
        kinds.push(kind);
        for distributions in &self.moves {
            kind = draw(&distributions[kind], dice);
            kinds.push(kind);
        }
        kinds
    }
}

/// What is wrong with the distribution of a turn.
fn check(distribution: &[f64], kinds: usize) -> Result<(), String> {
    if distribution.len() != kinds || kinds == 0 {
        return Err(format!(
            "has {} probabilities; one for each of {kinds} kinds, at least one",
            distribution.len()
        ));
    }
    if let Some(p) = distribution.iter().find(|p| !(-TOLERANCE..=1.0 + TOLERANCE).contains(*p)) {
        return Err(format!("has a probability of {p}"));
    }
    let sum: f64 = distribution.iter().sum();
    if (sum - 1.0).abs() > TOLERANCE {
        return Err(format!("sums to {sum}, not 1"));
    }
    Ok(())
}

fn draw(distribution: &[f64], dice: &mut impl Dice) -> usize {
    let mut rest = f64::from(dice.below(u32::MAX)) / f64::from(u32::MAX);
    for (kind, p) in distribution.iter().enumerate() {
        if rest < *p {
            return kind;
        }
        rest -= p;
    }
    // Rounding has left a crumb: the last kind that can come.
    distribution.iter().rposition(|&p| p > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Rng64;

    const FAIR: usize = 0;
    const MUD: usize = 1;
    const SNOW: usize = 2;

    /// A fortnightly weather on two dice: what is rolled depends on the season and on the ground, which stays bad more
    /// easily than it turns bad.
    fn two_dice() -> Weather {
        // For each season and kind before: up to which roll it is fair, up to which mud, else snow.
        let table = [[(9, 12), (7, 12), (6, 12)], [(7, 11), (5, 11), (4, 9)], [(4, 6), (3, 6), (2, 4)]];
        let distribution = |(fair, mud): (i32, i32)| {
            let dice = Pmf::dice(2, 6);
            let fair_mass = dice.cumulative(&fair);
            let mud_mass = dice.cumulative(&mud) - fair_mass;
            vec![fair_mass, mud_mass, (1.0 - fair_mass - mud_mass).max(0.0)]
        };
        let seasons = [0, 0, 1, 1, 2, 2, 1, 0];
        let first = distribution(table[0][FAIR]);
        let moves =
            seasons[1..].iter().map(|&season: &usize| table[season].map(distribution).to_vec()).collect();
        Weather::chain(first, moves).unwrap()
    }

    /// Every sequence of kinds with its probability.
    fn every_sequence(weather: &Weather) -> Vec<(Vec<usize>, f64)> {
        let mut all = vec![(Vec::new(), 1.0)];
        for turn in 0..weather.turns() {
            all = all
                .into_iter()
                .flat_map(|(kinds, p): (Vec<usize>, f64)| {
                    let distribution = match kinds.last() {
                        None => weather.first.clone(),
                        Some(&before) => weather.moves[turn - 1][before].clone(),
                    };
                    distribution
                        .into_iter()
                        .enumerate()
                        .map(move |(kind, q)| ([&kinds[..], &[kind]].concat(), p * q))
                })
                .collect();
        }
        all
    }

    fn longest(kinds: &[usize]) -> u32 {
        kinds.split(|&kind| kind != FAIR).map(|run| run.len() as u32).max().unwrap_or(0)
    }

    #[test]
    fn a_chain_agrees_with_every_sequence_there_is() {
        let weather = two_dice();
        let all = every_sequence(&weather);
        assert_eq!(all.len(), 3usize.pow(8));
        let chance = |holds: &dyn Fn(&[usize]) -> bool| -> f64 {
            all.iter().filter(|(kinds, _)| holds(kinds)).map(|(_, p)| p).sum()
        };
        let fair = |kind: usize| kind == FAIR;
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        for turn in 0..8 {
            for kind in [FAIR, MUD, SNOW] {
                close(weather.at(turn)[kind], chance(&|kinds| kinds[turn] == kind));
            }
            let run = weather.run_from(fair, turn);
            for length in 0..=8 {
                close(
                    run.probability(&length),
                    chance(&|kinds| {
                        kinds[turn..].iter().take_while(|&&kind| kind == FAIR).count() as u32 == length
                    }),
                );
            }
        }
        for (from, to) in [(0, 8), (2, 6), (3, 4), (5, 5)] {
            let (count, best) = (weather.count(fair, from..to), weather.longest_run(fair, from..to));
            for k in 0..=8 {
                let of =
                    |kinds: &[usize]| kinds[from..to].iter().filter(|&&kind| kind == FAIR).count() as u32;
                close(count.probability(&k), chance(&|kinds| of(kinds) == k));
                close(weather.at_least(k, fair, from..to), chance(&|kinds| of(kinds) >= k));
                close(best.probability(&k), chance(&|kinds| longest(&kinds[from..to]) == k));
            }
        }
    }

    #[test]
    fn samples_follow_the_distribution() {
        let weather = two_dice();
        let distribution = weather.longest_run(|kind| kind == FAIR, 0..8);
        let games = 40_000;
        let mut seen = [0u32; 9];
        let mut dice = Rng64::stream(5, 0, 0);
        for _ in 0..games {
            seen[longest(&weather.sample(&mut dice)) as usize] += 1;
        }
        let chi2: f64 = (0..9u32)
            .map(|run| (f64::from(seen[run as usize]), distribution.probability(&run) * f64::from(games)))
            .map(|(seen, expected)| if expected > 0.0 { (seen - expected).powi(2) / expected } else { seen })
            .sum();
        assert!(chi2 < 26.1, "chi-square {chi2} at 8 degrees of freedom");
    }

    #[test]
    fn rolls_without_memory_multiply_and_calendars_are_certain() {
        let weather = Weather::rolled(vec![vec![0.25, 0.75], vec![0.5, 0.5]]).unwrap();
        let both = weather.count(|kind| kind == 0, 0..2);
        assert!((both.probability(&2) - 0.125).abs() < 1e-12 && !weather.is_certain());
        let calendar = Weather::fixed(3, &[FAIR, FAIR, MUD, FAIR]).unwrap();
        assert!(calendar.is_certain());
        assert_eq!(calendar.longest_run(|kind| kind == FAIR, 0..4), Pmf::point(2));
        assert_eq!(calendar.sample(&mut Rng64::stream(1, 0, 0)), [FAIR, FAIR, MUD, FAIR]);
    }

    #[test]
    fn a_distribution_that_is_none_is_refused() {
        assert_eq!(Weather::fixed(2, &[0, 2]).unwrap_err(), "kind 2 of the calendar is not one of 2");
        assert!(Weather::rolled(vec![]).is_err());
        assert!(Weather::rolled(vec![vec![0.5, 0.6]]).unwrap_err().contains("sums to 1.1"));
        let fault = Weather::chain(vec![0.5, 0.5], vec![vec![vec![1.0, 0.0]]]).unwrap_err();
        assert_eq!(fault, "turn 2 has 1 distributions; one for each of 2 kinds");
    }
}
