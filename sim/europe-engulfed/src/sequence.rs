//! The sequence of play: which phase follows which, and who decides (23.0, play book).

use sandtable_core::{ActionSink, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Nations, Team};
use crate::phase::{Pending, Phase};
use crate::rules::Surprise;
use crate::state::{Paid, State, happened, mark};

impl EuropeEngulfed {
    /// The side that decides; meaningful while the game runs.
    pub(crate) fn decider(&self, state: &State) -> u8 {
        if let Some(team) = self.demolisher(state) {
            return self.leader(team);
        }
        if self.is_in_battle(state) {
            return self.battle_decider(state);
        }
        if self.is_at_sea(state) {
            return self.crossing_decider(state);
        }
        match state.phase {
            Phase::Production => self.player(state, state.payer),
            Phase::StrategicWar => self.strategic_war_decider(state),
            Phase::Mobilization => self.mobilization_decider(state),
            Phase::Deployment => self.deployment_decider(state),
            Phase::FrontGarrison => self.leader(state.mover.other()),
            Phase::FrenchFleets => self.player(state, Nation::GreatBritain),
            _ => self.leader(state.mover),
        }
    }

    /// Works out what the generator of the phase asks again and again: what is in supply where new units come in and units move
    /// strategically, and at the end.
    pub(crate) fn prepare_phase(&self, state: &mut State) {
        if self.is_in_battle(state) || self.is_at_sea(state) || self.demolisher(state).is_some() {
            return;
        }
        match state.phase {
            Phase::Production => {
                let clients = self.built_by(state, state.payer) | self.supported_minors(state);
                self.keep_supplied_areas(state, clients);
            }
            Phase::Strategic | Phase::BreakthroughStrategic => {
                let moving = Nation::members(state.nations(state.mover))
                    .filter(|nation| state.power(self.sponsor(state, *nation)).moves > 0);
                let moving = moving.fold(0, |mask, nation| mask | nation.bit());
                self.keep_supplied_areas(state, moving);
            }
            Phase::FinalSupply => self.keep_unsupplied(state),
            _ => {}
        }
    }

    /// The one generator of legal actions. Offers nothing if the phase has nothing left to decide.
    pub(crate) fn generate(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        if let Some(team) = self.demolisher(state) {
            return out.listed(|list| self.demolitions(state, team, list));
        }
        if self.is_in_battle(state) {
            return out.listed(|list| self.battle_actions(state, list));
        }
        if self.is_at_sea(state) {
            return out.listed(|list| self.crossing_actions(state, list));
        }
        match state.phase {
            Phase::Operational => self.operational_actions(state, out),
            Phase::Strategic | Phase::BreakthroughStrategic => self.strategic_actions(state, out),
            Phase::Breakthrough => self.breakthrough_actions(state, out),
            Phase::BreakthroughMove => self.breakthrough_moves(state, out),
            phase => out.listed(|list| match phase {
                Phase::Deployment | Phase::Reinforcement => self.deployment_actions(state, list),
                Phase::StrategicWar => self.strategic_war_actions(state, list),
                Phase::Declarations => self.declaration_actions(state, list),
                Phase::Mobilization => self.mobilization_actions(state, list),
                Phase::Armistice => list.extend([Action::Pass, Action::Agree]),
                Phase::Production => self.production_actions(state, list),
                Phase::Combat => self.combat_actions(state, list),
                Phase::BreakthroughRound => self.breakthrough_round_actions(state, list),
                Phase::FinalSupply => self.final_supply_actions(state, list),
                Phase::FrontGarrison => self.garrison_actions(state, list),
                Phase::FrenchFleets => self.fleet_havens(state, list),
                _ => {}
            }),
        }
    }

