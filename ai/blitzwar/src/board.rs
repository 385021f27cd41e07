//! One side's view of the map, computed from the position when a plan is made.

use sandtable_blitzwar::location::{Counter, Location, Sea, Zone};
use sandtable_blitzwar::rules::{MAX_COUNTERS, MAX_SEAS, MAX_ZONES, Seas, Weather, Zones};
use sandtable_blitzwar::{Assessment, BlitzWar, Country, Force, Kind, Nation, State, Status};
use sandtable_core::{Board as _, Index};

use sandtable_ai::policy::worth_of_objective;

use super::map_tables::{FAR, MapTables};
use super::strategy::{Aims, Weights};

/// Countries with the mainland of Europe where a landing opens a front.
pub(crate) const MAINLAND: [Country; 4] = [Country::Fra, Country::Be, Country::Ger, Country::Ita];

/// Whether a landing at a zone opens a front: not on an island, in Syria or in Albania, from which no army of theirs goes on.
pub(crate) fn is_mainland(game: &BlitzWar, zone: Zone) -> bool {
    let country = game.rules.zones[zone.at()].country;
    MAINLAND.contains(&country)
        && !game.rules.regions.africa.contains(zone)
        && game.adjacent(zone).intersects(game.home(country))
}

/// Whether a zone is the capital of a Minor Country that fights on a side: its fall ends that country's war.
pub(crate) fn is_ally(game: &BlitzWar, state: &State, force: Force, zone: Zone) -> bool {
    let country = game.rules.zones[zone.at()].country;
    country.is_minor_country()
        && game.capital(country) == Some(zone)
        && state.status(country).force() == Some(force)
}

/// Land counters in a zone, of whatever side: what the stacking limit counts (4).
pub(crate) fn land_counters(game: &BlitzWar, state: &State, zone: Zone) -> u8 {
    state.stack(zone).filter(|&counter| game.kind(counter).is_corps()).count() as u8
}

/// Least corps of the Soviets for each of the Allies' with which a zone is left to them.
const SOVIET_SHARE: f32 = 0.7;
/// The same for each defender.
const SOVIET_ODDS: f32 = 1.5;

/// Whether the Allies leave a zone to the Soviets, who may not attack what the Allies have attacked in the turn (16.1): these have
/// nearly as many corps in supply beside it, and enough for its defenders. What the Allies have attacked already is lost to the
/// Soviets anyway.
pub(crate) fn left_to_soviets(
    game: &BlitzWar,
    state: &State,
    force: Force,
    zone: Zone,
    attack: &Assessment,
) -> bool {
    if force != Force::Allied || state.timers().axis_soviet_war == 0 || state.allied_attacked().contains(zone)
    {
        return false;
    }
    let corps = |near: Zone| {
        let (infantry, armour) = game.corps_in(state, near, Force::Soviet);
        infantry + armour
    };
    let suffices = |zones: &Zones| {
        let beside: u8 = zones.iter().map(corps).sum();
        let [attackers, defenders] =
            [attack.attackers, attack.defenders].map(|(infantry, armour)| infantry + armour);
        f32::from(beside) >= SOVIET_SHARE * f32::from(attackers)
            && f32::from(beside) >= SOVIET_ODDS * f32::from(defenders)
    };
    let beside = game.adjacent(zone).and(state.corps(Force::Soviet));
    // Lines of supply are dear to find.
    suffices(&beside) && suffices(&beside.and(&game.supplied(state, Force::Soviet, false).zones))
}

/// What the objective of an operation is worth besides, in corps.
const OBJECTIVE: f32 = 3.0;

