//! Landings from the sea and drops from the air (14, 15.5): headquarters that are activated to send one unit each, where it
//! goes, how units are brought to the ports, and beachheads.
//!
//! Where a unit can go is asked of the rules, on a copy of the position in which the headquarters is activated.

use sandtable_ai::policy::best_action;
use sandtable_core::{Game, Hex, Index, PlayContext, Rng64};
use sandtable_eurofront::ids::{BlockId, Blocks, Camp, Faction, Front, Hexes, SeaId, Seas, place};
use sandtable_eurofront::rules::{Goal, Kind, NavalBalance, Status};
use sandtable_eurofront::{Action, EuroFront, Mark, Mode, Phase, State};

use super::command::price_of_command;
use super::forecast::{Fight, forecast};
use super::map_tables::{Places, sixths};
use super::norway;
use super::plan::{Brief, STEP, crosses, destination, is_crossing, price_of_climate};
use super::scripted::Scripted;
use super::survey::{HEADQUARTERS, Might, might, overcome, shelter};

/// Least worth of a landing beyond its price, in production points.
const LEAST: f32 = 3.0;
/// Worth of what a headquarters would do otherwise: a supreme one always, another where ground draws most.
const SUPREME: f32 = 5.0;
/// Part of the price of command that counts: who leads a landing has little else to lead.
const SHARE_OF_PRICE: f32 = 0.5;
/// Part of the steps that other headquarters may send besides that counts as if it were there.
const BESIDE: f32 = 0.3;
/// Worth of a port through which others follow, and of a front where there was none, in production points.
const HARBOUR: f32 = 4.0;
const FOOTHOLD: f32 = 6.0;
/// What a sea area that the enemy controls takes off the worth of a landing, by the naval balance as he sees it.
const ENEMY_WATERS: [f32; 3] = [9.0, 5.0, 2.0];
/// Part of a unit's worth that is lost where its supply must cross waters that the enemy controls, by the same balance.
const ENEMY_LINES: [f32; 3] = [0.9, 0.6, 0.3];
/// Part of the danger that counts: who is driven off a beach has bound the enemy.
const DARING: f32 = 0.8;
/// Worth of a beachhead that is brought on, and months from September 1939 after which it is wanted.
const BEACHHEAD: f32 = 28.0;
const THIRD_WINTER: i16 = 27;
/// Worth of a port that decides the scenario, in production points, and how much more it is towards the end, when nothing else is
/// of use any more.
const DECISIVE: f32 = 150.0;
const GROWS_TO_THE_END: f32 = 5.0;
/// Part of it that counts for who lands so many hexes from it at most.
const OVERLAND: f32 = 0.5;
const MARCH: u32 = 3;
/// Worth of Oslo while Norway is surprised, in production points.
const OSLO: f32 = 400.0;
/// Part of it that counts for a port that feeds who besieges it, and for who comes there second and starves.
const OF_FEEDING: f32 = 0.6;
const OF_STARVING: f32 = 0.3;
/// Rounds that are fought for a port before who attacks it starves.
const ROUNDS_ASHORE: u32 = 3;
/// Part of a port that decides the scenario which counts where a landing in a weak one, that nobody can support, draws all of the
/// garrison of the strongest.
const DIVERSION: f32 = 0.8;
/// Value from which a headquarters supports a landing in a port of England from those that are nearest to it.
pub(super) const REACHES: u32 = 2;
/// Least steps of a unit that waits to be sent to England, and what a step of it is worth, in production points.
const STRONG: u8 = 3;
const WAITS_FOR_ENGLAND: f32 = 10.0;
/// What a supreme headquarters would do otherwise when units ashore in England wait for orders.
const WAITED_FOR: f32 = 60.0;
/// Part of the scenario of 1940A after which supreme headquarters save up to their full value.
const BY_WINTER: f32 = 0.35;
/// What it would do otherwise while it saves its steps for who will land there.
const KEPT_FOR_LANDINGS: f32 = 30.0;
/// Steps that hold out beside a step of a garrison.
const GARRISON_HOLDS: f32 = 2.0;
/// Steps that may come over the sea to a port.
const BY_SEA: f32 = 2.0;
/// Steps besides that a unit counts which is sunk.
const SUNK: f32 = 2.0;
/// Months before the last in which steps and command begin to be spent freely.
const SPARED: f32 = 4.0;
/// Months from September 1939 after which the Western Allies gather for landings in Europe: the winter of 1942.
const SECOND_FRONT_FROM: i16 = 39;
/// Steps that the Western Allies replace in a month, and the least that a step of theirs counts.
const OF_A_MONTH: f32 = 24.0;
const LEAST_STAKE: f32 = 0.15;
/// Units that wait in a port with a headquarters.
const WAITING: u32 = 3;
/// Worth for a headquarters with nothing to do by land of standing in a port, in production points.
const PORT_TO_EMBARK: f32 = 4.0;

impl Scripted {
    // ---- command (15.51, 14.21) ----

    /// Whether the headquarters at hand is activated to send a unit over the sea or through the air.
    pub(super) fn expedition(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let (game, state) = (brief.game, brief.state);
        let block = state.subject;
        let at = state.at(block);
        let modes = [Mode::Invasion, Mode::Para].map(|mode| Action::Activate(mode, at));
        if !modes.iter().any(|mode| legal.contains(mode)) || state.is_battle(at) {
            return None;
        }
        // One unit for each headquarters that leads invasions from here.
        let passengers = state.stack(at, brief.camp).difference(&game.sets().headquarters);
        let leaders = state.stack(at, brief.camp).and(state.marked(Mark::Active)).filter(|leader| {
            (state.sea.invaders | state.sea.droppers) >> game.brief(leader).headquarters & 1 != 0
        });
        if passengers.len() <= leaders.len() {
            return None;
        }
        self.planner.look_on(brief);
        let stakes = stakes(brief);
        let price = stakes * SHARE_OF_PRICE * price_of_command(&self.planner, brief, block, 1);
        let other = if game.brief(block).kind == Kind::Hq {
            self.planner.survey.pull[at.at()] / self.planner.survey.strongest_pull * SUPREME
        } else {
            SUPREME
        };
        let kind = game.brief(block).kind;
        let other = if kind == Kind::SupremeHq && tries_for_england(brief) && is_ashore(brief) {
            WAITED_FOR
        } else if saves_orders(brief, block) {
            KEPT_FOR_LANDINGS
        } else {
            other
        };
        let other = if kind == Kind::Hq { stakes * other } else { other };
        let mut found = (price + other + stakes * LEAST, None);
        for mode in modes {
            if legal.contains(&mode) {
                let worth = self.worth_of_sending(brief, mode);
                if worth > found.0 {
                    found = (worth, Some(mode));
                }
            }
        }
        let first = found.1?;
        // What its own units do by land is left out of what the others lead.
        self.planner.so_far = None;
        // A second wave, if there is somebody to go with it; against England one that is supported too.
        let again = Action::Activate(Mode::BlitzInvasion, at);
        let least = if tries_for_england(brief) { REACHES as u8 + 1 } else { 2 };
        let twice = first == modes[0] && passengers.len() > leaders.len() + 1 && state.steps[block] >= least;
        if twice && legal.contains(&again) { Some(again) } else { Some(first) }
    }

    /// What the best unit that the headquarters at hand can send is worth where it goes.
    fn worth_of_sending(&mut self, brief: &Brief<'_>, mode: Action) -> f32 {
        let state = brief.state;
        let mut scratch: State = *state;
        let moment = (state.turn, state.active);
        let mut dice = PlayContext::silent(Rng64::stream(0, 0, 0));
        brief.game.command_at_last(&mut scratch, mode, &Blocks::EMPTY, &mut dice);
        if scratch.phase != Phase::Movement || (scratch.turn, scratch.active) != moment {
            return 0.0;
        }
        let units =
            state.stack(state.at(state.subject), brief.camp).difference(&brief.game.sets().headquarters);
        let sent = units.iter().map(|block| self.best_target(brief, &scratch, block).0).fold(0.0, f32::max);
        sent + self.support_over_sea(brief, mode)
    }

    /// What it is worth that the headquarters at hand supports the battles within its reach over the sea (15.511).
    fn support_over_sea(&self, brief: &Brief<'_>, mode: Action) -> f32 {
        let (game, state) = (brief.game, brief.state);
        let leads = matches!(mode, Action::Activate(mode, _) if mode.is_invasion());
        if !leads || game.brief(state.subject).kind != Kind::Hq {
            return 0.0;
        }
        let area = game.support_area(state, state.subject);
        let round = |hex: Hex| {
            let force = self.force_in(brief, hex);
            let fight = self.planner.fight(brief, hex, force, true, 0.0);
            self.planner.round_worth(brief, hex, &fight).max(0.0)
        };
        state.battles().and(&area).iter().map(round).sum()
    }

    /// Where a unit had best land in a position of a Movement Phase, and what that is worth; the survey must be of it.
    fn best_target(&mut self, brief: &Brief<'_>, now: &State, block: BlockId) -> (f32, Option<Action>) {
        self.scratch.clear();
        brief.game.list_landings(now, block, &mut self.scratch);
        self.best_of(brief, block)
    }

