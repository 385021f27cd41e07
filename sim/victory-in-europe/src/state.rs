//! A game in progress: at most 4 KiB, flat, cloned by copying bytes.
//!
//! ```text
//! units      place, next, steps+flags, marks, via       192 x 5 bytes, one entry a counter
//! places     head of the sorted list of units           160 areas + 32 sea zones
//! areas      controller, factory; bitsets               160 x 2 bytes + sets of 192 bits
//! borders    units that crossed in this movement        320 bytes
//! roster     sets of units and areas, crowds, derived   24 sets of 192 bits + 192 bytes
//! the rest   cards, politics, invasion, battle, production, clock
//! ```
//!
//! A unit is always somewhere: in an area, at sea, in the pool, or gone for good. The lists of the places are sorted by
//! unit index, so equal positions are equal bytes. What a phase keeps in mind is a part of its own ([`Hands`], [`Politics`] and so
//! on), a plain value too. The rules of the phases stand above the state: nothing here knows them.

mod battle;
mod budget;
mod hands;
mod invasion;
mod politics;
mod verdict;

use crate::nation::{Force, MAJORS, Nation, Team};
use crate::phase::{Pending, Phase};
use crate::place::{PLACES, Place, UnitId};
use crate::rules::{Areas, MAX_AREAS, MAX_BORDERS, MAX_UNITS, Seas, Units};

use sandtable_core::Index;
use sandtable_core::units::{Stack, UnitLists};
use std::hash::{Hash, Hasher};

pub use battle::{Battle, MAX_BLITZ_USES};
pub(crate) use battle::{SHELTER, Stage};
pub use budget::{Budget, Written};
pub use hands::{HAND, Hands};
pub use invasion::{Invasion, Waiting};
pub use politics::Politics;
pub use verdict::Verdict;

/// Flags of a unit, cleared at the turn's start unless they say otherwise.
pub mod mark {
    /// Has moved in this Movement Phase, or said it stays.
    pub const MOVED: u8 = 1;
    /// Did so by Strategic Movement.
    pub const STRATEGIC: u8 = 2;
    /// Pinned (4.3).
    pub const PINNED: u8 = 4;
    /// The enemy has seen it in battle, and it has stood still since (R-63). Outlasts the turn.
    pub const KNOWN: u8 = 8;
    /// Arrived as a reinforcement: takes part from the second round (4.4).
    pub const REINFORCES: u8 = 16;
    /// Has had its battle turn in this round; of aircraft after a battle: has fought, and may land elsewhere.
    pub const ACTED: u8 = 32;
    /// Invades from the sea; throughout the battle, for its class is lower (7.5).
    pub const INVADES: u8 = 64;
    /// In the production of this turn: gets a step, or enters (11.4). Hidden from the enemy until all have written.
    pub const BUILT: u8 = 128;
}

