//! 2. Movement: armies, ships, aircraft, Strategic Movement, sea invasions, pinning (4, 6.1, 7.2, 7.5).
//!
//! One unit is picked after another. An army marches area by area, ships and aircraft go to their goal at once. Entering a
//! place with enemies opens a battle and costs command points (3.2). Stacking may be exceeded while units that have not
//! moved can still make room (4.5); whoever ends his movement over the limit loses what is too much.
//!
//! ```text
//!  ground     what is friendly, enemy, open              land        marches and jumps
//!  naval      where ships sail, ships in the ice         air         where aircraft fly
//!  attack     what a battle costs, what can be attacked  strategic   Strategic Movement, factories, the Urals
//!  invasion   landings from the sea                      stacking    room, and the excess
//!  pinning    what Player 2 may not move                outlook    the map as a unit finds it
//!  menu       what there is to choose from, as sets
//! ```

mod air;
mod attack;
mod ground;
mod invasion;
mod land;
mod menu;
mod naval;
mod outlook;
mod pinning;
mod stacking;
mod strategic;

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::VictoryInEurope;
use crate::nation::{Force, Nation, Team};
use crate::phase::Pending;
use crate::place::{Place, UnitId};
use crate::rules::{Areas, Arm, Entry, Kind, MAX_BORDERS, Units};
use crate::state::{State, mark};

use sandtable_core::{ActionSink, Flow, Index};

use menu::{Choice, Ways};

impl VictoryInEurope {
    /// A Movement Phase of the movers begins: what was friendly at its start, nobody has crossed a border. What lasts for a
    /// turn has been cleared when it began; blocks seen in battle are unknown again by option (R-63).
    pub(crate) fn movement_begins(&self, state: &mut State, _table: &mut impl Rolls) {
        let team = state.mover;
        let leads = state.movers == team.forces() || state.movers == self.leading_force(state).bit();
        if leads && team == state.first && !self.rules.options.blocks_stay_known {
            state.forget_units();
        }
        if leads {
            state.crossed = [0; MAX_BORDERS];
            state.invasion.reinforced = Areas::EMPTY;
            state.invasion.reinforced_seas = 0;
        }
        state.invasion.squeezed = Areas::EMPTY;
        state.held_before = state.held;
        let ships = &self.tables.units.of_arm[Arm::Naval as usize];
        state.seas_before = Team::ALL.map(|team| state.seas_with(&state.commanded_by(team).and(ships)));
    }

