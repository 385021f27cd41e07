//! 6. Production: resources, factories, points, and what is built with them (11, 7.7, 13).
//!
//! The majors of a player write one after the other, each from its own points (R-61):
//!
//! ```text
//!  begin      count resources, factories, points                    [Account]
//!  write      a step, a new unit, a factory step ... until Pass     marks, Budget, Written
//!  place      when all have written: steps, new units, factories    place_production
//! ```
//!
//! What is written is marked on the units themselves ([`mark::BUILT`], for new units with the place in `via`), the rest is
//! kept in [`Written`](crate::state::Written) by force, so that it can be hidden from the enemy (R-65).

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause};
use crate::game::VictoryInEurope;
use crate::nation::{Force, NATIONS, Nation};
use crate::place::{NO_INDEX, Place, UnitId};
use crate::rules::{Areas, Arm, Entry, Import, Kind, ResourceUse, Standing, Units};
use crate::state::{Budget, State, mark};
use crate::supply::{Ground, Line, Network};
use crate::tables::Peers;
use sandtable_core::{Board, Index};

/// What a major's production comes to (11.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Account {
    /// Resources with a line, those of convoys and imports too; without those that lend-lease ties up (1.5, 7.7).
    pub resources: u8,
    /// Factory steps that produce (8.5, 11.32), without those apart in the Urals and behind the Ladoga.
    pub factories: u8,
    /// Points on top: lend-lease, events, a handicap (7.71, 11.0).
    pub aid: u8,
    /// Points to spend: the lesser of the first two, and the third.
    pub points: u8,
    /// Points of the Urals (13).
    pub urals: u8,
    /// Points of a Leningrad that lives by the Ladoga (1.9).
    pub leningrad: u8,
    /// Factory steps the resources would feed beyond those there are (R-90); those of the Urals.
    pub growth: [u8; 2],
}

/// The lines a major counts by.
struct Books<'a> {
    major: Nation,
    /// For units and factories.
    supply: Ground<'a>,
    /// Areas its supply reaches from its own sources.
    lines: Areas,
    /// For resources.
    trade: Ground<'a>,
    /// What they reach.
    network: Network,
}

impl VictoryInEurope {
    /// The major that pays for a nation's units (11.5), if one does.
    pub(crate) fn payer(&self, state: &State, nation: Nation) -> Option<Nation> {
        state.politics.standing(nation).force()?;
        Some(state.politics.patron(nation)).filter(|payer| payer.is_major())
    }
    /// Whether a major produces: it fights or arms; the USA from its mobilisation (13).
    fn produces(&self, state: &State, major: Nation) -> bool {
        let politics = &state.politics;
        politics.standing(major).force().is_some()
            && (major != Nation::Usa || politics.usa_mobilised || politics.usa == Entry::AtWar)
    }
    /// The force of a major that produces.
    fn force_of_major(&self, state: &State, major: Nation) -> Force {
        state.politics.standing(major).force().unwrap_or(Force::Western)
    }
    /// Whether a unit is one of the lend-lease convoys A and B (7.71), and which: 0 or 1.
    fn lend_lease(&self, unit: UnitId) -> Option<usize> {
        let places = &self.rules.places;
        let zone = self.tables.units.convoy_zone[unit.at()].sea_zone()?;
        [places.convoy_a, places.convoy_b].iter().position(|&home| home == zone)
    }
    /// Steps of a convoy in its zone.
    fn convoy_steps(&self, state: &State, unit: UnitId) -> u8 {
        let at_home = state.location(unit) == self.tables.units.convoy_zone[unit.at()];
        if at_home { state.steps(unit) } else { 0 }
    }
    /// Resources of the USA that lend-lease convoys tie up: one a step (7.71).
    fn tied_resources(&self, state: &State) -> u8 {
        let convoys = self.tables.units.of_kind[Kind::Convoy as usize];
        let lent = convoys.iter().filter(|&unit| self.lend_lease(unit).is_some());
        lent.map(|unit| self.convoy_steps(state, unit)).sum()
    }
    /// Areas where a factory of a major may stand: whose controller it pays for.
    fn factory_sites<'a>(&'a self, state: &'a State, major: Nation) -> impl Iterator<Item = Place> + 'a {
        let sites = self.tables.areas.sites.and(&state.roster.factories).into_iter();
        sites.filter(move |&area| self.payer(state, state.controller(area)) == Some(major))
    }

