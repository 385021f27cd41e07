//! What must hold after a step.

use sandtable_core::Index;
use std::collections::BTreeMap;

use sandtable_blitzwar::event::Modifiers;
use sandtable_blitzwar::location::{Counter, Location, Sea};
use sandtable_blitzwar::{Action, Battle, BlitzWar, Event, Force, Kind, Nation, Phase, State};
use sandtable_core::Game;

use super::format::{Expect, Weighed};
use super::position::{Date, date};
use super::words::{Face, LETTERS, PHASES, Unit, Words, country, force, halves, phase, show, status};
use crate::setup::STANDINGS;
use sandtable_scenarios::example::words::{Findings, listed, split_line};

/// What does not hold.
pub(super) fn check(game: &BlitzWar, state: &State, expect: &Expect, events: &[Event]) -> Vec<String> {
    let mut found = Findings::default();
    let words = Words { game, state };
    for line in &expect.units {
        if let Err(error) = content(&words, line) {
            found.list.push(format!("units: {error}"));
        }
    }
    if let Some(lost) = &expect.lost
        && let Some(expected) = found.take(losses_expected(lost))
    {
        found.same("lost", &expected, &losses(events));
    }
    if let Some(spent) = expect.spent {
        let halves: u32 = events
            .iter()
            .map(|event| if let Event::Spent { halves, .. } = event { u32::from(*halves) } else { 0 })
            .sum();
        found.same("supply spent", &spent, &(f64::from(halves) / 2.0));
    }
    control(&words, expect, &mut found);
    lines(&words, expect, &mut found);
    standing(&words, expect, &mut found);
    stage(&words, expect, &mut found);
    decisions(&words, expect, &mut found);
    if let Some(odds) = &expect.battle {
        let last = events
            .iter()
            .rev()
            .find_map(|event| if let Event::Battle(battle) = event { Some(battle) } else { None });
        match last {
            Some(battle) => fought(odds, battle, &mut found),
            None => found.list.push("battle: none was fought".into()),
        }
    }
    for odds in &expect.odds {
        weigh(&words, odds, &mut found);
    }
    found.list
}

/// Compares a place with `place: unit, unit`.
fn content(words: &Words<'_>, line: &str) -> Result<(), String> {
    let (name, list) = split_line(line)?;
    let (game, state) = (words.game, words.state);
    let place = match words.place(name) {
        Ok(place) => Some(place),
        Err(_) if name.contains('@') => None,
        Err(error) => return Err(error),
    };
    let land = place.is_some_and(|place| place.at() < game.rules.zones.len());
    let mut expected = Vec::new();
    let mut sums = Sums::new();
    // Whether air is on mission is asked of the nations of which it is said.
    let mut told: Vec<Nation> = Vec::new();
    let mut done: Vec<Counter> = Vec::new();
    for item in list {
        let unit = Unit::read(item).map_err(|error| format!("`{line}`: {error}"))?;
        match unit.face {
            Face::Units(kind, units) => {
                if unit.mission && land {
                    told.push(unit.nation);
                }
                let sum = sums.entry((unit.nation, kind, unit.mission && land)).or_default();
                *sum = sum.saturating_add(units);
            }
            Face::Corps(..) => expected.push(unit.plain(land)),
        }
        let marked = unit.activated.is_some() || unit.unsupplied || unit.supplied || unit.moved.is_some();
        if marked && let Some(place) = place {
            let counter = state
                .stack(place)
                .find(|&counter| !done.contains(&counter) && unit.fits(game, state, counter));
            match counter {
                Some(counter) => done.push(counter),
                None => {
                    return Err(format!(
                        "{name}: expected {item}, found {}",
                        present(words, place).join(", ")
                    ));
                }
            }
        }
    }
    expected.extend(summed(&sums));
    expected.sort();
    let mut there = place.map(|place| plain_content(words, place, land, &told)).unwrap_or_default();
    there.sort();
    if expected == there {
        return Ok(());
    }
    Err(format!("{name}: expected {}, found {}", listed(&expected), listed(&there)))
}

/// Units that count together: by nation, kind, and whether they are on mission over land.
type Sums = BTreeMap<(Nation, Kind, bool), u8>;

fn summed(sums: &Sums) -> impl Iterator<Item = String> {
    sums.iter().map(|(&(nation, kind, turned), &sum)| {
        let mission = if turned { " mission" } else { "" };
        format!("{} {}{mission}", nation.id(), show(Face::Units(kind, sum)))
    })
}

