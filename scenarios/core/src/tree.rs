//! The data of a scenario as one tree: every TOML file a table, every CSV file a table of rows by key.
//!
//! A datum has a dotted path (`map.zones.warsaw.terrain`), which overrides and error messages use; the tree remembers
//! the file and line it came from.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use sandtable_core::Index;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use crate::error::{LoadError, Problem, nearest};
use crate::source::SourceFile;

/// The word for nothing, where a cell or value must say something.
const NONE: &str = "none";

/// Type of a CSV column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Any text, also none.
    Text,
    /// A whole number.
    Integer,
    /// A finite number.
    Float,
    /// `yes` or `no`.
    Flag,
}

/// Layout of a CSV file. One key column is taken out of the row; the two of a pair stay in it.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// Path in the scenario's folder, with `/`.
    pub file: &'static str,
    /// Names of the columns by which a row is found.
    pub key: &'static [&'static str],
    /// All columns but those of [`FACT`], if it has them, in the order in which messages list them.
    pub columns: &'static [(&'static str, Cell)],
    /// Whether each row is a fact that states its provenance, in the columns of [`FACT`].
    pub facts: bool,
}

/// The columns by which a fact states where it comes from.
pub const FACT: [(&str, Cell); 2] = [("provenance", Cell::Text), ("basis", Cell::Text)];

impl Sheet {
    /// A table of facts.
    pub const fn of_facts(
        file: &'static str,
        key: &'static [&'static str],
        columns: &'static [(&'static str, Cell)],
    ) -> Sheet {
        Sheet { file, key, columns, facts: true }
    }

    fn all_columns(&self) -> impl Iterator<Item = (&'static str, Cell)> {
        let fact = if self.facts { &FACT[..] } else { &[] };
        self.columns.iter().chain(fact).copied()
    }
}

/// Keys that inform people and change nothing in play; they are left out of the content hash.
pub(crate) const ANNOTATIONS: [&str; 8] =
    ["provenance", "basis", "note", "name", "title", "summary", "ruling", "reason"];

/// The data of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(crate) root: Table,
    files: Vec<String>,
    /// File and line of a path.
    lines: HashMap<String, (usize, u32)>,
    /// Paths set by an override.
    overridden: Vec<String>,
}

impl Tree {
    /// Adds a TOML file under the path its name stands for.
    pub(crate) fn add_toml(&mut self, file: &SourceFile) -> Result<(), LoadError> {
        let number = self.files.len();
        self.files.push(file.name.clone());
        let starts = line_starts(&file.text);
        let parsed = DeTable::parse(&file.text).map_err(|error| {
            let line = error.span().map(|span| line_at(&starts, span.start));
            LoadError::in_file(&file.name, line, Problem::Syntax(error.message().trim().to_owned()))
        })?;
        let path = path_of(&file.name);
        let table = self.convert_table(parsed.get_ref(), &path, number, &starts)?;
        self.insert(&path, Value::Table(table));
        Ok(())
    }

    fn convert_table(
        &mut self,
        table: &DeTable<'_>,
        path: &str,
        file: usize,
        starts: &[usize],
    ) -> Result<Table, LoadError> {
        let mut result = Table::new();
        for (key, value) in table {
            let name: &str = key.get_ref();
            let below = format!("{path}.{name}");
            self.lines.insert(below.clone(), (file, line_at(starts, key.span().start)));
            result.insert(name.to_owned(), self.convert(value, &below, file, starts)?);
        }
        Ok(result)
    }

