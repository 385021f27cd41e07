//! What every agent must keep, whatever the game.
//!
//! * **Games are independent.** Played alone, in any order, two at a time by turns or each on a thread of its own: the
//!   same game is played choice by choice ([`check_agent`]), from the start and from its middle. What a run's tables hold then depends on its seed alone.
//! * **Lines are independent.** After [`Policy::begin_line`](crate::Policy::begin_line) nothing but the character
//!   drawn for the game is left of other lines, of whatever side, however far they went ([`check_policies`]).
//! * **Operations are legal and leave nothing.** The usual plan goes for an objective that its side knows of, and when it is taken
//!   away plays as if there had been none ([`check_operations`]).
//! * **Positions are independent.** An evaluator weighs and values a position the same whatever it saw before
//!   ([`check_evaluators`]).
//! * **Nothing hidden is known.** A policy chooses alike whatever stands behind what it sees, all game long ([`check_secrecy`]), and so does
//!   every agent that can be described, with every option, but for those that say that they cheat ([`check_equal_views`]).
//! * **Answers are legal**, also in positions to which others have led ([`check_legality`]).
//! * **What was proven ships**: the weights in a file of proofs ([`check_proofs`]).

mod views;

use std::fmt::Write as _;
use std::thread;

use sandtable_core::{Game, PerSide, PlayContext, Rng64, Side, Turn};

use crate::agent::{Agent, View};
use crate::assignment::Assignment;
use crate::play::Streams;
use crate::policy::{Evaluator, Horizon, Policy, SystemKnowledge, Weight};
use crate::spec::AgentSpec;
pub use views::{all_agents, check_equal_views};

/// The seed of all games of the kit.
const SEED: u64 = 20;
/// Games that are played in all orders.
const GAMES: u64 = 3;
/// Decisions of a game that agents play which do not search: a short game to its end, the beginning of a long one.
const FAR: u32 = 600;
/// Decisions of a line before the one that is compared, and of that.
const PREFIX: u32 = 40;
const LINE: u32 = 60;
/// Variations of the usual plan that are looked at.
const VARIATIONS: u64 = 2;

/// A game as far as it has been played.
struct Match<'a, G: Game> {
    game: &'a G,
    agents: Vec<Box<dyn Agent<G>>>,
    streams: Streams,
    state: G::State,
    legal: Vec<G::Action>,
    /// The index of each choice among the legal actions.
    choices: Vec<usize>,
}

impl<'a, G: Game + 'static> Match<'a, G> {
    /// A game from its start, or from a position of its own where there are `starts`.
    fn new(game: &'a G, assignment: &Assignment<'_, G>, number: u64, starts: &[G::State]) -> Self {
        let mut streams = Streams::new(SEED, number, assignment.sides());
        let state = match starts {
            [] => game.initial(&mut PlayContext::silent(&mut streams.dice)),
            starts => starts[number as usize % starts.len()].clone(),
        };
        let agents = assignment.agents().collect();
        Match { game, agents, streams, state, legal: Vec::new(), choices: Vec::new() }
    }

    /// Makes one decision; `false` if the game is over.
    fn step(&mut self) -> bool {
        let Turn::Decide(side) = self.game.turn_of(&self.state) else { return false };
        self.legal.clear();
        self.game.legal_actions(&self.state, &mut self.legal);
        let view = View::new(self.game, &self.state, side, &self.legal);
        let action = self.agents[side.index()].choose(&view, &mut self.streams.agents[side.index()]);
        self.choices.push(self.legal.binary_search(&action).expect("agents choose legal actions"));
        self.game.apply(&mut self.state, action, &mut PlayContext::silent(&mut self.streams.dice));
        true
    }

    /// Plays so many decisions, or to the end.
    fn play(mut self, decisions: u32) -> Vec<usize> {
        let _ = (0..decisions).all(|_| self.step());
        self.choices
    }
}

/// Where two lines part; `None` if they are the same.
fn difference<T: PartialEq>(one: &[T], other: &[T]) -> Option<usize> {
    let place = one.iter().zip(other).position(|(one, other)| one != other);
    place.or_else(|| (one.len() != other.len()).then(|| one.len().min(other.len())))
}

