#![allow(clippy::doc_markdown)] // the name of the game is no path

//! The set-ups keep every limit that the rulebook prints: numbers and values by type, front lines, places, stacking, whose
//! ground it is (22).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use sandtable_core::Index;
use sandtable_core::hex::Hex;
use sandtable_eurofront::Rules;
use sandtable_eurofront::ids::{AREA_LINE, Camp, Faction, Front, area, hex};
use sandtable_eurofront::rules::{Basin, Block, City, Condition, Entry, Fact, Goal, Kind, Port, Status};
use sandtable_scenarios::System;
use sandtable_scenarios_eurofront::{PREPARED, SYSTEM};

/// Scenarios with a set-up of their own in the tables of forces.
const TABLES: [&str; 9] = ["1939A", "1939B", "1939", "1940", "1940B", "1941", "1942", "1943", "1944"];
/// All scenarios but that of the Civil War, with their fortnights.
const ALL: [(&str, u32); 12] = [
    ("1939", 138),
    ("1939A", 8),
    ("1939B", 8),
    ("1940", 122),
    ("1940A", 26),
    ("1940B", 20),
    ("1940C", 20),
    ("1941", 95),
    ("1942", 72),
    ("1943", 46),
    ("1944", 24),
    ("1944A", 24),
];

/// The rules of a scenario, read once.
fn rules(id: &'static str) -> Arc<Rules> {
    static READ: Mutex<BTreeMap<&str, Arc<Rules>>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(read.entry(id).or_insert_with(|| Arc::new(open(id))))
}

fn open(id: &str) -> Rules {
    let name = format!("eurofront/{id}");
    let of = |system: &System<Rules>| {
        system.open(&name, &[]).map(sandtable_scenarios_eurofront::Scenario::into_rules)
    };
    of(&SYSTEM).or_else(|_| of(&PREPARED)).unwrap_or_else(|error| panic!("{id}: {error}"))
}

/// Blocks on the map at the start, with their place and steps.
fn standing(rules: &Rules) -> impl Iterator<Item = (&Block, Hex, u8)> {
    rules.blocks.iter().zip(&rules.scenario.entries).filter_map(|(block, entry)| match *entry {
        Entry::At(hex, steps) => Some((block, hex, steps)),
        _ => None,
    })
}

fn at(rules: &Rules, name: &str) -> Hex {
    let number = || {
        let (column, row) = (name.get(..2)?.parse().ok()?, name.get(2..)?.parse().ok()?);
        (name.len() == 4).then(|| hex(column, row))
    };
    number().or_else(|| rules.place(name)).unwrap_or_else(|| panic!("no place {name}"))
}

/// Hexes of a country or territory of 1939, and its areas.
fn land_of(rules: &Rules, name: &str) -> BTreeSet<Hex> {
    let hexes = rules.map.hexes.iter().filter(|data| data.country == name || data.territory == name);
    let nation = rules.nation(name);
    let areas =
        rules.map.areas.iter().enumerate().filter(|(_, data)| nation.is_some() && data.nation == nation);
    let land: BTreeSet<Hex> =
        hexes.map(|data| data.hex).chain(areas.map(|(number, _)| area(number as u8))).collect();
    assert!(!land.is_empty(), "no land goes by the name of {name}");
    land
}

fn distance(a: Hex, b: Hex) -> u32 {
    let axial = |hex: Hex| {
        let (column, row) = (i32::from(hex.place()), i32::from(hex.line()));
        (column - (row - (row & 1)) / 2, row)
    };
    let ((qa, ra), (qb, rb)) = (axial(a), axial(b));
    let (q, r) = (qb - qa, rb - ra);
    (q.abs() + r.abs() + (q + r).abs()).unsigned_abs() / 2
}

/// Rows of a table of the tests, by column.
fn rows(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    lines.map(|line| head.iter().copied().zip(line.split(',')).collect()).collect()
}

#[test]
fn all_scenarios_have_their_length() {
    for (id, fortnights) in ALL {
        let rules = rules(id);
        let sum: u32 = rules.calendar.iter().map(|month| u32::from(month.fortnights)).sum();
        assert_eq!(sum, fortnights, "{id}");
        assert_eq!(rules.scenario.entries.len(), rules.blocks.len(), "{id}");
    }
}

