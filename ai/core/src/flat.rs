//! Flat Monte Carlo: rollouts after each legal action, no tree.

use sandtable_core::{Game, PlayContext, Rng64};

use crate::agent::{Agent, SearchFigures, View};
use crate::budget::{ACTION_PARTS, Allotment, Budget, Spent};
use crate::policy::{Evaluator, Policy};
use crate::search::{Depth, utility_of};

/// How simulations are dealt out to the actions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Allocation {
    /// Sequential halving: equal shares, then the worse half of the actions drops out, and so on.
    Halving,
    /// UCB1 with this exploration constant.
    Ucb1(f64),
    /// The same number for every action.
    Even,
}

/// An action and what its simulations brought.
#[derive(Clone, Copy)]
struct Arm<A> {
    action: A,
    visits: u32,
    total: f64,
}

impl<A> Arm<A> {
    fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.total / f64::from(self.visits) }
    }
}

/// The flat Monte Carlo agent. Every simulation starts from a determinization of its own.
pub struct FlatMonteCarlo<G: Game> {
    budget: Budget,
    allocation: Allocation,
    depth: Depth,
    policy: Box<dyn Policy<G>>,
    evaluator: Box<dyn Evaluator<G>>,
    arms: Vec<Arm<G::Action>>,
    legal: Vec<G::Action>,
    figures: Option<SearchFigures>,
}

impl<G: Game> FlatMonteCarlo<G> {
    /// An agent with this budget, allocation rule and rollout.
    pub fn new(
        budget: Budget,
        allocation: Allocation,
        depth: Depth,
        policy: Box<dyn Policy<G>>,
        evaluator: Box<dyn Evaluator<G>>,
    ) -> Self {
        FlatMonteCarlo {
            budget,
            allocation,
            depth,
            policy,
            evaluator,
            arms: Vec::new(),
            legal: Vec::new(),
            figures: None,
        }
    }

    fn simulate(&mut self, arm: usize, view: &View<'_, G>, rng: &mut Rng64) {
        let game = view.game();
        let horizon = self.depth.horizon(view.turn_number());
        let mut determinization = view.determinize(rng);
        game.apply(&mut determinization, self.arms[arm].action, &mut PlayContext::silent(&mut *rng));
        self.policy.play_out(game, &mut determinization, horizon, &mut self.legal, rng);
        let arm = &mut self.arms[arm];
        arm.visits += 1;
        arm.total += f64::from(utility_of(game, &determinization, &mut *self.evaluator)[view.side()]);
    }

    /// Sequential halving over the first arms; leaves the survivors in front.
    fn halve(&mut self, allotment: Allotment, view: &View<'_, G>, rng: &mut Rng64) -> Spent {
        let rounds = self.arms.len().next_power_of_two().trailing_zeros();
        let mut spent = Spent::default();
        let mut alive = self.arms.len();
        for round in 0..rounds {
            let rest = allotment.after(spent);
            if rest.iterations == 0 {
                break;
            }
            let mut next = 0;
            spent.add(rest.part(rounds - round).run(|| {
                self.simulate(next, view, rng);
                next = (next + 1) % alive;
            }));
            // Stable: equal arms stay in the game's order.
            self.arms[..alive].sort_by(|a, b| b.mean().total_cmp(&a.mean()));
            alive = alive.div_ceil(2);
        }
        spent
    }
}

impl<G: Game> Agent<G> for FlatMonteCarlo<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng64) -> G::Action {
        self.figures = None;
        if let [only] = view.legal() {
            return *only;
        }
        self.arms.clear();
        self.arms.extend(view.legal().iter().map(|&action| Arm { action, visits: 0, total: 0.0 }));
        let allotment = self.budget.allot(view.turn_number(), ACTION_PARTS);
        let spent = match self.allocation {
            Allocation::Halving => self.halve(allotment, view, rng),
            Allocation::Even => {
                let mut next = 0;
                allotment.run(|| {
                    self.simulate(next, view, rng);
                    next = (next + 1) % self.arms.len();
                })
            }
            Allocation::Ucb1(exploration) => {
                let mut total = 0u32;
                allotment.run(|| {
                    let log = f64::from(total.max(1)).ln();
                    let score = |arm: &Arm<G::Action>| match arm.visits {
                        0 => f64::INFINITY,
                        visits => arm.mean() + exploration * (log / f64::from(visits)).sqrt(),
                    };
                    let best = (1..self.arms.len()).fold(0, |best, arm| {
                        if score(&self.arms[arm]) > score(&self.arms[best]) { arm } else { best }
                    });
                    self.simulate(best, view, rng);
                    total += 1;
                })
            }
        };
        self.budget.spend(spent);
        // Halving leaves the winner in front; the others go by the mean, first come first.
        let best = match self.allocation {
            Allocation::Halving => 0,
            _ => (1..self.arms.len())
                .fold(0, |best, arm| if self.arms[arm].mean() > self.arms[best].mean() { arm } else { best }),
        };
        let best = self.arms[best];
        self.figures = Some(SearchFigures {
            iterations: spent.iterations,
            nodes: self.arms.len() as u32,
            depth: 1,
            value: best.mean() as f32,
            best_share: best.visits as f32 / spent.iterations.max(1) as f32,
        });
        best.action
    }

    fn figures(&self) -> Option<SearchFigures> {
        self.figures
    }
}