/// Checks that an agent, on all sides, plays each game as if there were no other; the first `decisions` of each game
/// are compared, from the start or from the positions of `starts`. `knowledge` makes the knowledge of the game anew.
///
/// # Errors
/// Names the property that does not hold, the game and the decision.
pub fn check_agent<G: Game + 'static, B: SystemKnowledge<G>>(
    game: &G,
    knowledge: impl Fn() -> B,
    spec: &AgentSpec,
    starts: &[G::State],
    decisions: u32,
) -> Result<(), String> {
    let specs = vec![spec.clone(); game.sides().len()];
    let alone: Vec<Vec<usize>> = (0..GAMES)
        .map(|number| {
            let knowledge = knowledge();
            let assignment = Assignment::new(&specs, &knowledge).map_err(|error| error.to_string())?;
            Ok(Match::new(game, &assignment, number, starts).play(decisions))
        })
        .collect::<Result<_, String>>()?;
    let knowledge = knowledge();
    let assignment = Assignment::new(&specs, &knowledge).map_err(|error| error.to_string())?;
    let compare = |how: &str, number: u64, choices: &[usize]| {
        let place = difference(choices, &alone[number as usize]);
        place.map_or(Ok(()), |at| {
            let from = if starts.is_empty() { "" } else { ", begun in its middle," };
            Err(format!(
                "{spec}: game {number}{from} differs from itself alone at decision {at} when played {how}"
            ))
        })
    };
    for number in 0..GAMES {
        compare(
            "after those before it",
            number,
            &Match::new(game, &assignment, number, starts).play(decisions),
        )?;
    }
    for number in (0..GAMES).rev() {
        compare(
            "after those behind it",
            number,
            &Match::new(game, &assignment, number, starts).play(decisions),
        )?;
    }
    let mut all: Vec<_> = (0..GAMES).map(|number| Match::new(game, &assignment, number, starts)).collect();
    for _ in 0..decisions {
        for game in &mut all {
            game.step();
        }
    }
    for (number, played) in (0..).zip(&all) {
        compare("by turns with the others", number, &played.choices)?;
    }
    let played: Vec<Vec<usize>> = thread::scope(|scope| {
        let play = |number| {
            let assignment = &assignment;
            scope.spawn(move || Match::new(game, assignment, number, starts).play(decisions))
        };
        let threads: Vec<_> = (0..GAMES).map(play).collect();
        threads.into_iter().map(|thread| thread.join().expect("the game was played")).collect()
    });
    for (number, choices) in (0..).zip(&played) {
        compare("on a thread of its own", number, choices)?;
    }
    Ok(())
}

/// Positions of a game that a policy plays on all sides, one every so many decisions; the first is the start.
fn positions<G: Game>(game: &G, policy: &mut dyn Policy<G>, every: u32) -> Vec<G::State> {
    let mut rng = Rng64::stream(SEED, 0, 0);
    let mut state = game.initial(&mut PlayContext::silent(&mut rng));
    let mut found = Vec::new();
    let mut legal = Vec::new();
    let mut decisions = 0;
    while let Turn::Decide(side) = game.turn_of(&state) {
        if decisions % every == 0 {
            found.push(state.clone());
        }
        decisions += 1;
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let action = policy.pick(game, &state, side, &legal, &mut rng);
        game.apply(&mut state, action, &mut PlayContext::silent(&mut rng));
    }
    found
}

/// At most so many of the positions, spread evenly.
fn spread<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    all.iter().step_by(all.len().div_ceil(most).max(1)).cloned().collect()
}

/// Plays on from a position by a policy that picks for all sides; returns the hashes on the way, or names the first action that is
/// not legal.
fn line<G: Game>(
    game: &G,
    policy: &mut dyn Policy<G>,
    start: &G::State,
    rng: &mut Rng64,
) -> Result<Vec<u64>, String> {
    let mut state = start.clone();
    let mut legal = Vec::new();
    let mut hashes = Vec::new();
    policy.begin_line();
    while let Turn::Decide(side) = game.turn_of(&state)
        && (hashes.len() as u32) < LINE
    {
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let reads = policy.reads_list(game, &state);
        let action = policy.pick(game, &state, side, if reads { &legal } else { &[] }, rng);
        if !legal.contains(&action) {
            return Err(format!("{} is not legal", game.describe(&state, action)));
        }
        game.apply(&mut state, action, &mut PlayContext::silent(&mut *rng));
        hashes.push(game.hash(&state));
    }
    Ok(hashes)
}

