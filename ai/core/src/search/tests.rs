//! Searches of every kind in random games: no illegal action is played, and the tree is [audited](crate::tree) after
//! each simulation.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sandtable_core::{Digest, Outcome, PlayContext, SideInfo};

use super::*;
use crate::budget::Per;
use crate::policy::{UniformEvaluator, UniformPolicy};

/// A random game of three sides. What is legal, who moves and what an end is worth are drawn from a hash of what was
/// done; secrets and dice take part in it as the fields say. `PAD` bytes make a state too large to be remembered.
struct Thicket<const PAD: usize> {
    sides: [SideInfo; 3],
    /// The most legal actions.
    width: u64,
    /// Decisions of a game.
    depth: u8,
    /// Dice fall with one action of so many; 0 for none.
    dice: u64,
    /// Whether each side has a secret, which counts in the end.
    hidden: bool,
    /// Whether a side's secret also rules what it may do.
    secret_rules: bool,
    /// Whether dice also rule what may be done, and by whom.
    dice_rule: bool,
    /// Whether games may end before the last decision.
    early: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place<const PAD: usize> {
    history: u64,
    fallen: u64,
    secrets: [u8; 3],
    decisions: u8,
    mover: u8,
    over: bool,
    pad: [u8; PAD],
}

fn mix(state: u64, salt: u64) -> u64 {
    Digest::of(&(state, salt))
}

impl<const PAD: usize> Game for Thicket<PAD> {
    type State = Place<PAD>;
    type Action = u16;
    type Event = ();

    fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    fn initial<T: Context<()>>(&self, context: &mut T) -> Place<PAD> {
        Place {
            history: u64::from(context.below(1 << 30)),
            fallen: 0,
            secrets: [0; 3].map(|_: u8| context.below(3) as u8),
            decisions: 0,
            mover: 0,
            over: false,
            pad: [0; PAD],
        }
    }

    fn turn_of(&self, place: &Place<PAD>) -> Turn {
        if place.over { Turn::Over } else { Turn::Decide(Side(place.mover)) }
    }

    fn outcome(&self, place: &Place<PAD>) -> Option<Outcome> {
        let worth = Digest::of(&(place.history, place.fallen, place.secrets));
        let utility = |side: u32| (worth >> (8 * side) & 3) as f32 / 3.0;
        let utility = PerSide([utility(0), utility(1), utility(2), 0.0]);
        place.over.then_some(Outcome { points: utility, utility, winner: None, end_reason: "night" })
    }

    fn legal_actions(&self, place: &Place<PAD>, out: &mut Vec<u16>) {
        let secret = if self.secret_rules { place.secrets[usize::from(place.mover)] } else { 0 };
        let fallen = if self.dice_rule { place.fallen } else { 0 };
        let rule = Digest::of(&(place.history, secret, fallen));
        let mut action = 0;
        for number in 0..=mix(rule, 0) % self.width {
            action += 1 + (mix(rule, number + 1) % 3) as u16;
            out.push(action);
        }
    }

    fn apply<T: Context<()>>(&self, place: &mut Place<PAD>, action: u16, context: &mut T) {
        let mut legal = Vec::new();
        self.legal_actions(place, &mut legal);
        assert!(!place.over && legal.contains(&action), "{action} is illegal");
        let rolls = self.dice > 0 && mix(place.history, u64::from(action)).is_multiple_of(self.dice);
        place.history = mix(place.history, 1_000 + u64::from(action));
        if rolls {
            place.fallen = mix(place.fallen, u64::from(context.below(4)));
        }
        place.decisions += 1;
        let turns = if self.dice_rule { mix(place.history, place.fallen) } else { place.history };
        place.mover = (place.mover + u8::from(!turns.is_multiple_of(4))) % 3;
        place.over = place.decisions == self.depth || (self.early && mix(turns, 1).is_multiple_of(12));
    }

    fn has_hidden_information(&self) -> bool {
        self.hidden
    }

    fn legal_by_history(&self) -> bool {
        !self.secret_rules && !self.dice_rule
    }

    fn determinize<D: Dice>(&self, place: &Place<PAD>, viewer: Side, dice: &mut D) -> Place<PAD> {
        let mut determinization = *place;
        for side in (0..3).filter(|&side| self.hidden && side != viewer.index()) {
            determinization.secrets[side] = dice.below(3) as u8;
        }
        determinization
    }

    fn observation(&self, place: &Place<PAD>, viewer: Side) -> u64 {
        if !self.hidden {
            return self.hash(place);
        }
        Digest::of(&(place.history, place.fallen, place.secrets[viewer.index()]))
    }

    fn hash(&self, place: &Place<PAD>) -> u64 {
        Digest::of(place)
    }

    fn recomputed_hash(&self, place: &Place<PAD>) -> u64 {
        self.hash(place)
    }

    fn check(&self, _: &Place<PAD>) -> Result<(), String> {
        Ok(())
    }

    fn turn_number(&self, place: &Place<PAD>) -> u32 {
        1 + u32::from(place.decisions) / 4
    }

    fn describe(&self, _: &Place<PAD>, action: u16) -> String {
        format!("path {action}")
    }
}

/// Weighs and values by hash.
struct Oracle;

impl<const PAD: usize> Evaluator<Thicket<PAD>> for Oracle {
    fn weigh(&mut self, _: &Thicket<PAD>, place: &Place<PAD>, _: Side, legal: &[u16], out: &mut Vec<f32>) {
        out.extend(legal.iter().map(|&action| (1 + mix(place.history, u64::from(action)) % 50) as f32));
    }

