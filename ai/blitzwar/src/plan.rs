//! The plan of a side for one turn: which zones it attacks with what, where reserves go, where air flies, where it lands.

use sandtable_blitzwar::game::Counters;
use sandtable_blitzwar::location::{Counter, Location, Sea, Zone};
use sandtable_blitzwar::rules::{
    AreaOfOperations, Basin, MAX_COUNTERS, MAX_SEAS, MAX_ZONES, Rhythm, Weather, Zones,
};
use sandtable_blitzwar::{Assessment, BlitzWar, Country, Force, Kind, Nation, State};
use sandtable_core::{Board as _, Index};

use super::board::{Board, is_ally, is_mainland, land_counters, left_to_soviets};
use super::map_tables::MapTables;
use super::strategy::{Aims, DEFENSIVE, Timetable};

/// Ladder index beyond which more attackers are not worth their supply.
const ENOUGH: i8 = 7;
/// Most counters that march to take part in one attack.
const MOST_MOVED: usize = 24;
/// Most air units that become beachheads of one landing.
const BEACHHEADS: u8 = 4;
/// Counters for which there should be room in the Supply Zones when the next reinforcements arrive.
const ROOM_FOR_ARRIVALS: u8 = 2;
/// Corps that share a counter when they arrive.
const CORPS_IN_A_COUNTER: u8 = 2;
/// A shore without defenders which fewer enemy corps than this could fall upon takes one beachhead.
const UNCONTESTED: f32 = 0.5;
/// Air units of a landing that together carry a counter which is too large for one.
const TOGETHER: u8 = 2;
/// Least ladder index of a landing against defenders.
const LANDING_ODDS: i8 = 4;
/// Least corps that land to open the war with Vichy France.
const TORCH_LANDING: u8 = 3;
/// Shift of air superiority that is still to be won.
const AIR_SHIFT: i8 = 2;
/// Corps that attack the USSR in the turn in which the Axis opens the war there: with fewer it waits.
const FIRST_BLOW: u8 = 19;
/// Ladder index from which corps alone do, and the Axis saves its air, before its campaign in the West.
const WITHOUT_AIR: i8 = 6;
/// Counters that no attack takes from the last Supply Zone of Germany.
const LAST_GARRISON: u8 = 2;
/// Threat from which an open place gets a garrison though no enemy stands beside it: armour goes five zones.
const WALKS_IN: f32 = 0.5;
/// What speaks against each corps of a counter that is sent to hold an open place.
const SMALL_GARRISON: f32 = 0.4;

/// A landing to be made this turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landing {
    /// Sea it comes from.
    pub sea: Sea,
    /// Zone it goes to.
    pub zone: Zone,
    /// Air units that become beachheads.
    pub air: u8,
}

/// A target with the worth of attacking it.
#[derive(Clone, Copy, Debug)]
struct Prospect {
    zone: Zone,
    score: f32,
}

/// Attackers of a zone.
#[derive(Default)]
struct Attackers {
    set: Counters,
    corps: u8,
    /// Armour is among them.
    armoured: bool,
    /// Half supply units to move or activate them.
    cost: i32,
    /// What it costs, in corps, that they leave zones without corps.
    exposed: f32,
    /// Odds, once there are corps enough for two to one.
    assessment: Option<Assessment>,
}

/// A zone for each counter that has been ordered to one.
#[derive(Debug)]
pub(crate) struct Orders {
    zones: [Zone; MAX_COUNTERS],
    given: Counters,
}

impl Orders {
    /// Nobody has an order.
    fn new() -> Orders {
        Orders { zones: [Location::NONE; MAX_COUNTERS], given: Counters::EMPTY }
    }

    fn clear(&mut self) {
        self.given = Counters::EMPTY;
    }

    fn give(&mut self, counter: Counter, zone: Zone) {
        self.zones[counter.at()] = zone;
        self.given.insert(counter);
    }

    /// Takes back the order of a counter, if it has one.
    pub fn cancel(&mut self, counter: Counter) {
        self.given.remove(counter);
    }

    /// Two counters take over each other's orders.
    pub fn swap(&mut self, one: Counter, other: Counter) {
        let (first, second) = (self.of(one), self.of(other));
        for (counter, order) in [(one, second), (other, first)] {
            match order {
                Some(zone) => self.give(counter, zone),
                None => self.cancel(counter),
            }
        }
    }

    /// Where a counter is ordered to.
    pub fn of(&self, counter: Counter) -> Option<Zone> {
        self.contains(counter).then(|| self.zones[counter.at()])
    }

    /// Whether a counter has an order.
    pub fn contains(&self, counter: Counter) -> bool {
        self.given.contains(counter)
    }

    /// Who has one.
    pub fn given(&self) -> Counters {
        self.given
    }
}

/// Orders for one turn. All buffers are reused from turn to turn.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The map as it will look when the orders are carried out.
    pub board: Board,
    /// Aims of the turn.
    pub aims: Option<Aims>,
    /// Zones to march to (a counter's own: activate).
    pub march: Orders,
    /// Zones to attack.
    pub target: Orders,
    /// Zones to go to by strategic movement.
    pub rail: Orders,
    /// Zones to fly to and how many units.
    pub air: Vec<(Location, u8)>,
    /// Landing of the turn.
    pub landing: Option<Landing>,
    /// The Axis does not open the war in the East this turn: it could not strike hard enough.
    waits: bool,
    /// Air supports the attack gathered last.
    flies: bool,
    /// Where each attacker of those gathered last attacks from.
    stages: [Zone; MAX_COUNTERS],
    reach: Vec<Zones>,
    chosen: Vec<(Counter, Zone)>,
    candidates: Vec<Counter>,
    prospects: Vec<Prospect>,
    incoming: [u8; MAX_ZONES],
    /// Counters of the attackers being gathered that march off from a zone.
    leaving: [u8; MAX_ZONES],
    supplied: Zones,
}

