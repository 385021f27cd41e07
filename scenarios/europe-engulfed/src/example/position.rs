//! Builds the position of an example.

use sandtable_core::Index;
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::rules::Weather;
use sandtable_europe_engulfed::{Area, EuropeEngulfed, Phase, State, Team, UnitId};
use sandtable_scenarios::example::words::{named, split_line};

use super::ScriptedContext;
use super::format::Position;
use super::words::{Unit, Words, asset_of, happening, nation, phase, standing, team};

/// The most points of an asset, as in the set-up of a scenario.
const MOST_POINTS: u8 = 99;

pub(super) fn build(
    game: &EuropeEngulfed,
    wanted: &Position,
    context: &mut ScriptedContext,
) -> Result<State, String> {
    let words = Words { game };
    let mut editor = Editor::new(game);
    if !wanted.keep_units {
        editor.clear();
    }
    if let Some(turn) = wanted.turn {
        if !(1..=game.rules.setup.turns).contains(&turn) {
            return Err(format!("turn {turn} is not in the scenario, 1 to {}", game.rules.setup.turns));
        }
        editor.turn(turn);
    }
    for (name, areas) in &wanted.control {
        for area in areas {
            editor.control(words.area(area)?, nation(name)?);
        }
    }
    for line in &wanted.units {
        let (place, items) = split_line(line)?;
        let area = words.area(place)?;
        for item in items {
            let unit = words.unit(item).map_err(|error| format!("`{line}`: {error}"))?;
            put(game, &mut editor, item, &unit, area, &mut Vec::new())?;
        }
    }
    for name in &wanted.newly_disputed {
        editor.newly_disputed(words.area(name)?);
    }
    for name in &wanted.field_forts {
        editor.field_fort(words.area(name)?);
    }
    for name in &wanted.heavy_forts {
        editor.heavy_fort(words.area(name)?);
    }
    for name in &wanted.disabled_ports {
        let area = words.area(name)?;
        editor.state_mut().disabled_ports.insert(area);
    }
    for (name, &count) in &wanted.actions {
        let count = u8::try_from(count).ok().filter(|count| *count <= 9);
        editor.special_actions(nation(name)?, count.ok_or("a power has 0 to 9 Special Actions")?);
    }
    for line in &wanted.fleets {
        let (nation, sea, ready, used) = words.fleet(line)?;
        let most = game.rules.nations[nation.index()].fleets;
        if u16::from(ready) + u16::from(used) > u16::from(most) {
            return Err(format!("`{line}`: {} has 0 to {most} Fleet Points", nation.name()));
        }
        let fleet = &mut editor.state_mut().fleets[nation.index()];
        (fleet.ready[sea.at()], fleet.used[sea.at()]) = (ready, used);
    }
    for (name, areas) in &wanted.beachheads {
        for area in areas {
            let area = words.area(area)?;
            editor.state_mut().beachheads[team(name)?.index()].insert(area);
        }
    }
    for (name, how) in &wanted.standing {
        editor.standing(nation(name)?, standing(how)?);
    }
    for name in &wanted.happened {
        editor.state_mut().affairs.happened |= happening(name)?;
    }
    for (name, &level) in &wanted.assets {
        let most = if name == "submarine" { game.rules.strategic.submarines } else { MOST_POINTS };
        let level = u8::try_from(level).ok().filter(|level| *level <= most);
        let level = level.ok_or_else(|| format!("{name}: a level of 0 to {most} is expected"))?;
        *asset_of(&mut editor.state_mut().strategic, name)? = level;
    }
    if let Some(name) = &wanted.weather {
        let kinds = Weather::ALL.iter().map(|weather| (weather.id().to_owned(), *weather));
        editor.weather(named(name, "a kind of weather", kinds)?);
    }
    let mover = wanted.team.as_deref().map_or(Ok(Team::First), team)?;
    match wanted.phase.as_deref().map(phase).transpose()? {
        None => Ok(editor.finish()),
        Some(Phase::Over) => Err("a position does not stand after the end".into()),
        Some(phase) => Ok(editor.begin(phase, mover, context)),
    }
}

/// Puts the counters of an item into an area.
pub(super) fn put(
    game: &EuropeEngulfed,
    editor: &mut Editor<'_>,
    item: &str,
    unit: &Unit,
    area: Area,
    placed: &mut Vec<UnitId>,
) -> Result<(), String> {
    let kind = game.rules.kinds[usize::from(unit.kind.0)];
    let steps = unit.steps.unwrap_or(kind.max);
    if !(1..=kind.max).contains(&steps) {
        return Err(format!("`{item}`: it has 1 to {} steps", kind.max));
    }
    for _ in 0..unit.count {
        if game.counters(unit.kind).all(|unit| editor.state().is_on_map(unit)) {
            return Err(format!("`{item}`: no counter of the kind is left"));
        }
        let counter = editor.place(unit.kind, area, steps);
        editor.mark(counter, unit.marks);
        placed.push(counter);
    }
    Ok(())
}
