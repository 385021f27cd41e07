//! Rules of nations and of victory that no worked example proves: the order of turns (4.22), the exact odds of chains of
//! reactions (16.52), degrees of victory (19.2 to 19.4).

mod common;

use common::{legal, rules, sampled, scripted};
use sandtable_core::{Game, Index, Side, Stepwise};
use sandtable_eurofront::editor::Editor;
use sandtable_eurofront::ids::{Account, BlockId, Blocks, Camp, Hexes, NationId, place};
use sandtable_eurofront::rules::{Status, Weather};
use sandtable_eurofront::state::{Degree, Ending};
use sandtable_eurofront::{Action, EuroFront, Faction, Mark, Phase, State};

fn game(scenario: &str) -> EuroFront {
    EuroFront::new(rules(scenario)).expect("rules")
}

fn nation(game: &EuroFront, id: &str) -> NationId {
    game.rules.nation(id).unwrap_or_else(|| panic!("no nation {id}"))
}

#[test]
fn turns_come_in_the_order_of_weather_and_second_front() {
    let game = game("1940");
    let (axis, allies, soviets) = (Faction::Axis, Faction::Allies, Faction::Soviets);
    for (second_front, weather, order) in [
        (false, Weather::Dry, [axis, allies, soviets]),
        (false, Weather::Mud, [axis, allies, soviets]),
        (false, Weather::Snow, [soviets, axis, allies]),
        (true, Weather::Dry, [allies, axis, soviets]),
        (true, Weather::Mud, [allies, axis, soviets]),
        (true, Weather::Snow, [allies, soviets, axis]),
    ] {
        assert_eq!(game.order_of_turns(second_front, weather), order, "{second_front} {weather:?}");
    }
    // Who is not played has no turn.
    let game = self::game("1940A");
    assert_eq!(game.order_of_turns(false, Weather::Snow)[..2], [axis, allies]);
}

/// Holland attacked brings Belgium in with certainty before the defeat of France, with 1 in 6 after it; then Belgium's
/// links are asked, of which none is left.
#[test]
fn chains_of_reactions_have_their_exact_odds() {
    let game = game("1940");
    let mut editor = Editor::new(&game);
    let (holland, belgium, france) =
        (nation(&game, "holland"), nation(&game, "belgium"), nation(&game, "france"));
    let odds = game.reaction_odds(editor.state(), Faction::Axis, holland).expect("neutral");
    let joins = |odds: &sandtable_core::Pmf<_>, who: NationId| {
        odds.chance(|after: &Vec<(NationId, Faction)>| after.iter().any(|&(nation, _)| nation == who))
    };
    assert!((joins(&odds, belgium) - 1.0).abs() < 1e-12);
    editor.relate(france, Status::Defeated);
    let odds = game.reaction_odds(editor.state(), Faction::Axis, holland).expect("neutral");
    assert!((joins(&odds, belgium) - 1.0 / 6.0).abs() < 1e-12);
    assert!((joins(&odds, holland) - 1.0).abs() < 1e-12);
    assert!(game.reaction_odds(editor.state(), Faction::Axis, france).is_err());
}

/// Attacked Yugoslavia: what the chain does by hand for its first links, and that all mass is there.
#[test]
fn a_long_chain_keeps_all_of_its_chances() {
    let game = game("1940");
    let editor = Editor::new(&game);
    let yugoslavia = nation(&game, "yugoslavia");
    let odds = game.reaction_odds(editor.state(), Faction::Axis, yugoslavia).expect("neutral");
    let total: f64 = odds.iter().map(|(_, chance)| chance).sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
    // Nobody reacts: Italy 1, Hungary 1, Romania 3, Bulgaria 1, Greece 2 all fail.
    let alone = odds.chance(|after| after.len() == 1);
    let by_hand = 5.0 / 6.0 * 5.0 / 6.0 * 3.0 / 6.0 * 5.0 / 6.0 * 4.0 / 6.0;
    assert!((alone - by_hand).abs() < 1e-12, "{alone} {by_hand}");
    // Hungary joins the Axis in all cases.
    let hungary = nation(&game, "hungary");
    for (after, _) in odds.iter() {
        for &(who, with) in after {
            assert!(who != hungary || with == Faction::Axis);
        }
    }
    assert!(hungary.at() < game.rules.nations.len());
}

