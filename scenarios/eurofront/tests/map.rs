//! The map: whole, passable and joined as the rules say, whatever else changes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sandtable_core::Index;
use sandtable_core::hex::{Direction, Hex, HexBoard, Orientation};
use sandtable_eurofront::Rules;
use sandtable_eurofront::ids::{AREA_LINE, Front, LINES};
use sandtable_eurofront::rules::{Fortress, HexData, Port, SideKind, Terrain};
use sandtable_scenarios_eurofront::open;

struct Sheet {
    rules: Rules,
    board: HexBoard<LINES>,
    hexes: HashMap<Hex, HexData>,
    sides: HashMap<(Hex, Hex), Vec<SideKind>>,
}

impl Sheet {
    fn new() -> Sheet {
        let rules = open("eurofront/1936", &[]).unwrap_or_else(|error| panic!("{error}")).into_rules();
        let hexes: HashMap<Hex, HexData> =
            rules.map.hexes.iter().map(|data| (data.hex, data.clone())).collect();
        let board = HexBoard::new(hexes.keys().copied(), true, Orientation::PointyTops).unwrap();
        let mut sides: HashMap<(Hex, Hex), Vec<SideKind>> = HashMap::new();
        for side in &rules.map.sides {
            sides.entry((side.a, side.b)).or_default().push(side.kind);
        }
        Sheet { rules, board, hexes, sides }
    }

    /// The hex of a place, or so many steps from one: `port_said E1`.
    fn at(&self, text: &str) -> Hex {
        let mut words = text.split(' ');
        let first = words.next().unwrap();
        let start = self.rules.place(first).unwrap_or_else(|| panic!("no place {first}"));
        words
            .fold(start, |hex, leg| self.walk(hex, leg).unwrap_or_else(|| panic!("{text} leads off the map")))
    }

    /// A leg of so many steps one way, which may lead over water: `NE2`.
    fn walk(&self, mut hex: Hex, leg: &str) -> Option<Hex> {
        let (way, steps) = leg.split_at(leg.find(|letter: char| letter.is_ascii_digit())?);
        let direction = Direction::ALL
            .into_iter()
            .find(|&way_| Orientation::PointyTops.compass(way_).eq_ignore_ascii_case(way))?;
        for _ in 0..steps.parse::<u8>().ok()? {
            hex = self.board.neighbour(hex, direction)?;
        }
        Some(hex)
    }

    fn is_land(&self, hex: Hex) -> bool {
        self.hexes.get(&hex).is_some_and(|data| !matches!(data.terrain, Terrain::Sea | Terrain::Lake))
    }

    fn kinds(&self, a: Hex, b: Hex) -> &[SideKind] {
        self.sides.get(&(a.min(b), a.max(b))).map_or(&[], Vec::as_slice)
    }

    /// Whether land units, or without straits those that stay on one shore, get from a hex into the next.
    fn passable(&self, a: Hex, b: Hex, straits: bool) -> bool {
        let barred = |hex| {
            !self.is_land(hex) || matches!(self.hexes[&hex].terrain, Terrain::SandSea | Terrain::Depression)
        };
        let kinds = self.kinds(a, b);
        let strait = kinds.contains(&SideKind::Strait);
        let closed =
            [SideKind::Sea, SideKind::Lake, SideKind::Alpine].iter().any(|kind| kinds.contains(kind));
        !barred(a) && !barred(b) && if strait { straits } else { !closed }
    }

    fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex> + '_ {
        self.board.neighbours(hex).map(|(_, next)| next)
    }

    /// What is joined to a hex by a relation.
    fn joined(&self, start: Hex, joins: impl Fn(Hex, Hex) -> bool) -> BTreeSet<Hex> {
        let (mut seen, mut queue) = (BTreeSet::from([start]), vec![start]);
        while let Some(hex) = queue.pop() {
            for next in self.neighbours(hex) {
                if joins(hex, next) && seen.insert(next) {
                    queue.push(next);
                }
            }
        }
        seen
    }
}

