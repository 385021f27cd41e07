//! Analysis of games: what positions are worth, and what a side gave away.
//!
//! **Values.** The value of a position is the mean utility of rollouts from it, in which every side plays the usual way:
//! the system's first plan, or the policy that is named. The n-th rollout of each position meets the same dice, event
//! by event, so that luck which meets two positions cancels out of their difference.
//!
//! Values have a part of the rollouts, for a game has hundreds; the differences of which luck and skill are made meet the same
//! dice.
//!
//! **Luck and skill.** The value of a position before a decision, of the action taken there (the same position, the
//! action, fresh dice), and of the position that came of it differ by skill and by luck:
//! `V(after) - V(before) = [Q(action) - V(before)] + [V(after) - Q(action)]`. Over a game both add up to the result less
//! the value of the start, as in the analysis of backgammon. Both look at the true position. Where rollouts are cut some
//! turns ahead, the three values of a segment are taken at the same turn; what it changes to look a turn further at the next
//! one is the evaluator's drift, neither luck nor skill.
//!
//! A rollout of the usual play that takes, up to the dice, just the actions that were taken is a rollout of these actions too:
//! nothing is valued twice.
//!
//! **Better lines.** What a side could have done is asked in its own shoes: in determinizations of what it knew. Where the
//! system has a portfolio a line is a plan or an operation for the part of the turn at hand, the same candidates as a search
//! over plans has; else it is a single action. A few rollouts say which lines lead the one that was played; half of all
//! rollouts choose the best of these, step by step, and the other half says by how much it leads: the best of many is not
//! as good as it looks in the numbers that chose it.
//!
//! Literature: Tesauro and Galperin (1996), *NIPS* 9; Billings and Kan (2006), *ICGA Journal* 29, on luck-adjusted
//! assessment.

use sandtable_core::{Dice, Game, MAX_SIDES, PerSide, Rng64, Side, Turn};

use crate::plans::{Candidate, Lead};
use crate::policy::{Depth, Evaluator, Policy, Portfolio};
use crate::search::{Noticing, utility_of};

/// How much work goes into an analysis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnalysisOptions {
    /// Rollouts for each line that may be better, at least two; values have a quarter of them, but [`FEW`].
    pub rollouts: u32,
    /// Where rollouts are cut short.
    pub depth: Depth,
    /// How many actions beside the one that was played are tried at a decision, in games without plans: those that the
    /// evaluator weighs most.
    pub alternatives: usize,
    /// How many objectives of operations are tried beside the plans, the most promising first.
    pub operations: usize,
}

/// The fewest rollouts of a value, if there are so many at all.
pub const FEW: u32 = 16;
/// So many rollouts show which lines are the same, and so many have all that differ before those drop out that do not lead by a standard
/// error.
const FIRST: u64 = 2;
const ENOUGH: u64 = 8;

/// What a side did from one decision on.
#[derive(Clone, Copy, Debug)]
pub enum Played<'a, A> {
    /// What the usual plan says.
    Usual,
    /// These decisions, for as long as the part of the turn lasts. Where dice fall otherwise than they did, those that
    /// are no longer legal are left out, and the usual plan fills in. Such a line cannot answer the dice as a plan can, so
    /// what other lines lead it by is an upper bound.
    Choices(&'a [A]),
}

/// A line that a side might have taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Better<A> {
    /// This action, and then the usual play.
    Action(A),
    /// This plan of the portfolio, or an operation.
    Plan(Candidate),
}

/// The line that was played beside the best other one that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison<A> {
    /// What the line that was played was worth to its side, 0 to 1, rollout by rollout.
    pub played: Vec<f64>,
    /// The best of the others, if any did better in the first half of the rollouts: the line, and by how much it led in
    /// each rollout of the second half, which had no part in its choice.
    pub better: Option<(Better<A>, Vec<f64>)>,
}

/// How a side plays until something else is said.
#[derive(Clone, Copy)]
enum Line<'a, A> {
    Usual,
    First(A),
    Plan(Candidate),
    Follow(&'a [A]),
}

