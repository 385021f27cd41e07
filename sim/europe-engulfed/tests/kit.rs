//! The invariants every game must keep, over random games.

mod scene;

use sandtable_core::kit::{KitOptions, run};
use sandtable_core::{Dice, Game, Index, PlayContext, Rng64, play_out_random};
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::rules::{Branch, Kind};
use sandtable_europe_engulfed::{Area, EuropeEngulfed, KindId, Nation, Phase, UnitId};
use sandtable_scenarios::kit::check_invariants;
use sandtable_scenarios_europe_engulfed::Examples;

#[test]
fn a_small_war_keeps_the_invariants() {
    let options = KitOptions { games: 60, seed: 7, deep_every: 5, ..KitOptions::default() };
    let report = run(&scene::game(), &options).unwrap_or_else(|failure| panic!("{failure}"));
    assert!(report.decisions > 60 * 50, "{report:?}");
}

#[test]
fn pattons_fantasy_keeps_the_invariants() {
    check_invariants::<Examples>("europe-engulfed/patton-1945", &[], 6);
}

#[test]
fn the_campaign_of_1941_keeps_the_invariants() {
    check_invariants::<Examples>("europe-engulfed/campaign-1941", &[], 3);
}

#[test]
fn the_campaign_of_1939_keeps_the_invariants() {
    check_invariants::<Examples>("europe-engulfed/campaign-1939", &[], 3);
}

#[test]
fn campaigns_with_all_options_keep_the_invariants() {
    let options = [
        "us_production",
        "stacking",
        "desert_weather",
        "sixth_special_action",
        "paratroopers",
        "me262",
        "submarine_initiative",
        "scandinavian_prudence",
        "greece",
        "turkey",
        "limited_building",
        "air_purchases",
        "german_freedom",
        "western_wars",
        "paulus_pause",
        "winter_combat",
        "surprise",
        "conversion",
        "fort_reduction",
        "improved_by_use",
        "combat_tables",
        "partial_builds",
        "final_offensives",
        "partisans",
        "overlord",
        "german_reductions",
        "soviet_increases",
        "american_increases",
        "pursuit",
        "hit_distribution",
        "carpet_bombing",
        "tournament_points",
        "no_winter_war",
        "italian_wars",
        "soviet_wars",
        "french_terms",
        "ports",
        "naval_air",
        "three_players",
    ];
    let options = options.map(|option| format!("options.{option}=yes"));
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    check_invariants::<Examples>("europe-engulfed/campaign-1939", &options, 3);
    check_invariants::<Examples>("europe-engulfed/campaign-1941", &options, 3);
}

#[test]
fn the_european_war_keeps_the_invariants() {
    check_invariants::<Examples>("europe-engulfed/european-war-1939", &[], 3);
}

#[test]
fn the_tournament_keeps_the_invariants() {
    check_invariants::<Examples>("europe-engulfed/tournament-1942", &[], 3);
}

/// 3.0: where [`Room`](sandtable_europe_engulfed::supply::Room) says that one more is fed, one more is.
#[test]
fn who_comes_where_there_is_room_is_fed() {
    let (mut by_land, mut by_sea) = (0, 0);
    for scenario in ["campaign-1941", "tournament-1942", "campaign-1939"] {
        let opened =
            sandtable_scenarios_europe_engulfed::open(&format!("europe-engulfed/{scenario}"), &[]).unwrap();
        let game = EuropeEngulfed::new(opened.into_rules()).unwrap();
        let mut context = PlayContext::silent(Rng64::stream(3, 0, 0));
        let mut state = game.initial(&mut context);
        let mut legal = Vec::new();
        let mut decisions = 0;
        while game.outcome(&state).is_none() {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let pick = context.dice.below(legal.len() as u32) as usize;
            game.apply(&mut state, legal[pick], &mut context);
            decisions += 1;
            if decisions % 97 != 0 || state.phase != Phase::Operational {
                continue;
            }
            let team = state.mover;
            for nation in Nation::members(state.nations(team)) {
                let foot = |kind: &Kind| kind.nation == nation && kind.branch == Branch::Infantry;
                let Some(kind) = game.rules.kinds.iter().position(foot).map(KindId::nth) else { continue };
                let pooled = |unit: UnitId| state.location(unit) == Area::POOL;
                if !game.counters(kind).any(pooled) || state.team(nation) != Some(team) {
                    continue;
                }
                let room = game.room(&state, nation);
                for area in game.open_among(&state, nation, state.held(team)) {
                    if !room.feeds(area) {
                        continue;
                    }
                    let mut editor = Editor::of(&game, state.clone());
                    let unit = editor.place(kind, area, 1);
                    let place = game.area_name(area);
                    let fed = game.is_supplied(&editor.finish(), unit);
                    assert!(fed, "{scenario}, {decisions}: {nation:?} in {place}");
                    if room.is_by_land(area) { by_land += 1 } else { by_sea += 1 }
                }
            }
        }
    }
    assert!(by_land > 1000 && by_sea > 200, "{by_land} by land, {by_sea} by sea");
}

#[test]
fn play_allocates_nothing() {
    let game = scene::game();
    let mut legal = Vec::with_capacity(4096);
    for number in 0..3 {
        let mut context = PlayContext::silent(Rng64::stream(5, number, 0));
        let mut state = game.initial(&mut context);
        let seen = allocation_counter::measure(|| {
            play_out_random(&game, &mut state, &mut context, &mut legal);
        });
        assert_eq!(seen.count_total, 0);
    }
}
