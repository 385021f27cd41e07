//! Hexes as wargamers expect them: terrain in colours, water and slopes on hexsides, bridges, roads, tracks and railways
//! from middle to middle, settlements, field works, and who holds what on demand.

use std::collections::HashMap;
use std::fmt::Write;

use sandtable_core::Side;
use svg::node::Blob;
use svg::node::element::Group;

use super::layout::{Layout, Spot};
use super::page::shade;
use crate::system::board::{Link, Map, Place, Position, Settlement, SignKind, Texture, Ways};

/// The layer of who holds what, which every board of hexes has.
pub const CONTROL: &str = "control";

/// Hexes laid out, with the sides between them.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The side between two hexes, the lower index first.
    sides: HashMap<(usize, usize), [Spot; 2]>,
    /// The same in a fixed order.
    pairs: Vec<(usize, usize)>,
}

/// A line of the key: words, and SVG around the middle of its place.
pub type Sample = (String, String);

impl Sheet {
    /// The sides of a board of hexes.
    pub fn new(layout: &Layout) -> Sheet {
        let sides: HashMap<_, _> =
            layout.borders.iter().map(|border| ((border.a, border.b), border.ends)).collect();
        let pairs = layout.borders.iter().map(|border| (border.a, border.b)).collect();
        Sheet { sides, pairs }
    }

    fn side(&self, link: &Link) -> Option<[Spot; 2]> {
        self.sides.get(&(link.a.min(link.b), link.a.max(link.b))).copied()
    }

    /// Terrain on hexsides and from middle to middle, settlements, and works.
    pub fn features(&self, map: &Map, layout: &Layout) -> Group {
        let mut svg = String::new();
        self.slopes(&mut svg, map, layout);
        self.water(&mut svg, map);
        settlements(&mut svg, map, layout);
        ways(&mut svg, map, layout);
        self.bridges(&mut svg, map, layout);
        self.works(&mut svg, map, layout);
        Group::new().set("pointer-events", "none").add(Blob::new(svg))
    }

    /// Ticks down the slope.
    fn slopes(&self, svg: &mut String, map: &Map, layout: &Layout) {
        let mut path = String::new();
        for link in &map.links {
            let (Some(upper), Some(ends)) = (link.upper, self.side(link)) else { continue };
            let lower = if upper == link.a { link.b } else { link.a };
            let down = toward(layout.spots[upper], layout.spots[lower], 1.0);
            comb(&mut path, ends, 7, Spot { x: 5.5 * down.x, y: 5.5 * down.y });
        }
        drawn(svg, "hach", &path);
    }

    fn water(&self, svg: &mut String, map: &Map) {
        let (mut streams, mut rivers) = (String::new(), String::new());
        for link in &map.links {
            let Some(ends) = self.side(link) else { continue };
            if link.stream {
                line(&mut streams, ends);
            }
            if link.river {
                line(&mut rivers, ends);
            }
        }
        drawn(svg, "stream", &streams);
        drawn(svg, "broad", &rivers);
    }

    /// A pair of rails across the water.
    fn bridges(&self, svg: &mut String, map: &Map, layout: &Layout) {
        let mut path = String::new();
        for link in map.links.iter().filter(|link| link.bridge) {
            let Some([from, to]) = self.side(link) else { continue };
            let middle = Spot { x: f64::midpoint(from.x, to.x), y: f64::midpoint(from.y, to.y) };
            let across = toward(layout.spots[link.a], layout.spots[link.b], 6.5);
            let along = toward(from, to, 4.2);
            for sign in [-1.0, 1.0] {
                let foot = Spot { x: middle.x + sign * along.x, y: middle.y + sign * along.y };
                let _ = write!(
                    path,
                    "M{} {}l{} {}",
                    tenth(foot.x - across.x),
                    tenth(foot.y - across.y),
                    tenth(2.0 * across.x),
                    tenth(2.0 * across.y)
                );
            }
        }
        drawn(svg, "span", &path);
    }

