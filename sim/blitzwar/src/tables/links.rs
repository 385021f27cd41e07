//! Lines between land zones (5): which zones touch, and across what.

use sandtable_core::{AreaBoard, Board, Index};

use crate::location::{ByCode, Location, Zone, by_code};
use crate::rules::{Rules, Zones};
use crate::state::NONE;

/// Most zones with a fortified line: each is a bit of the state.
const MAX_LINES: usize = 8;

/// Lines between zones.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    /// The zones and their land neighbours.
    pub land: AreaBoard<Zone, 4>,
    /// Land neighbours, of any location: where a counter is must not be asked first.
    pub adjacent: ByCode<Location, Zones>,
    /// Steps by land from zone to zone, 255 where there is no way.
    pub distance: Vec<ByCode<Zone, u8>>,
    /// Land and dotted neighbours.
    pub linked: ByCode<Location, Zones>,
    /// Dotted neighbours.
    pub dotted: ByCode<Location, Zones>,
    /// `river[z]`: neighbours whose attack on z crosses a river (16.3.2).
    pub river: ByCode<Location, Zones>,
    /// `line[z]`: neighbours whose attack on z crosses a fortified line (16.3.2).
    pub line: ByCode<Location, Zones>,
}

impl Links {
    /// # Errors
    /// Says which link leads nowhere, or that there are too many fortified lines.
    pub(super) fn derive(rules: &Rules) -> Result<Links, String> {
        let zones = rules.zones.len();
        let mut adjacent = vec![Zones::EMPTY; zones];
        let mut dotted = adjacent.clone();
        let mut river = adjacent.clone();
        let mut line = adjacent.clone();
        for link in &rules.links {
            let (a, b) = (link.a.at(), link.b.at());
            if a >= zones || b >= zones || a == b {
                return Err(format!("a link joins zones {a} and {b} of {zones}"));
            }
            let set = if link.dotted { &mut dotted } else { &mut adjacent };
            set[a].insert(link.b);
            set[b].insert(link.a);
            if link.river_a {
                river[a].insert(link.b);
            }
            if link.river_b {
                river[b].insert(link.a);
            }
            if let Some(zone) = link.fortified {
                line[zone.at()].insert(if zone == link.a { link.b } else { link.a });
            }
        }
        if line.iter().filter(|line| !line.is_empty()).count() > MAX_LINES {
            return Err(format!(
                "more than {MAX_LINES} zones have fortified lines; the engine takes at most {MAX_LINES}"
            ));
        }
        let land = AreaBoard::from_neighbours(adjacent).map_err(|error| error.to_string())?;
        let adjacent = land.all_neighbours();
        Ok(Links {
            adjacent: by_code(adjacent.iter().copied(), Zones::EMPTY),
            linked: by_code(adjacent.iter().zip(&dotted).map(|(a, d)| a.or(d)), Zones::EMPTY),
            distance: rules.every_zone().map(|zone| distances(zone, &land)).collect(),
            dotted: by_code(dotted, Zones::EMPTY),
            river: by_code(river, Zones::EMPTY),
            line: by_code(line, Zones::EMPTY),
            land,
        })
    }
}

/// Steps by land from a zone to every other.
fn distances(from: Zone, land: &AreaBoard<Zone, 4>) -> ByCode<Zone, u8> {
    let mut distance = [NONE; 256];
    land.distances_from(Zones::one(from), land.places(), &mut distance);
    ByCode::new(distance)
}
