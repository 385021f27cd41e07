//! The `scripted` policy: plans each turn, then carries the plan out decision by decision. The `light` policy is the
//! same player with fewer cares.

use std::sync::Arc;

use sandtable_blitzwar::game::Counters;
use sandtable_blitzwar::location::{Counter, Location, Sea, Zone};
use sandtable_blitzwar::rules::{Seas, Zones};
use sandtable_blitzwar::{Action, BlitzWar, Country, Force, Kind, Nation, Pending, Phase, State, Tactics};
use sandtable_core::{Index, Rng64, Side};

use super::map_tables::MapTables;
use super::plan::{Plan, area_of_operations, lands_at};
use super::strategy::{Character, Tuning};
use sandtable_ai::policy::Policy;

/// Submarines that the Axis keeps for the blockade: as many as the Allies have side points in Great Britain (12.4).
const BLOCKADE: i16 = 7;

/// Zones of Great Britain that have air at least before the Allies base any elsewhere, while they wait to land in the west.
const CAMP_BASES: u32 = 3;

/// Half supply units in stock from which more counters for supply are wanted.
const RICH: u16 = 16;

/// Share of the worth of a zone that weighs against advancing with its last counter.
const LAST_GUARD: f32 = 0.6;

/// Units of a kind for which there should be counters when a card is chosen.
const DUE: f32 = 3.0;

/// What it costs to step after the battles into a zone that is held: the same supply would have gone three zones before.
const LATE_STEP: f32 = 0.4;

/// Half supply units beyond which the Soviets have no counters for what is lent to them.
const LENT_MOST: u16 = 28;

/// Least gain of a voyage of the Axis and of the others, in corps.
const VOYAGE: [f32; 2] = [0.6, 0.15];

/// Corps that go into a zone next to the enemy, where there are so many.
const STAND: u8 = 6;

/// Enemy corps beside a zone for each own one in it, up to which it is likely to be held, and from which it is lost.
const EVEN_FIGHT: f32 = 1.5;
const LOST_FIGHT: f32 = 3.0;

/// Share of a spearhead that is reckoned lost where it cannot hold.
const SPEARHEAD: f32 = 0.5;

/// Which part of the turn the plan at hand was made for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Reinforcement,
    Sea,
    Land,
    Combat,
}

/// How much a player cares for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// Everything.
    Full,
    /// Battles, landings and the front; no shipping, railways, reorganisation or moving of idle air and ships.
    Light,
}

/// A competent player of any side.
#[derive(Debug)]
pub(crate) struct Scripted {
    map_tables: Arc<MapTables>,
    /// How much it cares for, by side, and for the side at hand.
    efforts: [Effort; 3],
    effort: Effort,
    who: Option<Character>,
    /// The plan of the side at hand.
    plan: Box<Plan>,
    at_hand: Force,
    /// The plans of the other sides: in a rollout one player plays all of them.
    others: [Box<Plan>; 3],
    /// Turn and part of it for which each side's plan was made.
    made_for: [Option<(u8, Part)>; 3],
    /// Turn and phase of one-zone moves before which each side has looked at the map again.
    looked_at: [Option<(u8, Phase)>; 3],
}

impl Scripted {
    /// A player who has no plan yet.
    pub fn new(map_tables: Arc<MapTables>, effort: Effort) -> Scripted {
        let plan = || Box::new(Plan::new());
        Scripted {
            map_tables,
            efforts: [effort; 3],
            effort,
            who: None,
            plan: plan(),
            at_hand: Force::Axis,
            others: [(); 3].map(|()| plan()),
            made_for: [None; 3],
            looked_at: [None; 3],
        }
    }

    /// The same player with other tastes, by side.
    pub fn with(mut self, tastes: [Tuning; 3]) -> Scripted {
        for plan in self.others.iter_mut().chain([&mut self.plan]) {
            plan.board.tastes = tastes;
        }
        self
    }

    /// The same player caring for more or less, by side.
    pub fn caring(mut self, efforts: [Effort; 3]) -> Scripted {
        self.efforts = efforts;
        self.effort = efforts[self.at_hand.index()];
        self
    }

    /// Another player of the same tastes, whose character is still to be drawn.
    pub fn begin_anew(&mut self) {
        self.who = None;
        self.begin_line();
    }

    /// Takes up the plan of a side.
    fn turn_to(&mut self, force: Force) {
        if force != self.at_hand {
            std::mem::swap(&mut self.plan, &mut self.others[self.at_hand.index()]);
            std::mem::swap(&mut self.plan, &mut self.others[force.index()]);
            self.at_hand = force;
            self.effort = self.efforts[force.index()];
        }
    }
}

