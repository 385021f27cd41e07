//! The command line.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use sandtable_stats::design::Factor;
use sandtable_stats::sprt::Sprt;

use crate::build_info;
use crate::lab::balance::HandicapParameter;
use crate::lab::compare::Effect;
use crate::lab::tournament::manifest::{Layout, Stopping};
use crate::lab::tune::search::Method;
use crate::manifest::Shard;
use crate::system::Override;
use crate::table::Format;

/// Plays board wargames by the thousand, and writes tables about them.
#[derive(Clone, Debug, Parser)]
#[command(name = "sandtable", version = build_info::full_version(), arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// The command line of this process.
    ///
    /// # Errors
    /// What to print, and how to end, where it cannot be read or asks for help.
    pub fn read() -> Result<Cli, clap::Error> {
        with_negative_numbers(Cli::command())
            .try_get_matches()
            .and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches))
            .map_err(with_what_was_expected)
    }
}

/// Takes `-1` for the value of an option and not for an option, so that who refuses it can name the option.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let option = |arg: clap::Arg| {
        let takes = arg.get_action().takes_values() && !arg.is_positional();
        arg.allow_negative_numbers(takes)
    };
    command.mut_args(option).mut_subcommands(with_negative_numbers)
}

/// Says what was expected where the standard library says of a number only that it is none.
fn with_what_was_expected(error: clap::Error) -> clap::Error {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<ParseIntError>());
    let (Some(cause), ErrorKind::ValueValidation) = (cause, error.kind()) else { return error };
    let said = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let (option, value) = (said(ContextKind::InvalidArg), said(ContextKind::InvalidValue));
    let expected = match cause.kind() {
        IntErrorKind::PosOverflow => "a smaller number",
        IntErrorKind::NegOverflow => "a larger number",
        _ if value.starts_with('-') => "a whole number that is not negative",
        _ => "a whole number",
    };
    let text = format!(
        "invalid value '{value}' for '{option}': expected {expected}\n\nFor more information, try '--help'.\n"
    );
    clap::Error::raw(ErrorKind::ValueValidation, text)
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// List systems and scenarios, or agents with their options
    List(ListArgs),
    /// Describe a scenario: its sides, length, forces and map
    Describe(DescribeArgs),
    /// Play games and write a run folder of tables
    Play(Box<PlayArgs>),
    /// Let agents play each other with sides swapped, and rate them
    Tournament(Box<TournamentArgs>),
    /// Measure how fair a scenario is between agents of several strengths, and what would make it so
    Balance(Box<BalanceArgs>),
    /// Measure what difference a change makes: two scenarios, values or agent assignments with the same dice
    Compare(Box<CompareArgs>),
    /// Play a designed experiment over values of a scenario, and show which of them matter
    Sweep(SweepArgs),
    /// Make an agent stronger by self-play, or a scenario fair, by tuning its parameters
    Tune(Box<TuneArgs>),
    /// Learn from games what positions are worth, for the evaluator that search cuts its rollouts with
    Learn(LearnArgs),
    /// Put the shards of a run, a tournament or a sweep together
    Merge(MergeArgs),
    /// Print the log of a game of a run, or draw it
    Replay(ReplayArgs),
    /// Say what was given away in games of a run, and how much of their results was luck
    Analyse(AnalyseArgs),
    /// Draw the board of a scenario at its start, or at a moment of a game of a run, as SVG
    Render(RenderArgs),
    /// Write what came out of a run or study as one HTML page with plots
    Report(ReportArgs),
    /// Run worked examples
    Check(CheckArgs),
    /// Show which rules are covered by code, examples and tests
    Rules(RulesArgs),
    /// Write a scenario's data into a folder, to be edited and played by its path
    Export(ExportArgs),
    /// Check a scenario's data, and that random games keep the invariants
    Validate(ValidateArgs),
    /// Compute the odds of a battle or of the weather, exactly
    #[command(subcommand)]
    Odds(OddsCommand),
    /// Document the tables that the commands write, column by column
    Schema(SchemaArgs),
    /// Measure the speed of random games, with and without tables; or print the behaviour signature
    Bench(BenchArgs),
    /// Print a script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Write the manual pages of all commands into a folder
    Man(ManArgs),
}

