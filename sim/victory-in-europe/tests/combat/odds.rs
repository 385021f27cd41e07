//! Exact odds of battles: against distributions worked out by hand, every fall of single dice, and battles played with dice.

use std::collections::BTreeMap;

use sandtable_core::enumerate::distribution;
use sandtable_core::{Dice, Game, PlayContext, Pmf, Rng64};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::odds::{Aim, Conduct, End, Engagement, Extra, Outcome, Plan, Stand, Toll};
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Action, Force, Nation, Pending, Phase, Place, State, Team};

use crate::bench::{assault, game, map, place, unit};

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

fn engage(editor: &mut Editor<'_>, at: &str, conduct: Conduct) -> Engagement<'static> {
    Engagement::new(game(), &editor.finish(), place(at), conduct).unwrap()
}

/// How many of some dice hit.
fn hits(dice: u8, fire: u8) -> Pmf<u8> {
    distribution(|every| every.hits(u32::from(dice), 6, u32::from(fire)) as u8)
}

/// Dice that fall one by one: only single rolls are passed on.
struct OneByOne<D>(D);

impl<D: Dice> Dice for OneByOne<D> {
    fn below(&mut self, n: u32) -> u32 {
        self.0.below(n)
    }
}

/// The distribution of the whole battle from every way there is, without merging anything.
fn by_force(battle: &Engagement<'_>) -> Pmf<Outcome> {
    let (mut scratch, mut rounds) = (battle.position().clone(), Vec::new());
    distribution(|every| battle.sample(&mut scratch, every, &mut rounds))
}

/// Battles of all kinds, with what is decided in them.
fn battles() -> Vec<(&'static str, Engagement<'static>)> {
    let land = |editor: &mut Editor<'_>| {
        let attackers = [
            ("ger_pz_1a", 4, "orel"),
            ("ger_inf_4a", 4, "orel"),
            ("ger_inf_2a", 3, "bryansk"),
            ("ger_ldr_guderian", 2, "bryansk"),
        ];
        let defenders = [("su_guard_1", 4), ("su_guard_2", 4), ("su_inf3_1", 2)];
        assault(editor, Team::Axis, "kursk", &attackers, &defenders);
    };
    let falls_back = |stand| Plan { stand, ..Plan::default() };
    let mut all = Vec::new();
    let mut add = |name, at: &str, conduct, edit: &dyn Fn(&mut Editor<'_>)| {
        let mut editor = map();
        edit(&mut editor);
        all.push((name, engage(&mut editor, at, conduct)));
    };
    add("to the end", "kursk", Conduct::default(), &land);
    add("Blitz", "kursk", Conduct { blitz: 2, ..Conduct::default() }, &land);
    let conduct = Conduct {
        attacker: falls_back(Stand::Odds(2)),
        defender: Plan { early: true, ..falls_back(Stand::Steps(7)) },
        blitz: 1,
    };
    add("retreats", "kursk", conduct, &land);
    add("winter in a forest, with aircraft", "minsk", Conduct::default(), &|editor| {
        editor.turn(10).control("minsk", Nation::Ussr);
        let attackers = [("ger_pz_2a", 3, "brest_litovsk"), ("ger_inf_4a", 4, "brest_litovsk")];
        assault(editor, Team::Axis, "minsk", &attackers, &[("su_guard_1", 4), ("su_shock_1", 2)]);
        editor.place("ger_fa_me109_1", "minsk", 3).place("su_db_il2_1", "minsk", 3);
    });
    add("mountains", "sarajevo", Conduct::default(), &|editor| {
        editor.control("zagreb", Nation::Germany).control("sarajevo", Nation::Germany);
        let attackers = [("su_tk_t34_1", 3, "belgrade"), ("su_guard_1", 4, "belgrade")];
        assault(editor, Team::Allies, "sarajevo", &attackers, &[("ger_inf_1a", 3)]);
        editor.control("belgrade", Nation::Ussr);
    });
    add("a reinforcement and paratroops", "kursk", Conduct::default(), &|editor| {
        let attackers = [("ger_inf_4a", 3, "orel"), ("ger_para", 2, "bryansk")];
        assault(editor, Team::Axis, "kursk", &attackers, &[("su_inf3_1", 1)]);
        editor.place("su_tk_t34_1", "kursk", 3).entered("su_tk_t34_1", "voronezh", mark::REINFORCES);
        editor.place("su_fa_yak1_1", "kursk", 2).state_mut().set_jumped(unit("ger_para"), true);
    });
    add("bombs", "cologne", Conduct::default(), &|editor| {
        editor.place("gb_mb_wellington", "cologne", 3).place("gb_fa_spitfire_1", "cologne", 3);
        editor.place("ger_inf_1a", "cologne", 3).place("ger_fa_fw190", "cologne", 2).factory("cologne", 2);
        editor.attack(Team::Allies, "cologne").first(Team::Allies);
    });
    add("ships and submarines", "english_channel", Conduct::default(), &|editor| {
        editor.place("ger_ss_1", "english_channel", 2).place("ger_ca", "english_channel", 3);
        editor.place("gb_bb_nelson", "english_channel", 3).entered("gb_bb_nelson", "north_sea", 0);
        editor.place("gb_nb_sunderland", "english_channel", 2).attack(Team::Allies, "english_channel");
        editor.first(Team::Allies);
    });
    add(
        "a submarine in its base",
        "brest",
        Conduct { defender: Plan { shelter: true, ..Plan::default() }, ..Conduct::default() },
        &|editor| {
            editor.control("brest", Nation::Germany).place("ger_ss_1", "brest", 3).place(
                "gb_bb_nelson",
                "brest",
                4,
            );
            editor
                .entered("gb_bb_nelson", "english_channel", 0)
                .attack(Team::Allies, "brest")
                .first(Team::Allies);
        },
    );
    let at_ships = Plan { fighters: Aim::Naval, ..Plan::default() };
    let sea_lion = Conduct {
        attacker: at_ships,
        defender: Plan { ships: Aim::Naval, ..Plan::default() },
        ..Conduct::default()
    };
    add("Sea Lion", "southampton", sea_lion, &|editor| {
        editor.place("ger_inf_4a", "southampton", 4).entered("ger_inf_4a", "english_channel", mark::INVADES);
        editor.place("ger_ldr_guderian", "southampton", 2);
        editor.entered("ger_ldr_guderian", "english_channel", mark::INVADES);
        editor.place("ger_fa_me109_1", "southampton", 3).entered("ger_fa_me109_1", "english_channel", 0);
        editor.place("gb_inf_bef", "southampton", 2).place("gb_ca_1", "southampton", 2);
        editor.place("gb_fa_spitfire_1", "southampton", 2);
        editor.entered("gb_fa_spitfire_1", "london", mark::REINFORCES);
        editor.place("ger_ss_1", "english_channel", 2).attack(Team::Axis, "southampton").first(Team::Axis);
        editor.state_mut().invasion.coast[0] = 1;
    });
    all
}

