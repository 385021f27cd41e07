//! 2. Production (4.0): income, replacements, new counters, fortifications, Special Actions; one nation after the other.

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, Purchase, SpecialAction, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, KindId, Nation, Team, UnitId};
use crate::phase::{Pending, Phase};
use crate::rules::{Branch, NationKind};
use crate::state::{State, mark};

impl EuropeEngulfed {
    /// The next nation of the mover that produces, after another.
    pub(crate) fn next_producer(&self, state: &State, after: Option<Nation>) -> Option<Nation> {
        let mut nations = Nation::ALL.into_iter().filter(|nation| after.is_none_or(|after| *nation > after));
        nations.find(|nation| {
            state.team(*nation) == Some(state.mover)
                && self.rules.nations[nation.index()].kind == NationKind::Major
                && self.patron(*nation) == *nation
        })
    }

    /// Income of a nation (4.1, 20.4): its base, less what it has lost at home; what conquered resource areas yield with a
    /// garrison in them (A64, A67, A93). Home areas that are not in play count as held.
    pub fn income(&self, state: &State, nation: Nation) -> u8 {
        let data = &self.rules.nations[nation.index()];
        let scenario = self.tables.scenario[nation.index()];
        let base = scenario.and_then(|scenario| scenario.base).unwrap_or(data.base);
        let area_value = scenario.and_then(|scenario| scenario.area_value).unwrap_or(data.area_value);
        let Some(team) = state.team(nation) else { return 0 };
        let (mut income, mut lost) = (u16::from(base), 0);
        for resource in &self.tables.resources {
            let value = if area_value == 0 { resource.value } else { area_value };
            if resource.home == Some(nation) {
                if !state.held(team).contains(resource.area) {
                    lost += u16::from(value);
                }
                continue;
            }
            // Soviet areas keep their value for whoever conquers them (play book, L663).
            let conquered = match resource.home {
                Some(Nation::SovietUnion) => resource.value,
                _ => self.rules.production.conquered_value,
            };
            let garrison = self.land_units_at(state, team, resource.area).len();
            let mine = state.controller(resource.area).map(|owner| self.patron(owner)) == Some(nation);
            if mine && garrison >= u32::from(self.rules.production.garrison) {
                income += u16::from(conquered);
            }
        }
        income.saturating_sub(lost).min(255) as u8
    }

    /// The production of a nation begins.
    pub(crate) fn produce(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        state.payer = nation;
        let werp = self.income(state, nation);
        let power = &mut state.powers[nation.index()];
        (power.werp, power.unrestricted) = (werp, false);
        context.emit(|| Event::Income { nation, werp });
    }

    /// The production of a nation ends: WERP left are lost (play book, L667).
    pub(crate) fn production_ends(&self, state: &mut State, context: &mut impl Rolls) {
        let nation = state.payer;
        let power = &mut state.powers[nation.index()];
        let werp = std::mem::take(&mut power.werp);
        power.unrestricted = false;
        context.emit(|| Event::Unspent { nation, werp });
    }

    /// What a step of a kind costs, the first or a further one (20.2, 20.21, 20.22; surcharges 9.24 g, 9.38, 16.13(4)).
    pub fn step_cost(&self, kind: KindId, first: bool) -> u8 {
        let data = &self.rules.kinds[kind.at()];
        let branch = &self.rules.branches[data.branch as usize];
        if data.branch == Branch::Air {
            return branch.step_cost;
        }
        let elite = if data.elite { self.rules.costs.elite_factor } else { 1 };
        let doubles = first && branch.first_step_doubles;
        let scenario = self.tables.scenario[self.patron(data.nation).index()];
        let surcharge = scenario.map_or(0, |scenario| scenario.surcharge);
        branch.step_cost * elite * if doubles { 2 } else { 1 } + surcharge
    }

    /// Whether an area is fit for what is built: friendly, undisputed, in supply (A74).
    fn is_fit(&self, state: &State, supplied: &Areas, area: Area) -> bool {
        state.held(state.mover).contains(area) && !state.is_disputed(area) && supplied.contains(area)
    }

