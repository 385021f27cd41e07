//! Builds the position of an example.

use sandtable_core::Index;
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::nation::{Nation, Team};
use sandtable_victory_in_europe::phase::Phase;
use sandtable_victory_in_europe::place::NO_INDEX;
use sandtable_victory_in_europe::rules::{Arm, Entry, Kind, Standing};
use sandtable_victory_in_europe::state::{HAND, Politics, State};
use sandtable_victory_in_europe::{Place, UnitId, VictoryInEurope};

use super::ScriptedContext;
use super::format::Position;
use super::words::{Pick, Unit, Words, force, nation, phase, team};
use sandtable_scenarios::example::words::{named, split_line, unknown};

/// Standings by name.
pub(super) const STANDINGS: [(&str, Standing); 6] = [
    ("axis", Standing::Axis),
    ("western", Standing::Western),
    ("soviet", Standing::Soviet),
    ("neutral", Standing::Neutral),
    ("defending", Standing::Defending),
    ("gone", Standing::Gone),
];
/// Entries into the war by name.
pub(super) const ENTRIES: [(&str, Entry); 3] =
    [("neutral", Entry::Neutral), ("at_war", Entry::AtWar), ("surrendered", Entry::Surrendered)];
/// Turns the rules remember.
const DATES: [&str; 2] = ["soviet_entry", "french_fall"];
/// Facts the rules remember.
const FACTS: [&str; 7] = [
    "usa_mobilised",
    "axis_attacked_ussr",
    "london_lost",
    "moscow_cut",
    "portugal_joined",
    "roll_made",
    "italy_paid",
];

/// A turn among the politics.
pub(super) fn date<'a>(politics: &'a mut Politics, name: &str) -> Result<&'a mut u8, String> {
    match name {
        "soviet_entry" => Ok(&mut politics.soviet_entry),
        "french_fall" => Ok(&mut politics.french_fall),
        _ => Err(unknown(name, "a date", DATES)),
    }
}

/// A fact of the state.
pub(super) fn fact<'a>(state: &'a mut State, name: &str) -> Result<&'a mut bool, String> {
    let politics = &mut state.politics;
    Ok(match name {
        "usa_mobilised" => &mut politics.usa_mobilised,
        "axis_attacked_ussr" => &mut politics.axis_attacked_ussr,
        "london_lost" => &mut politics.london_lost,
        "moscow_cut" => &mut politics.moscow_cut,
        "portugal_joined" => &mut politics.portugal_joined,
        "roll_made" => &mut politics.rolled,
        "italy_paid" => &mut state.budget.subsidised,
        _ => return Err(unknown(name, "a fact", FACTS)),
    })
}

/// A standing and the major the nation fights for: `axis`, `axis italy`.
pub(super) fn standing(of: Nation, text: &str) -> Result<(Standing, Nation), String> {
    let mut words = text.split_whitespace();
    let names = STANDINGS.iter().map(|&(name, standing)| (name.to_owned(), standing));
    let standing = named(words.next().unwrap_or_default(), "a standing", names)?;
    let patron = match words.next() {
        Some(name) => nation(name)?,
        None if of.is_major() => of,
        None => match standing {
            Standing::Axis | Standing::Defending => Nation::Germany,
            Standing::Western => Nation::Britain,
            Standing::Soviet => Nation::Ussr,
            Standing::Neutral | Standing::Gone => of,
        },
    };
    Ok((standing, patron))
}

