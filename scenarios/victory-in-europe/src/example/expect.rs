//! What must hold after a step.

use std::collections::BTreeMap;

use sandtable_core::{Game, Index, Stepwise};
use sandtable_victory_in_europe::event::Battle;
use sandtable_victory_in_europe::phase::Phase;
use sandtable_victory_in_europe::place::NO_INDEX;
use sandtable_victory_in_europe::rules::Entry;
use sandtable_victory_in_europe::supply::Line;
use sandtable_victory_in_europe::{Action, Event, Nation, State, UnitId, VictoryInEurope};

use super::format::{Books, Expect, Report, Shot};
use super::orders::Orders;
use super::position::{ENTRIES, STANDINGS, date, fact, is_off, standing};
use super::words::{Pick, Unit, Words, force, nation, phase, phase_name, target, team, team_name};
use sandtable_scenarios::example::words::{Findings, listed, split_line};

/// What does not hold.
pub(super) fn check(game: &VictoryInEurope, state: &State, expect: &Expect, events: &[Event]) -> Vec<String> {
    let words = Words { game };
    let mut found = Findings::default();
    for (lines, exact) in [(&expect.units, true), (&expect.among, false)] {
        for line in lines {
            if let Err(error) = content(words, state, line, exact) {
                found.list.push(format!("units: {error}"));
            }
        }
    }
    off_the_map(words, state, expect, &mut found);
    if let Some(lost) = &expect.lost
        && let Some(expected) = found.take(losses_expected(words, lost))
    {
        found.same("lost", &expected, &losses(words, events));
    }
    holdings(words, state, expect, &mut found);
    politics(state, expect, &mut found);
    supply(words, state, expect, &mut found);
    production(words, state, expect, &mut found);
    combat(words, expect, events, &mut found);
    stage(words, state, expect, &mut found);
    decisions(words, state, expect, &mut found);
    found.list
}

/// Compares a place with `place: unit, unit`: exactly these, or these among others.
fn content(words: Words<'_>, state: &State, line: &str, exact: bool) -> Result<(), String> {
    let (name, items) = split_line(line)?;
    let place = words.place(name)?;
    let there: Vec<UnitId> = state.stack(place).collect();
    let mut wanted = Vec::new();
    for item in &items {
        wanted.push(words.unit(item).map_err(|error| format!("`{line}`: {error}"))?);
    }
    let all = !exact || wanted.len() == there.len();
    if all && pairs_off(words, state, &wanted, &mut there.clone()) {
        return Ok(());
    }
    let present: Vec<String> = there.iter().map(|&unit| words.shown(state, unit)).collect();
    let expected: Vec<String> = items.iter().map(|&item| item.to_owned()).collect();
    Err(format!("{name}: expected {}, found {}", listed(&expected), listed(&present)))
}

/// Whether each unit in words is a different one of these.
fn pairs_off(words: Words<'_>, state: &State, wanted: &[Unit], there: &mut Vec<UnitId>) -> bool {
    let [first, rest @ ..] = wanted else { return true };
    for at in 0..there.len() {
        if words.fits(state, first, there[at]) {
            let unit = there.remove(at);
            if pairs_off(words, state, rest, there) {
                return true;
            }
            there.insert(at, unit);
        }
    }
    false
}

fn off_the_map(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    for (list, gone, what) in [(&expect.pool, false, "in the pool"), (&expect.gone, true, "out of the game")]
    {
        for text in list {
            let Some(unit) = found.take(words.unit(text)) else { continue };
            let is =
                words.game.unit_ids().any(|at| words.picks(state, &unit.pick, at) && is_off(state, at, gone));
            if !is {
                found.list.push(format!("{text}: expected {what}, found elsewhere"));
            }
        }
    }
}

/// Steps by nation and kind of unit; factories by area.
type Steps = BTreeMap<(String, String), u32>;

fn tally(steps: &Steps) -> String {
    let list: Vec<String> = steps
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|((a, b), count)| format!("{a} {b} {count}"))
        .collect();
    listed(&list)
}

fn losses(words: Words<'_>, events: &[Event]) -> String {
    let game = words.game;
    let mut sums = Steps::new();
    for event in events {
        let (key, steps) = match *event {
            Event::Loss { unit, steps, .. } => {
                let key = (game.printed_nation(unit).id().to_owned(), game.kind(unit).id().to_owned());
                (key, steps)
            }
            Event::FactoryLoss { area, steps } => (("factory".to_owned(), words.id(area).to_owned()), steps),
            _ => continue,
        };
        *sums.entry(key).or_default() += u32::from(steps);
    }
    tally(&sums)
}