/// A fresh policy that has drawn what it draws for the whole game, always the same.
fn prepared<G: Game>(game: &G, mut policy: Box<dyn Policy<G>>) -> Box<dyn Policy<G>> {
    let mut rng = Rng64::stream(SEED, 1, 0);
    let mut state = game.initial(&mut PlayContext::silent(&mut rng));
    policy.play_out(game, &mut state, Horizon::Decisions(PREFIX), &mut Vec::new(), &mut rng);
    policy
}

/// Checks one policy. `make` makes it anew.
fn check_policy<G: Game>(
    game: &G,
    name: &str,
    make: &dyn Fn() -> Box<dyn Policy<G>>,
    positions: &[G::State],
) -> Result<(), String> {
    let prepared = || prepared(game, make());
    for (number, start) in positions.iter().enumerate() {
        let compared = |policy: &mut dyn Policy<G>| {
            line(game, policy, start, &mut Rng64::stream(SEED, 2, number as u64))
        };
        let rolled_out = |policy: &mut dyn Policy<G>| {
            let (mut state, mut rng) = (start.clone(), Rng64::stream(SEED, 4, number as u64));
            policy.play_out(game, &mut state, Horizon::Decisions(LINE), &mut Vec::new(), &mut rng);
            game.hash(&state)
        };
        let fresh =
            compared(&mut *prepared()).map_err(|illegal| format!("{name}, position {number}: {illegal}"))?;
        let mut used = prepared();
        // Later positions, then earlier ones: whole lines, and lines that are broken off in the midst of a plan.
        for (at, other) in positions.iter().enumerate().rev() {
            let mut rng = Rng64::stream(SEED, 3, at as u64);
            let mut determinization = other.clone();
            let horizon = Horizon::Decisions(LINE / 4 + 7 * at as u32);
            used.play_out(game, &mut determinization, horizon, &mut Vec::new(), &mut rng);
        }
        // A rollout begins a line by itself.
        if rolled_out(&mut *used) != rolled_out(&mut *prepared()) {
            return Err(format!("policy {name}: a rollout from position {number} remembers those before it"));
        }
        if let Some(at) = difference(&compared(&mut *used).unwrap_or_default(), &fresh) {
            let mut words = format!("policy {name}: lines from elsewhere are not forgotten: ");
            let _ = write!(words, "from position {number} another decision is made after {at}");
            return Err(words);
        }
    }
    Ok(())
}

/// Checks that nothing is left of one line in the next, for all policies of the knowledge and all plans of its
/// portfolio.
///
/// # Errors
/// Names the policy or plan, the position and the decision.
pub fn check_policies<G: Game + 'static>(game: &G, knowledge: &dyn SystemKnowledge<G>) -> Result<(), String> {
    for named in knowledge.policies() {
        let make = || knowledge.policy(named.name).expect("the knowledge names it");
        let all = positions(game, &mut *make(), 97);
        check_policy(game, named.name, &make, &spread(&all, 6))?;
        let plans = knowledge.portfolio().map_or(0, |portfolio| portfolio.plans.len());
        for plan in 0..plans {
            let make = || knowledge.portfolio().expect("it had one").plans.swap_remove(plan);
            check_policy(game, &format!("plan {plan}"), &make, &spread(&all, 3))?;
        }
        if let Some(vary) = knowledge.portfolio().and_then(|portfolio| portfolio.vary) {
            for number in 0..VARIATIONS {
                check_policy(game, &format!("variation {number}"), &|| vary(number), &spread(&all, 3))?;
            }
        }
    }
    Ok(())
}

