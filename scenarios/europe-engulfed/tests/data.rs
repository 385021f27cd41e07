//! What the data must say whatever else changes.

use sandtable_core::Index;
use sandtable_europe_engulfed::Rules;
use sandtable_europe_engulfed::ids::{Area, Areas, Nation};
use sandtable_europe_engulfed::rules::{EdgeKind, NationKind};
use sandtable_scenarios_europe_engulfed::open;

fn rules() -> Rules {
    open("europe-engulfed/patton-1945", &[]).expect("a scenario").into_rules()
}

fn area(rules: &Rules, id: &str) -> Area {
    Area::nth(rules.areas.iter().position(|area| area.id == id).expect("an area"))
}

fn edge(rules: &Rules, a: &str, b: &str) -> Option<EdgeKind> {
    let (a, b) = (area(rules, a), area(rules, b));
    rules
        .edges
        .iter()
        .find(|edge| (edge.a, edge.b) == (a, b) || (edge.a, edge.b) == (b, a))
        .map(|edge| edge.kind)
}

#[test]
fn the_map_has_its_areas_and_borders() {
    let rules = rules();
    assert_eq!((rules.areas.len(), rules.edges.len(), rules.air_links.len()), (129, 250, 24));
    assert_eq!((rules.seas.len(), rules.passages.len(), rules.countries.len()), (4, 3, 30));
    // 15.1, 15.2.
    assert_eq!(edge(&rules, "slovakia", "lublin"), Some(EdgeKind::River));
    assert_eq!(edge(&rules, "silesia", "lodz"), Some(EdgeKind::Land));
    assert_eq!(edge(&rules, "lodz", "warsaw"), Some(EdgeKind::River));
    assert_eq!(edge(&rules, "east_prussia", "warsaw"), Some(EdgeKind::Land));
    assert_eq!(edge(&rules, "pas_de_calais", "paris"), Some(EdgeKind::River));
    assert_eq!(edge(&rules, "crimea", "sevastopol"), Some(EdgeKind::Fortress));
    assert_eq!(edge(&rules, "silesia", "warsaw"), None);
}

/// 19.1, 19.2: thirteen Minor Powers, four of the Axis.
#[test]
fn minor_powers_are_named() {
    let rules = rules();
    let count = |kind| rules.nations.iter().filter(|nation| nation.kind == kind).count();
    assert_eq!(
        (count(NationKind::Minor), count(NationKind::AxisMinor), count(NationKind::Major)),
        (12, 4, 6)
    );
    assert_eq!(rules.nations[Nation::Romania.index()].patron, Nation::Germany);
    assert_eq!(rules.nations[Nation::FreeFrance.index()].patron, Nation::UnitedStates);
    assert_eq!(edge(&rules, "marmarica", "tobruk"), Some(EdgeKind::Fortress));
    assert_eq!(edge(&rules, "french_alps", "piedmont"), Some(EdgeKind::Land));
    assert_eq!(edge(&rules, "minsk", "lithuania"), Some(EdgeKind::Land));
    assert_eq!(edge(&rules, "bucharest", "bessarabia"), Some(EdgeKind::River));
}

/// 23.0.
#[test]
fn units_move_as_the_sheet_says() {
    let moves = rules().branches.map(|branch| branch.moves);
    assert_eq!(moves, [1, 2, 1, 1, 2, 2]);
}

/// 20.4: what the areas are worth is what the bases say (A1).
#[test]
fn bases_are_the_sum_of_the_areas() {
    let rules = rules();
    let home = |nation: Nation| -> (u32, usize) {
        let values: Vec<u32> = rules
            .areas
            .iter()
            .filter(|area| {
                let country = &rules.countries[usize::from(area.country)];
                country.owner == nation && country.home && area.resource > 0
            })
            .map(|area| u32::from(area.resource))
            .collect();
        (values.iter().sum(), values.len())
    };
    assert_eq!(home(Nation::SovietUnion), (34, 27));
    assert_eq!(home(Nation::GreatBritain), (24, 3));
    assert_eq!(home(Nation::Germany), (30, 5));
    assert_eq!(home(Nation::Italy), (10, 2));
    assert_eq!(home(Nation::France), (16, 2));
    for (nation, base) in [
        (Nation::Germany, 30),
        (Nation::Italy, 10),
        (Nation::France, 16),
        (Nation::GreatBritain, 24),
        (Nation::SovietUnion, 34),
        (Nation::UnitedStates, 40),
    ] {
        assert_eq!(rules.nations[nation.index()].base, base, "{nation:?}");
    }
}

/// 20.5: the printed losses of submarines.
#[test]
fn submarines_are_lost_by_the_table() {
    let losses = rules().strategic.losses;
    assert_eq!((losses[0][0], losses[0][19], losses[0][20], losses[0][59]), (1, 1, 2, 3));
    assert_eq!((losses[2][31], losses[4][59]), (5, 15));
}

/// 21.0: a column gives on the average what its dice would.
#[test]
fn combat_tables_have_the_mean_of_their_dice() {
    let ways = |sum: i32| {
        (1..=6).flat_map(|a| (1..=6).map(move |b| sum - a - b)).filter(|c| (1..=6).contains(c)).count() as f64
    };
    for (bonuses, table) in rules().combat_table.iter().enumerate() {
        for dozen in 0..10 {
            let mean: f64 =
                table.iter().zip(3..).map(|(row, sum)| f64::from(row[dozen]) * ways(sum)).sum::<f64>()
                    / 216.0;
            let expected = 12.0 * (dozen + 1) as f64 * (bonuses + 1) as f64 / 6.0;
            assert!(
                (mean - expected).abs() < 1.01 / 216.0,
                "{bonuses} bonuses, {dozen}: {mean} and not {expected}"
            );
        }
    }
}

/// 16.1: the sides deploy all their blocks, and the Soviets leave no area of the list empty.
#[test]
fn patton_deploys_what_the_play_book_gives() {
    let rules = rules();
    let steps = |nation: Nation| -> u32 {
        rules
            .setup
            .placements
            .iter()
            .filter(|placement| {
                let kind = &rules.kinds[usize::from(placement.kind)];
                kind.nation == nation && kind.branch != sandtable_europe_engulfed::rules::Branch::Air
            })
            .map(|placement| u32::from(placement.count) * u32::from(placement.steps))
            .sum()
    };
    assert_eq!(steps(Nation::SovietUnion), 8 * 3 + 18 * 2 + 4 * 4 + 4 * 3 + 4 * 2 + 3 * 4 + 2 * 2);
    assert_eq!(steps(Nation::GreatBritain), 4 * 3 + 7 * 2 + 2 * 3 + 3 * 2 + 2);
    assert_eq!(steps(Nation::UnitedStates), 6 * 4 + 4 * 3 + 2 * 4 + 4 * 3 + 3);
    let mut held = Areas::EMPTY;
    for placement in &rules.setup.placements {
        for area in placement.zone {
            held.insert(area);
        }
    }
    for id in ["berlin", "silesia", "east_prussia", "warsaw", "lithuania", "estonia", "budapest", "ploesti"] {
        assert!(held.contains(area(&rules, id)), "{id}");
    }
}