    /// Where a new counter of a kind may come in: two units a home area and turn (play book, L287).
    fn entries(&self, state: &State, kind: KindId, supplied: &Areas) -> Areas {
        let nation = self.rules.kinds[kind.at()].nation;
        let Some(unit) = self.in_pool(state, kind) else { return Areas::EMPTY };
        self.tables.new_units[nation.index()].filter(|area| {
            let new = || {
                let here = state.of_team_at(state.mover, area);
                here.filter(|unit| state.has_mark(unit, mark::RAISED)).len()
            };
            self.is_fit(state, supplied, area)
                && new() < u32::from(self.rules.production.new_units_per_area)
                && self.is_open_to(nation, area)
                && self.has_room(state, state.mover, unit, area)
        })
    }

    /// A counter of a kind that may be built.
    fn in_pool(&self, state: &State, kind: KindId) -> Option<UnitId> {
        self.counters(kind).find(|unit| state.location(*unit) == Area::POOL)
    }

    pub(crate) fn production_actions(&self, state: &State, out: &mut Vec<Action>) {
        if let Pending::Raise(kind) = state.pending {
            let supplied = self.supplied_areas(state, self.rules.kinds[kind.at()].nation);
            out.extend(self.entries(state, kind, &supplied).iter().map(Action::Go));
            return;
        }
        out.push(Action::Pass);
        let nation = state.payer;
        let werp = state.power(nation).werp;
        if werp > 0 {
            self.purchases_of_units(state, werp, out);
            self.purchases_of_forts(state, werp, out);
            let power = state.power(nation);
            let builds = self.tables.scenario[nation.index()].is_none_or(|data| data.builds_special_actions);
            let room = power.special_actions < power.special_action_pool;
            if builds && room && werp >= self.rules.costs.special_action {
                out.push(Action::SpecialAction);
            }
            if power.special_actions > 0 && !power.unrestricted && self.could_replace_more(state) {
                out.push(Action::Unrestricted);
            }
        }
    }

    fn purchases_of_units(&self, state: &State, werp: u8, out: &mut Vec<Action>) {
        let clients = self.tables.clients[state.payer.index()];
        // Kinds of a nation come in at the same places, but for the room of air units.
        let mut cached: Option<(Nation, bool, bool)> = None;
        for kind in (0..self.rules.kinds.len()).map(KindId::nth) {
            let data = &self.rules.kinds[kind.at()];
            let (nation, air) = (data.nation, data.branch == Branch::Air);
            let paid = clients & nation.bit() != 0 && self.step_cost(kind, true) <= werp;
            if !paid || self.in_pool(state, kind).is_none() {
                continue;
            }
            let open = match cached {
                Some((of, in_air, open)) if (of, in_air) == (nation, air) => open,
                _ => !self.entries(state, kind, &self.supplied_areas(state, nation)).is_empty(),
            };
            cached = Some((nation, air, open));
            if open {
                out.push(Action::Raise(kind));
            }
        }
        for nation in Nation::members(clients) {
            let units = self.tables.of_nation[nation.index()].and(&self.tables.land_units);
            let ready =
                units.filter(|unit| state.is_on_map(unit) && state.steps(unit) < self.max_steps(unit));
            if state.team(nation) != Some(state.mover) || ready.is_empty() {
                continue;
            }
            let supplied = self.supplied_areas(state, nation);
            for unit in self.distinct(state, &ready, !0) {
                let area = state.location(unit);
                let affordable = self.step_cost(self.kind_of(unit), false) <= werp;
                if affordable && self.is_fit(state, &supplied, area) && self.may_replace(state, unit) {
                    out.push(Action::Replace(unit));
                }
            }
        }
    }

    /// Steps a unit may get: any number at home or when new, else one (A74), unless replacements are unrestricted (7.8, A75).
    fn may_replace(&self, state: &State, unit: UnitId) -> bool {
        let home = self.tables.home[self.nation(unit).index()].contains(state.location(unit));
        let steps = self.rules.production.replacements_abroad;
        home || state.has_mark(unit, mark::RAISED)
            || state.power(state.payer).unrestricted
            || steps > 0 && !state.has_mark(unit, mark::REPLACED)
    }