/// What a side sees.
#[derive(Debug)]
pub(crate) struct Board {
    /// Weights by side.
    pub side_weights: [Weights; 3],
    /// Weights of the side.
    pub weights: Weights,
    /// The side.
    pub force: Force,
    /// Own corps by zone.
    pub strength: [u8; MAX_ZONES],
    /// Own land counters by zone.
    pub counters: [u8; MAX_ZONES],
    /// The Minor Country whose corps stand in a zone.
    pub minor: [Option<Nation>; MAX_ZONES],
    /// Corps of enemies, and of neutrals that are to be attacked, by zone.
    pub enemy: [u8; MAX_ZONES],
    /// Corps that could fall upon a zone, nearer ones counted fully.
    pub threat: [f32; MAX_ZONES],
    /// Worth of entering a zone that is not ours; 0 where we do not want to go.
    pub prize: [f32; MAX_ZONES],
    /// The zone that is to be won before all else, for a search.
    pub objective: Option<Zone>,
    /// Worth of a garrison in an own place that the enemy could walk into: capitals, Supply Zones, strategic points.
    pub key: [f32; MAX_ZONES],
    /// What more than the zone is lost with it, in corps: an ally, or the peace of a conquered country.
    pub stake: [f32; MAX_ZONES],
    /// The capital of each ally that an enemy is near.
    in_danger: [Zone; COUNTRIES],
    /// The last Supply Zone of Germany, with enemies near: nobody leaves it.
    pub last_stand: Zones,
    /// Own Supply Zones, where reinforcements come: they are kept free.
    pub sources: Zones,
    /// Steps from a zone to the nearest one we want.
    pub front: [u8; MAX_ZONES],
    /// Zones we may move through.
    pub open: Zones,
    /// Zones we want to enter: of enemies and of neutrals to be attacked.
    pub hostile: Zones,
    /// Zones next to enemy corps.
    pub edge: Zones,
    /// Hostile zones with corps.
    pub foes: Zones,
    /// Zones that air is based to reach: with enemies now, and with those against whom armies gather.
    pub air_targets: Zones,
    /// Zones with enemy corps that count as a threat.
    threats: Zones,
    /// Enemy corps around a zone that count as a threat.
    beside: [u8; MAX_ZONES],
    /// Zones that bar movement: all corps that are not ours.
    pub barred: Zones,
    /// Seas that hang together for our transports, by sea.
    pub waters: [Seas; MAX_SEAS],
    /// Own land counters that can act.
    pub mine: Vec<Counter>,
    /// Own air at airfields.
    pub air: Vec<Counter>,
    /// Zones with own air at airfields.
    pub air_at: Zones,
    /// Own air at airfields by zone.
    pub air_count: [u8; MAX_ZONES],
    /// Air of enemies at war at airfields.
    pub enemy_air: Vec<Counter>,
    /// The armies of the West assemble in Great Britain.
    pub camp: bool,
    /// The landing in French North Africa is at hand.
    pub torch: bool,
    /// Price of a supply unit in corps.
    pub price: f32,
    /// Half supply units that may be spent.
    pub budget: i32,
    /// Half supply units kept for later: nothing but to save corps from the stacking limit is paid from them.
    pub reserve: i32,
    /// Snow lies on snow zones.
    pub snow: bool,
    /// How many steps away enemies count as a threat, at most three.
    pub foresight: usize,
}

const COUNTRIES: usize = Country::ALL.len();

/// How much an enemy corps threatens zones one, two and three steps away.
const THREAT: [f32; 3] = [1.0, 0.4, 0.15];

/// A neighbour at peace who counts for no more than this needs no line against him.
const QUIET: f32 = 0.1;
/// Steps to the front that are reckoned for the camp in Great Britain.
const CAMP_FRONT: u8 = 1;
/// Steps that the front is taken to be away from a port of a sea with beaches to land at.
const CROSSING: u8 = 2;
/// What a zone of a country that is being conquered gains by lying so many steps from the capital.
const CAPITAL_WAY: [f32; 4] = [2.0, 1.0, 0.4, 0.0];
/// Supply Zones left to Germany from which the others go for the last of them, what that is worth, in corps before weights
/// and countries, and the share of it that lies on the way, by steps.
const LAST_SOURCES: u32 = 2;
const ENDS_WAR: f32 = 6.0;
const SOURCE_WAY: [f32; 4] = [1.0, 0.4, 0.15, 0.0];
/// Threat to the last Supply Zone of Germany from which its garrison stays, and what speaks against leaving it.
const LAST_THREAT: f32 = 1.0;
pub(crate) const LAST_STAND: f32 = 20.0;
/// Least threat and worth of a place that wants a garrison, and worth of the garrison: a share of that of the place, at most
/// so much.
const KEY_THREAT: f32 = 0.3;
const KEY_WORTH: f32 = 1.2;
const GARRISON: f32 = 0.6;
const GARRISON_MOST: f32 = 3.0;
/// Enemy corps beside a zone for each own one in it, up to which it is likely to be held. Beyond, armour may break through to the zone
/// behind it (16.4, 17.3).
pub(crate) const EVEN_FIGHT: f32 = 1.5;
/// Least threat to a Supply Zone or the capital of a country at war on this side that wants a garrison, and its worth.
const VITAL_THREAT: f32 = 0.12;
/// Share of the worth of an ally's capital that there is in one whose country would rise against this side.
const RISING: f32 = 0.5;
/// Steps from an enemy to the capital of an ally within which the ally's army stays there.
const CALLED_HOME: u8 = 2;
/// Share of the threat of a landing that falls on the zones behind the beach.
const INLAND: f32 = 0.3;
/// Enemy corps, threatened ones counted by their distance, that halve what a lone corps makes of an empty zone.
const COUNTER_ATTACK: f32 = 0.35;
/// Share of the worth of a garrison that each further corps of its counter takes off: a small one does.
const LARGE_GARRISON: f32 = 0.25;
/// Threat below which a small counter does for walking into an empty zone, and the share of its worth that each further corps
/// takes off.
const SAFE: f32 = 0.5;
const LARGE_WALK: f32 = 0.2;
/// Corps wanted in a zone for each enemy one beside it, and what speaks against leaving it with fewer, each.
const WATCH: f32 = 0.6;
const WATCH_LOST: f32 = 0.3;
/// What speaks against so many counters in a Supply Zone: reinforcements come there.
const CROWDED: [f32; 4] = [0.0, 0.0, 0.4, 0.8];
/// Least corps that the Allies land near the enemy on the mainland.
const LEAST_LANDING: u8 = 6;
/// Enemy corps that could fall upon a landing, nearer ones counted fully, for each of its own, beyond which it is not made.
const LANDING_LOST: f32 = 2.0;
/// Factors on the worth of corps and of zones taken in the last turn of the game.
const LAST_LOSS: f32 = 0.5;
const LAST_PRIZE: f32 = 2.0;
/// What speaks against a single corps as the last counter of a stack at the front.
const SMALL_LAST: f32 = 0.4;

