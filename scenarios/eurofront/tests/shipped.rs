//! What the data must say whatever else changes: production, blocks, charts, and the set-up of each scenario.

use std::collections::{BTreeMap, BTreeSet};

use sandtable_core::Index;
use sandtable_core::hex::Hex;
use sandtable_eurofront::Rules;
use sandtable_eurofront::ids::{AREA_LINE, Faction, Front, hex};
use sandtable_eurofront::rules::{
    Arrival, City, CivilWar, Cost, Entry, EventRoll, Fire, FrenchAid, Kind, Player, Port, Status, Weather,
};
use sandtable_scenarios::kit;
use sandtable_scenarios_eurofront::{Examples, Override, SYSTEM, open};

fn rules(edits: &[&str]) -> Rules {
    let edits: Vec<Override> = edits.iter().map(|edit| edit.parse().unwrap()).collect();
    open("eurofront/1936", &edits).unwrap_or_else(|error| panic!("{error}")).into_rules()
}

fn civil_war(rules: &Rules) -> &CivilWar {
    rules.civil_war.as_ref().expect("the rules of the Civil War")
}

/// Rows of a table of the data, by column.
fn rows(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    lines.map(|line| head.iter().copied().zip(line.split(',')).collect()).collect()
}

#[test]
fn every_scenario_opens_and_names_itself() {
    use sandtable_scenarios::AnySystem as _;

    let names: Vec<String> = SYSTEM.scenarios().into_iter().map(|scenario| scenario.name).collect();
    assert_eq!(names.len(), 13);
    assert_eq!(names[0], "eurofront/1936");
    let text = (SYSTEM.describe)(&rules(&[]));
    assert!(text.starts_with("1936: The Spanish Civil War\n"), "{text}");
    assert!(text.contains("35 months, 1936-07 to 1939-05, 69 fortnights"), "{text}");
}

#[test]
fn cities_and_resources_produce_what_the_table_of_sources_says() {
    let rules = rules(&[]);
    let country = |hex: Hex| {
        if hex.line() == AREA_LINE {
            return String::new();
        }
        rules.map.hexes.iter().find(|data| data.hex == hex).map_or(String::new(), |data| data.country.clone())
    };
    let front = |hex: Hex| rules.map.hexes.iter().find(|data| data.hex == hex).and_then(|data| data.front);
    let mut sums: BTreeMap<(String, Option<Front>), (u32, u32)> = BTreeMap::new();
    for place in &rules.map.places {
        let at = match place.id.as_str() {
            "petsamo" => ("finland".to_owned(), None),
            "gallivare" => ("sweden".to_owned(), None),
            "siberia" => ("ussr".to_owned(), None),
            _ => (country(place.hex), front(place.hex)),
        };
        let sum = sums.entry(at).or_default();
        sum.0 += u32::from(place.points);
        sum.1 += u32::from(place.resources);
    }
    let of = |countries: &[&str], only: Option<Front>| {
        let own = sums.iter().filter(|((country, front), _)| {
            countries.contains(&country.as_str()) && (only.is_none() || *front == only)
        });
        own.fold((0, 0), |sum, (_, points)| (sum.0 + points.0, sum.1 + points.1))
    };
    for (countries, front, points) in [
        (&["great_britain"][..], None, (22, 0)),
        (&["france", "tunisia"], None, (10, 2)),
        (&["baltic_states"], None, (1, 0)),
        (&["belgium"], None, (2, 0)),
        (&["bulgaria"], None, (1, 0)),
        (&["czechoslovakia"], None, (3, 0)),
        (&["danzig"], None, (2, 0)),
        (&["denmark"], None, (2, 0)),
        (&["finland"], None, (1, 1)),
        (&["germany"], Some(Front::West), (56, 4)),
        (&["germany"], Some(Front::East), (1, 0)),
        (&["greece"], None, (2, 0)),
        (&["holland"], None, (4, 0)),
        (&["hungary"], None, (3, 1)),
        (&["iraq"], None, (0, 4)),
        (&["italy"], None, (8, 0)),
        (&["norway"], None, (1, 0)),
        (&["persia"], None, (0, 6)),
        (&["poland"], Some(Front::West), (1, 1)),
        (&["poland"], Some(Front::East), (2, 0)),
        (&["portugal"], None, (1, 0)),
        (&["romania"], None, (1, 4)),
        (&["spain"], None, (3, 0)),
        (&["sweden"], None, (2, 2)),
        (&["switzerland"], None, (2, 0)),
        (&["turkey_asia", "turkey_europe"], None, (5, 0)),
        (&["yugoslavia"], None, (1, 0)),
        // The table is three short of what the scenarios give the Soviet Union (ruling A18).
        (&["ussr"], None, (51, 28)),
    ] {
        assert_eq!(of(countries, front), points, "{countries:?} {front:?}");
    }
    let victory: Vec<u8> =
        rules.map.places.iter().map(|place| place.victory).filter(|&points| points > 0).collect();
    assert_eq!(
        (victory.len(), victory.iter().sum::<u8>()),
        (20, 21),
        "Victory Cities, Berlin counting twice"
    );
}