    /// Whether unrestricted replacements would allow more.
    fn could_replace_more(&self, state: &State) -> bool {
        let clients = self.tables.clients[state.payer.index()];
        Nation::members(clients).any(|nation| {
            let supplied = self.supplied_areas(state, nation);
            let units = self.tables.of_nation[nation.index()].and(&self.tables.land_units);
            units.iter().any(|unit| {
                state.is_on_map(unit)
                    && state.steps(unit) < self.max_steps(unit)
                    && self.is_fit(state, &supplied, state.location(unit))
                    && !self.may_replace(state, unit)
            })
        })
    }

    /// Fortifications: one an area, with a land unit there (6.9; reconstructed); heavy ones by the Soviets (A63).
    fn purchases_of_forts(&self, state: &State, werp: u8, out: &mut Vec<Action>) {
        let nation = state.payer;
        let costs = &self.rules.costs;
        if werp < costs.field_fort.min(costs.heavy_fort) {
            return;
        }
        let supplied = self.supplied_areas(state, nation);
        let clients = self.tables.clients[nation.index()];
        let fit = supplied.filter(|area| self.is_fit(state, &supplied, area));
        for area in fit {
            let garrison = self.land_units_at(state, state.mover, area);
            let own = garrison.iter().any(|unit| clients & self.nation(unit).bit() != 0);
            if own && werp >= costs.field_fort && !state.field_forts.contains(area) {
                out.push(Action::FieldFort(area));
            }
            let site = nation == Nation::SovietUnion && self.tables.heavy_fort_sites.contains(area);
            if site && werp >= costs.heavy_fort && !state.heavy_forts.contains(area) {
                out.push(Action::HeavyFort(area));
            }
        }
    }

    pub(crate) fn production_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let nation = state.payer;
        let mut pay = |state: &mut State, cost: u8, what: Purchase| {
            state.powers[nation.index()].werp -= cost;
            context.emit(|| Event::Bought { nation, what, cost });
        };
        match (state.pending, action) {
            (Pending::Raise(kind), Action::Go(area)) => {
                state.pending = Pending::None;
                let Some(unit) = self.in_pool(state, kind) else { return };
                state.steps[unit.at()] = 1;
                pay(state, self.step_cost(kind, true), Purchase::New(unit));
                self.put(state, unit, area);
                state.mark(unit, mark::RAISED);
                context.emit(|| Event::Moved { unit, from: Area::POOL, to: area, how: Way::Deployed });
            }
            (_, Action::Raise(kind)) => state.pending = Pending::Raise(kind),
            (_, Action::Replace(unit)) => {
                pay(state, self.step_cost(self.kind_of(unit), false), Purchase::Step(unit));
                state.steps[unit.at()] += 1;
                state.mark(unit, mark::REPLACED);
            }
            (_, Action::FieldFort(area)) => {
                pay(state, self.rules.costs.field_fort, Purchase::FieldFort(area));
                state.field_forts.insert(area);
            }
            (_, Action::HeavyFort(area)) => {
                pay(state, self.rules.costs.heavy_fort, Purchase::HeavyFort(area));
                state.heavy_forts.insert(area);
            }
            (_, Action::SpecialAction) => {
                pay(state, self.rules.costs.special_action, Purchase::SpecialAction);
                state.powers[nation.index()].special_actions += 1;
            }
            (_, Action::Unrestricted) => {
                self.spend(state, nation, SpecialAction::Replacements, context);
                state.powers[nation.index()].unrestricted = true;
            }
            _ => self.end_phase(state, context),
        }
    }

    /// Whether a team produces in this turn (16.13(6), 17.8(2)).
    pub(crate) fn produces(&self, state: &State, team: Team) -> bool {
        state.turn > 1 || self.rules.setup.production_first_turn[team.index()]
    }
    /// The first phase after the dated reinforcements.
    pub(crate) fn phase_after_supply(&self, state: &State) -> Phase {
        let produces = self.produces(state, state.mover) && self.next_producer(state, None).is_some();
        if produces { Phase::Production } else { Phase::Operational }
    }
}
