//! Tables read back from files.

use std::io::Cursor;
use std::iter;
use std::str::FromStr;

use anyhow::{Context, anyhow, bail, ensure};
use polars::prelude::{self as pl, DataFrame, DataType, IntoColumn, NewChunkedArray, SerReader};

use super::schema::{Column, Kind, Schema};
use super::write::Format;

/// A table that was read back: columns of the names and types of its schema.
///
/// Columns are asked for by name and type. A method fails if there is no such column or it is of another type; one that
/// gives plain values, also if one of them is missing.
#[derive(Clone, Debug)]
pub struct Frame {
    frame: DataFrame,
}

/// A table as text: what CSV would show, whatever the format.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TextTable {
    /// The names of the columns.
    pub names: Vec<String>,
    /// The cells, row by row; an empty cell has no value.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    /// The cells of a column.
    pub fn column(&self, name: &str) -> Option<impl Iterator<Item = &str>> {
        let column = self.names.iter().position(|other| other == name)?;
        Some(self.rows.iter().map(move |row| row[column].as_str()))
    }
}

/// Reads a whole table that has exactly the columns of the schema.
///
/// The library trusts what a Parquet file says of itself: whoever stores files holds them against their checksums
/// first.
///
/// # Errors
/// If the bytes are not a table of this format, or it has other columns.
pub fn read(format: Format, schema: &Schema, bytes: Vec<u8>) -> anyhow::Result<Frame> {
    let frame = match format {
        Format::Parquet => read_parquet(bytes)?,
        Format::Csv => typed(schema, &read_csv(&bytes)?)?,
    };
    let names = frame.columns().iter().map(|column| column.name().as_str());
    ensure!(names.eq(schema.columns.iter().map(|column| column.name.as_str())), "it has other columns");
    for (series, Column { name, kind, optional, .. }) in frame.columns().iter().zip(&schema.columns) {
        ensure!(*series.dtype() == data_type(kind), "column {name} is of another type than {}", kind.name());
        ensure!(*optional || series.null_count() == 0, "column {name} lacks a value");
    }
    Ok(Frame { frame })
}

/// Reads a whole table as text, whatever its columns.
///
/// # Errors
/// If the bytes are not a table of this format, or a column is of a type that no [`Schema`] has.
pub fn read_text(format: Format, bytes: Vec<u8>) -> anyhow::Result<TextTable> {
    match format {
        Format::Csv => read_csv(&bytes),
        Format::Parquet => {
            let frame = Frame { frame: read_parquet(bytes)? };
            for column in frame.frame.columns() {
                ensure!(
                    data_types().contains(column.dtype()),
                    "column {} is of a type that no table has",
                    column.name()
                );
            }
            Ok(frame.text())
        }
    }
}

fn data_types() -> [DataType; 6] {
    [
        DataType::Int32,
        DataType::Int64,
        DataType::UInt64,
        DataType::Float64,
        DataType::Boolean,
        DataType::String,
    ]
}

fn data_type(kind: &Kind) -> DataType {
    match kind {
        Kind::Int => DataType::Int32,
        Kind::Long => DataType::Int64,
        Kind::Unsigned => DataType::UInt64,
        Kind::Real => DataType::Float64,
        Kind::Flag => DataType::Boolean,
        Kind::Word(_) | Kind::Text => DataType::String,
    }
}

fn read_parquet(bytes: Vec<u8>) -> anyhow::Result<DataFrame> {
    Ok(pl::ParquetReader::new(Cursor::new(bytes)).read_parallel(pl::ParallelStrategy::None).finish()?)
}

fn read_csv(bytes: &[u8]) -> anyhow::Result<TextTable> {
    let mut file = csv::Reader::from_reader(bytes);
    let names = file.headers()?.iter().map(str::to_owned).collect();
    let rows = file
        .records()
        .map(|row| Ok(row?.iter().map(str::to_owned).collect()))
        .collect::<anyhow::Result<_>>()?;
    Ok(TextTable { names, rows })
}