/// Bits of [`State::step`]: steps, then flags.
const STEPS: u8 = 0b0000_0111;
/// Double Defence: one hit of two has fallen (5.5).
const HALF: u8 = 0b0000_1000;
/// A flag of the battle at hand: a paratrooper that has jumped and not yet fired (2.6).
pub(crate) const JUMPED: u8 = 0b0001_0000;
const COAST_SHIFT: u8 = 6;
/// All but the steps.
const STANCE: u8 = HALF | JUMPED | 3 << COAST_SHIFT;

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Turn, from 1.
    pub turn: u8,
    /// Phase.
    pub phase: Phase,
    /// Decision inside it.
    pub pending: Pending,
    /// Player 1 of the turn (3.2).
    pub first: Team,
    /// The team that moves, rolls or writes its production.
    pub mover: Team,
    /// The forces whose phase it is, as a mask: both of the Allies with two players, one at a time with three.
    pub movers: u8,
    /// The forces that decide now, as a mask: `movers`, or whoever is asked in between. The first of them names the side.
    pub active: u8,
    /// Movement points left to the army on the march.
    pub march: u8,
    /// Command points left, by force. Until the turn after the Soviet entry the Soviet ones are in the Western purse:
    /// see [`State::purse`].
    pub command: [u8; 3],
    /// Hands and decks (3.1).
    pub cards: Hands,
    /// Entries into the war, the status of countries, claims (10, 13).
    pub politics: Politics,
    /// The sea invasion being put together (7.5).
    pub invasion: Invasion,
    /// The battle being fought (5).
    pub battle: Battle,
    /// Production being written (11).
    pub budget: Budget,
    /// Areas where enemies stand together (4.1), by the team that attacked there.
    pub attacked: [Areas; 2],
    /// The same of sea zones.
    pub sea_attacked: [Seas; 2],
    /// Areas that changed hands by force this turn: their resources count from the next (11.2).
    pub captured: Areas,
    /// Friendly areas by force (4.1), derived from `control` and the status of countries. Areas of a neutral Italy and of neutral USA are
    /// in none of them.
    pub held: [Areas; 3],
    /// Friendly areas at the start of this Movement Phase (4.7).
    pub held_before: [Areas; 3],
    /// Seas with ships of a team at the start of this Movement Phase (7.5, 7.26).
    pub seas_before: [Seas; 2],
    /// How the game has ended (9).
    pub verdict: Verdict,
    pub(crate) control: [u8; MAX_AREAS],
    /// See [`State::factory`] and [`State::arrivals`].
    pub(crate) factory: [u8; MAX_AREAS],
    /// Where the units are, with their lists by place (derived).
    pub(crate) places: UnitLists<UnitId, Place, MAX_UNITS, PLACES>,
    pub(crate) step: [u8; MAX_UNITS],
    pub(crate) mark: [u8; MAX_UNITS],
    /// The place from which the unit entered its place in this turn; [`Place::NONE`] = it stood there. In production: where a new
    /// unit enters.
    pub(crate) via: [Place; MAX_UNITS],
    /// Units that crossed each border into or out of a battle in this movement: low half from `a` to `b`, high half back (4.6).
    pub(crate) crossed: [u8; MAX_BORDERS],
    /// Who is where and whose, derived from the other fields and the map.
    pub(crate) roster: Roster,
}

/// Units by what they can do and whose they are, derived from the other fields. Play asks for it all the time; the hash of a
/// state leaves it out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Roster {
    /// Units on the map.
    pub on_map: Units,
    /// Those of them that have neither moved nor been pinned.
    pub ready: Units,
    /// Units by the force that commands them, on the map or not (derived from the status of countries as [`State::held`] is).
    pub forces: [Units; 3],
    /// The same by the force whose bloc they belong to: those of blocs that stand apart are in none of the sets.
    pub blocs: [Units; 3],
    /// Units of the neutrals that the Soviets attack.
    pub defending: Units,
    /// Units by the major that pays for them (11.5).
    pub paid: [Units; MAJORS],
    /// Areas without neighbours by land, as the map has them.
    pub islands: Areas,
    /// Units there.
    pub islanders: Units,
    /// Units at sea.
    pub at_sea: Units,
    /// How many units each place holds.
    pub crowds: [u8; PLACES],
    /// The places that hold any.
    pub occupied: Areas,
    /// Areas and units of a neutral Italy and of those that stand apart with it (13).
    pub italian_areas: Areas,
    /// See `italian_areas`.
    pub italians: Units,
    /// Units of the USA, by birth or because their own nation has fallen (11.42).
    pub americans: Units,
    /// Areas with factory steps.
    pub factories: Areas,
    /// Areas that majors control.
    pub of_majors: Areas,
    /// Neutrals that the Soviets attack, as bits of nations.
    pub attacked: u32,
}

impl Roster {
    pub(crate) const EMPTY: Roster = Roster {
        on_map: Units::EMPTY,
        ready: Units::EMPTY,
        forces: [Units::EMPTY; 3],
        blocs: [Units::EMPTY; 3],
        defending: Units::EMPTY,
        paid: [Units::EMPTY; MAJORS],
        islands: Areas::EMPTY,
        islanders: Units::EMPTY,
        at_sea: Units::EMPTY,
        crowds: [0; PLACES],
        occupied: Areas::EMPTY,
        italian_areas: Areas::EMPTY,
        italians: Units::EMPTY,
        americans: Units::EMPTY,
        factories: Areas::EMPTY,
        of_majors: Areas::EMPTY,
        attacked: 0,
    };

    /// A unit stands at a place of the map.
    pub(crate) fn place(&mut self, unit: UnitId, place: Place) {
        self.on_map.insert(unit);
        self.islanders.set(unit, self.islands.contains(place));
        self.at_sea.set(unit, !place.is_area());
        self.crowds[place.at()] += 1;
        self.occupied.insert(place);
    }

