//! Decisions in words.

use sandtable_core::Stepwise;
use sandtable_europe_engulfed::combat::Group;
use sandtable_europe_engulfed::phase::{FireClass, Mode, Stage};
use sandtable_europe_engulfed::{Action, Area, Phase, State, Team, UnitId};
use sandtable_scenarios::example::words::unknown;

use super::words::{Unit, Words, asset, nation, phase, team};

/// What a phrase asks for.
pub(super) enum Order {
    /// Decline, or end the phase.
    Pass,
    /// Decline until a phase.
    Until(Phase, Option<Team>),
    /// These decisions, one after the other.
    Actions(Vec<Action>),
}

/// First words of phrases.
const VERBS: [&str; 52] = [
    "pass",
    "until",
    "move",
    "place",
    "stay",
    "abandon",
    "drop",
    "attack",
    "assault",
    "withdraw",
    "leave",
    "reinforce",
    "bring",
    "counterattack",
    "counterassault",
    "fighters",
    "support",
    "fire",
    "lose",
    "breakthrough",
    "limited",
    "raise",
    "replace",
    "build",
    "lift",
    "invade",
    "embark",
    "sail",
    "intercept",
    "sink",
    "transfer",
    "declare",
    "agree",
    "induce",
    "draft",
    "raid",
    "give",
    "buy",
    "jets",
    "escorts",
    "renounce",
    "pause",
    "convert",
    "commit",
    "overlord",
    "land",
    "partisans",
    "shift",
    "demolish",
    "repair",
    "beachhead",
    "cross",
];

