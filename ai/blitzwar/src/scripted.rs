//! The `scripted` policy: plans each turn, then carries the plan out decision by decision. The `light` policy is the
//! same player with fewer cares.

mod air;
mod combat;
mod movement;
mod naval;
mod reinforcement;
#[cfg(test)]
mod tests;
mod transport;

use std::sync::Arc;

use sandtable_blitzwar::location::{Counter, Zone};
use sandtable_blitzwar::{Action, BlitzWar, Force, Kind, Pending, Phase, State, Tactics};
use sandtable_core::{Index, Rng64, Side};

use super::board::land_counters;
use super::map_tables::MapTables;
use super::plan::Plan;
use super::portfolio::objectives;
use super::strategy::{Timetable, Weights};
use sandtable_ai::policy::{Policy, best_action};

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
    timetable: Option<Timetable>,
    /// The plan of the side at hand.
    plan: Box<Plan>,
    at_hand: Force,
    /// The plans of the other sides: in a rollout one player plays all of them.
    others: [Box<Plan>; 3],
    /// Turn and part of it for which each side's plan was made.
    made_for: [Option<(u8, Part)>; 3],
    /// Turn and phase of one-zone moves before which each side has looked at the map again.
    looked_at: [Option<(u8, Phase)>; 3],
    /// Turn in which each side has combined its counters.
    combined: [u8; 3],
}

impl Scripted {
    /// A player who has no plan yet.
    pub fn new(map_tables: Arc<MapTables>, effort: Effort) -> Scripted {
        let plan = || Box::new(Plan::new());
        Scripted {
            map_tables,
            efforts: [effort; 3],
            effort,
            timetable: None,
            plan: plan(),
            at_hand: Force::Axis,
            others: [(); 3].map(|()| plan()),
            made_for: [None; 3],
            looked_at: [None; 3],
            combined: [0; 3],
        }
    }

    /// The same player with other weights, by side.
    pub fn with(mut self, weights: &[Weights; 3]) -> Scripted {
        for plan in self.others.iter_mut().chain([&mut self.plan]) {
            plan.board.side_weights = *weights;
        }
        self
    }

    /// The same player caring for more or less, by side.
    pub fn caring(mut self, efforts: [Effort; 3]) -> Scripted {
        self.efforts = efforts;
        self.effort = efforts[self.at_hand.index()];
        self
    }

    /// Another player of the same weights, whose timetable is still to be drawn.
    pub fn begin_anew(&mut self) {
        self.timetable = None;
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
        let timetable = self.timetable.get_or_insert_with(|| Timetable::draw(rng));
        let timetable = timetable.with(&self.plan.board.side_weights[force.index()].dates);
        self.turn_to(force);
        if self.effort == Effort::Light && Self::skips(state) || state.phase() == Phase::LateAir {
            return legal[0];
        }
        self.prepare(game, state, force, timetable);
        if matches!(state.phase(), Phase::BlitzMove | Phase::NormalMove)
            && self.looked_at[force.index()] != Some((state.turn(), state.phase()))
        {
            // The battles have changed the map.
            self.plan.survey(game, &self.map_tables, state, force, timetable);
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
            (Pending::Reorganisation, Phase::SeaTransport) => Self::combine(game, state, legal),
            (Pending::Reorganisation, _) => best_by(legal, |action| match action {
                Action::MergeElite(..) => 1.1,
                Action::Merge(..) => 1.0,
                Action::Pass => 0.5,
                _ => 0.0,
            }),
            (Pending::Depot, _) => legal[0],
            (Pending::Attack, _) => self.withhold(game, state, legal),
            (Pending::March(counter), _) => self.march_on(game, state, counter, legal),
            (Pending::Destination(counter), phase) => {
                self.destination(game, state, force, counter, phase, legal)
            }
            // Not the Allies: with combined counters they lost more of Barbarossa.
            (Pending::None, Phase::SeaTransport)
                if force != Force::Allied
                    && self.combined[force.index()] != state.turn()
                    && legal.contains(&Action::Reorganise) =>
            {
                self.combined[force.index()] = state.turn();
                Action::Reorganise
            }
            (Pending::None, phase) => self.choose(game, state, force, phase, legal, rng),
        };
        debug_assert!(legal.contains(&choice), "{choice:?}");
        choice
    }

    fn objectives(&self, game: &BlitzWar, state: &State, side: Side, out: &mut Vec<u16>) {
        objectives(&self.map_tables, game, state, side, out);
    }