/// The cells of CSV as what they stand for.
fn typed(schema: &Schema, text: &TextTable) -> anyhow::Result<DataFrame> {
    fn parsed<'t, T: FromStr>(cells: impl Iterator<Item = &'t str>) -> anyhow::Result<Vec<Option<T>>> {
        let parse = |cell: &str| cell.parse().map_err(|_| anyhow!("bad value \"{cell}\""));
        cells.map(|cell| if cell.is_empty() { Ok(None) } else { parse(cell).map(Some) }).collect()
    }
    let names = schema.columns.iter().map(|column| &column.name);
    ensure!(text.names.iter().eq(names), "it has other columns");
    let columns = schema.columns.iter().map(|Column { name, kind, optional, .. }| {
        let cells = text.column(name).context("it has other columns")?;
        let id = pl::PlSmallStr::from(name.as_str());
        let series = match kind {
            Kind::Int => parsed(cells)
                .map(|cells| pl::Int32Chunked::from_iter_options(id, cells.into_iter()).into_column()),
            Kind::Long => parsed(cells)
                .map(|cells| pl::Int64Chunked::from_iter_options(id, cells.into_iter()).into_column()),
            Kind::Unsigned => parsed(cells)
                .map(|cells| pl::UInt64Chunked::from_iter_options(id, cells.into_iter()).into_column()),
            Kind::Real => parsed(cells)
                .map(|cells| pl::Float64Chunked::from_iter_options(id, cells.into_iter()).into_column()),
            Kind::Flag => parsed(cells)
                .map(|cells| pl::BooleanChunked::from_iter_options(id, cells.into_iter()).into_column()),
            // An empty text and none look alike in CSV.
            Kind::Word(_) | Kind::Text => Ok(pl::StringChunked::from_iter_options(
                id,
                cells.map(|cell| (!cell.is_empty() || !optional).then_some(cell)),
            )
            .into_column()),
        };
        series.with_context(|| format!("column {name}"))
    });
    let columns: Vec<pl::Column> = columns.collect::<anyhow::Result<_>>()?;
    Ok(DataFrame::new(text.rows.len(), columns)?)
}

impl Frame {
    /// How many rows.
    pub fn len(&self) -> usize {
        self.frame.height()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn column(&self, name: &str) -> anyhow::Result<&pl::Column> {
        self.frame.column(name).map_err(|_| anyhow!("no column {name}"))
    }

    /// The column, in which no value is missing.
    fn full(&self, name: &str) -> anyhow::Result<&pl::Column> {
        let column = self.column(name)?;
        ensure!(column.null_count() == 0, "column {name} lacks a value");
        Ok(column)
    }

    /// Whole numbers of 32 or 64 bits.
    ///
    /// # Errors
    /// See [`Frame`].
    pub fn ints(&self, name: &str) -> anyhow::Result<Box<dyn Iterator<Item = i64> + '_>> {
        let column = self.full(name)?;
        Ok(match column.dtype() {
            DataType::Int32 => Box::new(column.i32()?.into_no_null_iter().map(i64::from)),
            DataType::Int64 => Box::new(column.i64()?.into_no_null_iter()),
            other => bail!("column {name} is {other:?} and no whole number"),
        })
    }

    /// Whole numbers as those of another type, such as counts and indices.
    ///
    /// # Errors
    /// See [`Frame`]; or if a number does not fit that type.
    pub fn numbers<T: TryFrom<i64>>(&self, name: &str) -> anyhow::Result<Vec<T>> {
        let number = |value: i64| T::try_from(value).map_err(|_| anyhow!("bad {name} {value}"));
        self.ints(name)?.map(number).collect()
    }

    /// Whole numbers without sign: seeds.
    ///
    /// # Errors
    /// See [`Frame`].
    pub fn unsigned<'f>(&'f self, name: &str) -> anyhow::Result<impl Iterator<Item = u64> + use<'f>> {
        Ok(self.full(name)?.u64()?.into_no_null_iter())
    }

    /// Numbers of double precision.
    ///
    /// # Errors
    /// See [`Frame`].
    pub fn reals<'f>(&'f self, name: &str) -> anyhow::Result<impl Iterator<Item = f64> + use<'f>> {
        Ok(self.full(name)?.f64()?.into_no_null_iter())
    }

    /// Numbers of double precision, some of which may be missing.
    ///
    /// # Errors
    /// See [`Frame`].
    pub fn optional_reals<'f>(
        &'f self,
        name: &str,
    ) -> anyhow::Result<impl Iterator<Item = Option<f64>> + use<'f>> {
        Ok(self.column(name)?.f64()?.iter())
    }

    /// Numbers of any type, as double precision.
    ///
    /// # Errors
    /// See [`Frame`].
    pub fn amounts(&self, name: &str) -> anyhow::Result<Box<dyn Iterator<Item = f64> + '_>> {
        let column = self.full(name)?;
        Ok(match column.dtype() {
            DataType::Float64 => Box::new(column.f64()?.into_no_null_iter()),
            DataType::UInt64 => Box::new(column.u64()?.into_no_null_iter().map(|value| value as f64)),
            _ => Box::new(self.ints(name)?.map(|value| value as f64)),
        })
    }

    /// Texts.
    ///
    /// # Errors
    /// See [`Frame`].
    pub fn texts<'f>(&'f self, name: &str) -> anyhow::Result<impl Iterator<Item = &'f str> + use<'f>> {
        Ok(self.full(name)?.str()?.iter().flatten())
    }

    /// Texts, some of which may be missing.
    ///
    /// # Errors
    /// See [`Frame`].
    pub fn optional_texts<'f>(
        &'f self,
        name: &str,
    ) -> anyhow::Result<impl Iterator<Item = Option<&'f str>> + use<'f>> {
        Ok(self.column(name)?.str()?.iter())
    }

    /// The same as CSV would show it.
    ///
    /// # Panics
    /// If a column is of a type that no [`Kind`] has, which [`read()`] refuses.
    pub fn text(&self) -> TextTable {
        let columns = self.frame.columns();
        let mut cells: Vec<Box<dyn Iterator<Item = String> + '_>> = columns.iter().map(texts_of).collect();
        let row = || cells.iter_mut().filter_map(Iterator::next).collect();
        TextTable {
            names: columns.iter().map(|column| column.name().to_string()).collect(),
            rows: iter::repeat_with(row).take(self.len()).collect(),
        }
    }

    /// Puts a column of one text into the table, as the `at`th.
    pub(crate) fn insert(&mut self, at: usize, name: &str, value: &str) -> anyhow::Result<()> {
        let texts = iter::repeat_n(value, self.len());
        let column = pl::StringChunked::from_iter_values(name.into(), texts).into_column();
        self.frame.insert_column(at, column)?;
        Ok(())
    }
}

