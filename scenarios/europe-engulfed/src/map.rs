//! The map: areas, borders, air links, seas and passages, countries (1, 5, 8).

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{Area, Areas, MAX_AREAS, MAX_SEAS, Nation, Sea};
use sandtable_europe_engulfed::rules::{
    AreaData, Country, CountryKind, Edge, EdgeKind, Passage, SeaZone, Terrain, Zone,
};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole, pairs};

use super::{nation, nation_names};

pub(super) struct Map {
    pub areas: Vec<AreaData>,
    pub edges: Vec<Edge>,
    pub air_links: Vec<(Area, Area)>,
    pub seas: Vec<SeaZone>,
    pub passages: Vec<Passage>,
    pub countries: Vec<Country>,
    pub area_names: Names<Area>,
    pub sea_names: Names<Sea>,
    pub country_names: Names,
}

impl Map {
    /// The areas of a country.
    pub(super) fn areas_of(&self, country: usize) -> Areas {
        let mut set = Areas::EMPTY;
        for (index, area) in self.areas.iter().enumerate() {
            if usize::from(area.country) == country {
                set.insert(Area::nth(index));
            }
        }
        set
    }
    /// The areas of a list of countries and areas.
    pub(super) fn lands(&self, node: &Node<'_>) -> Result<Areas, LoadError> {
        let mut set = Areas::EMPTY;
        for item in node.items()? {
            match self.country_names.index_of(item.text()?) {
                Some(country) => set = set.or(&self.areas_of(country.at())),
                None => set.insert(self.area_names.read(&item)?),
            }
        }
        Ok(set)
    }
}

pub(super) fn read(whole: Whole<'_>) -> Result<Map, LoadError> {
    let (area_rows, sea_rows, country_rows) = (whole.at("areas")?, whole.at("seas")?, whole.at("countries")?);
    let area_names: Names<Area> = Names::of_rows(&area_rows, "an area", MAX_AREAS)?;
    let sea_names: Names<Sea> = Names::of_rows(&sea_rows, "a sea zone", MAX_SEAS)?;
    let country_names = Names::of_rows(&country_rows, "a country", 255)?;
    let names = AllNames { areas: &area_names, seas: &sea_names, countries: &country_names };
    Ok(Map {
        areas: area_rows.members()?.iter().map(|row| area(row, &names)).collect::<Result<_, _>>()?,
        edges: edges(&whole.at("borders")?, &area_names)?,
        air_links: pairs(&whole.at("air_links")?, &area_names)?.into_iter().map(|(_, a, b)| (a, b)).collect(),
        seas: sea_rows.members()?.iter().map(sea).collect::<Result<_, _>>()?,
        passages: passages(&whole.at("passages")?, &names)?,
        countries: country_rows
            .members()?
            .iter()
            .map(|row| country(row, &names))
            .collect::<Result<_, _>>()?,
        area_names,
        sea_names,
        country_names,
    })
}

struct AllNames<'a> {
    areas: &'a Names<Area>,
    seas: &'a Names<Sea>,
    countries: &'a Names,
}

/// Terrain by its name in the data.
const TERRAINS: [(&str, Terrain); 5] = [
    ("clear", Terrain::Clear),
    ("rough", Terrain::Rough),
    ("swamp", Terrain::Swamp),
    ("fortress", Terrain::Fortress),
    ("off_map", Terrain::OffMap),
];

fn area(row: &Node<'_>, names: &AllNames<'_>) -> Result<AreaData, LoadError> {
    let zones = [
        ("east", Zone::Eastern),
        ("west", Zone::Western),
        ("south", Zone::Southern),
        // A box off the map has no weather of its own.
        ("none", Zone::Western),
    ];
    let source = row.get("source_of")?;
    let terrain = row.get("terrain")?.choose("a terrain", &TERRAINS)?;
    let host = names.areas.read_or_none(&row.get("host")?)?;
    if host.is_some() && terrain != Terrain::Fortress {
        return Err(row.get("host")?.inconsistent("only a fortress has an area around it"));
    }
    Ok(AreaData {
        id: row.key().to_owned(),
        name: row.get("name")?.text()?.to_owned(),
        country: names.countries.read(&row.get("country")?)?,
        zone: row.get("zone")?.choose("a climate zone", &zones)?,
        terrain,
        desert: row.get("desert")?.flag()?,
        resource: row.get("resource")?.byte(0..=20)?,
        ports: ports(&row.get("ports")?, names.seas)?,
        beaches: beaches(&row.get("beaches")?, names.seas)?,
        host,
        source_of: if source.is_none()? { None } else { Some(nation(&source)?) },
        heavy_fort: row.get("heavy_fort")?.flag()?,
        lat: row.get("latitude")?.number(-90..=90)? as f32,
        lon: row.get("longitude")?.number(-180..=180)? as f32,
    })
}

