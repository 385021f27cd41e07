//! Losses of both sides: what they may be, and taking them (16.2).

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::game::{BlitzWar, Counters};
use crate::location::Counter;
use crate::nation::{Force, Nation};
use crate::phase::Pending;
use crate::rules::{AttackerLoss, Conversion, Kind, Zones};
use crate::sequence::{Flow, Offer};
use crate::state::State;

/// What the loss at hand may be (16.2).
pub(crate) struct Casualties {
    /// Counters that may take it.
    pub counters: Counters,
    /// It is an armour corps.
    armour: bool,
    /// It is an armour corps or a German one.
    armour_or_german: bool,
}

/// The table's result after conversion for small forces (16.2). Only where the attacker would lose too is it changed.
pub fn convert(
    conversions: &[Conversion],
    loss: (AttackerLoss, u8),
    attacker_capacity: u8,
    defender_capacity: u8,
) -> (AttackerLoss, u8) {
    if loss.0 == AttackerLoss::None {
        return loss;
    }
    let fits = |row: &&Conversion| {
        row.losses == loss.1
            && (row.attackers == 0 || row.attackers == attacker_capacity)
            && row.defenders == defender_capacity
    };
    conversions.iter().find(fits).map_or(loss, |row| (AttackerLoss::None, row.instead))
}

impl BlitzWar {
    pub(super) fn defending_corps(&self, state: &State) -> u8 {
        self.defence(state).0
    }

    /// The defending corps, and the losses they can take: a fortified corps two (15.1).
    fn defence(&self, state: &State) -> (u8, u8) {
        let force = Force::ALL[state.combat.defender as usize];
        let (mut corps, mut fortified) = (0, 0);
        for counter in state.stack(state.combat.target) {
            // Sums without a jump: what stands in a stack follows no pattern.
            let is_corps = u8::from(self.kind(counter).is_corps());
            let strength = state.strength(counter) * is_corps;
            corps += strength * u8::from(state.serves(self.nation(counter), force));
            fortified += strength * u8::from(state.is_turned(counter));
        }
        (corps, corps + fortified)
    }

    /// Eliminates every defending corps.
    fn lose_all(&self, state: &mut State, context: &mut impl Rolls) {
        let (target, force) = (state.combat.target, Force::ALL[state.combat.defender as usize]);
        while let Some(counter) = state
            .stack(target)
            .find(|&counter| self.kind(counter).is_corps() && self.force(state, counter) == Some(force))
        {
            self.eliminate(state, counter, context);
        }
        state.combat.defender_due = 0;
    }

    /// Opens the defender's next loss decision, or goes on after the losses. Losses beyond what is there are forgotten.
    pub(super) fn next_loss(
        &self,
        state: &mut State,
        attackers: &Counters,
        context: &mut impl Rolls,
    ) -> Zones {
        let (mut corps, losses) = self.defence(state);
        if state.combat.defender_due > 0 && corps > 0 {
            if state.combat.defender_due < losses {
                state.pending = Pending::DefenderLoss;
                return Zones::EMPTY;
            }
            // Nobody is left to choose among.
            self.lose_all(state, context);
            corps = 0;
        }
        self.after_losses(state, attackers, corps > 0, context)
    }

    /// Corps counters that defend.
    fn defenders(&self, state: &State) -> Counters {
        let force = Force::ALL[state.combat.defender as usize];
        let mut defenders = Counters::EMPTY;
        for counter in state.stack(state.combat.target) {
            if self.kind(counter).is_corps() && state.serves(self.nation(counter), force) {
                defenders.insert(counter);
            }
        }
        defenders
    }