#[test]
fn blocks_are_as_many_as_the_rosters_say() {
    let rows: Vec<_> = rows(include_str!("../blocks.csv"));
    // Blocks in the other colour, of nations that may join either side (16.3, 16.84), repeat those of the rosters.
    let (recoloured, rows): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|row| row["basis"].contains("other side's colour"));
    assert_eq!((rows.len(), recoloured.len()), (435, 102));
    for other in &recoloured {
        let own = rows
            .iter()
            .find(|row| ["al", "ax"].iter().any(|colour| other["id"] == format!("{colour}_{}", row["id"])))
            .expect("the block of the roster");
        assert_ne!(own["side"], other["side"]);
        for column in ["nation", "type", "quality", "strength", "class", "entry", "entry_steps"] {
            assert_eq!(own[column], other[column], "{}", other["id"]);
        }
    }
    let count = |nation: &str, kind: &str| {
        let own = |row: &&BTreeMap<&str, &str>| row["nation"] == nation && row["type"] == kind;
        rows.iter().filter(own).count()
    };
    for (kind, german, soviet) in [
        ("armour", 22, 12),
        ("mech", 10, 8),
        ("infantry", 48, 35),
        ("mountain", 9, 2),
        ("para", 2, 1),
        ("fort", 7, 0),
        ("static", 22, 0),
        ("cavalry", 1, 4),
        ("shock", 0, 4),
        ("amphibious", 0, 1),
        ("hq", 10, 6),
        ("shq", 2, 1),
        ("thq", 1, 0),
    ] {
        assert_eq!((count("germany", kind), count("ussr", kind)), (german, soviet), "{kind}");
    }
    for (nation, blocks) in [
        ("poland", 10),
        ("denmark", 1),
        ("belgium", 3),
        ("holland", 2),
        ("greece", 5),
        ("norway", 6),
        ("sweden", 9),
        ("finland", 8),
        ("romania", 4),
        ("hungary", 3),
        ("bulgaria", 2),
        ("turkey", 12),
    ] {
        assert_eq!(rows.iter().filter(|row| row["nation"] == nation).count(), blocks, "{nation}");
    }
    let ids: BTreeSet<&str> = rows.iter().map(|row| row["id"]).collect();
    assert_eq!(ids.len(), rows.len());
    // The campaign of 1939 has those of the nations that take part, as they are there, but for those of the Civil War.
    let loaded = |id: &str| open(id, &[]).unwrap_or_else(|error| panic!("{id}: {error}")).into_rules();
    let campaign = loaded("eurofront/1939");
    let status = |id: &str| campaign.nations[campaign.nation(id).expect("a nation").at()].status;
    let mut counted = 0;
    for row in rows.iter().filter(|row| status(row["nation"]) != Status::Absent) {
        let block = campaign.blocks.iter().find(|block| block.id == row["id"]);
        let comes = row["entry"] != "scw" && row["condition"] != "spanish_volunteers";
        assert_eq!(block.is_some(), comes, "{}", row["id"]);
        if let Some(block) = block {
            let strength = block.full.to_string();
            let found = (block.faction.id(), block.kind.id(), strength.as_str());
            assert_eq!(found, (row["side"], row["type"], row["strength"]), "{}", row["id"]);
            counted += 1;
        }
    }
    assert!(counted > 350, "{counted}");
    // Nobody plays the Soviets of 1940A.
    let of_two = loaded("eurofront/1940A");
    assert!(of_two.blocks.iter().all(|block| block.faction != Faction::Soviets));
}