#[test]
fn victories_of_the_campaign_go_by_production() {
    let axis = |degree| Ending::Victory(Camp::Axis, degree);
    for (own, others, ending) in [
        (145, 144, axis(Degree::Major)),
        (144, 144, axis(Degree::Minor)),
        (75, 100, axis(Degree::Minor)),
        (74, 100, axis(Degree::Marginal)),
        (68, 102, axis(Degree::Marginal)),
        (67, 102, Ending::Draw),
        (34, 100, Ending::Draw),
        (33, 99, Ending::Victory(Camp::Coalition, Degree::Marginal)),
    ] {
        assert_eq!(EuroFront::ending_by_production(own, others), ending, "{own} against {others}");
    }
}

/// At war, with every block of theirs on the map or gone for good, and 120 points: the Soviets put 100 aside. The event is
/// certain then and takes what is saved; if it is not played they have the 100 again (20.593).
#[test]
fn a_complete_red_army_with_points_to_spare_may_rearm() {
    let game = game("1944");
    let soviets = |block: &BlockId| game.rules.blocks[block.at()].faction == Faction::Soviets;
    let blocks = || (0..game.rules.blocks.len()).map(BlockId::nth);
    let rearm = Action::Allot(100);
    for (lost, points, offered) in [(0, 120, true), (1, 120, false), (0, 99, false)] {
        let mut editor = Editor::new(&game);
        let missing: Vec<BlockId> = blocks()
            .filter(soviets)
            .filter(|&block| !sandtable_eurofront::ids::is_on_map(editor.state().at(block)))
            .collect();
        for block in missing {
            editor.remove(block, place::REMOVED);
        }
        if let Some(block) = blocks().filter(soviets).nth(3).filter(|_| lost > 0) {
            editor.remove(block, place::ELIMINATED);
        }
        let mut state = editor.finish();
        state.active = Faction::Soviets;
        state.decider = Faction::Soviets;
        state.phase = Phase::Building;
        state.cursor = 0;
        state.points[Account::Soviets.index()] = points;
        assert_eq!(legal(&game, &state).contains(&rearm), offered, "{lost} lost, {points} points");
        if !offered {
            continue;
        }
        game.apply_alone(&mut state, rearm, &mut scripted(&[]));
        assert_eq!((state.points[Account::Soviets.index()], state.diplomacy.reserved), (20, true));
        assert!(!legal(&game, &state).contains(&rearm), "once a production");

        let event = game.rules.event("SA").expect("the event of rearmament");
        state.phase = Phase::Diplomacy;
        state.active = Faction::Allies;
        let mut played = state;
        assert_eq!(game.chance_of(&played, event), Some(6));
        game.apply_alone(&mut played, Action::Event(event), &mut scripted(&[]));
        assert_eq!((played.points[Account::Soviets.index()], played.diplomacy.reserved), (0, false));
        for _ in 0..2 {
            game.apply_alone(&mut state, Action::Pass, &mut sampled(1)); // Neither side tries an event.
        }
        assert_eq!((state.points[Account::Soviets.index()], state.diplomacy.reserved), (120, false));
    }
}

/// Which of two Soviet units goes to the Curzon Line the Axis does not see, nor that one has been chosen.
#[test]
fn who_goes_to_the_curzon_line_is_hidden() {
    let game = game("1939");
    let mut editor = Editor::new(&game);
    editor.clear();
    let minsk = game.rules.place("minsk").expect("a place");
    let units = ["su_inf_2", "su_inf_3"].map(|id| game.rules.block(id).expect("a block"));
    for block in units {
        editor.place(block, minsk, 2);
    }
    let mut state = editor.finish();
    state.phase = Phase::EventUnit;
    state.active = Faction::Allies;
    state.decider = Faction::Allies;
    state.diplomacy.event = game.rules.event("CL").expect("an event");
    let chosen = units.map(|block| {
        let mut chosen: State = state;
        chosen.phase = Phase::Deployment;
        chosen.subject = block;
        chosen
    });
    let [axis, others] = [Camp::Axis, Camp::Coalition].map(|camp| Side(camp as u8));
    for one in &chosen {
        assert_eq!(game.observation(one, axis), game.observation(&state, axis));
        let drawn = game.determinize(one, axis, &mut sampled(3).dice);
        assert_eq!((drawn.phase, drawn.subject), (Phase::EventUnit, BlockId::NONE));
        assert_eq!(game.determinize(one, others, &mut sampled(3).dice).subject, one.subject);
    }
    assert_ne!(game.observation(&chosen[0], others), game.observation(&chosen[1], others));
}

