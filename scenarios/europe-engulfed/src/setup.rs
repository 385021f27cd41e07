//! Set-up and victory of a scenario (16 to 18).

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{Area, Areas, KindId, Nation, Team};
use sandtable_europe_engulfed::rules::{
    Bimester, Dated, Placement, Player, PlayerId, PoolChange, ScenarioNation, Setup, Standing, Victory, Zone,
};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole};

use super::map::Map;
use super::powers::Counters;
use super::{nation, nation_names};

const TEAMS: [(&str, Team); 2] = [("first", Team::First), ("second", Team::Second)];

/// The most turns of a campaign (17.0).
const TURNS: u8 = 60;

/// A turn of the calendar, as in `1945-4`: a year and a bimester from 1.
pub(super) fn bimester(node: &Node<'_>) -> Result<Bimester, LoadError> {
    let text = node.text()?;
    let parts = text.split_once('-').and_then(|(year, nth)| Some((year.parse().ok()?, nth.parse().ok()?)));
    match parts {
        Some((year @ 1900..=2100, nth @ 1..=6)) => Ok(Bimester { year, nth }),
        _ => {
            Err(node.inconsistent(format!("`{text}` is not a year and a bimester from 1 to 6, as in 1945-4")))
        }
    }
}

pub(super) fn read(whole: Whole<'_>, map: &Map, counters: &Counters) -> Result<Setup, LoadError> {
    let node = whole.at("setup")?;
    let control = whole.at("setup.control")?;
    let (mut in_play, mut owners) = (Areas::EMPTY, vec![Nation::BalticStates; map.areas.len()]);
    for row in control.members()? {
        let area = map.area_names.find(row.key(), &row)?;
        in_play.insert(area);
        owners[area.at()] = nation(&row.get("power")?)?;
    }
    let deploys = node.get("deploys_first")?;
    Ok(Setup {
        first_turn: bimester(&node.get("first_turn")?)?,
        turns: node.get("turns")?.byte(1..=TURNS)?,
        players: players(&node.get("players")?)?,
        deploys_first: if deploys.is_none()? { None } else { Some(deploys.choose("a team", &TEAMS)?) },
        production_first_turn: [
            node.get("production_first_turn_first")?.flag()?,
            node.get("production_first_turn_second")?.flag()?,
        ],
        in_play,
        control: owners,
        nations: node
            .get("nations")?
            .members()?
            .iter()
            .map(|entry| scenario_nation(entry, map))
            .collect::<Result<_, _>>()?,
        placements: placements(&whole.at("setup.units")?, map, counters)?,
        withheld: withheld(&node.get("withheld")?, counters)?,
        minimum: minimum(&node.get("minimum")?, map)?,
        fleets: Vec::new(),
        dated: reinforcements(&node.get("reinforcements")?, map, counters)?,
        fleets_used: node.get("fleets")?.flag()?,
        strategic_war_used: node.get("strategic_war")?.flag()?,
        weather: Vec::new(),
    })
}

/// Land units that must stand in an area when a team has deployed (16.11).
fn minimum(node: &Node<'_>, map: &Map) -> Result<Vec<(Team, Area, u8)>, LoadError> {
    let mut minimum = Vec::new();
    for entry in node.members()? {
        entry.only(&["team", "areas", "units"])?;
        let team = entry.get("team")?.choose("a team", &TEAMS)?;
        let units = entry.get("units")?.byte(1..=9)?;
        let areas: Vec<Area> = map.area_names.read_list(&entry.get("areas")?)?;
        minimum.extend(areas.into_iter().map(|area| (team, area, units)));
    }
    Ok(minimum)
}

fn players(node: &Node<'_>) -> Result<Vec<Player>, LoadError> {
    let ids = PlayerId::ALL.map(PlayerId::id);
    node.only(&ids)?;
    let mut players = Vec::new();
    for entry in node.members()? {
        let id = PlayerId::ALL[ids.iter().position(|id| *id == entry.key()).expect("one of them")];
        players.push(Player {
            id,
            team: entry.get("team")?.choose("a team", &TEAMS)?,
            nations: nations_of(&entry.get("nations")?)?,
        });
    }
    if players.len() < 2 || players[0].team != Team::First {
        return Err(node.inconsistent("there are two or three players, those of the first team first"));
    }
    Ok(players)
}

pub(super) fn nations_of(node: &Node<'_>) -> Result<u32, LoadError> {
    let mut set = 0;
    for item in node.items()? {
        set |= nation(&item)?.bit();
    }
    Ok(set)
}

