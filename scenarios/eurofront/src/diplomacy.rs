//! Nations, reaction alliances, diplomatic events (16, 20).

use sandtable_core::Index;
use sandtable_eurofront::ids::{Camp, Faction, MAX_EVENTS, MAX_NATIONS, NationId};
use sandtable_eurofront::rules::{
    DiplomaticEvent, EventLine, EventRoll, Firepower, Nation, Rank, Reaction, Status,
};

use super::blocks::FIRES;
use super::map::{FACTIONS, NamedMap};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole};

/// Where nations stand (16.0), by name: of the lists of the set-up, and in examples.
pub(crate) const RELATIONS: [(&str, Status); 8] = [
    ("axis", Status::Belligerent(Faction::Axis)),
    ("allies", Status::Belligerent(Faction::Allies)),
    ("soviets", Status::Belligerent(Faction::Soviets)),
    ("neutral", Status::Neutral),
    ("with_axis", Status::CooperatesWithAxis),
    ("with_allies", Status::CooperatesWithAllies),
    ("defeated", Status::Defeated),
    ("absent", Status::Absent),
];

/// The nations, and their names.
pub(super) struct Nations {
    pub list: Vec<Nation>,
    pub names: Names<NationId>,
}

/// Reads the nations, with their status in the set-up.
pub(super) fn nations(whole: Whole<'_>, named_map: &NamedMap) -> Result<Nations, LoadError> {
    let ranks = [("great", Rank::Great), ("major", Rank::Major), ("minor", Rank::Minor)];
    let leans = [("none", None), ("axis", Some(Camp::Axis)), ("allies", Some(Camp::Coalition))];
    let defeats = [("major", true), ("minor", false)];
    let rows = whole.at("nations")?;
    let names: Names<NationId> = Names::of_rows(&rows, "a nation", MAX_NATIONS)?;
    let mut list = Vec::new();
    for row in rows.members()? {
        let capital = row.get("capital")?;
        let fort = row.get("fort")?;
        let flag = |key: &str| row.get(key)?.flag();
        list.push(Nation {
            id: row.key().to_owned(),
            name: row.get("name")?.text()?.to_owned(),
            rank: row.get("rank")?.choose("a rank", &ranks)?,
            capital: named_map.read_or_none(&capital)?,
            status: Status::Absent,
            lean: row.get("lean")?.choose("a camp", &leans)?,
            peace: flag("peace")?,
            stubborn: row.get("defeat")?.choose("a kind of defeat", &defeats)?,
            fort: named_map.read_or_none(&fort)?,
            ski: flag("ski")?,
            motorised: flag("motorised")?,
            winter_headquarters: flag("winter_headquarters")?,
            home_fire: home_fire(whole, row.key())?,
        });
    }
    let setup = whole.at("setup")?;
    let others = [("absent", Status::Absent), ("neutral", Status::Neutral)];
    let others = setup.find("others")?.map_or(Ok(Status::Absent), |node| node.choose("a status", &others))?;
    let mut statuses: Vec<Option<Status>> = vec![None; list.len()];
    for (key, status) in RELATIONS {
        let Some(node) = setup.find(key)? else { continue };
        for item in node.items()? {
            let of_nation = &mut statuses[names.read(&item)?.at()];
            if of_nation.replace(status).is_some() {
                return Err(item.inconsistent("a nation stands on one side, and is named once"));
            }
        }
    }
    for (nation, status) in list.iter_mut().zip(statuses) {
        nation.status = status.unwrap_or(others);
    }
    Ok(Nations { list, names })
}

/// Fire of infantry within its own country, if it is its own (20.82, 20.83, 20.91).
fn home_fire(whole: Whole<'_>, nation: &str) -> Result<Option<Firepower>, LoadError> {
    let Some(node) = whole.at("charts.home_infantry")?.find(nation)? else { return Ok(None) };
    let items = node.items()?;
    let [offence, defence] = items.as_slice() else {
        return Err(node
            .inconsistent("fire as the active and as the passive side is expected, as in [\"SF\", \"DF\"]"));
    };
    Ok(Some(Firepower { offence: offence.choose("fire", &FIRES)?, defence: defence.choose("fire", &FIRES)? }))
}

/// Reads the table of reaction alliances (16.5).
pub(super) fn reactions(whole: Whole<'_>, nations: &Nations) -> Result<Vec<Reaction>, LoadError> {
    let joins = [("same", None), ("axis", Some(Faction::Axis)), ("allies", Some(Faction::Allies))];
    let conditions = [
        ("none", ""),
        ("spain_republican", "spain_republican"),
        ("spain_nationalist", "spain_nationalist"),
        ("norway_axis", "norway_axis"),
    ];
    let mut reactions = Vec::new();
    for row in whole.at("reactions")?.members()? {
        reactions.push(Reaction {
            belligerent: nations.names.read(&row.get("belligerent")?)?,
            neutral: nations.names.read(&row.get("neutral")?)?,
            up_to: [row.get("before")?.byte(0..=6)?, row.get("after")?.byte(0..=6)?],
            joins: row.get("joins")?.choose("a side", &joins)?,
            condition: row.get("condition")?.choose("a condition", &conditions)?.to_owned(),
        });
    }
    Ok(reactions)
}

/// Reads the diplomatic events (16.6).
pub(super) fn events(whole: Whole<'_>) -> Result<Vec<DiplomaticEvent>, LoadError> {
    let rows = whole.at("events")?;
    let mut events = Vec::new();
    for row in rows.members()? {
        row.only(&["side", "times", "lines", "effects", "does"])?;
        let mut lines = Vec::new();
        for item in row.get("lines")?.items()? {
            item.only(&["when", "roll"])?;
            let when = item.get("when")?;
            balanced(&when)?;
            lines.push(EventLine { when: when.text()?.to_owned(), roll: roll(&item.get("roll")?)? });
        }
        for item in row.get("effects")?.items()? {
            item.text()?;
        }
        let mut does = Vec::new();
        for item in row.get("does")?.items()? {
            does.push(item.text()?.to_owned());
        }
        events.push(DiplomaticEvent {
            id: row.key().to_owned(),
            name: row.get("name")?.text()?.to_owned(),
            side: row.get("side")?.choose("a side", &FACTIONS)?,
            times: row.get("times")?.byte(0..=9)?,
            lines,
            does,
        });
    }
    if events.len() > MAX_EVENTS {
        return Err(rows.inconsistent(format!("the engine takes {MAX_EVENTS} events at most")));
    }
    Ok(events)
}

/// `always`, a number, or `die < count` and `die <= count`.
fn roll(node: &Node<'_>) -> Result<EventRoll, LoadError> {
    let Ok(text) = node.text() else { return node.byte(1..=6).map(EventRoll::UpTo) };
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["always"] => Ok(EventRoll::Always),
        ["die", "<", count] => Ok(EventRoll::Count((*count).to_owned(), false)),
        ["die", "<=", count] => Ok(EventRoll::Count((*count).to_owned(), true)),
        _ => Err(node.inconsistent("a roll is `always`, a number from 1 to 6, or as in `die <= count`")),
    }
}

/// Every bracket of a precondition is closed.
fn balanced(node: &Node<'_>) -> Result<(), LoadError> {
    let mut open = 0i32;
    for letter in node.text()?.chars() {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        if open < 0 {
            break;
        }
    }
    if open == 0 { Ok(()) } else { Err(node.inconsistent("its brackets do not match")) }
}
