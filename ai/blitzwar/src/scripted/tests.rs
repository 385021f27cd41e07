//! Positions in which the player has to choose one thing.

use sandtable_blitzwar::editor::Mark;
use sandtable_blitzwar::location::Location;
use sandtable_blitzwar::{Country, Nation};
use sandtable_core::{Game, PlayContext};

use super::*;
use crate::plan::Landing;
use crate::support::cleared;

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
        let mut editor = cleared(&game, 12);
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

/// Without this the spearhead went on to Orleans, and the French walked back into Paris.
#[test]
fn a_capital_just_won_is_not_left_empty() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let goes_on = |others: usize| {
        let mut editor = cleared(&game, 8);
        editor.surrendered(Country::Pol, 2, Force::Allied);
        editor.surrendered(Country::Be, 7, Force::Allied);
        for id in ["bruxelles", "reims"] {
            editor.control(at(id), Some(Force::Axis)).unwrap();
        }
        editor.corps(Nation::Fra, at("bordeaux"), 2, 0, false).unwrap();
        editor.supply(Force::Axis, at("berlin"), 40).unwrap();
        editor.phase(Phase::Normal, Force::Axis);
        // Before the battle, and after it.
        let player = player(&game, &editor.state().clone(), Force::Axis);
        editor.control(at("paris"), Some(Force::Axis)).unwrap();
        let spearhead = editor.corps(Nation::Ger, at("paris"), 1, 2, false).unwrap();
        for _ in 0..others {
            editor.corps(Nation::Ger, at("paris"), 2, 0, false).unwrap();
        }
        let state = editor.finish();
        let to = at("orleans");
        let gained = player.ground_gained(&game, &state, spearhead, to, &[Action::Advance(spearhead, to)]);
        gained > player.ground_left(&game, &state, spearhead)
    };
    assert!(goes_on(1), "others hold it");
    assert!(!goes_on(0), "nobody else does");
}

/// The army round Moscow stood idle while supply went where there was enough of it, and was lost there.
#[test]
fn supply_goes_to_the_army_that_lacks_it() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let better = |stock: u8| {
        let mut editor = cleared(&game, 21);
        editor.timers().axis_soviet_war = 15;
        for zone in *game.adjacent(at("moscow")) {
            editor.control(zone, Some(Force::Axis)).unwrap();
            if game.adjacent(zone).len() > 3 {
                editor.corps(Nation::Ger, zone, 2, 0, false).unwrap();
            }
        }
        for id in ["moscow", "stalingrad"] {
            for _ in 0..3 {
                editor.corps(Nation::Ussr, at(id), 2, 0, false).unwrap();
            }
        }
        editor.supply(Force::Soviet, at("stalingrad"), 5).unwrap();
        if stock > 0 {
            editor.supply(Force::Soviet, at("moscow"), stock).unwrap();
        }
        let state = editor.finish();
        let player = player(&game, &state, Force::Soviet);
        let [moscow, stalingrad] =
            ["moscow", "stalingrad"].map(|id| player.depot_score(&game, &state, at(id)));
        moscow > stalingrad
    };
    assert!(better(0), "it has nothing");
    assert!(!better(6), "it has enough, and enemies stand round it");
}

/// Where a counter without a line of supply goes, of what the rules allow.
fn escapes_to(game: &BlitzWar, mut state: State, force: Force, counter: Counter) -> Option<Zone> {
    let player = player(game, &state, force);
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    assert!(legal.contains(&Action::Select(counter)), "{legal:?}");
    if player.escape(game, &state, &legal) != Action::Select(counter) {
        return None;
    }
    game.apply(&mut state, Action::Select(counter), &mut PlayContext::silent(&mut Rng64::stream(1, 0, 0)));
    legal.clear();
    game.legal_actions(&state, &mut legal);
    match player.escape_to(game, &state, counter, &legal) {
        Action::Go(zone) => Some(zone),
        _ => None,
    }
}

