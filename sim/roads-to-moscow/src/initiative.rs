//! Initiative (7.1) and the cups (7.14).

use sandtable_core::{ActionSink, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{Marker, Markers, Player};
use crate::phase::Phase;
use crate::state::State;

impl RoadsToMoscow {
    /// A5: who is First Player. On turn 1 the scenario says (7.11, R90), and he plays a marker before the cups are filled
    /// (R10).
    pub(crate) fn roll_initiative(&self, state: &mut State, context: &mut impl Rolls) {
        if state.turn == 1 {
            state.first = self.rules.scenario.first;
            state.opening = true;
            state.initiative = [0; 2];
            state.active = state.first;
            state.decider = state.first;
            state.phase = Phase::Marker;
            return;
        }
        let rolls = [0, 1].map(|_| context.die(10) as u8);
        let totals: [u8; 2] = std::array::from_fn(|at| rolls[at] + state.initiative[at]);
        let first = Self::first_player(totals, state.first);
        state.first = first;
        // 7.12a: the modifiers are gone, and collected anew.
        state.initiative = [0; 2];
        context.emit(|| Event::Initiative { rolls, totals, first });
        self.fill_cups(state, context);
    }

    /// The higher total; who had it last in a tie (7.13).
    pub(crate) fn first_player(totals: [u8; 2], holder: Player) -> Player {
        match totals[0].cmp(&totals[1]) {
            std::cmp::Ordering::Greater => Player::German,
            std::cmp::Ordering::Less => Player::Soviet,
            std::cmp::Ordering::Equal => holder,
        }
    }

    /// Markers that a player may put into his cup: in play, not in Reserve, not played (7.15, 5.31).
    pub fn available(&self, state: &State, player: Player) -> Markers {
        state
            .in_play
            .and(&self.marker_sets().of[player.index()])
            .difference(&state.played)
            .filter(|marker| !state.reserve.contains(self.formation_of(marker)))
    }

    /// Most markers in the Second Player's cup (7.14): the First Player's in cup and Reserve, and one. On turn 1 the one
    /// he has played counts (R10).
    pub fn cup_limit(&self, state: &State) -> u32 {
        let of_first = state.in_play.and(&self.marker_sets().of[state.first.index()]);
        of_first.len() + u32::from(self.rules.numbers.second_player_extra)
    }

    /// The First Player puts in all; the Second Player all he may, and says which stay out if there are too many.
    pub(crate) fn fill_cups(&self, state: &mut State, context: &mut impl Rolls) {
        state.cup = Markers::EMPTY;
        for player in Player::ALL {
            let markers = self.available(state, player);
            state.cup = state.cup.or(&markers);
        }
        let first = state.first;
        let markers = self.available(state, first).len() as u8;
        context.emit(|| Event::CupFilled { player: first, markers });
        state.phase = Phase::FillingCup;
        state.decider = first.enemy();
    }

    fn cup_of(&self, state: &State, player: Player) -> Markers {
        state.cup.and(&self.marker_sets().of[player.index()])
    }

    pub(crate) fn cup_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let cup = self.cup_of(state, state.decider);
        let too_many = cup.len() > self.cup_limit(state);
        let may_hold_back = self.rules.options.free_cup && cup.len() > 1;
        if !too_many && !may_hold_back {
            return Flow::Continue(());
        }
        if !too_many {
            out.offer(Action::Pass)?;
        }
        out.all([self.one_each(cup)], |_, marker| Action::LeaveOut(marker))
    }

    /// One marker of each formation: two of one formation are alike.
    pub(crate) fn one_each(&self, markers: Markers) -> Markers {
        let mut seen = crate::ids::Formations::EMPTY;
        markers.filter(|marker| {
            let formation = self.formation_of(marker);
            let fresh = !seen.contains(formation);
            seen.insert(formation);
            fresh
        })
    }

    pub(crate) fn cup_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::LeaveOut(marker) = action else { return self.begin_operations(state, context) };
        state.cup.remove(marker);
        state.left_out.insert(marker);
    }

    /// The Operations Segment: the First Player begins, or on turn 1, after his opening, the Second (R10).
    pub(crate) fn begin_operations(&self, state: &mut State, context: &mut impl Rolls) {
        let (second, of_first) =
            (state.first.enemy(), state.played.and(&self.marker_sets().of[state.first.index()]));
        let markers = self.cup_of(state, second).len() as u8;
        context.emit(|| Event::CupFilled { player: second, markers });
        // Only the opening has played a marker before the cups are filled.
        let last = if of_first.is_empty() { second } else { state.first };
        self.next_operations_sequence(state, last, context);
    }

    /// The next sequence after one of `last` (7.23, 7.25): the other player's, his own if the other has no marker left,
    /// the Reorganisation Segment if neither has.
    pub(crate) fn next_operations_sequence(&self, state: &mut State, last: Player, context: &mut impl Rolls) {
        let next = [last.enemy(), last].into_iter().find(|&player| self.has_marker(state, player));
        match next {
            Some(player) => self.begin_operations_sequence(state, player, context),
            None => self.begin_reorganisation(state, context),
        }
    }

    /// Whether a player has a marker in his cup or pool.
    pub fn has_marker(&self, state: &State, player: Player) -> bool {
        state.pool[player.index()].is_some() || !self.cup_of(state, player).is_empty()
    }

    /// Draws a marker from the player's cup, if there is one (7.21).
    pub(crate) fn draw(&self, state: &mut State, player: Player, context: &mut impl Rolls) -> Option<Marker> {
        let cup = self.cup_of(state, player);
        if cup.is_empty() {
            return None;
        }
        let drawn = cup.nth(context.below(cup.len()))?;
        state.cup.remove(drawn);
        context.emit(|| Event::Drawn { marker: drawn });
        Some(drawn)
    }
}