pub(super) fn build(
    game: &VictoryInEurope,
    wanted: &Position,
    context: &mut ScriptedContext,
) -> Result<State, String> {
    let words = Words { game };
    let mut editor = Editor::new(game);
    if !wanted.keep_units {
        editor.clear();
    }
    if let Some(turn) = wanted.turn {
        if turn == 0 || turn as usize > game.rules.calendar.len() {
            return Err(format!("turn {turn} is not in the calendar, 1 to {}", game.rules.calendar.len()));
        }
        editor.turn(turn);
    }
    politics(wanted, &mut editor)?;
    for (name, areas) in &wanted.control {
        let owner = nation(name)?;
        for area in areas {
            for area in words.areas(area)? {
                editor.control(words.id(area), owner);
            }
        }
    }
    for (area, &steps) in &wanted.factories {
        words.area(area)?;
        editor.factory(area, steps);
    }
    for name in &wanted.clear {
        let place = words.place(name)?;
        let there: Vec<UnitId> = editor.state().stack(place).collect();
        for unit in there {
            editor.remove(&game.rules.units[unit.at()].id);
        }
    }
    for (list, out) in [(&wanted.pool, false), (&wanted.gone, true)] {
        for text in list {
            let Unit { pick: Pick::Unit(unit), .. } = words.unit(text)? else {
                return Err(format!("`{text}`: a certain unit is expected, as in `ger_pz_1a`"));
            };
            let id = &game.rules.units[unit.at()].id;
            if out {
                editor.discard(id)
            } else {
                editor.remove(id)
            };
        }
    }
    read_units(game, &wanted.units, &mut editor)?;
    for (name, places) in &wanted.attacks {
        let team = team(name)?;
        for place in places {
            words.place(place)?;
            editor.attack(team, place);
        }
    }
    landings(words, wanted, &mut editor)?;
    for name in &wanted.captured {
        let area = words.area(name)?;
        editor.state_mut().captured.insert(area);
    }
    hands(words, wanted, &mut editor)?;
    if let Some(name) = &wanted.first {
        editor.first(team(name)?);
    }
    let whose = wanted.team.as_deref().or(wanted.first.as_deref()).map_or(Ok(Team::Axis), team)?;
    let mut state = match wanted.phase.as_deref() {
        None => editor.finish(),
        Some("turn") => editor.start_turn(context),
        Some(name) => match phase(name)? {
            Phase::Over => return Err("a position does not stand after the end".into()),
            phase => editor.start(phase, whose, context),
        },
    };
    // What a phase resets when it begins, and the position wants all the same.
    for name in &wanted.facts {
        *fact(&mut state, name)? = true;
    }
    Ok(state)
}

fn politics(wanted: &Position, editor: &mut Editor<'_>) -> Result<(), String> {
    for (name, text) in &wanted.standing {
        let of = nation(name)?;
        let (standing, patron) = standing(of, text)?;
        editor.standing(of, standing, patron);
    }
    for (name, text) in &wanted.entry {
        let of = nation(name)?;
        if !matches!(of, Nation::Italy | Nation::Ussr | Nation::Usa) {
            return Err(format!("`{name}` has no entry; italy, ussr and usa have"));
        }
        let names = ENTRIES.iter().map(|&(name, entry)| (name.to_owned(), entry));
        editor.entry(of, named(text, "an entry (neutral, at_war, surrendered)", names)?);
    }
    for (name, &turn) in &wanted.dates {
        *date(&mut editor.state_mut().politics, name)? = turn;
    }
    for name in &wanted.facts {
        *fact(editor.state_mut(), name)? = true;
    }
    for (name, nations) in &wanted.claims {
        let team = team(name)?;
        let mut mask = 0;
        for name in nations {
            mask |= nation(name)?.bit();
        }
        let politics = &mut editor.state_mut().politics;
        match team {
            Team::Axis => politics.axis_claims |= mask,
            Team::Allies => politics.allied_claims |= mask,
        }
    }
    if let Some(name) = &wanted.refused {
        editor.state_mut().politics.refused = nation(name)? as u8;
    }
    Ok(())
}

fn landings(words: Words<'_>, wanted: &Position, editor: &mut Editor<'_>) -> Result<(), String> {
    for landing in &wanted.invasion {
        let at = force(&landing.force)?.index();
        let area = words.area(&landing.area)?;
        let zones = words.zones(&landing.through)?;
        let last = landing.through.last().ok_or("an invasion comes through a sea zone")?;
        let last = words.zone(last)?;
        let coast = landing.coast.or_else(|| words.game.coasts_on(area, last).next());
        let invasion = &mut editor.state_mut().invasion;
        invasion.done[at] = area;
        invasion.chain[at] = zones;
        invasion.coast[at] = coast
            .ok_or_else(|| format!("{} has no coast on {}", landing.area, words.id(Place::sea(last))))?;
    }
    Ok(())
}

fn hands(words: Words<'_>, wanted: &Position, editor: &mut Editor<'_>) -> Result<(), String> {
    for (name, list) in &wanted.hands {
        let at = force(name)?.index();
        let mut hand = [NO_INDEX; HAND];
        if list.len() > hand.len() {
            return Err(format!("a hand has at most {} cards", hand.len()));
        }
        for (slot, card) in hand.iter_mut().zip(list) {
            *slot = words.card(card)?;
        }
        hand.sort_unstable();
        editor.state_mut().cards.hand[at] = hand;
    }
    for name in &wanted.spent {
        let card = words.card(name)?;
        editor.state_mut().cards.spent |= 1 << card;
    }
    for (name, card) in &wanted.laid {
        let at = force(name)?.index();
        let card = words.card(card)?;
        editor.state_mut().cards.laid[at] = card;
    }
    if !wanted.laid.is_empty() {
        editor.reveal();
    }
    for (name, &points) in &wanted.command {
        let at = force(name)?.index();
        editor.state_mut().command[at] = points;
    }
    for (name, places) in &wanted.named {
        let at = force(name)?.index();
        for (slot, place) in places.iter().enumerate().take(2) {
            let place = words.place(place)?;
            editor.state_mut().cards.named[at][slot] = place;
        }
    }
    Ok(())
}

