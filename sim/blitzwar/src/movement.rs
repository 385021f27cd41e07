//! Movement phase (15), the one-zone moves after combat (16.5, 17.4) and units out of supply (17.5).

use sandtable_core::Index;

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, Zone};
use crate::nation::{Country, Force, Nation};
use crate::phase::{Pending, Phase};
use crate::restrictions::Permits;
use crate::rules::{Kind, Weather, Zones};
use crate::sequence::{ActionSink, Flow, Offer, PassFirst};
use crate::state::{GROUPS, State, mark};
use crate::supply::Till;

/// What a side's land counters find on the map.
pub(crate) struct Ground {
    /// Zones they may move through without changing anything: the side's own, and the friend's.
    pub open: Zones,
    /// Zones with enemy or neutral corps.
    pub foes: Zones,
    /// Where these bar the way, and zones with the friend's counters.
    pub barred: Zones,
}

/// What the land counters of the active side may do in the tactical movement (15.3), asked counter by counter.
pub struct Tactics<'a> {
    game: &'a BlitzWar,
    state: &'a State,
    ground: Option<Ground>,
    permits: Permits<'a>,
    till: Till<'a>,
}

impl<'a> Tactics<'a> {
    /// For the side in turn.
    pub fn new(game: &'a BlitzWar, state: &'a State) -> Tactics<'a> {
        Tactics {
            game,
            state,
            ground: None,
            permits: Permits::new(game, state),
            till: Till::new(game, state),
        }
    }

    /// Whether a land counter of the side, in a zone, may march, and whether it may be activated where it stands.
    pub fn options(&mut self, counter: Counter) -> (bool, bool) {
        let (game, state) = (self.game, self.state);
        let zone = state.location(counter);
        if !BlitzWar::may_move(state, counter)
            || !self.till.pays(counter, zone, game.tactical_cost(state, counter))
        {
            return (false, false);
        }
        let near = game.adjacent(zone);
        let ground = self.ground.get_or_insert_with(|| game.ground_of(state, state.active));
        let goes = !game.steps(counter, near, ground, &mut self.permits).is_empty();
        let fights = game.kind(counter).is_corps()
            && near.intersects(&ground.foes)
            && !self.permits.targets(counter, &near.and(&ground.foes)).is_empty();
        (goes, fights)
    }
}

impl BlitzWar {
    // ---- the turn of a side ----

    /// Before a side's Naval Phase: what its counters did last turn is forgotten.
    pub(crate) fn side_begins(&self, state: &mut State) {
        let force = state.active;
        self.counters_of(state, force).iter().for_each(|counter| {
            state.marks[counter] &= mark::UNSUPPLIED;
            state.set_moved(counter, 0);
        });
        state.group_target = [Location::NONE; GROUPS];
        if force == Force::Axis {
            state.allied_attacked = Zones::EMPTY;
            state.britain_open = false;
            state.elite_east = Counter::NONE;
        }
        state.stale = true;
    }

    /// After a side's turn: the Axis counts its points for the German defence shift (16.3.2).
    pub(crate) fn side_ends(&self, state: &mut State, context: &mut impl Rolls) {
        let (force, turn, axis_points) = (state.active, state.turn, self.axis_points(state));
        if force == Force::Axis {
            state.timers.german_defence = axis_points >= self.rules.dates.german_defence_points;
        }
        context.emit(|| Event::SideDone { force, turn, axis_points });
    }

    // ---- geography of a moving counter ----

    /// Zones where enemy or neutral corps bar the way of a side (15.3).
    pub fn foes(&self, state: &State, force: Force) -> Zones {
        Self::enemy_corps(state, force).or(&self.neutral_corps(state))
    }

    pub(crate) fn enemy_corps(state: &State, force: Force) -> Zones {
        match force {
            Force::Axis => state.corps[1].or(&state.corps[2]),
            Force::Allied | Force::Soviet => state.corps[0],
        }
    }

    /// Of these few zones, those that [`Self::foes`] has.
    pub(crate) fn foes_among(&self, state: &State, force: Force, zones: &Zones) -> Zones {
        let foes = zones.and(&Self::enemy_corps(state, force));
        let neutral =
            |counter: Counter| self.kind(counter).is_corps() && self.force(state, counter).is_none();
        let rest = zones.difference(&foes);
        foes.or(&rest.iter().filter(|&zone| state.stack(zone).any(neutral)).collect())
    }

