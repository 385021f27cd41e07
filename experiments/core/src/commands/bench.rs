//! `sandtable bench`

use std::hash::Hash;
use std::io::{Write, sink, stdout};
use std::time::{Duration, Instant};

use sandtable_core::Digest;

use crate::cli::BenchArgs;
use crate::failure::Failure;
use crate::run::progress::rounded;
use crate::run::schedule::chunk_games;
use crate::system::{AnyScenario, AnySystem, Batch, Extras, Setup, open};
use crate::table::Format;
use crate::table::write::write;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &BenchArgs) -> Result<(), Failure> {
    let names: Vec<String> = match &args.scenario {
        Some(name) => vec![name.clone()],
        None => systems.iter().flat_map(|system| system.scenarios()).map(|scenario| scenario.id).collect(),
    };
    let mut out = stdout().lock();
    let mut all = Digest::default();
    for name in &names {
        let scenario = open(systems, name, &[])?;
        if args.signature {
            let signature = scenario.signature();
            signature.hash(&mut all);
            writeln!(out, "{signature:016x} {name}")?;
        } else {
            let speed = measure(scenario.as_ref(), Duration::from_secs(u64::from(args.seconds)))?;
            let (games, share) = (rounded(speed.games_per_second), 100.0 * speed.table_share);
            writeln!(
                out,
                "{name}: {games} random games a second on one core; tables add {share:.1}% to their time"
            )?;
        }
    }
    if args.signature && names.len() > 1 {
        writeln!(out, "{:016x} all", std::hash::Hasher::finish(&all))?;
    }
    Ok(())
}

struct Speed {
    games_per_second: f64,
    /// The time that keeping and encoding all tables adds, as a share of the time of playing.
    table_share: f64,
}

/// Plays the same random games with and without tables, a chunk each in turn, so that both meet the same load on the
/// machine. The tables of a part, or of as many games as the limit allows, are written together as in a run.
fn measure(scenario: &dyn AnyScenario, limit: Duration) -> Result<Speed, Failure> {
    let random = "random".parse().map_err(|error| Failure::Internal(anyhow::Error::new(error)))?;
    let setup = Setup {
        agents: scenario.sides().iter().map(|_| Clone::clone(&random)).collect(),
        seed: 1,
        extras: Extras::default(),
    };
    let schemas = scenario.tables(setup.extras);
    let mut player = scenario.player(&setup)?;
    let part = scenario.system().part_games;
    let chunk = chunk_games(part);
    // Warm up.
    scenario.play_without_tables(&setup, 0..1)?;
    let (mut bare, mut tabled, mut games) = (Duration::ZERO, Duration::ZERO, 0);
    while bare + tabled < limit {
        let mut chunks = Vec::new();
        let end = games + part;
        while games < end && bare + tabled < limit {
            let next = games..(games + chunk).min(end);
            games = next.end;
            let clock = Instant::now();
            scenario.play_without_tables(&setup, next.clone())?;
            bare += clock.elapsed();
            let clock = Instant::now();
            next.for_each(|game| player.play(game));
            chunks.push(player.take());
            tabled += clock.elapsed();
        }
        let clock = Instant::now();
        let tables = Batch::concat(chunks).map(|whole| whole.tables);
        for (schema, rows) in schemas.iter().zip(tables.into_iter().flatten()) {
            write(Format::Parquet, schema, rows, sink())?;
        }
        tabled += clock.elapsed();
    }
    Ok(Speed {
        games_per_second: games as f64 / bare.as_secs_f64(),
        table_share: tabled.as_secs_f64() / bare.as_secs_f64() - 1.0,
    })
}
