//! Tables cut into files by the values of some columns, as Hive does.
//!
//! ```text
//! TABLE/scenario=blitzwar%2Ffrance-1940/part-00000.parquet
//! ```
//!
//! The columns by which a table is cut are marked in its schema. Their values are in the path, percent-encoded, and
//! not in a Parquet file: polars, `DuckDB` and pandas put them back as columns when they read the folder. Here,
//! [`read`] does. Few readers of CSV look at paths, so a CSV file has all columns.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::read::{self, Frame};
use super::rows::Rows;
use super::schema::{Column, Schema};
use super::write::Format;

/// The rows of one file.
#[derive(Clone, Debug)]
pub struct Share {
    /// The table's folder and those below it, such as `results/scenario=a`.
    pub folder: String,
    /// The columns in the file.
    pub schema: Schema,
    /// The rows.
    pub rows: Rows,
}

/// The folder of a value: `name=value`, in which all but letters, digits, `-`, `_` and `.` is percent-encoded.
pub fn folder_of(column: &str, value: &str) -> String {
    let mut name = format!("{column}=");
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            name.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(name, "%{byte:02X}");
        }
    }
    name
}

/// The longest name that a folder may have on common file systems, in bytes.
const LONGEST: usize = 255;

/// Fails if the folder of a value would have a longer name than file systems allow.
///
/// # Errors
/// Says how long the name would be.
pub fn check(column: &str, value: &str) -> Result<(), String> {
    let length = folder_of(column, value).len();
    if length <= LONGEST {
        return Ok(());
    }
    Err(format!(
        "the tables are cut by {column}, and the folder of this one would have a name of {length} bytes (a \"/\" or a \
         letter beyond ASCII takes three or more); expected {LONGEST} at most: use a shorter path, such as one that is \
         relative to the current folder"
    ))
}

/// The value in a folder's name, if it is that of this column.
fn value_of(column: &str, folder: &str) -> Option<String> {
    let mut rest = folder.strip_prefix(column)?.strip_prefix('=')?.as_bytes();
    let mut value = Vec::with_capacity(rest.len());
    while let Some((&byte, more)) = rest.split_first() {
        rest = more;
        if byte == b'%' {
            let digit = |at: usize| char::from(*rest.get(at)?).to_digit(16);
            value.push((16 * digit(0)? + digit(1)?) as u8);
            rest = &rest[2..];
        } else {
            value.push(byte);
        }
    }
    String::from_utf8(value).ok()
}

/// The columns that are in a file of this format.
fn kept(schema: &Schema, format: Format) -> Vec<usize> {
    let is_kept = |column: &Column| format == Format::Csv || !column.partition;
    schema.columns.iter().enumerate().filter(|(_, column)| is_kept(column)).map(|(at, _)| at).collect()
}

/// The rows by the values of the columns that are marked, in the order of their first row; all of them if none is
/// marked.
pub fn split(schema: &Schema, format: Format, rows: Rows) -> Vec<Share> {
    let marked: Vec<(usize, &Column)> =
        schema.columns.iter().enumerate().filter(|(_, column)| column.partition).collect();
    if marked.is_empty() {
        return vec![Share { folder: schema.name.to_owned(), schema: schema.clone(), rows }];
    }
    let mut shares: Vec<(String, Vec<usize>)> = Vec::new();
    for row in 0..rows.len() {
        let mut folder = schema.name.to_owned();
        for (index, column) in &marked {
            folder.push('/');
            folder.push_str(&folder_of(&column.name, &rows.text(row, *index)));
        }
        match shares.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, list)) => list.push(row),
            None => shares.push((folder, vec![row])),
        }
    }
    let kept = kept(schema, format);
    let columns: Vec<Column> = kept.iter().map(|&at| schema.columns[at].clone()).collect();
    let share = |(folder, list): (String, Vec<usize>)| Share {
        folder,
        schema: Schema { name: schema.name, doc: schema.doc, columns: columns.clone() },
        rows: rows.select(&list, &kept),
    };
    shares.into_iter().map(share).collect()
}

/// Reads a file of a table, with the values that are in its path. `file` is relative to the folder in which the
/// table's own folder is.
///
/// # Errors
/// If the bytes are not such a table, or the path has not the folders that the schema says.
pub fn read(format: Format, schema: &Schema, file: &str, bytes: Vec<u8>) -> anyhow::Result<Frame> {
    let kept = kept(schema, format);
    let columns = kept.iter().map(|&at| schema.columns[at].clone()).collect();
    let stored = Schema { name: schema.name, doc: schema.doc, columns };
    let mut values = Vec::new();
    let mut folders = file.split('/').skip(1);
    for (at, column) in schema.columns.iter().enumerate().filter(|(_, column)| column.partition) {
        let value = folders.next().and_then(|folder| value_of(&column.name, folder));
        values.push((at, &column.name, value.with_context(|| format!("its path names no {}", column.name))?));
    }
    let mut frame = read::read(format, &stored, bytes)?;
    for (at, name, value) in values {
        if kept.contains(&at) {
            let fits = frame.texts(name)?.all(|found| found == value);
            ensure!(fits, "it holds rows of another {name} than its path");
        } else {
            frame.insert(at, name, &value)?;
        }
    }
    Ok(frame)
}

