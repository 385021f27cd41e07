//! What every agent must keep, on a toy game with three sides, teams, dice and legal sets that change with the dice.

mod common;

use common::{Farmer, Field, Harvest, agent, wilson};
use sandtable_ai::{
    Agent, AgentSpec, Decision, Observer, SearchFigures, Streams, UniformPolicy, View, agents, play_game,
};
use sandtable_core::{Game, PlayContext, Rng64, Side, Turn};

const ALL: [&str; 15] = [
    "random",
    "scripted",
    "flat-mc:iterations=60",
    "flat-mc:iterations=60,allocation=ucb1",
    "flat-mc:iterations=60,allocation=even,rollout=scripted",
    "mcts:iterations=60",
    "mcts:iterations=60,reuse=off,rule=puct,evaluator=gain",
    "mcts:iterations=60,depth=0,evaluator=gain,widening=0.5,breadth=1",
    "mcts:iterations=60,depth=1t,evaluator=gain,fpu=0.2",
    "mcts:iterations=200,per=turn,nodes=20",
    "ismcts:iterations=60",
    "ismcts:iterations=60,depth=4,rollout=scripted,evaluator=gain,widening=0.3",
    "ismcts:iterations=60,cheat=on",
    "ismcts:iterations=60,opponents=informed",
    "ismcts:iterations=60,opponents=informed,rule=puct,evaluator=gain,depth=2t,nodes=30",
];

fn build(spec: &str) -> Box<dyn Agent<Harvest>> {
    spec.parse::<AgentSpec>().unwrap().build(&Farmer).unwrap()
}

#[derive(Default)]
struct Record {
    actions: Vec<(Side, u8)>,
    figures: Vec<Option<SearchFigures>>,
    turns: Vec<u32>,
}

impl Observer<Harvest> for Record {
    fn decided(&mut self, decision: &Decision<'_, Harvest>) {
        assert!(decision.legal.contains(&decision.action));
        assert_eq!(Harvest::new().turn_of(decision.state), Turn::Decide(decision.side));
        self.actions.push((decision.side, decision.action));
        self.figures.push(decision.figures);
        self.turns.push(Harvest::new().turn_number(decision.state));
    }
}

fn record(specs: [&str; 3], seed: u64) -> Record {
    let agents = specs.map(build);
    let mut record = Record::default();
    let outcome = play_game(&Harvest::new(), agents, &mut Streams::new(seed, 0, 3), (), &mut record);
    let [ann, _, cid, _] = outcome.utility.0.map(f32::to_bits);
    assert_eq!(ann, cid, "the first and the third are a team");
    record
}