    /// The best of the landings among the actions at hand.
    fn best_of(&self, brief: &Brief<'_>, block: BlockId) -> (f32, Option<Action>) {
        let beside = BESIDE * self.fleet(brief, block);
        let mut found = (0.0, None);
        for &action in &self.scratch {
            let worth = match action {
                Action::Invade(hex) => self.landing(brief, block, hex, false, beside),
                Action::Drop(hex) => self.landing(brief, block, hex, true, 0.0),
                _ => continue,
            };
            if worth > found.0 {
                found = (worth, Some(action));
            }
        }
        found
    }

    /// Steps that other headquarters in ports may send in this phase: the strongest unit of each.
    fn fleet(&self, brief: &Brief<'_>, but: BlockId) -> f32 {
        let (game, state) = (brief.game, brief.state);
        let own = state.standing[brief.camp.index()];
        let headquarters = own.and(&game.sets().field_headquarters);
        let rested = own.difference(state.marked(Mark::Moved)).difference(&game.sets().headquarters);
        let sends = |staff: BlockId| {
            let at = state.at(staff);
            let ready = game.brief(staff).faction == state.active
                && game.seas().harbours.contains(at)
                && !state.is_battle(at)
                && game.command_value(state, staff) > 0;
            let stack = state.stack(at, brief.camp).and(&rested).difference(&Blocks::one(but));
            if ready {
                stack.iter().map(|block| f32::from(state.steps[block])).fold(0.0, f32::max)
            } else {
                0.0
            }
        };
        headquarters.iter().map(sends).sum()
    }

    /// What a landing of a unit in a place is worth, in production points.
    fn landing(&self, brief: &Brief<'_>, block: BlockId, hex: Hex, dropped: bool, beside: f32) -> f32 {
        let (game, state, w) = (brief.game, brief.state, brief.weights);
        let survey = &self.planner.survey;
        let (own, enemy) = (survey.own(), survey.enemy());
        let (from, to) = (state.at(block).at(), hex.at());
        let us = brief.camp.index();
        let friendly = &state.friendly[us];
        let port = game.seas().harbours.contains(hex);
        let around = game.board().across(&Hexes::one(hex), &game.map().land);
        let joined = around.and(friendly).and(&survey.supplied).intersects(&game.map().in_play);
        let beachhead = has_ready_beachhead(brief, block);
        // Garrisons stay but in the surprise of Norway, and who has work by land does it.
        let garrison = game.brief(block).kind == Kind::Static && !state.sea.weser;
        let useful = joined || !dropped && (port || beachhead || is_beach_of_england(brief, hex));
        let busy = !dropped && !self.is_idle(state.at(block));
        let for_england = !dropped && tries_for_england(brief);
        let wanted = tries_for_england(brief) && survey.stations.needs(own, state.at(block));
        // Nobody is sent over the sea where a railway goes.
        let astray = for_england && friendly.contains(hex) && !game.land("great_britain").contains(hex);
        if !useful || garrison || busy || wanted || astray || is_last_guard(brief, block) {
            return f32::NEG_INFINITY;
        }
        let might = might(brief.tables, game, state, block);
        let force = Might {
            steps: might.steps + own.steps[to],
            offence: might.offence + own.offence[to],
            defence: might.defence + own.defence[to],
        };
        let cover = shelter(brief.tables, game, state, hex);
        let strength = force.steps + beside + survey.near[to];
        if !dropped && survey.decisive.contains(hex) && !state.has(block, Mark::Unsupplied) {
            return self.landing_in_england(brief, block, hex, hex);
        }
        if !state.sea.weser && !dropped && crosses(brief) && brief.tables.over_sea.contains(hex) {
            if norway::only_starves(brief, hex, own.blocks[to], &survey.supplied) {
                return f32::NEG_INFINITY;
            }
            return if tries_for_england(brief) {
                if self.is_left_to_another(brief, hex) {
                    return f32::NEG_INFINITY;
                }
                self.landing_in_england(brief, block, hex, hex)
            } else {
                self.decisive_landing(brief, block, hex, force, beside)
            };
        }
        if !dropped && is_beach_of_england(brief, hex) {
            return self.landing_beside(brief, block, hex);
        }
        // From elsewhere in England nobody comes to what decides the scenario.
        if tries_for_england(brief) && game.land("great_britain").contains(hex) {
            return f32::NEG_INFINITY;
        }
        // The capital of a nation that is surprised decides its war, and a port close by feeds who besieges it (21.494): garrisons
        // starve while enough stand beside them.
        if state.sea.weser && enemy.blocks[to] > 0 {
            let share = if Some(hex) == norway::capital(game) {
                if own.blocks[to] > 0 { OF_STARVING } else { 1.0 }
            } else if norway::feeds_siege(game, hex) {
                OF_FEEDING
            } else {
                0.0
            };
            let holds = |steps: f32| overcome(steps, GARRISON_HOLDS * enemy.steps[to]);
            let left =
                (force.steps - f32::from(game.acclimatisation(state, block, game.front(hex)))).max(0.0);
            return OSLO * share * (holds(left) - holds(own.steps[to])) - price_of_climate(brief, hex, block);
        }
        let win = if enemy.steps[to] > 0.0 { overcome(strength, 1.5 * enemy.steps[to] * cover) } else { 1.0 };
        let fight = if state.occupied[brief.camp.enemy().index()].contains(hex) {
            let mut fight = self.planner.fight(brief, hex, force, true, 0.0);
            fight.repulsed =
                repulse(brief, block, dropped) * (enemy.steps[to] / force.steps.max(1.0)).min(1.0);
            self.planner.round_worth(brief, hex, &fight)
        } else {
            0.0
        };
        let ground = if friendly.contains(hex) {
            0.0
        } else {
            0.8 * brief.worth[to] + if port { HARBOUR } else { 0.0 }
        };
        let foothold = if !joined && beachhead { FOOTHOLD } else { 0.0 };
        let drawn = w.pull * (survey.pull[to] - survey.pull[from]) * (0.3 + 0.5 * might.steps);
        let danger = stakes(brief)
            * DARING
            * STEP
            * might.steps
            * overcome(survey.threat[to] + 0.5 * enemy.steps[to], strength * cover + 0.2);
        let rest = (own.steps[from] - might.steps).max(0.0);
        let exposed = w.hold
            * brief.worth[from]
            * (survey.risk(brief.tables, game, state, state.at(block), rest)
                - survey.risk(brief.tables, game, state, state.at(block), own.steps[from]));
        let sea = if dropped { 0.0 } else { waters(brief, state.at(block), hex, might.steps, joined) };
        let sea = sea + price_of_climate(brief, hex, block);
        let base = if dropped { 0.0 } else { norway::worth_of_base(brief, hex, might.steps, win) };
        win * (ground + foothold + drawn.max(-10.0)) + base + fight - danger - exposed - sea
    }

    /// What it is worth to try for a port that decides the scenario: England's, or Oslo again. It counts that the unit arrives
    /// and that nobody is left there.
    fn decisive_landing(
        &self,
        brief: &Brief<'_>,
        block: BlockId,
        hex: Hex,
        force: Might,
        beside: f32,
    ) -> f32 {
        let state = brief.state;
        let to = hex.at();
        let (arrives, left) = passage(brief, state.at(block), hex, force.steps);
        let enemy = self.planner.survey.enemy().steps[to];
        let taken = if state.occupied[brief.camp.enemy().index()].contains(hex) {
            let share = left / force.steps.max(0.1);
            let force = Might { steps: left, offence: share * force.offence, ..force };
            let fight = self.planner.fight(brief, hex, force, true, 0.0);
            let repulsed = repulse(brief, block, false) * (enemy / left.max(1.0)).min(1.0);
            let now = forecast(&Fight { repulsed, ..fight }, 2).cleared;
            now.max(0.3 * overcome(left + beside, enemy))
        } else {
            1.0
        };
        decisive(brief) * arrives * taken
            - (1.0 - arrives * taken) * STEP * (force.steps - left)
            - price_of_climate(brief, hex, block)
    }