impl Policy<BlitzWar> for Scripted {
    fn pick(
        &mut self,
        game: &BlitzWar,
        state: &State,
        side: Side,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Action {
        let force = Force::of(side);
        match legal {
            [] => return self.unlisted(game, state, force),
            [only] => return *only,
            _ => {}
        }
        // Fortified corps stay as they are, and the nearest depot pays.
        if matches!(last(legal), Action::Unfortify(_) | Action::ChooseDepot) {
            return legal[0];
        }
        let who = self.who.get_or_insert_with(|| Character::draw(rng));
        let who = who.with(&self.plan.board.tastes[force.index()].dates);
        self.turn_to(force);
        if self.effort == Effort::Light && Self::skips(state) || state.phase() == Phase::LateAir {
            return legal[0];
        }
        self.prepare(game, state, force, who);
        if matches!(state.phase(), Phase::BlitzMove | Phase::NormalMove)
            && self.looked_at[force.index()] != Some((state.turn(), state.phase()))
        {
            // The battles have changed the map.
            self.plan.survey(game, &self.map_tables, state, force, who);
            self.looked_at[force.index()] = Some((state.turn(), state.phase()));
        }
        let choice = match (state.pending(), state.phase()) {
            (Pending::Excess { .. }, _) => Self::cheapest(game, state, legal),
            (Pending::SpanishRoll | Pending::TurkishRoll, _) => last(legal),
            (Pending::Response { target, .. }, _) => self.answer(game, state, force, target, legal, rng),
            (Pending::GermanDefence, _) => Action::UseShift,
            (Pending::AttackerLoss | Pending::DefenderLoss | Pending::CancelLoss, _) => {
                Self::cheapest(game, state, legal)
            }
            (Pending::Retreat, _) => self.retreat(game, state, force, legal),
            (Pending::Advance, _) => self.advance(game, state, legal),
            // Ships sail at a price a counter.
            (Pending::Reorganisation, _) => best_by(legal, |action| match action {
                Action::MergeElite(..) => 1.1,
                Action::Merge(..) => 1.0,
                Action::Pass => 0.5,
                _ => 0.0,
            }),
            (Pending::Depot, _) => legal[0],
            (Pending::Attack, _) => self.withhold(game, state, legal),
            (Pending::March(counter), _) => self.march_on(state, counter, legal),
            (Pending::Destination(counter), phase) => {
                self.destination(game, state, force, counter, phase, legal)
            }
            (Pending::None, phase) => self.choose(game, state, force, phase, legal, rng),
        };
        debug_assert!(legal.contains(&choice), "{choice:?}");
        choice
    }

    fn begin_line(&mut self) {
        self.made_for = [None; 3];
        self.looked_at = [None; 3];
    }

    fn reads_list(&self, game: &BlitzWar, state: &State) -> bool {
        !self.knows(game, state)
    }
}

/// The last legal action: the one that is not [`Action::Pass`], where there are two.
fn last(legal: &[Action]) -> Action {
    legal[legal.len() - 1]
}

/// The action with the highest score; the first of equals.
fn best_by(legal: &[Action], mut score: impl FnMut(Action) -> f32) -> Action {
    let mut best = (f32::MIN, legal[0]);
    for &action in legal {
        let value = score(action);
        if value > best.0 {
            best = (value, action);
        }
    }
    best.1
}

impl Scripted {
    /// Makes the plan for this part of the turn unless it is at hand.
    fn prepare(&mut self, game: &BlitzWar, state: &State, force: Force, who: Character) {
        let part = match state.phase() {
            Phase::Deployment | Phase::Diplomacy | Phase::Cards => return,
            Phase::Minors
            | Phase::PowerLosses
            | Phase::LendLease
            | Phase::Placement
            | Phase::Reorganisation => Part::Reinforcement,
            _ if force != state.active() => return,
            Phase::NavalMovement
            | Phase::NavalCombat
            | Phase::Bombing
            | Phase::BattleOfBritain
            | Phase::TacticalAir
            | Phase::Beachheads
            | Phase::StrategicAir
            | Phase::SeaTransport => Part::Sea,
            Phase::Fortification | Phase::StrategicMovement | Phase::TacticalMovement => Part::Land,
            _ => Part::Combat,
        };
        let turn = state.turn();
        let made_for = self.made_for[force.index()];
        if made_for == Some((turn, part)) {
            return;
        }
        let light = self.effort == Effort::Light;
        self.plan.board.foresight = if light { 2 } else { 3 };
        match part {
            // The map of the last turn will do.
            Part::Reinforcement if light && made_for.is_some() => {}
            Part::Reinforcement => {
                self.plan.survey(game, &self.map_tables, state, force, who);
                self.plan.clear();
            }
            Part::Sea => {
                self.plan.plan_air(game, &self.map_tables, state, force, who);
                if light {
                    // One plan has to do for the whole turn.
                    self.plan.plan_reserves(game, &self.map_tables, state);
                }
            }
            Part::Land | Part::Combat if light && made_for >= Some((turn, Part::Sea)) => {}
            Part::Land => self.plan.plan_land(game, &self.map_tables, state, force, who, !light),
            // A plan made for another turn says nothing about this one.
            Part::Combat => {
                self.plan.survey(game, &self.map_tables, state, force, who);
                if made_for < Some((turn, Part::Sea)) || !light && made_for < Some((turn, Part::Land)) {
                    self.plan.clear();
                }
            }
        }
        self.made_for[force.index()] = Some((turn, part));
    }

    /// Whether the player who decides is a light one that needs no list: see [`Scripted::unlisted`].
    fn knows(&self, game: &BlitzWar, state: &State) -> bool {
        let force = game.decider(state);
        if self.efforts[force.index()] != Effort::Light || state.pending() != Pending::None {
            return false;
        }
        let planned = self.made_for[force.index()] >= Some((state.turn(), Part::Sea));
        let plan = if force == self.at_hand { &self.plan } else { &self.others[force.index()] };
        match state.phase() {
            // Nobody is shipped without a landing to be made.
            Phase::SeaTransport => planned && plan.landing.is_none(),
            Phase::TacticalMovement => planned,
            _ => Self::skips(state),
        }
    }

    /// What a light player does without a list of what is legal: it marches by its orders, else it passes.
    fn unlisted(&mut self, game: &BlitzWar, state: &State, force: Force) -> Action {
        if state.phase() != Phase::TacticalMovement {
            return Action::Pass;
        }
        self.turn_to(force);
        let mut tactics = None;
        for activating in [false, true] {
            for owner in self.plan.march.given() {
                let here = state.location(owner);
                if !here.is_zone() || (self.plan.march.of(owner) == Some(here)) != activating {
                    continue;
                }
                // Of interchangeable counters the first goes.
                let Some(counter) = self.relieve(game, state, owner) else { continue };
                if !activating && self.plan.march.of(counter).is_some_and(|to| is_full(game, state, to)) {
                    continue;
                }
                let tactics = tactics.get_or_insert_with(|| Tactics::new(game, state));
                let (goes, fights) = tactics.options(counter);
                if activating && fights {
                    self.plan.march.cancel(counter);
                    return Action::Activate(counter);
                }
                if !activating && goes {
                    return Action::Select(counter);
                }
            }
        }
        Action::Pass
    }

    /// Hands the orders of a counter to the first of its twins in the place; `None` if that has orders of its own.
    fn relieve(&mut self, game: &BlitzWar, state: &State, owner: Counter) -> Option<Counter> {
        if !game.has_identical_before(state, owner) {
            return Some(owner);
        }
        let mut twins = state.stack(state.location(owner));
        let first = twins.find(|&other| game.counter_type(other) == game.counter_type(owner))?;
        if game.has_identical_before(state, first)
            || self.plan.march.contains(first)
            || state.strength(first) != state.strength(owner)
            || state.moved(first) != state.moved(owner)
        {
            return None;
        }
        self.plan.march.swap(first, owner);
        self.plan.target.swap(first, owner);
        Some(first)
    }

    /// Whether a light player has nothing to decide here, so that it needs no plan.
    fn skips(state: &State) -> bool {
        state.pending() == Pending::None
            && matches!(
                state.phase(),
                Phase::Reorganisation
                    | Phase::StrategicAir
                    | Phase::Fortification
                    | Phase::StrategicMovement
                    | Phase::BlitzMove
                    | Phase::NormalMove
                    | Phase::OutOfSupply
                    | Phase::LateAir
            )
    }