impl Board {
    /// An empty board, to be filled by [`Board::read`].
    pub fn new() -> Board {
        Board {
            side_weights: Force::ALL.map(Weights::of),
            weights: Weights::of(Force::Axis),
            force: Force::Axis,
            strength: [0; MAX_ZONES],
            counters: [0; MAX_ZONES],
            minor: [None; MAX_ZONES],
            enemy: [0; MAX_ZONES],
            threat: [0.0; MAX_ZONES],
            prize: [0.0; MAX_ZONES],
            objective: None,
            key: [0.0; MAX_ZONES],
            stake: [0.0; MAX_ZONES],
            in_danger: [Location::NONE; COUNTRIES],
            last_stand: Zones::EMPTY,
            sources: Zones::EMPTY,
            front: [FAR; MAX_ZONES],
            open: Zones::EMPTY,
            hostile: Zones::EMPTY,
            foes: Zones::EMPTY,
            air_targets: Zones::EMPTY,
            threats: Zones::EMPTY,
            beside: [0; MAX_ZONES],
            edge: Zones::EMPTY,
            barred: Zones::EMPTY,
            waters: [0; MAX_SEAS],
            mine: Vec::with_capacity(MAX_COUNTERS),
            air: Vec::with_capacity(32),
            air_at: Zones::EMPTY,
            air_count: [0; MAX_ZONES],
            enemy_air: Vec::with_capacity(32),
            camp: false,
            torch: false,
            price: 0.1,
            budget: 0,
            reserve: 0,
            snow: false,
            foresight: THREAT.len(),
        }
    }

    /// Assesses the position for a side with these aims.
    pub fn read(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        force: Force,
        aims: &Aims,
    ) {
        self.force = force;
        self.weights = self.side_weights[force.index()];
        self.weights.pull *= aims.urgency;
        self.weights.plug *= aims.line;
        self.weights.garrison *= aims.garrison;
        if aims.last {
            self.weights.loss *= LAST_LOSS;
            self.weights.prize *= LAST_PRIZE;
        }
        self.camp = aims.camp;
        self.torch = aims.torch;
        self.snow = game.weather(state) == Weather::Snow;
        self.threats = self.count_units(game, state, aims);
        self.find_ground(game, map_tables, state, aims);
        self.foes = self.hostile.and(&self.threats);
        self.air_targets = self.foes;
        if aims.gathers(Country::Ussr) {
            self.air_targets = self.air_targets.or(state.corps(Force::Soviet));
        }
        self.value_prizes(game, map_tables, state, aims);
        let wanted = self.wanted_ground(game, map_tables, state, aims);
        self.measure_front(game, map_tables, wanted);
        if force == Force::Allied && aims.second_front > 0.0 {
            self.measure_crossings(game, map_tables);
        }
        self.weigh_threats(game, map_tables, state, aims);
        let stock = i32::from(game.total_stock(state, force));
        self.budget = (stock - i32::from(aims.reserve)).max(0);
        self.reserve = stock - self.budget;
        self.price = self.weights.thrift * aims.price;
    }

    /// Finds what the enemies that count as a threat could fall upon, and values garrisons against them.
    fn weigh_threats(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State, aims: &Aims) {
        let threats = self.threats;
        self.edge = game.land().neighbours_of(&threats).and(&game.own_area(state, self.force));
        self.beside = [0; MAX_ZONES];
        for zone in self.edge {
            self.beside[zone.at()] =
                game.adjacent(zone).and(&threats).iter().map(|near| self.enemy[near.at()]).sum();
        }
        self.read_threats(game, map_tables, state, aims, &threats);
        self.value_garrisons(game, map_tables, state, aims, &threats);
    }

