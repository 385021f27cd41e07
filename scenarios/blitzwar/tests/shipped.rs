//! What the shipped data must say, whatever else is changed in them.

use std::collections::BTreeMap;

use sandtable_blitzwar::BlitzWar;
use sandtable_blitzwar::location::{Location, Sea, Zone};
use sandtable_blitzwar::nation::{Country, Force, Nation};
use sandtable_blitzwar::rules::{AttackerLoss, Basin, Card, Kind, LandZone, Link, Rules, Terrain, Weather};
use sandtable_blitzwar::state::Status;
use sandtable_core::Index;
use sandtable_scenarios::kit;
use sandtable_scenarios_blitzwar::{AnySystem, Description, Examples, SYSTEM, open};

fn rules(name: &str) -> Rules {
    open(&format!("blitzwar/{name}"), &[]).unwrap_or_else(|error| panic!("{error}")).into_rules()
}

fn campaign() -> Rules {
    rules("campaign-1939")
}

fn at(rules: &Rules, id: &str) -> Zone {
    Zone::nth(rules.zones.iter().position(|zone| zone.id == id).unwrap_or_else(|| panic!("no zone {id}")))
}

fn zone<'r>(rules: &'r Rules, id: &str) -> &'r LandZone {
    &rules.zones[at(rules, id).at()]
}

fn sea(rules: &Rules, id: &str) -> Sea {
    Sea::nth(rules.seas.iter().position(|sea| sea.id == id).unwrap_or_else(|| panic!("no sea {id}")))
}

fn link<'r>(rules: &'r Rules, a: &str, b: &str) -> Option<&'r Link> {
    let (a, b) = (at(rules, a), at(rules, b));
    rules.links.iter().find(|link| (link.a, link.b) == (a, b) || (link.a, link.b) == (b, a))
}

/// Land moves between two zones.
fn distance(rules: &Rules, from: &str, to: &str) -> usize {
    let (from, to) = (at(rules, from), at(rules, to));
    let mut reached = vec![from];
    let mut steps = 0;
    while !reached.contains(&to) {
        let next: Vec<Zone> = rules
            .links
            .iter()
            .filter(|link| !link.dotted)
            .flat_map(|link| [(link.a, link.b), (link.b, link.a)])
            .filter(|(a, b)| reached.contains(a) && !reached.contains(b))
            .map(|(_, b)| b)
            .collect();
        assert!(!next.is_empty(), "no way by land");
        reached.extend(next);
        steps += 1;
    }
    steps
}

fn beach(rules: &Rules, zone: &str, sea_id: &str) -> Option<bool> {
    let (zone, sea) = (at(rules, zone), sea(rules, sea_id));
    rules.coasts.iter().find(|coast| (coast.zone, coast.sea) == (zone, sea)).map(|coast| coast.beach)
}

#[test]
fn every_scenario_opens_and_the_engine_takes_it() {
    let names = ["barbarossa-1941", "campaign-1939", "france-1940", "turning-point-1943"];
    kit::check_scenarios::<Examples>(&names);
    for name in names {
        assert_eq!(rules(name).setup.id, name);
    }
}

#[test]
fn the_engine_sets_every_scenario_up_in_full() {
    for listing in SYSTEM.scenarios() {
        let game = BlitzWar::new(open(&listing.name, &[]).unwrap().into_rules());
        let game = game.unwrap_or_else(|error| panic!("{}: {error}", listing.name));
        game.check_setup().unwrap_or_else(|error| panic!("{}: {error}", listing.name));
    }
}

#[test]
fn lengths_and_strategic_points_at_the_start() {
    let expected = [
        ("campaign-1939", 1, 47, [7, 19, 12]),
        ("france-1940", 7, 11, [11, 18, 12]),
        ("barbarossa-1941", 15, 27, [20, 12, 12]),
        ("turning-point-1943", 28, 47, [30, 14, 6]),
    ];
    for (name, first, last, points) in expected {
        let description = Description::of(open(&format!("blitzwar/{name}"), &[]).unwrap().rules());
        assert_eq!((description.first_turn.0, description.last_turn.0), (first, last), "{name}");
        assert_eq!(description.points_held, points, "{name}");
    }
}

