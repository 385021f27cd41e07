//! Who is friend and who is enemy, and what follows when an area changes hands (4.1, 10.1).

use crate::Rolls;
use crate::event::{Event, LossCause};
use crate::game::VictoryInEurope;
use crate::nation::{Force, MAJORS, NATIONS, Nation, Team};
use crate::place::{Place, UnitId};
use crate::rules::{Areas, Arm, Entry, Kind, Standing, Units};
use crate::state::State;
use sandtable_core::Index;

/// A group of nations that share friendly areas: the three forces, or one nation that stands apart (a neutral, a neutral
/// Italy with its allies, the neutral USA).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bloc(u8);

impl Bloc {
    /// The bloc of a force.
    pub fn of(force: Force) -> Bloc {
        Bloc(force as u8)
    }
    fn apart(nation: Nation) -> Bloc {
        Bloc(3 + nation as u8)
    }
    /// The force, if it is one.
    #[inline]
    pub fn force(self) -> Option<Force> {
        Force::ALL.get(self.0 as usize).copied()
    }
    fn nation(self) -> Option<Nation> {
        self.0.checked_sub(3).map(Nation::of)
    }
}

/// What an area is to a unit (4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Its own, or an ally's.
    Friendly,
    /// Of someone it is at war with.
    Enemy,
    /// Of someone it is not at war with: closed, unless war is declared.
    Neutral,
    /// A battle is due: friendly to nobody.
    Disputed,
}

impl VictoryInEurope {
    /// Whose unit it is now: its printed nation, or Britain for the free forces of a fallen ally (11.42).
    #[inline]
    pub fn nation(&self, state: &State, unit: UnitId) -> Nation {
        let nation = self.printed_nation(unit);
        if state.politics.standing(nation) == Standing::Gone {
            self.rules.units[unit.at()].free_for.unwrap_or(nation)
        } else {
            nation
        }
    }
    /// The bloc of a nation.
    #[inline]
    pub fn bloc(&self, state: &State, nation: Nation) -> Bloc {
        let politics = &state.politics;
        match politics.standing(nation).force() {
            Some(Force::Axis)
                if politics.italy == Entry::Neutral
                    && (nation == Nation::Italy || politics.patron(nation) == Nation::Italy) =>
            {
                Bloc::apart(Nation::Italy)
            }
            Some(Force::Western) if nation == Nation::Usa && politics.usa == Entry::Neutral => {
                Bloc::apart(Nation::Usa)
            }
            Some(force) => Bloc::of(force),
            None => Bloc::apart(nation),
        }
    }
    /// The bloc of a unit: its nation's. Lend-lease convoys serve the force at war, so they belong to it while the USA, which
    /// builds them, is neutral: to attack one declares no war (7.71). So do units of the neutral USA abroad, which stand among
    /// those at war (note of the 1942 scenario, R-155).
    #[inline]
    pub fn bloc_of(&self, state: &State, unit: UnitId) -> Bloc {
        let nation = self.nation(state, unit);
        let abroad = || nation == Nation::Usa && state.location(unit) != self.rules.places.usa;
        match state.politics.standing(nation).force() {
            Some(force) if self.kind(unit) == Kind::Convoy || abroad() => Bloc::of(force),
            _ => self.bloc(state, nation),
        }
    }
    /// Whether two blocs are at war.
    pub fn at_war(&self, state: &State, a: Bloc, b: Bloc) -> bool {
        match (a.force(), b.force()) {
            (Some(Force::Axis), Some(Force::Western)) | (Some(Force::Western), Some(Force::Axis)) => true,
            (Some(Force::Axis), Some(Force::Soviet)) | (Some(Force::Soviet), Some(Force::Axis)) => {
                state.politics.ussr == Entry::AtWar
            }
            (Some(Force::Soviet), None) | (None, Some(Force::Soviet)) => {
                let other = a.nation().or(b.nation());
                other.is_some_and(|nation| state.politics.standing(nation) == Standing::Defending)
            }
            _ => false,
        }
    }
    /// What an area is to units of a nation (4.1).
    pub fn relation(&self, state: &State, nation: Nation, area: Place) -> Relation {
        if state.disputed().contains(area) {
            return Relation::Disputed;
        }
        let own = self.bloc(state, nation);
        let its = self.bloc(state, state.controller(area));
        if own == its {
            Relation::Friendly
        } else if self.at_war(state, own, its) {
            Relation::Enemy
        } else {
            Relation::Neutral
        }
    }
    /// The force that commands a unit: that of its nation; the Axis for a neutral the Soviets attack.
    #[inline]
    pub fn force(&self, state: &State, unit: UnitId) -> Option<Force> {
        match state.politics.standing(self.nation(state, unit)) {
            Standing::Defending => Some(Force::Axis),
            standing => standing.force(),
        }
    }
    /// The team that commands a unit; of one that nobody commands, a neutral's, there is none to ask for.
    #[inline]
    pub fn team(&self, state: &State, unit: UnitId) -> Team {
        if state.roster.forces[0].contains(unit) { Team::Axis } else { Team::Allies }
    }
    /// Units of a team at a place, military or not; not those of neutrals.
    pub fn units_at(&self, state: &State, place: Place, team: Team) -> impl Iterator<Item = UnitId> {
        let commanded = state.commanded_by(team);
        state.stack(place).filter(move |&unit| commanded.contains(unit))
    }
    /// Whether a team has a military unit at a place (1.17).
    pub fn has_army(&self, state: &State, place: Place, team: Team) -> bool {
        self.units_at(state, place, team).any(|unit| self.arm(unit) == Arm::Army)
    }
    /// Whether a team has any unit at a place.
    pub fn is_present(&self, state: &State, place: Place, team: Team) -> bool {
        self.units_at(state, place, team).next().is_some()
    }
    /// Units of a force on the map.
    pub fn units_of(&self, state: &State, force: Force) -> Units {
        self.tables
            .units
            .all
            .iter()
            .filter(|&unit| state.location(unit).is_on_map() && self.force(state, unit) == Some(force))
            .collect()
    }

