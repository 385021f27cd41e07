//! How a position looks to one player: where the enemy threatens, where own troops stand, which roads the enemy must take,
//! where supply would reach.

use sandtable_core::units::UnitPlaces;
use sandtable_core::{Board, Direction, Hex, Index};
use sandtable_roads_to_moscow::ids::{Hexes, MAX_UNITS, UnitId, Units, place};
use sandtable_roads_to_moscow::rules::Weather;
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::tables::{BARRED, HEXES, NO_LINE, price_index};
use sandtable_roads_to_moscow::{Mark, Player, RoadsToMoscow, State};

use super::map_tables::{AIMS, AROUND, Aim, FAR, MapTables, REACH, Step};
use super::weights::Weights;

/// What of a unit's strength counts one, two and three hexes away.
const FALL: [f32; 3] = [1.0, 0.75, 0.4];
/// Columns of the enemy that are watched.
const SPEARS: usize = 6;
/// Hexes of a route.
const ROUTE: usize = 60;
/// Half points that a column goes further to get around own troops.
const DETOUR: usize = 20;
/// Layers of nearness to the enemy.
pub(super) const NEAR: usize = 8;

/// Half points of a raid: as far as the enemy's troops go in a sequence.
pub(super) const RAID: u8 = 12;
/// Half points of a raid on who keeps behind the troops, at most, for each sequence that the enemy may have before they move
/// again: a full allowance.
const DEEP_RAID: u8 = 16;
/// Most such sequences.
const SEQUENCES: u8 = 2;
/// What is left of the risk at the end of such raids.
const FARTHEST: f32 = 0.2;
/// Where no raid gets.
pub(super) const SAFE: u8 = u8::MAX;

/// Hexes of road that troops enter to open it, at most; hexes from a road within which troops are thought to live on it.
const ROAD: usize = 16;
const NEAR_ROAD: usize = 3;
/// Half points of way from a source of supply that are told apart; how much farther than an enemy on the road is beyond him.
const WAY: usize = 160;
const FARTHER: usize = 6;
/// Hexes from which troops are called to enemies that stand on a road of supply.
const CALL: usize = 10;

/// What of a position a decision asks about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// Where the enemy is, and how strong.
    Front,
    /// Where his columns are likely to go.
    Ways,
    /// All of it, supply too.
    All,
}

/// For whom a raid is feared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prey {
    Objectives,
    /// Guns, headquarters, leaders, fuel, and how many sequences the enemy may have before they move again.
    Rear {
        sequences: u8,
    },
}

impl Prey {
    /// Who keeps behind the troops of a player: where he holds, a formation may wait long for its marker.
    pub fn rear(goes_forward: bool) -> Prey {
        Prey::Rear { sequences: if goes_forward { 1 } else { SEQUENCES } }
    }
}

/// Parts of a survey, found when they are asked for.
const FRONT: u8 = 1;
const ROUTES: u8 = 2;
const SUPPLY: u8 = 4;

impl View {
    fn parts(self) -> u8 {
        match self {
            View::Front => FRONT,
            View::Ways => ROUTES,
            View::All => FRONT | ROUTES | SUPPLY,
        }
    }
}

/// A column of the enemy and where it is likely to go.
#[derive(Clone, Copy, Debug)]
struct Spear {
    from: Hex,
    aim: usize,
    strength: f32,
    route: [Hex; ROUTE],
    length: usize,
    /// The hexes of the route and those beside it, once it has been traced around own troops.
    along: Hexes,
}

/// All of a position on which a survey depends: while it is the same, so is what the survey has found.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    player: Player,
    weights: Weights,
    weather: Weather,
    places: UnitPlaces<UnitId, Hex, MAX_UNITS, 2>,
    marks: [Units; 2],
    german: Hexes,
    zoc: [Hexes; 2],
    positions: [Hexes; 2],
    lines_destroyed: u64,
}

impl Seen {
    fn of(state: &State, player: Player, weights: &Weights) -> Seen {
        Seen {
            player,
            weights: *weights,
            weather: state.weather,
            places: state.places,
            marks: [*state.marked(Mark::Reduced), *state.marked(Mark::Unsupplied)],
            german: state.german,
            zoc: state.zoc,
            positions: state.positions,
            lines_destroyed: state.lines_destroyed,
        }
    }

    fn is_of(&self, state: &State, player: Player, weights: &Weights) -> bool {
        self.player == player
            && self.weather == state.weather
            && self.lines_destroyed == state.lines_destroyed
            && self.places == state.places
            && self.marks == [*state.marked(Mark::Reduced), *state.marked(Mark::Unsupplied)]
            && self.german == state.german
            && self.zoc == state.zoc
            && self.positions == state.positions
            && self.weights == *weights
    }
}