/// Checks the operations of the usual plan: their objectives follow from what the side that decides knows, a line is played with one
/// by legal actions, some make a difference, and nothing is left of them.
///
/// # Errors
/// Names the position and the objective.
pub fn check_operations<G: Game + 'static>(
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
) -> Result<(), String> {
    let make = || knowledge.portfolio().map(|mut portfolio| prepared(game, portfolio.plans.swap_remove(0)));
    let Some(mut policy) = make() else { return Ok(()) };
    let all = spread(&positions(game, &mut *policy, 61), 16);
    let (mut played, mut different) = (0, 0);
    for (number, start) in all.iter().enumerate() {
        let Turn::Decide(side) = game.turn_of(start) else { continue };
        let mut guesses = Rng64::stream(SEED, 5, number as u64);
        let mut of_a_guess = |policy: &dyn Policy<G>| {
            let mut objectives = Vec::new();
            policy.objectives(game, &game.determinize(start, side, &mut guesses), side, &mut objectives);
            objectives
        };
        let objectives = of_a_guess(&*policy);
        if objectives != of_a_guess(&*policy) {
            return Err(format!("position {number}: objectives follow from what the side does not know"));
        }
        let dice = || Rng64::stream(SEED, 6, number as u64);
        let fresh = line(game, &mut *make().expect("it had one"), start, &mut dice())
            .map_err(|illegal| format!("position {number}: {illegal}"))?;
        for &objective in objectives.iter().take(2) {
            policy.set_operation(Some((side, objective)));
            let with = line(game, &mut *policy, start, &mut dice())
                .map_err(|illegal| format!("position {number}, objective {objective}: {illegal}"))?;
            played += 1;
            different += u32::from(with != fresh);
            policy.set_operation(None);
            if line(game, &mut *policy, start, &mut dice()).as_ref() != Ok(&fresh) {
                return Err(format!("position {number}: something is left of the operation for {objective}"));
            }
        }
    }
    if played > 0 && different == 0 {
        return Err(format!("none of {played} operations makes a difference"));
    }
    Ok(())
}

/// Checks a file of proofs against the weights that ship: each `[[proof]]` names a `weight` (`SIDE.NAME`), its `old` value and the `new`
/// one, which is the one shipped, and says how it was proven: `scenario`, the bounds of the test `sprt`, `games`, `result` ("H1"), the
/// first `seed`, the `commit` that played them, and the `analysis` that showed the habit.
///
/// # Errors
/// Names the weight and what is wrong.
pub fn check_proofs(text: &str, weights: &[Weight]) -> Result<(), String> {
    let file: toml::Table = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    let proofs = file.get("proof").and_then(toml::Value::as_array);
    for proof in proofs.ok_or("there is no [[proof]]")? {
        let of = |key: &str| proof.get(key).ok_or_else(|| format!("{key} is missing in {proof}"));
        let number = |key: &str| {
            let value = of(key)?;
            let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
            number.ok_or_else(|| format!("{key} = {value}: expected a number"))
        };
        let name = of("weight")?.as_str().unwrap_or_default();
        let shipped = weights.iter().find(|weight| format!("{}.{}", weight.side, weight.name) == name);
        let shipped = shipped.ok_or_else(|| format!("there is no weight {name}"))?;
        let (old, new) = (number("old")? as f32, number("new")? as f32);
        if new.total_cmp(&shipped.default).is_ne() {
            return Err(format!("{name} = {} ships and not {new}", shipped.default));
        }
        if old.total_cmp(&new).is_eq() {
            return Err(format!("{name}: {new} is the old value too"));
        }
        if of("result")?.as_str() != Some("H1") {
            return Err(format!("{name}: {} proves nothing", of("result")?));
        }
        for key in ["games", "seed"] {
            number(key)?;
        }
        for key in ["scenario", "sprt", "commit", "analysis"] {
            let words = of(key)?.as_str().unwrap_or_default();
            if words.is_empty() {
                return Err(format!("{name}: {key} says nothing"));
            }
        }
    }
    Ok(())
}

/// What an evaluator says of a position, bit by bit.
fn judgement<G: Game>(game: &G, evaluator: &mut dyn Evaluator<G>, state: &G::State, side: Side) -> Vec<u32> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mut weights = Vec::new();
    evaluator.weigh(game, state, side, &legal, &mut weights);
    let PerSide(values) = evaluator.evaluate(game, state);
    weights.iter().chain(&values[..game.sides().len()]).map(|value| value.to_bits()).collect()
}

