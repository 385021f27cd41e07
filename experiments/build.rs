//! Tells the program which commit it was built from, for the manifests of its runs.

use std::path::Path;
use std::process::Command;

/// What a command prints, if it succeeds and prints anything.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn main() {
    let commit = git(&["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]);
    println!("cargo:rustc-env=SANDTABLE_COMMIT={}", commit.unwrap_or_else(|| "unknown".into()));
    // A path that is not there would make every build begin anew.
    let state = ["HEAD", "index"].iter().filter_map(|name| git(&["rev-parse", "--git-path", name]));
    let sources =
        ["../Cargo.toml", "../sim", "../ai", "../scenarios", "src", "core", "stats", "systems", "table"]
            .map(str::to_owned);
    for path in state.chain(sources).filter(|path| Path::new(path).exists()) {
        println!("cargo:rerun-if-changed={path}");
    }
}
