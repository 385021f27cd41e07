//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::lab::tournament::manifest::{Layout, Stopping};
use crate::run::manifest::Shard;
use crate::system::Override;
use crate::table::Format;

/// Plays board wargames by the thousand, and writes tables about them.
#[derive(Clone, Debug, Parser)]
#[command(name = "sandtable", version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("SANDTABLE_COMMIT"), ")"), arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// List systems, scenarios, and agents with their options
    List,
    /// Describe a scenario: its sides, length, forces and map
    Describe(DescribeArgs),
    /// Play games and write a run folder of tables
    Play(Box<PlayArgs>),
    /// Let agents play each other with sides swapped, and rate them
    Tournament(Box<TournamentArgs>),
    /// Put the shards of a run or of a tournament together
    Merge(MergeArgs),
    /// Tell the story of a game of a run
    Replay(ReplayArgs),
    /// Run worked examples
    Check(CheckArgs),
    /// Show which rules are covered by code, examples and tests
    Rules(RulesArgs),
    /// Write a scenario's data into a folder, to be edited and played by its path
    Export(ExportArgs),
    /// Check a scenario's data without playing it
    Validate(ValidateArgs),
    /// Document the columns of the tables of runs and tournaments
    Schema(SchemaArgs),
    /// Measure the speed of random games, with and without tables; or print the behaviour signature
    Bench(BenchArgs),
}

/// Arguments of `describe`.
#[derive(Clone, Debug, Args)]
pub struct DescribeArgs {
    /// A scenario's name or the path of an edited copy
    pub scenario: String,
    /// Replace a value of the scenario's data
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
}

/// Arguments of `play`. Those that identify the run may be left out with `--resume`.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// A scenario's name or the path of an edited copy
    #[arg(required_unless_present = "resume")]
    pub scenario: Option<String>,
    /// How many games [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub games: Option<u64>,
    /// Who plays a side, such as axis=mcts:iterations=2000
    #[arg(long = "side", value_name = "SIDE=AGENT")]
    pub sides: Vec<String>,
    /// Who plays the sides that --side does not name
    #[arg(long, value_name = "AGENT")]
    pub agents: Option<String>,
    /// The seed: with the number of a game it fixes the whole game [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// How many threads play [default: all]; it changes no value
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The run folder, new or empty [default: a new folder in runs/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The format of the tables [default: parquet]
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Go on with the run in --out
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Play only share I of N, to be put together with `sandtable merge`
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Replace a value of the scenario's data
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
    /// Write table `decisions`: one row a decision, with search figures
    #[arg(long)]
    pub decisions: bool,
    /// Record every choice, for exact replays; done anyway where agents have a budget in milliseconds
    #[arg(long)]
    pub record: bool,
    /// How many games fill a part of the tables [default: by system and agents]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=16_777_216))]
    pub part_games: Option<u64>,
    /// Show no progress and no summary
    #[arg(long)]
    pub quiet: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `tournament`. In the folder of a tournament they add to it, and what is not given stays as it was.
#[derive(Clone, Debug, Args)]
pub struct TournamentArgs {
    /// An agent, such as mcts:iterations=2000; once for each
    #[arg(long = "agent", value_name = "AGENT")]
    pub agents: Vec<String>,
    /// A scenario's name or the path of an edited copy; once for each
    #[arg(long = "scenario", value_name = "SCENARIO")]
    pub scenarios: Vec<String>,
    /// Who meets whom [default: round-robin]
    #[arg(long, value_enum)]
    pub format: Option<Layout>,
    /// How many pairs of games (same dice, sides swapped) each two agents play in each scenario [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub pairs: Option<u64>,
    /// The seed [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// End a pairing as soon as this test of the Elo difference is decided, such as 0,20,0.05,0.05; the difference is
    /// that of the agent named first. Or none
    #[arg(long, value_name = "ELO0,ELO1,ALPHA,BETA", allow_hyphen_values = true)]
    pub sprt: Option<Stopping>,
    /// The folder, new or that of a tournament to add to or go on with [default: a new folder in runs/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The format of the tables [default: parquet]
    #[arg(long, value_enum)]
    pub tables: Option<Format>,
    /// How many threads play [default: all]; it changes no value
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Play only share I of N, to be put together with `sandtable merge`
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Show no progress and no report
    #[arg(long)]
    pub quiet: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `merge`.
#[derive(Clone, Debug, Args)]
pub struct MergeArgs {
    /// The new run folder
    pub out: PathBuf,
    /// The folders of all shards
    #[arg(required = true, value_name = "SHARD")]
    pub shards: Vec<PathBuf>,
}

/// Arguments of `replay`.
#[derive(Clone, Debug, Args)]
pub struct ReplayArgs {
    /// The run folder
    pub run: PathBuf,
    /// The number of the game
    #[arg(long, value_name = "N")]
    pub game: u64,
    /// The last game turn to tell
    #[arg(long, value_name = "TURN")]
    pub until: Option<u32>,
}

/// Arguments of `check`.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// Files of worked examples; without any, all that come with the program
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Arguments of `rules`.
#[derive(Clone, Debug, Args)]
pub struct RulesArgs {
    /// A system's name
    pub system: String,
    /// Print the table as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `export`.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// A scenario's name
    pub scenario: String,
    /// The folder, new or empty
    pub folder: PathBuf,
}

/// Arguments of `validate`.
#[derive(Clone, Debug, Args)]
pub struct ValidateArgs {
    /// The path of a scenario's data, or a scenario's name
    pub scenario: String,
}

/// Arguments of `schema`.
#[derive(Clone, Debug, Args)]
pub struct SchemaArgs {
    /// A scenario's name or path
    pub scenario: String,
    /// One table only
    pub table: Option<String>,
}

/// Arguments of `bench`.
#[derive(Clone, Debug, Args)]
pub struct BenchArgs {
    /// One scenario only
    pub scenario: Option<String>,
    /// Print a number that only a change of behaviour changes
    #[arg(long)]
    pub signature: bool,
    /// Seconds to measure each scenario for
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub seconds: u32,
}