    /// Fortified lines, just inside the hex that they protect, each hex of its own so that it can be razed.
    fn works(&self, svg: &mut String, map: &Map, layout: &Layout) {
        let mut by_place: Vec<(usize, String)> = Vec::new();
        for link in map.links.iter().filter(|link| link.fortified) {
            let Some([from, to]) = self.side(link) else { continue };
            for place in link.sheltered.map_or(vec![link.a, link.b], |place| vec![place]) {
                let outside = if place == link.a { link.b } else { link.a };
                let out = toward(layout.spots[place], layout.spots[outside], 1.0);
                let inset = |spot: Spot| Spot { x: spot.x - 5.0 * out.x, y: spot.y - 5.0 * out.y };
                let middle = Spot { x: f64::midpoint(from.x, to.x), y: f64::midpoint(from.y, to.y) };
                let shrunk = |spot: Spot| Spot {
                    x: middle.x + 0.88 * (spot.x - middle.x),
                    y: middle.y + 0.88 * (spot.y - middle.y),
                };
                let ends = [inset(shrunk(from)), inset(shrunk(to))];
                let at = by_place.iter().position(|(known, _)| *known == place);
                let at = at.unwrap_or_else(|| {
                    by_place.push((place, String::new()));
                    by_place.len() - 1
                });
                let path = &mut by_place[at].1;
                comb(path, ends, 5, Spot { x: 4.0 * out.x, y: 4.0 * out.y });
            }
        }
        for (place, path) in by_place {
            let _ = write!(svg, "<path id=\"w{place}\" d=\"{path}\" class=\"works\"/>");
        }
    }

    /// The line between hexes that different sides hold.
    pub fn front(&self, position: &Position) -> String {
        let mut path = String::new();
        let owner = |place: usize| position.owners.get(place).copied().flatten();
        for &(a, b) in &self.pairs {
            if let (Some(one), Some(other)) = (owner(a), owner(b))
                && one != other
            {
                line(&mut path, self.sides[&(a, b)]);
            }
        }
        path
    }
}

/// The houses of settlements, more the larger they are.
fn settlements(svg: &mut String, map: &Map, layout: &Layout) {
    const HOUSES: [&[(f64, f64)]; 3] = [
        &[(-5.0, -3.0), (3.0, 2.0)],
        &[(-9.0, -8.0), (3.0, -9.0), (-4.0, 2.0), (7.0, 4.0), (-11.0, 7.0)],
        &[
            (-20.0, -8.0),
            (-20.0, 4.0),
            (-11.0, -20.0),
            (-11.0, -8.0),
            (-11.0, 4.0),
            (-11.0, 15.0),
            (0.0, -21.0),
            (0.0, -8.0),
            (0.0, 4.0),
            (0.0, 16.0),
            (11.0, -19.0),
            (11.0, -8.0),
            (11.0, 4.0),
            (11.0, 14.0),
            (20.0, -6.0),
            (20.0, 5.0),
        ],
    ];
    let mut path = String::new();
    for (place, spot) in map.places.iter().zip(&layout.spots) {
        let Some(settlement) = place.marks.settlement else { continue };
        let edge = if settlement == Settlement::Town { 8.0 } else { 6.0 };
        for (x, y) in HOUSES[settlement as usize] {
            let _ = write!(
                path,
                "M{} {}h{edge}v{edge}h-{edge}z",
                tenth(spot.x + x - edge / 2.0),
                tenth(spot.y + y - edge / 2.0)
            );
        }
    }
    drawn(svg, "house", &path);
}

