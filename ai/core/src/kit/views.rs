//! Equal views with other secrets: every agent that can be described plays on alike, whatever is hidden from it.

use std::collections::BTreeSet;

use sandtable_core::{Game, PlayContext, Rng64, Turn};

use super::SEED;
use crate::agent::View;
use crate::policy::{SystemKnowledge, UniformPolicy};
use crate::spec::{AgentSpec, OptionInfo, Values, agents};

/// Decisions of a line: a tree or a plan is kept from one to the next.
const LINE: u32 = 2;
/// Simulations of agents that search: so few that all agents can be asked, and more of those that cheat, to see that they do. No plan
/// is varied or crossed with so few; but then it is the same policy that plays, in the same determinizations.
const FEW: &str = "4";
const MORE: &str = "16";
/// In so many times as many positions those that cheat are asked.
const LOOKS: usize = 4;

/// Other values of an option, as they are written; none of one that the system knows nothing for.
fn values<G: Game>(option: &OptionInfo, knowledge: &dyn SystemKnowledge<G>) -> Vec<String> {
    let names = |usual: &str, named: &[crate::policy::Named]| {
        [usual].into_iter().chain(named.iter().map(|named| named.name)).map(str::to_owned).collect()
    };
    let joined = |weights: Vec<(String, f32)>| {
        let parts: Vec<String> = weights.into_iter().map(|(name, value)| format!("{name}:{value}")).collect();
        (!parts.is_empty()).then(|| parts.join("+"))
    };
    match option.values {
        // The clock says how far a search gets: two of them differ whatever they see.
        Values::Count(..) if option.name == "ms" => Vec::new(),
        // One simulation, or a tree of one node, is no search.
        Values::Count(low, high) => {
            [if low == 0 { 0 } else { 2 }, 16].map(|count: u32| count.clamp(low, high).to_string()).into()
        }
        Values::Number(low, high) => vec![(low + (high - low) / 16.0).to_string()],
        Values::NumberOr(low, high, word) => vec![f32::midpoint(low, high).to_string(), word.to_owned()],
        Values::Word(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        Values::Depth => ["0", "20"].map(str::to_owned).into(),
        Values::Policy => names("random", knowledge.policies()),
        Values::Evaluator => names("uniform", knowledge.evaluators()),
        Values::Restrictions => {
            knowledge.restrictions().iter().map(|restriction| restriction.name.to_owned()).collect()
        }
        Values::Weights => {
            let all = |end: fn((f32, f32)) -> f32| {
                let weights = knowledge.weights().into_iter();
                joined(weights.map(|one| (format!("{}.{}", one.side, one.name), end(one.range))).collect())
            };
            [all(|(low, _)| low), all(|(_, high)| high)].into_iter().flatten().collect()
        }
        Values::Value => {
            let evaluator = knowledge.evaluator(knowledge.default_evaluator());
            let weights = evaluator.and_then(|mut evaluator| {
                let value = evaluator.value()?;
                joined(value.weights().map(|(name, weight)| (name.to_owned(), 1.0 - weight)).collect())
            });
            weights.into_iter().collect()
        }
    }
}

/// All agents that can be described for a system, with rollouts cut at this depth: of each kind the usual one, and one for each value
/// of each option, but for budgets in milliseconds. A new kind, option, policy, evaluator or restriction is among them without being
/// named anywhere.
pub fn all_agents<G: Game + 'static>(knowledge: &dyn SystemKnowledge<G>, depth: &str) -> Vec<AgentSpec> {
    let mut all: Vec<AgentSpec> = Vec::new();
    for kind in agents() {
        let has = |name: &str| kind.options.iter().any(|option| option.name == name);
        let named = kind.name.parse::<AgentSpec>();
        let usual = [("iterations", FEW), ("depth", depth)]
            .into_iter()
            .filter(|(name, _)| has(name))
            .fold(named, |spec, (name, value)| spec.and_then(|spec| spec.with(name, value)));
        let usual = usual.unwrap_or_else(|error| panic!("{error}"));
        let other = |option: &OptionInfo, value: &str| {
            usual.with(option.name, value).unwrap_or_else(|error| panic!("{error}"))
        };
        let others = kind.options.iter().flat_map(|option| {
            // What is denied is denied before the agent is asked: one thing will do for agents that take their time.
            let few = option.values == Values::Restrictions && has("iterations");
            let most = if few { 1 } else { usize::MAX };
            values(option, knowledge).into_iter().take(most).map(move |value| other(option, &value))
        });
        for spec in [usual.clone()].into_iter().chain(others) {
            // A system may have no plans, no policy of the usual name, no weights.
            if spec.build(knowledge).is_ok() && !all.contains(&spec) {
                all.push(spec);
            }
        }
    }
    all
}

