//! What a game that is played again was worth, decision by decision.
//!
//! The game is cut into stretches: decisions of one side up to the next dice, the next part of the turn, or the next
//! side. At both ends of a stretch stands a value, and between them what was skill and what was luck; where a stretch
//! begins with a choice, the line that was played is held against others. See [`sandtable_ai::analysis`].

use rayon::prelude::*;
use sandtable_ai::analysis::{Comparison, Played};
use sandtable_ai::search::Noticing;
use sandtable_ai::{AgentSpec, Analyst, Streams, View};
use sandtable_core::{Game, PerSide, PlayContext, Rng64, Side, Turn};
use sandtable_stats::interval::{Estimate, Moments};
use sandtable_stats::power::holm;
use serde::{Deserialize, Serialize};

use super::replay::Players;
use super::{Opened, ReplayRequest, Replayed, System};
use crate::failure::Failure;

/// Which game is analysed, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysisRequest {
    /// The game.
    pub replay: ReplayRequest,
    /// The rollouts, as the options of agent `flat-mc`.
    pub rollouts: AgentSpec,
    /// How many other actions are tried at a decision in games without plans.
    pub alternatives: usize,
    /// The seed of the rollouts.
    pub seed: u64,
}

/// The analysis of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameAnalysis {
    /// The number of the game in its run.
    pub game: u64,
    /// Where the result came from, by side.
    pub sides: Vec<Account>,
    /// The game from its start to its end.
    pub stretches: Vec<Stretch>,
}

/// From what the start was worth to a side to what the result was: the four add up.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Account {
    /// What the start was worth, 0 to 1.
    pub start: Estimate,
    /// What dice and cards brought.
    pub luck: Estimate,
    /// What its own decisions brought, against the usual play.
    pub own: Estimate,
    /// What the decisions of the others brought it, against the usual play.
    pub others: Estimate,
    /// What the result was worth.
    pub end: f64,
}

/// Some decisions of a side on end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stretch {
    /// The game turn.
    pub turn: u32,
    /// The game turn in words.
    pub label: String,
    /// The index of the side.
    pub side: usize,
    /// The phase of the game turn; empty if the system has none.
    pub phase: String,
    /// How many decisions.
    pub decisions: u32,
    /// The first of them in words.
    pub words: String,
    /// What the position before it was worth to each side.
    pub before: Vec<f64>,
    /// What the decisions led to was worth to each side, before the dice fell.
    pub taken: Vec<f64>,
    /// What the position after it was worth to each side.
    pub after: Vec<f64>,
    /// What the decisions brought the side, against the usual play.
    pub skill: Estimate,
    /// What dice and cards brought the side.
    pub luck: Estimate,
    /// The choice that the side made at its beginning.
    pub choice: Option<Choice>,
}

/// A choice between lines.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// What the line that was played was worth in the eyes of the side.
    pub value: f64,
    /// By how much the best other line led; none if none was found that did better.
    pub lead: Option<Estimate>,
    /// How likely so much of a lead would be if there were none, raised for all choices of the game that were looked at
    /// (Holm); 1 without a lead.
    pub p: f64,
    /// Whether the lead is significant at 5%.
    pub blunder: bool,
    /// What was played and is not in the better line, in words.
    pub played: Vec<String>,
    /// What is in the better line and was not played, in words.
    pub better: Vec<String>,
}

/// What an analysis brought.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysed {
    /// The analysis.
    pub analysis: GameAnalysis,
    /// How the game ended.
    pub replayed: Replayed,
    /// What was chosen at each decision: the game can be told from this without asking the agents again.
    pub choices: Vec<usize>,
}

/// The level below which a lead is a finding.
const ALPHA: f64 = 0.05;

/// A decision as it was made.
struct Step<G: Game> {
    state: G::State,
    side: Side,
    action: G::Action,
    rolled: bool,
    stage: Option<u64>,
    /// How many actions were legal.
    legal: usize,
}

/// The game again, with all that an analysis needs.
struct Record<G: Game> {
    steps: Vec<Step<G>>,
    last: G::State,
    replayed: Replayed,
    choices: Vec<usize>,
}

