//! Counters: taking them from the pool, moving them between places, making change (3, 11.10, 16.2).
//!
//! Everything that adds, moves or removes a counter goes through here, so that the lists of the places, the sets of
//! zones with corps and the limits of the counter sheet are always right.

use crate::Rolls;
use crate::event::Event;
use crate::game::BlitzWar;
use crate::location::{Counter, Location, Zone};
use crate::nation::{Force, Nation};
use crate::rules::{Kind, Zones};
use crate::state::{State, mark};
use crate::tables::{Form, face};

/// Infantry and armour corps wanted on one counter.
pub(crate) type Corps = (u8, u8);

impl BlitzWar {
    /// Rebuilds the sets of zones with corps of each side for one zone; neutral corps are in none.
    pub(crate) fn refresh_corps(&self, state: &mut State, zone: Zone) {
        if !zone.is_zone() {
            return;
        }
        let mut present = [false; 3];
        for counter in state.stack(zone) {
            if self.kind(counter).is_corps()
                && let Some(force) = self.force(state, counter)
            {
                present[force.index()] = true;
            }
        }
        for force in Force::ALL {
            state.corps[force.index()].set(zone, present[force.index()]);
        }
    }

    /// Rebuilds the sets of zones with corps, after a country changed sides.
    pub(crate) fn refresh_all_corps(&self, state: &mut State) {
        state.piled = u16::MAX;
        state.corps = [Zones::EMPTY; 3];
        for counter in self.tables.sheet.corps.and(&state.on_map) {
            let place = state.location(counter);
            if place.is_zone()
                && let Some(force) = self.force(state, counter)
            {
                state.corps[force.index()].insert(place);
            }
        }
        state.stale = true;
    }

    /// Moves a counter to another place without reporting it.
    pub(crate) fn put(&self, state: &mut State, counter: Counter, place: Location) {
        let from = state.location(counter);
        match self.kind(counter) {
            Kind::Supply => {
                // Where a depot stands in its network does not change what it serves.
                let along = state.paired
                    && [from, place].into_iter().all(|place| place.is_zone() && state.fuel.contains(place))
                    && state.main.contains(from) == state.main.contains(place);
                if !along {
                    state.supply_moved();
                    return self.shift(state, counter, place);
                }
                // But whether the network has more depots, or fewer.
                let depots = |state: &State| {
                    let stocked = |&zone: &Zone| self.stock(state, zone, state.active) > 0;
                    [from, place].iter().filter(|&zone| stocked(zone)).count() as u8
                };
                let before = depots(state);
                self.shift(state, counter, place);
                state.spare_depots = state.spare_depots + depots(state) - before;
            }
            // What matters for supply is whether an enemy rules the sea (12.3), and submarines do not.
            Kind::Submarine => self.shift(state, counter, place),
            Kind::Fleet | Kind::Air => {
                let barred = |state: &State| {
                    [from, place]
                        .map(|place| place.sea().is_some_and(|sea| self.is_barred(state, sea, state.active)))
                };
                let before = barred(state);
                self.shift(state, counter, place);
                // Lines come ashore through beachheads (7), and air makes them.
                let beachhead = |place: Location| place.is_beachhead();
                state.stale |= barred(state) != before || beachhead(from) || beachhead(place);
            }
            _ => {
                self.shift(state, counter, place);
                self.refresh_corps(state, from);
                if place.is_zone()
                    && let Some(force) = self.force(state, counter)
                {
                    state.corps[force.index()].insert(place);
                    if self.is_overstacked(state, place) {
                        state.pile(place);
                    }
                }
            }
        }
    }

    /// Moves a counter from list to list, and forgets the zones kept of the friend if it is one of the friend's in them.
    fn shift(&self, state: &mut State, counter: Counter, place: Location) {
        let friend = state.active.friend().unwrap_or(state.active);
        let bars = state.serves(self.nation(counter), friend) & !self.tables.sheet.corps.contains(counter);
        if state.befriended & bars {
            state.forget_friends();
        }
        state.put(counter, place);
    }

    /// Moves a counter and reports it.
    pub(crate) fn relocate(
        &self,
        state: &mut State,
        counter: Counter,
        place: Location,
        context: &mut impl Rolls,
    ) {
        let from = state.location(counter);
        self.put(state, counter, place);
        context.emit(|| Event::Moved { counter, from, to: place });
    }

