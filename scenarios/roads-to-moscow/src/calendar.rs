//! The turns of a map (5.11, 14.26), and those of the scenario.

use sandtable_roads_to_moscow::rules::{CalendarTurn, Weather};

use sandtable_scenarios::tree::{Node, Whole};
use sandtable_scenarios::{LoadError, Problem, nearest};

const WEATHERS: [(&str, Weather); 3] =
    [("dry", Weather::Dry), ("overcast", Weather::Overcast), ("rain", Weather::Rain)];

/// The turns of a map.
pub(super) struct Turns {
    all: Vec<CalendarTurn>,
    /// First and last of the scenario, as indices.
    first: usize,
    last: usize,
}

/// Reads the calendar of a map, and where the scenario lies in it.
pub(super) fn read(whole: Whole<'_>, map: &str) -> Result<Turns, LoadError> {
    let mut all = Vec::new();
    for row in whole.at("calendar")?.members()? {
        let dry = row.get("dry")?.byte(0..=10)?;
        let turn = CalendarTurn {
            name: row.get("turn")?.text()?.to_owned(),
            dry_up_to: dry,
            overcast_up_to: row.get("overcast")?.byte(dry..=10)?,
            historical: row.get("historical")?.choose("a weather", &WEATHERS)?,
            winter: row.get("winter")?.flag()?,
        };
        if row.get("map")?.text()? == map {
            all.push(turn);
        }
    }
    let mut turns = Turns { all, first: 0, last: 0 };
    turns.first = turns.index(&whole.at("setup.first_turn")?)?;
    turns.last = turns.index(&whole.at("setup.last_turn")?)?;
    if turns.last < turns.first {
        let text = format!("the scenario ends before its first turn, {}", turns.all[turns.first].name);
        return Err(whole.at("setup.last_turn")?.inconsistent(text));
    }
    Ok(turns)
}

impl Turns {
    fn index(&self, node: &Node<'_>) -> Result<usize, LoadError> {
        self.position(node.text()?, node)
    }

    fn position(&self, name: &str, node: &Node<'_>) -> Result<usize, LoadError> {
        self.all.iter().position(|turn| turn.name == name).ok_or_else(|| {
            let near = nearest(name, self.all.iter().map(|turn| turn.name.as_str()));
            let what = "a turn of the calendar of this map".into();
            node.error(Problem::UnknownName { value: name.into(), what, near })
        })
    }

    /// The number of a turn in the scenario, from 1.
    pub fn number(&self, name: &str, node: &Node<'_>) -> Result<u8, LoadError> {
        let at = self.position(name, node)?;
        if (self.first..=self.last).contains(&at) {
            return Ok((at - self.first) as u8 + 1);
        }
        let (first, last) = (&self.all[self.first].name, &self.all[self.last].name);
        Err(node.inconsistent(format!("{name} is not among the turns of the scenario, {first} to {last}")))
    }

    /// The number of a turn, 0 for `none`.
    pub fn optional(&self, node: &Node<'_>) -> Result<u8, LoadError> {
        match node.text()? {
            "none" => Ok(0),
            name => self.number(name, node),
        }
    }

    /// The turns of the scenario.
    pub fn of_scenario(&self) -> Vec<CalendarTurn> {
        self.all[self.first..=self.last].to_vec()
    }
}
