//! 6.0: rounds of combat, the battles of the extended example (15.1) among them.

mod scene;

use sandtable_core::{PlayContext, Rng64, Stepwise};
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::odds::{Conduct, Plan};
use sandtable_europe_engulfed::phase::Stage;
use sandtable_europe_engulfed::rules::Weather;
use sandtable_europe_engulfed::state::mark;
use sandtable_europe_engulfed::{Action, EuropeEngulfed, KindId, Mode, Nation, Phase, Team};
use scene::*;

/// Puts counters of full strength into an area.
fn stand(game: &EuropeEngulfed, editor: &mut Editor<'_>, kind: KindId, count: u8, id: &str, marks: u16) {
    for _ in 0..count {
        let unit = editor.place(kind, area(id), game.rules.kinds[kind.0 as usize].max);
        editor.mark(unit, marks);
    }
}

/// A map without Special Actions.
fn plain(game: &EuropeEngulfed) -> Editor<'_> {
    let mut editor = empty(game);
    for nation in [Nation::Germany, Nation::Poland, Nation::SovietUnion] {
        editor.special_actions(nation, 0);
    }
    editor
}

/// 14.50: what is reduced stands, and goes with what stood.
#[test]
fn reduced_fortifications_stand() {
    let game = game();
    let mut editor = empty(&game);
    editor.state_mut().reduced_forts[0].insert(area("minsk"));
    assert!(game.check_invariants(&editor.finish()).is_err());
    editor.heavy_fort(area("minsk"));
    game.check_invariants(&editor.finish()).expect("a reduced fortification");
    editor.state_mut().reduced_forts[1].insert(area("lublin"));
    assert!(game.check_invariants(&editor.finish()).is_err());
    let cleared = editor.clear().finish();
    game.check_invariants(&cleared).expect("an empty map");
}

/// 15.1, L269-271: across a river the defenders need 5 in the first round; full-strength blocks lose first; the attackers fire
/// with what is left.
#[test]
fn lublin() {
    let game = game();
    let mut editor = plain(&game);
    stand(&game, &mut editor, GERMAN_3, 3, "lublin", mark::CROSSED);
    stand(&game, &mut editor, POLISH_2, 2, "lublin", 0);
    editor.newly_disputed(area("lublin"));
    let mut context = dice(&[5, 6, 4, 1, 6, 5, 5, 1, 2, 3, 4]);
    let mut state = editor.attack(area("lublin"), Mode::Normal, Team::First, &mut context);
    fight(&game, &mut state, &mut context, nobody);
    assert_eq!(fires(&context.sink), [(Team::Second, 4, 5, 2), (Team::First, 7, 6, 1)]);
    assert_eq!(steps(&game, &state, GERMAN_3, "lublin"), [2, 2, 3]);
    assert_eq!(steps(&game, &state, POLISH_2, "lublin"), [1, 2]);
    assert!(state.is_disputed(area("lublin")));
}

/// L283: the river helps in the first round of a newly disputed area alone.
#[test]
fn no_river_in_later_rounds() {
    let game = game();
    let mut editor = plain(&game);
    stand(&game, &mut editor, GERMAN_3, 1, "lublin", mark::CROSSED);
    stand(&game, &mut editor, POLISH_2, 1, "lublin", 0);
    let mut context = dice(&[5, 5, 5, 5, 5]);
    let mut state = editor.attack(area("lublin"), Mode::Normal, Team::First, &mut context);
    fight(&game, &mut state, &mut context, nobody);
    assert_eq!(fires(&context.sink), [(Team::Second, 2, 6, 0), (Team::First, 3, 6, 0)]);
}

/// L283: only dice aimed at the class that crossed.
#[test]
fn the_river_counts_by_class() {
    let game = game();
    let mut editor = plain(&game);
    stand(&game, &mut editor, GERMAN_3, 1, "warsaw", 0);
    stand(&game, &mut editor, PANZER, 1, "warsaw", mark::CROSSED);
    stand(&game, &mut editor, SOVIET_ARMOUR, 1, "warsaw", 0);
    stand(&game, &mut editor, POLISH_3, 1, "warsaw", 0);
    editor.newly_disputed(area("warsaw"));
    let mut context = dice(&[1; 13]);
    let mut state = editor.attack(area("warsaw"), Mode::Normal, Team::First, &mut context);
    fight(&game, &mut state, &mut context, first);
    let shots = fires(&context.sink);
    // Infantry at infantry, which did not cross; armour at armour, which did.
    assert_eq!(shots[..2], [(Team::Second, 3, 6, 0), (Team::Second, 3, 5, 0)]);
}

