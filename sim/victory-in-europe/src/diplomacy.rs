//! 5. Diplomacy: surrender of minors, rolls for neutrals, the Soviet alliance with Poland (10).

use sandtable_core::Board;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause};
use crate::game::VictoryInEurope;
use crate::nation::{Force, Nation, Team};
use crate::phase::Pending;
use crate::place::Place;
use crate::rules::{Areas, Arm, Colour, Entry, Standing};
use crate::state::State;

impl VictoryInEurope {
    /// The Diplomacy Phase of a player begins, Player 1's with the surrenders of minors (10.2, R-76).
    pub(crate) fn diplomacy_begins(&self, state: &mut State, context: &mut impl Rolls) {
        state.politics.rolled = false;
        if state.mover != state.first {
            return;
        }
        if !self.rules.options.attacked_stays_neutral {
            for nation in Nation::ALL {
                if state.politics.standing(nation) == Standing::Defending {
                    self.join(state, nation, Force::Axis, Nation::Germany, context);
                }
            }
        }
        self.surrenders(state, context);
    }

    /// The major that makes the movers' roll, by the colour of their card (3.31, 10.5); without a card the first of them.
    /// `None` = the card is the partner's of a three-player game.
    pub(crate) fn roller(&self, state: &State) -> Option<Nation> {
        let colour = match self.open_card(state, state.mover) {
            Some(card) => card.colour,
            None if state.mover == Team::Axis => Colour::German,
            None => Colour::Allied,
        };
        let nation = match colour {
            Colour::German => Nation::Germany,
            Colour::Italian if state.politics.italy == Entry::Surrendered => Nation::Germany,
            Colour::Italian => Nation::Italy,
            Colour::Allied => Nation::Britain,
            Colour::Soviet => Nation::Ussr,
        };
        (state.movers & colour.force().bit() != 0).then_some(nation)
    }

    /// The number a force must reach to win a nation over; 0 = it may not roll for it (10.3).
    pub fn resistance(&self, state: &State, force: Force, nation: Nation) -> u8 {
        let politics = &state.politics;
        let printed = self.rules.resistance[nation.index()][force.index()];
        match (nation, politics.standing(nation)) {
            (Nation::Italy, Standing::Axis) if politics.italy == Entry::Neutral => printed,
            (Nation::Usa, Standing::Western) if politics.usa == Entry::Neutral && printed > 0 => {
                let (needed, first, last) = self.rules.setup.usa_roll;
                if (first..=last).contains(&state.turn) { needed } else { 0 }
            }
            (Nation::Romania, Standing::Neutral | Standing::Defending)
                if force == Force::Axis
                    && !self.rules.regions.bessarabia.and(&state.held[Force::Soviet.index()]).is_empty() =>
            {
                self.rules.charts.romania_bessarabia
            }
            (_, Standing::Neutral) => printed,
            // The Soviets do not court whom they fight.
            (_, Standing::Defending) if force != Force::Soviet => printed,
            _ => 0,
        }
    }

    /// What is added to a roll for a nation (10.3, 10.2, 13, and the event of the card).
    pub fn roll_bonus(&self, state: &State, roller: Nation, nation: Nation) -> u8 {
        let charts = &self.rules.charts;
        let politics = &state.politics;
        let Some(force) = politics.standing(roller).force() else { return 0 };
        let team = force.team();
        let mut bonus = self.event_diplomacy(state, force, nation);
        if self.is_near(state, roller, nation) {
            bonus += charts.proximity;
        }
        if state.mover != state.first && politics.refused == nation as u8 {
            bonus += charts.refusal;
        }
        if politics.claims(team) & nation.bit() != 0 {
            bonus += charts.attacked;
        }
        if team == Team::Axis && nation == Nation::Spain && politics.portugal_joined {
            bonus += charts.spain_portugal;
        }
        bonus
    }

    /// Whether a nation touches an area or a sea that is friendly to the roller (10.3). Seas are friendly to who has ships
    /// in them (7.1).
    fn is_near(&self, state: &State, roller: Nation, nation: Nation) -> bool {
        let lands = self.lands(state, nation);
        // Italy itself is won for Germany, whatever the colour of the card.
        let roller = if nation == Nation::Italy { Nation::Germany } else { roller };
        let own = self.bloc(state, roller);
        let near = self.tables.land.flight.neighbours_of(&lands).difference(&lands);
        near.iter().any(|area| self.bloc(state, state.controller(area)) == own)
            || self.coast_of(&lands).any(|zone| {
                state
                    .stack(Place::sea(zone))
                    .any(|unit| self.arm(unit) == Arm::Naval && self.bloc_of(state, unit) == own)
            })
    }

