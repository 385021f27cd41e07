//! Positions put together by hand: worked examples, tests, odds of a battle described in words.

use sandtable_core::phases::settle;
use sandtable_core::{Context, Index};

use crate::event::Event;
use crate::game::EuropeEngulfed;
use crate::ids::{Area, KindId, Nation, Team, UnitId};
use crate::phase::{Mode, Phase};
use crate::rules::{NationKind, Standing, Weather};
use crate::state::State;

/// A state being put together. Whatever is set stays as set; [`Editor::finish`] works out what follows from it.
#[derive(Clone, Debug)]
pub struct Editor<'a> {
    game: &'a EuropeEngulfed,
    state: State,
}

impl<'a> Editor<'a> {
    /// Starts from the scenario's set-up, before anything has been decided: counters that their owner deploys as he likes
    /// are not on the map.
    pub fn new(game: &'a EuropeEngulfed) -> Self {
        Editor { game, state: game.position() }
    }
    /// Starts from a state.
    pub fn of(game: &'a EuropeEngulfed, state: State) -> Self {
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
    /// Takes every counter into the pool, all fleets from the seas, all fortifications; control stays.
    pub fn clear(&mut self) -> &mut Self {
        for unit in self.game.unit_ids() {
            // What is kept from the game until a date stays so.
            if self.state.location(unit) != Area::GONE {
                self.game.send(&mut self.state, unit, Area::POOL);
            }
        }
        self.state.newly_disputed = crate::ids::Areas::EMPTY;
        (self.state.field_forts, self.state.heavy_forts) =
            (crate::ids::Areas::EMPTY, crate::ids::Areas::EMPTY);
        self.state.reduced_forts = [crate::ids::Areas::EMPTY; 2];
        self.state.fleets = [crate::state::Fleet::default(); crate::ids::NATIONS];
        self
    }
    /// Puts a counter of a kind that is not on the map into an area, with these steps, and says which it is.
    ///
    /// # Panics
    /// If there is none left, or it cannot have so many steps.
    pub fn place(&mut self, kind: KindId, area: Area, steps: u8) -> UnitId {
        let most = self.game.rules.kinds[kind.at()].max;
        assert!((1..=most).contains(&steps), "a counter of {most} steps cannot have {steps}");
        let mut counters = self.game.counters(kind);
        let unit = counters.find(|unit| !self.state.is_on_map(*unit)).expect("a counter of the kind is left");
        self.state.steps[unit.at()] = steps;
        self.game.put(&mut self.state, unit, area);
        unit
    }
    /// Sets marks ([`crate::state::mark`]) on a counter.
    pub fn mark(&mut self, unit: UnitId, marks: u16) -> &mut Self {
        self.state.mark(unit, marks);
        self
    }
    /// Gives a counter so many steps.
    pub fn steps(&mut self, unit: UnitId, steps: u8) -> &mut Self {
        self.state.steps[unit.at()] = steps;
        self
    }
    /// Gives an area to a nation.
    pub fn control(&mut self, area: Area, nation: Nation) -> &mut Self {
        self.state.control[area.at()] = nation as u8;
        self
    }
    /// Says that an area is newly disputed: its first round has not been fought (A50).
    pub fn newly_disputed(&mut self, area: Area) -> &mut Self {
        self.state.newly_disputed.insert(area);
        self
    }
    /// Builds a field fortification.
    pub fn field_fort(&mut self, area: Area) -> &mut Self {
        self.state.field_forts.insert(area);
        self
    }
    /// Builds a heavy fortification.
    pub fn heavy_fort(&mut self, area: Area) -> &mut Self {
        self.state.heavy_forts.insert(area);
        self
    }
    /// Gives a nation Special Actions, and room for them in its pool.
    pub fn special_actions(&mut self, nation: Nation, count: u8) -> &mut Self {
        let power = &mut self.state.powers[nation.index()];
        power.special_actions = count;
        power.special_action_pool = power.special_action_pool.max(count);
        self
    }
    /// Says how a nation stands in the war: in it or a neutral Major Power it is of the team its player leads, a minor of none.
    pub fn standing(&mut self, nation: Nation, standing: Standing) -> &mut Self {
        let player = self.game.rules.setup.players.iter().find(|player| player.nations & nation.bit() != 0);
        let team = player.map(|player| player.team);
        let major = self.game.rules.nations[nation.index()].kind == NationKind::Major;
        let leads = standing == Standing::Belligerent || standing == Standing::Neutral && major;
        self.state.powers[nation.index()].team = team.filter(|_| leads);
        self.state.affairs.standing[nation.index()] = standing;
        if standing == Standing::Neutral {
            self.state.affairs.joined &= !nation.bit();
        }
        self.game.note_axis_minor(&mut self.state, nation);
        self
    }
    /// Sets the weather of all zones.
    pub fn weather(&mut self, weather: Weather) -> &mut Self {
        self.state.weather = [weather; 3];
        self
    }
    /// Sets the turn, from 1.
    pub fn turn(&mut self, turn: u8) -> &mut Self {
        self.state.turn = turn;
        self
    }
    /// The state, with everything derived worked out.
    pub fn finish(&mut self) -> State {
        self.game.derive(&mut self.state);
        self.state.clone()
    }
    /// Sets a phase of a team going, without what is forced in it.
    pub fn start<T: Context<Event>>(&mut self, phase: Phase, team: Team, context: &mut T) -> State {
        let mut state = self.finish();
        state.mover = team;
        self.game.start_phase(&mut state, phase, context);
        state
    }
    /// Sets a phase of a team going and plays on to the first decision.
    pub fn begin<T: Context<Event>>(&mut self, phase: Phase, team: Team, context: &mut T) -> State {
        let mut state = self.start(phase, team, context);
        settle(self.game, &mut state, context);
        state
    }
    /// Begins a battle in the Initial Combat Phase of a team, up to its first decision or die.
    pub fn attack<T: Context<Event>>(
        &mut self,
        area: Area,
        mode: Mode,
        team: Team,
        context: &mut T,
    ) -> State {
        let mut state = self.finish();
        (state.mover, state.phase) = (team, Phase::Combat);
        self.game.begin_battle(&mut state, area, mode, u32::MAX, context);
        state
    }
}