    /// A unit leaves a place of the map.
    fn leave(&mut self, place: Place) {
        let crowd = &mut self.crowds[place.at()];
        *crowd -= 1;
        self.occupied.set(place, *crowd > 0);
    }
}

/// Says anew which units are in a set by their posts, after these have changed theirs with one another. If all or none of
/// them were in it, so they are now.
fn resort(set: &mut Units, among: &Units, is_in: impl FnMut(UnitId) -> bool) {
    let before = set.and(among);
    if !before.is_empty() && before != *among {
        *set = set.difference(among).or(&among.filter(is_in));
    }
}

impl Hash for Roster {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

const _: () = assert!(std::mem::size_of::<State>() <= 4096, "a state is at most 4 KiB");

/// Factory steps of an area in the low bits; above them, those that have been moved there this turn (11.32).
const FACTORY: u8 = 0b0001_1111;
const ARRIVALS_SHIFT: u8 = 5;
/// The most factory steps an area may have.
pub const MAX_FACTORY: u8 = FACTORY;

impl State {
    /// A map without units: everything in the pool, nothing controlled.
    pub fn empty() -> State {
        State {
            turn: 1,
            phase: Phase::Cards,
            pending: Pending::None,
            first: Team::Axis,
            mover: Team::Axis,
            movers: 0,
            active: 0,
            march: 0,
            command: [0; 3],
            cards: Hands::default(),
            politics: Politics::default(),
            invasion: Invasion::default(),
            battle: Battle::default(),
            budget: Budget::default(),
            attacked: [Areas::EMPTY; 2],
            sea_attacked: [0; 2],
            captured: Areas::EMPTY,
            held: [Areas::EMPTY; 3],
            held_before: [Areas::EMPTY; 3],
            seas_before: [0; 2],
            verdict: Verdict::Open,
            control: [Nation::Sphere as u8; MAX_AREAS],
            factory: [0; MAX_AREAS],
            places: UnitLists::all_in(Place::POOL),
            step: [0; MAX_UNITS],
            mark: [0; MAX_UNITS],
            via: [Place::NONE; MAX_UNITS],
            crossed: [0; MAX_BORDERS],
            roster: Roster::EMPTY,
        }
    }

    // ---- units ----

