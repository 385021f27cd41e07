//! Tables read back from files: for replays, and to prove that what was written is what was meant.

use std::cell::Cell;
use std::io::Cursor;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use anyhow::{Context, anyhow, ensure};
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
        Format::Parquet => without_panics(|| read_parquet(bytes)),
        Format::Csv => read_csv(&bytes),
    }
}

thread_local! {
    /// Whether a panic of this thread is expected, and nobody needs to read of it.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The library trusts what a file says of itself, and panics where a damaged one lies: here that is an error. It cannot
/// be kept from asking for more memory than there is, so that files are held against their checksums first.
fn without_panics<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                before(info);
            }
        }));
    });
    QUIET.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    done.unwrap_or_else(|_| Err(anyhow!("it is no Parquet file that can be read")))
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
        // A damaged file may name any number, so that memory is taken only for rows that are there.
        let end = start.checked_add(group.num_rows()).context("too many rows")?;
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
                ensure!(array.len() <= end - row, "column {} has too many rows", field.name);
                if table.rows.len() < row + array.len() {
                    table.rows.resize_with(row + array.len(), Vec::new);
                }
                for index in 0..array.len() {
                    table.rows[row]
                        .push(cell(array.as_ref(), index).with_context(|| field.name.to_string())?);
                    row += 1;
                }
            }
            ensure!(row == end, "column {} has {} rows of {}", field.name, row - start, end - start);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::write::write;
    use crate::table::{Column, Kind, Rows, Schema};

    #[test]
    fn damaged_files_are_errors_and_no_panics() {
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
        let whole = read(Format::Parquet, bytes.clone()).unwrap();
        assert_eq!(whole.rows.len(), 40);
        for at in 0..bytes.len() {
            assert!(read(Format::Parquet, bytes[..at].to_vec()).is_err(), "cut after {at} bytes");
        }
        let lying = without_panics::<()>(|| panic!("the library trusts the file"));
        assert!(lying.unwrap_err().to_string().contains("no Parquet file"));
    }
}
