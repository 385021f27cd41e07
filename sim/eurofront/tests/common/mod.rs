//! What the integration tests share: the scenario as a game, dice that fall as written, positions put together by hand.
#![allow(dead_code)] // each test binary uses its part

use std::sync::OnceLock;

use sandtable_core::{Game, Hex, PlayContext, Rng64, Scripted, Stepwise};
use sandtable_eurofront::editor::Editor;
use sandtable_eurofront::{Action, BlockId, EuroFront, Event, Rules, State};

/// The scenarios.
pub const SCENARIOS: [&str; 13] = [
    "1936", "1939A", "1939B", "1940A", "1940B", "1940C", "1941", "1942", "1943", "1944", "1944A", "1940",
    "1939",
];

/// The data of a scenario.
pub fn rules(name: &str) -> Rules {
    let name = format!("eurofront/{name}");
    match sandtable_scenarios_eurofront::open(&name, &[]) {
        Ok(scenario) => scenario.into_rules(),
        Err(error) => match sandtable_scenarios_eurofront::PREPARED.open(&name, &[]) {
            Ok(scenario) => scenario.into_rules(),
            Err(prepared) => panic!("{name}: {error}; prepared: {prepared}"),
        },
    }
}

/// The Spanish Civil War.
pub fn spain() -> &'static EuroFront {
    static GAME: OnceLock<EuroFront> = OnceLock::new();
    GAME.get_or_init(|| EuroFront::new(rules("1936")).expect("rules"))
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
pub fn legal(game: &EuroFront, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    assert!(actions.windows(2).all(|pair| pair[0] < pair[1]), "not ascending: {actions:?}");
    actions
}

/// Block by identifier.
pub fn block(id: &str) -> BlockId {
    spain().rules.block(id).unwrap_or_else(|| panic!("no block {id}"))
}

/// Hex by the name of its place or its rule name.
pub fn at(name: &str) -> Hex {
    spain().rules.place(name).unwrap_or_else(|| panic!("no place {name}"))
}

/// An empty Spain, with these blocks in these places.
pub fn spain_with(blocks: &[(&str, &str, u8)]) -> Editor<'static> {
    let mut editor = Editor::new(spain());
    editor.clear();
    for &(id, place, steps) in blocks {
        editor.place(block(id), at(place), steps);
    }
    editor
}

/// Plays an action that must be legal.
pub fn play<T: sandtable_core::Context<Event>>(state: &mut State, action: Action, context: &mut T) {
    let open = legal(spain(), state);
    assert!(open.contains(&action), "{action:?} is not among {open:?}");
    spain().apply(state, action, context);
}

/// Plays an action that must be legal, and nothing that follows of itself: the game would run on to the next decision.
pub fn play_alone<T: sandtable_core::Context<Event>>(state: &mut State, action: Action, context: &mut T) {
    let open = legal(spain(), state);
    assert!(open.contains(&action), "{action:?} is not among {open:?}");
    spain().apply_alone(state, action, context);
}
