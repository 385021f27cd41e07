//! The ways to play `BlitzWar` between which a search chooses.

use std::sync::Arc;

use sandtable_blitzwar::rules::Zones;
use sandtable_blitzwar::{BlitzWar, Force, Pending, Phase, State};
use sandtable_core::{Board as _, Index, PerSide, Side};

use super::map_tables::MapTables;
use super::scripted::{Effort, Scripted};
use super::strategy::{Dates, Weights};
use super::weights::judgement;
use sandtable_ai::policy::{Policy, Portfolio, objectives_of, varied};

const NOW: Option<u8> = Some(1);
const NEVER: Option<u8> = Some(u8::MAX);

/// When the great undertakings of each side begin: at the usual date, at once, or otherwise. Nothing that a plan can
/// choose matters more.
fn timetables(force: Force) -> [Dates; 3] {
    let usual = DATES;
    match force {
        Force::Axis => [usual, Dates { east: NOW, ..usual }, Dates { east: NEVER, ..usual }],
        Force::Allied => {
            [usual, Dates { overlord: NOW, ..usual }, Dates { overlord: NOW, torch: NEVER, ..usual }]
        }
        Force::Soviet => [usual, Dates { wake: NOW, ..usual }, Dates { wake: NEVER, ..usual }],
    }
}

/// How land war is waged: as usual, without shipping, railways and the like, or boldly.
fn styles(force: Force) -> [(Effort, Weights); 3] {
    let usual = Weights::of(force);
    let bold = Weights {
        kill: 1.5 * usual.kill,
        prize: 1.6 * usual.prize,
        fight: 2.0 * usual.fight,
        caution: -1,
        ..usual
    };
    let sparing = match force {
        Force::Axis | Force::Soviet => (Effort::Light, usual),
        // The Allies live by the sea: they save supply on the march instead.
        Force::Allied => (Effort::Full, Weights { march: 0.4, plug: 0.5 * usual.plug, ..usual }),
    };
    [(Effort::Full, usual), sparing, (Effort::Full, bold)]
}

/// The dates of the usual way.
const DATES: Dates = Dates {
    west: Some(5),
    east: Some(15),
    north: Some(5),
    balkans: Some(12),
    torch: Some(24),
    overlord: Weights::of(Force::Allied).dates.overlord,
    wake: Some(29),
};

/// What each side's styles and timetables are called together, style by style.
const NAMES: [&[&str]; 3] = [
    &[
        "the usual way",
        "east at once",
        "never east",
        "without shipping and railways",
        "without shipping and railways, east at once",
        "without shipping and railways, never east",
        "boldly",
        "boldly, east at once",
        "boldly, never east",
    ],
    &[
        "the usual way",
        "north-west Europe at once",
        "north-west Europe at once, never Africa",
        "sparing supply",
        "sparing supply, north-west Europe at once",
        "sparing supply, north-west Europe at once, never Africa",
        "boldly",
        "boldly, north-west Europe at once",
        "boldly, north-west Europe at once, never Africa",
    ],
    &[
        "the usual way",
        "war at once",
        "no war unless attacked",
        "without shipping and railways",
        "without shipping and railways, war at once",
        "without shipping and railways, no war unless attacked",
        "boldly",
        "boldly, war at once",
        "boldly, no war unless attacked",
    ],
];

/// A fresh portfolio: the scripted player, then players who differ in style, timetable or both.
pub(crate) fn portfolio(map_tables: &Arc<MapTables>) -> Portfolio<BlitzWar> {
    let mut plans: Vec<Box<dyn Policy<BlitzWar>>> = Vec::new();
    for style in 0..3 {
        let efforts = Force::ALL.map(|force| styles(force)[style].0);
        for timetable in 0..3 {
            let weights = Force::ALL
                .map(|force| Weights { dates: timetables(force)[timetable], ..styles(force)[style].1 });
            plans.push(Box::new(
                Scripted::new(map_tables.clone(), Effort::Full).with(&weights).caring(efforts),
            ));
        }
    }
    let vary = {
        let map_tables = map_tables.clone();
        move |number| {
            let weights = Force::ALL.map(|force| {
                let usual = Weights { dates: timetables(force)[0], ..Weights::of(force) };
                varied(&judgement().iter(), usual, number)
            });
            Box::new(Scripted::new(map_tables.clone(), Effort::Full).with(&weights))
                as Box<dyn Policy<BlitzWar>>
        }
    };
    let mut names = PerSide::default();
    for force in Force::ALL {
        names[force.side()] = NAMES[force.index()];
    }
    let objective_name = |game: &BlitzWar, zone: u16| game.rules.zones[usize::from(zone)].name.clone();
    Portfolio { plans, stage, stages_a_turn: 1, event, names, objective_name, vary: Some(Box::new(vary)) }
}

/// The best of the zones of who is at war with a side, next to its corps.
pub(super) fn objectives(
    map_tables: &MapTables,
    game: &BlitzWar,
    state: &State,
    side: Side,
    out: &mut Vec<u16>,
) {
    let force = Force::of(side);
    let enemies = Force::ALL.into_iter().filter(|&other| game.at_war(state, other, force));
    let theirs = enemies.fold(Zones::EMPTY, |all, enemy| all.or(state.control(enemy)));
    let near = game.land().neighbours_of(state.corps(force)).and(&theirs);
    objectives_of(near.iter(), |zone| map_tables.worth[zone.at()], out);
}

/// A choice is made once a turn, as soon as there is something to decide.
fn stage(_: &BlitzWar, state: &State, _: Side) -> Option<u64> {
    (state.phase() > Phase::Deployment).then(|| u64::from(state.turn()))
}

/// Each battle is an event, and so is each phase of a side.
fn event(_: &BlitzWar, state: &State) -> u64 {
    let battle = match state.pending() {
        Pending::None => 0,
        _ => 1 + u64::from(state.combat().target.0),
    };
    let phase = u64::from(state.turn()) << 8 | (state.phase() as u64) << 2 | state.active().index() as u64;
    phase << 9 | battle
}