/// The survey of a player.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// What it has last looked at.
    seen: Option<Seen>,
    /// The parts that it has found there.
    found: u8,
    /// Whether a plan has changed since what troops in their new places do to the enemy's ways.
    planned: bool,
    pub player: Player,
    /// Offence of the enemy that could fall on a hex.
    pub threat: Vec<f32>,
    /// Defence of own troops in a hex and around it.
    pub guard: Vec<f32>,
    /// Offence of the columns whose way leads by a hex, the nearer the more.
    pub menace: Vec<f32>,
    /// Worth of standing in a hex in the enemy's way.
    pub block: Vec<f32>,
    /// Points of each objective to be taken.
    pub pull: [f32; AIMS],
    /// Which they are, a bit each.
    open: u32,
    /// How far on each hex is towards them.
    ahead: Vec<f32>,
    /// Hexes where a motorised unit, and one on foot, would be supplied.
    pub supply: [Hexes; 2],
    /// The roads on which it comes to motorised units.
    pub roads: Hexes,
    /// The hexes from which they are closed, and how many own combat units live on what lies beyond, by half points of way
    /// from the source.
    by_roads: Hexes,
    beyond: [u8; WAY],
    /// Hexes at most so many away from an enemy combat unit.
    pub near: [Hexes; NEAR],
    spears: [Spear; SPEARS],
    count: usize,
    /// Half points that own troops add to the enemy's way through a hex.
    pub wall: Vec<u8>,
    /// Half points to each hex for the nearest troops of the enemy, around own troops and no farther than into their zones;
    /// [`SAFE`] if that is farther than the raids that are feared.
    pub raid: Vec<u8>,
    /// What a half point of a raid takes from the risk.
    fade: f32,
    /// Road hexes that must be entered to bring supply to troops which it does not reach.
    pub closed_road: Hexes,
    /// Enemies who stand on that road or whose zones cover it, if nothing else opens it.
    pub blockers: Hexes,
    /// Hexes at most so many away from them, while own troops are called there.
    called: [Hexes; CALL],
    /// Own units that the road would supply.
    pub cut_off: u32,
    search: Search,
}

/// The work of looking for a route.
#[derive(Clone, Debug)]
struct Search {
    spent: Vec<u16>,
    back: Vec<u8>,
    seen: Vec<Hex>,
    open: Vec<Vec<Hex>>,
}

impl Survey {
    pub fn new() -> Survey {
        let spear = Spear {
            from: place::OUT,
            aim: 0,
            strength: 0.0,
            route: [place::OUT; ROUTE],
            length: 0,
            along: Hexes::EMPTY,
        };
        Survey {
            seen: None,
            found: 0,
            planned: false,
            player: Player::German,
            threat: vec![0.0; HEXES],
            guard: vec![0.0; HEXES],
            menace: vec![0.0; HEXES],
            block: vec![0.0; HEXES],
            pull: [0.0; AIMS],
            open: 0,
            ahead: vec![REACH * 1e-9f32.ln(); HEXES],
            supply: [Hexes::EMPTY; 2],
            roads: Hexes::EMPTY,
            by_roads: Hexes::EMPTY,
            beyond: [0; WAY],
            near: [Hexes::EMPTY; NEAR],
            spears: [spear; SPEARS],
            count: 0,
            wall: vec![0; HEXES],
            raid: vec![SAFE; HEXES],
            fade: 0.0,
            closed_road: Hexes::EMPTY,
            blockers: Hexes::EMPTY,
            called: [Hexes::EMPTY; CALL],
            cut_off: 0,
            search: Search {
                spent: vec![u16::MAX; HEXES],
                back: vec![0; HEXES],
                seen: Vec::with_capacity(HEXES),
                open: (0..=DETOUR.max(usize::from(SEQUENCES * DEEP_RAID)))
                    .map(|_| Vec::with_capacity(HEXES))
                    .collect(),
            },
        }
    }

