//! What is derived from the data once: geometry of the map, sets of blocks and hexes.

use sandtable_core::{Hex, HexBoard, Hexsides, Index, hex::Orientation};

use crate::ids::{AREA_LINE, BlockId, Blocks, Camp, Faction, Front, Hexes, LINES, MAX_BLOCKS, NationId};
use crate::rules::{
    Acclimatised, City, Entry, Fire, Fortress, Kind, Port, Quality, Rank, RouteKind, Rules, SideKind, Terrain,
};
use crate::state::MAX_HEADQUARTERS;

/// Numbers of places: hexes and areas.
pub const PLACES: usize = LINES * 64;
/// Most blocks of a camp that may stand in a place.
pub const MOST_STACKED: usize = 4;

/// What play asks of a block most.
#[derive(Clone, Copy, Debug)]
pub struct Brief {
    /// Faction.
    pub faction: Faction,
    /// Camp.
    pub camp: Camp,
    /// Nation.
    pub nation: NationId,
    /// Type.
    pub kind: Kind,
    /// Quality.
    pub quality: Quality,
    /// Relation to the extreme fronts (2.8).
    pub class: Acclimatised,
    /// Fronts on which an Axis headquarters works as it should, by [`Front`]; of all others all (5.33).
    pub fronts: [bool; 4],
    /// Full strength.
    pub full: u8,
    /// Lowest step.
    pub least: u8,
    /// Hexes a Movement Phase by weather (2.2).
    pub speed: [u8; 3],
    /// Number of the headquarters, if it is one.
    pub headquarters: u8,
    /// Blocks of one number are alike in all but identity.
    pub alike: u16,
}

/// A route of the map's edge (18.3).
#[derive(Clone, Copy, Debug)]
pub struct RouteTable {
    /// One end.
    pub a: Hex,
    /// The other.
    pub b: Hex,
    /// A railway; else a road, or a strait that units cross as a road.
    pub rail: bool,
    /// Nothing but units crosses it (18.1).
    pub strait: bool,
    /// Length in hexes: 2 or 5 (18.31).
    pub length: u8,
}

impl RouteTable {
    /// The other end, if a place is one.
    #[inline]
    pub fn beyond(&self, hex: Hex) -> Option<Hex> {
        if self.a == hex {
            Some(self.b)
        } else if self.b == hex {
            Some(self.a)
        } else {
            None
        }
    }
    /// A long route, of 5 hexes (18.31).
    #[inline]
    pub fn is_long(&self) -> bool {
        self.length > 2
    }
}

