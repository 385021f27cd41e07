//! Air support units in a battle (6.22, 6.23, 6.6): each is in air combat or supports a block.

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause};
use crate::game::EuropeEngulfed;
use crate::ids::{Team, UnitId, Units};
use crate::phase::{Phase, Stage};
use crate::state::{State, UNDECIDED, mark};

impl EuropeEngulfed {
    /// Air units of a team that take part: those out of supply cannot (A103).
    pub(crate) fn usable_air(&self, state: &State, team: Team) -> Units {
        let here = self.air_units_at(state, team, state.battle.area);
        let surprised = self.surprise(state).on;
        let here = here.filter(|unit| surprised & self.nation(unit).bit() == 0);
        // Those that have fought at sea rest (14.46).
        let tired = if state.phase == Phase::Combat { mark::FLOWN } else { 0 };
        self.fighting(state, team, here).difference(&state.marked(mark::UNSUPPLIED | tired))
    }

    /// Air units of a team that are surprised on their airfields, where those of the enemy can attack them (14.43 a).
    fn air_on_the_ground(&self, state: &State, team: Team) -> Units {
        let surprised = self.surprise(state).on;
        self.air_units_at(state, team, state.battle.area)
            .filter(|unit| surprised & self.nation(unit).bit() != 0)
    }

    /// Air units of a team that can be lost in air combat.
    fn air_in_reach(&self, state: &State, team: Team) -> Units {
        self.usable_air(state, team).or(&self.air_on_the_ground(state, team))
    }

    /// With air units on both sides each says in secret how many fight in the air; else all may support (A57).
    pub(super) fn begin_air(&self, state: &mut State) {
        state.battle.fighters = [UNDECIDED; 2];
        state.battle.air_hits = [0; 2];
        let [first, second] = Team::ALL.map(|team| !self.usable_air(state, team).is_empty());
        let both = Team::ALL.into_iter().all(|team| !self.air_in_reach(state, team).is_empty());
        let both = both && (first || second);
        if both {
            state.battle.stage = Stage::AirSplit(state.battle.striker);
        } else {
            state.battle.fighters = [0; 2];
            self.begin_support(state);
        }
    }

    /// A team says how many fight in the air; when both have, they do, at the same time (play book, L325).
    pub(super) fn split_air(&self, state: &mut State, team: Team, count: u8, context: &mut impl Rolls) {
        state.battle.fighters[team.index()] = count;
        if team == state.battle.striker {
            state.battle.stage = Stage::AirSplit(team.other());
            return;
        }
        let fighters = state.battle.fighters;
        if fighters != [0; 2] {
            // Dice below the number needed miss. The attacker of the round rolls first.
            let mut hits = [0; 2];
            for team in [state.battle.striker, state.battle.striker.other()] {
                let dice = fighters[team.index()];
                let grounded = !self.air_on_the_ground(state, team.other()).is_empty();
                let surprise = if grounded { self.rules.bonuses.surprise } else { 0 };
                let most = u32::from(self.rules.combat.air_hit_on.saturating_sub(1 + surprise));
                hits[team.index()] = dice - context.hits(u32::from(dice), 6, most) as u8;
            }
            for team in Team::ALL {
                let there = self.air_in_reach(state, team).len() as u8;
                state.battle.air_hits[team.index()] = hits[team.other().index()].min(there);
            }
            let shot_down = [state.battle.air_hits[1], state.battle.air_hits[0]];
            context.emit(|| Event::AirCombat { fighters, hits: shot_down });
        }
        self.next_air_loss(state);
    }

    fn next_air_loss(&self, state: &mut State) {
        match Team::ALL.into_iter().find(|team| state.battle.air_hits[team.index()] > 0) {
            Some(team) => state.battle.stage = Stage::AirLoss(team),
            None => self.begin_support(state),
        }
    }

    /// Air units that may be lost: of each nation one (A58).
    pub(super) fn air_losses(&self, state: &State, team: Team, out: &mut Vec<Action>) {
        if state.battle.air_hits[team.index()] > 0 {
            let reached = self.air_in_reach(state, team);
            out.extend(self.distinct(state, &reached, 0).iter().map(Action::Take));
        }
    }

    pub(super) fn lose_air(&self, state: &mut State, team: Team, unit: UnitId, context: &mut impl Rolls) {
        self.lose_step(state, unit, LossCause::AirCombat, context);
        state.battle.air_hits[team.index()] -= 1;
        // Units in air combat first, then supporting ones.
        let fighters = &mut state.battle.fighters[team.index()];
        *fighters = fighters.saturating_sub(1);
        self.next_air_loss(state);
    }

    pub(super) fn air_lost(&self, state: &mut State, team: Team) {
        state.battle.air_hits[team.index()] = 0;
        self.next_air_loss(state);
    }

    /// Who is not in air combat supports, up to the limit of the weather (6.63, A56). The defender of the round fires first.
    fn begin_support(&self, state: &mut State) {
        let limit = self.weather_at(state, state.battle.area).air_support;
        for team in Team::ALL {
            let left = self.usable_air(state, team).len() as u8;
            let bombers = self.supporting_bombers(state, team);
            state.battle.supports[team.index()] =
                (left.saturating_sub(state.battle.fighters[team.index()]) + bombers).min(limit);
        }
        state.battle.fired = 0;
        state.battle.stage = Stage::Support(state.battle.striker.other());
    }

    /// Allied bombers that have not flown a raid in this turn support an invasion, so many as one air unit (2.27, numbers
    /// reconstructed).
    fn supporting_bombers(&self, state: &State, team: Team) -> u8 {
        let battle = &state.battle;
        if team != Team::Second || battle.striker != team || !state.invaded.contains(battle.area) {
            return 0;
        }
        let forces = &state.strategic;
        let free = forces.bombers[team.index()].saturating_sub(forces.raided);
        free / self.rules.strategic.bombers_per_support
    }

    /// Blocks of a team without an air unit: one a block and round (A24).
    pub(super) fn unsupported(&self, state: &State, team: Team) -> Units {
        let blocks = self.fighting(state, team, self.blocks(state, team));
        blocks.filter(|unit| !state.has_mark(unit, mark::SUPPORTED))
    }
}
