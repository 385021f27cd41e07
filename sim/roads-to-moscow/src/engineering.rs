//! Fortified Positions built and removed, Fortified Lines destroyed (14.2, 14.3): the Engineering Phases.

use sandtable_core::{ActionSink, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{Hexes, Player, UnitId, Units};
use crate::phase::Phase;
use crate::state::{Mark, State};

impl RoadsToMoscow {
    /// O6, in an Assault Sequence: before the movement of the same sequence, so that who has moved in an earlier one may
    /// dig (R38).
    pub(crate) fn begin_digging(&self, state: &mut State) {
        state.phase = Phase::Engineering;
        state.digs_left = self.digging_allowance(state);
    }

    /// 14.27: the points printed on the active HQs in play that are not disorganised (14.27c, R39), spent or not. What
    /// engineers build does not count against them.
    pub fn digging_allowance(&self, state: &State) -> u8 {
        let ready = state.marked(Mark::Active).and(&state.on_map).and(self.units_of(state.active));
        ready
            .and(&self.sets().headquarters)
            .difference(&self.sets().arko)
            .difference(state.marked(Mark::Disorganised))
            .iter()
            .map(|unit| self.unit(unit).command)
            .sum()
    }

    /// Whether a unit may build a Fortified Position where it stands (14.21 to 14.25).
    pub fn may_dig(&self, state: &State, unit: UnitId) -> bool {
        let sets = self.sets();
        let kinds = if self.calendar(state).winter { &sets.digs_in_winter } else { &sets.digs };
        let hex = state.at(unit);
        kinds.contains(unit)
            && state.on_map.contains(unit)
            && !state.has(unit, Mark::Disorganised)
            && !state.positions.iter().any(|positions| positions.contains(hex))
            && !state.stack(hex).intersects(state.marked(Mark::Digging))
    }

    /// Fortified Positions without a combat unit, which their owner may remove at will (14.34): he is asked in his
    /// Engineering Phases.
    fn abandoned(&self, state: &State, player: Player) -> Hexes {
        state.positions[player.index()].difference(&state.occupied[player.index()])
    }

    pub(crate) fn digging_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        // 14.27a: engineers build beside what the points allow.
        let kinds = if state.digs_left > 0 { &self.sets().digs } else { &self.sets().engineers };
        let diggers = state.marked(Mark::Active).and(kinds).filter(|unit| self.may_dig(state, unit));
        let abandoned = self.abandoned(state, state.active);
        if diggers.is_empty() && abandoned.is_empty() {
            return Flow::Continue(());
        }
        out.offer(Action::Pass)?;
        out.all([diggers], |_, unit| Action::Unit(unit))?;
        out.all([abandoned], |_, hex| Action::Target(hex))
    }

    pub(crate) fn digging_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let unit = match action {
            Action::Unit(unit) => unit,
            Action::Target(hex) => return self.remove_position(state, state.active, hex, context),
            _ => return self.end_digging(state, context),
        };
        state.mark(unit, Mark::Digging);
        if !self.sets().engineers.contains(unit) {
            state.digs_left -= 1;
        }
        let at = state.at(unit);
        context.emit(|| Event::Digging { unit, at });
    }

    pub(crate) fn end_digging(&self, state: &mut State, context: &mut impl Rolls) {
        state.digs_left = 0;
        self.clear_works(state, context);
        self.begin_movement(state);
    }

    /// C1: positions under construction are completed (14.26c), of both sides (R42); works with an enemy in them go.
    pub(crate) fn complete_works(&self, state: &mut State, context: &mut impl Rolls) {
        let winter = self.calendar(state).winter;
        for unit in *state.marked(Mark::Digging) {
            state.unmark(unit, Mark::Digging);
            let kinds = if winter { &self.sets().digs_in_winter } else { &self.sets().digs };
            if state.on_map.contains(unit) && !state.has(unit, Mark::Disorganised) && kinds.contains(unit) {
                let (player, at) = (self.player(unit), state.at(unit));
                state.positions[player.index()].insert(at);
                context.emit(|| Event::PositionBuilt { player, at });
            }
        }
        self.clear_works(state, context);
    }

    /// 14.31, 14.36: at the end of any Engineering Phase, works in whose hex a good-order enemy combat unit stands.
    fn clear_works(&self, state: &mut State, context: &mut impl Rolls) {
        for player in Player::ALL {
            let held = state.positions[player.index()].and(&state.occupied[player.enemy().index()]);
            for hex in held {
                if self.holds_in_good_order(state, hex, player.enemy()) {
                    self.remove_position(state, player, hex, context);
                }
            }
        }
        for (number, &(hex, _)) in self.map().lines.iter().enumerate() {
            if state.lines_destroyed >> number & 1 == 0
                && state.occupied[Player::German.index()].contains(hex)
                && self.holds_in_good_order(state, hex, Player::German)
            {
                state.lines_destroyed |= 1 << number;
                context.emit(|| Event::LineDestroyed { at: hex });
            }
        }
    }

    fn holds_in_good_order(&self, state: &State, hex: sandtable_core::Hex, player: Player) -> bool {
        let units: Units = self.combat_units(state, hex, player);
        !units.difference(state.marked(Mark::Disorganised)).is_empty()
    }
}
