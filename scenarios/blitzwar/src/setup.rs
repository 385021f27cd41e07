//! Scenarios: the status of countries, control, units, timers, length and victory (19).

use sandtable_blitzwar::location::{Location, Sea, Zone};
use sandtable_blitzwar::nation::{COUNTRIES, Country, Force, Nation};
use sandtable_blitzwar::rules::{CountryStart, FreePlacement, LandZone, Placement, Setup};
use sandtable_blitzwar::state::{Status, Timers};
use sandtable_core::Index;
use toml::Value;

use super::counters::Counters;
use super::map::{Map, zone_set};
use super::{UNIT_KINDS, charts, country_names, nation_names};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole};

/// Standings by name.
pub(super) const STANDINGS: [(&str, Status); 7] = [
    ("axis", Status::Axis),
    ("allied", Status::Allied),
    ("soviet", Status::Soviet),
    ("neutral", Status::Neutral),
    ("passage", Status::Passage),
    ("surrendered", Status::Surrendered),
    ("absent", Status::Absent),
];

/// Most units of a kind in one entry.
const MANY: u8 = 30;

pub(super) fn read(whole: Whole<'_>, map: &Map, counters: &Counters) -> Result<Setup, LoadError> {
    let node = whole.at("setup")?;
    node.only(&[
        "system",
        "id",
        "first_turn",
        "last_turn",
        "axis",
        "allied",
        "soviet",
        "countries",
        "control",
        "units",
        "later",
        "free",
        "timers",
        "released",
        "broken_lines",
        "victory",
    ])?;
    let countries = countries(&node.get("countries")?)?;
    let mut units = units(&node.get("units")?, map)?;
    for force in Force::ALL {
        extra(&node.get(force.id())?, force, map, &mut units)?;
    }
    units.extend(later(&node.get("later")?, map)?);
    let mut released = Vec::new();
    for entry in node.get("released")?.members()? {
        let kind = counters.names.find(entry.key(), &entry)?;
        let counter = &counters.types[kind as usize];
        if !counter.locked {
            return Err(entry.inconsistent("counters of this type are free from the start"));
        }
        released.push((kind, entry.byte(0..=counter.count)?));
    }
    Ok(Setup {
        id: node.get("id")?.text()?.to_owned(),
        name: node.get("title")?.text()?.to_owned(),
        first_turn: node.get("first_turn")?.byte(1..=99)?,
        last_turn: node.get("last_turn")?.byte(1..=99)?,
        control: control(&node.get("control")?, map, &countries)?,
        countries,
        units,
        free: free(&node.get("free")?, &map.zone_names)?,
        timers: timers(&node.get("timers")?)?,
        released,
        broken_lines: node
            .get("broken_lines")?
            .items()?
            .iter()
            .map(|item| map.zone_names.read(item).map(Location))
            .collect::<Result<_, _>>()?,
        victory_by_points: charts::victory_rows(&node.get("victory")?)?,
    })
}

fn countries(node: &Node<'_>) -> Result<[CountryStart; COUNTRIES], LoadError> {
    let ids: Vec<&str> = Country::ALL.iter().map(|country| country.id()).collect();
    node.only(&ids)?;
    let absent = CountryStart { status: Status::Absent, surrendered: 0 };
    let mut starts = [absent; COUNTRIES];
    for country in Country::ALL {
        let entry = node.get(country.id())?;
        entry.only(&["status", "surrendered"])?;
        let status = entry.get("status")?.choose("a standing", &STANDINGS)?;
        let surrendered = entry.find("surrendered")?.map_or(Ok(0), |turn| turn.byte(0..=99))?;
        if (surrendered > 0) != (status == Status::Surrendered) {
            return Err(entry
                .inconsistent("`surrendered` is the turn of the surrender, for surrendered countries only"));
        }
        if (status == Status::Absent) && country != Country::Vichy {
            return Err(entry.inconsistent("only Vichy can be absent"));
        }
        starts[country.index()] = CountryStart { status, surrendered };
    }
    Ok(starts)
}

/// Side that holds a zone by its country's standing alone.
pub(super) fn holder(zone: &LandZone, countries: &[CountryStart; COUNTRIES]) -> Option<Force> {
    let vichy = countries[Country::Vichy.index()].status;
    if zone.vichy && vichy != Status::Absent {
        return vichy.force();
    }
    countries[zone.country.index()].status.force()
}

