//! The map: areas, borders, seas, coasts, cities, resources and the places the rules name (1).

use sandtable_core::Index;
use sandtable_victory_in_europe::Place;
use sandtable_victory_in_europe::rules::{
    Area, Areas, Border, BorderKind, Gate, GateRule, MAX_AREAS, MAX_SEAS, Places, Port, Regions, ResourceUse,
    Sea, SeaKind, SeaLink, Seas, Terrain,
};
use sandtable_victory_in_europe::state::MAX_FACTORY;

use super::{nation, nation_or_none};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole, pairs};

pub(super) struct Map {
    pub areas: Vec<Area>,
    pub borders: Vec<Border>,
    pub seas: Vec<Sea>,
    pub sea_links: Vec<SeaLink>,
    pub gates: Vec<Gate>,
    pub ports: Vec<Port>,
    pub regions: Regions,
    pub places: Places,
    ///
    pub north_germany: Areas,
    /// All regions by name, for the events of cards.
    pub named: Vec<(String, Areas)>,
    pub area_names: Names<Place>,
    pub sea_names: Names,
}

pub(super) fn read(whole: Whole<'_>) -> Result<Map, LoadError> {
    let (area_rows, sea_rows) = (whole.at("areas")?, whole.at("seas")?);
    let area_names = Names::of_rows(&area_rows, "an area", MAX_AREAS)?;
    let sea_names = Names::of_rows(&sea_rows, "a sea zone", MAX_SEAS)?;
    let mut areas = area_rows.members()?.iter().map(area).collect::<Result<Vec<_>, _>>()?;
    cities(&whole.at("cities")?, &area_names, &mut areas)?;
    resources(&whole.at("resources")?, &area_names, &mut areas)?;
    let (gates, gate_names) = gates(&whole.at("gates")?, &area_names)?;
    let region_rows = whole.at("regions")?;
    let mut named = Vec::new();
    for region in region_rows.members()? {
        region.only(&["value"])?;
        named.push((region.key().to_owned(), area_names.read_list(&region.get("value")?)?));
    }
    let region = |key: &str| match named.iter().find(|(name, _)| name == key) {
        Some((_, areas)) => Ok(*areas),
        None => region_rows.get(key).map(|_| Areas::EMPTY),
    };
    let regions = Regions {
        middle_east: region("middle_east")?,
        north_africa: region("north_africa")?,
        libya: region("libya")?,
        great_britain: region("great_britain")?,
        vichy: region("vichy")?,
        eastern_poland: region("eastern_poland")?,
        western_poland: region("western_poland")?,
        baltic: region("baltic")?,
        bessarabia: region("bessarabia")?,
        fjords: region("fjords")?,
    };
    let north_germany = region("north_germany")?;
    Ok(Map {
        borders: borders(&whole.at("borders")?, &area_names)?,
        seas: sea_rows.members()?.iter().map(sea).collect::<Result<_, _>>()?,
        sea_links: sea_links(&whole.at("sea_links")?, &sea_names, &gate_names)?,
        ports: ports(&whole.at("ports")?, &area_names, &sea_names)?,
        places: places(&whole.at("places")?, &area_names, &sea_names)?,
        areas,
        gates,
        regions,
        north_germany,
        named,
        area_names,
        sea_names,
    })
}

/// Kinds of terrain by their names in the data.
pub(super) const TERRAINS: [(&str, Terrain); 4] = [
    ("clear", Terrain::Clear),
    ("forest", Terrain::Forest),
    ("mountain", Terrain::Mountain),
    ("desert", Terrain::Desert),
];