#[test]
fn numbers_and_values_are_those_of_the_tables_of_forces() {
    let table = rows(include_str!("forces.csv"));
    for id in TABLES {
        let mut printed: BTreeMap<(&str, &str), (u32, u32)> = BTreeMap::new();
        for row in table.iter().filter(|row| row["scenario"] == id) {
            let number = |column: &str| row[column].parse::<u32>().expect("a number");
            let sum = printed.entry((row["power"], row["type"])).or_default();
            *sum = (sum.0 + number("units"), sum.1 + number("value"));
        }
        // The order of battle of 1944, which is printed place by place, differs from the table in four sums (ruling P25).
        if id == "1944" {
            for (power, kind, sums) in [
                ("britain_us", "mech", (9, 28)),
                ("germany", "infantry", (46, 118)),
                ("germany", "mech", (8, 21)),
                ("germany", "static", (21, 26)),
            ] {
                assert_ne!(printed.insert((power, kind), sums), Some(sums), "{power} {kind}");
            }
        }
        let rules = rules(id);
        let mut found: BTreeMap<(&str, &str), (u32, u32)> = BTreeMap::new();
        let arriving = arrivals_of_first_month(id);
        for (block, _, steps) in standing(&rules).filter(|(block, ..)| !arriving.contains(&block.id.as_str()))
        {
            let nation = rules.nations[block.nation.at()].id.as_str();
            let power = match nation {
                "romania" | "hungary" | "bulgaria" => "axis_satellites",
                "free_france" => "britain_us",
                // The Italian headquarters counts among the German ones; so do the Finns'.
                "italy" | "finland" if block.kind.is_headquarters() && id != "1939A" => "germany",
                // Not in the tables: the cards of the minor powers.
                "poland" | "norway" => continue,
                nation => nation,
            };
            let kind = if block.kind.is_headquarters() { "hq" } else { block.kind.id() };
            let sum = found.entry((power, kind)).or_default();
            *sum = (sum.0 + 1, sum.1 + u32::from(steps));
        }
        for key in printed.keys().chain(found.keys()).collect::<BTreeSet<_>>() {
            assert_eq!(found.get(key), printed.get(key), "{id}: {key:?}");
        }
    }
}

/// Reinforcements of the first month stand on the map at the start and are not in the tables (11.81).
fn arrivals_of_first_month(id: &str) -> &'static [&'static str] {
    match id {
        "1941" => &["de_inf_64", "de_inf_34", "de_inf_90"],
        "1942" => &["de_inf_80", "de_static_2pa", "su_arm_5g"],
        "1943" => &["de_mec_ss3", "de_mtn_51", "de_mtn_houck"],
        "1944" | "1944A" => &["us_hq_6ag"],
        _ => &[],
    }
}

#[test]
fn columns_of_the_extreme_fronts_stand_there() {
    for (id, nation, kind, front, sums) in [
        ("1939A", "ussr", "infantry", Front::North, (3, 7)),
        ("1940", "germany", "mountain", Front::North, (2, 5)),
        ("1940", "germany", "static", Front::North, (2, 2)),
        ("1940", "ussr", "infantry", Front::North, (3, 5)),
        ("1940", "france", "static", Front::Mediterranean, (4, 3)),
        ("1940", "britain_us", "mech", Front::Mediterranean, (2, 2)),
        ("1940B", "italy", "static", Front::Mediterranean, (2, 2)),
        ("1940B", "britain_us", "infantry", Front::Mediterranean, (3, 4)),
        ("1941", "germany", "armour", Front::Mediterranean, (1, 2)),
        ("1941", "germany", "static", Front::North, (3, 8)),
        ("1941", "britain_us", "infantry", Front::Mediterranean, (4, 10)),
        ("1941", "ussr", "infantry", Front::North, (3, 7)),
        ("1942", "germany", "mech", Front::Mediterranean, (1, 4)),
        ("1942", "germany", "fort", Front::North, (1, 1)),
        ("1942", "britain_us", "infantry", Front::Mediterranean, (5, 11)),
        ("1942", "ussr", "infantry", Front::North, (5, 10)),
        ("1943", "germany", "mountain", Front::North, (2, 6)),
        ("1943", "ussr", "infantry", Front::North, (5, 10)),
        ("1944", "germany", "infantry", Front::North, (2, 4)),
        ("1944", "ussr", "infantry", Front::North, (5, 10)),
    ] {
        let rules = rules(id);
        let own = standing(&rules).filter(|&(block, at, _)| {
            rules.nations[block.nation.at()].id == nation
                && block.kind.id() == kind
                && front_of(&rules, at) == front
        });
        let found = own.fold((0, 0), |sum, (.., steps)| (sum.0 + 1, sum.1 + u32::from(steps)));
        // Expeditions of 1943 and 1944 wait in North Africa beside the residents of that column.
        assert_eq!(found, sums, "{id} {nation} {kind}");
    }
}

