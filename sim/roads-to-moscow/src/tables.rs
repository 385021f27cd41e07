//! Tables of play derived from the data: geometry with prices, and sets of units.

use sandtable_core::hex::Orientation;
use sandtable_core::{Board, Direction, Hex, HexBoard, Hexsides, Index};

use crate::ids::{
    COLUMNS, FormationId, Formations, Hexes, MAX_AIR, MAX_FORMATIONS, MAX_MARKERS, MAX_UNITS, Marker,
    Markers, Player, UnitId, Units, place,
};
use crate::rules::{
    Belongs, Entry, Face, Kind, MoveClass, Paths, Rules, Settlement, SideData, Terrain, Water,
};

/// Numbers that hexes may have.
pub const HEXES: usize = COLUMNS * 64;
/// A price that nobody can pay: a side that is barred, or that takes the whole allowance (8.36c).
pub const BARRED: u8 = u8::MAX;
/// No Fortified Line on a side.
pub const NO_LINE: u8 = u8::MAX;
/// Most hexes with a Fortified Line.
pub const MAX_LINES: usize = 64;
/// Most different entry hexes.
pub const MAX_ENTRIES: usize = 32;

/// The six ways out of a hex in the ascending order of the hexes they lead to.
pub const WAYS: [Direction; 6] = [
    Direction::PreviousBack,
    Direction::PreviousAhead,
    Direction::Back,
    Direction::Ahead,
    Direction::NextBack,
    Direction::NextAhead,
];

/// What a hexside carries, seen from one hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideInfo {
    /// Water.
    pub water: Water,
    /// Whether a bridge leads over it.
    pub bridge: bool,
    /// Whether going this way is uphill.
    pub uphill: bool,
    /// Number of the hex whose Fortified Line it is, [`NO_LINE`] if there is none (14.1).
    pub line: u8,
    /// Whether that hex is the one ahead: the line protects it against who comes this way.
    pub line_ahead: bool,
    /// Paths.
    pub paths: Paths,
}

impl SideInfo {
    const PLAIN: SideInfo = SideInfo {
        water: Water::None,
        bridge: false,
        uphill: false,
        line: NO_LINE,
        line_ahead: false,
        paths: Paths { primary: false, secondary: false, track: false, railway: false },
    };
    /// Water without a bridge.
    #[inline]
    pub fn unbridged(&self) -> Water {
        if self.bridge { Water::None } else { self.water }
    }
    /// A river without a bridge (8.36c).
    #[inline]
    pub fn is_open_river(&self) -> bool {
        self.water == Water::River && !self.bridge
    }
}

/// Movement prices of going from a hex each way, in half points, by [`Direction`].
#[derive(Clone, Copy, Debug)]
pub struct Prices {
    /// By the best path or terrain.
    pub best: [u8; 6],
    /// Off paths: between hexes in enemy zones of control (8.22).
    pub plain: [u8; 6],
}

/// Geometry.
#[derive(Clone, Debug)]
pub struct MapTables {
    /// The hexes in play; those beyond the scenario line do not exist (R55), those at the edge are as others (R91).
    pub board: HexBoard<COLUMNS>,
    /// Neighbours by [`Direction`]; [`place::OUT`] where there is none.
    pub neighbours: Vec<[Hex; 6]>,
    /// Sides by [`Direction`].
    pub sides: Vec<[SideInfo; 6]>,
    /// Prices: on foot dry, on foot in Rain, motorised dry, motorised in Rain.
    pub prices: [Vec<Prices>; 4],
    /// Combat modifier of hex terrain (10.22a).
    pub terrain_drm: Vec<i8>,
    /// What entering costs off paths, in half points, on foot and motorised, dry and in Rain, as [`MapTables::prices`]
    /// (R70).
    pub entry_price: [Vec<u8>; 4],
    /// Hexes with a settlement of this kind.
    pub towns: Hexes,
    /// Clear hexes without woods.
    pub clear: Hexes,
    /// Swamp.
    pub swamp: Hexes,
    /// Hexes with an unbridged river side.
    pub beside_river: Hexes,
    /// Hexes with any Fortified Line side (either side of it).
    pub beside_line: Hexes,
    /// Sides crossed by primary or secondary roads.
    pub roads: Hexsides<COLUMNS>,
    /// The same, and tracks (6.23).
    pub roads_and_tracks: Hexsides<COLUMNS>,
    /// Sides without unbridged water (6.21).
    pub passable: Hexsides<COLUMNS>,
    /// Sides of Fortified Lines, by the number of the line.
    pub lines: Vec<(Hex, Vec<(Hex, Direction)>)>,
    /// Supply sources, by player (6.31).
    pub sources: [Hexes; 2],
    /// Entry hexes, numbered.
    pub entries: Vec<Hex>,
    /// The same as a set.
    pub entry_hexes: Hexes,
    /// Number of each hex's line, [`NO_LINE`] if it has none.
    pub line_of: Vec<u8>,
}

