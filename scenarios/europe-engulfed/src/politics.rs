//! Politics (9).

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{Areas, NATIONS, Nation};
use sandtable_europe_engulfed::rules::Politics;
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole};

use super::map::Map;
use super::setup::{bimester, nations_of};
use super::{nation, nation_names};

pub(super) fn read(whole: Whole<'_>, map: &Map) -> Result<Politics, LoadError> {
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
            draft.get("turns")?.byte(0..=20)?,
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
    })
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
