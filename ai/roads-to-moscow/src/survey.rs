//! How a position looks to one player: where the enemy threatens, where own troops stand, which roads the enemy must take,
//! where supply would reach.

use sandtable_core::{Board, Direction, Hex, Index};
use sandtable_roads_to_moscow::ids::{Hexes, Units, place};
use sandtable_roads_to_moscow::rules::Weather;
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::tables::HEXES;
use sandtable_roads_to_moscow::{Mark, Player, RoadsToMoscow, State};

use super::map_tables::{AIMS, AROUND, FAR, MapTables, REACH};
use super::style::Style;

/// What of a unit's strength counts one, two and three hexes away.
const FALL: [f32; 3] = [1.0, 0.75, 0.4];
/// Columns of the enemy that are watched.
const SPEARS: usize = 6;
/// Hexes of a route.
const ROUTE: usize = 60;
/// Layers of nearness to the enemy.
pub(super) const NEAR: usize = 8;

/// The survey of a player.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    pub player: Player,
    /// Offence of the enemy that could fall on a hex.
    pub threat: Vec<f32>,
    /// Defence of own troops in a hex and around it.
    pub guard: Vec<f32>,
    /// Worth of standing in a hex in the enemy's way.
    pub block: Vec<f32>,
    /// Worth of each objective to be taken, in steps.
    pub pull: [f32; AIMS],
    /// Hexes where a motorised unit, and one on foot, would be supplied.
    pub supply: [Hexes; 2],
    /// Hexes at most so many away from an enemy combat unit.
    pub near: [Hexes; NEAR],
}

impl Survey {
    pub fn new() -> Survey {
        Survey {
            player: Player::German,
            threat: vec![0.0; HEXES],
            guard: vec![0.0; HEXES],
            block: vec![0.0; HEXES],
            pull: [0.0; AIMS],
            supply: [Hexes::EMPTY; 2],
            near: [Hexes::EMPTY; NEAR],
        }
    }

    /// Looks at a position.
    pub fn take(
        &mut self,
        game: &RoadsToMoscow,
        tables: &MapTables,
        state: &State,
        player: Player,
        style: &Style,
    ) {
        self.player = player;
        self.threat.fill(0.0);
        self.guard.fill(0.0);
        self.block.fill(0.0);
        let enemy = player.enemy();
        let mut near = state.occupied[enemy.index()];
        for layer in &mut self.near {
            *layer = near;
            near = near.or(&game.board().neighbours_of(&near));
        }
        for hex in state.occupied[enemy.index()] {
            let offence = offence(game, state, hex, enemy);
            spread(&mut self.threat, tables, hex, offence);
        }
        for hex in state.occupied[player.index()] {
            let units = game.combat_units(state, hex, player);
            let defence: u32 = units.iter().map(|unit| u32::from(game.defence(state, unit))).sum();
            spread(&mut self.guard, tables, hex, defence as f32);
        }
        for (aim, pull) in tables.aims.iter().zip(&mut self.pull) {
            let own = state.controller(aim.hex) == player;
            *pull = if own { 0.0 } else { aim.points };
        }
        self.watch(game, tables, state, style);
        self.supply = [false, true].map(|foot| supply(game, state, player, foot));
    }

    /// Traces where the enemy's columns will come from and weighs the hexes in their way.
    fn watch(&mut self, game: &RoadsToMoscow, tables: &MapTables, state: &State, style: &Style) {
        let (player, enemy) = (self.player, self.player.enemy());
        let mut left = state.occupied[enemy.index()];
        for _ in 0..SPEARS {
            let mut best: Option<(f32, Hex, usize)> = None;
            for hex in left {
                let strength = offence(game, state, hex, enemy);
                if strength < 2.0 {
                    continue;
                }
                for (at, aim) in tables.aims.iter().enumerate() {
                    let way = tables.ways[hex.at()][at];
                    if way >= FAR || state.controller(aim.hex) != player {
                        continue;
                    }
                    let value = aim.points * strength.min(12.0) / (8.0 + f32::from(way));
                    if best.is_none_or(|(known, ..)| value > known) {
                        best = Some((value, hex, at));
                    }
                }
            }
            let Some((_, spear, aim)) = best else { return };
            left = left.difference(&game.board().within(Hexes::one(spear), 2));
            self.trace(game, tables, spear, aim, style);
        }
    }

