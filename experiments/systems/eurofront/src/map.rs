//! The map of a scenario of EuroFront, and positions on it: the hexes in play, and those beyond through which supply comes.

use sandtable_core::Hex;
use sandtable_eurofront::ids::{AREA_LINE, BlockId, Blocks, Camp, Faction, Hexes, area};
use sandtable_eurofront::rules::{City, Fortress, Kind, Port, RouteKind, SideKind, Terrain as Ground};
use sandtable_eurofront::{EuroFront, Mark, State};

use sandtable_experiments::system::board::{
    Counter, Layer, LayerName, Link, Map, Marker, Marks, Place, Position, Settlement, Site, Terrain, Texture,
    UnitSymbol, Ways,
};

/// Hexes in which units are supplied (10.4).
const SUPPLY: LayerName = LayerName { id: "supply", name: "supply" };
/// Railways that bring supply (9.12).
const RAILWAYS: LayerName = LayerName { id: "rail", name: "railways in operation" };

/// The states a counter shows, each by a letter.
const STATES: [(Mark, char, &str); 3] =
    [(Mark::Unsupplied, 'U', "unsupplied"), (Mark::Active, 'A', "activated"), (Mark::Blitz, 'B', "in Blitz")];

/// The hexes that are drawn.
pub(super) fn shown(game: &EuroFront) -> Hexes {
    let rear = game.rules.civil_war.iter().flat_map(|war| war.rear.iter().flatten());
    rear.copied().chain(game.map().in_play.iter()).collect()
}

/// The index of a hex among the places of the map.
pub(super) fn place(game: &EuroFront, hex: Hex) -> usize {
    shown(game).rank(hex) as usize
}

/// A place as tables name it: a hex by two digits of the column and two of the row, an area by its identifier.
pub(super) fn id(game: &EuroFront, hex: Hex) -> String {
    if hex.line() == AREA_LINE {
        return game.rules.map.areas[usize::from(hex.place())].id.clone();
    }
    format!("{:02}{:02}", hex.place(), hex.line())
}

/// Where an area is drawn: those of the Arctic Zone above the hexes, of the East Zone beside, of the South Zone below.
fn edge(zone: &str, nth: usize) -> (f64, f64) {
    let nth = nth as f64;
    match zone {
        "arctic" => (16.0 + 1.5 * nth, -2.0),
        "east" => (64.0, 6.0 + 4.0 * nth),
        _ => (28.0 + 2.0 * nth, 36.0),
    }
}

/// A hex as the rules name it.
pub(super) fn hex_name(game: &EuroFront, hex: Hex) -> String {
    game.hex_name(hex)
}

fn texture(ground: Ground) -> Texture {
    match ground {
        Ground::Forest => Texture::Woods,
        Ground::Hill => Texture::Hills,
        Ground::Mountain | Ground::Tundra => Texture::Peaks,
        Ground::Swamp => Texture::Marsh,
        Ground::Desert | Ground::SandSea | Ground::Depression => Texture::Dots,
        Ground::Clear | Ground::Lake | Ground::Sea => Texture::Plain,
    }
}

/// The first side of a camp.
fn side_of_camp(game: &EuroFront, camp: Camp) -> sandtable_core::Side {
    let first = game.factions().find(|faction| faction.camp() == camp);
    game.side_of(first.unwrap_or(Faction::Axis))
}

/// The board.
pub(super) fn map(game: &EuroFront) -> Map {
    let (rules, board, shown) = (&game.rules, game.board(), shown(game));
    let mut places: Vec<(usize, Place)> = Vec::new();
    for data in rules.map.hexes.iter().filter(|data| shown.contains(data.hex)) {
        let hex = data.hex;
        let (east, south) = board.centre(hex);
        let here = || rules.map.places.iter().filter(|place| place.hex == hex);
        let city = here().map(|place| place.city).max().unwrap_or_default();
        let name = here().max_by_key(|place| place.city).map_or_else(String::new, |place| place.name.clone());
        let war = rules.civil_war.as_ref();
        let worth =
            war.and_then(|war| war.pacification.iter().find(|(at, _)| *at == hex)).map(|found| found.1);
        let origin = war.and_then(|war| war.capitals.iter().position(|&capital| capital == hex));
        places.push((
            shown.rank(hex) as usize,
            Place {
                id: id(game, hex),
                name,
                site: Site::Hex { east, south, flat_top: false },
                terrain: data.terrain as usize,
                region: data.country.clone(),
                marks: Marks {
                    port: here().any(|place| place.port != Port::None),
                    fortress: data.fortress != Fortress::None,
                    capital: origin.is_some(),
                    point: worth.is_some(),
                    worth: worth.unwrap_or(0),
                    supply: origin.is_some(),
                    supplies: origin.map(|side| sandtable_core::Side(side as u8)),
                    settlement: match city {
                        City::None => None,
                        City::Town => Some(Settlement::Village),
                        City::Minor | City::Major | City::Open => Some(Settlement::Town),
                    },
                },
            },
        ));
    }
    for (at, data) in rules.map.areas.iter().enumerate() {
        let hex = area(at as u8);
        if !shown.contains(hex) {
            continue;
        }
        let (east, south) =
            edge(&data.zone, rules.map.areas[..at].iter().filter(|area| area.zone == data.zone).count());
        let port = rules.map.places.iter().any(|place| place.hex == hex && place.port != Port::None);
        places.push((
            shown.rank(hex) as usize,
            Place {
                id: data.id.clone(),
                name: data.name.clone(),
                site: Site::Hex { east, south, flat_top: false },
                terrain: data.terrain as usize,
                region: data.zone.clone(),
                marks: Marks { port, ..Marks::default() },
            },
        ));
    }
    places.sort_by_key(|(at, _)| *at);
    Map {
        links: links(game, &shown),
        terrains: Ground::ALL
            .map(|ground| Terrain { name: ground.id().replace('_', " "), texture: texture(ground) })
            .to_vec(),
        marker_key: "On a counter: type, name, combat value or command value, a dot for each step. U unsupplied, A \
                     activated, B in Blitz. Below a stack: how many units, and their combat values. G: a garrison."
            .to_owned(),
        layers: vec![SUPPLY, RAILWAYS],
        places: places.into_iter().map(|(_, place)| place).collect(),
    }
}