/// Roads, tracks and railways. Each goes from the middle of a hexside to the middle of the hex, or in a bend to the next
/// hexside where nothing else joins it. A railway beside a road keeps off it.
fn ways(svg: &mut String, map: &Map, layout: &Layout) {
    const ROADS: [fn(Ways) -> bool; 3] = [|ways| ways.primary, |ways| ways.secondary, |ways| ways.track];
    let mut arms: Vec<Vec<(Spot, Ways)>> = vec![Vec::new(); map.places.len()];
    let mut rails: Vec<Vec<Spot>> = vec![Vec::new(); map.places.len()];
    for link in map.links.iter().filter(|link| link.ways.any()) {
        let (from, to) = (layout.spots[link.a.min(link.b)], layout.spots[link.a.max(link.b)]);
        let middle = Spot { x: f64::midpoint(from.x, to.x), y: f64::midpoint(from.y, to.y) };
        let is_road = ROADS.iter().any(|kind| kind(link.ways));
        if link.ways.railway {
            let aside = toward(from, to, if is_road { 7.0 } else { 0.0 });
            let beside = Spot { x: middle.x - aside.y, y: middle.y + aside.x };
            for end in [link.a, link.b] {
                rails[end].push(beside);
            }
        }
        if is_road {
            for end in [link.a, link.b] {
                arms[end].push((middle, link.ways));
            }
        }
    }
    let [mut primary, mut secondary, mut track] = [const { String::new() }; 3];
    let mut railway = String::new();
    for (at, &centre) in layout.spots.iter().enumerate() {
        for (path, kind) in [&mut primary, &mut secondary, &mut track].into_iter().zip(ROADS) {
            let own = arms[at].iter().filter(|(_, ways)| kind(*ways)).map(|(middle, _)| *middle);
            through(path, centre, &own.collect::<Vec<_>>(), arms[at].len() == 2);
        }
        through(&mut railway, centre, &rails[at], rails[at].len() == 2);
    }
    drawn(svg, "trk", &track);
    drawn(svg, "rail", &railway);
    drawn(svg, "ties", &railway);
    for (path, casing, fill) in [(secondary, "sec0", "sec"), (primary, "pri0", "pri")] {
        drawn(svg, casing, &path);
        drawn(svg, fill, &path);
    }
}

/// A way through a hex from the hexsides that it crosses; in one bend if nothing else joins it.
fn through(path: &mut String, centre: Spot, crossings: &[Spot], alone: bool) {
    if let (&[from, to], true) = (crossings, alone) {
        let [from, bend, to] = [from, centre, to].map(|spot| format!("{} {}", tenth(spot.x), tenth(spot.y)));
        let _ = write!(path, "M{from}Q{bend} {to}");
        return;
    }
    for &crossing in crossings {
        line(path, [crossing, centre]);
    }
}

/// Objectives with their points to the left, sources of supply to the right.
pub fn marks(map: &Map, layout: &Layout) -> Group {
    let mut svg = String::new();
    for (place, spot) in map.places.iter().zip(&layout.spots) {
        if place.marks.point {
            svg.push_str(&objective(Spot { x: spot.x - 27.5, y: spot.y + 2.0 }, place.marks.worth));
        }
        if place.marks.supply {
            svg.push_str(&source(Spot { x: spot.x + 27.5, y: spot.y + 2.0 }, place.marks.supplies));
        }
    }
    Group::new().set("pointer-events", "none").add(Blob::new(svg))
}

fn objective(at: Spot, worth: u8) -> String {
    let (x, y) = (tenth(at.x), tenth(at.y));
    let circle = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"6.6\" class=\"goal\"/>");
    if worth == 0 {
        return circle + &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"2.4\" class=\"goalt\"/>");
    }
    format!("{circle}<text x=\"{x}\" y=\"{}\" class=\"goalt\">{worth}</text>", tenth(at.y + 3.2))
}

fn source(at: Spot, side: Option<Side>) -> String {
    let class = side.map_or("tn".to_owned(), |side| format!("s{}", shade(side)));
    format!("<path d=\"M{} {}l6.4 11.2h-12.8z\" class=\"src {class}\"/>", tenth(at.x), tenth(at.y - 6.4))
}