    #[inline]
    pub(crate) fn movement_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        match state.pending {
            Pending::None => self.choice_of_unit(state).offer(out),
            Pending::Destination(unit) => self.destinations(state, unit).offer(out),
            Pending::March(unit) => self.marches(state, unit).offer(out),
            Pending::Invasion(_) => out.listed(|list| self.invasion_actions(state, list)),
            Pending::Factory(from) => out.listed(|list| self.factory_goals(state, from, list)),
            Pending::Excess(place) => out.listed(|list| self.excess_actions(state, place, list)),
            Pending::Neutral { .. } => out.listed(|list| self.neutral_actions(state, list)),
            _ => Flow::Continue(()),
        }
    }

    pub(crate) fn movement_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (state.pending, action) {
            (Pending::None, Action::Pass) => self.close_movement(state, context),
            (Pending::None, Action::Select(unit)) => {
                state.pending = Pending::Destination(unit);
                state.march = self.army_points(state, unit);
            }
            (Pending::None, Action::Invade(area)) => {
                state.invasion.goal = area;
                state.pending = Pending::Invasion(area);
            }
            (Pending::None, Action::MoveFactory(from, _)) => state.pending = Pending::Factory(from),
            (Pending::Factory(_), Action::MoveFactory(from, to)) => self.move_factory(state, from, to),
            (Pending::Destination(unit) | Pending::March(unit), Action::Pass) => {
                state.set_mark(unit, mark::MOVED, true);
                self.settle_down(state);
            }
            (Pending::Destination(unit) | Pending::March(unit), Action::Go(to, coast)) => {
                if self.arm(unit) == Arm::Army {
                    self.march(state, unit, to, context);
                } else {
                    self.sail_or_fly(state, unit, to, coast, context);
                }
            }
            (Pending::Destination(unit), Action::Strategic(to, coast)) => {
                self.move_strategically(state, unit, to, coast, context);
            }
            (Pending::Invasion(_), action) => self.invasion_apply(state, action, context),
            (Pending::Excess(_), Action::Take(unit)) => {
                self.give_up(state, unit, context);
                self.close_movement(state, context);
            }
            (Pending::Neutral { .. }, action) => {
                self.neutral_apply(state, action, context);
                if !matches!(state.pending, Pending::Neutral { .. }) {
                    state.active = state.movers;
                    self.cross_after_war(state, context);
                }
            }
            _ => {}
        }
    }

    /// Units that may be picked, invasions, factories, the end of the phase.
    #[inline]
    fn choice_of_unit(&self, state: &State) -> Choice {
        let units = self.movable(state);
        let mut squeezed = state.invasion.squeezed.iter();
        let must_make_room = squeezed.any(|place| {
            state.stack(place).any(|unit| units.contains(unit) && self.is_in_excess(state, unit))
        });
        Choice {
            // Whoever can still make room does so before he ends his movement (4.5).
            pass: !must_make_room,
            units,
            invasions: self.invasion_goals(state, &units),
            factories: self.movable_factories(state),
        }
    }

    /// The units that may be picked: see [`VictoryInEurope::may_be_picked`].
    fn movable(&self, state: &State) -> Units {
        let tables = &self.tables;
        let [axis, western, soviet] = &state.roster.forces;
        let mut units = state.roster.ready.and(&tables.units.mobile);
        units = units.and(&match state.movers {
            0b001 => *axis,
            0b010 => *western,
            0b100 => *soviet,
            _ => western.or(soviet),
        });
        let moves = |force: Force| state.movers & force.bit() != 0;
        if state.politics.usa == Entry::Neutral && moves(Force::Western) {
            units = units.difference(&state.roster.americans);
        }
        let urals = self.rules.places.urals;
        if !state.is_vacant(urals) && self.urals_are_closed(state) {
            for unit in state.stack(urals) {
                units.set(unit, units.contains(unit) && self.may_leave_urals(state, unit));
            }
        }
        // From islands by Strategic Movement alone.
        let armies = &tables.units.of_arm[Arm::Army as usize];
        let islanders = units.and(&state.roster.islanders).and(armies);
        if islanders.is_empty() {
            return units;
        }
        for force in Force::of(state.movers) {
            if state.command_of(force) >= self.rules.charts.strategic_cm {
                continue;
            }
            let penniless = islanders.and(&state.roster.forces[force.index()]);
            units = units.difference(&penniless);
            if self.grants_moves(state, force) {
                for unit in penniless {
                    units.set(unit, self.can_move_strategically(state, force, unit));
                }
            }
        }
        units
    }

    /// Whether a unit may be picked: it has not moved, is not held, and does not stand where nobody gets away.
    fn may_be_picked(&self, state: &State, unit: UnitId) -> bool {
        if !state.is_on_map(unit)
            || state.mark[unit.at()] & (mark::MOVED | mark::PINNED) != 0
            || !self.is_mobile(state, unit)
        {
            return false;
        }
        let Some(force) = self.force(state, unit).filter(|force| force.bit() & state.movers != 0) else {
            return false;
        };
        let place = state.location(unit);
        self.arm(unit) != Arm::Army
            || !self.adjacent(place).is_empty()
            || self.can_move_strategically(state, force, unit)
    }

    /// Whether a unit can move at all: not fortresses and convoys (2.6, 7.7), not the neutral USA (13), not units in the
    /// Urals before their time (13).
    pub fn is_mobile(&self, state: &State, unit: UnitId) -> bool {
        let kind = self.kind(unit);
        if kind == Kind::Fortress || kind == Kind::Convoy || self.unit_type(unit).moves == 0 {
            return false;
        }
        if state.politics.usa == Entry::Neutral && self.nation(state, unit) == Nation::Usa {
            return false;
        }
        state.location(unit) != self.rules.places.urals
            || !self.urals_are_closed(state)
            || self.may_leave_urals(state, unit)
    }

    /// Where a picked unit may go, and that it may stay.
    #[inline]
    fn destinations(&self, state: &State, unit: UnitId) -> Ways {
        let outlook = self.outlook(state, unit);
        let mut ways = Ways::NONE;
        if state.location(unit) != self.rules.places.urals {
            match self.arm(unit) {
                Arm::Army => {
                    self.marches_on(state, &outlook, &mut ways.goals[0]);
                    self.jumps(state, unit, &mut ways.goals[0]);
                }
                Arm::Air => self.flights(state, &outlook, &mut ways.goals),
                Arm::Naval => self.sailings(state, &outlook, &mut ways.goals),
            }
        }
        self.strategic_goals(state, &outlook, &mut ways.transfers);
        ways.pass = !self.is_in_excess(state, unit) || ways.is_bare();
        ways
    }

    /// The next areas of an army on the march, and that it may stop.
    #[inline]
    fn marches(&self, state: &State, unit: UnitId) -> Ways {
        let outlook = self.outlook(state, unit);
        let mut ways = Ways::NONE;
        self.marches_on(state, &outlook, &mut ways.goals[0]);
        ways.pass = !self.is_full(state, &outlook, state.location(unit)) || ways.is_bare();
        ways
    }

    /// A ship or an aircraft goes to its goal.
    fn sail_or_fly(&self, state: &mut State, unit: UnitId, to: Place, coast: u8, context: &mut impl Rolls) {
        let via = if self.arm(unit) == Arm::Naval {
            self.approach(state, unit, to, coast)
        } else {
            self.declare_war_in_flight(state, unit, to, context);
            state.location(unit)
        };
        if self.is_battle(state, unit, to) {
            self.commit(state, unit, to);
        }
        self.relocate(state, unit, to, coast, via, context);
        self.settle_down(state);
    }

    /// A unit changes its place: nobody knows it any more (R-63).
    fn relocate(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        coast: u8,
        via: Place,
        context: &mut impl Rolls,
    ) {
        let from = state.location(unit);
        state.put(unit, to, coast);
        state.via[unit.at()] = via;
        state.set_marks(unit, state.mark[unit.at()] & !mark::KNOWN | mark::MOVED);
        if !self.has_room(state, unit, to, coast) {
            state.invasion.squeezed.insert(to);
        }
        if state.invasion.squeezed.contains(from)
            && state.stack(from).all(|other| !self.is_in_excess(state, other))
        {
            state.invasion.squeezed.remove(from);
        }
        let strategic = state.has_mark(unit, mark::STRATEGIC);
        context.emit(|| Event::Moved { unit, from, to, strategic });
    }

    /// The unit at hand is done with: back to the choice of units.
    fn settle_down(&self, state: &mut State) {
        state.pending = Pending::None;
        state.march = 0;
    }

    /// The mover has finished: what is over the stacking limit is given up first (4.5), then the phase ends.
    fn close_movement(&self, state: &mut State, context: &mut impl Rolls) {
        if let Some(place) = self.crowded_place(state) {
            state.pending = Pending::Excess(place);
        } else {
            state.invasion.squeezed = Areas::EMPTY;
            self.end_phase(state, context);
        }
    }

    /// The force that gives orders to a unit that is being moved.
    fn commander(&self, state: &State, unit: UnitId) -> Force {
        self.force(state, unit).unwrap_or(Force::Axis)
    }
}
