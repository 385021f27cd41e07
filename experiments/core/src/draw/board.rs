//! The map: places as cells, with terrain, owners, names and units, or coloured by a figure a place.

use std::fmt::Write;

use sandtable_core::{Side, SideInfo};
use svg::Document;
use svg::node::Blob;
use svg::node::element::{
    Circle, Definitions, Group, Line, Path, Pattern, Rectangle, Style, Text, Title, Use,
};

use super::counters;
use super::hexes::{self, CONTROL, Sheet};
use super::labels::{Area, Label, Wish, place, text_width};
use super::layout::{Layout, Spot};
use super::page::{GENERATOR, HEATS, SIDES, picture_style, shade};
use crate::failure::{Failure, expected};
use crate::system::board::{LayerName, Map, Marker, Position, Settlement, Site, Texture};

/// A map laid out and ready to be drawn.
#[derive(Clone, Debug)]
pub struct Board {
    map: Map,
    layout: Layout,
    labels: Vec<Label>,
    sides: Vec<(Side, String)>,
    /// Of a board of hexes.
    sheet: Option<Sheet>,
}

/// The height of a row of a marker.
const ROW: f64 = 12.0;
/// The size of the text on markers.
const MARKER_TEXT: f64 = 9.0;
/// The widest row of a marker.
const MARKER_WIDTH: f64 = 38.0;
/// What the title takes above a map, and a line of the key below it.
const HEAD: f64 = 44.0;
const KEY_LINE: f64 = 20.0;
/// What the scale of figures takes below a map.
const SCALE: f64 = 50.0;

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
        let sheet = layout.hex.map(|_| Sheet::new(&layout));
        Board { map: map.clone(), layout, labels, sides: sides.collect(), sheet }
    }

    /// What is shown on demand: who holds what, on hexes, and the system's own layers.
    pub fn layers(&self) -> Vec<LayerName> {
        let control = LayerName { id: CONTROL, name: "control and front" };
        let control = self.sheet.iter().map(|_| control);
        control.chain(self.map.layers.iter().copied()).collect()
    }

    /// Fails if one of these layers is not there.
    ///
    /// # Errors
    /// [`Failure::Input`] names it, and those there are.
    pub fn check_layers(&self, shown: &[String]) -> Result<(), Failure> {
        let known: Vec<&str> = self.layers().iter().map(|layer| layer.id).collect();
        match shown.iter().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) if known.is_empty() => {
                Err(Failure::input(format!("--show {name}: this map has nothing to show on demand")))
            }
            Some(name) => {
                Err(Failure::input(format!("--show {name}: {}", expected(name, known.iter().copied()))))
            }
        }
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

    /// A picture of its own, with title and key, and with the layers of these names.
    pub fn picture(&self, title: &str, subtitle: &str, position: &Position, shown: &[String]) -> String {
        let body = Group::new()
            .set("transform", format!("translate(0 {HEAD})"))
            .add(self.ground(Some(position), shown))
            .add(Group::new().set("pointer-events", "none").add(Blob::new(self.signs(position))))
            .add(self.marks())
            .add(self.units(position))
            .add(self.names());
        let key = self.key(position, self.layout.height + HEAD + 16.0);
        let height = self.layout.height + HEAD + key.height;
        self.document(height, &format!("Map: {title}, {subtitle}"))
            .add(Style::new(picture_style() + &razed(position)))
            .add(Rectangle::new().set("width", "100%").set("height", "100%").set("class", "sn"))
            .add(text(title, (14.0, 20.0), "key big").set("font-size", 16))
            .add(text(subtitle, (14.0, 38.0), "key").set("font-size", 13))
            .add(body)
            .add(key.group)
            .to_string()
    }

    /// The map with the owners and without units, for a page that adds them; the key is below.
    pub fn stage(&self, position: &Position) -> String {
        let key = self.key(position, self.layout.height + 16.0);
        self.document(self.layout.height + key.height, "Map of the game at the turn shown")
            .set("id", "board")
            .add(self.ground(Some(position), &[]))
            .add(Group::new().set("id", "signs").set("pointer-events", "none"))
            .add(self.marks())
            .add(Group::new().set("id", "units"))
            .add(self.names())
            .add(key.group)
            .to_string()
    }

    /// The line between what different sides hold; nothing on other maps than hexes.
    pub fn front(&self, position: &Position) -> String {
        self.sheet.as_ref().map_or_else(String::new, |sheet| sheet.front(position))
    }

    /// Objectives and sources of supply, on hexes above all else that is printed.
    fn marks(&self) -> Group {
        self.sheet.as_ref().map_or_else(Group::new, |_| hexes::marks(&self.map, &self.layout))
    }

    /// Field works and the like, as SVG.
    pub fn signs(&self, position: &Position) -> String {
        hexes::signs(position, &self.layout)
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
        self.document(self.layout.height + SCALE, &format!("Map: {}", heat.meaning))
            .add(ground.add(self.lines()))
            .add(self.marks())
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

    /// Land in the colours of its owners, with terrain and lines; on hexes the owners are a layer over the terrain.
    fn ground(&self, position: Option<&Position>, shown: &[String]) -> Group {
        let mut cells = Group::new();
        let mut grounds = Group::new();
        let mut textures = Group::new();
        for (at, place) in self.land() {
            let owner = position.and_then(|position| position.owners.get(at).copied().flatten());
            let class = owner.map_or("no".to_owned(), |side| format!("o{}", shade(side)));
            let terrain = &self.map.terrains[place.terrain];
            let name = if place.name.is_empty() { &place.id } else { &place.name };
            let words = match place.region.as_str() {
                _ if self.sheet.is_some() => hexes::words(&self.map, place),
                "" => format!("{name} ({})", terrain.name),
                region => format!("{name} ({region}, {})", terrain.name),
            };
            let cell = Use::new().set("href", format!("#p{at}"));
            if self.sheet.is_some() {
                grounds = grounds.add(cell.clone().set("class", hexes::ground_class(terrain.texture)));
            }
            cells = cells.add(cell.set("id", format!("z{at}")).set("class", class).add(Title::new(words)));
            if let Some(pattern) = pattern_id(terrain.texture) {
                textures = textures.add(
                    Use::new()
                        .set("href", format!("#p{at}"))
                        .set("fill", format!("url(#{pattern})"))
                        .set("pointer-events", "none"),
                );
            }
        }
        let group = Group::new().add(patterns()).add(self.water()).add(self.shapes());
        let Some(sheet) = &self.sheet else {
            return group.add(cells).add(textures).add(self.lines()).add(self.symbols());
        };
        let empty = Position::default();
        let position = position.unwrap_or(&empty);
        let control = shown.iter().any(|name| name == CONTROL);
        // A hex that is not filled is still pointed at.
        let cells = cells.set("class", "held").set("pointer-events", "all");
        let cells = if control { cells } else { cells.set("style", "fill-opacity:0") };
        let front = Group::new().set("id", "front").set("pointer-events", "none");
        let front = if control {
            front.add(Path::new().set("d", sheet.front(position)).set("class", "front"))
        } else {
            front
        };
        group
            .add(grounds)
            .add(textures)
            .add(cells.set("id", "held"))
            .add(self.grid())
            .add(self.zones(position, shown))
            .add(sheet.features(&self.map, &self.layout))
            .add(front)
            .add(self.numbers())
    }

    /// The layers of these names: hatched, each side in its colour and direction.
    fn zones(&self, position: &Position, shown: &[String]) -> Group {
        let mut group = Group::new().set("id", "zones").set("pointer-events", "none");
        for layer in position.layers.iter().filter(|layer| shown.iter().any(|name| name == layer.id)) {
            for at in &layer.places {
                group = group.add(
                    Use::new()
                        .set("href", format!("#p{at}"))
                        .set("fill", format!("url(#hatch{})", shade(layer.side))),
                );
            }
        }
        group
    }

    /// The outlines of all hexes.
    fn grid(&self) -> Group {
        let mut path = String::new();
        if self.layout.hex.is_some() {
            self.layout.cells.iter().for_each(|cell| path.push_str(&outline(cell)));
        }
        Group::new()
            .set("pointer-events", "none")
            .add(Path::new().set("d", path).set("class", "edge").set("fill", "none"))
    }

    /// The number of each hex, in its upper part.
    fn numbers(&self) -> Group {
        let mut group = Group::new().set("class", "numbers").set("pointer-events", "none");
        let Some(size) = self.layout.hex else { return group };
        for (place, spot) in self.map.places.iter().zip(&self.layout.spots) {
            group = group.add(text(&place.id, (spot.x, spot.y - 0.375 * size), "num"));
        }
        group
    }

    /// Borders, coasts, rivers, fortified lines, and links of places that do not touch.
    fn lines(&self) -> Group {
        if let Some(sheet) = &self.sheet {
            return Group::new()
                .set("pointer-events", "none")
                .add(self.grid())
                .add(sheet.features(&self.map, &self.layout));
        }
        let mut paths = [const { String::new() }; 7];
        let [inner, outer, river, wall, coast, bridge, road] = &mut paths;
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
            let path = if link.water { &mut *bridge } else { &mut *road };
            stroke(path, [self.layout.spots[link.a], self.layout.spots[link.b]]);
        }
        let classes = ["in", "out", "river", "wall", "coast", "bridge", "road"];
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
            if let Some(svg) = self.stack(marker) {
                let spot = self.layout.spots[marker.place];
                let at = format!("translate({} {})", round(spot.x), round(spot.y));
                group = group.add(Group::new().set("transform", at).add(Blob::new(svg)));
                continue;
            }
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

    /// The counters of a marker on a hex, as SVG around its middle.
    pub fn stack(&self, marker: &Marker) -> Option<String> {
        self.sheet.as_ref().and_then(|_| counters::stack(marker))
    }

    /// The names of places.
    fn names(&self) -> Group {
        let mut group = Group::new().set("pointer-events", "none");
        for label in &self.labels {
            let place = &self.map.places[label.place];
            let class = match place.site {
                Site::Sea { .. } => "wet",
                _ if place.marks.capital || place.marks.settlement == Some(Settlement::Town) => "name big",
                _ => "name",
            };
            group = group
                .add(text(&label.text, (label.spot.x, label.spot.y), class).set("font-size", label.size));
        }
        group
    }

    /// What colours, lines and symbols mean.
    fn key(&self, position: &Position, top: f64) -> Key {
        let mut key = Key { group: Group::new(), x: KEY_LEFT, y: top, width: self.layout.width, height: 0.0 };
        for (side, name) in &self.sides {
            let class = if self.sheet.is_some() {
                format!("s{}", shade(*side))
            } else {
                format!("o{}", shade(*side))
            };
            key.entry(name, |group, spot| group.add(swatch(spot, &class, None)));
        }
        if self.sheet.is_none() {
            key.entry("neutral", |group, spot| group.add(swatch(spot, "no", None)));
        }
        for terrain in &self.map.terrains {
            let pattern = pattern_id(terrain.texture);
            if self.sheet.is_some() {
                let class = hexes::ground_class(terrain.texture);
                key.entry(&terrain.name, |group, spot| {
                    let group = group.add(swatch(spot, &class, None));
                    pattern.iter().fold(group, |group, pattern| group.add(swatch(spot, "", Some(pattern))))
                });
            } else if let Some(pattern) = pattern {
                key.entry(&terrain.name, |group, spot| {
                    group.add(swatch(spot, "no", None)).add(swatch(spot, "", Some(pattern)))
                });
            }
        }
        if self.sheet.is_some() {
            for (words, svg) in hexes::samples(&self.map).into_iter().chain(hexes::sign_samples(position)) {
                key.entry(&words, |group, spot| {
                    let at = format!("translate({} {})", round(spot.x), round(spot.y));
                    group.add(Group::new().set("transform", at).add(Blob::new(svg)))
                });
            }
        } else {
            self.key_of_lines(&mut key);
        }
        key.group =
            key.group.add(text(&self.map.marker_key, (KEY_LEFT, key.y + 24.0), "faint").set("font-size", 12));
        key.height = key.y - top + 50.0;
        key
    }

    fn key_of_lines(&self, key: &mut Key) {
        let any = |is: &dyn Fn(&crate::system::board::Link) -> bool| self.map.links.iter().any(is);
        let apart = |water: bool| {
            self.layout.bridges.iter().map(|&at| &self.map.links[at]).any(|link| link.water == water)
        };
        for (words, class, there) in [
            ("river", "river", any(&|link| link.river)),
            ("fortified line", "wall", any(&|link| link.fortified)),
            ("link over water", "bridge", apart(true)),
            ("link of places apart", "road", apart(false)),
        ] {
            if !there {
                continue;
            }
            key.entry(words, |group, spot| {
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
                key.entry(words, |group, spot| symbol.draw(group, spot));
            }
        }
    }
}

/// Where the key begins.
const KEY_LEFT: f64 = 14.0;

/// The key below a map, drawn entry by entry.
struct Key {
    group: Group,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Key {
    /// Adds an entry: what `draw` draws, and its words.
    fn entry(&mut self, words: &str, draw: impl FnOnce(Group, Spot) -> Group) {
        let width = 17.0 + text_width(words, 12.0) + 12.0;
        if self.x > KEY_LEFT && self.x + width > self.width {
            self.x = KEY_LEFT;
            self.y += KEY_LINE;
        }
        let group = std::mem::replace(&mut self.group, Group::new());
        let drawn = draw(group, Spot { x: self.x + 6.0, y: self.y });
        self.group = drawn.add(text(words, (self.x + 17.0, self.y + 4.0), "key").set("font-size", 12));
        self.x += width;
    }
}

/// The style of fortified lines that are destroyed.
fn razed(position: &Position) -> String {
    let razed: Vec<String> = position.razed.iter().map(|place| format!("#w{place}")).collect();
    if razed.is_empty() {
        return String::new();
    }
    format!("{}{{opacity:.25;stroke-dasharray:2 3}}", razed.join(","))
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
        let symbols = if layout.hex.is_some() { 0.0 } else { symbols_of(map, at).len() as f64 };
        let counter = if layout.hex.is_some() { 36.0 } else { ROW };
        taken.push(Area::around(spot, 26.0_f64.max(counter), counter));
        if let Some(size) = layout.hex {
            // Its number.
            taken.push(Area::around(Spot { y: spot.y - 0.42 * size, ..spot }, 20.0, 7.0));
        }
        if symbols > 0.0 {
            taken.push(Area::around(Spot { y: spot.y + ROW / 2.0 + 5.0, ..spot }, 8.0 * symbols, 7.0));
        }
        let links = map.links.iter().filter(|link| link.a == at || link.b == at).count() as i32;
        let (size, importance) = match place.site {
            Site::Sea { .. } => (12.0, 90),
            _ if place.marks.settlement == Some(Settlement::Town) => (15.0, 80),
            _ if place.marks.settlement == Some(Settlement::Village) => (11.5, 50),
            _ if place.marks.settlement == Some(Settlement::Hamlet) => (9.5, 20),
            _ if place.marks.capital => (10.5, 100),
            _ if place.marks.point || place.marks.supply => (10.0, 60 + links),
            _ => (9.5, 10 + links),
        };
        wishes.push(Wish {
            place: at,
            name: place.name.clone(),
            spot,
            size,
            clearance: if layout.hex.is_some() { 21.5 } else { ROW / 2.0 + 0.5 },
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
        Texture::WoodedHills => Some("wooded_hills"),
        Texture::WoodedMarsh => Some("wooded_marsh"),
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
    let trees = |path: &str| Path::new().set("d", path).set("class", "txf");
    let hatches = (0..SIDES).fold(Definitions::new(), |all, side| {
        let path = if side % 2 == 0 { "M-1 7L7-1M3 11L11 3" } else { "M-1 1L7 9M3-3L11 5" };
        all.add(pattern(&format!("hatch{side}"), 8.0, path, &format!("l{side}")))
    });
    hatches
        .add(
            pattern("wooded_hills", 16.0, "M1 8l3-5 3 5", "tx")
                .add(trees("M11 5a2 2 0 1 1 .01 0zM5 14a2 2 0 1 1 .01 0z")),
        )
        .add(
            pattern("wooded_marsh", 14.0, "M1 11h5M8 4h5", "tx")
                .add(trees("M4 4a2 2 0 1 1 .01 0zM11 11a2 2 0 1 1 .01 0z")),
        )
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
