//! Sea transport, from port to port and to beachheads.

use sandtable_blitzwar::location::{Counter, Location, Sea, Zone};
use sandtable_blitzwar::rules::Zones;
use sandtable_blitzwar::state::Status;
use sandtable_blitzwar::{Action, BlitzWar, Country, Force, Kind, Nation, State};
use sandtable_core::{Board as _, Index};

use super::super::plan::{area_of_operations, lands_at, sails_to_beach};
use super::{Effort, Scripted, best_by, finds_room};

/// Least gain of a voyage of the Axis and of the others, in corps.
const VOYAGE: [f32; 2] = [0.6, 0.15];

/// Corps in Africa and Asia for which supply is shipped to Suez, and in another army without a line of supply for which it is
/// shipped to its port; half supply units of a shipment worth its price, and those that must be in stock.
const GARRISON_FED: u8 = 1;
const POCKET: u8 = 3;
const SHIPMENT: u8 = 6;
const RESERVE_AT_HOME: i32 = 24;

/// Corps that Britain wants in Africa, French North Africa apart, and its Asia before it sends any to the Balkans, once Italy is at
/// war, and what that adds to a voyage there, in corps.
const EGYPT_CORPS: u8 = 5;
const EGYPT_HELD: f32 = 1.0;

/// American corps that wait at home for the landing in French North Africa.
const TORCH_CORPS: u8 = 6;

/// Africa and British Asia.
fn overseas(game: &BlitzWar) -> Zones {
    game.rules.regions.africa.or(&game.rules.regions.british_asia)
}

impl Scripted {
    /// What a counter gains by being shipped to a port, one with supply where it matters.
    pub(super) fn transport_gain(
        &self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        counter: Counter,
        to: Location,
        lines: Option<Zones>,
    ) -> f32 {
        let board = &self.plan.board;
        let from = state.location(counter);
        let corps = state.strength(counter);
        if lines.is_some_and(|lines| !lines.contains(to)) {
            return f32::MIN;
        }
        if !board.has_room(game, to, corps) || from.is_zone() && !board.sails(game, from, to) {
            return f32::MIN;
        }
        if from.is_zone() && board.stays(game, &self.map_tables, state, from) {
            return f32::MIN;
        }
        if !self.map_tables.areas[game.nation(counter).index()].contains(to) {
            return f32::MIN;
        }
        // What the railway carries costs less.
        if force == Force::Soviet
            && from.is_zone()
            && game.land().fill(Zones::one(from), &game.own_area(state, force)).contains(to)
        {
            return f32::MIN;
        }
        if board.torch && from == self.map_tables.america && board.strength[from.at()] <= TORCH_CORPS {
            return f32::MIN;
        }
        let late = state.turn() >= 20;
        let sheet = &game.rules.zones;
        let overseas = overseas(game);
        let south = |zone: Zone| zone.is_zone() && overseas.contains(zone);
        if force == Force::Allied && !late {
            // Egypt keeps its garrison, and no corps follows into a lost France.
            let lost = |country: Country| {
                sheet[to.at()].country == country
                    && game
                        .capital(country)
                        .is_some_and(|capital| !state.control(Force::Allied).contains(capital))
            };
            if lost(Country::Fra) || lost(Country::Nor) || south(from) && !south(to) {
                return f32::MIN;
            }
        }
        for (area, quota) in &self.map_tables.quotas[force.index()] {
            if area.contains(to) && !area.contains(from) {
                let sent: u16 = area.iter().map(|zone| u16::from(board.strength[zone.at()])).sum();
                if sent + u16::from(corps) > u16::from(if late { quota.corps.1 } else { quota.corps.0 }) {
                    return f32::MIN;
                }
            }
        }
        let origin = if from.is_zone() { from } else { Location::NONE };
        let mut egypt = 0.0;
        let at_war = state.status(Country::Ita) == Status::active(Force::Axis);
        if game.nation(counter) == Nation::Uk && at_war && !late {
            let held = overseas.difference(game.home(Country::Fra));
            let balkan = |zone: Zone| {
                zone.is_zone() && [Country::Yug, Country::Gre].contains(&sheet[zone.at()].country)
            };
            if self.corps_in(&held) < EGYPT_CORPS {
                if held.contains(to) && !south(from) {
                    egypt = EGYPT_HELD;
                } else if balkan(to) && !balkan(from) {
                    return f32::MIN;
                }
            }
        }
        let mut gain = egypt + board.gain(&self.map_tables, origin, to, corps);
        // A camp from which to go on: Britain before America.
        if from == self.map_tables.america {
            gain += 0.6;
        }
        let far = if is_far(game, from, to) { 2.0 } else { 1.0 };
        gain - board.price * far * f32::from(corps)
    }

