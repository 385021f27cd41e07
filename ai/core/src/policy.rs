//! What a system may teach its agents.
//!
//! Agents know nothing of any game. A system's crate of knowledge is a [`SystemKnowledge`]: named [`Policy`]s, which
//! pick actions (as the `scripted` agent, and in rollouts), and named [`Evaluator`]s, which weigh actions and value
//! positions (for search); and perhaps a [`Portfolio`] of plans. The knowledge makes a fresh one for each agent, so
//! that policies and evaluators may own buffers and plans.
//!
//! Both see determinizations, never the true state: what is hidden from the agent's side has been drawn at random.

use sandtable_core::{Dice, Game, Index, PerSide, PlayContext, RandomDraw, Rng64, Side, Turn};

use crate::restricted::Restriction;
use crate::value::LogisticValue;

/// Where rollouts are cut short and the evaluator's evaluation stands in for the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// Nowhere: games are played to the end.
    End,
    /// After this many decisions of the rollout; 0 evaluates the new node at once.
    Decisions(u32),
    /// At the beginning of the game turn that is so many turns after the root's. Lines inside the tree end there too,
    /// so that all positions are valued at the same moment of the calendar.
    Turns(u32),
}

impl Depth {
    /// The horizon of a search that starts in game turn `turn`.
    pub fn horizon(self, turn: u32) -> Horizon {
        match self {
            Depth::End => Horizon::End,
            Depth::Decisions(decisions) => Horizon::Decisions(decisions),
            Depth::Turns(turns) => Horizon::Turn(turn.saturating_add(turns)),
        }
    }
}

/// How far a rollout goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// To the end of the game.
    End,
    /// At most this many decisions.
    Decisions(u32),
    /// Until this game turn begins.
    Turn(u32),
}

impl Horizon {
    /// The most decisions, and the game turn at whose beginning the rollout ends.
    pub(crate) fn bounds(self) -> (u32, u32) {
        match self {
            Horizon::End => (u32::MAX, u32::MAX),
            Horizon::Decisions(decisions) => (decisions, u32::MAX),
            Horizon::Turn(turn) => (u32::MAX, turn),
        }
    }
}

/// Picks an action at a time.
pub trait Policy<G: Game>: Send {
    /// One of `legal`, which are all legal actions of `side`, the side that decides in `determinization`; or a legal
    /// action where [`Policy::reads_list`] has said no and `legal` is empty.
    fn pick(
        &mut self,
        game: &G,
        determinization: &G::State,
        side: Side,
        legal: &[G::Action],
        rng: &mut Rng64,
    ) -> G::Action;

    /// Whether [`Policy::pick`] looks at the list in this determinization. Where it does not, a rollout passes an
    /// empty one, which costs less than to make it.
    fn reads_list(&self, _: &G, _: &G::State) -> bool {
        true
    }

    /// Whether what [`Policy::pick`] picks in a game depends on anything that is hidden from the side that decides. Of a policy that says no,
    /// which [`check_secrecy`](crate::kit::check_secrecy) proves, an agent asks in the position itself: it need draw none.
    fn reads_hidden(&self, _: &G) -> bool {
        true
    }

    /// The next position does not follow from the last one that was picked in: plans must be dropped. What the policy
    /// has drawn for the whole game, such as a character, stays; nothing else that it has seen may matter any more.
    fn begin_line(&mut self) {}

    /// Appends what a side might make the objective of an operation in this position, such as an area, the most promising first:
    /// nothing, of a policy that knows no operations.
    fn objectives(&self, game: &G, determinization: &G::State, side: Side, out: &mut Vec<u16>) {
        let _ = (game, determinization, side, out);
    }

    /// From now on this side goes for an objective of [`Policy::objectives`] before all else, until it is won; `None`: for none.
    fn set_operation(&mut self, operation: Option<(Side, u16)>) {
        let _ = operation;
    }

