//! A system is a slice of its own: generic crates name none, and a new one edits at most three files that exist. The
//! names are those of the folders below `sim`, and of the toys, so that a new system is held to it too.

use std::fs;
use std::path::{Path, PathBuf};

/// The toy wargame, whose parts are those of every system.
const TOY: &str = "skirmish";

/// The files that a new system edits: the program's dependencies, the list of systems, the numbers that fix its
/// behaviour.
const EDITED: [&str; 3] = ["experiments/Cargo.toml", "experiments/src/systems.rs", "benches/signature.txt"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// All files below a folder of the workspace, by their path in it.
fn files(folder: &str) -> Vec<(String, String)> {
    fn collect(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let name = entry.file_name().into_string().unwrap();
            if path.is_dir() {
                if name != "target" && name != "node_modules" && !name.starts_with('.') {
                    collect(root, &path, found);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.push((path.strip_prefix(root).unwrap().to_str().unwrap().to_owned(), text));
            }
        }
    }
    let (root, mut found) = (root(), Vec::new());
    collect(&root, &root.join(folder), &mut found);
    found.sort();
    found
}

/// Names below a folder, but for these.
fn names(folder: &str, but: &[&str]) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap().flatten();
    let names = entries.filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned()));
    let mut names: Vec<String> = names.filter(|name| !but.contains(&name.as_str())).collect();
    names.sort();
    names.dedup();
    names
}

/// The systems with crates of their own.
fn slices() -> Vec<String> {
    names("sim", &["core", "reference"])
}

/// A text without what case and joints of words make different: `BlitzWar`, `blitz-war` and `blitz_war` are one name.
fn plain(text: &str) -> String {
    text.to_lowercase().replace(['-', '_', ' '], "")
}

fn is_named(text: &str, system: &str) -> bool {
    plain(text).contains(&plain(system))
}

/// The code of a source without its comments and unit tests, and the texts in it.
fn code(source: &str) -> (String, Vec<String>) {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let (mut code, mut texts) = (String::new(), Vec::new());
    let mut rest = source;
    while let Some(letter) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest = &rest[rest[1..].find('\'').unwrap() + 2..];
        } else if letter == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|letter| {
                let ends = letter == '"' && !escaped;
                escaped = letter == '\\' && !escaped;
                ends
            });
            let end = end.map_or(rest.len() - 1, |end| end + 1);
            texts.push(rest[1..end].to_owned());
            rest = &rest[(end + 1).min(rest.len())..];
        } else {
            code.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    (code, texts)
}

/// What generic code names of the systems: identifiers, and texts that are nothing but the name of a system or of one
/// of its scenarios. A text for people may give one as an example.
fn named_in(source: &str, systems: &[String]) -> Vec<String> {
    let (code, texts) = code(source);
    let mut found = Vec::new();
    for system in systems {
        for word in code.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
            if is_named(word, system) {
                found.push(word.to_owned());
            }
        }
        let is_name = |text: &&String| !text.contains(' ') && is_named(text, system);
        found.extend(texts.iter().filter(is_name).cloned());
    }
    found
}

#[test]
fn a_scan_sees_what_it_should() {
    let systems = ["blitz-war".to_owned(), "chess".to_owned()];
    let seen = |source: &str| named_in(source, &systems);
    assert_eq!(seen("match id { \"blitzwar\" => 1, \"other\" => 2 }"), ["blitzwar"]);
    assert_eq!(seen("use sandtable_blitz_war::State;"), ["sandtable_blitz_war"]);
    assert_eq!(seen("enum Rules { BlitzWar(u8), Chess }"), ["BlitzWar", "Chess"]);
    assert_eq!(seen("open(\"chess/start\"); open(\"toys/chess\")"), ["chess/start", "toys/chess"]);
    assert_eq!(seen("let quote = '\"'; \"a \\\" b\"; chess();"), ["chess"]);
    for harmless in [
        "// as in chess\nlet a = \"as in blitz-war\";",
        "/// Chess.\nfn play() {}",
        "#[cfg(test)]\nmod tests { use chess; }",
    ] {
        assert!(seen(harmless).is_empty(), "{harmless}");
    }
}