    /// The nation an area falls to when a unit of `nation` takes it: its owner of 1939 if that fights on the same side, else
    /// the major the unit fights for; a neutral that fights alone keeps what it takes (13).
    pub fn heir(&self, state: &State, nation: Nation, area: Place) -> Nation {
        let owner = self.rules.areas[area.at()].country;
        let standing = state.politics.standing(owner);
        if owner == nation
            || standing.force().is_some() && self.bloc(state, owner) == self.bloc(state, nation)
        {
            owner
        } else {
            self.principal(state, nation)
        }
    }
    /// For whom a nation conquers: its patron if they share friendly areas, else itself. A neutral that the Soviets attack is
    /// run by the Axis and no ally of it (10.2, 13).
    pub(crate) fn principal(&self, state: &State, nation: Nation) -> Nation {
        let patron = state.politics.patron(nation);
        if self.bloc(state, patron) == self.bloc(state, nation) { patron } else { nation }
    }
    /// A military unit of `nation` takes an area, at once (4.1): control, and the factory alone with it falls (11.33).
    pub(crate) fn take_area(&self, state: &mut State, area: Place, nation: Nation, context: &mut impl Rolls) {
        let heir = self.heir(state, nation, area);
        if self.bloc(state, state.controller(area)) == self.bloc(state, heir) {
            return;
        }
        state.captured.insert(area);
        let steps = state.factory(area);
        if steps > 0 {
            context.emit(|| Event::FactoryLoss { area, steps });
            state.set_arrivals(area, 0);
            state.set_factory(area, 0);
        }
        self.give_area(state, area, heir);
        context.emit(|| Event::Taken { area, by: heir });
    }
    /// An area passes to a nation, by conquest or treaty.
    pub(crate) fn give_area(&self, state: &mut State, area: Place, nation: Nation) {
        debug_assert!(area.is_area());
        state.control[area.at()] = nation as u8;
        let bloc = self.bloc(state, nation);
        for force in Force::ALL {
            state.held[force.index()].set(area, bloc == Bloc::of(force));
        }
        state.roster.italian_areas.set(area, bloc == Bloc::apart(Nation::Italy));
        state.roster.of_majors.set(area, nation.is_major());
    }
    /// Works out anew who holds what, after a nation's standing or a power's entry has changed.
    pub(crate) fn renew_held(&self, state: &mut State) {
        self.count_areas(state);
        self.enlist(state);
    }
    /// Works out anew whose the units are.
    pub(crate) fn enlist(&self, state: &mut State) {
        let tables = &self.tables;
        let (mut forces, mut blocs, mut defending) = ([Units::EMPTY; 3], [Units::EMPTY; 3], Units::EMPTY);
        let (mut paid, mut attacked) = ([Units::EMPTY; MAJORS], 0);
        let (mut italians, mut americans) = (Units::EMPTY, Units::EMPTY);
        let mut join = |units: &Units, nation: Nation| {
            let standing = state.politics.standing(nation);
            let mut commander = standing.force();
            if standing == Standing::Defending {
                commander = Some(Force::Axis);
                defending = defending.or(units);
            }
            if let Some(force) = commander {
                let of_force = &mut forces[force.index()];
                *of_force = of_force.or(units);
            }
            if let Some(payer) = self.payer(state, nation) {
                let of_payer = &mut paid[payer.index()];
                *of_payer = of_payer.or(units);
            }
            let convoys = &tables.units.of_kind[Kind::Convoy as usize];
            let bloc = self.bloc(state, nation);
            if nation == Nation::Usa {
                americans = americans.or(units);
            }
            if bloc == Bloc::apart(Nation::Italy) {
                let apart = if standing.force().is_some() { units.difference(convoys) } else { *units };
                italians = italians.or(&apart);
            }
            for (units, force) in
                [(units.difference(convoys), bloc.force()), (units.and(convoys), standing.force())]
            {
                if let Some(force) = force {
                    let of_bloc = &mut blocs[force.index()];
                    *of_bloc = of_bloc.or(&units);
                }
            }
        };
        for nation in Nation::ALL {
            let units = &tables.units.of_nation[nation.index()];
            if state.politics.standing(nation) == Standing::Defending {
                attacked |= nation.bit();
            }
            if state.politics.standing(nation) == Standing::Gone {
                for unit in units {
                    join(&Units::one(unit), self.nation(state, unit));
                }
            } else {
                join(units, nation);
            }
        }
        let roster = &mut state.roster;
        (roster.forces, roster.blocs) = (forces, blocs);
        (roster.defending, roster.paid) = (defending, paid);
        (roster.italians, roster.americans, roster.attacked) = (italians, americans, attacked);
    }
    /// Units that belong to the bloc of a force. While the USA is neutral, those of its units that are abroad do too.
    #[inline]
    pub(crate) fn bloc_of_force(&self, state: &State, force: Force) -> Units {
        let units = state.roster.blocs[force.index()];
        let politics = &state.politics;
        if politics.usa == Entry::Neutral && politics.standing(Nation::Usa).force() == Some(force) {
            let abroad = |&unit: &UnitId| state.location(unit) != self.rules.places.usa;
            let americans = self.tables.units.of_nation[Nation::Usa.index()].and(&state.roster.on_map);
            return units.or(&americans.iter().filter(abroad).collect());
        }
        units
    }
    /// Units of a bloc, on the map.
    #[inline]
    pub(crate) fn units_of_bloc(&self, state: &State, bloc: Bloc) -> Units {
        let on_map = &state.roster.on_map;
        match (bloc.force(), bloc.nation()) {
            (Some(force), _) => self.bloc_of_force(state, force).and(on_map),
            (None, Some(Nation::Italy)) => state.roster.italians.and(on_map),
            _ => on_map.iter().filter(|&unit| self.bloc_of(state, unit) == bloc).collect(),
        }
    }
    /// Units a bloc is at war with, on the map or not.
    #[inline]
    pub(crate) fn enemies_of(&self, state: &State, bloc: Bloc) -> Units {
        let of = |force| self.bloc_of_force(state, force);
        let soviets_in = state.politics.ussr == Entry::AtWar;
        match (bloc.force(), bloc.nation()) {
            (Some(Force::Axis), _) if soviets_in => of(Force::Western).or(&of(Force::Soviet)),
            (Some(Force::Axis), _) => of(Force::Western),
            (Some(Force::Western), _) => of(Force::Axis),
            (Some(Force::Soviet), _) if soviets_in => of(Force::Axis).or(&state.roster.defending),
            (Some(Force::Soviet), _) => state.roster.defending,
            (None, Some(nation)) if state.politics.standing(nation) == Standing::Defending => {
                of(Force::Soviet)
            }
            _ => Units::EMPTY,
        }
    }
    /// Areas of those a bloc is at war with (4.1).
    #[inline]
    pub(crate) fn areas_of_enemies(&self, state: &State, bloc: Bloc) -> Areas {
        let [axis, western, soviet] = &state.held;
        let soviets_in = state.politics.ussr == Entry::AtWar;
        match (bloc.force(), bloc.nation()) {
            (Some(Force::Axis), _) if soviets_in => western.or(soviet),
            (Some(Force::Axis), _) => *western,
            (Some(Force::Western), _) => *axis,
            (Some(Force::Soviet), _) => {
                let attacked = self.areas_of(state, state.roster.attacked);
                if soviets_in { axis.or(&attacked) } else { attacked }
            }
            (None, Some(nation)) if state.politics.standing(nation) == Standing::Defending => *soviet,
            _ => Areas::EMPTY,
        }
    }
    /// Areas of a bloc (4.1).
    #[inline]
    pub(crate) fn areas_of_bloc(&self, state: &State, bloc: Bloc) -> Areas {
        match (bloc.force(), bloc.nation()) {
            (Some(force), _) => state.held[force.index()],
            // Only Italy has others with it while it stands apart.
            (None, Some(Nation::Italy)) => state.roster.italian_areas,
            (None, nation) => self.areas_of(state, nation.map_or(0, Nation::bit)),
        }
    }
    /// Areas controlled by nations of a mask.
    fn areas_of(&self, state: &State, nations: u32) -> Areas {
        if nations == 0 {
            return Areas::EMPTY;
        }
        let controlled = |&area: &Place| nations >> state.control[area.at()] & 1 != 0;
        self.tables.areas.all.iter().filter(controlled).collect()
    }
    /// Units a team commands, on the map or not.
    #[inline]
    pub(crate) fn units_of_team(&self, state: &State, team: Team) -> Units {
        let axis = &state.roster.forces[0];
        if team == Team::Axis { *axis } else { self.tables.units.all.difference(axis) }
    }
    /// Works out anew whose the areas are.
    fn count_areas(&self, state: &mut State) {
        let mut of_nation = [Areas::EMPTY; NATIONS];
        for area in self.tables.areas.all {
            of_nation[state.control[area.at()] as usize].insert(area);
        }
        let (mut held, mut italian, mut of_majors) = ([Areas::EMPTY; 3], Areas::EMPTY, Areas::EMPTY);
        for (nation, areas) in Nation::ALL.into_iter().zip(&of_nation) {
            let bloc = self.bloc(state, nation);
            if let Some(force) = bloc.force() {
                held[force.index()] = held[force.index()].or(areas);
            } else if bloc == Bloc::apart(Nation::Italy) {
                italian = italian.or(areas);
            }
            if nation.is_major() {
                of_majors = of_majors.or(areas);
            }
        }
        state.held = held;
        (state.roster.italian_areas, state.roster.of_majors) = (italian, of_majors);
    }

    /// A unit loses steps; returns whether it is eliminated. A leader lives on at zero steps and dies of a loss there (2.2,
    /// 5.6), which is told as one of no steps. The eliminated return to the pool, or are gone if they may not be built again.
    pub(crate) fn lose_steps(
        &self,
        state: &mut State,
        unit: UnitId,
        steps: u8,
        cause: LossCause,
        context: &mut impl Rolls,
    ) -> bool {
        if steps == 0 {
            return false;
        }
        let left = state.steps(unit);
        context.emit(|| Event::Loss { unit, steps: steps.min(left), cause });
        let dies = if self.kind(unit) == Kind::Leader { steps > left } else { steps >= left };
        if dies {
            self.eliminate(state, unit);
        } else {
            state.set_steps(unit, left - steps);
        }
        dies
    }
    /// A unit leaves the map: to the pool if it may be built again (2.2), else for good.
    pub(crate) fn eliminate(&self, state: &mut State, unit: UnitId) {
        let again = self.unit_type(unit).rebuildable;
        state.send(unit, if again { Place::POOL } else { Place::GONE });
    }
}
