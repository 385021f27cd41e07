//! Learning what positions are worth: logistic regression of the result of games on what their positions showed.

use std::collections::BTreeMap;
use std::fmt;

use sandtable_stats::interval::{Estimate, Moments};
use sandtable_stats::logistic::Logistic;
use serde::Serialize;

use super::words::{more, plain};
use crate::build_info;
use crate::failure::Failure;
use crate::system::learning::{KnownValue, Lesson};
use crate::terminal::table;

/// Every so many-th game is held out: it has no part in the fit, and shows how well that foretells.
pub const HELD_OUT: usize = 5;
/// The strength of the prior that standardised weights are small, as a share of the positions.
const RIDGE: f64 = 1e-3;

/// From which games something is learned.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Lessons {
    /// The version of the program.
    pub version: String,
    /// The system's evaluator.
    pub evaluator: String,
    /// The scenarios, with their overrides.
    pub scenarios: Vec<String>,
    /// The agents, of which each side of each game has one.
    pub agents: Vec<String>,
    /// Games of each scenario, those held out included.
    pub games: u64,
    /// The seed of the games.
    pub seed: u64,
}

/// The weight of a feature, in logits.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LearnedWeight {
    /// The name of the feature; `constant` for the constant.
    pub feature: String,
    /// The weight it has now.
    pub now: f64,
    /// The weight that was learned.
    pub learned: f64,
    /// The learned weight of one standard deviation of the feature among the positions; missing for the constant.
    pub of_deviation: Option<f64>,
}

/// What was learned. Errors are squared differences of what is foretold and what came, from 0 to 1, in the games held out; a game
/// counts for one however long it was.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Learned {
    /// From what.
    pub lessons: Lessons,
    /// Positions in the fit.
    pub positions: usize,
    /// Games held out.
    pub held_out: u64,
    /// The weights.
    pub weights: Vec<LearnedWeight>,
    /// The error of the learned value.
    pub error: Estimate,
    /// The error of the value as it is now.
    pub error_now: Estimate,
    /// The error of somebody who foretells the mean result of the games in the fit, always.
    pub error_of_mean: Estimate,
    /// The error of the learned value less that of the value as it is now, game by game.
    pub gain: Estimate,
}

impl Learned {
    /// Learns from games.
    ///
    /// # Errors
    /// If the games of the fit had no positions.
    pub fn new(lessons: Lessons, value: &KnownValue, games: &[Lesson]) -> Result<Learned, Failure> {
        let is_held_out = |game: usize| game % HELD_OUT == HELD_OUT - 1;
        let row = |features: &[f32]| features.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
        let (mut rows, mut utilities) = (Vec::new(), Vec::new());
        for (_, game) in games.iter().enumerate().filter(|(number, _)| !is_held_out(*number)) {
            for position in &game.positions {
                rows.push(row(&position.features));
                utilities.push(f64::from(game.utility));
            }
        }
        let signs: Vec<i8> = value.features.iter().map(|feature| feature.sign).collect();
        let ridge = RIDGE * rows.len() as f64;
        let fit = Logistic::fit(&rows, &utilities, &signs, ridge)
            .map_err(|error| Failure::input(format!("nothing can be learned from these games: {error}")))?;
        let mean = utilities.iter().sum::<f64>() / utilities.len() as f64;
        let [mut learned, mut now, mut of_mean, mut gain] = [Moments::default(); 4];
        for (_, game) in games.iter().enumerate().filter(|(number, _)| is_held_out(*number)) {
            let error = |foretold: &dyn Fn(usize) -> f64| {
                let squares =
                    (0..game.positions.len()).map(|at| (f64::from(game.utility) - foretold(at)).powi(2));
                squares.sum::<f64>() / game.positions.len() as f64
            };
            if game.positions.is_empty() {
                continue;
            }
            let of_fit = error(&|at| fit.chance(&row(&game.positions[at].features)));
            let of_now = error(&|at| f64::from(game.positions[at].foretold));
            learned.add(of_fit);
            now.add(of_now);
            of_mean.add(error(&|_| mean));
            gain.add(of_fit - of_now);
        }
        let fitted =
            [(fit.constant, None)].into_iter().chain(fit.weights.iter().enumerate().map(|(at, &weight)| {
                let deviation = rows.iter().map(|row| row[at]).collect::<Moments>().deviation();
                (weight, Some(weight * deviation))
            }));
        let weights = value.weights.iter().zip(fitted).map(|(&(feature, now), (learned, of_deviation))| {
            LearnedWeight {
                feature: feature.to_owned(),
                now: f64::from(now),
                learned: rounded(learned),
                of_deviation,
            }
        });
        Ok(Learned {
            lessons,
            positions: rows.len(),
            held_out: learned.n,
            weights: weights.collect(),
            error: learned.mean_on(0.0, 1.0),
            error_now: now.mean_on(0.0, 1.0),
            error_of_mean: of_mean.mean_on(0.0, 1.0),
            gain: gain.mean_on(-1.0, 1.0),
        })
    }

