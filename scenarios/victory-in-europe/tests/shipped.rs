//! What the data of Victory in Europe must say, whatever else is changed in them: counts and facts of the rulebook, the
//! figures that its orders of battle imply, and that the engine takes them.

use std::collections::{BTreeMap, BTreeSet};

use sandtable_core::{Game, Index, PlayContext, Rng64};
use sandtable_scenarios::kit;
use sandtable_scenarios_victory_in_europe::{AnySystem, Description, Examples, SYSTEM, open};
use sandtable_victory_in_europe::Place;
use sandtable_victory_in_europe::UnitId;
use sandtable_victory_in_europe::VictoryInEurope;
use sandtable_victory_in_europe::nation::{Force, Nation, Team};
use sandtable_victory_in_europe::rules::{
    Arm, BorderKind, Effect, Entry, Kind, ResourceUse, Rules, Standing, Target, Terrain, Where,
};

const SCENARIOS: [&str; 5] =
    ["campaign-1939", "barbarossa-1941", "stalingrad-1942", "kursk-1943", "bagration-1944"];

fn rules(id: &str) -> Rules {
    open(&format!("victory-in-europe/{id}"), &[]).unwrap_or_else(|error| panic!("{error}")).into_rules()
}

fn at(rules: &Rules, id: &str) -> Place {
    Place::nth(rules.areas.iter().position(|area| area.id == id).unwrap_or_else(|| panic!("no area {id}")))
}

fn zone(rules: &Rules, id: &str) -> u8 {
    rules.seas.iter().position(|sea| sea.id == id).unwrap_or_else(|| panic!("no sea {id}")) as u8
}

fn unit(rules: &Rules, id: &str) -> UnitId {
    UnitId::nth(rules.units.iter().position(|unit| unit.id == id).unwrap_or_else(|| panic!("no unit {id}")))
}

/// Place and steps of a unit at the start.
fn placed(rules: &Rules, id: &str) -> Option<(Place, u8)> {
    let unit = unit(rules, id);
    rules.setup.units.iter().find(|placed| placed.0 == unit).map(|&(_, place, _, steps)| (place, steps))
}

/// Factory steps in the areas a nation controls.
fn factories(rules: &Rules, nation: Nation) -> u8 {
    let own = rules.setup.factories.iter().filter(|&&(area, _)| rules.setup.control[area.at()] == nation);
    own.map(|&(_, steps)| steps).sum()
}

/// Resource points in the areas a nation controls.
fn resources(rules: &Rules, nation: Nation) -> u8 {
    let held = rules.areas.iter().zip(&rules.setup.control).filter(|&(_, &control)| control == nation);
    held.map(|(area, _)| area.resource).sum()
}

fn border<'r>(rules: &'r Rules, a: &str, b: &str) -> Option<&'r sandtable_victory_in_europe::rules::Border> {
    let ends = (at(rules, a), at(rules, b));
    rules.borders.iter().find(|border| (border.a, border.b) == ends || (border.b, border.a) == ends)
}

#[test]
fn every_scenario_opens_and_the_engine_takes_it() {
    kit::check_scenarios::<Examples>(&[
        "bagration-1944",
        "barbarossa-1941",
        "campaign-1939",
        "kursk-1943",
        "stalingrad-1942",
    ]);
    for id in SCENARIOS {
        let rules = rules(id);
        assert_eq!(rules.setup.id, id);
        let first_turn = rules.setup.first_turn;
        let game = VictoryInEurope::new(rules).unwrap();
        assert_eq!(game.initial(&mut PlayContext::silent(Rng64::stream(1939, 0, 0))).turn, first_turn);
    }
}

#[test]
fn the_map_has_its_areas_and_all_hang_together() {
    let rules = rules("campaign-1939");
    assert_eq!((rules.areas.len(), rules.borders.len()), (147, 286));
    assert_eq!((rules.seas.len(), rules.sea_links.len(), rules.ports.len()), (32, 48, 117));
    let game = VictoryInEurope::new(rules.clone()).unwrap();
    for area in game.areas() {
        for other in game.adjacent(area) {
            assert!(
                game.adjacent(other).contains(area),
                "{} {}",
                game.place_name(area),
                game.place_name(other)
            );
        }
    }
    let ids: BTreeSet<&str> = rules
        .areas
        .iter()
        .map(|area| area.id.as_str())
        .chain(rules.seas.iter().map(|sea| sea.id.as_str()))
        .chain(rules.units.iter().map(|unit| unit.id.as_str()))
        .chain(rules.cards.iter().map(|card| card.id.as_str()))
        .collect();
    // Convoys sail in the zones of their names.
    let convoys = ["convoy_a", "convoy_b", "convoy_c", "convoy_d"];
    assert_eq!(
        ids.len() + convoys.len(),
        rules.areas.len() + rules.seas.len() + rules.units.len() + rules.cards.len()
    );
    for id in convoys {
        assert!(zone(&rules, id) < 32 && unit(&rules, id) < UnitId(192));
    }
    // Names tell places and units apart for people too.
    let names: BTreeSet<&str> = rules.areas.iter().map(|area| area.name.as_str()).collect();
    assert_eq!(names.len(), rules.areas.len());
    let names: BTreeSet<&str> = rules.units.iter().map(|unit| unit.name.as_str()).collect();
    assert_eq!(names.len(), rules.units.len());
}

