//! Chance and secrets of the markers: who is drawn, and what the opponent cannot know (7.14, 7.2, 7.3, 19.2).

mod common;

use common::{legal, mozhaysk, sampled};
use sandtable_core::{Dice, Game, Index, Rng64, Side};
use sandtable_roads_to_moscow::editor::{Editor, Lies};
use sandtable_roads_to_moscow::ids::{Marker, Player};
use sandtable_roads_to_moscow::{Action, Phase, RoadsToMoscow, State};

fn of(game: &RoadsToMoscow, formation: &str) -> sandtable_roads_to_moscow::FormationId {
    game.rules.formation(formation).expect("a formation")
}

/// The Soviet holds these in his cup, drawn and in the pool; the German has two to come.
fn soviet_sequence(game: &RoadsToMoscow, cup: &[&str], drawn: &str, pool: Option<&str>) -> State {
    let mut editor = Editor::new(game);
    editor.no_markers().marker("10Pz", Lies::Cup).marker("SSR", Lies::Cup);
    for formation in cup {
        editor.marker(formation, Lies::Cup);
    }
    editor.marker(drawn, Lies::Drawn);
    if let Some(pool) = pool {
        editor.marker(pool, Lies::Pool);
    }
    editor.turn(2);
    editor.state_mut().active = Player::Soviet;
    editor.begin(Phase::Marker, Player::Soviet, &mut sampled(1))
}

