//! Intransitive cycles of three players.

use serde::{Deserialize, Serialize};

use crate::interval::Estimate;
use crate::pairs::Results;
use crate::power::holm;

/// Three players of whom the first beats the second, the second the third, and the third the first.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cycle {
    /// The players, the lowest number first.
    pub players: [usize; 3],
    /// The scores of the first against the second, the second against the third, the third against the first.
    pub scores: [Estimate; 3],
    /// The probability of scores so far above ½ in all three if one of the three were not really above: the largest of
    /// the three one-sided probabilities (intersection-union test).
    pub p_value: f64,
    /// `p_value`, corrected for having looked at all triples in both directions (Holm): a cycle is
    /// established when this is below 0.05.
    pub adjusted: f64,
}

/// All cycles of three in a table of results, the surest first. `results(a, b)` gives the results of `a` against `b`
/// for `a < b`, `None` or empty if they never met.
pub fn cycles<const N: usize>(
    players: usize,
    results: impl Fn(usize, usize) -> Option<Results<N>>,
) -> Vec<Cycle> {
    let met = |a: usize, b: usize| results(a, b).filter(|results| results.n() > 0);
    let mut found = Vec::new();
    let mut looked = 0;
    for a in 0..players {
        for b in a + 1..players {
            let Some(ab) = met(a, b) else { continue };
            for c in b + 1..players {
                let (Some(bc), Some(ac)) = (met(b, c), met(a, c)) else { continue };
                looked += 2;
                for (players, edges) in
                    [([a, b, c], [ab, bc, ac.reversed()]), ([a, c, b], [ac, bc.reversed(), ab.reversed()])]
                {
                    let scores = edges.map(|edge| edge.score());
                    if scores.iter().all(|score| score.value > 0.5) {
                        let p_value = edges
                            .iter()
                            .map(|edge| 1.0 - edge.likelihood_of_superiority())
                            .fold(0.0, f64::max);
                        found.push(Cycle { players, scores, p_value, adjusted: p_value });
                    }
                }
            }
        }
    }
    found.sort_by(|x, y| x.p_value.total_cmp(&y.p_value));
    let p: Vec<f64> = found.iter().map(|cycle| cycle.p_value).collect();
    for (cycle, adjusted) in found.iter_mut().zip(holm(&p, looked)) {
        cycle.adjusted = adjusted;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::GameResults;
    use crate::random::{category, close, generator};

    fn games(wins: u64, losses: u64) -> GameResults {
        Results { counts: [losses, 0, wins] }
    }

    #[test]
    fn rock_paper_scissors_is_named() {
        // 0 beats 1, 1 beats 2, 2 beats 0; 3 loses to all but narrowly beats 1, another but doubtful cycle.
        let table = |a, b| {
            Some(match (a, b) {
                (0, 1) | (1, 2) => games(70, 30),
                (0, 2) => games(35, 65),
                (1, 3) => games(49, 51),
                (0, 3) => games(60, 40),
                (2, 3) => games(55, 45),
                _ => return None,
            })
        };
        let found = cycles(4, table);
        assert_eq!(found[0].players, [0, 1, 2]);
        assert!(found[0].p_value < 0.002 && found[0].adjusted < 0.05);
        close(found[0].adjusted, 8.0 * found[0].p_value, 1e-12);
        close(found[0].scores[2].value, 0.65, 1e-12);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].players, [1, 2, 3]);
        assert!(found[1].adjusted > 0.5);
        // The other way round.
        let turned = cycles(3, |a, b| table(a, b).map(|results| results.reversed()));
        assert_eq!(turned[0].players, [0, 2, 1]);
    }

    #[test]
    fn a_ladder_seldom_passes_for_a_circle() {
        let false_alarms = (0..400)
            .filter(|&run| {
                let mut rng = generator(run);
                let mut counts = [[GameResults::default(); 6]; 6];
                for (a, row) in counts.iter_mut().enumerate() {
                    for (b, results) in row.iter_mut().enumerate() {
                        // All equal: the hardest case.
                        for _ in 0..if a < b { 60 } else { 0 } {
                            results.counts[category(&[0.4, 0.2, 0.4], &mut rng)] += 1;
                        }
                    }
                }
                cycles(6, |a, b| Some(counts[a][b])).first().is_some_and(|cycle| cycle.adjusted < 0.05)
            })
            .count();
        assert!(false_alarms <= 20, "{false_alarms}");
    }

    #[test]
    fn who_never_met_makes_no_circle() {
        let table = |a, b| if (a, b) == (0, 2) { Some(games(0, 0)) } else { Some(games(9, 1)) };
        assert!(cycles(3, table).is_empty());
    }
}
