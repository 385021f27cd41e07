//! Why a decision is not legal, in words.
//!
//! Nothing here decides what is legal: every reason is found by asking the predicates that the generator of legal
//! actions itself uses, in the order in which a player would check them. Each names the rule that forbids, in brackets.

use sandtable_core::Index;

use sandtable_core::Game;

use crate::action::Action;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, Zone};
use crate::nation::{Country, Force, Nation};
use crate::phase::{Pending, Phase};
use crate::rules::{Kind, Weather};
use crate::state::{State, Status, mark};
use crate::supply::Till;

impl BlitzWar {
    /// The position after a counter has been picked, before it is sent anywhere.
    pub fn picked(&self, state: &State, counter: Counter) -> State {
        let mut state = state.clone();
        state.pending = if state.phase == Phase::TacticalMovement {
            Pending::March(counter)
        } else {
            Pending::Destination(counter)
        };
        state
    }

    /// Why an action is not legal, and by which rules; `None` if it is.
    pub fn why_illegal(&self, state: &State, action: Action) -> Option<String> {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if legal.contains(&action) {
            return None;
        }
        let reason = match action {
            Action::Select(counter) => self.why_not_picked(state, counter),
            Action::Go(place) => match state.pending {
                Pending::March(counter) => self.why_no_march(state, counter, place),
                Pending::Destination(counter) => self.why_not_sent(state, counter, place),
                _ => "no counter has been picked (8)".into(),
            },
            Action::Activate(counter) => self.why_not_activated(state, counter),
            Action::Attack(zone) => {
                let near: Counters = self
                    .sheet()
                    .filter(|&counter| {
                        self.kind(counter).is_corps()
                            && self.force(state, counter) == Some(state.active)
                            && self.touches(state, counter, zone)
                    })
                    .collect();
                self.why_no_attack(state, zone, &near).unwrap_or_else(|| "not in this phase (8)".into())
            }
            Action::Fortify(counter) => self.why_not_fortified(state, counter),
            Action::Unfortify(counter) => self.why_not_turned_back(state, counter),
            Action::ChooseDepot | Action::PayFrom(_) => Self::why_no_depot(state),
            Action::Respond(counter) => self.why_no_answer(state, counter),
            Action::Bomb(counter) => self.why_no_bombing(state, counter),
            Action::Beachhead { counter, zone } => self.why_no_beachhead(state, counter, zone),
            Action::Card(card) => self.why_no_card(state, card),
            Action::Hold => self.why_no_hold(state),
            Action::Retreat(zone) => self.why_no_retreat(state, zone),
            Action::Advance(counter, zone) => self.why_no_advance(state, counter, zone),
            Action::Lose(counter, kind) => self.why_not_lost(state, counter, kind),
            Action::Merge(a, b) => self.why_no_merger(state, a, b, false),
            Action::MergeElite(a, b) => self.why_no_merger(state, a, b, true),
            Action::Exchange(counter) => self.why_no_exchange(state, counter),
            Action::Release(kind) => self.why_no_release(state, kind),
            Action::Place { nation, kind, place } => Self::why_not_placed(state, nation, kind, place),
            Action::Dogfight if self.snow_at(state, self.rules.landmarks.london) => {
                "no air over snow (13.1)".into()
            }
            Action::Dogfight => "the Germans do not outnumber the Allies at London (13.4.3)".into(),
            Action::NavalAttack(_) => "no enemy ships there, or fought there already (12.2)".into(),
            Action::Lend(_) => "no fleet units left to carry it (11.4)".into(),
            Action::Pass => "something must be decided first (8)".into(),
            Action::Roll => "no diplomatic roll is due (9.3)".into(),
            Action::Italian(_) => "no Italian reinforcement of that kind is due (11.2)".into(),
            Action::PaySupply | Action::GiveUp(_) => {
                "no loss of supply is due that could be met so (11.3)".into()
            }
            Action::Reorganise => "nothing can be reorganised in this phase (11.10)".into(),
            Action::Split(..) | Action::Discard(_) => {
                "the counter cannot be reorganised so here (11.10)".into()
            }
            Action::Eliminate(_) => "no stack of that side is over the limit there (4)".into(),
            Action::UseShift | Action::WaiveShift => {
                "the German defence shift is not in question (16.3.2)".into()
            }
            _ => "not in this phase (8)".into(),
        };
        Some(reason)
    }