#[test]
fn formations_come_in_the_order_that_the_odds_say() {
    let game = mozhaysk();
    let mut start = Editor::new(game);
    start.no_markers().turn(2).first(Player::German);
    for (formation, markers) in [("10Pz", 1), ("SSR", 1), ("32", 2), ("18T", 1), ("20T", 1)] {
        for _ in 0..markers {
            start.marker(formation, Lies::Cup);
        }
    }
    let start = start.finish();
    let odds = game.draw_order(&start);
    let whose: Vec<usize> = odds.sequences.iter().map(|player| player.index()).collect();
    assert_eq!(whose, [0, 1, 0, 1, 1, 1], "who has no marker left stands aside (7.25)");
    let games = 40_000;
    let mut dice = Rng64::stream(4, 0, 0);
    let mut first = vec![[0u32; 7]; game.rules.formations.len()];
    let mut sooner = 0;
    for _ in 0..games {
        let mut cups = [Player::German, Player::Soviet]
            .map(|player| start.cup.and(&game.marker_sets().of[player.index()]));
        let mut seen = vec![usize::MAX; game.rules.formations.len()];
        for (nth, player) in odds.sequences.iter().enumerate() {
            let cup = &mut cups[player.index()];
            let drawn = cup.nth(dice.below(cup.len())).expect("a marker");
            cup.remove(drawn);
            let at = game.formation_of(drawn).at();
            seen[at] = seen[at].min(nth);
        }
        for (counts, &nth) in first.iter_mut().zip(&seen) {
            if nth < 7 {
                counts[nth] += 1;
            }
        }
        sooner += u32::from(seen[of(game, "18T").at()] < seen[of(game, "10Pz").at()]);
    }
    for (counts, chances) in first.iter().zip(&odds.first) {
        for (count, chance) in counts.iter().zip(chances) {
            let (expected, spread) = (chance * f64::from(games), (chance * f64::from(games)).sqrt() + 1.0);
            assert!((f64::from(*count) - expected).abs() < 5.0 * spread, "{counts:?} {chances:?}");
        }
    }
    let before = odds.before(of(game, "18T"), of(game, "10Pz"));
    assert!((f64::from(sooner) / f64::from(games) - before).abs() < 0.015, "{before}");
    assert!((odds.before(of(game, "32"), of(game, "18T")) - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn the_opponent_cannot_tell_what_is_drawn() {
    let game = mozhaysk();
    let one = soviet_sequence(game, &["32", "18T", "20T"], "32", None);
    let other = soviet_sequence(game, &["32", "18T", "32"], "20T", None);
    assert_eq!(one.phase, Phase::Sequence, "a single marker is taken up without a decision");
    assert_ne!(one, other);
    assert_eq!(game.observation(&one, Side(0)), game.observation(&other, Side(0)));
    assert_ne!(game.observation(&one, Side(1)), game.observation(&other, Side(1)));
}

#[test]
fn each_unseen_marker_may_be_the_one_drawn() {
    let game = mozhaysk();
    let state = soviet_sequence(game, &["32", "18T", "20T"], "32", Some("ANY_SM"));
    assert_eq!(state.phase, Phase::Marker);
    let mut dice = Rng64::stream(5, 0, 0);
    let mut drawn = vec![[0u32; 2]; game.rules.formations.len()];
    for _ in 0..6_000 {
        let other = game.determinize(&state, Side(0), &mut dice);
        let pool = other.pool[1].expect("the opponent knows that there is one");
        drawn[game.formation_of(other.drawn.expect("and that one is drawn")).at()][0] += 1;
        drawn[game.formation_of(pool).at()][1] += 1;
    }
    for (formation, markers) in [("32", 2.0), ("18T", 1.0), ("20T", 1.0), ("ANY_SM", 1.0)] {
        for count in drawn[of(game, formation).at()] {
            let expected = 6_000.0 * markers / 5.0;
            assert!((f64::from(count) - expected).abs() < 200.0, "{formation}: {count}, not {expected}");
        }
    }
    // Whose they are, he knows.
    assert_eq!(game.determinize(&state, Side(1), &mut dice).drawn, state.drawn);
}

#[test]
fn who_has_failed_to_combine_has_shown_what_he_does_not_hold() {
    let game = mozhaysk();
    let state = soviet_sequence(game, &["18T", "ANY_SM"], "32", Some("20T"));
    let revealed = state.drawn.expect("drawn");
    let mut state = state;
    let mut context = common::scripted(&[1]);
    game.apply(&mut state, Action::Combine(revealed), &mut context);
    // Lelyushenko is with the HQ of 32, and might help (7.33c).
    assert_eq!((state.phase, legal(game, &state).len()), (Phase::CombinePoints, 2));
    game.apply(&mut state, Action::Pass, &mut context);
    assert_eq!(state.phase, Phase::Sequence);
    assert_eq!(legal(game, &state), [Action::Mobile, Action::Assault], "its marker is open: no Pass");
    assert!(state.pool[1].is_some_and(|marker| game.formation_of(marker) == of(game, "20T")));
    let mut dice = Rng64::stream(6, 0, 0);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..200 {
        let other = game.determinize(&state, Side(0), &mut dice);
        seen.insert(game.marker_name(other.pool[1].expect("one is there")).to_string());
    }
    let seen: Vec<&str> = seen.iter().map(String::as_str).collect();
    assert_eq!(seen, ["18T", "20T"], "neither another of 32 nor \"Activate any Formation\" (7.31, 7.32)");
}

/// A Soviet sequence before its choice of a marker, after an attempt to combine that has shown one of 32: what is drawn, and
/// what lies in the pool since.
fn after_a_failure(drawn: &str, pool: &str) -> State {
    let game = mozhaysk();
    let mut all = vec!["32", "18T", "20T", "ANY_SM"];
    for marker in [drawn, pool] {
        all.retain(|&formation| formation != marker);
    }
    let mut state = soviet_sequence(game, &all, drawn, Some(pool));
    state.pool_not[1].insert(of(game, "32"));
    game.check(&state).expect("a position of the game");
    state
}

/// Chooses the marker of a formation.
fn choose(state: &State, formation: &str) -> State {
    let game = mozhaysk();
    let mut state = *state;
    let wanted = legal(game, &state).into_iter().find(|action| match *action {
        Action::Marker(marker) => game.formation_of(marker) == of(game, formation),
        _ => false,
    });
    game.apply(&mut state, wanted.expect("one of the two"), &mut sampled(1));
    assert_eq!(state.phase, Phase::Sequence);
    game.check(&state).expect("a position of the game");
    state
}

/// The opponent cannot tell these from each other: equal views, equal options, equal hashes of what he sees.
fn alike(one: &State, other: &State) {
    let game = mozhaysk();
    assert_eq!(game.observation(one, Side(0)), game.observation(other, Side(0)));
    assert_eq!(one.pool_not, other.pool_not);
    assert_eq!(legal(game, one), legal(game, other));
}

#[test]
fn where_the_marker_chosen_came_from_shows_in_nothing() {
    // 7.33e: 20T lies in the pool and 32 is drawn. Whichever is chosen, it lies face down, and the other stays face down.
    let game = mozhaysk();
    let state = after_a_failure("32", "20T");
    let (from_pool, from_cup) = (choose(&state, "20T"), choose(&state, "32"));
    assert_ne!(from_pool, from_cup);
    alike(&from_pool, &from_cup);
    // Other secrets that look the same: 20T is shown in either, drawn now or taken from the pool.
    let (drawn, taken) =
        (choose(&after_a_failure("20T", "18T"), "20T"), choose(&after_a_failure("18T", "20T"), "20T"));
    alike(&drawn, &taken);
    let shown = [drawn, taken].map(|mut state| {
        game.apply(&mut state, Action::Mobile, &mut sampled(1));
        assert!(state.pool_not[1].is_empty(), "the marker in the pool may be another now");
        state
    });
    alike(&shown[0], &shown[1]);
    assert_eq!(game.hash(&shown[0]), game.hash(&shown[1]));
    // 32, or "Activate any Formation", cannot have lain there: what does still lies there.
    for (marker, kept) in [("32", true), ("ANY_SM", true), ("18T", false)] {
        let mut state = choose(&after_a_failure(marker, "20T"), marker);
        game.apply(&mut state, Action::Mobile, &mut sampled(1));
        assert_eq!(!state.pool_not[1].is_empty(), kept, "{marker}");
    }
    // A second attempt says more of the same marker, or the first of another.
    for marker in ["32", "18T"] {
        let mut state = after_a_failure(marker, "20T");
        let revealed = state.drawn.expect("drawn");
        game.apply(&mut state, Action::Combine(revealed), &mut common::scripted(&[1]));
        if state.phase == Phase::CombinePoints {
            game.apply(&mut state, Action::Pass, &mut common::scripted(&[1]));
        }
        let not: Vec<_> = state.pool_not[1].iter().collect();
        assert_eq!(not, [of(game, marker)], "{marker}");
    }
}

#[test]
fn a_marker_chosen_face_down_may_be_either() {
    let game = mozhaysk();
    let state = choose(&after_a_failure("32", "20T"), "32");
    let mut dice = Rng64::stream(8, 0, 0);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..400 {
        let other = game.determinize(&state, Side(0), &mut dice);
        game.check(&other).expect("a position of the game");
        alike(&state, &other);
        let name = |marker: Option<Marker>| game.marker_name(marker.expect("one is there")).to_string();
        seen.insert((name(other.drawn), name(other.pool[1])));
    }
    let pair = |drawn: &str, pool: &str| seen.contains(&(drawn.to_string(), pool.to_string()));
    assert!(pair("32", "20T") && pair("20T", "32") && pair("20T", "18T"), "{seen:?}");
    assert!(!pair("32", "ANY_SM") && !pair("ANY_SM", "32"), "one of the two lay in the pool: {seen:?}");
}

#[test]
fn what_stays_out_of_the_cup_is_not_seen() {
    let game = mozhaysk();
    let mut editor = Editor::new(game);
    editor.no_markers().turn(2).first(Player::German).marker("10Pz", Lies::Available);
    for formation in ["32", "18T", "20T"] {
        editor.marker(formation, Lies::Available);
    }
    let mut state = editor.begin(Phase::FillingCup, Player::Soviet, &mut sampled(1));
    assert_eq!((state.phase, state.decider), (Phase::FillingCup, Player::Soviet));
    let all = legal(game, &state);
    assert_eq!(all.len(), 3, "one of three stays out: N + 1 = 2 (7.14)");
    let mut other = state;
    game.apply(&mut state, all[0], &mut sampled(2));
    game.apply(&mut other, all[1], &mut sampled(2));
    assert_eq!((state.phase, state.active), (Phase::Sequence, Player::German));
    assert_eq!(state.left_out.len(), 1);
    assert_ne!(state.left_out, other.left_out);
    assert_eq!(game.observation(&state, Side(0)), game.observation(&other, Side(0)));
    let markers: Vec<Marker> = state.left_out.iter().collect();
    let redrawn: std::collections::BTreeSet<Marker> = (0..100)
        .map(|seed| game.determinize(&state, Side(0), &mut Rng64::stream(seed, 0, 0)))
        .flat_map(|state| state.left_out.iter().collect::<Vec<_>>())
        .collect();
    assert!(redrawn.len() == 3 && redrawn.contains(&markers[0]));
}
