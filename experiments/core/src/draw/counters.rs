//! Counters of a wargame as they lie on hexes: the type of unit in a box in the colour of its formation, strengths below,
//! the rest of the stack behind.

use std::fmt::Write;

use super::page::{BANDS, escape, shade};
use crate::system::board::{Counter, Marker, UnitSymbol};

/// The edge of a counter.
const EDGE: f64 = 35.0;
/// How far the middle of a counter lies above the middle of its hex: below it is told what a stack comes to.
const RAISED: f64 = 5.0;
/// How far each counter of a stack stands out behind the one above it.
const OFFSET: f64 = 2.2;
/// How many counters of a stack are seen behind the uppermost.
const BEHIND: usize = 3;

/// The counters of a marker as SVG around the middle of a hex; nothing if it has none.
pub fn stack(marker: &Marker) -> Option<String> {
    let top = marker.counters.first()?;
    let side = marker.side.map_or("n".to_owned(), |side| shade(side).to_string());
    let mut svg = format!("<title>{}</title>", escape(&marker.words));
    let half = EDGE / 2.0;
    for behind in (0..=BEHIND.min(marker.counters.len() - 1)).rev() {
        let off = OFFSET * behind as f64;
        // Writing to a string does not fail.
        let _ = write!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{EDGE}\" height=\"{EDGE}\" rx=\"2\" class=\"rim s{side}\"/>",
            off - half,
            -off - half - RAISED
        );
    }
    let _ = write!(svg, "<g transform=\"translate(0 -{RAISED})\">");
    face(&mut svg, top, &side);
    svg.push_str("</g>");
    if marker.counters.len() > 1 {
        let words = format!("{}: {}", marker.counters.len(), marker.text);
        let _ = write!(svg, "<text y=\"{:.1}\" class=\"sum\">{}</text>", half - RAISED + 7.6, escape(&words));
    }
    Some(svg)
}

/// The printed side of a counter.
fn face(svg: &mut String, counter: &Counter, side: &str) {
    let box_class = counter.formation.map_or("bw".to_owned(), |formation| format!("b{}", formation % BANDS));
    let _ = write!(
        svg,
        "<rect x=\"-9.5\" y=\"-13.2\" width=\"19\" height=\"12\" class=\"box {box_class}\"/>\
         <path d=\"{}\" class=\"sym\"/>",
        line_work(counter.symbol)
    );
    if let Some(path) = filled(counter.symbol) {
        let _ = write!(svg, "<path d=\"{path}\" class=\"symf\"/>");
    }
    let (left, full) = counter.steps;
    for step in 0..full.min(4) {
        let class = if step < left { "step" } else { "step lost" };
        let _ = write!(
            svg,
            "<circle cx=\"13.6\" cy=\"{:.1}\" r=\"1.5\" class=\"{class} t{side}\"/>",
            -12.0 + 4.2 * f64::from(step)
        );
    }
    let small = [(counter.size, 0.0, -14.6, "cz"), (counter.name.as_str(), 0.0, 6.6, "cz")];
    for (words, x, y, class) in small.into_iter().filter(|(words, ..)| !words.is_empty()) {
        let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" class=\"{class} t{side}\">{}</text>", escape(words));
    }
    let _ = write!(svg, "<text y=\"15.2\" class=\"cv t{side}\">{}</text>", escape(&counter.values));
    for (at, state) in counter.states.chars().take(4).enumerate() {
        let y = -13.5 + 6.6 * at as f64;
        let _ = write!(
            svg,
            "<circle cx=\"-14.4\" cy=\"{y:.1}\" r=\"3.1\" class=\"state\"/>\
             <text x=\"-14.4\" y=\"{:.1}\" class=\"cs\">{}</text>",
            y + 1.7,
            escape(&state.to_string())
        );
    }
}

