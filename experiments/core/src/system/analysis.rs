//! What a game that is played again was worth, decision by decision.
//!
//! The game is cut into segments: decisions of one side up to the next dice, the next choice, or the next side. At both ends of
//! a segment stands a value, and between them what was skill and what was luck; where a segment has a choice, the line
//! that was played is held against others. Decisions in which nobody can have shown skill, being forced or those of a player
//! who goes the usual way, and at which no dice fell, belong to the segment beside them: what they change is nothing, and
//! to value hundreds of them would only cost time. See [`sandtable_ai::analysis`].

use rayon::prelude::*;
use sandtable_ai::analysis::{Better, Comparison, Played, Valued};
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
    /// The game that is played again.
    pub replay: ReplayRequest,
    /// The rollouts, as the options of agent `flat-mc`.
    pub rollouts: AgentSpec,
    /// How many other actions are tried at a decision in games without plans.
    pub alternatives: usize,
    /// How many objectives of operations are tried beside the plans.
    pub operations: usize,
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
    pub segments: Vec<Segment>,
}

impl GameAnalysis {
    /// Whether all that it says is of so many sides.
    pub fn has_sides(&self, sides: usize) -> bool {
        let all = |values: &[f64]| values.len() == sides;
        let fits = |segment: &Segment| {
            segment.side < sides && all(&segment.before) && all(&segment.taken) && all(&segment.after)
        };
        self.sides.len() == sides && self.segments.iter().all(fits)
    }
}

/// From the value of the start to a side to that of the result: start, luck, own, others and drift add up to it.
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
    /// What it changed to look further ahead from turn to turn, where rollouts are cut: the evaluator's, not the game's. With
    /// rollouts to the end it is zero.
    pub drift: Estimate,
    /// What the result was worth.
    pub end: f64,
}

/// Some decisions of a side on end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Segment {
    /// The number of the decision of which it is told, in the game, from 0: the first of the side.
    pub first: usize,
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
    /// That decision in words.
    pub words: String,
    /// What the position before it was worth to each side.
    pub before: Vec<f64>,
    /// What the decisions led to was worth to each side, before the dice fell.
    pub taken: Vec<f64>,
    /// What the position after it was worth to each side, as seen from the same turn.
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
    /// How likely so much of a lead would be if there were none, raised for all leads of the game (Holm); 1 without a lead.
    pub p: f64,
    /// Whether the lead is significant at 5%.
    pub blunder: bool,
    /// What the plan that did better is called; empty if there is none, or in games without plans.
    pub plan: String,
    /// The objective of the operation that did better, if it was one.
    pub objective: Option<String>,
    /// What was played and is not in the better line, in words.
    pub played: Vec<String>,
    /// What is in the better line and was not played, in words.
    pub better: Vec<String>,
}

/// What an analysis brought.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysed {
    /// Values, luck and skill, and what was given away.
    pub analysis: GameAnalysis,
    /// What was chosen at each decision: the game can be told from this without asking the agents again.
    pub choices: Vec<usize>,
}

/// An estimate that is no estimate: nothing was left to chance.
const EXACTLY_ZERO: Estimate = Estimate { value: 0.0, low: 0.0, high: 0.0 };

/// The number of the stream that seeds the rollouts of a game.
const ROLLOUTS: u64 = u64::MAX;

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
        let choice = legal.binary_search(&action);
        choices
            .push(choice.map_err(|_| {
                anyhow::anyhow!("an illegal action was chosen at decision {}", choices.len())
            })?);
        let (before, mut rolled) = (state.clone(), false);
        game.apply(&mut state, action, &mut Noticing { dice: &mut streams.dice, rolled: &mut rolled });
        let stage = analyst.stage(game, &before, side);
        steps.push(Step { state: before, side, action, rolled, stage, legal: legal.len() });
    }
    let replayed = players.end(&state);
    Ok(Record { steps, last: state, replayed, choices })
}

/// Decisions between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    start: usize,
    end: usize,
    /// The decision of which it is told: its choice, or the first of the side whose it is.
    main: usize,
    /// Whether `main` is a choice.
    chooses: bool,
    /// Whether nobody can have shown skill in it.
    quiet: bool,
}