    fn convert(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        path: &str,
        file: usize,
        starts: &[usize],
    ) -> Result<Value, LoadError> {
        let line = line_at(starts, value.span().start);
        let bad = |what: &str| LoadError {
            path: Some(path.to_owned()),
            ..LoadError::in_file(&self.files[file], Some(line), Problem::Syntax(what.into()))
        };
        Ok(match value.get_ref() {
            DeValue::String(text) => Value::String(text.clone().into_owned()),
            DeValue::Integer(number) => Value::Integer(
                i64::from_str_radix(number.as_str(), number.radix())
                    .map_err(|_| bad("the number is too large"))?,
            ),
            DeValue::Float(number) => {
                Value::Float(number.as_str().parse().map_err(|_| bad("the number cannot be read"))?)
            }
            DeValue::Boolean(flag) => Value::Boolean(*flag),
            DeValue::Datetime(date) => Value::Datetime(*date),
            DeValue::Array(items) => {
                let mut array = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    let below = format!("{path}.{index}");
                    self.lines.insert(below.clone(), (file, line_at(starts, item.span().start)));
                    array.push(self.convert(item, &below, file, starts)?);
                }
                Value::Array(array)
            }
            DeValue::Table(table) => Value::Table(self.convert_table(table, path, file, starts)?),
        })
    }

    /// Adds a CSV file: a table of rows by key. Lines that start with `#` are comments.
    pub(crate) fn add_csv(&mut self, sheet: &Sheet, file: &SourceFile) -> Result<(), LoadError> {
        let number = self.files.len();
        self.files.push(file.name.clone());
        let path = path_of(sheet.file);
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(file.text.as_bytes());
        let syntax = |error: &csv::Error| {
            let line = error.position().map(|position| position.line() as u32);
            LoadError::in_file(&file.name, line, Problem::Syntax(csv_message(error)))
        };
        let headers = reader.headers().map_err(|error| syntax(&error))?.clone();
        let columns = columns(sheet, file, &headers)?;
        let mut rows = Table::new();
        for record in reader.records() {
            let record = record.map_err(|error| syntax(&error))?;
            let line = record.position().map_or(0, |position| position.line() as u32);
            let (key, row) = row(sheet, &columns, &record).map_err(|(column, problem)| LoadError {
                path: Some(format!("{path}, column {column}")),
                ..LoadError::in_file(&file.name, Some(line), problem)
            })?;
            let below = format!("{path}.{key}");
            if rows.contains_key(&key) {
                let problem = Problem::Inconsistent(format!("`{key}` stands there twice"));
                return Err(LoadError {
                    path: Some(below),
                    ..LoadError::in_file(&file.name, Some(line), problem)
                });
            }
            self.lines.insert(below, (number, line));
            rows.insert(key, Value::Table(row));
        }
        self.insert(&path, Value::Table(rows));
        Ok(())
    }

    fn insert(&mut self, path: &str, value: Value) {
        let mut table = &mut self.root;
        let mut names = path.split('.').peekable();
        while let Some(name) = names.next() {
            if names.peek().is_none() {
                table.insert(name.to_owned(), value);
                return;
            }
            let below = table.entry(name).or_insert_with(|| Value::Table(Table::new()));
            if !below.is_table() {
                *below = Value::Table(Table::new());
            }
            let Value::Table(next) = below else { return };
            table = next;
        }
    }

    /// Notes that a value no longer comes from its file.
    pub(crate) fn mark_overridden(&mut self, path: String) {
        self.overridden.push(path);
    }

    /// The whole tree as a node.
    pub fn node(&self) -> Whole<'_> {
        Whole { tree: self }
    }

    /// An error about the datum at a path, with file and line where known.
    pub fn error(&self, path: &str, problem: Problem) -> LoadError {
        let mut error = LoadError::at_path(path, problem);
        let mut above = Some(path);
        while let Some(at) = above {
            if self.overridden.iter().any(|set| set == at) {
                return error;
            }
            if let Some(&(file, line)) = self.lines.get(at) {
                error.file = Some(self.files[file].clone());
                error.line = Some(line);
                return error;
            }
            above = at.rsplit_once('.').map(|(head, _)| head);
        }
        let files = self.files.iter().filter(|file| path.starts_with(&path_of(file)));
        error.file = files.max_by_key(|file| file.len()).cloned();
        error
    }

    /// The data as text that is equal for equal play: document order, no annotations, no rulings.
    pub(crate) fn canonical(&self) -> String {
        let mut text = String::new();
        for (key, value) in &self.root {
            if key != "rulings" {
                canonical(key, value, &mut text);
            }
        }
        text
    }
}