/// Arguments of `list`.
#[derive(Clone, Debug, Args)]
pub struct ListArgs {
    /// List the agents and their options instead
    #[arg(long)]
    pub agents: bool,
    /// Print systems, scenarios and agents with all options as JSON
    #[arg(long)]
    pub json: bool,
}

/// The formats of tables, by name.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    let value = |format: Format| match format {
        Format::Parquet => PossibleValue::new(format.extension()).help("Apache Parquet"),
        Format::Csv => PossibleValue::new(format.extension())
            .help("Comma-separated values with a header line; a missing value is an empty cell"),
    };
    PossibleValuesParser::new(Format::ALL.map(value)).try_map(|text| text.parse::<Format>())
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
    #[arg(long, value_parser = format_parser())]
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
    pub layout: Option<Layout>,
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
    /// Play only share I of N, to be put together with `sandtable merge`
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Where it is kept, and what is shown
    #[command(flatten)]
    pub lab: LabArgs,
}

/// Arguments that all studies share.
#[derive(Clone, Debug, Args)]
pub struct StudyArgs {
    /// How many games each arm of the study plays, all with the same dice [default: 1000]; in the folder of a study,
    /// more than it has adds to it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: Option<u64>,
    /// The seed [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Where it is kept, and what is shown
    #[command(flatten)]
    pub lab: LabArgs,
}

/// Where the work of the lab is kept, and what is shown of it.
#[derive(Clone, Debug, Args)]
pub struct LabArgs {
    /// The folder, new or one to go on with or to add to [default: a new folder in runs/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The format of the tables [default: parquet]
    #[arg(long, value_parser = format_parser())]
    pub format: Option<Format>,
    /// How many threads play [default: all]; it changes no value
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Show no progress and no report
    #[arg(long)]
    pub quiet: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `balance`. With nothing but --out it goes on with a study that was stopped, with more --games it adds
/// to it.
#[derive(Clone, Debug, Args)]
pub struct BalanceArgs {
    /// A scenario's name or the path of an edited copy
    pub scenario: Option<String>,
    /// An agent that plays all sides, such as scripted; once for each strength [default: random, and the system's own]
    #[arg(long = "agent", value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Replace a value of the scenario's data
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
    /// Find the value of a number in the scenario's data at which the game is fair, such as
    /// `setup.axis.extra_supply=0..20`; ends written with a point allow any value between, a step only such steps
    #[arg(long, value_name = "PATH=LOW..HIGH[:STEP]")]
    pub handicap: Option<HandicapParameter>,
    /// The score of the first team that counts as fair [default: 0.5]
    #[arg(long, value_name = "SCORE", requires = "handicap", value_parser = share)]
    pub target: Option<f64>,
    /// End the search for the handicap once its interval is so narrow [default: when its games are played]
    #[arg(long, value_name = "W", requires = "handicap", value_parser = positive)]
    pub width: Option<f64>,
    /// How many games the search may take for each agent [default: as --games]; none can be added later
    #[arg(long, value_name = "N", requires = "handicap", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub handicap_games: Option<u64>,
    /// Deny each side something in turn, to see what it is worth: a restriction of the system (see `describe`), greedy,
    /// one-turn, or all
    #[arg(long, value_name = "NAME")]
    pub restrict: Vec<String>,
    /// What all studies share
    #[command(flatten)]
    pub common: StudyArgs,
}

/// Arguments of `compare`. With nothing but --out it goes on with a comparison that was stopped, with more --games it
/// adds to it.
#[derive(Clone, Debug, Args)]
pub struct CompareArgs {
    /// The scenario of arm A, by name or by the path of an edited copy
    pub a: Option<String>,
    /// The scenario of arm B [default: that of A]
    pub b: Option<String>,
    /// Replace a value of the data in both arms
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
    /// Replace a value of the data in arm A
    #[arg(long = "set-a", value_name = "PATH=VALUE")]
    pub set_a: Vec<Override>,
    /// Replace a value of the data in arm B
    #[arg(long = "set-b", value_name = "PATH=VALUE")]
    pub set_b: Vec<Override>,
    /// Who plays the sides that are not named [default: scripted, or random if the system has no script]
    #[arg(long, value_name = "AGENT")]
    pub agents: Option<String>,
    /// The same in arm A
    #[arg(long = "agents-a", value_name = "AGENT")]
    pub agents_a: Option<String>,
    /// The same in arm B
    #[arg(long = "agents-b", value_name = "AGENT")]
    pub agents_b: Option<String>,
    /// Who plays a side, such as axis=mcts:iterations=2000
    #[arg(long = "side", value_name = "SIDE=AGENT")]
    pub sides: Vec<String>,
    /// The same in arm A
    #[arg(long = "side-a", value_name = "SIDE=AGENT")]
    pub sides_a: Vec<String>,
    /// The same in arm B
    #[arg(long = "side-b", value_name = "SIDE=AGENT")]
    pub sides_b: Vec<String>,
    /// Say how many games it takes to see such a difference: of shares, such as 0.05 [default], or of a measure, such
    /// as points=0.5 or turns=1
    #[arg(long = "effect", value_name = "[MEASURE=]SIZE")]
    pub effects: Vec<Effect>,
    /// The power: the probability with which it is to be seen
    #[arg(long, value_name = "P", default_value_t = 0.8, value_parser = power)]
    pub power: f64,
    /// What all studies share
    #[command(flatten)]
    pub common: StudyArgs,
}

/// Reads the power of a test.
fn power(text: &str) -> Result<f64, String> {
    let power = text.parse().ok().filter(|power| *power >= 0.05 && *power < 1.0);
    power.ok_or_else(|| "expected a probability from 0.05 up to but not including 1, such as 0.8".to_owned())
}

/// Reads a share between 0 and 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "expected a number between 0 and 1, such as 0.5".to_owned())
}