    /// Plays `determinization` on, for all sides, to the horizon or the end. `legal` is a buffer.
    ///
    /// This is the only virtual call of a rollout: the loop is compiled for each policy, with `pick` inlined.
    fn play_out(
        &mut self,
        game: &G,
        determinization: &mut G::State,
        horizon: Horizon,
        legal: &mut Vec<G::Action>,
        rng: &mut Rng64,
    ) {
        play_on(self, game, determinization, horizon, legal, rng);
    }
}

/// The action of most worth, the first of equals; `None` of an empty list.
pub fn best_action<A: Copy>(legal: &[A], mut worth: impl FnMut(A) -> f32) -> Option<A> {
    let mut best: Option<(f32, A)> = None;
    for &action in legal {
        let worth = worth(action);
        if best.is_none_or(|(known, _)| worth > known) {
            best = Some((worth, action));
        }
    }
    best.map(|(_, action)| action)
}

/// What a script picks: the only legal action without a thought, what it chooses if that is legal, else the first.
///
/// # Panics
/// If nothing is legal.
pub fn pick_legal<A: Copy + PartialEq>(legal: &[A], choose: impl FnOnce() -> Option<A>) -> A {
    if let [only] = legal {
        return *only;
    }
    choose().filter(|action| legal.contains(action)).unwrap_or(legal[0])
}

/// Plays a determinization on by a policy, decision by decision.
#[inline]
fn play_on<G: Game, P: Policy<G> + ?Sized>(
    policy: &mut P,
    game: &G,
    determinization: &mut G::State,
    horizon: Horizon,
    legal: &mut Vec<G::Action>,
    rng: &mut Rng64,
) {
    let (mut left, end) = horizon.bounds();
    policy.begin_line();
    legal.clear();
    if let Turn::Decide(_) = game.turn_of(determinization) {
        game.legal_actions(determinization, legal);
    }
    while left > 0 {
        let Turn::Decide(side) = game.turn_of(determinization) else { return };
        if end != u32::MAX && game.turn_number(determinization) >= end {
            return;
        }
        let action = policy.pick(game, determinization, side, legal, rng);
        let mut context = PlayContext::silent(&mut *rng);
        game.apply_listing(determinization, action, &mut context, legal, |determinization| {
            policy.reads_list(game, determinization)
        });
        left -= 1;
    }
}

/// Weighs actions and values positions.
pub trait Evaluator<G: Game>: Send {
    /// Appends one weight for each of `legal`, in order: positive, larger for the more promising; only ratios matter. All
    /// are equal unless said otherwise.
    fn weigh(
        &mut self,
        game: &G,
        determinization: &G::State,
        side: Side,
        legal: &[G::Action],
        out: &mut Vec<f32>,
    ) {
        let _ = (game, determinization, side);
        out.resize(out.len() + legal.len(), 1.0);
    }

    /// The expected utility of an unfinished game to each side, 0 to 1.
    fn evaluate(&mut self, game: &G, determinization: &G::State) -> PerSide<f32>;

    /// The function behind [`Evaluator::evaluate`], if it was learned; other weights may be set in it.
    fn value(&mut self) -> Option<&mut LogisticValue> {
        None
    }

    /// Appends the features of an unfinished game, as that function takes them, and says from whose side they are.
    fn features(&mut self, game: &G, determinization: &G::State, out: &mut Vec<f32>) -> Option<Side> {
        let _ = (game, determinization, out);
        None
    }

    /// Whether all weights are always equal, so that nobody need ask for them.
    fn is_uniform(&self) -> bool {
        false
    }
}

