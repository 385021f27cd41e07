//! 16.2, the Tournament Scenario: what no worked example can say.

mod scene;

use sandtable_core::{Game, PlayContext, Rng64, Stepwise};
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::rules::Branch;
use sandtable_europe_engulfed::{Action, Area, EuropeEngulfed, KindId, Nation, Phase, State, Team};
use scene::dice;

fn game() -> EuropeEngulfed {
    let scenario = sandtable_scenarios_europe_engulfed::open("europe-engulfed/tournament-1942", &[]).unwrap();
    EuropeEngulfed::new(scenario.into_rules()).unwrap()
}

fn areas(game: &EuropeEngulfed, ids: &str) -> Vec<Area> {
    ids.split_whitespace().map(|id| game.area(id).expect("an area")).collect()
}

/// 16.22: what the difference of victory points is worth, the Axis first.
#[test]
fn awards() {
    let game = game();
    let axis = "don_bend stalingrad krasnodar caucasus tbilisi baku ladoga_swamps leningrad";
    for (german, allied, expected) in [
        ("", "", [600, 400]),
        ("", "oslo", [500, 501]),
        ("", "oslo paris normandy", [400, 600]),
        ("don_bend stalingrad", "", [700, 300]),
        (axis, "", [900, 100]),
        // 10.41 and 10.47: all ten, whatever the points say.
        ("moscow leningrad baku", "oslo paris normandy", [1000, 0]),
        ("don_bend stalingrad", "berlin silesia saxony ruhr", [0, 1000]),
    ] {
        let mut editor = Editor::new(&game);
        editor.clear().turn(8);
        // The Axis holds out in Africa.
        let italian = game.rules.kinds.iter().position(|kind| kind.nation == Nation::Italy);
        editor.place(KindId(italian.expect("a kind") as u8), areas(&game, "tripolitania")[0], 1);
        editor.state_mut().fleets[Nation::Italy as usize].ready[2] = 1;
        for area in areas(&game, german) {
            editor.control(area, Nation::Germany);
        }
        for area in areas(&game, allied) {
            editor.control(area, Nation::GreatBritain);
        }
        editor.state_mut().fleets[Nation::GreatBritain as usize].ready[0] = 1;
        let mut context = dice(&[]);
        let mut state = editor.start(Phase::FinalSupply, Team::Second, &mut context);
        game.apply_alone(&mut state, Action::Pass, &mut context);
        let outcome = game.outcome(&state).expect("the game is over");
        let award = |side: usize| (outcome.points.0[side] * 100.0).round() as u16;
        assert_eq!([award(0), award(1)], expected, "{german}; {allied}");
    }
}

/// 14.48: by option a defeat costs the points that the victory brings.
#[test]
fn a_defeat_costs_what_the_victory_brings() {
    for (option, expected) in [("no", [7.0, 0.0]), ("yes", [7.0, -7.0])] {
        let edit = format!("options.tournament_points={option}");
        let edits = [sandtable_scenarios_europe_engulfed::Override::parse(&edit).unwrap()];
        let scenario = sandtable_scenarios_europe_engulfed::open("europe-engulfed/campaign-1941", &edits);
        let game = EuropeEngulfed::new(scenario.unwrap().into_rules()).unwrap();
        let mut context = dice(&[]);
        let mut editor = Editor::new(&game);
        editor.clear().turn(game.rules.setup.turns);
        let mut state = editor.start(Phase::FinalSupply, Team::Second, &mut context);
        game.apply_alone(&mut state, Action::Pass, &mut context);
        let outcome = game.outcome(&state).expect("the game is over");
        assert_eq!(outcome.points.0[..2], expected, "{option}: {}", outcome.end_reason);
    }
}

/// 14.48: of two Allied players who have won the one with more areas across the Demarcation Line has a point of the other.
#[test]
fn who_is_further_across_the_line_has_a_point() {
    let edits = ["options.tournament_points=yes", "options.three_players=yes"];
    let edits = edits.map(|edit| sandtable_scenarios_europe_engulfed::Override::parse(edit).unwrap());
    let scenario = sandtable_scenarios_europe_engulfed::open("europe-engulfed/campaign-1941", &edits);
    let game = EuropeEngulfed::new(scenario.unwrap().into_rules()).unwrap();
    assert_eq!(game.sides().len(), 3);
    for (western, soviet, expected) in [
        ("warsaw", "berlin saxony silesia ruhr", [-5.0, 5.0, 5.0]),
        ("warsaw lodz", "berlin saxony silesia ruhr", [-5.0, 6.0, 4.0]),
        ("warsaw", "berlin saxony silesia ruhr rhineland", [-5.0, 4.0, 6.0]),
    ] {
        let mut context = dice(&[]);
        let mut editor = Editor::new(&game);
        editor.clear().turn(game.rules.setup.turns - 1);
        for (list, nation) in [(western, Nation::UnitedStates), (soviet, Nation::SovietUnion)] {
            for area in areas(&game, list) {
                editor.control(area, nation);
            }
        }
        let mut state = editor.start(Phase::FinalSupply, Team::Second, &mut context);
        game.apply_alone(&mut state, Action::Pass, &mut context);
        let outcome = game.outcome(&state).expect("the game is over");
        assert_eq!(outcome.points.0[..3], expected, "{western}; {soviet}: {}", outcome.end_reason);
    }
}

/// 16.211(2), 16.212: wherever blocks are put, the garrisons stand when deployment is over.
#[test]
fn garrisons_stand_after_deployment() {
    let game = game();
    for seed in 0..40 {
        let mut context = PlayContext::silent(Rng64::stream(seed, 0, 0));
        let mut state = game.initial(&mut context);
        let mut legal = Vec::new();
        while state.phase == Phase::Deployment {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let at = sandtable_core::Dice::below(&mut context.dice, legal.len() as u32) as usize;
            game.apply(&mut state, legal[at], &mut context);
        }
        assert_eq!(state.at(Area::WAITING).len(), 0);
        for &(team, area, least) in &game.rules.setup.minimum {
            let there = game.land_units_at(&state, team, area).len();
            assert!(there >= u32::from(least), "{seed}: {there} of the {team:?} in {}", game.area_name(area));
        }
    }
}

/// 16.23(2): what comes into the pools in January 1943, and what does not.
#[test]
fn counters_come_in_january() {
    let game = game();
    let mut context = dice(&[]);
    let mut state = Editor::new(&game).turn(3).start(Phase::FinalSupply, Team::Second, &mut context);
    let kept = |state: &State, nation: Nation, branch: Branch, max: u8| {
        let kinds = game.rules.kinds.iter().position(|kind| {
            (kind.nation, kind.branch, kind.max) == (nation, branch, max) && (kind.elite || max < 4)
        });
        let counters = game.counters(KindId(kinds.expect("a kind") as u8));
        counters.filter(|unit| state.location(*unit) == Area::GONE).count()
    };
    let counts = |state: &State| {
        [
            kept(state, Nation::GreatBritain, Branch::Airborne, 3),
            kept(state, Nation::UnitedStates, Branch::Airborne, 3),
            kept(state, Nation::UnitedStates, Branch::Airborne, 2),
            kept(state, Nation::Germany, Branch::Armour, 4),
            kept(state, Nation::SovietUnion, Branch::Armour, 4),
        ]
    };
    assert_eq!(counts(&state), [1, 1, 2, 3, 3]);
    game.apply_alone(&mut state, Action::Pass, &mut context);
    assert_eq!((state.turn, counts(&state)), (4, [0, 0, 2, 1, 2]));
}
