//! What a combat is expected to bring: the tables of results read for all rolls at once.

use sandtable_roads_to_moscow::rules::{CRT_ROWS, CombatResult, ResultsTable};

/// Net modifiers: -5 to 5 (10.62).
pub(super) const MODIFIERS: usize = 11;

/// Expectations over the ten rolls.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(super) struct Forecast {
    /// Steps that the attacker loses, and the defender.
    pub attacker_steps: f32,
    pub defender_steps: f32,
    /// Chance that all defenders retreat or are eliminated.
    pub cleared: f32,
    /// Chance that all are eliminated.
    pub eliminated: f32,
    /// Chance that the attacker must retreat.
    pub thrown_back: f32,
    /// Chance that the attackers are disorganised, and the defenders.
    pub attacker_disorganised: f32,
    pub defender_disorganised: f32,
    /// Chance of a red result.
    pub red: f32,
}

impl Forecast {
    /// Between two of them.
    fn mix(self, other: Forecast, share: f32) -> Forecast {
        let at = |one: f32, two: f32| one + share * (two - one);
        Forecast {
            attacker_steps: at(self.attacker_steps, other.attacker_steps),
            defender_steps: at(self.defender_steps, other.defender_steps),
            cleared: at(self.cleared, other.cleared),
            eliminated: at(self.eliminated, other.eliminated),
            thrown_back: at(self.thrown_back, other.thrown_back),
            attacker_disorganised: at(self.attacker_disorganised, other.attacker_disorganised),
            defender_disorganised: at(self.defender_disorganised, other.defender_disorganised),
            red: at(self.red, other.red),
        }
    }

    fn add(&mut self, result: CombatResult, share: f32) {
        let flag = |is: bool| if is { share } else { 0.0 };
        let (attacker, defender) = (result.attacker, result.defender);
        self.attacker_steps += share * f32::from(attacker.steps);
        self.defender_steps += share * f32::from(defender.steps);
        self.cleared += flag(defender.retreat || defender.eliminated);
        self.eliminated += flag(defender.eliminated);
        self.thrown_back += flag(attacker.retreat || attacker.eliminated);
        self.attacker_disorganised += flag(attacker.disorganised);
        self.defender_disorganised += flag(defender.disorganised);
        self.red += flag(result.red);
    }
}

/// Forecasts of a table by column and modifier.
pub(super) fn of_table(table: &ResultsTable) -> Vec<[Forecast; MODIFIERS]> {
    let column = |column: usize| {
        std::array::from_fn(|modifier| {
            let mut forecast = Forecast::default();
            for roll in 1..=10i32 {
                let row = (roll + modifier as i32 - 5).clamp(0, CRT_ROWS as i32 - 1);
                forecast.add(table.rows[row as usize][column], 0.1);
            }
            forecast
        })
    };
    (0..table.odds.len()).map(column).collect()
}

/// The column of strengths (10.52); `None` below the first.
#[inline]
pub(super) fn column(table: &ResultsTable, attack: f32, defence: f32) -> Option<usize> {
    let reached = table.odds.iter().take_while(|&&(a, d)| attack * f32::from(d) >= defence * f32::from(a));
    reached.count().checked_sub(1)
}

/// The forecast at a modifier that need not be whole.
#[inline]
pub(super) fn at(forecasts: &[[Forecast; MODIFIERS]], column: usize, modifier: f32) -> Forecast {
    let modifier = modifier.clamp(-5.0, 5.0) + 5.0;
    let below = modifier as usize;
    let row = &forecasts[column];
    let above = (below + 1).min(MODIFIERS - 1);
    row[below].mix(row[above], modifier - below as f32)
}
