//! Headquarters (5.0): activation, radius, disruption, deactivation.

use sandtable_core::{ActionSink, Board, Flow, Hex};

use crate::action::Action;
use crate::event::{Cause, Event};
use crate::game::EuroFront;
use crate::ids::{BlockId, Blocks, Hexes, is_on_map};
use crate::phase::{Mode, Phase};
use crate::rules::{Kind, Weather};
use crate::state::{Mark, State};

impl EuroFront {
    // ---- value and radius ----

    /// Command value of a headquarters in effect: one less where weather disrupts it (5.32). Below 0 it commands
    /// nothing.
    pub fn command_value(&self, state: &State, headquarters: BlockId) -> i8 {
        let at = state.at(headquarters);
        let weather = self.weather_effect(state, at);
        let hardy = self.weather(state, at) == Weather::Snow
            && self.rules.nations[self.block(headquarters).nation.0 as usize].winter_headquarters;
        state.steps[headquarters] as i8 - i8::from(weather.disrupts && !hardy)
    }

    /// Hexes within the command radius of a field headquarters, activated or not (5.31): traced through friendly and disputed hexes; the
    /// last may be a battle that the enemy controls.
    pub fn command_area(&self, state: &State, headquarters: BlockId) -> Hexes {
        let radius = self.command_value(state, headquarters);
        let start = Hexes::one(state.at(headquarters));
        if radius < 0 {
            return Hexes::EMPTY;
        }
        let through = self.traceable(state, self.camp(headquarters));
        let land = &self.map().land;
        let Some(inner) = (radius as u32).checked_sub(1) else { return start };
        let inner = self.board().within_across(start, inner, &through, land);
        let last = self.board().across(&inner, land).and(&through.or(&state.battles()));
        inner.or(&last).and(&self.map().in_play)
    }

    /// The hexes that the activated field headquarters of the active camp reach now (5.3, 7.4).
    pub(crate) fn all_command_areas(&self, state: &State) -> Hexes {
        let active = state.marked(Mark::Active).and(&self.sets().field_headquarters);
        active.iter().fold(Hexes::EMPTY, |area, block| area.or(&self.command_area(state, block)))
    }

    /// Supreme Moves a supreme or theatre headquarters may still order in this player turn (5.71, 5.8).
    pub fn orders_left(&self, state: &State, headquarters: BlockId) -> u8 {
        let numbers = &self.rules.numbers;
        let rate = match self.brief(headquarters).kind {
            Kind::SupremeHq => numbers.supreme_moves,
            Kind::TheatreHq => numbers.theatre_moves,
            _ => 0,
        };
        let most = self.command_value(state, headquarters).max(0) as u8 * rate;
        most.saturating_sub(state.orders[usize::from(self.brief(headquarters).headquarters)])
    }

    /// The headquarters that orders the next Supreme Move: the first that still can.
    pub(crate) fn who_orders(&self, state: &State) -> Option<BlockId> {
        let supreme = state.marked(Mark::Active).difference(&self.sets().field_headquarters);
        supreme.iter().find(|&block| self.orders_left(state, block) > 0)
    }

    /// Hexes that the aircraft of a headquarters reach (13.11).
    pub(crate) fn air_area(&self, state: &State, headquarters: BlockId) -> Hexes {
        let value = self.command_value(state, headquarters).max(0) as u32;
        let range = match self.brief(headquarters).kind {
            Kind::SupremeHq => value * u32::from(self.rules.numbers.supreme_air_range),
            _ => value,
        };
        self.board().within_open(Hexes::one(state.at(headquarters)), range, &self.map().air)
    }

    // ---- going through the headquarters one by one ----

    /// The first headquarters of the active faction, from a number on, that is on the map and `wanted`.
    pub(crate) fn next_headquarters(
        &self,
        state: &State,
        from: u16,
        wanted: impl Fn(BlockId) -> bool,
    ) -> Option<BlockId> {
        let list = self.sets().headquarters_list.iter().skip(usize::from(from));
        list.copied().find(|&block| {
            self.brief(block).faction == state.active && is_on_map(state.at(block)) && wanted(block)
        })
    }

    /// Goes on to the next headquarters that is `wanted`, and says whether there is one.
    pub(crate) fn turn_to_headquarters(
        &self,
        state: &mut State,
        phase: Phase,
        wanted: impl Fn(&State, BlockId) -> bool,
    ) -> bool {
        let next = self.next_headquarters(state, state.cursor, |block| wanted(state, block));
        state.subject = next.unwrap_or(BlockId::NONE);
        if let Some(next) = next {
            state.phase = phase;
            state.decider = state.active;
            state.cursor = u16::from(self.brief(next).headquarters) + 1;
        }
        next.is_some()
    }

    // ---- activation (5.2) ----

