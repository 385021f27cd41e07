//! Search against the known truth of connect four.

mod common;

use common::agent;
use sandtable_ai::View;
use sandtable_core::{Game, PlayContext, Rng64, Side, Turn};
use sandtable_reference::ConnectFour;
use sandtable_reference::connect_four::{Drop, Solver, State};

fn choose(spec: &str, state: &State, seed: u64) -> Drop {
    let game = ConnectFour::new();
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let view = View::new(&game, state, state.mover(), &legal);
    let mut agent = agent::<ConnectFour>(spec);
    agent.choose(&view, &mut Rng64::stream(seed, 0, 1))
}

fn after(state: &State, action: Drop) -> State {
    let mut next = *state;
    ConnectFour::new().apply(&mut next, action, &mut PlayContext::silent(Rng64::stream(0, 0, 0)));
    next
}

/// The moves after which the mover wins within so many plies, this one included.
fn wins(state: &State, plies: u32) -> Vec<Drop> {
    let game = ConnectFour::new();
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let won = |next: &State| game.outcome(next).is_some_and(|outcome| outcome.utility[state.mover()] > 0.9);
    legal.retain(|&action| {
        let next = after(state, action);
        won(&next)
            || plies > 1 && game.turn_of(&next) != Turn::Over && {
                let mut replies = Vec::new();
                game.legal_actions(&next, &mut replies);
                replies.iter().all(|&reply| {
                    let back = after(&next, reply);
                    game.turn_of(&back) != Turn::Over && !wins(&back, plies - 2).is_empty()
                })
            }
    });
    legal
}

/// Positions after `plies` random moves that have the property.
fn positions(plies: u32, count: usize, property: impl Fn(&State) -> bool) -> Vec<State> {
    let game = ConnectFour::new();
    let mut dice = Rng64::stream(77, u64::from(plies), 0);
    let mut found = Vec::new();
    let mut legal = Vec::new();
    while found.len() < count {
        let mut state = State::EMPTY;
        while state.plies() < plies && game.turn_of(&state) != Turn::Over {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let action = legal[sandtable_core::Dice::below(&mut dice, legal.len() as u32) as usize];
            state = after(&state, action);
        }
        if game.turn_of(&state) != Turn::Over && property(&state) {
            found.push(state);
        }
    }
    found
}

const SEARCHES: [&str; 4] = [
    "mcts:iterations=3000",
    "mcts:iterations=3000,rule=puct,c=2",
    "ismcts:iterations=3000",
    "ismcts:iterations=3000,opponents=informed",
];

#[test]
fn takes_a_win_at_once() {
    for (seed, state) in positions(12, 40, |state| wins(state, 1).len() == 1).iter().enumerate() {
        for spec in SEARCHES.into_iter().chain(["flat-mc:iterations=1000"]) {
            assert_eq!(vec![choose(spec, state, seed as u64)], wins(state, 1), "{spec}: {state:?}");
        }
    }
}

#[test]
fn blocks_a_threat() {
    let threat = |state: &State| {
        let mut legal = Vec::new();
        ConnectFour::new().legal_actions(state, &mut legal);
        let safe = legal.iter().filter(|&&action| wins(&after(state, action), 1).is_empty()).count();
        wins(state, 1).is_empty() && safe == 1 && legal.len() > 3
    };
    for (seed, state) in positions(11, 40, threat).iter().enumerate() {
        for spec in SEARCHES {
            let next = after(state, choose(spec, state, seed as u64));
            assert!(wins(&next, 1).is_empty(), "{spec} does not block: {state:?}");
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimisation: test with --release")]
fn finds_a_win_in_three_plies() {
    let mut solver = Solver::new(20);
    let forced = |state: &State| wins(state, 1).is_empty() && (1..3).contains(&wins(state, 3).len());
    for (seed, state) in positions(16, 40, forced).iter().enumerate() {
        for spec in SEARCHES {
            let action = choose(&spec.replace("3000", "20000"), state, seed as u64);
            // A slower win is a win, too.
            assert!(solver.best(state).contains(&action), "{spec} plays {action:?}: {state:?}");
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimisation: test with --release")]
fn opens_in_the_centre() {
    for seed in 0..5 {
        for spec in ["mcts:iterations=60000", "ismcts:iterations=60000"] {
            assert_eq!(choose(spec, &State::EMPTY, seed), Drop(3), "{spec}, seed {seed}");
        }
    }
}

#[test]
fn values_are_seen_from_the_decider() {
    let game = ConnectFour::new();
    // The side to move has three in the bottom row, open at both ends: two wins.
    let state = State::after("445566").unwrap();
    assert_eq!(state.mover(), Side(0));
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    for spec in SEARCHES {
        let mut agent = agent::<ConnectFour>(spec);
        agent.choose(&View::new(&game, &state, Side(0), &legal), &mut Rng64::stream(1, 0, 1));
        let figures = agent.figures().unwrap();
        assert!(figures.value > 0.99 && figures.best_share > 0.3, "{spec}: {figures:?}");
        assert_eq!(figures.iterations, 3000);
    }
}
