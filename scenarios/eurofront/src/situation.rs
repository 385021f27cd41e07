//! Where the sides stand at the start: who holds what, production, what has happened, what decides the scenario (22).

use std::collections::HashMap;

use sandtable_core::hex::Hex;
use sandtable_eurofront::ids::{Camp, EventId, Faction, Front, MAX_EVENTS, NationId};
use sandtable_eurofront::rules::{Cost, Fact, Goal, Situation};

use super::blocks::Blocks;
use super::calendar::Calendar;
use super::charts;
use super::diplomacy::Nations;
use super::map::{FACTIONS, FRONTS, NamedMap};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole};

const GOALS: [Goal; 7] = [
    Goal::Recognition,
    Goal::WinterWar,
    Goal::Weser,
    Goal::FallOfFrance,
    Goal::Campaign,
    Goal::VictoryCities { rivals: false },
    Goal::VictoryCities { rivals: true },
];

const KEYS: [&str; 21] = [
    "goal",
    "supremacy",
    "facts",
    "events",
    "failed",
    "soviet_headquarters",
    "allotments",
    "saved",
    "income",
    "annexed",
    "isolated",
    "exploited",
    "demoralised",
    "uprising",
    "restricted",
    "released",
    "removed",
    "only_events",
    "granted",
    "battles",
    "first_order",
];

/// Most points of an account.
const MOST_POINTS: i64 = 200;

/// Who holds each hex and area of land: what is said of a territory counts for more than what is said of its country, and
/// what is said of a place for most. What nobody holds is neutral.
pub(super) fn owners(setup: &Node<'_>, named_map: &NamedMap) -> Result<Vec<(Hex, Faction)>, LoadError> {
    let Some(node) = setup.find("control")? else { return Ok(Vec::new()) };
    node.only(&["axis", "allies", "soviets", "neutral"])?;
    let holders = FACTIONS.map(|(key, faction)| (key, Some(faction)));
    let mut held: HashMap<Hex, (u8, Option<Faction>)> = HashMap::new();
    for (key, holder) in holders.into_iter().chain([("neutral", None)]) {
        let Some(list) = node.find(key)? else { continue };
        for item in list.items()? {
            let region = named_map.region(&item)?;
            for hex in region.hexes {
                let known = held.entry(hex).or_insert((region.rank, holder));
                if known.0 == region.rank && known.1 != holder {
                    return Err(item.inconsistent("another side is said to hold it"));
                }
                if known.0 < region.rank {
                    *known = (region.rank, holder);
                }
            }
        }
    }
    let held = |hex: Hex| held.get(&hex).and_then(|&(_, holder)| holder).map(|holder| (hex, holder));
    Ok(named_map.land().filter_map(held).collect())
}

/// Reads what the set-up says of the start.
pub(super) fn read(
    whole: Whole<'_>,
    named_map: &NamedMap,
    calendar: &Calendar,
    nations: &Nations,
    blocks: &Blocks,
) -> Result<Situation, LoadError> {
    let setup = whole.at("setup")?;
    let armies = charts::armies(whole)?;
    let Some(node) = setup.find("start")? else { return Ok(Situation { armies, ..Situation::default() }) };
    node.only(&KEYS)?;
    let event_rows = whole.at("events")?;
    let events: Names<EventId> = Names::of_rows(&event_rows, "a diplomatic event", MAX_EVENTS)?;
    let event_list =
        |key: &str| list(&node, key)?.iter().map(|item| events.read(item)).collect::<Result<Vec<_>, _>>();
    let nation_list = |key: &str| {
        list(&node, key)?.iter().map(|item| nations.names.read(item)).collect::<Result<Vec<NationId>, _>>()
    };
    let block_list = |key: &str| {
        list(&node, key)?.iter().map(|item| blocks.names.read(item)).collect::<Result<Vec<_>, _>>()
    };
    let goals = GOALS.map(|goal| (goal.id(), goal));
    let supremacies = [("none", None), ("axis", Some(Camp::Axis)), ("allies", Some(Camp::Coalition))];
    let facts = Fact::ALL.map(|fact| (fact.id(), fact));
    Ok(Situation {
        goal: node.get("goal")?.choose("what decides a scenario", &goals)?,
        supremacy: match node.find("supremacy")? {
            Some(node) => node.choose("who has naval supremacy", &supremacies)?,
            None => None,
        },
        facts: list(&node, "facts")?
            .iter()
            .map(|item| item.choose("a fact", &facts))
            .collect::<Result<_, _>>()?,
        events: event_list("events")?,
        failed: event_list("failed")?,
        soviet_headquarters: soviet_headquarters(&node)?,
        allotments: by_front(&node, "allotments")?,
        saved: by_front(&node, "saved")?,
        fixed_income: income(&node, calendar)?,
        annexed: annexed(&node, named_map, nations)?,
        isolated: nation_list("isolated")?,
        exploited: nation_list("exploited")?,
        demoralised: nation_list("demoralised")?,
        uprising: nation_list("uprising")?,
        restricted: block_list("restricted")?,
        released: block_list("released")?,
        removed: block_list("removed")?,
        only_events: node.find("only_events")?.map(|_| event_list("only_events")).transpose()?,
        granted: granted(&node)?,
        armies,
        battles: battles(&node, named_map)?,
        first_order: first_order(&node)?,
    })
}

