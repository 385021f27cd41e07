//! The map of BlitzWar, and positions on it.

use sandtable_blitzwar::location::{Location, Sea};
use sandtable_blitzwar::rules::{LandZone, Terrain as Ground};
use sandtable_blitzwar::{BlitzWar, Force, Kind as Unit, State};
use sandtable_core::Index as _;

use sandtable_experiments::system::board::{
    Link, Map, Marker, Marks, Place, Position, Site, Terrain, Texture,
};

/// The board.
pub(super) fn map(game: &BlitzWar) -> Map {
    let rules = &game.rules;
    let points = game.strategic_points();
    let land =
        rules.zones.iter().enumerate().map(|(at, zone)| place(zone, points.contains(Location::nth(at))));
    let sea = rules.seas.iter().enumerate().map(|(at, sea)| Place {
        id: sea.id.clone(),
        name: sea.name.clone(),
        site: Site::Sea {
            coasts: game.sea_coast(Sea::nth(at)).iter().map(Location::at).collect(),
            middle: None,
        },
        terrain: 0,
        region: String::new(),
        marks: Marks::default(),
    });
    let links = rules.links.iter().map(|link| Link {
        a: link.a.at(),
        b: link.b.at(),
        water: link.dotted,
        river: link.river_a || link.river_b,
        fortified: link.fortified.is_some(),
        ..Link::default()
    });
    let terrains = [
        ("open", Texture::Plain),
        ("narrow", Texture::Dots),
        ("marsh", Texture::Marsh),
        ("mountain", Texture::Hills),
        ("high mountain", Texture::Peaks),
    ];
    Map {
        places: land.chain(sea).collect(),
        links: links.collect(),
        terrains: terrains.map(|(name, texture)| Terrain { name: name.to_owned(), texture }).to_vec(),
        marker_key: "On a marker: infantry+armour corps; a air, f fleet, s submarine units; u supply units; in brackets on a beach."
            .to_owned(),
        ..Map::default()
    }
}

/// Who and what stands on it.
pub(super) fn position(game: &BlitzWar, state: &State) -> Position {
    let (zones, seas) = (game.rules.zones.len(), game.rules.seas.len());
    let owners = (0..zones).map(|zone| state.controller(Location::nth(zone)).map(Force::side));
    let mut markers = Vec::new();
    for place in 0..zones + seas {
        let location =
            if place < zones { Location::nth(place) } else { Location::of_sea(Sea::nth(place - zones)) };
        for force in Force::ALL.map(Some).into_iter().chain([None]) {
            markers.extend(Strength::of(game, state, location, force).marker(place, force));
        }
    }
    for location in Location::beachheads() {
        let Some((zone, _)) = state.beachhead(location) else { continue };
        for force in Force::ALL {
            let ashore = Strength::of(game, state, location, Some(force));
            markers.extend(ashore.marker(zone.at(), Some(force)).map(|marker| Marker {
                text: format!("({})", marker.text),
                words: format!("{}, on the beach", marker.words),
                ..marker
            }));
        }
    }
    Position { owners: owners.chain((0..seas).map(|_| None)).collect(), markers, ..Position::default() }
}

/// A land zone as it is drawn.
fn place(zone: &LandZone, point: bool) -> Place {
    Place {
        id: zone.id.clone(),
        name: zone.name.clone(),
        site: Site::Land { latitude: f64::from(zone.latitude), longitude: f64::from(zone.longitude) },
        terrain: match zone.terrain {
            Ground::Easy => 0,
            Ground::Narrow => 1,
            Ground::Marsh => 2,
            Ground::Mountain => 3,
            Ground::HighMountain => 4,
        },
        region: zone.country.name().to_owned(),
        marks: Marks {
            port: zone.port,
            fortress: zone.fortress,
            capital: zone.capital,
            point,
            supply: zone.supply_zone.is_some(),
            ..Marks::default()
        },
    }
}

/// What one side has in a place: corps and units, supply in half units.
#[derive(Clone, Copy, Debug, Default)]
struct Strength {
    infantry: u32,
    armour: u32,
    air: u32,
    fleet: u32,
    submarines: u32,
    supply_halves: u32,
}

impl Strength {
    fn of(game: &BlitzWar, state: &State, location: Location, force: Option<Force>) -> Strength {
        let mut sum = Strength::default();
        for counter in state.stack(location) {
            if game.force(state, counter) != force {
                continue;
            }
            let units = u32::from(state.strength(counter));
            match game.kind(counter) {
                Unit::Air => sum.air += units,
                Unit::Fleet => sum.fleet += units,
                Unit::Submarine => sum.submarines += units,
                Unit::Supply => sum.supply_halves += units,
                Unit::Infantry | Unit::Armour | Unit::White | Unit::Elite => {
                    let (infantry, armour) = game.corps_of(state, counter);
                    sum.infantry += u32::from(infantry);
                    sum.armour += u32::from(armour);
                }
            }
        }
        sum
    }

    fn marker(self, place: usize, force: Option<Force>) -> Option<Marker> {
        let corps = match (self.infantry, self.armour) {
            (0, 0) => String::new(),
            (infantry, 0) => infantry.to_string(),
            (infantry, armour) => format!("{infantry}+{armour}"),
        };
        let supply = f64::from(self.supply_halves) / 2.0;
        let others = [
            (f64::from(self.air), "a", "air"),
            (f64::from(self.fleet), "f", "fleet"),
            (f64::from(self.submarines), "s", "submarine"),
            (supply, "u", "supply"),
        ];
        let there = others.iter().filter(|(units, ..)| *units > 0.0);
        let short: Vec<String> = std::iter::once(corps)
            .filter(|corps| !corps.is_empty())
            .chain(there.clone().map(|(units, letter, _)| format!("{units}{letter}")))
            .collect();
        let corps = [(self.infantry, "infantry"), (self.armour, "armour")];
        let words: Vec<String> = corps
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, kind)| format!("{count} {kind} corps"))
            .chain(there.map(|(units, _, kind)| format!("{units} {kind} units")))
            .collect();
        let whose = force.map_or("neutral", Force::name);
        (!short.is_empty()).then(|| Marker {
            place,
            side: force.map(Force::side),
            text: short.join(" "),
            words: format!("{whose}: {}", words.join(", ")),
            ..Marker::default()
        })
    }
}
