//! Nations that fall: France and Vichy, Italy, Poland, minors whose capital is lost (10.2, 10.4, 13).

use crate::Rolls;
use crate::event::{Event, LossCause};
use crate::game::VictoryInEurope;
use crate::nation::{Force, Nation, Team};
use crate::place::Place;
use crate::rules::{Areas, Arm, Entry, Kind, Standing};
use crate::state::State;
use sandtable_core::Index;

impl VictoryInEurope {
    /// What the end of the Supply Phase brings (10.4, 13, R-76): the fall of France, the entry of Italy upon the capture of a
    /// capital, the surrender of Italy.
    pub(crate) fn political_checks(&self, state: &mut State, context: &mut impl Rolls) {
        let places = &self.rules.places;
        let axis = state.held_by(Team::Axis);
        if state.politics.standing(Nation::France) == Standing::Western && axis.contains(places.paris) {
            self.fall_of_france(state, context);
        }
        if state.politics.italy == Entry::Neutral
            && [places.london, places.paris, places.moscow].into_iter().any(|area| axis.contains(area))
        {
            self.italy_enters(state, context);
        }
        let allies = state.held_by(Team::Allies);
        let libya_lost = self.rules.regions.libya.difference(&allies).is_empty();
        if state.politics.italy == Entry::AtWar
            && (allies.contains(places.rome) || libya_lost && allies.intersects(self.adjacent(places.rome)))
        {
            self.surrender_of_italy(state, context);
        }
    }

    /// Surrenders of minors at the start of the Diplomacy Phase, Player 1's conquests first (10.2, R-76).
    pub(crate) fn surrenders(&self, state: &mut State, context: &mut impl Rolls) {
        for victors in [state.first, state.second()] {
            for nation in Nation::ALL.into_iter().filter(|nation| !nation.is_major()) {
                if let Some(victor) = self.conqueror(state, nation)
                    && self.team_of(state, victor) == Some(victors)
                {
                    self.surrender_of_minor(state, nation, victor, context);
                }
            }
        }
        // The Allied conquest of Paris ends a Vichy that is not the Axis's (13).
        let paris = state.controller(self.rules.places.paris);
        if state.politics.standing(Nation::Vichy) == Standing::Neutral
            && state.politics.standing(paris) == Standing::Western
        {
            self.surrender_of_minor(state, Nation::Vichy, state.politics.patron(paris), context);
        }
    }

    /// Who holds the capital of a minor he is at war with: a major, or a neutral that fights for itself alone.
    fn conqueror(&self, state: &State, nation: Nation) -> Option<Nation> {
        let capital = self.rules.capitals[nation.index()]?;
        let holder = state.controller(capital);
        let (own, its) = (self.bloc(state, nation), self.bloc(state, holder));
        (own != its && self.at_war(state, own, its)).then(|| self.principal(state, holder))
    }

    fn surrender_of_minor(
        &self,
        state: &mut State,
        nation: Nation,
        victor: Nation,
        context: &mut impl Rolls,
    ) {
        let lands = self.lands(state, nation);
        self.dismiss(state, nation, context);
        self.set_stand(state, nation, Standing::Gone, victor, context);
        state.politics.axis_claims &= !nation.bit();
        state.politics.allied_claims &= !nation.bit();
        for area in lands {
            let reserved = nation == Nation::Poland
                && self.rules.regions.eastern_poland.contains(area)
                && state.politics.standing(victor) == Standing::Axis
                && state.politics.standing(Nation::Sphere) == Standing::Neutral;
            // what the Pact reserves to the Soviets stays theirs to take.
            let heir = if reserved { Nation::Sphere } else { victor };
            self.succeed(state, area, heir, context);
        }
        self.renew_held(state);
    }

    /// An area of a fallen nation passes to its heir, or to whoever has units in it.
    fn succeed(&self, state: &mut State, area: Place, heir: Nation, context: &mut impl Rolls) {
        let occupant = state
            .stack(area)
            .find(|&unit| self.force(state, unit).is_some())
            .map(|unit| self.principal(state, self.nation(state, unit)));
        // An occupant on the side of the heir leaves the area to him.
        let by =
            occupant.filter(|&occupant| self.bloc(state, occupant) != self.bloc(state, heir)).unwrap_or(heir);
        self.give_area(state, area, by);
        state.captured.insert(area);
        context.emit(|| Event::Taken { area, by });
    }

    /// The units of a nation leave the game, but for those that join the pool of another (10.2, 11.42). A convoy of theirs
    /// sails on for the heir, a step weaker (7.72).
    fn dismiss(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        for unit in self.unit_ids() {
            if self.nation(state, unit) != nation {
                continue;
            }
            let heir = self.rules.units[unit.at()].free_for.filter(|&heir| heir != nation);
            let on_map = state.is_on_map(unit);
            if on_map && heir.is_some() && self.kind(unit) == Kind::Convoy {
                self.lose_steps(state, unit, self.rules.charts.exile_cost, LossCause::Surrender, context);
                continue;
            }
            if on_map {
                let steps = state.steps(unit);
                context.emit(|| Event::Loss { unit, steps, cause: LossCause::Surrender });
            }
            state.send(unit, if heir.is_some() { Place::POOL } else { Place::GONE });
        }
    }

