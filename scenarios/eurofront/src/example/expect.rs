//! What must hold after a step.

use sandtable_core::{Game, Hex, Stepwise};
use sandtable_eurofront::ids::{Blocks, Camp, Faction, Hexes, is_on_map, place};
use sandtable_eurofront::{Action, EuroFront, Event, State};

use super::format::{Aid, Expect};
use super::words::{
    Words, account, camp, faction, fire_name, phase, phase_name, volley_name, weather, weather_name,
};
use super::{orders, relations};
use sandtable_scenarios::example::words::{Findings, listed, split_line, unknown};

/// Compares a state with what is expected of it; `events` are those of the step.
pub(super) fn check(game: &EuroFront, state: &State, expect: &Expect, events: &[Event]) -> Vec<String> {
    let words = Words { game };
    let mut found = Findings::default();
    stacks(words, state, expect, &mut found);
    map(words, state, expect, &mut found);
    reach(words, state, expect, &mut found);
    blocks(words, state, expect, &mut found);
    happened(words, expect, events, &mut found);
    relations::check(words, state, expect, events, &mut found);
    at_sea(words, state, expect, events, &mut found);
    if let Some(aid) = &expect.aid {
        foreign_aid(words, state, aid, &mut found);
    }
    standing(words, state, expect, &mut found);
    found.decisions(&expect.legal, &expect.illegal, |phrase| orders::fault(game, state, phrase));
    found.list
}

// ---- blocks ----

fn stacks(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    for (lines, exact) in [(&expect.units, true), (&expect.among, false)] {
        for line in lines {
            let fault = stack(words, state, line, exact).unwrap_or_else(Some);
            found.list.extend(fault.map(|fault| format!("`{line}`: {fault}")));
        }
    }
    for (list, at) in [
        (&expect.eliminated, place::ELIMINATED),
        (&expect.removed, place::REMOVED),
        (&expect.awaiting, place::AWAITING),
    ] {
        for name in list {
            let Some(block) = found.take(words.block(name)) else { continue };
            found.same(name, &words.place_name(at), &words.place_name(state.at(block)));
        }
    }
}

/// What is wrong with the blocks of a hex.
fn stack(words: Words<'_>, state: &State, line: &str, exact: bool) -> Result<Option<String>, String> {
    let (text, items) = split_line(line)?;
    let there = words.stack(state, words.hex(text)?);
    let mut wanted = Blocks::EMPTY;
    let mut fits = true;
    for item in items {
        let unit = words.unit(item)?;
        wanted.insert(unit.id);
        fits &= there.contains(unit.id) && words.fits(state, &unit);
    }
    if fits && (!exact || wanted == there) {
        return Ok(None);
    }
    let is: Vec<String> = there.iter().map(|block| words.shown(state, block)).collect();
    Ok(Some(format!("found {}", listed(&is))))
}

fn blocks(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let game = words.game;
    for (name, &value) in &expect.value {
        let Some(block) = found.take(words.block(name)) else { continue };
        found.same(&format!("value of {name}"), &value, &i32::from(game.command_value(state, block)));
    }
    for (name, &orders) in &expect.orders {
        let Some(block) = found.take(words.block(name)) else { continue };
        found.same(&format!("orders of {name}"), &orders, &i32::from(game.orders_left(state, block)));
    }
    for (name, &speed) in &expect.speed {
        let Some(block) = found.take(words.block(name)) else { continue };
        found.same(&format!("speed of {name}"), &speed, &i32::from(game.speed(state, block)));
    }
    for (text, fire) in &expect.fire {
        let (name, passive) = match text.split_once(' ') {
            Some((name, "active")) => (name, false),
            Some((name, "passive")) => (name, true),
            _ => {
                found.list.push(format!("`{text}`: `block active` or `block passive` is expected"));
                continue;
            }
        };
        let Some(block) = found.take(words.block(name)) else { continue };
        let is = fire_name(game.firepower(state, block, passive));
        found.same(&format!("fire of {text}"), &fire.as_str(), &is);
    }
}

// ---- map ----

