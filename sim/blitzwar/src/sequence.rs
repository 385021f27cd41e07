//! The sequence of play (8): which phase follows which, who decides, and the loop that plays forced moves.

use std::ops::ControlFlow;

use sandtable_core::{AreaSet, Dice, Lots};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::BlitzWar;
use crate::nation::Force;
use crate::phase::{Pending, Phase};
use crate::rules::Weather;
use crate::state::State;

/// Whether a generator of actions should go on.
pub(crate) type Flow = ControlFlow<()>;

/// Receives legal actions in ascending order.
pub(crate) trait Offer {
    fn offer(&mut self, action: Action) -> Flow;

    /// Offers the rest of a list: what is open to each of these counters or zones, set by set; with `pass`, a pass before
    /// the first. What is open to one may not depend on those asked before it.
    #[inline]
    fn rest<const N: usize>(
        &mut self,
        mut pass: bool,
        sets: [AreaSet<4>; N],
        mut open: impl FnMut(usize, u8) -> Option<Action>,
    ) -> Flow {
        for (set, counters) in sets.into_iter().enumerate() {
            for counter in counters {
                if let Some(action) = open(set, counter) {
                    if std::mem::take(&mut pass) {
                        self.offer(Action::Pass)?;
                    }
                    self.offer(action)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Offers the rest of a list: all counters or zones of these sets.
    #[inline]
    fn all<const N: usize>(
        &mut self,
        sets: [AreaSet<4>; N],
        mut action: impl FnMut(usize, u8) -> Action,
    ) -> Flow {
        self.rest(false, sets, |set, place| Some(action(set, place)))
    }

    /// Offers [`Action::Go`] to each of these places, by location code.
    #[inline]
    fn ways(&mut self, places: AreaSet<4>) -> Flow {
        self.all([places], |_, place| Action::Go(place))
    }

    /// Whether one action is drawn from the list, so that candidates of which it draws until one is open serve as well:
    /// see [`Offer::candidates`].
    fn draws(&self) -> bool {
        false
    }

    /// After an action that is always legal: says that those of so many numbered candidates follow that are `open`. For
    /// who [`Offer::draws`].
    fn candidates(&mut self, count: u32, open: impl FnMut(u32) -> Option<Action>) -> Flow {
        let _ = (count, open);
        Flow::Continue(())
    }

    /// Whether no more is asked than if there are at least two actions.
    fn counts(&self) -> bool {
        false
    }

    /// Answers that there are, without the actions.
    fn at_least_two(&mut self) -> Flow {
        Flow::Continue(())
    }
}

impl Offer for Vec<Action> {
    #[inline]
    fn offer(&mut self, action: Action) -> Flow {
        self.push(action);
        Flow::Continue(())
    }
}

/// Stops at the second action: tells a forced move from a decision.
#[derive(Default)]
struct Choice {
    first: Option<Action>,
    many: bool,
}

impl Offer for Choice {
    #[inline]
    fn offer(&mut self, action: Action) -> Flow {
        if self.first.is_some() {
            self.many = true;
            return Flow::Break(());
        }
        self.first = Some(action);
        Flow::Continue(())
    }

    fn counts(&self) -> bool {
        true
    }

    fn at_least_two(&mut self) -> Flow {
        self.many = true;
        Flow::Break(())
    }
}

/// Draws one of the actions of a list. The rest of a list is drawn from without making it: a counter that turns out to
/// have nothing open is put aside, and the lot falls among what is left.
struct Draw<'a> {
    lots: Lots,
    /// The actions offered one by one: all there are, unless one was drawn from the rest.
    known: &'a mut Vec<Action>,
    drawn: Option<Action>,
}

impl Draw<'_> {
    /// Whether any counter of the sets has something open. What is cheap to ask stands last.
    fn any<const N: usize>(
        sets: &[AreaSet<4>; N],
        open: &mut impl FnMut(usize, u8) -> Option<Action>,
    ) -> bool {
        let mut asked = sets.iter().enumerate().rev();
        asked.any(|(set, counters)| counters.iter().any(|counter| open(set, counter).is_some()))
    }

    /// Sizes of the words of sets, and of all together.
    #[inline]
    fn count<const N: usize>(sets: &[AreaSet<4>; N]) -> ([[u64; 4]; N], u32) {
        let (mut sizes, mut sum) = ([[0; 4]; N], 0);
        for (sizes, set) in sizes.iter_mut().zip(sets) {
            *sizes = set.sizes();
            sum += sizes.iter().sum::<u64>() as u32;
        }
        (sizes, sum)
    }

    /// The set, and the member of it, with this number among all.
    #[inline]
    fn member<const N: usize>(
        sets: &[AreaSet<4>; N],
        sizes: &[[u64; 4]; N],
        nth: u32,
    ) -> Option<(usize, u8)> {
        let (mut set, mut nth) = (0, u64::from(nth));
        while set + 1 < N && nth >= sizes[set].iter().sum() {
            nth -= sizes[set].iter().sum::<u64>();
            set += 1;
        }
        sets.get(set)?.drawn(&sizes[set], nth).map(|member| (set, member))
    }
}

impl Offer for Draw<'_> {
    #[inline]
    fn offer(&mut self, action: Action) -> Flow {
        self.known.push(action);
        Flow::Continue(())
    }

    fn draws(&self) -> bool {
        true
    }

    #[inline]
    fn all<const N: usize>(
        &mut self,
        sets: [AreaSet<4>; N],
        mut action: impl FnMut(usize, u8) -> Action,
    ) -> Flow {
        let sure = self.known.len() as u32;
        let (sizes, left) = Self::count(&sets);
        if left == 0 {
            return Flow::Continue(());
        }
        let nth = self.lots.below(sure + left);
        let Some(nth) = nth.checked_sub(sure) else {
            self.drawn = Some(self.known[nth as usize]);
            return Flow::Break(());
        };
        let Some((set, place)) = Self::member(&sets, &sizes, nth) else { return Flow::Continue(()) };
        if sure + left == 1 {
            return self.offer(action(set, place));
        }
        self.drawn = Some(action(set, place));
        Flow::Break(())
    }

    fn candidates(&mut self, count: u32, mut open: impl FnMut(u32) -> Option<Action>) -> Flow {
        let sure = self.known.len() as u32;
        debug_assert!(sure > 0, "some action is always legal");
        loop {
            let nth = self.lots.below(sure + count);
            if nth < sure {
                if sure > 1 || (0..count).any(|other| open(other).is_some()) {
                    self.drawn = Some(self.known[nth as usize]);
                }
                return Flow::Continue(());
            }
            self.drawn = open(nth - sure);
            if self.drawn.is_some() {
                return Flow::Continue(());
            }
        }
    }

    #[inline]
    fn rest<const N: usize>(
        &mut self,
        pass: bool,
        mut sets: [AreaSet<4>; N],
        mut open: impl FnMut(usize, u8) -> Option<Action>,
    ) -> Flow {
        let sure = self.known.len() as u32;
        debug_assert!(!pass || sure == 0, "a pass comes first");
        let base = sure + u32::from(pass);
        let (mut sizes, mut left) = Self::count(&sets);
        while left > 0 {
            let nth = self.lots.below(base + left);
            if nth < base {
                if sure < 2 && !Self::any(&sets, &mut open) {
                    return Flow::Continue(());
                }
                self.drawn = Some(if pass { Action::Pass } else { self.known[nth as usize] });
                return Flow::Break(());
            }
            let Some((set, counter)) = Self::member(&sets, &sizes, nth - base) else { break };
            sets[set].remove(counter);
            sizes[set][counter as usize / 64] -= 1;
            left -= 1;
            let Some(action) = open(set, counter) else { continue };
            if base == 0 && !Self::any(&sets, &mut open) {
                return self.offer(action);
            }
            self.drawn = Some(action);
            return Flow::Break(());
        }
        Flow::Continue(())
    }
}

/// Stops at the first action: tells whether there is any.
#[derive(Default)]
pub(crate) struct FirstOnly {
    pub any: bool,
}

impl Offer for FirstOnly {
    #[inline]
    fn offer(&mut self, _action: Action) -> Flow {
        self.any = true;
        Flow::Break(())
    }
}

/// Offers [`Action::Pass`] before the first other action, and nothing if there is no other. Asks for no short cuts.
pub(crate) struct PassFirst<'a, O: Offer> {
    out: &'a mut O,
    offered: bool,
}