    fn evaluate(&mut self, _: &Thicket<PAD>, place: &Place<PAD>) -> PerSide<f32> {
        PerSide([(place.history % 7) as f32 / 6.0, (place.history % 5) as f32 / 4.0, 0.3, 0.0])
    }
}

fn sides() -> [SideInfo; 3] {
    [("ann", 0), ("bob", 1), ("cid", 2)].map(|(id, team)| SideInfo { id, name: id, team, points: (0, 1) })
}

/// Picks one of several by dice.
fn any<T: Copy>(dice: &mut Rng64, of: &[T]) -> T {
    of[dice.below(of.len() as u32) as usize]
}

fn any_options(dice: &mut Rng64) -> SearchOptions {
    let widening = |breadth, exponent| Some(Widening { breadth, exponent });
    SearchOptions {
        determinizations: any(
            dice,
            &[
                Determinizations::One,
                Determinizations::Seen,
                Determinizations::Shared,
                Determinizations::Informed,
            ],
        ),
        rule: any(dice, &[Rule::Ucb1, Rule::Puct]),
        exploration: any(dice, &[0.0, 0.01, 0.5, 0.5, 2.0, 100.0]),
        first_play: any(dice, &[None, None, Some(0.1), Some(-1.0), Some(1.0)]),
        widening: any(dice, &[None, None, widening(2.0, 0.5), widening(9.0, 0.3), widening(1.0, 0.0)]),
        depth: any(dice, &[Depth::End, Depth::Decisions(0), Depth::Decisions(3), Depth::Turns(1)]),
        reuse: any(dice, &[false, true]),
        max_nodes: any(dice, &[20, 300, 4_000_000]),
    }
}

/// A whole game of three searches that are told the same, and what was searched how.
fn play<const PAD: usize>(dice: &mut Rng64) {
    let secret_rules = any(dice, &[true, false, false]);
    let game = Thicket::<PAD> {
        sides: sides(),
        width: any(dice, &[1, 3, 7, 8, 9, 12, 20, 45]),
        depth: any(dice, &[3, 8, 16]),
        dice: any(dice, &[0, 0, 1, 4]),
        hidden: secret_rules || any(dice, &[true, false]),
        secret_rules,
        dice_rule: any(dice, &[true, false, false]),
        early: any(dice, &[true, false]),
    };
    let options = any_options(dice);
    let iterations = any(dice, &[1, 2, 50, 300]);
    let mut agents: Vec<TreeSearch<Thicket<PAD>>> = (0..3)
        .map(|_| {
            let evaluator: Box<dyn Evaluator<_>> =
                if any(dice, &[true, false]) { Box::new(Oracle) } else { Box::new(UniformEvaluator) };
            let budget = Budget::new(Some(iterations), None, Per::Decision);
            TreeSearch::new(options, budget, Box::new(UniformPolicy), evaluator)
        })
        .collect();
    let played = catch_unwind(AssertUnwindSafe(|| {
        let mut place = game.initial(&mut PlayContext::silent(&mut *dice));
        let mut legal = Vec::new();
        while let Turn::Decide(side) = game.turn_of(&place) {
            legal.clear();
            game.legal_actions(&place, &mut legal);
            let action = agents[side.index()].choose(&View::new(&game, &place, side, &legal), dice);
            game.apply(&mut place, action, &mut PlayContext::silent(&mut *dice));
        }
    }));
    let Thicket { width, depth, dice, hidden, dice_rule, early, .. } = game;
    assert!(
        played.is_ok(),
        "width {width}, depth {depth}, dice {dice}, hidden {hidden}, secret_rules {secret_rules}, dice_rule {dice_rule}, \
         early {early}, iterations {iterations}, {options:?}"
    );
}

#[test]
fn any_search_of_any_game_plays_legal_actions_and_keeps_its_tree_in_order() {
    for number in 0..600 {
        let mut dice = Rng64::stream(5, number, 0);
        if number % 3 == 0 { play::<100>(&mut dice) } else { play::<0>(&mut dice) }
    }
}

#[test]
fn dice_fall_anew_in_every_simulation_though_the_history_says_what_is_legal() {
    let game = Thicket::<0> {
        sides: sides(),
        width: 4,
        depth: 8,
        dice: 1,
        hidden: false,
        secret_rules: false,
        dice_rule: false,
        early: false,
    };
    let options = SearchOptions {
        determinizations: Determinizations::One,
        rule: Rule::Ucb1,
        exploration: 0.5,
        first_play: None,
        widening: None,
        depth: Depth::End,
        reuse: false,
        max_nodes: 4_000_000,
    };
    assert!(game.legal_by_history());
    let mut searched = 0;
    for number in 0..20 {
        let mut dice = Rng64::stream(6, number, 0);
        let place = game.initial(&mut PlayContext::silent(&mut dice));
        let mut legal = Vec::new();
        game.legal_actions(&place, &mut legal);
        let budget = Budget::new(Some(2_000), None, Per::Decision);
        let mut agent = TreeSearch::new(options, budget, Box::new(UniformPolicy), Box::new(UniformEvaluator));
        agent.choose(&View::new(&game, &place, Side(0), &legal), &mut dice);
        // Whatever is done, dice mix ends that are worth one half on average. Were a state after dice remembered, the
        // search would find the way to an end worth 1.
        let Some(figures) = agent.figures() else { continue };
        assert!((0.2..0.8).contains(&figures.value), "{figures:?}");
        searched += 1;
    }
    assert!(searched > 5);
}
