//! Fire by classes and the losses it makes (6.2, 20.1; play book 15.1, 15.2).
//!
//! A group is all blocks of one class with the same bonuses of their own (elite, air support). Armour fires at armour, infantry
//! class at infantry class; at the other class if the first is not there when the group fires (L329, L687).

use sandtable_core::Index;

use crate::Rolls;
use crate::event::{Event, LossCause};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Nation, Team, UnitId, Units};
use crate::phase::{FireClass, Stage};
use crate::rules::{Surprise, Terrain};
use crate::state::{Battle, State, happened, mark};

/// Blocks that fire together: `8 * class + bonuses of their own`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Group(pub u8);

impl Group {
    /// Groups there can be.
    const COUNT: u8 = 16;

    /// The group of a class with bonuses of its own, at most 7.
    pub fn new(class: FireClass, own: u8) -> Group {
        Group(8 * class as u8 + own.min(7))
    }
    /// Its class.
    pub fn class(self) -> FireClass {
        if self.0 < 8 { FireClass::Infantry } else { FireClass::Armour }
    }
    /// Bonuses of its own.
    pub fn own(self) -> u8 {
        self.0 % 8
    }
}

/// The fire of a group: how many dice, at what, what they need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shot {
    /// Dice.
    pub dice: u16,
    /// The least number that hits.
    pub need: u8,
    /// The class fired at.
    pub at: FireClass,
}

impl EuropeEngulfed {
    fn own_bonus(&self, state: &State, unit: UnitId) -> u8 {
        let bonuses = &self.rules.bonuses;
        let elite = if self.tables.elite.contains(unit) { bonuses.elite } else { 0 };
        let air = if state.has_mark(unit, mark::SUPPORTED) { bonuses.air_support } else { 0 };
        elite + air + self.surprise_bonus(state, unit) + self.dug_in_bonus(state, unit)
    }

    /// One more for units of a power that surprises another and land on it, and for its armour that attacks in clear ground: not in the
    /// counterattack of the surprised (14.43 b, 20.1 l, A120).
    fn surprise_bonus(&self, state: &State, unit: UnitId) -> u8 {
        let Surprise { by, on } = self.surprise(state);
        let battle = &state.battle;
        if by & self.nation(unit).bit() == 0 {
            return 0;
        }
        let enemies = self.blocks(state, battle.attacker.other());
        let found =
            Nation::members(on).any(|nation| enemies.intersects(&self.tables.of_nation[nation.index()]));
        let attacks = battle.striker == battle.attacker;
        let clear = self.rules.areas[battle.area.at()].terrain == Terrain::Clear;
        let storms = state.has_mark(unit, mark::LANDED) || clear && self.tables.armour.contains(unit);
        if found && attacks && storms { self.rules.bonuses.surprise } else { 0 }
    }

    /// One more for German airborne that defend, once they make no more assaults (13.33).
    fn dug_in_bonus(&self, state: &State, unit: UnitId) -> u8 {
        let renounced = state.affairs.has(happened::AIRBORNE_RENOUNCED);
        let defends = state.battle.striker != Team::First;
        let german = self.nation(unit) == Nation::Germany && self.tables.airborne.contains(unit);
        if renounced && defends && german { self.rules.bonuses.dug_in } else { 0 }
    }

    /// Blocks of a class.
    fn of_class(&self, units: &Units, class: FireClass) -> Units {
        units.and(&self.tables.classes[class as usize])
    }

    /// Blocks that fire in the round: not those that have been bombed (14.47).
    fn firing(&self, state: &State, team: Team) -> Units {
        let blocks = self.fighting(state, team, self.blocks(state, team));
        if self.rules.options.carpet_bombing {
            return blocks.difference(&state.marked(mark::SILENCED));
        }
        blocks
    }

    /// The blocks of a group.
    fn members(&self, state: &State, team: Team, group: Group) -> Units {
        let blocks = self.firing(state, team);
        self.of_class(&blocks, group.class()).filter(|unit| self.own_bonus(state, unit).min(7) == group.own())
    }

    /// Groups of a team that have not fired yet; none if there is nobody to fire at.
    pub(super) fn groups(&self, state: &State, team: Team) -> impl Iterator<Item = Group> {
        let mut mask = 0u16;
        if !self.blocks(state, team.other()).is_empty() {
            for unit in self.firing(state, team) {
                let class = if self.tables.classes[1].contains(unit) {
                    FireClass::Armour
                } else {
                    FireClass::Infantry
                };
                // Armour that is kept back from infantry has nobody to fire at without armour (14.45).
                if state.battle.risks || self.target_of(state, team, class).is_some() {
                    mask |= 1 << Group::new(class, self.own_bonus(state, unit)).0;
                }
            }
        }
        let mask = mask & !state.battle.fired;
        (0..Group::COUNT).filter(move |group| mask & 1 << group != 0).map(Group)
    }