fn ports(node: &Node<'_>, seas: &Names<Sea>) -> Result<u8, LoadError> {
    let seas: Vec<Sea> = seas.read_words(node)?;
    Ok(seas.iter().fold(0, |set, sea| set | 1 << sea.at()))
}

/// `sea:blocks`, separated by spaces.
fn beaches(node: &Node<'_>, seas: &Names<Sea>) -> Result<[u8; MAX_SEAS], LoadError> {
    let mut beaches = [0; MAX_SEAS];
    for word in node.words()? {
        let (sea, blocks) = word.split_once(':').unwrap_or((word, ""));
        let Some(blocks) = blocks.parse().ok().filter(|blocks| (1..=9).contains(blocks)) else {
            return Err(node.inconsistent(format!(
                "`{word}` is not a sea, a colon and 1 to 9 blocks, as in atlantic:4"
            )));
        };
        beaches[seas.find(sea, node)?.at()] = blocks;
    }
    Ok(beaches)
}

fn edges(rows: &Node<'_>, areas: &Names<Area>) -> Result<Vec<Edge>, LoadError> {
    let kinds = [
        ("land", EdgeKind::Land),
        ("river", EdgeKind::River),
        ("strait", EdgeKind::Strait),
        ("fortress", EdgeKind::Fortress),
    ];
    let mut edges = Vec::new();
    for (row, a, b) in pairs(rows, areas)? {
        let maginot = areas.read_or_none(&row.get("maginot")?)?;
        if maginot.is_some_and(|area| area != a && area != b) {
            return Err(row.get("maginot")?.inconsistent("the Maginot Line covers one of the two areas"));
        }
        edges.push(Edge { a, b, kind: row.get("kind")?.choose("a kind of border", &kinds)?, maginot });
    }
    Ok(edges)
}

fn sea(row: &Node<'_>) -> Result<SeaZone, LoadError> {
    let node = row.get("powers")?;
    let nations: Vec<u8> = nation_names().read_words(&node)?;
    let open_to = nations.into_iter().fold(0, |all, nation| all | Nation::of(nation).bit());
    Ok(SeaZone {
        id: row.key().to_owned(),
        name: row.get("name")?.text()?.to_owned(),
        open_to,
        lat: row.get("latitude")?.number(-90..=90)? as f32,
        lon: row.get("longitude")?.number(-180..=180)? as f32,
    })
}

fn passages(rows: &Node<'_>, names: &AllNames<'_>) -> Result<Vec<Passage>, LoadError> {
    let mut passages = Vec::new();
    for (row, a, b) in pairs(rows, names.seas)? {
        passages.push(Passage {
            a,
            b,
            keys_first: names.areas.read_words(&row.get("first")?)?,
            keys_second: names.areas.read_words(&row.get("second")?)?,
        });
    }
    Ok(passages)
}

fn country(row: &Node<'_>, names: &AllNames<'_>) -> Result<Country, LoadError> {
    let kinds = [
        ("major", CountryKind::Major),
        ("overseas", CountryKind::Overseas),
        ("minor", CountryKind::Minor),
        ("axis_minor", CountryKind::AxisMinor),
        ("pact_area", CountryKind::PactArea),
        ("ceded", CountryKind::Ceded),
    ];
    Ok(Country {
        id: row.key().to_owned(),
        name: row.get("name")?.text()?.to_owned(),
        owner: nation(&row.get("owner")?)?,
        kind: row.get("kind")?.choose("a kind of country", &kinds)?,
        capital: names.areas.read_or_none(&row.get("capital")?)?,
        home: row.get("home")?.flag()?,
    })
}
