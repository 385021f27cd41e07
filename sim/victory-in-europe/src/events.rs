//! Events of the cards: when they work, and what other phases ask of them (3.3).

use crate::Rolls;
use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::nation::{Force, Nation, Team};
use crate::rules::{Areas, Target};
use crate::state::State;

impl VictoryInEurope {
    pub(crate) fn naming_actions(&self, state: &State, out: &mut Vec<Action>) {
        let _ = (state, out);
    }
    pub(crate) fn naming_apply(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        let _ = (state, action, table);
    }
    /// Step losses of events at the start of combat (3.3). May leave [`crate::phase::Pending::Loss`] open; combat then goes on
    /// after [`VictoryInEurope::event_loss_apply`].
    pub(crate) fn event_losses(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
    pub(crate) fn event_loss_actions(&self, state: &State, out: &mut Vec<Action>) {
        let _ = (state, out);
    }
    pub(crate) fn event_loss_apply(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        let _ = (state, action, table);
    }
    /// Firepower a unit ([`crate::state::NONE`] = the flak of the factory at `place`, of `team`) gets from events in the battle
    /// at `place`, after weather and terrain. Rounds of a Blitz and exploitations get none: the caller does not ask.
    pub(crate) fn event_firepower(
        &self,
        state: &State,
        place: u8,
        unit: u8,
        team: Team,
        defending: bool,
        target: Target,
    ) -> u8 {
        let _ = (state, place, unit, team, defending, target);
        0
    }
    /// Rounds that events add to the battle at a place (5.61).
    pub(crate) fn event_rounds(&self, state: &State, place: u8) -> u8 {
        let _ = (state, place);
        0
    }
    /// Movement points a unit gets from an event (not in winter, not for Strategic Movement).
    pub(crate) fn event_moves(&self, state: &State, unit: u8) -> u8 {
        let _ = (state, unit);
        0
    }
    /// Whether mud holds an army of this team in an area to one area a turn.
    pub(crate) fn is_muddy(&self, state: &State, team: Team, area: u8) -> bool {
        let _ = (state, team, area);
        false
    }
    /// Free strategic moves left for a unit ([`crate::state::NONE`] = a factory step) of a force.
    pub(crate) fn free_moves(&self, state: &State, force: Force, unit: u8) -> u8 {
        let _ = (state, force, unit);
        0
    }
    /// One of them is used.
    pub(crate) fn use_free_move(&self, state: &mut State, force: Force) {
        let _ = (state, force);
    }
    /// Whether an event lets a unit leave the Urals before its time (13).
    pub(crate) fn may_leave_urals(&self, state: &State, unit: u8) -> bool {
        let _ = (state, unit);
        false
    }
    /// Command points an event takes off this turn's invasion (7.5).
    pub(crate) fn invasion_discount(&self, state: &State, force: Force) -> u8 {
        let _ = (state, force);
        0
    }
    /// Whether an event spares a unit in an area attrition.
    pub(crate) fn is_spared(&self, state: &State, unit: u8) -> bool {
        let _ = (state, unit);
        false
    }
    /// Areas through which supply lines of a team do not pass.
    pub(crate) fn cut_areas(&self, state: &State, team: Team) -> Areas {
        let _ = (state, team);
        Areas::EMPTY
    }
    /// Bonus of a force's diplomatic roll for a country.
    pub(crate) fn event_diplomacy(&self, state: &State, force: Force, nation: Nation) -> u8 {
        let _ = (state, force, nation);
        0
    }
    /// Production points of an event for a major, and steps its event gives away free: whether this unit may have one.
    pub(crate) fn event_points(&self, state: &State, nation: Nation) -> u8 {
        let _ = (state, nation);
        0
    }
    /// Free steps left for a unit (STEPS), on top of what production builds.
    pub(crate) fn free_steps(&self, state: &State, unit: u8) -> u8 {
        let _ = (state, unit);
        0
    }
    /// One of them is used.
    pub(crate) fn use_free_step(&self, state: &mut State, force: Force) {
        let _ = (state, force);
    }
    /// Units that events deploy in production (DEPLOY).
    pub(crate) fn event_deployments(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
}
