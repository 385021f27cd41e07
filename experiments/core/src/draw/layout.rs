//! Where the places of a map go on the page.
//!
//! Coordinates on the globe are projected by Lambert's conformal conic, the projection of most maps of a continent.
//! Places that lie far from all others (an ocean away) move to the edge of the map, and places too close to be told
//! apart are pushed apart a little.
//!
//! Boards of hexes are drawn as they are, hexagon by hexagon.
//!
//! The other shapes are cells of one Voronoi diagram. Its sites are the places of land and, wherever there is none
//! near, a fine grid of water: so cells of land tile the land, meet where their places are linked, and end in a coast
//! elsewhere.

use spade::handles::{FixedVertexHandle, VoronoiVertex};
use spade::{DelaunayTriangulation, Point2, Triangulation};

use crate::system::board::{Map, Site};

/// A point on the page, in pixels from the top left corner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spot {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Spot {
    /// The distance to another spot.
    pub fn distance(self, other: Spot) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    fn toward(self, other: Spot, share: f64) -> Spot {
        Spot { x: self.x + (other.x - self.x) * share, y: self.y + (other.y - self.y) * share }
    }
}

/// A line where two cells meet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Border {
    /// One place, the one with the lower index.
    pub a: usize,
    /// The place on the other side.
    pub b: usize,
    /// The ends of the line.
    pub ends: [Spot; 2],
}

/// The map on the page.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// The width of the page.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The middle of each place.
    pub spots: Vec<Spot>,
    /// The outline of each place, a ring or more; none for seas.
    pub cells: Vec<Vec<Vec<Spot>>>,
    /// Where cells of land meet.
    pub borders: Vec<Border>,
    /// Where land meets water.
    pub coast: Vec<[Spot; 2]>,
    /// The links that are drawn from middle to middle: those whose places do not touch.
    pub bridges: Vec<usize>,
    /// The distance between neighbours on a board of hexes.
    pub hex: Option<f64>,
}

/// The longer edge of the map.
const SIZE: f64 = 1500.0;
/// What is left free around the outermost places.
const MARGIN: f64 = 48.0;
/// The least distance between two places: room for a marker.
const APART: f64 = 36.0;
/// The distance between the sites of water.
const GRID: f64 = 7.0;
/// How far from a place water begins; its shore is half way.
const REACH: f64 = 34.0;
/// The distance between the centres of hexes: room for a counter, the sum of its stack, and a number.
const HEX: f64 = 64.0;
/// How far from the line between linked places water begins.
const CORRIDOR: f64 = 22.0;

impl Layout {
    /// Lays out a map. Without places of land the page is empty.
    pub fn new(map: &Map) -> Layout {
        if map.places.iter().any(|place| matches!(place.site, Site::Hex { .. })) {
            return Layout::hexes(map);
        }
        let land: Vec<usize> =
            (0..map.places.len()).filter(|&at| matches!(map.places[at].site, Site::Land { .. })).collect();
        let globe: Vec<(f64, f64)> = land
            .iter()
            .map(|&at| match map.places[at].site {
                Site::Land { latitude, longitude } => (latitude, longitude),
                Site::Hex { .. } | Site::Sea { .. } => (0.0, 0.0),
            })
            .collect();
        let sheet = (!globe.is_empty()).then(|| Sheet::over(&globe));
        let (width, height) =
            sheet.as_ref().map_or((2.0 * MARGIN, 2.0 * MARGIN), |sheet| (sheet.width, sheet.height));
        let mut placed: Vec<Spot> =
            sheet.iter().flat_map(|sheet| globe.iter().map(|&point| sheet.spot(point))).collect();
        push_apart(&mut placed, width, height);
        let mut spots = vec![Spot { x: width / 2.0, y: height / 2.0 }; map.places.len()];
        for (&at, &spot) in land.iter().zip(&placed) {
            spots[at] = spot;
        }
        let mut layout = Layout {
            width,
            height,
            spots,
            cells: vec![Vec::new(); map.places.len()],
            borders: Vec::new(),
            coast: Vec::new(),
            bridges: Vec::new(),
            hex: None,
        };
        let links = Links::new(map);
        let water = layout.water(&land, &links);
        let mut sites: Vec<(usize, Spot)> = land.iter().map(|&at| (at, layout.spots[at])).collect();
        sites.extend(layout.causeways(&links, &water));
        layout.cut(&sites, &water);
        layout.bridges = (0..map.links.len())
            .filter(|&at| {
                let (a, b) = ends(map, at);
                !layout.borders.iter().any(|border| (border.a, border.b) == (a, b))
            })
            .collect();
        layout.float_seas(map, sheet.as_ref(), &land, &water);
        layout
    }

