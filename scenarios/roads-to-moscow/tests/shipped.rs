//! What the data of Roads to Moscow must say, whatever else is changed in them: counts and facts of the rulebook, the figures
//! that its battles imply, and that the engine takes them.

use std::collections::{BTreeMap, BTreeSet};

use sandtable_core::hex::Hex;
use sandtable_core::{Board, Game, Index, PlayContext, Rng64};
use sandtable_roads_to_moscow::editor::Editor;
use sandtable_roads_to_moscow::ids::{Player, Units, hex, hex_number};
use sandtable_roads_to_moscow::rules::{
    Belongs, Crt, Entry, Kind, Loss, MoveClass, Rules, Settlement, SideData, Terrain, Water, Weather,
};
use sandtable_roads_to_moscow::{RoadsToMoscow, State};
use sandtable_scenarios::kit;
use sandtable_scenarios_roads_to_moscow::{AnySystem, Description, Examples, SYSTEM, open};

const SCENARIOS: [&str; 4] = ["pervyy-voin", "road-to-mtsensk", "borodino-field", "mozhaysk"];

fn rules(id: &str) -> Rules {
    open(&format!("roads-to-moscow/{id}"), &[]).unwrap_or_else(|error| panic!("{error}")).into_rules()
}

fn game(id: &str) -> RoadsToMoscow {
    RoadsToMoscow::new(rules(id)).unwrap_or_else(|error| panic!("{error}"))
}

fn position(game: &RoadsToMoscow) -> State {
    game.initial(&mut PlayContext::silent(Rng64::stream(1941, 0, 0)))
}

fn neighbours(game: &RoadsToMoscow, number: u16) -> Vec<u16> {
    let mut all: Vec<u16> = game.board().neighbours(hex(number)).map(|(_, next)| hex_number(next)).collect();
    all.sort_unstable();
    all
}

fn side(rules: &Rules, a: u16, b: u16) -> Option<&SideData> {
    let ends = (hex(a), hex(b));
    rules.map.sides.iter().find(|side| (side.a, side.b) == ends || (side.b, side.a) == ends)
}

#[test]
fn every_scenario_opens_and_the_engine_takes_it() {
    kit::check_scenarios::<Examples>(&["borodino-field", "mozhaysk", "pervyy-voin", "road-to-mtsensk"]);
    for id in SCENARIOS {
        let rules = rules(id);
        assert_eq!(rules.scenario.id, id);
        let game = RoadsToMoscow::new(rules).unwrap();
        assert_eq!(position(&game).turn, 1);
    }
}

#[test]
fn random_games_keep_the_invariants() {
    for id in SCENARIOS {
        kit::check_invariants::<Examples>(&format!("roads-to-moscow/{id}"), &[], 2);
    }
}

// ---- the maps (2.1) ----

/// Counts of a map: hexes by terrain, settlements, sides by what they carry.
fn census(rules: &Rules) -> ([usize; 5], [usize; 3], [usize; 6], [usize; 4]) {
    let (hexes, sides) = (&rules.map.hexes, &rules.map.sides);
    let terrain = |terrain: Terrain, woods: bool| {
        hexes.iter().filter(|hex| hex.terrain == terrain && hex.woods == woods).count()
    };
    let settled = |settlement| hexes.iter().filter(|hex| hex.settlement == settlement).count();
    let carry = |has: fn(&SideData) -> bool| sides.iter().filter(|side| has(side)).count();
    (
        [
            terrain(Terrain::Clear, false),
            terrain(Terrain::Clear, true),
            terrain(Terrain::Rough, false),
            terrain(Terrain::Rough, true),
            terrain(Terrain::Swamp, true),
        ],
        [settled(Settlement::Town), settled(Settlement::Village), settled(Settlement::Hamlet)],
        [
            sides.len(),
            carry(|side| side.water == Water::River),
            carry(|side| side.water == Water::Stream),
            carry(|side| side.bridge),
            carry(|side| side.slope_up_into.is_some()),
            carry(|side| side.fort_protects.is_some()),
        ],
        [
            carry(|side| side.paths.primary),
            carry(|side| side.paths.secondary),
            carry(|side| side.paths.track),
            carry(|side| side.paths.railway),
        ],
    )
}