    // ---- counting ----

    fn books<'a>(&'a self, state: &'a State, major: Nation) -> Books<'a> {
        let supply = Ground::new(self, state, major, Line::Supply);
        let trade = supply.of_lines(Line::Resource);
        let lines = supply.reach(&supply.sources()).areas;
        let network = trade.reach(&trade.sources());
        Books { major, supply, lines, trade, network }
    }
    /// Counts resources, factories and points of a major (11.1).
    pub fn account(&self, state: &State, major: Nation) -> Account {
        self.count(state, &self.books(state, major))
    }
    fn count(&self, state: &State, books: &Books<'_>) -> Account {
        let places = &self.rules.places;
        let Books { major, ref supply, lines, .. } = *books;
        let resource = self.resources(state, books);
        let mut account = Account { aid: self.event_points(state, major), ..Account::default() };
        let (mut all, mut in_leningrad) = (0, 0);
        let by_lake = supply.crosses_ladoga(&lines);
        for area in self.factory_sites(state, major) {
            let steps = state.factory(area);
            // Steps that have been moved here do not produce this turn (11.32).
            let working = steps.saturating_sub(state.arrivals(area));
            if self.is_urals(area) {
                let local = self.rules.areas[area.at()].resource;
                account.urals = if lines.contains(area) { working.min(local) } else { 0 };
                account.growth[1] = local.saturating_sub(steps);
                continue;
            }
            all += steps;
            if lines.contains(area) {
                account.factories += working;
            } else if by_lake && area == places.leningrad {
                in_leningrad = working;
            }
        }
        account.resources = resource;
        if major == Nation::Usa {
            account.resources = resource.saturating_sub(self.tied_resources(state));
        }
        if major == Nation::Ussr && state.factory(places.urals) == 0 {
            account.growth[1] = self.rules.areas[places.urals.at()].resource;
        }
        account.growth[0] = account.resources.saturating_sub(all);
        if major == Nation::Usa && state.politics.usa != Entry::AtWar {
            let limit = self.rules.charts.neutral_usa_factories;
            account.growth[0] = account.growth[0].min(limit.saturating_sub(all));
        }
        let fed = account.factories.min(account.resources);
        account.leningrad = in_leningrad.min(account.resources - fed);
        account.aid += self.aid(state, books) + self.handicap(state, major);
        account.points = fed + account.aid;
        account
    }
    /// Whether an area's resources feed its own factories alone (13: the Urals).
    fn is_urals(&self, area: Place) -> bool {
        self.rules.areas[area.at()].resource_use == ResourceUse::Local
    }
    /// Resource points of a major with a line to its source (1.5, 11.2), but for the local ones of the Urals.
    fn resources(&self, state: &State, books: &Books<'_>) -> u8 {
        let Books { major, network, .. } = *books;
        let reaches = |area: Place| {
            if major == Nation::Germany && area == self.rules.places.lulea {
                self.ore_arrives(state, books)
            } else {
                network.areas.contains(area)
            }
        };
        let of_axis = self.force_of_major(state, major) == Force::Axis;
        // What has been conquered counts from the next turn (11.2).
        let mut sites = network.areas;
        sites.insert(self.rules.places.lulea);
        let sites = sites.and(&self.tables.areas.resources).difference(&state.captured);
        let on_map = sites.iter().filter(|&area| {
            let usable = match self.rules.areas[area.at()].resource_use {
                ResourceUse::Any => true,
                ResourceUse::Axis => of_axis,
                ResourceUse::Local => false,
            };
            usable && self.payer(state, state.controller(area)) == Some(major) && reaches(area)
        });
        let mut sum: u8 = on_map.map(|area| self.rules.areas[area.at()].resource).sum();
        for unit in self.tables.units.of_kind[Kind::Convoy as usize] {
            let zone = self.tables.units.convoy_zone[unit.at()];
            if self.lend_lease(unit).is_none()
                && self.nation(state, unit) == major
                && zone.sea_zone().is_some_and(|zone| network.seas & 1 << zone != 0)
            {
                sum += self.convoy_steps(state, unit);
            }
        }
        if major == Nation::Germany {
            let arrives = |import: &&Import| {
                state.politics.standing(import.from) != Standing::Gone
                    && import.area.map_or_else(
                        || state.politics.ussr == Entry::Neutral,
                        |area| {
                            // An ally's resources count by control; a treaty lasts while its neutral stands.
                            let standing = state.politics.standing(import.from);
                            matches!(standing, Standing::Neutral | Standing::Defending)
                                && state.controller(area) == import.from
                                && reaches(area)
                        },
                    )
            };
            sum += self.rules.imports.iter().filter(arrives).map(|import| import.value).sum::<u8>();
        }
        sum
    }
    /// Whether the ore of Gallivare reaches Germany: over the Baltic; when the Gulf of Bothnia is frozen through Narvik, and
    /// not at all if an enemy controls any area of Norway or Denmark (13, R-68).
    fn ore_arrives(&self, state: &State, books: &Books<'_>) -> bool {
        let places = &self.rules.places;
        let hostile = &books.supply.hostile;
        let frozen = self.ice(state) != 0;
        let harbour = if frozen { places.narvik } else { places.lulea };
        if hostile.contains(places.lulea) || hostile.contains(harbour) {
            return false;
        }
        let north = self.country(Nation::Norway).or(self.country(Nation::Denmark));
        if frozen && north.intersects(hostile) {
            return false;
        }
        let home = books.lines.and(self.home(Nation::Germany));
        // From Narvik the fjords lead south, where they are friendly (1.62).
        let friendly = books.supply.friendly.and(&self.rules.regions.fjords);
        let open = if friendly.contains(harbour) { friendly } else { Areas::EMPTY };
        let coast = self.land().fill(Areas::one(harbour), &open);
        let seas = books.trade.sail(coast.iter().fold(0, |seas, area| seas | self.coast_seas(area, 0)));
        self.tables
            .coasts
            .sea_ports
            .iter()
            .enumerate()
            .any(|(zone, ports)| seas & 1 << zone != 0 && ports.intersects(&home))
    }
    /// Points beyond the rules, of the first major of each force.
    fn handicap(&self, state: &State, major: Nation) -> u8 {
        let force = self.force_of_major(state, major);
        let first = [Nation::Germany, Nation::Britain, Nation::Ussr][force.index()];
        if major == first { self.rules.setup.handicap[force.index()].production } else { 0 }
    }
    /// Points of lend-lease that arrive (7.71, 13): convoy A and the railway of Iran for the USSR, convoy B for Britain.
    fn aid(&self, state: &State, books: &Books<'_>) -> u8 {
        let convoys = self.tables.units.of_kind[Kind::Convoy as usize];
        let steps = |wanted: usize| -> u8 {
            let of_kind = convoys.iter().filter(|&unit| self.lend_lease(unit) == Some(wanted));
            of_kind.map(|unit| self.convoy_steps(state, unit)).sum()
        };
        let places = &self.rules.places;
        match books.major {
            Nation::Britain if books.network.seas & 1 << places.convoy_b != 0 => steps(1),
            Nation::Ussr => {
                if state.politics.usa != Entry::AtWar || state.politics.ussr != Entry::AtWar {
                    return 0;
                }
                let sea = Ground::new(self, state, Nation::Usa, Line::Resource).sail(1 << places.convoy_a);
                let arrives = [places.murmansk, places.archangel]
                    .into_iter()
                    .any(|port| books.lines.contains(port) && self.coast_seas(port, 0) & sea != 0);
                (if arrives { steps(0) } else { 0 }) + u8::from(self.iran_lends(state, &books.supply))
            }
            _ => 0,
        }
    }
    /// Whether a point of lend-lease comes by Iran: a line from a friendly Iran to Moscow, and a resource of the USA that its
    /// factories and convoys leave (13).
    fn iran_lends(&self, state: &State, soviet: &Ground<'_>) -> bool {
        let places = &self.rules.places;
        let moscow = soviet.reach(&Areas::one(places.moscow).and(&soviet.sources())).areas;
        let Some(iran) = self.rules.capitals[Nation::Iran.index()] else { return false };
        let friendly = state.holds(Force::Soviet, iran) || state.holds(Force::Western, iran);
        let caspian = &self.tables.coasts.sea_ports[places.caspian_sea as usize];
        let linked = self.supply_adjacent(iran).intersects(&moscow)
            || caspian.contains(iran) && caspian.intersects(&moscow);
        if !friendly || !linked {
            return false;
        }
        let american: u8 = self.factory_sites(state, Nation::Usa).map(|area| state.factory(area)).sum();
        self.resources(state, &self.books(state, Nation::Usa)) > american + self.tied_resources(state)
    }

