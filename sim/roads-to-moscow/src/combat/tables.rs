//! What combat is played with: the two Combat Results Tables, the Combat Coordination Table and the constants of
//! chapters 8.5 to 16, filled from data.

use std::fmt;

/// Columns of the longer table, from 1-4 to 8-1.
pub const COLUMNS: usize = 12;
/// Rows of a table: die roll with modifiers from 0 and less to 11 and more.
pub const ROWS: usize = 12;

/// Which Combat Results Table a combat is resolved on (10.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Crt {
    /// Retreats of one or two hexes, disorganisation.
    #[default]
    Assault,
    /// Retreats of two hexes, advances of two.
    Mobile,
}

/// What a combat result means for one side (11.11).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Toll {
    /// Steps lost by the whole force.
    pub steps: u8,
    /// R: all its units retreat.
    pub retreats: bool,
    /// d: all its units are disorganised.
    pub disorganised: bool,
    /// E: all its units are eliminated.
    pub eliminated: bool,
}

impl Toll {
    /// Whether the side is not touched.
    pub fn is_empty(self) -> bool {
        self == Toll::default()
    }
}

/// A cell of a Combat Results Table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CombatResult {
    /// A.
    pub attacker: Toll,
    /// D.
    pub defender: Toll,
    /// Printed in red: Armour Attrition (11.23), checks of aircraft (13.17) and leaders (15.34b).
    pub red: bool,
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
            let toll = match letters.next() {
                Some('A') => &mut result.attacker,
                Some('D') => &mut result.defender,
                _ => return Err(format!("{text}: {part:?} must begin with A or D")),
            };
            for letter in letters {
                match letter {
                    'R' => toll.retreats = true,
                    'd' => toll.disorganised = true,
                    'E' => toll.eliminated = true,
                    '1'..='3' => toll.steps = letter as u8 - b'0',
                    _ => return Err(format!("{text}: {letter:?} is none of 1, 2, 3, R, d, E")),
                }
            }
            if toll.is_empty() {
                return Err(format!("{text}: {part:?} says nothing"));
            }
        }
        Ok(result)
    }
}

impl fmt::Display for CombatResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (letter, toll) in [('A', self.attacker), ('D', self.defender)] {
            if toll.is_empty() {
                continue;
            }
            write!(f, "{separator}{letter}")?;
            if toll.steps > 0 {
                write!(f, "{}", toll.steps)?;
            }
            for (holds, letter) in
                [(toll.retreats, "R"), (toll.eliminated, "E"), (toll.disorganised, "d")]
            {
                f.write_str(if holds { letter } else { "" })?;
            }
            separator = "/";
        }
        f.write_str(if separator.is_empty() { "-" } else { "" })?;
        f.write_str(if self.red { "*" } else { "" })
    }
}

/// A Combat Results Table (17.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultsTable {
    /// Results by row (0 and less, 1, ..., 11 and more) and column (1-4, 1-3, 1-2, 1-1, 3-2, 2-1, ...).
    pub cells: [[CombatResult; COLUMNS]; ROWS],
    /// Columns there are: 11 on the Assault table, 12 on the Mobile one.
    pub columns: u8,
    /// Final odds below the first column, without a roll (10.53a).
    pub below: CombatResult,
}

impl ResultsTable {
    /// The result of a modified roll in a column; `None`: odds below the first.
    pub fn result(&self, column: Option<u8>, roll: i8) -> CombatResult {
        let Some(column) = column else { return self.below };
        let column = column.min(self.columns.saturating_sub(1)) as usize;
        self.cells[roll.clamp(0, ROWS as i8 - 1) as usize][column]
    }
}

/// Odds of each column, attacker to defender.
pub const ODDS: [(u16, u16); COLUMNS] = [
    (1, 4),
    (1, 3),
    (1, 2),
    (1, 1),
    (3, 2),
    (2, 1),
    (3, 1),
    (4, 1),
    (5, 1),
    (6, 1),
    (7, 1),
    (8, 1),
];

/// The column of the odds, rounded in the defender's favour (10.52); `None`: below 1-4. Odds above a table's last column
/// are resolved in that column (10.53b-c), which [`ResultsTable::result`] sees to.
pub fn column(attack: u16, defence: u16) -> Option<u8> {
    let reaches = |(a, d): (u16, u16)| u32::from(attack) * u32::from(d) >= u32::from(defence) * u32::from(a);
    (0..COLUMNS).rev().find(|&column| reaches(ODDS[column])).map(|column| column as u8)
}

/// Name of a column, such as `3-2`; `None`: below the first.
pub fn column_name(column: Option<u8>) -> &'static str {
    const NAMES: [&str; COLUMNS] =
        ["1-4", "1-3", "1-2", "1-1", "3-2", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1", "8-1"];
    column.map_or("below 1-4", |column| NAMES[column as usize])
}