/// A column of a table, what its cells are, and which of a row's cells that is.
type Column = (&'static str, Cell, usize);

/// The columns of a table as they stand in its head: each of them once, and no others.
fn columns(sheet: &Sheet, file: &SourceFile, headers: &csv::StringRecord) -> Result<Vec<Column>, LoadError> {
    // The reader places the head before the comments above it.
    let above = file.text.lines().take_while(|line| line.is_empty() || line.starts_with('#'));
    let head_line = above.count() as u32 + 1;
    let head = |problem| LoadError::in_file(&file.name, Some(head_line), problem);
    for name in headers {
        if !sheet.all_columns().any(|(column, _)| column == name) {
            let known: Vec<&str> = sheet.all_columns().map(|(column, _)| column).collect();
            let near = nearest(name, known.iter().copied());
            let mut what = "a column of this table".to_owned();
            if near.is_none() {
                what = format!("{what} ({})", known.join(", "));
            }
            return Err(head(Problem::UnknownName { value: name.into(), what, near }));
        }
    }
    let mut columns = Vec::new();
    for (column, cell) in sheet.all_columns() {
        let mut found = headers.iter().enumerate().filter(|(_, name)| *name == column);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => columns.push((column, cell, at)),
            (None, _) => return Err(head(Problem::MissingKey { key: column.into() })),
            _ => {
                let twice = format!("the column `{column}` stands there twice");
                return Err(head(Problem::Inconsistent(twice)));
            }
        }
    }
    Ok(columns)
}

/// The key of a row and what stands under it, or what is wrong in which column. A key of several columns leaves them in
/// the row.
fn row(
    sheet: &Sheet,
    columns: &[Column],
    record: &csv::StringRecord,
) -> Result<(String, Table), (&'static str, Problem)> {
    let mut key = String::new();
    let mut row = Table::new();
    for &(column, cell, place) in columns {
        let text = record.get(place).unwrap_or_default().trim();
        let wrong = |expected: &str| {
            (column, Problem::WrongType { found: format!("`{text}`"), expected: expected.into() })
        };
        let value = value(cell, text).map_err(wrong)?;
        if sheet.key.contains(&column) {
            if text.is_empty() {
                return Err(wrong("a name"));
            }
            if !key.is_empty() {
                key.push('-');
            }
            key.push_str(text);
            if sheet.key.len() == 1 {
                continue;
            }
        }
        row.insert(column.to_owned(), value);
    }
    Ok((key, row))
}

/// What stands in a cell, or what should.
fn value(cell: Cell, text: &str) -> Result<Value, &'static str> {
    Ok(match cell {
        Cell::Text => Value::String(text.to_owned()),
        Cell::Integer => Value::Integer(text.parse().map_err(|_| "a whole number")?),
        Cell::Float => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Value::Float(number),
            _ => return Err("a number"),
        },
        Cell::Flag => match text {
            "yes" => Value::Boolean(true),
            "no" => Value::Boolean(false),
            _ => return Err("`yes` or `no`"),
        },
    })
}

fn canonical(key: &str, value: &Value, text: &mut String) {
    if ANNOTATIONS.contains(&key) {
        return;
    }
    let _ = write!(text, "{key}=");
    match value {
        Value::Table(table) => {
            text.push('{');
            for (key, value) in table {
                canonical(key, value, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                canonical("", item, text);
            }
            text.push(']');
        }
        // Debug quotes strings, so that no text can look like structure.
        Value::String(string) => {
            let _ = write!(text, "{string:?}");
        }
        other => {
            let _ = write!(text, "{other}");
        }
    }
    text.push(';');
}

/// Path of a file in the tree: `map/zones.csv` is `map.zones`.
pub(crate) fn path_of(file: &str) -> String {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).replace('/', ".")
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

fn line_at(starts: &[usize], offset: usize) -> u32 {
    starts.partition_point(|&start| start <= offset) as u32
}

fn csv_message(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the line has {len} cells, the head of the table {expected_len}")
        }
        _ => error.to_string(),
    }
}

/// The root of a tree.
#[derive(Clone, Copy)]
pub struct Whole<'t> {
    tree: &'t Tree,
}

impl<'t> Whole<'t> {
    /// The node at a path that the loader itself has put there.
    ///
    /// # Errors
    /// If it is not there.
    pub fn at(self, path: &str) -> Result<Node<'t>, LoadError> {
        let mut names = path.split('.');
        let first = names.next().unwrap_or_default();
        let value = self
            .tree
            .root
            .get(first)
            .ok_or_else(|| self.tree.error(path, Problem::MissingKey { key: first.into() }))?;
        let mut node = Node { tree: self.tree, value, path: first.to_owned() };
        for name in names {
            node = node.get(name)?;
        }
        Ok(node)
    }
}

