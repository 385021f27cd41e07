//! A game as one page to step through: the board after each turn, and what happened in words.
//!
//! The shapes of the map are in the page once. A frame holds what changed since the frame before, so that a long game
//! is little more than its log.

use std::collections::HashMap;
use std::fmt::Write;

use anyhow::Context;
use sandtable_core::Side;
use serde_json::{Map as Object, Value, json};

use super::board::{Board, marker_width, rows};
use super::page::{escape, scripted_page, shade};
use crate::failure::Failure;
use crate::system::board::Position;
use crate::system::{GameLog, Importance};

/// The board after a turn, and the turn's log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    /// The moment in words.
    pub label: String,
    /// What happened since the frame before.
    pub words: Vec<String>,
    /// The board.
    pub position: Position,
}

/// Takes down a game as frames: the first is the start.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// The frames so far.
    pub list: Vec<Frame>,
    /// The last game turn that has begun, 0 before the first one.
    pub last_turn: u32,
    turn: Option<String>,
    /// The step of the turn, once one has begun.
    step: Option<String>,
    words: Vec<String>,
}

impl Frames {
    fn close(&mut self, position: Position) {
        let label = match (&self.turn, self.step.take()) {
            (None, _) => "At the start".to_owned(),
            (Some(turn), None) => format!("After {turn}"),
            (Some(turn), Some(step)) => format!("{turn}, after {step}"),
        };
        self.list.push(Frame { label, words: std::mem::take(&mut self.words), position });
    }
}

impl GameLog for Frames {
    fn turn(&mut self, turn: u32, label: &str, position: &dyn Fn() -> Position) -> Result<(), Failure> {
        self.close(position());
        self.turn = Some(label.to_owned());
        self.last_turn = turn;
        Ok(())
    }

    fn step(&mut self, label: &str, position: &dyn Fn() -> Position) -> Result<(), Failure> {
        // What comes before the first step belongs to it.
        if self.turn.is_some() && self.step.is_some() {
            self.close(position());
        }
        self.step = Some(label.to_owned());
        Ok(())
    }

    fn decision(&mut self, _: &str, _: &str) -> Result<(), Failure> {
        Ok(())
    }

    fn fact(&mut self, words: &str, importance: Importance) -> Result<(), Failure> {
        if importance >= Importance::Notable {
            self.words.push(words.to_owned());
        }
        Ok(())
    }

    fn end(&mut self, result: Option<&str>, position: &dyn Fn() -> Position) -> Result<(), Failure> {
        self.words.extend(result.map(|words| format!("The end: {words}")));
        self.close(position());
        Ok(())
    }
}

/// What is drawn many times in a page, once.
#[derive(Default)]
struct Faces {
    numbers: HashMap<String, usize>,
    list: Vec<String>,
}

impl Faces {
    fn number(&mut self, svg: String) -> usize {
        let next = self.list.len();
        *self.numbers.entry(svg).or_insert_with_key(|svg| {
            self.list.push(svg.clone());
            next
        })
    }
}

/// The class number of an owner's colour; -1 for nobody.
fn number(owner: Option<Side>) -> i64 {
    owner.map_or(-1, |side| shade(side) as i64)
}

/// The markers of a place: side and words, and rows of text or the number of a face.
fn markers(board: &Board, position: &Position, place: usize, faces: &mut Faces) -> Value {
    let at_place = position.markers.iter().filter(|marker| marker.place == place);
    at_place
        .map(|marker| {
            let drawn = if let Some(svg) = board.stack(marker) {
                json!(faces.number(svg))
            } else {
                rows(marker).into_iter().map(|row| json!([row, marker_width(&row)])).collect()
            };
            json!([number(marker.side), marker.words, drawn])
        })
        .collect()
}

