//! Movement, supply, production, breakthrough, fog.

mod scene;

use sandtable_core::{Dice, Game, PlayContext, Rng64, Side, Stepwise};
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::rules::Weather;
use sandtable_europe_engulfed::state::mark;
use sandtable_europe_engulfed::{Action, Area, EuropeEngulfed, KindId, Nation, Phase, State, Team, UnitId};
use scene::*;

/// Where a unit may go next in operational movement.
fn goals(game: &EuropeEngulfed, state: &State, unit: UnitId) -> Vec<Area> {
    let mut state = state.clone();
    let mut context = dice(&[]);
    game.apply_alone(&mut state, Action::Select(unit), &mut context);
    let open = game.open_actions(&state);
    open.iter().filter_map(|action| if let Action::Go(area) = action { Some(*area) } else { None }).collect()
}

fn operational(editor: &mut Editor<'_>) -> State {
    editor.start(Phase::Operational, Team::First, &mut dice(&[]))
}

fn areas(ids: &str) -> Vec<Area> {
    let mut areas: Vec<Area> = ids.split_whitespace().map(area).collect();
    areas.sort_unstable();
    areas
}

/// L667: infantry moves one area, armour two; a move ends where enemy land units are; empty enemy areas are taken (A47).
#[test]
fn moves_end_at_the_enemy() {
    let game = game();
    let mut editor = empty(&game);
    let infantry = editor.place(GERMAN_3, area("silesia"), 3);
    let panzer = editor.place(PANZER, area("silesia"), 4);
    editor.place(POLISH_2, area("warsaw"), 2);
    let mut state = operational(&mut editor);
    let mut context = dice(&[]);
    assert_eq!(goals(&game, &state, infantry), areas("berlin slovakia lodz"));
    game.apply_alone(&mut state, Action::Select(panzer), &mut context);
    game.apply_alone(&mut state, Action::Go(area("lodz")), &mut context);
    assert_eq!(state.controller(area("lodz")), Some(Nation::Germany));
    game.apply_alone(&mut state, Action::Go(area("warsaw")), &mut context);
    assert!(state.is_disputed(area("warsaw")) && state.newly_disputed.contains(area("warsaw")));
    assert!(state.has_mark(panzer, mark::CROSSED), "over the river from Lodz");
    assert_eq!(game.open_actions(&state), [Action::Pass, Action::Select(infantry)]);
}

/// L283: not from one battle to another; L667, A15: a rear guard of as many steps as there are enemy blocks.
#[test]
fn leaving_a_battle() {
    let game = game();
    let mut editor = empty(&game);
    let leaves = editor.place(GERMAN_3, area("lublin"), 3);
    editor.place(GERMAN_3, area("lublin"), 1);
    editor.place(POLISH_2, area("lublin"), 1);
    editor.place(POLISH_3, area("warsaw"), 1);
    let state = operational(&mut editor);
    let open = game.open_actions(&state);
    assert!(open.contains(&Action::Select(leaves)));
    assert_eq!(goals(&game, &state, leaves), areas("slovakia brest_litovsk"), "not to Warsaw");
    editor.place(POLISH_2, area("lublin"), 1);
    let mut state = operational(&mut editor);
    assert!(!game.open_actions(&state).contains(&Action::Select(leaves)), "one step is no guard against two");
    // 7.52
    let abandon = Action::Abandon(Nation::Germany, area("lublin"));
    game.apply_alone(&mut state, abandon, &mut dice(&[]));
    assert!(game.open_actions(&state).contains(&Action::Select(leaves)));
    assert_eq!(state.power(Nation::Germany).special_actions, 1);
}

/// A101, A102: moves end in a swamp and across a strait; armour enters a held swamp in snow alone. 5.5: a fortress has room for four.
#[test]
fn obstacles() {
    let game = game();
    let mut editor = empty(&game);
    let panzer = editor.place(PANZER, area("brest_litovsk"), 4);
    editor.control(area("brest_litovsk"), Nation::Germany);
    editor.place(SOVIET_4, area("pripet_swamps"), 1);
    let state = operational(&mut editor);
    assert!(!goals(&game, &state, panzer).contains(&area("pripet_swamps")));
    let state = operational(editor.weather(Weather::Snow));
    assert!(goals(&game, &state, panzer).contains(&area("pripet_swamps")));
    let mut editor = empty(&game);
    let panzer = editor.place(PANZER, area("berlin"), 4);
    let mut state = operational(&mut editor);
    game.apply_alone(&mut state, Action::Select(panzer), &mut dice(&[]));
    game.apply_alone(&mut state, Action::Go(area("east_prussia")), &mut dice(&[]));
    assert_eq!(state.march, 0, "over the strait");
    let mut editor = empty(&game);
    editor.control(area("minsk"), Nation::Germany).control(area("pripet_swamps"), Nation::Germany);
    let panzer = editor.place(PANZER, area("minsk"), 4);
    let mut state = operational(&mut editor);
    game.apply_alone(&mut state, Action::Select(panzer), &mut dice(&[]));
    game.apply_alone(&mut state, Action::Go(area("pripet_swamps")), &mut dice(&[]));
    assert_eq!(state.march, 0, "in the swamp");
    let mut editor = empty(&game);
    editor.control(area("leningrad"), Nation::Germany).control(area("minsk"), Nation::Germany);
    for _ in 0..4 {
        editor.place(GERMAN_3, area("leningrad"), 1);
    }
    let fifth = editor.place(GERMAN_3, area("minsk"), 1);
    assert!(!goals(&game, &operational(&mut editor), fifth).contains(&area("leningrad")));
}