    /// Where a unit is: a place, [`Place::POOL`] or [`Place::GONE`].
    #[inline]
    pub fn location(&self, unit: UnitId) -> Place {
        self.places.of(unit)
    }
    /// Whether it is on the map.
    #[inline]
    pub fn is_on_map(&self, unit: UnitId) -> bool {
        self.location(unit).is_on_map()
    }
    /// Its steps.
    #[inline]
    pub fn steps(&self, unit: UnitId) -> u8 {
        self.step[unit.at()] & STEPS
    }
    /// Adds a step; returns how many it has then.
    #[inline]
    pub(crate) fn add_step(&mut self, unit: UnitId) -> u8 {
        let at = &mut self.step[unit.at()];
        *at += 1;
        *at & STEPS
    }
    /// Sets its steps.
    #[inline]
    pub fn set_steps(&mut self, unit: UnitId, steps: u8) {
        let at = &mut self.step[unit.at()];
        *at = *at & !STEPS | steps;
    }
    /// The coast of its area a ship lies on, from 1; 0 elsewhere.
    #[inline]
    pub fn coast(&self, unit: UnitId) -> u8 {
        self.step[unit.at()] >> COAST_SHIFT
    }
    /// Whether it bears half a hit (5.5).
    #[inline]
    pub fn has_half_hit(&self, unit: UnitId) -> bool {
        self.step[unit.at()] & HALF != 0
    }
    /// Sets or clears the half hit.
    #[inline]
    pub fn set_half_hit(&mut self, unit: UnitId, half: bool) {
        let at = &mut self.step[unit.at()];
        *at = if half { *at | HALF } else { *at & !HALF };
    }
    /// Whether it is a paratrooper that has jumped and not yet had its battle turn (2.6).
    #[inline]
    pub fn has_jumped(&self, unit: UnitId) -> bool {
        self.step[unit.at()] & JUMPED != 0
    }
    /// Sets or clears the jump.
    #[inline]
    pub fn set_jumped(&mut self, unit: UnitId, jumped: bool) {
        let at = &mut self.step[unit.at()];
        *at = if jumped { *at | JUMPED } else { *at & !JUMPED };
    }
    /// Whether it has all of these marks.
    #[inline]
    pub fn has_mark(&self, unit: UnitId, mark: u8) -> bool {
        self.mark[unit.at()] & mark == mark
    }
    /// Sets or clears marks.
    #[inline]
    pub fn set_mark(&mut self, unit: UnitId, mark: u8, on: bool) {
        let at = &mut self.mark[unit.at()];
        let marks = if on { *at | mark } else { *at & !mark };
        self.set_marks(unit, marks);
    }
    /// Sets all marks of a unit.
    #[inline]
    pub(crate) fn set_marks(&mut self, unit: UnitId, marks: u8) {
        self.mark[unit.at()] = marks;
        self.roster.ready.set(unit, marks & (mark::MOVED | mark::PINNED) == 0 && self.is_on_map(unit));
    }
    /// The place from which it entered in this turn, or [`Place::NONE`].
    #[inline]
    pub fn via(&self, unit: UnitId) -> Place {
        self.via[unit.at()]
    }
    /// The units of a place, in ascending order.
    #[inline]
    pub fn stack(&self, place: Place) -> Stack<'_, UnitId> {
        self.places.at(place)
    }
    /// Whether nobody is there.
    #[inline]
    pub fn is_vacant(&self, place: Place) -> bool {
        self.places.is_empty(place)
    }
    /// How many units are there.
    #[inline]
    pub(crate) fn crowd(&self, place: Place) -> u8 {
        self.roster.crowds[place.at()]
    }
    /// Units that a team commands, on the map or not.
    #[inline]
    pub(crate) fn commanded_by(&self, team: Team) -> Units {
        let [axis, western, soviet] = &self.roster.forces;
        if team == Team::Axis { *axis } else { western.or(soviet) }
    }
    /// Whether a team commands a unit.
    #[inline]
    pub(crate) fn commands(&self, team: Team, unit: UnitId) -> bool {
        let [axis, western, soviet] = &self.roster.forces;
        if team == Team::Axis { axis.contains(unit) } else { western.contains(unit) || soviet.contains(unit) }
    }
    /// Sea zones where any of these units is.
    pub(crate) fn seas_with(&self, units: &Units) -> Seas {
        let at_sea = self.roster.at_sea.and(units);
        at_sea.iter().fold(0, |seas, unit| seas | 1 << (self.location(unit).at() - MAX_AREAS))
    }
    /// Clears what lasts for one turn from all units: marks but that of a known block, ways of entry, half hits, jumps.
    pub(crate) fn clear_units(&mut self) {
        for marks in &mut self.mark {
            *marks &= mark::KNOWN;
        }
        for step in &mut self.step {
            *step &= !(HALF | JUMPED);
        }
        self.via = [Place::NONE; MAX_UNITS];
        self.roster.ready = self.roster.on_map;
    }
    /// Nobody has seen any unit in battle any more.
    pub(crate) fn forget_units(&mut self) {
        for marks in &mut self.mark {
            *marks &= !mark::KNOWN;
        }
    }
    /// Moves a unit to a place of the map, on a coast (0 but for ships in an area).
    pub(crate) fn put(&mut self, unit: UnitId, place: Place, coast: u8) {
        let is_new = !self.is_on_map(unit);
        self.leave(unit);
        self.set_coast(unit, coast);
        self.places.put(unit, place);
        self.roster.place(unit, place);
        if is_new {
            self.set_marks(unit, self.mark[unit.at()]);
        }
    }
    /// Sets the coast of a ship; the list of its place stays as it is.
    pub(crate) fn set_coast(&mut self, unit: UnitId, coast: u8) {
        let step = &mut self.step[unit.at()];
        *step = *step & !(3 << COAST_SHIFT) | coast << COAST_SHIFT;
    }
    /// Coast, half hit and jump of a unit, together.
    #[inline]
    pub(crate) fn stance(&self, unit: UnitId) -> u8 {
        self.step[unit.at()] & STANCE
    }
    #[inline]
    pub(crate) fn set_stance(&mut self, unit: UnitId, stance: u8) {
        let step = &mut self.step[unit.at()];
        *step = *step & !STANCE | stance;
    }
    /// After units of the map have changed posts with one another, so that every place holds as many as before: lists the
    /// places anew and says who is ready, on islands and at sea. All who have changed are `among` these units.
    pub(crate) fn settle_exchange(&mut self, among: &Units) {
        self.places.list_anew();
        let islands = self.roster.islands;
        let is_ready = |unit: UnitId| self.mark[unit.at()] & (mark::MOVED | mark::PINNED) == 0;
        resort(&mut self.roster.ready, among, is_ready);
        resort(&mut self.roster.islanders, among, |unit| islands.contains(self.places.of(unit)));
        resort(&mut self.roster.at_sea, among, |unit| !self.places.of(unit).is_area());
    }
    /// Takes a unit from the map to [`Place::POOL`] or [`Place::GONE`], with nothing left of what it was.
    pub(crate) fn send(&mut self, unit: UnitId, to: Place) {
        self.leave(unit);
        self.places.put(unit, to);
        self.step[unit.at()] = 0;
        self.mark[unit.at()] = 0;
        self.roster.on_map.remove(unit);
        self.roster.ready.remove(unit);
        self.roster.islanders.remove(unit);
        self.roster.at_sea.remove(unit);
        self.via[unit.at()] = Place::NONE;
    }
    /// A unit leaves its place, if that is on the map: it counts there no more.
    fn leave(&mut self, unit: UnitId) {
        let place = self.location(unit);
        if place.is_on_map() {
            self.roster.leave(place);
        }
    }