#[test]
fn terrain_limits_are_those_of_the_rules() {
    let rules = rules("campaign-1939");
    let islands: Vec<&str> =
        rules.areas.iter().filter(|area| area.small_island).map(|area| area.id.as_str()).collect();
    assert_eq!(islands, ["scapa_flow", "majorca", "gibraltar", "malta", "rhodes"]);
    for area in &rules.areas {
        let limit = match area.terrain {
            _ if area.small_island => 1,
            Terrain::Clear => 3,
            Terrain::Forest | Terrain::Mountain | Terrain::Desert => 2,
        };
        let boundless = ["canada", "usa", "urals"].contains(&area.id.as_str());
        assert_eq!(area.stack, if boundless { 99 } else { limit }, "{}", area.id);
    }
    for border in &rules.borders {
        let ids = (&*rules.areas[border.a.at()].id, &*rules.areas[border.b.at()].id);
        let expected = match border.kind {
            BorderKind::Alpine => 0,
            BorderKind::Clear | BorderKind::Desert => 2,
            _ => 1,
        };
        let special = match ids {
            ("usa", "canada") => 99,
            // Narrow passages.
            ("granada", "gibraltar") | ("mariupol", "sevastopol") | ("alexandria", "benghazi") => 1,
            _ => expected,
        };
        assert_eq!(border.limit, special, "{ids:?}");
        assert!(border.limit_frozen >= border.limit && border.limit_frozen <= border.limit.max(2), "{ids:?}");
    }
    // Russian rivers freeze; the Dniester and rivers along forests do not (1.3, 3.44).
    let frozen = |a, b| border(&rules, a, b).map(|border| (border.kind, border.limit, border.limit_frozen));
    assert_eq!(frozen("bryansk", "kiev"), Some((BorderKind::River, 1, 2)));
    assert_eq!(frozen("kiev", "bessarabia"), Some((BorderKind::River, 1, 1)));
    assert_eq!(frozen("minsk", "kiev"), Some((BorderKind::River, 1, 1)));
    assert_eq!(frozen("nancy", "munich"), Some((BorderKind::Fortified, 1, 1)));
    assert_eq!(frozen("tripoli", "tunis"), Some((BorderKind::Fortified, 1, 1)));
    assert_eq!(frozen("istanbul", "mysia"), Some((BorderKind::Strait, 1, 1)));
    assert_eq!(frozen("rome", "naples").map(|it| it.1), Some(1));
    assert_eq!(frozen("lyon", "milan"), Some((BorderKind::Alpine, 0, 0)));
    assert_eq!(rules.borders.iter().filter(|border| border.kind == BorderKind::Urals).count(), 3);
}

#[test]
fn coasts_gates_and_seas_are_those_of_the_rules() {
    let rules = rules("campaign-1939");
    let seas = |area: &str, coast: u8| {
        let area = at(&rules, area);
        let port = rules.ports.iter().find(|port| port.area == area && port.coast == coast);
        port.map(|port| {
            let names = (0..32).filter(|sea| port.seas & 1 << sea != 0);
            names.map(|sea: usize| rules.seas[sea].id.as_str()).collect::<Vec<_>>()
        })
    };
    // 7.22, 13-DENMARK, 13-GIBRALTAR.
    assert_eq!(seas("gothenburg", 1), Some(vec!["skagerrak"]));
    assert_eq!(seas("gothenburg", 2), Some(vec!["baltic_sea"]));
    assert_eq!(seas("brest", 1), Some(vec!["english_channel", "bay_of_biscay"]));
    assert_eq!(seas("denmark", 2), Some(vec!["baltic_sea"]));
    assert_eq!(seas("gibraltar", 1), Some(vec!["western_mediterranean"]));
    assert_eq!(seas("iraq", 1), Some(vec![]));
    let gates: BTreeMap<&str, u8> = rules.gates.iter().map(|gate| (gate.id.as_str(), gate.extra)).collect();
    assert_eq!(gates.len(), 6);
    assert_eq!((gates["denmark_passage"], gates["kiel_canal"], gates["gibraltar_strait"]), (1, 1, 0));
    assert_eq!(rules.sea_links.iter().filter(|link| link.gate.is_some()).count(), 6);
    let entry = |id: &str| rules.seas[zone(&rules, id) as usize].entry;
    assert_eq!([entry("south_atlantic"), entry("convoy_d"), entry("north_sea")], [2, 2, 1]);
    let ice: Vec<&str> = rules.seas.iter().filter(|sea| sea.freezes).map(|sea| sea.id.as_str()).collect();
    assert_eq!(ice, ["white_sea", "gulf_of_bothnia", "gulf_of_finland"]);
    let red: BTreeSet<&str> = rules
        .ports
        .iter()
        .filter(|port| port.red)
        .map(|port| rules.areas[port.area.at()].id.as_str())
        .collect();
    assert_eq!(red, BTreeSet::from(["iran", "iraq", "suez"]));
    // Only coasts that the rules close cannot be invaded (7.5, R-34).
    let closed: Vec<&str> =
        rules.areas.iter().filter(|area| !area.invadable).map(|area| area.id.as_str()).collect();
    assert_eq!(closed, ["canada", "newfoundland", "usa", "netherlands", "hamburg", "bremen_ruhr", "stettin"]);
}

