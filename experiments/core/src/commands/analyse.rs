//! `sandtable analyse`

use std::fmt::Display;
use std::fs;
use std::io::{Write, stdout};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use rayon::{ThreadPool, ThreadPoolBuilder};
use sandtable_ai::AgentSpec;
use serde::{Deserialize, Serialize};

use super::output::{check_drawing, save_drawing};
use super::play::threads;
use super::recorded::{Recorded, map_of, recorded_game};
use crate::cli::AnalyseArgs;
use crate::draw::analysis::{IndexedFrames, analysis_page};
use crate::draw::board::Board;
use crate::failure::{Failure, expected};
use crate::files::{self, write_atomically};
use crate::lab::analysis::{game_summary, habits_summary, rows, schema};
use crate::lab::progress::{Progress, ProgressReport};
use crate::lab::store::Lock;
use crate::manifest::{self, Work};
use crate::run::manifest::{Identity, Manifest};
use crate::system::analysis::{Analysed, AnalysisRequest, GameAnalysis};
use crate::system::{AnyScenario, AnySystem, ReplayRequest, Replayed, open};
use crate::table::Format;
use crate::table::write::write as write_table;

/// What may stand in a budget.
const OPTIONS: [&str; 4] = ["iterations", "rollout", "depth", "evaluator"];
/// Fewer rollouts tell nothing of their own spread; more are a slip of the pen.
const ROLLOUTS: RangeInclusive<u32> = 16..=100_000;
/// How many kinds of choice a summary shows.
const HABITS: usize = 25;

/// What the analyses in a folder depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Analyses {
    /// The run whose games they are.
    run: Identity,
    /// The rollouts, as an agent.
    rollouts: String,
    /// How many other actions were tried in games without plans.
    alternatives: u16,
    /// How many operations were tried in games with plans.
    operations: u16,
    /// The seed of the rollouts.
    rollout_seed: u64,
}

impl Work for Analyses {
    const KIND: &'static str = "analysis";
}

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &AnalyseArgs) -> Result<(), Failure> {
    args.html.as_deref().map_or(Ok(()), check_drawing)?;
    let unknown = args.budget.split(',').map(|option| option.split('=').next().unwrap_or_default().trim());
    if let Some(unknown) = unknown.into_iter().find(|name| !OPTIONS.contains(name)) {
        return Err(Failure::input(format!(
            "--budget {}: unknown option \"{unknown}\": {}",
            args.budget,
            expected(unknown, OPTIONS.into_iter())
        )));
    }
    let rollouts = format!("flat-mc:{}", args.budget).parse::<AgentSpec>();
    let rollouts = rollouts.map_err(|error| Failure::input(format!("--budget {}: {error}", args.budget)))?;
    if rollouts.iterations().is_some_and(|count| !ROLLOUTS.contains(&count)) {
        return Err(Failure::input(format!(
            "--budget {}: expected {} to {} rollouts, such as iterations=64",
            args.budget,
            ROLLOUTS.start(),
            ROLLOUTS.end()
        )));
    }
    let games = args.games.clone().unwrap_or_else(|| {
        let game = args.game.unwrap_or_default();
        game..game + 1
    });
    if rollouts.counts_decisions() {
        return Err(Failure::input(format!(
            "--budget {}: expected a depth in game turns, such as depth=2t, or depth=end: rollouts cut after so many decisions look \
             further after the dice than before, and luck would have a mean that is not 0",
            args.budget
        )));
    }
    let run = Manifest::read(&args.run)?;
    if games.end > run.identity.games {
        return Err(Failure::input(format!(
            "--game{}: the run in {} has games 0 to {}",
            if args.games.is_some() {
                format!("s {}..{}", games.start, games.end)
            } else {
                format!(" {}", games.start)
            },
            args.run.display(),
            run.identity.games - 1
        )));
    }
    let overrides = run.identity.parsed_overrides()?;
    let scenario = open(systems, &run.identity.scenario, &overrides)?;
    // What the system does not know is said before any work.
    scenario.check_agent(&rollouts)?;
    if args.html.is_some() {
        map_of(scenario.as_ref())?;
    }
    let folder = args.out.as_deref().map(|out| Folder::open(out, args, &rollouts, &run)).transpose()?;
    let pool =
        ThreadPoolBuilder::new().num_threads(threads(args.threads)).build().map_err(anyhow::Error::from)?;
    let work = Analysing { systems, args, rollouts: &rollouts, pool };
    let mut all = Vec::new();
    for game in games.clone() {
        let known = folder.as_ref().map(|folder| folder.read(game, scenario.as_ref())).transpose()?.flatten();
        let is_new = known.is_none();
        let analysis = match (known, &args.html) {
            (Some(known), None) => known,
            (known, _) => work.game(game, known)?,
        };
        if let (Some(folder), true) = (&folder, is_new) {
            folder.keep(&analysis)?;
        }
        if !args.json && !args.summary {
            tell(scenario.as_ref(), args, &analysis)?;
        }
        all.push(analysis);
    }
    if let Some(folder) = folder {
        folder.publish(scenario.as_ref())?;
    }
    let mut out = stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&all).map_err(anyhow::Error::from)?)?;
    } else if args.summary {
        let (run, last) = (args.run.display(), games.end - 1);
        writeln!(
            out,
            "{}, games {} to {last} of {run}; rollouts: {}",
            scenario.id(),
            games.start,
            args.budget
        )?;
        write!(out, "{}", habits_summary(scenario.sides(), &all, HABITS))?;
    }
    Ok(())
}