fn map(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    for (name, list) in &expect.control {
        let Some(hexes) = found.take(words.hexes(list)) else { continue };
        let known = words.game.factions().map(|faction| words.side(faction)).chain(["disputed", "nobody"]);
        let known: Vec<&str> = known.collect();
        if !known.contains(&name.as_str()) {
            found.list.push(unknown(name, "who may control a hex", known));
            continue;
        }
        for hex in hexes {
            found.same(&format!("control of {}", words.id(hex)), &name.as_str(), &control(words, state, hex));
        }
    }
    for (name, list) in &expect.garrisons {
        let (Some(camp), Some(hexes)) = (found.take(camp(name)), found.take(words.hexes(list))) else {
            continue;
        };
        let wanted: Hexes = hexes.into_iter().collect();
        same_hexes(words, &format!("garrisons of {name}"), &wanted, &state.garrisons(camp), found);
    }
    for (name, list) in &expect.defends {
        let (Some(camp), Some(hexes)) = (found.take(camp(name)), found.take(words.hexes(list))) else {
            continue;
        };
        for hex in hexes {
            let is = if state.is_battle(hex) {
                words.camp_name(state.original_defender(hex))
            } else {
                "no battle"
            };
            found.same(&format!("original defender of {}", words.id(hex)), &words.camp_name(camp), &is);
        }
    }
    for text in &expect.no_battle {
        let Some(hex) = found.take(words.hex(text)) else { continue };
        if state.is_battle(hex) {
            found.list.push(format!("{text}: expected no battle"));
        }
    }
    for (text, &repulse) in &expect.repulse {
        let Some(hex) = found.take(words.hex(text)) else { continue };
        let is = i32::from(words.game.repulse_up_to(state, hex));
        found.same(&format!("repulses in {text}"), &repulse, &is);
    }
}

/// Radius of headquarters and reach of supply.
fn reach(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let game = words.game;
    for (name, list) in &expect.commands {
        let (Some(block), Some(hexes)) = (found.take(words.block(name)), found.take(words.hexes(list)))
        else {
            continue;
        };
        let area = game.command_area(state, block);
        for hex in hexes {
            if !area.contains(hex) {
                found.list.push(format!("{name} does not command {}", words.id(hex)));
            }
        }
    }
    for (lists, wanted) in [(&expect.supplied, true), (&expect.cut_off, false)] {
        for (name, list) in lists {
            let (Some(camp), Some(hexes)) = (found.take(camp(name)), found.take(words.hexes(list))) else {
                continue;
            };
            let area = game.supplied_by(state, camp, &game.whole_network(state, camp));
            for hex in hexes {
                let word = |supplied| if supplied { "supplied" } else { "cut off" };
                let what = format!("{} for {name}", words.id(hex));
                found.same(&what, &word(wanted), &word(area.contains(hex)));
            }
        }
    }
}