#[test]
fn the_desert_is_as_its_example_has_it() {
    let rules = campaign();
    assert_eq!(distance(&rules, "tripoli", "el_agheila"), 3);
    assert_eq!(distance(&rules, "el_agheila", "mechili"), 1);
    assert_eq!(distance(&rules, "mechili", "gazala"), 1);
    assert_eq!(distance(&rules, "mechili", "derna"), 1);
    assert!(distance(&rules, "sirte", "mechili") <= 3);
    let mechili = zone(&rules, "mechili");
    assert!(mechili.terrain == Terrain::Easy && !mechili.fortress && !mechili.snow);
    assert!(!link(&rules, "mechili", "el_agheila").unwrap().river_a);
    let lane = sea(&rules, "central_mediterranean_south");
    let opens = |id: &str| {
        rules.coasts.iter().any(|coast| coast.zone == at(&rules, id) && coast.sea == lane && coast.port)
    };
    assert!(opens("tripoli"));
    // Naples reaches the lane in one step, so that the transport crosses two seas.
    let naples: Vec<Sea> = rules
        .coasts
        .iter()
        .filter(|coast| coast.zone == at(&rules, "naples"))
        .map(|coast| coast.sea)
        .collect();
    assert!(naples.iter().all(|&sea| lane.is_in(rules.seas[sea.at()].neighbours)));
}

#[test]
fn trondheim_can_be_landed_on_from_the_norwegian_sea() {
    let rules = campaign();
    let trondheim = zone(&rules, "trondheim");
    assert!(trondheim.port && !trondheim.naval_base && trondheim.terrain == Terrain::Mountain);
    assert_eq!(beach(&rules, "trondheim", "norwegian_sea"), Some(true));
    assert!(beach(&rules, "scapa_flow", "norwegian_sea").is_some());
    assert!(
        rules.links.iter().all(|link| !link.dotted || ![link.a, link.b].contains(&at(&rules, "trondheim")))
    );
}

#[test]
fn points_in_neutral_countries_belong_to_the_axis() {
    let rules = campaign();
    for id in ["trondheim", "milan", "bucharest"] {
        assert_eq!(zone(&rules, id).side_point, Some(Force::Axis), "{id}");
    }
}

/// Ruling R-68.
#[test]
fn the_baltic_states_are_soviet_from_the_start() {
    let rules = campaign();
    for id in ["tallinn", "riga", "kaunas", "vilna"] {
        assert_eq!(zone(&rules, id).country, Country::Ussr, "{id}");
        let place = at(&rules, id);
        assert!(rules.setup.control.iter().all(|(zone, _)| *zone != place), "{id} is its country's");
    }
}

#[test]
fn leningrad_and_sebastopol_admit_no_landing() {
    let rules = campaign();
    let leningrad = zone(&rules, "leningrad");
    assert!(leningrad.fortress && !leningrad.port);
    assert!(zone(&rules, "sebastopol").naval_base);
}

#[test]
fn thick_coasts_have_no_beach() {
    let rules = campaign();
    for coast in &rules.coasts {
        let zone = &rules.zones[coast.zone.at()];
        let sea = rules.seas[coast.sea.at()].id.as_str();
        let thick = zone.country == Country::Uk && sea == "north_sea"
            || rules.regions.italy_home.contains(coast.zone) && sea == "ionian_adriatic";
        assert!(!(thick && coast.beach), "{} on {sea}", zone.id);
    }
    assert_eq!(beach(&rules, "london", "english_channel"), Some(true));
}

#[test]
fn two_zones_have_fortified_lines() {
    let rules = campaign();
    let mut lines: Vec<&str> = rules
        .links
        .iter()
        .filter_map(|link| link.fortified)
        .map(|zone| rules.zones[zone.at()].id.as_str())
        .collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines, ["kouvola", "nancy"]);
    // Every way from Germany into Nancy crosses the line, and no other French zone touches Germany.
    for link in &rules.links {
        let ends = [link.a, link.b].map(|zone| rules.zones[zone.at()].country);
        if ends.contains(&Country::Ger) && ends.contains(&Country::Fra) {
            assert_eq!(link.fortified, Some(at(&rules, "nancy")));
        }
    }
    assert_eq!(link(&rules, "kouvola", "leningrad").unwrap().fortified, Some(at(&rules, "kouvola")));
}

#[test]
fn straits_and_small_garrisons() {
    let rules = campaign();
    let strait = |a: &str, b: &str| {
        let (a, b) = (sea(&rules, a), sea(&rules, b));
        rules.seas[a.at()]
            .straits
            .iter()
            .find(|(to, _)| *to == b)
            .map(|(_, key)| rules.zones[key.at()].id.as_str())
    };
    assert_eq!(strait("central_atlantic", "western_mediterranean"), Some("gibraltar"));
    assert_eq!(strait("aegean_sea", "black_sea"), Some("istanbul"));
    assert_eq!(strait("north_sea", "baltic_sea"), Some("copenhagen"));
    for (a, b) in [
        ("western_mediterranean", "central_atlantic"),
        ("black_sea", "aegean_sea"),
        ("baltic_sea", "north_sea"),
    ] {
        assert_eq!(strait(a, b), strait(b, a));
    }
    assert_eq!(
        ["malta", "gibraltar", "tobruk"].map(|id| zone(&rules, id).corps_limit),
        [Some(1), Some(1), Some(2)]
    );
    assert!(zone(&rules, "america").unlimited);
}