    /// What it is worth to a unit that it lands in a hex of England, for the sake of a port that decides the scenario: there, or beside
    /// it with all that others bring. Where enemies stand it lands alone (15.521), and who is alone is repulsed (15.53).
    fn landing_in_england(&self, brief: &Brief<'_>, block: BlockId, hex: Hex, port: Hex) -> f32 {
        let state = brief.state;
        let (own, enemy) = (self.planner.survey.own(), self.planner.survey.enemy());
        let full = f32::from(state.steps[block]);
        let (arrives, left) = passage(brief, state.at(block), hex, full);
        // Who is turned back comes home with what he has left; who lands and does not take the port is lost.
        let step = stakes(brief) * STEP;
        let drowned = step * lost_at_sea(brief, state.at(block), hex, full);
        let lost = step * arrives * left;
        // Beside the port nothing feeds it until somebody orders it on.
        let starved = if hex == port { 0.0 } else { 1.0 };
        let left = left - starved;
        if left <= 0.5 || starved > 0.0 && orders_later(brief) <= 0 {
            return -drowned - lost;
        }
        let defended = &state.occupied[brief.camp.enemy().index()];
        if !defended.contains(port) {
            return decisive(brief) * arrives - drowned;
        }
        let fleet = if defended.contains(hex) { Armada::default() } else { self.armada(brief, block, hex) };
        let landed = f32::from(own.blocks[hex.at()]) - fleet.units_at_sea;
        let ashore = (own.steps[hex.at()] - fleet.steps_at_sea - starved * landed).max(0.0);
        let sent = 1.0 + fleet.units_at_sea;
        let at_sea = left + (fleet.steps_at_sea - (1.0 + starved) * fleet.units_at_sea).max(0.0);
        let (supports, air) = self.air_over(brief, port);
        // All who come over the sea may be repulsed; nobody is where some have come before.
        let chance = if hex == port && ashore <= 0.0 { repulse(brief, block, false) } else { 0.0 };
        // So many units that are expected to arrive, of so many steps together.
        let falls = |units: f32, steps: f32| {
            let (present, kept) = repulsed(units, enemy.steps[port.at()], chance);
            let steps = if ashore > 0.0 { ashore + steps } else { steps * kept / present.max(0.01) };
            let force = Might { steps, offence: steps, defence: steps };
            let fight = self.planner.fight(brief, port, force, supports, air);
            // Aircraft come first: who is left of the garrison repulses.
            let struck = forecast(&Fight { offence: 0.0, defence: 0.0, ..fight }, 1);
            let enemy = fight.enemy - struck.killed;
            let present = if ashore > 0.0 { 1.0 } else { repulsed(units, enemy, chance).0 };
            let defence = fight.defence * enemy / fight.enemy.max(0.01);
            let then = forecast(&Fight { air: 0.0, enemy, defence, ..fight }, ROUNDS_ASHORE);
            struck.cleared + (1.0 - struck.cleared) * present * then.cleared
        };
        let alone = arrives * falls(sent, at_sea);
        let units = arrives * sent + fleet.units;
        let together = falls(units, arrives * at_sea + fleet.steps - starved * fleet.units);
        let taken = alone.max(together / (1.0 + fleet.parties));
        let drawn = if hex == port && ashore <= 0.0 && !supports {
            DIVERSION * arrives * self.draws_away(brief, port, left)
        } else {
            0.0
        };
        decisive(brief) * (taken + drawn) - (1.0 - taken) * lost - drowned
    }

    /// Whether the headquarters at hand leaves a port of England where enemies stand to another: one unit lands there in a phase
    /// (15.521), and ships intercept it when all have moved (15.72). Those sent before go to the weakest ports, and of two
    /// headquarters the stronger leads.
    fn is_left_to_another(&self, brief: &Brief<'_>, hex: Hex) -> bool {
        let (game, state) = (brief.game, brief.state);
        let theirs = &state.occupied[brief.camp.enemy().index()];
        if state.phase != Phase::Activation || state.subject.is_none() || !theirs.contains(hex) {
            return false;
        }
        let (seas, enemy) = (game.seas(), self.planner.survey.enemy());
        let resistance = |port: Hex| enemy.steps[port.at()] * shelter(brief.tables, game, state, port);
        let weaker = theirs.and(&brief.tables.over_sea).filter(|port| {
            seas.coast(port).intersects(&seas.coast(hex)) && resistance(port) < resistance(hex)
        });
        if sent_before(brief, hex) > weaker.len() {
            return true;
        }
        let value = |staff: BlockId| game.command_value(state, staff).max(0) as u32;
        let ready = |at: Hex| {
            let mut units = state.stack(at, brief.camp).difference(&game.sets().headquarters).iter();
            units.any(|unit| {
                game.can_invade(unit) && game.has_waited(state, unit) && state.steps[unit] >= STRONG
            })
        };
        let own = value(state.subject);
        game.brief(state.subject).kind == Kind::Hq
            && leaders(brief).any(|staff| {
                !state.has(staff, Mark::Active)
                    && value(staff) > own
                    && supports_from(game, state.at(staff), value(staff), hex)
                    && ready(state.at(staff))
            })
    }

    /// Part of the garrison of the strongest other port of England that is more than what stands in a port, where so many steps are
    /// more than its garrison: the enemy comes from there to relieve it.
    fn draws_away(&self, brief: &Brief<'_>, port: Hex, landed: f32) -> f32 {
        let enemy = self.planner.survey.enemy();
        let here = enemy.steps[port.at()];
        let most = brief.tables.over_sea.iter().map(|other| enemy.steps[other.at()]).fold(0.0, f32::max);
        if landed <= here { 0.0 } else { ((most - 2.0 * here) / most.max(0.1)).max(0.0) }
    }

    /// Whether headquarters that lead an invasion, or the one at hand if it did, support a battle on the coast, and the sixths of
    /// the strongest aircraft that reach it (15.511): one headquarters strikes (7.13).
    fn air_over(&self, brief: &Brief<'_>, port: Hex) -> (bool, f32) {
        let (game, state) = (brief.game, brief.state);
        let distance = |staff: BlockId| game.board().distance(state.at(staff), port);
        let value = |staff: BlockId| game.command_value(state, staff).max(0) as u32;
        let aircraft = |staff: BlockId| value(staff) as f32 * sixths(game, game.air_fire(state, staff, port));
        let leads = |&staff: &BlockId| {
            state.has(staff, Mark::Active) || state.phase == Phase::Activation && staff == state.subject
        };
        let near = leaders(brief).filter(leads).filter(|&staff| distance(staff) <= value(staff));
        let supported = leaders(brief)
            .filter(leads)
            .any(|staff| supports_from(game, state.at(staff), value(staff), port));
        let supreme = state.marked(Mark::Active).difference(&game.sets().field_headquarters);
        let range = u32::from(game.rules.numbers.supreme_air_range);
        let far = supreme.iter().filter(|&staff| distance(staff) <= range * value(staff));
        (supported, near.chain(far).map(aircraft).fold(0.0, f32::max))
    }

    /// What else may come over the sea to a place where nobody stands, with a unit: from each port the strongest units, one for each
    /// headquarters there that has sent none yet.
    fn armada(&self, brief: &Brief<'_>, block: BlockId, hex: Hex) -> Armada {
        let (game, state) = (brief.game, brief.state);
        let seas = game.seas();
        let sent =
            |unit: &BlockId| state.has(*unit, Mark::Moved) && state.crossing[*unit].embarked().is_some();
        let mut all = Armada::default();
        for other in state.stack(hex, brief.camp).iter().filter(sent) {
            all.units_at_sea += 1.0;
            all.steps_at_sea += f32::from(state.steps[other]);
        }
        let busy = game.sets().headquarters.or(state.marked(Mark::Moved)).or(state.marked(Mark::Deactivated));
        let senders = || leaders(brief).filter(|&staff| game.may_send(state, staff));
        let ports: Hexes = senders().map(|staff| state.at(staff)).collect();
        for at in ports.iter().filter(|&at| seas.coast(at).intersects(&seas.coast(hex))) {
            let here = senders().filter(|&staff| state.at(staff) == at).count();
            let others = here - usize::from(at == state.at(block));
            let stack = state.stack(at, brief.camp).difference(&busy).difference(&Blocks::one(block));
            let mut waiting = stack.filter(|unit| {
                game.can_invade(unit)
                    && game.has_waited(state, unit)
                    && game.brief(unit).faction == state.active
            });
            for _ in 0..others {
                let Some(unit) = waiting.iter().max_by_key(|&unit| state.steps[unit]) else { break };
                waiting.remove(unit);
                let (arrives, left) = passage(brief, at, hex, f32::from(state.steps[unit]));
                all.units += arrives;
                all.steps += arrives * left;
                all.parties += 1.0;
            }
        }
        all
    }

    /// What it is worth to land where nobody stands, to go from there to a port that decides the scenario.
    fn landing_beside(&self, brief: &Brief<'_>, block: BlockId, hex: Hex) -> f32 {
        let worth = |port: Hex| {
            let distance = brief.game.board().distance(port, hex);
            let near = if distance <= MARCH { 1.0 - 0.3 * (distance - 1) as f32 } else { 0.0 };
            near * OVERLAND * self.landing_in_england(brief, block, hex, port)
        };
        brief.tables.over_sea.iter().map(worth).fold(f32::NEG_INFINITY, f32::max)
    }

    // ---- movement (15.52, 14.22) ----

    /// The unit that is sent next, before all other moves.
    pub(super) fn send(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let (game, state) = (brief.game, brief.state);
        if self.planner.has_plan(state) || !game.rules.scenario.naval && state.sea.droppers == 0 {
            return None;
        }
        self.planner.look_ahead(brief);
        let leaders = state.marked(Mark::Active).filter(|block| {
            (state.sea.invaders | state.sea.droppers) >> game.brief(block).headquarters & 1 != 0
        });
        let ports: Hexes = leaders.iter().map(|block| state.at(block)).collect();
        let mut found = (0.0, None);
        for &action in legal {
            let Action::Unit(block) = action else { continue };
            // A headquarters that is activated lands nowhere: it would name a hex for its second wave (15.541).
            if ports.contains(state.at(block)) && !state.has(block, Mark::Active) {
                let worth = self.best_target(brief, state, block).0;
                if worth > found.0 {
                    found = (worth, Some(action));
                }
            }
        }
        found.1.or_else(|| self.gather_in_port(brief, legal))
    }