    /// Whether this is the position at which it has looked last.
    pub fn is_of(&self, state: &State, player: Player, weights: &Weights) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.is_of(state, player, weights))
    }

    /// Looks at a position, if it has not just done so.
    pub fn take(
        &mut self,
        game: &RoadsToMoscow,
        tables: &MapTables,
        state: &State,
        player: Player,
        weights: &Weights,
        view: View,
    ) {
        if !self.is_of(state, player, weights) {
            self.seen = Some(Seen::of(state, player, weights));
            self.found = 0;
            self.player = player;
            self.look_ahead(tables, state);
        }
        let wanted = view.parts();
        let missing = wanted & !self.found;
        if missing & FRONT != 0 {
            self.look_at_front(game, tables, state);
        }
        if missing & SUPPLY != 0 {
            let found = [false, true].map(|foot| supply(game, state, player, foot));
            self.supply = found.map(|(area, _)| area);
            self.roads = found[0].1;
        }
        if missing & ROUTES != 0 {
            self.watch(game, tables, state);
            self.look_at_ways(game, tables, state, weights);
        } else if wanted & ROUTES != 0 && self.planned {
            self.look_at_ways(game, tables, state, weights);
        }
        self.found |= missing;
    }

    /// Who lives on the roads, how far from the source.
    fn count_beyond(&mut self, game: &RoadsToMoscow, tables: &MapTables, state: &State) {
        let beside = game.board().neighbours_of(&self.roads);
        self.by_roads = self.roads.or(&beside).or(&game.board().neighbours_of(&beside));
        self.beyond.fill(0);
        let home = &tables.home[self.player.index()];
        for unit in game.units_of(self.player).and(&game.sets().combat).and(&state.on_map) {
            self.beyond[usize::from(home[state.at(unit).at()]).min(WAY - 1)] += 1;
        }
        for at in (1..WAY).rev() {
            self.beyond[at - 1] += self.beyond[at];
        }
    }

    /// Own units that an enemy in a hex could cut off: those beyond it, if it is by a road on which supply comes.
    #[inline]
    pub fn hostages(&self, tables: &MapTables, hex: Hex) -> u32 {
        if !self.by_roads.contains(hex) {
            return 0;
        }
        let way = usize::from(tables.home[self.player.index()][hex.at()]) + FARTHER;
        u32::from(self.beyond[way.min(WAY - 1)])
    }

    /// Where the enemy is and what he threatens, where own troops stand.
    fn look_at_front(&mut self, game: &RoadsToMoscow, tables: &MapTables, state: &State) {
        let (player, enemy) = (self.player, self.player.enemy());
        self.threat.fill(0.0);
        self.guard.fill(0.0);
        let mut near = state.occupied[enemy.index()];
        for layer in &mut self.near {
            *layer = near;
            near = near.or(&game.board().neighbours_of(&near));
        }
        for hex in state.occupied[enemy.index()] {
            spread(&mut self.threat, tables, hex, offence(game, state, hex, enemy));
        }
        for hex in state.occupied[player.index()] {
            let units = game.combat_units(state, hex, player);
            let defence: u32 = units.iter().map(|unit| u32::from(game.defence(state, unit))).sum();
            spread(&mut self.guard, tables, hex, defence as f32);
        }
    }

    /// The objectives to be taken, and how far on each hex is towards them.
    fn look_ahead(&mut self, tables: &MapTables, state: &State) {
        let player = self.player;
        let known = std::mem::take(&mut self.open);
        for (at, (aim, pull)) in tables.aims.iter().zip(&mut self.pull).enumerate() {
            let open = aim.source.is_none() && state.controller(aim.hex) != player;
            *pull = if open { aim.points } else { 0.0 };
            self.open |= u32::from(open) << at;
        }
        if self.open != known {
            for (ahead, near) in self.ahead.iter_mut().zip(&tables.near) {
                let sum: f32 = near.iter().zip(&self.pull).map(|(near, pull)| near * pull).sum();
                *ahead = REACH * (sum + 1e-9).ln();
            }
        }
    }

    /// The ways of the enemy's columns with nobody in them.
    fn look_at_ways(&mut self, game: &RoadsToMoscow, tables: &MapTables, state: &State, weights: &Weights) {
        self.planned = false;
        self.wall.fill(0);
        for spear in 0..self.count {
            self.descend(game, tables, spear);
        }
        self.weigh(game, tables, state, weights);
    }

    /// The way of a column to its aim with nobody in it.
    fn descend(&mut self, game: &RoadsToMoscow, tables: &MapTables, number: usize) {
        let spear = &mut self.spears[number];
        let mut hex = spear.from;
        spear.length = 0;
        while spear.length < ROUTE
            && let Some(way) = tables.onward[hex.at()][spear.aim]
        {
            hex = game.neighbour(hex, way);
            spear.route[spear.length] = hex;
            spear.length += 1;
        }
    }

    /// Where the enemy's columns are, and what each is likely to go for.
    fn watch(&mut self, game: &RoadsToMoscow, tables: &MapTables, state: &State) {
        let (player, enemy) = (self.player, self.player.enemy());
        let own = |aim: &Aim| match aim.source {
            Some(whose) => whose == player,
            None => state.controller(aim.hex) == player,
        };
        // Every stack with what it would best go for.
        let mut stacks = [(0.0f32, 0usize, place::OUT, 0.0f32); MAX_UNITS];
        let mut stacked = 0;
        for hex in state.occupied[enemy.index()] {
            let strength = offence(game, state, hex, enemy);
            let (mut worth, mut goal) = (0.0, 0);
            if strength >= 2.0 {
                for (at, aim) in tables.aims.iter().enumerate() {
                    let way = tables.ways[hex.at()][at];
                    if way >= FAR || !own(aim) {
                        continue;
                    }
                    let value = aim.points * strength.min(12.0) / (8.0 + f32::from(way));
                    if value > worth {
                        (worth, goal) = (value, at);
                    }
                }
            }
            stacks[stacked] = (worth, goal, hex, strength);
            stacked += 1;
        }
        let stacks = &mut stacks[..stacked];
        self.count = 0;
        while self.count < SPEARS {
            let mut best = (0.0, 0, place::OUT);
            for &(worth, aim, hex, _) in &*stacks {
                if worth > best.0 {
                    best = (worth, aim, hex);
                }
            }
            let (_, aim, from) = best;
            if from == place::OUT {
                return;
            }
            let mut strength = 0.0;
            for (worth, _, hex, offence) in &mut *stacks {
                if game.distance(from, *hex) <= 2 {
                    strength += *offence;
                    *worth = 0.0;
                }
            }
            self.spears[self.count] = Spear { from, aim, strength, ..self.spears[self.count] };
            self.count += 1;
        }
    }

    /// The cheapest way of a column to its aim, own troops in the way counted with what they hold it up; none if that is far
    /// around.
    fn trace(&mut self, game: &RoadsToMoscow, tables: &MapTables, number: usize) {
        let Search { spent, back, seen, open } = &mut self.search;
        for hex in seen.drain(..) {
            spent[hex.at()] = u16::MAX;
        }
        open.iter_mut().for_each(Vec::clear);
        let spear = &mut self.spears[number];
        spear.length = 0;
        spear.along = Hexes::EMPTY;
        let aim = spear.aim;
        let ways = &tables.ways_to[aim][..];
        let direct = usize::from(ways[spear.from.at()]);
        spent[spear.from.at()] = 0;
        seen.push(spear.from);
        open[0].push(spear.from);
        let target = tables.aims[aim].hex;
        let mut detour = 0;
        while detour <= DETOUR {
            let Some(hex) = open[detour].pop() else {
                detour += 1;
                continue;
            };
            let here = usize::from(spent[hex.at()]);
            if here + usize::from(ways[hex.at()]) != direct + detour {
                continue;
            }
            if hex == target {
                break;
            }
            for (way, &Step { to: next, price }) in tables.steps_out[hex.at()].iter().enumerate() {
                if price == BARRED {
                    continue;
                }
                let total = here + usize::from(price) + usize::from(self.wall[next.at()]);
                let known = spent[next.at()];
                if total >= usize::from(known) {
                    continue;
                }
                let detour = total + usize::from(ways[next.at()]) - direct;
                if detour > DETOUR {
                    continue;
                }
                if known == u16::MAX {
                    seen.push(next);
                }
                spent[next.at()] = total as u16;
                back[next.at()] = way as u8;
                open[detour].push(next);
            }
        }
        if spent[target.at()] == u16::MAX {
            return;
        }
        // From the aim back; of a long way the part before the enemy is kept.
        let mut length = 0;
        let mut hex = target;
        while hex != spear.from {
            length += 1;
            hex = game.neighbour(hex, Direction::ALL[usize::from(back[hex.at()])].opposite());
        }
        let (mut hex, mut at) = (target, length);
        while hex != spear.from {
            at -= 1;
            if at < ROUTE {
                spear.route[at] = hex;
            }
            hex = game.neighbour(hex, Direction::ALL[usize::from(back[hex.at()])].opposite());
        }
        spear.length = length.min(ROUTE);
        let route: Hexes = spear.route[..spear.length].iter().copied().collect();
        spear.along = route.or(&game.board().neighbours_of(&route));
    }

    /// Weighs the hexes in the ways of all columns.
    fn weigh(&mut self, game: &RoadsToMoscow, tables: &MapTables, state: &State, weights: &Weights) {
        self.menace.fill(0.0);
        self.block.fill(0.0);
        for spear in &self.spears[..self.count] {
            let aim = spear.aim;
            let value = weights.block * (1.0 + 0.4 * tables.aims[aim].points * weights.prize);
            let quality = |hex: Hex| {
                let mut cover = tables.cover[hex.at()][aim];
                let line = game.map().line_of[hex.at()];
                if self.player == Player::Soviet && line != NO_LINE && state.lines_destroyed >> line & 1 == 0
                {
                    cover += tables.line_cover[hex.at()][aim];
                }
                if state.positions[self.player.index()].contains(hex) {
                    cover += 1.0;
                }
                0.5 + 0.25 * cover
            };
            let mut share = 1.0f32;
            for (step, &hex) in spear.route[..spear.length].iter().enumerate() {
                share *= 0.97;
                let menace = spear.strength * share;
                // Right before the enemy there is no time to settle.
                let near = if step < 2 { 0.7 } else { 1.0 };
                let is_aim = hex == tables.aims[aim].hex;
                let here = value * near * if is_aim { share.max(0.6) * 1.3 } else { share };
                let cell = &mut self.block[hex.at()];
                let new = here * quality(hex);
                *cell = cell.max(new) + 0.15 * new.min(*cell);
                let cell = &mut self.menace[hex.at()];
                *cell = cell.max(menace);
                for (at, &beside) in tables.around[hex.at()][..18].iter().enumerate() {
                    if is_hex(beside) {
                        let fall = if at < 6 { 0.9 } else { 0.6 };
                        let cell = &mut self.menace[beside.at()];
                        *cell = cell.max(fall * menace);
                        if at < 6 {
                            let new = 0.6 * here * quality(beside);
                            let cell = &mut self.block[beside.at()];
                            *cell = cell.max(new);
                        }
                    }
                }
            }
        }
    }

    /// Troops of a defence will stand in a hex: the enemy will go around them, if he can.
    pub fn build(&mut self, tables: &MapTables, hex: Hex, defence: f32) {
        self.planned = true;
        let held = self.hold(hex, defence);
        let cell = &mut self.wall[hex.at()];
        *cell = cell.saturating_add((30.0 * held) as u8).min(60);
        for &beside in &tables.around[hex.at()][..6] {
            if is_hex(beside) {
                let cell = &mut self.wall[beside.at()];
                *cell = (*cell).max((10.0 * held) as u8);
            }
        }
    }

    /// Finds who lives on the roads of supply, and the road that must be opened to bring it to units that have none: one that the enemy merely controls,
    /// else one on which he stands.
    pub fn look_for_closed_roads(&mut self, game: &RoadsToMoscow, tables: &MapTables, state: &State) {
        self.forget_closed_roads();
        self.count_beyond(game, tables, state);
        let player = self.player;
        let enemy = player.enemy().index();
        let without = state.marked(Mark::Emergency).or(state.marked(Mark::Unsupplied));
        let without = without.and(game.units_of(player)).and(&state.on_map);
        if without.is_empty() {
            return;
        }
        let supplied = [false, true].map(|foot| game.supplied_hexes(state, player, foot));
        let of = |unit: UnitId| usize::from(game.sets().foot.contains(unit));
        let cut = without.filter(|unit| !supplied[of(unit)].contains(state.at(unit)));
        let free = cut.filter(|unit| self.supply[of(unit)].contains(state.at(unit)));
        self.cut_off = free.len();
        self.closed_road = road_to(game, state, player, &free, &passable_to(game, state, player));
        if self.closed_road.is_empty() && !cut.is_empty() {
            self.cut_off = cut.len();
            self.closed_road = road_to(game, state, player, &cut, game.board().places());
            let beside = self.closed_road.or(&game.board().neighbours_of(&self.closed_road));
            self.blockers = beside.and(&state.occupied[enemy]);
            let mut near = self.blockers;
            for layer in &mut self.called {
                *layer = near;
                near = near.or(&game.board().neighbours_of(&near));
            }
        }
    }

    /// Asks nobody to open a road.
    pub fn forget_closed_roads(&mut self) {
        (self.closed_road, self.blockers, self.cut_off) = (Hexes::EMPTY, Hexes::EMPTY, 0);
        self.by_roads = Hexes::EMPTY;
        self.dismiss();
    }

    /// Calls nobody else to the enemies on the road.
    pub fn dismiss(&mut self) {
        self.called = [Hexes::EMPTY; CALL];
    }

    /// How near a hex is to enemies against whom troops are called: 1 at them, less with each hex.
    #[inline]
    pub fn call(&self, hex: Hex) -> f32 {
        if !self.called[CALL - 1].contains(hex) {
            return 0.0;
        }
        let away = self.called.iter().position(|layer| layer.contains(hex)).unwrap_or(CALL);
        1.0 - away as f32 / CALL as f32
    }

    /// Finds how near the enemy's troops come to each hex while own troops stand in these hexes. Their zones stop no red
    /// boxes on the way to guns and headquarters, nor to objectives late in the game.
    pub fn look_for_raids(
        &mut self,
        game: &RoadsToMoscow,
        tables: &MapTables,
        state: &State,
        troops: &Hexes,
        prey: Prey,
    ) {
        let enemy = self.player.enemy();
        let zones = game.board().neighbours_of(troops);
        let zone = game.rules.terrain.zoc_entry;
        let (most, longest) = match prey {
            Prey::Objectives => (RAID, DEEP_RAID),
            Prey::Rear { sequences } => (sequences * DEEP_RAID, sequences * DEEP_RAID),
        };
        self.fade = (1.0 - FARTHEST) / f32::from(longest);
        let open = &mut self.search.open[..=usize::from(most)];
        open.iter_mut().for_each(Vec::clear);
        self.raid.fill(SAFE);
        let behind = game.sets().artillery.or(&game.sets().headquarters);
        let prices = &game.map().prices[price_index(true, false)];
        // Red boxes go on through zones, whoever else comes into one stops there (8.22, 8.23). To fear them always for an
        // objective costs more than they take; late, what they take is not taken back, nor is a headquarters ever.
        let deep = prey != Prey::Objectives || tables.is_late(state);
        let kinds: &[bool] = if deep { &[true, false] } else { &[false] };
        for &red in kinds {
            let mut starts = Hexes::EMPTY;
            for hex in state.occupied[enemy.index()] {
                let troops = game.combat_units(state, hex, enemy).difference(&behind);
                let raiders = if red { troops.and(&game.sets().red) } else { troops };
                if raiders.is_empty() {
                    continue;
                }
                let start = match prey {
                    Prey::Objectives => 0,
                    Prey::Rear { sequences } => {
                        let farthest = raiders.iter().map(|unit| game.allowance(state, unit, false)).max();
                        most - (sequences * farthest.unwrap_or(0)).min(most)
                    }
                };
                starts.insert(hex);
                if start < self.raid[hex.at()] {
                    self.raid[hex.at()] = start;
                    open[usize::from(start)].push(hex);
                }
            }
            for spent in 0..=most {
                while let Some(hex) = open[usize::from(spent)].pop() {
                    let inside = zones.contains(hex);
                    if self.raid[hex.at()] != spent
                        || !starts.contains(hex) && (inside && !red || troops.contains(hex))
                    {
                        continue;
                    }
                    for (way, &Step { to, price }) in tables.steps_out[hex.at()].iter().enumerate() {
                        if price == BARRED {
                            continue;
                        }
                        let into = zones.contains(to);
                        let path = if inside && into { prices[hex.at()].plain[way] } else { price };
                        if path == BARRED {
                            continue;
                        }
                        let total = spent + path + if into { zone } else { 0 };
                        if total <= most && total < self.raid[to.at()] {
                            self.raid[to.at()] = total;
                            open[usize::from(total)].push(to);
                        }
                    }
                }
            }
        }
    }

    /// Whether the enemy's troops can get to a hex in the sequences that are feared, and how soon: from nothing to 1.
    #[inline]
    pub fn risk(&self, hex: Hex) -> f32 {
        let raid = self.raid[hex.at()];
        if raid == SAFE { 0.0 } else { 1.0 - self.fade * f32::from(raid) }
    }

    /// Traces anew the ways that lead by a hex, or all, and weighs what is on them.
    pub fn retrace(
        &mut self,
        game: &RoadsToMoscow,
        tables: &MapTables,
        state: &State,
        weights: &Weights,
        by: Option<Hex>,
    ) {
        self.planned = true;
        let mut changed = by.is_none();
        for number in 0..self.count {
            let spear = &self.spears[number];
            if by.is_none_or(|by| spear.along.contains(by)) {
                let (known, length) = (spear.route, spear.length);
                self.trace(game, tables, number);
                let spear = &self.spears[number];
                changed |= known[..length] != spear.route[..spear.length];
            }
        }
        if changed {
            self.weigh(game, tables, state, weights);
        }
    }

    /// Defence that holds a hex for a while.
    #[inline]
    pub fn needed(&self, hex: Hex) -> f32 {
        2.0 + 0.4 * self.threat[hex.at()].max(0.8 * self.menace[hex.at()])
    }

    /// Share of the enemy's way that a defence in a hex bars: little if it is weak, for then it is run over.
    #[inline]
    pub fn hold(&self, hex: Hex, defence: f32) -> f32 {
        let share = defence / self.needed(hex);
        share * share / (share * share + 0.5)
    }

    /// How far on a hex is: half points of way to the objectives to be taken, the nearer and the richer counting more.
    #[inline]
    pub fn progress(&self, hex: Hex) -> f32 {
        self.ahead[hex.at()]
    }

    /// Whether a unit would be supplied in a hex.
    #[inline]
    pub fn supplies(&self, hex: Hex, foot: bool) -> bool {
        self.supply[usize::from(foot)].contains(hex)
    }

    /// Hexes to the nearest enemy, at most [`NEAR`].
    #[inline]
    pub fn enemy_distance(&self, hex: Hex) -> usize {
        self.near.iter().position(|layer| layer.contains(hex)).unwrap_or(NEAR)
    }
}

