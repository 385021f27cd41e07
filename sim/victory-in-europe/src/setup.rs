//! The opening position and the free deployment of the scenarios (14, R-73).

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::VictoryInEurope;
use crate::nation::Nation;
use crate::phase::Phase;
use crate::place::{Place, UnitId};
use crate::rules::{Arm, Entry, Kind, MAX_UNITS};
use crate::state::{State, mark};
use sandtable_core::Index;

impl VictoryInEurope {
    /// The opening position: units placed, the first phase begun.
    pub(crate) fn starting_state(&self, context: &mut impl Rolls) -> State {
        let mut state = self.position();
        if self.rules.setup.free_deployment && self.rules.options.free_deployment {
            self.start_team(&mut state, Phase::Deployment, self.rules.setup.deploys_first, context);
        } else {
            self.begin_turn(&mut state, context);
        }
        state
    }

    /// The set-up on the map, before anything has been decided.
    pub(crate) fn position(&self) -> State {
        let setup = &self.rules.setup;
        let mut state = State::empty();
        state.turn = setup.first_turn;
        state.roster.islands = self.tables.areas.isolated;
        for (area, &nation) in setup.control.iter().enumerate() {
            state.control[area] = nation as u8;
        }
        for nation in Nation::ALL {
            state.politics.set_standing(nation, setup.standing[nation.index()]);
            state.politics.set_patron(nation, setup.patron[nation.index()]);
        }
        state.politics.italy = setup.italy;
        state.politics.ussr = setup.ussr;
        state.politics.usa = setup.usa;
        // Where the set-up has them at war, it began as in history.
        state.politics.axis_attacked_ussr = setup.ussr == Entry::AtWar;
        state.politics.usa_mobilised = setup.mobilisation_turn == 0;
        for &(unit, place, coast, steps) in &setup.units {
            state.put(unit, place, coast);
            state.set_steps(unit, steps);
        }
        for &unit in &setup.gone {
            state.send(unit, Place::GONE);
        }
        for &(area, steps) in &setup.factories {
            state.set_factory(area, steps);
        }
        self.renew_held(&mut state);
        state
    }

    /// Units that may change places: of one nation and one kind as far as stacking tells kinds apart, so that every place
    /// keeps its numbers. Fortresses and convoys stay where they are.
    fn exchange_class(&self, state: &State, unit: UnitId) -> Option<(Nation, Arm, bool, bool)> {
        let kind = self.kind(unit);
        let settled = state.has_mark(unit, mark::MOVED) || matches!(kind, Kind::Fortress | Kind::Convoy);
        let force = self.force(state, unit).filter(|force| state.movers & force.bit() != 0);
        (state.is_on_map(unit) && !settled && force.is_some()).then(|| {
            (self.nation(state, unit), self.arm(unit), kind == Kind::Leader, kind == Kind::Paratroop)
        })
    }

    /// Exchanges of two units, or the end of them. The unit that comes to the place of the first is settled there, so any
    /// order can be reached and the exchanges end.
    pub(crate) fn deployment_actions(&self, state: &State, out: &mut Vec<Action>) {
        let start = out.len();
        let classes: [_; MAX_UNITS] =
            std::array::from_fn(|unit| self.exchange_class(state, UnitId::nth(unit)));
        for a in self.unit_ids() {
            let Some(class) = classes[a.at()] else { continue };
            let others = self.unit_ids().skip(a.at() + 1).filter(|&b| classes[b.at()] == Some(class));
            let elsewhere = others.filter(|&b| state.location(a) != state.location(b));
            out.extend(elsewhere.map(|b| Action::Exchange(a, b)));
        }
        if out.len() > start {
            out.insert(start, Action::Pass);
        }
    }

    pub(crate) fn deployment_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Exchange(a, b) = action else { return self.end_phase(state, context) };
        let (from, to) = (state.location(a), state.location(b));
        state.change_places(a, b);
        state.set_mark(b, mark::MOVED, true);
        context.emit(|| Event::Moved { unit: a, from, to, strategic: false });
        context.emit(|| Event::Moved { unit: b, from: to, to: from, strategic: false });
    }
}
