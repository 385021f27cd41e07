//! The Winter War (21.48): its armistice, its end, and what the scenario of 1939A counts.

use crate::game::EuroFront;
use crate::ids::{Camp, place};
use crate::rules::{Fact, Goal};
use crate::state::{Degree, Ending, State};

/// With so many headquarters' values left and Finnish units eliminated an armistice is a Soviet victory (1939A).
const SOVIET_COUNT: i16 = 10;

impl EuroFront {
    /// Whether the Axis may ask for the Finnish Armistice: once a game, while the Winter War is fought (21.482).
    pub(crate) fn finnish_armistice_possible(&self, state: &State) -> bool {
        let facts = &state.diplomacy;
        facts.holds(Fact::WinterWar)
            && !facts.holds(Fact::FinnishArmistice)
            && !facts.holds(Fact::FinnishArmisticeRefused)
    }

    /// Whether nobody of the Axis but the Finns can be in Soviet land: in the Winter War, while the Soviets are at war with
    /// nobody else (21.48).
    pub(crate) fn finns_fight_alone(&self, state: &State) -> bool {
        state.diplomacy.holds(Fact::WinterWar) && self.is_neutral(state, self.nations().ussr)
    }

    /// Whether the Soviets may refuse: not in the scenario of 1939A.
    pub(crate) fn may_refuse_finland(&self) -> bool {
        self.rules.scenario.situation.goal != Goal::WinterWar
    }

    /// Finland has its armistice (21.482): Karelia is Soviet, the Soviets leave the rest, the Finns go home with what they
    /// have left. In 1939A the game is decided by what it has cost.
    pub(crate) fn accept_finnish_armistice<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let count = self.winter_war_count(state);
        state.diplomacy.set(Fact::WinterWar, false);
        state.diplomacy.set(Fact::FinnishArmistice, true);
        state.diplomacy.finnish_peace = self.months_since_war(state) as i8;
        if self.rules.scenario.situation.goal == Goal::WinterWar {
            let winner = if count < SOVIET_COUNT { Camp::Axis } else { Camp::Coalition };
            return self.finish(state, Ending::Victory(winner, Degree::Minor), context);
        }
        let finland = self.nations().finland;
        self.annex(state, "karelia", self.nations().ussr);
        for block in self.forces(state, finland) {
            let steps = state.steps[block];
            self.eliminate(state, block, place::AT_HOME, crate::event::Cause::Defeat, context);
            state.steps[block] = steps;
        }
        let left = self.territory(state, finland);
        self.hand_over(state, &left, None);
        self.withdraw_from(state, &left, context);
    }

    /// The Soviets refuse: the war goes on until Finland is defeated or joins the Axis (21.482).
    pub(crate) fn refuse_finnish_armistice(state: &mut State) {
        state.diplomacy.set(Fact::FinnishArmisticeRefused, true);
    }

    /// Finland is defeated in the Winter War (21.48): in 1939A a major Soviet victory.
    pub(crate) fn finland_defeated<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if self.rules.scenario.situation.goal == Goal::WinterWar {
            self.finish(state, Ending::Victory(Camp::Coalition, Degree::Major), context);
        }
    }

    /// March 1940 is over and Finland undefeated, without an armistice: a decisive victory of the Axis (1939A).
    pub(crate) fn winter_war_ending() -> Ending {
        Ending::Victory(Camp::Axis, Degree::Decisive)
    }

    /// Values of Soviet headquarters that are left, and Finnish units eliminated (1939A).
    pub fn winter_war_count(&self, state: &State) -> i16 {
        let headquarters = self.sets().headquarters.and(&state.standing[Camp::Coalition.index()]);
        let values: i16 = headquarters.iter().map(|block| i16::from(state.steps[block])).sum();
        let finland = self.nations().finland;
        let lost = self.block_ids().filter(|&block| {
            let brief = self.brief(block);
            brief.nation == finland
                && !brief.kind.is_headquarters()
                && matches!(state.at(block), place::ELIMINATED | place::REMOVED)
        });
        values + lost.count() as i16
    }

    /// The count as the Axis sees it: above 0 an armistice is its victory (1939A).
    pub fn winter_war_score(&self, state: &State) -> i16 {
        SOVIET_COUNT - self.winter_war_count(state)
    }
}
