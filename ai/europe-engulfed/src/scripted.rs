//! A competent player of every side: one decision at a time, by what each choice is expected to bring.
//!
//! ```text
//! outlook       what every judgement starts from: the game, the team, its weights, who is an enemy
//! survey        strength, threats, where troops are drawn
//! orders        the movement of a phase: attacks, marches, air support
//! scripted      one decision at a time:
//!   combat        which battle in which mode, the responses inside it
//!   choices       what optional rules let be decided in a battle
//!   breakthrough  what Special Actions are spent on in the Breakthrough Phases
//!   production    what gives most for its price where it is needed
//!   politics      declarations of war, the armistice, the raids of the strategic war
//!   naval         invasions and what meets them at sea
//! battle        what a battle is expected to bring
//! ```

mod breakthrough;
mod choices;
mod combat;
mod naval;
mod politics;
mod production;

use std::sync::Arc;

use sandtable_core::{Index, Rng64, Side};
use sandtable_europe_engulfed::ids::Area;
use sandtable_europe_engulfed::phase::{Sailing, Stage};
use sandtable_europe_engulfed::rules::{Bimester, Branch};
use sandtable_europe_engulfed::state::happened;
use sandtable_europe_engulfed::{Action, EuropeEngulfed, Nation, Pending, Phase, State, Team, UnitId};

use sandtable_ai::policy::{Policy, best_action, pick_legal};

pub(super) use naval::hungry;
use naval::saved;

use crate::plans::objectives;
use politics::{declaration, raid};

use super::battle::Army;
use super::map_tables::MapTables;
use super::orders::{Orders, SLACK};
use super::outlook::Outlook;
use super::rooms::{STARVES, feeds};
use super::survey::{Role, Survey};
use super::weights::{AllWeights, Weights, of_team};

/// Share of the pull of an area behind the front that counts for who goes there by rail or sea.
const BEHIND: f32 = 0.8;

/// Turns of the war in the East in which the front is open.
const OPEN_FRONT: u16 = 6;
/// When the war in the East began that is under way as a game begins.
const INVASION: Bimester = Bimester { year: 1941, nth: 4 };

/// Power that stays at the front when others go by rail, at most.
const RAIL_GUARD: f32 = 3.0;

/// Worth of an airfield at the front below which air units leave it by rail before others do, and how urgent that is.
const UNSAFE_AIRFIELD: f32 = 0.3;
const LEAVES: f32 = 3.0;

/// What orders were made for: turn, team, phase, the area that a breakthrough moves into.
type Moment = (u8, Team, Phase, Area);

/// The player. Owns its survey of the position and the orders of the movement at hand.
#[derive(Debug)]
pub(super) struct Scripted {
    map: Arc<MapTables>,
    weights: AllWeights,
    survey: Survey,
    orders: Orders,
    moment: Option<Moment>,
    /// Looks at the position once a phase and battle, not at every decision.
    light: bool,
    looked: Option<Moment>,
    operation: Option<(Side, u16)>,
}

impl Scripted {
    /// A player of these weights; a `light` one looks less often.
    pub fn new(map: Arc<MapTables>, weights: &AllWeights, light: bool) -> Scripted {
        let orders = Orders::new(map.clone());
        Scripted {
            map,
            weights: *weights,
            survey: Survey::new(),
            orders,
            moment: None,
            light,
            looked: None,
            operation: None,
        }
    }

    /// The weights of a team as the war stands: what ground is worth once Germany has begun a war with the USSR.
    fn weights_now(&self, game: &EuropeEngulfed, state: &State, team: Team) -> Weights {
        let mut weights = of_team(game, &self.weights, team);
        if let Some(turns) = turns_in_the_east(game, state) {
            weights.prize *= weights.press;
            weights.drive = weights.onward;
            if turns < OPEN_FRONT {
                weights.prize *= weights.counter;
            }
        }
        weights
    }

