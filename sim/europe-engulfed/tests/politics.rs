//! Deployment of the campaigns, the Soviet draft.

use sandtable_core::{Game, Index, PlayContext, Rng64, Side, Stepwise, Turn};
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::rules::{Branch, PlayerId, Standing};
use sandtable_europe_engulfed::state::Draft;
use sandtable_europe_engulfed::{Action, EuropeEngulfed, Nation, Phase, State, Team, UnitId};
use sandtable_scenarios_europe_engulfed::{Override, open};

/// Deploys at random, to the first turn.
fn deployed(scenario: &str, seed: u64) -> (EuropeEngulfed, State) {
    let game = EuropeEngulfed::new(open(scenario, &[]).expect("a scenario").into_rules()).expect("a game");
    let mut context = PlayContext::silent(Rng64::stream(seed, 0, 0));
    let mut state = game.initial(&mut context);
    while state.phase == Phase::Deployment {
        let open: Vec<Action> = game.open_actions(&state);
        let action = open[(seed as usize * 7 + state.affairs.deploying as usize * 3 + 1) % open.len()];
        game.apply(&mut state, action, &mut context);
    }
    (game, state)
}

fn count(game: &EuropeEngulfed, state: &State, nation: Nation, areas: &[&str], air: bool) -> usize {
    let here = |unit| areas.iter().any(|id| Some(state.location(unit)) == game.area(id));
    game.unit_ids()
        .filter(|unit| {
            game.nation(*unit) == nation && (game.branch(*unit) == Branch::Air) == air && here(*unit)
        })
        .count()
}

/// 17.21, 17.61, 18.11, 18.21: limits and garrisons of deployment hold however the players choose.
#[test]
fn deployment_keeps_its_limits() {
    let africa = [
        "tripolitania",
        "cyrenaica",
        "marmarica",
        "tobruk",
        "western_egypt",
        "el_alamein",
        "alexandria",
        "suez",
        "morocco",
        "algiers",
        "tunisia",
    ];
    for seed in 0..12 {
        let (game, state) = deployed("europe-engulfed/campaign-1939", seed);
        assert!(count(&game, &state, Nation::Germany, &["east_prussia"], false) <= 3, "{seed}");
        assert!(count(&game, &state, Nation::Poland, &["warsaw"], false) <= 4, "{seed}");
        for area in ["warsaw", "lodz", "lublin", "brest_litovsk"] {
            assert!(count(&game, &state, Nation::Poland, &[area], false) >= 1, "{seed}: {area}");
        }
        let (game, state) = deployed("europe-engulfed/campaign-1941", seed);
        assert!(count(&game, &state, Nation::Germany, &africa, false) <= 1, "{seed}");
        assert!(count(&game, &state, Nation::Germany, &africa, true) <= 1, "{seed}");
        let italians = |branch: Branch| {
            let here = |unit| africa.iter().any(|id| Some(state.location(unit)) == game.area(id));
            let is = |unit| (game.nation(unit), game.branch(unit)) == (Nation::Italy, branch);
            game.unit_ids().filter(|unit| is(*unit) && here(*unit)).count()
        };
        assert!(italians(Branch::Armour) <= 1 && italians(Branch::Infantry) <= 2, "{seed}");
    }
}

