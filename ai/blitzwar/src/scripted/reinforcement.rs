//! Set-up, cards and reinforcements.

use sandtable_blitzwar::location::Location;
use sandtable_blitzwar::rules::Zones;
use sandtable_blitzwar::{Action, BlitzWar, Country, Force, Kind, Nation, State};
use sandtable_core::{Index, Rng64};

use super::naval::BLOCKADE;
use super::{Effort, Scripted, best_by, is_full, land_counters};

/// Half supply units in stock from which more counters for supply are wanted.
const RICH: u16 = 16;

/// Corps of the largest counters (3): what arrives is combined on them. Reckoned with two, corps are given up that would
/// find room.
const LARGEST_COUNTER: u8 = 3;

/// Last turn in which the Axis chooses cards for the West: what it chooses later comes, three turns on, for the war in the East,
/// which waits for supply.
const WESTERN_CARDS: u8 = 7;
/// Factors on the worth of supply and of air on those cards.
const WESTERN_HUNGER: f32 = 0.4;
const WESTERN_AIR: f32 = 2.0;

/// Units of a kind for which there should be counters when a card is chosen.
const DUE: f32 = 3.0;

/// Least corps that are an army to be fed, what speaks for feeding one that has nothing, and the threat to a depot beyond which
/// more makes no difference.
const ARMY: u16 = 4;
const STARVING: f32 = 20.0;
const WORST: f32 = 10.0;

/// Half supply units beyond which the Soviets have no counters for what is lent to them.
const LENT_MOST: u16 = 28;

impl Scripted {
    pub(super) fn deploy(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        best_by(legal, |action| {
            let Action::Deploy(zone) = action else { return 0.0 };
            let there = land_counters(game, state, zone);
            self.map_tables
                .polish
                .iter()
                .position(|&(place, armies)| place == zone && there < armies)
                .map_or(-f32::from(there), |order| 10.0 - order as f32)
        })
    }

