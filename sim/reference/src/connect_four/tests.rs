use super::*;
use sandtable_core::kit::{KitOptions, for_each_position};
use sandtable_core::{PlayContext, Rng64, play_out_random};

#[test]
fn keeps_the_invariants() {
    let game = ConnectFour::new();
    let options = KitOptions { games: 300, ..KitOptions::default() };
    let report = for_each_position(&game, &options, |state, legal| {
        for column in 0..COLUMNS as u8 {
            let offered = legal.contains(&Drop(column));
            if offered && !state.open(column) {
                return Err(format!("column {column} is full"));
            }
            if !offered && state.open(column) && !legal.is_empty() {
                return Err(format!("column {column} is missing"));
            }
        }
        Ok(())
    })
    .unwrap();
    assert!(report.longest <= CELLS && report.shortest >= 7);
    assert!(report.wins[0] > report.wins[1] && report.wins[1] > 0);
}

#[test]
fn a_stale_cache_shows_in_the_hash() {
    let game = ConnectFour::new();
    let won = State::after("1212121").unwrap();
    assert_eq!(game.hash(&won), game.recomputed_hash(&won));
    let stale = State { status: Status::Running, ..won };
    assert_ne!(game.hash(&stale), game.recomputed_hash(&stale));
}

/// Four in a row, looked for cell by cell.
fn plain_win(state: &State, side: Side) -> bool {
    let is = |column: i32, row: i32| {
        (0..COLUMNS as i32).contains(&column)
            && (0..ROWS as i32).contains(&row)
            && state.disc(column as u8, row as u8) == Some(side)
    };
    (0..COLUMNS as i32).any(|c| {
        (0..ROWS as i32).any(|r| {
            [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|(x, y)| (0..4).all(|i| is(c + i * x, r + i * y)))
        })
    })
}

#[test]
fn wins_are_those_seen_cell_by_cell() {
    let game = ConnectFour::new();
    for_each_position(
        &game,
        &KitOptions { games: 300, deep_every: 0, ..KitOptions::default() },
        |state, _| {
            let won = [Side(0), Side(1)].map(|side| plain_win(state, side));
            let winner = game.outcome(state).and_then(|outcome| outcome.winner);
            let expected = won.iter().position(|&won| won).map(|side| side as u8);
            if winner == expected { Ok(()) } else { Err(format!("{winner:?} instead of {expected:?}")) }
        },
    )
    .unwrap();
}

#[test]
fn lines_do_not_run_over_the_edge() {
    // Three on top of a column and one at the foot of the next are neighbours in the word, not on the board.
    let state = State::after("1112121212").map(|_| ());
    assert!(state.is_err(), "column 1 holds six discs");
    let wrap = (0b11_1000 | 1 << 7) as u64;
    assert!(!four_in_a_row(wrap));
    assert!(four_in_a_row(0b11_1100));
    let mut row = 0;
    for column in [4, 5, 6] {
        row |= 1u64 << (column * STRIDE);
    }
    assert!(!four_in_a_row(row | 1 << 1) && four_in_a_row(row | 1 << (3 * STRIDE)));
}

fn perft(game: &ConnectFour, state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.turn_of(state) == Turn::Over {
        return 0;
    }
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let mut context = PlayContext::silent(Rng64::stream(0, 0, 0));
    actions
        .iter()
        .map(|&action| {
            let mut next = *state;
            game.apply(&mut next, action, &mut context);
            perft(game, &next, depth - 1)
        })
        .sum()
}

#[test]
fn node_counts_are_the_known_ones() {
    let known = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536];
    for (depth, count) in known.into_iter().enumerate() {
        assert_eq!(perft(&ConnectFour::new(), &State::EMPTY, depth as u32), count, "depth {depth}");
    }
}

#[test]
fn notation_is_checked() {
    assert_eq!(State::after("44").unwrap().disc(3, 1), Some(Side(1)));
    for (columns, words) in
        [("48", "not a column"), ("4444444", "full"), ("12121213", "already over"), ("4x", "ply 2")]
    {
        let fault = State::after(columns).unwrap_err();
        assert!(fault.contains(words), "{columns}: {fault}");
    }
}

#[test]
fn facts_name_the_cell() {
    let game = ConnectFour::new();
    let mut context = PlayContext { dice: Rng64::stream(0, 0, 0), sink: Vec::new() };
    let mut state = game.initial(&mut context);
    game.apply(&mut state, Drop(2), &mut context);
    game.apply(&mut state, Drop(2), &mut context);
    assert_eq!(context.sink[1], Event::Dropped { side: Side(1), column: 2, row: 1 });
}

/// Full search without any of the solver's devices.
fn plain_score(state: &State) -> i32 {
    match state.status {
        Status::Won => return (state.plies() as i32 - 1) / 2 - CELLS as i32 / 2,
        Status::Drawn => return 0,
        Status::Running => {}
    }
    (0..COLUMNS as u8)
        .filter(|&column| state.open(column))
        .map(|column| {
            let mut next = *state;
            next.drop(column);
            -plain_score(&next)
        })
        .max()
        .unwrap()
}

#[test]
fn solver_agrees_with_plain_search() {
    let game = ConnectFour::new();
    let mut solver = Solver::new(16);
    let mut late = 0;
    let options = KitOptions { games: 400, deep_every: 0, ..KitOptions::default() };
    for_each_position(&game, &options, |state, _| {
        if state.plies() < 32 {
            return Ok(());
        }
        late += 1;
        let (solved, plain) = (solver.score(state), plain_score(state));
        if (solved, solver.value(state)) == (plain, plain.signum()) {
            Ok(())
        } else {
            Err(format!("{solved}, plainly {plain}"))
        }
    })
    .unwrap();
    assert!(late > 100, "{late} positions compared");
}

#[test]
fn known_positions_have_their_known_scores() {
    let mut solver = Solver::new(20);
    for (columns, score) in [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("71255763773133525731261364622167124446454", 0),
    ] {
        assert_eq!(solver.score(&State::after(columns).unwrap()), score, "{columns}");
    }
    assert_eq!(solver.score(&State::after("112233").unwrap()), 18, "four in the bottom row at once");
    let late = State::after("7422341735647741166133573473").unwrap();
    let scores = solver.scores(&late);
    let value = scores.iter().flatten().max().unwrap().signum();
    let best: Vec<Drop> = (0..7)
        .filter(|&c| scores[c as usize].is_some_and(|score| score.signum() == value))
        .map(Drop)
        .collect();
    assert_eq!(solver.best(&late), best);
}

#[test]
fn mirrored_positions_have_mirrored_scores() {
    let mut scores = Solver::new(20).scores(&State::after("4444443532").unwrap());
    scores.reverse();
    assert_eq!(scores, Solver::new(20).scores(&State::after("4444445356").unwrap()));
    assert_eq!(scores[4], Some(2), "the one move that wins");
}

#[test]
fn random_playouts_are_as_long_as_they_are_known_to_be() {
    // The mean length of uniformly random games is 21.3 plies or so; 20,000 games pin it to a tenth.
    let game = ConnectFour::new();
    let mut context = PlayContext::silent(Rng64::stream(5, 0, 0));
    let mut actions = Vec::new();
    let mut plies = 0;
    for _ in 0..20_000 {
        let mut state = game.initial(&mut context);
        plies += play_out_random(&game, &mut state, &mut context, &mut actions);
    }
    let mean = f64::from(plies) / 20_000.0;
    assert!((20.9..21.7).contains(&mean), "{mean}");
}