    fn choose(
        &mut self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        phase: Phase,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Action {
        if self.effort == Effort::Light && phase == Phase::SeaTransport && self.plan.landing.is_none() {
            return legal[0];
        }
        match phase {
            Phase::Deployment => self.deploy(game, state, legal),
            Phase::Diplomacy => last(legal),
            Phase::Cards => self.card(game, state, force, legal, rng),
            Phase::Minors | Phase::Placement => self.place(game, state, legal),
            Phase::PowerLosses => best_by(legal, |action| match action {
                Action::PaySupply => 1.0,
                Action::Release(kind) => match game.rules.counter_types[kind as usize].kind {
                    Kind::Supply => 4.0,
                    Kind::White => 3.0,
                    Kind::Infantry => 2.0,
                    _ => 1.5,
                },
                _ => 0.0,
            }),
            Phase::LendLease => Self::lend(game, state, legal),
            Phase::Reorganisation => last(legal),
            Phase::NavalMovement => self.sail(game, state, force, legal),
            Phase::NavalCombat => Self::naval_attack(game, state, force, legal),
            Phase::Bombing => self.bomb(legal),
            Phase::TacticalAir => self.fly(game, state, legal),
            Phase::Beachheads => self.beachhead(state, legal),
            Phase::StrategicAir => self.rebase(game, state, legal),
            Phase::SeaTransport => self.embark(game, state, force, legal),
            Phase::Fortification => self.fortify(game, state, force, legal),
            Phase::StrategicMovement => self.entrain(legal),
            Phase::TacticalMovement => self.march(game, state, legal),
            Phase::Blitz | Phase::Normal => self.attack(game, state, force, legal),
            Phase::BlitzMove | Phase::NormalMove => self.follow_up(game, state, legal),
            Phase::OutOfSupply => self.escape(game, state, legal),
            _ => legal[0],
        }
    }

    // ---- set-up, cards, reinforcements ----

    fn deploy(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        best_by(legal, |action| {
            let Action::Deploy(zone) = action else { return 0.0 };
            let there = state.stack(zone).filter(|&counter| game.kind(counter).is_corps()).count() as u8;
            self.map_tables
                .polish
                .iter()
                .position(|&(place, armies)| place == zone && there < armies)
                .map_or(-f32::from(there), |order| 10.0 - order as f32)
        })
    }

    fn card(
        &self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Action {
        let tastes = &self.plan.board.tastes[force.index()];
        let turn = state.turn();
        let stock = f32::from(game.total_stock(state, force)) / 2.0;
        // An army that cannot be paid does not fight.
        let hungry = match stock {
            ..6.0 => 0.5,
            ..12.0 => 0.4,
            ..25.0 => 0.32,
            ..32.0 => 0.2,
            _ => 0.08,
        } * match force {
            Force::Axis => 1.0,
            Force::Allied if turn < 12 => 1.0,
            // They have more supply than they can use: the Allies for want of ground, the Soviets for want of corps.
            Force::Allied | Force::Soviet => 0.5,
        };
        // infantry, armour, air, fleet, submarine, supply, development
        let mut weights: [f32; 7] = match force {
            Force::Axis if turn < 16 => [1.0, 2.4, 0.9, 0.2, 0.8, hungry, 0.0],
            Force::Axis if turn < 28 => [1.1, 2.2, 0.8, 0.1, 0.6, hungry, 0.0],
            Force::Axis => [1.1, 1.8, 0.8, 0.1, 0.3, hungry, 0.0],
            Force::Allied if turn < 12 => [1.3, 1.8, 0.8, 0.7, 0.0, hungry, 0.0],
            Force::Allied => [1.1, 2.2, 0.9, 0.9, 0.0, hungry, 0.0],
            Force::Soviet => [1.2, 2.4, 1.2, 0.0, 0.0, hungry, 1.6],
        };
        let sources = game.supply_zones(force).and(state.control(force));
        if !sources.is_empty() && sources.iter().all(|zone| is_full(game, state, zone)) {
            // There is no room for more than can march off.
            weights[0] *= 0.6;
            weights[5] *= 1.3;
        }
        let boats = self.boats(state, game.rules.landmarks.north_atlantic);
        match force {
            Force::Axis if boats >= BLOCKADE => weights[4] = 0.1,
            Force::Allied if boats > 2 => weights[3] += 0.4,
            // Every fleet in the right seas carries two units of supply to the Soviets (11.4).
            Force::Allied if state.timers().axis_soviet_war != 0 => weights[3] += 0.4,
            _ => {}
        }
        // What finds no counter is lost.
        for (kind, worth) in [(Kind::Infantry, 0), (Kind::Armour, 1), (Kind::Air, 2), (Kind::Fleet, 3)] {
            let free = free_units(game, state, force, kind);
            // The Soviets release counters as they go (11.8).
            if force != Force::Soviet && free < DUE {
                weights[worth] *= free / DUE;
            }
        }
        weights[1] *= tastes.armour;
        weights[2] *= tastes.air;
        weights[5] *= tastes.hunger;
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
            let sum: f32 = units.iter().zip(weights).map(|(&n, worth)| f32::from(n) * worth).sum();
            sum + 0.8 * rng.unit() as f32
        })
    }

    fn lend(game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let ours = game.total_stock(state, Force::Allied);
        let theirs = game.total_stock(state, Force::Soviet);
        best_by(legal, |action| match action {
            Action::Lend(Kind::Supply) if theirs < LENT_MOST && ours > 12 => 2.0,
            Action::Lend(Kind::Air) if ours > 60 => 0.8,
            Action::Pass => 1.0,
            _ => 0.0,
        })
    }

    /// Where the next reinforcement goes.
    fn place(&mut self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let board = &self.plan.board;
        let map_tables = &self.map_tables;
        let choice = best_by(legal, |action| match action {
            Action::Italian(kind)
                if kind.is_corps()
                    && game.capital(Country::Ita).is_some_and(|rome| {
                        is_full(game, state, rome) && !game.joins_counter(state, Nation::Ita, kind, rome)
                    }) =>
            {
                0.1
            }
            Action::Italian(kind) => match kind {
                Kind::Infantry => 1.0,
                Kind::Air => 0.9,
                Kind::Armour => 1.1,
                _ => 0.5,
            },
            Action::Place { nation, kind, place } => match kind {
                Kind::Air => self.base_score(game, place),
                Kind::Fleet | Kind::Submarine => harbour_score(game, state, place),
                Kind::Supply => {
                    let near = board.threat[place.at()];
                    let america = if place == map_tables.america { 5.0 } else { 0.0 };
                    // No line reaches Asian Bases: ships there sail on what lies there.
                    let isolated = place == game.rules.landmarks.asian_bases
                        && state.stack(place).any(|counter| game.kind(counter) == Kind::Fleet)
                        && game.stock(state, place, board.force) < 4;
                    let fuel = if isolated { 8.0 } else { 0.0 };
                    10.0 + fuel - near - america - f32::from(board.front[place.at()].min(20)) * 0.05
                }
                _ => {
                    let america = if place == map_tables.america { 1.0 } else { 0.0 };
                    let full = is_full(game, state, place) && !game.joins_counter(state, nation, kind, place);
                    let hold = board.hold(map_tables, place, board.strength[place.at()] + 1)
                        - board.hold(map_tables, place, board.strength[place.at()]);
                    hold + 3.0 * board.pull(place) - america - if full { 20.0 } else { 0.0 }
                }
            },
            // Without counters supply is lost once there is much of it. Air is offered only with a card that brings some, which
            // would be lost for want of a counter.
            Action::Release(kind) => match game.rules.counter_types[kind as usize].kind {
                Kind::Supply if game.total_stock(state, board.force) >= RICH => 45.0,
                Kind::Air => 44.0,
                Kind::Supply => 43.5,
                Kind::White => 43.0,
                Kind::Infantry => 42.0,
                _ => 41.0,
            },
            Action::Pass => -30.0,
            // The missions of the Axis have had their day; those of the others still face its turn.
            Action::Discard(_) if state.active() != Force::Axis => -40.0,
            _ => 0.0,
        });
        if let Action::Place { kind, place, .. } = choice
            && matches!(kind, Kind::Infantry | Kind::Armour)
        {
            self.plan.board.strength[place.at()] += 1;
        }
        choice
    }

