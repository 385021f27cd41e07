//! Exact odds of a round against rounds that are played, and against what can be worked out by hand.

mod common;

use common::{at, block, spain, spain_with};
use sandtable_core::{PlayContext, Rng64, Stepwise};
use sandtable_eurofront::ids::hex;
use sandtable_eurofront::odds::{Conduct, End, Engagement};
use sandtable_eurofront::{Camp, Faction, Mark, Phase, State};

/// Nationalists of these strengths attack Zaragoza over the Ebro, supported, against Republicans of these.
fn over_the_ebro(attackers: &[u8], defenders: &[u8]) -> State {
    let mut editor = spain_with(&[("sn_hq_1", "Soria", 2)]);
    for (nth, &steps) in attackers.iter().enumerate() {
        let id = block(&format!("sn_inf_{}", nth + 1));
        editor.place(id, at("Zaragoza"), steps).entered_from(id, hex(10, 21));
    }
    for (nth, &steps) in defenders.iter().enumerate() {
        editor.place(block(&format!("sr_inf_{}", nth + 1)), at("Zaragoza"), steps);
    }
    editor.mark(block("sn_hq_1"), Mark::Active, true);
    editor.combat_of_alone(Faction::Axis)
}

#[test]
fn one_die_each_by_hand() {
    let state = over_the_ebro(&[1], &[1]);
    let odds = Engagement::new(spain(), &state, at("Zaragoza")).expect("a battle").distribution();
    // The defender's die: 1 and 2 repulse, 6 hits. Then the attacker's die, if he is still there.
    assert!((odds.chance(|end| end.active.repulsed == 1) - 1.0 / 3.0).abs() < 1e-12);
    assert!((odds.chance(|end| end.active.units == 1) - 1.0 / 6.0).abs() < 1e-12);
    assert!((odds.chance(|end| end.passive.units == 1) - 0.5 / 6.0).abs() < 1e-12);
    assert!((odds.chance(|end| end.left == Some(Camp::Coalition)) - 0.5).abs() < 1e-12);
}

#[test]
fn rounds_that_are_played_come_out_as_the_odds_say() {
    let game = spain();
    let start = over_the_ebro(&[3, 2], &[2, 2]);
    let odds = Engagement::new(game, &start, at("Zaragoza")).expect("a battle").distribution();
    let units = ["sn_inf_1", "sn_inf_2", "sr_inf_1", "sr_inf_2"].map(block);
    let steps = |state: &State, of: &[usize]| of.iter().map(|&nth| state.steps[units[nth]]).sum::<u8>();
    let games = 20_000u32;
    let mut sums = [0.0; 2];
    for nth in 0..games {
        let mut context = PlayContext::silent(Rng64::stream(7, u64::from(nth), 0));
        let mut state = start;
        // No airstrike; the battle must be fought; the first of alike units suffers.
        while matches!(state.phase, Phase::Airstrike | Phase::Losses) {
            let open = game.open_actions(&state);
            match open.first() {
                Some(&action) => game.apply_alone(&mut state, action, &mut context),
                None => game.end_idle_phase(&mut state, &mut context),
            }
            if state.active != Faction::Axis || state.phase == Phase::Activation {
                break;
            }
        }
        sums[0] += f64::from(steps(&start, &[0, 1]) - steps(&state, &[0, 1]));
        sums[1] += f64::from(steps(&start, &[2, 3]) - steps(&state, &[2, 3]));
    }
    let expected = [
        odds.expectation(|end| f64::from(end.active.steps)),
        odds.expectation(|end| f64::from(end.passive.steps)),
    ];
    let variances = [
        odds.expectation(|end| f64::from(end.active.steps).powi(2)) - expected[0].powi(2),
        odds.expectation(|end| f64::from(end.passive.steps).powi(2)) - expected[1].powi(2),
    ];
    for side in 0..2 {
        let mean = sums[side] / f64::from(games);
        let error = (variances[side] / f64::from(games)).sqrt();
        assert!(
            (mean - expected[side]).abs() < 5.0 * error,
            "side {side}: {mean} played, {} exact",
            expected[side]
        );
    }
}

#[test]
fn without_a_battle_there_are_no_odds() {
    let state = over_the_ebro(&[1], &[1]);
    assert!(Engagement::new(spain(), &state, at("Madrid")).is_err());
}

#[test]
fn a_second_round_is_fought_without_assault_and_stops_where_a_side_says() {
    let state = over_the_ebro(&[1], &[1]);
    let engagement = Engagement::new(spain(), &state, at("Zaragoza")).expect("a battle");
    let rounds = engagement.battle(Conduct { rounds: 2, ..Conduct::default() });
    assert_eq!(rounds.len(), 2);
    // The first round: repulsed on 1 and 2, hit on 6; else the attacker hits on 6. All else is fought on.
    let open = 0.5 * (1.0 - 1.0 / 6.0);
    assert!((rounds[0].chance(|outcome| outcome.end == End::Open) - open).abs() < 1e-12);
    // The second: no die repulses; the defender hits on 6, then the attacker, if he is still there.
    let won = 0.5 / 6.0 + open * (5.0 / 6.0) * (1.0 / 6.0);
    assert!((rounds[1].chance(|outcome| outcome.end == End::Won) - won).abs() < 1e-12);
    let lost = 0.5 + open / 6.0;
    assert!((rounds[1].chance(|outcome| outcome.end == End::Lost) - lost).abs() < 1e-12);
    assert!((rounds[1].chance(|outcome| outcome.round.active.repulsed > 0) - 1.0 / 3.0).abs() < 1e-12);
    // Who breaks off after the first round fights no second.
    let cautious = Conduct { rounds: 2, active_stops: 2, ..Conduct::default() };
    let rounds = engagement.battle(cautious);
    assert_eq!(rounds.len(), 1);
    assert!((rounds[0].chance(|outcome| outcome.end == End::BrokenOff) - open).abs() < 1e-12);
    let retreating = Conduct { rounds: 3, passive_leaves: 2, ..Conduct::default() };
    let rounds = engagement.battle(retreating);
    assert!((rounds[0].chance(|outcome| outcome.end == End::Left) - open).abs() < 1e-12);
}