    // ---- writing ----

    /// Counts points when a team (or, with three players, a force) begins to write (11.1).
    pub(crate) fn production_begins(&self, state: &mut State, context: &mut impl Rolls) {
        state.budget = Budget { written: state.budget.written, ..Budget::default() };
        self.next_major(state, 0, context);
    }
    /// The budget of the writers as one sees it who does not know what they have: nothing, at the first of their majors.
    pub(crate) fn hide_budget(&self, state: &mut State) {
        let major = self.writer(state, 0).map_or(NO_INDEX, |major| major as u8);
        state.budget = Budget { major, written: state.budget.written, ..Budget::default() };
    }
    /// The first major from an index on whose turn to write has come.
    fn writer(&self, state: &State, from: u8) -> Option<Nation> {
        Nation::MAJOR.into_iter().skip(from as usize).find(|&major| {
            self.produces(state, major) && state.movers & self.force_of_major(state, major).bit() != 0
        })
    }
    fn next_major(&self, state: &mut State, from: u8, context: &mut impl Rolls) {
        let next = self.writer(state, from);
        state.budget.major = next.map_or(NO_INDEX, |major| major as u8);
        let Some(major) = next else { return };
        let books = self.books(state, major);
        let (account, lines, red) = (self.count(state, &books), books.lines, books.supply.by_red_ports());
        let budget = &mut state.budget;
        budget.points[major.index()] += account.points;
        (budget.urals, budget.leningrad) = (account.urals, account.leningrad);
        (budget.resources, budget.growth) = (account.resources, account.growth);
        (budget.lines, budget.red) = (lines, red);
        self.renew_growable(state);
        context.emit(|| Event::Production {
            nation: major,
            resources: account.resources,
            factories: account.factories,
            points: account.points,
            local: account.urals + account.leningrad,
        });
    }
    /// Works out anew which units the major that writes can add steps to, after its lines or what stands on them have changed.
    pub(crate) fn renew_growable(&self, state: &mut State) {
        let mut own_lines = [None; NATIONS];
        let mut weak = |&unit: &UnitId| {
            state.steps(unit) < self.max_steps(unit) && self.may_grow(state, unit, &mut own_lines)
        };
        let convoys = &self.tables.units.of_kind[Kind::Convoy as usize];
        let paid = state.budget.major().map_or(Units::EMPTY, |major| state.roster.paid[major.index()]);
        let asked = paid.and(&state.roster.on_map).difference(convoys);
        state.budget.growable = asked.iter().filter(&mut weak).collect();
    }
    /// Points the major that writes may spend at a place.
    fn funds(&self, state: &State, major: Nation, place: Place) -> u8 {
        let (budget, places) = (&state.budget, &self.rules.places);
        let points = budget.points[major.index()];
        match major {
            Nation::Ussr if place == places.urals => points + budget.urals,
            // Leningrad neither builds with what comes over the lake nor gives away its own (1.9).
            Nation::Ussr if place == places.leningrad && !budget.lines.contains(place) => budget.leningrad,
            _ => points,
        }
    }
    /// Spends points at a place: the local ones first.
    fn pay(&self, state: &mut State, major: Nation, place: Place, cost: u8) {
        let places = &self.rules.places;
        let budget = &mut state.budget;
        let local = match major {
            Nation::Ussr if place == places.urals => Some(&mut budget.urals),
            Nation::Ussr if place == places.leningrad && !budget.lines.contains(place) => {
                Some(&mut budget.leningrad)
            }
            _ => None,
        };
        let mut rest = cost;
        if let Some(purse) = local {
            let paid = rest.min(*purse);
            *purse -= paid;
            rest -= paid;
        }
        debug_assert!(budget.points[major.index()] >= rest, "production points");
        budget.points[major.index()] -= rest;
    }
    /// Points of a step of a unit at a place, or of a new unit there (2.5, 2.6, 7.7, 8.7, 13).
    fn step_cost(&self, state: &State, unit: UnitId, place: Place, new: bool) -> u8 {
        let charts = &self.rules.charts;
        let mut cost = if new { self.price_of_new(unit) } else { self.price_of_step(unit) };
        if self.kind(unit) == Kind::Convoy || new && self.kind(unit) == Kind::Leader {
            return cost;
        }
        if place.is_area() && self.overseas().contains(place) {
            let bloc = self.bloc_of(state, unit);
            let malta = self.bloc(state, state.controller(self.rules.places.malta));
            match self.force(state, unit) {
                Some(Force::Axis) if self.at_war(state, bloc, malta) => cost += charts.malta_surcharge,
                Some(Force::Western) if !state.budget.lines.contains(place) => {
                    cost += charts.red_port_surcharge;
                }
                _ => {}
            }
        }
        cost
    }
    /// The same where no place adds to it.
    fn price_of_step(&self, unit: UnitId) -> u8 {
        let convoy = self.kind(unit) == Kind::Convoy;
        if convoy { self.rules.charts.convoy_cost } else { self.tables.units.price[unit.at()] }
    }
    /// The same of a new unit.
    fn price_of_new(&self, unit: UnitId) -> u8 {
        let leader = self.kind(unit) == Kind::Leader;
        if leader { self.rules.charts.leader_zero_cost } else { self.price_of_step(unit) }
    }
    /// Areas where points or prices are others than elsewhere.
    fn special_places(&self) -> Areas {
        let mut special = self.tables.areas.overseas;
        special.insert(self.rules.places.urals);
        special.insert(self.rules.places.leningrad);
        special
    }
    /// Whether a unit on the map stands where steps may be added to it: in supply; ships in a naval base; convoys in their
    /// zone (11.4, 11.41). A minor's unit needs its own capital's supply besides that of the major that pays (8.1, 11.5,
    /// R-163); `own_lines` = the supplied areas of minors worked out so far, for as long as the map stays as it is.
    fn may_grow(&self, state: &State, unit: UnitId, own_lines: &mut [Option<Areas>; NATIONS]) -> bool {
        let place = state.location(unit);
        if self.kind(unit) == Kind::Convoy {
            return place == self.tables.units.convoy_zone[unit.at()] && self.convoy_allowed(state, unit);
        }
        let (budget, places) = (&state.budget, &self.rules.places);
        let by_lake = place == places.leningrad
            && budget.leningrad > 0
            && budget.major == Nation::Ussr as u8
            && !budget.lines.contains(place);
        place.is_area()
            && (budget.lines.contains(place) || budget.red.contains(place) || by_lake)
            && (self.arm(unit) != Arm::Naval || self.has_base(place, state.coast(unit)))
            && self.has_own_line(state, unit, own_lines)
    }
    /// Whether a unit has the supply of its own nation; that of a major is known by the one who writes.
    fn has_own_line(&self, state: &State, unit: UnitId, lines: &mut [Option<Areas>; NATIONS]) -> bool {
        let nation = self.nation(state, unit);
        nation.is_major() || {
            let own = &mut lines[nation.index()];
            let own = own.get_or_insert_with(|| self.supplied_areas(state, nation, Line::Supply));
            own.contains(state.location(unit))
        }
    }
    /// Whether a convoy may be built now (7.71): A when both the USA and the USSR are at war; A and B with a resource of the
    /// USA that no convoy ties up.
    fn convoy_allowed(&self, state: &State, unit: UnitId) -> bool {
        let Some(which) = self.lend_lease(unit) else { return true };
        let politics = &state.politics;
        let both = politics.usa == Entry::AtWar && politics.ussr == Entry::AtWar;
        let written = |&unit: &UnitId| self.lend_lease(unit).is_some() && state.has_mark(unit, mark::BUILT);
        let written = self.tables.units.of_kind[Kind::Convoy as usize].iter().filter(written).count() as u8;
        (which == 1 || both) && state.budget.resources > written
    }
    /// Whether the next step written for a unit is a free one of an event, on top of the step of 11.4 (3.3).
    fn next_is_free(&self, state: &State, unit: UnitId) -> bool {
        self.free_steps(state, unit) > 0
            && !state.budget.written.iter().any(|written| written.free.contains(unit))
    }

