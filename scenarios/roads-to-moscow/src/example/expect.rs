//! What must hold after a step.

use sandtable_core::{Game, Index, Stepwise};
use sandtable_roads_to_moscow::combat::column_name;
use sandtable_roads_to_moscow::ids::{Markers, Player, UnitId, Units, hex_number, place};
use sandtable_roads_to_moscow::rules::Crt;
use sandtable_roads_to_moscow::{Action, Event, Mark, Phase, RoadsToMoscow, State};

use super::format::{Expect, Report, Weighed};
use super::orders::Orders;
use super::position::{by_side, table_of};
use super::words::{SUPPLY, Words, phase, phase_name, place_name, player, weather_name};
use sandtable_scenarios::example::format::Lists;
use sandtable_scenarios::example::words::{Findings, listed, named, split_line};

/// Compares a state with what is expected of it; `events` are those of the step.
pub(super) fn check(game: &RoadsToMoscow, state: &State, expect: &Expect, events: &[Event]) -> Vec<String> {
    let words = Words { game };
    let mut found = Findings::default();
    stacks(words, state, expect, &mut found);
    map(words, state, expect, &mut found);
    units(words, state, expect, &mut found);
    tables(words, state, expect, &mut found);
    for weighed in &expect.weigh {
        let result = weigh(words, state, weighed, &mut found);
        found.take(result);
    }
    if let Some(report) = &expect.combat {
        combat(words, report, events, &mut found);
    }
    checks(words, expect, events, &mut found);
    markers(words, state, expect, &mut found);
    air(words, state, expect, &mut found);
    standing(words, state, expect, &mut found);
    let orders = Orders { words, state };
    found.decisions(&expect.legal, &expect.illegal, |phrase| orders.order(phrase)?.fault(game, state));
    found.list
}

// ---- units ----

fn stacks(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    for (lines, exact) in [(&expect.units, true), (&expect.among, false)] {
        for line in lines {
            let fault = stack(words, state, line, exact).unwrap_or_else(Some);
            found.list.extend(fault.map(|fault| format!("`{line}`: {fault}")));
        }
    }
    for (list, at, what) in [
        (&expect.eliminated, place::ELIMINATED, "eliminated"),
        (&expect.waiting, place::AWAITING, "off the map"),
        (&expect.out, place::OUT, "out of the game"),
    ] {
        for name in list {
            let Some(unit) = found.take(words.bare(name)) else { continue };
            if state.at(unit) != at {
                let is = place_name(state.at(unit));
                found.list.push(format!("{name}: expected {what}, found {is}"));
            }
        }
    }
}

/// What is wrong with the units of a hex.
fn stack(words: Words<'_>, state: &State, line: &str, exact: bool) -> Result<Option<String>, String> {
    let (text, items) = split_line(line)?;
    let hex = words.hex(text)?;
    let there: Units = state.stack(hex);
    let mut wanted = Units::EMPTY;
    let mut fits = true;
    for item in items {
        let unit = words.unit(item)?;
        wanted.insert(unit.id);
        fits &= there.contains(unit.id) && words.fits(state, &unit, exact);
    }
    if fits && (!exact || wanted == there) {
        return Ok(None);
    }
    let is: Vec<String> = there.iter().map(|unit| words.shown(state, unit)).collect();
    Ok(Some(format!("found {}", listed(&is))))
}

/// Movement Points in words: halves.
fn points(halves: u8) -> String {
    format!("{}", f64::from(halves) / 2.0)
}