    /// Looks at the map as it will be once these enemies are beaten.
    pub fn without(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        aims: &Aims,
        beaten: &Zones,
    ) {
        self.threats = self.threats.difference(beaten);
        self.weigh_threats(game, map_tables, state, aims);
    }

    /// Counts corps and air by zone. Gives the zones of enemy corps that count as a threat.
    fn count_units(&mut self, game: &BlitzWar, state: &State, aims: &Aims) -> Zones {
        let force = self.force;
        self.strength = [0; MAX_ZONES];
        self.counters = [0; MAX_ZONES];
        self.minor = [None; MAX_ZONES];
        self.enemy = [0; MAX_ZONES];
        self.mine.clear();
        self.air.clear();
        self.enemy_air.clear();
        self.air_count = [0; MAX_ZONES];
        self.air_at = Zones::EMPTY;
        self.barred = Zones::EMPTY;
        let mut threats = Zones::EMPTY;
        for counter in game.sheet() {
            let place = state.location(counter);
            if place >= Location::POOL || !place.is_zone() {
                continue;
            }
            let kind = game.kind(counter);
            let owner = game.force(state, counter);
            if owner == Some(force) {
                if kind.is_corps() {
                    self.strength[place.at()] += state.strength(counter);
                    self.counters[place.at()] += 1;
                    self.mine.push(counter);
                    let nation = game.nation(counter);
                    if nation.country().is_some_and(Country::is_minor_country) {
                        self.minor[place.at()] = Some(nation);
                    }
                } else if kind == Kind::Air && !state.is_turned(counter) {
                    self.air.push(counter);
                    self.air_at.insert(place);
                    self.air_count[place.at()] += 1;
                }
            } else if kind == Kind::Air {
                if !state.is_turned(counter) && owner.is_some_and(|other| game.at_war(state, other, force)) {
                    self.enemy_air.push(counter);
                }
            } else if kind.is_corps() {
                self.barred.insert(place);
                if owner
                    .map_or_else(|| aims.attacks(game.country_at(state, place)), |other| other.opposes(force))
                {
                    self.enemy[place.at()] += state.strength(counter);
                    let quiet = aims.neighbour <= QUIET
                        && !aims.eastern_war
                        && (force == Force::Soviet || owner == Some(Force::Soviet));
                    if !quiet {
                        threats.insert(place);
                    }
                }
            }
        }
        threats
    }

    /// Finds where the side may move, and which zones of others it wants to enter.
    fn find_ground(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State, aims: &Aims) {
        let force = self.force;
        let own = game.own_area(state, force);
        self.open = own;
        let mut friends = Zones::EMPTY;
        if let Some(friend) = force.friend() {
            friends = *state.control(friend);
            self.open = self.open.or(&friends).difference(state.corps(friend));
        }
        self.hostile = Zones::EMPTY;
        for foe in Force::ALL {
            let peace = !aims.eastern_war && (foe == Force::Soviet || force == Force::Soviet);
            if foe.opposes(force) && !peace {
                self.hostile = self.hostile.or(state.control(foe));
            }
        }
        for country in Country::ALL {
            if aims.attacks(country) && state.status(country).is_neutral() {
                self.hostile = self.hostile.or(&game.home(country).difference(&own).difference(&friends));
            }
        }
        for country in Country::ALL {
            if aims.spares(country) {
                self.hostile = self.hostile.difference(game.home(country));
            }
        }
        if aims.parries {
            let soil = state.control(Force::Soviet).and(&map_tables.east);
            self.hostile = self.hostile.difference(&soil).difference(state.corps(Force::Soviet));
        }
    }

    /// Values the zones that the side wants to enter.
    fn value_prizes(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State, aims: &Aims) {
        self.prize = [0.0; MAX_ZONES];
        // The last Supply Zones of Germany end the war.
        let last = game.supply_zones(Force::Axis).and(state.control(Force::Axis));
        let ends = self.force != Force::Axis && (1..=LAST_SOURCES).contains(&last.len());
        for zone in self.hostile {
            let country = game.rules.zones[zone.at()].country;
            let mut worth = map_tables.worth[zone.at()];
            // The way to a capital is worth having, and the capital ends a war.
            if aims.conquers(country)
                && let Some(capital) = game.capital(country)
            {
                worth += CAPITAL_WAY[usize::from(map_tables.steps(zone, capital)).min(CAPITAL_WAY.len() - 1)];
            }
            if ends {
                let steps = last.iter().map(|source| map_tables.steps(zone, source)).min().unwrap_or(FAR);
                worth +=
                    ENDS_WAR / last.len() as f32 * SOURCE_WAY[usize::from(steps).min(SOURCE_WAY.len() - 1)];
            }
            self.prize[zone.at()] = self.weights.prize * aims.weight[country.index()] * worth;
        }
        if let Some(objective) = self.objective.filter(|zone| self.hostile.contains(*zone)) {
            let prize = &mut self.prize[objective.at()];
            *prize = worth_of_objective(*prize, self.weights.prize * OBJECTIVE);
        }
    }

