//! The map of Europe Engulfed, and positions on it.

use sandtable_core::{Index as _, Side};
use sandtable_europe_engulfed::ids::{Nation, Sea};
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

/// Sea zones, if fleets are in play: the places after the areas.
fn seas(game: &EuropeEngulfed) -> impl Iterator<Item = Sea> {
    let count = if game.rules.setup.fleets_used { game.rules.seas.len() } else { 0 };
    (0..count).map(Sea::nth)
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
    let sea = seas(game).map(|sea| {
        let data = &rules.seas[sea.at()];
        let on_it = |area: &Area| {
            let area = &rules.areas[area.at()];
            area.ports & 1 << sea.at() != 0 || area.beaches[sea.at()] > 0
        };
        board::Place {
            id: data.id.clone(),
            name: data.name.clone(),
            site: Site::Sea {
                coasts: (0..areas.len()).filter(|at| on_it(&areas[*at])).collect(),
                middle: Some((f64::from(data.lat), f64::from(data.lon))),
            },
            terrain: 0,
            region: String::new(),
            marks: Marks::default(),
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
        places: places.chain(sea).collect(),
        links: links.collect(),
        terrains: terrains.map(|(name, texture)| Terrain { name: name.to_owned(), texture }).to_vec(),
        marker_key:
            "On a marker: steps of infantry class, A steps of armour, a air support units, F Fleet Points."
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
    let seas: Vec<Sea> = seas(game).collect();
    for (nth, sea) in seas.iter().enumerate() {
        for side in (0..game.rules.setup.players.len()).map(|side| Side(side as u8)) {
            markers.extend(fleet(game, state, *sea, side, areas.len() + nth));
        }
    }
    let owners = owners.chain(seas.iter().map(|_| None)).collect();
    Position { owners, markers, ..Position::default() }
}

/// The Fleet Points of a side in a sea zone.
fn fleet(game: &EuropeEngulfed, state: &State, sea: Sea, side: Side, place: usize) -> Option<Marker> {
    let (mut points, mut names) = (0, Vec::new());
    for nation in Nation::ALL.into_iter().filter(|nation| side_of(game, *nation) == Some(side)) {
        let fleet = &state.fleets[nation.index()];
        let (ready, used) = (fleet.ready[sea.at()], fleet.used[sea.at()]);
        if ready + used > 0 {
            points += u32::from(ready + used);
            let carried = if used > 0 { format!(", {used} have carried") } else { String::new() };
            names.push(format!("{} {} Fleet Points{carried}", nation.name(), ready + used));
        }
    }
    let whose = game.rules.setup.players[side.index()].id.name();
    (points > 0).then(|| Marker {
        place,
        side: Some(side),
        text: format!("{points}F"),
        words: format!("{whose}: {}", names.join("; ")),
        ..Marker::default()
    })
}

#[cfg(test)]
mod tests {
    use sandtable_europe_engulfed::editor::Editor;

    use super::super::EngulfedSystem;
    use super::*;
    use sandtable_experiments::system::{Source, System as _};

    fn open(id: &str) -> EuropeEngulfed {
        EngulfedSystem.open(Source::Id(id), &[]).unwrap().game
    }

    #[test]
    fn fleets_stand_on_their_seas() {
        let game = open("europe-engulfed/campaign-1941");
        let map = map(&game);
        let at = |id: &str| map.places.iter().position(|place| place.id == id).unwrap();
        let Site::Sea { coasts, .. } = &map.places[at("baltic")].site else { panic!("a sea") };
        assert!(coasts.contains(&at("denmark")) && !coasts.contains(&at("paris")), "{coasts:?}");
        let mut editor = Editor::new(&game);
        editor.clear();
        let fleets = &mut editor.state_mut().fleets;
        *fleets = Default::default();
        fleets[Nation::GreatBritain.index()].ready[0] = 3;
        fleets[Nation::UnitedStates.index()].used[0] = 2;
        let position = position(&game, &editor.finish());
        assert_eq!(position.owners.len(), map.places.len());
        let marker =
            position.markers.iter().find(|marker| map.places[marker.place].id == game.rules.seas[0].id);
        let marker = marker.expect("a marker of the fleets");
        assert_eq!(marker.text, "5F");
        assert!(marker.words.contains("2 have carried"), "{}", marker.words);
    }

    #[test]
    fn where_no_fleets_are_in_play_no_seas_are_drawn() {
        let map = map(&open("europe-engulfed/patton-1945"));
        assert!(map.places.iter().all(|place| !matches!(place.site, Site::Sea { .. })));
    }
}
