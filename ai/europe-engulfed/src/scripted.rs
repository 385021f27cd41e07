//! A competent player of every side: one decision at a time, by what each choice is expected to bring.
//!
//! ```text
//! survey        strength, threats, where troops are drawn
//! orders        the movement of a phase: attacks, marches, air support
//! scripted      one decision at a time:
//!   combat        which battle in which mode, the responses inside it
//!   breakthrough  what Special Actions are spent on in the Breakthrough Phases
//!   production    what gives most for its price where it is needed
//!   politics      declarations of war, the armistice, the raids of the strategic war
//!   naval         invasions and what meets them at sea
//! battle        what a battle is expected to bring
//! ```

mod breakthrough;
mod combat;
mod naval;
mod politics;
mod production;

use std::sync::Arc;

use sandtable_core::{Index, Rng64, Side};
use sandtable_europe_engulfed::ids::Area;
use sandtable_europe_engulfed::phase::{Sailing, Stage};
use sandtable_europe_engulfed::{Action, EuropeEngulfed, Pending, Phase, State, Team};

use sandtable_ai::policy::{Policy, best_action, pick_legal};

use politics::{declaration, raid};

use super::battle::Army;
use super::map_tables::MapTables;
use super::orders::{Orders, Outlook};
use super::survey::{Survey, may_leave_poland};
use super::weights::{AllWeights, Weights, of_team};

/// Share of the pull of an area behind the front that counts for who goes there by rail or sea.
const BEHIND: f32 = 0.8;

/// What orders were made for: turn, team, phase, the area that a breakthrough moves into.
type Moment = (u8, Team, Phase, Area);

/// The player. Owns its survey of the position and the orders of the movement at hand.
#[derive(Debug)]
pub(super) struct Scripted {
    map: Arc<MapTables>,
    weights: AllWeights,
    survey: Survey,
    orders: Orders,
    moment: Option<Moment>,
}

impl Scripted {
    /// A player of these weights.
    pub fn new(map: Arc<MapTables>, weights: AllWeights) -> Scripted {
        let orders = Orders::new(map.clone());
        Scripted { map, weights, survey: Survey::new(), orders, moment: None }
    }

    /// The action of most worth; nothing if it knows none for the decision.
    fn choose(
        &mut self,
        game: &EuropeEngulfed,
        state: &State,
        side: Side,
        legal: &[Action],
    ) -> Option<Action> {
        let team = game.rules.setup.players[side.index()].team;
        let weights = of_team(game, &self.weights, team);
        if state.battle.stage != Stage::None {
            return self.in_battle(game, state, team, &weights, legal);
        }
        if state.crossing.stage != Sailing::None {
            return self.at_sea(game, state, team, &weights, legal);
        }
        match state.phase {
            Phase::StrategicWar => raid(legal),
            Phase::Declarations => best_action(legal, |action| declaration(game, state, action)),
            Phase::Armistice => Some(Action::Agree),
            Phase::Deployment | Phase::Reinforcement | Phase::Mobilization => {
                self.look(game, state, team, &weights);
                best_action(legal, |action| match action {
                    Action::Go(area) => self.posting(state, team, area),
                    _ => 0.0,
                })
            }
            Phase::Production => self.production(game, state, team, &weights, legal),
            Phase::Operational => Some(self.movement(game, state, team, &weights, legal)),
            Phase::Strategic | Phase::BreakthroughStrategic => self.rail(game, state, team, &weights, legal),
            Phase::Combat | Phase::BreakthroughRound => {
                self.look(game, state, team, &weights);
                self.next_battle(game, state, team, &weights, legal)
            }
            Phase::Breakthrough => {
                self.look(game, state, team, &weights);
                self.breakthrough(game, state, team, &weights, legal)
            }
            Phase::BreakthroughMove => self.breakthrough_move(game, state, team, &weights, legal),
            Phase::FinalSupply => {
                self.look(game, state, team, &weights);
                best_action(legal, |action| match action {
                    Action::LimitedSupply(_, area) => {
                        let army = self.survey.army(team, area);
                        army.land() - army.blocks - weights.special
                    }
                    _ => 0.0,
                })
            }
            Phase::Over => None,
        }
    }

