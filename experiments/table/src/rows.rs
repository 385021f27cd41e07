//! Rows in memory, column by column.

use std::collections::HashMap;
use std::sync::Arc;

use super::schema::{Kind, Schema};

/// Some rows of a table.
#[derive(Clone, Debug)]
pub struct Rows {
    pub(super) columns: Vec<Cells>,
    len: usize,
}

/// The cells of one column.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub values: Values,
    /// The rows without a value, in ascending order.
    pub missing: Vec<usize>,
}

/// The values of one column, with a placeholder where a cell holds none.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Int(Vec<i32>),
    Long(Vec<i64>),
    Unsigned(Vec<u64>),
    Real(Vec<f64>),
    Flag(Vec<bool>),
    Word(Vec<u32>, Arc<[String]>),
    Text(Vec<u32>, Texts),
}

/// Different texts, numbered in the order of their first use.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub list: Vec<String>,
    index: HashMap<String, u32>,
}

/// The same for the values of a column of any type.
macro_rules! for_any_type {
    ($values:expr, $cells:ident => $use:expr) => {
        match $values {
            Values::Int($cells) => $use,
            Values::Long($cells) => $use,
            Values::Unsigned($cells) => $use,
            Values::Real($cells) => $use,
            Values::Flag($cells) => $use,
            Values::Word($cells, _) | Values::Text($cells, _) => $use,
        }
    };
}

impl Texts {
    fn code(&mut self, text: &str) -> u32 {
        if let Some(&code) = self.index.get(text) {
            return code;
        }
        let code = self.list.len() as u32;
        self.list.push(text.to_owned());
        self.index.insert(text.to_owned(), code);
        code
    }
}

impl Cells {
    fn new(kind: &Kind) -> Self {
        let values = match kind {
            Kind::Int => Values::Int(Vec::new()),
            Kind::Long => Values::Long(Vec::new()),
            Kind::Unsigned => Values::Unsigned(Vec::new()),
            Kind::Real => Values::Real(Vec::new()),
            Kind::Flag => Values::Flag(Vec::new()),
            Kind::Word(words) => Values::Word(Vec::new(), words.clone()),
            Kind::Text => Values::Text(Vec::new(), Texts::default()),
        };
        Cells { values, missing: Vec::new() }
    }

    pub fn len(&self) -> usize {
        for_any_type!(&self.values, cells => cells.len())
    }

    fn push_none(&mut self) {
        self.missing.push(self.len());
        for_any_type!(&mut self.values, cells => cells.push(Default::default()));
    }

    fn reserve(&mut self, more: usize) {
        for_any_type!(&mut self.values, cells => cells.reserve_exact(more));
    }

    /// A column of the same type without cells.
    fn emptied(&self) -> Self {
        let values = match &self.values {
            Values::Int(_) => Values::Int(Vec::new()),
            Values::Long(_) => Values::Long(Vec::new()),
            Values::Unsigned(_) => Values::Unsigned(Vec::new()),
            Values::Real(_) => Values::Real(Vec::new()),
            Values::Flag(_) => Values::Flag(Vec::new()),
            Values::Word(_, words) => Values::Word(Vec::new(), words.clone()),
            Values::Text(..) => Values::Text(Vec::new(), Texts::default()),
        };
        Cells { values, missing: Vec::new() }
    }

    fn select(&self, rows: &[usize]) -> Self {
        fn pick<T: Copy>(cells: &[T], rows: &[usize]) -> Vec<T> {
            rows.iter().map(|&row| cells[row]).collect()
        }
        let values = match &self.values {
            Values::Int(cells) => Values::Int(pick(cells, rows)),
            Values::Long(cells) => Values::Long(pick(cells, rows)),
            Values::Unsigned(cells) => Values::Unsigned(pick(cells, rows)),
            Values::Real(cells) => Values::Real(pick(cells, rows)),
            Values::Flag(cells) => Values::Flag(pick(cells, rows)),
            Values::Word(cells, words) => Values::Word(pick(cells, rows), words.clone()),
            Values::Text(cells, texts) => {
                // Only the texts that are left are written.
                let mut left = Texts::default();
                let code =
                    |&row: &usize| texts.list.get(cells[row] as usize).map_or(0, |text| left.code(text));
                Values::Text(rows.iter().map(code).collect(), left)
            }
        };
        let missing = rows.iter().enumerate().filter(|(_, row)| self.missing.binary_search(row).is_ok());
        Cells { values, missing: missing.map(|(at, _)| at).collect() }
    }

