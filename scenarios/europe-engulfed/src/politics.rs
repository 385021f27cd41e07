//! Politics (9).

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{Areas, NATIONS, Nation};
use sandtable_europe_engulfed::rules::{Conquest, Levels, Politics};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole};

use super::map::Map;
use super::powers::Counters;
use super::setup::{bimester, nations_of};
use super::{nation, nation_names};

pub(super) fn read(whole: Whole<'_>, map: &Map, counters: &Counters) -> Result<Politics, LoadError> {
    let node = whole.at("politics")?;
    node.only(&[
        "phoney_war_ends",
        "poland_garrison",
        "swedish_ore",
        "operates",
        "finns_before_leningrad",
        "mixed",
        "joins",
        "pact",
        "soviet_income",
        "cadre_benefit_until",
        "draft",
        "usa_enters",
        "western_targets",
        "british_surcharge",
        "italian_low_base",
        "africa",
        "vichy",
        "minor_special_actions",
        "minor_cadres",
        "minor_spread",
        "barred_to_italy",
        "joining",
        "british_lend_lease",
        "soviet_freedom",
        "french_cities",
        "italian_islands",
        "sicily",
        "leningrad",
        "murmansk",
        "american_bases",
        "sixth_special_action",
        "scandinavian_prudence",
        "greece_from",
        "building_limits",
        "pause_actions",
        "candidates",
        "joining_roll",
    ])?;
    let value = |key: &str| node.get(key)?.get("value");
    let (garrison, pact, draft, vichy) =
        (node.get("poland_garrison")?, node.get("pact")?, node.get("draft")?, node.get("vichy")?);
    let areas = |entry: &Node<'_>, key: &str| map.area_names.read_list(&entry.get(key)?);
    let mut vichy_areas: Areas = areas(&vichy, "areas")?;
    vichy_areas = vichy_areas.or(&map.lands(&vichy.get("countries")?)?);
    Ok(Politics {
        phoney_war_ends: bimester(&value("phoney_war_ends")?)?,
        poland_garrison: garrison.get("units")?.byte(0..=20)?,
        poland_garrison_areas: areas(&garrison, "areas")?,
        swedish_ore: value("swedish_ore")?.byte(0..=20)?,
        operates_in: operates(&node.get("operates")?, map)?,
        finns_before_leningrad: map.lands(&value("finns_before_leningrad")?)?,
        mixed: mixed(&value("mixed")?)?,
        joins: node
            .get("joins")?
            .members()?
            .iter()
            .map(|entry| Ok((Nation::of(nation_names().find(entry.key(), entry)?), bimester(entry)?)))
            .collect::<Result<_, LoadError>>()?,
        pact_areas: areas(&pact, "areas")?,
        pact_closed: areas(&pact, "closed")?,
        front_garrison: areas(&pact, "front")?,
        soviet_income: value("soviet_income")?
            .items()?
            .iter()
            .map(|entry| match &entry.items()?[..] {
                [turn, income] => Ok((bimester(turn)?, income.byte(0..=100)?)),
                _ => Err(entry.inconsistent("a turn and WERP are expected")),
            })
            .collect::<Result<_, LoadError>>()?,
        cadre_benefit_until: bimester(&value("cadre_benefit_until")?)?,
        draft: [
            draft.get("steps")?.byte(0..=99)?,
            draft.get("turns")?.byte(1..=20)?,
            draft.get("each")?.byte(0..=99)?,
        ],
        usa_enters: bimester(&value("usa_enters")?)?,
        western_targets: nations_of(&value("western_targets")?)?,
        british_surcharge: bimester(&value("british_surcharge")?)?,
        italian_low_base: value("italian_low_base")?.byte(0..=100)?,
        africa: map.lands(&value("africa")?)?,
        vichy: vichy_areas,
        vichy_units: vichy
            .get("units")?
            .items()?
            .iter()
            .map(|item| map.area_names.read(item))
            .collect::<Result<_, _>>()?,
        minor_special_actions: nations_of(&value("minor_special_actions")?)?,
        minor_cadres: nations_of(&value("minor_cadres")?)?,
        barred_to_italy: nations_of(&value("barred_to_italy")?)?,
        minor_spread: nations_of(&value("minor_spread")?)?,
        joining: counters.numbers(&node.get("joining")?)?,
        british_lend_lease: value("british_lend_lease")?.byte(0..=99)?,
        soviet_freedom: bimester(&value("soviet_freedom")?)?,
        french_cities: map.lands(&value("french_cities")?)?,
        italian_islands: map.lands(&value("italian_islands")?)?,
        sicily: Some(map.area_names.read(&value("sicily")?)?),
        leningrad: Some(map.area_names.read(&value("leningrad")?)?),
        murmansk: Some(map.area_names.read(&value("murmansk")?)?),
        american_bases: bytes(&value("american_bases")?)?,
        sixth_special_action: bimester(&value("sixth_special_action")?)?,
        scandinavian_prudence: bimester(&value("scandinavian_prudence")?)?,
        greece_from: bimester(&value("greece_from")?)?,
        building_limits: bytes(&value("building_limits")?)?,
        pause_actions: value("pause_actions")?.byte(0..=9)?,
        candidates: value("candidates")?.items()?.iter().map(nation).collect::<Result<_, _>>()?,
        joining_roll: [
            node.get("joining_roll")?.get("joins")?.integer(-9..=9)? as i8,
            node.get("joining_roll")?.get("never")?.integer(-9..=9)? as i8,
        ],
        levels: levels(&whole.at("victory")?, map)?,
        conquest: conquest(&whole.at("victory.conquest")?, map)?,
    })
}