/// What all games have in common.
struct Analysing<'a> {
    systems: &'a [Box<dyn AnySystem>],
    args: &'a AnalyseArgs,
    rollouts: &'a AgentSpec,
    pool: ThreadPool,
}

impl Analysing<'_> {
    /// Analyses a game, unless its analysis is known, and draws it if asked.
    fn game(&self, game: u64, known: Option<GameAnalysis>) -> Result<GameAnalysis, Failure> {
        let args = self.args;
        let Recorded { scenario, mut request, title, ending } = recorded_game(self.systems, &args.run, game)?;
        let analysis = if let Some(known) = known {
            known
        } else {
            let wanted = AnalysisRequest {
                replay: request.clone(),
                rollouts: self.rollouts.clone(),
                alternatives: usize::from(args.alternatives),
                operations: usize::from(args.operations),
                seed: args.seed,
            };
            let meter = Progress::new(args.quiet, "positions", 0);
            let progress = |done: usize, total: usize| {
                let estimate = || format!("game {game}");
                meter.show(|| ProgressReport {
                    done: done as u64,
                    total: total as u64,
                    estimate: estimate(),
                });
            };
            let accept = |replayed: &Replayed| ending.check(replayed);
            let analysed = self.pool.install(|| scenario.analyse(&wanted, &accept, &progress));
            meter.finish();
            let Analysed { analysis, choices } = analysed?;
            request.choices = Some(choices);
            analysis
        };
        if let Some(path) = &args.html {
            draw(scenario.as_ref(), &request, &title, &analysis, path)?;
        }
        Ok(analysis)
    }
}

/// Tells the analysis of a game.
fn tell(scenario: &dyn AnyScenario, args: &AnalyseArgs, game: &GameAnalysis) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let run = args.run.display();
    writeln!(out, "{}, game {} of {run}; rollouts: {}", scenario.id(), game.game, args.budget)?;
    writeln!(out, "(values of the position in percent, changes in percentage points, 95% intervals)")?;
    writeln!(out, "{}", game_summary(scenario.sides(), game))?;
    Ok(())
}

/// The page of a game, its board told again from what was chosen.
fn draw(
    scenario: &dyn AnyScenario,
    replay: &ReplayRequest,
    title: &str,
    analysis: &GameAnalysis,
    path: &Path,
) -> Result<(), Failure> {
    let board = Board::new(&map_of(scenario)?, scenario.sides());
    let mut marked = IndexedFrames::default();
    scenario.replay(replay, &mut marked)?;
    save_drawing(path, &analysis_page(&board, title, scenario.sides(), &marked, analysis)?)
}

/// Where analyses are kept, a file a game.
struct Folder {
    root: PathBuf,
    format: Format,
    _lock: Lock,
}

