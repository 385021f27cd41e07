//! The map of Victory in Europe, and positions on it.

use sandtable_core::Index as _;
use sandtable_victory_in_europe::nation::Force;
use sandtable_victory_in_europe::rules::{BorderKind, Terrain as Ground};
use sandtable_victory_in_europe::{Place, State, VictoryInEurope};

use super::victory_areas;
use sandtable_experiments::system::board::{
    self, Link, Map, Marker, Marks, Position, Site, Terrain, Texture,
};

/// The board.
pub(super) fn map(game: &VictoryInEurope) -> Map {
    let rules = &game.rules;
    let victory = victory_areas(game);
    let land = (0..).map(Place).zip(&rules.areas).map(|(at, area)| board::Place {
        id: area.id.clone(),
        name: area.name.clone(),
        site: Site::Land { latitude: f64::from(area.lat), longitude: f64::from(area.lon) },
        terrain: area.terrain as usize,
        region: area.country.name().to_owned(),
        marks: Marks {
            port: rules.ports.iter().any(|port| port.area == at && !port.name.is_empty()),
            fortress: false,
            capital: rules.capitals.contains(&Some(at)),
            point: victory.contains(at),
            supply: rules.alternatives.contains(&Some(at)),
            ..Marks::default()
        },
    });
    let sea = rules.seas.iter().enumerate().map(|(at, sea)| {
        let coasts = game.areas().iter().filter(|&area| game.coast_seas(area, 0) & 1 << at != 0);
        board::Place {
            id: sea.id.clone(),
            name: sea.name.clone(),
            site: Site::Sea {
                coasts: coasts.map(Place::at).collect(),
                middle: Some((f64::from(sea.lat), f64::from(sea.lon))),
            },
            terrain: 0,
            region: String::new(),
            marks: Marks::default(),
        }
    });
    let links = rules.borders.iter().map(|border| Link {
        a: border.a.at(),
        b: border.b.at(),
        water: border.kind == BorderKind::Strait,
        river: border.kind == BorderKind::River,
        fortified: border.kind == BorderKind::Fortified,
        ..Link::default()
    });
    let terrains = [
        ("clear", Texture::Plain),
        ("forest", Texture::Dots),
        ("mountain", Texture::Peaks),
        ("desert", Texture::Marsh),
    ];
    debug_assert_eq!(Ground::Desert as usize, 3);
    Map {
        places: land.chain(sea).collect(),
        links: links.collect(),
        terrains: terrains.map(|(name, texture)| Terrain { name: name.to_owned(), texture }).to_vec(),
        marker_key: "On a marker: steps of military units; a steps of aircraft, n of ships; F factory steps."
            .to_owned(),
        ..Map::default()
    }
}

/// Who and what stands on it.
pub(super) fn position(game: &VictoryInEurope, state: &State) -> Position {
    let (areas, seas) = (game.rules.areas.len(), game.rules.seas.len());
    let owner = |area: usize| {
        let held = Force::ALL.into_iter().find(|&force| state.holds(force, Place::nth(area)));
        held.map(|force| game.side_of(force))
    };
    let mut markers = Vec::new();
    for place in 0..areas + seas {
        let at = if place < areas { Place::nth(place) } else { Place::sea((place - areas) as u8) };
        let factory = if place < areas { state.factory(at) } else { 0 };
        for force in Force::ALL.map(Some).into_iter().chain([None]) {
            let mut steps = [0u32; 3];
            let mut names = Vec::new();
            for unit in state.stack(at).filter(|&unit| game.force(state, unit) == force) {
                steps[game.arm(unit) as usize] += u32::from(state.steps(unit).max(1));
                names.push(format!("{} ({})", game.rules.units[unit.at()].name, state.steps(unit)));
            }
            let holds = force.is_some_and(|force| place < areas && state.holds(force, at));
            let factory = if holds { u32::from(factory) } else { 0 };
            let parts = [(steps[0], ""), (steps[1], "a"), (steps[2], "n"), (factory, "F")];
            let text: Vec<String> = parts
                .iter()
                .filter(|(steps, _)| *steps > 0)
                .map(|(steps, letter)| format!("{steps}{letter}"))
                .collect();
            if factory > 0 {
                names.push(format!("a factory ({factory})"));
            }
            if !text.is_empty() {
                let whose = force.map_or("neutral", Force::name);
                markers.push(Marker {
                    place,
                    side: force.map(|force| game.side_of(force)),
                    text: text.join(" "),
                    words: format!("{whose}: {}", names.join(", ")),
                    ..Marker::default()
                });
            }
        }
    }
    Position {
        owners: (0..areas).map(owner).chain((0..seas).map(|_| None)).collect(),
        markers,
        ..Position::default()
    }
}
