//! Search over plans: which of a system's ways to play is best for the next part of a turn.
//!
//! In a wargame a turn is a chain of hundreds of small decisions, each worth far less than the noise of a rollout; they
//! make sense together or not at all. Where a system has a [`Portfolio`], the search therefore chooses between whole
//! ways of carrying on, at the moments when plans are made, and plays what the chosen plan says until the next such
//! moment (policy switching: Chang, Givan, Chong 2004; portfolio search: Churchill, Buro 2013).
//!
//! Plans know nothing of the position at hand. Where the usual one names [objectives](Policy::objectives) for it, the usual plan with
//! each of them is under study too: an operation, in which all that the planner weighs leans towards one place.
//!
//! More pairs of the same candidates soon add little; other candidates do. A larger budget therefore breeds some, as evolution
//! does (Online Evolutionary Planning: Justesen, Mahlmann, Togelius 2016): *variations* of the usual plan, weights changed by
//! chance, come into the race, and after its first round *crossings*, each a plan with the objective of an operation, those
//! first whose two leads promise most together.
//!
//! A simulation plays on from the root to the horizon: the own side by the plan under study, the other sides by the
//! rollout policy (the usual plan, if none is named). *Informed* opponents choose between the plans too: each team
//! has statistics of its own over what its plans have brought it, and selects by UCB1 what it plays in the next pair.
//! Plans are compared in pairs with the one in force, at first the usual one: the n-th simulation of each plan has
//! the same determinization and, event by event, the same dice, so that luck which meets both cancels out. The budget
//! goes by sequential halving: the worse half of the others drops out, round by round, the plan in force stays to the
//! end, which comes early if no doubt is left.
//!
//! The survivor takes its place if the mean of its pairs is higher: what was seen while others were in the race counts as
//! well, for of plans that may as well be better as worse the best guess is right on average, and pairs kept for
//! judgement alone are lost to the choice. Who wants plans left on evidence only sets `trust`: the survivor is then judged by
//! the pairs of the last round alone, which did not choose it (the best of many leads by luck), and its lead must be larger
//! than so many standard errors; else the search has shown nothing, and the plan in force stays so.

use std::time::Duration;

use sandtable_core::{Game, PlayContext, Rng64, Side, Turn};

use crate::agent::{Agent, SearchFigures, View};
use crate::budget::{Allotment, Budget, Spent};
use crate::policy::{Evaluator, Policy, Portfolio};
use crate::search::{Depth, Determinizations, utility_of};

/// How to choose between plans.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlanOptions {
    /// What is taken for the true state: one determinization a search (`mcts`), a determinization for each pair of
    /// simulations (`ismcts`), there with opponents who choose plans too if they are informed, or the true state
    /// itself.
    pub determinizations: Determinizations,
    /// Where rollouts are cut short.
    pub depth: Depth,
    /// How many standard errors the lead over the plan in force must exceed, in pairs that did not choose who leads; 0: the
    /// higher mean of all pairs wins.
    pub trust: f32,
    /// How many objectives of operations are tried beside the plans, the most promising first.
    pub operations: usize,
    /// How many variations of the usual plan are tried at most: as many as half of the budget has [`FIRST_PAIRS`] for.
    pub variations: usize,
    /// Whether plans are crossed with the objectives of operations, where half of what the first round leaves has [`FIRST_PAIRS`] for
    /// some.
    pub crossings: bool,
}

/// So many pairs a candidate has of a small budget: it is better spread over many candidates than over many pairs.
const LEAST_PAIRS: u32 = 2;
/// So many pairs all candidates have before some drop out, if the budget allows it. If they are all equal, a candidate plays
/// just as the one in force does.
const FIRST_PAIRS: u32 = 8;
/// Fewer pairs than this say too little about their own spread.
const LEAST_JUDGES: usize = 4;
/// No doubt is left of a lead that is so many standard errors away from where it would decide otherwise, in at least
/// [`FIRST_PAIRS`].
const DECIDED: f32 = 2.5;
/// The streams of a pair's determinization and of the players' minds; those of its dice are numbered by event.
const DETERMINIZATION: u64 = u64::MAX;
const MIND: u64 = u64::MAX - 1;