    /// Where the unit at hand is sent, or the port in which it waits for that.
    pub(super) fn send_to(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let state = brief.state;
        if self.planner.has_plan(state) {
            return None;
        }
        self.planner.look(brief, false);
        self.scratch.clear();
        self.scratch.extend_from_slice(legal);
        let landing = self.best_of(brief, state.subject).1;
        landing.or_else(|| {
            let ports = self.ports_to_embark(brief);
            self.move_to_port(brief, legal, &ports)
        })
    }

    /// A unit that has nothing to do by land and goes to a port with a headquarters.
    fn gather_in_port(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let (game, state) = (brief.game, brief.state);
        let ports = self.ports_to_embark(brief);
        if ports.is_empty() {
            return None;
        }
        let mut scratch = *state;
        scratch.phase = Phase::Destination;
        let mut found: Option<(u8, Action)> = None;
        for &action in legal {
            let Action::Unit(block) = action else { continue };
            let at = state.at(block);
            let data = game.brief(block);
            let rank = state.steps[block] + if data.kind == Kind::Amphibious { 10 } else { 0 };
            if !game.rules.kinds[data.kind as usize].invades
                || data.kind.is_headquarters()
                || ports.contains(at)
                || is_last_guard(brief, block)
                || self.is_port_to_embark(brief, at)
                || !self.is_idle(at)
                || self.planner.survey.stations.needs(self.planner.survey.own(), at)
                || found.is_some_and(|(known, _)| known >= rank)
            {
                continue;
            }
            scratch.subject = block;
            self.scratch.clear();
            game.legal_actions(&scratch, &mut self.scratch);
            if self.move_to_port(brief, &self.scratch, &ports).is_some() {
                found = Some((rank, action));
            }
        }
        found.map(|(_, action)| action)
    }

    fn move_to_port(&self, brief: &Brief<'_>, legal: &[Action], ports: &Hexes) -> Option<Action> {
        let goes = |action: &Action| {
            matches!(action, Action::Go(_) | Action::Rail(_))
                && destination(*action).is_some_and(|hex| ports.contains(hex))
        };
        let block = brief.state.subject;
        let idle = block.is_none() || self.is_idle(brief.state.at(block));
        if idle { legal.iter().copied().find(goes) } else { None }
    }

    /// Ports in which headquarters that have nothing to do by land wait for units to send.
    fn ports_to_embark(&self, brief: &Brief<'_>) -> Hexes {
        let state = brief.state;
        let all = brief.game.seas().harbours.and(&state.occupied[brief.camp.index()]);
        // Who has sailed may be turned back (15.72).
        let gone = |hex: Hex| {
            let own = state.standing[brief.camp.index()].and(state.marked(Mark::Moved));
            own.iter().filter(|&unit| state.crossing[unit].embarked() == Some(hex)).count() as u32
        };
        all.filter(|hex| {
            self.is_port_to_embark(brief, hex) && {
                let units = state.stack(hex, brief.camp).difference(&brief.game.sets().headquarters);
                let weak = |unit: BlockId| tries_for_england(brief) && state.steps[unit] < STRONG;
                units.filter(|unit| !weak(unit)).len() + gone(hex) < WAITING
            }
        })
    }

    fn is_port_to_embark(&self, brief: &Brief<'_>, hex: Hex) -> bool {
        let (game, state) = (brief.game, brief.state);
        let headquarters = state.stack(hex, brief.camp).and(&game.sets().field_headquarters);
        game.seas().harbours.contains(hex)
            && self.is_idle(hex)
            && !state.is_battle(hex)
            && headquarters.iter().any(|block| {
                game.brief(block).faction == state.active && game.command_value(state, block) > 0
            })
    }

    /// Whether a place is far by land from where the war is; or, with England to be invaded, from what holds out.
    fn is_idle(&self, hex: Hex) -> bool {
        !self.planner.survey.busy.contains(hex)
    }

    /// What it adds to the worth of a place for a headquarters that it is a port from which others may be sent.
    pub(super) fn worth_of_port_to_embark(&self, brief: &Brief<'_>, hex: Hex) -> f32 {
        let port = brief.game.rules.scenario.naval && brief.game.seas().harbours.contains(hex);
        if port && self.is_idle(hex) { PORT_TO_EMBARK } else { 0.0 }
    }

    // ---- beachheads (11.74, 15.62) ----

    /// What it is worth to bring a beachhead on: the Allies need them from the third winter of the war, for what they land
    /// and for the Second Front (2F).
    pub(super) fn worth_of_beachhead(&self, brief: &Brief<'_>) -> f32 {
        let allied = brief.state.decider == Faction::Allies;
        if allied && brief.game.months_since_war(brief.state) >= THIRD_WINTER { BEACHHEAD } else { 1.0 }
    }

    /// A beachhead is placed where its unit has landed; it goes back when a port does its work.
    pub(super) fn beachhead(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let state = brief.state;
        self.planner.look(brief, false);
        let at = state.at(state.subject);
        let worth = |action: Action| match action {
            Action::Place(_) => 2.0,
            Action::Yes => {
                let port = brief.game.seas().harbours.contains(at);
                let quiet = self.planner.survey.threat[at.at()] <= 0.0;
                if port && quiet { 1.0 } else { -1.0 }
            }
            _ => 0.0,
        };
        best_action(legal, worth).unwrap_or(Action::Pass)
    }
}

/// What comes over the sea against a place, besides a unit.
#[derive(Clone, Copy, Default, Debug)]
struct Armada {
    /// Units and steps of them that are expected to arrive, and how many headquarters send them.
    units: f32,
    steps: f32,
    parties: f32,
    /// Units and steps that are on the way already.
    units_at_sea: f32,
    steps_at_sea: f32,
}

/// Whether a headquarters of a value that leads an invasion from a port supports a battle on the coast: over the sea alone (15.511).
pub(super) fn supports_from(game: &EuroFront, from: Hex, value: u32, port: Hex) -> bool {
    let seas = game.seas();
    let open = seas.sea_hexes.or(&seas.beaches);
    value > 0 && game.board().within_across(Hexes::one(from), value, &open, &seas.waterways).contains(port)
}

/// Whether a headquarters in a port would support a landing in one of England that decides 1940A, if it had so many steps.
pub(super) fn reaches_england(brief: &Brief<'_>, from: Hex, value: u32) -> bool {
    tries_for_england(brief)
        && brief.game.seas().harbours.contains(from)
        && brief.tables.over_sea.iter().any(|port| supports_from(brief.game, from, value, port))
}

/// What a step is worth of a unit that waits with a headquarters to be sent to England.
pub(super) fn worth_of_waiting(brief: &Brief<'_>, at: Hex) -> f32 {
    let led = || brief.state.stack(at, brief.camp).intersects(&brief.game.sets().field_headquarters);
    if tries_for_england(brief) && is_crossing(brief, at) && led() { WAITS_FOR_ENGLAND } else { 0.0 }
}

/// Field headquarters in ports that are activated for an invasion, or may be while others are.
fn leaders<'a>(brief: &'a Brief<'_>) -> impl Iterator<Item = BlockId> + 'a {
    let (game, state) = (brief.game, brief.state);
    let own = state.standing[brief.camp.index()].and(&game.sets().field_headquarters);
    own.iter().filter(move |&staff| {
        let leads = state.sea.invaders >> game.brief(staff).headquarters & 1 != 0;
        let at = state.at(staff);
        // They are activated one after another.
        (leads || state.phase == Phase::Activation && staff.at() >= state.subject.at())
            && game.seas().harbours.contains(at)
            && !state.is_battle(at)
            && game.command_value(state, staff) > 0
    })
}

/// How many headquarters that may send a unit to a place have been activated for an invasion before the one at hand.
fn sent_before(brief: &Brief<'_>, hex: Hex) -> u32 {
    let (game, state) = (brief.game, brief.state);
    if state.phase != Phase::Activation {
        return 0;
    }
    let seas = game.seas();
    let before = state.marked(Mark::Active).filter(|staff| {
        state.sea.invaders >> game.brief(staff).headquarters & 1 != 0
            && seas.coast(state.at(staff)).intersects(&seas.coast(hex))
    });
    before.len()
}

/// Steps of supreme headquarters that are left to order units in the next turn.
fn orders_later(brief: &Brief<'_>) -> i32 {
    let (game, state) = (brief.game, brief.state);
    let own = state.standing[brief.camp.index()].and(&game.sets().headquarters);
    let supreme = own.filter(|block| game.brief(block).kind == Kind::SupremeHq);
    supreme
        .iter()
        .map(|block| i32::from(state.steps[block]) - i32::from(state.has(block, Mark::Active)))
        .sum()
}

/// Whether own units stand in England.
fn is_ashore(brief: &Brief<'_>) -> bool {
    let land = brief.game.land("great_britain");
    brief.state.occupied[brief.camp.index()].intersects(&land)
}

/// Chance that somebody of so many units is not repulsed by so many dice (15.53), each of which repulses one with a chance; and
/// the part of them that is not.
fn repulsed(units: f32, dice: f32, chance: f32) -> (f32, f32) {
    let (mut present, mut left) = (0.0, 0.0);
    each_binomial(dice.round() as u32, chance, |number, chance| {
        let rest = (units - number as f32).max(0.0);
        present += chance * rest.min(1.0);
        left += chance * rest;
    });
    (present, left / units.max(0.01))
}

