//! What must hold after a step.

use sandtable_core::Index;
use sandtable_europe_engulfed::event::Event;
use sandtable_europe_engulfed::ids::Areas;
use sandtable_europe_engulfed::phase::FireClass;
use sandtable_europe_engulfed::rules::Zone;
use sandtable_europe_engulfed::state::mark;
use sandtable_europe_engulfed::{EuropeEngulfed, State};
use sandtable_scenarios::example::words::{Findings, listed, split_line};

use super::format::Expect;
use super::orders::fault;
use super::words::{Words, asset_of, happening, nation, phase, phase_name, team_name};
use crate::setup::STANDINGS;

/// What does not hold.
pub(super) fn check(game: &EuropeEngulfed, state: &State, expect: &Expect, events: &[Event]) -> Vec<String> {
    let words = Words { game };
    let mut found = Findings::default();
    if let Some(name) = &expect.phase
        && let Some(phase) = found.take(phase(name))
    {
        found.same("phase", &phase_name(phase), &phase_name(state.phase));
    }
    if let Some(turn) = &expect.turn {
        found.same("turn", turn, &i32::from(state.turn));
    }
    for line in &expect.units {
        if let Err(error) = content(words, state, line, 0) {
            found.list.push(format!("units: {error}"));
        }
    }
    for line in &expect.revealed {
        if let Err(error) = content(words, state, line, mark::REVEALED) {
            found.list.push(format!("revealed: {error}"));
        }
    }
    for (name, areas) in &expect.control {
        let Some(nation) = found.take(nation(name)) else { continue };
        for area in areas {
            let Some(at) = found.take(words.area(area)) else { continue };
            let owner = state.controller(at).map_or("nobody", |nation| nation.id());
            found.same(&format!("control of {area}"), &nation.id(), &owner);
        }
    }
    sets(words, state, expect, &mut found);
    fire(expect, events, &mut found);
    nations(state, expect, events, &mut found);
    at_sea(words, state, expect, events, &mut found);
    politics(state, expect, &mut found);
    end(state, expect, &mut found);
    found.decisions(&expect.legal, &expect.illegal, |phrase| fault(words, state, phrase));
    found.list
}

/// Compares all that stands in an area with these marks.
fn content(words: Words<'_>, state: &State, line: &str, marks: u16) -> Result<(), String> {
    let (name, items) = split_line(line)?;
    let area = words.area(name)?;
    let mut expected = Vec::new();
    for item in &items {
        let unit = words.unit(item).map_err(|error| format!("`{line}`: {error}"))?;
        let sample = words.game.counters(unit.kind).next().expect("a kind has counters");
        let kind = words.game.kind(sample);
        let steps = unit.steps.unwrap_or(kind.max);
        let elite = if kind.elite { " elite" } else { "" };
        let text = if words.game.is_air(sample) {
            format!("{} asu", kind.nation.id())
        } else {
            format!("{} {}{elite} {steps}/{}", kind.nation.id(), kind.branch.id(), kind.max)
        };
        for _ in 0..unit.count {
            expected.push(text.clone());
        }
    }
    let mut there: Vec<String> = state
        .at(area)
        .iter()
        .filter(|unit| state.has_mark(*unit, marks) || marks == 0)
        .map(|unit| words.shown(state, unit))
        .collect();
    expected.sort();
    there.sort();
    if expected == there {
        return Ok(());
    }
    Err(format!("{name}: expected {}, found {}", listed(&expected), listed(&there)))
}

fn sets(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let names = |areas: Areas| {
        let mut names: Vec<String> = areas.iter().map(|area| words.area_id(area)).collect();
        names.sort();
        listed(&names)
    };
    for (what, wanted, areas) in [
        ("disputed", &expect.disputed, state.disputed()),
        ("field forts", &expect.field_forts, state.field_forts),
        ("heavy forts", &expect.heavy_forts, state.heavy_forts),
        ("disabled ports", &expect.disabled_ports, state.disabled_ports),
    ] {
        if let Some(wanted) = wanted {
            let mut set = Areas::EMPTY;
            for name in wanted {
                if let Some(area) = found.take(words.area(name)) {
                    set.insert(area);
                }
            }
            found.same(what, &names(set), &names(areas));
        }
    }
}

