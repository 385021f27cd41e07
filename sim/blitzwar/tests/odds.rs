//! Exact odds against every fall of the dice and against samples, both played decision by decision through the game's own
//! interface.

use std::collections::BTreeMap;

use sandtable_blitzwar::location::{Location, Zone};
use sandtable_blitzwar::odds::{Again, Conduct, End, Outcome, Rounds, Second, Siege, Toll};
use sandtable_blitzwar::{Action, BlitzWar, Event, Kind, Nation, Pending, Phase, State};
use sandtable_core::{Dice, Game, PlayContext, Pmf, Rng64, Scripted, Stepwise, Turn};
use sandtable_scenarios_blitzwar::{
    AnySystem, Battle, BattleText, Battles, Examples, SYSTEM, battles_in, example_battle,
};

/// Armour attacks Nancy from Reims in the Blitz Phase; infantry across the Maginot line can only join in the Normal Phase,
/// and need not if the Blitz group has lost its armour.
fn nancy(defenders: &str) -> Battle {
    Examples::describe(&BattleText {
        scenario: "blitzwar/france-1940".into(),
        attackers: vec!["reims: ger C1".into(), "stuttgart: ger I3, ger I3".into()],
        defenders: format!("nancy: {defenders}"),
        ..BattleText::default()
    })
    .unwrap()
}

/// The attacks of all worked examples, and one with a second attack that is free.
fn battles() -> Vec<Battle> {
    let mut battles = vec![nancy("fra I1"), nancy("fra I2")];
    for (name, text) in SYSTEM.examples() {
        for (id, attacks) in battles_in::<Examples>(name, text).unwrap() {
            battles
                .extend((1..=attacks).map(|nth| example_battle::<Examples>(name, text, &id, nth).unwrap()));
        }
    }
    battles
}

fn battle(id: &str) -> Battle {
    SYSTEM
        .examples()
        .into_iter()
        .find_map(|(name, text)| example_battle::<Examples>(name, text, id, 1).ok())
        .unwrap_or_else(|| panic!("no example {id} with an attack"))
}

fn siege(battle: &Battle, conduct: Conduct) -> Result<Siege<'_>, String> {
    Siege::new(&battle.game, &battle.state, battle.target, battle.only.as_ref(), conduct)
}

/// Units on the map: of the side in turn, and of all others.
fn units(game: &BlitzWar, state: &State) -> [Toll; 2] {
    let mut sides = [Toll::default(); 2];
    for counter in game.sheet().filter(|&counter| state.location(counter) < Location(245)) {
        let toll = &mut sides[usize::from(game.force(state, counter) != Some(state.active()))];
        let (infantry, armour) = game.corps_of(state, counter);
        toll.infantry += infantry;
        toll.armour += armour;
        toll.air += u8::from(game.kind(counter) == Kind::Air) * state.strength(counter);
    }
    sides
}

/// Losses reported: of the side in turn, and of all others.
fn lost(game: &BlitzWar, state: &State, events: &[Event]) -> [Toll; 2] {
    let mut sides = [Toll::default(); 2];
    for event in events {
        let &Event::Lost { nation, kind, units, .. } = event else { continue };
        let toll = &mut sides[usize::from(game.side_of(state, nation) != Some(state.active()))];
        match kind {
            Kind::Infantry => toll.infantry += units,
            Kind::Armour => toll.armour += units,
            Kind::Air => toll.air += units,
            _ => {}
        }
    }
    sides
}

/// What hurts least, as a conduct lays it down.
fn price(game: &BlitzWar, state: &State, action: Action) -> (bool, bool, bool, u8) {
    let Action::Lose(counter, kind) = action else { panic!("{action:?} is no loss") };
    let power = [Nation::Ger, Nation::Usa, Nation::Ussr, Nation::Uk].contains(&game.nation(counter));
    (!state.is_turned(counter), kind == Kind::Armour, power, state.strength(counter))
}

