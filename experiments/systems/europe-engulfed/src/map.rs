//! The map of Europe Engulfed, and positions on it.

use sandtable_core::{Index as _, Side};
use sandtable_europe_engulfed::ids::Nation;
use sandtable_europe_engulfed::rules::{Branch, EdgeKind, Victory};
use sandtable_europe_engulfed::{Area, EuropeEngulfed, State};
use sandtable_experiments::system::board::{
    self, Link, Map, Marker, Marks, Position, Site, Terrain, Texture,
};

/// Areas in play, in ascending order: the places of the map.
fn areas(game: &EuropeEngulfed) -> Vec<Area> {
    game.areas().iter().collect()
}

/// The side of a nation.
fn side_of(game: &EuropeEngulfed, nation: Nation) -> Option<Side> {
    let players = &game.rules.setup.players;
    players.iter().position(|player| player.nations & nation.bit() != 0).map(|at| Side(at as u8))
}

/// The board.
pub(super) fn map(game: &EuropeEngulfed) -> Map {
    let (rules, areas) = (&game.rules, areas(game));
    let points = match &rules.victory {
        Victory::Areas { areas, .. } => *areas,
        _ => sandtable_europe_engulfed::ids::Areas::EMPTY,
    };
    let places = areas.iter().map(|&at| {
        let area = &rules.areas[at.at()];
        let country = &rules.countries[usize::from(area.country)];
        board::Place {
            id: area.id.clone(),
            name: area.name.clone(),
            site: Site::Land { latitude: f64::from(area.lat), longitude: f64::from(area.lon) },
            terrain: area.terrain as usize,
            region: country.name.clone(),
            marks: Marks {
                port: area.ports != 0,
                fortress: area.host.is_some(),
                capital: country.capital == Some(at),
                point: points.contains(at),
                supply: area.source_of.is_some(),
                ..Marks::default()
            },
        }
    });
    let place = |area: Area| areas.iter().position(|known| *known == area);
    let links = rules.edges.iter().filter_map(|edge| {
        Some(Link {
            a: place(edge.a)?,
            b: place(edge.b)?,
            water: edge.kind == EdgeKind::Strait,
            river: edge.kind == EdgeKind::River,
            fortified: edge.maginot.is_some() || edge.kind == EdgeKind::Fortress,
            ..Link::default()
        })
    });
    let terrains = [
        ("clear", Texture::Plain),
        ("rough", Texture::Peaks),
        ("swamp", Texture::Marsh),
        ("fortress", Texture::Dots),
        ("off the map", Texture::Plain),
    ];
    Map {
        places: places.collect(),
        links: links.collect(),
        terrains: terrains.map(|(name, texture)| Terrain { name: name.to_owned(), texture }).to_vec(),
        marker_key: "On a marker: steps of infantry class, A steps of armour, a air support units."
            .to_owned(),
        ..Map::default()
    }
}

/// Who and what stands on it.
pub(super) fn position(game: &EuropeEngulfed, state: &State) -> Position {
    let areas = areas(game);
    let owners = areas.iter().map(|&area| state.controller(area).and_then(|owner| side_of(game, owner)));
    let mut markers = Vec::new();
    for (place, &area) in areas.iter().enumerate() {
        for side in (0..game.rules.setup.players.len()).map(|side| Side(side as u8)) {
            let (mut infantry, mut armour, mut air, mut names) = (0u32, 0u32, 0u32, Vec::new());
            for unit in state.at(area).iter().filter(|unit| side_of(game, game.nation(*unit)) == Some(side)) {
                let steps = u32::from(state.steps(unit));
                match game.branch(unit) {
                    Branch::Air => air += 1,
                    Branch::Armour => armour += steps,
                    _ => infantry += steps,
                }
                names.push(format!("{} ({steps})", game.unit_name(unit)));
            }
            let parts = [(infantry, ""), (armour, "A"), (air, "a")];
            let text: Vec<String> = parts
                .iter()
                .filter(|(number, _)| *number > 0)
                .map(|(number, letter)| format!("{number}{letter}"))
                .collect();
            if !text.is_empty() {
                let whose = game.rules.setup.players[side.index()].id.name();
                markers.push(Marker {
                    place,
                    side: Some(side),
                    text: text.join(" "),
                    words: format!("{whose}: {}", names.join(", ")),
                    ..Marker::default()
                });
            }
        }
    }
    Position { owners: owners.collect(), markers, ..Position::default() }
}
