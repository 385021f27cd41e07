//! A scenario in figures.

use std::fmt;

use sandtable_victory_in_europe::Rules;
use sandtable_victory_in_europe::nation::Force;

/// A scenario in figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// Forces at the start.
    pub forces: Vec<ForceFigures>,
}

/// What a force has at the start.
#[derive(Clone, PartialEq, Debug)]
pub struct ForceFigures {
    /// Which.
    pub force: Force,
}

impl Description {
    /// The figures of a scenario that the loader has checked.
    pub fn of(rules: &Rules) -> Description {
        Description { id: rules.setup.id.clone(), title: rules.setup.title.clone(), forces: Vec::new() }
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.title, self.id)
    }
}