/// The same with a step or two a unit, so that every way can be played.
fn skirmishes() -> Vec<(&'static str, Engagement<'static>)> {
    let small = |(name, battle): (&'static str, Engagement<'static>)| {
        let mut state = battle.position().clone();
        let mut seen = [0; 2];
        for team in Team::ALL {
            for unit in battle.units(team) {
                let count = &mut seen[team.index()];
                *count += 1;
                state.set_steps(unit, if *count == 1 { 2 } else { 1 });
            }
        }
        let mut editor = Editor::of(game(), state);
        editor.state_mut().battle = sandtable_victory_in_europe::state::Battle::default();
        (name, Engagement::new(game(), &editor.finish(), battle.place(), *battle.conduct()).unwrap())
    };
    let few =
        |battle: &Engagement<'_>| Team::ALL.map(|team| battle.units(team).count()).iter().sum::<usize>() < 6;
    battles().into_iter().filter(|(_, battle)| few(battle)).map(small).collect()
}

#[test]
fn exact_odds_are_those_of_every_way_the_dice_fall() {
    let skirmishes = skirmishes();
    assert!(skirmishes.len() >= 5);
    for (name, battle) in skirmishes {
        let exact = battle.distribution().whole;
        let force = by_force(&battle);
        assert!(exact.distance(&force) < 1e-11, "{name}: they differ by {}", exact.distance(&force));
    }
}