#[test]
fn nations_have_capitals_and_numbers_of_the_diplomatic_table() {
    let rules = rules("campaign-1939");
    for nation in Nation::ALL {
        assert_eq!(rules.capitals[nation.index()].is_some(), nation != Nation::Sphere, "{}", nation.name());
    }
    let source = |nation: Nation| rules.alternatives[nation.index()];
    assert_eq!(source(Nation::Britain), Some(at(&rules, "canada")));
    assert_eq!(source(Nation::France), Some(at(&rules, "canada")));
    assert_eq!(source(Nation::Ussr), Some(at(&rules, "urals")));
    assert_eq!(rules.alternatives.iter().flatten().count(), 3);
    let numbers = |nation: Nation| rules.resistance[nation.index()];
    assert_eq!(numbers(Nation::Belgium), [9, 9, 0]);
    assert_eq!(numbers(Nation::Yugoslavia), [9, 9, 9]);
    assert_eq!(numbers(Nation::Portugal), [10, 5, 0]);
    assert_eq!(numbers(Nation::Sweden), [10, 11, 12]);
    assert_eq!(numbers(Nation::Italy), [8, 0, 0]);
    assert_eq!(numbers(Nation::Usa), [0, 10, 0]);
    assert_eq!(rules.resistance.iter().filter(|row| **row != [0; 3]).count(), 22);
    // Sum of the three columns of the chart.
    let column = |force: Force| rules.resistance.iter().map(|row| u32::from(row[force.index()])).sum::<u32>();
    assert_eq!(Force::ALL.map(column), [185, 190, 118]);
}

#[test]
fn decks_have_six_and_eight_cards_a_year() {
    let rules = rules("campaign-1939");
    assert_eq!(rules.cards.len(), 108);
    let mut count: BTreeMap<(u16, Team), (usize, u32)> = BTreeMap::new();
    for card in &rules.cards {
        let deck = count.entry((card.year, card.colour.force().team())).or_default();
        deck.0 += 1;
        deck.1 += u32::from(card.command);
    }
    let commands = [[18, 15], [26, 23], [27, 24], [18, 29], [16, 35], [24, 27], [23, 26]];
    for (year, commands) in (1939..).zip(commands) {
        let cards = if year == 1939 { 6 } else { 8 };
        assert_eq!(count[&(year, Team::Axis)], (cards, commands[0]), "{year}");
        assert_eq!(count[&(year, Team::Allies)], (cards, commands[1]), "{year}");
    }
    assert_eq!(count.len(), 14);
}

#[test]
fn events_say_what_the_rulebook_says_of_them() {
    let rules = rules("campaign-1939");
    let effect = |id: &str| rules.cards.iter().find(|card| card.id == id).unwrap().effect;
    // 3.3: Siberian troops, Axis infantry +1.
    let Effect::Urals { units, free: 2 } = effect("al41-6") else { panic!("siberian troops") };
    assert_eq!(units[..2], [unit(&rules, "su_shock_1"), unit(&rules, "su_ldr_zhukov")]);
    let Effect::Firepower { scope, bonus: 1, battles: 1, defending: false, .. } = effect("ax41-3") else {
        panic!("infantry")
    };
    for kind in Kind::ALL {
        assert_eq!(scope.kinds & kind.bit() != 0, kind.is_infantry(), "{}", kind.id());
    }
    // Groups of kinds and places.
    let Effect::Firepower { scope, flak: true, defending: true, .. } = effect("ax43-6") else {
        panic!("flak")
    };
    assert_eq!(scope.kinds, Kind::Fighter.bit());
    let Effect::Firepower { target: Some(Target::Sub), scope, .. } = effect("al43-6") else {
        panic!("escorts")
    };
    assert!(scope.kinds & Kind::Convoy.bit() != 0 && scope.kinds & Kind::Fighter.bit() == 0);
    let Effect::Loss { place: Where::RegionAndSeas(areas, seas), steps: 1, .. } = effect("ax41-7") else {
        panic!("frogmen")
    };
    assert_eq!(areas.len(), 2);
    assert_eq!(seas, 1 << zone(&rules, "eastern_mediterranean"));
    let Effect::Mud { place: Where::Region(mud) } = effect("al41-5") else { panic!("mud") };
    assert!(mud.contains(at(&rules, "minsk")) && !mud.contains(at(&rules, "warsaw")));
    let Effect::Cut { areas: 1, place: Where::Region(cut) } = effect("al43-7") else { panic!("partisans") };
    assert!(["minsk", "riga", "lvov", "sarajevo"].iter().all(|id| cut.contains(at(&rules, id))));
    let Effect::Steps { place: Where::Home, steps: 4, .. } = effect("ax45-5") else { panic!("volkssturm") };
    let Effect::Move { scope, bonus: 1 } = effect("al45-7") else { panic!("pursuit") };
    assert_eq!(scope.nations, Nation::Usa.bit());
    assert!(scope.kinds & Kind::Leader.bit() != 0 && scope.kinds & Kind::Cruiser.bit() == 0);
    let Effect::Steps { scope, steps: 2, .. } = effect("al39-6") else { panic!("call-up") };
    assert_eq!(scope.nations, Nation::Britain.bit() | Nation::France.bit());
}

