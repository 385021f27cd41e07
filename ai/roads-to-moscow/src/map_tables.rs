//! What the map, the counters and the combat tables say once and for all: ways to the objectives, rings of hexes, what units
//! are worth, what a combat is expected to bring.

use sandtable_core::{Direction, Game, Hex, Index, PlayContext, Rng64};
use sandtable_roads_to_moscow::ids::{MAX_UNITS, place};
use sandtable_roads_to_moscow::rules::{Crt, Water};
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::tables::{BARRED, HEXES, price_index};
use sandtable_roads_to_moscow::{Mark, Player, RoadsToMoscow, State, UnitId};

use super::forecast::{self, Forecast, MODIFIERS};
use super::reach;

/// Most objectives and sources of supply of a scenario.
pub(super) const AIMS: usize = 24;
/// What the source of a side's supply counts as an objective of the enemy, in points.
const SOURCE: f32 = 2.0;
/// Hexes within three hexes of one.
pub(super) const AROUND: usize = 36;
/// Half points of way at which the pull of an objective has fallen to a third.
pub(super) const REACH: f32 = 14.0;
/// Turns that are the last ones.
const LATE: u8 = 2;
/// No way.
pub(super) const FAR: u16 = 2000;

/// An objective, or a source of supply, which its owner must keep as well.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    pub hex: Hex,
    pub points: f32,
    /// Whose source it is.
    pub source: Option<Player>,
}

/// What can be counted in a position, from the side of the attacker.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Count {
    /// The score above the threshold.
    pub margin: f32,
    /// Points still to be taken, by the way of the nearest attacker to them and the time that is left.
    pub near: f32,
    /// Strength of the attacker less that of the defender, as a part of both.
    pub balance: f32,
}

/// A step out of a hex, for a motorised column in dry weather.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub to: Hex,
    /// In half points; [`BARRED`] where there is none.
    pub price: u8,
}

/// Facts that need no state.
#[derive(Clone, Debug)]
pub(super) struct MapTables {
    pub aims: Vec<Aim>,
    /// The steps out of each hex, by direction.
    pub steps_out: Vec<[Step; 6]>,
    /// Way of a motorised column in dry weather from each hex to each objective, in half points, nobody in the way.
    pub ways: Vec<[u16; AIMS]>,
    /// The same by objective.
    pub ways_to: Vec<Vec<u16>>,
    /// The direction of the neighbour from which the least of that way is left, whatever lies between; none at its end and off
    /// all ways.
    pub onward: Vec<[Option<Direction>; AIMS]>,
    /// How near each objective is to each hex: 1 at it, a third at [`REACH`] half points of way.
    pub near: Vec<[f32; AIMS]>,
    /// The same to the nearest source of supply, by player.
    pub home: [Vec<u16>; 2],
    /// The hexes within three hexes, by rings of 6, 12 and 18; [`place::OUT`] off the map.
    pub around: Vec<[Hex; AROUND]>,
    /// How well a hex can be held against who comes for each objective: terrain, and rivers,
    /// streams and slopes on the sides from which he comes, in modifiers.
    pub cover: Vec<[f32; AIMS]>,
    /// What of a Fortified Line adds to it for the Soviet while it stands.
    pub line_cover: Vec<[f32; AIMS]>,
    /// Points of the objective in a hex.
    pub points: Vec<f32>,
    /// Worth of the step that a unit loses first and of its last one, in steps of infantry.
    pub steps: [[f32; 2]; MAX_UNITS],
    /// Expected results of combat, by table, column and modifier.
    pub forecasts: [Vec<[Forecast; MODIFIERS]>; 2],
    /// Half points of the fastest of a player's units on foot, with orange circle, with red box.
    pub longest: [[u8; 3]; 2],
    /// Which side scores.
    pub attacker: Player,
    /// Turns of the scenario.
    pub turns: u8,
    /// What is counted at the start.
    pub start: Count,
}

/// Worth of a victory point, in steps of infantry.
pub(super) const POINT: f32 = 1.6;

