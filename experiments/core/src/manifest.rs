//! The file `manifest.json` of a folder of work, whatever is played in it: a run, a tournament, a sweep, a study.
//!
//! What all of them say is in [`Manifest`]; what identifies the work of a kind, in a type that implements [`Work`].
//! In the file their fields stand side by side.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::build_info;
use crate::failure::Failure;
use crate::files::{self, write_atomically};
use crate::table::Format;

/// The version of the layout of folders, manifests and tables. Folders of another version are not read.
pub const SCHEMA_VERSION: u32 = 4;

/// The name of the file.
pub const MANIFEST: &str = "manifest.json";

/// What is played in a folder: with the version of the program it fixes all tables.
pub trait Work: Clone + PartialEq + Serialize + DeserializeOwned {
    /// What it is called: `run`.
    const KIND: &'static str;

    /// Fails unless what was read from a file makes sense.
    ///
    /// # Errors
    /// Says what does not.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// The file `manifest.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest<W> {
    /// [`Work::KIND`].
    pub kind: String,
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The version of the program.
    pub sandtable_version: String,
    /// The commit it was built from, with `-dirty` if the sources had been changed since; `unknown` outside a
    /// repository.
    pub sandtable_commit: String,
    /// The format of the tables, `parquet` or `csv`.
    pub format: String,
    /// The share of the work that is in this folder; all of it if missing.
    pub shard: Option<Shard>,
    /// What is played.
    #[serde(flatten)]
    pub identity: W,
    /// The command line that began the work.
    pub command: Vec<String>,
    /// When it began, in seconds since 1970.
    pub started_unix: u64,
}

/// What the manifest in a folder says it is, such as `run`; none if there is no manifest, or it says nothing.
pub fn kind_of(folder: &Path) -> Option<String> {
    let text = files::read_text(folder.join(MANIFEST)).ok()?;
    let value: Value = serde_json::from_str(&text).ok()?;
    value.get("kind")?.as_str().map(str::to_owned)
}

/// Reads the fields of the manifest in a folder of work of this kind.
///
/// # Errors
/// If there is none, it is that of other work or of a program with another layout, or it is damaged.
pub fn read_fields(folder: &Path, kind: &str) -> Result<Value, Failure> {
    let (path, place) = (folder.join(MANIFEST), folder.display());
    if !folder.exists() {
        return Err(Failure::input(format!("{place}: there is no such folder; expected that of a {kind}")));
    }
    let text = files::read_text(&path).map_err(|error| {
        Failure::input(format!("{place} is not the folder of a {kind}: cannot read {MANIFEST}: {error}"))
    })?;
    let damaged = |what: &str| Failure::input(format!("{}: {MANIFEST} is damaged: {what}", folder.display()));
    let value: Value = serde_json::from_str(&text).map_err(|error| damaged(&error.to_string()))?;
    let word = |key: &str| value.get(key).and_then(Value::as_str);
    match (value.get("schema_version"), word("kind")) {
        (None, None) => Err(Failure::input(format!("{}: it is not a manifest of sandtable", path.display()))),
        (Some(layout), Some(there)) if *layout == SCHEMA_VERSION => {
            if there == kind {
                return Ok(value);
            }
            Err(Failure::input(format!("{place} is a {there} and not a {kind}")))
        }
        (Some(layout), None) if *layout == SCHEMA_VERSION => Err(damaged("no kind")),
        (layout, _) => {
            let of = |key| word(key).unwrap_or("?");
            let there = (of("sandtable_version"), of("sandtable_commit"), layout.unwrap_or(&Value::Null));
            Err(Failure::input(format!(
                "{place}: it was written by another sandtable ({}) than this one ({}), which cannot read it; use that one, or \
                 play anew into another folder",
                version(there),
                here()
            )))
        }
    }
}

/// The version of a program, with the commit and the layout.
fn version((version, commit, layout): (&str, &str, &Value)) -> String {
    format!("version {version}, commit {commit}, layout {layout}")
}