/// What counts of a decision where the game is cut.
#[derive(Clone, Copy)]
struct Moment {
    side: Side,
    /// The game turn from which it is valued, where values of different turns differ.
    turn: Option<u32>,
    stage: Option<u64>,
    /// Whether there was more than one legal action.
    is_free: bool,
    /// Whether its side plays the usual way.
    is_usual: bool,
    /// Whether dice fell after it.
    rolled: bool,
}

/// The decisions at which lines are compared.
fn choices_of(moments: &[Moment], has_plans: bool) -> Vec<bool> {
    let mut stages: Vec<(Side, u64)> = Vec::new();
    let chooses = |moment: &Moment| match moment.stage {
        _ if !has_plans => moment.is_free,
        None => false,
        Some(stage) => {
            let chooses = !stages.contains(&(moment.side, stage)) && moment.is_free;
            if chooses {
                stages.retain(|(side, _)| *side != moment.side);
                stages.push((moment.side, stage));
            }
            chooses
        }
    };
    moments.iter().map(chooses).collect()
}

/// Cuts the game into segments.
fn cut(moments: &[Moment], has_plans: bool) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (at, (moment, chooses)) in moments.iter().zip(choices_of(moments, has_plans)).enumerate() {
        let quiet = !chooses && (!moment.is_free || moment.is_usual);
        let here = Span { start: at, end: at + 1, main: at, chooses, quiet };
        let goes_on = |before: Moment| !before.rolled && before.turn == moment.turn;
        match spans.last_mut().filter(|_| goes_on(moments[at - 1])) {
            // It takes the segment over, or follows in one of its side's.
            Some(open) if open.quiet => {
                let follows = quiet && moments[open.main].side == moment.side;
                let main = if follows { open.main } else { at };
                *open = Span { start: open.start, main, ..here };
            }
            Some(open) if quiet || !chooses && moments[open.main].side == moment.side => open.end = at + 1,
            _ => spans.push(here),
        }
    }
    spans
}

/// The decisions of `side` from `at` to the end of the part of the turn.
fn line_of<G: Game>(steps: &[Step<G>], at: usize) -> impl Iterator<Item = &Step<G>> {
    let Step { side, stage, .. } = steps[at];
    let own = steps[at..].iter().filter(move |step| step.side == side);
    // Decisions between, as in a battle, belong to no part of the turn, and end none.
    own.take_while(move |step| step.stage.is_none() || step.stage == stage)
}

/// A piece of work; the number is of a segment.
#[derive(Clone, Copy)]
enum Task {
    /// The value of the position before it, and of its last action if dice fell there.
    Value(usize),
    /// The value of the position after it, as seen from its turn.
    Beyond(usize),
    Compare(usize),
}

enum Answer<A> {
    Valued(Valued),
    Beyond(Vec<PerSide<f32>>),
    Compared(Compared<A>),
}

/// The better line, and how it is told.
struct Compared<A> {
    comparison: Comparison<A>,
    plan: String,
    objective: Option<String>,
    words: Vec<String>,
}

/// What the positions of rollouts are worth to a side.
fn mean(values: &[PerSide<f32>], side: Side) -> Moments {
    values.iter().map(|values| f64::from(values[side])).collect()
}

/// Mean and interval of a difference of worths, whose like may be anything from -1 to 1.
fn difference(values: impl Iterator<Item = f64>) -> Estimate {
    values.collect::<Moments>().mean_from(-1.0, 1.0)
}

