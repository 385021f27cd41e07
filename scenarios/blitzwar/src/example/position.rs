//! Builds the position of an example.

use sandtable_core::Index;
use std::collections::BTreeMap;

use sandtable_blitzwar::editor::{Editor, Mark};
use sandtable_blitzwar::location::{Counter, Location};
use sandtable_blitzwar::state::{Status, Timers};
use sandtable_blitzwar::{BlitzWar, Country, Force, Kind, Phase, State};
use sandtable_core::{Game, PlayContext, Scripted};

use super::ScriptedContext;
use super::format::Position;
use super::words::{Face, Unit, Words, country, force, phase, status};
use crate::setup::{FLAGS, TURNS};
use sandtable_scenarios::example::words::{named, split_line, unknown};

/// A date or a fact among the timers.
pub(super) enum Date<'a> {
    Turn(&'a mut u8),
    Flag(&'a mut bool),
}

/// The timer of a name.
pub(super) fn date<'a>(timers: &'a mut Timers, name: &str) -> Result<Date<'a>, String> {
    Ok(match name {
        "west_attack" => Date::Turn(&mut timers.west_attack),
        "east_attack" => Date::Turn(&mut timers.east_attack),
        "axis_soviet_war" => Date::Turn(&mut timers.axis_soviet_war),
        "british_italian_first" => Date::Turn(&mut timers.british_italian_first),
        "british_italian_last" => Date::Turn(&mut timers.british_italian_last),
        "british_italian_turns" => Date::Turn(&mut timers.british_italian_turns),
        "french_surrender" => Date::Turn(&mut timers.french_surrender),
        "yugoslav_surrender" => Date::Turn(&mut timers.yugoslav_surrender),
        "free_france" => Date::Turn(&mut timers.free_france),
        "paris_liberated" => Date::Turn(&mut timers.paris_liberated),
        "usa_entry" => Date::Turn(&mut timers.usa_entry),
        "usa_advance" => Date::Turn(&mut timers.usa_advance),
        "axis_total_war" => Date::Turn(&mut timers.total_war[0]),
        "allied_total_war" => Date::Turn(&mut timers.total_war[1]),
        "soviet_total_war" => Date::Turn(&mut timers.total_war[2]),
        "poland_before_west" => Date::Flag(&mut timers.poland_before_west),
        "britain_landed" => Date::Flag(&mut timers.britain_landed),
        "spain_asked" => Date::Flag(&mut timers.spain_asked),
        "turkey_asked" => Date::Flag(&mut timers.turkey_asked),
        "karelia_checked" => Date::Flag(&mut timers.karelia_checked),
        "german_defence" => Date::Flag(&mut timers.german_defence),
        _ => {
            let total_war = ["axis_total_war", "allied_total_war", "soviet_total_war"];
            return Err(unknown(name, "a date", TURNS.into_iter().chain(FLAGS).chain(total_war)));
        }
    })
}

pub(super) fn build(
    game: &BlitzWar,
    wanted: &Position,
    context: &mut ScriptedContext,
) -> Result<State, String> {
    let mut editor = if wanted.keep_units {
        let mut quiet = PlayContext::silent(Scripted::default());
        Editor::of(game, game.initial(&mut quiet))
    } else {
        Editor::new(game)
    };
    if let Some(turn) = wanted.turn {
        editor.turn(turn)?;
    }
    countries(game, wanted, &mut editor)?;
    for (side, zones) in &wanted.control {
        let owner = if side == "neutral" { None } else { Some(force(side)?) };
        let words = Words { game, state: &editor.state().clone() };
        for name in zones {
            for zone in words.zones(name)? {
                editor.control(zone, owner)?;
            }
        }
    }
    for (name, value) in &wanted.dates {
        let wrong = |what: &str| format!("{name} is {value}; {what} is expected");
        match date(editor.timers(), name)? {
            Date::Turn(turn) => {
                *turn = value
                    .as_integer()
                    .and_then(|turn| u8::try_from(turn).ok())
                    .ok_or_else(|| wrong("a turn"))?;
            }
            Date::Flag(flag) => *flag = value.as_bool().ok_or_else(|| wrong("true or false"))?,
        }
    }
    for (side, names) in &wanted.cards {
        let side = force(side)?;
        let deck = &game.rules.decks[side.index()];
        let mut cards = [None; 4];
        for (slot, name) in cards.iter_mut().zip(names) {
            if name != "none" {
                let list = deck.iter().enumerate().map(|(at, card)| (card.id.clone(), at as u8));
                *slot = Some(named(name, "a card", list)?);
            }
        }
        editor.cards(side, cards)?;
    }
    for name in &wanted.release {
        let list = game.rules.counter_types.iter().enumerate().map(|(at, kind)| (kind.id.clone(), at as u8));
        editor.release(named(name, "a counter type", list)?)?;
    }
    for name in &wanted.clear {
        let place = Words { game, state: editor.state() }.place(name)?;
        editor.clear(place)?;
    }
    let mut stocks = Stocks::new();
    for line in &wanted.units {
        units(game, line, &mut editor, &mut stocks).map_err(|error| format!("`{line}`: {error}"))?;
    }
    let side = wanted.side.as_deref().map_or(Ok(Force::Axis), force)?;
    match &wanted.phase {
        None => Ok(editor.finish()),
        Some(name) => {
            let phase = phase(name)?;
            if wanted.begin {
                Ok(editor.begin(phase, side, context))
            } else if phase == Phase::Over {
                Err("a position does not stand after the end".into())
            } else {
                editor.phase(phase, side);
                Ok(editor.finish())
            }
        }
    }
}

