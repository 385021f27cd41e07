//! Bradley-Terry ratings with ties and side effects.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::interval::{Bootstrap, Estimate, LEVEL, normal_reach, quantile_of};
use crate::pairs::Outcome;
use crate::random::generator;

/// Who met where. Players and scenarios are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// The player on the first side, in the first game of a pair.
    pub a: usize,
    /// The other player.
    pub b: usize,
    /// The scenario.
    pub scenario: usize,
}

/// What is played under one stream of dice: the unit that is independent of all others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Unit {
    /// One game with `a` on the first side; the outcome for `a`.
    Game(Outcome),
    /// Two games with the sides swapped; the outcomes for `a` on the first side, then on the second.
    Pair(Outcome, Outcome),
}

/// The games of a tournament, counted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Games {
    counts: BTreeMap<(Pairing, Unit), u64>,
}

impl Games {
    /// Adds `count` units with the same result.
    pub fn add(&mut self, pairing: Pairing, unit: Unit, count: u64) {
        if count > 0 {
            *self.counts.entry((pairing, unit)).or_default() += count;
        }
    }

    /// Adds the games of another tournament.
    pub fn merge(&mut self, other: &Games) {
        for (&(pairing, unit), &count) in &other.counts {
            self.add(pairing, unit, count);
        }
    }
}

/// What the first side may be worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sides {
    /// Nothing: the sides are equal.
    #[default]
    Equal,
    /// The same in all scenarios.
    Common,
    /// Something else in every scenario.
    PerScenario,
}

/// The model of Bradley and Terry (1952) with the ties of Davidson (1970) and the order effect of Davidson and Beaver
/// (1977), fitted by maximum likelihood.
///
/// With ratings θ and the worth γ of the first side in the scenario, d = θ(first) - θ(second) + γ, the first side wins,
/// loses and draws as exp(d/2) : exp(-d/2) : ν. Games are independent given the ratings.
///
/// Ratings are reported in Elo. Their mean is 0 over the players who are comparable: the largest set in which everyone took
/// points off everyone else, directly or through others. So an agent that loses every game does not blur the ratings of
/// all the rest; where nobody is comparable, the mean is over all. The scale is the one on which the expected score has the slope of the logistic
/// curve between equals, so that differences agree with [`Results::elo`](crate::pairs::Results::elo) whatever the
/// share of draws.
///
/// A player who has won or lost everything has no finite likeliest rating. A normal prior on every parameter, so wide that
/// it weighs less than a game in thirty, keeps the value finite, and the end of the interval that is not known is infinite.
///
/// Literature: R. A. Bradley and M. E. Terry, *Biometrika* 39, 324; R. R. Davidson, *JASA* 65, 317; R. R. Davidson and
/// R. J. Beaver, *Biometrics* 33, 693; L. R. Ford (1957), *American Mathematical Monthly* 64, 28 (when ratings exist).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BradleyTerry {
    /// What the first side may be worth.
    pub sides: Sides,
    /// The standard deviation of the prior, in Elo.
    pub prior: f64,
}

impl Default for BradleyTerry {
    fn default() -> Self {
        BradleyTerry { sides: Sides::Equal, prior: 2000.0 }
    }
}

/// One player's line in the table.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// The rating in Elo; the mean over the comparable players is 0. An end of the interval is infinite where no game bounds
    /// it: the player never lost to them, or never won, or never met them.
    pub elo: Estimate,
    /// Games played.
    pub games: u64,
    /// Points won in them.
    pub points: f64,
}

/// A fitted table.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The players, in their order.
    pub ratings: Vec<Rating>,
    /// What the first side is worth, in Elo: nothing, one number, or one a scenario, as the model says.
    pub sides: Vec<Estimate>,
    /// The probability of a draw between equals.
    pub draws: f64,
    /// The logarithm of the likelihood.
    pub log_likelihood: f64,
    model: BradleyTerry,
    layout: Layout,
    cells: Vec<Cell>,
    parameters: DVector<f64>,
    covariance: DMatrix<f64>,
    /// `reach[a * n + b]`: a chain of points leads from `a` down to `b`.
    reach: Vec<bool>,
    /// The players whose mean is 0.
    anchor: Vec<usize>,
}