    /// Factories of a fallen major leave the game.
    fn dismantle(&self, state: &mut State, areas: &Areas, context: &mut impl Rolls) {
        for area in areas {
            let steps = state.factory(area);
            if steps > 0 {
                context.emit(|| Event::FactoryLoss { area, steps });
                state.set_factory(area, 0);
            }
        }
    }

    /// Friends of a fallen major fight on for another.
    fn change_patron(&self, state: &mut State, from: Nation, to: Nation) {
        for nation in Nation::ALL {
            if nation != from && state.politics.patron(nation) == from {
                state.politics.set_patron(nation, to);
            }
        }
    }

    /// France falls (13, R-51): its units and factories leave the game, Germany has what is not Vichy's and not occupied,
    /// and Vichy France is a neutral minor, whoever stands in it.
    fn fall_of_france(&self, state: &mut State, context: &mut impl Rolls) {
        let lands = self.lands(state, Nation::France);
        let vichy = self.rules.regions.vichy;
        self.dismantle(state, &lands, context);
        self.dismiss(state, Nation::France, context);
        self.set_stand(state, Nation::France, Standing::Gone, Nation::Germany, context);
        self.change_patron(state, Nation::France, Nation::Britain);
        state.politics.french_fall = state.turn;
        self.set_stand(state, Nation::Vichy, Standing::Neutral, Nation::Vichy, context);
        for area in vichy {
            self.give_area(state, area, Nation::Vichy);
            context.emit(|| Event::Taken { area, by: Nation::Vichy });
        }
        let france = *self.country(Nation::France);
        for area in lands.difference(&vichy) {
            let heir = if france.contains(area) { Nation::Germany } else { Nation::Britain };
            self.succeed(state, area, heir, context);
        }
        self.renew_held(state);
    }

    /// Units in Vichy areas must have left by the end of the turn after the fall of France: those of the Allies attack it,
    /// those of the Axis drive it to the Allies.
    pub(super) fn end_evacuation(&self, state: &mut State, context: &mut impl Rolls) {
        let fall = state.politics.french_fall;
        let deadline = fall + self.rules.charts.evacuation_turns;
        if fall == 0 || state.turn != deadline || state.politics.standing(Nation::Vichy) != Standing::Neutral
        {
            return;
        }
        let lands = self.lands(state, Nation::Vichy);
        let intrudes = |team| lands.iter().any(|area| self.is_present(state, area, team));
        let intruders = match () {
            () if intrudes(Team::Allies) => Team::Allies,
            () if intrudes(Team::Axis) => Team::Axis,
            () => return,
        };
        let by = if intruders == Team::Axis { Force::Axis } else { Force::Western };
        context.emit(|| Event::War { by, on: Nation::Vichy });
        match intruders {
            Team::Axis => self.join(state, Nation::Vichy, Force::Western, Nation::Britain, context),
            Team::Allies => self.join(state, Nation::Vichy, Force::Axis, Nation::Germany, context),
        }
    }

    /// Vichy joins a side while units of the other stand in it: an army holds its area, ships and aircraft without one are
    /// interned.
    pub(super) fn part_vichy(&self, state: &mut State, intruders: Team, context: &mut impl Rolls) {
        for area in self.lands(state, Nation::Vichy) {
            let army = self.units_at(state, area, intruders).find(|&unit| self.arm(unit) == Arm::Army);
            if let Some(army) = army {
                let by = state.politics.patron(self.nation(state, army));
                self.give_area(state, area, by);
                context.emit(|| Event::Taken { area, by });
                continue;
            }
            let next = |state: &State| self.units_at(state, area, intruders).next();
            while let Some(unit) = next(state) {
                let steps = state.steps(unit);
                context.emit(|| Event::Loss { unit, steps, cause: LossCause::Surrender });
                self.eliminate(state, unit);
            }
        }
    }

    /// Italy surrenders (13): its units and factories leave the game, the Allies have every Italian area the Axis does not
    /// occupy. Its friends fight on for Germany.
    fn surrender_of_italy(&self, state: &mut State, context: &mut impl Rolls) {
        let lands = self.lands(state, Nation::Italy);
        let rome = state.politics.patron(state.controller(self.rules.places.rome));
        let victor = if state.politics.standing(rome) == Standing::Western { rome } else { Nation::Britain };
        self.dismantle(state, &lands, context);
        self.dismiss(state, Nation::Italy, context);
        self.set_stand(state, Nation::Italy, Standing::Gone, victor, context);
        state.politics.italy = Entry::Surrendered;
        self.change_patron(state, Nation::Italy, Nation::Germany);
        for area in lands {
            self.succeed(state, area, victor, context);
        }
        self.renew_held(state);
    }
}