/// Whole ways of playing on, between which a search may choose from one part of a turn to the next.
pub struct Portfolio<G: Game> {
    /// The ways, at least one; the first is the usual one, played wherever search shows nothing better.
    pub plans: Vec<Box<dyn Policy<G>>>,
    /// The part of the game at hand, if this side makes plans in it. A choice is made whenever this changes; plans must
    /// then depend on nothing that they were told before.
    pub stage: fn(&G, &G::State, Side) -> Option<u64>,
    /// How many such choices a side makes in a game turn, at least one: a budget for the whole turn is dealt out to
    /// them.
    pub stages_a_turn: u32,
    /// Tells events for which dice are thrown from each other, such as battles. In simulations that are compared,
    /// events of the same number meet the same dice.
    pub event: fn(&G, &G::State) -> u64,
    /// What each side's plans are called, for people: one for each of `plans`.
    pub names: PerSide<&'static [&'static str]>,
    /// What an [objective](Policy::objectives) is called, for people.
    pub objective_name: fn(&G, u16) -> String,
    /// Makes a *variation* of the usual plan, the n-th of any number, for a search with time for more than the plans that have
    /// names; `None`: it knows none.
    pub vary: Option<Vary<G>>,
}

/// Makes the n-th variation of a plan.
pub type Vary<G> = Box<dyn Fn(u64) -> Box<dyn Policy<G>> + Send>;

/// Weights of which some are others by chance: those of the n-th variation, of this number for ever.
pub fn varied<'a, T: 'a>(
    fields: &(impl ExactSizeIterator<Item = &'a WeightField<T>> + Clone),
    usual: T,
    number: u64,
) -> T {
    /// So many weights change, or one fewer where one is drawn twice.
    const CHANGES: usize = 4;
    /// Of the logarithm of a factor on a weight, the standard deviation.
    const SPREAD: f64 = 0.8;
    /// A weight of nothing becomes so much of its range, times the size of a normal deviate.
    const FROM_NOTHING: f64 = 0.2;
    let mut rng = Rng64::stream(VARIATIONS, number, 0);
    let mut weights = usual;
    for _ in 0..CHANGES {
        let at = rng.below(fields.len() as u32) as usize;
        let Some(&WeightField { range: (low, high), whole, get, set, .. }) = fields.clone().nth(at) else {
            break;
        };
        // Twelve numbers from 0 to 1 have the variance of a normal deviate.
        let deviate = (0..12).map(|_| f64::from(rng.below(1 << 16)) / f64::from(1 << 16) - 0.5).sum::<f64>();
        let value = get(&weights);
        let other = if whole {
            value + deviate.signum() as f32
        } else if value == 0.0 {
            (FROM_NOTHING * deviate.abs()) as f32 * (high - low)
        } else {
            value * (SPREAD * deviate).exp() as f32
        };
        set(&mut weights, other.clamp(low, high));
    }
    weights
}

/// The seed of variations.
const VARIATIONS: u64 = 77;

/// A way to play with a name for people: what it makes of the weights of the usual one.
pub type Variant<W> = (&'static str, fn(W) -> W);

/// The names in a list of things that have some.
pub const fn names_of<T, const N: usize>(named: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = named[at].0;
        at += 1;
    }
    names
}

/// What a place is worth as the objective of an operation that is worth so much else: by a factor, and so much `besides`.
pub fn worth_of_objective(worth: f32, besides: f32) -> f32 {
    const URGENT: f32 = 2.0;
    URGENT * worth + besides
}

/// Appends places as objectives of operations, those of most worth first, the first of equals before.
pub fn objectives_of<I: Index>(
    places: impl Iterator<Item = I>,
    worth: impl Fn(I) -> f32,
    out: &mut Vec<u16>,
) {
    let start = out.len();
    out.extend(places.map(|place| place.at() as u16));
    let worth = |place: u16| worth(I::nth(usize::from(place)));
    out[start..].sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
}

/// A policy or an evaluator as listed for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// As written in agent specifications.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
}

/// A number in a policy's judgement that can be changed without touching its code.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weight {
    /// The side for which it counts, by identifier.
    pub side: &'static str,
    /// As written in files of weights.
    pub name: &'static str,
    /// What it weighs and in which unit, in a line.
    pub summary: &'static str,
    /// The value that holds unless another is given.
    pub default: f32,
    /// The least and the greatest value that make sense.
    pub range: (f32, f32),
    /// Whether only whole numbers count.
    pub whole: bool,
    /// Whether it is tuned only if it is asked for by name: a small step of it changes the whole course of a game.
    pub apart: bool,
}

