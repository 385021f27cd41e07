//! Surrenders, activations and what attacks bring about (9, 10.2, 11.7), on the real map.

mod common;

use common::{game, legal, scripted, zone};
use sandtable_blitzwar::editor::Editor;
use sandtable_blitzwar::location::{Counter, Location};
use sandtable_blitzwar::{
    Action, BlitzWar, Country, Event, Force, Kind, Nation, Pending, Phase, State, Status,
};
use sandtable_core::{Game, Index};

fn give(game: &BlitzWar, editor: &mut Editor<'_>, force: Force, zones: &[&str]) {
    for id in zones {
        editor.control(zone(game, id), Some(force)).unwrap();
    }
}

fn new_turn(mut editor: Editor<'_>, turn: u8, faces: &[u32]) -> (State, common::ScriptedContext) {
    editor.turn(turn).unwrap();
    let mut context = scripted(faces);
    let state = editor.begin(Phase::Diplomacy, Force::Axis, &mut context);
    assert_eq!(context.dice.check(), Ok(()));
    (state, context)
}

fn free_of(game: &BlitzWar, state: &State, kind: Kind, nation: Nation) -> usize {
    let free = |&c: &Counter| {
        game.kind(c) == kind && game.nation(c) == nation && state.location(c) == Location::POOL
    };
    game.sheet().filter(free).count()
}

/// D81.
#[test]
fn the_french_surrender_changes_the_map() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    give(&game, &mut editor, Force::Axis, &["paris", "calais", "reims", "rouen", "dijon"]);
    editor.corps(Nation::Fra, zone(&game, "bordeaux"), 2, 0, false).unwrap();
    editor.corps(Nation::Uk, zone(&game, "nantes"), 1, 0, false).unwrap();
    editor.corps(Nation::Ger, zone(&game, "lyon"), 1, 0, false).unwrap();
    give(&game, &mut editor, Force::Axis, &["lyon"]);
    let (mut state, mut context) = new_turn(editor, 9, &[6]);
    assert_eq!(state.status(Country::Fra), Status::Surrendered);
    assert_eq!(state.status(Country::Vichy), Status::Neutral);
    for (id, corps) in [("casablanca", 1), ("algiers", 1), ("mareth", 1), ("tunis", 2)] {
        let there: u8 = state.stack(zone(&game, id)).map(|counter| state.strength(counter)).sum();
        assert_eq!((there, state.controller(zone(&game, id))), (corps, None), "{id}");
    }
    assert_eq!(state.controller(zone(&game, "bordeaux")), Some(Force::Axis));
    assert_eq!(state.controller(zone(&game, "nantes")), Some(Force::Allied), "enemies hold it (9.2)");
    assert_eq!(state.stack(zone(&game, "lyon")).count(), 0, "moved to Occupied France (9.4)");
    assert_eq!(game.corps_in(&state, zone(&game, "dijon"), Force::Axis), (1, 0));
    assert_eq!([Country::Ita, Country::Hun].map(|country| state.status(country)), [Status::Axis; 2]);
    assert_eq!(state.status(Country::Rum), Status::Passage);
    assert_eq!(free_of(&game, &state, Kind::Elite, Nation::Ger), 1);
    assert_eq!(state.pending(), Pending::SpanishRoll);
    assert_eq!(legal(&game, &state), [Action::Pass, Action::Roll]);
    game.apply(&mut state, Action::Roll, &mut context);
    assert_eq!((state.status(Country::Sp), state.timers().usa_advance), (Status::Axis, 1));
    assert_eq!(state.phase(), Phase::Cards);
    assert_eq!(game.check(&state), Ok(()));
}

#[test]
fn paris_and_three_zones_do_not_beat_france() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    give(&game, &mut editor, Force::Axis, &["paris", "calais", "reims", "rouen"]);
    let (state, _) = new_turn(editor, 9, &[]);
    assert_eq!(state.status(Country::Fra), Status::Allied);
}