#[test]
fn unit_types_have_the_firepower_and_targets_of_the_charts() {
    let rules = rules("campaign-1939");
    let of = |id: &str| {
        let kind = rules.unit_types.iter().find(|kind| kind.id == id).unwrap();
        let names = |mask: u8| -> String {
            let letters = ["A", "M", "S", "U", "C", "F"];
            Target::ALL.iter().zip(letters).filter(|(it, _)| mask & it.bit() != 0).map(|(_, it)| it).collect()
        };
        let value = format!("{}{}", ["A", "B", "C", "D"][kind.class as usize], kind.fire);
        (value, names(kind.primary), names(kind.secondary))
    };
    let row = |value: &str, primary: &str, secondary: &str| {
        (value.to_owned(), primary.to_owned(), secondary.to_owned())
    };
    assert_eq!(of("fighter"), row("A2", "AM", "MSU"));
    assert_eq!(of("heavy_bomber"), row("B2", "F", "AM"));
    assert_eq!(of("medium_bomber"), row("B1", "MF", ""));
    assert_eq!(of("dive_bomber"), row("B2", "M", "ASU"));
    assert_eq!(of("naval_bomber"), row("B2", "SU", "AM"));
    assert_eq!(of("carrier"), row("B2", "SU", "AM"));
    assert_eq!(of("submarine"), row("B2", "C", "SU"));
    assert_eq!(of("battleship"), row("C2", "SU", "AM"));
    assert_eq!(of("cruiser"), row("C1", "ASU", ""));
    assert_eq!(of("leader"), row("C1", "M", ""));
    assert_eq!(of("cavalry"), row("C1", "M", ""));
    assert_eq!(of("panzer"), row("C2", "M", "ASU"));
    assert_eq!(of("infantry"), row("D2", "M", "ASU"));
    assert_eq!(of("guards"), row("D2", "M", "ASU"));
    assert_eq!(of("paratroop"), row("C1", "M", ""));
    assert_eq!(of("fortress"), row("C2", "MSU", "A"));
    assert_eq!(of("convoy").1, "");
    let kind = |id: &str| rules.unit_types.iter().find(|kind| kind.id == id).unwrap();
    assert_eq!(kind("battlecruiser").special[Target::Sub as usize], 1);
    assert_eq!(kind("infantry_d1").fire, 1);
    // 2.2: not built again.
    let lost: Vec<&str> =
        rules.unit_types.iter().filter(|it| !it.rebuildable).map(|it| it.id.as_str()).collect();
    assert_eq!(lost, ["battleship", "paratroop", "fortress"]);
    assert_eq!((kind("medium_bomber").moves, kind("fortress").moves), (4, 0));
    // 13-GIBRALTAR, 13-MALTA.
    for unit in &rules.units {
        let special = ["fort_gibraltar", "fort_malta"].contains(&unit.id.as_str());
        let expected = if special { [0, 0, 3, 3, 0, 0] } else { [0; 6] };
        assert_eq!(unit.special, expected, "{}", unit.id);
    }
}

#[test]
fn counters_are_those_of_the_force_pool() {
    let rules = rules("campaign-1939");
    assert_eq!(rules.units.len(), 186);
    let count = |nation: Nation| rules.units.iter().filter(|unit| unit.nation == nation).count();
    let majors = Nation::MAJOR.map(count);
    assert_eq!(majors, [45, 10, 23, 13, 20, 40]);
    // Every minor has forces to defend itself, but for those without a country.
    for nation in Nation::ALL {
        let none = matches!(nation, Nation::Vichy | Nation::Sphere);
        assert_eq!(count(nation) == 0, none, "{}", nation.name());
    }
    // The forces of a minor fit its country (10.2), and stand there with all their steps.
    for unit in rules.units.iter().filter(|unit| !unit.nation.is_major() && unit.nation != Nation::Poland) {
        let (home, steps) = unit.home.unwrap_or_else(|| panic!("{} has no home", unit.id));
        assert_eq!((rules.areas[home.at()].country, steps), (unit.nation, unit.steps), "{}", unit.id);
    }
    // Free forces and Vichy's (11.42, 13-FRANCE).
    let free = |nation: Nation| -> Vec<&str> {
        rules.units.iter().filter(|it| it.free_for == Some(nation)).map(|it| it.id.as_str()).collect()
    };
    assert_eq!(free(Nation::Britain), ["pol_inf_1a", "convoy_d", "gb_inf_ff", "gb_ca_ff"]);
    assert_eq!(free(Nation::Vichy), ["fra_inf_1a", "fra_inf_alg", "fra_inf_tun", "fra_ca"]);
    let home = |id: &str| rules.units[unit(&rules, id).at()].home.unwrap();
    assert_eq!(home("fra_inf_1a"), (at(&rules, "lyon"), 3));
    assert_eq!(home("fra_ca"), (at(&rules, "marseille"), 2));
    assert_eq!(home("fra_inf_alg"), (at(&rules, "algiers"), 2));
    assert_eq!(home("fra_inf_tun"), (at(&rules, "tunis"), 2));
    // 13-CANADA.
    let canadian = rules.units.iter().filter(|unit| unit.first_step == Some(at(&rules, "canada")));
    assert_eq!(canadian.map(|unit| unit.id.as_str()).collect::<Vec<_>>(), ["gb_inf_can1", "gb_ca_cdn"]);
}

