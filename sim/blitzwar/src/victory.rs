//! Victory (18) and strategic points (5).

use sandtable_core::{Outcome, PerSide};

use crate::Rolls;
use crate::event::Event;
use crate::game::BlitzWar;
use crate::nation::{Country, Force};
use crate::phase::{Pending, Phase};
use crate::rules::Kind;
use crate::rules::{Rules, VictoryRow};
use crate::state::State;

/// Points of both where no row applies.
const EVEN: (u8, u8) = (5, 5);
/// Causes of the end, by `State::tally[0]`.
const END_REASONS: [&str; 2] = ["last_turn", "germany_surrenders"];

impl BlitzWar {
    /// Strategic points the Axis controls, general ones and those of any side (5, 18).
    pub fn axis_points(&self, state: &State) -> u8 {
        let held = if self.rules.options.passage_points {
            self.own_area(state, Force::Axis)
        } else {
            state.control[Force::Axis.index()]
        };
        self.strategic_points().and(&held).len() as u8
    }

    /// Ends the game with the German surrender (18).
    pub(crate) fn germany_surrenders(&self, state: &mut State, context: &mut impl Rolls) {
        // A position edited beyond the last turn counts as the last.
        let turn = state.turn.min(self.rules.setup.last_turn);
        let row = Self::row(&self.rules.victory_surrender, turn);
        Self::finish(state, row, 1, context);
    }

    /// Scores the game after the last turn (18).
    pub(crate) fn final_score(&self, state: &mut State, context: &mut impl Rolls) {
        if self.rules.options.final_check && self.is_beaten(state, Country::Ger, Force::Axis) {
            return self.germany_surrenders(state, context);
        }
        let row = Self::row(Self::rows_by_points(&self.rules), self.axis_points(state));
        Self::finish(state, row, 0, context);
    }

    fn row(rows: &[VictoryRow], key: u8) -> (u8, u8) {
        rows.iter()
            .find(|row| (row.from..=row.to).contains(&key))
            .map_or(EVEN, |row| (row.allied_soviet, row.axis))
    }

    /// The least and the most points that a side can have at the end: those of the rows that can apply (18), and of a turn or
    /// count without a row.
    pub(crate) fn points_range(rules: &Rules, force: Force) -> (i16, i16) {
        let by_points = Self::rows_by_points(rules).iter();
        let rows = rules.victory_surrender.iter().chain(by_points).map(|row| (row.allied_soviet, row.axis));
        rows.chain([EVEN]).fold((i16::MAX, i16::MIN), |(least, most), (allied_soviet, axis)| {
            let points = i16::from(if force == Force::Axis { axis } else { allied_soviet });
            (least.min(points), most.max(points))
        })
    }

    /// The table of points held after the last turn: the scenario's own, or that of the rules.
    fn rows_by_points(rules: &Rules) -> &[VictoryRow] {
        let short = &rules.setup.victory_by_points;
        if short.is_empty() { &rules.victory_points } else { short }
    }

    fn finish(state: &mut State, (allied_soviet, axis): (u8, u8), end_reason: u8, context: &mut impl Rolls) {
        state.phase = Phase::Over;
        state.pending = Pending::None;
        state.tally = [end_reason, allied_soviet, axis, 0];
        context.emit(|| Event::GameOver { allied_soviet, axis });
    }

    /// The result of a finished game. The side with more of the ten points wins; 5-5 is a draw. The utility of the
    /// points is linear, so that a search wants the larger victory.
    pub(crate) fn result(state: &State) -> Option<Outcome> {
        if state.phase != Phase::Over {
            return None;
        }
        let [_, allied_soviet, axis, _] = state.tally;
        let (ours, theirs) = (f32::from(axis), f32::from(allied_soviet));
        let winner = match axis.cmp(&allied_soviet) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        };
        let worth = ours / (ours + theirs).max(1.0);
        Some(Outcome {
            points: PerSide([ours, theirs, theirs, 0.0]),
            utility: PerSide([worth, 1.0 - worth, 1.0 - worth, 0.0]),
            winner,
            end_reason: END_REASONS[state.tally[0] as usize],
        })
    }
}

impl BlitzWar {
    /// Units a side has on the map: infantry corps, armour corps, air, fleet and submarine units.
    pub fn strength_by_kind(&self, state: &State, force: Force) -> [u16; 5] {
        let own = self.counters_of(state, force);
        let units = |kind: Kind| -> u16 {
            own.and(self.of_kind(kind)).iter().map(|counter| u16::from(state.strength(counter))).sum()
        };
        // A white counter or Elite Army is one infantry corps, the rest armour.
        let mixed = own.and(self.of_kind(Kind::White)).len() + own.and(self.of_kind(Kind::Elite)).len();
        [
            units(Kind::Infantry) + mixed as u16,
            units(Kind::Armour) + units(Kind::White) + units(Kind::Elite) - mixed as u16,
            own.and(self.of_kind(Kind::Air)).len() as u16,
            units(Kind::Fleet),
            units(Kind::Submarine),
        ]
    }

    /// The side of each nation's counters at the start of the scenario, by [`crate::Nation`].
    pub fn starting_sides(&self) -> Vec<Option<Force>> {
        crate::Nation::ALL
            .into_iter()
            .map(|nation| match nation {
                crate::Nation::Axis => Some(Force::Axis),
                crate::Nation::Allied => Some(Force::Allied),
                _ => nation
                    .country()
                    .and_then(|country| self.rules.setup.countries[country.index()].status.force()),
            })
            .collect()
    }
}