    /// Whether a team has groups that have not fired yet.
    pub(crate) fn groups_left(&self, state: &State, team: Team) -> bool {
        self.groups(state, team).next().is_some()
    }

    /// The class a group fires at now; `None` if the enemy has no block left.
    fn target_of(&self, state: &State, team: Team, class: FireClass) -> Option<FireClass> {
        let enemies = self.blocks(state, team.other());
        // Armour that is kept back from infantry (14.45).
        let kept_back = !state.battle.risks && team == state.battle.attacker && class == FireClass::Armour;
        let classes = if kept_back { &[class][..] } else { &[class, class.other()] };
        classes.iter().copied().find(|class| !self.of_class(&enemies, *class).is_empty())
    }

    /// The fire of a group as it stands.
    pub fn shot(&self, state: &State, team: Team, group: Group) -> Option<Shot> {
        let at = self.target_of(state, team, group.class())?;
        let combat = &self.rules.combat;
        let bonus = group.own() + self.bonus_against(state, team, group.class(), at);
        let need = combat.hit_on.saturating_sub(bonus).max(if combat.one_misses { 2 } else { 1 });
        let per_step = u16::from(combat.dice_per_step[state.battle.mode as usize]);
        let (mut whole, mut halved) = (0, 0);
        for unit in self.members(state, team, group) {
            let dice = u16::from(state.steps(unit)) * per_step;
            if self.rolls_half(state, team, unit) { halved += dice } else { whole += dice }
        }
        Some(Shot { dice: whole + halved.div_ceil(2), need, at })
    }

    /// Bonuses of 20.1 that do not belong to single blocks.
    fn bonus_against(&self, state: &State, team: Team, class: FireClass, at: FireClass) -> u8 {
        let (battle, bonuses) = (&state.battle, &self.rules.bonuses);
        let area = battle.area;
        let mut bonus = 0;
        if class == FireClass::Armour && at == FireClass::Infantry {
            bonus += bonuses.armour_at_infantry;
        }
        let enemies = self.blocks(state, team.other());
        for &(one, other) in &self.rules.politics.mixed {
            let has = |nation: Nation| enemies.intersects(&self.tables.of_nation[nation.index()]);
            if has(one) && has(other) {
                bonus += bonuses.mixed_minors;
            }
        }
        if team == battle.striker {
            return bonus;
        }
        bonus += self.defender_bonus(state, team, area);
        let mud = self.weather_at(state, area).infantry_bonus && !Self::is_offensive(state);
        if mud && class == FireClass::Infantry {
            bonus += bonuses.mud;
        }
        // Who controlled the area before the battle fires at those who have just crossed into it.
        if battle.first && state.held(team).contains(area) {
            let targets = self.of_class(&enemies, at);
            let any = |marks: u16| targets.iter().any(|unit| state.has_mark(unit, marks));
            for (marks, value) in [
                (mark::CROSSED, bonuses.river),
                (mark::MAGINOT, bonuses.maginot),
                (mark::LANDED, bonuses.landing),
            ] {
                bonus += if any(marks) { value } else { 0 };
            }
        }
        bonus
    }

    /// Hit bonuses (20.1) that an area gives all blocks of a team that defends in it: rough ground, or swamp where the weather makes
    /// it so, to whoever defends in the round (A41); fortress and fortification only if the team controls the area. Without mud,
    /// which helps infantry alone, and without what attackers crossed, which counts in the first round.
    pub fn defender_bonus(&self, state: &State, team: Team, area: Area) -> u8 {
        let bonuses = &self.rules.bonuses;
        let offensive = Self::is_offensive(state) && state.battle.area == area;
        let bog =
            self.tables.swamps.contains(area) && self.weather_at(state, area).swamp_is_rough && !offensive;
        let mut bonus = if self.tables.rough.contains(area) || bog { bonuses.rough } else { 0 };
        if state.held(team).contains(area) {
            if self.tables.fortresses.contains(area) {
                bonus += bonuses.fortress;
            }
            if state.field_forts.contains(area) || state.heavy_forts.contains(area) {
                bonus += bonuses.fortification;
            }
        }
        bonus
    }