fn losses_expected(words: Words<'_>, items: &[String]) -> Result<String, String> {
    let game = words.game;
    let mut sums = Steps::new();
    for item in items {
        let (key, steps) = if let Some(rest) = item.strip_prefix("factory ") {
            let (area, steps) = rest.split_once(' ').unwrap_or((rest, "1"));
            words.area(area)?;
            let steps = steps.parse().map_err(|_| format!("`{steps}` is not a number of steps"))?;
            (("factory".to_owned(), area.to_owned()), steps)
        } else {
            let unit = words.unit(item).map_err(|error| format!("lost: {error}"))?;
            let steps = unit.steps.ok_or_else(|| format!("lost: `{item}` says no steps"))?;
            let key = match &unit.pick {
                Pick::Unit(at) => (game.printed_nation(*at).id(), game.kind(*at).id()),
                Pick::Kind(nation, name) => {
                    let kind = game.rules.unit_types.iter().find(|kind| kind.id == *name);
                    (nation.id(), kind.map_or(name.as_str(), |kind| kind.kind.id()))
                }
            };
            ((key.0.to_owned(), key.1.to_owned()), u32::from(steps))
        };
        *sums.entry(key).or_default() += steps;
    }
    Ok(tally(&sums))
}

fn holdings(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    for (name, areas) in &expect.control {
        let Some(nation) = found.take(nation(name)) else { continue };
        for name in areas {
            for area in found.take(words.areas(name)).unwrap_or_default() {
                let holder = state.controller(area).id();
                found.same(&format!("control of {}", words.id(area)), &nation.id(), &holder);
            }
        }
    }
    for (name, &steps) in &expect.factories {
        if let Some(area) = found.take(words.area(name)) {
            found.same(&format!("factory of {name}"), &steps, &state.factory(area));
        }
    }
    for (name, &points) in &expect.command {
        if let Some(force) = found.take(force(name)) {
            found.same(&format!("command of {name}"), &points, &state.command_of(force));
        }
    }
    for (name, cards) in &expect.hands {
        let Some(force) = found.take(force(name)) else { continue };
        let mut wanted = cards.clone();
        wanted.sort();
        let hand = state.cards.hand[force.index()];
        let held = hand.iter().filter(|&&card| card != NO_INDEX);
        let mut held: Vec<String> =
            held.map(|&card| words.game.rules.cards[card as usize].id.clone()).collect();
        held.sort();
        found.same(&format!("hand of {name}"), &listed(&wanted), &listed(&held));
    }
}

fn entry_name(entry: Entry) -> &'static str {
    ENTRIES.iter().find(|(_, known)| *known == entry).map_or("", |(name, _)| name)
}

fn politics(state: &State, expect: &Expect, found: &mut Findings) {
    for (name, text) in &expect.standing {
        let Some(of) = found.take(nation(name)) else { continue };
        let Some((wanted, patron)) = found.take(standing(of, text)) else { continue };
        let is = state.politics.standing(of);
        let id = |standing| STANDINGS.iter().find(|(_, known)| *known == standing).map_or("", |(id, _)| id);
        found.same(&format!("standing of {name}"), &id(wanted), &id(is));
        if text.contains(' ') {
            found.same(&format!("patron of {name}"), &patron.id(), &state.politics.patron(of).id());
        }
    }
    for (name, wanted) in &expect.entry {
        let is = match nation(name) {
            Ok(Nation::Italy) => state.politics.italy,
            Ok(Nation::Ussr) => state.politics.ussr,
            Ok(Nation::Usa) => state.politics.usa,
            _ => {
                found.list.push(format!("`{name}` has no entry; italy, ussr and usa have"));
                continue;
            }
        };
        found.same(&format!("entry of {name}"), &wanted.as_str(), &entry_name(is));
    }
    let mut copy = state.clone();
    for (name, &wanted) in &expect.dates {
        if let Some(turn) = found.take(date(&mut copy.politics, name).map(|turn| *turn)) {
            found.same(name, &wanted, &turn);
        }
    }
    for (list, wanted) in [(&expect.facts, true), (&expect.no_facts, false)] {
        for name in list {
            if let Some(is) = found.take(fact(&mut copy, name).map(|fact| *fact)) {
                found.same(name, &wanted, &is);
            }
        }
    }
}

