//! Random play to the end of a game: the rollout of tree search, and the common ground of speed comparisons.

use crate::game::{Game, Turn};
use crate::table::Table;

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
    let mut decisions = 0;
    actions.clear();
    if let Turn::Decide(_) = game.turn_of(state) {
        game.legal_actions(state, actions);
    }
    while !actions.is_empty() {
        let choice = table.below(actions.len() as u32) as usize;
        game.apply_listing(state, actions[choice], table, actions, |_| true);
        decisions += 1;
    }
    decisions
}
