//! The page of an analysed game: the course of its value, luck and skill turn by turn, the blunders, and the board to step
//! through.

use std::fmt::Write;

use sandtable_core::{Side, SideInfo};

use super::board::Board;
use super::page::{escape, shade};
use super::replay::{Frames, page_of};
use crate::failure::Failure;
use crate::lab::analysis::{blunder_in_words, decisive_turn};
use crate::system::analysis::{GameAnalysis, Stretch};
use crate::system::board::Position;
use crate::system::{GameLog, Importance};

/// The game as frames, and the frame that shows the board at the beginning of each turn.
#[derive(Clone, Debug, Default)]
pub struct Marked {
    frames: Frames,
    turns: Vec<(u32, usize)>,
}

impl Marked {
    /// The frame with the board at the beginning of a turn.
    fn frame(&self, turn: u32) -> usize {
        let known = self.turns.iter().rfind(|(known, _)| *known <= turn);
        known.map_or(0, |&(_, frame)| frame)
    }
}

impl GameLog for Marked {
    fn turn(&mut self, turn: u32, label: &str, position: &dyn Fn() -> Position) -> Result<(), Failure> {
        self.frames.turn(turn, label, position)?;
        self.turns.push((turn, self.frames.list.len() - 1));
        Ok(())
    }

    fn step(&mut self, label: &str, position: &dyn Fn() -> Position) -> Result<(), Failure> {
        self.frames.step(label, position)
    }

    fn decision(&mut self, side: &str, words: &str) -> Result<(), Failure> {
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
fn course(sides: &[SideInfo], marked: &Marked, game: &GameAnalysis) -> String {
    let count = game.stretches.len().max(1) as f64;
    let across = |at: usize| LEFT + (WIDTH - LEFT - 6.0) * at as f64 / count;
    let upward = |value: f64| 8.0 + (COURSE - 16.0) * (1.0 - value);
    let mut line = String::new();
    for (at, stretch) in game.stretches.iter().enumerate() {
        let _ = write!(
            line,
            "{}{:.1} {:.1}",
            if at == 0 { "M" } else { "L" },
            across(at),
            upward(stretch.before[0])
        );
    }
    if let Some(last) = game.stretches.last() {
        let _ = write!(line, "L{:.1} {:.1}", across(game.stretches.len()), upward(last.after[0]));
    }
    let middle = COURSE + BARS / 2.0;
    let mut turns = String::new();
    let mut at = 0;
    for turn in game.stretches.chunk_by(|one, other| one.turn == other.turn) {
        let (from, to) = (across(at), across(at + turn.len()));
        at += turn.len();
        let luck: f64 = turn.iter().map(|stretch| stretch.after[0] - stretch.taken[0]).sum();
        let (before, after) = (turn[0].before[0], turn[turn.len() - 1].after[0]);
        let skill = after - before - luck;
        for (value, left, class) in [(luck, from, "luck"), (skill, f64::midpoint(from, to), "skill")] {
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
            marked.frame(turn[0].turn),
            to - from,
            COURSE + BARS,
            escape(&turn[0].label),
            100.0 * before,
            100.0 * after,
            100.0 * luck,
            100.0 * skill
        );
    }
    let mut marks = String::new();
    for (at, stretch) in game.stretches.iter().enumerate() {
        if stretch.choice.as_ref().is_some_and(|choice| choice.blunder) {
            let _ = write!(
                marks,
                "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"/>",
                format_args!("s{}", shade(Side(stretch.side as u8))),
                across(at),
                upward(stretch.before[0])
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
fn blunders(sides: &[SideInfo], marked: &Marked, game: &GameAnalysis) -> String {
    let lead = |stretch: &Stretch| {
        stretch.choice.as_ref().and_then(|choice| choice.lead).map_or(0.0, |lead| lead.value)
    };
    let mut found: Vec<(&Stretch, String)> = game
        .stretches
        .iter()
        .filter_map(|stretch| Some((stretch, blunder_in_words(stretch.choice.as_ref()?)?)))
        .collect();
    found.sort_by(|(one, _), (other, _)| lead(other).total_cmp(&lead(one)));
    if found.is_empty() {
        return "<p>No blunder was found: no choice in which another line led significantly.</p>".to_owned();
    }
    let mut list = String::from("<ol id=\"blunders\">");
    for (stretch, words) in found {
        let phase = if stretch.phase.is_empty() { String::new() } else { format!(" ({})", stretch.phase) };
        let _ = write!(
            list,
            "<li><button data-frame=\"{}\">{}</button> {}{} {}</li>",
            marked.frame(stretch.turn),
            escape(&stretch.label),
            escape(sides[stretch.side].name),
            escape(&phase),
            escape(&words)
        );
    }
    list.push_str("</ol>");
    list
}

/// Where the result came from, a line a side.
fn accounts(sides: &[SideInfo], game: &GameAnalysis) -> String {
    let mut table = String::from(
        "<table><thead><tr><th>Side</th><th>Start</th><th>Luck</th><th>Own skill</th><th>Skill of others</th><th>Result</th></tr>\
         </thead><tbody>",
    );
    for (side, account) in sides.iter().zip(&game.sides) {
        let _ =
            write!(table, "<tr><td>{}</td><td>{:.1}%</td>", escape(side.name), 100.0 * account.start.value);
        for part in [account.luck, account.own, account.others] {
            let [value, low, high] = [part.value, part.low, part.high].map(|value| 100.0 * value);
            let _ = write!(table, "<td>{value:+.1} [{low:+.1}, {high:+.1}]</td>");
        }
        let _ = write!(table, "<td>{:.1}%</td></tr>", 100.0 * account.end);
    }
    table.push_str("</tbody></table>");
    table
}

const STYLE: &str = "#course{width:100%;max-width:1100px;height:auto}#course text{font-size:11px;fill:currentColor}\
    #course .worth{fill:none;stroke:currentColor;stroke-width:2}#course .even{stroke:currentColor;opacity:.25}\
    #course .luck{fill:currentColor;opacity:.75}#course .skill{fill:currentColor;opacity:.3}\
    #course .pick{fill:transparent;cursor:pointer}#course .pick:hover{fill:currentColor;opacity:.12}\
    #blunders{max-height:16rem;overflow:auto}";

/// The page of an analysed game.
///
/// # Errors
/// If the game has no start.
pub fn analysis_page(
    board: &Board,
    title: &str,
    sides: &[SideInfo],
    marked: &Marked,
    game: &GameAnalysis,
) -> Result<String, Failure> {
    let decisive = decisive_turn(game).map_or_else(String::new, |(label, before, after)| {
        format!(
            "<p>The decisive turn was {}: {} went from {:.1}% to {:.1}%.</p>",
            escape(label),
            escape(sides[0].name),
            100.0 * before,
            100.0 * after
        )
    });
    let above = format!(
        "{}{}{decisive}<h2>Blunders</h2>{}",
        accounts(sides, game),
        course(sides, marked, game),
        blunders(sides, marked, game)
    );
    page_of(board, &format!("Analysis of {title}"), &marked.frames.list, (STYLE, &above))
}
