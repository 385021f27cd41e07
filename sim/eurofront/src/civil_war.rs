//! What is special in the Spanish Civil War (1936 rules 3 to 9): foreign aid and the blockade, the end of intervention,
//! pacification and recognition. Control, garrisons, supply and costs are where the rules they alter are.

use sandtable_core::{ActionSink, Flow, Hex};

use crate::action::Action;
use crate::event::{Cause, Event};
use crate::game::EuroFront;
use crate::ids::{Camp, Faction, Hexes, is_on_map, place};
use crate::phase::Phase;
use crate::rules::{CivilWar, FrenchAid};
use crate::state::{CivilWarState, Ending, State};

impl CivilWarState {
    /// Before any scenario begins.
    pub const NONE: CivilWarState = CivilWarState {
        french_aid: 0,
        french: [place::OUT; 2],
        soviet: place::OUT,
        axis: place::OUT,
        axis_aid: 0,
        claimed: false,
        intervention_ended: false,
        level: 0,
    };
}

impl EuroFront {
    /// The special rules of 1936.
    ///
    /// # Panics
    /// In other scenarios, which do not come here.
    pub(crate) fn war(&self) -> &CivilWar {
        self.rules.civil_war.as_ref().expect("the scenario of 1936")
    }

    // ---- pacification and recognition (rule 9) ----

    /// Cities that a camp controls and that railways join to its capital or to external supply, major ones twice.
    fn pacified(&self, state: &State, camp: Camp) -> i8 {
        let network = self.whole_network(state, camp).and(&state.friendly[camp.index()]);
        let counted = self.war().pacification.iter().filter(|(hex, _)| network.contains(*hex));
        counted.map(|&(_, worth)| worth as i8).sum()
    }

    /// Counts the cities: Nationalist less Republican.
    pub(crate) fn count_pacification(&self, state: &mut State) {
        let [axis, coalition] = Camp::ALL.map(|camp| self.pacified(state, camp));
        state.civil_war.level = axis - coalition;
    }

    /// The faction that leads, if one does.
    fn leader(state: &State) -> Option<Faction> {
        match state.civil_war.level {
            1.. => Some(Faction::Axis),
            0 => None,
            _ => Some(Faction::Allies),
        }
    }

    /// Whether somebody may claim recognition now: it becomes his decision.
    pub(crate) fn turn_to_recognition(&self, state: &mut State) -> bool {
        if state.month < self.war().recognition_from || state.civil_war.claimed {
            return false;
        }
        self.count_pacification(state);
        let Some(leader) = Self::leader(state) else { return false };
        state.phase = Phase::Recognition;
        state.decider = leader;
        true
    }

    pub(crate) fn claims<O: ActionSink<Action>>(&self, out: &mut O) -> Flow {
        out.offer(Action::Pass)?;
        out.offer(Action::Yes)
    }

