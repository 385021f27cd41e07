//! Paratroops (14): headquarters that drop one unit, where to, and how it finds itself together again.

use sandtable_core::Hex;

use crate::event::{Cause, Event};
use crate::game::EuroFront;
use crate::ids::{BlockId, Front, Hexes, place};
use crate::rules::{Fact, Kind};
use crate::state::{Crossing, Mark, State};

impl EuroFront {
    /// Whether a headquarters may be activated for a drop: with paratroops in its hex (14.21); theatre headquarters may
    /// not (5.9).
    pub(crate) fn may_lead_drop(&self, state: &State, headquarters: BlockId) -> bool {
        self.brief(headquarters).kind != Kind::TheatreHq
            && !self.is_civil_war()
            && state.stack(state.at(headquarters), self.camp(headquarters)).iter().any(|block| {
                self.is_airborne(state, block)
                    && self.brief(block).faction == self.brief(headquarters).faction
            })
    }

    /// Whether a unit can be dropped at all: paratroops that are not confined to the ground (14.7).
    fn is_airborne(&self, state: &State, block: BlockId) -> bool {
        self.brief(block).kind == Kind::Para && !self.is_grounded(state, block)
    }

    /// Whether the paratroops of a block's faction are confined to the ground: by its choice, or because the scenario says
    /// so; the Germans by Allied air supremacy as well (14.7).
    pub(crate) fn is_grounded(&self, state: &State, block: BlockId) -> bool {
        let brief = self.brief(block);
        state.diplomacy.holds(Fact::grounded(brief.faction))
            || state.diplomacy.grounding >> brief.faction.index() & 1 != 0
            || brief.nation == self.nations().germany && self.allied_air_supremacy(state)
    }

    /// Whether the headquarters beside a unit that send drops have all dropped the one that each may drop in this phase (14.21).
    pub(crate) fn has_dropped_from(&self, state: &State, block: BlockId) -> bool {
        let beside = state.places.among(state.marked(Mark::Active), state.at(block));
        self.is_airborne(state, block)
            && self.dropper(state, block).is_none()
            && beside.iter().any(|headquarters| {
                self.sends_drop(state, headquarters) && !self.may_send(state, headquarters)
            })
    }

    /// The headquarters that can drop a unit now.
    fn dropper(&self, state: &State, block: BlockId) -> Option<BlockId> {
        let barred = state.has(block, Mark::Dispersed) || !self.has_waited(state, block);
        if state.sea.droppers == 0 || barred || !self.is_airborne(state, block) {
            return None;
        }
        let beside = state.places.among(state.marked(Mark::Active), state.at(block));
        beside.iter().find(|&headquarters| {
            self.sends_drop(state, headquarters)
                && self.may_send(state, headquarters)
                && self.brief(headquarters).faction == self.brief(block).faction
        })
    }

    /// Hexes into which a unit can be dropped now (14.22): within air range, no mountains; on the extreme fronts only where
    /// somebody invades from the sea in the same phase (21.392, 21.472).
    pub(crate) fn drop_zones(&self, state: &State, block: BlockId) -> Hexes {
        let Some(headquarters) = self.dropper(state, block) else { return Hexes::EMPTY };
        let (at, camp) = (state.at(block), self.camp(block));
        let range = self.air_area(state, headquarters);
        let open = range.and(&self.open_for(state, block));
        open.filter(|hex| {
            let extreme = self.front(hex) == Front::North
                || self.front(hex) == Front::Mediterranean && !self.has_mediterranean(state, camp);
            let terrain = self.terrain_effect(hex).paradrop;
            hex != at
                && (if extreme { self.is_being_invaded(state, hex) } else { terrain })
                && self.has_room(state, hex, camp)
        })
    }

    /// Whether a unit of the active camp has come to a hex over the sea in this phase.
    fn is_being_invaded(&self, state: &State, hex: Hex) -> bool {
        let own = state.stack(hex, state.camp());
        own.iter().any(|block| {
            state.has(block, Mark::Moved)
                && state.has(block, Mark::Dispersed)
                && state.crossing[block].embarked().is_some()
        })
    }

    /// A unit is dropped.
    pub(crate) fn drop_unit<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        to: Hex,
        context: &mut T,
    ) {
        let Some(headquarters) = self.dropper(state, block) else { return };
        let from = state.at(block);
        self.has_sent(state, headquarters);
        self.shift(state, block, to, context);
        state.crossing[block] = Crossing::by_air(from);
        context.emit(|| Event::Dropped { block, from, to });
        self.scatter(state, block, to, context);
    }

    /// The Supply Phase of the active side begins: invaders recover; paratroops that find no friends are lost (15.56,
    /// 14.5).
    pub(crate) fn regroup<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if state.marked(Mark::Dispersed).is_empty() {
            return;
        }
        let dispersed = state.marked(Mark::Dispersed).and(&state.standing[state.camp().index()]);
        let dropped = dispersed.filter(|block| state.crossing[block].took_off().is_some());
        for block in dispersed.difference(&dropped) {
            state.mark(block, Mark::Dispersed, false);
        }
        state.board_changes();
        if !dropped.is_empty() {
            self.update_control(state);
            let own = state.camp().index();
            let friendly = state.friendly[own];
            let safe = friendly.difference(&state.battles());
            let near = self.board().across(&safe, &self.map().land).or(&friendly);
            for block in dropped {
                let at = state.at(block);
                let company = state.stack(at, state.camp()).difference(state.marked(Mark::Dispersed));
                if near.contains(at) || !company.is_empty() {
                    continue;
                }
                self.eliminate(state, block, place::ELIMINATED, Cause::Drop, context);
            }
            state.marks[Mark::Dispersed as usize] = crate::ids::Blocks::EMPTY;
            state.board_changes();
        }
    }
}