#[test]
fn every_unit_stands_once_and_after_its_year() {
    for id in SCENARIOS {
        let rules = rules(id);
        let year = rules.calendar[rules.setup.first_turn as usize - 1].year;
        let mut seen = BTreeSet::new();
        for &(unit, place, coast, steps) in &rules.setup.units {
            let counter = &rules.units[unit.at()];
            assert!(seen.insert(unit), "{id}: {} stands twice", counter.id);
            assert!(counter.year <= year, "{id}: {} is of {}", counter.id, counter.year);
            assert!(steps <= counter.steps, "{id}: {}", counter.id);
            let naval = rules.unit_types[counter.kind as usize].arm == Arm::Naval;
            assert_eq!(coast > 0, naval && place.is_area(), "{id}: {}", counter.id);
        }
        for &unit in &rules.setup.gone {
            assert!(seen.insert(unit), "{id}: {} is gone and on the map", rules.units[unit.at()].id);
        }
    }
}

/// Most units at each place: stacking by the terrain of the data, counted here anew (4.5, 6.11, 7.11).
#[test]
fn every_setup_keeps_the_limits() {
    for id in SCENARIOS {
        let rules = rules(id);
        let mut counts: BTreeMap<(Place, u8, &str), u8> = BTreeMap::new();
        for &(unit, place, coast, _) in &rules.setup.units {
            let counter = &rules.units[unit.at()];
            let kind = &rules.unit_types[counter.kind as usize];
            let what = match (kind.arm, kind.kind) {
                (_, Kind::Leader) => "leaders",
                (_, Kind::Paratroop) => continue,
                (Arm::Army, _) => "armies",
                (Arm::Air, _) => "aircraft",
                (Arm::Naval, _) => "ships",
            };
            // No two sides share a place at the start, so places alone are counted.
            *counts.entry((place, coast, what)).or_default() += 1;
        }
        for ((place, coast, what), count) in counts {
            if place.is_area() && rules.areas[place.at()].stack == 99 {
                continue;
            }
            let base = rules.ports.iter().any(|it| it.area == place && it.coast == coast && it.base);
            let most = match what {
                "armies" => rules.areas[place.at()].stack,
                "ships" if !place.is_area() => 3,
                "ships" if base => 2,
                _ => 1,
            };
            assert!(count <= most, "{id}: {count} {what} at {place:?}");
        }
    }
}

#[test]
fn the_orders_of_battle_imply_their_figures() {
    use Nation::{Britain, Germany, Italy, Usa, Ussr};
    // Units, factory rows, steps of factories (examples of the orders of battle), gone.
    let expected = [
        ("barbarossa-1941", (121, 21), [15, 3, 8, 5, 12]),
        ("stalingrad-1942", (130, 21), [18, 3, 9, 8, 13]),
        ("kursk-1943", (139, 24), [14, 3, 9, 12, 16]),
        ("bagration-1944", (134, 21), [10, 0, 11, 12, 16]),
    ];
    for (id, rows, steps) in expected {
        let rules = rules(id);
        assert_eq!((rules.setup.units.len(), rules.setup.factories.len()), rows, "{id}");
        assert_eq!([Germany, Italy, Britain, Usa, Ussr].map(|it| factories(&rules, it)), steps, "{id}");
        // British resources meet the factories: at home, in Canada, by Convoy C, and in Algeria from 1944 (7.72).
        let convoy = placed(&rules, "convoy_c").unwrap().1;
        let algeria = u8::from(rules.setup.control[at(&rules, "algiers").at()] == Britain);
        assert_eq!(4 + 2 + convoy + algeria, factories(&rules, Britain), "{id}");
    }
}

#[test]
fn the_campaign_starts_as_the_rulebook_says() {
    let rules = rules("campaign-1939");
    let setup = &rules.setup;
    assert_eq!((setup.first_turn, setup.last_turn, setup.hand, setup.hands_of_three), (1, 26, 2, (1, 1)));
    // 11.3: Germany has ten factories, and eleven resources with its imports; Italy two and four, France four resources.
    let imports: u8 =
        rules.imports.iter().filter(|it| it.from != Nation::Vichy).map(|import| import.value).sum();
    assert_eq!(resources(&rules, Nation::Germany) + imports, 11);
    assert_eq!(factories(&rules, Nation::Germany), 10);
    assert_eq!((factories(&rules, Nation::Italy), resources(&rules, Nation::Italy)), (2, 4));
    assert_eq!(resources(&rules, Nation::France), 4);
    // 7.72: four at home, two in Canada, one by Convoy C.
    assert_eq!(resources(&rules, Nation::Britain) + placed(&rules, "convoy_c").unwrap().1, 7);
    assert_eq!(placed(&rules, "convoy_c").unwrap().0, Place::sea(zone(&rules, "convoy_c")));
    let standing = |nation: Nation| setup.standing[nation.index()];
    for (nation, expected) in [
        (Nation::Italy, Standing::Axis),
        (Nation::Poland, Standing::Western),
        (Nation::Usa, Standing::Western),
        (Nation::Ussr, Standing::Soviet),
        (Nation::Romania, Standing::Neutral),
        (Nation::Sphere, Standing::Neutral),
        (Nation::Vichy, Standing::Gone),
    ] {
        assert_eq!(standing(nation), expected, "{}", nation.name());
    }
    assert_eq!((setup.italy, setup.ussr, setup.usa), (Entry::Neutral, Entry::Neutral, Entry::Neutral));
    assert_eq!(setup.patron[Nation::Poland.index()], Nation::Britain);
    assert_eq!((setup.mobilisation_turn, setup.mobilisation_factory, setup.mobilisation.len()), (7, 4, 6));
    assert_eq!((setup.usa_entry_turn, setup.usa_roll), (11, (10, 7, 10)));
    let control = |id: &str| setup.control[at(&rules, id).at()];
    assert_eq!((control("riga"), control("lithuania")), (Nation::Sphere, Nation::Sphere));
    assert_eq!((control("lvov"), control("bessarabia")), (Nation::Poland, Nation::Romania));
    assert_eq!((control("vienna"), control("prague")), (Nation::Germany, Nation::Germany));
    // Units of neutral minors wait in the pool, the Free French are not there yet.
    assert!(
        setup
            .units
            .iter()
            .all(|&(unit, ..)| { standing(rules.units[unit.at()].nation) != Standing::Neutral })
    );
    assert_eq!(setup.gone, [unit(&rules, "gb_inf_ff"), unit(&rules, "gb_ca_ff")]);
}