/// Rivers, straits and railways between hexes that are drawn.
fn links(game: &EuroFront, shown: &Hexes) -> Vec<Link> {
    let data = &game.rules.map;
    let mut links: Vec<Link> = Vec::new();
    let mut link = |a: Hex, b: Hex, change: &dyn Fn(&mut Link)| {
        if !(shown.contains(a) && shown.contains(b)) {
            return;
        }
        let (a, b) = (shown.rank(a) as usize, shown.rank(b) as usize);
        let at = links.iter().position(|link| (link.a, link.b) == (a, b)).unwrap_or_else(|| {
            links.push(Link { a, b, ..Link::default() });
            links.len() - 1
        });
        change(&mut links[at]);
    };
    for side in &data.sides {
        match side.kind {
            SideKind::River | SideKind::Strait | SideKind::SuezCanal => {
                link(side.a, side.b, &|link| link.river = true);
            }
            SideKind::Sea | SideKind::Lake => link(side.a, side.b, &|link| link.water = true),
            SideKind::Alpine | SideKind::RailCauseway | SideKind::RailFerry => {}
        }
    }
    for &(a, b) in &data.rails {
        link(a, b, &|link| link.ways = Ways { railway: true, ..link.ways });
    }
    for &(a, b) in &data.roads {
        link(a, b, &|link| link.ways = Ways { secondary: true, ..link.ways });
    }
    for route in &data.routes {
        match route.kind {
            RouteKind::Rail => {
                link(route.a, route.b, &|link| link.ways = Ways { railway: true, ..link.ways });
            }
            RouteKind::Road => {
                link(route.a, route.b, &|link| link.ways = Ways { secondary: true, ..link.ways });
            }
            RouteKind::Strait => link(route.a, route.b, &|link| link.river = true),
        }
    }
    links
}

/// Who and what stands on it.
pub(super) fn position(game: &EuroFront, state: &State) -> Position {
    let shown = shown(game);
    let owner = |hex: Hex| {
        let camp = Camp::ALL.into_iter().find(|camp| state.friendly[camp.index()].contains(hex))?;
        let soviet = camp == Camp::Coalition && state.owners.is_soviet(hex);
        Some(if soviet { game.side_of(Faction::Soviets) } else { side_of_camp(game, camp) })
    };
    let at = |hex: Hex| shown.rank(hex) as usize;
    let mut markers = Vec::new();
    for hex in shown {
        for camp in Camp::ALL {
            let stack = state.stack(hex, camp);
            if let Some(block) = stack.first() {
                let side = game.side_of(game.block(block).faction);
                markers.push(marker(game, state, at(hex), side, &stack));
            }
            if game.is_civil_war() && state.garrisons(camp).contains(hex) {
                markers.push(Marker {
                    place: at(hex),
                    side: Some(side_of_camp(game, camp)),
                    text: "G".into(),
                    words: "garrison".into(),
                    counters: Vec::new(),
                });
            }
        }
    }
    let layers = Camp::ALL.into_iter().flat_map(|camp| {
        let network = game.whole_network(state, camp);
        let supplied = game.supplied_by(state, camp, &network);
        [(SUPPLY, supplied), (RAILWAYS, network)].map(|(layer, hexes)| Layer {
            id: layer.id,
            side: side_of_camp(game, camp),
            places: hexes.and(&shown).iter().map(at).collect(),
        })
    });
    Position {
        owners: shown.iter().map(owner).collect(),
        markers,
        layers: layers.collect(),
        ..Position::default()
    }
}