#[test]
fn types_of_unit_move_fire_and_cost_as_on_the_chart() {
    use Fire::{Double, None as NoFire, Single, Triple};
    type Row =
        (Kind, [u8; 3], Fire, Fire, Option<(u8, u8)>, Option<(u8, u8)>, Option<(u8, u8)>, Option<(u8, u8)>);

    let rules = rules(&[]);
    let chart: [Row; 13] = [
        (Kind::Armour, [3, 1, 2], Double, Double, Some((8, 12)), Some((8, 16)), Some((4, 8)), Some((12, 24))),
        (Kind::Mech, [3, 1, 2], Single, Double, Some((6, 9)), Some((6, 12)), Some((3, 6)), Some((9, 18))),
        (Kind::Infantry, [2, 1, 1], Single, Single, Some((4, 6)), Some((4, 8)), Some((2, 4)), Some((6, 12))),
        (Kind::Mountain, [2, 1, 1], Single, Single, Some((5, 8)), Some((5, 10)), Some((3, 6)), Some((8, 16))),
        (Kind::Cavalry, [3, 2, 2], Single, Single, Some((6, 9)), Some((6, 12)), Some((3, 6)), None),
        (Kind::Shock, [1, 1, 1], Double, Double, None, Some((6, 12)), Some((3, 6)), None),
        (Kind::Static, [1, 1, 1], Single, Single, Some((3, 2)), Some((3, 3)), None, Some((4, 4))),
        (Kind::Fort, [0, 0, 0], Single, Triple, Some((10, 15)), Some((10, 20)), None, None),
        (Kind::Amphibious, [2, 1, 1], Single, Single, None, Some((4, 12)), Some((2, 6)), Some((6, 18))),
        (
            Kind::Para,
            [2, 1, 1],
            Single,
            Double,
            Some((12, 18)),
            Some((12, 24)),
            Some((6, 12)),
            Some((18, 36)),
        ),
        (Kind::Hq, [2, 1, 1], NoFire, NoFire, Some((10, 20)), Some((10, 20)), Some((10, 20)), Some((10, 20))),
        (
            Kind::SupremeHq,
            [2, 1, 1],
            NoFire,
            NoFire,
            Some((10, 20)),
            Some((10, 20)),
            Some((10, 20)),
            Some((10, 20)),
        ),
        (Kind::TheatreHq, [2, 1, 1], NoFire, NoFire, Some((5, 10)), Some((5, 10)), None, Some((5, 10))),
    ];
    for (kind, speed, offence, defence, axis, allied, soviet, extreme) in chart {
        let data = rules.kinds[kind as usize];
        assert_eq!((data.speed, data.fire.offence, data.fire.defence), (speed, offence, defence), "{kind:?}");
        let costs =
            [axis, allied, soviet, extreme].map(|cost| cost.map(|(step, cadre)| Cost { step, cadre }));
        assert_eq!(data.costs, costs, "{kind:?}");
        let least = u8::from(!kind.is_headquarters() && kind != Kind::Static);
        assert_eq!(data.least, least, "{kind:?}");
        assert_eq!(data.ignores_stop, kind == Kind::Cavalry);
        assert_eq!(data.supreme_only, matches!(kind, Kind::Static | Kind::Fort), "{kind:?}");
    }
    let infantry = rules.kinds[Kind::Infantry as usize];
    assert_eq!(infantry.motorised_speed, [3, 1, 2]);
    let armour = rules.kinds[Kind::Armour as usize];
    assert_eq!((armour.desert_fire.offence, armour.desert_fire.defence), (Triple, Double));
    let mountain = rules.kinds[Kind::Mountain as usize];
    assert_eq!((mountain.mountain_fire.offence, mountain.mountain_fire.defence), (Double, Double));
    assert_eq!(rules.kinds[Kind::Fort as usize].defence, 3);
}