    /// Zones with corps of neutral countries.
    pub(crate) fn neutral_corps(&self, state: &State) -> Zones {
        Self::zones_of(state, &self.tables.sheet.corps.and(&self.neutral_counters(state)))
    }

    /// Land zones in which these counters are.
    pub(crate) fn zones_of(state: &State, counters: &Counters) -> Zones {
        let places = counters.iter().map(|counter| state.location(counter));
        places.filter(|&place| place.is_zone()).collect()
    }

    /// Zones occupied by counters of the friend, which a side may not share (4).
    pub(crate) fn friend_zones(&self, state: &State, force: Force) -> Zones {
        let Some(friend) = force.friend() else { return Zones::EMPTY };
        let others = if state.befriended && force == state.active {
            state.attacked
        } else {
            self.zones_without_corps(state, friend)
        };
        others.or(&state.corps[friend.index()])
    }

    /// Zones occupied by counters of a side other than corps.
    fn zones_without_corps(&self, state: &State, force: Force) -> Zones {
        // Only air has another face among these: air on mission hinders nobody.
        let others = self.counters_of(state, force).difference(&self.tables.sheet.corps);
        let places = others.iter().filter(|&counter| !state.is_turned(counter));
        places.map(|counter| state.location(counter)).filter(|&place| place.is_zone()).collect()
    }

    /// Finds the zones of the friend of the side in turn for [`Self::friend_zones`], but in the combat phases, which note
    /// what they attack in that place.
    pub(crate) fn refresh_friends(&self, state: &mut State) {
        if matches!(state.phase, Phase::Blitz | Phase::Normal) {
            return;
        }
        if let Some(friend) = state.active.friend() {
            state.attacked = self.zones_without_corps(state, friend);
            state.befriended = true;
        }
    }

    /// What a side's land counters find on the map.
    pub(crate) fn ground_of(&self, state: &State, force: Force) -> Ground {
        let foes = self.foes(state, force);
        let mut open = self.own_area(state, force);
        let mut barred = foes;
        if force == Force::Axis {
            // Where the Axis may pass, the corps of the country do not stop it (9.3, R-88).
            barred = barred.difference(&self.hosts(state));
        }
        let mut friends = Zones::EMPTY;
        if let Some(friend) = force.friend() {
            friends = self.friend_zones(state, force);
            open = open.or(&state.control[friend.index()]).difference(&friends);
        }
        Ground { open, foes, barred: barred.or(&friends) }
    }

    /// Of these zones, those where a land counter may end a step, were they next to it.
    #[inline]
    fn steps(&self, counter: Counter, zones: &Zones, ground: &Ground, permits: &mut Permits<'_>) -> Zones {
        if self.kind(counter) == Kind::Supply {
            return zones.and(&ground.open).difference(&ground.barred);
        }
        permits.within(counter, &zones.difference(&ground.barred))
    }

    /// Tactical allowance in zones (15.3).
    pub fn allowance(&self, counter: Counter) -> u8 {
        if self.kind(counter) == Kind::Infantry {
            self.rules.limits.infantry_move
        } else {
            self.rules.limits.armour_move
        }
    }

    /// Where a counter of the active side can go in one march of at most `left` zones: through open zones, the last one
    /// possibly taken from the enemy. Calls `found(zone, distance)` until it breaks.
    fn march_targets(
        &self,
        state: &State,
        counter: Counter,
        left: u8,
        ground: &Ground,
        mut found: impl FnMut(Zone, u8) -> Flow,
    ) -> Flow {
        let admitted =
            self.steps(counter, &self.tables.zones.everywhere, ground, &mut Permits::new(self, state));
        let mut seen = Zones::one(state.location(counter));
        let mut frontier = seen;
        for distance in 1..=left {
            let ring = frontier.neighbours(&self.tables.links.adjacent.0).difference(&seen).and(&admitted);
            seen = seen.or(&ring);
            for zone in ring {
                found(zone, distance)?;
            }
            frontier = ring.and(&ground.open);
            if frontier.is_empty() {
                break;
            }
        }
        Continue(())
    }

    /// Cost in half units of a tactical move or activation (7).
    pub fn tactical_cost(&self, state: &State, counter: Counter) -> u8 {
        if self.is_single_corps(state, counter) {
            self.rules.costs.tactical_single
        } else {
            self.rules.costs.tactical
        }
    }

