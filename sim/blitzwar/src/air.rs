//! Air phase (13): bombing, the Battle of Britain, missions and answers, beachheads, strategic movement.
//!
//! Rulings: Battle of Britain, snow R-96, who answers R-97, beachheads, strategic
//! movement R-100, nations under restrictions R-101.

use sandtable_core::Index;

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::BlitzWar;
use crate::location::{Counter, Location, SLOTS, Sea, Zone, seas};
use crate::nation::{Country, Force, Nation};
use crate::naval::with_seas;
use crate::phase::{Pending, Phase};
use crate::restrictions::Permits;
use crate::rules::{Basin, Kind, Seas, Weather, Zones};
use crate::sequence::{ActionSink, Flow, Offer, PassFirst};
use crate::state::{State, mark};

/// Whether an air unit stands at an airfield, ready for use (13.4.1).
pub(crate) fn at_airfield(state: &State, counter: Counter) -> bool {
    state.location(counter).is_zone() && !state.is_turned(counter)
}

impl BlitzWar {
    /// Before a side's tactical use of air: its old missions are lost (13.4), empty beachheads are forgotten, and the
    /// outcome of the Battle of Britain is found (13.4.3).
    pub(crate) fn tactical_air_begins(&self, state: &mut State, context: &mut impl Rolls) {
        let force = state.active;
        for counter in self.of_kind(Kind::Air).and(&self.counters_of(state, force)) {
            if state.location(counter) < Location::BOMBING_BOX && state.is_turned(counter) {
                self.eliminate(state, counter, context);
            }
        }
        for slot in 0..SLOTS {
            if state.places.is_empty(Location::of_beachhead(slot)) {
                state.slot_zone[slot] = Location::NONE;
                state.slot_sea[slot] = Sea::NONE;
            }
        }
        if force == Force::Axis {
            let undefended = self.defenders_of_britain(state).next().is_none();
            state.britain_open = undefended;
        }
    }