fn area(row: &Node<'_>) -> Result<Area, LoadError> {
    Ok(Area {
        id: row.key().to_owned(),
        name: row.get("name")?.text()?.to_owned(),
        country: nation(&row.get("country")?)?,
        home: nation_or_none(&row.get("home")?)?,
        terrain: row.get("terrain")?.choose("a terrain", &TERRAINS)?,
        stack: row.get("stack")?.byte(1..=99)?,
        invadable: row.get("invadable")?.flag()?,
        small_island: row.get("small_island")?.flag()?,
        safe: row.get("safe")?.flag()?,
        lat: row.get("latitude")?.number(-90..=90)? as f32,
        lon: row.get("longitude")?.number(-180..=180)? as f32,
        city: 0,
        markers: 0,
        city_name: String::new(),
        resource: 0,
        resource_use: ResourceUse::Any,
    })
}

/// Steps of a factory marker (2.0).
const MARKER: u8 = 4;

fn cities(rows: &Node<'_>, names: &Names<Place>, areas: &mut [Area]) -> Result<(), LoadError> {
    for row in rows.members()? {
        let area = &mut areas[names.find(row.key(), &row)?.at()];
        row.get("name")?.text()?.clone_into(&mut area.city_name);
        area.city = row.get("factory_steps")?.byte(0..=MAX_FACTORY)?;
        area.markers = row.get("markers")?.byte(0..=7)?;
        if area.city > area.markers * MARKER {
            return Err(row.get("factory_steps")?.inconsistent(format!(
                "{} markers of {MARKER} steps hold no {} factory steps (11.31)",
                area.markers, area.city
            )));
        }
    }
    Ok(())
}

fn resources(rows: &Node<'_>, names: &Names<Place>, areas: &mut [Area]) -> Result<(), LoadError> {
    for row in rows.members()? {
        let area = &mut areas[names.find(row.key(), &row)?.at()];
        area.resource = row.get("value")?.byte(1..=60)?;
        let uses = [("any", ResourceUse::Any), ("axis", ResourceUse::Axis), ("local", ResourceUse::Local)];
        area.resource_use = row.get("use")?.choose("a use", &uses)?;
    }
    Ok(())
}

fn borders(rows: &Node<'_>, areas: &Names<Place>) -> Result<Vec<Border>, LoadError> {
    let mut borders = Vec::new();
    for (row, a, b) in pairs(rows, areas)? {
        let kind = row.get("terrain")?.choose(
            "a border terrain",
            &[
                ("clear", BorderKind::Clear),
                ("forest", BorderKind::Forest),
                ("mountain", BorderKind::Mountain),
                ("desert", BorderKind::Desert),
                ("river", BorderKind::River),
                ("fortified", BorderKind::Fortified),
                ("strait", BorderKind::Strait),
                ("alpine", BorderKind::Alpine),
                ("urals", BorderKind::Urals),
            ],
        )?;
        let least = u8::from(kind != BorderKind::Alpine);
        let limit = row.get("limit")?.byte(least..=99)?;
        let limit_frozen = row.get("limit_frozen")?.byte(least..=99)?;
        borders.push(Border { a, b, kind, limit, limit_frozen });
    }
    Ok(borders)
}

fn sea(row: &Node<'_>) -> Result<Sea, LoadError> {
    let kinds = [
        ("sea", SeaKind::Sea),
        ("ocean", SeaKind::Ocean),
        ("convoy", SeaKind::Convoy),
        ("supply_only", SeaKind::SupplyOnly),
    ];
    let kind = row.get("kind")?.choose("a kind of sea zone", &kinds)?;
    let least = u8::from(kind != SeaKind::SupplyOnly);
    Ok(Sea {
        id: row.key().to_owned(),
        name: row.get("name")?.text()?.to_owned(),
        kind,
        entry: row.get("entry")?.byte(least..=9)?,
        freezes: row.get("freezes")?.flag()?,
        lat: row.get("latitude")?.number(-90..=90)? as f32,
        lon: row.get("longitude")?.number(-180..=180)? as f32,
    })
}