    /// Sends a counter back to the pool without reporting a loss (it was exchanged or used up).
    pub(crate) fn retire(&self, state: &mut State, counter: Counter) {
        self.put(state, counter, Location::POOL);
        Self::wipe(state, counter);
    }

    /// A counter in the pool shows nothing.
    fn wipe(state: &mut State, counter: Counter) {
        state.set_strength(counter, 0);
        state.turn_face(counter, false);
        state.set_moved(counter, 0);
        state.marks[counter] = 0;
    }

    /// Eliminates a counter with all its units and reports the loss.
    pub(crate) fn eliminate(&self, state: &mut State, counter: Counter, context: &mut impl Rolls) {
        let (nation, place, kind) = (self.nation(counter), state.location(counter), self.kind(counter));
        let (infantry, armour) = self.corps_of(state, counter);
        let unsupplied = state.is_unsupplied(counter);
        if kind.is_corps() {
            for (kind, units) in [(Kind::Infantry, infantry), (Kind::Armour, armour)] {
                if units > 0 {
                    context.emit(|| Event::Lost { nation, kind, units, place, unsupplied });
                }
            }
        } else {
            let units = state.strength(counter);
            context.emit(|| Event::Lost { nation, kind, units, place, unsupplied });
        }
        self.retire(state, counter);
    }

    /// Whether a counter of this type can show these corps on a face this turn (11.6).
    pub(crate) fn shows(&self, state: &State, index: u8, corps: Corps) -> bool {
        let sheet = &self.rules.counter_types[index as usize];
        (corps.0 + corps.1 <= 2 || state.turn >= sheet.third_corps_from) && sheet.shows(corps)
    }

    /// A counter of the type that lies in the pool.
    #[inline]
    pub(crate) fn in_pool(&self, state: &State, index: u8) -> Option<Counter> {
        let (of_type, (first, last)) = (&self.tables.sheet.of_type[index], self.tables.sheet.words_of[index]);
        for word in first..=last {
            let mut idle = of_type.0[word as usize] & !state.on_map.0[word as usize];
            while idle != 0 {
                let counter = Counter(word * 64 + idle.trailing_zeros() as u8);
                if state.location(counter) == Location::POOL {
                    return Some(counter);
                }
                idle &= idle - 1;
            }
        }
        None
    }

    /// The counters of the type that lie in the pool.
    fn pool(&self, state: &State, index: u8) -> impl Iterator<Item = Counter> {
        let idle = self.tables.sheet.of_type[index].difference(&state.on_map);
        idle.into_iter().filter(|&counter| state.location(counter) == Location::POOL)
    }

    /// A locked counter of the type (11.7, 11.8).
    pub(crate) fn locked(&self, state: &State, index: u8) -> Option<Counter> {
        self.tables.sheet.of_type[index]
            .difference(&state.on_map)
            .iter()
            .find(|&counter| state.location(counter) == Location::LOCKED)
    }

    /// Whether a fresh counter may take this form in the zone this turn, made from loose corps (11.6, 11.10): three-corps
    /// Soviet infantry in Supply Zones, Elite Armies there and in Africa.
    fn may_form(&self, state: &State, form: Form, place: Location) -> bool {
        if !form.restricted || state.turn < form.from {
            return state.turn >= form.from;
        }
        let sheet = &self.rules.counter_types[form.index as usize];
        let [axis, soviet, africa] = self.formation_site(place);
        if sheet.nation == Nation::Ussr { soviet } else { axis || sheet.kind == Kind::Elite && africa }
    }

    /// What decides where restricted counters are formed (11.10): whether the place is an Axis Supply Zone, a Soviet
    /// one, or in Africa.
    pub(crate) fn formation_site(&self, place: Location) -> [bool; 3] {
        if !place.is_zone() {
            return [false; 3];
        }
        [
            self.supply_zones(Force::Axis).contains(place),
            self.supply_zones(Force::Soviet).contains(place),
            self.rules.regions.africa.contains(place),
        ]
    }

    /// A counter in the pool that can show these corps if formed in this place. Plain counters are preferred, and
    /// among them those whose front is no larger than needed; Elite Armies are only taken when asked for.
    pub(crate) fn free_counter(
        &self,
        state: &State,
        nation: Nation,
        corps: Corps,
        place: Location,
        elite: bool,
    ) -> Option<Counter> {
        let faces = &self.tables.sheet.faces[nation.index()][face(corps)?];
        let types = if elite { &faces.elite } else { &faces.thrifty };
        types
            .iter()
            .filter(|&&form| self.may_form(state, form, place))
            .find_map(|form| self.in_pool(state, form.index))
    }

