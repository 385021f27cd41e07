//! Where land and sea meet (5): coasts, ports, beaches, and what is reached from them.

use sandtable_core::Index;

use super::links::Links;
use crate::location::{ByCode, Location, Sea, Zone, by_code, seas, seas_of};
use crate::rules::{Basin, Coast, Rules, Seas, Zones};

/// Coasts of the zones, zones on the seas.
#[derive(Clone, Debug)]
pub(crate) struct Coasts {
    /// Seas on which the zone has a coast.
    pub of_zone: ByCode<Location, Seas>,
    /// Seas on which the zone's port opens.
    pub port_seas: ByCode<Location, Seas>,
    /// Zones coastal to the sea.
    pub of_sea: Vec<Zones>,
    /// Zones with a port on the sea.
    pub sea_ports: Vec<Zones>,
    /// Zones that can be landed on from the sea (13.4.5).
    pub sea_beaches: Vec<Zones>,
    /// Land zones in air range of a base zone: links only or common sea (13.4.1), the base included.
    pub air_range: ByCode<Location, Zones>,
    /// Other ports on the seas of a zone's port, but for Suez and Asian Bases (14.1.1).
    pub next_ports: ByCode<Location, Zones>,
    /// Seas with snow in winter (6).
    pub snow_seas: Seas,
}

impl Coasts {
    pub(super) fn derive(rules: &Rules, links: &Links) -> Coasts {
        let of_zone = seas_where(rules, |_| true);
        let port_seas = seas_where(rules, |coast| coast.port);
        let beach_seas = seas_where(rules, |coast| coast.beach && !rules.zones[coast.zone.at()].naval_base);
        let of_sea = by_sea(rules, &of_zone);
        let sea_ports = by_sea(rules, &port_seas);
        Coasts {
            air_range: air_range(rules, links, &of_zone, &of_sea),
            next_ports: next_ports(rules, &port_seas, &sea_ports),
            sea_beaches: by_sea(rules, &beach_seas),
            snow_seas: seas_of(rules.every_sea().filter(|&sea| rules.seas[sea.at()].basin == Basin::Other)),
            of_zone,
            port_seas,
            of_sea,
            sea_ports,
        }
    }
}

/// The seas on which each zone has such a coast.
fn seas_where(rules: &Rules, wanted: impl Fn(&Coast) -> bool) -> ByCode<Location, Seas> {
    let mut seas = ByCode::new([0; 256]);
    let on_map = rules.coasts.iter().filter(|coast| coast.zone.at() < rules.zones.len());
    for coast in on_map.filter(|coast| wanted(coast)) {
        seas[coast.zone] |= coast.sea.mask();
    }
    seas
}

/// The zones on each sea, from the seas of each zone.
fn by_sea(rules: &Rules, seas: &ByCode<Location, Seas>) -> Vec<Zones> {
    let zones_on = |sea: Sea| rules.every_zone().filter(|&zone| sea.is_in(seas[zone])).collect();
    rules.every_sea().map(zones_on).collect()
}

/// Zones in air range of each base: so many links away, or across a common sea (13.4.1).
fn air_range(
    rules: &Rules,
    links: &Links,
    coast: &ByCode<Location, Seas>,
    sea_coast: &[Zones],
) -> ByCode<Location, Zones> {
    let range = |base: Zone| {
        let mut reach = Zones::one(base);
        for _ in 0..rules.limits.air_range {
            reach = reach.or(&reach.neighbours(&links.linked.0));
        }
        seas(coast[base]).fold(reach, |reach, sea| reach.or(&sea_coast[sea.at()]))
    };
    by_code(rules.every_zone().map(range), Zones::EMPTY)
}

/// Other ports on the seas of each port; Suez and Asian Bases are reached by their own ways (14.1.1).
fn next_ports(
    rules: &Rules,
    port_seas: &ByCode<Location, Seas>,
    sea_ports: &[Zones],
) -> ByCode<Location, Zones> {
    let far = [rules.landmarks.suez, rules.landmarks.asian_bases];
    let next = |from: Zone| -> Zones {
        let next = seas(port_seas[from]).fold(Zones::EMPTY, |next, sea| next.or(&sea_ports[sea.at()]));
        next.iter().filter(|&port| port != from && !far.contains(&port)).collect()
    };
    by_code(rules.every_zone().map(next), Zones::EMPTY)
}

/// Which seas touch, and who can shut the way (12.1).
pub(crate) struct Straits {
    /// Seas next to each sea without a strait between.
    pub open: Vec<Seas>,
    /// Seas behind a strait of each sea, and the zone that controls it.
    pub keyed: Vec<Vec<(Sea, Zone)>>,
}

impl Straits {
    /// A strait is passed both ways, whichever of the seas names it.
    pub(super) fn derive(rules: &Rules) -> Straits {
        let mut keyed: Vec<Vec<(Sea, Zone)>> = vec![Vec::new(); rules.seas.len()];
        for (from, sea) in rules.seas.iter().enumerate() {
            for &(to, key) in &sea.straits {
                for (from, to) in [(Sea::nth(from), to), (to, Sea::nth(from))] {
                    if !keyed[from.at()].contains(&(to, key)) {
                        keyed[from.at()].push((to, key));
                    }
                }
            }
        }
        let around = rules.seas.iter().zip(&keyed);
        let open = around.map(|(sea, keyed)| sea.neighbours & !seas_of(keyed.iter().map(|&(to, _)| to)));
        Straits { open: open.collect(), keyed }
    }
}