/// Geometry and contents of the map.
#[derive(Clone, Debug)]
pub struct MapTables {
    /// All hexes of the map.
    pub board: HexBoard<LINES>,
    /// Hexes and areas that units may enter.
    pub in_play: Hexes,
    /// Lines of the board in which there is something in play, or through which somebody traces supply.
    pub lines: std::ops::Range<usize>,
    /// Whether units may enter places with the weather of the East: those of the Arctic Zone have it too (12.14).
    pub has_eastern_weather: bool,
    /// Terrain of every place.
    pub terrain: Box<[Terrain; PLACES]>,
    /// Front of every place.
    pub front: Box<[Front; PLACES]>,
    /// Places of every front.
    pub of_front: [Hexes; 4],
    /// All of land: hexes and areas.
    pub on_land: Hexes,
    /// Map-edge areas (18.1).
    pub areas: Hexes,
    /// Those that are regions (18.1).
    pub regions: Hexes,
    /// Areas of the Arctic Zone (21.4).
    pub arctic: Hexes,
    /// Hexes of the Desert Zone: those of the Mediterranean Front (11.9).
    pub desert_zone: Hexes,
    /// Routes of the map's edge between places in play.
    pub routes: Vec<RouteTable>,
    /// Places in which one of them ends.
    pub route_ends: Hexes,
    /// Both ends of [`MapTables::shores`].
    pub coastal: Hexes,
    /// All routes, of those too that lie out of play: supply of nations runs along them (10.22).
    pub all_routes: Vec<RouteTable>,
    /// Hexes in which who enters stops (1.33, 1.34).
    pub stops: Hexes,
    /// Swamps (1.33).
    pub swamps: Hexes,
    /// Places whose weather is that of the West, and of the East Front (12.14).
    pub under_weather: [Hexes; 2],
    /// Hexsides that can be crossed by land: straits included.
    pub land: Hexsides<LINES>,
    /// Hexsides that can be crossed by land, straits not included.
    pub walkable: Hexsides<LINES>,
    /// Straits (1.371), and the Suez Canal.
    pub straits: Hexsides<LINES>,
    /// The Suez Canal (21.394).
    pub suez: Hexsides<LINES>,
    /// Rivers and straits, over which an attack is an assault (7.62).
    pub rivers: Hexsides<LINES>,
    /// Hexsides over which zones of control reach (8.2).
    pub zoc: Hexsides<LINES>,
    /// Clear hexsides (6.33).
    pub clear: Hexsides<LINES>,
    /// Railways (1.6).
    pub rails: Hexsides<LINES>,
    /// Railways and rail ferries: what lines of supply run along (9.11).
    pub joined_rails: Hexsides<LINES>,
    /// Rail ferries: a rail move ends there, and crosses by another (9.11).
    pub ferries: Hexsides<LINES>,
    /// Hexes and areas with a railway.
    pub rail_hexes: Hexes,
    /// Roads, railways of the Mediterranean Front included (1.61).
    pub roads: Hexsides<LINES>,
    /// Hexes and areas with a road.
    pub road_hexes: Hexes,
    /// Hexes and areas that a line of supply may join to a road (10.33, 10.4).
    pub near_roads: Hexes,
    /// Hexes over which aircraft fly: not neutral land (13.11).
    pub air: Hexes,
    /// Major cities whose defenders have a benefit (1.41).
    pub major_cities: Hexes,
    /// Cities, minor and major.
    pub cities: Hexes,
    /// Major cities with production, Rome among them (1.41).
    pub producing: Hexes,
    /// Ports.
    pub ports: Hexes,
    /// Major ports (15.32).
    pub major_ports: Hexes,
    /// Bases, which supply one unit (10.71).
    pub bases: Hexes,
    /// Victory Cities (19.5).
    pub victory_cities: Hexes,
    /// Malta and Gibraltar, which hold few units before the Second Front (1.45).
    pub narrow: Hexes,
    /// Places in which so many blocks of a camp may stand, by that number less one (6.2).
    pub stacking: [Hexes; MOST_STACKED],
    /// Turning points of supreme headquarters, each with a front besides its own (5.723, 21.431).
    pub turning_points: [(Hex, Front); 6],
    /// Bases of the Mediterranean Front by camp (21.382, 21.385).
    pub southern_bases: [Hexes; 2],
    /// Cities in which Spanish volunteers come forward: of Nationalists and of Republicans (17.7).
    pub loyal_cities: [Hexes; 2],
    /// Areas that border a sea hex, with it (18.2).
    pub shores: Vec<(Hex, Hex)>,
    /// Where units arrive in the Mediterranean Front of the Axis: Tripoli (21.374).
    pub tripoli: Hex,
    /// On whose account convoys to the Soviets may be lost (11.62).
    pub narvik: Hex,
    /// Where the convoys of the Arctic and of Persia end (11.61).
    pub murmansk: Hex,
    /// See `murmansk`.
    pub teheran: Hex,
    /// The fields of Axis oil: Ploesti, Abadan, Baku; the last is the Soviets' (17.1, 17.8).
    pub oil: [Hex; 3],
    /// Places from which a faction's supply comes (10.2), by faction.
    pub origins: [Option<Hex>; 3],
    /// Fortresses (7.5), and minor ones (7.51).
    pub fortresses: [Hexes; 2],
    /// Production points of hexes: city and resources (11.32).
    pub points: Vec<(Hex, u8, u8)>,
}