    pub(crate) fn strategic_cost(&self, state: &State, counter: Counter) -> u8 {
        if self.is_single_corps(state, counter) {
            self.rules.costs.strategic_single
        } else {
            self.rules.costs.strategic
        }
    }

    fn is_single_corps(&self, state: &State, counter: Counter) -> bool {
        self.kind(counter).is_corps() && state.strength(counter) == 1
    }

    // ---- taking zones ----

    /// A land counter of the active side enters a zone: a neutral or an enemy at peace is attacked by it (9.3), the zone
    /// changes hands (5, 7), enemy air and supply there are lost and ships put to sea (15.3).
    pub(crate) fn enter(&self, state: &mut State, counter: Counter, zone: Zone, context: &mut impl Rolls) {
        self.enter_as(state, self.force(state, counter).unwrap_or(state.active), counter, zone, context);
    }

    pub(crate) fn enter_as(
        &self,
        state: &mut State,
        force: Force,
        counter: Counter,
        zone: Zone,
        context: &mut impl Rolls,
    ) {
        let takes = self.kind(counter).is_corps();
        if takes && !self.own_area(state, force).contains(zone) {
            self.provoke(state, force, zone, self.nation(counter) == Nation::Ger, context);
        }
        self.relocate(state, counter, zone, context);
        let open = self.own_area(state, force).contains(zone)
            || force.friend().is_some_and(|friend| state.control[friend.index()].contains(zone));
        if takes && !open {
            self.take(state, force, zone, context);
        }
    }

    /// Gives a zone to a side that moved onto it; khaki and red zones go back to the friend (7).
    fn take(&self, state: &mut State, force: Force, zone: Zone, context: &mut impl Rolls) {
        let owner = match (force, self.rules.zones[zone.at()].country) {
            (Force::Soviet, Country::Uk) => Force::Allied,
            (Force::Allied, Country::Ussr) => Force::Soviet,
            _ => force,
        };
        self.set_control(state, zone, Some(owner), context);
        for counter in state.members(zone) {
            let foe = self.force(state, counter).is_none_or(|other| other.opposes(force));
            let prey = match self.kind(counter) {
                Kind::Supply => true,
                Kind::Air => !state.is_turned(counter),
                _ => false,
            };
            if foe && prey {
                self.eliminate(state, counter, context);
            }
        }
        self.ships_to_sea(state, zone, context);
    }

    /// Changes the control of a zone; a fortified line disappears with it (16.3.2). Paris freed starts the clock of the
    /// Free French (9.4).
    pub(crate) fn set_control(
        &self,
        state: &mut State,
        zone: Zone,
        owner: Option<Force>,
        context: &mut impl Rolls,
    ) {
        let before = state.controller(zone);
        if before == owner {
            return;
        }
        for force in Force::ALL {
            state.control[force.index()].set(zone, owner == Some(force));
        }
        if before.is_some()
            && let Some(bit) = self.line_bit(zone)
        {
            state.broken_lines |= bit;
        }
        if zone == self.rules.landmarks.paris
            && owner == Some(Force::Allied)
            && state.timers.french_surrender != 0
            && state.timers.paris_liberated == 0
        {
            state.timers.paris_liberated = state.turn;
        }
        state.stale = true;
        context.emit(|| Event::Control { zone, force: owner });
    }

    // ---- phase 7 ----