/// Items of a list that may be left out.
fn list<'t>(node: &Node<'t>, key: &str) -> Result<Vec<Node<'t>>, LoadError> {
    node.find(key)?.map_or(Ok(Vec::new()), |list| list.items())
}

/// Letters of the conditions of 1940A that count as fulfilled (1940C).
fn granted(node: &Node<'_>) -> Result<Vec<u8>, LoadError> {
    let letters = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|letter| (letter, letter.as_bytes()[0]));
    list(node, "granted")?.iter().map(|item| item.choose("a condition of 1940A", &letters)).collect()
}

fn soviet_headquarters(node: &Node<'_>) -> Result<Cost, LoadError> {
    match node.find("soviet_headquarters")? {
        Some(cost) => super::blocks::cost(&cost),
        None => Ok(Cost::default()),
    }
}

/// `{ axis = { EF = 40 } }`: points by faction and front.
fn by_front(node: &Node<'_>, key: &str) -> Result<Vec<(Faction, Front, i16)>, LoadError> {
    let Some(table) = node.find(key)? else { return Ok(Vec::new()) };
    table.only(&FACTIONS.map(|(key, _)| key))?;
    let mut points = Vec::new();
    for (key, faction) in FACTIONS {
        let Some(of_faction) = table.find(key)? else { continue };
        of_faction.only(&FRONTS.map(|(key, _)| key))?;
        for (key, front) in FRONTS {
            if let Some(number) = of_faction.find(key)? {
                points.push((faction, front, number.integer(0..=MOST_POINTS)? as i16));
            }
        }
    }
    Ok(points)
}

/// `[{ month = "1939-12", axis = 2 }]`: what a side receives from a month on.
fn income(node: &Node<'_>, calendar: &Calendar) -> Result<Vec<(u8, Faction, i16)>, LoadError> {
    let mut income = Vec::new();
    for item in list(node, "income")? {
        item.only(&["month", "axis", "allies", "soviets"])?;
        let month = calendar.number(&item.get("month")?)?;
        for (key, faction) in FACTIONS {
            if let Some(number) = item.find(key)? {
                income.push((month, faction, number.integer(0..=MOST_POINTS)? as i16));
            }
        }
    }
    if !income.is_sorted_by_key(|&(month, ..)| month) {
        return Err(node.get("income")?.inconsistent("the months of income stand in their order"));
    }
    Ok(income)
}

fn annexed(
    node: &Node<'_>,
    named_map: &NamedMap,
    nations: &Nations,
) -> Result<Vec<(String, NationId)>, LoadError> {
    let Some(table) = node.find("annexed")? else { return Ok(Vec::new()) };
    let mut annexed = Vec::new();
    for item in table.members()? {
        let territory = item.key();
        if !named_map.map.hexes.iter().any(|data| data.territory == territory) {
            return Err(item.inconsistent(format!("`{territory}` is no territory of hexes.csv")));
        }
        annexed.push((territory.to_owned(), nations.names.read(&item)?));
    }
    Ok(annexed)
}

/// `{ narvik = "allies" }`: battles, with the side of their original defender.
fn battles(node: &Node<'_>, named_map: &NamedMap) -> Result<Vec<(Hex, Camp)>, LoadError> {
    let Some(table) = node.find("battles")? else { return Ok(Vec::new()) };
    let mut battles = Vec::new();
    for item in table.members()? {
        let hex = named_map.find(item.key(), &item)?;
        battles.push((hex, item.choose("a side", &FACTIONS)?.camp()));
    }
    Ok(battles)
}

fn first_order(node: &Node<'_>) -> Result<Option<Vec<Faction>>, LoadError> {
    let order: Vec<Faction> = list(node, "first_order")?
        .iter()
        .map(|item| item.choose("a side", &FACTIONS))
        .collect::<Result<_, _>>()?;
    Ok((!order.is_empty()).then_some(order))
}