fn units(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let game = words.game;
    for (text, &cost) in &expect.costs {
        let Some((name, hex)) = text.rsplit_once(' ') else {
            found.list.push(format!("`{text}`: `unit hex` is expected"));
            continue;
        };
        let (Some(unit), Some(to)) = (found.take(words.bare(name)), found.take(words.hex(hex))) else {
            continue;
        };
        let from = state.at(unit);
        let is = game.board().direction(from, to).and_then(|way| {
            let mover = game.mover(&Units::one(unit), game.player(unit), false, true);
            game.step_price(state, mover, from, way, 60)
        });
        let is = is.map_or("no way".to_owned(), points);
        found.same(&format!("cost of {text}"), &format!("{cost}"), &is);
    }
    for (name, &allowance) in &expect.allowance {
        let Some(unit) = found.take(words.bare(name)) else { continue };
        let halved = game.is_assault(state) || state.phase == Phase::Stack && state.reacting;
        let is = points(game.allowance(state, unit, halved));
        found.same(&format!("allowance of {name}"), &format!("{allowance}"), &is);
    }
    for (name, &left) in &expect.left {
        let Some(unit) = found.take(words.bare(name)) else { continue };
        let is = if state.moving.contains(unit) { points(state.movement_left) } else { "no move".into() };
        found.same(&format!("points left to {name}"), &format!("{left}"), &is);
    }
    for (name, &rating) in &expect.ratings {
        let Some(unit) = found.take(words.bare(name)) else { continue };
        found.same(&format!("rating of {name}"), &rating, &i32::from(game.efficiency(state, unit)));
    }
    for (name, status) in &expect.status {
        let Some(unit) = found.take(words.bare(name)) else { continue };
        let is = state.supply(unit);
        let is = SUPPLY.iter().find(|(_, known)| *known == is).map_or("", |(name, _)| name);
        found.same(&format!("supply of {name}"), &status.as_str(), &is);
    }
}

// ---- the map ----

/// Checks something of hexes, by side.
fn of_hexes(
    words: Words<'_>,
    lists: &Lists,
    what: &str,
    found: &mut Findings,
    holds: impl Fn(Player, sandtable_core::hex::Hex) -> bool,
) {
    for (name, list) in lists {
        let Some(player) = found.take(player(name)) else { continue };
        for text in list {
            let Some(hex) = found.take(words.hex(text)) else { continue };
            if !holds(player, hex) {
                found.list.push(format!("{text}: expected {what} {name}, which does not hold"));
            }
        }
    }
}

fn map(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let game = words.game;
    of_hexes(words, &expect.control, "control of", found, |player, hex| state.controller(hex) == player);
    of_hexes(words, &expect.zoc, "ZOC of", found, |player, hex| game.in_zoc(state, hex, player));
    of_hexes(words, &expect.no_zoc, "no ZOC of", found, |player, hex| !game.in_zoc(state, hex, player));
    of_hexes(words, &expect.supplied, "supply of", found, |player, hex| {
        game.supplied_hexes(state, player, false).contains(hex)
    });
    of_hexes(words, &expect.cut_off, "no supply of", found, |player, hex| {
        !game.supplied_hexes(state, player, false).contains(hex)
    });
    for text in &expect.contested {
        let Some(hex) = found.take(words.hex(text)) else { continue };
        if !state.is_contested(hex) {
            found.list.push(format!("{text}: expected contested, found in one ZOC or occupied"));
        }
    }
    for (text, &count) in &expect.stacking {
        let Some(hex) = found.take(words.hex(text)) else { continue };
        found.same(&format!("stack in {text}"), &count, &i32::from(game.stacking(&state.stack(hex))));
    }
    let numbers = |hexes: Vec<sandtable_core::hex::Hex>| {
        let mut list: Vec<String> = hexes.iter().map(|hex| format!("{:04}", hex_number(*hex))).collect();
        list.sort();
        listed(&list)
    };
    let sorted = |list: &[String]| {
        let mut list = list.to_vec();
        list.sort();
        listed(&list)
    };
    if let Some(wanted) = &expect.no_retreat {
        found.same("No Retreat", &sorted(wanted), &numbers(state.no_retreat.iter().collect()));
    }
    if let Some(wanted) = &expect.fortified {
        for owner in Player::ALL {
            let list = wanted.get(owner.id()).map_or_else(Vec::new, Clone::clone);
            let is = numbers(state.positions[owner.index()].iter().collect());
            found.same(&format!("Fortified Positions, {}", owner.id()), &sorted(&list), &is);
        }
    }
    if let Some(wanted) = &expect.digging {
        let is = state.marked(Mark::Digging).iter().map(|unit| state.at(unit)).collect();
        found.same("positions under construction", &sorted(wanted), &numbers(is));
    }
    for (list, destroyed) in [(&expect.destroyed_lines, true), (&expect.standing_lines, false)] {
        for text in list {
            let Some(hex) = found.take(words.hex(text)) else { continue };
            let line = game.map().lines.iter().position(|(of, _)| *of == hex);
            match line {
                None => found.list.push(format!("{text} has no Fortified Line")),
                Some(at) if (state.lines_destroyed >> at & 1 != 0) != destroyed => {
                    let is = if destroyed { "standing" } else { "destroyed" };
                    found.list.push(format!("line of {text}: found {is}"));
                }
                Some(_) => {}
            }
        }
    }
}

