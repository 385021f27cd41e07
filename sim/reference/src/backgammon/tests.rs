use super::*;
use sandtable_core::kit::{KitOptions, for_each_position, run};
use sandtable_core::{PlayContext, Rng64, Scripted, play_out_random};
use std::collections::BTreeSet;

type Told = PlayContext<Scripted, Vec<Event>>;

fn told(faces: &[u32]) -> Told {
    PlayContext { dice: Scripted::faces(faces), sink: Vec::new() }
}

const WHITE: Side = Side(0);
const BLACK: Side = Side(1);

/// White to play `dice`; the rolls of later turns, should the play be forced, are 2-1, 2-1 and so on.
fn position(white: &[(u8, u8)], black: &[(u8, u8)], dice: [u8; 2]) -> (State, Vec<Event>) {
    let mut context = told(&[2, 1].repeat(50));
    let state = State::set_up([white, black], WHITE, dice, &mut context).unwrap();
    (state, context.sink)
}

fn legal(state: &State) -> Vec<(u8, u8)> {
    let mut out = Vec::new();
    Backgammon::new().legal_actions(state, &mut out);
    out.iter().map(|play| (play.die, play.from)).collect()
}

fn moved(side: Side, from: u8, to: u8, hit: bool) -> Event {
    Event::Moved { side, from, to, hit }
}

#[test]
fn keeps_the_invariants() {
    let options = KitOptions { games: 30, deep_every: 7, ..KitOptions::default() };
    let report = run(&Backgammon::new(), &options).unwrap();
    assert_eq!((report.forced, report.draws), (0, 0));
    assert!(report.wins[0] > 0 && report.wins[1] > 0);
}

#[test]
fn every_position_offers_exactly_the_plays_of_the_rule_as_written() {
    let game = Backgammon::new();
    let mut cramped = 0;
    let options = KitOptions { games: 200, deep_every: 0, ..KitOptions::default() };
    for_each_position(&game, &options, |state, actions| {
        if actions.is_empty() {
            return Ok(());
        }
        let dice = state.dice_left();
        let plain = plain_first_plays(state, &dice);
        let offered: BTreeSet<(u8, u8)> = actions.iter().map(|play| (play.die, play.from)).collect();
        let anything: usize = state
            .dice
            .iter()
            .filter(|&&die| die > 0)
            .map(|&die| plain_sources(&sides(state), die).len())
            .sum();
        cramped += u32::from(offered.len() < anything);
        if offered == plain { Ok(()) } else { Err(format!("{offered:?}, by the rule {plain:?}: {state:?}")) }
    })
    .unwrap();
    assert!(cramped > 10, "the duty to play both dice mattered {cramped} times");
}

/// The mover's checkers and the other side's, each as that side counts.
type Plain = [[u8; 26]; 2];

fn sides(state: &State) -> Plain {
    [state.checkers[state.mover as usize].count, state.checkers[1 - state.mover as usize].count]
}

fn plain_sources(board: &Plain, die: u8) -> Vec<u8> {
    let [own, other] = board;
    (1..=25u8)
        .filter(|&from| {
            if own[from as usize] == 0 || (own[25] > 0 && from != 25) {
                return false;
            }
            if from > die {
                return other[25 - (from - die) as usize] < 2;
            }
            let home = own[7..].iter().all(|&count| count == 0);
            home && (from == die || own[from as usize + 1..].iter().all(|&count| count == 0))
        })
        .collect()
}

fn plain_play(board: &Plain, die: u8, from: u8) -> Plain {
    let mut next = *board;
    next[0][from as usize] -= 1;
    let to = from.saturating_sub(die);
    next[0][to as usize] += 1;
    if to > 0 && next[1][25 - to as usize] == 1 {
        next[1][25 - to as usize] = 0;
        next[1][25] += 1;
    }
    next
}

/// The most dice that can be played, in any order.
fn plain_depth(board: &Plain, dice: &[u8]) -> usize {
    let mut best = 0;
    for (i, &die) in dice.iter().enumerate() {
        if dice[..i].contains(&die) {
            continue;
        }
        let mut rest = dice.to_vec();
        rest.remove(i);
        for from in plain_sources(board, die) {
            best = best.max(1 + plain_depth(&plain_play(board, die, from), &rest));
            if best == dice.len() {
                return best;
            }
        }
    }
    best
}

