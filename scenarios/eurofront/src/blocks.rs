//! Types of unit and blocks (2, 11.7).

use std::collections::HashMap;

use sandtable_core::Index;
use sandtable_eurofront::ids::{BlockId, Faction, MAX_BLOCKS};
use sandtable_eurofront::rules::{
    Acclimatised, Block, Condition, Cost, Fire, Firepower, Kind, KindData, Quality, Status,
};

use super::calendar::Date;
use super::diplomacy::Nations;
use super::map::{FACTIONS, FRONTS};
use sandtable_scenarios::tree::{Names, Node, Whole};
use sandtable_scenarios::{LoadError, Problem, nearest};

/// Firepower by its names in the data (7.32).
pub(super) const FIRES: [(&str, Fire); 5] = [
    ("none", Fire::None),
    ("SF", Fire::Single),
    ("DF", Fire::Double),
    ("TF", Fire::Triple),
    ("QF", Fire::Quadruple),
];

/// Tables of costs, in the order of [`KindData::costs`].
const TABLES: [&str; 4] = ["axis", "allied", "soviet", "extreme"];

/// Most production points for a step or a cadre.
pub(super) const DEAREST: u8 = 60;

const QUALITIES: [(&str, Quality); 5] = [
    ("regular", Quality::Regular),
    ("ss", Quality::Ss),
    ("elite", Quality::Elite),
    ("siege", Quality::Siege),
    ("guards", Quality::Guards),
];

/// Which blocks are in a scenario: those the set-up names, or all of the nations that take part.
const ROSTERS: [(&str, bool); 2] = [("listed", false), ("full", true)];

/// How a block comes into the campaign (11.8).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Card {
    /// In a month, with so many steps.
    Month(Date, u8),
    /// With its nation.
    WithNation(u8),
    /// Upon a condition.
    Upon(Condition, u8),
    /// In the Civil War alone.
    CivilWar,
}

/// The blocks of the scenario.
pub(super) struct Blocks {
    pub list: Vec<Block>,
    /// How each comes, if the set-up does not say otherwise.
    pub cards: Vec<Card>,
    /// The blocks of the scenario by identifier.
    pub names: Names<BlockId>,
}

/// Types of unit by their names in the data.
pub(super) fn kind_words() -> Vec<(&'static str, Kind)> {
    Kind::ALL.iter().map(|&kind| (kind.id(), kind)).collect()
}

/// What each type can do, in the order of their numbers.
pub(super) fn kinds(whole: Whole<'_>) -> Result<[KindData; Kind::COUNT], LoadError> {
    let rows = whole.at("unit_types")?;
    rows.only(&Kind::ALL.map(Kind::id))?;
    let mut kinds = [KindData::default(); Kind::COUNT];
    for kind in Kind::ALL {
        let row = rows.get(kind.id())?;
        row.get("name")?.text()?;
        let flag = |key: &str| row.get(key)?.flag();
        let fire = |offence: &str, defence: &str| -> Result<Firepower, LoadError> {
            Ok(Firepower {
                offence: row.get(offence)?.choose("fire", &FIRES)?,
                defence: row.get(defence)?.choose("fire", &FIRES)?,
            })
        };
        let speed = |keys: [&str; 3]| -> Result<[u8; 3], LoadError> {
            let [dry, mud, snow] = keys.map(|key| row.get(key)?.byte(0..=6));
            Ok([dry?, mud?, snow?])
        };
        kinds[kind as usize] = KindData {
            speed: speed(["dry", "mud", "snow"])?,
            motorised_speed: speed(["motorised_dry", "motorised_mud", "motorised_snow"])?,
            fire: fire("offence", "defence")?,
            desert_fire: fire("desert_offence", "desert_defence")?,
            mountain_fire: fire("mountain_offence", "mountain_defence")?,
            least: row.get("least")?.byte(0..=1)?,
            ignores_stop: flag("ignores_stop")?,
            supreme_only: flag("supreme_only")?,
            strategic_only: flag("strategic_only")?,
            defence: row.get("hits")?.byte(0..=3)?,
            invades: flag("invades")?,
            assaults_by_sea: flag("assaults")?,
            costs: [None; 4],
        };
    }
    let words = kind_words();
    let tables: Vec<(&str, usize)> = TABLES.iter().enumerate().map(|(at, &table)| (table, at)).collect();
    for row in whole.at("costs")?.members()? {
        let kind = row.get("unit")?.choose("a type of unit", &words)?;
        let table = row.get("table")?.choose("a table of costs", &tables)?;
        kinds[kind as usize].costs[table] = Some(Cost {
            step: row.get("step")?.byte(0..=DEAREST)?,
            cadre: row.get("cadre")?.byte(0..=DEAREST)?,
        });
    }
    Ok(kinds)
}