#[test]
fn eastern_poland_goes_to_the_soviets() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    give(&game, &mut editor, Force::Axis, &["warsaw", "danzig", "poznan", "lodz", "krakow", "lvov"]);
    editor.corps(Nation::Ger, zone(&game, "lvov"), 1, 0, false).unwrap();
    editor.corps(Nation::Pol, zone(&game, "lublin"), 2, 0, false).unwrap();
    let (state, context) = new_turn(editor, 2, &[]);
    assert_eq!(state.status(Country::Pol), Status::Surrendered);
    for id in ["lvov", "brest_litovsk", "bialystok"] {
        assert_eq!(state.controller(zone(&game, id)), Some(Force::Soviet), "{id}");
    }
    assert_eq!(state.controller(zone(&game, "lublin")), Some(Force::Axis));
    assert_eq!(state.stack(zone(&game, "lublin")).count(), 0);
    // The Germans of Lvov went to the nearest zone that was theirs.
    assert_eq!(state.stack(zone(&game, "lvov")).count(), 0);
    assert_eq!(game.corps_in(&state, zone(&game, "krakow"), Force::Axis), (1, 0));
    assert!(
        context.sink.iter().any(|event| matches!(event, Event::Lost { nation: Nation::Pol, units: 2, .. }))
    );
}

/// D84.
#[test]
fn italy_surrenders_to_ten_corps_in_three_zones() {
    for (corps, surrenders) in [(9, false), (10, true)] {
        let game = game("campaign-1939");
        let mut editor = Editor::new(&game);
        editor.activate(Country::Ita, Force::Axis);
        editor.activate(Country::Usa, Force::Allied);
        editor.turn(28).unwrap();
        let zones = ["sicily", "naples", "taranto"];
        give(&game, &mut editor, Force::Allied, &zones);
        for (id, here) in zones.iter().zip([3, 3, corps - 6]) {
            let at = zone(&game, id);
            if here == 4 {
                editor.corps(Nation::Usa, at, 1, 0, false).unwrap();
            }
            editor.corps(Nation::Usa, at, 3, 0, false).unwrap();
        }
        let (state, _) = new_turn(editor, 28, &[]);
        assert_eq!(state.status(Country::Ita) == Status::Surrendered, surrenders, "{corps} corps");
        assert_eq!(state.controller(zone(&game, "rome")), Some(Force::Axis), "the Axis keeps what it holds");
    }
}

/// D76.
#[test]
fn events_bring_the_usa_in_earlier() {
    let game = game("campaign-1939");
    for (advance, turn, enters) in [(0, 19, false), (0, 20, true), (2, 17, false), (2, 18, true)] {
        let mut editor = Editor::new(&game);
        editor.timers().usa_advance = advance;
        let (state, _) = new_turn(editor, turn, &[]);
        assert_eq!(state.status(Country::Usa) == Status::Allied, enters, "turn {turn}");
        for force in [Force::Axis, Force::Allied] {
            assert_eq!(game.total_war(&state, force, turn), enters);
        }
        assert!(!game.total_war(&state, Force::Soviet, turn));
        assert!(game.total_war(&state, Force::Soviet, 24));
    }
}

#[test]
fn dated_activations_and_the_yugoslav_roll() {
    let game = game("campaign-1939");
    let (state, _) = new_turn(Editor::new(&game), 11, &[]);
    assert_eq!([Country::Bul, Country::Gre].map(|c| state.status(c)), [Status::Neutral; 2]);
    let (state, _) = new_turn(Editor::new(&game), 12, &[]);
    assert_eq!([Country::Bul, Country::Gre].map(|c| state.status(c)), [Status::Axis, Status::Allied]);
    for (die, status, left) in [(5, Status::Neutral, 16), (6, Status::Axis, 4)] {
        let mut editor = Editor::new(&game);
        editor.supply(Force::Axis, zone(&game, "berlin"), 16).unwrap();
        let (state, context) = new_turn(editor, 14, &[die]);
        assert_eq!((state.status(Country::Yug), context.dice.left()), (status, 0));
        assert_eq!(game.total_stock(&state, Force::Axis), left);
    }
}

