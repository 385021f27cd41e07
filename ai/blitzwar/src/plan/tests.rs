//! Positions in which a plan has to do one thing.

use sandtable_blitzwar::editor::Editor;
use sandtable_blitzwar::{Phase, Status};
use sandtable_core::Rng64;

use super::*;
use crate::support::cleared;

fn game(scenario: &str) -> BlitzWar {
    let scenario = sandtable_scenarios_blitzwar::open(scenario, &[]).unwrap();
    BlitzWar::new(scenario.into_rules()).unwrap()
}

fn zone(game: &BlitzWar, id: &str) -> Zone {
    game.zone(id).unwrap()
}

fn timetable() -> Timetable {
    Timetable { east: 15, ..Timetable::draw(&mut Rng64::stream(1, 0, 0)) }
}

/// The plan of the Axis for the movement of the turn.
fn plan_of_axis(game: &BlitzWar, mut editor: Editor<'_>) -> Plan {
    editor.phase(Phase::TacticalMovement, Force::Axis);
    let state = editor.finish();
    let mut plan = Plan::new();
    plan.plan_land(game, &MapTables::new(game), &state, Force::Axis, timetable(), true);
    plan
}

/// Where counters are ordered to march, from there.
fn marches(plan: &Plan, counters: &[Counter]) -> Vec<Option<Zone>> {
    counters.iter().map(|&counter| plan.march.of(counter)).collect()
}

#[test]
fn an_army_of_an_ally_does_not_leave_its_capital_to_the_enemy() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let mut editor = Editor::new(&game);
    editor.turn(12).unwrap();
    editor.surrendered(Country::Fra, 10, Force::Allied);
    editor.activate(Country::Bul, Force::Axis);
    editor.activate(Country::Gre, Force::Allied);
    let army = [2, 1].map(|corps| editor.corps(Nation::Bul, at("sofia"), corps, 0, false).unwrap());
    for corps in [2, 1, 1] {
        editor.corps(Nation::Gre, at("salonika"), corps, 0, false).unwrap();
    }
    editor.supply(Force::Axis, at("berlin"), 40).unwrap();
    let plan = plan_of_axis(&game, editor);
    let gone: Vec<_> = marches(&plan, &army).into_iter().flatten().filter(|&to| to != at("sofia")).collect();
    assert!(gone.is_empty(), "{gone:?}");
}

#[test]
fn an_empty_capital_near_the_enemy_gets_a_garrison() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let sent_to_sofia = |greeks: &[u8]| {
        let mut editor = Editor::new(&game);
        editor.turn(12).unwrap();
        editor.surrendered(Country::Fra, 10, Force::Allied);
        editor.activate(Country::Bul, Force::Axis);
        editor.activate(Country::Gre, Force::Allied);
        let army = [1, 1].map(|corps| editor.corps(Nation::Bul, at("varna"), corps, 0, false).unwrap());
        for &corps in greeks {
            editor.corps(Nation::Gre, at("salonika"), corps, 0, false).unwrap();
        }
        editor.supply(Force::Axis, at("berlin"), 40).unwrap();
        let plan = plan_of_axis(&game, editor);
        marches(&plan, &army).into_iter().flatten().any(|to| to == at("sofia"))
    };
    assert!(sent_to_sofia(&[2, 1, 1]), "before it falls");
    assert!(!sent_to_sofia(&[]), "nobody threatens it");
}

#[test]
fn a_garrison_is_not_taken_from_a_front_that_the_enemy_outnumbers() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let sent = |french: u8| {
        let mut editor = Editor::new(&game);
        editor.turn(2).unwrap();
        editor.corps(Nation::Ger, at("saar"), 3, 0, false).unwrap();
        let single = editor.corps(Nation::Ger, at("saar"), 1, 0, false).unwrap();
        for _ in 0..french / 2 {
            editor.corps(Nation::Fra, at("nancy"), 2, 0, false).unwrap();
        }
        let state = editor.finish();
        let (map_tables, mut plan) = (MapTables::new(&game), Plan::new());
        plan.begin(&game, &map_tables, &state, Force::Axis, timetable());
        plan.supplied = game.rules.every_zone().collect();
        plan.board.budget = 40;
        plan.send_garrison(&game, &map_tables, &state, at("ruhr"));
        plan.march.of(single)
    };
    assert_eq!(sent(2), Some(at("ruhr")));
    assert_eq!(sent(6), None);
}