    // ---- sea ----

    /// Units wanted at a station beyond those there; negative if there are too many.
    fn station_gap(&self, game: &BlitzWar, state: &State, force: Force, sea: Sea, submarines: bool) -> i16 {
        let turn = state.turn();
        let mut wanted = 0i16;
        for (at, station) in &self.map_tables.stations[force.index()] {
            let open = (station.turns.0..=station.turns.1).contains(&turn)
                && station.needs.is_none_or(|country| state.status(country).force() == Some(force));
            if *at == sea && open && station.submarines == submarines {
                wanted = wanted.max(i16::from(station.units));
            }
        }
        // Submarines are hunted where they are: a unit of them costs a unit of supply every turn (12.4).
        if force == Force::Allied && turn > 1 && game.rules.landmarks.north_atlantic == sea {
            wanted = wanted.max(self.boats(state, sea));
        }
        let kind = if submarines { 2 } else { 1 };
        let there: i16 = state
            .stack(Location::of_sea(sea))
            .filter(|&counter| {
                self.map_tables.naval[counter.at()] == kind && game.force(state, counter) == Some(force)
            })
            .map(|counter| i16::from(state.strength(counter)))
            .sum();
        wanted - there
    }

    /// Submarines in a sea.
    fn boats(&self, state: &State, sea: Sea) -> i16 {
        state
            .stack(Location::of_sea(sea))
            .filter(|&counter| self.map_tables.naval[counter.at()] == 2)
            .map(|counter| i16::from(state.strength(counter)))
            .sum()
    }

    fn sail(&self, game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        if self.plan.board.budget < 4 {
            return legal[0];
        }
        let own = game.own_area(state, force);
        best_by(legal, |action| {
            let Action::Select(counter) = action else { return 0.5 };
            let submarines = self.map_tables.naval[counter.at()] == 2;
            let here = state.location(counter);
            // Ships at a station that would miss them stay.
            if let Some(sea) = here.sea()
                && self.station_gap(game, state, force, sea, submarines) + i16::from(state.strength(counter))
                    > 0
            {
                return 0.0;
            }
            let reached = Self::seas_in_reach(game, &own, here, submarines);
            let wanted = self.map_tables.stations[force.index()].iter().any(|&(sea, station)| {
                sea.is_in(reached)
                    && station.submarines == submarines
                    && self.station_gap(game, state, force, sea, submarines) > 0
            });
            if wanted { 1.0 } else { 0.0 }
        })
    }

    /// Seas that ships can move to this turn (12.1): submarines pass all straits.
    fn seas_in_reach(game: &BlitzWar, own: &Zones, place: Location, submarines: bool) -> Seas {
        let seas = &game.rules.seas;
        let at_sea = place.sea().filter(|&sea| sea.at() < seas.len());
        let mut reached: Seas = at_sea.map_or_else(|| game.port_seas(place), Sea::mask);
        let steps = game.rules.limits.naval_move - u8::from(at_sea.is_none());
        let mut ring = reached;
        for _ in 0..steps {
            let mut next: Seas = 0;
            while ring != 0 {
                let sea = &seas[ring.trailing_zeros() as usize];
                ring &= ring - 1;
                let shut = sea.straits.iter().filter(|&&(_, key)| !submarines && !own.contains(key));
                next |= shut.fold(sea.neighbours, |open, &(to, _)| open & !to.mask());
            }
            ring = next & !reached;
            reached |= next;
        }
        reached
    }

    fn naval_attack(game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        best_by(legal, |action| {
            let Action::NavalAttack(sea) = action else { return 0.0 };
            let (mut ours, mut theirs) = (0i16, 0i16);
            let mut boats = 0i16;
            for counter in state.stack(Location::of_sea(sea)) {
                if game.kind(counter).is_naval() {
                    match game.force(state, counter) {
                        Some(owner) if owner == force => ours += i16::from(state.strength(counter)),
                        Some(owner) if owner.opposes(force) => {
                            theirs += i16::from(state.strength(counter));
                            boats += i16::from(game.kind(counter) == Kind::Submarine);
                        }
                        _ => {}
                    }
                }
            }
            // The table is even whatever the numbers (12.2). Submarines on the shipping lanes are worth a fleet each: the
            // Allies always hunt them, and the Axis risks those alone that the blockade does not count.
            let bold = match force {
                Force::Axis => ours - theirs - BLOCKADE,
                _ if boats > 0 => 1,
                _ => ours - theirs,
            };
            f32::from(bold) + 0.5
        })
    }

    // ---- air ----

    /// How good a zone is as an air base: targets in range, and safe.
    fn base_score(&self, game: &BlitzWar, zone: Zone) -> f32 {
        let board = &self.plan.board;
        let range = game.air_range(zone);
        let targets = match self.effort {
            Effort::Full => range.and(&board.foes).len().min(8) as f32,
            Effort::Light => f32::from(u8::from(range.intersects(&board.foes))),
        };
        let mut score = targets + 3.0 * board.pull(zone);
        if game.adjacent(zone).intersects(&board.foes) {
            score -= if board.strength[zone.at()] < 3 { 6.0 } else { 1.0 };
        }
        if self.map_tables.britain.contains(zone) {
            // Home defence, bombing and the coast of the Channel, which every landing needs.
            let channel = game.rules.landmarks.london;
            score += if zone == channel { 4.0 } else { 1.0 };
            if board.camp {
                let there = board.air_at.and(&self.map_tables.britain).len();
                score += if there < CAMP_BASES { 12.0 } else { 2.0 };
            }
        }
        if zone == self.map_tables.america {
            score -= 6.0;
        }
        score
    }

