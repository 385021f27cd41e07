//! The maps of Roads to Moscow, and positions on them.

use sandtable_core::{Board as _, Hex, Index as _};
use sandtable_roads_to_moscow::ids::{FormationId, Units, hex_number};
use sandtable_roads_to_moscow::rules::{Kind as UnitKind, Settlement as Houses, Terrain as Ground, Water};
use sandtable_roads_to_moscow::{Mark, Player, RoadsToMoscow, State, UnitId};

use sandtable_experiments::system::board::{
    Counter, Layer, LayerName, Link, Map, Marker, Marks, Place, Position, Settlement, Sign, SignKind, Site,
    Terrain, Texture, UnitSymbol, Ways,
};

/// Zones of control (3.2).
const ZONES: LayerName = LayerName { id: "zoc", name: "zones of control" };
/// Hexes from which motorised units trace supply (6.2).
const SUPPLY: LayerName = LayerName { id: "supply", name: "supply of motorised units" };

/// Natural terrain without and with woods, in the order of [`terrain_of`]. Swamp is never without woods.
const TERRAINS: [(&str, Texture); 6] = [
    ("clear", Texture::Plain),
    ("woods", Texture::Woods),
    ("rough", Texture::Hills),
    ("rough with woods", Texture::WoodedHills),
    ("swamp", Texture::Marsh),
    ("swamp with woods", Texture::WoodedMarsh),
];

/// The states a counter shows, each by a letter.
const STATES: [(Mark, char); 6] = [
    (Mark::Disorganised, 'D'),
    (Mark::Unsupplied, 'U'),
    (Mark::Emergency, 'E'),
    (Mark::LowFuel, 'L'),
    (Mark::Fired, 'F'),
    (Mark::Spent, 'S'),
];

/// The index of a hex among the places of the map.
pub(super) fn place(game: &RoadsToMoscow, hex: Hex) -> usize {
    game.board().places().rank(hex) as usize
}

/// The printed number of a hex.
pub(super) fn number(hex: Hex) -> String {
    format!("{:04}", hex_number(hex))
}

/// The board.
pub(super) fn map(game: &RoadsToMoscow) -> Map {
    let (rules, board) = (&game.rules, game.board());
    let scenario = &rules.scenario;
    let in_play = |hex: Hex| board.places().contains(hex);
    let mut places: Vec<(usize, Place)> = Vec::new();
    for data in rules.map.hexes.iter().filter(|data| in_play(data.hex)) {
        let hex = data.hex;
        let (across, south) = board.centre(hex);
        let objective = scenario.objectives.iter().find(|(objective, _)| *objective == hex);
        let source = Player::ALL.into_iter().find(|player| scenario.sources[player.index()].contains(&hex));
        // A quarter of a town has the name of the town.
        let name = data.name.split(" (").next().unwrap_or_default().to_owned();
        places.push((
            place(game, hex),
            Place {
                id: number(hex),
                name,
                site: Site::Hex {
                    east: if rules.map.from_east { -across } else { across },
                    south,
                    flat_top: true,
                },
                terrain: terrain_of(data.terrain, data.woods),
                region: String::new(),
                marks: Marks {
                    point: objective.is_some(),
                    worth: objective.map_or(0, |(_, points)| *points),
                    supply: source.is_some(),
                    supplies: source.map(Player::side),
                    settlement: match data.settlement {
                        Houses::None => None,
                        Houses::Hamlet => Some(Settlement::Hamlet),
                        Houses::Village => Some(Settlement::Village),
                        Houses::Town => Some(Settlement::Town),
                    },
                    ..Marks::default()
                },
            },
        ));
    }
    places.sort_by_key(|(at, _)| *at);
    let links = rules.map.sides.iter().filter(|side| in_play(side.a) && in_play(side.b)).map(|side| Link {
        a: place(game, side.a),
        b: place(game, side.b),
        river: side.water == Water::River,
        stream: side.water == Water::Stream,
        bridge: side.bridge,
        upper: side.slope_up_into.map(|hex| place(game, hex)),
        fortified: side.fort_protects.is_some(),
        sheltered: side.fort_protects.map(|hex| place(game, hex)),
        ways: Ways {
            primary: side.paths.primary,
            secondary: side.paths.secondary,
            track: side.paths.track,
            railway: side.paths.railway,
        },
        ..Link::default()
    });
    Map {
        links: links.collect(),
        terrains: TERRAINS.map(|(name, texture)| Terrain { name: name.to_owned(), texture }).to_vec(),
        marker_key: "On a counter: size, type in the colour of the formation, designation (command points), \
                     offence-defence-movement, of artillery support/range-defence-movement, a dot for each step. D \
                     disorganised, U unsupplied, E emergency supply, L low on fuel, F fired, S spent. Below a stack: how \
                     many units, and their offence-defence."
            .to_owned(),
        layers: vec![ZONES, SUPPLY],
        places: places.into_iter().map(|(_, place)| place).collect(),
    }
}