/// The content of a place: counters of corps one by one, other units summed by nation and kind, and air over land of the
/// nations `told` by whether it is on mission.
fn plain_content(words: &Words<'_>, place: Location, land: bool, told: &[Nation]) -> Vec<String> {
    let (game, state) = (words.game, words.state);
    let mut units = Vec::new();
    let mut sums = Sums::new();
    for counter in state.stack(place) {
        if game.kind(counter).is_corps() {
            units.push(describe(words, counter, land));
        } else {
            let nation = game.nation(counter);
            let turned =
                game.kind(counter) == Kind::Air && state.is_turned(counter) && land && told.contains(&nation);
            *sums.entry((game.nation(counter), game.kind(counter), turned)).or_default() +=
                state.strength(counter);
        }
    }
    units.extend(summed(&sums));
    units
}

fn describe(words: &Words<'_>, counter: Counter, land: bool) -> String {
    let (game, state) = (words.game, words.state);
    let kind = game.kind(counter);
    let (infantry, armour) = game.corps_of(state, counter);
    let face = if kind.is_corps() {
        Face::Corps(infantry, armour)
    } else {
        Face::Units(kind, state.strength(counter))
    };
    let elite = if kind == Kind::Elite { " elite" } else { "" };
    let turned = match (state.is_turned(counter), kind) {
        (true, Kind::Air) if land => " mission",
        (true, kind) if kind.is_corps() => " fortified",
        _ => "",
    };
    format!("{}{elite} {}{turned}", game.nation(counter).id(), show(face))
}

/// The counters of a place with what they have done.
fn present(words: &Words<'_>, place: Location) -> Vec<String> {
    let state = words.state;
    let mut list: Vec<String> = state
        .stack(place)
        .map(|counter| {
            let active = if state.is_activated(counter) { " activated" } else { " idle" };
            let supply = if state.is_unsupplied(counter) { " unsupplied" } else { "" };
            format!("{}{active}{supply} moved {}", describe(words, counter, true), state.moved(counter))
        })
        .collect();
    if list.is_empty() {
        list.push("nothing".into());
    }
    list
}

fn tally_text(sums: &BTreeMap<(&'static str, &'static str), u32>) -> String {
    let list: Vec<String> = sums
        .iter()
        .filter(|(_, units)| **units > 0)
        .map(|((nation, letter), units)| {
            let number = if *letter == "S" { halves(*units as u8) } else { units.to_string() };
            format!("{nation} {letter}{number}")
        })
        .collect();
    if list.is_empty() { "nothing".into() } else { list.join(", ") }
}

fn letter(kind: Kind) -> &'static str {
    LETTERS.iter().find(|(_, known)| *known == kind).map_or("?", |(letter, _)| letter)
}

fn losses(events: &[Event]) -> String {
    let mut sums = BTreeMap::new();
    for event in events {
        if let Event::Lost { nation, kind, units, .. } = event {
            *sums.entry((nation.id(), letter(*kind))).or_default() += u32::from(*units);
        }
    }
    tally_text(&sums)
}

fn losses_expected(items: &[String]) -> Result<String, String> {
    let mut sums = BTreeMap::new();
    for item in items {
        let unit = Unit::read(item).map_err(|error| format!("lost: {error}"))?;
        let mut add =
            |kind, units: u8| *sums.entry((unit.nation.id(), letter(kind))).or_default() += u32::from(units);
        match unit.face {
            Face::Corps(infantry, armour) => {
                add(Kind::Infantry, infantry);
                add(Kind::Armour, armour);
            }
            Face::Units(kind, units) => add(kind, units),
        }
    }
    Ok(tally_text(&sums))
}

fn control(words: &Words<'_>, expect: &Expect, found: &mut Findings) {
    let id = |side: Option<Force>| side.map_or("neutral", Force::id);
    for (side, names) in &expect.control {
        let wanted = if side == "neutral" { Some(None) } else { found.take(force(side)).map(Some) };
        let Some(wanted) = wanted else { continue };
        for name in names {
            for zone in found.take(words.zones(name)).unwrap_or_default() {
                let holder = id(words.state.controller(zone));
                found.same(
                    &format!("control of {}", words.game.rules.zones[zone.at()].id),
                    &id(wanted),
                    &holder,
                );
            }
        }
    }
}