fn gates(node: &Node<'_>, areas: &Names<Place>) -> Result<(Vec<Gate>, Names), LoadError> {
    let mut gates = Vec::new();
    for entry in node.members()? {
        entry.only(&["sides", "rule", "extra"])?;
        let sides: Vec<Place> =
            entry.get("sides")?.items()?.iter().map(|side| areas.read(side)).collect::<Result<_, _>>()?;
        if sides.is_empty() {
            return Err(entry.get("sides")?.inconsistent("a gate needs a side that opens or closes it"));
        }
        gates.push(Gate {
            id: entry.key().to_owned(),
            sides,
            rule: entry.get("rule")?.choose(
                "a rule of a gate",
                &[
                    ("no_enemy", GateRule::NoEnemy),
                    ("major_holds_all", GateRule::MajorHoldsAll),
                    ("german_friendly", GateRule::GermanFriendly),
                ],
            )?,
            extra: entry.get("extra")?.byte(0..=9)?,
        });
    }
    let names = Names::new("a gate", gates.iter().map(|gate| gate.id.clone()));
    Ok((gates, names))
}

fn sea_links(rows: &Node<'_>, seas: &Names, gates: &Names) -> Result<Vec<SeaLink>, LoadError> {
    let mut links = Vec::new();
    for (row, a, b) in pairs(rows, seas)? {
        links.push(SeaLink { a, b, gate: gates.read_or_none(&row.get("gate")?)? });
    }
    Ok(links)
}

fn ports(rows: &Node<'_>, areas: &Names<Place>, seas: &Names) -> Result<Vec<Port>, LoadError> {
    let mut ports = Vec::new();
    for row in rows.members()? {
        let node = row.get("seas")?;
        let set: Seas = seas.read_words::<Vec<u8>>(&node)?.into_iter().fold(0, |set, sea| set | 1 << sea);
        let red = row.get("red")?.flag()?;
        if set == 0 && !red {
            return Err(node.inconsistent("only a red port opens on the sea outside the map alone (8.7)"));
        }
        let (name, port) = (row.get("name")?.text()?, row.get("port")?.flag()?);
        if port && name.is_empty() {
            return Err(row.get("name")?.inconsistent("the port has no name"));
        }
        let base = row.get("base")?.flag()?;
        if !port && (base || red) {
            return Err(row.get("port")?.inconsistent("naval bases and red ports are ports (1.44, 1.45)"));
        }
        ports.push(Port {
            area: areas.read(&row.get("area")?)?,
            coast: row.get("coast")?.byte(1..=2)?,
            name: if port { name.to_owned() } else { String::new() },
            seas: set,
            base,
            red,
        });
    }
    Ok(ports)
}

fn places(node: &Node<'_>, areas: &Names<Place>, seas: &Names) -> Result<Places, LoadError> {
    node.only(&["areas", "seas"])?;
    let (land, water) = (node.get("areas")?, node.get("seas")?);
    land.only(&[
        "rome",
        "london",
        "paris",
        "moscow",
        "leningrad",
        "urals",
        "usa",
        "kalinin",
        "malta",
        "suez",
        "lulea",
        "narvik",
        "murmansk",
        "archangel",
    ])?;
    water.only(&["convoy_a", "convoy_b", "caspian_sea"])?;
    let area = |key: &str| areas.read(&land.get(key)?);
    let sea = |key: &str| seas.read(&water.get(key)?);
    Ok(Places {
        rome: area("rome")?,
        london: area("london")?,
        paris: area("paris")?,
        moscow: area("moscow")?,
        leningrad: area("leningrad")?,
        urals: area("urals")?,
        usa: area("usa")?,
        kalinin: area("kalinin")?,
        malta: area("malta")?,
        suez: area("suez")?,
        lulea: area("lulea")?,
        narvik: area("narvik")?,
        murmansk: area("murmansk")?,
        archangel: area("archangel")?,
        convoy_a: sea("convoy_a")?,
        convoy_b: sea("convoy_b")?,
        caspian_sea: sea("caspian_sea")?,
    })
}