    /// Plays one action without looking for the next decision.
    pub(crate) fn play(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        if let Some(team) = self.demolisher(state) {
            return self.decide_demolition(state, team, action);
        }
        if self.is_in_battle(state) {
            return self.battle_apply(state, action, context);
        }
        if self.is_at_sea(state) {
            return self.crossing_apply(state, action, context);
        }
        match state.phase {
            Phase::Deployment | Phase::Reinforcement => self.deployment_apply(state, action, context),
            Phase::Production => self.production_apply(state, action, context),
            Phase::Operational => self.operational_apply(state, action, context),
            Phase::Strategic | Phase::BreakthroughStrategic => self.strategic_apply(state, action, context),
            Phase::Combat | Phase::BreakthroughRound => match action {
                Action::Attack(area, mode) => self.begin_battle(state, area, mode, Nations::MAX, context),
                Action::Renounce => state.affairs.happened |= happened::AIRBORNE_RENOUNCED,
                _ => self.end_phase(state, context),
            },
            Phase::Breakthrough => self.breakthrough_apply(state, action, context),
            Phase::BreakthroughMove => self.breakthrough_move_apply(state, action, context),
            Phase::FinalSupply => self.final_supply_apply(state, action, context),
            Phase::FrontGarrison => self.garrison_apply(state, action, context),
            Phase::FrenchFleets => self.place_french_fleet(state, action, context),
            Phase::StrategicWar => self.strategic_war_apply(state, action, context),
            Phase::Declarations => self.declaration_apply(state, action, context),
            Phase::Mobilization => self.mobilization_apply(state, action, context),
            Phase::Armistice => self.armistice_apply(state, action, context),
            Phase::Over => {}
        }
    }

    /// Nothing is left to decide: ends the stage of the battle, the naval move, the pending decision or the phase, and starts what follows.
    pub(crate) fn end_phase(&self, state: &mut State, context: &mut impl Rolls) {
        if self.is_in_battle(state) {
            return self.end_stage(state, context);
        }
        if self.is_at_sea(state) {
            return Self::end_crossing(state);
        }
        if state.pending != Pending::None {
            state.pending = Pending::None;
            return;
        }
        match state.phase {
            Phase::Deployment if !self.rules.setup.deployments.is_empty() => {
                state.affairs.deploying += 1;
                match self.rules.setup.deployments.get(usize::from(state.affairs.deploying)) {
                    Some(&(team, _)) => {
                        state.mover = team;
                        self.start_phase(state, Phase::Deployment, context);
                    }
                    None => self.begin_turn(state, context),
                }
            }
            Phase::Deployment if Some(state.mover) == self.rules.setup.deploys_first => {
                state.mover = state.mover.other();
                self.start_phase(state, Phase::Deployment, context);
            }
            Phase::Deployment => self.begin_turn(state, context),
            Phase::Reinforcement => {
                self.initial_supply(state);
                if self.production_is_due(state) {
                    let war = self.rules.setup.strategic_war_used;
                    let phase = if war { Phase::StrategicWar } else { Phase::Production };
                    self.start_phase(state, phase, context);
                } else {
                    self.start_movement(state, context);
                }
            }
            Phase::Production => {
                self.production_ends(state, context);
                match self.next_producer(state, Some(state.payer)) {
                    Some(nation) => self.produce(state, nation, context),
                    None => self.start_movement(state, context),
                }
            }
            Phase::StrategicWar => self.start_phase(state, Phase::Production, context),
            Phase::Declarations => self.after_mobilization(state, Phase::Operational, context),
            Phase::Mobilization => self.mobilization_ends(state, context),
            Phase::Armistice => self.go_on_after_armistice(state, context),
            Phase::Operational => self.after_armistice(state, Phase::Strategic, context),
            Phase::Strategic => self.after_armistice(state, Phase::Combat, context),
            Phase::Combat => {
                self.note_landings(state);
                self.surrenders(state, context);
                self.after_armistice(state, Phase::Breakthrough, context);
            }
            Phase::Breakthrough => self.after_armistice(state, Phase::FinalSupply, context),
            Phase::BreakthroughMove => self.start_phase(state, Phase::BreakthroughRound, context),
            Phase::BreakthroughRound | Phase::BreakthroughStrategic => {
                state.goal = Area::NONE;
                self.surrenders(state, context);
                self.after_armistice(state, Phase::Breakthrough, context);
            }
            Phase::FinalSupply => {
                self.final_supply_ends(state, context);
                if self.owes_garrison(state) {
                    self.start_phase(state, Phase::FrontGarrison, context);
                } else if self.comes_to_terms(state, context) {
                    state.affairs.resume = Phase::Reinforcement;
                    self.start_phase(state, Phase::Armistice, context);
                } else {
                    self.end_player_turn(state, context);
                }
            }
            Phase::FrontGarrison => self.end_player_turn(state, context),
            Phase::FrenchFleets => self.end_turn(state, context),
            Phase::Over => {}
        }
    }

