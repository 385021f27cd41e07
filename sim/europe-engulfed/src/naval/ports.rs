//! Ports that are of no use: by option a port is disabled when the field fortification beside it falls, or for a WERP, and repaired for a
//! Special Action; one supplies so many units, for a Special Action it has a beachhead too, and the area around a fortress is a port of
//! its own for movement alone (13.32).

use sandtable_core::{ActionSink, Board, Flow, Index};

use super::routes::Seas;
use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, Purchase, SpecialAction};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Nations, Sea, Team, WESTERN_POWERS};
use crate::politics::is_western;
use crate::rules::Zone;
use crate::state::State;

impl EuropeEngulfed {
    /// Ports on a zone that are of use.
    #[inline]
    pub(crate) fn ports_at(&self, state: &State, sea: Sea) -> Areas {
        self.tables.ports[sea.at()].difference(&state.disabled_ports)
    }

    /// Ports of a zone that are of use to units of a team that move: by option the area around a fortress with a port too, where it
    /// holds both (13.32).
    pub(crate) fn harbours_at(&self, state: &State, team: Team, sea: Sea) -> Areas {
        let ports = self.ports_at(state, sea);
        if !self.rules.options.ports {
            return ports;
        }
        let held = state.held(team);
        let fortresses = self.tables.fortresses.and(&ports).and(held);
        let around = fortresses.iter().filter_map(|fortress| self.rules.areas[fortress.at()].host);
        around.filter(|host| held.contains(*host)).fold(ports, |mut all, host| {
            all.insert(host);
            all
        })
    }

    /// Zones on which an area is a port for units of a team that move.
    pub(crate) fn zones_of(&self, state: &State, team: Team, area: Area) -> Seas {
        if !self.rules.options.ports {
            return self.rules.areas[area.at()].ports;
        }
        self.seas_with(|sea| self.harbours_at(state, team, sea).contains(area))
    }

    /// Where beachheads of a team on a zone are: on its beaches, and those paid for in ports on it.
    pub(crate) fn beachheads_at(&self, state: &State, team: Team, sea: Sea) -> Areas {
        let paid = self.tables.ports[sea.at()].and(&state.paid_beachheads[team.index()]);
        self.tables.beaches[sea.at()].or(&paid).and(&state.beachheads[team.index()])
    }

    /// The port through which a unit in an area is supplied by a zone: of those with berths left the one with most.
    pub(crate) fn berth(
        &self,
        state: &State,
        (open, held): (&Areas, &Areas),
        fed: impl Fn(&Areas) -> bool,
        (sea, berths): (Sea, &[u8]),
    ) -> Option<Area> {
        let ports = self.ports_at(state, sea).and(held).filter(|port| berths[port.at()] > 0);
        let serves = |port: &Area| fed(&self.land().fill(Areas::one(*port).and(open), open));
        ports.iter().filter(serves).max_by_key(|port| (berths[port.at()], std::cmp::Reverse(*port)))
    }

    // ---- disabling ----

    /// A field fortification goes, for whatever reason: who has had it says whether the port there is disabled.
    pub(crate) fn fort_falls(&self, state: &mut State, area: Area, owner: Team) {
        if !state.field_forts.contains(area) {
            return;
        }
        state.field_forts.remove(area);
        if self.rules.options.ports && self.is_port(state, area) {
            state.demolition[owner.index()].insert(area);
        }
    }

    /// Whether an area has a port that is of use.
    fn is_port(&self, state: &State, area: Area) -> bool {
        self.rules.areas[area.at()].ports != 0 && !state.disabled_ports.contains(area)
    }

    /// The team that decides about a port whose fortification has just fallen.
    pub(crate) fn demolisher(&self, state: &State) -> Option<Team> {
        Team::ALL.into_iter().find(|team| !state.demolition[team.index()].is_empty())
    }

    pub(crate) fn demolitions(&self, state: &State, team: Team, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        out.extend(state.demolition[team.index()].iter().map(Action::Demolish));
    }

