//! Missions, beachheads, bases and answers to enemy air.

use sandtable_blitzwar::location::{Counter, Location, Zone};
use sandtable_blitzwar::rules::Zones;
use sandtable_blitzwar::{Action, BlitzWar, Force, Kind, Nation, State};
use sandtable_core::{Index, Rng64};

use super::reinforcement::free_units;
use super::{Effort, Scripted, best_by, last};

/// Zones of Great Britain that have air at least before the Allies base any elsewhere, while they wait to land in the west.
const CAMP_BASES: u32 = 3;

/// Enemy corps beside a zone, for each that holds it, from which an attack is likely.
const PRESSED: f32 = 0.8;

/// Air units that gather at Gibraltar for the landing in French North Africa.
const TORCH_AIR: u8 = 4;

impl Scripted {
    /// How good a zone is as an air base: targets in range, and safe.
    pub(super) fn base_score(&self, game: &BlitzWar, zone: Zone) -> f32 {
        let board = &self.plan.board;
        let range = game.air_range(zone);
        let targets = match self.effort {
            Effort::Full => range.and(&board.air_targets).len().min(8) as f32,
            Effort::Light => f32::from(u8::from(range.intersects(&board.air_targets))),
        };
        let mut score = targets + 3.0 * board.pull(zone);
        if game.adjacent(zone).intersects(&board.foes) {
            score -= if board.strength[zone.at()] < 3 { 6.0 } else { 1.0 };
        }
        if self.map_tables.britain.contains(zone) {
            // Home defence, bombing and the coast of the Channel, which every landing needs.
            let channel = game.rules.landmarks.london;
            score += if zone == channel { 4.0 } else { 1.0 };
            if board.camp {
                let there = board.air_at.and(&self.map_tables.britain).len();
                score += if there < CAMP_BASES { 12.0 } else { 2.0 };
            }
        }
        if board.torch && Some(zone) == self.map_tables.gibraltar {
            score += if board.air_count[zone.at()] < TORCH_AIR { 30.0 } else { 0.0 };
        }
        if zone == self.map_tables.america {
            score -= 6.0;
        }
        score
    }

    pub(super) fn bomb(&self, legal: &[Action]) -> Action {
        // Bombers come from what the planned battles leave over.
        let spoken: usize = self.plan.air.iter().map(|&(_, units)| units as usize).sum();
        if self.plan.board.air.len() > spoken + 3 { last(legal) } else { legal[0] }
    }

    /// Own air over a place, on mission.
    pub(super) fn flown(&self, game: &BlitzWar, state: &State, place: Location) -> u8 {
        state
            .stack(place)
            .filter(|&counter| {
                game.kind(counter) == Kind::Air
                    && state.is_turned(counter)
                    && game.force(state, counter) == Some(self.plan.board.force)
            })
            .count() as u8
    }

    pub(super) fn reaches(game: &BlitzWar, state: &State, counter: Counter, place: Location) -> bool {
        let base = state.location(counter);
        if !base.is_zone() {
            return false;
        }
        if place.is_zone() {
            return game.air_range(base).contains(place);
        }
        place.sea().is_some_and(|sea| sea.is_in(game.coast(base)))
    }

    pub(super) fn fly(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        for &(place, units) in &self.plan.air {
            if self.flown(game, state, place) < units && self.is_open(game, state, place) {
                for &action in legal {
                    if let Action::Select(counter) = action
                        && Self::reaches(game, state, counter, place)
                        && (place.is_zone()
                            || self.plan.board.force == Force::Allied
                            || game.nation(counter) == Nation::Ger)
                    {
                        return action;
                    }
                }
            }
        }
        if self.surplus_air(game, state) > 0 {
            for &action in legal {
                if let Action::Select(counter) = action
                    && state.location(counter).is_zone()
                    && self.sweeps(game, state, game.air_range(state.location(counter)))
                {
                    return action;
                }
            }
        }
        legal[0]
    }

    /// Whether enemy air would come up to answer a mission over a zone of these where enemies stand.
    fn sweeps(&self, game: &BlitzWar, state: &State, zones: &Zones) -> bool {
        let board = &self.plan.board;
        zones
            .and(&board.foes)
            .iter()
            .any(|zone| !game.snow_at(state, zone) && board.answers(game, state, zone) > 0)
    }

    /// Air units for which the next card brings others that would find no counter: they can as well be spent in duels.
    fn surplus_air(&self, game: &BlitzWar, state: &State) -> i16 {
        let force = self.plan.board.force;
        let next =
            state.cards(force)[1].map_or(0, |card| game.rules.decks[force.index()][usize::from(card)].air);
        let flown = game
            .counters_of(state, force)
            .iter()
            .filter(|&counter| game.kind(counter) == Kind::Air && state.is_turned(counter))
            .count();
        i16::from(next) - free_units(game, state, force, Kind::Air) as i16 - flown as i16
    }

