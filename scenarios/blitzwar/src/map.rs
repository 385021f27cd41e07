//! The map: zones, links, coasts, seas and the areas that the rules name (5).

use std::collections::HashSet;

use sandtable_blitzwar::location::{Location, Sea};
use sandtable_blitzwar::rules::{
    Basin, Coast, LandZone, Landmarks, Link, MAX_SEAS, MAX_ZONES, Regions, SeaZone, TERRAINS, Terrain, Zones,
};

use super::{country, side_or_none};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole, pairs};

pub(super) struct Map {
    pub zones: Vec<LandZone>,
    pub links: Vec<Link>,
    pub coasts: Vec<Coast>,
    pub seas: Vec<SeaZone>,
    pub regions: Regions,
    pub landmarks: Landmarks,
    pub zone_names: Names,
    pub sea_names: Names,
}

pub(super) fn read(whole: Whole<'_>) -> Result<Map, LoadError> {
    let zone_rows = whole.at("map.zones")?;
    let sea_rows = whole.at("map.seas")?;
    let zone_names = Names::of_rows(&zone_rows, "a land zone", MAX_ZONES)?;
    let sea_names = Names::of_rows(&sea_rows, "a sea zone", MAX_SEAS)?;
    let zones = zone_rows.members()?.iter().map(zone).collect::<Result<Vec<_>, _>>()?;
    let seas = sea_rows
        .members()?
        .iter()
        .map(|row| sea(row, &sea_names, &zone_names))
        .collect::<Result<Vec<_>, _>>()?;
    for (row, sea) in sea_rows.members()?.iter().zip(&seas) {
        let own = sea_names.find(row.key(), row)?;
        for other in 0..seas.len() as u8 {
            if sea.neighbours >> other & 1 != 0 && seas[usize::from(other)].neighbours >> own & 1 == 0 {
                let other = sea_names.id(other);
                return Err(row.get("neighbours")?.inconsistent(format!(
                    "`{other}` is a neighbour of `{}`, but not the other way round",
                    row.key()
                )));
            }
        }
    }
    let links = links(&whole.at("map.links")?, &zone_names)?;
    let coasts = coasts(&whole.at("map.coasts")?, &zone_names, &sea_names)?;
    let areas = whole.at("map.areas")?;
    areas.only(&["regions", "landmarks", "sea_landmarks"])?;
    let regions = regions(&areas.get("regions")?, &zone_names)?;
    let landmarks = landmarks(&areas, &zone_names, &sea_names)?;
    Ok(Map { zones, links, coasts, seas, regions, landmarks, zone_names, sea_names })
}

/// The kinds of terrain by their names in the data.
pub(super) const TERRAIN_NAMES: [(&str, Terrain); TERRAINS] = [
    ("easy", Terrain::Easy),
    ("narrow", Terrain::Narrow),
    ("marsh", Terrain::Marsh),
    ("mountain", Terrain::Mountain),
    ("high_mountain", Terrain::HighMountain),
];

fn zone(row: &Node<'_>) -> Result<LandZone, LoadError> {
    Ok(LandZone {
        id: row.key().to_owned(),
        name: row.get("name")?.text()?.to_owned(),
        country: country(&row.get("country")?)?,
        eastern_poland: row.get("eastern_poland")?.flag()?,
        terrain: row.get("terrain")?.choose("a terrain", &TERRAIN_NAMES)?,
        fortress: row.get("fortress")?.flag()?,
        port: row.get("port")?.flag()?,
        naval_base: row.get("naval_base")?.flag()?,
        capital: row.get("capital")?.flag()?,
        supply_zone: side_or_none(&row.get("supply_zone")?)?,
        general_point: row.get("general_point")?.flag()?,
        side_point: side_or_none(&row.get("side_point")?)?,
        vichy: row.get("vichy")?.flag()?,
        snow: row.get("snow")?.flag()?,
        corps_limit: Some(row.get("corps_limit")?.byte(0..=9)?).filter(|&limit| limit > 0),
        unlimited: row.get("unlimited")?.flag()?,
        latitude: row.get("latitude")?.number(-90..=90)? as f32,
        longitude: row.get("longitude")?.number(-180..=180)? as f32,
    })
}