/// Mean and interval of sums over the segments of a game that bring such differences: exactly zero where there are none.
fn total(sums: impl Iterator<Item = f64>, segments: usize) -> Estimate {
    let most = segments as f64;
    if segments == 0 { EXACTLY_ZERO } else { sums.collect::<Moments>().mean_from(-most, most) }
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
    accept: &(dyn Fn(&Replayed) -> Result<(), Failure> + Sync),
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Analysed, Failure> {
    let (game, knowledge) = (&opened.scenario.game, &opened.scenario.knowledge);
    let alternatives = (request.alternatives, request.operations);
    let analyst = || request.rollouts.analyst(knowledge, alternatives);
    let first = analyst().map_err(|error| Failure::input(error.to_string()))?;
    let Record { steps, last, replayed, choices } = record(opened, &request.replay, &first)?;
    accept(&replayed)?;
    let plays_usual = |side: Side| request.replay.agents[side.index()].is_plain_scripted();
    let is_usual = |side| first.has_plans() && !request.rollouts.names_rollout() && plays_usual(side);
    let turn_of = |at: usize| game.turn_number(&steps[at].state);
    let moment = |step: &Step<S::Game>| Moment {
        side: step.side,
        turn: first.drifts().then(|| game.turn_number(&step.state)),
        stage: step.stage,
        is_free: step.legal > 1,
        is_usual: is_usual(step.side),
        rolled: step.rolled,
    };
    let moments: Vec<Moment> = steps.iter().map(moment).collect();
    let spans = cut(&moments, first.has_plans());
    // Not a stream of the game itself, should the seeds be the same.
    let seed = Rng64::stream(request.seed, request.replay.game, ROLLOUTS).next();
    let tasks: Vec<Task> = (0..spans.len())
        .flat_map(|at| {
            let Span { start, end, chooses, .. } = spans[at];
            let beyond = end < steps.len() && first.drifts() && turn_of(end) != turn_of(start);
            let beyond = beyond.then_some(Task::Beyond(at));
            [Some(Task::Value(at)), chooses.then_some(Task::Compare(at)), beyond].into_iter().flatten()
        })
        .collect();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let answers: Vec<Answer<<S::Game as Game>::Action>> = tasks
        .par_iter()
        .map(|&task| {
            // A new one for each, for policies may keep what they drew for a game: else it would matter which thread did
            // what before.
            let analyst = &mut analyst().expect("it could be built before");
            let answer = match task {
                Task::Value(at) => {
                    let Span { start, end, .. } = spans[at];
                    let actions: Vec<_> = steps[start..end].iter().map(|step| step.action).collect();
                    let last = &steps[end - 1];
                    let rolled = last.rolled.then_some(&last.state);
                    let before = &steps[start].state;
                    Answer::Valued(analyst.valued(game, before, (&actions, rolled), turn_of(start), seed))
                }
                Task::Beyond(at) => {
                    let Span { start, end, .. } = spans[at];
                    Answer::Beyond(analyst.values(game, &steps[end].state, turn_of(start), seed))
                }
                Task::Compare(at) => {
                    let at = spans[at].main;
                    let Step { state, side, action, .. } = &steps[at];
                    let actions: Vec<_> = line_of(&steps, at).map(|step| step.action).collect();
                    let played = if plays_usual(*side) { Played::Usual } else { Played::Choices(&actions) };
                    let seed = Rng64::stream(seed, at as u64, 1).next();
                    let comparison = analyst.compare(game, state, *side, (played, *action), seed);
                    let line = comparison.better.as_ref().map(|&(line, _)| line);
                    let words = line.map(|line| analyst.describe_line(game, state, *side, line, seed));
                    let (plan, objective) = match line {
                        Some(Better::Plan(candidate)) => analyst.name(game, *side, candidate),
                        Some(Better::Action(_)) | None => Default::default(),
                    };
                    let words = words.unwrap_or_default();
                    Answer::Compared(Compared { comparison, plan: plan.to_owned(), objective, words })
                }
            };
            progress(1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed), tasks.len());
            answer
        })
        .collect();
    let outcome = game.outcome(&last).map(|outcome| outcome.utility).unwrap_or_default();
    let mut found =
        Found { values: Vec::new(), taken: Vec::new(), beyond: Vec::new(), compared: Vec::new(), outcome };
    for answer in answers {
        match answer {
            Answer::Valued(Valued { before, taken }) => {
                found.values.push(before);
                found.taken.push(taken);
                found.beyond.push(None);
                found.compared.push(None);
            }
            Answer::Beyond(values) => *found.beyond.last_mut().expect("a value came first") = Some(values),
            Answer::Compared(compared) => {
                *found.compared.last_mut().expect("a value came first") = Some(compared);
            }
        }
    }
    // The result is what the end is worth, whatever the dice of rollouts.
    let rollouts = found.values.first().map_or(0, Vec::len);
    found.values.push(vec![outcome; rollouts]);
    let analysis = found.analysis(opened, request.replay.game, &steps, &spans);
    Ok(Analysed { analysis, choices })
}

