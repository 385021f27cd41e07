//! The rules as a value: data, the tables derived from it, and geography questions that need no state.

use crate::place::{PLACES, Place, UnitId};
use sandtable_core::{Index, SideInfo};

use crate::hidden::Lineup;
use crate::nation::{Force, NATIONS, Nation};
use crate::rules::{
    Areas, Arm, Border, BorderKind, CalendarTurn, Card, Kind, MAX_AREAS, MAX_BORDERS, MAX_CARDS, MAX_SEAS,
    MAX_UNITS, Rules, SeaKind, Seas, Terrain, UnitType, Units,
};
use crate::state::State;

/// Most gates between sea zones.
const MAX_GATES: usize = 32;

/// Coasts an area may have (7.22).
pub const COASTS: usize = 2;

/// Victory in Europe: data and derived tables. Immutable; shared by all games in progress.
#[derive(Clone, Debug)]
pub struct VictoryInEurope {
    /// The data it was built from.
    pub rules: Rules,
    pub(crate) tables: Box<Tables>,
    pub(crate) sides: Vec<SideInfo>,
}

/// What is derived from the data once.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// Land neighbours that armies may march to (no alpine borders, no Urals).
    pub adjacent: Vec<Areas>,
    /// Land neighbours for aircraft (alpine borders too).
    pub air_adjacent: Vec<Areas>,
    /// Where aircraft may be next to each place: land neighbours, and sea zones on their coasts and beside each other; those
    /// that only a strait or canal joins are not.
    pub air_near: Vec<Areas>,
    /// Land neighbours for supply (Urals too).
    pub supply_adjacent: Vec<Areas>,
    /// Neighbours and the border to each, by area.
    pub borders: Vec<Vec<(Place, u16)>>,
    /// Seas on each coast, by area; index 0 = coast 1.
    pub coast_seas: Vec<[Seas; COASTS]>,
    /// Whether each coast has a port, a naval base.
    pub coast_port: Vec<[bool; COASTS]>,
    pub coast_base: Vec<[bool; COASTS]>,
    /// Areas with a port on any sea (the off-map sea of red ports too), with a red port.
    pub ports: Areas,
    pub red_ports: Areas,
    /// Areas with a coast on each sea; with a port on it.
    pub sea_coast: Vec<Areas>,
    pub sea_ports: Vec<Areas>,
    /// Links of each sea: neighbour, gate.
    pub sea_links: Vec<Vec<(u8, Option<u8>)>>,
    /// Sea zones ships may enter.
    pub open_seas: Seas,
    /// Freezing seas.
    pub ice: Seas,
    /// Home territory, and areas owned in 1939, by nation.
    pub home: Vec<Areas>,
    pub country: Vec<Areas>,
    /// Areas with factory sites.
    pub sites: Areas,
    /// Areas with resources.
    pub resources: Areas,
    /// Areas where armies stop on entering (mountains), or if not friendly (forests).
    pub mountains: Areas,
    pub forests: Areas,
    /// Areas with winter in the last turn of a year: Soviet home territory and Finland (3.4).
    pub eastern: Areas,
    pub all_areas: Areas,
    /// Units by nation, arm and kind.
    pub of_nation: Vec<Units>,
    pub of_arm: [Units; 3],
    pub of_kind: Vec<Units>,
    pub all_units: Units,
    pub kind_of: [Kind; MAX_UNITS],
    pub arm_of: [Arm; MAX_UNITS],
    pub nation_of: [Nation; MAX_UNITS],
    pub max_steps: [u8; MAX_UNITS],
    /// Points of a step (2.5).
    pub price: [u8; MAX_UNITS],
    /// The convoy zone of each convoy (7.7), as a place: the one of the same identifier; [`Place::NONE`] for other units.
    pub convoy_zone: [Place; MAX_UNITS],
    /// The first counter that each one is like in nation, type, steps and first area; convoys are like no other.
    pub like: [UnitId; MAX_UNITS],
    /// Areas with a naval base (1.44).
    pub bases: Areas,
    /// Areas with a port, with a red port, by coast.
    pub ports_by_coast: [Areas; COASTS],
    pub red_by_coast: [Areas; COASTS],
    /// Areas that each sea touches, by the coast it touches.
    pub sea_sides: Vec<[Areas; COASTS]>,
    /// Seas next to each sea through open water; those behind gates with the gate.
    pub sea_near: [Seas; MAX_SEAS],
    pub sea_gates: Vec<Vec<(u8, u8)>>,
    /// Seas with a gate to another.
    pub gated: Seas,
    /// Pairs of seas with the gate between them.
    pub gate_links: Vec<(Seas, u8)>,
    /// Sea zones that ships may enter by the movement points they take to enter (7.24).
    pub by_entry: Vec<(u8, Seas)>,
    /// Boxes that cannot be attacked (13: Canada, USA).
    pub safe: Areas,
    /// Areas without neighbours.
    pub isolated: Areas,
    /// Units that can ever move (2.6, 7.7).
    pub mobile: Units,
    /// Troops that can invade from the sea (7.5).
    pub invaders: Units,
    /// Areas that can be invaded at all; those of north Germany by option.
    pub invadable: Areas,
    /// The Middle East and North Africa (8.7, R-74).
    pub overseas: Areas,
    /// Units that count against the same stacking limit (4.5, 6.11, 7.11), by class; the class of each unit.
    pub peers: [Units; Peers::COUNT],
    pub peers_of: [Peers; MAX_UNITS],
    /// How many a place takes: in an area the military units (99 = any number of everything), at sea the ships.
    pub limit: [u8; PLACES],
    /// Units that come on the map where they are at home, when their nation is attacked or joins (10.2).
    pub with_home: Units,
    /// Counters that may be built, by turn: those of age (2.1).
    pub of_age: Vec<Units>,
    /// Free forces that were not there from the first: they wait for the fall of their nation (11.42).
    pub waiting: Units,
    /// Units that fight for another nation once their own has fallen (11.42).
    pub free: Units,
    /// What shows of counters while they are hidden; second, where leaders and paratroops are told from other armies.
    pub lineups: [Lineup; 2],
    /// Cards by force, and the decks of each turn's year by team (3.1), as bits.
    pub cards_of: [u128; 3],
    pub decks: Vec<[u128; 2]>,
}