/// A field of what tunes a policy (`T`) that is a [`Weight`]: see [`weight_field!`](crate::weight_field).
#[derive(Debug)]
pub struct WeightField<T> {
    /// Its name.
    pub name: &'static str,
    /// What it weighs and in which unit, in a line.
    pub summary: &'static str,
    /// Beyond these ends the player is no longer sensible.
    pub range: (f32, f32),
    /// Whether only whole numbers count.
    pub whole: bool,
    /// Whether it is tuned only if it is asked for by name.
    pub apart: bool,
    /// Reads it.
    pub get: fn(&T) -> f32,
    /// Changes it.
    pub set: fn(&mut T, f32),
}

impl<T> WeightField<T> {
    /// The weight of a side under a name, with the value that it has here.
    pub fn weight(&self, side: &'static str, name: &'static str, usual: &T) -> Weight {
        let &WeightField { summary, range, whole, apart, get, .. } = self;
        Weight { side, name, summary, default: get(usual), range, whole, apart }
    }
}

/// Sets weights by name, `SIDE.NAME`, in the players of several sides; `at` is the index of a side among them. `None` if there is no
/// weight of a name.
pub fn set_weights<T>(
    fields: &[WeightField<T>],
    players: &mut [T],
    values: &[(String, f32)],
    at: impl Fn(&str) -> Option<usize>,
) -> Option<()> {
    for (name, value) in values {
        let (side, name) = name.split_once('.')?;
        let field = fields.iter().find(|field| field.name == name)?;
        (field.set)(players.get_mut(at(side)?)?, *value);
    }
    Some(())
}

/// The [`WeightField`] of a field of numbers: its name, its range, and what it weighs.
///
/// ```
/// struct Tuning {
///     thrift: f32,
/// }
/// const THRIFT: sandtable_ai::policy::WeightField<Tuning> =
///     sandtable_ai::weight_field!(thrift, 0.25, 4.0, "factor on the price of supply");
/// let mut tuning = Tuning { thrift: 1.0 };
/// (THRIFT.set)(&mut tuning, 2.0);
/// assert_eq!((THRIFT.name, (THRIFT.get)(&tuning)), ("thrift", 2.0));
/// ```
#[macro_export]
macro_rules! weight_field {
    ($field:ident, $low:expr, $high:expr, $summary:expr) => {
        $crate::policy::WeightField {
            name: stringify!($field),
            summary: $summary,
            range: ($low, $high),
            whole: false,
            apart: false,
            get: |tuning| tuning.$field,
            set: |tuning, value| tuning.$field = value,
        }
    };
}

/// What is known about playing one system. Shared by all threads.
pub trait SystemKnowledge<G: Game>: Send + Sync {
    /// The policies it knows besides `random`, which every game has. The `scripted` agent plays the one named so.
    fn policies(&self) -> &[Named] {
        &[]
    }

    /// A fresh policy; `name` is one of [`SystemKnowledge::policies`].
    fn policy(&self, name: &str) -> Option<Box<dyn Policy<G>>> {
        let _ = name;
        None
    }

    /// The evaluators it knows besides `uniform`, which every game has.
    fn evaluators(&self) -> &[Named] {
        &[]
    }

    /// A fresh evaluator; `name` is one of [`SystemKnowledge::evaluators`].
    fn evaluator(&self, name: &str) -> Option<Box<dyn Evaluator<G>>> {
        let _ = name;
        None
    }

    /// What can be denied to an agent, to see what it is worth.
    fn restrictions(&self) -> &[Restriction<G>] {
        &[]
    }

    /// The weights of its policies, by side.
    fn weights(&self) -> Vec<Weight> {
        Vec::new()
    }

