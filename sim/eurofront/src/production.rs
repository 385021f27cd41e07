//! Production (11.0): income, arrivals, what is built. The factions decide one after the other, unseen; what they have
//! ordered comes about when the last has decided (11.2).

mod unseen;

use std::cell::OnceCell;

use sandtable_core::{ActionSink, Flow, Hex, Index};

use crate::action::Action;
use crate::conditions::Flag;
use crate::control::BlockCounts;
use crate::event::{Cause, Event};
use crate::game::EuroFront;
use crate::ids::{Account, BlockId, Blocks, Camp, Faction, Front, Hexes, NationId, is_on_map, place};
use crate::movement::Access;
use crate::phase::{Haste, Phase};
use crate::rules::{Acclimatised, Arrival, Condition, Cost, Entry, Fact, Kind, Quality, Rank, Status};
use crate::sea_supply::{Network, SeaLines};
use crate::state::{Crossing, Mark, State};
use crate::tables::PLACES;

/// Where the kinds of orders begin in [`State::cursor`]: steps, cadres, garrisons. They are given in ascending order, so
/// that the same orders are the same choices.
const CADRES: u16 = 1 << 13;
const GARRISONS: u16 = 2 << 13;
/// Where orders of reinforcements that are brought forward for their price begin in [`State::cursor`].
const EARLY: u16 = 3 << 13;
/// Where orders of reinforcements that are brought forward for a step begin in [`State::cursor`].
const WEAK: u16 = 4 << 13;
/// Where orders to disband begin in [`State::cursor`].
const DISBANDED: u16 = 5 << 13;
/// Points that the Soviets reserve to begin their rearmament (20.593).
const REARMAMENT: i16 = 100;
/// Set in the place where a reinforcement is to arrive which comes with a step less (11.82).
const A_STEP_LESS: u16 = 0x2000;

/// Where cadres may be placed in a position of a production, whoever they are.
#[derive(Debug)]
pub struct ArrivalRoom {
    /// What is open to the faction that produces.
    access: Access,
    /// Places in which none may be placed.
    barred: Hexes,
}

/// By what the places follow where a block is raised (11.81): its nation, and the extreme fronts where it belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Homes {
    nation: NationId,
    faction: Faction,
    southern: bool,
    northern: bool,
}

impl EuroFront {
    // ---- income (11.2, 11.3) ----

    /// A camp's production begins: its railways, and its points.
    pub(crate) fn begin_production<T: crate::Rolls>(
        &self,
        state: &mut State,
        faction: Faction,
        context: &mut T,
    ) {
        let camp = faction.camp();
        state.active = faction;
        state.decider = faction;
        self.look_at_supply(state, faction);
        if self.is_civil_war() {
            let account = Account::home(faction);
            let received = self.income(state, camp);
            state.points[account.index()] += received;
            let points = state.points[account.index()];
            context.emit(|| Event::Income { camp, account, points, received });
        }
        for account in Account::all_of(faction) {
            state.spent[account.index()] = false;
            state.funds[account.index()] = state.points[account.index()];
        }
        self.restart_orders(state);
        self.order_free_steps(state, camp);
    }

    /// The railways of a faction, the hexes it supplies and its want of oil, fixed for its production.
    fn look_at_supply(&self, state: &mut State, faction: Faction) {
        let network = self.look_at_lines(state, faction);
        state.short_of_oil = self.is_short_of_oil(state, faction, &network);
    }

    /// The railways of a faction and the hexes it supplies, as in its production. Gives its lines without those of isolated
    /// nations.
    fn look_at_lines(&self, state: &mut State, faction: Faction) -> Hexes {
        let camp = faction.camp();
        if self.is_civil_war() {
            state.network = self.faction_lines(state, faction);
            state.commanded = self.supplied_by(state, camp, &state.network);
            return state.network;
        }
        let overland = self.overland(state, faction);
        let lines = |lines| match &overland {
            Some(overland) => self.with_sea_lines(state, faction, overland, lines),
            None => Network::EMPTY,
        };
        let (network, secure) = (lines(SeaLines::All), lines(SeaLines::Safe));
        let by_land = overland.as_ref().map_or(Hexes::EMPTY, |overland| overland.places);
        let by_land = self.area_along(state, camp, &by_land);
        let area = self.producing_area(state, faction, &secure);
        let by_cape = match &overland {
            Some(overland) if faction == Faction::Allies => {
                self.based_on_cape(state, overland, &secure).difference(&by_land)
            }
            _ => Hexes::EMPTY,
        };
        state.network = self.with_nations(state, faction, &network);
        state.isolated = self.isolated_from(state, faction, &network.places);
        state.commanded = state.isolated.iter().fold(area, |area, nation| {
            area.or(&self.area_along(state, camp, &self.nation_places(state, faction, nation, &network)))
        });
        state.marked = by_land;
        state.new_battles = by_cape;
        network.places
    }

    /// Theatre headquarters regain a step for nothing (1936 rule 7).
    pub(crate) fn order_free_steps(&self, state: &mut State, camp: Camp) {
        if !self.is_civil_war() {
            return;
        }
        for &block in &self.sets().headquarters_list {
            if self.camp(block) == camp
                && self.brief(block).kind == Kind::TheatreHq
                && self.can_be_built(state, block)
            {
                state.mark(block, Mark::Ordered, true);
            }
        }
    }

    /// The camp that produces has ordered nothing yet.
    pub(crate) fn restart_orders(&self, state: &mut State) {
        state.phase = Phase::Arrival;
        state.subject = BlockId::NONE;
        state.cursor = 0;
    }

    /// Points of a month of 1936 (11.3): cities and resources that a camp controls and reaches by rail, and foreign aid.
    pub fn income(&self, state: &State, camp: Camp) -> i16 {
        let reached = state.network.and(&state.friendly[camp.index()]);
        let double = if camp == Camp::Axis { 2 } else { 1 };
        let of_cities: i16 = self
            .map()
            .points
            .iter()
            .filter(|(hex, ..)| reached.contains(*hex))
            .map(|&(_, city, resources)| i16::from(city) + double * i16::from(resources))
            .sum();
        of_cities + self.foreign_aid(state, camp)
    }