/// What changed between two positions, for the page's script; what is little is told whole.
fn change(board: &Board, before: Option<&Position>, after: &Position, faces: &mut Faces) -> Value {
    let mut owners = Object::new();
    for (place, &owner) in after.owners.iter().enumerate() {
        let was = before.and_then(|before| before.owners.get(place).copied());
        if was != Some(owner) && board.is_land(place) {
            owners.insert(place.to_string(), number(owner).into());
        }
    }
    let mut units = Object::new();
    for place in 0..board.map().places.len() {
        let now = markers(board, after, place, faces);
        let was = before.map_or_else(|| json!([]), |before| markers(board, before, place, faces));
        if now != was {
            units.insert(place.to_string(), now);
        }
    }
    let mut value = json!({ "o": owners, "u": units });
    let signs = board.signs(after);
    let layers = after.layers.iter().map(|layer| json!([layer.id, number(Some(layer.side)), layer.places]));
    for (key, told, there) in [
        ("f", json!(board.front(after)), !board.layers().is_empty()),
        ("s", json!(signs), !signs.is_empty()),
        ("r", json!(after.razed), !after.razed.is_empty()),
        ("z", layers.collect(), !after.layers.is_empty()),
    ] {
        if there {
            value[key] = told;
        }
    }
    value
}

const STYLE: &str = include_str!("replay.css");
const SCRIPT: &str = include_str!("replay.js");

/// The page of a game.
///
/// # Errors
/// If there is no frame.
pub fn replay_page(board: &Board, title: &str, frames: &[Frame]) -> Result<String, Failure> {
    page_of(board, title, frames, ("", ""))
}

/// The page of a game with something more between its title and its board: style, and HTML. A click on what has an
/// attribute `data-frame` goes to the frame of that number.
///
/// # Errors
/// As [`replay_page`].
pub fn page_of(
    board: &Board,
    title: &str,
    frames: &[Frame],
    (style, above): (&str, &str),
) -> Result<String, Failure> {
    let first = frames.first().context("a game has a start")?;
    let mut before = None;
    let mut list = Vec::new();
    let mut faces = Faces::default();
    for frame in frames {
        let mut value = change(board, before, &frame.position, &mut faces);
        value["l"] = frame.label.clone().into();
        value["w"] = frame.words.clone().into();
        list.push(value);
        before = Some(&frame.position);
    }
    let spots: Vec<[f64; 2]> = board
        .spots()
        .iter()
        .map(|spot| [spot.x, spot.y].map(|value| (value * 10.0).round() / 10.0))
        .collect();
    // A closing tag within the log must not end the script.
    let data =
        json!({ "spots": spots, "frames": list, "faces": faces.list }).to_string().replace('<', "\\u003c");
    let mut layers = String::new();
    for layer in board.layers() {
        // Writing to a string does not fail.
        let _ = write!(
            layers,
            "<label><input type=\"checkbox\" data-layer=\"{}\">{}</label>",
            escape(layer.id),
            escape(layer.name)
        );
    }
    let body = format!(
        "<header><h1>{title}</h1>{above}<nav>\
         <button id=\"first\" title=\"First (Home)\">|&lt;</button>\
         <button id=\"back\" title=\"Back (left arrow)\">&lt;</button>\
         <button id=\"next\" title=\"Next (right arrow)\">&gt;</button>\
         <button id=\"last\" title=\"Last (End)\">&gt;|</button>\
         <input id=\"slide\" type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"Turn\">\
         <button id=\"out\" title=\"Smaller (-)\">-</button><button id=\"in\" title=\"Larger (+)\">+</button>\
         {layers}<output id=\"when\">{label}</output></nav></header>\
         <main><div id=\"view\">{stage}</div>\
         <section class=\"log\"><h2>What happened</h2><ol id=\"words\"></ol></section></main>\
         <p class=\"note\">Arrow keys step from turn to turn, Home and End go to the start and the end. A heavy outline \
         marks what changed hands in the turn shown. Point at a place or a marker to read more.</p>\
         <script id=\"data\" type=\"application/json\">{data}</script><script>{SCRIPT}</script>",
        title = escape(title),
        last = frames.len() - 1,
        label = escape(&first.label),
        stage = board.stage(&first.position),
    );
    Ok(scripted_page(title, &format!("{STYLE}{style}"), &body))
}
