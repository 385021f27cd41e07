//! Declaring attacks (9.1) and the choice of the table (10.3).

use sandtable_core::{ActionSink, Direction, Flow, Hex};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{FormationId, Hexes, Units, place};
use crate::phase::{Phase, Sequence};
use crate::rules::{Crt, Water, Weather};
use crate::state::{Attack, MAX_ATTACKS, Mark, Stage, State, is_hex};

impl RoadsToMoscow {
    /// O8.
    pub(crate) fn begin_declaring(&self, state: &mut State) {
        state.phase = Phase::Declaring;
        state.decider = state.active;
        state.attack_count = 0;
    }

    /// Whether a unit may attack in this sequence (9.11): active; in an Assault Sequence inactive formations join, but
    /// neither inactive Army units (7.48) nor formations in Reserve (5.32).
    fn may_attack(&self, state: &State, unit: crate::ids::UnitId) -> bool {
        self.is_active(state, unit)
            || state.sequence == Sequence::Assault
                && self.formation(unit).is_some_and(|formation| !state.in_reserve(formation))
    }

    /// Units that may attack a hex from where they stand, and do not attack another (9.1, 10.11): combat units with
    /// offence (9.14), across a side that is not closed to them (9.15, 9.16).
    pub fn possible_attackers(&self, state: &State, target: Hex) -> Units {
        let mut all = Units::EMPTY;
        let own = self
            .units_of(state.active)
            .and(&self.sets().combat)
            .difference(&self.sets().artillery)
            .difference(state.marked(Mark::Attacking));
        for way in Direction::ALL {
            let from = self.neighbour(target, way);
            if !is_hex(from) || !state.occupied[state.active.index()].contains(from) {
                continue;
            }
            let across = way.opposite();
            let here = state.stack(from).and(&own).filter(|unit| {
                self.offence(state, unit) > 0
                    && self.may_attack(state, unit)
                    && !self.is_barred(&Units::one(unit), from, across)
            });
            all = all.or(&here);
        }
        all
    }

    /// Whether a unit may be added to attackers: in a combined Mobile Sequence units of both formations attack together
    /// only if units of both are stacked in one of the attacking hexes (7.35, R58).
    fn may_join_attack(&self, state: &State, attackers: &Units, unit: crate::ids::UnitId) -> bool {
        if state.sequence != Sequence::Mobile || state.formations.len() < 2 {
            return true;
        }
        let Some(own) = self.formation(unit) else { return true };
        let Some(other) = self.formation_beside(attackers, own) else { return true };
        let with = attackers.or(&Units::one(unit));
        with.iter().any(|member| {
            self.formation(member) == Some(own)
                && with
                    .iter()
                    .any(|mate| self.formation(mate) == Some(other) && state.at(mate) == state.at(member))
        })
    }

    fn formation_beside(&self, attackers: &Units, own: FormationId) -> Option<FormationId> {
        attackers.iter().filter_map(|unit| self.formation(unit)).find(|&formation| formation != own)
    }

    /// The most that an attack can grow to.
    fn grown(&self, state: &State, attackers: Units, possible: &Units) -> Units {
        let mut grown = attackers;
        loop {
            let more = possible.difference(&grown).filter(|unit| self.may_join_attack(state, &grown, unit));
            if more.is_empty() {
                return grown;
            }
            // One by one: what two of a formation may do, one may not.
            grown.insert(more.first().expect("not empty"));
        }
    }

    /// Whether an attack can be declared as it stands: an active attacker (9.11b), odds of 1-4 (10.53a).
    fn is_sound(&self, state: &State, attackers: &Units, target: Hex) -> bool {
        let (attack, defence) = self.declared_strengths(state, attackers, target);
        attackers.intersects(state.marked(Mark::Active)) && attack > 0 && 4 * attack >= defence
    }

    fn can_become_sound(&self, state: &State, attackers: Units, possible: &Units, target: Hex) -> bool {
        self.is_sound(state, &self.grown(state, attackers, possible), target)
    }