/// Logits an Elo point.
const LOGIT: f64 = std::f64::consts::LN_10 / 400.0;

/// Where each parameter stands in the vector.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Layout {
    players: usize,
    sides: Sides,
    scenarios: usize,
    ties: bool,
}

impl Layout {
    fn sides(&self) -> usize {
        match self.sides {
            Sides::Equal => 0,
            Sides::Common => 1,
            Sides::PerScenario => self.scenarios,
        }
    }

    fn side(&self, scenario: usize) -> Option<usize> {
        match self.sides {
            Sides::Equal => None,
            Sides::Common => Some(self.players),
            Sides::PerScenario => Some(self.players + scenario),
        }
    }

    fn tie(&self) -> Option<usize> {
        self.ties.then(|| self.players + self.sides())
    }

    fn len(&self) -> usize {
        self.players + self.sides() + usize::from(self.ties)
    }
}

/// The outcomes for the first side of all games between two players, seated, in one scenario.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Cell {
    first: usize,
    second: usize,
    scenario: usize,
    /// Losses, draws and wins.
    outcomes: [f64; 3],
}

/// Probabilities of loss, draw and win at an advantage in logits.
fn law(advantage: f64, ties: f64) -> [f64; 3] {
    // The larger of the two exponentials is taken out, so that none overflows.
    let behind = (-advantage.abs()).exp();
    let tie = ties * (-advantage.abs() / 2.0).exp();
    let total = 1.0 + behind + tie;
    let (win, loss) = if advantage >= 0.0 { (1.0, behind) } else { (behind, 1.0) };
    [loss / total, tie / total, win / total]
}

impl BradleyTerry {
    /// Fits ratings of `players` players in `scenarios` scenarios.
    ///
    /// # Errors
    /// Without players, with games of players or scenarios that there are not, or with a prior that is not positive.
    pub fn fit(&self, games: &Games, players: usize, scenarios: usize) -> Result<Fit, Error> {
        self.check(games, players, scenarios)?;
        let cells = cells(games.counts.iter().map(|(&key, &count)| (key, count)));
        let layout = self.layout(&cells, players, scenarios);
        let (parameters, log_likelihood) = {
            let nothing = DVector::zeros(layout.len());
            self.maximise(&cells, layout, nothing.clone(), &nothing)
        };
        Ok(self.report(cells, layout, parameters, log_likelihood))
    }

    /// The intervals of the ratings by the percentile bootstrap over units within each pairing, in the order of the
    /// players. They hold even if the two games of a pair depend on each other in a way the model does not know. Where a
    /// rating is unbounded, so is its interval.
    ///
    /// # Errors
    /// As [`BradleyTerry::fit`] and [`Bootstrap::check`].
    pub fn bootstrap(
        &self,
        games: &Games,
        players: usize,
        scenarios: usize,
        bootstrap: &Bootstrap,
    ) -> Result<Vec<Estimate>, Error> {
        bootstrap.check()?;
        let fit = self.fit(games, players, scenarios)?;
        let mut strata: BTreeMap<Pairing, Vec<(Unit, u64)>> = BTreeMap::new();
        for (&(pairing, unit), &count) in &games.counts {
            strata.entry(pairing).or_default().push((unit, count));
        }
        let mut rng = generator(bootstrap.seed);
        let mut replicates: Vec<Vec<f64>> = vec![Vec::with_capacity(bootstrap.resamples); players];
        for _ in 0..bootstrap.resamples {
            let mut sample = Vec::new();
            for (&pairing, units) in &strata {
                let total: u64 = units.iter().map(|unit| unit.1).sum();
                let mut drawn = vec![0u64; units.len()];
                for _ in 0..total {
                    let mut at = rng.random_range(0..total);
                    let index = units.iter().position(|&(_, count)| {
                        let here = at < count;
                        at = at.wrapping_sub(count);
                        here
                    });
                    drawn[index.unwrap_or(0)] += 1;
                }
                sample.extend(units.iter().zip(drawn).map(|(&(unit, _), count)| ((pairing, unit), count)));
            }
            let cells = cells(sample.into_iter());
            let layout = self.layout(&cells, players, scenarios);
            let start = fit.parameters.clone().resize_vertically(layout.len(), 0.0);
            let (parameters, _) = self.maximise(&cells, layout, start, &DVector::zeros(layout.len()));
            let scale = elo_scale(layout, &parameters);
            let mean =
                fit.anchor.iter().map(|&member| parameters[member]).sum::<f64>() / fit.anchor.len() as f64;
            for (player, values) in replicates.iter_mut().enumerate() {
                values.push((parameters[player] - mean) * scale);
            }
        }
        let tail = (1.0 - bootstrap.level) / 2.0;
        Ok(replicates
            .iter_mut()
            .zip(&fit.ratings)
            .map(|(values, rating)| {
                values.sort_by(f64::total_cmp);
                let end =
                    |q, known: f64| if known.is_finite() { quantile_of(values, q) } else { Some(known) };
                Estimate {
                    value: rating.elo.value,
                    low: end(tail, rating.elo.low).unwrap_or(f64::NEG_INFINITY),
                    high: end(1.0 - tail, rating.elo.high).unwrap_or(f64::INFINITY),
                }
            })
            .collect())
    }

