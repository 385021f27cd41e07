//! What a system may teach its agents.
//!
//! Agents know nothing of any game. A system's crate of knowledge is a [`Brain`]: named [`Policy`]s, which pick
//! actions (as the `scripted` agent, and in rollouts), and named [`Guide`]s, which weigh actions and value positions
//! (for search); and perhaps a [`Portfolio`] of plans. The brain makes a fresh one for each agent, so that policies and
//! guides may own buffers and plans.
//!
//! Both see worlds, never the true state: what is hidden from the agent's side has been drawn at random.

use sandtable_core::{Game, Lots, PerSide, Rng64, Seat, Side, Turn};

use crate::restricted::Restriction;
use crate::search::Depth;

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
    /// One of `legal`, which are all legal actions of `side`, the side that decides in `world`; or a legal action where
    /// [`Policy::reads_list`] has said no and `legal` is empty.
    fn pick(
        &mut self,
        game: &G,
        world: &G::State,
        side: Side,
        legal: &[G::Action],
        rng: &mut Rng64,
    ) -> G::Action;

    /// Whether [`Policy::pick`] looks at the list in this world. Where it does not, a rollout passes an empty one, which
    /// costs less than to make it.
    fn reads_list(&self, _: &G, _: &G::State) -> bool {
        true
    }

    /// The next position does not follow from the last one that was picked in: plans must be dropped. What the policy has
    /// drawn for the whole game, such as a character, stays; nothing else that it has seen may matter any more.
    fn begin_line(&mut self) {}

    /// Plays `world` on, for all sides, to the horizon or the end. `legal` is a buffer.
    ///
    /// This is the only virtual call of a rollout: the loop is compiled for each policy, with `pick` inlined.
    fn play_out(
        &mut self,
        game: &G,
        world: &mut G::State,
        horizon: Horizon,
        legal: &mut Vec<G::Action>,
        rng: &mut Rng64,
    ) {
        play_on(self, game, world, horizon, legal, rng);
    }
}

/// Plays a world on by a policy, decision by decision.
#[inline]
fn play_on<G: Game, P: Policy<G> + ?Sized>(
    policy: &mut P,
    game: &G,
    world: &mut G::State,
    horizon: Horizon,
    legal: &mut Vec<G::Action>,
    rng: &mut Rng64,
) {
    let (mut left, end) = horizon.bounds();
    policy.begin_line();
    legal.clear();
    if let Turn::Decide(_) = game.turn_of(world) {
        game.legal_actions(world, legal);
    }
    while left > 0 {
        let Turn::Decide(side) = game.turn_of(world) else { return };
        if end != u32::MAX && game.turn_number(world) >= end {
            return;
        }
        let action = policy.pick(game, world, side, legal, rng);
        let mut table = Seat::silent(&mut *rng);
        game.apply_listing(world, action, &mut table, legal, |world| policy.reads_list(game, world));
        left -= 1;
    }
}

/// Weighs actions and values positions.
pub trait Guide<G: Game>: Send {
    /// Appends one weight for each of `legal`, in order: positive, larger for the more promising; only ratios matter.
    fn weigh(&mut self, game: &G, world: &G::State, side: Side, legal: &[G::Action], out: &mut Vec<f32>);

    /// The expected utility of an unfinished game to each side, 0 to 1.
    fn evaluate(&mut self, game: &G, world: &G::State) -> PerSide<f32>;

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
    /// How many such choices a side makes in a game turn, at least one: a budget for the whole turn is dealt out to them.
    pub stages_a_turn: u32,
    /// Tells events for which dice are thrown from each other, such as battles. In simulations that are compared, events
    /// of the same number meet the same dice.
    pub event: fn(&G, &G::State) -> u64,
}

/// A policy or a guide as listed for people.
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
}

/// What is known about playing one system. Shared by all threads.
pub trait Brain<G: Game>: Send + Sync {
    /// The policies it knows besides `random`, which every game has. The `scripted` agent plays the one named so.
    fn policies(&self) -> &[Named] {
        &[]
    }

    /// A fresh policy; `name` is one of [`Brain::policies`].
    fn policy(&self, name: &str) -> Option<Box<dyn Policy<G>>> {
        let _ = name;
        None
    }

    /// The guides it knows besides `uniform`, which every game has.
    fn guides(&self) -> &[Named] {
        &[]
    }

    /// A fresh guide; `name` is one of [`Brain::guides`].
    fn guide(&self, name: &str) -> Option<Box<dyn Guide<G>>> {
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

    /// The guide when a specification names none.
    fn default_guide(&self) -> &'static str {
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

impl<G: Game> Brain<G> for Plain {}

/// Every legal action with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformPolicy;

impl<G: Game> Policy<G> for UniformPolicy {
    #[inline]
    fn pick(&mut self, _: &G, _: &G::State, _: Side, legal: &[G::Action], rng: &mut Rng64) -> G::Action {
        use sandtable_core::Dice;
        legal[rng.below(legal.len() as u32) as usize]
    }

    fn play_out(
        &mut self,
        game: &G,
        world: &mut G::State,
        horizon: Horizon,
        legal: &mut Vec<G::Action>,
        rng: &mut Rng64,
    ) {
        // A generator of its own can live in registers.
        let mut table = Seat::silent(rng.clone());
        if horizon == Horizon::End {
            sandtable_core::play_out_random(game, world, &mut table, legal);
        } else if game.turn_of(world) != Turn::Over {
            let (mut left, end) = horizon.bounds();
            let mut next = Some(game.draw(world, Lots::cast(&mut table), legal));
            while let Some(action) = next
                && left > 0
                && (end == u32::MAX || game.turn_number(world) < end)
            {
                let lots = Lots::cast(&mut table);
                next = game.apply_drawing(world, action, &mut table, lots, legal);
                left -= 1;
            }
        }
        *rng = table.dice;
    }
}

/// Equal weights; every unfinished game is worth one half to everyone.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformGuide;

impl<G: Game> Guide<G> for UniformGuide {
    fn weigh(&mut self, _: &G, _: &G::State, _: Side, legal: &[G::Action], out: &mut Vec<f32>) {
        out.resize(out.len() + legal.len(), 1.0);
    }

    fn evaluate(&mut self, _: &G, _: &G::State) -> PerSide<f32> {
        PerSide([0.5; sandtable_core::MAX_SIDES])
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