/// Without this the Eighth Army stood at Sirte for years, with the supply of Alexandria five zones behind it.
#[test]
fn an_army_without_a_line_of_supply_goes_back_to_it() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let goes = |id: &str, benghazi: u8, corps: u8| {
        let mut editor = cleared(&game, 28);
        editor.activate(Country::Ita, Force::Axis);
        editor.surrendered(Country::Fra, 9, Force::Allied);
        for id in ["sirte", "el_agheila", "derna", "gazala", "tobruk", "bir_hacheim"] {
            editor.control(at(id), Some(Force::Allied)).unwrap();
        }
        let sea = Location::of_sea(game.sea("central_mediterranean_south").unwrap());
        editor.ships(Nation::Ita, Kind::Fleet, sea, 4).unwrap();
        if benghazi > 0 {
            editor.corps(Nation::Ita, at("benghazi"), benghazi, 0, false).unwrap();
            for id in ["mechili", "misurata"] {
                editor.corps(Nation::Ita, at(id), benghazi, 0, false).unwrap();
            }
        }
        let army = editor.corps(Nation::Uk, at(id), corps, 0, false).unwrap();
        editor.mark(army, Mark::Unsupplied, true).unwrap();
        editor.supply(Force::Allied, at("alexandria"), 8).unwrap();
        editor.phase(Phase::OutOfSupply, Force::Allied);
        let state = editor.finish();
        escapes_to(&game, state, Force::Allied, army)
    };
    assert_eq!(goes("sirte", 0, 2), Some(at("el_agheila")));
    assert!(
        [at("benghazi"), at("mechili")].map(Some).contains(&goes("el_agheila", 0, 2)),
        "nobody bars the way"
    );
    assert_eq!(goes("el_agheila", 1, 2), None, "the enemy does");
}

/// Tobruk holds two corps in however few counters.
#[test]
fn who_goes_back_to_supply_goes_where_there_is_room() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let goes = |corps: u8, through_the_desert: bool| {
        let mut editor = cleared(&game, 28);
        editor.activate(Country::Ita, Force::Axis);
        editor.surrendered(Country::Fra, 9, Force::Allied);
        editor.control(at("gazala"), Some(Force::Allied)).unwrap();
        let sea = Location::of_sea(game.sea("central_mediterranean_south").unwrap());
        editor.ships(Nation::Ita, Kind::Fleet, sea, 4).unwrap();
        if !through_the_desert {
            editor.corps(Nation::Ita, at("bir_hacheim"), 1, 0, false).unwrap();
        }
        let army = editor.corps(Nation::Uk, at("gazala"), corps, 0, false).unwrap();
        editor.mark(army, Mark::Unsupplied, true).unwrap();
        editor.supply(Force::Allied, at("alexandria"), 8).unwrap();
        editor.phase(Phase::OutOfSupply, Force::Allied);
        escapes_to(&game, editor.finish(), Force::Allied, army)
    };
    assert_eq!(goes(2, false), Some(at("tobruk")));
    assert_eq!(goes(3, false), None);
    assert_eq!(goes(3, true), Some(at("bir_hacheim")));
}

/// Bulgarians do not go to Hungary, though it is the way back: picked for it, they went wherever they might.
#[test]
fn who_may_not_take_the_way_back_to_supply_stays() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let goes = |nation: Nation| {
        let mut editor = cleared(&game, 12);
        editor.surrendered(Country::Fra, 10, Force::Allied);
        for country in [Country::Hun, Country::Bul] {
            editor.activate(country, Force::Axis);
        }
        editor.activate(Country::Yug, Force::Allied);
        editor.control(at("szeged"), Some(Force::Allied)).unwrap();
        editor.control(at("belgrade"), Some(Force::Axis)).unwrap();
        let army = editor.corps(nation, at("belgrade"), 1, 0, false).unwrap();
        editor.mark(army, Mark::Unsupplied, true).unwrap();
        editor.supply(Force::Axis, at("budapest"), 8).unwrap();
        editor.phase(Phase::OutOfSupply, Force::Axis);
        escapes_to(&game, editor.finish(), Force::Axis, army)
    };
    assert_eq!(goes(Nation::Ger), Some(at("szeged")));
    assert_eq!(goes(Nation::Bul), None);
}

