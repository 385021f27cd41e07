//! One combat from its choice to its result (10.3 to 10.6), and what stage follows which.

use sandtable_core::{ActionSink, Context, Dice, Flow};

use super::tables::{CombatResult, Crt};
use super::{AttackStatus, Battle, Combat, Fire, Kind, NOBODY, Role, Stage};
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::state::State;
use crate::{Hex, Side, Unit, Units};

/// A combat as it was resolved, for reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CombatReport {
    /// Its kind.
    pub kind: Kind,
    /// The acting side.
    pub attacker: Side,
    /// The Defender hex.
    pub target: Hex,
    /// The table.
    pub crt: Crt,
    /// Final strengths, attacker and defender.
    pub strength: [u16; 2],
    /// Odds column; `None`: below 1-4.
    pub column: Option<u8>,
    /// Net die modifier.
    pub modifier: i8,
    /// What the die showed; 0: it was not rolled.
    pub roll: u8,
    /// The result.
    pub result: CombatResult,
    /// Steps lost, attacker and defender, with those of units that could not retreat.
    pub lost: [u8; 2],
    /// Units eliminated, attacker and defender.
    pub gone: [u8; 2],
    /// Units that attacked.
    pub attackers: u8,
    /// Artillery units that supported, attacker and defender.
    pub artillery: [u8; 2],
    /// Air units whose modifier counted, attacker and defender.
    pub air: [u8; 2],
    /// The ground check failed.
    pub uncoordinated: bool,
    /// The Defender hex was cleared.
    pub cleared: bool,
    /// Attackers advanced.
    pub advanced: bool,
}

impl RoadsToMoscow {
    // ---- what begins a combat ----

    /// The Combat Phase begins: the attacks are declared, the reactions over (10).
    pub fn begin_combat(&self, state: &mut State) {
        state.combat.late = Units::EMPTY;
        state.combat.pinned = Units::EMPTY;
        self.choose_attack(state);
    }

    fn choose_attack(&self, state: &mut State) {
        let attacker = state.acting();
        state.combat.battle = Battle { attacker, asked: attacker, ..Battle::default() };
        // 12.25
        let pinned = self
            .artillery_of(self.enemy_of(attacker))
            .filter(|unit| self.is_on_map(state, unit) && self.in_zoc(state, state.hex(unit), attacker));
        state.combat.pinned = state.combat.pinned.or(&pinned);
    }

    fn open_attack<T: Context<Event>>(&self, state: &mut State, index: u8, context: &mut T) {
        let attack = &mut state.combat.attacks[index as usize];
        attack.status = AttackStatus::Resolved; // 10.17: the marker comes off
        let attack = *attack;
        let battle = &mut state.combat.battle;
        battle.attack = index;
        battle.crt = attack.crt;
        self.open(state, Kind::Attack, attack.attackers, attack.target, context);
    }

    fn open<T: Context<Event>>(
        &self,
        state: &mut State,
        kind: Kind,
        attackers: Units,
        target: Hex,
        context: &mut T,
    ) {
        let attacker = state.acting();
        let there = self.combat_units_at(state, target, self.enemy_of(attacker));
        let late = there.and(&state.combat.late);
        let attackers = attackers.filter(|unit| self.is_on_map(state, unit));
        let battle = &mut state.combat.battle;
        *battle = Battle {
            kind,
            attacker,
            target,
            attackers,
            defenders: there.difference(&late),
            late,
            crt: battle.crt,
            attack: battle.attack,
            stage: Stage::AttackLead,
            asked: attacker,
            ..Battle::default()
        };
        if kind != Kind::Refusal {
            self.stop_building(state, target, attackers, context); // 14.33
        }
    }

    /// An overrun begins: the stack stands next to the hex and has paid for it (8.56).
    pub fn begin_overrun<T: Context<Event>>(&self, state: &mut State, stack: Units, target: Hex, context: &mut T) {
        state.combat.battle = Battle { crt: Crt::Mobile, ..Battle::default() };
        self.open(state, Kind::Overrun, stack, target, context);
    }

    /// A refusal has passed its check: the hex retreats, then the attackers of this Declared Attack may advance (9.23).
    pub fn begin_refusal<T: Context<Event>>(&self, state: &mut State, index: usize, context: &mut T) {
        let attack = &mut state.combat.attacks[index];
        attack.status = AttackStatus::Refused;
        let attack = *attack;
        state.combat.battle = Battle { crt: attack.crt, attack: index as u8, ..Battle::default() };
        self.open(state, Kind::Refusal, attack.attackers, attack.target, context);
        self.begin_retreat(state, Role::Defender, context);
    }

