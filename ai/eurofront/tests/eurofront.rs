//! The scripted player of EuroFront: how strong it is, that it is fair and repeatable, and that it wastes little.

use sandtable_ai::kit::{check_legality, check_secrecy};
use sandtable_ai::{AgentSpec, Streams, play_game};
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_eurofront::EuroFront;
use sandtable_eurofront::ids::Camp;

fn game() -> EuroFront {
    let opened = sandtable_scenarios_eurofront::open("eurofront/1936", &[]).unwrap();
    EuroFront::new(opened.into_rules()).unwrap()
}

/// Games of so many that a camp wins; the Nationalists' agent comes first.
fn wins(game: &EuroFront, agents: [&str; 2], camp: Camp, games: u64) -> u64 {
    let knowledge = EuroKnowledge::new(game);
    let won = |number: &u64| {
        let agents = agents.map(|spec| spec.parse::<AgentSpec>().unwrap().build(&knowledge).unwrap());
        let outcome = play_game(game, agents, &mut Streams::new(1, *number, 2), (), &mut ());
        outcome.winner == Some(camp as u8)
    };
    (0..games).filter(won).count() as u64
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn the_scripted_player_beats_random_play_on_both_sides() {
    const GAMES: u64 = 25;
    let game = game();
    for (agents, camp) in [(["scripted", "random"], Camp::Axis), (["random", "scripted"], Camp::Coalition)] {
        let won = wins(&game, agents, camp, GAMES);
        assert!(won + 1 >= GAMES, "{agents:?}: {won} of {GAMES}");
    }
}

/// Neither side wins more than seventy games of a hundred; with so few games a tenth is within the spread of the dice.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn neither_side_wins_all_games() {
    const GAMES: u64 = 40;
    let won = wins(&game(), ["scripted"; 2], Camp::Axis, GAMES);
    assert!((GAMES / 5..=GAMES * 4 / 5).contains(&won), "the Nationalists win {won} of {GAMES}");
}

#[test]
fn the_player_knows_nothing_hidden() {
    let game = game();
    let knowledge = EuroKnowledge::new(&game);
    for policy in ["scripted", "light"] {
        check_secrecy("eurofront/1936", &game, &knowledge, policy, 300);
    }
}

#[test]
fn its_choices_are_legal_wherever_it_is_asked() {
    let game = game();
    let knowledge = EuroKnowledge::new(&game);
    for policy in ["scripted", "light"] {
        check_legality(&game, &knowledge, policy, 3);
    }
}