/// Offence of a side's units in a hex; guns with part of their support.
pub(super) fn offence(game: &RoadsToMoscow, state: &State, hex: Hex, player: Player) -> f32 {
    game.combat_units(state, hex, player)
        .iter()
        .map(|unit| {
            let guns = 0.4 * f32::from(game.unit(unit).support);
            let part = if state.has(unit, Mark::Unsupplied) { 0.5 } else { 1.0 };
            part * f32::from(game.offence(state, unit)) + guns
        })
        .sum()
}

fn spread(map: &mut [f32], tables: &MapTables, hex: Hex, strength: f32) {
    map[hex.at()] += strength;
    let around: &[Hex; AROUND] = &tables.around[hex.at()];
    for (ring, fall) in [0..6, 6..18, 18..36].into_iter().zip(FALL) {
        for &other in &around[ring] {
            if other != place::OUT {
                map[other.at()] += fall * strength;
            }
        }
    }
}

/// Ground that supply could be traced over if own troops went there: that which the enemy merely controls is open, for
/// whoever goes there takes it on the way.
fn passable_to(game: &RoadsToMoscow, state: &State, player: Player) -> Hexes {
    let enemy = player.enemy().index();
    let free = game.board().places().difference(&state.zoc[enemy]).or(&state.occupied[player.index()]);
    free.difference(&state.occupied[enemy]).difference(&state.positions[enemy])
}