#[test]
fn both_maps_have_their_hexes_and_sides() {
    let mozhaysk = rules("mozhaysk");
    assert_eq!((mozhaysk.map.hexes.len(), mozhaysk.map.from_east), (1428, true));
    assert_eq!(
        census(&mozhaysk),
        ([877, 502, 26, 1, 22], [4, 12, 21], [663, 138, 162, 22, 28, 34], [61, 103, 158, 42])
    );
    let mtsensk = rules("road-to-mtsensk");
    assert_eq!((mtsensk.map.hexes.len(), mtsensk.map.from_east), (1428, false));
    assert_eq!(
        census(&mtsensk),
        ([1244, 118, 53, 5, 8], [4, 3, 13], [638, 113, 178, 25, 65, 0], [49, 95, 145, 51])
    );
    // Scenarios of a map share it.
    assert_eq!(rules("borodino-field").map, mozhaysk.map);
    assert_eq!(rules("pervyy-voin").map, mtsensk.map);
    for rules in [&mozhaysk, &mtsensk] {
        let numbers: BTreeSet<u16> = rules.map.hexes.iter().map(|data| hex_number(data.hex)).collect();
        let all = (1..=42).flat_map(|column| (1..=34).map(move |row| column * 100 + row));
        assert!(all.eq(numbers.into_iter()));
        for data in &rules.map.hexes {
            let settled = data.settlement != Settlement::None;
            assert!(!settled || data.terrain == Terrain::Clear && !data.woods, "{}", hex_number(data.hex));
            assert!(!settled || !data.name.is_empty());
        }
        for side in &rules.map.sides {
            let [a, b] = [side.a, side.b].map(hex_number);
            assert!(a < b, "{a} {b}");
            assert!(!side.bridge || side.water != Water::None, "{a} {b}");
            assert!(side.slope_up_into.is_none_or(|up| up == side.a || up == side.b), "{a} {b}");
            assert!(side.fort_protects.is_none_or(|hex| hex == side.a || hex == side.b), "{a} {b}");
        }
    }
}

/// The hexes and distances that the rulebook names or that its maps imply.
#[test]
fn the_grid_is_that_of_the_rulebook() {
    for id in ["mozhaysk", "road-to-mtsensk"] {
        let game = game(id);
        assert_eq!(neighbours(&game, 2631), [2530, 2531, 2630, 2632, 2730, 2731]);
        assert_eq!(neighbours(&game, 2729), [2629, 2630, 2728, 2730, 2829, 2830]);
        assert_eq!(game.distance(hex(2631), hex(2728)), 3);
        for place in game.board().places() {
            for next in game.board().neighbours(place) {
                assert!(neighbours(&game, hex_number(next.1)).contains(&hex_number(place)));
            }
        }
    }
    let mozhaysk = game("mozhaysk");
    assert_eq!(mozhaysk.distance(hex(4224), hex(2019)), 22);
    assert_eq!(mozhaysk.distance(hex(4224), hex(3423)), 8);
    assert_eq!(game("road-to-mtsensk").distance(hex(433), hex(3605)), 44);
}

/// 5.21 and the example of 8.56.
#[test]
fn hexes_that_the_rulebook_names_are_as_it_says() {
    let mozhaysk = rules("mozhaysk");
    let touching = mozhaysk.map.sides.iter().filter(|side| [side.a, side.b].contains(&hex(4224)));
    assert!(touching.into_iter().any(|side| side.paths.primary));
    let mtsensk = rules("road-to-mtsensk");
    let at = |number| mtsensk.map.hexes.iter().find(|data| data.hex == hex(number)).unwrap();
    let track = |a, b| side(&mtsensk, a, b).is_some_and(|side| side.paths.track);
    assert!(track(2631, 2730) && track(2730, 2729) && track(2729, 2728));
    assert!([2730, 2729].into_iter().all(|number| at(number).terrain == Terrain::Clear && !at(number).woods));
    assert!(at(2728).woods);
    assert!(at(2727).woods && at(2727).terrain == Terrain::Clear);
    assert!(side(&mtsensk, 2728, 2727).is_none());
}

/// Hexes that can be reached without enemies and without crossing unbridged rivers.
fn reach(id: &str, from: u16, points: u8, motorised: bool, weather: Weather) -> usize {
    let game = game(id);
    let mut editor = Editor::new(&game);
    editor.clear().weather(weather);
    let state = editor.finish();
    let unit = game.unit_ids().find(|&unit| {
        let data = game.unit(unit);
        let foot = data.class == MoveClass::Foot;
        data.player == Player::Soviet && data.kind != Kind::Leader && foot != motorised
    });
    let mover = game.mover(&Units::one(unit.unwrap()), Player::Soviet, false, false);
    let mut best: BTreeMap<Hex, u8> = BTreeMap::from([(hex(from), 2 * points)]);
    let mut queue = vec![hex(from)];
    while let Some(at) = queue.pop() {
        let left = best[&at];
        for (way, next) in game.board().neighbours(at) {
            let Some(price) = game.step_price(&state, mover, at, way, left) else { continue };
            if price <= left && best.get(&next).is_none_or(|&other| other < left - price) {
                best.insert(next, left - price);
                queue.push(next);
            }
        }
    }
    best.len() - 1
}

