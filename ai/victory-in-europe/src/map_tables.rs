//! What the map and the charts say once and for all: what areas are worth, who neighbours whom.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Areas, MAX_AREAS, Seas};
use sandtable_victory_in_europe::{Nation, Place, VictoryInEurope};

use super::weights;

/// Worth of areas that decide the game, in steps of infantry.
const BERLIN: f32 = 40.0;
const AIM: f32 = 18.0;
const SHARED_AIM: f32 = 8.0;
/// Worth of a resource point and of the value of a city.
const RESOURCE: f32 = 1.5;
const CITY: f32 = 0.6;

/// Facts of the map that need no state.
#[derive(Clone, Debug)]
pub(super) struct MapTables {
    /// Worth of an area to whoever holds it, in steps of infantry, without what stands there.
    pub worth: [f32; MAX_AREAS],
    /// Areas whose loss costs the game or much of it.
    pub vital: Areas,
    /// Ports and cities of Germany itself.
    pub german_cities: Areas,
    /// Neighbours by land.
    pub neighbours: Vec<Areas>,
    /// Neighbours of lines of supply: by the Urals too.
    pub lines: Vec<Areas>,
    /// Every area.
    pub all: Areas,
    /// Coasts on each sea, ports on it, seas next to it, and those of them behind no gate.
    pub shores: Vec<Areas>,
    pub ports: Vec<Areas>,
    pub links: Vec<Seas>,
    pub waters: Vec<Seas>,
    /// The theatre of each area.
    pub theatre: [u8; MAX_AREAS],
    /// Capitals of minors, by area: the nation's index, or 255.
    pub capital_of: [u8; MAX_AREAS],
}

impl MapTables {
    pub fn new(game: &VictoryInEurope) -> MapTables {
        let rules = &game.rules;
        let victory = &rules.victory;
        let mut worth = [0.0; MAX_AREAS];
        let mut vital = Areas::EMPTY;
        let mut theatre = [0; MAX_AREAS];
        for (area, sheet) in rules.areas.iter().enumerate() {
            worth[area] = 1.0 + RESOURCE * f32::from(sheet.resource) + CITY * f32::from(sheet.city);
            theatre[area] = weights::theatre(sheet.lat, sheet.lon);
        }
        for aims in victory.axis_any.iter().chain([&victory.allies_all]) {
            for area in aims {
                let aim = &mut worth[area.at()];
                *aim += if vital.contains(area) { SHARED_AIM } else { AIM };
                vital.insert(area);
            }
        }
        worth[victory.last.at()] += BERLIN - AIM;
        let mut capital_of = [255; MAX_AREAS];
        for nation in Nation::ALL.into_iter().filter(|nation| !nation.is_major()) {
            if let Some(capital) = rules.capitals[nation.index()] {
                capital_of[capital.at()] = nation as u8;
            }
        }
        let areas = game.areas();
        let seas = rules.seas.len();
        let mut ports = vec![Areas::EMPTY; seas];
        for port in rules.ports.iter().filter(|port| !port.name.is_empty()) {
            for (zone, ports) in ports.iter_mut().enumerate() {
                if port.seas >> zone & 1 != 0 {
                    ports.insert(port.area);
                }
            }
        }
        let on = |zone: usize| areas.iter().filter(move |&area| game.coast_seas(area, 0) >> zone & 1 != 0);
        let (mut links, mut waters) = (vec![0; seas], vec![0; seas]);
        for link in &rules.sea_links {
            for (from, to) in [(link.a, link.b), (link.b, link.a)] {
                links[from as usize] |= 1 << to;
                waters[from as usize] |= Seas::from(link.gate.is_none()) << to;
            }
        }
        let ported = ports.iter().fold(Areas::EMPTY, Areas::or);
        let germany = game.home(Nation::Germany).iter();
        let is_city = |area: &Place| ported.contains(*area) || rules.areas[area.at()].city > 0;
        MapTables {
            worth,
            vital,
            german_cities: germany.filter(is_city).collect(),
            neighbours: areas.iter().map(|area| *game.adjacent(area)).collect(),
            lines: areas.iter().map(|area| *game.supply_adjacent(area)).collect(),
            all: areas,
            shores: (0..seas).map(|zone| on(zone).collect()).collect(),
            ports,
            links,
            waters,
            theatre,
            capital_of,
        }
    }
}
