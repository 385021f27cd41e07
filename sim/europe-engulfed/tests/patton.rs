//! 16.1, Patton's Fantasy: what is peculiar to the scenario.

mod scene;

use sandtable_core::{Dice, Game, PlayContext, Rng64, Stepwise};
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::rules::{Branch, Zone};
use sandtable_europe_engulfed::{Action, Area, EuropeEngulfed, Event, KindId, Nation, Phase, Team, UnitId};
use scene::dice;

fn game() -> EuropeEngulfed {
    let scenario = sandtable_scenarios_europe_engulfed::open("europe-engulfed/patton-1945", &[]).unwrap();
    EuropeEngulfed::new(scenario.into_rules()).unwrap()
}

fn kind(game: &EuropeEngulfed, nation: Nation, branch: Branch, elite: bool, max: u8) -> KindId {
    let kinds = &game.rules.kinds;
    let found = kinds
        .iter()
        .position(|kind| (kind.nation, kind.branch, kind.elite, kind.max) == (nation, branch, elite, max));
    KindId(found.expect("a kind") as u8)
}

/// The six German infantry under American command: the second kind of 4-step infantry.
fn volunteers(game: &EuropeEngulfed) -> Vec<UnitId> {
    let ours = |unit: &UnitId| {
        let kind = game.kind(*unit);
        (kind.nation, kind.branch, kind.max) == (Nation::UnitedStates, Branch::Infantry, 4)
    };
    let position = game.rules.setup.withheld.iter().find(|(kind, _)| {
        let kind = &game.rules.kinds[*kind as usize];
        (kind.nation, kind.branch) == (Nation::UnitedStates, Branch::Infantry)
    });
    let kind = KindId(position.expect("withheld infantry").0);
    game.counters(kind).filter(ours).collect()
}

fn areas(game: &EuropeEngulfed, ids: &str) -> Vec<Area> {
    ids.split_whitespace().map(|id| game.area(id).expect("an area")).collect()
}

/// 16.1: the West needs all of Germany without East Prussia, the Soviets three areas of it; else it is a draw.
#[test]
fn victory() {
    let game = game();
    let germany =
        areas(&game, "berlin ruhr rhineland baden saxony pomerania silesia bohemia slovakia austria");
    for (soviet, winner) in [(0, Some(0)), (1, None), (2, None), (3, Some(1)), (10, Some(1))] {
        let mut editor = Editor::new(&game);
        editor.clear().turn(3);
        for (nth, &area) in germany.iter().enumerate() {
            let nation = if nth < soviet { Nation::SovietUnion } else { Nation::UnitedStates };
            editor.control(area, nation);
        }
        let mut context = dice(&[]);
        let mut state = editor.start(Phase::FinalSupply, Team::Second, &mut context);
        game.apply_alone(&mut state, Action::Pass, &mut context);
        let outcome = game.outcome(&state).expect("the game is over");
        assert_eq!(outcome.winner, winner, "{soviet} areas");
    }
}

/// 16.12, A7: the French enter no disputed area and do not leave the western zone.
#[test]
fn the_french_only_defend() {
    let game = game();
    let mut editor = Editor::new(&game);
    editor.clear();
    let [rhineland, baden, ruhr] = areas(&game, "rhineland baden ruhr")[..] else { unreachable!() };
    let french = editor.place(kind(&game, Nation::FreeFrance, Branch::Armour, false, 3), rhineland, 3);
    let american = editor.place(kind(&game, Nation::UnitedStates, Branch::Armour, false, 3), rhineland, 3);
    editor.place(kind(&game, Nation::SovietUnion, Branch::Infantry, false, 3), baden, 3);
    let goals = |editor: &mut Editor<'_>, unit| {
        let mut context = dice(&[]);
        let mut state = editor.start(Phase::Operational, Team::First, &mut context);
        game.apply_alone(&mut state, Action::Select(unit), &mut context);
        game.open_actions(&state)
    };
    let (of_french, of_american) = (goals(&mut editor, french), goals(&mut editor, american));
    assert!(of_american.contains(&Action::Go(baden)) && !of_french.contains(&Action::Go(baden)));
    assert!(of_french.contains(&Action::Go(ruhr)));
    let eastern = |action: &Action| matches!(action, Action::Go(to) if game.zone(*to) != Zone::Western);
    assert!(of_american.iter().any(eastern) && !of_french.iter().any(eastern));
}