/// Reads a phrase.
///
/// ```text
/// pass                                 until combat [second]
/// move UNIT from AREA to AREA [AREA]   stay UNIT in AREA        place UNIT in AREA (from off the map)
/// abandon POWER AREA                   drop UNIT from AREA to AREA
/// attack AREA | assault AREA           withdraw | leave to AREA
/// reinforce | bring UNIT from AREA     counterattack | counterassault
/// fighters N | support UNIT            fire inf|arm [BONUSES] | lose UNIT
/// breakthrough POWER to AREA | strategic | attack AREA | assault AREA
/// limited supply POWER AREA            raise UNIT in AREA | replace UNIT in AREA
/// invade POWER AREA from SEA           embark UNIT from AREA     sail
/// intercept in port | cross to AREA (an air unit, 14.46)
/// intercept | sink UNIT from AREA      transfer POWER SEA to SEA
/// declare war POWER on POWER           agree | draft | give POWER (a WERP)
/// raid BOMBERS ESCORTS                 intercept FIGHTERS | buy ASSET
/// jets N (Me-262)                      escorts N (at the Me-262)
/// renounce (airborne assaults)         pause (in the East)       convert ASSET UNIT in AREA
/// commit N (armour, 14.44)             overlord | land armour POWER      partisans UNIT in AREA
/// shift from AREA (the enemy, to the Soviet front garrison)
/// demolish AREA (a port)               repair POWER AREA         beachhead POWER AREA (13.32)
/// build fort AREA | heavy fort AREA | special action | fleet SEA        lift limits
/// ```
pub(super) fn order(words: Words<'_>, state: &State, phrase: &str) -> Result<Order, String> {
    let parts: Vec<&str> = phrase.split_whitespace().collect();
    let Some((&verb, rest)) = parts.split_first() else { return Err("a decision is empty".into()) };
    let area = |name: &str| words.area(name);
    let one = |action: Action| Ok(Order::Actions(vec![action]));
    match (verb, rest) {
        ("pass", []) => Ok(Order::Pass),
        ("until", [name]) => Ok(Order::Until(phase(name)?, None)),
        ("until", [name, whose]) => Ok(Order::Until(phase(name)?, Some(team(whose)?))),
        ("move", rest) => {
            let (unit, _, to) = unit_from_to(words, state, rest)?;
            let mut actions = vec![Action::Select(unit)];
            if to.is_empty() {
                return Err(format!("`{phrase}`: `to` and an area are expected"));
            }
            actions.extend(to.into_iter().map(Action::Go));
            Ok(Order::Actions(actions))
        }
        ("stay", rest) => {
            let (unit, _) = unit_in(words, state, rest, "in")?;
            Ok(Order::Actions(vec![Action::Select(unit), Action::Pass]))
        }
        ("place", rest) => {
            let at = split_at(rest, "in")?;
            let wanted = words.unit(&rest[..at].join(" "))?;
            let unit = waiting(words, state, &wanted)
                .ok_or_else(|| format!("no {} waits to be placed", rest[..at].join(" ")))?;
            let to = area(rest.get(at + 1).copied().unwrap_or_default())?;
            // Where one counter alone is at hand, its place is asked for at once.
            let open = words.game.open_actions(state);
            let select = open.iter().any(|action| matches!(action, Action::Select(_)));
            Ok(Order::Actions(if select {
                vec![Action::Select(unit), Action::Go(to)]
            } else {
                vec![Action::Go(to)]
            }))
        }
        ("abandon", [power, name]) => one(Action::Abandon(nation(power)?, area(name)?)),
        ("drop", rest) => {
            let (unit, _, to) = unit_from_to(words, state, rest)?;
            match to[..] {
                [to] => one(Action::Drop(unit, to)),
                _ => Err(format!("`{phrase}`: one area is expected after `to`")),
            }
        }
        ("attack", [name]) => one(Action::Attack(area(name)?, Mode::Normal)),
        ("assault", [name]) => one(Action::Attack(area(name)?, Mode::Assault)),
        ("withdraw", []) => one(Action::Withdraw),
        ("leave", ["to", name]) => one(Action::Go(area(name)?)),
        ("reinforce", []) => one(Action::Reinforce),
        ("bring", rest) => {
            let (unit, _) = unit_in(words, state, rest, "from")?;
            one(Action::Select(unit))
        }
        ("counterattack", []) => one(Action::Counterattack(Mode::Normal)),
        ("counterassault", []) => one(Action::Counterattack(Mode::Assault)),
        ("fighters", [count]) => one(Action::Fighters(
            count.parse().map_err(|_| format!("`{count}` is not a number of air units"))?,
        )),
        ("support", rest) => one(Action::Support(in_battle(words, state, rest)?)),
        ("fire", [class]) => one(Action::Fire(group(class, "0")?)),
        ("fire", [class, own]) => one(Action::Fire(group(class, own)?)),
        ("lose", rest) => one(Action::Take(in_battle(words, state, rest)?)),
        ("breakthrough", [power, "to", name]) => one(Action::BreakthroughMove(nation(power)?, area(name)?)),
        ("breakthrough", [power, "strategic"]) => one(Action::BreakthroughStrategic(nation(power)?)),
        ("breakthrough", [power, mode @ ("attack" | "assault"), name]) => {
            let mode = if *mode == "attack" { Mode::Normal } else { Mode::Assault };
            one(Action::BreakthroughCombat(nation(power)?, area(name)?, mode))
        }
        ("limited", ["supply", power, name]) => one(Action::LimitedSupply(nation(power)?, area(name)?)),
        ("raise", rest) => {
            let at = split_at(rest, "in")?;
            let wanted = words.unit(&rest[..at].join(" "))?;
            let to = area(rest.get(at + 1).copied().unwrap_or_default())?;
            Ok(Order::Actions(vec![Action::Raise(wanted.kind), Action::Go(to)]))
        }
        ("replace", rest) => {
            let (unit, _) = unit_in(words, state, rest, "in")?;
            one(Action::Replace(unit))
        }
        ("build", ["fort", name]) => one(Action::FieldFort(area(name)?)),
        ("build", ["heavy", "fort", name]) => one(Action::HeavyFort(area(name)?)),
        ("build", ["special", "action"]) => one(Action::SpecialAction),
        ("build", ["fleet", name]) => one(Action::Fleet(words.sea(name)?)),
        ("invade", [power, name, "from", sea]) => {
            one(Action::Invade(nation(power)?, area(name)?, words.sea(sea)?))
        }
        ("embark", rest) => {
            let (unit, _) = unit_in(words, state, rest, "from")?;
            one(Action::Embark(unit))
        }
        ("sail", []) => one(Action::Pass),
        ("intercept", []) => one(Action::Intercept),
        ("intercept", ["in", "port"]) => one(Action::MeetInPort),
        ("cross", ["to", name]) => one(Action::Go(area(name)?)),
        ("sink", rest) => {
            let (unit, _) = unit_in(words, state, rest, "from")?;
            one(Action::Take(unit))
        }
        ("transfer", [power, from, "to", to]) => {
            one(Action::Transfer(nation(power)?, words.sea(from)?, words.sea(to)?))
        }
        ("shift", ["from", name]) => one(Action::Go(area(name)?)),
        ("demolish", [name]) => one(Action::Demolish(area(name)?)),
        ("repair", [power, name]) => one(Action::Repair(nation(power)?, area(name)?)),
        ("beachhead", [power, name]) => one(Action::Beachhead(nation(power)?, area(name)?)),
        ("lift", ["limits"]) => one(Action::Unrestricted),
        ("declare", ["war", by, "on", on]) => one(Action::DeclareWar(nation(by)?, nation(on)?)),
        ("induce", [power]) => one(Action::Induce(nation(power)?)),
        ("agree", []) => one(Action::Agree),
        ("draft", []) => one(Action::Draft),
        ("raid", [bombers, escorts]) => one(Action::Raid(number(bombers)?, number(escorts)?)),
        ("intercept", [fighters]) => one(Action::Interceptors(number(fighters)?)),
        ("give", [power]) => one(Action::Give(nation(power)?)),
        ("buy", [name]) => one(Action::Asset(asset(name)?)),
        ("jets", [count]) => one(Action::Jets(number(count)?)),
        ("escorts", [count]) => one(Action::AtJets(number(count)?)),
        ("renounce", []) => one(Action::Renounce),
        ("pause", []) => one(Action::Pause),
        ("commit", [count]) => one(Action::Fighters(number(count)?)),
        ("overlord", []) => one(Action::Overlord),
        ("land", ["armour", power]) => one(Action::LandArmour(nation(power)?)),
        ("partisans", rest) => {
            let at = split_at(rest, "in")?;
            let wanted = words.unit(&rest[..at].join(" "))?;
            one(Action::Partisans(wanted.kind, area(rest.get(at + 1).copied().unwrap_or_default())?))
        }
        ("convert", [name, rest @ ..]) => {
            let at = split_at(rest, "in")?;
            let wanted = words.unit(&rest[..at].join(" "))?;
            let to = area(rest.get(at + 1).copied().unwrap_or_default())?;
            Ok(Order::Actions(vec![Action::Convert(asset(name)?, wanted.kind), Action::Go(to)]))
        }
        _ if VERBS.contains(&verb) => {
            Err(format!("`{phrase}` is no whole decision; see the README of the examples"))
        }
        _ => Err(unknown(verb, "a decision", VERBS)),
    }
}

