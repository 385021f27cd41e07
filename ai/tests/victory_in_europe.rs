//! The scripted player of Victory in Europe: how strong it is, and that it is fair and repeatable.

use sandtable_ai::victory_in_europe::VictoryBrain;
use sandtable_ai::{AgentSpec, Brain, Streams, play_game};
use sandtable_core::{Game, Outcome, Rng64, Seat, Turn};
use sandtable_victory_in_europe::{Action, VictoryInEurope};

fn game(scenario: &str) -> VictoryInEurope {
    let scenario = sandtable_scenarios::open(&format!("victory-in-europe/{scenario}"), &[]).unwrap();
    VictoryInEurope::new(scenario.into_victory_in_europe()).unwrap()
}

/// Plays a game; agents by team. Also returns all that was chosen.
fn play(
    game: &VictoryInEurope,
    brain: &VictoryBrain,
    teams: [&str; 2],
    number: u64,
) -> (Outcome, Vec<Action>) {
    let mut agents: Vec<_> = game
        .sides()
        .iter()
        .map(|side| teams[side.team as usize].parse::<AgentSpec>().unwrap().build(brain).unwrap())
        .collect();
    let mut streams = Streams::new(1, number, game.sides().len());
    let mut chosen = Vec::new();
    let mut note = |decision: &sandtable_ai::Decision<'_, VictoryInEurope>| chosen.push(decision.action);
    let outcome = play_game(game, &mut agents, &mut streams, (), &mut note);
    (outcome, chosen)
}

/// Games of so many that the scripted player of a team wins against random play.
fn wins(scenario: &str, team: u8, games: u64) -> usize {
    let game = game(scenario);
    let brain = VictoryBrain::new(&game);
    let teams = if team == 0 { ["scripted", "random"] } else { ["random", "scripted"] };
    (0..games).filter(|&number| play(&game, &brain, teams, number).0.winner == Some(team)).count()
}

#[test]
fn the_scripted_axis_beats_random_play() {
    for scenario in ["campaign-1939", "bagration-1944"] {
        let won = wins(scenario, 0, 25);
        assert!(won >= 24, "{won} of 25 in {scenario}");
    }
}

#[test]
fn the_scripted_allies_beat_random_play() {
    for scenario in ["campaign-1939", "bagration-1944"] {
        let won = wins(scenario, 1, 25);
        assert!(won >= 24, "{won} of 25 in {scenario}");
    }
}

#[test]
fn equal_seeds_give_equal_games() {
    let game = game("stalingrad-1942");
    let brain = VictoryBrain::new(&game);
    let [(first, one), (second, other)] = [3, 3].map(|number| play(&game, &brain, ["scripted"; 2], number));
    assert_eq!(first, second);
    assert_eq!(one, other);
    assert_ne!(one, play(&game, &brain, ["scripted"; 2], 4).1);
}

/// Two players of each side follow one game, each with its own guess of what is hidden: they choose alike.
#[test]
fn what_is_hidden_does_not_change_a_choice() {
    for scenario in ["campaign-1939", "kursk-1943"] {
        let game = game(scenario);
        let brain = VictoryBrain::new(&game);
        let mut players: Vec<_> =
            game.sides().iter().map(|_| [(); 2].map(|()| brain.policy("scripted").unwrap())).collect();
        let (mut dice, mut guesses) = (Rng64::stream(5, 0, 0), Rng64::stream(5, 0, 1));
        let mut state = game.initial(&mut Seat::silent(&mut dice));
        let mut legal = Vec::new();
        let mut decisions = 0;
        while let Turn::Decide(side) = game.turn_of(&state) {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let [one, other] = &mut players[side.index()];
            let mut choose = |player: &mut Box<dyn sandtable_ai::Policy<VictoryInEurope>>| {
                let world = game.determinize(&state, side, &mut guesses);
                player.pick(&game, &world, side, &legal, &mut Rng64::stream(7, 0, decisions))
            };
            let (action, same) = (choose(one), choose(other));
            assert_eq!(
                action, same,
                "{scenario}, turn {}, {:?} {:?}",
                state.turn, state.phase, state.pending
            );
            game.apply(&mut state, action, &mut Seat::silent(&mut dice));
            decisions += 1;
        }
        assert!(decisions > 500, "{decisions} decisions");
    }
}

/// Whatever is asked, with whatever plans: the answer is legal.
#[test]
fn answers_are_legal_where_others_have_played_before() {
    let game = game("campaign-1939");
    let brain = VictoryBrain::new(&game);
    let mut player = brain.policy("scripted").unwrap();
    let mut rng = Rng64::stream(9, 0, 0);
    let mut legal = Vec::new();
    for number in 0..3 {
        let mut dice = Rng64::stream(9, number, 1);
        let mut state = game.initial(&mut Seat::silent(&mut dice));
        let mut turn = 0;
        while let Turn::Decide(side) = game.turn_of(&state) {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let action = player.pick(&game, &state, side, &legal, &mut rng);
            assert!(legal.contains(&action), "{action:?} of {legal:?}");
            // Every third decision is another's.
            turn += 1;
            let action = if turn % 3 == 0 { legal[turn % legal.len()] } else { action };
            game.apply(&mut state, action, &mut Seat::silent(&mut dice));
        }
    }
}