    fn pay(&self, state: &mut State, account: Account, price: u8) {
        state.points[account.index()] -= i16::from(price);
        state.spent[account.index()] |= price > 0;
    }

    fn affords(&self, state: &State, account: Account, price: u8) -> bool {
        state.points[account.index()] >= i16::from(price)
    }

    // ---- arrival (11.8) ----

    /// Goes on to the next reinforcement that is due and has a place to arrive in; says whether there is one. Others come
    /// later (11.83).
    pub(crate) fn turn_to_arrival(&self, state: &mut State) -> bool {
        let access = OnceCell::new();
        let mut due = self.due(state).iter();
        let Some(block) = due.find(|&block| self.can_arrive(state, block, &access)) else { return false };
        Self::turn_to_arrival_of(state, block);
        true
    }

    fn turn_to_arrival_of(state: &mut State, block: BlockId) {
        state.phase = Phase::Arrival;
        state.subject = block;
        state.cursor = block.0 + 1;
    }

    /// Reinforcements that have not come and are not ordered.
    fn awaiting(&self, state: &State) -> Blocks {
        // Beachheads are among them, which are of no set of units.
        state
            .places
            .among(&self.sets().reinforcements, place::AWAITING)
            .difference(state.marked(Mark::Ordered))
    }

    /// Reinforcements of the faction that produces which are due and have not been decided about, whether they have a place to
    /// arrive in or not.
    fn due(&self, state: &State) -> Blocks {
        self.awaiting(state).filter(|block| {
            block.0 >= state.cursor
                && self.brief(block).faction == state.active
                && match self.rules.scenario.entries[block.at()] {
                    Entry::Reinforcement { month, .. } => month <= state.month,
                    Entry::Upon(..) => true,
                    _ => false,
                }
        })
    }

    /// Where a reinforcement of the faction that produces may arrive. What is open to its faction is worked out when the first
    /// one asks, for nobody moves in a production.
    fn arrival_places(&self, state: &State, block: BlockId, access: &OnceCell<Access>) -> Hexes {
        let arrival = match &self.rules.scenario.entries[block.at()] {
            Entry::Reinforcement { arrival, .. } => arrival,
            Entry::Upon(..) => &Arrival::Cities,
            _ => return Hexes::EMPTY,
        };
        match arrival {
            Arrival::Cities if self.is_civil_war() => self.loyal_cities(state),
            Arrival::Cities => self.with_arrival_room(state, &self.home_places(state, block, access)),
            Arrival::Ports(also) => {
                let also: Hexes = also.iter().copied().collect();
                let friendly = &state.friendly[state.camp().index()];
                self.with_arrival_room(
                    state,
                    &self.map().ports.or(&also).and(&self.map().in_play).and(friendly),
                )
            }
        }
    }

    /// Whether there is any such place.
    fn can_arrive(&self, state: &State, block: BlockId, access: &OnceCell<Access>) -> bool {
        match &self.rules.scenario.entries[block.at()] {
            Entry::Reinforcement { arrival: Arrival::Cities, .. } if self.is_civil_war() => {
                self.has_room_in(state, &self.cities_held(state))
            }
            _ => !self.arrival_places(state, block, access).is_empty(),
        }
    }

