//! Victory (9): decisive after any Supply Phase, else by Berlin at the end of 1945.

use sandtable_core::{Outcome, PerSide};

use crate::Rolls;
use crate::event::Event;
use crate::game::VictoryInEurope;
use crate::nation::{Force, Team};
use crate::phase::{Pending, Phase};
use crate::state::{State, Verdict};

/// Causes of a decisive victory of the Axis, by the group held (9.1).
const AXIS_CAUSES: [&str; 3] = ["axis_decisive_west", "axis_decisive_east", "axis_decisive_capitals"];
/// Points of a side that wins decisively, and of one that wins by holding Berlin at the end.
pub(crate) const MOST_POINTS: i16 = 2;
const DECISIVE: f32 = MOST_POINTS as f32;
const MINOR: f32 = 1.0;

impl Verdict {
    fn end_reason(self) -> Option<&'static str> {
        match self {
            Verdict::Open => None,
            Verdict::Axis(group) => Some(AXIS_CAUSES.get(group as usize).copied().unwrap_or("axis_decisive")),
            Verdict::Allies => Some("allied_decisive"),
            Verdict::Berlin => Some("berlin_1945"),
        }
    }
}

impl VictoryInEurope {
    /// Whether somebody has won a decisive victory (9.1, 9.2), after the Supply Phase.
    pub(crate) fn check_victory(&self, state: &mut State, context: &mut impl Rolls) {
        let verdict = self.decisive(state);
        if verdict != Verdict::Open {
            Self::close(state, verdict, context);
        }
    }
    /// The end of 1945: who holds Berlin (9.3).
    pub(crate) fn final_verdict(&self, state: &mut State, context: &mut impl Rolls) {
        Self::close(state, Verdict::Berlin, context);
    }
    /// Who holds what decides, if anybody (9.1, 9.2). Both cannot be: both need Berlin.
    fn decisive(&self, state: &State) -> Verdict {
        let goals = &self.rules.victory;
        let axis = state.held_by(Team::Axis);
        if axis.contains(goals.axis_needs)
            && let Some(group) = goals.axis_any.iter().position(|group| group.difference(&axis).is_empty())
        {
            return Verdict::Axis(group as u8);
        }
        if goals.allies_all.difference(&state.held_by(Team::Allies)).is_empty() {
            return Verdict::Allies;
        }
        Verdict::Open
    }
    fn close(state: &mut State, verdict: Verdict, context: &mut impl Rolls) {
        state.verdict = verdict;
        state.phase = Phase::Over;
        state.pending = Pending::None;
        if let Some(end_reason) = verdict.end_reason() {
            context.emit(|| Event::Over { end_reason });
        }
    }
    /// The force that has won.
    pub fn winner(&self, state: &State) -> Option<Force> {
        let holder = || Force::ALL.into_iter().find(|&force| state.holds(force, self.rules.victory.last));
        match state.verdict {
            Verdict::Open => None,
            Verdict::Axis(_) => Some(Force::Axis),
            // With three players the ally in Berlin is the winner of the two (12.0).
            Verdict::Allies | Verdict::Berlin => holder(),
        }
    }
    /// The result of a finished game. The rulebook knows winners, no score: a win is worth 1, and 2 points if
    /// decisive, else 1. With three players both Allied sides share the worth of a win, as a team; a point more goes to
    /// the one who holds Berlin (12.0).
    pub(crate) fn result(&self, state: &State) -> Option<Outcome> {
        let end_reason = state.verdict.end_reason()?;
        let decisive = state.verdict != Verdict::Berlin;
        let winner = self.winner(state);
        let (mut points, mut utility) = (PerSide::default(), PerSide::default());
        for force in Force::ALL {
            let side = self.side_of(force);
            match winner {
                None => utility[side] = 0.5,
                Some(winner) if winner.team() == force.team() => {
                    let full = if decisive { DECISIVE } else { MINOR };
                    utility[side] = 1.0;
                    points[side] = if self.side_of(winner) == side { full } else { full - 1.0 };
                }
                Some(_) => {}
            }
        }
        Some(Outcome { points, utility, winner: winner.map(|force| force.team() as u8), end_reason })
    }
}
