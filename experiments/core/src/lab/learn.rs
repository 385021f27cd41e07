//! Learning what positions are worth: logistic regression of the result of games on what their positions showed.

use std::collections::BTreeMap;
use std::fmt;

use sandtable_ai::value::CONSTANT;
use sandtable_stats::interval::{Estimate, Moments};
use sandtable_stats::logistic::{Logistic, Observation};
use serde::Serialize;

use super::words::{more, plain};
use crate::build_info;
use crate::failure::Failure;
use crate::system::learning::{GameSample, KnownValue, PositionSample};
use crate::terminal::table;

/// Every so many-th game is held out: it has no part in the fit, and shows how well that predicts.
pub const HELD_OUT: usize = 5;
/// The strength of the prior that standardised weights are small, as a share of the games.
const RIDGE: f64 = 1e-2;

/// From which games something is learned.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LearningRun {
    /// The version of the program.
    pub version: String,
    /// The system's evaluator.
    pub evaluator: String,
    /// Which of its values it is.
    pub value: String,
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
    /// What it measures, in words.
    pub summary: String,
    /// The weight it has now.
    pub now: f64,
    /// The weight that was learned.
    pub learned: f64,
    /// The learned weight of one standard deviation of the feature among the positions; missing for the constant.
    pub of_deviation: Option<f64>,
}

/// What was learned. Brier scores are mean squared differences of what is predicted and what came, from 0 to 1, over the positions
/// of a game and then over the games held out. In the fit, too, a game counts for one however long it was.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Learned {
    /// From what.
    pub run: LearningRun,
    /// Positions in the fit.
    pub positions: usize,
    /// Games held out that had positions.
    pub held_out: u64,
    /// The weights.
    pub weights: Vec<LearnedWeight>,
    /// The Brier score of the learned value.
    pub brier: Estimate,
    /// That of the value as it is now.
    pub brier_now: Estimate,
    /// That of who always predicts the mean result of the games in the fit.
    pub brier_of_mean: Estimate,
    /// That of the learned value minus that of the value as it is now, game by game.
    pub difference: Estimate,
}

impl Learned {
    /// Learns from games.
    ///
    /// # Errors
    /// If the games of the fit had no positions.
    pub fn new(run: LearningRun, value: &KnownValue, games: &[GameSample]) -> Result<Learned, Failure> {
        let row = |features: &[f32]| features.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
        let (held_out, fitted): (Vec<_>, Vec<_>) =
            games.iter().enumerate().partition(|(game, _)| game % HELD_OUT == HELD_OUT - 1);
        let observations: Vec<Observation> = fitted
            .iter()
            .flat_map(|(_, game)| {
                let weight = 1.0 / game.positions.len() as f64;
                let share = f64::from(game.utility);
                let of = move |position: &PositionSample| Observation {
                    features: row(&position.features),
                    share,
                    weight,
                };
                game.positions.iter().map(of)
            })
            .collect();
        let signs: Vec<i8> = value.features.iter().map(|feature| feature.sign).collect();
        let fit = Logistic::fit(&observations, &signs, RIDGE * fitted.len() as f64)
            .map_err(|error| Failure::input(format!("nothing can be learned from these games: {error}")))?;
        // What is written down is what is tried.
        let fit = Logistic {
            constant: rounded(fit.constant),
            weights: fit.weights.into_iter().map(rounded).collect(),
        };
        let played = fitted.iter().filter(|(_, game)| !game.positions.is_empty());
        let mean = played.map(|(_, game)| f64::from(game.utility)).collect::<Moments>().mean().value;
        let [mut learned, mut now, mut of_mean, mut difference] = [Moments::default(); 4];
        for (_, game) in held_out.iter().filter(|(_, game)| !game.positions.is_empty()) {
            let score = |predict: &dyn Fn(&PositionSample) -> f64| {
                let square = |position| (f64::from(game.utility) - predict(position)).powi(2);
                game.positions.iter().map(square).sum::<f64>() / game.positions.len() as f64
            };
            let of_fit = score(&|position| fit.chance(&row(&position.features)));
            let of_now = score(&|position| f64::from(position.predicted));
            learned.add(of_fit);
            now.add(of_now);
            of_mean.add(score(&|_| mean));
            difference.add(of_fit - of_now);
        }
        let deviation =
            |at: usize| observations.iter().map(|seen| seen.features[at]).collect::<Moments>().deviation();
        let constant = (CONSTANT, "the same in all positions", fit.constant, None);
        let features = value.features.iter().zip(&fit.weights).enumerate().map(|(at, (feature, &weight))| {
            (feature.name, feature.summary, weight, Some(weight * deviation(at)))
        });
        let weights = [constant].into_iter().chain(features).zip(&value.weights).map(
            |((feature, summary, learned, of_deviation), &(_, now))| LearnedWeight {
                feature: feature.to_owned(),
                summary: summary.to_owned(),
                now: f64::from(now),
                learned,
                of_deviation,
            },
        );
        Ok(Learned {
            run,
            positions: observations.len(),
            held_out: learned.n,
            weights: weights.collect(),
            brier: learned.mean_on(0.0, 1.0),
            brier_now: now.mean_on(0.0, 1.0),
            brier_of_mean: of_mean.mean_on(0.0, 1.0),
            difference: difference.mean_on(-1.0, 1.0),
        })
    }