/// First plays of the sequences that use as many dice as possible, and the higher die if only one can be used.
fn plain_first_plays(state: &State, dice: &[u8]) -> BTreeSet<(u8, u8)> {
    let board = sides(state);
    let most = plain_depth(&board, dice);
    let mut plays = BTreeSet::new();
    for (i, &die) in dice.iter().enumerate() {
        let mut rest = dice.to_vec();
        rest.remove(i);
        for from in plain_sources(&board, die) {
            if 1 + plain_depth(&plain_play(&board, die, from), &rest) == most {
                plays.insert((die, from));
            }
        }
    }
    if most == 1 && dice.len() == 2 {
        let highest = plays.iter().map(|play| play.0).max();
        plays.retain(|play| Some(play.0) == highest);
    }
    plays
}

#[test]
fn the_higher_opening_die_begins_with_both() {
    let game = Backgammon::new();
    let mut context = told(&[4, 4, 2, 5]);
    let state = game.initial(&mut context);
    assert_eq!(game.turn_of(&state), Turn::Decide(BLACK));
    assert_eq!(state.dice_left(), [2, 5]);
    assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())));
    assert_eq!((state.pips(WHITE), state.pips(BLACK)), (167, 167));
    assert_eq!(legal(&state), [(2, 6), (2, 8), (2, 13), (2, 24), (5, 8), (5, 13)]);
}

#[test]
fn dice_that_tie_for_ever_still_begin() {
    let state = Backgammon::new().initial(&mut told(&[]));
    assert_eq!(state.dice_left(), [1; 4]);
}

#[test]
fn checkers_on_the_bar_enter_first() {
    let (state, _) = position(&[(BAR, 1), (13, 2), (8, 2)], &[(1, 2)], [3, 5]);
    assert_eq!(legal(&state), [(3, BAR), (5, BAR)]);
    // The first entry leaves the other die free.
    let mut next = state;
    Backgammon::new().apply(&mut next, Play { die: 3, from: BAR }, &mut told(&[]));
    assert_eq!(legal(&next), [(5, 8), (5, 13), (5, 22)]);
}

#[test]
fn a_closed_board_keeps_the_bar_waiting() {
    let closed: Vec<(u8, u8)> = (1..=6).map(|point| (point, 2)).chain([(13, 3)]).collect();
    let (state, facts) = position(&[(BAR, 1), (13, 2)], &closed, [3, 5]);
    assert_eq!(state.checkers(WHITE, BAR), 1);
    assert_eq!(facts[1], Event::Stuck { side: WHITE });
    assert_eq!(facts[2], Event::Rolled { side: BLACK, dice: [1, 2] });
}

#[test]
fn entering_on_a_blot_hits_it() {
    let (state, _) = position(&[(BAR, 2), (13, 2)], &[(5, 1), (8, 2)], [5, 4]);
    let mut context = told(&[2, 1]);
    let mut next = state;
    Backgammon::new().apply(&mut next, Play { die: 5, from: BAR }, &mut context);
    assert!(context.sink.contains(&moved(WHITE, BAR, 20, true)));
    assert!(context.sink.contains(&moved(WHITE, BAR, 21, false)), "the other entry is forced");
    assert_eq!(next.checkers(BLACK, 5), 0);
    assert_eq!(next.turn, 2);
    assert_eq!(next.checkers(BLACK, BAR), 1);
}

#[test]
fn made_points_block_and_blots_do_not() {
    let (state, _) = position(&[(13, 1), (8, 1)], &[(15, 2), (20, 1)], [3, 2]);
    // 13/10 is blocked (black's 15), 8/5 hits (black's 20); 13/11 and 8/6 are free.
    assert_eq!(legal(&state), [(2, 8), (2, 13), (3, 8)]);
}

#[test]
fn the_higher_die_is_forced_if_either_but_not_both_can_be_played() {
    // A lone checker on 24: 24/22 and 24/18 are free, 24/16 is blocked.
    let (_, facts) = position(&[(24, 1), (1, 14)], &[(9, 2)], [2, 6]);
    assert_eq!(facts[1], moved(WHITE, 24, 18, false));
    assert_eq!(facts[2], Event::Stuck { side: WHITE });
    // With the higher die blocked the lower one is played.
    let (_, facts) = position(&[(24, 1), (1, 14)], &[(9, 2), (7, 2)], [2, 6]);
    assert_eq!(facts[1], moved(WHITE, 24, 22, false));
}

#[test]
fn a_play_that_would_waste_the_other_die_is_not_offered() {
    // Both sixes are blocked. Of the fives, 13/8 would leave no six; 24/19 opens 19/13.
    let (_, facts) = position(&[(24, 1), (13, 1)], &[(7, 2), (18, 2), (23, 2)], [5, 6]);
    assert_eq!(facts[1..3], [moved(WHITE, 24, 19, false), moved(WHITE, 19, 13, false)]);
}