/// Fights a battle by legal decisions only.
fn fight(game: &BlitzWar, siege: &Siege<'_>, dice: impl Dice) -> Outcome {
    let (target, conduct) = (siege.target(), siege.conduct());
    let mut state = siege.position().clone();
    let context = &mut PlayContext { dice, sink: Vec::new() };
    let before = units(game, &state);
    let mut outcome = Outcome::default();
    let (mut attacks, mut retreated) = (0, false);
    loop {
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        let foes = game.foes(&state, state.active()).contains(target);
        let action = match state.pending() {
            Pending::None if attacks == 0 => {
                attacks = 1;
                Action::Attack(target)
            }
            Pending::None => {
                if attacks == 2 || !foes || conduct.rounds == Rounds::Blitz || state.phase() != Phase::Blitz {
                    break;
                }
                while state.phase() != Phase::Normal {
                    if legal.contains(&Action::Pass) {
                        game.apply_alone(&mut state, Action::Pass, context);
                    } else {
                        game.end_idle_phase(&mut state, context);
                    }
                    legal.clear();
                    game.legal_actions(&state, &mut legal);
                }
                if !legal.contains(&Action::Attack(target)) {
                    outcome.second = Second::Barred;
                    break;
                }
                let goes = match conduct.again {
                    Again::Always => true,
                    Again::Never => false,
                    Again::From(column) => {
                        let mut trial = state.clone();
                        game.apply_alone(&mut trial, Action::Attack(target), context);
                        let all = game.sheet().filter(|&counter| trial.attacks(counter)).collect();
                        game.assess(&state, target, &all).index() >= column
                    }
                };
                outcome.second = if !legal.contains(&Action::Pass) {
                    Second::Compulsory
                } else if goes {
                    Second::Chosen
                } else {
                    Second::Declined
                };
                if outcome.second == Second::Declined {
                    break;
                }
                attacks = 2;
                Action::Attack(target)
            }
            Pending::Attack => Action::Resolve,
            Pending::GermanDefence if conduct.waive => Action::WaiveShift,
            Pending::GermanDefence => Action::UseShift,
            Pending::AttackerLoss | Pending::DefenderLoss | Pending::CancelLoss => {
                *legal.iter().min_by_key(|&&action| price(game, &state, action)).unwrap()
            }
            Pending::Retreat if conduct.hold && legal.contains(&Action::Hold) => Action::Hold,
            Pending::Retreat => {
                retreated = legal[0] != Action::Hold;
                legal[0]
            }
            Pending::Advance => {
                outcome.advance = true;
                break;
            }
            other => panic!("{other:?} in a battle"),
        };
        assert!(legal.contains(&action), "{action:?} is not legal in {:?}: {legal:?}", state.pending());
        game.apply_alone(&mut state, action, context);
    }
    let lost = lost(game, siege.position(), &context.sink);
    // A country that comes into the war brings units with it.
    if !context.sink.iter().any(|event| matches!(event, Event::Standing { .. })) {
        let after = units(game, &state);
        for (side, lost) in lost.iter().enumerate() {
            let [before, after] = [before[side], after[side]];
            let missing = Toll {
                infantry: before.infantry - after.infantry,
                armour: before.armour - after.armour,
                air: before.air - after.air,
            };
            assert_eq!(*lost, missing, "losses of side {side} as reported are not those on the map");
        }
    }
    [outcome.attacker, outcome.defender] = lost;
    outcome.end = match (game.foes(&state, state.active()).contains(target), retreated) {
        (true, _) => End::Held,
        (false, true) => End::Retreated,
        (false, false) => End::Eliminated,
    };
    outcome
}

const FACES: [u32; 6] = [1, 2, 3, 4, 5, 6];

/// The distribution by all 36 falls of two dice.
fn every_fall(game: &BlitzWar, siege: &Siege<'_>) -> Pmf<Outcome> {
    let falls = FACES.into_iter().flat_map(|first| FACES.map(|second| [first, second]));
    Pmf::uniform(falls.map(|faces| fight(game, siege, Scripted::faces(&faces))))
}

