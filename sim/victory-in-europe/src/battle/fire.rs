//! Battle turns, firepower, targets and hits (5.2 to 5.5, 6.3, 7.3).

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause};
use crate::game::VictoryInEurope;
use crate::nation::Team;
use crate::phase::Pending;
use crate::place::{Place, UnitId};
use crate::rules::{Arm, Kind, Target, Terrain};
use crate::state::{Battle, SHELTER, State, mark};
use sandtable_core::Index;

/// Whose battle turn it is.
pub(super) enum Turn {
    Unit(UnitId),
    Flak,
    /// Nobody's: the round is over.
    Over,
}

fn is_bomber(kind: Kind) -> bool {
    matches!(kind, Kind::HeavyBomber | Kind::MediumBomber | Kind::NavalBomber | Kind::DiveBomber)
}

impl VictoryInEurope {
    /// Class of a unit's battle turn: 0 = A to 4 = E. Invaders are one lower in the whole battle (7.5, R-31).
    pub(crate) fn battle_class(&self, state: &State, unit: UnitId) -> u8 {
        self.unit_type(unit).class + u8::from(state.has_mark(unit, mark::INVADES))
    }

    // ---- the order of turns ----

    /// The next bomber or submarine that has something to announce is asked; returns whether there is one (6.3, 7.33).
    pub(super) fn next_announcement(&self, state: &mut State) -> bool {
        let Battle { attacker, .. } = state.battle;
        for team in [attacker.other(), attacker] {
            let next = self
                .fighters(state, team)
                .find(|&unit| !state.has_mark(unit, mark::ACTED) && self.announces(state, unit));
            if let Some(unit) = next {
                self.ask(state, Pending::Announce(unit), self.owner(state, unit));
                return true;
            }
        }
        false
    }

    fn announces(&self, state: &State, unit: UnitId) -> bool {
        if is_bomber(self.kind(unit)) {
            self.aims(state, unit).next().is_some()
        } else {
            self.may_shelter(state, unit)
        }
    }

    pub(super) fn announcements(&self, state: &State, unit: UnitId, out: &mut Vec<Action>) {
        if is_bomber(self.kind(unit)) {
            out.extend(self.aims(state, unit).map(Action::Announce));
        } else {
            out.extend([Action::Pass, Action::Shelter]);
        }
    }

    /// Whether a submarine lies in a naval base of its own side under attack (7.33).
    fn may_shelter(&self, state: &State, unit: UnitId) -> bool {
        let Battle { place, attacker, .. } = state.battle;
        self.kind(unit) == Kind::Submarine
            && self.team(state, unit) != attacker
            && place.is_area()
            && self.has_base(place, state.coast(unit))
    }

    /// Whose battle turn is next: by class, in a class the defender first, flak before his aircraft (5.2).
    pub(super) fn next_turn(&self, state: &State) -> Turn {
        let Battle { place, attacker, flak_fired, .. } = state.battle;
        let one_sided = Team::ALL.into_iter().any(|team| self.fighters(state, team).next().is_none());
        if one_sided && !self.bombs_factory(state, attacker) {
            return Turn::Over;
        }
        if !flak_fired && place.is_area() && state.factory(place) > 0 {
            return Turn::Flak;
        }
        let mut best = (u8::MAX, UnitId::NONE);
        for team in [attacker.other(), attacker] {
            for unit in self.fighters(state, team) {
                if !state.has_mark(unit, mark::ACTED) {
                    let order = 2 * self.battle_class(state, unit) + u8::from(team == attacker);
                    if order < best.0 {
                        best = (order, unit);
                    }
                }
            }
        }
        if best.1 == UnitId::NONE { Turn::Over } else { Turn::Unit(best.1) }
    }

    /// Whether a team has a bomber that can hit the factory of the area (6.3).
    pub(super) fn bombs_factory(&self, state: &State, team: Team) -> bool {
        self.fighters(state, team).any(|unit| self.can_fire(state, unit, Target::Factory))
    }

