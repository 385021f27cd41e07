//! The rules as a value: data, the tables derived from it, and geography questions that need no state.

use sandtable_core::{AreaBoard, Index};

use crate::location::{Counter, Location, Sea, Zone};
use crate::nation::{Country, Force, NATIONS, Nation};
pub use crate::rules::Counters;
use crate::rules::{KINDS, Kind, Rules, Seas, Terrain, TerrainEffects, Zones};
use crate::state::{State, Status};
use crate::tables::{NATIONS_AT_ONCE, Tables};

/// BlitzWar: data and derived tables. Immutable; shared by all games in progress.
#[derive(Clone, Debug)]
pub struct BlitzWar {
    /// The data it was built from.
    pub rules: Rules,
    pub(crate) tables: Box<Tables>,
    pub(crate) sides: [sandtable_core::SideInfo; 3],
}

/// More than any strength of a counter.
const FULL: usize = 16;
/// Infantry and armour corps by kind and strength.
const CORPS: [[(u8, u8); FULL]; KINDS] = {
    let mut corps = [[(0, 0); FULL]; KINDS];
    let mut strength = 0;
    while strength < FULL as u8 {
        let at = strength as usize;
        let mixed = (1, strength.saturating_sub(1));
        corps[Kind::Infantry as usize][at] = (strength, 0);
        corps[Kind::Armour as usize][at] = (0, strength);
        corps[Kind::White as usize][at] = mixed;
        corps[Kind::Elite as usize][at] = mixed;
        strength += 1;
    }
    corps
};

impl BlitzWar {
    /// Derives the tables of play from data.
    ///
    /// # Errors
    /// Says which part of the data is out of the engine's bounds or refers to a zone, sea or counter that is not there.
    pub fn new(mut rules: Rules) -> Result<BlitzWar, String> {
        sort_by_nation(&mut rules);
        let tables = Box::new(Tables::derive(&rules)?);
        let sides = Force::ALL.map(|force| sandtable_core::SideInfo {
            id: force.id(),
            name: force.name(),
            team: u8::from(force != Force::Axis),
            points: Self::points_range(&rules, force),
        });
        Ok(BlitzWar { rules, tables, sides })
    }

    // ---- counters ----

    /// What the counter is made of.
    #[inline]
    pub fn kind(&self, counter: Counter) -> Kind {
        self.tables.sheet.kind_of[counter]
    }
    /// Whose counter it is.
    #[inline]
    pub fn nation(&self, counter: Counter) -> Nation {
        self.tables.sheet.nation_of[counter]
    }
    /// Index of the counter's type in [`Rules::counter_types`].
    #[inline]
    pub fn counter_type(&self, counter: Counter) -> u8 {
        self.tables.sheet.type_of[counter]
    }
    /// How many counters there are.
    pub fn counters(&self) -> u8 {
        self.tables.sheet.count
    }
    /// Every counter of the sheet.
    pub fn sheet(&self) -> impl Iterator<Item = Counter> + Clone + use<> {
        (0..self.tables.sheet.count).map(Counter)
    }
    /// Counters of a side outside pool and lock.
    pub fn counters_of(&self, state: &State, force: Force) -> Counters {
        self.of_nations(state.allies[force.index()]).and(&state.on_map)
    }
    /// Counters of neutral nations outside pool and lock.
    pub(crate) fn neutral_counters(&self, state: &State) -> Counters {
        let at_war = state.allies[0] | state.allies[1] | state.allies[2];
        self.of_nations(((1 << NATIONS) - 1) & !at_war).and(&state.on_map)
    }
    #[inline]
    fn of_nations(&self, nations: u32) -> Counters {
        let groups = self.tables.sheet.of_nations.iter().enumerate();
        groups.fold(Counters::EMPTY, |counters, (nth, sets)| {
            counters.or(&sets[(nations >> (NATIONS_AT_ONCE * nth) & ((1 << NATIONS_AT_ONCE) - 1)) as usize])
        })
    }
    /// Counters of a kind, on the map or not.
    #[inline]
    pub(crate) fn of_kind(&self, kind: Kind) -> &Counters {
        &self.tables.sheet.of_kind[kind as usize]
    }
    /// Side the counter is on, `None` while its nation is neutral.
    #[inline]
    pub fn force(&self, state: &State, counter: Counter) -> Option<Force> {
        state.force_of(self.nation(counter))
    }
    /// Side a nation's counters are on; `None` while it is neutral, or gone.
    pub fn side_of(&self, state: &State, nation: Nation) -> Option<Force> {
        state.force_of(nation)
    }
    /// Infantry and armour corps on the counter's face.
    #[inline]
    pub fn corps_of(&self, state: &State, counter: Counter) -> (u8, u8) {
        CORPS[self.kind(counter) as usize][state.strength(counter) as usize & (FULL - 1)]
    }
    /// Infantry and armour corps of a side in a place.
    pub fn corps_in(&self, state: &State, place: Location, force: Force) -> (u8, u8) {
        let mut sum = (0, 0);
        for counter in state.stack(place) {
            if self.kind(counter).is_corps() && self.force(state, counter) == Some(force) {
                let (infantry, armour) = self.corps_of(state, counter);
                sum = (sum.0 + infantry, sum.1 + armour);
            }
        }
        sum
    }

    // ---- zones ----