/// A stack: the strongest unit lies on top, headquarters below.
fn marker(
    game: &EuroFront,
    state: &State,
    place: usize,
    side: sandtable_core::Side,
    stack: &Blocks,
) -> Marker {
    let mut units: Vec<BlockId> = stack.iter().collect();
    let is_headquarters = |block: BlockId| game.brief(block).kind.is_headquarters();
    units.sort_by_key(|&block| (is_headquarters(block), std::cmp::Reverse(state.steps[block]), block));
    let fighting = units.iter().filter(|&&block| !is_headquarters(block));
    let strength: u32 = fighting.map(|&block| u32::from(state.steps[block])).sum();
    let words: Vec<String> = units.iter().map(|&block| in_words(game, state, block)).collect();
    Marker {
        place,
        side: Some(side),
        text: strength.to_string(),
        words: words.join("; "),
        counters: units.iter().map(|&block| counter(game, state, block)).collect(),
    }
}

fn in_words(game: &EuroFront, state: &State, block: BlockId) -> String {
    let states = STATES.iter().filter(|(mark, ..)| state.has(block, *mark)).map(|&(_, _, word)| word);
    let states: Vec<&str> = states.collect();
    let states = if states.is_empty() { String::new() } else { format!(" ({})", states.join(", ")) };
    let data = game.block(block);
    format!("{}, {} {} of {}{states}", data.name, data.kind.id(), state.steps[block], data.full)
}

fn counter(game: &EuroFront, state: &State, block: BlockId) -> Counter {
    let data = game.block(block);
    Counter {
        symbol: match data.kind {
            Kind::Armour => UnitSymbol::Armour,
            Kind::Mech => UnitSymbol::MotorisedInfantry,
            Kind::Cavalry => UnitSymbol::Cavalry,
            Kind::Static => UnitSymbol::SecurityInfantry,
            Kind::Hq | Kind::SupremeHq | Kind::TheatreHq => UnitSymbol::Headquarters,
            Kind::Fort | Kind::Beachhead => UnitSymbol::Supplies,
            Kind::Infantry | Kind::Mountain | Kind::Shock | Kind::Amphibious | Kind::Para => {
                UnitSymbol::Infantry
            }
        },
        size: "",
        name: data.id.clone(),
        values: state.steps[block].to_string(),
        steps: (state.steps[block], data.full),
        formation: None,
        states: STATES
            .iter()
            .filter(|(mark, ..)| state.has(block, *mark))
            .map(|&(_, letter, _)| letter)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::EuroSystem;
    use super::*;
    use sandtable_experiments::system::{Source, System as _};

    fn open() -> EuroFront {
        EuroSystem.open(Source::Id("eurofront/1936"), &[]).unwrap().game
    }

    #[test]
    fn what_lies_between_hexes_is_drawn_between_neighbours() {
        let map = map(&open());
        assert!(map.places.len() > 60, "{} hexes", map.places.len());
        assert!(map.links.len() > 50, "{} sides", map.links.len());
        for link in &map.links {
            let [(x, y), (u, v)] = [link.a, link.b].map(|at| match map.places[at].site {
                Site::Hex { east, south, .. } => (east, south),
                _ => panic!("{} is a hex", map.places[at].id),
            });
            assert!(((x - u).hypot(y - v) - 1.0).abs() < 1e-9, "{link:?}");
        }
    }

    #[test]
    fn the_north_lies_above_and_the_east_to_the_right() {
        let map = map(&open());
        let at = |name: &str| match map.places.iter().find(|place| place.name == name).unwrap().site {
            Site::Hex { east, south, .. } => (east, south),
            _ => panic!("{name} is a hex"),
        };
        let (madrid, bilbao, lisbon, barcelona) = (at("Madrid"), at("Bilbao"), at("Lisbon"), at("Barcelona"));
        assert!(bilbao.1 < madrid.1 && lisbon.0 < madrid.0 && madrid.0 < barcelona.0);
    }

    #[test]
    fn a_stack_shows_the_strongest_unit_and_what_it_comes_to() {
        let game = open();
        let mut editor = sandtable_eurofront::editor::Editor::new(&game);
        editor.clear();
        let madrid = game.rules.place("madrid").unwrap();
        for (id, steps) in [("sr_thq_fp", 1), ("sr_inf_1", 2), ("sr_inf_2", 3)] {
            editor.place(game.rules.block(id).unwrap(), madrid, steps);
        }
        editor.mark(game.rules.block("sr_inf_1").unwrap(), Mark::Unsupplied, true);
        let position = position(&game, &editor.finish());
        let [marker] = &position.markers[..] else { panic!("one stack") };
        let names: Vec<&str> = marker.counters.iter().map(|counter| counter.name.as_str()).collect();
        assert_eq!(names, ["sr_inf_2", "sr_inf_1", "sr_thq_fp"]);
        assert_eq!(marker.text, "5");
        assert_eq!(marker.counters[1].states, "U");
        assert_eq!(position.owners[place(&game, madrid)], Some(sandtable_core::Side(1)));
    }
}