/// 17.11 to 17.61, 18.11 to 18.51: who deploys how much where, whatever the players choose: blocks and steps of the army of a power, all
/// in the countries that are named or in no other area than these.
#[test]
fn the_campaigns_deploy_in_their_zones() {
    for (scenario, powers) in [
        (
            "europe-engulfed/campaign-1939",
            &[
                (Nation::SovietUnion, (12, 29), "soviet_union"),
                (Nation::Poland, (10, 26), "poland"),
                (Nation::Italy, (9, 22), "italy italian_overseas libya"),
                (Nation::France, (15, 46), "france french_levant french_north_africa"),
                (Nation::GreatBritain, (7, 12), "great_britain egypt british_overseas"),
                (Nation::Germany, (21, 68), "germany"),
            ][..],
        ),
        (
            "europe-engulfed/campaign-1941",
            &[
                (Nation::SovietUnion, (37, 92), "soviet_union baltic_states lvov brest_litovsk bessarabia"),
                (
                    Nation::Germany,
                    (44, 157),
                    "germany poland france belgium holland denmark norway finland hungary romania bulgaria yugoslavia greece \
                     italy italian_overseas libya",
                ),
                (Nation::Italy, (9, 19), "italy italian_overseas libya yugoslavia greece bulgaria"),
                (Nation::Finland, (3, 9), "finland"),
                (Nation::Romania, (4, 9), "romania"),
                (Nation::GreatBritain, (11, 33), "great_britain egypt british_overseas tobruk"),
            ],
        ),
    ] {
        for seed in 0..4 {
            let (game, state) = deployed(scenario, seed);
            for &(nation, army, zone) in powers {
                let land = |unit: &UnitId| game.nation(*unit) == nation && !game.is_air(*unit);
                let units = game.unit_ids().filter(land).filter(|unit| state.is_on_map(*unit));
                let units: Vec<UnitId> = units.collect();
                let steps: u32 = units.iter().map(|unit| u32::from(state.steps(*unit))).sum();
                assert_eq!((units.len(), steps), army, "{scenario}: {nation:?}");
                for unit in units {
                    let at = state.location(unit);
                    let named = [game.rules.areas[at.at()].id.as_str(), game.country_of(at).id.as_str()];
                    let fits = zone.split(' ').any(|name| named.contains(&name));
                    assert!(fits, "{scenario}: {nation:?} in {}", game.area_name(at));
                }
            }
        }
    }
}

/// 9.24 f, A111: the draft runs for the production in which it is taken and the next three.
#[test]
fn the_draft_runs_for_four_productions() {
    let (game, mut state) = deployed("europe-engulfed/campaign-1941", 1);
    let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
    let mut turns = Vec::new();
    let mut number = 0;
    while state.affairs.draft != Draft::Taken {
        let open: Vec<Action> = game.open_actions(&state);
        number += 1;
        let any = open[number * 7 % open.len()];
        let action = if open.contains(&Action::Draft) { Action::Draft } else { any };
        game.apply(&mut state, action, &mut context);
        let soviets_build = state.phase == Phase::Production && state.payer == Nation::SovietUnion;
        if state.affairs.draft == Draft::Running && soviets_build && !turns.contains(&state.turn) {
            turns.push(state.turn);
        }
    }
    assert_eq!(turns.len(), 4, "{turns:?}");
}

/// 14.48, A36: of two Allied players the Soviet one deploys a minor that the Axis attacks.
#[test]
fn a_minor_that_the_axis_attacks_is_led_by_the_soviet_player() {
    for (option, expected) in [("no", PlayerId::Allied), ("yes", PlayerId::Soviet)] {
        let edit = Override::parse(&format!("options.three_players={option}")).unwrap();
        let scenario = open("europe-engulfed/campaign-1939", &[edit]).expect("a scenario");
        let game = EuropeEngulfed::new(scenario.into_rules()).expect("a game");
        let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
        let mut editor = Editor::new(&game);
        editor.clear().turn(5).standing(Nation::GreatBritain, Standing::Belligerent);
        let mut state = editor.begin(Phase::Declarations, Team::First, &mut context);
        game.apply(&mut state, Action::DeclareWar(Nation::Germany, Nation::Norway), &mut context);
        game.apply(&mut state, Action::Pass, &mut context);
        assert_eq!(state.phase, Phase::Mobilization, "{option}");
        let side = game.rules.setup.players.iter().position(|player| player.id == expected).unwrap();
        assert_eq!(game.turn_of(&state), Turn::Decide(Side(side as u8)), "{option}");
    }
}
