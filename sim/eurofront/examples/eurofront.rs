//! Random games in a loop, for an instruction counter, or one of them in words; what a copy and a redrawn state cost.
//!
//! `eurofront N [SCENARIO]`: plays N games, says how many decisions that was, and a number that changes with play alone:
//! whatever is made faster must leave it as it is. `eurofront log SEED [SCENARIO]`: prints the
//! decisions and facts of one. `eurofront copies N [SCENARIO]`: copies and redraws a state N times. The scenario is 1936 unless
//! another is named.

use sandtable_core::{Dice, Game, PlayContext, Rng64, Turn, play_out_random};
use sandtable_eurofront::{Camp, EuroFront, State};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let named = match &args[..] {
        [what, _, named] if matches!(what.as_str(), "log" | "copies") => named,
        [games, named] if games.parse::<u64>().is_ok() => named,
        _ => "1936",
    };
    let mut args = args.iter().cloned();
    let what = args.next().unwrap_or_else(|| "1".into());
    let number = |text: Option<String>| text.and_then(|text| text.parse::<u64>().ok());
    let name = format!("eurofront/{named}");
    let rules = sandtable_scenarios_eurofront::open(&name, &[]).expect("a scenario").into_rules();
    let game = EuroFront::new(rules).expect("rules");
    if what == "log" {
        return log(&game, number(args.next()).unwrap_or(1));
    }
    if what == "copies" {
        return copies(&game, number(args.next()).unwrap_or(1));
    }
    let games = what.parse().unwrap_or(1);
    let mut legal = Vec::with_capacity(4096);
    let (mut decisions, mut fortnights) = (0u64, 0u64);
    let mut wins = [0u32; 2];
    let mut digest = 0;
    let start = std::time::Instant::now();
    for nth in 0..games {
        let mut context = PlayContext::silent(Rng64::stream(1, nth, 0));
        let mut state = game.initial(&mut context);
        decisions += u64::from(play_out_random(&game, &mut state, &mut context, &mut legal));
        digest = fingerprint(&game, &state, digest ^ decisions);
        fortnights += u64::from(game.turn_number(&state));
        if let Some(winner) = game.outcome(&state).and_then(|outcome| outcome.winner) {
            wins[usize::from(winner)] += 1;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{games} games, {decisions} decisions, {fortnights} fortnights, wins {wins:?}, {digest:016x}");
    println!("{seconds:.2} s, {:.2} million decisions a second", decisions as f64 / seconds / 1e6);
}

/// A number for where all blocks are, their steps and who owns what, whatever the layout of a state.
fn fingerprint(game: &EuroFront, state: &State, start: u64) -> u64 {
    let blocks =
        game.block_ids().map(|block| u64::from(state.at(block).0) << 8 | u64::from(state.steps[block]));
    let [axis, coalition] = Camp::ALL.map(|camp| state.owners.of(camp));
    let land = [axis, coalition, state.owners.soviet()].into_iter().flat_map(|hexes| hexes.0);
    blocks
        .chain(land)
        .fold(start, |all, value| (all ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

fn log(game: &EuroFront, seed: u64) {
    let mut context = PlayContext { dice: Rng64::stream(seed, 0, 0), sink: Vec::new() };
    let mut choices = Rng64::stream(seed, 0, 1);
    let mut state = game.initial(&mut context);
    while let Turn::Decide(side) = game.turn_of(&state) {
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        let action = legal[choices.below(legal.len() as u32) as usize];
        println!(
            "{} {:?} {}: {}",
            game.turn_number(&state),
            state.phase,
            game.sides()[side.index()].id,
            game.describe(&state, action)
        );
        game.apply(&mut state, action, &mut context);
        for event in context.sink.drain(..) {
            println!("      {event:?}");
        }
    }
    println!("{:?}", game.outcome(&state));
}

fn copies(game: &EuroFront, times: u64) {
    let mut dice = Rng64::stream(1, 0, 0);
    let state = game.initial(&mut PlayContext::silent(Rng64::stream(2, 0, 0)));
    let nanoseconds = |start: std::time::Instant| start.elapsed().as_nanos() as f64 / times as f64;
    let start = std::time::Instant::now();
    for _ in 0..times {
        std::hint::black_box(*std::hint::black_box(&state));
    }
    println!("{} bytes, {:.0} ns a copy", size_of_val(&state), nanoseconds(start));
    let start = std::time::Instant::now();
    for nth in 0..times {
        std::hint::black_box(game.determinize(&state, sandtable_core::Side((nth % 2) as u8), &mut dice));
    }
    println!("{:.0} ns a redrawn state", nanoseconds(start));
}