/// Whether a unit stands alone, but for headquarters, in a place whose loss loses the war.
fn is_last_guard(brief: &Brief<'_>, block: BlockId) -> bool {
    let (game, state, own) = (brief.game, brief.state, brief.camp.index());
    let at = state.at(block);
    brief.tables.keys[own].and(&state.friendly[own]).contains(at)
        && state.stack(at, brief.camp).difference(&game.sets().headquarters) == Blocks::one(block)
}

/// Whether the beachhead of an amphibious unit waits for it (15.61).
fn has_ready_beachhead(brief: &Brief<'_>, unit: BlockId) -> bool {
    let pairs = brief.game.seas().beachheads.iter();
    pairs.filter(|&&(_, other)| other == unit).any(|&(block, _)| brief.state.at(block) == place::READY)
}

/// Whether the Axis may land in a hex of England unopposed, to go on to a port that decides 1940A.
fn is_beach_of_england(brief: &Brief<'_>, hex: Hex) -> bool {
    let game = brief.game;
    tries_for_england(brief)
        && !brief.state.occupied[brief.camp.enemy().index()].contains(hex)
        && brief.tables.over_sea.iter().any(|port| game.board().distance(port, hex) <= MARCH)
        && game.land("great_britain").contains(hex)
}

/// Hexes of England in which a unit that is supplied decides 1940A at the end of its turn: ports in which nobody stands, and
/// hexes from which its zone of control alone reaches one. Supply is checked in the enemy's turn (10.5).
pub(super) fn decisive_hexes(brief: &Brief<'_>) -> Hexes {
    if !tries_for_england(brief) {
        return Hexes::EMPTY;
    }
    let (game, state) = (brief.game, brief.state);
    let theirs = state.occupied[brief.camp.enemy().index()];
    let open = brief.tables.over_sea.difference(&theirs);
    let unwatched = open.difference(&game.zones(state, brief.camp.enemy()));
    let beside = game.board().across(&unwatched, &game.map().zoc).and(&game.land("great_britain"));
    open.or(&beside.difference(&theirs))
}

/// Whether a theatre headquarters of the Axis may take the South in 1940A, however far the enemy is.
pub(super) fn may_conquer_egypt(brief: &Brief<'_>, block: BlockId) -> bool {
    let (game, state) = (brief.game, brief.state);
    brief.camp == Camp::Axis
        && game.rules.scenario.situation.goal == Goal::FallOfFrance
        && game.brief(block).kind == Kind::TheatreHq
        && game.front(state.at(block)) == Front::Mediterranean
}

/// Whether a supreme headquarters of the Axis saves its strength in 1940A when France is beaten: a step orders the more units the
/// more there are (5.71), and nobody else orders on who lands in England. The theatre headquarters of the South saves it as well:
/// it has few, and marches on Egypt with them.
pub(super) fn saves_orders(brief: &Brief<'_>, block: BlockId) -> bool {
    let (game, state) = (brief.game, brief.state);
    let at_last = usize::from(state.month) + 1 >= game.rules.calendar.len();
    // In the first summer time counts for more.
    let late = f32::from(state.month) / game.rules.calendar.len() as f32;
    let of_the_south = may_conquer_egypt(brief, block);
    let in_haste = late < BY_WINTER || of_the_south;
    let enough = game.brief(block).full - u8::from(in_haste);
    tries_for_england(brief)
        && (game.brief(block).kind == Kind::SupremeHq || of_the_south)
        && state.steps[block] < enough
        && !is_ashore(brief)
        && !at_last
}

/// Whether the Axis tries for a port of England, which decides 1940A.
pub(super) fn tries_for_england(brief: &Brief<'_>) -> bool {
    crosses(brief) && brief.tables.goal == Goal::FallOfFrance
}

/// What steps and command are worth that a landing costs. While the Axis tries for England: what is left of them when the scenario ends
/// is of no use, but where it wants armies. To the Western Allies in the campaigns: their armies stand idle at full strength while
/// points are lost that could replace what falls on a beach.
fn stakes(brief: &Brief<'_>) -> f32 {
    let (game, state) = (brief.game, brief.state);
    if tries_for_england(brief) {
        let left = game.rules.calendar.len() as f32 - f32::from(state.month) - 1.0;
        return (left / SPARED).min(1.0);
    }
    if state.active != Faction::Allies || !lands_in_the_west(brief) {
        return 1.0;
    }
    let own = game.sets().of_faction[Faction::Allies.index()].and(&state.standing[Camp::Coalition.index()]);
    let missing: u32 = own.iter().map(|block| u32::from(game.brief(block).full - state.steps[block])).sum();
    (missing as f32 / OF_A_MONTH).clamp(LEAST_STAKE, 1.0)
}

/// Whether the Western Allies gather to come back to the continent over the sea: in the campaigns, once France has fallen and America
/// has armed.
pub(super) fn lands_in_the_west(brief: &Brief<'_>) -> bool {
    let (game, state) = (brief.game, brief.state);
    brief.camp == Camp::Coalition
        && matches!(brief.tables.goal, Goal::Campaign | Goal::VictoryCities { .. })
        && game.rules.scenario.naval
        && game.months_since_war(state) >= SECOND_FRONT_FROM
        && game.rules.nation("france").is_some_and(|france| game.status(state, france) == Status::Defeated)
}

/// Whether a place is a port from whose waters ships reach a port of the enemy.
pub(super) fn faces_enemy_ports(brief: &Brief<'_>, hex: Hex) -> bool {
    let seas = brief.game.seas();
    let theirs = seas.harbours.and(&brief.state.friendly[brief.camp.enemy().index()]);
    seas.harbours.contains(hex) && theirs.iter().any(|port| seas.coast(port).intersects(&seas.coast(hex)))
}

/// Worth of a port that decides the scenario.
pub(super) fn decisive(brief: &Brief<'_>) -> f32 {
    let late = f32::from(brief.state.month) / brief.game.rules.calendar.len() as f32;
    DECISIVE * (1.0 + GROWS_TO_THE_END * late * late)
}

/// What it is worth to win a port of England, which decides 1940A.
pub(super) fn worth_of_port(brief: &Brief<'_>, hex: Hex) -> f32 {
    if tries_for_england(brief) && brief.tables.over_sea.contains(hex) { decisive(brief) } else { 0.0 }
}

/// Chance that a die of the defenders repulses a unit from the sea or the air (15.53, 14.41); fortresses are not told from
/// other hexes.
fn repulse(brief: &Brief<'_>, block: BlockId, dropped: bool) -> f32 {
    let combat = &brief.game.rules.combat;
    let up_to = if dropped {
        combat.air_repulse[0]
    } else {
        let other = usize::from(brief.game.brief(block).kind != Kind::Amphibious);
        let balance = NavalBalance::of(brief.camp.enemy(), brief.state.sea.supremacy);
        combat.naval_repulse[other][balance.index()]
    };
    f32::from(up_to) / 6.0
}

/// What the enemy's ships take off the worth of a landing: they intercept who passes their waters (15.72), and the supply of
/// who is `joined` to nobody by land (15.73).
fn waters(brief: &Brief<'_>, from: Hex, to: Hex, steps: f32, joined: bool) -> f32 {
    let (game, state) = (brief.game, brief.state);
    let seas = game.seas();
    let theirs = game.enemy_seas(state, state.active);
    let [embarked, landed] = [from, to].map(|place| seas.coast(place).and(&theirs).len().min(1) as f32);
    // In the surprise of Norway the Axis rules the Northern Route (21.493), and will have its bases.
    if state.sea.weser {
        return ENEMY_WATERS[NavalBalance::Inferiority.index()] * landed;
    }
    let balance = NavalBalance::of(brief.camp.enemy(), state.sea.supremacy).index();
    let unsupplied = if joined { 0.0 } else { ENEMY_LINES[balance] * STEP * steps * landed };
    ENEMY_WATERS[balance] * (embarked + landed) + unsupplied
}

/// Chance that a unit which invades a place is neither turned back nor sunk on the way (15.72), and its steps that arrive then.
fn passage(brief: &Brief<'_>, from: Hex, to: Hex, steps: f32) -> (f32, f32) {
    let dice = interceptors(brief, from, to);
    if !dice.is_finite() {
        return (0.0, 0.0);
    }
    let [turned, hit] = interception(brief, 0);
    // Dice that do not turn it back are the likelier to hit.
    let hit = hit / (1.0 - turned).max(0.01);
    let (mut afloat, mut left) = (0.0, 0.0);
    each_binomial(dice.round() as u32, hit, |hits, chance| {
        let rest = steps - hits as f32;
        if rest > 0.0 {
            afloat += chance;
            left += chance * rest;
        }
    });
    ((1.0 - turned).powf(dice) * afloat, left / afloat.max(0.01))
}

/// Steps that the enemy's ships are expected to take from a unit which invades a place, whether they turn it back or not (15.72).
fn lost_at_sea(brief: &Brief<'_>, from: Hex, to: Hex, steps: f32) -> f32 {
    let [_, hit] = interception(brief, 0);
    (hit * interceptors(brief, from, to)).min(steps)
}

