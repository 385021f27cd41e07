//! Supply (10.0), production (11.0) and the special rules of 1936, and what a side does not see of them.

mod common;

use common::{at, block, legal, play, play_alone, rules, scripted, spain, spain_with};
use sandtable_core::{Dice, Game, PlayContext, Rng64, Side, Stepwise, Turn};
use sandtable_eurofront::editor::Editor;
use sandtable_eurofront::ids::{Account, Front, hex, is_on_map, place};
use sandtable_eurofront::rules::{Fact, Kind, Weather};
use sandtable_eurofront::{Action, Camp, EuroFront, Faction, Mark, Phase, State};

// ---- supply (10.4, 10.6; 1936 rules 4, 8) ----

#[test]
fn units_out_of_supply_lose_a_step_unless_they_defend_a_loyal_place() {
    // Nobody joins Tetuan to a Republican railway; Bilbao is cut off as well, but loyal to the Republicans.
    let mut editor = spain_with(&[
        ("sr_inf_1", "Tetuan", 2),
        ("sr_inf_2", "Bilbao", 2),
        ("sr_inf_3", "Valencia", 2),
        ("sn_inf_1", "Burgos", 1),
    ]);
    editor.civil_war().french = [place::OUT; 2];
    let mut state = editor.finish();
    state.active = Faction::Axis;
    let mut context = scripted(&[]);
    state.phase = Phase::Activation;
    state.cursor = 99;
    spain().end_idle_phase(&mut state, &mut context);
    assert_eq!(state.steps[block("sr_inf_1")], 1, "10.6");
    assert!(state.has(block("sr_inf_1"), Mark::Unsupplied));
    assert!(state.has(block("sr_inf_2"), Mark::Unsupplied));
    assert_eq!(state.steps[block("sr_inf_2")], 2, "who defends a loyal place holds out (1936 rule 4)");
    assert_eq!(state.steps[block("sr_inf_3")], 2, "Valencia is joined to Madrid");
    assert!(!state.has(block("sr_inf_3"), Mark::Unsupplied));
}

#[test]
fn lines_of_supply_are_two_hexes_and_pass_disputed_ones_but_not_enemy_ones() {
    let game = spain();
    let state = spain_with(&[("sr_inf_1", "Madrid", 1)]).finish();
    let network = game.whole_network(&state, Camp::Coalition);
    assert!(network.contains(at("Madrid")) && network.contains(at("Valencia")), "{network:?}");
    assert!(
        !network.contains(at("Zaragoza")),
        "loyal to the enemy: the railway ends before it (1936 rule 8)"
    );
    let supplied = game.supplied_by(&state, Camp::Coalition, &network);
    // Toledo has no railway; Seville NE1 and Seville NE2 lie on the line to Seville, whose end is the enemy's.
    assert!(supplied.contains(at("Toledo")));
    assert!(!supplied.contains(at("Vigo")) && !supplied.contains(at("Melilla")));
    let two = hex(8, 24); // two hexes from the railway Madrid - Albacete
    assert!(supplied.contains(two), "10.4");
}

#[test]
fn railways_run_into_friendly_battles_but_not_through() {
    let game = spain();
    let albacete = at("Albacete");
    let mut editor = spain_with(&[("sr_inf_1", "Albacete", 1), ("sn_inf_1", "Albacete", 1)]);
    editor.defends(albacete, Camp::Coalition).civil_war().french = [place::OUT; 2];
    let state = editor.finish();
    let network = game.whole_network(&state, Camp::Coalition);
    assert!(network.contains(albacete) && !network.contains(at("Valencia")), "8.4");
    let mut editor = spain_with(&[("sr_inf_1", "Albacete", 1), ("sn_inf_1", "Albacete", 1)]);
    editor.defends(albacete, Camp::Axis);
    assert!(!game.whole_network(&editor.finish(), Camp::Coalition).contains(albacete), "an enemy battle");
}