impl<A> From<Better<A>> for Line<'_, A> {
    fn from(better: Better<A>) -> Self {
        match better {
            Better::Action(action) => Line::First(action),
            Better::Plan(plan) => Line::Plan(plan),
        }
    }
}

/// The side whose line is studied, and the part of the turn for which the line holds.
#[derive(Clone, Copy)]
struct Subject {
    side: Side,
    stage: Option<u64>,
}

/// The streams of a rollout's determinization and of the players' minds; those of its dice are numbered by event.
const DETERMINIZATION: u64 = u64::MAX;
const MIND: u64 = u64::MAX - 1;

/// Values positions and compares lines. It owns its buffers, so each thread has one of its own.
pub struct Analyst<G: Game> {
    options: AnalysisOptions,
    /// Plays all sides; `None`: the first plan.
    usual: Option<Box<dyn Policy<G>>>,
    portfolio: Option<Portfolio<G>>,
    evaluator: Box<dyn Evaluator<G>>,
    legal: Vec<G::Action>,
}

/// What some decisions on end brought, rollout by rollout.
#[derive(Clone, PartialEq, Debug)]
pub struct Valued {
    /// The values of the position before them.
    pub before: Vec<PerSide<f32>>,
    /// The values of the last of them, if dice fell at it, thrown anew each time.
    pub taken: Option<Vec<PerSide<f32>>>,
}

impl<G: Game> Analyst<G> {
    /// An analyst with this knowledge of the game. Without a portfolio there must be a usual policy.
    ///
    /// # Panics
    /// If there is neither.
    pub fn new(
        options: AnalysisOptions,
        usual: Option<Box<dyn Policy<G>>>,
        portfolio: Option<Portfolio<G>>,
        evaluator: Box<dyn Evaluator<G>>,
    ) -> Self {
        assert!(usual.is_some() || portfolio.is_some(), "somebody must play the rollouts");
        let options = AnalysisOptions { rollouts: options.rollouts.max(2), ..options };
        Analyst { options, usual, portfolio, evaluator, legal: Vec::new() }
    }

    /// The part of the turn in which `side` makes plans; `None` if there is none, or no portfolio.
    pub fn stage(&self, game: &G, state: &G::State, side: Side) -> Option<u64> {
        self.portfolio.as_ref().and_then(|portfolio| (portfolio.stage)(game, state, side))
    }

    /// Whether lines are plans.
    pub fn has_plans(&self) -> bool {
        self.portfolio.is_some()
    }

    /// Whether values of different game turns look at different turns of the calendar.
    pub fn drifts(&self) -> bool {
        matches!(self.options.depth, Depth::Turns(_))
    }

    /// The value of the position to each side, rollout by rollout, as it is seen from game turn `turn`: where rollouts are cut
    /// some turns ahead, they are cut so many after that one.
    pub fn values(&mut self, game: &G, state: &G::State, turn: u32, seed: u64) -> Vec<PerSide<f32>> {
        let usual = (Line::Usual, NOBODY);
        self.few().map(|rollout| self.roll_out(game, state.clone(), usual, turn, (seed, rollout))).collect()
    }

    /// The rollouts of a value.
    fn few(&self) -> std::ops::Range<u64> {
        let rollouts = self.options.rollouts;
        0..u64::from((rollouts / 4).max(FEW).min(rollouts))
    }

    /// The values of the position before some decisions on end, and of the last of them if dice fell at it: `rolled` is the position
    /// in which it was taken. All is seen from game turn `turn`.
    pub fn valued(
        &mut self,
        game: &G,
        state: &G::State,
        (decisions, rolled): (&[G::Action], Option<&G::State>),
        turn: u32,
        seed: u64,
    ) -> Valued {
        let mut before = Vec::new();
        let mut taken = rolled.map(|_| Vec::new());
        for rollout in self.few() {
            let mut reached = state.clone();
            let mut same = 0;
            let line = (Line::Usual, NOBODY);
            self.follow(game, &mut reached, line, turn, (seed, rollout), |_, _, action, told| {
                if told.number == same && decisions.get(same) == Some(&action) {
                    same += 1;
                }
                true
            });
            let value = utility_of(game, &reached, &mut *self.evaluator);
            before.push(value);
            if let (Some(taken), Some(rolled), Some(&last)) = (&mut taken, rolled, decisions.last()) {
                taken.push(if same == decisions.len() {
                    value
                } else {
                    self.roll_out_after(game, rolled, last, turn, (seed, rollout))
                });
            }
        }
        Valued { before, taken }
    }