    fn check(&self, games: &Games, players: usize, scenarios: usize) -> Result<(), Error> {
        if players == 0 {
            return Err(Error::setting("the number of players", 0, "at least 1"));
        }
        if !(self.prior > 0.0 && self.prior.is_finite()) {
            return Err(Error::setting("the prior", self.prior, "a number of Elo points above 0"));
        }
        for (pairing, _) in games.counts.keys() {
            for player in [pairing.a, pairing.b] {
                if player >= players {
                    return Err(Error::setting("a player", player, format!("a number below {players}")));
                }
            }
            if pairing.scenario >= scenarios {
                let expected = format!("a number below {scenarios}");
                return Err(Error::setting("a scenario", pairing.scenario, expected));
            }
        }
        Ok(())
    }

    fn layout(&self, cells: &[Cell], players: usize, scenarios: usize) -> Layout {
        let ties = cells.iter().any(|cell| cell.outcomes[1] > 0.0);
        Layout { players, sides: self.sides, scenarios, ties }
    }

    /// The precision of the prior in logits.
    fn precision(&self) -> f64 {
        (self.prior * LOGIT).powi(-2)
    }

    /// The likeliest parameters (with the prior, and pulled in a direction) and their log-likelihood (without either), by
    /// Newton's method: the model is an exponential family, so the function is concave.
    fn maximise(
        &self,
        cells: &[Cell],
        layout: Layout,
        start: DVector<f64>,
        pull: &DVector<f64>,
    ) -> (DVector<f64>, f64) {
        let value_at = |at: &DVector<f64>| self.objective(cells, layout, at) + pull.dot(at);
        let mut at = start;
        let mut value = value_at(&at);
        for _ in 0..200 {
            let (mut gradient, information) = self.derivatives(cells, layout, &at);
            gradient += pull;
            let Some(factors) = information.cholesky() else { break };
            let step = factors.solve(&gradient);
            let promise = gradient.dot(&step);
            let mut share = 1.0;
            let mut moved = false;
            while share > 1e-6 {
                let next = &at + &step * share;
                let better = value_at(&next);
                if better >= value + 1e-4 * share * promise {
                    (at, value, moved) = (next, better, true);
                    break;
                }
                share /= 2.0;
            }
            if !moved || promise < 1e-12 {
                break;
            }
        }
        let likelihood = value - pull.dot(&at) + self.precision() / 2.0 * at.norm_squared();
        (at, likelihood)
    }

    fn objective(&self, cells: &[Cell], layout: Layout, at: &DVector<f64>) -> f64 {
        let likelihood: f64 = cells
            .iter()
            .map(|cell| {
                let p = law(advantage(cell, layout, at), ties(layout, at));
                (0..3).filter(|&k| cell.outcomes[k] > 0.0).map(|k| cell.outcomes[k] * p[k].ln()).sum::<f64>()
            })
            .sum();
        likelihood - self.precision() / 2.0 * at.norm_squared()
    }

