//! Sea transport (14) on the map of the campaign.

use sandtable_blitzwar::editor::Editor;
use sandtable_blitzwar::location::{Counter, Location};
use sandtable_blitzwar::{Action, BlitzWar, Country, Event, Force, Kind, Nation, Phase, State};
use sandtable_core::{Game, PlayContext, Scripted};

fn campaign() -> BlitzWar {
    let rules =
        sandtable_scenarios_blitzwar::open("blitzwar/campaign-1939", &[]).expect("embedded").into_rules();
    BlitzWar::new(rules).expect("sound")
}

fn context() -> PlayContext<Scripted, Vec<Event>> {
    PlayContext { dice: Scripted::default(), sink: Vec::new() }
}

/// Where a counter can be transported to; nothing if it cannot be picked.
fn destinations(game: &BlitzWar, state: &State, counter: Counter) -> Vec<Location> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    if !actions.contains(&Action::Select(counter)) {
        return Vec::new();
    }
    let mut next = state.clone();
    // One destination alone is a forced move.
    game.apply(&mut next, Action::Select(counter), &mut context());
    if next.location(counter) != state.location(counter) {
        return vec![next.location(counter)];
    }
    actions.clear();
    game.legal_actions(&next, &mut actions);
    actions
        .into_iter()
        .filter_map(|action| if let Action::Go(place) = action { Some(place) } else { None })
        .collect()
}

fn transport(game: &BlitzWar, state: &mut State, counter: Counter, to: Location) {
    game.apply(state, Action::Select(counter), &mut context());
    game.apply(state, Action::Go(to), &mut context());
    assert_eq!(state.location(counter), to);
    game.check(state).unwrap();
}

#[test]
fn an_american_army_to_great_britain_costs_six() {
    let game = campaign();
    let at = |id| game.zone(id).unwrap();
    let mut editor = Editor::new(&game);
    editor.turn(30).unwrap();
    editor.activate(Country::Usa, Force::Allied);
    let army = editor.corps(Nation::Usa, at("america"), 3, 0, false).unwrap();
    editor.supply(Force::Allied, at("america"), 16).unwrap();
    let mut state = editor.begin(Phase::SeaTransport, Force::Allied, &mut context());
    transport(&game, &mut state, army, at("manchester"));
    assert_eq!(game.total_stock(&state, Force::Allied), 16 - 12);
}

#[test]
fn air_over_two_seas_costs_a_half() {
    let game = campaign();
    let at = |id| game.zone(id).unwrap();
    let mut editor = Editor::new(&game);
    editor.air(Nation::Uk, at("plymouth"), 1, false).unwrap();
    editor.supply(Force::Allied, at("london"), 8).unwrap();
    let mut state = editor.begin(Phase::SeaTransport, Force::Allied, &mut context());
    let air = state.stack(at("plymouth")).find(|&counter| game.kind(counter) == Kind::Air).unwrap();
    // North Atlantic and Central Atlantic.
    transport(&game, &mut state, air, at("gibraltar"));
    assert_eq!(game.total_stock(&state, Force::Allied), 7);
}

#[test]
fn winter_bars_landings_in_the_north_sea_only() {
    for (turn, winter) in [(35, false), (36, true)] {
        let game = campaign();
        let at = |id| game.zone(id).unwrap();
        let mut editor = Editor::new(&game);
        editor.turn(turn).unwrap();
        editor.activate(Country::Ita, Force::Axis);
        let mut places = Vec::new();
        for (zone, sea, from) in
            [("jutland", "north_sea", "london"), ("sardinia", "western_mediterranean", "algiers")]
        {
            let sea = game.sea(sea).unwrap();
            editor.control(at(zone), Some(Force::Axis)).unwrap();
            editor.control(at(from), Some(Force::Allied)).unwrap();
            editor.supply(Force::Allied, at(from), 8).unwrap();
            // A fleet keeps the sea; the air unit is the beachhead.
            editor.ships(Nation::Uk, Kind::Fleet, Location::of_sea(sea), 1).unwrap();
            let place = editor.beachhead(at(zone), sea).unwrap();
            editor.air(Nation::Uk, place, 1, true).unwrap();
            let corps = editor.corps(Nation::Uk, at(from), 2, 0, false).unwrap();
            places.push((corps, place));
        }
        editor.timers().french_surrender = 9;
        let state = editor.begin(Phase::SeaTransport, Force::Allied, &mut context());
        let [north, south] = places[..] else { unreachable!() };
        assert_eq!(destinations(&game, &state, north.0).contains(&north.1), !winter);
        assert!(destinations(&game, &state, south.0).contains(&south.1));
    }
}
