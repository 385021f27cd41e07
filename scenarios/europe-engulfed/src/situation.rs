//! Where politics stand at the start of a scenario, and who deploys after whom (16 to 18).

use sandtable_europe_engulfed::ids::{Nations, Team};
use sandtable_europe_engulfed::rules::{Branch, DeploymentLimit, Situation, Surprise};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::Node;

use super::map::Map;
use super::setup::{TEAMS, TURNS, bimester, nations_of};
use super::{nation, nation_names};

/// The situation of a set-up; without one there are no politics (16.1).
pub(super) fn read(setup: &Node<'_>, map: &Map) -> Result<Situation, LoadError> {
    let Some(node) = setup.find("situation")? else { return Ok(Situation::default()) };
    node.only(&[
        "declarations_from",
        "soviet_war",
        "draft",
        "winter_passed",
        "france_fell",
        "vichy",
        "usa",
        "enters",
        "soviet_income",
        "soviets_must_declare",
        "soviets_attack_minors",
        "benefits_wait",
        "closed_border",
        "fleets_built",
        "surprise",
    ])?;
    let flag = |key: &str| node.get(key)?.flag();
    let mut enters = Vec::new();
    for entry in node.get("enters")?.members()? {
        let nation = super::Nation::of(nation_names().find(entry.key(), &entry)?);
        enters.push((entry.byte(1..=TURNS)?, nation));
    }
    let mut soviet_income = Vec::new();
    for entry in node.get("soviet_income")?.items()? {
        match &entry.items()?[..] {
            [turn, income] => soviet_income.push((bimester(turn)?, income.byte(0..=100)?)),
            _ => return Err(entry.inconsistent("a turn and WERP are expected")),
        }
    }
    if !soviet_income.is_sorted() {
        return Err(node.get("soviet_income")?.inconsistent("turns rise"));
    }
    let surprise = match node.find("surprise")? {
        Some(entry) => {
            entry.only(&["by", "on"])?;
            Surprise { by: nations_of(&entry.get("by")?)?, on: nations_of(&entry.get("on")?)? }
        }
        None => Surprise::NONE,
    };
    let (must, border) = (node.get("soviets_must_declare")?, node.get("closed_border")?);
    Ok(Situation {
        politics: true,
        declarations_from: node.get("declarations_from")?.byte(1..=TURNS)?,
        soviet_war: flag("soviet_war")?,
        draft: flag("draft")?,
        winter_passed: flag("winter_passed")?,
        france_fell: flag("france_fell")?,
        vichy: flag("vichy")?,
        usa: flag("usa")?,
        enters,
        soviet_income,
        soviets_must_declare: if must.is_none()? { None } else { Some(bimester(&must)?) },
        fleets_built: nations_of(&node.get("fleets_built")?)?,
        soviets_attack_minors: flag("soviets_attack_minors")?,
        benefits_wait: flag("benefits_wait")?,
        surprise,
        closed_border: if border.is_none()? {
            None
        } else {
            let country: u8 = map.country_names.read(&border)?;
            Some(country)
        },
    })
}

/// Who deploys after whom (17.0, 18.7); nothing = the teams one after the other.
pub(super) fn deployments(setup: &Node<'_>) -> Result<Vec<(Team, Nations)>, LoadError> {
    let Some(node) = setup.find("deployments")? else { return Ok(Vec::new()) };
    let mut stages = Vec::new();
    for entry in node.items()? {
        entry.only(&["team", "nations"])?;
        stages.push((entry.get("team")?.choose("a team", &TEAMS)?, nations_of(&entry.get("nations")?)?));
    }
    Ok(stages)
}

/// The most counters that a power deploys in some areas (17.21, 17.61, 18.11, 18.21).
pub(super) fn limits(setup: &Node<'_>, map: &Map) -> Result<Vec<DeploymentLimit>, LoadError> {
    let Some(node) = setup.find("limits")? else { return Ok(Vec::new()) };
    let mut limits = Vec::new();
    for entry in node.items()? {
        entry.only(&["power", "areas", "branches", "most"])?;
        let mut branches = 0;
        for item in entry.get("branches")?.items()? {
            branches |=
                1 << item.choose("a unit type", &Branch::ALL.map(|branch| (branch.id(), branch as u8)))?;
        }
        limits.push(DeploymentLimit {
            nation: nation(&entry.get("power")?)?,
            areas: map.lands(&entry.get("areas")?)?,
            branches,
            most: entry.get("most")?.byte(0..=99)?,
        });
    }
    Ok(limits)
}
