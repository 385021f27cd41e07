//! Where ships sail and where they fight.

use sandtable_blitzwar::location::{Counter, Location, Sea};
use sandtable_blitzwar::rules::{Seas, Zones};
use sandtable_blitzwar::{Action, BlitzWar, Force, Kind, State};
use sandtable_core::Index;

use super::{Scripted, best_by};

/// Submarines that the Axis keeps for the blockade: as many as the Allies have side points in Great Britain (12.4).
pub(super) const BLOCKADE: i16 = 7;

impl Scripted {
    /// Units wanted at a station beyond those there; negative if there are too many.
    pub(super) fn station_gap(
        &self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        sea: Sea,
        submarines: bool,
    ) -> i16 {
        let turn = state.turn();
        let mut wanted = 0i16;
        for (at, station) in &self.map_tables.stations[force.index()] {
            let open = (station.turns.0..=station.turns.1).contains(&turn)
                && station.needs.is_none_or(|country| state.status(country).force() == Some(force));
            if *at == sea && open && station.submarines == submarines {
                wanted = wanted.max(i16::from(station.units));
            }
        }
        // Submarines are hunted where they are: a unit of them costs a unit of supply every turn (12.4).
        if force == Force::Allied && turn > 1 && game.rules.landmarks.north_atlantic == sea {
            wanted = wanted.max(self.boats(state, sea));
        }
        let kind = if submarines { 2 } else { 1 };
        let there: i16 = state
            .stack(Location::of_sea(sea))
            .filter(|&counter| {
                self.map_tables.naval[counter.at()] == kind && game.force(state, counter) == Some(force)
            })
            .map(|counter| i16::from(state.strength(counter)))
            .sum();
        wanted - there
    }

    /// Submarines in a sea.
    pub(super) fn boats(&self, state: &State, sea: Sea) -> i16 {
        state
            .stack(Location::of_sea(sea))
            .filter(|&counter| self.map_tables.naval[counter.at()] == 2)
            .map(|counter| i16::from(state.strength(counter)))
            .sum()
    }

    pub(super) fn sail(&self, game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        if self.plan.board.budget < 4 {
            return legal[0];
        }
        let own = game.own_area(state, force);
        best_by(legal, |action| {
            let Action::Select(counter) = action else { return 0.5 };
            let submarines = self.map_tables.naval[counter.at()] == 2;
            let here = state.location(counter);
            // Ships at a station that would miss them stay.
            if let Some(sea) = here.sea()
                && self.station_gap(game, state, force, sea, submarines) + i16::from(state.strength(counter))
                    > 0
            {
                return 0.0;
            }
            let reached = Self::seas_in_reach(game, &own, here, submarines);
            let wanted = self.map_tables.stations[force.index()].iter().any(|&(sea, station)| {
                sea.is_in(reached)
                    && station.submarines == submarines
                    && self.station_gap(game, state, force, sea, submarines) > 0
            });
            if wanted { 1.0 } else { 0.0 }
        })
    }

    /// Seas that ships can move to this turn (12.1): submarines pass all straits.
    pub(super) fn seas_in_reach(game: &BlitzWar, own: &Zones, place: Location, submarines: bool) -> Seas {
        let seas = &game.rules.seas;
        let at_sea = place.sea().filter(|&sea| sea.at() < seas.len());
        let mut reached: Seas = at_sea.map_or_else(|| game.port_seas(place), Sea::mask);
        let steps = game.rules.limits.naval_move - u8::from(at_sea.is_none());
        let mut ring = reached;
        for _ in 0..steps {
            let mut next: Seas = 0;
            while ring != 0 {
                let sea = &seas[ring.trailing_zeros() as usize];
                ring &= ring - 1;
                let shut = sea.straits.iter().filter(|&&(_, key)| !submarines && !own.contains(key));
                next |= shut.fold(sea.neighbours, |open, &(to, _)| open & !to.mask());
            }
            ring = next & !reached;
            reached |= next;
        }
        reached
    }

    pub(super) fn naval_attack(game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        best_by(legal, |action| {
            let Action::NavalAttack(sea) = action else { return 0.0 };
            let (mut ours, mut theirs) = (0i16, 0i16);
            let mut boats = 0i16;
            for counter in state.stack(Location::of_sea(sea)) {
                if game.kind(counter).is_naval() {
                    match game.force(state, counter) {
                        Some(owner) if owner == force => ours += i16::from(state.strength(counter)),
                        Some(owner) if owner.opposes(force) => {
                            theirs += i16::from(state.strength(counter));
                            boats += i16::from(game.kind(counter) == Kind::Submarine);
                        }
                        _ => {}
                    }
                }
            }
            // The table is even whatever the numbers (12.2). Submarines on the shipping lanes are worth a fleet each: the
            // Allies always hunt them, and the Axis risks those alone that the blockade does not count.
            let bold = match force {
                Force::Axis => ours - theirs - BLOCKADE,
                _ if boats > 0 => 1,
                _ => ours - theirs,
            };
            f32::from(bold) + 0.5
        })
    }

    /// The sea that wants the ships most, of those in reach.
    pub(super) fn sail_to(
        &self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        counter: Counter,
        legal: &[Action],
    ) -> Action {
        let submarines = self.map_tables.naval[counter.at()] == 2;
        best_by(legal, |action| {
            let Action::Go(place) = action else { return f32::MIN };
            let Some(sea) = place.sea() else { return -1.0 };
            let order = self.map_tables.stations[force.index()].iter().position(|&(at, station)| {
                at == sea
                    && (station.turns.0..=station.turns.1).contains(&state.turn())
                    && station.submarines == submarines
                    && self.station_gap(game, state, force, sea, submarines) > 0
            });
            order.map_or(-2.0, |order| 20.0 - order as f32)
        })
    }
}