    // ---- the stages ----

    /// What may be decided in the stage at hand.
    pub fn combat_generate<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let battle = &state.combat.battle;
        let optional = |units: Units| (units, Some(Action::Pass));
        match battle.stage {
            Stage::Choosing => {
                for (index, attack) in state.combat.declared().iter().enumerate() {
                    if attack.status == AttackStatus::Declared {
                        out.offer(Action::Resolve(index as u8))?;
                    }
                }
                Flow::Continue(())
            }
            Stage::AttackLead => out.all([self.attack_leads(state)], |_, unit| Action::Lead(unit)),
            Stage::DefenceLead => out.all([self.defence_leads(state)], |_, unit| Action::Lead(unit)),
            Stage::Air => {
                out.rest(Some(Action::Pass), [self.air_available(state)], |_, air| Some(Action::Air(air)))
            }
            Stage::AirLead => out.all([self.air_leads(state)], |_, air| Action::Air(air)),
            Stage::AirPoints | Stage::ArtilleryPoints | Stage::GroundPoints => {
                let (staff, pass) = optional(self.staff_available(state));
                out.rest(pass, [staff], |_, unit| Some(Action::Spend(unit)))
            }
            Stage::Artillery => {
                let (artillery, pass) = optional(self.artillery_available(state));
                out.rest(pass, [artillery], |_, unit| Some(Action::Support(unit)))
            }
            Stage::SureArtillery => {
                out.all([self.sure_candidates(state, Role::Attacker)], |_, unit| Action::Support(unit))
            }
            Stage::ArtilleryLead => out.all([battle.support[battle.role as usize]], |_, unit| Action::Lead(unit)),
            Stage::Losses => out.all([self.step_losers(state)], |_, unit| Action::Lose(unit)),
            Stage::StandFirm => out.all([self.firm_losers(state)], |_, unit| Action::Lose(unit)),
            Stage::Repulse => out.all([self.repulsed(state)], |_, unit| Action::Lose(unit)),
            Stage::Pursuit => out.all([battle.group], |_, unit| Action::Lose(unit)),
            Stage::GroupLead => out.all([self.group_leads(state)], |_, unit| Action::Lead(unit)),
            Stage::Excess => out.all([self.excess(state)], |_, unit| Action::Lose(unit)),
            Stage::Retreat => self.retreat_actions(state, out),
            Stage::Special => self.special_actions(state, out),
            Stage::Advance => self.advance_actions(state, out),
        }
    }

    /// Plays a decision of the stage at hand.
    pub fn combat_play<T: Context<Event>>(&self, state: &mut State, action: Action, context: &mut T) {
        let role = state.combat.battle.role as usize;
        match (state.combat.battle.stage, action) {
            (Stage::Choosing, Action::Resolve(index)) => self.open_attack(state, index, context),
            (Stage::AttackLead, Action::Lead(unit)) => {
                let defender = self.enemy_of(state.combat.battle.attacker);
                let battle = &mut state.combat.battle;
                battle.lead[0] = unit;
                (battle.stage, battle.asked, battle.role) = (Stage::DefenceLead, defender, Role::Defender);
            }
            (Stage::DefenceLead, Action::Lead(unit)) => {
                state.combat.battle.lead[1] = unit;
                self.begin_air(state, 0);
            }
            (Stage::Air, Action::Air(air)) => state.combat.battle.air[role].insert(air),
            (Stage::AirLead, Action::Air(air)) => {
                state.combat.battle.air_lead[role] = air;
                self.begin_points(state, Stage::AirPoints);
            }
            (Stage::AirPoints | Stage::ArtilleryPoints | Stage::GroundPoints, Action::Spend(unit)) => {
                self.spend(state, unit, context);
            }
            (Stage::Artillery, Action::Support(unit)) => state.combat.battle.support[role].insert(unit),
            (Stage::SureArtillery, Action::Support(unit)) => {
                state.combat.battle.sure[0] = unit;
                self.begin_artillery_check(state, Role::Defender, context);
            }
            (Stage::ArtilleryLead, Action::Lead(unit)) => {
                state.combat.battle.artillery_lead[role] = unit;
                self.begin_points(state, Stage::ArtilleryPoints);
            }
            (Stage::Losses, Action::Lose(unit)) => {
                let battle = &mut state.combat.battle;
                battle.owed[role] -= 1;
                battle.begun[role] = true;
                self.bear_step(state, unit, context);
            }
            (Stage::StandFirm, Action::Lose(unit)) => {
                state.combat.battle.firm_steps -= 1;
                self.bear_step(state, unit, context);
            }
            (Stage::Repulse, Action::Lose(unit)) => {
                state.combat.battle.owed[0] -= 1;
                self.bear_step(state, unit, context);
            }
            (Stage::Pursuit, Action::Lose(unit)) => {
                self.bear_step(state, unit, context);
                state.combat.battle.stage = Stage::GroupLead;
            }
            (Stage::GroupLead, Action::Lead(unit)) => self.check_group(state, unit, context),
            (Stage::Excess, Action::Lose(unit)) => self.perish(state, unit, context),
            (Stage::Retreat, Action::Retreat(hex)) => self.walk_back(state, Some(hex), context),
            (Stage::Retreat, _) => self.walk_back(state, None, context),
            (Stage::Special, Action::Retreat(hex)) => self.fly_back(state, hex, context),
            (Stage::Advance, Action::Advance(hex)) => self.walk_on(state, Some(hex), context),
            (Stage::Advance, _) => self.walk_on(state, None, context),
            _ => {
                self.combat_moves_on(state, context);
            }
        }
    }

    /// Nothing is left to decide in the stage at hand: goes on to the next. `false` when all attacks have been resolved.
    pub fn combat_moves_on<T: Context<Event>>(&self, state: &mut State, context: &mut T) -> bool {
        let battle = &state.combat.battle;
        let role = battle.role;
        match battle.stage {
            Stage::Choosing => return false,
            // Nobody can attack any more, or there is nobody to be attacked.
            Stage::AttackLead | Stage::DefenceLead => self.call_off(state, context),
            Stage::Air => {
                let nth = self.air_roles(battle).iter().position(|&first| first == role).unwrap_or(1);
                self.begin_air(state, nth + 1);
            }
            Stage::AirLead => self.begin_artillery(state, Role::Defender),
            Stage::AirPoints => {
                let nth = self.air_roles(battle).iter().position(|&first| first == role).unwrap_or(1);
                self.coordinate_air(state, context);
                self.begin_air_check(state, nth + 1);
            }
            Stage::Artillery => self.artillery_named(state, context),
            Stage::SureArtillery => self.begin_artillery_check(state, Role::Defender, context),
            Stage::ArtilleryLead => self.artillery_checked(state, context),
            Stage::ArtilleryPoints => {
                self.coordinate_artillery(state, context);
                self.artillery_checked(state, context);
            }
            Stage::GroundPoints => {
                self.coordinate_ground(state, context);
                self.resolve(state, context);
            }
            Stage::Losses if role == Role::Defender => {
                let attacker = battle.attacker;
                let battle = &mut state.combat.battle;
                (battle.role, battle.asked) = (Role::Attacker, attacker);
            }
            Stage::Losses => {
                let defender = self.enemy_of(battle.attacker);
                let battle = &mut state.combat.battle;
                (battle.stage, battle.role, battle.asked) = (Stage::StandFirm, Role::Defender, defender);
            }
            Stage::StandFirm => self.losses_taken(state, context),
            Stage::Pursuit => state.combat.battle.stage = Stage::GroupLead,
            Stage::GroupLead => self.group_done(state, context),
            Stage::Excess | Stage::Retreat => self.next_to_retreat(state, context),
            Stage::Special => self.combat_is_resolved(state, context),
            Stage::Repulse => self.end_overrun(state, false, context),
            Stage::Advance => self.advance_ends(state, context),
        }
        true
    }

    // ---- leads (10.17, 10.44, 15.12) ----

    /// Units that may be the attacking lead: active ones (3.43c), HQs never.
    fn attack_leads(&self, state: &State) -> Units {
        state.combat.battle.attackers.filter(|unit| self.is_active(state, unit) && !self.is_any_hq(unit))
    }

    /// Units that may be the defending lead: HQs only alone or among HQs (15.12).
    fn defence_leads(&self, state: &State) -> Units {
        let defenders = state.combat.battle.defenders;
        let troops = defenders.filter(|unit| !self.is_any_hq(unit));
        if troops.is_empty() { defenders } else { troops }
    }

    // ---- air, artillery, ground ----

    fn begin_points(&self, state: &mut State, stage: Stage) {
        let battle = &mut state.combat.battle;
        battle.stage = stage;
        battle.staff = Units::EMPTY;
    }

    /// The side of this number in the order of 13.22 commits its air units; after both come their checks.
    fn begin_air(&self, state: &mut State, nth: usize) {
        let roles = self.air_roles(&state.combat.battle);
        match roles.get(nth) {
            Some(&role) => self.turn_to(state, Stage::Air, role),
            None => self.begin_air_check(state, 0),
        }
    }

    fn begin_air_check(&self, state: &mut State, nth: usize) {
        let roles = self.air_roles(&state.combat.battle);
        let next = roles.iter().skip(nth).find(|&&role| !state.combat.battle.air[role as usize].is_empty());
        match next {
            Some(&role) => self.turn_to(state, Stage::AirLead, role),
            None => self.begin_artillery(state, Role::Defender),
        }
    }

    fn turn_to(&self, state: &mut State, stage: Stage, role: Role) {
        let asked = self.side_in(&state.combat.battle, role);
        let battle = &mut state.combat.battle;
        (battle.stage, battle.role, battle.asked) = (stage, role, asked);
        battle.staff = Units::EMPTY;
    }

    fn begin_artillery(&self, state: &mut State, role: Role) {
        self.turn_to(state, Stage::Artillery, role);
    }

    fn artillery_named<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let battle = &state.combat.battle;
        match (battle.role, battle.kind) {
            (Role::Defender, Kind::Attack) => {
                state.combat.battle.sure[1] = self.sure_candidates(state, Role::Defender).first().unwrap_or(NOBODY);
                self.begin_artillery(state, Role::Attacker);
            }
            (Role::Defender, _) => {
                state.combat.battle.sure[1] = self.sure_candidates(state, Role::Defender).first().unwrap_or(NOBODY);
                self.all_artillery_fires(state);
                self.resolve(state, context);
            }
            (Role::Attacker, _) => self.turn_to(state, Stage::SureArtillery, Role::Attacker),
        }
    }

    fn begin_artillery_check<T: Context<Event>>(&self, state: &mut State, role: Role, context: &mut T) {
        if Self::must_coordinate_artillery(&state.combat.battle, role) {
            self.turn_to(state, Stage::ArtilleryLead, role);
        } else {
            state.combat.battle.role = role;
            self.artillery_checked(state, context);
        }
    }

    fn artillery_checked<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        if state.combat.battle.role == Role::Defender {
            return self.begin_artillery_check(state, Role::Attacker, context);
        }
        self.all_artillery_fires(state);
        if self.must_coordinate_ground(state) {
            self.turn_to(state, Stage::GroundPoints, Role::Attacker);
        } else {
            self.resolve(state, context);
        }
    }

    /// All that took part have fired, whatever came of it (12.19).
    fn all_artillery_fires(&self, state: &mut State) {
        let [attack, defence] = state.combat.battle.support;
        for unit in attack.or(&defence) {
            state.set_fired(unit, true);
        }
    }

    // ---- the result ----

    /// Strengths, odds, modifiers, the roll and what comes of it (10.5, 10.6).
    fn resolve<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let strength = self.final_strengths(state);
        if strength[0] == 0 {
            return self.call_off(state, context); // 3.54c
        }
        let limit = self.rules().combat.net_limit;
        let modifier = self.modifiers(state).sum().clamp(-limit, limit);
        state.combat.battle.strength = strength;
        let column = self.final_column(&state.combat.battle);
        let battle = &mut state.combat.battle;
        battle.column = column;
        battle.modifier = modifier;
        battle.roll = if column.is_some() { context.die(10) as u8 } else { 0 };
        let table = self.results_table(battle.crt);
        battle.result = table.result(column, battle.roll as i8 + modifier);
        self.assess_losses(state);
        let result = state.combat.battle.result;
        if result.red {
            self.survive_red_result(state, context);
        }
        for (role, toll) in [(Role::Defender, result.defender), (Role::Attacker, result.attacker)] {
            if toll.eliminated {
                self.wipe_out(state, role, context);
            }
        }
        self.turn_to(state, Stage::Losses, Role::Defender);
    }

    fn losses_taken<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let battle = state.combat.battle;
        if battle.firm {
            self.set_no_retreat(state, battle.target, false); // 11.42c
        }
        for (role, toll) in [(Role::Defender, battle.result.defender), (Role::Attacker, battle.result.attacker)] {
            if toll.disorganised {
                self.disorganise_force(state, role);
            }
        }
        self.begin_retreat(state, Role::Defender, context);
    }

    /// A side has retreated: the attackers after the defenders, then rockets (k3).
    pub(super) fn retreat_ends<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        if state.combat.battle.role == Role::Defender && state.combat.battle.kind != Kind::Refusal {
            self.begin_retreat(state, Role::Attacker, context);
        } else {
            self.begin_special_retreats(state, context);
        }
    }

    /// Losses and retreats are over: artillery of the Defender hex has fired (12.24), aircraft fly home (13.28), attackers
    /// advance.
    pub(super) fn combat_is_resolved<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let battle = state.combat.battle;
        if battle.kind != Kind::Refusal {
            let [attack, defence] = battle.air;
            state.fly(attack.or(&defence));
        }
        match battle.kind {
            Kind::Attack => {
                for unit in battle.defenders.or(&battle.late) {
                    if self.is_artillery(unit) && self.is_on_map(state, unit) {
                        state.set_fired(unit, true);
                    }
                }
                self.begin_advance(state, context);
            }
            Kind::Refusal => self.begin_advance(state, context),
            Kind::Overrun => self.overrun_is_resolved(state, context),
        }
    }

    fn overrun_is_resolved<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let battle = state.combat.battle;
        let cleared = self.combat_units_at(state, battle.target, self.enemy_of(battle.attacker)).is_empty();
        if cleared {
            return self.end_overrun(state, true, context);
        }
        self.turn_to(state, Stage::Repulse, Role::Attacker);
        state.combat.battle.owed[0] = self.rules().combat.failed_overrun;
    }

    fn end_overrun<T: Context<Event>>(&self, state: &mut State, cleared: bool, context: &mut T) {
        let battle = state.combat.battle;
        if cleared {
            for unit in battle.attackers {
                self.relocate(state, unit, battle.target, context); // 8.56h
            }
        }
        self.report(state, context);
        state.combat.battle = Battle::default();
        self.overrun_done(state, battle.attackers, cleared, context);
    }

    /// The advance is over: the next combat.
    pub(super) fn advance_ends<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let battle = state.combat.battle;
        if battle.kind == Kind::Refusal {
            state.combat.battle = Battle::default();
            return self.refusal_done(state, context);
        }
        if battle.far {
            state.add_initiative(battle.attacker); // 7.12c
        }
        self.report(state, context);
        self.choose_attack(state);
    }

    /// The combat falls away: its attackers have no strength left, or there is nobody to fight (3.54c).
    fn call_off<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let Battle { kind, attackers, air: [attack, defence], .. } = state.combat.battle;
        state.fly(attack.or(&defence));
        if kind == Kind::Overrun {
            state.combat.battle = Battle::default();
            return self.overrun_done(state, attackers, false, context);
        }
        self.choose_attack(state);
    }

    fn report<T: Context<Event>>(&self, state: &State, context: &mut T) {
        let battle = &state.combat.battle;
        let held = self.combat_units_at(state, battle.target, self.enemy_of(battle.attacker));
        let marked = state.combat.attacks[battle.attack as usize].attackers;
        context.emit(|| {
            Event::Combat(CombatReport {
                kind: battle.kind,
                attacker: battle.attacker,
                target: battle.target,
                crt: battle.crt,
                strength: battle.strength,
                column: battle.column,
                modifier: battle.modifier,
                roll: battle.roll,
                result: battle.result,
                lost: battle.lost,
                gone: battle.gone,
                attackers: if battle.kind == Kind::Attack { marked.len() as u8 } else { battle.attackers.len() as u8 },
                artillery: battle.support.map(|units| units.len() as u8),
                air: battle.air.map(|units| units.len() as u8),
                uncoordinated: battle.uncoordinated,
                cleared: held.is_empty(),
                advanced: battle.advanced,
            })
        });
    }
}

impl Combat {
    /// The attacks declared in this phase.
    pub fn declared(&self) -> &[super::Attack] {
        &self.attacks[..self.count as usize]
    }
}