impl<'a, O: Offer> PassFirst<'a, O> {
    pub(crate) fn new(out: &'a mut O) -> Self {
        PassFirst { out, offered: false }
    }
    /// Offers the pass now.
    pub(crate) fn offer_pass(&mut self) -> Flow {
        self.offered = true;
        self.out.offer(Action::Pass)
    }
    /// The receiver itself, for lists without a pass.
    pub(crate) fn inner(&mut self) -> &mut O {
        self.out
    }
}

impl<O: Offer> Offer for PassFirst<'_, O> {
    #[inline]
    fn offer(&mut self, action: Action) -> Flow {
        if !self.offered {
            self.offered = true;
            self.out.offer(Action::Pass)?;
        }
        self.out.offer(action)
    }

    #[inline]
    fn rest<const N: usize>(
        &mut self,
        pass: bool,
        sets: [AreaSet<4>; N],
        open: impl FnMut(usize, u8) -> Option<Action>,
    ) -> Flow {
        self.out.rest(pass || !self.offered, sets, open)
    }
}

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
    pub(crate) fn play(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        match (state.pending, state.phase) {
            (Pending::Excess { .. }, _) => self.excess_apply(state, action, table),
            (Pending::Reorganisation, _) => self.reorganise(state, action, table),
            (_, Phase::Over) => {}
            (_, Phase::Deployment) => self.deployment_apply(state, action, table),
            (_, Phase::Diplomacy) => self.diplomacy_apply(state, action, table),
            (_, Phase::Cards) => self.card_apply(state, action, table),
            (_, Phase::Minors) => self.minor_apply(state, action, table),
            (_, Phase::PowerLosses) => self.loss_apply(state, action, table),
            (_, Phase::LendLease) => self.lend_lease_apply(state, action, table),
            (_, Phase::Placement) => self.placement_apply(state, action, table),
            (_, Phase::Reorganisation) => self.reorganisation_phase_apply(state, action, table),
            (_, Phase::NavalMovement | Phase::NavalCombat) => self.naval_apply(state, action, table),
            (
                _,
                Phase::Bombing
                | Phase::BattleOfBritain
                | Phase::TacticalAir
                | Phase::Beachheads
                | Phase::StrategicAir
                | Phase::LateAir,
            ) => self.air_apply(state, action, table),
            (_, Phase::SeaTransport) => self.transport_apply(state, action, table),
            (_, Phase::Fortification | Phase::StrategicMovement | Phase::TacticalMovement) => {
                self.movement_apply(state, action, table);
            }
            (_, Phase::Blitz | Phase::Normal) => self.combat_apply(state, action, table),
            (_, Phase::BlitzMove | Phase::NormalMove | Phase::OutOfSupply) => {
                self.one_zone_apply(state, action, table);
            }
        }
    }

    /// Plays an action and everything forced after it, up to the next real decision or the end.
    pub(crate) fn play_on(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        self.play(state, action, table);
        self.settle(state, table);
    }

    /// Plays forced moves and empty phases until there is a decision.
    pub(crate) fn settle(&self, state: &mut State, table: &mut impl Rolls) {
        self.settle_listing(state, table, &mut Vec::new(), |_| false);
    }

    /// The same, and leaves the actions of the decision in `legal`: none if the game is over, or if they are not `wanted`.
    pub(crate) fn settle_listing(
        &self,
        state: &mut State,
        table: &mut impl Rolls,
        legal: &mut Vec<Action>,
        wanted: impl Fn(&State) -> bool,
    ) {
        loop {
            legal.clear();
            if state.phase == Phase::Over {
                return;
            }
            self.renew(state);
            let (first, many) = if wanted(state) {
                let _ = self.generate(state, legal);
                (legal.first().copied(), legal.len() > 1)
            } else {
                let mut choice = Choice::default();
                let _ = self.generate(state, &mut choice);
                (choice.first, choice.many)
            };
            match first {
                _ if many => return,
                Some(only) => self.play(state, only, table),
                None => self.end_phase(state, table),
            }
        }
    }

    /// The same, and draws an action of the decision; `None` if the game is over. `known` is scratch space.
    pub(crate) fn settle_drawing(
        &self,
        state: &mut State,
        table: &mut impl Rolls,
        lots: Lots,
        known: &mut Vec<Action>,
    ) -> Option<Action> {
        loop {
            if state.phase == Phase::Over {
                return None;
            }
            self.renew(state);
            let drawn = self.draw_one(state, lots, known);
            match drawn {
                Some(_) => return drawn,
                None if known.is_empty() => self.end_phase(state, table),
                None => self.play(state, known[0], table),
            }
        }
    }

    /// Draws one of at least two legal actions. If there is only one, leaves it in `known`, which else is empty.
    pub(crate) fn draw_one(&self, state: &State, lots: Lots, known: &mut Vec<Action>) -> Option<Action> {
        known.clear();
        let mut draw = Draw { lots, known, drawn: None };
        let _ = self.generate(state, &mut draw);
        let Draw { mut lots, known, drawn } = draw;
        match known.len() {
            _ if drawn.is_some() => drawn,
            0 | 1 => None,
            many => Some(known[lots.below(many as u32) as usize]),
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
    pub(crate) fn end_phase(&self, state: &mut State, table: &mut impl Rolls) {
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
        self.next_phase(state, table);
    }

    pub(crate) fn start(&self, state: &mut State, phase: Phase, force: Force, table: &mut impl Rolls) {
        state.phase = phase;
        state.pending = Pending::None;
        state.tally = [0; 4];
        state.set_active(force);
        table.tell(|| Event::PhaseBegins { phase, force });
        match phase {
            Phase::Minors => self.minors_begin(state, table),
            Phase::PowerLosses => self.losses_begin(state, table),
            Phase::LendLease => self.lend_lease_begin(state, table),
            Phase::NavalMovement => self.side_begins(state),
            Phase::TacticalAir => self.tactical_air_begins(state, table),
            Phase::Blitz | Phase::Normal => Self::combat_begins(state),
            Phase::OutOfSupply => self.mark_unsupplied(state),
            _ => {}
        }
        if matches!(phase, Phase::Reorganisation | Phase::SeaTransport | Phase::TacticalMovement) {
            state.sorted = false;
            Self::forget_reorganisation(state);
        }
    }

    fn next_phase(&self, state: &mut State, table: &mut impl Rolls) {
        // Units that find no place are dropped kind by kind before the subphase ends (11.5).
        if state.phase == Phase::Placement && Self::drop_unplaceable(state, table) {
            return;
        }
        let force = state.active;
        let after = match force {
            Force::Axis => Some(Force::Allied),
            Force::Allied => Some(Force::Soviet),
            Force::Soviet => None,
        };
        let (phase, force) = match state.phase {
            Phase::Deployment => return self.begin_turn(state, table),
            Phase::Diplomacy => (Phase::Cards, Force::Axis),
            // Phases 1 to 3: all sides play a subphase before the next one starts (8).
            Phase::Cards => match after {
                Some(next) => (Phase::Cards, next),
                // The first turn has no Reinforcement Phase (11.1).
                None if state.turn == self.rules.setup.first_turn => (Phase::NavalMovement, Force::Axis),
                None => (Phase::Minors, Force::Axis),
            },
            Phase::Minors => after.map_or((Phase::PowerLosses, Force::Axis), |next| (Phase::Minors, next)),
            Phase::PowerLosses => {
                after.map_or((Phase::LendLease, Force::Allied), |next| (Phase::PowerLosses, next))
            }
            Phase::LendLease => (Phase::Placement, Force::Axis),
            Phase::Placement => {
                after.map_or((Phase::Reorganisation, Force::Axis), |next| (Phase::Placement, next))
            }
            Phase::Reorganisation => {
                if let Some(next) = after {
                    (Phase::Reorganisation, next)
                } else {
                    self.spend_bombers(state, table);
                    (Phase::NavalMovement, Force::Axis)
                }
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
            Phase::LateAir => {
                self.side_ends(state, table);
                match after {
                    Some(next) => (Phase::NavalMovement, next),
                    None if state.turn >= self.rules.setup.last_turn => {
                        return self.final_score(state, table);
                    }
                    None => {
                        state.turn += 1;
                        return self.begin_turn(state, table);
                    }
                }
            }
            Phase::Over => return,
        };
        self.start(state, phase, force, table);
    }

    /// Begins a turn with the Diplomatic Phase (9).
    pub(crate) fn begin_turn(&self, state: &mut State, table: &mut impl Rolls) {
        let turn = state.turn;
        table.tell(|| Event::TurnBegins { turn });
        self.start(state, Phase::Diplomacy, Force::Axis, table);
        self.diplomacy_begin(state, table);
    }
}
