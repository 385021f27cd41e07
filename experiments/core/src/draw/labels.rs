//! Names that do not collide.
//!
//! The most important names are placed first, each at the first position around its place where it overlaps nothing;
//! where there is none, a shortened name is tried, and a name that finds no room at all is left out (the page still
//! shows it to whoever points at the place).

use super::layout::Spot;

/// A rectangle on the page.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Area {
    /// The left edge.
    pub left: f64,
    /// The upper edge.
    pub top: f64,
    /// The right edge.
    pub right: f64,
    /// The lower edge.
    pub bottom: f64,
}

impl Area {
    /// The rectangle of this size around a spot.
    pub fn around(middle: Spot, width: f64, height: f64) -> Area {
        Area {
            left: middle.x - width / 2.0,
            top: middle.y - height / 2.0,
            right: middle.x + width / 2.0,
            bottom: middle.y + height / 2.0,
        }
    }

    /// Whether two rectangles have more than an edge in common.
    pub fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn within(&self, width: f64, height: f64) -> bool {
        self.left >= 0.0 && self.top >= 0.0 && self.right <= width && self.bottom <= height
    }
}

/// A name that wants to be placed.
#[derive(Clone, PartialEq, Debug)]
pub struct Wish {
    /// What it is the name of: the caller's index.
    pub place: usize,
    /// The name.
    pub name: String,
    /// Where its place is.
    pub spot: Spot,
    /// The size of the letters.
    pub size: f64,
    /// Half the height of what stands on the spot and must stay free.
    pub clearance: f64,
    /// The more important, the sooner it is placed.
    pub importance: i32,
}

/// A name that has been placed.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// The caller's index.
    pub place: usize,
    /// The name or what is left of it.
    pub text: String,
    /// The middle of the text, on its base line.
    pub spot: Spot,
    /// The size of the letters.
    pub size: f64,
    /// What it covers.
    pub area: Area,
}

/// How wide a text is at most, in pixels: the widths of DejaVu Sans, which is wider than the other fonts that
/// browsers use.
pub fn text_width(text: &str, size: f64) -> f64 {
    let width = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | '\'' | '|' | ' ' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '-' => 0.42,
        'm' | 'M' | 'W' => 0.98,
        'w' | '+' => 0.84,
        'A'..='Z' => 0.74,
        _ => 0.64,
    };
    text.chars().map(width).sum::<f64>() * size
}

/// Places names on a page of this size, around what is taken already.
pub fn place(mut wishes: Vec<Wish>, mut taken: Vec<Area>, (width, height): (f64, f64)) -> Vec<Label> {
    wishes.sort_by_key(|wish| (std::cmp::Reverse(wish.importance), wish.place));
    let mut labels: Vec<Label> = Vec::new();
    for wish in wishes {
        let found = forms(&wish.name).into_iter().find_map(|text| {
            candidates(&wish, &text).into_iter().find_map(|(spot, area)| {
                let free = area.within(width, height) && !taken.iter().any(|other| other.overlaps(&area));
                free.then(|| Label { place: wish.place, text: text.clone(), spot, size: wish.size, area })
            })
        });
        if let Some(label) = found {
            taken.push(label.area);
            labels.push(label);
        }
    }
    labels
}

/// The name and its shorter forms.
fn forms(name: &str) -> Vec<String> {
    let mut forms = vec![name.to_owned()];
    for letters in [6, 4, 3] {
        if name.chars().count() > letters + 1 {
            let start: String = name.chars().take(letters).collect();
            forms.push(format!("{}.", start.trim_end()));
        }
    }
    forms
}

/// Where the text could stand, the best place first: above, below, and to the sides.
fn candidates(wish: &Wish, text: &str) -> Vec<(Spot, Area)> {
    let (width, height) = (text_width(text, wish.size), wish.size * 1.12);
    let up = wish.clearance + height / 2.0;
    let aside = width / 2.0 + 5.0;
    let shifts = [
        (0.0, -up),
        (0.0, up),
        (width * 0.25, -up),
        (-width * 0.25, -up),
        (width * 0.25, up),
        (-width * 0.25, up),
        (aside + 12.0, 0.0),
        (-aside - 12.0, 0.0),
        (aside, -up * 0.8),
        (-aside, -up * 0.8),
        (aside, up * 0.8),
        (-aside, up * 0.8),
    ];
    shifts
        .into_iter()
        .map(|(dx, dy)| {
            let middle = Spot { x: wish.spot.x + dx, y: wish.spot.y + dy };
            // Letters reach about 0.35 of their size below the middle of a line.
            (Spot { x: middle.x, y: middle.y + wish.size * 0.35 }, Area::around(middle, width, height))
        })
        .collect()
}