/// What play asks of a unit at every step, in few bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Brief {
    pub player: Player,
    /// Number of its formation; [`MAX_FORMATIONS`] for Army units, leaders and fuel.
    pub formation: u8,
    pub class: MoveClass,
    pub stacking: u8,
    pub steps: u8,
    pub full: Face,
    pub reduced: Face,
}

impl Brief {
    const NONE: Brief = {
        let face = Face { efficiency: 0, offence: 0, defence: 0, movement: 0 };
        Brief {
            player: Player::German,
            formation: MAX_FORMATIONS as u8,
            class: MoveClass::Foot,
            stacking: 0,
            steps: 0,
            full: face,
            reduced: face,
        }
    };
}

/// Sets of units.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct UnitTables {
    pub briefs: [Brief; MAX_UNITS],
    pub of: [Units; 2],
    /// Combat units (3.14g).
    pub combat: Units,
    pub artillery: Units,
    pub rockets: Units,
    /// Headquarters, the Arko's too.
    pub headquarters: Units,
    pub arko: Units,
    pub leaders: Units,
    pub fuel: Units,
    pub army: Units,
    /// Movement allowance in a red box.
    pub red: Units,
    pub orange: Units,
    pub foot: Units,
    pub vehicles: Units,
    pub armoured: Units,
    pub red_defence: Units,
    /// Full zone of control (3.23).
    pub full_zoc: Units,
    /// Of those, such as project over a river without a bridge (3.26).
    pub river_zoc: Units,
    /// May cross a river without a bridge (8.36c).
    pub crosses_river: Units,
    /// Red box or cavalry: may refuse and overrun (9.21, 8.52).
    pub red_or_cavalry: Units,
    /// One of these must overrun with others (8.52).
    pub leads_overrun: Units,
    /// One of these must attack for the Mobile CRT (10.33).
    pub enables_mobile: Units,
    pub engineers: Units,
    /// Makes combined arms with armour (10.61f).
    pub combined_arms: Units,
    pub digs: Units,
    pub digs_in_winter: Units,
    pub retreats_through_zoc: Units,
    /// Two printed steps.
    pub two_steps: Units,
    pub nkvd: Units,
    pub of_formation: [Units; MAX_FORMATIONS],
    /// Entry hexes of each unit, a bit each by the number of the hex.
    pub entries: [u32; MAX_UNITS],
    /// From which turn each may enter.
    pub entry_turn: [u8; MAX_UNITS],
}

/// Sets of markers and formations.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct MarkerTables {
    pub of: [Markers; 2],
    pub of_formation: [Markers; MAX_FORMATIONS],
    /// "Activate any Formation".
    pub any: Markers,
    pub formations_of: [Formations; 2],
}

/// All tables.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Tables {
    pub map: MapTables,
    pub units: UnitTables,
    pub markers: MarkerTables,
}

impl Tables {
    /// Derives the tables.
    ///
    /// # Errors
    /// Says what in the data is out of bounds or refers to something that is not there.
    pub fn derive(rules: &Rules) -> Result<Tables, String> {
        bounds(rules)?;
        let map = MapTables::derive(rules)?;
        let units = UnitTables::derive(rules, &map.entries)?;
        let markers = MarkerTables::derive(rules)?;
        Ok(Tables { map, units, markers })
    }
}