    /// What a unit may do in its battle turn: fire if it can, or retreat; wait only if it cannot fire (5.2, 5.7). Where it
    /// retreats to is asked next.
    pub(super) fn battle_turn(&self, state: &State, unit: UnitId, out: &mut Vec<Action>) {
        let start = out.len();
        out.extend(self.shots(state, unit).map(Action::Fire));
        if out.len() == start {
            out.push(Action::Pass);
        }
        if !self.exits(state, unit).is_empty() {
            out.push(Action::Retreat(Place::NONE, 0));
        }
    }

    /// What a unit may fire at in its battle turn: a bomber at what it has announced.
    pub(crate) fn shots(&self, state: &State, unit: UnitId) -> impl Iterator<Item = Target> {
        let fires = move |&target: &Target| {
            (!is_bomber(self.kind(unit)) || state.battle.aims_at(unit, target))
                && self.can_fire(state, unit, target)
        };
        Target::ALL.into_iter().filter(fires)
    }
    /// What a bomber may announce as its target of the round (6.3).
    pub(crate) fn aims(&self, state: &State, unit: UnitId) -> impl Iterator<Item = Target> {
        let all: &[Target] = if is_bomber(self.kind(unit)) { &Target::ALL } else { &[] };
        all.iter().copied().filter(move |&target| self.can_fire(state, unit, target))
    }

    // ---- firepower ----

    /// Firepower of a unit of the battle at a kind of target (5.3): 0 = it cannot fire at it.
    pub(crate) fn firepower(&self, state: &State, unit: UnitId, target: Target) -> u8 {
        let sheet = self.unit_type(unit);
        let team = self.team(state, unit);
        let Battle { place, attacker, .. } = state.battle;
        let is_primary = sheet.primary & target.bit() != 0;
        if !is_primary && sheet.secondary & target.bit() == 0 {
            return 0;
        }
        // For fighters armies are primary only where no enemy aircraft is (note 1 of the target table).
        let diverted = sheet.kind == Kind::Fighter
            && target == Target::Army
            && self.fighters(state, team.other()).any(|enemy| self.arm(enemy) == Arm::Air);
        let primary = is_primary && !diverted;
        let charts = &self.rules.charts;
        let fire = if self.winter_at(state, place) {
            if primary { charts.winter_primary } else { charts.winter_secondary }
        } else {
            let special = [self.rules.units[unit.at()].special, sheet.special];
            let special = special.map(|special| special[target as usize]).into_iter().find(|&fire| fire > 0);
            special.unwrap_or(sheet.fire).saturating_sub(u8::from(!primary))
        };
        let defends = team != attacker;
        let in_forest = place.is_area() && self.rules.areas[place.at()].terrain == Terrain::Forest;
        let forest = if defends && in_forest && sheet.kind.is_infantry() { charts.forest_bonus } else { 0 };
        fire + forest + self.bonus_of_events(state, unit, team, target)
    }

    fn bonus_of_events(&self, state: &State, unit: UnitId, team: Team, target: Target) -> u8 {
        if !state.battle.is_normal_round() {
            return 0;
        }
        let defends = team != state.battle.attacker;
        self.event_firepower(state, state.battle.place, unit, team, defends, target)
    }

    // ---- targets ----

    /// Whether a unit can fire at this kind of target now: it has dice and firepower, and hits would fall somewhere.
    fn can_fire(&self, state: &State, unit: UnitId, target: Target) -> bool {
        let team = self.team(state, unit);
        state.steps(unit) > 0
            && !self.is_afloat(state, unit)
            && state.battle.aim(unit) != SHELTER
            && !self.is_second_at_base(state, unit)
            && self.firepower(state, unit, target) > 0
            && self.has_target(state, unit, team, target)
    }

    fn has_target(&self, state: &State, shooter: UnitId, team: Team, target: Target) -> bool {
        let place = state.battle.place;
        if target == Target::Factory {
            return place.is_area() && state.factory(place) > 0 && self.team_of_area(state, place) != team;
        }
        self.fighters(state, team.other()).any(|unit| self.is_exposed(state, shooter, unit, target))
    }

