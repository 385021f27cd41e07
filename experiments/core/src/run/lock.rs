//! One process at a time writes a folder; who comes second learns who was first.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process;
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::failure::Failure;

/// The file that is locked. In it stands who holds it; it stays when the lock is gone.
pub const LOCK: &str = ".lock";

/// How often, and how long between, a holder is looked for that has not written its name yet.
const LOOKS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// A folder that no other process writes, as long as this value lives. The system releases it even after a crash.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Locks a folder that is there; `kind` is what is written in it (`run`, `tournament`).
    ///
    /// # Errors
    /// If another process holds it, which the message names, or the folder cannot be written.
    pub fn take(root: &Path, kind: &str) -> Result<Lock, Failure> {
        let path = root.join(LOCK);
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).to_owned();
        let refused = |error: &io::Error| Failure::unwritable(&path, error);
        let mut file = options.open(&path).map_err(|error| refused(&error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Self::held(&path, kind)),
            Err(TryLockError::Error(error)) => return Err(refused(&error)),
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", this_process()))
            .map_err(|error| refused(&error))?;
        Ok(Lock { _file: file })
    }

    /// Fails if another process is writing the folder.
    ///
    /// # Errors
    /// Names the other process.
    pub fn check(root: &Path, kind: &str) -> Result<(), Failure> {
        let path = root.join(LOCK);
        let free = |file: File| !matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        if File::open(&path).is_ok_and(|file| !free(file)) { Err(Self::held(&path, kind)) } else { Ok(()) }
    }

    fn held(path: &Path, kind: &str) -> Failure {
        let mut holder = String::new();
        for _ in 0..LOOKS {
            holder.clear();
            // A name that cannot be read is left out.
            let _ = File::open(path).and_then(|file| file.take(1 << 10).read_to_string(&mut holder));
            if holder.ends_with('\n') {
                return Failure::input(format!(
                    "another sandtable is writing this {kind}: {}",
                    holder.trim()
                ));
            }
            sleep(PAUSE);
        }
        Failure::input(format!("another sandtable is writing this {kind}"))
    }
}

/// This process, for people: number, machine and time.
fn this_process() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    format!("process {} on {}, since {}", process::id(), machine(), time(now))
}

/// The name of this machine.
fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name =
        name.or_else(|| ["HOSTNAME", "COMPUTERNAME"].into_iter().find_map(|name| std::env::var(name).ok()));
    let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    name.unwrap_or_else(|| "this machine".to_owned())
}

/// A time in seconds since 1970, as `2026-03-09 17:05:00 UTC`.
fn time(seconds: u64) -> String {
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    let length = |year: u64| 365 + u64::from(is_leap(year));
    while days >= length(year) {
        days -= length(year);
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year}-{month:02}-{:02} {hour:02}:{minute:02}:{:02} UTC", days + 1, second % 60)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, words) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_767_225_599, "2025-12-31 23:59:59 UTC"),
            (1_772_323_200, "2026-03-01 00:00:00 UTC"),
            (4_107_542_399, "2100-02-28 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(time(seconds), words);
        }
    }

    #[test]
    fn the_second_one_is_told_who_was_first() {
        let folder = tempfile::tempdir().unwrap();
        Lock::check(folder.path(), "run").unwrap();
        let lock = Lock::take(folder.path(), "run").unwrap();
        for failure in
            [Lock::take(folder.path(), "run").unwrap_err(), Lock::check(folder.path(), "run").unwrap_err()]
        {
            let (message, this) =
                (failure.to_string(), format!("process {} on {}, since 20", process::id(), machine()));
            assert!(
                message.contains("another sandtable is writing this run") && message.contains(&this),
                "{message}"
            );
        }
        drop(lock);
        Lock::check(folder.path(), "run").unwrap();
        Lock::take(folder.path(), "run").unwrap();
    }
}