/// What is compared: a plan of the portfolio or a variation, with the objective of an operation or without.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Candidate {
    /// The number of the plan in the portfolio; variations come after those.
    pub plan: usize,
    /// What it goes for before all else, as in [`Policy::set_operation`].
    pub objective: Option<u16>,
}

impl Candidate {
    /// So many plans, and the usual one with each of the objectives. Plans and operations take turns, for a small budget goes to
    /// the first.
    pub fn all(plans: usize, objectives: &[u16]) -> impl Iterator<Item = Candidate> {
        let plan = move |plan: usize| (plan < plans).then_some(Candidate { plan, objective: None });
        let operation = |nth: usize| {
            objectives.get(nth).map(|&objective| Candidate { plan: 0, objective: Some(objective) })
        };
        let most = plans.max(objectives.len());
        (0..=most).flat_map(move |nth| [plan(nth), nth.checked_sub(1).and_then(operation)]).flatten()
    }
}

/// A candidate under study: the utilities of its simulations, in order.
#[derive(Clone, Debug)]
struct Arm {
    candidate: Candidate,
    values: Vec<f32>,
}

/// What a plan has brought the opponents.
#[derive(Clone, Copy, Debug, Default)]
struct Reply {
    visits: u32,
    total: f32,
}

/// The exploration constant of informed opponents, for utilities between 0 and 1.
const CURIOSITY: f32 = 0.1;

/// The plan that informed opponents try next: UCB1, where a plan not tried counts as their mean.
fn reply(replies: &[Reply]) -> usize {
    let visits: u32 = replies.iter().map(|reply| reply.visits).sum();
    let mean = replies.iter().map(|reply| reply.total).sum::<f32>() / visits.max(1) as f32;
    let log = (1.0 + visits as f32).ln();
    let score = |reply: &Reply| {
        let own = if reply.visits == 0 { mean } else { reply.total / reply.visits as f32 };
        own + CURIOSITY * (log / (1.0 + reply.visits as f32)).sqrt()
    };
    (1..replies.len()).fold(0, |best, at| if score(&replies[at]) > score(&replies[best]) { at } else { best })
}

/// Of objectives, the most promising first, so many are studied. An operation under way is one of them as long as its objective is one.
fn keep_most_promising(objectives: &mut Vec<u16>, most: usize, under_way: Option<u16>) {
    let under_way = under_way.filter(|objective| objectives.contains(objective));
    objectives.truncate(most);
    if let Some(objective) = under_way
        && !objectives.contains(&objective)
        && let Some(last) = objectives.last_mut()
    {
        *last = objective;
    }
}

/// Mean and standard error of a lead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead {
    pub(crate) mean: f32,
    pub(crate) error: f32,
    pairs: usize,
}

impl Lead {
    /// Over the pairs that are complete.
    pub(crate) fn of(values: &[f32], usual: &[f32]) -> Lead {
        let pairs = values.len().min(usual.len());
        let leads = || values.iter().zip(usual).map(|(value, usual)| f64::from(value - usual));
        let mean = leads().sum::<f64>() / pairs.max(1) as f64;
        let squares = leads().map(|lead| (lead - mean).powi(2)).sum::<f64>();
        let error = (squares / (pairs * pairs.saturating_sub(1)).max(1) as f64).sqrt();
        Lead { mean: mean as f32, error: error as f32, pairs }
    }

    /// What the lead must exceed for this trust. Few pairs often take their spread for too small: the quantile of
    /// Student's distribution, by its expansion at that of the normal one (Abramowitz and Stegun 26.7.5).
    fn bar(&self, trust: f32) -> f32 {
        let freedom = self.pairs.saturating_sub(1).max(1) as f32;
        let [first, second] =
            [trust.powi(3) + trust, 5.0 * trust.powi(5) + 16.0 * trust.powi(3) + 3.0 * trust];
        self.error * (trust + first / (4.0 * freedom) + second / (96.0 * freedom * freedom))
    }

