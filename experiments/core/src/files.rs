//! Files that are read ([`sandtable_scenarios::files`]), and files that are written as a whole or not at all.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
pub use sandtable_scenarios::files::{read_bytes, read_text, read_text_within};

use crate::failure::Full;

/// Writes a file so that it is there as a whole or not at all, also after a power cut; returns its size and CRC-32.
///
/// # Errors
/// If it cannot be written; the old file, if any, is untouched.
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<(u64, u32)> {
    let folder = path.parent().context("a file is in a folder")?;
    // The name of a file alone is in the current folder.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let name = path.file_name().context("a file has a name")?.to_string_lossy();
    let temporary = folder.join(format!(".{name}{TEMPORARY}"));
    let full = Cell::new(None);
    let written = (|| -> anyhow::Result<(u64, u32)> {
        let file = Watched { file: File::create(&temporary)?, path, full: &full };
        let mut out = Checked::new(BufWriter::with_capacity(1 << 18, file));
        fill(&mut out)?;
        out.flush()?;
        let bytes = out.bytes;
        let (file, crc) = out.finish();
        let Watched { file, .. } = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        note(file.sync_all(), path, &full)?;
        fs::rename(&temporary, path)?;
        // The new name is only safe once the folder is on the disk.
        File::open(folder)?.sync_all()?;
        Ok((bytes, crc))
    })();
    if written.is_err() {
        // Nothing is lost if it cannot be removed: names like this are ignored.
        let _ = fs::remove_file(&temporary);
    }
    // What writes a table may pack the error away.
    if let Some(full) = full.take() {
        return Err(full.into());
    }
    written.with_context(|| format!("writing {}", path.display()))
}

/// Passes bytes on, and keeps their number and CRC-32.
#[derive(Debug)]
struct Checked<W> {
    inner: W,
    crc: crc32fast::Hasher,
    bytes: u64,
}

impl<W: Write> Checked<W> {
    fn new(inner: W) -> Self {
        Checked { inner, crc: crc32fast::Hasher::new(), bytes: 0 }
    }

    /// What the bytes went to, and their CRC-32.
    fn finish(self) -> (W, u32) {
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

/// A file that notes when there is no room for it.
struct Watched<'a> {
    file: File,
    path: &'a Path,
    full: &'a Cell<Option<Full>>,
}

/// Passes on the outcome of writing a file, and notes if there is no room.
fn note<T>(outcome: io::Result<T>, path: &Path, full: &Cell<Option<Full>>) -> io::Result<T> {
    outcome.inspect_err(|error| {
        if let Some(found) = Full::of(error, Some(path)) {
            full.set(Some(found));
        }
    })
}

impl Write for Watched<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        note(self.file.write(buffer), self.path, self.full)
    }

    fn flush(&mut self) -> io::Result<()> {
        note(self.file.flush(), self.path, self.full)
    }
}

/// The ending of files that are not finished.
const TEMPORARY: &str = ".tmp";

/// Whether a file of this name is not finished.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(TEMPORARY)
}
