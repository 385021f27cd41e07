//! Positions in which the player has to choose one thing.

use sandtable_blitzwar::editor::Editor;
use sandtable_blitzwar::location::Location;
use sandtable_blitzwar::{Country, Nation};

use super::*;

fn game() -> BlitzWar {
    let scenario = sandtable_scenarios_blitzwar::open("blitzwar/campaign-1939", &[]).unwrap();
    BlitzWar::new(scenario.into_rules()).unwrap()
}

/// A player of a side who has looked at a position.
fn player(game: &BlitzWar, state: &State, force: Force) -> Scripted {
    let mut player = Scripted::new(Arc::new(MapTables::new(game)), Effort::Full);
    let timetable = Timetable::draw(&mut Rng64::stream(1, 0, 0));
    player.plan.survey(game, &player.map_tables, state, force, timetable);
    player
}

#[test]
fn the_garrison_of_egypt_is_sent_supply_round_the_cape() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let sent = |corps: u8, line: bool| {
        let mut editor = Editor::new(&game);
        editor.clear_all();
        editor.turn(12).unwrap();
        editor.activate(Country::Ita, Force::Axis);
        editor.surrendered(Country::Fra, 10, Force::Allied);
        if !line {
            let sea = Location::of_sea(game.sea("eastern_mediterranean").unwrap());
            editor.ships(Nation::Ita, Kind::Fleet, sea, 4).unwrap();
        }
        if corps > 0 {
            editor.corps(Nation::Uk, at("alexandria"), corps, 0, false).unwrap();
        }
        editor.supply(Force::Allied, at("london"), 40).unwrap();
        editor.phase(Phase::SeaTransport, Force::Allied);
        let state = editor.finish();
        let mut player = player(&game, &state, Force::Allied);
        player.plan.board.budget = 40;
        let supply = state.stack(at("london")).map(Action::Select);
        let choices: Vec<_> = std::iter::once(Action::Pass).chain(supply).collect();
        player.embark(&game, &state, Force::Allied, &choices) != Action::Pass
    };
    assert!(sent(1, false));
    assert!(!sent(0, false), "there is nobody to live on it");
    assert!(!sent(2, true), "supply comes by the Mediterranean");
}