    /// Whether the plan in force is left for it.
    fn convinces(&self, trust: f32) -> bool {
        self.mean > 0.0 && (trust <= 0.0 || self.pairs >= LEAST_JUDGES && self.mean > self.bar(trust))
    }

    /// Whether more pairs would hardly change that.
    fn is_decided(&self, trust: f32) -> bool {
        self.pairs >= FIRST_PAIRS as usize && (self.mean - self.bar(trust)).abs() >= DECIDED * self.error
    }
}

/// The agent that searches over plans.
pub struct PlanSearch<G: Game> {
    options: PlanOptions,
    budget: Budget,
    /// After the plans that it came with, the variations that have been under study so far.
    portfolio: Portfolio<G>,
    /// How many plans it came with.
    named: usize,
    /// Plays the other sides; `None`: the usual plan.
    policy: Option<Box<dyn Policy<G>>>,
    evaluator: Box<dyn Evaluator<G>>,
    /// The plan in force first, then the others that are still in the race, best first.
    arms: Vec<Arm>,
    /// Of informed opponents: what they have found, and what they play in each pair.
    replies: Vec<Reply>,
    pairs: Vec<usize>,
    chosen: Candidate,
    objectives: Vec<u16>,
    stage: Option<u64>,
    legal: Vec<G::Action>,
    figures: Option<SearchFigures>,
}

impl<G: Game> PlanSearch<G> {
    /// An agent that chooses from this portfolio, which must not be empty, within this budget for each choice. In
    /// simulations the other sides play by `policy`, or by the usual plan.
    pub fn new(
        options: PlanOptions,
        budget: Budget,
        portfolio: Portfolio<G>,
        policy: Option<Box<dyn Policy<G>>>,
        evaluator: Box<dyn Evaluator<G>>,
    ) -> Self {
        PlanSearch {
            options,
            budget,
            named: portfolio.plans.len(),
            portfolio,
            policy,
            evaluator,
            arms: Vec::new(),
            replies: Vec::new(),
            pairs: Vec::new(),
            chosen: Candidate::default(),
            objectives: Vec::new(),
            stage: None,
            legal: Vec::new(),
            figures: None,
        }
    }

