//! Whether the data agree with themselves and with the limits of the game.

use sandtable_core::Index;
use std::collections::BTreeMap;

use sandtable_blitzwar::BlitzWar;
use sandtable_blitzwar::location::{Location, Zone};
use sandtable_blitzwar::nation::{Country, Force, Nation};
use sandtable_blitzwar::rules::{Kind, MAX_ZONES, Placement, Rules, SurrenderRule};
use sandtable_blitzwar::state::Status;

use super::counters::{Corps, pack, pack_units};
use super::setup::holder;
use sandtable_scenarios::tree::{Node, Whole, check_length};
use sandtable_scenarios::{LoadError, Problem};

pub(super) fn check(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    zones(whole, rules)?;
    coasts(whole, rules)?;
    lines(whole, rules)?;
    victory(whole, rules)?;
    country_status(whole, rules)?;
    units(whole, rules)?;
    engine(whole, rules)
}

/// The engine takes the data, and its own way of laying counters out loses no unit.
fn engine(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let game = BlitzWar::new(rules.clone()).map_err(|text| LoadError::new(Problem::Inconsistent(text)))?;
    let units = whole.at("setup.units")?;
    game.check_setup().map_err(|text| units.inconsistent(format!("{text} (3, 4)")))
}

fn zone_node<'t>(whole: Whole<'t>, rules: &Rules, zone: Zone, key: &str) -> Result<Node<'t>, LoadError> {
    whole.at("map.zones")?.get(&rules.zones[zone.at()].id)?.get(key)
}

fn zones(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let mut capital: BTreeMap<Country, &str> = BTreeMap::new();
    for (at, zone) in rules.zones.iter().enumerate() {
        if zone.naval_base && !zone.port {
            return Err(zone_node(whole, rules, Zone::nth(at), "naval_base")?
                .inconsistent("a naval base is a port too"));
        }
        if zone.capital
            && let Some(other) = capital.insert(zone.country, &zone.id)
        {
            let text = format!("{} has two capitals, `{other}` and `{}`", zone.country.name(), zone.id);
            return Err(zone_node(whole, rules, Zone::nth(at), "capital")?.inconsistent(text));
        }
        if zone.eastern_poland && zone.country != Country::Pol {
            let text = "only Polish zones belong to Eastern Poland";
            return Err(zone_node(whole, rules, Zone::nth(at), "eastern_poland")?.inconsistent(text));
        }
    }
    let map = whole.at("map.zones")?;
    for country in Country::ALL {
        let needs = matches!(
            rules.countries[country.index()].surrender,
            SurrenderRule::Capital | SurrenderRule::CapitalAnd(_)
        ) || rules.countries[country.index()].corps > 0 && country != Country::Vichy;
        if needs && !capital.contains_key(&country) {
            return Err(map.inconsistent(format!("no zone is the capital of {}", country.name())));
        }
    }
    for force in Force::ALL {
        if !rules.zones.iter().any(|zone| zone.supply_zone == Some(force)) {
            return Err(map.inconsistent(format!("the {} side has no Supply Zone", force.id())));
        }
    }
    Ok(())
}

fn coasts(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let mut opens = vec![false; rules.zones.len()];
    for (coast, row) in rules.coasts.iter().zip(whole.at("map.coasts")?.members()?) {
        let zone = &rules.zones[coast.zone.at()];
        if coast.port && !zone.port {
            return Err(row.get("port")?.inconsistent(format!("`{}` has no port", zone.id)));
        }
        opens[coast.zone.at()] |= coast.port;
    }
    for (at, zone) in rules.zones.iter().enumerate() {
        if zone.port && !opens[at] {
            let text = "the port opens on no sea: no row of map/coasts.csv has it";
            return Err(zone_node(whole, rules, Zone::nth(at), "port")?.inconsistent(text));
        }
    }
    Ok(())
}

fn lines(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let mut fortified: Vec<Zone> = rules.links.iter().filter_map(|link| link.fortified).collect();
    fortified.sort_unstable();
    fortified.dedup();
    if fortified.len() > 8 {
        return Err(whole.at("map.links")?.inconsistent("more than 8 zones have fortified lines"));
    }
    for (at, item) in whole.at("setup.broken_lines")?.items()?.iter().enumerate() {
        if !fortified.contains(&rules.setup.broken_lines[at]) {
            return Err(item.inconsistent("the zone has no fortified line"));
        }
    }
    Ok(())
}

