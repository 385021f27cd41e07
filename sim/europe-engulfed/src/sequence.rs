//! The sequence of play: which phase follows which, and who decides (23.0, play book).

use sandtable_core::{ActionSink, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nations, Team};
use crate::phase::{Pending, Phase};
use crate::state::{Paid, State, mark};

impl EuropeEngulfed {
    /// The side that decides; meaningful while the game runs.
    pub(crate) fn decider(&self, state: &State) -> u8 {
        if self.is_in_battle(state) {
            return self.battle_decider(state);
        }
        match state.phase {
            Phase::Production => self.player(state.payer),
            _ => self.leader(state.mover),
        }
    }

    /// The one generator of legal actions. Offers nothing if the phase has nothing left to decide.
    pub(crate) fn generate(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        if self.is_in_battle(state) {
            return out.listed(|list| self.battle_actions(state, list));
        }
        match state.phase {
            Phase::Operational => self.operational_actions(state, out),
            Phase::Strategic | Phase::BreakthroughStrategic => self.strategic_actions(state, out),
            Phase::Breakthrough => self.breakthrough_actions(state, out),
            Phase::BreakthroughMove => self.breakthrough_moves(state, out),
            phase => out.listed(|list| match phase {
                Phase::Deployment | Phase::Reinforcement => self.deployment_actions(state, list),
                Phase::Production => self.production_actions(state, list),
                Phase::Combat => self.combat_actions(state, list),
                Phase::BreakthroughRound => self.breakthrough_round_actions(state, list),
                Phase::FinalSupply => self.final_supply_actions(state, list),
                _ => {}
            }),
        }
    }

    /// Plays one action without looking for the next decision.
    pub(crate) fn play(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        if self.is_in_battle(state) {
            return self.battle_apply(state, action, context);
        }
        match state.phase {
            Phase::Deployment | Phase::Reinforcement => self.deployment_apply(state, action, context),
            Phase::Production => self.production_apply(state, action, context),
            Phase::Operational => self.operational_apply(state, action, context),
            Phase::Strategic | Phase::BreakthroughStrategic => self.strategic_apply(state, action, context),
            Phase::Combat | Phase::BreakthroughRound => match action {
                Action::Attack(area, mode) => self.begin_battle(state, area, mode, Nations::MAX, context),
                _ => self.end_phase(state, context),
            },
            Phase::Breakthrough => self.breakthrough_apply(state, action, context),
            Phase::BreakthroughMove => self.breakthrough_move_apply(state, action, context),
            Phase::FinalSupply => self.final_supply_apply(state, action, context),
            Phase::Over => {}
        }
    }

    /// Nothing is left to decide: ends the stage of the battle, the pending decision or the phase, and starts what follows.
    pub(crate) fn end_phase(&self, state: &mut State, context: &mut impl Rolls) {
        if self.is_in_battle(state) {
            return self.end_stage(state, context);
        }
        if state.pending != Pending::None {
            state.pending = Pending::None;
            return;
        }
        match state.phase {
            Phase::Deployment if Some(state.mover) == self.rules.setup.deploys_first => {
                state.mover = state.mover.other();
                self.start_phase(state, Phase::Deployment, context);
            }
            Phase::Deployment => self.begin_turn(state, context),
            Phase::Reinforcement => {
                self.initial_supply(state);
                self.start_phase(state, self.phase_after_supply(state), context);
            }
            Phase::Production => {
                self.production_ends(state, context);
                match self.next_producer(state, Some(state.payer)) {
                    Some(nation) => self.produce(state, nation, context),
                    None => self.start_phase(state, Phase::Operational, context),
                }
            }
            Phase::Operational => self.start_phase(state, Phase::Strategic, context),
            Phase::Strategic => self.start_phase(state, Phase::Combat, context),
            Phase::Combat => self.start_phase(state, Phase::Breakthrough, context),
            Phase::Breakthrough => self.start_phase(state, Phase::FinalSupply, context),
            Phase::BreakthroughMove => self.start_phase(state, Phase::BreakthroughRound, context),
            Phase::BreakthroughRound | Phase::BreakthroughStrategic => {
                state.goal = Area::NONE;
                self.start_phase(state, Phase::Breakthrough, context);
            }
            Phase::FinalSupply => {
                self.final_supply_ends(state, context);
                self.end_player_turn(state, context);
            }
            Phase::Over => {}
        }
    }

    /// Starts a phase of the mover.
    pub(crate) fn start_phase(&self, state: &mut State, phase: Phase, context: &mut impl Rolls) {
        (state.phase, state.pending) = (phase, Pending::None);
        (state.abandoned, state.drops) = (Paid::NONE, Paid::NONE);
        state.unmark_all(mark::MOVED | mark::STRATEGIC);
        let team = state.mover;
        context.emit(|| Event::PhaseBegins { phase, team });
        match phase {
            Phase::Reinforcement => self.call_reinforcements(state),
            Phase::Production => {
                if let Some(nation) = self.next_producer(state, None) {
                    self.produce(state, nation, context);
                }
            }
            Phase::Strategic | Phase::BreakthroughStrategic => self.strategic_begins(state),
            Phase::Combat => state.fought = Areas::EMPTY,
            _ => {}
        }
    }

    /// A turn begins: weather, dated changes, the player turn of the first team.
    pub(crate) fn begin_turn(&self, state: &mut State, context: &mut impl Rolls) {
        state.weather = self.roll_weather(state.turn, context);
        let (turn, weather) = (state.turn, state.weather);
        context.emit(|| Event::TurnBegins { turn, weather });
        self.change_pools(state);
        self.begin_player_turn(state, Team::First, context);
    }

    fn begin_player_turn(&self, state: &mut State, team: Team, context: &mut impl Rolls) {
        state.mover = team;
        state.unmark_all(mark::ENGAGED);
        for area in state.disputed() {
            for unit in state.of_team_at(team, area) {
                state.mark(unit, mark::ENGAGED);
            }
        }
        self.start_phase(state, Phase::Reinforcement, context);
    }

    fn end_player_turn(&self, state: &mut State, context: &mut impl Rolls) {
        if state.mover == Team::First {
            return self.begin_player_turn(state, Team::Second, context);
        }
        if state.turn == self.rules.setup.turns {
            self.decide(state, context);
        } else {
            state.turn += 1;
            self.begin_turn(state, context);
        }
    }
}