/// Reads a number above 0.
fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

/// Arguments of `sweep`. With the same file and folder it goes on where it was stopped, with more games it adds to
/// them.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = include_str!("lab/sweep/example.toml"))]
pub struct SweepArgs {
    /// The experiment: scenario, games, agents, design and factors; --help shows one
    pub file: PathBuf,
    /// How many games are played at each point by each agent assignment [default: as the file says]; in the folder of
    /// this sweep, more than it has adds to it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: Option<u64>,
    /// Play only share I of N, to be put together with `sandtable merge`
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Where it is kept, and what is shown
    #[command(flatten)]
    pub lab: LabArgs,
}

/// Arguments of `tune`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = include_str!("lab/tune/help.txt"))]
pub struct TuneArgs {
    /// The agent to tune, such as scripted or mcts:iterations=200; or the word scenario
    pub what: String,
    /// After the word scenario: the scenario to tune, by name or path
    #[arg(required_if_eq("what", "scenario"))]
    pub name: Option<String>,
    /// Where the agent plays
    #[arg(long, value_name = "SCENARIO")]
    pub scenario: Option<String>,
    /// The side whose weights are tuned, or all
    #[arg(long, default_value = "all")]
    pub side: String,
    /// Tune only this weight, such as axis.kill; once for each. Some, such as dates, are tuned only so
    #[arg(long = "weight", value_name = "SIDE.NAME")]
    pub weights: Vec<String>,
    /// Tune a numeric option of the agent, such as c=0.1..3; ends without a point allow whole numbers only; once for
    /// each
    #[arg(long = "option", value_name = "NAME=LOW..HIGH")]
    pub options: Vec<Turn>,
    /// Tune a number in the scenario's data; ends without a point allow whole numbers only; once for each
    #[arg(long = "parameter", value_name = "PATH=LOW..HIGH")]
    pub parameters: Vec<Turn>,
    /// The score that a side's team is to have, such as axis=0.5
    #[arg(long, value_name = "SIDE=SCORE")]
    pub target: Option<Override>,
    /// Who plays all sides of a scenario that is tuned [default: scripted]
    #[arg(long, value_name = "AGENT")]
    pub agents: Option<String>,
    /// Replace a value of the scenario's data
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
    /// Games of all runs, the play-off and the proof together
    #[arg(long, value_name = "GAMES", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub budget: u64,
    /// The optimiser
    #[arg(long, value_enum, default_value_t)]
    pub method: Method,
    /// How many short runs there are, which meet in a play-off
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub runs: u64,
    /// Looks (games, or pairs of games) at each question of a run
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub batch: u64,
    /// The test by which an agent's new values are proven against the old ones
    #[arg(
        long,
        value_name = "ELO0,ELO1,ALPHA,BETA",
        default_value = "0,20,0.05,0.05",
        allow_hyphen_values = true
    )]
    pub sprt: Sprt,
    /// The seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Let an optimiser outside ask for points in lines of JSON on standard input, and answer on standard output
    #[arg(long, conflicts_with_all = ["out", "format", "json", "method", "runs", "batch", "budget", "sprt"])]
    pub ask_tell: bool,
    /// Where it is kept, and what is shown
    #[command(flatten)]
    pub lab: LabArgs,
}