fn front_of(rules: &Rules, at: Hex) -> Front {
    if at.line() == AREA_LINE {
        return rules.map.areas[usize::from(at.place())].front;
    }
    let data = rules.map.hexes.iter().find(|data| data.hex == at);
    data.and_then(|data| data.front).expect("a place on land")
}

#[test]
fn front_lines_are_held() {
    for row in rows(include_str!("front_lines.csv")) {
        let ids = ALL.iter().map(|&(id, _)| id).filter(|id| match *id {
            // Summer of 1940: other lines. The Soviet Union and the North are out of play in 1940A.
            "1939A" | "1939B" | "1940B" | "1940C" => false,
            "1940A" if row["side"] == "soviets" => false,
            id => id[..4] == *row["scenario"],
        });
        for id in ids {
            let rules = rules(id);
            let held: BTreeSet<Hex> = standing(&rules)
                .filter(|(block, ..)| block.faction.id() == row["side"])
                .map(|(_, hex, _)| hex)
                .collect();
            for hex in row["hexes"].split(' ') {
                assert!(
                    held.contains(&at(&rules, hex)),
                    "{id}: {} holds {hex} of the front line",
                    row["side"]
                );
            }
        }
    }
}

#[test]
fn nobody_stands_on_foreign_ground_or_where_there_is_no_room() {
    for (id, _) in ALL {
        let rules = rules(id);
        let owners: BTreeMap<Hex, Faction> = rules.scenario.owners.iter().copied().collect();
        let battles = &rules.scenario.situation.battles;
        let mut stacks: BTreeMap<(Hex, Camp), u8> = BTreeMap::new();
        for (block, at, _) in standing(&rules) {
            let own = owners.get(&at) == Some(&block.faction);
            let at_home = block.nation.at() == rules.nation("norway").map_or(usize::MAX, Index::at);
            let engaged = battles.iter().any(|&(battle, _)| battle == at);
            assert!(own || engaged || at_home && id == "1939B", "{id}: {} stands at {at:?}", block.id);
            *stacks.entry((at, block.faction.camp())).or_default() += 1;
        }
        for ((at, camp), units) in stacks {
            let terrain = if at.line() == AREA_LINE {
                rules.map.areas[usize::from(at.place())].terrain
            } else {
                rules.map.hexes.iter().find(|data| data.hex == at).expect("a hex").terrain
            };
            let room = rules.terrain[terrain as usize].stacking;
            assert!(
                units <= room,
                "{id}: {units} units of {camp:?} at {at:?}, where {room} have room (6.21)"
            );
        }
        for &(battle, _) in battles {
            let sides: BTreeSet<usize> = standing(&rules)
                .filter(|&(_, at, _)| at == battle)
                .map(|(block, ..)| block.faction.camp().index())
                .collect();
            assert_eq!(sides.len(), 2, "{id}: both sides stand in a battle at the start");
        }
    }
}

/// Where the blocks of identifiers stand.
fn places_of(rules: &Rules, ids: &[&str]) -> Vec<Hex> {
    let of = |id: &&str| {
        let found = standing(rules).find(|(block, ..)| block.id == *id);
        found.unwrap_or_else(|| panic!("{id} is not on the map")).1
    };
    ids.iter().map(of).collect()
}