    /// The action of most worth; nothing if it knows none for the decision.
    fn choose(
        &mut self,
        game: &EuropeEngulfed,
        state: &State,
        side: Side,
        legal: &[Action],
    ) -> Option<Action> {
        let team = game.rules.setup.players[side.index()].team;
        let weights = self.weights_now(game, state, team);
        let operation = self.operation.filter(|(of, _)| *of == side);
        let objective = operation.map(|(_, area)| Area::nth(usize::from(area)));
        let won = |area: &Area| state.held(team).contains(*area) && !state.is_disputed(*area);
        let objective = objective.filter(|area| !won(area));
        let outlook = &Outlook { game, state, team, weights: &weights, objective };
        if state.demolition.iter().any(|areas| !areas.is_empty()) {
            // What the enemy's ships would use is spoilt (13.32).
            return best_action(legal, |action| match action {
                Action::Demolish(area) => self.spoil(outlook, area),
                _ => 0.0,
            });
        }
        if state.battle.stage != Stage::None {
            return self.in_battle(outlook, legal);
        }
        if state.crossing.stage != Sailing::None {
            return self.at_sea(outlook, legal);
        }
        match state.phase {
            Phase::StrategicWar => raid(outlook, legal),
            Phase::Declarations => best_action(legal, |action| declaration(outlook, action)),
            Phase::Armistice => {
                self.look(outlook);
                Some(if self.worth_of_armistice(outlook) >= 0.0 { Action::Agree } else { Action::Pass })
            }
            Phase::Deployment | Phase::Reinforcement | Phase::Mobilization => {
                self.look(outlook);
                let unit = waiting(outlook);
                let branch = unit.map_or(Branch::Infantry, |unit| game.branch(unit));
                let room = unit.map(|unit| game.room(state, game.nation(unit)));
                best_action(legal, |action| match action {
                    Action::Go(area) if room.is_some_and(|room| !feeds(&room, None, area)) => {
                        self.posting(outlook, branch, area) - STARVES
                    }
                    Action::Go(area) => self.posting(outlook, branch, area),
                    _ => 0.0,
                })
            }
            Phase::Production => self.production(outlook, legal),
            Phase::Operational => Some(self.movement(outlook, legal)),
            Phase::Strategic | Phase::BreakthroughStrategic => self.rail(outlook, legal),
            Phase::Combat | Phase::BreakthroughRound => {
                self.look(outlook);
                self.next_battle(outlook, legal)
            }
            Phase::Breakthrough => {
                self.look(outlook);
                self.breakthrough(outlook, legal)
            }
            Phase::BreakthroughMove => self.breakthrough_move(outlook, legal),
            Phase::FinalSupply => {
                let starving = hungry(outlook, state);
                best_action(legal, |action| match action {
                    // A step each, so that the others live (7.9).
                    Action::LimitedSupply(nation, area) => {
                        let fed = starving.filter(|unit| {
                            state.location(unit) == area && game.sponsor(state, game.nation(unit)) == nation
                        });
                        f32::from(game.steps_of(state, &fed)) - fed.len() as f32 - weights.special
                    }
                    // It costs no steps (13.32).
                    Action::Beachhead(_, area) => saved(outlook, &starving, area) - weights.special,
                    _ => 0.0,
                })
            }
            // What stands before the Soviets' best areas goes to the border, where it is met first.
            Phase::FrontGarrison => best_action(legal, |action| match action {
                Action::Go(area) => 1.0 + self.map.worth[area.at()],
                _ => 0.0,
            }),
            // Where the enemy's fleet is strongest against ours.
            Phase::FrenchFleets => best_action(legal, |action| match action {
                Action::Fleet(sea) => {
                    let [own, enemy] =
                        [team, team.other()].map(|team| f32::from(state.fleet_points(team, sea)));
                    (1.0 + enemy) / (1.0 + own)
                }
                _ => 0.0,
            }),
            Phase::Over => None,
        }
    }