    /// One simulation of an arm.
    fn simulate(&mut self, arm: usize, view: &View<'_, G>, root: &G::State, seed: u64) {
        let game = view.game();
        let turn = view.turn_number();
        let pair = self.arms[arm].values.len();
        let mut determinization =
            if matches!(self.options.determinizations, Determinizations::Shared | Determinizations::Informed)
            {
                view.determinize(&mut Rng64::stream(seed, pair as u64, DETERMINIZATION))
            } else {
                root.clone()
            };
        let Candidate { plan, objective } = self.arms[arm].candidate;
        // Equal pairs meet equal opponents.
        if self.pairs.len() <= pair {
            self.pairs.push(reply(&self.replies));
        }
        let reply = self.pairs[pair];
        let own_team = game.sides()[view.side().index()].team;
        // Partners are taken to go the usual way.
        let plan_of = |side: Side| match side {
            _ if side == view.side() => plan,
            _ if game.sides()[side.index()].team == own_team => 0,
            _ => reply,
        };
        let (mut left, end) = self.options.depth.horizon(turn).bounds();
        for at in [plan, reply, 0] {
            self.portfolio.plans[at].begin_line();
        }
        let operation = objective.map(|objective| (view.side(), objective));
        self.portfolio.plans[plan].set_operation(operation);
        if let Some(policy) = &mut self.policy {
            policy.begin_line();
        }
        let mut mind = Rng64::stream(seed, pair as u64, MIND);
        let mut dice = Rng64::stream(seed, pair as u64, 0);
        let mut event = None;
        self.legal.clear();
        if let Turn::Decide(_) = game.turn_of(&determinization) {
            game.legal_actions(&determinization, &mut self.legal);
        }
        while left > 0
            && let Turn::Decide(side) = game.turn_of(&determinization)
            && game.turn_number(&determinization) < end
        {
            // The dice begin anew with each event: lines that went different ways meet the same luck again.
            let next = (self.portfolio.event)(game, &determinization);
            if event != Some(next) {
                event = Some(next);
                dice = Rng64::stream(seed, pair as u64, next);
            }
            let policy = match &mut self.policy {
                Some(policy) if side != view.side() => policy,
                _ => &mut self.portfolio.plans[plan_of(side)],
            };
            let action = policy.pick(game, &determinization, side, &self.legal, &mut mind);
            let (plans, others) = (&self.portfolio.plans, &self.policy);
            let wanted = |determinization: &G::State| {
                let Turn::Decide(side) = game.turn_of(determinization) else { return false };
                let policy = match others {
                    Some(policy) if side != view.side() => policy,
                    _ => &plans[plan_of(side)],
                };
                policy.reads_list(game, determinization)
            };
            game.apply_listing(
                &mut determinization,
                action,
                &mut PlayContext::silent(&mut dice),
                &mut self.legal,
                wanted,
            );
            left -= 1;
        }
        self.portfolio.plans[plan].set_operation(None);
        let value = utility_of(game, &determinization, &mut *self.evaluator)[view.side()];
        self.arms[arm].values.push(value);
        self.replies[reply].visits += 1;
        self.replies[reply].total += 1.0 - value;
    }

    /// Drops the plans that play just as the one in force does, and of the others the worse half.
    fn thin(&mut self) {
        let usual = std::mem::take(&mut self.arms[0].values);
        self.arms.retain(|arm| {
            let differs = || arm.values.iter().zip(&usual).any(|(a, b)| a.total_cmp(b).is_ne());
            let pairs = arm.values.len().min(usual.len());
            pairs < FIRST_PAIRS as usize || differs()
        });
        let others = &mut self.arms[1..];
        others.sort_by(|a, b| {
            let [a, b] = [a, b].map(|arm| Lead::of(&arm.values, &usual).mean);
            b.total_cmp(&a)
        });
        // Of 2^n plans one beside that in force is left for the last of n rounds.
        let kept = (others.len() / 2).max(1);
        self.arms.truncate(1 + kept);
        self.arms[0].values = usual;
    }

    /// Into the race come variations of the usual plan that are not in it, so many if the portfolio knows any.
    fn add_variations(&mut self, count: usize) {
        let Some(vary) = &self.portfolio.vary else { return };
        let plans = &mut self.portfolio.plans;
        while plans.len() < self.named + count {
            plans.push(vary((plans.len() - self.named) as u64));
        }
        for plan in self.named..self.named + count {
            let candidate = Candidate { plan, objective: None };
            if self.arms.iter().all(|arm| arm.candidate != candidate) {
                self.arms.push(Arm { candidate, values: Vec::new() });
            }
        }
    }

    /// Plans with the objectives of operations, at most so many: both under study alone so far, those first whose leads come to most
    /// together.
    fn crossings(&self, most: usize) -> Vec<Candidate> {
        let lead = |arm: &Arm| Lead::of(&arm.values, &self.arms[0].values).mean;
        let plans =
            || self.arms.iter().filter(|arm| arm.candidate.plan > 0 && arm.candidate.objective.is_none());
        let operations = || self.arms.iter().filter(|arm| arm.candidate.plan == 0);
        let mut crossings: Vec<(f32, Candidate)> = operations()
            .filter_map(|operation| Some((lead(operation), operation.candidate.objective?)))
            .flat_map(|(gain, objective)| {
                plans().map(move |plan| {
                    (gain + lead(plan), Candidate { plan: plan.candidate.plan, objective: Some(objective) })
                })
            })
            .filter(|(_, crossing)| self.arms.iter().all(|arm| arm.candidate != *crossing))
            .collect();
        crossings.sort_by(|a, b| b.0.total_cmp(&a.0));
        crossings.into_iter().take(most).map(|(_, crossing)| crossing).collect()
    }

