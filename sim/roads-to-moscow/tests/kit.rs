//! The invariants every game must keep, over random games of every scenario.

mod common;

use common::{SCENARIOS, game};
use sandtable_core::kit::{KitOptions, run};
use sandtable_core::{Game, PlayContext, Rng64, Turn, context::Dice};
use sandtable_roads_to_moscow::ids::{Hexes, Player, hex};
use sandtable_roads_to_moscow::rules::Crt;
use sandtable_roads_to_moscow::{Action, RoadsToMoscow, State};
use sandtable_scenarios::kit::check_invariants;
use sandtable_scenarios_roads_to_moscow::Examples;

#[test]
fn scenarios_keep_the_invariants() {
    for (name, games) in SCENARIOS.into_iter().zip([60, 20, 30, 20]) {
        check_invariants::<Examples>(&format!("roads-to-moscow/{name}"), &[], games);
    }
}

#[test]
fn options_keep_the_invariants() {
    for name in SCENARIOS {
        let mut rules = common::rules(name);
        rules.options.historical_weather = true;
        rules.options.simultaneous_cas = true;
        rules.options.free_cup = true;
        let game = RoadsToMoscow::new(rules).expect("rules");
        let options = KitOptions { games: 10, deep_every: 20, max_children: 8, ..KitOptions::default() };
        run(&game, &options).unwrap_or_else(|failure| panic!("{name}: {failure}"));
    }
}

/// Actions of all kinds that could be tried somewhere.
fn any_action(game: &RoadsToMoscow, state: &State, dice: &mut Rng64) -> Action {
    let unit = sandtable_roads_to_moscow::UnitId(dice.below(game.rules.units.len() as u32) as u8);
    let units = game.board();
    let place = hex(100 * (1 + dice.below(42) as u16) + 1 + dice.below(34) as u16);
    let near = state.on_map.iter().nth(dice.below(state.on_map.len().max(1)) as usize);
    let place = near.map_or(place, |unit| {
        let around = sandtable_core::Board::neighbours_of(units, &Hexes::one(state.at(unit)));
        around.nth(dice.below(around.len())).unwrap_or(place)
    });
    match dice.below(14) {
        0 => Action::Pass,
        1 => Action::Mobile,
        2 => Action::Assault,
        3 => Action::Unit(unit),
        4 => Action::Lead(unit),
        5 => Action::Join(unit),
        6 => Action::Drop(unit),
        7 => Action::Go(place),
        8 => Action::Overrun(place),
        9 => Action::Target(place),
        10 => Action::Declare(Crt::Mobile),
        11 => Action::Declare(Crt::Assault),
        12 => Action::Points(unit, sandtable_roads_to_moscow::UnitId::NONE),
        _ => Action::Marker(sandtable_roads_to_moscow::Marker(
            dice.below(game.rules.markers.len() as u32) as u8
        )),
    }
}

/// Who asks why gets an answer exactly where an action is not legal; asking changes nothing and panics nowhere.
#[test]
fn every_illegal_action_has_a_reason() {
    for name in SCENARIOS {
        let game = game(name);
        let mut dice = Rng64::stream(11, 0, 0);
        let mut context = PlayContext::silent(Rng64::stream(12, 0, 0));
        let mut state = game.initial(&mut context);
        let (mut legal, mut asked, mut vague) = (Vec::new(), 0, 0);
        while game.turn_of(&state) != Turn::Over {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            for _ in 0..4 {
                let action = any_action(&game, &state, &mut dice);
                let why = game.why_illegal(&state, action);
                assert_eq!(why.is_none(), legal.contains(&action), "{name}: {action:?} {why:?}");
                asked += 1;
                vague += u32::from(why.is_some_and(|why| why.is_empty()));
            }
            let action = legal[dice.below(legal.len() as u32) as usize];
            game.apply(&mut state, action, &mut context);
        }
        assert!(asked > 500 && vague == 0, "{name}: {asked} asked, {vague} without words");
    }
}

/// The points of both are within what the sides announce, and the winner is who the threshold says.
#[test]
fn results_follow_from_the_score() {
    let mut wins = [0; 2];
    for name in SCENARIOS {
        let game = game(name);
        let attacker = game.rules.scenario.attacker;
        for number in 0..30 {
            let mut context = PlayContext::silent(Rng64::stream(3, number, 0));
            let mut state = game.initial(&mut context);
            sandtable_core::play_out_random(&game, &mut state, &mut context, &mut Vec::new());
            let outcome = game.outcome(&state).expect("the game is over");
            let score = game.score(&state);
            let won = score >= game.rules.scenario.threshold || outcome.end_reason == "automatic_victory";
            let winner = if won { attacker } else { attacker.enemy() };
            assert_eq!(outcome.winner, Some(winner as u8), "{name}");
            assert_eq!(outcome.points[attacker.side()] as i16, score, "{name}");
            for (side, player) in game.sides().iter().zip(Player::ALL) {
                let (least, most) = side.points;
                let points = outcome.points[player.side()] as i16;
                assert!((least..=most).contains(&points), "{name}: {points}");
            }
            wins[winner.index()] += 1;
        }
    }
    assert!(wins[0] > 0 && wins[1] > 0, "{wins:?}");
}