    /// Whether blocks of a power that attack in an area roll half their dice for its weather: all in snow, but for Soviets in
    /// Soviet home areas and Finns (14.32).
    pub fn rolls_half_in(&self, state: &State, nation: Nation, area: Area) -> bool {
        let weather = &self.rules.weather;
        let at_home = self.tables.home[Nation::SovietUnion.index()].contains(area);
        let exempt =
            nation == Nation::SovietUnion && weather.soviets_exempt && at_home && self.knows_snow(state)
                || nation == Nation::Finland && weather.finns_exempt;
        self.weather_at(state, area).half_dice && !exempt
    }

    /// Whether Soviets attack in snow at home without penalty: always, but by option 14.32 only a year after their first success in it.
    fn knows_snow(&self, state: &State) -> bool {
        let (_, _, turns) = self.rules.optional.no_winter_war;
        let success = state.affairs.counts.snow_success;
        !self.rules.options.no_winter_war || success > 0 && state.turn >= success + turns
    }

    /// A Soviet attack in snow, in Finland or at home, after which they have more steps there than the defender (14.32).
    pub(super) fn note_success_in_snow(&self, state: &mut State, battle: &Battle) {
        if !self.rules.options.no_winter_war || state.affairs.counts.snow_success > 0 {
            return;
        }
        let homes = [Nation::SovietUnion, Nation::Finland].map(|nation| self.tables.home[nation.index()]);
        let fought = battle.attacker == Team::Second && battle.steps != [0; 2];
        let there = homes.iter().any(|home| home.contains(battle.area));
        let snow = self.weather_at(state, battle.area).half_dice;
        if !(fought && there && snow) {
            return;
        }
        let soviets = &self.tables.of_nation[Nation::SovietUnion.index()];
        let attackers = self.land_units_at(state, Team::Second, battle.area).and(soviets);
        let defenders = self.land_units_at(state, Team::First, battle.area);
        if self.steps_of(state, &attackers) > self.steps_of(state, &defenders) {
            state.affairs.counts.snow_success = state.turn;
        }
    }

    /// Whether the round is the surprise of a final offensive, not the answer to it (13.34).
    fn is_offensive(state: &State) -> bool {
        state.battle.offensive && state.battle.striker == state.battle.attacker
    }

    /// Attackers roll half their dice in snow (14.32) and out of supply (A103).
    fn rolls_half(&self, state: &State, team: Team, unit: UnitId) -> bool {
        team == state.battle.striker
            && (!Self::is_offensive(state) && self.rolls_half_in(state, self.nation(unit), state.battle.area)
                || self.rules.combat.unsupplied_half && state.has_mark(unit, mark::UNSUPPLIED))
    }

    /// A group fires; hits are taken before anybody else does (L271).
    pub(super) fn fire(&self, state: &mut State, team: Team, group: Group, context: &mut impl Rolls) {
        state.battle.fired |= 1 << group.0;
        let Some(shot) = self.shot(state, team, group) else { return };
        // Dice below the number needed miss.
        let hits = self.hits_of(shot, context);
        let (class, at, dice, need) = (group.class(), shot.at, shot.dice, shot.need);
        context.emit(|| Event::Fired { team, class, at, dice, need, hits });
        (state.battle.hits, state.battle.target) = (hits, at);
        self.distribute(state, team, class);
        state.battle.stage = Stage::Loss(team.other());
        self.take_forced_hits(state, team.other(), context);
    }

    /// Whether an area has a fortress or forts of any kind.
    pub fn is_fortified(&self, state: &State, area: Area) -> bool {
        state.field_forts.contains(area)
            || state.heavy_forts.contains(area)
            || self.tables.fortresses.contains(area)
    }

    /// Of how many hits by infantry one falls on armour that attacks it, by option 14.45.
    pub fn hits_per_armour(&self, state: &State) -> u8 {
        let (early, year, late) = self.rules.optional.armour_hit;
        if self.bimester(state.turn).year < year { early } else { late }
    }

    /// By option 14.45 some hits by infantry fall on the armour that attacks it: one of so many, one in all, or on fortified ground one
    /// for each armour block.
    fn distribute(&self, state: &mut State, team: Team, class: FireClass) {
        let battle = &state.battle;
        let (area, attacker) = (battle.area, battle.attacker);
        if !self.rules.options.hit_distribution {
            return;
        }
        let defends = team != attacker && battle.striker == attacker;
        let infantry = class == FireClass::Infantry && battle.target == FireClass::Infantry;
        let armour = self.blocks(state, attacker).and(&self.tables.armour).len() as u16;
        let mut on_armour = 0;
        if defends && infantry && battle.risks {
            let each = self.hits_per_armour(state);
            let most = if self.is_fortified(state, area) { armour } else { armour.min(1) };
            // Hits count through the round.
            let hits = battle.infantry_hits + battle.hits;
            let due = (hits / u16::from(each)).min(most);
            on_armour = due.saturating_sub(battle.armour_struck).min(battle.hits);
            let battle = &mut state.battle;
            (battle.infantry_hits, battle.armour_struck) = (hits, battle.armour_struck + on_armour);
        }
        let battle = &mut state.battle;
        battle.later = 0;
        if on_armour > 0 {
            battle.later = battle.hits - on_armour;
            (battle.hits, battle.target) = (on_armour, FireClass::Armour);
        }
    }