fn supply(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    for (lists, wanted) in [(&expect.supplied, true), (&expect.cut_off, false)] {
        for (name, areas) in lists {
            let Some(nation) = found.take(nation(name)) else { continue };
            let reached = words.game.supplied_areas(state, nation, Line::Supply);
            for area in areas {
                if let Some(at) = found.take(words.area(area)) {
                    let text = |line| if line { "a line of supply" } else { "no line of supply" };
                    found.same(&format!("{area} for {name}"), &text(wanted), &text(reached.contains(at)));
                }
            }
        }
    }
    for (border, &limit) in &expect.limits {
        let Some((a, b)) = border.split_once(' ') else {
            found.list.push(format!("limits: `{border}` is not two areas, as in `kiev kharkov`"));
            continue;
        };
        let (Some(a), Some(b)) = (found.take(words.area(a)), found.take(words.area(b))) else { continue };
        found.same(&format!("limit of the border {border}"), &limit, &words.game.border_limit(state, a, b));
    }
}

fn production(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    for (name, books) in &expect.account {
        let Some(nation) = found.take(nation(name)) else { continue };
        let account = words.game.account(state, nation);
        let Books { resources, factories, aid, points, urals, leningrad, growth } = *books;
        for (what, wanted, is) in [
            ("resources", resources, account.resources),
            ("factories", factories, account.factories),
            ("aid", aid, account.aid),
            ("points", points, account.points),
            ("points of the Urals", urals, account.urals),
            ("points of Leningrad", leningrad, account.leningrad),
            ("growth", growth, account.growth[0]),
        ] {
            if let Some(wanted) = wanted {
                found.same(&format!("{name}, {what}"), &wanted, &is);
            }
        }
    }
    for (name, &points) in &expect.points {
        match found.take(nation(name)).and_then(|nation| state.budget.points.get(nation.index()).copied()) {
            Some(is) => found.same(&format!("points of {name}"), &points, &is),
            None => found.list.push(format!("`{name}` has no points: it is no major power")),
        }
    }
}

fn combat(words: Words<'_>, expect: &Expect, events: &[Event], found: &mut Findings) {
    if let Some(shots) = &expect.fired {
        fired(words, shots, events, found);
    }
    if let Some(report) = &expect.battle {
        let ended = |event: &Event| if let Event::BattleEnds(battle) = event { Some(*battle) } else { None };
        match events.iter().rev().find_map(ended) {
            Some(battle) => fought(words, report, &battle, found),
            None => found.list.push("battle: none has ended".into()),
        }
    }
    let told: Vec<String> = events.iter().filter_map(|event| words.game.describe_event(event)).collect();
    for wanted in &expect.events {
        if !told.iter().any(|fact| fact.contains(wanted.as_str())) {
            found.list.push(format!("events: expected `{wanted}`, found {}", told.join("; ")));
        }
    }
    for unwanted in &expect.no_events {
        if let Some(fact) = told.iter().find(|fact| fact.contains(unwanted.as_str())) {
            found.list.push(format!("events: expected nothing of `{unwanted}`, found {fact}"));
        }
    }
}

fn fired(words: Words<'_>, shots: &[Shot], events: &[Event], found: &mut Findings) {
    let game = words.game;
    let volleys: Vec<&Event> = events.iter().filter(|event| matches!(event, Event::Fired { .. })).collect();
    if volleys.len() != shots.len() {
        let told: Vec<String> = volleys.iter().filter_map(|event| game.describe_event(event)).collect();
        found.list.push(format!("fired: expected {} shots, found {}", shots.len(), listed(&told)));
        return;
    }
    for (number, (shot, event)) in shots.iter().zip(volleys).enumerate() {
        let Event::Fired { unit, target: at, fire, dice, hits } = *event else { continue };
        let label = |part: &str| format!("shot {} ({}), {part}", number + 1, shot.unit);
        let same_unit = match (shot.unit.as_str(), unit) {
            ("flak", unit) => unit == UnitId::NONE,
            (_, UnitId::NONE) => false,
            (text, unit) => match words.unit(text) {
                // Of a unit in words its nation and type count; where it stands now does not.
                Ok(wanted) => words.picks(&State::empty(), &wanted.pick, unit),
                Err(error) => {
                    found.list.push(error);
                    continue;
                }
            },
        };
        if !same_unit {
            let is = if unit == UnitId::NONE { "flak" } else { &game.rules.units[unit.at()].id };
            found.list.push(format!("shot {}: expected {}, found {is}", number + 1, shot.unit));
            continue;
        }
        if let Some(name) = &shot.at
            && let Some(wanted) = found.take(target(name))
        {
            found.same(&label("target"), &wanted.name(), &at.name());
        }
        for (what, wanted, is) in
            [("firepower", shot.fire, fire), ("dice", shot.dice, dice), ("hits", shot.hits, hits)]
        {
            if let Some(wanted) = wanted {
                found.same(&label(what), &wanted, &is);
            }
        }
    }
}

