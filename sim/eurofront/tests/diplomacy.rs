//! Rules of nations and of victory that no worked example proves: the order of turns (4.22), the exact odds of chains of
//! reactions (16.52), degrees of victory (19.2 to 19.4).

mod common;

use common::rules;
use sandtable_core::Index;
use sandtable_eurofront::editor::Editor;
use sandtable_eurofront::ids::{Camp, NationId};
use sandtable_eurofront::rules::{Status, Weather};
use sandtable_eurofront::state::{Degree, Ending};
use sandtable_eurofront::{EuroFront, Faction};

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