#[test]
fn nothing_is_saved_for_the_west_while_the_enemy_stands_on_german_soil() {
    let game = game("blitzwar/campaign-1939");
    let reserve = |invaded: bool| {
        let mut editor = Editor::new(&game);
        editor.turn(2).unwrap();
        editor.surrendered(Country::Pol, 2, Force::Allied);
        editor.control(zone(&game, "ruhr"), Some(if invaded { Force::Allied } else { Force::Axis })).unwrap();
        editor.supply(Force::Axis, zone(&game, "berlin"), 60).unwrap();
        Aims::of(&game, &editor.finish(), Force::Axis, timetable()).reserve
    };
    assert!(reserve(false) > 0);
    assert_eq!(reserve(true), 0);
}

#[test]
fn there_is_room_for_the_special_reinforcements_of_the_soviets() {
    let game = game("blitzwar/campaign-1939");
    let dates = &game.rules.dates;
    let room = |attack: u8, turn: u8| {
        let mut editor = Editor::new(&game);
        editor.turn(turn).unwrap();
        editor.timers().east_attack = attack;
        let state = editor.finish();
        let mut plan = Plan::new();
        plan.board.force = Force::Soviet;
        plan.room_for_arrivals(&game, &state)
    };
    // They come next turn, have come, and never come.
    let due = 15 + dates.special_delay - 1;
    assert_eq!(room(15, due), dates.special_corps.div_ceil(CORPS_IN_A_COUNTER));
    assert_eq!(room(15, due + 1), ROOM_FOR_ARRIVALS);
    assert_eq!(room(0, due), ROOM_FOR_ARRIVALS);
}

#[test]
fn the_capital_of_an_ally_and_of_a_conquered_country_is_held_with_more() {
    let game = game("blitzwar/campaign-1939");
    let (warsaw, ruhr) = (zone(&game, "warsaw"), zone(&game, "ruhr"));
    let mut editor = Editor::new(&game);
    editor.turn(16).unwrap();
    editor.control(warsaw, Some(Force::Axis)).unwrap();
    let worth = |status: Status| {
        let mut editor = Editor::of(&game, editor.state().clone());
        editor.status(Country::Pol, status);
        let state = editor.finish();
        let (map_tables, mut plan) = (MapTables::new(&game), Plan::new());
        plan.survey(&game, &map_tables, &state, Force::Axis, timetable());
        [warsaw, ruhr].map(|zone| plan.board.stake[zone.at()])
    };
    let capital = crate::Weights::of(Force::Axis).capital;
    let is = |stakes: [f32; 2], expected: f32| {
        assert!((stakes[0] - expected).abs() < 1e-6 && stakes[1].abs() < 1e-6, "{stakes:?}");
    };
    is(worth(Status::Axis), capital);
    let [conquered, _] = worth(Status::Surrendered);
    assert!(conquered > 0.0 && conquered < capital);
    is(worth(Status::Neutral), 0.0);
}

#[test]
fn the_war_in_the_east_begins_with_a_blow_or_not_yet() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let struck = |germans: u8, tired: bool| {
        let mut editor = Editor::new(&game);
        editor.turn(15).unwrap();
        editor.surrendered(Country::Pol, 2, Force::Allied);
        editor.surrendered(Country::Fra, 9, Force::Allied);
        for id in ["warsaw", "krakow", "lublin", "east_prussia", "danzig", "lodz", "breslau"] {
            editor.control(at(id), Some(Force::Axis)).unwrap();
        }
        for id in ["bialystok", "brest_litovsk", "lvov", "kaunas", "tarnopol"] {
            editor.control(at(id), Some(Force::Soviet)).unwrap();
        }
        for id in ["warsaw", "krakow", "lublin"] {
            for _ in 0..3 {
                let counter = editor.corps(Nation::Ger, at(id), germans, 0, false).unwrap();
                if tired && id == "warsaw" {
                    editor.moved(counter, 1).unwrap();
                }
            }
        }
        editor.corps(Nation::Ussr, at("brest_litovsk"), 1, 0, false).unwrap();
        for id in ["bialystok", "lvov"] {
            for _ in 0..3 {
                editor.corps(Nation::Ussr, at(id), 2, 0, false).unwrap();
            }
        }
        editor.supply(Force::Axis, at("berlin"), 60).unwrap();
        let plan = plan_of_axis(&game, editor);
        plan.target.given().iter().count()
    };
    assert!(struck(3, false) > 6, "all fall upon the border");
    assert_eq!(struck(3, true), 0, "two armies in three are no beginning");
}

#[test]
fn from_1943_the_axis_closes_its_line() {
    let game = game("blitzwar/campaign-1939");
    let plug = |turn: u8| {
        let mut editor = Editor::new(&game);
        editor.turn(turn).unwrap();
        let state = editor.finish();
        let mut plan = Plan::new();
        plan.survey(&game, &MapTables::new(&game), &state, Force::Axis, timetable());
        plan.board.weights.plug
    };
    assert!(plug(28) > 2.0 * plug(27));
}

