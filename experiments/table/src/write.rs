//! Tables as files: Parquet, or CSV.

use std::io::Write;
use std::str::FromStr;

use anyhow::Context;
use polars::prelude::{
    self as pl, ChunkFullNull, ChunkTake, DataFrame, IntoColumn, NewChunkedArray, PlSmallStr, PolarsResult,
};

use super::rows::{Cells, Rows, Values};
use super::schema::Schema;

/// The format of a run's tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Apache Parquet.
    #[default]
    Parquet,
    /// Comma-separated values with a header line; a missing value is an empty cell.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 2] = [Format::Parquet, Format::Csv];

    /// The ending of file names, which is also the name of the format.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Format::ALL.into_iter().find(|format| format.extension() == text);
        known.ok_or_else(|| "expected parquet or csv".to_owned())
    }
}

/// Writes a table; the rows are used up.
///
/// # Errors
/// If the output cannot be written.
pub fn write(format: Format, schema: &Schema, rows: Rows, out: impl Write) -> anyhow::Result<()> {
    match format {
        Format::Parquet => write_parquet(schema, rows, out),
        Format::Csv => write_csv(schema, &rows, out),
    }
}

/// A part is one row group, encoded by the thread that writes it, so that its bytes depend on nothing but its rows.
fn write_parquet(schema: &Schema, rows: Rows, out: impl Write) -> anyhow::Result<()> {
    let len = rows.len();
    let columns = rows.columns.into_iter().zip(&schema.columns);
    let columns = columns.map(|(cells, column)| encoded(column.name.as_str().into(), cells));
    let mut frame = DataFrame::new(len, columns.collect::<PolarsResult<_>>()?)?;
    let key = format!("sandtable.{}", schema.name);
    pl::ParquetWriter::new(out)
        .with_compression(pl::ParquetCompression::Lz4Raw)
        .with_statistics(pl::StatisticsOptions::default())
        .with_row_group_size(Some(len.max(1)))
        .set_parallel(false)
        .with_key_value_metadata(Some(pl::KeyValueMetadata::from_static(vec![(key, documentation(schema))])))
        .finish(&mut frame)?;
    Ok(())
}

/// What goes into the file's own metadata: the meaning and unit of every column, as JSON.
fn documentation(schema: &Schema) -> String {
    let columns: serde_json::Map<String, serde_json::Value> = schema
        .columns
        .iter()
        .map(|column| (column.name.clone(), serde_json::json!({ "unit": column.unit, "doc": column.doc })))
        .collect();
    serde_json::json!({ "doc": schema.doc, "columns": columns }).to_string()
}

/// A column as the library has it.
fn encoded(name: PlSmallStr, Cells { values, missing }: Cells) -> PolarsResult<pl::Column> {
    Ok(match values {
        Values::Int(values) => numbers::<pl::Int32Type>(name, values, &missing).into_column(),
        Values::Long(values) => numbers::<pl::Int64Type>(name, values, &missing).into_column(),
        Values::Unsigned(values) => numbers::<pl::UInt64Type>(name, values, &missing).into_column(),
        Values::Real(values) => numbers::<pl::Float64Type>(name, values, &missing).into_column(),
        Values::Flag(values) if missing.is_empty() => {
            pl::BooleanChunked::from_slice(name, &values).into_column()
        }
        Values::Flag(values) => {
            pl::BooleanChunked::from_iter_options(name, present(&values, &missing)).into_column()
        }
        Values::Word(codes, words) => strings(name, codes, &words, &missing)?.into_column(),
        Values::Text(codes, texts) => strings(name, codes, &texts.list, &missing)?.into_column(),
    })
}

/// The values, without those in rows that have none.
fn present<T: Copy>(values: &[T], missing: &[usize]) -> impl Iterator<Item = Option<T>> {
    let mut gaps = missing.iter().peekable();
    values.iter().enumerate().map(move |(row, &value)| gaps.next_if_eq(&&row).is_none().then_some(value))
}

fn numbers<T: pl::PolarsNumericType>(
    name: PlSmallStr,
    values: Vec<T::Native>,
    missing: &[usize],
) -> pl::ChunkedArray<T> {
    if missing.is_empty() {
        pl::ChunkedArray::from_vec(name, values)
    } else {
        pl::ChunkedArray::from_iter_options(name, present(&values, missing))
    }
}

/// Each different text is in memory once, whatever the number of rows.
fn strings(
    name: PlSmallStr,
    codes: Vec<u32>,
    words: &[String],
    missing: &[usize],
) -> PolarsResult<pl::StringChunked> {
    // Where there is no text, all cells are missing.
    if words.is_empty() {
        return Ok(pl::StringChunked::full_null(name, codes.len()));
    }
    let codes: pl::IdxCa = numbers(name.clone(), codes, missing);
    pl::StringChunked::from_iter_values(name, words.iter().map(String::as_str)).take(&codes)
}

