//! Version and commit of the program, for its manifests and reports.

use std::sync::OnceLock;

static COMMIT: OnceLock<&'static str> = OnceLock::new();
static VERSION: OnceLock<String> = OnceLock::new();

/// Says which commit the program was built from. Only its entry knows: a crate that held this itself would be built anew
/// for every commit, and all systems with it. What is said first holds.
pub fn built_from(commit: &'static str) {
    let _ = COMMIT.set(commit);
}

/// The commit it was built from, `-dirty` if its sources had been changed since; `unknown` where nobody has said it.
pub fn commit() -> &'static str {
    COMMIT.get().copied().unwrap_or("unknown")
}

/// Its version.
pub const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Version and commit in one line.
pub fn full_version() -> &'static str {
    VERSION.get_or_init(|| format!("{} ({})", version(), commit()))
}