    /// Lays out a board of hexes.
    fn hexes(map: &Map) -> Layout {
        let centres: Vec<(f64, f64)> = map
            .places
            .iter()
            .map(|place| match place.site {
                Site::Hex { east, south, .. } => (east, south),
                _ => (0.0, 0.0),
            })
            .collect();
        let bound = |pick: fn(&(f64, f64)) -> f64, best: fn(f64, f64) -> f64| {
            centres.iter().map(pick).reduce(best).unwrap_or(0.0)
        };
        let (west, north) = (bound(|at| at.0, f64::min), bound(|at| at.1, f64::min));
        let (east, south) = (bound(|at| at.0, f64::max), bound(|at| at.1, f64::max));
        let spot = |(x, y): (f64, f64)| Spot { x: MARGIN + (x - west) * HEX, y: MARGIN + (y - north) * HEX };
        let spots: Vec<Spot> = centres.iter().copied().map(spot).collect();
        let corners = |at: usize| -> Vec<Spot> {
            let flat = matches!(map.places[at].site, Site::Hex { flat_top: true, .. });
            let radius = HEX / 3f64.sqrt();
            let corner = |nth: usize| {
                let angle = (nth as f64 + if flat { 0.0 } else { 0.5 }) * std::f64::consts::FRAC_PI_3;
                Spot { x: spots[at].x + radius * angle.cos(), y: spots[at].y + radius * angle.sin() }
            };
            (0..6).map(corner).collect()
        };
        let cells: Vec<Vec<Vec<Spot>>> = (0..spots.len()).map(|at| vec![corners(at)]).collect();
        let mut borders = Vec::new();
        for (a, b) in neighbours(&spots) {
            let shared: Vec<Spot> = cells[a][0]
                .iter()
                .copied()
                .filter(|corner| cells[b][0].iter().any(|other| other.distance(*corner) < 1.0))
                .collect();
            if let &[from, to] = &shared[..] {
                borders.push(Border { a, b, ends: [from, to] });
            }
        }
        Layout {
            width: (east - west) * HEX + 2.0 * MARGIN,
            height: (south - north) * HEX + 2.0 * MARGIN,
            spots,
            cells,
            borders,
            coast: Vec::new(),
            bridges: Vec::new(),
            hex: Some(HEX),
        }
    }

    /// The sites of water: a grid, without what is near land, and rows that part close places without a link.
    fn water(&self, land: &[usize], links: &Links) -> Vec<Spot> {
        let mut grid = Grid::new(self.width, self.height);
        for &at in land {
            let spot = self.spots[at];
            grid.dry(&[spot], REACH, |other| other.distance(spot) < REACH);
        }
        for &(a, b) in &links.lines {
            let (a, b) = (self.spots[a], self.spots[b]);
            grid.dry(&[a, b], CORRIDOR, |other| to_segment(other, a, b) < CORRIDOR);
        }
        for corners in &links.triangles {
            let [a, b, c] = corners.map(|at| self.spots[at]);
            grid.dry(&[a, b, c], 0.0, |other| inside(other, a, b, c));
        }
        let mut water = grid.wet();
        for (index, &a) in land.iter().enumerate() {
            for &b in &land[index + 1..] {
                let (here, there) = (self.spots[a], self.spots[b]);
                let distance = here.distance(there);
                if distance > 2.0 * REACH + 2.0 * GRID || links.touch(a, b) {
                    continue;
                }
                let middle = here.toward(there, 0.5);
                let across = Spot { x: -(there.y - here.y) / distance, y: (there.x - here.x) / distance };
                for step in -6..=6 {
                    let along = f64::from(step) * GRID;
                    let spot = Spot { x: middle.x + across.x * along, y: middle.y + across.y * along };
                    let nearest =
                        land.iter().map(|&at| self.spots[at].distance(spot)).fold(f64::MAX, f64::min);
                    let bridged = links
                        .lines
                        .iter()
                        .any(|&(a, b)| to_segment(spot, self.spots[a], self.spots[b]) < CORRIDOR / 2.0);
                    let enclosed = links.triangles.iter().any(|corners| {
                        let [a, b, c] = corners.map(|at| self.spots[at]);
                        inside(spot, a, b, c)
                    });
                    if nearest + 1.0 > here.distance(spot) && !bridged && !enclosed {
                        water.push(spot);
                    }
                }
            }
        }
        water
    }

