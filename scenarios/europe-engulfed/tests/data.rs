//! What the data must say whatever else changes.

use sandtable_core::{Game, Index, PlayContext, Rng64};
use sandtable_europe_engulfed::ids::{Area, Areas, Nation};
use sandtable_europe_engulfed::phase::Phase;
use sandtable_europe_engulfed::rules::{Branch, EdgeKind, NationKind, PoolChange};
use sandtable_europe_engulfed::{EuropeEngulfed, Rules, Team};
use sandtable_scenarios::kit;
use sandtable_scenarios_europe_engulfed::{Examples, open};

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
                kind.nation == nation && kind.branch != Branch::Air
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
    // 16.11: a garrison in each of these.
    let garrisons = "berlin saxony pomerania silesia bohemia slovakia east_prussia warsaw lodz lublin brest_litovsk lvov lithuania \
                     latvia estonia budapest ruthenia bucharest ploesti";
    let expected: Areas = garrisons.split_whitespace().map(|id| area(&rules, id)).collect();
    let minimum = rules.setup.minimum.iter();
    let asked: Areas = minimum
        .map(|&(team, area, least)| {
            assert_eq!((team, least), (Team::Second, 1));
            area
        })
        .collect();
    assert_eq!(asked, expected);
}

/// Blocks, steps and air units of a power at the start.
fn deployed(rules: &Rules, nation: Nation) -> (u32, u32, u32) {
    let (mut blocks, mut steps, mut air) = (0, 0, 0);
    for placement in &rules.setup.placements {
        let kind = &rules.kinds[usize::from(placement.kind)];
        let count = u32::from(placement.count);
        match kind.branch {
            _ if kind.nation != nation => {}
            Branch::Air => air += count,
            _ => (blocks, steps) = (blocks + count, steps + count * u32::from(placement.steps)),
        }
    }
    (blocks, steps, air)
}

/// 16.211, 16.212, 16.23(6): blocks, steps and air units of each power, and its Fleet Points.
#[test]
fn tournament_deploys_what_the_play_book_gives() {
    let rules = sandtable_scenarios_europe_engulfed::open("europe-engulfed/tournament-1942", &[]);
    let rules = rules.unwrap().into_rules();
    let of = |nation: Nation| deployed(&rules, nation);
    // Leningrad; elite, armour, cavalry, infantry behind the front.
    assert_eq!(of(Nation::SovietUnion), (38, 2 * 4 + 4 * 3 + 2 * 3 + 2 + 1 + 2 * 3 + 14 * 3 + 12 * 2, 2));
    assert_eq!(of(Nation::GreatBritain), (9, 3 + 4 + 2 * 3 + 2 * 3 + 2 * 3 + 1, 3));
    assert_eq!(of(Nation::UnitedStates), (5, 4 + 2 * 3 + 2 * 3, 1));
    // The front; the south; Africa; the west.
    assert_eq!(of(Nation::Germany), (41, 3 + 2 * 4 + 6 * 3 + 11 * 3 + 8 * 3 + 2 + 3 + 3 + 2 * 3 + 8 * 3, 6));
    assert_eq!(of(Nation::Italy), (9, 3 + 2 + 3 + 3 * 2 + 1 + 2 * 3, 1));
    assert_eq!(of(Nation::VichyFrance), (2, 4, 0));
    let fleets = |nation: Nation| -> u8 {
        rules.setup.fleets.iter().filter(|fleet| fleet.0 == nation).map(|fleet| fleet.2).sum()
    };
    assert_eq!(fleets(Nation::GreatBritain) + fleets(Nation::UnitedStates), 8);
    assert_eq!([Nation::Germany, Nation::Italy, Nation::SovietUnion].map(fleets), [2, 3, 2]);
    assert_eq!((rules.setup.turns, rules.setup.weather.len()), (8, 2));
}

