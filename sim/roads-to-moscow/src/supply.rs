//! Supply (6): who traces a Supply Route, and what comes of it.

use sandtable_core::hex::Hexsides;
use sandtable_core::{Board, Hex, Index};

use crate::Rolls;
use crate::event::{Event, SupplyStatus};
use crate::game::RoadsToMoscow;
use crate::ids::{COLUMNS, Hexes, Player, UnitId};
use crate::rules::Weather;
use crate::state::{Mark, State};

impl RoadsToMoscow {
    /// Hexes that a player's Supply Route may use (6.2, 6.24, R53): free of enemy combat units, and held by a friendly
    /// combat unit or neither enemy-controlled nor in an enemy zone of control; no completed enemy Fortified Position.
    pub fn open_to_supply(&self, state: &State, player: Player) -> Hexes {
        let enemy = player.enemy();
        let own = match player {
            Player::German => state.german,
            Player::Soviet => self.board().places().difference(&state.german),
        };
        own.difference(&state.zoc[enemy.index()])
            .or(&state.occupied[player.index()])
            .difference(&state.occupied[enemy.index()])
            .difference(&state.positions[enemy.index()])
    }

    /// Sides that a player's Supply Line may cross: no unbridged water, no active enemy Fortified Line (6.21, R72).
    pub fn supply_sides(&self, state: &State, player: Player) -> Hexsides<COLUMNS> {
        let map = self.map();
        if player == Player::Soviet || map.lines.is_empty() {
            return map.passable;
        }
        let mut closed = Hexsides::default();
        for (number, (_, sides)) in map.lines.iter().enumerate() {
            if state.lines_destroyed >> number & 1 == 0 {
                for &(hex, way) in sides {
                    closed.insert_one_way(hex, way);
                }
            }
        }
        map.passable.difference(&closed)
    }

    /// The hexes from which a route leads to a player's live sources: on foot (tracks count) or motorised (6.2).
    pub fn supplied_hexes(&self, state: &State, player: Player, foot: bool) -> Hexes {
        self.hexes_supplied_from(state, player, foot, &self.map().sources[player.index()])
    }

    /// The same to these hexes in place of the sources (R67). A source that the enemy holds is none (6.32, R54).
    pub fn hexes_supplied_from(&self, state: &State, player: Player, foot: bool, sources: &Hexes) -> Hexes {
        let (map, board) = (self.map(), self.board());
        let open = self.open_to_supply(state, player);
        let sides = self.supply_sides(state, player);
        let roads = if foot { &map.roads_and_tracks } else { &map.roads }.and(&sides);
        let network = board.fill_across(sources.and(&open), &open, &roads);
        // The unit's own hex is not part of the line: the last step may lead into a hex that is not open.
        let enemy = &state.occupied[player.enemy().index()];
        let lines = |network: Hexes, open: &Hexes, hexes: u8| {
            let reached = board.within_across(network, u32::from(hexes) - 1, open, &sides);
            reached.or(&board.across(&reached, &sides).difference(enemy))
        };
        let numbers = &self.rules.numbers;
        let short = lines(network, &open, numbers.supply_line_short);
        if state.weather == Weather::Rain {
            return short;
        }
        // R51: the long line has no Swamp in it, its end included.
        let long = lines(network.difference(&map.swamp), &open.difference(&map.swamp), numbers.supply_line);
        short.or(&long)
    }

    /// A4: judges every unit (6.12), Fortified Position (14.32) and Fortified Line (14.36).
    pub(crate) fn judge_supply(&self, state: &mut State, context: &mut impl Rolls) {
        let sets = self.sets();
        for player in Player::ALL {
            let motorised = self.supplied_hexes(state, player, false);
            let foot = self.supplied_hexes(state, player, true);
            for unit in state.on_map.and(self.units_of(player)).and(&sets.combat) {
                let area = if sets.foot.contains(unit) { &foot } else { &motorised };
                self.judge_unit(state, unit, area.contains(state.at(unit)), context);
            }
            // Off-map units are supplied (6.15): they bear no marker, for none enters again.
            let own = |state: &State, hex: Hex| state.controller(hex) == player && foot.contains(hex);
            for hex in state.positions[player.index()].difference(&state.occupied[player.index()]) {
                if !own(state, hex) {
                    self.remove_position(state, player, hex, context);
                }
            }
            if player == Player::Soviet {
                for (number, &(hex, _)) in self.map().lines.iter().enumerate() {
                    if state.lines_destroyed >> number & 1 == 0 && !own(state, hex) {
                        state.lines_destroyed |= 1 << number;
                        context.emit(|| Event::LineDestroyed { at: hex });
                    }
                }
            }
        }
    }

    /// 6.12: supplied; else Emergency at first, which but keeps artillery from recovering (R4), and Unsupplied from the
    /// second time on. Who can trace is supplied, without a choice (R9).
    fn judge_unit(&self, state: &mut State, unit: UnitId, traced: bool, context: &mut impl Rolls) {
        let before = state.supply(unit);
        let status = match before {
            _ if traced => SupplyStatus::Supplied,
            SupplyStatus::Supplied => SupplyStatus::Emergency,
            SupplyStatus::Emergency | SupplyStatus::Unsupplied => SupplyStatus::Unsupplied,
        };
        if status != before {
            state.marks[Mark::Emergency as usize].set(unit, status == SupplyStatus::Emergency);
            state.marks[Mark::Unsupplied as usize].set(unit, status == SupplyStatus::Unsupplied);
            context.emit(|| Event::Supply { unit, status });
        }
    }

    /// Takes a completed Fortified Position off the map.
    pub(crate) fn remove_position(
        &self,
        state: &mut State,
        player: Player,
        hex: Hex,
        context: &mut impl Rolls,
    ) {
        state.positions[player.index()].remove(hex);
        context.emit(|| Event::PositionGone { player, at: hex });
    }

    /// The number of a hex's Fortified Line, if it has one that is not destroyed.
    pub(crate) fn active_line_of(&self, state: &State, hex: Hex) -> Option<u8> {
        let number = self.map().line_of[hex.at()];
        (number != crate::tables::NO_LINE && state.lines_destroyed >> number & 1 == 0).then_some(number)
    }
}