/// A cost as a pair of numbers: for a step, for a cadre.
pub(super) fn cost(node: &Node<'_>) -> Result<Cost, LoadError> {
    let items = node.items()?;
    let [step, cadre] = items.as_slice() else {
        return Err(node.inconsistent("the points for a step and for a cadre are expected, as in [4, 8]"));
    };
    Ok(Cost { step: step.byte(0..=DEAREST)?, cadre: cadre.byte(0..=DEAREST)? })
}

/// The blocks of the scenario, in the order of the table of blocks: those that the set-up names and, if it takes the whole
/// roster, all others of nations that have a part in it.
pub(super) fn read(whole: Whole<'_>, nations: &Nations) -> Result<Blocks, LoadError> {
    let rows = whole.at("blocks")?;
    let entries = whole.at("setup.units")?;
    let full = whole.at("setup.roster")?.choose("a roster", &ROSTERS)?;
    let players = whole.at("setup.players")?.items()?;
    let plays =
        |faction: Faction| players.iter().any(|player| player.text().is_ok_and(|id| id == faction.id()));
    let own_costs = own_costs(whole)?;
    let (mut list, mut cards) = (Vec::new(), Vec::new());
    for row in rows.members()? {
        let (block, card) = (block(&row, nations)?, card(&row)?);
        let absent = nations.list[block.nation.at()].status == Status::Absent;
        let has_part = match card {
            Card::Upon(Condition::SpanishVolunteers, _) => absent, // Of those who have lost the Civil War (17.7).
            Card::Upon(..) => true,
            _ => !absent,
        };
        let takes_part = has_part && card != Card::CivilWar && plays(block.faction);
        if entries.find(row.key())?.is_some() || full && takes_part {
            list.push(Block { cost: own_costs.get(row.key()).copied(), ..block });
            cards.push(card);
        }
    }
    for entry in entries.members()? {
        if rows.find(entry.key())?.is_none() {
            let near = nearest(entry.key(), rows.table()?.keys().map(String::as_str));
            let (value, what) = (entry.key().into(), "a block of blocks.csv".into());
            return Err(entry.error(Problem::UnknownName { value, what, near }));
        }
    }
    if list.is_empty() || list.len() > MAX_BLOCKS {
        let text = format!("a scenario has 1 to {MAX_BLOCKS} blocks, not {}", list.len());
        return Err(entries.inconsistent(text));
    }
    let names: Names<BlockId> =
        Names::new("a block of the scenario", list.iter().map(|block| block.id.clone()));
    for (id, node) in own_cost_nodes(whole)? {
        names.find(&id, &node)?;
    }
    Ok(Blocks { list, cards, names })
}

