//! Scenarios: who plays, where, with which blocks (22).

use sandtable_core::Index;
use sandtable_core::hex::Hex;
use sandtable_eurofront::ids::{Faction, Front};
use sandtable_eurofront::rules::{
    Arrival, Condition, Entry, Fact, Kind, Map, Player, Scenario, Situation, Status,
};

use super::blocks::{Blocks, Card};
use super::calendar::Calendar;
use super::diplomacy::Nations;
use super::map::{FRONTS, NamedMap};
use super::situation;
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole};

const KEYS: [&str; 28] = [
    "system",
    "id",
    "first_month",
    "last_month",
    "first_fortnights",
    "players",
    "fixed_order",
    "naval",
    "diplomacy",
    "roster",
    "deployment",
    "active_fronts",
    "axis",
    "allies",
    "soviets",
    "neutral",
    "with_axis",
    "with_allies",
    "defeated",
    "absent",
    "others",
    "play",
    "control",
    "start",
    "air",
    "points",
    "civil_war",
    "units",
];

const PLAYERS: [(&str, Player); 5] = [
    ("axis", Player::Axis),
    ("allies", Player::Allies),
    ("soviets", Player::Soviets),
    ("nationalists", Player::Nationalists),
    ("republicans", Player::Republicans),
];

/// How the blocks of the Civil War are set up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deployment {
    /// All in their places.
    Historical,
    /// Static units in places that are thrown for.
    SemiHistorical,
    /// All others where their owners choose.
    Free,
}

const DEPLOYMENTS: [(&str, Deployment); 3] = [
    ("semi_historical", Deployment::SemiHistorical),
    ("historical", Deployment::Historical),
    ("free", Deployment::Free),
];