    /// More sites for places whose links would drown: along the link, each for the nearer end.
    fn causeways(&self, links: &Links, water: &[Spot]) -> Vec<(usize, Spot)> {
        let mut sites = Vec::new();
        for &(a, b) in &links.lines {
            let length = self.spots[a].distance(self.spots[b]);
            let middle = self.spots[a].toward(self.spots[b], 0.5);
            let near: Vec<Spot> =
                water.iter().copied().filter(|other| other.distance(middle) < length).collect();
            for step in 1..(length / GRID) as i32 {
                let share = f64::from(step) * GRID / length;
                let spot = self.spots[a].toward(self.spots[b], share);
                let (end, from_end) = if share < 0.5 { (a, share) } else { (b, 1.0 - share) };
                let from_end = from_end * length;
                if from_end > GRID && near.iter().any(|other| other.distance(spot) < from_end) {
                    sites.push((end, spot));
                }
            }
        }
        sites
    }

    /// Cuts the page into cells. A place has one site or more, water has none.
    fn cut(&mut self, land: &[(usize, Spot)], water: &[Spot]) {
        let sites = land.iter().map(|&(_, spot)| spot).chain(water.iter().copied());
        // Site of each vertex; two sites in one spot are one vertex.
        let mut owner: Vec<usize> = Vec::new();
        let mut triangulation: DelaunayTriangulation<Point2<f64>> = DelaunayTriangulation::new();
        for (index, site) in sites.enumerate() {
            if let Ok(vertex) = triangulation.insert(Point2::new(site.x, site.y))
                && vertex.index() == owner.len()
            {
                owner.push(index);
            }
        }
        let place = |vertex: FixedVertexHandle| {
            let site = *owner.get(vertex.index())?;
            land.get(site).map(|&(place, _)| place)
        };
        // The outline of each place, edge by edge: from one corner of the diagram to the next.
        let mut edges: Vec<Vec<[(usize, Spot); 2]>> = vec![Vec::new(); self.spots.len()];
        for face in triangulation.voronoi_faces() {
            let Some(at) = place(face.as_delaunay_vertex().fix()) else { continue };
            for edge in face.adjacent_edges() {
                let (VoronoiVertex::Inner(from), VoronoiVertex::Inner(to)) = (edge.from(), edge.to()) else {
                    continue;
                };
                let beyond = place(edge.as_delaunay_edge().to().fix());
                if beyond == Some(at) {
                    continue;
                }
                let corners = [from, to].map(|corner| {
                    let point = corner.circumcenter();
                    (corner.fix().index(), Spot { x: point.x, y: point.y })
                });
                edges[at].push(corners);
                let ends = corners.map(|(_, spot)| spot);
                match beyond {
                    Some(other) if at < other => self.borders.push(Border { a: at, b: other, ends }),
                    Some(_) => {}
                    None => self.coast.push(ends),
                }
            }
        }
        self.cells = edges.into_iter().map(chain).collect();
    }