/// Arguments of `learn`.
#[derive(Clone, Debug, Args)]
pub struct LearnArgs {
    /// Scenarios of one system, by name or path, that are to share what is learned
    #[arg(required = true)]
    pub scenarios: Vec<String>,
    /// Who plays; of several, one is drawn for each side of each game
    #[arg(long = "agent", value_name = "AGENT", default_value = "scripted")]
    pub agents: Vec<String>,
    /// Games of each scenario; one of five is held out, to see how well the others predict it
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub games: u64,
    /// Replace a value of the scenarios' data
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
    /// The seed of the games
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Write what was learned to this file, which agents take as value=FILE.toml
    #[arg(long, value_name = "FILE.toml")]
    pub out: Option<PathBuf>,
    /// How many threads play [default: all]; it changes no value
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A number that may be turned: its name and range.
#[derive(Clone, PartialEq, Debug)]
pub struct Turn(pub Factor);

impl FromStr for Turn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected NAME=LOW..HIGH, such as c=0.1..3".to_owned();
        let (name, range) = text.split_once('=').ok_or_else(wrong)?;
        let (low, high) = range.split_once("..").ok_or_else(wrong)?;
        let (name, low, high) = (name.trim(), low.trim(), high.trim());
        let factor = match (low.parse::<i64>(), high.parse::<i64>()) {
            (Ok(low), Ok(high)) => Factor::integer(name, low, high),
            _ => Factor::real(name, low.parse().map_err(|_| wrong())?, high.parse().map_err(|_| wrong())?),
        };
        factor.check().map_err(|error| error.to_string())?;
        if name.is_empty() { Err(wrong()) } else { Ok(Turn(factor)) }
    }
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
    /// The last game turn of the log
    #[arg(long, value_name = "TURN")]
    pub until: Option<u32>,
    /// Print every move and all that comes of it [default: the headlines of each turn]
    #[arg(long, conflicts_with_all = ["html", "svg"])]
    pub all: bool,
    /// Write a page to step through the game turn by turn, instead of text
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Draw the board after the last turn told, instead of text
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Arguments of `analyse`.
#[derive(Clone, Debug, Args)]
pub struct AnalyseArgs {
    /// The run folder
    pub run: PathBuf,
    /// The number of the game [default: 0]
    #[arg(long, value_name = "N", conflicts_with = "games")]
    pub game: Option<u64>,
    /// The numbers of the games from A to B, B not among them
    #[arg(long, value_name = "A..B", value_parser = game_range)]
    pub games: Option<Range<u64>>,
    /// How positions are valued: `iterations` rollouts (16 to 100000) for a line that may be better, a quarter of them for the
    /// value of a position, and `rollout`, `depth` and `evaluator` as for agent flat-mc.
    /// The usual play of rollouts is the system's first plan, or else its policy of rollouts
    #[arg(long, value_name = "OPTIONS", default_value = "iterations=64")]
    pub budget: String,
    /// How many other actions are tried at a decision, in games without plans
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub alternatives: u16,
    /// How many objectives of operations are tried beside the plans, the most promising first, in systems that have some
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub operations: u16,
    /// The seed of the rollouts
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Rank the kinds of choice by what they gave away a game, instead of telling each game
    #[arg(long)]
    pub summary: bool,
    /// Write a page of one game: the expected result, luck and skill, the board, and the blunders to click on
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "summary"])]
    pub html: Option<PathBuf>,
    /// Keep the analysis of each game, and table `analysis`, in this folder; games that are there are not analysed again
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The format of the table [default: parquet]
    #[arg(long, value_parser = format_parser(), requires = "out")]
    pub format: Option<Format>,
    /// How many threads work [default: all]; it changes no value
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "summary")]
    pub json: bool,
}