fn victory(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let setup = &rules.setup;
    check_length(whole, setup.first_turn, setup.last_turn, rules.calendar.len())?;
    let points = rules.zones.iter().filter(|zone| zone.general_point || zone.side_point.is_some()).count();
    let covers = |rows: &[sandtable_blitzwar::rules::VictoryRow], first: u8, last: usize| {
        rows.first().is_some_and(|row| row.from <= first)
            && rows.last().is_some_and(|row| usize::from(row.to) >= last)
    };
    if !covers(&rules.victory_surrender, 1, usize::from(setup.last_turn)) {
        let text = format!("the rows must cover the turns 1 to {}", setup.last_turn);
        return Err(whole.at("victory.german_surrender")?.inconsistent(text));
    }
    let table = if setup.victory_by_points.is_empty() {
        (&rules.victory_points, "victory.axis_points")
    } else {
        (&setup.victory_by_points, "setup.victory")
    };
    if !covers(table.0, 0, points) {
        return Err(whole
            .at(table.1)?
            .inconsistent(format!("the rows must cover 0 to {points} strategic points")));
    }
    Ok(())
}

/// The side that holds each zone at the start.
pub(super) fn held(rules: &Rules) -> Vec<Option<Force>> {
    let mut held: Vec<Option<Force>> =
        rules.zones.iter().map(|zone| holder(zone, &rules.setup.countries)).collect();
    for &(zone, force) in &rules.setup.control {
        held[zone.at()] = force;
    }
    held
}

fn country_status(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let setup = &rules.setup;
    let node = whole.at("setup.countries")?;
    let status = |country: Country| setup.countries[country.index()].status;
    for force in Force::ALL {
        if !setup.countries.iter().any(|start| start.status.force() == Some(force)) {
            return Err(node.inconsistent(format!("no country is at war on the {} side", force.id())));
        }
    }
    for (country, start) in Country::ALL.iter().zip(&setup.countries) {
        if start.surrendered > setup.first_turn {
            let text = format!("the surrender on turn {} lies after the start", start.surrendered);
            return Err(node.get(country.id())?.inconsistent(text));
        }
    }
    let fallen = status(Country::Fra) == Status::Surrendered;
    if fallen == (status(Country::Vichy) == Status::Absent) {
        return Err(node
            .get("vichy")?
            .inconsistent("Vichy exists once France has surrendered, and only then (9.4)"));
    }
    for (zone, held) in rules.zones.iter().zip(held(rules)) {
        let vichy = zone.vichy && fallen;
        if held.is_none() && !vichy && status(zone.country) == Status::Surrendered {
            let text =
                format!("nobody controls `{}`, a zone of surrendered {}", zone.id, zone.country.name());
            return Err(whole.at("setup.control")?.inconsistent(text));
        }
    }
    Ok(())
}

/// The side a nation's units are on, as the engine sees it.
pub(super) fn force_of(rules: &Rules, nation: Nation) -> Option<Force> {
    let status = |country: Country| rules.setup.countries[country.index()].status;
    match nation {
        Nation::Axis => Some(Force::Axis),
        Nation::Allied => Some(Force::Allied),
        Nation::Fra if status(Country::Vichy) != Status::Absent => status(Country::Vichy).force(),
        Nation::Yug if status(Country::Yug) == Status::Surrendered => Some(Force::Allied),
        _ => nation.country().and_then(|country| status(country).force()),
    }
}

/// The node a placement came from, for messages.
fn placement_node<'t>(whole: Whole<'t>, rules: &Rules, unit: &Placement) -> Result<Node<'t>, LoadError> {
    let units = whole.at("setup.units")?;
    let place = place_id(rules, unit.place);
    match units.find(unit.nation.id())? {
        Some(nation) => Ok(nation.find(place)?.unwrap_or(nation)),
        None => Ok(units),
    }
}