/// The Axis holds Bucharest, behind neutral Hungary: a source of supply of the Romanians, if they fight for it (20.64). That
/// they have blocks in its colour does not matter.
#[test]
fn a_conquered_capital_is_no_source_of_supply() {
    let game = game("1940");
    let (romania, bucharest) = (nation(&game, "romania"), game.rules.place("bucharest").expect("place"));
    for (status, source) in [(Status::Belligerent(Faction::Axis), true), (Status::Defeated, false)] {
        let mut editor = Editor::new(&game);
        editor.relate(romania, status).owns(&Hexes::one(bucharest), Some(Faction::Axis));
        let state = editor.finish();
        assert_eq!(game.isolated(&state, Faction::Axis).contains(romania), source, "{status:?}");
        assert_eq!(game.whole_network(&state, Camp::Axis).contains(bucharest), source, "{status:?}");
    }
}

/// The Axis attacks Italy, which activates the Mediterranean: its 20th Corps comes in the colour of the side joined (11.8, 16.3).
#[test]
fn a_condition_brings_blocks_in_the_colour_of_the_side_joined() {
    let game = game("1940");
    let block = |id: &str| game.rules.block(id).expect("block");
    let war = Action::Nation(nation(&game, "italy"));
    let mut context = sampled(1);
    let mut state = Editor::new(&game).date(10, 1).turn_of(Faction::Axis, &mut context);
    assert!(legal(&game, &state).contains(&war));
    game.apply_alone(&mut state, war, &mut context);
    assert_eq!(state.at(block("it_mec_20")), place::OUT);
    for id in ["al_it_mec_20", "uk_inf_anz"] {
        assert_eq!(state.at(block(id)), place::AWAITING, "{id}");
    }
}

/// Off the map no mark stays but that of the British who fell in France, while they are eliminated (B64).
#[test]
fn only_the_fallen_british_are_marked_off_the_map() {
    let game = game("1940");
    for (id, at, allowed) in [
        ("uk_inf_3", place::ELIMINATED, true),
        ("uk_inf_3", place::REMOVED, false),
        ("de_inf_1", place::ELIMINATED, false),
    ] {
        let block = game.rules.block(id).expect("block");
        let mut editor = Editor::new(&game);
        editor.remove(block, at).state_mut().marks = [Blocks::EMPTY; Mark::COUNT];
        editor.mark(block, Mark::FALLEN, true);
        assert_eq!(game.check(&editor.finish()).is_ok(), allowed, "{id}");
    }
}

/// The Pact's border is open to the side whose turn it is alone (16.42).
#[test]
fn a_border_that_nobody_defends_is_open_in_ones_own_turn() {
    let game = game("1940");
    let place = |name: &str| game.rules.place(name).expect("a place");
    let (memel, konigsberg) = (place("memel"), place("Konigsberg E1"));
    let mut state = *Editor::new(&game).clear().date(1, 1).state();
    for (active, other, open) in
        [(Faction::Axis, Faction::Soviets, memel), (Faction::Soviets, Faction::Axis, konigsberg)]
    {
        state.active = active;
        assert!(game.border_gaps(&state, active).contains(open), "{}", active.id());
        assert!(game.border_gaps(&state, other).is_empty(), "in the turn of {}", active.id());
        state.blitz = true;
        assert!(game.border_gaps(&state, active).is_empty(), "a hex a turn");
        state.blitz = false;
    }
}
