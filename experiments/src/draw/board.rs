//! The map: places as cells, with terrain, owners, names and units, or coloured by a figure a place.

use std::fmt::Write;

use sandtable_core::{Side, SideInfo};
use svg::Document;
use svg::node::element::{
    Circle, Definitions, Group, Line, Path, Pattern, Rectangle, Style, Text, Title, Use,
};

use super::labels::{Area, Label, Wish, place, text_width};
use super::layout::{Layout, Spot};
use super::page::{GENERATOR, HEATS, picture_style, shade};
use crate::system::board::{Map, Marker, Position, Site, Texture};

/// A map laid out and ready to be drawn.
#[derive(Clone, Debug)]
pub struct Board {
    map: Map,
    layout: Layout,
    labels: Vec<Label>,
    sides: Vec<(Side, String)>,
}

/// The height of a row of a marker.
const ROW: f64 = 12.0;
/// The size of the text on markers.
const MARKER_TEXT: f64 = 9.0;
/// The widest row of a marker.
const MARKER_WIDTH: f64 = 38.0;
/// What the title takes above a map, and the key below it.
const HEAD: f64 = 44.0;
const KEY: f64 = 50.0;

/// A figure for each place, to colour a map by.
#[derive(Clone, PartialEq, Debug)]
pub struct Heat {
    /// The figure of each place; none for places that have none.
    pub values: Vec<Option<f64>>,
    /// What the figure is, with its unit.
    pub meaning: String,
}

impl Heat {
    /// The lower bounds of the steps above nothing: each twice the one before, so that places of all kinds differ.
    fn bounds(&self) -> [f64; HEATS - 1] {
        let most = self.values.iter().flatten().copied().fold(0.0, f64::max);
        std::array::from_fn(|step| most / f64::powi(2.0, (HEATS - 1 - step) as i32))
    }

    /// The step of a value: 0 for nothing, then by the bounds.
    fn step(&self, value: f64) -> usize {
        if value <= 0.0 {
            return 0;
        }
        self.bounds().iter().filter(|&&bound| value > bound).count().clamp(1, HEATS - 1)
    }
}