    /// Adds an area to those that have room for a new unit beside those that are written to enter (4.5, 1.44, R-85), by the
    /// class of units that stack together.
    fn count_room(&self, state: &State, entering: &Units, area: Place, rooms: &mut [Areas; Peers::COUNT]) {
        let limit = self.rules.areas[area.at()].stack;
        if limit == 99 || state.crowd(area) == 0 && entering.is_empty() {
            for room in rooms {
                room.insert(area);
            }
            return;
        }
        let mut load = [0; Peers::COUNT];
        let written = entering.iter().filter(|&unit| state.via(unit) == area);
        for unit in state.stack(area).chain(written) {
            load[self.tables.units.peers_of[unit.at()] as usize] += 1;
        }
        for (peers, most) in [
            (Peers::Armies, limit),
            (Peers::Leaders, 1),
            (Peers::Paratroops, u8::MAX),
            (Peers::Aircraft, 1),
            (Peers::Ships, self.rules.charts.base_stack),
        ] {
            rooms[peers as usize].set(area, load[peers as usize] < most);
        }
    }
    /// Where a new unit of a major or of a minor may enter (11.4, 11.41, 13, R-78), `homes` being the friendly, supplied
    /// home areas of the major with a factory.
    fn entrances(&self, state: &State, unit: UnitId, nation: Nation, homes: &Areas) -> Areas {
        if !nation.is_major() {
            let capital = self.rules.capitals[nation.index()].filter(|_| self.arm(unit) != Arm::Naval);
            return capital.map_or(Areas::EMPTY, Areas::one).and(&state.budget.lines);
        }
        let mut areas = *homes;
        match self.rules.units[unit.at()].first_step {
            Some(only) => areas = areas.and(&Areas::one(only)),
            None if nation == Nation::Britain => areas = areas.and(&self.rules.regions.great_britain),
            None => {}
        }
        if self.arm(unit) == Arm::Naval {
            areas = areas.and(&self.tables.coasts.bases);
        }
        areas
    }
    /// Whether a unit that a major pays for is in the pool and of age (2.1). Free forces that were not there
    /// from the first wait for the fall of their nation (11.42).
    fn may_enter(&self, state: &State, unit: UnitId) -> bool {
        let waits = || {
            self.tables.units.waiting.contains(unit)
                && state.politics.standing(self.printed_nation(unit)) != Standing::Gone
        };
        state.location(unit) == Place::POOL
            && !state.has_mark(unit, mark::BUILT)
            && self.tables.units.of_age[state.turn as usize - 1].contains(unit)
            && !waits()
    }
    /// Whether a factory may get a step, or be built, in an area (11.31): a home major city in supply, within the value of
    /// the city and the resources, one step a marker and turn. The steps of several markers lie evenly on them.
    fn factory_may_grow(&self, state: &State, major: Nation, area: Place) -> bool {
        let site = &self.rules.areas[area.at()];
        let written = &state.budget.written[self.force_of_major(state, major).index()];
        let steps = written.steps_in(area);
        self.home(major).contains(area)
            && self.payer(state, state.controller(area)) == Some(major)
            && state.budget.growth[usize::from(self.is_urals(area))] > 0
            && written.fits()
            && state.factory(area) + steps < site.city
            && steps + state.arrivals(area) < site.markers
    }