// ---- combat ----

fn tables(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let game = words.game;
    for (text, wanted) in &expect.odds {
        let read = || -> Result<String, String> {
            let wrong = || format!("`{text}`: `8:3 assault` is expected");
            let (strengths, table) = text.split_once(' ').ok_or_else(wrong)?;
            let (attack, defence) = strengths.split_once(':').ok_or_else(wrong)?;
            let number = |text: &str| text.parse::<u16>().map_err(|_| wrong());
            let table = &game.rules.results[table_of(table)? as usize];
            Ok(column_name(table, table.column(number(attack)?, number(defence)?)))
        };
        if let Some(is) = found.take(read()) {
            found.same(&format!("odds of {text}"), wanted, &is);
        }
    }
    for (text, wanted) in &expect.results {
        let read = || -> Result<String, String> {
            let wrong = || format!("`{text}`: `assault 2-1 4` or `assault below` is expected");
            let list: Vec<&str> = text.split_whitespace().collect();
            let crt = table_of(list.first().copied().unwrap_or_default())?;
            let table = &game.rules.results[crt as usize];
            let (column, roll) = match list.as_slice() {
                [_, "below"] => (None, 0),
                [_, column, roll] => {
                    let odds = table.odds.iter().position(|(a, d)| *column == format!("{a}-{d}"));
                    (Some(odds.ok_or_else(wrong)? as u8), roll.parse::<i8>().map_err(|_| wrong())?)
                }
                _ => return Err(wrong()),
            };
            Ok(table.result(column, roll).to_string())
        };
        if let Some(is) = found.take(read()) {
            found.same(&format!("result of {text}"), wanted, &is);
        }
    }
    for (text, wanted) in &expect.weathers {
        let read = || -> Result<&'static str, String> {
            let (turn, roll) = text.split_once(' ').ok_or("`6AM 5` is expected")?;
            let roll = roll.parse().map_err(|_| "a roll from 1 to 10 is expected")?;
            Ok(weather_name(game.weather_of(words.turn(turn)?, roll)))
        };
        if let Some(is) = found.take(read()) {
            found.same(&format!("weather of {text}"), &wanted.as_str(), &is);
        }
    }
    for (text, &wanted) in &expect.fuel {
        let Some(roll) = found.take(text.parse().map_err(|_| format!("`{text}` is no roll"))) else {
            continue;
        };
        let is = game.fuel_received(state.turn, state.weather, roll);
        found.same(&format!("fuel for a roll of {text}"), &wanted, &i32::from(is));
    }
}

fn weigh(words: Words<'_>, state: &State, weighed: &Weighed, found: &mut Findings) -> Result<(), String> {
    let game = words.game;
    let target = words.hex(&weighed.at)?;
    let mut attackers = Units::EMPTY;
    for name in &weighed.with {
        attackers.insert(words.bare(name)?);
    }
    let (attack, defence) = game.declared_strengths(state, &attackers, target);
    let what = |what: &str| format!("{what} at {} with {}", weighed.at, weighed.with.join(", "));
    if let Some(wanted) = weighed.attack {
        found.same(&what("attack"), &u32::from(wanted), &attack);
    }
    if let Some(wanted) = weighed.defence {
        found.same(&what("defence"), &u32::from(wanted), &defence);
    }
    if let Some(wanted) = &weighed.odds {
        let table = &game.rules.results[Crt::Assault as usize];
        let is = column_name(table, table.column(attack as u16, defence as u16));
        found.same(&what("odds"), wanted, &is);
    }
    Ok(())
}