    pub(crate) fn declaring_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        if state.attack_count as usize == MAX_ATTACKS {
            return Flow::Continue(());
        }
        let active = state
            .marked(Mark::Active)
            .and(&state.on_map)
            .and(&self.sets().combat)
            .difference(&self.sets().artillery)
            .difference(state.marked(Mark::Attacking));
        let standing: Hexes = active.iter().map(|unit| state.at(unit)).collect();
        let mut targets = self.around(&standing).and(&state.occupied[state.active.enemy().index()]);
        for attack in state.attacks() {
            targets.remove(attack.target);
        }
        out.rest(Some(Action::Pass), [targets], |_, target| {
            let possible = self.possible_attackers(state, target);
            possible
                .iter()
                .any(|unit| self.can_become_sound(state, Units::one(unit), &possible, target))
                .then_some(Action::Target(target))
        })
    }

    pub(crate) fn declaring_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Target(target) = action else { return self.end_declaring(state, context) };
        state.attacks[state.attack_count as usize] = Attack { target, stage: Stage::Open, ..Attack::NONE };
        state.attack_count += 1;
        state.phase = Phase::Attackers;
    }

    pub(crate) fn attacker_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let Some(attack) = state.attacks().last() else { return Flow::Continue(()) };
        let (target, attackers) = (attack.target, attack.attackers);
        let possible = self.possible_attackers(state, target).or(&attackers);
        for unit in possible.difference(&attackers) {
            if self.may_join_attack(state, &attackers, unit)
                && self.can_become_sound(state, attackers.or(&Units::one(unit)), &possible, target)
            {
                out.offer(Action::Unit(unit))?;
            }
        }
        if self.is_sound(state, &attackers, target) {
            out.offer(Action::Declare(Crt::Assault))?;
            if self.may_choose_mobile(state, &attackers, target) {
                out.offer(Action::Declare(Crt::Mobile))?;
            }
        }
        Flow::Continue(())
    }

    /// Whether the Mobile CRT may be chosen, now and for good (10.32, 10.33, R43, R44, R96): in a Mobile Sequence, not in Rain, with armour,
    /// armoured cars or cavalry; not against a town or Fortified Position, nor if all attack across River or Fortified
    /// Line sides.
    pub fn may_choose_mobile(&self, state: &State, attackers: &Units, target: Hex) -> bool {
        let across_river = |unit| {
            let from = state.at(unit);
            self.board().direction(from, target).is_some_and(|way| self.side(from, way).water == Water::River)
        };
        state.sequence == Sequence::Mobile
            && state.weather != Weather::Rain
            && attackers.intersects(&self.sets().enables_mobile)
            && !self.map().towns.contains(target)
            && !state.positions[state.active.enemy().index()].contains(target)
            && !attackers.iter().all(across_river)
            && !self.is_behind_line(state, target, attackers)
    }

    pub(crate) fn attacker_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let at = state.attack_count as usize - 1;
        match action {
            Action::Unit(unit) => state.attacks[at].attackers.insert(unit),
            Action::Declare(crt) => {
                let attack = &mut state.attacks[at];
                attack.crt = crt;
                attack.stage = Stage::Declared;
                let (target, attackers) = (attack.target, attack.attackers);
                for unit in attackers {
                    state.mark(unit, Mark::Attacking);
                    // 14.33: who attacks does not dig on.
                    state.unmark(unit, Mark::Digging);
                }
                context.emit(|| Event::Declared { target, attackers, crt });
                state.phase = Phase::Declaring;
            }
            _ => self.drop_declaration(state),
        }
    }

    /// Nobody can attack the hex after all.
    pub(crate) fn drop_declaration(&self, state: &mut State) {
        if state.attack_count > 0 {
            state.attack_count -= 1;
            state.attacks[state.attack_count as usize] = Attack::NONE;
        }
        state.phase = Phase::Declaring;
    }

    pub(crate) fn end_declaring(&self, state: &mut State, context: &mut impl Rolls) {
        state.hex = place::OUT;
        if state.attack_count == 0 {
            return self.end_operations_sequence(state, context);
        }
        self.begin_refusal(state);
    }

    /// Formations in Reserve do not refuse, react or hold at all costs (5.32).
    pub(crate) fn any_in_reserve(&self, state: &State, units: &Units) -> bool {
        units.iter().filter_map(|unit| self.formation(unit)).any(|formation| state.in_reserve(formation))
    }
}
