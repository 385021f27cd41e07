//! One combat from its choice to its result (10.3 to 10.6), and what step follows which.

use sandtable_core::{ActionSink, Flow, Hex};

use crate::Rolls;
use crate::action::Action;
use crate::battle::{Battle, Occasion, Role};
use crate::combat::Modifiers;
use crate::event::{Cause, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{Hexes, UnitId, Units};
use crate::phase::Phase;
use crate::rules::Crt;
use crate::state::{Mark, Stage, State};

impl RoadsToMoscow {
    // ---- what comes in ----

    /// The Combat Phase begins: refusals, reactions and No-Retreat declarations are over.
    pub(crate) fn begin_combat_phase(&self, state: &mut State) {
        state.battle = Battle::NONE;
        self.choose_combat(state);
    }

    /// The attacker picks the next combat (10.0). Artillery of the enemy that stands in a zone of control now will support no
    /// other hex in this Combat Phase (12.25).
    fn choose_combat(&self, state: &mut State) {
        let artillery = self.sets().artillery.and(self.units_of(state.active.enemy())).and(&state.on_map);
        let pinned = artillery.filter(|unit| self.in_zoc(state, state.at(unit), state.active));
        state.battle = Battle { pinned: state.battle.pinned.or(&pinned), ..Battle::NONE };
        state.phase = Phase::Combat;
        state.decider = state.active;
    }

    /// The stack on the move overruns a hex (8.56).
    pub(crate) fn begin_overrun(&self, state: &mut State, target: Hex, context: &mut impl Rolls) {
        let stack = state.moving.and(&self.sets().combat);
        self.open_combat(state, Occasion::Overrun, stack, target, Crt::Mobile, context);
    }

    fn open_combat(
        &self,
        state: &mut State,
        occasion: Occasion,
        attackers: Units,
        target: Hex,
        crt: Crt,
        context: &mut impl Rolls,
    ) {
        let there = self.combat_units(state, target, state.active.enemy());
        let late = if occasion == Occasion::Declared {
            there.and(state.marked(Mark::Retreated))
        } else {
            Units::EMPTY
        };
        let defenders = there.difference(&late);
        state.battle = Battle {
            occasion,
            target,
            crt,
            attackers,
            defenders,
            late,
            pinned: state.battle.pinned,
            ..Battle::NONE
        };
        // 14.33, R75: who defends does not dig on.
        for unit in there {
            state.unmark(unit, Mark::Digging);
        }
        let overrun = occasion == Occasion::Overrun;
        context.emit(|| Event::CombatBegins { target, attackers, defenders, crt, overrun });
        if attackers.is_empty() || defenders.is_empty() {
            return self.call_off(state, context);
        }
        self.turn_to(state, Phase::AttackLead, Role::Attacker);
    }

    /// A step begins, about a side that decides in it.
    pub(super) fn turn_to(&self, state: &mut State, phase: Phase, role: Role) {
        state.phase = phase;
        state.decider = self.combatant(state, role);
        state.battle.role = role;
        state.battle.helping = Units::EMPTY;
    }

    // ---- the steps ----

    /// Legal actions of the combat step at hand.
    pub(crate) fn combat_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let battle = &state.battle;
        match state.phase {
            Phase::Combat => {
                let declared = state.attacks().iter().filter(|attack| attack.stage == Stage::Declared);
                let targets: Hexes = declared.map(|attack| attack.target).collect();
                out.all([targets], |_, hex| Action::Target(hex))
            }
            Phase::AttackLead => out.all([self.attack_leads(state)], |_, unit| Action::Lead(unit)),
            Phase::DefenceLead => {
                out.all([self.possible_leads(&battle.defenders)], |_, unit| Action::Lead(unit))
            }
            Phase::Air => {
                out.rest(Some(Action::Pass), [self.air_available(state)], |_, air| Some(Action::Air(air)))
            }
            Phase::AirLead => out.all([self.air_leads(state)], |_, air| Action::Air(air)),
            Phase::AirPoints | Phase::ArtilleryPoints | Phase::GroundPoints => {
                out.rest(Some(Action::Pass), [self.points_available(state)], |_, unit| {
                    Some(Action::Points(unit, UnitId::NONE))
                })
            }
            Phase::Artillery => out.rest(Some(Action::Pass), [self.artillery_available(state)], |_, unit| {
                Some(Action::Unit(unit))
            }),
            Phase::SureArtillery => {
                out.all([self.sure_candidates(state, Role::Attacker)], |_, unit| Action::Unit(unit))
            }
            Phase::ArtilleryLead => {
                out.all([battle.support[battle.role.index()]], |_, unit| Action::Lead(unit))
            }
            Phase::Losses => out.all([self.step_losers(state)], |_, unit| Action::Unit(unit)),
            Phase::NoRetreatLoss => out.all([self.firm_losers(state)], |_, unit| Action::Unit(unit)),
            Phase::FailedOverrun if battle.due[0] > 0 => {
                out.all([battle.attackers], |_, unit| Action::Unit(unit))
            }
            Phase::MotorisedAdvantage => out.all([battle.group], |_, unit| Action::Unit(unit)),
            Phase::GroupLead => out.all([battle.group], |_, unit| Action::Lead(unit)),
            Phase::Excess => out.all([self.excess(state)], |_, unit| Action::Unit(unit)),
            Phase::Retreat => self.retreat_actions(state, out),
            Phase::SpecialRetreat => self.special_actions(state, out),
            Phase::Advance => self.advance_actions(state, out),
            _ => Flow::Continue(()),
        }
    }

    /// Plays an action of the combat step at hand.
    pub(crate) fn combat_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let role = state.battle.role.index();
        match (state.phase, action) {
            (Phase::Combat, Action::Target(hex)) => {
                let Some(at) = state.attack_on(hex) else { return };
                // 10.17: the markers come off.
                state.attacks[at].stage = Stage::Done;
                let attack = state.attacks[at];
                self.open_combat(state, Occasion::Declared, attack.attackers, hex, attack.crt, context);
            }
            (Phase::AttackLead, Action::Lead(unit)) => {
                state.battle.lead[0] = unit;
                self.turn_to(state, Phase::DefenceLead, Role::Defender);
            }
            (Phase::DefenceLead, Action::Lead(unit)) => {
                state.battle.lead[1] = unit;
                self.begin_air(state, 0, context);
            }
            (Phase::Air, Action::Air(air)) => state.battle.air[role].insert(air),
            (Phase::AirLead, Action::Air(air)) => {
                state.battle.air_lead[role] = air;
                self.turn_to(state, Phase::AirPoints, state.battle.role);
            }
            (Phase::AirPoints | Phase::ArtilleryPoints | Phase::GroundPoints, Action::Points(unit, _)) => {
                self.help(state, unit, context);
            }
            (Phase::Artillery, Action::Unit(unit)) => {
                state.battle.support[role].insert(unit);
                let target = state.battle.target;
                context.emit(|| Event::Supports { unit, target });
            }
            (Phase::SureArtillery, Action::Unit(unit)) => {
                state.battle.sure[0] = unit;
                self.begin_artillery_check(state, Role::Defender, context);
            }
            (Phase::ArtilleryLead, Action::Lead(unit)) => {
                state.battle.artillery_lead[role] = unit;
                self.turn_to(state, Phase::ArtilleryPoints, state.battle.role);
            }
            (Phase::Losses, Action::Unit(unit)) => self.lose_numerical(state, unit, context),
            (Phase::NoRetreatLoss, Action::Unit(unit)) => {
                state.battle.stays_due -= 1;
                self.bear(state, unit, Cause::NoRetreat, context);
            }
            (Phase::FailedOverrun, Action::Unit(unit)) => {
                state.battle.due[0] -= 1;
                self.bear(state, unit, Cause::Overrun, context);
            }
            (Phase::MotorisedAdvantage, Action::Unit(unit)) => {
                self.bear(state, unit, Cause::Retreat, context);
                state.phase = Phase::GroupLead;
            }
            (Phase::GroupLead, Action::Lead(unit)) => self.check_group(state, unit, context),
            (Phase::Excess, Action::Unit(unit)) => self.perish(state, unit, Cause::Stacking, context),
            (Phase::Retreat, Action::Go(hex)) => self.walk_back(state, Some(hex), context),
            (Phase::Retreat, _) => self.walk_back(state, None, context),
            (Phase::SpecialRetreat, Action::Go(hex)) => self.fly_back(state, hex, context),
            (Phase::Advance, Action::Go(hex)) => self.walk_on(state, Some(hex), context),
            (Phase::Advance, _) => self.walk_on(state, None, context),
            _ => self.combat_end(state, context),
        }
    }

    /// Nothing is left to decide in the combat step at hand: goes on to the next.
    pub(crate) fn combat_end(&self, state: &mut State, context: &mut impl Rolls) {
        let role = state.battle.role;
        let air_turn = || Self::air_roles(state).iter().position(|&first| first == role).unwrap_or(1);
        match state.phase {
            Phase::Combat => {
                state.battle = Battle::NONE;
                self.end_operations_sequence(state, context);
            }
            Phase::AttackLead | Phase::DefenceLead => self.call_off(state, context),
            Phase::Air => {
                let next = air_turn() + 1;
                self.begin_air(state, next, context);
            }
            Phase::AirLead => self.turn_to(state, Phase::Artillery, Role::Defender),
            Phase::AirPoints => {
                let next = air_turn() + 1;
                self.coordinate_air(state, context);
                self.begin_air_check(state, next);
            }
            Phase::Artillery => self.artillery_named(state, context),
            Phase::SureArtillery => self.begin_artillery_check(state, Role::Defender, context),
            Phase::ArtilleryLead => self.artillery_checked(state, context),
            Phase::ArtilleryPoints => {
                self.coordinate_artillery(state, context);
                self.artillery_checked(state, context);
            }
            Phase::GroundPoints => {
                self.coordinate_ground(state, context);
                self.resolve(state, context);
            }
            Phase::Losses if role == Role::Defender => self.turn_to(state, Phase::Losses, Role::Attacker),
            Phase::Losses => self.turn_to(state, Phase::NoRetreatLoss, Role::Defender),
            Phase::NoRetreatLoss => self.losses_taken(state, context),
            Phase::MotorisedAdvantage => state.phase = Phase::GroupLead,
            Phase::GroupLead | Phase::Excess => self.next_to_retreat(state, context),
            // The first hex was as far as the unit goes.
            Phase::Retreat if !state.battle.walker.is_none() => self.walk_back(state, None, context),
            Phase::Retreat => self.next_to_retreat(state, context),
            Phase::SpecialRetreat => self.next_rocket(state, context),
            Phase::FailedOverrun => self.overrun_fought(state, false, context),
            _ => self.next_to_advance(state),
        }
    }

    // ---- leads (10.17, 10.44, 15.12) ----

    /// Units that may be the attacking lead: active ones (3.43c), no headquarters.
    fn attack_leads(&self, state: &State) -> Units {
        state.battle.attackers.and(state.marked(Mark::Active)).difference(&self.sets().headquarters)
    }

    // ---- air, artillery, ground ----

    /// The side of this number in the order of 13.22 commits its air units; after both come their checks.
    fn begin_air(&self, state: &mut State, turn: usize, context: &mut impl Rolls) {
        let roles = Self::air_roles(state);
        if let Some(&role) = roles.get(turn) {
            return self.turn_to(state, Phase::Air, role);
        }
        for role in roles {
            for unit in state.battle.air[role.index()] {
                context.emit(|| Event::AirCommitted { unit });
            }
        }
        self.begin_air_check(state, 0);
    }

    fn begin_air_check(&self, state: &mut State, turn: usize) {
        let roles = Self::air_roles(state);
        let next = roles.iter().skip(turn).find(|role| !state.battle.air[role.index()].is_empty());
        match next {
            Some(&role) => self.turn_to(state, Phase::AirLead, role),
            None => self.turn_to(state, Phase::Artillery, Role::Defender),
        }
    }

    fn artillery_named(&self, state: &mut State, context: &mut impl Rolls) {
        if state.battle.role == Role::Attacker {
            return self.turn_to(state, Phase::SureArtillery, Role::Attacker);
        }
        state.battle.sure[1] = self.sure_candidates(state, Role::Defender).first().unwrap_or(UnitId::NONE);
        if state.battle.occasion == Occasion::Declared {
            return self.turn_to(state, Phase::Artillery, Role::Attacker);
        }
        Self::artillery_has_fired(state);
        self.resolve(state, context);
    }

    fn begin_artillery_check(&self, state: &mut State, role: Role, context: &mut impl Rolls) {
        if Self::must_coordinate_artillery(state, role) {
            return self.turn_to(state, Phase::ArtilleryLead, role);
        }
        state.battle.role = role;
        self.artillery_checked(state, context);
    }

    fn artillery_checked(&self, state: &mut State, context: &mut impl Rolls) {
        if state.battle.role == Role::Defender {
            return self.begin_artillery_check(state, Role::Attacker, context);
        }
        Self::artillery_has_fired(state);
        if self.must_coordinate_ground(state) {
            self.turn_to(state, Phase::GroundPoints, Role::Attacker);
        } else {
            self.resolve(state, context);
        }
    }

    /// All artillery that took part has fired, whatever came of it (12.19).
    fn artillery_has_fired(state: &mut State) {
        let [attack, defence] = state.battle.support;
        for unit in attack.or(&defence) {
            state.mark(unit, Mark::Fired);
        }
    }

    // ---- the result ----

    /// Strengths, odds, modifiers, the roll and what comes of it (10.5, 10.6).
    fn resolve(&self, state: &mut State, context: &mut impl Rolls) {
        let strengths = self.final_strengths(state);
        if strengths[0] == 0 {
            return self.call_off(state, context); // 3.54c
        }
        let table = &self.rules.results[state.battle.crt as usize];
        let column = table.column(strengths[0], strengths[1]);
        let modifiers = self.modifiers(state);
        let limit = self.rules.numbers.drm_limit;
        let modifier = modifiers.sum().clamp(-limit, limit);
        self.roll_on_table(state, strengths, column, modifiers, modifier, context);
    }

    /// The roll in a column of the table, and what comes of it (10.63, 11).
    pub(crate) fn roll_on_table(
        &self,
        state: &mut State,
        strengths: [u16; 2],
        column: Option<u8>,
        modifiers: Modifiers,
        modifier: i8,
        context: &mut impl Rolls,
    ) {
        let Battle { crt, target, .. } = state.battle;
        let table = &self.rules.results[crt as usize];
        let roll = if column.is_some() { context.die(10) as u8 } else { 0 };
        let result = table.result(column, roll as i8 + modifier);
        state.battle.result = result;
        context.emit(|| Event::Combat { target, strengths, column, modifiers, modifier, roll, result });
        self.assess_losses(state);
        if result.red {
            self.survive_red_result(state, context);
        }
        for (role, loss) in [(Role::Defender, result.defender), (Role::Attacker, result.attacker)] {
            if loss.eliminated {
                self.wipe_out(state, role, context);
            }
        }
        self.turn_to(state, Phase::Losses, Role::Defender);
    }

    /// All steps are lost: the No-Retreat marker has served (11.42c), units are disorganised, the defender retreats.
    fn losses_taken(&self, state: &mut State, context: &mut impl Rolls) {
        let Battle { result, stays, target, late, .. } = state.battle;
        if stays {
            state.no_retreat.remove(target);
        }
        if result.defender.disorganised {
            let units = self.force(state, Role::Defender).or(&late).and(&state.on_map);
            self.disorganise(state, &units, context);
        }
        if result.attacker.disorganised {
            let units = self.force(state, Role::Attacker);
            self.disorganise(state, &units, context);
        }
        self.begin_retreat(state, Role::Defender, context);
    }

    /// A side has retreated: the attackers after the defenders, then rockets (k3).
    pub(super) fn retreat_ends(&self, state: &mut State, context: &mut impl Rolls) {
        if state.battle.role == Role::Defender && state.battle.occasion != Occasion::Refusal {
            self.begin_retreat(state, Role::Attacker, context);
        } else {
            self.next_rocket(state, context);
        }
    }

    /// Losses and retreats are over: artillery of the Defender hex has fired (12.24), aircraft fly home (13.28), the attackers
    /// advance.
    pub(super) fn combat_resolved(&self, state: &mut State, context: &mut impl Rolls) {
        let battle = state.battle;
        if !state.occupied[state.active.enemy().index()].contains(battle.target) {
            state.no_retreat.remove(battle.target);
        }
        Self::fly_home(state, battle.air[0].or(&battle.air[1]));
        if battle.occasion == Occasion::Overrun {
            let cleared = !state.occupied[state.active.enemy().index()].contains(battle.target);
            if cleared {
                return self.overrun_fought(state, true, context);
            }
            self.turn_to(state, Phase::FailedOverrun, Role::Attacker);
            state.battle.due[0] = 1; // 8.57
            return;
        }
        if battle.occasion == Occasion::Declared {
            for unit in battle.defenders.or(&battle.late).and(&self.sets().artillery) {
                state.mark(unit, Mark::Fired);
            }
        }
        self.begin_advance(state);
    }

    /// The advance is over: the next combat, or the next refusal.
    pub(super) fn advance_ends(&self, state: &mut State) {
        if state.battle.occasion == Occasion::Refusal {
            state.battle = Battle::NONE;
            return self.refusal_over(state);
        }
        if state.battle.far {
            state.initiative[state.active.index()] += self.rules.numbers.advance_initiative; // 7.12c
        }
        self.choose_combat(state);
    }

    /// The combat falls away: its attackers have no strength left, or there is nobody to fight (3.54c).
    fn call_off(&self, state: &mut State, context: &mut impl Rolls) {
        let [attack, defence] = state.battle.air;
        Self::fly_home(state, attack.or(&defence));
        if state.battle.occasion == Occasion::Overrun {
            return self.overrun_fought(state, false, context);
        }
        self.choose_combat(state);
    }
}