/// Units that count against the same stacking limit (4.5, 6.11, 7.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Peers {
    /// Military units.
    Armies,
    /// One a place (5.6).
    Leaders,
    /// They find room anywhere (2.6).
    Paratroops,
    /// One a place (6.11).
    Aircraft,
    /// By coast (7.11).
    Ships,
    /// One a zone (7.7).
    Convoys,
}

impl Peers {
    pub(crate) const COUNT: usize = 6;

    fn of(sheet: &UnitType) -> Peers {
        match (sheet.arm, sheet.kind) {
            (_, Kind::Leader) => Peers::Leaders,
            (_, Kind::Paratroop) => Peers::Paratroops,
            (_, Kind::Convoy) => Peers::Convoys,
            (Arm::Army, _) => Peers::Armies,
            (Arm::Air, _) => Peers::Aircraft,
            (Arm::Naval, _) => Peers::Ships,
        }
    }
}

fn areas_where(rules: &Rules, is: impl Fn(&crate::rules::Area) -> bool) -> Areas {
    (0..).zip(&rules.areas).filter(|(_, area)| is(area)).map(|(at, _)| Place::nth(at)).collect()
}

impl VictoryInEurope {
    /// Derives the tables of play from data.
    ///
    /// # Errors
    /// Says which part of the data is out of the engine's bounds or refers to something that is not there.
    pub fn new(rules: Rules) -> Result<VictoryInEurope, String> {
        let tables = Box::new(Tables::derive(&rules)?);
        let points = (0, crate::victory::MOST_POINTS);
        let sides = if rules.options.three_players {
            vec![
                SideInfo { id: "axis", name: "Axis", team: 0, points },
                SideInfo { id: "allied", name: "Western Allies", team: 1, points },
                SideInfo { id: "soviet", name: "Soviets", team: 1, points },
            ]
        } else {
            vec![
                SideInfo { id: "axis", name: "Axis", team: 0, points },
                SideInfo { id: "allied", name: "Allies", team: 1, points },
            ]
        };
        Ok(VictoryInEurope { rules, tables, sides })
    }

    /// The side that plays a force.
    #[inline]
    pub fn side_of(&self, force: Force) -> sandtable_core::Side {
        let side = force as u8;
        sandtable_core::Side(if self.rules.options.three_players { side } else { side.min(1) })
    }

    // ---- units ----