    fn append(&mut self, other: Cells) {
        let before = self.len();
        self.missing.extend(other.missing.iter().map(|row| before + row));
        match (&mut self.values, other.values) {
            (Values::Int(cells), Values::Int(mut more)) => cells.append(&mut more),
            (Values::Long(cells), Values::Long(mut more)) => cells.append(&mut more),
            (Values::Unsigned(cells), Values::Unsigned(mut more)) => cells.append(&mut more),
            (Values::Real(cells), Values::Real(mut more)) => cells.append(&mut more),
            (Values::Flag(cells), Values::Flag(mut more)) => cells.append(&mut more),
            (Values::Word(cells, _), Values::Word(mut more, _)) => cells.append(&mut more),
            (Values::Text(cells, texts), Values::Text(more, other)) => {
                let codes: Vec<u32> = other.list.iter().map(|text| texts.code(text)).collect();
                // A cell without a value has code 0 even where there is no text yet.
                cells.extend(more.iter().map(|&code| codes.get(code as usize).copied().unwrap_or(0)));
            }
            (mine, other) => unreachable!("rows of different tables: {mine:?} and {other:?}"),
        }
    }
}

impl Rows {
    /// No rows yet.
    pub fn new(schema: &Schema) -> Self {
        Rows { columns: schema.columns.iter().map(|column| Cells::new(&column.kind)).collect(), len: 0 }
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Begins a row, whose cells are then given in the order of the columns.
    #[inline]
    pub fn row(&mut self) -> Row<'_> {
        self.len += 1;
        Row { cells: self.columns.iter_mut() }
    }

    /// Takes the rows out, and makes room for as many new ones.
    #[must_use]
    pub fn take(&mut self) -> Rows {
        let mut next = Rows { columns: self.columns.iter().map(Cells::emptied).collect(), len: 0 };
        next.reserve(self.len);
        std::mem::replace(self, next)
    }

    /// Makes room for this many rows more.
    pub fn reserve(&mut self, rows: usize) {
        self.columns.iter_mut().for_each(|cells| cells.reserve(rows));
    }

    /// Adds the rows of another buffer of the same table.
    pub fn append(&mut self, other: Rows) {
        self.len += other.len;
        for (mine, other) in self.columns.iter_mut().zip(other.columns) {
            mine.append(other);
        }
    }

    /// These rows with these columns, in the order given.
    pub(super) fn select(&self, rows: &[usize], columns: &[usize]) -> Rows {
        let columns = columns.iter().map(|&column| self.columns[column].select(rows)).collect();
        Rows { columns, len: rows.len() }
    }

    /// The cell as text, as CSV shows it; empty where there is no value.
    pub fn text(&self, row: usize, column: usize) -> String {
        let cells = &self.columns[column];
        if cells.missing.binary_search(&row).is_ok() {
            return String::new();
        }
        match &cells.values {
            Values::Int(cells) => cells[row].to_string(),
            Values::Long(cells) => cells[row].to_string(),
            Values::Unsigned(cells) => cells[row].to_string(),
            Values::Real(cells) => cells[row].to_string(),
            Values::Flag(cells) => cells[row].to_string(),
            Values::Word(cells, words) => words[cells[row] as usize].clone(),
            Values::Text(cells, texts) => texts.list[cells[row] as usize].clone(),
        }
    }
}