    /// Finds a middle for each sea: where it lies, or near all its coasts, clear of land and of other seas' middles.
    fn float_seas(&mut self, map: &Map, sheet: Option<&Sheet>, land: &[usize], water: &[Spot]) {
        let room: Vec<(Spot, f64)> = water
            .iter()
            .filter(|spot| {
                (70.0..self.width - 70.0).contains(&spot.x) && (16.0..self.height - 30.0).contains(&spot.y)
            })
            .map(|&spot| {
                (
                    spot,
                    land.iter().map(|&at| self.spots[at].distance(spot)).fold(f64::MAX, f64::min).min(48.0),
                )
            })
            .collect();
        let mut taken: Vec<Spot> = Vec::new();
        for (sea, place) in map.places.iter().enumerate() {
            let Site::Sea { coasts, middle } = &place.site else { continue };
            let middle = sheet.and_then(|sheet| middle.map(|point| sheet.spot(point)));
            let cost = |(spot, clear): (Spot, f64)| {
                let near = middle.map_or_else(
                    || {
                        // Beyond some distance a coast is as good as any other.
                        let far = coasts.iter().map(|&coast| self.spots[coast].distance(spot).min(450.0));
                        far.sum::<f64>() / coasts.len().max(1) as f64
                    },
                    |middle| middle.distance(spot),
                );
                let crowd = taken.iter().map(|other| (100.0 - other.distance(spot)).max(0.0)).sum::<f64>();
                near - 2.0 * clear + 3.0 * crowd
            };
            let best = room
                .iter()
                .map(|&water| (cost(water), water.0))
                .min_by(|one, other| one.0.total_cmp(&other.0));
            if let Some((_, spot)) = best {
                self.spots[sea] = spot;
                taken.push(spot);
            }
        }
    }
}

/// The pairs of hexes that touch, the lower index first, in ascending order.
fn neighbours(spots: &[Spot]) -> Vec<(usize, usize)> {
    let mut by_column: Vec<usize> = (0..spots.len()).collect();
    by_column.sort_by(|&a, &b| spots[a].x.total_cmp(&spots[b].x));
    let mut pairs = Vec::new();
    for (nth, &a) in by_column.iter().enumerate() {
        let near = by_column[nth + 1..].iter().take_while(|&&b| spots[b].x - spots[a].x < 1.1 * HEX);
        let touching = near.filter(|&&b| spots[a].distance(spots[b]) < 1.1 * HEX);
        pairs.extend(touching.map(|&b| (a.min(b), a.max(b))));
    }
    pairs.sort_unstable();
    pairs
}

/// Points that may be water.
struct Grid {
    rows: i32,
    columns: i32,
    wet: Vec<bool>,
}

/// The grid reaches so many rows and columns beyond the page, so that every cell on it is closed.
const BEYOND: i32 = 8;

impl Grid {
    fn new(width: f64, height: f64) -> Grid {
        let (rows, columns) = ((height / GRID) as i32 + 2 * BEYOND, (width / GRID) as i32 + 2 * BEYOND);
        Grid { rows, columns, wet: vec![true; (rows * columns) as usize] }
    }

    /// Every other row is shifted: hexagons make smoother coasts than squares.
    fn spot(row: i32, column: i32) -> Spot {
        let shift = if row % 2 == 0 { 0.0 } else { 0.5 };
        Spot { x: (f64::from(column - BEYOND) + shift) * GRID, y: f64::from(row - BEYOND) * GRID }
    }

    /// Takes the water out of a shape that reaches so far from these corners.
    fn dry(&mut self, corners: &[Spot], reach: f64, within: impl Fn(Spot) -> bool) {
        let span = |of: fn(&Spot) -> f64, most: i32| {
            let low = corners.iter().map(of).fold(f64::MAX, f64::min) - reach;
            let high = corners.iter().map(of).fold(f64::MIN, f64::max) + reach;
            let index = |value: f64| (value / GRID) as i32 + BEYOND;
            (index(low) - 1).clamp(0, most)..(index(high) + 2).clamp(0, most)
        };
        for row in span(|spot| spot.y, self.rows) {
            for column in span(|spot| spot.x, self.columns) {
                if within(Grid::spot(row, column)) {
                    self.wet[(row * self.columns + column) as usize] = false;
                }
            }
        }
    }

    fn wet(&self) -> Vec<Spot> {
        let all = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        all.zip(&self.wet)
            .filter(|(_, wet)| **wet)
            .map(|((row, column), _)| Grid::spot(row, column))
            .collect()
    }
}