/// The values of rollouts, by segment; of values one more, that of the result.
struct Found<A> {
    values: Vec<Vec<PerSide<f32>>>,
    /// Of the last action of a segment that was followed by dice.
    taken: Vec<Option<Vec<PerSide<f32>>>>,
    /// Of the position after a segment as seen from its turn, where the next is seen from another.
    beyond: Vec<Option<Vec<PerSide<f32>>>>,
    compared: Vec<Option<Compared<A>>>,
    outcome: PerSide<f32>,
}

/// What a segment brought a side in one rollout.
#[derive(Clone, Copy, Default)]
struct Parts {
    skill: f64,
    luck: f64,
    drift: f64,
}

impl<A> Found<A> {
    /// The values after a segment, as seen from its turn.
    fn after(&self, segment: usize) -> &[PerSide<f32>] {
        self.beyond[segment].as_ref().unwrap_or(&self.values[segment + 1])
    }

    /// What a segment brought `side`, in each rollout.
    fn parts(&self, segment: usize, side: Side) -> impl Iterator<Item = Parts> {
        let (before, after) = (&self.values[segment], self.after(segment));
        // Without dice the position after the decision is what it led to.
        let taken = self.taken[segment].as_deref().unwrap_or(after);
        let value = move |values: &PerSide<f32>| f64::from(values[side]);
        before.iter().zip(taken).zip(after).zip(&self.values[segment + 1]).map(
            move |(((before, taken), after), next)| Parts {
                skill: value(taken) - value(before),
                luck: value(after) - value(taken),
                drift: value(next) - value(after),
            },
        )
    }

    fn analysis<S: System>(
        self,
        opened: &Opened<'_, S>,
        number: u64,
        steps: &[Step<S::Game>],
        spans: &[Span],
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
            .map(|compared| Some(compared.as_ref()?.comparison.better.as_ref()?.1.iter().copied().collect()))
            .collect();
        let raw: Vec<f64> = leads.iter().flatten().map(|lead| lead.p_above_zero(-1.0)).collect();
        let mut adjusted = holm(&raw, raw.len()).into_iter();
        let by_side = |values: &[PerSide<f32>]| sides.iter().map(|&side| mean(values, side).mean).collect();
        let segments = (0..spans.len())
            .map(|at| {
                let Span { start, end, main: first, .. } = spans[at];
                let Step { state, side, action, .. } = &steps[first];
                let choice = self.compared[at].as_ref().map(|compared| {
                    let p = if leads[at].is_some() { adjusted.next().unwrap_or(1.0) } else { 1.0 };
                    // Up to the first dice: what comes after them depends on them.
                    let mut fell = false;
                    let line =
                        line_of(steps, first).take_while(|step| !std::mem::replace(&mut fell, step.rolled));
                    let told = line.map(|step| game.describe(&step.state, step.action));
                    let played = if steps[first].stage.is_some() {
                        told.collect()
                    } else {
                        vec![game.describe(state, *action)]
                    };
                    let (played, better) = match &compared.comparison.better {
                        Some(_) => differences(played, compared.words.clone()),
                        None => (Vec::new(), Vec::new()),
                    };
                    Choice {
                        value: compared.comparison.played.iter().copied().collect::<Moments>().mean,
                        lead: leads[at].map(|lead| lead.mean_from(-1.0, 1.0)),
                        p,
                        blunder: p < ALPHA,
                        plan: compared.plan.clone(),
                        objective: compared.objective.clone(),
                        played,
                        better,
                    }
                });
                Segment {
                    first,
                    turn: game.turn_number(state),
                    label: opened.system.turn_label(game, state),
                    side: side.index(),
                    phase: opened.system.phase(game, state),
                    decisions: (end - start) as u32,
                    words: game.describe(state, *action),
                    before: by_side(&self.values[at]),
                    taken: by_side(self.taken[at].as_deref().unwrap_or(self.after(at))),
                    after: by_side(self.after(at)),
                    skill: difference(self.parts(at, *side).map(|parts| parts.skill)),
                    luck: match self.taken[at] {
                        Some(_) => difference(self.parts(at, *side).map(|parts| parts.luck)),
                        None => EXACTLY_ZERO,
                    },
                    choice,
                }
            })
            .collect();
        let accounts = sides.iter().map(|&side| self.account(side, steps, spans)).collect();
        GameAnalysis { game: number, sides: accounts, segments }
    }

