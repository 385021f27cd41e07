//! The n-tuple bandit evolutionary algorithm.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::design::{self, Factor, Point, Value};
use crate::interval::Moments;
use crate::random::{Generator, generator};

/// How an [`Ntbea`] run goes about.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct NtbeaSettings {
    /// How many looks there will be.
    pub iterations: u64,
    /// The most levels an ordered factor is cut into.
    pub levels: usize,
    /// How many neighbours are weighed before each look.
    pub neighbours: usize,
    /// How much an unexplored setting is favoured, in standard deviations of the responses.
    pub exploration: f64,
    /// The seed of the mutations.
    pub seed: u64,
}

impl NtbeaSettings {
    /// Seven levels, 50 neighbours, an exploration of 1.
    pub fn new(iterations: u64, seed: u64) -> Self {
        NtbeaSettings { iterations, levels: 7, neighbours: 50, exploration: 1.0, seed }
    }
}

/// NTBEA: a table remembers the mean response of every level of every factor, of every pair of levels and of every
/// whole setting. The next look is, of many mutations of the last one, that whose entries promise most: a high mean,
/// or little known (upper confidence bound).
///
/// Literature: S. M. Lucas, J. Liu and D. Perez-Liebana, *The N-Tuple Bandit Evolutionary Algorithm for Game Agent
/// Optimisation* (IEEE CEC 2018); K. Kunanusont et al. (2017).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ntbea {
    factors: Vec<Factor>,
    settings: NtbeaSettings,
    levels: Vec<Vec<Value>>,
    /// The level of each factor in the setting that is out.
    current: Vec<usize>,
    /// All responses.
    all: Moments,
    /// By factor and level.
    ones: Vec<Vec<Entry>>,
    /// By pair of factors, in the order (1, 0), (2, 0), (2, 1), ..., and pair of levels.
    twos: Vec<Vec<Entry>>,
    /// By whole setting, in ascending order.
    visited: Vec<Visit>,
    rng: Generator,
}

/// How often something was seen, and the mean response.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Entry {
    n: u64,
    mean: f64,
}