    /// Zones towards which reserves move: hostile ones, and those at whose borders armies gather.
    fn wanted_ground(&self, game: &BlitzWar, map_tables: &MapTables, state: &State, aims: &Aims) -> Zones {
        let own = game.own_area(state, self.force);
        let mut wanted = self.hostile;
        if aims.conquers(Country::Fra) {
            // A country without an army is no place for one while France stands.
            for country in Country::ALL {
                let home = game.home(country);
                if aims.attacks(country) && home.iter().all(|zone| self.enemy[zone.at()] == 0) {
                    wanted = wanted.difference(home);
                }
            }
        }
        for country in Country::ALL {
            if aims.gathers(country) && state.status(country) != Status::Surrendered {
                wanted = wanted.or(&game.home(country).difference(&own));
            }
        }
        // Nobody gathers before a fortified line.
        for zone in wanted {
            if game.line_stands(state, zone) {
                wanted.remove(zone);
            }
        }
        if aims.gathers(Country::Ussr) {
            wanted = wanted.or(&map_tables.east.difference(&own));
        }
        wanted
    }

    /// Measures the steps to the nearest wanted zone, through zones that may be entered.
    fn measure_front(&mut self, game: &BlitzWar, map_tables: &MapTables, wanted: Zones) {
        self.front = [FAR; MAX_ZONES];
        let field = self.open.or(&wanted);
        let mut ring = wanted;
        let mut seen = wanted;
        let mut steps = 0;
        while !ring.is_empty() && steps < FAR {
            for zone in ring {
                self.front[zone.at()] = steps;
            }
            ring = game.land().neighbours_of(&ring).and(&field).difference(&seen);
            seen = seen.or(&ring);
            steps += 1;
        }
        if self.camp {
            // From here it is a step to the coasts of the Channel.
            for zone in map_tables.britain {
                self.front[zone.at()] = self.front[zone.at()].min(CAMP_FRONT);
            }
        }
    }

    /// From ports of a sea with landing beaches of the mainland, the front is a crossing away: without it an army that has won
    /// Africa stays there.
    fn measure_crossings(&mut self, game: &BlitzWar, map_tables: &MapTables) {
        let mut ring = Zones::EMPTY;
        for sea in 0..game.rules.seas.len().min(MAX_SEAS) {
            if map_tables.beaches[sea].and(&self.hostile).iter().any(|beach| is_mainland(game, beach)) {
                ring = ring.or(game.sea_coast(Sea::nth(sea)));
            }
        }
        ring = ring.and(game.ports()).and(&self.open);
        let mut steps = CROSSING;
        while !ring.is_empty() && steps < FAR {
            let mut nearer = Zones::EMPTY;
            for zone in ring {
                let front = &mut self.front[zone.at()];
                if steps < *front {
                    *front = steps;
                    nearer.insert(zone);
                }
            }
            ring = game.land().neighbours_of(&nearer).and(&self.open);
            steps += 1;
        }
    }

    /// Values garrisons of own places that an enemy could walk into.
    fn value_garrisons(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        aims: &Aims,
        threats: &Zones,
    ) {
        let force = self.force;
        self.key = [0.0; MAX_ZONES];
        self.value_stakes(game, map_tables, state, threats);
        self.sources = game.supply_zones(force).and(state.control(force));
        // Whoever loses the last of them has lost the war.
        self.last_stand = match self.sources.first() {
            Some(last)
                if force == Force::Axis
                    && self.sources.len() == 1
                    && self.threat[last.at()] > LAST_THREAT =>
            {
                self.sources
            }
            _ => Zones::EMPTY,
        };
        for zone in *state.control(force) {
            let at = zone.at();
            let worth = map_tables.worth[at];
            if worth >= KEY_WORTH
                && (self.threat[at] > KEY_THREAT
                    || aims.breaches && self.counters[at] > 0 && self.lies_behind_a_breach(game, zone))
            {
                self.key[at] = (GARRISON * worth).min(GARRISON_MOST);
            }
            // What ends a country's war or its supply is held before an enemy is near.
            let vital = self.sources.contains(zone)
                || game.rules.zones[at].capital
                    && state.status(game.rules.zones[at].country).force() == Some(force);
            if vital && self.threat[at] > VITAL_THREAT || self.in_danger.contains(&zone) {
                self.key[at] = self.key[at].max(self.weights.garrison);
            }
        }
    }

