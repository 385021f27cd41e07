//! The sequence of play: which phase follows which, and who decides (chart of the turn).

use sandtable_core::{ActionSink, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::VictoryInEurope;
use crate::nation::{Force, Team};
use crate::phase::{Pending, Phase};
use crate::state::State;

impl VictoryInEurope {
    /// The force that decides; meaningful while the game runs.
    pub fn decider(&self, state: &State) -> Force {
        Force::ALL[(state.active.trailing_zeros() as usize).min(2)]
    }

    /// The one generator of legal actions. Offers nothing if the phase has nothing left to decide.
    #[inline]
    pub(crate) fn generate(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        match state.phase {
            Phase::Movement => self.movement_actions(state, out),
            Phase::Supply | Phase::Over => Flow::Continue(()),
            phase => out.listed(|list| match phase {
                Phase::Deployment => self.deployment_actions(state, list),
                Phase::Cards => self.card_actions(state, list),
                Phase::Pinning => self.pinning_actions(state, list),
                Phase::NamingBattles => self.naming_actions(state, list),
                Phase::Combat => self.combat_actions(state, list),
                Phase::Landing => self.landing_actions(state, list),
                Phase::Diplomacy => self.diplomacy_actions(state, list),
                Phase::Production => self.production_actions(state, list),
                Phase::Movement | Phase::Supply | Phase::Over => {}
            }),
        }
    }

    /// Plays one action without looking for the next decision.
    pub(crate) fn play(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match state.phase {
            Phase::Deployment => self.deployment_apply(state, action, context),
            Phase::Cards => self.card_apply(state, action, context),
            Phase::Movement => self.movement_apply(state, action, context),
            Phase::Pinning => self.pinning_apply(state, action, context),
            Phase::NamingBattles => self.naming_apply(state, action, context),
            Phase::Combat => self.combat_apply(state, action, context),
            Phase::Landing => self.landing_apply(state, action, context),
            Phase::Diplomacy => self.diplomacy_apply(state, action, context),
            Phase::Production => self.production_apply(state, action, context),
            Phase::Supply | Phase::Over => {}
        }
    }

    /// Ends the phase of the movers and starts what follows.
    pub(crate) fn end_phase(&self, state: &mut State, context: &mut impl Rolls) {
        state.pending = Pending::None;
        // With three players the Allied ones play their part of a phase one after the other.
        if let Some(partner) = self.partner_to_follow(state) {
            return self.start(state, state.phase, state.mover, partner, context);
        }
        let (first, second) = (state.first, state.second());
        let of_first = state.mover == first;
        match state.phase {
            Phase::Deployment if state.mover == self.rules.setup.deploys_first => {
                self.start_team(state, Phase::Deployment, state.mover.other(), context);
            }
            Phase::Deployment => self.begin_turn(state, context),
            Phase::Cards if state.mover == Team::Axis => {
                self.start_team(state, Phase::Cards, Team::Allies, context);
            }
            Phase::Cards => {
                self.reveal_cards(state, context);
                self.start_team(state, Phase::Movement, state.first, context);
            }
            Phase::Movement if of_first => self.start_team(state, Phase::Pinning, second, context),
            Phase::Pinning => self.start_team(state, Phase::Movement, second, context),
            Phase::Movement => self.start_team(state, Phase::NamingBattles, first, context),
            Phase::NamingBattles if of_first => self.start_team(state, Phase::NamingBattles, second, context),
            Phase::NamingBattles => self.start_team(state, Phase::Combat, first, context),
            Phase::Combat => self.start_team(state, Phase::Landing, first, context),
            Phase::Landing if of_first => self.start_team(state, Phase::Landing, second, context),
            Phase::Landing => self.start_team(state, Phase::Supply, first, context),
            Phase::Supply => {
                self.supply_phase(state, context);
                if state.phase != Phase::Over {
                    self.start_team(state, Phase::Diplomacy, first, context);
                }
            }
            Phase::Diplomacy if of_first => self.start_team(state, Phase::Diplomacy, second, context),
            Phase::Diplomacy => self.start_team(state, Phase::Production, Team::Axis, context),
            Phase::Production if state.mover == Team::Axis => {
                self.start_team(state, Phase::Production, Team::Allies, context);
            }
            Phase::Production => {
                self.place_production(state, context);
                self.end_turn(state, context);
            }
            Phase::Over => {}
        }
    }

    /// With three players, the Allied force that plays this phase after the one that has just played it.
    fn partner_to_follow(&self, state: &State) -> Option<u8> {
        if !self.rules.options.three_players
            || state.mover == Team::Axis
            || matches!(state.phase, Phase::Combat | Phase::Supply)
        {
            return None;
        }
        let leader = self.leading_force(state);
        (state.movers == leader.bit()).then(|| Team::Allies.forces() & !leader.bit())
    }

    /// Starts a phase of a team: with three players, of the Allied force that leads.
    pub(crate) fn start_team(&self, state: &mut State, phase: Phase, team: Team, context: &mut impl Rolls) {
        let movers = if self.rules.options.three_players && team == Team::Allies {
            self.leading_force(state).bit()
        } else {
            team.forces()
        };
        self.start(state, phase, team, movers, context);
    }

    fn start(&self, state: &mut State, phase: Phase, team: Team, movers: u8, context: &mut impl Rolls) {
        state.phase = phase;
        state.pending = Pending::None;
        state.mover = team;
        state.movers = movers;
        state.active = movers;
        context.emit(|| Event::PhaseBegins { phase, team: Some(team) });
        match phase {
            Phase::Movement => self.movement_begins(state, context),
            Phase::Pinning => self.pinning_begins(state, context),
            Phase::Combat => self.combat_begins(state, context),
            Phase::Landing => self.landing_begins(state, context),
            Phase::Diplomacy => self.diplomacy_begins(state, context),
            Phase::Production => self.production_begins(state, context),
            _ => {}
        }
    }

    /// Begins a turn: automatic events, cards of a new year, then the Cards Phase (3).
    pub(crate) fn begin_turn(&self, state: &mut State, context: &mut impl Rolls) {
        let turn = state.turn;
        context.emit(|| Event::TurnBegins { turn });
        self.open_turn(state, context);
        self.start_team(state, Phase::Cards, Team::Axis, context);
    }

    fn end_turn(&self, state: &mut State, context: &mut impl Rolls) {
        if state.turn >= self.rules.setup.last_turn {
            return self.final_verdict(state, context);
        }
        state.turn += 1;
        self.begin_turn(state, context);
    }
}