/// Zones whose holder the the status of countries do not tell. Zones by name win over whole countries.
fn control(
    node: &Node<'_>,
    map: &Map,
    countries: &[CountryStart; COUNTRIES],
) -> Result<Vec<(Zone, Option<Force>)>, LoadError> {
    node.only(&Force::ALL.map(Force::id))?;
    let mut held: Vec<Option<Force>> = map.zones.iter().map(|zone| holder(zone, countries)).collect();
    let mut named = vec![false; map.zones.len()];
    for force in Force::ALL {
        let entry = node.get(force.id())?;
        entry.only(&["countries", "zones"])?;
        for item in entry.get("countries")?.items()? {
            let country = Country::ALL[country_names().read(&item)? as usize];
            for (held, zone) in held.iter_mut().zip(&map.zones) {
                if zone.country == country {
                    *held = Some(force);
                }
            }
        }
    }
    for force in Force::ALL {
        for item in node.get(force.id())?.get("zones")?.items()? {
            let zone = map.zone_names.read(&item)? as usize;
            if std::mem::replace(&mut named[zone], true) {
                return Err(item.inconsistent("the zone stands there twice"));
            }
            held[zone] = Some(force);
        }
    }
    // Vichy zones are told in any case, so that nobody has to know whose they were by default.
    let plain = |zone: &LandZone| countries[zone.country.index()].status.force();
    let told = held.iter().zip(&map.zones).enumerate();
    Ok(told
        .filter(|(_, (held, zone))| **held != plain(zone) || **held != holder(zone, countries))
        .map(|(at, (held, _))| (Zone::nth(at), *held))
        .collect())
}

fn placement(
    node: &Node<'_>,
    nation: Nation,
    place: Location,
    turn: u8,
    other: &[&str],
) -> Result<Placement, LoadError> {
    let keys: Vec<&str> = UNIT_KINDS.iter().chain(other).copied().collect();
    node.only(&keys)?;
    let count = |key: &str| node.find(key)?.map_or(Ok(0), |units| units.byte(0..=MANY));
    let placement = Placement {
        nation,
        place,
        infantry: count("infantry")?,
        armour: count("armour")?,
        air: count("air")?,
        fleet: count("fleet")?,
        submarine: count("submarine")?,
        supply_halves: node.find("supply")?.map_or(Ok(0), |units| units.halves(100))?,
        fortified: count("fortified")?,
        turn,
    };
    if placement.fortified > placement.infantry {
        return Err(node.inconsistent("more corps are fortified than there are infantry corps"));
    }
    Ok(placement)
}

/// A land zone, or a sea zone, as a location.
fn place(id: &str, node: &Node<'_>, map: &Map) -> Result<Location, LoadError> {
    match map.sea_names.index_of(id) {
        Some(sea) if !map.zone_names.contains(id) => Ok(Location::of_sea(Sea(sea))),
        _ => map.zone_names.find(id, node).map(Location),
    }
}

fn units(node: &Node<'_>, map: &Map) -> Result<Vec<Placement>, LoadError> {
    let names = nation_names();
    let mut units = Vec::new();
    for entry in node.members()? {
        let nation = Nation::ALL[names.find(entry.key(), &entry)? as usize];
        for at in entry.members()? {
            units.push(placement(&at, nation, place(at.key(), &at, map)?, 0, &[])?);
        }
    }
    Ok(units)
}

/// The handicap of a side: units added at one of its zones.
fn extra(node: &Node<'_>, force: Force, map: &Map, units: &mut Vec<Placement>) -> Result<(), LoadError> {
    node.only(&["extra_supply", "extra_infantry", "extra_air", "extra_at"])?;
    let at = node.get("extra_at")?;
    let zone = Location(map.zone_names.read(&at)?);
    let none = Placement {
        nation: Nation::Ger,
        place: zone,
        infantry: 0,
        armour: 0,
        air: 0,
        fleet: 0,
        submarine: 0,
        supply_halves: 0,
        fortified: 0,
        turn: 0,
    };
    let (nation, stock) = match force {
        Force::Axis => (Nation::Ger, Nation::Axis),
        Force::Allied => (Nation::Uk, Nation::Allied),
        Force::Soviet => (Nation::Ussr, Nation::Ussr),
    };
    let extras = [
        Placement {
            nation,
            infantry: node.get("extra_infantry")?.byte(0..=MANY)?,
            air: node.get("extra_air")?.byte(0..=MANY)?,
            ..none.clone()
        },
        Placement { nation: stock, supply_halves: node.get("extra_supply")?.halves(60)?, ..none },
    ];
    for more in extras {
        if more.infantry == 0 && more.air == 0 && more.supply_halves == 0 {
            continue;
        }
        match units
            .iter_mut()
            .find(|there| there.nation == more.nation && there.place == zone && there.turn == 0)
        {
            Some(there) => {
                let sum = [there.infantry + more.infantry, there.air + more.air];
                let supply = u16::from(there.supply_halves) + u16::from(more.supply_halves);
                let Ok(supply) = u8::try_from(supply) else {
                    return Err(node
                        .get("extra_supply")?
                        .inconsistent("there is too much supply in the zone"));
                };
                [there.infantry, there.air] = sum;
                there.supply_halves = supply;
            }
            None => units.push(more),
        }
    }
    Ok(())
}