#[test]
fn charts_say_what_the_rules_say() {
    let rules = rules(&[]);
    assert_eq!(rules.combat.hits_from, [7, 6, 5, 4, 3]);
    assert_eq!(rules.combat.pursuit, [Fire::Double, Fire::Single, Fire::None]);
    assert_eq!((rules.side_limits.clear, rules.side_limits.other, rules.side_limits.mud), (2, 1, 1));
    let repulse = Weather::Dry as usize..=Weather::Snow as usize;
    let repulse: Vec<u8> = rules.weather[repulse].iter().map(|weather| weather.river_repulse).collect();
    assert_eq!(repulse, [2, 3, 0]);
    let mud = rules.weather[Weather::Mud as usize];
    assert!(mud.stop && mud.single_fire && mud.disrupts && mud.no_deployment && mud.defence == 2);
    let stacking = rules.terrain.map(|terrain| terrain.stacking);
    assert_eq!(stacking, [4, 4, 4, 3, 2, 2, 4, 0, 0, 0, 0]);
    let defence = rules.terrain.map(|terrain| terrain.defence);
    assert_eq!(defence[..7], [1, 2, 2, 2, 2, 2, 1]);
    let numbers = rules.numbers;
    assert_eq!((numbers.supply_line, numbers.desert_supply_line, numbers.rail_move), (2, 1, 10));
    assert_eq!((numbers.supreme_moves, numbers.theatre_moves, numbers.supreme_air_range), (2, 1, 2));
}

#[test]
fn diplomacy_has_its_events_and_reactions() {
    let rules = rules(&[]);
    assert_eq!((rules.events.len(), rules.reactions.len()), (51, 32));
    let event = |id: &str| &rules.events[rules.event(id).unwrap().at()];
    assert_eq!(event("PP").lines[0].roll, EventRoll::Always);
    assert_eq!((event("S1").side, &event("S1").lines[0].roll), (Faction::Soviets, &EventRoll::UpTo(3)));
    let side = |faction| rules.events.iter().filter(|event| event.side == faction).count();
    assert_eq!(side(Faction::Axis), 24);
    let reaction = |of: &str, neutral: &str| {
        let (of, neutral) = (rules.nation(of).unwrap(), rules.nation(neutral).unwrap());
        let found = rules.reactions.iter().find(|link| link.belligerent == of && link.neutral == neutral);
        found.map(|link| (link.up_to, link.joins))
    };
    assert_eq!(reaction("holland", "belgium"), Some(([6, 1], None)));
    assert_eq!(reaction("romania", "hungary").map(|link| link.1), Some(Some(Faction::Axis)));
    assert_eq!(reaction("spain_nat", "portugal").map(|link| link.1), Some(Some(Faction::Allies)));
    assert_eq!(reaction("belgium", "france"), None);
}

#[test]
fn the_months_of_1936_have_their_weather_and_seasons() {
    let rules = rules(&[]);
    assert_eq!(rules.calendar.len(), 35);
    assert_eq!(rules.calendar.iter().map(|month| u32::from(month.fortnights)).sum::<u32>(), 69);
    let month = |id: &str| rules.calendar.iter().find(|month| month.id == id).unwrap();
    for (id, season, opens, odd, even, storms) in [
        ("1936-07", "S36", false, Weather::Dry, Weather::Dry, false),
        ("1936-11", "S36", false, Weather::Mud, Weather::Dry, true),
        ("1936-12", "W36", true, Weather::Mud, Weather::Mud, true),
        ("1937-01", "W36", false, Weather::Mud, Weather::Mud, true),
        ("1937-02", "W36", false, Weather::Mud, Weather::Dry, true),
        ("1937-06", "S37", true, Weather::Dry, Weather::Dry, false),
        ("1939-05", "W38", false, Weather::Dry, Weather::Dry, false),
    ] {
        let found = month(id);
        let west = found.weather[0];
        assert_eq!((found.season.as_str(), found.opens_season), (season, opens), "{id}");
        assert_eq!((west.odd, west.even, west.storms), (odd, even, storms), "{id}");
        assert_eq!((found.air[0], found.air[1]), ([Fire::Double; 4], [Fire::Single; 4]), "{id}");
    }
    let civil_war = civil_war(&rules);
    let name = |at: u8| rules.calendar[usize::from(at)].id.as_str();
    assert_eq!(name(civil_war.blockade_from), "1937-06");
    assert_eq!(name(civil_war.intervention_ends_from), "1938-12");
    assert_eq!(name(civil_war.recognition_from), "1936-12");
}