#[test]
fn named_units_stand_where_the_rulebook_puts_them() {
    for (id, block, place) in [
        ("1939", "uk_static_gib", "gibraltar"),
        ("1939", "uk_static_malta", "malta"),
        ("1939", "fr_fort_metz", "metz"),
        ("1939", "fr_fort_strasbourg", "strasbourg"),
        ("1939", "fr_fort_mulhouse", "mulhouse"),
        ("1939B", "de_shq_okh", "bremen"),
        ("1939B", "de_mtn_18", "hamburg"),
        ("1939B", "de_thq_dietl", "rostock"),
        ("1939B", "de_static_19", "stettin"),
        ("1939B", "uk_hq_15ag", "calais"),
        ("1940", "uk_inf_nx", "narvik"),
        ("1940", "de_mtn_18", "trondheim"),
        ("1940", "fr_fort_metz", "metz"),
        ("1940B", "it_static_1ea", "ethiopia"),
        ("1940B", "it_mec_20", "tripoli"),
        ("1940B", "uk_inf_ind", "karachi"),
        ("1940B", "uk_inf_palf", "jerusalem"),
        ("1940B", "uk_mec_habf", "habbaniya"),
        ("1942", "ro_inf_3", "kerch"),
        ("1943", "uk_inf_3", "karachi"),
        ("1944", "uk_inf_3", "karachi"),
        ("1944", "us_shq_shaef", "london"),
        ("1944", "de_hq_obw", "paris"),
        ("1944", "de_hq_b", "rouen"),
        ("1944", "de_arm_ss1", "lille"),
        ("1944", "de_arm_west", "tours"),
        ("1944", "de_arm_76", "rome"),
    ] {
        let rules = rules(id);
        assert_eq!(places_of(&rules, &[block]), [at(&rules, place)], "{id}: {block} at {place}");
    }
}

#[test]
fn soviets_of_the_winter_war_stand_around_leningrad_and_tallinn() {
    let rules = rules("1939A");
    let (leningrad, tallinn, moscow) = (at(&rules, "leningrad"), at(&rules, "tallinn"), at(&rules, "moscow"));
    let mut of_the_north = 0;
    for (block, place, _) in standing(&rules).filter(|(block, ..)| block.faction == Faction::Soviets) {
        if block.id == "su_hq_moscow" {
            assert!(distance(place, moscow) <= 2);
        } else if front_of(&rules, place) == Front::North {
            of_the_north += 1;
        } else {
            assert!(distance(place, leningrad) <= 1 || distance(place, tallinn) <= 1, "{}", block.id);
        }
    }
    assert_eq!(of_the_north, 4, "a headquarters and three armies");
    let finland = land_of(&rules, "finland");
    let finns: Vec<Hex> = standing(&rules)
        .filter(|(block, ..)| block.faction == Faction::Axis)
        .map(|(_, place, _)| place)
        .collect();
    assert!(finns.iter().all(|place| finland.contains(place)));
    assert!(
        finns.contains(&at(&rules, "vyborg")) && finns.contains(&at(&rules, "3200")),
        "the Mannerheim Line"
    );
    let situation = &rules.scenario.situation;
    assert_eq!(situation.goal, Goal::WinterWar);
    assert_eq!(
        (situation.income(Faction::Soviets, 1), situation.income(Faction::Axis, 3)),
        (Some(18), Some(2))
    );
    assert_eq!(situation.income(Faction::Soviets, 0), None);
}

#[test]
fn operation_weser_starts_from_the_ports_and_falls_to_five_points() {
    let rules = rules("1939B");
    let port = |hex: Hex| rules.map.places.iter().any(|place| place.hex == hex && place.port != Port::None);
    let norwegians: Vec<Hex> =
        standing(&rules).filter(|(block, ..)| block.id.starts_with("no_")).map(|(_, hex, _)| hex).collect();
    assert_eq!(
        norwegians.iter().collect::<BTreeSet<_>>().len(),
        5,
        "a port of its own for each unit (20.81)"
    );
    assert!(norwegians.iter().all(|&hex| port(hex)));
    let britain = land_of(&rules, "great_britain");
    let calais = at(&rules, "calais");
    let expedition = standing(&rules).filter(|&(_, hex, _)| hex == calais).count();
    assert_eq!(expedition, 4);
    for (block, hex, _) in standing(&rules).filter(|(block, ..)| block.id.starts_with("uk_")) {
        assert!(hex == calais || britain.contains(&hex) && port(hex), "{}", block.id);
    }
    let situation = &rules.scenario.situation;
    let income = |month| Faction::ALL.map(|faction| situation.income(faction, month).unwrap_or(0));
    assert_eq!([income(1), income(2), income(3)], [[45, 29, 0], [5, 5, 0], [5, 5, 0]]);
    assert_eq!(rules.nations[rules.nation("norway").expect("Norway").at()].status, Status::Neutral);
    assert!(situation.holds(Fact::WeserWindow) && situation.holds(Fact::PhoneyWar));
    assert_eq!(situation.supremacy, Some(Camp::Coalition));
}