/// Hexes of the shortest ways by road, over `open` hexes, from the roads that bring supply to near some units, that are
/// not open to it yet; none if they are long.
fn road_to(game: &RoadsToMoscow, state: &State, player: Player, units: &Units, open: &Hexes) -> Hexes {
    if units.is_empty() {
        return Hexes::EMPTY;
    }
    let (map, board) = (game.map(), game.board());
    let mut goal: Hexes = units.iter().map(|unit| state.at(unit)).collect();
    for _ in 0..NEAR_ROAD {
        goal = goal.or(&board.neighbours_of(&goal));
    }
    let held = game.open_to_supply(state, player);
    let sources = map.sources[player.index()];
    let mut reached = board.fill_across(sources.and(&held), &held, &map.roads);
    let mut layers = [Hexes::EMPTY; ROAD];
    for at in 0..ROAD {
        // A source that the enemy holds is a beginning as well.
        let next = if reached.is_empty() { sources } else { board.across(&reached, &map.roads) };
        let layer = next.and(open).difference(&reached);
        if layer.is_empty() {
            break;
        }
        layers[at] = layer;
        reached = reached.or(&layer);
        if layer.intersects(&goal) {
            let mut path = layer.and(&goal);
            let mut road = path;
            for back in layers[..at].iter().rev() {
                path = board.across(&path, &map.roads).and(back);
                road = road.or(&path);
            }
            return road.difference(&held);
        }
    }
    Hexes::EMPTY
}

