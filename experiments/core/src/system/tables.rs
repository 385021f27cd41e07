//! The tables of a run, and the row of a game in the first of them.

use sandtable_core::{Game, Outcome, SideInfo};

use super::{Extras, Opened, System, team_labels};
use crate::table::{Column, Kind, Rows, Schema};

/// The tables of a run by what they are.
pub(super) struct Schemas {
    pub games: Schema,
    pub turns: Schema,
    pub facts: Vec<Schema>,
    pub decisions: Option<Schema>,
    pub records: Option<Schema>,
    pub timings: Schema,
}

impl Schemas {
    /// All tables, `games` first.
    pub fn in_order(self) -> Vec<Schema> {
        let mut all = vec![self.games, self.turns];
        all.extend(self.facts);
        all.extend(self.decisions);
        all.extend(self.records);
        all.push(self.timings);
        all
    }
}

fn game_column() -> Column {
    Column::new("game", Kind::Long, "", "the number of the game in its run, from 0")
}

fn side_column(sides: &[SideInfo], doc: &'static str) -> Column {
    let sides = sides.iter().map(|side| side.id.to_owned()).collect();
    Column::new("side", Kind::Word(sides), "", doc)
}

/// The columns of who played each side.
pub fn agent_columns(sides: &[SideInfo]) -> impl Iterator<Item = Column> {
    sides.iter().map(|side| {
        let doc = format!("the agent that played {}", side.name);
        Column::new(format!("agent_{}", side.id), Kind::Text, "", doc)
    })
}

/// The columns of what a game came to: the winner, and by side the points and the worth of the result.
pub fn score_columns(sides: &[SideInfo]) -> Vec<Column> {
    let teams = team_labels(sides).into();
    let mut columns = vec![
        Column::new("winner", Kind::Word(teams), "", "the side or sides that won; missing for a draw")
            .optional(),
    ];
    for side in sides {
        let doc = format!("points of {} in the game's own unit", side.name);
        columns.push(Column::new(format!("points_{}", side.id), Kind::Real, "points", doc));
    }
    for side in sides {
        let doc = format!("worth of the result to {}: 0 worst, 1 best, a draw one half", side.name);
        columns.push(Column::new(format!("utility_{}", side.id), Kind::Real, "", doc));
    }
    columns
}

fn games_schema(sides: &[SideInfo]) -> Schema {
    let mut columns = vec![
        game_column(),
        Column::new(
            "seed",
            Kind::Unsigned,
            "",
            "the seed of the run; with the number it fixes the whole game",
        ),
        Column::new("scenario", Kind::Text, "", "the scenario"),
    ];
    columns.extend(agent_columns(sides));
    columns.extend(score_columns(sides));
    columns.extend([
        Column::new("turns", Kind::Int, "game turns", "the game turn in which the game ended, from 1"),
        Column::new("last_turn", Kind::Text, "", "the same in words"),
        Column::new("end_reason", Kind::Text, "", "why the game ended"),
        Column::new("decisions", Kind::Int, "decisions", "how many decisions were made"),
        Column::new(
            "final_hash",
            Kind::Unsigned,
            "",
            "hash of the last position, hidden things included: what a replay must reach",
        ),
    ]);
    Schema { name: "games", doc: "one row a game", columns }
}

/// The tables of facts with all their columns.
pub(super) fn fact_schemas<S: System>(system: &S, game: &S::Game) -> Vec<Schema> {
    let number = || Column::new("number", Kind::Int, "", "the number of the row in its game, from 1");
    let mut schemas = system.fact_tables(game);
    for schema in &mut schemas {
        schema.columns.splice(0..0, [game_column(), number()]);
    }
    schemas
}