#[test]
fn german_air_reaches_london_from_two_french_zones() {
    let rules = campaign();
    for id in ["calais", "rouen"] {
        assert!(link(&rules, id, "london").is_some_and(|link| link.dotted), "{id}");
    }
}

#[test]
fn great_britain_has_seven_side_points() {
    let rules = campaign();
    let points = rules
        .every_zone()
        .filter(|&zone| rules.regions.great_britain.contains(zone))
        .filter(|&zone| rules.zones[zone.at()].side_point == Some(Force::Allied));
    assert_eq!(points.count(), 7);
    let count = |wanted: &dyn Fn(&LandZone) -> bool| rules.zones.iter().filter(|zone| wanted(zone)).count();
    assert_eq!(count(&|zone| zone.general_point), 24);
    let side = |force| count(&|zone| zone.side_point == Some(force));
    assert_eq!(Force::ALL.map(side), [10, 11, 9]);
}

#[test]
fn the_persian_gulf_joins_no_sea() {
    let rules = campaign();
    let gulf = &rules.seas[sea(&rules, "persian_gulf").at()];
    assert_eq!((gulf.neighbours, gulf.basin), (0, Basin::Gulf));
    assert!(zone(&rules, "asian_bases").naval_base);
    assert!(rules.links.iter().all(|link| ![link.a, link.b].contains(&at(&rules, "asian_bases"))));
}

#[test]
fn snow_spares_africa_and_southern_asia() {
    let rules = campaign();
    for (index, zone) in rules.zones.iter().enumerate() {
        let warm = rules.regions.africa.contains(Zone::nth(index))
            || rules.regions.british_asia.contains(Zone::nth(index))
            || ["damascus", "america"].contains(&zone.id.as_str());
        assert_eq!(zone.snow, !warm, "{}", zone.id);
    }
    let warm = rules.seas.iter().filter(|sea| sea.basin != Basin::Other).count();
    assert_eq!(warm, 7);
}

#[test]
fn supply_zones() {
    let rules = campaign();
    let of = |force: Force| -> Vec<&str> {
        rules
            .zones
            .iter()
            .filter(|zone| zone.supply_zone == Some(force))
            .map(|zone| zone.id.as_str())
            .collect()
    };
    assert_eq!(of(Force::Axis), ["berlin", "ruhr", "vienna"]);
    assert_eq!(of(Force::Allied), ["london", "manchester", "asian_bases", "america"]);
    assert_eq!(of(Force::Soviet), ["moscow", "stalingrad", "gorki", "kuybishev"]);
}

#[test]
fn scale_of_the_map() {
    let rules = campaign();
    assert_eq!(distance(&rules, "warsaw", "moscow"), 5);
    assert_eq!(distance(&rules, "ruhr", "paris"), 3);
}

#[test]
fn counter_mix() {
    let rules = campaign();
    let count = |wanted: &dyn Fn(Nation, Kind) -> bool| -> u32 {
        rules.counter_types.iter().filter(|it| wanted(it.nation, it.kind)).map(|it| u32::from(it.count)).sum()
    };
    assert_eq!(count(&|_, _| true), 251);
    assert_eq!(count(&|_, kind| kind == Kind::Elite), 2);
    assert_eq!(count(&|nation, _| nation == Nation::Pol), 6);
    assert_eq!(count(&|nation, kind| nation == Nation::Ussr && kind == Kind::Air), 6);
    assert_eq!(count(&|nation, kind| nation == Nation::Ussr && kind.is_naval()), 0);
    assert_eq!(count(&|nation, kind| nation != Nation::Ger && kind == Kind::Submarine), 0);
    let locked: Vec<(&str, u8)> =
        rules.counter_types.iter().filter(|it| it.locked).map(|it| (it.id.as_str(), it.count)).collect();
    assert_eq!(
        locked,
        [
            ("ger_elite_i1c2", 2),
            ("ussr_infantry_i3", 8),
            ("ussr_white_armour_i1c2", 4),
            ("ussr_air_a1", 6),
            ("ussr_supply_s6", 3)
        ]
    );
    assert!(rules.counter_types.iter().all(|it| it.kind != Kind::Air || (it.front, it.back) == (1, 0)));
}