    /// Whether a zone lies behind one of the front that the enemies beside it may well take: own corps there bar the way to it
    /// only until then. Who is there stays; nobody is taken from the front for it.
    fn lies_behind_a_breach(&self, game: &BlitzWar, zone: Zone) -> bool {
        game.adjacent(zone).and(&self.edge).iter().any(|front| {
            let held = f32::from(self.strength[front.at()]);
            held > 0.0 && f32::from(self.beside[front.at()]) > EVEN_FIGHT * held
        })
    }

    /// Values what the fall of each own capital would bring about, and calls home the armies of allies in danger.
    fn value_stakes(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State, threats: &Zones) {
        self.stake = [0.0; MAX_ZONES];
        self.in_danger = [Location::NONE; COUNTRIES];
        for country in Country::ALL {
            let Some(capital) = game.capital(country) else { continue };
            if !state.control(self.force).contains(capital) {
                continue;
            }
            let status = state.status(country);
            let allied = is_ally(game, state, self.force, capital);
            let share = if allied {
                1.0
            } else if status == Status::Surrendered {
                RISING
            } else {
                continue;
            };
            self.stake[capital.at()] = share * self.weights.capital;
            let near = |zone: Zone| map_tables.steps(zone, capital) <= CALLED_HOME;
            if allied && threats.iter().any(near) {
                self.in_danger[country.index()] = capital;
            }
        }
    }

    /// Adds up what could fall upon each zone, by land and from the sea.
    fn read_threats(
        &mut self,
        game: &BlitzWar,
        map_tables: &MapTables,
        state: &State,
        aims: &Aims,
        threats: &Zones,
    ) {
        self.threat = [0.0; MAX_ZONES];
        self.threats_by_land(game, state, aims, threats);
        if self.force == Force::Soviet {
            return;
        }
        self.threats_from_sea(game, map_tables, state, aims);
        for zone in *game.supply_zones(self.force) {
            self.threat[zone.at()] += 0.05;
        }
    }

    /// Corps that could march upon a zone, weighted by their distance.
    fn threats_by_land(&mut self, game: &BlitzWar, state: &State, aims: &Aims, threats: &Zones) {
        let force = self.force;
        let mut foes = *threats;
        if !aims.eastern_war && force != Force::Allied {
            // A neighbour at peace may not stay so.
            foes = foes.or(state.corps(if force == Force::Axis { Force::Soviet } else { Force::Axis }));
        }
        let mut field = game.own_area(state, force);
        for foe in Force::ALL {
            if foe.opposes(force) {
                field = field.or(state.control(foe));
            }
        }
        for zone in foes {
            let at_peace = !aims.eastern_war
                && (force == Force::Soviet
                    || force == Force::Axis && state.corps(Force::Soviet).contains(zone));
            let corps = f32::from(self.enemy[zone.at()]) * if at_peace { aims.neighbour } else { 1.0 };
            let mut seen = Zones::one(zone);
            let mut ring = seen;
            // Own corps bar the way to what lies behind them.
            for weight in &THREAT[..self.foresight] {
                ring = game.land().neighbours_of(&ring).and(&field).difference(&seen);
                seen = seen.or(&ring);
                for near in ring {
                    self.threat[near.at()] += corps * weight;
                }
                ring = ring.difference(state.corps(force));
            }
        }
    }

    /// Corps in the enemy's ports that could land at a zone, or near it.
    fn threats_from_sea(&mut self, game: &BlitzWar, map_tables: &MapTables, state: &State, aims: &Aims) {
        let force = self.force;
        let enemies = if force == Force::Axis { Force::Allied } else { Force::Axis };
        let bases = game.ports().and(state.corps(enemies));
        let mut landing = [0u8; MAX_SEAS];
        for port in bases {
            let mut seas = game.port_seas(port);
            while seas != 0 {
                let sea = seas.trailing_zeros() as usize;
                seas &= seas - 1;
                landing[sea] = landing[sea].saturating_add(self.enemy[port.at()]);
            }
        }
        for (sea, &corps) in landing.iter().enumerate() {
            if corps > 0 {
                let weight = f32::from(corps.min(6)) * 0.5 * aims.coasts;
                for zone in map_tables.beaches[sea].and(state.control(force)) {
                    if !game.rules.zones[zone.at()].naval_base {
                        let threat = &mut self.threat[zone.at()];
                        *threat = threat.max(weight);
                        for inland in game.adjacent(zone).and(state.control(force)) {
                            let threat = &mut self.threat[inland.at()];
                            *threat = threat.max(INLAND * weight);
                        }
                    }
                }
            }
        }
    }