    fn look(&mut self, outlook: &Outlook<'_>) {
        if self.light {
            let state = outlook.state;
            let place = if state.battle.stage == Stage::None { state.goal } else { state.battle.area };
            let moment = Some((state.turn, outlook.team, state.phase, place));
            if self.looked == moment {
                // Who has moved since counts where he is.
                if state.battle.stage == Stage::None {
                    self.survey.count_own(outlook);
                }
                return;
            }
            self.looked = moment;
        }
        self.survey.look(&self.map, outlook);
    }

    /// How much a counter to be placed is wanted in an area.
    fn posting(&self, outlook: &Outlook<'_>, branch: Branch, area: Area) -> f32 {
        let disputed = if outlook.state.is_disputed(area) { -2.0 } else { 0.0 };
        if branch == Branch::Air {
            let army = self.survey.army(outlook.team, area);
            return self.survey.airfield(area, army.land(), army.air) + disputed;
        }
        self.wanted(outlook, area, Role::of(branch)) + disputed
    }

    /// How much more power an area draws, of such counters.
    fn wanted(&self, outlook: &Outlook<'_>, area: Area, role: Role) -> f32 {
        if self.survey.posts.contains(area) {
            self.survey.drawn(area, self.survey.army(outlook.team, area).power(), role)
        } else {
            self.survey.pull[area.at()]
        }
    }

    /// How much so much power would be missed where it is.
    fn missed(&self, outlook: &Outlook<'_>, from: Area, (power, role): (f32, Role)) -> f32 {
        if !self.survey.posts.contains(from) {
            return 0.0;
        }
        let own = self.survey.army(outlook.team, from).power();
        self.survey.drawn(from, own - power, role).max(0.0)
    }

    // ---- movement ----

    fn movement(&mut self, outlook: &Outlook<'_>, legal: &[Action]) -> Action {
        let &Outlook { game, state, team, .. } = outlook;
        if let Pending::Destination(unit) | Pending::March(unit) = state.pending {
            return self.orders.step(game, state, unit, legal).unwrap_or(Action::Pass);
        }
        let moment = (state.turn, team, state.phase, state.goal);
        if self.moment != Some(moment) {
            self.look(outlook);
            self.orders.plan(outlook, &self.survey);
            self.moment = Some(moment);
        }
        if legal.contains(&Action::Pause) && self.orders.rests(outlook) {
            return Action::Pause;
        }
        if let Some(invasion) = self.invasion(outlook, legal) {
            return invasion;
        }
        let repair = best_action(legal, |action| match action {
            Action::Repair(_, area) => self.worth_of_repair(outlook, area) - outlook.weights.special,
            _ => 0.0,
        });
        if let Some(repair @ Action::Repair(..)) = repair {
            return repair;
        }
        self.orders.pick(game, state, legal).unwrap_or(Action::Pass)
    }