#[test]
fn the_map_has_its_hexes_by_terrain_and_front() {
    let sheet = Sheet::new();
    let count = |test: &dyn Fn(&HexData) -> bool| sheet.hexes.values().filter(|data| test(data)).count();
    assert_eq!(sheet.rules.map.hexes.len(), 1722);
    let terrain = Terrain::ALL.map(|terrain| count(&|data| data.terrain == terrain));
    assert_eq!(terrain, [667, 94, 64, 12, 113, 0, 271, 7, 2, 1, 491]);
    let fronts = Front::ALL.map(|front| count(&|data| data.front == Some(front)));
    // Four hexes of Morocco, which count to the West in 1936, are of the Mediterranean otherwise.
    assert_eq!(fronts, [379, 498, 321, 32]);
    // Clear ground dominates in the Soviet Union; swamps are few and lie on rivers.
    let soviet = count(&|data| data.country == "ussr");
    assert!(2 * count(&|data| data.country == "ussr" && data.terrain == Terrain::Clear) > soviet);
}

#[test]
fn names_lead_to_their_hexes() {
    let sheet = Sheet::new();
    let named: HashMap<&str, Hex> =
        sheet.rules.map.hexes.iter().map(|data| (data.name.as_str(), data.hex)).collect();
    let is_leg = |word: &&str| {
        let way = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        way.len() < word.len() && ["E", "NE", "NW", "W", "SW", "SE"].contains(&way)
    };
    let mut led = 0;
    for data in sheet.rules.map.hexes.iter().filter(|data| sheet.is_land(data.hex)) {
        let words: Vec<&str> = data.name.split(' ').collect();
        let legs = words.iter().rev().take_while(|word| is_leg(word)).count();
        if legs == 0 {
            continue;
        }
        let base = words[..words.len() - legs].join(" ");
        let start =
            *named.get(base.as_str()).unwrap_or_else(|| panic!("{}: no hex is called {base}", data.name));
        let end = words[words.len() - legs..].iter().try_fold(start, |hex, leg| sheet.walk(hex, leg));
        // A way may lead off the map and back only where a leg crosses a corner without hexes.
        if let Some(end) = end {
            assert_eq!(end, data.hex, "{}", data.name);
            led += 1;
        }
    }
    assert!(led > 900, "{led}");
}

#[test]
fn distances_of_the_rules_hold() {
    let sheet = Sheet::new();
    for (a, b) in [
        ("reggio", "messina"),
        ("odense", "copenhagen"),
        ("copenhagen", "malmo"),
        ("gibraltar", "tangiers"),
        ("cadiz", "tangiers"),
        ("stavanger", "haugesund"),
        ("derna", "tobruk"),
        ("mechili", "bir_hacheim"),
        ("mareth", "gabes"),
        ("metz", "strasbourg"),
        ("strasbourg", "mulhouse"),
        ("la_rochelle", "bordeaux"),
        ("la_rochelle", "bordeaux E1"),
    ] {
        assert_eq!(sheet.board.distance(sheet.at(a), sheet.at(b)), 1, "{a} and {b}");
    }
    for (a, b, distance) in [("tripoli", "gabes", 3), ("tripoli W1", "gabes", 2)] {
        assert_eq!(sheet.board.distance(sheet.at(a), sheet.at(b)), distance, "{a} and {b}");
    }
    assert_eq!(sheet.at("port_said SE1"), sheet.at("suez"));
}

