//! A competent player of all three forces: one decision at a time, by what each choice is expected to bring.
//!
//! ```text
//! cards        strong ones for the seasons of attack        strategy   whom to attack when, whom to court
//! movement     offensives, then marches, then aircraft      offensive  which battle to open with whom
//! combat       targets, retreats                            assessment    strength, threats, where troops are drawn
//! victory      regrouping, exploitation                     pursuit    who goes on with whom
//! production   what gives most power where it is needed     odds       what a battle is expected to bring
//! ```

use std::sync::Arc;

use sandtable_core::{Dice, Index, Rng64, Side};
use sandtable_victory_in_europe::rules::{Arm, Colour, Kind, Target};
use sandtable_victory_in_europe::{
    Action, Force, Nation, Pending, Phase, Place, State, Team, UnitId, VictoryInEurope,
};

use super::assessment::{Assessment, EVACUATION, area_of, fire, is_guest};
use super::map_tables::MapTables;
use super::odds::{expect, two_dice};
use super::offensive::{Orders, Scene, serves_in};
use super::pursuit::Pursuit;
use super::strategy;
use super::style::Style;
use sandtable_ai::policy::Policy;

/// Share of the worth of a landing for which a first and a second ship wait before the coast.
const STATION: f32 = 0.3;
const SECOND: f32 = 0.08;
/// Power of a step of the infantry that is built where a landing sets out.
const STEP_ASHORE: f32 = 0.33;
/// Degrees of latitude around a battle within which airfields are left to the aircraft that fight there.
const HOMING: f32 = 5.0;
/// How much better an airfield must be for aircraft to move there.
const REBASE: f32 = 0.3;

/// The player. Owns its assessment of the position and the orders of the movement at hand.
#[derive(Debug)]
pub(super) struct Scripted {
    map_tables: Arc<MapTables>,
    assessment: Assessment,
    orders: Orders,
}

impl Scripted {
    /// A player of these tastes, by force.
    pub fn new(map_tables: Arc<MapTables>, styles: &[Style; 3]) -> Scripted {
        Scripted { map_tables, assessment: Assessment::new(styles), orders: Orders::new() }
    }

