#![allow(clippy::doc_markdown)] // the name of the game is no path

//! What the scripted player does away from the front on land: wars are declared in their time, none foolishly, fronts are
//! paid for, the Allies land in the West. Few games, with fixed seeds.

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_core::{Game, Index};
use sandtable_eurofront::ids::{Account, Camp, Faction, Front, Hexes, NationId};
use sandtable_eurofront::{EuroFront, Event};

fn game(scenario: &str) -> EuroFront {
    let opened = sandtable_scenarios_eurofront::open(&format!("eurofront/{scenario}"), &[]).unwrap();
    EuroFront::new(opened.into_rules()).unwrap()
}

/// A game between scripted players: its facts, each with the month in which it happened, from 0.
fn course(game: &EuroFront, number: u64, mut note: impl FnMut(&Decision<'_, EuroFront>)) -> Vec<(u8, Event)> {
    let knowledge = EuroKnowledge::new(game);
    let agent = || "scripted".parse::<AgentSpec>().unwrap().build(&knowledge).unwrap();
    let agents: Vec<_> = game.factions().map(|_| agent()).collect();
    let mut events: Vec<Event> = Vec::new();
    play_game(game, agents, &mut Streams::new(1, number, game.sides().len()), &mut events, &mut note);
    let mut now = 0;
    let dated = events.into_iter().map(|event| {
        if let Event::MonthBegins { month } = event {
            now = month;
        }
        (now, event)
    });
    dated.collect()
}

/// Wars declared, with the month and the name of the victim; none may be treason.
fn wars(game: &EuroFront, facts: &[(u8, Event)]) -> Vec<(u8, Faction, String)> {
    let mut wars = Vec::new();
    for &(month, event) in facts {
        if let Event::WarDeclared { by, on, treason } = event {
            assert!(!treason, "treason against {}", name(game, on));
            wars.push((month, by, name(game, on)));
        }
    }
    wars
}

fn name(game: &EuroFront, nation: NationId) -> String {
    game.rules.nations[nation.at()].id.clone()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn the_axis_attacks_the_low_countries_and_nobody_foolishly() {
    let game = game("1940A");
    for number in 0..2 {
        let facts = course(&game, number, |_| ());
        let wars = wars(&game, &facts);
        let belgium = (0, Faction::Axis, "belgium".to_owned());
        assert!(wars.contains(&belgium), "game {number}: {wars:?}");
        let aims = ["belgium", "holland", "yugoslavia", "greece"];
        assert!(wars.iter().all(|(_, _, on)| aims.contains(&on.as_str())), "game {number}: {wars:?}");
    }
}

/// That the front is paid for is a floor: at least once in the war the Axis sets its allotment anew, to half of the first or
/// more.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn the_axis_attacks_russia_in_june_and_pays_for_its_front() {
    let game = game("1941");
    let facts = course(&game, 0, |_| ());
    let wars = wars(&game, &facts);
    assert_eq!(wars.first(), Some(&(0, Faction::Axis, "ussr".to_owned())), "{wars:?}");
    let east = |fact: &(u8, Event)| matches!(fact.1, Event::Allotted { account: Account::AxisEast, points } if points >= 20);
    assert!(facts.iter().any(east), "the East is left to itself");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn poland_falls_in_1939() {
    let game = game("1939");
    let facts = course(&game, 0, |_| ());
    let beaten = facts.iter().find_map(|&(month, event)| match event {
        Event::Defeated { nation } if name(&game, nation) == "poland" => Some(month),
        _ => None,
    });
    assert!(beaten.is_some_and(|month| month <= 2), "{beaten:?}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn the_allies_land_in_the_west_in_1944() {
    let game = game("1944");
    let lands = ["france", "belgium", "holland", "germany", "denmark"].map(|land| game.land(land));
    let west = lands.iter().fold(Hexes::EMPTY, Hexes::or);
    for number in 0..2 {
        let mut ashore = 0;
        course(&game, number, |decision| {
            let state = decision.state;
            if state.month == 3 {
                let own = state.standing[Camp::Coalition.index()];
                let own = own.and(&game.sets().of_faction[Faction::Allies.index()]);
                let there = |at| west.contains(at) && game.front(at) == Front::West;
                ashore = ashore.max(own.iter().filter(|&block| there(state.at(block))).count());
            }
        });
        assert!(ashore >= 5, "game {number}: {ashore} units ashore in September");
    }
}