    /// How many dice of a shot hit. By option 21.0 dozens of dice are read off the table of their bonuses with three dice, up to
    /// ten dozens a column; from four bonuses on all are rolled.
    fn hits_of(&self, shot: Shot, context: &mut impl Rolls) -> u16 {
        let (mut dice, mut hits) = (shot.dice, 0);
        let bonuses = usize::from(self.rules.combat.hit_on.saturating_sub(shot.need));
        if let Some(table) = self.rules.combat_table.get(bonuses).filter(|_| self.rules.options.combat_tables)
        {
            while dice >= 12 {
                let dozens = (dice / 12).min(10);
                let sum = context.die(6) + context.die(6) + context.die(6);
                hits += u16::from(table[sum as usize - 3][usize::from(dozens) - 1]);
                dice -= 12 * dozens;
            }
        }
        hits + dice - context.hits(u32::from(dice), 6, u32::from(shot.need) - 1) as u16
    }

    /// Takes the hits that leave no choice: a class that loses all, what spills over to the other (L329), what is beyond all
    /// steps and lost (L287).
    fn take_forced_hits(&self, state: &mut State, team: Team, context: &mut impl Rolls) {
        loop {
            if state.battle.hits == 0 {
                if state.battle.later == 0 {
                    break;
                }
                let battle = &mut state.battle;
                battle.hits = std::mem::take(&mut battle.later);
                battle.target = FireClass::Infantry;
            }
            let blocks = self.blocks(state, team);
            let Some(class) = self.target_of(state, team.other(), state.battle.target) else {
                state.battle.later = 0;
                break;
            };
            state.battle.target = class;
            let targets = self.of_class(&blocks, class);
            let steps = self.steps_of(state, &targets);
            if state.battle.hits < steps {
                return;
            }
            for unit in targets {
                self.eliminate(state, unit, LossCause::Fire, context);
            }
            state.battle.hits -= steps;
            state.battle.lost[team.index()] += steps;
        }
        state.battle.hits = 0;
        state.battle.stage = Stage::Fire(team.other());
    }

    /// Blocks that may take the next hit: within the class hit every block at full strength first (L271, L325; A60).
    pub(super) fn who_may_lose(&self, state: &State, team: Team) -> Units {
        if state.battle.hits == 0 {
            return Units::EMPTY;
        }
        let targets = self.of_class(&self.blocks(state, team), state.battle.target);
        let full = targets.filter(|unit| state.steps(unit) == self.max_steps(unit));
        if !full.is_empty() {
            return full;
        }
        // Then one elite block that is no cadre (14.45).
        let taken = state.battle.elite_hits & elite_bit(team, state.battle.target) != 0;
        if self.rules.options.hit_distribution && !taken {
            let elite = targets.and(&self.tables.elite).filter(|unit| state.steps(unit) > 1);
            if !elite.is_empty() {
                return elite;
            }
        }
        targets
    }

    pub(super) fn take_hit(&self, state: &mut State, team: Team, unit: UnitId, context: &mut impl Rolls) {
        let full = state.steps(unit) == self.max_steps(unit);
        if !full && self.tables.elite.contains(unit) {
            state.battle.elite_hits |= elite_bit(team, state.battle.target);
        }
        self.lose_step(state, unit, LossCause::Fire, context);
        state.battle.hits -= 1;
        state.battle.lost[team.index()] += 1;
        self.take_forced_hits(state, team, context);
    }

    /// All groups of a team have fired: the attackers of the round follow, then its end.
    pub(super) fn fired_all(&self, state: &mut State, team: Team, context: &mut impl Rolls) {
        state.battle.fired = 0;
        if team == state.battle.striker {
            self.aftermath(state, context);
        } else {
            state.battle.stage = Stage::Support(team.other());
        }
    }
}

/// An elite block of a class of a team has taken its hit of the round (14.45), as a bit.
fn elite_bit(team: Team, class: FireClass) -> u8 {
    1 << (2 * team.index() + class as usize)
}
