//! Railways (9.1), lines of supply (10.4) and attrition (10.6).

use sandtable_core::Hex;

use crate::event::{Cause, Event};
use crate::game::EuroFront;
use crate::ids::{Blocks, Camp, Hexes, is_on_map};
use crate::state::{Mark, State};

impl EuroFront {
    /// Railway hexes connected to sources through friendly hexes (9.12; 1936 rule 8). Lines run into friendly battles,
    /// not through them; from a source they start whatever stands there.
    pub(crate) fn rail_network(&self, state: &State, camp: Camp, sources: &Hexes) -> Hexes {
        if sources.is_empty() {
            return Hexes::EMPTY;
        }
        let map = self.map();
        let (own, enemy) = (camp.index(), camp.enemy().index());
        let loyal = &self.civil_war_tables().loyal[enemy];
        let rear = &self.civil_war_tables().rear[own];
        let (mut through, mut battles) = (Hexes::EMPTY, Hexes::EMPTY);
        for line in map.lines.clone() {
            let friendly = state.friendly[own].0[line];
            let closed = state.friendly[enemy].0[line] | state.disputed.0[line] | loyal.0[line] & !friendly;
            let open = (map.in_play.0[line] & !closed | rear.0[line]) & map.rail_hexes.0[line];
            let fought = state.occupied[0].0[line] & state.occupied[1].0[line];
            through.0[line] = open & !fought;
            battles.0[line] = open & fought & friendly;
        }
        let network = self.board().fill_across(*sources, &through, &map.rails);
        if battles.is_empty() {
            return network;
        }
        // A battle that a camp controls is one that it defends (8.31).
        network.or(&self.board().across(&network, &map.rails).and(&battles))
    }

    /// The hex from which a camp's railways run, if it holds it: its capital (10.2; 1936 situation).
    pub(crate) fn capital(&self, state: &State, camp: Camp) -> Hexes {
        let Some(war) = &self.rules.civil_war else { return Hexes::EMPTY };
        let capital = war.capitals[camp.index()];
        let held = state.friendly[camp.index()].contains(capital)
            || self.civil_war_tables().rear[camp.index()].contains(capital);
        if held { Hexes::one(capital) } else { Hexes::EMPTY }
    }

    /// Railheads by which external supply comes to a camp, if it holds them and no battle is fought there (1936 rule 4).
    pub(crate) fn external_sources(&self, state: &State, camp: Camp) -> Hexes {
        let war = &state.civil_war;
        let railheads: &[Hex] = match camp {
            Camp::Axis => &[war.axis],
            Camp::Coalition => &[war.french[0], war.french[1], war.soviet],
        };
        let rear = &self.civil_war_tables().rear[camp.index()];
        let held = |hex| state.friendly[camp.index()].contains(hex) || rear.contains(hex);
        let open = |&hex: &Hex| is_on_map(hex) && held(hex) && !state.is_battle(hex);
        railheads.iter().copied().filter(open).collect()
    }

    /// All railways of a camp that bring supply.
    pub fn whole_network(&self, state: &State, camp: Camp) -> Hexes {
        let sources = self.capital(state, camp).or(&self.external_sources(state, camp));
        self.rail_network(state, camp, &sources)
    }

    /// Hexes in which units of a camp are supplied by a network (10.4): so many hexes away at most, through friendly and
    /// disputed ones; the unit's own may be a battle that the enemy controls.
    pub fn supplied_by(&self, state: &State, camp: Camp, network: &Hexes) -> Hexes {
        let steps = u32::from(self.rules.numbers.supply_line);
        let through = self.traceable(state, camp);
        let land = &self.map().land;
        let inner = self.board().within_across(*network, steps - 1, &through, land);
        let last = self.board().across(&inner, land).and(&through.or(&state.battles()));
        inner.or(&last)
    }

    /// The supply phase: the active camp checks all enemy units (10.5), which suffer attrition if they are unsupplied
    /// (10.6).
    pub(crate) fn check_supply<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let checked = state.camp().enemy();
        let own = checked.index();
        let excess = if state.crowded[own] { self.excess(state, checked) } else { Blocks::EMPTY };
        if !state.supply_holds[own] || state.crowded[own] {
            self.update_supply(state, checked, &excess, context);
        }
        state.crowded[own] = !excess.is_empty();
        for block in state.standing[own].and(state.marked(Mark::Unsupplied)) {
            // 1936 rule 4: who defends a loyal place holds out.
            let loyal = self.civil_war_tables().loyal[own].contains(state.at(block));
            if !loyal || excess.contains(block) {
                self.lose_step(state, block, Cause::Attrition, context);
            }
        }
    }

    /// Sets the supply status of a camp's units (10.5).
    fn update_supply<T: crate::Rolls>(
        &self,
        state: &mut State,
        camp: Camp,
        excess: &Blocks,
        context: &mut T,
    ) {
        self.update_control(state);
        state.network = self.whole_network(state, camp);
        let area = self.supplied_by(state, camp, &state.network);
        let standing = state.standing[camp.index()];
        let supplied = state.places.standing(&standing, |at| area.contains(at)).difference(excess);
        let unsupplied = standing.difference(&supplied);
        let before = state.marked(Mark::Unsupplied).and(&standing);
        if before != unsupplied {
            state.board_changes();
            for block in standing {
                if before.contains(block) != unsupplied.contains(block) {
                    context.emit(|| Event::Supply { block, supplied: supplied.contains(block) });
                }
            }
            let others = state.marked(Mark::Unsupplied).difference(&standing);
            state.marks[Mark::Unsupplied as usize] = others.or(&unsupplied);
        }
        // Who has become unsupplied has lost his zone of control: the next check may find more.
        state.supply_holds[camp.index()] = before == unsupplied;
    }

    /// Units beyond the stacking limit of their hex, the largest first (6.22).
    fn excess(&self, state: &State, camp: Camp) -> Blocks {
        let mut excess = Blocks::EMPTY;
        for hex in state.occupied[camp.index()] {
            let mut stack = state.stack(hex, camp);
            let limit = u32::from(self.terrain_effect(hex).stacking);
            while stack.len() > limit {
                let Some(largest) =
                    stack.iter().max_by_key(|&block| (state.steps[block], std::cmp::Reverse(block)))
                else {
                    break;
                };
                stack.remove(largest);
                excess.insert(largest);
            }
        }
        excess
    }
}