    /// The gradient of the objective, and the information: minus its second derivatives.
    fn derivatives(&self, cells: &[Cell], layout: Layout, at: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let mut gradient = -at * self.precision();
        let mut information = DMatrix::from_diagonal_element(layout.len(), layout.len(), self.precision());
        for cell in cells {
            let [loss, draw, win] = law(advantage(cell, layout, at), ties(layout, at));
            let n: f64 = cell.outcomes.iter().sum();
            // The sufficient statistics of a game: half the difference of wins and losses, and the draw.
            let lead = (win - loss) / 2.0;
            let by_advantage = (cell.outcomes[2] - cell.outcomes[0]) / 2.0 - n * lead;
            let by_tie = cell.outcomes[1] - n * draw;
            let spread = n * ((win + loss) / 4.0 - lead * lead);
            let tie_spread = n * draw * (1.0 - draw);
            let both = -n * lead * draw;

            let mut slopes = [(cell.first, 1.0), (cell.second, -1.0), (0, 0.0)];
            if let Some(side) = layout.side(cell.scenario) {
                slopes[2] = (side, 1.0);
            }
            for (i, slope) in slopes {
                gradient[i] += slope * by_advantage;
                for (j, other) in slopes {
                    information[(i, j)] += slope * other * spread;
                }
                if let Some(tie) = layout.tie() {
                    information[(i, tie)] += slope * both;
                    information[(tie, i)] += slope * both;
                }
            }
            if let Some(tie) = layout.tie() {
                gradient[tie] += by_tie;
                information[(tie, tie)] += tie_spread;
            }
        }
        (gradient, information)
    }

    fn report(&self, cells: Vec<Cell>, layout: Layout, parameters: DVector<f64>, log_likelihood: f64) -> Fit {
        let n = layout.players;
        let (_, mut information) = self.derivatives(&cells, layout, &parameters);
        // The likelihood does not know where zero is. A weight on the mean makes the information regular; what is reported
        // are distances between players and worths of sides, which do not see it.
        for i in 0..n {
            for j in 0..n {
                information[(i, j)] += 1.0;
            }
        }
        let size = layout.len();
        let covariance =
            information.cholesky().map_or_else(|| DMatrix::zeros(size, size), |factors| factors.inverse());

        let mut took = vec![false; n * n];
        let mut games = vec![(0.0, 0.0); n];
        for cell in &cells {
            let [losses, draws, wins] = cell.outcomes;
            took[cell.first * n + cell.second] |= wins + draws > 0.0;
            took[cell.second * n + cell.first] |= losses + draws > 0.0;
            for (player, points) in [(cell.first, wins), (cell.second, losses)] {
                games[player].0 += losses + draws + wins;
                games[player].1 += points + draws / 2.0;
            }
        }
        for through in 0..n {
            for from in 0..n {
                if took[from * n + through] {
                    for to in 0..n {
                        took[from * n + to] |= took[through * n + to];
                    }
                }
            }
        }

        let ties = ties(layout, &parameters);
        let mut fit = Fit {
            ratings: Vec::new(),
            sides: Vec::new(),
            draws: ties / (2.0 + ties),
            log_likelihood,
            model: *self,
            layout,
            cells,
            parameters,
            covariance,
            anchor: anchor(&took, n),
            reach: took,
        };
        fit.ratings = (0..n)
            .map(|player| {
                // The rating itself is the distance to the mean.
                let mut direction = DVector::zeros(size);
                for &member in &fit.anchor {
                    direction[member] -= 1.0 / fit.anchor.len() as f64;
                }
                direction[player] += 1.0;
                let others = fit.anchor.iter().filter(|&&other| other != player);
                let bounds = others.map(|&other| fit.bounded(player, other));
                let (below, above) = bounds.fold((true, true), |all, one| (all.0 && one.0, all.1 && one.1));
                let elo = fit.opened(&direction, below, above);
                Rating { elo, games: games[player].0 as u64, points: games[player].1 }
            })
            .collect();
        fit.sides = (n..n + layout.sides())
            .map(|side| {
                let mut direction = DVector::zeros(size);
                direction[side] = 1.0;
                let here = fit.cells.iter().filter(|cell| layout.side(cell.scenario) == Some(side));
                let scored = here.fold((false, false), |scored, cell| {
                    let [losses, draws, wins] = cell.outcomes;
                    (scored.0 || wins + draws > 0.0, scored.1 || losses + draws > 0.0)
                });
                fit.opened(&direction, scored.0, scored.1)
            })
            .collect();
        fit
    }
}

