//! Europe Engulfed as a machine of phases.

use sandtable_core::{ActionSink, Context, Dice, Digest, Flow, Game, Outcome, Phases, Side, SideInfo};

use crate::action::Action;
use crate::event::Event;
use crate::game::EuropeEngulfed;
use crate::ids::Team;
use crate::phase::Phase;
use crate::state::State;

impl Phases for EuropeEngulfed {
    fn set_up<T: Context<Event>>(&self, context: &mut T) -> State {
        self.starting_state(context)
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.phase == Phase::Over
    }

    fn decider(&self, state: &State) -> Side {
        Side(EuropeEngulfed::decider(self, state))
    }

    fn generate<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        EuropeEngulfed::generate(self, state, out)
    }

    fn prepare(&self, state: &mut State) {
        self.prepare_phase(state);
    }

    fn play<T: Context<Event>>(&self, state: &mut State, action: Action, context: &mut T) {
        EuropeEngulfed::play(self, state, action, context);
    }

    fn end_phase<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        EuropeEngulfed::end_phase(self, state, context);
    }
}

impl Game for EuropeEngulfed {
    type State = State;
    type Action = Action;
    type Event = Event;

    sandtable_core::played_by_phases!();

    fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.result(state)
    }

    fn determinize<D: Dice>(&self, state: &State, viewer: Side, dice: &mut D) -> State {
        self.redraw_hidden(state, self.team_of_side(viewer), dice)
    }

    fn observation(&self, state: &State, viewer: Side) -> u64 {
        self.observation_hash(state, self.team_of_side(viewer))
    }

    fn hash(&self, state: &State) -> u64 {
        Digest::of(state)
    }

    fn recomputed_hash(&self, state: &State) -> u64 {
        Digest::of(&self.recomputed(state))
    }

    fn check(&self, state: &State) -> Result<(), String> {
        self.check_invariants(state)
    }

    fn turn_number(&self, state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn describe(&self, state: &State, action: Action) -> String {
        self.describe_action(state, action)
    }
}

impl EuropeEngulfed {
    /// The team of a side.
    pub(crate) fn team_of_side(&self, side: Side) -> Team {
        self.rules.setup.players[side.index()].team
    }
}
