//! Agents that are denied something: what a part of a game is worth shows when a side does without it.
//!
//! A system's [`Brain`](crate::Brain) names its restrictions; an agent takes them with `deny=air`, or several with
//! `deny=air+navy`. Whatever the agent, it then chooses among the legal actions that are left. Where nothing would be
//! left, all legal actions are: a restriction never makes a game stop. A search knows the restriction of its own next
//! choice alone; in its simulations everybody plays on freely.

use sandtable_core::{Game, Rng64, Side};

use crate::agent::{Agent, SearchFigures, View};

/// Something that can be denied to an agent.
pub struct Restriction<G: Game> {
    /// As written in agent specifications: lower-case words joined by `-`.
    pub name: &'static str,
    /// What is denied, in a line.
    pub summary: &'static str,
    /// Whether this action of the side, which decides in this world, is denied. It must follow from what the side can
    /// see: the rest of the world is drawn at random.
    pub denies: fn(&G, &G::State, Side, G::Action) -> bool,
}

impl<G: Game> Clone for Restriction<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Restriction<G> {}

/// An agent that does without something.
pub struct Restricted<G: Game> {
    agent: Box<dyn Agent<G>>,
    restrictions: Vec<Restriction<G>>,
    left: Vec<G::Action>,
}

impl<G: Game> Restricted<G> {
    /// The agent, denied whatever one of the restrictions denies.
    pub fn new(agent: Box<dyn Agent<G>>, restrictions: Vec<Restriction<G>>) -> Self {
        Restricted { agent, restrictions, left: Vec::new() }
    }
}

impl<G: Game> Agent<G> for Restricted<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng64) -> G::Action {
        // The agent draws the same numbers as one that is denied nothing.
        let world = view.world(&mut rng.clone());
        let (game, side) = (view.game(), view.side());
        self.left.clear();
        self.left.extend(view.legal().iter().filter(|&&action| {
            !self.restrictions.iter().any(|restriction| (restriction.denies)(game, &world, side, action))
        }));
        if self.left.is_empty() {
            return self.agent.choose(view, rng);
        }
        self.agent.choose(&view.narrowed(&self.left), rng)
    }

    fn figures(&self) -> Option<SearchFigures> {
        self.agent.figures()
    }
}

#[cfg(test)]
mod tests {
    use sandtable_blitzwar::{Action, BlitzWar, State};
    use sandtable_core::{Seat, Turn};

    use super::*;
    use crate::blitzwar::BlitzBrain;
    use crate::{AgentSpec, Brain, Streams};

    fn france() -> BlitzWar {
        let scenario = sandtable_scenarios_blitzwar::open("blitzwar/france-1940", &[]).unwrap();
        BlitzWar::new(scenario.into_rules()).unwrap()
    }

    /// Plays a game of one agent on all sides; calls `check` at every decision, with what was legal and chosen.
    fn watch(
        game: &BlitzWar,
        spec: &str,
        number: u64,
        mut check: impl FnMut(&State, Side, &[Action], Action),
    ) {
        let brain = BlitzBrain::new(game);
        let mut agents: Vec<_> =
            (0..3).map(|_| spec.parse::<AgentSpec>().unwrap().build(&brain).unwrap()).collect();
        let mut streams = Streams::new(3, number, 3);
        let mut table = Seat::silent(&mut streams.dice);
        let mut state = game.initial(&mut table);
        let mut legal = Vec::new();
        while let Turn::Decide(side) = game.turn_of(&state) {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let view = View::new(game, &state, side, &legal);
            let action = agents[side.index()].choose(&view, &mut streams.agents[side.index()]);
            check(&state, side, &legal, action);
            game.apply(&mut state, action, &mut table);
        }
    }

    #[test]
    fn what_is_denied_is_not_done() {
        let game = france();
        let brain = BlitzBrain::new(&game);
        for restriction in brain.restrictions() {
            // How often an agent gave way; not every one of them comes into the position.
            let mut denied = 0;
            for agent in ["random", "scripted", "mcts:iterations=2"] {
                let spec = agent.parse::<AgentSpec>().unwrap().denied(restriction.name).unwrap().to_string();
                watch(&game, &spec, 0, |state, side, legal, action| {
                    let is_denied = |action| (restriction.denies)(&game, state, side, action);
                    let among = legal.iter().filter(|&&action| is_denied(action)).count();
                    denied += u32::from(among > 0 && among < legal.len());
                    assert!(!is_denied(action) || among == legal.len(), "{spec} did {action:?}");
                    let is_forced = among == legal.len();
                    assert!(
                        !is_forced || restriction.name.ends_with("-cards"),
                        "{spec}: forced to {action:?}"
                    );
                });
            }
            assert!(denied > 0, "{}: it never came up", restriction.name);
        }
    }

    #[test]
    fn without_a_denied_action_play_is_the_same() {
        const NOTHING: Restriction<BlitzWar> =
            Restriction { name: "nothing", summary: "nothing", denies: |_, _, _, _| false };
        let game = france();
        let brain = BlitzBrain::new(&game);
        let build = |spec: &str| spec.parse::<AgentSpec>().unwrap().build(&brain).unwrap();
        let mut free = Vec::new();
        watch(&game, "scripted", 1, |_, _, _, action| free.push(action));
        let agents: Vec<Box<dyn Agent<BlitzWar>>> = (0..3)
            .map(|_| Box::new(Restricted::new(build("scripted"), vec![NOTHING])) as Box<dyn Agent<BlitzWar>>)
            .collect();
        let mut streams = Streams::new(3, 1, 3);
        let mut same = Vec::new();
        crate::play_game(&game, agents, &mut streams, (), &mut |decision: &crate::Decision<'_, BlitzWar>| {
            same.push(decision.action);
        });
        assert_eq!(free, same);
    }
}