    /// What kind of unit it is.
    #[inline]
    pub fn kind(&self, unit: UnitId) -> Kind {
        self.tables.kind_of[unit.at()]
    }
    /// Land, air or sea.
    #[inline]
    pub fn arm(&self, unit: UnitId) -> Arm {
        self.tables.arm_of[unit.at()]
    }
    /// Whose unit it is. Free forces change nation: see [`VictoryInEurope::nation`].
    #[inline]
    pub fn printed_nation(&self, unit: UnitId) -> Nation {
        self.tables.nation_of[unit.at()]
    }
    /// Most steps.
    #[inline]
    pub fn max_steps(&self, unit: UnitId) -> u8 {
        self.tables.max_steps[unit.at()]
    }
    /// Its type.
    #[inline]
    pub fn unit_type(&self, unit: UnitId) -> &UnitType {
        &self.rules.unit_types[self.rules.units[unit.at()].kind as usize]
    }
    /// All counters.
    #[inline]
    pub fn unit_ids(&self) -> impl DoubleEndedIterator<Item = UnitId> + use<> {
        (0..self.rules.units.len() as u8).map(UnitId)
    }
    /// Unit by identifier.
    pub fn unit(&self, id: &str) -> Option<UnitId> {
        self.rules.units.iter().position(|unit| unit.id == id).map(UnitId::nth)
    }

    // ---- map ----

    /// All areas.
    #[inline]
    pub fn areas(&self) -> Areas {
        self.tables.all_areas
    }
    /// Land neighbours that armies may march to.
    #[inline]
    pub fn adjacent(&self, area: Place) -> &Areas {
        &self.tables.adjacent[area.at()]
    }
    /// Neighbours by land for lines of supply: by the Urals too (8.1, 13).
    #[inline]
    pub fn supply_adjacent(&self, area: Place) -> &Areas {
        &self.tables.supply_adjacent[area.at()]
    }
    /// The border between two areas, if they touch.
    #[inline]
    pub fn border(&self, a: Place, b: Place) -> Option<(u16, &Border)> {
        let list = &self.tables.borders[a.at()];
        let &(_, index) = list.iter().find(|&&(to, _)| to == b)?;
        Some((index, &self.rules.borders[index as usize]))
    }
    /// Units that may enter or leave a battle over the border between two areas (4.6), as the rivers are now (3.44).
    pub fn border_limit(&self, state: &State, a: Place, b: Place) -> u8 {
        let calendar = self.calendar(state);
        self.border(a, b).map_or(0, |(_, border)| {
            if calendar.winter || calendar.winter_east { border.limit_frozen } else { border.limit }
        })
    }
    /// Seas on a coast of an area, or on all of them for coast 0.
    #[inline]
    pub fn coast_seas(&self, area: Place, coast: u8) -> Seas {
        let seas = &self.tables.coast_seas[area.at()];
        if coast == 0 { seas[0] | seas[1] } else { seas[coast as usize - 1] }
    }
    /// Coasts of an area that touch a sea, by number.
    pub fn coasts_on(&self, area: Place, sea: u8) -> impl Iterator<Item = u8> {
        let seas = self.tables.coast_seas[area.at()];
        (1..=COASTS as u8).filter(move |&coast| seas[coast as usize - 1] & 1 << sea != 0)
    }
    /// Whether a coast has a port.
    #[inline]
    pub fn has_port(&self, area: Place, coast: u8) -> bool {
        coast > 0 && self.tables.coast_port[area.at()][coast as usize - 1]
    }
    /// Whether a coast has a naval base (1.44).
    #[inline]
    pub fn has_base(&self, area: Place, coast: u8) -> bool {
        coast > 0 && self.tables.coast_base[area.at()][coast as usize - 1]
    }
    /// Home territory of a nation (1.16).
    #[inline]
    pub fn home(&self, nation: Nation) -> &Areas {
        &self.tables.home[nation.index()]
    }
    /// Areas a nation owned in 1939.
    #[inline]
    pub fn country(&self, nation: Nation) -> &Areas {
        &self.tables.country[nation.index()]
    }
    /// Calendar entry of the turn.
    #[inline]
    pub fn calendar(&self, state: &State) -> &CalendarTurn {
        &self.rules.calendar[state.turn as usize - 1]
    }
    /// Whether it is winter at a place (3.4): an area or a sea zone.
    pub fn winter_at(&self, state: &State, place: Place) -> bool {
        let calendar = self.calendar(state);
        calendar.winter || calendar.winter_east && place.is_area() && self.tables.eastern.contains(place)
    }
    /// Seas frozen now (3.43).
    pub fn ice(&self, state: &State) -> Seas {
        let calendar = self.calendar(state);
        if calendar.winter || calendar.winter_east { self.tables.ice } else { 0 }
    }
    /// Name of a place, for people.
    pub fn place_name(&self, place: Place) -> &str {
        match place.sea_zone() {
            Some(sea) => &self.rules.seas[sea as usize].name,
            None if place.is_area() => &self.rules.areas[place.at()].name,
            None => "the pool",
        }
    }
    /// Place by identifier: an area or a sea zone.
    pub fn place(&self, id: &str) -> Option<Place> {
        let area = self.rules.areas.iter().position(|area| area.id == id).map(Place::nth);
        area.or_else(|| self.rules.seas.iter().position(|sea| sea.id == id).map(|at| Place::sea(at as u8)))
    }
}