impl Fit {
    /// How much stronger `a` is than `b`, in Elo, with the interval of the difference; it is not the difference of the
    /// intervals.
    ///
    /// # Panics
    /// When there is no such player.
    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        let mut direction = DVector::zeros(self.layout.len());
        direction[a] += 1.0;
        direction[b] -= 1.0;
        let (below, above) = if a == b { (true, true) } else { self.bounded(a, b) };
        self.opened(&direction, below, above)
    }

    /// The score expected of `a` on the first side against `b` in a scenario.
    ///
    /// # Panics
    /// When there is no such player, or no such scenario where the sides differ by scenario.
    pub fn expected_score(&self, a: usize, b: usize, scenario: usize) -> f64 {
        let layout = self.layout;
        let side = layout.side(scenario).map_or(0.0, |side| self.parameters[side]);
        let advantage = self.parameters[a] - self.parameters[b] + side;
        let [_, draw, win] = law(advantage, ties(layout, &self.parameters));
        win + draw / 2.0
    }

    /// A linear combination of parameters in Elo. The scale depends on the draws, and its error is part of the interval.
    fn combination(&self, direction: &DVector<f64>) -> Estimate {
        let scale = elo_scale(self.layout, &self.parameters);
        let value = scale * direction.dot(&self.parameters);
        let mut slope = direction * scale;
        if let Some(tie) = self.layout.tie() {
            let ties = ties(self.layout, &self.parameters);
            slope[tie] = -value * ties / (2.0 + ties);
        }
        let variance = slope.dot(&(&self.covariance * &slope));
        Estimate::symmetric(value, normal_reach(LEVEL) * variance.max(0.0).sqrt())
    }

    /// The estimate of a combination of which one end or both are not bounded by any game. The other end comes from the
    /// profile likelihood, as the likelihood is far from a parabola there.
    fn opened(&self, direction: &DVector<f64>, bounded_below: bool, bounded_above: bool) -> Estimate {
        let plain = self.combination(direction);
        match (bounded_below, bounded_above) {
            (true, true) => plain,
            (true, false) => {
                Estimate { low: self.profile_end(direction, -1.0), high: f64::INFINITY, ..plain }
            }
            (false, true) => {
                Estimate { low: f64::NEG_INFINITY, high: self.profile_end(direction, 1.0), ..plain }
            }
            (false, false) => Estimate { value: plain.value, ..Estimate::UNKNOWN },
        }
    }

    /// Where the profile likelihood of a combination has fallen to the end of the interval, in Elo, to one side.
    ///
    /// The likeliest parameters under a pull along the combination are the points of the profile: the pull is searched.
    fn profile_end(&self, direction: &DVector<f64>, side: f64) -> f64 {
        let layout = self.layout;
        let best = self.model.objective(&self.cells, layout, &self.parameters);
        let drop = normal_reach(LEVEL).powi(2) / 2.0;
        let pulled = |pull: f64| {
            let tilt = direction * (side * pull);
            let (at, _) = self.model.maximise(&self.cells, layout, self.parameters.clone(), &tilt);
            let fallen = best - self.model.objective(&self.cells, layout, &at);
            (fallen, direction.dot(&at) * elo_scale(layout, &self.parameters))
        };
        let (mut low, mut high) = (0.0, 1.0);
        while pulled(high).0 < drop && high < 1e6 {
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if pulled(middle).0 < drop {
                low = middle;
            } else {
                high = middle;
            }
        }
        pulled(high).1
    }

    /// Whether games bound the advantage of `a` over `b` from below and from above.
    fn bounded(&self, a: usize, b: usize) -> (bool, bool) {
        let n = self.layout.players;
        (self.reach[a * n + b], self.reach[b * n + a])
    }
}