/// Checks that all evaluators of the knowledge say the same of a position whatever they were asked before.
///
/// # Errors
/// Names the evaluator and the position.
pub fn check_evaluators<G: Game + 'static>(
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
) -> Result<(), String> {
    let mut policy = knowledge.policy(knowledge.default_rollout()).unwrap_or(Box::new(crate::UniformPolicy));
    let all = spread(&positions(game, &mut *policy, 23), 12);
    for named in knowledge.evaluators() {
        let make = || knowledge.evaluator(named.name).expect("the knowledge names it");
        let mut used = make();
        for (number, state) in all.iter().enumerate().chain(all.iter().enumerate().rev()) {
            let Turn::Decide(side) = game.turn_of(state) else { continue };
            if judgement(game, &mut *used, state, side) != judgement(game, &mut *make(), state, side) {
                return Err(format!("evaluator {}: other positions weigh on position {number}", named.name));
            }
        }
    }
    Ok(())
}

/// Two policies of a name for each side follow one game, each with its own guess of what is hidden, or the second with the truth, if
/// it says that it reads nothing hidden: they choose alike, in more than so many decisions.
///
/// # Panics
/// If there is no such policy, with the first decision in which the two differ, or if the game is too short.
#[track_caller]
pub fn check_secrecy<G: Game + 'static>(
    name: &str,
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
    policy: &str,
    more_than: u64,
) {
    let make = || knowledge.policy(policy).unwrap_or_else(|| panic!("there is no policy {policy}"));
    let mut players: Vec<_> = game.sides().iter().map(|_| [make(), make()]).collect();
    let (mut dice, mut guesses) = (Rng64::stream(5, 0, 0), Rng64::stream(5, 0, 1));
    let mut state = game.initial(&mut PlayContext::silent(&mut dice));
    let mut legal = Vec::new();
    let mut decisions = 0;
    while let Turn::Decide(side) = game.turn_of(&state) {
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let [one, two] = &mut players[side.index()];
        let mut rng = Rng64::stream(7, 0, decisions);
        let action =
            one.pick(game, &game.determinize(&state, side, &mut guesses), side, &legal, &mut rng.clone());
        let guess = two.reads_hidden(game).then(|| game.determinize(&state, side, &mut guesses));
        let other = two.pick(game, guess.as_ref().unwrap_or(&state), side, &legal, &mut rng);
        let (turn, words) = (game.turn_number(&state), |action| game.describe(&state, action));
        assert!(
            action == other,
            "{name}, turn {turn}, decision {decisions}: {} ({action:?}) or {} ({other:?})",
            words(action),
            words(other)
        );
        game.apply(&mut state, action, &mut PlayContext::silent(&mut dice));
        decisions += 1;
    }
    assert!(decisions > more_than, "{name}: {decisions} decisions");
}

/// A policy's choice is legal wherever it is asked: in positions to which another has led, who makes every third decision.
///
/// # Panics
/// If there is no such policy, or with the first choice that is not legal.
#[track_caller]
pub fn check_legality<G: Game + 'static>(
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
    policy: &str,
    games: u64,
) {
    let mut player = knowledge.policy(policy).unwrap_or_else(|| panic!("there is no policy {policy}"));
    let mut rng = Rng64::stream(9, 0, 0);
    let mut legal = Vec::new();
    for number in 0..games {
        let mut dice = Rng64::stream(9, number, 1);
        let mut state = game.initial(&mut PlayContext::silent(&mut dice));
        let mut decisions = 0;
        while let Turn::Decide(side) = game.turn_of(&state) {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let action = player.pick(game, &state, side, &legal, &mut rng);
            assert!(legal.contains(&action), "{policy}: {action:?} of {legal:?}");
            decisions += 1;
            let action = if decisions % 3 == 0 { legal[decisions % legal.len()] } else { action };
            game.apply(&mut state, action, &mut PlayContext::silent(&mut dice));
        }
    }
}

/// Each kind of agent, with whatever it may remember: turns' budgets, trees kept between decisions, trees by side.
pub const AGENTS: [&str; 5] = [
    "random",
    "flat-mc:iterations=12,per=turn,depth=8",
    "mcts:iterations=12,depth=8",
    "ismcts:iterations=12,per=turn,depth=8",
    "ismcts:iterations=12,opponents=informed,depth=8",
];
/// Agents for systems that know a policy `scripted`.
pub const AGENTS_WITH_POLICIES: [&str; 3] = [
    "scripted",
    "flat-mc:iterations=8,depth=8,rollout=scripted",
    "mcts:iterations=8,depth=8,rollout=scripted,over=actions",
];
/// Agents for systems that know plans.
pub const AGENTS_WITH_PLANS: [&str; 2] =
    ["mcts:iterations=20,depth=30", "ismcts:iterations=20,depth=30,opponents=informed,per=turn"];