/// A datum with its path: reads typed values and reports faults with file and line.
#[derive(Clone)]
pub struct Node<'t> {
    tree: &'t Tree,
    value: &'t Value,
    path: String,
}

impl<'t> Node<'t> {
    /// Last part of the path.
    pub fn key(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default()
    }

    /// An error about this datum, with file and line where known.
    pub fn error(&self, problem: Problem) -> LoadError {
        self.tree.error(&self.path, problem)
    }

    /// An error about this datum in free words.
    pub fn inconsistent(&self, text: impl Into<String>) -> LoadError {
        self.error(Problem::Inconsistent(text.into()))
    }

    fn wrong(&self, expected: &str) -> LoadError {
        self.error(Problem::WrongType { found: show(self.value), expected: expected.into() })
    }

    fn below(&self, key: &str, value: &'t Value) -> Node<'t> {
        Node { tree: self.tree, value, path: format!("{}.{key}", self.path) }
    }

    /// The datum as a table.
    ///
    /// # Errors
    /// If it is none.
    pub fn table(&self) -> Result<&'t Table, LoadError> {
        self.value.as_table().ok_or_else(|| self.wrong("a table"))
    }

    /// A member of a table.
    ///
    /// # Errors
    /// If this is no table, or has no such member.
    pub fn get(&self, key: &str) -> Result<Node<'t>, LoadError> {
        match self.table()?.get(key) {
            Some(value) => Ok(self.below(key, value)),
            None => Err(self.error(Problem::MissingKey { key: key.into() })),
        }
    }

    /// A member of a table, if it is there.
    ///
    /// # Errors
    /// If this is no table.
    pub fn find(&self, key: &str) -> Result<Option<Node<'t>>, LoadError> {
        Ok(self.table()?.get(key).map(|value| self.below(key, value)))
    }

    /// Members of a table but for annotations.
    ///
    /// # Errors
    /// If this is no table.
    pub fn members(&self) -> Result<Vec<Node<'t>>, LoadError> {
        let table = self.table()?;
        let members = table.iter().filter(|(key, _)| !ANNOTATIONS.contains(&key.as_str()));
        Ok(members.map(|(key, value)| self.below(key, value)).collect())
    }

    /// Elements of an array.
    ///
    /// # Errors
    /// If this is no array.
    pub fn items(&self) -> Result<Vec<Node<'t>>, LoadError> {
        let array = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        Ok(array.iter().enumerate().map(|(at, value)| self.below(&at.to_string(), value)).collect())
    }

    /// Rejects members that mean nothing.
    ///
    /// # Errors
    /// Names the first such member, and the nearest that means something.
    pub fn only(&self, keys: &[&str]) -> Result<(), LoadError> {
        for member in self.members()? {
            let key = member.key();
            if !keys.contains(&key) {
                let problem =
                    Problem::UnknownKey { key: key.into(), near: nearest(key, keys.iter().copied()) };
                return Err(member.error(problem));
            }
        }
        Ok(())
    }

    /// A whole number in a range.
    ///
    /// # Errors
    /// If it is another type of value, or outside.
    pub fn integer(&self, range: RangeInclusive<i64>) -> Result<i64, LoadError> {
        let number = self.value.as_integer().ok_or_else(|| self.wrong("a whole number"))?;
        if range.contains(&number) { Ok(number) } else { Err(self.out_of_range(number, &range)) }
    }

    fn out_of_range(&self, number: impl std::fmt::Display, range: &RangeInclusive<i64>) -> LoadError {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        self.error(Problem::OutOfRange { value: number.to_string(), expected })
    }

    /// A whole number in a range within 0 to 255.
    ///
    /// # Errors
    /// If it is another type of value, or outside.
    pub fn byte(&self, range: RangeInclusive<u8>) -> Result<u8, LoadError> {
        self.integer(i64::from(*range.start())..=i64::from(*range.end())).map(|number| number as u8)
    }

    /// A number of any kind.
    ///
    /// # Errors
    /// If it is another type of value, or outside.
    pub fn number(&self, range: RangeInclusive<i64>) -> Result<f64, LoadError> {
        let number = match self.value {
            Value::Integer(number) => *number as f64,
            Value::Float(number) => *number,
            _ => return Err(self.wrong("a number")),
        };
        if number >= *range.start() as f64 && number <= *range.end() as f64 {
            Ok(number)
        } else {
            Err(self.out_of_range(number, &range))
        }
    }

    /// A number of units in steps of one half, counted in halves.
    ///
    /// # Errors
    /// If it is no number, outside 0 to `most`, or between two halves.
    pub fn halves(&self, most: i64) -> Result<u8, LoadError> {
        let halves = self.number(0..=most)? * 2.0;
        if halves.fract() == 0.0 {
            Ok(halves as u8)
        } else {
            Err(self.error(Problem::OutOfRange {
                value: show(self.value),
                expected: "a multiple of one half".into(),
            }))
        }
    }

    /// The datum as true or false.
    ///
    /// # Errors
    /// If it is neither.
    pub fn flag(&self) -> Result<bool, LoadError> {
        self.value.as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    /// The datum as a text.
    ///
    /// # Errors
    /// If it is none.
    pub fn text(&self) -> Result<&'t str, LoadError> {
        self.value.as_str().ok_or_else(|| self.wrong("a text"))
    }

    /// The words of a text in which several stand, separated by spaces; none for `none`.
    ///
    /// # Errors
    /// If it is no text.
    pub fn words(&self) -> Result<impl Iterator<Item = &'t str> + use<'t>, LoadError> {
        Ok(self.text()?.split_whitespace().filter(|word| *word != NONE))
    }

    /// Whether the text is `none`.
    ///
    /// # Errors
    /// If it is no text.
    pub fn is_none(&self) -> Result<bool, LoadError> {
        Ok(self.text()? == NONE)
    }

    /// One of some words.
    ///
    /// # Errors
    /// Names what was found, all words, and the nearest.
    pub fn choose<T: Clone>(&self, what: &str, words: &[(&str, T)]) -> Result<T, LoadError> {
        let text = self.text()?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Ok(value.clone());
        }
        let list: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let what = format!("{what} ({})", list.join(", "));
        Err(self.error(Problem::UnknownName { value: text.into(), what, near: nearest(text, list) }))
    }
}

