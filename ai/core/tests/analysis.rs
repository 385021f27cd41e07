//! The analysis of games on the toy game, where one plan is better than the usual one.

mod common;

use common::{Field, Harvest, MOST, Operations};
use sandtable_ai::analysis::{Better, Played};
use sandtable_ai::plans::Candidate;
use sandtable_ai::{AgentSpec, Analyst, Plain, Policy, Portfolio, SystemKnowledge};
use sandtable_core::{Context, Dice, Game, Outcome, PerSide, PlayContext, Rng64, Side, SideInfo, Turn};

/// How much is taken.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Taker {
    Least,
    Most,
    Any,
}

use Taker::{Any, Least, Most};

impl Taker {
    fn take(self, legal: &[u8], rng: &mut Rng64) -> u8 {
        match self {
            Least => legal[0],
            Most => legal[legal.len() - 1],
            Any => legal[rng.below(legal.len() as u32) as usize],
        }
    }
}

impl Policy<Harvest> for Taker {
    fn pick(&mut self, _: &Harvest, _: &Field, _: Side, legal: &[u8], rng: &mut Rng64) -> u8 {
        self.take(legal, rng)
    }
}

/// Knows these plans, the usual one first; a new stage begins with each turn of a side.
struct Planner(&'static [Taker]);

impl SystemKnowledge<Harvest> for Planner {
    fn portfolio(&self) -> Option<Portfolio<Harvest>> {
        let plan = |&taker: &Taker| Box::new(taker) as Box<dyn Policy<Harvest>>;
        Some(Portfolio {
            plans: self.0.iter().map(plan).collect(),
            stage: |game, field, side| (side == Side(1)).then(|| u64::from(game.turn_number(field))),
            stages_a_turn: 1,
            event: |game, field| u64::from(game.turn_number(field)),
            names: PerSide([&["usual", "other"]; 4]),
            objective_name: |_, objective| format!("objective {objective}"),
            vary: None,
        })
    }
}

fn analyst(plans: &'static [Taker], rollouts: u32) -> Analyst<Harvest> {
    let spec: AgentSpec = format!("flat-mc:iterations={rollouts}").parse().unwrap();
    spec.analyst(&Planner(plans), (0, 0)).unwrap()
}

/// The first position in which the second side decides.
fn position(seed: u64) -> Field {
    let game = Harvest::new();
    let mut context = PlayContext::silent(Rng64::stream(seed, 0, 0));
    let mut field = game.initial(&mut context);
    while game.turn_of(&field) != Turn::Decide(Side(1)) {
        let mut legal = Vec::new();
        game.legal_actions(&field, &mut legal);
        game.apply(&mut field, legal[0], &mut context);
    }
    field
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn first_legal(field: &Field) -> u8 {
    let mut legal = Vec::new();
    Harvest::new().legal_actions(field, &mut legal);
    legal[0]
}

fn last_legal(field: &Field) -> u8 {
    let mut legal = Vec::new();
    Harvest::new().legal_actions(field, &mut legal);
    legal[legal.len() - 1]
}

/// What a side does in its turn that takes so.
fn takes(mut field: Field, taker: Taker, seed: u64) -> Vec<u8> {
    let (mut takes, mut legal, mut rng) = (Vec::new(), Vec::new(), Rng64::stream(seed, 0, 0));
    while takes.len() < 3 {
        legal.clear();
        Harvest::new().legal_actions(&field, &mut legal);
        takes.push(taker.take(&legal, &mut rng));
        Harvest::new().apply(&mut field, takes[takes.len() - 1], &mut PlayContext::silent(&mut rng));
    }
    takes
}

#[test]
fn a_lead_is_measured_by_rollouts_that_did_not_choose_the_line() {
    let game = Harvest::new();
    let mut lucky = 0;
    let orders: [(&'static [Taker], &'static [Taker]); 2] =
        [(&[Least, Any], &[Least, Least]), (&[Most, Any], &[Most, Most])];
    for (start, (plans, usual)) in (0..4).flat_map(|start| orders.map(|order| (start, order))) {
        let field = position(start);
        let mut by_choices = analyst(usual, 20);
        let mut worth = |taker| {
            let values = (0..1_000).flat_map(|seed| {
                let takes = takes(field, taker, seed);
                let played = (Played::Choices(&takes[..]), takes[0]);
                // So many rollouts the line has whatever comes out.
                by_choices.compare(&game, &field, Side(1), played, seed).played[..8].to_vec()
            });
            mean(&values.collect::<Vec<_>>())
        };
        let truth = worth(Any) - worth(plans[0]);
        let mut found = Vec::new();
        for seed in 0..1_000 {
            let played = (Played::Usual, takes(field, plans[0], 0)[0]);
            let compared = analyst(plans, 4).compare(&game, &field, Side(1), played, seed);
            if let Some((line, leads)) = compared.better {
                assert_eq!((line, leads.len()), (Better::Plan(Candidate { plan: 1, objective: None }), 2));
                found.push(mean(&leads));
            }
        }
        lucky += u32::from(truth < 0.0 && found.len() > 100);
        let off = mean(&found) - truth;
        assert!(found.len() < 100 || off.abs() < 0.02, "{start} {plans:?}: {off} in {}", found.len());
    }
    assert!(lucky > 0, "a worse plan is now and then taken for a better one by the first rollouts");
}

#[test]
fn nothing_is_better_than_itself() {
    let game = Harvest::new();
    for start in 0..10 {
        let field = position(start);
        let takes = takes(field, Least, 0);
        for played in [Played::Usual, Played::Choices(&takes)] {
            let compared =
                analyst(&[Least, Least], 32).compare(&game, &field, Side(1), (played, takes[0]), start);
            assert!(compared.better.is_none(), "{compared:?}");
        }
    }
}

#[test]
fn the_choices_that_were_made_are_told_from_the_usual_ones() {
    let game = Harvest::new();
    let field = position(3);
    let usual = takes(field, Least, 0);
    let mut other = usual.clone();
    let mut legal = Vec::new();
    game.legal_actions(&field, &mut legal);
    other[0] = legal[legal.len() - 1];
    assert_ne!(usual[0], other[0]);
    let worth = |takes: &[u8]| {
        mean(
            &analyst(&[Least, Least], 64)
                .compare(&game, &field, Side(1), (Played::Choices(takes), takes[0]), 5)
                .played,
        )
    };
    assert!((worth(&usual) - worth(&other)).abs() > 1e-4, "{usual:?} {other:?}");
}

#[test]
fn luck_is_nothing_in_the_mean() {
    // The value after a decision is the mean, over its dice, of the values of the positions it leads to.
    let game = Harvest::new();
    let mut field = position(2);
    for _ in 0..2 {
        let take = first_legal(&field);
        game.apply(&mut field, take, &mut PlayContext::silent(Rng64::stream(0, 0, 0)));
    }
    // Not the usual choice: that would be worth what the position is.
    let take = last_legal(&field);
    let mut analyst = analyst(&[Least, Most], 4_000);
    let of = |values: Vec<PerSide<f32>>| {
        mean(&values.iter().map(|values| f64::from(values[Side(1)])).collect::<Vec<_>>())
    };
    let taken = of(analyst.values_after(&game, &field, take, 1));
    // The die that falls after the third step has four faces.
    let reached: Vec<f64> = (0..400)
        .map(|seed| {
            let mut after = field;
            game.apply(&mut after, take, &mut PlayContext::silent(Rng64::stream(seed, 1, 0)));
            of(analyst.values(&game, &after, game.turn_number(&field), seed)[..40].to_vec())
        })
        .collect();
    assert!((taken - mean(&reached)).abs() < 0.01, "{taken} {}", mean(&reached));
}

#[test]
fn an_operation_that_alone_is_better_is_found() {
    let game = Harvest::new();
    let spec: AgentSpec = "flat-mc:iterations=64".parse().unwrap();
    let mut found = 0;
    for start in 0..20 {
        let field = position(start);
        let played = (Played::Usual, first_legal(&field));
        let with = |operations| {
            let mut analyst = spec.analyst(&Operations { in_turn: |_| true }, (0, operations)).unwrap();
            let better = analyst.compare(&game, &field, Side(1), played, start).better;
            let line = better.as_ref().map(|&(line, _)| line);
            let words = line.map(|line| analyst.describe_line(&game, &field, Side(1), line, start));
            let usual = analyst.values(&game, &field, 1, start);
            (better, words, usual, analyst.name(&game, Side(1), operation()))
        };
        let (better, words, usual, name) = with(4);
        // Nothing is left of the operation in what is asked next.
        assert_eq!(usual, with(0).2);
        assert_eq!(name, ("usual", Some("objective 7".to_owned())));
        // The more promising objective changes nothing, and the usual plan is the only one.
        assert!([0, 1].into_iter().all(|operations| with(operations).0.is_none()));
        // A plan that takes the most in this turn and no longer.
        let as_plan = analyst(&[Least, Most], 64).compare(&game, &field, Side(1), played, start).better;
        assert_eq!(better.as_ref().map(|(_, leads)| leads), as_plan.as_ref().map(|(_, leads)| leads));
        if let Some((line, leads)) = better {
            assert_eq!(line, Better::Plan(operation()));
            assert!(leads.len() == 32 && words.unwrap().len() == 3, "{leads:?}");
            found += 1;
        }
    }
    assert!(found >= 5, "{found}");
}

fn operation() -> Candidate {
    Candidate { plan: 0, objective: Some(MOST) }
}

#[test]
fn usual_play_is_worth_what_the_position_is() {
    let game = Harvest::new();
    let field = position(3);
    let mut analyst = analyst(&[Least, Most], 64);
    let usual = takes(field, Least, 0);
    let mut last = field;
    for &take in &usual[..2] {
        game.apply(&mut last, take, &mut PlayContext::silent(Rng64::stream(0, 0, 0)));
    }
    let valued = analyst.valued(&game, &field, (&usual, Some(&last)), 1, 5);
    assert_eq!(valued.before, analyst.values(&game, &field, 1, 5));
    assert_eq!(valued.taken.as_ref(), Some(&valued.before), "it was played so in the rollouts");
    assert_eq!(valued.before.len(), 16, "a quarter of the rollouts");
    let other = [usual[0], usual[1], last_legal(&last)];
    assert_ne!(usual[2], other[2]);
    let valued = analyst.valued(&game, &field, (&other, Some(&last)), 1, 5);
    assert_eq!(valued.taken, Some(analyst.values_after(&game, &last, other[2], 5)));
    assert_ne!(valued.taken.as_ref(), Some(&valued.before));
    assert_eq!(analyst.valued(&game, &field, (&usual[..2], None), 1, 5).taken, None, "no dice fell");
}

/// Four dice, thrown one a decision within one game turn; whoever throws three alike in a row wins.
struct Row([SideInfo; 2]);

impl Game for Row {
    /// How many dice were thrown, the last one, and how often it came in a row; 3 if it once came so often.
    type State = (u8, u8, u8);
    type Action = u8;
    type Event = ();

    fn sides(&self) -> &[SideInfo] {
        &self.0
    }
    fn initial<T: Context<()>>(&self, _: &mut T) -> (u8, u8, u8) {
        (0, 9, 0)
    }
    fn turn_of(&self, state: &(u8, u8, u8)) -> Turn {
        if state.0 < 4 { Turn::Decide(Side(0)) } else { Turn::Over }
    }
    fn outcome(&self, state: &(u8, u8, u8)) -> Option<Outcome> {
        let won = state.2 == 3;
        let utility = PerSide([f32::from(u8::from(won)), f32::from(u8::from(!won)), 0.0, 0.0]);
        let winner = Some(u8::from(!won));
        (state.0 == 4).then_some(Outcome { points: utility, utility, winner, end_reason: "dice" })
    }
    fn legal_actions(&self, _: &(u8, u8, u8), out: &mut Vec<u8>) {
        out.push(0);
    }
    fn apply<T: Context<()>>(&self, state: &mut (u8, u8, u8), _: u8, context: &mut T) {
        let die = context.below(2) as u8;
        let row = if state.2 == 3 {
            3
        } else if die == state.1 {
            state.2 + 1
        } else {
            1
        };
        *state = (state.0 + 1, die, row);
    }
    fn determinize<D: Dice>(&self, state: &(u8, u8, u8), _: Side, _: &mut D) -> (u8, u8, u8) {
        *state
    }
    fn observation(&self, state: &(u8, u8, u8), _: Side) -> u64 {
        self.hash(state)
    }
    fn hash(&self, state: &(u8, u8, u8)) -> u64 {
        u64::from(state.0) * 100 + u64::from(state.1) * 10 + u64::from(state.2)
    }
    fn recomputed_hash(&self, state: &(u8, u8, u8)) -> u64 {
        self.hash(state)
    }
    fn check(&self, _: &(u8, u8, u8)) -> Result<(), String> {
        Ok(())
    }
    fn turn_number(&self, _: &(u8, u8, u8)) -> u32 {
        1
    }
    fn describe(&self, _: &(u8, u8, u8), _: u8) -> String {
        "throw".to_owned()
    }
}

#[test]
fn the_dice_of_an_action_are_not_thrown_again_after_it() {
    let side = |id| SideInfo { id, name: id, team: u8::from(id == "house"), points: (0, 1) };
    let game = Row([side("thrower"), side("house")]);
    let spec: AgentSpec = "flat-mc:iterations=4000,depth=end".parse().unwrap();
    let mut analyst = spec.analyst(&Plain, (1, 0)).unwrap();
    let of = |values: Vec<PerSide<f32>>| {
        mean(&values.iter().map(|values| f64::from(values[Side(0)])).collect::<Vec<_>>())
    };
    // Of sixteen throws of four coins six have three alike in a row.
    let start = (0, 9, 0);
    for value in [of(analyst.values(&game, &start, 1, 1)), of(analyst.values_after(&game, &start, 0, 1))] {
        assert!((value - 6.0 / 16.0).abs() < 0.03, "{value}");
    }
}