    /// What the loss that is to be chosen now may be; the attackers are asked for only if it is theirs.
    pub(crate) fn casualties(&self, state: &State, attackers: impl FnOnce() -> Counters) -> Casualties {
        let combat = &state.combat;
        let attacker = state.pending == Pending::AttackerLoss;
        let mut counters = if attacker { attackers() } else { self.defenders(state) };
        let (mut armour, mut armour_or_german) = (false, false);
        let armoured = |counter: Counter| self.corps_of(state, counter).1 > 0;
        let germans = &self.tables.sheet.of_nation[Nation::Ger.index()];
        if attacker {
            if combat.attacker_elite && counters.intersects(self.of_kind(Kind::Elite)) {
                counters = counters.and(self.of_kind(Kind::Elite));
            }
            armour = combat.attacker_armour && counters.iter().any(armoured);
        } else if combat.defender_armour || combat.defender_german {
            let wants_armour = combat.defender_armour && counters.iter().any(armoured);
            let wants_german = combat.defender_german && counters.intersects(germans);
            let both_in_one = counters.and(germans).iter().any(armoured);
            match (wants_armour, wants_german, combat.defender_due) {
                (true, true, 1) => {
                    // A German loss goes before an armour loss that only others could take.
                    counters = counters.and(germans);
                    armour = both_in_one;
                }
                (true, true, 2) => armour_or_german = !both_in_one,
                (true, false, 1) => armour = true,
                (false, true, 1) => counters = counters.and(germans),
                _ => {}
            }
        }
        Casualties { counters, armour, armour_or_german }
    }

    /// Whether the loss may be an infantry and an armour corps of a counter of them.
    pub(crate) fn lost_corps(&self, state: &State, casualties: &Casualties, counter: Counter) -> [bool; 2] {
        let (infantry, armour) = self.corps_of(state, counter);
        let bars_infantry =
            casualties.armour || casualties.armour_or_german && self.nation(counter) != Nation::Ger;
        [infantry > 0 && !bars_infantry, armour > 0]
    }

    pub(super) fn casualty_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let casualties = self.casualties(state, || self.attackers(state));
        for counter in casualties.counters {
            if !self.has_identical_in(state, &casualties.counters, counter) {
                let open = self.lost_corps(state, &casualties, counter);
                for (kind, open) in [Kind::Infantry, Kind::Armour].into_iter().zip(open) {
                    if open {
                        out.offer(Action::Lose(counter, kind))?;
                    }
                }
            }
        }
        Continue(())
    }

    /// Whether a candidate of lower index is interchangeable.
    pub(super) fn has_identical_in(&self, state: &State, candidates: &Counters, counter: Counter) -> bool {
        candidates.iter().take_while(|&other| other < counter).any(|other| {
            state.location(other) == state.location(counter)
                && self.counter_type(other) == self.counter_type(counter)
                && state.look(other) == state.look(counter)
        })
    }

    /// Takes the loss that was to be chosen. Of the attackers, a counter that had to be exchanged is so among them too. Gives
    /// the zones to which the defenders may retreat, if that is the next decision.
    pub(crate) fn take_loss(
        &self,
        state: &mut State,
        attackers: &mut Counters,
        counter: Counter,
        kind: Kind,
        context: &mut impl Rolls,
    ) -> Zones {
        let attacker = state.pending == Pending::AttackerLoss;
        if attacker {
            state.combat.attacker_due = 0;
        } else {
            state.combat.defender_due -= 1;
            if kind == Kind::Armour {
                state.combat.defender_armour = false;
            }
            if self.nation(counter) == Nation::Ger {
                state.combat.defender_german = false;
            }
        }
        if state.is_turned(counter) {
            // A fortified corps absorbs the loss by turning back (15.1).
            state.turn_face(counter, false);
        } else {
            let rest = self.lose_corps(state, counter, kind, context);
            if attacker && rest != Some(counter) {
                attackers.remove(counter);
                if let Some(fresh) = rest {
                    attackers.insert(fresh);
                }
            }
        }
        if state.pending == Pending::CancelLoss {
            self.open_advance(state, attackers);
            Zones::EMPTY
        } else {
            self.next_loss(state, attackers, context)
        }
    }
}
