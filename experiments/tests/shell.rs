//! What shells and `man` get: completions and manual pages of the very commands and options there are.

mod study;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use clap::CommandFactory;
use sandtable::cli::Cli;
use study::{Scratch, refused, succeed};

/// The commands and those below them, each by its words after `sandtable`.
fn commands() -> BTreeSet<Vec<String>> {
    fn walk(command: &clap::Command, words: &[String], all: &mut BTreeSet<Vec<String>>) {
        all.insert(words.to_vec());
        for below in command.get_subcommands() {
            walk(below, &[words, &[below.get_name().to_owned()]].concat(), all);
        }
    }
    let mut all = BTreeSet::new();
    walk(&Cli::command(), &[], &mut all);
    all
}

#[test]
fn completions_know_all_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = succeed(&["completions", shell]);
        for words in commands() {
            let last = words.last().map_or("sandtable", String::as_str);
            assert!(script.contains(last), "{shell}: {last}");
        }
        // Of a command, and of one below a command.
        for option in ["part-games", "defend"] {
            assert!(script.contains(option), "{shell}: {option}");
        }
    }
    refused(&["completions", "tcsh"], &["tcsh", "bash"]);
}

#[test]
fn bash_completes_what_was_begun() {
    let scratch = Scratch::new();
    fs::write(scratch.path("script"), succeed(&["completions", "bash"])).unwrap();
    let complete = |words: &[&str]| -> BTreeSet<String> {
        let last = words.len() - 1;
        let (before, begun) = (words[last - 1], words[last]);
        let line = format!(
            "source {}; COMP_WORDS=({}); COMP_CWORD={last}; _sandtable sandtable '{begun}' '{before}'; echo ${{COMPREPLY[@]}}",
            scratch.text("script"),
            words.join(" ")
        );
        let output = Command::new("bash").args(["--norc", "-c", &line]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_whitespace().map(str::to_owned).collect()
    };
    let set = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<BTreeSet<String>>();
    assert_eq!(complete(&["sandtable", "tou"]), set(&["tournament"]));
    assert_eq!(complete(&["sandtable", "play", "--fo"]), set(&["--format"]));
    assert_eq!(complete(&["sandtable", "play", "--format", "p"]), set(&["parquet"]));
    assert_eq!(complete(&["sandtable", "odds", "com"]), set(&["combat"]));
}

#[test]
fn each_command_has_a_manual_page() {
    let scratch = Scratch::new();
    let folder = scratch.text("new/man1");
    // A second time, the pages are written anew.
    for _ in 0..2 {
        assert!(succeed(&["man", &folder]).contains(&folder));
    }
    let mut pages = BTreeSet::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("\n.TH ") && text.contains("\n.SH SYNOPSIS"), "{text}");
        pages.insert(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    let expected = commands().into_iter().map(|words| [&["sandtable".to_owned()], &words[..]].concat());
    assert_eq!(pages, expected.map(|words| format!("{}.1", words.join("-"))).collect());
    let play = fs::read_to_string(scratch.path("new/man1/sandtable-play.1")).unwrap();
    assert!(play.contains("How many games fill a part"), "{play}");
    let file = scratch.text("file");
    fs::write(&file, "").unwrap();
    refused(&["man", &file], &[&file, "cannot write there"]);
}