fn record<S: System>(
    opened: &Opened<'_, S>,
    request: &ReplayRequest,
    analyst: &Analyst<S::Game>,
) -> Result<Record<S::Game>, Failure> {
    let game = &opened.scenario.game;
    let mut players = Players::new(opened, request)?;
    let mut streams = Streams::new(request.seed, request.game, game.sides().len());
    let mut state = game.initial(&mut PlayContext::silent(&mut streams.dice));
    let (mut steps, mut choices, mut legal) = (Vec::new(), Vec::new(), Vec::new());
    while let Turn::Decide(side) = game.turn_of(&state) {
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let action = players.choose(&View::new(game, &state, side, &legal), &mut streams.agents)?;
        choices.push(legal.binary_search(&action).unwrap_or_default());
        let (before, mut rolled) = (state.clone(), false);
        game.apply(&mut state, action, &mut Noticing { dice: &mut streams.dice, rolled: &mut rolled });
        let stage = analyst.stage(game, &before, side);
        steps.push(Step { state: before, side, action, rolled, stage, legal: legal.len() });
    }
    let replayed = players.end(&state);
    Ok(Record { steps, last: state, replayed, choices })
}

/// Where stretches begin, and which of them begin with a choice; at last the number of decisions.
fn cut<G: Game>(steps: &[Step<G>], has_plans: bool) -> Vec<(usize, bool)> {
    let mut starts = Vec::new();
    let mut stages: Vec<(Side, u64)> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let chooses = match step.stage {
            _ if !has_plans => step.legal > 1,
            None => false,
            Some(stage) => {
                let known = stages.iter_mut().find(|(side, _)| *side == step.side);
                let is_new = known.as_ref().is_none_or(|(_, known)| *known != stage);
                match known {
                    Some((_, known)) => *known = stage,
                    None => stages.push((step.side, stage)),
                }
                is_new && step.legal > 1
            }
        };
        let follows = at > 0 && steps[at - 1].side == step.side && !steps[at - 1].rolled;
        if chooses || !follows {
            starts.push((at, chooses));
        }
    }
    starts
}

/// The decisions of `side` from `at` to the end of the part of the turn.
fn line_of<G: Game>(steps: &[Step<G>], at: usize) -> impl Iterator<Item = &Step<G>> {
    let Step { side, stage, .. } = steps[at];
    let own = steps[at..].iter().filter(move |step| step.side == side);
    own.take_while(move |step| step.stage == stage)
}

/// A piece of work; the number is of a decision, or one past the last.
#[derive(Clone, Copy)]
enum Task {
    Value(usize),
    After(usize),
    Compare(usize),
}

enum Answer<A> {
    Values(Vec<PerSide<f32>>),
    Compared(Comparison<A>, Vec<String>),
}

impl<A> Answer<A> {
    fn values(&self) -> &[PerSide<f32>] {
        match self {
            Answer::Values(values) => values,
            Answer::Compared(..) => &[],
        }
    }
}

/// What the positions of rollouts are worth to a side.
fn mean(values: &[PerSide<f32>], side: Side) -> Moments {
    values.iter().map(|values| f64::from(values[side])).collect()
}

/// Mean and interval of a difference of worths, whose like may be anything from -1 to 1.
fn difference(values: impl Iterator<Item = f64>) -> Estimate {
    values.collect::<Moments>().mean_from(-1.0, 1.0)
}

/// The two lists of words without what is in both, as often as it is in both.
fn differences(played: Vec<String>, mut better: Vec<String>) -> (Vec<String>, Vec<String>) {
    let played = played
        .into_iter()
        .filter(|words| match better.iter().position(|other| other == words) {
            Some(at) => {
                better.remove(at);
                false
            }
            None => true,
        })
        .collect();
    (played, better)
}

