//! What tests of loading share: scratch folders, the files of a scenario, and damage to them.

use std::path::PathBuf;

use sandtable_scenarios::{SourceFile, export, open};

/// A fresh folder that is removed with the guard.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("sandtable-scenarios-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Scratch(path)
    }
    pub fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The files of an embedded scenario, as an export writes them, in these folders of it.
pub fn exported(scenario: &str, folders: &[&str]) -> Vec<SourceFile> {
    let scratch = Scratch::new(&format!("files-{}", scenario.replace('/', "-")));
    export(&open(scenario, &[]).unwrap(), &scratch.0).unwrap();
    let mut files = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(scratch.0.join(folder)).unwrap() {
            let entry = entry.unwrap();
            if entry.path().is_file() {
                let name = format!("{folder}{}", entry.file_name().to_str().unwrap());
                files.push(SourceFile::new(name, std::fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

/// A change to a text: kind, where, what.
pub fn mutate(text: &mut String, kind: u8, place: usize, number: i64) {
    if text.is_empty() {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    match kind {
        0 => {
            let skip = place % lines.len();
            let kept: Vec<&str> =
                lines.iter().enumerate().filter(|(at, _)| *at != skip).map(|(_, line)| *line).collect();
            *text = kept.join("\n");
        }
        1 => {
            let twice = lines[place % lines.len()];
            *text = format!("{text}{twice}\n");
        }
        2 => {
            let cut = (0..=place % text.len()).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            text.truncate(cut);
        }
        _ => {
            // Replaces a word by another word of the file, or by a number.
            let separators = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-' || c == '.');
            let words: Vec<(usize, &str)> = text
                .split(separators)
                .filter(|word| !word.is_empty())
                .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
                .collect();
            if words.is_empty() {
                return;
            }
            let (at, word) = words[place % words.len()];
            let other = match kind {
                3 => words[number.unsigned_abs() as usize % words.len()].1.to_owned(),
                4 => number.to_string(),
                _ => String::new(),
            };
            let range = at..at + word.len();
            text.replace_range(range, &other);
        }
    }
}
