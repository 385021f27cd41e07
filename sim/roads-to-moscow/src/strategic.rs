//! The Strategic Segment but for supply and initiative: weather (5.1), reinforcements and optional groups (5.2, R81),
//! Reserve (5.3).

use sandtable_core::{ActionSink, Flow, Index};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{AirId, FormationId, Formations, Marker, Player, place};
use crate::phase::{Phase, Sequence};
use crate::rules::Weather;
use crate::state::{Mark, State};

impl RoadsToMoscow {
    /// Begins the turn that the state says: weather, fuel, reinforcements; up to the first decision (A1, A2).
    pub(crate) fn begin_turn(&self, state: &mut State, context: &mut impl Rolls) {
        state.sequence = Sequence::None;
        self.roll_weather(state, context);
        self.receive_fuel(state, context);
        let turn = state.turn;
        // 5.24: aircraft go to Ready; markers come with the first units of their formation (R82).
        for (at, unit) in self.rules.air.iter().enumerate() {
            if unit.turn == turn {
                state.ready.insert(AirId::nth(at));
            }
        }
        for (at, marker) in self.rules.markers.iter().enumerate() {
            if marker.turn == turn && self.formation_lives(state, marker.formation) {
                state.in_play.insert(Marker::nth(at));
            }
        }
        state.phase = Phase::OptionalGroups;
        state.decider = Player::German;
    }

    /// Whether a formation has units in the game or still to come, all of them off the map perhaps (4.26, R61); "Activate any Formation" always lives.
    pub(crate) fn formation_lives(&self, state: &State, formation: FormationId) -> bool {
        self.rules.formations[formation.at()].any
            || self
                .units_in(formation)
                .iter()
                .any(|unit| !matches!(state.at(unit), place::ELIMINATED | place::OUT))
    }

    /// 5.11: a d10 against the turn's boxes, or the historical weather (5.11d).
    fn roll_weather(&self, state: &mut State, context: &mut impl Rolls) {
        let calendar = self.calendar(state);
        let (weather, roll) = if self.rules.options.historical_weather {
            (calendar.historical, 0)
        } else {
            let roll = context.die(10) as u8;
            (self.weather_of(state.turn, roll), roll)
        };
        state.weather = weather;
        let turn = state.turn;
        context.emit(|| Event::TurnBegins { turn, weather, roll });
    }

    /// The weather that a d10 means on a turn (5.11b).
    pub fn weather_of(&self, turn: u8, roll: u8) -> Weather {
        let calendar = &self.rules.calendar[turn as usize - 1];
        match roll {
            _ if roll <= calendar.dry_up_to => Weather::Dry,
            _ if roll <= calendar.overcast_up_to => Weather::Overcast,
            _ => Weather::Rain,
        }
    }

    // ---- optional groups (R81) ----

    pub(crate) fn group_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let open = |&(at, group): &(usize, &crate::rules::OptionalGroup)| {
            group.player == state.decider && group.turn <= state.turn && state.groups >> at & 1 == 0
        };
        let mut groups = self.rules.groups.iter().enumerate().filter(open).peekable();
        if groups.peek().is_none() {
            return Flow::Continue(());
        }
        out.offer(Action::Pass)?;
        for (at, _) in groups {
            out.offer(Action::Group(at as u8))?;
        }
        Flow::Continue(())
    }

    pub(crate) fn group_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Group(at) = action else { return self.end_groups(state) };
        let group = &self.rules.groups[at as usize];
        state.groups |= 1 << at;
        state.points[group.player.enemy().index()] += i16::from(group.cost);
        for &unit in &group.units {
            self.take_off(state, unit, place::AWAITING, context);
        }
        for &marker in &group.markers {
            state.in_play.insert(marker);
        }
        context.emit(|| Event::GroupTaken { group: at });
    }

    pub(crate) fn end_groups(&self, state: &mut State) {
        if state.decider == Player::German {
            state.decider = Player::Soviet;
            return;
        }
        // 5.33: formations whose time has come are back before anybody goes into Reserve, and may go again.
        for formation in state.reserve {
            if state.reserve_until[formation.at()] <= state.turn {
                state.reserve.remove(formation);
            }
        }
        // 7.26: the markers lie with the players again.
        state.played = crate::ids::Markers::EMPTY;
        state.left_out = crate::ids::Markers::EMPTY;
        state.phase = Phase::Reserve;
        state.decider = Player::German;
    }

    // ---- Reserve (5.3) ----

    /// Formations of a player with a marker at hand (5.31): no Army units (5.34), no "Activate any Formation".
    fn reservable(&self, state: &State) -> Formations {
        self.marker_sets().formations_of[state.decider.index()]
            .difference(&state.reserve)
            .filter(|formation| self.marker_sets().of_formation[formation.at()].intersects(&state.in_play))
    }

    pub(crate) fn reserve_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        out.rest(Some(Action::Pass), [self.reservable(state)], |_, formation| {
            Some(Action::Formation(formation))
        })
    }

    pub(crate) fn reserve_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Formation(formation) = action else { return self.end_reserve(state, context) };
        // All markers of the formation go (R79), two turns ahead.
        state.reserve.insert(formation);
        state.reserve_until[formation.at()] = state.turn + self.rules.numbers.reserve_turns;
        context.emit(|| Event::Reserved { formation });
    }

    pub(crate) fn end_reserve(&self, state: &mut State, context: &mut impl Rolls) {
        if state.decider == Player::German {
            state.decider = Player::Soviet;
            return;
        }
        // A3 (13.12), then A4: the order of the expanded sequence (R1).
        state.ready = state.ready.or(&state.flown);
        state.flown = crate::ids::Air::EMPTY;
        self.judge_supply(state, context);
        // Low Fuel and the bar on reaction end when the markers go back (6.43c, R5).
        state.clear(Mark::LowFuel);
        state.unfuelled = Formations::EMPTY;
        self.roll_initiative(state, context);
    }
}