#[test]
fn an_empty_berlin_is_held_from_the_rear() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let mut editor = Editor::new(&game);
    editor.turn(2).unwrap();
    let front = [1, 3].map(|corps| editor.corps(Nation::Ger, at("hannover"), corps, 0, false).unwrap());
    let rear = editor.corps(Nation::Ger, at("breslau"), 2, 0, false).unwrap();
    editor.control(at("ruhr"), Some(Force::Allied)).unwrap();
    for _ in 0..3 {
        editor.corps(Nation::Fra, at("ruhr"), 2, 0, false).unwrap();
    }
    editor.supply(Force::Axis, at("breslau"), 30).unwrap();
    let plan = plan_of_axis(&game, editor);
    assert_eq!(plan.march.of(rear), Some(at("berlin")));
    assert!(marches(&plan, &front).iter().all(|&to| to != Some(at("berlin"))));
}

#[test]
fn corps_of_a_bridgehead_beside_the_enemy_do_not_land_elsewhere() {
    let game = game("blitzwar/turning-point-1943");
    let at = |id: &str| zone(&game, id);
    let embarking = |germans: bool| {
        let mut editor = cleared(&game, 33);
        editor.control(at("calais"), Some(Force::Allied)).unwrap();
        editor.corps(Nation::Uk, at("calais"), 3, 0, false).unwrap();
        if germans {
            editor.corps(Nation::Ger, at("reims"), 3, 0, false).unwrap();
        }
        let state = editor.finish();
        let map_tables = MapTables::new(&game);
        let mut plan = Plan::new();
        plan.begin(&game, &map_tables, &state, Force::Allied, timetable());
        let sea = game.sea("english_channel").unwrap();
        plan.embarking(&game, &map_tables, &state, sea, at("cherbourg")).0
    };
    assert_eq!(embarking(false), 3);
    assert_eq!(embarking(true), 0);
}

#[test]
fn the_empty_capital_of_an_ally_is_held_before_supply_goes_into_attacks() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let mut editor = Editor::new(&game);
    editor.turn(12).unwrap();
    editor.surrendered(Country::Fra, 10, Force::Allied);
    editor.activate(Country::Bul, Force::Axis);
    editor.activate(Country::Gre, Force::Allied);
    let army = editor.corps(Nation::Bul, at("varna"), 1, 0, false).unwrap();
    // Two zones away, not beside it.
    for corps in [2, 1, 1] {
        editor.corps(Nation::Gre, at("athens"), corps, 0, false).unwrap();
    }
    let state = editor.finish();
    let (map_tables, mut plan) = (MapTables::new(&game), Plan::new());
    plan.begin(&game, &map_tables, &state, Force::Axis, timetable());
    plan.supplied = game.rules.every_zone().collect();
    plan.board.budget = 40;
    assert!(!plan.board.edge.contains(at("sofia")));
    plan.garrison_open_places(&game, &map_tables, &state);
    assert_eq!(plan.march.of(army), Some(at("sofia")));
}

#[test]
fn an_attack_is_weighed_from_where_it_is_made() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let mut editor = cleared(&game, 8);
    editor.corps(Nation::Fra, at("nancy"), 2, 0, false).unwrap();
    // Nobody stands at the line yet.
    for _ in 0..2 {
        editor.corps(Nation::Ger, at("frankfurt"), 3, 0, false).unwrap();
    }
    let state = editor.finish();
    let (map_tables, mut plan) = (MapTables::new(&game), Plan::new());
    plan.begin(&game, &map_tables, &state, Force::Axis, timetable());
    plan.board.budget = 80;
    for counter in plan.board.mine.clone() {
        plan.reach[counter.at()] = Zones::one(at("saar"));
    }
    let near = *game.adjacent(at("nancy"));
    let candidates = plan.candidates(&game, &state, &near, false);
    let found = plan.choose_attackers(&game, &map_tables, &state, at("nancy"), &candidates, 0, false);
    let found = found.assessment.unwrap();
    assert_eq!((found.attackers, found.all_across_line), ((6, 0), true));
    assert_eq!(found.modifiers.fortified_line, game.rules.charts.shifts.fortified_line);
}

#[test]
fn enemies_that_will_be_beaten_draw_no_reserves() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let raid = |infantry: u8, armour: u8| {
        let mut editor = cleared(&game, 8);
        editor.activate(Country::Be, Force::Allied);
        editor.surrendered(Country::Pol, 2, Force::Allied);
        editor.surrendered(Country::Be, 8, Force::Allied);
        editor.control(at("frankfurt"), Some(Force::Allied)).unwrap();
        editor.corps(Nation::Fra, at("frankfurt"), 2, 0, false).unwrap();
        for id in ["ruhr", "hannover"] {
            editor.corps(Nation::Ger, at(id), infantry, armour, false).unwrap();
        }
        editor.supply(Force::Axis, at("berlin"), 60).unwrap();
        plan_of_axis(&game, editor).board.threat[at("leipzig").at()]
    };
    assert!(raid(1, 0) > 1.0, "too few attack them");
    assert!(raid(1, 2) < 0.5, "they are as good as beaten");
}