fn lines(words: &Words<'_>, expect: &Expect, found: &mut Findings) {
    for (lists, wanted) in [(&expect.supplied, true), (&expect.cut_off, false)] {
        for (side, names) in lists {
            let Some(side) = found.take(force(side)) else { continue };
            let net = words.game.supplied(words.state, side, false).zones;
            for name in names {
                if let Some(zone) = found.take(words.zone(name)) {
                    let text = |line| if line { "a line of supply" } else { "no line of supply" };
                    found.same(
                        &format!("{name} for the {} side", side.name()),
                        &text(wanted),
                        &text(net.contains(zone)),
                    );
                }
            }
        }
    }
    for (place, holder) in &expect.superiority {
        let Some(code) = found.take(words.place(place)) else { continue };
        let (game, state) = (words.game, words.state);
        let holds = if code.at() < game.rules.zones.len() {
            game.air_superiority(state, code)
        } else {
            let sea = words.sea(place).unwrap_or(Sea(0));
            game.maritime_superiority(state, sea)
        };
        found.same(&format!("superiority at {place}"), &holder.as_str(), &holds.map_or("none", Force::id));
    }
}

fn standing(words: &Words<'_>, expect: &Expect, found: &mut Findings) {
    let state = words.state;
    for (name, wanted) in &expect.countries {
        let (Some(country), Some(_)) = (found.take(country(name)), found.take(status(wanted))) else {
            continue;
        };
        let is = STANDINGS
            .iter()
            .find(|(_, status)| *status == state.status(country))
            .map_or("", |(name, _)| name);
        found.same(&format!("standing of {name}"), &wanted.as_str(), &is);
    }
    let mut timers = *state.timers();
    for (name, wanted) in &expect.dates {
        match date(&mut timers, name) {
            Ok(Date::Turn(turn)) => found.same(name, &wanted.to_string(), &turn.to_string()),
            Ok(Date::Flag(flag)) => found.same(name, &wanted.to_string(), &flag.to_string()),
            Err(error) => found.list.push(error),
        }
    }
    for (side, wanted) in &expect.loss {
        if let Some(side) = found.take(force(side)) {
            found.same(&format!("loss of the {} side", side.name()), wanted, &state.queue(side).loss);
        }
    }
    for (side, wanted) in &expect.waiting {
        if let Some(side) = found.take(force(side)) {
            let queue = state.queue(side);
            let list: Vec<String> = [
                ("I", queue.infantry),
                ("C", queue.armour),
                ("A", queue.air),
                ("F", queue.fleet),
                ("U", queue.submarine),
                ("S", queue.supply),
            ]
            .into_iter()
            .filter(|(_, units)| *units > 0)
            .map(|(letter, units)| format!("{letter}{units}"))
            .collect();
            found.same(&format!("waiting for the {} side", side.name()), wanted, &list.join(" "));
        }
    }
}

fn stage(words: &Words<'_>, expect: &Expect, found: &mut Findings) {
    let (game, state) = (words.game, words.state);
    if let Some(points) = expect.points {
        found.same("Axis strategic points", &points, &game.axis_points(state));
    }
    if let Some(score) = &expect.score {
        match game.outcome(state) {
            None => found.list.push("score: the game is not over".into()),
            Some(outcome) => {
                for (side, wanted) in score {
                    if let Some(side) = found.take(force(side)) {
                        let points = outcome.points[side.side()];
                        found.same(
                            &format!("points of the {} side", side.name()),
                            &f32::from(*wanted),
                            &points,
                        );
                    }
                }
            }
        }
    }
    if let Some(turn) = expect.turn {
        found.same("turn", &turn, &state.turn());
    }
    if let Some(wanted) = &expect.phase
        && found.take(phase(wanted)).is_some()
    {
        let is = PHASES.iter().find(|(_, phase)| *phase == state.phase()).map_or("", |(name, _)| name);
        found.same("phase", &wanted.as_str(), &is);
    }
    if let Some(side) = &expect.side {
        found.same("side in turn", &side.as_str(), &state.active().id());
    }
    if let Some(side) = &expect.decides {
        let who = if state.phase() == Phase::Over { "nobody" } else { game.decider(state).id() };
        found.same("side that decides", &side.as_str(), &who);
    }
}

fn decisions(words: &Words<'_>, expect: &Expect, found: &mut Findings) {
    let (game, state) = (words.game, words.state);
    if let Some(choices) = expect.choices {
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        legal.retain(|action| *action != Action::Pass);
        if legal.len() != choices {
            let list: Vec<String> =
                legal.iter().take(12).map(|&action| game.describe(state, action)).collect();
            found.list.push(format!(
                "choices: expected {choices}, found {} ({})",
                legal.len(),
                list.join("; ")
            ));
        }
    }
    let fault = |phrase: &str| words.order(phrase).and_then(|order| order.fault(game, state));
    found.decisions(&expect.legal, &expect.illegal, fault);
}

