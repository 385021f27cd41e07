//! Random games without tables, with their rows kept, or with the tables encoded too: work for a profiler that counts
//! instructions. `cargo run --release --example tables -- bare|kept|encoded [GAMES] [SCENARIO]`

use std::io::sink;

use sandtable::run::schedule::chunk_games;
use sandtable::system::{Batch, Extras, Setup, open};
use sandtable::systems;
use sandtable::table::Format;
use sandtable::table::write::write;

fn main() {
    let mut args = std::env::args().skip(1);
    let mode = args.next().unwrap_or_else(|| "encoded".into());
    let games: u64 = args.next().map_or(100, |games| games.parse().expect("a number of games"));
    let name = args.next().unwrap_or_else(|| "blitzwar/campaign-1939".into());
    let systems = systems::all();
    let scenario = open(&systems, &name, &[]).expect("a scenario");
    let random = || "random".parse().expect("an agent");
    let agents = scenario.sides().iter().map(|_| random()).collect();
    let setup = Setup { agents, seed: 1, extras: Extras::default() };
    if mode == "bare" {
        return scenario.play_without_tables(&setup, 0..games).expect("agents for all sides");
    }
    let schemas = scenario.tables(setup.extras);
    let mut player = scenario.player(&setup).expect("agents for all sides");
    let part = scenario.system().part_games;
    let chunk = chunk_games(part);
    for first in (0..games).step_by(part as usize) {
        let end = (first + part).min(games);
        let mut chunks = Vec::new();
        for start in (first..end).step_by(chunk as usize) {
            (start..(start + chunk).min(end)).for_each(|game| player.play(game));
            chunks.push(player.take());
        }
        let tables = Batch::concat(chunks).map(|whole| whole.tables);
        for (schema, rows) in schemas.iter().zip(tables.into_iter().flatten()) {
            if mode == "encoded" || mode == schema.name {
                write(Format::Parquet, schema, rows, sink()).expect("a table");
            }
        }
    }
}
