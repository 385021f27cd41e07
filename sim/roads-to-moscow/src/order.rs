//! Odds of initiative and of the order in which formations act: exact, from the rules that play uses.

use sandtable_core::enumerate::distribution;
use sandtable_core::{Dice, Index};

use crate::game::RoadsToMoscow;
use crate::ids::{FormationId, MAX_FORMATIONS, Markers, Player};
use crate::state::State;

/// When formations act first if everybody plays what he draws: no Pass, no combining.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawOrder {
    /// For each formation the probability that its first marker is played in the n-th Operations Sequence, from 0; empty
    /// for one without a marker in a cup.
    pub first: Vec<Vec<f64>>,
    /// Whose n-th sequence is, from 0.
    pub sequences: Vec<Player>,
    /// Markers in the cups, by formation.
    markers: [u8; MAX_FORMATIONS],
    owner: [Player; MAX_FORMATIONS],
}

impl DrawOrder {
    /// The probability that a formation acts before another: 0 if it has no marker, 1 if the other has none.
    pub fn before(&self, formation: FormationId, other: FormationId) -> f64 {
        let (a, b) = (formation.at(), other.at());
        let [of_a, of_b] = [a, b].map(|at| f64::from(self.markers[at]));
        if of_a == 0.0 {
            return 0.0;
        }
        if self.owner[a] == self.owner[b] {
            // Of the markers of both in one cup, each is as likely as another to come first.
            return of_a / (of_a + of_b);
        }
        let mut sooner = 0.0;
        let mut left = 1.0;
        for (now, then) in self.first[a].iter().zip(self.first[b].iter().chain(std::iter::repeat(&0.0))) {
            sooner += now * left;
            left -= then;
        }
        sooner
    }

    /// The mean number of the sequence in which a formation first acts, from 1; `None` without a marker.
    pub fn mean(&self, formation: FormationId) -> Option<f64> {
        let first = &self.first[formation.at()];
        let mean = first.iter().enumerate().map(|(at, chance)| (at + 1) as f64 * chance).sum();
        (!first.is_empty()).then_some(mean)
    }
}

/// The probability that the first of `alike` among `all` markers is drawn as the n-th, from 0.
fn first_of(alike: u8, all: u8, nth: u8) -> f64 {
    let missed = (0..nth).map(|at| {
        let (left, others) = (f64::from(all - at), f64::from((all - alike).saturating_sub(at)));
        others / left
    });
    missed.product::<f64>() * f64::from(alike) / f64::from(all - nth)
}

impl RoadsToMoscow {
    /// The probability that the German has the initiative, with these modifiers collected, German and Soviet, and who held
    /// it last turn (7.1).
    pub fn initiative_odds(collected: [u8; 2], holder: Player) -> f64 {
        let first = distribution(|dice| {
            let totals = collected.map(|modifier| dice.die(10) as u8 + modifier);
            Self::first_player(totals, holder)
        });
        first.probability(&Player::German)
    }

    /// When formations act first, from the cups of a state as they lie (7.21, 7.23, 7.25).
    pub fn draw_order(&self, state: &State) -> DrawOrder {
        self.draw_order_of(state.cup, state.first)
    }

    /// The same with these markers in the cups.
    pub fn draw_order_of(&self, cups: Markers, first: Player) -> DrawOrder {
        let mut markers = [0; MAX_FORMATIONS];
        let mut owner = [Player::German; MAX_FORMATIONS];
        let mut left = [0u8; 2];
        for marker in cups {
            let formation = self.formation_of(marker);
            markers[formation.at()] += 1;
            left[self.rules.formations[formation.at()].player.index()] += 1;
        }
        for (at, formation) in self.rules.formations.iter().enumerate() {
            owner[at] = formation.player;
        }
        let all = left;
        let mut sequences = Vec::new();
        let mut next = first;
        while left != [0; 2] {
            if left[next.index()] == 0 {
                next = next.enemy();
            }
            left[next.index()] -= 1;
            sequences.push(next);
            next = next.enemy();
        }
        let chances = |at: usize| {
            let player = owner[at];
            let mut drawn = 0;
            let mut of_sequence = |&whose: &Player| {
                if whose != player {
                    return 0.0;
                }
                drawn += 1;
                first_of(markers[at], all[player.index()], drawn - 1)
            };
            if markers[at] == 0 { Vec::new() } else { sequences.iter().map(&mut of_sequence).collect() }
        };
        let first = (0..self.rules.formations.len()).map(chances).collect();
        DrawOrder { first, sequences, markers, owner }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_held_it_wins_ties() {
        let even = RoadsToMoscow::initiative_odds([0, 0], Player::German);
        assert!((even - 0.55).abs() < 1e-12);
        assert!((RoadsToMoscow::initiative_odds([0, 0], Player::Soviet) - 0.45).abs() < 1e-12);
        // 7.12b: two Soviet passes.
        let two = RoadsToMoscow::initiative_odds([2, 0], Player::German);
        assert!((two - 0.72).abs() < 1e-12, "{two}");
    }

    #[test]
    fn the_first_of_two_markers_comes_early() {
        let chances: Vec<f64> = (0..5).map(|nth| first_of(2, 5, nth)).collect();
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for (nth, chance) in [0.4, 0.3, 0.2, 0.1, 0.0].into_iter().enumerate() {
            assert!((chances[nth] - chance).abs() < 1e-12, "{chances:?}");
        }
    }
}
