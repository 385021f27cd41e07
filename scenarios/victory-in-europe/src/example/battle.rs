//! Battles for the study of odds: described in the words of worked examples, or taken from one.

use sandtable_core::Index;
use sandtable_core::Stepwise;
use sandtable_scenarios::example::battle::{BattleText, Battles, wrong};
use sandtable_scenarios::example::words::split_line;
use sandtable_scenarios::example::{Vocabulary, fresh, play_forced};
use sandtable_scenarios::{LoadError, Override};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::nation::{Force, Nation, Team};
use sandtable_victory_in_europe::phase::Phase;
use sandtable_victory_in_europe::rules::Arm;
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Action, Place, State, UnitId, VictoryInEurope};

use super::format::Position;
use super::orders::{Order, Orders};
use super::position::attacker_of;
use super::words::Words;
use super::{Examples, ScriptedContext, position};
use crate::open;

/// A battle that can be fought: the position just before [`Action::Fight`] at its place.
#[derive(Clone)]
pub struct Battle {
    /// The rules, with the data of its scenario.
    pub game: VictoryInEurope,
    /// The position: a Combat Phase in which the battle is due.
    pub state: State,
    /// Area or sea zone of the battle, as [`sandtable_victory_in_europe::state`] numbers places.
    pub place: Place,
    /// Who attacks.
    pub attacker: Team,
    /// What it is called.
    pub title: String,
}

impl Battles for Examples {
    type Battle = Battle;

    /// The areas the attackers come from are theirs, that of the battle its defenders'. Armies that come from a sea zone
    /// invade.
    fn describe(text: &BattleText) -> Result<Battle, LoadError> {
        described(text)
    }

    fn is_battle(phrase: &str) -> bool {
        phrase.trim_start().starts_with("fight ")
    }

    fn halt(
        game: &VictoryInEurope,
        mut state: State,
        phrase: &str,
        title: String,
        context: Option<&mut ScriptedContext>,
    ) -> Result<Battle, String> {
        let place = reach(game, &mut state, phrase, context)?;
        let attacker = attacker_of(&state, place).unwrap_or(state.first);
        Ok(Battle { game: game.clone(), state, place, attacker, title })
    }
}

fn described(text: &BattleText) -> Result<Battle, LoadError> {
    let mut wanted: Position = text.position()?;
    let (target, _) = split_line(&text.defenders).map_err(wrong)?;
    let mut overrides = text.edits(&wanted)?;
    if let Some(terrain) = &text.terrain {
        overrides.push(Override::parse(&format!("areas.{target}.terrain={terrain}"))?);
    }
    let game = Examples::game(open(&text.scenario, &overrides)?.into_rules()).map_err(wrong)?;
    let words = Words { game: &game };
    let place = words.place(target).map_err(wrong)?;

    // Everybody else, and how nations stand.
    wanted.turn = text.turn.or(wanted.turn);
    wanted.phase = None;
    wanted.units.extend(text.others.iter().cloned());
    let rest = position::build(&game, &wanted, &mut fresh::<Examples>(&[])).map_err(wrong)?;
    let mut editor = Editor::of(&game, rest);
    let defence = arrivals(words, &mut editor, place, std::slice::from_ref(&text.defenders))?;
    let mut defenders = None;
    for unit in defence {
        let own = side(words, editor.state(), unit)?;
        if defenders.replace(own).is_some_and(|(team, _)| team != own.0) {
            return Err(wrong("the defenders are of both sides"));
        }
    }
    let mut attackers = None;
    for line in &text.attackers {
        let (from, items) = split_line(line).map_err(wrong)?;
        let origin = words.place(from).map_err(wrong)?;
        let lines: Vec<String> = items.iter().map(|item| format!("{target}: {item}")).collect();
        for unit in arrivals(words, &mut editor, place, &lines)? {
            let own = side(words, editor.state(), unit)?;
            if attackers.replace(own).is_some_and(|(team, _)| team != own.0) {
                return Err(wrong("the attackers are of both sides"));
            }
            come(words, &mut editor, unit, origin, place)?;
        }
    }
    let Some((attacker, _)) = attackers else {
        return Err(wrong("nobody attacks: `place: unit, unit` is expected"));
    };
    let raided = place.is_area() && {
        let state = editor.finish();
        state.factory(place) > 0 && state.held_by(attacker.other()).contains(place)
    };
    match defenders {
        None if !raided => return Err(wrong(format!("nobody defends {target}"))),
        Some((team, _)) if team == attacker => {
            return Err(wrong("attackers and defenders fight on the same side"));
        }
        Some((team, nation)) if place.is_area() && !editor.finish().held_by(team).contains(place) => {
            editor.control(target, nation);
        }
        _ => {}
    }
    editor.attack(attacker, target).first(attacker);
    let state = editor.start(Phase::Combat, attacker, &mut fresh::<Examples>(&[]));
    Ok(Battle { game, state, place, attacker, title: text.title() })
}

