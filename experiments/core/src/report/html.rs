//! The pieces that the pages of all kinds of work are made of.

use std::fmt::{Display, Write};
use std::path::Path;

use serde_json::Value;

use crate::draw::page::{escape, scripted_page};
use crate::failure::Failure;
use crate::files;
use crate::manifest::read_fields;

/// A part of a page: HTML with a heading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// What is below it, as HTML.
    pub body: String,
}

impl Section {
    /// A section of this title.
    pub fn new(title: &str, body: String) -> Section {
        Section { title: title.to_owned(), body }
    }

    /// The section after the verdict: sentences, then the text that the command printed, folded up.
    pub(super) fn summary(sentences: &[String], printed: Option<&dyn Display>) -> Section {
        let mut body = String::from("<div id=\"summary\">");
        for sentence in sentences {
            paragraph(&mut body, sentence);
        }
        body.push_str("</div>");
        if let Some(text) = printed {
            // Writing to a string does not fail.
            let _ = write!(
                body,
                "<details><summary>As the command prints it</summary><pre>{}</pre></details>",
                escape(&text.to_string())
            );
        }
        Section::new("Summary", body)
    }
}

/// Lets a click on the head of a column sort its table: by the numbers that cells begin with, cells without one last;
/// else as words.
const SORT: &str = include_str!("sort.js");

/// A page: what was found, in a sentence or two; a list of contents; and the sections.
pub fn sections_page(title: &str, verdict: &str, sections: &[Section]) -> String {
    let mut body = format!("<h1>{}</h1><p id=\"verdict\">{}</p>", escape(title), escape(verdict));
    body.push_str("<nav aria-label=\"Contents\"><ul>");
    for Section { title, .. } in sections {
        let _ = write!(body, "<li><a href=\"#{}\">{}</a></li>", anchor(title), escape(title));
    }
    body.push_str("</ul></nav>");
    for Section { title, body: inner } in sections {
        let _ = write!(body, "<section id=\"{}\"><h2>{}</h2>{inner}</section>", anchor(title), escape(title));
    }
    let _ = write!(body, "<script>{SORT}</script>");
    scripted_page(title, "", &body)
}

/// The identifier of a section on its page.
fn anchor(title: &str) -> String {
    let words: Vec<String> = title
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    format!("section-{}", words.join("-"))
}

/// The words with a capital letter at their beginning.
pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A measure or column by its name for people.
pub(super) fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

/// A paragraph of plain text.
pub(super) fn paragraph(body: &mut String, words: &str) {
    let _ = write!(body, "<p>{}</p>", escape(words));
}

/// A picture with plain words below it.
pub(super) fn figure(body: &mut String, picture: &str, caption: &str) {
    let _ = write!(body, "<figure>{picture}<figcaption>{}</figcaption></figure>", escape(caption));
}

/// A table of plain text, which the page can sort.
pub(super) fn table<const N: usize>(body: &mut String, head: [&str; N], rows: &[[String; N]]) {
    body.push_str("<div class=\"wide\"><table class=\"sort\"><thead><tr>");
    for name in head {
        let _ = write!(body, "<th>{}</th>", escape(name));
    }
    body.push_str("</tr></thead><tbody>");
    for row in rows {
        body.push_str("<tr>");
        for cell in row {
            let _ = write!(body, "<td>{}</td>", escape(cell));
        }
        body.push_str("</tr>");
    }
    body.push_str("</tbody></table></div>");
}

/// What identifies the work, a line a field.
pub(super) fn identity(fields: &Value) -> Section {
    let mut body = String::from("<table id=\"manifest\">");
    for (name, value) in fields.as_object().into_iter().flatten() {
        let words = match value {
            Value::String(text) => text.clone(),
            Value::Null => "none".to_owned(),
            other => other.to_string(),
        };
        let _ = write!(body, "<tr><th>{}</th><td>{}</td></tr>", escape(name), escape(&words));
    }
    body.push_str("</table>");
    Section::new("Manifest", body)
}

/// A file of JSON in the folder of some work.
pub(super) fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let text = files::read_text(path).map_err(|error| Failure::file("read", path, &error))?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::input(format!("{} is damaged: {error}", path.display())))
}

/// The refusal of a page of work that has begun, or was extended, and is not finished.
pub(super) fn unfinished(folder: &Path, kind: &str, again: &str) -> Failure {
    Failure::input(format!("the {kind} in {} is not finished; go on with it with: {again}", folder.display()))
}

/// The report `KIND.json` that a command has left in a folder, and the manifest there.
///
/// # Errors
/// If the work is not finished, or a file is damaged; `again` is the command that finishes it.
pub(super) fn read_report<T: serde::de::DeserializeOwned>(
    folder: &Path,
    kind: &str,
    again: &str,
) -> Result<(T, Value), Failure> {
    let path = folder.join(kind).with_extension("json");
    if !path.exists() {
        return Err(unfinished(folder, kind, again));
    }
    let manifest = read_fields(folder, kind)?;
    Ok((read_json(&path)?, manifest))
}
