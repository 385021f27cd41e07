//! What the integration tests share: scenarios as games, positions put together by hand, dice that fall as written.
#![allow(dead_code)] // each test binary uses its part

use std::sync::OnceLock;

use sandtable_core::{Game, PlayContext, Rng64, Scripted};
use sandtable_roads_to_moscow::{Action, Event, RoadsToMoscow, Rules, State, UnitId};

/// The scenarios.
pub const SCENARIOS: [&str; 4] = ["pervyy-voin", "road-to-mtsensk", "borodino-field", "mozhaysk"];

/// The data of a scenario.
pub fn rules(name: &str) -> Rules {
    sandtable_scenarios_roads_to_moscow::open(&format!("roads-to-moscow/{name}"), &[])
        .expect("scenario")
        .into_rules()
}

/// A scenario, ready to play.
pub fn game(name: &str) -> RoadsToMoscow {
    RoadsToMoscow::new(rules(name)).expect("rules")
}

/// The whole Mozhaysk map.
pub fn mozhaysk() -> &'static RoadsToMoscow {
    static GAME: OnceLock<RoadsToMoscow> = OnceLock::new();
    GAME.get_or_init(|| game("mozhaysk"))
}

/// The whole Mtsensk map, with fuel.
pub fn mtsensk() -> &'static RoadsToMoscow {
    static GAME: OnceLock<RoadsToMoscow> = OnceLock::new();
    GAME.get_or_init(|| game("road-to-mtsensk"))
}

/// Dice that fall as written, and a list of facts.
pub fn scripted(faces: &[u32]) -> PlayContext<Scripted, Vec<Event>> {
    PlayContext { dice: Scripted::faces(faces), sink: Vec::new() }
}

/// Sampled dice, and a list of facts.
pub fn sampled(seed: u64) -> PlayContext<Rng64, Vec<Event>> {
    PlayContext { dice: Rng64::stream(seed, 0, 0), sink: Vec::new() }
}

/// Legal actions; they must ascend without repetition.
pub fn legal(game: &RoadsToMoscow, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    assert!(actions.windows(2).all(|pair| pair[0] < pair[1]), "not ascending: {actions:?}");
    actions
}

/// Unit by identifier.
pub fn unit(game: &RoadsToMoscow, id: &str) -> UnitId {
    game.rules.unit(id).unwrap_or_else(|| panic!("no unit {id}"))
}