impl Board {
    /// Lays out a map.
    pub fn new(map: &Map, sides: &[SideInfo]) -> Board {
        let layout = Layout::new(map);
        let labels = labels(map, &layout);
        let sides = sides.iter().enumerate().map(|(at, side)| (Side(at as u8), side.name.to_owned()));
        Board { map: map.clone(), layout, labels, sides: sides.collect() }
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The sides and their names.
    pub fn sides(&self) -> &[(Side, String)] {
        &self.sides
    }

    /// The middle of each place on the drawn map.
    pub fn spots(&self) -> &[Spot] {
        &self.layout.spots
    }

    /// A picture of its own, with title and key.
    pub fn picture(&self, title: &str, subtitle: &str, position: &Position) -> String {
        let body = Group::new()
            .set("transform", format!("translate(0 {HEAD})"))
            .add(self.ground(Some(position)))
            .add(self.units(position))
            .add(self.names());
        let height = self.layout.height + HEAD + KEY;
        self.document(height, &format!("Map: {title}, {subtitle}"))
            .add(Style::new(picture_style()))
            .add(Rectangle::new().set("width", "100%").set("height", "100%").set("class", "sn"))
            .add(text(title, (14.0, 20.0), "key big").set("font-size", 16))
            .add(text(subtitle, (14.0, 38.0), "key").set("font-size", 13))
            .add(body)
            .add(self.key(self.layout.height + HEAD + 16.0))
            .to_string()
    }

    /// The map with the owners and without units, for a page that adds them; the key is below.
    pub fn stage(&self, position: &Position) -> String {
        self.document(self.layout.height + KEY, "Map of the game at the turn shown")
            .set("id", "board")
            .add(self.ground(Some(position)))
            .add(Group::new().set("id", "units"))
            .add(self.names())
            .add(self.key(self.layout.height + 16.0))
            .to_string()
    }

    /// The map coloured by a figure, with the figures' scale below.
    pub fn heat(&self, heat: &Heat) -> String {
        let mut ground = Group::new().add(self.water()).add(self.shapes());
        for (at, place) in self.land() {
            let value = heat.values.get(at).copied().flatten();
            let class = value.map_or("no".to_owned(), |value| format!("h{}", heat.step(value)));
            let words = value.map_or("no figure".to_owned(), |value| format!("{value:.2}"));
            ground = ground.add(
                Use::new()
                    .set("href", format!("#p{at}"))
                    .set("class", class)
                    .add(Title::new(format!("{}: {words} {}", place.name, heat.meaning))),
            );
        }
        let mut scale = Group::new()
            .add(text(&heat.meaning, (14.0, self.layout.height + 20.0), "key").set("font-size", 13));
        let bounds = heat.bounds();
        for step in 0..HEATS {
            let x = 14.0 + 92.0 * step as f64;
            let words = match step {
                0 => "none".to_owned(),
                1 => format!("to {:.2}", bounds[1]),
                step => format!("over {:.2}", bounds[step - 1]),
            };
            scale = scale
                .add(
                    Rectangle::new()
                        .set("x", x)
                        .set("y", self.layout.height + 28.0)
                        .set("width", 14)
                        .set("height", 12)
                        .set("class", format!("h{step}")),
                )
                .add(text(&words, (x + 19.0, self.layout.height + 38.0), "key").set("font-size", 12));
        }
        self.document(self.layout.height + KEY, &format!("Map: {}", heat.meaning))
            .add(ground.add(self.lines()))
            .add(self.names())
            .add(scale)
            .to_string()
    }

    /// The frame. A map is no mere image: its places and markers have words of their own.
    fn document(&self, height: f64, label: &str) -> Document {
        let (width, height) = (self.layout.width.round(), height.round());
        Document::new()
            .set("viewBox", format!("0 0 {width} {height}"))
            .set("width", width)
            .set("height", height)
            .set("role", "graphics-document document")
            // The library leaves quotes in attributes as they are.
            .set("aria-label", label.replace('"', "'"))
            .set("data-generator", GENERATOR)
            .set("class", "map")
    }

    /// Whether a place is land.
    pub fn is_land(&self, place: usize) -> bool {
        !matches!(self.map.places[place].site, Site::Sea { .. })
    }

    fn land(&self) -> impl Iterator<Item = (usize, &crate::system::board::Place)> {
        self.map.places.iter().enumerate().filter(|(_, place)| !matches!(place.site, Site::Sea { .. }))
    }

    fn water(&self) -> Rectangle {
        Rectangle::new().set("width", self.layout.width).set("height", self.layout.height).set("class", "sea")
    }

    /// The outlines, each once.
    fn shapes(&self) -> Definitions {
        let mut shapes = Definitions::new();
        for (at, _) in self.land() {
            shapes =
                shapes.add(Path::new().set("id", format!("p{at}")).set("d", outline(&self.layout.cells[at])));
        }
        shapes
    }

    /// Land in the colours of its owners, with terrain and lines.
    fn ground(&self, position: Option<&Position>) -> Group {
        let mut cells = Group::new();
        let mut textures = Group::new();
        for (at, place) in self.land() {
            let owner = position.and_then(|position| position.owners.get(at).copied().flatten());
            let class = owner.map_or("no".to_owned(), |side| format!("o{}", shade(side)));
            let terrain = &self.map.terrains[place.terrain];
            let name = if place.name.is_empty() { &place.id } else { &place.name };
            let words = match place.region.as_str() {
                "" => format!("{name} ({})", terrain.name),
                region => format!("{name} ({region}, {})", terrain.name),
            };
            cells = cells.add(
                Use::new()
                    .set("href", format!("#p{at}"))
                    .set("id", format!("z{at}"))
                    .set("class", class)
                    .add(Title::new(words)),
            );
            if let Some(pattern) = pattern_id(terrain.texture) {
                textures = textures.add(
                    Use::new()
                        .set("href", format!("#p{at}"))
                        .set("fill", format!("url(#{pattern})"))
                        .set("pointer-events", "none"),
                );
            }
        }
        Group::new()
            .add(patterns())
            .add(self.water())
            .add(self.shapes())
            .add(cells)
            .add(textures)
            .add(self.grid())
            .add(self.lines())
            .add(self.numbers())
            .add(self.symbols())
    }

    /// The outlines of all hexes.
    fn grid(&self) -> Group {
        let mut path = String::new();
        if self.layout.hex.is_some() {
            self.layout.cells.iter().for_each(|cell| path.push_str(&outline(cell)));
        }
        Group::new().set("pointer-events", "none").add(Path::new().set("d", path).set("class", "in"))
    }

    /// The number of each hex, in its upper part.
    fn numbers(&self) -> Group {
        let mut group = Group::new().set("class", "numbers").set("pointer-events", "none");
        let Some(size) = self.layout.hex else { return group };
        for (place, spot) in self.map.places.iter().zip(&self.layout.spots) {
            group = group.add(text(&place.id, (spot.x, spot.y - 0.3 * size), "num"));
        }
        group
    }

    /// Borders, coasts, rivers, fortified lines, and links of places that do not touch.
    fn lines(&self) -> Group {
        let mut paths = [const { String::new() }; 8];
        let [inner, outer, river, wall, coast, bridge, road, paved] = &mut paths;
        for border in &self.layout.borders {
            let same = self.map.places[border.a].region == self.map.places[border.b].region;
            stroke(if same { &mut *inner } else { &mut *outer }, border.ends);
            let link = self
                .map
                .links
                .iter()
                .find(|link| (link.a.min(link.b), link.a.max(link.b)) == (border.a, border.b));
            if let Some(link) = link {
                if link.river {
                    stroke(river, border.ends);
                }
                if link.fortified {
                    stroke(wall, border.ends);
                }
            }
        }
        for &ends in &self.layout.coast {
            stroke(coast, ends);
        }
        for &at in &self.layout.bridges {
            let link = &self.map.links[at];
            let path = match (link.road, link.water) {
                (true, _) => &mut *paved,
                (false, true) => &mut *bridge,
                (false, false) => &mut *road,
            };
            stroke(path, [self.layout.spots[link.a], self.layout.spots[link.b]]);
        }
        let classes = ["in", "out", "river", "wall", "coast", "bridge", "road", "paved"];
        let mut group = Group::new().set("pointer-events", "none");
        for (path, class) in paths.into_iter().zip(classes).filter(|(path, _)| !path.is_empty()) {
            group = group.add(Path::new().set("d", path).set("class", class));
        }
        group
    }

    /// Ports, fortresses, capitals, points and sources of supply, in a row under each place.
    fn symbols(&self) -> Group {
        let mut group = Group::new().set("pointer-events", "none");
        for (at, _) in self.land() {
            let symbols = self.symbols_of(at);
            let left = self.layout.spots[at].x - 4.0 * (symbols.len() as f64 - 1.0);
            for (index, symbol) in symbols.iter().enumerate() {
                let spot =
                    Spot { x: left + 8.0 * index as f64, y: self.layout.spots[at].y + ROW / 2.0 + 5.0 };
                group = symbol.draw(group, spot);
            }
        }
        group
    }

    fn symbols_of(&self, at: usize) -> Vec<Symbol> {
        symbols_of(&self.map, at)
    }

    /// Units as markers.
    fn units(&self, position: &Position) -> Group {
        let mut group = Group::new();
        let mut rows_at = vec![0; self.map.places.len()];
        for marker in &position.markers {
            let mut one = Group::new().add(Title::new(marker.words.as_str()));
            let shade = marker.side.map_or("n".to_owned(), |side| shade(side).to_string());
            for row in rows(marker) {
                let spot = self.layout.spots[marker.place];
                let y = spot.y + f64::from(rows_at[marker.place]) * (ROW + 1.0);
                rows_at[marker.place] += 1;
                let width = marker_width(&row);
                one = one
                    .add(
                        Rectangle::new()
                            .set("x", round(spot.x - width / 2.0))
                            .set("y", round(y - ROW / 2.0))
                            .set("width", width)
                            .set("height", ROW)
                            .set("rx", 2)
                            .set("class", format!("rim s{shade}")),
                    )
                    .add(text(&row, (spot.x, y + 3.2), &format!("mt t{shade}")));
            }
            group = group.add(one);
        }
        group
    }

    /// The names of places.
    fn names(&self) -> Group {
        let mut group = Group::new().set("pointer-events", "none");
        for label in &self.labels {
            let place = &self.map.places[label.place];
            let class = match place.site {
                Site::Sea { .. } => "wet",
                _ if place.marks.capital => "name big",
                _ => "name",
            };
            group = group
                .add(text(&label.text, (label.spot.x, label.spot.y), class).set("font-size", label.size));
        }
        group
    }

    /// What colours, lines and symbols mean.
    fn key(&self, top: f64) -> Group {
        let mut group = Group::new();
        let mut x = 14.0;
        let mut entry = |group: Group, words: &str, draw: &dyn Fn(Group, Spot) -> Group| {
            let drawn = draw(group, Spot { x: x + 6.0, y: top });
            let after = drawn.add(text(words, (x + 17.0, top + 4.0), "key").set("font-size", 12));
            x += 17.0 + text_width(words, 12.0) + 12.0;
            after
        };
        for (side, name) in &self.sides {
            let class = format!("o{}", shade(*side));
            group = entry(group, name, &|group, spot| group.add(swatch(spot, &class, None)));
        }
        group = entry(group, "neutral", &|group, spot| group.add(swatch(spot, "no", None)));
        for terrain in &self.map.terrains {
            if let Some(pattern) = pattern_id(terrain.texture) {
                group = entry(group, &terrain.name, &|group, spot| {
                    group.add(swatch(spot, "no", None)).add(swatch(spot, "", Some(pattern)))
                });
            }
        }
        let any = |is: &dyn Fn(&crate::system::board::Link) -> bool| self.map.links.iter().any(is);
        let apart = |water: bool| {
            self.layout
                .bridges
                .iter()
                .map(|&at| &self.map.links[at])
                .any(|link| !link.road && link.water == water)
        };
        for (words, class, there) in [
            ("river", "river", any(&|link| link.river)),
            ("fortified line", "wall", any(&|link| link.fortified)),
            ("link over water", "bridge", apart(true)),
            ("link of places apart", "road", apart(false)),
            ("road", "paved", any(&|link| link.road)),
        ] {
            if !there {
                continue;
            }
            group = entry(group, words, &|group, spot| {
                group.add(
                    Line::new()
                        .set("x1", spot.x - 7.0)
                        .set("x2", spot.x + 7.0)
                        .set("y1", spot.y)
                        .set("y2", spot.y)
                        .set("class", class),
                )
            });
        }
        for (symbol, words) in Symbol::ALL {
            if (0..self.map.places.len()).any(|at| self.symbols_of(at).contains(&symbol)) {
                group = entry(group, words, &|group, spot| symbol.draw(group, spot));
            }
        }
        group.add(text(&self.map.marker_key, (14.0, top + 24.0), "faint").set("font-size", 12))
    }
}

/// The rows of a marker: its words, as many in a row as are narrow enough.
pub fn rows(marker: &Marker) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in marker.text.split(' ') {
        match rows.last_mut() {
            Some(row) if text_width(&format!("{row} {word}"), MARKER_TEXT) <= MARKER_WIDTH => {
                row.push(' ');
                row.push_str(word);
            }
            _ => rows.push(word.to_owned()),
        }
    }
    rows
}

