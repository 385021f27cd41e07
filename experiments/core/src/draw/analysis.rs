//! The page of an analysed game: the course of its value, luck and skill turn by turn, the blunders, and the board to step
//! through.

use std::fmt::Write;

use sandtable_core::{Side, SideInfo};

use super::board::Board;
use super::page::{escape, shade};
use super::replay::{Frames, page_of};
use crate::failure::Failure;
use crate::lab::analysis::{
    ACCOUNT, account_rows, blunder_summary, decisive_turn_summary, turns as turns_of,
};
use crate::system::analysis::{GameAnalysis, Segment};
use crate::system::board::Position;
use crate::system::{GameLog, Importance};

/// The game as frames, and the frame that shows the board before each decision.
#[derive(Clone, Debug, Default)]
pub struct IndexedFrames {
    frames: Frames,
    decisions: Vec<usize>,
}

impl IndexedFrames {
    /// The last frame before a decision.
    fn frame(&self, decision: usize) -> usize {
        self.decisions.get(decision).copied().unwrap_or_default()
    }
}

impl GameLog for IndexedFrames {
    fn turn(&mut self, turn: u32, label: &str, position: &dyn Fn() -> Position) -> Result<(), Failure> {
        self.frames.turn(turn, label, position)
    }

    fn step(&mut self, label: &str, position: &dyn Fn() -> Position) -> Result<(), Failure> {
        self.frames.step(label, position)
    }

    fn decision(&mut self, side: &str, words: &str) -> Result<(), Failure> {
        self.decisions.push(self.frames.list.len().saturating_sub(1));
        self.frames.decision(side, words)
    }

    fn fact(&mut self, words: &str, importance: Importance) -> Result<(), Failure> {
        self.frames.fact(words, importance)
    }

    fn end(&mut self, result: Option<&str>, position: &dyn Fn() -> Position) -> Result<(), Failure> {
        self.frames.end(result, position)
    }
}

/// Width and heights of the course and of the bars below it.
const WIDTH: f64 = 960.0;
const COURSE: f64 = 150.0;
const BARS: f64 = 70.0;
const LEFT: f64 = 40.0;

/// The course of the value to the first side as a line, and below it a turn's luck and skill as bars; a click on a turn goes
/// to its board.
fn course(sides: &[SideInfo], indexed: &IndexedFrames, game: &GameAnalysis) -> String {
    let count = game.segments.len().max(1) as f64;
    let across = |at: usize| LEFT + (WIDTH - LEFT - 6.0) * at as f64 / count;
    let upward = |value: f64| 8.0 + (COURSE - 16.0) * (1.0 - value);
    let mut line = String::new();
    for (at, segment) in game.segments.iter().enumerate() {
        let _ = write!(
            line,
            "{}{:.1} {:.1}",
            if at == 0 { "M" } else { "L" },
            across(at),
            upward(segment.before[0])
        );
    }
    if let Some(last) = game.segments.last() {
        let _ = write!(line, "L{:.1} {:.1}", across(game.segments.len()), upward(last.after[0]));
    }
    let middle = COURSE + BARS / 2.0;
    let mut turns = String::new();
    let mut at = 0;
    for turn in turns_of(game, 0) {
        let (from, to) = (across(at), across(at + turn.segments.len()));
        at += turn.segments.len();
        let (before, after) = turn.values;
        for (value, left, class) in
            [(turn.luck, from, "luck"), (turn.skill, f64::midpoint(from, to), "skill")]
        {
            let tall = (value.abs() * BARS).min(BARS / 2.0);
            let top = if value > 0.0 { middle - tall } else { middle };
            let _ = write!(
                turns,
                "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"/>",
                ((to - from) / 2.0 - 0.5).max(0.5)
            );
        }
        let _ = write!(
            turns,
            "<rect class=\"pick\" data-frame=\"{}\" x=\"{from:.1}\" y=\"0\" width=\"{:.1}\" height=\"{:.1}\"><title>{}: {:.1}% to \
             {:.1}%, luck {:+.1}, skill {:+.1}</title></rect>",
            indexed.frame(turn.segments[0].first),
            to - from,
            COURSE + BARS,
            escape(&turn.segments[0].label),
            100.0 * before,
            100.0 * after,
            100.0 * turn.luck,
            100.0 * turn.skill
        );
    }
    let mut marks = String::new();
    for (at, segment) in game.segments.iter().enumerate() {
        if segment.choice.as_ref().is_some_and(|choice| choice.blunder) {
            let _ = write!(
                marks,
                "<circle class=\"{}\" data-frame=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"/>",
                format_args!("s{}", shade(Side(segment.side as u8))),
                indexed.frame(segment.first),
                across(at),
                upward(segment.before[0])
            );
        }
    }
    format!(
        "<figure><svg id=\"course\" viewBox=\"0 0 {WIDTH} {tall}\" role=\"img\" aria-label=\"expected result of {name} over the \
         game\"><text x=\"0\" y=\"14\">100%</text><text x=\"0\" y=\"{half:.0}\">50%</text><text x=\"0\" y=\"{low:.0}\">0%</text>\
         <path class=\"even\" d=\"M{LEFT} {even:.1}H{WIDTH}\"/><path class=\"even\" d=\"M{LEFT} {middle}H{WIDTH}\"/>\
         {turns}<path class=\"worth\" d=\"{line}\"/>{marks}</svg><figcaption>Above: the expected result of {name}; points are \
         blunders. Below: luck (dark) and skill (light) of each turn as {name} sees them. Click on a turn to see its \
         board.</figcaption></figure>",
        tall = COURSE + BARS,
        name = escape(sides[0].name),
        half = upward(0.5) + 4.0,
        low = upward(0.0) + 4.0,
        even = upward(0.5),
    )
}