/// Sets of blocks.
#[derive(Clone, Debug)]
pub struct BlockTables {
    /// By block.
    pub briefs: Vec<Brief>,
    /// Blocks of a camp.
    pub of: [Blocks; 2],
    /// Blocks of a faction.
    pub of_faction: [Blocks; 3],
    /// Blocks of a nation.
    pub of_nation: Vec<Blocks>,
    /// By block: that of equal type and strength in the other colour (16.84).
    pub counterparts: Vec<Option<BlockId>>,
    /// Nations that have blocks here, and whose they are.
    pub nations: Vec<(NationId, Faction)>,
    /// Nations of which supply comes from the faction's origin itself: great powers (10.21).
    pub great: Vec<bool>,
    /// Field headquarters.
    pub field_headquarters: Blocks,
    /// All headquarters.
    pub headquarters: Blocks,
    /// All headquarters as a list: by number of the headquarters.
    pub headquarters_list: Vec<BlockId>,
    /// Units that move by order of a supreme or theatre headquarters alone (2.27).
    pub supreme_only: Blocks,
    /// Units that terrain does not stop (2.25).
    pub ignores_stop: Blocks,
    /// Units that move by rail or sea alone (2.28).
    pub strategic_only: Blocks,
    /// Fort units (2.28).
    pub forts: Blocks,
    /// Those of the Maginot Line, which never move (20.41).
    pub maginot: Blocks,
    /// Units that may not enter the Mediterranean Front, and the Arctic Zone (21.316, 21.415).
    pub barred: [Blocks; 2],
    /// Residents, who may not leave their front (2.8), by Mediterranean and North.
    pub residents: [Blocks; 2],
    /// Reinforcements, and what comes upon a condition (11.8).
    pub reinforcements: Blocks,
    /// Foreign units of 1936.
    pub foreign: Blocks,
    /// Paratroops.
    pub paras: Blocks,
}

/// What is derived from the special rules of 1936.
#[derive(Clone, Debug, Default)]
pub struct CivilWarTables {
    /// Hexes with a place loyal to a camp.
    pub loyal: [Hexes; 2],
    /// Hexes outside of the area of play through which a camp traces.
    pub rear: [Hexes; 2],
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Map.
    pub map: MapTables,
    /// Blocks.
    pub blocks: BlockTables,
    /// 1936.
    pub civil_war: CivilWarTables,
    /// Nations and their land.
    pub nations: crate::nations::NationTables,
    /// Diplomatic events (16.6).
    pub events: crate::diplomacy::EventTables,
    /// Places that objectives name (17).
    pub objectives: crate::objectives::ObjectiveTables,
    /// Months since September 1939, by month of the calendar.
    pub months: Vec<i16>,
    /// Seas.
    pub sea: crate::sea::SeaTables,
}

impl Tables {
    pub(crate) fn derive(rules: &Rules) -> Result<Tables, String> {
        let map = map_tables(rules)?;
        let nations = crate::nations::nation_tables(rules, &map)?;
        Ok(Tables {
            sea: crate::sea::SeaTables::derive(rules, &map)?,
            map,
            blocks: block_tables(rules)?,
            civil_war: civil_war_tables(rules),
            events: crate::diplomacy::event_tables(rules, &nations)?,
            nations,
            objectives: crate::objectives::objective_tables(rules),
            months: rules
                .calendar
                .iter()
                .map(|month| crate::conditions::months_since_war(&month.id))
                .collect::<Result<_, _>>()?,
        })
    }
}