    /// Recognition is claimed: granted if both sides' two dice are below the level.
    pub(crate) fn claim<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let by = state.decider.camp();
        let level = state.civil_war.level.unsigned_abs();
        state.civil_war.claimed = true;
        let rolls = [(); 2].map(|()| (context.die(6) + context.die(6)) as u8);
        let granted = rolls.iter().all(|&roll| roll < level);
        context.emit(|| Event::Recognition { by, level, rolls, granted });
        if granted {
            self.finish(state, Ending::Recognition(by), context);
        }
    }

    // ---- the end of intervention (rule 6) ----

    pub(crate) fn check_intervention<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if state.civil_war.intervention_ended || state.month < self.war().intervention_ends_from {
            return;
        }
        let rolls = [(); 2].map(|()| context.die(6) as u8);
        let ended = rolls[0] == rolls[1];
        context.emit(|| Event::Intervention { rolls, ended });
        if ended {
            state.civil_war.intervention_ended = true;
            for block in self.sets().foreign {
                self.eliminate(state, block, place::REMOVED, Cause::Intervention, context);
            }
        }
    }

    // ---- foreign aid (rule 3) and the blockade (rule 5) ----

    /// French aid of the month: the die, and what it says about railheads.
    pub(crate) fn roll_french_aid<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let roll = context.die(6) as u8;
        state.supply_holds = [false; 2]; // Railheads come and go.
        let aid = &mut state.civil_war;
        match self.war().french_table[usize::from(roll) - 1] {
            FrenchAid::Points(points) => {
                aid.french_aid = points;
                aid.french = [place::OUT; 2];
            }
            FrenchAid::Unchanged => {}
            FrenchAid::Less => aid.french_aid = aid.french_aid.saturating_sub(1),
        }
        let points = aid.french_aid;
        context.emit(|| Event::FrenchAid { roll, points });
    }

    fn french_railheads(state: &State) -> u8 {
        state.civil_war.french.iter().map(|&hex| u8::from(is_on_map(hex))).sum()
    }

    /// Whether railheads of French aid are to be placed or taken away: as many as there are points.
    pub(crate) fn turn_to_french_railheads(&self, state: &mut State) -> bool {
        state.decider = Faction::Allies;
        state.phase = match Self::french_railheads(state).cmp(&state.civil_war.french_aid) {
            std::cmp::Ordering::Less => Phase::FrenchRailhead,
            std::cmp::Ordering::Equal => return false,
            std::cmp::Ordering::Greater => Phase::FrenchLoss,
        };
        true
    }

    /// Ports that a camp controls, in Spain and beyond.
    fn controlled_ports(&self, state: &State, camp: Camp) -> Hexes {
        self.map().ports.and(&self.map().in_play).and(&state.friendly[camp.index()])
    }

    pub(crate) fn railhead_places<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let border: Hexes = self.war().border_railheads.iter().copied().collect();
        let taken: Hexes = state.civil_war.french.iter().copied().filter(|&hex| is_on_map(hex)).collect();
        let open = border.or(&self.controlled_ports(state, Camp::Coalition)).difference(&taken);
        out.all([open], |_, hex| Action::Place(hex))
    }

    pub(crate) fn railhead_losses<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let placed: Hexes = state.civil_war.french.iter().copied().filter(|&hex| is_on_map(hex)).collect();
        out.all([placed], |_, hex| Action::Place(hex))
    }

    pub(crate) fn place_railhead<T: crate::Rolls>(&self, state: &mut State, hex: Hex, context: &mut T) {
        if let Some(free) = state.civil_war.french.iter_mut().find(|slot| !is_on_map(**slot)) {
            *free = hex;
            context.emit(|| Event::Railhead { by: Camp::Coalition, at: hex });
        }
        // Equal positions have equal states: the order of placing does not matter.
        state.civil_war.french.sort_unstable();
    }

    pub(crate) fn remove_railhead(&self, state: &mut State, hex: Hex) {
        for slot in &mut state.civil_war.french {
            if *slot == hex {
                *slot = place::OUT;
            }
        }
        state.civil_war.french.sort_unstable();
    }

    /// Soviet aid is to come to a port.
    pub(crate) fn turn_to_soviet_port(&self, state: &mut State) {
        state.civil_war.soviet = place::OUT;
        state.phase = Phase::SovietPort;
        state.decider = Faction::Allies;
    }

    pub(crate) fn soviet_ports<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        out.all([self.controlled_ports(state, Camp::Coalition)], |_, hex| Action::Place(hex))
    }

    /// Axis aid is to come to Lisbon, or to a port.
    pub(crate) fn turn_to_axis_port(&self, state: &mut State) {
        let war = self.war();
        state.civil_war.axis = place::OUT;
        state.civil_war.axis_aid =
            if state.civil_war.intervention_ended { war.axis_aid_after } else { war.axis_aid.iter().sum() };
        state.phase = Phase::AxisPort;
        state.decider = Faction::Axis;
    }

    pub(crate) fn axis_ports<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let ports = self.controlled_ports(state, Camp::Axis);
        out.rest(Some(Action::Pass), [ports], |_, hex| Some(Action::Place(hex)))
    }

    /// Aid is to come to a port: it does unless the blockade stops it (rule 5).
    pub(crate) fn ship_aid<T: crate::Rolls>(&self, state: &mut State, by: Camp, at: Hex, context: &mut T) {
        let war = self.war();
        let controlled = &state.friendly[by.index()];
        let counted = war.blockade_ports.iter().filter(|(hex, _)| controlled.contains(*hex));
        let up_to: u8 = counted.map(|&(_, worth)| worth).sum();
        if state.month >= war.blockade_from {
            let roll = context.die(6) as u8;
            context.emit(|| Event::Blockade { by, at, roll, up_to });
            if roll > up_to {
                if by == Camp::Axis {
                    state.civil_war.axis_aid -= war.axis_blockaded.min(state.civil_war.axis_aid);
                }
                return;
            }
        }
        match by {
            Camp::Axis => state.civil_war.axis = at,
            Camp::Coalition => state.civil_war.soviet = at,
        }
        context.emit(|| Event::Railhead { by, at });
    }

    /// Points of foreign aid this month (rules 3, 6).
    pub(crate) fn foreign_aid(&self, state: &State, camp: Camp) -> i16 {
        let aid = &state.civil_war;
        let points = match camp {
            Camp::Axis => aid.axis_aid,
            Camp::Coalition if aid.intervention_ended => 0,
            Camp::Coalition => aid.french_aid + if is_on_map(aid.soviet) { self.war().soviet_aid } else { 0 },
        };
        i16::from(points)
    }
}
