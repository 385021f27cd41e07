//! Positions for tests, as a player sees them.

use std::sync::Arc;

use sandtable_eurofront::ids::Camp;
use sandtable_eurofront::{EuroFront, State};

use crate::map_tables::{MapTables, Worths};
use crate::plan::Brief;
use crate::scripted::Scripted;
use crate::weights::Weights;

/// A scenario.
pub(crate) fn game(scenario: &str) -> EuroFront {
    let opened = sandtable_scenarios_eurofront::open(&format!("eurofront/{scenario}"), &[]).unwrap();
    EuroFront::new(opened.into_rules()).unwrap()
}

/// Asks about a position as the Axis sees it.
pub(crate) fn seen<T>(
    game: &EuroFront,
    state: &State,
    ask: impl FnOnce(&Brief<'_>, &mut Scripted) -> T,
) -> T {
    seen_by(Camp::Axis, game, state, ask)
}

/// Asks about a position as a camp sees it.
pub(crate) fn seen_by<T>(
    camp: Camp,
    game: &EuroFront,
    state: &State,
    ask: impl FnOnce(&Brief<'_>, &mut Scripted) -> T,
) -> T {
    let tables = Arc::new(MapTables::new(game));
    let weights = Camp::ALL.map(|camp| Weights::of(camp, true));
    let worths = Worths::new(&tables, &weights);
    let mut player = Scripted::new(tables.clone(), weights, false);
    let (of_camp, worth) = (&weights[camp.index()], worths.of(camp, false));
    ask(&Brief { game, tables: &tables, weights: of_camp, worth, state, camp, light: false }, &mut player)
}
