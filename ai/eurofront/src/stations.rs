//! Armies that are wanted somewhere before there is war there: by a scenario at its end (1940A), and on the Soviet border before
//! Barbarossa. Who has nothing better to do goes there.

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
const STAFFS_FROM: f32 = 0.6;
/// Part of a step's worth that counts in the largest of the armies, which gathers in Western Poland.
const OF_LARGEST: f32 = 0.4;
/// Steps wanted beyond what is asked for: some will be lost, or are called away.
const SPARE: f32 = 4.0;
/// Part of the scenario after which armies go even if the war in the West is not won.
const IN_ANY_CASE: f32 = 0.85;

/// Months from September 1939 from which the army for Barbarossa gathers once France is beaten, and from which headquarters
/// join it.
const GATHERS: i16 = 12;
const STAFFS_GATHER: i16 = 17;
/// The worth of a step of it, in production points.
const EASTERN_STEP: f32 = 8.0;
/// Steps and headquarters of its wings: in Romania, East Prussia and the west of Poland.
const EASTERN_ARMY: [(f32, u32); 3] = [(24.0, 1), (46.0, 2), (80.0, 3)];

/// Where an army is wanted.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Station {
    land: Hexes,
    /// A hex in its middle.
    middle: Hex,
    steps: f32,
    headquarters: u32,
    /// Part of a step's worth that counts there.
    share: f32,
}

impl Station {
    fn new(land: &Hexes, steps: f32, headquarters: u32) -> Station {
        let half = land.len() / 2;
        let middle = land.iter().nth(half as usize).unwrap_or(Hex(0));
        Station { land: *land, middle, steps, headquarters, share: 1.0 }
    }
}

/// The armies wanted of the side that plans, and what a step counts there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Stations {
    all: Hexes,
    each: [Station; 3],
    /// Worth of a step, in production points.
    pub step: f32,
    /// Headquarters are wanted there too.
    staffs: bool,
    /// They gather for a war that is yet to come.
    for_war: bool,
}

impl Stations {
    pub const NONE: Stations = Stations {
        all: Hexes::EMPTY,
        each: [Station { land: Hexes::EMPTY, middle: Hex(0), steps: 0.0, headquarters: 0, share: 0.0 }; 3],
        step: 0.0,
        staffs: false,
        for_war: false,
    };

    /// What is wanted in a position.
    pub fn of(brief: &Brief<'_>) -> Stations {
        match brief.game.rules.scenario.situation.goal {
            Goal::FallOfFrance if brief.camp == Camp::Axis => Stations::at_the_end(brief),
            Goal::Campaign if brief.camp == Camp::Axis => Stations::for_barbarossa(brief),
            _ => Stations::NONE,
        }
    }

    /// What the scenario asks for: nothing while France fights, but late.
    fn at_the_end(brief: &Brief<'_>) -> Stations {
        let Brief { game, state, camp, .. } = *brief;
        let late = f32::from(state.month) / game.rules.calendar.len() as f32;
        if fights_in_france(game, state) && late < IN_ANY_CASE {
            return Stations::NONE;
        }
        let mut each = game.armies_wanted(state).map(|army| {
            let land = army.land.and(&state.friendly[camp.index()]);
            Station::new(&land, army.steps as f32 + SPARE, army.headquarters)
        });
        // What the scenario grants needs no army.
        for (station, is_granted) in each.iter_mut().zip(game.armies_granted()) {
            if is_granted {
                *station = Station { land: Hexes::EMPTY, steps: 0.0, headquarters: 0, ..*station };
            }
        }
        // Armies alone win nothing: five conditions do, and those besides depend on ships and the South. The largest army comes
        // last, and without one of these its headquarters are of more use on the Channel.
        if let Some(largest) = each.iter_mut().max_by(|one, other| one.steps.total_cmp(&other.steps)) {
            largest.share = OF_LARGEST;
            if !game.conditions(state)[4..].contains(&true) {
                largest.headquarters = 0;
            }
        }
        Stations::new(&each, A_STEP[0] + (A_STEP[1] - A_STEP[0]) * late, late >= STAFFS_FROM)
    }

    /// The army for the war with the Soviets: from the autumn in which France is beaten until it begins.
    fn for_barbarossa(brief: &Brief<'_>) -> Stations {
        let Brief { game, state, camp, .. } = *brief;
        let months = game.months_since_war(state);
        if months < GATHERS || fights_in_france(game, state) || !game.keeps_peace(state) {
            return Stations::NONE;
        }
        let armies = game.armies_wanted(state);
        let each = std::array::from_fn(|wing| {
            let (steps, headquarters) = EASTERN_ARMY[wing];
            Station::new(&armies[wing].land.and(&state.friendly[camp.index()]), steps, headquarters)
        });
        Stations { for_war: true, ..Stations::new(&each, EASTERN_STEP, months >= STAFFS_GATHER) }
    }