impl Plan {
    /// An empty plan.
    pub fn new() -> Plan {
        Plan {
            board: Board::new(),
            aims: None,
            march: Orders::new(),
            target: Orders::new(),
            rail: Orders::new(),
            air: Vec::with_capacity(32),
            landing: None,
            waits: false,
            flies: false,
            stages: [Location::NONE; MAX_COUNTERS],
            reach: vec![Zones::EMPTY; MAX_COUNTERS],
            chosen: Vec::with_capacity(32),
            candidates: Vec::with_capacity(64),
            prospects: Vec::with_capacity(64),
            incoming: [0; MAX_ZONES],
            leaving: [0; MAX_ZONES],
            supplied: Zones::EMPTY,
        }
    }

    /// Looks at the position; orders given before stand.
    pub fn survey(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        force: Force,
        timetable: Timetable,
    ) {
        let east = if self.waits { state.turn() + 1 } else { timetable.east };
        let aims = Aims::of(game, state, force, Timetable { east, ..timetable });
        self.board.read(game, map_tables, state, force, &aims);
        self.aims = Some(aims);
    }

    /// Forgets all orders.
    pub fn clear(&mut self) {
        self.march.clear();
        self.target.clear();
        self.rail.clear();
        self.air.clear();
        self.landing = None;
    }

    /// A new turn, in which nothing is decided yet.
    pub fn begin_turn(&mut self) {
        self.waits = false;
    }

    /// A fresh start: looks at the position, forgets all orders, and finds where supply can be paid.
    fn begin(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        force: Force,
        timetable: Timetable,
    ) {
        self.survey(game, map_tables, state, force, timetable);
        self.clear();
        let own = game.own_area(state, force);
        self.supplied = game.network(state, force, game.depots(state, force), &own).zones;
    }

    /// Plans the Air Phase: where superiority will be needed, and a landing.
    pub fn plan_air(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        force: Force,
        timetable: Timetable,
    ) {
        self.waits = false;
        self.begin(game, map_tables, state, force, timetable);
        self.board.read_waters(game, state);
        self.plan_landing(game, map_tables, state, timetable);
        self.plan_attacks(game, map_tables, state, true);
        if self.opens_feebly(state) {
            self.waits = true;
            self.begin(game, map_tables, state, force, timetable);
            self.plan_landing(game, map_tables, state, timetable);
            self.plan_attacks(game, map_tables, state, true);
        }
    }

    /// Whether these attacks would open the war in the East without a blow: the Soviets strike back, and their allies and
    /// special reinforcements come all the same.
    fn opens_feebly(&self, state: &State) -> bool {
        let opens = self.board.force == Force::Axis
            && state.timers().axis_soviet_war == 0
            && self.aims.as_ref().is_some_and(|aims| aims.eastern_war);
        let strikes = |&counter: &Counter| {
            self.target.of(counter).is_some_and(|zone| state.control(Force::Soviet).contains(zone))
        };
        opens
            && self.target.given().iter().filter(strikes).map(|counter| state.strength(counter)).sum::<u8>()
                < FIRST_BLOW
    }

    /// Plans the Movement Phase, strategic movement only if wanted.
    pub fn plan_land(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        force: Force,
        timetable: Timetable,
        rail: bool,
    ) {
        self.plan_blows(game, map_tables, state, force, timetable);
        if self.opens_feebly(state) {
            self.waits = true;
            self.plan_blows(game, map_tables, state, force, timetable);
        }
        // Who holds a line trusts no attack.
        if state.turn() < DEFENSIVE {
            self.forget_beaten(game, map_tables, state);
        }
        if rail {
            self.plan_rail(game, map_tables, state);
        }
        self.plan_reserves(game, map_tables, state);
    }

    /// No reserve is sent against enemies that the attacks of the turn will beat.
    fn forget_beaten(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State) {
        let mut beaten = Zones::EMPTY;
        for counter in self.target.given() {
            let Some(zone) = self.target.of(counter).filter(|&zone| !beaten.contains(zone)) else { continue };
            let attacks = |&other: &Counter| self.target.of(other) == Some(zone);
            let attackers: Counters = self.target.given().iter().filter(attacks).collect();
            let stage = |other: Counter| self.march.of(other).unwrap_or_else(|| state.location(other));
            let found = game.assess_from(state, zone, &attackers, stage);
            let armoured = attackers.iter().any(|other| game.corps_of(state, other).1 > 0);
            let blitz = armoured && may_blitz(game, state, zone, self.board.force) && !found.all_across_line;
            let rounds = if blitz { 2.0 } else { 1.0 };
            if rounds * map_tables.at(found.index()).defender >= f32::from(self.board.enemy[zone.at()]) {
                beaten.insert(zone);
            }
        }
        if let Some(aims) = self.aims
            && !beaten.is_empty()
        {
            self.board.without(game, map_tables, state, &aims, &beaten);
        }
    }

    /// A fresh start, with the garrisons and attacks of the Movement Phase.
    fn plan_blows(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        force: Force,
        timetable: Timetable,
    ) {
        self.begin(game, map_tables, state, force, timetable);
        if !self.nobody_follows() {
            self.garrison_open_places(game, map_tables, state);
        }
        if self.aims.is_some_and(|aims| aims.last) {
            self.walk_into_points(game, map_tables, state);
        }
        self.clear_supply_zones(game, map_tables, state);
        self.clear_capitals(game, map_tables, state);
        self.plan_attacks(game, map_tables, state, false);
    }