fn map_tables(rules: &Rules) -> Result<MapTables, String> {
    let map = &rules.map;
    for data in &map.hexes {
        if data.hex.line() >= AREA_LINE {
            return Err(format!(
                "hex {} lies in row {}, the last is {}",
                data.name,
                data.hex.line(),
                AREA_LINE - 1
            ));
        }
    }
    let board = HexBoard::<LINES>::new(map.hexes.iter().map(|data| data.hex), true, Orientation::PointyTops)
        .map_err(|error| error.to_string())?;
    let mut terrain = Box::new([Terrain::Sea; PLACES]);
    let mut front = Box::new([Front::West; PLACES]);
    let mut fortresses = [Hexes::EMPTY; 2];
    let mut stops = Hexes::EMPTY;
    let mut swamps = Hexes::EMPTY;
    let mut under_weather = [Hexes::EMPTY; 2];
    let mut land_hexes = Hexes::EMPTY;
    let mut of_front = [Hexes::EMPTY; 4];
    for data in &map.hexes {
        terrain[data.hex.at()] = data.terrain;
        front[data.hex.at()] = data.front.unwrap_or(Front::West);
        if let Some(front) = data.front
            && data.terrain != Terrain::Sea
        {
            of_front[front.index()].insert(data.hex);
        }
        match data.fortress {
            Fortress::None => {}
            Fortress::Full => fortresses[0].insert(data.hex),
            Fortress::Minor => fortresses[1].insert(data.hex),
        }
        let effect = &rules.terrain[data.terrain as usize];
        stops.set(data.hex, effect.stop);
        swamps.set(data.hex, data.terrain == Terrain::Swamp);
        match data.front {
            Some(Front::West | Front::North) => under_weather[0].insert(data.hex),
            Some(Front::East) => under_weather[1].insert(data.hex),
            Some(Front::Mediterranean) | None => {}
        }
        land_hexes.set(data.hex, data.terrain != Terrain::Sea && !effect.impassable);
    }
    let (mut areas, mut regions, mut arctic) = (Hexes::EMPTY, Hexes::EMPTY, Hexes::EMPTY);
    for (at, area) in map.areas.iter().enumerate() {
        let place = crate::ids::area(at as u8);
        terrain[place.at()] = area.terrain;
        front[place.at()] = area.front;
        of_front[area.front.index()].insert(place);
        areas.insert(place);
        regions.set(place, area.region);
        arctic.set(place, area.front == Front::North);
    }
    let on_land = land_hexes.or(&areas);
    if rules.terrain.iter().any(|effect| usize::from(effect.stacking) > MOST_STACKED) {
        return Err(format!("in no terrain more than {MOST_STACKED} blocks of a camp may stand"));
    }
    let limit = |hex: Hex| usize::from(rules.terrain[terrain[hex.at()] as usize].stacking);
    let stacking = std::array::from_fn(|nth| on_land.filter(|hex| limit(hex) == nth + 1));
    let in_play = if rules.scenario.in_play.is_empty() {
        on_land
    } else {
        rules.scenario.in_play.iter().copied().collect::<Hexes>()
    };
    let all_routes: Vec<RouteTable> = map
        .routes
        .iter()
        .map(|route| RouteTable {
            a: route.a,
            b: route.b,
            rail: route.kind == RouteKind::Rail,
            strait: route.kind == RouteKind::Strait,
            length: route.length,
        })
        .collect();
    let open = |route: &&RouteTable| in_play.contains(route.a) && in_play.contains(route.b);
    let routes: Vec<RouteTable> = all_routes.iter().filter(open).copied().collect();
    let ends = |wanted: &dyn Fn(&RouteTable) -> bool| -> Hexes {
        all_routes.iter().filter(|route| wanted(route)).flat_map(|route| [route.a, route.b]).collect()
    };

    let [mut straits, mut suez] = [Hexsides::EMPTY; 2];
    let mut rivers = Hexsides::EMPTY;
    let mut blocked = Hexsides::EMPTY;
    let mut featured = Hexsides::EMPTY;
    for side in &map.sides {
        let way = neighbours(&board, side.a, side.b, "hexside")?;
        let add =
            |set: &mut Hexsides<LINES>| set.insert(&board, side.a, way).map_err(|error| error.to_string());
        add(&mut featured)?;
        match side.kind {
            SideKind::River => add(&mut rivers)?,
            SideKind::Strait | SideKind::SuezCanal => {
                add(&mut rivers)?;
                add(&mut straits)?;
                if side.kind == SideKind::SuezCanal {
                    add(&mut suez)?;
                }
            }
            SideKind::Alpine | SideKind::Lake | SideKind::Sea => add(&mut blocked)?,
            SideKind::RailCauseway | SideKind::RailFerry => {}
        }
    }
    let mut between_land = Hexsides::EMPTY;
    let mut clear = Hexsides::EMPTY;
    for hex in land_hexes {
        for (way, next) in board.neighbours(hex) {
            if land_hexes.contains(next) {
                between_land.insert_one_way(hex, way);
                let open = |hex: Hex| matches!(terrain[hex.at()], Terrain::Clear | Terrain::Desert);
                if open(hex) && open(next) && !featured.contains(hex, way) {
                    clear.insert_one_way(hex, way);
                }
            }
        }
    }
    // A strait lies over sea and is crossed all the same (1.371).
    let land = between_land.difference(&blocked.difference(&straits));
    let walkable = land.difference(&straits);
    let zoc = walkable.difference(&rivers);

    let mut rails = Hexsides::EMPTY;
    for &(a, b) in &map.rails {
        let way = neighbours(&board, a, b, "railway")?;
        rails.insert(&board, a, way).map_err(|error| error.to_string())?;
    }

    // No line runs on across a strait without a ferry (9.11).
    let mut across_water = Hexsides::EMPTY;
    for side in map.sides.iter().filter(|side| side.kind == SideKind::RailFerry) {
        let way = neighbours(&board, side.a, side.b, "hexside")?;
        across_water.insert(&board, side.a, way).map_err(|error| error.to_string())?;
    }
    let ferries = rails.and(&across_water);
    let rails = rails.difference(&straits.difference(&ferries));
    let joined_rails = rails;
    let rails = rails.difference(&ferries);

    // Every railway of the Mediterranean Front has a road beside it (1.61).
    let mut roads = Hexsides::EMPTY;
    let desert = |hex: &Hex| of_front[Front::Mediterranean.index()].contains(*hex);
    let beside = map.rails.iter().filter(|(a, b)| desert(a) && desert(b));
    for &(a, b) in map.roads.iter().chain(beside) {
        let way = neighbours(&board, a, b, "road")?;
        roads.insert(&board, a, way).map_err(|error| error.to_string())?;
    }

    let of_places = |wanted: &dyn Fn(&crate::rules::Place) -> bool| -> Hexes {
        map.places.iter().filter(|place| wanted(place)).map(|place| place.hex).collect()
    };
    let points = map
        .places
        .iter()
        .filter(|place| place.points + place.resources > 0 && in_play.contains(place.hex))
        .map(|place| (place.hex, place.points, place.resources))
        .collect();
    let named = |id: &str| rules.place(id).unwrap_or(crate::ids::place::OUT);
    let at_sea: Hexes =
        map.hexes.iter().filter(|data| data.terrain == Terrain::Sea).map(|data| data.hex).collect();
    let rear = rules.civil_war.iter().flat_map(|war| war.rear.iter().flatten().copied());
    let lines = in_play.iter().chain(rear).map(|hex| usize::from(hex.line()));
    let first = lines.clone().min().ok_or("no hex is in play")?;
    let lines = first..lines.max().unwrap_or(first) + 1;
    let road_hexes = roads.hexes().or(&ends(&|route| !route.rail && !route.strait));
    let near_roads = board.within_across(road_hexes, u32::from(rules.numbers.supply_line), &in_play, &land);
    Ok(MapTables {
        lines: lines.clone(),
        has_eastern_weather: in_play.intersects(&under_weather[1].or(&arctic)),
        in_play,
        terrain,
        front,
        stops,
        swamps,
        under_weather,
        land,
        walkable,
        straits,
        suez,
        rivers,
        zoc,
        clear,
        desert_zone: of_front[Front::Mediterranean.index()].difference(&areas),
        of_front,
        on_land,
        areas,
        regions,
        arctic,
        route_ends: routes.iter().flat_map(|route| [route.a, route.b]).collect(),
        coastal: map.shores.iter().flat_map(|&(sea, area)| [sea, area]).collect(),
        joined_rails,
        ferries,
        rail_hexes: joined_rails.hexes().or(&ends(&|route| route.rail)),
        road_hexes,
        near_roads,
        routes,
        all_routes,
        rails,
        roads,
        air: in_play.or(&at_sea),
        major_cities: of_places(&|place| place.city == City::Major).difference(&areas),
        cities: of_places(&|place| place.city >= City::Minor),
        producing: of_places(&|place| place.city >= City::Major),
        ports: of_places(&|place| place.port != Port::None),
        major_ports: of_places(&|place| place.port == Port::Major),
        bases: of_places(&|place| place.base),
        victory_cities: of_places(&|place| place.victory > 0),
        narrow: ["malta", "gibraltar"].map(named).into_iter().filter(|hex| in_play.contains(*hex)).collect(),
        stacking,
        turning_points: [
            ("berlin", Front::East),
            ("leningrad", Front::North),
            ("malta", Front::Mediterranean),
            ("gibraltar", Front::Mediterranean),
            ("copenhagen", Front::North),
            ("glasgow", Front::North),
        ]
        .map(|(place, front)| (named(place), front)),
        southern_bases: [&["tunis", "istanbul"][..], &["casablanca"]].map(|places| {
            places.iter().map(|place| named(place)).filter(|hex| in_play.contains(*hex)).collect()
        }),
        loyal_cities: [Faction::Axis, Faction::Allies].map(|side| {
            of_places(&|place| place.city >= City::Minor && map.loyal.contains(&(place.hex, side)))
        }),
        shores: map.shores.iter().copied().filter(|&(_, area)| in_play.contains(area)).collect(),
        tripoli: named("tripoli"),
        narvik: named("narvik"),
        murmansk: named("murmansk"),
        teheran: named("teheran"),
        oil: ["ploesti", "abadan", "baku"].map(named),
        origins: Faction::ALL.map(|faction| {
            map.places.iter().find(|place| place.origin == Some(faction)).map(|place| place.hex)
        }),
        fortresses,
        points,
        // In 1936 half of the map is out of play.
        board: board.confined_to(lines),
    })
}