/// Hexes where a unit would be supplied if own troops went there, as the rules trace it, and the roads that lead there.
fn supply(game: &RoadsToMoscow, state: &State, player: Player, foot: bool) -> (Hexes, Hexes) {
    let (map, board) = (game.map(), game.board());
    let open = passable_to(game, state, player);
    let roads = if foot { &map.roads_and_tracks } else { &map.roads };
    let sources = map.sources[player.index()].and(&open);
    let network = board.fill_across(sources, &open, roads);
    let numbers = &game.rules.numbers;
    let line = if state.weather == Weather::Rain { numbers.supply_line_short } else { numbers.supply_line };
    let reached = board.within_across(network, u32::from(line) - 1, &open, &map.passable);
    let enemy = &state.occupied[player.enemy().index()];
    (reached.or(&board.across(&reached, &map.passable)).difference(enemy), network)
}

#[cfg(test)]
mod tests {
    use sandtable_roads_to_moscow::editor::Editor;
    use sandtable_roads_to_moscow::ids::hex;

    use super::*;
    use crate::fixture::open;

    #[test]
    fn a_raid_stops_in_the_zones_of_troops() {
        let (game, tables) = open("mozhaysk");
        let mut editor = Editor::new(&game);
        let state = editor.clear().place("s_32_I_17", 3219).finish();
        let mut survey = Survey::new();
        survey.player = Player::German;
        let from = hex(3219);
        let mut reached = |troops: &Hexes| {
            survey.look_for_raids(&game, &tables, &state, troops, Prey::Objectives);
            game.board().places().filter(|hex| survey.risk(hex) > 0.0)
        };
        let free = reached(&Hexes::EMPTY);
        let ring = game.board().neighbours_of(&Hexes::one(from));
        assert!(free.len() > 40 && free.contains(from));
        // With troops two hexes away on all sides nobody gets farther than into the ring between.
        let wall = game.board().neighbours_of(&ring).difference(&ring).difference(&Hexes::one(from));
        let held = reached(&wall);
        assert_eq!(held.difference(&ring).difference(&Hexes::one(from)), Hexes::EMPTY);
        assert!(held.intersects(&ring));
    }