    pub(crate) fn movement_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        match (state.pending, state.phase) {
            (Pending::Destination(counter), _) => self.strategic_targets(state, counter, out),
            (Pending::March(counter), _) => self.march_actions(state, counter, out),
            (_, Phase::Fortification) => self.fortification_actions(state, out),
            (_, Phase::StrategicMovement) => self.strategic_actions(state, out),
            _ => self.tactical_actions(state, out),
        }
    }

    pub(crate) fn movement_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (action, state.pending) {
            (Action::Pass, Pending::March(_)) => self.halt(state),
            (Action::Pass, _) => self.end_phase(state, context),
            (Action::Fortify(counter), _) => self.fortify(state, counter, context),
            (Action::Select(counter), _) if state.phase == Phase::StrategicMovement => {
                state.pending = Pending::Destination(counter);
            }
            (Action::Go(zone), Pending::Destination(counter)) => {
                let from = state.location(counter);
                let cost = self.strategic_cost(state, counter);
                self.pay(state, counter, from, cost, context);
                self.relocate(state, counter, zone, context);
                state.add_mark(counter, mark::NO_LAND);
                state.pending = Pending::None;
            }
            (Action::Select(counter), _) => {
                state.sorted = false;
                state.pending = Pending::March(counter);
            }
            (Action::Go(zone), Pending::March(counter)) => self.march(state, counter, zone, context),
            (Action::Activate(counter), _) => {
                let (zone, cost) = (state.location(counter), self.tactical_cost(state, counter));
                self.pay(state, counter, zone, cost, context);
                state.sorted = false;
                state.add_mark(counter, mark::PAID | mark::ACTIVE);
            }
            (Action::Reorganise, _) => state.pending = Pending::Reorganisation,
            _ => {}
        }
    }

    /// Land counters of the active side, in zones and beachheads.
    fn own_land(&self, state: &State) -> Counters {
        self.tables.sheet.corps.or(self.of_kind(Kind::Supply)).and(&self.counters_of(state, state.active))
    }

    /// Whether an interchangeable counter of lower index stands in the same place.
    pub fn has_identical_before(&self, state: &State, counter: Counter) -> bool {
        let (place, look) = (state.location(counter), state.look(counter));
        let first = self.tables.sheet.first_of[self.counter_type(counter) as usize];
        // The counters of a type are numbered in one run.
        let alike = first.at()..counter.at();
        // All are asked: where the first identical one is follows no pattern, and runs are short.
        let identical = state.places.all()[alike].iter().zip((first.0..).map(Counter));
        identical.fold(false, |found, (&at, other)| found | ((at == place) & (state.look(other) == look)))
    }

    // ---- 7a fortification (15.1) ----

    fn fortification_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let nation = match state.active {
            Force::Axis => Nation::Ger,
            Force::Allied => Nation::Uk,
            Force::Soviet => return Continue(()),
        };
        let mut out = PassFirst::new(out, Action::Pass);
        self.turned_back(state, &mut out)?;
        if state.tally[0] >= self.rules.limits.fortify_per_turn || Till::new(self, state).payable().is_empty()
        {
            return Continue(());
        }
        let own =
            self.tables.sheet.corps.and(&self.tables.sheet.of_nation[nation.index()]).and(&state.on_map);
        let plain = own
            .difference(self.of_kind(Kind::Armour))
            .filter(|counter| state.location(counter).is_zone() && !state.is_turned(counter));
        let open = |counter: Counter| {
            self.may_fortify(state, counter, state.location(counter))
                && !self.has_identical_before(state, counter)
        };
        out.rest(None, [self.depot_choice(state), plain], |set, counter| match set {
            0 => plain.iter().any(open).then_some(Action::ChooseDepot),
            _ => open(counter).then_some(Action::Fortify(counter)),
        })
    }

    /// Offers to turn back the fortified corps of the side in turn, which may be done at any time (15.1, R-109).
    pub(crate) fn turned_back(&self, state: &State, out: &mut impl Offer) -> Flow {
        for counter in self.tables.sheet.fortifiable.and(&self.counters_of(state, state.active)) {
            if state.is_turned(counter) && !self.has_identical_before(state, counter) {
                out.offer(Action::Unfortify(counter))?;
            }
        }
        Continue(())
    }

    pub(crate) fn may_fortify(&self, state: &State, counter: Counter, zone: Zone) -> bool {
        let german = self.nation(counter) == Nation::Ger;
        // The British only at Malta, Gibraltar and Tobruk: the zones with a limit in corps.
        if !german && self.rules.zones[zone.at()].corps_limit.is_none() {
            return false;
        }
        self.fortified_form(state, counter).is_some()
            && self.can_pay(state, counter, zone, self.rules.costs.fortify)
    }

    /// The counter that will show the fortified corps, and the corps left on the old one.
    fn fortified_form(&self, state: &State, counter: Counter) -> Option<(Counter, (u8, u8))> {
        let (infantry, armour) = self.corps_of(state, counter);
        let sheet = &self.rules.counter_types[self.counter_type(counter) as usize];
        if sheet.fortifiable && infantry + armour == 1 {
            return Some((counter, (0, 0)));
        }
        let free = self.tables.sheet.types_of[sheet.nation.index()]
            .iter()
            .filter(|&&kind| self.rules.counter_types[kind as usize].fortifiable)
            .find_map(|&kind| self.in_pool(state, kind))?;
        let rest = (infantry.checked_sub(1)?, armour);
        let zone = state.location(counter);
        let holds = rest == (0, 0) || self.face_or_free(state, counter, rest, zone, free);
        holds.then_some((free, rest))
    }

    /// Whether the corps left over by a detachment have a counter other than `taken`.
    fn face_or_free(
        &self,
        state: &State,
        counter: Counter,
        rest: (u8, u8),
        zone: Zone,
        taken: Counter,
    ) -> bool {
        let mut trial = state.clone();
        trial.put(taken, Location::LOCKED);
        self.reface(&mut trial, counter, rest)
            || self.free_counter(&trial, self.nation(counter), rest, zone, false).is_some()
    }

    fn fortify(&self, state: &mut State, counter: Counter, context: &mut impl Rolls) {
        let zone = state.location(counter);
        let Some((form, rest)) = self.fortified_form(state, counter) else { return };
        let cost = self.rules.costs.fortify;
        self.pay(state, counter, zone, cost, context);
        if form != counter {
            let (nation, marks) = (self.nation(counter), state.marks[counter]);
            self.form(state, form, (1, 0), zone);
            state.marks[form] = marks;
            if rest == (0, 0) {
                self.retire(state, counter);
            } else if !self.reface(state, counter, rest)
                && let Some(other) = self.free_counter(state, nation, rest, zone, false)
            {
                self.retire(state, counter);
                self.form(state, other, rest, zone);
                state.marks[other] = marks;
            }
        }
        state.turn_face(form, true);
        state.tally[0] += 1;
    }

    // ---- 7b strategic movement (15.2) ----

    pub(crate) fn may_move(state: &State, counter: Counter) -> bool {
        state.is_fresh(counter) && !state.has_mark(counter, mark::NO_LAND | mark::PAID)
    }

    /// Land counters of the active side in these zones that have not moved.
    fn ready_to_move(&self, state: &State, zones: &Zones) -> Counters {
        let ready =
            |counter: Counter| zones.contains(state.location(counter)) && Self::may_move(state, counter);
        if zones.is_empty() { Counters::EMPTY } else { self.own_land(state).filter(ready) }
    }

    fn strategic_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let area = self.own_ground(state);
        let mut permits = Permits::new(self, state);
        let mut till = Till::new(self, state);
        let payable = till.payable().and(&area);
        let own = if payable.is_empty() { Counters::EMPTY } else { self.own_land(state) };
        let mut out = PassFirst::new(out, Action::Pass);
        self.turned_back(state, &mut out)?;
        let mut goes = |counter: Counter| {
            let zone = state.location(counter);
            payable.contains(zone)
                && Self::may_move(state, counter)
                && till.pays(counter, zone, self.strategic_cost(state, counter))
                && !permits.within(counter, &area.and(self.adjacent(zone))).is_empty()
                && !self.has_identical_before(state, counter)
        };
        out.rest(None, [self.depot_choice(state), own], |set, counter| match set {
            0 => own.iter().any(&mut goes).then_some(Action::ChooseDepot),
            _ => goes(counter).then_some(Action::Select(counter)),
        })
    }

    fn strategic_targets(&self, state: &State, counter: Counter, out: &mut impl Offer) -> Flow {
        let zone = state.location(counter);
        let area = Permits::new(self, state).within(counter, &self.own_ground(state));
        let mut reached = self.tables.ground.fill(Zones::one(zone), &area, &self.tables.links.adjacent);
        reached.remove(zone);
        out.ways(reached)
    }

    // ---- 7c tactical movement and activation (15.3) ----

    fn tactical_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        out.offer(Action::Pass)?;
        if out.counts() && self.is_worth_reorganising(state) {
            return out.at_least_two();
        }
        let mut tactics = Tactics::new(self, state);
        let ready = self.ready_to_move(state, &tactics.till.payable());
        let (mut asked, mut march, mut fight) = (Counters::EMPTY, Counters::EMPTY, Counters::EMPTY);
        let mut ask = |counter: Counter| {
            if !asked.contains(counter) {
                asked.insert(counter);
                let (goes, fights) = tactics.options(counter);
                if (goes || fights) && !self.has_identical_before(state, counter) {
                    march.set(counter, goes);
                    fight.set(counter, fights);
                }
            }
            (march.contains(counter), fight.contains(counter))
        };
        let sets = [self.depot_choice(state), Counters::one(Counter(0)), ready, ready];
        out.rest(None, sets, |set, counter| match set {
            0 => ready.iter().any(|other| ask(other) != (false, false)).then_some(Action::ChooseDepot),
            1 => self.is_worth_reorganising(state).then_some(Action::Reorganise),
            2 => ask(counter).0.then_some(Action::Select(counter)),
            _ => ask(counter).1.then_some(Action::Activate(counter)),
        })
    }

    fn march_actions(&self, state: &State, counter: Counter, out: &mut impl Offer) -> Flow {
        let moved = state.moved(counter);
        if moved > 0 {
            out.offer(Action::Pass)?;
        }
        let mut targets = Zones::EMPTY;
        let (left, ground) = (self.allowance(counter) - moved, self.ground_of(state, state.active));
        let _ = self.march_targets(state, counter, left, &ground, |zone, _| {
            targets.insert(zone);
            Continue(())
        });
        out.ways(targets)
    }

    fn march(&self, state: &mut State, counter: Counter, zone: Zone, context: &mut impl Rolls) {
        let from = state.location(counter);
        let moved = state.moved(counter);
        let ground = self.ground_of(state, state.active);
        let mut distance = 1;
        if !self.adjacent(from).contains(zone) {
            let left = self.allowance(counter) - moved;
            let _ = self.march_targets(state, counter, left, &ground, |to, steps| {
                distance = steps;
                if to == zone { Flow::Break(()) } else { Continue(()) }
            });
        }
        if !state.has_mark(counter, mark::PAID) {
            let cost = self.tactical_cost(state, counter);
            self.pay(state, counter, from, cost, context);
            state.add_mark(counter, mark::PAID);
        }
        self.enter(state, counter, zone, context);
        state.set_moved(counter, moved + distance);
        // Only a zone that has just been taken leaves anything to decide: own ones could have been passed at once.
        let goes_on = !ground.open.contains(zone) && state.moved(counter) < self.allowance(counter) && {
            let ground = self.ground_of(state, state.active);
            self.march_targets(state, counter, 1, &ground, |_, _| Flow::Break(())).is_break()
        };
        if !goes_on {
            self.halt(state);
        }
    }

    /// Ends the march: a counter that moved little enough is activated (15.3).
    fn halt(&self, state: &mut State) {
        if let Pending::March(counter) = state.pending {
            let most = if self.kind(counter).is_mobile() {
                self.rules.limits.armour_attack_move
            } else {
                self.rules.limits.infantry_attack_move
            };
            if self.kind(counter).is_corps() && state.moved(counter) <= most {
                state.add_mark(counter, mark::ACTIVE);
            }
        }
        state.pending = Pending::None;
    }

    // ---- 8c, 9d one-zone moves (16.5, 17.4), 9e units out of supply (17.5) ----

    pub(crate) fn one_zone_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        if let Pending::Destination(counter) = state.pending {
            return out.ways(self.one_zone_targets(state, counter));
        }
        let shut = self.shut_to_blitz(state);
        let free = state.phase == Phase::OutOfSupply;
        let mut ground = None;
        let mut permits = Permits::new(self, state);
        let mut till = Till::new(self, state);
        let bar = mark::DONE | mark::NO_LAND | mark::GROUP | mark::FOUGHT | mark::ADVANCED;
        let land = self.tables.zones.everywhere.difference(&shut);
        let own = self.tables.sheet.corps.and(&self.counters_of(state, state.active));
        let corps = if free {
            own.filter(|counter| {
                state.marks[counter] & (mark::UNSUPPLIED | mark::DONE) == mark::UNSUPPLIED
                    && !state.is_turned(counter)
                    && land.contains(state.location(counter))
            })
        } else {
            let payable = till.payable().and(&land);
            own.filter(|counter| {
                let marks = state.marks[counter];
                let zone = state.location(counter);
                // Without a jump: who may still move follows no pattern.
                let feeds = payable.contains(zone) | ((marks & mark::PAID != 0) & land.contains(zone));
                (marks & bar == 0) & state.is_fresh(counter) & feeds
            })
        };
        let mut out = PassFirst::new(out, Action::Pass);
        self.turned_back(state, &mut out)?;
        let mut goes = |counter: Counter| {
            let zone = state.location(counter);
            let pays = free
                || state.has_mark(counter, mark::PAID)
                || till.pays(counter, zone, self.tactical_cost(state, counter));
            let ground = ground.get_or_insert_with(|| self.ground_of(state, state.active));
            pays && !self
                .steps(counter, &self.adjacent(zone).difference(&shut), ground, &mut permits)
                .is_empty()
                && !self.has_identical_before(state, counter)
        };
        let due = |counter: Counter| !state.has_mark(counter, mark::PAID);
        let choice = if free { Counters::EMPTY } else { self.depot_choice(state) };
        out.rest(None, [choice, corps], |set, counter| match set {
            0 => corps.iter().any(|other| due(other) && goes(other)).then_some(Action::ChooseDepot),
            _ => goes(counter).then_some(Action::Select(counter)),
        })
    }

    /// Zones that a counter of the side in turn may enter by a one-zone move (16.5, 17.4, 17.5).
    pub fn one_zone_targets(&self, state: &State, counter: Counter) -> Zones {
        let mut targets = Zones::EMPTY;
        let ground = self.ground_of(state, state.active);
        let _ = self.march_targets(state, counter, 1, &ground, |zone, _| {
            targets.insert(zone);
            Continue(())
        });
        targets.difference(&self.shut_to_blitz(state))
    }

    /// Zones under snow that know no Blitz Phase for the side in turn, and so no move in it (6, 16.5).
    pub(crate) fn shut_to_blitz(&self, state: &State) -> Zones {
        let calendar = self.calendar(state);
        let shut = state.phase == Phase::BlitzMove
            && calendar.weather == Weather::Snow
            && !calendar.snow_blitz[state.active.index()];
        if shut { self.tables.zones.snow } else { Zones::EMPTY }
    }

    pub(crate) fn one_zone_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (action, state.pending) {
            (Action::Select(counter), _) => state.pending = Pending::Destination(counter),
            (Action::Go(zone), Pending::Destination(counter)) => {
                if state.phase != Phase::OutOfSupply && !state.has_mark(counter, mark::PAID) {
                    let (from, cost) = (state.location(counter), self.tactical_cost(state, counter));
                    self.pay(state, counter, from, cost, context);
                }
                self.enter(state, counter, zone, context);
                state.set_moved(counter, 1);
                state.add_mark(counter, mark::PAID | mark::DONE);
                if state.phase == Phase::BlitzMove {
                    state.add_mark(counter, mark::ACTIVE);
                }
                state.pending = Pending::None;
            }
            _ => self.end_phase(state, context),
        }
    }

    /// Marks the counters of the active side that have no line at the end of its turn (17.5); the mark holds through the
    /// enemy's turns (7).
    pub(crate) fn mark_unsupplied(&self, state: &mut State) {
        let force = state.active;
        let own = self.tables.sheet.corps.and(&self.counters_of(state, force));
        // The free move of 17.5 is open to those who made a one-zone move too.
        own.iter().for_each(|counter| state.clear_mark(counter, mark::DONE | mark::UNSUPPLIED));
        self.unsupplied(state).iter().for_each(|counter| state.add_mark(counter, mark::UNSUPPLIED));
    }

    /// Corps of the active side that have no line of supply now (7, 17.5). Corps stacked with a Minor Country's corps at
    /// home are supplied for defence.
    pub fn unsupplied(&self, state: &State) -> Counters {
        let force = state.active;
        let own = self.tables.sheet.corps.and(&self.counters_of(state, force));
        let near = if state.stale { Zones::EMPTY } else { state.fuel };
        let astray = state.corps[force.index()].difference(&near);
        let waiting = self.beached(state).and(&own);
        if astray.is_empty() && waiting.is_empty() {
            return Counters::EMPTY;
        }
        let net = self.supplied(state, force, true);
        let mut unsupplied = waiting.filter(|counter| {
            state.beachhead(state.location(counter)).is_none_or(|(_, sea)| !sea.is_in(net.seas))
        });
        for zone in astray.difference(&net.zones) {
            let at_home = |counter: Counter| self.home_supply(state, counter, zone);
            let minor = |counter: Counter| {
                self.tables.countries.minors.contains(counter) && self.force(state, counter) == Some(force)
            };
            if !state.stack(zone).any(|counter| minor(counter) && at_home(counter)) {
                let corps = state.members(zone).and(&own);
                unsupplied = unsupplied.or(&corps.filter(|counter| !at_home(counter)));
            }
        }
        unsupplied
    }
}
