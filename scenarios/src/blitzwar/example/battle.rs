//! Battles for the study of odds: described in the words of worked examples, or taken from one.

use sandtable_blitzwar::game::Counters;
use sandtable_blitzwar::{BlitzWar, Force, State};

use super::format::{Expect, Position};
use super::words::{Face, Order, Unit, Words};
use super::{Kit, play_forced, position};
use crate::error::{LoadError, Problem};
use crate::example::format::{Step, position_beside, read};
use crate::example::runner::{ExampleOf, FileOf, find, fresh, play, play_phrase};
use crate::example::words::split_line;
use crate::{Override, open};

/// A battle that can be fought: the position before the attack, and who attacks what.
#[derive(Clone)]
pub struct Battle {
    /// The rules, with the data of its scenario.
    pub game: BlitzWar,
    /// The position.
    pub state: State,
    /// Zone attacked.
    pub target: u8,
    /// Counters that attack; `None` is all that can.
    pub only: Option<Counters>,
    /// What it is called.
    pub title: String,
}

/// A battle in words, as worked examples say them (`examples/README.md`).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BattleText {
    /// Scenario whose map, counters and dates are used.
    pub scenario: String,
    /// Values of the scenario that are replaced.
    pub overrides: Vec<Override>,
    /// Attackers, `place: unit, unit`. They are activated unless they are said to be `idle`; their zones are their side's.
    pub attackers: Vec<String>,
    /// Defenders, `zone: unit, unit`; the zone is their side's.
    pub defenders: String,
    /// Other units on the map, `place: unit, unit`.
    pub others: Vec<String>,
    /// More of the position: keys of an example's `position`, as TOML.
    pub position: Option<String>,
    /// Turn, if not the scenario's first.
    pub turn: Option<u8>,
    /// Weather, if not the calendar's.
    pub weather: Option<String>,
    /// Terrain of the zone attacked, if not the map's.
    pub terrain: Option<String>,
}

fn wrong(text: String) -> LoadError {
    LoadError::new(Problem::Inconsistent(text))
}

/// Puts a described battle on the map.
///
/// # Errors
/// If the words mean nothing, the units do not fit, or the scenario cannot be opened. That the attack may not be made is
/// no error of this.
pub fn described_battle(text: &BattleText) -> Result<Battle, LoadError> {
    let mut position: Position = position_beside(text.position.as_deref())?;
    position.turn = text.turn.or(position.turn);
    position.weather = text.weather.clone().or(position.weather);
    let (zone, defenders) = split_line(&text.defenders).map_err(wrong)?;
    let mut overrides = text.overrides.clone();
    for set in &position.set {
        overrides.push(Override::parse(set)?);
    }
    if let Some(terrain) = &text.terrain {
        overrides.push(Override::parse(&format!("map.zones.{zone}.terrain={terrain}"))?);
    }
    if let Some(weather) = &position.weather {
        let turn = match position.turn {
            Some(turn) => turn,
            None => open(&text.scenario, &overrides)?.blitzwar().setup.first_turn,
        };
        overrides.push(Override::parse(&format!("calendar.{turn}.weather={weather}"))?);
    }
    let game = BlitzWar::new(open(&text.scenario, &overrides)?.into_blitzwar()).map_err(wrong)?;

    // Whose side the units are on is known once the countries stand as told.
    let table = &mut fresh::<Kit>(&[]);
    let map =
        position::build(&game, &Position { units: Vec::new(), ..position.clone() }, table).map_err(wrong)?;
    let words = Words { game: &game, state: &map };
    let target = words.zone(zone).map_err(wrong)?;
    let mut side = None;
    let mut lines = Vec::new();
    for line in &text.attackers {
        let (place, units) = split_line(line).map_err(wrong)?;
        let mut ready = Vec::new();
        for item in units {
            let unit = Unit::read(item).map_err(|error| wrong(format!("`{line}`: {error}")))?;
            let corps = matches!(unit.face, Face::Corps(..));
            let force = game.side_of(&map, unit.nation);
            match (force, side) {
                (None, _) if corps => return Err(wrong(neutral(item, unit.nation.id()))),
                (Some(one), Some(other)) if corps && one != other => {
                    return Err(wrong(format!(
                        "`{item}` fights for {}, other attackers for {}; one side attacks at a time",
                        one.name(),
                        other.name()
                    )));
                }
                (Some(one), None) if corps => side = Some(one),
                _ => {}
            }
            let fresh = corps && unit.activated.is_none() && !place.contains('@');
            ready.push(if fresh { format!("{item} activated") } else { item.to_owned() });
        }
        lines.push(format!("{place}: {}", ready.join(", ")));
        if let (Some(force), Ok(zone)) = (side, words.zone(place)) {
            hold(&mut position, &map, force, zone, place);
        }
    }
    let side = side.ok_or_else(|| wrong("nobody attacks: `zone: unit, unit` is expected".into()))?;
    if defenders.is_empty() {
        return Err(wrong(format!("nobody defends {zone}: `zone: unit, unit` is expected")));
    }
    for item in &defenders {
        let unit = Unit::read(item).map_err(|error| wrong(format!("`{}`: {error}", text.defenders)))?;
        let force = game.side_of(&map, unit.nation);
        if matches!(unit.face, Face::Corps(..))
            && let Some(force) = force
        {
            if !force.opposes(side) {
                return Err(wrong(format!("`{item}` fights for {}, as the attackers do", force.name())));
            }
            hold(&mut position, &map, force, target, zone);
        }
    }
    lines.push(text.defenders.clone());
    lines.extend(text.others.iter().cloned());
    position.units.extend(lines);
    position.phase.get_or_insert_with(|| "blitz".into());
    position.side = Some(side.id().to_owned());
    let state = position::build(&game, &position, table).map_err(wrong)?;
    let title = format!("{} against {}", text.attackers.join("; "), text.defenders);
    Ok(Battle { game, state, target, only: None, title })
}