#[test]
fn the_battles_of_the_worked_examples_agree_with_every_fall_of_the_dice() {
    let conducts = [
        Conduct::default(),
        Conduct { hold: true, again: Again::Never, ..Conduct::default() },
        Conduct { waive: true, again: Again::From(4), ..Conduct::default() },
        Conduct { rounds: Rounds::Blitz, ..Conduct::default() },
        Conduct { rounds: Rounds::Normal, hold: true, ..Conduct::default() },
    ];
    let mut seen = BTreeMap::new();
    let battles = battles();
    for battle in &battles {
        for conduct in conducts {
            let Ok(siege) = siege(battle, conduct) else { continue };
            let distribution = siege.distribution();
            let brute = every_fall(&battle.game, &siege);
            let distance = distribution.whole.distance(&brute);
            assert!(
                distance < 1e-12,
                "{} {conduct:?}: {:?}\nis not {brute:?}",
                battle.title,
                distribution.whole
            );
            assert!((distribution.first.iter().map(|mass| mass.1).sum::<f64>() - 1.0).abs() < 1e-12);
            for (outcome, _) in distribution.whole.iter() {
                *seen.entry((outcome.end, outcome.second)).or_insert(0) += 1;
            }
        }
    }
    assert!(battles.len() > 40, "{} battles", battles.len());
    for second in [Second::Unasked, Second::Barred, Second::Declined, Second::Chosen, Second::Compulsory] {
        assert!(seen.keys().any(|key| key.1 == second), "{second:?} never happened: {seen:?}");
    }
    for end in [End::Held, End::Retreated, End::Eliminated] {
        assert!(seen.keys().any(|key| key.0 == end), "{end:?} never happened: {seen:?}");
    }
}

/// Attacks that can be made in a position.
fn targets(game: &BlitzWar, state: &State) -> Vec<Zone> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let attack = |action: &Action| if let Action::Attack(zone) = *action { Some(zone) } else { None };
    legal.iter().filter_map(attack).collect()
}

#[test]
fn battles_of_random_games_end_as_in_the_game() {
    let scenarios = ["campaign-1939", "france-1940", "barbarossa-1941", "turning-point-1943"];
    let conducts = [
        Conduct::default(),
        Conduct { hold: true, ..Conduct::default() },
        Conduct { waive: true, hold: true, again: Again::From(3), ..Conduct::default() },
        Conduct { again: Again::Never, ..Conduct::default() },
    ];
    let (mut battles, mut seen) = (0, BTreeMap::new());
    for (nth, scenario) in scenarios.into_iter().enumerate() {
        let rules =
            sandtable_scenarios_blitzwar::open(&format!("blitzwar/{scenario}"), &[]).unwrap().into_rules();
        let game = BlitzWar::new(rules).unwrap();
        for seed in 0..12 {
            let mut context = PlayContext::silent(Rng64::stream(seed, nth as u64, 0));
            let mut choice = Rng64::stream(seed, nth as u64, 1);
            let mut state = game.initial(&mut context);
            let (mut legal, mut phase) = (Vec::new(), state.phase());
            let mut scratch = state.clone();
            while matches!(game.turn_of(&state), Turn::Decide(_)) {
                // Once other attacks have been made, they may have to be made again before this one.
                let fresh = state.phase() != phase && state.pending() == Pending::None;
                phase = state.phase();
                if fresh && matches!(phase, Phase::Blitz | Phase::Normal) {
                    for target in targets(&game, &state) {
                        let conduct = conducts[battles % conducts.len()];
                        let siege = Siege::new(&game, &state, target, None, conduct).unwrap();
                        let faces: Vec<u32> = (0..8).map(|_| choice.die(6)).collect();
                        let sampled = siege.sample(&mut scratch, &mut Scripted::faces(&faces)).1;
                        let played = fight(&game, &siege, Scripted::faces(&faces));
                        assert_eq!(sampled, played, "{scenario} {seed}: {siege:?} with {faces:?}");
                        *seen.entry((played.end, played.second)).or_insert(0) += 1;
                        battles += 1;
                    }
                }
                legal.clear();
                game.legal_actions(&state, &mut legal);
                // More battles than at random: whoever can get ready for an attack mostly does.
                let ready: Vec<Action> =
                    legal.iter().copied().filter(|action| matches!(action, Action::Activate(_))).collect();
                let from = if ready.is_empty() || choice.below(4) == 0 { &legal } else { &ready };
                let action = from[choice.below(from.len() as u32) as usize];
                game.apply(&mut state, action, &mut context);
            }
        }
    }
    assert!(battles > 400, "{battles} battles: {seen:?}");
    for second in [Second::Unasked, Second::Barred, Second::Compulsory] {
        assert!(seen.keys().any(|key| key.1 == second), "{second:?} never happened: {seen:?}");
    }
    for end in [End::Held, End::Retreated, End::Eliminated] {
        assert!(seen.keys().any(|key| key.0 == end), "{end:?} never happened: {seen:?}");
    }
}