/// L331: air units cross an air link in a move of its own; L71: alone with enemy land units they are lost.
#[test]
fn air_units() {
    let game = game();
    let mut editor = empty(&game);
    editor.control(area("minsk"), Nation::Germany).control(area("lodz"), Nation::Germany);
    let air = editor.place(LUFTWAFFE, area("slovakia"), 1);
    let alone = editor.place(LUFTWAFFE, area("lodz"), 1);
    assert!(goals(&game, &operational(&mut editor), air).contains(&area("minsk")));
    let pole = editor.place(POLISH_3, area("warsaw"), 3);
    let mut state = editor.start(Phase::Operational, Team::Second, &mut dice(&[]));
    game.apply_alone(&mut state, Action::Select(pole), &mut dice(&[]));
    game.apply_alone(&mut state, Action::Go(area("lodz")), &mut dice(&[]));
    assert_eq!(state.location(alone), Area::POOL);
    assert_eq!(state.controller(area("lodz")), Some(Nation::Poland));
}

/// L653, L689: a pocket is marked, and dies in Final Supply unless a Special Action is spent; then it loses a step.
#[test]
fn supply() {
    let game = game();
    let mut editor = empty(&game);
    let strong = editor.place(GERMAN_3, area("brest_litovsk"), 3);
    let cadre = editor.place(GERMAN_3, area("brest_litovsk"), 1);
    editor.control(area("brest_litovsk"), Nation::Germany).control(area("slovakia"), Nation::Poland);
    let mut context = dice(&[]);
    let mut state = editor.start(Phase::Reinforcement, Team::First, &mut context);
    game.end_idle_phase(&mut state, &mut context);
    assert!(state.has_mark(strong, mark::UNSUPPLIED));
    // A line runs through an area that is fought over (A82).
    let mut fought = Editor::of(&game, editor.state().clone());
    fought.place(GERMAN_3, area("slovakia"), 3);
    fought.place(POLISH_3, area("slovakia"), 3);
    assert!(game.is_supplied(&fought.finish(), strong));
    let state = editor.start(Phase::FinalSupply, Team::First, &mut context);
    let limited = Action::LimitedSupply(Nation::Germany, area("brest_litovsk"));
    assert_eq!(game.open_actions(&state), [Action::Pass, limited]);
    let mut fed = state.clone();
    game.apply_alone(&mut fed, limited, &mut context);
    assert_eq!((fed.steps(strong), fed.location(cadre)), (2, Area::POOL));
    let mut starved = state;
    game.apply_alone(&mut starved, Action::Pass, &mut context);
    assert_eq!(starved.location(strong), Area::POOL);
}

/// 20.2, 20.21, 20.22: the first step doubles, elite doubles, militia does not.
#[test]
fn costs() {
    let game = game();
    let cost = |kind, first| game.step_cost(kind, first);
    assert_eq!([cost(GERMAN_3, true), cost(GERMAN_3, false)], [2, 1]);
    assert_eq!([cost(PANZER, true), cost(PANZER, false)], [4, 2]);
    assert_eq!([cost(ELITE_PANZER, true), cost(ELITE_PANZER, false)], [8, 4]);
    assert_eq!([cost(SOVIET_MILITIA, true), cost(LUFTWAFFE, true)], [1, 5]);
}

