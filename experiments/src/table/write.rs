//! Tables as files: Parquet, or CSV.

use std::io::{self, Write};
use std::str::FromStr;

use anyhow::Context;
use polars_arrow::array::{Array, BooleanArray, PrimitiveArray, Utf8ViewArray};
use polars_arrow::bitmap::{Bitmap, MutableBitmap};
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field};
use polars_arrow::types::NativeType;
use polars_error::{PolarsError, PolarsResult};
use polars_parquet::read::ParquetError;
use polars_parquet::write::{
    CompressionOptions, Compressor, DynIter, DynStreamingIterator, Encoding, FallibleStreamingIterator,
    FileWriter, KeyValue, Page, ParquetType, StatisticsOptions, Version, WriteOptions, array_to_columns,
};

use super::pages::{dictionary, dictionary_pages};
use super::rows::{Cells, Rows, Values};
use super::schema::{Column, Kind, Schema};

/// The format of a run's tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Format {
    /// Apache Parquet.
    #[default]
    Parquet,
    /// Comma-separated values with a header line; a missing value is an empty cell.
    Csv,
}

impl Format {
    /// The ending of file names.
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
        <Format as clap::ValueEnum>::from_str(text, false)
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

const OPTIONS: WriteOptions = WriteOptions {
    statistics: StatisticsOptions {
        min_value: true,
        max_value: true,
        distinct_count: false,
        null_count: true,
        binary_statistics_truncate_length: None,
    },
    version: Version::V1,
    compression: CompressionOptions::Lz4Raw,
    data_page_size: None,
};

fn write_parquet(schema: &Schema, rows: Rows, out: impl Write) -> anyhow::Result<()> {
    let arrow: ArrowSchema =
        schema.columns.iter().map(field).map(|field| (field.name.clone(), field)).collect();
    let mut file = FileWriter::try_new(out, arrow, OPTIONS)?;
    let types = file.parquet_schema().fields().to_vec();
    let len = rows.len();
    // A part is one row group. Its columns are encoded one after the other, so that only one is in memory twice.
    let columns = rows.columns.into_iter().zip(&schema.columns).zip(types).map(|((cells, column), kind)| {
        let pages = pages(cells, column.optional, kind)?;
        let compressed = Compressor::new(pages, OPTIONS.compression, Vec::new());
        Ok(DynStreamingIterator::new(compressed.map_err(PolarsError::from)))
    });
    if len > 0 {
        file.write(len as u64, DynIter::new(columns))?;
    }
    // The Arrow schema is left out on purpose: with it, readers would show strings as dictionaries.
    let key = format!("sandtable.{}", schema.name);
    file.end(Some(vec![KeyValue::new(key, documentation(schema))]))?;
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

fn field(column: &Column) -> Field {
    let kind = match column.kind {
        Kind::Int => ArrowDataType::Int32,
        Kind::Long => ArrowDataType::Int64,
        Kind::Unsigned => ArrowDataType::UInt64,
        Kind::Real => ArrowDataType::Float64,
        Kind::Flag => ArrowDataType::Boolean,
        Kind::Word(_) | Kind::Text => ArrowDataType::Utf8View,
    };
    Field::new(column.name.as_str().into(), kind, column.optional)
}

/// How a column is encoded.
enum Encoded {
    /// A code for each row and what the codes stand for.
    Dictionary(Vec<u32>, Box<dyn Array>),
    /// As the library does it.
    Values(Box<dyn Array>, Encoding),
}

fn pages(
    cells: Cells,
    optional: bool,
    kind: ParquetType,
) -> PolarsResult<DynIter<'static, Result<Page, ParquetError>>> {
    let present = (!cells.missing.is_empty()).then(|| {
        let mut present = MutableBitmap::from_len_set(cells.len());
        cells.missing.iter().for_each(|&row| present.set(row, false));
        Bitmap::from(present)
    });
    let (array, encoding) = match encoded(cells.values) {
        Encoded::Dictionary(codes, words) if !optional => {
            let pages = dictionary_pages(&codes, words, kind, OPTIONS)?;
            return Ok(DynIter::new(pages.into_iter().map(Ok)));
        }
        Encoded::Dictionary(codes, words) => (dictionary(codes, present, words)?, Encoding::RleDictionary),
        Encoded::Values(array, encoding) => (array.with_validity(present), encoding),
    };
    let pages = array_to_columns(array, kind, OPTIONS, &[encoding])?
        .pop()
        .expect("a column without nesting has one leaf")
        .map(|page| page.map_err(|error| ParquetError::FeatureNotSupported(error.to_string())));
    Ok(DynIter::new(pages))
}

fn encoded(values: Values) -> Encoded {
    match values {
        Values::Int(values) => integers(values),
        Values::Long(values) => integers(values),
        Values::Unsigned(values) => {
            Encoded::Values(PrimitiveArray::from_vec(values).boxed(), Encoding::RleDictionary)
        }
        Values::Real(values) => Encoded::Values(PrimitiveArray::from_vec(values).boxed(), Encoding::Plain),
        Values::Flag(values) => {
            let values = values.into_iter().collect::<Bitmap>();
            let array = BooleanArray::new(ArrowDataType::Boolean, values, None);
            Encoded::Values(array.boxed(), Encoding::Plain)
        }
        Values::Word(codes, words) => strings(codes, &words),
        Values::Text(codes, texts) => strings(codes, &texts.list),
    }
}

/// A range of whole numbers up to this wide, or to an eighth of the rows, gets a dictionary of all numbers in it.
const DENSE: i64 = 1 << 12;

/// Most columns count small things. For those the dictionary is the whole range: nothing need be looked up. There is at
/// least one row.
fn integers<T>(values: Vec<T>) -> Encoded
where
    T: NativeType + Ord + Into<i64> + TryFrom<i64>,
{
    let first = values[0];
    let (low, high) =
        values.iter().fold((first, first), |(low, high), &value| (low.min(value), high.max(value)));
    let (low, high): (i64, i64) = (low.into(), high.into());
    let widest = DENSE.max(values.len() as i64 / 8);
    if high.checked_sub(low).is_none_or(|range| range >= widest) {
        return Encoded::Values(PrimitiveArray::from_vec(values).boxed(), Encoding::RleDictionary);
    }
    let codes = values.iter().map(|&value| value.into().wrapping_sub(low) as u32).collect();
    let range: Vec<T> = (low..=high).filter_map(|value| T::try_from(value).ok()).collect();
    Encoded::Dictionary(codes, PrimitiveArray::from_vec(range).boxed())
}

/// Strings go to the file as they are in memory: a dictionary and codes.
fn strings(codes: Vec<u32>, words: &[String]) -> Encoded {
    // A dictionary page is never empty, even where every cell is.
    let words = if words.is_empty() { &[String::new()][..] } else { words };
    Encoded::Dictionary(codes, Utf8ViewArray::from_slice_values(words).boxed())
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

/// Passes bytes on, and keeps their number and CRC-32.
#[derive(Debug)]
pub struct Checked<W> {
    inner: W,
    crc: crc32fast::Hasher,
    /// Bytes so far.
    pub bytes: u64,
}

impl<W: Write> Checked<W> {
    /// Passes bytes on to `inner`.
    pub fn new(inner: W) -> Self {
        Checked { inner, crc: crc32fast::Hasher::new(), bytes: 0 }
    }

    /// What the bytes went to, and their CRC-32.
    pub fn finish(self) -> (W, u32) {
        (self.inner, self.crc.finalize())
    }
}

impl<W: Write> Write for Checked<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.crc.update(&buffer[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::read::read;
    use std::sync::Arc;

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
                row.text(&format!("t{}", i % 11))
            };
            row.none();
        }
        (schema, rows)
    }

    #[test]
    fn both_formats_hold_the_values_that_were_given() {
        let (schema, rows) = table();
        let expected: Vec<Vec<String>> = (0..rows.len())
            .map(|row| (0..schema.columns.len()).map(|column| rows.text(row, column)).collect())
            .collect();
        for format in [Format::Parquet, Format::Csv] {
            let mut bytes = Vec::new();
            write(format, &schema, rows.clone(), &mut bytes).unwrap();
            let back = read(format, bytes).unwrap();
            assert!(back.names.iter().eq(schema.columns.iter().map(|column| &column.name)));
            assert_eq!(back.rows, expected, "{format:?}");
        }
    }

    #[test]
    fn a_table_without_rows_is_a_table() {
        let (schema, _) = table();
        for format in [Format::Parquet, Format::Csv] {
            let mut bytes = Vec::new();
            write(format, &schema, Rows::new(&schema), &mut bytes).unwrap();
            let back = read(format, bytes).unwrap();
            assert_eq!((back.names.len(), back.rows.len()), (schema.columns.len(), 0), "{format:?}");
        }
    }
}