/// The blunders in words, dearest first, each a button that goes to the board of its turn.
fn blunders(sides: &[SideInfo], indexed: &IndexedFrames, game: &GameAnalysis) -> String {
    let lead = |segment: &Segment| {
        segment.choice.as_ref().and_then(|choice| choice.lead).map_or(0.0, |lead| lead.value)
    };
    let mut found: Vec<(&Segment, String)> = game
        .segments
        .iter()
        .filter_map(|segment| Some((segment, blunder_summary(segment.choice.as_ref()?)?)))
        .collect();
    found.sort_by(|(one, _), (other, _)| lead(other).total_cmp(&lead(one)));
    if found.is_empty() {
        return "<p>No blunder was found: no choice in which another line led significantly.</p>".to_owned();
    }
    let mut list = String::from("<ol id=\"blunders\">");
    for (segment, words) in found {
        let phase = if segment.phase.is_empty() { String::new() } else { format!(" ({})", segment.phase) };
        let _ = write!(
            list,
            "<li><button data-frame=\"{}\">{}</button> {}{} {}</li>",
            indexed.frame(segment.first),
            escape(&segment.label),
            escape(sides[segment.side].name),
            escape(&phase),
            escape(&words)
        );
    }
    list.push_str("</ol>");
    list
}

/// Where the result came from, a row a side.
fn accounts(sides: &[SideInfo], game: &GameAnalysis) -> String {
    let cells =
        |cells: &[String]| cells.iter().map(|cell| escape(cell)).collect::<Vec<_>>().join("</td><td>");
    let rows: Vec<String> = account_rows(sides, game).iter().map(|row| cells(row)).collect();
    format!(
        "<table><thead><tr><th>{}</th></tr></thead><tbody><tr><td>{}</td></tr></tbody></table>",
        ACCOUNT.join("</th><th>"),
        rows.join("</td></tr><tr><td>")
    )
}

const STYLE: &str = "#course{width:100%;max-width:1100px;height:auto}#course text{font-size:11px;fill:currentColor}\
    #course .worth{fill:none;pointer-events:none;stroke:currentColor;stroke-width:2}#course .even{stroke:currentColor;opacity:.25}\
    #course .luck{fill:currentColor;opacity:.75}#course .skill{fill:currentColor;opacity:.3}\
    #course .pick{fill:transparent;cursor:pointer}#course .pick:hover{fill:currentColor;opacity:.12}\
    #course circle{cursor:pointer}#blunders{max-height:16rem;overflow:auto}";

/// The page of an analysed game.
///
/// # Errors
/// If the game has no start.
pub fn analysis_page(
    board: &Board,
    title: &str,
    sides: &[SideInfo],
    indexed: &IndexedFrames,
    game: &GameAnalysis,
) -> Result<String, Failure> {
    let decisive = decisive_turn_summary(sides, game)
        .map_or_else(String::new, |words| format!("<p>{}.</p>", escape(&words)));
    let above = format!(
        "{}{}{decisive}<h2>Blunders</h2>{}",
        accounts(sides, game),
        course(sides, indexed, game),
        blunders(sides, indexed, game)
    );
    page_of(board, &format!("Analysis of {title}"), &indexed.frames.list, (STYLE, &above))
}
