//! Zones by what they are: countries, capitals, points, sources of supply, ports, ground.

use sandtable_core::Index;

use crate::location::Zone;
use crate::nation::{COUNTRIES, Country, Force};
use crate::rules::{LandZone, Rules, Zones};

/// Sets of zones that the rules ask for.
#[derive(Clone, Debug)]
pub(crate) struct ZoneSets {
    /// All zones of the map.
    pub everywhere: Zones,
    /// Zones of each country in 1939; of Vichy those it takes over.
    pub home: [Zones; COUNTRIES],
    /// Capitals by country.
    pub capital: [Option<Zone>; COUNTRIES],
    /// Vichy zones.
    pub vichy: Zones,
    /// Eastern Poland.
    pub eastern_poland: Zones,
    /// Zones Italians operate in freely (9.6).
    pub italian_area: Zones,
    /// Zones with a limit in corps (4).
    pub limited: Zones,
    /// Zones without any limit (4).
    pub unlimited: Zones,
    /// General strategic points (5).
    pub general_points: Zones,
    /// Side strategic points (5).
    pub side_points: [Zones; 3],
    /// Zones with snow in winter (6).
    pub snow: Zones,
    /// Supply Zones by side (7).
    pub supply_zones: [Zones; 3],
    /// Ports (5).
    pub ports: Zones,
    /// Naval bases (5).
    pub naval_bases: Zones,
    /// Fortresses (5).
    pub fortress: Zones,
    /// Zones over which those who have landed may advance (16.4).
    pub open_ground: Zones,
}

impl ZoneSets {
    pub(super) fn derive(rules: &Rules) -> ZoneSets {
        let zones_where = |wanted: &dyn Fn(&LandZone) -> bool| -> Zones {
            rules.every_zone().filter(|&zone| wanted(&rules.zones[zone.at()])).collect()
        };
        let home = Country::ALL.map(|country| match country {
            Country::Vichy => zones_where(&|zone| zone.vichy),
            _ => zones_where(&|zone| zone.country == country),
        });
        ZoneSets {
            everywhere: zones_where(&|_| true),
            capital: capitals(rules),
            vichy: zones_where(&|zone| zone.vichy),
            eastern_poland: zones_where(&|zone| zone.eastern_poland),
            italian_area: italian_area(rules, &home),
            limited: zones_where(&|zone| zone.corps_limit.is_some()),
            unlimited: zones_where(&|zone| zone.unlimited),
            general_points: zones_where(&|zone| zone.general_point),
            side_points: Force::ALL.map(|force| zones_where(&|zone| zone.side_point == Some(force))),
            snow: zones_where(&|zone| zone.snow),
            supply_zones: Force::ALL.map(|force| zones_where(&|zone| zone.supply_zone == Some(force))),
            ports: zones_where(&|zone| zone.port),
            naval_bases: zones_where(&|zone| zone.naval_base),
            fortress: zones_where(&|zone| zone.fortress),
            open_ground: zones_where(&|zone| rules.charts.terrain[zone.terrain as usize].open),
            home,
        }
    }
}

/// Capital of each country; the last one named counts.
fn capitals(rules: &Rules) -> [Option<Zone>; COUNTRIES] {
    let mut capital = [None; COUNTRIES];
    for (zone, data) in rules.every_zone().zip(&rules.zones).filter(|(_, data)| data.capital) {
        capital[data.country.index()] = Some(zone);
    }
    capital
}

/// Where Italian corps are under no limit: at home, in the Balkans' south, in Africa and British Asia (9.6).
fn italian_area(rules: &Rules, home: &[Zones; COUNTRIES]) -> Zones {
    let overseas = rules.regions.africa.or(&rules.regions.british_asia);
    [Country::Gre, Country::Yug, Country::Tur, Country::Ita]
        .iter()
        .fold(overseas, |area, country| area.or(&home[country.index()]))
}