    #[test]
    fn an_enemy_by_the_road_holds_hostage_who_lives_beyond_him() {
        let (game, tables) = open("road-to-mtsensk");
        let mut editor = Editor::new(&game);
        editor.clear().control_all(Player::German);
        for unit in ["g_4pz_I_33", "g_4pz_II_33", "g_4pz_I_12"] {
            editor.place(unit, 2417);
        }
        let state = editor.finish();
        let weights = Weights::of(Player::German, true);
        let mut survey = Survey::new();
        survey.take(&game, &tables, &state, Player::German, &weights, View::All);
        let home = |at: Hex| tables.home[Player::German.index()][at.at()];
        let front = home(hex(2417));
        let behind = survey.roads.iter().find(|&at| home(at) + 20 < front).unwrap();
        let ahead = survey.roads.iter().find(|&at| home(at) > front && home(at) < FAR).unwrap();
        let asked = |survey: &Survey| [behind, ahead].map(|at| survey.hostages(&tables, at));
        assert_eq!(asked(&survey), [0, 0]);
        survey.look_for_closed_roads(&game, &tables, &state);
        assert_eq!(asked(&survey), [3, 0]);
        survey.forget_closed_roads();
        assert_eq!(asked(&survey), [0, 0]);
    }

    /// 8.22, 8.23: a zone holds up who has no red box.
    #[test]
    fn red_boxes_raid_through_zones_late_in_the_game_and_always_on_headquarters() {
        let (game, tables) = open("mozhaysk");
        let mut survey = Survey::new();
        let mut reached = |raider: &str, player: Player, turn: u8, prey: Prey| {
            let mut editor = Editor::new(&game);
            let state = editor.clear().turn(turn).place(raider, 3219).finish();
            survey.player = player;
            let around = game.board().neighbours_of(&Hexes::one(hex(3219)));
            let ring = game.board().neighbours_of(&around).difference(&around);
            // Every other hex of the ring: between them lie their zones.
            let troops: Hexes = ring.iter().filter(|&at| at != hex(3219)).step_by(2).collect();
            survey.look_for_raids(&game, &tables, &state, &troops, prey);
            game.board().places().filter(|at| survey.risk(at) > 0.0).len()
        };
        let turns = [1, tables.turns - 2, tables.turns - 1, tables.turns];
        let red = turns.map(|turn| reached("g_10pz_I_69", Player::Soviet, turn, Prey::Objectives));
        assert!(red[0] == red[1] && red[2] == red[3] && red[2] > red[1] + 5, "{red:?}");
        let rear = turns.map(|turn| reached("g_10pz_I_69", Player::Soviet, turn, Prey::rear(true)));
        assert!(rear.iter().zip(red).all(|(rear, red)| *rear >= red), "{rear:?} {red:?}");
        assert!(rear[0] > red[0] + 5 && rear[1] > red[1] + 5, "{rear:?} {red:?}");
        // As far as it goes.
        let faster = reached("g_10pz_k10", Player::Soviet, 1, Prey::rear(true));
        assert!(faster > rear[0], "{faster} {rear:?}");
        let foot = turns.map(|turn| reached("s_32_I_17", Player::German, turn, Prey::Objectives));
        assert_eq!(foot, [foot[0]; 4]);
        let few = reached("s_32_I_17", Player::German, 1, Prey::rear(true));
        assert!(few <= foot[0], "{few} {foot:?}");
    }

