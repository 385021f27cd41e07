//! What the analysis of games says: the table, the words for one game, and the habits that cost most over many.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sandtable_core::SideInfo;
use sandtable_stats::interval::{Estimate, Moments};

use super::columns::{count, estimate, real, text, three};
use crate::system::analysis::{Choice, GameAnalysis, Stretch};
use crate::table::{Column, Kind, Rows, Schema};
use crate::terminal::table;

/// The table `analysis`: a row a stretch of decisions.
pub fn schema(sides: &[SideInfo]) -> Schema {
    let names = sides.iter().map(|side| side.id.to_owned()).collect();
    let mut columns = vec![
        count("game", "", "the number of the game in its run, from 0"),
        count(
            "stretch",
            "",
            "the number of the stretch in its game, from 1: decisions of a side up to the next dice or part of the turn",
        ),
        count("turn", "turns", "the game turn, from 1"),
        text("moment", "the game turn in words"),
        Column::new("side", Kind::Word(names), "", "the side that decides"),
        text("phase", "the phase of the game turn; empty if the system has none"),
        count("decisions", "decisions", "how many decisions the stretch has"),
        text("decision", "the first of them in words"),
        real("value", "", "what the position before it was worth to the side: 0 worst, 1 best"),
        real("value_after", "", "what the position after it was worth to the side"),
    ];
    columns.extend(estimate("skill", "", "what the decisions brought the side, against the usual play"));
    columns.extend(estimate("luck", "", "what dice and cards brought the side"));
    columns.extend(estimate(
        "given_away",
        "",
        "by how much the best line found led the one played; missing where there was no choice or nothing better",
    ));
    columns.push(
        real(
            "p_value",
            "",
            "how likely such a lead is where there is none, raised for all choices of the game (Holm); missing where there was no choice",
        )
        .optional(),
    );
    columns.push(
        Column::new(
            "blunder",
            Kind::Flag,
            "",
            "whether the lead is significant at 5%; missing where there was no choice",
        )
        .optional(),
    );
    columns.push(text("instead_of", "what was played and is not in the better line, in words").optional());
    columns.push(text("better", "what the better line does instead, in words").optional());
    Schema {
        name: "analysis",
        doc: "one row for each stretch of decisions of the games analysed: values, skill, luck, and what was given away",
        columns,
    }
}

/// The rows of some games.
pub fn rows(schema: &Schema, games: &[GameAnalysis]) -> Rows {
    let mut rows = Rows::new(schema);
    for game in games {
        for (number, stretch) in (1i64..).zip(&game.stretches) {
            let mut row = rows.row();
            row.long(game.game as i64).long(number).long(i64::from(stretch.turn)).text(&stretch.label);
            row.word(stretch.side)
                .text(&stretch.phase)
                .long(i64::from(stretch.decisions))
                .text(&stretch.words);
            row.real(stretch.before[stretch.side]).real(stretch.after[stretch.side]);
            let unknown = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };
            let lead = stretch.choice.as_ref().and_then(|choice| choice.lead).unwrap_or(unknown);
            for estimate in [stretch.skill, stretch.luck, lead] {
                three(&mut row, &estimate);
            }
            match &stretch.choice {
                None => row.none().none().none().none(),
                Some(choice) => row
                    .real(choice.p)
                    .flag(choice.blunder)
                    .text(&choice.played.join("; "))
                    .text(&choice.better.join("; ")),
            };
        }
    }
    rows
}

/// A difference of worths in percentage points, with a sign.
fn points(value: f64) -> String {
    format!("{:+.1}", 100.0 * value)
}

/// An estimate of such a difference, with its interval.
fn points_within(estimate: Estimate) -> String {
    format!("{} [{}, {}]", points(estimate.value), points(estimate.low), points(estimate.high))
}

/// Some words of a list: those at its beginning.
pub fn beginning(words: &[String], most: usize) -> String {
    let mut text = words.iter().take(most).map(|words| format!("\"{words}\"")).collect::<Vec<_>>().join(", ");
    if words.len() > most {
        let _ = write!(text, " and {} more", words.len() - most);
    }
    if words.is_empty() { "nothing".to_owned() } else { text }
}

/// A blunder in words: what it cost, and the better move.
pub fn blunder_in_words(choice: &Choice) -> Option<String> {
    let lead = choice.lead.filter(|_| choice.blunder)?;
    Some(format!(
        "gave away {} points: instead of {} better {}",
        points_within(lead),
        beginning(&choice.played, 2),
        beginning(&choice.better, 3)
    ))
}