fn scenario_nation(entry: &Node<'_>, map: &Map) -> Result<ScenarioNation, LoadError> {
    entry.only(&[
        "base",
        "area_value",
        "special_actions",
        "special_action_pool",
        "builds_special_actions",
        "surcharge",
        "new_units",
        "sources",
        "defends_only",
        "confined",
        "at_war",
        "standing",
    ])?;
    let standings = [
        ("neutral", Standing::Neutral),
        ("belligerent", Standing::Belligerent),
        ("conquered", Standing::Conquered),
        ("absent", Standing::Absent),
    ];
    let zones = [
        ("none", None),
        ("east", Some(Zone::Eastern)),
        ("west", Some(Zone::Western)),
        ("south", Some(Zone::Southern)),
    ];
    let pool = entry.get("special_action_pool")?.byte(0..=9)?;
    let actions = entry.get("special_actions")?;
    if actions.byte(0..=9)? > pool {
        return Err(actions.inconsistent(format!("there are more than the pool of {pool} holds (7.1)")));
    }
    Ok(ScenarioNation {
        nation: Nation::of(nation_names().find(entry.key(), entry)?),
        base: Some(entry.get("base")?.byte(0..=100)?),
        area_value: Some(entry.get("area_value")?.byte(0..=20)?),
        special_actions: actions.byte(0..=9)?,
        special_action_pool: pool,
        builds_special_actions: entry.get("builds_special_actions")?.flag()?,
        surcharge: entry.get("surcharge")?.byte(0..=9)?,
        new_units: map.area_names.read_list(&entry.get("new_units")?)?,
        sources: map.area_names.read_list(&entry.get("sources")?)?,
        defends_only: entry.get("defends_only")?.flag()?,
        confined: entry.get("confined")?.choose("a climate zone or none", &zones)?,
        at_war: nations_of(&entry.get("at_war")?)?,
        standing: entry.get("standing")?.choose("a standing", &standings)?,
    })
}

/// Counters on the map: the steps of each in one cell, counted by strength.
fn placements(rows: &Node<'_>, map: &Map, counters: &Counters) -> Result<Vec<Placement>, LoadError> {
    let mut placements: Vec<Placement> = Vec::new();
    for row in rows.members()? {
        let area = map.area_names.read(&row.get("area")?)?;
        let kind: KindId = counters.kind_names.read(&row.get("counter")?)?;
        let most = counters.kinds[kind.at()].max;
        let cell = row.get("steps")?;
        let mut zone = Areas::EMPTY;
        zone.insert(area);
        for word in cell.words()? {
            let Some(steps) = word.parse().ok().filter(|steps| (1..=most).contains(steps)) else {
                return Err(cell.inconsistent(format!("`{word}` is not a strength of 1 to {most} steps")));
            };
            match placements.last_mut() {
                Some(last) if (last.kind, last.steps, last.zone) == (kind.0, steps, zone) => last.count += 1,
                _ => placements.push(Placement { kind: kind.0, count: 1, steps, zone }),
            }
        }
    }
    Ok(placements)
}

/// Counters out of the game: `all` of a kind, or a number.
fn withheld(node: &Node<'_>, counters: &Counters) -> Result<Vec<(u8, u8)>, LoadError> {
    let mut withheld = Vec::new();
    for entry in node.members()? {
        let kind = counters.kind_names.find(entry.key(), &entry)?;
        let there = counters.kinds[kind.at()].counters;
        let count =
            if entry.text().is_ok_and(|text| text == "all") { there } else { entry.byte(1..=there)? };
        withheld.push((kind.0, count));
    }
    Ok(withheld)
}

fn reinforcements(node: &Node<'_>, map: &Map, counters: &Counters) -> Result<Vec<Dated>, LoadError> {
    let mut dated = Vec::new();
    for entry in node.items()? {
        entry.only(&["turn", "counter", "count", "areas"])?;
        let kind: KindId = counters.kind_names.read(&entry.get("counter")?)?;
        dated.push(Dated {
            turn: entry.get("turn")?.byte(1..=TURNS)?,
            change: PoolChange::Reinforce {
                kind: kind.0,
                count: entry.get("count")?.byte(1..=counters.kinds[kind.at()].counters)?,
                zone: map.area_names.read_list(&entry.get("areas")?)?,
            },
        });
    }
    Ok(dated)
}

pub(super) fn victory(whole: Whole<'_>, map: &Map) -> Result<Victory, LoadError> {
    let node = whole.at("setup.victory")?;
    node.only(&["kind", "areas", "needed"])?;
    let names: &Names<Area> = &map.area_names;
    node.get("kind")?.choose("a kind of victory", &[("areas", ())])?;
    let areas: Areas = names.read_list(&node.get("areas")?)?;
    Ok(Victory::Areas { areas, needed: node.get("needed")?.byte(1..=areas.len() as u8)? })
}
