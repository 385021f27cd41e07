//! Builds the position of an example.

use sandtable_core::Index;
use sandtable_roads_to_moscow::editor::Editor;
use sandtable_roads_to_moscow::ids::{Player, UnitId, Units, hex_number, place};
use sandtable_roads_to_moscow::rules::Crt;
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::{Mark, Phase, RoadsToMoscow, State};

use super::ScriptedContext;
use super::format::Position;
use super::words::{Words, phase, player, sequence, weather};
use sandtable_scenarios::example::words::split_line;

/// Where a marker lies.
#[derive(Clone, Copy)]
enum Lies {
    Available,
    Cup,
    Played,
    Drawn,
    Pool,
}

/// Activations that a unit has used this turn (7.42).
fn set_tries(state: &mut State, unit: UnitId, tries: u8) {
    for (mark, least) in [(Mark::UsedOnce, 1), (Mark::UsedTwice, 2)] {
        state.marks[mark as usize].set(unit, tries >= least);
    }
}

pub(super) fn build(
    game: &RoadsToMoscow,
    wanted: &Position,
    context: &mut ScriptedContext,
) -> Result<State, String> {
    let words = Words { game };
    let mut editor = Editor::new(game);
    if !wanted.keep_units {
        editor.clear();
    }
    if let Some(name) = &wanted.turn {
        editor.turn(words.turn(name)?);
    }
    if let Some(name) = &wanted.weather {
        editor.weather(weather(name)?);
    }
    for name in &wanted.clear {
        let there = editor.state().stack(words.hex(name)?);
        for unit in there {
            editor.place_at(unit, place::OUT);
        }
    }
    let side = wanted.side.as_deref().map_or(Ok(Player::German), player)?;
    hexes(words, wanted, &mut editor)?;
    markers(words, wanted, &mut editor)?;
    air(words, wanted, &mut editor)?;
    for name in &wanted.groups {
        let groups = game.rules.groups.iter().enumerate();
        let names = groups.map(|(at, group)| (group.id.clone(), at));
        let at = sandtable_scenarios::example::words::named(name, "an optional group", names)?;
        editor.state_mut().groups |= 1 << at;
    }
    if let Some(name) = &wanted.initiative {
        editor.first(player(name)?);
    }
    editor.initiative(by_side(&wanted.initiative_drm)?.map(|value| value as u8));
    editor.points(by_side(&wanted.ledger)?.map(|value| value as i16));
    units(words, &wanted.units, &mut editor)?;
    activate(words, wanted, side, &mut editor)?;
    begin(words, wanted, side, &mut editor, context)
}

/// Numbers by side, German and Soviet.
pub(super) fn by_side(numbers: &sandtable_scenarios::example::format::Numbers) -> Result<[i32; 2], String> {
    let mut both = [0; 2];
    for (name, &value) in numbers {
        both[player(name)?.index()] = value;
    }
    Ok(both)
}

fn hexes(words: Words<'_>, wanted: &Position, editor: &mut Editor<'_>) -> Result<(), String> {
    for (name, list) in &wanted.control {
        let owner = player(name)?;
        for hex in words.hexes(list)? {
            editor.control(hex_number(hex), owner);
        }
    }
    for (name, list) in &wanted.fortified {
        let owner = player(name)?;
        for hex in words.hexes(list)? {
            editor.position(hex_number(hex), owner.enemy(), false).position(hex_number(hex), owner, true);
        }
    }
    for hex in words.hexes(&wanted.bare)? {
        for owner in Player::ALL {
            editor.position(hex_number(hex), owner, false);
        }
    }
    for hex in words.hexes(&wanted.destroyed_lines)? {
        if !words.game.map().lines.iter().any(|(of, _)| *of == hex) {
            return Err(format!("{} has no Fortified Line", hex_number(hex)));
        }
        editor.destroy_line(hex_number(hex));
    }
    for hex in words.hexes(&wanted.no_retreat)? {
        editor.no_retreat(hex_number(hex), true);
    }
    Ok(())
}

