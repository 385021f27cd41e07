//! The map: hexes, hexsides, railways, places, areas and their routes, sea areas (1, 15.1, 18).

use std::collections::HashMap;

use sandtable_core::hex::{Hex, HexBoard, Orientation};
use sandtable_core::{Board, Index};
use sandtable_eurofront::ids::{Faction, Front, LINES, MAX_AREAS, MAX_SEAS, NationId, SeaId, area, hex};
use sandtable_eurofront::rules::{
    Area, Basin, City, Fortress, HexData, Map, Place, Port, Route, RouteKind, Sea, SideData, SideKind,
    Terrain,
};

use sandtable_scenarios::tree::{Names, Node, Whole, pairs};
use sandtable_scenarios::{LoadError, Problem, nearest};

/// Factions by their names in the data.
pub(super) const FACTIONS: [(&str, Faction); 3] =
    [("axis", Faction::Axis), ("allies", Faction::Allies), ("soviets", Faction::Soviets)];

/// Fronts by their names in the data.
pub(super) const FRONTS: [(&str, Front); 4] =
    [("WF", Front::West), ("EF", Front::East), ("MF", Front::Mediterranean), ("NF", Front::North)];

/// Sides of the Civil War, in whose colour Spanish places are printed.
const LOYALTIES: [(&str, Option<Faction>); 3] =
    [("none", None), ("nationalist", Some(Faction::Axis)), ("republican", Some(Faction::Allies))];

const PORTS: [(&str, Port); 3] = [("none", Port::None), ("minor", Port::Minor), ("major", Port::Major)];

const FORTRESSES: [(&str, Fortress); 3] =
    [("none", Fortress::None), ("minor", Fortress::Minor), ("major", Fortress::Full)];

const CLASSES: [(&str, City); 5] = [
    ("none", City::None),
    ("town", City::Town),
    ("minor", City::Minor),
    ("major", City::Major),
    ("open", City::Open),
];

/// Storms and control go by basin; those of the Caspian and of the Indian Ocean are listed with their neighbours (15.1).
pub(super) const BASINS: [(&str, Basin); 6] = [
    ("atlantic", Basin::Atlantic),
    ("mediterranean", Basin::Mediterranean),
    ("west_baltic", Basin::WestBaltic),
    ("east_baltic", Basin::EastBaltic),
    ("black_sea", Basin::BlackSea),
    ("arctic", Basin::Arctic),
];

const SIDE_KINDS: [SideKind; 8] = [
    SideKind::River,
    SideKind::Strait,
    SideKind::SuezCanal,
    SideKind::Alpine,
    SideKind::Lake,
    SideKind::Sea,
    SideKind::RailCauseway,
    SideKind::RailFerry,
];

/// Most points of a city or of resources (11.32).
const MOST_POINTS: u8 = 60;

/// The map, and the names by which the data find places on it.
pub(super) struct NamedMap {
    pub map: Map,
    /// Country of each hex and area, by its identifier.
    countries: HashMap<Hex, String>,
    known_countries: Vec<String>,
    places: HashMap<String, Hex>,
    /// Whom the places of a hex are loyal to in the Civil War (1.4).
    pub loyal: Vec<(Hex, Faction)>,
}

/// Hexes and areas that go by one name.
pub(super) struct Region {
    /// What it is: 0 a country, 1 a territory, 2 a place. What is said of the more special region counts.
    pub rank: u8,
    pub hexes: Vec<Hex>,
}

impl NamedMap {
    /// The hex or area that a node names.
    pub fn read(&self, node: &Node<'_>) -> Result<Hex, LoadError> {
        self.find(node.text()?, node)
    }

    /// The hex or area of a name: a place, an area, or a hex by its number.
    pub fn find(&self, name: &str, node: &Node<'_>) -> Result<Hex, LoadError> {
        if let Some(&place) = self.places.get(name) {
            return Ok(place);
        }
        if let Some(hex) = number(name)
            && self.countries.contains_key(&hex)
        {
            return Ok(hex);
        }
        let near = nearest(name, self.places.keys().map(String::as_str));
        let what = "a place, an area, or a land hex by its number".into();
        Err(node.error(Problem::UnknownName { value: name.into(), what, near }))
    }

