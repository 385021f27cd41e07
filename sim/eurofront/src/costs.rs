//! What a step and a cadre cost, and which account pays (11.3, 11.7, 18.62, 20.54, 21.32, 21.46). The costs of 1936 are with
//! its production.

use sandtable_core::{Hex, Index};

use crate::game::EuroFront;
use crate::ids::{Account, BlockId, Camp, Faction, Front, Hexes, place};
use crate::rules::{Acclimatised, AlliedAir, Cost, Fact, Kind};
use crate::sea_supply::SeaLines;
use crate::state::State;

/// Tables of costs, in the order of [`crate::rules::KindData::costs`].
const AXIS: usize = 0;
const ALLIED: usize = 1;
const SOVIET: usize = 2;
const EXTREME: usize = 3;
/// Added to the price of a step of a headquarters for each cause (11.731, 11.734 to 11.736); of a cadre twice as much.
const SURCHARGE: u8 = 5;
/// Added to the price of a step of a headquarters for supply by road or from a beachhead (11.732, 11.733); of a cadre twice as
/// much.
const DEAR_SURCHARGE: u8 = 10;

impl EuroFront {
    /// The account that pays for a unit where it is, or is to be placed (11.3): of isolated nations their own; of the Axis that
    /// of the front, Finland and the Soviet North with the East (B11); while a front is not active the home account.
    pub fn account(&self, state: &State, block: BlockId, at: Hex) -> Account {
        let brief = self.brief(block);
        let home = Account::home(brief.faction);
        if self.is_civil_war() || brief.faction == Faction::Soviets {
            return home;
        }
        if let Some(isolated) = Account::isolated(brief.faction)
            && state.isolated.contains(brief.nation)
        {
            return isolated;
        }
        let front = match self.front(at) {
            Front::North if self.is_eastern_north(state, at) => Front::East,
            front => front,
        };
        if brief.faction == Faction::Allies && state.by_cape().contains(at) {
            return Account::AlliesMediterranean; // By way of the Cape (21.14, 21.381).
        }
        let account = Account::of(brief.faction, front);
        let merged = front == Front::Mediterranean && self.has_mediterranean(state, brief.camp);
        if state.is_active(front) && !merged { account } else { home }
    }

    /// Where a block is built: where it stands; one on the card of neutrals in its capital, a resident of the Mediterranean
    /// Front there (16.22).
    pub(crate) fn place_of_building(&self, state: &State, block: BlockId) -> Hex {
        if state.at(block) != place::AT_HOME {
            return state.at(block);
        }
        let south = self.map().tripoli;
        if self.brief(block).class == Acclimatised::Resident(Front::Mediterranean) {
            return south;
        }
        self.rules.nations[self.brief(block).nation.at()].capital.unwrap_or(south)
    }

    /// Costs of a block in a place (11.7): Soviets pay as the Allies until the Great Patriotic War, and never extreme costs;
    /// the others pay those in the Mediterranean and the North, Scandinavians excepted, double before the Mediterranean Front
    /// is active.
    fn cost_at(&self, state: &State, block: BlockId, at: Hex) -> Option<Cost> {
        let brief = self.brief(block);
        if let Some(own) = self.block(block).cost {
            return Some(own);
        }
        let cost = if brief.faction == Faction::Soviets {
            self.soviet_cost(state, block)
        } else {
            self.cost_on_front(state, block, at)
        }?;
        let halved = brief.kind == Kind::Para && self.is_grounded(state, block); // 14.7
        Some(if halved { Cost { step: cost.step / 2, cadre: cost.cadre / 2 } } else { cost })
    }

    /// Costs of a Soviet block, which are the same everywhere (11.7).
    fn soviet_cost(&self, state: &State, block: BlockId) -> Option<Cost> {
        let kind = self.brief(block).kind;
        let costs = &self.rules.kinds[kind as usize].costs;
        if matches!(kind, Kind::Hq | Kind::SupremeHq) {
            return Some(self.soviet_headquarters(state));
        }
        let patriotic = state.diplomacy.holds(Fact::GreatPatrioticWar);
        if patriotic { costs[SOVIET].or(costs[ALLIED]) } else { costs[ALLIED].or(costs[SOVIET]) }
    }

    /// Costs of a block of the Axis or the Allies by the front of the place.
    fn cost_on_front(&self, state: &State, block: BlockId, at: Hex) -> Option<Cost> {
        let brief = self.brief(block);
        let costs = &self.rules.kinds[brief.kind as usize].costs;
        let front = self.front(at);
        let merged = front == Front::Mediterranean && self.has_mediterranean(state, brief.camp);
        let extreme = match front {
            Front::Mediterranean => !merged,
            Front::North => !self.is_scandinavian(brief.nation),
            Front::West | Front::East => false,
        };
        let normal = costs[if brief.faction == Faction::Axis { AXIS } else { ALLIED }];
        let mut cost = if extreme { costs[EXTREME].or(normal)? } else { normal? };
        if front == Front::Mediterranean && !merged && !state.is_active(front) {
            cost = Cost { step: 2 * cost.step, cadre: 2 * cost.cadre };
        }
        Some(cost)
    }

    /// Cost of Soviet headquarters, which reforms lower (20.54): at the start what the scenario says, then 15 after the first
    /// and 10 after the second.
    fn soviet_headquarters(&self, state: &State) -> Cost {
        let start = self.rules.scenario.situation.soviet_headquarters;
        let reformed = |step: u8| Cost { step, cadre: 2 * step };
        if self.has_happened(state, "S2") {
            reformed(10)
        } else if self.has_happened(state, "S1") {
            if start.step == 0 || start.step > 15 { reformed(15) } else { start }
        } else if start.step == 0 {
            reformed(20)
        } else {
            start
        }
    }