/// Counted by a program of its own on the same maps.
#[test]
fn as_many_hexes_are_in_reach_as_counted_by_other_means() {
    let both = |id, from, points, motorised| {
        [Weather::Dry, Weather::Rain].map(|weather| reach(id, from, points, motorised, weather))
    };
    assert_eq!(both("mozhaysk", 4224, 7, true), [109, 47]);
    assert_eq!(both("mozhaysk", 2019, 5, false), [163, 155]);
    assert_eq!(both("road-to-mtsensk", 929, 8, true), [257, 122]);
}

// ---- units (2.2) ----

#[test]
fn both_battles_have_their_units() {
    for (id, units, german, formations, air) in
        [("mozhaysk", 124, 60, 10, 8), ("road-to-mtsensk", 96, 45, 9, 7), ("borodino-field", 124, 60, 10, 5)]
    {
        let rules = rules(id);
        let own = rules.units.iter().filter(|unit| unit.player == Player::German).count();
        assert_eq!(
            (rules.units.len(), own, rules.formations.len(), rules.air.len()),
            (units, german, formations, air)
        );
        // One formation of the Soviet is any (4.25), and each other has a headquarters.
        assert_eq!(rules.formations.iter().filter(|formation| formation.any).count(), 1);
        for (at, formation) in rules.formations.iter().enumerate().filter(|(_, formation)| !formation.any) {
            let own = |unit: &&sandtable_roads_to_moscow::rules::Unit| matches!(unit.belongs, Belongs::Formation(of) if of.at() == at);
            let staffs = rules.units.iter().filter(own).filter(|unit| unit.kind == Kind::Headquarters);
            assert!(staffs.count() > 0, "{}", formation.id);
        }
        let names: BTreeSet<&str> = rules.units.iter().map(|unit| unit.id.as_str()).collect();
        assert_eq!(names.len(), units);
    }
}

/// 2.2.2, 3.14, 3.6, 12.0, 15.1: what kinds of units have and have not.
#[test]
fn units_have_what_their_kind_has() {
    for id in ["mozhaysk", "road-to-mtsensk"] {
        let rules = rules(id);
        for unit in &rules.units {
            let traits = &rules.kinds[unit.kind as usize];
            let artillery = matches!(unit.kind, Kind::Artillery | Kind::RocketArtillery);
            let staff = matches!(unit.kind, Kind::Headquarters | Kind::Arko);
            let id = &unit.id;
            assert!(!traits.combat || unit.steps >= 1, "{id}");
            assert!(traits.combat || unit.stacking == 0 && unit.full.offence == 0, "{id}");
            assert!(!(artillery || staff) || unit.steps == 1 && unit.full.offence == 0, "{id}");
            assert_eq!(unit.support > 0, artillery, "{id}");
            assert_eq!(unit.range > 0, artillery, "{id}");
            assert!(!staff || (1..=2).contains(&unit.command), "{id}");
            assert!(!staff || unit.stacking == 0, "{id}");
            assert_eq!(unit.kind == Kind::Armour, unit.armoured, "{id}");
            assert!(!unit.armoured || unit.vehicle, "{id}");
            assert!(unit.kind != Kind::AntiTank || unit.red_defence, "{id}");
            assert!(unit.kind != Kind::RocketArtillery || unit.class == MoveClass::Orange, "{id}");
            if unit.steps == 2 {
                assert!(
                    unit.reduced.offence <= unit.full.offence && unit.reduced.defence <= unit.full.defence,
                    "{id}"
                );
            }
        }
    }
}

// ---- tables ----

