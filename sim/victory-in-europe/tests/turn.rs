//! The turn as a whole: its six phases, the Movement Phase of both players, what ships are for (GT, chart of the turn, 4.0,
//! 7.0).

mod scene;

use sandtable_core::{Dice, Game, Index, PlayContext, Rng64, Turn};
use sandtable_victory_in_europe::nation::{Nation, Team};
use sandtable_victory_in_europe::phase::Phase;
use sandtable_victory_in_europe::supply::Line;
use sandtable_victory_in_europe::{Action, Event, Place, UnitId};
use scene::{Scene, game};

/// A turn by number, who was Player 1, and the phases that began in it.
type Course = (u8, Team, Vec<(Phase, Option<Team>)>);

/// The turns of a random game.
fn turns(scenario: &str, seed: u64) -> Vec<Course> {
    let game = game(scenario);
    let mut context: PlayContext<Rng64, Vec<Event>> =
        PlayContext { dice: Rng64::stream(seed, 0, 0), sink: Vec::new() };
    let mut state = game.initial(&mut context);
    let (mut legal, mut turns) = (Vec::new(), Vec::<Course>::new());
    loop {
        for event in context.sink.drain(..) {
            match event {
                Event::TurnBegins { turn } => turns.push((turn, Team::Axis, Vec::new())),
                Event::PhaseBegins { phase, team } if phase != Phase::Deployment => {
                    let turn = turns.last_mut().expect("a turn");
                    if phase == Phase::Movement && !turn.2.iter().any(|&(before, _)| before == phase) {
                        turn.1 = team.expect("a player moves");
                    }
                    turn.2.push((phase, team));
                }
                _ => {}
            }
        }
        let Turn::Decide(_) = game.turn_of(&state) else { return turns };
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let action = legal[context.below(legal.len() as u32) as usize];
        game.apply(&mut state, action, &mut context);
    }
}

#[test]
fn a_turn_runs_through_its_six_phases_in_order() {
    let (mut led_by_axis, mut led_by_allies) = (0, 0);
    for (scenario, first_turn, last_turn) in [("campaign-1939", 1, 26), ("stalingrad-1942", 12, 26)] {
        let turns = turns(scenario, 40);
        let numbers = turns.iter().map(|turn| turn.0);
        assert!(numbers.clone().eq((first_turn..).take(turns.len())), "one turn after the other");
        assert!(turns.len() > 3 && numbers.max() <= Some(last_turn));
        for (turn, first, phases) in &turns[..turns.len() - 1] {
            let (first, second) = (Some(*first), Some(first.other()));
            let (axis, allies) = (Some(Team::Axis), Some(Team::Allies));
            let expected = [
                // 1. Cards, laid in secret.
                (Phase::Cards, axis),
                (Phase::Cards, allies),
                // 2. Movement of Player 1, then of Player 2 as far as he is not pinned; events are named after both.
                (Phase::Movement, first),
                (Phase::Pinning, second),
                (Phase::Movement, second),
                (Phase::NamingBattles, first),
                (Phase::NamingBattles, second),
                // 3. Combat; aircraft land at its end.
                (Phase::Combat, first),
                (Phase::Landing, first),
                (Phase::Landing, second),
                // 4. Supply. 5. Diplomacy, Player 1 first. 6. Production, written in secret.
                (Phase::Supply, first),
                (Phase::Diplomacy, first),
                (Phase::Diplomacy, second),
                (Phase::Production, axis),
                (Phase::Production, allies),
            ];
            assert_eq!(*phases, expected, "turn {turn}");
            *if first == axis { &mut led_by_axis } else { &mut led_by_allies } += 1;
        }
    }
    assert!(led_by_axis > 3 && led_by_allies > 3, "both have been Player 1");
}