fn texts_of(column: &pl::Column) -> Box<dyn Iterator<Item = String> + '_> {
    fn shown<T: ToString>(cell: Option<T>) -> String {
        cell.map_or_else(String::new, |cell| cell.to_string())
    }
    let checked = "the type was checked";
    match column.dtype() {
        DataType::Int32 => Box::new(column.i32().expect(checked).iter().map(shown)),
        DataType::Int64 => Box::new(column.i64().expect(checked).iter().map(shown)),
        DataType::UInt64 => Box::new(column.u64().expect(checked).iter().map(shown)),
        DataType::Float64 => Box::new(column.f64().expect(checked).iter().map(shown)),
        DataType::Boolean => Box::new(column.bool().expect(checked).iter().map(shown)),
        _ => Box::new(column.str().expect(checked).iter().map(shown)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rows;
    use crate::write::write;

    fn table() -> (Schema, Vec<u8>) {
        let columns = vec![
            Column::new("n", Kind::Long, "", ""),
            Column::new("x", Kind::Real, "", "").optional(),
            Column::new("word", Kind::Text, "", ""),
        ];
        let schema = Schema { name: "t", doc: "", columns };
        let mut rows = Rows::new(&schema);
        for n in 0..40 {
            rows.row().long(n).real(n as f64 / 3.0).text(["a", "bc", "def"][n as usize % 3]);
        }
        let mut bytes = Vec::new();
        write(Format::Parquet, &schema, rows, &mut bytes).unwrap();
        (schema, bytes)
    }

    #[test]
    fn a_file_that_is_cut_off_is_an_error() {
        let (schema, bytes) = table();
        assert_eq!(read(Format::Parquet, &schema, bytes.clone()).unwrap().len(), 40);
        for at in 0..bytes.len() {
            assert!(read(Format::Parquet, &schema, bytes[..at].to_vec()).is_err(), "cut after {at} bytes");
        }
    }

    #[test]
    fn other_columns_types_and_gaps_are_errors() {
        let (schema, bytes) = table();
        let refused = |schema: &Schema, what: &str| {
            let error = read(Format::Parquet, schema, bytes.clone()).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        };
        let mut other = schema.clone();
        other.columns[0].name = "m".to_owned();
        refused(&other, "other columns");
        other.columns.truncate(2);
        refused(&other, "other columns");
        let mut other = schema.clone();
        other.columns[0].kind = Kind::Int;
        refused(&other, "column n is of another type than int32");
        let frame = read(Format::Parquet, &schema, bytes.clone()).unwrap();
        assert!(frame.ints("m").err().unwrap().to_string().contains("no column m"));
        assert!(frame.ints("x").is_err() && frame.texts("n").is_err() && frame.unsigned("n").is_err());
        assert!(frame.numbers::<u8>("n").unwrap().into_iter().eq(0..40));

        let csv = |text: &str| read(Format::Csv, &schema, text.as_bytes().to_vec());
        let whole = csv("n,x,word\n1,,a\n2,0.5,b\n").unwrap();
        assert!(whole.optional_reals("x").unwrap().eq([None, Some(0.5)]) && whole.reals("x").is_err());
        for (text, what) in [
            ("n,x,word\n1,,a\n,1,b\n", "column n lacks a value"),
            ("n,x,word\n1.5,,a\n", "column n"),
            ("n,x\n1,2\n", "other columns"),
            ("n,word,x\n1,a,2\n", "other columns"),
            ("n,x,word,more\n1,2,a,b\n", "other columns"),
        ] {
            let error = format!("{:#}", csv(text).unwrap_err());
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
