//! What a battle is expected to bring: expected hits by class, the defender of the round first (6.0, 20.1).

use sandtable_europe_engulfed::ids::{Area, Units};
use sandtable_europe_engulfed::phase::{FireClass, Mode};
use sandtable_europe_engulfed::rules::Branch;
use sandtable_europe_engulfed::state::mark;
use sandtable_europe_engulfed::{EuropeEngulfed, Nation, State, Team, UnitId};

/// Steps that an air support unit helps: those of a good block.
const HELPED: f32 = 3.5;
/// Rounds that an attacker has to survive to keep a line of supply open: his own, and what the enemy sends into it.
const SURVIVAL_ROUNDS: f32 = 2.0;
/// Faces of a die.
pub(super) const FACES: f32 = 6.0;

/// One side of a battle.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Army {
    /// Steps by [`FireClass`].
    pub steps: [f32; 2],
    /// Those of them that are elite.
    pub elite: [f32; 2],
    /// Those that roll half their dice when they attack.
    pub halved: [f32; 2],
    /// Blocks.
    pub blocks: f32,
    /// Air support units.
    pub air: f32,
}

impl Army {
    /// A counter joins.
    pub fn add(&mut self, game: &EuropeEngulfed, state: &State, unit: UnitId) {
        let steps = f32::from(state.steps(unit));
        if game.is_air(unit) {
            self.air += 1.0;
            return;
        }
        let class = class_of(game, unit) as usize;
        self.steps[class] += steps;
        if game.kind(unit).elite {
            self.elite[class] += steps;
        }
        if state.has_mark(unit, mark::UNSUPPLIED) {
            self.halved[class] += steps;
        }
        self.blocks += 1.0;
    }

    /// A block like these on average joins; out of supply it rolls half its dice when it attacks.
    pub fn add_like(&mut self, average: &Army, unsupplied: bool) {
        self.add_part(average, 1.0);
        if unsupplied {
            for class in [0, 1] {
                self.halved[class] += average.steps[class];
            }
        }
    }

    /// A part of the blocks of others joins, in full supply.
    pub fn add_part(&mut self, others: &Army, share: f32) {
        for class in [0, 1] {
            self.steps[class] += share * others.steps[class];
            self.elite[class] += share * others.elite[class];
        }
        self.blocks += share * others.blocks;
        self.air += share * others.air;
    }

    /// One of its blocks on average.
    pub fn average(&self) -> Army {
        let blocks = self.blocks.max(1.0);
        let share = |steps: [f32; 2]| steps.map(|steps| steps / blocks);
        Army { steps: share(self.steps), elite: share(self.elite), blocks: 1.0, ..Army::default() }
    }

    /// One counter alone.
    pub fn one(game: &EuropeEngulfed, state: &State, unit: UnitId) -> Army {
        let mut army = Army::default();
        army.add(game, state, unit);
        army
    }

    pub fn of(game: &EuropeEngulfed, state: &State, units: &Units) -> Army {
        let mut army = Army::default();
        for unit in *units {
            army.add(game, state, unit);
        }
        army
    }

    /// All land steps.
    pub fn land(&self) -> f32 {
        self.steps[0] + self.steps[1]
    }

    /// What its steps are worth to their owner, if one of armour is worth so many of infantry, and an elite one so many plain ones.
    pub fn value(&self, dear: f32) -> f32 {
        let of = |class: usize| self.steps[class] + (dear - 1.0) * self.elite[class];
        of(0) + dear * of(1)
    }

    /// What it weighs on the map: armour hits harder, air support helps blocks.
    pub fn power(&self) -> f32 {
        let land = self.land();
        self.steps[0]
            + 1.5 * self.steps[1]
            + 0.5 * (self.elite[0] + self.elite[1])
            + (HELPED * 0.6 * self.air).min(land)
    }

    /// Takes expected hits in a class, what is too much in the other.
    fn lose(&mut self, hits: f32, class: usize) {
        let mut left = hits;
        for class in [class, 1 - class] {
            let taken = left.min(self.steps[class]);
            if self.steps[class] > 0.0 {
                let share = 1.0 - taken / self.steps[class];
                self.steps[class] -= taken;
                // Plain blocks are given first where there is a choice.
                self.elite[class] = self.elite[class].min(self.steps[class]);
                self.halved[class] *= share;
            }
            left -= taken;
        }
    }
}

/// What a crossing from one area into another adds to the defender's bonus in the first round.
pub(super) fn crossing_bonus(game: &EuropeEngulfed, marks: u16) -> u8 {
    let bonuses = &game.rules.bonuses;
    let of = |mark: u16, bonus: u8| if marks & mark != 0 { bonus } else { 0 };
    of(mark::CROSSED, bonuses.river) + of(mark::MAGINOT, bonuses.maginot) + of(mark::LANDED, bonuses.landing)
}

/// The class in which a block fires.
pub(super) fn class_of(game: &EuropeEngulfed, unit: UnitId) -> FireClass {
    if game.branch(unit) == Branch::Armour { FireClass::Armour } else { FireClass::Infantry }
}

/// Where and how a round is fought.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Ground {
    /// Bonus of whoever defends in the round.
    pub bonus: u8,
    /// More of it in the first round, by the class of those who crossed or landed.
    pub crossed: [u8; 2],
    /// Bonus of the defender's infantry class (mud).
    pub mud: u8,
    /// Supporting air units that the weather lets help on each side.
    pub support: f32,
    /// Attackers roll half their dice.
    pub half: bool,
}