    fn set_operation(&mut self, operation: Option<(Side, u16)>) {
        let operation = operation.map(|(side, zone)| (Force::of(side), Zone::nth(usize::from(zone))));
        self.turn_to(Force::Axis);
        for (force, plan) in
            Force::ALL.into_iter().zip([&mut self.plan].into_iter().chain(&mut self.others[1..]))
        {
            plan.board.objective = operation.filter(|(of, _)| *of == force).map(|(_, zone)| zone);
        }
    }

    fn begin_line(&mut self) {
        self.made_for = [None; 3];
        self.looked_at = [None; 3];
        self.combined = [0; 3];
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
fn best_by(legal: &[Action], score: impl FnMut(Action) -> f32) -> Action {
    best_action(legal, score).unwrap_or(legal[0])
}

impl Scripted {
    /// Combines counters of full stacks, to make room for more.
    fn combine(game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let crowded = |one: Counter| {
            let place = state.location(one);
            place.is_zone() && game.kind(one).is_corps() && is_full(game, state, place)
        };
        best_by(legal, |action| match action {
            Action::MergeElite(one, _) if crowded(one) => 1.1,
            Action::Merge(one, _) if crowded(one) => 1.0,
            Action::Pass => 0.5,
            _ => 0.0,
        })
    }

    /// Makes the plan for this part of the turn unless it is at hand.
    fn prepare(&mut self, game: &BlitzWar, state: &State, force: Force, timetable: Timetable) {
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
        if made_for.is_none_or(|(made, _)| made != turn) {
            self.plan.begin_turn();
        }
        match part {
            // The map of the last turn will do.
            Part::Reinforcement if light && made_for.is_some() => {}
            Part::Reinforcement => {
                self.plan.survey(game, &self.map_tables, state, force, timetable);
                self.plan.clear();
            }
            Part::Sea => {
                self.plan.plan_air(game, &self.map_tables, state, force, timetable);
                if light {
                    // One plan has to do for the whole turn.
                    self.plan.plan_reserves(game, &self.map_tables, state);
                }
            }
            Part::Land | Part::Combat if light && made_for >= Some((turn, Part::Sea)) => {}
            Part::Land => self.plan.plan_land(game, &self.map_tables, state, force, timetable, !light),
            // A plan made for another turn says nothing about this one.
            Part::Combat => {
                self.plan.survey(game, &self.map_tables, state, force, timetable);
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
                let Some(counter) = self.hand_over_order(game, state, owner) else { continue };
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

    /// Hands the orders of a counter to the first of its identical in the place; `None` if that has orders of its own.
    fn hand_over_order(&mut self, game: &BlitzWar, state: &State, owner: Counter) -> Option<Counter> {
        if !game.has_identical_before(state, owner) {
            return Some(owner);
        }
        let mut identical = state.stack(state.location(owner));
        let first = identical.find(|&other| game.counter_type(other) == game.counter_type(owner))?;
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
                Action::GiveUp(kind) if self.is_surplus(game, state, force, kind) => 1.5,
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
            Phase::StrategicMovement => self.entrain(game, state, legal),
            Phase::TacticalMovement => self.march(game, state, legal),
            Phase::Blitz | Phase::Normal => self.attack(game, state, force, legal),
            Phase::BlitzMove | Phase::NormalMove => self.follow_up(game, state, legal),
            Phase::OutOfSupply => self.escape(game, state, legal),
            _ => legal[0],
        }
    }

    /// Where a counter goes that has been picked.
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
            Phase::NavalMovement => self.sail_to(game, state, force, counter, legal),
            Phase::TacticalAir => self.fly_to(game, state, legal),
            Phase::StrategicAir => self.rebase_to(game, state, counter, legal),
            Phase::SeaTransport => self.ship_to(game, state, force, counter, legal),
            Phase::BlitzMove | Phase::NormalMove => self.step_to(game, state, counter, legal),
            Phase::StrategicMovement => self.entrain_to(game, state, counter, legal),
            _ => self.escape_to(game, state, counter, legal),
        }
    }
}

/// Whether a counter of so many corps finds room in a zone (4).
fn finds_room(game: &BlitzWar, state: &State, zone: Zone, corps: u8) -> bool {
    let there = || state.stack(zone).filter(|&counter| game.kind(counter).is_corps());
    let limit = game.rules.zones[zone.at()].corps_limit;
    !is_full(game, state, zone)
        && limit
            .is_none_or(|limit| there().map(|counter| state.strength(counter)).sum::<u8>() + corps <= limit)
}

/// Whether as many land counters stand in a zone as may (4).
fn is_full(game: &BlitzWar, state: &State, zone: Zone) -> bool {
    land_counters(game, state, zone) >= game.rules.limits.stack && !game.rules.zones[zone.at()].unlimited
}