#[test]
fn who_leaves_a_zone_that_the_enemy_watches_is_missed() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let missed = |french: u8| {
        let mut editor = cleared(&game, 2);
        for corps in [3, 1] {
            editor.corps(Nation::Ger, at("saar"), corps, 0, false).unwrap();
        }
        for _ in 0..french / 2 {
            editor.corps(Nation::Fra, at("nancy"), 2, 0, false).unwrap();
        }
        let state = editor.finish();
        let mut plan = Plan::new();
        plan.begin(&game, &MapTables::new(&game), &state, Force::Axis, timetable());
        plan.board.watch_lost(at("saar"), 1)
    };
    assert!(missed(2).abs() < 1e-6);
    assert!(missed(6) > 0.15);
}

#[test]
fn a_neutral_that_can_be_struck_but_once_is_left_a_way_out() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let closed = |turn: u8| {
        let mut editor = Editor::new(&game);
        editor.turn(turn).unwrap();
        editor.surrendered(Country::Pol, 2, Force::Allied);
        for id in ["ruhr", "saar", "hannover"] {
            for _ in 0..3 {
                editor.corps(Nation::Ger, at(id), 3, 0, false).unwrap();
            }
        }
        for _ in 0..2 {
            editor.corps(Nation::Be, at("bruxelles"), 2, 0, false).unwrap();
        }
        editor.supply(Force::Axis, at("ruhr"), 60).unwrap();
        let plan = plan_of_axis(&game, editor);
        let marching = plan.march.given();
        assert!(plan.target.given().iter().any(|counter| plan.target.of(counter) == Some(at("bruxelles"))));
        marching.iter().any(|counter| plan.march.of(counter) == Some(at("amsterdam")))
    };
    assert!(!closed(6), "mud: one attack, after which they go to Amsterdam");
    assert!(closed(7), "fair weather: two attacks");
}

#[test]
fn an_undefended_country_gets_no_army_while_france_stands() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let front = |france: bool| {
        let mut editor = Editor::new(&game);
        editor.turn(6).unwrap();
        editor.surrendered(Country::Pol, 2, Force::Allied);
        if !france {
            editor.surrendered(Country::Fra, 5, Force::Allied);
        }
        let state = editor.finish();
        let mut plan = Plan::new();
        plan.survey(&game, &MapTables::new(&game), &state, Force::Axis, timetable());
        assert!(plan.board.hostile.contains(at("jutland")));
        plan.board.front[at("hamburg").at()]
    };
    assert_eq!(front(false), 1);
    assert!(front(true) > 1);
}

#[test]
fn the_soviets_attack_a_bare_east_at_the_end_alone() {
    let game = game("blitzwar/france-1940");
    let strikes = |turn: u8, germans: u8| {
        let mut editor = Editor::new(&game);
        editor.turn(turn).unwrap();
        for id in ["bialystok", "brest_litovsk", "lvov"] {
            editor.corps(Nation::Ussr, zone(&game, id), 2, 0, false).unwrap();
        }
        for id in ["warsaw", "krakow"] {
            editor.corps(Nation::Ger, zone(&game, id), germans, 0, false).unwrap();
        }
        Aims::of(&game, &editor.finish(), Force::Soviet, timetable()).eastern_war
    };
    assert!(!strikes(9, 2), "they would pay for it");
    assert!(strikes(10, 2));
    assert!(!strikes(10, 3), "an army stands there");
}

#[test]
fn the_last_supply_zone_of_germany_is_worth_the_war() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let prizes = |force: Force, taken: &[&str]| {
        let mut editor = cleared(&game, 44);
        editor.timers().axis_soviet_war = 15;
        for id in taken {
            editor.control(at(id), Some(Force::Allied)).unwrap();
        }
        let state = editor.finish();
        let mut plan = Plan::new();
        plan.survey(&game, &MapTables::new(&game), &state, force, timetable());
        ["vienna", "prague", "hamburg"].map(|id| plan.board.prize[at(id).at()])
    };
    for force in [Force::Allied, Force::Soviet] {
        let [all, way, far] = prizes(force, &[]);
        let [last, last_way, last_far] = prizes(force, &["berlin", "ruhr"]);
        assert!(last > all + 5.0, "{last} after {all}");
        assert!(last_way > way + 1.0, "{last_way} after {way}");
        assert!((last_far - far).abs() < 1e-6, "{last_far} after {far}");
    }
    // Nothing is left to take.
    assert!(prizes(Force::Soviet, &["berlin", "ruhr", "vienna"]).iter().all(|prize| prize.is_finite()));
}