/// Puts the units of lines `place: unit, unit` on the map: certain counters first, then any of the pool that fit.
///
/// # Errors
/// If a line means nothing, or there is no such unit left.
pub fn read_units(game: &VictoryInEurope, lines: &[String], editor: &mut Editor<'_>) -> Result<(), String> {
    let words = Words { game };
    let mut wanted = Vec::new();
    for line in lines {
        let located = |error: String| format!("`{line}`: {error}");
        let (place, items) = split_line(line)?;
        let place = words.place(place).map_err(located)?;
        for item in items {
            wanted.push((words.unit(item).map_err(located)?, place, line, item));
        }
    }
    for certain in [true, false] {
        for (unit, place, line, item) in &wanted {
            if matches!(unit.pick, Pick::Unit(_)) == certain {
                put(words, unit, *place, editor).map_err(|error| format!("`{line}`: {item}: {error}"))?;
            }
        }
    }
    Ok(())
}

/// The counter that stands for a unit in words: itself, or the first of the pool that has so many steps; one of the very
/// type and of age before others.
fn choose(words: Words<'_>, unit: &Unit, state: &State) -> Result<UnitId, String> {
    let game = words.game;
    let Pick::Kind(nation, name) = &unit.pick else {
        let Pick::Unit(unit) = unit.pick else { return Err("no unit".into()) };
        return Ok(unit);
    };
    let year = game.calendar(state).year;
    let found = game
        .unit_ids()
        .filter(|&at| state.location(at) == Place::POOL && words.picks(state, &unit.pick, at))
        .filter(|&at| unit.steps.is_none_or(|steps| steps <= game.max_steps(at)));
    let rank = |at: &UnitId| (game.unit_type(*at).id != *name, game.rules.units[at.at()].year > year, *at);
    found.min_by_key(rank).ok_or_else(|| {
        let steps = unit.steps.map_or(String::new(), |steps| format!(" of {steps} steps"));
        format!("no {name}{steps} of {} is left", nation.name())
    })
}

fn put(words: Words<'_>, unit: &Unit, place: Place, editor: &mut Editor<'_>) -> Result<(), String> {
    let game = words.game;
    let at = choose(words, unit, editor.state())?;
    let most = game.max_steps(at);
    let steps = unit.steps.unwrap_or(most);
    if steps > most || steps == 0 && game.kind(at) != Kind::Leader {
        return Err(format!("it has 1 to {most} steps"));
    }
    if game.arm(at) == Arm::Army && !place.is_area() {
        return Err("armies do not stand at sea; a unit that invades stands in the area it goes for".into());
    }
    let coast = match unit.coast {
        None => words.coast(at, place),
        Some(_) if game.arm(at) != Arm::Naval || !place.is_area() => {
            return Err("only ships in an area lie on a coast".into());
        }
        Some(coast) => coast,
    };
    if coast > 0 && game.coast_seas(place, coast) == 0 {
        return Err(format!("{} has no coast {coast}", words.id(place)));
    }
    editor.place_on(at, place, coast, steps);
    let id = &game.rules.units[at.at()].id;
    if let Some(from) = unit.from {
        editor.entered(id, words.id(from), 0);
    }
    let state = editor.state_mut();
    state.set_mark(at, unit.marks, true);
    state.set_half_hit(at, unit.half == Some(true));
    state.set_jumped(at, unit.jumped);
    Ok(())
}

/// Whether a unit is in the pool, or out of the game.
pub(super) fn is_off(state: &State, unit: UnitId, gone: bool) -> bool {
    state.location(unit) == if gone { Place::GONE } else { Place::POOL }
}

/// The team that attacks a place.
pub(super) fn attacker_of(state: &State, place: Place) -> Option<Team> {
    Team::ALL.into_iter().find(|team| match place.sea_zone() {
        Some(zone) => state.sea_attacked[team.index()] >> zone & 1 != 0,
        None => state.attacked[team.index()].contains(place),
    })
}