    /// Only one ship may attack a naval base (7.33): a second one on its coast holds its fire.
    fn is_second_at_base(&self, state: &State, unit: UnitId) -> bool {
        let Battle { place, attacker, .. } = state.battle;
        self.arm(unit) == Arm::Naval
            && place.is_area()
            && self.team(state, unit) == attacker
            && self.team_of_area(state, place) != attacker
            && self.has_base(place, state.coast(unit))
            && self.fighters(state, attacker).any(|other| {
                other < unit && self.arm(other) == Arm::Naval && state.coast(other) == state.coast(unit)
            })
    }

    /// Whether fire of `shooter` ([`UnitId::NONE`] = flak) at this kind of target can hit an enemy unit.
    fn is_exposed(&self, state: &State, shooter: UnitId, unit: UnitId, target: Target) -> bool {
        let by = if shooter == UnitId::NONE { Arm::Air } else { self.arm(shooter) };
        let kind = self.kind(unit);
        let afloat = self.is_afloat(state, unit);
        match target {
            Target::Air => {
                (self.arm(unit) == Arm::Air || state.has_jumped(unit))
                    && (by == Arm::Air
                        || self.kind(shooter) == Kind::Carrier
                        || self.has_fired_on(state, unit, by))
            }
            Target::Army => {
                self.arm(unit) == Arm::Army
                    && !state.has_jumped(unit)
                    && !afloat
                    && (by == Arm::Army || !self.is_at_last_step(state, unit))
            }
            Target::Surface => {
                let is_convoy_of_submarine =
                    kind == Kind::Convoy && shooter != UnitId::NONE && self.is_submarine(shooter);
                let ship = self.arm(unit) == Arm::Naval && kind != Kind::Submarine && !is_convoy_of_submarine;
                (ship || afloat) && self.on_same_coast(state, shooter, unit)
            }
            Target::Sub => kind == Kind::Submarine && self.on_same_coast(state, shooter, unit),
            Target::Convoy => kind == Kind::Convoy,
            Target::Factory => false,
        }
    }

    fn is_submarine(&self, unit: UnitId) -> bool {
        self.kind(unit) == Kind::Submarine
    }

    /// Bombing and shore bombardment do not take a military unit's last step (6.3, 7.31), of a leader the zero step.
    fn is_at_last_step(&self, state: &State, unit: UnitId) -> bool {
        state.steps(unit) == u8::from(self.kind(unit) != Kind::Leader)
    }

    /// Whether an aircraft has attacked units of this arm in the round (5.4, R-30).
    fn has_fired_on(&self, state: &State, unit: UnitId, arm: Arm) -> bool {
        let aims = |target| state.battle.aims_at(unit, target);
        state.has_mark(unit, mark::ACTED)
            && match arm {
                Arm::Army => aims(Target::Army),
                _ => aims(Target::Surface) || aims(Target::Sub) || aims(Target::Convoy),
            }
    }

    /// Ships in an area fight only those on their own coast (7.3); invaders lie on the coast they go for.
    fn on_same_coast(&self, state: &State, shooter: UnitId, unit: UnitId) -> bool {
        let coast = |unit: UnitId| match self.force(state, unit) {
            Some(force) if self.arm(unit) == Arm::Army => state.invasion.coast[force.index()],
            _ => state.coast(unit),
        };
        shooter == UnitId::NONE
            || self.arm(shooter) != Arm::Naval
            || !state.battle.place.is_area()
            || coast(shooter) == coast(unit)
    }

    // ---- fire ----

    /// A unit fires: a die a step (5.3).
    pub(super) fn fire(&self, state: &mut State, unit: UnitId, target: Target, context: &mut impl Rolls) {
        let fire = self.firepower(state, unit, target);
        let dice = state.steps(unit);
        if self.arm(unit) == Arm::Air {
            state.battle.set_aim(unit, target as u8 + 1);
        }
        self.roll(state, unit, self.team(state, unit), target, (fire, dice), context);
    }

