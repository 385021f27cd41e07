//! Movement (6.0): who may move, where to, and what a move does. Retreats end in [`crate::retreat`].

use sandtable_core::{ActionSink, Direction, Flow, Hex};

use crate::action::Action;
use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{BlockId, Blocks, Camp, Hexes};
use crate::state::{Mark, State};

/// Where a unit gets by land without leaving or entering a battle.
pub(crate) struct Marches {
    /// Hexes in which it may end its move, its own not among them.
    pub reached: Hexes,
    /// Hexes from which it may go on one hex further, its own included.
    pub onward: Hexes,
}

impl EuroFront {
    // ---- who (6.1) ----

    /// Speed of a unit that starts its move where it stands (6.71).
    pub fn speed(&self, state: &State, block: BlockId) -> u8 {
        self.brief(block).speed[self.weather(state, state.at(block)) as usize]
    }

    /// Units of the active camp that no headquarters keeps from moving: not those that have moved, nor headquarters that
    /// are or have been activated.
    fn rested(&self, state: &State) -> Blocks {
        let busy = state.marked(Mark::Active).or(state.marked(Mark::Deactivated));
        state.standing[state.camp().index()].difference(state.marked(Mark::Moved)).difference(&busy)
    }

    /// Whether a field headquarters commands a unit (5.31): not static units (2.27), nor who has moved strategically
    /// (6.62).
    fn is_commanded(&self, state: &State, block: BlockId) -> bool {
        state.commanded.contains(state.at(block))
            && !self.sets().supreme_only.contains(block)
            && !state.has(block, Mark::Strategic)
    }