impl Ground {
    /// The ground of an area for whoever attacks it, without what is crossed.
    pub fn of(game: &EuropeEngulfed, state: &State, attacker: Team, area: Area) -> Ground {
        // The Soviets alone of their team attack at home as in summer (14.32).
        let soviet = state.team(Nation::SovietUnion) == Some(attacker);
        let nation = if soviet { Nation::SovietUnion } else { Nation::Germany };
        let weather = game.weather_at(state, area);
        Ground {
            bonus: game.defender_bonus(state, attacker.other(), area),
            crossed: [0; 2],
            mud: if weather.infantry_bonus { game.rules.bonuses.mud } else { 0 },
            support: f32::from(weather.air_support),
            half: game.rolls_half_in(state, nation, area),
        }
    }
}

/// What is expected.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Expectation {
    /// Probability that the attacker is alone in the area.
    pub won: f32,
    /// Steps lost: the attacker's, the defender's.
    pub lost: [f32; 2],
    /// What there was of both before.
    pub before: [Army; 2],
    /// What is left of the attacker, of the defender.
    pub left: [Army; 2],
}

impl Expectation {
    /// Probability that somebody is left of the attacker after [`SURVIVAL_ROUNDS`] that cost him as much as this one.
    pub fn survival_probability(&self) -> f32 {
        let lost = SURVIVAL_ROUNDS * self.lost[0];
        above((self.before[0].land() - lost) / (lost + 0.1).sqrt())
    }

    /// Worth of what is lost on each side.
    pub fn toll(&self, dear: f32) -> [f32; 2] {
        [0, 1].map(|side: usize| self.before[side].value(dear) - self.left[side].value(dear))
    }
}

/// Chance that a die with such a bonus hits.
pub(super) fn chance(game: &EuropeEngulfed, bonus: f32) -> f32 {
    let combat = &game.rules.combat;
    let base = f32::from(7 - combat.hit_on.min(6));
    let most = if combat.one_misses { 5.0 } else { 6.0 };
    (base + bonus).min(most) / FACES
}

/// Expected hits of an army on another, their variance, and the class that is hit first.
fn fire(
    game: &EuropeEngulfed,
    army: &Army,
    at: &Army,
    ground: &Ground,
    mode: Mode,
    attacks: bool,
) -> [(f32, f32); 2] {
    let rules = &game.rules;
    let per_step = f32::from(rules.combat.dice_per_step[mode as usize]);
    let mut help = army.air.min(ground.support) * HELPED;
    let mut out = [(0.0, 0.0); 2];
    for class in [1, 0] {
        let steps = army.steps[class];
        if steps <= 0.0 {
            continue;
        }
        let target = if at.steps[class] > 0.0 { class } else { 1 - class };
        let mut bonus = 0.0;
        if class == 1 && target == 0 {
            bonus += f32::from(rules.bonuses.armour_at_infantry);
        }
        if !attacks {
            bonus += f32::from(ground.bonus) + f32::from(ground.crossed[target]);
            if class == 0 {
                bonus += f32::from(ground.mud);
            }
        }
        let dice = if attacks && ground.half {
            steps / 2.0
        } else if attacks && rules.combat.unsupplied_half {
            steps - army.halved[class] / 2.0
        } else {
            steps
        };
        let dice = dice * per_step;
        let elite = army.elite[class] / steps;
        let helped = (help / steps).min(1.0);
        help -= helped * steps;
        // The share of elite blocks and of those with air support counts as so much bonus for all.
        let own = elite * f32::from(rules.bonuses.elite) + helped * f32::from(rules.bonuses.air_support);
        let p = chance(game, bonus + own);
        out[target].0 += dice * p;
        out[target].1 += dice * p * (1.0 - p);
    }
    out
}

/// One round: the defender fires, then what is left of the attacker.
pub(super) fn round(
    game: &EuropeEngulfed,
    attacker: Army,
    defender: Army,
    ground: &Ground,
    mode: Mode,
) -> Expectation {
    let (mut attackers, mut defenders) = (attacker, defender);
    // Air units on both sides keep each other busy.
    let busy = 0.5 * attackers.air.min(defenders.air);
    attackers.air -= busy;
    defenders.air -= busy;
    let first = fire(game, &defenders, &attackers, ground, mode, false);
    for class in [0, 1] {
        attackers.lose(first[class].0, class);
    }
    let second = fire(game, &attackers, &defenders, ground, mode, true);
    let before = defenders.land();
    let (mean, variance) = (second[0].0 + second[1].0, second[0].1 + second[1].1);
    for class in [0, 1] {
        defenders.lose(second[class].0, class);
    }
    let won = if before <= 0.0 {
        1.0
    } else if attackers.land() <= 0.0 {
        0.0
    } else {
        above((mean - before + 0.5) / (variance + 0.2 * mean + 0.05).sqrt())
    };
    (attackers.air, defenders.air) = (attacker.air, defender.air);
    Expectation {
        won,
        lost: [attacker.land() - attackers.land(), defender.land() - defenders.land()],
        before: [attacker, defender],
        left: [attackers, defenders],
    }
}

/// The normal distribution below a number of deviations, near enough.
fn above(deviations: f32) -> f32 {
    1.0 / (1.0 + (-1.702 * deviations).exp())
}
