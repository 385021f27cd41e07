//! Reorganisation (11.10) tells on which counters the units go on, on the real data.

mod common;

use common::{game, legal, scripted};
use sandtable_blitzwar::location::{Counter, Location};
use sandtable_blitzwar::{Action, BlitzWar, Event, State};
use sandtable_core::{Dice, Game, Index, PlayContext, Rng64, Turn};

/// Counters on the map and where they are.
fn on_map(game: &BlitzWar, state: &State) -> Vec<Option<Location>> {
    let own = sandtable_blitzwar::Force::ALL.map(|force| game.counters_of(state, force));
    let there = |counter: &Counter| own.iter().any(|own| own.contains(*counter));
    game.sheet().map(|counter| Some(counter).filter(there).map(|at| state.location(at))).collect()
}

/// 11.10.
#[test]
fn units_go_on_where_they_were() {
    let game = game("barbarossa-1941");
    let (mut combined, mut divided, mut exchanged) = (0, 0, 0);
    for number in 0..4 {
        let mut choice = Rng64::stream(7, number, 1);
        let mut context = PlayContext::silent(Rng64::stream(7, number, 0));
        let mut state = game.initial(&mut context);
        while let Turn::Decide(_) = game.turn_of(&state) {
            let actions = legal(&game, &state);
            let reorganises = |action: &&Action| {
                matches!(
                    action,
                    Action::Merge(..) | Action::MergeElite(..) | Action::Split(..) | Action::Exchange(_)
                )
            };
            for &action in actions.iter().filter(reorganises) {
                let before = on_map(&game, &state);
                let (mut after, mut context) = (state.clone(), scripted(&[]));
                game.apply(&mut after, action, &mut context);
                let after = on_map(&game, &after);
                let told = |is: &dyn Fn(&Event) -> bool| context.sink.iter().any(is);
                for counter in game.sheet() {
                    match (before[counter.at()], after[counter.at()]) {
                        (None, Some(place)) => {
                            let from_there = |event: &Event| {
                                matches!(event, Event::Exchanged { counter: old, into } if *into == counter
                                    && before[old.at()] == Some(place))
                            };
                            assert!(told(&from_there), "{action:?}: {counter:?} comes from nowhere");
                        }
                        (Some(_), None) => {
                            let goes_on = |event: &Event| {
                                matches!(event, Event::Exchanged { counter: old, .. }
                                    | Event::Combined { counter: old, .. } if *old == counter)
                            };
                            assert!(told(&goes_on), "{action:?}: {counter:?} goes nowhere");
                        }
                        _ => {}
                    }
                }
                match action {
                    Action::Split(..) => divided += 1,
                    Action::Exchange(_) => exchanged += 1,
                    _ => {
                        combined += 1;
                        let joins = |event: &Event| matches!(event, Event::Combined { .. });
                        assert!(told(&joins), "{action:?}");
                    }
                }
            }
            let action = actions[choice.below(actions.len() as u32) as usize];
            game.apply(&mut state, action, &mut context);
        }
    }
    assert!(combined > 20 && divided > 20 && exchanged > 0, "{combined} {divided} {exchanged}");
}
