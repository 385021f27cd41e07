//! Areas by what they are: countries, terrain, cities, regions.

use sandtable_core::Index;

use super::land::Land;
use crate::nation::Nation;
use crate::place::Place;
use crate::rules::{Area, Areas, Rules, Terrain};

/// Sets of areas that the rules ask for.
#[derive(Clone, Debug)]
pub(crate) struct AreaSets {
    /// All areas of the map.
    pub all: Areas,
    /// Home territory by nation (1.16).
    pub home: Vec<Areas>,
    /// Areas owned in 1939, by nation.
    pub country: Vec<Areas>,
    /// Areas with factory sites.
    pub sites: Areas,
    /// Areas with resources.
    pub resources: Areas,
    /// Areas where armies stop on entering.
    pub mountains: Areas,
    /// Areas where armies stop on entering if they are not friendly.
    pub forests: Areas,
    /// Areas with winter in the last turn of a year: Soviet home territory and Finland (3.4).
    pub eastern: Areas,
    /// Areas that can be invaded at all; those of north Germany by option.
    pub invadable: Areas,
    /// The Middle East and North Africa (8.7, R-74).
    pub overseas: Areas,
    /// Boxes that cannot be attacked (13: Canada, USA).
    pub safe: Areas,
    /// Areas without neighbours that armies may march to.
    pub isolated: Areas,
}

impl AreaSets {
    pub(super) fn derive(rules: &Rules, land: &Land) -> AreaSets {
        let areas_where = |is: &dyn Fn(&Area) -> bool| -> Areas {
            (0..).zip(&rules.areas).filter(|(_, area)| is(area)).map(|(at, _)| Place::nth(at)).collect()
        };
        let all = areas_where(&|_| true);
        AreaSets {
            home: Nation::ALL.map(|nation| areas_where(&|area| area.home == Some(nation))).to_vec(),
            country: Nation::ALL.map(|nation| areas_where(&|area| area.country == nation)).to_vec(),
            sites: areas_where(&|area| area.city > 0),
            resources: areas_where(&|area| area.resource > 0),
            mountains: areas_where(&|area| area.terrain == Terrain::Mountain),
            forests: areas_where(&|area| area.terrain == Terrain::Forest),
            eastern: areas_where(&|area| area.home == Some(Nation::Ussr) || area.country == Nation::Finland),
            invadable: areas_where(&|area| {
                area.invadable || !rules.options.north_germany_closed && area.country == Nation::Germany
            }),
            overseas: rules.regions.middle_east.or(&rules.regions.north_africa),
            safe: areas_where(&|area| area.safe),
            isolated: all.filter(|area| land.march.neighbours(area).is_empty()),
            all,
        }
    }
}