fn place_id(rules: &Rules, place: Location) -> &str {
    let sea = place.at().wrapping_sub(MAX_ZONES);
    match rules.zones.get(place.at()) {
        Some(zone) => &zone.id,
        None => rules.seas.get(sea).map_or("", |sea| &sea.id),
    }
}

fn units(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let held = held(rules);
    let start: Vec<&Placement> = rules.setup.units.iter().filter(|unit| unit.turn == 0).collect();
    for unit in &start {
        ground(whole, rules, &held, unit)?;
    }
    stacking(whole, rules, &start)?;
    counters(whole, rules, &start)
}

/// Units stand where their side may stand, and are of kinds their nation has.
fn ground(
    whole: Whole<'_>,
    rules: &Rules,
    held: &[Option<Force>],
    unit: &Placement,
) -> Result<(), LoadError> {
    let node = placement_node(whole, rules, unit)?;
    let kinds = [
        ("infantry", unit.infantry, &[Kind::Infantry, Kind::White][..]),
        ("armour", unit.armour, &[Kind::Armour, Kind::White]),
        ("air", unit.air, &[Kind::Air]),
        ("fleet", unit.fleet, &[Kind::Fleet]),
        ("submarine", unit.submarine, &[Kind::Submarine]),
        ("supply", unit.supply_halves, &[Kind::Supply]),
    ];
    for (name, units, kinds) in kinds {
        let has =
            |kind: &Kind| rules.counter_types.iter().any(|it| it.nation == unit.nation && it.kind == *kind);
        if units > 0 && !kinds.iter().any(has) {
            let mut text = format!("there are no {} {name} counters", unit.nation.name());
            if name == "supply" {
                text.push_str("; common supply stands under `axis` and `allied`");
            }
            return Err(node.inconsistent(text));
        }
    }
    let Some(zone) = rules.zones.get(unit.place.at()) else {
        if unit.infantry + unit.armour + unit.air + unit.supply_halves > 0 {
            return Err(node.inconsistent("only fleets and submarines are set up at sea"));
        }
        return Ok(());
    };
    if unit.fleet + unit.submarine > 0 && !zone.port {
        return Err(node.inconsistent(format!("`{}` has no port for ships", zone.id)));
    }
    let force = force_of(rules, unit.nation);
    let country = match unit.nation {
        Nation::Fra if rules.setup.countries[Country::Vichy.index()].status != Status::Absent => None,
        nation => nation.country(),
    };
    let at_home =
        country == Some(zone.country) || country.is_none() && unit.nation == Nation::Fra && zone.vichy;
    let passage =
        force == Some(Force::Axis) && rules.setup.countries[zone.country.index()].status == Status::Passage;
    // The supply of a neutral Italy waits in its zones.
    let waiting = unit.nation >= Nation::Axis && held[unit.place.at()].is_none();
    let allowed = match force {
        Some(force) => held[unit.place.at()] == Some(force) || passage || waiting,
        None => at_home,
    };
    if !allowed {
        let whose = held[unit.place.at()].map_or("nobody", Force::name);
        let side = force.map_or("neutral", Force::name);
        let text = format!("{} units are {side}, and {whose} controls `{}`", unit.nation.name(), zone.id);
        return Err(node.inconsistent(text));
    }
    Ok(())
}

/// Most counters of infantry and armour a zone takes.
fn stack_limit(rules: &Rules, zone: Zone) -> u8 {
    if rules.zones[zone.at()].unlimited { u8::MAX } else { rules.limits.stack }
}

/// Fewest counters that can hold so many corps.
fn fewest(corps: u8) -> u8 {
    corps.div_ceil(3)
}