    #[test]
    fn who_waits_for_a_marker_fears_who_comes_in_two_sequences() {
        let (game, tables) = open("mozhaysk");
        let state = Editor::new(&game).clear().place("g_10pz_I_69", 3219).finish();
        let mut survey = Survey::new();
        survey.player = Player::Soviet;
        // Half points of way to the farthest hex that is feared for, and the risk there.
        let mut farthest = |goes_forward: bool| {
            let prey = Prey::rear(goes_forward);
            survey.look_for_raids(&game, &tables, &state, &Hexes::EMPTY, prey);
            let feared = game.board().places().filter(|at| survey.raid[at.at()] != SAFE);
            let last = feared.iter().max_by_key(|at| survey.raid[at.at()]).unwrap();
            (survey.raid[last.at()] - survey.raid[hex(3219).at()], survey.risk(last))
        };
        let allowance = 2 * game.unit(game.rules.unit("g_10pz_I_69").unwrap()).full.movement;
        let (once, twice) = (farthest(true), farthest(false));
        assert_eq!((once.0, twice.0), (allowance, 2 * allowance));
        assert!(once.1 > 0.0 && (once.1 - twice.1).abs() < 1e-6, "{once:?} {twice:?}");
    }

    #[test]
    fn what_lies_nearer_to_a_raid_is_in_more_danger() {
        let (game, tables) = open("mozhaysk");
        let state = Editor::new(&game).clear().place("s_32_I_17", 3219).finish();
        let mut survey = Survey::new();
        survey.player = Player::German;
        survey.look_for_raids(&game, &tables, &state, &Hexes::EMPTY, Prey::Objectives);
        // The danger to the hexes that lie so many half points away.
        let risk_at = |raid: u8| {
            let mut there = game.board().places().iter().filter(|hex| survey.raid[hex.at()] == raid);
            there.next().map(|hex| survey.risk(hex))
        };
        let risks: Vec<f32> = (0..=RAID).filter_map(risk_at).collect();
        assert!(risks.len() > 6 && risks[0] >= 1.0, "{risks:?}");
        assert!(risks.is_sorted_by(|near, far| near > far), "{risks:?}");
        // At the end of its way it has half the time at most.
        assert!(risk_at(RAID).is_some_and(|risk| risk > 0.0 && risk < 0.5), "{risks:?}");
    }

    /// What a survey says of a battalion without supply at Optukha, with the only road to it in the enemy's hand.
    fn cut_off(blocker: Option<u16>) -> Survey {
        let (game, tables) = open("road-to-mtsensk");
        let mut editor = Editor::new(&game);
        editor.clear().control_all(Player::Soviet).control(434, Player::German).control(133, Player::German);
        editor.place("g_4pz_I_33", 1127).mark("g_4pz_I_33", Mark::Emergency, true);
        if let Some(at) = blocker {
            editor.place("s_5ab_I_201", at);
        }
        let state = editor.finish();
        let mut survey = Survey::new();
        let weights = Weights::of(Player::German, true);
        survey.take(&game, &tables, &state, Player::German, &weights, View::All);
        survey.look_for_closed_roads(&game, &tables, &state);
        survey
    }

    #[test]
    fn a_road_that_the_enemy_merely_controls_is_walked() {
        let survey = cut_off(None);
        assert!(survey.closed_road.contains(hex(730)), "{:?}", survey.closed_road);
        assert!(survey.blockers.is_empty() && survey.cut_off == 1);
        assert!(survey.call(hex(830)) <= 0.0);
    }

    #[test]
    fn troops_are_called_to_enemies_on_the_road_of_supply() {
        let survey = cut_off(Some(730));
        assert_eq!((survey.blockers, survey.cut_off), (Hexes::one(hex(730)), 1));
        assert!(survey.closed_road.contains(hex(730)));
        let [near, on_the_way, far] = [830, 1127, 3605].map(|at| survey.call(hex(at)));
        assert!(near > on_the_way && on_the_way > 0.0 && far <= 0.0, "{near} {on_the_way} {far}");
    }

    #[test]
    fn a_survey_finds_what_it_is_asked_for_and_the_rest_later() {
        let (game, tables) = open("mozhaysk");
        let state = Editor::new(&game).finish();
        let weights = Weights::of(Player::Soviet, false);
        let look = |views: &[View]| {
            let mut survey = Survey::new();
            for &view in views {
                survey.take(&game, &tables, &state, Player::Soviet, &weights, view);
            }
            survey
        };
        let all = look(&[View::All]);
        let front = look(&[View::Front]);
        assert_eq!((&front.threat, front.count), (&all.threat, 0));
        for views in [[View::Front, View::All], [View::Ways, View::All]] {
            let later = look(&views);
            assert_eq!((&later.threat, &later.block, later.supply), (&all.threat, &all.block, all.supply));
        }
        assert!(all.count > 0 && all.block.iter().any(|&block| block > 0.0));
    }
}