/// 15.1, L273-281: in an assault both sides roll two dice a step; panzers with air support need 4 against infantry.
#[test]
fn lodz() {
    let game = game();
    let mut editor = plain(&game);
    stand(&game, &mut editor, GERMAN_3, 2, "lodz", 0);
    stand(&game, &mut editor, PANZER, 3, "lodz", 0);
    stand(&game, &mut editor, LUFTWAFFE, 3, "lodz", 0);
    stand(&game, &mut editor, POLISH_3, 1, "lodz", 0);
    stand(&game, &mut editor, POLISH_2, 1, "lodz", 0);
    stand(&game, &mut editor, POLISH_CAVALRY, 1, "lodz", 0);
    editor.newly_disputed(area("lodz"));
    let poles = [6, 6, 6, 6, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5];
    let panzers = [4; 24];
    let mut context = dice(&[poles.as_slice(), panzers.as_slice()].concat());
    let mut state = editor.attack(area("lodz"), Mode::Assault, Team::First, &mut context);
    // Air units are put on panzers; the panzers fire before the infantry, which then has nobody to fire at.
    fight(&game, &mut state, &mut context, |state, open| match state.battle.stage {
        Stage::Support(_) => *open.iter().rev().find(|action| matches!(action, Action::Support(_))).unwrap(),
        Stage::Fire(Team::First) => *open.last().unwrap(),
        _ => open[0],
    });
    assert_eq!(fires(&context.sink), [(Team::Second, 14, 6, 4), (Team::First, 24, 4, 24)]);
    let mut after = steps(&game, &state, GERMAN_3, "lodz");
    after.sort_unstable();
    // Both blocks lose one first; the other two hits are the owner's to place: here on one of them.
    assert_eq!(after.iter().sum::<u8>(), 2);
    assert_eq!(state.controller(area("lodz")), Some(Nation::Germany));
}

/// A61: once the round has begun nobody can give in. Where the Poles concede Lodz (L281) they have no such decision, and the panzers
/// roll all their dice.
#[test]
fn nobody_gives_in() {
    let game = game();
    let mut editor = plain(&game);
    stand(&game, &mut editor, PANZER, 3, "lodz", 0);
    stand(&game, &mut editor, LUFTWAFFE, 3, "lodz", 0);
    stand(&game, &mut editor, POLISH_3, 1, "lodz", 0);
    stand(&game, &mut editor, POLISH_2, 2, "lodz", 0);
    editor.newly_disputed(area("lodz"));
    let mut context = dice(&[[1; 14].as_slice(), [4; 6].as_slice(), [1; 18].as_slice()].concat());
    let mut state = editor.attack(area("lodz"), Mode::Assault, Team::First, &mut context);
    while state.battle.stage != Stage::None {
        let open = game.open_actions(&state);
        let fought =
            |action: &Action| matches!(action, Action::Fire(_) | Action::Take(_) | Action::Support(_));
        assert!(open.iter().all(fought), "{:?}: {open:?}", state.battle.stage);
        match open.last() {
            Some(action) => game.apply_alone(&mut state, *action, &mut context),
            None => game.end_idle_phase(&mut state, &mut context),
        }
    }
    assert_eq!(fires(&context.sink), [(Team::Second, 14, 6, 0), (Team::First, 24, 4, 6)]);
}

/// L271, L325: within the class hit every block at full strength loses a step before any loses another.
#[test]
fn full_strength_blocks_lose_first() {
    let game = game();
    let mut editor = plain(&game);
    let worn = editor.place(GERMAN_4, area("lodz"), 2);
    let full = editor.place(GERMAN_4, area("lodz"), 4);
    stand(&game, &mut editor, POLISH_3, 2, "lodz", 0);
    let mut context = dice(&[6, 6, 1, 1, 1, 1, 1, 1, 1, 1]);
    let mut state = editor.attack(area("lodz"), Mode::Normal, Team::First, &mut context);
    let mut asked = Vec::new();
    fight(&game, &mut state, &mut context, |_, open| {
        asked.push(open.to_vec());
        open[0]
    });
    assert_eq!(asked, [[Action::Take(worn), Action::Take(full)]], "free only once the full block is hit");
    assert_eq!((state.steps(worn), state.steps(full)), (1, 3));
}

