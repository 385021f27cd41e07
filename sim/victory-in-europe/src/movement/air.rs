//! Where aircraft fly (6.1, 6.21, 7.24).

use sandtable_core::Board;

use crate::Rolls;
use crate::board::{Bloc, Relation};
use crate::nation::Force;
use crate::place::{Place, UnitId};
use crate::rules::Entry;

use super::ground::Ground;
use super::menu::{Berths, Places, of_seas, seas_of};
use super::outlook::Outlook;
use crate::game::VictoryInEurope;
use crate::rules::{Areas, Seas};
use crate::state::State;

/// Movement points beyond which nobody goes.
pub(super) const MOST_POINTS: usize = 40;
/// Room for the dearest step besides.
const LEVELS: usize = MOST_POINTS + 10;

/// Sea zones by the movement points spent when they are entered.
pub(super) struct Arrivals {
    seas: [Seas; LEVELS],
    /// The points at which there are any, as bits.
    due: u64,
}

impl Arrivals {
    pub(super) const NONE: Arrivals = Arrivals { seas: [0; LEVELS], due: 0 };

    #[inline]
    pub(super) fn add(&mut self, spent: usize, zones: Seas) {
        self.seas[spent] |= zones;
        self.due |= u64::from(zones != 0) << spent;
    }
    #[inline]
    pub(super) fn at(&self, spent: usize) -> Seas {
        self.seas[spent]
    }
    /// Whether none are entered at these points or later.
    #[inline]
    pub(super) fn are_over(&self, spent: usize) -> bool {
        self.due >> spent == 0
    }
}

impl VictoryInEurope {
    /// Areas and sea zones an aircraft can fly to with these movement points, over everything but neutral areas (6.1), two
    /// points for an ocean zone (7.24); its own place is among them. Whether it may end there is another question: landings
    /// and retreats go to those of the areas that are friendly ([`crate::board::Relation`]) and have room
    /// ([`VictoryInEurope::has_room`]).
    pub fn air_reach(&self, state: &State, unit: UnitId, points: u8) -> (Areas, Seas) {
        self.air_reach_through(state, unit, points, &self.skies(state, unit))
    }

    /// The same, over these areas and the sea alone.
    pub(super) fn air_reach_through(
        &self,
        state: &State,
        unit: UnitId,
        points: u8,
        skies: &Areas,
    ) -> (Areas, Seas) {
        let (near, _) = self.air_reaches(state.location(unit), points, points, skies);
        let seas = seas_of(&near);
        (near.difference(&of_seas(seas)), seas)
    }

    /// Places within some movement points of a place, over these areas and the sea, and places within more of them.
    fn air_reaches(&self, from: Place, near: u8, far: u8, skies: &Areas) -> (Places, Places) {
        let tables = &self.tables;
        let (near, far) = (usize::from(near).min(MOST_POINTS), usize::from(far).min(MOST_POINTS));
        let (mut reached, mut within) = (Places::EMPTY, Places::EMPTY);
        // What the points spent so far lead to: an area takes one, a sea zone what it costs to enter.
        let mut next = Places::one(from);
        let mut arrivals = Arrivals::NONE;
        for spent in 0..=far {
            let new = next.or(&of_seas(arrivals.at(spent))).difference(&reached);
            reached = reached.or(&new);
            if spent == near {
                within = reached;
            }
            if spent == far {
                break;
            }
            let around = tables.air_near.neighbours_of(&new).difference(&reached);
            next = around.and(skies);
            let seas = seas_of(&around) & tables.seas.open;
            for &(entry, zones) in &tables.seas.by_entry {
                arrivals.add(spent + usize::from(entry), seas & zones);
            }
        }
        (within, reached)
    }

    /// Areas a unit's aircraft may be over: none that is neutral (6.1), no enemy box at the edge of the map, and the Urals
    /// by Strategic Movement alone (13).
    pub(super) fn skies(&self, state: &State, unit: UnitId) -> Areas {
        self.skies_over(&self.ground(state, self.nation(state, unit)))
    }

    fn skies_over(&self, ground: &Ground) -> Areas {
        let mut skies =
            ground.friendly.or(&ground.enemy.difference(&self.tables.areas.safe)).or(&ground.disputed);
        skies.remove(self.rules.places.urals);
        skies
    }

