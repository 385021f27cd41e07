//! 2. Production (4.0): income, replacements, new counters, fortifications, Special Actions; one nation after the other.

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, Purchase, SpecialAction, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, KindId, MAX_AREAS, Nation, Nations, Team, UnitId, Units, WESTERN_POWERS};
use crate::phase::Pending;
use crate::rules::{Asset, Bimester, Branch, NationKind, Standing};
use crate::state::{Draft, NOBODY, State, built, happened, mark};

impl EuropeEngulfed {
    /// The next nation of the mover that produces, after another.
    pub(crate) fn next_producer(&self, state: &State, after: Option<Nation>) -> Option<Nation> {
        let mut nations = Nation::ALL.into_iter().filter(|nation| after.is_none_or(|after| *nation > after));
        nations.find(|nation| {
            state.team(*nation) == Some(state.mover)
                && self.rules.nations[nation.index()].kind == NationKind::Major
                && self.patron(*nation) == *nation
                && !self.is_exile(state, *nation)
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
        let (mut income, mut lost) = (u16::from(self.base_now(state, nation, base)), 0);
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
            let garrison = || self.land_units_at(state, team, resource.area).len();
            let Some(owner) = state.controller(resource.area) else { continue };
            // An ally's own area needs none (9.63), and what is one's own overseas is not conquered (A70).
            let pays = if resource.home == Some(owner) {
                self.is_ally_paying(state, owner, nation)
            } else if self.is_its_owners(state, resource.area) {
                false
            } else {
                self.payee(state, owner) == nation && garrison() >= u32::from(self.rules.production.garrison)
            };
            if pays {
                income += u16::from(conquered);
            }
        }
        income += u16::from(self.ore(state, nation));
        income.saturating_sub(lost).min(255) as u8
    }

    /// The base of a nation as politics stand: Italy neutral or without morale (20.4), the USSR by date until its war with
    /// Germany (9.24; 16.33(2)).
    fn base_now(&self, state: &State, nation: Nation, base: u8) -> u8 {
        let situation = &self.rules.setup.situation;
        if !situation.politics {
            return base;
        }
        let (now, politics) = (self.bimester(state.turn), &self.rules.politics);
        let by_date = |table: &[(Bimester, u8)]| {
            table.iter().rev().find(|(from, _)| now >= *from).map_or(0, |(_, income)| *income)
        };
        match nation {
            Nation::SovietUnion if !situation.soviet_income.is_empty() => by_date(&situation.soviet_income),
            Nation::SovietUnion
                if self.is_income_of_peace(state)
                    && self.rules.options.no_winter_war
                    && now == self.rules.optional.no_winter_war.0 =>
            {
                self.rules.optional.no_winter_war.1
            }
            Nation::SovietUnion if self.is_income_of_peace(state) => {
                by_date(&self.rules.politics.soviet_income)
            }
            Nation::Italy
                if !self.is_at_war(state, nation) || state.affairs.has(happened::ITALIAN_COLLAPSE) =>
            {
                self.rules.politics.italian_low_base
            }
            Nation::UnitedStates if self.rules.options.us_production => {
                let year = now.year.saturating_sub(politics.usa_enters.year).min(2);
                politics.american_bases[usize::from(year)]
            }
            _ => base,
        }
    }

    /// The most Special Actions of a nation: in one turn Germany has six, if it has not attacked the USSR yet (13.31).
    pub(crate) fn special_action_pool(&self, state: &State, nation: Nation) -> u8 {
        let pool = state.power(nation).special_action_pool;
        let sixth = self.rules.options.sixth_special_action
            && nation == Nation::Germany
            && state.affairs.soviet_war == 0
            && self.bimester(state.turn) == self.rules.politics.sixth_special_action;
        self.pool_of_the_turn(state, nation, pool) + u8::from(sixth)
    }

    /// Whether a nation has built as many Special Actions as it may in a phase (13.45).
    pub(crate) fn built_enough(&self, state: &State) -> bool {
        let [great, second, others, threshold] = self.rules.politics.building_limits;
        let most = match state.payer {
            Nation::Germany | Nation::UnitedStates => great,
            Nation::SovietUnion | Nation::GreatBritain => second,
            _ => others,
        };
        let hurt = matches!(state.payer, Nation::Germany | Nation::GreatBritain)
            && state.affairs.werp_lost >= threshold;
        self.rules.options.limited_building && state.affairs.actions_built + u8::from(hurt) >= most
    }

    /// Whether a nation that has been bombed has bought too few fighters for another air support unit (13.47).
    pub(crate) fn wants_fighters(&self, state: &State, kind: KindId) -> bool {
        self.rules.options.air_purchases
            && self.rules.kinds[kind.at()].branch == Branch::Air
            && matches!(state.payer, Nation::Germany | Nation::GreatBritain)
            && state.strategic.hits_now > 0
            && state.strategic.bought_of(Asset::Fighter) <= state.affairs.air_units_bought
    }

    /// Minors that Great Britain may bring into the war (13.43, 13.44), and the price.
    fn inducements(&self, state: &State) -> [(Nation, bool, u8); 2] {
        let (options, costs) = (&self.rules.options, &self.rules.costs);
        let neutral = |nation: Nation| {
            self.standing(state, nation) == Standing::Neutral && state.team(nation).is_none()
        };
        let greece = options.greece
            && neutral(Nation::Greece)
            && self.bimester(state.turn) >= self.rules.politics.greece_from;
        let turkey =
            options.turkey && neutral(Nation::Turkey) && state.affairs.has(happened::WAR_ON_SWEDEN_OR_SPAIN);
        [(Nation::Greece, greece, costs.greece), (Nation::Turkey, turkey, costs.turkey)]
    }

    /// Whether a minor in the war pays a nation for its own resource area: an Axis minor Germany, the others Great Britain (9.63).
    fn is_ally_paying(&self, state: &State, owner: Nation, nation: Nation) -> bool {
        let patron = match state.team(owner) {
            Some(Team::Second) => Nation::GreatBritain,
            _ => self.sponsor(state, owner),
        };
        let minor = self.rules.nations[owner.index()].kind != NationKind::Major;
        minor && self.is_at_war(state, owner) && patron == nation && state.team(owner) == state.team(nation)
    }

    /// Who is paid for what a nation has conquered: its patron, Germany for Italy (A66).
    fn payee(&self, state: &State, owner: Nation) -> Nation {
        match self.patron(owner) {
            Nation::Italy
                if self.rules.setup.situation.politics
                    && (self.is_at_war(state, Nation::Italy) || !self.rules.options.italian_wars) =>
            {
                Nation::Germany
            }
            patron => patron,
        }
    }

    /// Swedish ore (9.14).
    fn ore(&self, state: &State, nation: Nation) -> u8 {
        let sells = nation == Nation::Germany
            && self.rules.setup.situation.politics
            && self.standing(state, Nation::Sweden) == Standing::Neutral
            && !state.affairs.has(happened::NO_ORE);
        if sells { self.rules.politics.swedish_ore } else { 0 }
    }

    /// American lend-lease (9.34, amounts reconstructed), once France has fallen (16.33(5)): a die for Great Britain until the entry,
    /// one for the USSR at war whose Murmansk is joined to its sources (A84), halved while the Axis has Norway.
    fn lend_lease(&self, state: &State, nation: Nation, context: &mut impl Rolls) -> u8 {
        let (affairs, politics) = (&state.affairs, &self.rules.politics);
        if !self.rules.setup.situation.politics {
            return 0;
        }
        let axis = |area: Option<Area>| area.is_some_and(|area| state.held(Team::First).contains(area));
        let fallen =
            affairs.has(happened::FALL_OF_FRANCE) || axis(self.tables.capitals[Nation::France.index()]);
        let werp = match nation {
            Nation::GreatBritain if fallen && !self.is_at_war(state, Nation::UnitedStates) => {
                context.die(6) as u8
            }
            // Not for who has attacked a neutral (14.322).
            Nation::SovietUnion if fallen && affairs.soviet_war > 0 && !self.has_attacked_neutral(state) => {
                let open = politics
                    .murmansk
                    .is_some_and(|port| self.areas_fed_by_land(state, nation).contains(port));
                let halves = u8::from(axis(self.tables.capitals[Nation::Norway.index()]));
                if open { context.die(6) as u8 >> halves } else { 0 }
            }
            _ => 0,
        };
        if werp > 0 {
            context.emit(|| Event::Given { by: Nation::UnitedStates, to: nation, werp });
        }
        werp
    }

    /// The production of a nation begins.
    pub(crate) fn produce(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        state.payer = nation;
        self.roll_for_special_actions(state, nation, context);
        let income = self.income(state, nation) + self.lend_lease(state, nation, context);
        let victim = matches!(nation, Nation::Germany | Nation::GreatBritain);
        let lost = if victim { std::mem::take(&mut state.strategic.werp_lost) } else { 0 };
        let affairs = &mut state.affairs;
        (affairs.werp_lost, affairs.actions_built, affairs.air_units_bought) = (lost, 0, 0);
        let gifts = std::mem::take(&mut state.powers[nation.index()].gifts);
        let income = income.saturating_add(gifts).saturating_sub(lost);
        let kept = self.maintenance(state, nation).min(income);
        let werp = income - kept;
        let power = &mut state.powers[nation.index()];
        (power.werp, power.unrestricted) = (werp, false);
        (state.affairs.given, state.affairs.free_step_used) = (0, false);
        if nation == Nation::SovietUnion {
            self.draft_opens(state);
        }
        context.emit(|| Event::Income { nation, werp: income });
        if kept > 0 {
            context.emit(|| Event::Bought { nation, what: Purchase::Maintenance, cost: kept });
        }
    }

    // ---- what is free or dearer (9.15, 9.24, 9.38) ----

    /// A Soviet production begins: the draft opens (16.33(3)) or brings its next steps.
    fn draft_opens(&self, state: &mut State) {
        let waits = self.rules.setup.situation.benefits_wait;
        if waits && !state.affairs.has(happened::USSR_ENTERED) && self.is_ussr_invaded(state) {
            state.affairs.happened |= happened::USSR_ENTERED;
        }
        if waits && state.affairs.has(happened::USSR_ENTERED) {
            self.open_draft(state);
        }
        let affairs = &mut state.affairs;
        if affairs.draft == Draft::Running {
            let each = self.rules.politics.draft[2];
            affairs.draft_steps[0] = each.min(affairs.draft_steps[1]);
        }
    }

    /// The draft may be taken from now on, if it has not been open yet (9.24 f).
    pub(crate) fn open_draft(&self, state: &mut State) {
        if state.affairs.draft == Draft::NotYet {
            state.affairs.draft = Draft::Open;
        }
    }

    /// Whether the Axis controls a Soviet home area and has a unit in one (16.33(3)).
    fn is_ussr_invaded(&self, state: &State) -> bool {
        let home = &self.tables.home[Nation::SovietUnion.index()];
        let axis = &state.of_team[Team::First.index()];
        home.intersects(state.held(Team::First)) && home.iter().any(|area| state.at(area).intersects(axis))
    }

    /// The draft is taken: fifty free infantry steps over four productions, no Special Actions in them (9.24 f).
    fn take_draft(&self, state: &mut State) {
        let [steps, turns, each] = self.rules.politics.draft;
        let affairs = &mut state.affairs;
        affairs.draft = Draft::Running;
        (affairs.draft_steps, affairs.draft_turns) = ([each.min(steps), steps], turns);
    }

    /// A Soviet production ends.
    fn draft_goes_on(&self, state: &mut State) {
        let affairs = &mut state.affairs;
        match affairs.draft {
            Draft::Open => affairs.draft = Draft::Declined,
            Draft::Running => {
                affairs.draft_turns -= 1;
                affairs.draft_steps[0] = 0;
                if affairs.draft_turns == 0 {
                    affairs.draft = Draft::Taken;
                }
            }
            _ => {}
        }
    }

    /// Whether a step of a kind comes of the draft.
    fn is_drafted(&self, state: &State, kind: KindId) -> bool {
        let data = &self.rules.kinds[kind.at()];
        data.nation == Nation::SovietUnion
            && state.affairs.draft_steps[0] > 0
            && data.branch == Branch::Infantry
            && !data.elite
    }

    /// Whether a step of a kind is the free one of the Axis minors: one a production, not of the minor that had the last
    /// (9.15, A71).
    fn is_free_minor_step(&self, state: &State, kind: KindId) -> bool {
        let data = &self.rules.kinds[kind.at()];
        self.rules.setup.situation.politics
            && (self.rules.nations[data.nation.index()].kind == NationKind::AxisMinor
                || state.affairs.adopted & data.nation.bit() != 0)
            && self.rules.production.free_minor_steps > 0
            && data.branch == Branch::Infantry
            && state.payer == Nation::Germany
            && !state.affairs.free_step_used
            && state.affairs.last_free_step != data.nation as u8
    }

    /// What a step costs now: nothing of the draft and of the free minor step; no double first steps of Soviets while they have
    /// the cadre benefit (9.24 d); a surcharge late in the war (9.24 g, 9.38).
    pub fn price(&self, state: &State, kind: KindId, first: bool) -> u8 {
        if self.is_drafted(state, kind) || self.is_free_minor_step(state, kind) {
            return 0;
        }
        if self.is_partisan(state, self.rules.kinds[kind.at()].nation) {
            return self.rules.optional.partisans.1;
        }
        let data = &self.rules.kinds[kind.at()];
        let dug_in = data.branch == Branch::Airborne && state.affairs.has(happened::AIRBORNE_RENOUNCED);
        if dug_in && data.nation == Nation::Germany {
            // As infantry (13.33).
            return self.step_cost_as(kind, Branch::Infantry, first);
        }
        if !self.rules.setup.situation.politics {
            return self.step_cost(kind, first);
        }
        let data = &self.rules.kinds[kind.at()];
        let (now, politics, affairs) = (self.bimester(state.turn), &self.rules.politics, &state.affairs);
        let land = data.branch != Branch::Air;
        let (mut first, mut more) = (first, 0);
        match data.nation {
            Nation::SovietUnion => {
                let waits = self.do_benefits_wait(state);
                let benefit = affairs.soviet_war > 0 && now <= politics.cadre_benefit_until && !waits;
                first &= !benefit;
                let drafted = matches!(affairs.draft, Draft::Running | Draft::Taken);
                more = u8::from(land && drafted && now.year >= politics.british_surcharge.year);
            }
            Nation::GreatBritain => more = u8::from(land && now >= politics.british_surcharge),
            _ => {}
        }
        self.step_cost(kind, first) + more
    }

    /// A step has been bought: what was free is used up.
    fn use_benefit(&self, state: &mut State, kind: KindId) {
        if self.is_drafted(state, kind) {
            state.affairs.draft_steps[0] -= 1;
            state.affairs.draft_steps[1] -= 1;
        } else if self.is_free_minor_step(state, kind) {
            state.affairs.free_step_used = true;
            state.affairs.last_free_step = self.rules.kinds[kind.at()].nation as u8;
        }
    }

    // ---- strategic assets, gifts ----

    /// What of the strategic war a nation builds (2.0, 4.6, A76 to A78), and in which pool.
    fn purchases_of_assets(&self, state: &State, werp: u8, out: &mut Vec<Action>) {
        let nation = state.payer;
        if !self.rules.setup.strategic_war_used {
            return;
        }
        let (costs, limits, war) = (&self.rules.costs, &self.rules.production, &self.rules.strategic);
        let forces = &state.strategic;
        let (team, built) = (state.mover.index(), state.power(nation).built);
        let western = WESTERN_POWERS.contains(&nation);
        if nation != Nation::Germany && !western {
            return;
        }
        let asw = WESTERN_POWERS.iter().any(|nation| state.power(*nation).built & built::ASW != 0);
        let unpaid = |build: u8| !self.has_paid(state, nation, build);
        let open = [
            (Asset::Fighter, costs.fighter, forces.bought_of(Asset::Fighter) < limits.fighters),
            (Asset::Bomber, costs.bomber, forces.bought_of(Asset::Bomber) < limits.bombers),
            (
                Asset::Flak,
                self.instalment(state, nation, built::FLAK),
                built & built::FLAK == 0 && forces.flak[team] < war.flak_levels && unpaid(built::FLAK),
            ),
            (
                Asset::Submarine,
                costs.submarine,
                !western
                    && forces.bought_of(Asset::Submarine) < limits.submarines
                    && forces.submarines < war.submarines,
            ),
            (
                Asset::Asw,
                self.instalment(state, nation, built::ASW),
                western && !asw && forces.asw < war.asw_levels && unpaid(built::ASW),
            ),
            (
                Asset::Me262,
                costs.me262,
                self.rules.options.me262
                    && !western
                    && forces.bought_of(Asset::Me262) < limits.me262
                    && self.bimester(state.turn) >= war.jets.0,
            ),
        ];
        out.extend(
            open.iter()
                .filter(|(_, cost, open)| {
                    *open && *cost <= werp && (*cost > 0 || !self.rules.options.partial_builds)
                })
                .map(|(asset, ..)| Action::Asset(*asset)),
        );
    }

    // ---- restricted builds by instalments (13.24) ----

    /// Whose record shows what has been paid for a restricted build: an ASW level is the Western Allies' together.
    fn builder(nation: Nation, build: u8) -> Nation {
        if build == built::ASW { Nation::GreatBritain } else { nation }
    }

    /// Whether a restricted build has been paid for in this player turn: for an ASW level only one of the Western Allies pays (13.24).
    pub(crate) fn has_paid(&self, state: &State, nation: Nation, build: u8) -> bool {
        self.rules.options.partial_builds && state.power(Self::builder(nation, build)).paid & build != 0
    }

    /// The index of a restricted build in [`crate::state::Power::begun`], and what it costs (20.2).
    fn restricted_cost(&self, build: u8) -> (usize, u8) {
        let costs = &self.rules.costs;
        let nth = build.trailing_zeros() as usize;
        (nth, [costs.fleet, costs.flak, costs.asw][nth])
    }

    /// What a nation pays now for a restricted build: its cost, or by option what is missing of it, so many WERP a turn (13.24).
    pub(crate) fn instalment(&self, state: &State, nation: Nation, build: u8) -> u8 {
        let (nth, cost) = self.restricted_cost(build);
        if !self.rules.options.partial_builds {
            return cost;
        }
        let missing = cost.saturating_sub(state.power(Self::builder(nation, build)).begun[nth]);
        missing.min(self.rules.optional.instalment).min(state.power(nation).werp)
    }

    /// Whether a nation can pay for a restricted build now, by option some of it.
    pub(crate) fn can_pay_instalment(&self, state: &State, nation: Nation, build: u8) -> bool {
        let cost = self.instalment(state, nation, build);
        state.power(nation).werp >= cost && (cost > 0 || !self.rules.options.partial_builds)
    }

    /// A payment for a restricted build: whether it is finished with it.
    pub(crate) fn finishes(&self, state: &mut State, build: u8, paid: u8) -> bool {
        if !self.rules.options.partial_builds {
            return true;
        }
        let (nth, cost) = self.restricted_cost(build);
        let power = &mut state.powers[Self::builder(state.payer, build).index()];
        power.paid |= build;
        power.begun[nth] += paid;
        let done = power.begun[nth] >= cost;
        if done {
            power.begun[nth] = 0;
        }
        done
    }

    fn buy_asset(&self, state: &mut State, asset: Asset, paid: u8) {
        let (team, nation) = (state.mover.index(), state.payer);
        let restricted = match asset {
            Asset::Flak => built::FLAK,
            Asset::Asw => built::ASW,
            _ => 0,
        };
        if restricted != 0 && !self.finishes(state, restricted, paid) {
            return;
        }
        let forces = &mut state.strategic;
        forces.bought[asset as usize] += 1;
        let (pool, mark) = match asset {
            Asset::Fighter => (&mut forces.fighters[team], 0),
            Asset::Bomber => (&mut forces.bombers[team], 0),
            Asset::Flak => (&mut forces.flak[team], built::FLAK),
            Asset::Submarine => (&mut forces.submarines, 0),
            Asset::Asw => (&mut forces.asw, built::ASW),
            Asset::Me262 => (&mut forces.me262, 0),
        };
        *pool += 1;
        state.powers[nation.index()].built |= mark;
    }

    /// What an asset costs.
    fn asset_cost(&self, state: &State, asset: Asset) -> u8 {
        let costs = &self.rules.costs;
        match asset {
            Asset::Fighter => costs.fighter,
            Asset::Bomber => costs.bomber,
            Asset::Submarine => costs.submarine,
            Asset::Me262 => costs.me262,
            Asset::Flak => self.instalment(state, state.payer, built::FLAK),
            Asset::Asw => self.instalment(state, state.payer, built::ASW),
        }
    }

    /// What the giver pays for a WERP: double for the USSR while the Axis has Norway (9.35).
    pub fn gift_cost(&self, state: &State, to: Nation) -> u8 {
        let oslo = self.tables.capitals[Nation::Norway.index()];
        let norway = oslo.is_some_and(|oslo| state.held(Team::First).contains(oslo));
        1 + u8::from(to == Nation::SovietUnion && norway)
    }

    /// Powers that may be given WERP: partners in the war that have not produced yet (A73); Italy and the USSR only so many; the
    /// USSR from Great Britain alone, as lend-lease.
    pub(crate) fn may_give(&self, state: &State, to: Nation) -> bool {
        let (nation, affairs) = (state.payer, &state.affairs);
        let partner = self.rules.setup.situation.politics
            && to > nation
            && state.team(to) == Some(state.mover)
            && self.is_at_war(state, nation)
            && !self.is_exile(state, to)
            && self.rules.nations[to.index()].kind == NationKind::Major;
        let most = match to {
            Nation::Italy if self.is_at_war(state, to) || state.affairs.counts.italy.victim.is_some() => {
                self.rules.production.italian_aid
            }
            Nation::SovietUnion if nation == Nation::GreatBritain && affairs.soviet_war > 0 => {
                self.rules.politics.british_lend_lease
            }
            Nation::Italy | Nation::SovietUnion => 0,
            _ if self.is_at_war(state, to) => u8::MAX,
            _ => 0,
        };
        let counted = matches!(to, Nation::Italy | Nation::SovietUnion);
        partner
            && (!counted && most > 0 || counted && affairs.given < most)
            && state.power(nation).werp >= self.gift_cost(state, to)
    }

    /// The production of a nation ends: WERP left are lost (play book, L667).
    pub(crate) fn production_ends(&self, state: &mut State, context: &mut impl Rolls) {
        let nation = state.payer;
        if nation == Nation::SovietUnion {
            self.draft_goes_on(state);
        }
        // Only the turn before counts (9.15; play book, L571).
        if nation == Nation::Germany && !state.affairs.free_step_used {
            state.affairs.last_free_step = NOBODY;
        }
        let power = &mut state.powers[nation.index()];
        let werp = std::mem::take(&mut power.werp);
        power.unrestricted = false;
        context.emit(|| Event::Unspent { nation, werp });
    }

    /// What a step of a kind costs, the first or a further one (20.2, 20.21, 20.22; surcharges 9.24 g, 9.38, 16.13(4)).
    pub fn step_cost(&self, kind: KindId, first: bool) -> u8 {
        self.step_cost_as(kind, self.rules.kinds[kind.at()].branch, first)
    }

    /// What a step of a kind would cost, the first or a further one, were it of another branch.
    fn step_cost_as(&self, kind: KindId, branch: Branch, first: bool) -> u8 {
        let data = &self.rules.kinds[kind.at()];
        let branch = &self.rules.branches[branch as usize];
        if data.branch == Branch::Air {
            return branch.step_cost;
        }
        let elite = if data.elite { self.rules.costs.elite_factor } else { 1 };
        let doubles = first && branch.first_step_doubles;
        let scenario = self.tables.scenario[self.patron(data.nation).index()];
        let surcharge = scenario.map_or(0, |scenario| scenario.surcharge);
        branch.step_cost * elite * if doubles { 2 } else { 1 } + surcharge
    }

    /// Areas fit for what is built for a nation: friendly, undisputed, in supply (A74).
    fn fit_areas(&self, state: &State, nation: Nation) -> Areas {
        state.held(state.mover).difference(&state.disputed()).and(&self.supplied_areas(state, nation))
    }

    /// Areas in which as many new units have come in as may in a turn (play book, L287).
    fn full_of_new_units(&self, state: &State) -> Areas {
        let new = state.marked(mark::RAISED).and(&state.of_team[state.mover.index()]).and(&state.on_map);
        let mut counts = [0u8; MAX_AREAS];
        let mut full = Areas::EMPTY;
        for unit in new {
            let area = state.location(unit);
            counts[area.at()] += 1;
            if counts[area.at()] >= self.rules.production.new_units_per_area {
                full.insert(area);
            }
        }
        full
    }

    /// Where a counter may come in: two units a home area and turn (play book, L287).
    fn entries(&self, state: &State, unit: UnitId, full: &Areas) -> Areas {
        let nation = self.nation(unit);
        let fit = self.new_unit_areas(state, nation).and(&self.fit_areas(state, nation)).difference(full);
        let open = if fit.is_empty() { fit } else { self.open_among(state, nation, &fit) };
        self.roomy_among(state, state.mover, unit, open, &Units::EMPTY)
    }

    /// A counter of a kind that may be built.
    pub(crate) fn in_pool(&self, state: &State, kind: KindId) -> Option<UnitId> {
        self.counters(kind).find(|unit| state.location(*unit) == Area::POOL)
    }

    pub(crate) fn production_actions(&self, state: &State, out: &mut Vec<Action>) {
        if let Pending::Raise(kind) | Pending::Converted(kind) = state.pending {
            let full = self.full_of_new_units(state);
            let unit = self.in_pool(state, kind);
            out.extend(unit.into_iter().flat_map(|unit| self.entries(state, unit, &full)).map(Action::Go));
            return;
        }
        out.push(Action::Pass);
        let nation = state.payer;
        let werp = state.power(nation).werp;
        let free = nation == Nation::SovietUnion && state.affairs.draft_steps[0] > 0
            || nation == Nation::Germany && self.rules.setup.situation.politics;
        // In ascending order, which saves the sorting.
        if werp > 0 && nation == Nation::GreatBritain && self.is_at_war(state, nation) {
            let open = self.inducements(state).into_iter().filter(|(_, open, cost)| *open && *cost <= werp);
            out.extend(open.map(|(minor, ..)| Action::Induce(minor)));
        }
        if nation == Nation::SovietUnion && state.affairs.draft == Draft::Open {
            out.push(Action::Draft);
        }
        if nation == Nation::Germany && self.may_renounce(state) {
            out.push(Action::Renounce);
        }
        let pauses = nation == Nation::Germany && self.may_pause(state);
        if pauses && self.rules.options.limited_building && werp >= self.rules.costs.paulus_pause {
            out.push(Action::Pause);
        }
        self.partisan_blocks(state, out);
        self.conversions(state, out);
        if werp > 0 || free {
            self.purchases_of_units(state, werp, out);
            self.purchases_of_forts(state, werp, out);
            self.purchases_of_fleets(state, out);
            self.ports_to_disable(state, werp, out);
            self.purchases_of_assets(state, werp, out);
            let partners = Nation::members(state.nations(state.mover));
            out.extend(partners.filter(|to| self.may_give(state, *to)).map(Action::Give));
            let power = state.power(nation);
            let builds = self.tables.scenario[nation.index()].is_none_or(|data| data.builds_special_actions);
            let room =
                power.special_actions < self.special_action_pool(state, nation) && !self.built_enough(state);
            let drafting = nation == Nation::SovietUnion && state.affairs.draft == Draft::Running;
            if builds && room && !drafting && werp >= self.rules.costs.special_action {
                out.push(Action::SpecialAction);
            }
            if power.special_actions > 0 && !power.unrestricted && self.could_replace_more(state) {
                out.push(Action::Unrestricted);
            }
        }
    }

    /// Air support units made of two fighter points, or of a fighter and a bomber, that were there before the turn: one a Production
    /// Phase, of a power of the pool that is in the war (14.49).
    fn conversions(&self, state: &State, out: &mut Vec<Action>) {
        let owners: &[Nation] = match state.payer {
            Nation::Germany => &[Nation::Germany],
            Nation::GreatBritain | Nation::UnitedStates => &WESTERN_POWERS,
            _ => return,
        };
        let early = self.bimester(state.turn).year < self.rules.strategic.conversion_year;
        if !self.rules.options.conversion || early || state.affairs.converted {
            return;
        }
        let (forces, team) = (&state.strategic, state.mover.index());
        let old = |there: [u8; 2], asset: Asset| there[team].saturating_sub(forces.bought_of(asset));
        let fighters = old(forces.fighters, Asset::Fighter);
        let full = self.full_of_new_units(state);
        for asset in [Asset::Fighter, Asset::Bomber] {
            let fits = match asset {
                Asset::Fighter => fighters >= 2,
                _ => fighters >= 1 && old(forces.bombers, Asset::Bomber) >= 1,
            };
            let fights =
                |owner: Nation| state.team(owner) == Some(state.mover) && self.is_at_war(state, owner);
            for &owner in owners.iter().filter(|owner| fits && fights(**owner)) {
                let units = self.tables.of_nation[owner.index()].and(&self.tables.air_units);
                let unit = state.at(Area::POOL).and(&units).first();
                if let Some(unit) = unit.filter(|unit| !self.entries(state, *unit, &full).is_empty()) {
                    out.push(Action::Convert(asset, self.kind_of(unit)));
                }
            }
        }
    }

    /// New counters, and steps of those on the map.
    fn purchases_of_units(&self, state: &State, werp: u8, out: &mut Vec<Action>) {
        let clients = self.built_by(state, state.payer) & state.nations(state.mover);
        let pool = state.at(Area::POOL);
        let full = self.full_of_new_units(state);
        for nation in Nation::members(clients) {
            // Kinds of a nation come in at the same places, but for the room of air units.
            let mut entries: [Option<bool>; 2] = [None; 2];
            let mut last = None;
            for unit in pool.and(&self.tables.of_nation[nation.index()]) {
                let kind = self.kind_of(unit);
                if last.replace(kind) == Some(kind)
                    || self.wants_fighters(state, kind)
                    || self.price(state, kind, true) > werp
                {
                    continue;
                }
                let open = &mut entries[usize::from(self.is_air(unit))];
                if *open.get_or_insert_with(|| !self.entries(state, unit, &full).is_empty()) {
                    out.push(Action::Raise(kind));
                }
            }
        }
        for nation in Nation::members(clients | self.supported_minors(state)) {
            let ready = self.replaceable(state, nation).filter(|unit| self.may_replace(state, unit));
            let affordable = ready.filter(|unit| self.price(state, self.kind_of(unit), false) <= werp);
            out.extend(self.distinct(state, &affordable, !0).iter().map(Action::Replace));
        }
        self.partisan_replacements(state, out);
    }

    /// Allied minors at war whose blocks get replacements from Great Britain while they hold their capital (A72).
    pub(crate) fn supported_minors(&self, state: &State) -> Nations {
        if state.payer != Nation::GreatBritain || !self.rules.setup.situation.politics {
            return 0;
        }
        let capital = |nation: Nation| self.tables.capitals[nation.index()];
        let open = state.held(state.mover).difference(&state.disputed());
        let fights = |nation: &Nation| {
            self.rules.nations[nation.index()].kind == NationKind::Minor
                && self.patron(*nation) == *nation
                && capital(*nation).is_some_and(|capital| open.contains(capital))
        };
        let minors = Nation::members(state.nations(state.mover) & state.belligerents).filter(fights);
        minors.fold(0, |mask, nation| mask | nation.bit())
    }

    /// Land units of a nation that have lost steps and are where replacements come to them.
    fn replaceable(&self, state: &State, nation: Nation) -> Units {
        let units = self.tables.of_nation[nation.index()].and(&self.tables.land_units).and(&state.on_map);
        let weak = units.filter(|unit| state.steps(unit) < self.max_steps(unit));
        if weak.is_empty() {
            return weak;
        }
        let fit = self.fit_areas(state, nation);
        state.places.standing(&weak, |at: Area| fit.contains(at))
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
        let clients = self.built_by(state, state.payer) & state.nations(state.mover);
        Nation::members(clients).any(|nation| {
            let mut units = self.replaceable(state, nation).into_iter();
            units.any(|unit| !self.may_replace(state, unit))
        })
    }

    /// Fortifications: one an area, with a land unit there (6.9; reconstructed); heavy ones by the Soviets (A63).
    fn purchases_of_forts(&self, state: &State, werp: u8, out: &mut Vec<Action>) {
        let nation = state.payer;
        let costs = &self.rules.costs;
        if werp < costs.field_fort.min(costs.heavy_fort) {
            return;
        }
        let fit = self.fit_areas(state, nation);
        if werp >= costs.field_fort {
            let own = self.attached(state, nation).and(&self.tables.land_units).and(&state.on_map);
            let garrisoned: Areas = state.places.occupied(&own);
            let open = fit.and(&garrisoned).difference(&state.field_forts);
            out.extend(open.iter().map(Action::FieldFort));
        }
        if nation == Nation::SovietUnion && werp >= costs.heavy_fort {
            let open = fit.and(&self.tables.heavy_fort_sites).difference(&state.heavy_forts);
            out.extend(open.iter().map(Action::HeavyFort));
        }
    }

    pub(crate) fn production_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let nation = state.payer;
        let mut pay = |state: &mut State, cost: u8, what: Purchase| {
            state.powers[nation.index()].werp -= cost;
            context.emit(|| Event::Bought { nation, what, cost });
        };
        match (state.pending, action) {
            (Pending::Raise(kind) | Pending::Converted(kind), Action::Go(area)) => {
                let bought = matches!(state.pending, Pending::Raise(_));
                state.pending = Pending::None;
                let Some(unit) = self.in_pool(state, kind) else { return };
                state.steps[unit.at()] = 1;
                if bought {
                    pay(state, self.price(state, kind, true), Purchase::New(unit));
                    self.use_benefit(state, kind);
                    state.affairs.air_units_bought += u8::from(self.is_air(unit));
                }
                self.put(state, unit, area);
                state.mark(unit, mark::RAISED);
                context.emit(|| Event::Moved { unit, from: Area::POOL, to: area, how: Way::Deployed });
            }
            (_, Action::Raise(kind)) => state.pending = Pending::Raise(kind),
            (_, Action::Partisans(kind, area)) => self.raise_partisans(state, kind, area, context),
            (_, Action::Replace(unit)) => {
                let kind = self.kind_of(unit);
                if self.is_partisan(state, self.nation(unit)) {
                    state.affairs.happened |= happened::PARTISANS_FED;
                }
                pay(state, self.price(state, kind, false), Purchase::Step(unit));
                self.use_benefit(state, kind);
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
            (_, Action::Asset(asset)) => {
                let cost = self.asset_cost(state, asset);
                pay(state, cost, Purchase::Asset(asset));
                self.buy_asset(state, asset, cost);
            }
            (_, Action::Induce(minor)) => {
                let cost =
                    self.inducements(state).iter().find(|(of, ..)| *of == minor).map_or(0, |open| open.2);
                pay(state, cost, Purchase::Ally(minor));
                state.powers[minor.index()].team = Some(state.mover);
                // Its Special Actions are the British ones alone.
                self.mobilize(state, minor, true);
                self.set_standing(state, minor, Standing::Belligerent, context);
            }
            (_, Action::Draft) => self.take_draft(state),
            (_, Action::Renounce) => state.affairs.happened |= happened::AIRBORNE_RENOUNCED,
            (_, Action::Pause) => {
                pay(state, self.rules.costs.paulus_pause, Purchase::Pause);
                state.affairs.happened |= happened::PAUSE;
            }
            (_, Action::Convert(asset, kind)) => {
                let (forces, team) = (&mut state.strategic, state.mover.index());
                forces.fighters[team] -= 1;
                let pool = if asset == Asset::Fighter { &mut forces.fighters } else { &mut forces.bombers };
                pool[team] -= 1;
                state.affairs.converted = true;
                state.pending = Pending::Converted(kind);
            }
            (_, Action::Give(to)) => {
                state.powers[nation.index()].werp -= self.gift_cost(state, to);
                state.powers[to.index()].gifts += 1;
                state.affairs.given += u8::from(matches!(to, Nation::Italy | Nation::SovietUnion));
                context.emit(|| Event::Given { by: nation, to, werp: 1 });
            }
            (_, Action::Demolish(area)) => self.pay_to_disable(state, area, context),
            (_, Action::Fleet(sea)) => self.build_fleet(state, sea, context),
            (_, Action::SpecialAction) => {
                pay(state, self.rules.costs.special_action, Purchase::SpecialAction);
                state.powers[nation.index()].special_actions += 1;
                state.affairs.actions_built += 1;
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
    /// Whether Production follows on the dated reinforcements.
    pub(crate) fn production_is_due(&self, state: &State) -> bool {
        self.produces(state, state.mover) && self.next_producer(state, None).is_some()
    }
}