    pub(crate) fn production_actions(&self, state: &State, out: &mut Vec<Action>) {
        let Some(major) = state.budget.major() else { return };
        let force = self.force_of_major(state, major);
        let budget = &state.budget;
        let charts = &self.rules.charts;
        out.push(Action::Pass);
        let paid_by = &state.roster.paid[major.index()];
        let free = budget.written.iter().fold(Units::EMPTY, |free, written| free.or(&written.free));
        let grants_steps = self.grants_steps(state);
        let mut growable = budget.growable.or(&self.tables.units.of_kind[Kind::Convoy as usize]);
        if budget.leningrad > 0 {
            state.stack(self.rules.places.leningrad).for_each(|unit| growable.insert(unit));
        }
        // Where neither points nor prices depend on the place, and nothing has changed since the major began.
        let special = self.special_places();
        let points = budget.points[major.index()];
        let mut own_lines = [None; NATIONS];
        for unit in paid_by.and(&state.roster.on_map).and(&growable) {
            let place = state.location(unit);
            let built = state.has_mark(unit, mark::BUILT);
            if built && !grants_steps {
                continue;
            }
            if !grants_steps && budget.growable.contains(unit) && !special.contains(place) {
                if self.tables.units.price[unit.at()] <= points {
                    out.push(Action::Build(unit));
                }
                continue;
            }
            let gains = u8::from(built) + u8::from(free.contains(unit));
            if state.steps(unit) + gains >= self.max_steps(unit)
                || !self.may_grow(state, unit, &mut own_lines)
            {
                continue;
            }
            let paid = !built && self.step_cost(state, unit, place, false) <= self.funds(state, major, place);
            if paid || grants_steps && self.next_is_free(state, unit) {
                out.push(Action::Build(unit));
            }
        }
        if points > 0 || budget.urals > 0 {
            self.raise_actions(state, major, out);
        }
        if points >= charts.factory_cost && budget.growth != [0; 2] {
            let sites = self.tables.areas.sites.and(&budget.lines);
            let growing = sites.iter().filter(|&area| self.factory_may_grow(state, major, area));
            out.extend(growing.map(Action::BuildFactory));
        }
        if major == Nation::Usa {
            let cut = &budget.written[force.index()].cut;
            let convoys = self.tables.units.of_kind[Kind::Convoy as usize];
            // Worth asking only where convoys take resources from factories, or from their growth.
            let tied = budget.growth[0] == 0;
            let open = convoys.iter().filter(|&unit| {
                self.lend_lease(unit).is_some_and(|which| self.convoy_steps(state, unit) > cut[which])
                    && !state.has_mark(unit, mark::BUILT)
            });
            out.extend(open.filter(|_| tied).map(Action::CutConvoy));
        }
        if major == Nation::Germany
            && !budget.subsidised
            && state.politics.italy == Entry::AtWar
            && self.produces(state, Nation::Italy)
            && points >= charts.subsidy
            && budget.lines.contains(self.rules.places.rome)
        {
            out.push(Action::Subsidy);
        }
    }
    /// New units that can be paid and find room. Of counters that are alike only the first is listed.
    fn raise_actions(&self, state: &State, major: Nation, out: &mut Vec<Action>) {
        let tables = &self.tables;
        let homes = tables.areas.sites.and(self.home(major)).and(&state.budget.lines);
        let homes = homes.and(&state.roster.factories);
        let pool = state.roster.paid[major.index()].difference(&state.roster.on_map);
        let entering = pool.iter().filter(|&unit| state.has_mark(unit, mark::BUILT)).collect();
        let (mut rooms, mut known) = ([Areas::EMPTY; Peers::COUNT], Areas::EMPTY);
        // Where neither points nor prices depend on the place.
        let points = state.budget.points[major.index()];
        let special = self.special_places();
        let purse = points + state.budget.urals.max(state.budget.leningrad);
        let mut seen = Units::EMPTY;
        for unit in pool.difference(&entering).and(&tables.units.of_age[state.turn as usize - 1]) {
            let like = tables.units.like[unit.at()];
            if seen.contains(like) || !self.may_enter(state, unit) {
                continue;
            }
            seen.insert(like);
            if self.price_of_new(unit) > purse {
                continue;
            }
            let zone = tables.units.convoy_zone[unit.at()];
            if zone != Place::NONE {
                let team = self.force_of_major(state, major).team();
                if self.step_cost(state, unit, zone, true) <= self.funds(state, major, zone)
                    && self.convoy_allowed(state, unit)
                    && !self.is_present(state, zone, team.other())
                    && self.has_room(state, unit, zone, 0)
                {
                    out.push(Action::Raise(unit, zone));
                }
                continue;
            }
            let entrances = self.entrances(state, unit, self.nation(state, unit), &homes);
            for area in entrances.difference(&known) {
                self.count_room(state, &entering, area, &mut rooms);
                known.insert(area);
            }
            let room = entrances.and(&rooms[tables.units.peers_of[unit.at()] as usize]);
            let mut open = room.difference(&special);
            if self.price_of_new(unit) > points {
                open = Areas::EMPTY;
            }
            for area in room.and(&special) {
                open.set(area, self.step_cost(state, unit, area, true) <= self.funds(state, major, area));
            }
            out.extend(open.iter().map(|area| Action::Raise(unit, area)));
        }
    }