fn later(node: &Node<'_>, map: &Map) -> Result<Vec<Placement>, LoadError> {
    let names = nation_names();
    let mut units = Vec::new();
    for item in node.items()? {
        let nation = Nation::ALL[names.read(&item.get("nation")?)? as usize];
        let at = item.get("place")?;
        let place = place(at.text()?, &at, map)?;
        let turn = item.get("turn")?.byte(1..=99)?;
        units.push(placement(&item, nation, place, turn, &["nation", "place", "turn"])?);
    }
    Ok(units)
}

fn free(node: &Node<'_>, zones: &Names) -> Result<Vec<FreePlacement>, LoadError> {
    let names = nation_names();
    node.items()?
        .iter()
        .map(|item| {
            item.only(&["nation", "counters", "corps", "area"])?;
            let area = zone_set(&item.get("area")?, zones)?;
            if area.is_empty() {
                return Err(item.get("area")?.inconsistent("the area has no zone"));
            }
            Ok(FreePlacement {
                nation: Nation::ALL[names.read(&item.get("nation")?)? as usize],
                counters: item.get("counters")?.byte(0..=MANY)?,
                corps: item.get("corps")?.byte(1..=3)?,
                area,
            })
        })
        .collect()
}

/// Timers that hold a turn or a number.
pub(super) const TURNS: [&str; 12] = [
    "west_attack",
    "east_attack",
    "axis_soviet_war",
    "british_italian_first",
    "british_italian_last",
    "british_italian_turns",
    "french_surrender",
    "yugoslav_surrender",
    "free_france",
    "paris_liberated",
    "usa_entry",
    "usa_advance",
];
/// Timers that say whether something has happened.
pub(super) const FLAGS: [&str; 6] = [
    "poland_before_west",
    "britain_landed",
    "spain_asked",
    "turkey_asked",
    "karelia_checked",
    "german_defence",
];

/// Timers before anything has happened.
pub(super) fn timer_defaults() -> Vec<(String, Value)> {
    let turns = TURNS.iter().map(|&key| (key, Value::Integer(0)));
    let flags = FLAGS.iter().map(|&key| (key, Value::Boolean(false)));
    let others = [("total_war", Value::Array(vec![Value::Integer(0); 3]))];
    turns.chain(flags).chain(others).map(|(key, value)| (key.to_owned(), value)).collect()
}

fn timers(node: &Node<'_>) -> Result<Timers, LoadError> {
    let keys: Vec<&str> = TURNS.iter().chain(&FLAGS).chain(&["total_war"]).copied().collect();
    node.only(&keys)?;
    let turn = |key: &str| node.get(key)?.byte(0..=99);
    let flag = |key: &str| node.get(key)?.flag();
    let list = node.get("total_war")?;
    let items = list.items()?;
    let [axis, allied, soviet] = items.as_slice() else {
        return Err(list.inconsistent("three turns are expected here: Axis, Allied, Soviet"));
    };
    Ok(Timers {
        west_attack: turn("west_attack")?,
        poland_before_west: flag("poland_before_west")?,
        east_attack: turn("east_attack")?,
        axis_soviet_war: turn("axis_soviet_war")?,
        british_italian_first: turn("british_italian_first")?,
        british_italian_last: turn("british_italian_last")?,
        british_italian_turns: turn("british_italian_turns")?,
        french_surrender: turn("french_surrender")?,
        yugoslav_surrender: turn("yugoslav_surrender")?,
        free_france: turn("free_france")?,
        paris_liberated: turn("paris_liberated")?,
        usa_entry: turn("usa_entry")?,
        usa_advance: turn("usa_advance")?,
        britain_landed: flag("britain_landed")?,
        spain_asked: flag("spain_asked")?,
        turkey_asked: flag("turkey_asked")?,
        total_war: [axis.byte(0..=99)?, allied.byte(0..=99)?, soviet.byte(0..=99)?],
        karelia_checked: flag("karelia_checked")?,
        german_defence: flag("german_defence")?,
    })
}