#[test]
fn the_border_with_the_soviets_is_guarded_at_the_end_though_france_stands() {
    let game = game("blitzwar/france-1940");
    let threat = |turn: u8| {
        let mut editor = Editor::new(&game);
        editor.turn(turn).unwrap();
        for _ in 0..3 {
            editor.corps(Nation::Ussr, zone(&game, "lvov"), 2, 0, false).unwrap();
        }
        let state = editor.finish();
        let mut plan = Plan::new();
        plan.survey(&game, &MapTables::new(&game), &state, Force::Axis, timetable());
        plan.board.threat[zone(&game, "krakow").at()]
    };
    assert!(threat(6) < 0.3);
    // All six of them count.
    assert!(threat(7) >= 6.0);
}

#[test]
fn an_attack_does_not_empty_a_supply_zone() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let left_in_ruhr = |corps: &[u8]| {
        let mut editor = cleared(&game, 40);
        editor.surrendered(Country::Fra, 10, Force::Allied);
        editor.timers().axis_soviet_war = 15;
        editor.control(at("stuttgart"), Some(Force::Allied)).unwrap();
        editor.corps(Nation::Uk, at("stuttgart"), 1, 0, false).unwrap();
        let army: Vec<_> = corps
            .iter()
            .map(|&corps| editor.corps(Nation::Ger, at("ruhr"), corps, 0, false).unwrap())
            .collect();
        editor.supply(Force::Axis, at("berlin"), 40).unwrap();
        let plan = plan_of_axis(&game, editor);
        let gone = marches(&plan, &army).into_iter().flatten().filter(|&to| to != at("ruhr")).count();
        (army.len() - gone, gone)
    };
    let (left, gone) = left_in_ruhr(&[2, 2]);
    assert!(left > 0, "{gone} have gone");
    let (left, gone) = left_in_ruhr(&[2, 2, 1]);
    assert!(left > 0 && gone > 0, "{gone} have gone, {left} stay");
}

#[test]
fn garrisons_are_worth_more_once_germany_is_on_the_defensive() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let worth = |turn: u8| {
        let mut editor = cleared(&game, turn);
        editor.surrendered(Country::Fra, 10, Force::Allied);
        editor.timers().axis_soviet_war = 15;
        for _ in 0..2 {
            editor.corps(Nation::Ussr, at("poznan"), 2, 0, false).unwrap();
        }
        let state = editor.finish();
        let mut plan = Plan::new();
        plan.survey(&game, &MapTables::new(&game), &state, Force::Axis, timetable());
        plan.board.key[at("berlin").at()]
    };
    let (before, after) = (worth(DEFENSIVE - 1), worth(DEFENSIVE));
    assert!(before > 0.0 && after > 1.5 * before, "{after} after {before}");
}

/// Armour that breaks through at Kharkov walks into Kiev behind it. The Axis holds such places once it is on the defensive; the
/// Soviets do not, who lose more by the attacks that they then leave undone.
#[test]
fn a_point_behind_a_front_that_may_break_wants_its_garrison() {
    let game = game("blitzwar/turning-point-1943");
    let at = |id: &str| zone(&game, id);
    let worth_of_kiev = |turn: u8, holder: Force, enemies: &[u8], held: bool| {
        let (mine, theirs, enemy) = match holder {
            Force::Axis => (Nation::Ger, Nation::Ussr, Force::Soviet),
            _ => (Nation::Ussr, Nation::Ger, Force::Axis),
        };
        let mut editor = cleared(&game, turn);
        for (id, corps) in [("kiev", 1), ("kharkov", 3), ("kursk", 3)] {
            editor.control(at(id), Some(holder)).unwrap();
            if held || id != "kiev" {
                editor.corps(mine, at(id), corps, 0, false).unwrap();
            }
        }
        editor.control(at("millerovo"), Some(enemy)).unwrap();
        for &corps in enemies {
            editor.corps(theirs, at("millerovo"), corps, 0, false).unwrap();
        }
        let (map_tables, mut plan) = (MapTables::new(&game), Plan::new());
        plan.survey(&game, &map_tables, &editor.finish(), holder, timetable());
        plan.board.key[at("kiev").at()]
    };
    assert!(worth_of_kiev(DEFENSIVE, Force::Axis, &[2, 2, 2], true) > 0.0, "two to one");
    assert!(worth_of_kiev(DEFENSIVE, Force::Axis, &[2, 2, 2], false) <= 0.0, "nobody is sent there");
    assert!(worth_of_kiev(DEFENSIVE, Force::Axis, &[2, 1], true) <= 0.0, "the front holds");
    assert!(worth_of_kiev(DEFENSIVE - 1, Force::Axis, &[2, 2, 2], true) <= 0.0, "the Axis attacks");
    assert!(worth_of_kiev(DEFENSIVE, Force::Soviet, &[2, 2, 2], true) <= 0.0, "the Soviets attack");
}

