//! Beachheads (15.6): in preparation, ready, placed, disrupted. Their blocks never stand among units: a placed one is in a
//! hex without being one of those that stand there.

use sandtable_core::{ActionSink, Flow, Hex};

use crate::Action;
use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{BlockId, Blocks, Camp, Faction, Hexes, is_on_map, place};
use crate::phase::Phase;
use crate::rules::{Entry, Kind};
use crate::state::{Mark, State};

impl EuroFront {
    /// Beachheads by number, with their amphibious units.
    fn beachheads(&self) -> impl Iterator<Item = (usize, BlockId, BlockId)> + '_ {
        self.seas().beachheads.iter().enumerate().map(|(number, &(block, unit))| (number, block, unit))
    }

    /// Number of the beachhead placed in a hex.
    pub(crate) fn beachhead_at(&self, state: &State, hex: Hex) -> Option<usize> {
        self.beachheads().find(|&(_, block, _)| state.at(block) == hex).map(|(number, _, _)| number)
    }

    /// Hexes with beachheads of a camp.
    pub(crate) fn placed_beachheads(&self, state: &State, camp: Camp) -> Hexes {
        self.places_of_beachheads(state, camp).collect()
    }

    /// Places of the beachheads of a camp, one by one.
    pub(crate) fn places_of_beachheads(&self, state: &State, camp: Camp) -> impl Iterator<Item = Hex> {
        let own = self.beachheads().filter(move |&(_, block, _)| self.camp(block) == camp);
        own.map(|(_, block, _)| state.at(block)).filter(|&hex| is_on_map(hex))
    }

    /// Whether a beachhead has no function in this fortnight (15.64).
    #[inline]
    pub(crate) fn is_disrupted(&self, state: &State, number: usize) -> bool {
        state.sea.disrupted >> number & 1 != 0
    }

    /// A beachhead is disrupted, or works again.
    pub(crate) fn disrupt(&self, state: &mut State, number: usize, on: bool) {
        let bit = 1 << number;
        if on {
            state.sea.disrupted |= bit;
        } else {
            state.sea.disrupted &= !bit;
        }
    }

    /// A beachhead, by its block, is disrupted or recovers (15.64).
    pub(crate) fn disrupt_block(&self, state: &mut State, block: BlockId, on: bool) {
        if let Some((number, _, _)) = self.beachheads().find(|&(_, other, _)| other == block) {
            self.disrupt(state, number, on);
        }
    }

    /// Whether the beachhead of a block is disrupted (15.64).
    pub fn beachhead_is_disrupted(&self, state: &State, block: BlockId) -> bool {
        let number = self.beachheads().find(|&(_, other, _)| other == block);
        number.is_some_and(|(number, _, _)| self.is_disrupted(state, number))
    }

    /// An amphibious unit has landed: its beachhead may follow (15.62).
    pub(crate) fn lands(&self, state: &mut State, unit: BlockId) {
        if let Some((number, _, _)) = self.beachheads().find(|&(_, _, other)| other == unit) {
            state.sea.landed |= 1 << number;
        }
    }

    /// A unit goes elsewhere: where it has landed it is no more.
    pub(crate) fn leaves_beach(&self, state: &mut State, unit: BlockId) {
        if state.sea.landed == 0 {
            return;
        }
        if let Some((number, _, _)) = self.beachheads().find(|&(_, _, other)| other == unit) {
            state.sea.landed &= !(1 << number);
        }
    }

    /// Whether an Allied amphibious unit fires double from its own beachhead (15.66).
    pub(crate) fn is_in_own_beachhead(&self, state: &State, unit: BlockId) -> bool {
        self.brief(unit).faction == Faction::Allies
            && self.beachheads().any(|(number, block, other)| {
                other == unit && state.at(block) == state.at(unit) && !self.is_disrupted(state, number)
            })
    }

    /// Beachheads that come this month go into their boxes (11.8, 15.6): of one step those that are ready.
    pub(crate) fn receive_beachheads(&self, state: &mut State) {
        for (_, block, _) in self.beachheads() {
            if let Entry::Reinforcement { month, steps, .. } = self.rules.scenario.entries[block.0 as usize]
                && state.at(block) == place::AWAITING
                && month <= state.month
            {
                let to = if steps > 0 { place::READY } else { place::PREPARING };
                self.put_beachhead(state, block, to);
            }
        }
    }

    // ---- production (11.74) ----

    /// Points that bring a beachhead from elimination to preparation, and from there to readiness.
    pub(crate) fn beachhead_price(&self) -> u8 {
        let costs = &self.rules.kinds[Kind::Beachhead as usize].costs;
        costs.iter().flatten().map(|cost| cost.step).next().unwrap_or(u8::MAX)
    }

    /// Beachheads of the active faction that can be brought on in this production.
    pub(crate) fn beachheads_to_build(&self, state: &State) -> Blocks {
        let mine = self.beachheads().map(|(_, block, _)| block);
        mine.filter(|&block| {
            self.brief(block).faction == state.active
                && matches!(state.at(block), place::PREPARING | place::ELIMINATED)
                && !state.has(block, Mark::Ordered)
        })
        .collect()
    }

    /// A production is complete: beachheads that have been paid for are brought on.
    pub(crate) fn advance_beachheads(&self, state: &mut State) {
        for (_, block, _) in self.beachheads() {
            if state.has(block, Mark::Ordered) {
                let ready = match (state.at(block), &self.rules.scenario.entries[block.0 as usize]) {
                    // One that was brought forward comes as it would have come (11.82).
                    (place::AWAITING, &Entry::Reinforcement { steps, .. }) => steps > 0,
                    (at, _) => at == place::PREPARING,
                };
                self.put_beachhead(state, block, if ready { place::READY } else { place::PREPARING });
            }
        }
    }

    // ---- placing and withdrawing (15.62) ----

    /// Whether the next beachhead of the active faction may be placed or withdrawn: it becomes the decision at hand.
    pub(crate) fn turn_to_beachhead(&self, state: &mut State) -> bool {
        let from = usize::from(state.cursor);
        let next = self.beachheads().skip(from).find(|&(number, block, unit)| {
            self.brief(block).faction == state.active
                && (self.may_place(state, number, block, unit) || self.may_withdraw(state, block))
        });
        let Some((number, block, _)) = next else { return false };
        state.phase = Phase::Beachhead;
        state.subject = block;
        state.decider = state.active;
        state.cursor = number as u16 + 1;
        true
    }

    fn may_place(&self, state: &State, number: usize, block: BlockId, unit: BlockId) -> bool {
        let at = state.at(unit);
        state.at(block) == place::READY
            && is_on_map(at)
            && state.sea.landed >> number & 1 != 0
            && self.beachhead_at(state, at).is_none()
            && !(self.brief(block).faction == Faction::Soviets && self.is_mediterranean_coast(at))
    }

    fn may_withdraw(&self, state: &State, block: BlockId) -> bool {
        is_on_map(state.at(block)) && !state.is_battle(state.at(block))
    }

    pub(crate) fn beachhead_choices<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let block = state.subject;
        if block.is_none() {
            return Flow::Continue(());
        }
        out.offer(Action::Pass)?;
        let Some((number, _, unit)) = self.beachheads().find(|&(_, other, _)| other == block) else {
            return Flow::Continue(());
        };
        if self.may_withdraw(state, block) {
            out.offer(Action::Yes)?;
        }
        if self.may_place(state, number, block, unit) {
            out.offer(Action::Place(state.at(unit)))?;
        }
        Flow::Continue(())
    }

    /// The beachhead at hand is placed, or withdrawn to the box of preparation.
    pub(crate) fn settle_beachhead<T: crate::Rolls>(
        &self,
        state: &mut State,
        action: Action,
        context: &mut T,
    ) {
        let block = state.subject;
        match action {
            Action::Place(at) => {
                self.put_beachhead(state, block, at);
                context.emit(|| Event::BeachheadPlaced { block, at });
            }
            Action::Yes => {
                let at = state.at(block);
                self.put_beachhead(state, block, place::PREPARING);
                context.emit(|| Event::BeachheadGone { block, at, lost: false });
            }
            _ => {}
        }
    }

    /// A beachhead goes into a hex or box, among no units.
    pub(crate) fn put_beachhead(&self, state: &mut State, block: BlockId, to: Hex) {
        state.places.put(block, to);
        if let Some((number, _, _)) = self.beachheads().find(|&(_, other, _)| other == block) {
            self.disrupt(state, number, false);
        }
        state.board_changes();
    }

    /// Beachheads that the enemy has, without friendly units there, are lost (15.6).
    pub(crate) fn lose_beachheads<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if self.seas().beachheads.iter().all(|&(block, _)| !is_on_map(state.at(block))) {
            return;
        }
        self.update_control(state);
        for (_, block, _) in self.beachheads() {
            let at = state.at(block);
            if !is_on_map(at) {
                continue;
            }
            let camp = self.camp(block);
            let (own, enemy) = (camp.index(), camp.enemy().index());
            let taken = state.occupied[enemy].contains(at) || state.friendly[enemy].contains(at);
            if taken && !state.occupied[own].contains(at) {
                self.put_beachhead(state, block, place::ELIMINATED);
                context.emit(|| Event::BeachheadGone { block, at, lost: true });
            }
        }
    }

    // ---- storms and interception (15.64) ----

    /// Storms disrupt beachheads for the fortnight; in others they work again.
    pub(crate) fn storm_beachheads(&self, state: &mut State) {
        state.sea.disrupted = 0;
        for (number, block, _) in self.beachheads() {
            let at = state.at(block);
            if is_on_map(at) && self.seas().coast(at).intersects(&state.sea.storms) {
                self.disrupt(state, number, true);
            }
        }
    }
}