impl Folder {
    fn open(
        root: &Path,
        args: &AnalyseArgs,
        rollouts: &AgentSpec,
        run: &Manifest,
    ) -> Result<Folder, Failure> {
        let work = Analyses {
            run: run.identity.clone(),
            rollouts: rollouts.to_string(),
            alternatives: args.alternatives,
            operations: args.operations,
            rollout_seed: args.seed,
        };
        let (lock, there) = if manifest::Manifest::<Analyses>::is_in(root) {
            (
                Lock::existing(root, Analyses::KIND)?,
                Some(manifest::Manifest::<Analyses>::read_to_go_on(root)?),
            )
        } else {
            (Lock::new(root, Analyses::KIND)?, None)
        };
        let known = there.as_ref().map(manifest::Manifest::table_format).transpose()?;
        let format = args.format.or(known).unwrap_or_default();
        let new = manifest::Manifest::new(format, None, work);
        match there {
            Some(there) => {
                if let Some((what, here, there)) = new.difference(&there) {
                    let of_flag = |flag: &str| format!("of {flag} {there} and not {here}");
                    let what = match &*what {
                        "run" => "of another run".to_owned(),
                        "rollouts" => of_flag("--budget"),
                        "alternatives" => of_flag("--alternatives"),
                        "operations" => of_flag("--operations"),
                        "rollout_seed" => of_flag("--seed"),
                        "format" => of_flag("--format"),
                        other => of_flag(other),
                    };
                    return Err(Failure::input(format!(
                        "--out {}: the analysis there is {what}; expected a new folder",
                        root.display()
                    )));
                }
            }
            None => new.write(root)?,
        }
        let games = root.join(GAMES);
        fs::create_dir_all(&games).map_err(|error| Failure::unwritable(&games, &error))?;
        Ok(Folder { root: root.to_owned(), format, _lock: lock })
    }

    fn path(&self, game: u64) -> PathBuf {
        self.root.join(GAMES).join(format!("game-{game:08}.json"))
    }

    /// The analysis of a game that is there.
    fn read(&self, game: u64, scenario: &dyn AnyScenario) -> Result<Option<GameAnalysis>, Failure> {
        let path = self.path(game);
        if !path.exists() {
            return Ok(None);
        }
        let text = files::read_text(&path).map_err(|error| Failure::file("read", &path, &error))?;
        let damaged = |what: &dyn Display| {
            Failure::input(format!(
                "{} is damaged: {what}; remove it to analyse the game again",
                path.display()
            ))
        };
        let known: GameAnalysis = serde_json::from_str(&text).map_err(|error| damaged(&error))?;
        if known.game != game {
            return Err(damaged(&format!("it is game {} and not {game}", known.game)));
        }
        if !known.has_sides(scenario.sides().len()) {
            return Err(damaged(&"it has other sides than the scenario"));
        }
        Ok(Some(known))
    }

    fn keep(&self, analysis: &GameAnalysis) -> Result<(), Failure> {
        let text = serde_json::to_string(analysis).map_err(anyhow::Error::from)?;
        write_atomically(&self.path(analysis.game), |out| Ok(out.write_all(text.as_bytes())?))?;
        Ok(())
    }

    /// Writes table `analysis` of all games that are there.
    fn publish(&self, scenario: &dyn AnyScenario) -> Result<(), Failure> {
        let folder = self.root.join(GAMES);
        let entries = fs::read_dir(&folder).map_err(|error| Failure::file("read", &folder, &error))?;
        let mut numbers: Vec<u64> = entries
            .filter_map(|entry| {
                let name = entry.ok()?.file_name();
                name.to_str()?.strip_prefix("game-")?.strip_suffix(".json")?.parse().ok()
            })
            .collect();
        numbers.sort_unstable();
        let mut all = Vec::new();
        for game in numbers {
            all.extend(self.read(game, scenario)?);
        }
        let schema = schema(scenario.sides());
        let path = self.root.join(format!("{}.{}", schema.name, self.format.extension()));
        write_atomically(&path, |out| write_table(self.format, &schema, rows(&schema, &all), out))?;
        Ok(())
    }
}

/// The folder of the analyses by game.
const GAMES: &str = "games";