/// What arrives there finds no room, and nine corps leave to make it: so Germany surrendered in all of thirteen games.
#[test]
fn the_last_supply_zone_of_germany_keeps_its_garrison() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let gone = |british: &[u8], lost: &[&str]| {
        let mut editor = cleared(&game, 42);
        editor.surrendered(Country::Fra, 10, Force::Allied);
        editor.timers().axis_soviet_war = 15;
        for id in lost {
            editor.control(at(id), Some(Force::Allied)).unwrap();
        }
        editor.control(at("stuttgart"), Some(Force::Allied)).unwrap();
        for &corps in british {
            editor.corps(Nation::Uk, at("stuttgart"), corps, 0, false).unwrap();
        }
        let army = [3, 3, 3].map(|corps| editor.corps(Nation::Ger, at("ruhr"), corps, 0, false).unwrap());
        editor.supply(Force::Axis, at("ruhr"), 40).unwrap();
        let plan = plan_of_axis(&game, editor);
        assert!(!plan.board.edge.contains(at("ruhr")));
        marches(&plan, &army).into_iter().flatten().filter(|&to| to != at("ruhr")).count()
    };
    let others = ["berlin", "vienna"];
    assert!(gone(&[3, 3, 2], &[]) > 0, "there are others");
    assert_eq!(gone(&[3, 3, 2], &others), 0);
    assert!(gone(&[3], &[]) > 1, "three to one");
    assert!(gone(&[3], &others) <= 1, "two stay");
}

/// Corps in Sardinia or Damascus counted as a bridgehead: the army in Great Britain waited for no landing any more.
#[test]
fn an_island_is_no_bridgehead() {
    let game = game("blitzwar/turning-point-1943");
    let camp = |id: &str| {
        let mut editor = cleared(&game, 33);
        editor.control(zone(&game, id), Some(Force::Allied)).unwrap();
        editor.corps(Nation::Uk, zone(&game, id), 3, 0, false).unwrap();
        Aims::of(&game, &editor.finish(), Force::Allied, timetable()).camp
    };
    for id in ["sardinia", "corsica", "damascus", "rhodes", "albania"] {
        assert!(!is_mainland(&game, zone(&game, id)) && camp(id), "{id}");
    }
    for id in ["sicily", "taranto", "marseille", "calais", "amsterdam"] {
        assert!(is_mainland(&game, zone(&game, id)) && !camp(id), "{id}");
    }
    let south = &MapTables::new(&game).quotas[Force::Allied.index()][0].0;
    assert!(["damascus", "haifa", "tunis"].iter().all(|id| south.contains(zone(&game, id))));
    assert!(!south.contains(zone(&game, "marseille")));
}

#[test]
fn an_army_that_has_won_africa_looks_across_the_sea() {
    let game = game("blitzwar/turning-point-1943");
    let front = |turn: u8| {
        let mut editor = cleared(&game, turn);
        for zone in game.rules.regions.africa.or(&game.rules.regions.british_asia) {
            editor.control(zone, Some(Force::Allied)).unwrap();
        }
        let state = editor.finish();
        let mut plan = Plan::new();
        plan.survey(&game, &MapTables::new(&game), &state, Force::Allied, timetable());
        ["tunis", "mareth"].map(|id| plan.board.front[zone(&game, id).at()])
    };
    assert_eq!(front(33), [2, 3]);
    assert!(front(19).iter().all(|&steps| steps > 6), "nobody lands in Europe yet");
}

#[test]
fn an_open_place_gets_its_garrison_before_the_enemy_stands_beside_it() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let sent = |french: usize| {
        let mut editor = cleared(&game, 2);
        let rear = editor.corps(Nation::Ger, at("hannover"), 1, 0, false).unwrap();
        for _ in 0..french {
            editor.corps(Nation::Fra, at("nancy"), 2, 0, false).unwrap();
        }
        let state = editor.finish();
        let (map_tables, mut plan) = (MapTables::new(&game), Plan::new());
        plan.begin(&game, &map_tables, &state, Force::Axis, timetable());
        plan.supplied = game.rules.every_zone().collect();
        plan.board.budget = 40;
        assert!(!plan.board.edge.contains(at("ruhr")));
        plan.garrison_open_places(&game, &map_tables, &state);
        plan.march.of(rear)
    };
    assert_eq!(sent(3), Some(at("ruhr")));
    assert_eq!(sent(0), None);
}