/// A value as an error shows it.
pub(crate) fn show(value: &Value) -> String {
    match value {
        Value::String(text) => format!("the text `{text}`"),
        Value::Integer(number) => format!("the number {number}"),
        Value::Float(number) => format!("the number {number}"),
        Value::Boolean(flag) => format!("{flag}"),
        Value::Datetime(date) => format!("the date {date}"),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Table(_) => "a table".into(),
    }
}

/// The value of an option, a table with a `value` and the identifier of the ruling that it turns on or off, if there
/// is one.
///
/// # Errors
/// If it is missing or no flag, or there is no such ruling.
pub fn option(options: &Node<'_>, key: &str, rulings: &Node<'_>) -> Result<bool, LoadError> {
    let option = options.get(key)?;
    option.only(&["value"])?;
    if let Some(ruling) = option.find("ruling")?
        && rulings.find(ruling.text()?)?.is_none()
    {
        let near = nearest(ruling.text()?, rulings.table()?.keys().map(String::as_str));
        let what = "a ruling of rulings.toml".into();
        return Err(ruling.error(Problem::UnknownName { value: ruling.text()?.into(), what, near }));
    }
    option.get("value")?.flag()
}

/// The turns of a set-up lie in its calendar, `first_turn` before `last_turn`.
///
/// # Errors
/// Which of them does not.
pub fn check_length(
    whole: Whole<'_>,
    first_turn: u8,
    last_turn: u8,
    calendar: usize,
) -> Result<(), LoadError> {
    let last = whole.at("setup.last_turn")?;
    if usize::from(last_turn) > calendar {
        return Err(last.inconsistent(format!("the calendar has {calendar} turns")));
    }
    if last_turn < first_turn {
        return Err(last.inconsistent(format!("the scenario ends before its first turn, {first_turn}")));
    }
    Ok(())
}

