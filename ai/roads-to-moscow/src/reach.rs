//! Where the units of a sequence could get to: one search for each group of units that move alike.
//!
//! Own moves change no enemy zone of control, so what has been found holds, but for stacking, until an enemy moves or is
//! driven off: searches go as far as the fastest of their kind goes, and are kept.

use sandtable_core::{Hex, Index};
use sandtable_roads_to_moscow::crossing::Mover;
use sandtable_roads_to_moscow::ids::{Hexes, Units, place};
use sandtable_roads_to_moscow::rules::Weather;
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::tables::{HEXES, WAYS};
use sandtable_roads_to_moscow::{Mark, Player, RoadsToMoscow, State, UnitId};

use super::map_tables::MapTables;

/// Not reached.
const NEVER: u8 = u8::MAX;
/// Added to the least allowance for a hex that is reached by spending the whole of it (8.22, 8.36c).
const WHOLE: u8 = 1 << 7;
/// Most groups of a sequence.
pub(super) const GROUPS: usize = 40;
/// Groups whose searches are kept.
const KEPT: usize = 64;
/// No hex before this one: where the group began, or where it enters.
const START: u8 = u8::MAX;
/// Half points that anybody could have.
const MOST: usize = 24;
/// Most hexes of a path.
pub(super) const PATH: usize = MOST + 2;

/// Units that stand together and move alike.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Where they stand; [`place::AWAITING`] off the map.
    pub from: Hex,
    /// The units, not all with the same allowance.
    pub units: Units,
    /// Half points to each hex, [`NEVER`] or [`WHOLE`].
    cost: Vec<u8>,
    /// The way by which each hex was entered, as an index into [`WAYS`]; [`START`].
    back: Vec<u8>,
    /// The hexes reached, cheapest first.
    pub hexes: Vec<Hex>,
    class: u8,
    entries: u32,
    /// Own troops when it was searched: leaders and fuel go beside the enemy only to them (8.15).
    own: Hexes,
}

/// What bars and prices depend on, for whoever of a player's units moves.
#[derive(Clone, PartialEq, Debug)]
struct Ground {
    player: Player,
    weather: Weather,
    enemies: Hexes,
    /// Hexes of enemy leaders and fuel: own ones go into none of them (3.14g).
    helpers: Hexes,
    zoc: Hexes,
    positions: Hexes,
    lines_destroyed: u64,
}

impl Ground {
    fn of(game: &RoadsToMoscow, state: &State, player: Player) -> Ground {
        let helpers = game.units_of(player.enemy()).difference(&game.sets().combat).and(&state.on_map);
        let enemy = player.enemy().index();
        Ground {
            player,
            weather: state.weather,
            enemies: state.occupied[enemy],
            helpers: helpers.iter().map(|unit| state.at(unit)).collect(),
            zoc: state.zoc[enemy],
            positions: state.positions[enemy],
            lines_destroyed: state.lines_destroyed,
        }
    }
}

/// The groups of a sequence.
#[derive(Clone, Debug)]
pub(super) struct Reaches {
    /// First the groups at hand, then others with searches that still hold.
    groups: Vec<Group>,
    count: usize,
    /// How many have been searched on this ground.
    known: usize,
    ground: Option<Ground>,
    buckets: Vec<Vec<Hex>>,
}

impl Reaches {
    pub fn new() -> Reaches {
        let group = Group {
            from: place::OUT,
            units: Units::EMPTY,
            cost: vec![NEVER; HEXES],
            back: vec![START; HEXES],
            hexes: Vec::with_capacity(HEXES),
            class: 0,
            entries: 0,
            own: Hexes::EMPTY,
        };
        let groups = (0..KEPT).map(|_| Group { hexes: Vec::with_capacity(HEXES), ..group.clone() });
        Reaches {
            groups: groups.collect(),
            count: 0,
            known: 0,
            ground: None,
            buckets: (0..=MOST).map(|_| Vec::with_capacity(6 * HEXES / 4)).collect(),
        }
    }

    /// Forgets all searches.
    pub fn forget(&mut self) {
        self.ground = None;
        (self.count, self.known) = (0, 0);
    }