/// 16.13(4): a land step costs the Soviets and the British one WERP more; the others not.
#[test]
fn surcharges() {
    let game = game();
    let cost = |nation, branch, elite, max| {
        let kind = kind(&game, nation, branch, elite, max);
        (game.step_cost(kind, true), game.step_cost(kind, false))
    };
    assert_eq!(cost(Nation::GreatBritain, Branch::Infantry, false, 3), (3, 2));
    assert_eq!(cost(Nation::SovietUnion, Branch::Armour, true, 4), (9, 5));
    assert_eq!(cost(Nation::UnitedStates, Branch::Infantry, false, 3), (2, 1));
    assert_eq!(cost(Nation::FreeFrance, Branch::Armour, false, 3), (4, 2));
    assert_eq!(cost(Nation::SovietUnion, Branch::Air, false, 1), (5, 5), "no land unit");
}

/// 16.13(5): the Soviets build no Special Actions; the Americans do, up to their pool.
#[test]
fn special_actions() {
    let game = game();
    let builds = |team, nation, hand| {
        let mut editor = Editor::new(&game);
        editor.special_actions(Nation::GreatBritain, 0);
        editor.special_actions(nation, hand);
        let state = editor.start(Phase::Production, team, &mut dice(&[]));
        let mut state = state;
        while state.payer != nation {
            game.apply_alone(&mut state, Action::Pass, &mut dice(&[]));
        }
        game.open_actions(&state).contains(&Action::SpecialAction)
    };
    assert!(!builds(Team::Second, Nation::SovietUnion, 0));
    assert!(builds(Team::First, Nation::UnitedStates, 2));
    assert!(!builds(Team::First, Nation::UnitedStates, 3));
}

/// 16.13(6): the game opens with Western movement, without a Western production; A93: income of the first productions. 16.12, A94: three
/// German infantry come in each of the later turns, where the West holds Germany.
#[test]
fn the_sequence() {
    let game = game();
    let volunteers = volunteers(&game);
    let mut context = PlayContext { dice: Rng64::stream(2, 0, 0), sink: Vec::new() };
    let mut state = game.initial(&mut context);
    assert_eq!((state.phase, state.mover), (Phase::Operational, Team::First));
    let mut arrived = [0; 4];
    let mut last = state.turn;
    while game.outcome(&state).is_none() {
        let open = game.open_actions(&state);
        let pick = context.dice.below(open.len() as u32) as usize;
        game.apply(&mut state, open[pick], &mut context);
        if state.turn != last || state.phase == Phase::Operational {
            let came = volunteers.iter().filter(|unit| state.location(**unit) != Area::GONE).count();
            arrived[state.turn as usize] = arrived[state.turn as usize].max(came);
            last = state.turn;
        }
    }
    assert_eq!(arrived, [0, 0, 3, 6]);
    let mut placed = context.sink.iter().filter_map(|fact| match *fact {
        Event::Moved { unit, from: Area::WAITING, to, .. } if volunteers.contains(&unit) => Some(to),
        _ => None,
    });
    let germany =
        areas(&game, "berlin ruhr rhineland baden saxony pomerania silesia bohemia slovakia austria");
    assert!(placed.all(|area| germany.contains(&area)));
    let incomes: Vec<Nation> = context.sink.iter().filter_map(income_of).map(|income| income.0).collect();
    let [west, east] = [[Nation::GreatBritain, Nation::UnitedStates], [Nation::SovietUnion; 2]];
    assert_eq!(incomes, [east[0], west[0], west[1], east[0], west[0], west[1], east[0]]);
    let first = context.sink.iter().find_map(income_of).expect("an income");
    assert!(first.1 <= 34 + 2 * 10, "{first:?}");
}

fn income_of(fact: &Event) -> Option<(Nation, u8)> {
    if let Event::Income { nation, werp } = *fact { Some((nation, werp)) } else { None }
}

/// 16.13(1): the West is in supply from any port it controls on the Atlantic, and cut off from them it is not.
#[test]
fn western_supply() {
    let game = game();
    let mut editor = Editor::new(&game);
    editor.clear();
    let [austria, marseille] = areas(&game, "austria marseille")[..] else { unreachable!() };
    let unit = editor.place(kind(&game, Nation::UnitedStates, Branch::Armour, false, 3), austria, 3);
    assert!(game.is_supplied(&editor.finish(), unit));
    let ports = areas(&game, "pas_de_calais normandy brittany bordeaux holland belgium ruhr");
    for &port in &ports {
        editor.control(port, Nation::SovietUnion);
    }
    assert!(!game.is_supplied(&editor.finish(), unit), "Marseille is no port on the Atlantic");
    editor.control(ports[0], Nation::GreatBritain);
    assert!(game.is_supplied(&editor.finish(), unit));
    assert!(editor.state().controller(marseille).is_some());
}