    // ---- areas ----

    /// The nation that controls an area (4.1).
    #[inline]
    pub fn controller(&self, area: Place) -> Nation {
        Nation::of(self.control[area.at()])
    }
    /// Whether an area is friendly to a force.
    #[inline]
    pub fn holds(&self, force: Force, area: Place) -> bool {
        self.held[force.index()].contains(area)
    }
    /// Areas friendly to either force of a team.
    #[inline]
    pub fn held_by(&self, team: Team) -> Areas {
        match team {
            Team::Axis => self.held[0],
            Team::Allies => self.held[1].or(&self.held[2]),
        }
    }
    /// Areas where a battle is due (4.1).
    #[inline]
    pub fn disputed(&self) -> Areas {
        self.attacked[0].or(&self.attacked[1])
    }
    /// Sea zones where one is due.
    #[inline]
    pub fn disputed_seas(&self) -> Seas {
        self.sea_attacked[0] | self.sea_attacked[1]
    }
    /// Factory steps in an area.
    #[inline]
    pub fn factory(&self, area: Place) -> u8 {
        self.factory[area.at()] & FACTORY
    }
    /// Sets them.
    #[inline]
    pub fn set_factory(&mut self, area: Place, steps: u8) {
        let at = &mut self.factory[area.at()];
        *at = *at & !FACTORY | steps;
        self.roster.factories.set(area, steps > 0);
    }
    /// Factory steps that have been moved to an area this turn: they do not produce (11.32).
    #[inline]
    pub fn arrivals(&self, area: Place) -> u8 {
        self.factory[area.at()] >> ARRIVALS_SHIFT
    }
    /// Sets them: as many as an area may have markers.
    #[inline]
    pub fn set_arrivals(&mut self, area: Place, steps: u8) {
        let at = &mut self.factory[area.at()];
        *at = *at & FACTORY | steps << ARRIVALS_SHIFT;
    }

    // ---- players ----

    /// Player 2 of the turn.
    #[inline]
    pub fn second(&self) -> Team {
        self.first.other()
    }
    /// The force whose command points this force spends: until the turn after the Soviet entry the Allies share (3.2).
    #[inline]
    pub fn purse(&self, force: Force) -> Force {
        if force == Force::Soviet && !self.politics.splits_command(self.turn) {
            Force::Western
        } else {
            force
        }
    }
    /// Command points a force may spend.
    #[inline]
    pub fn command_of(&self, force: Force) -> u8 {
        self.command[self.purse(force).index()]
    }
    /// Spends them; there must be enough.
    #[inline]
    pub fn spend_command(&mut self, force: Force, points: u8) {
        let purse = &mut self.command[self.purse(force).index()];
        debug_assert!(*purse >= points, "command points");
        *purse -= points;
    }
}
