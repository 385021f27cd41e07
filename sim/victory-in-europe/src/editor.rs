//! Positions put together by hand: worked examples, tests, odds of a battle described in words.

use crate::place::{NO_INDEX, Place, UnitId};
use sandtable_core::Context;
use sandtable_core::Index;
use sandtable_core::phases::settle;

use crate::event::Event;
use crate::game::VictoryInEurope;
use crate::nation::{Force, Nation, Team};
use crate::phase::Phase;
use crate::rules::{Entry, Kind, Standing};
use crate::state::State;

/// A state being put together. Whatever is set stays as set; [`Editor::finish`] works out what follows from it.
#[derive(Clone, Debug)]
pub struct Editor<'a> {
    game: &'a VictoryInEurope,
    state: State,
}

impl<'a> Editor<'a> {
    /// Starts from the scenario's set-up, before anything has been decided.
    pub fn new(game: &'a VictoryInEurope) -> Self {
        Editor { game, state: game.position() }
    }
    /// Starts from a state.
    pub fn of(game: &'a VictoryInEurope, state: State) -> Self {
        Editor { game, state }
    }
    /// The state as it is.
    pub fn state(&self) -> &State {
        &self.state
    }
    /// The state itself, for what has no method of its own.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }
    /// Takes every unit from the map; factories and control stay.
    pub fn clear(&mut self) -> &mut Self {
        for unit in self.game.unit_ids() {
            if self.state.location(unit).is_on_map() {
                self.state.send(unit, Place::POOL);
            }
        }
        self
    }
    /// Puts a unit at a place with these steps. A ship in an area lies on its first coast with a port, or first coast.
    ///
    /// # Panics
    /// If there is no such unit or place, or too many steps.
    pub fn place(&mut self, unit: &str, place: &str, steps: u8) -> &mut Self {
        let unit = self.unit(unit);
        let place = self.at(place);
        let ship = self.game.arm(unit) == crate::rules::Arm::Naval;
        let coast = if ship && place.is_area() {
            (1..=2).find(|&coast| self.game.has_port(place, coast)).unwrap_or(1)
        } else {
            0
        };
        self.place_on(unit, place, coast, steps)
    }
    /// The same by index, on a coast.
    ///
    /// # Panics
    /// If the unit cannot have so many steps.
    pub fn place_on(&mut self, unit: UnitId, place: Place, coast: u8, steps: u8) -> &mut Self {
        let leader = self.game.kind(unit) == Kind::Leader;
        assert!(
            steps <= self.game.max_steps(unit) && (steps > 0 || leader),
            "{} cannot have {steps} steps",
            self.game.rules.units[unit.at()].id
        );
        self.state.send(unit, Place::POOL);
        self.state.put(unit, place, coast);
        self.state.set_steps(unit, steps);
        self
    }
    /// Takes a unit to the pool.
    pub fn remove(&mut self, unit: &str) -> &mut Self {
        let unit = self.unit(unit);
        self.state.send(unit, Place::POOL);
        self
    }
    /// Takes a unit out of the game.
    pub fn discard(&mut self, unit: &str) -> &mut Self {
        let unit = self.unit(unit);
        self.state.send(unit, Place::GONE);
        self
    }
    /// Gives an area to a nation.
    pub fn control(&mut self, area: &str, nation: Nation) -> &mut Self {
        let area = self.at(area);
        self.state.control[area.at()] = nation as u8;
        self
    }
    /// Sets the factory of an area.
    pub fn factory(&mut self, area: &str, steps: u8) -> &mut Self {
        let area = self.at(area);
        self.state.set_factory(area, steps);
        self
    }
    /// Sets a nation's standing and the major it fights for.
    pub fn standing(&mut self, nation: Nation, standing: Standing, patron: Nation) -> &mut Self {
        self.state.politics.set_standing(nation, standing);
        self.state.politics.set_patron(nation, patron);
        self
    }
    /// Sets how far Italy, the USSR or the USA is in the war.
    ///
    /// # Panics
    /// If the nation is another.
    pub fn entry(&mut self, nation: Nation, entry: Entry) -> &mut Self {
        let politics = &mut self.state.politics;
        *match nation {
            Nation::Italy => &mut politics.italy,
            Nation::Ussr => &mut politics.ussr,
            Nation::Usa => &mut politics.usa,
            _ => panic!("{} has no entry", nation.name()),
        } = entry;
        self
    }
    /// Sets the turn, of those in the calendar. One after the scenario's last is the last that is played.
    pub fn turn(&mut self, turn: u8) -> &mut Self {
        self.state.turn = turn;
        self
    }
    /// Sets command points: Axis, Western, Soviet.
    pub fn command(&mut self, command: [u8; 3]) -> &mut Self {
        self.state.command = command;
        self
    }
    /// Says that a team attacks a place this turn (4.1).
    pub fn attack(&mut self, team: Team, place: &str) -> &mut Self {
        let place = self.at(place);
        match place.sea_zone() {
            Some(zone) => self.state.sea_attacked[team.index()] |= 1 << zone,
            None => self.state.attacked[team.index()].insert(place),
        }
        self
    }
    /// Says from which place a unit has come this turn, and sets marks ([`crate::state::mark`]) on it.
    pub fn entered(&mut self, unit: &str, from: &str, marks: u8) -> &mut Self {
        let (unit, from) = (self.unit(unit), self.at(from));
        self.state.via[unit.at()] = from;
        self.state.set_mark(unit, marks, true);
        self
    }
    /// Lays a card for a force, as if revealed.
    ///
    /// # Panics
    /// If there is no such card.
    pub fn card(&mut self, force: Force, card: &str) -> &mut Self {
        let card = self.game.rules.cards.iter().position(|known| known.id == card).expect("a card") as u8;
        self.state.cards.laid[force.index()] = card;
        self.state.cards.used[force.index()] = false;
        self
    }
    /// Sets Player 1.
    pub fn first(&mut self, team: Team) -> &mut Self {
        self.state.first = team;
        self
    }
    /// Sets a phase of a team going and plays on to the first decision.
    pub fn begin<T: Context<Event>>(&mut self, phase: Phase, team: Team, context: &mut T) -> State {
        let mut state = self.finish();
        self.game.start_team(&mut state, phase, team, context);
        settle(self.game, &mut state, context);
        state
    }
    /// Sets a phase of a team going, without what is forced in it.
    pub fn start<T: Context<Event>>(&mut self, phase: Phase, team: Team, context: &mut T) -> State {
        let mut state = self.finish();
        self.game.start_team(&mut state, phase, team, context);
        state
    }
    /// Begins the turn anew, without what is forced in it.
    pub fn start_turn<T: Context<Event>>(&mut self, context: &mut T) -> State {
        let mut state = self.finish();
        self.game.begin_turn(&mut state, context);
        state
    }
    /// Gives command points and Player 1 by the cards laid (3.2), which lie open.
    pub fn reveal(&mut self) -> &mut Self {
        self.game.count_command(&mut self.state);
        for card in self.state.cards.laid.into_iter().filter(|&card| card != NO_INDEX) {
            self.state.cards.spent |= 1 << card;
        }
        self
    }
    /// Begins the turn anew, as at the end of the last one, and plays on to the first decision.
    pub fn begin_turn<T: Context<Event>>(&mut self, context: &mut T) -> State {
        let mut state = self.finish();
        self.game.begin_turn(&mut state, context);
        settle(self.game, &mut state, context);
        state
    }
    /// Declares war as a unit of a nation does that enters an area (10.1). Who must place a neutral's units is asked.
    pub fn declare_war<T: Context<Event>>(
        &mut self,
        nation: Nation,
        area: &str,
        context: &mut T,
    ) -> &mut Self {
        let area = self.at(area);
        self.finish();
        self.game.declare_war(&mut self.state, nation, area, context);
        self
    }
    /// Applies what the end of a Supply Phase brings in politics (10.4, 13).
    pub fn check_politics<T: Context<Event>>(&mut self, context: &mut T) -> &mut Self {
        self.finish();
        self.game.political_checks(&mut self.state, context);
        self
    }
    /// Applies what the cards take at the start of combat, up to the first choice of an owner (3.3).
    pub fn lose_to_events<T: Context<Event>>(&mut self, context: &mut T) -> &mut Self {
        self.finish();
        self.game.event_losses(&mut self.state, context);
        self
    }
    /// Applies what the cards deploy in production (3.3).
    pub fn deploy_by_events<T: Context<Event>>(&mut self, context: &mut T) -> &mut Self {
        self.finish();
        self.game.event_deployments(&mut self.state, context);
        self
    }
    /// The state, with everything derived worked out.
    pub fn finish(&mut self) -> State {
        self.game.renew_held(&mut self.state);
        self.state.clone()
    }

    fn unit(&self, id: &str) -> UnitId {
        self.game.unit(id).unwrap_or_else(|| panic!("there is no unit {id}"))
    }
    fn at(&self, id: &str) -> Place {
        self.game.place(id).unwrap_or_else(|| panic!("there is no place {id}"))
    }
}