/// Without this the second of three counters went on to Nantes, and twelve corps threw the third out of Paris.
#[test]
fn a_capital_is_not_thinned_before_a_counter_attack() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let goes_on = |french: usize| {
        let mut editor = cleared(&game, 8);
        editor.surrendered(Country::Pol, 2, Force::Allied);
        editor.surrendered(Country::Be, 7, Force::Allied);
        for id in ["bruxelles", "reims"] {
            editor.control(at(id), Some(Force::Axis)).unwrap();
        }
        for _ in 0..french {
            editor.corps(Nation::Fra, at("dijon"), 2, 0, false).unwrap();
        }
        editor.supply(Force::Axis, at("berlin"), 40).unwrap();
        editor.phase(Phase::Normal, Force::Axis);
        let player = player(&game, &editor.state().clone(), Force::Axis);
        editor.control(at("paris"), Some(Force::Axis)).unwrap();
        let spearhead = editor.corps(Nation::Ger, at("paris"), 1, 2, false).unwrap();
        editor.corps(Nation::Ger, at("paris"), 2, 0, false).unwrap();
        let state = editor.finish();
        let to = at("nantes");
        let gained = player.ground_gained(&game, &state, spearhead, to, &[Action::Advance(spearhead, to)]);
        gained > player.ground_left(&game, &state, spearhead)
    };
    assert!(goes_on(0), "nobody is near");
    assert!(!goes_on(3), "six corps stand beside it");
}

/// Whoever comes later walks in.
#[test]
fn the_last_counter_stays_in_a_capital_though_nobody_is_near() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let given_up = |id: &str| {
        let mut editor = cleared(&game, 8);
        editor.surrendered(Country::Pol, 2, Force::Allied);
        editor.surrendered(Country::Be, 7, Force::Allied);
        for id in ["bruxelles", "reims", "paris"] {
            editor.control(at(id), Some(Force::Axis)).unwrap();
        }
        let spearhead = editor.corps(Nation::Ger, at(id), 1, 2, false).unwrap();
        editor.supply(Force::Axis, at("berlin"), 40).unwrap();
        editor.phase(Phase::Normal, Force::Axis);
        let state = editor.finish();
        player(&game, &state, Force::Axis).ground_left(&game, &state, spearhead)
    };
    assert!(given_up("paris") > given_up("reims") + 5.0);
}

/// A corps that held the front at Algiers was picked for a voyage to Oran, and went to the beachhead.
#[test]
fn who_holds_a_front_is_not_shipped_to_a_beachhead_after_all() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let (sea, sardinia) = (game.sea("western_mediterranean").unwrap(), at("sardinia"));
    let shipped_ashore = |italians: u8| {
        let mut editor = cleared(&game, 28);
        editor.activate(Country::Ita, Force::Axis);
        editor.surrendered(Country::Fra, 9, Force::Allied);
        for id in ["algiers", "oran"] {
            editor.control(at(id), Some(Force::Allied)).unwrap();
        }
        editor.control(at("tunis"), Some(Force::Axis)).unwrap();
        if italians > 0 {
            editor.corps(Nation::Ita, at("tunis"), italians, 0, false).unwrap();
        }
        let corps = editor.corps(Nation::Uk, at("algiers"), 2, 0, false).unwrap();
        let slot = editor.beachhead(sardinia, sea).unwrap();
        editor.air(Nation::Uk, slot, 1, false).unwrap();
        editor.phase(Phase::SeaTransport, Force::Allied);
        let state = editor.finish();
        let mut player = player(&game, &state, Force::Allied);
        player.plan.board.read_waters(&game, &state);
        player.plan.landing = Some(Landing { sea, zone: sardinia, air: 1 });
        let places = [Action::Go(at("oran")), Action::Go(slot)];
        player.ship_to(&game, &state, Force::Allied, corps, &places) == places[1]
    };
    assert!(shipped_ashore(0));
    assert!(!shipped_ashore(2), "it holds the front");
}

