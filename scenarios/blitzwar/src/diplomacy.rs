//! Countries, dates and numbers of diplomacy (9 to 11, 18).

use sandtable_blitzwar::location::{Location, Zone};
use sandtable_blitzwar::nation::{COUNTRIES, Country};
use sandtable_blitzwar::rules::{AreaOfOperations, CountryRules, Dates, Rhythm, SurrenderRule};

use super::map::Map;
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole};

pub(super) struct Diplomacy {
    pub countries: [CountryRules; COUNTRIES],
    pub dates: Dates,
}

const COMMON: [&str; 6] =
    ["surrender", "rhythm", "corps", "place_anywhere", "while_neutral", "area_of_operations"];

/// Numbers a country has beside the common entries.
fn own_keys(country: Country) -> &'static [&'static str] {
    match country {
        Country::Ger => &[
            "africa_from",
            "africa_delay",
            "west_attack_turns",
            "east_attack_turns",
            "defence_points",
            "defence_always_until",
            "second_elite_delay",
        ],
        Country::Uk => &["early_turns_vs_italians", "corps_per_total_card"],
        Country::Usa => &["entry_turn", "reinforced_in_britain_from"],
        Country::Ussr => {
            &["total_war_from", "special_corps", "special_delay", "karelia_turn", "gulf_lend_lease_from"]
        }
        Country::Ita => &["entry_points", "supply", "units", "fleet_max"],
        Country::Yug => &["roll_turn", "price", "partisan_delay"],
        Country::Rum => &["passage_corps"],
        Country::Vichy => &["ports", "first_corps", "steady_delay", "garrison"],
        _ => &[],
    }
}

pub(super) fn read(whole: Whole<'_>, map: &Map) -> Result<Diplomacy, LoadError> {
    let node = whole.at("diplomacy")?;
    let mut names: Vec<&str> = Country::ALL.iter().map(|country| country.id()).collect();
    names.extend(["balkans", "general"]);
    node.only(&names)?;
    let mut countries = Vec::with_capacity(COUNTRIES);
    for country in Country::ALL {
        let entry = node.get(country.id())?;
        let keys: Vec<&str> = COMMON.iter().chain(own_keys(country)).copied().collect();
        entry.only(&keys)?;
        countries.push(country_rules(&entry)?);
    }
    let countries = countries.try_into().unwrap_or_else(|_| unreachable!("one entry for each country"));
    let mut garrison = Vec::new();
    for corps in node.get("vichy")?.get("garrison")?.members()? {
        garrison.push((Location(map.zone_names.find(corps.key(), &corps)?), corps.byte(0..=9)?));
    }
    Ok(Diplomacy { countries, dates: dates(&node, whole, garrison)? })
}

fn country_rules(node: &Node<'_>) -> Result<CountryRules, LoadError> {
    Ok(CountryRules {
        surrender: surrender(&node.get("surrender")?)?,
        rhythm: node.get("rhythm")?.choose(
            "a rhythm of reinforcement",
            &[
                ("never", Rhythm::Never),
                ("every_turn", Rhythm::EveryTurn),
                ("mark1", Rhythm::Mark1),
                ("mark2", Rhythm::Mark2),
            ],
        )?,
        corps: node.get("corps")?.byte(0..=20)?,
        place_anywhere: node.get("place_anywhere")?.flag()?,
        while_neutral: node.get("while_neutral")?.flag()?,
        area_of_operations: node.get("area_of_operations")?.choose(
            "a area_of_operations",
            &[
                ("free", AreaOfOperations::Free),
                ("home", AreaOfOperations::Home),
                ("neighbours", AreaOfOperations::Neighbours),
                ("italian", AreaOfOperations::Italian),
                ("spanish", AreaOfOperations::Spanish),
            ],
        )?,
    })
}