impl<W: Work> Manifest<W> {
    /// The manifest of new work.
    pub fn new(format: Format, shard: Option<Shard>, identity: W) -> Self {
        Manifest {
            kind: W::KIND.to_owned(),
            schema_version: SCHEMA_VERSION,
            sandtable_version: build_info::version().to_owned(),
            sandtable_commit: build_info::commit().to_owned(),
            format: format.extension().to_owned(),
            shard,
            identity,
            // What is not UTF-8, such as the name of a folder may be, is replaced.
            command: std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect(),
            started_unix: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        }
    }

    /// Whether there is work of this kind in the folder.
    pub fn is_in(folder: &Path) -> bool {
        kind_of(folder).is_some_and(|kind| kind == W::KIND)
    }

    /// Reads the manifest in a folder.
    ///
    /// # Errors
    /// If there is none, it is that of other work or of a program with another layout, or it is damaged.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let damaged =
            |what: &str| Failure::input(format!("{}: {MANIFEST} is damaged: {what}", folder.display()));
        let manifest: Self = serde_json::from_value(read_fields(folder, W::KIND)?)
            .map_err(|error| damaged(&error.to_string()))?;
        if manifest.format.parse::<Format>().is_err() {
            return Err(damaged(&format!("format \"{}\"", manifest.format)));
        }
        manifest.identity.check().map_err(|what| damaged(&what))?;
        Ok(manifest)
    }

    /// Reads the manifest of work that is to go on.
    ///
    /// # Errors
    /// As [`Manifest::read`]; or if the work was begun by another version of the program.
    pub fn read_to_go_on(folder: &Path) -> Result<Self, Failure> {
        let manifest = Self::read(folder)?;
        let there =
            (&*manifest.sandtable_version, &*manifest.sandtable_commit, &manifest.schema_version.into());
        if version(there) == here() {
            return Ok(manifest);
        }
        Err(Failure::input(format!(
            "{}: the {} there was begun by another sandtable ({}) than this one ({}): results of different versions are not put \
             together; use another --out",
            folder.display(),
            W::KIND,
            version(there),
            here()
        )))
    }

    /// Writes the manifest into a folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        write_atomically(&folder.join(MANIFEST), |out| Ok(writeln!(out, "{text}")?))?;
        Ok(())
    }

    /// The format of the tables.
    ///
    /// # Errors
    /// If the manifest was not read from a file and has none.
    pub fn table_format(&self) -> Result<Format, Failure> {
        self.format.parse().map_err(|_| damaged(&format!("format \"{}\"", self.format)))
    }

    /// The same work in all its shares.
    #[must_use]
    pub fn whole(&self) -> Self {
        Manifest { shard: None, ..self.clone() }
    }

    /// The first thing in which two folders differ that belong to the same work: its name, and the values here and
    /// there. They may be different shares, begun at different times by different command lines.
    pub fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        let common = |manifest: &Self| {
            let common = Manifest { command: Vec::new(), started_unix: 0, ..manifest.whole() };
            serde_json::to_value(common).unwrap_or_default()
        };
        first_difference(&common(self), &common(other))
    }

    /// The manifests of folders that are the shards of one work, each once, in the order of the folders.
    ///
    /// # Errors
    /// Names the folder that does not fit, or the shard that is missing.
    pub fn read_shards(folders: &[PathBuf]) -> Result<Vec<Self>, Failure> {
        let all: Vec<Self> = folders.iter().map(|folder| Self::read(folder)).collect::<Result<_, _>>()?;
        let mut seen: Vec<Option<&Path>> = Vec::new();
        for (folder, manifest) in folders.iter().zip(&all) {
            let place = folder.display();
            if let Some((what, here, there)) = manifest.difference(&all[0]) {
                return Err(Failure::input(format!(
                    "{place} is of another {} than {}: its {what} is {here} and not {there}",
                    W::KIND,
                    folders[0].display()
                )));
            }
            let Some(Shard { index, of }) = manifest.shard else {
                return Err(Failure::input(format!("{place} is a whole {} and not a shard", W::KIND)));
            };
            if all[0].shard.is_some_and(|shard| shard.of != of) {
                return Err(Failure::input(format!(
                    "{place} is one of {of} shards, unlike {}",
                    folders[0].display()
                )));
            }
            seen.resize(of as usize, None);
            let known = seen.get_mut((index as usize).wrapping_sub(1)).ok_or_else(|| {
                Failure::input(format!("{place}: {MANIFEST} is damaged: shard {index}/{of}"))
            })?;
            if let Some(other) = known.replace(folder) {
                return Err(Failure::input(format!(
                    "{} and {place} are both shard {index}/{of}",
                    other.display()
                )));
            }
        }
        match seen.iter().position(Option::is_none) {
            Some(missing) => Err(Failure::input(format!("shard {}/{} is missing", missing + 1, seen.len()))),
            None => Ok(all),
        }
    }
}