    /// Why these counters may not attack a zone together in this phase; `None` if they may.
    pub fn why_no_attack(&self, state: &State, zone: Zone, attackers: &Counters) -> Option<String> {
        if !matches!(state.phase, Phase::Blitz | Phase::Normal) {
            return Some("no combat in this phase (16, 17)".into());
        }
        let name = |zone: Zone| self.rules.zones[zone.at()].name.clone();
        if !self.foes(state, state.active).contains(zone) {
            return Some("no enemy corps are there (16.1)".into());
        }
        if state.attacked.contains(zone) {
            return Some("the zone has been attacked in this phase (16.1)".into());
        }
        if state.active == Force::Soviet && state.allied_attacked.contains(zone) {
            return Some("the Allies have attacked the zone this turn (16.1)".into());
        }
        if state.corps(state.active).contains(zone) {
            return Some("own corps stand there (4)".into());
        }
        if !self.attackable(state, zone) {
            return Some(if self.terrain_effects(zone).bars_blitz {
                "the terrain bars Blitz combat (16.1)".into()
            } else {
                "snow bars Blitz combat (6)".into()
            });
        }
        if attackers.is_empty() {
            return Some("no own corps are adjacent (16.1)".into());
        }
        let able: Counters = attackers.iter().filter(|&counter| self.may_fight(state, counter)).collect();
        let eligible = self.eligible(state, zone, &able);
        if let Some(counter) = attackers.iter().find(|&counter| !eligible.contains(counter)) {
            let marks = state.marks[counter];
            let group = marks & mark::GROUP;
            return Some(if !self.touches(state, counter, zone) {
                "not adjacent (15.3)".into()
            } else if state.is_turned(counter) {
                "fortified corps do not attack (15.1)".into()
            } else if marks & mark::FOUGHT != 0 || group != 0 && state.phase == Phase::Blitz {
                "the counter has fought in this phase (16.1)".into()
            } else if group != 0 && self.armoured_groups(state) >> (group >> mark::GROUP_SHIFT) & 1 == 0 {
                "the Blitz group has no armour left (17.1)".into()
            } else if let Some(bound) = self.bound_target(state, counter).filter(|&bound| bound != zone) {
                format!("the Blitz group must attack {} again (17.1)", name(bound))
            } else if !able.contains(counter) {
                "the counter is not activated (15.3)".into()
            } else if !self.may_attack(state, counter, zone) {
                self.why_barred(state, counter, zone)
            } else if state.phase == Phase::Blitz
                && self.line_stands(state, zone)
                && self.tables.links.line[zone].contains(state.location(counter))
            {
                "no Blitz combat across a fortified line (16.1)".into()
            } else if self.kind(counter) == Kind::Elite {
                "only one Elite Army may operate in the USSR (11.7)".into()
            } else {
                format!("no more {} units may operate there (9.6)", self.nation(counter).name())
            });
        }
        let odds = self.assess(state, zone, attackers);
        if odds.odds < 0 {
            return Some("the odds are below 2-3 (16.2)".into());
        }
        if odds.index() < 1 {
            return Some("the final column is below 1-1 (16.2)".into());
        }
        if !self.is_legal_attack(state, zone, attackers) {
            return Some("a Blitz attack needs armour (16.1)".into());
        }
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if state.pending == Pending::None && !legal.contains(&Action::Attack(zone)) {
            return Some("another zone must be attacked again first (17.1)".into());
        }
        None
    }

    fn touches(&self, state: &State, counter: Counter, zone: Zone) -> bool {
        let place = state.location(counter);
        match Self::landing_zone(state, counter) {
            Some(beach) => beach == zone,
            None => place.is_zone() && self.adjacent(zone).contains(place),
        }
    }

    /// Why a counter may not be in, or attack, a zone (9.3, 9.6, 11.7).
    fn why_barred(&self, state: &State, counter: Counter, zone: Zone) -> String {
        let (nation, kind) = (self.nation(counter), self.kind(counter));
        if !self.nation_may_go(state, nation, kind, zone) {
            return format!("{} units may not operate there (9.6)", nation.name());
        }
        if kind == Kind::Elite
            && self.home(Country::Ussr).contains(zone)
            && self.other_elite_operates(state, counter)
        {
            return "only one Elite Army may operate in the USSR (11.7)".into();
        }
        if self.meets_other_minor(state, nation, zone) {
            return "two Minor Countries never share a zone (9.6)".into();
        }
        if self.guests_in_romania(state).is_some() && self.home(Country::Rum).contains(zone) {
            return "Romania takes no more Axis corps (9.3)".into();
        }
        format!("{} units may not operate there (9.6)", nation.name())
    }