fn neutral(item: &str, nation: &str) -> String {
    format!(
        "`{item}`: {nation} is on no side here; say which with the position `countries = {{ {nation} = \"axis\" }}`"
    )
}

/// Gives a zone to a side, if the position gives it to nobody else.
fn hold(position: &mut Position, map: &State, force: Force, zone: u8, name: &str) {
    let told = position.control.values().flatten().any(|told| told == name);
    if !told && map.controller(zone) != Some(force) {
        position.control.entry(force.id().to_owned()).or_default().push(name.to_owned());
    }
}

/// A place and its units.
/// Takes the `nth` attack (from 1) of a worked example, with what comes before it played as written. An example that only
/// weighs attacks has those.
///
/// # Errors
/// If the file is malformed, has no such example or attack, or does not hold so far.
pub fn example_battle(name: &str, text: &str, id: &str, nth: usize) -> Result<Battle, LoadError> {
    let file: FileOf<Kit> = read(name, text)?;
    let located = |text: String| LoadError::in_file(name, None, Problem::Inconsistent(text));
    let (example, game) = find::<Kit>(name, &file, id)?;
    let fault = |error: String| located(format!("example {id}: {error}"));
    let title = format!("{id}: {}", example.title);
    let table = &mut fresh::<Kit>(&[]);
    let mut state = position::build(&game, &example.position, table).map_err(fault)?;
    let mut seen = 0;
    for step in example.steps() {
        for weighed in &step.expect.odds {
            // Attacks that are weighed stand in the position after the step; only a step without decisions leaves it as it is.
            let Some(attack) = weighed.attack.as_ref().filter(|_| step.orders.is_empty()) else { continue };
            seen += 1;
            if seen == nth {
                let order = Words { game: &game, state: &state }.order(&format!("attack {attack}"));
                let Order::Attack { target, only } = order.map_err(fault)? else { continue };
                return Ok(Battle { game, state, target, only, title });
            }
        }
        let table = &mut fresh::<Kit>(&step.dice);
        for phrase in &step.orders {
            if phrase.trim_start().starts_with("attack ") {
                seen += 1;
                if seen == nth {
                    let order = loop {
                        let order = Words { game: &game, state: &state }.order(phrase);
                        if matches!(&order, Ok(order) if order.fault(&game, &state).is_ok_and(|fault| fault.is_none()))
                            || !play_forced(&game, &mut state, table)
                        {
                            break order;
                        }
                    };
                    let Order::Attack { target, only } = order.map_err(fault)? else { continue };
                    return Ok(Battle { game, state, target, only, title });
                }
            }
            play_phrase::<Kit>(&game, &mut state, phrase, table)
                .map_err(|error| fault(format!("`{phrase}`: {error}")))?;
        }
        let nothing = Step { orders: Vec::new(), dice: Vec::new(), ..step.clone() };
        play::<Kit>(&game, &mut state, &nothing, table).map_err(fault)?;
    }
    Err(fault(match seen {
        0 => "it has no attack".into(),
        1 => format!("it has no attack {nth}, only one"),
        seen => format!("it has no attack {nth}, only {seen}"),
    }))
}

/// The worked examples of a file that have attacks, by identifier, and how many.
///
/// # Errors
/// If the file is malformed.
pub fn battles_in(name: &str, text: &str) -> Result<Vec<(String, usize)>, LoadError> {
    let file: FileOf<Kit> = read(name, text)?;
    let attacks = |example: &ExampleOf<Kit>| -> usize {
        let in_step = |step: &Step<Expect>| {
            if step.orders.is_empty() {
                step.expect.odds.iter().filter(|odds| odds.attack.is_some()).count()
            } else {
                step.orders.iter().filter(|phrase| phrase.trim_start().starts_with("attack ")).count()
            }
        };
        example.steps().iter().map(in_step).sum()
    };
    let counts = file.example.iter().map(|example| (example.id.clone(), attacks(example)));
    Ok(counts.filter(|(_, attacks)| *attacks > 0).collect())
}
