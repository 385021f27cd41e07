//! Which units of Player 2 are held by those that attack them (4.3, R-08).

use crate::Rolls;
use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::place::{Place, UnitId};
use crate::rules::MAX_SEAS;
use crate::state::{State, mark};

impl VictoryInEurope {
    /// Where no more of the mover's units stand than attack them, all are pinned; elsewhere he will choose.
    pub(crate) fn pinning_begins(&self, state: &mut State, _table: &mut impl Rolls) {
        let battles = self.attacked_places(state);
        for place in battles {
            if self.free_from_pins(state, place) <= 0 {
                for unit in self.unit_ids() {
                    if state.location(unit) == place && self.team(state, unit) == state.mover {
                        state.set_mark(unit, mark::PINNED, true);
                    }
                }
            }
        }
    }

    /// Each unit that may be pinned in the first place where one is still to be.
    pub(crate) fn pinning_actions(&self, state: &State, out: &mut Vec<Action>) {
        for place in self.attacked_places(state) {
            if self.pins_due(state, place) > 0 {
                out.extend(self.pinnable(state, place).map(Action::Pin));
                if !out.is_empty() {
                    return;
                }
            }
        }
    }

    pub(crate) fn pinning_apply(&self, state: &mut State, action: Action, _table: &mut impl Rolls) {
        if let Action::Pin(unit) = action {
            state.set_mark(unit, mark::PINNED, true);
        }
    }

    /// Places where the enemy of the mover has attacked.
    fn attacked_places(&self, state: &State) -> impl Iterator<Item = Place> + use<> {
        let enemy = state.mover.other().index();
        let seas = state.sea_attacked[enemy];
        let zones = (0..MAX_SEAS as u8).filter(move |zone| seas & 1 << zone != 0).map(Place::sea);
        state.attacked[enemy].iter().chain(zones)
    }

    /// How many of the mover's units at a place the attackers leave free.
    fn free_from_pins(&self, state: &State, place: Place) -> i32 {
        let own = self.units_at(state, place, state.mover).count();
        let attackers = self.units_at(state, place, state.mover.other()).count();
        own as i32 - attackers as i32
    }

    /// How many of them are still to be pinned.
    fn pins_due(&self, state: &State, place: Place) -> i32 {
        let loose = self
            .units_at(state, place, state.mover)
            .filter(|&unit| !state.has_mark(unit, mark::PINNED))
            .count();
        loose as i32 - self.free_from_pins(state, place).max(0)
    }

    fn pinnable(&self, state: &State, place: Place) -> impl Iterator<Item = UnitId> {
        self.units_at(state, place, state.mover).filter(|&unit| {
            !state.has_mark(unit, mark::PINNED)
                && self.force(state, unit).is_some_and(|force| force.bit() & state.movers != 0)
        })
    }
}