    /// The value of taking `action` in the position, rollout by rollout, the dice that it calls for being thrown anew each
    /// time.
    pub fn values_after(
        &mut self,
        game: &G,
        state: &G::State,
        action: G::Action,
        seed: u64,
    ) -> Vec<PerSide<f32>> {
        let turn = game.turn_number(state);
        self.few().map(|rollout| self.roll_out_after(game, state, action, turn, (seed, rollout))).collect()
    }

    /// What becomes of an action of who decides.
    fn roll_out_after(
        &mut self,
        game: &G,
        state: &G::State,
        action: G::Action,
        turn: u32,
        rollout: (u64, u64),
    ) -> PerSide<f32> {
        let side = if let Turn::Decide(side) = game.turn_of(state) { side } else { NOBODY.side };
        let line = (Line::First(action), Subject { side, stage: None });
        self.roll_out(game, state.clone(), line, turn, rollout)
    }

    /// Looks for something better than what `side` played from this decision of its own on.
    pub fn compare(
        &mut self,
        game: &G,
        state: &G::State,
        side: Side,
        (played, action): (Played<'_, G::Action>, G::Action),
        seed: u64,
    ) -> Comparison<G::Action> {
        let subject = Subject { side, stage: self.stage(game, state, side) };
        let followed = match played {
            _ if !self.has_plans() => Line::First(action),
            // Whatever policy plays the rest of the rollouts.
            Played::Usual => Line::Plan(Candidate::default()),
            Played::Choices(choices) => Line::Follow(choices),
        };
        let others = self.others(game, state, side, action, seed);
        let rollouts = u64::from(self.options.rollouts);
        let half = rollouts / 2;
        let mut run = |line, pair| {
            let state = game.determinize(state, side, &mut Rng64::stream(seed, pair, DETERMINIZATION));
            let turn = game.turn_number(&state);
            self.roll_out(game, state, (line, subject), turn, (seed, pair))[side]
        };
        let mut values: Vec<f32> = Vec::new();
        let mut arms: Vec<(Better<G::Action>, Vec<f32>)> =
            others.into_iter().map(|line| (line, Vec::new())).collect();
        let mut pairs = 0;
        let mut next = FIRST.min(half);
        let equal = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| a.total_cmp(b).is_eq());
        while !arms.is_empty() && pairs < half {
            let part = pairs..next;
            values.extend(part.clone().map(|pair| run(followed, pair)));
            for (line, arm) in &mut arms {
                arm.extend(part.clone().map(|pair| run((*line).into(), pair)));
            }
            let lead = |arm: &[f32]| Lead::of(arm, &values);
            if next < ENOUGH.min(half) {
                // Many plans do the same in many positions.
                arms.retain(|(_, arm)| !equal(arm, &values));
                for at in (1..arms.len()).rev() {
                    if arms[..at].iter().any(|(_, arm)| equal(arm, &arms[at].1)) {
                        arms.remove(at);
                    }
                }
            } else {
                // Who asks more of a few rollouts drops most of what is better.
                arms.retain(|(_, arm)| lead(arm).mean > 0.0);
                arms.sort_by(|(_, a), (_, b)| lead(b).mean.total_cmp(&lead(a).mean));
                // Half as many lines for twice as many rollouts.
                arms.truncate(if next == half { 1 } else { (arms.len() / 2).clamp(1, MOST) });
            }
            (pairs, next) = (next, (2 * next).min(half));
        }
        let known = values.len() as u64;
        values.extend((known..ENOUGH.min(half)).map(|pair| run(followed, pair)));
        let better = arms.pop().map(|(line, _)| {
            values.extend((half..rollouts).map(|pair| run(followed, pair)));
            let leads = (half..rollouts).map(|pair| run(line.into(), pair) - values[pair as usize]);
            (line, leads.map(f64::from).collect())
        });
        Comparison { played: values.into_iter().map(f64::from).collect(), better }
    }