    /// Whether no enemy moves any more: in the last turn none does after the Axis has.
    fn nobody_follows(&self) -> bool {
        self.board.force != Force::Axis && self.aims.is_some_and(|aims| aims.last)
    }

    /// Whether a counter may act on land this turn and be paid for.
    fn is_free(&self, game: &BlitzWar, state: &State, counter: Counter) -> bool {
        let zone = state.location(counter);
        !state.is_turned(counter)
            && state.moved(counter) == 0
            && !state.is_activated(counter)
            && (self.supplied.contains(zone) || at_home(game, counter, zone))
    }

    /// Zones a counter can reach in a march of so many steps: through open and empty hostile ones.
    fn reachable(
        &self,
        game: &BlitzWar,
        map_tables: &MapTables,
        zone: Zone,
        steps: u8,
        counter: Counter,
    ) -> Zones {
        let board = &self.board;
        let open = board.open.difference(&board.barred);
        let entry = board.hostile.difference(&board.barred);
        let mut seen = Zones::one(zone);
        let mut ring = seen;
        for _ in 0..steps {
            let next = game.land().neighbours_of(&ring).difference(&seen);
            let fresh = next.and(&open).or(&next.and(&entry));
            if fresh.is_empty() {
                break;
            }
            seen = seen.or(&fresh);
            ring = fresh;
        }
        let area = &map_tables.areas[game.nation(counter).index()];
        let meant = self.board.near_home(game, counter, zone, seen.and(area));
        self.board.without_other_minors(game, counter, meant)
    }

    // ---- attacks ----