/// Infantry at Stuttgart never attacked Nancy: behind the line the front was three zones away, round by Bruxelles.
#[test]
fn infantry_beside_a_fortified_line_may_attack_it() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let mut editor = cleared(&game, 11);
    editor.activate(Country::Be, Force::Allied);
    editor.surrendered(Country::Pol, 2, Force::Allied);
    editor.surrendered(Country::Be, 8, Force::Allied);
    for id in ["bruxelles", "amsterdam"] {
        editor.control(at(id), Some(Force::Axis)).unwrap();
    }
    for id in ["ruhr", "saar", "munich", "berlin"] {
        editor.corps(Nation::Ger, at(id), 1, 0, false).unwrap();
    }
    editor.corps(Nation::Fra, at("nancy"), 1, 0, false).unwrap();
    editor.corps(Nation::Fra, at("reims"), 2, 0, false).unwrap();
    let infantry = [(); 3].map(|()| editor.corps(Nation::Ger, at("stuttgart"), 3, 0, false).unwrap());
    editor.supply(Force::Axis, at("berlin"), 60).unwrap();
    let plan = plan_of_axis(&game, editor);
    assert!(plan.board.front[at("stuttgart").at()] > 2);
    assert!(infantry.iter().any(|&counter| plan.target.of(counter) == Some(at("nancy"))));
}

/// In the first turn of France 1940 the garrisons of the East went west by rail, and in the second back.
#[test]
fn the_east_is_not_emptied_where_the_end_is_near() {
    let game = game("blitzwar/france-1940");
    let mut quiet = sandtable_core::PlayContext { dice: &mut Rng64::stream(1, 0, 0), sink: &mut Vec::new() };
    let mut editor = Editor::of(&game, sandtable_core::Game::initial(&game, &mut quiet));
    editor.phase(Phase::StrategicMovement, Force::Axis);
    let state = editor.finish();
    let (map_tables, mut plan) = (MapTables::new(&game), Plan::new());
    plan.plan_land(&game, &map_tables, &state, Force::Axis, timetable(), true);
    let border = game.land().neighbours_of(state.control(Force::Soviet));
    let leaves = |counter: &Counter| {
        let from = state.location(*counter);
        border.contains(from)
            && [plan.rail.of(*counter), plan.march.of(*counter)]
                .iter()
                .flatten()
                .any(|&to| !border.contains(to))
    };
    let gone: Vec<_> = plan.board.mine.iter().filter(|counter| leaves(counter)).collect();
    assert!(plan.board.mine.iter().any(|&counter| border.contains(state.location(counter))));
    assert!(gone.is_empty(), "{gone:?}");
}

/// Stalino lay empty two zones from an army that attacked elsewhere in the last turn: a draw for a win.
#[test]
fn in_the_last_turn_empty_points_are_taken_first() {
    let game = game("blitzwar/barbarossa-1941");
    let at = |id: &str| zone(&game, id);
    let walks = |turn: u8, army: &[u8]| {
        let mut editor = cleared(&game, turn);
        editor.timers().axis_soviet_war = 15;
        for id in ["stalino", "elista"] {
            editor.control(at(id), Some(Force::Axis)).unwrap();
        }
        editor.corps(Nation::Ger, at("elista"), 1, 0, false).unwrap();
        let army: Vec<_> = army
            .iter()
            .map(|&corps| editor.corps(Nation::Ussr, at("stalingrad"), corps, 0, false).unwrap())
            .collect();
        editor.supply(Force::Soviet, at("stalingrad"), 6).unwrap();
        editor.phase(Phase::TacticalMovement, Force::Soviet);
        let state = editor.finish();
        let (map_tables, mut plan) = (MapTables::new(&game), Plan::new());
        plan.plan_land(&game, &map_tables, &state, Force::Soviet, timetable(), true);
        marches(&plan, &army).contains(&Some(at("stalino")))
    };
    assert!(walks(27, &[3, 1]));
    assert!(!walks(26, &[3, 1]), "both attack Elista");
    assert!(walks(27, &[1]), "nobody comes to Stalingrad any more");
}

/// Sofia is a capital, and counts for nobody.
#[test]
fn in_the_last_turn_nobody_walks_where_there_are_no_points() {
    let game = game("blitzwar/barbarossa-1941");
    let at = |id: &str| zone(&game, id);
    let walks = |bucharest: Force| {
        let mut editor = cleared(&game, 27);
        editor.timers().axis_soviet_war = 15;
        editor.activate(Country::Bul, Force::Axis);
        editor.activate(Country::Rum, Force::Axis);
        for zone in game.rules.every_zone() {
            editor.control(zone, Some(Force::Soviet)).unwrap();
        }
        editor.control(at("sofia"), Some(Force::Axis)).unwrap();
        editor.control(at("bucharest"), Some(bucharest)).unwrap();
        let counter = editor.corps(Nation::Ussr, at("varna"), 1, 0, false).unwrap();
        let state = editor.finish();
        let (map_tables, mut plan) = (MapTables::new(&game), Plan::new());
        plan.begin(&game, &map_tables, &state, Force::Soviet, timetable());
        plan.supplied = game.rules.every_zone().collect();
        plan.board.budget = 40;
        plan.walk_into_points(&game, &map_tables, &state);
        plan.march.of(counter)
    };
    assert_eq!(walks(Force::Axis), Some(at("bucharest")));
    assert_eq!(walks(Force::Soviet), None);
}

