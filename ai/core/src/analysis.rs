//! Analysis of games: what positions are worth, and what a side gave away.
//!
//! **Values.** The value of a position is the mean utility of rollouts from it, in which every side plays the usual way:
//! the system's first plan, or the policy that is named. The n-th rollout of each position meets the same dice, event
//! by event, so that luck which meets two positions cancels out of their difference.
//!
//! **Luck and skill.** The value of a position before a decision, of the action taken there (the same position, the
//! action, fresh dice), and of the position that came of it differ by skill and by luck:
//! `V(after) - V(before) = [Q(action) - V(before)] + [V(after) - Q(action)]`. Over a game both add up to the result less
//! the value of the start, as in the analysis of backgammon. Both look at the true position. Where rollouts are cut some
//! turns ahead, the three values of a segment are taken at the same turn; what it changes to look a turn further at the next
//! one is the evaluator's drift, neither luck nor skill.
//!
//! **Better lines.** What a side could have done is asked in its own shoes: in determinizations of what it knew. Where the
//! system has a portfolio a line is a plan for the part of the turn at hand; else it is a single action. Half of the
//! rollouts choose the best line, the other half says by how much it leads the one that was played: the best of many is
//! not as good as it looks in the numbers that chose it.
//!
//! Literature: Tesauro and Galperin (1996), *NIPS* 9; Billings and Kan (2006), *ICGA Journal* 29, on luck-adjusted
//! assessment.

use sandtable_core::{Dice, Game, MAX_SIDES, PerSide, Rng64, Side, Turn};

use crate::policy::{Depth, Evaluator, Policy, Portfolio};
use crate::search::{Noticing, utility_of};

/// How much work goes into an analysis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnalysisOptions {
    /// Rollouts for each value and for each line; at least two.
    pub rollouts: u32,
    /// Where rollouts are cut short.
    pub depth: Depth,
    /// How many actions beside the one that was played are tried at a decision, in games without plans: those that the
    /// evaluator weighs most.
    pub alternatives: usize,
}

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
    /// The plan of this number in the portfolio.
    Plan(usize),
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
    Plan(usize),
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
        (0..u64::from(self.options.rollouts))
            .map(|rollout| self.roll_out(game, state.clone(), (Line::Usual, NOBODY), turn, (seed, rollout)))
            .collect()
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
        let Turn::Decide(side) = game.turn_of(state) else { return Vec::new() };
        let subject = Subject { side, stage: None };
        let turn = game.turn_number(state);
        (0..u64::from(self.options.rollouts))
            .map(|rollout| {
                self.roll_out(game, state.clone(), (Line::First(action), subject), turn, (seed, rollout))
            })
            .collect()
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
            Played::Usual => Line::Plan(0),
            Played::Choices(choices) => Line::Follow(choices),
        };
        let others = self.others(game, state, side, action, seed);
        let rollouts = u64::from(self.options.rollouts);
        let half = rollouts / 2;
        let mut run = |line, pair| {
            let state = game.determinize(state, side, &mut Rng64::stream(seed, pair, DETERMINIZATION));
            let turn = game.turn_number(&state);
            f64::from(self.roll_out(game, state, (line, subject), turn, (seed, pair))[side])
        };
        let mut values: Vec<f64> = (0..half).map(|pair| run(followed, pair)).collect();
        let mut best: Option<(f64, Better<G::Action>)> = None;
        let first: f64 = values.iter().sum();
        for other in others {
            let worth = (0..half).map(|pair| run(other.into(), pair)).sum();
            if worth > best.map_or(first, |(best, _)| best) {
                best = Some((worth, other));
            }
        }
        values.extend((half..rollouts).map(|pair| run(followed, pair)));
        let better = best.map(|(_, line)| {
            let leads = (half..rollouts).map(|pair| run(line.into(), pair) - values[pair as usize]);
            (line, leads.collect())
        });
        Comparison { played: values, better }
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
            Better::Plan(plan) => plan,
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

    /// The lines that are held against the one that was played.
    fn others(
        &mut self,
        game: &G,
        state: &G::State,
        side: Side,
        played: G::Action,
        seed: u64,
    ) -> Vec<Better<G::Action>> {
        if let Some(portfolio) = &self.portfolio {
            return (0..portfolio.plans.len()).map(Better::Plan).collect();
        }
        let state = game.determinize(state, side, &mut Rng64::stream(seed, 0, DETERMINIZATION));
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
            if let Line::Plan(plan) = line {
                portfolio.plans[plan].begin_line();
            }
        }
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
                    (Line::Plan(plan), _, Some(portfolio)) => &mut portfolio.plans[plan],
                    (_, Some(usual), _) => usual,
                    (_, None, Some(portfolio)) => &mut portfolio.plans[0],
                    (_, None, None) => unreachable!("somebody plays the rollouts"),
                };
                policy.pick(game, state, side, &self.legal, &mut mind)
            });
            if !told(state, side, action, Told { holds, rolled }) {
                return;
            }
            game.apply(state, action, &mut Noticing { dice: &mut dice, rolled: &mut rolled });
            left -= 1;
        }
    }
}

/// What is told of a decision in a rollout: whether the line still holds, and whether dice have fallen before.
#[derive(Clone, Copy)]
struct Told {
    holds: bool,
    rolled: bool,
}

/// How far ahead in a record of choices the next one that is legal is looked for: some do not come about where the dice
/// fall otherwise.
const AHEAD: usize = 4;

/// Nobody's line is studied.
const NOBODY: Subject = Subject { side: Side(MAX_SIDES as u8), stage: None };