#[test]
fn later_scenarios_start_as_their_notes_say() {
    let rules_of = SCENARIOS.map(rules);
    let [_, y1941, y1942, y1943, y1944] = &rules_of;
    let turns = rules_of.each_ref().map(|rules| {
        let setup = &rules.setup;
        (setup.first_turn, setup.hand, setup.hands_of_three)
    });
    assert_eq!(turns[1..], [(8, 3, (1, 2)), (12, 3, (1, 2)), (17, 2, (1, 1)), (20, 3, (2, 1))]);
    let entries = rules_of.each_ref().map(|rules| (rules.setup.italy, rules.setup.ussr, rules.setup.usa));
    assert_eq!(entries[1], (Entry::AtWar, Entry::Neutral, Entry::Neutral));
    assert_eq!(entries[2], (Entry::AtWar, Entry::AtWar, Entry::AtWar));
    assert_eq!(entries[4], (Entry::Surrendered, Entry::AtWar, Entry::AtWar));
    let gone = |rules: &Rules, id: &str| rules.setup.gone.contains(&unit(rules, id));
    for rules in &rules_of[1..] {
        // SC-1941: lost in Crete. Free forces stay (11.42).
        assert!(gone(rules, "ger_para") && gone(rules, "pol_inf_2a") && !gone(rules, "pol_inf_1a"));
        assert!(!gone(rules, "convoy_d") && placed(rules, "convoy_d").is_none());
        assert_eq!(rules.setup.standing[Nation::France.index()], Standing::Gone);
        // The USA has mobilised, and nothing is left to appear.
        assert_eq!((rules.setup.mobilisation_turn, rules.setup.mobilisation.len()), (0, 0));
    }
    // SC-1943.
    assert!(!gone(y1942, "ger_dak") && gone(y1943, "ger_dak") && gone(y1944, "ger_dak"));
    assert!(placed(y1942, "ita_inf_5a").is_some() && gone(y1943, "ita_inf_5a"));
    // SC-1941: the Italian 10th Army is in the pool. SC-1942: the 8th is at Kharkov.
    assert!(placed(y1941, "ita_inf_10a").is_none() && !gone(y1941, "ita_inf_10a"));
    assert_eq!(placed(y1942, "ita_inf_8a").unwrap().0, at(y1942, "kharkov"));
    //
    let middle_east = Place::sea(zone(y1941, "eastern_mediterranean"));
    assert_eq!(placed(y1941, "gb_bb_nelson"), Some((middle_east, 3)));
    assert_eq!(placed(y1941, "gb_ldr_montgomery").unwrap().1, 0);
    // Vichy: neutral, an Axis ally in 1943, then no more.
    let vichy = rules_of.each_ref().map(|rules| rules.setup.standing[Nation::Vichy.index()]);
    assert_eq!(vichy[1..], [Standing::Neutral, Standing::Neutral, Standing::Axis, Standing::Gone]);
    assert_eq!(placed(y1941, "fra_inf_1a"), Some((at(y1941, "lyon"), 2)));
    assert!(placed(y1942, "fra_inf_1a").is_none() && !gone(y1942, "fra_inf_1a"));
    assert!(gone(y1943, "fra_inf_tun") && gone(y1944, "fra_ca"));
    // 13-ITALY: no Italian unit or area is left in 1944.
    assert!(
        y1944
            .units
            .iter()
            .zip((0..).map(UnitId))
            .all(|(it, at)| it.nation != Nation::Italy || y1944.setup.gone.contains(&at))
    );
    assert!(!y1944.setup.control.contains(&Nation::Italy));
    // The markers of the lists.
    let holds = |rules: &Rules, nation: Nation, ids: &[&str]| {
        ids.iter().all(|id| rules.setup.control[at(rules, id).at()] == nation)
    };
    for rules in &rules_of[1..] {
        assert!(holds(rules, Nation::Britain, &["syria", "iraq", "iran"]));
        assert!(holds(rules, Nation::Germany, &["netherlands", "denmark", "oslo"]));
    }
    assert!(holds(y1941, Nation::Britain, &["el_agheila"]));
    assert!(holds(y1944, Nation::Germany, &["athens", "albania", "rome"]));
}