    fn look(&mut self, game: &EuropeEngulfed, state: &State, team: Team, weights: &Weights) {
        self.survey.look(game, &self.map, state, team, weights);
    }

    /// How much a counter to be placed is wanted in an area.
    fn posting(&self, state: &State, team: Team, area: Area) -> f32 {
        let own = self.survey.armies[team.index()][area.at()].power();
        let disputed = if state.is_disputed(area) { -2.0 } else { 0.0 };
        self.survey.pull[area.at()] - 0.1 * own + disputed
    }

    fn outlook<'a>(
        &'a self,
        game: &'a EuropeEngulfed,
        state: &'a State,
        team: Team,
        weights: &'a Weights,
    ) -> Outlook<'a> {
        Outlook { game, state, survey: &self.survey, weights, team }
    }

    // ---- movement ----

    fn movement(
        &mut self,
        game: &EuropeEngulfed,
        state: &State,
        team: Team,
        weights: &Weights,
        legal: &[Action],
    ) -> Action {
        if let Pending::Destination(unit) | Pending::March(unit) = state.pending {
            return self.orders.step(game, state, unit, legal).unwrap_or(Action::Pass);
        }
        let moment = (state.turn, team, state.phase, state.goal);
        if self.moment != Some(moment) {
            self.look(game, state, team, weights);
            let outlook = Outlook { game, state, survey: &self.survey, weights, team };
            self.orders.plan(&outlook);
            self.moment = Some(moment);
        }
        if let Some(invasion) = self.invasion(game, state, team, weights, legal) {
            return invasion;
        }
        self.orders.pick(game, state, legal).unwrap_or(Action::Pass)
    }

    /// Strategic movement: from where least is wanted to where most is.
    fn rail(
        &mut self,
        game: &EuropeEngulfed,
        state: &State,
        team: Team,
        weights: &Weights,
        legal: &[Action],
    ) -> Option<Action> {
        self.look(game, state, team, weights);
        let wanted = |area: Area| self.survey.pull[area.at()];
        if let Pending::Destination(unit) = state.pending {
            let here = wanted(state.location(unit));
            return best_action(legal, |action| match action {
                Action::Go(area) if self.survey.front.contains(area) => wanted(area) - here.max(0.0),
                Action::Go(area) => BEHIND * wanted(area) - here.max(0.0),
                _ => weights.march,
            });
        }
        let most = state.held(team).iter().map(wanted).fold(0.0, f32::max);
        let bound = may_leave_poland(game, state, team) == 0;
        best_action(legal, |action| match action {
            Action::Select(unit) => {
                let from = state.location(unit);
                if bound && !game.is_air(unit) && game.rules.politics.poland_garrison_areas.contains(from) {
                    return -1.0;
                }
                let mut one = Army::default();
                one.add(game, state, unit);
                let power = if game.is_air(unit) { 2.0 } else { one.power() };
                let missed = if self.survey.front.contains(from) { wanted(from) + power } else { 0.0 };
                let gain = most - missed.max(0.0);
                if gain <= weights.march + 1.0 { -1.0 } else { gain.min(4.0) + 0.3 * power }
            }
            _ => 0.0,
        })
    }
}

impl Policy<EuropeEngulfed> for Scripted {
    fn pick(
        &mut self,
        game: &EuropeEngulfed,
        state: &State,
        side: Side,
        legal: &[Action],
        _: &mut Rng64,
    ) -> Action {
        pick_legal(legal, || self.choose(game, state, side, legal))
    }

    fn begin_line(&mut self) {
        self.orders.forget();
        self.moment = None;
    }
}