/// Makes a folder of a share; its name is safe on the disk before a file in it is.
///
/// # Errors
/// If it cannot be made.
pub fn create(root: &Path, folder: &str) -> anyhow::Result<()> {
    let path = root.join(folder);
    if !path.is_dir() {
        fs::create_dir_all(&path).with_context(|| format!("creating {}", path.display()))?;
        for above in path.ancestors().skip(1).take_while(|above| above.starts_with(root)) {
            fs::File::open(above)?.sync_all()?;
        }
    }
    Ok(())
}

/// The folders of a table in which files are or will be: its own, and those below it that are there.
pub fn folders(root: &Path, schema: &Schema) -> Vec<PathBuf> {
    let mut all = vec![root.join(schema.name)];
    let mut level = all.clone();
    for _ in schema.columns.iter().filter(|column| column.partition) {
        let below = level.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        level = below.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        level.sort();
        all.extend(level.iter().cloned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use crate::read::read_text;
    use crate::write::write;

    fn table() -> (Schema, Rows) {
        let columns = vec![
            Column::new("n", Kind::Int, "", ""),
            Column::new("scenario", Kind::Text, "", "").partition(),
            Column::new("word", Kind::Text, "", "").optional(),
        ];
        let schema = Schema { name: "results", doc: "", columns };
        let mut rows = Rows::new(&schema);
        for n in 0..10 {
            let mut row = rows.row();
            row.int(n).text(["blitzwar/é 1=%", "b"][n as usize % 2]);
            if n == 4 {
                row.none()
            } else {
                row.text(&format!("w{}", n % 3))
            };
        }
        (schema, rows)
    }

    #[test]
    fn shares_put_together_are_the_table() {
        let (schema, rows) = table();
        let whole: Vec<Vec<String>> =
            (0..10).map(|row| (0..3).map(|column| rows.text(row, column)).collect()).collect();
        for format in Format::ALL {
            let shares = split(&schema, format, rows.clone());
            let folders: Vec<&str> = shares.iter().map(|share| share.folder.as_str()).collect();
            assert_eq!(folders, ["results/scenario=blitzwar%2F%C3%A9%201%3D%25", "results/scenario=b"]);
            let mut back = Vec::new();
            for Share { folder, schema: stored, rows } in shares {
                let mut bytes = Vec::new();
                write(format, &stored, rows, &mut bytes).unwrap();
                let text = read_text(format, bytes.clone()).unwrap();
                assert_eq!(text.names.len(), if format == Format::Csv { 3 } else { 2 });
                let file = format!("{folder}/part-00000.{}", format.extension());
                let text = super::read(format, &schema, &file, bytes).unwrap().text();
                assert_eq!(text.names, ["n", "scenario", "word"]);
                back.extend(text.rows);
            }
            back.sort_by_key(|row| row[0].parse::<u32>().unwrap());
            assert_eq!(back, whole, "{format:?}");
        }
    }

    #[test]
    fn a_table_without_marks_is_one_share() {
        let (mut schema, rows) = table();
        schema.columns[1].partition = false;
        let shares = split(&schema, Format::Parquet, rows);
        assert_eq!((shares.len(), shares[0].folder.as_str(), shares[0].rows.len()), (1, "results", 10));
    }

    #[test]
    fn a_name_that_no_disk_takes_is_refused() {
        let longest = LONGEST - "scenario=".len();
        assert_eq!(check("scenario", &"a".repeat(longest)), Ok(()));
        assert!(check("scenario", &"a".repeat(longest + 1)).unwrap_err().contains("256 bytes"));
        // Each of these takes three bytes.
        assert!(check("scenario", &"/".repeat(longest / 3 + 1)).is_err());
    }

    #[test]
    fn paths_that_do_not_fit_are_refused() {
        let (schema, _) = table();
        for file in [
            "results/part-00000.csv",
            "results/side=a/part-00000.csv",
            "results/scenario=%4/p.csv",
            "results/scenario=%+F/p.csv",
            "results/scenario=%é/p.csv",
        ] {
            let error = super::read(Format::Csv, &schema, file, Vec::new()).unwrap_err();
            assert!(error.to_string().contains("scenario"), "{file}: {error}");
        }
    }
}