    pub(super) fn card(
        &self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Action {
        let weights = &self.plan.board.side_weights[force.index()];
        let turn = state.turn();
        let stock = f32::from(game.total_stock(state, force)) / 2.0;
        let western =
            force == Force::Axis && turn <= WESTERN_CARDS && state.surrender_turn(Country::Fra) == 0;
        // An army that cannot be paid does not fight.
        let supply_worth = match stock {
            ..6.0 => 0.5,
            ..12.0 => 0.4,
            ..25.0 => 0.32,
            ..32.0 => 0.2,
            _ => 0.08,
        } * match force {
            // In the West there is more than it has corps to spend it on.
            Force::Axis if western => WESTERN_HUNGER,
            Force::Axis => 1.0,
            Force::Allied if turn < 12 => 1.0,
            // They have more supply than they can use: the Allies for want of ground, the Soviets for want of corps.
            Force::Allied | Force::Soviet => 0.5,
        };
        // infantry, armour, air, fleet, submarine, supply, development
        let mut worths: [f32; 7] = match force {
            Force::Axis if turn < 16 => [1.0, 2.4, 0.9, 0.2, 0.8, supply_worth, 0.0],
            Force::Axis if turn < 28 => [1.1, 2.2, 0.8, 0.1, 0.6, supply_worth, 0.0],
            Force::Axis => [1.1, 1.8, 0.8, 0.1, 0.3, supply_worth, 0.0],
            Force::Allied if turn < 12 => [1.3, 1.8, 0.8, 0.7, 0.0, supply_worth, 0.0],
            Force::Allied => [1.1, 2.2, 0.9, 0.9, 0.0, supply_worth, 0.0],
            Force::Soviet => [1.2, 2.4, 1.2, 0.0, 0.0, supply_worth, 1.6],
        };
        let sources = game.supply_zones(force).and(state.control(force));
        if !sources.is_empty() && sources.iter().all(|zone| is_full(game, state, zone)) {
            // There is no room for more than can march off.
            worths[0] *= 0.6;
            worths[5] *= 1.3;
        }
        let boats = self.boats(state, game.rules.landmarks.north_atlantic);
        match force {
            Force::Axis if boats >= BLOCKADE => worths[4] = 0.1,
            Force::Allied if boats > 2 => worths[3] += 0.4,
            // Every fleet in the right seas carries two units of supply to the Soviets (11.4).
            Force::Allied if state.timers().axis_soviet_war != 0 => worths[3] += 0.4,
            _ => {}
        }
        // What finds no counter is lost.
        let deck = &game.rules.decks[force.index()];
        for (worth, kind) in [Kind::Infantry, Kind::Armour, Kind::Air, Kind::Fleet].into_iter().enumerate() {
            let mut free = free_units(game, state, force, kind);
            // Air on the cards at hand comes first. Corps find room on counters that losses free by then: with theirs counted the
            // Axis won fewer games.
            if kind == Kind::Air {
                for card in state.cards(force).into_iter().flatten() {
                    free -= f32::from(deck[usize::from(card)].air);
                }
            }
            free = free.max(0.0);
            // The Soviets release counters as they go (11.8).
            if force != Force::Soviet && free < DUE {
                worths[worth] *= free / DUE;
            }
        }
        if western {
            worths[2] *= WESTERN_AIR;
        }
        worths[1] *= weights.armour;
        worths[2] *= weights.air;
        worths[5] *= weights.hunger;
        best_by(legal, |action| {
            let Action::Card(card) = action else { return 0.0 };
            let face = &game.rules.decks[force.index()][card as usize];
            let units = [
                face.infantry,
                face.armour,
                face.air,
                face.fleet,
                face.submarine,
                face.supply,
                face.development,
            ];
            let sum: f32 = units.iter().zip(worths).map(|(&n, worth)| f32::from(n) * worth).sum();
            sum + 0.8 * rng.unit() as f32
        })
    }

    /// Whether a unit of the card would find no counter or no room: given up it saves supply (11.3).
    pub(super) fn is_surplus(&self, game: &BlitzWar, state: &State, force: Force, kind: Kind) -> bool {
        let queue = state.queue(force);
        match kind {
            Kind::Infantry => {
                queue.infantry + queue.armour > self.room_for_corps(game, state, force)
                    || f32::from(queue.infantry) > free_units(game, state, force, Kind::Infantry)
                    || !takes_a_corps(game, state, force)
            }
            Kind::Fleet => f32::from(queue.fleet) > free_units(game, state, force, Kind::Fleet),
            _ => false,
        }
    }

    /// Corps for which there is room in the Supply Zones of a side.
    fn room_for_corps(&self, game: &BlitzWar, state: &State, force: Force) -> u8 {
        let stack = game.rules.limits.stack;
        let mut room = 0;
        for zone in game.supply_zones(force).and(state.control(force)) {
            if game.rules.zones[zone.at()].unlimited {
                return u8::MAX;
            }
            let there = land_counters(game, state, zone);
            let joins = nations(state, force)
                .iter()
                .any(|&nation| game.joins_counter(state, nation, Kind::Infantry, zone));
            room += LARGEST_COUNTER * stack.saturating_sub(there) + u8::from(joins);
        }
        room
    }

    /// What is handed over to the Soviets: first air that would be lost for want of a counter, then supply.
    pub(super) fn lend(game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let ours = game.total_stock(state, Force::Allied);
        let theirs = game.total_stock(state, Force::Soviet);
        best_by(legal, |action| match action {
            Action::Lend(Kind::Supply) if theirs < LENT_MOST && ours > 12 => 2.0,
            // What finds no counter here would be lost.
            Action::Lend(Kind::Air)
                if f32::from(state.queue(Force::Allied).air)
                    > free_units(game, state, Force::Allied, Kind::Air) =>
            {
                3.0
            }
            Action::Pass => 1.0,
            _ => 0.0,
        })
    }

    /// Where the next reinforcement goes.
    pub(super) fn place(&mut self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let choice = best_by(legal, |action| match action {
            Action::Italian(kind) => italian_score(game, state, kind),
            Action::Place { nation, kind, place } => match kind {
                Kind::Air => self.base_score(game, place),
                Kind::Fleet | Kind::Submarine => harbour_score(game, state, place),
                Kind::Supply => self.depot_score(game, state, place),
                _ => self.camp_score(game, state, nation, kind, place),
            },
            Action::Release(kind) => release_score(
                game,
                state,
                self.plan.board.force,
                game.rules.counter_types[kind as usize].kind,
            ),
            Action::Pass => -30.0,
            // The missions of the Axis have had their day; those of the others still face its turn.
            Action::Discard(_) if state.active() != Force::Axis => -40.0,
            _ => 0.0,
        });
        self.record_placement(choice);
        choice
    }

    /// How good a place is for new supply: where an army lacks it, safe, near the front, not in America.
    pub(super) fn depot_score(&self, game: &BlitzWar, state: &State, place: Location) -> f32 {
        let board = &self.plan.board;
        let near = board.threat[place.at()].min(WORST);
        let america = if place == self.map_tables.america { 5.0 } else { 0.0 };
        // No line reaches Asian Bases: ships there sail on what lies there.
        let isolated = place == game.rules.landmarks.asian_bases
            && state.stack(place).any(|counter| game.kind(counter) == Kind::Fleet)
            && game.stock(state, place, board.force) < 4;
        let fuel = if isolated { 8.0 } else { 0.0 };
        10.0 + STARVING * self.hunger(game, state, place) + fuel
            - near
            - america
            - f32::from(board.front[place.at()].min(20)) * 0.05
    }

    /// How much of its supply the army lacks that a Supply Zone feeds, 0 to 1: a unit a counter is enough.
    fn hunger(&self, game: &BlitzWar, state: &State, place: Location) -> f32 {
        let board = &self.plan.board;
        let own = game.own_area(state, board.force);
        if self.effort == Effort::Light {
            return 0.0;
        }
        let (mut counters, mut corps, mut stock) = (0u16, 0u16, 0u16);
        for zone in game.network(state, board.force, Zones::one(place), &own).zones {
            counters += u16::from(board.counters[zone.at()]);
            corps += u16::from(board.strength[zone.at()]);
            stock += u16::from(game.stock(state, zone, board.force));
        }
        if corps < ARMY { 0.0 } else { (1.0 - f32::from(stock) / (2.0 * f32::from(counters))).max(0.0) }
    }

    /// How good a Supply Zone is for a new corps: one that it helps to hold, near the front, where it finds room.
    fn camp_score(&self, game: &BlitzWar, state: &State, nation: Nation, kind: Kind, place: Location) -> f32 {
        let board = &self.plan.board;
        let america = if place == self.map_tables.america { 1.0 } else { 0.0 };
        let full = is_full(game, state, place) && !game.joins_counter(state, nation, kind, place);
        let hold = board.hold(&self.map_tables, place, board.strength[place.at()] + 1)
            - board.hold(&self.map_tables, place, board.strength[place.at()]);
        hold + 3.0 * board.pull(place) - america - if full { 20.0 } else { 0.0 }
    }

    /// Counts what is placed, so that the next unit sees it.
    fn record_placement(&mut self, choice: Action) {
        let Action::Place { kind, place, .. } = choice else { return };
        match kind {
            Kind::Infantry | Kind::Armour => self.plan.board.strength[place.at()] += 1,
            Kind::Air => self.plan.board.air_count[place.at()] += 1,
            _ => {}
        }
    }
}

/// How much the Italians want a unit of a kind: corps only where Rome has room for them.
fn italian_score(game: &BlitzWar, state: &State, kind: Kind) -> f32 {
    let no_room =
        |rome: Location| is_full(game, state, rome) && !game.joins_counter(state, Nation::Ita, kind, rome);
    match kind {
        _ if kind.is_corps() && game.capital(Country::Ita).is_some_and(no_room) => 0.1,
        Kind::Infantry => 1.0,
        Kind::Air => 0.9,
        Kind::Armour => 1.1,
        _ => 0.5,
    }
}

/// How much a side wants a counter of a kind to be released. Without counters supply is lost once there is much of it. Air is
/// offered only with a card that brings some, which would be lost for want of a counter.
fn release_score(game: &BlitzWar, state: &State, force: Force, kind: Kind) -> f32 {
    match kind {
        Kind::Supply if game.total_stock(state, force) >= RICH => 45.0,
        Kind::Air => 44.0,
        Kind::Supply => 43.5,
        Kind::White => 43.0,
        Kind::Infantry => 42.0,
        _ => 41.0,
    }
}

/// Nations whose units the cards of a side bring.
fn nations(state: &State, force: Force) -> &'static [Nation] {
    match force {
        Force::Axis => &[Nation::Ger],
        Force::Allied if state.timers().usa_entry != 0 => &[Nation::Uk, Nation::Usa],
        Force::Allied => &[Nation::Uk],
        Force::Soviet => &[Nation::Ussr],
    }
}

