//! The Reorganisation Segment: engineering, recovery (3.75), what goes back to its face, the next turn.

use sandtable_core::{ActionSink, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::event::{Check, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{Hexes, Player, UnitId, Units};
use crate::phase::{Phase, Sequence};
use crate::state::{Mark, State};

impl RoadsToMoscow {
    /// C1 and the beginning of C2: units out of enemy zones recover by themselves (3.75a).
    pub(crate) fn begin_reorganisation(&self, state: &mut State, context: &mut impl Rolls) {
        state.sequence = Sequence::None;
        self.complete_works(state, context);
        for unit in *state.marked(Mark::Disorganised) {
            if !self.in_zoc(state, state.at(unit), self.player(unit).enemy()) {
                self.recover(state, unit, context);
            }
        }
        state.clear(Mark::Checked);
        state.phase = Phase::Recovery;
        self.next_recovery(state);
    }

    fn recover(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        state.unmark(unit, Mark::Disorganised);
        context.emit(|| Event::Recovered { unit });
    }

    /// The next unit that checks: the German's first, headquarters before others, for who has recovered may help.
    fn next_recovery(&self, state: &mut State) {
        let left = state.marked(Mark::Disorganised).difference(state.marked(Mark::Checked));
        let next = Player::ALL.into_iter().find_map(|player| {
            let own = left.and(self.units_of(player));
            own.and(&self.sets().headquarters).first().or(own.first()).map(|unit| (player, unit))
        });
        match next {
            Some((player, unit)) => (state.decider, state.unit) = (player, unit),
            None => state.unit = UnitId::NONE,
        }
    }

    /// 3.75b: points of one HQ of the unit's formation in range, not its own while disorganised; of a leader stacked with
    /// such an HQ, even alone, when it has spent its own (15.32, R100); or of both (15.23). None for Army units (R77).
    pub(crate) fn recovery_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        self.offer_points(state, &self.helping(state, state.unit), out)
    }

    pub(crate) fn recovery_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let points = match action {
            Action::Points(headquarters, leader) => self.spend_points(state, headquarters, leader, context),
            _ => 0,
        };
        self.try_recovery(state, points, context);
    }

    fn try_recovery(&self, state: &mut State, points: u8, context: &mut impl Rolls) {
        let unit = state.unit;
        state.mark(unit, Mark::Checked);
        let modifier = self.points_modifier(points);
        if self.check_efficiency(state, Check::Recovery, unit, modifier, context) {
            self.recover(state, unit, context);
        }
        self.next_recovery(state);
    }

    /// No points can be spent for the unit at hand: it checks without; when all have, the rest of C2, then C3 and C4.
    pub(crate) fn end_recovery(&self, state: &mut State, context: &mut impl Rolls) {
        if !state.unit.is_none() {
            return self.try_recovery(state, 0, context);
        }
        state.clear(Mark::Checked);
        state.no_retreat = Hexes::EMPTY;
        state.clear(Mark::Spent);
        // 12.19, 12.13e: only supplied artillery recovers.
        let short = state.marked(Mark::Emergency).or(state.marked(Mark::Unsupplied));
        let fired: Units = state.marked(Mark::Fired).and(&short);
        state.marks[Mark::Fired as usize] = fired;
        state.clear(Mark::UsedOnce);
        state.clear(Mark::UsedTwice);
        self.lose_unused_fuel(state);
        self.end_turn(state, context);
    }
}
