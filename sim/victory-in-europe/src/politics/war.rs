//! Declarations of war by entering an area, and the units of neutrals, placed by whoever runs them (10.1, 10.2, 13).

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::VictoryInEurope;
use crate::nation::{Force, Nation};
use crate::phase::Pending;
use crate::place::{Place, UnitId};
use crate::rules::{Areas, Arm, Entry, Standing};
use crate::state::State;
use sandtable_core::Index;

/// What entering an area that is neutral to a unit amounts to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Casus {
    /// The rules forbid it.
    Closed,
    /// War on nobody: what the Pact leaves to the Soviets (13).
    Free,
    /// War on a minor (10.2).
    Minor,
    /// War on a neutral Italy.
    Italy,
    /// War between Germany and the USSR (13).
    Pact,
}

impl VictoryInEurope {
    fn casus(&self, state: &State, nation: Nation, area: Place) -> Casus {
        let politics = &state.politics;
        // A neutral Italy and its friends, the neutral USA, and neutrals that the Axis runs attack nobody (13).
        let Some(force) = self.bloc(state, nation).force() else { return Casus::Closed };
        if self.rules.areas[area.at()].safe {
            return Casus::Closed;
        }
        let owner = state.controller(area);
        let regions = &self.rules.regions;
        match (politics.standing(owner), force) {
            // reserved to the Soviets; a German entry is war with them.
            (Standing::Neutral, Force::Soviet) if owner == Nation::Sphere => Casus::Free,
            (Standing::Neutral, Force::Axis) if owner == Nation::Sphere => Casus::Pact,
            (Standing::Neutral, Force::Western) if owner == Nation::Sphere => Casus::Closed,
            (Standing::Neutral, Force::Soviet) if regions.bessarabia.contains(area) => Casus::Free,
            (Standing::Neutral, _) => Casus::Minor,
            (Standing::Defending, Force::Western) => Casus::Minor,
            (Standing::Axis, Force::Western | Force::Soviet) if self.bloc(state, owner).force().is_none() => {
                Casus::Italy
            }
            (Standing::Axis, Force::Soviet) | (Standing::Soviet, Force::Axis)
                if politics.ussr == Entry::Neutral
                    && area != self.rules.places.urals
                    && self.bloc(state, owner).force().is_some() =>
            {
                Casus::Pact
            }
            // The Soviets may occupy their half of Poland, where nobody stands (13).
            (Standing::Western, Force::Soviet)
                if owner == Nation::Poland
                    && regions.eastern_poland.contains(area)
                    && state.is_vacant(area) =>
            {
                Casus::Free
            }
            _ => Casus::Closed,
        }
    }

    /// Whether units of `nation` may enter (or attack in) an area that is neutral to them, which declares war on its
    /// controller, or on the major it belongs to; or, for the Soviets in what the Pact leaves them, on nobody. Says no where
    /// the rules forbid it: boxes at the edge of the map, the neutral USA, areas of Western Allies to Soviets and the reverse
    /// the Soviet sphere to the Western Allies, a neutral Italy to Germans, the Urals to the Axis,
    /// everything to units of a neutral Italy, of the neutral USA, and of neutrals run by the Axis.
    pub fn may_declare_war(&self, state: &State, nation: Nation, area: Place) -> bool {
        self.casus(state, nation, area) != Casus::Closed
    }

    /// Whether units of `nation` enter an area that is neutral to them without war on anybody: what the Pact leaves to the
    /// Soviets, which nobody defends (13).
    pub(crate) fn occupies_freely(&self, state: &State, nation: Nation, area: Place) -> bool {
        self.casus(state, nation, area) == Casus::Free
    }

    /// War is declared by entering an area (10.1): the status of countries and entries change, friendly areas are worked out anew, and the
    /// neutral's units come on the map. If somebody has a choice of where to place them, [`Pending::Neutral`] is left open
    /// with `active` naming him.
    ///
    /// After it the area is an enemy's, or, where no war was declared, as neutral as before: it is then simply taken.
    pub(crate) fn declare_war(
        &self,
        state: &mut State,
        nation: Nation,
        area: Place,
        context: &mut impl Rolls,
    ) {
        let owner = state.controller(area);
        let Some(by) = self.bloc(state, nation).force() else { return };
        match self.casus(state, nation, area) {
            Casus::Closed | Casus::Free => {}
            Casus::Minor => {
                context.emit(|| Event::War { by, on: owner });
                self.minor_attacked(state, owner, by, context);
            }
            Casus::Italy => {
                context.emit(|| Event::War { by, on: Nation::Italy });
                self.italy_enters(state, context);
                if by == Force::Soviet {
                    self.soviet_enters(state, context);
                }
            }
            Casus::Pact => {
                let on = if by == Force::Soviet { Nation::Germany } else { Nation::Ussr };
                context.emit(|| Event::War { by, on });
                state.politics.axis_attacked_ussr = by == Force::Axis;
                self.soviet_enters(state, context);
            }
        }
    }