    fn bomb(&self, legal: &[Action]) -> Action {
        // Bombers come from what the planned battles leave over.
        let spoken: usize = self.plan.air.iter().map(|&(_, units)| units as usize).sum();
        if self.plan.board.air.len() > spoken + 3 { last(legal) } else { legal[0] }
    }

    /// Own air over a place, on mission.
    fn flown(&self, game: &BlitzWar, state: &State, place: Location) -> u8 {
        state
            .stack(place)
            .filter(|&counter| {
                game.kind(counter) == Kind::Air
                    && state.is_turned(counter)
                    && game.force(state, counter) == Some(self.plan.board.force)
            })
            .count() as u8
    }

    fn reaches(game: &BlitzWar, state: &State, counter: Counter, place: Location) -> bool {
        let base = state.location(counter);
        if !base.is_zone() {
            return false;
        }
        if place.is_zone() {
            return game.air_range(base).contains(place);
        }
        place.sea().is_some_and(|sea| sea.is_in(game.coast(base)))
    }

    fn fly(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        for &(place, units) in &self.plan.air {
            if self.flown(game, state, place) < units {
                for &action in legal {
                    if let Action::Select(counter) = action
                        && Self::reaches(game, state, counter, place)
                        && (place.is_zone()
                            || self.plan.board.force == Force::Allied
                            || game.nation(counter) == Nation::Ger)
                    {
                        return action;
                    }
                }
            }
        }
        legal[0]
    }

    fn beachhead(&self, state: &State, legal: &[Action]) -> Action {
        let Some(landing) = self.plan.landing else { return legal[0] };
        best_by(legal, |action| match action {
            Action::Beachhead { counter, zone }
                if zone == landing.zone && state.location(counter) == Location::of_sea(landing.sea) =>
            {
                2.0
            }
            Action::Pass => 1.0,
            _ => 0.0,
        })
    }

    fn rebase(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        // Only units with nothing in range move up, and to something better, so that the phase is short.
        let mut best = None;
        best_by(legal, |action| {
            let Action::Select(counter) = action else { return 0.5 };
            let base = state.location(counter);
            let useful =
                base != self.map_tables.america && game.air_range(base).intersects(&self.plan.board.foes);
            let exposed = game.adjacent(base).intersects(&self.plan.board.foes)
                && self.plan.board.strength[base.at()] < 3;
            let guard = self.map_tables.britain.contains(base);
            if guard || useful && !exposed || self.plan.board.foes.is_empty() {
                return 0.0;
            }
            let best = *best.get_or_insert_with(|| {
                let bases = game.own_area(state, self.plan.board.force);
                bases.iter().map(|zone| self.base_score(game, zone)).fold(f32::MIN, f32::max)
            });
            if best > self.base_score(game, base) + 1.0 { 1.0 } else { 0.0 }
        })
    }

