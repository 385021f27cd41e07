//! Diplomatic events (16.6): what a side may try in a month, the die, and what an event does.
//!
//! Preconditions and plain effects are data ([`crate::conditions`], `does` of `events.toml`); effects that need a decision or
//! reach further stand in [`EuroFront::carry_out_event`].

use sandtable_core::{ActionSink, Flow, Hex, Index};

use crate::action::Action;
use crate::conditions::{Condition, Count, Reader, count};
use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{Account, BlockId, Blocks, Camp, EventId, Faction, Hexes, NationId, place};
use crate::movement::Ground;
use crate::nations::{DiplomacyState, NationTables, Resume, Ties};
use crate::phase::Phase;
use crate::rules::{Condition as Arrival, Entry, EventRoll, Fact, Goal, Rules, Status};
use crate::state::State;

/// Rail moves that the event CL gives.
const FREE_RAIL_MOVES: i16 = 6;

/// The greatest die with which an event happens.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Chance {
    Always,
    UpTo(u8),
    /// The die is compared with a count; whether equal suffices.
    Count(Count, bool),
}

/// A line of an event: when it may be used, and its chance.
#[derive(Clone, PartialEq, Debug)]
struct Line {
    when: Condition,
    chance: Chance,
}

/// A plain effect of an event.
#[derive(Clone, PartialEq, Debug)]
enum Effect {
    Join(NationId, Faction, Ties),
    Cooperate(NationId, Faction),
    Annex(String, NationId),
    Defeat(NationId),
    Demoralise(NationId),
    Set(Fact, bool),
    Happen(EventId),
    CallUp(Arrival),
}

/// Events, ready for play.
#[derive(Clone, Debug)]
pub struct EventTables {
    lines: Vec<Vec<Line>>,
    effects: Vec<Vec<Effect>>,
}

pub(crate) fn event_tables(rules: &Rules, nations: &NationTables) -> Result<EventTables, String> {
    let mut tables = EventTables { lines: Vec::new(), effects: Vec::new() };
    for event in &rules.events {
        let in_event = |error: String| format!("event {}: {error}", event.id);
        let mut lines = Vec::new();
        for line in &event.lines {
            let when = Reader::read(&line.when, rules, nations).map_err(in_event)?;
            let chance = match &line.roll {
                EventRoll::Always => Chance::Always,
                EventRoll::UpTo(most) => Chance::UpTo(*most),
                EventRoll::Count(name, equal) => Chance::Count(count(name).map_err(in_event)?, *equal),
            };
            lines.push(Line { when, chance });
        }
        tables.lines.push(lines);
        let effects = event.does.iter().map(|text| effect(text, rules));
        tables.effects.push(effects.collect::<Result<_, _>>().map_err(in_event)?);
    }
    Ok(tables)
}

/// An effect in words: `join(italy, axis)`, `annex(bessarabia, ussr)`, `set(phoney_war)`.
fn effect(text: &str, rules: &Rules) -> Result<Effect, String> {
    let unknown = || format!("`{text}` is no effect that the rules know");
    let (name, rest) = text.split_once('(').ok_or_else(unknown)?;
    let words: Vec<&str> = rest.trim_end_matches(')').split(',').map(str::trim).collect();
    let nation = |id: &str| rules.nation(id).ok_or_else(|| format!("`{text}`: `{id}` is no nation"));
    let faction = |id: &str| {
        let known = Faction::ALL.into_iter().find(|faction| faction.id() == id);
        known.ok_or_else(|| format!("`{text}`: `{id}` is no faction"))
    };
    let fact = |id: &str| {
        let known = Fact::ALL.into_iter().find(|fact| fact.id() == id);
        known.ok_or_else(|| format!("`{text}`: `{id}` is no fact that the rules know"))
    };
    Ok(match (name, words.as_slice()) {
        ("join", [id, side]) => Effect::Join(nation(id)?, faction(side)?, Ties::Satellite),
        ("join", [id, side, "semi_restricted"]) => {
            Effect::Join(nation(id)?, faction(side)?, Ties::Interventionist)
        }
        ("join", [id, side, "unrestricted"]) => {
            Effect::Join(nation(id)?, faction(side)?, Ties::CoBelligerent)
        }
        ("cooperate", [id, side]) => Effect::Cooperate(nation(id)?, faction(side)?),
        ("annex", [land, id]) => Effect::Annex((*land).to_owned(), nation(id)?),
        ("defeat", [id]) => Effect::Defeat(nation(id)?),
        ("demoralise", [id]) => Effect::Demoralise(nation(id)?),
        ("set", [id]) => Effect::Set(fact(id)?, true),
        ("clear", [id]) => Effect::Set(fact(id)?, false),
        ("happen", [id]) => {
            Effect::Happen(rules.event(id).ok_or_else(|| format!("`{text}`: `{id}` is no event"))?)
        }
        ("call_up", [id]) => {
            let known = Arrival::ALL.into_iter().find(|condition| condition.id() == *id);
            Effect::CallUp(known.ok_or_else(|| format!("`{text}`: `{id}` is no condition"))?)
        }
        _ => return Err(unknown()),
    })
}

