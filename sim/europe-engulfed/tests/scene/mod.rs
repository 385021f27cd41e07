//! A small war to prove rules on: Germany against Poland and the Soviets on fifteen areas, among them those of the extended
//! example of play (15.1), with every kind of terrain and edge.

#![allow(dead_code)]

use sandtable_core::{PlayContext, Scripted, Stepwise};
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::ids::{Areas, MAX_SEAS};
use sandtable_europe_engulfed::phase::Stage;
use sandtable_europe_engulfed::rules::*;
use sandtable_europe_engulfed::{Action, Area, EuropeEngulfed, Event, KindId, Nation, State, Team};

/// Areas: name, country, terrain, resource, source of supply.
const AREAS: [(&str, u8, Terrain, u8, Option<Nation>); 15] = [
    ("berlin", 0, Terrain::Clear, 6, Some(Nation::Germany)),
    ("silesia", 0, Terrain::Clear, 6, Some(Nation::Germany)),
    ("slovakia", 0, Terrain::Rough, 0, None),
    ("east_prussia", 0, Terrain::Clear, 0, None),
    ("rhineland", 0, Terrain::Clear, 6, Some(Nation::Germany)),
    ("metz", 2, Terrain::Clear, 0, None),
    ("lodz", 1, Terrain::Clear, 0, None),
    ("lublin", 1, Terrain::Clear, 0, None),
    ("warsaw", 1, Terrain::Clear, 2, None),
    ("brest_litovsk", 1, Terrain::Clear, 0, None),
    ("pripet_swamps", 2, Terrain::Swamp, 0, None),
    ("minsk", 2, Terrain::Clear, 1, None),
    ("moscow", 2, Terrain::Clear, 4, Some(Nation::SovietUnion)),
    ("leningrad", 2, Terrain::Fortress, 1, None),
    ("carpathians", 0, Terrain::Rough, 0, None),
];

/// Edges; `~` a river, `=` a strait, `#` a fortress, `M` the Maginot line before the second area.
const EDGES: &str = "berlin-silesia berlin-rhineland rhineland-Mmetz silesia-lodz silesia-slovakia slovakia~lublin lodz~warsaw \
    east_prussia-warsaw lodz-east_prussia lublin-warsaw lublin-brest_litovsk warsaw~brest_litovsk \
    brest_litovsk-pripet_swamps pripet_swamps-minsk brest_litovsk-minsk minsk-moscow moscow-metz minsk#leningrad \
    slovakia-carpathians carpathians-brest_litovsk berlin=east_prussia";

fn index(id: &str) -> Area {
    Area(AREAS.iter().position(|area| area.0 == id).unwrap_or_else(|| panic!("no area {id}")) as u8)
}
fn set(ids: &str) -> Areas {
    ids.split_whitespace().map(index).collect()
}

/// Kinds: nation, branch, elite, steps, counters.
const KINDS: [(Nation, Branch, bool, u8, u8); 14] = [
    (Nation::Germany, Branch::Infantry, false, 4, 6),
    (Nation::Germany, Branch::Infantry, false, 3, 6),
    (Nation::Germany, Branch::Armour, false, 4, 4),
    (Nation::Germany, Branch::Armour, true, 4, 1),
    (Nation::Germany, Branch::Airborne, false, 3, 1),
    (Nation::Germany, Branch::Air, false, 1, 4),
    (Nation::Poland, Branch::Infantry, false, 3, 6),
    (Nation::Poland, Branch::Infantry, false, 2, 3),
    (Nation::Poland, Branch::Cavalry, false, 2, 1),
    (Nation::SovietUnion, Branch::Infantry, false, 4, 4),
    (Nation::SovietUnion, Branch::Armour, false, 3, 2),
    (Nation::SovietUnion, Branch::Militia, false, 2, 1),
    (Nation::SovietUnion, Branch::Air, false, 1, 2),
    (Nation::Italy, Branch::Air, false, 1, 1),
];

