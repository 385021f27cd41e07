//! Which sea zones a naval move crosses: from a port on one zone, by passages (A104), to a port on another (5.3, A105).

use sandtable_core::Index;

use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, MAX_SEAS, Nation, Sea, Team, UnitId};
use crate::state::{Route, State};

/// Sea zones, a bit each.
pub(crate) type Seas = u8;

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
    pub(crate) fn seas_of_ports(&self, areas: &Areas) -> Seas {
        self.seas_with(|sea| self.tables.ports[sea.at()].intersects(areas))
    }

    /// Zones to which a passage leads that is open to a team: it controls one of the areas that command it (A104).
    pub(crate) fn passages_from(&self, state: &State, team: Team, sea: Sea) -> Seas {
        let mut seas = 0;
        for passage in &self.rules.passages {
            let keys = [&passage.keys_first, &passage.keys_second][team.index()];
            if keys.intersects(state.held(team)) {
                if passage.a == sea {
                    seas |= bit(passage.b);
                } else if passage.b == sea {
                    seas |= bit(passage.a);
                }
            }
        }
        seas
    }

    /// A shortest route from one of some zones to one of others, through usable zones alone.
    pub(crate) fn route(&self, state: &State, team: Team, from: Seas, to: Seas, usable: Seas) -> Route {
        let mut parent = [Sea(u8::MAX); MAX_SEAS];
        let mut rings = [from & usable; MAX_SEAS];
        let mut seen = rings[0];
        for step in 0..MAX_SEAS {
            if let Some(end) = self.sea_zones().find(|sea| rings[step] & to & bit(*sea) != 0) {
                let mut route = Route::within(end);
                let mut at = end;
                for _ in 0..step {
                    at = parent[at.at()];
                    route.begin_with(at);
                }
                return route;
            }
            let mut next = 0;
            for sea in self.sea_zones().filter(|sea| rings[step] & bit(*sea) != 0) {
                let new = self.passages_from(state, team, sea) & usable & !seen & !next;
                for other in self.sea_zones().filter(|other| new & bit(*other) != 0) {
                    parent[other.at()] = sea;
                }
                next |= new;
            }
            if next == 0 || step + 1 == MAX_SEAS {
                break;
            }
            seen |= next;
            rings[step + 1] = next;
        }
        Route::NONE
    }

    /// Zones that can be reached from some, through usable zones alone.
    pub(crate) fn seas_reached(&self, state: &State, team: Team, from: Seas, usable: Seas) -> Seas {
        let mut reached = from & usable;
        loop {
            let ring = self.sea_zones().filter(|sea| reached & bit(*sea) != 0);
            let more = ring.fold(0, |set, sea| set | self.passages_from(state, team, sea)) & usable;
            if more & !reached == 0 {
                return reached;
            }
            reached |= more;
        }
    }

    /// Zones in which a Fleet Point can carry units of a nation.
    pub(crate) fn seas_with_transport(&self, state: &State, nation: Nation) -> Seas {
        self.seas_with(|sea| state.ready_for(nation, sea) > 0)
    }

    /// Areas with a port on one of some zones.
    pub(crate) fn ports_on(&self, seas: Seas) -> Areas {
        let zones = self.sea_zones().filter(|sea| seas & bit(*sea) != 0);
        zones.fold(Areas::EMPTY, |set, sea| set.or(&self.tables.ports[sea.at()]))
    }

    /// The route of a unit of a nation between two ports; empty = there is none (5.3: a ready Fleet Point in each zone).
    pub(crate) fn route_between(&self, state: &State, nation: Nation, from: Area, to: Area) -> Route {
        let Some(team) = state.team(nation) else { return Route::NONE };
        let ports = |area: Area| self.rules.areas[area.at()].ports;
        let usable = self.seas_with_transport(state, nation);
        if usable == 0 {
            return Route::NONE;
        }
        self.route(state, team, ports(from), ports(to), usable)
    }

    /// Ports to which a unit can sail operationally: from a friendly port to friendly ports (5.3).
    pub(crate) fn sea_ways(&self, state: &State, unit: UnitId) -> Areas {
        let (Some(team), from) = (self.team_of(state, unit), state.location(unit)) else {
            return Areas::EMPTY;
        };
        let ports = self.rules.areas[from.at()].ports;
        if ports == 0 || !self.rules.setup.fleets_used || !state.held(team).contains(from) {
            return Areas::EMPTY;
        }
        let nation = self.nation(unit);
        let usable = self.seas_with_transport(state, self.patron(nation));
        let reached = self.seas_reached(state, team, ports, usable);
        self.ports_on(reached).and(state.held(team)).filter(|to| {
            to != from
                && self.is_open_to(state, nation, to)
                && (!state.is_disputed(to) || self.may_engage(state, unit, from, to))
                && self.has_room(state, team, unit, to)
        })
    }
}