#[test]
fn the_forces_of_1936_are_those_of_the_scenario() {
    let rules = rules(&[]);
    assert_eq!(rules.scenario.players, [Player::Nationalists, Player::Republicans]);
    assert_eq!(rules.scenario.fixed_order, Some(vec![Faction::Axis, Faction::Allies]));
    let mut forces: BTreeMap<(Faction, bool, Kind), (u8, u8)> = BTreeMap::new();
    for (block, entry) in rules.blocks.iter().zip(&rules.scenario.entries) {
        let (starts, steps) = match *entry {
            Entry::At(_, steps) | Entry::Militia(steps) => (true, steps),
            Entry::Reinforcement { steps, .. } => (false, steps),
            _ => panic!("{} does not come", block.id),
        };
        assert_eq!(matches!(entry, Entry::Militia(_)), block.kind == Kind::Static, "{}", block.id);
        let force = forces.entry((block.faction, starts, block.kind)).or_default();
        force.0 += 1;
        force.1 += steps;
    }
    // Of the values of headquarters the rulebook gives the sum of both alone.
    let expected = BTreeMap::from([
        ((Faction::Axis, true, Kind::Hq), (1, 1)),
        ((Faction::Axis, true, Kind::TheatreHq), (1, 3)),
        ((Faction::Axis, true, Kind::Infantry), (6, 10)),
        ((Faction::Axis, true, Kind::Static), (4, 2)),
        ((Faction::Axis, false, Kind::Mech), (1, 1)),
        ((Faction::Allies, true, Kind::Hq), (1, 1)),
        ((Faction::Allies, true, Kind::TheatreHq), (1, 1)),
        ((Faction::Allies, true, Kind::Infantry), (4, 6)),
        ((Faction::Allies, true, Kind::Static), (6, 3)),
        ((Faction::Allies, false, Kind::Infantry), (1, 1)),
        ((Faction::Allies, false, Kind::Armour), (1, 1)),
    ]);
    assert_eq!(forces, expected);
    let entry = |id: &str| &rules.scenario.entries[rules.block(id).unwrap().at()];
    let albacete = rules.place("albacete").unwrap();
    let arrives = |month, ports: &[Hex]| Entry::Reinforcement {
        month,
        steps: 1,
        arrival: Arrival::Ports(ports.to_vec()),
    };
    assert_eq!(*entry("sr_inf_int"), arrives(2, &[albacete]));
    assert_eq!(*entry("sr_arm_pavlov"), arrives(3, &[]));
    assert_eq!(*entry("sn_mec_bs"), arrives(5, &[]));
    let foreign: Vec<&str> =
        (rules.blocks.iter()).filter(|block| block.foreign).map(|block| block.id.as_str()).collect();
    assert_eq!(foreign, ["sn_mec_bs", "sr_inf_int", "sr_arm_pavlov"]);
    // Three units of the Nationalists begin in separate cities of Spanish Morocco.
    let morocco: BTreeSet<Hex> = ["sp_sfl", "sn_inf_1", "sn_hq_1"]
        .iter()
        .map(|id| match entry(id) {
            Entry::At(hex, _) => *hex,
            other => panic!("{id}: {other:?}"),
        })
        .collect();
    assert_eq!(morocco, BTreeSet::from([hex(5, 27), hex(6, 28), hex(7, 29)]));
    let nation = |id: &str| rules.nations[rules.nation(id).unwrap().at()].status;
    assert_eq!(nation("spain_nat"), Status::Belligerent(Faction::Axis));
    assert_eq!(nation("spain_rep"), Status::Belligerent(Faction::Allies));
    assert_eq!(nation("germany"), Status::Absent);
}