    /// The candidate whose turn it is: those before have a group of so many pairs more.
    fn next(&self, group: usize) -> usize {
        (0..self.arms.len()).min_by_key(|&arm| self.arms[arm].values.len() / group).unwrap_or(0)
    }

    /// Chooses a plan.
    fn search(&mut self, view: &View<'_, G>, root: &G::State, rng: &mut Rng64) {
        let allotment = self.budget.allot(view.turn_number(), self.portfolio.stages_a_turn);
        let seed = rng.next();
        self.objectives.clear();
        self.portfolio.plans[0].objectives(view.game(), root, view.side(), &mut self.objectives);
        keep_most_promising(&mut self.objectives, self.options.operations, self.chosen.objective);
        let candidates = Candidate::all(self.named, &self.objectives);
        self.arms.clear();
        self.arms.extend(candidates.map(|candidate| Arm { candidate, values: Vec::new() }));
        // The candidate in force comes first; an objective that is none any more is given up.
        if self.chosen.objective.is_some_and(|objective| !self.objectives.contains(&objective)) {
            self.chosen = Candidate::default();
        }
        let in_force = Arm { candidate: self.chosen, values: Vec::new() };
        self.arms.retain(|arm| arm.candidate != self.chosen);
        self.arms.insert(0, in_force);
        let informed = self.options.determinizations == Determinizations::Informed && self.policy.is_none();
        self.replies.clear();
        self.replies.resize(if informed { self.named } else { 1 }, Reply::default());
        self.pairs.clear();
        let trust = self.options.trust;
        // Half of the budget is for judgement, if that needs pairs of its own.
        let for_choice = allotment.iterations / if trust > 0.0 { 2 } else { 1 };
        let mut spent = Spent::default();
        let mut within = for_choice;
        if let Some(time) = allotment.time
            && (self.arms.len() > 2 || self.portfolio.vary.is_some())
        {
            // How far time goes is seen by the first pairs.
            let first = Allotment { iterations: 2 * LEAST_PAIRS, time: Some(Duration::MAX) };
            spent = first.run(|| self.simulate(self.next(LEAST_PAIRS as usize), view, root, seed));
            let share = time.as_secs_f64() / spent.time.as_secs_f64().max(1e-9);
            let in_time = share * f64::from(first.iterations) / if trust > 0.0 { 2.0 } else { 1.0 };
            within = within.min(in_time as u32);
        }
        let mut studied = self.arms.len();
        self.arms.truncate((within / LEAST_PAIRS).max(2) as usize);
        let named = self.arms.len();
        let room = (within / (2 * FIRST_PAIRS)) as usize;
        self.add_variations(room.saturating_sub(named).min(self.options.variations));
        studied += self.arms.len() - named;
        let halvings = |arms: usize| arms.next_power_of_two().trailing_zeros();
        let rounds = halvings(self.arms.len());
        let mut round = 0;
        let mut newcomers = 0;
        // With more than one rival.
        while self.arms.len() > 2 {
            let arms = self.arms.len() as u32;
            let rest = allotment.after(spent);
            let mut part =
                rest.part(halvings(self.arms.len()) - 1 + if trust > 0.0 { rounds - 1 } else { 1 });
            let least = if round == 0 {
                arms * (within / arms).min(FIRST_PAIRS)
            } else {
                arms + newcomers * FIRST_PAIRS
            };
            part.iterations = part.iterations.max(least);
            if part.iterations > rest.iterations {
                break;
            }
            // Each candidate has as many in the end, newcomers too.
            let pairs: u32 = self.arms.iter().map(|arm| arm.values.len() as u32).sum();
            part.iterations -= pairs.wrapping_add(part.iterations) % arms;
            // Time may end early: who comes late is then left out, and not everybody short of pairs.
            let group = if round == 0 && allotment.time.is_some() { LEAST_PAIRS } else { 1 };
            spent.add(part.run(|| self.simulate(self.next(group as usize), view, root, seed)));
            self.arms.retain(|arm| arm.values.len() >= LEAST_PAIRS as usize);
            let mut crossings = Vec::new();
            if round == 0 && self.options.crossings {
                let room = within.saturating_sub(spent.iterations) / (2 * FIRST_PAIRS);
                crossings = self.crossings(room.min(arms) as usize);
            }
            newcomers = crossings.len() as u32;
            self.thin();
            self.arms.extend(crossings.into_iter().map(|candidate| Arm { candidate, values: Vec::new() }));
            studied += newcomers as usize;
            round += 1;
        }
        self.arms.truncate(2);
        let pairs = self.arms.iter().map(|arm| arm.values.len()).min().unwrap_or(0);
        let judges = if trust > 0.0 { pairs } else { 0 };
        let lead = |arms: &[Arm]| match arms {
            [usual, best, ..] => Lead::of(&best.values[judges..], &usual.values[judges..]),
            _ => Lead::of(&[], &[]),
        };
        while self.arms.len() == 2 && !lead(&self.arms).is_decided(trust) {
            let mut part = allotment.after(spent);
            if part.iterations < 2 || part.time.is_some_and(|time| time.is_zero()) {
                break;
            }
            // Two pairs at a time, or one.
            part.iterations = part.iterations.min(4) & !1;
            spent.add(part.run(|| self.simulate(self.next(1), view, root, seed)));
        }
        self.budget.spend(spent);
        let winner = usize::from(lead(&self.arms).convinces(trust));
        let winner = &self.arms[winner];
        self.chosen = winner.candidate;
        // The rollouts have left plans of their own.
        self.portfolio.plans.iter_mut().for_each(|plan| plan.begin_line());
        let operation = self.chosen.objective.map(|objective| (view.side(), objective));
        self.portfolio.plans[self.chosen.plan].set_operation(operation);
        let count = winner.values.len() as f32;
        self.figures = (count > 0.0).then(|| SearchFigures {
            iterations: spent.iterations,
            nodes: studied as u32,
            depth: 1,
            value: winner.values.iter().sum::<f32>() / count,
            best_share: count / spent.iterations as f32,
        });
    }
}

