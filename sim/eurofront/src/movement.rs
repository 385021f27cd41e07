//! Movement (6.0): who may move, where to, and what a move does. Retreats end in [`crate::retreat`].

use sandtable_core::{ActionSink, Direction, Flow, Hex, Hexsides, Index};

use crate::action::Action;
use crate::belligerency::Barred;
use crate::event::Event;
use crate::game::EuroFront;
use crate::headquarters::SHORT_ROUTE;
use crate::ids::{BlockId, Blocks, Camp, Faction, Front, Hexes, LINES, NationId, Nations};
use crate::phase::SeaWay;
use crate::rules::{Acclimatised, AlliedAir, Fact, Kind, Weather};
use crate::state::{Crossing, Mark, State};

/// Where a unit gets by land without leaving or entering a battle.
pub(crate) struct Marches {
    /// Hexes in which it may end its move, its own not among them.
    pub reached: Hexes,
    /// Hexes from which it may go on one hex further, its own included.
    pub onward: Hexes,
    /// Hexes from which it may go on one hex further by road alone (21.353).
    pub by_road: Hexes,
    /// Places that the unit may enter, and in which there is room.
    ground: Ground,
}

/// Where a unit may go at all: places that it may enter, and those in which no more blocks of its camp may stand (6.2), where nobody
/// ends a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    pub open: Hexes,
    pub full: Hexes,
}

/// What is open to the units of a faction and what is not, but for rules about single ones. It stays while nobody moves and no
/// land changes hands.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Places that they may enter.
    land: Hexes,
    /// Land that is closed to them while the Soviet Union is neutral or in the Winter War.
    closed: Hexes,
    /// Those of [`EuroFront::limiting_hosts`].
    hosts: Nations,
    /// Land that politics keep most of them out of.
    pub(crate) barred: Barred,
}

/// What decides which moves a unit has in a Movement Phase, besides where all others stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orders {
    /// Where it stands.
    pub at: Hex,
    /// A field headquarters commands it (5.31), or might as well: a Supreme Move brings it wherever that would.
    pub commanded: bool,
    /// Supreme Moves that one headquarters can order of it (5.71): where neither ships nor routes go, one is as good as many.
    pub supreme: u8,
    /// It is the last of its camp in a battle, and leaves it as its rearguard (6.5).
    pub last: bool,
}

/// Hexes that ski troops move in snow (2.23).
const SKI: u8 = 2;
/// Hexes that the headquarters of the Afrika Korps moves in its front (21.36).
const MOBILE_HEADQUARTERS: u8 = 3;
/// Supreme Moves of a double march (18.331).
const DOUBLE_MARCH: u8 = 2;
/// Units that may engage and disengage along a route in a Movement Phase (18.37).
pub const ROUTE_LIMIT: u8 = 2;
/// Hexes of a rail move of the Axis under Allied air supremacy (13.32).
const SUPPRESSED_RAIL_MOVE: u32 = 5;

impl EuroFront {
    // ---- who (6.1) ----

    /// Speed of a unit that starts its move where it stands (6.71).
    pub fn speed(&self, state: &State, block: BlockId) -> u8 {
        let at = state.at(block);
        let brief = self.brief(block);
        let weather = self.weather(state, at);
        let speed = brief.speed[weather as usize];
        if self.is_civil_war() || speed == 0 {
            return speed;
        }
        let nation = &self.rules.nations[brief.nation.at()];
        if weather == Weather::Snow
            && nation.ski
            && brief.kind == Kind::Infantry
            && self.is_at_home(state, block)
        {
            return speed.max(SKI); // 2.23, 21.442.
        }
        if brief.faction != Faction::Axis {
            return speed;
        }
        let front = self.front(at);
        let african = brief.class == Acclimatised::Veteran(Front::Mediterranean);
        let mobile = brief.kind == Kind::Hq && african && front == Front::Mediterranean;
        let speed = if mobile { MOBILE_HEADQUARTERS } else { speed }; // 21.36
        if self.is_paralysed(state, block) {
            return 1; // 12.45.
        }
        if self.is_under_air_supremacy(state, front) {
            return (speed - 1).max(1); // 13.32.
        }
        speed
    }

    /// Whether the first winter of the East Front paralyses an Axis unit (12.45): in snow, Scandinavians excepted (21.42).
    pub(crate) fn is_paralysed(&self, state: &State, block: BlockId) -> bool {
        let brief = self.brief(block);
        brief.faction == Faction::Axis
            && self.front(state.at(block)) == Front::East
            && state.weather[1] == Weather::Snow
            && self.is_first_eastern_winter(state)
            && !self.rules.nations[brief.nation.at()].winter_headquarters
    }

    /// Whether this is the first winter of the East Front (12.45): of the first season of winter that begins while it is
    /// active, or has been so since before March.
    pub(crate) fn is_first_eastern_winter(&self, state: &State) -> bool {
        state.is_active(Front::East)
            && self.month(state).season.starts_with('W')
            && !state.diplomacy.holds(Fact::EastWinterOver)
    }

    /// Whether the Allies rule the air over a front: the Axis is slower there, on rails too (13.32).
    pub(crate) fn is_under_air_supremacy(&self, state: &State, front: Front) -> bool {
        self.month(state).allied_air == AlliedAir::Supremacy
            && matches!(front, Front::West | Front::Mediterranean)
    }

    /// Units of the active faction that nothing keeps from moving: not those that have moved, headquarters that are or have been
    /// activated, the forts of the Maginot Line (20.41), nor fort units in battle (2.28).
    fn rested(&self, state: &State) -> Blocks {
        let busy = state.marked(Mark::Active).or(state.marked(Mark::Deactivated));
        let own = state.standing[state.camp().index()].and(&self.sets().of_faction[state.active.index()]);
        let rested = own.difference(state.marked(Mark::Moved)).difference(&busy);
        let rested = rested.difference(state.marked(Mark::Dispersed)).difference(&self.sets().maginot);
        let forts = rested.and(&self.sets().forts);
        rested.difference(&state.places.standing(&forts, |at| state.is_battle(at)))
    }

    /// Whether a field headquarters commands a unit (5.31): not static units (2.27), nor who has moved strategically
    /// (6.62).
    pub(crate) fn is_commanded(&self, state: &State, block: BlockId) -> bool {
        !self.sets().supreme_only.contains(block)
            && !state.has(block, Mark::Strategic)
            && self.ordered_area(state, self.brief(block).nation).contains(state.at(block))
    }