#[test]
fn poland_and_france_are_held_as_the_rulebook_asks() {
    let rules_of_1939 = rules("1939");
    let poles: Vec<Hex> = standing(&rules_of_1939)
        .filter(|(block, ..)| block.id.starts_with("pl_"))
        .map(|(_, hex, _)| hex)
        .collect();
    assert_eq!(poles.len(), 10);
    assert_eq!(poles.iter().collect::<BTreeSet<_>>().len(), 10, "one unit a hex (20.61)");
    let poland = land_of(&rules_of_1939, "poland");
    assert!(poles.iter().all(|hex| poland.contains(hex)));
    let danzig = at(&rules_of_1939, "danzig");
    assert!(standing(&rules_of_1939).all(|(_, hex, _)| hex != danzig), "Danzig is a free city");
    for id in ["1939", "1940", "1940A"] {
        let rules = rules(id);
        let france = land_of(&rules, "france");
        let french: BTreeSet<Hex> = standing(&rules)
            .filter(|(block, ..)| block.id.starts_with("fr_"))
            .map(|(_, hex, _)| hex)
            .collect();
        let cities = rules.map.places.iter().filter(|place| {
            france.contains(&place.hex)
                && matches!(place.city, City::Major | City::Open)
                && front_of(&rules, place.hex) == Front::West
        });
        for city in cities {
            assert!(french.contains(&city.hex), "{id}: {} is a major city of France", city.name);
        }
        for colony in ["tunisia", "algeria", "morocco"] {
            assert!(land_of(&rules, colony).iter().any(|hex| french.contains(hex)), "{id}: {colony}");
        }
        let british_in_france = standing(&rules)
            .filter(|(block, hex, _)| !block.id.starts_with("fr_") && france.contains(hex))
            .count();
        assert!(british_in_france <= 4, "{id}: the expedition has four units at most");
    }
    let rules = rules("1940");
    for city in ["batumi", "leninakan", "nakhichevan", "yerevan"] {
        assert!(standing(&rules).any(|(_, hex, _)| hex == at(&rules, city)), "{city} is garrisoned");
    }
    for (city, least) in [("moscow", 2), ("leningrad", 2), ("minsk", 1), ("kiev", 1)] {
        let near = standing(&rules).filter(|&(_, hex, _)| distance(hex, at(&rules, city)) <= 1).count();
        assert!(near >= least, "{city}: {near}");
    }
}

#[test]
fn the_axis_of_august_1940_holds_its_cities_and_ports() {
    let rules = rules("1940B");
    let held: BTreeSet<Hex> = standing(&rules)
        .filter(|(block, ..)| block.faction == Faction::Axis)
        .map(|(_, hex, _)| hex)
        .collect();
    let owners: BTreeMap<Hex, Faction> = rules.scenario.owners.iter().copied().collect();
    let basins = [Basin::Atlantic, Basin::WestBaltic, Basin::EastBaltic];
    for place in rules.map.places.iter().filter(|place| owners.get(&place.hex) == Some(&Faction::Axis)) {
        let out = !rules.scenario.in_play.contains(&place.hex);
        let port = place.port_seas.iter().any(|sea| basins.contains(&rules.map.seas[sea.at()].basin));
        let french = land_of(&rules, "france").contains(&place.hex) && place.city == City::Major;
        let italian =
            land_of(&rules, "italy").contains(&place.hex) && matches!(place.city, City::Major | City::Open);
        let asked = place.victory > 0 && place.id != "oslo" || port || french || italian;
        assert!(out || !asked || held.contains(&place.hex), "{} is not held", place.name);
    }
    for name in ["nice", "durres"] {
        assert!(held.contains(&at(&rules, name)), "{name}");
    }
    let situation = &rules.scenario.situation;
    assert_eq!(situation.saved, [(Faction::Allies, Front::West, 14)]);
    assert_eq!(situation.allotments.len(), 2);
}