#[test]
fn militia_stand_in_their_places_in_the_historical_game() {
    let rules = rules(&["setup.deployment=historical"]);
    let entry = |id: &str| &rules.scenario.entries[rules.block(id).unwrap().at()];
    assert_eq!(*entry("sr_static_7"), Entry::At(rules.place("toledo").unwrap(), 1));
    assert!(rules.scenario.entries.iter().all(|entry| !matches!(entry, Entry::Militia(_))));
}

#[test]
fn spain_is_loyal_and_counted_as_the_civil_war_says() {
    let rules = rules(&[]);
    let civil_war = civil_war(&rules);
    let at = |name: &str| rules.place(name).unwrap();
    let country = |hex: Hex| rules.map.hexes.iter().find(|data| data.hex == hex).unwrap().country.as_str();
    // Seventeen cities in the example of rule 9, Madrid and Barcelona counting twice.
    let counted: u8 = civil_war.pacification.iter().map(|&(_, count)| count).sum();
    assert_eq!((counted, civil_war.pacification.len()), (17, 15));
    let double: BTreeSet<Hex> =
        civil_war.pacification.iter().filter(|&&(_, count)| count == 2).map(|&(hex, _)| hex).collect();
    assert_eq!(double, BTreeSet::from([at("madrid"), at("barcelona")]));
    assert!(civil_war.pacification.iter().all(|&(hex, _)| country(hex) == "spain"));
    // Each hex is loyal to one side; all in play with a place are.
    let loyal: BTreeMap<Hex, Faction> = civil_war.loyal.iter().copied().collect();
    assert_eq!(loyal.len(), civil_war.loyal.len());
    for (name, faction) in [
        ("Madrid", Faction::Allies),
        ("barcelona", Faction::Allies),
        ("gijon", Faction::Allies),
        ("badajoz", Faction::Allies),
        ("seville", Faction::Axis),
        ("burgos", Faction::Axis),
        ("ceuta", Faction::Axis),
        ("mallorca", Faction::Axis),
    ] {
        assert_eq!(loyal.get(&at(name)), Some(&faction), "{name}");
    }
    for place in rules.map.places.iter().filter(|place| place.city != City::None) {
        if rules.scenario.in_play.contains(&place.hex) {
            assert!(loyal.contains_key(&place.hex), "{} is loyal to nobody", place.id);
        }
    }
    // Somewhere in Spain nobody is loyal to anyone (rule 1).
    assert!(rules.scenario.in_play.iter().any(|hex| !loyal.contains_key(hex)));
    let ports: BTreeMap<Hex, u8> = civil_war.blockade_ports.iter().copied().collect();
    assert_eq!(ports[&at("barcelona")], 2);
    assert!(!ports.contains_key(&at("melilla")) && !ports.contains_key(&at("tangiers")));
    let in_spain = rules.map.places.iter().filter(|place| {
        place.port != Port::None && place.hex.line() != AREA_LINE && country(place.hex) == "spain"
    });
    assert_eq!(ports.len(), in_spain.count());
    assert_eq!(civil_war.capitals, [at("lisbon"), at("madrid")]);
    assert!(civil_war.rear[0].contains(&at("lisbon")) && civil_war.rear[0].len() == 9);
    assert_eq!(civil_war.rear[1], [at("bayonne"), at("perpignan")]);
    assert!(
        !rules.scenario.in_play.contains(&at("lisbon")) && !rules.scenario.in_play.contains(&at("gibraltar"))
    );
    for (table, faction) in civil_war.militia.iter().zip([Faction::Axis, Faction::Allies]) {
        let places: Vec<(Hex, u8)> = table.iter().flatten().copied().collect();
        assert!(places.iter().all(|(hex, _)| loyal[hex] == faction));
        let numbers: BTreeSet<u8> = places.iter().map(|&(_, number)| number).collect();
        assert_eq!(numbers.len(), 36);
    }
}