/// The largest set of players that all reach each other; all players if there is none of two.
fn anchor(reach: &[bool], n: usize) -> Vec<usize> {
    let company = |a: usize| {
        (0..n).filter(|&b| a == b || (reach[a * n + b] && reach[b * n + a])).collect::<Vec<usize>>()
    };
    // The first of the largest.
    let largest = (0..n).rev().map(company).max_by_key(Vec::len).unwrap_or_default();
    if largest.len() > 1 { largest } else { (0..n).collect() }
}

fn advantage(cell: &Cell, layout: Layout, at: &DVector<f64>) -> f64 {
    at[cell.first] - at[cell.second] + layout.side(cell.scenario).map_or(0.0, |side| at[side])
}

fn ties(layout: Layout, at: &DVector<f64>) -> f64 {
    layout.tie().map_or(0.0, |tie| at[tie].exp())
}

/// Elo a logit: the slope of the expected score between equals, as a share of the logistic slope.
fn elo_scale(layout: Layout, at: &DVector<f64>) -> f64 {
    2.0 / (2.0 + ties(layout, at)) / LOGIT
}

/// Units taken apart into games, by seats.
fn cells(units: impl Iterator<Item = ((Pairing, Unit), u64)>) -> Vec<Cell> {
    let mut table: BTreeMap<Pairing, [f64; 3]> = BTreeMap::new();
    for ((pairing, unit), count) in units {
        let mut add = |pairing, outcome: Outcome| {
            table.entry(pairing).or_default()[outcome.half_points()] += count as f64;
        };
        match unit {
            Unit::Game(outcome) => add(pairing, outcome),
            Unit::Pair(one, other) => {
                add(pairing, one);
                add(Pairing { a: pairing.b, b: pairing.a, ..pairing }, other.reversed());
            }
        }
    }
    table
        .into_iter()
        .filter(|(_, outcomes)| outcomes.iter().sum::<f64>() > 0.0)
        .map(|(Pairing { a, b, scenario }, outcomes)| Cell { first: a, second: b, scenario, outcomes })
        .collect()
}

#[cfg(test)]
mod tests {
    use Outcome::{Draw, Loss, Win};

    use super::*;
    use crate::pairs::{GameResults, elo_of_score};
    use crate::random::{Generator, category, close};

    fn pairing(a: usize, b: usize) -> Pairing {
        Pairing { a, b, scenario: 0 }
    }

    const OUTCOMES: [Outcome; 3] = [Loss, Draw, Win];

    /// A round robin drawn from the model: ratings in logits, the worth of the first side a scenario, and ν.
    fn ladder(ratings: &[f64], sides: &[f64], ties: f64, pairs: u64, rng: &mut Generator) -> Games {
        let mut games = Games::default();
        for a in 0..ratings.len() {
            for b in 0..a {
                for (scenario, side) in sides.iter().enumerate() {
                    for _ in 0..pairs {
                        let mut play = |d: f64| OUTCOMES[category(&law(d, ties), rng)];
                        let one = play(ratings[a] - ratings[b] + side);
                        let other = play(ratings[b] - ratings[a] + side).reversed();
                        games.add(Pairing { a, b, scenario }, Unit::Pair(one, other), 1);
                    }
                }
            }
        }
        games
    }

    #[test]
    fn two_players_have_the_elo_of_their_score() {
        let mut games = Games::default();
        games.add(pairing(0, 1), Unit::Game(Win), 640);
        games.add(pairing(0, 1), Unit::Game(Loss), 360);
        let fit = BradleyTerry::default().fit(&games, 2, 1).unwrap();
        let direct = GameResults { counts: [360, 0, 640] }.elo();
        close(fit.difference(0, 1).value, direct.value, 0.05);
        close(fit.difference(0, 1).low, direct.low, 0.5);
        close(fit.ratings[0].elo.value, direct.value / 2.0, 0.05);
        close(fit.ratings[0].elo.width(), direct.width() / 2.0, 0.5);
        close(fit.expected_score(0, 1, 0), 0.64, 1e-4);
        assert_eq!((fit.ratings[1].games, fit.ratings[1].points, fit.draws), (1000, 360.0, 0.0));
        // With draws, near equality, on the same scale.
        games = Games::default();
        for (outcome, count) in [(Win, 260), (Draw, 500), (Loss, 240)] {
            games.add(pairing(0, 1), Unit::Game(outcome), count);
        }
        let fit = BradleyTerry::default().fit(&games, 2, 1).unwrap();
        close(fit.difference(0, 1).value, elo_of_score(0.51), 0.05);
        close(fit.draws, 0.5, 1e-3);
    }

