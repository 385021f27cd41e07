//! Games of a run that can be told and drawn again.

use std::path::Path;

use anyhow::Context;

use crate::failure::Failure;
use crate::files;
use crate::run::folder::{table_file, verified_receipt};
use crate::run::manifest::{Identity, Manifest};
use crate::system::board::Map;
use crate::system::{AnyScenario, AnySystem, ReplayRequest, Replayed, open};
use crate::table::read::{read, read_text};
use crate::table::{Format, Frame, TextTable};

/// A game of a run that can be played again.
pub(super) struct Recorded<'a> {
    /// Its scenario.
    pub scenario: Box<dyn AnyScenario + 'a>,
    /// The whole game.
    pub request: ReplayRequest,
    /// Which game it is, in words.
    pub title: String,
    /// How it ended.
    pub ending: Ending,
}

/// What the run says of a game.
pub(super) struct Ending {
    /// The game and the run, in words.
    place: String,
    /// The row of table `games`, as names of columns and cells; none if the game's part is not there yet.
    row: Option<Vec<(String, String)>>,
}

impl Ending {
    /// Compares the end of a game that was played again with what the run says: a game that was not the one that was played
    /// must not pass for it. What the table has no column for, as in runs of old, is not compared.
    ///
    /// # Errors
    /// If a game that was played to its end does not end as the run says.
    pub fn check(&self, replayed: &Replayed) -> Result<(), Failure> {
        let (Some(then), Replayed::Whole { row: now, .. }) = (&self.row, replayed) else { return Ok(()) };
        let differences: Vec<String> = then
            .iter()
            .filter_map(|(name, then)| {
                let (_, now) = now.iter().find(|(other, _)| other == name)?;
                let shown = |cell: &str| if cell.is_empty() { "missing".to_owned() } else { cell.to_owned() };
                (now != then).then(|| format!("{name} is {} there and {} now", shown(then), shown(now)))
            })
            .collect();
        if differences.is_empty() {
            return Ok(());
        }
        Err(Failure::Internal(anyhow::anyhow!(
            "{} does not end again as its table says: {}; what was told is another game; please report it with the manifest",
            self.place,
            differences.join(", ")
        )))
    }
}

/// Finds a game of a run.
pub(super) fn recorded_game<'a>(
    systems: &'a [Box<dyn AnySystem>],
    run: &Path,
    game: u64,
) -> Result<Recorded<'a>, Failure> {
    let manifest = Manifest::read(run)?;
    let identity = &manifest.identity;
    if game >= identity.games {
        return Err(Failure::input(format!(
            "--game {game}: the run in {} has games 0 to {}",
            run.display(),
            identity.games - 1
        )));
    }
    let overrides = identity.parsed_overrides()?;
    let scenario = open(systems, &identity.scenario, &overrides)?;
    let setup = identity.setup(scenario.as_ref())?;
    let now = Identity::new(scenario.as_ref(), &overrides, &setup, (identity.games, identity.part_games));
    let now = Manifest::new(manifest.table_format()?, None, now);
    if let Some((what, now, then)) = now.difference(&manifest) {
        return Err(Failure::input(format!(
            "the run in {} cannot be told again: {what} was {then} then and is {now} now",
            run.display()
        )));
    }
    let part = game / identity.part_games;
    let is_there = verified_receipt(run, part, &manifest, scenario.sides())?.is_some();
    if setup.extras.records && !is_there {
        return Err(Failure::input(format!(
            "game {game} is not in this folder: there is no part {part} in {}",
            run.display()
        )));
    }
    // Without a record the agents choose again, and the same.
    let choices = if setup.extras.records {
        let schemas = scenario.tables(setup.extras);
        let schema = schemas.iter().find(|schema| schema.name == "records");
        let schema = schema.context("a run with records has a table of them")?;
        let get = |format, bytes| recorded(&read(format, schema, bytes)?, game);
        Some(from_table("records", (run, game), &manifest, get)?)
    } else {
        None
    };
    let row = if is_there {
        let get = |format, bytes| played(read_text(format, bytes)?, game);
        Some(from_table("games", (run, game), &manifest, get)?)
    } else {
        None
    };
    let ending = Ending { place: format!("game {game} of the run in {}", run.display()), row };
    let title = format!("{}, seed {}, game {game}", identity.scenario, identity.seed);
    let request = ReplayRequest { seed: identity.seed, game, agents: setup.agents, choices, until: None };
    Ok(Recorded { scenario, request, title, ending })
}

/// The map of a scenario.
pub(super) fn map_of(scenario: &dyn AnyScenario) -> Result<Map, Failure> {
    scenario.map().ok_or_else(|| {
        Failure::input(format!("{}: {} has no map that can be drawn", scenario.id(), scenario.system().name))
    })
}

/// What `get` gets from a table of the game's part, whose receipt has been compared with its file.
fn from_table<T>(
    name: &str,
    (run, game): (&Path, u64),
    manifest: &Manifest,
    get: impl FnOnce(Format, Vec<u8>) -> anyhow::Result<T>,
) -> Result<T, Failure> {
    let format = manifest.table_format()?;
    let path = run.join(table_file(name, game / manifest.identity.part_games, format));
    let bytes = files::read_bytes(&path).map_err(|error| Failure::file("read", &path, &error))?;
    get(format, bytes).map_err(|error| Failure::input(format!("{} is damaged: {error:#}", path.display())))
}

/// The recorded choices of the game in table `records`.
fn recorded(records: &Frame, game: u64) -> anyhow::Result<Vec<usize>> {
    let choices = records.numbers::<u64>("game")?.into_iter().zip(records.numbers("choice")?);
    Ok(choices.filter(|(number, _)| *number == game).map(|(_, choice)| choice).collect())
}

/// The row of the game in table `games`: names of columns and cells. Older runs may lack columns.
fn played(games: TextTable, game: u64) -> anyhow::Result<Vec<(String, String)>> {
    let number = game.to_string();
    let at = games.column("game").context("no column game")?.position(|cell| cell == number);
    let at = at.with_context(|| format!("no game {game}"))?;
    Ok(games.names.into_iter().zip(games.rows.into_iter().nth(at).unwrap_or_default()).collect())
}