/// The turn over which the worth of the position to the first side changed most: its words, and the worths at its two
/// ends; none of a game without decisions.
pub fn decisive_turn(game: &GameAnalysis) -> Option<(&str, f64, f64)> {
    let turns = game.stretches.chunk_by(|one, other| one.turn == other.turn);
    let change = |turn: &[Stretch]| {
        let (first, last) = (&turn[0], &turn[turn.len() - 1]);
        (first.before[0], last.after[0])
    };
    let size = |turn: &[Stretch]| {
        let (before, after) = change(turn);
        (after - before).abs()
    };
    let most = turns.max_by(|one, other| size(one).total_cmp(&size(other)))?;
    let (before, after) = change(most);
    Some((&most[0].label, before, after))
}

/// What a group of choices came to.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    choices: u64,
    blunders: u64,
    /// The sum of the leads of better lines.
    given_away: f64,
}

impl Group {
    fn add(&mut self, choice: &Choice) {
        self.choices += 1;
        self.blunders += u64::from(choice.blunder);
        self.given_away += choice.lead.map_or(0.0, |lead| lead.value);
    }

    /// The share of choices in which nothing significantly better was found.
    fn accuracy(&self) -> f64 {
        1.0 - self.blunders as f64 / self.choices.max(1) as f64
    }
}

/// The accuracy of each side, and of each of its phases if there are any.
fn accuracy(sides: &[SideInfo], games: &[GameAnalysis]) -> String {
    let mut groups: BTreeMap<(usize, &str), Group> = BTreeMap::new();
    for stretch in games.iter().flat_map(|game| &game.stretches) {
        let Some(choice) = &stretch.choice else { continue };
        groups.entry((stretch.side, "")).or_default().add(choice);
        if !stretch.phase.is_empty() {
            groups.entry((stretch.side, &stretch.phase)).or_default().add(choice);
        }
    }
    let count = games.len().max(1) as f64;
    let lines = groups.into_iter().map(|((side, phase), group)| {
        [
            sides[side].name.to_owned(),
            if phase.is_empty() { "all".to_owned() } else { phase.to_owned() },
            format!("{:.1}", group.choices as f64 / count),
            format!("{:.1}%", 100.0 * group.accuracy()),
            format!("{:.1}", group.blunders as f64 / count),
            points(group.given_away / count),
        ]
    });
    table(&["side", "phase", "choices", "accuracy", "blunders", "given away"], lines)
}

/// Where the result came from, a line a side.
fn accounts(sides: &[SideInfo], game: &GameAnalysis) -> String {
    let lines = sides.iter().zip(&game.sides).map(|(side, account)| {
        [
            side.name.to_owned(),
            format!("{:.1}%", 100.0 * account.start.value),
            points_within(account.luck),
            points_within(account.own),
            points_within(account.others),
            format!("{:.1}%", 100.0 * account.end),
        ]
    });
    table(&["side", "start", "luck", "own skill", "skill of others", "result"], lines)
}

/// The analysis of one game in words.
pub fn game_in_words(sides: &[SideInfo], game: &GameAnalysis) -> String {
    let mut text = String::new();
    for turn in game.stretches.chunk_by(|one, other| one.turn == other.turn) {
        let last = &turn[turn.len() - 1];
        let worth = |values: &[f64]| format!("{:.1}%", 100.0 * values[0]);
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "== {}: {} {} -> {}",
            turn[0].label,
            sides[0].name,
            worth(&turn[0].before),
            worth(&last.after)
        );
        let luck: f64 = turn.iter().map(|stretch| stretch.after[0] - stretch.taken[0]).sum();
        let _ = writeln!(
            text,
            " (luck {}, skill {})",
            points(luck),
            points(last.after[0] - turn[0].before[0] - luck)
        );
        for stretch in turn {
            let Some(words) = stretch.choice.as_ref().and_then(blunder_in_words) else { continue };
            let phase =
                if stretch.phase.is_empty() { String::new() } else { format!(" ({})", stretch.phase) };
            let _ = writeln!(text, "  {}{phase} {words}", sides[stretch.side].name);
        }
    }
    if let Some((label, before, after)) = decisive_turn(game) {
        let _ = writeln!(
            text,
            "decisive turn: {label}, {} {:.1}% -> {:.1}%",
            sides[0].name,
            100.0 * before,
            100.0 * after
        );
    }
    let _ = write!(text, "\n{}\n{}", accounts(sides, game), accuracy(sides, std::slice::from_ref(game)));
    text
}