#[test]
fn totals_of_the_set_up_of_1939() {
    let description = Description::of(open("blitzwar/campaign-1939", &[]).unwrap().rules());
    let totals: BTreeMap<Nation, (u32, u32, u32, u32, u32)> = description
        .units
        .iter()
        .map(|it| (it.nation, (it.infantry, it.armour, it.air, it.fleet, it.submarine)))
        .collect();
    assert_eq!(totals[&Nation::Ger], (24, 4, 6, 2, 2));
    assert_eq!(totals[&Nation::Ita], (12, 0, 1, 2, 0));
    assert_eq!(totals[&Nation::Ussr], (20, 4, 0, 0, 0));
    assert_eq!(totals[&Nation::Fra], (10, 4, 0, 0, 0));
    assert_eq!(totals[&Nation::Uk], (5, 1, 2, 6, 0));
    assert_eq!(totals[&Nation::Pol], (12, 0, 0, 0, 0));
    let minors = [
        (Nation::Fin, 3),
        (Nation::Rum, 6),
        (Nation::Hun, 4),
        (Nation::Bul, 2),
        (Nation::Yug, 7),
        (Nation::Be, 4),
        (Nation::Gre, 3),
        (Nation::Swe, 4),
        (Nation::Sp, 10),
        (Nation::Tur, 10),
    ];
    for (nation, infantry) in minors {
        assert_eq!(totals[&nation], (infantry, 0, 0, 0, 0), "{}", nation.name());
    }
    let supply: Vec<(Nation, f64)> =
        description.units.iter().filter(|it| it.supply > 0.0).map(|it| (it.nation, it.supply)).collect();
    assert_eq!(supply, [(Nation::Ussr, 4.0), (Nation::Axis, 10.0), (Nation::Allied, 4.0)]);
}

#[test]
fn cards_of_a_deck_are_worth_the_same() {
    let rules = campaign();
    // Quarters of a point, by the unit values of rule 1.
    let value = |card: &Card| {
        let units = [
            (card.infantry, 4),
            (card.armour, 8),
            (card.air, 3),
            (card.fleet, 4),
            (card.submarine, 3),
            (card.supply, 1),
            (card.development, 6),
        ];
        units.iter().map(|&(units, value)| u32::from(units) * value).sum::<u32>()
    };
    for (deck, [limited, total]) in rules.decks.iter().zip([[8, 13], [7, 15], [6, 13]]) {
        assert!(
            deck[..8].iter().all(|card| value(card) == 4 * limited),
            "{:?}",
            deck[..8].iter().map(value).collect::<Vec<_>>()
        );
        assert!(deck[8..].iter().all(|card| value(card) == 4 * total));
        let mut ids: Vec<&str> = deck.iter().map(|card| card.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 16);
    }
}

#[test]
fn combat_table_reads_as_printed() {
    let land = campaign().charts.land;
    assert_eq!(
        land[0],
        [
            (AttackerLoss::Armour, 0),
            (AttackerLoss::Armour, 0),
            (AttackerLoss::One, 0),
            (AttackerLoss::Armour, 1),
            (AttackerLoss::None, 1),
            (AttackerLoss::None, 1),
            (AttackerLoss::Armour, 2),
            (AttackerLoss::None, 2),
        ]
    );
    // Defender's losses of a column over the six die rolls never fall with better odds.
    let losses = |column: usize| land.iter().map(|row| u32::from(row[column].1)).sum::<u32>();
    let sums: Vec<u32> = (0..8).map(losses).collect();
    assert_eq!(sums, [3, 4, 5, 7, 9, 10, 12, 14]);
    let armour = |column: usize| land.iter().filter(|row| row[column].0 == AttackerLoss::Armour).count();
    assert_eq!((0..8).map(armour).collect::<Vec<_>>(), [3, 2, 2, 2, 2, 1, 1, 1]);
}

#[test]
fn shifts_and_small_charts() {
    let charts = campaign().charts;
    let shifts = charts.shifts;
    let right =
        [shifts.german_attack, shifts.british_vs_italians, shifts.british_vs_italians_early, shifts.armour];
    assert_eq!(right, [1, 1, 2, 1]);
    assert_eq!([shifts.attacker_air, shifts.out_of_supply], [2, 2]);
    assert_eq!([shifts.german_defence, shifts.all_fortified, shifts.defender_air], [-1, -1, -2]);
    assert_eq!([shifts.terrain, shifts.fortress, shifts.fortified_line], [-1, -1, -2]);
    assert_eq!(charts.naval_early, [(1, 0), (0, 0), (1, 1), (1, 1), (1, 1), (0, 1)]);
    assert_eq!(charts.naval_late, [(1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 0)]);
    assert_eq!(charts.battle_of_britain, [(2, 1), (2, 1), (2, 1), (1, 1), (1, 1), (1, 1)]);
    assert_eq!(charts.partisans, [0, 0, 1, 1, 1, 2]);
}