#[test]
fn railheads_of_aid_are_sources() {
    let game = spain();
    let mut editor =
        spain_with(&[("sr_inf_1", "Barcelona", 1), ("sn_inf_1", "Lerida", 1), ("sn_inf_2", "Madrid", 1)]);
    editor.civil_war().french = [place::OUT; 2];
    let state = editor.finish();
    assert!(game.whole_network(&state, Camp::Coalition).is_empty(), "Madrid is lost and no aid comes");
    editor.civil_war().french = [at("Perpignan"), place::OUT];
    let state = editor.finish();
    assert!(game.whole_network(&state, Camp::Coalition).contains(at("Barcelona")), "1936 rule 4");
}

// ---- production (11; 1936 rule 7) ----

/// A production in which French aid is rolled with this die, up to the Nationalists' orders; aid comes to `port`.
fn production(editor: &mut Editor<'static>, french: u32, port: &str) -> State {
    editor.date(3, 1);
    let mut context = scripted(&[french]);
    let mut state = editor.production(&mut context);
    while state.phase != Phase::Building && state.phase != Phase::Arrival {
        let action = match state.phase {
            Phase::SovietPort => Action::Place(at(port)),
            Phase::AxisPort => Action::Pass,
            _ => legal(spain(), &state)[0],
        };
        play(&mut state, action, &mut context);
    }
    assert_eq!(context.dice.check(), Ok(()));
    state
}

#[test]
fn points_come_from_cities_and_abroad() {
    let mut editor =
        spain_with(&[("sn_inf_1", "Seville", 1), ("sr_inf_1", "Madrid", 1), ("sr_inf_2", "Barcelona", 1)]);
    let mut state = production(&mut editor, 3, "Valencia");
    assert_eq!((state.active, state.points[0]), (Faction::Axis, 4), "4 of Axis aid (1936 rule 3)");
    play(&mut state, Action::Pass, &mut scripted(&[]));
    assert_eq!(state.active, Faction::Allies);
    assert_eq!(state.points[1], 6, "Madrid 2, Barcelona 1, France 2, the Soviets 1");
}

#[test]
fn who_spends_loses_the_rest_and_who_saves_keeps_all() {
    let mut editor =
        spain_with(&[("sn_inf_1", "Seville", 1), ("sn_inf_2", "Cadiz", 1), ("sr_inf_1", "Valencia", 1)]);
    editor.points(Camp::Axis, 2);
    let mut state = production(&mut editor, 3, "Valencia");
    let mut context = scripted(&[]);
    assert_eq!(state.points[0], 6);
    play(&mut state, Action::Build(block("sn_inf_1")), &mut context);
    assert!(
        !legal(spain(), &state).contains(&Action::Build(block("sn_inf_2"))),
        "2 points are too few for 4"
    );
    assert_eq!(state.steps[block("sn_inf_1")], 1, "nothing comes about before both have decided (11.2)");
    play(&mut state, Action::Pass, &mut context);
    play_alone(&mut state, Action::Pass, &mut context);
    assert_eq!(state.steps[block("sn_inf_1")], 2);
    assert_eq!(state.points[0], 0, "the rest is lost (11.2)");
    assert!(state.points[1] > 0, "who has spent nothing keeps all (11.2)");
}

#[test]
fn units_in_battle_or_without_supply_are_not_built() {
    let mut editor = spain_with(&[
        ("sn_inf_1", "Seville", 1),
        ("sn_inf_2", "Melilla", 1),
        ("sn_inf_3", "Cordoba", 1),
        ("sr_inf_1", "Cordoba", 1),
    ]);
    editor.defends(at("Cordoba"), Camp::Coalition);
    let state = production(&mut editor, 3, "Valencia");
    let open = legal(spain(), &state);
    assert!(open.contains(&Action::Build(block("sn_inf_1"))));
    assert!(!open.contains(&Action::Build(block("sn_inf_2"))), "not supplied (11.71)");
    assert!(!open.contains(&Action::Build(block("sn_inf_3"))), "in battle (11.71)");
}