/// Who controlled a hex when the phase began.
fn control(words: Words<'_>, state: &State, hex: Hex) -> &'static str {
    if state.disputed.contains(hex) {
        return "disputed";
    }
    let owner = Camp::ALL.into_iter().find(|camp| state.friendly[camp.index()].contains(hex));
    match owner {
        None => "nobody",
        Some(Camp::Coalition) if state.owners.is_soviet(hex) => words.side(Faction::Soviets),
        Some(Camp::Coalition) => words.side(Faction::Allies),
        Some(Camp::Axis) => words.side(Faction::Axis),
    }
}

fn same_hexes(words: Words<'_>, what: &str, wanted: &Hexes, is: &Hexes, found: &mut Findings) {
    let names = |set: &Hexes| listed(&set.iter().map(|hex| words.id(hex)).collect::<Vec<_>>());
    found.same(what, &names(wanted), &names(is));
}

// ---- events of the step ----

/// What holds at sea.
fn at_sea(words: Words<'_>, state: &State, expect: &Expect, events: &[Event], found: &mut Findings) {
    let game = words.game;
    let side = |camp: Option<Camp>| camp.map_or("nobody", |camp| words.camp_name(camp));
    if let Some(name) = &expect.supremacy {
        let wanted = if name == "nobody" { Some(None) } else { found.take(camp(name)).map(Some) };
        if let Some(wanted) = wanted {
            found.same("supremacy", &side(wanted), &side(state.sea.supremacy));
        }
    }
    for (name, who) in &expect.seas {
        let Some(sea) = found.take(words.sea(name)) else { continue };
        let is = Faction::ALL.into_iter().find(|faction| state.sea.controlled[faction.index()].contains(sea));
        found.same(&format!("control of {name}"), &who.as_str(), &is.map_or("nobody", Faction::id));
    }
    for (name, &routes) in &expect.routes {
        let Some(camp) = found.take(camp(name)) else { continue };
        found.same(&format!("naval routes of {name}"), &routes, &i32::from(game.usable_routes(state, camp)));
    }
    if let Some(wanted) = &expect.storms {
        let is: Vec<String> = state.sea.storms.iter().map(|sea| words.sea_id(sea)).collect();
        found.same("storms", &listed(wanted), &listed(&is));
    }
    for (name, list) in &expect.support {
        let (Some(block), Some(hexes)) = (found.take(words.block(name)), found.take(words.hexes(list)))
        else {
            continue;
        };
        let wanted: Hexes = hexes.into_iter().collect();
        same_hexes(words, &format!("support of {name}"), &wanted, &game.support_area(state, block), found);
    }
    for line in &expect.beachheads {
        let Some((name, place)) = line.split_once(' ') else {
            found.list.push(format!("`{line}`: where is the beachhead?"));
            continue;
        };
        let Some(block) = found.take(words.block(name)) else { continue };
        let is = match state.at(block) {
            place::READY => "ready".into(),
            place::PREPARING => "preparing".into(),
            place::ELIMINATED => "eliminated".into(),
            at => {
                let disrupted = if game.beachhead_is_disrupted(state, block) { " disrupted" } else { "" };
                format!("in {}{disrupted}", words.id(at))
            }
        };
        found.same(name, &place, &is.as_str());
    }
    let count = |count: u8, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let voyages: Vec<String> = events
        .iter()
        .filter_map(|event| match *event {
            Event::Intercepted { block, dice, hits, turned_back } => Some(format!(
                "{} {dice} dice {}{}",
                words.block_id(block),
                count(hits, "hit"),
                if turned_back { " turned_back" } else { "" }
            )),
            _ => None,
        })
        .collect();
    let cuts: Vec<String> = events
        .iter()
        .filter_map(|event| match *event {
            Event::SupplyIntercepted { at, dice, cut } => {
                Some(format!("{} {dice} dice {}", words.id(at), if cut { "cut" } else { "open" }))
            }
            _ => None,
        })
        .collect();
    for (what, wanted, is) in [("voyages", &expect.voyages, voyages), ("cuts", &expect.cuts, cuts)] {
        if let Some(wanted) = wanted {
            found.same(what, &listed(wanted), &listed(&is));
        }
    }
}

fn happened(words: Words<'_>, expect: &Expect, events: &[Event], found: &mut Findings) {
    let lines =
        |line: &dyn Fn(&Event) -> Option<String>| -> Vec<String> { events.iter().filter_map(line).collect() };
    let fired = lines(&|event| match *event {
        Event::Fired { volley, at, dice, hits, repulses } => {
            let plural =
                |count: u8, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
            let mut line =
                format!("{} {} {dice} dice {}", volley_name(volley), words.id(at), plural(hits, "hit"));
            if repulses > 0 {
                line = format!("{line} {}", plural(repulses, "repulse"));
            }
            Some(line)
        }
        _ => None,
    });
    let rounds = lines(&|event| match *event {
        Event::Round { at, supported, assault, .. } => Some(format!(
            "{} {}{}",
            words.id(at),
            if supported { "supported" } else { "unsupported" },
            if assault { " assault" } else { "" }
        )),
        _ => None,
    });
    let lost = lines(&|event| match *event {
        Event::StepLost { block, cause, .. } | Event::Eliminated { block, cause } => {
            Some(format!("{} {}", words.block_id(block), cause.id()))
        }
        _ => None,
    });
    let blockade = lines(&|event| match *event {
        Event::Blockade { at, roll, up_to, .. } => Some(format!("{} {roll} of {up_to}", words.id(at))),
        _ => None,
    });
    for (what, wanted, is) in [
        ("volleys", &expect.fired, fired),
        ("rounds", &expect.rounds, rounds),
        ("losses", &expect.lost, lost),
        ("blockade", &expect.blockade, blockade),
    ] {
        if let Some(wanted) = wanted {
            found.same(what, &listed(wanted), &listed(&is));
        }
    }
    for (name, &points) in &expect.income {
        let Some(own) = found.take(account(name)) else { continue };
        let is = events.iter().rev().find_map(|event| match *event {
            Event::Income { account, points, .. } if account == own => Some(i32::from(points)),
            _ => None,
        });
        let is = is.map_or("no production".to_owned(), |points| points.to_string());
        found.same(&format!("income of {name}"), &points.to_string(), &is);
    }
    if let Some(wanted) = &expect.claim {
        let is = events.iter().find_map(|event| match *event {
            Event::Recognition { by, level, rolls: [a, b], granted } => {
                let verdict = if granted { "granted" } else { "refused" };
                Some(format!("{} {level}: {a} {b} {verdict}", words.camp_name(by)))
            }
            _ => None,
        });
        found.same("claim", wanted, &is.unwrap_or_else(|| "none".into()));
    }
}

// ---- aid, calendar, decisions ----

fn foreign_aid(words: Words<'_>, state: &State, aid: &Aid, found: &mut Findings) {
    let is = &state.civil_war;
    let railhead = |at: Hex| if is_on_map(at) { words.id(at) } else { "none".into() };
    let placed = |text: &String, found: &mut Findings| {
        if text == "none" { Some(text.clone()) } else { found.take(words.hex(text)).map(|hex| words.id(hex)) }
    };
    if let Some(points) = aid.french {
        found.same("French aid", &points, &is.french_aid);
    }
    if let Some(list) = &aid.railheads
        && let Some(hexes) = found.take(words.hexes(list))
    {
        let wanted: Hexes = hexes.into_iter().collect();
        let now: Hexes = is.french.iter().copied().filter(|&hex| is_on_map(hex)).collect();
        same_hexes(words, "French railheads", &wanted, &now, found);
    }
    for (what, wanted, now) in
        [("Soviet railhead", &aid.soviet, is.soviet), ("Axis railhead", &aid.axis, is.axis)]
    {
        if let Some(wanted) = wanted.as_ref().and_then(|text| placed(text, found)) {
            found.same(what, &wanted, &railhead(now));
        }
    }
    if let Some(points) = aid.axis_points {
        found.same("Axis aid", &points, &is.axis_aid);
    }
    if let Some(claimed) = aid.claimed {
        found.same("recognition claimed", &claimed, &is.claimed);
    }
    if let Some(ended) = aid.ended {
        found.same("intervention ended", &ended, &is.intervention_ended);
    }
}

fn standing(words: Words<'_>, state: &State, expect: &Expect, found: &mut Findings) {
    let game = words.game;
    for (name, &points) in &expect.points {
        let Some(account) = found.take(account(name)) else { continue };
        found.same(&format!("points of {name}"), &points, &i32::from(state.points[account.index()]));
    }
    if let Some(level) = expect.level {
        found.same("level", &level, &i32::from(state.civil_war.level));
    }
    if let Some(month) = &expect.month {
        found.same("month", month, &game.month(state).id);
    }
    if let Some(fortnight) = expect.fortnight {
        found.same("fortnight", &fortnight, &state.fortnight);
    }
    if let Some(wanted) = expect.weather.as_deref().and_then(|name| found.take(weather(name))) {
        found.same("weather", &weather_name(wanted), &weather_name(state.weather[0]));
    }
    if let Some(wanted) = expect.phase.as_deref().and_then(|name| found.take(phase(name))) {
        found.same("phase", &phase_name(wanted), &phase_name(state.phase));
    }
    if let Some(wanted) = expect.decides.as_deref().and_then(|name| found.take(faction(name))) {
        found.same("decides", &words.side(wanted), &words.side(state.decider));
    }
    if let Some(wanted) = &expect.subject {
        found.same("subject", wanted, &words.block_id(state.subject));
    }
    if let Some(choices) = expect.choices {
        let open = game.open_actions(state).into_iter().filter(|&action| action != Action::Pass).count();
        found.same("choices", &choices, &open);
    }
    if let Some(wanted) = &expect.winner {
        let is = EuroFront::winner(state).map_or("nobody", |camp| words.camp_name(camp));
        found.same("winner", &wanted.as_str(), &is);
    }
    if let Some(wanted) = &expect.end_reason {
        let is = Game::outcome(game, state).map_or("none", |outcome| outcome.end_reason);
        found.same("end reason", &wanted.as_str(), &is);
    }
}
