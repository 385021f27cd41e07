//! Armies that a scenario wants to stand somewhere at its end (1940A): who has nothing better to do goes there.

use sandtable_core::{Hex, Index};
use sandtable_eurofront::ids::{BlockId, Camp, Faction, Hexes, is_on_map};
use sandtable_eurofront::rules::Goal;
use sandtable_eurofront::{EuroFront, State};

use super::plan::Brief;
use super::survey::{Host, Might};

/// Worth of a step where it is wanted, at the beginning of the scenario and at its end, in production points.
const A_STEP: [f32; 2] = [6.0, 10.0];
/// Part of it that counts on the way, right beside where it is wanted, and hexes after which nothing does.
const ON_THE_WAY: f32 = 0.75;
const FAR: f32 = 26.0;
/// Part of it that a step adds which is built somewhere else.
const ELSEWHERE: f32 = 0.25;
/// Worth of a headquarters there, against that of a step.
const A_STAFF: f32 = 4.0;
/// Part of the scenario after which headquarters go there.
const STAFFS_FROM: f32 = 0.7;
/// Steps wanted beyond what is asked for: some will be lost, or are called away.
const SPARE: f32 = 4.0;
/// Part of the scenario after which armies go even if the war in the West is not won.
const AT_LAST: f32 = 0.85;

/// Where an army is wanted.
#[derive(Clone, Copy, Debug)]
struct Station {
    land: Hexes,
    /// A hex in its middle.
    middle: Hex,
    steps: f32,
    headquarters: u32,
}

/// The armies wanted of the side that plans, and what a step counts there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stations {
    all: Hexes,
    each: [Station; 3],
    /// Worth of a step, in production points.
    pub step: f32,
}

impl Stations {
    pub const NONE: Stations = Stations {
        all: Hexes::EMPTY,
        each: [Station { land: Hexes::EMPTY, middle: Hex(0), steps: 0.0, headquarters: 0 }; 3],
        step: 0.0,
    };

    /// What is wanted in a position: nothing while France fights, but late.
    pub fn of(brief: &Brief<'_>) -> Stations {
        let Brief { game, state, camp, .. } = *brief;
        if camp != Camp::Axis || game.rules.scenario.situation.goal != Goal::FallOfFrance {
            return Stations::NONE;
        }
        let late = f32::from(state.month) / game.rules.calendar.len() as f32;
        if fights_in_france(game, state) && late < AT_LAST {
            return Stations::NONE;
        }
        let friendly = &state.friendly[camp.index()];
        let each = game.armies_wanted(state).map(|army| {
            let land = army.land.and(friendly);
            let half = land.len() / 2;
            let middle = land.iter().nth(half as usize).unwrap_or(Hex(0));
            Station { land, middle, steps: army.steps as f32 + SPARE, headquarters: army.headquarters }
        });
        let all = each.iter().fold(Hexes::EMPTY, |all, station| all.or(&station.land));
        Stations { all, each, step: A_STEP[0] + (A_STEP[1] - A_STEP[0]) * late }
    }

    /// Whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn at(&self, hex: Hex) -> Option<&Station> {
        if !self.all.contains(hex) {
            return None;
        }
        self.each.iter().find(|station| station.land.contains(hex))
    }

    /// What a step adds that is built for a unit in a place.
    pub fn worth_of_step_at(&self, hex: Hex) -> f32 {
        if is_on_map(hex) && self.all.contains(hex) { self.step } else { ELSEWHERE * self.step }
    }

    /// What so much adds where it is wanted, or on the way there; it is not counted among those there.
    pub fn worth(&self, game: &EuroFront, own: &Host, hex: Hex, might: Might) -> f32 {
        if self.step == 0.0 {
            return 0.0; // Nothing is wanted.
        }
        let missing = |station: &Station| {
            let there: f32 = station.land.iter().map(|hex| own.steps[hex.at()]).sum();
            might.steps.min((station.steps - there).max(0.0))
        };
        if let Some(station) = self.at(hex) {
            return self.step * missing(station);
        }
        if !game.map().rail_hexes.contains(hex) {
            return 0.0;
        }
        let on_the_way = |station: &Station| {
            let distance = game.board().distance(hex, station.middle) as f32;
            missing(station) * (1.0 - distance / FAR).max(0.0)
        };
        let wanted = self.each.iter().filter(|station| !station.land.is_empty());
        ON_THE_WAY * self.step * wanted.map(on_the_way).fold(0.0, f32::max)
    }

    /// What a headquarters adds where one is wanted.
    pub fn worth_of_staff(&self, brief: &Brief<'_>, hex: Hex, block: BlockId) -> f32 {
        let Some(station) = self.at(hex) else { return 0.0 };
        let state = brief.state;
        // Before the last months they are of more use on the Channel.
        if f32::from(state.month) < STAFFS_FROM * brief.game.rules.calendar.len() as f32 {
            return 0.0;
        }
        let own = state.standing[brief.camp.index()].and(&brief.game.sets().headquarters);
        let there = own.filter(|other| other != block && station.land.contains(state.at(other)));
        if there.len() < station.headquarters { A_STAFF * self.step } else { 0.0 }
    }
}

/// Whether France is in the war still.
pub(super) fn fights_in_france(game: &EuroFront, state: &State) -> bool {
    let france = game.rules.nation("france");
    france.is_some_and(|nation| game.faction_of(state, nation) == Some(Faction::Allies))
}
