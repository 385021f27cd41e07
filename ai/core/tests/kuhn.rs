//! Information-set search in Kuhn poker: it does not see the other card, and it does not lose much.

mod common;

use common::agent;
use sandtable_ai::View;
use sandtable_core::{Game, PlayContext, Rng64, Scripted, Turn};
use sandtable_reference::Kuhn;
use sandtable_reference::kuhn::{Card, Move, Node, Policy, State, VALUE};

const HISTORIES: [&[Move]; 4] = [&[], &[Move::Pass], &[Move::Bet], &[Move::Pass, Move::Bet]];

fn state(first: Card, second: Card, moves: &[Move]) -> State {
    let mut state = State::dealt(first, second).unwrap();
    for &choice in moves {
        Kuhn::new().apply(&mut state, choice, &mut PlayContext::silent(Scripted::default()));
    }
    state
}

fn choose(spec: &str, state: State, seed: u64) -> (Move, Vec<u32>) {
    let game = Kuhn::new();
    let Turn::Decide(side) = game.turn_of(&state) else { panic!("the hand is over") };
    let legal = [Move::Pass, Move::Bet];
    let mut agent = agent::<Kuhn>(spec);
    let mut rng = Rng64::stream(seed, 0, 1);
    let choice = agent.choose(&View::new(&game, &state, side, &legal), &mut rng);
    let figures = agent.figures();
    let bits = figures.map_or(vec![], |figures| {
        vec![figures.iterations, figures.nodes, figures.value.to_bits(), figures.best_share.to_bits()]
    });
    (choice, bits)
}

#[test]
fn the_hidden_card_changes_nothing() {
    for spec in [
        "ismcts:iterations=300",
        "ismcts:iterations=300,opponents=informed",
        "mcts:iterations=300",
        "flat-mc:iterations=300",
    ] {
        for moves in HISTORIES {
            for own in Card::ALL {
                let mut others = Card::ALL.into_iter().filter(|&card| card != own);
                let hidden = [others.next().unwrap(), others.next().unwrap()];
                let first_decides = moves.len() % 2 == 0;
                let states = hidden.map(|other| {
                    if first_decides { state(own, other, moves) } else { state(other, own, moves) }
                });
                for seed in 0..20 {
                    let [one, two] = states.map(|state| choose(spec, state, seed));
                    assert_eq!(one, two, "{spec} with {own:?} after {moves:?}, seed {seed}");
                }
            }
        }
    }
}

/// A search that cheats knows who holds the better card, and bets on that alone.
#[test]
fn a_cheat_sees_the_hidden_card() {
    let bet = &[Move::Bet][..];
    for spec in ["mcts:iterations=300,cheat=on", "ismcts:iterations=300,cheat=on"] {
        for seed in 0..20 {
            // The same own card, and the same bet to be answered.
            let called =
                [Card::Jack, Card::King].map(|first| choose(spec, state(first, Card::Queen, bet), seed).0);
            assert_eq!(called, [Move::Bet, Move::Pass], "{spec}, seed {seed}");
        }
    }
    let fair = [Card::Jack, Card::King]
        .map(|first| choose("mcts:iterations=300,cheat=off", state(first, Card::Queen, bet), 1));
    assert_eq!(fair[0], fair[1]);
}

/// The agent's policy: how often it bets with each card at each node, over seeds.
fn policy_of(spec: &str, seeds: u64) -> Policy {
    let mut policy = Policy::UNIFORM;
    for own in Card::ALL {
        let other = Card::ALL.into_iter().find(|&card| card != own).unwrap();
        for (place, moves) in HISTORIES.into_iter().enumerate() {
            let state =
                if moves.len() % 2 == 0 { state(own, other, moves) } else { state(other, own, moves) };
            assert_eq!(state.node(), Node::DECISIONS[place]);
            let bets = (0..seeds).filter(|&seed| choose(spec, state, seed).0 == Move::Bet).count();
            policy.bet[own.index()][place] = bets as f64 / seeds as f64;
        }
    }
    policy
}

/// What the policy loses against the equilibrium with this `alpha`, in chips a hand more than the game's value, as
/// first and as second side: exact.
fn losses(policy: &Policy, alpha: f64) -> [f64; 2] {
    let equilibrium = Policy::equilibrium(alpha).unwrap();
    [VALUE - policy.against(&equilibrium).value(), equilibrium.against(policy).value() - VALUE]
}

#[test]
fn loses_at_most_the_stated_bound_to_the_equilibrium() {
    for (spec, bound) in
        [("ismcts:iterations=2000,opponents=informed", 0.01), ("ismcts:iterations=2000", 0.12)]
    {
        let policy = policy_of(spec, 400);
        for alpha in [0.0, 1.0 / 6.0, 1.0 / 3.0] {
            for (side, loss) in losses(&policy, alpha).into_iter().enumerate() {
                println!("{spec}: side {side} loses {loss:.4} chips a hand against alpha {alpha:.2}");
                // No policy does better than the value against an equilibrium.
                assert!(loss >= -1e-9);
                assert!(
                    loss <= bound,
                    "{spec}: side {side} loses {loss:.4} chips a hand against alpha {alpha:.2}, bound {bound}; {policy:?}"
                );
            }
        }
    }
}

#[test]
fn random_play_would_fail_the_bound() {
    let [first, second] = losses(&Policy::UNIFORM, 1.0 / 6.0);
    assert!(first > 0.1 && second > 0.1, "{first} {second}");
}
