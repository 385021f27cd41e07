//! Random play to the end of a game: the rollout of tree search, and the common ground of speed comparisons.

use crate::context::{Context, RandomDraw};
use crate::game::{Game, Turn};

/// Plays uniformly random legal actions until the game is over and returns how many decisions that took.
///
/// Choices and the game's own chance are drawn from the same table. `actions` is scratch space: nothing is allocated
/// once its capacity has reached the widest choice. A game without end would not return.
#[inline]
pub fn play_out_random<G: Game, T: Context<G::Event>>(
    game: &G,
    state: &mut G::State,
    context: &mut T,
    actions: &mut Vec<G::Action>,
) -> u32 {
    if game.turn_of(state) == Turn::Over {
        return 0;
    }
    let mut decisions = 0;
    let mut next = Some(game.sample_action(state, RandomDraw::new(context), actions));
    while let Some(action) = next {
        let draw = RandomDraw::new(context);
        next = game.apply_sampling(state, action, context, draw, actions);
        decisions += 1;
    }
    decisions
}