    /// What `side` does along a line up to the first dice or the end of the part of the turn, in words.
    pub fn describe_line(
        &mut self,
        game: &G,
        state: &G::State,
        side: Side,
        line: Better<G::Action>,
        seed: u64,
    ) -> Vec<String> {
        let plan = match line {
            Better::Action(action) => return vec![game.describe(state, action)],
            Better::Plan(candidate) => candidate,
        };
        let subject = Subject { side, stage: self.stage(game, state, side) };
        let mut state = game.determinize(state, side, &mut Rng64::stream(seed, 0, DETERMINIZATION));
        let turn = game.turn_number(&state);
        let mut words = Vec::new();
        let line = (Line::Plan(plan), subject);
        self.follow(game, &mut state, line, turn, (seed, 0), |state, decider, action, told| {
            if told.holds && !told.rolled && decider == side {
                words.push(game.describe(state, action));
            }
            told.holds && !told.rolled
        });
        words
    }

    /// What a plan of `side` is called, and the objective of an operation.
    pub fn name(&self, game: &G, side: Side, candidate: Candidate) -> (&'static str, Option<String>) {
        let Some(portfolio) = &self.portfolio else { return ("", None) };
        let plan = portfolio.names[side].get(candidate.plan).copied().unwrap_or_default();
        (plan, candidate.objective.map(|objective| (portfolio.objective_name)(game, objective)))
    }

    /// The lines that are held against the one that was played.
    fn others(
        &mut self,
        game: &G,
        state: &G::State,
        side: Side,
        played: G::Action,
        seed: u64,
    ) -> Vec<Better<G::Action>> {
        let state = game.determinize(state, side, &mut Rng64::stream(seed, 0, DETERMINIZATION));
        if let Some(portfolio) = &self.portfolio {
            let mut objectives = Vec::new();
            portfolio.plans[0].objectives(game, &state, side, &mut objectives);
            objectives.truncate(self.options.operations);
            return Candidate::all(portfolio.plans.len(), &objectives).map(Better::Plan).collect();
        }
        let (mut legal, mut weights) = (Vec::new(), Vec::new());
        game.legal_actions(&state, &mut legal);
        self.evaluator.weigh(game, &state, side, &legal, &mut weights);
        let mut order: Vec<usize> = (0..legal.len()).filter(|&at| legal[at] != played).collect();
        if self.evaluator.is_uniform() {
            // The game's order says nothing of what is promising.
            let mut rng = Rng64::stream(seed, 0, MIND);
            for place in 0..order.len().min(self.options.alternatives) {
                let other = place + rng.below((order.len() - place) as u32) as usize;
                order.swap(place, other);
            }
        } else {
            order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        }
        order.into_iter().take(self.options.alternatives).map(|at| Better::Action(legal[at])).collect()
    }

    /// The number of the event at hand: rollouts meet the same dice in the same one.
    fn event(&self, game: &G, state: &G::State) -> u64 {
        match &self.portfolio {
            Some(portfolio) => (portfolio.event)(game, state),
            None => u64::from(game.turn_number(state)),
        }
    }

