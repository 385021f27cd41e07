//! What the columns of a table are.

use std::sync::Arc;

/// A table's name, meaning and columns.
#[derive(Clone, PartialEq, Debug)]
pub struct Schema {
    /// The name of the table and of its folder in a run.
    pub name: &'static str,
    /// What a row is.
    pub doc: &'static str,
    /// The columns, in order.
    pub columns: Vec<Column>,
}

/// A column's name, type and meaning.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Lower-case words with underscores.
    pub name: String,
    /// The type of its values.
    pub kind: Kind,
    /// The unit (`games`, `points`), or empty.
    pub unit: &'static str,
    /// What it says.
    pub doc: String,
    /// Whether values may be missing.
    pub optional: bool,
    /// Whether its values are in the paths of the files and not in them: see [`super::partition`].
    pub partition: bool,
}

/// The type of a column. Counts are signed, so that differences of columns do not wrap.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// A whole number of 32 bits.
    Int,
    /// A whole number of 64 bits.
    Long,
    /// A whole number of 64 bits without sign: seeds.
    Unsigned,
    /// A number of double precision.
    Real,
    /// True or false.
    Flag,
    /// One of these words, given by its index: names of places, phases, units.
    Word(Arc<[String]>),
    /// Any text; each different text is stored once.
    Text,
}

impl Kind {
    /// The type as documentation calls it.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Int => "int32",
            Kind::Long => "int64",
            Kind::Unsigned => "uint64",
            Kind::Real => "float64",
            Kind::Flag => "boolean",
            Kind::Word(_) | Kind::Text => "string",
        }
    }
}

impl Column {
    /// A column in which no value is missing.
    pub fn new(name: impl Into<String>, kind: Kind, unit: &'static str, doc: impl Into<String>) -> Self {
        Column { name: name.into(), kind, unit, doc: doc.into(), optional: false, partition: false }
    }

    /// The same, in which values may be missing.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// The same, by whose values the table is cut into files.
    #[must_use]
    pub fn partition(mut self) -> Self {
        self.partition = true;
        self
    }
}