#[test]
fn special_resources_serve_whom_the_rules_say() {
    let rules = rules("campaign-1939");
    let of = |id: &str| {
        let area = &rules.areas[at(&rules, id).at()];
        (area.resource, area.resource_use)
    };
    assert_eq!(of("iran").1, ResourceUse::Axis);
    assert_eq!(of("iraq").1, ResourceUse::Axis);
    assert_eq!(of("urals"), (8, ResourceUse::Local));
    assert_eq!((of("bucharest").0, of("canada").0), (2, 2));
    // 11.31, 13-USA.
    let city = |id: &str| {
        let area = &rules.areas[at(&rules, id).at()];
        (area.city, area.markers)
    };
    assert_eq!((city("urals"), city("usa"), city("paris")), ((8, 2), (16, 4), (4, 1)));
    assert_eq!(city("warsaw"), (0, 0));
    assert_eq!(rules.charts.neutral_usa_factories, 8);
}

#[test]
fn winter_comes_with_the_first_and_the_last_card_of_a_year() {
    let rules = rules("campaign-1939");
    assert_eq!(rules.calendar.len(), 26);
    for (at, turn) in rules.calendar.iter().enumerate() {
        // Turn 1 is the third quarter of 1939.
        let quarter = (at + 2) % 4 + 1;
        assert_eq!((turn.year as usize, turn.quarter as usize), (1939 + (at + 2) / 4, quarter));
        assert_eq!(turn.winter, quarter == 1);
        assert_eq!(turn.winter_east, quarter == 1 || quarter == 4);
        let draw = match (at, quarter) {
            (0, _) => 2,
            (_, 1) => 4,
            _ => 0,
        };
        assert_eq!(turn.draw, draw, "turn {}", at + 1);
    }
}

#[test]
fn a_description_counts_what_is_there() {
    let rules = rules("barbarossa-1941");
    let description = Description::of(&rules);
    assert_eq!(description.first_turn, (8, "spring 1941".into()));
    assert_eq!(description.last_turn, (26, "autumn 1945".into()));
    assert_eq!((description.areas, description.counters, description.cards), (147, 186, 80));
    assert_eq!(description.pool + description.gone + rules.setup.units.len(), 186);
    let [axis, western, soviet] = &description.forces[..] else { panic!("three forces") };
    assert_eq!([axis.factories, western.factories, soviet.factories], [18, 13, 12]);
    assert!(soviet.nations == [(Nation::Ussr, false)] && axis.nations.contains(&(Nation::Finland, true)));
    let units: usize = description.forces.iter().map(|it| it.armies.0 + it.air.0 + it.naval.0).sum();
    // Four units are neutral Vichy's.
    assert_eq!(units, rules.setup.units.len() - 4);
    let text = description.to_string();
    assert!(text.contains("the USSR (not yet at war)") && text.contains("Neutral: Turkey, Spain"), "{text}");
}

#[test]
fn every_fact_states_its_provenance() {
    for id in SCENARIOS {
        let scenario = open(&format!("victory-in-europe/{id}"), &[]).unwrap();
        let counts = scenario.provenance_counts();
        let of = |file: &str| {
            let count = counts.iter().find(|count| count.file == file).unwrap();
            count.rulebook + count.reconstructed
        };
        let rules = scenario.rules();
        assert_eq!(of("areas.csv"), 147);
        assert_eq!(of("borders.csv"), 286);
        assert_eq!(of("units.csv"), 186);
        assert_eq!(of("cards.toml"), 108);
        assert_eq!(of("unit_types.toml"), rules.unit_types.len());
        assert_eq!(of("charts.toml"), 34);
        assert_eq!(of("options.toml"), 8);
        assert_eq!(of("setup/units.csv"), rules.setup.units.len());
        assert_eq!(of("setup/control.csv"), 147);
        assert_eq!(of("setup/factories.csv"), rules.setup.factories.len());
        // Standings, entries, patrons, the USA, what is gone, and the scenario itself; 1942 has one more. Then each force whose
        // command is reconstructed: all that has points beyond the rules.
        let helped =
            rules.setup.handicap.iter().filter(|force| force.command > 0 || force.production > 0).count();
        assert_eq!(
            helped,
            match id {
                "stalingrad-1942" => 2,
                "barbarossa-1941" => 1,
                _ => 0,
            }
        );
        assert_eq!(of("setup.toml"), if id == "stalingrad-1942" { 7 } else { 6 } + helped);
    }
}

#[test]
fn facts_name_rules_and_rulings_that_exist() {
    kit::check_facts::<Examples>(true, 500);
    let known: BTreeSet<String> = SYSTEM.coverage().unwrap().into_iter().map(|rule| rule.rule).collect();
    assert_eq!(known.len(), 179);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let rulings: toml::Table = toml::from_str(&read("rulings.toml")).unwrap();
    for (id, ruling) in &rulings {
        for rule in ruling["rule"].as_str().unwrap().split("; ") {
            assert!(known.contains(rule), "{id}: `{rule}`");
        }
        assert!(
            ["question", "ruling", "reason"].iter().all(|key| !ruling[*key].as_str().unwrap().is_empty())
        );
    }
    // Rulings named in passing exist too.
    for entry in ["unit_types.toml", "charts.toml", "options.toml", "gates.toml", "regions.toml", "units.csv"]
    {
        for (at, _) in read(entry).match_indices("R-") {
            let text = read(entry);
            let id = &text[at..at + 4];
            if id[2..].chars().all(|it| it.is_ascii_digit()) {
                assert!(rulings.contains_key(id), "{entry}: {id}");
            }
        }
    }
}