/// Axis infantry next to the border attacks Eastern Poland by walking in.
fn invade(game: &BlitzWar, turn: u8, from: &str, to: &str, nation: Nation, force: Force) -> State {
    let mut editor = Editor::new(game);
    editor.surrendered(Country::Pol, 2, Force::Allied);
    give(game, &mut editor, Force::Axis, &["warsaw", "danzig", "poznan", "lodz", "krakow", "lublin"]);
    give(game, &mut editor, Force::Soviet, &["lvov", "brest_litovsk", "bialystok"]);
    let at = zone(game, from);
    let counter = editor.corps(nation, at, 1, 0, false).unwrap();
    editor.supply(force, at, 4).unwrap();
    editor.turn(turn).unwrap();
    let mut context = scripted(&[]);
    let mut state = editor.begin(Phase::TacticalMovement, force, &mut context);
    game.apply(&mut state, Action::Select(counter), &mut context);
    let target = zone(game, to);
    assert!(legal(game, &state).contains(&Action::Go(target)), "{from} to {to}");
    game.apply(&mut state, Action::Go(target), &mut context);
    state
}

/// D77.
#[test]
fn the_attack_on_the_ussr_starts_the_clocks() {
    let game = game("campaign-1939");
    let state = invade(&game, 16, "lublin", "lvov", Nation::Ger, Force::Axis);
    assert_eq!((state.timers().east_attack, state.timers().axis_soviet_war), (16, 16));
    assert_eq!([Country::Fin, Country::Yug].map(|c| state.status(c)), [Status::Axis, Status::Allied]);
    assert_eq!(state.status(Country::Rum), Status::Neutral);
    assert!(!game.total_war(&state, Force::Soviet, 16) && game.total_war(&state, Force::Soviet, 17));
    let (state, _) = new_turn(Editor::of(&game, state), 17, &[]);
    assert_eq!(state.status(Country::Rum), Status::Axis);
    assert_eq!(free_of(&game, &state, Kind::Elite, Nation::Ger), 0);
    let (state, _) = new_turn(Editor::of(&game, state), 22, &[]);
    assert_eq!(free_of(&game, &state, Kind::Elite, Nation::Ger), 1);
}

#[test]
fn the_winter_war_is_not_war_with_germany() {
    let game = game("campaign-1939");
    let state = invade(&game, 3, "leningrad", "kouvola", Nation::Ussr, Force::Soviet);
    assert_eq!(state.status(Country::Fin), Status::Axis);
    assert_eq!(state.controller(zone(&game, "helsinki")), Some(Force::Axis));
    assert_eq!(state.timers().axis_soviet_war, 0);
    assert!(!game.total_war(&state, Force::Axis, 4));
    let state = invade(&game, 3, "lvov", "lublin", Nation::Ussr, Force::Soviet);
    assert_eq!(state.timers().axis_soviet_war, 3);
    assert!(!game.total_war(&state, Force::Axis, 3) && game.total_war(&state, Force::Axis, 4));
}

#[test]
fn a_neutral_attacked_by_the_axis_joins_the_allies_with_its_zones() {
    let game = game("campaign-1939");
    let state = invade(&game, 7, "ruhr", "bruxelles", Nation::Ger, Force::Axis);
    assert_eq!(state.status(Country::Be), Status::Allied);
    let bruxelles = zone(&game, "bruxelles");
    assert_eq!(state.controller(bruxelles), Some(Force::Axis));
    for other in game.home(Country::Be).iter().filter(|&other| other != bruxelles) {
        assert_eq!(state.controller(other), Some(Force::Allied));
    }
    // The window of the western attack opens, after Poland (16.3.1).
    assert_eq!((state.timers().west_attack, state.timers().poland_before_west), (7, true));
}

#[test]
fn free_france_rises_with_three_ports() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    editor.surrendered(Country::Fra, 9, Force::Allied);
    editor.status(Country::Vichy, Status::Neutral);
    editor.timers().french_surrender = 9;
    for zone in *game.home(Country::Fra) {
        let vichy = game.rules.zones[zone.at()].vichy;
        editor.control(zone, if vichy { None } else { Some(Force::Axis) }).unwrap();
    }
    give(&game, &mut editor, Force::Allied, &["casablanca", "oran"]);
    let (state, _) = new_turn(editor.clone(), 27, &[]);
    assert_eq!(state.status(Country::Vichy), Status::Neutral);
    give(&game, &mut editor, Force::Allied, &["algiers"]);
    let (state, _) = new_turn(editor, 27, &[]);
    assert_eq!((state.status(Country::Vichy), state.timers().free_france), (Status::Allied, 27));
    assert_eq!(state.controller(zone(&game, "brest")), Some(Force::Axis));
    assert_eq!(state.controller(zone(&game, "marseille")), Some(Force::Allied));
}

