//! Places that stand empty with an enemy near, and those that fall without a battle: what example `conduct` counts and a test
//! limits.

use sandtable_core::Index;
use sandtable_victory_in_europe::event::Event;
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

/// How often an area falls in a game to others than whose country it is, and how often of that without a battle there in the
/// same turn. In the last turn nothing but Berlin counts, and nothing else is counted.
pub fn falls(game: &VictoryInEurope, events: &[Event], area: Place) -> [u32; 2] {
    let country = game.rules.areas[area.at()].country;
    let (mut fought, mut times) = (false, [0; 2]);
    for event in events {
        match event {
            Event::TurnBegins { turn }
                if *turn == game.rules.setup.last_turn && area != game.rules.victory.last =>
            {
                break;
            }
            Event::TurnBegins { .. } => fought = false,
            Event::BattleBegins { place, .. } => fought |= *place == area,
            Event::Taken { area: taken, by } if *taken == area && *by != country => {
                times[0] += 1;
                times[1] += u32::from(!fought);
            }
            _ => {}
        }
    }
    times
}