#[test]
fn the_points_of_command_beyond_the_cards_are_those_of_the_ruling() {
    let of_scenario = |id: &str| {
        let rules = rules(id);
        let points = |force: Force, name: &str| {
            let more = rules.setup.handicap[force.index()].command;
            (more > 0).then(|| format!("{} for {name}", ["no", "one", "two", "three"][usize::from(more)]))
        };
        assert_eq!(points(Force::Axis, "the Axis"), None, "{id}: R-164 does not speak of the Axis");
        let forces = [(Force::Western, "the Western Allies"), (Force::Soviet, "the Soviets")];
        let points: Vec<String> =
            forces.into_iter().filter_map(|(force, name)| points(force, name)).collect();
        let (_, year) = id.split_once('-').unwrap();
        (!points.is_empty()).then(|| format!("in {year} {}", points.join(" and ")))
    };
    let points: Vec<String> = SCENARIOS.into_iter().filter_map(of_scenario).collect();
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulings.toml");
    let rulings: toml::Table = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let ruling = rulings["R-164"]["ruling"].as_str().unwrap();
    let says = format!("points a turn more: {} (extra_command", points.join("; "));
    assert!(ruling.contains(&says), "the set-ups say `{says}`, the ruling `{ruling}`");
}

#[test]
fn the_clarifications_of_the_map_hold() {
    let rules = rules("campaign-1939");
    let area = |id: &str| &rules.areas[at(&rules, id).at()];
    // Denmark is one area with all its islands; Greece and Crete are mountains apart; so is Scotland.
    let denmark: Vec<&str> = rules
        .areas
        .iter()
        .filter(|area| area.country == Nation::Denmark)
        .map(|area| area.id.as_str())
        .collect();
    assert_eq!(denmark, ["denmark"]);
    for id in ["athens", "crete", "glasgow", "wales"] {
        assert_eq!(area(id).terrain, Terrain::Mountain, "{id}");
    }
    assert!(
        rules.borders.iter().all(|border| border.a != at(&rules, "crete") && border.b != at(&rules, "crete"))
    );
    assert_eq!((area("athens").country, area("crete").country), (Nation::Greece, Nation::Greece));
    assert_eq!(rules.setup.standing[Nation::Greece.index()], Standing::Neutral);
    // Newfoundland is British home territory (1.16) and no part of Canada; Ireland no part of Great Britain.
    assert_eq!(
        (area("newfoundland").country, area("newfoundland").home),
        (Nation::Britain, Some(Nation::Britain))
    );
    assert!(border(&rules, "newfoundland", "canada").is_none());
    assert!(
        !rules.regions.great_britain.contains(at(&rules, "ireland"))
            && area("ireland").country == Nation::Ireland
    );
    // Luxembourg is on no map: France and Germany touch where it lies.
    assert!(rules.areas.iter().all(|area| !area.id.contains("luxemb") && !area.name.contains("Luxemb")));
    assert_eq!(border(&rules, "nancy", "cologne").map(|border| border.kind), Some(BorderKind::Fortified));
}

/// 1.4: capitals and major cities have names; only major cities hold factories, within their value; ports are cities on a coast.
#[test]
fn cities_are_capitals_sites_of_factories_and_ports() {
    let scenario = open("victory-in-europe/campaign-1939", &[]).unwrap();
    let rules = scenario.rules();
    let area = |id: &str| rules.areas.iter().position(|area| area.id == id).unwrap();
    for (nation, id, name, value) in [
        (Nation::Germany, "berlin", "Berlin", 4),
        (Nation::Italy, "rome", "Rome", 1),
        (Nation::Britain, "london", "London", 4),
        (Nation::France, "paris", "Paris", 4),
        (Nation::Ussr, "moscow", "Moscow", 4),
        (Nation::Poland, "warsaw", "Warsaw", 0),
        (Nation::Romania, "bucharest", "Bucharest", 0),
    ] {
        let capital = &rules.areas[area(id)];
        assert_eq!(rules.capitals[nation.index()], Some(Place::nth(area(id))), "{name} (1.41)");
        assert_eq!((capital.city_name.as_str(), capital.city), (name, value), "{name} (1.42)");
    }
    // The Urals take two markers and the USA four (11.31).
    assert_eq!(["urals", "usa", "canada"].map(|id| rules.areas[area(id)].markers), [2, 4, 1]);
    for area in &rules.areas {
        assert!(area.city == 0 || !area.city_name.is_empty(), "{} is a major city", area.id);
        assert_eq!(area.city > 0, area.markers > 0, "{}", area.id);
    }
    for &(at, steps) in &rules.setup.factories {
        assert!(steps <= rules.areas[at.at()].city, "{}", rules.areas[at.at()].id);
    }
    // Every port is a named city on a sea, and bases are ports (1.43, 1.44).
    for port in &rules.ports {
        assert!(port.seas != 0 || port.red, "{}", port.name);
        assert!(!port.base || !port.name.is_empty(), "{}", port.name);
    }
    let named = |id: &str| {
        let at = Place::nth(area(id));
        rules.ports.iter().filter(|port| port.area == at).map(|port| port.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(named("hamburg"), ["Hamburg", "Kiel"]);
    assert_eq!(named("berlin"), [""; 0]);
}
