//! Reasons why decisions are not legal: in every position there is one exactly for what is not legal, and asking for it
//! leaves nothing undone.

mod common;

use common::{game, legal, sampled};
use sandtable_core::{Dice, Game, Rng64};
use sandtable_victory_in_europe::phase::Phase;
use sandtable_victory_in_europe::rules::Target;
use sandtable_victory_in_europe::{Action, Place, UnitId, VictoryInEurope};

/// Any action with numbers that mean something.
fn any_action(game: &VictoryInEurope, dice: &mut Rng64) -> Action {
    let (areas, seas) = (game.rules.areas.len() as u32, game.rules.seas.len() as u32);
    let unit = UnitId(dice.below(game.rules.units.len() as u32) as u8);
    let area = Place(dice.below(areas) as u8);
    let place =
        if dice.below(4) == 0 { Place::sea(dice.below(seas) as u8) } else { Place(dice.below(areas) as u8) };
    let coast = dice.below(3) as u8;
    let target = Target::ALL[dice.below(6) as usize];
    match dice.below(26) {
        0 => Action::Pass,
        1 => Action::Card(dice.below(game.rules.cards.len() as u32) as u8),
        2 | 3 => Action::Select(unit),
        4 | 5 => Action::Go(place, coast),
        6 | 7 => Action::Strategic(place, coast),
        8 => Action::Invade(area),
        9 => Action::Join(unit),
        10 => Action::MoveFactory(area, Place(dice.below(areas) as u8)),
        11 => Action::Pin(unit),
        12 => Action::Deploy(unit, area),
        13 => Action::Name(place),
        14 => Action::Fight(place),
        15 => Action::Fire(target),
        16 => Action::Announce(target),
        17 => [Action::Shelter, Action::Extend, Action::Exploit][dice.below(3) as usize],
        18 => Action::Retreat(if dice.below(3) == 0 { Place::NONE } else { place }, coast),
        19 => Action::Take(unit),
        20 => Action::Move(unit, place),
        21 => Action::Roll(dice.below(28) as u8),
        22 => [Action::AllyPoland, Action::Subsidy][dice.below(2) as usize],
        23 => Action::Build(unit),
        24 => Action::Raise(unit, place),
        _ => [Action::BuildFactory(area), Action::CutConvoy(unit), Action::Exchange(unit, unit)]
            [dice.below(3) as usize],
    }
}

#[test]
fn there_is_a_reason_for_what_is_not_legal_and_for_nothing_else() {
    for (seed, scenario) in [(1, "campaign-1939"), (2, "stalingrad-1942")] {
        let game = game(scenario);
        let mut context = sampled(seed);
        let mut dice = Rng64::stream(seed, 1, 1);
        let mut state = game.initial(&mut context);
        let mut phases = Vec::new();
        for step in 0..20_000 {
            if state.phase == Phase::Over {
                break;
            }
            let open = legal(&game, &state);
            if step % 7 == 0 {
                phases.push(state.phase);
                let before = state.clone();
                for _ in 0..12 {
                    let action = any_action(&game, &mut dice);
                    let reason = game.why_illegal(&state, action);
                    assert_eq!(reason.is_none(), open.contains(&action), "{action:?}: {reason:?}");
                    assert!(reason.is_none_or(|reason| !reason.is_empty()), "{action:?}");
                }
                assert_eq!(before, state);
            }
            let action = open[dice.below(open.len() as u32) as usize];
            game.apply(&mut state, action, &mut context);
        }
        for phase in [Phase::Movement, Phase::Combat, Phase::Production] {
            assert!(phases.contains(&phase), "{phase:?} was not asked");
        }
    }
}