/// Units of a kind that the counters still in the pool could hold: corps are not lost while one of them is left.
pub(super) fn free_units(game: &BlitzWar, state: &State, force: Force, kind: Kind) -> f32 {
    let nations = nations(state, force);
    let mut free = 0;
    for counter in game.sheet() {
        let sheet = &game.rules.counter_types[game.counter_type(counter) as usize];
        if sheet.kind == kind && nations.contains(&sheet.nation) && state.location(counter) == Location::POOL
        {
            free += sheet.front.max(sheet.back);
        }
    }
    f32::from(free)
}

/// Whether a corps of infantry finds a counter: one of a single corps in the pool, or one in a Supply Zone that it joins.
fn takes_a_corps(game: &BlitzWar, state: &State, force: Force) -> bool {
    let single = |nation: Nation| {
        game.sheet().any(|counter| {
            let sheet = &game.rules.counter_types[game.counter_type(counter) as usize];
            sheet.kind == Kind::Infantry
                && sheet.nation == nation
                && (sheet.front == 1 || sheet.back == 1)
                && state.location(counter) == Location::POOL
        })
    };
    let sources = game.supply_zones(force).and(state.control(force));
    nations(state, force).iter().any(|&nation| {
        single(nation) || sources.iter().any(|zone| game.joins_counter(state, nation, Kind::Infantry, zone))
    })
}

/// How good a naval base is for new ships.
fn harbour_score(game: &BlitzWar, state: &State, place: Location) -> f32 {
    let seas = game.port_seas(place);
    let wide = f32::from(seas.count_ones() as u8);
    // Lend-lease goes by the Gulf, which only new ships reach.
    let gulf = Location::of_sea(game.rules.landmarks.persian_gulf);
    let ships: u8 = state.stack(gulf).map(|counter| state.strength(counter)).sum();
    let waiting: u8 = state
        .stack(game.rules.landmarks.asian_bases)
        .filter(|&counter| game.kind(counter) == Kind::Fleet)
        .map(|counter| state.strength(counter))
        .sum();
    let lends = state.timers().axis_soviet_war != 0 && state.turn() + 2 >= game.rules.dates.gulf_lend_lease;
    let asia = match place == game.rules.landmarks.asian_bases {
        true if lends && ships + waiting < 6 => 5.0,
        true => -5.0,
        false => 0.0,
    };
    let america = if place == game.rules.landmarks.america { -1.0 } else { 0.0 };
    let atlantic = if game.rules.landmarks.north_atlantic.is_in(seas) { 0.5 } else { 0.0 };
    wide * 0.3 + atlantic + asia + america
}