impl MapTables {
    pub fn new(game: &RoadsToMoscow) -> MapTables {
        let scenario = &game.rules.scenario;
        let objectives = scenario.objectives.iter().map(|&(hex, points)| Aim {
            hex,
            points: f32::from(points),
            source: None,
        });
        let sources = Player::ALL.into_iter().flat_map(|player| {
            let of = &scenario.sources[player.index()];
            of.iter().map(move |&hex| Aim { hex, points: SOURCE, source: Some(player) })
        });
        let aims: Vec<Aim> = objectives.chain(sources).take(AIMS).collect();
        let mut ways = vec![[FAR; AIMS]; HEXES];
        for (number, aim) in aims.iter().enumerate() {
            for (hex, &way) in ways_to_any(game, &[aim.hex]).iter().enumerate() {
                ways[hex][number] = way;
            }
        }
        let ways_to = (0..aims.len()).map(|aim| ways.iter().map(|ways| ways[aim]).collect()).collect();
        let near = |ways: &[u16; AIMS]| ways.map(|way| (-f32::from(way) / REACH).exp());
        let mut cover = vec![[0.0; AIMS]; HEXES];
        let mut line_cover = vec![[0.0; AIMS]; HEXES];
        for hex in sandtable_core::Board::places(game.board()) {
            for aim in 0..aims.len() {
                (cover[hex.at()][aim], line_cover[hex.at()][aim]) = cover_of(game, &ways, hex, aim);
            }
        }
        let mut points = vec![0.0; HEXES];
        for aim in aims.iter().filter(|aim| aim.source.is_none()) {
            points[aim.hex.at()] = aim.points;
        }
        let mut tables = MapTables {
            cover,
            line_cover,
            near: ways.iter().map(near).collect(),
            steps_out: (0..HEXES).map(|hex| steps_out(game, Hex::nth(hex))).collect(),
            onward: (0..HEXES).map(|hex| onward(game, &ways, Hex::nth(hex))).collect(),
            ways_to,
            ways,
            home: [0, 1].map(|player| ways_to_any(game, &scenario.sources[player])),
            around: (0..HEXES).map(|hex| around(game, Hex::nth(hex))).collect(),
            points,
            steps: std::array::from_fn(|unit| {
                if unit < game.rules.units.len() { worth_of_steps(game, UnitId::nth(unit)) } else { [0.0; 2] }
            }),
            forecasts: [Crt::Assault, Crt::Mobile]
                .map(|crt| forecast::of_table(&game.rules.results[crt as usize])),
            aims,
            longest: Player::ALL.map(|player| {
                let mut longest = [0; 3];
                for unit in game.units_of(player) {
                    let data = game.unit(unit);
                    let most = &mut longest[usize::from(reach::kind(game, unit))];
                    *most = (*most).max(2 * data.full.movement);
                }
                longest
            }),
            attacker: scenario.attacker,
            turns: game.rules.calendar.len() as u8,
            start: Count::default(),
        };
        let start = game.initial(&mut PlayContext::silent(Rng64::stream(0, 0, 0)));
        tables.start = tables.count(game, &start);
        tables
    }

    /// The part of the game that is left, 1 in the first turn.
    pub fn left(&self, state: &State) -> f32 {
        f32::from(self.turns + 1 - state.turn.min(self.turns)) / f32::from(self.turns)
    }

    /// Whether this is one of the last turns: what is lost now is hardly won back.
    #[inline]
    pub fn is_late(&self, state: &State) -> bool {
        state.turn + LATE > self.turns
    }

    /// Whether this is the last turn.
    #[inline]
    pub fn is_last(&self, state: &State) -> bool {
        state.turn >= self.turns
    }

    /// Counts what there is in a position.
    pub fn count(&self, game: &RoadsToMoscow, state: &State) -> Count {
        let attacker = self.attacker;
        let mut strength = [0.0f32; 2];
        for player in Player::ALL {
            for unit in game.units_of(player).and(&game.sets().combat).and(&state.on_map) {
                strength[player.index()] += self.worth(game, state, unit);
            }
        }
        let (own, other) = (strength[attacker.index()], strength[attacker.enemy().index()]);
        let reach = 4.0 + 4.0 * self.left(state) * f32::from(self.turns);
        let mut near = 0.0;
        for (at, aim) in self.aims.iter().enumerate() {
            if aim.source.is_some() || state.controller(aim.hex) == attacker {
                continue;
            }
            let ways = state.occupied[attacker.index()].iter().map(|hex| self.ways[hex.at()][at]);
            near += aim.points * (-f32::from(ways.min().unwrap_or(FAR)) / reach).exp();
        }
        Count {
            margin: f32::from(game.score(state) - game.rules.scenario.threshold) + 0.5,
            near,
            balance: (own - other) / (own + other + 1.0),
        }
    }

    /// Worth of the step that a unit would lose next.
    #[inline]
    pub fn next_step(&self, game: &RoadsToMoscow, state: &State, unit: UnitId) -> f32 {
        let last = state.has(unit, Mark::Reduced) || game.unit(unit).steps < 2;
        self.steps[unit.at()][usize::from(last)]
    }

    /// Worth of a unit as it stands.
    #[inline]
    pub fn worth(&self, game: &RoadsToMoscow, state: &State, unit: UnitId) -> f32 {
        let [first, last] = self.steps[unit.at()];
        if state.has(unit, Mark::Reduced) || game.unit(unit).steps < 2 { last } else { first + last }
    }
}

