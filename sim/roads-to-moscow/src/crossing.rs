//! What a step from hex to hex costs or forbids (7.3, 8.2 to 8.4), and which sides bar whom.

use sandtable_core::{Board, Direction, Hex, Index};

use crate::game::RoadsToMoscow;
use crate::ids::{Hexes, Player, Units};
use crate::rules::{Water, Weather};
use crate::state::{State, is_hex};
use crate::tables::{BARRED, price_index};

/// Who moves, and how: what of a stack prices and bars depend on.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    /// Whose.
    pub player: Player,
    /// Pays motorised prices: any of its units is motorised (R13).
    pub motorised: bool,
    /// All red boxes: goes on after entering an enemy zone of control (8.22).
    pub red: bool,
    /// All may cross a river without a bridge (8.36c).
    pub crosses_river: bool,
    /// Whether there is a combat unit in it (8.15).
    pub combat: bool,
    /// Reaction Movement: no price for enemy zones, no river side at all (9.3, 9.37).
    pub reacting: bool,
    /// Has not moved in this phase: may spend its whole allowance (8.22, 8.36c).
    pub fresh: bool,
}

impl RoadsToMoscow {
    /// What of these units prices depend on.
    pub fn mover(&self, units: &Units, player: Player, reacting: bool, fresh: bool) -> Mover {
        let sets = self.sets();
        Mover {
            player,
            motorised: !units.difference(&sets.foot).is_empty(),
            red: units.difference(&sets.red).is_empty(),
            crosses_river: units.difference(&sets.crosses_river).is_empty(),
            combat: units.intersects(&sets.combat),
            reacting,
            fresh,
        }
    }

    /// Price of a step into the next hex in half points, all of `left` where the whole allowance goes; `None` where it is
    /// barred or too dear. The hex must be on the board.
    pub fn step_price(&self, state: &State, mover: Mover, from: Hex, way: Direction, left: u8) -> Option<u8> {
        let to = self.neighbour(from, way);
        debug_assert!(is_hex(to));
        let enemy = mover.player.enemy().index();
        if state.occupied[enemy].contains(to) || !mover.combat && self.bars_helpers(state, mover.player, to) {
            return None;
        }
        let side = self.side(from, way);
        if side.water == Water::River {
            if mover.reacting {
                return None;
            }
            if !side.bridge {
                // 8.36c, R20: the whole allowance is the entire price.
                return (mover.fresh && mover.crosses_river && left > 0).then_some(left);
            }
        }
        let chart = &self.rules.terrain;
        let rain = state.weather == Weather::Rain;
        let prices = &self.map().prices[price_index(mover.motorised, rain)][from.at()];
        let into_zone = state.zoc[enemy].contains(to);
        let mut path = prices.best[way as usize];
        let mut price = 0;
        if state.positions[enemy].contains(to) {
            path = self.price_into_position(mover, from, way, path, rain);
            price += chart.fortified_position;
        }
        if mover.player == Player::German && self.is_active_line(state, from, way) {
            price += chart.fort_line;
        }
        if into_zone && !mover.reacting {
            price += chart.zoc_entry;
            if state.zoc[enemy].contains(from) {
                // 8.22, 8.23: from zone to zone without the rate of a path; who has no red box spends all he has.
                path = prices.plain[way as usize];
                if !mover.red {
                    return (mover.fresh && path + price <= left).then_some(left);
                }
            }
        }
        price += path;
        (price <= left).then_some(price)
    }

    /// Hexes that a player's combat units enter at the price of the map, but for rivers and Fortified Lines on the way: no
    /// enemy combat unit in them, no zone of control, no Fortified Position of his.
    pub fn quiet_hexes(&self, state: &State, player: Player) -> Hexes {
        let enemy = player.enemy().index();
        let loud = state.occupied[enemy].or(&state.zoc[enemy]).or(&state.positions[enemy]);
        self.board().places().difference(&loud)
    }

    /// Price of a combat unit's step into a quiet hex, as [`RoadsToMoscow::step_price`] finds it by way of all rules; `None`
    /// where those must be asked.
    #[inline]
    pub fn quiet_price(&self, state: &State, mover: Mover, from: Hex, way: Direction) -> Option<u8> {
        let side = self.side(from, way);
        if side.water == Water::River || side.line_ahead && mover.player == Player::German {
            return None;
        }
        let rain = state.weather == Weather::Rain;
        Some(self.map().prices[price_index(mover.motorised, rain)][from.at()].best[way as usize])
    }

    /// 8.33: a track into a clear hex with an enemy Fortified Position costs as into other terrain.
    fn price_into_position(&self, mover: Mover, from: Hex, way: Direction, best: u8, rain: bool) -> u8 {
        let (side, to) = (self.side(from, way), self.neighbour(from, way));
        let by_track = side.paths.track && !side.paths.primary && !side.paths.secondary;
        if rain || !by_track || !self.map().clear.contains(to) {
            return best;
        }
        let plain = self.map().prices[price_index(mover.motorised, rain)][from.at()].plain[way as usize];
        plain.min(best - self.rules.terrain.track_clear + self.rules.terrain.track_other)
    }

    /// 8.15, 3.14g: leaders and fuel alone go next to no enemy combat unit unless a friendly one is there, and into no
    /// hex with an enemy leader or fuel.
    pub(crate) fn bars_helpers(&self, state: &State, player: Player, to: Hex) -> bool {
        let enemy = player.enemy();
        let beside_enemy = Direction::ALL.into_iter().any(|way| {
            let next = self.neighbour(to, way);
            is_hex(next) && state.occupied[enemy.index()].contains(next)
        });
        beside_enemy && !state.occupied[player.index()].contains(to)
            || state.stack(to).intersects(self.units_of(enemy))
    }

    /// What entering the map in a hex costs (5.22b, R70), an enemy zone or position in it included (R52); `None` if the
    /// enemy holds it.
    pub fn entry_price(&self, state: &State, mover: Mover, hex: Hex) -> Option<u8> {
        let enemy = mover.player.enemy().index();
        if state.occupied[enemy].contains(hex) || !mover.combat && self.bars_helpers(state, mover.player, hex)
        {
            return None;
        }
        let rain = state.weather == Weather::Rain;
        let price = self.map().entry_price[price_index(mover.motorised, rain)][hex.at()];
        debug_assert_ne!(price, BARRED, "the hex is on the board");
        let chart = &self.rules.terrain;
        let position = if state.positions[enemy].contains(hex) { chart.fortified_position } else { 0 };
        let zone = if state.zoc[enemy].contains(hex) { chart.zoc_entry } else { 0 };
        Some(price + position + zone)
    }

    /// Whether a side bars these units in attack, retreat and advance: a river without a bridge, unless all may cross it
    /// (8.36c, 9.15, 9.16).
    #[inline]
    pub fn is_barred(&self, units: &Units, from: Hex, way: Direction) -> bool {
        self.side(from, way).is_open_river() && !units.difference(&self.sets().crosses_river).is_empty()
    }

    /// Whether the defender is wholly behind active Fortified-Line sides of his own: all attackers attack across them
    /// (14.12c, R44, R72).
    pub fn is_behind_line(&self, state: &State, target: Hex, attackers: &Units) -> bool {
        self.map().beside_line.contains(target)
            && !attackers.is_empty()
            && attackers.iter().all(|unit| {
                self.player(unit) == Player::German
                    && self.board().direction(state.at(unit), target).is_some_and(|way| {
                        self.side(state.at(unit), way).line_ahead
                            && self.is_active_line(state, state.at(unit), way)
                    })
            })
    }
}