    fn why_not_picked(&self, state: &State, counter: Counter) -> String {
        let place = state.location(counter);
        if self.force(state, counter) != Some(state.active) {
            return "the counter is not one of the side in turn (8)".into();
        }
        if state.pending != Pending::None {
            return "something else must be decided first (8)".into();
        }
        let kind = self.kind(counter);
        let broke = || "no supply to pay with (7)".to_owned();
        match state.phase {
            Phase::TacticalMovement | Phase::StrategicMovement => {
                let cost = if state.phase == Phase::StrategicMovement {
                    self.strategic_cost(state, counter)
                } else {
                    self.tactical_cost(state, counter)
                };
                if !place.is_zone() {
                    "the counter is not in a land zone (15.3)".into()
                } else if let Some(reason) = Self::why_immobile(state, counter) {
                    reason
                } else if !self.can_pay(state, counter, place, cost) {
                    broke()
                } else {
                    "there is nowhere to go (15.3)".into()
                }
            }
            Phase::BlitzMove | Phase::NormalMove | Phase::OutOfSupply => {
                if !kind.is_corps() {
                    "only infantry and armour move now (16.5, 17.4)".into()
                } else if state.is_turned(counter) {
                    "the corps is fortified (15.1)".into()
                } else if self.shut_to_blitz(state).contains(place) {
                    "snow bars the move after Blitz combat (6)".into()
                } else if state.phase == Phase::OutOfSupply && !state.is_unsupplied(counter) {
                    "the counter is in supply (17.5)".into()
                } else if state.has_mark(counter, mark::GROUP | mark::FOUGHT) {
                    "the counter has fought this turn (16.5, 17.4)".into()
                } else if state.moved(counter) > 0
                    || state.has_mark(counter, mark::NO_LAND | mark::DONE | mark::ADVANCED)
                {
                    "the counter has moved this turn (8)".into()
                } else if !self.can_pay(state, counter, place, self.tactical_cost(state, counter)) {
                    broke()
                } else {
                    "there is nowhere to go (15.3)".into()
                }
            }
            Phase::NavalMovement => {
                let area = self.own_area(state, state.active);
                if state.has_mark(counter, mark::DONE) {
                    "the counter has moved this turn (8)".into()
                } else if self.naval_payer(state, counter, &area, &mut Till::new(self, state)).is_none() {
                    broke()
                } else {
                    "there is nowhere to go (15.3)".into()
                }
            }
            Phase::SeaTransport => {
                if state.is_turned(counter) {
                    "a counter on its other face is not transported (14.1)".into()
                } else if state.has_mark(counter, mark::NO_LAND) {
                    "the counter has been transported this turn (14.1.1)".into()
                } else if place.is_zone() && !self.ports().contains(place) {
                    "the counter is not in a port (14.1.1)".into()
                } else if place.is_zone()
                    && !self.can_pay(state, counter, place, self.fare(state, counter, false))
                {
                    broke()
                } else {
                    "there is nowhere to go (15.3)".into()
                }
            }
            Phase::TacticalAir | Phase::StrategicAir | Phase::LateAir if kind == Kind::Air => {
                if !crate::air::at_airfield(state, counter) {
                    "the air unit is on mission (13.1)".into()
                } else if state.has_mark(counter, mark::DONE | mark::NO_LAND) {
                    "the counter has moved this turn (8)".into()
                } else {
                    "there is nowhere to go (15.3)".into()
                }
            }
            _ => "not in this phase (8)".into(),
        }
    }

    fn why_immobile(state: &State, counter: Counter) -> Option<String> {
        if Self::may_move(state, counter) {
            return None;
        }
        Some(if state.is_turned(counter) {
            "the corps is fortified (15.1)".into()
        } else if state.has_mark(counter, mark::NO_LAND) {
            "transported by sea or moved strategically this turn (14.1.1, 15.2)".into()
        } else {
            "moved or activated already this turn (15.3)".into()
        })
    }

