//! Shared by the tests: a toy game, match play, the Wilson interval.
#![allow(dead_code, reason = "each test file uses its own part")]

use sandtable_ai::{
    Agent, AgentSpec, Evaluator, Named, Plain, Policy, Portfolio, Streams, SystemKnowledge, play_game,
};
use sandtable_core::{Context, Dice, Digest, Game, Outcome, PerSide, Rng64, Side, SideInfo, Turn};

/// The agent of a specification, without any knowledge of the game.
pub fn agent<G: Game + 'static>(spec: &str) -> Box<dyn Agent<G>> {
    spec.parse::<AgentSpec>().unwrap().build(&Plain).unwrap()
}

/// Wilson's 95% interval for a rate of `score` out of `games`; draws count one half.
pub fn wilson(score: f64, games: u32) -> (f64, f64) {
    let (n, z) = (f64::from(games), 1.959_964);
    let rate = score / n;
    let centre = (rate + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
    (centre - half, centre + half)
}

/// The score of `a` against `b` in a two-sided game: pairs of games with the same dice and the sides swapped.
pub fn pairs<G: Game + 'static>(game: &G, a: &str, b: &str, pairs: u32, seed: u64) -> f64 {
    let mut score = 0.0;
    for number in 0..pairs {
        for side in 0..2 {
            let mut agents = [agent::<G>(a), agent::<G>(b)];
            agents.rotate_left(side);
            let mut streams = Streams::new(seed, u64::from(number), 2);
            let outcome = play_game(game, agents, &mut streams, (), &mut ());
            score += f64::from(outcome.utility.0[side].round());
        }
    }
    score
}

/// Three sides take turns at a harvest, three steps each; the first and the third share a barn. What may be taken
/// depends on a die that falls after each side's last step. Taking one more than the step before pays extra.
pub struct Harvest([SideInfo; 3]);

/// A harvest in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    round: u8,
    side: u8,
    step: u8,
    die: u8,
    last: u8,
    barns: [u16; 2],
}

const ROUNDS: u8 = 3;

impl Harvest {
    pub fn new() -> Self {
        // Eighteen takes of at most 17 go into the shared barn.
        let side = |id, team| SideInfo { id, name: id, team, points: (0, 306) };
        Harvest([side("ann", 0), side("bob", 1), side("cid", 0)])
    }

    fn gain(field: &Field, take: u8) -> u16 {
        let yields = [3, 1, 4, 1, 5, 9, 2, 6];
        let row = yields[usize::from(take * 3 + field.die * 5 + field.step) % 8];
        row + if field.step > 0 && take == field.last + 1 { 8 } else { 0 }
    }
}

impl Game for Harvest {
    type State = Field;
    type Action = u8;
    type Event = ();

    fn sides(&self) -> &[SideInfo] {
        &self.0
    }

    fn initial<T: Context<()>>(&self, context: &mut T) -> Field {
        Field { round: 0, side: 0, step: 0, die: context.below(4) as u8, last: 0, barns: [0; 2] }
    }

    fn turn_of(&self, field: &Field) -> Turn {
        if field.round == ROUNDS { Turn::Over } else { Turn::Decide(Side(field.side)) }
    }

    fn outcome(&self, field: &Field) -> Option<Outcome> {
        if field.round < ROUNDS {
            return None;
        }
        // The shared barn has two harvesters.
        let barns = field.barns.map(f32::from);
        let lead = (barns[0] / 2.0 - barns[1]) / 60.0 + 0.5;
        let (first, second) = (lead.clamp(0.0, 1.0), (1.0 - lead).clamp(0.0, 1.0));
        let winner =
            (field.barns[0] != 2 * field.barns[1]).then_some(u8::from(field.barns[0] < 2 * field.barns[1]));
        Some(Outcome {
            points: PerSide([barns[0], barns[1], barns[0], 0.0]),
            utility: PerSide([first, second, first, 0.0]),
            winner,
            end_reason: "winter",
        })
    }

    fn legal_actions(&self, field: &Field, out: &mut Vec<u8>) {
        // Which takes are open changes with the die, not only how many.
        out.extend((0..6).filter(|take| take % 2 == field.die % 2 || *take <= field.die));
    }

    fn apply<T: Context<()>>(&self, field: &mut Field, take: u8, context: &mut T) {
        assert!(take < 6 && (take % 2 == field.die % 2 || take <= field.die), "illegal: {take}");
        field.barns[usize::from(field.side % 2)] += Harvest::gain(field, take);
        field.last = take;
        field.step += 1;
        if field.step == 3 {
            field.step = 0;
            field.die = context.below(4) as u8;
            field.side += 1;
            if field.side == 3 {
                field.side = 0;
                field.round += 1;
            }
        }
    }

    fn determinize<D: Dice>(&self, field: &Field, _: Side, _: &mut D) -> Field {
        *field
    }