/// Positions of a game between the system's usual players in which the side that decides has a choice, makes plans if the system has
/// some, and something is hidden from it: at most so many of each side, spread over the game.
fn fogged<G: Game>(game: &G, knowledge: &dyn SystemKnowledge<G>, most: usize) -> Vec<G::State> {
    let mut policy = knowledge.policy(knowledge.default_rollout()).unwrap_or(Box::new(UniformPolicy));
    let portfolio = knowledge.portfolio();
    let plans = |state: &G::State, side| {
        portfolio.as_ref().is_none_or(|portfolio| (portfolio.stage)(game, state, side).is_some())
    };
    let sides = game.sides().len();
    let mut found: Vec<Vec<G::State>> = vec![Vec::new(); sides];
    let mut legal = Vec::new();
    // Short games show few positions each.
    for number in 0..most as u64 {
        let mut rng = Rng64::stream(SEED, number, 7);
        let mut state = game.initial(&mut PlayContext::silent(&mut rng));
        let mut here = vec![Vec::new(); sides];
        while let Turn::Decide(side) = game.turn_of(&state) {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            if legal.len() > 1
                && plans(&state, side)
                && game.hash(&game.determinize(&state, side, &mut rng)) != game.hash(&state)
            {
                here[side.index()].push(state.clone());
            }
            let action = policy.pick(game, &state, side, &legal, &mut rng);
            game.apply(&mut state, action, &mut PlayContext::silent(&mut rng));
        }
        for (found, here) in found.iter_mut().zip(here) {
            if found.len() < most {
                found.extend(super::spread(&here, most - found.len()));
            }
        }
        if found.iter().all(|found| found.len() >= most) {
            break;
        }
    }
    found.concat()
}

/// What came of a line.
#[derive(Default)]
struct Line {
    /// Where two views that are equal led to two choices, or to two findings.
    difference: Option<String>,
    /// Whether the agent searched.
    searched: bool,
}

/// Two agents of a kind for each side play one line from a position, one of them shown the true states, the other states that look
/// the same to its side.
fn line<G: Game + 'static>(
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
    spec: &AgentSpec,
    start: &G::State,
    number: u64,
) -> Line {
    let build = || spec.build(knowledge).expect("it could be built before");
    let mut players: Vec<_> = game.sides().iter().map(|_| None).collect();
    let (mut dice, mut guesses) = (Rng64::stream(SEED, number, 8), Rng64::stream(SEED, number, 9));
    let (mut state, mut legal, mut line) = (start.clone(), Vec::new(), Line::default());
    for decision in 0..LINE {
        let Turn::Decide(side) = game.turn_of(&state) else { break };
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let [one, two] = players[side.index()].get_or_insert_with(|| [build(), build()]);
        let other = game.determinize(&state, side, &mut guesses);
        let mut rng = Rng64::stream(SEED, number, 10 + u64::from(decision));
        let chosen = one.choose(&View::new(game, &state, side, &legal), &mut rng.clone());
        let guessed = two.choose(&View::new(game, &other, side, &legal), &mut rng);
        let (found, seen) = (one.figures(), two.figures());
        line.searched |= found.is_some();
        if chosen != guessed || found != seen {
            let words = |action| game.describe(&state, action);
            line.difference = Some(format!(
                "turn {}, decision {decision} of the line: {} ({found:?}) or {} ({seen:?})",
                game.turn_number(&state),
                words(chosen),
                words(guessed),
            ));
            break;
        }
        game.apply(&mut state, chosen, &mut PlayContext::silent(&mut dice));
    }
    line
}

/// Of states that look the same to a side, whatever is hidden in them, every agent of [`all_agents`] makes the same: it chooses and finds
/// alike, in lines from as many positions of each side as `places`. Those that say that they cheat ([`AgentSpec::cheats`]) see the
/// difference somewhere: so the test is known to see it, if rollouts are cut at a `depth` where what is hidden has come to light. What cheats
/// says so in its description, and nothing else does.
///
/// # Panics
/// With all agents that see what they should not, and the decision; if nothing is hidden; if an agent that searches never did; if one that
/// cheats sees nothing more; or if an option of an agent is not among those that are asked.
#[track_caller]
pub fn check_equal_views<G: Game + 'static>(
    name: &str,
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
    depth: &str,
    places: usize,
) {
    let starts = fogged(game, knowledge, LOOKS * places);
    assert!(!starts.is_empty(), "{name}: nothing is hidden where anybody has a choice");
    // Those of a side stand together.
    let some: Vec<&G::State> = starts.iter().step_by(LOOKS).collect();
    let all = all_agents(knowledge, depth);
    let asked: BTreeSet<(&str, &str)> =
        all.iter().flat_map(|spec| spec.given().map(|option| (spec.agent().name, option))).collect();
    for kind in agents() {
        for option in kind.options.iter().filter(|option| option.name != "ms") {
            assert!(
                asked.contains(&(kind.name, option.name)),
                "{name}: no {} with {}",
                kind.name,
                option.name
            );
        }
    }
    let mut faults = Vec::new();
    for spec in &all {
        if spec.to_string().contains("cheat=on") != spec.cheats() {
            faults.push(format!("{spec} does not say whether it cheats"));
        }
        if spec.cheats() {
            let spec = spec.with("iterations", MORE).unwrap_or_else(|error| panic!("{error}"));
            let mut lines =
                (0..).zip(&starts).map(|(number, start)| line(game, knowledge, &spec, start, number));
            if lines.all(|line| line.difference.is_none()) {
                faults.push(format!("{spec} says that it cheats, and sees nothing"));
            }
            continue;
        }
        let mut searched = false;
        for (number, start) in (0..).zip(&some) {
            let line = line(game, knowledge, spec, start, number);
            searched |= line.searched;
            if let Some(difference) = line.difference {
                faults.push(format!("{spec} sees what is hidden: {difference}"));
                break;
            }
        }
        if spec.iterations().is_some() && !searched {
            faults.push(format!("{spec} did not search"));
        }
    }
    assert!(faults.is_empty(), "{name}: {}", faults.join("\n"));
}