    /// Why a counter may not end a step by land in a zone; `None` if distance or lines are at fault.
    fn why_shut(&self, state: &State, counter: Counter, zone: Zone) -> Option<String> {
        let force = state.active;
        let passes = force == Force::Axis && self.hosts(state).contains(zone);
        if !passes && self.foes(state, force).contains(zone) {
            return Some("enemy or neutral corps bar the way (15.3)".into());
        }
        if self.friend_zones(state, force).contains(zone) {
            return Some("the friend's counters stand there (4)".into());
        }
        if !self.may_enter(state, counter, zone) {
            return Some(self.why_barred(state, counter, zone));
        }
        let shut = self.kind(counter) == Kind::Supply && !self.ground_of(state, force).open.contains(zone);
        shut.then(|| "supply goes into own zones only (15.3)".into())
    }

    fn why_no_march(&self, state: &State, counter: Counter, place: Location) -> String {
        if !place.is_zone() {
            return "not a land zone (15.3)".into();
        }
        self.why_shut(state, counter, place).unwrap_or_else(|| {
            format!("not within {} zones (15.3)", self.allowance(counter) - state.moved(counter))
        })
    }

    fn why_not_sent(&self, state: &State, counter: Counter, place: Location) -> String {
        match state.phase {
            Phase::StrategicMovement => {
                if !place.is_zone() || !self.own_area(state, state.active).contains(place) {
                    return "not a zone the side controls (5)".into();
                }
                self.why_shut(state, counter, place)
                    .unwrap_or_else(|| "no way through own zones (15.2)".into())
            }
            Phase::BlitzMove if self.shut_to_blitz(state).contains(place) => {
                "snow bars the move after Blitz combat (6)".into()
            }
            Phase::BlitzMove | Phase::NormalMove | Phase::OutOfSupply if place.is_zone() => {
                self.why_shut(state, counter, place).unwrap_or_else(|| "not adjacent (15.3)".into())
            }
            Phase::NavalMovement => {
                let area = self.own_area(state, state.active);
                if place.is_zone() && !area.and(self.ports()).contains(place) {
                    return "not a port of the side (12.1)".into();
                }
                let nation = self.nation(counter);
                if place.is_zone()
                    && nation == Nation::Uk
                    && !self.nation_may_go(state, nation, self.kind(counter), place)
                {
                    return format!("{} units may not operate there (9.6)", nation.name());
                }
                // Would it be within reach if every strait were open?
                let all = self.rules.every_zone().collect();
                let (ports, waters) = self.naval_reach(state, counter, &all);
                let near = match place.sea() {
                    Some(sea) => sea.is_in(waters),
                    None => ports.contains(place),
                };
                if near {
                    "the strait is closed (12.1)".into()
                } else {
                    "more than four steps away (12.1)".into()
                }
            }
            Phase::TacticalAir => self.why_no_mission(state, counter, place),
            Phase::StrategicAir | Phase::LateAir => {
                let own = self.own_ground(state);
                if own.contains(place) && !self.air_bases(state, counter, &own).contains(place) {
                    self.why_barred(state, counter, place)
                } else {
                    "no way through own zones (13.5)".into()
                }
            }
            Phase::SeaTransport => self.why_not_carried(state, counter, place),
            _ => "not in this phase (8)".into(),
        }
    }

    fn why_no_mission(&self, state: &State, counter: Counter, place: Location) -> String {
        let base = state.location(counter);
        let in_range = match place.sea() {
            Some(sea) => sea.is_in(self.coast(base)),
            None => place.is_zone() && self.air_range(base).contains(place),
        };
        if !in_range {
            "out of range (13.4.1)".into()
        } else if place.is_zone() && self.snow_at(state, place) {
            "no air over snow (13.1)".into()
        } else {
            format!("{} units may not operate there (9.6)", self.nation(counter).name())
        }
    }