/// Two numbers of games, such as 0..20.
fn game_range(text: &str) -> Result<Range<u64>, String> {
    let ends = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    match ends {
        Some((from, to)) if from < to => Ok(from..to),
        _ => Err("expected two numbers such as 0..20, the second the larger".to_owned()),
    }
}

/// Arguments of `render`.
#[derive(Clone, Debug, Args)]
pub struct RenderArgs {
    /// A scenario's name or the path of an edited copy
    #[arg(required_unless_present = "run", conflicts_with = "run")]
    pub scenario: Option<String>,
    /// A run folder, to draw a moment of one of its games
    #[arg(long, value_name = "RUN")]
    pub run: Option<PathBuf>,
    /// The number of the game [default: 0]
    #[arg(long, value_name = "N", requires = "run", conflicts_with = "scenario")]
    pub game: Option<u64>,
    /// The game turn after which the board is drawn; 0 is the start [default: the last]
    #[arg(long, value_name = "TURN", requires = "run", conflicts_with = "scenario")]
    pub turn: Option<u32>,
    /// Replace a value of the scenario's data
    #[arg(long = "set", value_name = "PATH=VALUE", conflicts_with = "run")]
    pub set: Vec<Override>,
    /// What to show beside terrain and units on a map of hexes: `control`, and what else the system has, such as `zoc`;
    /// several with commas between
    #[arg(long, value_name = "LAYERS", value_delimiter = ',')]
    pub show: Vec<String>,
    /// The file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `report`.
#[derive(Clone, Debug, Args)]
pub struct ReportArgs {
    /// The folder of a run, tournament, balance, comparison, sweep or tuning
    pub run: PathBuf,
    /// The page [default: report.html in the folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
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
    /// A table; or a scenario, whose tables have its own sides. Without it all tables are listed
    #[arg(value_name = "TABLE|SCENARIO")]
    pub name: Option<String>,
    /// One table of the scenario only
    #[arg(value_name = "TABLE")]
    pub table: Option<String>,
    /// Print the columns as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell whose completions are printed
    pub shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// The folder of the pages, such as ~/.local/share/man/man1; it is made if it is not there
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
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

/// What odds to tell.
#[derive(Clone, Debug, Subcommand)]
pub enum OddsCommand {
    /// The exact outcome distribution of a battle, by the rules' own combat code
    Combat(Box<CombatArgs>),
    /// The distribution of the weather: by turn, by season, of runs, of "at least k such turns between two dates";
    /// and of card draws
    Weather(WeatherArgs),
    /// The distribution of the order in which formations are drawn to act in a turn, and the chance that one acts before
    /// another
    Initiative(InitiativeArgs),
    /// The distribution of who joins whom when war is declared on a nation: the chain of reactions, exactly
    Reactions(ReactionArgs),
    /// The chance that each diplomatic event happens, month by month, under stated attempts
    Events(EventArgs),
}

/// How odds are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum OddsFormat {
    /// For people.
    #[default]
    Text,
    /// Comma-separated values with a header line.
    Csv,
    /// Apache Parquet; needs --out.
    Parquet,
}

/// The tables of `odds weather`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum WeatherTable {
    /// The weather by turn.
    #[default]
    Weather,
    /// Cards and the like that are drawn by the calendar.
    Draws,
}