    /// A minor is attacked: it joins whoever is at war with the attacker; attacked by the Soviets before the German
    /// war it fights alone, run by the Axis, which has a claim on it (10.2, R-88).
    fn minor_attacked(&self, state: &mut State, nation: Nation, by: Force, context: &mut impl Rolls) {
        match by {
            Force::Axis => self.join(state, nation, Force::Western, Nation::Britain, context),
            Force::Soviet if state.politics.ussr == Entry::Neutral => {
                self.set_stand(state, nation, Standing::Defending, Nation::Germany, context);
                state.politics.axis_claims |= nation.bit();
                self.renew_held(state);
                self.deploy(state, nation, Force::Axis, context);
            }
            Force::Western | Force::Soviet => self.join(state, nation, Force::Axis, Nation::Germany, context),
        }
    }

    // ---- units of neutrals ----

    /// A nation's units come on the map, placed by a force inside its territory (10.2): [`Pending::Neutral`] is left open
    /// while there is a choice. Vichy's forces have fixed places (13, R-50).
    pub(super) fn deploy(&self, state: &mut State, nation: Nation, by: Force, context: &mut impl Rolls) {
        if nation == Nation::Vichy {
            self.deploy_rest(state, nation, by, context);
            return;
        }
        let before = (state.pending, state.active);
        state.pending = Pending::Neutral { by: by as u8, nation: nation as u8 };
        state.active = by.bit();
        self.deploy_forced(state, nation, by, context);
        if state.pending == Pending::None {
            (state.pending, state.active) = before;
        }
    }

    /// Places units that have one place only; closes the pending decision when none is left to place.
    fn deploy_forced(&self, state: &mut State, nation: Nation, by: Force, context: &mut impl Rolls) {
        while let Some((unit, areas)) = self.next_to_deploy(state, nation, by) {
            let Some(area) = areas.first().filter(|_| areas.len() == 1) else { return };
            self.deploy_unit(state, unit, area, context);
        }
        state.pending = Pending::None;
        state.active = state.movers;
    }

    /// All units left go to their homes, or where there is room.
    fn deploy_rest(&self, state: &mut State, nation: Nation, by: Force, context: &mut impl Rolls) {
        while let Some((unit, areas)) = self.next_to_deploy(state, nation, by) {
            let home = self.rules.units[unit.at()].home.map(|(area, _)| area);
            let Some(area) = home.filter(|&area| areas.contains(area)).or(areas.first()) else { return };
            self.deploy_unit(state, unit, area, context);
        }
    }

    fn deploy_unit(&self, state: &mut State, unit: UnitId, area: Place, context: &mut impl Rolls) {
        let steps = self.rules.units[unit.at()].home.map_or(1, |(_, steps)| steps);
        let coast = self.mooring(state, unit, area).unwrap_or_default();
        state.put(unit, area, coast);
        state.set_steps(unit, steps);
        context.emit(|| Event::Built { unit, place: area, new: true });
    }

    /// The next unit of the nation to place, and where it may stand.
    fn next_to_deploy(&self, state: &State, nation: Nation, by: Force) -> Option<(UnitId, Areas)> {
        let reserves = self.tables.units.with_home.difference(&state.roster.on_map);
        reserves
            .iter()
            .filter(|&unit| state.location(unit) == Place::POOL && self.nation(state, unit) == nation)
            .map(|unit| (unit, self.deploy_areas(state, unit, nation, by)))
            .find(|(_, areas)| !areas.is_empty())
    }

    /// Areas of the nation with room for the unit and without strangers.
    fn deploy_areas(&self, state: &State, unit: UnitId, nation: Nation, by: Force) -> Areas {
        self.lands(state, nation)
            .iter()
            .filter(|&area| {
                state.stack(area).all(|other| self.force(state, other) == Some(by))
                    && self.mooring(state, unit, area).is_some()
            })
            .collect()
    }

    /// Areas a nation controls.
    pub(crate) fn lands(&self, state: &State, nation: Nation) -> Areas {
        self.tables.areas.all.iter().filter(|&area| state.controller(area) == nation).collect()
    }

    /// The coast on which one more unit like this one has room in an area, a ship in port: 0 for all but ships; `None` = no
    /// room (4.5, 7.11).
    pub(crate) fn mooring(&self, state: &State, unit: UnitId, area: Place) -> Option<u8> {
        let ship = self.arm(unit) == Arm::Naval;
        let coasts = if ship { 1..=crate::game::COASTS as u8 } else { 0..=0 };
        coasts
            .filter(|&coast| !ship || self.has_port(area, coast))
            .find(|&coast| self.has_room(state, unit, area, coast))
    }

    /// Who places a neutral's units may send the next one to any area of the country, or (passing) all that are left to
    /// their homes.
    pub(crate) fn neutral_actions(&self, state: &State, out: &mut Vec<Action>) {
        let Pending::Neutral { by, nation } = state.pending else { return };
        let (by, nation) = (Force::ALL[by as usize], Nation::of(nation));
        if let Some((unit, areas)) = self.next_to_deploy(state, nation, by) {
            out.push(Action::Pass);
            out.extend(areas.iter().map(|area| Action::Deploy(unit, area)));
        }
    }

    /// Places a neutral's unit; when all stand, nothing is pending and the movers decide again.
    pub(crate) fn neutral_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Pending::Neutral { by, nation } = state.pending else { return };
        let (by, nation) = (Force::ALL[by as usize], Nation::of(nation));
        match action {
            Action::Deploy(unit, area) => self.deploy_unit(state, unit, area, context),
            _ => self.deploy_rest(state, nation, by, context),
        }
        self.deploy_forced(state, nation, by, context);
    }
}