fn worth_of_steps(game: &RoadsToMoscow, unit: UnitId) -> [f32; 2] {
    let data = game.unit(unit);
    let strength = |face: &sandtable_roads_to_moscow::rules::Face| {
        0.14 * f32::from(face.offence) + 0.14 * f32::from(face.defence)
    };
    let (full, reduced) = (strength(&data.full), strength(&data.reduced));
    let gun = 0.25 * f32::from(data.support);
    let command = 0.5 * f32::from(data.command);
    let step = POINT * f32::from(data.step_points);
    let end = POINT * f32::from(data.elimination_points);
    if data.steps >= 2 {
        [full - reduced + step, reduced + step + end]
    } else {
        [0.0, full + gun + command + step + end]
    }
}

/// Cheapest ways of a motorised column from every hex to the nearest of these.
fn ways_to_any(game: &RoadsToMoscow, targets: &[Hex]) -> Vec<u16> {
    let mut ways = vec![FAR; HEXES];
    let mut buckets: Vec<Vec<Hex>> = vec![Vec::new(); usize::from(FAR)];
    for &target in targets {
        ways[target.at()] = 0;
        buckets[0].push(target);
    }
    let prices = &game.map().prices[price_index(true, false)];
    for way in 0..usize::from(FAR) {
        while let Some(hex) = buckets[way].pop() {
            if usize::from(ways[hex.at()]) != way {
                continue;
            }
            for side in Direction::ALL {
                let from = game.neighbour(hex, side);
                if !is_hex(from) {
                    continue;
                }
                let price = prices[from.at()].best[side.opposite() as usize];
                let total = way + usize::from(price);
                if price != BARRED && total < usize::from(ways[from.at()]) {
                    ways[from.at()] = total as u16;
                    buckets[total].push(from);
                }
            }
        }
    }
    ways
}

fn steps_out(game: &RoadsToMoscow, hex: Hex) -> [Step; 6] {
    let prices = &game.map().prices[price_index(true, false)];
    Direction::ALL.map(|way| {
        let to = if sandtable_core::Board::places(game.board()).contains(hex) {
            game.neighbour(hex, way)
        } else {
            place::OUT
        };
        if is_hex(to) {
            Step { to, price: prices[hex.at()].best[way as usize] }
        } else {
            Step { to, price: BARRED }
        }
    })
}

/// The first of the nearest neighbours to each objective.
fn onward(game: &RoadsToMoscow, ways: &[[u16; AIMS]], hex: Hex) -> [Option<Direction>; AIMS] {
    if !sandtable_core::Board::places(game.board()).contains(hex) {
        return [None; AIMS];
    }
    std::array::from_fn(|aim| {
        let nearest = Direction::ALL
            .into_iter()
            .filter(|&way| is_hex(game.neighbour(hex, way)))
            .min_by_key(|&way| ways[game.neighbour(hex, way).at()][aim])?;
        (ways[game.neighbour(hex, nearest).at()][aim] < ways[hex.at()][aim]).then_some(nearest)
    })
}

/// Cover of a hex against who comes for an objective, without a Fortified Line and what a line adds.
fn cover_of(game: &RoadsToMoscow, ways: &[[u16; AIMS]], hex: Hex, aim: usize) -> (f32, f32) {
    let chart = &game.rules.terrain;
    let here = ways[hex.at()][aim];
    let (mut sides, mut cover, mut line) = (0.0f32, 0.0, 0.0);
    for way in Direction::ALL {
        let from = game.neighbour(hex, way);
        if !is_hex(from) || ways[from.at()][aim] < here {
            continue;
        }
        sides += 1.0;
        let side = game.side(from, way.opposite());
        cover += match side.water {
            Water::River => 3.0,
            Water::Stream if !side.bridge => f32::from(chart.stream_drm),
            _ => 0.0,
        };
        if side.uphill {
            cover += f32::from(chart.slope_drm);
        }
        if side.line_ahead {
            line += f32::from(chart.fort_line_drm);
        }
    }
    let sides = sides.max(1.0);
    (f32::from(game.map().terrain_drm[hex.at()]) + cover / sides, line / sides)
}

fn around(game: &RoadsToMoscow, hex: Hex) -> [Hex; AROUND] {
    let mut hexes = [place::OUT; AROUND];
    if !sandtable_core::Board::places(game.board()).contains(hex) {
        return hexes;
    }
    let mut counts = [0; 3];
    for other in sandtable_core::Board::places(game.board()) {
        let distance = game.distance(hex, other) as usize;
        if (1..=3).contains(&distance) {
            hexes[[0, 6, 18][distance - 1] + counts[distance - 1]] = other;
            counts[distance - 1] += 1;
        }
    }
    hexes
}
