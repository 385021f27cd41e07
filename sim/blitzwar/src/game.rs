//! The rules as a value: data, the tables derived from it, and geography questions that need no state.

use std::cmp::Reverse;

use sandtable_core::{AreaBoard, Board, Index};

use crate::location::{Counter, Location, Sea, Zone};
use crate::nation::{COUNTRIES, Country, Force, NATIONS, Nation};
pub use crate::rules::Counters;
use crate::rules::{
    AreaOfOperations, ByCode, FACES, Faces, Form, KINDS, Kind, MAX_COUNTERS, MAX_SEAS, MAX_ZONES,
    NATION_GROUPS, NATIONS_AT_ONCE, Rules, Seas, Tables, Terrain, TerrainEffects, Zones, by_code, face,
};
use crate::state::{NONE, State, Status};
use crate::ways::{Ground, Waters};

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
        self.tables.kind_of[counter]
    }
    /// Whose counter it is.
    #[inline]
    pub fn nation(&self, counter: Counter) -> Nation {
        self.tables.nation_of[counter]
    }
    /// Index of the counter's type in [`Rules::counter_types`].
    #[inline]
    pub fn counter_type(&self, counter: Counter) -> u8 {
        self.tables.type_of[counter]
    }
    /// How many counters there are.
    pub fn counters(&self) -> u8 {
        self.tables.counters
    }
    /// Every counter of the sheet.
    pub fn sheet(&self) -> impl Iterator<Item = Counter> + Clone + use<> {
        (0..self.tables.counters).map(Counter)
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
        let groups = self.tables.of_nations.iter().enumerate();
        groups.fold(Counters::EMPTY, |counters, (nth, sets)| {
            counters.or(&sets[(nations >> (NATIONS_AT_ONCE * nth) & ((1 << NATIONS_AT_ONCE) - 1)) as usize])
        })
    }
    /// Counters of a kind, on the map or not.
    #[inline]
    pub(crate) fn of_kind(&self, kind: Kind) -> &Counters {
        &self.tables.of_kind[kind as usize]
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
        &self.tables.adjacent[zone]
    }
    /// The zones and their land neighbours as a board.
    #[inline]
    pub fn land(&self) -> &AreaBoard<Zone, 4> {
        &self.tables.land
    }
    /// Zones in air range of a base, by links or across a common sea (13.4.1).
    #[inline]
    pub fn air_range(&self, base: Location) -> &Zones {
        &self.tables.air_range[base]
    }
    /// Seas on which a zone has a coast.
    #[inline]
    pub fn coast(&self, zone: Zone) -> Seas {
        self.tables.coast[zone]
    }
    /// Seas on which a zone's port opens.
    #[inline]
    pub fn port_seas(&self, zone: Zone) -> Seas {
        self.tables.port_seas[zone]
    }
    /// Zones that can be landed on from a sea (13.4.5).
    #[inline]
    pub fn beaches(&self, sea: Sea) -> &Zones {
        &self.tables.sea_beaches[sea.at()]
    }
    /// Zones coastal to a sea.
    #[inline]
    pub fn sea_coast(&self, sea: Sea) -> &Zones {
        &self.tables.sea_coast[sea.at()]
    }
    /// Zones of a country in 1939.
    #[inline]
    pub fn home(&self, country: Country) -> &Zones {
        &self.tables.home[country.index()]
    }
    /// Capital of a country.
    #[inline]
    pub fn capital(&self, country: Country) -> Option<Zone> {
        self.tables.capital[country.index()]
    }
    /// Supply Zones of a side (7).
    #[inline]
    pub fn supply_zones(&self, force: Force) -> &Zones {
        &self.tables.supply_zones[force.index()]
    }
    /// Ports.
    #[inline]
    pub fn ports(&self) -> &Zones {
        &self.tables.ports
    }
    /// Strategic points of any kind: general ones and those of every side (5).
    pub fn strategic_points(&self) -> Zones {
        let side = &self.tables.side_points;
        self.tables.general_points.or(&side[0]).or(&side[1]).or(&side[2])
    }
    /// Strategic points of a side.
    pub fn side_points(&self, force: Force) -> &Zones {
        &self.tables.side_points[force.index()]
    }
    /// The country a zone belongs to now: Vichy for its zones once it exists, else the owner of 1939.
    #[inline]
    pub fn country_at(&self, state: &State, zone: Zone) -> Country {
        if state.status(Country::Vichy) != Status::Absent && self.tables.vichy.contains(zone) {
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
        self.weather(state) == crate::rules::Weather::Snow && self.tables.snow.contains(zone)
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
        if self.tables.line[zone].is_empty() {
            return None;
        }
        let nth = self.tables.line.0[..zone.at()].iter().filter(|line| !line.is_empty()).count();
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

fn seas_of(pairs: impl Iterator<Item = Sea>) -> Seas {
    pairs.fold(0, |seas, sea| seas | sea.mask())
}

/// Steps by land from a zone to every other.
fn distances(from: Zone, land: &AreaBoard<Zone, 4>) -> ByCode<Zone, u8> {
    let mut distance = [NONE; 256];
    land.distances_from(Zones::one(from), &land.places(), &mut distance);
    ByCode::new(distance)
}

impl Tables {
    fn derive(rules: &Rules) -> Result<Tables, String> {
        let zones = rules.zones.len();
        if zones == 0 || zones > MAX_ZONES {
            return Err(format!("the map has {zones} land zones; the engine takes 1 to {MAX_ZONES}"));
        }
        if rules.seas.len() > MAX_SEAS {
            let seas = rules.seas.len();
            return Err(format!("the map has {seas} sea zones; the engine takes at most {MAX_SEAS}"));
        }
        let counters: usize = rules.counter_types.iter().map(|kind| kind.count as usize).sum();
        if counters > MAX_COUNTERS {
            return Err(format!(
                "the counter mix has {counters} counters; the engine takes at most {MAX_COUNTERS}"
            ));
        }
        let (first, last) = (rules.setup.first_turn, rules.setup.last_turn);
        if first == 0 || first > last || last as usize > rules.calendar.len() {
            return Err(format!(
                "the scenario runs from turn {first} to {last}; the calendar has {} turns",
                rules.calendar.len()
            ));
        }
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
        if line.iter().filter(|line| !line.is_empty()).count() > 8 {
            return Err("more than 8 zones have fortified lines; the engine takes at most 8".into());
        }
        let land = AreaBoard::from_neighbours(adjacent.clone()).map_err(|error| error.to_string())?;
        let linked: Vec<Zones> = adjacent.iter().zip(&dotted).map(|(a, d)| a.or(d)).collect();
        let on = |zone: usize, wanted: fn(&crate::rules::Coast) -> bool| {
            seas_of(rules.coasts.iter().filter(move |c| c.zone.at() == zone && wanted(c)).map(|c| c.sea))
        };
        let coast: Vec<Seas> = (0..zones).map(|zone| on(zone, |_| true)).collect();
        let port_seas: Vec<Seas> = (0..zones).map(|zone| on(zone, |coast| coast.port)).collect();
        let beach_seas: Vec<Seas> = (0..zones)
            .map(|zone| if rules.zones[zone].naval_base { 0 } else { on(zone, |coast| coast.beach) })
            .collect();
        let by_sea = |masks: &[Seas]| -> Vec<Zones> {
            rules
                .every_sea()
                .map(|sea| rules.every_zone().filter(|&zone| sea.is_in(masks[zone.at()])).collect())
                .collect()
        };
        let (sea_coast, sea_ports, sea_beaches) = (by_sea(&coast), by_sea(&port_seas), by_sea(&beach_seas));
        let air_range: Vec<Zones> = (0..zones)
            .map(|base| {
                let mut reach = Zones::one(Zone::nth(base));
                for _ in 0..rules.limits.air_range {
                    reach = reach.or(&reach.neighbours(&linked));
                }
                seas(coast[base]).fold(reach, |reach, sea| reach.or(&sea_coast[sea.at()]))
            })
            .collect();
        let mut straits: Vec<Vec<(Sea, Zone)>> = vec![Vec::new(); rules.seas.len()];
        for (from, sea) in rules.seas.iter().enumerate() {
            for &(to, key) in &sea.straits {
                for (from, to) in [(Sea::nth(from), to), (to, Sea::nth(from))] {
                    if !straits[from.at()].contains(&(to, key)) {
                        straits[from.at()].push((to, key));
                    }
                }
            }
        }
        let open_sea: Vec<Seas> = (0..rules.seas.len())
            .map(|sea| rules.seas[sea].neighbours & !seas_of(straits[sea].iter().map(|&(to, _)| to)))
            .collect();
        let far = [rules.landmarks.suez, rules.landmarks.asian_bases];
        let next_ports: Vec<Zones> = (0..zones)
            .map(|from| {
                let next =
                    seas(port_seas[from]).fold(Zones::EMPTY, |next, sea| next.or(&sea_ports[sea.at()]));
                next.iter().filter(|&port| port.at() != from && !far.contains(&port)).collect()
            })
            .collect();
        let zones_where = |wanted: &dyn Fn(&crate::rules::LandZone) -> bool| -> Zones {
            rules.every_zone().filter(|&zone| wanted(&rules.zones[zone.at()])).collect()
        };
        let mut home = [Zones::EMPTY; COUNTRIES];
        let mut capital = [None; COUNTRIES];
        for (index, zone) in rules.zones.iter().enumerate() {
            home[zone.country.index()].insert(Zone::nth(index));
            if zone.capital {
                capital[zone.country.index()] = Some(Zone::nth(index));
            }
        }
        let vichy = zones_where(&|zone| zone.vichy);
        home[Country::Vichy.index()] = vichy;
        let mut type_of = [NONE; 256];
        let mut nation_of = [Nation::Ger; 256];
        let mut kind_of = [Kind::Infantry; 256];
        let mut first_of = Vec::new();
        let mut types_of: [Vec<u8>; NATIONS] = Default::default();
        let mut of_nation = [Counters::EMPTY; NATIONS];
        let mut of_kind = [Counters::EMPTY; KINDS];
        let mut of_type = vec![Counters::EMPTY; rules.counter_types.len()];
        let mut next = 0;
        for (index, sheet) in rules.counter_types.iter().enumerate() {
            first_of.push(Counter::nth(next));
            types_of[sheet.nation.index()].push(index as u8);
            for _ in 0..sheet.count {
                type_of[next] = index as u8;
                nation_of[next] = sheet.nation;
                kind_of[next] = sheet.kind;
                of_nation[sheet.nation.index()].insert(Counter::nth(next));
                of_kind[sheet.kind as usize].insert(Counter::nth(next));
                of_type[index].insert(Counter::nth(next));
                next += 1;
            }
        }
        let mut faces: Vec<[Faces; FACES]> = (0..NATIONS).map(|_| Default::default()).collect();
        for (index, sheet) in rules.counter_types.iter().enumerate() {
            for corps in (0..4).flat_map(|infantry| (0..4).map(move |armour| (infantry, armour))) {
                if let Some(face) = face(corps)
                    && sheet.shows(corps)
                {
                    let faces = &mut faces[sheet.nation.index()][face];
                    let list = if sheet.kind == Kind::Elite { &mut faces.elite } else { &mut faces.plain };
                    let third = corps.0 + corps.1 > 2;
                    list.push(Form {
                        index: index as u8,
                        from: if third { sheet.third_corps_from } else { 0 },
                        restricted: sheet.is_restricted(),
                    });
                }
            }
        }
        for faces in faces.iter_mut().flatten() {
            faces.thrifty.clone_from(&faces.plain);
            faces.thrifty.sort_by_key(|form| rules.counter_types[form.index as usize].front);
        }
        let mut of_nations = [[Counters::EMPTY; 1 << NATIONS_AT_ONCE]; NATION_GROUPS];
        for (nation, counters) in of_nation.iter().enumerate() {
            let bit = 1 << (nation % NATIONS_AT_ONCE);
            for (members, set) in of_nations[nation / NATIONS_AT_ONCE].iter_mut().enumerate() {
                if members & bit != 0 {
                    *set = set.or(counters);
                }
            }
        }
        let mut single = [[Counters::EMPTY; KINDS]; NATIONS];
        for (index, sheet) in rules.counter_types.iter().enumerate() {
            let sets = &mut single[sheet.nation.index()];
            for (kind, corps) in [(Kind::Infantry, (1, 0)), (Kind::Armour, (0, 1))] {
                if sheet.kind != Kind::Elite && sheet.shows(corps) && !sheet.is_restricted() {
                    sets[kind as usize] = sets[kind as usize].or(&of_type[index]);
                }
            }
            if !sheet.kind.is_corps() && (sheet.kind == Kind::Supply || sheet.front == 1 || sheet.back == 1) {
                sets[sheet.kind as usize] = sets[sheet.kind as usize].or(&of_type[index]);
            }
        }
        let eastern_poland = zones_where(&|zone| zone.eastern_poland);
        let mut borders = [0; COUNTRIES];
        for country in Country::ALL {
            let around = land.neighbours_of(&home[country.index()]);
            for other in Country::ALL {
                let more = if other == Country::Ussr { eastern_poland } else { Zones::EMPTY };
                let land = home[other.index()].or(&more);
                borders[country.index()] |= u32::from(around.intersects(&land)) << other as u32;
            }
        }
        let regions = &rules.regions;
        let italian_area = [Country::Gre, Country::Yug, Country::Tur, Country::Ita]
            .iter()
            .fold(regions.africa.or(&regions.british_asia), |area, country| area.or(&home[country.index()]));
        let ground = Ground::derive(rules, &adjacent, &linked, &coast, &port_seas);
        let waters = Waters::derive(rules, &open_sea, &straits, &sea_ports)?;
        Ok(Tables {
            river: by_code(river, Zones::EMPTY),
            line: by_code(line, Zones::EMPTY),
            air_range: by_code(air_range, Zones::EMPTY),
            sea_coast,
            sea_ports,
            sea_beaches,
            ground,
            waters,
            next_ports: by_code(next_ports, Zones::EMPTY),
            vichy,
            single,
            eastern_poland,
            faces,
            borders,
            limited: zones_where(&|zone| zone.corps_limit.is_some()),
            everywhere: zones_where(&|_| true),
            free: rules.costs.prices_on_land().contains(&0),
            minors_due: [(false, false), (true, false), (false, true), (true, true)].map(|(mark1, mark2)| {
                let dated = [Country::Vichy, Country::Yug];
                let due = Country::ALL.into_iter().filter(|&country| {
                    dated.contains(&country) || rules.countries[country.index()].rhythm.is_due(mark1, mark2)
                });
                due.fold(0, |mask, country| mask | 1 << country.index())
            }),
            minors: Nation::ALL
                .into_iter()
                .filter(|nation| nation.country().is_some_and(Country::is_minor_country))
                .fold(Counters::EMPTY, |set, nation| set.or(&of_nation[nation.index()])),
            unleashed: Nation::ALL
                .into_iter()
                .filter(|nation| {
                    nation.country().is_none_or(|country| {
                        !country.is_minor_country()
                            && rules.countries[country.index()].area_of_operations == AreaOfOperations::Free
                    })
                })
                .fold(0, |mask, nation| mask | 1 << nation as u32),
            fed_at_home: Nation::ALL
                .into_iter()
                .filter(|nation| {
                    nation.country().is_some_and(|at| at == Country::Fra || at.is_minor_country())
                })
                .fold(0, |mask, nation| mask | 1 << nation as u32),
            unlimited: zones_where(&|zone| zone.unlimited),
            snow: zones_where(&|zone| zone.snow),
            snow_seas: seas_of(
                rules.every_sea().filter(|&sea| rules.seas[sea.at()].basin == crate::rules::Basin::Other),
            ),
            supply_zones: Force::ALL.map(|force| zones_where(&|zone| zone.supply_zone == Some(force))),
            general_points: zones_where(&|zone| zone.general_point),
            side_points: Force::ALL.map(|force| zones_where(&|zone| zone.side_point == Some(force))),
            ports: zones_where(&|zone| zone.port),
            naval_bases: zones_where(&|zone| zone.naval_base),
            fortress: zones_where(&|zone| zone.fortress),
            open_ground: zones_where(&|zone| rules.charts.terrain[zone.terrain as usize].open),
            italian_area,
            distance: rules.every_zone().map(|zone| distances(zone, &land)).collect(),
            land,
            linked: by_code(linked, Zones::EMPTY),
            adjacent: by_code(adjacent, Zones::EMPTY),
            dotted: by_code(dotted, Zones::EMPTY),
            coast: by_code(coast, 0),
            port_seas: by_code(port_seas, 0),
            home,
            capital,
            type_of: ByCode::new(type_of),
            first_of,
            nation_of: ByCode::new(nation_of),
            kind_of: ByCode::new(kind_of),
            counters: counters as u8,
            supply_types: types_of.each_ref().map(|types| {
                let sheets = types.iter().map(|&kind| (&rules.counter_types[kind as usize], kind));
                let supply = sheets.filter(|(sheet, _)| sheet.kind == Kind::Supply);
                let mut rising: Vec<(u8, u8)> = supply.map(|(sheet, kind)| (2 * sheet.front, kind)).collect();
                // Among equal ones the first comes first, either way.
                let mut falling = rising.clone();
                rising.sort_by_key(|&(room, _)| room);
                falling.sort_by_key(|&(room, _)| Reverse(room));
                [rising, falling]
            }),
            types_of,
            of_nation,
            of_nations,
            corps: [Kind::Infantry, Kind::Armour, Kind::White, Kind::Elite]
                .iter()
                .fold(Counters::EMPTY, |set, &kind| set.or(&of_kind[kind as usize])),
            fortifiable: rules
                .counter_types
                .iter()
                .enumerate()
                .filter(|(_, sheet)| sheet.fortifiable && sheet.kind == Kind::Infantry)
                .fold(Counters::EMPTY, |set, (index, _)| set.or(&of_type[index])),
            ships: of_kind[Kind::Fleet as usize].or(&of_kind[Kind::Submarine as usize]),
            of_kind,
            words_of: by_code(
                of_type.iter().map(|set| (word_of(set.first()), word_of(set.iter().last()))),
                (0, 0),
            ),
            of_type: by_code(of_type, Counters::EMPTY),
        })
    }
}

/// The word of a set that holds a counter; of none the first.
fn word_of(counter: Option<Counter>) -> u8 {
    counter.map_or(0, |counter| counter.0 / 64)
}

/// Seas as an iterator of indices.
pub(crate) fn seas(mut mask: Seas) -> impl Iterator<Item = Sea> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let sea = Sea(mask.trailing_zeros() as u8);
            mask &= mask - 1;
            sea
        })
    })
}
