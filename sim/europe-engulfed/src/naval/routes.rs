//! Which sea zones a naval move crosses: from a port on one zone, by passages (A104), to a port on another (5.3, A105).

use sandtable_core::Index;

use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, MAX_SEAS, Nation, Nations, Sea, Team, UnitId, Units};
use crate::state::{Route, State};

/// Sea zones, a bit each.
pub(crate) type Seas = u8;

/// Sea zones of a set, in the order of their indices.
#[inline]
pub(crate) fn seas_of(set: Seas) -> impl Iterator<Item = Sea> {
    let mut left = set;
    std::iter::from_fn(move || {
        let sea = (left != 0).then(|| Sea(left.trailing_zeros() as u8))?;
        left &= left - 1;
        Some(sea)
    })
}

/// Zones in which some nations have Fleet Points that can carry.
#[inline]
pub(crate) fn ready_in(state: &State, nations: Nations) -> Seas {
    let mut points = 0;
    for nation in Nation::members(nations) {
        points |= u64::from_le_bytes(state.fleets[nation.index()].ready);
    }
    (0..MAX_SEAS).fold(0, |set, sea| set | Seas::from(points >> (8 * sea) & 0xFF != 0) << sea)
}

/// A sea zone as a bit.
#[inline]
pub(crate) fn bit(sea: Sea) -> Seas {
    1 << sea.0
}

impl EuropeEngulfed {
    /// All sea zones, if fleets are in play.
    pub(crate) fn sea_zones(&self) -> impl DoubleEndedIterator<Item = Sea> + use<> {
        let count = if self.rules.setup.fleets_used { self.rules.seas.len() } else { 0 };
        (0..count).map(Sea::nth)
    }

    /// Zones that fulfil a condition.
    pub(crate) fn seas_with(&self, mut wanted: impl FnMut(Sea) -> bool) -> Seas {
        self.sea_zones().filter(|sea| wanted(*sea)).fold(0, |set, sea| set | bit(sea))
    }

    /// Zones on which one of some areas has a port.
    pub(crate) fn seas_of_ports(&self, state: &State, areas: &Areas) -> Seas {
        self.seas_with(|sea| self.ports_at(state, sea).intersects(areas))
    }

    /// Zones on which one of some areas is a port for units of a team that move.
    pub(crate) fn seas_of_harbours(&self, state: &State, team: Team, areas: &Areas) -> Seas {
        self.seas_with(|sea| self.harbours_at(state, team, sea).intersects(areas))
    }

    /// By zone: those to which a passage leads that is open to a team: it controls one of the areas that command it (A104).
    pub(crate) fn open_passages(&self, state: &State, team: Team) -> [Seas; MAX_SEAS] {
        let mut seas = [0; MAX_SEAS];
        for passage in &self.rules.passages {
            let keys = [&passage.keys_first, &passage.keys_second][team.index()];
            if keys.intersects(state.held(team)) {
                seas[passage.a.at()] |= bit(passage.b);
                seas[passage.b.at()] |= bit(passage.a);
            }
        }
        seas
    }

    /// A shortest route from one of some zones to one of others, through usable zones alone.
    pub(crate) fn route(&self, state: &State, team: Team, from: Seas, to: Seas, usable: Seas) -> Route {
        let mut seen = from & usable;
        if seen & to != 0 {
            return Route::within(Sea((seen & to).trailing_zeros() as u8));
        }
        let passages = self.open_passages(state, team);
        let mut parent = [Sea(u8::MAX); MAX_SEAS];
        let mut ring = seen;
        for step in 1..MAX_SEAS {
            let mut next = 0;
            for sea in seas_of(ring) {
                let new = passages[sea.at()] & usable & !seen & !next;
                seas_of(new).for_each(|other| parent[other.at()] = sea);
                next |= new;
            }
            if let Some(end) = seas_of(next & to).next() {
                let mut route = Route::within(end);
                let mut at = end;
                for _ in 0..step {
                    at = parent[at.at()];
                    route.begin_with(at);
                }
                return route;
            }
            if next == 0 {
                break;
            }
            seen |= next;
            ring = next;
        }
        Route::NONE
    }

    /// Zones that can be reached from some, through usable zones alone.
    pub(crate) fn seas_reached(&self, state: &State, team: Team, from: Seas, usable: Seas) -> Seas {
        let mut reached = from & usable;
        if reached == 0 || reached == usable {
            return reached;
        }
        let passages = self.open_passages(state, team);
        let mut ring = reached;
        while ring != 0 {
            let next = seas_of(ring).fold(0, |set, sea| set | passages[sea.at()]);
            ring = next & usable & !reached;
            reached |= ring;
        }
        reached
    }

    /// Zones in which a Fleet Point can carry units of a nation.
    pub(crate) fn seas_with_transport(&self, state: &State, nation: Nation) -> Seas {
        if !self.rules.setup.fleets_used {
            return 0;
        }
        ready_in(state, state.carriers_for(nation))
    }

    /// Areas that are ports on one of some zones for units of a team that move.
    pub(crate) fn harbours_on(&self, state: &State, team: Team, seas: Seas) -> Areas {
        seas_of(seas).fold(Areas::EMPTY, |set, sea| set.or(&self.harbours_at(state, team, sea)))
    }

    /// The route of a unit of a nation between two ports; empty = there is none (5.3: a ready Fleet Point in each zone).
    pub(crate) fn route_between(&self, state: &State, nation: Nation, from: Area, to: Area) -> Route {
        let Some(team) = state.team(nation) else { return Route::NONE };
        let ports = |area: Area| self.zones_of(state, team, area);
        let usable = self.seas_with_transport(state, nation);
        if usable == 0 {
            return Route::NONE;
        }
        self.route(state, team, ports(from), ports(to), usable)
    }

    /// Ports to which a unit can sail operationally: from a friendly port to friendly ports (5.3).
    pub(crate) fn sea_ways(&self, state: &State, unit: UnitId) -> Areas {
        let Some(team) = self.team_of(state, unit) else { return Areas::EMPTY };
        let open = self.open_among(state, self.nation(unit), &self.tables.in_play);
        self.sea_ways_among(state, team, unit, &open)
    }

    /// Of some areas where a unit may be those with ports to which it can sail operationally (5.3).
    pub(crate) fn sea_ways_among(&self, state: &State, team: Team, unit: UnitId, open: &Areas) -> Areas {
        let from = state.location(unit);
        let zones = self.zones_of(state, team, from);
        if zones == 0 || !self.rules.setup.fleets_used || !state.held(team).contains(from) {
            return Areas::EMPTY;
        }
        let usable = self.seas_with_transport(state, self.sponsor(state, self.nation(unit)));
        let reached = self.seas_reached(state, team, zones, usable);
        let open = open.difference(&self.paused_areas(state));
        let mut ports = self.harbours_on(state, team, reached).and(state.held(team)).and(&open);
        ports.remove(from);
        if ports.is_empty() {
            return ports;
        }
        let disputed = ports.and(&state.disputed());
        let refused = disputed.difference(&self.engageable_among(state, unit, from, disputed));
        self.roomy_among(state, team, unit, ports.difference(&refused), &Units::EMPTY)
    }
}