    fn new(each: &[Station; 3], step: f32, staffs: bool) -> Stations {
        let all = each.iter().fold(Hexes::EMPTY, |all, station| all.or(&station.land));
        Stations { all, each: *each, step, staffs, for_war: false }
    }

    /// Whether the armies gather for a war that is yet to come.
    pub fn is_for_war(&self) -> bool {
        self.for_war
    }

    /// Whether an army gathers for a war that will not begin for months: headquarters need not be strong yet.
    pub fn are_months_from_war(&self) -> bool {
        self.for_war && !self.staffs
    }

    /// Whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether something is wanted in a place.
    pub fn contains(&self, hex: Hex) -> bool {
        self.all.contains(hex)
    }

    fn at(&self, hex: Hex) -> Option<&Station> {
        if !self.all.contains(hex) {
            return None;
        }
        self.each.iter().find(|station| station.land.contains(hex))
    }

    /// Whether an army that is not complete, and not the largest, wants who stands in a place.
    pub fn needs(&self, own: &Host, hex: Hex) -> bool {
        self.at(hex).is_some_and(|station| {
            let there: f32 = station.land.iter().map(|hex| own.steps[hex.at()]).sum();
            station.share >= 1.0 && there <= station.steps
        })
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
            return self.step * station.share * missing(station);
        }
        if !game.map().rail_hexes.contains(hex) {
            return 0.0;
        }
        let on_the_way = |station: &Station| {
            let distance = game.board().distance(hex, station.middle) as f32;
            station.share * missing(station) * (1.0 - distance / FAR).max(0.0)
        };
        let wanted = self.each.iter().filter(|station| !station.land.is_empty());
        ON_THE_WAY * self.step * wanted.map(on_the_way).fold(0.0, f32::max)
    }

    /// What a headquarters adds where one is wanted.
    pub fn worth_of_staff(&self, brief: &Brief<'_>, hex: Hex, block: BlockId) -> f32 {
        let Some(station) = self.at(hex) else { return 0.0 };
        if !self.staffs {
            return 0.0;
        }
        let state = brief.state;
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

#[cfg(test)]
mod tests {
    use sandtable_eurofront::editor::Editor;
    use sandtable_eurofront::ids::Faction;
    use sandtable_eurofront::rules::Status;

    use super::EASTERN_STEP;
    use crate::survey::Might;
    use crate::testing::{game, seen};

    /// It stood in France to the last, and 67 to 116 steps attacked 138.
    #[test]
    fn an_army_gathers_on_the_soviet_border_once_france_is_beaten() {
        let game = game("1939");
        let [warsaw, paris] = ["warsaw", "paris"].map(|id| game.rules.place(id).unwrap());
        let [france, ussr] = ["france", "ussr"].map(|id| game.rules.nation(id).unwrap());
        let might = Might { steps: 3.0, offence: 3.0, defence: 3.0 };
        let wanted = |month: u8, of_france: Status, of_ussr: Status| {
            let mut editor = Editor::new(&game);
            editor.clear().relate(france, of_france).relate(ussr, of_ussr).date(month, 1);
            editor.owns(&game.land("west_poland"), Some(Faction::Axis));
            let state = editor.finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                let (stations, own) = (&player.planner.survey.stations, player.planner.survey.own());
                let worth = |hex| stations.worth(brief.game, own, hex, might);
                (worth(warsaw), worth(paris) < worth(warsaw), stations.are_months_from_war())
            })
        };
        let (november, march) = (14, 18);
        let fights = Status::Belligerent(Faction::Allies);
        let at_war = Status::Belligerent(Faction::Soviets);
        assert_eq!(wanted(november, Status::Defeated, Status::Neutral), (3.0 * EASTERN_STEP, true, true));
        assert_eq!(wanted(march, Status::Defeated, Status::Neutral), (3.0 * EASTERN_STEP, true, false));
        for nothing in [
            wanted(november, fights, Status::Neutral),
            wanted(november, Status::Defeated, at_war),
            wanted(8, Status::Defeated, Status::Neutral),
        ] {
            assert_eq!(nothing, (0.0, false, false));
        }
    }

    /// In 1940C armies were wanted in East Prussia and Romania, whose part the scenario counts as done.
    #[test]
    fn no_army_is_wanted_where_the_scenario_grants_it() {
        let wanted = |scenario: &str| {
            let game = game(scenario);
            let hex = game.rules.place("konigsberg").unwrap();
            let state = Editor::new(&game).clear().finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.planner.survey.stations.contains(hex)
            })
        };
        assert_eq!([wanted("1940B"), wanted("1940C")], [true, false]);
    }
}