    /// Answers enemy air where a battle is in the making.
    fn answer(
        &self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        target: Zone,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Action {
        let spare = legal.len() - 1;
        let answers = if target.is_zone() {
            let corps = game.corps_in(state, target, force);
            let held = corps.0 + corps.1;
            held > 0 && (spare >= 3 || self.map_tables.worth[target.at()] > 1.0 || rng.unit() < 0.5)
        } else {
            spare >= 2
        };
        if answers { legal[1] } else { legal[0] }
    }

    // ---- transport ----

    /// What a counter gains by being shipped to a port.
    fn voyage(&self, game: &BlitzWar, state: &State, force: Force, counter: Counter, to: Location) -> f32 {
        let board = &self.plan.board;
        let from = state.location(counter);
        let corps = state.strength(counter);
        if !board.has_room(game, to, corps) || from.is_zone() && !board.sails(game, from, to) {
            return f32::MIN;
        }
        let late = state.turn() >= 20;
        let sheet = &game.rules.zones;
        if force == Force::Allied && !late {
            // Egypt keeps its garrison, and no corps follows into a lost France.
            let lost = |country: Country| {
                sheet[to.at()].country == country
                    && game
                        .capital(country)
                        .is_some_and(|capital| !state.control(Force::Allied).contains(capital))
            };
            let south = |zone: Zone| {
                zone.is_zone()
                    && (game.rules.regions.africa.contains(zone)
                        || game.rules.regions.british_asia.contains(zone))
            };
            if lost(Country::Fra) || lost(Country::Nor) || south(from) && !south(to) {
                return f32::MIN;
            }
        }
        for (area, quota) in &self.map_tables.quotas[force.index()] {
            if area.contains(to) && !area.contains(from) {
                let sent: u16 = area.iter().map(|zone| u16::from(board.strength[zone.at()])).sum();
                if sent + u16::from(corps) > u16::from(if late { quota.corps.1 } else { quota.corps.0 }) {
                    return f32::MIN;
                }
            }
        }
        let origin = if from.is_zone() { from } else { Location::NONE };
        let mut gain = board.gain(&self.map_tables, origin, to, corps);
        // A camp from which to go on: Britain before America.
        if from == self.map_tables.america {
            gain += 0.6;
        }
        let far = if is_far(game, from, to) { 2.0 } else { 1.0 };
        gain - board.price * far * f32::from(corps)
    }

    fn embark(&mut self, game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        let force_ports = game.own_area(state, force).and(game.ports());
        best_by(legal, |action| match action {
            Action::Pass => VOYAGE[usize::from(force != Force::Axis)],
            Action::Select(counter) => {
                let from = state.location(counter);
                let kind = game.kind(counter);
                if !kind.is_corps() || !from.is_zone() || area_of_operations(game, counter).is_some() {
                    return 0.0;
                }
                if self.plan.board.camp
                    && self.map_tables.britain.contains(from)
                    && self.plan.landing.is_some()
                {
                    // They wait for the beachheads.
                    return if self.lands_somewhere(game, state, counter) { 5.0 } else { 0.0 };
                }
                if self.lands_somewhere(game, state, counter) {
                    return 5.0;
                }
                if self.plan.board.budget < 6 || self.effort == Effort::Light {
                    return 0.0;
                }
                force_ports
                    .iter()
                    .map(
                        |port| {
                            if port == from {
                                f32::MIN
                            } else {
                                self.voyage(game, state, force, counter, port)
                            }
                        },
                    )
                    .fold(0.0, f32::max)
            }
            _ => 0.0,
        })
    }

    /// Whether a counter goes aboard for the landing of the turn.
    fn lands_somewhere(&self, game: &BlitzWar, state: &State, counter: Counter) -> bool {
        self.plan.landing.is_some_and(|landing| self.lands(game, state, counter, landing.sea, landing.zone))
    }

    /// Whether a counter goes aboard for the landing.
    fn lands(&self, game: &BlitzWar, state: &State, counter: Counter, sea: Sea, zone: Zone) -> bool {
        let from = state.location(counter);
        if !from.is_zone()
            || !sea.is_in(game.port_seas(from))
            || !game.ports().contains(from)
            || !lands_at(game, state, counter, zone)
        {
            return false;
        }
        let mut room = 0;
        for slot in Location::beachheads() {
            if state.beachhead(slot) == Some((zone, sea)) {
                let dotted = self.map_tables.dotted[zone.at()].contains(from);
                let each =
                    if dotted { game.rules.limits.beachhead_dotted } else { game.rules.limits.beachhead };
                for other in state.stack(slot) {
                    if game.kind(other) == Kind::Air {
                        room += i16::from(each);
                    } else {
                        room -= i16::from(state.strength(other));
                    }
                }
            }
        }
        room >= i16::from(state.strength(counter))
    }

    // ---- destinations ----

    fn destination(
        &mut self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        counter: Counter,
        phase: Phase,
        legal: &[Action],
    ) -> Action {
        match phase {
            Phase::NavalMovement => {
                let submarines = self.map_tables.naval[counter.at()] == 2;
                best_by(legal, |action| {
                    let Action::Go(place) = action else { return f32::MIN };
                    let Some(sea) = place.sea() else { return -1.0 };
                    let order = self.map_tables.stations[force.index()].iter().position(|&(at, station)| {
                        at == sea
                            && station.submarines == submarines
                            && self.station_gap(game, state, force, sea, submarines) > 0
                    });
                    order.map_or(-2.0, |order| 20.0 - order as f32)
                })
            }
            Phase::TacticalAir => {
                let wanted = self
                    .plan
                    .air
                    .iter()
                    .find(|&&(place, units)| {
                        self.flown(game, state, place) < units && legal.contains(&Action::Go(place))
                    })
                    .map(|&(place, _)| Action::Go(place));
                // Who is up must go somewhere: never over a neutral.
                wanted.unwrap_or_else(|| {
                    best_by(legal, |action| match action {
                        Action::Go(place) if !place.is_zone() => 1.0,
                        Action::Go(place) if self.plan.board.foes.contains(place) => 2.0,
                        Action::Go(place) if self.plan.board.hostile.contains(place) => 1.5,
                        Action::Go(_) => 0.0,
                        _ => 3.0,
                    })
                })
            }
            Phase::StrategicAir => best_by(legal, |action| {
                let Action::Go(zone) = action else { return f32::MIN };
                self.base_score(game, zone)
            }),
            Phase::SeaTransport => {
                let landing = self.plan.landing;
                let choice = best_by(legal, |action| {
                    let Action::Go(place) = action else { return f32::MIN };
                    if let Some((zone, sea)) = state.beachhead(place) {
                        return match landing {
                            Some(landing) if landing.zone == zone && landing.sea == sea => 50.0,
                            _ => -50.0,
                        };
                    }
                    // Who is aboard must go ashore somewhere: at worst where there is room.
                    let crowded = if is_full(game, state, place) { 100.0 } else { 0.0 };
                    self.voyage(game, state, force, counter, place).max(-20.0) - crowded
                });
                if let Action::Go(place) = choice
                    && place.is_zone()
                    && game.kind(counter).is_corps()
                {
                    let from = state.location(counter);
                    let origin = if from.is_zone() { from } else { Location::NONE };
                    let corps = state.strength(counter);
                    self.plan.board.shift(origin, place, corps);
                    self.plan.board.budget -= i32::from(corps) * 4;
                }
                choice
            }
            Phase::BlitzMove | Phase::NormalMove => {
                let step = self.step(game, state, counter).map(|(_, zone)| zone);
                let go = step.map(Action::Go).filter(|go| legal.contains(go)).unwrap_or(legal[0]);
                if let Action::Go(zone) = go {
                    let cost = i32::from(game.tactical_cost(state, counter));
                    self.plan.board.shift(state.location(counter), zone, state.strength(counter));
                    self.plan.board.budget -= cost;
                }
                go
            }
            Phase::StrategicMovement => {
                let order = self.plan.rail.of(counter).map(Action::Go);
                order.filter(|go| legal.contains(go)).unwrap_or(legal[0])
            }
            _ => best_by(legal, |action| {
                let Action::Go(zone) = action else { return f32::MIN };
                let board = &self.plan.board;
                if !board.open.or(&board.hostile).contains(zone) {
                    return -50.0;
                }
                let supplied = if board.open.contains(zone) { 1.0 } else { 0.0 };
                supplied + board.hold(&self.map_tables, zone, board.strength[zone.at()] + 1)
            }),
        }
    }

    // ---- land movement ----

    /// The first offered counter that has a destination by rail, else the pass.
    fn entrain(&self, legal: &[Action]) -> Action {
        legal
            .iter()
            .copied()
            .find(|&action| matches!(action, Action::Select(counter) if self.plan.rail.contains(counter)))
            .unwrap_or(legal[0])
    }

    fn march(&mut self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        for &action in legal {
            let (counter, activating) = match action {
                Action::Select(counter) => (counter, false),
                Action::Activate(counter) => (counter, true),
                _ => continue,
            };
            self.adopt(game, state, counter);
            let Some(to) = self.plan.march.of(counter) else { continue };
            let here = state.location(counter) == to;
            // Those who are to make room go first.
            if !here && is_full(game, state, to) {
                continue;
            }
            if here == activating {
                if activating {
                    self.plan.march.cancel(counter);
                }
                return action;
            }
        }
        legal[0]
    }

    /// Orders are given to counters by index, but of interchangeable counters only the first is offered: it takes over
    /// the order of a twin.
    fn adopt(&mut self, game: &BlitzWar, state: &State, counter: Counter) {
        if self.plan.march.contains(counter) {
            return;
        }
        let (place, kind, strength) =
            (state.location(counter), game.counter_type(counter), state.strength(counter));
        let twin = state.stack(place).find(|&other| {
            other > counter
                && self.plan.march.contains(other)
                && game.counter_type(other) == kind
                && state.strength(other) == strength
                && state.moved(other) == state.moved(counter)
                && state.is_activated(other) == state.is_activated(counter)
        });
        if let Some(twin) = twin {
            self.plan.march.swap(counter, twin);
            self.plan.target.swap(counter, twin);
        }
    }

    fn march_on(&mut self, state: &State, counter: Counter, legal: &[Action]) -> Action {
        let Some(to) = self.plan.march.of(counter).filter(|&to| to != state.location(counter)) else {
            self.plan.march.cancel(counter);
            return legal[0];
        };
        let go = Action::Go(to);
        if legal.contains(&go) {
            return go;
        }
        // A zone on the way has to be taken first: the one nearest to the goal.
        let ground = self.plan.board.open.or(&self.plan.board.hostile);
        let closer = best_by(legal, |action| match action {
            Action::Go(zone) if !ground.contains(zone) => f32::MIN,
            Action::Go(zone) => -f32::from(self.map_tables.steps(zone, to)),
            _ => -f32::from(self.map_tables.steps(state.location(counter), to)) + 0.5,
        });
        if closer == legal[0] || !matches!(closer, Action::Go(_)) {
            self.plan.march.cancel(counter);
        }
        closer
    }

    fn fortify(&self, game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        if force != Force::Axis || state.turn() < 24 || self.plan.board.budget < 24 {
            return legal[0];
        }
        let board = &self.plan.board;
        best_by(legal, |action| match action {
            Action::Fortify(counter) => {
                let zone = state.location(counter);
                let idle = !self.plan.march.contains(counter) && !self.plan.rail.contains(counter);
                let coast = game.coast(zone) != 0 && board.threat[zone.at()] > 0.0;
                if idle && coast { board.threat[zone.at()] } else { -1.0 }
            }
            Action::Pass => 0.5,
            _ => -1.0,
        })
    }

    /// The best zone for a counter to step to after the battles, with the gain less the price.
    fn step(&self, game: &BlitzWar, state: &State, counter: Counter) -> Option<(f32, Zone)> {
        let board = &self.plan.board;
        let from = state.location(counter);
        let corps = state.strength(counter);
        let cost = i32::from(game.tactical_cost(state, counter));
        if !from.is_zone() || cost > board.budget {
            return None;
        }
        let least = board.tuning.march + board.price * cost as f32 / 2.0;
        let near = game.adjacent(from).and(&board.open).difference(&board.hostile);
        let mut best: Option<(f32, Zone)> = None;
        for zone in near {
            if is_full(game, state, zone) || !board.has_room(game, zone, corps) {
                continue;
            }
            // The same price would have carried it three zones: only what the battles have opened is worth it now.
            let late = if board.counters[zone.at()] == 0 { 0.0 } else { LATE_STEP };
            let gain = board.gain(&self.map_tables, from, zone, corps) - least - late;
            if gain > best.map_or(0.0, |best| best.0) {
                best = Some((gain, zone));
            }
        }
        best
    }

    /// Brings up what has not moved yet, where the battles have made room.
    fn follow_up(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        best_by(legal, |action| match action {
            Action::Select(counter) => self.step(game, state, counter).map_or(-1.0, |(gain, _)| gain),
            _ => 0.0,
        })
    }

    /// Lets a counter out of supply move where it is supplied.
    fn escape(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let lines = game.supplied(state, self.plan.board.force, true).zones;
        let ground = lines.and(&self.plan.board.open);
        legal
            .iter()
            .copied()
            .find(|&action| match action {
                Action::Select(counter) => {
                    let zone = state.location(counter);
                    !lines.contains(zone) && game.adjacent(zone).intersects(&ground)
                }
                _ => false,
            })
            .unwrap_or(legal[0])
    }

    // ---- combat ----

    /// Counters of the side in turn that would attack a zone.
    fn attackers_of(game: &BlitzWar, state: &State, force: Force, zone: Zone) -> Counters {
        let mut set = Counters::EMPTY;
        for place in *game.adjacent(zone) {
            if state.corps(force).contains(place) {
                for counter in state.stack(place) {
                    if game.kind(counter).is_corps()
                        && state.is_activated(counter)
                        && game.force(state, counter) == Some(force)
                    {
                        set.insert(counter);
                    }
                }
            }
        }
        for slot in Location::beachheads() {
            if state.beachhead(slot).is_some_and(|(at, _)| at == zone) {
                for counter in state.stack(slot) {
                    if game.kind(counter).is_corps() && game.force(state, counter) == Some(force) {
                        set.insert(counter);
                    }
                }
            }
        }
        set
    }

    fn attack(&self, game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        let board = &self.plan.board;
        best_by(legal, |action| match action {
            Action::Attack(zone) => {
                let set = Self::attackers_of(game, state, force, zone);
                let assessment = game.assess(state, zone, &set);
                let index = assessment.index();
                let odds = self.map_tables.at(index);
                let defenders = f32::from(assessment.defenders.0 + assessment.defenders.1).max(1.0);
                let killed = odds.defender.min(defenders + f32::from(assessment.fortified));
                let taken = if killed >= defenders { 0.85 } else { 0.5 * odds.beaten };
                let wanted = if board.foes.contains(zone) { 0.0 } else { -10.0 };
                wanted + killed - 1.1 * odds.attacker + taken * (0.4 + board.prize[zone.at()])
                    - if index < 2 { 0.8 } else { 0.1 }
            }
            Action::Advance(_, zone) if is_full(game, state, zone) => -1.0,
            Action::Advance(..) => 3.0,
            Action::Pass => 0.0,
            _ => f32::MIN,
        })
    }

    /// Keeps back what is not needed here and has another target.
    fn withhold(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let target = state.combat().target;
        let set = game.attackers(state);
        for &action in legal {
            if let Action::Withhold(counter) = action {
                let meant = self.plan.target.of(counter);
                let elsewhere =
                    meant.is_some_and(|meant| meant != target && self.plan.board.foes.contains(meant));
                let place = state.location(counter);
                let idle = place.is_zone()
                    && meant != Some(target)
                    && game
                        .adjacent(place)
                        .and(&self.plan.board.foes)
                        .difference(&Zones::one(target))
                        .is_empty();
                let enough = if elsewhere { 5 } else { 8 };
                let mut fewer = set;
                fewer.remove(counter);
                if !idle && game.assess(state, target, &fewer).index() >= enough {
                    return action;
                }
            }
        }
        if legal.contains(&Action::Resolve) { Action::Resolve } else { legal[0] }
    }

    /// The loss that hurts least.
    fn cheapest(game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        best_by(legal, |action| match action {
            Action::Lose(counter, kind) => {
                if state.is_turned(counter) {
                    return 1.0;
                }
                let own = match game.nation(counter) {
                    Nation::Ger | Nation::Usa | Nation::Ussr | Nation::Uk => -1.0,
                    _ => -0.7,
                };
                let armour = if kind == Kind::Armour { -1.0 } else { 0.0 };
                own + armour - 0.05 * f32::from(state.strength(counter))
            }
            Action::Eliminate(counter) => {
                let armour = f32::from(game.corps_of(state, counter).1);
                -f32::from(state.strength(counter)) - armour
            }
            _ => f32::MIN,
        })
    }

    fn retreat(&self, game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        let combat = state.combat();
        let here = combat.target;
        let corps = game.corps_in(state, here, force);
        let left = corps.0 + corps.1;
        let mut leaving = 0;
        for counter in state.stack(here) {
            leaving += u8::from(game.kind(counter).is_corps());
        }
        best_by(legal, |action| match action {
            Action::Hold => {
                let worth = self.map_tables.worth[here.at()];
                let stand = self.plan.board.tastes[force.index()].stand;
                let plain = if left >= 3 || worth >= 2.0 {
                    worth - 1.2 + 0.15 * f32::from(left)
                } else {
                    worth - 2.6
                };
                plain + stand
            }
            Action::Retreat(zone) => {
                let mut there = 0;
                for counter in state.stack(zone) {
                    there += u8::from(game.kind(counter).is_corps());
                }
                let crowd = (there + leaving).saturating_sub(game.rules.limits.stack);
                let exposed = foes_beside(game, state, force, zone);
                let home = game.own_area(state, force).contains(zone)
                    || force.friend().is_some_and(|friend| state.control(friend).contains(zone));
                let neighbour = if force == Force::Axis { Force::Soviet } else { Force::Axis };
                let peace = state.timers().axis_soviet_war == 0 && state.control(neighbour).contains(zone);
                let away = if peace && force != Force::Allied { 20.0 } else { f32::from(u8::from(!home)) };
                -away + 0.3 + 0.1 * self.map_tables.worth[zone.at()] - 1.0 * f32::from(crowd) - 0.05 * exposed
            }
            _ => f32::MIN,
        })
    }

    fn advance(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let board = &self.plan.board;
        let force = board.force;
        let target = state.combat().target;
        let foes = game.foes(state, force);
        let own = game.own_area(state, force);
        let strength = |zone: Zone| {
            let (infantry, armour) = game.corps_in(state, zone, force);
            infantry + armour
        };
        let counters =
            |zone: Zone| state.stack(zone).filter(|&other| game.kind(other).is_corps()).count() as u8;
        best_by(legal, |action| match action {
            Action::Advance(counter, zone) => {
                let from = state.location(counter);
                let there = counters(zone);
                if there >= game.rules.limits.stack || !board.open.or(&board.hostile).contains(zone) {
                    return -1.0;
                }
                let corps = state.strength(counter);
                let armour = if game.corps_of(state, counter).1 > 0 { 0.1 } else { 0.0 };
                let fresh = !own.contains(zone);
                // On from the zone just won only to take more.
                if from == target && !(fresh && board.prize[zone.at()] > 0.0) {
                    return -1.0;
                }
                let held = strength(zone);
                let mut score = board.hold(&self.map_tables, zone, held + corps)
                    - board.hold(&self.map_tables, zone, held)
                    + armour
                    + board.crowding(game, there, corps);
                if fresh {
                    let room = game.rules.limits.stack - there;
                    let stands = held_after_counter_attack(
                        game,
                        state,
                        force,
                        zone,
                        held + followers(state, legal, zone, room),
                    );
                    score += (1.0 + board.prize[zone.at()]) * stands
                        - SPEARHEAD * (1.0 - stands) * f32::from(corps);
                }
                // A spearhead alone is cut off: enough go in to stand a counter-attack.
                if held < STAND && game.adjacent(zone).intersects(&foes) {
                    score += 1.0;
                }
                if from.is_zone() {
                    let left = strength(from);
                    score -= board.hold(&self.map_tables, from, left)
                        - board.hold(&self.map_tables, from, left - corps);
                    // Leave someone at a front that is still open.
                    let open_front = game.adjacent(from).intersects(&foes);
                    if counters(from) == 1 {
                        let open = if open_front {
                            1.2 + LAST_GUARD * self.map_tables.worth[from.at()]
                        } else {
                            0.0
                        };
                        score -= open.max(board.key[from.at()]);
                    }
                } else {
                    score += 5.0;
                }
                score
            }
            Action::Pass => 0.0,
            _ => f32::MIN,
        })
    }
}

/// Corps that could still advance to a zone with room for so many counters: the largest go.
fn followers(state: &State, legal: &[Action], zone: Zone, room: u8) -> u8 {
    let mut largest = [0u8; 3];
    for action in legal {
        if let Action::Advance(counter, to) = *action
            && to == zone
        {
            let mut corps = state.strength(counter);
            for place in largest.iter_mut().take(usize::from(room)) {
                if corps > *place {
                    std::mem::swap(&mut corps, place);
                }
            }
        }
    }
    largest.iter().sum()
}

/// How likely so many corps hold a zone just taken through the enemy's next turn: 1 up to [`EVEN_FIGHT`] corps beside it for
/// each of theirs, 0 from [`LOST_FIGHT`] on.
fn held_after_counter_attack(game: &BlitzWar, state: &State, force: Force, zone: Zone, corps: u8) -> f32 {
    let mut enemies = 0;
    for place in game.adjacent(zone).and(&game.foes(state, force)) {
        for counter in state.stack(place) {
            if game.kind(counter).is_corps()
                && game.force(state, counter).is_some_and(|owner| at_war(state, owner, force))
            {
                enemies += state.strength(counter);
            }
        }
    }
    let ratio = f32::from(enemies) / f32::from(corps.max(1));
    ((LOST_FIGHT - ratio) / (LOST_FIGHT - EVEN_FIGHT)).clamp(0.0, 1.0)
}

/// Whether two sides fight each other.
fn at_war(state: &State, one: Force, other: Force) -> bool {
    let east = one == Force::Soviet || other == Force::Soviet;
    one.opposes(other) && (!east || state.timers().axis_soviet_war != 0)
}

/// Zones with corps of others next to a zone.
fn foes_beside(game: &BlitzWar, state: &State, force: Force, zone: Zone) -> f32 {
    game.adjacent(zone).and(&game.foes(state, force)).len() as f32
}

/// Whether as many land counters stand in a zone as may (4).
fn is_full(game: &BlitzWar, state: &State, zone: Zone) -> bool {
    let there = state.stack(zone).filter(|&counter| game.kind(counter).is_corps()).count();
    there >= usize::from(game.rules.limits.stack) && !game.rules.zones[zone.at()].unlimited
}

/// Units of a kind that the counters still in the pool could hold: corps are not lost while one of them is left.
fn free_units(game: &BlitzWar, state: &State, force: Force, kind: Kind) -> f32 {
    let nations: &[Nation] = match force {
        Force::Axis => &[Nation::Ger],
        Force::Allied if state.timers().usa_entry != 0 => &[Nation::Uk, Nation::Usa],
        Force::Allied => &[Nation::Uk],
        Force::Soviet => &[Nation::Ussr],
    };
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

/// Whether a voyage costs double: from America, or to Suez or Asian Bases.
fn is_far(game: &BlitzWar, from: Location, to: Location) -> bool {
    let marks = &game.rules.landmarks;
    from == marks.america
        || to == marks.suez
        || to == marks.asian_bases
        || game.coast(from) & game.coast(to) == 0
}