    /// The hexes from an enemy column to an objective.
    fn trace(
        &mut self,
        game: &RoadsToMoscow,
        tables: &MapTables,
        spear: Hex,
        aim: usize,
        style: &Style,
    ) {
        let value = style.block * (1.0 + 0.4 * tables.aims[aim].points * style.prize);
        let mut share = 1.0f32;
        let mut hex = spear;
        for step in 0..ROUTE {
            let next = Direction::ALL
                .into_iter()
                .map(|way| game.neighbour(hex, way))
                .filter(|&next| is_hex(next))
                .min_by_key(|next| tables.ways[next.at()][aim]);
            let Some(next) = next else { return };
            if tables.ways[next.at()][aim] >= tables.ways[hex.at()][aim] {
                return;
            }
            hex = next;
            if step > 4 {
                share *= 0.95;
            }
            let here = value * if hex == tables.aims[aim].hex { share.max(0.6) * 1.3 } else { share };
            let cell = &mut self.block[hex.at()];
            *cell = cell.max(here) + 0.15 * here.min(*cell);
            for &beside in &tables.around[hex.at()][..6] {
                if is_hex(beside) {
                    let cell = &mut self.block[beside.at()];
                    *cell = cell.max(0.45 * here);
                }
            }
        }
    }

    /// Troops of a defence stand in a hex for now: what is blocked already needs the less.
    pub fn fill(&mut self, tables: &MapTables, hex: Hex, defence: f32) {
        let needed = 2.0 + 0.4 * self.threat[hex.at()];
        let open = 1.0 / (1.0 + defence / needed);
        self.block[hex.at()] *= open;
        let beside = 1.0 / (1.0 + 0.7 * defence / needed);
        for &other in &tables.around[hex.at()][..6] {
            if is_hex(other) {
                self.block[other.at()] *= beside;
            }
        }
        for &other in &tables.around[hex.at()][6..18] {
            if is_hex(other) {
                self.block[other.at()] *= 0.5 + 0.5 * beside;
            }
        }
    }

    /// How far on a hex is: half points of way to the objectives to be taken, the nearer and the richer counting more.
    #[inline]
    pub fn progress(&self, tables: &MapTables, hex: Hex) -> f32 {
        let near = &tables.near[hex.at()];
        let sum: f32 = near.iter().zip(&self.pull).map(|(near, pull)| near * pull).sum();
        REACH * (sum + 1e-9).ln()
    }

    /// Whether a unit would be supplied in a hex.
    #[inline]
    pub fn supplies(&self, hex: Hex, foot: bool) -> bool {
        self.supply[usize::from(foot)].contains(hex)
    }

    /// Hexes to the nearest enemy, at most [`NEAR`].
    #[inline]
    pub fn enemy_distance(&self, hex: Hex) -> usize {
        self.near.iter().position(|layer| layer.contains(hex)).unwrap_or(NEAR)
    }
}

/// Offence of a side's units in a hex; guns with part of their support.
pub(super) fn offence(game: &RoadsToMoscow, state: &State, hex: Hex, player: Player) -> f32 {
    game.combat_units(state, hex, player)
        .iter()
        .map(|unit| {
            let guns = 0.4 * f32::from(game.unit(unit).support);
            let part = if state.has(unit, Mark::Unsupplied) { 0.5 } else { 1.0 };
            part * f32::from(game.offence(state, unit)) + guns
        })
        .sum()
}

fn spread(map: &mut [f32], tables: &MapTables, hex: Hex, strength: f32) {
    map[hex.at()] += strength;
    let around: &[Hex; AROUND] = &tables.around[hex.at()];
    for (ring, fall) in [0..6, 6..18, 18..36].into_iter().zip(FALL) {
        for &other in &around[ring] {
            if other != place::OUT {
                map[other.at()] += fall * strength;
            }
        }
    }
}

/// Hexes where a unit would be supplied if own troops went there: as the rules trace it, but that ground which the enemy
/// merely controls is open, for whoever goes there takes it on the way.
fn supply(game: &RoadsToMoscow, state: &State, player: Player, foot: bool) -> Hexes {
    let (map, board) = (game.map(), game.board());
    let enemy = player.enemy().index();
    let open = board
        .places()
        .difference(&state.zoc[enemy])
        .or(&state.occupied[player.index()])
        .difference(&state.occupied[enemy])
        .difference(&state.positions[enemy]);
    let roads = if foot { &map.roads_and_tracks } else { &map.roads };
    let sources = map.sources[player.index()].and(&open);
    let network = board.fill_across(sources, &open, roads);
    let numbers = &game.rules.numbers;
    let line = if state.weather == Weather::Rain { numbers.supply_line_short } else { numbers.supply_line };
    let reached = board.within_across(network, u32::from(line) - 1, &open, &map.passable);
    reached.or(&board.across(&reached, &map.passable)).difference(&state.occupied[enemy])
}

/// Combat units of a set.
pub(super) fn fighters(game: &RoadsToMoscow, units: &Units) -> Units {
    units.and(&game.sets().combat)
}