    /// Gives a counter new corps on its own faces, if it has such a face.
    pub(crate) fn reface(&self, state: &mut State, counter: Counter, corps: Corps) -> bool {
        let fits = self.shows(state, self.counter_type(counter), corps);
        if fits {
            state.set_strength(counter, corps.0 + corps.1);
        }
        fits
    }

    /// Removes one corps of a kind from a counter, making change from the pool; reports the loss (16.2). A corps for
    /// which no counter is left is lost with it (3). Gives the counter that shows what is left.
    pub(crate) fn lose_corps(
        &self,
        state: &mut State,
        counter: Counter,
        kind: Kind,
        context: &mut impl Rolls,
    ) -> Option<Counter> {
        let (nation, place) = (self.nation(counter), state.location(counter));
        let unsupplied = state.is_unsupplied(counter);
        context.emit(|| Event::Lost { nation, kind, units: 1, place, unsupplied });
        let (mut infantry, mut armour) = self.corps_of(state, counter);
        if kind == Kind::Armour {
            armour -= 1;
        } else {
            infantry -= 1;
        }
        if infantry + armour == 0 {
            self.retire(state, counter);
            None
        } else if self.reface(state, counter, (infantry, armour)) {
            Some(counter)
        } else {
            self.exchange(state, counter, (infantry, armour), context)
        }
    }

    /// Puts a pool counter of infantry or armour with these corps where one of the same nation stands; it inherits what
    /// that has done.
    fn replace(
        &self,
        state: &mut State,
        counter: Counter,
        fresh: Counter,
        corps: Corps,
        context: &mut impl Rolls,
    ) {
        let (place, marks) = (state.location(counter), state.marks[counter]);
        let moved = state.moved(counter);
        self.shift(state, counter, Location::POOL);
        Self::wipe(state, counter);
        state.set_strength(fresh, corps.0 + corps.1);
        self.shift(state, fresh, place);
        if place.is_zone() && self.is_overstacked(state, place) {
            state.pile(place);
        }
        state.marks[fresh] = marks;
        state.set_moved(fresh, moved);
        context.emit(|| Event::Exchanged { counter, into: fresh });
    }

    /// Gives the corps left of a counter another one from the pool; without one they are lost.
    fn exchange(
        &self,
        state: &mut State,
        counter: Counter,
        corps: Corps,
        context: &mut impl Rolls,
    ) -> Option<Counter> {
        let (nation, place) = (self.nation(counter), state.location(counter));
        let fresh = self.free_counter(state, nation, corps, place, false);
        if let Some(fresh) = fresh {
            self.replace(state, counter, fresh, corps, context);
        } else {
            let unsupplied = state.is_unsupplied(counter);
            self.retire(state, counter);
            for (kind, units) in [(Kind::Infantry, corps.0), (Kind::Armour, corps.1)] {
                if units > 0 {
                    context.emit(|| Event::Lost { nation, kind, units, place, unsupplied });
                }
            }
        }
        fresh
    }

    /// Puts a pool counter into a place with these corps.
    pub(crate) fn form(&self, state: &mut State, counter: Counter, corps: Corps, place: Location) {
        state.set_strength(counter, corps.0 + corps.1);
        self.put(state, counter, place);
    }

    /// Whether the pool has a counter for a single corps, infantry and armour, wherever that is formed.
    pub(crate) fn singles(&self, state: &State, nation: Nation) -> [bool; 2] {
        [(1, 0), (0, 1)].map(|one| {
            let forms = face(one).map(|face| &self.tables.sheet.faces[nation.index()][face].thrifty);
            forms.is_some_and(|forms| forms.iter().any(|form| self.in_pool(state, form.index).is_some()))
        })
    }

    /// Whether one more corps of a kind can come to a place when the pool has no counter that can be formed anywhere: on a
    /// counter there, or on one that is formed in certain zones only.
    pub(crate) fn can_add_corps(&self, state: &State, nation: Nation, kind: Kind, place: Location) -> bool {
        let Some(one) = face(if kind == Kind::Armour { (0, 1) } else { (1, 0) }) else { return false };
        let forms = &self.tables.sheet.faces[nation.index()][one].thrifty;
        let formed = |form: &Form| {
            form.restricted && self.may_form(state, *form, place) && self.in_pool(state, form.index).is_some()
        };
        forms.iter().any(formed) || self.find_growth(state, nation, kind, place).is_some()
    }

