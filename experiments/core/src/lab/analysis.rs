//! What the analysis of games says: the table, the words for one game, and the habits that cost most over many.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sandtable_core::SideInfo;
use sandtable_stats::interval::{Estimate, Moments, wilson};

use super::columns::{count, estimate, optional, real, text, three};
use crate::system::analysis::{Account, Choice, GameAnalysis, Segment};
use crate::table::{Column, Kind, Rows, Schema};
use crate::terminal::table;

/// The table `analysis`: a row a segment of decisions.
pub fn schema(sides: &[SideInfo]) -> Schema {
    let names = sides.iter().map(|side| side.id.to_owned()).collect();
    let mut columns = vec![
        count("game", "", "the number of the game in its run, from 0"),
        count(
            "segment",
            "",
            "the number of the segment in its game, from 1: decisions of a side up to the next dice or part of the turn",
        ),
        count("turn", "turns", "the game turn, from 1"),
        text("moment", "the game turn in words"),
        Column::new("side", Kind::Word(names), "", "the side that decides"),
        text("phase", "the phase of the game turn; empty if the system has none"),
        count("decisions", "decisions", "how many decisions the segment has"),
        text("decision", "the first of them in words"),
        real("value", "", "the value of the position before it to the side: 0 worst, 1 best"),
        real("value_after", "", "the value of the position after it to the side, as seen from the same turn"),
    ];
    columns.extend(estimate("skill", "", "what the decisions brought the side, against the usual play"));
    columns.extend(estimate("luck", "", "what dice and cards brought the side"));
    columns.push(
        real("value_played", "", "the value of the line that was played in the eyes of the side; missing where there was no choice")
            .optional(),
    );
    columns.extend(estimate(
        "given_away",
        "",
        "by how much the best line found led the one played; missing where there was no choice or nothing better",
    ));
    columns.push(
        real(
            "p_value",
            "",
            "how likely such a lead is where there is none, raised for all leads of the game (Holm); missing where there was no choice",
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
    columns.push(
        text("better_plan", "what the plan that did better is called; of an operation, the usual one; empty in games without plans")
            .optional(),
    );
    columns.push(
        text("better_objective", "the objective of the operation that did better; empty if none did")
            .optional(),
    );
    columns.push(text("instead_of", "what was played and is not in the better line, in words").optional());
    columns.push(text("better", "what the better line does instead, in words").optional());
    Schema {
        name: "analysis",
        doc: "one row for each segment of decisions of the games analysed: values, skill, luck, and what was given away",
        columns,
    }
}

/// The rows of some games.
pub fn rows(schema: &Schema, games: &[GameAnalysis]) -> Rows {
    let mut rows = Rows::new(schema);
    for game in games {
        for (number, segment) in (1i64..).zip(&game.segments) {
            let mut row = rows.row();
            row.long(game.game as i64).long(number).long(i64::from(segment.turn)).text(&segment.label);
            row.word(segment.side)
                .text(&segment.phase)
                .long(i64::from(segment.decisions))
                .text(&segment.words);
            row.real(segment.before[segment.side]).real(segment.after[segment.side]);
            let unknown = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };
            let lead = segment.choice.as_ref().and_then(|choice| choice.lead).unwrap_or(unknown);
            three(&mut row, &segment.skill);
            three(&mut row, &segment.luck);
            optional(&mut row, segment.choice.as_ref().map_or(f64::NAN, |choice| choice.value));
            three(&mut row, &lead);
            match &segment.choice {
                None => row.none().none().none().none().none().none(),
                Some(choice) => row
                    .real(choice.p)
                    .flag(choice.blunder)
                    .text(&choice.plan)
                    .text(choice.objective.as_deref().unwrap_or_default())
                    .text(&choice.played.join("; "))
                    .text(&choice.better.join("; ")),
            };
        }
    }
    rows
}

/// A difference of values in percentage points, with a sign.
pub fn points(value: f64) -> String {
    format!("{:+.1}", 100.0 * value)
}

/// An estimate of such a difference, with its interval; without where that is unbounded, or there is nothing to estimate.
pub fn points_within(estimate: Estimate) -> String {
    if !estimate.is_bounded() || estimate.width() == 0.0 {
        return points(estimate.value);
    }
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
pub fn blunder_summary(choice: &Choice) -> Option<String> {
    let lead = choice.lead.filter(|_| choice.blunder)?;
    let line = line_name(choice).map(|line| format!("({line}) ")).unwrap_or_default();
    Some(format!(
        "gave away {} pp: instead of {} better {line}{}",
        points_within(lead),
        beginning(&choice.played, 2),
        beginning(&choice.better, 3)
    ))
}

/// What the better line is called: a plan, or an operation with its objective; none in games without plans.
fn line_name(choice: &Choice) -> Option<String> {
    let plan = || (!choice.plan.is_empty()).then(|| choice.plan.clone());
    choice.objective.as_ref().map(|objective| format!("{OPERATION} against {objective}")).or_else(plan)
}

/// Operations are one kind of line, whatever their objectives.
const OPERATION: &str = "an operation";

/// How a game went in one game turn.
#[derive(Clone, Copy, Debug)]
pub struct TurnChange<'a> {
    /// Its segments.
    pub segments: &'a [Segment],
    /// The value to the side before and after it.
    pub values: (f64, f64),
    /// What of the change was luck.
    pub luck: f64,
    /// What of it was skill, of all sides.
    pub skill: f64,
}

/// The turns of a game as a side sees them.
pub fn turns(game: &GameAnalysis, side: usize) -> impl Iterator<Item = TurnChange<'_>> {
    game.segments.chunk_by(|one, other| one.turn == other.turn).map(move |segments| {
        let (before, after) = (segments[0].before[side], segments[segments.len() - 1].after[side]);
        let luck: f64 = segments.iter().map(|segment| segment.after[side] - segment.taken[side]).sum();
        let skill: f64 = segments.iter().map(|segment| segment.taken[side] - segment.before[side]).sum();
        TurnChange { segments, values: (before, after), luck, skill }
    })
}