    /// The same, or `None` for `none`.
    pub fn read_or_none(&self, node: &Node<'_>) -> Result<Option<Hex>, LoadError> {
        if node.is_none()? { Ok(None) } else { self.read(node).map(Some) }
    }

    /// The hexes and areas of a list.
    pub fn list(&self, node: &Node<'_>) -> Result<Vec<Hex>, LoadError> {
        node.items()?.iter().map(|item| self.read(item)).collect()
    }

    /// The place of an identifier.
    pub fn place(&self, node: &Node<'_>) -> Result<&Place, LoadError> {
        let id = node.text()?;
        self.map.places.iter().find(|place| place.id == id).ok_or_else(|| {
            let near = nearest(id, self.map.places.iter().map(|place| place.id.as_str()));
            node.error(Problem::UnknownName { value: id.into(), what: "a place of places.csv".into(), near })
        })
    }

    /// The country of a hex or area.
    pub fn country_of(&self, hex: Hex) -> Option<&str> {
        self.countries.get(&hex).map(String::as_str)
    }

    /// Land hexes of a country, from north to south, and its areas.
    pub fn country(&self, node: &Node<'_>) -> Result<Vec<Hex>, LoadError> {
        let id = node.text()?;
        if !self.known_countries.iter().any(|known| known == id) {
            let near = nearest(id, self.known_countries.iter().map(String::as_str));
            let what = "a country of countries.csv".into();
            return Err(node.error(Problem::UnknownName { value: id.into(), what, near }));
        }
        Ok(self.land().filter(|hex| self.countries[hex] == id).collect())
    }

    /// All hexes of land, from north to south, and all areas.
    pub fn land(&self) -> impl Iterator<Item = Hex> + '_ {
        let hexes = self.map.hexes.iter().map(|data| data.hex).filter(|hex| self.countries.contains_key(hex));
        hexes.chain((0..self.map.areas.len() as u8).map(area))
    }

    /// What a node names: a country, a territory, or a single place.
    pub fn region(&self, node: &Node<'_>) -> Result<Region, LoadError> {
        let id = node.text()?;
        if self.known_countries.iter().any(|known| known == id) {
            return Ok(Region { rank: 0, hexes: self.country(node)? });
        }
        let own: Vec<Hex> =
            self.map.hexes.iter().filter(|data| data.territory == id).map(|data| data.hex).collect();
        if !own.is_empty() {
            return Ok(Region { rank: 1, hexes: own });
        }
        Ok(Region { rank: 2, hexes: vec![self.read(node)?] })
    }

    /// Land hexes of a list of countries, or of places where the list names those.
    pub fn countries_or_places(&self, node: &Node<'_>) -> Result<Vec<Hex>, LoadError> {
        let mut hexes = Vec::new();
        for item in node.items()? {
            if self.places.contains_key(item.text()?) {
                hexes.push(self.read(&item)?);
            } else {
                hexes.extend(self.country(&item)?);
            }
        }
        Ok(hexes)
    }
}

/// The hex of a number: column and row in two digits each.
fn number(text: &str) -> Option<Hex> {
    let digits = text.len() == 4 && text.bytes().all(|digit| digit.is_ascii_digit());
    let pair = |at: usize| text.get(at..at + 2)?.parse::<u8>().ok();
    let (column, row) = (pair(0)?, pair(2)?);
    let fits = digits && column < 64 && usize::from(row) + 1 < LINES;
    fits.then(|| hex(column, row))
}

/// The number of a hex, as in the data.
pub(super) fn number_of(hex: Hex) -> String {
    format!("{:02}{:02}", hex.place(), hex.line())
}

