//! A competent player of all three forces: one decision at a time, by what each choice is expected to bring.
//!
//! ```text
//! strategy               whom to attack when, whom to court
//! assessment             strength, threats, supply, where troops are drawn
//! orders                 the movement of a turn:
//!   offensive              which battle to open or reinforce with whom
//!   landing, raid          landings and jumps, raids on factories
//!   march                  marches and Strategic Movement
//! scripted               one decision at a time:
//!   destination            where aircraft, ships and armies without orders go
//!   combat                 targets, retreats
//!   production             what gives most power where it is needed
//! pursuit                regrouping and exploitation after a victory
//! odds                   what a battle is expected to bring
//! ```

mod combat;
mod destination;
mod production;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use sandtable_core::{Dice, Index, Rng64, Side};
use sandtable_victory_in_europe::rules::{Colour, Target};
use sandtable_victory_in_europe::{
    Action, Force, Nation, Pending, Phase, Place, State, UnitId, VictoryInEurope,
};

use super::assessment::{Assessment, area_of, fire};
use super::map_tables::MapTables;
use super::odds::two_dice;
use super::orders::{Orders, Situation};
use super::plans::objectives;
use super::strategy;
use super::weights::Weights;
use sandtable_ai::policy::{Policy, best_action};

/// How much better an airfield must be for aircraft to move there.
const REBASE: f32 = 0.3;

/// The player. Owns its assessment of the position and the orders of the movement at hand.
#[derive(Debug)]
pub(super) struct Scripted {
    map_tables: Arc<MapTables>,
    assessment: Assessment,
    orders: Orders,
    operation: Option<(Side, u16)>,
}

impl Scripted {
    /// A player of these weights, by force.
    pub fn new(map_tables: Arc<MapTables>, weights: &[Weights; 3]) -> Scripted {
        Scripted { map_tables, assessment: Assessment::new(weights), orders: Orders::new(), operation: None }
    }