pub(super) fn analyse<S: System>(
    opened: &Opened<'_, S>,
    request: &AnalysisRequest,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Analysed, Failure> {
    let (game, knowledge) = (&opened.scenario.game, &opened.scenario.knowledge);
    let analyst = || request.rollouts.analyst(knowledge, request.alternatives);
    let first = analyst().map_err(|error| Failure::input(error.to_string()))?;
    let Record { steps, last, replayed, choices } = record(opened, &request.replay, &first)?;
    let starts = cut(&steps, first.has_plans());
    let seed = Rng64::stream(request.seed, request.replay.game, 0).next();
    let ends = starts.iter().skip(1).map(|&(at, _)| at).chain([steps.len()]);
    let tasks: Vec<Task> = starts
        .iter()
        .zip(ends)
        .flat_map(|(&(at, chooses), end)| {
            let after = steps[end - 1].rolled.then_some(Task::After(end - 1));
            [Some(Task::Value(at)), chooses.then_some(Task::Compare(at)), after].into_iter().flatten()
        })
        .collect();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let answers: Vec<Answer<<S::Game as Game>::Action>> = tasks
        .par_iter()
        .map_init(
            || analyst().expect("it could be built before"),
            |analyst, &task| {
                let answer = match task {
                    Task::Value(at) => Answer::Values(analyst.values(game, &steps[at].state, seed)),
                    Task::After(at) => {
                        Answer::Values(analyst.values_after(game, &steps[at].state, steps[at].action, seed))
                    }
                    Task::Compare(at) => {
                        let Step { state, side, action, .. } = &steps[at];
                        let actions: Vec<_> = line_of(&steps, at).map(|step| step.action).collect();
                        let is_usual = request.replay.agents[side.index()].to_string() == "scripted";
                        let played = if is_usual { Played::Usual } else { Played::Choices(&actions) };
                        let seed = Rng64::stream(seed, at as u64, 1).next();
                        let compared = analyst.compare(game, state, *side, (played, *action), seed);
                        let better = compared.better.as_ref().map(|&(line, _)| line);
                        let words = better.map(|line| analyst.tell(game, state, *side, line, seed));
                        Answer::Compared(compared, words.unwrap_or_default())
                    }
                };
                progress(1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed), tasks.len());
                answer
            },
        )
        .collect();
    let outcome = game.outcome(&last).map(|outcome| outcome.utility).unwrap_or_default();
    let mut found = Found { values: Vec::new(), after: Vec::new(), compared: Vec::new() };
    for (&task, answer) in tasks.iter().zip(answers) {
        match (task, answer) {
            (Task::Value(_), answer) => {
                found.values.push(answer.values().to_vec());
                found.after.push(None);
                found.compared.push(None);
            }
            (Task::After(_), answer) => {
                *found.after.last_mut().expect("a value came first") = Some(answer.values().to_vec());
            }
            (Task::Compare(_), Answer::Compared(compared, words)) => {
                *found.compared.last_mut().expect("a value came first") = Some((compared, words));
            }
            (Task::Compare(_), Answer::Values(_)) => unreachable!("a comparison was asked for"),
        }
    }
    // The result is what the end is worth, whatever the dice of rollouts.
    let rollouts = found.values.first().map_or(0, Vec::len);
    found.values.push(vec![outcome; rollouts]);
    let analysis = found.analysis(opened, request.replay.game, &steps, &starts);
    Ok(Analysed { analysis, replayed, choices })
}

/// The values of rollouts, by stretch; of values one more, that of the result.
struct Found<A> {
    values: Vec<Vec<PerSide<f32>>>,
    after: Vec<Option<Vec<PerSide<f32>>>>,
    compared: Vec<Option<(Comparison<A>, Vec<String>)>>,
}

impl<A> Found<A> {
    /// What skill and luck brought `side` in a stretch, in each rollout.
    fn parts(&self, stretch: usize, side: Side) -> impl Iterator<Item = (f64, f64)> {
        let (before, after) = (&self.values[stretch], &self.values[stretch + 1]);
        // Without dice the position after the decision is what it led to.
        let taken = self.after[stretch].as_ref().unwrap_or(after);
        let worth = move |values: &PerSide<f32>| f64::from(values[side]);
        before
            .iter()
            .zip(taken)
            .zip(after)
            .map(move |((before, taken), after)| (worth(taken) - worth(before), worth(after) - worth(taken)))
    }

