//! A map: hexes, hexsides, places (2.1, 8.3, 14.0).

use std::collections::BTreeMap;

use sandtable_core::Board;
use sandtable_core::hex::{Hex, HexBoard, Orientation};
use sandtable_roads_to_moscow::ids::{COLUMNS, hex, hex_number};
use sandtable_roads_to_moscow::rules::{HexData, MapSheet, Paths, Settlement, SideData, Terrain, Water};

use sandtable_scenarios::tree::{Node, Whole};
use sandtable_scenarios::{LoadError, Problem};

/// Rows that the engine has room for.
const MOST_ROWS: u8 = 60;

/// Natural terrain by its names in the data, and whether woods stand in it (8.31).
const TERRAIN: [(&str, (Terrain, bool)); 5] = [
    ("clear", (Terrain::Clear, false)),
    ("clear_woods", (Terrain::Clear, true)),
    ("rough", (Terrain::Rough, false)),
    ("rough_woods", (Terrain::Rough, true)),
    ("swamp_woods", (Terrain::Swamp, true)),
];

const SETTLEMENTS: [(&str, Settlement); 4] = [
    ("none", Settlement::None),
    ("hamlet", Settlement::Hamlet),
    ("village", Settlement::Village),
    ("town", Settlement::Town),
];

const WATERS: [(&str, Water); 3] =
    [("none", Water::None), ("stream", Water::Stream), ("river", Water::River)];

/// A map that has been read.
pub(super) struct Map {
    pub sheet: MapSheet,
    pub grid: Grid,
}

/// The hexes of a map.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    columns: u8,
    rows: u8,
}

impl Grid {
    /// The hex with the number that stands at a node.
    pub fn read(self, node: &Node<'_>) -> Result<Hex, LoadError> {
        self.find(node.text()?, node)
    }

    /// The hex with a number.
    pub fn find(self, number: &str, node: &Node<'_>) -> Result<Hex, LoadError> {
        let digits = number.len() == 4 && number.bytes().all(|digit| digit.is_ascii_digit());
        let pair = |at: usize| number.get(at..at + 2).and_then(|pair| pair.parse::<u8>().ok()).unwrap_or(0);
        let (column, row) = if digits { (pair(0), pair(2)) } else { (0, 0) };
        if (1..=self.columns).contains(&column) && (1..=self.rows).contains(&row) {
            return Ok(Hex::new(column - 1, row - 1));
        }
        let what = format!("a hex of the map, 0101 to {:02}{:02}", self.columns, self.rows);
        Err(node.error(Problem::UnknownName { value: number.into(), what, near: None }))
    }

    /// The hexes of a list.
    pub fn list(self, node: &Node<'_>) -> Result<Vec<Hex>, LoadError> {
        node.items()?.iter().map(|item| self.read(item)).collect()
    }

    /// The hex at a node, or none for `none`.
    fn optional(self, node: &Node<'_>) -> Result<Option<Hex>, LoadError> {
        if node.is_none()? { Ok(None) } else { self.read(node).map(Some) }
    }
}

/// The printed number of a hex.
pub(super) fn number(hex: Hex) -> String {
    format!("{:04}", hex_number(hex))
}

/// Reads the map with an identifier.
pub(super) fn read(whole: Whole<'_>, id: &str) -> Result<Map, LoadError> {
    let node = whole.at("maps")?.get(id)?;
    node.only(&["size", "scale", "ground", "hexes", "sides"])?;
    let size = node.get("size")?;
    size.only(&["columns", "rows"])?;
    let grid = Grid {
        columns: size.get("columns")?.byte(1..=COLUMNS as u8)?,
        rows: size.get("rows")?.byte(1..=MOST_ROWS)?,
    };
    let scale = node.get("scale")?;
    scale.only(&["kilometres"])?;
    scale.get("kilometres")?.number(0..=100)?;
    let ground = node.get("ground")?;
    ground.only(&["east_edge", "latitude", "longitude"])?;
    ground.get("latitude")?.number(-90..=90)?;
    ground.get("longitude")?.number(-180..=180)?;
    let names = places(whole, id, grid)?;
    let hexes = hexes(&node.get("hexes")?, grid, &names)?;
    for (&hex, (row, _)) in &names {
        if !hexes.iter().any(|data| data.hex == hex && data.settlement != Settlement::None) {
            return Err(row.get("hex")?.inconsistent(format!("{} has no settlement", number(hex))));
        }
    }
    let sides = sides(&node.get("sides")?, grid)?;
    let name = id.chars().enumerate().map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c });
    let sheet = MapSheet {
        id: id.to_owned(),
        name: name.collect(),
        from_east: ground.get("east_edge")?.flag()?,
        hexes,
        sides,
    };
    Ok(Map { sheet, grid })
}