    pub(crate) fn production_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Some(major) = state.budget.major() else { return };
        let force = self.force_of_major(state, major);
        let charts = &self.rules.charts;
        match action {
            Action::Build(unit) => {
                if self.next_is_free(state, unit) {
                    self.use_free_step(state, force);
                    state.budget.written[force.index()].free.insert(unit);
                } else {
                    let place = state.location(unit);
                    self.pay(state, major, place, self.step_cost(state, unit, place, false));
                    state.set_mark(unit, mark::BUILT, true);
                }
            }
            Action::Raise(unit, place) => {
                self.pay(state, major, place, self.step_cost(state, unit, place, true));
                state.set_mark(unit, mark::BUILT, true);
                state.via[unit.at()] = place;
            }
            Action::BuildFactory(area) => {
                state.budget.points[major.index()] -= charts.factory_cost;
                state.budget.growth[usize::from(self.is_urals(area))] -= 1;
                state.budget.written[force.index()].grow(area);
            }
            Action::CutConvoy(unit) => {
                if let Some(which) = self.lend_lease(unit) {
                    state.budget.written[force.index()].cut[which] += 1;
                }
            }
            Action::Subsidy => {
                let points = &mut state.budget.points;
                points[Nation::Germany.index()] -= charts.subsidy;
                points[Nation::Italy.index()] += charts.subsidy;
                state.budget.subsidised = true;
            }
            _ => {
                // What is not used is lost (11.1).
                let budget = &mut state.budget;
                let points = budget.points[major.index()] + budget.urals + budget.leningrad;
                if points > 0 {
                    context.emit(|| Event::Unspent { nation: major, points });
                }
                budget.points[major.index()] = 0;
                (budget.urals, budget.leningrad) = (0, 0);
                self.next_major(state, major as u8 + 1, context);
                if state.budget.major == NO_INDEX {
                    self.end_phase(state, context);
                }
            }
        }
    }

    // ---- placing ----

    /// All have written: steps are added, new units enter (R-65).
    pub(crate) fn place_production(&self, state: &mut State, context: &mut impl Rolls) {
        let free = state.budget.written.iter().fold(Units::EMPTY, |free, written| free.or(&written.free));
        for unit in self.unit_ids() {
            let steps = u8::from(state.has_mark(unit, mark::BUILT)) + u8::from(free.contains(unit));
            self.forget_if_weak(state, unit);
            if steps == 0 {
                continue;
            }
            let new = state.location(unit) == Place::POOL;
            let place = if new { state.via(unit) } else { state.location(unit) };
            state.set_mark(unit, mark::BUILT, false);
            if new {
                state.via[unit.at()] = Place::NONE;
                state.put(unit, place, self.berth(state, unit, place));
                // A leader enters with his zero step (2.6, R-60).
                state.set_steps(unit, if self.kind(unit) == Kind::Leader { 0 } else { steps });
            } else {
                state.set_steps(unit, state.steps(unit) + steps);
            }
            context.emit(|| Event::Built { unit, place, new });
        }
        for force in Force::ALL {
            let written = state.budget.written[force.index()];
            for area in written.growing.into_iter().filter(|&area| area != Place::NONE) {
                state.set_factory(area, state.factory(area) + 1);
            }
            for unit in self.tables.units.of_kind[Kind::Convoy as usize] {
                let cut = self.lend_lease(unit).map_or(0, |which| written.cut[which]);
                if cut > 0 {
                    self.lose_steps(state, unit, cut, LossCause::GivenUp, context);
                }
            }
        }
        self.event_deployments(state, context);
        state.budget = Budget::default();
    }
    /// A block seen below its full steps is known no longer once its owner has built, whether it has grown or not: neither its
    /// new step shows nor that it has none (R-63).
    fn forget_if_weak(&self, state: &mut State, unit: UnitId) {
        if state.has_mark(unit, mark::KNOWN)
            && state.steps(unit) < self.max_steps(unit)
            && self.payer(state, self.nation(state, unit)).is_some()
        {
            state.set_mark(unit, mark::KNOWN, false);
        }
    }
    /// The coast a new ship is laid down on: the first with a naval base and room in it (11.41).
    fn berth(&self, state: &State, unit: UnitId, place: Place) -> u8 {
        if self.arm(unit) != Arm::Naval || !place.is_area() {
            return 0;
        }
        let team = self.team(state, unit);
        let bases = || (1..=2).filter(|&coast| self.has_base(place, coast));
        let room = |&coast: &u8| {
            let ships = self.units_at(state, place, team).filter(|&other| state.coast(other) == coast);
            ships.count() < self.rules.charts.base_stack as usize
        };
        bases().find(room).or_else(|| bases().next()).unwrap_or(1)
    }
}
