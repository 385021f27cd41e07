//! Tables read back from files: for replays, and to prove that what was written is what was meant.

use std::io::Cursor;

use anyhow::{Context, ensure};
use polars_arrow::array::{Array, BooleanArray, PrimitiveArray, Utf8ViewArray};
use polars_buffer::Buffer;
use polars_parquet::read::{
    BasicDecompressor, PageReader, column_iter_to_arrays, infer_schema, read_metadata,
};

use super::write::Format;

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

/// Reads a whole table.
///
/// # Errors
/// If the bytes are not a table of this format.
pub fn read(format: Format, bytes: Vec<u8>) -> anyhow::Result<TextTable> {
    match format {
        Format::Parquet => read_parquet(bytes),
        Format::Csv => read_csv(&bytes),
    }
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

fn read_parquet(bytes: Vec<u8>) -> anyhow::Result<TextTable> {
    let metadata = read_metadata(&mut Cursor::new(&bytes))?;
    let schema = infer_schema(&metadata)?;
    let bytes = Buffer::from(bytes);
    let mut table = TextTable::default();
    table.names.extend(schema.iter_values().map(|field| field.name.to_string()));
    for group in &metadata.row_groups {
        let start = table.rows.len();
        table.rows.resize_with(start + group.num_rows(), Vec::new);
        for (field, column) in schema.iter_values().zip(group.parquet_columns()) {
            let range = column.byte_range();
            let chunk = bytes.clone().sliced(range.start as usize..range.end as usize);
            let pages = PageReader::new(Cursor::new(chunk), column, Vec::new(), usize::MAX);
            let kind = &column.descriptor().descriptor.primitive_type;
            let (arrays, _) = column_iter_to_arrays(
                vec![BasicDecompressor::new(pages, Vec::new())],
                vec![kind],
                field.clone(),
                None,
            )?;
            let mut row = start;
            for array in arrays {
                for index in 0..array.len() {
                    table.rows[row]
                        .push(cell(array.as_ref(), index).with_context(|| field.name.to_string())?);
                    row += 1;
                }
            }
            ensure!(
                row == table.rows.len(),
                "column {} has {} rows of {}",
                field.name,
                row,
                table.rows.len()
            );
        }
    }
    Ok(table)
}

fn cell(array: &dyn Array, index: usize) -> anyhow::Result<String> {
    if array.is_null(index) {
        return Ok(String::new());
    }
    let any = array.as_any();
    if let Some(array) = any.downcast_ref::<PrimitiveArray<i32>>() {
        Ok(array.value(index).to_string())
    } else if let Some(array) = any.downcast_ref::<PrimitiveArray<i64>>() {
        Ok(array.value(index).to_string())
    } else if let Some(array) = any.downcast_ref::<PrimitiveArray<u64>>() {
        Ok(array.value(index).to_string())
    } else if let Some(array) = any.downcast_ref::<PrimitiveArray<f64>>() {
        Ok(array.value(index).to_string())
    } else if let Some(array) = any.downcast_ref::<BooleanArray>() {
        Ok(array.value(index).to_string())
    } else if let Some(array) = any.downcast_ref::<Utf8ViewArray>() {
        Ok(array.value(index).to_owned())
    } else {
        anyhow::bail!("a column of type {:?} is none of ours", array.dtype())
    }
}