/// Reads the map.
pub(super) fn read(whole: Whole<'_>) -> Result<NamedMap, LoadError> {
    let nations =
        Names::new("a nation", whole.at("nations")?.members()?.iter().map(|row| row.key().to_owned()));
    let owners = owners(whole, &nations)?;
    let seas: Names<SeaId> = Names::of_rows(&whole.at("map.seas")?, "a sea area", MAX_SEAS)?;
    let mut named_map = NamedMap {
        map: Map::default(),
        countries: HashMap::new(),
        known_countries: whole.at("countries")?.members()?.iter().map(|row| row.key().to_owned()).collect(),
        places: HashMap::new(),
        loyal: Vec::new(),
    };
    hexes(whole, &owners, &seas, &mut named_map)?;
    let rows = whole.at("map.hexes")?;
    let board = HexBoard::<LINES>::new(
        named_map.map.hexes.iter().map(|data| data.hex),
        true,
        Orientation::PointyTops,
    )
    .map_err(|error| rows.inconsistent(error.to_string()))?;
    sides(whole, &board, &mut named_map)?;
    ways(whole, &board, &mut named_map)?;
    places(whole, &seas, &mut named_map)?;
    areas(whole, &owners, &seas, &mut named_map)?;
    fortified_ports(whole, &mut named_map)?;
    routes(whole, &mut named_map)?;
    named_map.map.seas = sea_areas(whole, &seas, &named_map)?;
    Ok(named_map)
}

/// Countries with the nation that owns each.
type Owners<'t> = HashMap<String, (Node<'t>, Option<NationId>)>;

fn owners<'t>(whole: Whole<'t>, nations: &Names<NationId>) -> Result<Owners<'t>, LoadError> {
    let mut owners = HashMap::new();
    for row in whole.at("countries")?.members()? {
        let nation = row.get("nation")?;
        let owner = nations.read_or_none(&nation)?;
        owners.insert(row.key().to_owned(), (row, owner));
    }
    Ok(owners)
}

/// The owner of a country that a node names.
fn owner_of(node: &Node<'_>, owners: &Owners<'_>) -> Result<Option<NationId>, LoadError> {
    let id = node.text()?;
    owners.get(id).map(|(_, owner)| *owner).ok_or_else(|| {
        let near = nearest(id, owners.keys().map(String::as_str));
        node.error(Problem::UnknownName { value: id.into(), what: "a country of countries.csv".into(), near })
    })
}

/// Whether a country is home territory of the nation that owns it.
fn is_home(node: &Node<'_>, owners: &Owners<'_>) -> Result<bool, LoadError> {
    owners.get(node.text()?).map_or(Ok(false), |(row, _)| row.get("home")?.flag())
}

/// The sea areas that a node lists.
fn sea_list(node: &Node<'_>, seas: &Names<SeaId>) -> Result<Vec<SeaId>, LoadError> {
    node.words()?.map(|id| seas.find(id, node)).collect()
}

fn hexes(
    whole: Whole<'_>,
    owners: &Owners<'_>,
    seas: &Names<SeaId>,
    named_map: &mut NamedMap,
) -> Result<(), LoadError> {
    let terrains: Vec<(&str, Terrain)> =
        Terrain::ALL.iter().map(|&terrain| (terrain.id(), terrain)).collect();
    let mut names: HashMap<String, String> = HashMap::new();
    for row in whole.at("map.hexes")?.members()? {
        let Some(hex) = number(row.key()) else {
            return Err(row.inconsistent("a hex has two digits of its column and two of its row, as 0922"));
        };
        let terrain = row.get("terrain")?.choose("terrain", &terrains)?;
        let (country, front, sea) = (row.get("country")?, row.get("front")?, row.get("sea")?);
        let coast = sea_list(&row.get("coast")?, seas)?;
        let name = row.get("name")?.text()?.to_owned();
        row.get("latitude")?.number(-90..=90)?;
        row.get("longitude")?.number(-180..=180)?;
        let is_water = matches!(terrain, Terrain::Sea | Terrain::Lake);
        if is_water != (country.text()? == "none") || is_water != (front.text()? == "none") {
            return Err(row.inconsistent("land has a country and a front, water has neither"));
        }
        if (terrain == Terrain::Sea) != (sea.text()? != "none") {
            return Err(sea.inconsistent("a hex of sea, and no other, lies in a sea area"));
        }
        if !is_water && name.is_empty() || names.contains_key(&name) {
            let other = names.get(&name).map_or("", String::as_str);
            return Err(row.inconsistent(format!(
                "each land hex has a name of its own; `{name}` also stands at `{other}`"
            )));
        }
        let mut nation = None;
        if !is_water {
            nation = owner_of(&country, owners)?;
            named_map.countries.insert(hex, country.text()?.to_owned());
        }
        if !name.is_empty() {
            names.insert(name.clone(), row.key().to_owned());
        }
        named_map.map.hexes.push(HexData {
            hex,
            name,
            terrain,
            front: if is_water { None } else { Some(front.choose("a front", &FRONTS)?) },
            nation,
            country: if is_water { String::new() } else { country.text()?.to_owned() },
            home: !is_water && is_home(&country, owners)?,
            territory: row.get("territory")?.words()?.collect(),
            sea: if terrain == Terrain::Sea { Some(seas.read(&sea)?) } else { None },
            coast,
            fortress: row.get("fortress")?.choose("a fortress", &FORTRESSES)?,
            shoal: row.get("shoal")?.flag()?,
        });
    }
    Ok(())
}