fn write_csv(schema: &Schema, rows: &Rows, out: impl Write) -> anyhow::Result<()> {
    let mut file = csv::Writer::from_writer(out);
    file.write_record(schema.columns.iter().map(|column| &column.name))?;
    for row in 0..rows.len() {
        file.write_record((0..schema.columns.len()).map(|column| rows.text(row, column)))?;
    }
    file.flush().context("writing CSV")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::read::{read, read_text};
    use crate::{Column, Kind};

    fn table() -> (Schema, Rows) {
        let words: Arc<[String]> = ["Île-de-France", "a \"b\", c", "unused"].map(String::from).into();
        let columns = vec![
            Column::new("int", Kind::Int, "", ""),
            Column::new("wide", Kind::Int, "", ""),
            Column::new("long", Kind::Long, "", "").optional(),
            Column::new("seed", Kind::Unsigned, "", ""),
            Column::new("real", Kind::Real, "", "").optional(),
            Column::new("flag", Kind::Flag, "", "").optional(),
            Column::new("word", Kind::Word(words), "", ""),
            Column::new("text", Kind::Text, "", "").optional(),
            Column::new("nothing", Kind::Text, "", "").optional(),
            Column::new("sure", Kind::Flag, "", ""),
        ];
        let schema = Schema { name: "test", doc: "all types", columns };
        let mut rows = Rows::new(&schema);
        for i in 0..1000i32 {
            let mut row = rows.row();
            row.int(i % 7 - 3).int(i.wrapping_mul(0x1234_5677));
            if i % 3 == 0 {
                row.none()
            } else {
                row.long(i64::from(i) << 40)
            };
            row.unsigned(u64::MAX - i as u64);
            if i % 5 == 0 {
                row.none()
            } else {
                row.real(1.0 / f64::from(i))
            };
            if i % 4 == 0 {
                row.none()
            } else {
                row.flag(i % 8 < 4)
            };
            row.word(i as usize % 2);
            if i % 2 == 0 {
                row.none()
            } else {
                row.text(&format!("a text of more than twelve bytes: {}", i % 11))
            };
            row.none().flag(i % 3 == 0);
        }
        (schema, rows)
    }

    fn bytes(format: Format, schema: &Schema, rows: Rows) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(format, schema, rows, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn both_formats_hold_the_values_that_were_given() {
        let (schema, rows) = table();
        let expected: Vec<Vec<String>> = (0..rows.len())
            .map(|row| (0..schema.columns.len()).map(|column| rows.text(row, column)).collect())
            .collect();
        for format in Format::ALL {
            let bytes = bytes(format, &schema, rows.clone());
            let text = read_text(format, bytes.clone()).unwrap();
            assert!(text.names.iter().eq(schema.columns.iter().map(|column| &column.name)));
            assert_eq!(text.rows, expected, "{format:?}");
            // The types survive, also in CSV.
            let frame = read(format, &schema, bytes).unwrap();
            assert_eq!(frame.text(), text, "{format:?}");
            assert_eq!(frame.len(), 1000);
            assert!(frame.ints("int").unwrap().eq((0..1000).map(|i| i % 7 - 3)));
            assert!(frame.unsigned("seed").unwrap().eq((0..1000).map(|i| u64::MAX - i)));
            let reals: Vec<Option<f64>> = frame.optional_reals("real").unwrap().collect();
            assert_eq!((reals[5], reals[3]), (None, Some(1.0 / 3.0)));
            let words: Vec<&str> = frame.texts("word").unwrap().collect();
            assert_eq!(words[..2], ["Île-de-France", "a \"b\", c"]);
            assert!(frame.optional_texts("nothing").unwrap().all(|text| text.is_none()));
        }
    }

    #[test]
    fn the_bytes_depend_on_the_rows_alone() {
        let (schema, rows) = table();
        for format in Format::ALL {
            let whole = bytes(format, &schema, rows.clone());
            // Put together from pieces, by another thread, with texts met in the same order.
            let mut pieces = Rows::new(&schema);
            let columns: Vec<usize> = (0..schema.columns.len()).collect();
            for start in (0..rows.len()).step_by(300) {
                let range: Vec<usize> = (start..(start + 300).min(rows.len())).collect();
                pieces.append(rows.select(&range, &columns));
            }
            let schema = &schema;
            let again = std::thread::scope(|scope| {
                scope.spawn(move || bytes(format, schema, pieces)).join().unwrap()
            });
            assert!(whole == again, "{format:?}");
        }
    }

    #[test]
    fn a_table_without_rows_is_a_table() {
        let (schema, _) = table();
        for format in Format::ALL {
            let bytes = bytes(format, &schema, Rows::new(&schema));
            let back = read(format, &schema, bytes).unwrap().text();
            assert_eq!((back.names.len(), back.rows.len()), (schema.columns.len(), 0), "{format:?}");
        }
    }

    #[test]
    fn the_meaning_of_the_columns_is_in_the_file() {
        let (mut schema, rows) = table();
        schema.columns[0].doc = "how many \"points\"".to_owned();
        let bytes = bytes(Format::Parquet, &schema, rows);
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("sandtable.test") && text.contains(r#""doc":"how many \"points\"""#));
    }
}