/// 11.23 tells three cells; and whoever has better odds or rolls lower is never worse off.
#[test]
fn the_combat_tables_are_those_of_the_rulebook() {
    let rules = rules("mozhaysk");
    let cell = |crt: Crt, column: &str, roll: i8| {
        let table = &rules.results[crt as usize];
        let (attack, defence) = column.split_once('-').unwrap();
        let (attack, defence) = (attack.parse().unwrap(), defence.parse().unwrap());
        table.result(table.column(attack, defence), roll).to_string()
    };
    assert_eq!(cell(Crt::Assault, "3-1", 5), "DR*");
    assert_eq!(cell(Crt::Assault, "3-1", 7), "A1/D1*");
    assert_eq!(cell(Crt::Assault, "5-1", 2), "A1/D3R*");
    assert_eq!(rules.results[Crt::Assault as usize].odds.len(), 11);
    assert_eq!(rules.results[Crt::Mobile as usize].odds.len(), 12);
    // A ladder: one column further is one row better (its cells are reconstructed so).
    for table in &rules.results {
        for row in 1..table.rows.len() {
            let better = &table.rows[row - 1][..table.odds.len() - 1];
            assert_eq!(&table.rows[row][1..], better, "row {row}");
        }
        // 10.53: worse than its first column is what needs no roll.
        assert_eq!(table.rows.last().unwrap()[0], table.below);
    }
    // 17.1: nobody is disorganised on the Mobile table.
    let mobile = &rules.results[Crt::Mobile as usize];
    let disorganises = |loss: Loss| loss.disorganised;
    assert!(
        !mobile.rows.iter().flatten().any(|cell| disorganises(cell.attacker) || disorganises(cell.defender))
    );
}

