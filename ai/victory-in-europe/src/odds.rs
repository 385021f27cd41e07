//! What a battle is expected to bring: expected hits by class, the defender first (5.2 to 5.5).

/// Classes of battle turns, with the one of invaders.
const CLASSES: usize = 5;
/// Chance that a die's hit counts is the firepower over this.
const FACES: f32 = 6.0;

/// A unit as far as its side's opponent can tell.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Block {
    /// Steps.
    pub steps: f32,
    /// Firepower against armies.
    pub fire: f32,
    /// Battle turn: 0 = A.
    pub class: f32,
}

impl Block {
    /// Expected hits a round.
    pub fn power(&self) -> f32 {
        self.steps * self.fire / FACES
    }
}

/// One side of a battle.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct BattleSide {
    /// Expected hits a round by class.
    hits: [f32; CLASSES],
    /// Steps that can be hit.
    pub steps: f32,
    /// Hits that all of them take: more where Double Defence counts.
    pub endurance: f32,
    /// Units among them.
    pub units: u8,
}

impl BattleSide {
    /// An army joins, each of whose steps takes `hits` hits.
    pub fn add_army(&mut self, block: Block, hits: f32) {
        self.hits[(block.class + 0.5) as usize % CLASSES] += block.power();
        self.steps += block.steps;
        self.endurance += block.steps * hits;
        self.units += 1;
    }
    /// Aircraft or ships join in support: they fire, but do not hold ground.
    pub fn add_support(&mut self, block: Block) {
        self.hits[(block.class + 0.5) as usize % CLASSES] += block.power();
    }
    /// What is left of it when it has lost all but a share of its steps.
    pub fn scaled(&self, share: f32) -> BattleSide {
        BattleSide {
            hits: self.hits.map(|hits| hits * share),
            steps: self.steps * share,
            endurance: self.endurance * share,
            units: self.units,
        }
    }
    /// Expected hits of its first round.
    pub fn power(&self) -> f32 {
        self.hits.iter().sum()
    }
}

/// What is expected of a battle.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Expectation {
    /// Probability that the attacker takes the ground.
    pub win: f32,
    /// Steps the attacker loses.
    pub attacker_loses: f32,
    /// Steps the defender loses.
    pub defender_loses: f32,
}

/// Plays a battle of so many rounds with expected values; the spread of the dice gives the probability.
pub(super) fn expect(attacker: &BattleSide, defender: &BattleSide, rounds: u8) -> Expectation {
    let (mut attack, mut defence) = (attacker.endurance, defender.endurance);
    let (mut dealt, mut variance) = (0.0, 0.0);
    let left = |now: f32, full: f32| if full > 0.0 { (now / full).clamp(0.0, 1.0) } else { 1.0 };
    for _ in 0..rounds {
        for class in 0..CLASSES {
            attack -= defender.hits[class] * left(defence, defender.endurance);
            let hits = attacker.hits[class] * left(attack, attacker.endurance);
            defence -= hits;
            dealt += hits;
            variance += hits * 0.67;
        }
    }
    let margin = dealt - defender.endurance + 0.5;
    let spread = (variance + 0.3).sqrt();
    let stands = if attacker.steps > 0.0 { 1.0 } else { 0.0 };
    let per_step = |host: &BattleSide| if host.steps > 0.0 { host.endurance / host.steps } else { 1.0 };
    let lost =
        |host: &BattleSide, left: f32| (host.endurance - left.max(0.0)).max(0.0) / per_step(host).max(1.0);
    Expectation {
        win: stands / (1.0 + (-1.7 * margin / spread).exp()),
        attacker_loses: lost(attacker, attack),
        defender_loses: lost(defender, defence),
    }
}

/// Probability that two dice come to at least this.
pub(super) fn two_dice(needed: i32) -> f32 {
    let ways = (2..=12).filter(|sum| *sum >= needed).map(|sum: i32| 6 - (sum - 7).abs()).sum::<i32>();
    ways as f32 / 36.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn infantry(steps: f32) -> Block {
        Block { steps, fire: 2.0, class: 3.0 }
    }

    fn host(units: u8, steps: f32) -> BattleSide {
        let mut host = BattleSide::default();
        (0..units).for_each(|_| host.add_army(infantry(steps), 1.0));
        host
    }

    #[test]
    fn numbers_win_and_more_rounds_help_them() {
        let strong = expect(&host(3, 3.0), &host(1, 3.0), 2);
        let even = expect(&host(3, 3.0), &host(3, 3.0), 2);
        assert!(strong.win > 0.85, "{strong:?}");
        assert!(even.win < 0.2, "{even:?}");
        assert!(expect(&host(3, 3.0), &host(2, 3.0), 3).win > expect(&host(3, 3.0), &host(2, 3.0), 2).win);
        assert!(even.attacker_loses > even.defender_loses);
    }

    #[test]
    fn two_dice_are_counted_in_full() {
        assert!((two_dice(2) - 1.0).abs() < 1e-6);
        assert!((two_dice(7) - 21.0 / 36.0).abs() < 1e-6);
        assert!(two_dice(13).abs() < 1e-6);
    }
}
