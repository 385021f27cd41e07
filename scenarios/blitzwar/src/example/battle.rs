//! Battles for the study of odds: described in the words of worked examples, or taken from one.

use sandtable_blitzwar::game::Counters;
use sandtable_blitzwar::location::Zone;
use sandtable_blitzwar::{BlitzWar, Force, State};
use sandtable_scenarios::example::battle::{BattleText, Battles, wrong};
use sandtable_scenarios::example::words::split_line;
use sandtable_scenarios::example::{Vocabulary, fresh, play_forced};
use sandtable_scenarios::{LoadError, Override};

use super::format::{Expect, Position};
use super::words::{Face, Order, Unit, Words};
use super::{Examples, ScriptedContext, position};
use crate::open;

/// A battle that can be fought: the position before the attack, and who attacks what.
#[derive(Clone)]
pub struct Battle {
    /// The rules, with the data of its scenario.
    pub game: BlitzWar,
    /// The position.
    pub state: State,
    /// Zone attacked.
    pub target: Zone,
    /// Counters that attack; `None` is all that can.
    pub only: Option<Counters>,
    /// What it is called.
    pub title: String,
}

impl Battles for Examples {
    type Battle = Battle;
    const NOUN: &'static str = "attack";

    /// Attackers are activated unless they are said to be `idle`; the zones that units stand in are their side's. That the
    /// attack may not be made is no error of this.
    fn describe(text: &BattleText) -> Result<Battle, LoadError> {
        described(text)
    }

    fn is_battle(phrase: &str) -> bool {
        phrase.trim_start().starts_with("attack ")
    }

    fn weighed(expect: &Expect) -> Vec<String> {
        let attacks = expect.odds.iter().filter_map(|weighed| weighed.attack.as_ref());
        attacks.map(|attack| format!("attack {attack}")).collect()
    }

    fn halt(
        game: &BlitzWar,
        mut state: State,
        phrase: &str,
        title: String,
        mut context: Option<&mut ScriptedContext>,
    ) -> Result<Battle, String> {
        let order = loop {
            let order = Words { game, state: &state }.order(phrase)?;
            let legal = order.fault(game, &state).is_ok_and(|fault| fault.is_none());
            let goes_on = !legal
                && context
                    .as_deref_mut()
                    .is_some_and(|context| play_forced::<Examples>(game, &mut state, context));
            if !goes_on {
                break order;
            }
        };
        let Order::Attack { target, only } = order else { return Err(format!("`{phrase}` is no attack")) };
        Ok(Battle { game: game.clone(), state, target, only, title })
    }
}

fn described(text: &BattleText) -> Result<Battle, LoadError> {
    let mut position: Position = text.position()?;
    position.turn = text.turn.or(position.turn);
    position.weather = text.weather.clone().or(position.weather);
    let (zone, defenders) = split_line(&text.defenders).map_err(wrong)?;
    let mut overrides = text.edits(&position)?;
    if let Some(terrain) = &text.terrain {
        overrides.push(Override::parse(&format!("map.zones.{zone}.terrain={terrain}"))?);
    }
    if let (Some(weather), None) = (&position.weather, position.turn) {
        let turn = open(&text.scenario, &overrides)?.rules().setup.first_turn;
        overrides.push(Override::parse(&format!("calendar.{turn}.weather={weather}"))?);
    }
    let game = Examples::game(open(&text.scenario, &overrides)?.into_rules()).map_err(wrong)?;

    // Whose side the units are on is known once the countries stand as told.
    let context = &mut fresh::<Examples>(&[]);
    let map = position::build(&game, &Position { units: Vec::new(), ..position.clone() }, context)
        .map_err(wrong)?;
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
    let side = side.ok_or_else(|| wrong("nobody attacks: `zone: unit, unit` is expected"))?;
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
    let state = position::build(&game, &position, context).map_err(wrong)?;
    Ok(Battle { game, state, target, only: None, title: text.title() })
}

fn neutral(item: &str, nation: &str) -> String {
    format!(
        "`{item}`: {nation} is on no side here; say which with the position `countries = {{ {nation} = \"axis\" }}`"
    )
}

/// Gives a zone to a side, if the position gives it to nobody else.
fn hold(position: &mut Position, map: &State, force: Force, zone: Zone, name: &str) {
    let told = position.control.values().flatten().any(|told| told == name);
    if !told && map.controller(zone) != Some(force) {
        position.control.entry(force.id().to_owned()).or_default().push(name.to_owned());
    }
}