fn bounds(rules: &Rules) -> Result<(), String> {
    let sizes = [
        ("units", rules.units.len(), MAX_UNITS),
        ("formations", rules.formations.len(), MAX_FORMATIONS),
        ("activation markers", rules.markers.len(), MAX_MARKERS),
        ("air units", rules.air.len(), MAX_AIR),
        ("optional groups", rules.groups.len(), 8),
        ("turns", rules.calendar.len(), 100),
    ];
    for (what, size, most) in sizes {
        if size > most {
            return Err(format!("there are {size} {what}, there is room for {most}"));
        }
    }
    if rules.calendar.is_empty() {
        return Err("the scenario has no turns".into());
    }
    if rules.entries.len() != rules.units.len() {
        return Err(format!("{} units, but {} entries", rules.units.len(), rules.entries.len()));
    }
    for (table, name) in rules.results.iter().zip(["Assault", "Mobile"]) {
        let columns = table.odds.len();
        if columns == 0 || columns > crate::rules::MAX_ODDS {
            return Err(format!("the {name} table has {columns} columns"));
        }
        if table.rows.len() != crate::rules::CRT_ROWS || table.rows.iter().any(|row| row.len() != columns) {
            return Err(format!(
                "the {name} table is not {} rows of {columns} cells",
                crate::rules::CRT_ROWS
            ));
        }
    }
    Ok(())
}

impl MapTables {
    fn derive(rules: &Rules) -> Result<MapTables, String> {
        let (first, last) = rules.scenario.columns;
        if first == 0 || first > last || last as usize > COLUMNS {
            return Err(format!("columns {first} to {last} are not on the map"));
        }
        let in_play = |hex: Hex| (first - 1..last).contains(&hex.line());
        let hexes = rules.map.hexes.iter().map(|data| data.hex).filter(|&hex| in_play(hex));
        // Even columns, which are lines of odd number, stand half a hex towards row 01.
        let board = HexBoard::new(hexes, false, Orientation::FlatTops).map_err(|error| error.to_string())?;
        let mut neighbours = vec![[place::OUT; 6]; HEXES];
        for hex in board.places() {
            for (way, next) in board.neighbours(hex) {
                neighbours[hex.at()][way as usize] = next;
            }
        }
        let mut tables = MapTables {
            neighbours,
            sides: vec![[SideInfo::PLAIN; 6]; HEXES],
            prices: std::array::from_fn(|_| vec![Prices { best: [BARRED; 6], plain: [BARRED; 6] }; HEXES]),
            terrain_drm: vec![0; HEXES],
            entry_price: std::array::from_fn(|_| vec![BARRED; HEXES]),
            towns: Hexes::EMPTY,
            clear: Hexes::EMPTY,
            swamp: Hexes::EMPTY,
            beside_river: Hexes::EMPTY,
            beside_line: Hexes::EMPTY,
            roads: Hexsides::default(),
            roads_and_tracks: Hexsides::default(),
            passable: Hexsides::all(&board),
            lines: Vec::new(),
            sources: [Hexes::EMPTY; 2],
            entries: Vec::new(),
            entry_hexes: Hexes::EMPTY,
            line_of: vec![NO_LINE; HEXES],
            board,
        };
        tables.lay_sides(rules)?;
        tables.lay_terrain(rules);
        tables.price(rules);
        for player in Player::ALL {
            for &source in &rules.scenario.sources[player.index()] {
                tables.on_board(source, "supply source")?;
                tables.sources[player.index()].insert(source);
            }
        }
        for entry in &rules.entries {
            let (Entry::From { hexes, .. } | Entry::Optional { hexes, .. } | Entry::Fuel { hexes }) = entry
            else {
                continue;
            };
            for &hex in hexes {
                tables.on_board(hex, "entry hex")?;
                if !tables.entry_hexes.contains(hex) {
                    tables.entry_hexes.insert(hex);
                    tables.entries.push(hex);
                }
            }
        }
        if tables.entries.len() > MAX_ENTRIES {
            return Err(format!("{} entry hexes, room for {MAX_ENTRIES}", tables.entries.len()));
        }
        Ok(tables)
    }

    fn on_board(&self, hex: Hex, what: &str) -> Result<(), String> {
        if crate::state::is_hex(hex) && hex.at() < HEXES && self.board.places().contains(hex) {
            return Ok(());
        }
        Err(format!("{what} {} is not in play", crate::ids::hex_number(hex)))
    }