#[test]
fn calendar_has_47_turns_of_six_weeks() {
    let calendar = campaign().calendar;
    assert_eq!(calendar.len(), 47);
    for (index, turn) in calendar.iter().enumerate() {
        let number = index + 1;
        let weather = match (turn.season.as_str(), turn.half) {
            ("winter", _) => Weather::Snow,
            ("spring" | "autumn", 1) => Weather::Mud,
            _ => Weather::Fair,
        };
        assert_eq!(turn.weather, weather, "turn {number}");
        // Each season has two turns, and the game starts with the second one of summer 1939.
        assert_eq!(turn.half as usize, 2 - usize::from(number % 2 == 0), "turn {number}");
        assert_eq!(turn.mark1, turn.half == 1);
        assert_eq!(turn.mark2, turn.half == 1 && ["winter", "summer"].contains(&turn.season.as_str()));
        assert_eq!(turn.late_naval, number >= 32);
        assert_eq!(
            turn.bombing,
            if number >= 36 {
                4
            } else if number >= 28 {
                3
            } else {
                0
            }
        );
        assert_eq!(turn.snow_blitz, [number >= 36, number >= 36, number >= 28]);
    }
    assert_eq!((calendar[0].year, calendar[46].year), (1939, 1945));
    // Winter opens the year (ruling R-01).
    assert_eq!([11, 12, 19, 20].map(|turn| calendar[turn - 1].year), [1940, 1941, 1941, 1942]);
}

#[test]
fn costs_are_kept_in_halves() {
    let costs = campaign().costs;
    assert_eq!(
        [costs.tactical, costs.tactical_single, costs.strategic, costs.strategic_single],
        [2, 1, 4, 2]
    );
    assert_eq!(
        [costs.naval, costs.transport_corps, costs.transport_supply, costs.transport_air],
        [2, 2, 2, 1]
    );
    assert_eq!([costs.fortify, costs.transport_far], [4, 2]);
}

#[test]
fn later_starts_stand_as_the_rules_would_have_left_them() {
    let rules = rules("barbarossa-1941");
    let status = |country: Country| rules.setup.countries[country.index()].status;
    assert_eq!(status(Country::Fra), Status::Surrendered);
    assert_eq!(status(Country::Vichy), Status::Neutral);
    assert_eq!(status(Country::Rum), Status::Passage);
    assert_eq!(status(Country::Fin), Status::Neutral);
    let holder = |id: &str| {
        let zone = at(&rules, id);
        rules.setup.control.iter().find(|(at, _)| *at == zone).map(|(_, force)| *force)
    };
    assert_eq!(holder("warsaw"), Some(Some(Force::Axis)));
    assert_eq!(holder("lvov"), Some(Some(Force::Soviet)));
    assert_eq!(holder("crete"), Some(Some(Force::Allied)));
    assert_eq!(holder("paris"), Some(Some(Force::Axis)));
    assert_eq!(holder("berlin"), None);
    // While Romania only lets the Axis pass, three corps may stand there.
    let bucharest: u8 = rules
        .setup
        .units
        .iter()
        .filter(|unit| {
            unit.nation == Nation::Ger
                && rules.zones.get(unit.place.at()).is_some_and(|zone| zone.country == Country::Rum)
        })
        .map(|unit| unit.infantry + unit.armour)
        .sum();
    assert!(bucharest <= rules.dates.romanian_passage);
    let at_sea = rules
        .setup
        .units
        .iter()
        .find(|unit| unit.place == Location::of_sea(sea(&rules, "north_atlantic")))
        .unwrap();
    assert_eq!((at_sea.nation, at_sea.submarine), (Nation::Ger, 3));
}

#[test]
fn every_numbered_rule_stands_once() {
    let rules = SYSTEM.coverage().unwrap();
    assert_eq!(rules.len(), 80);
    assert_eq!(rules.iter().find(|rule| rule.rule == "16.3.2").unwrap().title, "Left shifts");
}

#[test]
fn facts_from_the_rulebook_name_rules_that_exist() {
    kit::check_facts::<Examples>(false, 150);
}