    /// Starts a phase of the mover.
    pub(crate) fn start_phase(&self, state: &mut State, phase: Phase, context: &mut impl Rolls) {
        (state.phase, state.pending) = (phase, Pending::None);
        (state.abandoned, state.drops, state.landings) = (Paid::NONE, Paid::NONE, Paid::NONE);
        state.unmark_all(mark::MOVED | mark::STRATEGIC);
        state.cache.unsupplied = None;
        let team = state.mover;
        context.emit(|| Event::PhaseBegins { phase, team });
        match phase {
            Phase::Reinforcement => self.call_reinforcements(state),
            Phase::StrategicWar => self.strategic_war_begins(state, context),
            Phase::Production => {
                self.scandinavian_prudence(state, context);
                if let Some(nation) = self.next_producer(state, None) {
                    self.produce(state, nation, context);
                }
            }
            Phase::Strategic | Phase::BreakthroughStrategic => self.strategic_begins(state),
            Phase::Operational => self.survey_ports(state),
            Phase::Combat => state.fought = Areas::EMPTY,
            Phase::FinalSupply => self.place_beachheads(state, context),
            _ => {}
        }
    }

    /// Movement begins, with declarations of war where any are possible (9.0).
    fn start_movement(&self, state: &mut State, context: &mut impl Rolls) {
        if self.has_declarations(state) {
            return self.start_phase(state, Phase::Declarations, context);
        }
        self.after_mobilization(state, Phase::Operational, context);
    }

    /// A turn begins: weather, dated changes, the player turn of the first team.
    pub(crate) fn begin_turn(&self, state: &mut State, context: &mut impl Rolls) {
        state.weather = self.roll_weather(state.turn, context);
        if self.bimester(state.turn).nth == 1 {
            // Restricted builds are free again (4.6).
            state.powers.iter_mut().for_each(|power| power.built = 0);
        }
        let (turn, weather) = (state.turn, state.weather);
        context.emit(|| Event::TurnBegins { turn, weather });
        state.strategic.raided = 0;
        self.apply_improvements(state);
        state.affairs.happened &= !(happened::CARPET_BOMBING | happened::PARTISANS_FED);
        self.count_areas(state);
        self.politics_of_the_turn(state, context);
        self.change_pools(state);
        self.begin_player_turn(state, Team::First, context);
    }

    fn begin_player_turn(&self, state: &mut State, team: Team, context: &mut impl Rolls) {
        state.mover = team;
        state.cache.unsupplied = None;
        state.affairs.surprise = Surprise::NONE;
        self.count_posts(state);
        state.powers.iter_mut().for_each(|power| power.paid = 0);
        state.unmark_all(mark::ENGAGED | mark::FLOWN);
        for area in state.disputed() {
            for unit in state.of_team_at(team, area) {
                state.mark(unit, mark::ENGAGED);
            }
        }
        self.politics_of_the_player_turn(state, context);
        self.after_mobilization(state, Phase::Reinforcement, context);
    }

    /// The armistice is decided: the phase that waits, or the next player turn where the question came at the end of one (14.354).
    pub(crate) fn go_on_after_armistice(&self, state: &mut State, context: &mut impl Rolls) {
        match state.affairs.resume {
            Phase::Reinforcement => self.end_player_turn(state, context),
            next => self.start_phase(state, next, context),
        }
    }

    fn end_player_turn(&self, state: &mut State, context: &mut impl Rolls) {
        self.note_conditions_at_the_end(state);
        state.unmark_all(mark::REVEALED);
        self.clear_beachheads(state, context);
        self.lose_homeless_fleets(state, state.mover, context);
        if state.mover == Team::First {
            return self.begin_player_turn(state, Team::Second, context);
        }
        Self::ready_fleets(state);
        self.politics_of_the_turn_end(state, context);
        if state.affairs.counts.france.fleets > 0 {
            return self.start_phase(state, Phase::FrenchFleets, context);
        }
        self.end_turn(state, context);
    }

    fn end_turn(&self, state: &mut State, context: &mut impl Rolls) {
        if self.is_decided_early(state) || state.turn == self.rules.setup.turns {
            self.decide(state, context);
        } else {
            state.turn += 1;
            self.begin_turn(state, context);
        }
    }
}