fn sea(row: &Node<'_>, seas: &Names, zones: &Names) -> Result<SeaZone, LoadError> {
    let own = seas.find(row.key(), row)?;
    let node = row.get("neighbours")?;
    let mut neighbours = 0;
    for word in node.words()? {
        let other = seas.find(word, &node)?;
        if other == own {
            return Err(node.inconsistent("a sea is not its own neighbour"));
        }
        neighbours |= 1 << other;
    }
    let node = row.get("straits")?;
    let mut straits = Vec::new();
    for word in node.words()? {
        let Some((sea, zone)) = word.split_once(':') else {
            return Err(node.inconsistent(format!("`{word}` is not of the form sea:zone")));
        };
        let (sea, zone) = (seas.find(sea, &node)?, zones.find(zone, &node)?);
        if neighbours >> sea & 1 == 0 {
            return Err(
                node.inconsistent(format!("`{}` lies behind a strait but is no neighbour", seas.id(sea)))
            );
        }
        straits.push((Sea(sea), Location(zone)));
    }
    Ok(SeaZone {
        id: row.key().to_owned(),
        name: row.get("name")?.text()?.to_owned(),
        basin: row.get("basin")?.choose(
            "a basin",
            &[("mediterranean", Basin::Mediterranean), ("gulf", Basin::Gulf), ("other", Basin::Other)],
        )?,
        neighbours,
        straits,
    })
}

fn links(rows: &Node<'_>, zones: &Names) -> Result<Vec<Link>, LoadError> {
    let mut links = Vec::new();
    for (row, a, b) in pairs(rows, zones)? {
        let (a_id, b_id) = (zones.id(a), zones.id(b));
        let end = |key: &str, extra: &[(&str, [bool; 2])]| {
            let mut words = vec![("none", [false, false]), (a_id, [true, false]), (b_id, [false, true])];
            words.extend_from_slice(extra);
            row.get(key)?.choose("an end of the link", &words)
        };
        let river = end("river", &[("both", [true, true])])?;
        let fortified = end("fortified", &[])?;
        links.push(Link {
            a: Location(a),
            b: Location(b),
            dotted: row.get("kind")?.choose("a kind of link", &[("land", false), ("dotted", true)])?,
            river_a: river[0],
            river_b: river[1],
            fortified: fortified.iter().position(|&here| here).map(|end| Location([a, b][end])),
        });
    }
    Ok(links)
}

fn coasts(rows: &Node<'_>, zones: &Names, seas: &Names) -> Result<Vec<Coast>, LoadError> {
    let mut seen = HashSet::new();
    let mut coasts = Vec::new();
    for row in rows.members()? {
        let zone = Location(zones.read(&row.get("zone")?)?);
        let sea = Sea(seas.read(&row.get("sea")?)?);
        if !seen.insert((zone, sea)) {
            return Err(row.inconsistent("the coast stands there twice"));
        }
        coasts.push(Coast { zone, sea, port: row.get("port")?.flag()?, beach: row.get("beach")?.flag()? });
    }
    Ok(coasts)
}

/// The zones of a list.
pub(super) fn zone_set(node: &Node<'_>, zones: &Names) -> Result<Zones, LoadError> {
    let mut set = Zones::EMPTY;
    for item in node.items()? {
        set.insert(Location(zones.read(&item)?));
    }
    Ok(set)
}

fn regions(node: &Node<'_>, zones: &Names) -> Result<Regions, LoadError> {
    node.only(&[
        "great_britain",
        "france_home",
        "italy_home",
        "french_north_africa",
        "africa",
        "british_asia",
    ])?;
    let region = |key: &str| zone_set(&node.get(key)?, zones);
    Ok(Regions {
        great_britain: region("great_britain")?,
        france_home: region("france_home")?,
        italy_home: region("italy_home")?,
        french_north_africa: region("french_north_africa")?,
        africa: region("africa")?,
        british_asia: region("british_asia")?,
    })
}

fn landmarks(areas: &Node<'_>, zones: &Names, seas: &Names) -> Result<Landmarks, LoadError> {
    let (land, water) = (areas.get("landmarks")?, areas.get("sea_landmarks")?);
    land.only(&[
        "london",
        "paris",
        "suez",
        "asian_bases",
        "america",
        "basra",
        "stockholm",
        "copenhagen",
        "karelia",
        "montenegro",
    ])?;
    water.only(&[
        "north_atlantic",
        "central_atlantic",
        "norwegian_sea",
        "persian_gulf",
        "western_mediterranean",
    ])?;
    let zone = |key: &str| zones.read(&land.get(key)?).map(Location);
    let sea = |key: &str| seas.read(&water.get(key)?).map(Sea);
    Ok(Landmarks {
        london: zone("london")?,
        paris: zone("paris")?,
        suez: zone("suez")?,
        asian_bases: zone("asian_bases")?,
        america: zone("america")?,
        basra: zone("basra")?,
        stockholm: zone("stockholm")?,
        copenhagen: zone("copenhagen")?,
        karelia: zone("karelia")?,
        montenegro: zone("montenegro")?,
        north_atlantic: sea("north_atlantic")?,
        central_atlantic: sea("central_atlantic")?,
        norwegian_sea: sea("norwegian_sea")?,
        persian_gulf: sea("persian_gulf")?,
        western_mediterranean: sea("western_mediterranean")?,
    })
}