#[test]
fn cadres_return_at_their_lowest_step_in_loyal_cities() {
    let mut editor = spain_with(&[("sn_inf_1", "Seville", 2), ("sr_inf_1", "Valencia", 1)]);
    editor.remove(block("sn_inf_2"), place::ELIMINATED).points(Camp::Axis, 4);
    let mut state = production(&mut editor, 3, "Valencia");
    let mut context = scripted(&[]);
    play(&mut state, Action::Cadre(block("sn_inf_2")), &mut context);
    assert_eq!(state.phase, Phase::CadrePlace);
    let open = legal(spain(), &state);
    assert!(open.contains(&Action::Place(at("Seville"))), "{open:?}");
    assert!(!open.contains(&Action::Place(at("Barcelona"))), "not loyal");
    play(&mut state, Action::Place(at("Seville")), &mut context);
    assert_eq!(state.points[0], 0, "8 points (1936 rule 7)");
    play_alone(&mut state, Action::Pass, &mut context);
    assert_eq!((state.at(block("sn_inf_2")), state.steps[block("sn_inf_2")]), (at("Seville"), 1));
}

#[test]
fn double_supply_halves_the_price_of_a_headquarters_and_theatre_ones_are_free() {
    let mut editor = spain_with(&[
        ("sn_hq_1", "Seville", 1),
        ("sn_thq_jdn", "Cadiz", 1),
        ("sr_hq_1", "Albacete", 1),
        ("sr_thq_fp", "Tetuan", 0),
    ]);
    editor.points(Camp::Axis, 1).points(Camp::Coalition, 4);
    editor.civil_war().french = [place::OUT; 2];
    editor.civil_war().french_aid = 0;
    let mut state = production(&mut editor, 3, "Valencia");
    let mut context = scripted(&[]);
    assert!(
        legal(spain(), &state).contains(&Action::Build(block("sn_hq_1"))),
        "5 points with Lisbon (1936 rule 7)"
    );
    play(&mut state, Action::Build(block("sn_hq_1")), &mut context);
    assert_eq!(state.points[0], 0);
    // Madrid is loyal and joined to Albacete; Valencia is a railhead of Soviet aid: supplied twice.
    assert!(legal(spain(), &state).contains(&Action::Build(block("sr_hq_1"))), "{:?}", state.points);
    play_alone(&mut state, Action::Pass, &mut context);
    assert_eq!(state.steps[block("sn_thq_jdn")], 2, "a step for nothing (1936 rule 7)");
    assert_eq!(state.steps[block("sr_thq_fp")], 0, "not without supply");
}

#[test]
fn without_external_supply_the_republican_headquarters_pays_in_full() {
    let mut editor =
        spain_with(&[("sr_hq_1", "Madrid", 1), ("sn_inf_1", "Albacete", 1), ("sn_inf_2", "Zaragoza", 2)]);
    editor.points(Camp::Coalition, 5);
    editor.civil_war().french = [place::OUT; 2];
    editor.civil_war().french_aid = 0;
    // Aid comes to Almeria, which no railway joins to Madrid past Albacete.
    let mut state = production(&mut editor, 3, "Almeria");
    while state.active == Faction::Axis {
        play(&mut state, Action::Pass, &mut scripted(&[]));
    }
    assert!(state.points[1] >= 5, "{:?}", state.points);
    assert!(!legal(spain(), &state).contains(&Action::Build(block("sr_hq_1"))), "10 points (1936 rule 7)");
}

#[test]
fn reinforcements_arrive_in_their_month_at_ports() {
    let mut editor = spain_with(&[("sr_inf_1", "Madrid", 1), ("sn_inf_1", "Seville", 1)]);
    editor.remove(block("sr_arm_pavlov"), place::AWAITING);
    let mut state = production(&mut editor, 3, "Valencia"); // October 1936
    while state.active == Faction::Axis {
        play(&mut state, Action::Pass, &mut scripted(&[]));
    }
    assert_eq!((state.phase, state.subject), (Phase::Arrival, block("sr_arm_pavlov")));
    let open = legal(spain(), &state);
    assert!(
        open.contains(&Action::Place(at("Cartagena"))) && !open.contains(&Action::Place(at("Madrid"))),
        "{open:?}"
    );
    play(&mut state, Action::Place(at("Cartagena")), &mut scripted(&[]));
    assert_eq!(state.at(block("sr_arm_pavlov")), place::AWAITING, "not before both have decided");
    play_alone(&mut state, Action::Pass, &mut scripted(&[]));
    assert_eq!((state.at(block("sr_arm_pavlov")), state.steps[block("sr_arm_pavlov")]), (at("Cartagena"), 1));
}