    /// What is added to the price of a step of a headquarters (11.73): supply by sea or road, strategic bombing of the West, want of
    /// oil, the first winter in the East. Theatre headquarters pay none (11.73).
    fn surcharge(&self, state: &State, block: BlockId, at: Hex) -> u8 {
        let brief = self.brief(block);
        if !matches!(brief.kind, Kind::Hq | Kind::SupremeHq) {
            return 0;
        }
        let axis = brief.camp == Camp::Axis;
        let front = self.front(at);
        // It is supplied: what no railway supplies is supplied by a road, here or as far away as lines go (10.33).
        let by_road = self.map().near_roads.contains(at) && !self.is_near_railway(state, at);
        let by_sea = !self.is_supplied_overland(state, block, at) && !self.is_near_port(state, at);
        let causes = [
            axis && front == Front::West && self.month(state).allied_air >= AlliedAir::Extended,
            state.short_of_oil,
            axis && front == Front::East && self.is_first_eastern_winter(state),
        ];
        let counted: u8 = causes.map(|holds| if holds { SURCHARGE } else { 0 }).iter().sum();
        let dearest = by_road || self.is_supplied_from_beach(state, brief.faction, at);
        counted + if dearest { DEAR_SURCHARGE } else { u8::from(by_sea) * SURCHARGE }
    }

    /// Whether lines reach a place by land alone (11.731): the French headquarters' from Paris, while they are no Free French.
    fn is_supplied_overland(&self, state: &State, block: BlockId, at: Hex) -> bool {
        let nation = self.brief(block).nation;
        if state.marked.contains(at) || nation != self.nations().france || self.is_free_french(state, nation)
        {
            return state.marked.contains(at);
        }
        let capital = self.rules.nations[nation.at()].capital;
        let Some(paris) = capital.filter(|&paris| self.holds(state, Camp::Coalition, paris)) else {
            return false;
        };
        let lines = self.rail_network(state, Camp::Coalition, &Hexes::one(paris));
        self.area_along(state, Camp::Coalition, &lines).contains(at)
    }

    /// Whether beachheads alone supply a place (15.63).
    fn is_supplied_from_beach(&self, state: &State, faction: Faction, at: Hex) -> bool {
        let line = u32::from(self.rules.numbers.supply_line);
        let mut placed = self.places_of_beachheads(state, faction.camp());
        if !placed.any(|beachhead| self.board().distance(beachhead, at) <= line) {
            return false; // Too far away, which costs less to know than all lines over the sea.
        }
        let secure = self.lines_of(state, faction, SeaLines::Safe);
        self.area_of_beachheads(state, faction, &secure).contains(at)
            && !self.area_along(state, faction.camp(), &secure.places).contains(at)
    }

    /// Whether a headquarters supplied by sea stands in or beside a friendly major port, or in a minor one of the Mediterranean
    /// Front (11.731): with secure supply, so no line ends in its battle, and none that the enemy can cut leads there.
    fn is_near_port(&self, state: &State, at: Hex) -> bool {
        let map = self.map();
        let friendly = &state.friendly[state.camp().index()];
        let secure = |hex: Hex| {
            friendly.contains(hex)
                && !self.closing_battles(state).contains(hex)
                && state.network.contains(hex)
                && state.commanded.contains(hex)
        };
        let open = |hex: Hex| map.major_ports.contains(hex) && secure(hex);
        open(at)
            || self.board().neighbours(at).any(|(way, next)| open(next) && map.land.contains(at, way))
            || self.front(at) == Front::Mediterranean && map.ports.contains(at) && secure(at)
    }

    /// Whether the railways of the faction that produces supply a place without a road.
    fn is_near_railway(&self, state: &State, at: Hex) -> bool {
        self.supplied_by(state, state.camp(), &state.network).contains(at)
    }

    /// Whether a faction, whose lines are given, lacks oil: the Axis a line of communications from Berlin to Ploesti, Abadan or
    /// Baku (17.1), the Soviets Baku and its railway (17.8).
    pub(crate) fn is_short_of_oil(&self, state: &State, faction: Faction, network: &Hexes) -> bool {
        let [.., baku] = self.map().oil;
        match faction {
            _ if self.is_civil_war() => false,
            Faction::Axis => {
                let Some(berlin) = self.origin_of(state, faction) else { return true };
                let fields = self.map().oil.into_iter().collect();
                !self.has_communications_to_any(state, Camp::Axis, berlin, &fields)
            }
            Faction::Soviets => !network.contains(baku),
            Faction::Allies => false,
        }
    }

    /// Price of a step of a unit where it stands: double in the battle of an area (18.62), and of all but headquarters with
    /// supply from a beachhead (11.71, 11.733).
    pub(crate) fn price_of_step(&self, state: &State, block: BlockId) -> Option<u8> {
        let at = self.place_of_building(state, block);
        let cost = self.cost_at(state, block, at)?;
        if at != state.at(block) {
            return Some(cost.step); // 16.22
        }
        let price = cost.step + self.surcharge(state, block, at);
        let brief = self.brief(block);
        let beach = !matches!(brief.kind, Kind::Hq | Kind::SupremeHq)
            && self.is_supplied_from_beach(state, brief.faction, at);
        Some(if state.is_battle(at) || beach { 2 * price } else { price })
    }

    /// Price of a cadre in a place (11.72): double in the battle of an area (18.62).
    pub(crate) fn price_of_cadre(&self, state: &State, block: BlockId, at: Hex) -> Option<u8> {
        let cost = self.cost_at(state, block, at)?;
        let price = cost.cadre + 2 * self.surcharge(state, block, at);
        Some(if state.is_battle(at) { 2 * price } else { price })
    }
}