/// Chi-square of samples against a distribution; outcomes that cannot be must not come.
fn chi_square(distribution: &Pmf<Outcome>, samples: &[Outcome]) -> f64 {
    let mut counts: BTreeMap<Outcome, u32> = BTreeMap::new();
    for outcome in samples {
        *counts.entry(*outcome).or_default() += 1;
    }
    assert!(
        counts.keys().all(|outcome| distribution.probability(outcome) > 0.0),
        "an outcome that cannot be"
    );
    distribution
        .iter()
        .map(|(outcome, mass)| {
            let expected = mass * samples.len() as f64;
            (f64::from(counts.get(outcome).copied().unwrap_or(0)) - expected).powi(2) / expected
        })
        .sum()
}

#[test]
fn samples_follow_the_distribution() {
    // 99.9% quantiles of chi-square by degrees of freedom, 1 to 20.
    let quantiles = [
        10.8, 13.8, 16.3, 18.5, 20.5, 22.5, 24.3, 26.1, 27.9, 29.6, 31.3, 32.9, 34.5, 36.1, 37.7, 39.3, 40.8,
        42.3, 43.8, 45.3,
    ];
    for id in ["D42", "D37", "D46"] {
        let battle = battle(id);
        let siege = siege(&battle, Conduct::default()).unwrap();
        let distribution = siege.distribution().whole;
        let bound = quantiles[distribution.support() - 2];
        let mut dice = Rng64::stream(3, 0, 0);
        let mut scratch = battle.state.clone();
        let mut sampler = siege.sampler();
        let mut again = dice.clone();
        let own: Vec<Outcome> = (0..20_000).map(|_| siege.sample(&mut scratch, &mut dice).1).collect();
        assert!(
            own.iter().all(|outcome| *outcome == sampler.sample(&mut again).1),
            "{id}: remembered wrongly"
        );
        let played: Vec<Outcome> = (0..5_000).map(|_| fight(&battle.game, &siege, &mut dice)).collect();
        for samples in [own, played] {
            let chi2 = chi_square(&distribution, &samples);
            assert!(chi2 < bound, "{id}: chi-square {chi2} of at most {bound}");
        }
    }
}

#[test]
fn one_roll_reads_one_column() {
    // 2-3 with armour reads column 1-1: C/0 C/0 1/0 C/1 1/1 0/1.
    let battle = battle("D2");
    let distribution = siege(&battle, Conduct::default()).unwrap().distribution();
    assert_eq!(distribution.first, distribution.whole, "in the Normal phase there is one attack");
    let pair = |attacker: u8, defender: u8| {
        distribution
            .whole
            .chance(|outcome| (outcome.attacker.corps(), outcome.defender.corps()) == (attacker, defender))
    };
    for (attacker, defender, sixths) in [(1, 0, 3.0), (1, 1, 2.0), (0, 1, 1.0), (0, 0, 0.0)] {
        let found = pair(attacker, defender);
        assert!((found - sixths / 6.0).abs() < 1e-12, "{attacker}/{defender}: {found}");
    }
    let armour = distribution.whole.chance(|outcome| outcome.attacker.armour == 1);
    assert!((armour - 0.5).abs() < 1e-12, "a C is an armour corps");
    let retreats = distribution.whole.chance(|outcome| outcome.end == End::Retreated);
    assert!((retreats - 1.0 / 6.0).abs() < 1e-12, "only 0/1 drives the defender out");
}

#[test]
fn strengths_may_be_varied() {
    let battle = battle("D42");
    let siege = siege(&battle, Conduct::default()).unwrap();
    let same = siege.with_strengths(3, 2).unwrap();
    assert_eq!(same.assessment(), siege.assessment());
    assert_eq!(same.distribution(), siege.distribution());
    let large = siege.with_strengths(8, 2).unwrap();
    assert_eq!((large.assessment().attackers, large.assessment().odds), ((6, 2), 5));
    let error = siege.with_strengths(1, 6).unwrap_err();
    assert!(error.contains("cannot be attacked"), "{error}");
    let error = siege.with_strengths(200, 2).unwrap_err();
    assert!(error.contains("counter"), "{error}");
}

#[test]
fn an_attack_that_may_not_be_made_says_why() {
    let fault = |id: &str, conduct| {
        let battle = battle(id);
        siege(&battle, conduct).map(|siege| format!("{siege:?}")).unwrap_err()
    };
    let blitz = Conduct { rounds: Rounds::Blitz, ..Conduct::default() };
    assert!(fault("D1", Conduct::default()).contains("the final column is below 1-1"));
    assert!(fault("D2", blitz).contains("the phase is over"));
}