/// A row that is being filled. Each call fills the next cell.
///
/// # Panics
/// All methods panic if there is no next column or it is of another type: the table's schema and the code that fills
/// it disagree.
pub struct Row<'a> {
    cells: std::slice::IterMut<'a, Cells>,
}

impl Row<'_> {
    #[inline]
    fn next(&mut self) -> &mut Cells {
        self.cells.next().expect("a row has no more cells than columns")
    }

    #[cold]
    fn mismatch(values: &Values, given: &str) -> ! {
        unreachable!("a cell of {values:?} was given {given}")
    }

    /// A number of 32 bits.
    #[inline]
    pub fn int(&mut self, value: i32) -> &mut Self {
        match &mut self.next().values {
            Values::Int(cells) => cells.push(value),
            other => Self::mismatch(other, "an int"),
        }
        self
    }

    /// A number of 64 bits.
    #[inline]
    pub fn long(&mut self, value: i64) -> &mut Self {
        match &mut self.next().values {
            Values::Long(cells) => cells.push(value),
            other => Self::mismatch(other, "a long"),
        }
        self
    }

    /// A number of 64 bits without sign.
    #[inline]
    pub fn unsigned(&mut self, value: u64) -> &mut Self {
        match &mut self.next().values {
            Values::Unsigned(cells) => cells.push(value),
            other => Self::mismatch(other, "an unsigned"),
        }
        self
    }

    /// A number of double precision.
    #[inline]
    pub fn real(&mut self, value: impl Into<f64>) -> &mut Self {
        match &mut self.next().values {
            Values::Real(cells) => cells.push(value.into()),
            other => Self::mismatch(other, "a real"),
        }
        self
    }

    /// True or false.
    #[inline]
    pub fn flag(&mut self, value: bool) -> &mut Self {
        match &mut self.next().values {
            Values::Flag(cells) => cells.push(value),
            other => Self::mismatch(other, "a flag"),
        }
        self
    }

    /// A word of the column's vocabulary, by index.
    #[inline]
    pub fn word(&mut self, index: usize) -> &mut Self {
        match &mut self.next().values {
            Values::Word(cells, words) if index < words.len() => cells.push(index as u32),
            other => Self::mismatch(other, "a word"),
        }
        self
    }

    /// Any text.
    #[inline]
    pub fn text(&mut self, value: &str) -> &mut Self {
        match &mut self.next().values {
            Values::Text(cells, texts) => cells.push(texts.code(value)),
            other => Self::mismatch(other, "a text"),
        }
        self
    }

    /// No value.
    #[inline]
    pub fn none(&mut self) -> &mut Self {
        self.next().push_none();
        self
    }
}

impl Drop for Row<'_> {
    fn drop(&mut self) {
        debug_assert!(
            std::thread::panicking() || self.cells.next().is_none(),
            "a row has no fewer cells than columns"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Column;

    fn schema() -> Schema {
        let words: Arc<[String]> = ["paris", "warsaw"].map(String::from).into();
        Schema {
            name: "test",
            doc: "",
            columns: vec![
                Column::new("a", Kind::Int, "", ""),
                Column::new("b", Kind::Word(words), "", "").optional(),
                Column::new("c", Kind::Text, "", "").optional(),
            ],
        }
    }

    #[test]
    fn appended_rows_keep_their_texts_and_gaps() {
        let mut first = Rows::new(&schema());
        first.row().int(1).word(0).text("x");
        let mut second = Rows::new(&schema());
        second.row().int(2).none().text("y");
        second.row().int(3).word(1).text("x");
        first.append(second.take());
        second.row().int(4).word(1).none();
        first.append(second);
        let all: Vec<String> =
            (0..4).map(|row| (0..3).map(|c| first.text(row, c)).collect::<Vec<_>>().join(",")).collect();
        assert_eq!(all, ["1,paris,x", "2,,y", "3,warsaw,x", "4,warsaw,"]);
    }

    #[test]
    #[should_panic(expected = "a cell of Int")]
    fn a_cell_of_the_wrong_type_is_refused() {
        Rows::new(&schema()).row().text("1");
    }
}