/// Arguments that all odds share.
#[derive(Clone, Debug, Args)]
pub struct OddsOutput {
    /// How to show the odds
    #[arg(long, value_enum, default_value_t)]
    pub format: OddsFormat,
    /// Write to a new file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

/// Arguments of `odds combat`. Units, places and positions are written as in worked examples
/// (scenarios/<system>/examples/README.md).
#[derive(Clone, Debug, Args)]
pub struct CombatArgs {
    /// A system's name, or a scenario's name or path
    pub system: String,
    /// Attackers from one place, such as "bialystok: ger I3, ger C1" in BlitzWar, "minsk: ger panzer 4, ger infantry 3"
    /// in Victory in Europe, "3523: I/69" in Roads to Moscow; may be given again
    #[arg(
        long,
        value_name = "PLACE: UNITS",
        required_unless_present = "example",
        conflicts_with = "example"
    )]
    pub attack: Vec<String>,
    /// The place attacked and its defenders, such as "minsk: ussr I2, ussr I1 fortified, ussr A1 mission" in BlitzWar,
    /// "smolensk: ussr guards 3, Zhukov 2" in Victory in Europe, "3623: I/113" in Roads to Moscow
    #[arg(
        long,
        value_name = "PLACE: UNITS",
        required_unless_present = "example",
        conflicts_with = "example"
    )]
    pub defend: Option<String>,
    /// Other units on the map, such as "minsk: ger A1 mission"; may be given again
    #[arg(long = "units", value_name = "PLACE: UNITS", conflicts_with = "example")]
    pub units: Vec<String>,
    /// More of the position, such as `dates = { east_attack = 15 }`
    #[arg(long, value_name = "TOML", conflicts_with = "example")]
    pub position: Option<String>,
    /// The game turn [default: the scenario's first]
    #[arg(long, value_name = "TURN", conflicts_with = "example")]
    pub turn: Option<u8>,
    /// The weather, such as mud, or winter or mild [default: that of the turn]
    #[arg(long, conflicts_with = "example")]
    pub weather: Option<String>,
    /// The terrain of the place attacked [default: that of the map]
    #[arg(long, conflicts_with = "example")]
    pub terrain: Option<String>,
    /// Take the battle from a worked example: its identifier, of a file of your own FILE#ID
    #[arg(long, value_name = "[FILE#]ID")]
    pub example: Option<String>,
    /// Which of the example's attacks
    #[arg(long, value_name = "N", default_value_t = 1, requires = "example", value_parser = clap::value_parser!(u16).range(1..))]
    pub nth: u16,
    /// What the sides do where the rules leave a choice, such as again=2-1 or defender=hold in BlitzWar, blitz=1 or
    /// defender=6 (units leave below six steps) in Victory in Europe, table=mobile or attack=overrun in Roads to Moscow; may
    /// be given again
    #[arg(long = "policy", value_name = "KEY=VALUE")]
    pub policies: Vec<Override>,
    /// Sample so many battles too, and show the estimates beside the exact odds
    #[arg(long, value_name = "N", conflicts_with = "grid", value_parser = clap::value_parser!(u64).range(1..=10_000_000_000))]
    pub samples: Option<u64>,
    /// The seed of the samples
    #[arg(long, value_name = "S", default_value_t = 1, requires = "samples")]
    pub seed: u64,
    /// Tabulate the battle over strengths from 1 to A of the attacker and 1 to D of the defender
    #[arg(long, value_name = "AxD", num_args = 0..=1, default_missing_value = "12x6", value_parser = grid)]
    pub grid: Option<(u8, u8)>,
    /// Tabulate the battle over the odds and the net modifiers of its combat table, where the system has one with a die
    /// that is modified
    #[arg(long, conflicts_with_all = ["grid", "samples"])]
    pub by_table: bool,
    /// Replace a value of the scenario's data
    #[arg(long = "set", value_name = "PATH=VALUE", conflicts_with = "example")]
    pub set: Vec<Override>,
    /// How and where to show them
    #[command(flatten)]
    pub output: OddsOutput,
}

/// Reads the size of a grid.
fn grid(text: &str) -> Result<(u8, u8), String> {
    let size = |text: &str| text.parse().ok().filter(|size| (1..=60).contains(size));
    text.split_once('x')
        .and_then(|(attackers, defenders)| Some((size(attackers)?, size(defenders)?)))
        .ok_or_else(|| "expected two strengths from 1 to 60, such as 12x6".to_owned())
}

