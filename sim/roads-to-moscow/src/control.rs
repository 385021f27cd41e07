//! Who stands where: places, zones of control (3.2), control of hexes (3.12), stacking (3.3), protected entry hexes (5.21).
//!
//! Every change of place goes through [`RoadsToMoscow::put`], [`RoadsToMoscow::put_all`] or [`RoadsToMoscow::take_off`]:
//! they keep what is derived.

use sandtable_core::{Board, Direction, Hex, Index};

use crate::Rolls;
use crate::event::{Cause, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{COLUMNS, Hexes, Player, UnitId, Units, place};
use crate::state::{Mark, State, is_hex};

impl RoadsToMoscow {
    // ---- changes of place ----

    /// Puts a unit into a hex: moved, entered, retreated or advanced. Enemy leaders and fuel there are lost to a combat
    /// unit (3.14g, R40, R68). Its own digging ends (14.33).
    pub(crate) fn put(&self, state: &mut State, unit: UnitId, to: Hex, context: &mut impl Rolls) {
        self.put_all(state, &Units::one(unit), to, context);
    }

    /// The same with a stack, all of one player and from one place.
    pub(crate) fn put_all(&self, state: &mut State, units: &Units, to: Hex, context: &mut impl Rolls) {
        let Some(first) = units.first() else { return };
        let from = state.at(first);
        for unit in units {
            state.places.put(unit, to);
        }
        state.on_map = state.on_map.or(units);
        let digging = &mut state.marks[Mark::Digging as usize];
        *digging = digging.difference(units);
        if units.intersects(&self.sets().combat) {
            let enemy = self.player(first).enemy();
            let helpless = state.stack(to).and(self.units_of(enemy)).difference(&self.sets().combat);
            for unit in helpless {
                self.eliminate(state, unit, Cause::Entered, context);
            }
        }
        if is_hex(from) {
            self.refresh(state, from, context);
        } else {
            self.refresh_entries(state);
        }
        self.refresh(state, to, context);
    }

    /// Takes a unit off its hex to one of [`place`].
    pub(crate) fn take_off(&self, state: &mut State, unit: UnitId, to: Hex, context: &mut impl Rolls) {
        let from = state.at(unit);
        state.places.put(unit, to);
        state.on_map.remove(unit);
        for marks in &mut state.marks {
            marks.remove(unit);
        }
        if is_hex(from) {
            self.refresh(state, from, context);
        } else {
            self.refresh_entries(state);
        }
    }

    /// Works out anew who occupies a hex, and the zones (3.2) and the control (3.12) of it and of those around, a column of
    /// hexes at a time.
    fn refresh(&self, state: &mut State, hex: Hex, context: &mut impl Rolls) {
        self.refresh_occupation(state, hex);
        let column = hex.line() as usize;
        for line in column.saturating_sub(1)..(column + 2).min(COLUMNS) {
            let near = self.board().places().0[line] & around(hex, line);
            self.refresh_zones(state, line, near);
            self.refresh_control(state, line, near, context);
        }
    }

    fn refresh_occupation(&self, state: &mut State, hex: Hex) {
        let stack = state.stack(hex).and(&self.sets().combat);
        for player in Player::ALL {
            let own = stack.and(self.units_of(player));
            state.occupied[player.index()].set(hex, !own.is_empty());
            state.projecting[player.index()].set(hex, own.intersects(&self.sets().full_zoc));
        }
    }

    /// The zones of both players in some hexes of a column.
    fn refresh_zones(&self, state: &mut State, line: usize, near: u64) {
        for player in Player::ALL {
            let at = player.index();
            let projecting = &state.projecting[at].0;
            let own = projecting[line];
            let beside = |line: usize| {
                if ahead(line) {
                    projecting[line] | projecting[line] << 1
                } else {
                    projecting[line] | projecting[line] >> 1
                }
            };
            let mut zone = state.occupied[at].0[line] | own << 1 | own >> 1;
            if line > 0 {
                zone |= beside(line - 1);
            }
            if line + 1 < COLUMNS {
                zone |= beside(line + 1);
            }
            zone &= near;
            // Rivers: who projects across them is looked at one by one.
            let mut doubtful = zone & !state.occupied[at].0[line] & self.map().beside_river.0[line];
            while doubtful != 0 {
                let hex = Hex::new(line as u8, doubtful.trailing_zeros() as u8);
                if !self.is_projected_into(state, hex, player) {
                    zone &= !(1 << hex.place());
                }
                doubtful &= doubtful - 1;
            }
            let old = state.zoc[at].0[line];
            state.zoc[at].0[line] = old & !near | zone;
        }
    }

    /// 3.12: occupied, or in the zone of one side alone, changes hands; a contested hex keeps its last controller (R12).
    fn refresh_control(&self, state: &mut State, line: usize, near: u64, context: &mut impl Rolls) {
        let [german, soviet] = [0, 1].map(|at| state.zoc[at].0[line]);
        let [by_german, by_soviet] = [0, 1].map(|at| state.occupied[at].0[line]);
        let before = state.german.0[line];
        let after = (before | german & !soviet) & !(soviet & !german) & !by_soviet | by_german;
        let mut changed = (before ^ after) & near;
        state.german.0[line] = before ^ changed;
        while changed != 0 {
            let at = Hex::new(line as u8, changed.trailing_zeros() as u8);
            let by = if after >> at.place() & 1 != 0 { Player::German } else { Player::Soviet };
            context.emit(|| Event::Controlled { at, by });
            changed &= changed - 1;
        }
    }

    /// Whether units of a player in another hex project their zone of control into a hex (3.2).
    pub fn is_projected_into(&self, state: &State, hex: Hex, player: Player) -> bool {
        let projecting = &state.projecting[player.index()];
        let by_river = self.map().beside_river.contains(hex);
        Direction::ALL.into_iter().any(|way| {
            let from = self.neighbour(hex, way);
            is_hex(from)
                && projecting.contains(from)
                && (!by_river || self.projects_across(state, from, way.opposite(), player))
        })
    }

    /// Whether a hex whose units project does so across this side: vehicles, AT and AA not over a river without a
    /// bridge (3.26); one full-zone unit that may is enough (R63).
    fn projects_across(&self, state: &State, from: Hex, way: Direction, player: Player) -> bool {
        !self.side(from, way).is_open_river()
            || state.stack(from).and(self.units_of(player)).intersects(&self.sets().river_zoc)
    }

    /// Works out everything that is derived from the places of the units; control stays.
    pub(crate) fn derive_places(&self, state: &mut State) {
        state.on_map = self.unit_ids().filter(|&unit| is_hex(state.at(unit))).collect();
        state.occupied = [Hexes::EMPTY; 2];
        state.projecting = [Hexes::EMPTY; 2];
        state.zoc = [Hexes::EMPTY; 2];
        for unit in state.on_map {
            self.refresh_occupation(state, state.at(unit));
        }
        for line in 0..COLUMNS {
            self.refresh_zones(state, line, self.board().places().0[line]);
        }
        self.refresh_entries(state);
    }

    /// Works out control from occupation and zones, for a position put together by hand.
    pub(crate) fn derive_control(&self, state: &mut State) {
        let mut silent = sandtable_core::PlayContext::silent(NoDice);
        for line in 0..COLUMNS {
            self.refresh_control(state, line, self.board().places().0[line], &mut silent);
        }
    }

    // ---- zones of control ----

    /// Whether a hex lies in a zone of control of a player's units (3.2).
    #[inline]
    pub fn in_zoc(&self, state: &State, hex: Hex, of: Player) -> bool {
        state.zoc[of.index()].contains(hex)
    }

    /// The hexes from which a player's units project into a hex, itself not counted.
    pub fn projecting_into(&self, state: &State, hex: Hex, player: Player) -> impl Iterator<Item = Hex> {
        Direction::ALL.into_iter().filter_map(move |way| {
            let from = self.neighbour(hex, way);
            let projects = is_hex(from)
                && state.projecting[player.index()].contains(from)
                && self.projects_across(state, from, way.opposite(), player);
            projects.then_some(from)
        })
    }

    // ---- stacking ----

    /// Stacking points of units.
    #[inline]
    pub fn stacking(&self, units: &Units) -> u8 {
        units.iter().map(|unit| self.brief(unit).stacking).sum()
    }

    /// Whether a player's units may end a phase together with what stands in a hex: stacking (3.32), protected entry
    /// hexes (5.21).
    pub fn may_end_in(&self, state: &State, units: &Units, hex: Hex, player: Player) -> bool {
        if self.is_protected(state, hex, player) {
            return false;
        }
        // Leaders and fuel take no room.
        let there = if state.occupied[player.index()].contains(hex) {
            state.stack(hex).and(self.units_of(player)).or(units)
        } else {
            *units
        };
        self.stacking(&there) <= self.rules.numbers.stacking
    }

    /// Whether a hex is an enemy entry hex in which a player's units may not end their phase (5.21, R92; 19.44g).
    #[inline]
    pub fn is_protected(&self, state: &State, hex: Hex, player: Player) -> bool {
        self.map().entry_hexes.contains(hex)
            && self.map().entries.iter().position(|&entry| entry == hex).is_some_and(|number| {
                state.closed_entries[player.index()] >> number & 1 != 0
                    && !self.rules.scenario.waived_entries.contains(&hex)
            })
    }

    /// Works out which entry hexes are protected against whom: those of enemy reinforcements that have still to come.
    fn refresh_entries(&self, state: &mut State) {
        state.closed_entries = [0; 2];
        let waiting = state.places.at(place::AWAITING).difference(&self.sets().fuel);
        for player in Player::ALL {
            for unit in waiting.and(self.units_of(player.enemy())) {
                state.closed_entries[player.index()] |= self.sets().entries[unit.at()];
            }
        }
    }

    /// All hexes next to one of these.
    pub(crate) fn around(&self, hexes: &Hexes) -> Hexes {
        self.board().neighbours_of(hexes)
    }
}

/// Whether a column stands half a hex farther from row 01 than its neighbours: those of odd number, lines of even.
const fn ahead(line: usize) -> bool {
    line.is_multiple_of(2)
}

/// The hexes of a line that are a hex or touch it, a bit each.
const fn around(hex: Hex, line: usize) -> u64 {
    let one = 1u64 << hex.place();
    if hex.line() as usize == line {
        one | one << 1 | one >> 1
    } else if ahead(hex.line() as usize) {
        one | one << 1
    } else {
        one | one >> 1
    }
}

/// Dice for what needs none.
struct NoDice;

impl sandtable_core::Dice for NoDice {
    fn below(&mut self, _n: u32) -> u32 {
        0
    }
}