impl EuroFront {
    /// How nations came to war before the scenario: those that events brought are satellites (16.3).
    pub(crate) fn tie_by_events(&self, start: &mut DiplomacyState) {
        for event in &self.rules.scenario.situation.events {
            for effect in &self.tables.events.effects[event.at()] {
                if let Effect::Join(nation, faction, ties) = *effect
                    && start.status[nation] == Status::Belligerent(faction)
                {
                    start.cause[nation] = ties;
                }
            }
        }
    }

    // ---- M2 Diplomacy (4.12) ----

    /// After production: what the months have brought, then one event a side, the Coalition's first (16.6).
    pub(crate) fn begin_diplomacy<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if !self.has_diplomacy() {
            return self.end_diplomacy(state, context);
        }
        self.update_control(state);
        self.age_diplomacy(state);
        state.active = Faction::Allies;
        state.decider = self.player_of(Faction::Allies);
        state.phase = Phase::Diplomacy;
        state.subject = crate::ids::BlockId::NONE;
        state.diplomacy.event = EventId(u8::MAX);
    }

    /// What a new month changes: exploitation (16.73), events that last while their preconditions do.
    pub(crate) fn age_diplomacy(&self, state: &mut State) {
        let now = self.months_since_war(state);
        for (at, nation) in self.rules.nations.iter().enumerate() {
            let id = NationId::nth(at);
            let since = i16::from(state.diplomacy.since[id]);
            if self.status(state, id) == Status::Defeated
                && nation.status != Status::Absent
                && self.was_defeated_by_axis(state, id)
                && now >= crate::objectives::next_of(since, 12) + 6
            {
                state.diplomacy.exploited.insert(id);
            }
        }
        self.end_events(state);
    }

    /// Events that last while their preconditions do end with them (16.6): before a production pays for them, too.
    pub(crate) fn end_events(&self, state: &mut State) {
        for (at, event) in self.rules.events.iter().enumerate() {
            let id = EventId::nth(at);
            if event.times == 0 && state.diplomacy.happened[id] > 0 && !self.is_possible(state, id) {
                state.diplomacy.happened[id] = 0;
            }
        }
    }

    /// Whether one of an event's lines holds.
    fn is_possible(&self, state: &State, event: EventId) -> bool {
        self.tables.events.lines[event.at()].iter().any(|line| line.when.holds(self, state))
    }

    /// The greatest die with which an event that is possible now happens: 6 or more is certain. The side uses its best
    /// line (P05); a count of 0 or 1 may make it hopeless (P06).
    pub fn chance_of(&self, state: &State, event: EventId) -> Option<u8> {
        let lines = self.tables.events.lines[event.at()].iter();
        let open = lines.filter(|line| line.when.holds(self, state));
        open.map(|line| match line.chance {
            Chance::Always => 6,
            Chance::UpTo(most) => self.with_treason(state, event, most),
            Chance::Count(count, equal) => {
                let count = self.count_of(state, count).min(8) as u8;
                let most = if equal { count } else { count.saturating_sub(1) };
                self.with_treason(state, event, most)
            }
        })
        .max()
    }

    /// A side that has committed treason adds 1 to its die; the Soviets' events know no treason (16.41).
    fn with_treason(&self, state: &State, event: EventId, most: u8) -> u8 {
        let side = self.rules.events[event.at()].side;
        let treason = side != Faction::Soviets && state.diplomacy.treason[side.index()];
        most.min(6 + u8::from(treason)).saturating_sub(u8::from(treason))
    }

    /// Events that a camp may try now.
    pub fn possible_events<'a>(
        &'a self,
        state: &'a State,
        camp: Camp,
    ) -> impl Iterator<Item = EventId> + use<'a> {
        let last = usize::from(state.month) + 1 == self.rules.calendar.len();
        // 1940A rule 2.
        let situation = &self.rules.scenario.situation;
        let barred = situation.goal == Goal::FallOfFrance && last && camp == Camp::Coalition;
        // 1940A rule 1.
        let idle = self.is_left_out(self.nations().ussr).then_some(Faction::Soviets);
        let events = self.rules.events.iter().enumerate();
        events.filter(move |_| !barred).filter_map(move |(at, event)| {
            let id = EventId::nth(at);
            let happened = state.diplomacy.happened[id];
            let again = match event.times {
                0 => happened == 0 || event.id == "MR",
                times => happened < times,
            };
            (event.side.camp() == camp
                && Some(event.side) != idle
                && again
                && !situation.failed.contains(&id)
                && situation.only_events.as_ref().is_none_or(|only| only.contains(&id))
                && self.chance_of(state, id).is_some_and(|most| most > 0))
            .then_some(id)
        })
    }

    pub(crate) fn attempts<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let mut any = false;
        for event in self.possible_events(state, state.camp()) {
            if !any {
                out.offer(Action::Pass)?;
                any = true;
            }
            out.offer(Action::Event(event))?;
        }
        Flow::Continue(())
    }

    /// A side tries an event.
    pub(crate) fn attempt<T: crate::Rolls>(&self, state: &mut State, event: EventId, context: &mut T) {
        match self.roll_for(state, event, context) {
            Some(event) => self.happen(state, event, context),
            None => self.turn_to_next_diplomat(state, context),
        }
    }

    /// Rolls for an event that is tried: what happens.
    pub(crate) fn roll_for<T: crate::Rolls>(
        &self,
        state: &State,
        event: EventId,
        context: &mut T,
    ) -> Option<EventId> {
        let up_to = self.chance_of(state, event).unwrap_or(0);
        let roll = if up_to >= 6 { 0 } else { context.die(6) as u8 };
        let happens = roll <= up_to;
        context.emit(|| Event::Diplomacy { event, roll, up_to, happens });
        if happens {
            return Some(event);
        }
        // Who presses Yugoslavia in vain drives it to the other side (YX).
        if self.rules.events[event.at()].id != "YX" || !self.is_neutral(state, self.nations().yugoslavia) {
            return None;
        }
        let other = self.rules.event("YU")?;
        context.emit(|| Event::Diplomacy { event: other, roll: 0, up_to: 6, happens: true });
        Some(other)
    }

    /// An event happens: its effects, and the decisions that come of them.
    pub(crate) fn happen<T: crate::Rolls>(&self, state: &mut State, event: EventId, context: &mut T) {
        state.diplomacy.event = event;
        self.take_effect(state, event, context);
        self.carry_out_event(state, event, context);
    }

    /// The plain effects of an event, and of those that happen with it.
    pub(crate) fn take_effect<T: crate::Rolls>(&self, state: &mut State, event: EventId, context: &mut T) {
        state.diplomacy.happened[event] = state.diplomacy.happened[event].saturating_add(1);
        for effect in &self.tables.events.effects[event.at()] {
            match *effect {
                Effect::Join(nation, faction, ties) => {
                    if self.is_neutral(state, nation) && !self.is_of_the_others(state, nation, faction) {
                        self.join(state, nation, faction, ties, context);
                    }
                }
                Effect::Cooperate(nation, faction) => self.cooperate(state, nation, faction, context),
                Effect::Annex(ref land, nation) => self.annex(state, land, nation),
                Effect::Defeat(nation) => {
                    self.defeat(state, nation, context);
                    let land = self.home(state, nation);
                    self.hand_over(state, &land, Some(self.rules.events[event.at()].side));
                }
                Effect::Demoralise(nation) => self.demoralise(state, nation, context),
                Effect::Set(fact, on) => state.diplomacy.set(fact, on),
                Effect::Happen(other) => {
                    if state.diplomacy.happened[other] == 0 {
                        context.emit(|| Event::Diplomacy { event: other, roll: 0, up_to: 6, happens: true });
                        self.take_effect(state, other, context);
                    }
                }
                Effect::CallUp(condition) => self.call_up(state, condition),
            }
        }
        match self.rules.events[event.at()].id.as_str() {
            "PP" => {
                let baltic = self.nations().baltic_states;
                state.diplomacy.status[baltic] = Status::Defeated;
                state.diplomacy.since[baltic] = self.months_since_war(state) as i8;
                state.diplomacy.set(Fact::PartitionMonth, true);
            }
            "WW" => self.begin_winter_war(state),
            "SG" => self.enter_great_patriotic_war(state),
            "SA" => {
                state.points[Account::Soviets.index()] = 0;
                state.diplomacy.reserved = false;
            }
            // All of the Strategic Reserve comes at once (20.561).
            "SE" => {
                for block in self.reserve_left(state) {
                    let Entry::Upon(_, steps) = self.rules.scenario.entries[block.at()] else { continue };
                    state.put(block, Camp::Coalition, place::AT_HOME);
                    state.steps[block] = steps;
                }
                state.diplomacy.joining.insert(self.nations().ussr);
            }
            "2F" => self.open_second_front(state, context),
            "FI" => {
                let finland = self.nations().finland;
                self.disband_colour(state, finland, Camp::Axis, context);
                self.join(state, finland, Faction::Allies, Ties::Satellite, context);
                // What the Axis does not occupy is the Allies', but for what the Soviets hold (20.82).
                let lost = state.occupied[Camp::Axis.index()].or(&state.owners.of(Camp::Coalition));
                let land = self.territory(state, finland).difference(&lost);
                self.hand_over(state, &land, Some(Faction::Allies));
            }
            "FX" => {
                let finland = self.nations().finland;
                if self.is_neutral(state, finland) {
                    self.join(state, finland, Faction::Axis, Ties::Satellite, context);
                }
                state.diplomacy.set(Fact::WinterWar, false);
            }
            // The 3rd and 4th Shock Armies never come (JI).
            "JI" => {
                for id in ["su_shock_3", "su_shock_4"] {
                    if let Some(block) = self.rules.block(id) {
                        state.put(block, Camp::Coalition, place::REMOVED);
                    }
                }
            }
            "3R" => self.release(state, 0),
            _ => {}
        }
    }

    /// Whether a neutral cooperates with the other side: no event brings it to this one (16.21), but for Vichy, which turns
    /// into Free France (VF).
    fn is_of_the_others(&self, state: &State, nation: NationId, faction: Faction) -> bool {
        let patron = self.patron(state, nation);
        patron.is_some_and(|patron| patron.camp() != faction.camp()) && nation != self.nations().vichy
    }

    /// The Winter War begins (21.48): Finland is on the map, and neutral all the same.
    fn begin_winter_war(&self, state: &mut State) {
        let finland = self.nations().finland;
        state.diplomacy.set(Fact::WinterWar, true);
        state.diplomacy.since[finland] = self.months_since_war(state) as i8;
        let land = self.territory(state, finland);
        self.hand_over(state, &land, Some(Faction::Axis));
        state.diplomacy.joining.insert(finland);
    }

    /// The Second Front (16.71): land satellites, Vichy, Spain and Portugal are demoralised.
    fn open_second_front<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        state.diplomacy.set(Fact::SecondFront, true);
        let named = *self.nations();
        for at in 0..self.rules.nations.len() {
            let nation = NationId::nth(at);
            if self.is_land_satellite(state, nation)
                || [named.vichy, named.spain, named.portugal].contains(&nation)
            {
                self.demoralise(state, nation, context);
            }
        }
    }

    /// Whether a nation fights for the Axis as a satellite whose land counts, not its ports (16.82).
    pub(crate) fn is_land_satellite(&self, state: &State, nation: NationId) -> bool {
        let named = self.nations();
        self.faction_of(state, nation) == Some(Faction::Axis)
            && state.diplomacy.cause[nation] == Ties::Satellite
            && [named.romania, named.hungary, named.bulgaria, named.yugoslavia].contains(&nation)
    }

    /// An army is set free (17.3), by its bit.
    fn release(&self, state: &mut State, bit: u8) {
        state.diplomacy.released |= 1 << bit;
        state.diplomacy.ever_released |= 1 << bit;
    }

    /// What is to be decided in an event; then new belligerents deploy.
    fn carry_out_event<T: crate::Rolls>(&self, state: &mut State, event: EventId, context: &mut T) {
        match self.rules.events[event.at()].id.as_str() {
            "ME" | "MR" => {
                state.phase = Phase::EventNation;
                state.decider = Faction::Axis;
            }
            "CL" => self.open_curzon_line(state, context),
            "XR" | "SR" => {
                state.phase = Phase::EventUnit;
                state.decider = self.player_of(self.rules.events[event.at()].side);
            }
            _ => self.settle_newcomers(state, Resume::Diplomacy, context),
        }
    }

    // ---- the Curzon Line (CL) ----

    /// The Soviets may move six units by rail, for nothing, to the line that parts Poland.
    fn open_curzon_line<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        self.update_control(state);
        state.network = self.faction_lines(state, Faction::Soviets);
        state.diplomacy.peace = FREE_RAIL_MOVES;
        self.turn_to_curzon_line(state, context);
    }

    /// The next of these moves, if any is left and somebody can make one.
    fn turn_to_curzon_line<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        state.subject = BlockId::NONE;
        if state.diplomacy.peace > 0 && !self.movers_to_curzon_line(state).is_empty() {
            state.phase = Phase::EventUnit;
            state.decider = self.player_of(Faction::Soviets);
            return;
        }
        state.diplomacy.peace = 0;
        self.go_on_with_diplomacy(state, context);
    }

    /// Whether free rail moves to the Curzon Line are being made.
    pub(crate) fn is_curzon_line_at_hand(&self, state: &State) -> bool {
        Self::event_at_hand(state).is_some_and(|event| self.rules.events[event.at()].id == "CL")
    }

    /// Soviet hexes along the Curzon Line (20.14): where Eastern Poland borders land of the Axis in the West of Poland, and
    /// Lithuania in East Prussia.
    fn curzon_line(&self, state: &State) -> Hexes {
        let [east, west] = &self.known_lands().curzon_line;
        let axis = state.owners.of(Camp::Axis).and(west);
        east.and(&state.owners.soviet()).and(&self.bordering(&axis))
    }

    /// Where a unit gets by such a move.
    pub(crate) fn places_at_curzon_line(&self, state: &State, block: BlockId) -> Hexes {
        let ground = self.ground_for(state, block);
        self.rail_destinations(state, block, Camp::Coalition, &ground).and(&self.curzon_line(state))
    }

    /// Soviet units that can make one: those that are not in battle nor at the line already.
    fn movers_to_curzon_line(&self, state: &State) -> Blocks {
        let own =
            state.standing[Camp::Coalition.index()].and(&self.sets().of_faction[Faction::Soviets.index()]);
        let own = own.difference(&self.sets().headquarters);
        let line = self.curzon_line(state);
        let access = self.access_of(state, Faction::Soviets);
        let full = self.full_hexes(state, Camp::Coalition);
        own.filter(|block| {
            let at = state.at(block);
            !line.contains(at) && !state.is_battle(at) && {
                let ground = Ground { open: self.open_given(state, block, &access), full };
                self.rail_destinations(state, block, Camp::Coalition, &ground).intersects(&line)
            }
        })
    }

    /// A unit has chosen its place at the line.
    pub(crate) fn go_to_curzon_line<T: crate::Rolls>(&self, state: &mut State, to: Hex, context: &mut T) {
        let (block, from) = (state.subject, state.at(state.subject));
        self.shift(state, block, to, context);
        context.emit(|| Event::MovedByRail { block, from, to });
        state.diplomacy.peace -= 1;
        self.turn_to_curzon_line(state, context);
    }

    /// The mandates that ME and MR may concern (21.398, 21.399).
    pub(crate) fn event_nations<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let Some(event) = Self::event_at_hand(state) else { return Flow::Continue(()) };
        let rebellion = self.rules.events[event.at()].id == "MR";
        let mut nations: [Option<NationId>; 4] = [None; 4];
        for (slot, nation) in nations.iter_mut().zip(self.colonies_and_mandates()) {
            let open = if rebellion {
                self.may_rebel(state, nation)
            } else {
                nation != self.nations().palestine && self.may_revolt(state, nation)
            };
            *slot = open.then_some(nation);
        }
        nations.sort_unstable();
        for nation in nations.into_iter().flatten() {
            out.offer(Action::Nation(nation))?;
        }
        Flow::Continue(())
    }

    pub(crate) fn choose_nation<T: crate::Rolls>(
        &self,
        state: &mut State,
        nation: NationId,
        context: &mut T,
    ) {
        let Some(event) = Self::event_at_hand(state) else { return };
        if self.rules.events[event.at()].id == "ME" {
            self.join(state, nation, Faction::Axis, Ties::Satellite, context);
            return self.settle_newcomers(state, Resume::Diplomacy, context);
        }
        // One unit rises in the capital (21.399).
        let capital = self.rules.nations[nation.at()].capital;
        let rebel = self.rebels(state, nation).next();
        if let (Some(block), Some(capital)) = (rebel, capital) {
            state.diplomacy.status[nation] = Status::Belligerent(Faction::Axis);
            state.diplomacy.cause[nation] = Ties::Satellite;
            state.steps[block] = state.steps[block].max(self.brief(block).least);
            self.shift(state, block, capital, context);
            self.hand_over(state, &Hexes::one(capital), Some(Faction::Axis));
            context.emit(|| Event::Joined { nation, faction: Faction::Axis });
            context.emit(|| Event::Arrived { block, at: capital });
        }
        self.go_on_with_diplomacy(state, context);
    }

    /// The units that XR may set free, and SR bring.
    pub(crate) fn event_units<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let Some(event) = Self::event_at_hand(state) else { return Flow::Continue(()) };
        if self.rules.events[event.at()].id == "CL" {
            out.offer(Action::Pass)?;
            for block in self.movers_to_curzon_line(state) {
                out.offer(Action::Unit(block))?;
            }
            return Flow::Continue(());
        }
        if self.rules.events[event.at()].id == "SR" {
            for block in self.reserve_left(state) {
                out.offer(Action::Unit(block))?;
            }
            return Flow::Continue(());
        }
        let mut open = crate::ids::Blocks::EMPTY;
        for (bit, block) in self.releasable().skip(1) {
            open.set(block, state.diplomacy.ever_released >> bit & 1 == 0);
        }
        for block in open {
            out.offer(Action::Unit(block))?;
        }
        Flow::Continue(())
    }

    pub(crate) fn choose_unit<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: crate::ids::BlockId,
        context: &mut T,
    ) {
        if self.is_curzon_line_at_hand(state) {
            state.phase = Phase::Deployment;
            state.subject = block;
            return;
        }
        if let Some((bit, _)) = self.releasable().find(|&(_, other)| other == block) {
            self.release(state, bit);
            return self.go_on_with_diplomacy(state, context);
        }
        // A Soviet army of the Strategic Reserve (SR).
        let Entry::Upon(_, steps) = self.rules.scenario.entries[block.at()] else { return };
        state.put(block, Camp::Coalition, place::AT_HOME);
        state.steps[block] = steps;
        state.diplomacy.joining.insert(self.nations().ussr);
        self.settle_newcomers(state, Resume::Diplomacy, context);
    }

    /// An event is done, or new belligerents have deployed: the next side, or the end of the phase.
    pub(crate) fn go_on_with_diplomacy<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        self.turn_to_next_diplomat(state, context);
    }

    /// The other side tries an event, or the phase is over.
    pub(crate) fn turn_to_next_diplomat<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        state.diplomacy.event = EventId(u8::MAX);
        if state.active == Faction::Axis {
            return self.end_diplomacy(state, context);
        }
        state.active = Faction::Axis;
        state.decider = Faction::Axis;
        state.phase = Phase::Diplomacy;
        self.update_control(state);
        if let Some(event) = self.follows_the_fall_of_france(state) {
            context.emit(|| Event::Diplomacy { event, roll: 0, up_to: 6, happens: true });
            self.happen(state, event, context);
        }
    }

    /// Italy joins without a roll when France has fallen (20.47, P07).
    pub(crate) fn follows_the_fall_of_france(&self, state: &State) -> Option<EventId> {
        let named = self.nations();
        let event = self.rules.event("IX")?;
        let due = self.status(state, named.france) == Status::Defeated
            && self.is_neutral(state, named.italy)
            && state.diplomacy.happened[event] == 0
            && self.rules.scenario.situation.only_events.is_none();
        due.then_some(event)
    }

    /// Points that events add to a faction's production or take from it every month (16.6, B57).
    pub(crate) fn income_of_events(&self, state: &State, faction: Faction) -> i16 {
        let holds = |id: &str| i16::from(self.has_happened(state, id));
        match faction {
            Faction::Axis => 2 * i16::from(state.diplomacy.holds(Fact::SwedishComplicity)) - 5 * holds("TB"),
            Faction::Allies => 5 * holds("AB") + 5 * holds("EB") - 10 * holds("RS"),
            Faction::Soviets => -10 * holds("JI"),
        }
    }
}