/// Field works and the like on hexes.
pub fn signs(position: &Position, layout: &Layout) -> String {
    let mut svg = String::new();
    for sign in &position.signs {
        svg.push_str(&sign_at(layout.spots[sign.place], sign.side, sign.kind));
    }
    svg
}

fn sign_at(spot: Spot, side: Side, kind: SignKind) -> String {
    let (x, y, shade) = (tenth(spot.x), tenth(spot.y), shade(side));
    match kind {
        SignKind::Fortified | SignKind::Digging => {
            let class = if kind == SignKind::Fortified { "fort" } else { "fort dig" };
            let mut path = String::new();
            for corner in 0..16 {
                let angle = f64::from(corner) * std::f64::consts::PI / 8.0;
                let radius = if corner % 2 == 0 { 28.5 } else { 23.5 };
                let _ = write!(
                    path,
                    "{}{} {}",
                    if corner == 0 { 'M' } else { 'L' },
                    tenth(spot.x + radius * angle.cos()),
                    tenth(spot.y + radius * angle.sin())
                );
            }
            format!("<path d=\"{path}Z\" class=\"{class} l{shade}\"/>")
        }
        SignKind::NoRetreat => format!(
            "<g class=\"stand\"><circle cx=\"{}\" cy=\"{}\" r=\"6\" class=\"s{shade}\"/>\
             <path d=\"M{} {}h7\" class=\"l0\"/></g>",
            x - 18.0,
            y + 20.0,
            x - 21.5,
            y + 20.0
        ),
    }
}

/// The class of a kind of terrain.
pub fn ground_class(texture: Texture) -> String {
    format!("g{}", texture as usize)
}

/// What a hex is, in words.
pub fn words(map: &Map, place: &Place) -> String {
    let mut parts = vec![map.terrains[place.terrain].name.clone()];
    parts.extend(place.marks.settlement.map(|settlement| settlement.name().to_owned()));
    match place.marks.worth {
        0 => {}
        1 => parts.push("1 point".to_owned()),
        worth => parts.push(format!("{worth} points")),
    }
    if place.marks.supply {
        parts.push("source of supply".to_owned());
    }
    let name = if place.name.is_empty() { String::new() } else { format!(" {}", place.name) };
    format!("{}{name} ({})", place.id, parts.join(", "))
}

/// What lines and signs mean: those that the map has.
pub fn samples(map: &Map) -> Vec<Sample> {
    let any = |is: fn(&Link) -> bool| map.links.iter().any(is);
    let stroke = |class: &str| format!("<path d=\"M-8 0H8\" class=\"{class}\"/>");
    let two = |casing: &str, fill: &str| stroke(casing) + &stroke(fill);
    let comb = |class: &str| format!("<path d=\"M-8 2H8M-6 2v-5M-2 2v-5M2 2v-5M6 2v-5\" class=\"{class}\"/>");
    let lines = [
        ("primary road", any(|link| link.ways.primary), two("pri0", "pri")),
        ("road", any(|link| link.ways.secondary) && !any(|link| link.ways.primary), two("sec0", "sec")),
        (
            "secondary road",
            any(|link| link.ways.secondary) && any(|link| link.ways.primary),
            two("sec0", "sec"),
        ),
        ("track", any(|link| link.ways.track), stroke("trk")),
        ("railway", any(|link| link.ways.railway), two("rail", "ties")),
        ("stream", any(|link| link.stream), stroke("stream")),
        ("river", any(|link| link.river), stroke("broad")),
        ("bridge", any(|link| link.bridge), "<path d=\"M-4-6V6M4-6V6\" class=\"span\"/>".to_owned()),
        ("slope, ticks downhill", any(|link| link.upper.is_some()), comb("hach")),
        ("fortified line, ticks to the enemy", any(|link| link.fortified), comb("works")),
    ];
    let mut samples: Vec<Sample> = lines
        .into_iter()
        .filter(|(_, there, _)| *there)
        .map(|(words, _, svg)| (words.to_owned(), svg))
        .collect();
    let middle = Spot { x: 0.0, y: 0.0 };
    let points = map.places.iter().filter(|place| place.marks.point);
    if let Some(most) = points.map(|place| place.marks.worth).max() {
        let words = if most > 0 { "objective and its points" } else { "objective" };
        samples.push((words.to_owned(), objective(middle, most)));
    }
    if map.places.iter().any(|place| place.marks.supply) {
        samples.push(("source of supply".to_owned(), source(middle, None)));
    }
    samples
}