fn stacking(whole: Whole<'_>, rules: &Rules, start: &[&Placement]) -> Result<(), LoadError> {
    let mut stacks: BTreeMap<Zone, (u8, u8)> = BTreeMap::new();
    for unit in start {
        let corps = unit.infantry + unit.armour;
        if corps == 0 {
            continue;
        }
        let node = placement_node(whole, rules, unit)?;
        let stack = stacks.entry(unit.place).or_default();
        stack.0 = stack.0.saturating_add(corps);
        stack.1 = stack.1.saturating_add(fewest(corps));
        let zone = &rules.zones[unit.place.at()];
        if let Some(limit) = zone.corps_limit
            && stack.0 > limit
        {
            return Err(node
                .inconsistent(format!("{} corps stand in `{}`, which holds {limit} (4)", stack.0, zone.id)));
        }
        if stack.1 > stack_limit(rules, unit.place) {
            let text = format!(
                "{} corps in `{}` need at least {} counters; {} may stand there (4)",
                stack.0, zone.id, stack.1, rules.limits.stack
            );
            return Err(node.inconsistent(text));
        }
    }
    Ok(())
}

/// Units of a kind in a placement.
type Count = fn(&Placement) -> u8;

/// The set-up fits on the counters, within the stacking limit.
fn counters(whole: Whole<'_>, rules: &Rules, start: &[&Placement]) -> Result<(), LoadError> {
    let mut free: Vec<u8> =
        rules.counter_types.iter().map(|counter| if counter.locked { 0 } else { counter.count }).collect();
    for &(kind, count) in &rules.setup.released {
        free[kind as usize] = count;
    }
    let mut used: BTreeMap<Zone, u8> = BTreeMap::new();
    for nation in Nation::ALL {
        let own: Vec<&&Placement> = start.iter().filter(|unit| unit.nation == nation).collect();
        if own.is_empty() && !rules.setup.free.iter().any(|free| free.nation == nation) {
            continue;
        }
        let units = whole.at("setup.units")?;
        let node = units.find(nation.id())?.unwrap_or(units);
        let mut corps: Vec<Corps> = Vec::new();
        for unit in &own {
            let others: u8 = start
                .iter()
                .filter(|other| other.place == unit.place && other.nation != nation)
                .map(|other| fewest(other.infantry + other.armour))
                .fold(0, u8::saturating_add);
            let (infantry, armour) = (unit.infantry, unit.armour);
            let most = if infantry + armour == 0 {
                0
            } else {
                stack_limit(rules, unit.place).saturating_sub(others)
            };
            corps.push(Corps { infantry, armour, fortified: unit.fortified, most });
        }
        for army in rules.setup.free.iter().filter(|army| army.nation == nation) {
            let one = Corps { infantry: army.corps, armour: 0, fortified: 0, most: 1 };
            corps.extend(std::iter::repeat_n(one, army.counters.into()));
        }
        let total: u32 = corps.iter().map(|corps| u32::from(corps.infantry + corps.armour)).sum();
        let Some(counts) = pack(&rules.counter_types, &mut free, nation, rules.setup.first_turn, &corps)
        else {
            let text = format!(
                "the {total} {} corps do not fit on the counters there are, with {} counters a zone (3, 4)",
                nation.name(),
                rules.limits.stack
            );
            return Err(node.inconsistent(text));
        };
        for (unit, count) in own.iter().zip(counts) {
            let sum = used.entry(unit.place).or_default();
            *sum = sum.saturating_add(count);
            if count > 0 && *sum > stack_limit(rules, unit.place) {
                let place = place_id(rules, unit.place);
                return Err(node.inconsistent(format!("`{place}` would hold {sum} counters of corps (4)")));
            }
        }
        let singles: [(&str, Kind, Count); 4] = [
            ("air", Kind::Air, |unit| unit.air),
            ("fleet", Kind::Fleet, |unit| unit.fleet),
            ("submarine", Kind::Submarine, |unit| unit.submarine),
            ("supply", Kind::Supply, |unit| unit.supply_halves.div_ceil(2)),
        ];
        for (name, kind, count) in singles {
            let mut places: Vec<u8> = own.iter().map(|unit| count(unit)).filter(|&units| units > 0).collect();
            places.sort_unstable_by_key(|&units| std::cmp::Reverse(units));
            if !pack_units(&rules.counter_types, &mut free, nation, kind, &places) {
                let total: u32 = places.iter().map(|&units| u32::from(units)).sum();
                let text = format!(
                    "the {total} {} {name} units do not fit on the counters there are (3)",
                    nation.name()
                );
                return Err(node.inconsistent(text));
            }
        }
    }
    Ok(())
}