#[test]
fn hexsides_of_the_rules_carry_what_they_say() {
    use SideKind::{RailCauseway, RailFerry, Sea, Strait, SuezCanal};

    let sheet = Sheet::new();
    for (a, b, kind) in [
        ("stavanger", "haugesund", Sea),
        ("reggio", "messina", RailFerry),
        ("reggio", "messina", Strait),
        ("copenhagen", "odense", RailFerry),
        ("copenhagen", "odense", Strait),
        ("copenhagen", "malmo", Strait),
        ("gibraltar", "tangiers", Strait),
        ("cadiz", "tangiers", Strait),
        ("port_said", "port_said E1", SuezCanal),
        ("suez", "port_said E1", SuezCanal),
        ("odense", "odense W1", RailCauseway),
        ("melitopol", "melitopol SW1", RailCauseway),
        ("dover", "calais", Sea),
        ("helsinki", "tallinn", Sea),
        ("istanbul", "istanbul E1", Strait),
        ("kanakkale", "kanakkale E1", Strait),
        ("kerch", "kerch E1", Strait),
        ("suez", "suez E1", Sea),
    ] {
        assert!(sheet.kinds(sheet.at(a), sheet.at(b)).contains(&kind), "{a} and {b}: {kind:?}");
    }
    let rivers: BTreeSet<&str> = (sheet.rules.map.sides.iter())
        .filter(|side| side.kind == SideKind::River)
        .flat_map(|side| side.name.split("; "))
        .collect();
    for river in [
        "Rhine",
        "Meuse",
        "Seine",
        "Loire",
        "Garonne",
        "Rhone",
        "Po",
        "Elbe",
        "Oder",
        "Vistula",
        "Bug",
        "Niemen",
        "Dvina",
        "Danube",
        "Tisza",
        "Drava",
        "Sava",
        "Prut",
        "Dniester",
        "Southern Bug",
        "Dnieper",
        "Pripet",
        "Berezina",
        "Desna",
        "Donets",
        "Don",
        "Volga",
        "Oka",
        "Kuban",
        "Volkhov",
        "Narva",
        "Ebro",
        "Tagus",
        "Nile",
        "Tigris",
        "Euphrates",
    ] {
        assert!(rivers.contains(river), "the {river} runs along no hexside");
    }
    for side in &sheet.rules.map.sides {
        assert!(
            sheet.is_land(side.a) && sheet.is_land(side.b),
            "{:?} at {:?} and {:?}",
            side.kind,
            side.a,
            side.b
        );
    }
}

#[test]
fn land_is_the_mainland_and_the_islands() {
    let sheet = Sheet::new();
    let shore = |hex: Hex| sheet.joined(hex, |a, b| sheet.passable(a, b, false));
    let mainland = shore(sheet.at("paris"));
    assert!(mainland.contains(&sheet.at("moscow")) && mainland.contains(&sheet.at("cairo")));
    assert!(!mainland.contains(&sheet.at("tangiers")) || mainland.contains(&sheet.at("casablanca")));
    let islands: [&[&str]; 15] = [
        &["malta"],
        &["rhodes"],
        &["mallorca"],
        &["nicosia"],
        &["canea", "canea E1"],
        &["bastia"],
        &["sassari", "olbia", "cagliari"],
        &["palermo", "messina", "catania", "licata"],
        &["shetlands"],
        &["scapa_flow"],
        &["copenhagen"],
        &["odense"],
        &["london", "glasgow", "aberdeen", "cardiff", "plymouth"],
        &["liverpool W4"],
        &["oslo", "stockholm", "malmo"],
    ];
    let mut counted = mainland.clone();
    for island in islands {
        let own = shore(sheet.at(island[0]));
        assert!(counted.is_disjoint(&own), "{} is joined to other land", island[0]);
        assert!(island.iter().all(|place| own.contains(&sheet.at(place))), "{} is split", island[0]);
        counted.extend(own);
    }
    for data in sheet.rules.map.hexes.iter().filter(|data| sheet.is_land(data.hex)) {
        let barred = matches!(data.terrain, Terrain::SandSea | Terrain::Depression);
        assert!(barred || counted.contains(&data.hex), "{} is an island of its own", data.name);
    }
    assert!((20..=30).contains(&shore(sheet.at("london")).len()));
    assert_eq!(shore(sheet.at("palermo")).len(), 4);
}