    /// The action of most worth; nothing if the list is empty or does not fit the decision.
    fn choose(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Option<Action> {
        let force = game.decider(state);
        self.assessment.objective = Force::ALL.map(|force| {
            let operation = self.operation.filter(|(side, _)| *side == game.side_of(force));
            operation.map(|(_, area)| Place::nth(usize::from(area)))
        });
        match state.phase {
            Phase::Cards => cards(game, state, legal),
            Phase::Movement => self.movement(game, state, force, legal, rng),
            Phase::Pinning => best_action(legal, |action| match action {
                Action::Pin(unit) => -firepower(game, state, unit),
                _ => 0.0,
            }),
            Phase::NamingBattles => {
                self.assessment.refresh(game, &self.map_tables, state, force);
                best_action(legal, |action| match action {
                    // An event is not thrown at a raid.
                    Action::Name(place) if place.is_area() => {
                        let armies = game.has_army(state, place, force.team());
                        self.assessment.worth[place.at()] * if armies { 1.0 } else { 0.1 }
                    }
                    Action::Name(_) => 1.0,
                    _ => 0.0,
                })
            }
            Phase::Combat => self.combat(game, state, force, legal),
            Phase::Landing => {
                self.assessment.refresh(game, &self.map_tables, state, force);
                let Pending::Land(unit) = state.pending else { return None };
                let own = game.force(state, unit).unwrap_or(force);
                best_action(legal, |action| match action {
                    Action::Retreat(area, _) => self.airfield(game, own, area),
                    _ => area_of(state, unit).map_or(-1.0, |area| self.airfield(game, own, area)),
                })
            }
            Phase::Diplomacy => diplomacy(game, state, force, legal),
            Phase::Production => {
                self.assessment.refresh(game, &self.map_tables, state, force);
                best_action(legal, |action| self.production(game, state, action))
            }
            Phase::Deployment => legal.first().copied(),
            Phase::Supply | Phase::Over => None,
        }
    }

    // ---- movement ----

    fn movement(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Option<Action> {
        match state.pending {
            Pending::None => {
                self.assessment.refresh(game, &self.map_tables, state, force);
                let situation = Situation {
                    game,
                    map_tables: &self.map_tables,
                    assessment: &self.assessment,
                    state,
                    legal,
                };
                self.orders.next(&situation, rng)
            }
            Pending::Destination(unit) | Pending::March(unit) => {
                if let Some(action) = self.orders.step(game, &self.map_tables, state, unit, legal) {
                    return Some(action);
                }
                self.assessment.refresh(game, &self.map_tables, state, force);
                let own = game.force(state, unit).unwrap_or(force);
                let here = state.location(unit);
                best_action(legal, |action| self.destination(game, state, own, unit, here, action))
            }
            Pending::Invasion(_) => {
                if let Some(action) = self.orders.board(state, legal) {
                    return Some(action);
                }
                self.assessment.refresh(game, &self.map_tables, state, force);
                best_action(legal, |action| match action {
                    Action::Join(unit) => self.boarding(game, state, unit),
                    _ => 0.0,
                })
            }
            Pending::Excess(_) => weakest(game, state, legal),
            // All to their homes: the first of the list.
            Pending::Neutral { .. } => legal.first().copied(),
            _ => None,
        }
    }
}

/// Strong cards for spring and summer, weak ones for winter, what is left for autumn.
fn cards(game: &VictoryInEurope, state: &State, legal: &[Action]) -> Option<Action> {
    let quarter = game.calendar(state).quarter;
    best_action(legal, |action| match action {
        Action::Card(card) => {
            let command = game.rules.cards.get(card as usize).map_or(0.0, |card| f32::from(card.command));
            if quarter == 1 { -command } else { command }
        }
        _ => -100.0,
    })
}

/// The roll of most promise.
fn diplomacy(game: &VictoryInEurope, state: &State, force: Force, legal: &[Action]) -> Option<Action> {
    let laid = state.cards.laid.into_iter().enumerate().find_map(|(at, card)| {
        let of_team = Force::ALL[at].team() == force.team();
        game.rules.cards.get(card as usize).filter(|_| of_team)
    });
    let roller = match laid.map(|card| card.colour) {
        Some(Colour::Italian) => Nation::Italy,
        Some(Colour::Soviet) => Nation::Ussr,
        Some(Colour::Allied) => Nation::Britain,
        Some(Colour::German) => Nation::Germany,
        None if force == Force::Axis => Nation::Germany,
        None => Nation::Britain,
    };
    let by = state.politics.standing(roller).force().unwrap_or(force);
    best_action(legal, |action| match action {
        Action::Roll(nation) => {
            let nation = Nation::of(nation);
            let needed = i32::from(game.resistance(state, by, nation));
            let bonus = i32::from(game.roll_bonus(state, roller, nation));
            0.01 + two_dice(needed - bonus) * strategy::ally(by, nation)
        }
        // It would be war with Germany.
        Action::AllyPoland => -1.0,
        _ => 0.0,
    })
}

/// Power of a unit of one's own.
fn firepower(game: &VictoryInEurope, state: &State, unit: UnitId) -> f32 {
    let fire = fire(game, unit, Target::Army).max(fire(game, unit, Target::Surface));
    f32::from(state.steps(unit)) * f32::from(fire)
}

/// The unit whose step is dearest to keep is spared.
fn weakest(game: &VictoryInEurope, state: &State, legal: &[Action]) -> Option<Action> {
    best_action(legal, |action| match action {
        Action::Take(unit) => {
            let sheet = game.unit_type(unit);
            -f32::from(sheet.cost) - 0.5 * f32::from(sheet.fire) - 0.01 * f32::from(state.steps(unit))
        }
        _ => -100.0,
    })
}

impl Policy<VictoryInEurope> for Scripted {
    fn pick(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        _: Side,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Action {
        let chosen = self.choose(game, state, legal, rng).filter(|action| legal.contains(action));
        chosen.unwrap_or_else(|| legal[rng.below(legal.len() as u32) as usize])
    }

    fn objectives(&self, game: &VictoryInEurope, state: &State, side: Side, out: &mut Vec<u16>) {
        objectives(&self.map_tables, game, state, side, out);
    }

    fn set_operation(&mut self, operation: Option<(Side, u16)>) {
        self.operation = operation;
    }

    fn begin_line(&mut self) {
        self.orders.forget();
        self.assessment.forget();
    }
}