    fn lay_sides(&mut self, rules: &Rules) -> Result<(), String> {
        for side in &rules.map.sides {
            let &SideData { a, b, water, bridge, .. } = side;
            if !self.board.places().contains(a) || !self.board.places().contains(b) {
                continue;
            }
            let Some(way) = self.board.direction(a, b) else {
                let [a, b] = [a, b].map(crate::ids::hex_number);
                return Err(format!("hexes {a} and {b} share no side"));
            };
            let line = match side.fort_protects {
                None => NO_LINE,
                Some(hex) => self.line_number(hex)?,
            };
            for (from, to, way) in [(a, b, way), (b, a, way.opposite())] {
                self.sides[from.at()][way as usize] = SideInfo {
                    water,
                    bridge,
                    uphill: side.slope_up_into == Some(to),
                    line,
                    line_ahead: side.fort_protects == Some(to),
                    paths: side.paths,
                };
                if water == Water::River && !bridge {
                    self.beside_river.insert(from);
                }
                if line != NO_LINE {
                    self.beside_line.insert(from);
                    self.lines[line as usize].1.push((from, way));
                }
                if side.paths.primary || side.paths.secondary {
                    self.roads.insert_one_way(from, way);
                    self.roads_and_tracks.insert_one_way(from, way);
                }
                if side.paths.track {
                    self.roads_and_tracks.insert_one_way(from, way);
                }
            }
            if water != Water::None && !bridge {
                let mut blocked = Hexsides::default();
                blocked.insert_one_way(a, way);
                blocked.insert_one_way(b, way.opposite());
                self.passable = self.passable.difference(&blocked);
            }
        }
        // A supply road has no unbridged water on it either (6.22).
        self.roads = self.roads.and(&self.passable);
        self.roads_and_tracks = self.roads_and_tracks.and(&self.passable);
        Ok(())
    }

    fn line_number(&mut self, hex: Hex) -> Result<u8, String> {
        if self.line_of[hex.at()] == NO_LINE {
            if self.lines.len() == MAX_LINES {
                return Err(format!("more than {MAX_LINES} hexes with a Fortified Line"));
            }
            self.line_of[hex.at()] = self.lines.len() as u8;
            self.lines.push((hex, Vec::new()));
        }
        Ok(self.line_of[hex.at()])
    }

    fn lay_terrain(&mut self, rules: &Rules) {
        let chart = &rules.terrain;
        for data in &rules.map.hexes {
            let hex = data.hex;
            if !self.board.places().contains(hex) {
                continue;
            }
            match data.terrain {
                Terrain::Clear if !data.woods => self.clear.insert(hex),
                Terrain::Swamp => self.swamp.insert(hex),
                _ => {}
            }
            if data.settlement == Settlement::Town {
                self.towns.insert(hex);
            }
            let settlement = match data.settlement {
                Settlement::None => 0,
                Settlement::Town => chart.town_drm,
                Settlement::Village => chart.village_drm,
                Settlement::Hamlet => chart.hamlet_drm,
            };
            let rough = if data.terrain == Terrain::Rough { chart.rough_drm } else { 0 };
            let woods = if data.woods { chart.woods_drm } else { 0 };
            self.terrain_drm[hex.at()] = settlement.max(rough).max(woods);
        }
    }