#[test]
fn railways_run_on_land_and_are_joined() {
    let sheet = Sheet::new();
    let map = &sheet.rules.map;
    let over_straits = [("copenhagen", "malmo"), ("istanbul", "istanbul E1")].map(|(a, b)| {
        let (a, b) = (sheet.at(a), sheet.at(b));
        (a.min(b), a.max(b))
    });
    let mut rails: HashMap<Hex, Vec<Hex>> = HashMap::new();
    for &(a, b) in &map.rails {
        let crossing = [SideKind::RailFerry, SideKind::RailCauseway];
        let crosses = crossing.iter().any(|kind| sheet.kinds(a, b).contains(kind));
        let strait = sheet.kinds(a, b).contains(&SideKind::Strait);
        assert!(
            crosses || over_straits.contains(&(a, b)) || (sheet.passable(a, b, true) && !strait),
            "the railway {a:?} to {b:?} crosses what it cannot"
        );
        rails.entry(a).or_default().push(b);
        rails.entry(b).or_default().push(a);
    }
    for &(a, b) in &map.roads {
        assert!(sheet.passable(a, b, true), "the road {a:?} to {b:?} crosses what it cannot");
    }
    let net = |start: &str| {
        sheet.joined(sheet.at(start), |a, b| rails.get(&a).is_some_and(|next| next.contains(&b)))
    };
    let nets: [&[&str]; 5] = [
        &[
            "paris",
            "berlin",
            "moscow",
            "warsaw",
            "rome",
            "madrid",
            "istanbul",
            "bucharest",
            "athens",
            "baku",
            "leningrad",
            "helsinki",
            "copenhagen",
            "messina",
            "lisbon",
            "bayonne",
        ],
        &["tunis", "casablanca", "gabes"],
        &["alexandria", "suez", "jaffa", "aleppo", "basra", "ankara", "teheran"],
        &["oslo", "stockholm", "bergen", "goteborg"],
        &["london", "glasgow", "plymouth", "liverpool", "hull", "aberdeen"],
    ];
    for own in nets {
        let joined = net(own[0]);
        for place in own {
            assert!(joined.contains(&sheet.at(place)), "no railway from {} to {place}", own[0]);
        }
    }
    // Gabes is a railhead; Mareth lies beside the railway (21.3).
    assert_eq!(rails[&sheet.at("gabes")].len(), 1);
    assert!(!rails.contains_key(&sheet.at("mareth")));
    // No railway in Libya; the desert road runs from Gabes to Alexandria.
    assert!(!rails.keys().any(|hex| sheet.hexes[hex].country == "libya"));
    let mut ways = rails.clone();
    for &(a, b) in &map.roads {
        ways.entry(a).or_default().push(b);
        ways.entry(b).or_default().push(a);
    }
    let road = sheet.joined(sheet.at("gabes"), |a, b| ways.get(&a).is_some_and(|next| next.contains(&b)));
    for place in ["tripoli", "benghazi", "derna", "tobruk", "alexandria"] {
        assert!(road.contains(&sheet.at(place)), "no road from Gabes to {place}");
    }
}

#[test]
fn ports_lie_at_their_seas_and_seas_touch_where_they_are_linked() {
    let sheet = Sheet::new();
    let map = &sheet.rules.map;
    // River ports, and those whose gulf begins beyond the next hex.
    let inland = ["antwerp", "aqaba", "basra", "bremen", "bristol", "leningrad", "london", "riga", "rostov"];
    let mut by_size = BTreeMap::new();
    for place in map.places.iter().filter(|place| place.port != Port::None) {
        *by_size.entry(place.port == Port::Major).or_insert(0) += 1;
        if place.hex.line() == AREA_LINE || inland.contains(&place.id.as_str()) {
            continue;
        }
        let coast = &sheet.hexes[&place.hex].coast;
        for sea in &place.port_seas {
            assert!(coast.contains(sea), "{} is no port of {}", place.id, map.seas[sea.at()].id);
        }
        let terrain = sheet.hexes[&place.hex].terrain;
        assert!(terrain != Terrain::Mountain, "{} lies in mountains and could not be invaded", place.id);
    }
    assert_eq!((by_size[&false], by_size[&true]), (104, 48), "minor and major ports of 15.1");
    for sea in &map.seas {
        let own = map.places.iter().filter(|place| sea.base == Some(place.hex) && place.port != Port::None);
        assert!(sea.base.is_none() || own.count() == 1, "the base of {} is no port", sea.id);
        assert!(
            sea.base.is_some() || sea.always.is_some() || sea.links.len() <= 2,
            "nobody can control {}",
            sea.id
        );
    }
    // Hexes of two sea areas touch only where the areas are linked.
    for data in map.hexes.iter().filter(|data| data.sea.is_some()) {
        for next in sheet.neighbours(data.hex) {
            let (Some(a), Some(b)) = (data.sea, sheet.hexes[&next].sea) else { continue };
            let linked = a == b || map.seas[a.at()].links.iter().any(|&(to, _)| to == b);
            assert!(linked, "{} and {} touch", map.seas[a.at()].id, map.seas[b.at()].id);
        }
    }
}