/// The turn over which the value of the position to any side changed most, and that side; none of a game without decisions.
pub fn decisive_turn(game: &GameAnalysis) -> Option<(usize, TurnChange<'_>)> {
    let size = |(_, turn): &(usize, TurnChange<'_>)| (turn.values.1 - turn.values.0).abs();
    let all = (0..game.sides.len()).flat_map(|side| turns(game, side).map(move |turn| (side, turn)));
    all.reduce(|one, other| if size(&other) > size(&one) { other } else { one })
}

/// The decisive turn in words.
pub fn decisive_turn_summary(sides: &[SideInfo], game: &GameAnalysis) -> Option<String> {
    let (side, turn) = decisive_turn(game)?;
    let (before, after) = turn.values;
    let (label, name) = (&turn.segments[0].label, sides[side].name);
    Some(format!("decisive turn: {label}, {name} {:.1}% -> {:.1}%", 100.0 * before, 100.0 * after))
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
    fn accuracy(&self) -> Estimate {
        wilson(self.choices - self.blunders, self.choices)
    }
}

/// The accuracy of each side, and of each of its phases if there are any.
fn accuracy(sides: &[SideInfo], games: &[GameAnalysis]) -> String {
    let mut groups: BTreeMap<(usize, &str), Group> = BTreeMap::new();
    for segment in games.iter().flat_map(|game| &game.segments) {
        let Some(choice) = &segment.choice else { continue };
        groups.entry((segment.side, "")).or_default().add(choice);
        if !segment.phase.is_empty() {
            groups.entry((segment.side, &segment.phase)).or_default().add(choice);
        }
    }
    let count = games.len().max(1) as f64;
    let lines = groups.into_iter().map(|((side, phase), group)| {
        [
            sides[side].name.to_owned(),
            if phase.is_empty() { "all".to_owned() } else { phase.to_owned() },
            format!("{:.1}", group.choices as f64 / count),
            {
                let Estimate { value, low, high } = group.accuracy().map(|share| 100.0 * share);
                format!("{value:.1}% [{low:.1}, {high:.1}]")
            },
            format!("{:.1}", group.blunders as f64 / count),
            points(group.given_away / count),
        ]
    });
    table(&["side", "phase", "choices", "accuracy", "blunders", "given away"], lines)
}

/// The heads of [`account_rows`].
pub const ACCOUNT: [&str; 7] = ["side", "start", "luck", "own skill", "skill of others", "drift", "result"];

/// Where the result came from, a row a side.
pub fn account_rows(sides: &[SideInfo], game: &GameAnalysis) -> Vec<[String; 7]> {
    let row = |(side, account): (&SideInfo, &Account)| {
        [
            side.name.to_owned(),
            format!("{:.1}%", 100.0 * account.start.value),
            points_within(account.luck),
            points_within(account.own),
            points_within(account.others),
            points_within(account.drift),
            format!("{:.1}%", 100.0 * account.end),
        ]
    };
    sides.iter().zip(&game.sides).map(row).collect()
}

/// The analysis of one game in words.
pub fn game_summary(sides: &[SideInfo], game: &GameAnalysis) -> String {
    let mut text = String::new();
    for turn in turns(game, 0) {
        let (before, after) = turn.values;
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "== {}: {} {:.1}% -> {:.1}% (luck {}, skill {})",
            turn.segments[0].label,
            sides[0].name,
            100.0 * before,
            100.0 * after,
            points(turn.luck),
            points(turn.skill)
        );
        for segment in turn.segments {
            let Some(words) = segment.choice.as_ref().and_then(blunder_summary) else { continue };
            let phase =
                if segment.phase.is_empty() { String::new() } else { format!(" ({})", segment.phase) };
            let _ = writeln!(text, "  {}{phase} {words}", sides[segment.side].name);
        }
    }
    if let Some(words) = decisive_turn_summary(sides, game) {
        let _ = writeln!(text, "{words}");
    }
    let accounts = table(&ACCOUNT, account_rows(sides, game));
    let _ = write!(text, "\n{accounts}\n{}", accuracy(sides, std::slice::from_ref(game)));
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

/// The kind of a choice: its phase, and the better plan, or what the better line does that was not done.
fn kind_of(segment: &Segment, choice: &Choice) -> String {
    if !choice.plan.is_empty() {
        return if choice.objective.is_some() { OPERATION.to_owned() } else { choice.plan.clone() };
    }
    let of = |words: &[String]| words.first().map_or_else(|| "nothing".to_owned(), |words| verb(words));
    let change = format!("{} for {}", of(&choice.better), of(&choice.played));
    if segment.phase.is_empty() { change } else { format!("{}: {change}", segment.phase) }
}

/// What choices of one kind gave away.
#[derive(Default)]
struct Habit {
    by_game: Vec<f64>,
    choices: u64,
    blunders: u64,
    costliest: Option<(f64, u64, String, String)>,
}

/// The kinds of choice that gave away most, costliest first; `kind` says of which kind one is, if of any.
fn habits(
    sides: &[SideInfo],
    games: &[GameAnalysis],
    most: usize,
    kind: impl Fn(&Segment, &Choice) -> Option<String>,
) -> Vec<[String; 6]> {
    let mut habits: BTreeMap<(usize, String), Habit> = BTreeMap::new();
    for (at, game) in games.iter().enumerate() {
        for segment in &game.segments {
            let Some((choice, lead)) =
                segment.choice.as_ref().and_then(|choice| Some((choice, choice.lead?)))
            else {
                continue;
            };
            let Some(kind) = kind(segment, choice) else { continue };
            let habit = habits.entry((segment.side, kind)).or_default();
            habit.by_game.resize(games.len(), 0.0);
            habit.by_game[at] += lead.value;
            habit.choices += 1;
            habit.blunders += u64::from(choice.blunder);
            if habit.costliest.as_ref().is_none_or(|(known, ..)| lead.value > *known) {
                let words =
                    format!("{}, better {}", beginning(&choice.played, 1), beginning(&choice.better, 1));
                habit.costliest = Some((lead.value, game.game, segment.label.clone(), words));
            }
        }
    }
    let mut ranked: Vec<_> = habits
        .into_iter()
        .map(|(kind, habit)| (habit.by_game.iter().copied().collect::<Moments>(), kind, habit))
        .collect();
    ranked.sort_by(|(one, ..), (other, ..)| other.mean.total_cmp(&one.mean));
    let row = |(given, (side, kind), habit): (Moments, (usize, String), Habit)| {
        let (_, game, label, words) = habit.costliest.unwrap_or_default();
        [
            sides[side].name.to_owned(),
            kind,
            format!("{:.1}", habit.choices as f64 / games.len().max(1) as f64),
            habit.blunders.to_string(),
            points_within(given.mean()),
            format!("game {game}, {label}: {words}"),
        ]
    };
    ranked.into_iter().take(most).map(row).collect()
}

/// The costliest habits over many games: kinds of choices ranked by what they gave away a game.
pub fn habits_summary(sides: &[SideInfo], games: &[GameAnalysis], most: usize) -> String {
    let head = |kind| ["side", kind, "a game", "blunders", "given away", "the costliest"];
    let kinds = habits(sides, games, most, |segment, choice| Some(kind_of(segment, choice)));
    // Writing to a string does not fail.
    let mut text = String::new();
    let _ = writeln!(
        text,
        "what was given away a game, by kind of choice (pp of the expected result, costliest first):\n{}",
        table(&head("better for played"), kinds)
    );
    let objectives = habits(sides, games, most / 2, |_, choice| choice.objective.clone());
    if !objectives.is_empty() {
        let _ = writeln!(text, "of it by objective:\n{}", table(&head("operation against"), objectives));
    }
    let _ = write!(text, "{}", accuracy(sides, games));
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