/// 4.1: the base less what is lost at home; a conquered resource area yields 2 with a garrison, a Soviet one its value.
#[test]
fn income() {
    let game = game();
    let mut editor = empty(&game);
    assert_eq!(game.income(&editor.finish(), Nation::Germany), 18);
    editor.control(area("silesia"), Nation::Poland).control(area("warsaw"), Nation::Germany);
    editor.control(area("moscow"), Nation::Germany);
    assert_eq!(game.income(&editor.finish(), Nation::Germany), 12);
    editor.place(GERMAN_3, area("warsaw"), 1);
    editor.place(GERMAN_3, area("moscow"), 1);
    assert_eq!(game.income(&editor.finish(), Nation::Germany), 12 + 2 + 4);
    assert_eq!(game.income(&editor.finish(), Nation::SovietUnion), 6);
}

/// L287, A74, A75: two new units a home area; one step abroad, any number at home; a Special Action lifts that.
#[test]
fn building() {
    let game = game();
    let mut editor = empty(&game);
    let abroad = editor.place(GERMAN_4, area("lodz"), 1);
    let home = editor.place(GERMAN_4, area("berlin"), 1);
    editor.control(area("lodz"), Nation::Germany);
    let mut context = dice(&[]);
    let mut state = editor.start(Phase::Production, Team::First, &mut context);
    for unit in [abroad, home] {
        game.apply_alone(&mut state, Action::Replace(unit), &mut context);
    }
    let open = game.open_actions(&state);
    assert!(open.contains(&Action::Replace(home)) && !open.contains(&Action::Replace(abroad)));
    game.apply_alone(&mut state, Action::Unrestricted, &mut context);
    assert!(game.open_actions(&state).contains(&Action::Replace(abroad)));
    for _ in 0..2 {
        game.apply_alone(&mut state, Action::Raise(GERMAN_3), &mut context);
        game.apply_alone(&mut state, Action::Go(area("silesia")), &mut context);
    }
    game.apply_alone(&mut state, Action::Raise(GERMAN_3), &mut context);
    assert!(!game.open_actions(&state).contains(&Action::Go(area("silesia"))), "two an area");
    // 18 - 2 steps - 2 new units of 2.
    assert_eq!(state.power(Nation::Germany).werp, 12);
}

/// L283, L311 (EX-A6): infantry class needs three steps to break through into a battle; a newly disputed area is fought over at
/// no further cost.
#[test]
fn breakthrough() {
    let game = game();
    let mut editor = empty(&game);
    editor.control(area("lodz"), Nation::Germany);
    let weak = editor.place(GERMAN_3, area("lodz"), 1);
    let panzer = editor.place(PANZER, area("lodz"), 1);
    let strong = editor.place(GERMAN_4, area("east_prussia"), 4);
    let pinned = editor.place(GERMAN_3, area("lublin"), 3);
    editor.place(POLISH_2, area("lublin"), 1);
    editor.place(POLISH_3, area("warsaw"), 3);
    let mut context = dice(&[]);
    let mut state = editor.start(Phase::Breakthrough, Team::First, &mut context);
    let go = Action::BreakthroughMove(Nation::Germany, area("warsaw"));
    game.apply_alone(&mut state, go, &mut context);
    assert_eq!(state.power(Nation::Germany).special_actions, 1);
    let open = game.open_actions(&state);
    let may = |unit| open.contains(&Action::Select(unit));
    assert_eq!([weak, panzer, strong, pinned].map(may), [false, true, true, false]);
    game.apply_alone(&mut state, Action::Select(panzer), &mut context);
    let ways = game.open_actions(&state);
    let both = [Action::Pass, Action::Go(area("east_prussia")), Action::Go(area("warsaw"))];
    assert_eq!(ways, both, "straight over the river, or around it");
    game.apply_alone(&mut state, Action::Go(area("east_prussia")), &mut context);
    game.apply_alone(&mut state, Action::Go(area("warsaw")), &mut context);
    assert!(!state.has_mark(panzer, mark::CROSSED));
    game.apply_alone(&mut state, Action::Pass, &mut context);
    assert_eq!(state.phase, Phase::BreakthroughRound);
    assert_eq!(game.open_actions(&state).len(), 2, "the round is compulsory, its mode is not");
    let muddy = editor.weather(Weather::Mud).start(Phase::Breakthrough, Team::First, &mut context);
    assert!(!game.open_actions(&muddy).contains(&go), "not in mud");
}

/// 5.2: so many units a phase, through friendly country in supply, not out of a battle.
#[test]
fn strategic_movement() {
    let game = game();
    let mut editor = empty(&game);
    let unit = editor.place(GERMAN_3, area("rhineland"), 3);
    let fights = editor.place(GERMAN_3, area("carpathians"), 3);
    editor.place(POLISH_2, area("carpathians"), 1);
    let mut context = dice(&[]);
    let mut state = editor.start(Phase::Strategic, Team::First, &mut context);
    let open = game.open_actions(&state);
    assert!(open.contains(&Action::Select(unit)) && !open.contains(&Action::Select(fights)));
    assert_eq!(goals(&game, &state, unit), areas("berlin silesia slovakia east_prussia"));
    game.apply_alone(&mut state, Action::Select(unit), &mut context);
    game.apply_alone(&mut state, Action::Go(area("slovakia")), &mut context);
    assert_eq!(state.power(Nation::Germany).moves, 2);
    assert!(!game.open_actions(&state).contains(&Action::Select(unit)), "once a phase");
}