    /// Whether a corps that comes to a place joins a counter that stands there, so that the stack grows by no counter (11.10).
    pub fn joins_counter(&self, state: &State, nation: Nation, kind: Kind, place: Location) -> bool {
        self.find_growth(state, nation, kind, place).is_some()
    }

    /// A counter in the place that can take one more corps, by turning it or by exchange for a pool counter:
    /// (counter, replacement, corps).
    fn find_growth(
        &self,
        state: &State,
        nation: Nation,
        kind: Kind,
        place: Location,
    ) -> Option<(Counter, Option<Counter>, Corps)> {
        let mut exchange = None;
        for counter in state.stack(place) {
            if self.nation(counter) != nation || !self.kind(counter).is_corps() || state.is_turned(counter) {
                continue;
            }
            let (infantry, armour) = self.corps_of(state, counter);
            let grown = if kind == Kind::Armour { (infantry, armour + 1) } else { (infantry + 1, armour) };
            if self.shows(state, self.counter_type(counter), grown) {
                return Some((counter, None, grown));
            }
            if exchange.is_none()
                && let Some(fresh) = self.free_counter(state, nation, grown, place, false)
            {
                exchange = Some((counter, Some(fresh), grown));
            }
        }
        exchange
    }

    /// Adds one corps of reinforcement to a place, packed into as few counters as the sheet allows. Reports it.
    /// Returns false, and adds nothing, if no counter is free (11.5).
    pub(crate) fn add_corps(
        &self,
        state: &mut State,
        nation: Nation,
        kind: Kind,
        place: Location,
        context: &mut impl Rolls,
    ) -> bool {
        let one = if kind == Kind::Armour { (0, 1) } else { (1, 0) };
        if let Some((counter, fresh, grown)) = self.find_growth(state, nation, kind, place) {
            match fresh {
                None => {
                    state.set_strength(counter, grown.0 + grown.1);
                    if self.is_overstacked(state, place) {
                        state.pile(place);
                    }
                }
                Some(fresh) => self.replace(state, counter, fresh, grown, context),
            }
        } else if let Some(fresh) = self.free_counter(state, nation, one, place, false) {
            self.form(state, fresh, one, place);
        } else {
            return false;
        }
        context.emit(|| Event::Reinforced { nation, kind, units: 1, place });
        true
    }

    /// Takes a counter of a naval or air kind from the pool and puts it into a place with one unit, or adds the unit to
    /// a counter there. Returns false if no counter is free.
    pub(crate) fn add_unit(
        &self,
        state: &mut State,
        nation: Nation,
        kind: Kind,
        place: Location,
        context: &mut impl Rolls,
    ) -> bool {
        let grows = state.stack(place).find(|&counter| {
            self.nation(counter) == nation
                && self.kind(counter) == kind
                && state.strength(counter)
                    < self.rules.counter_types[self.counter_type(counter) as usize].front
        });
        if let Some(counter) = grows {
            state.set_strength(counter, state.strength(counter) + 1);
        } else if let Some(fresh) = self.single(state, nation, kind) {
            state.set_strength(fresh, 1);
            self.put(state, fresh, place);
        } else {
            return false;
        }
        context.emit(|| Event::Reinforced { nation, kind, units: 1, place });
        true
    }

    /// A pool counter of a naval or air kind that can show a single unit.
    fn single(&self, state: &State, nation: Nation, kind: Kind) -> Option<Counter> {
        let fits = |&&index: &&u8| {
            let sheet = &self.rules.counter_types[index as usize];
            sheet.kind == kind && (sheet.front == 1 || sheet.back == 1)
        };
        self.tables.sheet.types_of[nation.index()]
            .iter()
            .filter(fits)
            .find_map(|&index| self.in_pool(state, index))
    }

    /// Removes one unit (ship, air) from a counter and reports the loss.
    pub(crate) fn lose_unit(&self, state: &mut State, counter: Counter, context: &mut impl Rolls) {
        let (nation, kind, place) = (self.nation(counter), self.kind(counter), state.location(counter));
        let unsupplied = state.is_unsupplied(counter);
        context.emit(|| Event::Lost { nation, kind, units: 1, place, unsupplied });
        let left = state.strength(counter) - 1;
        if left == 0 {
            self.retire(state, counter);
        } else {
            state.set_strength(counter, left);
        }
    }

