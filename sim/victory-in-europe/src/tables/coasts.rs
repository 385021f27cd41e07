//! Where land and sea meet (7.22): coasts, ports, naval bases.

use sandtable_core::Index;

use crate::game::COASTS;
use crate::rules::{Areas, Port, Rules, Seas};

/// Coasts of the areas, areas on the seas.
#[derive(Clone, Debug)]
pub(crate) struct Coasts {
    /// Seas on each coast, by area; index 0 = coast 1.
    pub seas: Vec<[Seas; COASTS]>,
    /// Whether each coast has a port.
    pub has_port: Vec<[bool; COASTS]>,
    /// Whether each coast has a naval base (1.44).
    pub has_base: Vec<[bool; COASTS]>,
    /// Areas with a port on any sea (the off-map sea of red ports too).
    pub ports: Areas,
    /// Areas with a red port (8.7).
    pub red_ports: Areas,
    /// Areas with a naval base (1.44).
    pub bases: Areas,
    /// Areas with a port, by coast.
    pub ports_by_coast: [Areas; COASTS],
    /// Areas with a red port (8.7), by coast.
    pub red_by_coast: [Areas; COASTS],
    /// Areas with a coast on each sea.
    pub of_sea: Vec<Areas>,
    /// Areas with a port on each sea.
    pub sea_ports: Vec<Areas>,
    /// Areas that each sea touches, by the coast it touches.
    pub sea_sides: Vec<[Areas; COASTS]>,
}

impl Coasts {
    /// # Errors
    /// Says which port lies on a coast that is not there.
    pub(super) fn derive(rules: &Rules) -> Result<Coasts, String> {
        let areas = rules.areas.len();
        for port in &rules.ports {
            let (area, coast) = (port.area.at(), port.coast as usize);
            if area >= areas || coast == 0 || coast > COASTS {
                return Err(format!("port {} lies on coast {coast} of area {area}", port.name));
            }
        }
        let mut seas = vec![[0; COASTS]; areas];
        let mut has_port = vec![[false; COASTS]; areas];
        let mut has_base = has_port.clone();
        for port in &rules.ports {
            let (area, coast) = (port.area.at(), port.coast as usize - 1);
            seas[area][coast] |= port.seas;
            has_port[area][coast] |= is_port(port);
            has_base[area][coast] |= port.base;
        }
        let zones = 0..rules.seas.len();
        let on = |port: &Port, zone: usize| port.seas & 1 << zone != 0;
        Ok(Coasts {
            seas,
            has_port,
            has_base,
            ports: with(rules, is_port),
            red_ports: with(rules, |port| port.red),
            bases: with(rules, |port| port.base),
            ports_by_coast: with_by_coast(rules, is_port),
            red_by_coast: with_by_coast(rules, |port| port.red),
            of_sea: zones.clone().map(|zone| with(rules, |port| on(port, zone))).collect(),
            sea_ports: zones
                .clone()
                .map(|zone| with(rules, |port| on(port, zone) && is_port(port)))
                .collect(),
            sea_sides: zones.map(|zone| with_by_coast(rules, |port| on(port, zone))).collect(),
        })
    }
}

/// Whether ships can lie there: a coast without a port has no name.
fn is_port(port: &Port) -> bool {
    !port.name.is_empty()
}

/// Areas with such a coast.
fn with(rules: &Rules, is: impl Fn(&Port) -> bool) -> Areas {
    rules.ports.iter().filter(|port| is(port)).map(|port| port.area).collect()
}

/// Areas with such a coast, by coast.
fn with_by_coast(rules: &Rules, is: impl Fn(&Port) -> bool) -> [Areas; COASTS] {
    [1, 2].map(|coast| with(rules, |port| port.coast == coast && is(port)))
}