#[test]
fn the_distributions_sum_to_one_and_losses_grow_round_by_round() {
    for (name, battle) in battles() {
        let distribution = battle.distribution();
        let mut before = (0.0, 0.0);
        assert!(distribution.rounds.len() >= usize::from(battle.rounds()), "{name}");
        for stage in distribution.rounds.iter().chain([&distribution.whole]) {
            assert!(close(stage.iter().map(|mass| mass.1).sum(), 1.0), "{name}");
            let lost =
                |toll: fn(&Outcome) -> Toll| stage.expectation(|outcome| f64::from(toll(outcome).steps()));
            let now = (lost(|outcome| outcome.attacker), lost(|outcome| outcome.defender));
            assert!(
                now.0 >= before.0 - 1e-12 && now.1 >= before.1 - 1e-12,
                "{name}: {before:?} then {now:?}"
            );
            before = now;
        }
    }
}

/// Chi-square of counts against a distribution, over outcomes expected five times or more, the others together; what is beyond four
/// standard deviations.
fn misfit(distribution: &Pmf<Outcome>, counts: &BTreeMap<Outcome, u32>, samples: u32) -> Option<String> {
    if let Some(outcome) = counts.keys().find(|outcome| distribution.probability(outcome) <= 0.0) {
        return Some(format!("{outcome:?} cannot happen"));
    }
    let (mut bins, mut rest) = (Vec::new(), (0.0, 0.0));
    for (outcome, p) in distribution.iter() {
        let (seen, expected) = (f64::from(counts.get(outcome).copied().unwrap_or(0)), p * f64::from(samples));
        if expected >= 5.0 {
            bins.push((seen, expected));
        } else {
            rest = (rest.0 + seen, rest.1 + expected);
        }
    }
    if rest.1 >= 5.0 {
        bins.push(rest);
    }
    let chi2: f64 = bins.iter().map(|(seen, expected)| (seen - expected).powi(2) / expected).sum();
    let free = (bins.len() - 1).max(1) as f64;
    // Wilson and Hilferty: the cube root of chi-square over its degrees of freedom is nearly normal.
    let most = free * (1.0 - 2.0 / (9.0 * free) + 4.0 * (2.0 / (9.0 * free)).sqrt()).powi(3);
    (chi2 > most).then(|| format!("chi-square {chi2} at {free} degrees of freedom"))
}

#[test]
fn battles_fought_with_dice_follow_the_distribution_of_every_stage() {
    for (number, (name, battle)) in battles().into_iter().enumerate() {
        let distribution = battle.distribution();
        let mut counts = vec![BTreeMap::new(); distribution.rounds.len() + 1];
        let mut dice = Rng64::stream(3, number as u64, 0);
        let (mut scratch, mut rounds) = (battle.position().clone(), Vec::new());
        let samples = 20_000;
        for _ in 0..samples {
            let whole = battle.sample(&mut scratch, &mut dice, &mut rounds);
            for (at, counts) in counts.iter_mut().enumerate() {
                let stage = if at == distribution.rounds.len() {
                    &whole
                } else {
                    rounds.get(at).or(rounds.last()).unwrap()
                };
                *counts.entry(*stage).or_default() += 1;
            }
        }
        for (at, (distribution, counts)) in
            distribution.rounds.iter().chain([&distribution.whole]).zip(&counts).enumerate()
        {
            assert_eq!(misfit(distribution, counts, samples), None, "{name}, stage {at}");
        }
    }
}

/// The battle played through the game's own interface by somebody who knows nothing of [`Engagement`]: fire at the first
/// target, stand, withdraw to the first place; the steps both lost.
fn play(state: &State, at: Place, seed: u64) -> (u8, u8) {
    let game = game();
    let mut context = PlayContext { dice: Rng64::stream(5, seed, 0), sink: Vec::new() };
    let mut state = state.clone();
    let mut legal = vec![Action::Fight(at)];
    while state.phase == Phase::Combat && state.pending != Pending::Regroup {
        let fires = legal.iter().find(|action| matches!(action, Action::Fire(_)));
        let action = *fires.unwrap_or(&legal[0]);
        game.apply(&mut state, action, &mut context);
        legal.clear();
        if state.phase == Phase::Combat {
            game.legal_actions(&state, &mut legal);
        }
    }
    let battle = context.sink.iter().find_map(|event| match event {
        sandtable_victory_in_europe::Event::BattleEnds(battle) => Some(battle.lost),
        _ => None,
    });
    let lost = battle.expect("a report");
    (lost[0], lost[1])
}