    /// Side's supply pool nation.
    pub(crate) fn supply_nation(force: Force) -> Nation {
        match force {
            Force::Axis => Nation::Axis,
            Force::Allied => Nation::Allied,
            Force::Soviet => Nation::Ussr,
        }
    }

    /// Adds supply to a zone, in half units, packed into as few counters as the sheet allows. Returns the half units that
    /// found no counter and are lost.
    pub(crate) fn add_supply(
        &self,
        state: &mut State,
        force: Force,
        place: Location,
        halves: u8,
        context: &mut impl Rolls,
    ) -> u8 {
        let nation = Self::supply_nation(force);
        let mut rest = halves;
        // Fill what lies there.
        for counter in self.supply_counters(state, force).filter(|counter| state.location(counter) == place) {
            if rest == 0 {
                break;
            }
            let room = 2 * self.rules.counter_types[self.counter_type(counter) as usize].front
                - state.strength(counter);
            let add = room.min(rest);
            state.set_strength(counter, state.strength(counter) + add);
            rest -= add;
        }
        // Then open counters: the smallest that holds the rest, else the largest.
        while rest > 0 {
            let [rising, falling] = &self.tables.sheet.supply_types[nation.index()];
            let large = rising.iter().filter(|&&(room, _)| room >= rest);
            let small = falling.iter().filter(|&&(room, _)| room < rest);
            let mut found = large.chain(small).map(|&(room, kind)| (room, self.in_pool(state, kind)));
            let best = found.find_map(|(room, counter)| counter.map(|counter| (room, counter)));
            let Some((room, counter)) = best else { break };
            let add = room.min(rest);
            state.set_strength(counter, add);
            self.put(state, counter, place);
            rest -= add;
        }
        if rest < halves {
            state.supply_moved();
            context.emit(|| Event::Reinforced { nation, kind: Kind::Supply, units: halves - rest, place });
        }
        rest
    }

    /// Takes half units from a supply counter; an exhausted one goes back to the pool. Whether that changes where
    /// the side can pay is for the caller to see.
    pub(crate) fn drain_counter(&self, state: &mut State, counter: Counter, halves: u8) {
        let left = state.strength(counter) - halves;
        if left == 0 {
            self.shift(state, counter, Location::POOL);
            Self::wipe(state, counter);
            return;
        }
        state.set_strength(counter, left);
        // The smallest free counter that holds what is left takes over, so that large ones are free for stock.
        let room = 2 * self.rules.counter_types[self.counter_type(counter) as usize].front;
        let [rising, _] = &self.tables.sheet.supply_types[self.nation(counter).index()];
        let mut smaller = rising.iter().filter(|&&(size, _)| (left..room).contains(&size));
        if let Some(fresh) = smaller.find_map(|&(_, kind)| self.in_pool(state, kind)) {
            let (marks, moved, place) = (state.marks[counter], state.moved(counter), state.location(counter));
            self.shift(state, counter, Location::POOL);
            Self::wipe(state, counter);
            state.set_strength(fresh, left);
            self.shift(state, fresh, place);
            state.marks[fresh] = marks;
            state.set_moved(fresh, moved);
        }
    }

    // ---- reorganisation (11.10) ----

    /// The counter that would hold both, if they can be combined: one of the two, or one from the pool; an Elite Army or
    /// any other.
    pub(crate) fn merged(
        &self,
        state: &State,
        a: Counter,
        b: Counter,
        elite: bool,
    ) -> Option<(Counter, Corps)> {
        let place = state.location(a);
        if a == b
            || place != state.location(b)
            || self.nation(a) != self.nation(b)
            || state.is_turned(a)
            || state.is_turned(b)
        {
            return None;
        }
        let (kind_a, kind_b) = (self.kind(a), self.kind(b));
        if kind_a.is_corps() && kind_b.is_corps() {
            let (x, y) = (self.corps_of(state, a), self.corps_of(state, b));
            let sum = (x.0 + y.0, x.1 + y.1);
            let faces = &self.tables.sheet.faces[self.nation(a).index()][face(sum)?];
            if if elite { faces.elite.is_empty() } else { faces.plain.is_empty() } {
                return None;
            }
            return [a, b]
                .into_iter()
                .find(|&counter| {
                    (self.kind(counter) == Kind::Elite) == elite
                        && self.shows(state, self.counter_type(counter), sum)
                })
                .or_else(|| self.free_counter(state, self.nation(a), sum, place, elite))
                .map(|counter| (counter, sum));
        }
        if elite {
            return None;
        }
        let sum = state.strength(a) + state.strength(b);
        let room = |counter: Counter| {
            let front = self.rules.counter_types[self.counter_type(counter) as usize].front;
            if self.kind(counter) == Kind::Supply { 2 * front } else { front }
        };
        if kind_a == kind_b && !kind_a.is_corps() {
            let holds = [a, b].into_iter().find(|&counter| room(counter) >= sum);
            let holds = holds.or_else(|| {
                self.tables.sheet.types_of[self.nation(a).index()]
                    .iter()
                    .filter(|&&kind| self.rules.counter_types[kind as usize].kind == kind_a)
                    .filter_map(|&kind| self.in_pool(state, kind))
                    .find(|&counter| room(counter) >= sum)
            });
            return holds.map(|counter| (counter, (sum, 0)));
        }
        None
    }