    fn why_not_carried(&self, state: &State, counter: Counter, place: Location) -> String {
        let from = state.location(counter);
        if place.is_zone() {
            if !self.transport_ports(state).contains(place) {
                return "not a port of the side (12.1)".into();
            }
            if self.kind(counter).is_corps() && !self.may_enter(state, counter, place) {
                return self.why_barred(state, counter, place);
            }
            if from.is_zone() && !self.can_pay(state, counter, from, self.fare(state, counter, true)) {
                return "no supply to pay with (7)".into();
            }
            return "no way by sea (14.1.1)".into();
        }
        let Some((zone, sea)) = state.beachhead(place) else {
            return "there is no beachhead (14.1.2)".into();
        };
        if !self.kind(counter).is_corps() {
            return "only corps land (14.1.2)".into();
        }
        if !from.is_zone() {
            return "corps land from a port only (14.1.2)".into();
        }
        if self.weather(state) == Weather::Snow && sea.is_in(self.tables.coasts.snow_seas) {
            return "snow bars landings in that sea (14.1.2)".into();
        }
        if !sea.is_in(self.port_seas(from)) && from != self.rules.landmarks.america {
            return "not from a port of the landing sea (14.1.2)".into();
        }
        if from == self.rules.landmarks.stockholm
            && !self.own_area(state, state.active).contains(self.rules.landmarks.copenhagen)
        {
            return "from Stockholm only with control of Copenhagen (14.1.2)".into();
        }
        if self.rules.regions.great_britain.contains(zone)
            && state.active == Force::Axis
            && !state.britain_open
        {
            return "Great Britain is closed until the Battle of Britain is won (13.4.3)".into();
        }
        if !self.can_pay(
            state,
            counter,
            from,
            self.fare(state, counter, from == self.rules.landmarks.america),
        ) {
            return "no supply to pay with (7)".into();
        }
        if !self.may_enter(state, counter, zone) {
            return self.why_barred(state, counter, zone);
        }
        // Capacity, or from America the fleet units at sea, is all that is left of the conditions.
        debug_assert!(!self.may_land(state, counter, place));
        if from == self.rules.landmarks.america {
            "not enough room in the beachhead or fleet units in the landing sea (14.1.2)".into()
        } else {
            "the beachhead has no room (14.1.2)".into()
        }
    }

    fn why_not_activated(&self, state: &State, counter: Counter) -> String {
        let zone = state.location(counter);
        if state.phase != Phase::TacticalMovement {
            return "not in this phase (8)".into();
        }
        if self.force(state, counter) != Some(state.active) {
            return "the counter is not one of the side in turn (8)".into();
        }
        if let Some(reason) = Self::why_immobile(state, counter) {
            return reason;
        }
        if !zone.is_zone() || !self.kind(counter).is_corps() {
            return "only corps in land zones are activated (15.3)".into();
        }
        let near = self.adjacent(zone).and(&self.foes(state, state.active));
        if near.is_empty() {
            return "no enemy corps are adjacent (15.3)".into();
        }
        if let Some(target) =
            near.first().filter(|_| !near.iter().any(|to| self.may_attack(state, counter, to)))
        {
            return self.why_barred(state, counter, target);
        }
        "no supply to pay with (7)".into()
    }

    fn why_not_fortified(&self, state: &State, counter: Counter) -> String {
        let zone = state.location(counter);
        let (nation, wanted) = (
            self.nation(counter),
            match state.active {
                Force::Axis => Nation::Ger,
                Force::Allied => Nation::Uk,
                Force::Soviet => return "only Germans and British fortify (15.1)".into(),
            },
        );
        if state.phase != Phase::Fortification {
            "corps are fortified at the start of the Movement Phase (15.1)".into()
        } else if nation != wanted || self.corps_of(state, counter).0 == 0 {
            "only German and British infantry fortifies (15.1)".into()
        } else if state.tally[0] >= self.rules.limits.fortify_per_turn {
            "a side fortifies one corps a turn (15.1)".into()
        } else if state.is_turned(counter) {
            "the corps is fortified (15.1)".into()
        } else if nation == Nation::Uk
            && !self.may_fortify(state, counter, zone)
            && self.rules.zones[zone.at()].corps_limit.is_none()
        {
            "the British fortify only at Malta, Gibraltar and Tobruk (15.1)".into()
        } else if !self.can_pay(state, counter, zone, self.rules.costs.fortify) {
            "no supply to pay with (7)".into()
        } else {
            "no counter is left for the fortified corps (3)".into()
        }
    }

    fn why_not_turned_back(&self, state: &State, counter: Counter) -> String {
        if !state.is_turned(counter) || !self.kind(counter).is_corps() {
            "the corps is not fortified (15.1)".into()
        } else if self.force(state, counter) != Some(state.active) {
            "the counter is not one of the side in turn (8)".into()
        } else if state.pending == Pending::None {
            "not in this phase (8)".into()
        } else {
            "something else must be decided first (8)".into()
        }
    }

    fn why_no_depot(state: &State) -> String {
        if !state.phase.asks_for_supply() {
            "nothing is paid in this phase (7)".into()
        } else if state.payer != Location::NONE {
            "a depot has been named already (7)".into()
        } else {
            "no other depot is in reach, or there is nothing to pay for (7)".into()
        }
    }