#[test]
fn games_played_with_dice_lose_what_the_distribution_says() {
    let mut editor = map();
    let attackers = [("ger_pz_1a", 4, "orel"), ("ger_inf_4a", 4, "orel"), ("ger_inf_2a", 2, "bryansk")];
    assault(&mut editor, Team::Axis, "kursk", &attackers, &[("su_guard_1", 4), ("su_inf3_1", 3)]);
    // A second battle, so that the first is a choice.
    assault(&mut editor, Team::Axis, "tula", &[("ger_pz_2a", 3, "bryansk")], &[("su_inf3_2", 3)]);
    let state = editor.begin(Phase::Combat, Team::Axis, &mut PlayContext::silent(Rng64::stream(1, 1, 1)));
    let battle = Engagement::new(game(), &state, place("kursk"), Conduct::default()).unwrap();
    let lost =
        battle.distribution().whole.map(|outcome| (outcome.attacker.steps(), outcome.defender.steps()));
    let distribution = lost.map(|(attacker, defender)| Outcome {
        attacker: Toll { army: attacker, ..Toll::default() },
        defender: Toll { army: defender, ..Toll::default() },
        ..Outcome::default()
    });
    let mut counts: BTreeMap<Outcome, u32> = BTreeMap::new();
    let games = 10_000;
    for seed in 0..games {
        let (attacker, defender) = play(&state, place("kursk"), u64::from(seed));
        let outcome = Outcome {
            attacker: Toll { army: attacker, ..Toll::default() },
            defender: Toll { army: defender, ..Toll::default() },
            ..Outcome::default()
        };
        *counts.entry(outcome).or_default() += 1;
    }
    assert_eq!(misfit(&distribution, &counts, games), None);
}

#[test]
fn one_die_against_one_die() {
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_inf_4a", 1, "orel")], &[("su_guard_1", 1)]);
    let battle = engage(&mut editor, "kursk", Conduct::default());
    let distribution = battle.distribution();
    // Firepower 2 each; the defender fires first.
    let (first, second) = (1.0 / 3.0, 2.0 / 9.0);
    let chance = |distribution: &Pmf<Outcome>, lost: (u8, u8)| {
        distribution.chance(|outcome| (outcome.attacker.army, outcome.defender.army) == lost)
    };
    assert_eq!(distribution.rounds.len(), 2);
    assert!(
        close(chance(&distribution.rounds[0], (1, 0)), first)
            && close(chance(&distribution.rounds[0], (0, 1)), second)
    );
    for distribution in [&distribution.rounds[1], &distribution.whole] {
        let again = 1.0 + 4.0 / 9.0;
        assert!(
            close(chance(distribution, (1, 0)), first * again)
                && close(chance(distribution, (0, 1)), second * again)
        );
        assert!(close(distribution.chance(|outcome| outcome.end == End::Eliminated), second * again));
    }
    let (mut scratch, mut rounds) = (battle.position().clone(), Vec::new());
    let dice = sandtable_core::enumerate::distribution(|every| {
        battle.sample(&mut scratch, &mut OneByOne(every), &mut rounds)
    });
    assert!(distribution.whole.distance(&dice) < 1e-12);
    // Three dice against four: the exchange of a round is binomial.
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_inf_4a", 4, "orel")], &[("su_inf3_1", 3)]);
    let distribution = engage(&mut editor, "kursk", Conduct::default()).distribution();
    let lost = distribution.rounds[0].map(|outcome| outcome.attacker.army);
    assert!(lost.distance(&hits(3, 1)) < 1e-12, "firepower 1 of three dice: {lost:?}");
    let exchange = hits(3, 1).then(|&lost| hits(4 - lost, 2).map(move |hit| (lost, hit.min(3))));
    let both = distribution.rounds[0].map(|outcome| (outcome.attacker.army, outcome.defender.army));
    assert!(both.distance(&exchange) < 1e-12);
}