    /// Enemy air at airfields that could answer a mission over a zone or sea (13.2).
    pub fn answers(&self, game: &BlitzWar, state: &State, place: Location) -> u8 {
        let reaches = |base: Location| match place.sea() {
            Some(sea) => sea.is_in(game.coast(base)),
            None => game.air_range(base).contains(place),
        };
        let mut units = 0;
        for &counter in &self.enemy_air {
            units += u8::from(reaches(state.location(counter)) && !state.is_turned(counter));
        }
        units
    }

    /// Of these zones, those to which a counter may go from where it stands without leaving its capital to the enemy: who is
    /// there or beside it stays or goes there.
    pub fn near_home(&self, game: &BlitzWar, counter: Counter, here: Zone, zones: Zones) -> Zones {
        let Some(country) = game.nation(counter).country() else { return zones };
        let capital = self.in_danger[country.index()];
        if capital == Location::NONE || here != capital && !game.adjacent(capital).contains(here) {
            return zones;
        }
        zones.and(&Zones::one(here).or(&Zones::one(capital)))
    }

    /// Of these zones, those where a counter meets no corps of a Minor Country other than its own, which may not share a zone
    /// with it (9.6).
    pub fn without_other_minors(&self, game: &BlitzWar, counter: Counter, mut zones: Zones) -> Zones {
        let nation = game.nation(counter);
        if nation.country().is_some_and(Country::is_minor_country) {
            for zone in zones {
                if self.minor[zone.at()].is_some_and(|other| other != nation) {
                    zones.remove(zone);
                }
            }
        }
        zones
    }

    /// Finds which seas hang together through straits that the side controls.
    pub fn read_waters(&mut self, game: &BlitzWar, state: &State) {
        let area = game.own_area(state, self.force);
        let seas = &game.rules.seas;
        for start in 0..seas.len().min(MAX_SEAS) {
            let mut reached: Seas = 1 << start;
            let mut fresh = reached;
            while fresh != 0 {
                let sea = fresh.trailing_zeros() as usize;
                fresh &= fresh - 1;
                let shut = seas[sea].straits.iter().filter(|&&(_, key)| !area.contains(key));
                let open = shut.fold(seas[sea].neighbours, |open, &(to, _)| open & !to.mask()) & !reached;
                reached |= open;
                fresh |= open;
            }
            self.waters[start] = reached;
        }
    }

    /// Whether a transport can go from one port to another.
    pub fn sails(&self, game: &BlitzWar, from: Location, to: Location) -> bool {
        let mut seas = game.port_seas(from);
        let goal = game.port_seas(to);
        while seas != 0 {
            if self.waters[seas.trailing_zeros() as usize] & goal != 0 {
                return true;
            }
            seas &= seas - 1;
        }
        false
    }

    /// Worth of holding a zone with so many corps.
    pub fn hold(&self, map_tables: &MapTables, zone: Zone, corps: u8) -> f32 {
        let threat = self.threat[zone.at()];
        if threat <= 0.0 || corps == 0 {
            return 0.0;
        }
        let corps = f32::from(corps);
        // How likely an attack is, and how well it would be met.
        (map_tables.guard[zone.at()] + self.stake[zone.at()]) * (threat / (threat + 3.0)) * corps
            / (corps + self.weights.cover * threat)
    }

    /// How much a reserve likes to stand in a zone: nearer to where it is wanted.
    pub fn pull(&self, zone: Zone) -> f32 {
        -self.weights.pull * f32::from(self.front[zone.at()].min(20))
    }

    /// What a counter of so many corps gives up by leaving a zone: its part in holding it, and the line if it is the last.
    pub fn leave(&self, map_tables: &MapTables, from: Location, corps: u8) -> f32 {
        if from == Location::NONE {
            return 0.0;
        }
        let at = from.at();
        let left = self.hold(map_tables, from, self.strength[at])
            - self.hold(map_tables, from, self.strength[at].saturating_sub(corps));
        // A gap in the line lets them through.
        let mut gap =
            if self.counters[at] == 1 && self.edge.contains(from) { self.weights.plug + 0.5 } else { 0.0 };
        if self.last_stand.contains(from) {
            gap += LAST_STAND;
        }
        if self.counters[at] == 1 {
            gap += self.key[at];
        } else if self.sources.difference(&self.last_stand).contains(from) {
            gap -= CROWDED[usize::from(self.counters[at]).min(CROWDED.len() - 1)];
        }
        if corps == 1 && self.counters[at] > 2 && self.edge.contains(from) {
            gap -= SMALL_LAST;
        }
        let pull = self.pull(from) * Self::corps_weight(corps);
        left + gap + pull + self.watch_lost(from, corps)
    }