/// Sets the standing of countries; those that join a side bring their zones, the zones of those that surrendered to the
/// Axis are Axis, those of Vichy neutral.
fn countries(game: &BlitzWar, wanted: &Position, editor: &mut Editor<'_>) -> Result<(), String> {
    for (name, standing) in &wanted.countries {
        let country = country(name)?;
        let mut words = standing.split_whitespace();
        let status = status(words.next().unwrap_or_default())?;
        if status == Status::Surrendered {
            let turn: u8 = words
                .next()
                .and_then(|turn| turn.parse().ok())
                .ok_or("a surrender needs its turn, as in `surrendered 9`")?;
            let fought = words.next().map_or(Ok(Force::Allied), force)?;
            if fought != Force::Axis {
                for zone in *game.home(country) {
                    editor.control(zone, Some(Force::Axis))?;
                }
            }
            editor.surrendered(country, turn, fought);
            match country {
                Country::Fra => editor.timers().french_surrender = turn,
                Country::Yug => editor.timers().yugoslav_surrender = turn,
                _ => {}
            }
        } else if let Some(side) = status.force() {
            for zone in *game.home(country) {
                if editor.state().controller(zone).is_some() {
                    editor.control(zone, Some(side))?;
                }
            }
            // A turn after the side: the country has surrendered and fights again.
            if let Some(turn) = words.next() {
                let turn = turn.parse().map_err(|_| format!("`{turn}` is no turn of a surrender"))?;
                editor.surrendered(country, turn, side);
            }
            editor.activate(country, side);
        } else {
            editor.status(country, status);
        }
    }
    // Vichy's zones last: those of France have just been set.
    if let Some(standing) = wanted.countries.get("vichy") {
        let owner = status(standing)?.force();
        for zone in *game.home(Country::Vichy) {
            editor.control(zone, owner)?;
        }
    }
    Ok(())
}

/// Supply that the lines of a position have named so far, in half units, by place and side.
type Stocks = BTreeMap<(Location, Force), u8>;

/// Puts the units of a line `place: unit, unit` on the map.
fn units(game: &BlitzWar, line: &str, editor: &mut Editor<'_>, stocks: &mut Stocks) -> Result<(), String> {
    let (name, list) = split_line(line)?;
    let known = Words { game, state: editor.state() }.place(name);
    let place = match (known, name.split_once('@')) {
        (Err(_), Some((zone, sea))) => {
            let words = Words { game, state: editor.state() };
            let (zone, sea) = (words.zone(zone)?, words.sea(sea)?);
            editor.beachhead(zone, sea)?
        }
        (known, _) => known?,
    };
    for item in list {
        put(game, &Unit::read(item)?, place, editor, stocks).map_err(|error| format!("{item}: {error}"))?;
    }
    Ok(())
}

fn put(
    game: &BlitzWar,
    unit: &Unit,
    place: Location,
    editor: &mut Editor<'_>,
    stocks: &mut Stocks,
) -> Result<(), String> {
    let land = place.at() < game.rules.zones.len();
    let before: Vec<Counter> = editor.state().stack(place).collect();
    match unit.face {
        Face::Corps(infantry, armour) if unit.fortified => {
            if (infantry, armour) != (1, 0) {
                return Err("only single infantry corps are fortified".into());
            }
            editor.fortified(unit.nation, place)?;
        }
        Face::Corps(infantry, armour) => {
            editor.corps(unit.nation, place, infantry, armour, unit.elite)?;
        }
        Face::Units(Kind::Air, units) => editor.air(unit.nation, place, units, unit.mission || !land)?,
        Face::Units(Kind::Supply, halves) => {
            // The first item stands for what the set-up has there; further ones add to it.
            let side = unit.supply_side()?;
            let stock = stocks.entry((place, side)).or_default();
            *stock = stock.checked_add(halves).ok_or("too much supply for one place")?;
            editor.supply(side, place, *stock)?;
        }
        Face::Units(kind, units) => editor.ships(unit.nation, kind, place, units)?,
    }
    let fresh: Vec<Counter> =
        editor.state().stack(place).filter(|counter| !before.contains(counter)).collect();
    for counter in fresh {
        for (mark, on) in [
            (Mark::Unsupplied, unit.unsupplied),
            (Mark::Activated, unit.activated == Some(true)),
            (Mark::Paid, unit.paid || unit.activated == Some(true)),
            (Mark::Carried, unit.carried),
        ] {
            if on {
                editor.mark(counter, mark, true)?;
            }
        }
        if let Some(zones) = unit.moved {
            editor.moved(counter, zones)?;
        }
    }
    Ok(())
}