#[test]
fn e_36_lancaster_over_berlin() {
    let mut editor = map();
    editor.place("gb_hb_lancaster", "berlin", 4).factory("berlin", 2);
    editor.attack(Team::Allies, "berlin").first(Team::Allies);
    let distribution = engage(&mut editor, "berlin", Conduct::default()).distribution();
    // Flak 2A1, then as many dice B2 as the bomber has steps left; twice, or until the factory is gone.
    let round = |(bomber, factory): (u8, u8)| {
        let shot = hits(factory, 1).map(move |hit| bomber - hit.min(bomber));
        shot.then(move |&bomber| hits(bomber, 2).map(move |hit| (bomber, factory - hit.min(factory))))
    };
    let first = round((4, 2));
    let both = first.then(|&left| if left.1 == 0 || left.0 == 0 { Pmf::point(left) } else { round(left) });
    for (stage, left) in
        [(&distribution.rounds[0], &first), (&distribution.rounds[1], &both), (&distribution.whole, &both)]
    {
        let lost = left.map(|(bomber, factory)| (4 - bomber, 2 - factory));
        let exact = stage.map(|outcome| (outcome.attacker.air, outcome.defender.factory));
        assert!(exact.distance(&lost) < 1e-12, "{exact:?} is not {lost:?}");
        assert!(close(stage.chance(|outcome| outcome.end == End::Held), 1.0), "bombs take no area");
    }
    // The example: a step for two, by way of one for one.
    assert!(first.probability(&(3, 1)) > 0.05 && both.probability(&(3, 0)) > 0.05);
}

#[test]
fn e_37_operation_sea_lion() {
    let battle = |name| battles().into_iter().find(|battle| battle.0 == name).unwrap().1;
    let distribution = battle("Sea Lion").distribution();
    // Round 1: 3 dice A1, then what is left of the cruiser's 2 dice of firepower 1 at the invaders, then the BEF at D1.
    let first = hits(3, 1).then(|&hit| {
        let cruiser = 2 - hit.min(2);
        hits(cruiser, 1).then(move |&shot| {
            // Without the cruiser the invaders land at once: the BEF is at firepower 2, and they fire too.
            hits(2, if cruiser == 0 { 2 } else { 1 }).map(move |hit| (cruiser, shot + hit))
        })
    });
    let afloat = distribution.rounds[0].given(|outcome| outcome.defender.naval < 2).unwrap();
    let expected = first.given(|&(cruiser, _)| cruiser > 0).unwrap();
    let lost = afloat.map(|outcome| (2 - outcome.defender.naval, outcome.attacker.army));
    assert!(lost.distance(&expected) < 1e-12, "{lost:?} is not {expected:?}");
    assert!(close(afloat.chance(|outcome| outcome.end != End::Held || outcome.defender.army > 0), 0.0));
    // The example: the cruiser and the BEF for a step of the infantry and one of the fighter; the leader may go on.
    let story = |outcome: &Outcome| {
        let (attacker, defender) = (outcome.attacker, outcome.defender);
        (attacker.army, attacker.air, defender.army, defender.naval, defender.air) == (1, 1, 2, 2, 0)
            && (outcome.end, outcome.exploits) == (End::Eliminated, true)
    };
    assert!(distribution.whole.chance(story) > 0.001);
    assert!(
        distribution.whole.chance(|outcome| outcome.exploits)
            <= distribution.whole.chance(|outcome| outcome.end != End::Held)
    );
}

#[test]
fn the_distribution_is_the_same_for_whoever_attacks() {
    let german = {
        let mut editor = map();
        let attackers = [("ger_pz_2a", 3, "orel"), ("ger_inf_4a", 4, "orel")];
        assault(&mut editor, Team::Axis, "kursk", &attackers, &[("su_tk_t34_1", 3), ("su_guard_1", 3)]);
        engage(&mut editor, "kursk", Conduct::default())
    };
    let soviet = {
        let mut editor = map();
        editor.control("kursk", Nation::Germany);
        let attackers = [("su_tk_t34_1", 3, "voronezh"), ("su_guard_1", 4, "voronezh")];
        assault(&mut editor, Team::Allies, "kursk", &attackers, &[("ger_pz_2a", 3), ("ger_inf_4a", 3)]);
        engage(&mut editor, "kursk", Conduct::default())
    };
    assert_eq!((german.attacker(), soviet.attacker()), (Team::Axis, Team::Allies));
    assert!(german.distribution().whole.distance(&soviet.distribution().whole) < 1e-12);
}