#[test]
fn aid_and_costs_of_the_civil_war_are_those_of_its_rules() {
    use FrenchAid::{Less, Points, Unchanged};

    let rules = rules(&[]);
    let civil_war = civil_war(&rules);
    let aid = (civil_war.french_aid, civil_war.french_most, civil_war.soviet_aid, civil_war.axis_aid);
    assert_eq!(aid, (2, 2, 1, [1, 3]));
    assert_eq!((civil_war.axis_blockaded, civil_war.axis_aid_after), (1, 3));
    assert_eq!(civil_war.french_table, [Points(1), Points(2), Unchanged, Unchanged, Less, Less]);
    let cost = |kind: Kind| civil_war.costs[kind as usize].map(|cost| (cost.step, cost.cadre));
    assert_eq!(cost(Kind::Hq), Some((10, 20)));
    assert_eq!(cost(Kind::TheatreHq), Some((0, 0)));
    assert_eq!(cost(Kind::Armour), Some((8, 16)));
    assert_eq!(cost(Kind::Mech), Some((6, 12)));
    assert_eq!(cost(Kind::Infantry), Some((4, 8)));
    assert_eq!(cost(Kind::Static), Some((3, 2)));
    assert_eq!(cost(Kind::Fort), None);
    let brigade = &rules.blocks[rules.block("sr_inf_int").unwrap().at()];
    assert_eq!(brigade.cost, Some(Cost { step: 2, cadre: 4 }));
    assert_eq!((civil_war.double_supply, civil_war.garrison), (Cost { step: 5, cadre: 10 }, 1));
}

#[test]
fn facts_name_headings_and_rulings_that_exist() {
    let known: BTreeSet<&str> = rows(include_str!("../headings.csv")).iter().map(|row| row["rule"]).collect();
    let rulings: toml::Table = toml::from_str(include_str!("../rulings.toml")).unwrap();
    for (id, ruling) in &rulings {
        let text = |key: &str| ruling.get(key).and_then(toml::Value::as_str).unwrap_or_default();
        assert!(text("rule").split("; ").all(|rule| known.contains(rule)), "{id}: {}", text("rule"));
        for key in ["question", "ruling", "reason"] {
            assert!(text(key).ends_with(['.', '?']), "{id}.{key}");
        }
    }
    let mut checked = 0;
    for file in kit::files::<Examples>("eurofront/1936") {
        for line in file.text.lines() {
            let basis = if let Some((_, basis)) = line.rsplit_once(",rulebook,") {
                basis
            } else if line.starts_with("basis = ") && !line.contains(' ') {
                line.trim_start_matches("basis = ")
            } else {
                continue;
            };
            for rule in basis.trim_matches('"').split("; ") {
                assert!(known.contains(rule), "{}: `{rule}`", file.name);
                checked += 1;
            }
        }
    }
    assert!(checked > 600, "{checked} facts were checked");
    let of = |rows: Vec<BTreeMap<&'static str, &'static str>>| -> Vec<&str> {
        rows.iter().map(|row| row["rule"]).collect()
    };
    for rule in of(rows(include_str!("../rules.csv"))) {
        assert!(known.contains(rule), "there is no rule {rule}");
    }
}