    /// Legal actions of the Air Phase (13), answers of other sides included.
    pub(crate) fn air_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let mut out = PassFirst::new(out, Action::Pass);
        if state.pending == Pending::None {
            self.turned_back(state, &mut out)?;
        }
        match (state.pending, state.phase) {
            (Pending::Response { target, responder, .. }, _) => {
                let responder = Force::ALL[responder as usize];
                let air = self.of_kind(Kind::Air).and(&self.counters_of(state, responder));
                out.rest(None, [air], |_, counter| {
                    (self.may_respond(state, counter, target) && !self.has_identical_before(state, counter))
                        .then_some(Action::Respond(counter))
                })
            }
            (Pending::Destination(counter), Phase::TacticalAir) => {
                self.mission_actions(state, counter, out.inner())
            }
            (Pending::Destination(counter), _) => self.rebase_actions(state, counter, out.inner()),
            (_, Phase::Bombing) => self.bombing_actions(state, &mut out),
            (_, Phase::BattleOfBritain) if self.may_dogfight(state) => out.offer(Action::Dogfight),
            (_, Phase::BattleOfBritain) => Continue(()),
            (_, Phase::TacticalAir) => {
                let air = self.of_kind(Kind::Air).and(&self.counters_of(state, state.active));
                out.rest(None, [air], |_, counter| {
                    let flies =
                        at_airfield(state, counter) && !self.has_identical_before(state, counter) && {
                            let (zones, seas) = self.missions(state, counter);
                            seas != 0 || !zones.is_empty()
                        };
                    flies.then_some(Action::Select(counter))
                })
            }
            (_, Phase::Beachheads) => self.beachhead_actions(state, &mut out),
            _ => self.strategic_air_actions(state, &mut out),
        }
    }

    /// Plays an action of the Air Phase (13).
    pub(crate) fn air_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (action, state.pending) {
            (Action::Respond(answer), Pending::Response { counter, target, .. }) => {
                let nation = self.nation(answer);
                context.emit(|| Event::AirAnswered { nation, place: target });
                self.eliminate(state, answer, context);
                self.eliminate(state, counter, context);
                state.pending = Pending::None;
            }
            (Action::Pass, Pending::Response { counter, target, responder }) => {
                self.ask_for_response(state, counter, target, responder + 1, context);
            }
            (Action::Bomb(counter), _) => self.fly(state, counter, Location::BOMBING_BOX, context),
            (Action::Dogfight, _) => self.dogfight(state, context),
            (Action::Select(counter), _) => state.pending = Pending::Destination(counter),
            (Action::Go(place), Pending::Destination(counter)) if state.phase == Phase::TacticalAir => {
                if place.is_zone() && !self.is_friendly(state, state.active, place) {
                    let german = self.nation(counter) == Nation::Ger;
                    self.provoke(state, state.active, place, german, context);
                }
                self.fly(state, counter, place, context);
            }
            (Action::Go(place), Pending::Destination(counter)) => {
                self.relocate(state, counter, place, context);
                state.add_mark(counter, mark::DONE);
                state.pending = Pending::None;
            }
            (Action::Beachhead { counter, zone }, _) => self.open_beachhead(state, counter, zone, context),
            _ => {
                if state.phase == Phase::StrategicAir {
                    self.abandon_beachheads(state, context);
                }
                self.end_phase(state, context);
            }
        }
    }

    /// Whether a zone is a side's own or its friend's: air over it attacks nobody (9.3).
    pub(crate) fn is_friendly(&self, state: &State, force: Force, zone: Zone) -> bool {
        self.own_area(state, force).contains(zone)
            || force.friend().is_some_and(|friend| state.control[friend.index()].contains(zone))
    }

    /// Side with air superiority in a land zone (13.4.2), if any. Where Allied and Soviet air fly together, which hinders
    /// neither, it is the side in turn if it is one of them.
    pub fn air_superiority(&self, state: &State, zone: Zone) -> Option<Force> {
        // Over snow, missions of an earlier turn have no effect (6).
        if self.snow_at(state, zone) {
            return None;
        }
        let mut holder: Option<Force> = None;
        for counter in state.stack(zone) {
            if self.kind(counter) == Kind::Air
                && state.is_turned(counter)
                && let Some(force) = self.force(state, counter)
            {
                if holder.is_some_and(|other| other.opposes(force)) {
                    return None;
                }
                if holder.is_none() || force == state.active {
                    holder = Some(force);
                }
            }
        }
        holder
    }

    // ---- missions and answers (13.2, 13.4) ----

    /// Targets of an air unit of the side in turn (13.4.1): land zones without snow, and seas.
    pub(crate) fn missions(&self, state: &State, counter: Counter) -> (Zones, Seas) {
        let base = state.location(counter);
        let (mut zones, mut waters) = (*self.air_range(base), self.coast(base));
        if self.weather(state) == Weather::Snow {
            zones = zones.difference(&self.tables.zones.snow);
        }
        match self.nation(counter) {
            Nation::Ita => {
                zones = zones.and(&self.tables.zones.italian_area);
                waters = seas(waters)
                    .filter(|&sea| self.italian_waters(sea))
                    .fold(0, |mask, sea| mask | sea.mask());
            }
            // Germans may not attack Greece for a time (9.6).
            Nation::Ger => {
                let home = self.home(Country::Gre);
                let greece = home.difference(&Permits::new(self, state).within(counter, home));
                zones = zones.difference(&greece);
            }
            _ => {}
        }
        (zones, waters)
    }

    fn italian_waters(&self, sea: Sea) -> bool {
        self.rules.seas[sea.at()].basin == Basin::Mediterranean
    }

    fn mission_actions(&self, state: &State, counter: Counter, out: &mut impl Offer) -> Flow {
        let (zones, waters) = self.missions(state, counter);
        out.ways(with_seas(zones, waters))
    }

    /// Whether an air unit may answer a use over the target (13.2, 13.3): it is at airfield and in range; over the
    /// bombing box it is a German unit in Germany.
    pub(crate) fn may_respond(&self, state: &State, counter: Counter, target: Zone) -> bool {
        if !at_airfield(state, counter) {
            return false;
        }
        let (base, nation) = (state.location(counter), self.nation(counter));
        if target == Location::BOMBING_BOX {
            return nation == Nation::Ger && self.home(Country::Ger).contains(base);
        }
        match target.sea() {
            Some(sea) => {
                self.sea_coast(sea).contains(base) && (nation != Nation::Ita || self.italian_waters(sea))
            }
            None => {
                self.air_range(base).contains(target)
                    && (nation != Nation::Ita || self.tables.zones.italian_area.contains(target))
            }
        }
    }

    /// Sends an air unit on mission and asks for answers (13.2).
    fn fly(&self, state: &mut State, counter: Counter, target: Zone, context: &mut impl Rolls) {
        self.relocate(state, counter, target, context);
        state.turn_face(counter, true);
        let nation = self.nation(counter);
        context.emit(|| Event::AirMission { nation, place: target });
        self.ask_for_response(state, counter, target, 0, context);
    }

    /// Asks the next side, in order of play from `first`, that is at war with the side in turn and can answer (13.2).
    /// When nobody is left to ask, the mission stands.
    fn ask_for_response(
        &self,
        state: &mut State,
        counter: Counter,
        target: Zone,
        first: u8,
        context: &mut impl Rolls,
    ) {
        for &force in &Force::ALL[first as usize..] {
            let answers = self.at_war(state, state.active, force)
                && self
                    .units(state, force, self.of_kind(Kind::Air), |other| {
                        if self.may_respond(state, other, target) { Flow::Break(()) } else { Continue(()) }
                    })
                    .is_break();
            if answers {
                state.pending = Pending::Response { counter, target, responder: force as u8 };
                return;
            }
        }
        state.pending = Pending::None;
        if target.is_zone() {
            // Opposing missions over a land zone cancel one for one (13.4.2).
            let foe = state.stack(target).find(|&other| {
                self.kind(other) == Kind::Air
                    && state.is_turned(other)
                    && self.force(state, other).is_some_and(|force| self.at_war(state, state.active, force))
            });
            if let Some(foe) = foe {
                self.eliminate(state, foe, context);
                self.eliminate(state, counter, context);
            }
        }
    }

    // ---- bombing (13.3) ----

    /// Allied air in Great Britain may bomb, so many unanswered units a turn (13.3); snow does not matter.
    fn bombing_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let bombers = state.stack(Location::BOMBING_BOX).count();
        if self.calendar(state).bombing == 0 || bombers >= self.rules.dates.bombing_max as usize {
            return Continue(());
        }
        self.units(state, Force::Allied, self.of_kind(Kind::Air), |counter| {
            if at_airfield(state, counter)
                && self.rules.regions.great_britain.contains(state.location(counter))
                && !self.has_identical_before(state, counter)
            {
                out.offer(Action::Bomb(counter))?;
            }
            Continue(())
        })
    }

    // ---- Battle of Britain (13.4.3) ----

    /// German air one zone from London (13.4.3).
    fn attackers_of_britain(&self, state: &State) -> impl Iterator<Item = Counter> {
        let near = self.tables.links.linked[self.rules.landmarks.london];
        let german = self.of_kind(Kind::Air).and(&self.tables.sheet.of_nation[Nation::Ger.index()]);
        german
            .and(&state.on_map)
            .into_iter()
            .filter(move |&counter| at_airfield(state, counter) && near.contains(state.location(counter)))
    }

    /// Allied air in range of London (13.4.3).
    fn defenders_of_britain(&self, state: &State) -> impl Iterator<Item = Counter> {
        let range = self.air_range(self.rules.landmarks.london);
        self.of_kind(Kind::Air)
            .and(&self.counters_of(state, Force::Allied))
            .into_iter()
            .filter(move |&counter| at_airfield(state, counter) && range.contains(state.location(counter)))
    }

    /// Rounds are fought while German air outnumbers Allied air (13.4.3).
    fn may_dogfight(&self, state: &State) -> bool {
        let defenders = self.defenders_of_britain(state).count();
        defenders > 0
            && !self.snow_at(state, self.rules.landmarks.london)
            && self.attackers_of_britain(state).count() > defenders
    }

    fn dogfight(&self, state: &mut State, context: &mut impl Rolls) {
        let die = context.die(6) as u8;
        context.emit(|| Event::BritainRound { die });
        let (german, allied) = self.rules.charts.battle_of_britain[die as usize - 1];
        for _ in 0..german {
            let lost = self.attackers_of_britain(state).next();
            if let Some(counter) = lost {
                self.eliminate(state, counter, context);
            }
        }
        for _ in 0..allied {
            let lost = self.defenders_of_britain(state).next();
            if let Some(counter) = lost {
                self.eliminate(state, counter, context);
            }
        }
    }

    // ---- beachheads (13.4.5) ----

    /// Whether the enemy would rule the sea without this air unit (12.3, 13.4.5).
    pub(crate) fn sea_lost_without(&self, state: &State, sea: Sea, counter: Counter) -> bool {
        self.superiority_without(state, sea, counter)
            .is_some_and(|holder| self.at_war(state, holder, state.active))
    }

    /// The location of the beachhead of a side at a zone and sea: the one in use, else a free one.
    pub(crate) fn slot(&self, state: &State, force: Force, zone: Zone, sea: Sea) -> Option<Location> {
        let codes = Location::beachheads();
        self.beachhead_of(state, force, zone, sea)
            .or_else(|| codes.clone().find(|&place| state.places.is_empty(place)))
    }

    /// The side that uses a beachhead location; `None` if it is empty.
    pub(crate) fn beachhead_force(&self, state: &State, place: Location) -> Option<Force> {
        state.stack(place).next().and_then(|counter| self.force(state, counter))
    }

    /// The beachhead in use by a side at a zone and sea.
    fn beachhead_of(&self, state: &State, force: Force, zone: Zone, sea: Sea) -> Option<Location> {
        Location::beachheads().find(|&place| {
            state.beachhead(place) == Some((zone, sea)) && self.beachhead_force(state, place) == Some(force)
        })
    }

    /// Unanswered German and Allied air at sea may become beachheads at any beach of the sea, whoever holds it (13.4.5,
    /// The Battle of Britain bars the transport to Great Britain, not the beachhead.
    fn beachhead_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let force = state.active;
        if force == Force::Soviet {
            return Continue(());
        }
        self.units(state, force, self.of_kind(Kind::Air), |counter| {
            let Some(sea) = state.location(counter).sea() else { return Continue(()) };
            let german_or_allied = force == Force::Allied || self.nation(counter) == Nation::Ger;
            if !german_or_allied
                || self.has_identical_before(state, counter)
                || self.sea_lost_without(state, sea, counter)
            {
                return Continue(());
            }
            for zone in *self.beaches(sea) {
                if (self.nation(counter) != Nation::Ger
                    || !self.home(Country::Gre).contains(zone)
                    || self.may_enter(state, counter, zone))
                    && self.slot(state, force, zone, sea).is_some()
                {
                    out.offer(Action::Beachhead { counter, zone })?;
                }
            }
            Continue(())
        })
    }

    fn open_beachhead(&self, state: &mut State, counter: Counter, zone: Zone, context: &mut impl Rolls) {
        let Some(sea) = state.location(counter).sea() else { return };
        if let Some(place) = self.slot(state, state.active, zone, sea) {
            let slot = place.at() - Location::FIRST_BEACHHEAD.at();
            state.slot_zone[slot] = zone;
            state.slot_sea[slot] = sea;
            self.relocate(state, counter, place, context);
        }
    }

    /// Air units that form a beachhead (14.1.2).
    pub(crate) fn beachhead_size(&self, state: &State, place: Location) -> u8 {
        state.stack(place).filter(|&counter| self.kind(counter) == Kind::Air).count() as u8
    }

    /// Beachheads of the side in turn that have corps but no air any more (14.1.2).
    fn lost_beachhead(&self, state: &State) -> Option<Location> {
        Location::beachheads().find(|&place| {
            self.beachhead_force(state, place) == Some(state.active) && self.beachhead_size(state, place) == 0
        })
    }

    /// Corps that got no new beachhead by the end of their side's Air Phase are lost (14.1.2, R-29).
    fn abandon_beachheads(&self, state: &mut State, context: &mut impl Rolls) {
        while let Some(place) = self.lost_beachhead(state) {
            while let Some(counter) = state.stack(place).next() {
                self.eliminate(state, counter, context);
            }
            let slot = place.at() - Location::FIRST_BEACHHEAD.at();
            state.slot_zone[slot] = Location::NONE;
            state.slot_sea[slot] = Sea::NONE;
        }
    }

    // ---- strategic movement (13.5) ----

    /// Zones where an air unit of the side in turn may be based (9.6, 13.5): controlled ones without the friend's units.
    pub(crate) fn air_bases(&self, state: &State, counter: Counter, own: &Zones) -> Zones {
        let regions = &self.rules.regions;
        match self.nation(counter) {
            Nation::Ita => own.and(&self.tables.zones.italian_area),
            Nation::Uk => self.enterable(state, counter, own, &regions.french_north_africa),
            Nation::Ger => self.enterable(state, counter, own, &regions.africa),
            _ => *own,
        }
    }

    /// `own` without the zones of `region` that the movement restrictions close to the counter (9.6).
    fn enterable(&self, state: &State, counter: Counter, own: &Zones, region: &Zones) -> Zones {
        own.difference(&region.difference(&Permits::new(self, state).within(counter, region)))
    }

    /// Zones controlled by the side in turn where its counters may stand (4).
    pub(crate) fn own_ground(&self, state: &State) -> Zones {
        let force = state.active;
        self.own_area(state, force).difference(&self.friend_zones(state, force))
    }

    fn strategic_air_actions(&self, state: &State, out: &mut PassFirst<'_, impl Offer>) -> Flow {
        // Corps without a beachhead are lost when this phase ends: passing, even if forced, carries it out.
        if state.phase == Phase::StrategicAir && self.lost_beachhead(state).is_some() {
            out.offer_pass()?;
        }
        let mut own: Option<Zones> = None;
        let air = self.of_kind(Kind::Air).and(&self.counters_of(state, state.active));
        out.rest(None, [air], |_, counter| {
            // Air that has gone by sea moves no more (14.1.1).
            if !at_airfield(state, counter)
                || state.has_mark(counter, mark::DONE | mark::NO_LAND)
                || self.has_identical_before(state, counter)
            {
                return None;
            }
            let own = own.get_or_insert_with(|| self.own_ground(state));
            let base = state.location(counter);
            let mut bases = self.air_bases(state, counter, own);
            bases.remove(base);
            let near = self.tables.links.linked[base].intersects(&bases)
                || seas(self.coast(base)).any(|sea| self.sea_coast(sea).intersects(&bases));
            (near || self.air_reach(state, base).intersects(&bases)).then_some(Action::Select(counter))
        })
    }

    /// Zones joined to a base through controlled zones by lines and coasts (13.5), the base included.
    fn air_reach(&self, state: &State, base: Location) -> Zones {
        let own = self.own_area(state, state.active);
        let tables = &self.tables;
        let (start, mut left, mut crossed) = (Zones::one(base), own, 0);
        // A base on ground that is not the side's own is left by links and by sea all the same.
        let (mut from, mut shores) = (start.and(&own), 0);
        if from.is_empty() {
            (from, shores) = (tables.links.linked[base].and(&own), self.coast(base));
        }
        loop {
            shores |=
                tables.ground.by_air(from, &own, &mut left, &tables.links.linked, &tables.coasts.of_zone);
            let coasts =
                seas(shores & !crossed).fold(Zones::EMPTY, |zones, sea| zones.or(self.sea_coast(sea)));
            crossed |= shores;
            from = coasts.and(&left);
            if from.is_empty() {
                return start.or(&own.difference(&left));
            }
        }
    }

    fn rebase_actions(&self, state: &State, counter: Counter, out: &mut impl Offer) -> Flow {
        let base = state.location(counter);
        let mut targets =
            self.air_reach(state, base).and(&self.air_bases(state, counter, &self.own_ground(state)));
        targets.remove(base);
        out.ways(targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::*;

    fn apply(game: &BlitzWar, state: &mut State, action: Action) {
        assert!(legal(game, state).contains(&action), "{action:?} is not legal");
        game.air_apply(state, action, &mut scripted(&[]));
        game.check_invariants(state).unwrap();
    }

    fn on_mission(game: &BlitzWar, state: &mut State, nation: Nation, place: Location) -> Counter {
        let air = put(game, state, nation, Kind::Air, 1, place);
        state.turn_face(air, true);
        air
    }

    #[test]
    fn missions_are_answered_one_by_one() {
        let game = game();
        let mut state = position(&game, 5, Phase::TacticalAir, Force::Axis);
        let first = put(&game, &mut state, Nation::Ger, Kind::Air, 1, CALAIS);
        let second = put(&game, &mut state, Nation::Ger, Kind::Air, 1, CALAIS);
        let answer = put(&game, &mut state, Nation::Uk, Kind::Air, 1, PLYMOUTH);
        give(&mut state, CALAIS, Force::Axis);
        assert_eq!(
            legal(&game, &state),
            [Action::Pass, Action::Select(first)],
            "equal units are offered once"
        );
        apply(&game, &mut state, Action::Select(first));
        apply(&game, &mut state, Action::Go(LONDON));
        assert_eq!(game.decider(&state), Force::Allied);
        assert_eq!(legal(&game, &state), [Action::Pass, Action::Respond(answer)]);
        apply(&game, &mut state, Action::Respond(answer));
        assert_eq!((state.location(first), state.location(answer)), (Location::POOL, Location::POOL));
        apply(&game, &mut state, Action::Select(second));
        apply(&game, &mut state, Action::Go(LONDON));
        assert_eq!(state.pending, Pending::None, "nobody is left to answer");
        assert_eq!(game.air_superiority(&state, LONDON), Some(Force::Axis));
    }

    #[test]
    fn opposing_missions_over_land_cancel() {
        let game = game();
        let mut state = position(&game, 5, Phase::TacticalAir, Force::Axis);
        give(&mut state, CALAIS, Force::Axis);
        let german = put(&game, &mut state, Nation::Ger, Kind::Air, 1, CALAIS);
        let british = on_mission(&game, &mut state, Nation::Uk, CALAIS);
        apply(&game, &mut state, Action::Select(german));
        apply(&game, &mut state, Action::Go(CALAIS));
        assert_eq!((state.location(german), state.location(british)), (Location::POOL, Location::POOL));
    }

    #[test]
    fn air_of_both_sides_may_stay_in_one_sea() {
        let game = game();
        let mut state = position(&game, 5, Phase::TacticalAir, Force::Axis);
        let german = put(&game, &mut state, Nation::Ger, Kind::Air, 1, HAMBURG);
        let british = on_mission(&game, &mut state, Nation::Uk, Location::of_sea(NORTH_SEA));
        apply(&game, &mut state, Action::Select(german));
        apply(&game, &mut state, Action::Go(Location::of_sea(NORTH_SEA)));
        assert_eq!([german, british].map(|air| state.location(air)), [Location::of_sea(NORTH_SEA); 2]);
        assert_eq!(game.maritime_superiority(&state, NORTH_SEA), None);
    }

    #[test]
    fn soviets_answer_only_when_at_war() {
        let game = game();
        for (war, asked) in [(0, false), (4, true)] {
            let mut state = position(&game, 5, Phase::TacticalAir, Force::Axis);
            state.timers.axis_soviet_war = war;
            let german = put(&game, &mut state, Nation::Ger, Kind::Air, 1, RUHR);
            put(&game, &mut state, Nation::Ussr, Kind::Air, 1, MOSCOW);
            state.pending = Pending::Destination(german);
            apply(&game, &mut state, Action::Go(RUHR));
            assert_eq!(matches!(state.pending, Pending::Response { responder: 2, .. }), asked);
        }
    }

    #[test]
    fn no_air_over_snow_but_over_the_sea() {
        let game = game();
        for (turn, snow) in [(19, false), (20, true)] {
            let mut state = position(&game, turn, Phase::TacticalAir, Force::Axis);
            let german = put(&game, &mut state, Nation::Ger, Kind::Air, 1, HAMBURG);
            let targets = destinations(&game, &state, german);
            assert_eq!(targets.contains(&MOSCOW), !snow);
            assert_eq!(targets.contains(&LONDON), !snow);
            assert!(targets.contains(&Location::of_sea(NORTH_SEA)));
            // Rostock is four lines from Moscow.
            let far = put(&game, &mut state, Nation::Ger, Kind::Air, 1, Location(2));
            assert!(!destinations(&game, &state, far).contains(&MOSCOW));
        }
    }

    #[test]
    fn old_missions_are_lost_before_the_own_air_phase() {
        let game = game();
        let mut state = position(&game, 5, Phase::TacticalAir, Force::Axis);
        let german = on_mission(&game, &mut state, Nation::Ger, CALAIS);
        let british = on_mission(&game, &mut state, Nation::Uk, LONDON);
        let ready = put(&game, &mut state, Nation::Ger, Kind::Air, 1, HAMBURG);
        game.tactical_air_begins(&mut state, &mut scripted(&[]));
        assert_eq!(
            [german, british, ready].map(|air| state.location(air)),
            [Location::POOL, LONDON, HAMBURG]
        );
        assert!(state.britain_open, "no Allied air at airfield in range of London");
    }

    #[test]
    fn bombing_stops_at_three_unanswered_units() {
        let game = game();
        let mut state = position(&game, 28, Phase::Bombing, Force::Allied);
        for _ in 0..6 {
            put(&game, &mut state, Nation::Uk, Kind::Air, 1, LONDON);
        }
        let interceptors =
            [RUHR, HAMBURG].map(|base| put(&game, &mut state, Nation::Ger, Kind::Air, 1, base));
        put(&game, &mut state, Nation::Ger, Kind::Air, 1, CALAIS);
        for answer in interceptors {
            let bomber = legal(&game, &state)[1];
            apply(&game, &mut state, bomber);
            apply(&game, &mut state, Action::Respond(answer));
        }
        for _ in 0..3 {
            let bomber = legal(&game, &state)[1];
            apply(&game, &mut state, bomber);
            assert_eq!(state.pending, Pending::None, "air outside Germany does not answer");
        }
        assert_eq!(state.stack(Location::BOMBING_BOX).count(), 3);
        assert!(legal(&game, &state).is_empty());
        let mut early = position(&game, 27, Phase::Bombing, Force::Allied);
        put(&game, &mut early, Nation::Uk, Kind::Air, 1, LONDON);
        assert!(legal(&game, &early).is_empty());
    }

    #[test]
    fn the_battle_of_britain_goes_on_while_germans_outnumber() {
        let game = game();
        for (germans, faces, left, open) in [(4, &[1u32, 5][..], (1, 0), true), (3, &[2][..], (1, 1), false)]
        {
            let mut state = position(&game, 7, Phase::BattleOfBritain, Force::Axis);
            give(&mut state, CALAIS, Force::Axis);
            for _ in 0..germans {
                put(&game, &mut state, Nation::Ger, Kind::Air, 1, CALAIS);
            }
            for _ in 0..2 {
                put(&game, &mut state, Nation::Uk, Kind::Air, 1, PLYMOUTH);
            }
            for &face in faces {
                assert_eq!(legal(&game, &state), [Action::Pass, Action::Dogfight]);
                game.air_apply(&mut state, Action::Dogfight, &mut scripted(&[face]));
            }
            assert!(legal(&game, &state).is_empty());
            let counts =
                (game.attackers_of_britain(&state).count(), game.defenders_of_britain(&state).count());
            assert_eq!(counts, left);
            game.tactical_air_begins(&mut state, &mut scripted(&[]));
            assert_eq!(state.britain_open, open);
        }
    }

    #[test]
    fn air_at_sea_becomes_a_beachhead_where_the_enemy_does_not_rule() {
        let game = game();
        let mut state = position(&game, 5, Phase::Beachheads, Force::Axis);
        let first = on_mission(&game, &mut state, Nation::Ger, Location::of_sea(NORTH_SEA));
        let at = |zone| Action::Beachhead { counter: first, zone };
        // Copenhagen is neutral, London and Calais hostile, Hamburg a naval base.
        assert_eq!(legal(&game, &state), [Action::Pass, at(COPENHAGEN), at(LONDON), at(CALAIS)]);
        // Against a fleet the last air unit must stay at sea, or the enemy would rule it.
        put(&game, &mut state, Nation::Uk, Kind::Fleet, 2, Location::of_sea(NORTH_SEA));
        assert!(legal(&game, &state).is_empty());
        let second = on_mission(&game, &mut state, Nation::Ger, Location::of_sea(NORTH_SEA));
        apply(&game, &mut state, at(CALAIS));
        assert_eq!(state.beachhead(state.location(first)), Some((CALAIS, NORTH_SEA)));
        assert_eq!(state.location(second), Location::of_sea(NORTH_SEA));
        assert!(legal(&game, &state).is_empty());
    }

    #[test]
    fn corps_without_a_new_beachhead_are_lost_when_the_air_phase_ends() {
        let game = game();
        for renewed in [false, true] {
            let mut state = position(&game, 5, Phase::Beachheads, Force::Axis);
            let air = on_mission(&game, &mut state, Nation::Ger, Location::of_sea(NORTH_SEA));
            apply(&game, &mut state, Action::Beachhead { counter: air, zone: CALAIS });
            let corps = put(&game, &mut state, Nation::Ger, Kind::Infantry, 2, Location::FIRST_BEACHHEAD);
            game.tactical_air_begins(&mut state, &mut scripted(&[]));
            assert_eq!(state.location(corps), Location::FIRST_BEACHHEAD);
            if renewed {
                let air = on_mission(&game, &mut state, Nation::Ger, Location::of_sea(NORTH_SEA));
                apply(&game, &mut state, Action::Beachhead { counter: air, zone: CALAIS });
            }
            state.phase = Phase::StrategicAir;
            assert_eq!(legal(&game, &state).is_empty(), renewed);
            if !renewed {
                game.abandon_beachheads(&mut state, &mut scripted(&[]));
            }
            assert_eq!(
                state.location(corps),
                if renewed { Location::FIRST_BEACHHEAD } else { Location::POOL }
            );
        }
    }

    #[test]
    fn air_moves_strategically_through_own_zones_and_over_seas() {
        let game = game();
        let mut state = position(&game, 5, Phase::StrategicAir, Force::Allied);
        let british = put(&game, &mut state, Nation::Uk, Kind::Air, 1, LONDON);
        let reached = destinations(&game, &state, british);
        // By Plymouth and the North Atlantic to America, Africa and Gibraltar; the Eastern Mediterranean and the Gulf
        // touch no zone of this net.
        assert_eq!(reached, [PLYMOUTH, CALAIS, GIBRALTAR, CASABLANCA, ALGIERS, AMERICA]);
        apply(&game, &mut state, Action::Select(british));
        apply(&game, &mut state, Action::Go(GIBRALTAR));
        assert!(legal(&game, &state).is_empty(), "one move a turn");
    }
}