/// What a file of links joins, a row each: two places in the columns `a` and `b`, every pair once, in either order.
///
/// # Errors
/// If an end is no such place, both are the same, or the pair stands there twice.
pub fn pairs<'t, I: Index>(rows: &Node<'t>, places: &Names<I>) -> Result<Vec<(Node<'t>, I, I)>, LoadError> {
    let mut seen = HashSet::new();
    let mut pairs = Vec::new();
    for row in rows.members()? {
        let (a, b) = (places.read(&row.get("a")?)?, places.read(&row.get("b")?)?);
        if a == b {
            return Err(row.inconsistent(format!("`{}` is joined to itself", places.id(a))));
        }
        if !seen.insert((a.min(b), a.max(b))) {
            let (a, b) = (places.id(a), places.id(b));
            let text = format!("`{a}` and `{b}` are joined twice; a pair stands once, in either order");
            return Err(row.inconsistent(text));
        }
        pairs.push((row, a, b));
    }
    Ok(pairs)
}

/// Identifiers that data may refer to.
#[derive(Clone, Debug)]
pub struct Names<I = u8> {
    what: &'static str,
    ids: Vec<String>,
    index: HashMap<String, I>,
}

impl<I: Index> Names<I> {
    /// Names with their indices from 0, and what they name, for messages (`a land zone`).
    pub fn new(what: &'static str, ids: impl IntoIterator<Item = String>) -> Self {
        let ids: Vec<String> = ids.into_iter().collect();
        let index = ids.iter().enumerate().map(|(at, id)| (id.clone(), I::nth(at))).collect();
        Names { what, ids, index }
    }

    /// Identifiers of a file's rows, no more than the engine takes.
    ///
    /// # Errors
    /// If there are none, or more than `most`.
    pub fn of_rows(rows: &Node<'_>, what: &'static str, most: usize) -> Result<Self, LoadError> {
        let members = rows.members()?;
        if members.is_empty() || members.len() > most {
            return Err(
                rows.inconsistent(format!("there are {} rows; the engine takes 1 to {most}", members.len()))
            );
        }
        Ok(Names::new(what, members.iter().map(|row| row.key().to_owned())))
    }

    /// Whether it is one of them.
    pub fn contains(&self, id: &str) -> bool {
        self.index.contains_key(id)
    }

    /// The name at an index; empty if there is none.
    pub fn id(&self, index: I) -> &str {
        self.ids.get(index.at()).map_or("", String::as_str)
    }

    /// The index of a name.
    pub fn index_of(&self, id: &str) -> Option<I> {
        self.index.get(id).copied()
    }

    /// Index of the identifier `id` that stands at a node.
    ///
    /// # Errors
    /// Names the nearest, if it is none of them.
    pub fn find(&self, id: &str, node: &Node<'_>) -> Result<I, LoadError> {
        self.index_of(id).ok_or_else(|| {
            let near = nearest(id, self.ids.iter().map(String::as_str));
            node.error(Problem::UnknownName { value: id.into(), what: self.what.into(), near })
        })
    }

    /// Index of the identifier that is the node's text.
    ///
    /// # Errors
    /// As [`Names::find`], or if the node is no text.
    pub fn read(&self, node: &Node<'_>) -> Result<I, LoadError> {
        self.find(node.text()?, node)
    }

    /// The same, or `None` if the text is `none`.
    ///
    /// # Errors
    /// As [`Names::read`].
    pub fn read_or_none(&self, node: &Node<'_>) -> Result<Option<I>, LoadError> {
        if node.is_none()? { Ok(None) } else { self.read(node).map(Some) }
    }

    /// Those of a list.
    ///
    /// # Errors
    /// As [`Names::read`], or if the node is no list.
    pub fn read_list<C: FromIterator<I>>(&self, node: &Node<'_>) -> Result<C, LoadError> {
        node.items()?.iter().map(|item| self.read(item)).collect()
    }

    /// Those of the words of a text: see [`Node::words`].
    ///
    /// # Errors
    /// As [`Names::read`].
    pub fn read_words<C: FromIterator<I>>(&self, node: &Node<'_>) -> Result<C, LoadError> {
        node.words()?.map(|word| self.find(word, node)).collect()
    }
}