    /// Strategic movement: from where least is wanted to where most is.
    fn rail(&mut self, outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
        let &Outlook { game, state, team, weights, .. } = outlook;
        self.look(outlook);
        let wanted = |area: Area| self.survey.pull[area.at()];
        if let Pending::Destination(unit) = state.pending {
            let one = Army::one(game, state, unit);
            let role = Role::of(game.branch(unit));
            let wanted = |area: Area| self.wanted(outlook, area, role);
            let from = state.location(unit);
            let here = self.missed(outlook, from, (one.power(), role));
            let room = game.room(state, game.nation(unit));
            if game.is_air(unit) {
                let airfield = |area: Area, leaves: f32| {
                    let army = self.survey.army(team, area);
                    self.survey.airfield(area, army.land(), army.air - leaves)
                };
                return best_action(legal, |action| match action {
                    Action::Go(area) if !feeds(&room, Some(from), area) => -STARVES,
                    Action::Go(area) => airfield(area, 0.0),
                    _ => airfield(from, 1.0) + weights.march,
                });
            }
            return best_action(legal, |action| match action {
                Action::Go(area) if !feeds(&room, Some(from), area) => -STARVES,
                Action::Go(area) if self.survey.front.contains(area) => wanted(area) - here,
                Action::Go(area) => BEHIND * wanted(area) - here,
                _ => weights.march,
            });
        }
        let most_for = |unit: UnitId| {
            let open = game.open_among(state, game.nation(unit), state.held(team));
            open.iter().map(wanted).fold(0.0, f32::max)
        };
        let mut most: Option<(Nation, f32)> = None;
        let bound = outlook.may_leave_poland() == 0;
        best_action(legal, |action| match action {
            Action::Select(unit) => {
                let from = state.location(unit);
                if bound && !game.is_air(unit) && game.rules.politics.poland_garrison_areas.contains(from) {
                    return -1.0;
                }
                let army = self.survey.army(team, from);
                if game.is_air(unit) {
                    let here = self.survey.airfield(from, army.land(), army.air - 1.0);
                    let exposed = self.survey.front.contains(from) && here < UNSAFE_AIRFIELD;
                    return if exposed { LEAVES } else { -1.0 };
                }
                let one = Army::one(game, state, unit);
                let (own, power) = (army.power(), one.power());
                let guard = self.survey.guard(&self.map, from, weights).min(RAIL_GUARD);
                let bared = own - power < guard - SLACK && !self.survey.is_lost(from, own);
                if bared || !self.survey.lets_go(outlook, from, (own, power)) {
                    return -1.0;
                }
                let missed = self.missed(outlook, from, (power, Role::of(game.branch(unit))));
                let nation = game.nation(unit);
                let (_, best) = match most {
                    Some(known) if known.0 == nation => known,
                    _ => *most.insert((nation, most_for(unit))),
                };
                let gain = best - missed;
                if gain <= weights.march + 1.0 { -1.0 } else { gain.min(4.0) + 0.3 * power }
            }
            _ => 0.0,
        })
    }
}

/// Turns that a war has lasted which Germany has begun with the USSR.
fn turns_in_the_east(game: &EuropeEngulfed, state: &State) -> Option<u16> {
    let affairs = &state.affairs;
    if affairs.soviet_war == 0 || !affairs.has(happened::GERMANY_ATTACKED) {
        return None;
    }
    let began = if affairs.soviet_war > 1 { game.bimester(affairs.soviet_war) } else { INVASION };
    let count = |date: Bimester| 6 * date.year + u16::from(date.nth);
    Some(count(game.bimester(state.turn)).saturating_sub(count(began)))
}

/// The counter that is to be deployed now (17.0).
fn waiting(outlook: &Outlook<'_>) -> Option<UnitId> {
    let &Outlook { game, state, .. } = outlook;
    let waiting = state.at(Area::WAITING).filter(|unit| game.team_of(state, unit) == Some(state.mover));
    let stages = if state.phase == Phase::Deployment { &game.rules.setup.deployments[..] } else { &[] };
    let now = stages.get(usize::from(state.affairs.deploying));
    let of_now = |unit: &UnitId| now.is_none_or(|&(_, nations)| nations & game.nation(*unit).bit() != 0);
    waiting.into_iter().find(of_now)
}

impl Policy<EuropeEngulfed> for Scripted {
    fn pick(
        &mut self,
        game: &EuropeEngulfed,
        state: &State,
        side: Side,
        legal: &[Action],
        _: &mut Rng64,
    ) -> Action {
        pick_legal(legal, || self.choose(game, state, side, legal))
    }

    fn objectives(&self, game: &EuropeEngulfed, state: &State, side: Side, out: &mut Vec<u16>) {
        objectives(&self.map, game, state, side, out);
    }

    fn set_operation(&mut self, operation: Option<(Side, u16)>) {
        self.operation = operation;
    }

    fn begin_line(&mut self) {
        self.orders.forget();
        self.moment = None;
        self.looked = None;
    }
}