/// Markers that are named lie where they are named; if none is named, those of the turn are in play.
fn markers(words: Words<'_>, wanted: &Position, editor: &mut Editor<'_>) -> Result<(), String> {
    let lists =
        [(&wanted.available, Lies::Available), (&wanted.cup, Lies::Cup), (&wanted.activated, Lies::Played)];
    let named = lists.iter().any(|(lists, _)| !lists.is_empty())
        || !wanted.reserve.is_empty()
        || !wanted.pool.is_empty()
        || !wanted.drawn.is_empty();
    if named {
        editor.no_markers();
    } else {
        editor.markers_of_turn();
    }
    let mut lay = |name: &str, whose: &str, lies: Lies| -> Result<(), String> {
        let owner = player(whose)?;
        if words.game.rules.formations[words.formation(name)?.at()].player != owner {
            return Err(format!("`{name}` is no formation of the {whose} side"));
        }
        let state = editor.state_mut();
        let free = words.markers(name)?.find(|&marker| !state.in_play.contains(marker));
        let marker = free.ok_or_else(|| format!("`{name}` has no further Activation Marker"))?;
        state.in_play.insert(marker);
        match lies {
            Lies::Available => {}
            Lies::Cup => state.cup.insert(marker),
            Lies::Played => state.played.insert(marker),
            Lies::Drawn => state.drawn = Some(marker),
            Lies::Pool => state.pool[owner.index()] = Some(marker),
        }
        Ok(())
    };
    for (lists, lies) in lists {
        for (whose, list) in lists {
            for name in list {
                lay(name, whose, lies)?;
            }
        }
    }
    for (names, lies) in [(&wanted.pool, Lies::Pool), (&wanted.drawn, Lies::Drawn)] {
        for (whose, name) in names {
            lay(name, whose, lies)?;
        }
    }
    let mut reserved = Vec::new();
    for (whose, list) in &wanted.reserve {
        for text in list {
            let (name, turn) =
                text.split_once(' ').ok_or_else(|| format!("`{text}`: `formation turn` is expected"))?;
            lay(name, whose, Lies::Available)?;
            reserved.push((name, words.turn(turn)?));
        }
    }
    for (name, turn) in reserved {
        editor.reserve(name, turn);
    }
    Ok(())
}

fn air(words: Words<'_>, wanted: &Position, editor: &mut Editor<'_>) -> Result<(), String> {
    let ids: Vec<String> = words.game.rules.air.iter().map(|unit| unit.id.clone()).collect();
    let turn = editor.state().turn;
    for unit in &words.game.rules.air {
        editor.air(&unit.id, unit.turn <= turn, false);
    }
    for (list, flown) in [(&wanted.flown, true), (&wanted.air_lost, false)] {
        for name in list {
            if name == "all" {
                for id in &ids {
                    editor.air(id, false, flown);
                }
                continue;
            }
            for unit in words.air(name)? {
                editor.air(&words.game.rules.air[unit.at()].id, false, flown);
            }
        }
    }
    Ok(())
}

/// Puts the units of lines `hex: unit, unit` where they say; `entry`: still to come, `eliminated`.
fn units(words: Words<'_>, lines: &[String], editor: &mut Editor<'_>) -> Result<(), String> {
    let mut named = Units::EMPTY;
    for line in lines {
        let located = |error: String| format!("`{line}`: {error}");
        let (text, items) = split_line(line)?;
        let at = match text {
            "entry" => place::AWAITING,
            "eliminated" => place::ELIMINATED,
            "out" => place::OUT,
            _ => words.hex_in_play(text).map_err(located)?,
        };
        for item in items {
            let unit = words.unit(item).map_err(located)?;
            if named.contains(unit.id) {
                return Err(located(format!("`{item}` has been placed already: expected each unit once")));
            }
            named.insert(unit.id);
            editor.place_at(unit.id, at);
            let state = editor.state_mut();
            for mark in unit.marks {
                state.marks[mark as usize].set(unit.id, true);
            }
            set_tries(state, unit.id, unit.tries.unwrap_or(0));
        }
        let there = editor.state().stack(at);
        if is_hex(at) && Player::ALL.iter().all(|&player| there.intersects(words.game.units_of(player))) {
            return Err(located(
                "units of both sides would stand in the hex: expected those of one".to_owned(),
            ));
        }
    }
    Ok(())
}