    /// What it costs the Axis that so many corps leave a zone to fewer than its enemies beside it call for.
    pub fn watch_lost(&self, from: Zone, corps: u8) -> f32 {
        if self.force != Force::Axis {
            return 0.0;
        }
        let wanted = WATCH * f32::from(self.beside[from.at()]);
        let missing = |held: u8| (wanted - f32::from(held)).max(0.0);
        let held = self.strength[from.at()];
        WATCH_LOST * (missing(held.saturating_sub(corps)) - missing(held))
    }

    /// What a counter of so many corps finds by entering a zone.
    pub fn enter(&self, map_tables: &MapTables, to: Location, corps: u8) -> f32 {
        let at = to.at();
        let mut plug = if self.counters[at] == 0 && self.edge.contains(to) { self.weights.plug } else { 0.0 };
        if self.counters[at] == 0 {
            // A small garrison does.
            plug += self.key[at] * (1.0 - LARGE_GARRISON * f32::from(corps.saturating_sub(1)));
        } else if self.sources.difference(&self.last_stand).contains(to) {
            plug -= CROWDED[usize::from(self.counters[at] + 1).min(CROWDED.len() - 1)];
        }
        if corps == 1 && self.counters[at] == 2 && self.edge.contains(to) {
            plug -= SMALL_LAST;
        }
        let found = self.hold(map_tables, to, self.strength[at] + corps)
            - self.hold(map_tables, to, self.strength[at]);
        let prize = if self.enemy[at] == 0 && self.prize[at] > 0.0 {
            // A lone corps does not keep what it walks into.
            let corps = f32::from(corps);
            // Where nothing threatens it a small counter does.
            let small = if self.threat[at] < SAFE { 1.0 - LARGE_WALK * (corps - 1.0) } else { 1.0 };
            small * self.prize[at] * corps / (corps + COUNTER_ATTACK * self.threat[at])
        } else {
            0.0
        };
        plug + found + prize + self.pull(to) * Self::corps_weight(corps)
    }

    /// What speaks for a counter of so many corps beside so many others: few large ones make a stack.
    pub fn crowding(&self, game: &BlitzWar, there: u8, corps: u8) -> f32 {
        let last = there + 1 == game.rules.limits.stack;
        0.1 * f32::from(corps) - if last && corps == 1 { SMALL_LAST } else { 0.0 }
    }

    /// How much more a large counter is wanted at the front.
    fn corps_weight(corps: u8) -> f32 {
        0.5 + 0.25 * f32::from(corps)
    }

    /// What a counter of so many corps gains by going to another zone, supply aside.
    pub fn gain(&self, map_tables: &MapTables, from: Location, to: Location, corps: u8) -> f32 {
        self.enter(map_tables, to, corps) - self.leave(map_tables, from, corps)
    }

    /// Records that a counter has been ordered from one zone to another.
    pub fn shift(&mut self, from: Location, to: Location, corps: u8) {
        if from != Location::NONE {
            self.strength[from.at()] = self.strength[from.at()].saturating_sub(corps);
            self.counters[from.at()] = self.counters[from.at()].saturating_sub(1);
        }
        self.strength[to.at()] += corps;
        self.counters[to.at()] += 1;
        self.prize[to.at()] = 0.0;
    }

    /// Whether so many corps of the Allies stay ashore at a zone: a few that find the enemy near are thrown back into the sea.
    /// True for the other sides, whose landings are not weighed.
    pub fn lands_in_force(&self, game: &BlitzWar, zone: Zone, landed: u8) -> bool {
        let threat = self.threat[zone.at()];
        self.force != Force::Allied
            || (!is_mainland(game, zone) || landed >= LEAST_LANDING || threat <= 1.0)
                && threat <= LANDING_LOST * f32::from(landed)
    }

    /// Whether a counter of the Axis does not go aboard because it is the last in a place of worth, such as Oslo. The others
    /// have more to win by the next landing than to lose by the last.
    pub fn stays(&self, game: &BlitzWar, map_tables: &MapTables, state: &State, port: Zone) -> bool {
        self.force == Force::Axis
            && land_counters(game, state, port) == 1
            && map_tables.worth[port.at()] >= KEY_WORTH
    }

    /// Whether corps in a port hold a front there, beside the enemy: the Allies take none of them for a landing elsewhere, which
    /// would give up one bridgehead for another.
    pub fn holds_front(&self, port: Zone) -> bool {
        self.force == Force::Allied && self.edge.contains(port)
    }

    /// Whether one more counter may stand in a zone.
    pub fn has_room(&self, game: &BlitzWar, zone: Zone, corps: u8) -> bool {
        let data = &game.rules.zones[zone.at()];
        data.unlimited
            || self.counters[zone.at()] < game.rules.limits.stack
                && data.corps_limit.is_none_or(|limit| self.strength[zone.at()] + corps <= limit)
    }
}