    fn observation(&self, field: &Field, _: Side) -> u64 {
        self.hash(field)
    }

    fn hash(&self, field: &Field) -> u64 {
        Digest::of(field)
    }

    fn recomputed_hash(&self, field: &Field) -> u64 {
        self.hash(field)
    }

    fn check(&self, field: &Field) -> Result<(), String> {
        if field.step < 3 { Ok(()) } else { Err("a fourth step".into()) }
    }

    fn turn_number(&self, field: &Field) -> u32 {
        u32::from(field.round) + 1
    }

    fn describe(&self, _: &Field, take: u8) -> String {
        format!("takes {take}")
    }
}

/// Knows to take what pays at once.
pub struct Farmer;

impl SystemKnowledge<Harvest> for Farmer {
    fn policies(&self) -> &[Named] {
        &[
            Named { name: "scripted", summary: "takes what pays most at once" },
            Named { name: "wavering", summary: "takes what pays most every other time" },
        ]
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<Harvest>>> {
        match name {
            "scripted" => Some(Box::new(Greedy)),
            "wavering" => Some(Box::new(Wavering(false))),
            _ => None,
        }
    }

    fn evaluators(&self) -> &[Named] {
        &[
            Named { name: "gain", summary: "weighs by what pays at once, values by the barns" },
            Named { name: "wrong", summary: "the opposite" },
        ]
    }

    fn evaluator(&self, name: &str) -> Option<Box<dyn Evaluator<Harvest>>> {
        Some(Box::new(Gain { wrong: name == "wrong" }))
    }
}

struct Greedy;

impl Policy<Harvest> for Greedy {
    fn pick(&mut self, _: &Harvest, field: &Field, _: Side, legal: &[u8], _: &mut Rng64) -> u8 {
        *legal.iter().max_by_key(|&&take| Harvest::gain(field, take)).unwrap()
    }
}

/// Takes what pays most and the first there is by turns.
struct Wavering(bool);

impl Policy<Harvest> for Wavering {
    fn pick(&mut self, game: &Harvest, field: &Field, side: Side, legal: &[u8], rng: &mut Rng64) -> u8 {
        self.0 = !self.0;
        if self.0 { Greedy.pick(game, field, side, legal, rng) } else { legal[0] }
    }

    fn begin_line(&mut self) {
        self.0 = false;
    }
}

struct Gain {
    wrong: bool,
}

impl Evaluator<Harvest> for Gain {
    fn weigh(&mut self, _: &Harvest, field: &Field, _: Side, legal: &[u8], out: &mut Vec<f32>) {
        let weight =
            |&take: &u8| f32::from(1 + Harvest::gain(field, take)).powi(if self.wrong { -2 } else { 2 });
        out.extend(legal.iter().map(weight));
    }

    fn evaluate(&mut self, _: &Harvest, field: &Field) -> PerSide<f32> {
        let lead = (f32::from(field.barns[0]) / 2.0 - f32::from(field.barns[1])) / 60.0 + 0.5;
        let lead = if self.wrong { 1.0 - lead } else { lead }.clamp(0.0, 1.0);
        PerSide([lead, 1.0 - lead, lead, 0.0])
    }
}

/// Takes the most if that is its operation, else the least.
pub struct Goer {
    operation: Option<(Side, u16)>,
    in_turn: fn(u32) -> bool,
}

/// The objective with which a [`Goer`] takes the most; others change nothing.
pub const MOST: u16 = 7;

impl Policy<Harvest> for Goer {
    fn pick(&mut self, _: &Harvest, _: &Field, side: Side, legal: &[u8], _: &mut Rng64) -> u8 {
        if self.operation == Some((side, MOST)) { legal[legal.len() - 1] } else { legal[0] }
    }

    fn objectives(&self, game: &Harvest, field: &Field, side: Side, out: &mut Vec<u16>) {
        assert_eq!(side, Side(1), "objectives are asked for who decides");
        if (self.in_turn)(game.turn_number(field)) {
            out.extend([3, MOST]);
        }
    }

    fn set_operation(&mut self, operation: Option<(Side, u16)>) {
        self.operation = operation;
    }
}

/// Knows one plan, and objectives in all turns or but in some.
pub struct Operations {
    pub in_turn: fn(u32) -> bool,
}

impl SystemKnowledge<Harvest> for Operations {
    fn portfolio(&self) -> Option<Portfolio<Harvest>> {
        Some(Portfolio {
            plans: vec![Box::new(Goer { operation: None, in_turn: self.in_turn })],
            stage: |game, field, side| (side == Side(1)).then(|| u64::from(game.turn_number(field))),
            stages_a_turn: 1,
            event: |game, field| u64::from(game.turn_number(field)),
            names: PerSide([&["usual"]; 4]),
            objective_name: |_, objective| format!("objective {objective}"),
            vary: None,
        })
    }
}