/// The formations that are active, the units that act with them, and what has been declared.
fn activate(
    words: Words<'_>,
    wanted: &Position,
    side: Player,
    editor: &mut Editor<'_>,
) -> Result<(), String> {
    let state = editor.state_mut();
    (state.active, state.decider) = (side, side);
    let extra = state.marks[Mark::Active as usize];
    let names: Vec<&str> = wanted.active.iter().map(String::as_str).collect();
    for name in &names {
        let formation = words.formation(name)?;
        if words.game.rules.formations[formation.at()].player != side {
            return Err(format!("`{name}` is no formation of the side that acts"));
        }
    }
    if let Some(name) = &wanted.sequence {
        editor.activate(&names, sequence(name)?);
    }
    let leaders = words.game.sets().leaders.or(&words.game.sets().fuel);
    let state = editor.state_mut();
    if wanted.sequence.is_some() {
        for unit in leaders.and(words.game.units_of(side)) {
            if !state.has(unit, Mark::UsedTwice) {
                state.marks[Mark::Active as usize].insert(unit);
            }
        }
    }
    for unit in extra {
        state.marks[Mark::Active as usize].insert(unit);
    }
    for text in &wanted.fuel_spent {
        let unit = words.bare(text)?;
        state.marks[Mark::BeingSpent as usize].insert(unit);
        state.marks[Mark::Active as usize].set(unit, false);
    }
    for line in &wanted.attacks {
        let located = |error: String| format!("`{line}`: {error}");
        let (head, items) = split_line(line)?;
        let (target, table) = head.split_once(' ').ok_or_else(|| format!("`{line}`: `hex table: units`"))?;
        let target = words.hex(target).map_err(located)?;
        let crt = table_of(table).map_err(located)?;
        let mut ids = Vec::new();
        for item in items {
            let unit = words.bare(item).map_err(located)?;
            let from = editor.state().at(unit);
            let beside = words.game.board();
            if !sandtable_roads_to_moscow::state::is_hex(from) || beside.distance(from, target) != 1 {
                return Err(located(format!("{item} does not stand beside the hex")));
            }
            ids.push(words.game.unit(unit).id.clone());
        }
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        editor.attack(hex_number(target), &ids, crt);
    }
    Ok(())
}

pub(super) fn table_of(name: &str) -> Result<Crt, String> {
    let tables = [("assault".to_owned(), Crt::Assault), ("mobile".to_owned(), Crt::Mobile)];
    sandtable_scenarios::example::words::named(name, "a Combat Results Table", tables.into_iter())
}

fn begin(
    words: Words<'_>,
    wanted: &Position,
    side: Player,
    editor: &mut Editor<'_>,
    context: &mut ScriptedContext,
) -> Result<State, String> {
    let Some(name) = wanted.phase.as_deref() else { return Ok(editor.finish()) };
    let state = match name {
        "turn" => editor.start_turn(context),
        "supply" => {
            editor.judge_supply(context);
            editor.finish()
        }
        "victory" => {
            let mut state = editor.finish();
            state.phase = Phase::Recovery;
            state
        }
        _ => {
            let phase = phase(name)?;
            let attacks = editor.state().attack_count;
            let mut state = editor.start(phase, side, context);
            // Declaring begins without attacks; the others keep those of the position.
            if phase != Phase::Declaring {
                state.attack_count = attacks;
            }
            state
        }
    };
    let mut state = state;
    for text in &wanted.refusal_failed {
        let hex = words.hex(text)?;
        let at = state.attack_on(hex).ok_or_else(|| format!("{text} is not under attack"))?;
        state.attacks[at].refusal_failed = true;
    }
    Ok(state)
}
