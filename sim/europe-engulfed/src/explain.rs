//! Why a decision is not legal, in words. Nothing here decides what is legal: the reason is sought in the order in which a
//! player would check.

use sandtable_core::{Index, Stepwise};

use crate::action::Action;
use crate::game::EuropeEngulfed;
use crate::ids::{Area, KindId, Nation, Sea, UnitId};
use crate::phase::{Pending, Phase, Sailing};
use crate::rules::Branch;
use crate::state::{Draft, State, built, happened, mark};

impl EuropeEngulfed {
    /// Why an action is not legal; `None` if it is.
    pub fn why_illegal(&self, state: &State, action: Action) -> Option<String> {
        if self.open_actions(state).contains(&action) {
            return None;
        }
        let reason = match action {
            _ if state.phase == Phase::Over => "the game is over".into(),
            Action::Pass => self.why_no_pass(state),
            Action::Select(unit) => self.why_not_picked(state, unit),
            Action::Go(_) if self.is_in_battle(state) => "the unit may not go there (7.51)".into(),
            Action::Go(to) => match (state.pending, state.phase) {
                (Pending::Destination(unit) | Pending::March(unit), _) => self.why_no_move(state, unit, to),
                (Pending::Raise(kind) | Pending::Converted(kind), _) => self.why_not_raised_in(state, kind, to),
                (_, Phase::Deployment | Phase::Reinforcement) => {
                    "the unit at hand may not go there (16.1)".into()
                }
                (_, Phase::Mobilization) => {
                    "the block at hand is placed at home, where its nation holds the area and there is room, some in empty areas first (9.6)".into()
                }
                (_, Phase::FrontGarrison) => "nobody there has to go to the front (9.26)".into(),
                _ => "its move is over".into(),
            },
            Action::Attack(area, _) => Self::why_no_attack(state, area),
            Action::Withdraw => "a unit has nowhere to go (7.51)".into(),
            Action::Reinforce => "there is nobody to bring (7.6)".into(),
            Action::Counterattack(_) => "nobody counterattacks now (7.7)".into(),
            Action::Drop(unit, to) => self.why_no_drop(state, unit, to),
            Action::Abandon(nation, _)
            | Action::BreakthroughMove(nation, _)
            | Action::BreakthroughStrategic(nation)
            | Action::BreakthroughCombat(nation, ..)
            | Action::LimitedSupply(nation, _) => self.why_not_paid(state, nation, action),
            Action::Raise(kind) => self.why_not_raised(state, kind),
            Action::Replace(unit) => self.why_no_step(state, unit),
            Action::FieldFort(_) | Action::HeavyFort(_) => "it cannot be built there (6.9)".into(),
            Action::SpecialAction => self.why_no_special_action(state),
            Action::Unrestricted => "no Special Action is in hand, or it would lift no limit (7.8)".into(),
            Action::Take(_) => "blocks of full strength of the class hit come first (6.3)".into(),
            Action::Fire(_) => "no such group is to fire".into(),
            Action::Invade(nation, area, sea) => self.why_no_invasion(state, nation, area, sea),
            Action::Embark(unit) => self.why_not_on_board(state, unit),
            Action::Intercept => "there is nobody to intercept, or nothing to do it with (8.2)".into(),
            Action::MeetInPort => "nobody sails for a port of this zone, or it is not met in port (14.46)".into(),
            Action::Transfer(..) => "the Fleet Point cannot go there (8.0)".into(),
            Action::Fleet(_) if state.phase == Phase::FrenchFleets => "no British Fleet Points are there (8.0)".into(),
            Action::Fleet(sea) => self.why_no_fleet(state, sea),
            Action::DeclareWar(by, on) => self.why_no_war(state, by, on).into(),
            Action::Agree => "nothing is asked".into(),
            Action::Raid(..) | Action::Interceptors(_) | Action::Jets(_) | Action::AtJets(_) => {
                "nobody raids now (2.2)".into()
            }
            Action::Demolish(_) => "no port of its own is there, or no field fortification has just fallen (13.32)".into(),
            Action::Repair(..) => {
                "no disabled port there was friendly and undisputed when the phase began, or no Special Action is in hand (13.32)"
                    .into()
            }
            Action::Beachhead(..) => {
                "it is for Final Supply, where its power has a land unit in a port of its side and a Special Action (13.32)".into()
            }
            Action::Overlord => "no invasion of occupied France is being prepared, or Overlord has been (13.46)".into(),
            Action::LandArmour(_) => {
                "its power has no Special Action left for it, or the invasion is not Overlord (13.46)".into()
            }
            Action::Partisans(..) => {
                "a step a turn from 1942, where Yugoslavia is conquered and its ground rough, with an Allied fleet near (13.42)"
                    .into()
            }
            Action::Asset(_) => "it cannot be built (4.0)".into(),
            Action::Give(_) => "nothing can be given to it (4.0)".into(),
            Action::Induce(_) => "it does not come in for WERP now (13.43, 13.44)".into(),
            Action::Draft => "the draft is not open (9.24)".into(),
            Action::Renounce => {
                "it is for Germany to say, once, when it produces, moves, begins a battle or a breakthrough, or at the end (13.33)"
                    .into()
            }
            Action::Pause => {
                "it is for the turn after Germany attacked the USSR, before anybody moves, and not after the First Winter (14.41)"
                    .into()
            }
            Action::Convert(..) => {
                "two points that were there before the turn, one conversion a phase, from 1941 (14.49)".into()
            }
            Action::Fighters(_) | Action::Support(_) => "there is no such air unit to be given".into(),
        };
        Some(reason)
    }