#[test]
fn garrisons_are_bought_in_controlled_supplied_hexes() {
    let mut editor = spain_with(&[("sn_inf_1", "Seville", 1), ("sr_inf_1", "Valencia", 1)]);
    let mut state = production(&mut editor, 3, "Valencia");
    let open = legal(spain(), &state);
    assert!(open.contains(&Action::Garrison(at("Seville"))));
    assert!(
        !open.contains(&Action::Garrison(at("Madrid"))) && !open.contains(&Action::Garrison(at("Melilla")))
    );
    let mut context = scripted(&[]);
    play(&mut state, Action::Garrison(at("Seville")), &mut context);
    assert_eq!((state.points[0], state.owners.owns(Camp::Axis, at("Seville"))), (3, false));
    play(&mut state, Action::Pass, &mut context);
    play_alone(&mut state, Action::Pass, &mut context);
    assert!(state.owners.owns(Camp::Axis, at("Seville")));
}

// ---- aid, blockade, intervention, recognition (1936 rules 3, 5, 6, 9) ----

#[test]
fn french_aid_moves_with_the_die() {
    for (die, points) in [(1, 1), (2, 2), (3, 2), (4, 2), (5, 1), (6, 1)] {
        let mut editor = spain_with(&[("sr_inf_1", "Madrid", 1)]);
        let state = production(&mut editor, die, "Valencia");
        assert_eq!(state.civil_war.french_aid, points, "die {die}");
        let placed = state.civil_war.french.iter().filter(|&&hex| hex != place::OUT).count();
        assert_eq!(placed, usize::from(points), "die {die}");
    }
}

/// A production in the first month of the blockade, up to the choice of the Soviet port.
fn blockaded(editor: &mut Editor<'static>) -> State {
    let war = spain().rules.civil_war.as_ref().expect("1936");
    editor.date(war.blockade_from, 1);
    let mut context = scripted(&[3]);
    let mut state = editor.production(&mut context);
    if state.phase == Phase::Recognition {
        play_alone(&mut state, Action::Pass, &mut context);
    }
    assert_eq!(state.phase, Phase::SovietPort);
    state
}

#[test]
fn the_blockade_stops_aid_from_summer_1937_on() {
    // The Republicans hold Bilbao and Barcelona, which counts twice; all others are taken.
    let ports = ["Valencia", "Almeria", "Cartagena", "Malaga"];
    let blocks = ["sn_inf_1", "sn_inf_2", "sn_inf_3", "sn_inf_4"];
    for (die, comes) in [(3, true), (4, false)] {
        let mut editor = spain_with(&[]);
        for (id, port) in blocks.into_iter().zip(ports) {
            editor.place(block(id), at(port), 1);
        }
        let mut state = blockaded(&mut editor);
        let mut context = scripted(&[die]);
        play_alone(&mut state, Action::Place(at("Bilbao")), &mut context);
        assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())), "a die for the blockade");
        assert_eq!(state.civil_war.soviet != place::OUT, comes, "die {die}: {:?}", context.sink);
        assert_eq!(state.phase, Phase::AxisPort);
        // Eight ports of the Nationalists: Vigo, Cadiz, Mallorca by loyalty, and the four they have taken.
        let mut context = scripted(&[6]);
        play_alone(&mut state, Action::Place(at("Cadiz")), &mut context);
        assert_eq!((state.civil_war.axis_aid, state.civil_war.axis), (4, at("Cadiz")), "{:?}", context.sink);
    }
    // With three ports a four is too much for the Nationalists as well: a point is lost (1936 rule 5).
    let mut state = blockaded(&mut spain_with(&[]));
    play_alone(&mut state, Action::Place(at("Bilbao")), &mut scripted(&[1]));
    let mut context = scripted(&[4]);
    play_alone(&mut state, Action::Place(at("Cadiz")), &mut context);
    assert_eq!((state.civil_war.axis_aid, state.civil_war.axis), (3, place::OUT), "{:?}", context.sink);
    assert_eq!(state.points[0], 3);
}