#[test]
fn desert_and_satellites_are_where_they_may_be() {
    for id in ["1941", "1942", "1943", "1944"] {
        let rules = rules(id);
        for (nation, home) in [("romania", "romania"), ("bulgaria", "bulgaria"), ("hungary", "hungary")] {
            let home = land_of(&rules, home);
            for (block, hex, _) in standing(&rules) {
                if rules.nations[block.nation.at()].id != nation || block.id == "ro_inf_3" && id == "1942" {
                    continue;
                }
                let near = home.iter().any(|&own| own.line() != AREA_LINE && distance(own, hex) <= 1);
                assert!(near, "{id}: {} stands far from home", block.id);
            }
        }
        let finland = land_of(&rules, "finland");
        for (block, hex, _) in standing(&rules).filter(|(block, ..)| block.id.starts_with("fi_")) {
            // Greater Finland reaches to Petrozavodsk (20.82).
            assert!(finland.contains(&hex) || hex == at(&rules, "petrozavodsk"), "{id}: {}", block.id);
        }
    }
    for (id, italians) in [("1941", 8), ("1942", 8), ("1943", 8)] {
        let rules = rules(id);
        let own = standing(&rules)
            .filter(|(block, ..)| block.id.starts_with("it_inf_") && block.id != "it_inf_10")
            .map(|(_, hex, _)| hex)
            .collect::<Vec<_>>();
        assert_eq!(own.len(), italians);
        for country in ["france", "yugoslavia", "albania", "greece"] {
            assert!(own.iter().any(|hex| land_of(&rules, country).contains(hex)), "{id}: {country}");
        }
    }
    let rules = rules("1941");
    let tobruk = at(&rules, "tobruk");
    for (block, hex, _) in standing(&rules).filter(|(block, ..)| block.faction == Faction::Axis) {
        let german = block.id.starts_with("de_");
        let in_libya = land_of(&rules, "libya").contains(&hex);
        let allowed = ["de_hq_afrika", "de_arm_dak"].contains(&block.id.as_str());
        assert!(hex != tobruk && (!german || in_libya == allowed), "{}", block.id);
    }
}

#[test]
fn ss_units_are_no_stronger_than_the_average_of_their_type() {
    // By front, in 1943: 42 in 12 and 15 in 7 units of armour, 5 in 3 of mechanised infantry.
    let rules = rules("1943");
    for (id, most) in [("de_arm_ss2", 3), ("de_arm_ss1", 2), ("de_mec_ss4", 1)] {
        let steps = standing(&rules).find(|(block, ..)| block.id == id).expect("on the map").2;
        assert!(steps <= most, "{id} has {steps}");
    }
}

#[test]
fn those_who_come_later_come_as_their_cards_say() {
    let rules = rules("1941");
    let entry = |id: &str| {
        let block = rules.block(id).unwrap_or_else(|| panic!("{id} is in no roster"));
        rules.scenario.entries[block.at()].clone()
    };
    assert!(matches!(entry("su_shock_1"), Entry::Reinforcement { steps: 4, month, .. }
        if rules.calendar[usize::from(month)].id == "1941-11"));
    assert_eq!(entry("su_inf_30"), Entry::Upon(Condition::ReserveArmy, 3));
    assert_eq!(entry("se_inf_1"), Entry::WithNation(2));
    assert_eq!(entry("fi_inf_1"), Entry::WithNation(1), "30 points in June 1940 (20.82)");
    assert_eq!(entry("tito"), Entry::Upon(Condition::Tito, 1));
    assert_eq!(entry("it_static_1ea"), Entry::Pool, "lost in Ethiopia");
    assert_eq!(entry("bh_uk_1"), Entry::Beachhead { ready: false });
    assert!(rules.block("fr_inf_1").is_none() || entry("fr_inf_1") == Entry::Never, "France is defeated");
    assert!(rules.block("sr_inf_int").is_none(), "of the Civil War alone");
    for name in ["1942", "1943"] {
        let rules = self::rules(name);
        for id in ["al_ro_inf_1", "al_fi_inf_1"] {
            let block = rules.block(id).expect("in the roster");
            let entry = &rules.scenario.entries[block.at()];
            assert!(matches!(entry, Entry::WithNation(_)), "{id} waits in {name}");
        }
    }
    let rules = self::rules("1944A");
    assert_eq!(rules.scenario.situation.goal, Goal::VictoryCities { rivals: true });
    let beachheads = rules.scenario.entries.iter().filter_map(|entry| match entry {
        Entry::Beachhead { ready } => Some(*ready),
        _ => None,
    });
    assert_eq!(
        beachheads.fold((0, 0), |sum, ready| if ready { (sum.0 + 1, sum.1) } else { (sum.0, sum.1 + 1) }),
        (3, 3)
    );
    let rules = self::rules("1943");
    let gone = rules.block("it_thq_cs").expect("in the roster");
    assert_eq!(
        rules.scenario.entries[gone.at()],
        Entry::Never,
        "Italy's residents of the South are gone for good"
    );
    assert!(rules.blocks.iter().all(|block| block.kind != Kind::Beachhead || block.full == 1));
}