    /// Sea zones that touch an area of a set.
    fn coast_of(&self, areas: &Areas) -> impl Iterator<Item = u8> {
        let mut seas = areas.iter().fold(0, |seas, area| seas | self.coast_seas(area, 0));
        std::iter::from_fn(move || {
            (seas != 0).then(|| {
                let zone = seas.trailing_zeros() as u8;
                seas &= seas - 1;
                zone
            })
        })
    }

    /// Whether the Soviets may ally with Poland (13): from the second year of the calendar on, while it is unconquered and
    /// no other Western unit stands in its areas.
    fn may_ally_poland(&self, state: &State) -> bool {
        let guest = |unit| {
            self.nation(state, unit) != Nation::Poland && self.force(state, unit) == Some(Force::Western)
        };
        state.movers & Force::Soviet.bit() != 0
            && state.politics.standing(Nation::Poland) == Standing::Western
            && self.calendar(state).year > self.rules.calendar[0].year
            && !self.lands(state, Nation::Poland).iter().any(|area| state.stack(area).any(guest))
    }

    pub(crate) fn diplomacy_actions(&self, state: &State, out: &mut Vec<Action>) {
        if let Pending::Neutral { .. } = state.pending {
            return self.neutral_actions(state, out);
        }
        let start = out.len();
        // All rolls end when the USA enters the war (10.3).
        if !state.politics.rolled
            && state.politics.usa == Entry::Neutral
            && let Some(force) = self.roller(state).and_then(|roller| state.politics.standing(roller).force())
        {
            out.extend(
                Nation::ALL
                    .into_iter()
                    .filter(|&nation| self.resistance(state, force, nation) > 0)
                    .map(|nation| Action::Roll(nation as u8)),
            );
        }
        if self.may_ally_poland(state) {
            out.push(Action::AllyPoland);
        }
        if out.len() > start {
            out.insert(start, Action::Pass);
        }
    }

    pub(crate) fn diplomacy_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match action {
            _ if matches!(state.pending, Pending::Neutral { .. }) => {
                self.neutral_apply(state, action, context);
            }
            Action::Roll(nation) => self.roll_for(state, Nation::of(nation), context),
            Action::AllyPoland => self.ally_poland(state, context),
            _ => self.end_phase(state, context),
        }
    }

    /// A diplomatic roll (10.3).
    fn roll_for(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        state.politics.rolled = true;
        let Some(roller) = self.roller(state) else { return };
        let Some(force) = state.politics.standing(roller).force() else { return };
        let needed = self.resistance(state, force, nation);
        let bonus = self.roll_bonus(state, roller, nation);
        let dice = (context.die(6) + context.die(6)) as u8;
        context.emit(|| Event::Roll { force, nation, dice, bonus, needed });
        if dice + bonus >= needed {
            if nation == Nation::Portugal && force == Force::Western {
                state.politics.portugal_joined = true;
            }
            self.join(state, nation, force, roller, context);
        } else if state.mover == state.first {
            state.politics.refused = nation as u8;
        }
    }

    /// The Soviets ally with Poland (13, R-75): its units and areas are theirs, and Germany is at war with them. Polish units
    /// abroad, among Western Allies, return to the pool.
    fn ally_poland(&self, state: &mut State, context: &mut impl Rolls) {
        let western = state.held[Force::Western.index()].difference(&self.lands(state, Nation::Poland));
        for unit in self.tables.units.of_nation[Nation::Poland.index()] {
            let place = state.location(unit);
            if place.is_area() && western.contains(place) {
                let steps = state.steps(unit);
                context.emit(|| Event::Loss { unit, steps, cause: LossCause::Surrender });
                self.eliminate(state, unit);
            }
        }
        self.join(state, Nation::Poland, Force::Soviet, Nation::Ussr, context);
        if state.politics.ussr == Entry::Neutral {
            context.emit(|| Event::War { by: Force::Soviet, on: Nation::Germany });
            self.soviet_enters(state, context);
        }
    }
}
