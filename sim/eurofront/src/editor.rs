//! Positions put together by hand: worked examples and tests.

use sandtable_core::phases::settle;
use sandtable_core::{Context, Hex};

use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{BlockId, Blocks, Camp, Faction, Hexes, NationId, place};
use crate::rules::{Status, Weather};
use crate::state::{CivilWarState, Crossing, Mark, Owners, State};

/// A state being put together.
#[derive(Clone, Debug)]
pub struct Editor<'a> {
    game: &'a EuroFront,
    state: State,
}

impl<'a> Editor<'a> {
    /// Starts from the scenario's set-up; militia that is thrown for stands nowhere yet.
    pub fn new(game: &'a EuroFront) -> Self {
        Editor { game, state: game.position() }
    }
    /// Starts from a state.
    pub fn of(game: &'a EuroFront, state: State) -> Self {
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
    /// Takes every block off the map, out of the game; and all garrisons.
    pub fn clear(&mut self) -> &mut Self {
        for block in self.game.block_ids() {
            self.state.put(block, self.game.camp(block), place::OUT);
            self.state.steps[block] = 0;
        }
        self.state.marks = [Blocks::EMPTY; Mark::COUNT];
        if self.game.is_civil_war() {
            self.state.owners = Owners::NONE;
        }
        self.state.coalition_defends = Hexes::EMPTY;
        self.state.new_battles = Hexes::EMPTY;
        self
    }
    /// Puts a block into a hex with so many steps.
    pub fn place(&mut self, block: BlockId, at: Hex, steps: u8) -> &mut Self {
        self.state.put(block, self.game.camp(block), at);
        self.state.steps[block] = steps;
        self
    }
    /// Puts a block where it is not on the map: one of [`place`].
    pub fn remove(&mut self, block: BlockId, to: Hex) -> &mut Self {
        self.place(block, to, 0)
    }
    /// Puts a mark on a block or takes it off.
    pub fn mark(&mut self, block: BlockId, mark: Mark, on: bool) -> &mut Self {
        self.state.mark(block, mark, on);
        self
    }
    /// Says who is the original defender of a battle (7.12).
    pub fn defends(&mut self, at: Hex, camp: Camp) -> &mut Self {
        self.state.coalition_defends.set(at, camp == Camp::Coalition);
        self
    }
    /// Puts a garrison into a hex (1936 rule 2).
    pub fn garrison(&mut self, at: Hex, camp: Camp) -> &mut Self {
        let faction = if camp == Camp::Axis { Faction::Axis } else { Faction::Allies };
        self.state.owners.give(&Hexes::one(at), Some(faction));
        self.state.board_changes();
        self
    }
    /// Says who owns places: nobody, of neutral ones (8.34).
    pub fn owns(&mut self, places: &Hexes, faction: Option<Faction>) -> &mut Self {
        self.state.owners.give(places, faction);
        self.state.board_changes();
        self
    }
    /// Says where a nation stands (16.0); its land is owned accordingly, that of defeated nations stays as it is.
    pub fn relate(&mut self, nation: NationId, status: Status) -> &mut Self {
        self.state.diplomacy.status[nation] = status;
        let land = self.game.territory(&self.state, nation);
        match status {
            Status::Belligerent(faction) => self.owns(&land, Some(faction)),
            Status::Defeated => self,
            _ => self.owns(&land, None),
        }
    }
    /// The position with a side's diplomacy of a month beginning (4.12); nothing follows of itself.
    pub fn diplomacy_of<T: Context<Event>>(&mut self, faction: Faction, context: &mut T) -> State {
        self.state.board_changes();
        let game = self.game;
        game.begin_diplomacy(&mut self.state, context);
        if faction == Faction::Axis {
            game.turn_to_next_diplomat(&mut self.state, context);
        }
        self.state
    }
    /// The position with the politics of a faction beginning (4.37), up to a decision or the next player turn.
    pub fn politics_of<T: Context<Event>>(&mut self, faction: Faction, context: &mut T) -> State {
        self.state.board_changes();
        let order = self.state.order.iter().position(|&other| other == faction).unwrap_or(0);
        self.state.turn = order as u8;
        self.state.active = faction;
        let game = self.game;
        game.begin_politics(&mut self.state, context);
        self.state
    }
    /// Sets weather of the West and of the East Front.
    pub fn weather(&mut self, weather: [Weather; 2]) -> &mut Self {
        self.state.weather = weather;
        self
    }
    /// Sets the date: index into the calendar, and fortnight 1 or 2.
    pub fn date(&mut self, month: u8, fortnight: u8) -> &mut Self {
        self.state.month = month;
        self.state.fortnight = fortnight;
        self
    }
    /// Sets the points at hand of an account.
    pub fn account(&mut self, account: crate::ids::Account, points: i16) -> &mut Self {
        self.state.points[account.index()] = points;
        self
    }
    /// Sets the points at hand of a camp's home account.
    pub fn points(&mut self, camp: Camp, points: i16) -> &mut Self {
        self.state.points[camp.index()] = points;
        self
    }
    /// Puts a beachhead into a hex or box, disrupted or not (15.6).
    pub fn beachhead(&mut self, block: BlockId, at: Hex, disrupted: bool) -> &mut Self {
        self.game.put_beachhead(&mut self.state, block, at);
        self.game.disrupt_block(&mut self.state, block, disrupted);
        self
    }
    /// What only 1936 keeps.
    pub fn civil_war(&mut self) -> &mut CivilWarState {
        &mut self.state.civil_war
    }
    /// A block has entered its battle by this neighbouring hex, in the movement just made: for examples that begin with
    /// combat.
    pub fn entered_from(&mut self, block: BlockId, from: Hex) -> &mut Self {
        let at = self.state.at(block);
        if let Some(way) = self.game.board().direction(from, at) {
            self.state.crossing[block] = Crossing::new(from, way, at);
            self.state.mark(block, Mark::Entered, true);
            self.state.new_battles.insert(at);
            self.defends(at, self.game.camp(block).enemy());
        }
        self
    }

    /// The position with a faction's player turn beginning.
    pub fn turn_of<T: Context<Event>>(&mut self, faction: Faction, context: &mut T) -> State {
        self.state.board_changes();
        let game = self.game;
        let order = self.state.order.iter().position(|&other| other == faction).unwrap_or(0);
        self.state.turn = order as u8;
        game.begin_turn(&mut self.state, context);
        settle(game, &mut self.state, context);
        self.state
    }
    /// The position with the combat of a faction's player turn beginning.
    pub fn combat_of<T: Context<Event>>(&mut self, faction: Faction, context: &mut T) -> State {
        self.state.board_changes();
        let game = self.game;
        let order = self.state.order.iter().position(|&other| other == faction).unwrap_or(0);
        self.state.turn = order as u8;
        self.state.active = faction;
        game.open_combat(&mut self.state);
        settle(game, &mut self.state, context);
        self.state
    }
    /// The combat of a faction begins; nothing that follows of itself is done.
    pub fn combat_of_alone(&mut self, faction: Faction) -> State {
        self.state.board_changes();
        let order = self.state.order.iter().position(|&other| other == faction).unwrap_or(0);
        self.state.turn = order as u8;
        self.state.active = faction;
        self.game.open_combat(&mut self.state);
        self.state
    }
    /// The position with a month beginning: its production.
    pub fn production<T: Context<Event>>(&mut self, context: &mut T) -> State {
        self.state.board_changes();
        let game = self.game;
        game.begin_month(&mut self.state, context);
        settle(game, &mut self.state, context);
        self.state
    }
    /// The position with a fortnight beginning: its weather is rolled.
    pub fn fortnight<T: Context<Event>>(&mut self, context: &mut T) -> State {
        self.state.board_changes();
        self.game.begin_fortnight(&mut self.state, context);
        self.state
    }
    /// The position as it stands, control worked out; nothing begins.
    pub fn finish(&mut self) -> State {
        self.state.board_changes();
        self.game.update_control(&mut self.state);
        self.state
    }
}