/// The tables of a run of a scenario.
pub(super) fn schemas<S: System>(opened: &Opened<'_, S>, extras: Extras) -> Schemas {
    let game = &opened.scenario.game;
    let sides = game.sides();
    let mut turns = vec![
        game_column(),
        Column::new("turn", Kind::Int, "", "the game turn, from 1"),
        side_column(sides, "the side whose figures these are, at the end of the turn"),
        Column::new("decisions", Kind::Int, "decisions", "decisions this side made in this turn"),
        Column::new("choices", Kind::Int, "actions", "legal actions at all of them together"),
    ];
    turns.extend(opened.system.turn_columns(game));
    let decisions = vec![
        game_column(),
        Column::new("decision", Kind::Int, "", "the number of the decision in its game, from 0"),
        Column::new("turn", Kind::Int, "", "the game turn, from 1"),
        side_column(sides, "the side that decided"),
        Column::new("legal", Kind::Int, "actions", "number of legal actions"),
        Column::new("choice", Kind::Int, "", "index of the chosen one among them, from 0"),
        Column::new("action", Kind::Text, "", "the chosen one in words"),
        Column::new("iterations", Kind::Int, "simulations", "simulations run for this decision").optional(),
        Column::new("nodes", Kind::Int, "entries", "entries of the search tree").optional(),
        Column::new("depth", Kind::Int, "decisions", "the longest line in the tree").optional(),
        Column::new("value", Kind::Real, "", "mean utility of the chosen action to its side, 0 to 1")
            .optional(),
        Column::new("share", Kind::Real, "", "share of the simulations that tried the chosen action")
            .optional(),
    ];
    let records = vec![
        game_column(),
        Column::new(
            "choice",
            Kind::Int,
            "",
            "index of the chosen one among the legal actions, in order of play",
        ),
    ];
    let timings = vec![
        game_column(),
        Column::new(
            "microseconds",
            Kind::Long,
            "µs",
            "how long the game took to play; differs from run to run",
        ),
    ];
    let table = |name, doc, columns| Schema { name, doc, columns };
    Schemas {
        games: games_schema(sides),
        turns: table("turns", "one row a game, game turn and side", turns),
        facts: fact_schemas(opened.system, game),
        decisions: extras.decisions.then(|| table("decisions", "one row a decision", decisions)),
        records: extras.records.then(|| table("records", "one row a decision, for replays only", records)),
        timings: table(TIMINGS, "one row a game: wall-clock time", timings),
    }
}

/// Adds the row of a game that has ended; its number, the seed and the names of its agents say which it was.
pub(super) fn add_game<S: System>(
    opened: &Opened<'_, S>,
    rows: &mut Rows,
    (index, seed, agents): (u64, u64, &[String]),
    state: &<S::Game as Game>::State,
    outcome: &Outcome,
    decisions: u32,
) {
    let scenario = &opened.scenario;
    let game = &scenario.game;
    let sides = game.sides().len();
    let mut row = rows.row();
    row.long(index as i64).unsigned(seed).text(&scenario.id);
    for name in agents {
        row.text(name);
    }
    match outcome.winner {
        Some(team) => row.word(usize::from(team)),
        None => row.none(),
    };
    for &value in outcome.points.0[..sides].iter().chain(&outcome.utility.0[..sides]) {
        row.real(value);
    }
    row.int(game.turn_number(state) as i32)
        .text(&opened.system.turn_label(game, state))
        .text(outcome.end_reason)
        .int(decisions as i32)
        .unsigned(game.hash(state));
}

/// The row of a game as [`add_game`] makes it: the name of each column and its cell as text.
pub(super) fn row_of_game<S: System>(
    opened: &Opened<'_, S>,
    who: (u64, u64, &[String]),
    state: &<S::Game as Game>::State,
    outcome: &Outcome,
    decisions: u32,
) -> Vec<(String, String)> {
    let schema = games_schema(opened.scenario.game.sides());
    let mut rows = Rows::new(&schema);
    add_game(opened, &mut rows, who, state, outcome, decisions);
    let cells = schema.columns.into_iter().enumerate();
    cells.map(|(at, column)| (column.name, rows.text(0, at))).collect()
}

/// The only table whose values differ when a run is repeated.
pub const TIMINGS: &str = "timings";
