//! Random combats of units thrown together: every step is reached, and no invariant is broken.

mod common;
mod melee;

use std::collections::BTreeMap;

use sandtable_core::{Dice, Game, PlayContext, Rng64, Turn};
use sandtable_roads_to_moscow::ids::UnitId;
use sandtable_roads_to_moscow::{Action, Phase, State};

use melee::melee;

fn is_of_sequence(phase: Phase) -> bool {
    phase.is_combat() || (Phase::Movement..=Phase::NoRetreatPoints).contains(&phase)
}

/// Draws an action; attacks and overruns rather than none, and units rather join one.
fn draw(state: &State, legal: &[Action], dice: &mut Rng64) -> Action {
    let eager = dice.below(5) > 0;
    let wanted: Vec<Action> = legal
        .iter()
        .copied()
        .filter(|action| match state.phase {
            Phase::Declaring => *action != Action::Pass,
            Phase::Attackers => matches!(action, Action::Unit(_)),
            Phase::Stack => matches!(action, Action::Overrun(_) | Action::Join(_)),
            _ => true,
        })
        .collect();
    let among = if eager && !wanted.is_empty() { &wanted } else { legal };
    among[dice.below(among.len() as u32) as usize]
}

#[test]
fn melees_reach_every_step_and_keep_the_invariants() {
    let mut seen: BTreeMap<Phase, u32> = BTreeMap::new();
    for scenario in ["mozhaysk", "road-to-mtsensk"] {
        let game = common::game(scenario);
        let mut legal = Vec::new();
        for number in 0..4000 {
            let mut dice = Rng64::stream(11, number, 0);
            let phase = if number % 2 == 0 { Phase::Movement } else { Phase::Declaring };
            let mut state = melee(&game, &mut dice, phase);
            let mut context = PlayContext::silent(Rng64::stream(11, number, 1));
            while is_of_sequence(state.phase) && matches!(game.turn_of(&state), Turn::Decide(_)) {
                *seen.entry(state.phase).or_default() += 1;
                legal.clear();
                game.legal_actions(&state, &mut legal);
                assert!(legal.is_sorted() && legal.len() > 1, "{number} {:?}: {legal:?}", state.phase);
                let action = draw(&state, &legal, &mut dice);
                game.apply(&mut state, action, &mut context);
                game.check(&state)
                    .unwrap_or_else(|error| panic!("{scenario} {number} {:?}: {error}", state.phase));
                assert!(state.battle.walker.is_none() || state.on_map.contains(state.battle.walker));
            }
            let ghosts: Vec<UnitId> =
                state.marks.iter().flatten().filter(|&unit| !state.on_map.contains(unit)).collect();
            assert!(
                ghosts.is_empty() || ghosts.iter().all(|&unit| game.player(unit) == state.active),
                "{number}"
            );
        }
    }
    println!("{seen:#?}");
    let combat = [
        Phase::Combat,
        Phase::AttackLead,
        Phase::DefenceLead,
        Phase::Air,
        Phase::AirLead,
        Phase::AirPoints,
        Phase::Artillery,
        Phase::SureArtillery,
        Phase::ArtilleryLead,
        Phase::ArtilleryPoints,
        Phase::GroundPoints,
        Phase::Losses,
        Phase::NoRetreatLoss,
        Phase::Retreat,
        Phase::Excess,
        Phase::MotorisedAdvantage,
        Phase::GroupLead,
        Phase::SpecialRetreat,
        Phase::FailedOverrun,
        Phase::Advance,
    ];
    let missing: Vec<_> = combat.into_iter().filter(|phase| !seen.contains_key(phase)).collect();
    assert!(missing.is_empty(), "never reached: {missing:?}");
}

#[test]
fn melees_allocate_nothing() {
    let game = common::game("mozhaysk");
    let mut legal = Vec::with_capacity(4096);
    let mut decisions = 0;
    for number in 0..400 {
        let mut dice = Rng64::stream(13, number, 0);
        let phase = if number % 2 == 0 { Phase::Movement } else { Phase::Declaring };
        let mut state = melee(&game, &mut dice, phase);
        let mut context = PlayContext::silent(Rng64::stream(13, number, 1));
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let seen = allocation_counter::measure(|| {
            while is_of_sequence(state.phase) && !legal.is_empty() {
                // Anything but a Pass, two times in three.
                let least = u32::from(legal[0] == Action::Pass && legal.len() > 1 && dice.below(3) > 0);
                let at = least + dice.below(legal.len() as u32 - least);
                let action = legal[at as usize];
                game.apply_listing(&mut state, action, &mut context, &mut legal, |_| true);
                decisions += u32::from(state.phase.is_combat());
            }
        });
        assert_eq!(seen.count_total, 0, "{number}");
    }
    assert!(decisions > 2_000, "{decisions}");
}