/// When a block comes, and with how many steps.
fn card(row: &Node<'_>) -> Result<Card, LoadError> {
    let steps = row.get("entry_steps")?;
    let steps = match steps.text()? {
        "none" | "prep" => 0,
        "ready" => 1,
        text => text.parse().unwrap_or_default(),
    };
    let condition = row.get("condition")?;
    match row.get("entry")?.text()? {
        "scw" => Ok(Card::CivilWar),
        "nation" => Ok(Card::WithNation(steps)),
        "condition" => {
            let words = Condition::ALL.map(|condition| (condition.id(), condition));
            Ok(Card::Upon(condition.choose("a condition", &words)?, steps))
        }
        // `not_ji`: arrives unless an event has prevented it.
        _ if !["none", "not_ji"].contains(&condition.text()?) => {
            Err(condition.inconsistent("a block that comes in a month has no other condition than `not_ji`"))
        }
        _ => Ok(Card::Month(Date::read(&row.get("entry")?)?, steps)),
    }
}

/// The entries of `setup.civil_war.own_costs`.
fn own_cost_nodes(whole: Whole<'_>) -> Result<Vec<(String, Node<'_>)>, LoadError> {
    let Some(civil_war) = whole.at("setup")?.find("civil_war")? else { return Ok(Vec::new()) };
    let nodes = civil_war.get("own_costs")?.members()?;
    Ok(nodes.into_iter().map(|node| (node.key().to_owned(), node)).collect())
}

fn own_costs(whole: Whole<'_>) -> Result<HashMap<String, Cost>, LoadError> {
    own_cost_nodes(whole)?.into_iter().map(|(id, node)| Ok((id, cost(&node)?))).collect()
}

fn block(row: &Node<'_>, nations: &Nations) -> Result<Block, LoadError> {
    let kind = row.get("type")?.choose("a type of unit", &kind_words())?;
    let most = if kind.is_headquarters() { 3 } else { 4 };
    let fronts = row.get("fronts")?;
    let mut normal = Vec::new();
    for word in fronts.words()?.filter(|word| *word != "all") {
        let front = FRONTS.iter().find(|(id, _)| *id == word).ok_or_else(|| {
            let near = nearest(word, FRONTS.iter().map(|&(id, _)| id));
            fronts.error(Problem::UnknownName { value: word.into(), what: "a front".into(), near })
        })?;
        normal.push(front.1);
    }
    let full = row.get("strength")?.byte(1..=most)?;
    let steps = row.get("entry_steps")?;
    let known = match steps.text()? {
        "none" => true,
        "prep" | "ready" => kind == Kind::Beachhead,
        text => text.parse().is_ok_and(|steps: u8| steps <= full),
    };
    if !known {
        let text =
            format!("the block comes with 0 to {full} steps, a beachhead `prep` or `ready`, or `none`");
        return Err(steps.inconsistent(text));
    }
    Ok(Block {
        id: row.key().to_owned(),
        name: row.get("name")?.text()?.to_owned(),
        faction: row.get("side")?.choose("a side", &FACTIONS)?,
        nation: nations.names.read(&row.get("nation")?)?,
        kind,
        quality: row.get("quality")?.choose("a quality", &QUALITIES)?,
        full,
        acclimatised: class(&row.get("class")?)?,
        fronts: normal,
        foreign: row.get("foreign")?.flag()?,
        cost: None,
    })
}

/// The class of a unit for the Mediterranean or the North Front: `MF resident` (2.8).
fn class(node: &Node<'_>) -> Result<Acclimatised, LoadError> {
    let text = node.text()?;
    if text == "none" {
        return Ok(Acclimatised::Alien);
    }
    let parts = text.split_once(' ');
    let front = parts.and_then(|(front, _)| FRONTS.iter().find(|(id, _)| *id == front)).map(|found| found.1);
    match (front, parts.map(|(_, class)| class)) {
        (Some(front), Some("resident")) => Ok(Acclimatised::Resident(front)),
        (Some(front), Some("veteran")) => Ok(Acclimatised::Veteran(front)),
        (Some(front), Some("expeditionary")) => Ok(Acclimatised::Expeditionary(front)),
        _ => {
            Err(node
                .inconsistent("a class is `none`, or as in `MF resident`, `NF veteran`, `MF expeditionary`"))
        }
    }
}