impl Entry {
    fn add(&mut self, response: f64) {
        self.n += 1;
        self.mean += (response - self.mean) / self.n as f64;
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Visit {
    levels: Vec<usize>,
    entry: Entry,
}

impl Ntbea {
    /// A run from `start`, or from a random setting.
    ///
    /// # Errors
    /// Without factors or with a bad range; with a start of another length; without iterations, levels or neighbours,
    /// or with an exploration that is negative.
    pub fn new(factors: Vec<Factor>, start: Option<&Point>, settings: NtbeaSettings) -> Result<Self, Error> {
        design::check(&factors)?;
        for (what, count) in [
            ("the number of iterations", settings.iterations),
            ("the number of levels", settings.levels as u64),
            ("the number of neighbours", settings.neighbours as u64),
        ] {
            if count == 0 {
                return Err(Error::setting(what, 0, "at least 1"));
            }
        }
        if !(settings.exploration >= 0.0 && settings.exploration.is_finite()) {
            return Err(Error::setting("the exploration", settings.exploration, "a number of at least 0"));
        }
        let levels: Vec<Vec<Value>> = factors.iter().map(|factor| factor.levels(settings.levels)).collect();
        let mut rng = generator(settings.seed);
        let current = match start {
            None => levels.iter().map(|levels| rng.random_range(0..levels.len())).collect(),
            Some(start) if start.len() != factors.len() => {
                let (given, expected) = (start.len(), factors.len());
                return Err(Error::Length { what: "values of the start", given, expected });
            }
            Some(start) => (0..factors.len())
                .map(|index| nearest(&factors[index], &levels[index], start[index]))
                .collect(),
        };
        let ones = levels.iter().map(|levels| vec![Entry::default(); levels.len()]).collect();
        let twos = pairs(factors.len())
            .map(|(a, b)| vec![Entry::default(); levels[a].len() * levels[b].len()])
            .collect();
        let (all, visited) = (Moments::default(), Vec::new());
        Ok(Ntbea { factors, settings, levels, current, all, ones, twos, visited, rng })
    }

    /// How many looks have been told.
    pub fn iteration(&self) -> u64 {
        self.all.n
    }

    /// The next setting to look at, the same until it is told; `None` when the run is over.
    pub fn ask(&self) -> Option<Point> {
        (self.all.n < self.settings.iterations).then(|| self.point(&self.current))
    }

    /// Takes the response at the setting asked for, more being better.
    ///
    /// # Errors
    /// With a response that is not finite; nothing changes then. After the end of the run answers are not used.
    pub fn tell(&mut self, response: f64) -> Result<(), Error> {
        if !response.is_finite() {
            return Err(Error::setting("a response", response, "a finite number"));
        }
        if self.all.n >= self.settings.iterations {
            return Ok(());
        }
        self.all.add(response);
        for (entries, &level) in self.ones.iter_mut().zip(&self.current) {
            entries[level].add(response);
        }
        for (index, (a, b)) in pairs(self.factors.len()).enumerate() {
            let place = self.current[a] * self.levels[b].len() + self.current[b];
            self.twos[index][place].add(response);
        }
        let place = match self.visited.binary_search_by(|visit| visit.levels.cmp(&self.current)) {
            Ok(place) => place,
            Err(place) => {
                let visit = Visit { levels: self.current.clone(), entry: Entry::default() };
                self.visited.insert(place, visit);
                place
            }
        };
        self.visited[place].entry.add(response);
        self.current = self.promising();
        Ok(())
    }

    /// The setting with the best mean over its entries in the table, of those looked at. The start before the first
    /// look.
    pub fn best(&self) -> Point {
        let best = self
            .visited
            .iter()
            .max_by(|a, b| self.worth(&a.levels, 0.0).total_cmp(&self.worth(&b.levels, 0.0)));
        self.point(best.map_or(&self.current, |visit| &visit.levels))
    }

    fn point(&self, levels: &[usize]) -> Point {
        self.levels.iter().zip(levels).map(|(values, &level)| values[level]).collect()
    }

    /// The best of the neighbours of the current setting.
    fn promising(&mut self) -> Vec<usize> {
        // Before the second look the responses have no deviation.
        let deviation = if self.all.n < 2 { 1.0 } else { self.all.deviation() };
        let exploration = self.settings.exploration * deviation;
        let mut best = (f64::NEG_INFINITY, self.current.clone());
        for _ in 0..self.settings.neighbours {
            let neighbour = self.mutate();
            // Equal ones are told apart by chance.
            let tie = 1e-9 * deviation * self.rng.random::<f64>();
            let worth = self.worth(&neighbour, exploration) + tie;
            if worth > best.0 {
                best = (worth, neighbour);
            }
        }
        best.1
    }

    /// The current setting with one level changed, and each of the others with a chance of one in their number.
    fn mutate(&mut self) -> Vec<usize> {
        let mut levels = self.current.clone();
        let free: Vec<usize> = (0..levels.len()).filter(|&index| self.levels[index].len() > 1).collect();
        if free.is_empty() {
            return levels;
        }
        let sure = free[self.rng.random_range(0..free.len())];
        for &index in &free {
            if index == sure || self.rng.random_range(0..free.len()) == 0 {
                let other = self.rng.random_range(0..self.levels[index].len() - 1);
                levels[index] = if other >= levels[index] { other + 1 } else { other };
            }
        }
        levels
    }

    /// The mean over all entries of a setting of the response seen and the bonus for what is little known. An entry
    /// never seen has the mean of all responses.
    fn worth(&self, levels: &[usize], exploration: f64) -> f64 {
        let looks = (self.all.n as f64 + 1.0).ln();
        let of = |entry: &Entry| {
            let mean = if entry.n == 0 { self.all.mean } else { entry.mean };
            mean + exploration * (looks / (entry.n as f64 + 0.5)).sqrt()
        };
        let mut worth: f64 = self.ones.iter().zip(levels).map(|(entries, &level)| of(&entries[level])).sum();
        for (index, (a, b)) in pairs(levels.len()).enumerate() {
            worth += of(&self.twos[index][levels[a] * self.levels[b].len() + levels[b]]);
        }
        let whole = self.visited.binary_search_by(|visit| visit.levels.as_slice().cmp(levels));
        worth += of(&whole.map_or(Entry::default(), |place| self.visited[place].entry));
        worth / (self.ones.len() + self.twos.len() + 1) as f64
    }
}

/// All pairs of `n` factors.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(|a| (0..a).map(move |b| (a, b)))
}

/// The level closest to a value.
fn nearest(factor: &Factor, levels: &[Value], value: Value) -> usize {
    let share = factor.share(value);
    let distance = |level: usize| (factor.share(levels[level]) - share).abs();
    (0..levels.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::number;
    use crate::random::normal;

    /// How many of ten switches are on, with two that only help together: 12 at best.
    fn switches(point: &Point) -> f64 {
        let on: f64 = point.iter().map(|&value| number(value)).sum();
        on + 2.0 * number(point[3]) * number(point[7])
    }

    fn factors() -> Vec<Factor> {
        (0..10).map(|index| Factor::categories(format!("s{index}"), ["off", "on"])).collect()
    }

    #[test]
    fn it_finds_the_best_switches_in_noise_where_random_search_does_not() {
        const LOOKS: u64 = 300;
        let (mut found, mut random) = (0.0, 0.0);
        for seed in 0..30 {
            let mut noise = generator(500 + seed);
            let mut ntbea = Ntbea::new(factors(), None, NtbeaSettings::new(LOOKS, seed)).unwrap();
            while let Some(point) = ntbea.ask() {
                ntbea.tell(switches(&point) + 3.0 * normal(&mut noise)).unwrap();
            }
            found += switches(&ntbea.best()) / 30.0;
            let mut best = (f64::NEG_INFINITY, Vec::new());
            for _ in 0..LOOKS {
                let point: Point = factors().iter().map(|factor| factor.at(noise.random::<f64>())).collect();
                let seen = switches(&point) + 3.0 * normal(&mut noise);
                if seen > best.0 {
                    best = (seen, point);
                }
            }
            random += switches(&best.1) / 30.0;
        }
        assert!(found > 11.0 && found > random + 2.0, "{found} {random}");
    }

    #[test]
    fn factors_of_all_kinds() {
        let factors = vec![
            Factor::real("x", 0.0, 1.0),
            Factor::integer("n", 0, 100),
            Factor::categories("c", ["a", "b", "c"]),
            Factor::integer("fixed", 3, 3),
        ];
        let response = |point: &Point| {
            -(number(point[0]) - 0.5).powi(2) - (number(point[1]) / 100.0 - 1.0).powi(2)
                + f64::from(u8::from(point[2] == Value::Category { category: 1 }))
        };
        let start =
            vec![Value::Real(0.02), Value::Integer(30), Value::Category { category: 2 }, Value::Integer(3)];
        let settings = NtbeaSettings { levels: 5, ..NtbeaSettings::new(120, 6) };
        let mut ntbea = Ntbea::new(factors, Some(&start), settings).unwrap();
        assert_eq!(ntbea.ask().unwrap()[..2], [Value::Real(0.0), Value::Integer(25)]);
        let mut noise = generator(1);
        while let Some(point) = ntbea.ask() {
            ntbea.tell(response(&point) + 0.05 * normal(&mut noise)).unwrap();
        }
        let best =
            [Value::Real(0.5), Value::Integer(100), Value::Category { category: 1 }, Value::Integer(3)];
        assert_eq!(ntbea.best(), best);
    }

    #[test]
    fn a_stored_run_goes_on_as_it_would_have() {
        let mut whole = Ntbea::new(factors(), None, NtbeaSettings::new(60, 2)).unwrap();
        let mut parts = whole.clone();
        for step in 0..60 {
            if step % 11 == 5 {
                parts = serde_json::from_str(&serde_json::to_string(&parts).unwrap()).unwrap();
            }
            let point = whole.ask().unwrap();
            assert_eq!(Some(&point), parts.ask().as_ref());
            let response = switches(&point) + f64::from(step * step % 7) / 3.0;
            whole.tell(response).unwrap();
            parts.tell(response).unwrap();
        }
        assert_eq!(whole, parts);
        assert_eq!((whole.ask(), whole.iteration()), (None, 60));
        assert!(whole.tell(f64::INFINITY).is_err());
        whole.tell(1.0).unwrap();
        assert_eq!(whole, parts);
    }

    #[test]
    fn bad_runs_are_refused() {
        let settings = NtbeaSettings::new(10, 1);
        assert!(Ntbea::new(Vec::new(), None, settings).is_err());
        assert!(Ntbea::new(factors(), Some(&Vec::new()), settings).is_err());
        assert!(Ntbea::new(factors(), None, NtbeaSettings { iterations: 0, ..settings }).is_err());
        assert!(Ntbea::new(factors(), None, NtbeaSettings { neighbours: 0, ..settings }).is_err());
        assert!(Ntbea::new(factors(), None, NtbeaSettings { exploration: -1.0, ..settings }).is_err());
        let alone = Ntbea::new(vec![Factor::integer("n", 2, 2)], None, settings);
        alone.unwrap().tell(1.0).unwrap();
    }
}