#[test]
fn intervention_ends_on_doubles_from_winter_1938_on() {
    let war = spain().rules.civil_war.as_ref().expect("1936");
    for (dice, ended) in [([4, 4, 3], true), ([4, 5, 3], false)] {
        let mut editor = spain_with(&[("sr_arm_pavlov", "Madrid", 1), ("sn_mec_bs", "Seville", 1)]);
        editor.date(war.intervention_ends_from, 1).civil_war().claimed = true;
        // A new season: the claim is open again; level with both sides alike, nobody leads. Skip it if somebody does.
        let mut context = scripted(&dice);
        let mut state = editor.production(&mut PlayContext::silent(Rng64::stream(1, 0, 0)));
        if state.phase == Phase::Recognition {
            play_alone(&mut state, Action::Pass, &mut context);
            assert_eq!(state.civil_war.intervention_ended, ended);
            let gone = state.at(block("sr_arm_pavlov")) == place::REMOVED;
            assert_eq!(gone, ended, "foreign units go (1936 rule 6)");
            if ended {
                assert_eq!(spain().income(&state, Camp::Coalition), 0, "no more aid for the Republicans");
            }
        } else {
            panic!("the Republicans lead in the cities: {:?}", state.phase);
        }
    }
}

#[test]
fn recognition_takes_two_throws_below_the_level_and_one_claim_a_season() {
    let war = spain().rules.civil_war.as_ref().expect("1936");
    for (dice, granted) in [([1, 1, 1, 2], true), ([1, 1, 6, 6], false)] {
        let mut editor = spain_with(&[("sr_inf_1", "Madrid", 1), ("sr_inf_2", "Zaragoza", 1)]);
        editor.date(war.recognition_from, 1);
        let mut state = editor.production(&mut scripted(&[]));
        assert_eq!((state.phase, state.decider), (Phase::Recognition, Faction::Allies));
        assert!(state.civil_war.level <= -4, "{}", state.civil_war.level);
        let mut faces = dice.to_vec();
        if !granted {
            faces.push(3);
        }
        let mut context = scripted(&faces);
        play_alone(&mut state, Action::Yes, &mut context);
        assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())));
        assert_eq!(spain().turn_of(&state) == Turn::Over, granted);
        assert!(state.civil_war.claimed);
        if granted {
            let outcome = spain().outcome(&state).expect("over");
            assert_eq!((outcome.winner, outcome.end_reason), (Some(1), "recognition"));
        }
    }
}

// ---- weather (12.1) ----

#[test]
fn variable_months_are_rolled_and_may_balance() {
    let november = 4;
    let weather_after = |faces: &[u32], fortnight: u8, balance: bool, before: Weather| {
        let mut rules = common::rules("1936");
        rules.options.weather_balance = balance;
        let game = sandtable_eurofront::EuroFront::new(rules).expect("rules");
        let mut editor = Editor::new(&game);
        editor.date(november, fortnight).weather([before; 2]);
        let mut context = scripted(faces);
        let state = editor.fortnight(&mut context);
        assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())));
        state.weather[0]
    };
    assert_eq!(weather_after(&[1, 2], 1, false, Weather::Dry), Weather::Mud, "odd");
    assert_eq!(weather_after(&[1, 3], 1, false, Weather::Mud), Weather::Dry, "even");
    assert_eq!(weather_after(&[], 2, true, Weather::Mud), Weather::Dry, "the opposite of the first");
}

// ---- hidden information (23) ----

