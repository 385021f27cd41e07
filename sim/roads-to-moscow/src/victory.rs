//! Victory (19): score, the automatic condition, the end of the game.

use sandtable_core::{Outcome, PerSide};

use crate::Rolls;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::Player;
use crate::phase::Phase;
use crate::rules::Rules;
use crate::state::State;

/// Least and most points of a side: all objectives, units and optional groups, for or against.
pub(crate) fn bounds_of_points(rules: &Rules) -> (i16, i16) {
    let objectives: i16 = rules.scenario.objectives.iter().map(|&(_, points)| i16::from(points)).sum();
    let units: i16 = rules
        .units
        .iter()
        .map(|unit| i16::from(unit.elimination_points) + i16::from(unit.step_points) * i16::from(unit.steps))
        .sum();
    let groups: i16 = rules.groups.iter().map(|group| i16::from(group.cost)).sum();
    let most = objectives + units + groups;
    (-most, most)
}

impl RoadsToMoscow {
    /// Score of the attacker (19.1): objectives he controls, and points for units and groups, his less the defender's.
    pub fn score(&self, state: &State) -> i16 {
        let attacker = self.rules.scenario.attacker;
        let held =
            self.rules.scenario.objectives.iter().filter(|&&(hex, _)| state.controller(hex) == attacker);
        let objectives: i16 = held.map(|&(_, points)| i16::from(points)).sum();
        objectives + state.points[attacker.index()] - state.points[attacker.enemy().index()]
    }

    /// Who wins as things stand when the last turn has ended (1.2): the attacker with a score of the threshold and more.
    pub fn leader(&self, state: &State) -> Player {
        let scenario = &self.rules.scenario;
        if self.score(state) >= scenario.threshold { scenario.attacker } else { scenario.attacker.enemy() }
    }

    /// Whether the attacker has won by the automatic condition: all its hexes, no later than its turn.
    pub fn is_automatic(&self, state: &State) -> bool {
        let scenario = &self.rules.scenario;
        !scenario.automatic.is_empty()
            && state.turn <= scenario.automatic_until
            && scenario.automatic.iter().all(|&hex| state.controller(hex) == scenario.attacker)
    }

    /// C3, C4: the game ends at once by the automatic condition, or after the last turn; else the next turn begins.
    pub(crate) fn end_turn(&self, state: &mut State, context: &mut impl Rolls) {
        let (turn, score) = (state.turn, self.score(state));
        context.emit(|| Event::TurnEnds { turn, score });
        state.automatic = self.is_automatic(state);
        if state.automatic || usize::from(turn) == self.rules.calendar.len() {
            state.winner = if state.automatic { self.rules.scenario.attacker } else { self.leader(state) };
            state.phase = Phase::Over;
            return;
        }
        state.turn += 1;
        self.begin_turn(state, context);
    }

    /// The result, once the game is over.
    pub(crate) fn result(&self, state: &State) -> Option<Outcome> {
        if state.phase != Phase::Over {
            return None;
        }
        let attacker = self.rules.scenario.attacker;
        let score = f32::from(self.score(state));
        let (mut points, mut utility) = (PerSide([0.0; 4]), PerSide([0.0; 4]));
        for player in Player::ALL {
            points[player.side()] = if player == attacker { score } else { -score };
            utility[player.side()] = f32::from(u8::from(player == state.winner));
        }
        Some(Outcome {
            points,
            utility,
            winner: Some(state.winner as u8),
            end_reason: if state.automatic { "automatic_victory" } else { "last_turn" },
        })
    }
}