    pub(crate) fn decide_demolition(&self, state: &mut State, team: Team, action: Action) {
        let open = &mut state.demolition[team.index()];
        match action {
            Action::Demolish(area) => {
                open.remove(area);
                self.disable(state, area);
            }
            _ => *open = Areas::EMPTY,
        }
    }

    fn disable(&self, state: &mut State, area: Area) {
        state.disabled_ports.insert(area);
        state.repairable.remove(area);
        state.cache.invalidate();
    }

    /// Ports of the producer's own that it may disable for a WERP: Italy none outside the southern zone.
    pub(crate) fn ports_to_disable(&self, state: &State, werp: u8, out: &mut Vec<Action>) {
        if !self.rules.options.ports || werp < self.rules.costs.port_disabled {
            return;
        }
        let (nation, payer) = (state.payer, state.payer.bit());
        let own = state.lands_of(self.built_by(state, nation) | payer).and(state.held(state.mover));
        let near = |area: Area| nation != Nation::Italy || self.zone(area) == Zone::Southern;
        out.extend(own.filter(|area| self.is_port(state, area) && near(area)).iter().map(Action::Demolish));
    }

    pub(crate) fn pay_to_disable(&self, state: &mut State, area: Area, context: &mut impl Rolls) {
        let (nation, cost) = (state.payer, self.rules.costs.port_disabled);
        state.powers[nation.index()].werp -= cost;
        context.emit(|| Event::Bought { nation, what: Purchase::PortDisabled(area), cost });
        self.disable(state, area);
    }

    // ---- repair, beachheads ----

    /// Operational movement begins: disabled ports that are friendly and undisputed can be repaired in it.
    pub(crate) fn survey_ports(&self, state: &mut State) {
        let friendly = state.held(state.mover).difference(&state.disputed());
        state.repairable = state.disabled_ports.and(&friendly);
    }

    /// Nations whose Special Actions repair a port: of the Western Allies either.
    fn repairers(&self, state: &State, area: Area) -> Nations {
        let owner = state.controller(area).map_or(Nation::Germany, |nation| self.sponsor(state, nation));
        let western = WESTERN_POWERS.iter().fold(0, |all: Nations, power| all | power.bit());
        let able = self.payers(state);
        able & if is_western(owner) { western } else { owner.bit() }
    }

    /// Repairs for a Special Action each.
    pub(crate) fn repairs(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        if state.repairable.is_empty() {
            return Flow::Continue(());
        }
        for nation in Nation::members(self.payers(state)) {
            for area in state.repairable {
                if self.repairers(state, area) & nation.bit() != 0 {
                    out.offer(Action::Repair(nation, area))?;
                }
            }
        }
        Flow::Continue(())
    }

    pub(crate) fn repair(&self, state: &mut State, nation: Nation, area: Area, context: &mut impl Rolls) {
        self.spend(state, nation, SpecialAction::Repair, context);
        state.disabled_ports.remove(area);
        state.repairable.remove(area);
        state.cache.invalidate();
    }

    /// Beachheads that a nation with land units in a controlled area with a port, disabled or not, may pay for in Final Supply.
    pub(crate) fn paid_landings(&self, state: &State, out: &mut Vec<Action>) {
        if !self.rules.options.ports || !self.rules.setup.fleets_used {
            return;
        }
        let team = state.mover;
        for nation in Nation::members(self.payers(state)) {
            let land = self.attached(state, nation).and(&self.tables.land_units).and(&state.on_map);
            let there: Areas = state.places.occupied(&land);
            let fit = there.and(state.held(team)).difference(&state.beachheads[team.index()]);
            let ports = fit.filter(|area| self.rules.areas[area.at()].ports != 0);
            out.extend(ports.iter().map(|area| Action::Beachhead(nation, area)));
        }
    }

    pub(crate) fn pay_for_beachhead(
        &self,
        state: &mut State,
        nation: Nation,
        area: Area,
        context: &mut impl Rolls,
    ) {
        let team = state.mover;
        self.spend(state, nation, SpecialAction::Beachhead, context);
        state.beachheads[team.index()].insert(area);
        state.paid_beachheads[team.index()].insert(area);
        state.cache.invalidate();
        context.emit(|| Event::Beachhead { team, area, placed: true });
    }
}