#[test]
fn every_kind_of_agent_plays_legal_games() {
    for spec in ALL {
        for seed in 0..20 {
            let record = record([spec; 3], seed);
            assert_eq!(record.actions.len(), 27);
            let searches = !spec.starts_with("random") && !spec.starts_with("scripted");
            assert!(
                searches || record.figures.iter().all(Option::is_none),
                "{spec} reports a search that was none"
            );
            for figures in record.figures.iter().flatten() {
                assert!((0.0..=1.0).contains(&figures.value) && figures.nodes >= 1 && figures.depth >= 1);
                assert!(figures.best_share > 0.0 && figures.best_share <= 1.0, "{spec}: {figures:?}");
            }
        }
    }
    for kind in agents() {
        assert!(
            ALL.iter().any(|spec| spec.split(':').next() == Some(kind.name)),
            "{} is not tested",
            kind.name
        );
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for spec in ALL {
        let [one, two, other] = [5, 5, 6].map(|seed| record([spec; 3], seed));
        assert_eq!(one.actions, two.actions, "{spec}");
        assert_eq!(one.figures, two.figures, "{spec}");
        assert_ne!(one.actions, other.actions, "{spec}");
    }
}

#[test]
fn one_agents_budget_does_not_move_the_dice_or_the_others() {
    let few = record(["random", "mcts:iterations=10", "random"], 3);
    let many = record(["random", "mcts:iterations=500", "random"], 3);
    assert_eq!(few.actions[..3], many.actions[..3]);
    let first = |record: &Record| record.figures[3].unwrap().iterations;
    assert_eq!((first(&few), first(&many)), (10, 500));
}

#[test]
fn budgets_are_kept() {
    for spec in ["flat-mc:iterations=77", "mcts:iterations=77", "ismcts:iterations=77"] {
        let record = record([spec; 3], 1);
        assert!(record.figures.iter().all(|figures| figures.unwrap().iterations <= 77), "{spec}");
        let full = record.figures.iter().filter(|figures| figures.unwrap().iterations == 77).count();
        assert!(full == 27 || spec.starts_with("flat"), "{spec}: {full} of 27");
    }
    for spec in ["mcts:iterations=90,per=turn", "flat-mc:iterations=90,per=turn"] {
        let record = record([spec; 3], 1);
        for turn in 1..=3 {
            for side in 0..3 {
                let spent: u32 = (0..27)
                    .filter(|&i| record.turns[i] == turn && record.actions[i].0 == Side(side))
                    .map(|i| record.figures[i].unwrap().iterations)
                    .sum();
                assert!((45..=90).contains(&spent), "{spec}: side {side} spent {spent} in turn {turn}");
            }
        }
    }
    let limit = 300;
    let figures = record(["mcts:iterations=2000,nodes=300"; 3], 1).figures;
    let most = figures.iter().map(|figures| figures.unwrap().nodes).max().unwrap();
    // Up to half of the limit is room for more children; the last node opened may bring six more.
    assert!((limit / 2..limit + 8).contains(&most), "{most}");
}

#[test]
fn budgets_in_milliseconds_search_and_play_legally() {
    for spec in ["mcts:ms=1", "ismcts:ms=3,per=turn", "flat-mc:ms=1"] {
        let record = record([spec; 3], 2);
        assert_eq!(record.actions.len(), 27);
        assert!(record.figures.iter().flatten().any(|figures| figures.iterations > 0), "{spec}");
    }
}

fn first_decision(game: &Harvest, seed: u64) -> (Field, Vec<u8>) {
    let state = game.initial(&mut PlayContext::silent(Rng64::stream(seed, 0, 0)));
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    (state, legal)
}

/// Plays three decisions of one chain and gives the tree's entries after each.
fn chain(spec: &str, seed: u64) -> Vec<u32> {
    let game = Harvest::new();
    let (mut state, _) = first_decision(&game, seed);
    let mut agent = build(spec);
    let mut rng = Rng64::stream(seed, 0, 1);
    let mut legal = Vec::new();
    (0..3)
        .map(|_| {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let action = agent.choose(&View::new(&game, &state, Side(0), &legal), &mut rng);
            game.apply(&mut state, action, &mut PlayContext::silent(Rng64::stream(seed, 1, 0)));
            agent.figures().unwrap().nodes
        })
        .collect()
}

#[test]
fn the_tree_is_kept_within_a_chain() {
    for spec in ["mcts", "ismcts", "mcts:rule=puct", "mcts:widening=0.5"] {
        let with = |options: &str| {
            let join = if spec.contains(':') { ',' } else { ':' };
            format!("{spec}{join}iterations=400{options}")
        };
        let (mut kept, mut fresh) = (0, 0);
        for seed in 0..10 {
            let [one, two] = [with(""), with(",reuse=off")].map(|spec| chain(&spec, seed));
            assert_eq!(one[0], two[0], "the first decision has nothing to keep");
            kept += one[1] + one[2];
            fresh += two[1] + two[2];
        }
        assert!(f64::from(kept) > 1.1 * f64::from(fresh), "{spec}: {kept} against {fresh} entries");
    }
}

#[test]
fn the_tree_is_dropped_when_the_game_went_elsewhere() {
    let game = Harvest::new();
    for spec in ["mcts:iterations=200", "ismcts:iterations=200"] {
        let (mut state, legal) = first_decision(&game, 4);
        let mut agent = build(spec);
        let chosen = agent.choose(&View::new(&game, &state, Side(0), &legal), &mut Rng64::stream(1, 0, 1));
        let other = *legal.iter().find(|&&action| action != chosen).unwrap();
        game.apply(&mut state, other, &mut PlayContext::silent(Rng64::stream(4, 1, 0)));
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        let fresh = build(spec);
        let view = View::new(&game, &state, Side(0), &legal);
        let [one, two] = [agent, fresh].map(|mut agent| {
            let action = agent.choose(&view, &mut Rng64::stream(2, 0, 1));
            (action, agent.figures())
        });
        assert_eq!(one, two, "{spec}: something was left of a tree of another line");
    }
}

#[test]
fn forced_decisions_are_not_searched() {
    let game = Harvest::new();
    let (state, legal) = first_decision(&game, 1);
    for spec in ALL {
        let mut agent = build(spec);
        let mut rng = Rng64::stream(1, 0, 1);
        assert_eq!(agent.choose(&View::new(&game, &state, Side(0), &legal[1..2]), &mut rng), legal[1]);
        assert_eq!(agent.figures(), None, "{spec}");
    }
}

#[test]
fn evaluators_steer_small_searches() {
    let game = Harvest::new();
    for seed in 0..10 {
        let (state, legal) = first_decision(&game, seed);
        let choose = |spec: &str| {
            let mut agent = build(spec);
            agent.choose(&View::new(&game, &state, Side(0), &legal), &mut Rng64::stream(seed, 0, 1))
        };
        let greedy = choose("scripted");
        // With one simulation the tree holds one action: the one with the best weight.
        assert_eq!(choose("mcts:iterations=1,evaluator=gain"), greedy);
        assert_eq!(choose("mcts:iterations=1,evaluator=gain,widening=0.5,breadth=1"), greedy);
        assert_eq!(choose("ismcts:iterations=1,evaluator=gain,widening=0.5,breadth=1"), greedy);
        assert_eq!(choose("mcts:iterations=1,evaluator=gain,rule=puct"), greedy);
        assert_ne!(choose("mcts:iterations=1,evaluator=wrong"), greedy);
    }
}

/// How often `spec` as bob beats two others, draws as one half.
fn score_of_bob(spec: &str, others: &str, games: u32) -> f64 {
    (0..games)
        .map(|number| {
            let agents = [others, spec, others].map(build);
            let mut streams = Streams::new(11, u64::from(number), 3);
            let outcome = play_game(&Harvest::new(), agents, &mut streams, (), &mut ());
            match outcome.winner {
                Some(1) => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            }
        })
        .sum()
}

#[test]
fn search_beats_chance_alone_and_in_a_team() {
    let games = 100;
    for spec in ALL.into_iter().filter(|spec| spec.contains("iterations")) {
        let (low, _) = wilson(score_of_bob(spec, "random", games), games);
        assert!(low > 0.6, "{spec} against random: lower bound {low:.3}");
        let (_, high) = wilson(score_of_bob("random", spec, games), games);
        assert!(high < 0.4, "random against {spec}: upper bound {high:.3}");
    }
}

#[test]
fn the_evaluation_is_used_where_rollouts_are_cut() {
    let games = 100;
    for (right, wrong) in [
        ("mcts:iterations=100,depth=0,evaluator=gain", "mcts:iterations=100,depth=0,evaluator=wrong"),
        ("mcts:iterations=100,depth=1t,evaluator=gain", "mcts:iterations=100,depth=1t,evaluator=wrong"),
        ("flat-mc:iterations=100,depth=3,evaluator=gain", "flat-mc:iterations=100,depth=3,evaluator=wrong"),
    ] {
        let (low, _) = wilson(score_of_bob(right, wrong, games), games);
        assert!(low > 0.6, "{right} against {wrong}: lower bound {low:.3}");
    }
}

#[test]
fn missing_policies_and_evaluators_are_named() {
    let error = |spec: &str| spec.parse::<AgentSpec>().unwrap().build(&Farmer).err().unwrap().to_string();
    assert_eq!(
        error("mcts:rollout=scriptd"),
        "unknown policy \"scriptd\" in agent \"mcts:rollout=scriptd\": expected random, scripted or wavering; did you mean \
         \"scripted\"?"
    );
    assert_eq!(
        error("mcts:evaluator=gian"),
        "unknown evaluator \"gian\" in agent \"mcts:evaluator=gian\": expected uniform, gain or wrong; did you mean \"gain\"?"
    );
    let plain =
        "scripted".parse::<AgentSpec>().unwrap().build::<Harvest>(&sandtable_ai::Plain).err().unwrap();
    assert_eq!(plain.to_string(), "unknown policy \"scripted\" in agent \"scripted\": expected random");
}

#[test]
fn the_toy_keeps_the_invariants() {
    use sandtable_core::kit::{KitOptions, run};
    let report = run(&Harvest::new(), &KitOptions { games: 50, ..KitOptions::default() }).unwrap();
    assert_eq!((report.shortest, report.longest), (27, 27));
    // The uniform policy plays what the random agent plays.
    let mut random = agent::<Harvest>("random");
    let game = Harvest::new();
    let (state, legal) = first_decision(&game, 1);
    let one = random.choose(&View::new(&game, &state, Side(0), &legal), &mut Rng64::stream(1, 0, 1));
    let two = sandtable_ai::Policy::pick(
        &mut UniformPolicy,
        &game,
        &state,
        Side(0),
        &legal,
        &mut Rng64::stream(1, 0, 1),
    );
    assert_eq!(one, two);
}