/// Odds as the table names them; below 2-3 there is no column.
fn ladder(index: i8) -> String {
    match index {
        ..0 => "none".into(),
        0 => "2-3".into(),
        1 => "1-1".into(),
        2 => "3-2".into(),
        n => format!("{}-1", n - 1),
    }
}

fn shifts(modifiers: &Modifiers) -> String {
    let list: Vec<String> = [
        ("all_fortified", modifiers.all_fortified),
        ("armour", modifiers.armour),
        ("attacker_air", modifiers.attacker_air),
        ("british_vs_italians", modifiers.british_vs_italians),
        ("defender_air", modifiers.defender_air),
        ("fortified_line", modifiers.fortified_line),
        ("fortress", modifiers.fortress),
        ("german_attack", modifiers.german_attack),
        ("german_defence", modifiers.german_defence),
        ("out_of_supply", modifiers.out_of_supply),
        ("terrain", modifiers.terrain),
    ]
    .into_iter()
    .filter(|(_, shift)| *shift != 0)
    .map(|(name, shift)| format!("{name} {shift:+}"))
    .collect();
    if list.is_empty() { "none".into() } else { list.join(", ") }
}

fn compare(
    wanted: &Weighed,
    corps: (u8, u8),
    odds: i8,
    modifiers: &Modifiers,
    column: &str,
    what: &str,
    found: &mut Findings,
) {
    let label = |part: &str| format!("{what}, {part}");
    if let Some(attackers) = wanted.attackers {
        found.same(&label("attacking corps"), &attackers, &corps.0);
    }
    if let Some(defenders) = wanted.defenders {
        found.same(&label("defending corps"), &defenders, &corps.1);
    }
    if let Some(expected) = &wanted.odds {
        found.same(&label("odds"), expected, &ladder(odds));
    }
    if let Some(expected) = &wanted.shifts {
        let list: Vec<String> = expected.iter().map(|(name, shift)| format!("{name} {shift:+}")).collect();
        let text = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
        found.same(&label("shifts"), &text, &shifts(modifiers));
    }
    if let Some(total) = wanted.total {
        found.same(&label("sum of the shifts"), &total, &modifiers.total());
    }
    if let Some(expected) = &wanted.column {
        found.same(&label("column"), &expected.as_str(), &column);
    }
}

fn fought(wanted: &Weighed, battle: &Battle, found: &mut Findings) {
    let corps = (
        battle.attacking_infantry + battle.attacking_armour,
        battle.defending_infantry + battle.defending_armour,
    );
    compare(wanted, corps, battle.odds, &battle.modifiers, &ladder(battle.column as i8), "battle", found);
    if let Some(expected) = &wanted.result {
        let attacker =
            if battle.attacker_armour_loss { "C".to_owned() } else { battle.attacker_loss.to_string() };
        found.same("battle, result", expected, &format!("{attacker}/{}", battle.defender_loss));
    }
}

/// Compares an attack that is only weighed: `ZONE`, or `ZONE with UNIT [at PLACE] and ...`.
fn weigh(words: &Words<'_>, wanted: &Weighed, found: &mut Findings) {
    let Some(attack) = &wanted.attack else {
        found.list.push("odds: `attack` must say which attack is weighed".into());
        return;
    };
    let list: Vec<&str> =
        attack.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    let read = match list.as_slice() {
        [zone] => words.zone(zone).map(|zone| (zone, words.full_group(zone))),
        [zone, "with", group @ ..] => words.zone(zone).and_then(|zone| Ok((zone, words.group(group)?))),
        _ => Err(format!("`{attack}` is not `ZONE with UNIT at PLACE and ...`")),
    };
    let Some((zone, group)) = found.take(read) else { return };
    if group.is_empty() {
        found.list.push(format!("odds of `{attack}`: nobody can attack"));
        return;
    }
    let odds = words.game.assess(words.state, zone, &group);
    let corps = (odds.attackers.0 + odds.attackers.1, odds.defenders.0 + odds.defenders.1);
    let column = if odds.is_legal() { ladder(odds.column() as i8) } else { "none".into() };
    compare(wanted, corps, odds.odds, &odds.modifiers, &column, &format!("odds of `{attack}`"), found);
    if let Some(waive) = wanted.may_waive {
        found.same(&format!("odds of `{attack}`, may be waived"), &waive, &odds.may_waive);
    }
}
