//! Scenarios: who plays, where, with which blocks (22).

use sandtable_core::Index;
use sandtable_core::hex::Hex;
use sandtable_eurofront::ids::Faction;
use sandtable_eurofront::rules::{Arrival, Entry, Kind, Map, Scenario, Seat};

use super::blocks::Blocks;
use super::calendar::Calendar;
use super::map::{FRONTS, NamedMap};
use super::words;
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole};

const KEYS: [&str; 19] = [
    "system",
    "id",
    "first_month",
    "last_month",
    "first_fortnights",
    "players",
    "fixed_order",
    "naval",
    "diplomacy",
    "deployment",
    "active_fronts",
    "axis",
    "allies",
    "soviets",
    "play",
    "air",
    "points",
    "civil_war",
    "units",
];

const SEATS: [(&str, Seat); 5] = [
    ("axis", Seat::Axis),
    ("allies", Seat::Allies),
    ("soviets", Seat::Soviets),
    ("nationalists", Seat::Nationalists),
    ("republicans", Seat::Republicans),
];

/// How static units of the Civil War come up.
const DEPLOYMENTS: [(&str, bool); 2] = [("semi_historical", true), ("historical", false)];

/// Reads the set-up.
pub(super) fn read(
    whole: Whole<'_>,
    named_map: &NamedMap,
    calendar: &Calendar,
    blocks: &Blocks,
) -> Result<Scenario, LoadError> {
    let node = whole.at("setup")?;
    node.only(&KEYS)?;
    let players = node.get("players")?;
    let mut seats = Vec::new();
    for item in players.items()? {
        let seat = item.choose("a player", &SEATS)?;
        if seats.iter().any(|other: &Seat| other.faction() == seat.faction()) {
            return Err(item.inconsistent("each faction is played once"));
        }
        seats.push(seat);
    }
    if !(2..=3).contains(&seats.len()) {
        return Err(players.inconsistent("two or three play"));
    }
    let fixed_order = node.get("fixed_order")?.flag()?;
    let in_play = in_play(&node, named_map)?;
    let mut active_fronts = Vec::new();
    for item in node.get("active_fronts")?.items()? {
        active_fronts.push(item.choose("a front", &FRONTS)?);
    }
    let points = node.get("points")?;
    points.only(&["axis", "allies", "soviets"])?;
    let [axis, allies, soviets] = ["axis", "allies", "soviets"]
        .map(|key| points.get(key)?.integer(0..=999).map(|points| points as i16));
    Ok(Scenario {
        id: node.get("id")?.text()?.to_owned(),
        name: node.get("title")?.text()?.to_owned(),
        fixed_order: fixed_order.then(|| seats.iter().map(|seat| seat.faction()).collect()),
        entries: entries(&node, named_map, calendar, blocks, &seats, &in_play)?,
        seats,
        in_play,
        owners: Vec::new(),
        active_fronts,
        points: [axis?, allies?, soviets?],
        naval: node.get("naval")?.flag()?,
        diplomacy: node.get("diplomacy")?.flag()?,
    })
}

/// Where units may be: hexes of the countries named, and those named besides.
fn in_play(setup: &Node<'_>, named_map: &NamedMap) -> Result<Vec<Hex>, LoadError> {
    let node = setup.get("play")?;
    node.only(&["countries", "hexes", "front"])?;
    let mut hexes = Vec::new();
    for item in node.get("countries")?.items()? {
        hexes.extend(named_map.country(&item)?);
    }
    for item in node.get("hexes")?.items()? {
        let hex = named_map.read(&item)?;
        if hexes.contains(&hex) {
            return Err(item.inconsistent("the hex is in play with its country"));
        }
        hexes.push(hex);
    }
    hexes.sort_unstable();
    Ok(hexes)
}

/// The front to which the set-up counts all hexes in play, whatever the map says (1936: Spanish Morocco is West).
pub(super) fn count_to_front(whole: Whole<'_>, in_play: &[Hex], map: &mut Map) -> Result<(), LoadError> {
    let Some(front) = whole.at("setup.play")?.find("front")? else { return Ok(()) };
    let front = front.choose("a front", &FRONTS)?;
    for data in map.hexes.iter_mut().filter(|data| in_play.contains(&data.hex)) {
        data.front = Some(front);
    }
    Ok(())
}

/// Where each block begins or arrives.
fn entries(
    setup: &Node<'_>,
    named_map: &NamedMap,
    calendar: &Calendar,
    blocks: &Blocks,
    seats: &[Seat],
    in_play: &[Hex],
) -> Result<Vec<Entry>, LoadError> {
    let militia = setup.get("deployment")?.choose("a deployment", &DEPLOYMENTS)?;
    let mut entries = vec![Entry::Never; blocks.list.len()];
    let mut start: Vec<(Hex, Faction, u8)> = Vec::new();
    for row in setup.get("units")?.members()? {
        row.only(&["steps", "place", "month", "arrival"])?;
        let at = blocks.names.find(row.key(), &row)?.at();
        let block = &blocks.list[at];
        if !seats.iter().any(|seat| seat.faction() == block.faction) {
            return Err(row.inconsistent("nobody plays the side of this block"));
        }
        let least = u8::from(!block.kind.is_headquarters() && block.kind != Kind::Static);
        let steps = row.get("steps")?.byte(least..=block.full)?;
        let (place, month, arrival) = (row.get("place")?, row.get("month")?, row.get("arrival")?);
        let starts = month.text()? == "start";
        if starts == (place.text()? == "none") {
            return Err(place.inconsistent("a block has a place if it begins on the map, and else none"));
        }
        if starts != (arrival.text()? == "none") {
            return Err(arrival.inconsistent("a reinforcement, and no other block, says where it arrives"));
        }
        if !starts {
            let arrival = self::arrival(&arrival, named_map)?;
            entries[at] = Entry::Reinforcement { month: calendar.number(&month)?, steps, arrival };
            continue;
        }
        let hex = named_map.read(&place)?;
        if in_play.binary_search(&hex).is_err() {
            return Err(place.inconsistent("the place is not in play"));
        }
        if start.iter().any(|&(other, faction, _)| other == hex && faction != block.faction) {
            return Err(place.inconsistent("a block of the other side begins in this hex"));
        }
        start.push((hex, block.faction, steps));
        entries[at] =
            if militia && block.kind == Kind::Static { Entry::Militia(steps) } else { Entry::At(hex, steps) };
    }
    Ok(entries)
}

/// `cities`, `ports`, or ports and places: `ports albacete`.
fn arrival(node: &Node<'_>, named_map: &NamedMap) -> Result<Arrival, LoadError> {
    let mut words = words(node.text()?);
    match words.next() {
        Some("cities") => Ok(Arrival::Cities),
        Some("ports") => {
            Ok(Arrival::Ports(words.map(|word| named_map.find(word, node)).collect::<Result<_, _>>()?))
        }
        _ => {
            Err(node
                .inconsistent("a reinforcement arrives in `cities`, in `ports`, or as in `ports albacete`"))
        }
    }
}