fn neighbours(
    board: &HexBoard<LINES>,
    a: Hex,
    b: Hex,
    what: &str,
) -> Result<sandtable_core::Direction, String> {
    board.direction(a, b).ok_or_else(|| {
        let name = |hex: Hex| format!("column {} row {}", hex.place(), hex.line());
        format!("a {what} joins {} and {}, which are not neighbours", name(a), name(b))
    })
}

fn block_tables(rules: &Rules) -> Result<BlockTables, String> {
    if rules.blocks.len() > MAX_BLOCKS {
        return Err(format!("{} blocks, at most {MAX_BLOCKS} have room", rules.blocks.len()));
    }
    let mut tables = BlockTables {
        briefs: Vec::new(),
        of: [Blocks::EMPTY; 2],
        of_faction: [Blocks::EMPTY; 3],
        of_nation: vec![Blocks::EMPTY; rules.nations.len()],
        counterparts: Vec::new(),
        nations: Vec::new(),
        great: rules.nations.iter().map(|nation| nation.rank == Rank::Great).collect(),
        strategic_only: Blocks::EMPTY,
        forts: Blocks::EMPTY,
        maginot: Blocks::EMPTY,
        barred: [Blocks::EMPTY; 2],
        residents: [Blocks::EMPTY; 2],
        field_headquarters: Blocks::EMPTY,
        headquarters: Blocks::EMPTY,
        headquarters_list: Vec::new(),
        supreme_only: Blocks::EMPTY,
        ignores_stop: Blocks::EMPTY,
        reinforcements: Blocks::EMPTY,
        foreign: Blocks::EMPTY,
        paras: Blocks::EMPTY,
    };
    for (at, block) in rules.blocks.iter().enumerate() {
        let id = BlockId(at as u16);
        let kind = &rules.kinds[block.kind as usize];
        let nation = rules
            .nations
            .get(block.nation.at())
            .ok_or_else(|| format!("block {} is of nation number {}", block.id, block.nation.0))?;
        let motorised = nation.motorised && kind.motorised_speed != [0; 3];
        let camp = block.faction.camp();
        if !(1..=4).contains(&block.full) {
            return Err(format!("block {} has {} steps, expected 1 to 4", block.id, block.full));
        }
        if block.kind.is_headquarters() {
            tables.headquarters.insert(id);
            tables.headquarters_list.push(id);
        }
        tables.field_headquarters.set(id, block.kind == Kind::Hq);
        tables.supreme_only.set(id, kind.supreme_only);
        tables.ignores_stop.set(id, kind.ignores_stop);
        let entry = rules.scenario.entries.get(at);
        tables.reinforcements.set(id, matches!(entry, Some(Entry::Reinforcement { .. } | Entry::Upon(..))));
        tables.foreign.set(id, block.foreign);
        tables.paras.set(id, block.kind == Kind::Para);
        // Beachheads are no units (15.6).
        let unit = block.kind != Kind::Beachhead;
        tables.of[camp.index()].set(id, unit);
        tables.of_faction[block.faction.index()].set(id, unit);
        tables.of_nation[block.nation.at()].set(id, unit);
        if !tables.nations.contains(&(block.nation, block.faction)) {
            tables.nations.push((block.nation, block.faction));
        }
        let colour = ["al_", "ax_"].iter().find_map(|colour| block.id.strip_prefix(colour));
        let counterpart = match colour {
            Some(own) => rules.block(own),
            None => ["al_", "ax_"].iter().find_map(|colour| rules.block(&format!("{colour}{}", block.id))),
        };
        tables.counterparts.push(counterpart);
        tables.strategic_only.set(id, kind.strategic_only);
        tables.forts.set(id, block.kind == Kind::Fort);
        tables.maginot.set(id, block.kind == Kind::Fort && rules.nation("france") == Some(block.nation));
        let odd = matches!(block.quality, Quality::Ss | Quality::Siege) || block.kind == Kind::Cavalry;
        tables.barred[0].set(id, odd || block.kind == Kind::Fort);
        tables.barred[1].set(id, odd);
        for (at, front) in [Front::Mediterranean, Front::North].into_iter().enumerate() {
            tables.residents[at].set(id, block.acclimatised == Acclimatised::Resident(front));
        }
        let alike = |other: &&crate::rules::Block| {
            (other.faction, other.nation, other.kind, other.quality, other.full)
                == (block.faction, block.nation, block.kind, block.quality, block.full)
                && (other.acclimatised, other.foreign, other.cost)
                    == (block.acclimatised, block.foreign, block.cost)
        };
        tables.briefs.push(Brief {
            faction: block.faction,
            camp,
            nation: block.nation,
            kind: block.kind,
            quality: block.quality,
            class: block.acclimatised,
            fronts: Front::ALL.map(|front| block.fronts.is_empty() || block.fronts.contains(&front)),
            full: block.full,
            least: kind.least,
            speed: if motorised { kind.motorised_speed } else { kind.speed },
            headquarters: tables.headquarters_list.len() as u8 - u8::from(block.kind.is_headquarters()),
            alike: rules.blocks.iter().position(|other| alike(&other)).unwrap_or(at) as u16,
        });
    }
    if tables.headquarters_list.len() > MAX_HEADQUARTERS {
        return Err(format!(
            "{} headquarters, at most {MAX_HEADQUARTERS} have room",
            tables.headquarters_list.len()
        ));
    }
    Ok(tables)
}

fn civil_war_tables(rules: &Rules) -> CivilWarTables {
    let Some(war) = &rules.civil_war else { return CivilWarTables::default() };
    let mut tables = CivilWarTables::default();
    for &(hex, faction) in &war.loyal {
        tables.loyal[faction.camp().index()].insert(hex);
    }
    tables.rear = [0, 1].map(|camp| war.rear[camp].iter().copied().collect());
    tables
}

/// The least die that hits; 7 if it does not fire (7.32).
#[inline]
pub(crate) fn hits_from(rules: &Rules, fire: Fire) -> u8 {
    match fire {
        Fire::None => 7,
        fire => rules.combat.hits_from[fire as usize],
    }
}