    #[test]
    fn ratings_of_baseball_are_those_of_the_textbook() {
        // Agresti (1990), table 10.10: American League East 1987, wins of the row at home and away together, fitted in his
        // table 10.11. Log abilities relative to Baltimore: Milwaukee 1.58, Detroit 1.44, Toronto 1.29, New York 1.25,
        // Boston 1.11, Cleveland 0.68.
        let wins = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let mut games = Games::default();
        for (a, row) in wins.iter().enumerate() {
            for (b, &count) in row.iter().enumerate() {
                games.add(pairing(a, b), Unit::Game(Win), count);
            }
        }
        let fit = BradleyTerry::default().fit(&games, 7, 1).unwrap();
        for (team, ability) in [1.58, 1.44, 1.29, 1.25, 1.11, 0.68].into_iter().enumerate() {
            close(fit.difference(team, 6).value * LOGIT, ability, 0.012);
        }
        // His standard error of Milwaukee against Baltimore is 0.343.
        close(fit.difference(0, 6).width() * LOGIT / (2.0 * 1.96), 0.343, 0.003);
        let mean: f64 = fit.ratings.iter().map(|rating| rating.elo.value).sum();
        close(mean, 0.0, 1e-6);
    }

    #[test]
    fn a_ladder_with_draws_and_sides_is_recovered() {
        let (ratings, sides, ties) = ([1.0, 0.4, 0.1, -0.5, -1.0], [0.6, -0.3, 0.0], 0.7);
        let games = ladder(&ratings, &sides, ties, 600, &mut generator(4));
        let model = BradleyTerry { sides: Sides::PerScenario, ..BradleyTerry::default() };
        let fit = model.fit(&games, 5, 3).unwrap();
        let scale = 2.0 / (2.0 + ties) / LOGIT;
        for (rating, truth) in fit.ratings.iter().zip(ratings) {
            close(rating.elo.value, truth * scale, 8.0);
        }
        for (side, truth) in fit.sides.iter().zip(sides) {
            close(side.value, truth * scale, 8.0);
            assert!(side.width() < 25.0);
        }
        close(fit.draws, ties / (2.0 + ties), 0.02);
        // Without the side effect the ladder is still right, as sides were swapped, but the fit is worse.
        let plain = BradleyTerry::default().fit(&games, 5, 3).unwrap();
        assert!(plain.log_likelihood < fit.log_likelihood - 50.0);
        let common = BradleyTerry { sides: Sides::Common, ..model }.fit(&games, 5, 3).unwrap();
        assert_eq!(common.sides.len(), 1);
        assert!(common.log_likelihood < fit.log_likelihood && common.log_likelihood > plain.log_likelihood);
    }

    #[test]
    fn intervals_cover() {
        let (ratings, ties) = ([0.8, 0.1, -0.2, -0.7], 0.8);
        let scale = 2.0 / (2.0 + ties) / LOGIT;
        let (mut hessian, mut difference, mut bootstrap) = (0, 0, 0);
        let runs = 400;
        for run in 0..runs {
            let games = ladder(&ratings, &[0.3], ties, 40, &mut generator(run));
            let model = BradleyTerry { sides: Sides::Common, ..BradleyTerry::default() };
            let fit = model.fit(&games, 4, 1).unwrap();
            let settings = Bootstrap { resamples: 400, ..Bootstrap::new(run) };
            let ends = model.bootstrap(&games, 4, 1, &settings).unwrap();
            for (player, end) in ends.iter().enumerate() {
                hessian += u32::from(fit.ratings[player].elo.contains(ratings[player] * scale));
                bootstrap += u32::from(end.contains(ratings[player] * scale));
            }
            difference += u32::from(fit.difference(0, 2).contains((ratings[0] - ratings[2]) * scale));
        }
        for covered in [f64::from(hessian) / 4.0, f64::from(bootstrap) / 4.0, f64::from(difference)] {
            let share = covered / runs as f64;
            assert!((0.93..=0.97).contains(&share), "{share} of {hessian} {bootstrap} {difference}");
        }
    }