/// The Combat Coordination Table (10.4): modifiers of the checks, positive ones make them harder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coordination {
    /// Air: Overcast.
    pub air_overcast: i8,
    /// Air: Rain.
    pub air_rain: i8,
    /// Air: a combat of a Mobile Sequence, or an overrun.
    pub air_mobile: i8,
    /// Air: Soviet air units.
    pub air_soviet: i8,
    /// Artillery: a Mobile Sequence, the attacker's.
    pub artillery_mobile_attacker: i8,
    /// Artillery: a Mobile Sequence, the defender's.
    pub artillery_mobile_defender: i8,
    /// Artillery: Rain.
    pub artillery_rain: i8,
    /// Artillery: units of more than one formation, or any Army artillery.
    pub artillery_mixed: i8,
    /// Ground: a combat of a Mobile Sequence.
    pub ground_mobile: i8,
    /// Ground: each hex attacked from beyond the first.
    pub ground_hex: i8,
    /// Ground: each formation beyond the first.
    pub ground_formation: i8,
    /// Ground: any attacker is disorganised.
    pub ground_disorganised: i8,
    /// Ground: Rain.
    pub ground_rain: i8,
    /// All: each Command Point spent (15.21).
    pub command_point: i8,
}

/// Constants of combat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CombatNumbers {
    /// Greatest and least net modifier (10.62).
    pub net_limit: i8,
    /// Combined arms (10.61f).
    pub combined_arms: i8,
    /// Attacking engineers (10.61h).
    pub engineers: i8,
    /// Failed ground coordination (10.61g).
    pub failed_ground: i8,
    /// No-Retreat marker (9.46a).
    pub no_retreat: i8,
    /// Fortified Position (14.12c).
    pub fortified_position: i8,
    /// Fortified Line (14.12c).
    pub fortified_line: i8,
    /// Stream side (10.22b).
    pub stream: i8,
    /// Uphill slope side (10.22b).
    pub slope: i8,
    /// Air units a side in a combat (13.24).
    pub air_units: u8,
    /// Air units in an overrun of the German (8.56d).
    pub air_units_overrun_german: u8,
    /// Air units in an overrun of the Soviet (8.56d).
    pub air_units_overrun_soviet: u8,
    /// Non-adjacent artillery units a side in a combat (12.13f2).
    pub distant_artillery: u8,
    /// From this modified roll failed artillery gives nothing (10.42c).
    pub artillery_fails_at: u8,
    /// Command Range in hexes (15.14a, 13.21, 12.13c).
    pub command_range: u32,
    /// Steps lost beside the table's by who fails to clear an overrun hex (8.57).
    pub failed_overrun: u8,
    /// Hexes of a retreat on the Assault table, least and most (11.31b).
    pub retreat_assault: (u8, u8),
    /// Hexes of a retreat on the Mobile table and in a refusal, least and most (11.31a).
    pub retreat_mobile: (u8, u8),
    /// Hexes of a rocket unit's Special Retreat, obligatory and further (16.32).
    pub special_retreat: (u8, u8),
    /// Hexes of an advance by red-box units on the Mobile table (11.61b).
    pub advance_red_box: u8,
    /// Hexes of any other advance (11.61a, d).
    pub advance_other: u8,
    /// Stacking points in a hex (3.32).
    pub stacking: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_are_rounded_for_the_defender() {
        // 10.52, with what stands beside each column's edge.
        let named = |a, d| column_name(column(a, d));
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
            ((1, 5), "below 1-4"),
            ((40, 5), "8-1"),
            ((90, 5), "8-1"),
        ];
        for ((attack, defence), column) in examples {
            assert_eq!(named(attack, defence), column, "{attack} to {defence}");
        }
    }

    #[test]
    fn results_read_as_they_are_written() {
        for text in ["-", "A1", "A2Rd", "DR*", "A1/D3R*", "D3Rd", "DE", "A1/D1*", "AR", "A1R*"] {
            assert_eq!(CombatResult::parse(text).map(|result| result.to_string()), Ok(text.to_string()));
        }
        let result = CombatResult::parse("A1/D2R*").unwrap();
        assert!(result.red && result.attacker.steps == 1 && result.defender.steps == 2);
        assert!(result.defender.retreats && !result.attacker.retreats);
        for wrong in ["X1", "A", "D4", "A1/", "1"] {
            assert!(CombatResult::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rolls_beyond_the_table_read_its_ends() {
        let mut table = ResultsTable {
            cells: [[CombatResult::default(); COLUMNS]; ROWS],
            columns: 11,
            below: CombatResult::parse("A2Rd").unwrap(),
        };
        let (low, high) = (CombatResult::parse("DE").unwrap(), CombatResult::parse("A1").unwrap());
        table.cells[0][10] = low;
        table.cells[11][10] = high;
        assert_eq!(table.result(Some(11), -4), low, "8-1 and more on the Assault table is 7-1");
        assert_eq!(table.result(Some(10), 15), high);
        assert_eq!(table.result(None, 3), table.below);
    }
}
