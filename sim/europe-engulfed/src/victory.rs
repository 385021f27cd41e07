//! Victory (10.0; 16.1). Points of a side are the areas that count and that it controls.

use sandtable_core::{Outcome, PerSide};

use crate::Rolls;
use crate::event::Event;
use crate::game::EuropeEngulfed;
use crate::ids::{Areas, Nation, Team};
use crate::phase::Phase;
use crate::rules::Victory;
use crate::state::State;

/// The most points a side can have.
pub(crate) const MOST_POINTS: i16 = 192;

/// Powers whose conquest ends a campaign.
const CONQUERED: [Nation; 3] = [Nation::GreatBritain, Nation::SovietUnion, Nation::Germany];

impl EuropeEngulfed {
    /// Areas that count for victory.
    fn victory_areas(&self) -> (Areas, u8) {
        match &self.rules.victory {
            Victory::Areas { areas, needed } => (*areas, *needed),
            Victory::Points(_) | Victory::Conquest => (Areas::EMPTY, 0),
        }
    }

    /// Whether a conquest ends the game before its last turn (10.4, A97).
    pub(crate) fn is_decided_early(&self, state: &State) -> bool {
        matches!(self.rules.victory, Victory::Conquest)
            && CONQUERED.iter().any(|nation| self.is_conquered(state, *nation))
    }

    /// How a campaign ends (10.41 to 10.47).
    fn level(&self, state: &State) -> (Option<Team>, &'static str, u8) {
        let levels = &self.rules.politics.levels;
        let [marginal, operational, decisive] = levels.points;
        let [great_britain, soviet_union, germany] = CONQUERED.map(|nation| self.is_conquered(state, nation));
        if great_britain || soviet_union {
            return (Some(Team::First), "axis_decisive", decisive);
        }
        let now = self.bimester(state.turn);
        if germany {
            let [first, second, third] = levels.germany_falls;
            return match now {
                _ if now <= first => (Some(Team::Second), "allied_decisive", decisive),
                _ if now <= second => (Some(Team::Second), "allied_operational", operational),
                _ if now <= third => (Some(Team::Second), "allied_marginal", marginal),
                _ => (None, "draw", 0),
            };
        }
        let prizes = levels.prizes.or(&self.tables.home[Nation::SovietUnion.index()]);
        if prizes.intersects(state.held(Team::First)) {
            return (Some(Team::First), "axis_operational", operational);
        }
        (Some(Team::First), "axis_marginal", marginal)
    }

    /// The last turn is over (16.1, play book): the first team wins by controlling all areas that count, the second by some of
    /// them; otherwise it is a draw.
    pub(crate) fn decide(&self, state: &mut State, context: &mut impl Rolls) {
        if matches!(self.rules.victory, Victory::Conquest) {
            let (winner, reason, points) = self.level(state);
            (state.verdict.winner, state.verdict.reason, state.verdict.points) = (winner, reason, points);
            state.phase = Phase::Over;
            context.emit(|| Event::Over { end_reason: reason });
            return;
        }
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
            points.0[index] = match self.rules.victory {
                Victory::Conquest if state.verdict.winner == Some(player.team) => f32::from(state.verdict.points),
                Victory::Conquest => 0.0,
                _ => state.held(player.team).and(&self.victory_areas().0).len() as f32,
            };
            utility.0[index] = match state.verdict.winner {
                None => 0.5,
                Some(team) => f32::from(u8::from(team == player.team)),
            };
        }
        let winner = state.verdict.winner.map(|team| team as u8);
        Some(Outcome { points, utility, winner, end_reason: state.verdict.reason })
    }
}
