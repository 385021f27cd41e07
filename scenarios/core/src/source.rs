//! The files of a scenario: embedded in the program, or in a folder.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use include_dir::Dir;

use crate::error::{LoadError, Problem, nearest};
use crate::files::read_text_within;

/// A text file of a scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Path relative to the scenario's folder, with `/`.
    pub name: String,
    /// Content.
    pub text: String,
}

impl SourceFile {
    /// A file from its parts.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        SourceFile { name: name.into(), text: text.into() }
    }
}

/// An embedded file of a folder.
pub(crate) fn embedded(folder: &'static Dir<'static>, name: &str) -> Option<&'static str> {
    folder.get_file(name)?.contents_utf8()
}

/// Identifiers of the scenarios in an embedded folder of set-ups.
pub(crate) fn setups(folder: &'static Dir<'static>) -> Vec<&'static str> {
    let files = folder.files();
    let mut ids: Vec<&str> =
        files.filter_map(|file| file.path().file_name()?.to_str()?.strip_suffix(".toml")).collect();
    ids.sort_unstable();
    ids
}

/// Reads the named files of a folder.
///
/// # Errors
/// Says which file is missing, unreadable or not UTF-8.
pub(crate) fn read_folder(root: &Path, names: &[&str], optional: &str) -> Result<Vec<SourceFile>, LoadError> {
    let mut files = Vec::new();
    for &name in names.iter().chain([&optional]) {
        match read_text_within(root, name) {
            Ok(text) => files.push(SourceFile::new(name, text)),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(LoadError::in_file(name, None, Problem::Syntax(error.to_string())));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if name != optional {
                    return Err(LoadError::in_file(
                        name,
                        None,
                        Problem::MissingFile { near: look_alike(root, name) },
                    ));
                }
            }
            Err(error) => return Err(LoadError::in_file(name, None, Problem::Io(error.to_string()))),
        }
    }
    Ok(files)
}

/// The file in the same folder whose name is most like the missing one's.
fn look_alike(root: &Path, name: &str) -> Option<String> {
    let path = root.join(name);
    let wanted = path.file_name()?.to_str()?;
    let names: Vec<String> = fs::read_dir(path.parent()?)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    nearest(wanted, names.iter().map(String::as_str))
}

/// Writes files below a folder that is empty or not there yet.
///
/// # Errors
/// If the folder holds anything, or cannot be written; an existing file is never touched, and what was written so far is
/// taken away again.
pub(crate) fn write_folder(root: &Path, files: &[SourceFile]) -> Result<(), LoadError> {
    let shown = root.display().to_string();
    let io = |name: &str| {
        let name = if name.is_empty() { shown.clone() } else { format!("{shown}/{name}") };
        move |error: std::io::Error| {
            let problem = match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Problem::DiskFull,
                _ => Problem::Io(error.to_string()),
            };
            LoadError::in_file(name, None, problem)
        }
    };
    let existed = root.exists();
    if existed {
        let mut entries = fs::read_dir(root).map_err(io(""))?;
        if entries.next().is_some() {
            return Err(LoadError::in_file(shown, None, Problem::NotEmpty));
        }
    }
    let written = files.iter().try_for_each(|file| {
        let path = root.join(&file.name);
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        folder.and_then(|()| fs::write(&path, &file.text)).map_err(io(&file.name))
    });
    if written.is_err() {
        // The folder was empty, so that all that is in it is ours. What cannot be taken away is no reason to say
        // anything else than why there is no export.
        if existed {
            for entry in fs::read_dir(root).into_iter().flatten().flatten() {
                let path = entry.path();
                let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            }
        } else {
            let _ = fs::remove_dir_all(root);
        }
    }
    written
}
