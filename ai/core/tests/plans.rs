//! Search over plans on the toy game, where one plan is better than the usual one.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Field, Harvest, MOST, Operations};
use sandtable_ai::{
    Agent, AgentSpec, Decision, Observer, Plain, Policy, Portfolio, SearchFigures, Streams, SystemKnowledge,
    View, play_game,
};
use sandtable_core::{Dice, Game, PerSide, PlayContext, Rng64, Side};

/// Takes the least or the most there is.
struct Taker {
    most: bool,
}

impl Policy<Harvest> for Taker {
    fn pick(&mut self, _: &Harvest, _: &Field, _: Side, legal: &[u8], _: &mut Rng64) -> u8 {
        if self.most { legal[legal.len() - 1] } else { legal[0] }
    }
}

/// Knows these plans, the usual one first; a new stage begins with each turn of a side.
struct Planner(&'static [bool]);

impl SystemKnowledge<Harvest> for Planner {
    fn portfolio(&self) -> Option<Portfolio<Harvest>> {
        let plan = |&most: &bool| Box::new(Taker { most }) as Box<dyn Policy<Harvest>>;
        Some(Portfolio {
            plans: self.0.iter().map(plan).collect(),
            stage: |game, field, side| (side == Side(1)).then(|| u64::from(game.turn_number(field))),
            stages_a_turn: 1,
            event: |game, field| u64::from(game.turn_number(field)),
            names: PerSide::default(),
            objective_name: |_, _| String::new(),
            vary: None,
        })
    }
}

#[derive(Default)]
struct Record {
    takes: Vec<u8>,
    figures: Vec<SearchFigures>,
}

impl Observer<Harvest> for Record {
    fn decided(&mut self, decision: &Decision<'_, Harvest>) {
        if decision.side == Side(1) {
            self.takes.push(decision.action);
            self.figures.extend(decision.figures);
        }
    }
}

fn build(spec: &str, knowledge: &dyn SystemKnowledge<Harvest>) -> Box<dyn Agent<Harvest>> {
    spec.parse::<AgentSpec>().unwrap().build(knowledge).unwrap()
}

/// The utility of the second side, whose agent plans, and what it did.
fn play(spec: &str, plans: &'static [bool], seed: u64) -> (f32, Record) {
    let agents = [build("random", &Plain), build(spec, &Planner(plans)), build("random", &Plain)];
    let mut record = Record::default();
    let outcome = play_game(&Harvest::new(), agents, &mut Streams::new(seed, 0, 3), (), &mut record);
    (outcome.utility.0[1], record)
}

fn mean(spec: &str, plans: &'static [bool]) -> f32 {
    (0..200).map(|seed| play(spec, plans, seed).0).sum::<f32>() / 200.0
}

#[test]
fn the_better_plan_is_found_whichever_is_the_usual_one() {
    for agent in ["mcts", "ismcts"] {
        let fixed = [false, true]
            .map(|most| mean(&format!("{agent}:iterations=50"), if most { &[true] } else { &[false] }));
        let searched = [&[false, true][..], &[true, false, false]]
            .map(|plans| mean(&format!("{agent}:iterations=400"), plans));
        let [worse, better] = fixed;
        assert!(better > worse + 0.1, "the plans hardly differ: {fixed:?}");
        // Simulations end in random turns, so that now and then a turn is misjudged.
        let enough = worse + 0.8 * (better - worse);
        assert!(searched.iter().all(|&found| found > enough), "{fixed:?} {searched:?}");
    }
}

#[test]
fn a_plan_that_is_no_better_never_replaces_the_usual_one() {
    for seed in 0..20 {
        let (_, fixed) = play("mcts:iterations=100", &[true], seed);
        let (_, equal) = play("mcts:iterations=100", &[true, true, true], seed);
        let (_, distrustful) = play("mcts:iterations=5,trust=10", &[true, false], seed);
        assert_eq!(fixed.takes, equal.takes);
        assert_eq!(fixed.takes, distrustful.takes, "five simulations are no evidence");
    }
}

/// Takes at random, or the most there is; remembers which plan was asked last.
struct Gambler {
    number: usize,
    lucky: bool,
    last: Arc<AtomicUsize>,
}

impl Policy<Harvest> for Gambler {
    fn pick(&mut self, _: &Harvest, _: &Field, _: Side, legal: &[u8], rng: &mut Rng64) -> u8 {
        self.last.store(self.number, Ordering::Relaxed);
        // Each plan gambles for itself.
        let at = Rng64::stream(rng.next(), self.number as u64, 0).below(legal.len() as u32) as usize;
        legal[if self.lucky { legal.len() - 1 } else { at }]
    }
}

/// Knows five gamblers, of whom one may be lucky.
struct Gamblers {
    lucky: Option<usize>,
    last: Arc<AtomicUsize>,
}

impl SystemKnowledge<Harvest> for Gamblers {
    fn portfolio(&self) -> Option<Portfolio<Harvest>> {
        let plan = |number| Gambler { number, lucky: self.lucky == Some(number), last: self.last.clone() };
        Some(Portfolio {
            plans: (0..5).map(|number| Box::new(plan(number)) as Box<dyn Policy<Harvest>>).collect(),
            stage: |_, _, _| Some(0),
            stages_a_turn: 1,
            event: |game, field| u64::from(game.turn_number(field)),
            names: PerSide::default(),
            objective_name: |_, _| String::new(),
            vary: None,
        })
    }
}

/// How often of a thousand times each of the gamblers is chosen at the beginning.
fn gamblers_chosen(spec: &str, lucky: Option<usize>) -> [usize; 5] {
    let game = Harvest::new();
    let knowledge = Gamblers { lucky, last: Arc::default() };
    let mut chosen = [0; 5];
    for seed in 0..1000 {
        let mut agent = build(spec, &knowledge);
        let field = game.initial(&mut PlayContext::silent(&mut Rng64::stream(7, seed, 0)));
        let mut legal = Vec::new();
        game.legal_actions(&field, &mut legal);
        let view = View::new(&game, &field, Side(0), &legal);
        agent.choose(&view, &mut Rng64::stream(7, seed, 1));
        chosen[knowledge.last.load(Ordering::Relaxed)] += 1;
    }
    chosen
}

#[test]
fn plans_that_are_as_good_are_chosen_no_more_often_than_trust_says() {
    for iterations in [24, 60, 200] {
        let chosen = |trust: &str| gamblers_chosen(&format!("ismcts:iterations={iterations}{trust}"), None);
        let distrustful = chosen(",trust=2");
        assert!(1000 - distrustful[0] <= 50, "{iterations}: {distrustful:?}");
        // Without trust it is a toss-up who of them does best.
        let trusting = chosen("");
        assert!((100..600).contains(&trusting[0]), "{iterations}: {trusting:?}");
    }
}

#[test]
fn a_better_plan_is_found_the_sooner_the_more_is_searched() {
    // The last of all counts as well, with ten simulations for five plans.
    for lucky in [1, 4] {
        let found = ["10", "40", "200", "200,trust=2"]
            .map(|rest| gamblers_chosen(&format!("ismcts:iterations={rest}"), Some(lucky))[lucky]);
        let [least, some, most, distrustful] = found;
        assert!(least > 150 && some > least + 50 && most > some + 50 && most > 400, "{lucky}: {found:?}");
        assert!(distrustful > 250 && distrustful < most, "{lucky}: {found:?}");
    }
}

#[test]
fn each_stage_is_searched_once_within_the_budget() {
    let (_, record) = play("mcts:iterations=101", &[false, true, true], 3);
    assert_eq!(record.takes.len(), 9);
    assert_eq!(record.figures.len(), 3, "one search a turn");
    for figures in &record.figures {
        assert!(figures.iterations <= 101 && figures.iterations >= 24, "{figures:?}");
        assert!((0.0..=1.0).contains(&figures.value) && figures.nodes == 3 && figures.best_share > 0.2);
    }
    let (_, shared) = play("mcts:iterations=101,per=turn", &[false, true, true], 3);
    assert_eq!(shared.takes, record.takes);
    assert_eq!(shared.figures, record.figures, "one search a turn has the turn's whole budget");
}

#[test]
fn a_search_ends_when_no_doubt_is_left() {
    let spent = |plans| {
        let figures = (0..20).flat_map(|seed| play("mcts:iterations=400", plans, seed).1.figures);
        let spent: Vec<u32> = figures.map(|figures| figures.iterations).collect();
        spent.iter().sum::<u32>() as usize / spent.len()
    };
    let [better, same] = [spent(&[false, true]), spent(&[false, false])];
    assert!((16..300).contains(&better), "{better}");
    assert_eq!(same, 16, "plans that do the same are told apart by nothing");
}

#[test]
fn a_search_whose_time_is_short_tries_fewer_plans() {
    // Each simulation takes two milliseconds and more; ten plans are not studied in so little time, not by two pairs each.
    let mut chosen = 0;
    for seed in 0..10 {
        let knowledge = Sleepers;
        let mut agent = build("ismcts:ms=30", &knowledge);
        let game = Harvest::new();
        let field = game.initial(&mut PlayContext::silent(&mut Rng64::stream(7, seed, 0)));
        let mut legal = Vec::new();
        game.legal_actions(&field, &mut legal);
        let take = agent.choose(&View::new(&game, &field, Side(0), &legal), &mut Rng64::stream(7, seed, 1));
        let figures = agent.figures().unwrap();
        assert_eq!(figures.nodes, 10);
        let pairs = figures.best_share * figures.iterations as f32;
        assert!(pairs > 1.5 && figures.iterations < 40, "{figures:?}");
        chosen += usize::from(take == legal[legal.len() - 1]);
    }
    assert!(chosen >= 5, "the plan that is better comes second: {chosen}");
}

/// Takes the most or the least, after some thought.
struct Sleeper {
    most: bool,
}

impl Policy<Harvest> for Sleeper {
    fn pick(&mut self, _: &Harvest, _: &Field, side: Side, legal: &[u8], _: &mut Rng64) -> u8 {
        if side == Side(0) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        if self.most { legal[legal.len() - 1] } else { legal[0] }
    }
}

/// Ten plans, of which the second is better than the others.
struct Sleepers;

impl SystemKnowledge<Harvest> for Sleepers {
    fn portfolio(&self) -> Option<Portfolio<Harvest>> {
        Some(Portfolio {
            plans: (0..10)
                .map(|nth| Box::new(Sleeper { most: nth == 1 }) as Box<dyn Policy<Harvest>>)
                .collect(),
            stage: |_, _, _| Some(0),
            stages_a_turn: 1,
            event: |game, field| u64::from(game.turn_number(field)),
            names: PerSide::default(),
            objective_name: |_, _| String::new(),
            vary: None,
        })
    }
}

fn go(spec: &str, in_turn: fn(u32) -> bool, seed: u64) -> (f32, Record) {
    let agents = [build("random", &Plain), build(spec, &Operations { in_turn }), build("random", &Plain)];
    let mut record = Record::default();
    let outcome = play_game(&Harvest::new(), agents, &mut Streams::new(seed, 0, 3), (), &mut record);
    (outcome.utility.0[1], record)
}

#[test]
fn the_operation_that_pays_is_found_and_given_up_with_its_objective() {
    let mean = |spec: &str| (0..200).map(|seed| go(spec, |_| true, seed).0).sum::<f32>() / 200.0;
    let [least, most] = [&[false][..], &[true]].map(|plans| self::mean("mcts:iterations=50", plans));
    let found = mean("mcts:iterations=400");
    assert!(found > least + 0.8 * (most - least), "{least} {found} {most}");
    // The more promising one alone, which changes nothing, and none.
    for few in 0..2 {
        let found = mean(&format!("mcts:iterations=100,operations={few}"));
        assert!((found - least).abs() < f32::EPSILON, "{found} {least}");
    }
    // Without an objective the usual plan is in force again.
    let first = |turn: u32| turn <= 1;
    let (_, usual) = play("mcts:iterations=50", &[false], 5);
    let (_, record) = go("mcts:iterations=400", first, 5);
    let least = usual.takes[0];
    assert!(usual.takes.iter().all(|&take| take == least), "{:?}", usual.takes);
    assert!(record.takes[..3].iter().any(|&take| take != least), "{:?}", record.takes);
    assert!(record.takes[3..].iter().all(|&take| take == least), "{:?}", record.takes);
}

/// Takes the most if it goes for [`MOST`], or always; else the least.
struct Breed {
    goes: bool,
    most: bool,
    operation: Option<(Side, u16)>,
}

impl Policy<Harvest> for Breed {
    fn pick(&mut self, _: &Harvest, _: &Field, side: Side, legal: &[u8], _: &mut Rng64) -> u8 {
        let going = self.goes && self.operation == Some((side, MOST));
        if self.most || going { legal[legal.len() - 1] } else { legal[0] }
    }

    fn objectives(&self, game: &Harvest, field: &Field, _: Side, out: &mut Vec<u16>) {
        if game.turn_number(field) <= 2 {
            out.extend([3, MOST]);
        }
    }

    fn set_operation(&mut self, operation: Option<(Side, u16)>) {
        self.operation = operation;
    }
}

/// Two plans and two objectives that are nothing alone: what pays is a variation, or the second plan with the second objective.
struct Breeding {
    pays: Option<u64>,
    crossing: bool,
}

impl SystemKnowledge<Harvest> for Breeding {
    fn portfolio(&self) -> Option<Portfolio<Harvest>> {
        let breed = |goes, most| Box::new(Breed { goes, most, operation: None }) as Box<dyn Policy<Harvest>>;
        let pays = self.pays;
        Some(Portfolio {
            plans: vec![breed(false, false), breed(self.crossing, false)],
            stage: |game, field, side| (side == Side(1)).then(|| u64::from(game.turn_number(field))),
            stages_a_turn: 1,
            event: |game, field| u64::from(game.turn_number(field)),
            names: PerSide::default(),
            objective_name: |_, _| String::new(),
            vary: Some(Box::new(move |number| breed(false, pays == Some(number)))),
        })
    }
}

#[test]
fn larger_budgets_breed_variations_and_crossings() {
    let mean = |spec: &str, pays, crossing| {
        let of = |seed| {
            let breeding = Breeding { pays, crossing };
            let agents = [build("random", &Plain), build(spec, &breeding), build("random", &Plain)];
            play_game(&Harvest::new(), agents, &mut Streams::new(seed, 0, 3), (), &mut ()).utility.0[1]
        };
        (0..100).map(of).sum::<f32>() / 100.0
    };
    let alone = mean("mcts:iterations=400", None, false);
    let gain = |spec: &str, pays, crossing| mean(spec, pays, crossing) - alone;
    let all = mean("mcts:iterations=400", Some(0), false) - alone;
    assert!(all > 0.1, "{all}");
    // Half of the budget has eight pairs each for the two plans, two objectives or none, and so many variations more.
    assert!(gain("mcts:iterations=400", Some(15), false) > 0.8 * all);
    assert!(gain("mcts:iterations=240", Some(9), false) > 0.8 * all);
    for none in ["iterations=240", "iterations=400,variations=10", "iterations=64"] {
        assert!(gain(&format!("mcts:{none}"), Some(13), false).abs() < f32::EPSILON, "{none}");
    }
    // There are objectives in two of three turns; then the crossing is given up, and found once for both or twice.
    let found = gain("mcts:iterations=400,variations=0", None, true);
    assert!(found > 0.4 * all && found < 0.8 * all, "{found} of {all}");
    for none in ["iterations=400,crossings=off", "iterations=40", "iterations=400,operations=1"] {
        assert!(gain(&format!("mcts:{none},variations=0"), None, true).abs() < f32::EPSILON, "{none}");
    }
}

/// Opponents who choose between the plans as well: the search still finds the better plan, and expects less of it.
#[test]
fn informed_opponents_choose_plans_too() {
    let plans: &[bool] = &[false, true];
    let searched = mean("ismcts:iterations=400,opponents=informed", plans);
    let fixed = [&[false][..], &[true]].map(|plans| mean("ismcts:iterations=50", plans));
    assert!(searched > fixed[0] + 0.8 * (fixed[1] - fixed[0]), "{fixed:?} {searched}");
    let expected = |spec: &str| {
        let figures = (0..40).flat_map(|seed| play(spec, plans, seed).1.figures);
        let values: Vec<f32> = figures.map(|figures| figures.value).collect();
        values.iter().sum::<f32>() / values.len() as f32
    };
    let [shared, informed] = ["shared", "informed"]
        .map(|opponents| expected(&format!("ismcts:iterations=400,opponents={opponents}")));
    assert!(informed < shared - 0.01, "{informed} against {shared}");
}

#[test]
fn plans_are_searched_unless_a_tree_is_asked_for() {
    let figures = |spec: &str| play(spec, &[false, true], 1).1.figures.len();
    assert_eq!(figures("mcts:iterations=50,over=plans"), 3);
    assert_eq!(figures("mcts:iterations=50,over=actions"), 9);
    assert_eq!(figures("mcts:iterations=50,c=0.7"), 9);
    let error = |spec: &str, knowledge: &dyn SystemKnowledge<Harvest>| {
        spec.parse::<AgentSpec>().unwrap().build(knowledge).err().unwrap().to_string()
    };
    // A program that is asked for such a tree refuses it where plans can be searched.
    let suits = |spec: &str, knowledge: &dyn SystemKnowledge<Harvest>| {
        spec.parse::<AgentSpec>().unwrap().suits(knowledge).map_err(|error| error.to_string())
    };
    for (spec, option) in [("mcts:over=actions", "over=actions"), ("ismcts:nodes=50", "nodes")] {
        assert!(suits(spec, &Planner(&[true])).unwrap_err().contains(&format!("{option} asks for a tree")));
        assert_eq!(suits(spec, &Plain), Ok(()));
    }
    assert_eq!(suits("mcts:iterations=50,trust=2", &Planner(&[true])), Ok(()));
    assert_eq!(figures("ismcts:iterations=50,opponents=informed"), 3);
    assert_eq!(
        error("mcts:over=plans", &Plain),
        "agent \"mcts:over=plans\" cannot search over plans: the system has none"
    );
    assert_eq!(
        error("mcts:over=plans,c=1", &Planner(&[true])),
        "agent \"mcts:over=plans,c=1\" cannot search over plans: option c is for a tree of actions"
    );
}