    /// Combines two counters (11.10): the result has moved as far as the part that moved most.
    pub(crate) fn merge(
        &self,
        state: &mut State,
        a: Counter,
        b: Counter,
        elite: bool,
        context: &mut impl Rolls,
    ) {
        let Some((into, corps)) = self.merged(state, a, b, elite) else { return };
        let place = state.location(a);
        let moved = state.moved(a).max(state.moved(b));
        let (x, y) = (state.marks[a], state.marks[b]);
        // What either part has done, both have done; what one part still may do, the whole may only if both may.
        // In a beachhead the mark of activation tells who landed this turn (14.1.2): that part speaks for the whole.
        let landed = if place.is_zone() { 0 } else { mark::ACTIVE };
        let any = landed | mark::NO_LAND | mark::FOUGHT | mark::UNSUPPLIED | mark::DONE | mark::ASHORE;
        let both = mark::PAID | mark::ACTIVE;
        let marks = (x | y) & any | x & y & both | mark::REORGANISED;
        self.retire(state, a);
        self.retire(state, b);
        state.set_strength(into, corps.0 + corps.1);
        self.put(state, into, place);
        state.set_moved(into, moved);
        state.marks[into] = marks;
        let joins = if into == b { a } else { b };
        if into != a && into != b {
            context.emit(|| Event::Exchanged { counter: a, into });
        }
        context.emit(|| Event::Combined { counter: joins, into });
    }

    /// The pool counter for which a white counter or an Elite Army can be exchanged where it stands: an Elite Army for
    /// one, a white counter for the other, with the same corps (11.10).
    pub(crate) fn counterpart(&self, state: &State, counter: Counter) -> Option<Counter> {
        let elite = self.kind(counter) != Kind::Elite;
        let (corps, place) = (self.corps_of(state, counter), state.location(counter));
        self.free_counter(state, self.nation(counter), corps, place, elite)
    }

    /// Exchanges a counter for its counterpart, which inherits what it has done (11.10).
    pub(crate) fn swap(&self, state: &mut State, counter: Counter, context: &mut impl Rolls) {
        let Some(fresh) = self.counterpart(state, counter) else { return };
        let corps = self.corps_of(state, counter);
        self.replace(state, counter, fresh, corps, context);
        state.add_mark(fresh, mark::REORGANISED);
    }