pub const GERMAN_4: KindId = KindId(0);
pub const GERMAN_3: KindId = KindId(1);
pub const PANZER: KindId = KindId(2);
pub const ELITE_PANZER: KindId = KindId(3);
pub const PARATROOPS: KindId = KindId(4);
pub const LUFTWAFFE: KindId = KindId(5);
pub const POLISH_3: KindId = KindId(6);
pub const POLISH_2: KindId = KindId(7);
pub const POLISH_CAVALRY: KindId = KindId(8);
pub const SOVIET_4: KindId = KindId(9);
pub const SOVIET_ARMOUR: KindId = KindId(10);
pub const SOVIET_MILITIA: KindId = KindId(11);
pub const SOVIET_AIR: KindId = KindId(12);
pub const ITALIAN_AIR: KindId = KindId(13);

fn placement(kind: KindId, count: u8, steps: u8, zone: &str) -> Placement {
    Placement { kind: kind.0, count, steps, zone: set(zone) }
}

fn weather(kind: Weather) -> WeatherEffect {
    WeatherEffect {
        air_support: [3, 2, 1, 1][kind as usize],
        land_moves: [2, 2, 1, 2][kind as usize],
        breakthrough: kind != Weather::Mud,
        amphibious: kind <= Weather::LightMud,
        airborne: kind <= Weather::LightMud,
        infantry_bonus: kind == Weather::Mud,
        half_dice: kind == Weather::Snow,
        swamp_is_rough: kind == Weather::Snow,
    }
}

fn scenario_nation(nation: Nation, special_actions: u8, pool: u8) -> ScenarioNation {
    ScenarioNation {
        nation,
        base: None,
        area_value: None,
        special_actions,
        special_action_pool: pool,
        builds_special_actions: true,
        surcharge: 0,
        new_units: Areas::EMPTY,
        sources: Areas::EMPTY,
        defends_only: false,
        confined: None,
        standing: Standing::Belligerent,
    }
}