    /// The flak of a factory fires at enemy aircraft, if there are any (11.33).
    pub(super) fn fire_flak(&self, state: &mut State, context: &mut impl Rolls) {
        let place = state.battle.place;
        let team = self.team_of_area(state, place);
        state.battle.flak_fired = true;
        if !self.has_target(state, UnitId::NONE, team, Target::Air) {
            return;
        }
        let charts = &self.rules.charts;
        let fire = if self.winter_at(state, place) { charts.winter_primary } else { charts.flak };
        let fire = fire + self.bonus_of_events(state, UnitId::NONE, team, Target::Air);
        self.roll(state, UnitId::NONE, team, Target::Air, (fire, state.factory(place)), context);
    }

    fn roll(
        &self,
        state: &mut State,
        unit: UnitId,
        team: Team,
        target: Target,
        (fire, dice): (u8, u8),
        context: &mut impl Rolls,
    ) {
        let hits = context.hits(u32::from(dice), 6, u32::from(fire)) as u8;
        context.emit(|| Event::Fired { unit, target, fire, dice, hits });
        let battle = &mut state.battle;
        let column = battle.column(team);
        battle.dice[column] = battle.dice[column].saturating_add(fire * dice);
        battle.scored[column] = battle.scored[column].saturating_add(hits);
        (battle.hits, battle.target, battle.shooter, battle.shooting) = (hits, target, unit, team);
    }

    // ---- hits ----

    /// Hits fall one by one on the strongest unit of the target's kind (5.4); returns whether an owner must choose.
    pub(super) fn hits_fall(&self, state: &mut State, context: &mut impl Rolls) -> bool {
        while state.battle.hits > 0 {
            if state.battle.target == Target::Factory {
                self.hit_factory(state, context);
                continue;
            }
            let mut bearers = self.bearers(state);
            let (first, second) = (bearers.next(), bearers.next());
            drop(bearers);
            match (first, second) {
                (None, _) => state.battle.hits = 0,
                (Some(unit), None) => self.take_hit(state, unit, context),
                (Some(unit), Some(_)) => {
                    let owner = self.owner(state, unit);
                    self.ask(state, Pending::Hit(owner.team() as u8), owner);
                    return true;
                }
            }
        }
        false
    }

    fn hit_factory(&self, state: &mut State, context: &mut impl Rolls) {
        let area = state.battle.place;
        let steps = state.factory(area);
        if steps == 0 {
            state.battle.hits = 0;
            return;
        }
        context.emit(|| Event::FactoryLoss { area, steps: 1 });
        state.set_factory(area, steps - 1);
        state.battle.hits -= 1;
    }

    /// The units on which the next hit may fall, in ascending order: the strongest; and where that is one of Double Defence,
    /// those that have half a hit, for it is they that take the second (5.5, R-116).
    pub(crate) fn bearers(&self, state: &State) -> impl Iterator<Item = UnitId> {
        let Battle { shooter, shooting, target, .. } = state.battle;
        let exposed = move || {
            self.fighters(state, shooting.other())
                .filter(move |&unit| self.is_exposed(state, shooter, unit, target))
        };
        let most = exposed().map(|unit| state.steps(unit)).max();
        let strongest = move |unit: UnitId| Some(state.steps(unit)) == most;
        let halved = exposed().any(|unit| state.has_half_hit(unit))
            && exposed().any(|unit| strongest(unit) && self.has_double_defence(state, unit));
        exposed().filter(move |&unit| if halved { state.has_half_hit(unit) } else { strongest(unit) })
    }

    /// Double Defence (5.5): fortresses, infantry that defends in mountains, submarines that shelter.
    fn has_double_defence(&self, state: &State, unit: UnitId) -> bool {
        let Battle { place, attacker, .. } = state.battle;
        let kind = self.kind(unit);
        kind == Kind::Fortress
            || state.battle.aim(unit) == SHELTER
            || kind.is_infantry()
                && self.team(state, unit) != attacker
                && place.is_area()
                && self.tables.areas.mountains.contains(place)
    }

    pub(super) fn take_hit(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        state.battle.hits -= 1;
        if self.has_double_defence(state, unit) && !state.has_half_hit(unit) {
            state.set_half_hit(unit, true);
        } else {
            state.set_half_hit(unit, false);
            self.lose(state, unit, LossCause::Fire, context);
        }
    }
}