    /// The file of the learned value, as agents take it.
    ///
    /// # Errors
    /// If it cannot be written as TOML.
    pub fn file(&self) -> Result<String, Failure> {
        #[derive(Serialize)]
        struct File<'a> {
            run: &'a Lessons,
            value: BTreeMap<&'a str, f64>,
        }
        let value = self.weights.iter().map(|weight| (weight.feature.as_str(), weight.learned)).collect();
        let text = toml::to_string(&File { run: &self.lessons, value }).map_err(anyhow::Error::from)?;
        Ok(format!("# The value of positions, in logits, as `sandtable learn` has found it.\n{text}"))
    }
}

/// Three digits after the point: more would be noise, and the file is read by people.
fn rounded(weight: f64) -> f64 {
    (weight * 1e3).round() / 1e3 + 0.0
}

impl Lessons {
    /// What is learned from games of these scenarios by this program.
    pub fn new(
        evaluator: &str,
        scenarios: Vec<String>,
        agents: Vec<String>,
        games: u64,
        seed: u64,
    ) -> Lessons {
        let version = build_info::full_version().to_owned();
        Lessons { version, evaluator: evaluator.to_owned(), scenarios, agents, games, seed }
    }
}

impl fmt::Display for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Learned { lessons, positions, held_out, .. } = self;
        writeln!(
            f,
            "evaluator {} of {}: learned from {positions} positions; {held_out} games were held out",
            lessons.evaluator,
            lessons.scenarios.join(", ")
        )?;
        let rows = self.weights.iter().map(|weight| {
            let number = |x: f64| format!("{x:.3}");
            let of_deviation = weight.of_deviation.map_or_else(String::new, number);
            vec![weight.feature.clone(), number(weight.now), number(weight.learned), of_deviation]
        });
        writeln!(f, "weights in logits")?;
        f.write_str(&table(&["feature", "now", "learned", "per deviation"], rows))?;
        writeln!(f, "squared error of what is foretold, in the games held out")?;
        let errors = [
            ("learned", plain(&self.error, 4)),
            ("now", plain(&self.error_now, 4)),
            ("the mean alone", plain(&self.error_of_mean, 4)),
            ("learned less now", more(&self.gain, 4)),
        ];
        f.write_str(&table(&["value", "error"], errors.map(|(value, error)| [value.to_owned(), error])))
    }
}

#[cfg(test)]
mod tests {
    use sandtable_ai::Feature;
    use sandtable_ai::value::CONSTANT;

    use super::*;
    use crate::system::learning::Seen;

    const FEATURES: &[Feature] = &[
        Feature { name: "lead", summary: "points ahead", sign: 1 },
        Feature { name: "noise", summary: "nothing", sign: 0 },
    ];

    fn value() -> KnownValue {
        KnownValue {
            evaluator: "points",
            features: FEATURES,
            weights: vec![(CONSTANT, 0.0), ("lead", 0.0), ("noise", 1.0)],
        }
    }

    /// Games that the side wins if it leads, but for one in ten.
    fn games(n: u32) -> Vec<Lesson> {
        (0..n)
            .map(|game| {
                let lead = if game % 2 == 0 { 1.0 } else { -1.0 };
                let noise = (game % 7) as f32;
                let foretold = 1.0 / (1.0 + (-noise).exp());
                let won = (lead > 0.0) != (game % 10 == 3);
                let seen = Seen { features: vec![lead, noise], foretold };
                Lesson { positions: vec![seen; 3], utility: f32::from(u8::from(won)) }
            })
            .collect()
    }

    fn learned() -> Learned {
        let lessons = Lessons::new("points", vec!["a/b".into()], vec!["random".into()], 1000, 7);
        Learned::new(lessons, &value(), &games(1000)).unwrap()
    }

    #[test]
    fn what_tells_winners_is_learned_and_foretells_games_that_were_held_out() {
        let learned = learned();
        assert_eq!((learned.positions, learned.held_out), (3 * 800, 200));
        let weight =
            |name: &str| learned.weights.iter().find(|weight| weight.feature == name).unwrap().learned;
        // Nine of ten of those who lead win: a logit of 1.1 + 1.1 and more.
        assert!(weight("lead") > 1.0 && weight("noise").abs() < 0.1, "{learned}");
        assert!(learned.error.high < learned.error_of_mean.low, "{learned}");
        assert!(learned.gain.high < 0.0, "{learned}");
    }

    #[test]
    fn the_file_is_one_that_agents_take() {
        let learned = learned();
        let text = learned.file().unwrap();
        let weights = sandtable_ai::value::weights_of_file(&text).unwrap();
        assert_eq!(weights.len(), 3);
        assert!(text.contains("seed = 7") && text.contains("games = 1000"), "{text}");
    }

    #[test]
    fn nothing_is_learned_from_no_games() {
        let lessons = Lessons::new("points", vec!["a/b".into()], vec!["random".into()], 0, 7);
        let error = Learned::new(lessons, &value(), &[]).unwrap_err();
        assert!(error.to_string().contains("nothing can be learned"), "{error}");
    }
}