/// Joins edges into rings. Each corner is known by its number.
fn chain(mut edges: Vec<[(usize, Spot); 2]>) -> Vec<Vec<Spot>> {
    let mut rings = Vec::new();
    while let Some([(start, first), (mut corner, spot)]) = edges.pop() {
        let mut ring = vec![first];
        let mut next = spot;
        while corner != start {
            ring.push(next);
            let Some(at) = edges.iter().position(|edge| edge[0].0 == corner) else { break };
            [_, (corner, next)] = edges.swap_remove(at);
        }
        rings.push(ring);
    }
    rings
}

/// The ends of a link, the lower index first.
fn ends(map: &Map, link: usize) -> (usize, usize) {
    let link = &map.links[link];
    (link.a.min(link.b), link.a.max(link.b))
}

/// The links of land by what they join.
struct Links {
    lines: Vec<(usize, usize)>,
    triangles: Vec<[usize; 3]>,
    of: Vec<Vec<usize>>,
}

impl Links {
    fn new(map: &Map) -> Links {
        let mut of = vec![Vec::new(); map.places.len()];
        let mut lines = Vec::new();
        for (at, link) in map.links.iter().enumerate().filter(|(_, link)| !link.water) {
            lines.push(ends(map, at));
            of[link.a].push(link.b);
            of[link.b].push(link.a);
        }
        let mut triangles = Vec::new();
        for &(a, b) in &lines {
            triangles.extend(of[b].iter().filter(|&&c| c > b && of[a].contains(&c)).map(|&c| [a, b, c]));
            // A ring of four places without a diagonal encloses no water either.
            for &c in of[b].iter().filter(|&&c| c != a) {
                for &d in of[c].iter().filter(|&&d| d != b && of[d].contains(&a)) {
                    if a < c.min(d) && b < d {
                        triangles.extend([[a, b, c], [a, c, d]]);
                    }
                }
            }
        }
        Links { lines, triangles, of }
    }

    fn touch(&self, a: usize, b: usize) -> bool {
        self.of[a].contains(&b)
    }
}

/// How the globe is put on a page.
struct Sheet {
    cone: Cone,
    left: f64,
    top: f64,
    scale: f64,
    margin: f64,
    width: f64,
    height: f64,
}

impl Sheet {
    /// The page for these points of the globe (degrees north and east), of which there is at least one.
    fn over(globe: &[(f64, f64)]) -> Sheet {
        let core = mainland(globe);
        let span = |of: fn(&(f64, f64)) -> f64| {
            core.iter()
                .map(of)
                .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
        };
        let (south, north) = span(|point| point.0);
        let (west, east) = span(|point| point.1);
        let cone = Cone::new((south, north), f64::midpoint(west, east));
        let inner: Vec<Spot> = core.iter().map(|&point| cone.project(point)).collect();
        let bound = |of: fn(&Spot) -> f64| {
            inner
                .iter()
                .map(of)
                .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
        };
        let ((left, right), (top, bottom)) = (bound(|spot| spot.x), bound(|spot| spot.y));
        let scale = (SIZE - 2.0 * MARGIN) / (right - left).max(bottom - top).max(f64::MIN_POSITIVE);
        // What lies an ocean away stands between the others and the edge.
        let margin = if core.len() < globe.len() { 2.0 * MARGIN } else { MARGIN };
        let (width, height) = ((right - left) * scale + 2.0 * margin, (bottom - top) * scale + 2.0 * margin);
        Sheet { cone, left, top, scale, margin, width, height }
    }

    /// Where a point of the globe is, at the edge if it lies beyond.
    fn spot(&self, point: (f64, f64)) -> Spot {
        let flat = self.cone.project(point);
        Spot {
            x: ((flat.x - self.left) * self.scale + self.margin).clamp(MARGIN, self.width - MARGIN),
            y: ((flat.y - self.top) * self.scale + self.margin).clamp(MARGIN, self.height - MARGIN),
        }
    }
}

