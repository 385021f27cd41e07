//! Victory (10.0; 16.1). Points of a side are the areas that count and that it controls.

use sandtable_core::{Outcome, PerSide};

use crate::Rolls;
use crate::event::Event;
use crate::game::EuropeEngulfed;
use crate::ids::{Areas, Team};
use crate::phase::Phase;
use crate::rules::Victory;
use crate::state::State;

/// The most points a side can have.
pub(crate) const MOST_POINTS: i16 = 192;

impl EuropeEngulfed {
    /// Areas that count for victory.
    fn victory_areas(&self) -> (Areas, u8) {
        match &self.rules.victory {
            Victory::Areas { areas, needed } => (*areas, *needed),
            Victory::Points(_) | Victory::Conquest => (Areas::EMPTY, 0),
        }
    }

    /// The last turn is over (16.1, play book): the first team wins by controlling all areas that count, the second by some of
    /// them; otherwise it is a draw.
    pub(crate) fn decide(&self, state: &mut State, context: &mut impl Rolls) {
        let (areas, needed) = self.victory_areas();
        let held = |team: Team| state.held(team).and(&areas).len();
        let verdict = match (held(Team::First), held(Team::Second)) {
            (first, _) if first == areas.len() => (Some(Team::First), "all_areas_held"),
            (_, second) if second >= u32::from(needed) => (Some(Team::Second), "areas_taken"),
            _ => (None, "last_turn"),
        };
        (state.verdict.winner, state.verdict.reason) = verdict;
        state.phase = Phase::Over;
        let end_reason = verdict.1;
        context.emit(|| Event::Over { end_reason });
    }

    /// The result of a game that is over.
    pub(crate) fn result(&self, state: &State) -> Option<Outcome> {
        if state.phase != Phase::Over {
            return None;
        }
        let (mut points, mut utility) = (PerSide::default(), PerSide::default());
        for (index, player) in self.rules.setup.players.iter().enumerate() {
            points.0[index] = state.held(player.team).and(&self.victory_areas().0).len() as f32;
            utility.0[index] = match state.verdict.winner {
                None => 0.5,
                Some(team) => f32::from(u8::from(team == player.team)),
            };
        }
        let winner = state.verdict.winner.map(|team| team as u8);
        Some(Outcome { points, utility, winner, end_reason: state.verdict.reason })
    }
}