/// A few positions from the middle of a game that the policy of rollouts plays.
pub fn middle<G: Game + 'static>(game: &G, knowledge: &dyn SystemKnowledge<G>) -> Vec<G::State> {
    let policy = knowledge.policy(knowledge.default_rollout());
    let mut all = positions(game, &mut *policy.unwrap_or(Box::new(crate::UniformPolicy)), 23);
    all.drain(..all.len() / 2);
    all.truncate(GAMES as usize);
    all
}

/// Games do not weigh on each other, for these agents: the first [`FAR`] decisions of those that do not search;
/// the first `decisions` of those that do; and as many from the middle of a game of all.
///
/// # Panics
/// With the agent that remembers.
#[track_caller]
pub fn check_agents<G: Game + 'static, B: SystemKnowledge<G>>(
    name: &str,
    game: &G,
    knowledge: impl Fn() -> B,
    specs: &[&str],
    decisions: u32,
) {
    let middle = middle(game, &knowledge());
    for text in specs {
        let spec: AgentSpec = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let searches = !["random", "scripted"].contains(&text.split(':').next().unwrap_or_default());
        let far = if searches { decisions } else { FAR };
        assert_eq!(check_agent(game, &knowledge, &spec, &[], far), Ok(()), "{name}");
        assert_eq!(check_agent(game, &knowledge, &spec, &middle, decisions), Ok(()), "{name}");
    }
}

/// No game, line or position weighs on another, for these agents and all policies and evaluators of a system: the whole of
/// [`check_agents`], [`check_policies`], [`check_operations`] and [`check_evaluators`].
///
/// # Panics
/// With the agent, policy or evaluator that remembers.
#[track_caller]
pub fn check_independence<G: Game + 'static, B: SystemKnowledge<G>>(
    name: &str,
    game: &G,
    knowledge: impl Fn() -> B,
    specs: &[&str],
    decisions: u32,
) {
    check_agents(name, game, &knowledge, specs, decisions);
    let knowledge = knowledge();
    assert_eq!(check_policies(game, &knowledge), Ok(()), "{name}");
    assert_eq!(check_operations(game, &knowledge), Ok(()), "{name}");
    assert_eq!(check_evaluators(game, &knowledge), Ok(()), "{name}");
}

/// A game between players of one policy, positions valued by the default evaluator now and then: gives the decisions and
/// what `measure` says of the play, which it is given once everything is made and must run once. What a policy takes from
/// the heap is found so.
///
/// # Panics
/// If there is no such policy, or no evaluator.
pub fn measure_policy<G: Game, T>(
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
    name: &str,
    number: u64,
    measure: impl FnOnce(&mut dyn FnMut()) -> T,
) -> (u32, T) {
    let policy = || knowledge.policy(name).expect("a policy of this name");
    let mut players: Vec<_> = game.sides().iter().map(|_| policy()).collect();
    let mut evaluator = knowledge.evaluator(knowledge.default_evaluator()).expect("an evaluator");
    let (mut dice, mut mind) = (Rng64::stream(SEED, number, 0), Rng64::stream(SEED, number, 1));
    let mut legal = Vec::with_capacity(1 << 13);
    let mut state = game.initial(&mut PlayContext::silent(&mut dice));
    let mut decisions = 0;
    let measured = measure(&mut || {
        game.legal_actions(&state, &mut legal);
        while let Turn::Decide(side) = game.turn_of(&state) {
            let action = players[side.index()].pick(game, &state, side, &legal, &mut mind);
            game.apply_listing(&mut state, action, &mut PlayContext::silent(&mut dice), &mut legal, |_| true);
            if decisions % 64 == 0 && game.outcome(&state).is_none() {
                evaluator.evaluate(game, &state);
            }
            decisions += 1;
        }
    });
    (decisions, measured)
}
