//! The Combat Results Tables: odds, columns, results and their notation (10.52, 10.53, 11.11).

use std::fmt;

use crate::rules::{CRT_ROWS, CombatResult, Loss, ResultsTable};

impl Loss {
    /// Nothing.
    pub const NONE: Loss = Loss { steps: 0, retreat: false, disorganised: false, eliminated: false };
}

impl CombatResult {
    /// Reads the notation of the tables: `A1/D3R*`, `D1Rd`, `DE`, `-`; a star stands for red.
    ///
    /// # Errors
    /// Says what is not part of the notation.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut result = CombatResult::default();
        let plain = text.strip_suffix('*').inspect(|_| result.red = true).unwrap_or(text);
        if plain == "-" {
            return Ok(result);
        }
        for part in plain.split('/') {
            let mut letters = part.chars();
            let loss = match letters.next() {
                Some('A') => &mut result.attacker,
                Some('D') => &mut result.defender,
                _ => return Err(format!("{text}: {part:?} must begin with A or D")),
            };
            for letter in letters {
                match letter {
                    'R' => loss.retreat = true,
                    'd' => loss.disorganised = true,
                    'E' => loss.eliminated = true,
                    '1'..='3' => loss.steps = letter as u8 - b'0',
                    _ => return Err(format!("{text}: {letter:?} is none of 1, 2, 3, R, d, E")),
                }
            }
            if *loss == Loss::NONE {
                return Err(format!("{text}: {part:?} says nothing"));
            }
        }
        Ok(result)
    }
}

impl fmt::Display for CombatResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (letter, loss) in [('A', self.attacker), ('D', self.defender)] {
            if loss == Loss::NONE {
                continue;
            }
            write!(f, "{separator}{letter}")?;
            if loss.steps > 0 {
                write!(f, "{}", loss.steps)?;
            }
            for (holds, letter) in [(loss.retreat, "R"), (loss.eliminated, "E"), (loss.disorganised, "d")] {
                f.write_str(if holds { letter } else { "" })?;
            }
            separator = "/";
        }
        f.write_str(if separator.is_empty() { "-" } else { "" })?;
        f.write_str(if self.red { "*" } else { "" })
    }
}

impl ResultsTable {
    /// The column of these strengths: the last whose odds they reach, in the defender's favour (10.52), so that odds beyond
    /// the table count as its last (10.53b, c); `None`: below the first (10.53a).
    pub fn column(&self, attack: u16, defence: u16) -> Option<u8> {
        let reached =
            |&(a, d): &(u8, u8)| u32::from(attack) * u32::from(d) >= u32::from(defence) * u32::from(a);
        self.odds.iter().rposition(reached).map(|column| column as u8)
    }

    /// The result of a modified roll; without a column none is made (10.53a).
    pub fn result(&self, column: Option<u8>, roll: i8) -> CombatResult {
        let Some(column) = column else { return self.below };
        self.rows[roll.clamp(0, CRT_ROWS as i8 - 1) as usize][column as usize]
    }
}

/// Odds of a column, such as `3-2`.
pub fn column_name(table: &ResultsTable, column: Option<u8>) -> String {
    match column {
        Some(column) => {
            let (attack, defence) = table.odds[column as usize];
            format!("{attack}-{defence}")
        }
        None => "below".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: usize) -> ResultsTable {
        let odds = [1, 1, 1, 1, 3, 2, 3, 4, 5, 6, 7, 8].into_iter().zip([4, 3, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1]);
        ResultsTable {
            odds: odds.take(columns).collect(),
            rows: vec![vec![CombatResult::default(); columns]; CRT_ROWS],
            below: CombatResult::parse("A2Rd").unwrap(),
        }
    }

    #[test]
    fn odds_are_rounded_for_the_defender() {
        // 10.52, and what stands beside each column's edge.
        let (assault, mobile) = (table(11), table(12));
        let examples = [
            ((8, 2), "4-1"),
            ((8, 3), "2-1"),
            ((8, 4), "2-1"),
            ((8, 5), "3-2"),
            ((13, 5), "2-1"),
            ((15, 5), "3-1"),
            ((7, 5), "1-1"),
            ((4, 5), "1-2"),
            ((2, 5), "1-3"),
            ((1, 4), "1-4"),
            ((1, 5), "below"),
            ((40, 5), "8-1"),
            ((90, 5), "8-1"),
        ];
        for ((attack, defence), name) in examples {
            let column = mobile.column(attack, defence);
            assert_eq!(column_name(&mobile, column), name, "{attack} to {defence}");
        }
        assert_eq!(column_name(&assault, assault.column(40, 5)), "7-1", "10.53b");
    }

    #[test]
    fn results_read_as_they_are_written() {
        for text in ["-", "A1", "A2Rd", "DR*", "A1/D3R*", "D3Rd", "DE", "A1/D1*", "AR", "A1R*"] {
            assert_eq!(CombatResult::parse(text).map(|result| result.to_string()), Ok(text.to_string()));
        }
        let result = CombatResult::parse("A1/D2R*").unwrap();
        assert!(result.red && result.attacker.steps == 1 && result.defender.steps == 2);
        assert!(result.defender.retreat && !result.attacker.retreat);
        for wrong in ["X1", "A", "D4", "A1/", "1"] {
            assert!(CombatResult::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rolls_beyond_the_table_read_its_ends() {
        let mut table = table(11);
        let (low, high) = (CombatResult::parse("DE").unwrap(), CombatResult::parse("A1").unwrap());
        table.rows[0][10] = low;
        table.rows[11][10] = high;
        assert_eq!(table.result(Some(10), -4), low);
        assert_eq!(table.result(Some(10), 15), high);
        assert_eq!(table.result(None, 3), table.below);
    }
}
