//! The roads and railways of a map, hex by hex, for the positions of fronts.

use std::collections::VecDeque;

use sandtable_core::Hex;
use sandtable_roads_to_moscow::rules::SideData;
use sandtable_roads_to_moscow::{Player, RoadsToMoscow, State};

/// A road or railway of some length.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Road {
    /// Its name in the data.
    pub name: String,
    /// Its hexes by their distance along it from the end nearest to a German source of supply.
    pub hexes: Vec<Hex>,
}

/// Hexes from which on a road has a front.
const LEAST: usize = 8;

/// The primary and secondary roads and the railways, by name.
pub(super) fn roads(game: &RoadsToMoscow) -> Vec<Road> {
    let sides = &game.rules.map.sides;
    let is_way = |side: &SideData| side.paths.primary || side.paths.secondary || side.paths.railway;
    let mut names: Vec<&String> =
        sides.iter().filter(|side| is_way(side)).flat_map(|side| &side.path_names).collect();
    names.sort_unstable();
    names.dedup();
    let along = |name: &String| {
        let own = sides.iter().filter(|side| is_way(side) && side.path_names.contains(name));
        let pairs: Vec<(Hex, Hex)> =
            own.map(|side| (side.a, side.b)).filter(|&pair| in_play(game, pair)).collect();
        Road { name: name.clone(), hexes: chain(game, &pairs) }
    };
    names.into_iter().map(along).filter(|road| road.hexes.len() >= LEAST).collect()
}

/// Of the roads from sources of supply the one on which most points of objectives lie, of equals the longest.
pub(super) fn main_road<'a>(game: &RoadsToMoscow, roads: &'a [Road]) -> Option<&'a Road> {
    let points = |road: &Road| -> u32 {
        let objectives = game.rules.scenario.objectives.iter();
        objectives.filter(|(hex, _)| road.hexes.contains(hex)).map(|&(_, points)| u32::from(points)).sum()
    };
    let sources = || game.rules.scenario.sources.iter().flatten();
    let leads = roads.iter().filter(|road| sources().any(|source| road.hexes.contains(source)));
    leads.max_by_key(|road| (points(road), road.hexes.len()))
}

fn in_play(game: &RoadsToMoscow, (a, b): (Hex, Hex)) -> bool {
    let hexes = sandtable_core::Board::places(game.board());
    hexes.contains(a) && hexes.contains(b)
}

/// Hexes in the order in which they are reached from the one nearest to a German source.
fn chain(game: &RoadsToMoscow, pairs: &[(Hex, Hex)]) -> Vec<Hex> {
    let sources = &game.rules.scenario.sources[Player::German.index()];
    let away = |hex: Hex| sources.iter().map(|&source| game.distance(source, hex)).min().unwrap_or(0);
    let Some(start) = pairs.iter().flat_map(|&(a, b)| [a, b]).min_by_key(|&hex| (away(hex), hex)) else {
        return Vec::new();
    };
    let (mut seen, mut open) = (vec![start], VecDeque::from([start]));
    while let Some(hex) = open.pop_front() {
        for &(a, b) in pairs {
            let next = match hex {
                _ if hex == a => b,
                _ if hex == b => a,
                _ => continue,
            };
            if !seen.contains(&next) {
                seen.push(next);
                open.push_back(next);
            }
        }
    }
    seen
}

/// How far along a road each side holds: the German's farthest hex and the Soviet's nearest, with their numbers from 1.
pub(super) fn front(road: &Road, state: &State) -> [Option<(Hex, usize)>; 2] {
    let held = |player: Player| {
        let own = road.hexes.iter().enumerate().filter(move |(_, hex)| state.controller(**hex) == player);
        own.map(|(at, &hex)| (hex, at + 1))
    };
    [held(Player::German).next_back(), held(Player::Soviet).next()]
}