    /// Whether a mission makes sense by now: over a zone to be landed at only once air stands at sea for the beachheads.
    fn is_open(&self, game: &BlitzWar, state: &State, place: Location) -> bool {
        self.plan.landing.is_none_or(|landing| {
            landing.zone != place || self.flown(game, state, Location::of_sea(landing.sea)) > 0
        })
    }

    pub(super) fn beachhead(&self, state: &State, legal: &[Action]) -> Action {
        let Some(landing) = self.plan.landing else { return legal[0] };
        best_by(legal, |action| match action {
            Action::Beachhead { counter, zone }
                if zone == landing.zone && state.location(counter) == Location::of_sea(landing.sea) =>
            {
                2.0
            }
            Action::Pass => 1.0,
            _ => 0.0,
        })
    }

    pub(super) fn rebase(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        // Only units with nothing in range move up, and to something better, so that the phase is short.
        let board = &self.plan.board;
        let torch = board.torch
            && self
                .map_tables
                .gibraltar
                .is_some_and(|base| board.open.contains(base) && board.air_count[base.at()] < TORCH_AIR)
            && self.map_tables.britain.iter().map(|zone| board.air_count[zone.at()]).sum::<u8>() > TORCH_AIR;
        let mut best = None;
        best_by(legal, |action| {
            let Action::Select(counter) = action else { return 0.5 };
            let base = state.location(counter);
            let useful =
                base != self.map_tables.america && game.air_range(base).intersects(&board.air_targets);
            let exposed = game.adjacent(base).intersects(&self.plan.board.foes)
                && self.plan.board.strength[base.at()] < 3;
            let guard = self.map_tables.britain.contains(base);
            if torch && guard {
                return 1.0;
            }
            if guard || useful && !exposed || board.air_targets.is_empty() {
                return 0.0;
            }
            let best = *best.get_or_insert_with(|| {
                let bases = game.own_area(state, self.plan.board.force);
                bases.iter().map(|zone| self.base_score(game, zone)).fold(f32::MIN, f32::max)
            });
            if best > self.base_score(game, base) + 1.0 { 1.0 } else { 0.0 }
        })
    }

    /// Answers enemy air where a battle is in the making.
    pub(super) fn answer(
        &self,
        game: &BlitzWar,
        state: &State,
        force: Force,
        target: Zone,
        legal: &[Action],
        rng: &mut Rng64,
    ) -> Action {
        let spare = legal.len() - 1;
        let answers = if target.is_zone() {
            let corps = game.corps_in(state, target, force);
            let held = corps.0 + corps.1;
            held > 0
                && (spare >= 3
                    || self.map_tables.worth[target.at()] > 1.0
                    || force == Force::Axis && is_pressed(game, state, force, target, held)
                    || rng.unit() < 0.5)
        } else {
            spare >= 2
        };
        if answers { legal[1] } else { legal[0] }
    }

    /// Where air flies that is up: as planned, never over a neutral.
    pub(super) fn fly_to(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let wanted = self
            .plan
            .air
            .iter()
            .find(|&&(place, units)| {
                self.flown(game, state, place) < units
                    && self.is_open(game, state, place)
                    && legal.contains(&Action::Go(place))
            })
            .map(|&(place, _)| Action::Go(place));
        wanted.unwrap_or_else(|| {
            best_by(legal, |action| match action {
                Action::Go(place) if !place.is_zone() => 1.0,
                Action::Go(place) if self.plan.board.foes.contains(place) => {
                    let answered = self.plan.board.answers(game, state, place) > 0;
                    2.0 + if answered { 1.1 + 0.1 * self.map_tables.worth[place.at()] } else { 0.0 }
                }
                Action::Go(place) if self.plan.board.hostile.contains(place) => 1.5,
                Action::Go(_) => 0.0,
                _ => 3.0,
            })
        })
    }

    /// The best base for air that changes it.
    pub(super) fn rebase_to(
        &mut self,
        game: &BlitzWar,
        state: &State,
        counter: Counter,
        legal: &[Action],
    ) -> Action {
        let choice = best_by(legal, |action| {
            let Action::Go(zone) = action else { return f32::MIN };
            self.base_score(game, zone)
        });
        if let Action::Go(zone) = choice {
            let count = &mut self.plan.board.air_count;
            let from = state.location(counter).at();
            count[from] = count[from].saturating_sub(1);
            count[zone.at()] += 1;
        }
        choice
    }
}

/// Whether enemies beside a zone that so many corps hold could attack it.
fn is_pressed(game: &BlitzWar, state: &State, force: Force, zone: Zone, held: u8) -> bool {
    let mut beside = 0;
    for enemy in Force::ALL.into_iter().filter(|&enemy| enemy.opposes(force)) {
        for near in game.adjacent(zone).and(state.corps(enemy)) {
            let (infantry, armour) = game.corps_in(state, near, enemy);
            beside += infantry + armour;
        }
    }
    f32::from(beside) >= PRESSED * f32::from(held)
}