/// Numbers of rules that the alphabetical index of the rulebook names, but for three misprints: 10.92 (the Soviet origin of supply),
/// 11.52 (allotments of the East) and 11.921 (production of the North).
const INDEX: &str = "\
    1.2 1.3 1.31 1.32 1.33 1.331 1.34 1.35 1.351 1.352 1.36 1.37 1.371 1.372 1.373 1.4 1.41 1.412 1.42 \
    1.44 1.45 1.452 1.5 1.6 1.7 2.0 2.1 2.11 2.2 2.21 2.22 2.23 2.24 2.25 2.26 2.27 2.28 2.31 2.32 2.33 \
    2.34 2.35 2.4 2.5 2.6 2.7 3.3 4.1 4.11 4.12 4.2 4.21 4.22 4.3 4.311 4.312 4.313 4.32 4.33 4.331 4.34 \
    4.35 4.36 5.0 5.1 5.21 5.31 5.32 5.33 5.34 5.4 5.51 5.52 5.6 5.7 5.71 5.72 5.721 5.722 5.723 5.73 \
    5.74 5.75 5.8 5.9 6.0 6.1 6.2 6.21 6.22 6.3 6.31 6.32 6.33 6.4 6.5 6.51 6.52 6.6 6.61 6.62 6.71 6.72 \
    6.73 7.0 7.1 7.11 7.12 7.13 7.14 7.15 7.2 7.21 7.22 7.23 7.31 7.32 7.33 7.34 7.35 7.4 7.5 7.51 7.6 \
    7.61 7.62 7.63 7.64 7.65 7.7 8.0 8.1 8.2 8.3 8.31 8.4 9.0 9.1 9.11 9.12 9.2 9.21 9.22 9.3 10.0 10.1 \
    10.2 10.21 10.3 10.31 10.32 10.33 10.34 10.4 10.5 10.6 10.7 10.71 10.8 11.0 11.1 11.2 11.3 \
    11.31 11.33 11.34 11.4 11.5 11.6 11.61 11.7 11.71 11.72 11.73 11.731 11.732 11.733 11.735 \
    11.74 11.8 11.81 11.82 11.83 11.84 11.9 12.0 12.1 12.11 12.12 12.13 12.2 12.3 12.31 12.32 \
    12.33 12.4 12.41 12.42 12.43 12.44 12.45 12.5 12.51 12.6 12.7 13.0 13.1 13.11 13.12 13.2 13.21 13.22 \
    13.23 13.24 13.3 13.31 13.32 14.0 14.1 14.2 14.21 14.22 14.3 14.4 14.41 14.42 14.5 14.7 15.1 15.2 \
    15.21 15.3 15.31 15.32 15.4 15.41 15.5 15.51 15.511 15.512 15.52 15.521 15.53 15.531 15.54 15.542 \
    15.55 15.6 15.61 15.62 15.63 15.64 15.65 15.66 15.67 15.7 15.71 15.72 15.73 15.8 15.81 15.82 15.821 \
    15.822 15.823 15.824 15.825 15.826 15.9 16.0 16.1 16.2 16.21 16.3 16.31 16.311 16.32 16.4 16.41 \
    16.42 16.5 16.51 16.52 16.6 16.7 16.71 16.711 16.72 16.721 16.731 16.732 16.8 16.81 16.82 16.9 16.91 \
    16.92 17.1 17.2 17.3 17.4 17.5 17.6 17.61 17.62 17.7 18.0 18.1 18.12 18.2 18.21 18.22 18.3 18.31 \
    18.32 18.33 18.34 18.35 18.36 18.37 18.4 18.5 18.51 18.52 18.61 18.62 19.0 19.2 19.3 19.5 20.1 20.11 \
    20.12 20.13 20.131 20.132 20.14 20.15 20.16 20.17 20.2 20.21 20.22 20.23 20.24 20.25 20.26 20.3 \
    20.31 20.32 20.33 20.34 20.35 20.36 20.4 20.41 20.42 20.43 20.44 20.45 20.46 20.47 20.48 20.481 \
    20.482 20.483 20.484 20.485 20.486 20.487 20.49 20.491 20.492 20.493 20.494 20.5 20.51 20.52 20.521 \
    20.53 20.54 20.55 20.56 20.57 20.58 20.591 20.592 20.593 20.6 20.61 20.62 20.63 20.64 20.71 20.72 \
    20.73 20.74 20.75 20.76 20.8 20.81 20.82 20.83 20.91 20.92 20.921 21.0 21.1 21.11 21.13 21.14 21.2 \
    21.21 21.22 21.23 21.24 21.25 21.3 21.31 21.311 21.312 21.313 21.314 21.315 21.316 21.321 21.322 \
    21.33 21.34 21.35 21.351 21.352 21.353 21.36 21.37 21.371 21.372 21.38 21.381 21.382 21.385 21.391 \
    21.392 21.393 21.395 21.398 21.399 21.4 21.41 21.411 21.412 21.413 21.414 21.415 21.42 21.441 21.442 \
    21.461 21.471 21.472 21.48 21.492 22.1 22.2 22.31";

/// The index has no rules of its own: what it names stands in this table.
#[test]
fn the_index_names_rules_of_the_table() {
    let rules = sandtable_scenarios::AnySystem::coverage(&SYSTEM).unwrap();
    let known: BTreeSet<&str> = rules.iter().map(|rule| rule.rule.as_str()).collect();
    let unknown: Vec<&str> = INDEX.split_whitespace().filter(|number| !known.contains(number)).collect();
    assert_eq!(INDEX.split_whitespace().count(), 465);
    assert!(unknown.is_empty(), "{unknown:?}");
}
