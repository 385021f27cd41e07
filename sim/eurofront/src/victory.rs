//! How the game ends and who wins (19.0; 1936 rule 9).

use sandtable_core::{Outcome, PerSide, Side};

use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::Camp;
use crate::phase::Phase;
use crate::rules::Rules;
use crate::state::{Ending, State};

/// Worth of a marginal victory to its winner (1936 rule 9); the loser has the rest. A decision of this project: the
/// rulebook gives victories names and no numbers.
const MARGINAL: f32 = 0.75;

impl EuroFront {
    /// The last fortnight of the scenario is over.
    pub(crate) fn run_out<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        self.count_pacification(state);
        self.finish(state, Ending::Stalemate, context);
    }

    pub(crate) fn finish<T: crate::Rolls>(&self, state: &mut State, ending: Ending, context: &mut T) {
        state.ending = ending;
        state.phase = Phase::Over;
        let winner = Self::winner(state);
        context.emit(|| Event::GameOver { winner });
    }

    /// The winner of a game that is over. Stalemate is a marginal victory of the Republicans (1936 rule 9).
    pub fn winner(state: &State) -> Option<Camp> {
        match state.ending {
            Ending::None => None,
            Ending::Recognition(camp) => Some(camp),
            Ending::Stalemate => Some(Camp::Coalition),
        }
    }

    /// The result, once the game is over. Points are the pacification level, from the side's own point of view.
    pub(crate) fn result(&self, state: &State) -> Option<Outcome> {
        let winner = Self::winner(state)?;
        let worth = if state.ending == Ending::Stalemate { MARGINAL } else { 1.0 };
        let (mut points, mut utility) = (PerSide([0.0; 4]), PerSide([0.0; 4]));
        for (at, faction) in self.factions().enumerate() {
            let side = Side(at as u8);
            let level = f32::from(state.civil_war.level);
            points[side] = if faction.camp() == Camp::Axis { level } else { -level };
            utility[side] = if faction.camp() == winner { worth } else { 1.0 - worth };
        }
        let end_reason = if state.ending == Ending::Stalemate { "stalemate" } else { "recognition" };
        Some(Outcome { points, utility, winner: Some(winner as u8), end_reason })
    }
}

/// The least and the most points a side can have: all cities that count.
pub(crate) fn bounds_of_points(rules: &Rules) -> (i16, i16) {
    let war = rules.civil_war.as_ref();
    let all: i16 = war.map_or(0, |war| war.pacification.iter().map(|&(_, worth)| i16::from(worth)).sum());
    (-all, all)
}