    /// The two counters a split would leave: (rest, its corps, detached, its corps); supply counters in half units, ships
    /// in units.
    pub(crate) fn split_parts(
        &self,
        state: &State,
        counter: Counter,
        kind: Kind,
    ) -> Option<(Counter, Corps, Counter, Corps)> {
        let (nation, place) = (self.nation(counter), state.location(counter));
        if state.is_turned(counter) {
            return None;
        }
        if self.kind(counter) == Kind::Supply {
            let have = state.strength(counter);
            if kind != Kind::Supply || have < 4 {
                return None;
            }
            let half = have / 4 * 2;
            let fresh = self.tables.sheet.types_of[nation.index()]
                .iter()
                .filter(|&&kind| {
                    let sheet = &self.rules.counter_types[kind as usize];
                    sheet.kind == Kind::Supply && 2 * sheet.front >= half
                })
                .find_map(|&kind| self.in_pool(state, kind))?;
            return Some((counter, (have - half, 0), fresh, (half, 0)));
        }
        if self.kind(counter).is_naval() {
            let have = state.strength(counter);
            if kind != self.kind(counter) || have < 2 {
                return None;
            }
            return self.single(state, nation, kind).map(|fresh| (counter, (have - 1, 0), fresh, (1, 0)));
        }
        let (infantry, armour) = self.corps_of(state, counter);
        if infantry + armour < 2 {
            return None;
        }
        let (rest, part) = match kind {
            Kind::Infantry if infantry > 0 => ((infantry - 1, armour), (1, 0)),
            Kind::Armour if armour > 0 => ((infantry, armour - 1), (0, 1)),
            _ => return None,
        };
        let detached = self.free_counter(state, nation, part, place, false)?;
        if self.shows(state, self.counter_type(counter), rest) {
            return Some((counter, rest, detached, part));
        }
        // The rest needs a counter of its own; it must not be the one the detached corps took.
        self.tables.sheet.faces[nation.index()][face(rest)?]
            .plain
            .iter()
            .filter(|&&form| self.may_form(state, form, place))
            .find_map(|form| self.pool(state, form.index).find(|&other| other != detached))
            .map(|other| (other, rest, detached, part))
    }

    /// Detaches one corps or ship (or half of a supply counter) as a counter of its own (11.10).
    pub(crate) fn split(&self, state: &mut State, counter: Counter, kind: Kind, context: &mut impl Rolls) {
        let Some((rest, rest_corps, part, part_corps)) = self.split_parts(state, counter, kind) else {
            return;
        };
        let (place, moved) = (state.location(counter), state.moved(counter));
        let marks = state.marks[counter] | mark::REORGANISED;
        self.retire(state, counter);
        for (piece, corps) in [(rest, rest_corps), (part, part_corps)] {
            state.set_strength(piece, corps.0 + corps.1);
            self.put(state, piece, place);
            state.set_moved(piece, moved);
            state.marks[piece] = marks;
            if piece != counter {
                context.emit(|| Event::Exchanged { counter, into: piece });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::*;
    use crate::phase::Phase;

    /// 3, 16.2, 17.5.
    #[test]
    fn corps_left_without_a_counter_are_lost_in_or_out_of_supply() {
        let game = game();
        for unsupplied in [false, true] {
            let mut state = position(&game, 5, Phase::Normal, Force::Axis);
            let corps = put(&game, &mut state, Nation::Ger, Kind::Infantry, 2, RUHR);
            if unsupplied {
                state.add_mark(corps, mark::UNSUPPLIED);
            }
            // No counter is left for a single corps.
            for _ in 0..3 {
                put(&game, &mut state, Nation::Ger, Kind::Infantry, 1, HAMBURG);
            }
            let mut context = scripted(&[]);
            assert_eq!(game.lose_corps(&mut state, corps, Kind::Infantry, &mut context), None);
            let lost =
                Event::Lost { nation: Nation::Ger, kind: Kind::Infantry, units: 1, place: RUHR, unsupplied };
            assert_eq!(context.sink, [lost, lost]);
        }
    }

    /// 3, 16.2.
    #[test]
    fn what_is_left_of_a_counter_goes_on_as_another() {
        let game = game();
        let mut state = position(&game, 5, Phase::Normal, Force::Axis);
        let corps = put(&game, &mut state, Nation::Ger, Kind::Infantry, 2, RUHR);
        let mut context = scripted(&[]);
        let into = game.lose_corps(&mut state, corps, Kind::Infantry, &mut context).unwrap();
        assert_eq!((state.location(corps), state.location(into)), (Location::POOL, RUHR));
        assert_eq!(context.sink[1..], [Event::Exchanged { counter: corps, into }]);
    }

    /// 11.10.
    #[test]
    fn the_counter_that_goes_is_the_one_that_joins() {
        let game = game();
        let mut state = position(&game, 5, Phase::TacticalMovement, Force::Axis);
        let large = put(&game, &mut state, Nation::Ger, Kind::Infantry, 2, RUHR);
        let small = put(&game, &mut state, Nation::Ger, Kind::Infantry, 1, RUHR);
        for (a, b) in [(large, small), (small, large)] {
            let (mut state, mut context) = (state.clone(), scripted(&[]));
            game.merge(&mut state, a, b, false, &mut context);
            assert_eq!((state.location(large), state.location(small)), (RUHR, Location::POOL));
            assert_eq!(context.sink, [Event::Combined { counter: small, into: large }]);
        }
    }
}
