//! Random play to the end of a game: the rollout of tree search, and the common ground of speed comparisons.

use crate::game::{Game, Turn};
use crate::table::{Lots, Table};

/// Plays uniformly random legal actions until the game is over and returns how many decisions that took.
///
/// Choices and the game's own chance are drawn from the same table. `actions` is scratch space: nothing is allocated
/// once its capacity has reached the widest choice. A game without end would not return.
#[inline]
pub fn play_out_random<G: Game, T: Table<G::Event>>(
    game: &G,
    state: &mut G::State,
    table: &mut T,
    actions: &mut Vec<G::Action>,
) -> u32 {
    if game.turn_of(state) == Turn::Over {
        return 0;
    }
    let mut decisions = 0;
    let mut next = Some(game.draw(state, Lots::cast(table), actions));
    while let Some(action) = next {
        let lots = Lots::cast(table);
        next = game.apply_drawing(state, action, table, lots, actions);
        decisions += 1;
    }
    decisions
}