/// Fleets, naval combat, beachheads, victory points.
fn at_sea(words: Words<'_>, state: &State, expect: &Expect, events: &[Event], found: &mut Findings) {
    for line in &expect.fleets {
        let Some((nation, sea, ready, used)) = found.take(words.fleet(line)) else { continue };
        let fleet = &state.fleets[nation.index()];
        let there = (fleet.ready[sea.at()], fleet.used[sea.at()]);
        found.same(&format!("fleet `{line}`"), &format!("{:?}", (ready, used)), &format!("{there:?}"));
    }
    if let Some(wanted) = &expect.naval {
        let combats = events.iter().filter_map(|event| match event {
            Event::NavalCombat { sea, fleets, sunk } => {
                let sea = &words.game.rules.seas[sea.at()].id;
                Some(format!("{sea}: {} against {}, sunk {} {}", fleets[0], fleets[1], sunk[0], sunk[1]))
            }
            _ => None,
        });
        found.same("naval combat", &listed(wanted), &listed(&combats.collect::<Vec<_>>()));
    }
    for (name, areas) in &expect.beachheads {
        let Some(team) = found.take(super::words::team(name)) else { continue };
        let mut there: Vec<String> =
            state.beachheads[team.index()].iter().map(|area| words.area_id(area)).collect();
        there.sort();
        let mut wanted = areas.clone();
        wanted.sort();
        found.same(&format!("beachheads of the {name} team"), &listed(&wanted), &listed(&there));
    }
    for (name, points) in &expect.points {
        let Some(team) = found.take(super::words::team(name)) else { continue };
        found.same(
            &format!("points of the {name} team"),
            points,
            &i32::from(words.game.points_of(state, team)),
        );
    }
}

fn class(class: FireClass) -> &'static str {
    if class == FireClass::Infantry { "inf" } else { "arm" }
}

fn fire(expect: &Expect, events: &[Event], found: &mut Findings) {
    if let Some(wanted) = &expect.fired {
        let shots: Vec<String> = events
            .iter()
            .filter_map(|event| match *event {
                Event::Fired { team, class: of, at, dice, need, hits } => Some(format!(
                    "{} {} at {}: {dice} dice need {need}, {hits} hits",
                    team_name(team),
                    class(of),
                    class(at)
                )),
                _ => None,
            })
            .collect();
        found.same("fired", &wanted.join("; "), &shots.join("; "));
    }
    if let Some(wanted) = &expect.air_combat {
        let fights: Vec<String> = events
            .iter()
            .filter_map(|event| match *event {
                Event::AirCombat { fighters, hits } => {
                    Some(format!("{} {}, shot down {} {}", fighters[0], fighters[1], hits[0], hits[1]))
                }
                _ => None,
            })
            .collect();
        found.same("air combat", wanted, &fights.join("; "));
    }
}

fn nations(state: &State, expect: &Expect, events: &[Event], found: &mut Findings) {
    for (name, werp) in &expect.income {
        let Some(of) = found.take(nation(name)) else { continue };
        let income: i32 = events
            .iter()
            .filter_map(|event| match *event {
                Event::Income { nation, werp } if nation == of => Some(i32::from(werp)),
                _ => None,
            })
            .sum();
        found.same(&format!("income of {name}"), werp, &income);
    }
    for (name, werp) in &expect.werp {
        if let Some(of) = found.take(nation(name)) {
            found.same(&format!("WERP of {name}"), werp, &i32::from(state.power(of).werp));
        }
    }
    for (name, count) in &expect.actions {
        if let Some(of) = found.take(nation(name)) {
            let there = i32::from(state.power(of).special_actions);
            found.same(&format!("Special Actions of {name}"), count, &there);
        }
    }
}

fn politics(state: &State, expect: &Expect, found: &mut Findings) {
    for (name, wanted) in &expect.standing {
        let Some(of) = found.take(nation(name)) else { continue };
        let is = state.affairs.standing[of.index()];
        let is = STANDINGS.iter().find(|(_, known)| *known == is).map_or("?", |(known, _)| known);
        found.same(&format!("standing of {name}"), wanted, &is.to_owned());
    }
    for name in &expect.happened {
        let plain = name.strip_prefix("not ");
        let Some(bit) = found.take(happening(plain.unwrap_or(name))) else { continue };
        found.same(&format!("{name} has happened"), &plain.is_none(), &state.affairs.has(bit));
    }
    for (name, wanted) in &expect.assets {
        let mut forces = state.strategic;
        if let Some(level) = found.take(asset_of(&mut forces, name).map(|level| *level)) {
            found.same(name, wanted, &i32::from(level));
        }
    }
}

fn end(state: &State, expect: &Expect, found: &mut Findings) {
    for (name, wanted) in &expect.weather {
        let zones = [("east", Zone::Eastern), ("west", Zone::Western), ("south", Zone::Southern)];
        match zones.iter().find(|(known, _)| known == name) {
            Some(&(_, zone)) => {
                found.same(
                    &format!("weather in the {name}"),
                    wanted,
                    &state.weather[zone as usize].id().to_owned(),
                );
            }
            None => found.list.push(format!("`{name}` is not a climate zone: east, west, south")),
        }
    }
    if let Some(winner) = &expect.winner {
        let is = state.verdict.winner.map_or("nobody", team_name).to_owned();
        found.same("winner", winner, &is);
    }
    if let Some(reason) = &expect.end_reason {
        found.same("end reason", reason, &state.verdict.reason.to_owned());
    }
}