/// L329: hits beyond the class aimed at spill over to the other; once the last armour is gone armour fires at infantry.
#[test]
fn hits_spill_over() {
    let game = game();
    let mut editor = plain(&game);
    editor.place(SOVIET_ARMOUR, area("minsk"), 1);
    stand(&game, &mut editor, SOVIET_4, 1, "minsk", 0);
    stand(&game, &mut editor, PANZER, 1, "minsk", 0);
    let mut context = dice(&[1, 1, 1, 1, 1, 6, 6, 6, 1]);
    let mut state = editor.attack(area("minsk"), Mode::Normal, Team::First, &mut context);
    fight(&game, &mut state, &mut context, first);
    assert_eq!(steps(&game, &state, SOVIET_ARMOUR, "minsk"), []);
    assert_eq!(steps(&game, &state, SOVIET_4, "minsk"), [2]);
}

/// L325: air combat is simultaneous, 5 and 6 hit; air units in it are lost first; the rest supports, one a block.
#[test]
fn air_combat() {
    let game = game();
    let mut editor = plain(&game);
    stand(&game, &mut editor, PANZER, 1, "minsk", 0);
    stand(&game, &mut editor, LUFTWAFFE, 2, "minsk", 0);
    stand(&game, &mut editor, SOVIET_4, 1, "minsk", 0);
    stand(&game, &mut editor, SOVIET_AIR, 1, "minsk", 0);
    // One German fighter misses and is shot down; four Soviet steps with no support left... the fighter is no support.
    let mut context = dice(&[4, 5, 1, 1, 1, 1, 3, 4, 4, 1]);
    let mut state = editor.attack(area("minsk"), Mode::Normal, Team::First, &mut context);
    fight(&game, &mut state, &mut context, |state, open| match state.battle.stage {
        Stage::AirSplit(_) => Action::Fighters(1),
        _ => open[0],
    });
    assert_eq!(steps(&game, &state, LUFTWAFFE, "minsk"), [1]);
    assert_eq!(fires(&context.sink), [(Team::Second, 4, 6, 0), (Team::First, 4, 4, 2)]);
}

/// 6.63: three supports a side in clear weather, one in snow.
#[test]
fn supports_are_limited() {
    for (weather, limit) in [(Weather::Clear, 3), (Weather::Snow, 1)] {
        let game = game();
        let mut editor = plain(&game);
        stand(&game, &mut editor, PANZER, 4, "minsk", 0);
        stand(&game, &mut editor, LUFTWAFFE, 4, "minsk", 0);
        stand(&game, &mut editor, SOVIET_4, 1, "minsk", 0);
        editor.weather(weather);
        let mut context = dice(&[1; 40]);
        let mut state = editor.attack(area("minsk"), Mode::Normal, Team::First, &mut context);
        while state.battle.stage != Stage::Fire(Team::First) {
            match game.open_actions(&state).first() {
                None => game.end_idle_phase(&mut state, &mut context),
                Some(action) => game.apply_alone(&mut state, *action, &mut context),
            }
        }
        let supported = game.unit_ids().filter(|unit| state.has_mark(*unit, mark::SUPPORTED)).count();
        assert_eq!(supported, limit, "{weather:?}");
    }
}

/// 14.32, A39: attackers roll half their dice in snow, halved once a group and rounded up; Soviets in Soviet home areas all.
#[test]
fn snow() {
    let game = game();
    let fire = |attacker: Team, place: &str| {
        let mut editor = plain(&game);
        editor.place(GERMAN_3, area(place), 2);
        editor.place(GERMAN_3, area(place), 3);
        stand(&game, &mut editor, SOVIET_4, 1, place, 0);
        editor.weather(Weather::Snow);
        let all = attacker == Team::Second && place == "minsk";
        let mut context = dice(&[1; 9][..if all { 9 } else { 7 }]);
        let mut state = editor.attack(area(place), Mode::Normal, attacker, &mut context);
        fight(&game, &mut state, &mut context, first);
        fires(&context.sink)[1]
    };
    assert_eq!(fire(Team::First, "minsk"), (Team::First, 3, 6, 0));
    assert_eq!(fire(Team::Second, "minsk"), (Team::Second, 4, 6, 0));
    assert_eq!(fire(Team::Second, "lodz"), (Team::Second, 2, 6, 0));
}

