//! The invariants every game must keep, over random games of every scenario.

mod common;

use common::{SCENARIOS, rules, spain};
use sandtable_core::kit::{KitOptions, run};
use sandtable_core::{Direction, Game, Hex, PlayContext, Rng64, Turn, context::Dice};
use sandtable_eurofront::{Action, BlockId, EuroFront, Mode, State};

/// Games of a scenario, and how many decisions lie between two that are looked at closely: campaigns are long.
fn effort(name: &str) -> (u64, u32) {
    match name {
        "1936" => (40, 31),
        "1939A" | "1939B" => (12, 31),
        "1940A" | "1940B" | "1940C" => (2, 101),
        _ => (1, 401),
    }
}

#[test]
fn scenarios_keep_the_invariants() {
    for name in SCENARIOS {
        let game = EuroFront::new(rules(name)).expect("rules");
        let (games, deep_every) = effort(name);
        let options = KitOptions { games, deep_every, max_children: 12, ..KitOptions::default() };
        let report = run(&game, &options).unwrap_or_else(|failure| panic!("{name}: {failure}"));
        assert!(report.decisions > games * 20, "{name}: {report:?}");
    }
}

/// What is rare is met in many games, none of which is looked at closely: they come to their end, and their last positions keep
/// the invariants.
#[test]
fn many_games_come_to_their_end() {
    let mut legal = Vec::new();
    for (nth, name) in SCENARIOS.iter().enumerate() {
        let game = EuroFront::new(rules(name)).expect("rules");
        for number in 0..10 {
            let mut dice = Rng64::stream(21, nth as u64, number);
            let mut context = PlayContext::silent(Rng64::stream(22, nth as u64, number));
            let mut state = game.initial(&mut context);
            while game.turn_of(&state) != Turn::Over {
                legal.clear();
                game.legal_actions(&state, &mut legal);
                let action = legal[dice.below(legal.len() as u32) as usize];
                game.apply(&mut state, action, &mut context);
            }
            game.check(&state).unwrap_or_else(|fault| panic!("{name} {number}: {fault}"));
        }
    }
}

#[test]
fn options_keep_the_invariants() {
    for name in SCENARIOS {
        let mut rules = rules(name);
        rules.options.weather_balance = true;
        let game = EuroFront::new(rules).expect("rules");
        let options = KitOptions { games: 3, deep_every: 200, max_children: 8, ..KitOptions::default() };
        run(&game, &options).unwrap_or_else(|failure| panic!("{name}: {failure}"));
    }
}

/// Whoever decides in a production after others cannot tell what is drawn for what they have ordered from that, whatever it is.
/// (Where debug assertions are compiled, what is drawn is compared with what the rules list.)
#[test]
fn orders_drawn_anew_cannot_be_told_from_those_given() {
    let mut legal = Vec::new();
    let mut asked = 0;
    for name in SCENARIOS {
        let game = EuroFront::new(rules(name)).expect("rules");
        for number in 0..3 {
            let mut dice = Rng64::stream(41, number, 0);
            let mut context = PlayContext::silent(Rng64::stream(42, number, 0));
            let mut state = game.initial(&mut context);
            while let Turn::Decide(side) = game.turn_of(&state) {
                if state.phase.is_secret() {
                    let drawn = game.determinize(&state, side, &mut dice);
                    let seen = [&state, &drawn].map(|state| game.observation(state, side));
                    assert_eq!(seen[0], seen[1], "{name} {number}: {:?} of {:?}", state.phase, state.active);
                    asked += 1;
                }
                legal.clear();
                game.legal_actions(&state, &mut legal);
                let action = legal[dice.below(legal.len() as u32) as usize];
                game.apply(&mut state, action, &mut context);
            }
        }
    }
    assert!(asked > 10_000, "{asked}");
}

/// Actions of all kinds that could be tried somewhere.
fn any_action(game: &EuroFront, state: &State, dice: &mut Rng64) -> Action {
    let block = BlockId(dice.below(game.rules.blocks.len() as u32) as u16);
    let hexes = game.map().in_play;
    let hex: Hex = hexes.nth(dice.below(hexes.len())).unwrap_or(state.at(block));
    let way = Direction::ALL[dice.below(6) as usize];
    let mode = [Mode::Normal, Mode::Blitz][dice.below(2) as usize];
    match dice.below(14) {
        0 => Action::Pass,
        1 => Action::Yes,
        2 => Action::Activate(mode, hex),
        3 => Action::Unit(block),
        4 => Action::Rearguard(block),
        5 => Action::Engage(hex, way),
        6 => Action::Disengage(way, hex),
        7 => Action::Go(hex),
        8 => Action::Rail(hex),
        9 => Action::Strike(hex),
        10 => Action::Build(block),
        11 => Action::Cadre(block),
        12 => Action::Place(hex),
        _ => Action::Garrison(hex),
    }
}

/// Who asks why gets an answer exactly where an action is not legal; asking changes nothing and panics nowhere.
#[test]
fn every_illegal_action_has_a_reason() {
    let game = spain();
    let mut dice = Rng64::stream(11, 0, 0);
    let mut context = PlayContext::silent(Rng64::stream(12, 0, 0));
    let mut state = game.initial(&mut context);
    let (mut refused, mut legal) = (0, Vec::new());
    for decision in 0.. {
        if game.turn_of(&state) == Turn::Over {
            break;
        }
        legal.clear();
        game.legal_actions(&state, &mut legal);
        if decision % 3 == 0 {
            for _ in 0..20 {
                let action = any_action(game, &state, &mut dice);
                let reason = game.why_illegal(&state, action);
                assert_eq!(
                    reason.is_none(),
                    legal.contains(&action),
                    "{action:?} in {:?}: {reason:?}",
                    state.phase
                );
                refused += u32::from(reason.is_some());
            }
        }
        let action = legal[dice.below(legal.len() as u32) as usize];
        game.apply(&mut state, action, &mut context);
    }
    assert!(refused > 1000, "{refused}");
}