/// 17.11 to 17.61, 18.11 to 18.51, 18.7(4): blocks, steps and air units of each power.
#[test]
fn the_campaigns_deploy_what_the_play_book_gives() {
    let open = |name: &str| {
        let scenario = sandtable_scenarios_europe_engulfed::open(&format!("europe-engulfed/{name}"), &[]);
        scenario.unwrap_or_else(|error| panic!("{error}")).into_rules()
    };
    for name in ["campaign-1939", "european-war-1939"] {
        let rules = open(name);
        for (nation, expected) in [
            (Nation::SovietUnion, (12, 29, 2)),
            (Nation::Poland, (10, 26, 0)),
            (Nation::Italy, (9, 22, 0)),
            (Nation::France, (15, 46, 1)),
            (Nation::GreatBritain, (7, 12, 1)),
            (Nation::Germany, (21, 68, 3)),
        ] {
            assert_eq!(deployed(&rules, nation), expected, "{name}: {nation:?}");
        }
    }
    let rules = open("campaign-1941");
    for (nation, expected) in [
        (Nation::Germany, (44, 157, 5)),
        (Nation::Italy, (9, 19, 0)),
        (Nation::Finland, (3, 9, 0)),
        (Nation::Romania, (4, 9, 0)),
        (Nation::Bulgaria, (1, 2, 0)),
        (Nation::Hungary, (2, 4, 0)),
        (Nation::SovietUnion, (37, 92, 2)),
        (Nation::GreatBritain, (11, 33, 1)),
        (Nation::VichyFrance, (3, 6, 0)),
    ] {
        assert_eq!(deployed(&rules, nation), expected, "{nation:?}");
    }
}

fn campaign(name: &str) -> Rules {
    open(&format!("europe-engulfed/{name}"), &[]).unwrap_or_else(|error| panic!("{error}")).into_rules()
}

/// 17.12 to 17.62, 18.12 to 18.52: the fleets and levels with which the game begins.
#[test]
fn the_campaigns_have_their_fleets_and_assets() {
    let begins = |name: &str| {
        let game = EuropeEngulfed::new(campaign(name)).expect("a game");
        let state = game.initial(&mut PlayContext::silent(Rng64::stream(1, 0, 0)));
        let mut fleets = Vec::new();
        for nation in Nation::ALL {
            for (sea, points) in game.rules.seas.iter().zip(state.fleets[nation.index()].ready) {
                if points > 0 {
                    fleets.push(format!("{} {} {points}", nation.id(), sea.id));
                }
            }
        }
        fleets.sort();
        let war = &state.strategic;
        (fleets, (war.fighters, war.bombers, war.flak, war.submarines, war.asw))
    };
    let (fleets, war) = begins("campaign-1939");
    assert_eq!(
        fleets,
        [
            "france atlantic 1",
            "france mediterranean 1",
            "germany atlantic 1",
            "germany baltic 1",
            "great_britain atlantic 4",
            "great_britain mediterranean 2",
            "italy mediterranean 2",
            "soviet_union baltic 1",
            "soviet_union black_sea 1",
        ]
    );
    assert_eq!(war, ([5, 3], [3, 1], [0, 1], 2, 1));
    let (fleets, war) = begins("campaign-1941");
    assert_eq!(
        fleets,
        [
            "germany atlantic 1",
            "great_britain atlantic 5",
            "great_britain mediterranean 3",
            "italy mediterranean 3",
            "soviet_union baltic 1",
            "soviet_union black_sea 1",
        ]
    );
    assert_eq!(war, ([5, 4], [4, 3], [1, 2], 22, 3));
}

