//! Who is at war, who is neutral, who has fallen (10.1, 10.2, 10.4, 13): the status of countries and entries. Declarations of war and
//! the units of neutrals are in `war`, surrenders in `fall`.

mod fall;
mod war;

use crate::Rolls;
use crate::event::Event;
use crate::game::VictoryInEurope;
use crate::nation::{Force, Nation, Team};
use crate::phase::Phase;
use crate::place::{Place, UnitId};
use crate::rules::{Arm, Entry, Standing};
use crate::state::State;

impl VictoryInEurope {
    /// A nation stands differently, or fights for another major.
    fn set_stand(
        &self,
        state: &mut State,
        nation: Nation,
        standing: Standing,
        patron: Nation,
        context: &mut impl Rolls,
    ) {
        state.politics.set_standing(nation, standing);
        state.politics.set_patron(nation, patron);
        self.enlist(state);
        context.emit(|| Event::Standing { nation, standing });
    }

    /// A nation joins a force (10.3, R-44): standing, patron, areas. A neutral's units are placed by the force it joins:
    /// [`crate::phase::Pending::Neutral`] is left open if there is a choice; a nation whose units fight already keeps them
    /// where they are. Italy and the USA enter the war (13).
    pub(crate) fn join(
        &self,
        state: &mut State,
        nation: Nation,
        force: Force,
        patron: Nation,
        context: &mut impl Rolls,
    ) {
        match nation {
            Nation::Italy => return self.italy_enters(state, context),
            Nation::Usa => return self.usa_enters(state, context),
            _ => {}
        }
        let fresh = state.politics.standing(nation) == Standing::Neutral;
        self.set_stand(state, nation, Standing::with(force), patron, context);
        state.politics.axis_claims &= !nation.bit();
        state.politics.allied_claims &= !nation.bit();
        if nation == Nation::Vichy {
            self.part_vichy(state, force.team().other(), context);
        }
        self.renew_held(state);
        if fresh {
            self.deploy(state, nation, force, context);
        }
    }

    /// Italy enters the war on the side of the Axis, and with it the allies it has won (13, R-46).
    pub(crate) fn italy_enters(&self, state: &mut State, context: &mut impl Rolls) {
        state.politics.italy = Entry::AtWar;
        context.emit(|| Event::Standing { nation: Nation::Italy, standing: Standing::Axis });
        self.renew_held(state);
    }

    /// The USA enters the war (13). Diplomatic rolls end with it (10.3).
    pub(crate) fn usa_enters(&self, state: &mut State, context: &mut impl Rolls) {
        state.politics.usa = Entry::AtWar;
        context.emit(|| Event::Standing { nation: Nation::Usa, standing: Standing::Western });
        self.renew_held(state);
    }

    /// Germany and the USSR are at war (13). What the Pact reserved to the Soviets and is still empty is theirs now, and
    /// neutrals they attacked are allies of the Axis.
    pub(crate) fn soviet_enters(&self, state: &mut State, context: &mut impl Rolls) {
        if state.politics.ussr == Entry::AtWar {
            return;
        }
        state.politics.ussr = Entry::AtWar;
        state.politics.soviet_entry = state.turn;
        context.emit(|| Event::Standing { nation: Nation::Ussr, standing: Standing::Soviet });
        if state.politics.standing(Nation::Sphere) == Standing::Neutral {
            self.set_stand(state, Nation::Sphere, Standing::Soviet, Nation::Ussr, context);
        }
        for nation in Nation::ALL {
            if state.politics.standing(nation) == Standing::Defending {
                self.join(state, nation, Force::Axis, Nation::Germany, context);
            }
        }
        self.renew_held(state);
        self.part_fleets(state);
    }

    /// War breaks out between ships in the same sea zone: a battle is due there, at no cost in command (10.1). Outside the
    /// Movement Phase they wait for the next one.
    fn part_fleets(&self, state: &mut State) {
        if state.phase != Phase::Movement {
            return;
        }
        for zone in 0..self.rules.seas.len() as u8 {
            let ships = |team| {
                self.units_at(state, Place::sea(zone), team).any(|unit| {
                    self.arm(unit) == Arm::Naval && (team == Team::Axis || self.is_soviet(state, unit))
                })
            };
            if ships(Team::Axis) && ships(Team::Allies) && state.disputed_seas() & 1 << zone == 0 {
                state.sea_attacked[state.mover.index()] |= 1 << zone;
            }
        }
    }

    fn is_soviet(&self, state: &State, unit: UnitId) -> bool {
        self.force(state, unit) == Some(Force::Soviet)
    }

    /// Politics of the calendar, when a turn begins: units still in Vichy France, mobilisation and entry of the USA
    /// (13).
    pub(crate) fn open_politics(&self, state: &mut State, context: &mut impl Rolls) {
        self.end_evacuation(state, context);
        let setup = &self.rules.setup;
        if !state.politics.usa_mobilised && state.turn >= setup.mobilisation_turn {
            self.mobilise(state, context);
        }
        if state.politics.usa == Entry::Neutral && state.turn >= setup.usa_entry_turn {
            self.usa_enters(state, context);
        }
    }

    /// The USA mobilises: its first units and factory steps appear at home (13).
    fn mobilise(&self, state: &mut State, context: &mut impl Rolls) {
        state.politics.usa_mobilised = true;
        let home = self.rules.places.usa;
        for &(unit, steps) in &self.rules.setup.mobilisation {
            if !state.is_on_map(unit) {
                let coast = u8::from(self.arm(unit) == Arm::Naval);
                state.put(unit, home, coast);
                state.set_steps(unit, steps);
                context.emit(|| Event::Built { unit, place: home, new: true });
            }
        }
        let steps = state.factory(home).max(self.rules.setup.mobilisation_factory);
        state.set_factory(home, steps);
    }
}