/// How wide a row of a marker is.
pub fn marker_width(row: &str) -> f64 {
    round(text_width(row, MARKER_TEXT) + 5.0)
}

/// A small sign on a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Symbol {
    Point,
    Supply,
    Fortress,
    Port,
}

impl Symbol {
    const ALL: [(Symbol, &'static str); 4] = [
        (Symbol::Point, "strategic point"),
        (Symbol::Supply, "source of supply"),
        (Symbol::Fortress, "fortress"),
        (Symbol::Port, "port"),
    ];

    fn draw(self, group: Group, at: Spot) -> Group {
        let Spot { x, y } = Spot { x: round(at.x), y: round(at.y) };
        match self {
            Symbol::Point => group.add(
                Path::new()
                    .set("d", format!("M{x} {}l3.2 3.2-3.2 3.2-3.2-3.2z", y - 3.2))
                    .set("class", "full"),
            ),
            Symbol::Supply => {
                group.add(Path::new().set("d", format!("M{x} {}l3 5.4h-6z", y - 3.0)).set("class", "full"))
            }
            Symbol::Fortress => group.add(
                Path::new()
                    .set("d", format!("M{} {}h3.6l1.8 3-1.8 3h-3.6l-1.8-3z", x - 1.8, y - 3.0))
                    .set("class", "mark"),
            ),
            Symbol::Port => {
                group.add(Circle::new().set("cx", x).set("cy", y).set("r", 2.4).set("class", "mark"))
            }
        }
    }
}

fn symbols_of(map: &Map, at: usize) -> Vec<Symbol> {
    let marks = map.places[at].marks;
    let all = [
        (marks.point, Symbol::Point),
        (marks.supply, Symbol::Supply),
        (marks.fortress, Symbol::Fortress),
        (marks.port, Symbol::Port),
    ];
    all.into_iter().filter(|(there, _)| *there).map(|(_, symbol)| symbol).collect()
}

/// Names around the places; the middle of each place stays free for a marker and its symbols.
fn labels(map: &Map, layout: &Layout) -> Vec<Label> {
    let mut taken = Vec::new();
    let mut wishes = Vec::new();
    for (at, place) in map.places.iter().enumerate() {
        if place.name.is_empty() {
            continue;
        }
        let spot = layout.spots[at];
        let symbols = symbols_of(map, at).len() as f64;
        taken.push(Area::around(spot, 26.0, ROW));
        if symbols > 0.0 {
            taken.push(Area::around(Spot { y: spot.y + ROW / 2.0 + 5.0, ..spot }, 8.0 * symbols, 7.0));
        }
        let links = map.links.iter().filter(|link| link.a == at || link.b == at).count() as i32;
        let (size, importance) = match place.site {
            Site::Sea { .. } => (12.0, 90),
            _ if place.marks.capital => (10.5, 100),
            _ if place.marks.point || place.marks.supply => (10.0, 60 + links),
            _ => (9.5, 10 + links),
        };
        wishes.push(Wish {
            place: at,
            name: place.name.clone(),
            spot,
            size,
            clearance: ROW / 2.0 + 0.5,
            importance,
        });
    }
    place_names(wishes, taken, layout)
}

fn place_names(wishes: Vec<Wish>, taken: Vec<Area>, layout: &Layout) -> Vec<Label> {
    place(wishes, taken, (layout.width, layout.height))
}

fn pattern_id(texture: Texture) -> Option<&'static str> {
    match texture {
        Texture::Plain => None,
        Texture::Dots => Some("dots"),
        Texture::Marsh => Some("marsh"),
        Texture::Woods => Some("woods"),
        Texture::Hills => Some("hills"),
        Texture::Peaks => Some("peaks"),
    }
}