    /// Prices of movement (7.3): the cheapest of terrain, road, track and railway; all but the zones of control, enemy
    /// works and overruns, which the position adds.
    fn price(&mut self, rules: &Rules) {
        let chart = &rules.terrain;
        for data in &rules.map.hexes {
            let to = data.hex;
            if !self.board.places().contains(to) {
                continue;
            }
            for (motorised, rain) in [(false, false), (false, true), (true, false), (true, true)] {
                let at = price_index(motorised, rain);
                let base = match data.terrain {
                    Terrain::Clear => chart.clear,
                    Terrain::Rough => chart.rough,
                    Terrain::Swamp => chart.swamp,
                }
                .of(motorised, rain);
                let terrain = base + if data.woods { chart.woods.of(motorised, rain) } else { 0 };
                let track = match () {
                    // 8.42: in Rain the other terrain without its woods, for all (R19).
                    () if rain => base,
                    () if self.clear.contains(to) => chart.track_clear,
                    () => chart.track_other,
                };
                let railway = if rain { base } else { chart.railway };
                let mut entry = [BARRED; 3];
                for way in Direction::ALL {
                    let from = self.neighbours[to.at()][way.opposite() as usize];
                    let inward = match self.neighbours[to.at()][way.opposite() as usize] {
                        from if crate::state::is_hex(from) => self.sides[from.at()][way as usize],
                        _ => SideInfo::PLAIN,
                    };
                    let paths = inward.paths;
                    // R70: the best road into the entry hex, else its track or railway, else its terrain.
                    if paths.primary {
                        entry[0] = entry[0].min(chart.primary.of(motorised, rain));
                    }
                    if paths.secondary {
                        entry[0] = entry[0].min(chart.secondary.of(motorised, rain));
                    }
                    if paths.track {
                        entry[1] = entry[1].min(track);
                    }
                    if paths.railway {
                        entry[1] = entry[1].min(railway);
                    }
                    if !crate::state::is_hex(from) || inward.is_open_river() {
                        continue;
                    }
                    let water = match inward.unbridged() {
                        Water::Stream => chart.stream.of(motorised, rain),
                        _ => 0,
                    };
                    let slope = if inward.uphill { chart.slope_up } else { 0 };
                    let plain = terrain + water + slope;
                    let mut best = plain;
                    // 8.37: roads and tracks cancel a slope, tracks not in Rain (8.42); railways never do (R18).
                    if paths.primary {
                        best = best.min(chart.primary.of(motorised, rain) + water);
                    }
                    if paths.secondary {
                        best = best.min(chart.secondary.of(motorised, rain) + water);
                    }
                    if paths.track {
                        best = best.min(track + water + if rain { slope } else { 0 });
                    }
                    if paths.railway {
                        best = best.min(railway + water + slope);
                    }
                    let prices = &mut self.prices[at][from.at()];
                    prices.best[way as usize] = best;
                    prices.plain[way as usize] = plain;
                }
                let paved = if entry[0] == BARRED { entry[1] } else { entry[0] };
                self.entry_price[at][to.at()] = paved.min(terrain);
            }
        }
    }
}

/// Index of [`MapTables::prices`].
#[inline]
pub const fn price_index(motorised: bool, rain: bool) -> usize {
    2 * motorised as usize + rain as usize
}