#[test]
fn doubles_are_played_four_times() {
    let (state, _) = position(&[(24, 2), (13, 4)], &[(8, 2)], [3, 3]);
    assert_eq!((state.dice_left(), legal(&state)), (vec![3; 4], vec![(3, 13), (3, 24)]));
    let (mut next, game) = (state, Backgammon::new());
    let mut context = told(&[2, 1]);
    for left in [3, 2, 1] {
        game.apply(&mut next, Play { die: 3, from: 13 }, &mut context);
        assert_eq!(next.dice_left().len(), left);
    }
    assert_eq!(next.checkers(WHITE, 10), 3);
    game.apply(&mut next, Play { die: 3, from: 13 }, &mut context);
    assert_eq!((next.checkers(WHITE, 10), next.turn), (4, 2));
}

#[test]
fn bearing_off_takes_the_exact_point_or_the_highest() {
    let (state, _) = position(&[(6, 2), (4, 2), (1, 2)], &[(1, 2)], [6, 1]);
    assert_eq!(legal(&state), [(1, 1), (1, 4), (1, 6), (6, 6)]);
    // A six bears off from the highest point, 4, and from no lower one.
    let (state, _) = position(&[(4, 3), (2, 2)], &[(1, 2)], [6, 1]);
    assert_eq!(legal(&state), [(1, 2), (1, 4), (6, 4)]);
    // A three with a checker above it does not bear off from 2.
    let (state, _) = position(&[(5, 2), (2, 2)], &[(1, 2)], [3, 1]);
    assert_eq!(legal(&state), [(1, 2), (1, 5), (3, 5)]);
}

#[test]
fn nothing_is_borne_off_while_a_checker_is_outside() {
    let (state, _) = position(&[(7, 1), (6, 2), (3, 2)], &[(1, 2)], [6, 3]);
    assert_eq!(legal(&state), [(3, 6), (3, 7), (6, 7)]);
}

#[test]
fn an_end_is_scored_by_what_the_loser_has_left() {
    let game = Backgammon::new();
    for (black, points, end_reason) in [
        (vec![(6, 14)], 1.0, "win"),
        (vec![(6, 15)], 2.0, "gammon"),
        (vec![(6, 14), (18, 1)], 2.0, "gammon"),
        (vec![(6, 14), (19, 1)], 3.0, "backgammon"),
        (vec![(6, 14), (BAR, 1)], 3.0, "backgammon"),
        (vec![(6, 13), (BAR, 1)], 1.0, "win"),
    ] {
        let (state, _) = position(&[(1, 2)], &black, [6, 6]);
        let outcome = game.outcome(&state).unwrap();
        assert_eq!(
            (outcome.points[WHITE], outcome.points[BLACK], outcome.end_reason),
            (points, -points, end_reason)
        );
        assert_eq!((outcome.utility[WHITE], outcome.utility[BLACK], outcome.winner), (1.0, 0.0, Some(0)));
    }
}

#[test]
fn impossible_positions_are_refused() {
    let mut context = told(&[]);
    let mut refuse = |white: &[(u8, u8)], black: &[(u8, u8)], dice| {
        State::set_up([white, black], WHITE, dice, &mut context).unwrap_err()
    };
    assert!(refuse(&[(6, 16)], &[(6, 1)], [1, 2]).contains("more than 15"));
    assert!(refuse(&[], &[(6, 1)], [1, 2]).contains("no checkers"));
    assert!(refuse(&[(26, 1)], &[(6, 1)], [1, 2]).contains("no point 26"));
    assert!(refuse(&[(6, 1)], &[(19, 1)], [1, 2]).contains("both sides"));
    assert!(refuse(&[(6, 1)], &[(6, 1)], [1, 7]).contains("cannot roll"));
}

#[test]
fn a_game_without_progress_is_drawn_in_the_end() {
    // Dice that always show ones: both sides come to stand still.
    let game = Backgammon::new();
    let mut context = PlayContext::silent(Scripted::new(Vec::new()));
    let mut state = game.initial(&mut context);
    play_out_random(&game, &mut state, &mut context, &mut Vec::new());
    let outcome = game.outcome(&state).unwrap();
    assert_eq!(outcome.winner.is_none(), outcome.end_reason == "turn_limit");
}

#[test]
fn neither_side_is_favoured() {
    let game = Backgammon::new();
    let mut context = PlayContext::silent(Rng64::stream(8, 0, 0));
    let mut actions = Vec::new();
    let games = 2_000;
    let wins = (0..games)
        .filter(|_| {
            let mut state = game.initial(&mut context);
            play_out_random(&game, &mut state, &mut context, &mut actions);
            game.outcome(&state).unwrap().winner == Some(0)
        })
        .count();
    // Four standard errors about one half.
    assert!((910..=1090).contains(&wins), "{wins} of {games}");
}
