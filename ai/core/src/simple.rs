//! Agents that do not search.

use sandtable_core::{Dice, Game, Rng64};

use crate::agent::{Agent, View};
use crate::policy::Policy;

/// Every legal action with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomAgent;

impl<G: Game> Agent<G> for RandomAgent {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng64) -> G::Action {
        view.legal()[rng.below(view.legal().len() as u32) as usize]
    }
}

/// Plays a policy, on a determinization drawn for its side at each decision if the policy reads anything hidden.
pub struct PolicyAgent<G: Game> {
    policy: Box<dyn Policy<G>>,
}

impl<G: Game> PolicyAgent<G> {
    /// An agent that plays `policy`.
    pub fn new(policy: Box<dyn Policy<G>>) -> Self {
        PolicyAgent { policy }
    }
}

impl<G: Game> Agent<G> for PolicyAgent<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng64) -> G::Action {
        if let [only] = view.legal() {
            return *only;
        }
        let (game, side, legal) = (view.game(), view.side(), view.legal());
        if !self.policy.reads_hidden(game) {
            return self.policy.pick(game, view.truth(), side, legal, rng);
        }
        let determinization = view.determinize(rng);
        self.policy.pick(game, &determinization, side, legal, rng)
    }
}
