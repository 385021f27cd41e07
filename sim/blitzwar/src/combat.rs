//! Land combat: attacks, odds, losses, retreat and advance (16, 17).
//!
//! ```text
//! Attack(zone) -> [Withhold(counter)...] -> Resolve -> [German defence?] -> die
//!   -> attacker's loss -> defender's losses -> Normal: [retreat | hold -> one more loss] -> [Advance...]
//! ```
//!
//! An attack starts with every counter that can take part; the attacker withholds those he wants elsewhere. A larger
//! attack is never worse for its odds, so an attack that is legal at all is legal in full.

mod advance;
mod assessment;
mod losses;
mod retreat;
mod targets;

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Battle, Event};
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, Zone};
use crate::nation::{Country, Force, Nation};
use crate::phase::{Pending, Phase};
use crate::rules::{AttackerLoss, Kind, Zones};
use crate::sequence::{ActionSink, Flow, Offer, PassFirst};
use crate::state::{Combat, GROUPS, State, mark};

pub use assessment::Assessment;
use losses::convert;
pub(crate) use targets::Assault;

impl BlitzWar {
    pub(crate) fn combat_begins(state: &mut State) {
        state.befriended = false;
        state.attacked = Zones::EMPTY;
        state.combat = Combat::NONE;
    }

    /// Counters of the side in turn that take part in the combat at hand; empty if there is none. They stand beside its zone,
    /// in beachheads at it, or have advanced.
    pub fn attackers(&self, state: &State) -> Counters {
        let target = state.combat.target;
        let mut zones = *self.adjacent(target);
        zones.insert(target);
        let attackers = self.counters_around(state, &zones, target, |counter| state.attacks(counter));
        debug_assert!(
            state.on_map.iter().all(|counter| state.attacks(counter) == attackers.contains(counter))
        );
        attackers
    }

    /// The attack at hand as things stand.
    fn assault_at_hand(&self, state: &State) -> Assault {
        let attackers = self.attackers(state);
        Assault { attackers, odds: self.assess(state, state.combat.target, &attackers) }
    }