/// Tobruk holds two corps in however few counters: a third was lost there in every third campaign.
#[test]
fn who_is_aboard_goes_ashore_where_there_is_room() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let ashore = |italians: u8| {
        let mut editor = cleared(&game, 12);
        editor.activate(Country::Ita, Force::Axis);
        let corps = editor.corps(Nation::Ita, at("taranto"), 1, 0, false).unwrap();
        editor.corps(Nation::Ita, at("tobruk"), italians, 0, false).unwrap();
        editor.phase(Phase::SeaTransport, Force::Axis);
        let state = editor.finish();
        // No port is worth the voyage.
        let mut player = player(&game, &state, Force::Axis);
        let ports = ["tobruk", "benghazi"].map(|id| Action::Go(at(id)));
        player.ship_to(&game, &state, Force::Axis, corps, &ports) == ports[1]
    };
    assert!(!ashore(1));
    assert!(ashore(2), "Tobruk is full");
}

#[test]
fn an_army_without_a_line_is_shipped_supply_to_its_port() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let shipped_to = |corps: u8, stock: u8| {
        let mut editor = cleared(&game, 28);
        editor.activate(Country::Ita, Force::Axis);
        editor.surrendered(Country::Fra, 10, Force::Allied);
        let sea = Location::of_sea(game.sea("central_mediterranean_south").unwrap());
        editor.ships(Nation::Ita, Kind::Fleet, sea, 4).unwrap();
        editor.control(at("mareth"), Some(Force::Axis)).unwrap();
        editor.control(at("tripoli"), Some(Force::Allied)).unwrap();
        editor.corps(Nation::Uk, at("tripoli"), corps, 0, false).unwrap();
        if stock > 0 {
            editor.supply(Force::Allied, at("tripoli"), stock).unwrap();
        }
        editor.supply(Force::Allied, at("london"), 40).unwrap();
        editor.phase(Phase::SeaTransport, Force::Allied);
        let state = editor.finish();
        let mut player = player(&game, &state, Force::Allied);
        player.plan.board.read_waters(&game, &state);
        player.plan.board.budget = 40;
        let supply = state.stack(at("london")).map(Action::Select);
        let choices: Vec<_> = std::iter::once(Action::Pass).chain(supply).collect();
        let Action::Select(counter) = player.embark(&game, &state, Force::Allied, &choices) else {
            return None;
        };
        let ports = ["suez", "tripoli"].map(|id| Action::Go(at(id)));
        Some(player.ship_to(&game, &state, Force::Allied, counter, &ports) == ports[1])
    };
    assert_eq!(shipped_to(3, 0), Some(true));
    assert_eq!(shipped_to(2, 0), None, "so few are not worth it");
    assert_eq!(shipped_to(3, 6), None, "they have enough");
}

/// In the turn before Barbarossa the whole Luftwaffe flew to Derna: at peace the Soviets were no targets.
#[test]
fn air_is_based_against_those_who_are_to_be_attacked() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let mut editor = cleared(&game, 14);
    editor.activate(Country::Ita, Force::Axis);
    editor.surrendered(Country::Pol, 2, Force::Allied);
    editor.surrendered(Country::Fra, 9, Force::Allied);
    for id in ["warsaw", "krakow", "lublin"] {
        editor.control(at(id), Some(Force::Axis)).unwrap();
        editor.corps(Nation::Ger, at(id), 3, 0, false).unwrap();
    }
    for id in ["bialystok", "brest_litovsk", "lvov"] {
        editor.control(at(id), Some(Force::Soviet)).unwrap();
        editor.corps(Nation::Ussr, at(id), 2, 0, false).unwrap();
    }
    editor.corps(Nation::Ita, at("derna"), 3, 0, false).unwrap();
    for id in ["tobruk", "bir_hacheim", "mersa_matruh", "alexandria", "suez", "crete"] {
        editor.corps(Nation::Uk, at(id), 1, 0, false).unwrap();
    }
    editor.air(Nation::Ger, at("warsaw"), 1, false).unwrap();
    editor.supply(Force::Axis, at("berlin"), 20).unwrap();
    editor.phase(Phase::TacticalAir, Force::Axis);
    let state = editor.finish();
    let player = player(&game, &state, Force::Axis);
    assert!(player.plan.aims.is_some_and(|aims| aims.gathers(Country::Ussr)));
    assert!(player.base_score(&game, at("warsaw")) > player.base_score(&game, at("derna")));
    let air = state.stack(at("warsaw")).find(|&counter| game.kind(counter) == Kind::Air).unwrap();
    let legal = [Action::Pass, Action::Select(air)];
    assert_eq!(player.rebase(&game, &state, &legal), Action::Pass, "it stays where the war will be");
}

