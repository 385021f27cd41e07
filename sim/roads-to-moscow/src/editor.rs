//! Positions put together by hand: worked examples, tests, odds of a combat described in words.

use sandtable_core::phases::settle;
use sandtable_core::{Context, Hex, Index};

use crate::event::{Event, SupplyStatus};
use crate::game::RoadsToMoscow;
use crate::ids::{AirId, FormationId, Player, UnitId, hex, place};
use crate::phase::{Phase, Sequence};
use crate::rules::Weather;
use crate::state::{Mark, State};

/// Where an activation marker may be put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lies {
    /// With the player, to be put into the cup.
    Available,
    /// In the cup.
    Cup,
    /// Kept out of the Second Player's cup.
    LeftOut,
    /// Played this turn.
    Played,
    /// Drawn, in the hand of the active player.
    Drawn,
    /// In the activation pool.
    Pool,
}

/// A state being put together. Whatever is set stays as set; [`Editor::finish`] works out what follows from it.
#[derive(Clone, Debug)]
pub struct Editor<'a> {
    game: &'a RoadsToMoscow,
    state: State,
    keep_control: bool,
}

impl<'a> Editor<'a> {
    /// Starts from the scenario's set-up, before anything has been decided.
    pub fn new(game: &'a RoadsToMoscow) -> Self {
        Editor { game, state: game.position(), keep_control: false }
    }
    /// Starts from a state.
    pub fn of(game: &'a RoadsToMoscow, state: State) -> Self {
        Editor { game, state, keep_control: true }
    }
    /// The state as it is.
    pub fn state(&self) -> &State {
        &self.state
    }
    /// The state itself, for what has no method of its own.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }
    /// Takes every unit out: from the map, and those that wait off it.
    pub fn clear(&mut self) -> &mut Self {
        for unit in self.game.unit_ids() {
            self.state.places.put(unit, place::OUT);
        }
        for marks in &mut self.state.marks {
            *marks = crate::ids::Units::EMPTY;
        }
        self
    }
    /// Puts a unit into the hex with a printed number.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn place(&mut self, unit: &str, number: u16) -> &mut Self {
        let unit = self.unit(unit);
        self.place_at(unit, hex(number))
    }
    /// The same by index; also to one of [`place`].
    pub fn place_at(&mut self, unit: UnitId, at: Hex) -> &mut Self {
        self.state.places.put(unit, at);
        self
    }
    /// Lets a unit wait off the map (5.2).
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn awaiting(&mut self, unit: &str) -> &mut Self {
        let unit = self.unit(unit);
        self.place_at(unit, place::AWAITING)
    }
    /// Eliminates a unit, without points for it.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn eliminated(&mut self, unit: &str) -> &mut Self {
        let unit = self.unit(unit);
        self.place_at(unit, place::ELIMINATED)
    }
    /// Puts a mark on a unit, or takes it off.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn mark(&mut self, unit: &str, mark: Mark, on: bool) -> &mut Self {
        let unit = self.unit(unit);
        self.state.marks[mark as usize].set(unit, on);
        self
    }
    /// Sets a unit's supply (6.12).
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn supply(&mut self, unit: &str, status: SupplyStatus) -> &mut Self {
        self.mark(unit, Mark::Emergency, status == SupplyStatus::Emergency).mark(
            unit,
            Mark::Unsupplied,
            status == SupplyStatus::Unsupplied,
        )
    }
    /// Gives the hex with a printed number to a player.
    pub fn control(&mut self, number: u16, player: Player) -> &mut Self {
        self.state.german.set(hex(number), player == Player::German);
        self
    }
    /// Gives all hexes to a player, those held or in a zone of the other's alone excepted.
    pub fn control_all(&mut self, player: Player) -> &mut Self {
        self.state.german = match player {
            Player::German => *sandtable_core::Board::places(self.game.board()),
            Player::Soviet => crate::ids::Hexes::EMPTY,
        };
        self
    }
    /// Puts a completed Fortified Position into a hex, or takes it away.
    pub fn position(&mut self, number: u16, player: Player, there: bool) -> &mut Self {
        self.state.positions[player.index()].set(hex(number), there);
        self
    }
    /// Destroys the Fortified Line of a hex (14.36).
    ///
    /// # Panics
    /// If the hex has none.
    pub fn destroy_line(&mut self, number: u16) -> &mut Self {
        let line = self.game.active_line_of(&self.state, hex(number)).expect("a Fortified Line");
        self.state.lines_destroyed |= 1 << line;
        self
    }
    /// Sets a No-Retreat marker (9.45).
    pub fn no_retreat(&mut self, number: u16, there: bool) -> &mut Self {
        self.state.no_retreat.set(hex(number), there);
        self
    }
    /// Sets the turn, from 1.
    pub fn turn(&mut self, turn: u8) -> &mut Self {
        self.state.turn = turn;
        self
    }
    /// Sets the weather of the turn.
    pub fn weather(&mut self, weather: Weather) -> &mut Self {
        self.state.weather = weather;
        self
    }
    /// Sets who is First Player (7.13).
    pub fn first(&mut self, player: Player) -> &mut Self {
        self.state.first = player;
        self
    }
    /// Puts an air unit into the Ready or the Flown box, or takes it away.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn air(&mut self, unit: &str, ready: bool, flown: bool) -> &mut Self {
        let unit: AirId =
            self.game.rules.air_unit(unit).unwrap_or_else(|| panic!("there is no air unit {unit}"));
        self.state.ready.set(unit, ready);
        self.state.flown.set(unit, flown);
        self
    }
    /// All markers of the scenario come into play up to the turn set, and lie with the players.
    pub fn markers_of_turn(&mut self) -> &mut Self {
        for (at, marker) in self.game.rules.markers.iter().enumerate() {
            let due = (1..=self.state.turn).contains(&marker.turn);
            self.state.in_play.set(crate::ids::Marker::nth(at), due);
        }
        self
    }
    /// Begins an Operations Sequence of formations as if their markers had been played, without fuel or Army units, at the
    /// Movement Phase.
    ///
    /// # Panics
    /// If there is no such formation.
    pub fn activate(&mut self, formations: &[&str], sequence: Sequence) -> &mut Self {
        let ids = formations.iter().map(|id| self.formation(id)).collect::<Vec<_>>();
        let state = &mut self.state;
        state.sequence = sequence;
        state.formations = ids.iter().copied().collect();
        for &formation in &ids {
            let player = self.game.rules.formations[formation.at()].player;
            (state.active, state.decider) = (player, player);
            for unit in *self.game.units_in(formation) {
                state.mark(unit, Mark::Active);
            }
        }
        state.phase = Phase::Movement;
        self
    }
    /// Puts the first marker of a formation that lies nowhere yet into a box; each is in play thereby.
    ///
    /// # Panics
    /// If the formation has no marker left.
    pub fn marker(&mut self, formation: &str, lies: Lies) -> &mut Self {
        let formation = self.formation(formation);
        let state = &mut self.state;
        let placed =
            state.pool.iter().flatten().chain(&state.drawn).copied().collect::<crate::ids::Markers>();
        let placed = placed.or(&state.cup).or(&state.left_out).or(&state.played);
        let free = self.game.marker_sets().of_formation[formation.at()].difference(&placed);
        let marker = free.first().expect("a marker that lies nowhere yet");
        let player = self.game.rules.formations[formation.at()].player;
        state.in_play.insert(marker);
        match lies {
            Lies::Available => {}
            Lies::Cup => state.cup.insert(marker),
            Lies::LeftOut => state.left_out.insert(marker),
            Lies::Played => state.played.insert(marker),
            Lies::Drawn => state.drawn = Some(marker),
            Lies::Pool => state.pool[player.index()] = Some(marker),
        }
        self
    }
    /// Takes all markers out of the game.
    pub fn no_markers(&mut self) -> &mut Self {
        let (state, none) = (&mut self.state, crate::ids::Markers::EMPTY);
        (state.in_play, state.cup, state.left_out, state.played) = (none, none, none, none);
        (state.drawn, state.pool) = (None, [None; 2]);
        self
    }
    /// Puts a formation into Reserve until a turn (5.3).
    ///
    /// # Panics
    /// If there is no such formation.
    pub fn reserve(&mut self, formation: &str, until: u8) -> &mut Self {
        let formation = self.formation(formation);
        self.state.reserve.insert(formation);
        self.state.reserve_until[formation.at()] = until;
        self
    }
    /// Sets the initiative modifiers collected, German and Soviet (7.12).
    pub fn initiative(&mut self, collected: [u8; 2]) -> &mut Self {
        self.state.initiative = collected;
        self
    }
    /// Sets victory points for units and groups, German and Soviet.
    pub fn points(&mut self, points: [i16; 2]) -> &mut Self {
        self.state.points = points;
        self
    }
    /// Lets a unit be active in the sequence: an activated Army unit, a leader, fuel (7.47).
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn active(&mut self, unit: &str) -> &mut Self {
        self.mark(unit, Mark::Active, true)
    }
    /// Declares an attack (9.1) in the sequence that has been set.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn attack(&mut self, target: u16, attackers: &[&str], crt: crate::rules::Crt) -> &mut Self {
        let attackers = attackers.iter().map(|id| self.unit(id)).collect::<crate::ids::Units>();
        for unit in attackers {
            self.state.mark(unit, Mark::Attacking);
        }
        let state = &mut self.state;
        state.attacks[state.attack_count as usize] = crate::state::Attack {
            target: hex(target),
            attackers,
            crt,
            stage: crate::state::Stage::Declared,
            ..crate::state::Attack::NONE
        };
        state.attack_count += 1;
        self
    }
    /// Begins a phase with all that belongs to it, and plays on to its first decision. `player` decides in it, or whose
    /// sequence it is.
    pub fn begin<T: Context<Event>>(&mut self, phase: Phase, player: Player, context: &mut T) -> State {
        let mut state = self.start(phase, player, context);
        settle(self.game, &mut state, context);
        state
    }
    /// The same without what is forced in it.
    pub fn start<T: Context<Event>>(&mut self, phase: Phase, player: Player, context: &mut T) -> State {
        let mut state = self.finish();
        let game = self.game;
        match phase {
            Phase::FillingCup => game.fill_cups(&mut state, context),
            Phase::Marker if state.drawn.is_none() && !state.opening => {
                game.begin_operations_sequence(&mut state, player, context);
            }
            Phase::Fuel => game.begin_fuel(&mut state),
            Phase::ArmyUnits => game.begin_army_units(&mut state),
            Phase::Engineering => game.begin_digging(&mut state),
            Phase::Movement => game.begin_movement(&mut state),
            Phase::Declaring => game.begin_declaring(&mut state),
            Phase::Refusal => game.begin_refusal(&mut state),
            Phase::Reaction => game.begin_reaction(&mut state),
            Phase::NoRetreat => game.begin_no_retreat(&mut state),
            Phase::Combat => game.begin_combat_phase(&mut state),
            Phase::Recovery => game.begin_reorganisation(&mut state, context),
            _ => {
                (state.phase, state.decider) = (phase, player);
                if (Phase::Marker..=Phase::Formation).contains(&phase) {
                    state.active = player;
                }
                if let (Phase::CombinePoints, Some(marker)) = (phase, state.drawn) {
                    game.reveal(&mut state, game.formation_of(marker), true);
                }
            }
        }
        state
    }
    /// Sets a phase and who decides.
    pub fn phase(&mut self, phase: Phase, decider: Player) -> &mut Self {
        (self.state.phase, self.state.decider) = (phase, decider);
        self
    }
    /// Begins the turn anew and plays on to the first decision.
    pub fn begin_turn<T: Context<Event>>(&mut self, context: &mut T) -> State {
        let mut state = self.start_turn(context);
        settle(self.game, &mut state, context);
        state
    }
    /// Begins the turn anew, without what is forced in it.
    pub fn start_turn<T: Context<Event>>(&mut self, context: &mut T) -> State {
        let mut state = self.finish();
        self.game.begin_turn(&mut state, context);
        state
    }
    /// Judges supply as in the Supply Phase (A4).
    pub fn judge_supply<T: Context<Event>>(&mut self, context: &mut T) -> &mut Self {
        self.finish();
        self.game.judge_supply(&mut self.state, context);
        self
    }
    /// Plays the Reorganisation Segment up to its first decision or the next turn's.
    pub fn reorganise<T: Context<Event>>(&mut self, context: &mut T) -> State {
        let mut state = self.finish();
        self.game.begin_reorganisation(&mut state, context);
        settle(self.game, &mut state, context);
        state
    }
    /// Judges victory at the end of the turn (C3).
    pub fn end_turn<T: Context<Event>>(&mut self, context: &mut T) -> State {
        let mut state = self.finish();
        self.game.end_turn(&mut state, context);
        settle(self.game, &mut state, context);
        state
    }
    /// Rolls initiative and fills the cups (A5), up to the first decision.
    pub fn roll_initiative<T: Context<Event>>(&mut self, context: &mut T) -> State {
        let mut state = self.finish();
        self.game.roll_initiative(&mut state, context);
        settle(self.game, &mut state, context);
        state
    }
    /// Plays on to the next decision.
    pub fn settle<T: Context<Event>>(&mut self, context: &mut T) -> State {
        let mut state = self.finish();
        settle(self.game, &mut state, context);
        state
    }
    /// The state, with everything derived worked out; control too, unless it began from a state.
    pub fn finish(&mut self) -> State {
        self.game.derive_places(&mut self.state);
        if !self.keep_control {
            self.game.derive_control(&mut self.state);
        }
        self.state
    }

    fn unit(&self, id: &str) -> UnitId {
        self.game.rules.unit(id).unwrap_or_else(|| panic!("there is no unit {id}"))
    }
    fn formation(&self, id: &str) -> FormationId {
        self.game.rules.formation(id).unwrap_or_else(|| panic!("there is no formation {id}"))
    }
}
