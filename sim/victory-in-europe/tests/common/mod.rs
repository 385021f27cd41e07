//! What the integration tests share: scenarios as games, tables, and positions edited by hand.
#![allow(dead_code)] // each test binary uses its part

use sandtable_core::{Game, PlayContext, Rng64, Scripted};
use sandtable_victory_in_europe::{Action, Event, Place, Rules, State, UnitId, VictoryInEurope};

/// The scenarios.
pub const SCENARIOS: [&str; 5] =
    ["campaign-1939", "barbarossa-1941", "stalingrad-1942", "kursk-1943", "bagration-1944"];

/// The data of a scenario.
pub fn rules(name: &str) -> Rules {
    sandtable_scenarios_victory_in_europe::open(&format!("victory-in-europe/{name}"), &[])
        .expect("scenario")
        .into_rules()
}

/// A scenario, ready to play.
pub fn game(name: &str) -> VictoryInEurope {
    VictoryInEurope::new(rules(name)).expect("rules")
}

/// A scenario with three players.
pub fn game_of_three(name: &str) -> VictoryInEurope {
    let mut rules = rules(name);
    rules.options.three_players = true;
    VictoryInEurope::new(rules).expect("rules")
}

/// Dice that fall as written, and a list of facts.
pub type ScriptedContext = PlayContext<Scripted, Vec<Event>>;

pub fn scripted(faces: &[u32]) -> ScriptedContext {
    PlayContext { dice: Scripted::faces(faces), sink: Vec::new() }
}

/// Sampled dice, and a list of facts.
pub fn sampled(seed: u64) -> PlayContext<Rng64, Vec<Event>> {
    PlayContext { dice: Rng64::stream(seed, 0, 0), sink: Vec::new() }
}

/// Legal actions; they must ascend without repetition.
pub fn legal(game: &VictoryInEurope, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    assert!(actions.windows(2).all(|pair| pair[0] < pair[1]), "not ascending: {actions:?}");
    actions
}

/// Area or sea zone by identifier.
pub fn place(game: &VictoryInEurope, id: &str) -> Place {
    game.place(id).unwrap_or_else(|| panic!("no place {id}"))
}

/// Unit by identifier.
pub fn unit(game: &VictoryInEurope, id: &str) -> UnitId {
    game.unit(id).unwrap_or_else(|| panic!("no unit {id}"))
}

/// Card by identifier.
pub fn card(game: &VictoryInEurope, id: &str) -> u8 {
    game.rules.cards.iter().position(|card| card.id == id).unwrap_or_else(|| panic!("no card {id}")) as u8
}