    /// The action of most worth; nothing if the list is empty or does not fit the decision.
    fn choose(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Option<Action> {
        let force = game.decider(state);
        match state.phase {
            Phase::Cards => cards(game, state, legal),
            Phase::Movement => self.movement(game, state, force, legal, rng),
            Phase::Pinning => best(legal, |action| match action {
                Action::Pin(unit) => -strength(game, state, unit),
                _ => 0.0,
            }),
            Phase::NamingBattles => {
                self.assessment.refresh(game, &self.map_tables, state, force);
                best(legal, |action| match action {
                    // An event is not thrown at a raid.
                    Action::Name(place) if place.is_area() => {
                        let armies = game.has_army(state, place, force.team());
                        self.assessment.worth[place.at()] * if armies { 1.0 } else { 0.1 }
                    }
                    Action::Name(_) => 1.0,
                    _ => 0.0,
                })
            }
            Phase::Combat => self.combat(game, state, force, legal),
            Phase::Landing => {
                self.assessment.refresh(game, &self.map_tables, state, force);
                let Pending::Land(unit) = state.pending else { return None };
                let own = game.force(state, unit).unwrap_or(force);
                best(legal, |action| match action {
                    Action::Retreat(area, _) => self.airfield(game, own, area),
                    _ => area_of(state, unit).map_or(-1.0, |area| self.airfield(game, own, area)),
                })
            }
            Phase::Diplomacy => diplomacy(game, state, force, legal),
            Phase::Production => {
                self.assessment.refresh(game, &self.map_tables, state, force);
                best(legal, |action| self.production(game, state, action))
            }
            Phase::Deployment => legal.first().copied(),
            Phase::Supply | Phase::Over => None,
        }
    }

    // ---- movement ----

    fn movement(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Option<Action> {
        match state.pending {
            Pending::None => {
                self.assessment.refresh(game, &self.map_tables, state, force);
                let scene =
                    Scene { game, map_tables: &self.map_tables, assessment: &self.assessment, state, legal };
                self.orders.next(&scene, rng)
            }
            Pending::Destination(unit) | Pending::March(unit) => {
                if let Some(action) = self.orders.step(game, &self.map_tables, state, unit, legal) {
                    return Some(action);
                }
                self.assessment.refresh(game, &self.map_tables, state, force);
                let own = game.force(state, unit).unwrap_or(force);
                let here = state.location(unit);
                best(legal, |action| self.destination(game, state, own, unit, here, action))
            }
            Pending::Invasion(_) => {
                self.assessment.refresh(game, &self.map_tables, state, force);
                best(legal, |action| match action {
                    Action::Join(unit) => self.boarding(game, state, unit),
                    _ => 0.0,
                })
            }
            Pending::Excess(_) => weakest(game, state, legal),
            // All to their homes: the first of the list.
            Pending::Neutral { .. } => legal.first().copied(),
            _ => None,
        }
    }

    /// What a goal is worth to a unit without orders, against staying.
    fn destination(
        &self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        unit: UnitId,
        here: Place,
        action: Action,
    ) -> f32 {
        let marches = matches!(state.pending, Pending::March(_));
        let (to, price) = match action {
            // Who has been sent and finds no room does not turn back.
            Action::Go(to, _) => (to, if marches { 0.8 } else { 0.05 }),
            Action::Strategic(to, _) => (to, if game.arm(unit) == Arm::Army { 3.0 } else { 6.0 }),
            _ => (here, 0.0),
        };
        let stays = to == here;
        if stays && here.is_area() && is_guest(game, state, unit, here) {
            return -EVACUATION;
        }
        match game.arm(unit) {
            Arm::Army => {
                if !to.is_area() {
                    return -5.0;
                }
                if !stays && self.assessment.is_full(game, unit, to) {
                    return -6.0;
                }
                let power = self.assessment.block(game, state, unit).power().max(0.1);
                let friendly = state.held[force.index()].contains(to) && !state.disputed().contains(to);
                if friendly {
                    let there = self.assessment.own[to.at()] - if stays { power } else { 0.0 };
                    let price = if matches!(action, Action::Strategic(..))
                        && (self.assessment.is_hopeless(to, power) || !serves_in(game, state, unit, to))
                    {
                        100.0
                    } else {
                        price
                    };
                    self.assessment.post(force, to, there.max(0.0), power) - price
                } else if self.assessment.hostile[force.index()].contains(to)
                    && !self.assessment.foes.contains(to)
                {
                    self.assessment.prize(force, to) * 0.5 - price
                } else if stays {
                    0.0
                } else {
                    // A battle that nobody planned.
                    -3.0
                }
            }
            // Wars are not declared by accident (10.1).
            Arm::Air if matches!(action, Action::Go(..)) && game.flight_is_war(state, unit, to) => -1e3,
            Arm::Air => self.flight(game, state, force, unit, to, stays) + if stays { REBASE } else { 0.0 },
            Arm::Naval => self.voyage(game, state, force, unit, to) - if stays { 0.0 } else { 0.15 + price },
        }
    }

    /// What it is worth that a unit joins an invasion.
    fn boarding(&self, game: &VictoryInEurope, state: &State, unit: UnitId) -> f32 {
        let Some(from) = area_of(state, unit) else { return 0.0 };
        let power = self.assessment.block(game, state, unit).power();
        let there = self.assessment.own[from.at()];
        let leaves =
            self.assessment.cover(from, there) - self.assessment.cover(from, (there - power).max(0.0));
        1.0 + 3.0 * power - leaves
    }

    /// What it is worth to an aircraft to be at a place.
    fn flight(
        &self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        unit: UnitId,
        to: Place,
        stays: bool,
    ) -> f32 {
        let steps = f32::from(state.steps(unit));
        if let Some(zone) = to.sea_zone() {
            let fights = state.disputed_seas() >> zone & 1 != 0;
            let naval = f32::from(fire(game, unit, Target::Surface));
            return if fights { steps * naval * 0.3 } else { -2.0 };
        }
        let team = force.team();
        if state.held[force.index()].contains(to) && !state.disputed().contains(to) {
            let taken = !stays && self.is_spoken_for(game, state, unit, to);
            return self.airfield(game, force, to) - if taken { 1.0 } else { 0.0 };
        }
        if stays {
            return 0.0;
        }
        let army = f32::from(fire(game, unit, Target::Army));
        let air = f32::from(fire(game, unit, Target::Air));
        if state.attacked[team.index()].contains(to) {
            // Those who land have no other fire behind them.
            let landed = state.invasion.done[force.index()] == to;
            return 4.0 + steps * army.max(air * 0.5) + if landed { 2.0 } else { 0.0 };
        }
        if state.disputed().contains(to) {
            return 2.0 + steps * army.max(air * 0.5) * 0.5 + 0.1 * self.assessment.worth[to.at()];
        }
        self.assessment.raid(game, state, unit, to)
    }

    /// Whether aircraft that fight near a field may have to land there: each field takes one (6.11), and who finds none is lost.
    fn is_spoken_for(&self, game: &VictoryInEurope, state: &State, unit: UnitId, field: Place) -> bool {
        let disputed = state.disputed();
        let aloft = |other: UnitId| {
            other != unit && game.arm(other) == Arm::Air && game.team(state, other) == game.team(state, unit)
        };
        disputed.iter().any(|area| {
            let (here, there) = (&game.rules.areas[field.at()], &game.rules.areas[area.at()]);
            let (north, east) = (here.lat - there.lat, 0.65 * (here.lon - there.lon));
            north * north + east * east < HOMING * HOMING && state.stack(area).any(aloft)
        })
    }

    /// What it is worth to base an aircraft in a friendly area: near the front, behind an army.
    fn airfield(&self, game: &VictoryInEurope, force: Force, area: Place) -> f32 {
        let at = area.at();
        let guarded = if self.assessment.own_units[at] > 0 { 0.6 } else { 0.0 };
        let near = 0.06 * self.assessment.nearness(game, force, area);
        let risk = (self.assessment.threat[at] - self.assessment.own[at]).clamp(0.0, 2.0) * 0.4;
        guarded + near - risk
    }

    /// What it is worth to a ship to be at a place.
    fn voyage(&self, game: &VictoryInEurope, state: &State, force: Force, unit: UnitId, to: Place) -> f32 {
        let team = force.team();
        let Some(zone) = to.sea_zone() else {
            // Ships fire at the shore where troops land.
            let supports = state.attacked[team.index()].contains(to) && game.has_army(state, to, team);
            return if supports {
                0.5 * f32::from(state.steps(unit)) * f32::from(fire(game, unit, Target::Army))
            } else {
                0.0
            };
        };
        let at = |team: Team| game.units_at(state, to, team).filter(move |&other| other != unit);
        let is_convoy = |other: &UnitId| game.kind(*other) == Kind::Convoy;
        let hunts = game.kind(unit) == Kind::Submarine;
        let enemies = at(team.other()).count() as f32;
        let friends = at(team).filter(|other| !is_convoy(other)).count() as f32;
        let steps = f32::from(state.steps(unit));
        if enemies > 0.0 {
            let convoy =
                at(team.other()).find(is_convoy).map_or(0.0, |convoy| f32::from(state.steps(convoy)));
            let prey = if hunts { 1.2 * convoy.min(0.6 * steps) } else { 0.0 };
            let escorts = enemies - f32::from(u8::from(convoy > 0.0));
            let fires = f32::from(fire(game, unit, Target::Surface).max(fire(game, unit, Target::Sub)));
            let duel =
                if escorts > 0.0 { 0.25 * steps * fires * (1.0 + friends) - 1.4 * escorts } else { 0.3 };
            return prey + duel;
        }
        if hunts {
            return -0.5;
        }
        // A convoy wants an escort.
        let convoy = at(team).find(is_convoy).map_or(0.0, |convoy| f32::from(state.steps(convoy)));
        let escort = if convoy > 0.0 { (0.6 + 0.4 * convoy) / (1.0 + friends) } else { 0.0 };
        // Who means to land keeps a ship before the coast: it must be there when the turn begins (7.5).
        let worth = self.assessment.landings[force.index()][zone as usize];
        let landing = worth
            * if friends < 1.0 {
                STATION
            } else if friends < 2.0 {
                SECOND
            } else {
                0.0
            };
        escort + landing - 0.3
    }

    // ---- combat ----

    fn combat(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        legal: &[Action],
    ) -> Option<Action> {
        self.assessment.refresh(game, &self.map_tables, state, force);
        let place = state.battle.place;
        match state.pending {
            Pending::None => best(legal, |action| match action {
                Action::Fight(place) if place.is_area() => 1.0 + self.assessment.worth[place.at()],
                _ => 0.0,
            }),
            Pending::Announce(unit) | Pending::Fire(unit) => {
                if let Some(retreat) = legal.iter().find(|action| matches!(action, Action::Retreat(..)))
                    && self.is_lost(game, state, unit)
                {
                    return Some(*retreat);
                }
                best(legal, |action| match action {
                    Action::Fire(target) | Action::Announce(target) => {
                        1.0 + self.aim(game, state, unit, target)
                    }
                    Action::Shelter => 1.5,
                    Action::Retreat(..) => -1.0,
                    _ => 0.0,
                })
            }
            Pending::Hit(_) | Pending::Loss(_) => weakest(game, state, legal),
            Pending::Withdraw(unit) | Pending::GoOn(unit) => {
                let own = game.force(state, unit).unwrap_or(force);
                let power = self.assessment.block(game, state, unit).power();
                best(legal, |action| match action {
                    Action::Retreat(to, _) if to.is_area() => {
                        2.0 + self.assessment.post(own, to, self.assessment.own[to.at()], power)
                    }
                    Action::Retreat(..) => 1.0,
                    _ => 0.0,
                })
            }
            Pending::Extend(_) => {
                let defender = state.battle.attacker.other();
                let attack = self.assessment.defenders(game, state, place, state.battle.attacker);
                let defence = self.assessment.defenders(game, state, place, defender);
                let odds = expect(&attack, &defence, 1);
                best(legal, |action| if action == Action::Extend { odds.win - 0.45 } else { 0.0 })
            }
            Pending::Regroup | Pending::Exploit(_) => {
                let own = if state.movers & force.bit() != 0 { force } else { game.decider(state) };
                let (map_tables, assessment) = (&self.map_tables, &self.assessment);
                Pursuit { game, map_tables, assessment, state, force: own }.choose(legal)
            }
            Pending::Neutral { .. } => legal.first().copied(),
            _ => None,
        }
    }

    /// Whether a unit had better leave the battle while it can.
    fn is_lost(&self, game: &VictoryInEurope, state: &State, unit: UnitId) -> bool {
        let battle = &state.battle;
        let team = game.team(state, unit);
        if !battle.place.is_area() || game.arm(unit) == Arm::Naval {
            return false;
        }
        let own = self.assessment.defenders(game, state, battle.place, team);
        let enemy = self.assessment.defenders(game, state, battle.place, team.other());
        if game.arm(unit) == Arm::Air {
            return battle.round > 1 && f32::from(state.steps(unit)) <= 1.0 && enemy.power() > 2.0;
        }
        let attacks = team == battle.attacker;
        if battle.round < 2 {
            // The first retreat costs a step: only where all would be lost.
            return !attacks
                && !self.map_tables.vital.contains(battle.place)
                && state.steps(unit) > 2
                && enemy.power() > 1.2 * own.endurance;
        }
        let stand = self.assessment.styles[game.force(state, unit).map_or(0, Force::index)].stand;
        if attacks {
            return own.endurance + stand < 0.5 * enemy.endurance
                && own.endurance + stand < enemy.power() + 0.5;
        }
        !self.map_tables.vital.contains(battle.place)
            && enemy.power() >= 0.8 * own.endurance + stand
            && enemy.endurance > own.power()
    }

    /// What fire at a kind of target is worth.
    fn aim(&self, game: &VictoryInEurope, state: &State, unit: UnitId, target: Target) -> f32 {
        let place = state.battle.place;
        let team = game.team(state, unit);
        let hits = f32::from(state.steps(unit)) * f32::from(fire(game, unit, target)).max(0.3) / 6.0;
        let armies = place.is_area() && game.has_army(state, place, team);
        let worth = match target {
            Target::Army if armies => 1.6,
            Target::Army => 1.0,
            Target::Air => 1.7,
            Target::Factory if armies => 0.4,
            Target::Factory => 3.0,
            Target::Surface => 1.8,
            Target::Sub => 1.3,
            Target::Convoy => 2.0,
        };
        hits * worth
    }

    // ---- production ----

    /// What an entry in the production is worth a point.
    fn production(&self, game: &VictoryInEurope, state: &State, action: Action) -> f32 {
        let Some(major) = state.budget.major() else { return 0.0 };
        let force = state.politics.standing(major).force().unwrap_or(Force::Axis);
        let style = &self.assessment.styles[force.index()];
        let last = game.rules.setup.last_turn;
        let left = f32::from(last.saturating_sub(state.turn));
        match action {
            Action::Build(unit) => self.step(game, state, force, unit, state.location(unit), false),
            Action::Raise(unit, place) => self.step(game, state, force, unit, place, true),
            Action::BuildFactory(area) => {
                let safe = self.assessment.threat[area.at()] <= self.assessment.own[area.at()] + 0.1;
                let doomed = major == Nation::France;
                if !safe || doomed || left <= 7.0 {
                    0.0
                } else if force == Force::Axis {
                    style.factories * 0.25 * left.min(16.0)
                } else {
                    // What no unit takes is lost otherwise.
                    style.factories * 0.02 * left.min(16.0)
                }
            }
            _ => 0.0,
        }
    }

    /// Worth a point of a step for a unit at a place.
    fn step(
        &self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        unit: UnitId,
        place: Place,
        new: bool,
    ) -> f32 {
        let style = &self.assessment.styles[force.index()];
        let sheet = game.unit_type(unit);
        let cost = f32::from(sheet.cost).max(1.0);
        let kind = game.kind(unit);
        if kind == Kind::Convoy {
            return style.convoys * 2.4;
        }
        let army = f32::from(fire(game, unit, Target::Army));
        let drawn = if place.is_area() {
            let at = place.at();
            let exposed = (self.assessment.threat[at] - self.assessment.own[at]).clamp(0.0, 2.0);
            // Who is to be shipped goes at full strength.
            let waits = if new || !game.kind(unit).is_infantry() {
                0.0
            } else {
                self.assessment.embarkation(force, place, self.assessment.own[at], STEP_ASHORE)
            };
            0.3 * exposed + 0.02 * self.assessment.pull[force.index()][at].min(40.0) + waits
        } else {
            0.0
        };
        let first = if new { 0.85 } else { 1.0 };
        let steps = if new { 0.0 } else { f32::from(state.steps(unit)) };
        match game.arm(unit) {
            Arm::Army if kind == Kind::Leader => {
                if new {
                    1.2
                } else {
                    1.1 - 0.2 * steps
                }
            }
            Arm::Army => {
                let mobile = 1.0 + 0.12 * f32::from(sheet.moves);
                // Early classes fire first; what a block may grow to counts where few find room.
                let early =
                    1.0 + 0.08 * (3.0 - f32::from(sheet.class)) + 0.05 * f32::from(game.max_steps(unit));
                let weights = if kind == Kind::Panzer { style.armour } else { 1.0 };
                weights * first * army.max(0.4) * mobile * early / cost.powf(0.75) + drawn
            }
            Arm::Air => {
                let bombs = f32::from(fire(game, unit, Target::Factory));
                let worth = army.max(bombs * 1.3).max(f32::from(fire(game, unit, Target::Air)) * 0.9);
                style.air * first * (0.9 * worth / cost.powf(0.75)) + 0.5 * drawn
            }
            Arm::Naval => {
                let sea = f32::from(fire(game, unit, Target::Surface));
                let wanted = if force == Force::Western { 0.5 } else { 0.25 };
                style.navy * first * wanted * sea / cost
            }
        }
    }
}

/// Strong cards for spring and summer, weak ones for winter, what is left for autumn.
fn cards(game: &VictoryInEurope, state: &State, legal: &[Action]) -> Option<Action> {
    let quarter = game.calendar(state).quarter;
    best(legal, |action| match action {
        Action::Card(card) => {
            let command = game.rules.cards.get(card as usize).map_or(0.0, |card| f32::from(card.command));
            if quarter == 1 { -command } else { command }
        }
        _ => -100.0,
    })
}

/// The roll of most promise.
fn diplomacy(game: &VictoryInEurope, state: &State, force: Force, legal: &[Action]) -> Option<Action> {
    let laid = state.cards.laid.into_iter().enumerate().find_map(|(at, card)| {
        let of_team = Force::ALL[at].team() == force.team();
        game.rules.cards.get(card as usize).filter(|_| of_team)
    });
    let roller = match laid.map(|card| card.colour) {
        Some(Colour::Italian) => Nation::Italy,
        Some(Colour::Soviet) => Nation::Ussr,
        Some(Colour::Allied) => Nation::Britain,
        Some(Colour::German) => Nation::Germany,
        None if force == Force::Axis => Nation::Germany,
        None => Nation::Britain,
    };
    let by = state.politics.standing(roller).force().unwrap_or(force);
    best(legal, |action| match action {
        Action::Roll(nation) => {
            let nation = Nation::of(nation);
            let needed = i32::from(game.resistance(state, by, nation));
            let bonus = i32::from(game.roll_bonus(state, roller, nation));
            0.01 + two_dice(needed - bonus) * strategy::ally(by, nation)
        }
        // It would be war with Germany.
        Action::AllyPoland => -1.0,
        _ => 0.0,
    })
}

/// Power of a unit of one's own.
fn strength(game: &VictoryInEurope, state: &State, unit: UnitId) -> f32 {
    let fire = fire(game, unit, Target::Army).max(fire(game, unit, Target::Surface));
    f32::from(state.steps(unit)) * f32::from(fire)
}

/// The unit whose step is dearest to keep is spared.
fn weakest(game: &VictoryInEurope, state: &State, legal: &[Action]) -> Option<Action> {
    best(legal, |action| match action {
        Action::Take(unit) => {
            let sheet = game.unit_type(unit);
            -f32::from(sheet.cost) - 0.5 * f32::from(sheet.fire) - 0.01 * f32::from(state.steps(unit))
        }
        _ => -100.0,
    })
}

/// The first action of greatest worth.
pub(super) fn best(legal: &[Action], worth: impl Fn(Action) -> f32) -> Option<Action> {
    let mut most = (f32::NEG_INFINITY, None);
    for &action in legal {
        let value = worth(action);
        if value > most.0 {
            most = (value, Some(action));
        }
    }
    most.1
}

impl Policy<VictoryInEurope> for Scripted {
    fn pick(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        _: Side,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Action {
        let chosen = self.choose(game, state, legal, rng).filter(|action| legal.contains(action));
        chosen.unwrap_or_else(|| legal[rng.below(legal.len() as u32) as usize])
    }

    fn begin_line(&mut self) {
        self.orders.forget();
        self.assessment.forget();
    }
}