fn terrain_of(ground: Ground, woods: bool) -> usize {
    let kind = match ground {
        Ground::Clear => 0,
        Ground::Rough => 2,
        Ground::Swamp => 4,
    };
    kind + usize::from(woods)
}

/// Who and what stands on it.
pub(super) fn position(game: &RoadsToMoscow, state: &State) -> Position {
    let hexes = game.board().places();
    let owners = hexes.iter().map(|hex| Some(state.controller(hex).side())).collect();
    let stacks = hexes.iter().map(|hex| (hex, state.stack(hex))).filter(|(_, stack)| !stack.is_empty());
    let markers = stacks.flat_map(|(hex, stack)| {
        Player::ALL.into_iter().filter_map(move |player| {
            let own = stack.and(game.units_of(player));
            (!own.is_empty()).then(|| marker(game, state, hex, player, &own))
        })
    });
    let at = |player: Player, hex: Hex, kind| Sign { place: place(game, hex), side: player.side(), kind };
    let mut signs = Vec::new();
    for player in Player::ALL {
        let positions = &state.positions[player.index()];
        signs.extend(positions.iter().map(|hex| at(player, hex, SignKind::Fortified)));
        let digging = state.marked(Mark::Digging).and(game.units_of(player)).and(&state.on_map);
        signs.extend(digging.iter().map(|unit| at(player, state.at(unit), SignKind::Digging)));
        let standing = state.no_retreat.and(&state.occupied[player.index()]);
        signs.extend(standing.iter().map(|hex| at(player, hex, SignKind::NoRetreat)));
    }
    let lines = game.map().lines.iter().enumerate();
    let razed = lines
        .filter(|(line, _)| state.lines_destroyed >> line & 1 == 1)
        .map(|(_, (hex, _))| place(game, *hex));
    let layers = Player::ALL.into_iter().flat_map(|player| {
        let zone = state.zoc[player.index()];
        let supplied = game.supplied_hexes(state, player, false);
        [(ZONES, zone), (SUPPLY, supplied)].map(|(layer, hexes)| Layer {
            id: layer.id,
            side: player.side(),
            places: hexes.iter().map(|hex| place(game, hex)).collect(),
        })
    });
    Position { owners, markers: markers.collect(), signs, razed: razed.collect(), layers: layers.collect() }
}

/// A stack: the unit that fights best lies on top, headquarters, leaders and fuel below.
fn marker(game: &RoadsToMoscow, state: &State, hex: Hex, player: Player, stack: &Units) -> Marker {
    let strength = |unit: UnitId| i32::from(game.offence(state, unit)) + i32::from(game.defence(state, unit));
    let sets = game.sets();
    let mut units: Vec<UnitId> = stack.iter().collect();
    units.sort_by_key(|&unit| {
        let rank = match () {
            () if !sets.combat.contains(unit) => 3,
            () if sets.headquarters.contains(unit) => 2,
            () if sets.artillery.contains(unit) => 1,
            () => 0,
        };
        (rank, -strength(unit), unit)
    });
    let sum = |of: &dyn Fn(UnitId) -> u8| units.iter().map(|&unit| u32::from(of(unit))).sum::<u32>();
    let offence = sum(&|unit| game.offence(state, unit));
    let defence = sum(&|unit| game.defence(state, unit));
    let words: Vec<String> = units.iter().map(|&unit| in_words(game, state, unit)).collect();
    Marker {
        place: place(game, hex),
        side: Some(player.side()),
        text: format!("{offence}-{defence}"),
        words: format!("{}: {}", player.name(), words.join("; ")),
        counters: units.iter().map(|&unit| counter(game, state, unit)).collect(),
    }
}