/// Calls with each number of so many dice that come up, each with a chance, and how likely that is.
fn each_binomial(dice: u32, chance: f32, mut call: impl FnMut(u32, f32)) {
    let other = 1.0 - chance;
    if other < 0.01 {
        return call(dice, 1.0);
    }
    let mut term = other.powi(dice as i32);
    for number in 0..=dice {
        call(number, term);
        term *= (dice - number) as f32 / (number + 1) as f32 * chance / other;
    }
}

/// What a voyage between ports costs on average: the steps that the enemy's ships take, and the whole of a unit that has no
/// more (15.72).
pub(super) fn price_of_voyage(brief: &Brief<'_>, block: BlockId, to: Hex) -> f32 {
    let (game, state) = (brief.game, brief.state);
    let dice = interceptors(brief, state.at(block), to);
    if dice <= 0.0 {
        return 0.0;
    }
    let [_, hit] = interception(brief, 1);
    let lost = hit * dice;
    let steps = f32::from(state.steps[block]);
    let step = if game.brief(block).kind.is_headquarters() { HEADQUARTERS } else { STEP };
    step * (lost.min(steps) + SUNK * overcome(lost, steps + 0.5))
}

/// Dice of the enemy's ships on the way between two places (15.72): the fewest in waters that both lie at, or in one of each.
fn interceptors(brief: &Brief<'_>, from: Hex, to: Hex) -> f32 {
    let (game, state) = (brief.game, brief.state);
    let seas = game.seas();
    let theirs = game.enemy_seas(state, state.active);
    let dice = |sea: SeaId| {
        if theirs.contains(sea) { f32::from(game.rules.map.seas[sea.at()].interception) } else { 0.0 }
    };
    let least = |seas: Seas| seas.iter().map(dice).fold(f32::INFINITY, f32::min);
    let both = seas.coast(from).and(&seas.coast(to));
    if both.is_empty() { least(seas.coast(from)) + least(seas.coast(to)) } else { least(both) }
}

/// Chances that a die of the enemy's ships turns back and hits who passes them: an invasion (row 0), a voyage (1).
fn interception(brief: &Brief<'_>, row: usize) -> [f32; 2] {
    let balance = NavalBalance::of(brief.camp.enemy(), brief.state.sea.supremacy);
    let line = &brief.game.rules.naval.interception[row][balance.index()];
    [f32::from(line.repulses_up_to) / 6.0, f32::from(7 - line.hits_from) / 6.0]
}

/// Adds to what threatens a camp's ports what may come to them over the sea: where the enemy has two blocks or more, one of
/// which may be a headquarters, in a port on the same sea area, or on one beside it if he has naval supremacy (15.52). The
/// ports that nothing else threatens.
pub(super) fn add_threat(game: &EuroFront, state: &State, camp: Camp, threat: &mut Places) -> Hexes {
    let mut alone = Hexes::EMPTY;
    if !game.rules.scenario.naval {
        return alone;
    }
    let (enemy, seas) = (camp.enemy(), game.seas());
    let mut harbours = seas.harbours.and(&state.occupied[enemy.index()]).and(&state.friendly[enemy.index()]);
    if game.keeps_peace(state) {
        harbours = harbours.difference(&state.owners.soviet());
    }
    let manned = harbours.filter(|hex| state.stack(hex, enemy).len() > 1);
    // Who is driven from the seas threatens nobody (15.83).
    let sailors = Faction::ALL.into_iter().filter(|faction| faction.camp() == enemy);
    let open = sailors.fold(Seas::EMPTY, |all, faction| all.or(&game.navigable(state, faction)));
    let mut reached = manned.iter().fold(Seas::EMPTY, |all, hex| all.or(&seas.coast(hex))).and(&open);
    if state.sea.supremacy == Some(enemy) {
        for sea in reached {
            for (next, _) in &game.rules.map.seas[sea.at()].links {
                if open.contains(*next) {
                    reached.insert(*next);
                }
            }
        }
    }
    for hex in seas.harbours.and(&state.friendly[camp.index()]) {
        if seas.coast(hex).intersects(&reached) {
            if threat[hex.at()] <= 0.0 {
                alone.insert(hex);
            }
            threat[hex.at()] += BY_SEA;
        }
    }
    alone
}

#[cfg(test)]
mod tests {
    use sandtable_eurofront::editor::Editor;
    use sandtable_eurofront::rules::Status;

    use super::*;
    use crate::testing::{game, seen, seen_by};

