//! The ways to play *Europe Engulfed* between which a search chooses.

use std::sync::Arc;

use sandtable_core::{Index, MAX_SIDES, PerSide, Side};
use sandtable_europe_engulfed::ids::{Area, Areas};
use sandtable_europe_engulfed::phase::Stage;
use sandtable_europe_engulfed::{EuropeEngulfed, Phase, State};

use super::map_tables::MapTables;
use super::scripted::Scripted;
use super::weights::{FIELDS, USUAL, Weights};
use sandtable_ai::policy::{Policy, Portfolio, Variant, names_of, objectives_of, varied};

/// How a turn may be played, from the usual weights: the usual way first, then the others.
const VARIANTS: [Variant<Weights>; 6] = [
    ("the usual way", |usual| usual),
    ("all risked for ground", |usual| Weights {
        gain: 0.0,
        odds: 0.15,
        prize: 2.0,
        loss: 0.6,
        fear: 0.3,
        ..usual
    }),
    ("nothing risked", |usual| Weights { gain: 2.0, odds: 0.6, loss: 1.4, fear: 1.0, ..usual }),
    ("losses traded", |usual| Weights { kill: 1.5, loss: 0.6, ..usual }),
    ("Special Actions spent while they count", |usual| Weights { special: 1.5, odds: 0.2, ..usual }),
    ("Special Actions saved for the enemy's turn", |usual| Weights { special: 8.0, ..usual }),
];
const NAMES: [&str; 6] = names_of(&VARIANTS);

/// A fresh portfolio: the scripted player, then players of other weights.
pub(super) fn portfolio(map: &Arc<MapTables>) -> Portfolio<EuropeEngulfed> {
    let plan = {
        let map = map.clone();
        move |weights| {
            Box::new(Scripted::new(map.clone(), &weights, false)) as Box<dyn Policy<EuropeEngulfed>>
        }
    };
    let plans = VARIANTS.into_iter().map(|(_, variant)| plan(USUAL.map(variant))).collect();
    let vary = move |number| plan(USUAL.map(|usual| varied(&FIELDS.iter(), usual, number)));
    let names = PerSide([&NAMES[..]; MAX_SIDES]);
    let objective_name =
        |game: &EuropeEngulfed, area: u16| game.area_name(Area::nth(usize::from(area))).to_owned();
    Portfolio { plans, stage, stages_a_turn: 3, event, names, objective_name, vary: Some(Box::new(vary)) }
}

/// The best of the enemy's areas that own troops stand next to.
pub(super) fn objectives(
    map: &MapTables,
    game: &EuropeEngulfed,
    state: &State,
    side: Side,
    out: &mut Vec<u16>,
) {
    let team = game.rules.setup.players[side.index()].team;
    let near =
        |area: &Area| game.land().neighbours(*area).or(&Areas::one(*area)).intersects(state.manned(team));
    let open = state.held(team.other()).or(&state.disputed()).filter(|area| near(&area));
    objectives_of(open.iter(), |area| map.worth[area.at()], out);
}

/// A choice is made when a side produces, when it moves and when its breakthroughs begin.
fn stage(game: &EuropeEngulfed, state: &State, side: Side) -> Option<u64> {
    if state.battle.stage != Stage::None {
        return None;
    }
    let part = match state.phase {
        Phase::Production => 0,
        Phase::Operational | Phase::Strategic | Phase::Combat => 1,
        Phase::Breakthrough | Phase::BreakthroughMove | Phase::BreakthroughRound => 2,
        _ => return None,
    };
    let own = game.rules.setup.players[side.index()].team == state.mover;
    own.then(|| u64::from(state.turn) << 2 | part)
}

/// Each battle is an event, and so is each phase of a team.
fn event(_: &EuropeEngulfed, state: &State) -> u64 {
    let battle = if state.battle.stage == Stage::None { 0 } else { u64::from(state.battle.area.0) + 1 };
    let phase = u64::from(state.turn) << 6 | (state.phase as u64) << 1 | state.mover as u64;
    phase << 9 | battle
}