fn fought(words: Words<'_>, wanted: &Report, battle: &Battle, found: &mut Findings) {
    if let Some(place) = &wanted.place
        && let Some(place) = found.take(words.place(place))
    {
        found.same("battle, place", &words.id(place), &words.id(battle.place));
    }
    if let Some(name) = &wanted.attacker {
        found.same("battle, attacker", &name.as_str(), &team_name(battle.attacker));
    }
    if let Some(rounds) = wanted.rounds {
        found.same("battle, rounds", &rounds, &battle.rounds);
    }
    for (what, pair, is) in [
        ("units", wanted.units, battle.units),
        ("steps", wanted.steps, battle.steps),
        ("firepower times dice", wanted.weight, battle.dice),
        ("hits", wanted.hits, battle.hits),
        ("steps lost", wanted.lost, battle.lost),
    ] {
        if let Some([a, d]) = pair {
            found.same(
                &format!("battle, {what}"),
                &format!("{a} to {d}"),
                &format!("{} to {}", is[0], is[1]),
            );
        }
    }
    for (what, wanted, is) in [
        ("won", wanted.won, battle.won),
        ("exploitation", wanted.exploitation, battle.exploitation),
        ("winter", wanted.winter, battle.winter),
    ] {
        if let Some(wanted) = wanted {
            found.same(&format!("battle, {what}"), &wanted, &is);
        }
    }
}

fn stage(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let game = words.game;
    if let Some(turn) = expect.turn {
        found.same("turn", &turn, &state.turn);
    }
    if let Some(wanted) = &expect.phase
        && found.take(phase(wanted)).is_some()
    {
        found.same("phase", &wanted.as_str(), &phase_name(state.phase));
    }
    for (what, wanted, is) in
        [("team in turn", &expect.team, state.mover), ("Player 1", &expect.first, state.first)]
    {
        if let Some(wanted) = wanted
            && let Some(wanted) = found.take(team(wanted))
        {
            found.same(what, &team_name(wanted), &team_name(is));
        }
    }
    if let Some(wanted) = &expect.decides
        && let Some(wanted) = found.take(force(wanted))
    {
        let who = if state.phase == Phase::Over { "nobody" } else { game.decider(state).id() };
        found.same("force that decides", &wanted.id(), &who);
    }
    if let Some(text) = &expect.asked
        && let Some(wanted) = found.take(words.unit(text))
    {
        match state.pending.unit() {
            Some(unit) if words.fits(state, &wanted, unit) => {}
            Some(unit) => {
                let is = words.shown(state, unit);
                found.list.push(format!("asked: expected {text}, found {is}"));
            }
            None => found.list.push(format!("asked: expected {text}, found nobody")),
        }
    }
    if let Some(wanted) = &expect.winner
        && let Some(wanted) = found.take(force(wanted))
    {
        let who = game.winner(state).map_or("nobody", |force| force.id());
        found.same("winner", &wanted.id(), &who);
    }
    if let Some(wanted) = &expect.end_reason {
        let end_reason = game.outcome(state).map_or("none", |outcome| outcome.end_reason);
        found.same("end_reason", &wanted.as_str(), &end_reason);
    }
}

fn decisions(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let game = words.game;
    if let Some(choices) = expect.choices {
        let mut open = game.open_actions(state);
        open.retain(|action| *action != Action::Pass);
        if open.len() != choices {
            let list: Vec<String> =
                open.iter().take(12).map(|&action| game.describe(state, action)).collect();
            found.list.push(format!(
                "choices: expected {choices}, found {} ({})",
                open.len(),
                list.join("; ")
            ));
        }
    }
    let orders = Orders { words, state };
    let fault = |phrase: &str| orders.order(phrase).and_then(|order| order.fault(game, state));
    found.decisions(&expect.legal, &expect.illegal, fault);
}