    pub(super) fn embark(
        &mut self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        legal: &[Action],
    ) -> Action {
        let force_ports = game.own_area(state, force).and(game.ports());
        let mut lines = None;
        best_by(legal, |action| match action {
            Action::Pass => VOYAGE[usize::from(force != Force::Axis)],
            Action::Select(counter) => {
                let from = state.location(counter);
                let kind = game.kind(counter);
                if kind == Kind::Supply && self.effort == Effort::Full {
                    if !self.ships_supply(state, force, counter) {
                        return 0.0;
                    }
                    let lines = *lines.get_or_insert_with(|| supplied_shores(game, state, force));
                    let port = lines.and_then(|fed| self.supply_goes_to(game, state, force, from, &fed));
                    return f32::from(u8::from(port.is_some()));
                }
                if !kind.is_corps() || !from.is_zone() || area_of_operations(game, counter).is_some() {
                    return 0.0;
                }
                if self.plan.board.camp
                    && self.map_tables.britain.contains(from)
                    && self.plan.landing.is_some()
                {
                    // They wait for the beachheads.
                    return if self.lands_somewhere(game, state, counter) { 5.0 } else { 0.0 };
                }
                if self.lands_somewhere(game, state, counter) {
                    return 5.0;
                }
                if self.plan.board.budget < 6 || self.effort == Effort::Light {
                    return 0.0;
                }
                let lines = *lines.get_or_insert_with(|| supplied_shores(game, state, force));
                force_ports
                    .iter()
                    .map(|port| {
                        if port == from {
                            f32::MIN
                        } else {
                            self.transport_gain(game, state, force, counter, port, lines)
                        }
                    })
                    .fold(0.0, f32::max)
            }
            _ => 0.0,
        })
    }

    /// Whether a supply counter may be shipped: there is plenty where it lies.
    fn ships_supply(&self, state: &State, force: Force, counter: Counter) -> bool {
        force == Force::Allied
            && state.location(counter).is_zone()
            && state.strength(counter) >= SHIPMENT
            && self.plan.board.budget >= RESERVE_AT_HOME
    }

    /// The port to which supply is shipped from another for an army that has nothing to live on: one without a line of supply,
    /// `fed` being the zones that have one, or that in Africa and Asia, round the Cape.
    fn supply_goes_to(
        &self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        from: Zone,
        fed: &Zones,
    ) -> Option<Zone> {
        self.pocket_port(game, state, force, from, fed).or_else(|| {
            let suez = game.rules.landmarks.suez;
            self.supplies_south(game, from, fed).then_some(suez)
        })
    }

    /// Whether supply is shipped round the Cape from a port.
    fn supplies_south(&self, game: &BlitzWar, from: Zone, fed: &Zones) -> bool {
        let suez = game.rules.landmarks.suez;
        let south = overseas(game);
        let open = &self.plan.board.open;
        if !open.contains(suez) || south.contains(from) || fed.contains(suez) {
            return false;
        }
        // The army that Suez feeds, by land.
        let army = game.land().fill(Zones::one(suez), &open.and(&south));
        self.corps_in(&army) >= GARRISON_FED
    }

    /// A port of the largest army without a line of supply that ships from a port reach.
    fn pocket_port(
        &self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        from: Zone,
        fed: &Zones,
    ) -> Option<Zone> {
        let board = &self.plan.board;
        let mut best = (POCKET - 1, None);
        let mut seen = Zones::EMPTY;
        for port in game.own_area(state, force).and(game.ports()).and(&board.open).difference(fed) {
            if seen.contains(port) || !board.sails(game, from, port) {
                continue;
            }
            let army = game.land().fill(Zones::one(port), &board.open);
            seen = seen.or(&army);
            let corps = self.corps_in(&army);
            if corps > best.0 {
                best = (corps, Some(port));
            }
        }
        best.1
    }

