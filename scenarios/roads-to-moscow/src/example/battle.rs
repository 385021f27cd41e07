//! Battles for the study of odds: described in the words of worked examples, or taken from one.

use sandtable_core::hex::Hex;
use sandtable_core::{Index, Stepwise};
use sandtable_roads_to_moscow::ids::Player;
use sandtable_roads_to_moscow::rules::Weather;
use sandtable_roads_to_moscow::{Action, RoadsToMoscow, State};
use sandtable_scenarios::example::battle::{BattleText, Battles, wrong};
use sandtable_scenarios::example::words::split_line;
use sandtable_scenarios::example::{Vocabulary, fresh, play_forced};
use sandtable_scenarios::{LoadError, Override};

use super::format::Position;
use super::words::{Words, weather_name};
use super::{Examples, ScriptedContext, position};
use crate::open;

/// A battle that can be fought: a position in which its declared attack is the next decision.
#[derive(Clone)]
pub struct Battle {
    /// The rules, with the data of its scenario.
    pub game: RoadsToMoscow,
    /// The position: a Combat Phase in which the attack is still to be resolved.
    pub state: State,
    /// The hex under attack.
    pub target: Hex,
    /// Who attacks.
    pub attacker: Player,
    /// What it is called.
    pub title: String,
}

impl Battles for Examples {
    type Battle = Battle;

    /// The formations of the attackers are active, Army units among them are activated. The attack is declared, with the
    /// Mobile table in a Mobile Sequence and the Assault table else, whether or not the rules would let it.
    fn describe(text: &BattleText) -> Result<Battle, LoadError> {
        described(text)
    }

    fn is_battle(phrase: &str) -> bool {
        phrase.trim_start().starts_with("resolve ")
    }

    fn halt(
        game: &RoadsToMoscow,
        mut state: State,
        phrase: &str,
        title: String,
        mut context: Option<&mut ScriptedContext>,
    ) -> Result<Battle, String> {
        let target =
            phrase.trim().strip_prefix("resolve ").ok_or_else(|| format!("`{phrase}` is no battle"))?;
        let target = Words { game }.hex(target.trim())?;
        while !game.open_actions(&state).contains(&Action::Target(target)) {
            let goes_on = context
                .as_deref_mut()
                .is_some_and(|context| play_forced::<Examples>(game, &mut state, context));
            if !goes_on {
                return Err(format!("`{phrase}`: no attack on it is to be resolved now"));
            }
        }
        let attacker = state.active;
        Ok(Battle { game: game.clone(), state, target, attacker, title })
    }
}

fn described(text: &BattleText) -> Result<Battle, LoadError> {
    let mut wanted: Position = text.position()?;
    let (target, _) = split_line(&text.defenders).map_err(wrong)?;
    let mut overrides = text.edits(&wanted)?;
    if let Some(terrain) = &text.terrain {
        let map = open(&text.scenario, &overrides)?.rules().map.id.clone();
        overrides.push(Override::parse(&format!("maps.{map}.hexes.{target}.terrain={terrain}"))?);
    }
    let game = Examples::game(open(&text.scenario, &overrides)?.into_rules()).map_err(wrong)?;
    let words = Words { game: &game };
    if let Some(turn) = text.turn {
        let last = game.rules.calendar.len();
        let named = usize::from(turn).checked_sub(1).and_then(|at| game.rules.calendar.get(at));
        let named = named.ok_or_else(|| wrong(format!("turn {turn}: expected 1 to {last}")))?;
        wanted.turn = Some(named.name.clone());
    }
    wanted.weather =
        text.weather.clone().or(wanted.weather).or_else(|| Some(weather_name(Weather::Dry).to_owned()));

    let defender = side_of(words, std::slice::from_ref(&text.defenders))?;
    let attacker = side_of(words, &text.attackers)?;
    let (Some(attacker), Some(defender)) = (attacker, defender) else {
        return Err(wrong("a battle needs attackers and defenders: `hex: unit, unit`"));
    };
    if attacker == defender {
        return Err(wrong(format!(
            "attackers `{}` and defenders `{}` are of the same side, {}: expected enemies",
            text.attackers.join("; "),
            text.defenders,
            attacker.id()
        )));
    }
    let sequence = wanted.sequence.get_or_insert_with(|| "assault".to_owned()).clone();
    let mut attack = Vec::new();
    for line in &text.attackers {
        let (hex, items) = split_line(line).map_err(wrong)?;
        for item in items {
            let unit = words.unit(item).map_err(wrong)?.id;
            attack.push(game.unit(unit).id.clone());
            match game.formation(unit) {
                Some(formation) => {
                    let id = &game.rules.formations[formation.at()].id;
                    if !wanted.active.contains(id) {
                        wanted.active.push(id.clone());
                    }
                    wanted.units.push(format!("{hex}: {item}"));
                }
                None if item.split(' ').any(|word| word == "activated") => {
                    wanted.units.push(format!("{hex}: {item}"));
                }
                None => wanted.units.push(format!("{hex}: {item} activated")),
            }
        }
    }
    wanted.units.push(text.defenders.clone());
    wanted.units.extend(text.others.iter().cloned());
    wanted.side = Some(attacker.id().to_owned());
    let table = if sequence == "mobile" { "mobile" } else { "assault" };
    wanted.attacks = vec![format!("{target} {table}: {}", attack.join(", "))];
    wanted.phase = Some("combat".to_owned());
    let context = &mut fresh::<Examples>(&[]);
    let state = position::build(&game, &wanted, context).map_err(wrong)?;
    let title = text.title();
    Examples::halt(&game, state, &format!("resolve {target}"), title, Some(context)).map_err(wrong)
}

/// The side of the units of lines; `None` if there are none.
fn side_of(words: Words<'_>, lines: &[String]) -> Result<Option<Player>, LoadError> {
    let mut side = None;
    for line in lines {
        for item in split_line(line).map_err(wrong)?.1 {
            let unit = words.unit(item).map_err(|error| wrong(format!("`{line}`: {error}")))?.id;
            let own = words.game.player(unit);
            if side.replace(own).is_some_and(|other| other != own) {
                return Err(wrong(format!("`{line}`: the units are of both sides")));
            }
        }
    }
    Ok(side)
}
