//! The ways to play *EuroFront* between which a search chooses.

use std::sync::Arc;

use sandtable_ai::policy::{Policy, Portfolio, Variant, names_of, objectives_of, varied};
use sandtable_core::{Hex, Index, MAX_SIDES, PerSide, Side};
use sandtable_eurofront::ids::Camp;
use sandtable_eurofront::{EuroFront, Phase, State};

use super::map_tables::{MapTables, Places};
use super::scripted::Scripted;
use super::weights::{FIELDS, Weights};

/// How a turn may be played, from the usual weights: the usual way first, then the others.
const PLANS: [Variant<Weights>; 6] = [
    ("the usual way", |usual| usual),
    ("ground at any price", |usual| Weights {
        city: 1.6 * usual.city,
        gain: usual.gain - 1.5,
        siege: usual.siege + 0.2,
        command: 0.6 * usual.command,
        fear: 0.6 * usual.fear,
        ..usual
    }),
    ("headquarters keep their steps, nothing risked", |usual| Weights {
        command: 2.5 * usual.command,
        gain: usual.gain + 2.0,
        fear: 1.6 * usual.fear,
        hold: 1.4 * usual.hold,
        ..usual
    }),
    ("attacks that cost as much as they bring", |usual| Weights {
        kill: 1.8 * usual.kill,
        gain: usual.gain - 0.5,
        ..usual
    }),
    ("cut them off", |usual| Weights {
        cut: 2.5 * usual.cut,
        pull: 0.7 * usual.pull,
        order: 0.5 * usual.order,
        ..usual
    }),
    ("towards the front", |usual| Weights {
        pull: 2.5 * usual.pull,
        hold: 0.6 * usual.hold,
        order: 0.5 * usual.order,
        ..usual
    }),
];
const NAMES: [&str; 6] = names_of(&PLANS);

/// A fresh portfolio: the scripted player, then players of other weights.
pub(super) fn portfolio(tables: &Arc<MapTables>) -> Portfolio<EuroFront> {
    let usual = Camp::ALL.map(|camp| Weights::of(camp, !tables.civil_war));
    let plan = {
        let tables = tables.clone();
        move |weights| Box::new(Scripted::new(tables.clone(), weights, false)) as Box<dyn Policy<EuroFront>>
    };
    let plans = PLANS.into_iter().map(|(_, way)| plan(usual.map(way))).collect();
    let vary = move |number| plan(usual.map(|usual| varied(&FIELDS.iter(), usual, number)));
    let names = PerSide([&NAMES[..]; MAX_SIDES]);
    let objective_name = |game: &EuroFront, hex: u16| game.hex_name(Hex::nth(usize::from(hex)));
    Portfolio { plans, stage, stages_a_turn: 1, event, names, objective_name, vary: Some(Box::new(vary)) }
}

/// How many hexes from own troops objectives lie at most.
const NEAR: u32 = 3;

/// The best of the enemy's places near a faction's own troops, where it may enter.
pub(super) fn objectives(
    tables: &MapTables,
    worth: &Places,
    game: &EuroFront,
    state: &State,
    side: Side,
    out: &mut Vec<u16>,
) {
    let faction = game.faction_of_side(side);
    let camp = faction.camp();
    let own = state.standing[camp.index()].and(&game.sets().of_faction[faction.index()]);
    let own = state.places.occupied(&own);
    let near = game.board().within_across(own, NEAR, &game.map().in_play, &game.map().land);
    let enemy = camp.enemy();
    let theirs = if tables.civil_war { state.friendly[enemy.index()] } else { state.owners.of(enemy) };
    let open = tables.prized.and(&near).and(&theirs).difference(&game.closed_to(state, faction));
    objectives_of(open.iter(), |hex| worth[hex.at()], out);
}

/// A choice is made once a player turn, at its first decision.
fn stage(_: &EuroFront, state: &State, _: Side) -> Option<u64> {
    let own = state.phase >= Phase::Activation && state.active == state.decider;
    own.then(|| moment(state))
}

fn moment(state: &State) -> u64 {
    u64::from(state.month) << 4 | u64::from(state.fortnight) << 2 | u64::from(state.turn)
}

/// Each battle is an event, and so is each player turn.
fn event(_: &EuroFront, state: &State) -> u64 {
    let fought = matches!(state.phase, Phase::Losses | Phase::ActiveBattle);
    let battle = if fought { 1 + u64::from(state.battle.hex.0) } else { 0 };
    (moment(state) << 1 | u64::from(state.blitz)) << 17 | battle
}
