//! The facts of EuroFront in words, and how much each matters.

use sandtable_core::{Hex, Index as _};
use sandtable_eurofront::event::{Cause, Volley};
use sandtable_eurofront::ids::{Account, BlockId, Camp, Faction, NationId};
use sandtable_eurofront::rules::Weather;
use sandtable_eurofront::{EuroFront, Event, Mode};

use super::map::hex_name;
use sandtable_experiments::system::Importance;

/// Dice of a volley from which on it is told on the page of a game.
const LARGE_VOLLEY: u8 = 5;

/// The side that plays for a camp, or both.
fn side(game: &EuroFront, camp: Camp) -> &'static str {
    let mut own = game.rules.scenario.players.iter().filter(|player| player.faction().camp() == camp);
    match (own.next(), own.next()) {
        (Some(player), None) => player.name(),
        (None, _) => "nobody",
        (Some(_), Some(_)) => "Allies and Soviets",
    }
}

/// A faction as the scenario calls it.
fn faction(game: &EuroFront, faction: Faction) -> &'static str {
    let players = &game.rules.scenario.players;
    players.iter().find(|player| player.faction() == faction).map_or(faction.id(), |player| player.name())
}

fn nation(game: &EuroFront, nation: NationId) -> &str {
    game.rules.nations.get(nation.at()).map_or("nobody", |data| data.name.as_str())
}

fn block(game: &EuroFront, block: BlockId) -> &str {
    game.rules.blocks.get(block.at()).map_or("nobody", |data| data.name.as_str())
}

/// Where an account's points are spent, unless at home.
fn theatre(account: Account) -> &'static str {
    match account {
        Account::AxisEast => " in the East",
        Account::AxisMediterranean | Account::AlliesMediterranean => " in the Mediterranean",
        Account::AxisIsolated | Account::AlliesIsolated => " in isolated nations",
        Account::AxisWest | Account::AlliesWest | Account::Soviets => "",
    }
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
        Cause::Acclimatisation => "in a land it does not know",
        Cause::Moved => "by being moved",
        Cause::Maintenance => "for want of points",
        Cause::Disbanding => "by its owner's order",
        Cause::Defeat => "as its nation lays down its arms",
        Cause::Interception => "at sea",
        Cause::Drop => "in its drop",
    }
}