    /// The file of the learned value, as agents take it.
    ///
    /// # Errors
    /// If it cannot be written as TOML.
    pub fn file(&self) -> Result<String, Failure> {
        #[derive(Serialize)]
        struct File<'a> {
            run: &'a LearningRun,
            value: BTreeMap<&'a str, f64>,
        }
        let value = self.weights.iter().map(|weight| (weight.feature.as_str(), weight.learned)).collect();
        let text = toml::to_string(&File { run: &self.run, value }).map_err(anyhow::Error::from)?;
        Ok(format!("# The value of positions, in logits, as `sandtable learn` has found it.\n{text}"))
    }
}

/// Four digits: more would be noise, and the file is read by people.
fn rounded(weight: f64) -> f64 {
    // Not -0.
    format!("{weight:.3e}").parse::<f64>().unwrap_or(weight) + 0.0
}

impl LearningRun {
    /// What is learned from games of these scenarios by this program.
    pub fn new(
        value: &KnownValue,
        scenarios: Vec<String>,
        agents: Vec<String>,
        (games, seed): (u64, u64),
    ) -> LearningRun {
        LearningRun {
            version: build_info::full_version().to_owned(),
            evaluator: value.evaluator.to_owned(),
            value: value.id.to_owned(),
            scenarios,
            agents,
            games,
            seed,
        }
    }
}

impl fmt::Display for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Learned { run, positions, held_out, .. } = self;
        writeln!(
            f,
            "evaluator {} of {}: learned from {positions} positions; {held_out} games were held out",
            run.evaluator,
            run.scenarios.join(", ")
        )?;
        let rows = self.weights.iter().map(|weight| {
            let number = |x: f64| format!("{x:.3}");
            let of_deviation = weight.of_deviation.map_or_else(|| "-".to_owned(), number);
            let LearnedWeight { feature, summary, now, learned, .. } = weight;
            vec![feature.clone(), number(*now), number(*learned), of_deviation, summary.clone()]
        });
        writeln!(f, "weights in logits")?;
        f.write_str(&table(&["feature", "now", "learned", "per deviation", "what it measures"], rows))?;
        writeln!(f, "Brier score (mean squared error of the chance) in the games held out")?;
        let scores = [
            ("learned", plain(&self.brier, 4)),
            ("now", plain(&self.brier_now, 4)),
            ("the mean alone", plain(&self.brier_of_mean, 4)),
            ("learned - now", more(&self.difference, 4)),
        ];
        f.write_str(&table(&["value", "Brier score"], scores.map(|(value, score)| [value.to_owned(), score])))
    }
}

#[cfg(test)]
mod tests {
    use sandtable_ai::Feature;

    use super::*;

    const FEATURES: &[Feature] = &[
        Feature { name: "lead", summary: "points ahead", sign: 1 },
        Feature { name: "noise", summary: "nothing", sign: 0 },
    ];

    fn value() -> KnownValue {
        KnownValue {
            evaluator: "points",
            id: "test",
            features: FEATURES,
            weights: vec![(CONSTANT, 0.0), ("lead", 0.0), ("noise", 1.0)],
        }
    }

    /// Games that the side wins if it leads, but for one in ten.
    fn games(n: u32) -> Vec<GameSample> {
        (0..n)
            .map(|game| {
                let lead = if game % 2 == 0 { 1.0 } else { -1.0 };
                let noise = (game % 7) as f32;
                let predicted = 1.0 / (1.0 + (-noise).exp());
                let won = (lead > 0.0) != (game % 10 == 3);
                let seen = PositionSample { features: vec![lead, noise], predicted };
                GameSample { positions: vec![seen; 3], utility: f32::from(u8::from(won)) }
            })
            .collect()
    }

    fn learned() -> Learned {
        let run = LearningRun::new(&value(), vec!["a/b".into()], vec!["random".into()], (1000, 7));
        Learned::new(run, &value(), &games(1000)).unwrap()
    }

    #[test]
    fn what_tells_winners_is_learned_and_predicts_games_that_were_held_out() {
        let learned = learned();
        assert_eq!((learned.positions, learned.held_out), (3 * 800, 200));
        let weight =
            |name: &str| learned.weights.iter().find(|weight| weight.feature == name).unwrap().learned;
        // Nine of ten of those who lead win: a logit of 1.1 + 1.1 and more.
        assert!(weight("lead") > 1.0 && weight("noise").abs() < 0.1, "{learned}");
        assert!(learned.brier.high < learned.brier_of_mean.low, "{learned}");
        assert!(learned.difference.high < 0.0, "{learned}");
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
        let run = LearningRun::new(&value(), vec!["a/b".into()], vec!["random".into()], (0, 7));
        let error = Learned::new(run, &value(), &[]).unwrap_err();
        assert!(error.to_string().contains("nothing can be learned"), "{error}");
    }
}