    /// Whether it knows of no search.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.count == 0 && self.known == 0
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups[..self.count]
    }

    /// Finds where these units could get to.
    pub fn explore(
        &mut self,
        game: &RoadsToMoscow,
        tables: &MapTables,
        state: &State,
        player: Player,
        units: &Units,
    ) {
        let ground = Ground::of(game, state, player);
        if self.ground.as_ref() != Some(&ground) {
            self.ground = Some(ground);
            self.known = 0;
        }
        self.count = 0;
        for unit in *units {
            let from = state.at(unit);
            let (class, entries) = class(game, unit, from);
            let is_it =
                |group: &Group| group.from == from && group.class == class && group.entries == entries;
            if let Some(group) = self.groups[..self.count].iter_mut().find(|group| is_it(group)) {
                group.units.insert(unit);
                continue;
            }
            if self.count == GROUPS {
                continue;
            }
            let own = state.occupied[player.index()];
            let holds = |group: &Group| is_it(group) && (class & HELPER == 0 || group.own == own);
            let found = self.groups[self.count..self.known].iter().position(holds);
            let slot = if let Some(at) = found {
                self.count + at
            } else {
                self.known = (self.known + 1).min(KEPT);
                self.known - 1
            };
            self.groups.swap(self.count, slot);
            let group = &mut self.groups[self.count];
            self.count += 1;
            if found.is_some() {
                group.units = Units::one(unit);
                continue;
            }
            group.reset(from, Units::one(unit), class, entries);
            group.own = own;
            let most = tables.longest[player.index()][usize::from(class & KIND)].min(MOST as u8);
            group.search(game, state, player, most, &mut self.buckets);
        }
    }
}

/// Part of a class: on foot, orange circle, red box.
const KIND: u8 = 3;
/// Part of a class: no combat unit.
const HELPER: u8 = 4;
/// Part of a class: crosses the river beside it.
const SWIMS: u8 = 8;

/// On foot, orange circle or red box.
pub(super) fn kind(game: &RoadsToMoscow, unit: UnitId) -> u8 {
    let sets = game.sets();
    match () {
        () if sets.foot.contains(unit) => 0,
        () if sets.orange.contains(unit) => 1,
        () => 2,
    }
}

/// What of a unit its prices depend on: its class, and off the map its entry hexes.
fn class(game: &RoadsToMoscow, unit: UnitId, from: Hex) -> (u8, u32) {
    let sets = game.sets();
    let helper = if sets.combat.contains(unit) { 0 } else { HELPER };
    let class = kind(game, unit) | helper;
    if !is_hex(from) {
        return (class, sets.entries[unit.at()]);
    }
    let swims = game.map().beside_river.contains(from) && sets.crosses_river.contains(unit);
    (class | if swims { SWIMS } else { 0 }, 0)
}

impl Group {
    fn reset(&mut self, from: Hex, units: Units, class: u8, entries: u32) {
        for hex in self.hexes.drain(..) {
            self.cost[hex.at()] = NEVER;
        }
        (self.from, self.units, self.class, self.entries) = (from, units, class, entries);
    }

    fn search(
        &mut self,
        game: &RoadsToMoscow,
        state: &State,
        player: Player,
        most: u8,
        buckets: &mut [Vec<Hex>],
    ) {
        let enemy = player.enemy().index();
        let mover = game.mover(&self.units, player, false, false);
        let fresh = Mover { fresh: true, ..mover };
        let inside = is_hex(self.from);
        let quiet = if mover.combat { game.quiet_hexes(state, player) } else { Hexes::EMPTY };
        if inside {
            self.touch(self.from, 0, START);
            buckets[0].push(self.from);
        } else {
            for (number, &hex) in game.map().entries.iter().enumerate() {
                if self.entries >> number & 1 != 0
                    && let Some(price) = game.entry_price(state, mover, hex)
                    && price <= most
                {
                    self.touch(hex, price, START);
                    buckets[usize::from(price)].push(hex);
                }
            }
        }
        for spent in 0..=most {
            while let Some(hex) = buckets[usize::from(spent)].pop() {
                if self.cost[hex.at()] != spent {
                    continue;
                }
                let is_start = inside && hex == self.from;
                if !is_start && !mover.red && state.zoc[enemy].contains(hex) {
                    continue;
                }
                let (mover, left) = (if is_start { fresh } else { mover }, most - spent);
                for (way, &direction) in WAYS.iter().enumerate() {
                    let to = game.neighbour(hex, direction);
                    if !is_hex(to) || self.cost[to.at()] <= spent {
                        continue;
                    }
                    if quiet.contains(to)
                        && let Some(price) = game.quiet_price(state, mover, hex, direction)
                    {
                        let total = spent + price.min(left + 1);
                        if price <= left && total < self.cost[to.at()] {
                            self.touch(to, total, way as u8);
                            buckets[usize::from(total)].push(to);
                        }
                        continue;
                    }
                    let Some(price) = game.step_price(state, mover, hex, direction, left) else { continue };
                    let takes_all = is_start
                        && (game.side(hex, direction).is_open_river()
                            || !mover.red && state.zoc[enemy].contains(hex) && state.zoc[enemy].contains(to));
                    if takes_all {
                        // What a step from zone to zone would cost must be there; over the river anything will do.
                        let least = if game.side(hex, direction).is_open_river() {
                            1
                        } else {
                            game.step_price(state, Mover { red: true, ..mover }, hex, direction, left)
                                .unwrap_or(left)
                        };
                        if self.cost[to.at()] == NEVER {
                            self.touch(to, WHOLE | least, way as u8);
                        }
                        continue;
                    }
                    let total = spent + price;
                    if total < self.cost[to.at()] {
                        self.touch(to, total, way as u8);
                        buckets[usize::from(total)].push(to);
                    }
                }
            }
        }
    }

