//! Die roll modifiers of combat (10.61), each on its own and their limited sum.

use sandtable_core::{Hex, Index};

use crate::battle::{Occasion, Role};
use crate::game::RoadsToMoscow;
use crate::ids::{UnitId, Units};
use crate::rules::Water;
use crate::state::{Mark, State};
use crate::tables::SideInfo;

/// What each rule adds to the die of a combat: below 0 is good for the attacker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Modifiers {
    /// Terrain of the Defender hex: the best for the defender (10.22a).
    pub terrain: i8,
    /// Stream sides, if all attack across one (10.22b).
    pub stream: i8,
    /// River sides, likewise.
    pub river: i8,
    /// Slopes, if all attack uphill (10.22b).
    pub slope: i8,
    /// Fortified Position or Line (14.12c).
    pub works: i8,
    /// Efficiency of the leads (10.61c).
    pub efficiency: i8,
    /// Air units of both sides (13.25).
    pub air: i8,
    /// No-Retreat marker (9.46a).
    pub no_retreat: i8,
    /// Combined arms (10.61f).
    pub combined_arms: i8,
    /// Failed ground coordination (10.61g).
    pub uncoordinated: i8,
    /// Attacking engineers (10.61h).
    pub engineers: i8,
}

impl Modifiers {
    /// All of them together, before the limit of 10.62.
    pub fn sum(&self) -> i8 {
        self.terrain
            + self.stream
            + self.river
            + self.slope
            + self.works
            + self.efficiency
            + self.air
            + self.no_retreat
            + self.combined_arms
            + self.uncoordinated
            + self.engineers
    }
}

impl RoadsToMoscow {
    /// Whether all attackers attack across a kind of side (10.22b).
    fn all_across(
        &self,
        state: &State,
        attackers: &Units,
        target: Hex,
        is: impl Fn(&SideInfo) -> bool,
    ) -> bool {
        !attackers.is_empty()
            && attackers.iter().all(|unit| {
                let from = state.at(unit);
                self.board().direction(from, target).is_some_and(|way| is(self.side(from, way)))
            })
    }

    /// The modifiers of the combat at hand; leads are named, checks are made.
    pub fn modifiers(&self, state: &State) -> Modifiers {
        let battle = &state.battle;
        let (numbers, chart, sets) = (&self.rules.numbers, &self.rules.terrain, self.sets());
        let (attackers, target) = (&battle.attackers, battle.target);
        let all = |is: &dyn Fn(&SideInfo) -> bool| self.all_across(state, attackers, target, is);
        let given = |holds: bool, modifier: i8| if holds { modifier } else { 0 };

        let line = self.is_behind_line(state, target, attackers);
        let position = state.positions[state.active.enemy().index()].contains(target);
        let town = self.map().towns.contains(target);
        let open = !town && !position && !line;
        let engineers = attackers.and(&sets.engineers).difference(state.marked(Mark::Disorganised));
        let works = match () {
            () if line => chart.fort_line_drm, // not with a position: the greater counts (R24)
            () => given(position, chart.fortified_position_drm),
        };
        let declared = battle.occasion == Occasion::Declared;
        let [attack_lead, defence_lead] = battle.lead.map(|lead| self.efficiency(state, lead) as i8);
        Modifiers {
            terrain: self.map().terrain_drm[target.at()],
            stream: given(all(&|side| side.water == Water::Stream), chart.stream_drm),
            river: given(all(&|side| side.water == Water::River), chart.river_drm),
            slope: given(all(&|side| side.uphill), chart.slope_drm),
            works,
            efficiency: defence_lead - attack_lead,
            air: self.air_modifier(state, Role::Defender) - self.air_modifier(state, Role::Attacker),
            no_retreat: given(declared && state.no_retreat.contains(target), numbers.no_retreat_drm),
            combined_arms: given(open && self.arms_combine(state), numbers.combined_arms_drm),
            uncoordinated: given(battle.ground_failed, numbers.ground_failed_drm),
            engineers: given(!open && !engineers.is_empty(), numbers.engineer_drm),
        }
    }

    fn air_modifier(&self, state: &State, role: Role) -> i8 {
        state.battle.air[role.index()].iter().map(|air| self.rules.air[air.at()].cas as i8).sum()
    }

    /// Whether the attack has armour and troops that work with it, neither disorganised nor attacking over a bridged river, and
    /// the hex no red defence (10.61f). Towns and works are asked elsewhere.
    fn arms_combine(&self, state: &State) -> bool {
        let (battle, sets) = (&state.battle, self.sets());
        let fit = |unit: &UnitId| {
            let from = state.at(*unit);
            let way = self.board().direction(from, battle.target);
            let bridged = way.is_some_and(|way| {
                let side = self.side(from, way);
                side.water == Water::River && side.bridge
            });
            !bridged && !state.has(*unit, Mark::Disorganised)
        };
        !battle.defenders.intersects(&sets.red_defence)
            && battle.attackers.and(&sets.armoured).iter().any(|unit| fit(&unit))
            && battle.attackers.and(&sets.combined_arms).iter().any(|unit| fit(&unit))
    }
}