/// Arguments of `odds weather`.
#[derive(Clone, Debug, Args)]
pub struct WeatherArgs {
    /// A system's name, or a scenario's name or path
    pub system: String,
    /// The kinds of weather that runs and counts are about [default: the fairest]
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub kind: Vec<String>,
    /// The first turn [default: the scenario's]
    #[arg(long, value_name = "TURN")]
    pub from: Option<u32>,
    /// The last turn [default: the scenario's]
    #[arg(long, value_name = "TURN")]
    pub to: Option<u32>,
    /// Ask for the probability of at least so many such turns
    #[arg(long, value_name = "K")]
    pub at_least: Option<u32>,
    /// What the sides do where the rules leave a choice, such as axis=random for the cards they lay; may be given again
    #[arg(long = "policy", value_name = "KEY=VALUE")]
    pub policies: Vec<Override>,
    /// Which table --format csv and parquet write
    #[arg(long, value_enum, default_value_t)]
    pub table: WeatherTable,
    /// Replace a value of the scenario's data
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
    /// How and where to show them
    #[command(flatten)]
    pub output: OddsOutput,
}

/// The tables of `odds reactions`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum ReactionTable {
    /// Every end of the chain.
    #[default]
    Chains,
    /// Each nation by itself.
    Nations,
}

/// Arguments of `odds reactions`.
#[derive(Clone, Debug, Args)]
pub struct ReactionArgs {
    /// A system's name, or a scenario's name or path
    pub system: String,
    /// The side that declares war
    #[arg(long, value_name = "SIDE")]
    pub by: String,
    /// The nation on which it does
    #[arg(long, value_name = "NATION")]
    pub on: String,
    /// What differs from the set-up, as worked examples write it: `month = "1940-07", status = { france = "defeated" }`,
    /// each key on a line of its own
    #[arg(long, value_name = "TOML")]
    pub position: Option<String>,
    /// Play so many chains too, and show the estimates beside the exact odds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub samples: Option<u64>,
    /// The seed of the samples
    #[arg(long, value_name = "S", default_value_t = 1, requires = "samples")]
    pub seed: u64,
    /// Which table --format csv and parquet write
    #[arg(long, value_enum, default_value_t)]
    pub table: ReactionTable,
    /// Replace a value of the scenario's data
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
    /// How and where to show them
    #[command(flatten)]
    pub output: OddsOutput,
}

/// Arguments of `odds events`.
#[derive(Clone, Debug, Args)]
pub struct EventArgs {
    /// A system's name, or a scenario's name or path
    pub system: String,
    /// For how many months; without it six, or to the end of the calendar if that comes sooner
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub months: Option<u8>,
    /// What differs from the set-up, as worked examples write it: `status = { france = "defeated" }`, each key on a line of
    /// its own
    #[arg(long, value_name = "TOML")]
    pub position: Option<String>,
    /// The events that a camp tries, the dearest first, such as axis=BS+YX; may be given again. Without any, each event that is
    /// possible is looked at as the only one that is tried
    #[arg(long = "policy", value_name = "KEY=VALUE")]
    pub policies: Vec<Override>,
    /// Play so many courses too, and show the estimates beside the exact odds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub samples: Option<u64>,
    /// The seed of the samples
    #[arg(long, value_name = "S", default_value_t = 1, requires = "samples")]
    pub seed: u64,
    /// Replace a value of the scenario's data
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
    /// How and where to show them
    #[command(flatten)]
    pub output: OddsOutput,
}

/// The tables of `odds initiative`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum InitiativeTable {
    /// When each formation is drawn first.
    #[default]
    Order,
    /// Which formation is drawn before which.
    Before,
}

/// Arguments of `odds initiative`.
#[derive(Clone, Debug, Args)]
pub struct InitiativeArgs {
    /// A system's name, or a scenario's name or path
    pub system: String,
    /// The game turn [default: 2, or the only one]
    #[arg(long, value_name = "TURN")]
    pub turn: Option<u8>,
    /// What came before and what the sides do, such as holder=german, soviet=2 (a modifier), first=soviet, opening=10Pz; may
    /// be given again
    #[arg(long = "policy", value_name = "KEY=VALUE")]
    pub policies: Vec<Override>,
    /// Play so many turns too, and show the estimates beside the exact odds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub samples: Option<u64>,
    /// The seed of the samples
    #[arg(long, value_name = "S", default_value_t = 1, requires = "samples")]
    pub seed: u64,
    /// Which table --format csv and parquet write
    #[arg(long, value_enum, default_value_t)]
    pub table: InitiativeTable,
    /// Replace a value of the scenario's data
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
    /// How and where to show them
    #[command(flatten)]
    pub output: OddsOutput,
}