    fn touch(&mut self, hex: Hex, cost: u8, way: u8) {
        if self.cost[hex.at()] == NEVER {
            self.hexes.push(hex);
        }
        self.cost[hex.at()] = cost;
        self.back[hex.at()] = way;
    }

    /// Whether a unit with so many half points reaches a hex.
    #[inline]
    pub fn reaches(&self, hex: Hex, allowance: u8) -> bool {
        let cost = self.cost[hex.at()];
        cost <= allowance || cost >= WHOLE && cost - WHOLE <= allowance
    }

    /// Half points to a hex, many if it takes the whole allowance.
    #[inline]
    pub fn cost(&self, hex: Hex) -> u8 {
        self.cost[hex.at()]
    }

    /// The path to a hex that is reached: its hexes in order, without the one where the group stands.
    pub fn path(&self, game: &RoadsToMoscow, to: Hex) -> Path {
        let mut path = Path { hexes: [place::OUT; PATH], length: 0 };
        let mut hex = to;
        while hex != self.from && usize::from(path.length) < PATH {
            path.hexes[usize::from(path.length)] = hex;
            path.length += 1;
            let way = self.back[hex.at()];
            if way == START {
                break;
            }
            hex = game.neighbour(hex, WAYS[usize::from(way)].opposite());
        }
        path.hexes[..usize::from(path.length)].reverse();
        path
    }
}

/// A way over the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    hexes: [Hex; PATH],
    length: u8,
}

impl Path {
    pub const NONE: Path = Path { hexes: [place::OUT; PATH], length: 0 };

    /// The hex after this one; the first if this is none of it and `is_start`.
    pub fn after(&self, hex: Hex, is_start: bool) -> Option<Hex> {
        let hexes = &self.hexes[..usize::from(self.length)];
        match hexes.iter().position(|&other| other == hex) {
            Some(at) => hexes.get(at + 1).copied(),
            None if is_start => hexes.first().copied(),
            None => None,
        }
    }
}

/// Units that may begin to move in this sequence: active, not moved, on the map or off it on their turn.
pub(super) fn ready(game: &RoadsToMoscow, state: &State, units: &Units) -> Units {
    units.difference(state.marked(Mark::Moved)).filter(|unit| {
        is_hex(state.at(unit))
            || state.at(unit) == place::AWAITING && game.sets().entry_turn[unit.at()] <= state.turn
    })
}

#[cfg(test)]
mod tests {
    use sandtable_roads_to_moscow::editor::Editor;
    use sandtable_roads_to_moscow::ids::{hex, hex_number};

    use super::*;

    /// 3.14g: a kept search is none of a position in which an enemy leader stands elsewhere.
    #[test]
    fn helpers_go_around_enemy_leaders_wherever_those_stand() {
        let scenario = sandtable_scenarios_roads_to_moscow::open("roads-to-moscow/mozhaysk", &[]).unwrap();
        let game = RoadsToMoscow::new(scenario.into_rules()).unwrap();
        let tables = MapTables::new(&game);
        let leader = |player: Player| game.sets().leaders.and(game.units_of(player)).first().unwrap();
        let from = hex(2019);
        let beside: Vec<Hex> = sandtable_core::Direction::ALL
            .into_iter()
            .map(|way| game.neighbour(from, way))
            .filter(|&to| is_hex(to))
            .collect();
        let mut reaches = Reaches::new();
        let mut reached = |enemy: u16, at: Hex| {
            let mut editor = Editor::new(&game);
            editor
                .clear()
                .place_at(leader(Player::German), from)
                .place_at(leader(Player::Soviet), hex(enemy));
            let state = editor.finish();
            reaches.explore(&game, &tables, &state, Player::German, &Units::one(leader(Player::German)));
            reaches.groups()[0].reaches(at, MOST as u8)
        };
        let open = beside.into_iter().find(|&at| reached(101, at)).expect("a way out");
        assert!(!reached(hex_number(open), open));
        assert!(reached(101, open));
    }
}