    fn plan_attacks(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State, with_air: bool) {
        self.leave_way_out(game, state);
        let mut near = Zones::EMPTY;
        for index in 0..self.board.mine.len() {
            let counter = self.board.mine[index];
            let zone = state.location(counter);
            self.reach[counter.at()] = if self.march.contains(counter) {
                Zones::EMPTY
            } else if state.is_activated(counter) {
                Zones::one(zone)
            } else if self.is_free(game, state, counter) {
                let limits = &game.rules.limits;
                let steps = if game.kind(counter).is_mobile() {
                    limits.armour_attack_move
                } else {
                    limits.infantry_attack_move
                };
                // Behind a fortified line the front is far, and the enemy stands beside.
                if self.board.front[zone.at()] > steps + 1 && !self.board.edge.contains(zone) {
                    Zones::EMPTY
                } else {
                    self.reachable(game, map_tables, zone, steps, counter)
                }
            } else {
                Zones::EMPTY
            };
            near = near.or(&self.reach[counter.at()]);
        }
        let targets = game.land().neighbours_of(&near).and(&self.board.foes);
        let mut prospects = std::mem::take(&mut self.prospects);
        prospects.clear();
        for zone in targets {
            let score = self.gather_attackers(game, map_tables, state, zone, with_air);
            if score > 0.0 {
                prospects.push(Prospect { zone, score });
            }
        }
        prospects.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.zone.cmp(&b.zone)));
        for prospect in &prospects {
            if self.gather_attackers(game, map_tables, state, prospect.zone, with_air) > 0.0 {
                self.order_attack(game, state, prospect.zone, with_air);
            }
        }
        self.prospects = prospects;
    }

    /// Bars the way out of neutrals that can only be attacked once this turn: without it they stay where they are (17.2).
    fn leave_way_out(&mut self, game: &BlitzWar, state: &State) {
        for zone in self.board.foes {
            let country = game.country_at(state, zone);
            if state.status(country).is_neutral() && !may_blitz(game, state, zone, self.board.force) {
                let out = game.adjacent(zone).and(game.home(country)).difference(&self.board.foes);
                self.board.barred = self.board.barred.or(&out);
            }
        }
    }

    /// Own air that could still fly over a zone.
    fn air_over(&self, game: &BlitzWar, state: &State, zone: Zone) -> u8 {
        let spoken: u8 = self.air.iter().map(|&(_, units)| units).sum();
        let there = self
            .board
            .air
            .iter()
            .filter(|&&unit| game.air_range(state.location(unit)).contains(zone))
            .count();
        (there as u8).min((self.board.air.len() as u8).saturating_sub(spoken))
    }

    /// Collects the cheapest sufficient attackers of a zone in `chosen` (counter, where it attacks from) and returns the
    /// worth of the attack, in corps.
    fn gather_attackers(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        zone: Zone,
        with_air: bool,
    ) -> f32 {
        self.chosen.clear();
        let near = *game.adjacent(zone);
        let blitz = may_blitz(game, state, zone, self.board.force);
        let candidates = self.candidates(game, state, &near, blitz);
        let mut air = if with_air { self.air_shift(game, state, zone) } else { 0 };
        let mut attackers = None;
        if air > 0 && self.saves_air(state, blitz) {
            let alone = self.choose_attackers(game, map_tables, state, zone, &candidates, 0, blitz);
            if alone.assessment.is_some_and(|found| found.index() >= WITHOUT_AIR) {
                air = 0;
                attackers = Some(alone);
            } else {
                self.chosen.clear();
            }
        }
        self.flies = attackers.is_none();
        let attackers = attackers
            .unwrap_or_else(|| self.choose_attackers(game, map_tables, state, zone, &candidates, air, blitz));
        self.candidates = candidates;
        if self.chosen.is_empty() {
            return f32::MIN;
        }
        let assessment =
            attackers.assessment.unwrap_or_else(|| self.assess(game, state, zone, &attackers.set));
        if left_to_soviets(game, state, self.board.force, zone, &assessment) {
            return f32::MIN;
        }
        let gain = self.battle_worth(game, map_tables, zone, &assessment, air, blitz && attackers.armoured);
        gain - self.board.price * attackers.cost as f32 / 2.0 - attackers.exposed
    }

    /// Whether the air of the Axis is kept for the campaign in the West: before it, and until it can strike twice a turn.
    fn saves_air(&self, state: &State, blitz: bool) -> bool {
        let decides = self.aims.as_ref().is_some_and(|aims| aims.decides);
        self.board.force == Force::Axis && state.surrender_turn(Country::Fra) == 0 && !(decides && blitz)
    }

    /// Takes candidates for an attack in their order until the odds are good enough or no more can be paid.
    #[expect(clippy::too_many_arguments, reason = "one battle, as the planner sees it")]
    fn choose_attackers(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        zone: Zone,
        candidates: &[Counter],
        air: i8,
        blitz: bool,
    ) -> Attackers {
        let near = *game.adjacent(zone);
        let mut attackers = Attackers::default();
        let mut index = i8::MIN;
        let mut moved = 0;
        for &counter in candidates {
            if moved == MOST_MOVED {
                break;
            }
            let from = state.location(counter);
            let armour = game.corps_of(state, counter).1 > 0;
            if index + air >= ENOUGH && (attackers.armoured || !blitz || !armour) {
                break;
            }
            let Some(stage) = self.staging_zone(game, counter, from, &near) else { continue };
            let left = self.board.counters[from.at()].saturating_sub(self.leaving[from.at()]);
            if stage != from && self.board.last_stand.contains(from) && left <= LAST_GARRISON {
                continue;
            }
            let price =
                if state.is_activated(counter) { 0 } else { i32::from(game.tactical_cost(state, counter)) };
            if attackers.cost + price > self.board.budget {
                continue;
            }
            if stage != from {
                self.incoming[stage.at()] += 1;
                moved += 1;
                attackers.exposed += self.left_exposed(map_tables, from, state.strength(counter));
                self.leaving[from.at()] += 1;
            }
            attackers.cost += price;
            attackers.set.insert(counter);
            attackers.armoured |= armour;
            self.chosen.push((counter, stage));
            self.stages[counter.at()] = stage;
            attackers.corps += state.strength(counter);
            // Odds below two to one are never enough.
            if attackers.corps >= 2 * self.board.enemy[zone.at()] {
                let found = self.assess(game, state, zone, &attackers.set);
                index = found.index();
                attackers.assessment = Some(found);
            }
        }
        for &(counter, stage) in &self.chosen {
            self.incoming[stage.at()] = 0;
            self.leaving[state.location(counter).at()] = 0;
        }
        attackers
    }

    /// Odds of an attack of those gathered, from where they are to attack.
    fn assess(&self, game: &BlitzWar, state: &State, zone: Zone, attackers: &Counters) -> Assessment {
        game.assess_from(state, zone, attackers, |counter| self.stages[counter.at()])
    }

    /// What it costs, in corps, that a counter of so many corps leaves a zone for an attack: something if it is the last to do so,
    /// for its own corps alone.
    fn left_exposed(&self, map_tables: &MapTables, from: Zone, corps: u8) -> f32 {
        if self.board.counters[from.at()] != self.leaving[from.at()] + 1 {
            return 0.0;
        }
        self.board.weights.expose * self.board.hold(map_tables, from, corps) + self.board.key[from.at()]
    }

    /// Counters that could attack from a zone of these: those in place first, armour before infantry, large counters before
    /// small.
    fn candidates(&mut self, game: &BlitzWar, state: &State, near: &Zones, blitz: bool) -> Vec<Counter> {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for &counter in &self.board.mine {
            if !self.target.contains(counter) && self.reach[counter.at()].intersects(near) {
                candidates.push(counter);
            }
        }
        let decides = self.aims.as_ref().is_some_and(|aims| aims.decides);
        candidates.sort_by_key(|&counter| {
            let away = !near.contains(state.location(counter));
            let slow = (blitz || decides) && game.corps_of(state, counter).1 == 0;
            (away, slow, u8::MAX - state.strength(counter), counter)
        });
        candidates
    }

    /// Shift of the air superiority that the side could still win over a zone.
    fn air_shift(&self, game: &BlitzWar, state: &State, zone: Zone) -> i8 {
        let grounded = self.board.snow && game.rules.zones[zone.at()].snow;
        let held = !grounded && game.air_superiority(state, zone) == Some(self.board.force);
        if !grounded && !held && self.air_over(game, state, zone) > 0 { AIR_SHIFT } else { 0 }
    }

    /// The zone of these from which a counter attacks: its own, an own one in reach, else an empty hostile one.
    fn staging_zone(&self, game: &BlitzWar, counter: Counter, from: Zone, near: &Zones) -> Option<Zone> {
        if near.contains(from) {
            return Some(from);
        }
        let mut best = None;
        for place in self.reach[counter.at()].and(near) {
            if self.board.counters[place.at()] + self.incoming[place.at()] < game.rules.limits.stack {
                best = Some(place);
                if self.board.open.contains(place) {
                    break;
                }
            }
        }
        best
    }

    /// What a battle is worth, in corps, supply aside: losses of both sides and the zone, if it is taken. `air` is the shift
    /// of the superiority to be won.
    fn battle_worth(
        &self,
        game: &BlitzWar,
        map_tables: &MapTables,
        zone: Zone,
        assessment: &Assessment,
        air: i8,
        blitz: bool,
    ) -> f32 {
        let weights = &self.board.weights;
        let index = assessment.index() + air;
        let boldness = self.aims.as_ref().map_or(3, |aims| aims.boldness) + weights.caution;
        if assessment.odds < 0 || index < boldness {
            return f32::MIN;
        }
        let odds = map_tables.at(index);
        // Nobody goes across a fortified line in the Blitz Phase (16.1).
        let rounds = if blitz && !assessment.all_across_line { 2.0 } else { 1.0 };
        let defenders = f32::from(assessment.defenders.0 + assessment.defenders.1 + assessment.fortified);
        let killed = (rounds * odds.defender).min(defenders);
        let holds = game.terrain_effects(zone).holds
            || game.rules.zones[zone.at()].fortress
            || assessment.all_across_line;
        let taken = if killed >= defenders {
            0.85
        } else if holds {
            0.15 * killed / defenders
        } else {
            (0.75 * odds.beaten).max(killed / defenders - 0.2)
        };
        weights.kill * killed - weights.loss * rounds.min(1.6) * odds.attacker
            + taken * (weights.fight + self.board.prize[zone.at()])
    }

    /// Orders the attack of the gathered attackers, and the air that supports it.
    fn order_attack(&mut self, game: &BlitzWar, state: &State, zone: Zone, with_air: bool) {
        let mut chosen = std::mem::take(&mut self.chosen);
        let mut armoured = false;
        for &(counter, stage) in &chosen {
            let from = state.location(counter);
            self.target.give(counter, zone);
            if !state.is_activated(counter) {
                self.march.give(counter, stage);
                self.board.budget -= i32::from(game.tactical_cost(state, counter));
            }
            if stage != from {
                self.board.shift(from, stage, state.strength(counter));
            }
            armoured |= game.corps_of(state, counter).1 > 0;
        }
        chosen.clear();
        self.chosen = chosen;
        if with_air && self.flies && !(self.board.snow && game.rules.zones[zone.at()].snow) {
            let wanted = if armoured && may_blitz(game, state, zone, self.board.force) { 2 } else { 1 };
            let units = self.air_over(game, state, zone).min(wanted);
            if units > 0 {
                self.air.push((zone, units));
            }
        }
    }

    // ---- reserves ----

    /// Counters for which there should be room in the Supply Zones when the next card brings its corps.
    fn room_for_arrivals(&self, game: &BlitzWar, state: &State) -> u8 {
        let force = self.board.force;
        let corps = state.cards(force)[1].map_or(0, |card| {
            let face = &game.rules.decks[force.index()][usize::from(card)];
            face.infantry + face.armour
        }) + special_corps(game, state, force);
        corps.div_ceil(CORPS_IN_A_COUNTER).max(ROOM_FOR_ARRIVALS)
    }

    /// Marches a counter off from each capital that is full when its country's next corps comes, which would be lost (4, R-21).
    fn clear_capitals(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State) {
        let Some(next) = game.rules.calendar.get(usize::from(state.turn())) else { return };
        for country in Country::ALL {
            let rules = &game.rules.countries[country.index()];
            let due = match rules.rhythm {
                Rhythm::Never => false,
                Rhythm::EveryTurn => true,
                Rhythm::Mark1 => next.mark1,
                Rhythm::Mark2 => next.mark2,
            };
            let Some(zone) = game.capital(country) else { continue };
            if !due
                || rules.place_anywhere
                || state.status(country).force() != Some(self.board.force)
                || self.board.counters[zone.at()] < game.rules.limits.stack
                || self.board.edge.contains(zone)
                || Nation::ALL.into_iter().any(|nation| {
                    nation.country() == Some(country)
                        && game.joins_counter(state, nation, Kind::Infantry, zone)
                })
            {
                continue;
            }
            let mut best = (f32::MIN, Counter::NONE, Zone::NONE);
            for &counter in &self.board.mine {
                if state.location(counter) != zone
                    || self.march.contains(counter)
                    || i32::from(game.tactical_cost(state, counter)) > self.board.budget + self.board.reserve
                    || !self.is_free(game, state, counter)
                {
                    continue;
                }
                let corps = state.strength(counter);
                let mut near = self.reachable(game, map_tables, zone, game.allowance(counter), counter);
                near.remove(zone);
                for to in near {
                    let found = self.board.enter(map_tables, to, corps);
                    if found > best.0 && self.board.has_room(game, to, corps) {
                        best = (found, counter, to);
                    }
                }
            }
            let (_, counter, to) = best;
            if counter != Counter::NONE {
                self.march.give(counter, to);
                self.board.shift(zone, to, state.strength(counter));
                self.board.budget -= i32::from(game.tactical_cost(state, counter));
            }
        }
    }

    /// Sends a small counter into each open place of worth that an enemy could walk into, and into the capital of each ally that an enemy
    /// is near, the worthiest first, before supply is spent on anything else: who walks in pays one unit of supply.
    fn garrison_open_places(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State) {
        let board = &self.board;
        // Its own capital a side holds before anybody stands beside it, and not with corps of the front.
        let home = (board.force == Force::Axis).then_some(Country::Ger);
        let mut open = board.open.and(state.control(board.force));
        open = open.filter(|zone| {
            board.key[zone.at()] > 0.0
                && board.counters[zone.at()] == 0
                && (board.edge.contains(zone)
                    || board.threat[zone.at()] > WALKS_IN
                    || board.last_stand.contains(zone)
                    || is_ally(game, state, board.force, zone)
                    || home.is_some_and(|country| game.capital(country) == Some(zone)))
        });
        while !open.is_empty() {
            let mut best: Option<(f32, Zone)> = None;
            for zone in open {
                let worth = map_tables.worth[zone.at()];
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, zone));
                }
            }
            let Some((_, zone)) = best else { break };
            open.remove(zone);
            self.send_garrison(game, map_tables, state, zone);
        }
    }

    /// Sends a counter into each empty strategic point of the enemy before the last attacks are planned: points are all that counts
    /// then, and these are certain.
    fn walk_into_points(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State) {
        for zone in self.board.hostile.difference(&self.board.barred).and(&game.strategic_points()) {
            self.send_garrison(game, map_tables, state, zone);
        }
    }

    /// Sends the counter that is missed least where it stands, if one is in reach. What the enemy could do where it leaves does
    /// not matter once he moves no more.
    fn send_garrison(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State, zone: Zone) {
        let mut best = (f32::MAX, Counter::NONE);
        // The army of an ally goes home from the border.
        let ends_a_war = is_ally(game, state, self.board.force, zone);
        let safe = self.nobody_follows();
        for &counter in &self.board.mine {
            let from = state.location(counter);
            let at = from.at();
            let corps = state.strength(counter);
            let watched = self.board.edge.contains(from) && !safe;
            let garrison = self.board.key[at] > 0.0 && !safe;
            if self.march.contains(counter)
                || self.board.last_stand.contains(from)
                || map_tables.steps(from, zone) > game.allowance(counter)
                || self.board.counters[at] == 1 && (watched && !ends_a_war || garrison)
                || watched && self.is_pressed(game, from, corps) && !ends_a_war
                || i32::from(game.tactical_cost(state, counter)) > self.board.budget + self.board.reserve
                || !self.is_free(game, state, counter)
            {
                continue;
            }
            let missed = self.board.leave(map_tables, from, corps) + SMALL_GARRISON * f32::from(corps);
            if missed < best.0
                && self.reachable(game, map_tables, from, game.allowance(counter), counter).contains(zone)
            {
                best = (missed, counter);
            }
        }
        let (_, counter) = best;
        if counter != Counter::NONE {
            self.march.give(counter, zone);
            self.board.shift(state.location(counter), zone, state.strength(counter));
            self.board.budget -= i32::from(game.tactical_cost(state, counter));
        }
    }

    /// Whether a zone would be held with fewer corps than the enemies beside it have, once so many corps have left.
    fn is_pressed(&self, game: &BlitzWar, zone: Zone, leaving: u8) -> bool {
        let beside: u16 = game.adjacent(zone).iter().map(|near| u16::from(self.board.enemy[near.at()])).sum();
        u16::from(self.board.strength[zone.at()].saturating_sub(leaving)) < beside
    }

    /// Marches off the largest counters at rest in full Supply Zones, before supply is spent on anything else: what arrives
    /// next turn and finds no room is lost (4).
    fn clear_supply_zones(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State) {
        let sources = self.board.sources;
        let stack = game.rules.limits.stack;
        let room = |board: &Board| -> u8 {
            sources.iter().map(|zone| stack.saturating_sub(board.counters[zone.at()])).sum()
        };
        let wanted = self.room_for_arrivals(game, state);
        while room(&self.board) < wanted {
            let mut best = (0, f32::MIN, Counter::NONE, Zone::NONE);
            for &counter in &self.board.mine {
                let from = state.location(counter);
                let corps = state.strength(counter);
                if !sources.contains(from)
                    || corps < best.0
                    || self.board.edge.contains(from)
                    || self.board.last_stand.contains(from)
                    || self.board.counters[from.at()] < 2
                    || self.march.contains(counter)
                    || i32::from(game.tactical_cost(state, counter)) > self.board.budget + self.board.reserve
                    || !self.is_free(game, state, counter)
                {
                    continue;
                }
                for to in self
                    .reachable(game, map_tables, from, game.allowance(counter), counter)
                    .difference(&sources)
                {
                    let found = self.board.enter(map_tables, to, corps);
                    if (corps, found) > (best.0, best.1) && self.board.has_room(game, to, corps) {
                        best = (corps, found, counter, to);
                    }
                }
            }
            let (corps, _, counter, to) = best;
            if counter == Counter::NONE {
                break;
            }
            self.march.give(counter, to);
            self.board.shift(state.location(counter), to, corps);
            self.board.budget -= i32::from(game.tactical_cost(state, counter));
        }
    }

    fn plan_rail(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State) {
        self.incoming = [0; MAX_ZONES];
        let own = game.own_area(state, self.board.force).difference(&self.board.barred);
        for index in 0..self.board.mine.len() {
            let counter = self.board.mine[index];
            let from = state.location(counter);
            if self.target.contains(counter)
                || self.march.contains(counter)
                || !self.is_free(game, state, counter)
                || area_of_operations(game, counter).is_some()
                || !own.contains(from)
            {
                continue;
            }
            let allowance = game.allowance(counter);
            let corps = state.strength(counter);
            let halves = i32::from(game.rules.costs.strategic);
            let cost = if corps == 1 { i32::from(game.rules.costs.strategic_single) } else { halves };
            if self.board.front[from.at()] <= allowance || cost > self.board.budget {
                continue;
            }
            let price = self.board.price * cost as f32 / 2.0;
            let mut best =
                (self.board.leave(map_tables, from, corps) + self.board.weights.rail + price, Zone::NONE);
            let mut component: Option<Zones> = None;
            for to in own.and(&map_tables.areas[game.nation(counter).index()]) {
                let near = self.board.front[to.at()] <= 2 || self.board.threat[to.at()] > 0.0;
                if !near || to == from || map_tables.steps(from, to) <= allowance {
                    continue;
                }
                let found = self.board.enter(map_tables, to, corps);
                if found > best.0
                    && self.board.has_room(game, to, corps)
                    && self.stands_free(game, state, to)
                    && component.get_or_insert_with(|| game.land().fill(Zones::one(from), &own)).contains(to)
                {
                    best = (found, to);
                }
            }
            if best.1 != Zone::NONE {
                self.rail.give(counter, best.1);
                self.incoming[best.1.at()] += 1;
                self.board.shift(from, best.1, corps);
                self.board.budget -= cost;
            }
        }
        self.incoming = [0; MAX_ZONES];
    }

    /// Whether a zone has room for one more counter by rail while all who are there are still in it: they march off later.
    fn stands_free(&self, game: &BlitzWar, state: &State, zone: Zone) -> bool {
        let there = land_counters(game, state, zone);
        there + self.incoming[zone.at()] < game.rules.limits.stack
    }

    /// Orders for what does not attack: holes are plugged, reserves move up.
    pub fn plan_reserves(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State) {
        for index in 0..self.board.mine.len() {
            let counter = self.board.mine[index];
            let ordered =
                self.target.contains(counter) || self.rail.contains(counter) || self.march.contains(counter);
            if ordered || !self.is_free(game, state, counter) {
                continue;
            }
            let cost = i32::from(game.tactical_cost(state, counter));
            if cost > self.board.budget {
                continue;
            }
            let from = state.location(counter);
            let corps = state.strength(counter);
            // Deep in the rear with nothing near: nowhere to go.
            if self.board.front[from.at()] > 12 && self.board.threat[from.at()] <= 0.0 {
                continue;
            }
            let worth_it = self.board.weights.march + self.board.price * cost as f32 / 2.0;
            let mut best = (self.board.leave(map_tables, from, corps) + worth_it, Zone::NONE);
            let mut near = self.reachable(game, map_tables, from, game.allowance(counter), counter);
            near.remove(from);
            for to in near {
                let found = self.board.enter(map_tables, to, corps);
                if found > best.0 && self.board.has_room(game, to, corps) {
                    best = (found, to);
                }
            }
            if best.1 != Zone::NONE {
                self.march.give(counter, best.1);
                self.board.shift(from, best.1, corps);
                self.board.budget -= cost;
            }
        }
    }

    // ---- landings ----

    /// Plans the landing that is worth most, if any is worth enough.
    fn plan_landing(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State, timetable: Timetable) {
        let force = self.board.force;
        let busy = self.aims.as_ref().is_some_and(|aims| aims.decides && force == Force::Axis);
        if force == Force::Soviet || self.board.air.is_empty() || busy {
            return;
        }
        let seas = game.rules.seas.len().min(MAX_SEAS);
        let mut best = self.board.weights.landing;
        for sea in (0..seas).map(Sea::nth) {
            let shores = map_tables.beaches[sea.at()].and(&self.board.hostile);
            if shores.is_empty()
                || self.board.snow && game.rules.seas[sea.at()].basin == Basin::Other
                || game.maritime_superiority(state, sea).is_some_and(|holder| holder.opposes(force))
            {
                continue;
            }
            let units = self.landing_air(game, state, sea);
            if units == 0 {
                continue;
            }
            for zone in shores {
                if !self.may_land_at(game, map_tables, state, zone, timetable) {
                    continue;
                }
                if let Some((score, air)) = self.landing_worth(game, map_tables, state, sea, zone, units)
                    && score > best
                {
                    best = score;
                    self.landing = Some(Landing { sea, zone, air });
                }
            }
        }
        if let Some(landing) = self.landing {
            self.air.push((Location::of_sea(landing.sea), landing.air));
            let grounded = self.board.snow && game.rules.zones[landing.zone.at()].snow;
            if self.board.enemy[landing.zone.at()] > 0 && !grounded {
                self.air.push((landing.zone, 1));
            }
        }
    }

    /// Air units that could become beachheads from a sea: those in range, less one that the enemy's ships there take.
    fn landing_air(&self, game: &BlitzWar, state: &State, sea: Sea) -> u8 {
        let force = self.board.force;
        let in_range = |&&unit: &&Counter| {
            sea.is_in(game.coast(state.location(unit)))
                && (force == Force::Allied || game.nation(unit) == Nation::Ger)
        };
        let units = self.board.air.iter().filter(in_range).count() as u8;
        let fleets = |of: fn(Force, Force) -> bool| {
            state.stack(Location::of_sea(sea)).any(|counter| {
                game.kind(counter) == Kind::Fleet
                    && game.force(state, counter).is_some_and(|owner| of(owner, force))
            })
        };
        let guarded = fleets(Force::opposes) && !fleets(|owner, force| owner == force);
        if guarded { units.saturating_sub(1) } else { units }
    }

    /// Whether a zone is a shore to land at: by the rules, by the timetable, and because nobody could walk in.
    fn may_land_at(
        &self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        zone: Zone,
        timetable: Timetable,
    ) -> bool {
        let force = self.board.force;
        if game.rules.zones[zone.at()].naval_base
            || force == Force::Axis && map_tables.britain.contains(zone)
            || force == Force::Allied && !Self::may_invade(game, state, zone, timetable)
        {
            return false;
        }
        let by_land = |near: Zone| self.board.strength[near.at()] > 0;
        self.board.enemy[zone.at()] > 0 || !game.adjacent(zone).iter().any(by_land)
    }

    /// What a landing is worth, in corps, and how many of the air units become beachheads.
    fn landing_worth(
        &self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        sea: Sea,
        zone: Zone,
        units: u8,
    ) -> Option<(f32, u8)> {
        let data = &game.rules.zones[zone.at()];
        let defenders = self.board.enemy[zone.at()];
        let (corps, narrow) = self.embarking(game, map_tables, state, sea, zone);
        if corps == 0 {
            return None;
        }
        let room = if narrow { game.rules.limits.beachhead_dotted } else { game.rules.limits.beachhead };
        let wanted =
            if defenders == 0 && self.board.threat[zone.at()] < UNCONTESTED { 1 } else { BEACHHEADS };
        let air = units.min(wanted).min(corps.div_ceil(room));
        let landed = corps.min(air * room);
        if !self.board.lands_in_force(game, zone, landed) {
            return None;
        }
        if state.status(Country::Vichy).is_neutral()
            && game.country_at(state, zone) == Country::Vichy
            && landed < TORCH_LANDING
        {
            return None;
        }
        let front = match &self.aims {
            Some(aims) if is_mainland(game, zone) => aims.second_front,
            _ => 0.0,
        };
        let shore = self.board.prize[zone.at()] + front + if data.port { 1.0 } else { 0.0 };
        let worth = if defenders == 0 {
            shore
        } else {
            let index = super::combat::ladder(landed, defenders) - 1
                + if units > air { AIR_SHIFT } else { 0 }
                - i8::from(data.fortress)
                - i8::from(state.timers().german_defence);
            if index < LANDING_ODDS {
                return None;
            }
            let odds = map_tables.at(index);
            let killed = odds.defender.min(f32::from(defenders));
            killed - odds.attacker + killed / f32::from(defenders) * shore
        };
        Some((worth - 0.5 * f32::from(air) - self.board.price * f32::from(landed), air))
    }

    /// Whether the Allied timetable allows a landing at a zone.
    fn may_invade(game: &BlitzWar, state: &State, zone: Zone, timetable: Timetable) -> bool {
        let country = game.rules.zones[zone.at()].country;
        let turn = state.turn();
        match country {
            Country::Fra if game.rules.regions.french_north_africa.contains(zone) => turn >= timetable.torch,
            Country::Fra | Country::Be | Country::Den | Country::Nor | Country::Ger => {
                turn >= timetable.overlord
            }
            Country::Ita => turn >= 12,
            // The Soviets fight for their own coasts.
            Country::Ussr | Country::Fin | Country::Pol => false,
            _ => turn >= 20,
        }
    }

    /// Corps that could go aboard in the ports of a sea, and whether one of these lies across a dotted line.
    fn embarking(
        &self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        sea: Sea,
        zone: Zone,
    ) -> (u8, bool) {
        let mut corps = 0;
        let mut narrow = false;
        // From America a corps takes a fleet unit in the landing sea (14.1.2).
        let mut convoys: u8 = state
            .stack(Location::of_sea(sea))
            .filter(|&ship| {
                game.kind(ship) == Kind::Fleet && game.force(state, ship) == Some(self.board.force)
            })
            .map(|ship| state.strength(ship))
            .sum();
        for &counter in &self.board.mine {
            let port = state.location(counter);
            if !game.ports().contains(port)
                || self.board.stays(game, map_tables, state, port)
                || self.board.holds_front(port)
                || !sails_to_beach(game, map_tables, state, port, sea)
                || area_of_operations(game, counter).is_some()
            {
                continue;
            }
            let dotted = map_tables.dotted[zone.at()].contains(port);
            let room = if dotted { game.rules.limits.beachhead_dotted } else { game.rules.limits.beachhead };
            if port == map_tables.america {
                if state.strength(counter) > convoys {
                    continue;
                }
                convoys -= state.strength(counter);
            }
            if state.strength(counter) <= TOGETHER * room
                && !state.is_turned(counter)
                && lands_at(game, state, counter, zone)
            {
                corps += state.strength(counter);
                narrow |= dotted;
            }
        }
        (corps, narrow)
    }
}

