//! What play looks up, derived from the data once: borders, coasts, seas, sets of areas, units, cards.

mod areas;
mod cards;
mod coasts;
mod land;
mod seas;
mod units;

use sandtable_core::Index;

use self::areas::AreaSets;
use self::cards::Decks;
use self::coasts::Coasts;
use self::land::{Land, PlaceBoard, board};
use self::seas::SeaWays;
pub(crate) use self::units::Peers;
use self::units::UnitTables;
use crate::hidden::Lineup;
use crate::place::{PLACES, Place};
use crate::rules::{Areas, MAX_AREAS, MAX_BORDERS, MAX_CARDS, MAX_SEAS, MAX_UNITS, Rules, SeaKind};

/// Most gates between sea zones.
const MAX_GATES: usize = 32;

/// What is derived from the data once.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// Borders between areas.
    pub land: Land,
    /// Where land and sea meet.
    pub coasts: Coasts,
    /// Sea zones and the ways between them.
    pub seas: SeaWays,
    /// Where aircraft may be next to each place: land neighbours, and sea zones on their coasts and beside each other; those
    /// that only a strait or canal joins are not.
    pub air_near: PlaceBoard,
    /// Areas by what they are.
    pub areas: AreaSets,
    /// Units by what they are.
    pub units: UnitTables,
    /// How many a place takes: in an area the military units (99 = any number of everything), at sea the ships (4.5, 7.11).
    pub limit: [u8; PLACES],
    /// What shows of counters while they are hidden; second, where leaders and paratroops are told from other armies.
    pub lineups: [Lineup; 2],
    /// The cards.
    pub cards: Decks,
}

impl Tables {
    /// # Errors
    /// Says which part of the data is out of the engine's bounds or refers to something that is not there.
    pub(crate) fn derive(rules: &Rules) -> Result<Tables, String> {
        check_bounds(rules)?;
        let land = Land::derive(rules)?;
        let coasts = Coasts::derive(rules)?;
        let seas = SeaWays::derive(rules)?;
        let units = UnitTables::derive(rules)?;
        Ok(Tables {
            air_near: air_near(rules, &land, &coasts, &seas)?,
            areas: AreaSets::derive(rules, &land),
            limit: stacking_limits(rules),
            lineups: [Lineup::new(rules, false)?, Lineup::new(rules, true)?],
            cards: Decks::derive(rules),
            land,
            coasts,
            seas,
            units,
        })
    }
}

/// Whether map, units, cards and calendar are of a size that the engine takes.
fn check_bounds(rules: &Rules) -> Result<(), String> {
    let areas = rules.areas.len();
    for (what, count, most) in [
        ("areas", areas, MAX_AREAS),
        ("sea zones", rules.seas.len(), MAX_SEAS),
        ("units", rules.units.len(), MAX_UNITS),
        ("borders", rules.borders.len(), MAX_BORDERS),
        ("cards", rules.cards.len(), MAX_CARDS),
    ] {
        if count == 0 || count > most {
            return Err(format!("there are {count} {what}; the engine takes 1 to {most}"));
        }
    }
    if rules.gates.len() > MAX_GATES {
        return Err(format!("there are {} gates; the engine takes {MAX_GATES}", rules.gates.len()));
    }
    let (first, last) = (rules.setup.first_turn, rules.setup.last_turn);
    if first == 0 || first > last || last as usize > rules.calendar.len() {
        return Err(format!(
            "the scenario runs from turn {first} to {last}; the calendar has {} turns",
            rules.calendar.len()
        ));
    }
    if rules.setup.control.len() != areas {
        return Err(format!("{} areas have a controller, of {areas}", rules.setup.control.len()));
    }
    Ok(())
}

/// Where aircraft go from each place (6.1): over borders, out to the seas and from sea to sea. A strait or canal is no sea:
/// the way leads over an area beside it (13, R-162).
fn air_near(rules: &Rules, land: &Land, coasts: &Coasts, seas: &SeaWays) -> Result<PlaceBoard, String> {
    let mut near = land.flight.all_neighbours().to_vec();
    near.resize(PLACES, Areas::EMPTY);
    for (zone, links) in seas.links.iter().enumerate() {
        let place = Place::sea(zone as u8);
        for area in coasts.of_sea[zone] {
            near[area.at()].insert(place);
            near[place.at()].insert(area);
        }
        for &(next, gate) in links {
            match gate {
                None => near[place.at()].insert(Place::sea(next)),
                Some(gate) => {
                    for side in rules.gates[gate as usize].sides.iter().copied() {
                        near[side.at()].insert(place);
                        near[place.at()].insert(side);
                    }
                }
            }
        }
    }
    board(near)
}

/// How many units places take (4.5, 7.11); in a convoy zone the convoy has the room of a ship (7.7).
fn stacking_limits(rules: &Rules) -> [u8; PLACES] {
    let mut limit = [0; PLACES];
    for (limit, area) in limit.iter_mut().zip(&rules.areas) {
        *limit = area.stack;
    }
    for (limit, sea) in limit[MAX_AREAS..].iter_mut().zip(&rules.seas) {
        *limit = rules.charts.sea_stack - u8::from(sea.kind == SeaKind::Convoy);
    }
    limit
}