impl<G: Game> Agent<G> for PlanSearch<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng64) -> G::Action {
        self.figures = None;
        if let [only] = view.legal() {
            return *only;
        }
        let determinization = if self.options.determinizations == Determinizations::Seen {
            view.truth().clone()
        } else {
            view.determinize(rng)
        };
        let stage = (self.portfolio.stage)(view.game(), &determinization, view.side());
        if stage.is_some() && stage != self.stage {
            self.stage = stage;
            self.search(view, &determinization, rng);
        }
        self.portfolio.plans[self.chosen.plan].pick(
            view.game(),
            &determinization,
            view.side(),
            view.legal(),
            rng,
        )
    }

    fn figures(&self) -> Option<SearchFigures> {
        self.figures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operation_under_way_is_studied_once_beside_the_most_promising() {
        for (most, under_way, studied) in [
            (3, None, &[5, 2, 9][..]),
            (3, Some(2), &[5, 2, 9]),
            (3, Some(4), &[5, 2, 4]),
            (3, Some(8), &[5, 2, 9]),
            (1, Some(4), &[4]),
            (0, Some(5), &[]),
            (9, Some(5), &[5, 2, 9, 4]),
        ] {
            let mut objectives = vec![5, 2, 9, 4];
            keep_most_promising(&mut objectives, most, under_way);
            assert_eq!(objectives, studied, "{most} {under_way:?}");
        }
    }
}