/// The lines of a type's symbol in a box from -9.5, -13.2 to 9.5, -1.2.
fn line_work(symbol: UnitSymbol) -> &'static str {
    const CROSS: &str = "M-9.5-13.2L9.5-1.2M-9.5-1.2L9.5-13.2";
    match symbol {
        UnitSymbol::Infantry => CROSS,
        UnitSymbol::SecurityInfantry => "M-9.5-13.2L9.5-1.2M-9.5-1.2L9.5-13.2M-6-3.2V-11.2M6-3.2V-11.2",
        UnitSymbol::MotorisedInfantry => "M-9.5-13.2L9.5-1.2M-9.5-1.2L9.5-13.2M0-13.2V-1.2",
        UnitSymbol::Motorcycles => {
            "M-9.5-13.2L9.5-1.2M-9.5-1.2L9.5-13.2M-5-1.2a1.7 1.7 0 1 0 .01 0zM5-1.2a1.7 1.7 0 1 0 .01 0z"
        }
        UnitSymbol::Bicycles => "M-9.5-13.2L9.5-1.2M-9.5-1.2L9.5-13.2M0-1.2a1.7 1.7 0 1 0 .01 0z",
        UnitSymbol::Cavalry => "M-9.5-1.2L9.5-13.2",
        UnitSymbol::Reconnaissance => {
            "M-9.5-1.2L9.5-13.2M-5-1.2a1.7 1.7 0 1 0 .01 0zM5-1.2a1.7 1.7 0 1 0 .01 0z"
        }
        UnitSymbol::ArmouredCars => "M-9.5-1.2L9.5-13.2M-3.5-10.7h7a3.5 3.5 0 0 1 0 7h-7a3.5 3.5 0 0 1 0-7z",
        UnitSymbol::Armour => "M-3.5-10.7h7a3.5 3.5 0 0 1 0 7h-7a3.5 3.5 0 0 1 0-7z",
        UnitSymbol::Engineers => "M-6.5-3.7V-10.2H6.5V-3.7M0-10.2V-3.7",
        UnitSymbol::MotorisedEngineers => {
            "M-6.5-3.7V-10.2H6.5V-3.7M0-10.2V-3.7M-5-1.2a1.7 1.7 0 1 0 .01 0zM5-1.2a1.7 1.7 0 1 0 .01 0z"
        }
        UnitSymbol::Artillery | UnitSymbol::Leader => "",
        UnitSymbol::Rockets => "M-5-8.6L0-11.6L5-8.6M-5-6.2L0-9.2L5-6.2",
        UnitSymbol::AntiTank => "M-9.5-1.2L0-13.2L9.5-1.2",
        UnitSymbol::AntiAircraft => "M-9.5-1.2A9.5 8.5 0 0 1 9.5-1.2",
        UnitSymbol::HeavyAntiAircraft => "M-9.5-1.2A9.5 8.5 0 0 1 9.5-1.2M0-9.7V-1.2",
        UnitSymbol::Headquarters | UnitSymbol::ArtilleryHeadquarters => "M-9.5-8.2H9.5M-9.5-1.2V2.2",
        UnitSymbol::Supplies => "M-6-10.7H6L0-5.2ZM0-5.2V-2.7",
    }
}

/// The filled parts of a type's symbol.
fn filled(symbol: UnitSymbol) -> Option<&'static str> {
    match symbol {
        UnitSymbol::Artillery => Some("M0-9.7a2.5 2.5 0 1 1-.01 0z"),
        UnitSymbol::Rockets => Some("M0-6a1.7 1.7 0 1 1-.01 0z"),
        UnitSymbol::ArtilleryHeadquarters => Some("M0-7a2 2 0 1 1-.01 0z"),
        UnitSymbol::Leader => Some("M0-12.2l1.4 3.3 3.6.3-2.7 2.3.8 3.5L0-4.7l-3.1 1.9.8-3.5L-5-8.6l3.6-.3z"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::Side;

    use super::*;

    fn counter() -> Counter {
        Counter {
            symbol: UnitSymbol::Armour,
            size: "II",
            name: "I/7".to_owned(),
            values: "6-5-6".to_owned(),
            steps: (1, 2),
            formation: Some(2),
            states: "DU".to_owned(),
        }
    }

    #[test]
    fn a_counter_shows_what_is_printed_on_it_and_a_stack_what_it_comes_to() {
        let mut marker = Marker {
            side: Some(Side(1)),
            text: "10-9".to_owned(),
            words: "I/7 & II/7".to_owned(),
            counters: vec![counter()],
            ..Marker::default()
        };
        let alone = stack(&marker).unwrap();
        for part in ["II</text>", "I/7</text>", "6-5-6</text>", ">D</text>", ">U</text>", "box b2", "rim s1"]
        {
            assert!(alone.contains(part), "{part} in {alone}");
        }
        assert!(alone.contains("<title>I/7 &amp; II/7</title>"), "{alone}");
        assert_eq!(alone.matches("class=\"step").count(), 2);
        assert_eq!(alone.matches("step lost").count(), 1);
        assert_eq!(alone.matches("rim").count(), 1);
        assert!(!alone.contains("10-9"), "a single counter says it itself");
        marker.counters = vec![counter(); 6];
        let stacked = stack(&marker).unwrap();
        assert!(stacked.contains("6: 10-9</text>"), "{stacked}");
        assert_eq!(stacked.matches("rim").count(), 1 + BEHIND);
        marker.counters.clear();
        assert_eq!(stack(&marker), None);
    }
}