/// Strengths of the face that is up, as counters print them.
fn values(game: &RoadsToMoscow, state: &State, unit: UnitId) -> String {
    let (data, face) = (game.unit(unit), game.face(state, unit));
    if data.range > 0 {
        let only = if data.support_attack_only { "A" } else { "" };
        return format!("{}/{}-{}{only}-{}", data.support, data.range, face.defence, face.movement);
    }
    format!("{}-{}-{}", face.offence, face.defence, face.movement)
}

fn in_words(game: &RoadsToMoscow, state: &State, unit: UnitId) -> String {
    let formation = game.formation(unit);
    let whose =
        formation.map_or(String::new(), |formation| format!(" of {}", game.formation_name(formation)));
    let states: Vec<&str> = STATES
        .iter()
        .filter(|(mark, _)| state.has(unit, *mark))
        .map(|(mark, _)| match mark {
            Mark::Disorganised => "disorganised",
            Mark::Unsupplied => "unsupplied",
            Mark::Emergency => "in emergency supply",
            Mark::LowFuel => "low on fuel",
            Mark::Fired => "fired",
            _ => "spent",
        })
        .collect();
    let states = if states.is_empty() { String::new() } else { format!(" ({})", states.join(", ")) };
    let (data, kind) = (game.unit(unit), game.kind(unit).id().replace('_', " "));
    format!("{}{whose}, {kind} {}{states}", data.designation, values(game, state, unit))
}

fn counter(game: &RoadsToMoscow, state: &State, unit: UnitId) -> Counter {
    let data = game.unit(unit);
    Counter {
        symbol: symbol(data.kind),
        size: match data.size.as_str() {
            "I" => "I",
            "II" => "II",
            "III" => "III",
            "X" => "X",
            "XX" => "XX",
            _ => "",
        },
        name: match data.command {
            0 => data.designation.clone(),
            points => format!("{} ({points})", data.designation),
        },
        values: values(game, state, unit),
        steps: (game.steps(state, unit), data.steps),
        formation: game.formation(unit).map(|formation| colour(game, formation)),
        states: STATES.iter().filter(|(mark, _)| state.has(unit, *mark)).map(|(_, letter)| letter).collect(),
    }
}

/// The colour of a formation: formations of one side are told apart.
fn colour(game: &RoadsToMoscow, formation: FormationId) -> usize {
    let formations = &game.rules.formations;
    let player = formations[formation.at()].player;
    formations[..formation.at()].iter().filter(|other| other.player == player && !other.any).count()
}