    /// Of some units those that field headquarters command.
    fn commanded_units(&self, state: &State, units: &Blocks) -> Blocks {
        let free = units.difference(&self.sets().supreme_only).difference(state.marked(Mark::Strategic));
        if state.active != Faction::Allies || self.is_civil_war() {
            return state.places.standing(&free, |at| state.commanded.contains(at));
        }
        // The Allies each command their own (5.34).
        let nations = self.sets().nations.iter().filter(|(_, faction)| *faction == Faction::Allies);
        nations.fold(Blocks::EMPTY, |all, (nation, _)| {
            let own = free.and(&self.sets().of_nation[nation.at()]);
            if own.is_empty() {
                return all;
            }
            let area = self.ordered_area(state, *nation);
            all.or(&state.places.standing(&own, |at| area.contains(at)))
        })
    }

    pub(crate) fn movers<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let rested = self.rested(state);
        let commanded = self.commanded_units(state, &rested);
        let sent = self.expeditionaries(state, &rested);
        let candidates = if self.any_orders(state) { rested } else { commanded.or(&sent) };
        out.offer(Action::Pass)?;
        let engaged = state.places.standing(&candidates, |at| state.is_battle(at));
        let last = engaged.filter(|block| self.is_last(state, block));
        // The last of a battle may be fetched by sea, without waiting for the others (15.55).
        let namers = self.namers(state);
        let units = candidates.difference(&last).or(&last.and(&sent)).or(&namers);
        if units.is_empty() && last.is_empty() {
            return Flow::Continue(());
        }
        let access = self.access_of(state, state.active);
        let full = self.full_hexes(state, state.camp());
        out.rest(None, [units, last], |set, block| {
            let rearguard = set == 1;
            let ground = Ground { open: self.open_given(state, block, &access), full };
            let can = if !rearguard && last.contains(block) {
                self.can_go_overseas(state, block, &ground)
            } else {
                self.can_be_picked(state, block, commanded.contains(block), rearguard, &ground)
            };
            (can || namers.contains(block)).then_some(if rearguard {
                Action::Rearguard(block)
            } else {
                Action::Unit(block)
            })
        })
    }

    /// Units that headquarters may order to move in a Movement Phase, whether they can go anywhere or not, with their orders;
    /// nothing while headquarters send units over the sea or through the air, which is ordered otherwise.
    pub fn ordered_units(&self, state: &State) -> Option<Blocks> {
        if state.sea.invaders | state.sea.droppers != 0 {
            return None;
        }
        let rested = self.rested(state);
        Some(if self.any_orders(state) { rested } else { self.commanded_units(state, &rested) })
    }

    /// By what orders a unit may move; `orderable` is what [`Self::any_orders`] says.
    pub fn orders_for(&self, state: &State, block: BlockId, orderable: bool) -> Orders {
        let at = state.at(block);
        let inland = self.seas().coast(at).is_empty() && !self.map().route_ends.contains(at);
        let most = if !orderable {
            0
        } else if inland {
            u8::from(self.who_orders(state, block, 1).is_some())
        } else {
            self.most_orders(state, block)
        };
        Orders {
            at,
            commanded: most > 0 && !state.has(block, Mark::Strategic) || self.is_commanded(state, block),
            supreme: most,
            last: state.is_battle(at) && self.is_last(state, block),
        }
    }

    /// How a unit of [`Self::ordered_units`] is picked to move, if it can go anywhere; `full` are [`Self::full_hexes`] of its camp.
    pub fn pick(
        &self,
        state: &State,
        block: BlockId,
        orders: Orders,
        access: &Access,
        full: &Hexes,
    ) -> Option<Action> {
        let ground = Ground { open: self.open_given(state, block, access), full: *full };
        let can = self.can_be_picked(state, block, orders.commanded, orders.last, &ground);
        can.then_some(if orders.last { Action::Rearguard(block) } else { Action::Unit(block) })
    }

    /// Whether a unit that may enter these places can be picked to move, or the last of a battle as its rearguard.
    fn can_be_picked(
        &self,
        state: &State,
        block: BlockId,
        commanded: bool,
        rearguard: bool,
        ground: &Ground,
    ) -> bool {
        self.can_move(state, block, commanded, ground)
            || !rearguard && self.can_go_overseas(state, block, ground)
    }

    /// Whether a unit can go anywhere by land; `commanded` by a field headquarters or not.
    fn can_move(&self, state: &State, block: BlockId, commanded: bool, ground: &Ground) -> bool {
        let orders = self.who_orders(state, block, 1).is_some();
        let by_land = self.moves_by_land(state, block, commanded, orders);
        let land = by_land
            && if state.is_battle(state.at(block)) {
                self.ways_out(state, block, ground).next().is_some()
            } else if self.can_step(state, block, ground) {
                true
            } else {
                let marches = self.marches(state, block, ground);
                !marches.reached.is_empty() || self.engagements(state, block, &marches).next().is_some()
            };
        land || by_land && {
            let length = self.route_length(state, block, commanded);
            !self.marches_over_routes(state, block, length, ground).is_empty()
        } || orders
            && (!self.rail_destinations(state, block, self.camp(block), ground).is_empty()
                || !self.road_destinations(state, block, ground).is_empty())
    }

    /// Whether a unit that is in no battle can go a hex further, by what every march begins with: most can.
    fn can_step(&self, state: &State, block: BlockId, ground: &Ground) -> bool {
        let (at, camp, map) = (state.at(block), self.camp(block), self.map());
        let free = |hex: Hex| {
            ground.open.contains(hex)
                && !state.occupied[camp.enemy().index()].contains(hex)
                && !ground.full.contains(hex)
        };
        // Off the roads of the desert it is slower by one (21.353).
        self.speed(state, block) > u8::from(map.desert_zone.contains(at))
            && self.board().neighbours(at).any(|(way, next)| map.walkable.contains(at, way) && free(next))
    }

    /// Whether a unit may move by land, ordered by a field headquarters or by a Supreme Move (6.1, 6.61): not who has moved
    /// strategically, nor fort units (2.28).
    fn moves_by_land(&self, state: &State, block: BlockId, commanded: bool, orders: bool) -> bool {
        (commanded || orders && !state.has(block, Mark::Strategic))
            && !self.sets().strategic_only.contains(block)
    }

    /// Length of the routes along which a unit may march: field headquarters order marches along short ones, two Supreme
    /// Moves a double march along a long one (18.331).
    pub(crate) fn route_length(&self, state: &State, block: BlockId, commanded: bool) -> u8 {
        if !self.map().route_ends.contains(state.at(block)) {
            0
        } else if !state.has(block, Mark::Strategic) && self.who_orders(state, block, DOUBLE_MARCH).is_some()
        {
            u8::MAX
        } else if commanded || self.who_orders(state, block, 1).is_some() {
            SHORT_ROUTE
        } else {
            0
        }
    }

    /// Whether a unit is the last of its camp in a battle that has been there since before this Movement Phase (6.5).
    pub(crate) fn is_last(&self, state: &State, block: BlockId) -> bool {
        let others = state.stack(state.at(block), self.camp(block)).difference(&Blocks::one(block));
        others.difference(state.marked(Mark::Entered)).difference(state.marked(Mark::Rearguard)).is_empty()
    }

    // ---- where (6.1, 6.3) ----

    pub(crate) fn destinations<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let block = state.subject;
        if state.has(block, Mark::Active) {
            // It names a hex for its second wave (15.541).
            return out.all([self.places_to_name(state, block)], |_, hex| Action::Invade(hex));
        }
        self.moves(state, block, &self.ground_for(state, block), false, out)
    }

    /// The moves of a unit on foot alone, without railways, roads, routes and ships.
    pub fn list_marches(&self, state: &State, block: BlockId, out: &mut Vec<Action>) {
        let _ = self.moves(state, block, &self.ground_for(state, block), true, out);
    }

    /// The moves of a unit that is picked, where what is open to its faction is known: its destinations. `full` are
    /// [`Self::full_hexes`] of its camp, into which it does not go; without them destinations are listed as if there were room
    /// everywhere.
    pub fn list_moves(
        &self,
        state: &State,
        block: BlockId,
        access: &Access,
        full: &Hexes,
        out: &mut Vec<Action>,
    ) {
        let ground = Ground { open: self.open_given(state, block, access), full: *full };
        let _ = self.moves(state, block, &ground, false, out);
    }

    /// The moves of a unit over this ground: all, or those on foot alone.
    fn moves<O: ActionSink<Action>>(
        &self,
        state: &State,
        block: BlockId,
        ground: &Ground,
        on_foot: bool,
        out: &mut O,
    ) -> Flow {
        let orders = self.who_orders(state, block, 1).is_some();
        let commanded = self.is_commanded(state, block);
        // The last of a battle goes by land as its rearguard alone (6.51).
        let stays = state.is_battle(state.at(block)) && self.is_last(state, block);
        let by_land = !stays && self.moves_by_land(state, block, commanded, orders);
        let mut go = Hexes::EMPTY;
        if state.is_battle(state.at(block)) {
            if by_land {
                self.disengagements(state, block, ground, out)?;
            }
        } else if by_land {
            let marches = self.marches(state, block, ground);
            for (hex, way) in self.engagements(state, block, &marches) {
                out.offer(Action::Engage(hex, way))?;
            }
            go = marches.reached;
        }
        if on_foot {
            return out.all([go], |_, hex| Action::Go(hex));
        }
        let orders = orders && state.crossing[block].embarked().is_none();
        let rail = if orders {
            self.rail_destinations(state, block, self.camp(block), ground)
        } else {
            Hexes::EMPTY
        };
        if self.is_civil_war() && !self.rules.scenario.naval {
            return out
                .all([go, rail], |set, hex| if set == 0 { Action::Go(hex) } else { Action::Rail(hex) });
        }
        let march = if by_land {
            self.marches_over_routes(state, block, self.route_length(state, block, commanded), ground)
        } else {
            Hexes::EMPTY
        };
        let road = if orders { self.road_destinations(state, block, ground) } else { Hexes::EMPTY };
        let [shortest, safest] = self.naval_moves(state, block, self.most_voyages(state, block), ground);
        let [invaded, fetched, dropped] = self.expeditions(state, block);
        let sets = [go, rail, march, road, shortest, safest, invaded, fetched, dropped];
        out.all(sets, |set, hex| match set {
            0 => Action::Go(hex),
            1 => Action::Rail(hex),
            2 => Action::March(hex),
            3 => Action::Road(hex),
            4 => Action::Sail(SeaWay::Shortest, hex),
            5 => Action::Sail(SeaWay::Safest, hex),
            6 => Action::Invade(hex),
            7 => Action::Evacuate(hex),
            _ => Action::Drop(hex),
        })
    }

    /// Hexes in which who enters must stop (6.1, 12.3): by terrain, and wherever there is mud.
    fn stops(&self, state: &State, block: BlockId) -> Hexes {
        if self.sets().ignores_stop.contains(block) {
            return Hexes::EMPTY;
        }
        let map = self.map();
        let mut stops = map.stops;
        for (front, &weather) in state.weather.iter().enumerate() {
            if self.rules.weather[weather as usize].stop {
                stops = stops.or(&map.under_weather[front]);
            }
            if self.rules.weather[weather as usize].swamp_as_forest {
                stops = stops.difference(&map.swamps.and(&map.under_weather[front]));
            }
        }
        stops
    }

    /// Where a unit gets that starts in no battle, over this ground.
    pub(crate) fn marches(&self, state: &State, block: BlockId, ground: &Ground) -> Marches {
        let at = state.at(block);
        let speed = self.speed(state, block);
        let mut marches = if self.map().desert_zone.contains(at) {
            self.march_through_desert(state, block, at, speed, ground)
        } else {
            self.march_by(state, block, at, speed, &self.map().walkable, ground)
        };
        // A strait is crossed by who starts beside it, and ends there (1.371).
        let enemy = &state.occupied[self.camp(block).enemy().index()];
        if speed > 0 {
            let over = self.board().across(&Hexes::one(at), &self.map().straits).difference(enemy);
            if !over.is_empty() {
                marches.reached = marches.reached.or(&over.and(&ground.open).difference(&ground.full));
            }
        }
        marches
    }

    /// Where a unit gets from a hex in so many steps across some hexsides, through open places without enemies.
    fn march_by(
        &self,
        state: &State,
        block: BlockId,
        from: Hex,
        speed: u8,
        sides: &Hexsides<LINES>,
        ground: &Ground,
    ) -> Marches {
        let camp = self.camp(block);
        let free = ground.open.difference(&state.occupied[camp.enemy().index()]);
        let stops = if speed > 1 { self.stops(state, block) } else { Hexes::EMPTY };
        let start = Hexes::one(from);
        let (mut reached, mut onward, mut frontier) = (start, Hexes::EMPTY, start);
        for _ in 0..speed {
            onward = onward.or(&frontier);
            let next = self.board().across_into(&frontier, sides, &free);
            frontier = next.difference(&reached).difference(&stops);
            reached = reached.or(&next);
        }
        reached.remove(from);
        let reached = reached.difference(&ground.full);
        Marches { reached, onward, by_road: Hexes::EMPTY, ground: *ground }
    }

    /// In the Mediterranean Front who leaves the roads for any part of its move is slower by one (21.353).
    fn march_through_desert(
        &self,
        state: &State,
        block: BlockId,
        from: Hex,
        speed: u8,
        ground: &Ground,
    ) -> Marches {
        let walkable = &self.map().walkable;
        let mut marches = self.march_by(state, block, from, speed.saturating_sub(1), walkable, ground);
        let roads = self.map().roads.and(walkable);
        let by_road = self.march_by(state, block, from, speed, &roads, ground);
        marches.reached = marches.reached.or(&by_road.reached);
        marches.by_road = by_road.onward;
        marches
    }

    /// The hex of Sedan and Philippeville while Belgium is neutral: one French unit may stand there (20.72).
    fn open_salient(&self, state: &State, block: BlockId) -> Option<Hex> {
        let named = self.nations();
        let french = !named.france.is_none() && self.brief(block).nation == named.france;
        let salient =
            self.tables.nations.salient.filter(|_| french && self.is_neutral(state, named.belgium))?;
        let others = state.occupied[self.camp(block).index()].contains(salient) && state.at(block) != salient;
        (!others).then_some(salient)
    }

    /// The hex of Sedan and Philippeville while a French unit stands there: its command and supply reach it (20.72).
    pub fn manned_salient(&self, state: &State, camp: Camp) -> Option<Hex> {
        let manned = |salient: &Hex| {
            camp == Camp::Coalition
                && state.occupied[camp.index()].contains(*salient)
                && self.is_neutral(state, self.nations().belgium)
        };
        self.tables.nations.salient.filter(manned)
    }

    /// Places that a unit may enter: not where its faction may not, what it is barred from, nor, for residents, another
    /// front than their own (2.8, 21.316, 21.415).
    pub(crate) fn open_for(&self, state: &State, block: BlockId) -> Hexes {
        self.open_given(state, block, &self.access_of(state, self.brief(block).faction))
    }

    /// Places that a unit may enter, and those in which there is no room.
    pub(crate) fn ground_for(&self, state: &State, block: BlockId) -> Ground {
        Ground { open: self.open_for(state, block), full: self.full_hexes(state, self.camp(block)) }
    }

    /// What is open to the units of a faction, but for rules about single ones.
    pub fn access_of(&self, state: &State, faction: Faction) -> Access {
        Access {
            land: self.enterable(state, faction),
            closed: self.closed_to(state, faction),
            hosts: self.limiting_hosts(state, faction),
            barred: self.barred_land(state, faction),
        }
    }

    /// Places that a unit may enter, as [`Self::open_for`] says, where what is open to its faction is known.
    pub(crate) fn open_given(&self, state: &State, block: BlockId, access: &Access) -> Hexes {
        let map = self.map();
        let sets = self.sets();
        let mut open = access.land;
        if let Some(salient) = self.open_salient(state, block) {
            open.insert(salient);
        }
        if !self.is_civil_war() {
            let closed = self.closed_to_finns(state, block).unwrap_or(access.closed);
            open = open.difference(&closed).difference(&self.forbidden_land(state, block, &access.barred));
            if !access.hosts.is_empty() {
                open = open.difference(&self.full_lands(state, block, access.hosts));
            }
        }
        for (barred, zone) in
            sets.barred.iter().zip([&map.of_front[Front::Mediterranean.index()], &map.arctic])
        {
            if barred.contains(block) {
                open = open.difference(zone);
            }
        }
        for (residents, front) in sets.residents.iter().zip([Front::Mediterranean, Front::North]) {
            if residents.contains(block) {
                open = open.and(&map.of_front[front.index()]);
            }
        }
        if sets.forts.contains(block) { open.difference(&self.taken_by_forts(state, block)) } else { open }
    }

    /// Places of the other fort units of a block's camp, those included in which a production puts one: one fort unit a hex
    /// (2.28).
    pub(crate) fn taken_by_forts(&self, state: &State, block: BlockId) -> Hexes {
        let forts = self.sets().forts.and(self.blocks_of(self.camp(block)));
        let others = forts.difference(&Blocks::one(block));
        let standing = others.and(&state.standing[self.camp(block).index()]);
        let taken = state.places.occupied(&standing);
        if !state.phase.is_secret() {
            return taken;
        }
        let coming = others.difference(&standing).and(state.marked(Mark::Ordered));
        let coming = coming.iter().map(|fort| Self::ordered_place(state, fort));
        coming
            .filter(|place| place.at() < crate::tables::PLACES)
            .fold(taken, |all, place| all.or(&Hexes::one(place)))
    }

    /// Enemies that a unit may engage, and in which direction it enters their hex (6.31). Headquarters engage nobody
    /// (5.1).
    fn engagements<'a>(
        &'a self,
        state: &'a State,
        block: BlockId,
        marches: &Marches,
    ) -> impl Iterator<Item = (Hex, Direction)> + use<'a> {
        let camp = self.camp(block);
        let at = state.at(block);
        let near = self.board().across(&marches.onward.or(&marches.by_road), &self.map().land);
        let near = near.and(&state.occupied[camp.enemy().index()]);
        let targets = if near.is_empty() || self.brief(block).kind.is_headquarters() {
            Hexes::EMPTY
        } else {
            near.and(&marches.ground.open).difference(&marches.ground.full)
        };
        let lasting = targets.and(&state.occupied[camp.index()]);
        let targets = lasting.or(&self.open_to_blitz(state, &targets.difference(&lasting)));
        let (onward, by_road) = (marches.onward, marches.by_road);
        targets.into_iter().flat_map(move |hex| {
            Direction::ALL.into_iter().filter_map(move |way| {
                let from = self.board().neighbour(hex, way.opposite())?;
                let starts = if self.map().straits.contains(from, way) {
                    from == at
                } else {
                    onward.contains(from) || by_road.contains(from) && self.map().roads.contains(from, way)
                };
                let open =
                    starts && self.map().land.contains(from, way) && self.capacity(state, from, way) > 0;
                open.then_some((hex, way))
            })
        })
    }

    /// The directions in which a unit may leave its battle (6.32): into controlled hexes that it may enter, without a battle.
    fn ways_out<'a>(
        &'a self,
        state: &'a State,
        block: BlockId,
        ground: &'a Ground,
    ) -> impl Iterator<Item = (Direction, Hex)> + 'a {
        let at = state.at(block);
        let mut refuge = self.refuge(state, self.camp(block)).and(&ground.open);
        if self.is_tito_at_home(state, block) {
            refuge = refuge.or(&self.tito_refuge(state));
        }
        let barred = self.speed(state, block) == 0;
        Direction::ALL.into_iter().filter_map(move |way| {
            let next = self.beyond(at, way)?;
            let open = !barred && refuge.contains(next) && self.capacity(state, at, way) > 0;
            (open && !self.goes_on(state, block, way, next, ground).is_empty()).then_some((way, next))
        })
    }

    /// Where a unit that leaves its battle in a direction may end its move: it may go on, but not engage (6.32).
    fn goes_on(&self, state: &State, block: BlockId, way: Direction, next: Hex, ground: &Ground) -> Hexes {
        let (at, speed, map) = (state.at(block), self.speed(state, block), self.map());
        let halted = map.straits.contains(at, way) || self.stops(state, block).contains(next);
        let onward = |speed: u8, sides: &Hexsides<LINES>| {
            if speed == 0 {
                return Hexes::EMPTY;
            }
            let left = if halted { 0 } else { speed - 1 };
            let mut beyond = self.march_by(state, block, next, left, sides, ground).reached;
            beyond.remove(at);
            beyond.or(&Hexes::one(next).difference(&ground.full))
        };
        if !map.desert_zone.contains(at) {
            return onward(speed, &map.walkable);
        }
        // Who leaves the roads is slower by one (21.353).
        let cross_country = onward(speed.saturating_sub(1), &map.walkable);
        let roads = map.roads.and(&map.walkable);
        if roads.contains(at, way) { cross_country.or(&onward(speed, &roads)) } else { cross_country }
    }

    pub(crate) fn disengagements<O: ActionSink<Action>>(
        &self,
        state: &State,
        block: BlockId,
        ground: &Ground,
        out: &mut O,
    ) -> Flow {
        for (way, next) in self.ways_out(state, block, ground) {
            for hex in self.goes_on(state, block, way, next, ground) {
                out.offer(Action::Disengage(way, hex))?;
            }
        }
        Flow::Continue(())
    }

    // ---- marches along the routes of the map's edge (18.33) ----

    /// Places to which a unit may march along routes up to a length, regardless of speed, weather and terrain (18.331). Who
    /// leaves a battle goes to a controlled place without one, or between two areas that its camp defends (18.36); a
    /// headquarters enters a battle only in an area where others stand (18.21).
    pub(crate) fn marches_over_routes(
        &self,
        state: &State,
        block: BlockId,
        length: u8,
        ground: &Ground,
    ) -> Hexes {
        let at = state.at(block);
        if length == 0 || !self.map().route_ends.contains(at) || self.sets().strategic_only.contains(block) {
            return Hexes::EMPTY;
        }
        let camp = self.camp(block);
        let (own, enemy) = (camp.index(), camp.enemy().index());
        let leaves = state.is_battle(at);
        let mut places = Hexes::EMPTY;
        for (number, route) in self.map().routes.iter().enumerate() {
            let reaches = |far: &Hex| route.length <= length && ground.open.contains(*far);
            let Some(far) = route.beyond(at).filter(reaches) else {
                continue;
            };
            let engages = state.occupied[enemy].contains(far);
            let friendly = |place: Hex| state.friendly[own].contains(place);
            let areas = self.map().areas.contains(at) && self.map().areas.contains(far);
            let may_leave = friendly(far) && (!engages || areas && friendly(at));
            let headquarters = self.brief(block).kind.is_headquarters();
            let alone = !self.map().areas.contains(far) || !state.occupied[own].contains(far);
            let within = state.crossings(Crossing::route(number as u8)) < ROUTE_LIMIT;
            if (!leaves || may_leave)
                && !(engages && headquarters && alone)
                && (within || !leaves && !engages)
                && !ground.full.contains(far)
            {
                places.insert(far);
            }
        }
        places
    }

    /// The number of the route between two places.
    fn route_between(&self, a: Hex, b: Hex) -> Option<u8> {
        self.map().routes.iter().position(|route| route.beyond(a) == Some(b)).map(|at| at as u8)
    }

    /// Supreme Moves of a march between two places: a double march is two (18.331).
    pub(crate) fn march_cost(&self, from: Hex, to: Hex) -> u8 {
        let long =
            self.route_between(from, to).is_some_and(|at| self.map().routes[usize::from(at)].is_long());
        if long { DOUBLE_MARCH } else { 1 }
    }

    // ---- road moves (21.352) ----

    /// Where a unit gets in one road move: twice its speed along the roads of the Mediterranean Front, through hexes its camp
    /// controls, not into or through battles; not twice in a turn.
    pub(crate) fn road_destinations(&self, state: &State, block: BlockId, ground: &Ground) -> Hexes {
        let open = &ground.open;
        let at = state.at(block);
        let map = self.map();
        let steps = 2 * u32::from(self.speed(state, block));
        if !map.desert_zone.contains(at) || state.has(block, Mark::Strategic) || steps == 0 {
            return Hexes::EMPTY;
        }
        let mut reached = if state.is_battle(at) {
            let beyond = |next| self.along_roads(state, block, next, steps - 1, open);
            let exits = self.road_exits(state, block, open);
            exits.fold(Hexes::EMPTY, |all, (_, next)| all.or(&beyond(next)))
        } else {
            self.along_roads(state, block, at, steps, open)
        };
        reached.remove(at);
        reached.difference(&ground.full)
    }

    /// Hexes at most so many steps from one along roads that a unit's camp controls, without battles.
    fn along_roads(&self, state: &State, block: BlockId, from: Hex, steps: u32, open: &Hexes) -> Hexes {
        let open = state.friendly[self.camp(block).index()]
            .and(&self.map().desert_zone)
            .and(open)
            .difference(&state.battles());
        self.board().within_across(Hexes::one(from), steps, &open, &self.map().roads)
    }

    /// The directions in which a unit may leave its battle by road (21.352).
    fn road_exits<'a>(
        &'a self,
        state: &'a State,
        block: BlockId,
        open: &Hexes,
    ) -> impl Iterator<Item = (Direction, Hex)> + use<'a> {
        let open = self.map().desert_zone.and(open);
        self.exits_along(state, block, &open, &self.map().roads)
    }

    /// The directions in which a unit may leave its battle along roads or railways into some hexes: not the last of its camp
    /// (9.22), into a refuge alone, and within the limit of the hexside (6.33).
    fn exits_along<'a>(
        &'a self,
        state: &'a State,
        block: BlockId,
        open: &Hexes,
        ways: &'a Hexsides<LINES>,
    ) -> impl Iterator<Item = (Direction, Hex)> + use<'a> {
        let at = state.at(block);
        let refuge = self.refuge(state, self.camp(block)).and(open);
        let barred = self.is_last(state, block);
        Direction::ALL.into_iter().filter_map(move |way| {
            let next = self.board().neighbour(at, way)?;
            let open = !barred && refuge.contains(next) && ways.contains(at, way);
            (open && self.capacity(state, at, way) > 0).then_some((way, next))
        })
    }

    // ---- rail moves (9.2) ----

    /// Where a unit gets in one rail move: along friendly railways, not through or into battles; out of a battle that its
    /// camp controls if others stay there (9.21, 9.22).
    pub(crate) fn rail_destinations(
        &self,
        state: &State,
        block: BlockId,
        camp: Camp,
        ground: &Ground,
    ) -> Hexes {
        let at = state.at(block);
        if !state.network.contains(at) {
            return Hexes::EMPTY;
        }
        let steps = self.rail_steps(state, block);
        let mut reached = if state.is_battle(at) {
            let beyond = |next| self.along_rails(state, camp, next, steps - 1);
            let exits = self.rail_exits(state, block);
            let by_rail = exits.fold(Hexes::EMPTY, |all, (_, next)| all.or(&beyond(next)));
            let ferried: Hexes = self.ferry_exits(state, block).map(|(_, next)| next).collect();
            by_rail.or(&ferried).or(&self.rail_exits_of_area(state, block, steps))
        } else {
            // Crossing a rail ferry is a rail move of its own (9.11).
            let free = state.network.and(&self.map().in_play).difference(&state.battles());
            let across = self.board().across(&Hexes::one(at), &self.map().ferries).and(&free);
            self.along_rails(state, camp, at, steps).or(&across)
        };
        reached.remove(at);
        if !self.is_civil_war() {
            reached = reached.and(&ground.open);
        }
        reached.difference(&ground.full)
    }

    /// Where a unit gets in so many rail moves one after the other (5.73, 9.21): each may be a crossing of a ferry (9.11).
    pub(crate) fn chained_rail_moves(
        &self,
        state: &State,
        block: BlockId,
        moves: u8,
        ground: &Ground,
    ) -> Hexes {
        let camp = self.camp(block);
        let mut reached = self.rail_destinations(state, block, camp, ground);
        let free = state.network.and(&self.map().in_play).difference(&state.battles());
        for _ in 1..moves {
            let start = reached.and(&free);
            if start.is_empty() {
                break;
            }
            let steps = self.rail_steps(state, block);
            let ferried = self.board().across(&start, &self.map().ferries).and(&free);
            let next = self.along_rails_from(state, camp, &start, steps).or(&ferried);
            reached = reached.or(&next.and(&ground.open).difference(&ground.full));
        }
        reached.remove(state.at(block));
        reached
    }

    /// Hexes of a rail move: fewer for the Axis under Allied air supremacy (9.21, 13.32).
    fn rail_steps(&self, state: &State, block: BlockId) -> u32 {
        let suppressed = self.brief(block).faction == Faction::Axis
            && !self.is_civil_war()
            && self.is_under_air_supremacy(state, self.front(state.at(block)));
        if suppressed { SUPPRESSED_RAIL_MOVE } else { u32::from(self.rules.numbers.rail_move) }
    }

    /// Whether a unit would get to a hex by a rail move if the Allies did not rule the air (13.32).
    pub(crate) fn is_rail_suppressed(&self, state: &State, block: BlockId, hex: Hex) -> bool {
        let (at, camp) = (state.at(block), self.camp(block));
        let (steps, usual) = (self.rail_steps(state, block), u32::from(self.rules.numbers.rail_move));
        steps < usual && self.along_rails(state, camp, at, usual).contains(hex)
    }

    /// Hexes at most so many steps from one along friendly railways in play. Battles are left out, but for areas that the
    /// camp defends: into districts, into and through regions (18.35).
    fn along_rails(&self, state: &State, camp: Camp, from: Hex, steps: u32) -> Hexes {
        self.along_rails_from(state, camp, &Hexes::one(from), steps)
    }

    /// Hexes at most so many steps from one of some along friendly railways in play. Battles are left out as in
    /// [`EuroFront::along_rails`].
    fn along_rails_from(&self, state: &State, camp: Camp, start: &Hexes, steps: u32) -> Hexes {
        let map = self.map();
        let battles = state.battles();
        let open = state.network.and(&map.in_play).difference(&battles);
        let step = |reached: &Hexes, open: &Hexes| self.board().across_into(reached, &map.rails, open);
        let defended = if battles.intersects(&map.areas) {
            battles.and(&map.areas).and(&state.friendly[camp.index()]).and(&state.network)
        } else {
            Hexes::EMPTY
        };
        if defended.is_empty() {
            // Most do not come near the map's edge.
            let near = self.board().within_across(*start, steps, &open, &map.rails);
            let at_edge = near.intersects(&map.route_ends) || near.intersects(&map.coastal);
            return if at_edge {
                self.spread_over(start, steps, &open, step, |route| route.rail)
            } else {
                near
            };
        }
        let open = open.or(&defended.and(&map.regions));
        let reached = self.spread_over(start, steps, &open, step, |route| route.rail);
        let mut into = Hexes::EMPTY;
        for length in map.routes.iter().map(|route| route.length).filter(|&length| u32::from(length) <= steps)
        {
            let before = steps - u32::from(length);
            let near = self.spread_over(start, before, &open, step, |route| route.rail);
            let ends = self.over_routes(&near, |route| route.rail && route.length == length);
            into = into.or(&ends.and(&defended));
        }
        reached.or(&into)
    }

    /// Where a unit gets that leaves the battle of an area by rail: out of one that its camp defends, not the last of it,
    /// two along a route (18.35, 18.37).
    fn rail_exits_of_area(&self, state: &State, block: BlockId, steps: u32) -> Hexes {
        let at = state.at(block);
        let camp = self.camp(block);
        let defends = self.map().areas.contains(at) && state.friendly[camp.index()].contains(at);
        if !defends || self.is_last(state, block) {
            return Hexes::EMPTY;
        }
        let refuge = self.refuge(state, camp).and(&state.network).and(&self.map().in_play);
        let routes = self.map().routes.iter().enumerate().filter(|(_, route)| route.rail);
        let exits = routes.filter_map(|(number, route)| {
            let far = route.beyond(at).filter(|&far| refuge.contains(far))?;
            let left = steps.checked_sub(u32::from(route.length))?;
            (state.crossings(Crossing::route(number as u8)) < ROUTE_LIMIT).then_some((far, left))
        });
        exits.fold(Hexes::EMPTY, |all, (far, left)| all.or(&self.along_rails(state, camp, far, left)))
    }

    /// The directions in which a unit may leave its battle by rail (9.22).
    fn rail_exits<'a>(
        &'a self,
        state: &'a State,
        block: BlockId,
    ) -> impl Iterator<Item = (Direction, Hex)> + use<'a> {
        self.exits_along(state, block, &state.network.and(&self.map().in_play), &self.map().rails)
    }

    /// The directions in which a unit may leave its battle over a rail ferry, beyond which a rail move ends (9.11, 9.22).
    fn ferry_exits<'a>(
        &'a self,
        state: &'a State,
        block: BlockId,
    ) -> impl Iterator<Item = (Direction, Hex)> + use<'a> {
        self.exits_along(state, block, &state.network.and(&self.map().in_play), &self.map().ferries)
    }

    // ---- what a move does ----

    /// The move of the unit at hand, and who ordered it.
    pub(crate) fn move_unit<T: crate::Rolls>(&self, state: &mut State, action: Action, context: &mut T) {
        let block = state.subject;
        let commanded = self.is_commanded(state, block);
        match action {
            Action::Rail(_) | Action::Road(_) => self.order(state, block, 1),
            Action::March(to) => {
                let moves = self.march_cost(state.at(block), to);
                if moves > 1 || !commanded {
                    self.order(state, block, moves);
                }
            }
            Action::Sail(way, to) => {
                let orders = self.most_orders(state, block);
                if let Some((moves, course)) = self.voyage(state, block, orders, to, way) {
                    self.order(state, block, moves);
                    self.sail(state, block, to, course, context);
                }
                return;
            }
            Action::Invade(to) => return self.invade(state, block, to, context),
            Action::Evacuate(to) => return self.evacuate(state, block, to, context),
            Action::Drop(to) => return self.drop_unit(state, block, to, context),
            _ if !commanded => self.order(state, block, 1),
            _ => {}
        }
        self.carry_out(state, block, action, context);
    }

    /// A rearguard is named (6.51); if no field headquarters commands it, that is a Supreme Move.
    pub(crate) fn name_rearguard(&self, state: &mut State, block: BlockId) {
        if !self.is_commanded(state, block) {
            self.order(state, block, 1);
        }
        state.mark(block, Mark::Rearguard, true);
        state.mark(block, Mark::Moved, true);
    }

    /// A unit goes where the action says.
    pub(crate) fn carry_out<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        action: Action,
        context: &mut T,
    ) {
        let from = state.at(block);
        let camp = self.camp(block);
        match action {
            Action::Go(to) => {
                self.shift(state, block, to, context);
                context.emit(|| Event::Moved { block, from, to });
            }
            Action::Rail(to) => {
                state.mark(block, Mark::Strategic, true);
                if state.is_battle(from) {
                    // The first way that leads there (9.22).
                    let steps = self.rail_steps(state, block) - 1;
                    let leads = |&(_, next): &(Direction, Hex)| {
                        self.along_rails(state, camp, next, steps).contains(to)
                    };
                    let over_ferry = || self.ferry_exits(state, block).find(|&(_, next)| next == to);
                    let exit = self.rail_exits(state, block).find(leads).or_else(over_ferry);
                    let far = exit.is_none() && self.route_out(state, block, to).is_none();
                    // One of several moves goes on from wherever it has come to.
                    let exit = if far {
                        let mut exits = self.rail_exits(state, block).chain(self.ferry_exits(state, block));
                        exits.next()
                    } else {
                        exit
                    };
                    if let Some((way, _)) = exit {
                        state.crossing[block] = self.crossing(from, way);
                    } else if let Some(number) = self.route_out(state, block, to) {
                        state.crossing[block] = Crossing::route(number);
                    }
                    let active = state.has(block, Mark::Active);
                    state.mark(block, Mark::Revealed, active);
                }
                self.shift(state, block, to, context);
                context.emit(|| Event::MovedByRail { block, from, to });
                self.settle_in(state, block, from, context);
                return;
            }
            Action::Road(to) => {
                state.mark(block, Mark::Strategic, true);
                if state.is_battle(from) {
                    // The first way that leads there.
                    let steps = (2 * u32::from(self.speed(state, block))).saturating_sub(1);
                    let open = self.open_for(state, block);
                    let leads = |&(_, next): &(Direction, Hex)| {
                        self.along_roads(state, block, next, steps, &open).contains(to)
                    };
                    let exit = self.road_exits(state, block, &open).find(leads);
                    if let Some((way, _)) = exit {
                        state.crossing[block] = self.crossing(from, way);
                    }
                    let active = state.has(block, Mark::Active);
                    state.mark(block, Mark::Revealed, active);
                }
                self.shift(state, block, to, context);
                context.emit(|| Event::Moved { block, from, to });
            }
            Action::March(to) => {
                let (leaves, engages) =
                    (state.is_battle(from), state.occupied[camp.enemy().index()].contains(to));
                if (leaves || engages)
                    && let Some(number) = self.route_between(from, to)
                {
                    state.crossing[block] = Crossing::route(number);
                }
                let lasting = state.is_battle(to);
                let active = state.has(block, Mark::Active);
                self.shift(state, block, to, context);
                context.emit(|| Event::Moved { block, from, to });
                if leaves {
                    state.mark(block, Mark::Revealed, active);
                    self.renew_battle(state, from, camp, context);
                }
                if engages {
                    self.enter_battle(state, block, to, lasting, context);
                }
            }
            Action::Engage(to, way) => {
                if let Some(gate) = self.board().neighbour(to, way.opposite()) {
                    state.crossing[block] = self.crossing(gate, way);
                }
                let lasting = state.is_battle(to);
                self.shift(state, block, to, context);
                context.emit(|| Event::Moved { block, from, to });
                self.enter_battle(state, block, to, lasting, context);
                // An attack over a river from another front may be repulsed before it has come to this one.
                if self.arrives_from(state, block).is_some_and(|gate| self.front(gate) != self.front(to)) {
                    state.mark(block, Mark::Moved, true);
                    return;
                }
            }
            Action::Disengage(way, to) => {
                state.crossing[block] = self.crossing(from, way);
                let active = state.has(block, Mark::Active);
                state.mark(block, Mark::Revealed, active);
                self.shift(state, block, to, context);
                context.emit(|| Event::Moved { block, from, to });
                self.renew_battle(state, from, camp, context);
            }
            other => debug_assert!(false, "{other:?} is no move"),
        }
        state.mark(block, Mark::Moved, true);
        self.settle_in(state, block, from, context);
    }

    /// A unit has entered a hex with enemies, where its side stood before (`lasting`) or not (6.4).
    fn enter_battle<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        to: Hex,
        lasting: bool,
        context: &mut T,
    ) {
        let camp = self.camp(block);
        state.mark(block, Mark::Entered, true);
        if !lasting {
            self.begin_battle(state, to, camp.enemy(), context);
        }
        let joins = lasting && state.original_defender(to) != camp && !state.new_battles.contains(to);
        // Who joins the original attacker is shown (7.15); in areas all attackers are, always (18.4).
        if joins || self.map().areas.contains(to) && state.original_defender(to) != camp {
            state.mark(block, Mark::Revealed, true);
        }
    }

    /// The route by which a unit leaves the battle of an area by rail to a place.
    fn route_out(&self, state: &State, block: BlockId, to: Hex) -> Option<u8> {
        let at = state.at(block);
        let camp = self.camp(block);
        let steps = self.rail_steps(state, block);
        let routes = self.map().routes.iter().enumerate().filter(|(_, route)| route.rail);
        let mut leading = routes.filter(|(number, route)| {
            let far = route.beyond(at).filter(|&far| self.refuge(state, camp).contains(far));
            let left = steps.checked_sub(u32::from(route.length));
            far.zip(left).is_some_and(|(far, left)| self.along_rails(state, camp, far, left).contains(to))
                && state.crossings(Crossing::route(*number as u8)) < ROUTE_LIMIT
        });
        leading.next().map(|(number, _)| number as u8)
    }

    /// Where a unit has come from in this phase whose acclimatisation waits until it has arrived: over the sea, through the
    /// air, or in an attack over a river between fronts.
    fn arrives_from(&self, state: &State, block: BlockId) -> Option<Hex> {
        let crossing = state.crossing[block];
        let overseas = crossing.embarked().or_else(|| crossing.took_off());
        let over_river = || {
            let attacks = state.has(block, Mark::Entered) && self.entered_over_river(state, block);
            if attacks { self.origin(state, block) } else { None }
        };
        overseas.or_else(over_river)
    }

    /// All have moved, and the enemy has intercepted what came through his seas: who has arrived is acclimatised (6.73). Who
    /// assaults may still be repulsed, and waits (21.351, 21.441).
    pub(crate) fn settle_arrivals<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if self.is_civil_war() {
            return;
        }
        let moved = state.marked(Mark::Moved).or(state.marked(Mark::Strategic));
        for block in moved.and(&state.standing[state.camp().index()]) {
            if let Some(from) = self.arrives_from(state, block)
                && self.repulse_up_to(state, state.at(block)) == 0
            {
                self.settle_in(state, block, from, context);
            }
        }
    }

    /// An assault has stood its first defensive fire: who has not been repulsed is acclimatised before he fires (21.351, 21.441).
    pub(crate) fn settle_assault<T: crate::Rolls>(&self, state: &mut State, at: Hex, context: &mut T) {
        for block in state.stack(at, state.camp()) {
            if let Some(from) = self.arrives_from(state, block) {
                self.settle_in(state, block, from, context);
            }
        }
    }

    /// A unit has come from another front, where acclimatisation may cost it steps (6.73, 21.351, 21.441); and a fort unit that
    /// is moved has but one left (2.28).
    pub(crate) fn settle_in<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        from: Hex,
        context: &mut T,
    ) {
        if self.is_civil_war() || !crate::ids::is_on_map(state.at(block)) {
            return;
        }
        if self.sets().forts.contains(block) && state.at(block) != from {
            for _ in self.brief(block).least..state.steps[block] {
                self.lose_step(state, block, crate::event::Cause::Moved, context);
            }
        }
        let (left, entered) = (self.front(from), self.front(state.at(block)));
        if left == entered {
            return;
        }
        let steps = self.acclimatisation(state, block, entered);
        if self.belongs_to(block, entered) {
            state.mark(block, Mark::Acclimatised, true);
        }
        for _ in 0..steps {
            if crate::ids::is_on_map(state.at(block)) {
                self.lose_step(state, block, crate::event::Cause::Acclimatisation, context);
            }
        }
    }

    /// Steps that a unit loses which enters a front (21.351, 21.441): aliens every time, those of the front the first time.
    pub fn acclimatisation(&self, state: &State, block: BlockId, front: Front) -> u8 {
        let brief = self.brief(block);
        let own = self.belongs_to(block, front) && self.is_equipped(state, block);
        let used = own && state.has(block, Mark::Acclimatised);
        match front {
            Front::West | Front::East => 0,
            _ if used => 0,
            Front::Mediterranean if self.has_north_africa(state, brief.camp) => 0, // 17.61
            Front::Mediterranean => 2,
            Front::North if self.is_scandinavian(brief.nation) => 0,
            Front::North if own || brief.faction == Faction::Soviets => 1,
            Front::North => 2,
        }
    }

    /// Whether what a unit is by its column holds: the expedition to the North is one when it has been equipped (FR,
    /// 21.412).
    pub(crate) fn is_equipped(&self, state: &State, block: BlockId) -> bool {
        self.brief(block).class != Acclimatised::Expeditionary(Front::North)
            || self.times_of(state, self.tables.nations.aid_to_finland) > 0
    }

    /// Norwegians, Finns, Swedes and Danes (20.8).
    pub(crate) fn is_scandinavian(&self, nation: NationId) -> bool {
        let named = self.nations();
        [named.norway, named.finland, named.sweden, named.denmark].contains(&nation)
    }

    /// A battle begins (7.11): who stood there is its original defender (7.12).
    pub(crate) fn begin_battle<T: crate::Rolls>(
        &self,
        state: &mut State,
        at: Hex,
        defender: Camp,
        context: &mut T,
    ) {
        state.new_battles.insert(at);
        state.coalition_defends.set(at, defender == Camp::Coalition);
        state.board_changes();
        context.emit(|| Event::BattleBegins { at, defender });
    }

    /// All old units of a camp have left a battle that new ones have entered: a retreat and a new attack (6.4).
    pub(crate) fn renew_battle<T: crate::Rolls>(
        &self,
        state: &mut State,
        at: Hex,
        camp: Camp,
        context: &mut T,
    ) {
        if state.is_battle(at)
            && !state.new_battles.contains(at)
            && state.stack(at, camp).difference(state.marked(Mark::Entered)).is_empty()
        {
            self.begin_battle(state, at, camp.enemy(), context);
        }
    }

    /// The hex from which a unit entered its battle (7.61).
    pub(crate) fn origin(&self, state: &State, block: BlockId) -> Option<Hex> {
        let (hex, way) = state.crossing[block].end()?;
        if hex == state.at(block) { self.board().neighbour(hex, way) } else { Some(hex) }
    }

    /// Whether a unit entered its battle across a river or strait (7.62).
    pub(crate) fn entered_over_river(&self, state: &State, block: BlockId) -> bool {
        state.crossing[block].end().is_some_and(|(hex, way)| self.map().rivers.contains(hex, way))
    }
}