/// The two hexes of a row: neighbours, the further north (then west) first.
fn neighbours(row: &Node<'_>, board: &HexBoard<LINES>) -> Result<(Hex, Hex), LoadError> {
    let end = |key: &str| -> Result<Hex, LoadError> {
        let node = row.get(key)?;
        let text = node.text()?;
        number(text)
            .filter(|&hex| board.places().contains(hex))
            .ok_or_else(|| node.inconsistent(format!("`{text}` is no hex of the map by its number")))
    };
    let (a, b) = (end("a")?, end("b")?);
    if board.distance(a, b) != 1 {
        return Err(row.inconsistent(format!("{} and {} do not touch", number_of(a), number_of(b))));
    }
    if a > b {
        return Err(row.inconsistent("the hex further north, then west, stands first"));
    }
    Ok((a, b))
}

fn sides(whole: Whole<'_>, board: &HexBoard<LINES>, named_map: &mut NamedMap) -> Result<(), LoadError> {
    let kinds: Vec<(&str, SideKind)> = SIDE_KINDS.iter().map(|&kind| (kind.id(), kind)).collect();
    for row in whole.at("map.sides")?.members()? {
        let (a, b) = neighbours(&row, board)?;
        let node = row.get("kinds")?;
        for word in node.words()? {
            let kind = kinds.iter().find(|(id, _)| *id == word).map(|&(_, kind)| kind).ok_or_else(|| {
                let near = nearest(word, kinds.iter().map(|&(id, _)| id));
                node.error(Problem::UnknownName {
                    value: word.into(),
                    what: "a kind of hexside".into(),
                    near,
                })
            })?;
            let name = row.get("name")?.text()?.to_owned();
            named_map.map.sides.push(SideData { a, b, kind, name });
        }
    }
    Ok(())
}

fn ways(whole: Whole<'_>, board: &HexBoard<LINES>, named_map: &mut NamedMap) -> Result<(), LoadError> {
    for row in whole.at("map.ways")?.members()? {
        let (a, b) = neighbours(&row, board)?;
        for end in ["a", "b"] {
            let node = row.get(end)?;
            named_map.find(node.text()?, &node)?;
        }
        let node = row.get("ways")?;
        for word in node.words()? {
            match word {
                "rail" => named_map.map.rails.push((a, b)),
                "road" => named_map.map.roads.push((a, b)),
                _ => {
                    let (value, what) = (word.into(), "a way (rail, road)".into());
                    let near = nearest(word, ["rail", "road"]);
                    return Err(node.error(Problem::UnknownName { value, what, near }));
                }
            }
        }
    }
    Ok(())
}