    /// Land neighbours of a zone (brown lines).
    #[inline]
    pub fn adjacent(&self, zone: Zone) -> &Zones {
        &self.tables.links.adjacent[zone]
    }
    /// The zones and their land neighbours as a board.
    #[inline]
    pub fn land(&self) -> &AreaBoard<Zone, 4> {
        &self.tables.links.land
    }
    /// Zones in air range of a base, by links or across a common sea (13.4.1).
    #[inline]
    pub fn air_range(&self, base: Location) -> &Zones {
        &self.tables.coasts.air_range[base]
    }
    /// Seas on which a zone has a coast.
    #[inline]
    pub fn coast(&self, zone: Zone) -> Seas {
        self.tables.coasts.of_zone[zone]
    }
    /// Seas on which a zone's port opens.
    #[inline]
    pub fn port_seas(&self, zone: Zone) -> Seas {
        self.tables.coasts.port_seas[zone]
    }
    /// Zones that can be landed on from a sea (13.4.5).
    #[inline]
    pub fn beaches(&self, sea: Sea) -> &Zones {
        &self.tables.coasts.sea_beaches[sea.at()]
    }
    /// Zones coastal to a sea.
    #[inline]
    pub fn sea_coast(&self, sea: Sea) -> &Zones {
        &self.tables.coasts.of_sea[sea.at()]
    }
    /// Zones of a country in 1939.
    #[inline]
    pub fn home(&self, country: Country) -> &Zones {
        &self.tables.zones.home[country.index()]
    }
    /// Capital of a country.
    #[inline]
    pub fn capital(&self, country: Country) -> Option<Zone> {
        self.tables.zones.capital[country.index()]
    }
    /// Supply Zones of a side (7).
    #[inline]
    pub fn supply_zones(&self, force: Force) -> &Zones {
        &self.tables.zones.supply_zones[force.index()]
    }
    /// Ports.
    #[inline]
    pub fn ports(&self) -> &Zones {
        &self.tables.zones.ports
    }
    /// Strategic points of any kind: general ones and those of every side (5).
    pub fn strategic_points(&self) -> Zones {
        let side = &self.tables.zones.side_points;
        self.tables.zones.general_points.or(&side[0]).or(&side[1]).or(&side[2])
    }
    /// Strategic points of a side.
    pub fn side_points(&self, force: Force) -> &Zones {
        &self.tables.zones.side_points[force.index()]
    }
    /// The country a zone belongs to now: Vichy for its zones once it exists, else the owner of 1939.
    #[inline]
    pub fn country_at(&self, state: &State, zone: Zone) -> Country {
        if state.status(Country::Vichy) != Status::Absent && self.tables.zones.vichy.contains(zone) {
            Country::Vichy
        } else {
            self.rules.zones[zone.at()].country
        }
    }
    /// Terrain.
    #[inline]
    pub fn terrain(&self, zone: Zone) -> Terrain {
        self.rules.zones[zone.at()].terrain
    }
    /// What the terrain of a zone does.
    #[inline]
    pub fn terrain_effects(&self, zone: Zone) -> TerrainEffects {
        self.rules.charts.terrain[self.terrain(zone) as usize]
    }
    /// Whether snow lies in the zone this turn (6).
    #[inline]
    pub fn snow_at(&self, state: &State, zone: Zone) -> bool {
        self.weather(state) == crate::rules::Weather::Snow && self.tables.zones.snow.contains(zone)
    }
    /// Weather of the turn (6).
    #[inline]
    pub fn weather(&self, state: &State) -> crate::rules::Weather {
        self.calendar(state).weather
    }
    /// Calendar entry of the turn (8).
    #[inline]
    pub fn calendar(&self, state: &State) -> &crate::rules::CalendarTurn {
        &self.rules.calendar[state.turn as usize - 1]
    }
    /// Whether the zone's fortified line still stands (16.3.2).
    pub fn line_stands(&self, state: &State, zone: Zone) -> bool {
        self.line_bit(zone).is_some_and(|bit| state.broken_lines & bit == 0)
    }
    pub(crate) fn line_bit(&self, zone: Zone) -> Option<u8> {
        if self.tables.links.line[zone].is_empty() {
            return None;
        }
        let nth = self.tables.links.line.0[..zone.at()].iter().filter(|line| !line.is_empty()).count();
        Some(1 << nth)
    }
    /// Name of a place, for people.
    pub fn place_name(&self, state: &State, place: Location) -> String {
        if place.is_zone() {
            self.rules.zones[place.at()].name.clone()
        } else if let Some(sea) = place.sea() {
            self.rules.seas[sea.at()].name.clone()
        } else if let Some((zone, sea)) = state.beachhead(place) {
            let (zone, sea) = (&self.rules.zones[zone.at()].name, &self.rules.seas[sea.at()].name);
            format!("the beachhead at {zone} ({sea})")
        } else if place == Location::BOMBING_BOX {
            "the strategic bombing box".into()
        } else {
            "the pool".into()
        }
    }
    /// Zone by identifier.
    pub fn zone(&self, id: &str) -> Option<Zone> {
        self.rules.zones.iter().position(|zone| zone.id == id).map(Zone::nth)
    }
    /// Sea by identifier.
    pub fn sea(&self, id: &str) -> Option<Sea> {
        self.rules.seas.iter().position(|sea| sea.id == id).map(Sea::nth)
    }
}

/// Sorts the counter types by nation, so that whoever walks nations and their types walks the counters upwards.
fn sort_by_nation(rules: &mut Rules) {
    let mut order: Vec<usize> = (0..rules.counter_types.len()).collect();
    order.sort_by_key(|&index| rules.counter_types[index].nation);
    rules.counter_types = order.iter().map(|&index| rules.counter_types[index].clone()).collect();
    for (kind, _) in &mut rules.setup.released {
        *kind = order.iter().position(|&index| index == *kind as usize).map_or(*kind, |at| at as u8);
    }
}