/// What the signs of a position mean: those that it has.
pub fn sign_samples(position: &Position) -> Vec<Sample> {
    let there = SignKind::ALL.into_iter().filter_map(|kind| {
        let sign = position.signs.iter().find(|sign| sign.kind == kind)?;
        let svg = match kind {
            SignKind::NoRetreat => sign_at(Spot { x: 18.0, y: -20.0 }, sign.side, kind),
            _ => format!(
                "<g transform=\"scale(.26)\">{}</g>",
                sign_at(Spot { x: 0.0, y: 0.0 }, sign.side, kind)
            ),
        };
        Some((kind.name().to_owned(), svg))
    });
    there.collect()
}

fn toward(from: Spot, to: Spot, length: f64) -> Spot {
    let distance = from.distance(to).max(f64::MIN_POSITIVE);
    Spot { x: (to.x - from.x) / distance * length, y: (to.y - from.y) / distance * length }
}

fn drawn(svg: &mut String, class: &str, path: &str) {
    if !path.is_empty() {
        let _ = write!(svg, "<path d=\"{path}\" class=\"{class}\"/>");
    }
}

/// Tenths of a pixel are enough.
fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A line with teeth on one side, evenly spaced, each as long as `tooth` and that way.
fn comb(path: &mut String, ends: [Spot; 2], teeth: u8, tooth: Spot) {
    line(path, ends);
    let [from, to] = ends;
    for nth in 0..teeth {
        let share = (f64::from(nth) + 0.5) / f64::from(teeth);
        let (x, y) = (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
        let _ = write!(path, "M{} {}l{} {}", tenth(x), tenth(y), tenth(tooth.x), tenth(tooth.y));
    }
}

fn line(path: &mut String, [from, to]: [Spot; 2]) {
    let _ = write!(path, "M{} {}L{} {}", tenth(from.x), tenth(from.y), tenth(to.x), tenth(to.y));
}

#[cfg(test)]
mod tests {
    use sandtable_core::SideInfo;

    use super::super::board::Board;
    use super::*;
    use crate::system::board::{Layer, LayerName, Marks, Sign, Site, Terrain};

    /// Four hexes in a row, and what lies between them.
    fn map() -> Map {
        let place = |at: usize, marks: Marks| Place {
            id: format!("{:02}01", at + 1),
            name: if at == 0 { "Here".to_owned() } else { String::new() },
            site: Site::Hex { east: at as f64, south: 0.0, flat_top: false },
            terrain: at % 2,
            region: String::new(),
            marks,
        };
        let plain = Marks::default();
        let goal = Marks { point: true, worth: 5, settlement: Some(Settlement::Town), ..plain };
        let source = Marks { supply: true, supplies: Some(Side(1)), ..plain };
        let road = Ways { primary: true, ..Ways::default() };
        let terrain = |name: &str, texture| Terrain { name: name.to_owned(), texture };
        Map {
            places: vec![place(0, goal), place(1, plain), place(2, plain), place(3, source)],
            links: vec![
                Link { a: 0, b: 1, river: true, bridge: true, ways: road, ..Link::default() },
                Link { a: 1, b: 2, upper: Some(2), ways: road, ..Link::default() },
                Link { a: 2, b: 3, fortified: true, sheltered: Some(3), ..Link::default() },
            ],
            terrains: vec![terrain("clear", Texture::Plain), terrain("woods", Texture::Woods)],
            layers: vec![LayerName { id: "zoc", name: "zones of control" }],
            ..Map::default()
        }
    }

    fn board() -> Board {
        let side = |id, name, team| SideInfo { id, name, team, points: (0, 1) };
        Board::new(&map(), &[side("a", "One", 0), side("b", "Other", 1)])
    }

    fn position() -> Position {
        Position {
            owners: vec![Some(Side(0)), Some(Side(0)), Some(Side(1)), Some(Side(1))],
            signs: vec![Sign { place: 0, side: Side(0), kind: SignKind::Fortified }],
            razed: vec![3],
            layers: vec![Layer { id: "zoc", side: Side(1), places: vec![1, 2] }],
            ..Position::default()
        }
    }

    fn drawn(shown: &[&str]) -> String {
        let shown: Vec<String> = shown.iter().map(|name| (*name).to_owned()).collect();
        board().picture("a game", "now", &position(), &shown)
    }

    #[test]
    fn all_that_a_map_of_hexes_has_is_drawn_and_in_the_key() {
        let picture = drawn(&[]);
        for class in ["broad", "span", "hach", "pri", "works", "house", "goal", "src s1", "fort l0"] {
            assert!(picture.contains(&format!("class=\"{class}\"")), "{class}");
        }
        for words in [
            "river",
            "bridge",
            "slope, ticks downhill",
            "primary road",
            "objective and its points",
            "fortified position",
        ] {
            assert!(picture.contains(&format!(">\n{words}\n<")), "{words} in the key of {picture}");
        }
        for absent in ["stream", "railway", "track"] {
            assert!(!picture.contains(&format!(">\n{absent}\n<")), "{absent} is not on this map");
        }
        assert!(picture.contains("0101 Here (clear, town, 5 points)"), "a hex in words");
        assert!(picture.contains("#w3{opacity"), "a line that is destroyed");
    }

    #[test]
    fn layers_are_shown_on_demand() {
        let front = |picture: &str| picture.matches("class=\"front\"").count();
        let hatched = |picture: &str| picture.matches("url(#hatch1)").count();
        let (none, control, zones) = (drawn(&[]), drawn(&["control"]), drawn(&["zoc"]));
        assert_eq!((front(&none), hatched(&none)), (0, 0));
        assert_eq!((front(&control), hatched(&control)), (1, 0));
        assert_eq!((front(&zones), hatched(&zones)), (0, 2));
        assert!(none.contains("fill-opacity:0") && !control.contains("style=\"fill-opacity:0"));
        let names: Vec<&str> = board().layers().iter().map(|layer| layer.id).collect();
        assert_eq!(names, ["control", "zoc"]);
        let error = board().check_layers(&["zocs".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("zocs") && error.contains("zoc"), "{error}");
    }

    #[test]
    fn the_front_runs_where_sides_meet() {
        let board = board();
        assert_eq!(board.front(&position()).matches('M').count(), 1, "between the second hex and the third");
        let all_one = Position { owners: vec![Some(Side(0)); 4], ..Position::default() };
        assert_eq!(board.front(&all_one), "");
    }

    #[test]
    fn a_road_bends_where_nothing_else_joins_it() {
        let middle = Spot { x: 0.0, y: 0.0 };
        let ends = [Spot { x: -32.0, y: 0.0 }, Spot { x: 16.0, y: 28.0 }];
        let (mut alone, mut joined) = (String::new(), String::new());
        through(&mut alone, middle, &ends, true);
        through(&mut joined, middle, &ends, false);
        assert_eq!(alone, "M-32 0Q0 0 16 28");
        assert_eq!(joined, "M-32 0L0 0M16 28L0 0");
    }
}