/// Names of a map's places by hex.
fn places<'t>(
    whole: Whole<'t>,
    map: &str,
    grid: Grid,
) -> Result<BTreeMap<Hex, (Node<'t>, String)>, LoadError> {
    let mut names = BTreeMap::new();
    for row in whole.at("places")?.members()? {
        let name = row.get("name")?.text()?.to_owned();
        let of = row.get("map")?;
        if whole.at("maps")?.find(of.text()?)?.is_none() {
            let known = whole.at("maps")?.members()?;
            let near = sandtable_scenarios::nearest(of.text()?, known.iter().map(Node::key));
            let value = of.text()?.into();
            return Err(of.error(Problem::UnknownName { value, what: "a map".into(), near }));
        }
        if of.text()? != map {
            continue;
        }
        let hex = grid.read(&row.get("hex")?)?;
        if names.insert(hex, (row.clone(), name)).is_some() {
            return Err(row.get("hex")?.inconsistent(format!("two places stand in {}", number(hex))));
        }
    }
    Ok(names)
}

/// The hexes: each of the map once.
fn hexes(
    rows: &Node<'_>,
    grid: Grid,
    names: &BTreeMap<Hex, (Node<'_>, String)>,
) -> Result<Vec<HexData>, LoadError> {
    let mut hexes = Vec::new();
    for row in rows.members()? {
        let hex = grid.find(row.key(), &row)?;
        let (terrain, woods) = row.get("terrain")?.choose("natural terrain", &TERRAIN)?;
        let settlement = row.get("settlement")?.choose("a settlement", &SETTLEMENTS)?;
        if settlement != Settlement::None && (terrain, woods) != (Terrain::Clear, false) {
            return Err(row.get("settlement")?.inconsistent("settlements stand in clear hexes (8.33)"));
        }
        let name = names.get(&hex).map_or(String::new(), |(_, name)| name.clone());
        if settlement != Settlement::None && name.is_empty() {
            return Err(row.inconsistent("the settlement has no place of places.csv"));
        }
        hexes.push(HexData { hex, terrain, woods, settlement, name });
    }
    let all = usize::from(grid.columns) * usize::from(grid.rows);
    if hexes.len() != all {
        return Err(rows.inconsistent(format!("{} hexes stand there, the map has {all}", hexes.len())));
    }
    Ok(hexes)
}

/// The hexsides that carry something: each once, the lower number first.
fn sides(rows: &Node<'_>, grid: Grid) -> Result<Vec<SideData>, LoadError> {
    let all = (1..=grid.columns)
        .flat_map(|column| (1..=grid.rows).map(move |row| hex(u16::from(column) * 100 + u16::from(row))));
    // Columns of even number, which are lines of odd number, stand half a hex towards row 01.
    let board = HexBoard::<COLUMNS>::new(all, false, Orientation::FlatTops)
        .map_err(|error| rows.inconsistent(error.to_string()))?;
    let mut sides = Vec::new();
    for row in rows.members()? {
        let (a, b) = (grid.read(&row.get("a")?)?, grid.read(&row.get("b")?)?);
        if board.distance(a, b) != 1 || !board.places().contains(a) {
            return Err(row.inconsistent(format!("{} and {} do not touch", number(a), number(b))));
        }
        if a > b {
            return Err(row.inconsistent("the lower number stands first"));
        }
        let end = |key: &str| -> Result<Option<Hex>, LoadError> {
            let node = row.get(key)?;
            let hex = grid.optional(&node)?;
            if hex.is_some_and(|hex| hex != a && hex != b) {
                return Err(node.inconsistent("it is neither of the two hexes"));
            }
            Ok(hex)
        };
        let water = row.get("water")?.choose("water", &WATERS)?;
        let bridge = row.get("bridge")?.flag()?;
        let paths = paths(&row.get("paths")?)?;
        if bridge && (water == Water::None || paths == Paths::default()) {
            let text = "a bridge leads a path over water (8.36)";
            return Err(row.get("bridge")?.inconsistent(text));
        }
        let names = row.get("names")?;
        let mut names: Vec<String> = names.words()?.map(str::to_owned).collect();
        let water_name =
            if water == Water::None || names.is_empty() { String::new() } else { names.remove(0) };
        sides.push(SideData {
            a,
            b,
            water,
            water_name,
            bridge,
            slope_up_into: end("slope")?,
            fort_protects: end("fort_line")?,
            paths,
            path_names: names,
        });
    }
    Ok(sides)
}

/// Paths in words: `primary railway`.
fn paths(node: &Node<'_>) -> Result<Paths, LoadError> {
    let mut paths = Paths::default();
    for word in node.words()? {
        let flag = match word {
            "primary" => &mut paths.primary,
            "secondary" => &mut paths.secondary,
            "track" => &mut paths.track,
            "railway" => &mut paths.railway,
            _ => {
                let known = ["primary", "secondary", "track", "railway"];
                let near = sandtable_scenarios::nearest(word, known);
                let what = "a path (primary, secondary, track, railway)".into();
                return Err(node.error(Problem::UnknownName { value: word.into(), what, near }));
            }
        };
        *flag = true;
    }
    Ok(paths)
}