fn combat(words: Words<'_>, wanted: &Report, events: &[Event], found: &mut Findings) {
    let mut table = Crt::Assault;
    let mut last = None;
    for event in events {
        match *event {
            Event::CombatBegins { crt, .. } => table = crt,
            Event::Combat { .. } => last = Some((event, table)),
            _ => {}
        }
    }
    let Some((&Event::Combat { target, strengths, column, modifiers, modifier, roll, result }, crt)) = last
    else {
        found.list.push("combat: none was resolved in the step".into());
        return;
    };
    let mut same = |what: &str, wanted: Option<String>, is: String| {
        if let Some(wanted) = wanted {
            found.same(&format!("combat: {what}"), &wanted, &is);
        }
    };
    same("hex", wanted.at.clone(), format!("{:04}", hex_number(target)));
    same("table", wanted.crt.clone(), if crt == Crt::Assault { "assault" } else { "mobile" }.into());
    same("attack", wanted.attack.map(|value| value.to_string()), strengths[0].to_string());
    same("defence", wanted.defence.map(|value| value.to_string()), strengths[1].to_string());
    same("odds", wanted.odds.clone(), column_name(&words.game.rules.results[crt as usize], column));
    same("modifier", wanted.drm.map(|value| value.to_string()), modifier.to_string());
    same("roll", wanted.roll.map(|value| value.to_string()), roll.to_string());
    same("result", wanted.result.clone(), result.to_string());
    let parts = [
        ("terrain", modifiers.terrain),
        ("stream", modifiers.stream),
        ("river", modifiers.river),
        ("slope", modifiers.slope),
        ("works", modifiers.works),
        ("ratings", modifiers.efficiency),
        ("air", modifiers.air),
        ("no_retreat", modifiers.no_retreat),
        ("combined_arms", modifiers.combined_arms),
        ("uncoordinated", modifiers.uncoordinated),
        ("engineers", modifiers.engineers),
    ];
    for (name, &value) in &wanted.modifiers {
        let names = parts.iter().map(|&(known, part)| (known.to_owned(), part));
        if let Some(is) = found.take(named(name, "a modifier", names)) {
            found.same(&format!("combat: modifier {name}"), &value, &i32::from(is));
        }
    }
}

fn checks(words: Words<'_>, expect: &Expect, events: &[Event], found: &mut Findings) {
    let Some(wanted) = &expect.checks else { return };
    let made: Vec<(UnitId, i8, u8, bool)> = events
        .iter()
        .filter_map(|event| match *event {
            Event::Checked { unit, modifier, rating, success, .. } => Some((unit, modifier, rating, success)),
            _ => None,
        })
        .collect();
    found.same("checks", &wanted.len(), &made.len());
    for (wanted, (unit, modifier, rating, passed)) in wanted.iter().zip(made) {
        let Some(expected) = found.take(words.bare(&wanted.unit)) else { continue };
        found.same("check of", &words.unit_name(expected), &words.unit_name(unit));
        if let Some(expected) = wanted.modifier {
            found.same(&format!("modifier of the check of {}", wanted.unit), &expected, &modifier);
        }
        if let Some(expected) = wanted.rating {
            found.same(&format!("rating in the check of {}", wanted.unit), &expected, &rating);
        }
        if let Some(expected) = wanted.passed {
            found.same(&format!("check of {} passed", wanted.unit), &expected, &passed);
        }
    }
}

// ---- markers, aircraft, the game ----