#[test]
fn player_one_moves_each_unit_once_and_then_player_two() {
    let game = game("stalingrad-1942");
    for first in Team::ALL {
        let mut scene = Scene::first(&game, first, |_| {});
        for mover in [first, first.other()] {
            assert_eq!((scene.state.phase, scene.state.mover), (Phase::Movement, mover));
            let [army, guest] =
                if mover == Team::Axis { ["ger_inf_2a", "gb_inf_bef"] } else { ["gb_inf_bef", "ger_inf_2a"] };
            assert!(!scene.may_pick(guest), "it is not his turn");
            assert!(scene.may(Action::Pass), "nobody must move");
            // A unit that has moved does not move again; one that is left standing neither.
            assert!(scene.may_pick(army));
            scene.stay(army);
            assert!(!scene.may_pick(army) && scene.moved(army));
            let others: Vec<UnitId> = scene
                .legal()
                .into_iter()
                .filter_map(|action| match action {
                    Action::Select(unit) => Some(unit),
                    _ => None,
                })
                .collect();
            assert!(others.len() > 10, "all others still may");
            assert!(others.iter().all(|&unit| game.team(&scene.state, unit) == mover));
            while (scene.state.phase, scene.state.mover) == (Phase::Movement, mover) {
                scene.pass();
            }
            if mover == first && scene.state.phase == Phase::Pinning {
                let action = scene.legal()[0];
                scene.play(action);
            }
        }
        assert!(scene.state.phase > Phase::Movement, "both have moved: {:?}", scene.state.phase);
    }
}

#[test]
fn ships_hold_the_sea_and_no_land() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.clear().place("gb_ca_1", "southampton", 3).place("gb_ca_2", "belfast", 3);
        editor.place("gb_inf_bef", "london", 2).place("ger_inf_8a", "berlin", 2);
        editor.place("ger_ca", "bay_of_biscay", 2);
    });
    let control: Vec<_> = game.areas().iter().map(|area| scene.state.controller(area)).collect();
    let channel = scene.place("english_channel");
    let zone = 1 << channel.sea_zone().expect("a sea zone");
    assert_eq!(scene.state.seas_before[Team::Allies.index()] & zone, 0);
    // From its port to the sea, from sea to sea; to no empty enemy coast and over no land.
    for (place, open) in [
        ("english_channel", true),
        ("north_sea", true),
        ("le_havre", false),
        ("brest", false),
        ("berlin", false),
    ] {
        assert_eq!(scene.goes("gb_ca_1", place), open, "{place}");
    }
    // Where an enemy sails, to enter is to attack, and it stops there.
    let command = scene.state.command[1];
    scene.go("gb_ca_1", "bay_of_biscay");
    assert_eq!(scene.state.command[1], command - 1);
    assert!(!scene.moved("gb_ca_2"));
    scene.go("gb_ca_2", "english_channel");
    assert_eq!(scene.state.command[1], command - 1, "the Channel is empty");
    assert!(
        (0..).map(Place).zip(&control).all(|(area, &nation)| scene.state.controller(area) == nation),
        "7.21"
    );
    // The zone is held against the enemy's lines and transfers until the ship goes.
    assert_eq!(game.supply_seas(&scene.state, Nation::Germany, Line::Supply) & zone, 0);
    assert_ne!(game.supply_seas(&scene.state, Nation::Britain, Line::Supply) & zone, 0);
}

#[test]
fn ships_lie_in_ports_alone() {
    let game = game("stalingrad-1942");
    // Ports are named cities on a coast (1.43); the coast of El Agheila has none.
    for port in &game.rules.ports {
        let area = &game.rules.areas[port.area.at()].id;
        assert_eq!(game.has_port(port.area, port.coast), !port.name.is_empty(), "{area}");
    }
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.clear().place("ita_ca", "gulf_of_sirte", 2).place("ger_inf_8a", "berlin", 2);
        editor.control("el_agheila", Nation::Italy).control("tripoli", Nation::Italy);
    });
    assert!(scene.goes("ita_ca", "tripoli") && !scene.goes("ita_ca", "el_agheila"));
}
