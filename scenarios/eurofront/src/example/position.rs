//! Builds the position of an example.

use sandtable_core::{Hex, Scripted};
use sandtable_eurofront::editor::Editor;
use sandtable_eurofront::ids::place;
use sandtable_eurofront::{EuroFront, State};

use super::ScriptedContext;
use super::format::{Aid, Position};
use super::relations;
use super::words::{Words, account, camp, faction, weather};
use sandtable_scenarios::example::words::split_line;

pub(super) fn build(
    game: &EuroFront,
    wanted: &Position,
    context: &mut ScriptedContext,
) -> Result<State, String> {
    let words = Words { game };
    context.dice = Scripted::faces(&wanted.dice);
    let mut editor = Editor::new(game);
    if !wanted.keep_units {
        editor.clear();
    }
    if wanted.month.is_some() || wanted.fortnight.is_some() {
        let month = wanted.month.as_deref().map_or(Ok(0), |id| words.month(id))?;
        let fortnight = wanted.fortnight.unwrap_or(1);
        if !(1..=2).contains(&fortnight) {
            return Err(format!("a month has the fortnights 1 and 2, not {fortnight}"));
        }
        editor.date(month, fortnight);
    }
    for (at, name) in [&wanted.weather, &wanted.weather_east].into_iter().enumerate() {
        let Some(name) = name else { continue };
        let mut both = editor.state().weather;
        both[at] = weather(name)?;
        editor.weather(both);
    }
    relations::place(words, wanted, &mut editor)?;
    for (name, list) in &wanted.owned {
        let owner = if name == "neutral" { None } else { Some(faction(name)?) };
        editor.owns(&words.hexes(list)?.into_iter().collect(), owner);
    }
    for line in &wanted.units {
        units(words, line, &mut editor)?;
    }
    // Whether too many stand anywhere is looked at (6.22).
    editor.state_mut().crowded = [true; 2];
    for (name, list) in &wanted.garrisons {
        for hex in words.hexes(list)? {
            editor.garrison(hex, camp(name)?);
        }
    }
    for (name, list) in &wanted.defends {
        for hex in words.hexes(list)? {
            if !editor.state().is_battle(hex) {
                return Err(format!("{} is no battle", words.id(hex)));
            }
            editor.defends(hex, camp(name)?);
        }
    }
    for line in &wanted.entered {
        let (block, from) =
            line.split_once(" from ").ok_or_else(|| format!("`{line}`: `block from place` is expected"))?;
        editor.entered_from(words.block(block.trim())?, words.hex(from.trim())?);
    }
    for (name, &points) in &wanted.points {
        let points = i16::try_from(points).map_err(|_| format!("{points} points"))?;
        editor.account(account(name)?, points);
    }
    if let Some(name) = &wanted.supremacy {
        editor.state_mut().sea.supremacy = if name == "nobody" { None } else { Some(camp(name)?) };
    }
    for name in &wanted.storms {
        let sea = words.sea(name)?;
        editor.state_mut().sea.storms.insert(sea);
    }
    for line in &wanted.beachheads {
        beachhead(words, line, &mut editor)?;
    }
    if let Some(name) = &wanted.diplomacy {
        return Ok(editor.diplomacy_of(faction(name)?, context));
    }
    if let Some(name) = &wanted.politics {
        return Ok(editor.politics_of(faction(name)?, context));
    }
    if let Some(wanted) = &wanted.aid {
        aid(words, wanted, &mut editor)?;
    }
    if let Some(name) = &wanted.turn {
        let mut state = editor.turn_of(faction(name)?, context);
        state.sea.weser = wanted.weser;
        return Ok(state);
    }
    if let Some(name) = &wanted.combat {
        return Ok(editor.combat_of(faction(name)?, context));
    }
    if wanted.production {
        return Ok(editor.production(context));
    }
    Ok(editor.finish())
}

/// A line `place: block steps marks`, also with `eliminated`, `awaiting`, `removed`, `out` for the place.
fn units(words: Words<'_>, line: &str, editor: &mut Editor<'_>) -> Result<(), String> {
    let (text, items) = split_line(line)?;
    let off_map = match text {
        "eliminated" => Some(place::ELIMINATED),
        "awaiting" => Some(place::AWAITING),
        "at_home" => Some(place::AT_HOME),
        "removed" => Some(place::REMOVED),
        "out" => Some(place::OUT),
        _ => None,
    };
    for item in items {
        let unit = words.unit(item)?;
        if let Some(to) = off_map {
            editor.place(unit.id, to, unit.steps.unwrap_or(0));
            continue;
        }
        let steps =
            unit.steps.ok_or_else(|| format!("`{item}`: its steps are missing, as in `sn_inf_1 2`"))?;
        editor.place(unit.id, words.hex(text)?, steps);
        for &mark in &unit.marks {
            editor.mark(unit.id, mark, true);
        }
    }
    Ok(())
}

/// A line `bh_uk_1 ready`, `bh_uk_1 preparing`, `bh_uk_1 in caen disrupted`.
fn beachhead(words: Words<'_>, line: &str, editor: &mut Editor<'_>) -> Result<(), String> {
    let (name, rest) = line.split_once(' ').ok_or_else(|| format!("`{line}`: where is the beachhead?"))?;
    let block = words.block(name)?;
    let (place, disrupted) = match rest.strip_suffix(" disrupted") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let at = match place {
        "ready" => place::READY,
        "preparing" => place::PREPARING,
        place => words.hex(place.strip_prefix("in ").unwrap_or(place))?,
    };
    editor.beachhead(block, at, disrupted);
    Ok(())
}

fn aid(words: Words<'_>, wanted: &Aid, editor: &mut Editor<'_>) -> Result<(), String> {
    let railhead = |text: &String| -> Result<Hex, String> {
        if text == "none" { Ok(place::OUT) } else { words.hex(text) }
    };
    let french = match &wanted.railheads {
        None => None,
        Some(list) if list.len() <= 2 => {
            let mut railheads = [place::OUT; 2];
            for (slot, hex) in railheads.iter_mut().zip(words.hexes(list)?) {
                *slot = hex;
            }
            railheads.sort_unstable();
            Some(railheads)
        }
        Some(_) => return Err("French aid has two railheads at most".into()),
    };
    let soviet = wanted.soviet.as_ref().map(railhead).transpose()?;
    let axis = wanted.axis.as_ref().map(railhead).transpose()?;
    let state = editor.civil_war();
    state.french_aid = wanted.french.unwrap_or(state.french_aid);
    state.french = french.unwrap_or(state.french);
    state.soviet = soviet.unwrap_or(state.soviet);
    state.axis = axis.unwrap_or(state.axis);
    state.axis_aid = wanted.axis_points.unwrap_or(state.axis_aid);
    state.claimed = wanted.claimed.unwrap_or(state.claimed);
    state.intervention_ended = wanted.ended.unwrap_or(state.intervention_ended);
    Ok(())
}
