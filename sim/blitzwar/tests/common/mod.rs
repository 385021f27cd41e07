//! What the integration tests share: scenarios as games, tables, and positions edited by hand.
#![allow(dead_code)] // each test binary uses its part

use sandtable_blitzwar::location::Zone;
use sandtable_blitzwar::{Action, BlitzWar, Event, State};
use sandtable_core::{Dice, Game, PlayContext, Rng64, Scripted};

/// A scenario, ready to play.
pub fn game(name: &str) -> BlitzWar {
    let rules =
        sandtable_scenarios_blitzwar::open(&format!("blitzwar/{name}"), &[]).expect("scenario").into_rules();
    BlitzWar::new(rules).expect("rules")
}

/// Dice that fall as written, and a list of facts.
pub type ScriptedContext = PlayContext<Scripted, Vec<Event>>;

pub fn scripted(faces: &[u32]) -> ScriptedContext {
    PlayContext { dice: Scripted::faces(faces), sink: Vec::new() }
}

/// Legal actions; they must ascend without repetition.
pub fn legal(game: &BlitzWar, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    assert!(actions.windows(2).all(|pair| pair[0] < pair[1]), "not ascending: {actions:?}");
    actions
}

/// Zone by identifier.
pub fn zone(game: &BlitzWar, id: &str) -> Zone {
    game.zone(id).unwrap_or_else(|| panic!("no zone {id}"))
}

/// Plays on at random until `stop`.
pub fn play_until(game: &BlitzWar, state: &mut State, seed: u64, mut stop: impl FnMut(&State) -> bool) {
    let mut context = PlayContext::silent(Rng64::stream(seed, 0, 0));
    let mut choice = Rng64::stream(seed, 0, 1);
    while !stop(state) && matches!(game.turn_of(state), sandtable_core::Turn::Decide(_)) {
        let mut actions = Vec::new();
        game.legal_actions(state, &mut actions);
        assert!(!actions.is_empty(), "no action in {:?} {:?}", state.phase(), state.pending());
        let action = actions[choice.below(actions.len() as u32) as usize];
        game.apply(state, action, &mut context);
    }
}