#[test]
fn fronts_countries_and_fortresses_are_those_of_the_rules() {
    let sheet = Sheet::new();
    let data = |place: &str| &sheet.hexes[&sheet.at(place)];
    for (place, front) in [
        ("danzig", Front::East),
        ("konigsberg", Front::East),
        ("warsaw", Front::East),
        ("bucharest", Front::East),
        ("ploesti", Front::East),
        ("lodz", Front::West),
        ("poznan", Front::West),
        ("berlin", Front::West),
        ("vienna", Front::West),
        ("budapest", Front::West),
        ("istanbul", Front::West),
        ("kanakkale", Front::West),
        ("ankara", Front::East),
        ("teheran", Front::East),
        ("basra", Front::Mediterranean),
        ("gibraltar", Front::West),
        ("helsinki", Front::East),
        ("oslo", Front::North),
        ("stockholm", Front::North),
    ] {
        assert_eq!(data(place).front, Some(front), "{place}");
    }
    for (place, country) in [
        ("cernauti W1", "romania"),
        ("vyborg NE1", "finland"),
        ("danzig", "danzig"),
        ("philippeville", "belgium"),
        ("tripoli W1", "libya"),
        ("port_said E1", "egypt"),
    ] {
        assert_eq!(data(place).country, country, "{place}");
    }
    for (place, territory) in [
        ("suwalki", "west_poland"),
        ("warsaw", "west_poland"),
        ("brest_litovsk", "east_poland"),
        ("lwow", "east_poland"),
        ("cernauti", "bessarabia"),
        ("cernauti W1", "bessarabia"),
        ("vienna", "austria"),
        ("brno", "bohemia"),
        ("lyon", "vichy"),
        ("marseilles", "vichy"),
        ("cluj", "transylvania"),
        ("riga", "latvia"),
        ("tallinn", "estonia"),
        ("kaunas", "lithuania"),
        ("konigsberg", "east_prussia"),
    ] {
        assert_eq!(data(place).territory, territory, "{place}");
    }
    for (place, terrain) in
        [("naples W1", Terrain::Forest), ("grozny", Terrain::Forest), ("licata", Terrain::Hill)]
    {
        assert_eq!(data(place).terrain, terrain, "{place}");
    }
    for place in ["leningrad", "sevastopol", "malta", "gibraltar"] {
        assert_eq!(data(place).fortress, Fortress::Full, "{place}");
    }
    assert_eq!(data("tobruk").fortress, Fortress::Minor);
    for (place, country) in [
        ("metz", "germany"),
        ("strasbourg", "germany"),
        ("mulhouse", "germany"),
        ("nice", "italy"),
        ("bayonne", "spain"),
        ("perpignan", "spain"),
        ("batumi", "turkey_asia"),
        ("leninakan", "turkey_asia"),
        ("yerevan", "turkey_asia"),
        ("nakhichevan", "turkey_asia"),
        ("philippeville", "france"),
        ("vyborg", "ussr"),
        ("melilla", "morocco"),
        ("tallinn", "baltic_states"),
    ] {
        let hex = sheet.at(place);
        let borders = |next: Hex| sheet.passable(hex, next, true) && sheet.hexes[&next].country == country;
        assert!(sheet.neighbours(hex).any(borders), "{place} does not border {country}");
    }
}

#[test]
fn countries_have_their_size() {
    let sheet = Sheet::new();
    // Thousand square kilometres in the borders of the map; a hex of 107 km has 9.9.
    for (country, area) in [
        ("great_britain", 244.0),
        ("france", 551.0),
        ("germany", 527.0),
        ("poland", 389.0),
        ("czechoslovakia", 127.0),
        ("hungary", 105.0),
        ("romania", 295.0),
        ("yugoslavia", 248.0),
        ("italy", 308.0),
        ("spain", 504.0),
        ("portugal", 89.0),
        ("turkey_asia", 755.0),
        ("syria", 196.0),
        ("iraq", 438.0),
    ] {
        let hexes = sheet.hexes.values().filter(|data| data.country == country).count() as f64;
        let want = area / 9.915;
        let (least, most) = (want - f64::max(1.5, 0.2 * want), want + f64::max(2.8, 0.4 * want));
        assert!((least..=most).contains(&hexes), "{country}: {hexes} hexes, its area is that of {want:.1}");
    }
}