/// 20.1: rough, fortress, fortifications, mud, elite; what helps whom (A41).
#[test]
fn bonuses() {
    let game = game();
    let need = |id: &str, kinds: [KindId; 2], change: &dyn Fn(&mut Editor<'_>)| {
        let mut editor = plain(&game);
        editor.place(kinds[0], area(id), 1);
        editor.place(kinds[1], area(id), 1);
        change(&mut editor);
        let mut context = dice(&[1, 1]);
        let mut state = editor.attack(area(id), Mode::Normal, Team::First, &mut context);
        fight(&game, &mut state, &mut context, first);
        let shots = fires(&context.sink);
        (shots[0].2, shots[1].2)
    };
    let infantry = [GERMAN_3, SOVIET_4];
    assert_eq!(need("minsk", infantry, &|_| ()), (6, 6));
    assert_eq!(need("leningrad", infantry, &|_| ()), (4, 6));
    assert_eq!(
        need("carpathians", infantry, &|_| ()),
        (5, 6),
        "rough helps who defends, whoever controls it"
    );
    assert_eq!(
        need("minsk", infantry, &|editor| {
            editor.field_fort(area("minsk"));
        }),
        (5, 6)
    );
    let both = |editor: &mut Editor<'_>| {
        editor.field_fort(area("moscow")).heavy_fort(area("moscow"));
    };
    assert_eq!(need("moscow", infantry, &both), (5, 6), "they do not add up (A63)");
    let taken = |editor: &mut Editor<'_>| {
        editor.control(area("leningrad"), Nation::Germany);
    };
    assert_eq!(need("leningrad", infantry, &taken), (6, 6), "a fortress only its owner");
    assert_eq!(
        need("minsk", infantry, &|editor| {
            editor.weather(Weather::Mud);
        }),
        (5, 6)
    );
    assert_eq!(
        need("minsk", [GERMAN_3, SOVIET_ARMOUR], &|editor| {
            editor.weather(Weather::Mud);
        }),
        (5, 6)
    );
    assert_eq!(
        need("minsk", [PANZER, SOVIET_ARMOUR], &|editor| {
            editor.weather(Weather::Mud);
        }),
        (6, 6)
    );
    assert_eq!(need("minsk", [ELITE_PANZER, SOVIET_4], &|_| ()), (6, 4));
    assert_eq!(need("pripet_swamps", infantry, &|_| ()), (6, 6));
    let snow = |editor: &mut Editor<'_>| {
        editor.weather(Weather::Snow);
    };
    assert_eq!(need("pripet_swamps", infantry, &snow), (5, 6), "a swamp is rough in snow");
    let maginot = |editor: &mut Editor<'_>| {
        editor.newly_disputed(area("metz"));
        for unit in editor.state().at(area("metz")) {
            editor.mark(unit, mark::MAGINOT);
        }
    };
    assert_eq!(need("metz", infantry, &maginot), (4, 6));
}

/// 7.6, L271: a Special Action brings from each adjacent undisputed area one land unit and any number of air units.
#[test]
fn reinforcement() {
    let game = game();
    let mut editor = plain(&game);
    editor.special_actions(Nation::Poland, 1);
    stand(&game, &mut editor, GERMAN_3, 3, "lublin", mark::CROSSED);
    stand(&game, &mut editor, POLISH_2, 2, "lublin", 0);
    stand(&game, &mut editor, POLISH_3, 2, "warsaw", 0);
    stand(&game, &mut editor, POLISH_3, 1, "brest_litovsk", 0);
    editor.newly_disputed(area("lublin"));
    // EX-A5: six more dice.
    let mut context = dice(&[1; 19]);
    let mut state = editor.attack(area("lublin"), Mode::Normal, Team::First, &mut context);
    assert_eq!(state.battle.stage, Stage::Withdraw(Nation::Poland));
    let mut brought = 0;
    fight(&game, &mut state, &mut context, |state, open| match state.battle.stage {
        Stage::Withdraw(_) => Action::Pass,
        Stage::Reinforce(_) => Action::Reinforce,
        Stage::Arriving(_) => {
            brought += 1;
            open[1]
        }
        _ => open[0],
    });
    assert_eq!(brought, 2);
    let shots = fires(&context.sink);
    assert_eq!(shots.iter().filter(|shot| shot.0 == Team::Second).map(|shot| shot.1).sum::<u16>(), 10);
    assert_eq!(steps(&game, &state, POLISH_3, "warsaw"), [3], "one unit an area");
}

/// 7.51, A45, A46: a nation withdraws all its land units or none; the area falls without a round.
#[test]
fn withdrawal() {
    let game = game();
    let mut editor = plain(&game);
    editor.special_actions(Nation::Poland, 1);
    stand(&game, &mut editor, GERMAN_3, 1, "lublin", 0);
    stand(&game, &mut editor, POLISH_2, 2, "lublin", 0);
    editor.newly_disputed(area("lublin"));
    let mut context = dice(&[]);
    let mut state = editor.attack(area("lublin"), Mode::Normal, Team::First, &mut context);
    fight(&game, &mut state, &mut context, |state, open| match state.battle.stage {
        Stage::Withdraw(_) => Action::Withdraw,
        _ => *open.iter().find(|action| **action == Action::Go(area("warsaw"))).unwrap(),
    });
    assert_eq!(steps(&game, &state, POLISH_2, "warsaw"), [2, 2]);
    assert_eq!(state.controller(area("lublin")), Some(Nation::Germany));
    assert_eq!(state.power(Nation::Poland).special_actions, 0);
}