/// Words that say nothing of what is done.
const SMALL: [&str; 12] = ["in", "at", "to", "the", "of", "with", "from", "for", "over", "a", "on", "by"];

/// What a decision does, in a word: the first word of its description that is no name.
fn verb(words: &str) -> String {
    let letters = |word: &&str| word.chars().all(char::is_alphabetic);
    let small = |word: &&str| SMALL.contains(word);
    let lower = |word: &&str| word.chars().all(char::is_lowercase);
    let first = words.split(' ').next().unwrap_or_default();
    let found = words.split(' ').filter(letters).find(|word| lower(word) && !small(word));
    found.unwrap_or(first).to_lowercase()
}

/// The kind of a choice: its phase, and what the better line does that was not done.
fn kind_of(stretch: &Stretch, choice: &Choice) -> String {
    let of = |words: &[String]| words.first().map_or_else(|| "nothing".to_owned(), |words| verb(words));
    let change = format!("{} for {}", of(&choice.better), of(&choice.played));
    if stretch.phase.is_empty() { change } else { format!("{}: {change}", stretch.phase) }
}

/// The dearest habits over many games: kinds of choices ranked by what they gave away a game.
pub fn summary_in_words(sides: &[SideInfo], games: &[GameAnalysis], most: usize) -> String {
    #[derive(Default)]
    struct Habit {
        by_game: Vec<f64>,
        choices: u64,
        blunders: u64,
        dearest: Option<(f64, u64, String, String)>,
    }
    let mut habits: BTreeMap<(usize, String), Habit> = BTreeMap::new();
    for (at, game) in games.iter().enumerate() {
        for stretch in &game.stretches {
            let Some((choice, lead)) =
                stretch.choice.as_ref().and_then(|choice| Some((choice, choice.lead?)))
            else {
                continue;
            };
            let habit = habits.entry((stretch.side, kind_of(stretch, choice))).or_default();
            habit.by_game.resize(games.len(), 0.0);
            habit.by_game[at] += lead.value;
            habit.choices += 1;
            habit.blunders += u64::from(choice.blunder);
            if habit.dearest.as_ref().is_none_or(|(known, ..)| lead.value > *known) {
                let words =
                    format!("{}, better {}", beginning(&choice.played, 1), beginning(&choice.better, 1));
                habit.dearest = Some((lead.value, game.game, stretch.label.clone(), words));
            }
        }
    }
    let mut ranked: Vec<_> = habits
        .into_iter()
        .map(|(kind, habit)| (habit.by_game.iter().copied().collect::<Moments>(), kind, habit))
        .collect();
    ranked.sort_by(|(one, ..), (other, ..)| other.mean.total_cmp(&one.mean));
    let mut text = String::new();
    let lines = ranked.iter().take(most).map(|(given, (side, kind), habit)| {
        let estimate = given.mean();
        let within = if estimate.is_bounded() { points_within(estimate) } else { points(estimate.value) };
        let (_, game, label, words) = habit.dearest.clone().unwrap_or_default();
        [
            sides[*side].name.to_owned(),
            kind.clone(),
            format!("{:.1}", habit.choices as f64 / games.len().max(1) as f64),
            habit.blunders.to_string(),
            within,
            format!("game {game}, {label}: {words}"),
        ]
    });
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "what was given away a game, by kind of choice (points of the expected result, dearest first):\n{}\n{}",
        table(&["side", "better for played", "a game", "blunders", "given away", "the dearest"], lines),
        accuracy(sides, games)
    );
    let luck = sides.iter().enumerate().map(|(at, side)| {
        let of = |part: &dyn Fn(&GameAnalysis) -> f64| games.iter().map(part).collect::<Moments>();
        let luck = of(&|game| game.sides[at].luck.value);
        let own = of(&|game| game.sides[at].own.value);
        let spread = |moments: &Moments| {
            if moments.n < 2 { "-".to_owned() } else { format!("{:.1}", 100.0 * moments.deviation()) }
        };
        [side.name.to_owned(), points(luck.mean), spread(&luck), points(own.mean), spread(&own)]
    });
    let _ = write!(
        text,
        "\n{}",
        table(&["side", "luck a game", "its deviation", "own skill a game", "its deviation"], luck)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_found_behind_names() {
        for (words, verb_of_it) in [
            ("German Infantry 33 (3) in Hamburg invades Oslo", "invades"),
            ("move g_4pz_hq5", "move"),
            ("Use German A1 at Saar", "use"),
            ("End", "end"),
            ("", ""),
        ] {
            assert_eq!(verb(words), verb_of_it, "{words}");
        }
    }
}