fn surrender(node: &Node<'_>) -> Result<SurrenderRule, LoadError> {
    let kinds = ["never", "capital", "capital_and", "supply_zones", "occupied"].map(|kind| (kind, kind));
    let kind = node.get("rule")?.choose("a rule of surrender", &kinds)?;
    let keys: &[&str] = match kind {
        "capital_and" => &["rule", "zones"],
        "occupied" => &["rule", "zones", "corps", "from_turn"],
        _ => &["rule"],
    };
    node.only(keys)?;
    let number = |key: &str| node.get(key)?.byte(0..=99);
    Ok(match kind {
        "never" => SurrenderRule::Never,
        "capital" => SurrenderRule::Capital,
        "capital_and" => SurrenderRule::CapitalAnd(number("zones")?),
        "supply_zones" => SurrenderRule::SupplyZones,
        _ => SurrenderRule::Occupied {
            zones: number("zones")?,
            corps: number("corps")?,
            from_turn: number("from_turn")?,
        },
    })
}

fn dates(node: &Node<'_>, whole: Whole<'_>, garrison: Vec<(Zone, u8)>) -> Result<Dates, LoadError> {
    let get = |table: &str, key: &str, most: u8| node.get(table)?.get(key)?.byte(0..=most);
    let turn = |table, key| get(table, key, 99);
    let number = |table, key| get(table, key, 30);
    let general = node.get("general")?;
    general.only(&["last_reactivation", "winter_1942", "corps_abroad"])?;
    node.get("balkans")?.only(&["entry_turn"])?;
    let winter = general.get("winter_1942")?;
    let turns = winter.items()?;
    let [first, second] = turns.as_slice() else {
        return Err(winter.inconsistent("two turns are expected here"));
    };
    let limits = whole.at("limits")?;
    let limit = |table: &str, key: &str| limits.get(table)?.get(key)?.byte(0..=30);
    limits.get("substitution")?.only(&["infantry_or_fleet", "armour"])?;
    Ok(Dates {
        balkan_entry: turn("balkans", "entry_turn")?,
        yugoslav_roll: turn("yug", "roll_turn")?,
        usa_entry: turn("usa", "entry_turn")?,
        soviet_total_war: turn("ussr", "total_war_from")?,
        last_reactivation: turn("general", "last_reactivation")?,
        german_africa: turn("ger", "africa_from")?,
        german_africa_delay: number("ger", "africa_delay")?,
        italy_points: get("ita", "entry_points", 255)?,
        german_defence_points: get("ger", "defence_points", 255)?,
        german_defence_always: turn("ger", "defence_always_until")?,
        winter_1942: [first.byte(0..=99)?, second.byte(0..=99)?],
        german_west_turns: number("ger", "west_attack_turns")?,
        german_east_turns: number("ger", "east_attack_turns")?,
        british_early_turns: number("uk", "early_turns_vs_italians")?,
        second_elite_delay: number("ger", "second_elite_delay")?,
        special_delay: number("ussr", "special_delay")?,
        special_corps: number("ussr", "special_corps")?,
        karelia: turn("ussr", "karelia_turn")?,
        gulf_lend_lease: turn("ussr", "gulf_lend_lease_from")?,
        usa_in_britain: turn("usa", "reinforced_in_britain_from")?,
        romanian_passage: number("rum", "passage_corps")?,
        yugoslav_price: number("yug", "price")?,
        partisan_delay: number("yug", "partisan_delay")?,
        vichy_ports: number("vichy", "ports")?,
        vichy_garrison: garrison,
        free_france_first: number("vichy", "first_corps")?,
        free_france_delay: number("vichy", "steady_delay")?,
        italian_supply: number("ita", "supply")?,
        italian_units: number("ita", "units")?,
        italian_fleet_max: number("ita", "fleet_max")?,
        bombing_max: limit("air", "bombing_per_turn")?,
        british_per_total_card: number("uk", "corps_per_total_card")?,
        substitute_small: limit("substitution", "infantry_or_fleet")?,
        substitute_armour: limit("substitution", "armour")?,
        corps_abroad: number("general", "corps_abroad")?,
    })
}