/// 17.13, 17.53, 17.6, 17.73, 18.13, 18.43, 18.53, 18.63: what the play book adds to the pools by date, and the pools of Special
/// Actions.
#[test]
fn the_pools_of_the_campaigns_change_by_date() {
    for (name, before_1942) in [("campaign-1939", 11), ("campaign-1941", 0)] {
        let rules = campaign(name);
        let january = |year: u8| before_1942 + 4 + 6 * (year - 42);
        for (year, nation, branch, elite, max, count) in [
            (42, Nation::Germany, Branch::Armour, true, 4, 1),
            (42, Nation::Germany, Branch::Infantry, true, 4, 1),
            (43, Nation::Germany, Branch::Armour, true, 4, 2),
            (43, Nation::Germany, Branch::Infantry, true, 4, 1),
            (44, Nation::Germany, Branch::Armour, true, 4, 1),
            (44, Nation::Germany, Branch::Infantry, true, 4, 2),
            (43, Nation::SovietUnion, Branch::Armour, true, 4, 1),
            (44, Nation::SovietUnion, Branch::Armour, true, 4, 1),
            (45, Nation::SovietUnion, Branch::Armour, true, 4, 1),
            (42, Nation::GreatBritain, Branch::Infantry, false, 4, 1),
            (43, Nation::GreatBritain, Branch::Armour, false, 4, 1),
            (43, Nation::GreatBritain, Branch::Airborne, false, 3, 1),
            (44, Nation::GreatBritain, Branch::Airborne, false, 2, 1),
            (43, Nation::UnitedStates, Branch::Airborne, false, 3, 1),
            (44, Nation::UnitedStates, Branch::Airborne, false, 2, 2),
        ] {
            let added =
                rules.setup.dated.iter().filter(|dated| dated.turn == january(year)).find_map(|dated| {
                    let PoolChange::Add { kind, count } = dated.change else { return None };
                    let data = &rules.kinds[usize::from(kind)];
                    let is = (data.nation, data.branch, data.elite, data.max);
                    (is == (nation, branch, elite, max)).then_some(count)
                });
            assert_eq!(added, Some(count), "{name}, January 19{year}: {nation:?} {branch:?}");
        }
        // Until they come in by date all American airborne are kept from the pool, and the infantry placed on entry (17.71, 18.61).
        for (index, kind) in rules.kinds.iter().enumerate() {
            let withheld = rules.setup.withheld.iter().filter(|one| usize::from(one.0) == index);
            let withheld: u32 = withheld.map(|one| u32::from(one.1)).sum();
            let placed = rules.setup.dated.iter().filter_map(|dated| match dated.change {
                PoolChange::Reinforce { kind, count, .. } if usize::from(kind) == index => {
                    Some(u32::from(count))
                }
                _ => None,
            });
            let placed: u32 = placed.sum();
            match (kind.nation, kind.branch) {
                (Nation::UnitedStates, Branch::Airborne) => assert_eq!(withheld, u32::from(kind.counters)),
                (Nation::UnitedStates, Branch::Infantry) if placed > 0 => {
                    assert_eq!(withheld, placed, "{name}");
                }
                _ => {}
            }
        }
        // 17.13, 18.43.
        let of_soviets = |(kind, count): &(u8, u8)| {
            let kind = &rules.kinds[usize::from(*kind)];
            (kind.nation == Nation::SovietUnion).then_some((kind.branch, kind.elite, kind.max, *count))
        };
        let kept: Vec<_> = rules.setup.withheld.iter().filter_map(of_soviets).collect();
        let expected = [
            (Branch::Infantry, true, 4, 4),
            (Branch::Armour, true, 4, 3),
            (Branch::Infantry, false, 4, 2),
            (Branch::Infantry, false, 3, 4),
            (Branch::Armour, false, 4, 2),
            (Branch::Cavalry, false, 3, 2),
        ];
        assert_eq!(kept, expected, "{name}");
        let actions: Vec<(u8, Nation, i8)> = rules
            .setup
            .dated
            .iter()
            .filter_map(|dated| match dated.change {
                PoolChange::SpecialActions { nation, by } => Some((dated.turn, nation, by)),
                _ => None,
            })
            .collect();
        let expected = [
            (january(42), Nation::Germany, -1),
            (january(43), Nation::SovietUnion, 1),
            (january(43), Nation::UnitedStates, 1),
            (january(44), Nation::Germany, -1),
            (january(44), Nation::SovietUnion, 1),
            (january(44), Nation::UnitedStates, 1),
        ];
        assert_eq!(actions, expected, "{name}");
    }
}