/// Whether corps in a port can be landed from a sea: from its own ports, and from America by the strait of Gibraltar from the
/// Western Mediterranean (14.1.2).
pub(crate) fn sails_to_beach(
    game: &BlitzWar,
    map_tables: &MapTables,
    state: &State,
    port: Zone,
    sea: Sea,
) -> bool {
    sea.is_in(game.port_seas(port))
        || port == map_tables.america
            && sea == game.rules.landmarks.western_mediterranean
            && map_tables.gibraltar.is_some_and(|strait| state.control(Force::Allied).contains(strait))
}

/// The only zones a counter may stand in, if its nation stays at home (9.6).
pub(crate) fn area_of_operations(game: &BlitzWar, counter: Counter) -> Option<Zones> {
    let country = game.nation(counter).country()?;
    match game.rules.countries[country.index()].area_of_operations {
        AreaOfOperations::Home => Some(*game.home(country)),
        _ => None,
    }
}

/// Whether a counter is meant to land at a zone: armour is not wasted on Norway.
pub(crate) fn lands_at(game: &BlitzWar, state: &State, counter: Counter, zone: Zone) -> bool {
    game.force(state, counter) != Some(Force::Axis)
        || game.rules.zones[zone.at()].country != Country::Nor
        || game.corps_of(state, counter).1 == 0
}

/// Corps of the special reinforcements of the Soviets that come next turn (11.9).
fn special_corps(game: &BlitzWar, state: &State, force: Force) -> u8 {
    let (dates, attack) = (&game.rules.dates, state.timers().east_attack);
    let next = state.turn() + 1;
    if force == Force::Soviet && attack != 0 && next == attack + dates.special_delay {
        dates.special_corps
    } else {
        0
    }
}

/// Whether a counter is a Minor Country's at home, which needs no line of supply.
fn at_home(game: &BlitzWar, counter: Counter, zone: Zone) -> bool {
    game.nation(counter)
        .country()
        .is_some_and(|country| country.is_minor_country() && game.home(country).contains(zone))
}

/// Whether a side may attack a zone in the Blitz Phase of this turn, armour provided.
pub(crate) fn may_blitz(game: &BlitzWar, state: &State, zone: Zone, force: Force) -> bool {
    let weather = game.weather(state);
    weather != Weather::Mud
        && !game.terrain_effects(zone).bars_blitz
        && (!game.snow_at(state, zone) || game.calendar(state).snow_blitz[force.index()])
}

#[cfg(test)]
mod tests;