/// What places and areas have in common: port, production, base.
fn place(row: &Node<'_>, seas: &Names<SeaId>, hex: Hex, city: City) -> Result<Place, LoadError> {
    let port = row.get("port")?.choose("a port", &PORTS)?;
    let port_seas = sea_list(&row.get("seas")?, seas)?;
    if (port == Port::None) != port_seas.is_empty() {
        return Err(row.get("seas")?.inconsistent("a port, and no other place, lies at a sea (15.1)"));
    }
    let (resource, points) = (row.get("resource")?, row.get("resource_pp")?.byte(0..=MOST_POINTS)?);
    let resources = resource.choose("a resource", &[("none", 0), ("mineral", points), ("oil", points)])?;
    if (resource.text()? == "none") != (points == 0) {
        return Err(row
            .get("resource_pp")?
            .inconsistent("resources, and nothing else, have points of their own"));
    }
    let none = [("none", None)].into_iter();
    let origins: Vec<_> = none.chain(FACTIONS.map(|(id, faction)| (id, Some(faction)))).collect();
    let origin = row.get("origin")?.choose("a side", &origins)?;
    Ok(Place {
        id: row.key().to_owned(),
        name: row.get("name")?.text()?.to_owned(),
        hex,
        city,
        port,
        port_seas,
        base: row.get("base")?.flag()?,
        fortified_port: false,
        points: row.get("pp")?.byte(0..=MOST_POINTS)?,
        resources,
        victory: 0,
        origin,
    })
}

fn places(whole: Whole<'_>, seas: &Names<SeaId>, named_map: &mut NamedMap) -> Result<(), LoadError> {
    for row in whole.at("map.places")?.members()? {
        let node = row.get("hex")?;
        let hex = named_map.find(node.text()?, &node)?;
        let city = row.get("class")?.choose("a class of place", &CLASSES)?;
        let mut place = place(&row, seas, hex, city)?;
        place.victory = row.get("victory")?.byte(0..=9)?;
        if city != City::Major && city != City::Open && place.points > 0 {
            return Err(row.get("pp")?.inconsistent("major cities alone produce (1.41)"));
        }
        row.get("capital_of")?.text()?;
        let loyalty = row.get("loyalty")?;
        if let Some(faction) = loyalty.choose("a loyalty", &LOYALTIES)? {
            match named_map.loyal.iter().find(|&&(at, _)| at == hex) {
                None => named_map.loyal.push((hex, faction)),
                Some(&(_, other)) if other == faction => {}
                Some(_) => {
                    let text =
                        "all places of a hex are loyal to one side; another one there is loyal to the other";
                    return Err(loyalty.inconsistent(text));
                }
            }
        }
        named_map.map.places.push(place);
    }
    named_map.map.loyal.clone_from(&named_map.loyal);
    for at in 0..named_map.map.places.len() {
        let place = &named_map.map.places[at];
        named_map.places.insert(place.id.clone(), place.hex);
    }
    Ok(())
}

fn areas(
    whole: Whole<'_>,
    owners: &Owners<'_>,
    seas: &Names<SeaId>,
    named_map: &mut NamedMap,
) -> Result<(), LoadError> {
    let terrains: Vec<(&str, Terrain)> =
        Terrain::ALL.iter().map(|&terrain| (terrain.id(), terrain)).collect();
    let zones = [("arctic", Front::North), ("east", Front::East), ("south", Front::Mediterranean)];
    let rows = whole.at("map.areas")?;
    for (at, row) in rows.members()?.iter().enumerate() {
        if at >= MAX_AREAS {
            return Err(rows.inconsistent(format!("the engine takes {MAX_AREAS} areas at most")));
        }
        let hex = area(at as u8);
        let country = row.get("country")?;
        let zone = row.get("zone")?;
        named_map.map.areas.push(Area {
            id: row.key().to_owned(),
            name: row.get("name")?.text()?.to_owned(),
            zone: zone.text()?.to_owned(),
            region: row.get("kind")?.choose("a kind of area", &[("district", false), ("region", true)])?,
            terrain: row.get("terrain")?.choose("terrain", &terrains)?,
            front: zone.choose("a zone", &zones)?,
            nation: owner_of(&country, owners)?,
            country: country.text()?.to_owned(),
            home: is_home(&country, owners)?,
        });
        row.get("latitude")?.number(-90..=90)?;
        row.get("longitude")?.number(-180..=180)?;
        let shore = row.get("sea_hex")?;
        if shore.text()? != "none" {
            let at_sea =
                |&sea: &Hex| named_map.map.hexes.iter().any(|data| data.hex == sea && data.sea.is_some());
            let sea = number(shore.text()?).filter(at_sea).ok_or_else(|| {
                shore.inconsistent("a radius over the sea comes from a sea hex by its number (18.2)")
            })?;
            named_map.map.shores.push((sea, hex));
        }
        if named_map.places.insert(row.key().to_owned(), hex).is_some() {
            return Err(row.inconsistent("a place of the hexes has the same identifier"));
        }
        named_map.countries.insert(hex, country.text()?.to_owned());
        let points = row.get("pp")?.byte(0..=MOST_POINTS)?;
        let city = if points > 0 { City::Major } else { City::None };
        named_map.map.places.push(place(row, seas, hex, city)?);
    }
    Ok(())
}