    pub(crate) fn movers<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let rested = self.rested(state);
        let orders = self.who_orders(state).is_some();
        let candidates = if orders { rested } else { rested.filter(|block| self.is_commanded(state, block)) };
        out.offer(Action::Pass)?;
        let engaged = state.places.standing(&candidates, |at| state.is_battle(at));
        let last = engaged.filter(|block| self.is_last(state, block));
        out.rest(None, [candidates.difference(&last), last], |set, block| {
            self.can_move(state, block, orders).then_some(if set == 0 {
                Action::Unit(block)
            } else {
                Action::Rearguard(block)
            })
        })
    }

    /// Whether a unit can go anywhere.
    fn can_move(&self, state: &State, block: BlockId, orders: bool) -> bool {
        let by_land = self.is_commanded(state, block) || orders && !state.has(block, Mark::Strategic);
        if state.is_battle(state.at(block)) {
            return by_land && self.ways_out(state, block).next().is_some()
                || orders && !self.rail_destinations(state, block, self.camp(block)).is_empty();
        }
        by_land && {
            let marches = self.marches(state, block);
            !marches.reached.is_empty() || self.engagements(state, block, &marches).next().is_some()
        } || orders && !self.rail_destinations(state, block, self.camp(block)).is_empty()
    }

    /// Whether a unit is the last of its camp in a battle that has been there since before this Movement Phase (6.5).
    fn is_last(&self, state: &State, block: BlockId) -> bool {
        let others = state.stack(state.at(block), self.camp(block)).difference(&Blocks::one(block));
        others.difference(state.marked(Mark::Entered)).difference(state.marked(Mark::Rearguard)).is_empty()
    }

    // ---- where (6.1, 6.3) ----

    pub(crate) fn destinations<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let block = state.subject;
        let orders = self.who_orders(state).is_some();
        let by_land = self.is_commanded(state, block) || orders && !state.has(block, Mark::Strategic);
        let mut go = Hexes::EMPTY;
        if state.is_battle(state.at(block)) {
            if by_land {
                self.disengagements(state, block, out)?;
            }
        } else if by_land {
            let marches = self.marches(state, block);
            for (hex, way) in self.engagements(state, block, &marches) {
                out.offer(Action::Engage(hex, way))?;
            }
            go = marches.reached;
        }
        let rail = if orders { self.rail_destinations(state, block, self.camp(block)) } else { Hexes::EMPTY };
        out.all([go, rail], |set, hex| if set == 0 { Action::Go(hex) } else { Action::Rail(hex) })
    }

    /// Hexes in which who enters must stop (6.1, 12.3): by terrain, and wherever there is mud.
    fn stops(&self, state: &State, block: BlockId) -> Hexes {
        if self.sets().ignores_stop.contains(block) {
            return Hexes::EMPTY;
        }
        let map = self.map();
        let mut stops = map.stops;
        for (front, &weather) in state.weather.iter().enumerate() {
            if self.rules.weather[weather as usize].stop {
                stops = stops.or(&map.under_weather[front]);
            }
            if self.rules.weather[weather as usize].swamp_as_forest {
                stops = stops.difference(&map.swamps.and(&map.under_weather[front]));
            }
        }
        stops
    }

    /// Where a unit gets that starts in no battle.
    pub(crate) fn marches(&self, state: &State, block: BlockId) -> Marches {
        let at = state.at(block);
        let mut marches = self.march_from(state, block, at, self.speed(state, block));
        // A strait is crossed by who starts beside it, and ends there (1.371).
        let enemy = &state.occupied[self.camp(block).enemy().index()];
        if self.speed(state, block) > 0 {
            let over = self.board().across(&Hexes::one(at), &self.map().straits);
            let over = over.and(&self.map().in_play).difference(enemy);
            marches.reached = marches.reached.or(&self.with_room(state, &over, self.camp(block)));
        }
        marches
    }

    /// Where a unit gets from a hex in so many steps through hexes without enemies.
    fn march_from(&self, state: &State, block: BlockId, from: Hex, speed: u8) -> Marches {
        let camp = self.camp(block);
        let open = self.map().in_play.difference(&state.occupied[camp.enemy().index()]);
        let stops = self.stops(state, block);
        let start = Hexes::one(from);
        let (mut reached, mut onward, mut frontier) = (start, Hexes::EMPTY, start);
        for _ in 0..speed {
            onward = onward.or(&frontier);
            let next = self.board().across(&frontier, &self.map().walkable).and(&open);
            frontier = next.difference(&reached).difference(&stops);
            reached = reached.or(&next);
        }
        reached.remove(from);
        Marches { reached: self.with_room(state, &reached, camp), onward }
    }

    /// Hexes among some in which one more block of a camp may end its move.
    fn with_room(&self, state: &State, hexes: &Hexes, camp: Camp) -> Hexes {
        let crowded = hexes.and(&state.occupied[camp.index()]).filter(|hex| !self.has_room(state, hex, camp));
        hexes.difference(&crowded)
    }

    /// Enemies that a unit may engage, and in which direction it enters their hex (6.31). Headquarters engage nobody
    /// (5.1).
    fn engagements<'a>(
        &'a self,
        state: &'a State,
        block: BlockId,
        marches: &Marches,
    ) -> impl Iterator<Item = (Hex, Direction)> + use<'a> {
        let camp = self.camp(block);
        let at = state.at(block);
        let enemy = state.occupied[camp.enemy().index()].and(&self.map().in_play);
        let near = self.board().across(&marches.onward, &self.map().land);
        let barred = self.brief(block).kind.is_headquarters();
        let targets = if barred { Hexes::EMPTY } else { self.with_room(state, &near.and(&enemy), camp) };
        let onward = marches.onward;
        targets.into_iter().flat_map(move |hex| {
            Direction::ALL.into_iter().filter_map(move |way| {
                let from = self.board().neighbour(hex, way.opposite())?;
                let starts =
                    if self.map().straits.contains(from, way) { from == at } else { onward.contains(from) };
                let open =
                    starts && self.map().land.contains(from, way) && self.capacity(state, from, way) > 0;
                open.then_some((hex, way))
            })
        })
    }

    /// The directions in which a unit may leave its battle (6.32): into controlled hexes without a battle.
    fn ways_out<'a>(
        &'a self,
        state: &'a State,
        block: BlockId,
    ) -> impl Iterator<Item = (Direction, Hex)> + 'a {
        let at = state.at(block);
        let refuge = self.refuge(state, self.camp(block));
        let barred = self.speed(state, block) == 0;
        Direction::ALL.into_iter().filter_map(move |way| {
            let next = self.beyond(at, way)?;
            let open = !barred && refuge.contains(next) && self.capacity(state, at, way) > 0;
            (open && !self.goes_on(state, block, way, next).is_empty()).then_some((way, next))
        })
    }

    /// Where a unit that leaves its battle in a direction may end its move: it may go on, but not engage (6.32).
    fn goes_on(&self, state: &State, block: BlockId, way: Direction, next: Hex) -> Hexes {
        let camp = self.camp(block);
        let halted =
            self.map().straits.contains(state.at(block), way) || self.stops(state, block).contains(next);
        let left = if halted { 0 } else { self.speed(state, block) - 1 };
        let mut beyond = self.march_from(state, block, next, left).reached;
        beyond.remove(state.at(block));
        beyond.or(&self.with_room(state, &Hexes::one(next), camp))
    }

    pub(crate) fn disengagements<O: ActionSink<Action>>(
        &self,
        state: &State,
        block: BlockId,
        out: &mut O,
    ) -> Flow {
        for (way, next) in self.ways_out(state, block) {
            for hex in self.goes_on(state, block, way, next) {
                out.offer(Action::Disengage(way, hex))?;
            }
        }
        Flow::Continue(())
    }

    // ---- rail moves (9.2) ----

    /// Where a unit gets in one rail move: along friendly railways, not through or into battles; out of a battle that its
    /// camp controls if others stay there (9.21, 9.22).
    pub(crate) fn rail_destinations(&self, state: &State, block: BlockId, camp: Camp) -> Hexes {
        let at = state.at(block);
        if !state.network.contains(at) {
            return Hexes::EMPTY;
        }
        let steps = u32::from(self.rules.numbers.rail_move);
        let mut reached = if state.is_battle(at) {
            let beyond = |next| self.along_rails(state, next, steps - 1);
            self.rail_exits(state, block).fold(Hexes::EMPTY, |all, (_, next)| all.or(&beyond(next)))
        } else {
            self.along_rails(state, at, steps)
        };
        reached.remove(at);
        self.with_room(state, &reached, camp)
    }

    /// Hexes at most so many steps from one along friendly railways in play, battles left out.
    fn along_rails(&self, state: &State, from: Hex, steps: u32) -> Hexes {
        let open = state.network.and(&self.map().in_play).difference(&state.battles());
        self.board().within_across(Hexes::one(from), steps, &open, &self.map().rails)
    }

    /// The directions in which a unit may leave its battle by rail: not the last of its camp (9.22), and within the limit
    /// of the hexside (6.33).
    fn rail_exits<'a>(
        &'a self,
        state: &'a State,
        block: BlockId,
    ) -> impl Iterator<Item = (Direction, Hex)> + use<'a> {
        let at = state.at(block);
        let refuge = self.refuge(state, self.camp(block)).and(&state.network).and(&self.map().in_play);
        let barred = self.is_last(state, block);
        Direction::ALL.into_iter().filter_map(move |way| {
            let next = self.board().neighbour(at, way)?;
            let open = !barred && refuge.contains(next) && self.map().rails.contains(at, way);
            (open && self.capacity(state, at, way) > 0).then_some((way, next))
        })
    }

    // ---- what a move does ----

    /// The move of the unit at hand, and who ordered it.
    pub(crate) fn move_unit<T: crate::Rolls>(&self, state: &mut State, action: Action, context: &mut T) {
        let block = state.subject;
        if matches!(action, Action::Rail(_)) || !self.is_commanded(state, block) {
            self.order(state);
        }
        self.carry_out(state, block, action, context);
    }

    /// A supreme or theatre headquarters orders a Supreme Move (5.71).
    pub(crate) fn order(&self, state: &mut State) {
        if let Some(headquarters) = self.who_orders(state) {
            state.orders[usize::from(self.brief(headquarters).headquarters)] += 1;
        }
    }

    /// A rearguard is named (6.51); if no field headquarters commands it, that is a Supreme Move.
    pub(crate) fn name_rearguard(&self, state: &mut State, block: BlockId) {
        if !self.is_commanded(state, block) {
            self.order(state);
        }
        state.mark(block, Mark::Rearguard, true);
        state.mark(block, Mark::Moved, true);
    }

    /// A unit goes where the action says.
    pub(crate) fn carry_out<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        action: Action,
        context: &mut T,
    ) {
        let from = state.at(block);
        let camp = self.camp(block);
        match action {
            Action::Go(to) => {
                self.shift(state, block, to, context);
                context.emit(|| Event::Moved { block, from, to });
            }
            Action::Rail(to) => {
                state.mark(block, Mark::Strategic, true);
                if state.is_battle(from) {
                    // The first way that leads there (9.22).
                    let steps = u32::from(self.rules.numbers.rail_move) - 1;
                    let leads =
                        |&(_, next): &(Direction, Hex)| self.along_rails(state, next, steps).contains(to);
                    let exit = self.rail_exits(state, block).find(leads);
                    if let Some((way, _)) = exit {
                        state.crossing[block] = self.crossing(from, way);
                    }
                    let active = state.has(block, Mark::Active);
                    state.mark(block, Mark::Revealed, active);
                }
                self.shift(state, block, to, context);
                context.emit(|| Event::MovedByRail { block, from, to });
                return;
            }
            Action::Engage(to, way) => {
                if let Some(gate) = self.board().neighbour(to, way.opposite()) {
                    state.crossing[block] = self.crossing(gate, way);
                }
                let lasting = state.is_battle(to);
                self.shift(state, block, to, context);
                context.emit(|| Event::Moved { block, from, to });
                state.mark(block, Mark::Entered, true);
                if !lasting {
                    self.begin_battle(state, to, camp.enemy(), context);
                } else if state.original_defender(to) != camp && !state.new_battles.contains(to) {
                    state.mark(block, Mark::Revealed, true); // 7.15
                }
            }
            Action::Disengage(way, to) => {
                state.crossing[block] = self.crossing(from, way);
                let active = state.has(block, Mark::Active);
                state.mark(block, Mark::Revealed, active);
                self.shift(state, block, to, context);
                context.emit(|| Event::Moved { block, from, to });
                self.renew_battle(state, from, camp, context);
            }
            other => debug_assert!(false, "{other:?} is no move"),
        }
        state.mark(block, Mark::Moved, true);
    }

    /// A battle begins (7.11): who stood there is its original defender (7.12).
    pub(crate) fn begin_battle<T: crate::Rolls>(
        &self,
        state: &mut State,
        at: Hex,
        defender: Camp,
        context: &mut T,
    ) {
        state.new_battles.insert(at);
        state.coalition_defends.set(at, defender == Camp::Coalition);
        state.board_changes();
        context.emit(|| Event::BattleBegins { at, defender });
    }

    /// All old units of a camp have left a battle that new ones have entered: a retreat and a new attack (6.4).
    pub(crate) fn renew_battle<T: crate::Rolls>(
        &self,
        state: &mut State,
        at: Hex,
        camp: Camp,
        context: &mut T,
    ) {
        if state.is_battle(at)
            && !state.new_battles.contains(at)
            && state.stack(at, camp).difference(state.marked(Mark::Entered)).is_empty()
        {
            self.begin_battle(state, at, camp.enemy(), context);
        }
    }

    /// The hex from which a unit entered its battle (7.61).
    pub(crate) fn origin(&self, state: &State, block: BlockId) -> Option<Hex> {
        let (hex, way) = state.crossing[block].end()?;
        if hex == state.at(block) { self.board().neighbour(hex, way) } else { Some(hex) }
    }

    /// Whether a unit entered its battle across a river or strait (7.62).
    pub(crate) fn entered_over_river(&self, state: &State, block: BlockId) -> bool {
        state.crossing[block].end().is_some_and(|(hex, way)| self.map().rivers.contains(hex, way))
    }
}