/// The data of the war.
pub fn rules() -> Rules {
    let areas = AREAS.iter().map(|&(id, country, terrain, resource, source_of)| AreaData {
        id: id.into(),
        name: id.into(),
        country,
        terrain,
        resource,
        source_of,
        heavy_fort: id == "moscow",
        beaches: [0; MAX_SEAS],
        ..AreaData::default()
    });
    let edges = EDGES.split_whitespace().map(|edge| {
        let at = edge.find(['-', '~', '=', '#']).unwrap();
        let (a, b) = (&edge[..at], &edge[at + 1..]);
        let maginot = b.strip_prefix('M').map(index);
        let kind = match edge.as_bytes()[at] {
            b'~' => EdgeKind::River,
            b'=' => EdgeKind::Strait,
            b'#' => EdgeKind::Fortress,
            _ => EdgeKind::Land,
        };
        Edge { a: index(a), b: index(b.trim_start_matches('M')), kind, maginot }
    });
    let country = |id: &str, owner, kind, capital| Country {
        id: id.into(),
        name: id.into(),
        owner,
        kind,
        capital: Some(index(capital)),
        home: true,
    };
    let nations = Nation::ALL.map(|nation| NationData {
        nation,
        kind: match nation {
            Nation::Germany | Nation::SovietUnion | Nation::Italy => NationKind::Major,
            _ => NationKind::Minor,
        },
        base: match nation {
            Nation::Germany => 18,
            Nation::SovietUnion => 10,
            _ => 0,
        },
        area_value: if nation == Nation::Germany { 6 } else { 0 },
        strategic_moves: match nation {
            Nation::Germany => 3,
            Nation::SovietUnion => 2,
            _ => 0,
        },
        fleet_supply: 3,
        fleets: 4,
        patron: nation,
    });
    let control = AREAS.map(|area| [Nation::Germany, Nation::Poland, Nation::SovietUnion][area.1 as usize]);
    let branch = |moves, step_cost, first_step_doubles| BranchData { moves, step_cost, first_step_doubles };
    let all: Areas = (0..AREAS.len() as u8).map(Area).collect();
    Rules {
        id: "small_war".into(),
        name: "A small war".into(),
        areas: areas.collect(),
        edges: edges.collect(),
        air_links: vec![(index("slovakia"), index("minsk"))],
        countries: vec![
            country("germany", Nation::Germany, CountryKind::Major, "berlin"),
            country("poland", Nation::Poland, CountryKind::Minor, "warsaw"),
            country("soviet_union", Nation::SovietUnion, CountryKind::Major, "moscow"),
        ],
        nations: nations.to_vec(),
        branches: [
            branch(1, 1, true),
            branch(2, 1, true),
            branch(1, 1, false),
            branch(1, 2, true),
            branch(2, 2, true),
            branch(2, 5, false),
        ],
        kinds: KINDS
            .map(|(nation, branch, elite, max, counters)| Kind { nation, branch, elite, max, counters })
            .to_vec(),
        costs: Costs {
            elite_factor: 2,
            field_fort: 5,
            heavy_fort: 10,
            special_action: 5,
            ..Costs::default()
        },
        bonuses: HitBonuses {
            elite: 1,
            mud: 1,
            armour_at_infantry: 1,
            air_support: 1,
            rough: 1,
            river: 1,
            maginot: 2,
            fortress: 2,
            fortification: 1,
            landing: 1,
            mixed_minors: 1,
            surprise: 1,
            dug_in: 1,
        },
        movement: Movement {
            stop_in_empty_enemy_area: false,
            no_armour_into_held_swamp: true,
            breakthrough_steps: 3,
            unsupplied_moves: 1,
            drop_range: 2,
        },
        combat: Combat {
            hit_on: 6,
            dice_per_step: [1, 2],
            one_misses: true,
            air_hit_on: 5,
            unsupplied_half: true,
            counterattacks: 1,
        },
        stacking: Stacking { fortress_land: 4, fortress_air: 2, ..Stacking::default() },
        production: Production {
            new_units_per_area: 2,
            replacements_abroad: 1,
            conquered_value: 2,
            garrison: 1,
            ..Production::default()
        },
        weather: WeatherRules {
            fixed: [
                Some([Weather::Snow; 3]),
                Some([Weather::Mud; 3]),
                Some([Weather::Clear; 3]),
                Some([Weather::Clear; 3]),
                Some([Weather::Clear; 3]),
                None,
            ],
            rolled: [[[Weather::Mud; 3]; 11]; 6],
            effects: Weather::ALL.map(weather),
            soviets_exempt: true,
            finns_exempt: true,
        },
        victory: Victory::Areas { areas: set("berlin silesia warsaw lodz"), needed: 3 },
        setup: Setup {
            first_turn: Bimester { year: 1939, nth: 5 },
            turns: 4,
            players: vec![
                Player {
                    id: PlayerId::Axis,
                    team: Team::First,
                    nations: Nation::Germany.bit() | Nation::Italy.bit(),
                },
                Player {
                    id: PlayerId::Allied,
                    team: Team::Second,
                    nations: Nation::Poland.bit() | Nation::SovietUnion.bit(),
                },
            ],
            deploys_first: Some(Team::Second),
            in_play: all,
            control: control.to_vec(),
            nations: vec![
                scenario_nation(Nation::Germany, 2, 5),
                scenario_nation(Nation::Italy, 0, 0),
                scenario_nation(Nation::Poland, 1, 1),
                scenario_nation(Nation::SovietUnion, 1, 1),
            ],
            placements: vec![
                placement(GERMAN_4, 3, 4, "east_prussia"),
                placement(GERMAN_3, 3, 3, "slovakia"),
                placement(GERMAN_3, 2, 3, "silesia berlin"),
                placement(PANZER, 3, 4, "silesia berlin"),
                placement(PARATROOPS, 1, 3, "silesia"),
                placement(LUFTWAFFE, 3, 1, "silesia berlin"),
                placement(ITALIAN_AIR, 1, 1, "berlin"),
                placement(POLISH_3, 6, 3, "lodz lublin warsaw brest_litovsk"),
                placement(POLISH_2, 3, 2, "lodz lublin warsaw brest_litovsk"),
                placement(POLISH_CAVALRY, 1, 2, "lodz lublin warsaw brest_litovsk"),
                placement(SOVIET_4, 3, 3, "minsk moscow metz leningrad"),
                placement(SOVIET_ARMOUR, 1, 3, "minsk moscow"),
                placement(SOVIET_AIR, 2, 1, "minsk moscow"),
            ],
            withheld: vec![(ELITE_PANZER.0, 1), (SOVIET_MILITIA.0, 1)],
            minimum: ["lodz", "lublin", "warsaw"].map(|id| (Team::Second, index(id), 1)).to_vec(),
            dated: vec![
                Dated { turn: 2, change: PoolChange::Add { kind: ELITE_PANZER.0, count: 1 } },
                Dated {
                    turn: 2,
                    change: PoolChange::Reinforce {
                        kind: SOVIET_MILITIA.0,
                        count: 1,
                        zone: set("moscow minsk"),
                        early: false,
                    },
                },
                Dated { turn: 3, change: PoolChange::SpecialActions { nation: Nation::SovietUnion, by: 1 } },
            ],
            ..Setup::default()
        },
        ..Rules::default()
    }
}

