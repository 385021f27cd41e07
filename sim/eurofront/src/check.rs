//! Invariants of a state.

use crate::game::EuroFront;
use crate::ids::{Account, Blocks, Camp, Faction, is_on_map, place};
use crate::rules::{Acclimatised, Status};
use crate::state::{Mark, State};

impl EuroFront {
    /// The state with everything derived worked out anew.
    pub(crate) fn recomputed(&self, state: &State) -> State {
        let mut fresh = *state;
        for camp in Camp::ALL {
            let standing = self.blocks_of(camp).filter(|block| is_on_map(state.at(block)));
            fresh.standing[camp.index()] = standing;
            fresh.occupied[camp.index()] = state.places.occupied(&standing);
        }
        fresh
    }

    /// Names the first invariant that does not hold.
    pub(crate) fn check_invariants(&self, state: &State) -> Result<(), String> {
        let all = state.standing[0].or(&state.standing[1]);
        for block in self.block_ids() {
            let name = &self.block(block).id;
            let brief = self.brief(block);
            if !all.contains(block) {
                let lost = state.at(block) == place::ELIMINATED;
                let kept = [
                    (Mark::Ordered, true),
                    (Mark::FALLEN, lost && brief.nation == self.nations().britain),
                    (Mark::FALLEN_ABROAD, lost && brief.class != Acclimatised::Alien),
                    (Mark::EQUIVALENT, lost && self.status(state, brief.nation) == Status::Defeated),
                ];
                let kept = |at: usize| kept.iter().any(|&(mark, may)| may && mark as usize == at);
                if state.marks.iter().enumerate().any(|(at, set)| !kept(at) && set.contains(block)) {
                    return Err(format!("{name} is off the map and marked"));
                }
                continue;
            }
            let (at, steps) = (state.at(block), state.steps[block]);
            if !self.map().in_play.contains(at) {
                return Err(format!(
                    "{name} stands in column {} row {}, which is not in play",
                    at.place(),
                    at.line()
                ));
            }
            if !(brief.least..=brief.full).contains(&steps) {
                return Err(format!("{name} has {steps} steps, of {}", brief.full));
            }
        }
        let battles = state.battles();
        if state.active != Faction::Allies && !state.by_cape().is_empty() {
            return Err("others than the Allies are supplied round the Cape (21.381)".into());
        }
        let new = state.new_battles.difference(&state.by_cape());
        for (what, hexes) in [("defended", &state.coalition_defends), ("new", &new)] {
            if !hexes.difference(&battles).is_empty() {
                return Err(format!("a hex without a battle counts as a {what} battle"));
            }
        }
        let headquarters = &self.sets().headquarters;
        if !state.marked(Mark::Active).difference(headquarters).is_empty() {
            return Err("a unit that is no headquarters is activated".into());
        }
        if !state.marked(Mark::Blitz).difference(state.marked(Mark::Active)).is_empty() {
            return Err("a Blitz headquarters is not activated".into());
        }
        for camp in Camp::ALL {
            let alone = state.occupied[camp.enemy().index()].difference(&state.occupied[camp.index()]);
            if self.is_civil_war() && state.garrisons(camp).intersects(&alone) {
                return Err("a garrison stands in a hex that the enemy holds (1936 rule 2)".into());
            }
        }
        if let Some(account) = Account::ALL.into_iter().find(|account| state.points[account.index()] < 0) {
            return Err(format!("{} production points of {}", state.points[account.index()], account.id()));
        }
        if state.friendly[0].intersects(&state.friendly[1]) {
            return Err("both sides control one hex".into());
        }
        // More than the limit stand in a hex only after headquarters deployed or units were repulsed (5.21, 6.22).
        for camp in Camp::ALL {
            for hex in state.occupied[camp.index()] {
                let stack: Blocks = state.stack(hex, camp).difference(headquarters);
                let limit = u32::from(self.terrain_effect(hex).stacking);
                if stack.len() > limit + 4 {
                    return Err(format!(
                        "{} units in column {} row {}",
                        stack.len(),
                        hex.place(),
                        hex.line()
                    ));
                }
            }
        }
        Ok(())
    }
}
