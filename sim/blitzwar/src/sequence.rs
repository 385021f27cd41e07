//! The sequence of play (8): which phase follows which, and who decides.
use sandtable_core::actions;
pub(crate) use sandtable_core::actions::{ActionSink, FirstOnly, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::BlitzWar;
use crate::location::{Location, Locations};
use crate::nation::Force;
use crate::phase::{Pending, Phase};
use crate::rules::Weather;
use crate::state::State;

/// Receives legal actions in ascending order.
pub(crate) trait Offer: ActionSink<Action> {
    /// Offers [`Action::Go`] to each of these places.
    #[inline]
    fn ways(&mut self, places: Locations) -> Flow {
        self.all([places], |_, place| Action::Go(place))
    }
}

impl<O: ActionSink<Action>> Offer for O {}

/// Offers [`Action::Pass`] before the first other action, and nothing if there is no other.
pub(crate) type PassFirst<'a, O> = actions::PassFirst<'a, Action, O>;

impl BlitzWar {
    /// The side that decides; meaningful while the game runs.
    pub fn decider(&self, state: &State) -> Force {
        match state.pending {
            Pending::SpanishRoll | Pending::TurkishRoll | Pending::GermanDefence => Force::Axis,
            Pending::Response { responder: owner, .. } | Pending::Excess { owner, .. } => {
                Force::ALL[owner as usize]
            }
            Pending::DefenderLoss | Pending::Retreat | Pending::CancelLoss => {
                Force::ALL[state.combat.defender as usize]
            }
            _ => state.active,
        }
    }

    /// The one generator of legal actions.
    pub(crate) fn generate(&self, state: &State, out: &mut impl Offer) -> Flow {
        match (state.pending, state.phase) {
            (Pending::Excess { owner, zone }, _) => self.excess_actions(state, owner, zone, out),
            (Pending::Reorganisation, _) => self.reorganisation_actions(state, out),
            (Pending::Depot, _) => self.depot_actions(state, out),
            (_, Phase::Over) => Flow::Continue(()),
            (_, Phase::Deployment) => self.deployment_actions(state, out),
            (_, Phase::Diplomacy) => self.diplomacy_actions(state, out),
            (_, Phase::Cards) => self.card_actions(state, out),
            (_, Phase::Minors) => self.minor_actions(state, out),
            (_, Phase::PowerLosses) => self.loss_actions(state, out),
            (_, Phase::LendLease) => self.lend_lease_actions(state, out),
            (_, Phase::Placement) => self.placement_actions(state, out),
            (_, Phase::Reorganisation) => self.reorganisation_phase_actions(state, out),
            (_, Phase::NavalMovement | Phase::NavalCombat) => self.naval_actions(state, out),
            (
                _,
                Phase::Bombing
                | Phase::BattleOfBritain
                | Phase::TacticalAir
                | Phase::Beachheads
                | Phase::StrategicAir
                | Phase::LateAir,
            ) => self.air_actions(state, out),
            (_, Phase::SeaTransport) => self.transport_actions(state, out),
            (_, Phase::Fortification | Phase::StrategicMovement | Phase::TacticalMovement) => {
                self.movement_actions(state, out)
            }
            (_, Phase::Blitz | Phase::Normal) => self.combat_actions(state, out),
            (_, Phase::BlitzMove | Phase::NormalMove | Phase::OutOfSupply) => {
                self.one_zone_actions(state, out)
            }
        }
    }

    /// Plays one action without looking for the next decision.
    pub(crate) fn play(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (state.pending, state.phase) {
            (Pending::Excess { .. }, _) => self.excess_apply(state, action, context),
            (Pending::Reorganisation, _) => self.reorganise(state, action, context),
            (Pending::Depot, _) => Self::name_depot(state, action),
            (Pending::None, _) if matches!(action, Action::ChooseDepot | Action::Unfortify(_)) => {
                Self::play_aside(state, action);
            }
            (_, Phase::Over) => {}
            (_, Phase::Deployment) => self.deployment_apply(state, action, context),
            (_, Phase::Diplomacy) => self.diplomacy_apply(state, action, context),
            (_, Phase::Cards) => self.card_apply(state, action, context),
            (_, Phase::Minors) => self.minor_apply(state, action, context),
            (_, Phase::PowerLosses) => self.loss_apply(state, action, context),
            (_, Phase::LendLease) => self.lend_lease_apply(state, action, context),
            (_, Phase::Placement) => self.placement_apply(state, action, context),
            (_, Phase::Reorganisation) => self.reorganisation_phase_apply(state, action, context),
            (_, Phase::NavalMovement | Phase::NavalCombat) => self.naval_apply(state, action, context),
            (
                _,
                Phase::Bombing
                | Phase::BattleOfBritain
                | Phase::TacticalAir
                | Phase::Beachheads
                | Phase::StrategicAir
                | Phase::LateAir,
            ) => self.air_apply(state, action, context),
            (_, Phase::SeaTransport) => self.transport_apply(state, action, context),
            (_, Phase::Fortification | Phase::StrategicMovement | Phase::TacticalMovement) => {
                self.movement_apply(state, action, context);
            }
            (_, Phase::Blitz | Phase::Normal) => self.combat_apply(state, action, context),
            (_, Phase::BlitzMove | Phase::NormalMove | Phase::OutOfSupply) => {
                self.one_zone_apply(state, action, context);
            }
        }
    }

    /// Plays what leads to no other phase or decision of its own: a fortified corps is turned back (15.1), or the depot that
    /// pays next is about to be named.
    fn play_aside(state: &mut State, action: Action) {
        match action {
            Action::Unfortify(counter) => state.turn_face(counter, false),
            _ => state.pending = Pending::Depot,
        }
    }

    /// Brings what is derived for the side in turn up to date, if the phase asks for it.
    pub(crate) fn renew(&self, state: &mut State) {
        let unknown = !state.befriended && state.active != Force::Axis;
        // Nobody asks where the friend stands while cards are chosen and losses paid.
        if unknown && !matches!(state.phase, Phase::Cards | Phase::PowerLosses) {
            self.refresh_friends(state);
        }
        if state.stale {
            match state.phase {
                Phase::Placement => self.refresh_sources(state),
                phase if phase.asks_for_supply() => self.refresh_supply(state),
                _ => {}
            }
        }
    }

    /// Ends the phase of the side in turn: first the stacking limit (4), then the next phase.
    pub(crate) fn end_phase(&self, state: &mut State, context: &mut impl Rolls) {
        state.pending = Pending::None;
        let stacks_change = matches!(
            state.phase,
            Phase::Diplomacy
                | Phase::Reorganisation
                | Phase::SeaTransport
                | Phase::TacticalMovement
                | Phase::BlitzMove
                | Phase::OutOfSupply
        );
        // Phase 3 ends for all sides together, after the last one's reorganisation (8).
        let phase_ends = state.phase != Phase::Reorganisation || state.active == Force::Soviet;
        if stacks_change
            && phase_ends
            && state.piled != 0
            && let Some((owner, zone)) = self.first_excess(state)
        {
            state.pending = Pending::Excess { owner: owner as u8, zone };
            return;
        }
        self.next_phase(state, context);
    }

    pub(crate) fn start(&self, state: &mut State, phase: Phase, force: Force, context: &mut impl Rolls) {
        state.phase = phase;
        state.pending = Pending::None;
        state.tally = [0; 4];
        state.payer = Location::NONE;
        state.set_active(force);
        context.emit(|| Event::PhaseBegins { phase, force });
        match phase {
            Phase::Minors => self.minors_begin(state, context),
            Phase::PowerLosses => self.losses_begin(state, context),
            Phase::LendLease => self.lend_lease_begin(state, context),
            Phase::NavalMovement => self.side_begins(state),
            Phase::TacticalAir => self.tactical_air_begins(state, context),
            Phase::Blitz | Phase::Normal => Self::combat_begins(state),
            Phase::OutOfSupply => self.mark_unsupplied(state),
            _ => {}
        }
        if matches!(phase, Phase::Reorganisation | Phase::SeaTransport | Phase::TacticalMovement) {
            state.sorted = false;
            Self::forget_reorganisation(state);
        }
    }

    /// Goes on to the phase that comes next, and to the side that plays it (8).
    fn next_phase(&self, state: &mut State, context: &mut impl Rolls) {
        // Units that find no place are dropped kind by kind before the subphase ends (11.5).
        if state.phase == Phase::Placement && Self::drop_unplaceable(state, context) {
            return;
        }
        let (current, force) = (state.phase, state.active);
        let after = next_side(force);
        // The next side in the phase; after the last one what follows.
        let round = |then: (Phase, Force)| after.map_or(then, |next| (current, next));
        let (phase, force) = match current {
            Phase::Deployment => return self.begin_turn(state, context),
            Phase::Diplomacy => (Phase::Cards, Force::Axis),
            // Phases 1 to 3: all sides play a subphase before the next one starts (8).
            // The first turn has no Reinforcement Phase (11.1).
            Phase::Cards if state.turn == self.rules.setup.first_turn => {
                round((Phase::NavalMovement, Force::Axis))
            }
            Phase::Cards => round((Phase::Minors, Force::Axis)),
            Phase::Minors => round((Phase::PowerLosses, Force::Axis)),
            Phase::PowerLosses => round((Phase::LendLease, Force::Allied)),
            Phase::LendLease => (Phase::Placement, Force::Axis),
            Phase::Placement => round((Phase::Reorganisation, Force::Axis)),
            Phase::Reorganisation => {
                let next = round((Phase::NavalMovement, Force::Axis));
                if after.is_none() {
                    self.spend_bombers(state, context);
                }
                next
            }
            // Phases 4 to 9: one side plays them all before the next side (8).
            Phase::NavalMovement => (Phase::NavalCombat, force),
            Phase::NavalCombat if force == Force::Allied => (Phase::Bombing, force),
            Phase::NavalCombat if force == Force::Axis => (Phase::BattleOfBritain, force),
            Phase::NavalCombat | Phase::Bombing | Phase::BattleOfBritain => (Phase::TacticalAir, force),
            Phase::TacticalAir => (Phase::Beachheads, force),
            Phase::Beachheads => (Phase::StrategicAir, force),
            Phase::StrategicAir => (Phase::SeaTransport, force),
            Phase::SeaTransport => (Phase::Fortification, force),
            Phase::Fortification => (Phase::StrategicMovement, force),
            Phase::StrategicMovement => (Phase::TacticalMovement, force),
            Phase::TacticalMovement if self.weather(state) == Weather::Mud => (Phase::Normal, force),
            Phase::TacticalMovement => (Phase::Blitz, force),
            Phase::Blitz => (Phase::BlitzMove, force),
            Phase::BlitzMove => (Phase::Normal, force),
            Phase::Normal => (Phase::NormalMove, force),
            Phase::NormalMove => (Phase::OutOfSupply, force),
            Phase::OutOfSupply => (Phase::LateAir, force),
            Phase::LateAir => return self.end_side(state, context),
            Phase::Over => return,
        };
        self.start(state, phase, force, context);
    }

    /// Ends the phases of a side: the next one plays its own, or the turn is over, and with the last turn the game (8, 18).
    fn end_side(&self, state: &mut State, context: &mut impl Rolls) {
        self.side_ends(state, context);
        if let Some(next) = next_side(state.active) {
            self.start(state, Phase::NavalMovement, next, context);
        } else if state.turn >= self.rules.setup.last_turn {
            self.final_score(state, context);
        } else {
            state.turn += 1;
            self.begin_turn(state, context);
        }
    }

    /// Begins a turn with the Diplomatic Phase (9).
    pub(crate) fn begin_turn(&self, state: &mut State, context: &mut impl Rolls) {
        let turn = state.turn;
        context.emit(|| Event::TurnBegins { turn });
        self.start(state, Phase::Diplomacy, Force::Axis, context);
        self.diplomacy_begin(state, context);
    }
}

/// The side that plays after this one; none after the last (8).
fn next_side(force: Force) -> Option<Force> {
    match force {
        Force::Axis => Some(Force::Allied),
        Force::Allied => Some(Force::Soviet),
        Force::Soviet => None,
    }
}