    fn why_no_pass(&self, state: &State) -> String {
        if matches!(state.phase, Phase::Combat | Phase::BreakthroughRound) && !state.newly_disputed.is_empty()
        {
            return "a newly disputed area must be fought over (6.0)".into();
        }
        if state.crossing.stage == Sailing::Embarking {
            return "nobody is on board yet (7.2)".into();
        }
        "something must be decided".into()
    }

    fn why_no_invasion(&self, state: &State, nation: Nation, area: Area, sea: Sea) -> String {
        if self.rules.areas[area.at()].beaches[sea.at()] == 0 {
            return "there is no beach on that zone (7.2)".into();
        }
        if !self.weather_at(state, area).amphibious {
            return "the weather forbids it (1.1)".into();
        }
        if state.ready_points(state.mover, sea) == 0 {
            return "no Fleet Point there can carry anybody (5.3)".into();
        }
        if state.held(state.mover).contains(area) && !state.is_disputed(area) {
            return "the area is friendly".into();
        }
        if state.power(nation).special_actions > 0 && state.phase == Phase::Operational {
            return "it has no infantry in a friendly port on that zone, or the area has been invaded (7.2)"
                .into();
        }
        self.why_not_paid(state, nation, Action::Invade(nation, area, sea))
    }

    fn why_not_on_board(&self, state: &State, unit: UnitId) -> String {
        let crossing = &state.crossing;
        if crossing.stage != Sailing::Embarking {
            return "no invasion is being prepared (7.2)".into();
        }
        if self.branch(unit) != Branch::Infantry {
            return "only infantry lands (7.2)".into();
        }
        if !state.landings.covers(self.sponsor(state, self.nation(unit)), crossing.to) {
            return "its power has not paid for the invasion (7.2)".into();
        }
        if state.has_mark(unit, mark::MOVED) {
            return "it has moved".into();
        }
        "the beach or the fleet takes no more, or it is in no friendly port on the zone (7.2)".into()
    }

    fn why_no_fleet(&self, state: &State, sea: Sea) -> String {
        let power = state.power(state.payer);
        if power.built & built::FLEET != 0 {
            return "one a calendar year (4.6)".into();
        }
        if self.has_paid(state, state.payer, built::FLEET) {
            return "it has been paid for in this turn (13.24)".into();
        }
        if !self.can_pay_instalment(state, state.payer, built::FLEET) {
            return "it costs too much (20.2)".into();
        }
        if self.fleet_of(state, state.payer) >= self.rules.nations[state.payer.index()].fleets {
            return "the pool has no more (4.0)".into();
        }
        format!("its power has no port at home on the {} (4.6)", self.sea_name(sea))
    }

