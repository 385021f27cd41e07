//! Odds of combats: against the table read by hand, and against combats fought.

mod common;
mod melee;

use std::collections::BTreeMap;

use sandtable_core::{Dice, Game, Index, Rng64};
use sandtable_roads_to_moscow::battle::Occasion;
use sandtable_roads_to_moscow::editor::Editor;
use sandtable_roads_to_moscow::ids::{Player, Units, hex};
use sandtable_roads_to_moscow::odds::{Conduct, End, Engagement, Lead, Outcome, Plan, Points};
use sandtable_roads_to_moscow::rules::Crt;
use sandtable_roads_to_moscow::state::Mark;
use sandtable_roads_to_moscow::{Action, Phase, RoadsToMoscow, Sequence, State};

/// Two hexes of the Mozhaysk map with nothing on the side between them.
const FROM: u16 = 2612;
const TARGET: u16 = 2511;

/// Two German battalions against a Soviet one in the open, without anything else.
fn duel(game: &RoadsToMoscow) -> (State, Units) {
    let mut editor = Editor::new(game);
    editor.clear();
    editor.place("g_10pz_I_69", FROM).place("g_10pz_II_69", FROM).place("s_32_I_17", TARGET);
    editor.activate(&["10Pz"], Sequence::Assault);
    let state = editor.begin(Phase::Declaring, Player::German, &mut common::sampled(1));
    let attackers = ["g_10pz_I_69", "g_10pz_II_69"].map(|id| common::unit(game, id)).into_iter().collect();
    (state, attackers)
}

#[test]
fn a_plain_combat_is_the_column_of_the_table() {
    let game = common::mozhaysk();
    let (state, attackers) = duel(game);
    let engagement =
        Engagement::attack(game, &state, attackers, hex(TARGET), Crt::Assault, Conduct::default()).unwrap();
    let odds = engagement.distribution();
    // What is read on the table, by hand.
    let (attack, defence) = engagement.strengths();
    let table = &game.rules.results[Crt::Assault as usize];
    let column = table.column(attack as u16, defence as u16).unwrap();
    let leads = [attackers.first().unwrap(), engagement.defenders().first().unwrap()];
    let [a, d] = leads.map(|unit| game.efficiency(&state, unit) as i8);
    let modifier = game.map().terrain_drm[hex(TARGET).at()] + d - a;
    assert_eq!(odds.tables.iter().map(|(table, _)| *table).collect::<Vec<_>>(), [(Some(column), modifier)]);
    let results = (1..=10).map(|roll| table.result(Some(column), roll + modifier));
    let (mut lost, mut cleared) = ([0.0; 2], 0.0);
    for result in results {
        let steps = u8::from(result.defender.steps > 2 || result.defender.eliminated);
        lost[0] += f64::from(result.attacker.steps) / 10.0;
        lost[1] += if steps > 0 { 0.2 } else { f64::from(result.defender.steps.min(2)) / 10.0 };
        cleared += f64::from(u8::from(result.defender.retreat || result.defender.eliminated)) / 10.0;
        assert!(!result.attacker.retreat || result.attacker.steps < 3);
    }
    let share = odds.outcomes.chance(|outcome| matches!(outcome.end, End::Retreated | End::Eliminated));
    assert!((share - cleared).abs() < 1e-9, "{share} {cleared}");
    let mean = |of: fn(&Outcome) -> u8| odds.outcomes.expectation(|outcome| f64::from(of(outcome)));
    assert!((mean(|outcome| outcome.attacker.steps) - lost[0]).abs() < 1e-9);
    assert!((mean(|outcome| outcome.defender.steps) - lost[1]).abs() < 1e-9);
}

#[test]
fn a_table_given_is_the_one_that_is_read() {
    let game = common::mozhaysk();
    let (state, attackers) = duel(game);
    let engagement =
        Engagement::attack(game, &state, attackers, hex(TARGET), Crt::Assault, Conduct::default()).unwrap();
    let odds = engagement.distribution();
    let (table, _) = odds.tables.iter().next().unwrap();
    let (column, modifier) = *table;
    assert!(engagement.at_table(column, modifier).distance(&odds.outcomes) < 1e-12, "its own");
    let cleared = |column, modifier| {
        let outcomes = engagement.at_table(Some(column), modifier);
        outcomes.chance(|outcome| matches!(outcome.end, End::Retreated | End::Eliminated))
    };
    for column in 1..11 {
        assert!(cleared(column, 0) >= cleared(column - 1, 0), "better odds are no worse");
        assert!(cleared(column, 1) <= cleared(column, 0), "nor are modifiers for the defender better");
    }
    // Below the first column A2Rd.
    let below = engagement.at_table(None, 0);
    assert!((below.expectation(|outcome| f64::from(outcome.attacker.steps)) - 2.0).abs() < 1e-9);
}