#[test]
fn who_is_who_and_what_is_ordered_is_not_seen() {
    let game = spain();
    let republican = Side(1);
    let mut editor =
        spain_with(&[("sn_inf_1", "Burgos", 3), ("sn_static_5", "Seville", 1), ("sr_inf_1", "Madrid", 1)]);
    let seen = game.observation(&editor.finish(), republican);
    let mut other =
        spain_with(&[("sn_inf_1", "Seville", 3), ("sn_static_5", "Burgos", 1), ("sr_inf_1", "Madrid", 1)]);
    assert_eq!(seen, game.observation(&other.finish(), republican), "blocks with their backs to the enemy");
    assert_ne!(game.observation(&editor.finish(), Side(0)), game.observation(&other.finish(), Side(0)));
    let steps = |ours: [u8; 2]| {
        let [first, second] = ours;
        let blocks =
            [("sn_inf_1", "Burgos", first), ("sn_inf_2", "Seville", second), ("sr_inf_1", "Madrid", 1)];
        game.observation(&spain_with(&blocks).finish(), republican)
    };
    assert_eq!(steps([3, 1]), steps([1, 3]), "how strong they are is not seen");
    editor.mark(block("sn_inf_1"), Mark::Revealed, true);
    assert_ne!(seen, game.observation(&editor.finish(), republican), "face up");

    let mut editor =
        spain_with(&[("sn_inf_1", "Seville", 1), ("sn_inf_2", "Cadiz", 1), ("sr_inf_1", "Valencia", 1)]);
    editor.points(Camp::Axis, 8);
    let mut state = production(&mut editor, 3, "Valencia");
    let before = game.observation(&state, republican);
    let mine = game.observation(&state, Side(0));
    play(&mut state, Action::Build(block("sn_inf_1")), &mut scripted(&[]));
    assert_eq!(state.active, Faction::Axis, "there is more to order");
    assert_eq!(before, game.observation(&state, republican), "orders are given unseen (11.2)");
    assert_ne!(mine, game.observation(&state, Side(0)));
}

// ---- bills (11.7) ----

#[test]
fn a_bill_says_who_pays_and_how_much_wherever_something_may_be_bought() {
    for (name, wanted) in [("1936", 100), ("1941", 400), ("1944", 400)] {
        let game = EuroFront::new(rules(name)).unwrap();
        let mut context = PlayContext::silent(Rng64::stream(3, 0, 0));
        let mut state = game.initial(&mut context);
        let (mut steps, mut cadres) = (0, 0);
        while steps + cadres < wanted {
            let open = legal(&game, &state);
            if open.is_empty() {
                break;
            }
            if state.phase == Phase::Building {
                for &action in &open {
                    let mut after = state;
                    let bill = match action {
                        Action::Build(block) => {
                            game.apply_alone(&mut after, action, &mut context);
                            steps += 1;
                            game.bill_for_step(&state, block)
                        }
                        Action::Cadre(block) => {
                            let hex = game.places_to_raise(&state, block).first().expect("a place");
                            game.apply_alone(&mut after, action, &mut context);
                            game.apply_alone(&mut after, Action::Place(hex), &mut context);
                            cadres += 1;
                            game.bill_for_cadre(&state, block, hex)
                        }
                        _ => continue,
                    };
                    let mut points = state.points;
                    points[bill.0.index()] -= i16::from(bill.1);
                    assert_eq!(after.points, points, "{name}: {action:?} costs {bill:?}");
                }
            }
            let chosen = open[context.dice.below(open.len() as u32) as usize];
            game.apply(&mut state, chosen, &mut context);
        }
        assert!(steps > 20 && cadres > 5, "{name}: {steps} steps and {cadres} cadres");
    }
}