#[test]
fn generic_code_names_no_system() {
    let mut systems = slices();
    systems.extend(names("sim/reference/src", &["lib"]));
    assert!(systems.contains(&TOY.to_owned()) && systems.len() > 5, "{systems:?}");
    let mut generic = Vec::new();
    for folder in [
        "sim/core/src",
        "scenarios/core/src",
        "ai/core/src",
        "experiments/core/src",
        "experiments/stats/src",
        "experiments/table/src",
        "experiments/src",
    ] {
        let files = files(folder).into_iter();
        let own = |path: &str| path == EDITED[1];
        let tests = |path: &str| path.ends_with("/tests.rs") || path.contains("/tests/");
        generic.extend(files.filter(|(path, _)| {
            Path::new(path).extension().is_some_and(|ending| ending == "rs") && !own(path) && !tests(path)
        }));
    }
    assert!(generic.len() > 100, "{} files", generic.len());
    let found: Vec<String> = generic
        .iter()
        .flat_map(|(path, text)| {
            named_in(text, &systems).into_iter().map(move |word| format!("{path}: {word}"))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_list_of_systems_has_a_line_for_each() {
    let text = fs::read_to_string(root().join(EDITED[1])).unwrap();
    for system in slices().into_iter().chain([TOY.to_owned(), "reference".to_owned()]) {
        let lines: Vec<&str> =
            text.lines().filter(|line| is_named(line, &format!("{system}::systems"))).collect();
        assert_eq!(lines.len(), 1, "{system}: {lines:?}");
    }
}

/// The files that name a system and are not its own. Prose, tests, benchmarks, examples and pipelines may speak of any
/// system without being edited for a new one, and so may the profile, which is about speed.
fn edited_for(system: &str) -> Vec<String> {
    let own = |path: &str| path.split('/').any(|part| is_named(part, system));
    let free = |path: &str| {
        let path = Path::new(path);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let folders =
            ["tests", "benches", "examples", "peers", "scripts", "notebooks", "cluster", "pictures"];
        let inside =
            |folder: &str| path.parent().is_some_and(|above| above.iter().skip(1).any(|part| part == folder));
        let listed = path.starts_with("benches") && !path.ends_with("signature.txt");
        // What help shows is prose too.
        let shown = ["toml", "txt"].contains(&ending)
            && !path.ends_with("Cargo.toml")
            && !path.ends_with("signature.txt");
        ["md", "lock", "ipynb"].contains(&ending)
            || shown
            || folders.into_iter().any(inside)
            || path.starts_with("notebooks")
            || path.file_name().is_some_and(|name| name == "tests.rs")
            || listed
    };
    let named = |path: &str, text: &str| match path.rsplit_once('.') {
        Some((_, "rs")) => {
            let (code, texts) = code(text);
            is_named(&code, system) || texts.iter().any(|text| !text.contains(' ') && is_named(text, system))
        }
        // How fast a system's crates are built is no part of what makes it one.
        Some((_, "toml")) => is_named(text.split("[profile").next().unwrap_or_default(), system),
        _ => is_named(text, system),
    };
    let all = files("").into_iter();
    all.filter(|(path, text)| !own(path) && !free(path) && named(path, text)).map(|(path, _)| path).collect()
}

#[test]
fn a_new_system_edits_at_most_three_files() {
    // The toy lives in crates with other toys, which name it where others would be named in the program's manifest.
    let (shared, edited): (Vec<String>, Vec<String>) =
        edited_for(TOY).into_iter().partition(|path| path.ends_with("reference/src/lib.rs"));
    assert_eq!(edited, [EDITED[2], EDITED[1]]);
    assert_eq!(shared, ["experiments/systems/reference/src/lib.rs", "sim/reference/src/lib.rs"]);
    for system in slices() {
        let edited = edited_for(&system);
        assert!(
            edited.len() <= 3 && edited.iter().all(|path| EDITED.contains(&path.as_str())),
            "{system}: {edited:?}"
        );
        assert!(edited.contains(&EDITED[1].to_owned()), "{system}: {edited:?}");
    }
}