fn markers(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let game = words.game;
    let names = |markers: Markers, owner: Player| {
        let own = markers.and(&game.marker_sets().of[owner.index()]);
        let mut list: Vec<String> = own.iter().map(|marker| game.marker_name(marker).to_owned()).collect();
        list.sort();
        list
    };
    let mut compare = |what: &str, lists: &Lists, is: &dyn Fn(Player) -> Vec<String>| {
        for (name, list) in lists {
            let Some(owner) = found.take(player(name)) else { continue };
            let mut wanted = list.clone();
            wanted.sort();
            found.same(&format!("{what}, {name}"), &listed(&wanted), &listed(&is(owner)));
        }
    };
    compare("available", &expect.available, &|owner| names(game.available(state, owner), owner));
    compare("cup", &expect.cup, &|owner| names(state.cup, owner));
    compare("activated", &expect.activated, &|owner| names(state.played, owner));
    compare("left out", &expect.left_out, &|owner| names(state.left_out, owner));
    compare("Reserve", &expect.reserve, &|owner| {
        let reserved = game.marker_sets().of[owner.index()].and(&state.in_play);
        let mut list: Vec<String> = reserved
            .iter()
            .map(|marker| game.formation_of(marker))
            .filter(|&formation| state.in_reserve(formation))
            .map(|formation| {
                let turn = words.turn_name(state.reserve_until[formation.at()]);
                format!("{} {turn}", game.formation_name(formation))
            })
            .collect();
        list.sort();
        list
    });
    for (name, wanted) in &expect.pool {
        let Some(owner) = found.take(player(name)) else { continue };
        let is = state.pool[owner.index()].map_or("none", |marker| game.marker_name(marker));
        found.same(&format!("pool, {name}"), &wanted.as_str(), &is);
    }
    if let Some(wanted) = &expect.active {
        let is: Vec<String> =
            state.formations.iter().map(|formation| game.formation_name(formation).to_owned()).collect();
        let mut wanted = wanted.clone();
        wanted.sort();
        let mut is = is;
        is.sort();
        found.same("active", &listed(&wanted), &listed(&is));
    }
    if let Some(wanted) = &expect.first {
        found.same("First Player", &wanted.as_str(), &state.first.id());
    }
    for (name, &wanted) in &expect.initiative_drm {
        let Some(owner) = found.take(player(name)) else { continue };
        let is = i32::from(state.initiative[owner.index()]);
        found.same(&format!("initiative modifier, {name}"), &wanted, &is);
    }
}

fn air(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    for (list, what) in [(&expect.ready, "ready"), (&expect.flown, "flown"), (&expect.air_lost, "lost")] {
        for name in list {
            let units = found.take(words.air(name)).unwrap_or_default();
            let is = |unit| match what {
                "ready" => state.ready.contains(unit),
                "flown" => state.flown.contains(unit),
                _ => !state.ready.contains(unit) && !state.flown.contains(unit),
            };
            if !units.into_iter().any(is) {
                found.list.push(format!("{name}: expected {what}, found elsewhere"));
            }
        }
    }
}

fn standing(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let game = words.game;
    if let Some(wanted) = &expect.turn {
        found.same("turn", wanted, &words.turn_name(state.turn));
    }
    if let Some(wanted) = &expect.weather {
        found.same("weather", &wanted.as_str(), &weather_name(state.weather));
    }
    if let Some(wanted) = &expect.phase
        && let Some(phase) = found.take(phase(wanted))
    {
        found.same("phase", &phase_name(phase), &phase_name(state.phase));
    }
    if let Some(wanted) = &expect.decides {
        found.same("decides", &wanted.as_str(), &state.decider.id());
    }
    if let Some(wanted) = expect.choices {
        let open = game.open_actions(state);
        found.same("choices", &wanted, &open.iter().filter(|action| **action != Action::Pass).count());
    }
    if let Some(wanted) = expect.score {
        found.same("score", &wanted, &i32::from(game.score(state)));
    }
    for (name, value) in &expect.ledger {
        let both = found.take(by_side(&[(name.clone(), *value)].into_iter().collect()));
        if both.is_some()
            && let Some(owner) = found.take(player(name))
        {
            found.same(&format!("points of {name}"), value, &i32::from(state.points[owner.index()]));
        }
    }
    if expect.winner.is_none() && expect.end_reason.is_none() {
        return;
    }
    let Some(outcome) = Game::outcome(game, state) else {
        found.list.push("winner: the game goes on".into());
        return;
    };
    if let Some(wanted) = &expect.winner {
        let is =
            outcome.winner.map_or("nobody", |side| sandtable_core::Game::sides(game)[usize::from(side)].id);
        found.same("winner", &wanted.as_str(), &is);
    }
    if let Some(wanted) = &expect.end_reason {
        found.same("end reason", &wanted.as_str(), &outcome.end_reason);
    }
}