/// A list of so many numbers.
fn bytes<const N: usize>(node: &Node<'_>) -> Result<[u8; N], LoadError> {
    let values = node.items()?.iter().map(|item| item.byte(0..=100)).collect::<Result<Vec<_>, _>>()?;
    values.try_into().map_err(|_| node.inconsistent(format!("{N} numbers are expected")))
}

/// Levels of victory of the campaigns (10.4, 14.48).
fn levels(node: &Node<'_>, map: &Map) -> Result<Levels, LoadError> {
    node.only(&["points", "germany_falls", "prizes", "conquest"])?;
    let points = node.get("points")?;
    let point = |key: &str| points.get(key)?.byte(0..=99);
    let dates = node.get("germany_falls")?.get("value")?;
    let falls = dates.items()?.iter().map(bimester).collect::<Result<Vec<_>, _>>()?;
    let Ok(germany_falls) = <[_; 3]>::try_from(falls) else {
        return Err(dates.inconsistent("three turns are expected: decisive, operational, marginal"));
    };
    if !germany_falls.is_sorted() {
        return Err(dates.inconsistent("the later Germany falls, the less it is worth"));
    }
    Ok(Levels {
        points: [point("marginal")?, point("operational")?, point("decisive")?],
        germany_falls,
        prizes: map.lands(&node.get("prizes")?.get("value")?)?,
    })
}

/// When Major Powers are conquered (10.4).
fn conquest(node: &Node<'_>, map: &Map) -> Result<Vec<Conquest>, LoadError> {
    let mut rules = Vec::new();
    for entry in node.members()? {
        entry.only(&["all", "some", "count"])?;
        let some = map.lands(&entry.get("some")?)?;
        rules.push(Conquest {
            nation: Nation::of(nation_names().find(entry.key(), &entry)?),
            all: map.lands(&entry.get("all")?)?,
            some: (some, entry.get("count")?.byte(0..=some.len() as u8)?),
        });
    }
    Ok(rules)
}

fn operates(node: &Node<'_>, map: &Map) -> Result<Vec<Areas>, LoadError> {
    let mut lands = vec![Areas::EMPTY; NATIONS];
    for entry in node.members()? {
        let nation: u8 = nation_names().find(entry.key(), &entry)?;
        lands[nation.at()] = map.lands(&entry)?;
    }
    Ok(lands)
}

fn mixed(node: &Node<'_>) -> Result<Vec<(Nation, Nation)>, LoadError> {
    let mut pairs = Vec::new();
    for entry in node.items()? {
        match &entry.items()?[..] {
            [one, other] => pairs.push((nation(one)?, nation(other)?)),
            _ => return Err(entry.inconsistent("two powers are expected")),
        }
    }
    Ok(pairs)
}
