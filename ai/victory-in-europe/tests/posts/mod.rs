//! Places that stand empty with an enemy near: what example `conduct` counts and a test limits.

use sandtable_victory_in_europe::rules::{Arm, Entry, Kind};
use sandtable_victory_in_europe::{Force, Place, State, Team, UnitId, VictoryInEurope};

/// How near the enemy of an empty place stands: in a neighbouring area, or one further.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Danger {
    Next,
    Near,
}

/// The danger to a place whose holder is at war and has no army there; leaders alone are none.
pub fn empty_beside_an_enemy(game: &VictoryInEurope, state: &State, area: Place) -> Option<Danger> {
    let own = Force::ALL.into_iter().find(|&force| state.holds(force, area))?;
    let team = own.team();
    let soviets_in = state.politics.ussr == Entry::AtWar;
    if own == Force::Soviet && !soviets_in || armies(game, state, area, team).next().is_some() {
        return None;
    }
    let at_war =
        |unit: UnitId| game.force(state, unit).is_some_and(|force| soviets_in || force != Force::Soviet);
    let has_enemy = |area: Place| armies(game, state, area, team.other()).any(at_war);
    let near = game.adjacent(area);
    if near.iter().any(has_enemy) {
        return Some(Danger::Next);
    }
    let ring = near.iter().fold(*near, |ring, next| ring.or(game.adjacent(next)));
    ring.iter().any(has_enemy).then_some(Danger::Near)
}

fn armies(game: &VictoryInEurope, state: &State, area: Place, team: Team) -> impl Iterator<Item = UnitId> {
    game.units_at(state, area, team)
        .filter(|&unit| game.arm(unit) == Arm::Army && game.kind(unit) != Kind::Leader)
}