    #[test]
    fn what_holds_out_on_the_continent_keeps_no_army_from_england() {
        let game = game("1940A");
        let france = game.rules.nation("france").unwrap();
        let [calais, bremen] = ["calais", "bremen"].map(|id| game.rules.place(id).unwrap());
        let idle = |status: Status| {
            let mut editor = Editor::new(&game);
            editor.clear().place(game.rules.block("uk_mec_8").unwrap(), bremen, 1);
            editor.place(game.rules.block("de_inf_1").unwrap(), calais, 4).relate(france, status);
            let state = editor.finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                [calais, bremen].map(|hex| player.is_idle(hex))
            })
        };
        assert_eq!(idle(Status::Belligerent(Faction::Allies)), [false, false]);
        assert_eq!(idle(Status::Defeated), [true, false]);
    }

    #[test]
    fn who_is_driven_from_the_seas_threatens_no_port() {
        // The Allies have supremacy in both; aircraft besides in 1944 alone (15.83).
        let threat = |scenario: &str| {
            let game = game(scenario);
            let [le_havre, portsmouth] = ["le_havre", "portsmouth"].map(|id| game.rules.place(id).unwrap());
            let mut editor = Editor::new(&game);
            for id in ["de_inf_1", "de_inf_2"] {
                editor.place(game.rules.block(id).unwrap(), le_havre, 3);
            }
            let state = editor.finish();
            let mut threat = crate::map_tables::field(0.0);
            let alone = add_threat(&game, &state, Camp::Coalition, &mut threat);
            (threat[portsmouth.at()] > 0.0, alone.contains(portsmouth))
        };
        assert_eq!([threat("1943"), threat("1944")], [(true, true), (false, false)]);
    }

    /// One unit a fortnight, sent by headquarters of a single step, was repulsed or starved thirty times in a game.
    #[test]
    fn nobody_is_sent_to_england_to_starve() {
        let game = game("1940A");
        let place = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let (southampton, weymouth) = (place("southampton"), place("weymouth"));
        let army = block("de_inf_1");
        let france = game.rules.nation("france").unwrap();
        // Three headquarters in as many ports, with others who wait or none.
        let landing = |others: bool, orders: u8, at: Hex, guards: &[&str]| {
            let mut editor = Editor::new(&game);
            editor.clear().relate(france, Status::Defeated).place(army, place("le_havre"), 4);
            for guard in guards {
                editor.place(block(guard), southampton, 2);
            }
            for (staff, port, other) in [
                ("de_hq_north", "le_havre", "de_inf_2"),
                ("de_hq_south", "calais", "de_inf_4"),
                ("de_hq_centre", "cherbourg", "de_inf_5"),
            ] {
                editor.place(block(staff), place(port), 3);
                if others {
                    editor.place(block(other), place(port), 4);
                }
            }
            if orders > 0 {
                editor.place(block("de_shq_okh"), place("paris"), orders);
            }
            let mut state = editor.finish();
            state.sea.supremacy = None;
            state.phase = Phase::Activation;
            state.subject = block("de_hq_north");
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.landing_in_england(brief, army, at, southampton)
            })
        };
        let (strong, weak) = (["uk_mec_8", "uk_inf_3", "uk_inf_anz"], ["uk_mec_8"]);
        let [against_more, against_less] =
            [&strong[..], &weak].map(|guards| landing(true, 2, weymouth, guards));
        assert!(against_more < against_less && against_less > 0.0, "{against_more} {against_less}");
        // Where enemies stand one unit lands in a phase (15.521), whoever waits elsewhere.
        let [one, of_many] = [false, true].map(|others| landing(others, 2, southampton, &weak));
        assert!(one.to_bits() == of_many.to_bits(), "{one} {of_many}");
        // Nobody is there to order on who lands beside the port, and he starves.
        let unled = landing(true, 0, weymouth, &weak);
        assert!(unled < 0.0, "{unled}");
        let open = landing(false, 0, southampton, &[]);
        assert!(open > 0.3 * DECISIVE, "{open}");
        // Two steps of four are lost at sea or ashore; who is turned back, five times of nine, comes home.
        let hopeless = landing(false, 0, southampton, &strong);
        assert!(hopeless > -2.1 * STEP, "{hopeless}");
    }

    /// Four headquarters were activated in a turn to send one unit each to Portsmouth, and one may land; and the first of them was one
    /// without strength, while a full one stood idle beside it.
    #[test]
    fn one_headquarters_leads_against_a_defended_port_of_england_the_strongest() {
        let game = game("1940A");
        let place = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let (southampton, weymouth) = (place("southampton"), place("weymouth"));
        let france = game.rules.nation("france").unwrap();
        let is_left = |subject: &str, activated: bool, strength: u8, at: Hex| {
            let mut editor = Editor::new(&game);
            editor.clear().relate(france, Status::Defeated).place(block("uk_mec_8"), southampton, 1);
            editor.place(block("de_hq_north"), place("cherbourg"), 2);
            editor.place(block("de_inf_4"), place("cherbourg"), 4);
            editor.place(block("de_hq_south"), place("le_havre"), strength);
            editor.place(block("de_inf_1"), place("le_havre"), 4);
            let mut state = editor.finish();
            state.sea.supremacy = None;
            state.phase = Phase::Activation;
            state.subject = block(subject);
            if activated {
                state.mark(block("de_hq_north"), Mark::Active, true);
                state.sea.invaders = 1 << game.brief(block("de_hq_north")).headquarters;
            }
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.is_left_to_another(brief, at)
            })
        };
        // The first waits for a stronger one that follows, and the second where the first has gone.
        assert!(is_left("de_hq_north", false, 3, southampton));
        assert!(!is_left("de_hq_north", false, 2, southampton));
        assert!(is_left("de_hq_south", true, 3, southampton));
        assert!(!is_left("de_hq_south", false, 3, southampton));
        // Where nobody stands many land (15.521).
        assert!(!is_left("de_hq_south", true, 3, weymouth));
    }

    /// Landings in London from Calais and in Portsmouth from Brest were counted as supported for the distance, and none was: support goes
    /// over the sea (15.511). Headquarters waited at Rotterdam and Amsterdam, from where they support nobody.
    #[test]
    fn england_is_supported_from_cherbourg_and_le_havre() {
        let game = game("1940B");
        let place = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let reach = |from: &str, value: u32| {
            ["southampton", "london"].map(|port| supports_from(&game, place(from), value, place(port)))
        };
        assert_eq!([reach("cherbourg", 2), reach("le_havre", 2)], [[true, false]; 2]);
        assert_eq!([reach("calais", 2), reach("calais", 3)], [[false, false], [true, false]]);
        assert_eq!([reach("brest", 3), reach("rotterdam", 3), reach("le_havre", 1)], [[false, false]; 3]);
        // The rules say the same.
        for (from, value) in [("cherbourg", 2), ("calais", 2), ("calais", 3), ("brest", 3)] {
            let staff = block("de_hq_north");
            let state = Editor::new(&game).clear().place(staff, place(from), value).finish();
            let rules = game.support_area(&state, staff).contains(place("southampton"));
            assert_eq!(rules, reach(from, value.into())[0], "{from} {value}");
        }
        let post = |at: &str| {
            let mut editor = Editor::new(&game);
            editor.clear().place(block("uk_mec_8"), place("southampton"), 3);
            let state = editor.place(block("uk_inf_3"), place("london"), 3).finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.planner.command_post(brief, place(at), block("de_hq_north"))
            })
        };
        for far in ["calais", "amsterdam", "brest"] {
            assert!(post("le_havre") > post(far), "{far} {} {}", post("le_havre"), post(far));
        }
    }

    /// Three headquarters in one port left it together every month for the next, where they were three again, and led nobody.
    #[test]
    fn who_comes_third_leaves_a_port_of_embarkation() {
        let game = game("1940B");
        let le_havre = game.rules.place("le_havre").unwrap();
        let staffs = ["de_hq_north", "de_hq_south", "de_hq_centre"].map(|id| game.rules.block(id).unwrap());
        let mut editor = Editor::new(&game);
        editor.clear();
        for staff in staffs {
            editor.place(staff, le_havre, 3);
        }
        let state = editor.finish();
        let worth = seen(&game, &state, |brief, player| {
            player.planner.look(brief, false);
            staffs.map(|staff| player.planner.command_post(brief, le_havre, staff))
        });
        assert!(worth[0] > worth[2] + 10.0 && worth[1] > worth[2] + 10.0, "{worth:?}");
    }

    /// Without a landing in London, which two steps held, twelve steps stood in Portsmouth until the end.
    #[test]
    fn a_landing_in_a_weak_port_draws_the_garrison_of_a_strong_one() {
        let game = game("1940B");
        let place = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let london = place("london");
        let worth = |guards: &[&str]| {
            let mut editor = Editor::new(&game);
            editor.clear().place(block("uk_inf_3"), london, 2);
            for guard in guards {
                editor.place(block(guard), place("southampton"), 2);
            }
            editor.place(block("de_hq_north"), place("calais"), 2);
            editor.place(block("de_inf_1"), place("calais"), 4);
            let mut state = editor.finish();
            state.sea.supremacy = None;
            state.phase = Phase::Activation;
            state.subject = block("de_hq_north");
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.landing(brief, block("de_inf_1"), london, false, 0.0)
            })
        };
        let [strong, weak] = [worth(&["uk_mec_8", "uk_inf_5", "uk_inf_anz", "uk_arm_30"]), worth(&[])];
        assert!(strong > 0.0 && weak < 0.0, "{strong} {weak}");
    }

    /// A headquarters was activated to send another from Le Havre to Cherbourg over the sea.
    #[test]
    fn nobody_is_sent_over_the_sea_to_france() {
        let game = game("1940B");
        let place = |id: &str| game.rules.place(id).unwrap();
        let army = game.rules.block("de_inf_1").unwrap();
        let mut state = Editor::new(&game).clear().place(army, place("le_havre"), 4).finish();
        state.sea.supremacy = None;
        let worth = seen(&game, &state, |brief, player| {
            player.planner.look(brief, false);
            player.landing(brief, army, place("cherbourg"), false, 0.0)
        });
        assert!(worth.is_infinite(), "{worth}");
    }

    /// Cadres were raised for East Prussia month after month, and headquarters on the Channel stood without strength.
    #[test]
    fn headquarters_that_lead_to_england_are_built_up_first() {
        let game = game("1940B");
        let place = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let worth = |id: &str, at: &str| {
            let mut editor = Editor::new(&game);
            editor.clear().place(block("de_hq_north"), place("le_havre"), 1);
            let state = editor.place(block(id), place(at), 1).finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.worth_of_step(brief, block(id))
            })
        };
        assert!(worth("de_hq_south", "le_havre") > 2.0 * worth("de_hq_south", "amsterdam"));
        // And who waits there to be sent.
        assert!(worth("de_inf_1", "le_havre") > worth("de_inf_1", "paris") + 2.0);
    }

    /// In the last turns full headquarters stayed inactive beside armies that nobody needed any more.
    #[test]
    fn at_the_end_what_is_lost_on_the_way_to_england_counts_nothing() {
        let game = game("1940A");
        let place = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let france = game.rules.nation("france").unwrap();
        let landing = |month: u8| {
            let mut editor = Editor::new(&game);
            editor.clear().relate(france, Status::Defeated).date(month, 1);
            for guard in ["uk_mec_8", "uk_inf_3", "uk_inf_anz"] {
                editor.place(block(guard), place("southampton"), 2);
            }
            editor.place(block("de_inf_1"), place("le_havre"), 4);
            editor.place(block("de_hq_north"), place("le_havre"), 3);
            let mut state = editor.finish();
            state.sea.supremacy = None;
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.landing(brief, block("de_inf_1"), place("southampton"), false, 0.0)
            })
        };
        let last = game.rules.calendar.len() as u8 - 1;
        let [early, late] = [landing(2), landing(last)];
        assert!(early < -STEP && late >= 0.0, "{early} {late}");
    }

    #[test]
    fn who_has_sent_a_unit_sends_no_other_with_an_armada() {
        let game = game("1940A");
        let place = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let armada = |sent: bool| {
            let mut editor = Editor::new(&game);
            editor.clear();
            for (staff, port, army) in
                [("de_hq_north", "le_havre", "de_inf_1"), ("de_hq_south", "calais", "de_inf_4")]
            {
                editor.place(block(staff), place(port), 3).place(block(army), place(port), 4);
            }
            let mut state = editor.finish();
            state.sea.supremacy = None;
            state.phase = Phase::Activation;
            state.subject = block("de_hq_north");
            state.orders[usize::from(game.brief(block("de_hq_south")).headquarters)] = u8::from(sent);
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.armada(brief, block("de_inf_1"), place("weymouth")).parties
            })
        };
        assert_eq!([armada(false), armada(true)].map(f32::to_bits), [1.0f32, 0.0].map(f32::to_bits));
    }

    #[test]
    fn a_weak_unit_is_sunk_on_its_way_to_england() {
        let game = game("1940A");
        let [le_havre, southampton] = ["le_havre", "southampton"].map(|id| game.rules.place(id).unwrap());
        let mut state = Editor::new(&game).finish();
        state.sea.supremacy = None;
        let [weak, strong] = seen(&game, &state, |brief, _| {
            [1.0, 4.0].map(|steps| passage(brief, le_havre, southampton, steps))
        });
        // Of two dice each turns it back on 1 or 2 and hits on 5 or 6.
        assert!(
            (weak.0 - 1.0 / 9.0).abs() < 1e-4 && (strong.0 - 4.0 / 9.0).abs() < 1e-4,
            "{weak:?} {strong:?}"
        );
        assert!((weak.1 - 1.0).abs() < 1e-4 && (strong.1 - 3.0).abs() < 1e-4, "{weak:?} {strong:?}");
    }

    /// It starved three hexes from Liverpool, which lay open.
    #[test]
    fn an_open_port_of_england_is_marched_into() {
        let game = game("1940A");
        let [liverpool, manchester] = ["liverpool", "manchester"].map(|id| game.rules.place(id).unwrap());
        let [army, guard] = ["de_inf_1", "uk_inf_3"].map(|id| game.rules.block(id).unwrap());
        let france = game.rules.nation("france").unwrap();
        let mut editor = Editor::new(&game);
        editor.clear().relate(france, Status::Defeated).place(army, manchester, 2);
        editor.place(guard, game.rules.place("london").unwrap(), 3);
        editor.mark(army, Mark::Unsupplied, true);
        let state = editor.finish();
        let [there, here] = seen(&game, &state, |brief, player| {
            player.planner.look(brief, false);
            let might = might(brief.tables, &game, &state, army);
            [liverpool, manchester].map(|hex| player.planner.post(brief, hex, army, might))
        });
        assert!(there > here + DECISIVE, "{there} {here}");
    }

    /// Bristol lay open for months, and who landed at Weymouth beside it counted for little.
    #[test]
    fn a_zone_of_control_over_an_open_port_of_england_decides() {
        let game = game("1940A");
        let place = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let france = game.rules.nation("france").unwrap();
        let decides = |guards: &[(&str, &str)]| {
            let mut editor = Editor::new(&game);
            editor.clear().relate(france, Status::Defeated).place(block("de_inf_1"), place("cherbourg"), 4);
            for (unit, at) in guards {
                editor.place(block(unit), place(at), 2);
            }
            let state = editor.finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.planner.survey.decisive.contains(place("weymouth"))
            })
        };
        // Who is supplied there is worth more by it; who is not has no zone of control.
        let worth = |supplied: bool| {
            let mut editor = Editor::new(&game);
            editor.clear().relate(france, Status::Defeated).place(block("de_inf_1"), place("plymouth"), 4);
            editor.mark(block("de_inf_1"), Mark::Unsupplied, !supplied);
            let state = editor.finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                let might = might(brief.tables, &game, &state, block("de_inf_1"));
                player.planner.post(brief, place("weymouth"), block("de_inf_1"), might)
            })
        };
        assert!(worth(true) > worth(false) + 0.9 * DECISIVE, "{} {}", worth(true), worth(false));
        let far = [("uk_inf_3", "liverpool"), ("uk_inf_5", "glasgow")];
        let near = [("uk_mec_8", "southampton")];
        assert_eq!([decides(&[]), decides(&far), decides(&near)], [true, true, false]);
        // Nothing decides while France fights.
        let state = Editor::new(&game).clear().finish();
        assert!(seen(&game, &state, |brief, _| decisive_hexes(brief)).is_empty());
    }

    /// Dietl waited for an England in which he has no say.
    #[test]
    fn theatre_headquarters_of_the_north_save_nothing_for_england() {
        let game = game("1940B");
        let saves = |id: &str, at: &str| {
            let staff = game.rules.block(id).unwrap();
            let state = Editor::new(&game).place(staff, game.rules.place(at).unwrap(), 1).date(5, 1).finish();
            seen(&game, &state, |brief, _| saves_orders(brief, staff))
        };
        assert_eq!([saves("de_thq_dietl", "hamburg"), saves("it_thq_cs", "tripoli")], [false, true]);
    }

    /// With the last of its steps it moved a unit a fortnight, and nobody was left to order on who had landed.
    #[test]
    fn supreme_headquarters_save_their_orders_for_england() {
        let game = game("1940B");
        let [paris, weymouth] = ["paris", "weymouth"].map(|id| game.rules.place(id).unwrap());
        let [staff, army] = ["de_shq_okh", "de_inf_1"].map(|id| game.rules.block(id).unwrap());
        let saves = |steps: u8, ashore: bool, month: u8| {
            let mut editor = Editor::new(&game);
            editor.clear().place(staff, paris, steps).date(month, 1);
            if ashore {
                editor.place(army, weymouth, 3);
            }
            let state = editor.finish();
            seen(&game, &state, |brief, _| saves_orders(brief, staff))
        };
        assert_eq!([saves(1, false, 2), saves(2, false, 2)], [true, false]);
        assert_eq!([saves(2, false, 5), saves(3, false, 5)], [true, false]);
        assert_eq!([saves(1, true, 2), saves(1, false, 9)], [false, false]);
    }

    #[test]
    fn units_gather_in_a_port_for_a_headquarters_that_can_lead_them() {
        let game = game("1941");
        let bordeaux = game.rules.place("bordeaux").unwrap();
        let staff = game.rules.block("de_hq_g").unwrap();
        let waits = |steps: u8| {
            let state = Editor::new(&game).clear().place(staff, bordeaux, steps).finish();
            seen(&game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.ports_to_embark(brief).contains(bordeaux)
            })
        };
        assert_eq!([waits(1), waits(0)], [true, false]);
    }

    #[test]
    fn ships_of_the_enemy_are_the_price_of_a_voyage() {
        let game = game("1940A");
        let [amsterdam, newcastle, danzig, stettin] =
            ["amsterdam", "newcastle", "danzig", "stettin"].map(|id| game.rules.place(id).unwrap());
        let [staff, army] = ["de_shq_okh", "de_inf_1"].map(|id| game.rules.block(id).unwrap());
        let mut editor = Editor::new(&game);
        editor.clear().place(staff, amsterdam, 1).place(army, amsterdam, 4);
        let state = editor.finish();
        let [of_staff, of_army] = seen(&game, &state, |brief, _| {
            [staff, army].map(|block| price_of_voyage(brief, block, newcastle))
        });
        assert!(of_army > 0.0 && of_staff > 2.0 * of_army, "{of_staff} {of_army}");
        let state = editor.place(army, danzig, 4).finish();
        // Its own waters are free.
        assert_eq!(seen(&game, &state, |brief, _| price_of_voyage(brief, army, stettin)).to_bits(), 0);
    }

    #[test]
    fn the_last_guard_of_an_english_port_goes_on_no_expedition() {
        let game = game("1940C");
        let place = |id: &str| game.rules.place(id).unwrap();
        let block = |id: &str| game.rules.block(id).unwrap();
        let (london, bremen, guard) = (place("london"), place("bremen"), block("uk_arm_30"));
        let landing = |second: bool| {
            let mut editor = Editor::new(&game);
            editor.clear().place(block("uk_shq_af"), london, 3).place(guard, london, 2);
            if second {
                editor.place(block("uk_inf_3"), london, 3);
            }
            let mut state = editor.finish();
            (state.active, state.decider) = (Faction::Allies, Faction::Allies);
            seen_by(Camp::Coalition, &game, &state, |brief, player| {
                player.planner.look(brief, false);
                player.landing(brief, guard, bremen, false, 0.0)
            })
        };
        assert!(landing(false).is_infinite());
        assert!(landing(true) > 0.0, "{}", landing(true));
    }

    /// They stood at Bristol, Glasgow and Gibraltar through all of 1944, while fifty points a month were lost.
    #[test]
    fn headquarters_of_the_west_wait_where_ships_reach_the_enemys_ports() {
        let game = game("1944");
        let place = |id: &str| game.rules.place(id).unwrap();
        let [dover, glasgow] = ["dover", "glasgow"].map(place);
        let staff = game.rules.block("us_hq_6ag").unwrap();
        let france = game.rules.nation("france").unwrap();
        let ahead = |of_france: Status| {
            let mut editor = Editor::new(&game);
            editor.clear().place(staff, glasgow, 3).place(game.rules.block("uk_inf_3").unwrap(), glasgow, 4);
            let state = editor.relate(france, of_france).finish();
            seen_by(Camp::Coalition, &game, &state, |brief, player| {
                player.planner.look(brief, false);
                let worth = |hex| player.planner.command_post(brief, hex, staff);
                (
                    worth(dover) - worth(glasgow),
                    faces_enemy_ports(brief, dover),
                    faces_enemy_ports(brief, glasgow),
                )
            })
        };
        let (now, at_dover, at_glasgow) = ahead(Status::Defeated);
        let (before, ..) = ahead(Status::Belligerent(Faction::Allies));
        assert!(at_dover && !at_glasgow);
        assert!(now > before + 9.0, "{now} {before}");
    }

    #[test]
    fn who_stands_idle_at_full_strength_lands_at_little_cost() {
        let game = game("1944");
        let block = |id: &str| game.rules.block(id).unwrap();
        let [london, rouen] = ["london", "rouen"].map(|id| game.rules.place(id).unwrap());
        let at_stake = |steps: u8| {
            let mut editor = Editor::new(&game);
            editor.clear().place(block("de_inf_67"), rouen, 3);
            for unit in [
                "uk_arm_30",
                "uk_mec_8",
                "uk_mec_12",
                "us_amph_5",
                "us_amph_7",
                "us_mec_19",
                "uk_inf_10",
                "uk_inf_5",
            ] {
                editor.place(block(unit), london, steps);
            }
            let mut state = editor.finish();
            (state.active, state.decider) = (Faction::Allies, Faction::Allies);
            seen_by(Camp::Coalition, &game, &state, |brief, _| stakes(brief))
        };
        assert!((at_stake(4) - LEAST_STAKE).abs() < 1e-6);
        assert!((at_stake(1) - 1.0).abs() < 1e-6, "{}", at_stake(1));
        assert!(at_stake(2) > LEAST_STAKE && at_stake(2) < 1.0);
    }
}
