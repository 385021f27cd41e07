//! Allies and Soviets as rivals (19.51): what they hide from each other.

mod common;

use common::{rules, sampled};
use sandtable_core::Game;
use sandtable_eurofront::editor::Editor;
use sandtable_eurofront::{EuroFront, Faction, Mark, State};

/// A game, with two hidden Soviet armies that stand in places of their own.
fn game_with(scenario: &str) -> (EuroFront, State) {
    let game = EuroFront::new(rules(scenario)).unwrap();
    let state = Editor::new(&game).state().to_owned();
    (game, state)
}

/// The same with two Soviet armies in each other's place.
fn exchanged(game: &EuroFront, state: &State) -> State {
    let soviets = game.rules.blocks.iter().enumerate().filter(|(_, data)| data.faction == Faction::Soviets);
    let ids: Vec<_> = soviets.map(|(_, data)| game.rules.block(&data.id).unwrap()).collect();
    let stands = |&block: &_| {
        sandtable_eurofront::ids::is_on_map(state.at(block)) && !game.brief(block).kind.is_headquarters()
    };
    let (one, other) = ids
        .iter()
        .copied()
        .filter(stands)
        .flat_map(|one| ids.iter().copied().filter(stands).map(move |other| (one, other)))
        .find(|&(one, other)| {
            state.at(one) != state.at(other)
                && (state.steps[one], game.brief(one).kind) == (state.steps[other], game.brief(other).kind)
                && state.has(one, Mark::Acclimatised) == state.has(other, Mark::Acclimatised)
        })
        .expect("two Soviet units that look alike");
    let mut swapped = *state;
    let (from, to) = (state.at(one), state.at(other));
    swapped.places.put(one, to);
    swapped.places.put(other, from);
    swapped
}

/// An ally sees which Soviet block is which; a rival does not, as little as the Axis.
#[test]
fn rivals_do_not_see_which_block_is_which() {
    for (scenario, sees) in [("1944", true), ("1944A", false)] {
        let (game, state) = game_with(scenario);
        let other = exchanged(&game, &state);
        for (viewer, differs) in [(Faction::Axis, false), (Faction::Allies, sees), (Faction::Soviets, true)] {
            let side = game.side_of(viewer);
            let seen = game.observation(&state, side) != game.observation(&other, side);
            assert_eq!(seen, differs, "{scenario}: {}", viewer.id());
        }
    }
}

/// What a determinization for a rival makes of the others: as many units in as many places, but others; its own as they are.
#[test]
fn a_rival_deals_the_others_anew() {
    let (game, state) = game_with("1944A");
    let mut dice = sampled(7).dice;
    let drawn = game.determinize(&state, game.side_of(Faction::Allies), &mut dice);
    let moved = |faction: Faction| {
        let own = game.sets().of_faction[faction.index()];
        own.iter().filter(|&block| drawn.at(block) != state.at(block)).count()
    };
    assert_eq!(moved(Faction::Allies), 0);
    assert!(moved(Faction::Soviets) > 10 && moved(Faction::Axis) > 10);
    assert_eq!((drawn.occupied, drawn.standing), (state.occupied, state.standing));
    assert_eq!(
        game.observation(&drawn, game.side_of(Faction::Allies)),
        game.observation(&state, game.side_of(Faction::Allies))
    );
    // In the game of two sides they know each other.
    let (game, state) = game_with("1944");
    let drawn = game.determinize(&state, game.side_of(Faction::Allies), &mut dice);
    let own = game.sets().of_faction[Faction::Soviets.index()];
    assert!(own.iter().all(|block| drawn.at(block) == state.at(block)));
}