fn number(count: impl Into<u16>, noun: &str) -> String {
    let count = count.into();
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A fact in words.
pub(super) fn narrate(game: &EuroFront, event: Event) -> Option<String> {
    let at = |hex: Hex| hex_name(game, hex);
    Some(match event {
        Event::MonthBegins { month } => format!("{} begins", game.rules.calendar[usize::from(month)].id),
        Event::FortnightBegins { fortnight, weather: [west, east] } => {
            let half = if fortnight == 1 { "first" } else { "second" };
            let (west, east) = (weather(west), weather(east));
            if game.has_eastern_weather() {
                format!("the {half} fortnight is {west} in the West, {east} in the East")
            } else {
                format!("the {half} fortnight is {west}")
            }
        }
        Event::TurnBegins { faction: of } => format!("turn of the {}", faction(game, of)),
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
        Event::Income { account, points, .. } => {
            format!("the {} have {points} points{}", faction(game, account.faction()), theatre(account))
        }
        Event::Allotted { account, points } => {
            let whose = faction(game, account.faction());
            format!("the {whose} allot {points} points a month{}", theatre(account))
        }
        Event::Transferred { from, to, points } => {
            let whose = faction(game, from.faction());
            let for_whom = if to.faction() == from.faction() { theatre(to) } else { " to their ally" };
            format!("the {whose} send {points} points{for_whom}")
        }
        Event::Built { block: built, steps } => format!("{} is built up to {steps}", block(game, built)),
        Event::Arrived { block: arrived, at: hex } => {
            format!("{} arrives in {}", block(game, arrived), at(hex))
        }
        Event::Garrison { camp, at: hex } => format!("the {} garrison {}", side(game, camp), at(hex)),
        Event::GarrisonLost { camp, at: hex } => {
            format!("the {} lose their garrison in {}", side(game, camp), at(hex))
        }
        Event::Leftover { account, points, kept } => {
            let verdict = if kept { "keep" } else { "lose" };
            let whose = faction(game, account.faction());
            format!("the {whose} {verdict} {}{}", number(points.unsigned_abs(), "point"), theatre(account))
        }
        Event::Activated { block: headquarters, mode, at: hex } => {
            let mode = match mode {
                Mode::Normal => "",
                Mode::Blitz => " for a Blitz",
                Mode::Invasion => " for an invasion",
                Mode::BlitzInvasion => " for an invasion and a Blitz",
                Mode::Para => " for a drop",
                Mode::BlitzPara => " for a drop and a Blitz",
            };
            format!("{} is activated{mode} in {}", block(game, headquarters), at(hex))
        }
        Event::Deactivated { .. } | Event::Supply { supplied: true, .. } => return None,
        Event::Moved { block: unit, from, to } => {
            format!("{} goes from {} to {}", block(game, unit), at(from), at(to))
        }
        Event::MovedByRail { block: unit, from, to } => {
            format!("{} goes by rail from {} to {}", block(game, unit), at(from), at(to))
        }
        Event::Sailed { block: unit, from, to, dice } => {
            let risk = if dice > 0 {
                format!(", {} of interception wait", number(dice, "die"))
            } else {
                String::new()
            };
            format!("{} sails from {} to {}{risk}", block(game, unit), at(from), at(to))
        }
        Event::Dropped { block: unit, from, to } => {
            format!("{} drops from {} into {}", block(game, unit), at(from), at(to))
        }
        Event::Intercepted { block: unit, dice, hits, turned_back } => {
            let back = if turned_back { ", it turns back" } else { "" };
            format!("{} is intercepted: {dice} dice, {}{back}", block(game, unit), number(hits, "hit"))
        }
        Event::SupplyIntercepted { at: hex, dice, cut } => {
            let verdict = if cut { "is cut" } else { "passes" };
            format!("naval supply of {} {verdict}: {dice} dice", at(hex))
        }
        Event::Storm { basin } => format!("a storm strikes: {}", super::odds::basin_name(basin)),
        Event::BeachheadPlaced { block: beachhead, at: hex } => {
            format!("{} lies in {}", block(game, beachhead), at(hex))
        }
        Event::BeachheadGone { block: beachhead, at: hex, lost } => {
            let verdict = if lost { "is lost" } else { "is withdrawn" };
            format!("{} in {} {verdict}", block(game, beachhead), at(hex))
        }
        Event::Supremacy { camp } => match camp {
            Some(camp) => format!("the {} have naval supremacy", side(game, camp)),
            None => "nobody has naval supremacy".into(),
        },
        Event::WarDeclared { by, on, treason } => {
            let treason = if treason { ", which is treason" } else { "" };
            format!("the {} declare war on {}{treason}", faction(game, by), nation(game, on))
        }
        Event::Reaction { to, of, roll, up_to } => {
            let verdict = if roll <= up_to { "reacts" } else { "does not react" };
            format!("{} {verdict} to {}: {roll}, {up_to} or less", nation(game, of), nation(game, to))
        }
        Event::Joined { nation: who, faction: to } => {
            format!("{} joins the {}", nation(game, who), faction(game, to))
        }
        Event::Cooperates { nation: who, faction: with } => {
            format!("{} cooperates with the {}", nation(game, who), faction(game, with))
        }
        Event::PeaceProduction { nation: who, points } => {
            format!("{} has {points} points from its time of peace", nation(game, who))
        }
        Event::Diplomacy { event: tried, roll, up_to, happens } => {
            let name = game.rules.events.get(tried.at()).map_or("an event", |event| event.name.as_str());
            let verdict = if happens { "comes about" } else { "fails" };
            let dice = if roll > 0 { format!(": {roll}, {up_to} or less") } else { String::new() };
            format!("{name} {verdict}{dice}")
        }
        Event::Demoralised { nation: who } => format!("{} is demoralised", nation(game, who)),
        Event::Solidarity { roll, forces, holds } => {
            let verdict = if holds { "stands by France" } else { "leaves France alone" };
            format!("Britain {verdict}: {roll} against {forces}")
        }
        Event::Armistice { nation: who, accepted } => {
            let verdict = if accepted { "has its armistice" } else { "is refused an armistice" };
            format!("{} {verdict}", nation(game, who))
        }
        Event::Uprising { nation: who, happens, .. } => {
            let verdict = if happens { "rises" } else { "does not rise" };
            format!("{} {verdict}", nation(game, who))
        }
        Event::Surrender { nation: who, roll, weariness, happens } => {
            let verdict = if happens { "surrenders" } else { "fights on" };
            format!("{} {verdict}: {roll} against a weariness of {weariness}", nation(game, who))
        }
        Event::Defeated { nation: who } => format!("{} is defeated", nation(game, who)),
        Event::Conquered { nation: who, by } => {
            format!("{} is conquered by the {}", nation(game, who), faction(game, by))
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
            None => "a draw".into(),
        },
    })
}

/// How much a fact matters.
pub(super) fn importance(event: Event) -> Importance {
    match event {
        Event::Recognition { .. }
        | Event::Intervention { ended: true, .. }
        | Event::GameOver { .. }
        | Event::WarDeclared { .. }
        | Event::Joined { .. }
        | Event::Armistice { accepted: true, .. }
        | Event::Defeated { .. }
        | Event::Conquered { .. }
        | Event::Surrender { happens: true, .. }
        | Event::BattleEnds { winner: Some(_), .. } => Importance::Headline,
        Event::MonthBegins { .. }
        | Event::FortnightBegins { .. }
        | Event::Income { .. }
        | Event::Arrived { .. }
        | Event::BattleBegins { .. }
        | Event::BattleEnds { .. }
        | Event::Eliminated { .. }
        | Event::Supremacy { .. }
        | Event::Allotted { .. }
        | Event::Diplomacy { .. }
        | Event::BeachheadPlaced { .. }
        | Event::Dropped { .. }
        | Event::Storm { .. }
        | Event::Blockade { .. } => Importance::Notable,
        Event::Fired { dice, .. } if dice >= LARGE_VOLLEY => Importance::Notable,
        _ => Importance::Detail,
    }
}

/// What a fact begins, if it deserves a picture of its own.
pub(super) fn step(game: &EuroFront, event: Event) -> Option<String> {
    match event {
        Event::TurnBegins { faction: of } => Some(faction(game, of).to_owned()),
        _ => None,
    }
}