/// The largest group of points without an ocean between them.
fn mainland(globe: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let gap = |at: usize, other: usize| arc(globe[at], globe[other]);
    let nearest = |at: usize| {
        (0..globe.len()).filter(|&other| other != at).map(|other| gap(at, other)).fold(f64::MAX, f64::min)
    };
    let mut gaps: Vec<f64> = (0..globe.len()).map(nearest).collect();
    gaps.sort_by(f64::total_cmp);
    // Places this much lonelier than others are an ocean away.
    let ocean = 5.0 * gaps[gaps.len() / 2];
    let mut best: Vec<usize> = Vec::new();
    let mut seen = vec![false; globe.len()];
    for start in 0..globe.len() {
        let mut group = Vec::new();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                group.push(at);
                open.extend((0..globe.len()).filter(|&other| !seen[other] && gap(at, other) <= ocean));
            }
        }
        if group.len() > best.len() {
            best = group;
        }
    }
    best.into_iter().map(|at| globe[at]).collect()
}

/// Moves spots that are too close away from each other, a little at a time.
fn push_apart(spots: &mut [Spot], width: f64, height: f64) {
    for _ in 0..200 {
        let mut moved = false;
        for a in 0..spots.len() {
            for b in a + 1..spots.len() {
                let distance = spots[a].distance(spots[b]);
                if distance >= APART {
                    continue;
                }
                moved = true;
                let (dx, dy) = if distance > 1e-6 {
                    ((spots[b].x - spots[a].x) / distance, (spots[b].y - spots[a].y) / distance)
                } else {
                    (1.0, 0.0)
                };
                let step = (APART - distance) / 2.0 * 0.6 + 0.05;
                for (at, sign) in [(a, -1.0), (b, 1.0)] {
                    spots[at].x = (spots[at].x + sign * step * dx).clamp(MARGIN, width - MARGIN);
                    spots[at].y = (spots[at].y + sign * step * dy).clamp(MARGIN, height - MARGIN);
                }
            }
        }
        if !moved {
            break;
        }
    }
}

/// The angle between two points of the globe, in radians.
fn arc(one: (f64, f64), other: (f64, f64)) -> f64 {
    let (a, b) = (one.0.to_radians(), other.0.to_radians());
    let half = |from: f64, to: f64| ((to - from) / 2.0).sin().powi(2);
    let chord = half(a, b) + a.cos() * b.cos() * half(one.1.to_radians(), other.1.to_radians());
    2.0 * chord.sqrt().min(1.0).asin()
}

/// Lambert's conformal conic projection of the sphere (Snyder 1987, *Map Projections: A Working Manual*, 15-1 to 15-4).
struct Cone {
    n: f64,
    f: f64,
    meridian: f64,
}

impl Cone {
    /// The standard parallels lie a sixth of the span inside the southern and northern end.
    fn new((south, north): (f64, f64), meridian: f64) -> Cone {
        let inset = (north - south).max(1.0) / 6.0;
        let (first, second) = ((south + inset).to_radians(), (north - inset).to_radians());
        let n = if (first - second).abs() < 1e-9 {
            first.sin()
        } else {
            (first.cos() / second.cos()).ln() / (half_tangent(second) / half_tangent(first)).ln()
        };
        Cone { n, f: first.cos() * half_tangent(first).powf(n) / n, meridian }
    }

    fn project(&self, (latitude, longitude): (f64, f64)) -> Spot {
        let radius = self.f / half_tangent(latitude.to_radians()).powf(self.n);
        let angle = self.n * (longitude - self.meridian).to_radians();
        Spot { x: radius * angle.sin(), y: radius * angle.cos() }
    }
}

fn half_tangent(latitude: f64) -> f64 {
    (std::f64::consts::FRAC_PI_4 + latitude / 2.0).tan()
}

/// The distance from a spot to the line between two others.
fn to_segment(spot: Spot, a: Spot, b: Spot) -> f64 {
    let length = a.distance(b).powi(2);
    if length == 0.0 {
        return spot.distance(a);
    }
    let share = ((spot.x - a.x) * (b.x - a.x) + (spot.y - a.y) * (b.y - a.y)) / length;
    spot.distance(a.toward(b, share.clamp(0.0, 1.0)))
}

fn inside(spot: Spot, a: Spot, b: Spot, c: Spot) -> bool {
    let turn = |p: Spot, q: Spot| (q.x - p.x) * (spot.y - p.y) - (q.y - p.y) * (spot.x - p.x);
    let sides = [turn(a, b), turn(b, c), turn(c, a)];
    sides.iter().all(|&side| side >= 0.0) || sides.iter().all(|&side| side <= 0.0)
}
