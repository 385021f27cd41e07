//! EuroFront as a machine of phases.

use sandtable_core::{ActionSink, Context, Dice, Digest, Flow, Game, Outcome, Phases, Side, SideInfo};

use crate::action::Action;
use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{Camp, Faction};
use crate::phase::Phase;
use crate::state::State;

impl EuroFront {
    /// The kernel's side of a faction.
    #[inline]
    pub fn side_of(&self, faction: Faction) -> Side {
        let players = &self.rules.scenario.players;
        Side(players.iter().position(|player| player.faction() == faction).unwrap_or(0) as u8)
    }
    /// The faction of a kernel's side.
    #[inline]
    pub fn faction_of_side(&self, side: Side) -> Faction {
        self.rules.scenario.players[side.index()].faction()
    }
    /// The camp of a kernel's side.
    #[inline]
    pub fn camp_of_side(&self, side: Side) -> Camp {
        self.faction_of_side(side).camp()
    }
}

impl Phases for EuroFront {
    fn set_up<T: Context<Event>>(&self, context: &mut T) -> State {
        self.starting_state(context)
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.phase == Phase::Over
    }

    #[inline]
    fn decider(&self, state: &State) -> Side {
        self.side_of(state.decider)
    }

    #[inline]
    fn generate<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        self.actions(state, out)
    }

    #[inline]
    fn play<T: Context<Event>>(&self, state: &mut State, action: Action, context: &mut T) {
        self.act(state, action, context);
    }

    fn end_phase<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        self.finish_phase(state, context);
    }
}

impl Game for EuroFront {
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
        self.redraw_hidden(state, self.faction_of_side(viewer), dice)
    }

    fn observation(&self, state: &State, viewer: Side) -> u64 {
        self.observation_hash(state, self.faction_of_side(viewer))
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

    /// Fortnights.
    fn turn_number(&self, state: &State) -> u32 {
        let opening = 2 - u32::from(self.rules.calendar[0].fortnights);
        2 * u32::from(state.month) + u32::from(state.fortnight) - opening
    }

    fn describe(&self, state: &State, action: Action) -> String {
        self.describe_action(state, action)
    }
}
