//! Italy's own wars, by option (14.34): before it is in the war it may attack Yugoslavia, Switzerland and Greece, one at a time, and it
//! may come in before Paris falls.

use crate::Rolls;
use crate::game::EuropeEngulfed;
use crate::ids::{Areas, Nation, Nations, Team};
use crate::rules::{Standing, Zone};
use crate::state::State;

impl EuropeEngulfed {
    /// Whether Italy is a neutral that may declare wars.
    fn is_free_italy(&self, state: &State) -> bool {
        self.rules.options.italian_wars
            && state.mover == Team::First
            && state.team(Nation::Italy) == Some(Team::First)
            && self.standing(state, Nation::Italy) == Standing::Neutral
            && state.turn >= self.rules.setup.situation.declarations_from
    }

    /// Whether Italy may declare war on a neutral minor: one at a time, the next in the turn after the conquest (14.34, 14.342).
    pub(super) fn may_italy_attack(&self, state: &State, on: Nation) -> bool {
        let wars = &state.affairs.counts.italy;
        self.is_free_italy(state)
            && self.rules.optional.italian_targets & on.bit() != 0
            && self.standing(state, on) == Standing::Neutral
            && state.team(on).is_none()
            && wars.victim.is_none()
            && (wars.last_conquest == 0 || state.turn > wars.last_conquest)
    }

    /// Whether Italy may declare war on France and Great Britain: no Allied land unit guards the French Alps (14.345).
    pub(super) fn may_italy_join(&self, state: &State, on: Nation) -> bool {
        let guarded =
            self.rules.optional.italian_gate.is_some_and(|gate| state.manned(Team::Second).contains(gate));
        self.is_free_italy(state) && on == Nation::France && self.does_france_fight(state) && !guarded
    }

    /// Whether Great Britain may declare war on Italy, which is at war with a minor (14.344).
    pub(super) fn may_britain_answer(&self, state: &State, on: Nation) -> bool {
        on == Nation::Italy
            && state.mover == Team::Second
            && self.is_at_war(state, Nation::GreatBritain)
            && self.standing(state, Nation::Italy) == Standing::Neutral
            && state.affairs.counts.italy.victim.is_some()
    }

    /// A war of Italy begins; whether this is one (14.34).
    pub(super) fn begin_italian_war(
        &self,
        state: &mut State,
        by: Nation,
        on: Nation,
        context: &mut impl Rolls,
    ) -> bool {
        let turn = state.turn;
        let wars = &mut state.affairs.counts.italy;
        match (by, on) {
            (Nation::Italy, Nation::France) => wars.against_france = turn,
            (Nation::GreatBritain, Nation::Italy) => {
                // France with it (14.344).
                let allies = [Nation::GreatBritain, Nation::France];
                let at_war = allies.into_iter().filter(|ally| state.belligerents & ally.bit() != 0);
                state.affairs.surprise.by |= at_war.fold(0, |mask: Nations, ally| mask | ally.bit());
                state.affairs.surprise.on |= Nation::Italy.bit();
            }
            (Nation::Italy, _) => {
                wars.victim = Some(on);
                if wars.first == 0 {
                    wars.first = turn;
                }
                return false;
            }
            _ => return false,
        }
        self.set_standing(state, Nation::Italy, Standing::Belligerent, context);
        self.italian_conquests_pass(state, context);
        true
    }

    /// At war with Great Britain Italy holds what it has conquered in wars of its own no longer: it is Germany's (14.343).
    pub(super) fn italian_conquests_pass(&self, state: &mut State, context: &mut impl Rolls) {
        let lands = state.lands_of(Nation::Italy.bit());
        for area in lands.filter(|area| self.country_of(area).owner != Nation::Italy) {
            self.bequeath(state, area, Team::First, Nation::Germany, context);
        }
    }

    /// A minor has fallen: Italy's war with it is over (14.342).
    pub(super) fn end_italian_war(&self, state: &mut State, nation: Nation) {
        let turn = state.turn;
        let wars = &mut state.affairs.counts.italy;
        if wars.victim == Some(nation) {
            (wars.victim, wars.last_conquest) = (None, turn);
        }
    }

    /// Whether a war between two nations is one of neutral Italy or of the USSR and its victim's alone; `None` if neither is such a
    /// victim (14.343, 14.321).
    pub(super) fn war_apart_between(&self, state: &State, one: Nation, other: Nation) -> Option<bool> {
        let counts = &state.affairs.counts;
        let wars = [(Nation::Italy, counts.italy.victim), (Nation::SovietUnion, counts.soviets.victim)];
        let mut with = wars.into_iter().filter(|(_, victim)| [Some(one), Some(other)].contains(victim));
        with.next().map(|(by, _)| one == by || other == by || one == other)
    }

    /// Whether Italy pays for its fleets though it is neutral: from the turn after its first war (14.341).
    pub(crate) fn keeps_fleets_in_peace(&self, state: &State, nation: Nation) -> bool {
        let first = state.affairs.counts.italy.first;
        nation == Nation::Italy && first > 0 && state.turn > first
    }

    /// Areas into which Italy that has come in before Paris fell does not go: in the turn of its declaration all of the enemy's but the
    /// French Alps, then France outside the southern climate zone, while France fights (14.345).
    pub(super) fn closed_to_italy(&self, state: &State, nation: Nation) -> Areas {
        let turn = state.affairs.counts.italy.against_france;
        if turn == 0 || nation != Nation::Italy || !self.does_france_fight(state) {
            return Areas::EMPTY;
        }
        if state.turn == turn && state.mover == Team::First {
            let mut closed = *state.held(Team::Second);
            if let Some(gate) = self.rules.optional.italian_gate {
                closed.remove(gate);
            }
            return closed;
        }
        let france = self.tables.home[Nation::France.index()];
        france.filter(|area| self.zone(area) != Zone::Southern)
    }
}