    /// The sums over the game: rollouts of the same number met the same dice, so they are summed number by number.
    fn account<G: Game>(&self, side: Side, steps: &[Step<G>], spans: &[Span]) -> Account {
        let rollouts = self.values.first().map_or(0, Vec::len);
        let mut sums = vec![[0.0; 4]; rollouts];
        let is_own = |span: &Span| steps[span.main].side == side;
        for (at, span) in spans.iter().enumerate() {
            let is_own = is_own(span);
            for ([luck, own, others, drift], parts) in sums.iter_mut().zip(self.parts(at, side)) {
                *luck += parts.luck;
                *drift += parts.drift;
                *(if is_own { &mut *own } else { &mut *others }) += parts.skill;
            }
        }
        let own = spans.iter().filter(|&span| is_own(span)).count();
        let rolled = self.taken.iter().flatten().count();
        let drifted = self.beyond.iter().flatten().count();
        let sum = |part: usize, segments: usize| total(sums.iter().map(|sums| sums[part]), segments);
        Account {
            start: mean(&self.values[0], side).mean_from(0.0, 1.0),
            luck: sum(0, rolled),
            own: sum(1, own),
            others: sum(2, spans.len() - own),
            drift: sum(3, drifted),
            end: f64::from(self.outcome[side]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decisions in words: the side, `!` where dice fall, `=` where only one action is legal; a space ends a game turn, in which each
    /// side plans once.
    fn moments(text: &str, usual: &[u8]) -> Vec<Moment> {
        let mut moments: Vec<Moment> = Vec::new();
        let mut turn = 1;
        for letter in text.chars() {
            match letter {
                ' ' => turn += 1,
                '!' => moments.last_mut().unwrap().rolled = true,
                '=' => moments.last_mut().unwrap().is_free = false,
                side => {
                    let side = side as u8 - b'a';
                    moments.push(Moment {
                        side: Side(side),
                        turn: Some(turn),
                        stage: Some(u64::from(turn)),
                        is_free: true,
                        is_usual: usual.contains(&side),
                        rolled: false,
                    });
                }
            }
        }
        moments
    }

    #[test]
    fn there_are_values_only_around_dice_and_choices() {
        // Start and end, the decision of which is told, and whether it is a choice.
        let cut = |text: &str, usual: &[u8], has_plans| {
            let spans = cut(&moments(text, usual), has_plans);
            spans.iter().map(|span| (span.start, span.end, span.main, span.chooses)).collect::<Vec<_>>()
        };
        let both = &[0, 1];
        assert_eq!(
            cut("aabaab!aab aa", both, true),
            [(0, 2, 0, true), (2, 6, 2, true), (6, 9, 8, false), (9, 11, 9, true)],
            "each side chooses once a turn; what follows is quiet up to the dice or the turn"
        );
        // A player of another kind has skill to show in each of his stretches, the usual one in none.
        assert_eq!(
            cut("aabaab!aab aa", &[1], true),
            [(0, 2, 0, true), (2, 3, 2, true), (3, 6, 3, false), (6, 9, 6, false), (9, 11, 9, true)]
        );
        // Forced moves before a choice belong to it.
        assert_eq!(cut("a=b=a", &[], true), [(0, 3, 2, true)]);
        assert_eq!(cut("a=!b=a", &[], true), [(0, 1, 0, false), (1, 3, 2, true)]);
        // Without plans each free decision is a choice.
        assert_eq!(cut("aab=b!", &[], false), [(0, 1, 0, true), (1, 3, 1, true), (3, 4, 3, true)]);
    }

    #[test]
    fn rollouts_that_all_bring_nothing_are_a_sample_still() {
        assert_eq!(total([0.0; 0].into_iter(), 0), EXACTLY_ZERO);
        for value in [0.0, 1.0] {
            let sum = total([value; 64].into_iter(), 2);
            assert!(sum.low < value && value < sum.high, "{sum:?}");
            assert!(sum.low >= -2.0 && sum.high <= 2.0 && sum.width() < 0.3, "{sum:?}");
        }
    }
}