/// 5.11: each box has its numbers; 14.26: the 16th in the morning is no winter.
#[test]
fn turns_have_their_weather() {
    let mozhaysk = rules("mozhaysk");
    assert_eq!(mozhaysk.calendar.len(), 12);
    let turn = |rules: &Rules, name: &str| {
        rules.calendar.iter().find(|turn| turn.name == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    assert!(!turn(&mozhaysk, "16AM").winter);
    assert!(mozhaysk.calendar.iter().any(|turn| turn.winter));
    let mtsensk = rules("road-to-mtsensk");
    assert_eq!(mtsensk.calendar.len(), 16);
    let winter: Vec<&str> =
        mtsensk.calendar.iter().filter(|turn| turn.winter).map(|turn| turn.name.as_str()).collect();
    assert_eq!(winter, ["10AM", "10PM", "11AM", "11PM"]);
    assert_eq!(mtsensk.calendar.first().unwrap().name, "4AM");
    assert_eq!(mtsensk.calendar.last().unwrap().name, "11PM");
}

// ---- scenarios ----

#[test]
fn scenarios_begin_as_their_battles_did() {
    let expected = [
        ("pervyy-voin", Player::Soviet, 7, 12, 4, (18, 42), true, (2, 6)),
        ("road-to-mtsensk", Player::German, 12, 18, 16, (1, 42), true, (4, 6)),
        ("borodino-field", Player::German, 12, 17, 6, (18, 42), false, (2, 6)),
        ("mozhaysk", Player::German, 35, 37, 12, (1, 42), false, (3, 7)),
    ];
    for (id, attacker, threshold, total, turns, columns, fuel, markers) in expected {
        let rules = rules(id);
        let scenario = &rules.scenario;
        let objectives: u32 = scenario.objectives.iter().map(|&(_, points)| u32::from(points)).sum();
        assert_eq!((scenario.attacker, scenario.threshold, objectives), (attacker, threshold, total), "{id}");
        assert_eq!(
            (rules.calendar.len(), scenario.columns, rules.fuel.in_force),
            (turns, columns, fuel),
            "{id}"
        );
        let owned = |player| {
            let own = rules
                .markers
                .iter()
                .filter(|marker| rules.formations[marker.formation.at()].player == player);
            own.count()
        };
        let grouped: usize = rules.groups.iter().map(|group| group.markers.len()).sum();
        assert_eq!(owned(Player::German) + owned(Player::Soviet), markers.0 + markers.1 + grouped, "{id}");
        // 4.24: two at most.
        for (at, formation) in rules.formations.iter().enumerate() {
            let own = rules.markers.iter().filter(|marker| marker.formation.at() == at).count();
            assert!(own <= 2, "{id} {}", formation.id);
        }
        let description = Description::of(&rules);
        assert_eq!(description.fuel, fuel);
        assert!(description.to_string().contains(&scenario.name), "{description}");
    }
    // 1.2: the automatic victory of the whole battles, and the retreat towards Mozhaysk.
    let numbers = |hexes: &[Hex]| hexes.iter().map(|&hex| hex_number(hex)).collect::<Vec<_>>();
    let mozhaysk = rules("mozhaysk").scenario;
    assert_eq!((numbers(&mozhaysk.automatic), mozhaysk.automatic_until), (vec![2119, 2019, 2023, 2623], 6));
    assert_eq!(mozhaysk.retreat_direction.unwrap().towards, hex(2019));
    let mtsensk = rules("road-to-mtsensk").scenario;
    assert_eq!((numbers(&mtsensk.automatic), mtsensk.automatic_until), (vec![3605, 3805], 12));
    assert!(rules("borodino-field").scenario.automatic.is_empty());
}

/// Nobody begins above nine points in a hex, with the enemy, out of supply, or alone beside the enemy without combat value
/// (3.32, 8.14, 6.11, 8.15); sources are their owner's (6.31).
#[test]
fn everybody_begins_in_supply_and_within_the_stacking_limit() {
    for id in SCENARIOS {
        let game = game(id);
        let state = Editor::new(&game).finish();
        for player in Player::ALL {
            for &source in &game.rules.scenario.sources[player.index()] {
                assert_eq!(state.controller(source), player, "{id} {}", hex_number(source));
            }
            let nets = [false, true].map(|foot| game.supplied_hexes(&state, player, foot));
            for unit in game.units_of(player) {
                let Entry::At(at) = game.rules.entries[unit.at()] else { continue };
                let data = game.unit(unit);
                assert_eq!(state.place(unit), Some(at));
                let foot = usize::from(data.class == MoveClass::Foot);
                assert!(nets[foot].contains(at) || data.kind == Kind::Leader, "{id} {}", data.id);
                assert!(game.stacking(&state.stack(at)) <= 9, "{id} {}", hex_number(at));
                assert!(!state.occupied[player.enemy().index()].contains(at), "{id} {}", data.id);
            }
        }
    }
}

/// 5.22: who needs a path enters by one.
#[test]
fn reinforcements_come_by_hexes_in_play_on_turns_of_the_scenario() {
    for id in SCENARIOS {
        let rules = rules(id);
        let on_path = |hex: Hex| {
            rules.map.sides.iter().any(|side| {
                let paths = side.paths;
                [side.a, side.b].contains(&hex)
                    && (paths.primary || paths.secondary || paths.track || paths.railway)
            })
        };
        for (unit, entry) in rules.units.iter().zip(&rules.entries) {
            let (Entry::From { hexes, .. } | Entry::Optional { hexes, .. }) = entry else { continue };
            for &hex in hexes {
                let column = (hex_number(hex) / 100) as u8;
                assert!(
                    (rules.scenario.columns.0..=rules.scenario.columns.1).contains(&column),
                    "{id} {}",
                    unit.id
                );
                assert!(
                    unit.class == MoveClass::Foot || on_path(hex),
                    "{id} {} {}",
                    unit.id,
                    hex_number(hex)
                );
            }
            if let Entry::From { turn, .. } = entry {
                assert!((1..=rules.calendar.len()).contains(&usize::from(*turn)), "{id} {}", unit.id);
            }
        }
    }
}

// ---- provenance ----

#[test]
fn every_fact_states_its_provenance() {
    for id in SCENARIOS {
        let scenario = open(&format!("roads-to-moscow/{id}"), &[]).unwrap();
        let counts = scenario.provenance_counts();
        let of = |file: &str| {
            let count = counts.iter().find(|count| count.file == file).unwrap_or_else(|| panic!("{file}"));
            count.rulebook + count.reconstructed
        };
        assert_eq!(of("units.csv"), 220);
        assert_eq!(of("maps/mozhaysk/hexes.csv"), 1428);
        assert_eq!(of("maps/mozhaysk/sides.csv"), 663);
        assert_eq!(of("maps/mtsensk/sides.csv"), 638);
        assert_eq!(of("formations.csv"), 19);
        assert_eq!(of("air_units.csv"), 15);
        assert_eq!(of("unit_types.csv"), 20);
        assert_eq!(of("calendar.csv"), 28);
        assert_eq!(of("places.csv"), 57);
        assert_eq!(of("options.toml"), 3);
        assert!(of("charts.toml") > 25 && of("terrain.toml") > 10);
        let placed = scenario
            .rules()
            .entries
            .iter()
            .filter(|entry| !matches!(entry, Entry::Never | Entry::Fuel { .. }));
        assert_eq!(of("setup/units.csv"), placed.count());
        assert_eq!(of("setup/objectives.csv"), scenario.rules().scenario.objectives.len());
    }
}

#[test]
fn facts_name_rules_and_rulings_that_exist() {
    kit::check_facts::<Examples>(true, 20);
    let known: BTreeSet<String> = SYSTEM.coverage().unwrap().into_iter().map(|rule| rule.rule).collect();
    assert_eq!(known.len(), 308);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let rulings: toml::Table = toml::from_str(&read("rulings.toml")).unwrap();
    assert_eq!(rulings.len(), 112);
    for (id, ruling) in &rulings {
        for key in ["question", "ruling", "reason"] {
            assert!(ruling[key].as_str().is_some_and(|text| !text.is_empty()), "{id}: {key}");
        }
    }
}
