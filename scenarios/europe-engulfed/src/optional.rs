//! Numbers of optional rules (13, 14).

use sandtable_europe_engulfed::rules::{Begun, FrenchRules, GrowthRules, NavalAirRules, OptionalRules};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole};

use super::map::Map;
use super::nation;
use super::powers::Counters;
use super::setup::{bimester, nations_of};

pub(super) fn read(whole: Whole<'_>, map: &Map, counters: &Counters) -> Result<OptionalRules, LoadError> {
    let node = whole.at("option_numbers")?;
    node.only(&[
        "instalment",
        "final_offensives",
        "partisans",
        "collapse",
        "fourth",
        "growth",
        "no_winter_war",
        "italian_wars",
        "soviet_wars",
        "french_terms",
        "naval_air",
        "demarcation",
        "pursuit",
        "armour_hit",
        "carpet_bombing",
    ])?;
    let group = |name: &str, keys: &[&str]| -> Result<Node<'_>, LoadError> {
        let group = node.get(name)?;
        group.only(keys)?;
        Ok(group)
    };
    let partisans = group("partisans", &["from", "cost"])?;
    let collapse = group("collapse", &["turns", "need"])?;
    let fourth = group("fourth", &["lost", "areas", "before"])?;
    let winter = group("no_winter_war", &["turn", "income", "turns"])?;
    let italy = group("italian_wars", &["targets", "gate"])?;
    let soviets = group("soviet_wars", &["from", "wake"])?;
    let air = group("naval_air", &["at_sea", "in_port", "guarded", "superiority", "bonus"])?;
    let pursuit = group("pursuit", &["hit_on", "infantry"])?;
    let armour = group("armour_hit", &["early", "year", "late"])?;
    let carpet = group("carpet_bombing", &["hit_on", "short"])?;
    let offensives = node.get("final_offensives")?.get("value")?;
    let small = |group: &Node<'_>, key: &str| Ok(group.get(key)?.integer(-9..=9)? as i8);
    Ok(OptionalRules {
        instalment: node.get("instalment")?.get("value")?.byte(1..=99)?,
        begun: begun(&whole.at("setup")?, map, counters)?,
        final_offensives: offensives.items()?.iter().map(bimester).collect::<Result<_, _>>()?,
        partisans: (bimester(&partisans.get("from")?)?, partisans.get("cost")?.byte(1..=20)?),
        collapse: [collapse.get("turns")?.byte(0..=20)?, collapse.get("need")?.byte(1..=6)?],
        fourth: [small(&fourth, "lost")?, small(&fourth, "areas")?, small(&fourth, "before")?],
        growth: growth(&node.get("growth")?, map)?,
        no_winter_war: (
            bimester(&winter.get("turn")?)?,
            winter.get("income")?.byte(0..=100)?,
            winter.get("turns")?.byte(0..=40)?,
        ),
        italian_targets: nations_of(&italy.get("targets")?)?,
        italian_gate: Some(map.area_names.read(&italy.get("gate")?)?),
        soviet_sphere: map.lands(&node.get("demarcation")?.get("soviet")?)?,
        naval_air: NavalAirRules {
            at_sea: air.get("at_sea")?.byte(1..=7)?,
            in_port: air.get("in_port")?.byte(1..=7)?,
            guarded: map.lands(&air.get("guarded")?)?,
            superiority: air.get("superiority")?.byte(1..=9)?,
            bonus: air.get("bonus")?.byte(0..=5)?,
        },
        french: french(&node.get("french_terms")?, map, counters)?,
        soviet_wars_from: bimester(&soviets.get("from")?)?,
        soviets_wake: bimester(&soviets.get("wake")?)?,
        pursuit_on: pair(&pursuit.get("hit_on")?, 2, 7)?,
        pursuit_infantry: pair(&pursuit.get("infantry")?, 1, 9)?,
        armour_hit: (
            armour.get("early")?.byte(1..=20)?,
            armour.get("year")?.integer(1939..=1946)? as u16,
            armour.get("late")?.byte(1..=20)?,
        ),
        carpet: [carpet.get("hit_on")?.byte(2..=7)?, carpet.get("short")?.byte(0..=6)?],
    })
}

fn growth(node: &Node<'_>, map: &Map) -> Result<GrowthRules, LoadError> {
    node.only(&[
        "soviet_turns",
        "american_from",
        "rolls",
        "anniversary",
        "running",
        "areas_taken",
        "mainland",
    ])?;
    Ok(GrowthRules {
        soviet_turns: node.get("soviet_turns")?.byte(0..=20)?,
        american_from: bimester(&node.get("american_from")?)?,
        rolls: pair(&node.get("rolls")?, 1, 7)?,
        anniversary: node.get("anniversary")?.byte(1..=40)?,
        running: node.get("running")?.byte(1..=20)?,
        areas_taken: node.get("areas_taken")?.byte(1..=20)?,
        mainland: map.area_names.read_list(&node.get("mainland")?)?,
    })
}

/// On what terms France gives in (14.354).
fn french(node: &Node<'_>, map: &Map, counters: &Counters) -> Result<FrenchRules, LoadError> {
    node.only(&["rolls", "few", "marseille", "british", "late", "levant", "fleet_on", "removed"])?;
    let rolls = node.get("rolls")?;
    let rolls = match &rolls.items()?[..] {
        [one, other] => [one.integer(-9..=9)? as i8, other.integer(-9..=9)? as i8],
        _ => return Err(rolls.inconsistent("two numbers are expected")),
    };
    let number_of = |key: &str| {
        let [count, by] = pair(&node.get(key)?, 0, 9)?;
        Ok::<_, LoadError>((count, by as i8))
    };
    Ok(FrenchRules {
        rolls,
        few: number_of("few")?,
        marseille: node.get("marseille")?.integer(0..=9)? as i8,
        british: number_of("british")?,
        late: node.get("late")?.integer(0..=9)? as i8,
        levant: map.lands(&node.get("levant")?)?,
        removed: counters.numbers(&node.get("removed")?)?,
        fleet_on: node.get("fleet_on")?.byte(1..=7)?,
    })
}

/// Restricted builds that a set-up has begun (17.54).
fn begun(setup: &Node<'_>, map: &Map, counters: &Counters) -> Result<Vec<Begun>, LoadError> {
    let Some(node) = setup.find("begun")? else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for entry in node.items()? {
        entry.only(&["power", "fleet", "asw", "sea", "counter"])?;
        all.push(Begun {
            nation: nation(&entry.get("power")?)?,
            fleet: entry.get("fleet")?.byte(0..=99)?,
            asw: entry.get("asw")?.byte(0..=99)?,
            sea: map.sea_names.read(&entry.get("sea")?)?,
            kind: entry.find("counter")?.map(|kind| counters.kind_names.read(&kind)).transpose()?,
        });
    }
    Ok(all)
}

/// Two numbers.
fn pair(node: &Node<'_>, least: u8, most: u8) -> Result<[u8; 2], LoadError> {
    match &node.items()?[..] {
        [one, other] => Ok([one.byte(least..=most)?, other.byte(least..=most)?]),
        _ => Err(node.inconsistent("two numbers are expected")),
    }
}