#[test]
fn double_defence_halves_hits() {
    let mut editor = map();
    let attackers = [("ger_pz_1a", 4, "mariupol")];
    assault(&mut editor, Team::Axis, "sevastopol", &attackers, &[("fort_sevastopol", 3)]);
    let distribution = engage(&mut editor, "sevastopol", Conduct::default()).distribution();
    let lost = distribution.rounds[0].map(|outcome| (outcome.attacker.army, outcome.defender.army));
    // The fortress is of class C too and fires first.
    let exchange = hits(3, 2).then(|&lost| hits(4 - lost, 2).map(move |hits| (lost, hits / 2)));
    assert!(lost.distance(&exchange) < 1e-12, "{lost:?}");
}

#[test]
fn conduct_decides_who_stays() {
    let chances = |conduct| {
        let mut editor = map();
        let attackers =
            [("ger_pz_1a", 4, "orel"), ("ger_inf_4a", 4, "orel"), ("ger_ldr_guderian", 2, "orel")];
        assault(&mut editor, Team::Axis, "kursk", &attackers, &[("su_guard_1", 4), ("su_guard_2", 2)]);
        let distribution = engage(&mut editor, "kursk", conduct).distribution().whole;
        let of = |end| distribution.chance(|outcome: &Outcome| outcome.end == end);
        let lost = distribution.expectation(|outcome| f64::from(outcome.defender.army));
        (
            of(End::Held),
            of(End::Retreated),
            lost,
            distribution.chance(|outcome| outcome.extra == Extra::Ordered),
        )
    };
    let stands = chances(Conduct::default());
    let plan = |stand, early| Plan { stand, early, ..Plan::default() };
    let leaves = chances(Conduct { defender: plan(Stand::Steps(20), false), ..Conduct::default() });
    let at_once = chances(Conduct { defender: plan(Stand::Steps(20), true), ..Conduct::default() });
    let gives_up = chances(Conduct { attacker: plan(Stand::Odds(1), false), ..Conduct::default() });
    let blitz = chances(Conduct { blitz: 2, ..Conduct::default() });
    assert!(close(stands.1, 0.0) && leaves.1 > 0.5 && close(leaves.0, 0.0), "{stands:?} {leaves:?}");
    // In the first round every unit pays a step, before anybody of class D has fired.
    assert!(at_once.1 > leaves.1 && close(at_once.0, 0.0), "{at_once:?}");
    assert!(gives_up.0 > stands.0 && blitz.0 < stands.0 && blitz.3 > 0.1 && close(stands.3, 0.0));
    assert!(blitz.2 > stands.2);
}

#[test]
fn strengths_are_spread_over_the_units() {
    let mut editor = map();
    let attackers = [("ger_pz_1a", 4, "orel"), ("ger_inf_4a", 2, "orel"), ("ger_ldr_guderian", 2, "orel")];
    assault(&mut editor, Team::Axis, "kursk", &attackers, &[("su_guard_1", 4)]);
    let battle = engage(&mut editor, "kursk", Conduct::default());
    let five = battle.with_strengths(5, 2).unwrap();
    let steps = |battle: &Engagement<'_>, id: &str| battle.position().steps(unit(id));
    assert_eq!(
        (steps(&five, "ger_pz_1a") + steps(&five, "ger_inf_4a"), steps(&five, "ger_ldr_guderian")),
        (5, 2)
    );
    assert_eq!(five.steps(Team::Allies), 2);
    assert!(five.distribution().whole.chance(|outcome| outcome.end != End::Held) > 0.5);
    let one = battle.with_strengths(1, 1).unwrap();
    assert_eq!(one.units(Team::Axis).count(), 2, "one army and the leader");
    assert!(battle.with_strengths(9, 1).unwrap_err().contains("8 steps at most"));
    assert!(battle.with_strengths(1, 5).unwrap_err().contains("defender"));
}

#[test]
fn where_no_battle_is_due_there_are_no_odds() {
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_1a", 4, "orel")], &[("su_guard_1", 4)]);
    let state = editor.finish();
    let fault = Engagement::new(game(), &state, place("tula"), Conduct::default()).unwrap_err();
    assert!(fault.contains("no battle is due at Tula"), "{fault}");
    assert!(Engagement::new(game(), &state, place("north_sea"), Conduct::default()).is_err());
    assert_eq!(game().team(&state, unit("ger_pz_1a")), Force::Axis.team());
}