/// The Allies attacked Berlin five times at three to two, and ten Soviet corps beside it were never allowed to.
#[test]
fn a_zone_that_the_soviets_can_take_is_left_to_them() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let attacks = |soviets: usize, change: &dyn Fn(&mut Editor<'_>), air: bool| {
        let mut editor = cleared(&game, 41);
        editor.timers().axis_soviet_war = 15;
        editor.timers().usa_entry = 20;
        editor.surrendered(Country::Fra, 9, Force::Allied);
        for id in ["leipzig", "ruhr", "vienna", "hannover"] {
            editor.control(at(id), Some(Force::Allied)).unwrap();
            editor.corps(Nation::Uk, at(id), 1, 0, false).unwrap();
        }
        editor.control(at("kustrin"), Some(Force::Soviet)).unwrap();
        editor.corps(Nation::Ger, at("berlin"), 2, 0, false).unwrap();
        for _ in 0..soviets {
            editor.corps(Nation::Ussr, at("kustrin"), 2, 0, false).unwrap();
        }
        for _ in 0..2 {
            editor.corps(Nation::Usa, at("hannover"), 3, 0, false).unwrap();
        }
        editor.supply(Force::Allied, at("hannover"), 40).unwrap();
        editor.supply(Force::Soviet, at("kustrin"), 10).unwrap();
        change(&mut editor);
        editor.phase(Phase::TacticalMovement, Force::Allied);
        let state = editor.finish();
        let (map_tables, mut plan) = (MapTables::new(&game), Plan::new());
        plan.begin(&game, &map_tables, &state, Force::Allied, timetable());
        plan.plan_attacks(&game, &map_tables, &state, air);
        plan.target.given().iter().any(|counter| plan.target.of(counter) == Some(at("berlin")))
    };
    let starve = |editor: &mut Editor<'_>| editor.supply(Force::Soviet, at("kustrin"), 0).unwrap();
    let bar = |editor: &mut Editor<'_>| editor.attacked_by_allies(at("berlin"));
    let fly = |editor: &mut Editor<'_>| editor.air(Nation::Usa, at("hannover"), 2, false).unwrap();
    let dig = |editor: &mut Editor<'_>| {
        fly(editor);
        for corps in [3, 2] {
            editor.corps(Nation::Ger, at("berlin"), corps, 0, false).unwrap();
        }
    };
    let nothing = |_: &mut Editor<'_>| ();
    let cases = [
        (attacks(0, &nothing, false), true, "there is nobody else"),
        (attacks(4, &nothing, false), false, "eight corps do it as well as ten"),
        (attacks(2, &nothing, false), true, "four do not"),
        (attacks(6, &fly, true), false, "nor do ten with air"),
        (attacks(6, &starve, false), true, "those have no supply"),
        (attacks(6, &bar, false), true, "those may not attack it any more"),
        (attacks(5, &dig, true), true, "ten corps are too few against seven"),
        (attacks(6, &dig, true), false, "twelve are not"),
    ];
    let wrong: Vec<_> = cases.iter().filter(|(attacks, expected, _)| attacks != expected).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Italians stood in East Prussia, where they may not attack.
#[test]
fn nobody_goes_by_rail_where_he_may_not_fight() {
    let game = game("blitzwar/campaign-1939");
    let at = |id: &str| zone(&game, id);
    let sent = |nation: Nation| {
        let mut editor = cleared(&game, 40);
        editor.timers().axis_soviet_war = 15;
        editor.activate(Country::Ita, Force::Axis);
        editor.surrendered(Country::Fra, 9, Force::Allied);
        editor.control(at("budapest"), Some(Force::Soviet)).unwrap();
        for _ in 0..3 {
            editor.corps(Nation::Ussr, at("budapest"), 2, 0, false).unwrap();
        }
        let army = editor.corps(nation, at("reggio"), 2, 0, false).unwrap();
        editor.supply(Force::Axis, at("rome"), 40).unwrap();
        editor.supply(Force::Axis, at("berlin"), 40).unwrap();
        let plan = plan_of_axis(&game, editor);
        plan.rail.of(army).is_some_and(|to| !game.home(Country::Ita).contains(to))
    };
    assert!(sent(Nation::Ger), "Vienna is empty");
    assert!(!sent(Nation::Ita), "Italians do not fight there");
}