/// Whether an Italian army may be shipped from one port to another.
fn italians_sail(from: &str, to: &str) -> bool {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let mut editor = cleared(&game, 17);
    editor.activate(Country::Ita, Force::Axis);
    editor.surrendered(Country::Fra, 9, Force::Allied);
    for id in [from, to] {
        editor.control(at(id), Some(Force::Axis)).unwrap();
    }
    let army = editor.corps(Nation::Ita, at(from), 2, 0, false).unwrap();
    editor.supply(Force::Axis, at("rome"), 20).unwrap();
    editor.phase(Phase::SeaTransport, Force::Axis);
    let state = editor.finish();
    let mut player = player(&game, &state, Force::Axis);
    player.plan.board.read_waters(&game, &state);
    player.transport_gain(&game, &state, Force::Axis, army, at(to), None) > f32::MIN
}

#[test]
fn nobody_is_shipped_where_he_may_not_fight() {
    assert!(!italians_sail("reggio", "marseille"));
    assert!(italians_sail("reggio", "tripoli"));
}

/// Two Italian corps walked into Alexandria and on to Basra, with the British army in Greece.
#[test]
fn egypt_is_held_before_the_balkans() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let voyage_from = |from: &str, to: &str, held: u8, war: bool| {
        let mut editor = cleared(&game, 12);
        if war {
            editor.activate(Country::Ita, Force::Axis);
        }
        editor.activate(Country::Gre, Force::Allied);
        editor.surrendered(Country::Fra, 10, Force::Allied);
        for (id, corps) in [("suez", 2), ("alexandria", 2), ("cairo", held - 4)] {
            if corps > 0 {
                editor.corps(Nation::Uk, at(id), corps, 0, false).unwrap();
            }
        }
        editor.corps(Nation::Ita, at("bir_hacheim"), 2, 0, false).unwrap();
        let army = editor.corps(Nation::Uk, at(from), 2, 0, false).unwrap();
        editor.supply(Force::Allied, at("london"), 40).unwrap();
        editor.phase(Phase::SeaTransport, Force::Allied);
        let state = editor.finish();
        let mut player = player(&game, &state, Force::Allied);
        player.plan.board.read_waters(&game, &state);
        player.transport_gain(&game, &state, Force::Allied, army, at(to), None)
    };
    let voyage = |to: &str, held: u8| voyage_from("gibraltar", to, held, true);
    assert!(voyage("athens", 4) <= f32::MIN, "Egypt first");
    assert!(voyage("athens", 5) > f32::MIN, "it is held");
    assert!(voyage_from("athens", "crete", 4, true) > f32::MIN, "an army leaves Greece by sea");
    assert!(voyage_from("gibraltar", "athens", 4, false) > f32::MIN, "Italy is neutral");
    assert!(voyage("alexandria", 4) > voyage("alexandria", 5) + 0.9);
}

/// Corps went from Rostov to Tbilisi, back, and to Odessa by sea.
#[test]
fn the_soviets_ship_nobody_where_the_railway_goes() {
    let game = game();
    let at = |id: &str| game.zone(id).unwrap();
    let sails = |cut_off: bool| {
        let mut editor = cleared(&game, 21);
        editor.timers().axis_soviet_war = 15;
        if cut_off {
            for zone in *game.adjacent(at("odessa")) {
                editor.control(zone, Some(Force::Axis)).unwrap();
            }
        }
        let army = editor.corps(Nation::Ussr, at("rostov"), 2, 0, false).unwrap();
        editor.supply(Force::Soviet, at("moscow"), 20).unwrap();
        editor.phase(Phase::SeaTransport, Force::Soviet);
        let state = editor.finish();
        let mut player = player(&game, &state, Force::Soviet);
        player.plan.board.read_waters(&game, &state);
        player.transport_gain(&game, &state, Force::Soviet, army, at("odessa"), None) > f32::MIN
    };
    assert!(!sails(false));
    assert!(sails(true), "no railway goes there any more");
}