    fn analysis<S: System>(
        self,
        opened: &Opened<'_, S>,
        number: u64,
        steps: &[Step<S::Game>],
        starts: &[(usize, bool)],
    ) -> GameAnalysis
    where
        S::Game: Game<Action = A>,
        A: Copy,
    {
        let game = &opened.scenario.game;
        let sides: Vec<Side> = (0..game.sides().len()).map(|side| Side(side as u8)).collect();
        let leads: Vec<Option<Moments>> = self
            .compared
            .iter()
            .map(|compared| Some(compared.as_ref()?.0.better.as_ref()?.1.iter().copied().collect()))
            .collect();
        let raw: Vec<f64> = leads.iter().flatten().map(Moments::p_above_zero).collect();
        let mut adjusted = holm(&raw, raw.len()).into_iter();
        let means: Vec<Vec<f64>> = (0..self.values.len())
            .map(|at| sides.iter().map(|&side| mean(&self.values[at], side).mean).collect())
            .collect();
        let stretches = (0..starts.len())
            .map(|at| {
                let (first, _) = starts[at];
                let end = starts.get(at + 1).map_or(steps.len(), |&(next, _)| next);
                let Step { state, side, action, .. } = &steps[first];
                let choice = self.compared[at].as_ref().map(|(compared, better)| {
                    let p = if leads[at].is_some() { adjusted.next().unwrap_or(1.0) } else { 1.0 };
                    let told = line_of(steps, first).map(|step| game.describe(&step.state, step.action));
                    let played = if steps[first].stage.is_some() {
                        told.collect()
                    } else {
                        vec![game.describe(state, *action)]
                    };
                    let (played, better) = match &compared.better {
                        Some(_) => differences(played, better.clone()),
                        None => (Vec::new(), Vec::new()),
                    };
                    Choice {
                        value: compared.played.iter().copied().collect::<Moments>().mean,
                        lead: leads[at].map(|lead| lead.mean_from(-1.0, 1.0)),
                        p,
                        blunder: p < ALPHA,
                        played,
                        better,
                    }
                });
                Stretch {
                    turn: game.turn_number(state),
                    label: opened.system.turn_label(game, state),
                    side: side.index(),
                    phase: opened.system.phase(game, state),
                    decisions: (end - first) as u32,
                    words: game.describe(state, *action),
                    before: means[at].clone(),
                    taken: match &self.after[at] {
                        Some(values) => sides.iter().map(|&side| mean(values, side).mean).collect(),
                        None => means[at + 1].clone(),
                    },
                    after: means[at + 1].clone(),
                    skill: difference(self.parts(at, *side).map(|(skill, _)| skill)),
                    luck: difference(self.parts(at, *side).map(|(_, luck)| luck)),
                    choice,
                }
            })
            .collect();
        let accounts = sides.iter().map(|&side| self.account(side, steps, starts)).collect();
        GameAnalysis { game: number, sides: accounts, stretches }
    }

    /// The sums over the game: rollouts of the same number met the same dice, so they are summed number by number.
    fn account<G: Game>(&self, side: Side, steps: &[Step<G>], starts: &[(usize, bool)]) -> Account {
        let rollouts = self.values.first().map_or(0, Vec::len);
        let mut sums = vec![[0.0; 3]; rollouts];
        for (at, &(first, _)) in starts.iter().enumerate() {
            let is_own = steps[first].side == side;
            for ([luck_sum, own, others], (skill, luck)) in sums.iter_mut().zip(self.parts(at, side)) {
                *luck_sum += luck;
                *(if is_own { &mut *own } else { &mut *others }) += skill;
            }
        }
        // A sum over a whole game may be larger than one result.
        let sum = |part: usize| sums.iter().map(|sums| sums[part]).collect::<Moments>().mean();
        Account {
            start: mean(&self.values[0], side).mean_from(0.0, 1.0),
            luck: sum(0),
            own: sum(1),
            others: sum(2),
            end: mean(&self.values[self.values.len() - 1], side).mean,
        }
    }
}