/// 7.7, A42: the defender attacks back at once; the original attacker fires first; rough helps him now.
#[test]
fn counterattack() {
    let game = game();
    let mut editor = plain(&game);
    editor.special_actions(Nation::Poland, 1);
    editor.control(area("carpathians"), Nation::Poland);
    stand(&game, &mut editor, GERMAN_3, 1, "carpathians", 0);
    stand(&game, &mut editor, POLISH_2, 1, "carpathians", 0);
    editor.field_fort(area("carpathians"));
    let mut context = dice(&[1; 15]);
    let mut state = editor.attack(area("carpathians"), Mode::Normal, Team::First, &mut context);
    let mut last = 0;
    fight(&game, &mut state, &mut context, |state, open| match state.battle.stage {
        Stage::Counterattack(_) => {
            last += 1;
            Action::Counterattack(Mode::Assault)
        }
        Stage::Withdraw(_) => Action::Pass,
        _ => open[0],
    });
    assert_eq!(last, 1);
    let shots = fires(&context.sink);
    assert_eq!(shots[..2], [(Team::Second, 2, 4, 0), (Team::First, 3, 6, 0)]);
    assert_eq!(shots[2], (Team::First, 6, 5, 0), "the attacker defends in rough, behind no fortification");
    assert!(!state.field_forts.contains(area("carpathians")), "it lasts one round (A62)");
}

/// Exact odds are those of the dice: of a battle on paper, and of thousands fought.
#[test]
fn odds() {
    let game = game();
    let mut editor = plain(&game);
    editor.place(GERMAN_3, area("lodz"), 1);
    editor.place(POLISH_2, area("lodz"), 1);
    let state = editor.start(Phase::Combat, Team::First, &mut dice(&[]));
    let exact = game.odds(&state, area("lodz"), Mode::Normal, Conduct::default());
    // The Pole hits with a 6; else the German may.
    let sixth = 1.0 / 6.0;
    let chance = |lost: [u16; 2]| exact.chance(|result| result.lost == lost);
    for (lost, expected) in
        [([1, 0], sixth), ([0, 1], (1.0 - sixth) * sixth), ([0, 0], (1.0 - sixth) * (1.0 - sixth))]
    {
        assert!((chance(lost) - expected).abs() < 1e-12, "{lost:?}");
    }
    assert!((exact.chance(|result| result.won) - (1.0 - sixth) * sixth).abs() < 1e-12);

    let mut editor = plain(&game);
    editor.special_actions(Nation::SovietUnion, 1);
    stand(&game, &mut editor, PANZER, 2, "minsk", 0);
    stand(&game, &mut editor, GERMAN_3, 2, "minsk", mark::CROSSED);
    stand(&game, &mut editor, LUFTWAFFE, 2, "minsk", 0);
    stand(&game, &mut editor, SOVIET_ARMOUR, 1, "minsk", 0);
    stand(&game, &mut editor, SOVIET_4, 2, "minsk", 0);
    stand(&game, &mut editor, SOVIET_AIR, 1, "minsk", 0);
    editor.newly_disputed(area("minsk"));
    let state = editor.start(Phase::Combat, Team::First, &mut dice(&[]));
    let plans =
        [Plan { fighters: 1, counterattack: None }, Plan { fighters: 1, counterattack: Some(Mode::Normal) }];
    let conduct = Conduct { plans };
    let exact = game.odds(&state, area("minsk"), Mode::Normal, conduct);
    let games = 20_000u32;
    let mut seen = std::collections::BTreeMap::new();
    for number in 0..games {
        let mut context = PlayContext::silent(Rng64::stream(11, u64::from(number), 0));
        let result = game.fight_by(&mut state.clone(), area("minsk"), Mode::Normal, conduct, &mut context);
        *seen.entry(result).or_insert(0u32) += 1;
    }
    for (result, probability) in exact.iter() {
        let (share, expected) = (f64::from(seen.remove(result).unwrap_or(0)) / f64::from(games), probability);
        let deviation = (expected * (1.0 - expected) / f64::from(games)).sqrt();
        assert!(
            (share - expected).abs() < 5.0 * deviation + 2.0 / f64::from(games),
            "{result:?}: {share}, {expected}"
        );
    }
    assert!(seen.is_empty(), "results that the odds do not know: {seen:?}");
}