fn symbol(kind: UnitKind) -> UnitSymbol {
    match kind {
        UnitKind::Reconnaissance => UnitSymbol::Reconnaissance,
        UnitKind::ArmouredCar => UnitSymbol::ArmouredCars,
        UnitKind::Armour => UnitSymbol::Armour,
        UnitKind::MotorcycleInfantry => UnitSymbol::Motorcycles,
        UnitKind::BicycleInfantry => UnitSymbol::Bicycles,
        UnitKind::MotorisedInfantry => UnitSymbol::MotorisedInfantry,
        UnitKind::Infantry => UnitSymbol::Infantry,
        UnitKind::InfantryNkvd => UnitSymbol::SecurityInfantry,
        UnitKind::MotorisedEngineer => UnitSymbol::MotorisedEngineers,
        UnitKind::Engineer => UnitSymbol::Engineers,
        UnitKind::Cavalry => UnitSymbol::Cavalry,
        UnitKind::AntiAircraft => UnitSymbol::AntiAircraft,
        UnitKind::HeavyAntiAircraft => UnitSymbol::HeavyAntiAircraft,
        UnitKind::AntiTank => UnitSymbol::AntiTank,
        UnitKind::Artillery => UnitSymbol::Artillery,
        UnitKind::RocketArtillery => UnitSymbol::Rockets,
        UnitKind::Headquarters => UnitSymbol::Headquarters,
        UnitKind::Arko => UnitSymbol::ArtilleryHeadquarters,
        UnitKind::Leader => UnitSymbol::Leader,
        UnitKind::Fuel => UnitSymbol::Supplies,
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::{Game as _, PlayContext, Rng64};

    use super::super::RoadsSystem;
    use super::*;
    use sandtable_experiments::system::{Source, System as _};

    const SCENARIOS: [&str; 4] = ["pervyy-voin", "road-to-mtsensk", "borodino-field", "mozhaysk"];

    fn open(id: &str) -> RoadsToMoscow {
        RoadsSystem.open(Source::Id(&format!("roads-to-moscow/{id}")), &[]).unwrap().game
    }

    fn middle(place: &Place) -> (f64, f64) {
        match place.site {
            Site::Hex { east, south, .. } => (east, south),
            _ => panic!("{} is a hex", place.id),
        }
    }

    #[test]
    fn what_lies_between_hexes_is_drawn_between_neighbours() {
        for scenario in SCENARIOS {
            let map = map(&open(scenario));
            assert!(map.places.is_sorted_by_key(|place| place.id.clone()), "{scenario}");
            assert!(map.links.len() > 200, "{scenario}: {} sides", map.links.len());
            for link in &map.links {
                let [(x, y), (u, v)] = [link.a, link.b].map(|at| middle(&map.places[at]));
                assert!(((x - u).hypot(y - v) - 1.0).abs() < 1e-9, "{scenario}: {link:?}");
                let ends = [Some(link.a), Some(link.b)];
                assert!(link.upper.is_none() || ends.contains(&link.upper));
                assert!(link.sheltered.is_some() == link.fortified);
            }
        }
    }

    #[test]
    fn the_map_of_mozhaysk_has_its_east_on_the_right() {
        let map = map(&open("mozhaysk"));
        let at = |id: &str| middle(map.places.iter().find(|place| place.id == id).unwrap());
        let (edge, mozhaysk, ruza) = (at("4224"), at("2019"), at("1104"));
        assert!(edge.0 < mozhaysk.0 && mozhaysk.0 < ruza.0, "the Germans come from the west");
        assert!(ruza.1 < mozhaysk.1, "Ruza lies in the north");
    }

    #[test]
    fn a_stack_shows_who_fights_best_and_what_it_comes_to() {
        let game = open("mozhaysk");
        let mut editor = sandtable_roads_to_moscow::editor::Editor::new(&game);
        editor.clear();
        for unit in ["g_10pz_hq69", "g_10pz_I_90", "g_10pz_I_69", "g_10pz_I_7"] {
            editor.place(unit, 3021);
        }
        editor.mark("g_10pz_I_7", Mark::Reduced, true).mark("g_10pz_I_90", Mark::Fired, true);
        let state = editor.finish();
        let position = position(&game, &state);
        let [marker] = &position.markers[..] else { panic!("one stack") };
        let names: Vec<&str> = marker.counters.iter().map(|counter| counter.name.as_str()).collect();
        assert_eq!(names, ["I/69", "I/7", "I/90", "69 (1)"]);
        let values: Vec<&str> = marker.counters.iter().map(|counter| counter.values.as_str()).collect();
        assert_eq!(values, ["4-4-7", "3-2-6", "4/7-1-6", "0-1-6"]);
        assert_eq!(marker.counters[1].steps, (1, 2));
        assert_eq!(marker.counters[2].states, "F");
        assert_eq!(marker.text, "7-8");
        assert!(marker.words.contains("I/90 of 10Pz, artillery 4/7-1-6 (fired)"), "{}", marker.words);
    }

    #[test]
    fn works_and_zones_are_on_the_map_at_the_start() {
        for scenario in SCENARIOS {
            let game = open(scenario);
            let state = game.initial(&mut PlayContext::silent(Rng64::stream(1, 0, 0)));
            let position = position(&game, &state);
            let works = position.signs.iter().filter(|sign| sign.kind == SignKind::Fortified).count();
            assert_eq!(works, game.rules.scenario.soviet_positions.len(), "{scenario}");
            assert!(position.razed.is_empty(), "{scenario}");
            let zones = position.layers.iter().filter(|layer| layer.id == "zoc");
            assert!(
                zones.clone().count() == 2 && zones.clone().all(|zone| zone.places.len() > 7),
                "{scenario}"
            );
            assert_eq!(position.owners.len(), map(&game).places.len());
            let units: usize = position.markers.iter().map(|marker| marker.counters.len()).sum();
            assert_eq!(units, state.on_map.len() as usize, "{scenario}");
        }
    }
}