/// Puts the units of lines on the map, and gives those that are new at a place.
fn arrivals(
    words: Words<'_>,
    editor: &mut Editor<'_>,
    place: Place,
    lines: &[String],
) -> Result<Vec<UnitId>, LoadError> {
    let before: Vec<UnitId> = editor.state().stack(place).collect();
    position::read_units(words.game, lines, editor).map_err(wrong)?;
    Ok(editor.state().stack(place).filter(|unit| !before.contains(unit)).collect())
}

/// The team of a unit, and the nation for which it holds areas.
fn side(words: Words<'_>, state: &State, unit: UnitId) -> Result<(Team, Nation), LoadError> {
    let nation = words.game.nation(state, unit);
    let force = words.game.force(state, unit).ok_or_else(|| {
        wrong(format!(
            "{} is on no side here; say which with the position `standing = {{ {} = \"axis\" }}`",
            nation.name(),
            nation.id()
        ))
    })?;
    Ok((force.team(), nation))
}

/// An attacker has come from a place, which is its own if it is an area; armies that come from a sea zone invade.
fn come(
    words: Words<'_>,
    editor: &mut Editor<'_>,
    unit: UnitId,
    origin: Place,
    place: Place,
) -> Result<(), LoadError> {
    let game = words.game;
    let mut marks = mark::MOVED;
    if let Some(zone) = origin.sea_zone().filter(|_| game.arm(unit) == Arm::Army) {
        marks |= mark::INVADES;
        invade(game, editor, unit, place, zone)?;
    }
    editor.entered(&game.rules.units[unit.at()].id, words.id(origin), marks);
    let (team, nation) = side(words, editor.state(), unit)?;
    if origin.is_area() && !editor.finish().held_by(team).contains(origin) {
        editor.control(words.id(origin), nation);
    }
    Ok(())
}

/// A unit comes to an area from a sea zone.
fn invade(
    game: &VictoryInEurope,
    editor: &mut Editor<'_>,
    unit: UnitId,
    area: Place,
    zone: u8,
) -> Result<(), LoadError> {
    let words = Words { game };
    let at = game.force(editor.state(), unit).unwrap_or(Force::Axis).index();
    let coast = if area.is_area() { game.coasts_on(area, zone).next() } else { None };
    let coast = coast.ok_or_else(|| {
        wrong(format!("no coast of {} lies on {}", words.id(area), words.id(Place::sea(zone))))
    })?;
    let invasion = &mut editor.state_mut().invasion;
    invasion.done[at] = area;
    invasion.coast[at] = coast;
    invasion.chain[at] |= 1 << zone;
    Ok(())
}

/// Plays what is forced before a battle, and gives its place.
fn reach(
    game: &VictoryInEurope,
    state: &mut State,
    phrase: &str,
    mut context: Option<&mut ScriptedContext>,
) -> Result<Place, String> {
    let order = Orders { words: Words { game }, state }.order(phrase)?;
    let Order::Plans(plans) = &order else { return Err(format!("`{phrase}` is no battle")) };
    let Some(&Action::Fight(place)) = plans.first().and_then(|plan| plan.actions.first()) else {
        return Err(format!("`{phrase}` is no battle"));
    };
    loop {
        if game.open_actions(state).contains(&Action::Fight(place)) {
            return Ok(place);
        }
        if !context.as_deref_mut().is_some_and(|context| play_forced::<Examples>(game, state, context)) {
            return Err(format!("`{phrase}`: no battle is due there"));
        }
    }
}