fn patterns() -> Definitions {
    let pattern = |id: &str, size: f64, path: &str, class: &str| {
        Pattern::new()
            .set("id", id)
            .set("width", size)
            .set("height", size)
            .set("patternUnits", "userSpaceOnUse")
            .add(Path::new().set("d", path).set("class", class))
    };
    Definitions::new()
        .add(pattern("dots", 8.0, "M2 2h1.2v1.2h-1.2zM6 6h1.2v1.2h-1.2z", "txf"))
        .add(pattern("marsh", 10.0, "M1 3h4M6 8h4", "tx"))
        .add(pattern("woods", 11.0, "M3 2a2 2 0 1 1 .01 0zM8.5 7a2 2 0 1 1 .01 0z", "txf"))
        .add(pattern("hills", 12.0, "M2 7l3-5 3 5", "tx"))
        .add(pattern("peaks", 10.0, "M1 6l3-5 3 5zM6 10l2-3 2 3z", "txf"))
}

fn swatch(at: Spot, class: &str, pattern: Option<&str>) -> Rectangle {
    let swatch = Rectangle::new()
        .set("x", at.x - 7.0)
        .set("y", at.y - 6.0)
        .set("width", 14)
        .set("height", 12)
        .set("class", class);
    match pattern {
        Some(pattern) => swatch.set("fill", format!("url(#{pattern})")),
        None => swatch,
    }
}

fn text(words: &str, (x, y): (f64, f64), class: &str) -> Text {
    Text::new(words).set("x", round(x)).set("y", round(y)).set("class", class)
}

/// Tenths of a pixel are enough.
fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn outline(cell: &[Vec<Spot>]) -> String {
    let mut path = String::new();
    for ring in cell {
        for (at, spot) in ring.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = write!(path, "{}{} {}", if at == 0 { 'M' } else { 'L' }, round(spot.x), round(spot.y));
        }
        path.push('Z');
    }
    path
}

fn stroke(path: &mut String, [from, to]: [Spot; 2]) {
    let _ = write!(path, "M{} {}L{} {}", round(from.x), round(from.y), round(to.x), round(to.y));
}
