//! Files that somebody else has written: only regular ones are read, and texts up to a size.
//!
//! A pipe would make the reader wait for ever, a device might have no end, and a link in a folder of data could show
//! what is outside of it.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The largest text that is read, in bytes. The largest of a scenario's files has less than a hundredth of it.
pub const LARGEST_TEXT: u64 = 16 << 20;

/// Opens a regular file, or a link to one.
fn open(path: &Path) -> io::Result<File> {
    let file = open_without_waiting(path)?;
    let kind = file.metadata()?.file_type();
    // What reading a folder means, the system says in its own words.
    if kind.is_file() || kind.is_dir() {
        return Ok(file);
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "it is a pipe, device or socket; expected a regular file"))
}

/// Opens what is there, be it a pipe nobody writes to. What has been opened is looked at then: a look before could be at
/// something else.
#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Reads a regular file.
///
/// # Errors
/// If it is something else, or cannot be read.
pub fn read_bytes(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path.as_ref())?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a regular file of at most [`LARGEST_TEXT`] bytes in UTF-8.
///
/// # Errors
/// If it is something else, or cannot be read.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    let mut bytes = Vec::new();
    open(path.as_ref())?.take(LARGEST_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_TEXT {
        let what = format!("it is larger than {} MiB, the most that is read", LARGEST_TEXT >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, what));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "the text is not UTF-8"))
}

/// Reads a text as [`read_text`] does, which must lie in a folder: a link may not lead out of it.
///
/// # Errors
/// If it lies elsewhere, and as [`read_text`].
pub fn read_text_within(folder: &Path, name: &str) -> io::Result<String> {
    let path = folder.join(name);
    let (real, folder) = (path.canonicalize()?, folder.canonicalize()?);
    if !real.starts_with(&folder) {
        let what = format!("it is a link to {}, which is not in the folder", real.display());
        return Err(io::Error::new(ErrorKind::InvalidInput, what));
    }
    read_text(real)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn texts_have_a_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        let file = File::create(&path).unwrap();
        file.set_len(LARGEST_TEXT).unwrap();
        assert_eq!(read_text(&path).unwrap().len() as u64, LARGEST_TEXT);
        file.set_len(1 << 40).unwrap();
        assert_eq!(read_text(&path).unwrap_err().kind(), ErrorKind::FileTooLarge);
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text(&path).unwrap_err().kind(), ErrorKind::InvalidData);
        assert_eq!(read_bytes(&path).unwrap(), b"\xff");
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_in_their_folder() {
        use std::os::unix::fs::symlink;
        use std::process::Command;

        let folder = tempfile::tempdir().unwrap();
        let (inner, outer) = (folder.path().join("inner"), folder.path().join("outer.txt"));
        fs::create_dir(&inner).unwrap();
        fs::write(&outer, "outer").unwrap();
        fs::write(inner.join("own.txt"), "own").unwrap();
        symlink("own.txt", inner.join("same.txt")).unwrap();
        symlink("../outer.txt", inner.join("out.txt")).unwrap();
        symlink("nowhere", inner.join("gone.txt")).unwrap();
        assert_eq!(read_text_within(&inner, "own.txt").unwrap(), "own");
        assert_eq!(read_text_within(&inner, "same.txt").unwrap(), "own");
        let error = read_text_within(&inner, "out.txt").unwrap_err().to_string();
        assert!(error.contains("outer.txt, which is not in the folder"), "{error}");
        assert_eq!(read_text_within(&inner, "../outer.txt").unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(read_text_within(&inner, "gone.txt").unwrap_err().kind(), ErrorKind::NotFound);
        // The folder itself may be a link.
        symlink(&inner, folder.path().join("link")).unwrap();
        assert_eq!(read_text_within(&folder.path().join("link"), "own.txt").unwrap(), "own");
        // A device has no end, a folder no text.
        assert_eq!(read_text("/dev/zero").unwrap_err().kind(), ErrorKind::InvalidInput);
        assert!(read_text(&inner).is_err());
        // Nobody writes to this pipe.
        let pipe = inner.join("pipe.txt");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(read_text_within(&inner, "pipe.txt").unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(read_bytes(&pipe).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
