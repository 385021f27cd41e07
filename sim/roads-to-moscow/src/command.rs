//! Command points (15.2): which headquarters and leaders may help in a check.

use sandtable_core::{ActionSink, Flow, Hex};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{FormationId, Player, UnitId, Units};
use crate::state::{Mark, State, is_hex};

impl RoadsToMoscow {
    /// Whether a hex lies in the Command Range of another (15.14a).
    #[inline]
    pub fn in_command_range(&self, a: Hex, b: Hex) -> bool {
        self.distance(a, b) <= u32::from(self.rules.numbers.command_range)
    }

    /// Headquarters of formations that are on the map, not disorganised and not spent (15.15, 15.22). `near`: within
    /// Command Range of that hex.
    pub fn headquarters_ready(&self, state: &State, formation: FormationId, near: Option<Hex>) -> Units {
        self.units_in(formation)
            .and(&self.sets().headquarters)
            .and(&state.on_map)
            .difference(state.marked(Mark::Disorganised))
            .difference(state.marked(Mark::Spent))
            .filter(|unit| near.is_none_or(|hex| self.in_command_range(state.at(unit), hex)))
    }

    /// An unspent leader of a player in a hex (15.32).
    pub fn leader_in(&self, state: &State, hex: Hex, player: Player) -> Option<UnitId> {
        if !is_hex(hex) {
            return None;
        }
        state
            .stack(hex)
            .and(&self.sets().leaders)
            .and(self.units_of(player))
            .difference(state.marked(Mark::Spent))
            .first()
    }

    /// Unspent leaders stacked with a headquarters of the formation, whatever its own points and order (15.32b, R100),
    /// within Command Range of a hex.
    pub fn leaders_ready(&self, state: &State, formation: FormationId, near: Hex) -> Units {
        let headquarters = self.units_in(formation).and(&self.sets().headquarters).and(&state.on_map);
        headquarters
            .iter()
            .filter(|&unit| self.in_command_range(state.at(unit), near))
            .filter_map(|unit| self.leader_in(state, state.at(unit), self.player(unit)))
            .collect()
    }

    /// Offers Pass and the ways to spend the points of one of these headquarters or leaders, and of a headquarters
    /// together with the leader stacked with it (15.23b2, R32). In ascending order; nothing at all if there are none.
    pub(crate) fn offer_points(
        &self,
        state: &State,
        helpers: &Units,
        out: &mut impl ActionSink<Action>,
    ) -> Flow {
        if helpers.is_empty() {
            return Flow::Continue(());
        }
        out.offer(Action::Pass)?;
        for unit in helpers {
            if !self.sets().leaders.contains(unit)
                && let Some(leader) = self.leader_in(state, state.at(unit), self.player(unit))
            {
                out.offer(Action::Points(unit, leader))?;
            }
            out.offer(Action::Points(unit, UnitId::NONE))?;
        }
        Flow::Continue(())
    }

    /// Spends the points of these (15.22), and returns their sum.
    pub(crate) fn spend_points(
        &self,
        state: &mut State,
        headquarters: UnitId,
        leader: UnitId,
        context: &mut impl Rolls,
    ) -> u8 {
        [headquarters, leader].into_iter().filter(|unit| !unit.is_none()).fold(0, |sum, unit| {
            state.mark(unit, Mark::Spent);
            context.emit(|| Event::PointsSpent { unit });
            sum + self.unit(unit).command
        })
    }

    /// The modifier of so many points (15.21).
    #[inline]
    pub fn points_modifier(&self, points: u8) -> i8 {
        points as i8 * self.rules.coordination.each_point
    }
}
