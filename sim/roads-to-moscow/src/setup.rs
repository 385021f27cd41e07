//! The opening position.

use sandtable_core::units::UnitPlaces;
use sandtable_core::{Board, Index};

use crate::Rolls;
use crate::battle::Battle;
use crate::game::RoadsToMoscow;
use crate::ids::{Air, Formations, Hexes, MAX_FORMATIONS, Markers, Player, UnitId, Units, place};
use crate::phase::{Phase, Sequence};
use crate::rules::{Entry, Weather};
use crate::state::{Attack, MAX_ATTACKS, Mark, State};

impl RoadsToMoscow {
    /// The scenario's set-up before the first turn begins: all supplied, unfired, unspent, in good order (17.6).
    pub fn position(&self) -> State {
        let scenario = &self.rules.scenario;
        let mut places = UnitPlaces::all_in(place::OUT);
        for (at, entry) in self.rules.entries.iter().enumerate() {
            places.put(
                UnitId::nth(at),
                match entry {
                    Entry::At(hex) => *hex,
                    Entry::From { .. } => place::AWAITING,
                    Entry::Optional { .. } | Entry::Fuel { .. } | Entry::Never => place::OUT,
                },
            );
        }
        let mut state = State {
            phase: Phase::OptionalGroups,
            decider: Player::German,
            active: Player::German,
            sequence: Sequence::None,
            turn: 1,
            weather: Weather::Dry,
            first: scenario.first,
            initiative: [0; 2],
            opening: false,
            winner: scenario.attacker.enemy(),
            automatic: false,
            points: [0; 2],
            in_play: Markers::EMPTY,
            cup: Markers::EMPTY,
            left_out: Markers::EMPTY,
            played: Markers::EMPTY,
            drawn: None,
            pool: [None; 2],
            pool_not: [Formations::EMPTY; 2],
            reserve: Formations::EMPTY,
            reserve_until: [0; MAX_FORMATIONS],
            formations: Formations::EMPTY,
            fuel_decided: Formations::EMPTY,
            army_attempts: 0,
            digs_left: 0,
            unfuelled: Formations::EMPTY,
            groups: 0,
            ready: Air::EMPTY,
            flown: Air::EMPTY,
            places,
            on_map: Units::EMPTY,
            marks: [Units::EMPTY; Mark::COUNT],
            occupied: [Hexes::EMPTY; 2],
            projecting: [Hexes::EMPTY; 2],
            zoc: [Hexes::EMPTY; 2],
            german: scenario.german_hexes.iter().copied().collect(),
            positions: [Hexes::EMPTY, scenario.soviet_positions.iter().copied().collect()],
            no_retreat: Hexes::EMPTY,
            closed_entries: [0; 2],
            lines_destroyed: 0,
            moving: Units::EMPTY,
            movement_left: 0,
            newly_low: Units::EMPTY,
            under_way: false,
            has_entered: false,
            burdened: false,
            reacting: false,
            must_overrun: false,
            unit: UnitId::NONE,
            hex: place::OUT,
            attacks: [Attack::NONE; MAX_ATTACKS],
            attack_count: 0,
            battle: Battle::NONE,
        };
        self.derive_places(&mut state);
        self.derive_control(&mut state);
        state
    }

    /// The set-up, and the first turn begun.
    pub(crate) fn starting_state(&self, context: &mut impl Rolls) -> State {
        let mut state = self.position();
        self.begin_turn(&mut state, context);
        state
    }

    /// Whether the set-up is one that the engine can play.
    pub(crate) fn check_set_up(&self) -> Result<(), String> {
        for (at, entry) in self.rules.entries.iter().enumerate() {
            if let Entry::At(hex) = entry
                && !self.board().places().contains(*hex)
            {
                let unit = &self.rules.units[at].id;
                return Err(format!("{unit} stands in {}, not in play", crate::ids::hex_number(*hex)));
            }
        }
        for &(hex, _) in &self.rules.scenario.objectives {
            if !self.board().places().contains(hex) {
                return Err(format!("objective {} is not in play", crate::ids::hex_number(hex)));
            }
        }
        self.check_invariants(&self.position())
    }
}
