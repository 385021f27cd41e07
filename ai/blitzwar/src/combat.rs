//! Odds without a position at hand.

/// Ladder index of odds, rounded down: -1 below 2-3, 0 = 2-3, 1 = 1-1, 2 = 3-2, n + 1 = n-1.
pub(crate) fn ladder(attackers: u8, defenders: u8) -> i8 {
    let (a, d) = (i16::from(attackers), i16::from(defenders));
    if d == 0 {
        return 9;
    }
    match a / d {
        0 if 3 * a >= 2 * d => 0,
        0 => -1,
        1 if 2 * a >= 3 * d => 2,
        n => (n + i16::from(n > 1)).min(60) as i8,
    }
}