    #[test]
    fn who_never_lost_has_no_upper_end() {
        let mut games = Games::default();
        games.add(pairing(0, 1), Unit::Pair(Win, Win), 10);
        games.add(pairing(1, 2), Unit::Pair(Win, Loss), 10);
        games.add(pairing(2, 3), Unit::Pair(Win, Win), 10);
        let fit = BradleyTerry::default().fit(&games, 5, 1).unwrap();
        let elo = |player: usize| fit.ratings[player].elo;
        assert!(fit.ratings.iter().all(|rating| rating.elo.value.is_finite()));
        // The two in the middle are sure of their place, whatever the rest: each won half of their games.
        close(elo(1).value, 0.0, 5.0);
        close(elo(1).value + elo(2).value, 0.0, 1e-6);
        assert!(elo(1).width() < 200.0 && fit.difference(1, 2).width() < 400.0);
        // 20 wins of 20: the likelihood of -log(1 + 10^(-d/400)) * 20 falls by 1.92 at d = 399, and
        // by a little less for the prior.
        let over = fit.difference(0, 1);
        assert!(over.high.is_infinite() && over.value > 500.0, "{over:?}");
        close(over.low, 390.0, 10.0);
        assert!(elo(0).high.is_infinite() && elo(0).low > 250.0 && elo(0).low < elo(0).value);
        assert!(elo(3).low.is_infinite() && elo(3).high < -250.0);
        // Nobody met player 4.
        assert!(elo(4).low.is_infinite() && elo(4).high.is_infinite());
        let ends = BradleyTerry::default().bootstrap(&games, 5, 1, &Bootstrap::new(1)).unwrap();
        assert!(ends[0].high.is_infinite() && ends[1].width() < 200.0);
        // Where nobody is comparable the mean is over all.
        let mut games = Games::default();
        games.add(pairing(0, 1), Unit::Pair(Win, Win), 10);
        let fit = BradleyTerry::default().fit(&games, 2, 1).unwrap();
        close(fit.ratings[0].elo.value, -fit.ratings[1].elo.value, 1e-6);
        assert!(fit.ratings[0].elo.low > 100.0 && fit.ratings[0].elo.high.is_infinite());
        // A side that always wins.
        let model = BradleyTerry { sides: Sides::Common, ..BradleyTerry::default() };
        let mut games = Games::default();
        games.add(pairing(0, 1), Unit::Pair(Win, Loss), 10);
        let side = model.fit(&games, 2, 1).unwrap().sides[0];
        assert!(side.low > 100.0 && side.high.is_infinite(), "{side:?}");
    }

    #[test]
    fn merged_tournaments_equal_the_whole() {
        let (mut one, mut other, mut whole) = (Games::default(), Games::default(), Games::default());
        one.add(pairing(0, 1), Unit::Game(Win), 3);
        other.add(pairing(0, 1), Unit::Game(Win), 2);
        other.add(pairing(1, 0), Unit::Game(Draw), 0);
        whole.add(pairing(0, 1), Unit::Game(Win), 5);
        one.merge(&other);
        assert_eq!(one, whole);
    }

    #[test]
    fn strangers_are_refused() {
        let mut games = Games::default();
        games.add(pairing(0, 3), Unit::Game(Win), 1);
        let model = BradleyTerry::default();
        let message = model.fit(&games, 3, 1).unwrap_err().to_string();
        assert!(message.contains("a player is 3; expected a number below 3"), "{message}");
        assert!(model.fit(&games, 4, 0).is_err() && model.fit(&games, 0, 1).is_err());
        assert!(BradleyTerry { prior: 0.0, ..model }.fit(&games, 4, 1).is_err());
    }
}