/// Fortified ports of the North Front (1.44).
fn fortified_ports(whole: Whole<'_>, named_map: &mut NamedMap) -> Result<(), LoadError> {
    for item in whole.at("charts.fortified_ports.places")?.items()? {
        let id = item.text()?;
        match named_map.map.places.iter_mut().find(|place| place.id == id && place.port != Port::None) {
            Some(place) => place.fortified_port = true,
            None => return Err(item.inconsistent("a fortified port is a port of places.csv or areas.csv")),
        }
    }
    Ok(())
}

fn routes(whole: Whole<'_>, named_map: &mut NamedMap) -> Result<(), LoadError> {
    let kinds = [("rail", RouteKind::Rail), ("road", RouteKind::Road), ("strait", RouteKind::Strait)];
    for row in whole.at("map.routes")?.members()? {
        let (a, b) = (named_map.read(&row.get("a")?)?, named_map.read(&row.get("b")?)?);
        if a.line() != sandtable_eurofront::ids::AREA_LINE {
            return Err(row.get("a")?.inconsistent("a route begins in an area (18.3)"));
        }
        named_map.map.routes.push(Route {
            a,
            b,
            kind: row.get("way")?.choose("a way", &kinds)?,
            length: row.get("length")?.choose("a length", &[("short", 2), ("long", 5)])?,
        });
    }
    Ok(())
}

fn sea_areas(whole: Whole<'_>, names: &Names<SeaId>, named_map: &NamedMap) -> Result<Vec<Sea>, LoadError> {
    let mut seas = Vec::new();
    for row in whole.at("map.seas")?.members()? {
        let always = row.get("always")?;
        seas.push(Sea {
            id: row.key().to_owned(),
            name: row.get("name")?.text()?.to_owned(),
            basin: row.get("basin")?.choose("a basin", &BASINS)?,
            interception: row.get("value")?.byte(0..=6)?,
            base: None,
            always: if always.is_none()? { None } else { Some(always.choose("a side", &FACTIONS)?) },
            freezes: row.get("freezes")?.flag()?,
            links: Vec::new(),
        });
    }
    for table in ["map.places", "map.areas"] {
        for row in whole.at(table)?.members()? {
            let node = row.get("base_of")?;
            for id in node.words()? {
                let sea = &mut seas[names.find(id, &node)?.at()];
                let hex = named_map.find(row.key(), &row)?;
                if sea.base.replace(hex).is_some() {
                    return Err(node.inconsistent(format!("`{id}` has a second naval base (15.2)")));
                }
            }
        }
    }
    let straits = whole.at("map.straits")?;
    for (row, a, b) in pairs(&whole.at("map.sea_links")?, names)? {
        let node = row.get("gates")?;
        let mut banks = Vec::new();
        for gate in node.words()? {
            let Some(strait) = straits.find(gate)? else {
                let near = nearest(gate, straits.table()?.keys().map(String::as_str));
                let what = "a strait of straits.csv".into();
                return Err(node.error(Problem::UnknownName { value: gate.into(), what, near }));
            };
            let list = strait.get("banks")?;
            for place in list.words()? {
                banks.push(named_map.find(place, &list)?);
            }
        }
        seas[a.at()].links.push((b, banks.clone()));
        seas[b.at()].links.push((a, banks));
    }
    Ok(seas)
}