/// Reads the set-up.
pub(super) fn read(
    whole: Whole<'_>,
    named_map: &NamedMap,
    calendar: &Calendar,
    nations: &Nations,
    blocks: &Blocks,
) -> Result<Scenario, LoadError> {
    let node = whole.at("setup")?;
    node.only(&KEYS)?;
    let listed = node.get("players")?;
    let mut players = Vec::new();
    for item in listed.items()? {
        let player = item.choose("a player", &PLAYERS)?;
        if players.iter().any(|other: &Player| other.faction() == player.faction()) {
            return Err(item.inconsistent("each faction is played once"));
        }
        players.push(player);
    }
    if !(2..=3).contains(&players.len()) {
        return Err(listed.inconsistent("two or three play"));
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
    let situation = situation::read(whole, named_map, calendar, nations, blocks)?;
    let known = Known { named_map, calendar, nations, blocks };
    Ok(Scenario {
        id: node.get("id")?.text()?.to_owned(),
        name: node.get("title")?.text()?.to_owned(),
        fixed_order: fixed_order.then(|| players.iter().map(|player| player.faction()).collect()),
        entries: entries(&node, &known, &players, &in_play, &situation)?,
        players,
        in_play,
        owners: situation::owners(&node, named_map)?,
        active_fronts,
        points: [axis?, allies?, soviets?],
        naval: node.get("naval")?.flag()?,
        diplomacy: node.get("diplomacy")?.flag()?,
        situation,
    })
}

/// Where units may be: hexes of the countries named, and those named besides; or all land but what is named as `without`;
/// none: all land.
fn in_play(setup: &Node<'_>, named_map: &NamedMap) -> Result<Vec<Hex>, LoadError> {
    let Some(node) = setup.find("play")? else { return Ok(Vec::new()) };
    node.only(&["countries", "hexes", "without", "front"])?;
    let mut hexes = Vec::new();
    if let Some(without) = node.find("without")? {
        hexes.extend(named_map.land());
        for item in without.items()? {
            let region = named_map.region(&item)?.hexes;
            hexes.retain(|hex| !region.contains(hex));
        }
        hexes.sort_unstable();
        return Ok(hexes);
    }
    for item in node.get("countries")?.items()? {
        hexes.extend(named_map.region(&item)?.hexes);
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
    let Some(play) = whole.at("setup")?.find("play")? else { return Ok(()) };
    let Some(front) = play.find("front")? else { return Ok(()) };
    let front = front.choose("a front", &FRONTS)?;
    for data in map.hexes.iter_mut().filter(|data| in_play.contains(&data.hex)) {
        data.front = Some(front);
    }
    Ok(())
}

/// What the lines of a set-up refer to.
struct Known<'a> {
    named_map: &'a NamedMap,
    calendar: &'a Calendar,
    nations: &'a Nations,
    blocks: &'a Blocks,
}

/// Where each block begins or arrives.
fn entries(
    setup: &Node<'_>,
    known: &Known<'_>,
    players: &[Player],
    in_play: &[Hex],
    situation: &Situation,
) -> Result<Vec<Entry>, LoadError> {
    let &Known { named_map, calendar, nations, blocks } = known;
    let deployment = match setup.find("deployment")? {
        Some(node) => node.choose("a deployment", &DEPLOYMENTS)?,
        None => Deployment::Historical,
    };
    let mut entries: Vec<Entry> = Vec::new();
    for (at, (block, &card)) in blocks.list.iter().zip(&blocks.cards).enumerate() {
        let status = nations.list[block.nation.at()].status;
        let removed = situation.removed.iter().any(|gone| gone.at() == at);
        entries.push(if removed {
            Entry::Never
        } else {
            by_card(block.faction, card, status, calendar, situation)
        });
    }
    let mut start: Vec<(Hex, Faction)> = Vec::new();
    for row in setup.get("units")?.members()? {
        row.only(&["steps", "place", "month", "arrival"])?;
        let at = blocks.names.find(row.key(), &row)?.at();
        let block = &blocks.list[at];
        if !players.iter().any(|player| player.faction() == block.faction) {
            return Err(row.inconsistent("nobody plays the side of this block"));
        }
        let zero = block.kind.is_headquarters() || matches!(block.kind, Kind::Static | Kind::Beachhead);
        let steps = row.get("steps")?.byte(u8::from(!zero)..=block.full)?;
        let (place, month, arrival) = (row.get("place")?, row.get("month")?, row.get("arrival")?);
        let starts = month.text()? == "start";
        let with_nation = month.text()? == "nation";
        if starts == (place.text()? == "none") {
            return Err(place.inconsistent("a block has a place if it begins on the map, and else none"));
        }
        if (starts || with_nation) != (arrival.text()? == "none") {
            return Err(arrival.inconsistent("a reinforcement, and no other block, says where it arrives"));
        }
        if with_nation {
            entries[at] = Entry::WithNation(steps);
            continue;
        }
        if !starts {
            let arrival = self::arrival(&arrival, named_map)?;
            entries[at] = Entry::Reinforcement { month: calendar.number(&month)?, steps, arrival };
            continue;
        }
        if block.kind == Kind::Beachhead {
            if place.text()? != "box" {
                return Err(place.inconsistent("a beachhead begins in its `box`: 1 ready, 0 in preparation"));
            }
            entries[at] = Entry::Beachhead { ready: steps > 0 };
            continue;
        }
        let hex = named_map.read(&place)?;
        if !in_play.is_empty() && in_play.binary_search(&hex).is_err() {
            return Err(place.inconsistent("the place is not in play"));
        }
        let enemy = |&&(other, faction): &&(Hex, Faction)| other == hex && faction != block.faction;
        if start.iter().find(enemy).is_some() && !situation.battles.iter().any(|&(battle, _)| battle == hex) {
            return Err(place.inconsistent("a block of the other side begins in this hex"));
        }
        start.push((hex, block.faction));
        entries[at] = match deployment {
            Deployment::SemiHistorical | Deployment::Free if block.kind == Kind::Static => {
                Entry::Militia(steps)
            }
            Deployment::Free => {
                let country = named_map.country_of(hex);
                Entry::Free { steps, in_morocco: matches!(country, Some("spanish_morocco" | "tangier")) }
            }
            _ => Entry::At(hex, steps),
        };
    }
    Ok(entries)
}

/// How a block comes that the set-up does not name: in its month, with its nation, upon its condition. Whoever should have
/// come before is eliminated (22.2); units of defeated nations are gone, but for those of an uprising (16.91).
fn by_card(
    faction: Faction,
    card: Card,
    status: Status,
    calendar: &Calendar,
    situation: &Situation,
) -> Entry {
    let defeated = status == Status::Defeated;
    match card {
        Card::CivilWar => Entry::Never,
        Card::Month(..) | Card::WithNation(_) if defeated => Entry::Never,
        Card::Month(date, _) if calendar.is_past(date) => Entry::Pool,
        Card::Month(date, steps) => match calendar.later(date) {
            Some(month) => Entry::Reinforcement { month, steps, arrival: Arrival::Cities },
            None => Entry::Never,
        },
        // Those in the other colour wait for who changes sides (16.84).
        Card::WithNation(_) if matches!(status, Status::Belligerent(of) if of.camp() == faction.camp()) => {
            Entry::Pool
        }
        Card::WithNation(steps) => Entry::WithNation(steps),
        Card::Upon(condition, steps) if is_met(condition, status, situation) => match status {
            Status::Defeated => Entry::Never,
            Status::Belligerent(of) if of.camp() != faction.camp() => Entry::WithNation(steps),
            _ => Entry::Pool,
        },
        Card::Upon(condition, steps) => Entry::Upon(condition, steps),
    }
}

/// Whether what a block waited for came about before the scenario, for a nation of a status.
fn is_met(condition: Condition, status: Status, situation: &Situation) -> bool {
    let at_war = matches!(status, Status::Belligerent(_));
    match condition {
        Condition::MediterraneanActive => {
            situation.allotments.iter().any(|&(_, front, _)| front == Front::Mediterranean)
                || situation.holds(Fact::MediterraneanVictory)
        }
        Condition::FrenchDefeat => situation.holds(Fact::FrenchDefeated),
        Condition::StrategicReserve | Condition::ReserveArmy => situation.holds(Fact::GreatPatrioticWar),
        Condition::FreeFrance => at_war,
        Condition::Uprising | Condition::Tito | Condition::SpanishVolunteers => false,
    }
}

/// `cities`, `ports`, or ports and places: `ports albacete`.
fn arrival(node: &Node<'_>, named_map: &NamedMap) -> Result<Arrival, LoadError> {
    let mut words = node.words()?;
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
