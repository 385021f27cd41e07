//! What a battle is expected to bring.

/// The sides of a battle as its forecast needs them.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Fight {
    /// Steps of the active side.
    pub steps: f32,
    /// Sum over its dice of the sixths that hit.
    pub offence: f32,
    /// The same of the airstrike.
    pub air: f32,
    /// Steps of the passive side.
    pub enemy: f32,
    /// Sum over its dice of the sixths that hit.
    pub defence: f32,
    /// Hits that the passive side takes for a step.
    pub hits: f32,
    /// Attackers that the first defensive fire is expected to repulse, as a part of all.
    pub repulsed: f32,
}

/// Expectations.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(super) struct Forecast {
    /// Steps that the active side loses, and the passive side.
    pub lost: f32,
    pub killed: f32,
    /// Chance that nothing is left of the passive side.
    pub cleared: f32,
}

/// Steps that a mean number of hits takes at so many hits for a step: what does not make a step is lost.
fn steps_for(mean: f32, hits: f32) -> f32 {
    ((mean - 0.5 * (hits - 1.0) * (1.0 - (-mean).exp())) / hits).max(0.0)
}

/// Chance of at least so many hits, by the Poisson distribution of that mean. What is estimated need not be whole.
fn at_least(needed: f32, mean: f32) -> f32 {
    if needed <= 0.0 {
        return 1.0;
    }
    let mut term = (-mean).exp();
    // The chance of more hits than so many, and of one more than that.
    let (mut above, mut nth) = (1.0, 0.0);
    while nth + 1.0 <= needed && nth < 40.0 {
        above -= term;
        nth += 1.0;
        term *= mean / nth;
    }
    (above - (needed - nth) * term).max(0.0)
}

/// So many rounds in which the same side is active; the aircraft come to the first.
pub(super) fn forecast(fight: &Fight, rounds: u32) -> Forecast {
    let mut all = Forecast::default();
    let (mut own, mut enemy, mut cleared) = (fight.steps, fight.enemy, 0.0);
    if own <= 0.0 {
        return all;
    }
    for round in 0..rounds {
        if enemy <= 0.01 {
            break;
        }
        let fire = fight.defence * enemy / fight.enemy.max(0.01) / 6.0;
        let lost = fire.min(own);
        own -= lost;
        let here = if round == 0 { 1.0 - fight.repulsed } else { 1.0 };
        let mean =
            fight.offence * here * (own / fight.steps) / 6.0 + if round == 0 { fight.air / 6.0 } else { 0.0 };
        let killed = steps_for(mean, fight.hits).min(enemy);
        let now = at_least(enemy.max(0.5) * fight.hits, mean);
        let open = 1.0 - cleared;
        all.lost += open * lost;
        all.killed += open * killed;
        cleared += open * now;
        enemy -= killed;
    }
    // A stack without strength is gone at once.
    all.cleared = if fight.enemy <= 0.01 { 1.0 } else { cleared };
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGHT: Fight =
        Fight { steps: 6.0, offence: 6.0, air: 0.0, enemy: 2.0, defence: 2.0, hits: 1.0, repulsed: 0.0 };

    #[test]
    fn more_strength_and_aircraft_kill_more_and_terrain_less() {
        let usual = forecast(&FIGHT, 1);
        let close = |one: f32, two: f32| (one - two).abs() < 0.01;
        // The defender fires two dice first; six less a third of a step then fire at his two steps.
        assert!(close(usual.lost, 1.0 / 3.0) && close(usual.killed, (6.0 - 1.0 / 3.0) / 6.0), "{usual:?}");
        assert!(forecast(&Fight { air: 6.0, ..FIGHT }, 1).killed > usual.killed);
        assert!(forecast(&Fight { hits: 2.0, ..FIGHT }, 1).killed < 0.5 * usual.killed);
        assert!(forecast(&Fight { repulsed: 0.5, ..FIGHT }, 1).cleared < usual.cleared);
        assert!(forecast(&FIGHT, 3).cleared > usual.cleared);
        assert_eq!(forecast(&Fight { steps: 0.0, offence: 0.0, ..FIGHT }, 2), Forecast::default());
    }
}