/// The first field in which two objects differ: its name, and the values in the one and in the other.
pub fn first_difference(one: &Value, other: &Value) -> Option<(String, String, String)> {
    let (one, other) = (one.as_object()?, other.as_object()?);
    let there = |name: &String| other.get(name).unwrap_or(&Value::Null);
    let (name, value) = one.iter().find(|(name, value)| *value != there(name))?;
    Some((name.clone(), value.to_string(), there(name).to_string()))
}

fn here() -> String {
    version((build_info::version(), build_info::commit(), &SCHEMA_VERSION.into()))
}

/// A manifest was edited by hand.
pub fn damaged(what: &str) -> Failure {
    Failure::input(format!("{MANIFEST} is damaged: {what}"))
}

/// A share of the work: number `index`, from 1, of `of` shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which share, from 1.
    pub index: u32,
    /// How many shares there are.
    pub of: u32,
}

impl Shard {
    /// Whether this share plays the part: parts are dealt out like cards.
    pub fn plays(self, part: u64) -> bool {
        part % u64::from(self.of) == u64::from(self.index - 1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shard = text
            .split_once('/')
            .and_then(|(index, of)| Some(Shard { index: index.parse().ok()?, of: of.parse().ok()? }));
        shard
            .filter(|shard| (1..=shard.of).contains(&shard.index))
            .ok_or_else(|| "expected i/n with 1 <= i <= n, such as 2/4".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Toy {
        seed: u64,
        games: u64,
        agents: Vec<String>,
    }

    impl Work for Toy {
        const KIND: &'static str = "toy";

        fn check(&self) -> Result<(), String> {
            if self.games == 0 { Err("no games".to_owned()) } else { Ok(()) }
        }
    }

    fn toy(shard: Option<Shard>) -> Manifest<Toy> {
        let toy = Toy { seed: u64::MAX, games: 3, agents: vec!["random".to_owned()] };
        Manifest::new(Format::Csv, shard, toy)
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = toy(Some(Shard { index: 1, of: 2 }));
        assert!(!Manifest::<Toy>::is_in(folder.path()));
        manifest.write(folder.path()).unwrap();
        assert!(Manifest::<Toy>::is_in(folder.path()));
        assert_eq!(Manifest::read(folder.path()).unwrap(), manifest);
        assert_eq!(Manifest::read_to_go_on(folder.path()).unwrap(), manifest);
        let text = fs::read_to_string(folder.path().join(MANIFEST)).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        // The fields of the work stand beside those of all work.
        assert_eq!(
            (&value["kind"], &value["games"], &value["seed"]),
            (&"toy".into(), &3.into(), &u64::MAX.into())
        );
    }

    #[test]
    fn folders_of_other_work_and_other_programs_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |text: Option<String>, to_go_on: bool, words: &[&str]| {
            let path = folder.path().join(MANIFEST);
            match text {
                Some(text) => fs::write(path, text).unwrap(),
                None => assert!(!path.exists()),
            }
            let read = if to_go_on { Manifest::<Toy>::read_to_go_on } else { Manifest::<Toy>::read };
            let failure = read(folder.path()).unwrap_err();
            let message = failure.to_string();
            assert_eq!(failure.exit_code(), 2, "{message}");
            for word in words {
                assert!(message.contains(word), "{word}: {message}");
            }
        };
        let edited = |field: &str, value: Value| {
            let mut manifest = serde_json::to_value(toy(None)).unwrap();
            match value {
                Value::Null => drop(manifest.as_object_mut().unwrap().remove(field)),
                value => manifest[field] = value,
            }
            Some(manifest.to_string())
        };
        refused(None, false, &["not the folder of a toy"]);
        refused(Some("{".to_owned()), false, &["damaged"]);
        refused(Some("{\"name\": \"an app\"}".to_owned()), false, &["not a manifest of sandtable"]);
        refused(edited("kind", "run".into()), false, &["is a run and not a toy"]);
        refused(edited("kind", Value::Null), false, &["damaged", "no kind"]);
        refused(
            edited("schema_version", 2.into()),
            false,
            &["another sandtable", "layout 2", "cannot read it"],
        );
        refused(edited("schema_version", Value::Null), false, &["another sandtable", "layout null"]);
        refused(edited("format", "xls".into()), false, &["damaged: format \"xls\""]);
        refused(edited("games", 0.into()), false, &["damaged: no games"]);
        refused(edited("games", Value::Null), false, &["damaged", "games"]);
        refused(
            edited("sandtable_commit", "0123".into()),
            true,
            &["begun by another sandtable", "commit 0123"],
        );
    }

    #[test]
    fn shards_of_one_work_belong_together() {
        let root = tempfile::tempdir().unwrap();
        let place = |index: u32, of: u32, edit: &dyn Fn(&mut Manifest<Toy>)| {
            let folder = root.path().join(format!("{index}-{of}"));
            fs::create_dir_all(&folder).unwrap();
            let mut manifest = toy((of > 0).then_some(Shard { index, of }));
            manifest.started_unix += u64::from(index);
            edit(&mut manifest);
            manifest.write(&folder).unwrap();
            folder
        };
        let (one, two) = (place(1, 2, &|_| ()), place(2, 2, &|_| ()));
        let all = Manifest::<Toy>::read_shards(&[two.clone(), one.clone()]).unwrap();
        assert_eq!(all[0].shard, Some(Shard { index: 2, of: 2 }));
        assert!(all[0].whole().difference(&all[1]).is_none());
        let refused = |folders: &[&PathBuf], word: &str| {
            let folders: Vec<PathBuf> = folders.iter().copied().cloned().collect();
            let message = Manifest::<Toy>::read_shards(&folders).unwrap_err().to_string();
            assert!(message.contains(word), "{word}: {message}");
        };
        refused(&[&one], "shard 2/2 is missing");
        refused(&[&one, &one], "are both shard 1/2");
        refused(&[&one, &place(1, 3, &|_| ())], "is one of 3 shards");
        refused(&[&one, &place(0, 0, &|_| ())], "is a whole toy and not a shard");
        refused(&[&one, &place(3, 2, &|_| ())], "shard 3/2");
        refused(&[&one, &place(2, 2, &|toy| toy.identity.games = 4)], "its games is 4 and not 3");
    }

    #[test]
    fn shards_deal_out_every_part_once() {
        for part in 0..100 {
            let takers = (1..=7).filter(|&index| Shard { index, of: 7 }.plays(part)).count();
            assert_eq!(takers, 1);
        }
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, of: 4 }));
        for text in ["0/4", "5/4", "1/0", "1", "a/b", "-1/2", "1/2/3", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
