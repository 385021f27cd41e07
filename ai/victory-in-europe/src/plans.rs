//! The ways to play *Victory in Europe* between which a search chooses.

use std::sync::Arc;

use sandtable_core::Side;
use sandtable_victory_in_europe::{Force, Phase, State, VictoryInEurope};

use super::map_tables::MapTables;
use super::scripted::Scripted;
use super::style::Style;
use sandtable_ai::policy::{Policy, Portfolio};

/// How a turn may be played, from the usual tastes of a force: the usual way first, then the others, those first that pay
/// most often.
const STYLES: [fn(Style) -> Style; 8] = [
    |usual| usual,
    bold,
    // All or nothing.
    |usual| Style { odds: 0.2, gain: 0.3, prize: 2.2, kill: 2.0, expose: 0.1, pull: 0.8, ..usual },
    // Nothing is risked, ground is held.
    |usual| Style { odds: 0.6, loss: 1.6, stand: 0.6, fear: 1.5 * usual.fear, garrison: 1.5, ..usual },
    // Blood for blood.
    |usual| Style { kill: 2.2, loss: 0.8, odds: 0.25, ..usual },
    // With the weight on one front.
    |usual| Style { west: 2.2, mediterranean: 1.4, pull: 0.5, ..bold(usual) },
    |usual| Style { moscow: 2.0, leningrad: 1.6, pull: 0.5, ..bold(usual) },
    |usual| Style { caucasus: 2.2, pull: 0.5, ..bold(usual) },
];

fn bold(usual: Style) -> Style {
    Style { odds: 0.3, gain: 0.5, prize: 1.6, kill: 1.5, expose: 0.3, ..usual }
}

/// A fresh portfolio: the scripted player, then players of other tastes.
pub(super) fn portfolio(map_tables: &Arc<MapTables>) -> Portfolio<VictoryInEurope> {
    let plan = |style: fn(Style) -> Style| {
        let styles = Force::ALL.map(|force| style(Style::of(force)));
        Box::new(Scripted::new(map_tables.clone(), &styles)) as Box<dyn Policy<VictoryInEurope>>
    };
    Portfolio { plans: STYLES.into_iter().map(plan).collect(), stage, stages_a_turn: 1, event }
}

/// A choice is made once a turn, when the side begins to move: by then the cards lie open.
fn stage(game: &VictoryInEurope, state: &State, side: Side) -> Option<u64> {
    let moves = state.phase >= Phase::Movement && game.side_of(mover(state)) == side;
    moves.then(|| u64::from(state.turn))
}

/// The first force of the team whose phase it is.
fn mover(state: &State) -> Force {
    Force::ALL[(state.movers.trailing_zeros() as usize).min(2)]
}

/// Each battle is an event, and so is each phase of a side.
fn event(_: &VictoryInEurope, state: &State) -> u64 {
    let battle = u64::from(if state.phase == Phase::Combat { state.battle.place.0 } else { 0 });
    let phase = u64::from(state.turn) << 8 | (state.phase as u64) << 3 | u64::from(state.movers);
    phase << 9 | battle
}
