//! Where the units of a sequence could get to: one search for each group of units that move alike.
//!
//! Own moves change no enemy zone of control, so what has been found at the beginning of a Movement Phase holds to its end,
//! but for stacking and overruns.

use sandtable_core::{Hex, Index};
use sandtable_roads_to_moscow::ids::{Units, place};
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::tables::{HEXES, WAYS};
use sandtable_roads_to_moscow::{Mark, Player, RoadsToMoscow, State, UnitId};

/// Not reached.
pub(super) const NEVER: u8 = u8::MAX;
/// Reached by spending the whole allowance, whatever it is (8.22, 8.36c).
pub(super) const WHOLE: u8 = u8::MAX - 1;
/// Most groups of a sequence.
pub(super) const GROUPS: usize = 40;
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
}

/// The groups of a sequence.
#[derive(Clone, Debug)]
pub(super) struct Reaches {
    groups: Vec<Group>,
    count: usize,
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
        };
        Reaches {
            groups: vec![group; GROUPS],
            count: 0,
            buckets: (0..=MOST).map(|_| Vec::with_capacity(6 * HEXES / 4)).collect(),
        }
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups[..self.count]
    }

    /// Finds where these units could get to with `allowance` half points each.
    pub fn explore(
        &mut self,
        game: &RoadsToMoscow,
        state: &State,
        player: Player,
        units: &Units,
        allowance: impl Fn(UnitId) -> u8,
    ) {
        self.count = 0;
        for unit in *units {
            let from = state.at(unit);
            let (class, entries) = class(game, state, unit, from);
            let known = self.groups[..self.count]
                .iter_mut()
                .find(|group| group.from == from && group.class == class && group.entries == entries);
            if let Some(group) = known {
                group.units.insert(unit);
            } else if self.count < GROUPS {
                let group = &mut self.groups[self.count];
                group.reset(from, Units::one(unit), class, entries);
                self.count += 1;
            }
        }
        for group in &mut self.groups[..self.count] {
            let most = group.units.iter().map(&allowance).max().unwrap_or(0);
            group.search(game, state, player, most.min(MOST as u8), &mut self.buckets);
        }
    }
}

/// What of a unit its prices depend on.
fn class(game: &RoadsToMoscow, state: &State, unit: UnitId, from: Hex) -> (u8, u32) {
    let sets = game.sets();
    let class = match () {
        () if sets.foot.contains(unit) => 0,
        () if sets.orange.contains(unit) => 1,
        () => 2,
    };
    let helper = u8::from(!sets.combat.contains(unit)) << 2;
    if !is_hex(from) {
        let _ = state;
        return (class | helper, sets.entries[unit.at()]);
    }
    let swims = game.map().beside_river.contains(from) && sets.crosses_river.contains(unit);
    (class | helper | u8::from(swims) << 3, 0)
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
        let fresh = sandtable_roads_to_moscow::crossing::Mover { fresh: true, ..mover };
        let inside = is_hex(self.from);
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
                    let Some(price) = game.step_price(state, mover, hex, direction, left) else { continue };
                    let takes_all = is_start
                        && (game.side(hex, direction).is_open_river()
                            || !mover.red && state.zoc[enemy].contains(hex) && state.zoc[enemy].contains(to));
                    if takes_all {
                        if self.cost[to.at()] == NEVER {
                            self.touch(to, WHOLE, way as u8);
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
        cost <= allowance || cost == WHOLE && allowance > 0
    }

    /// Half points to a hex.
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