/// A step and a cadre of a type by the tables of the Axis, the Allies, the Soviets, and in the Mediterranean, as the rulebook
/// prints them (11.7); 0, 0 where a table does not list it.
const PRINTED: [(Kind, [[i16; 2]; 4]); 9] = [
    (Kind::Armour, [[8, 12], [8, 16], [4, 8], [12, 24]]),
    (Kind::Mech, [[6, 9], [6, 12], [3, 6], [9, 18]]),
    (Kind::Infantry, [[4, 6], [4, 8], [2, 4], [6, 12]]),
    (Kind::Mountain, [[5, 8], [5, 10], [3, 6], [8, 16]]),
    (Kind::Cavalry, [[6, 9], [6, 12], [3, 6], [0, 0]]),
    (Kind::Shock, [[0, 0], [6, 12], [3, 6], [0, 0]]),
    (Kind::Static, [[3, 2], [3, 3], [0, 0], [4, 4]]),
    (Kind::Fort, [[10, 15], [10, 20], [0, 0], [0, 0]]),
    (Kind::Amphibious, [[0, 0], [4, 12], [2, 6], [6, 18]]),
];

/// What is paid, from which account, is what the rulebook's table says for the front: no function of the game's prices is asked.
/// Left out are headquarters, whose surcharges depend on supply, and places where a step costs double (11.71, 18.62) or the way
/// round the Cape decides who pays (21.14).
#[test]
fn units_cost_what_the_rulebook_prints() {
    let mut counted = [0; 5];
    for (name, wanted) in [("1940A", 300), ("1941", 500), ("1943", 500)] {
        let game = EuroFront::new(rules(name)).unwrap();
        let mut context = PlayContext::silent(Rng64::stream(5, 0, 0));
        let mut state = game.initial(&mut context);
        let england = game.land("great_britain");
        let mut bought = 0;
        while bought < wanted {
            let open = legal(&game, &state);
            if open.is_empty() {
                break;
            }
            if state.phase == Phase::Building {
                let patriotic = state.diplomacy.holds(Fact::GreatPatrioticWar);
                for &action in &open {
                    let mut after = state;
                    let (block, hex, cadre) = match action {
                        Action::Build(block) => (block, state.at(block), 0),
                        Action::Cadre(block) => {
                            (block, game.places_to_raise(&state, block).first().expect("a place"), 1)
                        }
                        _ => continue,
                    };
                    let data = game.brief(block);
                    let printed = PRINTED.iter().find(|(kind, _)| *kind == data.kind);
                    let plain =
                        is_on_map(hex) && !state.is_battle(hex) && !state.isolated.contains(data.nation);
                    let Some((_, prices)) = printed.filter(|_| plain) else { continue };
                    let (row, account) = match (data.faction, game.front(hex)) {
                        (Faction::Axis, Front::West) => (0, Account::AxisWest),
                        (Faction::Axis, Front::East) if name != "1940A" => (0, Account::AxisEast),
                        (Faction::Axis, Front::Mediterranean) if name == "1941" => {
                            (3, Account::AxisMediterranean)
                        }
                        (Faction::Allies, Front::West) if england.contains(hex) => (1, Account::AlliesWest),
                        (Faction::Soviets, _) => (if patriotic { 2 } else { 1 }, Account::Soviets),
                        _ => continue,
                    };
                    let price = prices[row][cadre];
                    game.apply_alone(&mut after, action, &mut context);
                    if cadre > 0 {
                        game.apply_alone(&mut after, Action::Place(hex), &mut context);
                    }
                    let paid: Vec<(usize, i16)> = (0..state.points.len())
                        .map(|account| (account, state.points[account] - after.points[account]))
                        .filter(|&(_, points)| points != 0)
                        .collect();
                    // Home may pay near bases in the South (21.38).
                    let at_base = row == 3 && paid == [(Account::AxisWest.index(), price)];
                    let place = game.hex_name(hex);
                    assert!(
                        at_base || paid == [(account.index(), price)],
                        "{name}: {action:?}, {:?} in {place}: {paid:?}",
                        data.kind
                    );
                    assert!(price > 0, "{name}: {action:?} is in no table");
                    counted[row] += 1;
                    counted[4] += cadre;
                    bought += 1;
                }
            }
            let chosen = open[context.dice.below(open.len() as u32) as usize];
            game.apply(&mut state, chosen, &mut context);
        }
    }
    assert!(counted.iter().all(|&count| count >= 20), "{counted:?}");
}