    fn why_not_picked(&self, state: &State, unit: UnitId) -> String {
        if !state.is_on_map(unit) {
            return "it is not on the map".into();
        }
        if self.is_in_battle(state) {
            let (from, here) = (state.location(unit), state.battle.area);
            let defends = self.team_of(state, unit) == Some(state.battle.attacker.other());
            if defends && !self.is_air(unit) && self.land().touch(from, here) {
                if self.is_mired(state, unit, here) {
                    return "armour does not enter a swamp with enemy units (5.1)".into();
                }
                if self.is_strait_shut(state, state.battle.attacker.other(), from, here) {
                    return "the enemy alone has ships beside the strait (5.1)".into();
                }
            }
            return "it cannot come: from each adjacent, friendly, undisputed area one land unit (7.6)"
                .into();
        }
        if self.team_of(state, unit) != Some(state.mover) {
            return "it is not of the side that moves".into();
        }
        if state.has_mark(unit, mark::MOVED) {
            return "it has moved".into();
        }
        let strategic = matches!(state.phase, Phase::Strategic | Phase::BreakthroughStrategic);
        if strategic && (state.has_mark(unit, mark::ENGAGED) || state.is_disputed(state.location(unit))) {
            return "units in battle do not move strategically (5.2)".into();
        }
        if strategic && state.has_mark(unit, mark::UNSUPPLIED) {
            return "it is out of supply (3.1)".into();
        }
        if strategic && state.power(self.sponsor(state, self.nation(unit))).moves == 0 {
            return "its power has no strategic move left (20.3)".into();
        }
        if state.phase == Phase::BreakthroughMove && !self.attached(state, state.payer).contains(unit) {
            return "its power has not paid (10.5)".into();
        }
        if self.paused_areas(state).contains(state.location(unit)) {
            return "the Axis pauses in the East (14.41)".into();
        }
        if !self.may_leave(state, unit) {
            return "a rear guard must stay: as many steps as there are enemy units (5.1)".into();
        }
        if state.phase == Phase::BreakthroughMove && state.goal != Area::NONE {
            return self.why_no_move(state, unit, state.goal);
        }
        "it has nowhere to go".into()
    }

    fn why_no_move(&self, state: &State, unit: UnitId, to: Area) -> String {
        let from = state.location(unit);
        let Some(team) = self.team_of(state, unit) else { return "it belongs to nobody at war".into() };
        if self.paused_areas(state).contains(to) {
            return "the Axis pauses in the East (14.41)".into();
        }
        if matches!(state.pending, Pending::March(_)) && self.hindered_by_resistance(state, from).contains(to)
        {
            return "the resistance lets units go one area within France (13.46)".into();
        }
        let friendly = state.held(team).contains(to);
        let closed = !self.is_open_to(state, self.nation(unit), to);
        if closed && !friendly && !state.held(team.other()).contains(to) {
            return "nobody at war holds the area".into();
        }
        if matches!(state.phase, Phase::Strategic | Phase::BreakthroughStrategic) {
            if friendly && !self.has_room(state, team, unit, to) {
                return "there is no room (5.5)".into();
            }
            return "no way leads there through friendly, undisputed areas in supply (5.2)".into();
        }
        let yugoslavia = &self.tables.home[Nation::Yugoslavia.index()];
        if yugoslavia.contains(to) && self.is_left_to_partisans(state, self.nation(unit)) {
            return "partisans stood in Yugoslavia as the Allied turn began: both Allied players keep out (13.42)".into();
        }
        if !self.is_open_to(state, self.nation(unit), to) {
            return "its power may not go there (9.0, 16.1)".into();
        }
        let occupied = state.manned(team.other()).contains(to);
        if occupied && self.defends_only(self.nation(unit)) {
            return "its power enters no disputed area (16.1)".into();
        }
        if occupied && state.is_disputed(from) {
            return "from one battle area directly to another (5.1)".into();
        }
        if !self.is_air(unit) && self.is_strait_shut(state, team, from, to) {
            return "the enemy alone has ships beside the strait (5.1)".into();
        }
        let held_swamp = occupied && self.tables.swamps.contains(to);
        let forbidden = self.rules.movement.no_armour_into_held_swamp && self.branch(unit) == Branch::Armour;
        if held_swamp && forbidden && !self.weather_at(state, to).swamp_is_rough {
            return "armour does not enter a swamp with enemy units (5.1)".into();
        }
        let breaks = matches!(state.phase, Phase::Breakthrough | Phase::BreakthroughMove);
        let least = self.rules.movement.breakthrough_steps;
        let infantry = self.branch(unit) != Branch::Armour && !self.is_air(unit);
        if breaks && occupied && infantry && state.steps(unit) < least {
            return format!("infantry class needs {least} steps to break through (5.4)");
        }
        if self.is_air(unit) && (occupied || !friendly) && !state.manned(team).contains(to) {
            return "air units do not go where no land unit of theirs is".into();
        }
        if self.land().touch(from, to) && !self.has_room(state, team, unit, to) {
            return "there is no room (5.5)".into();
        }
        let ports = |area: Area| self.zones_of(state, team, area) != 0;
        if self.rules.setup.fleets_used && ports(from) && ports(to) && !self.land().touch(from, to) {
            return "no Fleet Point can carry it there from zone to zone, or a port is not friendly (5.3)"
                .into();
        }
        "it is too far".into()
    }

    fn why_no_attack(state: &State, area: Area) -> String {
        if !state.is_disputed(area) {
            return "it is not disputed".into();
        }
        if state.fought.contains(area) {
            return "it has been fought over in this phase (6.0)".into();
        }
        "no area is fought over now".into()
    }