    /// A fresh policy with other weights, each given as `SIDE.NAME` and its value; `None` if there is no such policy or
    /// weight.
    fn weighted_policy(&self, name: &str, values: &[(String, f32)]) -> Option<Box<dyn Policy<G>>> {
        let _ = (name, values);
        None
    }

    /// The policy of rollouts when a specification names none.
    fn default_rollout(&self) -> &'static str {
        "random"
    }

    /// The evaluator when a specification names none.
    fn default_evaluator(&self) -> &'static str {
        "uniform"
    }

    /// Where rollouts are cut short when a specification does not say.
    fn default_depth(&self) -> Depth {
        Depth::End
    }

    /// A fresh portfolio, if there is one; tree searches then choose between plans instead of single actions.
    fn portfolio(&self) -> Option<Portfolio<G>> {
        None
    }
}

/// Knows nothing: random rollouts, equal weights, every unfinished position a draw. Serves any game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl<G: Game> SystemKnowledge<G> for Plain {}

/// Every legal action with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformPolicy;

impl<G: Game> Policy<G> for UniformPolicy {
    #[inline]
    fn pick(&mut self, _: &G, _: &G::State, _: Side, legal: &[G::Action], rng: &mut Rng64) -> G::Action {
        legal[rng.below(legal.len() as u32) as usize]
    }

    fn play_out(
        &mut self,
        game: &G,
        determinization: &mut G::State,
        horizon: Horizon,
        legal: &mut Vec<G::Action>,
        rng: &mut Rng64,
    ) {
        // A generator of its own can live in registers.
        let mut context = PlayContext::silent(rng.clone());
        if horizon == Horizon::End {
            sandtable_core::play_out_random(game, determinization, &mut context, legal);
        } else if game.turn_of(determinization) != Turn::Over {
            let (mut left, end) = horizon.bounds();
            let mut next = Some(game.sample_action(determinization, RandomDraw::new(&mut context), legal));
            while let Some(action) = next
                && left > 0
                && (end == u32::MAX || game.turn_number(determinization) < end)
            {
                let draw = RandomDraw::new(&mut context);
                next = game.apply_sampling(determinization, action, &mut context, draw, legal);
                left -= 1;
            }
        }
        *rng = context.dice;
    }
}

/// Equal weights; every unfinished game is worth one half to everyone.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformEvaluator;

impl<G: Game> Evaluator<G> for UniformEvaluator {
    fn evaluate(&mut self, _: &G, _: &G::State) -> PerSide<f32> {
        PerSide([0.5; sandtable_core::MAX_SIDES])
    }

    fn is_uniform(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Tuning {
        thrift: f32,
        pull: f32,
        caution: f32,
    }

    #[test]
    fn variations_differ_within_their_ranges_and_are_always_the_same() {
        let mut fields: [WeightField<Tuning>; 3] = [
            crate::weight_field!(thrift, 0.5, 2.0, "a factor"),
            crate::weight_field!(pull, 0.0, 10.0, "nothing, at first"),
            crate::weight_field!(caution, -3.0, 3.0, "a whole number"),
        ];
        fields[2].whole = true;
        let usual = Tuning { thrift: 1.0, pull: 0.0, caution: 1.0 };
        let variations: Vec<Tuning> = (0..200).map(|number| varied(&fields.iter(), usual, number)).collect();
        for (number, variation) in variations.iter().enumerate() {
            assert_eq!(*variation, varied(&fields.iter(), usual, number as u64));
            assert!((0.5..=2.0).contains(&variation.thrift) && (0.0..=10.0).contains(&variation.pull));
            assert!(variation.caution.fract() == 0.0 && variation.caution.abs() <= 3.0, "{variation:?}");
        }
        assert!(variations.iter().filter(|variation| **variation != usual).count() > 190);
        for field in &fields {
            let other =
                |sign: f32| variations.iter().any(|of| sign * ((field.get)(of) - (field.get)(&usual)) > 0.0);
            assert!(other(1.0) && (other(-1.0) || field.name == "pull"), "{}", field.name);
        }
    }
}
