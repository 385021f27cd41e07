//! BlitzWar as a machine of phases.

use sandtable_core::{ActionSink, Context, Dice, Flow, Game, Outcome, Phases, Side, SideInfo};

use crate::action::Action;
use crate::event::Event;
use crate::game::BlitzWar;
use crate::nation::Force;
use crate::phase::Phase;
use crate::state::State;

impl Phases for BlitzWar {
    fn set_up<T: Context<Event>>(&self, _: &mut T) -> State {
        self.starting_state()
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.phase == Phase::Over
    }

    fn decider(&self, state: &State) -> Side {
        BlitzWar::decider(self, state).side()
    }

    #[inline]
    fn generate<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        BlitzWar::generate(self, state, out)
    }

    #[inline]
    fn play<T: Context<Event>>(&self, state: &mut State, action: Action, context: &mut T) {
        BlitzWar::play(self, state, action, context);
    }

    fn end_phase<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        BlitzWar::end_phase(self, state, context);
    }

    #[inline]
    fn prepare(&self, state: &mut State) {
        self.renew(state);
    }
}

impl Game for BlitzWar {
    type State = State;
    type Action = Action;
    type Event = Event;

    sandtable_core::played_by_phases!();

    fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        Self::result(state)
    }

    fn determinize<D: Dice>(&self, state: &State, viewer: Side, dice: &mut D) -> State {
        self.redraw_hidden(state, Force::of(viewer), dice)
    }

    fn observation(&self, state: &State, viewer: Side) -> u64 {
        self.observation_hash(state, Force::of(viewer))
    }

    fn hash(&self, state: &State) -> u64 {
        state.digest()
    }

    fn recomputed_hash(&self, state: &State) -> u64 {
        self.recomputed(state).digest()
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