    fn why_no_answer(&self, state: &State, counter: Counter) -> String {
        let Pending::Response { target, responder, .. } = state.pending else {
            return "nobody is asked to answer (13.2)".into();
        };
        if self.force(state, counter) != Some(Force::ALL[responder as usize]) {
            "another side is asked to answer (13.2)".into()
        } else if !crate::air::at_airfield(state, counter) {
            "the air unit is on mission (13.1)".into()
        } else if target == Location::BOMBING_BOX {
            "only German air in Germany answers bombers (13.3)".into()
        } else if self.may_respond(state, counter, target) {
            "an equal unit answers (13.2)".into()
        } else {
            "out of range (13.4.1)".into()
        }
    }

    fn why_no_bombing(&self, state: &State, counter: Counter) -> String {
        if state.phase != Phase::Bombing {
            "not in this phase (8)".into()
        } else if self.calendar(state).bombing == 0 {
            "strategic bombing has not begun (13.3)".into()
        } else if state.stack(Location::BOMBING_BOX).count() >= self.rules.dates.bombing_max as usize {
            "no more bombers this turn (13.3)".into()
        } else if !self.rules.regions.great_britain.contains(state.location(counter)) {
            "only air in Great Britain bombs (13.3)".into()
        } else {
            "the air unit is on mission (13.1)".into()
        }
    }

    fn why_no_beachhead(&self, state: &State, counter: Counter, zone: Zone) -> String {
        let force = state.active;
        let Some(sea) = state.location(counter).sea().filter(|_| state.phase == Phase::Beachheads) else {
            return "the air unit is not at sea, or the phase is another (13.4.5)".into();
        };
        if force == Force::Soviet || force == Force::Axis && self.nation(counter) != Nation::Ger {
            "only German and Allied air becomes a beachhead (13.4.5)".into()
        } else if self.tables.zones.naval_bases.contains(zone) {
            "no landing at a naval base (13.4.5)".into()
        } else if !self.beaches(sea).contains(zone) {
            "the zone has no beach on that sea (13.4.5)".into()
        } else if self.sea_lost_without(state, sea, counter) {
            "the enemy would rule the sea (13.4.5)".into()
        } else if self.slot(state, force, zone, sea).is_none() {
            "all beachheads are in use (13.4.5)".into()
        } else {
            format!("{} units may not operate there (9.6)", self.nation(counter).name())
        }
    }

    fn why_no_card(&self, state: &State, card: u8) -> String {
        if state.phase != Phase::Cards {
            "not in this phase (8)".into()
        } else if card >= self.open_deck(state, state.active, state.turn) {
            "Total War cards are not open (10.2)".into()
        } else if state.cards[state.active.index()].contains(&card) {
            "the card waits or has been shown this turn (10.1)".into()
        } else {
            "no card is to be chosen (10.1)".into()
        }
    }

    fn why_no_hold(&self, state: &State) -> String {
        if state.pending != Pending::Retreat {
            return "no retreat is due (17.2)".into();
        }
        let force = Force::ALL[state.combat.defender as usize];
        let (infantry, armour) = self.corps_in(state, state.combat.target, force);
        if infantry + armour < 2 {
            "the last corps cannot be lost to stay (17.2)".into()
        } else if !self.retreat_zones(state).is_empty()
            && !self.tables.zones.fortress.contains(state.combat.target)
        {
            "after two more losses than the attacker, who can retreat must (17.2)".into()
        } else {
            "the defender has no line of supply (17.2)".into()
        }
    }

    fn why_no_retreat(&self, state: &State, zone: Zone) -> String {
        if state.pending != Pending::Retreat {
            return "no retreat is due (17.2)".into();
        }
        let force = Force::ALL[state.combat.defender as usize];
        if !self.adjacent(state.combat.target).contains(zone) {
            "not adjacent (15.3)".into()
        } else if state.attacked.contains(zone) {
            "the zone has been attacked in this phase (16.1)".into()
        } else if self.foes(state, force).contains(zone) {
            "enemy corps are there (15.3)".into()
        } else if state.controller(zone).is_none() {
            "the zone is neutral (17.2)".into()
        } else {
            "there is a better zone to retreat to (17.2)".into()
        }
    }