/// D82.
#[test]
fn germany_surrenders_when_its_supply_zones_are_taken() {
    let game = game("campaign-1939");
    for (turn, points) in [(42, [8, 2]), (47, [5, 5])] {
        let mut editor = Editor::new(&game);
        for zone in *game.supply_zones(Force::Axis) {
            editor.control(zone, Some(Force::Soviet)).unwrap();
        }
        let (state, _) = new_turn(editor, turn, &[]);
        let outcome = game.outcome(&state).expect("over");
        assert_eq!([outcome.points.0[1], outcome.points.0[0]].map(|points| points as u8), points);
    }
}

#[test]
fn surrendered_countries_return_before_1943_only() {
    let game = game("campaign-1939");
    for (turn, status) in [(27, Status::Allied), (28, Status::Surrendered)] {
        let mut editor = Editor::new(&game);
        editor.surrendered(Country::Nor, 8, Force::Allied);
        give(&game, &mut editor, Force::Axis, &["trondheim"]);
        give(&game, &mut editor, Force::Allied, &["oslo"]);
        let (state, _) = new_turn(editor, turn, &[]);
        assert_eq!(state.status(Country::Nor), status, "turn {turn}");
    }
}

#[test]
fn movement_restrictions_close_zones() {
    let game = game("campaign-1939");
    // Germans in Africa and British in French North Africa come by strategic movement if they may (9.6).
    let reaches = |nation: Nation, turn: u8, from: &str, to: &str, edit: &dyn Fn(&mut Editor<'_>)| {
        let mut editor = Editor::new(&game);
        edit(&mut editor);
        let (force, at) = (if nation == Nation::Uk { Force::Allied } else { Force::Axis }, zone(&game, from));
        give(&game, &mut editor, force, &[from, to]);
        let counter = editor.corps(nation, at, 1, 0, false).unwrap();
        editor.supply(force, at, 8).unwrap();
        editor.turn(turn).unwrap();
        let mut context = scripted(&[]);
        let mut state = editor.begin(Phase::StrategicMovement, force, &mut context);
        let select = Action::Select(counter);
        if state.phase() != Phase::StrategicMovement || !legal(&game, &state).contains(&select) {
            return false;
        }
        // A single destination is played at once.
        game.apply(&mut state, select, &mut context);
        state.location(counter) == zone(&game, to)
            || legal(&game, &state).contains(&Action::Go(zone(&game, to)))
    };
    let italy = |editor: &mut Editor<'_>| editor.activate(Country::Ita, Force::Axis);
    assert!(!reaches(Nation::Ger, 12, "tripoli", "misurata", &italy));
    assert!(reaches(Nation::Ger, 13, "tripoli", "misurata", &italy));
    let early = |editor: &mut Editor<'_>| {
        italy(editor);
        editor.timers().british_italian_first = 9;
    };
    assert!(!reaches(Nation::Ger, 10, "tripoli", "misurata", &early));
    assert!(reaches(Nation::Ger, 11, "tripoli", "misurata", &early));
    assert!(!reaches(Nation::Uk, 8, "oran", "algiers", &|_| ()));
    assert!(reaches(Nation::Uk, 8, "oran", "algiers", &|editor| editor.timers().french_surrender = 8));
    // Finns stay at home, Hungarians may go anywhere.
    let minor = |country: Country| move |editor: &mut Editor<'_>| editor.activate(country, Force::Axis);
    assert!(!reaches(Nation::Fin, 17, "karelia", "leningrad", &minor(Country::Fin)));
    assert!(reaches(Nation::Hun, 17, "debrecen", "cluj", &minor(Country::Hun)));
}
