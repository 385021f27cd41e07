//! Retreat, rearguard and pursuit (6.5).

use sandtable_core::{ActionSink, Flow};

use crate::action::Action;
use crate::event::{Cause, Event, Volley};
use crate::game::EuroFront;
use crate::headquarters::SHORT_ROUTE;
use crate::ids::{BlockId, is_on_map};
use crate::phase::Phase;
use crate::rules::Fire;
use crate::state::{Mark, State};

impl EuroFront {
    /// All other moves are done: the next rearguard takes pursuit fire and, if it survives, goes its way (6.51).
    /// Says whether one is to decide where to.
    pub(crate) fn turn_to_rearguard<T: crate::Rolls>(&self, state: &mut State, context: &mut T) -> bool {
        while let Some(block) = state.marked(Mark::Rearguard).first() {
            state.mark(block, Mark::Rearguard, false);
            let (at, camp) = (state.at(block), self.camp(block));
            if !state.is_battle(at) {
                continue;
            }
            if self.pursue(state, block, context) {
                state.phase = Phase::Withdrawal;
                state.subject = block;
                state.decider = state.active;
                return true;
            }
            self.renew_battle(state, at, camp, context);
        }
        false
    }

    pub(crate) fn withdrawals<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let block = state.subject;
        let ground = self.ground_for(state, block);
        self.disengagements(state, block, &ground, out)?;
        let commanded = self.is_commanded(state, block);
        // The first Supreme Move of a double march was ordered when the rearguard was named.
        let long = self.who_orders(state, block, if commanded { 2 } else { 1 }).is_some();
        let length = if long { u8::MAX } else { SHORT_ROUTE };
        out.all([self.marches_over_routes(state, block, length, &ground)], |_, hex| Action::March(hex))
    }

    /// A rearguard that has survived pursuit goes its way (6.51).
    pub(crate) fn withdraw<T: crate::Rolls>(&self, state: &mut State, action: Action, context: &mut T) {
        let block = state.subject;
        if let Action::March(to) = action
            && self.march_cost(state.at(block), to) > 1
        {
            let moves = if self.is_commanded(state, block) { 2 } else { 1 };
            self.order(state, block, moves);
        }
        self.carry_out(state, block, action, context);
    }

    /// Every enemy unit in the hex fires at the last unit to leave it (6.51, 6.52). Says whether it survives.
    pub(crate) fn pursue<T: crate::Rolls>(&self, state: &mut State, block: BlockId, context: &mut T) -> bool {
        let speed = self.speed(state, block);
        self.pursue_at(state, block, speed, context)
    }

    /// Every enemy unit in the hex fires at the last unit to leave it, which goes at this speed (6.52, 15.55). Says whether it
    /// survives.
    pub(crate) fn pursue_at<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        speed: u8,
        context: &mut T,
    ) -> bool {
        if self.is_tito_at_home(state, block) {
            return true; // 16.732
        }
        let at = state.at(block);
        let (mut dice, mut hits) = (0, 0);
        for pursuer in state.stack(at, self.camp(block).enemy()) {
            if self.brief(pursuer).kind.is_headquarters() {
                continue;
            }
            let [faster, equal, slower] = self.rules.combat.pursuit;
            let fire = match self.speed(state, pursuer).cmp(&speed) {
                std::cmp::Ordering::Greater => faster,
                std::cmp::Ordering::Equal => equal,
                std::cmp::Ordering::Less => slower,
            };
            if fire != Fire::None {
                let least = crate::tables::hits_from(&self.rules, fire);
                for _ in 0..state.steps[pursuer] {
                    dice += 1;
                    hits += u8::from(context.die(6) as u8 >= least);
                }
            }
        }
        if dice > 0 {
            context.emit(|| Event::Fired { volley: Volley::Pursuit, at, dice, hits, repulses: 0 });
        }
        for _ in 0..hits / self.hits_for_step(state, at) {
            if is_on_map(state.at(block)) {
                self.lose_step(state, block, Cause::Pursuit, context);
            }
        }
        is_on_map(state.at(block))
    }

    /// Hits for a step of a passive unit by terrain, city and weather (7.34, 12.33).
    pub(crate) fn hits_for_step(&self, state: &State, at: sandtable_core::Hex) -> u8 {
        let city = if self.map().major_cities.contains(at) { self.rules.combat.city } else { 1 };
        self.terrain_effect(at).defence.max(city).max(self.weather_effect(state, at).defence).max(1)
    }
}