/// The war as a game.
pub fn game() -> EuropeEngulfed {
    EuropeEngulfed::new(rules()).unwrap()
}

/// An area of the war.
pub fn area(id: &str) -> Area {
    index(id)
}

/// An empty map.
pub fn empty(game: &EuropeEngulfed) -> Editor<'_> {
    let mut editor = Editor::new(game);
    editor.clear();
    editor
}

/// Dice that show these faces, and the facts they lead to.
pub fn dice(faces: &[u32]) -> PlayContext<Scripted, Vec<Event>> {
    PlayContext { dice: Scripted::faces(faces), sink: Vec::new() }
}

/// Plays a battle to its end. `choose` decides where there is a choice.
pub fn fight(
    game: &EuropeEngulfed,
    state: &mut State,
    context: &mut PlayContext<Scripted, Vec<Event>>,
    mut choose: impl FnMut(&State, &[Action]) -> Action,
) {
    while state.battle.stage != Stage::None {
        let open = game.open_actions(state);
        match open.as_slice() {
            [] => game.end_idle_phase(state, context),
            [only] => game.apply_alone(state, *only, context),
            several => {
                let action = choose(state, several);
                assert!(several.contains(&action), "{action:?} is not open: {several:?}");
                game.apply_alone(state, action, context);
            }
        }
    }
    assert_eq!(context.dice.check(), Ok(()));
    assert_eq!(context.dice.left(), 0, "dice are left");
}

/// Refuses to decide.
pub fn nobody(_: &State, open: &[Action]) -> Action {
    panic!("a decision: {open:?}")
}

/// Takes the first action that is open.
pub fn first(_: &State, open: &[Action]) -> Action {
    open[0]
}

/// Dice and the number they need, of each fire: who, dice, need, hits.
pub fn fires(facts: &[Event]) -> Vec<(Team, u16, u8, u16)> {
    let fire = |fact: &Event| match *fact {
        Event::Fired { team, dice, need, hits, .. } => Some((team, dice, need, hits)),
        _ => None,
    };
    facts.iter().filter_map(fire).collect()
}

/// Steps of the counters of a kind in an area, in ascending order.
pub fn steps(game: &EuropeEngulfed, state: &State, kind: KindId, id: &str) -> Vec<u8> {
    let here = game.counters(kind).filter(|unit| state.location(*unit) == area(id));
    let mut steps: Vec<u8> = here.map(|unit| state.steps(unit)).collect();
    steps.sort_unstable();
    steps
}
