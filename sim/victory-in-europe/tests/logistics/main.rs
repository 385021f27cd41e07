//! Supply, victory and production on the map of the scenarios (7.7, 8, 9, 11).

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sandtable_core::context::{PlayContext, Rng64};
use sandtable_core::{Game, Turn};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::nation::{Nation, Team};
use sandtable_victory_in_europe::rules::Entry;
use sandtable_victory_in_europe::state::State;
use sandtable_victory_in_europe::{Action, Event, Phase, Place, UnitId, VictoryInEurope};

mod production;
mod supply;
mod victory;

/// A scenario by the last part of its name; loaded once.
fn open(scenario: &str) -> VictoryInEurope {
    static LOADED: Mutex<BTreeMap<String, VictoryInEurope>> = Mutex::new(BTreeMap::new());
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let load = || {
        let scenario =
            sandtable_scenarios_victory_in_europe::open(&format!("victory-in-europe/{scenario}"), &[])
                .expect("a scenario");
        VictoryInEurope::new(scenario.into_rules()).expect("rules that hold together")
    };
    loaded.entry(scenario.to_owned()).or_insert_with(load).clone()
}

/// The set-up of a scenario on the map.
fn set_up(game: &VictoryInEurope) -> Editor<'_> {
    Editor::new(game)
}

fn quiet() -> PlayContext<Rng64> {
    PlayContext::silent(Rng64::stream(7, 0, 0))
}

/// A table that keeps what it is told.
fn attentive() -> PlayContext<Rng64, Vec<Event>> {
    PlayContext { dice: Rng64::stream(7, 0, 0), sink: Vec::new() }
}

/// Plays the Supply Phase of a position: it follows on the last landing.
fn supply_phase(editor: &mut Editor<'_>) -> (State, Vec<Event>) {
    let mut context = attentive();
    let last = editor.state().first.other();
    let state = editor.begin(Phase::Landing, last, &mut context);
    (state, context.sink)
}

/// Production of a team, as far as the turn of a major to write.
fn writing(game: &VictoryInEurope, editor: &mut Editor<'_>, team: Team, major: Nation) -> State {
    let mut context = attentive();
    let mut state = editor.begin(Phase::Production, team, &mut context);
    while state.budget.major() != Some(major) {
        assert!(state.phase == Phase::Production, "{} never writes", major.name());
        game.apply(&mut state, Action::Pass, &mut context);
    }
    state
}

fn legal(game: &VictoryInEurope, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    assert!(actions.is_sorted() && actions.windows(2).all(|pair| pair[0] != pair[1]), "in order, once each");
    actions
}

/// Plays actions, each of which must be legal.
fn play(game: &VictoryInEurope, state: &mut State, actions: &[Action]) {
    for &action in actions {
        assert!(legal(game, state).contains(&action), "{action:?} is not legal");
        game.apply(state, action, &mut quiet());
    }
}

/// Passes until all production is placed.
fn place_all(game: &VictoryInEurope, state: &mut State) {
    while state.phase == Phase::Production {
        assert!(matches!(game.turn_of(state), Turn::Decide(_)), "the game goes on");
        game.apply(state, Action::Pass, &mut quiet());
    }
}

fn unit(game: &VictoryInEurope, id: &str) -> UnitId {
    game.unit(id).unwrap_or_else(|| panic!("there is no unit {id}"))
}

fn at(game: &VictoryInEurope, id: &str) -> Place {
    game.place(id).unwrap_or_else(|| panic!("there is no place {id}"))
}

fn steps(game: &VictoryInEurope, state: &State, id: &str) -> u8 {
    let unit = unit(game, id);
    if state.location(unit) == Place::POOL { 0 } else { state.steps(unit) }
}