/// 7.3: paratroops drop within two areas; drops on one target share a Special Action (A106); not in snow (A107).
#[test]
fn drops() {
    let game = game();
    let mut editor = empty(&game);
    let paratroops = editor.place(PARATROOPS, area("silesia"), 3);
    editor.place(POLISH_2, area("warsaw"), 2);
    let drop = Action::Drop(paratroops, area("warsaw"));
    let mut state = operational(&mut editor);
    assert!(game.open_actions(&state).contains(&drop));
    game.apply_alone(&mut state, drop, &mut dice(&[]));
    assert!(state.has_mark(paratroops, mark::LANDED) && state.newly_disputed.contains(area("warsaw")));
    assert_eq!(state.power(Nation::Germany).special_actions, 1);
    assert!(!game.open_actions(&operational(editor.weather(Weather::Snow))).contains(&drop));
}

/// 17: of enemy blocks the nation and number in an area are seen, not which they are.
#[test]
fn fog() {
    let game = game();
    let position = |lodz, warsaw| {
        let mut editor = empty(&game);
        editor.place(GERMAN_3, area("silesia"), 3);
        if lodz == POLISH_3 {
            editor.place(lodz, area("lodz"), 3);
            editor.place(warsaw, area("warsaw"), 1);
        } else {
            editor.place(lodz, area("lodz"), 1);
            editor.place(warsaw, area("warsaw"), 3);
        }
        operational(&mut editor)
    };
    let (one, other) = (position(POLISH_3, POLISH_2), position(POLISH_2, POLISH_3));
    assert_ne!(game.hash(&one), game.hash(&other));
    assert_eq!(game.observation(&one, Side(0)), game.observation(&other, Side(0)));
    assert_ne!(game.observation(&one, Side(1)), game.observation(&other, Side(1)));
    let redrawn =
        |state: &State, seed| game.hash(&game.determinize(state, Side(0), &mut Rng64::stream(seed, 0, 0)));
    for seed in 0..20 {
        assert_eq!(redrawn(&one, seed), redrawn(&other, seed), "the draw depends on nothing hidden");
    }
    assert!((0..20).any(|seed| redrawn(&one, seed) == game.hash(&one)));
    assert!((0..20).any(|seed| redrawn(&one, seed) == game.hash(&other)));
}

/// 10.0, 16.1 in small: the calendar, dated changes, the end.
#[test]
fn the_calendar() {
    let game = game();
    let mut context = PlayContext::silent(Rng64::stream(3, 0, 0));
    let mut state = game.initial(&mut context);
    let militia = game.counters(SOVIET_MILITIA).next().unwrap();
    let elite = game.counters(ELITE_PANZER).next().unwrap();
    let mut came = 0;
    while game.outcome(&state).is_none() {
        let open = game.open_actions(&state);
        let pick = context.below(open.len() as u32) as usize;
        if state.turn == 1 {
            assert_eq!([militia, elite].map(|unit| state.location(unit)), [Area::GONE; 2]);
        } else if came == 0 && state.is_on_map(militia) {
            came = state.turn;
        }
        game.apply(&mut state, open[pick], &mut context);
    }
    assert_eq!((state.turn, came), (4, 2));
    assert_ne!(state.location(elite), Area::GONE, "in the pool from the second turn");
    assert_eq!(game.bimester(4).year, 1940);
    assert_eq!(state.power(Nation::SovietUnion).special_action_pool, 2);
}

/// 17: infantry that has landed stands up again, so that nobody sees which block it was; airborne that have dropped lie open.
#[test]
fn landed_infantry_stands_up_again() {
    let game = game();
    let seen = |ashore: KindId, at_home: KindId| {
        let mut editor = empty(&game);
        let landed = editor.place(ashore, area("lublin"), 3);
        editor.place(at_home, area("silesia"), 3);
        editor.mark(landed, mark::LANDED);
        game.observation(&operational(&mut editor), Side(1))
    };
    assert_eq!(seen(GERMAN_4, GERMAN_3), seen(GERMAN_3, GERMAN_4));
    assert_ne!(seen(PARATROOPS, GERMAN_3), seen(GERMAN_3, PARATROOPS));
}