    pub(crate) fn combat_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        match state.pending {
            Pending::Attack => self.build_actions(state, out),
            Pending::GermanDefence => {
                out.offer(Action::UseShift)?;
                out.offer(Action::WaiveShift)
            }
            Pending::AttackerLoss | Pending::DefenderLoss | Pending::CancelLoss => {
                self.casualty_actions(state, out)
            }
            Pending::Retreat => self.retreat_actions(state, out),
            Pending::Advance => self.advance_actions(state, &self.attackers(state), out),
            _ => self.attack_actions(state, out),
        }
    }

    /// Attacks that can be declared; compulsory ones (17.1) leave no other choice. Corps in beachheads may go ashore
    /// where nobody defends (16.4).
    fn attack_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let (mut bound, mut free) = (Zones::EMPTY, Zones::EMPTY);
        let _ = self.targets(state, |target, attackers| {
            let compulsory = state.phase == Phase::Normal && Self::is_bound_to(state, attackers, target);
            if compulsory {
                bound.insert(target);
            } else {
                free.insert(target);
            }
            Continue(())
        });
        if !bound.is_empty() {
            self.turned_back(state, out)?;
            for target in bound {
                out.offer(Action::Attack(target))?;
            }
            return Continue(());
        }
        let mut out = PassFirst::new(out, Action::Pass);
        self.turned_back(state, &mut out)?;
        for target in free {
            out.offer(Action::Attack(target))?;
        }
        if !state.has_beachheads() {
            return Continue(());
        }
        for counter in self.tables.sheet.corps.and(&self.counters_of(state, state.active)) {
            if let Some(zone) = Self::landing_zone(state, counter)
                && !self.ways(state, state.active, &Zones::one(zone)).is_empty()
                && !self.has_identical_before(state, counter)
                && self.may_enter(state, counter, zone)
            {
                out.offer(Action::Advance(counter, zone))?;
            }
        }
        Continue(())
    }

    /// Of these few zones, those that neither foes nor the friend's counters bar to a side.
    fn ways(&self, state: &State, force: Force, zones: &Zones) -> Zones {
        let friend = force.friend();
        let clear = zones.difference(&Self::enemy_corps(state, force));
        let mut open = clear;
        clear.iter().for_each(|zone| {
            let bars = |counter: Counter| {
                let corps = self.kind(counter).is_corps();
                match self.force(state, counter) {
                    None => corps,
                    // Air on mission hinders nobody.
                    side => side == friend && (corps || !state.is_turned(counter)),
                }
            };
            if state.stack(zone).any(bars) {
                open.remove(zone);
            }
        });
        open
    }

    fn build_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let target = state.combat.target;
        let attackers = self.attackers(state);
        if attackers.len() > 1 {
            let open = attackers.filter(|counter| counter >= state.combat.cursor);
            for counter in open {
                if self.bound_target(state, counter) == Some(target) && state.phase == Phase::Normal
                    || self.has_identical_in(state, &open, counter)
                {
                    continue;
                }
                let mut fewer = attackers;
                fewer.remove(counter);
                if self.is_legal_attack(state, target, &fewer) {
                    out.offer(Action::Withhold(counter))?;
                }
            }
        }
        out.offer(Action::Resolve)
    }

    pub(crate) fn combat_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (action, state.pending) {
            (Action::Pass, Pending::Advance) => Self::end_combat(state, &self.attackers(state)),
            (Action::Pass, _) => self.end_phase(state, context),
            (Action::Attack(target), _) => {
                self.declare(state, target, None, context);
            }
            (Action::Withhold(counter), _) => {
                state.clear_mark(counter, mark::ATTACKS);
                state.combat.cursor = Counter(counter.0 + 1);
            }
            (Action::Resolve, _) => {
                let assault = self.assault_at_hand(state);
                if assault.odds.may_waive {
                    state.pending = Pending::GermanDefence;
                } else {
                    self.roll(state, assault, false, context);
                }
            }
            (Action::UseShift, _) => self.roll(state, self.assault_at_hand(state), false, context),
            (Action::WaiveShift, _) => self.roll(state, self.assault_at_hand(state), true, context),
            (Action::Lose(counter, kind), _) => {
                self.take_loss(state, &mut self.attackers(state), counter, kind, context);
            }
            (Action::Retreat(zone), _) => self.retreat(state, &self.attackers(state), zone, context),
            (Action::Hold, _) => Self::hold(state),
            (Action::Advance(counter, zone), Pending::Advance) => self.advance(state, counter, zone, context),
            (Action::Advance(counter, zone), _) => {
                state.combat = Combat { target: zone, ..Combat::NONE };
                state.add_mark(counter, mark::ATTACKS);
                if state.phase == Phase::Normal {
                    state.add_mark(counter, mark::FOUGHT);
                }
                state.pending = Pending::Advance;
                self.advance(state, counter, zone, context);
            }
            _ => {}
        }
    }

    /// Declares an attack on a zone by all who can take part; they are `known` to who has just asked. Gives the attack, if
    /// it still can be made.
    pub(crate) fn declare(
        &self,
        state: &mut State,
        target: Zone,
        known: Option<Assault>,
        context: &mut impl Rolls,
    ) -> Option<Assault> {
        let before = (state.timers, state.status);
        // The attack brings a neutral into the war before it is fought (9.3, R-05).
        self.provoke(state, state.active, target, false, context);
        let assault = match known {
            Some(assault) if before == (state.timers, state.status) => assault,
            // Those who stood among the corps of a country that let them pass have been driven out (R-72).
            _ => self.assault_in_full(state, target)?,
        };
        assault.attackers.iter().for_each(|counter| state.add_mark(counter, mark::ATTACKS));
        let defender = state
            .stack(target)
            .filter(|&counter| self.kind(counter).is_corps())
            .find_map(|counter| self.force(state, counter))
            .unwrap_or(Force::Axis);
        state.combat = Combat { target, defender: defender as u8, ..Combat::NONE };
        state.pending = Pending::Attack;
        Some(assault)
    }

    /// What a die from 1 to 6 does to both sides: the entry of the combat table after conversion (16.2).
    pub fn combat_result(&self, odds: &Assessment, die: u8) -> (AttackerLoss, u8) {
        let charts = &self.rules.charts;
        let entry = charts.land[die as usize - 1][odds.column() as usize - 1];
        let attacking = odds.attackers.0 + odds.attackers.1;
        let defending = odds.defenders.0 + odds.defenders.1 + odds.fortified;
        convert(&charts.conversions, entry, attacking, defending)
    }

    /// Fights the combat up to the next decision in it, or to its end.
    fn roll(&self, state: &mut State, mut assault: Assault, waived: bool, context: &mut impl Rolls) {
        self.engage(state, &mut assault, context);
        self.strike(state, &assault, waived, context);
    }

    /// What comes before the die: who takes part is known now, and Germans against Soviets anywhere is war (9.3).
    pub(crate) fn engage(&self, state: &mut State, assault: &mut Assault, context: &mut impl Rolls) {
        if state.timers.axis_soviet_war == 0
            && assault.attackers.intersects(&self.tables.sheet.of_nation[Nation::Ger.index()])
        {
            let target = state.combat.target;
            self.provoke(state, state.active, target, true, context);
            assault.odds = self.assess(state, target, &assault.attackers);
        }
    }

    /// Rolls the die and sets the losses (16.2). Gives the zones to which the defenders may retreat, if that is the next
    /// decision.
    pub(crate) fn strike(
        &self,
        state: &mut State,
        assault: &Assault,
        waived: bool,
        context: &mut impl Rolls,
    ) -> Zones {
        let target = state.combat.target;
        let Assault { attackers, mut odds } = *assault;
        if waived {
            odds.modifiers.german_defence = 0;
        }
        let blitz = state.phase == Phase::Blitz;
        let die = context.die(6) as u8;
        let (loss, defender_loss) = self.combat_result(&odds, die);
        let defender = Force::ALL[state.combat.defender as usize];
        let attacker = state.active;
        context.emit(|| {
            Event::Battle(Battle {
                zone: target,
                blitz,
                attacker,
                defender,
                attacking_infantry: odds.attackers.0,
                attacking_armour: odds.attackers.1,
                defending_infantry: odds.defenders.0,
                defending_armour: odds.defenders.1,
                fortified: odds.fortified,
                odds: odds.odds,
                modifiers: odds.modifiers,
                column: odds.column(),
                die,
                attacker_loss: u8::from(loss != AttackerLoss::None),
                attacker_armour_loss: loss == AttackerLoss::Armour,
                defender_loss,
            })
        });
        self.note_british(state, target, &attackers);
        Self::stamp(state, target, &attackers, blitz);
        if self.home(Country::Ussr).contains(target)
            && let Some(counter) = attackers.and(self.of_kind(Kind::Elite)).first()
        {
            state.elite_east = counter;
        }
        let armour = loss == AttackerLoss::Armour;
        let combat = &mut state.combat;
        combat.attacker_due = u8::from(loss != AttackerLoss::None);
        combat.attacker_lost = combat.attacker_due;
        combat.attacker_armour = armour;
        combat.attacker_elite = odds.elite;
        combat.defender_due = defender_loss;
        combat.defender_lost = defender_loss;
        combat.defender_armour = armour && defender_loss > 0;
        combat.defender_german = odds.may_waive && !waived && defender_loss > 0;
        combat.fast_infantry = odds.index() >= 9;
        combat.all_across_line = odds.all_across_line;
        if combat.attacker_due > 0 && attackers.iter().any(|counter| state.attacks(counter)) {
            state.pending = Pending::AttackerLoss;
            Zones::EMPTY
        } else {
            self.next_loss(state, &attackers, context)
        }
    }

    /// Notes the first British attack on Italians (9.6), and counts the turns in which the British attack only Italians
    /// (16.3.1).
    fn note_british(&self, state: &mut State, target: Zone, attackers: &Counters) {
        if !attackers.intersects(&self.tables.sheet.of_nation[Nation::Uk.index()]) {
            return;
        }
        let italian = |counter: Counter| self.nation(counter) == Nation::Ita;
        let defenders = self.tables.sheet.corps.and(&state.members(target));
        if state.timers.british_italian_first == 0 && defenders.iter().any(italian) {
            state.timers.british_italian_first = state.turn;
        }
        if defenders.iter().all(italian) && state.timers.british_italian_last != state.turn {
            state.timers.british_italian_last = state.turn;
            state.timers.british_italian_turns += 1;
        }
    }

    /// Marks zone and attackers as having fought.
    fn stamp(state: &mut State, target: Zone, attackers: &Counters, blitz: bool) {
        state.attacked.insert(target);
        if state.active == Force::Allied {
            state.allied_attacked.insert(target);
        }
        if !blitz {
            attackers.iter().for_each(|counter| state.add_mark(counter, mark::FOUGHT));
            return;
        }
        // At most one group for each armour counter of a side, fewer than the numbers there are.
        let free =
            state.group_target.iter().position(|&target| target == Location::NONE).unwrap_or(GROUPS - 1);
        state.group_target[free] = target;
        let group = free + 1;
        attackers.iter().for_each(|counter| {
            let marks = &mut state.marks[counter];
            *marks = *marks & !mark::GROUP | (group as u16) << mark::GROUP_SHIFT;
        });
    }
}
