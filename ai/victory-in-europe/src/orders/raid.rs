//! Raids of bombers on factories.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Arm, Target};
use sandtable_victory_in_europe::{Action, Force, Place, State, UnitId, VictoryInEurope};

use super::landing::Landing;
use super::offensive::Offensive;
use super::{Orders, Situation};
use crate::assessment::{area_of, fire};

/// Least gain of a raid.
pub(super) const RAID: f32 = 1.5;

impl Orders {
    /// The raid on a factory that brings most, of any bomber.
    pub(super) fn best_raid(&self, situation: &Situation<'_>) -> Option<(f32, UnitId, Place)> {
        let &Situation { game, assessment, state, legal, .. } = situation;
        let mut most: Option<(f32, UnitId, Place)> = None;
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            let bombs = fire(game, unit, Target::Factory);
            if game.arm(unit) != Arm::Air || self.asked[unit.at()] || bombs == 0 {
                continue;
            }
            let Some(force) = game.force(state, unit) else { continue };
            if area_of(state, unit).is_none() || state.command_of(force) < game.rules.charts.battle_cm {
                continue;
            }
            let (reach, _) = game.air_reach(state, unit, game.unit_type(unit).moves);
            for goal in reach.and(&assessment.hostile[force.index()]).difference(&state.disputed()) {
                if state.factory(goal) == 0
                    || assessment.relieves && force == Force::Western
                    || force == Force::Axis && assessment.western_campaign.is_some()
                {
                    continue;
                }
                let gain = assessment.raid(game, state, unit, goal);
                if gain > most.map_or(0.5, |most| most.0) {
                    most = Some((gain, unit, goal));
                }
            }
        }
        most
    }
}

/// Whether a raid would take a command point from a plan or a landing.
pub(super) fn shares_command(
    game: &VictoryInEurope,
    state: &State,
    unit: UnitId,
    plan: Option<Offensive>,
    landing: Option<Landing>,
) -> bool {
    let raider = game.force(state, unit);
    let lands = landing.is_some_and(|landing| Some(landing.force) == raider);
    let attacks = plan.is_some_and(|plan| {
        plan.units[..plan.count].iter().any(|&(other, _)| game.force(state, other) == raider)
    });
    lands || attacks
}
