//! The facts of EuroFront in words, and how much each matters.

use sandtable_core::{Hex, Index as _};
use sandtable_eurofront::event::{Cause, Volley};
use sandtable_eurofront::ids::{BlockId, Camp};
use sandtable_eurofront::rules::Weather;
use sandtable_eurofront::{EuroFront, Event, Mode};

use super::map::hex_name;
use sandtable_experiments::system::Importance;

/// Dice of a volley from which on it is told on the page of a game.
const LARGE_VOLLEY: u8 = 5;

/// The side that plays for a camp.
fn side(game: &EuroFront, camp: Camp) -> &'static str {
    let seats = &game.rules.scenario.seats;
    seats.iter().find(|seat| seat.faction().camp() == camp).map_or("nobody", |seat| seat.name())
}

fn block(game: &EuroFront, block: BlockId) -> &str {
    game.rules.blocks.get(block.at()).map_or("nobody", |data| data.name.as_str())
}

fn weather(weather: Weather) -> &'static str {
    match weather {
        Weather::Dry => "dry",
        Weather::Mud => "mud",
        Weather::Snow => "snow",
    }
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Combat => "in combat",
        Cause::Pursuit => "to pursuit",
        Cause::Attrition => "for want of supply",
        Cause::Command => "by its command",
        Cause::NoStrength => "without strength to fight",
        Cause::Intervention => "as intervention ends",
    }
}

fn number(count: u8, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A fact in words.
pub(super) fn narrate(game: &EuroFront, event: Event) -> Option<String> {
    let at = |hex: Hex| hex_name(game, hex);
    Some(match event {
        Event::MonthBegins { month } => format!("{} begins", game.rules.calendar[usize::from(month)].id),
        Event::FortnightBegins { fortnight, weather: [west, _] } => {
            let half = if fortnight == 1 { "first" } else { "second" };
            format!("the {half} fortnight is {}", weather(west))
        }
        Event::TurnBegins { faction } => format!("turn of the {}", side(game, faction.camp())),
        Event::Recognition { by, level, rolls: [a, b], granted } => {
            let verdict = if granted { "granted" } else { "refused" };
            format!("the {} claim recognition at level {level}: {a} and {b}, {verdict}", side(game, by))
        }
        Event::Intervention { rolls: [a, b], ended } => {
            let verdict = if ended { "intervention ends" } else { "intervention goes on" };
            format!("{a} and {b}: {verdict}")
        }
        Event::FrenchAid { points, .. } => format!("French aid: {}", number(points, "point")),
        Event::Railhead { by, at: hex } => format!("aid for the {} comes to {}", side(game, by), at(hex)),
        Event::Blockade { by, at: hex, roll, up_to } => {
            let verdict = if roll <= up_to { "passes" } else { "is stopped" };
            format!("aid for the {} to {} {verdict}: {roll}, {up_to} or less passes", side(game, by), at(hex))
        }
        Event::Income { camp, points } => format!("the {} have {points} points", side(game, camp)),
        Event::Built { block: built, steps } => format!("{} is built up to {steps}", block(game, built)),
        Event::Arrived { block: arrived, at: hex } => {
            format!("{} arrives in {}", block(game, arrived), at(hex))
        }
        Event::Garrison { camp, at: hex } => format!("the {} garrison {}", side(game, camp), at(hex)),
        Event::GarrisonLost { camp, at: hex } => {
            format!("the {} lose their garrison in {}", side(game, camp), at(hex))
        }
        Event::Leftover { camp, points, kept } => {
            let verdict = if kept { "keep" } else { "lose" };
            format!("the {} {verdict} {}", side(game, camp), number(points.unsigned_abs() as u8, "point"))
        }
        Event::Activated { block: headquarters, mode, at: hex } => {
            let mode = if mode == Mode::Blitz { " for a Blitz" } else { "" };
            format!("{} is activated{mode} in {}", block(game, headquarters), at(hex))
        }
        Event::Deactivated { .. } | Event::Supply { supplied: true, .. } => return None,
        Event::Moved { block: unit, from, to } => {
            format!("{} goes from {} to {}", block(game, unit), at(from), at(to))
        }
        Event::MovedByRail { block: unit, from, to } => {
            format!("{} goes by rail from {} to {}", block(game, unit), at(from), at(to))
        }
        Event::BattleBegins { at: hex, defender } => {
            format!("the {} attack {}", side(game, defender.enemy()), at(hex))
        }
        Event::BattleEnds { at: hex, winner } => match winner {
            Some(winner) => format!("the {} win the battle of {}", side(game, winner), at(hex)),
            None => format!("nobody is left in {}", at(hex)),
        },
        Event::Round { at: hex, active, supported, assault } => {
            let how = match (supported, assault) {
                (true, true) => "across the river, supported",
                (false, true) => "across the river, unsupported",
                (true, false) => "supported",
                (false, false) => "unsupported",
            };
            format!("the {} fight in {}, {how}", side(game, active), at(hex))
        }
        Event::Fired { volley, at: hex, dice, hits, repulses } => {
            let what = match volley {
                Volley::Air => "an airstrike on",
                Volley::Defensive => "defensive fire in",
                Volley::Offensive => "offensive fire in",
                Volley::Pursuit => "pursuit from",
            };
            let mut text = format!("{what} {}: {dice} dice, {}", at(hex), number(hits, "hit"));
            if repulses > 0 {
                text = format!("{text}, {}", number(repulses, "repulse"));
            }
            text
        }
        Event::Repulsed { block: unit, to } => format!("{} is driven back to {}", block(game, unit), at(to)),
        Event::StepLost { block: unit, cause: why, left } => {
            format!("{} falls to {left} {}", block(game, unit), cause(why))
        }
        Event::Eliminated { block: unit, cause: why } => {
            format!("{} is eliminated {}", block(game, unit), cause(why))
        }
        Event::Supply { block: unit, supplied: false } => format!("{} is cut off", block(game, unit)),
        Event::GameOver { winner } => match winner {
            Some(winner) => format!("the {} win", side(game, winner)),
            None => "nobody wins".into(),
        },
    })
}

/// How much a fact matters.
pub(super) fn importance(event: Event) -> Importance {
    match event {
        Event::Recognition { .. }
        | Event::Intervention { ended: true, .. }
        | Event::GameOver { .. }
        | Event::BattleEnds { winner: Some(_), .. } => Importance::Headline,
        Event::MonthBegins { .. }
        | Event::FortnightBegins { .. }
        | Event::Income { .. }
        | Event::Arrived { .. }
        | Event::BattleBegins { .. }
        | Event::BattleEnds { .. }
        | Event::Eliminated { .. }
        | Event::Blockade { .. } => Importance::Notable,
        Event::Fired { dice, .. } if dice >= LARGE_VOLLEY => Importance::Notable,
        _ => Importance::Detail,
    }
}

/// What a fact begins, if it deserves a picture of its own.
pub(super) fn step(game: &EuroFront, event: Event) -> Option<String> {
    match event {
        Event::TurnBegins { faction } => Some(side(game, faction.camp()).to_owned()),
        _ => None,
    }
}
