//! The ways to play *Victory in Europe* between which a search chooses.

use std::sync::Arc;

use sandtable_core::{Index, MAX_SIDES, PerSide, Side};
use sandtable_victory_in_europe::rules::{Areas, Entry};
use sandtable_victory_in_europe::{Force, Phase, State, Team, VictoryInEurope};

use super::map_tables::MapTables;
use super::scripted::Scripted;
use super::weights::{FIELDS, Weights};
use sandtable_ai::policy::{Policy, Portfolio, Variant, names_of, objectives_of, varied};

/// How a turn may be played, from the usual weights of a force: the usual way first, then the others, those first that pay
/// most often.
const VARIANTS: [Variant<Weights>; 8] = [
    ("the usual way", |usual| usual),
    ("boldly", bold),
    ("all or nothing", |usual| Weights {
        odds: 0.2,
        gain: 0.3,
        prize: 2.2,
        kill: 2.0,
        expose: 0.1,
        pull: 0.8,
        ..usual
    }),
    ("nothing risked, ground held", |usual| Weights {
        odds: 0.6,
        loss: 1.6,
        stand: 0.6,
        fear: 1.5 * usual.fear,
        garrison: 1.5,
        ..usual
    }),
    ("losses traded", |usual| Weights { kill: 2.2, loss: 0.8, odds: 0.25, ..usual }),
    ("boldly, weight on the west", |usual| Weights {
        west: 2.2,
        mediterranean: 1.4,
        pull: 0.5,
        ..bold(usual)
    }),
    ("boldly, weight on Moscow and Leningrad", |usual| Weights {
        moscow: 2.0,
        leningrad: 1.6,
        pull: 0.5,
        ..bold(usual)
    }),
    ("boldly, weight on the Caucasus", |usual| Weights { caucasus: 2.2, pull: 0.5, ..bold(usual) }),
];
const NAMES: [&str; 8] = names_of(&VARIANTS);

fn bold(usual: Weights) -> Weights {
    Weights { odds: 0.3, gain: 0.5, prize: 1.6, kill: 1.5, expose: 0.3, ..usual }
}

/// A fresh portfolio: the scripted player, then players of other weights.
pub(super) fn portfolio(map_tables: &Arc<MapTables>) -> Portfolio<VictoryInEurope> {
    let plan = {
        let map_tables = map_tables.clone();
        move |weights| {
            Box::new(Scripted::new(map_tables.clone(), &weights)) as Box<dyn Policy<VictoryInEurope>>
        }
    };
    let usual = Force::ALL.map(Weights::of);
    let plans = VARIANTS.into_iter().map(|(_, variant)| plan(usual.map(variant))).collect();
    let vary = move |number| {
        plan(usual.map(|usual| varied(&FIELDS.iter().map(|names| &names.field), usual, number)))
    };
    let names = PerSide([&NAMES[..]; MAX_SIDES]);
    let objective_name = |game: &VictoryInEurope, area: u16| game.rules.areas[usize::from(area)].name.clone();
    Portfolio { plans, stage, stages_a_turn: 1, event, names, objective_name, vary: Some(Box::new(vary)) }
}

/// The best of the enemy's areas that own troops stand next to.
pub(super) fn objectives(
    map_tables: &MapTables,
    game: &VictoryInEurope,
    state: &State,
    side: Side,
    out: &mut Vec<u16>,
) {
    let forces = Force::ALL.into_iter().filter(|&force| game.side_of(force) == side);
    let Some(team) = forces.clone().next().map(Force::team) else { return };
    let own = forces.fold(Areas::EMPTY, |all, force| all.or(&state.held[force.index()]));
    let manned = own.filter(|area| game.units_at(state, area, team).next().is_some());
    // The USSR is nobody's enemy before it is at war.
    let peace = state.politics.ussr != Entry::AtWar;
    let theirs = match team {
        Team::Axis if peace => state.held[Force::Western.index()],
        Team::Allies if peace && own == state.held[Force::Soviet.index()] => Areas::EMPTY,
        _ => state.held_by(team.other()),
    };
    let near = theirs.filter(|area| map_tables.neighbours[area.at()].intersects(&manned));
    objectives_of(near.iter(), |area| map_tables.worth[area.at()], out);
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