    fn why_no_advance(&self, state: &State, counter: Counter, zone: Zone) -> String {
        let place = state.location(counter);
        let beach = place.is_beachhead();
        if state.pending != Pending::Advance && !beach {
            "no advance is due (16.4, 17.3)".into()
        } else if !state.attacks(counter) && !beach {
            "the counter did not take part (16.4, 17.3)".into()
        } else if self.advances_left(state, counter) == 0 {
            "the counter has advanced as far as it may (16.4, 17.3)".into()
        } else if self.foes(state, state.active).contains(zone) {
            "enemy corps are there (15.3)".into()
        } else if !beach
            && place != zone
            && place == state.combat.target
            && state.has_mark(counter, mark::HALTED)
        {
            "the terrain halts the advance (17.3)".into()
        } else if !beach && !self.adjacent(zone).contains(place)
            || beach && !self.touches(state, counter, zone)
        {
            "not adjacent (15.3)".into()
        } else if state.has_mark(counter, mark::ASHORE) {
            "from a beachhead on only through a port over easy terrain (16.4)".into()
        } else if !self.may_enter(state, counter, zone) {
            self.why_barred(state, counter, zone)
        } else {
            "the advance goes through the zone that was attacked (16.4, 17.3)".into()
        }
    }

    fn why_not_lost(&self, state: &State, counter: Counter, kind: Kind) -> String {
        let (infantry, armour) = self.corps_of(state, counter);
        let has = if kind == Kind::Armour { armour } else { infantry };
        let attacker = match state.pending {
            Pending::AttackerLoss => true,
            Pending::DefenderLoss | Pending::CancelLoss => false,
            _ => return "no loss is due (16.2)".into(),
        };
        if has == 0 || state.attacks(counter) != attacker {
            "the loss cannot fall there (16.2)".into()
        } else if attacker && state.combat.attacker_elite && self.kind(counter) != Kind::Elite {
            "the loss falls on the Elite Army (16.2)".into()
        } else if !attacker && state.combat.defender_german && self.nation(counter) != Nation::Ger {
            "a German corps must be lost (16.3.2)".into()
        } else {
            "an armour corps must be lost (16.2)".into()
        }
    }

    fn why_no_merger(&self, state: &State, a: Counter, b: Counter, elite: bool) -> String {
        if !Self::reorganises(state) {
            "not in this phase (8)".into()
        } else if state.location(a) != state.location(b) {
            "the counters are not together (11.10)".into()
        } else if self.merged(state, a, b, elite).is_none() {
            "no counter shows these units there (3)".into()
        } else if state.phase == Phase::Reorganisation && self.force(state, a) == Some(state.active) {
            "corps and supply only where the zone is over the stacking limit (11.10)".into()
        } else {
            "not counters of the side in turn (8)".into()
        }
    }

    fn why_no_exchange(&self, state: &State, counter: Counter) -> String {
        if !Self::reorganises(state) {
            "not in this phase (8)".into()
        } else if state.has_mark(counter, mark::REORGANISED) {
            "reorganised already in this phase (11.10)".into()
        } else if self.counterpart(state, counter).is_none() {
            "no counter shows these units there (3)".into()
        } else {
            "not a counter of the side in turn (8)".into()
        }
    }

    fn reorganises(state: &State) -> bool {
        matches!(state.phase, Phase::Reorganisation | Phase::SeaTransport | Phase::TacticalMovement)
    }

    fn why_no_release(&self, state: &State, kind: u8) -> String {
        let queue = state.queue(state.active);
        if state.phase != Phase::Placement || queue.development == 0 {
            "no development on the card (11.8)".into()
        } else if self.locked(state, kind).is_none() {
            "no counter of the type is locked (11.8)".into()
        } else {
            "air is released only by a card that has air (11.8)".into()
        }
    }

    fn why_not_placed(state: &State, nation: Nation, kind: Kind, place: Location) -> String {
        let force = state.active;
        if !matches!(state.phase, Phase::Placement | Phase::Minors) {
            "not in this phase (8)".into()
        } else if nation == Nation::Usa && state.status(Country::Usa) != Status::Allied {
            "the USA is not at war (9.3)".into()
        } else if nation == Nation::Uk && kind.is_corps() && state.queue(force).british == 0 {
            "no more British corps from a Total War card (11.5)".into()
        } else if place.is_zone() && !state.control(force).contains(place) {
            "not a zone the side controls (5)".into()
        } else {
            "units of that kind are not placed there now (11.2, 11.5)".into()
        }
    }
}