    pub(crate) fn arrivals<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        if state.subject.is_none() {
            return Flow::Continue(());
        }
        out.offer(Action::Pass)?; // 11.83
        out.all([self.arrival_places(state, state.subject, &OnceCell::new())], |_, hex| Action::Place(hex))
    }

    /// Reinforcements of the faction that produces which are due next month and may be brought forward (11.82).
    fn due_next_month<'a>(&'a self, state: &'a State) -> impl Iterator<Item = BlockId> + use<'a> {
        self.awaiting(state).into_iter().filter(move |&block| {
            self.brief(block).faction == state.active
                && matches!(self.rules.scenario.entries[block.at()],
                    Entry::Reinforcement { month, .. } if month == state.month + 1)
        })
    }

    /// Whether a reinforcement that is brought forward may come with a step less (11.82).
    pub(crate) fn can_come_weaker(&self, block: BlockId) -> bool {
        matches!(self.rules.scenario.entries[block.at()],
            Entry::Reinforcement { steps, .. } if steps > self.brief(block).least.max(1))
    }

    /// A reinforcement is to come a month earlier (11.82): a beachhead into its box, all others to a place.
    pub(crate) fn order_early(&self, state: &mut State, block: BlockId, haste: Haste) {
        state.cursor = block.0 + 1 + if haste == Haste::Paid { EARLY } else { WEAK };
        if self.brief(block).kind == Kind::Beachhead {
            self.pay(state, Account::home(state.active), self.beachhead_price());
            state.mark(block, Mark::Ordered, true);
            return;
        }
        state.phase = Phase::CadrePlace;
        state.subject = block;
    }

    /// Units that may be disbanded (11.84): of great and major powers; only where as many stand as may, for which it is
    /// meant. Tito in Yugoslavia whenever he likes (16.732).
    fn may_be_disbanded(&self, state: &State, block: BlockId, staying: impl Fn(Hex) -> u8) -> bool {
        let at = state.at(block);
        let minor = || self.rules.nations[self.brief(block).nation.at()].rank == Rank::Minor;
        is_on_map(at)
            && !state.has(block, Mark::Ordered)
            && !state.is_battle(at)
            && (!self.is_civil_war() && staying(at) >= self.stacking_limit(state, at) && !minor()
                || self.is_tito_at_home(state, block)) // 16.732
    }

    /// Blocks of the camp that produces in a place, those to be disbanded left out.
    fn staying_in(&self, state: &State, hex: Hex) -> u8 {
        state.stack(hex, state.camp()).iter().filter(|&block| !self.is_disbanded(state, block)).count() as u8
    }

    /// Blocks of the camp that produces by place, those to be disbanded left out.
    fn staying(&self, state: &State) -> BlockCounts {
        let standing = state.standing[state.camp().index()];
        BlockCounts::of(
            standing.filter(|block| !self.is_disbanded(state, block)).iter().map(|block| state.at(block)),
        )
    }

    /// A unit is to be disbanded.
    pub(crate) fn order_disbanding(&self, state: &mut State, block: BlockId) {
        state.mark(block, Mark::Ordered, true);
        state.crossing[block] = Crossing(place::ELIMINATED.0);
        state.cursor = DISBANDED + block.0 + 1;
    }

    /// Whether a unit on the map is to be disbanded.
    fn is_disbanded(&self, state: &State, block: BlockId) -> bool {
        state.has(block, Mark::Ordered)
            && is_on_map(state.at(block))
            && state.crossing[block] == Crossing(place::ELIMINATED.0)
    }

    /// What is at hand is to be placed into a hex when both camps have decided.
    pub(crate) fn order_placement(&self, state: &mut State, hex: Hex) {
        let block = state.subject;
        let weaker = state.phase == Phase::CadrePlace && (WEAK..DISBANDED).contains(&state.cursor);
        if state.phase == Phase::CadrePlace && !weaker {
            let (account, price) = self.bill_for_cadre(state, block, hex);
            self.pay(state, account, price);
        }
        state.mark(block, Mark::Ordered, true);
        state.crossing[block] = Crossing(hex.0 | if weaker { A_STEP_LESS } else { 0 });
    }

    /// Whether an order of this production has a price: not to disband, not reinforcements that are due or that come with a
    /// step less (11.8).
    pub(crate) fn is_paid_for(&self, state: &State, block: BlockId) -> bool {
        match self.rules.scenario.entries[block.at()] {
            _ if is_on_map(state.at(block)) => !self.is_disbanded(state, block),
            _ if state.at(block) != place::AWAITING => true,
            Entry::Reinforcement { month, .. } => {
                month > state.month && state.crossing[block].0 & A_STEP_LESS == 0
            }
            _ => false,
        }
    }

    /// Where a block that has been ordered is to be placed.
    pub(crate) fn ordered_place(state: &State, block: BlockId) -> Hex {
        Hex(state.crossing[block].0 & !A_STEP_LESS)
    }

    /// Hexes among some, without a battle, in which one more block may arrive in this production (11.81) and stand (6.2).
    fn with_arrival_room(&self, state: &State, hexes: &Hexes) -> Hexes {
        let hexes = hexes.difference(&state.battles());
        hexes.difference(&self.without_arrival_room(state, &hexes))
    }

    /// Where blocks of the camp that produces are to be placed, as often as there are some.
    fn arriving<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Hex> + Clone + use<'a> {
        let camp = state.camp();
        let ordered = state.marked(Mark::Ordered).and(self.blocks_of(camp));
        let coming = ordered.difference(&state.standing[camp.index()]);
        let coming = coming.into_iter().map(|block| Self::ordered_place(state, block));
        coming.filter(|place| place.at() < PLACES)
    }

    /// Hexes among some, with a battle or without, in which no more block may arrive in this production (11.81) or stand (6.2).
    fn without_arrival_room(&self, state: &State, hexes: &Hexes) -> Hexes {
        let camp = state.camp();
        let coming = self.arriving(state);
        // Where nobody stands and nobody comes there is room.
        let asked = state.occupied[camp.index()].or(&coming.clone().collect()).and(hexes);
        let [major, other] = self.rules.numbers.arrivals;
        let is_full = |hex: Hex, coming: u8, staying: u8| {
            let limit = if self.map().major_cities.contains(hex) { major } else { other };
            coming >= limit || coming + staying >= self.stacking_limit(state, hex)
        };
        if asked.len() <= BlockCounts::FEW {
            let coming = |hex: Hex| coming.clone().filter(|&at| at == hex).count() as u8;
            return asked.filter(|hex| is_full(hex, coming(hex), self.staying_in(state, hex)));
        }
        let (coming, staying) = (BlockCounts::of(coming), self.staying(state));
        asked.filter(|hex| is_full(hex, coming.at(hex), staying.at(hex)))
    }

    // ---- building (11.7; 1936 rule 7) ----

    pub(crate) fn turn_to_building(&self, state: &mut State) {
        state.phase = Phase::Building;
        state.subject = BlockId::NONE;
        state.cursor = 0;
    }

    /// Costs of a block of 1936 (1936 rule 7).
    fn cost(&self, block: BlockId) -> Option<Cost> {
        let data = self.block(block);
        data.cost.or(self.war().costs[data.kind as usize])
    }

    /// Price of a step: in 1936 less for a field headquarters with double supply (1936 rule 7).
    fn step_price(&self, state: &State, block: BlockId) -> Option<u8> {
        if !self.is_civil_war() {
            return self.price_of_step(state, block);
        }
        let (cost, double) = (self.cost(block)?, self.war().double_supply);
        let cheap = self.may_be_cheap(state, block, double.step)
            && self.doubly_supplied(state).contains(state.at(block));
        Some(if cheap { double.step } else { cost.step })
    }

    /// Whether double supply makes a block cheaper, and what is left would pay for that.
    fn may_be_cheap(&self, state: &State, block: BlockId, price: u8) -> bool {
        self.brief(block).kind == Kind::Hq && self.affords(state, Account::home(state.active), price)
    }

    /// Price of a cadre in a hex.
    fn cadre_price(&self, state: &State, block: BlockId, hex: Hex) -> Option<u8> {
        if !self.is_civil_war() {
            return self.price_of_cadre(state, block, hex);
        }
        let (cost, double) = (self.cost(block)?, self.war().double_supply);
        let cheap =
            self.may_be_cheap(state, block, double.cadre) && self.doubly_supplied(state).contains(hex);
        Some(if cheap { double.cadre } else { cost.cadre })
    }

    /// Hexes supplied from the capital and from external supply as well (1936 rule 7). Lisbon is both.
    fn doubly_supplied(&self, state: &State) -> Hexes {
        let camp = state.camp();
        let (capital, external) = (self.capital(state, camp), self.external_sources(state, camp));
        let in_rear = self.civil_war_tables().rear[camp.index()].intersects(&capital);
        if capital.is_empty() || external.is_empty() {
            // One source alone has been looked at already.
            return if in_rear { state.commanded } else { Hexes::EMPTY };
        }
        let supplied = |sources: Hexes| {
            let network = self.rail_network(state, camp, &sources);
            self.supplied_by(state, camp, &network)
        };
        let of_capital = state.commanded.and(&supplied(capital));
        if in_rear { of_capital } else { of_capital.and(&supplied(external)) }
    }

    /// Whether a unit may receive a step: on the map, not in battle but in areas (18.62), below full strength, supplied
    /// (11.71).
    fn can_be_built(&self, state: &State, block: BlockId) -> bool {
        let at = state.at(block);
        is_on_map(at)
            && state.steps[block] < self.brief(block).full
            && !state.has(block, Mark::Ordered)
            && state.commanded.contains(at)
            && (!state.is_battle(at) || self.map().areas.contains(at))
            && (self.is_civil_war() || self.may_grow(state, block))
    }

    /// Whether a unit may receive a step that is paid for (11.71): theatre headquarters of 1936 regain theirs for nothing.
    fn may_receive_step(&self, state: &State, block: BlockId) -> bool {
        !(self.is_civil_war() && self.brief(block).kind == Kind::TheatreHq) && self.can_be_built(state, block)
    }

    /// Of some units of the faction that produces those that the lines of their own nation do not supply, though others'
    /// might (10.21, 20.64), and those beyond the zone to which they are restricted (16.311): they get no steps (11.71).
    pub(crate) fn cut_off_with_nation(&self, state: &State, of: &Blocks) -> Blocks {
        if self.is_civil_war() || of.is_empty() {
            return Blocks::EMPTY;
        }
        let (faction, camp) = (state.active, state.camp());
        // Where nobody is isolated, all that is supplied is supplied by the faction's lines.
        let area = || self.producing_area(state, faction, &self.lines_of(state, faction, SeaLines::Safe));
        let main = (!state.isolated.is_empty()).then(area);
        let mut cut_off = self.strays(state, of);
        for &(nation, _) in self.sets().nations.iter().filter(|(_, of)| *of == faction) {
            let units = of.and(&self.sets().of_nation[nation.at()]);
            if units.is_empty() {
                continue;
            }
            let small = !self.sets().great[nation.at()]
                && !self.are_volunteers(state, nation)
                && !self.is_free_french(state, nation);
            let capital = self.rules.nations[nation.at()].capital.filter(|_| small);
            let without = capital.is_some_and(|capital| !self.holds(state, camp, capital));
            let area = if without {
                Hexes::EMPTY
            } else if state.isolated.contains(nation) {
                let lines = self.nation_network(state, faction, nation);
                self.area_along(state, camp, &lines)
            } else if let Some(main) = main {
                main
            } else {
                continue;
            };
            let mut beyond = units.filter(|block| !area.contains(state.at(block)));
            if nation == self.nations().vichy && !beyond.is_empty() {
                let secure = self.lines_of(state, faction, SeaLines::Safe);
                let lines = SeaLines::Safe;
                let colonial =
                    self.supplied_through_colonies(state, faction, nation, &beyond, &secure, lines);
                beyond = beyond.difference(&colonial);
            }
            cut_off = cut_off.or(&beyond);
        }
        cut_off
    }

    /// Whether the Phoney War lets a French unit have no more in this production (20.43): a step or a cadre of another has been
    /// ordered. What arrives as a reinforcement is not built.
    pub(crate) fn is_held_back(&self, state: &State, block: BlockId) -> bool {
        let france = self.nations().france;
        let built = |other: BlockId| {
            let at = state.at(other);
            self.brief(other).nation == france
                && (at == place::ELIMINATED || is_on_map(at) && !self.is_disbanded(state, other))
        };
        self.brief(block).nation == france
            && state.diplomacy.holds(Fact::PhoneyWar)
            && state.marked(Mark::Ordered).iter().any(built)
    }

    /// Limits on building that concern one unit: one step of SS in a production and front (11.7), one French step a month in
    /// the Phoney War (20.43), cavalry of the neutral Soviets (20.51).
    fn may_grow(&self, state: &State, block: BlockId) -> bool {
        let brief = self.brief(block);
        let ordered = |wanted: &dyn Fn(BlockId) -> bool| state.marked(Mark::Ordered).iter().any(wanted);
        let front = self.front(state.at(block));
        let ss = brief.quality == Quality::Ss
            && ordered(&|other| {
                let at = state.at(other);
                self.brief(other).quality == Quality::Ss && is_on_map(at) && self.front(at) == front
            });
        let cavalry = brief.kind == Kind::Cavalry
            && brief.nation == self.nations().ussr
            && self.is_neutral(state, brief.nation)
            && state.steps[block] >= brief.least;
        !ss && !cavalry && !self.is_held_back(state, block)
    }

    /// Cities of 1936 where a cadre may be placed (1936 rule 7): loyal, controlled, on the railways, without a battle.
    fn loyal_cities(&self, state: &State) -> Hexes {
        self.with_arrival_room(state, &self.cities_held(state))
    }

    /// Cities of 1936 where cadres are placed (1936 rule 7): loyal, controlled, on the railways, with room or without.
    fn cities_held(&self, state: &State) -> Hexes {
        let own = state.camp().index();
        let loyal = &self.civil_war_tables().loyal[own];
        self.map().cities.and(loyal).and(&state.friendly[own]).and(&state.network)
    }

    /// Whether there is room for a cadre in any of some cities.
    fn has_room_in(&self, state: &State, cities: &Hexes) -> bool {
        // Mostly in one in which nobody stands, and nobody comes.
        let mut vacant = cities.difference(&state.occupied[state.camp().index()]);
        for hex in self.arriving(state) {
            vacant.remove(hex);
        }
        !vacant.is_empty() || !self.with_arrival_room(state, cities).is_empty()
    }

    /// Cities in which a cadre of this block may be placed and paid for.
    fn places_for_cadre(&self, state: &State, block: BlockId, loyal: &Hexes) -> Hexes {
        if !self.is_civil_war() {
            let places = self.places_with_room(state, block, &OnceCell::new());
            return places.filter(|hex| self.affords_cadre(state, block, hex));
        }
        if self.affords_anywhere(state, block, |cost| cost.cadre) {
            *loyal
        } else if self.may_afford_cadre(state, block) {
            loyal.and(&self.doubly_supplied(state))
        } else {
            Hexes::EMPTY
        }
    }

    /// Places in which a cadre of this block may be placed if it can be paid for, elsewhere than in 1936: also areas in which a
    /// battle is fought (18.62).
    fn places_with_room(&self, state: &State, block: BlockId, access: &OnceCell<Access>) -> Hexes {
        let places = self.home_places(state, block, access);
        let places = places.difference(&state.battles().difference(&self.map().areas));
        places.difference(&self.without_arrival_room(state, &places))
    }

    /// Places in which no cadre may be placed, elsewhere than in 1936: battles but those of areas (18.62), and where there is no room.
    fn barred_to_arrivals(&self, state: &State) -> Hexes {
        let full = self.without_arrival_room(state, &self.map().in_play);
        state.battles().difference(&self.map().areas).or(&full)
    }

    /// Blocks among some for which there is a city in which a cadre may be placed and paid for.
    fn with_place_for_cadre(&self, state: &State, lost: &Blocks) -> Blocks {
        if self.is_civil_war() {
            // Points are short more often than cities, and seldom so that what a field headquarters costs depends on the city.
            let (dear, cheap) = (OnceCell::new(), OnceCell::new());
            return lost.filter(|block| {
                let cities = || self.cities_held(state);
                if self.affords_anywhere(state, block, |cost| cost.cadre) {
                    return *dear.get_or_init(|| self.has_room_in(state, &cities()));
                }
                let twice_supplied = || cities().and(&self.doubly_supplied(state));
                self.may_afford_cadre(state, block)
                    && *cheap.get_or_init(|| self.has_room_in(state, &twice_supplied()))
            });
        }
        let lost = lost.filter(|block| self.may_afford_cadre(state, block));
        if lost.is_empty() {
            return lost;
        }
        let barred = self.barred_to_arrivals(state);
        // Blocks of a nation follow each other: most have the same cities, and those that are alike the same answer.
        let mut known: Option<(Homes, Hexes)> = None;
        let mut last: Option<((u16, Hex, bool), bool)> = None;
        let mut raised = Blocks::EMPTY;
        let access = self.access_of(state, state.active);
        for block in lost {
            let abroad = state.has(block, Mark::FALLEN_ABROAD);
            let like = (self.brief(block).alike, state.at(block), abroad);
            let answer = last.filter(|&(known, _)| known == like).map(|(_, open)| open);
            let open = answer.unwrap_or_else(|| {
                let homes = self.homes(state, block);
                let sites = match known {
                    Some((same, sites)) if same == homes => sites,
                    _ => self.sites_of(state, homes).difference(&barred),
                };
                known = Some((homes, sites));
                let mut sites = sites.into_iter().filter(|&hex| self.affords_cadre(state, block, hex));
                // What politics keep a block out of is asked last: it takes longest.
                sites.next().is_some_and(|first| {
                    let enterable = self.open_given(state, block, &access);
                    enterable.contains(first) || sites.any(|hex| enterable.contains(hex))
                })
            });
            debug_assert_eq!(open, !self.places_for_cadre(state, block, &Hexes::EMPTY).is_empty());
            last = Some((like, open));
            if open {
                raised.insert(block);
            }
        }
        raised
    }

    /// Whether the points at hand pay for a block of 1936 wherever it is: what double supply saves a field headquarters need not
    /// be asked then.
    fn affords_anywhere(&self, state: &State, block: BlockId, price: impl Fn(&Cost) -> u8) -> bool {
        let Some(cost) = self.rules.civil_war.as_ref().and_then(|_| self.cost(block)) else { return false };
        let dearest = match self.brief(block).kind {
            Kind::Hq => price(&cost).max(price(&self.war().double_supply)),
            _ => price(&cost),
        };
        self.affords(state, Account::home(state.active), dearest)
    }

    fn affords_step(&self, state: &State, block: BlockId) -> bool {
        if self.affords_anywhere(state, block, |cost| cost.step) {
            return true;
        }
        let at = self.place_of_building(state, block);
        let price = self.step_price(state, block);
        price.is_some_and(|price| self.affords(state, self.paying_account(state, block, at, price), price))
    }

    fn affords_cadre(&self, state: &State, block: BlockId, hex: Hex) -> bool {
        if self.affords_anywhere(state, block, |cost| cost.cadre) {
            return true;
        }
        let price = self.cadre_price(state, block, hex);
        price.is_some_and(|price| self.affords(state, self.paying_account(state, block, hex, price), price))
    }

    /// Places where a nation's units arrive (11.81, 18.63, 21.374, 21.462): reached by the railways and controlled, or areas
    /// in which a battle is fought; on an extreme front those that belong there alone.
    fn home_places(&self, state: &State, block: BlockId, access: &OnceCell<Access>) -> Hexes {
        let sites = self.home_sites(state, block);
        if sites.is_empty() {
            return sites;
        }
        let access = access.get_or_init(|| self.access_of(state, self.brief(block).faction));
        sites.and(&self.open_given(state, block, access))
    }

    /// Places where a nation's units arrive, whether politics let a block enter them or not.
    fn home_sites(&self, state: &State, block: BlockId) -> Hexes {
        self.sites_of(state, self.homes(state, block))
    }

    fn homes(&self, state: &State, block: BlockId) -> Homes {
        let brief = self.brief(block);
        // Who has fallen elsewhere is not rebuilt on its extreme front (21.373, 21.462); no expeditionaries arrive in the
        // Mediterranean Front (21.374).
        let here = !state.has(block, Mark::FALLEN_ABROAD);
        let [southern, northern] =
            [Front::Mediterranean, Front::North].map(|front| here && self.belongs_to(block, front));
        let southern = southern && brief.class != Acclimatised::Expeditionary(Front::Mediterranean);
        Homes { nation: brief.nation, faction: brief.faction, southern, northern }
    }

    fn sites_of(&self, state: &State, homes: Homes) -> Hexes {
        let map = self.map();
        let named = self.nations();
        let Homes { nation, faction, southern, northern } = homes;
        let home = || self.home(state, nation);
        let mut places = if nation == named.germany {
            map.cities.and(&home()).or(&map.victory_cities)
        } else if self.is_free_french(state, nation) {
            map.major_ports // 11.81, 20.495
        } else if (nation == named.italy || nation == named.france)
            && self.status(state, nation) != Status::Defeated
        {
            map.producing.and(&home())
        } else if nation == named.britain {
            map.major_ports.or(&map.cities.and(&home()))
        } else if nation == named.ussr {
            map.cities.or(&map.areas).and(&home())
        } else if self.are_volunteers(state, nation) {
            map.loyal_cities[self.lost_civil_war().index()] // 17.7
        } else {
            self.rules.nations[nation.at()].capital.map_or(Hexes::EMPTY, Hexes::one)
        };
        if southern && faction == Faction::Axis {
            places.insert(map.tripoli);
        }
        if !southern {
            places = places.difference(&map.of_front[Front::Mediterranean.index()]);
        }
        if !northern && !self.is_scandinavian(nation) && nation != named.ussr {
            places = places.difference(&map.of_front[Front::North.index()]);
        }
        let held = state.friendly[faction.camp().index()].or(&state.battles().and(&map.areas));
        places.and(&state.network).and(&held).and(&map.in_play)
    }

    pub(crate) fn orders<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        if out.draws() && !self.is_civil_war() {
            return self.draw_order(state, out);
        }
        let camp = state.camp();
        let own = camp.index();
        let mine = self.sets().of_faction[state.active.index()];
        let units = state.standing[own].and(&mine).from_number(usize::from(state.cursor));
        let units =
            units.filter(|block| self.may_receive_step(state, block) && self.affords_step(state, block));
        let units = units.difference(&self.cut_off_with_nation(state, &units));
        let cooperating = self.cooperating_forces(state);
        let units =
            units.or(&cooperating.filter(|block| block.0 >= state.cursor && self.affords_step(state, block)));
        let beachheads = if self.affords_beachhead(state) {
            self.beachheads_to_build(state).filter(|block| block.0 >= state.cursor)
        } else {
            Blocks::EMPTY
        };
        let units = units.or(&beachheads);
        let lost = if state.cursor < GARRISONS { self.to_be_raised(state) } else { Blocks::EMPTY };
        let lost = lost.from_number(usize::from(state.cursor.saturating_sub(CADRES)));
        let cadres = if lost.is_empty() { lost } else { self.with_place_for_cadre(state, &lost) };
        let garrisons = self.garrisons_to_buy(state);
        out.offer(Action::Pass)?;
        if self.may_ground(state) {
            out.offer(Action::Yes)?;
        }
        for block in units {
            out.offer(Action::Build(block))?;
        }
        for block in cadres {
            out.offer(Action::Cadre(block))?;
        }
        self.more_orders(state, out)?;
        if self.may_reserve(state) {
            out.offer(Action::Allot(REARMAMENT as u8))?;
        }
        out.all([garrisons], |_, hex| Action::Garrison(hex))
    }

    fn affords_beachhead(&self, state: &State) -> bool {
        self.affords(state, Account::home(state.active), self.beachhead_price())
    }

    /// Blocks of the faction that produces of which a cadre may be raised, if there is a place for it and it is paid for (11.72).
    fn to_be_raised(&self, state: &State) -> Blocks {
        let mine = self.sets().of_faction[state.active.index()].difference(state.marked(Mark::Ordered));
        let lost = state.places.among(&mine, place::ELIMINATED);
        if self.is_civil_war() {
            return lost;
        }
        lost.or(&state.places.among(&mine, place::OUT)).filter(|block| {
            (self.may_be_rebuilt(state, block) || self.may_come_forward(state, block))
                && !self.is_held_back(state, block)
        })
    }

    /// Hexes in which a garrison may be placed next, in 1936 (1936 rule 2).
    fn garrisons_to_buy(&self, state: &State) -> Hexes {
        if !self.is_civil_war() || !self.affords(state, Account::home(state.active), self.war().garrison) {
            return Hexes::EMPTY;
        }
        let own = state.camp().index();
        let mut open = Hexes::EMPTY;
        for line in self.map().lines.clone() {
            let battles = state.occupied[0].0[line] & state.occupied[1].0[line];
            let garrisons = state.owners.line(line)[own] | state.marked.0[line];
            let supplied = state.friendly[own].0[line] & state.commanded.0[line] & self.map().in_play.0[line];
            open.0[line] = supplied & !battles & !garrisons;
        }
        open.from_number(usize::from(state.cursor.saturating_sub(GARRISONS)))
    }

    /// Reinforcements that may be brought forward (11.82), units that may be disbanded (11.84).
    fn more_orders<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let access = OnceCell::new();
        for block in self.due_next_month(state) {
            if self.brief(block).kind == Kind::Beachhead {
                if self.affords_beachhead(state) && EARLY + block.0 >= state.cursor {
                    out.offer(Action::Hasten(block, Haste::Paid))?;
                }
                continue;
            }
            let early = EARLY + block.0 >= state.cursor;
            let weaker = WEAK + block.0 >= state.cursor && self.can_come_weaker(block);
            if !early && !weaker {
                continue;
            }
            let places = self.arrival_places(state, block, &access);
            if early && places.iter().any(|hex| self.affords_cadre(state, block, hex)) {
                out.offer(Action::Hasten(block, Haste::Paid))?;
            }
            if weaker && !places.is_empty() {
                out.offer(Action::Hasten(block, Haste::Weak))?;
            }
        }
        let own = state.standing[state.camp().index()].and(&self.sets().of_faction[state.active.index()]);
        if self.is_civil_war() {
            return Flow::Continue(());
        }
        let staying = self.staying(state);
        for block in own.filter(|block| DISBANDED + block.0 >= state.cursor) {
            if self.may_be_disbanded(state, block, |hex| staying.at(hex)) {
                out.offer(Action::Disband(block))?;
            }
        }
        Flow::Continue(())
    }

    pub(crate) fn order_step(&self, state: &mut State, block: BlockId) {
        let (account, price) = self.bill_for_step(state, block);
        self.pay(state, account, price);
        state.mark(block, Mark::Ordered, true);
        state.cursor = block.0 + 1;
    }

    /// The account that pays for a step of a unit, or for a beachhead, and its price in production points (11.7, 11.74).
    pub fn bill_for_step(&self, state: &State, block: BlockId) -> (Account, u8) {
        if self.brief(block).kind == Kind::Beachhead {
            return (Account::home(state.active), self.beachhead_price());
        }
        let price = self.step_price(state, block).unwrap_or_default();
        let at = self.place_of_building(state, block);
        (self.paying_account(state, block, at, price), price)
    }

    /// The account that pays for a cadre in a place, and its price (11.72).
    pub fn bill_for_cadre(&self, state: &State, block: BlockId, at: Hex) -> (Account, u8) {
        let price = self.cadre_price(state, block, at).unwrap_or_default();
        (self.paying_account(state, block, at, price), price)
    }

    /// Whether the Soviets may reserve points for their rearmament (20.593): at war, with their army complete.
    fn may_reserve(&self, state: &State) -> bool {
        state.active == Faction::Soviets
            && !state.diplomacy.reserved
            && state.points[Account::Soviets.index()] >= REARMAMENT
            && self.faction_of(state, self.nations().ussr).is_some()
            && self.times_happened(state, "SA") < 2
            && self.flag_holds(state, Flag::RedArmyFull)
    }

    pub(crate) fn reserve(&self, state: &mut State) {
        state.points[Account::Soviets.index()] -= REARMAMENT;
        state.diplomacy.reserved = true;
    }

    /// What was reserved for an event that has not been played is saved (20.593).
    pub(crate) fn release_reserve(&self, state: &mut State) {
        if std::mem::take(&mut state.diplomacy.reserved) {
            state.points[Account::Soviets.index()] += REARMAMENT;
        }
    }

    pub(crate) fn order_cadre(&self, state: &mut State, block: BlockId) {
        state.phase = Phase::CadrePlace;
        state.subject = block;
        state.cursor = CADRES + block.0 + 1;
    }

    pub(crate) fn cadre_choices<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let block = state.subject;
        let access = OnceCell::new();
        let places = if state.cursor >= EARLY {
            self.arrival_places(state, block, &access)
        } else if self.is_civil_war() {
            self.places_to_raise(state, block)
        } else {
            self.places_with_room(state, block, &access)
        };
        let paid = state.cursor < WEAK;
        out.rest(None, [places], |_, hex| {
            (!paid || self.affords_cadre(state, block, hex)).then_some(Action::Place(hex))
        })
    }

    /// Where a cadre of a block may be placed and paid for (11.72).
    pub fn places_to_raise(&self, state: &State, block: BlockId) -> Hexes {
        let loyal = if self.is_civil_war() { self.loyal_cities(state) } else { Hexes::EMPTY };
        self.places_for_cadre(state, block, &loyal)
    }

    /// Of the places where a cadre of a block of the faction that produces may be placed and paid for the one of most worth, the
    /// first of equals. `room` is known of this position once it has been asked for.
    pub fn best_place_to_raise(
        &self,
        state: &State,
        block: BlockId,
        room: &OnceCell<ArrivalRoom>,
        mut worth: impl FnMut(Hex) -> f32,
    ) -> Option<Hex> {
        let places = if self.is_civil_war() {
            self.places_to_raise(state, block)
        } else {
            let sites = self.home_sites(state, block);
            let known = || ArrivalRoom {
                access: self.access_of(state, self.brief(block).faction),
                barred: self.barred_to_arrivals(state),
            };
            let ArrivalRoom { access, barred } = room.get_or_init(known);
            let open = sites.difference(barred);
            if open.is_empty() { open } else { open.and(&self.open_given(state, block, access)) }
        };
        let mut best: Option<(f32, Hex)> = None;
        for hex in places {
            let worth = worth(hex);
            // What it costs is asked of few: it takes longest.
            if best.is_none_or(|(known, _)| worth > known) && self.affords_cadre(state, block, hex) {
                best = Some((worth, hex));
            }
        }
        best.map(|(_, hex)| hex)
    }

    pub(crate) fn order_garrison(&self, state: &mut State, hex: Hex) {
        self.pay(state, Account::home(state.active), self.war().garrison);
        state.marked.insert(hex);
        state.cursor = GARRISONS + hex.0 + 1;
    }

    // ---- forces of those who cooperate (16.22, 20.483) ----

    /// Forces on the card of neutrals that may receive a step: those of nations that cooperate with the faction that produces, in
    /// its colour (16.22). They are built as they stand there, with no line of supply; the garrison of Ethiopia is not (20.22).
    fn cooperating_forces(&self, state: &State) -> Blocks {
        let mut forces = Blocks::EMPTY;
        if self.is_civil_war() {
            return forces;
        }
        for &(nation, of) in &self.sets().nations {
            if of == state.active && self.patron(state, nation) == Some(of) {
                forces = forces.or(&self.sets().of_nation[nation.at()].and(self.blocks_of(of.camp())));
            }
        }
        forces.filter(|block| {
            state.at(block) == place::AT_HOME
                && state.steps[block] < self.brief(block).full
                && !state.has(block, Mark::Ordered)
                && !self.is_unsupplied_recruit(block)
        })
    }

    /// What has been built for a nation that cooperated counts in either colour (16.22): a block on the card of neutrals is as
    /// strong as its like in the other.
    pub(crate) fn match_colours(&self, state: &mut State, nation: NationId) {
        let own = |block: &BlockId| self.block(*block).nation == nation && state.at(*block) == place::AT_HOME;
        let at_home: Blocks = self.block_ids().filter(own).collect();
        for other in at_home {
            if let Some(block) = self.counterpart(other).filter(|&block| at_home.contains(block)) {
                let steps = state.steps[block].max(state.steps[other]);
                state.steps[block] = steps;
                state.steps[other] = steps;
            }
        }
    }

    // ---- Spanish volunteers (17.7) ----

    /// Who has lost the Civil War: the Republic, whose cities are the Allies' camp's, or the Nationalists (1936 rule 10).
    fn lost_civil_war(&self) -> Camp {
        if self.republic_won() { Camp::Axis } else { Camp::Coalition }
    }

    /// Whether units of a nation are volunteers of those who have lost the Civil War: the Allies build those of the Republic in its
    /// cities that they control, the Axis those of the Nationalists; they are supplied straight from London or Berlin, and stay in
    /// Spain and the hexes around it (17.7).
    pub(crate) fn are_volunteers(&self, state: &State, nation: NationId) -> bool {
        let named = self.nations();
        !self.is_civil_war()
            && [named.spain, named.republic].contains(&nation)
            && self.status(state, nation) == Status::Absent
    }

    /// Whether a block of volunteers has not been built yet.
    fn may_come_forward(&self, state: &State, block: BlockId) -> bool {
        state.at(block) == place::OUT
            && matches!(self.rules.scenario.entries[block.at()], Entry::Upon(Condition::SpanishVolunteers, _))
            && self.are_volunteers(state, self.brief(block).nation)
    }

    // ---- paratroops (14.7) ----

    /// Whether the faction that produces may confine its paratroops to the ground (14.7): it has some that still drop.
    fn may_ground(&self, state: &State) -> bool {
        let drops = |block: BlockId| {
            (is_on_map(state.at(block)) || state.at(block) == place::ELIMINATED)
                && !self.is_grounded(state, block)
        };
        let paras = self.sets().paras.and(&self.sets().of_faction[state.active.index()]);
        !self.is_civil_war() && paras.iter().any(drops)
    }

    /// From now on its paratroops cost half; all others see it when all have decided.
    pub(crate) fn ground(&self, state: &mut State) {
        state.diplomacy.grounding |= 1 << state.active.index();
    }

    // ---- what comes of it ----

    /// All factions have decided: steps, cadres, reinforcements and garrisons appear, points not spent are kept if none
    /// were (11.2).
    pub(crate) fn complete_production<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let ordered = *state.marked(Mark::Ordered);
        for camp in Camp::ALL {
            let own = camp.index();
            for block in ordered.and(self.blocks_of(camp)) {
                self.fulfil(state, block, context);
            }
            let garrisons = if self.is_civil_war() { state.marked } else { Hexes::EMPTY };
            for hex in garrisons.and(&state.friendly[own]) {
                let faction = if camp == Camp::Axis { Faction::Axis } else { Faction::Allies };
                state.owners.give(&Hexes::one(hex), Some(faction));
                state.board_changes();
                context.emit(|| Event::Garrison { camp, at: hex });
            }
            for account in Account::ALL.into_iter().filter(|account| account.faction().camp() == camp) {
                let at = account.index();
                let points = state.points[at];
                let kept = !state.spent[at];
                if !kept {
                    state.points[at] = 0;
                }
                if points > 0 {
                    context.emit(|| Event::Leftover { account, points, kept });
                }
                state.spent[at] = false;
            }
        }
        let grounding = std::mem::take(&mut state.diplomacy.grounding);
        for faction in Faction::ALL {
            if grounding >> faction.index() & 1 != 0 {
                state.diplomacy.set(Fact::grounded(faction), true);
            }
        }
        self.advance_beachheads(state);
        state.funds = [0; Account::COUNT];
        state.marks[Mark::Ordered as usize] = Blocks::EMPTY;
        state.marked = Hexes::EMPTY;
        state.new_battles = Hexes::EMPTY;
        state.clear_crossings();
    }

    fn fulfil<T: crate::Rolls>(&self, state: &mut State, block: BlockId, context: &mut T) {
        let from = state.at(block);
        if self.is_disbanded(state, block) {
            let tito = self.is_tito_at_home(state, block);
            self.eliminate(state, block, place::ELIMINATED, Cause::Disbanding, context);
            if tito {
                self.send_tito_away(state, block);
            }
            return;
        }
        if is_on_map(from) || from == place::AT_HOME {
            let theatre = self.brief(block).kind == Kind::TheatreHq;
            let numbers = &self.rules.numbers;
            let free = theatre && self.is_civil_war();
            let steps = if free { self.war().free_theatre_steps } else { numbers.steps_a_production };
            state.steps[block] = self.brief(block).full.min(state.steps[block] + steps);
            let steps = state.steps[block];
            context.emit(|| Event::Built { block, steps });
            return;
        }
        state.steps[block] = match self.rules.scenario.entries[block.at()] {
            Entry::Reinforcement { steps, .. } | Entry::Upon(_, steps) if from == place::AWAITING => steps,
            _ => self.brief(block).least,
        };
        if state.crossing[block].0 & A_STEP_LESS != 0 {
            state.steps[block] -= 1;
        }
        let at = Self::ordered_place(state, block);
        self.shift(state, block, at, context);
        state.mark(block, Mark::Acclimatised, self.belongs_to(block, self.front(at)));
        context.emit(|| Event::Arrived { block, at });
    }
}