#[test]
fn what_cannot_be_fought_says_why() {
    let game = common::mozhaysk();
    let (state, attackers) = duel(game);
    let ask = |attackers: Units, target: u16, crt: Crt| {
        Engagement::attack(game, &state, attackers, hex(target), crt, Conduct::default()).unwrap_err()
    };
    assert!(ask(attackers, 2411, Crt::Assault).contains("no enemy unit"));
    assert!(ask(Units::EMPTY, TARGET, Crt::Assault).contains("nobody"));
    assert!(ask(attackers, TARGET, Crt::Mobile).contains("Mobile table"));
    let far = [common::unit(game, "g_10pz_I_7")].into_iter().collect();
    assert!(ask(far, TARGET, Crt::Assault).contains("cannot attack"));
}

fn is_overrun(engagement: &Engagement<'_>) -> bool {
    engagement.position().battle.occasion == Occasion::Overrun
}

/// Declared attacks and overruns of random melees, with both sides' aircraft, artillery and command points.
fn engagements(game: &RoadsToMoscow, count: usize) -> Vec<(u64, Engagement<'_>)> {
    let (mut found, mut overruns) = (Vec::new(), 0);
    for number in 0.. {
        let mut dice = Rng64::stream(21, number, 0);
        let state = melee::melee(game, &mut dice, Phase::Declaring);
        if state.phase != Phase::Declaring {
            continue;
        }
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        let Some(Action::Target(target)) = legal.last().copied() else { continue };
        let attackers = game.possible_attackers(&state, target);
        let plan = Plan { air: 2, ..Plan::default() };
        let other = Plan { lead: Lead::Worst, air: 1, points: Points::Artillery, ..Plan::default() };
        let conduct = Conduct { attacker: plan, defender: other };
        let crt = if dice.below(2) == 0 { Crt::Assault } else { Crt::Mobile };
        let attack = Engagement::attack(game, &state, attackers, target, crt, conduct).ok();
        // A stack that could overrun the hex, if there is one.
        let overrun = attackers.iter().find_map(|unit| {
            let stack = attackers.and(&state.stack(state.at(unit))).and(&game.sets().red_or_cavalry);
            let fit =
                stack.difference(state.marked(Mark::Disorganised)).difference(state.marked(Mark::Unsupplied));
            Engagement::overrun(game, &state, fit, target, conduct).ok()
        });
        let engagement = overrun.filter(|_| overruns < count / 3).or(attack);
        overruns += usize::from(engagement.as_ref().is_some_and(is_overrun));
        found.extend(engagement.map(|engagement| (number, engagement)));
        if found.len() == count {
            return found;
        }
    }
    found
}

#[test]
fn exact_odds_agree_with_combats_fought() {
    const FOUGHT: u32 = 4000;
    let game = common::mozhaysk();
    let (mut kinds, mut worst) = (BTreeMap::<bool, u32>::new(), 0.0f64);
    for (number, engagement) in engagements(game, 24) {
        let exact = engagement.distribution();
        let sum: f64 = exact.outcomes.iter().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{number}: {sum}");
        let (mut state, mut legal) = (*engagement.position(), Vec::new());
        let mut seen: BTreeMap<Outcome, u32> = BTreeMap::new();
        for game in 0..u64::from(FOUGHT) {
            let outcome = engagement.sample(&mut state, &mut legal, &mut Rng64::stream(5, number, game));
            *seen.entry(outcome).or_default() += 1;
        }
        // Nothing happens that has no probability, and nothing more or less often than it should.
        for (outcome, times) in &seen {
            let chance = exact.outcomes.probability(outcome);
            assert!(chance > 0.0, "{number}: {outcome:?} has no probability");
            let expected = chance * f64::from(FOUGHT);
            let deviation = (f64::from(*times) - expected) / (expected * (1.0 - chance)).sqrt().max(1.0);
            worst = worst.max(deviation.abs());
            assert!(deviation.abs() < 5.0, "{number}: {outcome:?} {times} times, {expected:.1} expected");
        }
        let missed = exact.outcomes.chance(|outcome| !seen.contains_key(outcome));
        assert!(missed < 0.01, "{number}: {missed} of the probability was never seen");
        *kinds.entry(is_overrun(&engagement)).or_default() += 1;
    }
    println!("overruns and attacks {kinds:?}, greatest deviation {worst:.2}");
    assert_eq!(kinds.len(), 2);
}

#[test]
fn decisions_change_the_odds() {
    let game = common::mozhaysk();
    let mut changed = [false; 3];
    for (_, engagement) in engagements(game, 24) {
        let conduct = *engagement.conduct();
        let odds = engagement.distribution();
        let attacker = conduct.attacker;
        let others = [
            Plan { air: 0, ..attacker },
            Plan { points: Points::Never, ..attacker },
            Plan { artillery: 0, ..attacker },
        ];
        for (changed, attacker) in changed.iter_mut().zip(others) {
            let other = engagement.clone().with_conduct(Conduct { attacker, ..conduct });
            *changed |= other.distribution() != odds;
        }
    }
    assert_eq!(changed, [true; 3]);
}
