//! Invariants of a state, and derived fields worked out anew.

use sandtable_core::Board;

use crate::game::RoadsToMoscow;
use crate::ids::{Hexes, Player, Units, hex_number, place};
use crate::phase::Phase;
use crate::state::{Mark, State, is_hex};

impl RoadsToMoscow {
    /// The state with every derived field computed from the primary ones.
    pub fn recomputed(&self, state: &State) -> State {
        let mut fresh = *state;
        self.derive_places(&mut fresh);
        fresh
    }

    /// Checks the invariants of a state.
    ///
    /// # Errors
    /// Names the first that does not hold.
    pub fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.check_places(state)?;
        self.check_markers(state)?;
        if self.recomputed(state) != *state {
            return Err("a derived field differs from its sources".into());
        }
        for hex in self.board().places() {
            self.check_hex(state, hex)?;
        }
        Ok(())
    }

    fn check_places(&self, state: &State) -> Result<(), String> {
        for unit in self.unit_ids() {
            let (at, id) = (state.at(unit), &self.unit(unit).id);
            if is_hex(at) && !self.board().places().contains(at) {
                return Err(format!("{id} stands off the board"));
            }
            if !is_hex(at) && ![place::OUT, place::AWAITING, place::ELIMINATED].contains(&at) {
                return Err(format!("{id} is nowhere"));
            }
        }
        let one_step: Units = state.marked(Mark::Reduced).difference(&self.sets().two_steps);
        if let Some(unit) = one_step.first() {
            return Err(format!("{} has one step and has lost one", self.unit(unit).id));
        }
        let helpless = state.marked(Mark::Disorganised).difference(&self.sets().combat);
        if let Some(unit) = helpless.first() {
            return Err(format!("{} can never be disorganised", self.unit(unit).id));
        }
        Ok(())
    }

    /// Every marker in play lies in one place.
    fn check_markers(&self, state: &State) -> Result<(), String> {
        let single = state.pool.iter().flatten().chain(&state.drawn).copied();
        let singles: Vec<_> = single.collect();
        for &marker in &singles {
            if state.cup.contains(marker) || state.played.contains(marker) || state.left_out.contains(marker)
            {
                return Err(format!("marker {} lies in two places", marker.0));
            }
        }
        if state.cup.intersects(&state.played) || state.cup.intersects(&state.left_out) {
            return Err("a marker is in the cup and out of it".into());
        }
        if !state.cup.difference(&state.in_play).is_empty() {
            return Err("a marker in the cup is not in the game".into());
        }
        for player in Player::ALL {
            let fits = |marker: &Option<_>| marker.is_some_and(|it| self.fits_pool(state, player, it));
            let pool = &state.pool[player.index()];
            // A marker chosen and not yet shown may have come from the pool.
            let chosen = state.phase == Phase::Sequence && state.active == player && fits(&state.drawn);
            let empty = pool.is_none() && state.pool_not[player.index()].is_empty();
            if !fits(pool) && !empty && !chosen {
                return Err(format!("what {} has shown of his pool does not fit it", player.name()));
            }
        }
        Ok(())
    }

    /// No enemies together; stacking between phases (3.32).
    fn check_hex(&self, state: &State, hex: sandtable_core::Hex) -> Result<(), String> {
        if state.occupied.iter().all(|held| held.contains(hex)) {
            return Err(format!("combat units of both sides stand in {}", hex_number(hex)));
        }
        let settled =
            matches!(state.phase, Phase::Marker | Phase::Reserve | Phase::OptionalGroups | Phase::Over);
        if settled {
            for player in Player::ALL {
                let points = self.stacking(&state.stack(hex).and(self.units_of(player)));
                if points > self.rules.numbers.stacking {
                    return Err(format!("{points} stacking points in {}", hex_number(hex)));
                }
            }
        }
        let both: Hexes = state.positions[0].and(&state.positions[1]);
        if both.contains(hex) {
            return Err(format!("positions of both sides in {}", hex_number(hex)));
        }
        Ok(())
    }
}