    /// Own corps in some zones.
    fn corps_in(&self, zones: &Zones) -> u8 {
        zones.iter().map(|zone| self.plan.board.strength[zone.at()]).sum()
    }

    /// Whether a counter goes aboard for the landing of the turn.
    pub(super) fn lands_somewhere(&self, game: &BlitzWar, state: &State, counter: Counter) -> bool {
        self.plan.landing.is_some_and(|landing| self.lands(game, state, counter, landing.sea, landing.zone))
    }

    /// Whether a counter goes aboard for the landing.
    pub(super) fn lands(
        &self,
        game: &BlitzWar,
        state: &State,
        counter: Counter,
        sea: Sea,
        zone: Zone,
    ) -> bool {
        let from = state.location(counter);
        if !from.is_zone()
            || !sails_to_beach(game, &self.map_tables, state, from, sea)
            || !game.ports().contains(from)
            || self.plan.board.stays(game, &self.map_tables, state, from)
            || self.plan.board.holds_front(from)
            || !lands_at(game, state, counter, zone)
        {
            return false;
        }
        let mut room = 0;
        for slot in Location::beachheads() {
            if state.beachhead(slot) == Some((zone, sea)) {
                let dotted = self.map_tables.dotted[zone.at()].contains(from);
                let each =
                    if dotted { game.rules.limits.beachhead_dotted } else { game.rules.limits.beachhead };
                for other in state.stack(slot) {
                    if game.kind(other) == Kind::Air {
                        room += i16::from(each);
                    } else {
                        room -= i16::from(state.strength(other));
                    }
                }
            }
        }
        room >= i16::from(state.strength(counter))
    }

    /// The beachhead or port to which a counter is shipped.
    pub(super) fn ship_to(
        &mut self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        counter: Counter,
        legal: &[Action],
    ) -> Action {
        let landing = self.plan.landing;
        let lines = supplied_shores(game, state, force);
        let feeds = match &lines {
            Some(fed) if game.kind(counter) == Kind::Supply && self.ships_supply(state, force, counter) => {
                self.supply_goes_to(game, state, force, state.location(counter), fed)
            }
            _ => None,
        };
        let choice = best_by(legal, |action| {
            let Action::Go(place) = action else { return f32::MIN };
            if let Some((zone, sea)) = state.beachhead(place) {
                return match landing {
                    Some(landing)
                        if landing.zone == zone
                            && landing.sea == sea
                            && self.lands(game, state, counter, sea, zone) =>
                    {
                        50.0
                    }
                    _ => -50.0,
                };
            }
            if game.kind(counter) == Kind::Supply {
                return if feeds == Some(place) { 10.0 } else { 0.0 };
            }
            // Who is aboard must go ashore somewhere: at worst where there is room.
            let room = finds_room(game, state, place, state.strength(counter));
            let crowded = if room { 0.0 } else { 100.0 };
            self.transport_gain(game, state, force, counter, place, lines).max(-20.0) - crowded
        });
        if let Action::Go(place) = choice
            && place.is_zone()
            && game.kind(counter).is_corps()
        {
            let from = state.location(counter);
            let origin = if from.is_zone() { from } else { Location::NONE };
            let corps = state.strength(counter);
            self.plan.board.shift(origin, place, corps);
            self.plan.board.budget -= i32::from(corps) * 4;
        }
        choice
    }
}

/// Where supply comes, for the side that ships corps to no other ports.
fn supplied_shores(game: &BlitzWar, state: &State, force: Force) -> Option<Zones> {
    (force == Force::Allied).then(|| game.supplied(state, force, false).zones)
}

/// Whether a voyage costs double: from America, or to Suez or Asian Bases.
fn is_far(game: &BlitzWar, from: Location, to: Location) -> bool {
    let marks = &game.rules.landmarks;
    from == marks.america
        || to == marks.suez
        || to == marks.asian_bases
        || game.coast(from) & game.coast(to) == 0
}