/// 14.223: the mainland is France without Corsica and Italy without its islands.
#[test]
fn the_mainland_of_americans_is_france_and_italy() {
    let rules = campaign("campaign-1941");
    let home = |nation: Nation| -> Areas {
        let ours = |at: &usize| {
            let country = &rules.countries[usize::from(rules.areas[*at].country)];
            country.owner == nation && country.home
        };
        (0..rules.areas.len()).filter(ours).map(Area::nth).collect()
    };
    let islands = rules.politics.italian_islands.or(&Areas::one(area(&rules, "corsica")));
    let lands = home(Nation::France).or(&home(Nation::Italy)).difference(&islands);
    assert_eq!(rules.optional.growth.mainland, lands);
}

/// 14.48: a marginal, an operational, a decisive victory.
#[test]
fn levels_of_victory_have_their_points() {
    assert_eq!(campaign("campaign-1941").politics.levels.points, [5, 7, 9]);
}

/// 18.7: what the Axis and the Soviets have conquered by July 1941, Tobruk, Vichy.
#[test]
fn the_campaign_of_1941_has_its_control() {
    let rules = campaign("campaign-1941");
    for (ids, axis) in [
        ("oslo trondheim denmark holland belgium paris pas_de_calais normandy brittany burgundy", true),
        ("belgrade zagreb sarajevo skopje athens thessaloniki crete warsaw lodz lublin", true),
        ("tripolitania cyrenaica marmarica", true),
        ("lvov brest_litovsk lithuania latvia estonia bessarabia", false),
    ] {
        for id in ids.split(' ') {
            let owner = rules.setup.control[area(&rules, id).at()];
            let is_axis = [Nation::Germany, Nation::Italy].contains(&owner);
            assert!(if axis { is_axis } else { owner == Nation::SovietUnion }, "{id}: {owner:?}");
        }
    }
    assert_eq!(rules.setup.control[area(&rules, "tobruk").at()], Nation::GreatBritain);
    for id in ["marseille", "auvergne", "morocco", "algiers", "tunisia", "corsica", "lebanon", "syria"] {
        assert_eq!(rules.setup.control[area(&rules, id).at()], Nation::VichyFrance, "{id}");
    }
}

/// 17.8(7), 18.7(12): the ready set-ups of the play book have the counters of the scenario, each in one area, and nobody deploys.
#[test]
fn ready_set_ups_have_the_counters_of_the_scenario() {
    for scenario in ["europe-engulfed/campaign-1939", "europe-engulfed/campaign-1941"] {
        let plain = open(scenario, &[]).unwrap().into_rules();
        let ready = kit::with::<Examples>(scenario, &["options.ready_setup=yes"]).unwrap().into_rules();
        let counters = |rules: &Rules| {
            let mut counters: Vec<(u8, u8)> = Vec::new();
            for placement in &rules.setup.placements {
                counters.extend(
                    (0..placement.count).map(|_| (placement.kind, placement.steps)).collect::<Vec<_>>(),
                );
            }
            counters.sort_unstable();
            counters
        };
        assert_eq!(counters(&ready), counters(&plain), "{scenario}");
        assert!(ready.setup.placements.iter().all(|placement| placement.zone.len() == 1), "{scenario}");
        let game = EuropeEngulfed::new(ready).unwrap();
        let state = game.initial(&mut PlayContext::silent(Rng64::stream(5, 0, 0)));
        assert_ne!(state.phase, Phase::Deployment, "{scenario}");
    }
    assert!(kit::with::<Examples>("europe-engulfed/patton-1945", &["options.ready_setup=yes"]).is_err());
}

/// 16.23(1): in the Tournament Scenario the weather of history binds; played for fun it is rolled.
#[test]
fn weather_of_history_binds_unless_it_is_rolled() {
    let chances = |edits: &[&str]| {
        let rules = kit::with::<Examples>("europe-engulfed/tournament-1942", edits).unwrap().into_rules();
        EuropeEngulfed::new(rules).unwrap().weather_of(3).len()
    };
    assert_eq!(chances(&[]), 1);
    assert!(chances(&["options.random_weather=yes"]) > 1);
}
