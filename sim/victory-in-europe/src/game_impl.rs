//! Victory in Europe behind the common interface.

use sandtable_core::{Dice, Digest, Game, Lots, Outcome, Side, SideInfo, Table, Turn};

use crate::action::Action;
use crate::event::Event;
use crate::game::VictoryInEurope;
use crate::nation::Force;
use crate::phase::Phase;
use crate::state::State;

impl Game for VictoryInEurope {
    type State = State;
    type Action = Action;
    type Event = Event;

    fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    fn initial<T: Table<Event>>(&self, table: &mut T) -> State {
        self.starting_state(table)
    }

    fn turn_of(&self, state: &State) -> Turn {
        if state.phase == Phase::Over { Turn::Over } else { Turn::Decide(self.side_of(self.decider(state))) }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.result(state)
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.generate(state, out);
    }

    fn apply<T: Table<Event>>(&self, state: &mut State, action: Action, table: &mut T) {
        let mut legal = Vec::new();
        self.apply_listing(state, action, table, &mut legal, |_| false);
    }

    fn apply_listing<T: Table<Event>>(
        &self,
        state: &mut State,
        action: Action,
        table: &mut T,
        legal: &mut Vec<Action>,
        wanted: impl Fn(&State) -> bool,
    ) {
        debug_assert!(
            {
                let mut legal = Vec::new();
                self.legal_actions(state, &mut legal);
                legal.contains(&action)
            },
            "illegal action {action:?} in {:?} {:?}",
            state.phase,
            state.pending
        );
        self.play(state, action, table);
        self.settle(state, table, legal, wanted);
    }

    fn draw(&self, state: &State, lots: Lots, buffer: &mut Vec<Action>) -> Action {
        self.draw_one(state, lots, buffer)
    }

    fn apply_drawing<T: Table<Event>>(
        &self,
        state: &mut State,
        action: Action,
        table: &mut T,
        lots: Lots,
        buffer: &mut Vec<Action>,
    ) -> Option<Action> {
        self.play(state, action, table);
        self.settle_drawing(state, table, lots, buffer)
    }

    fn determinize<D: Dice>(&self, state: &State, viewer: Side, dice: &mut D) -> State {
        self.redraw_hidden(state, self.force_of(viewer), dice)
    }

    fn observation(&self, state: &State, viewer: Side) -> u64 {
        self.observation_hash(state, self.force_of(viewer))
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

impl VictoryInEurope {
    /// A force of a side: with two players, the Western Allies stand for both Allied ones.
    pub(crate) fn force_of(&self, side: Side) -> Force {
        Force::ALL[side.index()]
    }
}