    /// Whether a headquarters has any command to give (5.32).
    pub(crate) fn can_activate(&self, state: &State, headquarters: BlockId) -> bool {
        self.command_value(state, headquarters) >= 0
    }

    /// Hexes into which a headquarters may deploy, its own included (5.21).
    fn deployments(&self, state: &State, headquarters: BlockId) -> Hexes {
        let at = state.at(headquarters);
        let own = Hexes::one(at);
        if self.weather_effect(state, at).no_deployment {
            return own;
        }
        let camp = self.camp(headquarters);
        // Into what nobody controls it may go (1936 rule 1), but not leave a battle for it.
        let into = if state.is_battle(at) { self.refuge(state, camp) } else { self.open_to(state, camp) };
        self.board().across(&own, &self.map().land).and(&into).difference(&state.battles()).or(&own)
    }

    pub(crate) fn activations<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let block = state.subject;
        if block.is_none() {
            return Flow::Continue(());
        }
        let deployments = self.deployments(state, block);
        // 5.6, 5.74, 5.8: field headquarters of a value alone.
        let blitz = self.brief(block).kind == Kind::Hq && state.steps[block] > 0;
        out.offer(Action::Pass)?;
        out.all([deployments, if blitz { deployments } else { Hexes::EMPTY }], |set, hex| {
            Action::Activate([Mode::Normal, Mode::Blitz][set], hex)
        })
    }

    pub(crate) fn activate<T: crate::Rolls>(&self, state: &mut State, mode: Mode, to: Hex, context: &mut T) {
        let block = state.subject;
        state.mark(block, Mark::Active, true);
        state.mark(block, Mark::Blitz, mode == Mode::Blitz);
        state.mark(block, Mark::Revealed, true);
        context.emit(|| Event::Activated { block, mode, at: to });
        let from = state.at(block);
        if to != from && self.survives_leaving(state, block, context) {
            state.crowded[self.camp(block).index()] |= !self.has_room(state, to, self.camp(block));
            self.shift(state, block, to, context);
            context.emit(|| Event::Moved { block, from, to });
        }
    }

    /// A headquarters leaves its hex: if it is the last of its camp in a battle it takes pursuit fire (5.21, 5.51).
    pub(crate) fn survives_leaving<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        context: &mut T,
    ) -> bool {
        let at = state.at(block);
        let alone = state.stack(at, self.camp(block)) == Blocks::one(block);
        !(state.is_battle(at) && alone) || self.pursue(state, block, context)
    }

    // ---- deactivation (5.5) ----

    /// A headquarters that has exercised command loses a step and goes hidden (5.5); of value 0 it is destroyed (5.31).
    /// A Blitz headquarters does so twice, and stays activated the first time (5.6).
    pub(crate) fn spend<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        stays: bool,
        context: &mut T,
    ) {
        self.lose_step(state, block, Cause::Command, context);
        if stays || !is_on_map(state.at(block)) {
            return;
        }
        let attacker =
            state.is_battle(state.at(block)) && state.original_defender(state.at(block)) != self.camp(block);
        state.mark(block, Mark::Active, false);
        state.mark(block, Mark::Blitz, false);
        state.mark(block, Mark::Deactivated, true);
        state.mark(block, Mark::Revealed, attacker);
        context.emit(|| Event::Deactivated { block });
    }

    /// Whether a headquarters may mobilise now (5.5, 5.6): a Blitz headquarters after Blitz Movement alone.
    pub(crate) fn may_mobilise(&self, state: &State, block: BlockId) -> bool {
        state.has(block, Mark::Active) && (state.blitz || !state.has(block, Mark::Blitz))
    }

    pub(crate) fn mobilisations<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let block = state.subject;
        if block.is_none() {
            return Flow::Continue(());
        }
        let camp = self.camp(block);
        let at = state.at(block);
        out.offer(Action::Pass)?;
        if state.steps[block] == 0 {
            // It is destroyed as it deactivates, here or after combat.
            return out.offer(Action::Go(at));
        }
        let mut go = Hexes::one(at);
        if state.is_battle(at) {
            self.disengagements(state, block, out)?;
        } else {
            go = go.or(&self.marches(state, block).reached);
        }
        let rail = if self.brief(block).kind == Kind::Hq {
            Hexes::EMPTY
        } else {
            self.rail_destinations(state, block, camp)
        };
        out.all([go, rail], |set, hex| if set == 0 { Action::Go(hex) } else { Action::Rail(hex) })
    }

    /// A headquarters deactivates and goes where the action says (5.51).
    pub(crate) fn mobilise<T: crate::Rolls>(&self, state: &mut State, action: Action, context: &mut T) {
        let block = state.subject;
        self.spend(state, block, false, context);
        let stays = action == Action::Go(state.at(block));
        if is_on_map(state.at(block)) && !stays && self.survives_leaving(state, block, context) {
            self.carry_out(state, block, action, context);
        }
    }
}