impl UnitTables {
    fn derive(rules: &Rules, entries: &[Hex]) -> Result<UnitTables, String> {
        let set = |wanted: &dyn Fn(&crate::rules::Unit) -> bool| -> Units {
            (0..rules.units.len()).filter(|&at| wanted(&rules.units[at])).map(UnitId::nth).collect()
        };
        let traits = |wanted: &dyn Fn(&crate::rules::KindTraits) -> bool| -> Units {
            set(&|unit| wanted(&rules.kinds[unit.kind as usize]))
        };
        let combat = traits(&|kind| kind.combat);
        let full_zoc = set(&|unit| !unit.limited_zoc).and(&combat);
        let needs_bridge = traits(&|kind| kind.zoc_needs_bridge).or(&set(&|unit| unit.vehicle));
        let vehicles = set(&|unit| unit.vehicle);
        let red = set(&|unit| unit.class == MoveClass::Red);
        let mut tables = UnitTables {
            briefs: [Brief::NONE; MAX_UNITS],
            of: [Player::German, Player::Soviet].map(|player| set(&|unit| unit.player == player)),
            combat,
            artillery: set(&|unit| unit.range > 0),
            rockets: set(&|unit| unit.kind == Kind::RocketArtillery),
            headquarters: set(&|unit| matches!(unit.kind, Kind::Headquarters | Kind::Arko)),
            arko: set(&|unit| unit.kind == Kind::Arko),
            leaders: set(&|unit| unit.kind == Kind::Leader),
            fuel: set(&|unit| unit.kind == Kind::Fuel),
            army: set(&|unit| unit.belongs == Belongs::Army),
            orange: set(&|unit| unit.class == MoveClass::Orange),
            foot: set(&|unit| unit.class == MoveClass::Foot),
            armoured: set(&|unit| unit.armoured),
            red_defence: set(&|unit| unit.red_defence),
            full_zoc,
            river_zoc: full_zoc.difference(&needs_bridge),
            crosses_river: traits(&|kind| kind.crosses_river).difference(&vehicles),
            red_or_cavalry: red.or(&set(&|unit| unit.kind == Kind::Cavalry)),
            leads_overrun: traits(&|kind| kind.leads_overrun),
            enables_mobile: traits(&|kind| kind.enables_mobile),
            engineers: traits(&|kind| kind.engineer),
            combined_arms: traits(&|kind| kind.combined_arms),
            digs: traits(&|kind| kind.digs),
            digs_in_winter: traits(&|kind| kind.digs_in_winter),
            retreats_through_zoc: traits(&|kind| kind.retreats_through_zoc),
            two_steps: set(&|unit| unit.steps == 2),
            nkvd: set(&|unit| unit.kind == Kind::InfantryNkvd),
            vehicles,
            red,
            of_formation: [Units::EMPTY; MAX_FORMATIONS],
            entries: [0; MAX_UNITS],
            entry_turn: [u8::MAX; MAX_UNITS],
        };
        for (at, unit) in rules.units.iter().enumerate() {
            tables.briefs[at] = Brief {
                player: unit.player,
                formation: match unit.belongs {
                    Belongs::Formation(formation) => formation.0,
                    Belongs::Army | Belongs::Nobody => MAX_FORMATIONS as u8,
                },
                class: unit.class,
                stacking: unit.stacking,
                steps: unit.steps,
                full: unit.full,
                reduced: unit.reduced,
            };
            if let Belongs::Formation(formation) = unit.belongs {
                if rules.formations.get(formation.at()).is_none_or(|known| known.player != unit.player) {
                    return Err(format!("unit {} belongs to no formation of its side", unit.id));
                }
                tables.of_formation[formation.at()].insert(UnitId::nth(at));
            }
            let hexes = match &rules.entries[at] {
                Entry::From { turn, hexes } => {
                    tables.entry_turn[at] = *turn;
                    hexes
                }
                Entry::Optional { group, hexes } => {
                    let group = rules.groups.get(*group as usize);
                    let group = group.ok_or_else(|| format!("unit {}: no such optional group", unit.id))?;
                    tables.entry_turn[at] = group.turn;
                    hexes
                }
                Entry::Fuel { hexes } => {
                    tables.entry_turn[at] = 1;
                    hexes
                }
                // 6.42: fuel that begins on the map, once spent, is received again as all other fuel is.
                Entry::At(_) if unit.kind == Kind::Fuel => {
                    let Some(hexes) = rules.entries.iter().find_map(|entry| match entry {
                        Entry::Fuel { hexes } => Some(hexes),
                        _ => None,
                    }) else {
                        continue;
                    };
                    tables.entry_turn[at] = 1;
                    hexes
                }
                Entry::At(_) | Entry::Never => continue,
            };
            for hex in hexes {
                let number = entries.iter().position(|known| known == hex).expect("listed above");
                tables.entries[at] |= 1 << number;
            }
        }
        Ok(tables)
    }
}

impl MarkerTables {
    fn derive(rules: &Rules) -> Result<MarkerTables, String> {
        let mut tables = MarkerTables {
            of: [Markers::EMPTY; 2],
            of_formation: [Markers::EMPTY; MAX_FORMATIONS],
            any: Markers::EMPTY,
            formations_of: [Formations::EMPTY; 2],
        };
        for (at, marker) in rules.markers.iter().enumerate() {
            let formation = rules.formations.get(marker.formation.at());
            let formation = formation.ok_or_else(|| format!("marker {at} is of no formation"))?;
            let marker_id = Marker::nth(at);
            tables.of[formation.player.index()].insert(marker_id);
            tables.of_formation[marker.formation.at()].insert(marker_id);
            if formation.any {
                tables.any.insert(marker_id);
            }
        }
        for (at, formation) in rules.formations.iter().enumerate() {
            if !formation.any {
                tables.formations_of[formation.player.index()].insert(FormationId::nth(at));
            }
        }
        Ok(tables)
    }
}
