//! The page around pictures: colours, style sheet, and the bare HTML.

use std::fmt::Write;

use sandtable_core::Side;

/// The colours of one kind of surroundings.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    /// The background.
    pub paper: &'static str,
    /// Text and strong lines.
    pub ink: &'static str,
    /// Lesser text.
    pub soft: &'static str,
    /// Grids and boxes.
    pub line: &'static str,
    /// Water on the map.
    pub sea: &'static str,
    /// Names and lines of water.
    pub water: &'static str,
    /// Land that nobody holds.
    pub land: &'static str,
    /// What belongs to each side: markers, bars, curves. Each stands out from the paper.
    pub sides: [&'static str; SIDES],
    /// Text on [`Palette::sides`].
    pub on_sides: [&'static str; SIDES],
    /// Land that each side holds.
    pub held: [&'static str; SIDES],
    /// From nothing to much; [`Palette::ink`] is read on all of them.
    pub heat: [&'static str; HEATS],
    /// Terrain of hexes, in the order of [`Texture`](crate::system::board::Texture); [`Palette::ink`] is read on all of
    /// them.
    pub grounds: [&'static str; GROUNDS],
    /// Slopes and tracks.
    pub earth: &'static str,
    /// Primary roads.
    pub highway: &'static str,
    /// Field works and objectives.
    pub alarm: &'static str,
}

/// How many sides have a colour; further ones begin again.
pub const SIDES: usize = 6;
/// Steps of [`Palette::heat`].
pub const HEATS: usize = 7;
/// Kinds of terrain that hexes are coloured by.
pub const GROUNDS: usize = 8;
/// How many formations have a colour on counters; further ones begin again.
pub const BANDS: usize = 8;

/// The colours of formations in the boxes of counters, the same in all surroundings; black symbols are read on them.
const BAND_COLOURS: [&str; BANDS] =
    ["#F7DF6B", "#8FCBF2", "#F4A79D", "#9FD8A4", "#D6B4E8", "#F5BE7E", "#C3C8CE", "#8FDDD3"];

/// For light surroundings. Pictures are drawn in these.
pub const LIGHT: Palette = Palette {
    paper: "#FFFFFF",
    ink: "#1C1E21",
    soft: "#5C6166",
    line: "#D3D6DA",
    sea: "#E6F0F6",
    water: "#2F6E96",
    land: "#DEDAD0",
    sides: ["#CF8201", "#0866A5", "#C876A3", "#018D5D", "#776C01", "#2E9BDD"],
    on_sides: ["#1B1300", "#FEFEFF", "#1D0613", "#00130B", "#FFFFFD", "#00121C"],
    held: ["#FCD88C", "#77B3D5", "#D29BB7", "#8EC8AC", "#C7BF6B", "#B8DEF8"],
    heat: ["#F3F1EC", "#FCE1C2", "#FECD95", "#FEBB6C", "#FDA746", "#E9883A", "#D4682F"],
    grounds: ["#F3EDD6", "#EADFC0", "#C9DCD4", "#BBD3A0", "#DFC69B", "#CBB08A", "#BDBE86", "#A5C7B0"],
    earth: "#7A4E1D",
    highway: "#D13B2E",
    alarm: "#A3122B",
};

/// For dark surroundings.
pub const DARK: Palette = Palette {
    paper: "#15181D",
    ink: "#E9EAEC",
    soft: "#A3A9B0",
    line: "#3B4149",
    sea: "#0E1A26",
    water: "#7FB3D6",
    land: "#40444B",
    sides: ["#EAA916", "#268CC8", "#DA94BA", "#1AB78A", "#F4EB5E", "#83CFFD"],
    on_sides: ["#1B1301", "#00131F", "#1D0614", "#001A12", "#1A1801", "#00121D"],
    held: ["#87620E", "#074E78", "#4E242F", "#0F6A53", "#666628", "#4E6A89"],
    heat: ["#23262B", "#413343", "#5C3339", "#73322E", "#8C3324", "#A53319", "#BE3007"],
    grounds: ["#3B3A33", "#454136", "#2B4344", "#2B4229", "#54452F", "#5C4A38", "#454A2A", "#264A3A"],
    earth: "#C79A63",
    highway: "#E0605A",
    alarm: "#FF7B86",
};

/// The class number of a side's colour.
pub fn shade(side: Side) -> usize {
    side.index() % SIDES
}

/// Marks the colour of a picture's line or area that a plot library writes as an attribute.
fn attribute_rules(css: &mut String) {
    let pairs =
        [(LIGHT.paper, DARK.paper), (LIGHT.ink, DARK.ink), (LIGHT.soft, DARK.soft), (LIGHT.line, DARK.line)];
    let sides = LIGHT.sides.into_iter().zip(DARK.sides);
    let texts = LIGHT.on_sides.into_iter().zip(DARK.on_sides);
    let heats = LIGHT.heat.into_iter().zip(DARK.heat);
    for (light, dark) in pairs.into_iter().chain(sides).chain(texts).chain(heats) {
        // Writing to a string does not fail.
        let _ = write!(css, "[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}");
    }
}

/// The rules of a picture's classes in one set of colours.
fn class_rules(palette: &Palette) -> String {
    let Palette { ink, sea, water, land, soft, paper, earth, highway, alarm, .. } = palette;
    let mut css = format!(
        ".sea{{fill:{sea}}}.no{{fill:{land}}}.coast{{stroke:{soft}}}.in{{stroke:{paper}}}.out{{stroke:{soft}}}\
         .river,.bridge,.stream,.broad{{stroke:{water}}}.wall,.road{{stroke:{ink}}}.num{{fill:{soft}}}\
         .rail,.ties,.sec0,.pri0,.span{{stroke:{ink}}}.sec{{stroke:{paper}}}.pri{{stroke:{highway}}}\
         .hach,.trk{{stroke:{earth}}}.works{{stroke:{alarm}}}.house{{fill:{ink}}}.goal{{fill:{alarm};stroke:{paper}}}\
         .goalt{{fill:{paper}}}.src{{stroke:{ink}}}.sum{{fill:{ink};stroke:{paper}}}.front{{stroke:{alarm}}}.edge{{stroke:{soft}}}.tx{{stroke:{ink}}}.txf{{fill:{ink}}}\
         .name{{fill:{ink};stroke:{paper}}}.wet{{fill:{water};stroke:{sea}}}\
         .mark{{fill:{paper};stroke:{ink}}}.full{{fill:{ink};stroke:{ink}}}\
         .rim{{stroke:{paper}}}.sn{{fill:{paper}}}.tn{{fill:{ink}}}.key{{fill:{ink}}}.faint{{fill:{soft}}}"
    );
    for side in 0..SIDES {
        let (own, text, held) = (palette.sides[side], palette.on_sides[side], palette.held[side]);
        let _ = write!(
            css,
            ".s{side}{{fill:{own}}}.t{side}{{fill:{text}}}.o{side}{{fill:{held}}}.l{side}{{stroke:{own}}}"
        );
    }
    for (ground, colour) in palette.grounds.iter().enumerate() {
        let _ = write!(css, ".g{ground}{{fill:{colour}}}");
    }
    for (step, colour) in palette.heat.iter().enumerate() {
        let _ = write!(css, ".h{step}{{fill:{colour}}}");
    }
    css
}

/// The rules of hexes and counters that hold in all surroundings.
const HEXES: &str = "\
    .stream,.broad,.rail,.ties,.sec0,.sec,.pri0,.pri,.trk,.hach,.works,.span,.front,.edge,.sym,.fort{fill:none}\
    .stream{stroke-width:2.2;stroke-linecap:round}.broad{stroke-width:5.5;stroke-linecap:round}\
    .rail{stroke-width:1.5}.ties{stroke-width:5;stroke-dasharray:1.2 4.8}\
    .sec0,.sec,.pri0,.pri{stroke-linecap:round;stroke-linejoin:round}\
    .sec0{stroke-width:4.2}.sec{stroke-width:2.4}.pri0{stroke-width:6.2}.pri{stroke-width:4}\
    .trk{stroke-width:1.9;stroke-dasharray:5 3.2}.hach{stroke-width:1.3}.works{stroke-width:2.4}\
    .works.razed{opacity:.25;stroke-dasharray:2 3}.span{stroke-width:1.9;stroke-linecap:round}\
    .house{opacity:.62}.goal,.src{stroke-width:1}.goalt{text-anchor:middle;font-size:9px;font-weight:bold}\
    .front{stroke-width:3.4;stroke-dasharray:9 3;stroke-linecap:round}.edge{stroke-width:.8;stroke-opacity:.55}\
    .held{fill-opacity:.5}.held .no{fill:none}.zone{pointer-events:none}\
    .fort{stroke-width:3}.fort.dig{stroke-width:2;stroke-dasharray:3 2.5}\
    .sum{text-anchor:middle;font-size:8.2px;font-weight:bold;paint-order:stroke;stroke-width:2.4px;stroke-linejoin:round}\
    .box{stroke:#000;stroke-width:.9}.bw{fill:#FFF}.sym{stroke:#000;stroke-width:1.1}.symf{fill:#000}\
    .cz,.cv,.cs{text-anchor:middle}.cz{font-size:5.4px}.cv{font-size:9px;font-weight:bold}\
    .cs{font-size:4.8px;font-weight:bold;fill:#FFF}.state{fill:#B00020;stroke:#FFF;stroke-width:.5}\
    .step.lost{fill-opacity:.25}";

/// The style sheet of pictures, alone or in a page.
pub fn picture_style() -> String {
    let mut dark = class_rules(&DARK);
    attribute_rules(&mut dark);
    let mut bands = String::new();
    for (band, colour) in BAND_COLOURS.iter().enumerate() {
        let _ = write!(bands, ".b{band}{{fill:{colour}}}");
    }
    format!(
        "svg text{{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;\
         text-rendering:geometricPrecision}}\
         .in{{fill:none;stroke-width:.8}}.out{{fill:none;stroke-width:1.5}}.coast{{fill:none;stroke-width:.7}}\
         .river{{fill:none;stroke-width:2.4;stroke-linecap:round}}\
         .wall{{fill:none;stroke-width:2.6;stroke-dasharray:3 2}}\
         .bridge{{fill:none;stroke-width:1.1;stroke-dasharray:2 3}}.road{{fill:none;stroke-width:.9;opacity:.55}}.num{{text-anchor:middle;font-size:7.5px}}{HEXES}{bands}.tx{{fill:none;stroke-width:.8;opacity:.3}}\
         .txf{{stroke:none;opacity:.3}}\
         .name,.wet{{paint-order:stroke;stroke-width:2.2px;stroke-linejoin:round;text-anchor:middle;stroke-opacity:.75}}\
         .wet{{font-style:italic}}.big{{font-weight:bold}}.mark,.full{{stroke-width:.9}}\
         .mt{{text-anchor:middle;font-size:9px;font-weight:bold}}.rim{{stroke-width:.8}}{}\
         @media(prefers-color-scheme:dark){{{dark}}}",
        class_rules(&LIGHT)
    )
}

/// The rules of the page itself.
fn page_style() -> String {
    let rules = |palette: &Palette| {
        let Palette { paper, ink, soft, line, water, .. } = palette;
        format!(
            ":root{{background:{paper};color:{ink}}}a{{color:{water}}}.note,figcaption{{color:{soft}}}\
             th,td{{border-color:{line}}}button,input,.log,pre{{border-color:{line};color:{ink};background:{paper}}}"
        )
    };
    format!(
        ":root{{color-scheme:light dark;font:16px/1.5 system-ui,Helvetica,Arial,sans-serif}}body{{margin:0 auto;\
         max-width:1180px;padding:1rem 1.2rem 3rem}}h1{{font-size:1.6rem;line-height:1.25}}h2{{font-size:1.2rem;\
         margin-top:2.2rem}}svg{{max-width:100%;height:auto}}#verdict{{font-size:1.15rem;font-weight:600;max-width:62rem}}nav ul{{list-style:none;\
         margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}}.number{{white-space:nowrap}}th button{{border:0;padding:0;font-weight:600;\
         cursor:pointer;text-align:left}}th button::after{{content:'\\2195';opacity:.45;padding-left:.3rem}}\
         [aria-sort=ascending] button::after{{content:'\\2191';opacity:1}}[aria-sort=descending] button::after{{content:'\\2193';\
         opacity:1}}figure{{margin:1rem 0;overflow-x:auto}}\
         .plot{{min-width:34rem}}.map{{min-width:56rem}}figcaption,.note{{font-size:.9rem}}\
         h1,p,figcaption,summary{{overflow-wrap:anywhere}}\
         table{{border-collapse:collapse;font-size:.92rem}}th,td{{text-align:left;padding:.2rem .8rem .2rem 0;\
         border-bottom:1px solid;vertical-align:top;overflow-wrap:anywhere}}th{{font-weight:600;white-space:nowrap}}\
         .wide{{overflow-x:auto}}.wide td{{overflow-wrap:normal}}h3{{font-size:1.02rem;margin-bottom:.3rem}}.key{{display:block}}details{{margin:.6rem 0}}summary{{cursor:pointer}}.grid{{display:flex;flex-wrap:wrap;gap:.6rem 1rem}}.grid figure{{margin:0;max-width:100%}}.grid .small{{width:260px}}pre{{overflow:auto;font-size:.8rem;\
         border:1px solid;padding:.6rem}}button,input{{font:inherit;border:1px solid;border-radius:4px;padding:.15rem .6rem}}{}\
         @media(prefers-color-scheme:dark){{{}}}",
        rules(&LIGHT),
        rules(&DARK)
    )
}

/// Text that is safe within HTML and SVG, in attributes too.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter => safe.push(letter),
        }
    }
    safe
}

/// The attribute `data-generator` of pages and pictures, by which the program knows them for its own.
pub const GENERATOR: &str = "sandtable-drawing";

/// A page of its own. The policy in its head forbids the browser to ask any network for anything, and to run scripts.
pub fn page(title: &str, style: &str, body: &str) -> String {
    with_policy("", title, style, body)
}

/// A page whose body has scripts.
pub fn scripted_page(title: &str, style: &str, body: &str) -> String {
    with_policy("script-src 'unsafe-inline'; ", title, style, body)
}

fn with_policy(scripts: &str, title: &str, style: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" data-generator=\"{GENERATOR}\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         {scripts}img-src data:\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <link rel=\"icon\" href=\"data:,\"><title>{}</title>\
         <style>{}{}{style}</style></head>\n<body>\n{body}\n</body></html>\n",
        escape(title),
        picture_style(),
        page_style()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What readers with red, green and blue blindness see (Machado, Oliveira and Fernandes 2009, severity 1).
    const VISIONS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ];

    fn linear(hex: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// CIELAB under the light D65.
    fn lab(hex: &str, vision: &[[f64; 3]; 3]) -> [f64; 3] {
        let light = linear(hex);
        let seen = vision.map(|row| {
            row.iter().zip(light).map(|(weight, part)| weight * part).sum::<f64>().clamp(0.0, 1.0)
        });
        let mix =
            |weights: [f64; 3]| weights.iter().zip(seen).map(|(weight, part)| weight * part).sum::<f64>();
        let f = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let x = f(mix([0.4124, 0.3576, 0.1805]) / 0.950_47);
        let y = f(mix([0.2126, 0.7152, 0.0722]));
        let z = f(mix([0.0193, 0.1192, 0.9505]) / 1.088_83);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn apart(one: &str, other: &str) -> f64 {
        let differences = VISIONS.iter().map(|vision| {
            lab(one, vision).iter().zip(lab(other, vision)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        });
        differences.fold(f64::MAX, f64::min)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let light = |hex| {
            let [r, g, b] = linear(hex);
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (one, other) = (light(one), light(other));
        one.max(other) / one.min(other)
    }

    #[test]
    fn every_reader_tells_the_colours_of_all_sides_apart() {
        for palette in [LIGHT, DARK] {
            let curves = [&palette.sides[..], &[palette.ink]].concat();
            let lands = [&palette.held[..], &[palette.land, palette.sea]].concat();
            for (list, least) in [(curves, 15.0), (lands, 10.0)] {
                for (at, one) in list.iter().enumerate() {
                    for other in &list[at + 1..] {
                        let apart = apart(one, other);
                        assert!(apart > least, "{one} and {other} are only {apart:.1} apart for some reader");
                    }
                }
            }
            for (at, one) in palette.heat.iter().enumerate() {
                for other in &palette.heat[at + 1..] {
                    assert!(apart(one, other) > 9.0, "{one} and {other}");
                }
            }
        }
    }

    #[test]
    fn lines_stand_out_from_the_paper() {
        for palette in [LIGHT, DARK] {
            for line in palette.sides.into_iter().chain([palette.ink, palette.soft]) {
                assert!(contrast(line, palette.paper) >= 3.0, "{line} on {}", palette.paper);
            }
        }
    }

    #[test]
    fn text_stands_out() {
        for palette in [LIGHT, DARK] {
            // Names of places on the map of owners and on that of figures, and the numbers in a heat map.
            let grounds = [
                &[palette.paper, palette.sea, palette.land][..],
                &palette.held,
                &palette.heat,
                &palette.grounds,
            ];
            for ground in grounds.concat() {
                assert!(contrast(palette.ink, ground) > 4.5, "{} on {ground}", palette.ink);
            }
            assert!(contrast(palette.soft, palette.paper) > 4.5);
            assert!(contrast(palette.water, palette.sea) > 4.5);
            for (ground, text) in palette.sides.iter().zip(palette.on_sides) {
                assert!(contrast(ground, text) > 4.5, "{text} on {ground}");
            }
            assert!(contrast(palette.alarm, palette.paper) > 4.5, "points of an objective");
        }
        for band in BAND_COLOURS {
            assert!(contrast(band, "#000000") > 7.0, "a symbol on {band}");
        }
    }

    #[test]
    fn no_light_colour_stands_for_two_dark_ones() {
        let mut all = [LIGHT.paper, LIGHT.ink, LIGHT.soft, LIGHT.line].to_vec();
        all.extend(LIGHT.sides.iter().chain(&LIGHT.on_sides).chain(&LIGHT.heat));
        let number = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), number);
    }

    #[test]
    fn markup_in_text_is_shown_and_not_obeyed() {
        assert_eq!(escape("<a href='x'>&\""), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
    }
}