    fn why_no_drop(&self, state: &State, unit: UnitId, to: Area) -> String {
        if self.branch(unit) != Branch::Airborne {
            return "it is not airborne (7.3)".into();
        }
        if state.affairs.has(happened::AIRBORNE_RENOUNCED) && self.nation(unit) == Nation::Germany {
            return "German airborne make no more assaults (13.33)".into();
        }
        if state.has_mark(unit, mark::UNSUPPLIED) {
            return "who is out of supply does not drop (7.3)".into();
        }
        if !self.weather_at(state, to).airborne {
            return "the weather forbids it (1.1)".into();
        }
        self.why_not_paid(state, self.sponsor(state, self.nation(unit)), Action::Drop(unit, to))
    }

    fn why_not_paid(&self, state: &State, nation: Nation, action: Action) -> String {
        let power = state.power(nation);
        if power.team.is_none() || self.patron(nation) != nation {
            return "the power spends no Special Actions (10.5)".into();
        }
        if power.team != Some(state.mover) {
            return "it is not the turn of the power".into();
        }
        if power.special_actions == 0 {
            return "the power has no Special Action in hand (7.0)".into();
        }
        match action {
            Action::BreakthroughMove(_, to) if !self.weather_at(state, to).breakthrough => {
                "the weather forbids it (1.1)".into()
            }
            Action::BreakthroughMove(..) => "no unit of the power can get there (5.4)".into(),
            Action::BreakthroughCombat(_, area, _) if !state.is_disputed(area) => "it is not disputed".into(),
            Action::BreakthroughCombat(..) => "the power has no land unit there (10.5)".into(),
            Action::LimitedSupply(..) => "the power has no unit out of supply there (7.9)".into(),
            Action::Abandon(..) => "the power has no unit in a battle there (7.52)".into(),
            _ => "the area is not within reach (7.3)".into(),
        }
    }

    fn why_not_raised(&self, state: &State, kind: KindId) -> String {
        if self.built_by(state, state.payer) & self.rules.kinds[kind.at()].nation.bit() == 0 {
            return "another power builds it".into();
        }
        if self.wants_fighters(state, kind) {
            return "a fighter point must be bought for it first (13.47)".into();
        }
        if self.price(state, kind, true) > state.power(state.payer).werp {
            return "it costs too much (20.2)".into();
        }
        if self.counters(kind).all(|unit| state.location(unit) != Area::POOL) {
            return "no counter of the kind is in the pool (4.0)".into();
        }
        "there is no area for it: friendly, undisputed, in supply, two new units each (4.0)".into()
    }

    fn why_not_raised_in(&self, state: &State, kind: KindId, area: Area) -> String {
        if !self.new_unit_areas(state, self.rules.kinds[kind.at()].nation).contains(area) {
            return "new units do not appear there (4.0)".into();
        }
        let new = state.of_team_at(state.mover, area).filter(|unit| state.has_mark(unit, mark::RAISED));
        if new.len() >= u32::from(self.rules.production.new_units_per_area) {
            return "two new units are there already (4.0)".into();
        }
        if self.in_pool(state, kind).is_some_and(|unit| !self.has_room(state, state.mover, unit, area)) {
            return "there is no room (5.5)".into();
        }
        "it is not friendly, undisputed and in supply (4.0)".into()
    }

    fn why_no_step(&self, state: &State, unit: UnitId) -> String {
        let supported = self.supported_minors(state) & self.nation(unit).bit() != 0;
        if self.built_by(state, state.payer) & self.nation(unit).bit() == 0 && !supported {
            return "another power pays for it, or nobody: an allied minor must hold its capital (A72)"
                .into();
        }
        if state.steps(unit) >= self.max_steps(unit) {
            return "it is at full strength".into();
        }
        if self.price(state, self.kind_of(unit), false) > state.power(state.payer).werp {
            return "it costs too much (20.2)".into();
        }
        if state.has_mark(unit, mark::REPLACED) {
            return "it has had its step: one a turn outside home areas (4.0)".into();
        }
        "its area is disputed or out of supply (4.0)".into()
    }

    fn why_no_special_action(&self, state: &State) -> String {
        let power = state.power(state.payer);
        if power.special_actions >= self.special_action_pool(state, state.payer) {
            return "the pool has no more (7.1)".into();
        }
        if self.built_enough(state) {
            return "the power has built as many as it may in a phase (13.45)".into();
        }
        if power.werp < self.rules.costs.special_action {
            return "it costs too much (20.2)".into();
        }
        if state.payer == Nation::SovietUnion && state.affairs.draft == Draft::Running {
            return "no Special Action is built in the productions of the draft (9.24)".into();
        }
        "the power builds none in this scenario (16.1)".into()
    }
}
