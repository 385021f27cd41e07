//! The map as a nation's units see it: what is friendly, what is enemy, where straits are open (4.1, 1.7, 7.1, 7.23).

use crate::board::Bloc;
use crate::game::VictoryInEurope;
use crate::nation::{Force, Nation, Team};
use crate::place::UnitId;
use crate::rules::{Areas, Arm, Entry, Gate, GateRule, Seas, Units};
use crate::state::State;

/// Areas by what they are to a nation (4.1). What is in none of the sets is neutral to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    /// Its own and its allies', no battle being due.
    pub friendly: Areas,
    /// Of those it is at war with, no battle being due.
    pub enemy: Areas,
    /// Battles are due there.
    pub disputed: Areas,
}

/// Sea zones by who is in them, ships or aircraft (7.1, R-35).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waters {
    /// Units of its own side.
    pub friendly: Seas,
    /// Units of those it is at war with.
    pub enemy: Seas,
    /// Units of others: they may be passed, but no zone is shared with them (13, Italy).
    pub strangers: Seas,
}

impl VictoryInEurope {
    /// Areas as units of a nation see them.
    #[inline]
    pub(crate) fn ground(&self, state: &State, nation: Nation) -> Ground {
        let disputed = state.disputed();
        let own = self.bloc(state, nation);
        let friendly = self.areas_of_bloc(state, own).difference(&disputed);
        let enemy = self.areas_of_enemies(state, own).difference(&disputed);
        Ground { friendly, enemy, disputed }
    }

    /// Sea zones as units of a nation see them.
    pub(crate) fn waters(&self, state: &State, nation: Nation) -> Waters {
        let own = self.bloc(state, nation);
        let enemies = self.enemies_of(state, own);
        let strangers = self.at_sea(state, own, self.strangers(state, own, &enemies));
        let friends = state.roster.at_sea.difference(&enemies).difference(&strangers);
        Waters {
            friendly: state.seas_with(&friends),
            enemy: state.seas_with(&enemies),
            strangers: state.seas_with(&strangers),
        }
    }

    /// Sea zones with enemies of a nation, ships or aircraft.
    pub(super) fn enemy_waters(&self, state: &State, nation: Nation) -> Seas {
        state.seas_with(&self.enemies_of(state, self.bloc(state, nation)))
    }

    /// Units on the map that are neither of a bloc nor of its `enemies`.
    #[inline]
    pub(super) fn strangers(&self, state: &State, bloc: Bloc, enemies: &Units) -> Units {
        state.roster.on_map.difference(enemies).difference(&self.units_of_bloc(state, bloc))
    }

    /// Those of the strangers of a bloc that count at sea: Western Allies and Soviets share it once they fight the same war.
    pub(super) fn at_sea(&self, state: &State, bloc: Bloc, strangers: Units) -> Units {
        if !self.are_allied(state, bloc.force(), Some(Force::Western)) {
            return strangers;
        }
        let [western, soviet] =
            &[Force::Western, Force::Soviet].map(|force| self.bloc_of_force(state, force));
        strangers.difference(western).difference(soviet)
    }

    /// Western Allies and Soviets share the sea once they fight the same war.
    pub(super) fn are_allied(&self, state: &State, a: Option<Force>, b: Option<Force>) -> bool {
        state.politics.ussr == Entry::AtWar
            && a.zip(b).is_some_and(|(a, b)| a.team() == Team::Allies && b.team() == Team::Allies)
    }

    /// Whether ships (or those they carry) of a nation may pass a gate now (7.23, 13).
    pub(crate) fn is_open(&self, ground: &Ground, nation: Nation, gate: &Gate) -> bool {
        let friendly = || gate.sides.iter().all(|&side| ground.friendly.contains(side));
        match gate.rule {
            GateRule::NoEnemy => {
                !gate.sides.iter().any(|&side| ground.enemy.contains(side) || ground.disputed.contains(side))
            }
            GateRule::MajorHoldsAll => nation.is_major() && friendly(),
            GateRule::GermanFriendly => nation == Nation::Germany && friendly(),
        }
    }

    /// Places from which the enemies who stand with a unit have come, areas and seas: in the Movement Phase it may not leave
    /// over the borders to them (4.3). Aircraft and paratroops use no border.
    pub(crate) fn enemy_entries(&self, state: &State, unit: UnitId) -> (Areas, Seas) {
        let (mut areas, mut seas) = (Areas::EMPTY, 0);
        for enemy in self.units_at(state, state.location(unit), self.team(state, unit).other()) {
            let via = state.via(enemy);
            if self.arm(enemy) == Arm::Air || state.has_jumped(enemy) || !via.is_on_map() {
                continue;
            }
            match via.sea_zone() {
                Some(zone) => seas |= 1 << zone,
                None => areas.insert(via),
            }
        }
        (areas, seas)
    }
}