fn number(text: &str) -> Result<u8, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

fn split_at(words: &[&str], at: &str) -> Result<usize, String> {
    words
        .iter()
        .position(|word| *word == at)
        .filter(|found| *found > 0)
        .ok_or_else(|| format!("`{}`: a unit, `{at}` and an area are expected", words.join(" ")))
}

/// `UNIT in AREA`, and the area.
fn unit_in(
    words: Words<'_>,
    state: &State,
    rest: &[&str],
    preposition: &str,
) -> Result<(UnitId, Area), String> {
    let at = split_at(rest, preposition)?;
    let text = rest[..at].join(" ");
    let wanted = words.unit(&text)?;
    let [name] = rest[at + 1..] else {
        return Err(format!("`{}`: one area is expected", rest.join(" ")));
    };
    let area = words.area(name)?;
    Ok((pick(words, state, &wanted, area, &text)?, area))
}

/// A unit of these words that can be picked now, or else any.
fn pick(words: Words<'_>, state: &State, wanted: &Unit, area: Area, text: &str) -> Result<UnitId, String> {
    let open = words.game.open_actions(state);
    let is_open = |unit: UnitId| {
        open.iter().any(|action| match *action {
            Action::Select(other)
            | Action::Support(other)
            | Action::Take(other)
            | Action::Embark(other)
            | Action::Replace(other)
            | Action::Drop(other, _) => other == unit,
            _ => false,
        })
    };
    words
        .find(state, wanted, area, is_open)
        .or_else(|| words.find(state, wanted, area, |_| true))
        .ok_or_else(|| format!("there is no {text} in {}", words.area_id(area)))
}

/// `UNIT from AREA to AREA AREA`.
fn unit_from_to(words: Words<'_>, state: &State, rest: &[&str]) -> Result<(UnitId, Area, Vec<Area>), String> {
    let to = split_at(rest, "to")?;
    let (unit, from) = unit_in(words, state, &rest[..to], "from")?;
    let way = rest[to + 1..].iter().map(|name| words.area(name)).collect::<Result<_, _>>()?;
    Ok((unit, from, way))
}

fn in_battle(words: Words<'_>, state: &State, rest: &[&str]) -> Result<UnitId, String> {
    if state.battle.stage == Stage::None {
        return Err("no battle is being fought".into());
    }
    let text = rest.join(" ");
    pick(words, state, &words.unit(&text)?, state.battle.area, &text)
}

/// A counter of these words that waits off the map.
fn waiting(words: Words<'_>, state: &State, wanted: &Unit) -> Option<UnitId> {
    let open = words.game.open_actions(state);
    let off = || words.game.counters(wanted.kind).filter(|unit| !state.is_on_map(*unit));
    off().find(|unit| open.contains(&Action::Select(*unit))).or_else(|| off().next())
}

/// `inf` or `arm` with the bonuses of the blocks themselves: elite, air support.
fn group(class: &str, own: &str) -> Result<u8, String> {
    let class = match class {
        "inf" => FireClass::Infantry,
        "arm" => FireClass::Armour,
        _ => return Err(unknown(class, "a class that fires", ["inf", "arm"])),
    };
    let own =
        own.trim_start_matches('+').parse().map_err(|_| format!("`{own}` is not a number of bonuses"))?;
    Ok(Group::new(class, own).0)
}

/// Why a phrase cannot be played now; `None` if it can.
pub(super) fn fault(words: Words<'_>, state: &State, phrase: &str) -> Result<Option<String>, String> {
    let actions = match order(words, state, phrase)? {
        Order::Pass => vec![Action::Pass],
        Order::Until(..) => return Err(format!("`{phrase}` is not asked about")),
        Order::Actions(actions) => actions,
    };
    let mut state = state.clone();
    let mut context = sandtable_core::PlayContext { dice: sandtable_core::Scripted::faces(&[]), sink: () };
    for (nth, action) in actions.iter().enumerate() {
        if !words.game.open_actions(&state).contains(action) {
            return Ok(words.game.why_illegal(&state, *action));
        }
        if nth + 1 < actions.len() {
            words.game.apply_alone(&mut state, *action, &mut context);
        }
    }
    Ok(None)
}