impl Tables {
    fn derive(rules: &Rules) -> Result<Tables, String> {
        let (areas, seas, units) = (rules.areas.len(), rules.seas.len(), rules.units.len());
        for (what, count, most) in [
            ("areas", areas, MAX_AREAS),
            ("sea zones", seas, MAX_SEAS),
            ("units", units, MAX_UNITS),
            ("borders", rules.borders.len(), MAX_BORDERS),
            ("cards", rules.cards.len(), MAX_CARDS),
        ] {
            if count == 0 || count > most {
                return Err(format!("there are {count} {what}; the engine takes 1 to {most}"));
            }
        }
        if rules.gates.len() > MAX_GATES {
            return Err(format!("there are {} gates; the engine takes {MAX_GATES}", rules.gates.len()));
        }
        let (first, last) = (rules.setup.first_turn, rules.setup.last_turn);
        if first == 0 || first > last || last as usize > rules.calendar.len() {
            return Err(format!(
                "the scenario runs from turn {first} to {last}; the calendar has {} turns",
                rules.calendar.len()
            ));
        }
        if rules.setup.control.len() != areas {
            return Err(format!("{} areas have a controller, of {areas}", rules.setup.control.len()));
        }
        let mut adjacent = vec![Areas::EMPTY; areas];
        let mut air_adjacent = adjacent.clone();
        let mut supply_adjacent = adjacent.clone();
        let mut borders = vec![Vec::new(); areas];
        for (index, border) in rules.borders.iter().enumerate() {
            let (a, b) = (border.a.at(), border.b.at());
            if a >= areas || b >= areas || a == b {
                return Err(format!("a border joins areas {a} and {b} of {areas}"));
            }
            let join = |set: &mut Vec<Areas>| {
                set[a].insert(border.b);
                set[b].insert(border.a);
            };
            join(&mut air_adjacent);
            if border.kind != BorderKind::Alpine {
                join(&mut supply_adjacent);
                if border.kind != BorderKind::Urals {
                    join(&mut adjacent);
                }
            }
            borders[a].push((border.b, index as u16));
            borders[b].push((border.a, index as u16));
        }
        let mut coast_seas = vec![[0; COASTS]; areas];
        let mut coast_port = vec![[false; COASTS]; areas];
        let mut coast_base = coast_port.clone();
        let (mut ports, mut red_ports) = (Areas::EMPTY, Areas::EMPTY);
        let mut sea_coast = vec![Areas::EMPTY; seas];
        let mut sea_ports = sea_coast.clone();
        for port in &rules.ports {
            let (area, coast) = (port.area.at(), port.coast as usize);
            if area >= areas || coast == 0 || coast > COASTS {
                return Err(format!("port {} lies on coast {coast} of area {area}", port.name));
            }
            coast_seas[area][coast - 1] |= port.seas;
            for (sea, (coasts, with_port)) in sea_coast.iter_mut().zip(&mut sea_ports).enumerate() {
                if port.seas & 1 << sea != 0 {
                    coasts.insert(port.area);
                    if !port.name.is_empty() {
                        with_port.insert(port.area);
                    }
                }
            }
            if !port.name.is_empty() {
                coast_port[area][coast - 1] = true;
                ports.insert(port.area);
            }
            coast_base[area][coast - 1] |= port.base;
            if port.red {
                red_ports.insert(port.area);
            }
        }
        let mut sea_links = vec![Vec::new(); seas];
        for link in &rules.sea_links {
            let (a, b) = (link.a as usize, link.b as usize);
            if a >= seas || b >= seas || link.gate.is_some_and(|gate| gate as usize >= rules.gates.len()) {
                return Err(format!("a sea link joins zones {a} and {b} of {seas}"));
            }
            sea_links[a].push((link.b, link.gate));
            sea_links[b].push((link.a, link.gate));
        }
        let mut sea_near = [0; MAX_SEAS];
        let mut gated = 0;
        let mut sea_gates = vec![Vec::new(); seas];
        for (zone, links) in sea_links.iter().enumerate() {
            for &(next, gate) in links {
                match gate {
                    None => sea_near[zone] |= 1 << next,
                    Some(gate) => {
                        sea_gates[zone].push((next, gate));
                        gated |= 1 << zone;
                    }
                }
            }
        }
        let mut by_entry: Vec<(u8, Seas)> = Vec::new();
        for (zone, sea) in rules.seas.iter().enumerate().filter(|(_, sea)| sea.kind != SeaKind::SupplyOnly) {
            match by_entry.iter_mut().find(|(cost, _)| *cost == sea.entry) {
                Some((_, zones)) => *zones |= 1 << zone,
                None => by_entry.push((sea.entry, 1 << zone)),
            }
        }
        let mut limit = [0; PLACES];
        for (limit, area) in limit.iter_mut().zip(&rules.areas) {
            *limit = area.stack;
        }
        for (limit, sea) in limit[MAX_AREAS..].iter_mut().zip(&rules.seas) {
            *limit = rules.charts.sea_stack - u8::from(sea.kind == SeaKind::Convoy);
        }
        let ports_where = |is: &dyn Fn(&crate::rules::Port) -> bool| {
            [1, 2].map(|coast| {
                let ports = rules.ports.iter().filter(|port| port.coast == coast && is(port));
                ports.map(|port| port.area).collect::<Areas>()
            })
        };
        let seas_where = |is: &dyn Fn(&crate::rules::Sea) -> bool| {
            (0..seas).filter(|&sea| is(&rules.seas[sea])).fold(0, |set, sea| set | 1 << sea)
        };
        let mut of_nation = vec![Units::EMPTY; NATIONS];
        let mut of_arm = [Units::EMPTY; 3];
        let mut of_kind = vec![Units::EMPTY; Kind::ALL.len()];
        let mut kind_of = [Kind::Infantry; MAX_UNITS];
        let mut arm_of = [Arm::Army; MAX_UNITS];
        let mut nation_of = [Nation::Germany; MAX_UNITS];
        let mut max_steps = [0; MAX_UNITS];
        let mut price = [0; MAX_UNITS];
        let (mut mobile, mut invaders) = (Units::EMPTY, Units::EMPTY);
        let mut peers = [Units::EMPTY; Peers::COUNT];
        let mut peers_of = [Peers::Armies; MAX_UNITS];
        let mut convoy_zone = [Place::NONE; MAX_UNITS];
        let mut like = [UnitId::NONE; MAX_UNITS];
        for (index, unit) in rules.units.iter().enumerate() {
            let Some(sheet) = rules.unit_types.get(unit.kind as usize) else {
                return Err(format!("unit {} has no type", unit.id));
            };
            if unit.steps > 7 {
                return Err(format!("unit {} has {} steps; the engine takes at most 7", unit.id, unit.steps));
            }
            let counter = UnitId::nth(index);
            of_nation[unit.nation.index()].insert(counter);
            of_arm[sheet.arm as usize].insert(counter);
            of_kind[sheet.kind as usize].insert(counter);
            kind_of[index] = sheet.kind;
            arm_of[index] = sheet.arm;
            nation_of[index] = unit.nation;
            max_steps[index] = unit.steps;
            price[index] = sheet.cost;
            peers_of[index] = Peers::of(sheet);
            peers[peers_of[index] as usize].insert(counter);
            let moves = !matches!(sheet.kind, Kind::Fortress | Kind::Convoy) && sheet.moves > 0;
            mobile.set(counter, moves);
            invaders.set(counter, sheet.kind.is_infantry() && sheet.kind != Kind::Paratroop);
            if sheet.kind == Kind::Convoy {
                let zone = rules.seas.iter().position(|sea| sea.id == unit.id && sea.kind == SeaKind::Convoy);
                let Some(zone) = zone else {
                    return Err(format!("convoy {} has no zone of the same identifier", unit.id));
                };
                convoy_zone[index] = Place::sea(zone as u8);
            }
            let traits = |unit: &crate::rules::Unit| {
                (unit.nation, unit.kind, unit.steps, unit.first_step, unit.free_for)
            };
            let alike = rules.units.iter().position(|other| traits(other) == traits(unit));
            like[index] = UnitId::nth(alike.filter(|_| sheet.kind != Kind::Convoy).unwrap_or(index));
        }
        let mut air_near = air_adjacent.clone();
        air_near.resize(PLACES, Areas::EMPTY);
        for (zone, links) in sea_links.iter().enumerate() {
            let place = Place::sea(zone as u8);
            for area in sea_coast[zone] {
                air_near[area.at()].insert(place);
                air_near[place.at()].insert(area);
            }
            for &(next, gate) in links {
                match gate {
                    None => air_near[place.at()].insert(Place::sea(next)),
                    // A strait or canal is no sea: the way leads over an area beside it (6.1, 13, R-162).
                    Some(gate) => {
                        for side in rules.gates[gate as usize].sides.iter().copied() {
                            air_near[side.at()].insert(place);
                            air_near[place.at()].insert(side);
                        }
                    }
                }
            }
        }
        let units_where = |is: &dyn Fn(&crate::rules::Unit) -> bool| -> Units {
            (0..).zip(&rules.units).filter(|(_, unit)| is(unit)).map(|(at, _)| UnitId::nth(at)).collect()
        };
        let isolated = (0..areas).map(Place::nth).filter(|&area| adjacent[area.at()].is_empty()).collect();
        let cards_where = |is: &dyn Fn(&Card) -> bool| {
            let cards = rules.cards.iter().enumerate().filter(|(_, card)| is(card));
            cards.fold(0u128, |set, (card, _)| set | 1 << card)
        };
        let cards_of = Force::ALL.map(|force| cards_where(&|card| card.colour.force() == force));
        let decks = rules.calendar.iter().map(|turn| {
            let of_year = cards_where(&|card| card.year == turn.year);
            [of_year & cards_of[0], of_year & (cards_of[1] | cards_of[2])]
        });
        Ok(Tables {
            adjacent,
            air_adjacent,
            air_near,
            supply_adjacent,
            borders,
            coast_seas,
            coast_port,
            coast_base,
            ports,
            red_ports,
            sea_coast,
            sea_ports,
            sea_links,
            open_seas: seas_where(&|sea| sea.kind != SeaKind::SupplyOnly),
            ice: seas_where(&|sea| sea.freezes),
            home: Nation::ALL.map(|nation| areas_where(rules, |area| area.home == Some(nation))).to_vec(),
            country: Nation::ALL.map(|nation| areas_where(rules, |area| area.country == nation)).to_vec(),
            sites: areas_where(rules, |area| area.city > 0),
            resources: areas_where(rules, |area| area.resource > 0),
            mountains: areas_where(rules, |area| area.terrain == Terrain::Mountain),
            forests: areas_where(rules, |area| area.terrain == Terrain::Forest),
            eastern: areas_where(rules, |area| {
                area.home == Some(Nation::Ussr) || area.country == Nation::Finland
            }),
            all_areas: areas_where(rules, |_| true),
            all_units: (0..units).map(UnitId::nth).collect(),
            of_nation,
            of_arm,
            of_kind,
            kind_of,
            arm_of,
            nation_of,
            max_steps,
            price,
            convoy_zone,
            like,
            ports_by_coast: ports_where(&|port| !port.name.is_empty()),
            red_by_coast: ports_where(&|port| port.red),
            sea_sides: (0..seas).map(|zone| ports_where(&|port| port.seas & 1 << zone != 0)).collect(),
            sea_near,
            sea_gates,
            gated,
            gate_links: rules
                .sea_links
                .iter()
                .filter_map(|link| link.gate.map(|gate| (1 << link.a | 1 << link.b, gate)))
                .collect(),
            by_entry,
            overseas: rules.regions.middle_east.or(&rules.regions.north_africa),
            safe: areas_where(rules, |area| area.safe),
            isolated,
            mobile,
            invaders,
            invadable: areas_where(rules, |area| {
                area.invadable || !rules.options.north_germany_closed && area.country == Nation::Germany
            }),
            peers,
            peers_of,
            limit,
            with_home: units_where(&|unit| unit.home.is_some()),
            of_age: rules.calendar.iter().map(|turn| units_where(&|unit| unit.year <= turn.year)).collect(),
            waiting: units_where(&|unit| unit.free_for.is_some() && unit.year > rules.calendar[0].year),
            free: units_where(&|unit| unit.free_for.is_some()),
            lineups: [Lineup::new(rules, false)?, Lineup::new(rules, true)?],
            decks: decks.collect(),
            cards_of,
            bases: rules.ports.iter().filter(|port| port.base).map(|port| port.area).collect(),
        })
    }
}
