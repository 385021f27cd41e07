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

/// Plays the same random games with and without tables in turn, so that both meet the same weather on the machine.
fn measure(scenario: &dyn AnyScenario, limit: Duration) -> Result<Speed, Failure> {
    let random = "random".parse().map_err(|error| Failure::Internal(anyhow::Error::new(error)))?;
    let setup = Setup {
        agents: scenario.sides().iter().map(|_| Clone::clone(&random)).collect(),
        seed: 1,
        extras: Extras::default(),
    };
    let schemas = scenario.tables(setup.extras);
    let mut player = scenario.player(&setup)?;
    let batch = scenario.system().part_games;
    let chunk = chunk_games(batch);
    let (mut bare, mut tabled, mut rounds) = (Duration::ZERO, Duration::ZERO, 0);
    // The first round only warms up.
    for round in 0.. {
        let games = round * batch..(round + 1) * batch;
        let clock = Instant::now();
        scenario.play_without_tables(&setup, games.clone())?;
        let without = clock.elapsed();
        let clock = Instant::now();
        let mut whole: Option<Batch> = None;
        for first in games.clone().step_by(chunk as usize) {
            (first..games.end.min(first + chunk)).for_each(|game| player.play(game));
            match &mut whole {
                Some(whole) => whole.append(player.take()),
                None => whole = Some(player.take()),
            }
        }
        for (schema, rows) in schemas.iter().zip(whole.into_iter().flat_map(|whole| whole.tables)) {
            write(Format::Parquet, schema, rows, sink())?;
        }
        let with = clock.elapsed();
        if round > 0 {
            bare += without;
            tabled += with;
            rounds += 1;
        }
        if rounds > 0 && bare + tabled >= limit {
            break;
        }
    }
    Ok(Speed {
        games_per_second: (rounds * batch) as f64 / bare.as_secs_f64(),
        table_share: tabled.as_secs_f64() / bare.as_secs_f64() - 1.0,
    })
}