    /// Areas friendly to neutral majors on which units of a bloc declare war by flying over them (10.1, R-99): those of the
    /// Pact, and those of a neutral Italy and its friends. Empty where the rules forbid that war, or by option.
    fn guarded_skies(&self, state: &State, own: Bloc) -> [Areas; 2] {
        let mut guarded = [Areas::EMPTY; 2];
        let Some(force) = own.force().filter(|_| self.rules.options.overflight_is_war) else {
            return guarded;
        };
        if state.politics.ussr == Entry::Neutral {
            guarded[0] = match force {
                Force::Axis => state.held[Force::Soviet.index()],
                Force::Soviet => state.held[Force::Axis.index()],
                Force::Western => Areas::EMPTY,
            };
        }
        if state.politics.italy == Entry::Neutral && force != Force::Axis {
            guarded[1] = state.roster.italian_areas;
        }
        let mut closed = self.tables.areas.safe.or(&state.disputed());
        closed.insert(self.rules.places.urals);
        guarded.map(|areas| areas.difference(&closed))
    }

    /// Areas of neutral majors over which an aircraft flies to a goal of its Movement Phase, one of each major that it thereby
    /// declares war on (10.1); none if it has a peaceful way.
    fn overflown(&self, state: &State, unit: UnitId, to: Place) -> [Option<Place>; 2] {
        let guarded = self.guarded_skies(state, self.bloc_of(state, unit));
        if guarded == [Areas::EMPTY; 2] {
            return [None; 2];
        }
        let ground = self.ground(state, self.nation(state, unit));
        let mut points = self.unit_type(unit).moves + self.event_moves(state, unit);
        if to.is_area() && ground.friendly.contains(to) {
            points *= 2;
        }
        let quiet = self.skies_over(&ground);
        let [pact, italy] = guarded;
        for loud in [[Areas::EMPTY; 2], [pact, Areas::EMPTY], [Areas::EMPTY, italy]] {
            let skies = quiet.or(&loud[0]).or(&loud[1]);
            if self.air_reaches(state.location(unit), points, points, &skies).1.contains(to) {
                return loud.map(|areas| areas.first());
            }
        }
        guarded.map(|areas| areas.first())
    }

    /// Whether a move of an aircraft to a place, one of its legal ones, declares war on a neutral major by the areas it flies
    /// over or the units it attacks (10.1, R-99).
    pub fn flight_is_war(&self, state: &State, unit: UnitId, to: Place) -> bool {
        self.overflown(state, unit, to) != [None; 2]
    }

    /// War on the neutral majors whose areas an aircraft flies over (10.1).
    pub(super) fn declare_war_in_flight(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        context: &mut impl Rolls,
    ) {
        let nation = self.nation(state, unit);
        for area in self.overflown(state, unit, to).into_iter().flatten() {
            // The first war may have brought the second with it.
            if self.relation(state, nation, area) == Relation::Neutral {
                self.declare_war(state, nation, area, context);
            }
        }
    }
}

impl VictoryInEurope {
    /// Where an aircraft may go in the Movement Phase: to a battle or over the sea within its range, to a friendly area within
    /// twice that (6.1); over areas of neutral majors too, or to units there, which is war (10.1).
    pub(super) fn flights(&self, state: &State, outlook: &Outlook, goals: &mut Berths) {
        let unit = outlook.unit;
        let points = self.unit_type(unit).moves + self.event_moves(state, unit);
        let from = state.location(unit);
        let ground = &outlook.ground;
        let [pact, italy] = self.guarded_skies(state, outlook.bloc);
        let guarded = pact.or(&italy);
        let skies = self.skies_over(ground).or(&guarded);
        let (near, far) = self.air_reaches(from, points, 2 * points, &skies);
        let full = &outlook.full[0];
        let mut open = far.and(&ground.friendly).difference(full);
        let hostile = near.and(&self.tables.areas.all).difference(&ground.friendly).difference(full);
        for area in hostile.and(&outlook.affordable).and(&Self::targets(state)) {
            if self.may_attack(state, outlook, area, 0)
                || guarded.contains(area) && self.finds_targets(state, outlook, area)
            {
                open.insert(area);
            }
        }
        if from.is_area() {
            open.remove(from);
        }
        goals[0] = goals[0].or(&open).or(&self.seas_to_enter(state, outlook, seas_of(&near)));
    }
}
