//! Files that the user names: pages, pictures, and the tables of odds; and tables for the terminal.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::draw::page::GENERATOR;
use crate::failure::Failure;
use crate::files::write_atomically;
pub(super) use crate::terminal::{aligned, table};

/// How much of a file tells whose it is.
const HEAD: u64 = 1 << 12;

/// Fails unless a page or picture may be written here: there is no file yet, or one of this program's own.
///
/// # Errors
/// Names the file and what is expected.
pub(super) fn check_drawing(path: &Path) -> Result<(), Failure> {
    let mut head = Vec::new();
    // To open a pipe would be to wait.
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Err(Failure::input(format!("{}: expected a new file; it is no regular one", path.display())));
    }
    match File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(refused(path, error.into())),
        Ok(0) if path.is_file() => Ok(()),
        Ok(_) if String::from_utf8_lossy(&head).contains(GENERATOR) => Ok(()),
        Ok(_) => Err(Failure::input(format!(
            "{}: there is a file that is no page or picture of sandtable; expected a new file, or one that it has written",
            path.display()
        ))),
    }
}

/// Writes a page or picture: as a whole or not at all.
///
/// # Errors
/// As [`check_drawing`], or if it cannot be written.
pub(super) fn save_drawing(path: &Path, text: &str) -> Result<(), Failure> {
    check_drawing(path)?;
    save(path, text.as_bytes())
}

/// Fails unless there is no such file yet.
///
/// # Errors
/// Names the flag and the file.
pub(super) fn check_new(flag: &str, path: &Path) -> Result<(), Failure> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(refused(path, error.into())),
        Ok(_) => {
            Err(Failure::input(format!("{flag} {}: the file exists; expected a new one", path.display())))
        }
    }
}

/// Writes a file as a whole or not at all.
///
/// # Errors
/// If it cannot be written: the user's mistake if no file can be there, else the machine's fault.
pub(super) fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    match write_atomically(path, |out| Ok(out.write_all(bytes)?)) {
        Ok(_) => Ok(()),
        Err(error) => Err(refused(path, error)),
    }
}

fn refused(path: &Path, error: anyhow::Error) -> Failure {
    let cause = error.downcast_ref::<io::Error>();
    let mistake = cause.filter(|cause| {
        matches!(
            cause.kind(),
            ErrorKind::NotFound
                | ErrorKind::NotADirectory
                | ErrorKind::IsADirectory
                | ErrorKind::PermissionDenied
                | ErrorKind::ReadOnlyFilesystem
                | ErrorKind::InvalidFilename
        )
    });
    match mistake {
        Some(cause) => Failure::input(format!("cannot write {}: {cause}", path.display())),
        None => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_mistakes_and_the_machines_faults_differ() {
        let code = |kind: ErrorKind| refused(Path::new("a"), io::Error::from(kind).into()).exit_code();
        for kind in [ErrorKind::NotFound, ErrorKind::PermissionDenied, ErrorKind::IsADirectory] {
            assert_eq!(code(kind), 2, "{kind}");
        }
        for kind in [ErrorKind::StorageFull, ErrorKind::Other] {
            assert_eq!(code(kind), 1, "{kind}");
        }
    }
}