    fn roll_out(
        &mut self,
        game: &G,
        mut state: G::State,
        line: (Line<'_, G::Action>, Subject),
        turn: u32,
        rollout: (u64, u64),
    ) -> PerSide<f32> {
        self.follow(game, &mut state, line, turn, rollout, |_, _, _, _| true);
        utility_of(game, &state, &mut *self.evaluator)
    }

    /// Plays the position on to the horizon as seen from game turn `turn`: the subject by its line while that holds, everybody
    /// else and all that follows by the usual policy. `told` hears of each decision; it says whether to go on.
    fn follow(
        &mut self,
        game: &G,
        state: &mut G::State,
        (line, subject): (Line<'_, G::Action>, Subject),
        turn: u32,
        (seed, rollout): (u64, u64),
        mut told: impl FnMut(&G::State, Side, G::Action, Told) -> bool,
    ) {
        let (mut left, end) = self.options.depth.horizon(turn).bounds();
        let mut mind = Rng64::stream(seed, rollout, MIND);
        let mut dice = Rng64::stream(seed, rollout, 0);
        let mut event = None;
        let (mut holds, mut rolled) = (!matches!(line, Line::Usual), false);
        let mut next = 0;
        if let Some(usual) = &mut self.usual {
            usual.begin_line();
        }
        if let Some(portfolio) = &mut self.portfolio {
            portfolio.plans[0].begin_line();
            if let Line::Plan(Candidate { plan, objective }) = line {
                portfolio.plans[plan].begin_line();
                portfolio.plans[plan].set_operation(objective.map(|objective| (subject.side, objective)));
            }
        }
        let mut number = 0;
        while left > 0
            && let Turn::Decide(side) = game.turn_of(state)
            && game.turn_number(state) < end
        {
            let now = self.event(game, state);
            if event != Some(now) {
                event = Some(now);
                dice = Rng64::stream(seed, rollout, now);
            }
            self.legal.clear();
            game.legal_actions(state, &mut self.legal);
            let is_subject = side == subject.side;
            if holds && is_subject && !matches!(line, Line::First(_)) {
                // Decisions between, as in a battle, belong to no part of the turn, and end none.
                let stage = self.stage(game, state, side);
                holds = stage.is_none() || stage == subject.stage;
                if !holds {
                    self.end_operation(line);
                }
            }
            let own = if holds && is_subject { line } else { Line::Usual };
            let followed = match own {
                Line::First(action) => {
                    holds = false;
                    self.legal.binary_search(&action).is_ok().then_some(action)
                }
                Line::Follow(choices) => {
                    let ahead = &choices[next..choices.len().min(next + AHEAD)];
                    let found = ahead.iter().position(|choice| self.legal.binary_search(choice).is_ok());
                    found.map(|skipped| {
                        next += skipped + 1;
                        choices[next - 1]
                    })
                }
                Line::Usual | Line::Plan(_) => None,
            };
            let action = followed.unwrap_or_else(|| {
                let policy = match (own, &mut self.usual, &mut self.portfolio) {
                    (Line::Plan(candidate), _, Some(portfolio)) => &mut portfolio.plans[candidate.plan],
                    (_, Some(usual), _) => usual,
                    (_, None, Some(portfolio)) => &mut portfolio.plans[0],
                    (_, None, None) => unreachable!("somebody plays the rollouts"),
                };
                policy.pick(game, state, side, &self.legal, &mut mind)
            });
            if !told(state, side, action, Told { number, holds, rolled }) {
                break;
            }
            game.apply(state, action, &mut Noticing { dice: &mut dice, rolled: &mut rolled });
            number += 1;
            left -= 1;
        }
        self.end_operation(line);
    }

    /// The usual plan, which plays what follows too, goes for nothing any more.
    fn end_operation(&mut self, line: Line<'_, G::Action>) {
        if let (Line::Plan(Candidate { plan, objective: Some(_) }), Some(portfolio)) =
            (line, &mut self.portfolio)
        {
            portfolio.plans[plan].set_operation(None);
        }
    }
}

/// What is told of a decision in a rollout: its number, whether the line still holds, and whether dice have fallen before.
#[derive(Clone, Copy)]
struct Told {
    number: usize,
    holds: bool,
    rolled: bool,
}

/// So many lines at most are looked at more closely.
const MOST: usize = 4;

/// How far ahead in a record of choices the next one that is legal is looked for: some do not come about where the dice
/// fall otherwise.
const AHEAD: usize = 4;

/// Nobody's line is studied.
const NOBODY: Subject = Subject { side: Side(MAX_SIDES as u8), stage: None };
