#![allow(clippy::doc_markdown)] // the name of the game is no path

//! The Winter War of EuroFront: its players know by which roads it is decided, and what it may cost.

use sandtable_ai::kit::{check_legality, check_secrecy};
use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_eurofront::EuroFront;
use sandtable_eurofront::ids::{Camp, Faction};

fn winter_war() -> EuroFront {
    let opened = sandtable_scenarios_eurofront::open("eurofront/1939A", &[]).unwrap();
    EuroFront::new(opened.into_rules()).unwrap()
}

/// Plays a game, the agent of the Axis comes first; the camp that wins.
fn winner(
    game: &EuroFront,
    agents: [&str; 2],
    number: u64,
    note: &mut impl FnMut(&Decision<'_, EuroFront>),
) -> Option<u8> {
    let knowledge = EuroKnowledge::new(game);
    let of = |faction: Faction| agents[faction.camp().index()].parse::<AgentSpec>().unwrap();
    let agents: Vec<_> = game.factions().map(|faction| of(faction).build(&knowledge).unwrap()).collect();
    let mut streams = Streams::new(1, number, agents.len());
    play_game(game, agents, &mut streams, (), note).winner
}

/// Random Finns ask for an armistice at any time: who has spent two values of headquarters for nothing has lost by then.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn either_side_beats_random_play() {
    const GAMES: u64 = 40;
    let game = winter_war();
    for (agents, camp) in [(["scripted", "random"], Camp::Axis), (["random", "scripted"], Camp::Coalition)] {
        let won = (0..GAMES)
            .filter(|&number| winner(&game, agents, number, &mut |_| {}) == Some(camp as u8))
            .count() as u64;
        assert!(won + 1 >= GAMES, "{agents:?}: {won} of {GAMES}");
    }
}

/// Of the set-ups that the rulebook leaves open this is one in which neither side has won beforehand: with a step more at
/// Petrozavodsk and the reserves of Tampere elsewhere the Soviets win all games between these players.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn neither_side_has_won_before_it_begins() {
    const GAMES: u64 = 60;
    let game = winter_war();
    let won = (0..GAMES)
        .filter(|&number| winner(&game, ["scripted"; 2], number, &mut |_| {}) == Some(Camp::Axis as u8))
        .count();
    assert!((15..=45).contains(&won), "{won} of {GAMES}");
}

/// Who is engaged in Tampere cuts the supply of all Finns (18.35, 21.481): the Soviets go there, whatever it takes.
#[test]
fn the_soviets_cut_the_supply_of_finland() {
    let game = winter_war();
    let tampere = game.rules.place("tampere").unwrap();
    let mut engaged = false;
    winner(&game, ["scripted"; 2], 0, &mut |decision: &Decision<'_, EuroFront>| {
        engaged |= decision.state.occupied[Camp::Coalition.index()].contains(tampere);
    });
    assert!(engaged);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn the_player_is_fair_in_the_winter_war() {
    let game = winter_war();
    let knowledge = EuroKnowledge::new(&game);
    check_secrecy("eurofront/1939A", &game, &knowledge, "scripted", 50);
    check_legality(&game, &knowledge, "scripted", 3);
}
