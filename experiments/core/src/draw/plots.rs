//! Plots: bars and dots with intervals, curves with bands, survival curves, histograms and heat maps.
//!
//! Each function takes what it shows as plain data and returns an SVG picture in the colours of
//! [`super::page::LIGHT`]; the style sheet of the page exchanges them in dark surroundings.

use std::fmt::{Display, Write as _};

use anyhow::anyhow;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use sandtable_stats::interval::Estimate;

use super::labels::text_width;
use super::page::{HEATS, LIGHT, SIDES, escape};

/// A plot, or why it could not be drawn.
pub type Plot = anyhow::Result<String>;

/// A named estimate.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// Of what.
    pub name: String,
    /// The number of its colour.
    pub shade: usize,
    /// The estimate; the ends of its interval may be infinite.
    pub estimate: Estimate,
}

/// A rung of a ladder of strengths.
#[derive(Clone, PartialEq, Debug)]
pub struct Rung {
    /// The player.
    pub name: String,
    /// Its Elo.
    pub elo: Estimate,
}

/// How much a parameter matters.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// The parameter.
    pub name: String,
    /// Its own share of the variance, or standardised coefficient.
    pub own: Estimate,
    /// Its share together with others, where the method tells.
    pub total: Option<Estimate>,
}

/// A quantity over time: quantiles over games.
#[derive(Clone, PartialEq, Debug)]
pub struct Band {
    /// Whose.
    pub name: String,
    /// The number of its colour.
    pub shade: usize,
    /// By turn, in order: the 10%, 25%, 50%, 75% and 90% quantiles.
    pub points: Vec<(u32, [f64; 5])>,
}

/// An estimate over time.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// Whose.
    pub name: String,
    /// The number of its colour; where colours begin again there are dashes.
    pub shade: usize,
    /// By turn, in order.
    pub points: Vec<(u32, Estimate)>,
}

/// Numbers in rows and columns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Grid {
    /// What the rows are, together.
    pub row_title: String,
    /// What the columns are, together.
    pub column_title: String,
    /// The names of the rows.
    pub rows: Vec<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The numbers, row by row; none where there is none.
    pub values: Vec<Vec<Option<f64>>>,
}

/// How the numbers of an axis are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// As they are.
    Plain,
    /// As hundredths.
    Percent,
}

impl Unit {
    fn text(self, value: f64) -> String {
        match self {
            // All and nothing are not said of what is only near.
            Unit::Percent if (0.995..1.0 - 1e-9).contains(&value) => ">99%".to_owned(),
            Unit::Percent if (1e-9..0.005).contains(&value) => "<1%".to_owned(),
            Unit::Percent => format!("{:.0}%", 100.0 * value),
            Unit::Plain if value.abs() >= 10.0 || value.fract() == 0.0 => format!("{value:.0}"),
            Unit::Plain if value.abs() >= 1.0 => format!("{value:.1}"),
            Unit::Plain => format!("{value:.2}"),
        }
    }

    /// The same on an axis of this span: with as many digits as tell its labels apart.
    fn label(self, value: f64, span: &std::ops::Range<f64>) -> String {
        let (scale, sign) = match self {
            Unit::Percent => (100.0, "%"),
            Unit::Plain => (1.0, ""),
        };
        let step = scale * (span.end - span.start) / LABELS;
        let decimals = (-step.log10()).ceil().clamp(0.0, 6.0) as usize;
        // Not -0.
        let rounded =
            (scale * value * 10f64.powi(decimals as i32)).round() / 10f64.powi(decimals as i32) + 0.0;
        format!("{rounded:.decimals$}{sign}")
    }
}

/// About how many labels an axis has.
const LABELS: f64 = 8.0;

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// From this width on a plot keeps a width of its own in narrow windows, and is moved to be seen.
const WIDE: u32 = 560;

/// The width of a plot that stands alone: that of the page.
const PAGE: u32 = 1140;

/// The size of letters, in the library's units: 1.24 to a pixel.
const TEXT: f64 = 15.0;

fn rgb(hex: &str) -> RGBColor {
    let part =
        |at: usize| hex.get(at..at + 2).and_then(|part| u8::from_str_radix(part, 16).ok()).unwrap_or(0);
    RGBColor(part(1), part(3), part(5))
}

fn ink() -> RGBColor {
    rgb(LIGHT.ink)
}

fn colour(shade: usize) -> RGBColor {
    rgb(LIGHT.sides[shade % SIDES])
}

fn letters(size: f64) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&ink())
}

fn failed(error: impl Display) -> anyhow::Error {
    anyhow!("cannot draw a plot: {error}")
}

/// Draws a picture of this size; `alt` says what it is to those who cannot see it.
fn picture(alt: &str, size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> anyhow::Result<()>) -> Plot {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&area)?;
        area.present().map_err(failed)?;
    }
    // Wide plots are not squeezed until nobody can read them.
    let class = if size.0 >= WIDE { "class=\"plot\" " } else { "" };
    Ok(text.replacen("<svg ", &format!("<svg role=\"img\" {class}aria-label=\"{}\" ", escape(alt)), 1))
}

/// The least and greatest of finite numbers, with a little room around; never empty.
fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) =
        values.filter(|value| value.is_finite()).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
    if low > high {
        return 0.0..1.0;
    }
    let room = if high > low { (high - low) * 0.04 } else { 0.5 };
    low - room..high + room
}

/// Letters of a name beside a row.
const LONG: usize = 34;
/// Letters of a name at the end of a curve.
const BRIEF: usize = 18;

/// Names of so many letters at most. Those that differ still do: what is left out is in the middle of a name or
/// around the place where it differs from others, or else names are numbered in their order.
fn shorts(names: &[&str], most: usize) -> Vec<String> {
    let middle = |name: &str| cut(name, most, most / 2);
    let mut shorts: Vec<String> = names.iter().map(|name| middle(name)).collect();
    for at in 0..names.len() {
        let alike: Vec<usize> =
            (0..names.len()).filter(|&other| middle(names[other]) == middle(names[at])).collect();
        let Some(&other) = alike.iter().find(|&&other| names[other] != names[at]) else { continue };
        let same =
            names[at].chars().zip(names[other].chars()).take_while(|(one, other)| one == other).count();
        // A few letters before the place where they part.
        let from = same.saturating_sub(3).max(most / 3);
        let rest: String = names[at].chars().skip(from).collect();
        let head: String = names[at].chars().take(most / 3 - 1).collect();
        shorts[at] = cut(&format!("{head}…{rest}"), most, most - 1);
    }
    let plain = shorts.clone();
    for at in 0..names.len() {
        if (0..names.len()).any(|other| plain[other] == plain[at] && names[other] != names[at]) {
            let number = names.iter().position(|name| *name == names[at]).unwrap_or(at) + 1;
            shorts[at] = cut(&format!("{number}: {}", names[at]), most, most / 2);
        }
    }
    shorts
}

/// The name with `head` letters of its beginning and as many of its end as there is room for.
fn cut(name: &str, most: usize, head: usize) -> String {
    let letters = name.chars().count();
    if letters <= most {
        return name.to_owned();
    }
    let tail = name.chars().skip(letters - (most - 1 - head));
    name.chars().take(head).chain(['…']).chain(tail).collect()
}

/// The axis along which estimates stand.
struct Axis<'a> {
    title: &'a str,
    unit: Unit,
    span: std::ops::Range<f64>,
    /// A value that the estimates are to be held against: it has a line of its own.
    reference: Option<f64>,
}

/// The length of an arrow's head, as a share of the axis.
const ARROW: f64 = 0.012;

/// The interval of an estimate at a height of the plot, with a cap at each end that is on the axis and an arrow at one
/// beyond it; nothing if there is no interval.
fn whisker(estimate: &Estimate, span: &std::ops::Range<f64>, at: f64, half: f64) -> Vec<Vec<(f64, f64)>> {
    if estimate.low.is_nan() || estimate.high.is_nan() {
        return Vec::new();
    }
    let (low, high) = (estimate.low.clamp(span.start, span.end), estimate.high.clamp(span.start, span.end));
    let end = |x: f64, seen: bool, inward: f64| {
        let back = if seen { x } else { x + inward * ARROW * (span.end - span.start) };
        vec![(back, at - half), (x, at), (back, at + half)]
    };
    vec![
        vec![(low, at), (high, at)],
        end(low, estimate.low >= span.start, 1.0),
        end(high, estimate.high <= span.end, -1.0),
    ]
}

/// Rows of estimates with their intervals: one mark a row, or more. An interval that is open, or ends beyond the
/// axis, has an arrow there.
fn rows_of(alt: &str, axis: Axis<'_>, rows: &[(String, Vec<(usize, Estimate)>)], bars: bool) -> Plot {
    let Axis { title: axis_title, unit, span, reference } = axis;
    let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
    let names = shorts(&names, LONG);
    let margin = names.iter().map(|name| text_width(name, TEXT / 1.24)).fold(40.0, f64::max) as u32;
    let marks = rows.iter().map(|(_, marks)| marks.len()).max().unwrap_or(1).max(1);
    let height = 58 + rows.len() as u32 * (14 + 14 * marks as u32);
    picture(alt, (PAGE, height), |area| {
        let count = rows.len().max(1);
        let mut chart = ChartBuilder::on(area)
            .margin_right(24)
            .margin_top(6)
            .x_label_area_size(44)
            .y_label_area_size(margin + 14)
            .build_cartesian_2d(span.clone(), 0.0..count as f64)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .y_labels(0)
            .x_labels(LABELS as usize)
            .x_desc(axis_title)
            .x_label_formatter(&|value| unit.label(*value, &span))
            .label_style(letters(TEXT))
            .axis_desc_style(letters(TEXT))
            .axis_style(rgb(LIGHT.line))
            .bold_line_style(rgb(LIGHT.line))
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(failed)?;
        if let Some(reference) = reference.filter(|value| span.contains(value)) {
            let line = vec![(reference, 0.0), (reference, count as f64)];
            chart.draw_series([PathElement::new(line, rgb(LIGHT.soft).stroke_width(2))]).map_err(failed)?;
        }
        for (at, (name, (_, marks))) in names.iter().zip(rows).enumerate() {
            // The first row is at the top.
            let top = (count - at) as f64;
            let (x, y) = chart.backend_coord(&(span.start, top - 0.5));
            let style = letters(TEXT).pos(Pos::new(HPos::Right, VPos::Center));
            area.draw(&Text::new(name.clone(), (x - 8, y), style)).map_err(failed)?;
            for (index, (shade, estimate)) in marks.iter().enumerate() {
                let share = 0.76 / marks.len() as f64;
                let (upper, own) = (top - 0.12 - share * index as f64, colour(*shade));
                let (lower, middle) = (upper - share, upper - share / 2.0);
                if bars && estimate.value.is_finite() {
                    let base = 0f64.clamp(span.start, span.end);
                    let corners = [(base, lower), (estimate.value, upper)];
                    chart.draw_series([Rectangle::new(corners, own.filled())]).map_err(failed)?;
                }
                let paths = whisker(estimate, &span, middle, share * 0.22).into_iter();
                let paths = paths.map(|path| PathElement::new(path, ink().stroke_width(2)));
                chart.draw_series(paths).map_err(failed)?;
                if !bars && estimate.value.is_finite() {
                    let circle = Circle::new((estimate.value, middle), 5, own.filled());
                    chart.draw_series([circle]).map_err(failed)?;
                }
            }
        }
        Ok(())
    })
}

/// Shares from 0 to 1 with their intervals, as bars.
///
/// # Errors
/// If the plot library fails.
pub fn share_bars(alt: &str, title: &str, bars: &[Bar]) -> Plot {
    let rows: Vec<_> = bars.iter().map(|bar| (bar.name.clone(), vec![(bar.shade, bar.estimate)])).collect();
    rows_of(alt, Axis { title, unit: Unit::Percent, span: 0.0..1.0, reference: None }, &rows, true)
}

/// Means with their intervals, as dots.
///
/// # Errors
/// If the plot library fails.
pub fn mean_dots(alt: &str, title: &str, bars: &[Bar]) -> Plot {
    dots(alt, title, Unit::Plain, None, bars)
}

/// Estimates with their intervals, as dots, beside a value that they are to be held against: no difference, a fair
/// score.
///
/// # Errors
/// If the plot library fails.
pub fn dots_against(alt: &str, title: &str, unit: Unit, reference: f64, bars: &[Bar]) -> Plot {
    dots(alt, title, unit, Some(reference), bars)
}

/// Estimates with their intervals, as dots, on a scale that other plots share: see [`span_of`].
///
/// # Errors
/// If the plot library fails.
pub fn means_within(alt: &str, title: &str, unit: Unit, span: std::ops::Range<f64>, bars: &[Bar]) -> Plot {
    let rows: Vec<_> = bars.iter().map(|bar| (bar.name.clone(), vec![(bar.shade, bar.estimate)])).collect();
    rows_of(alt, Axis { title, unit, span, reference: None }, &rows, false)
}

/// A scale that holds all of these estimates with the finite ends of their intervals.
pub fn span_of<'a>(unit: Unit, estimates: impl Iterator<Item = &'a Estimate>) -> std::ops::Range<f64> {
    within_scale(unit, estimates.flat_map(|estimate| [estimate.low, estimate.value, estimate.high]))
}

/// [`range`] on the scale of the unit: shares end at 0 and 1, differences of two at -1 and 1.
fn within_scale(unit: Unit, values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let span = range(values.iter().copied());
    if unit == Unit::Plain {
        return span;
    }
    let least = if values.iter().any(|&value| value < 0.0) { -1.0 } else { 0.0 };
    span.start.max(least)..span.end.min(1.0)
}

fn dots(alt: &str, title: &str, unit: Unit, reference: Option<f64>, bars: &[Bar]) -> Plot {
    let rows: Vec<_> = bars.iter().map(|bar| (bar.name.clone(), vec![(bar.shade, bar.estimate)])).collect();
    let ends = bars.iter().flat_map(|bar| [bar.estimate.low, bar.estimate.value, bar.estimate.high]);
    rows_of(
        alt,
        Axis { title, unit, span: within_scale(unit, ends.chain(reference)), reference },
        &rows,
        false,
    )
}

/// A ladder of strengths, the strongest at the top.
///
/// # Errors
/// If the plot library fails.
pub fn elo_ladder(rungs: &[Rung]) -> Plot {
    let mut rungs: Vec<&Rung> = rungs.iter().collect();
    rungs.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value));
    let rows: Vec<_> = rungs.iter().map(|rung| (rung.name.clone(), vec![(1, rung.elo)])).collect();
    let span = range(rungs.iter().flat_map(|rung| [rung.elo.low, rung.elo.value, rung.elo.high]));
    let axis = Axis { title: "Elo with 95% interval", unit: Unit::Plain, span, reference: None };
    rows_of("Elo ladder", axis, &rows, false)
}

/// How much each parameter matters, the most telling at the top: its own share, and below it the total where known.
///
/// # Errors
/// If the plot library fails.
pub fn sensitivity_bars(alt: &str, title: &str, effects: &[Effect]) -> Plot {
    let mut effects: Vec<&Effect> = effects.iter().collect();
    let weight = |effect: &Effect| effect.total.unwrap_or(effect.own).value.abs();
    effects.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let marks = |effect: &Effect| {
        let mut marks = vec![(1, effect.own)];
        marks.extend(effect.total.map(|total| (0, total)));
        marks
    };
    let rows: Vec<_> = effects.iter().map(|effect| (effect.name.clone(), marks(effect))).collect();
    let ends = rows.iter().flat_map(|(_, marks)| marks).flat_map(|(_, e)| [e.low, e.value, e.high]);
    let ends: Vec<f64> = ends.chain([0.0]).collect();
    // Shares end at 0 and 1, where there are no coefficients among them.
    let shares = ends.iter().all(|end| !end.is_finite() || (0.0..=1.0).contains(end));
    let scale = if shares { Unit::Percent } else { Unit::Plain };
    let span = within_scale(scale, ends.into_iter());
    let axis = Axis { title, unit: Unit::Plain, span, reference: None };
    rows_of(alt, axis, &rows, true)
}

/// As many labels as there are whole numbers, but no more than `most`: turns and counts have none between.
fn whole_labels(span: &std::ops::Range<f64>, most: usize) -> usize {
    ((span.end - span.start).floor() as usize + 1).min(most)
}

/// A frame with axes for curves, over whole numbers such as turns unless a unit says otherwise.
macro_rules! turn_chart {
    ($area:expr, $turns:expr, $span:expr, $unit:expr, $x:expr, $y:expr, $labels:expr) => {
        turn_chart!($area, $turns, $span, $unit, $x, $y, $labels, room: 16)
    };
    ($area:expr, $turns:expr, $span:expr, $unit:expr, $x:expr, $y:expr, $labels:expr, room: $room:expr) => {
        turn_chart!($area, $turns, $span, (None::<Unit>, $unit), $x, $y, whole_labels(&$turns, $labels), exact: $room)
    };
    ($area:expr, $turns:expr, $span:expr, $units:expr, $x:expr, $y:expr, $labels:expr, exact: $room:expr) => {{
        let (x_unit, unit): (Option<Unit>, Unit) = $units;
        let (across, upward) = ($turns, $span);
        let mut chart = ChartBuilder::on($area)
            .margin_left(4)
            .margin_right($room)
            .margin_top(10)
            .x_label_area_size(if $x.is_empty() { 24 } else { 42 })
            .y_label_area_size(if $y.is_empty() { 46 } else { 60 })
            .build_cartesian_2d(across.clone(), upward.clone())
            .map_err(failed)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels($labels)
            .y_labels(5)
            .x_desc($x)
            .y_desc($y)
            .x_label_formatter(&|value| {
                x_unit.map_or_else(|| format!("{value:.0}"), |unit| unit.label(*value, &across))
            })
            .y_label_formatter(&|value| unit.label(*value, &upward))
            .label_style(letters(TEXT))
            .axis_desc_style(letters(TEXT))
            .axis_style(rgb(LIGHT.line))
            .bold_line_style(rgb(LIGHT.line))
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(failed)?;
        chart
    }};
}

/// The first and last turn, a turn apart at least.
fn turns_of(turns: impl Iterator<Item = u32>) -> std::ops::Range<f64> {
    let (first, last) = turns.fold((u32::MAX, 0), |(first, last), turn| (first.min(turn), last.max(turn)));
    if first > last { 0.0..1.0 } else { f64::from(first)..f64::from(last.max(first + 1)) }
}

/// Names and colours in a row, for the HTML beside a plot.
pub fn legend<'a>(entries: impl IntoIterator<Item = (&'a str, usize)>) -> String {
    let entries = entries.into_iter().fold(String::new(), |mut html, (name, shade)| {
        // Writing to a string does not fail.
        let _ = write!(html, "<span class=\"entry\">{} {}</span> ", sample(shade), escape(name));
        html
    });
    format!("<span class=\"key\">{entries}</span>")
}

/// A swatch of a colour, or a piece of the line where colours begin again.
fn sample(shade: usize) -> String {
    let own = shade % SIDES;
    match dashes(shade) {
        None => format!(
            "<svg width=\"14\" height=\"12\" aria-hidden=\"true\"><rect width=\"14\" height=\"12\" class=\"s{own}\"/></svg>"
        ),
        Some((dash, gap)) => format!(
            "<svg width=\"34\" height=\"12\" aria-hidden=\"true\"><path d=\"M0 6h34\" class=\"l{own}\" \
             stroke-width=\"3\" stroke-dasharray=\"{dash} {gap}\"/></svg>"
        ),
    }
}

/// The lengths of the dashes and gaps of a curve, in pixels: none for the first curves, which colours tell apart.
fn dashes(shade: usize) -> Option<(i32, i32)> {
    const KINDS: [(i32, i32); 4] = [(9, 5), (3, 4), (18, 5), (5, 12)];
    Some(KINDS[(shade / SIDES).checked_sub(1)? % KINDS.len()])
}

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

/// Draws a curve in its colour, with dashes where colours begin again.
fn draw_curve(
    chart: &mut Chart<'_, '_>,
    points: Vec<(f64, f64)>,
    shade: usize,
    width: u32,
) -> anyhow::Result<()> {
    let style = colour(shade).stroke_width(width);
    match dashes(shade) {
        None => chart.draw_series([PathElement::new(points, style)]).map(drop),
        Some((dash, gap)) => chart.draw_series([DashedPathElement::new(points, dash, gap, style)]).map(drop),
    }
    .map_err(failed)
}

/// A name at the end of a curve: the name, the number of its colour, and where the curve ends.
type End = (String, usize, (f64, f64));

/// The ends of curves that are to be named: all if there are several and room for their names, else none.
fn ends_of<'a>(curves: impl Iterator<Item = (&'a str, usize, Option<(f64, f64)>)>, height: u32) -> Vec<End> {
    let known: Vec<_> = curves.filter_map(|(name, shade, end)| Some((name, shade, end?))).collect();
    if known.len() < 2 || known.len() as i32 * LINE > height as i32 - 60 {
        return Vec::new();
    }
    let names = shorts(&known.iter().map(|(name, ..)| *name).collect::<Vec<_>>(), BRIEF);
    names.into_iter().zip(known).map(|(name, (_, shade, end))| (name, shade, end)).collect()
}

/// How far the names at the ends of curves are apart at least.
const LINE: i32 = 16;
/// The gap between a plot and the names at its right.
const LEAD: i32 = 18;

/// What the names at the ends of curves take at the right of a plot.
fn room_for(ends: &[End]) -> i32 {
    ends.iter().map(|(name, ..)| LEAD + 6 + text_width(name, TEXT / 1.24) as i32).fold(16, i32::max)
}

/// Writes the names at the ends of curves, moved apart where they would lie on each other.
fn draw_ends(area: &Area<'_>, chart: &Chart<'_, '_>, ends: &[End]) -> anyhow::Result<()> {
    let (across, upward) = chart.plotting_area().get_pixel_range();
    let mut places: Vec<(i32, usize)> =
        ends.iter().enumerate().map(|(at, (.., end))| (chart.backend_coord(end).1, at)).collect();
    places.sort_unstable();
    for at in 1..places.len() {
        places[at].0 = places[at].0.max(places[at - 1].0 + LINE);
    }
    let mut floor = upward.end;
    for place in places.iter_mut().rev() {
        place.0 = place.0.min(floor);
        floor = place.0 - LINE;
    }
    for (y, at) in places {
        let (name, shade, end) = &ends[at];
        let (x, lead) = (across.end + LEAD, colour(*shade).stroke_width(1));
        let from = chart.backend_coord(end);
        area.draw(&PathElement::new(vec![from, (across.end + 2, from.1), (x - 3, y)], lead))
            .map_err(failed)?;
        let style = letters(TEXT).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(name.clone(), (x, y), style)).map_err(failed)?;
    }
    Ok(())
}

/// Quantities over turns: the median as a line, the middle half and the middle 80% of the games as bands.
///
/// # Errors
/// If the plot library fails.
pub fn bands(alt: &str, title: &str, bands: &[Band]) -> Plot {
    let turns = turns_of(bands.iter().flat_map(|band| band.points.iter().map(|&(turn, _)| turn)));
    let span = range(bands.iter().flat_map(|band| band.points.iter().flat_map(|(_, values)| *values)));
    let end = |band: &Band| band.points.last().map(|(turn, values)| (f64::from(*turn), values[2]));
    let ends = ends_of(bands.iter().map(|band| (band.name.as_str(), band.shade, end(band))), 270);
    picture(alt, (560, 270), |area| {
        let room = room_for(&ends);
        let mut chart =
            turn_chart!(area, turns.clone(), span, Unit::Plain, "game turn", title, 10, room: room);
        for band in bands {
            let own = colour(band.shade);
            for (low, high, opacity) in [(0, 4, 0.16), (1, 3, 0.3)] {
                let there = band.points.iter().map(|(turn, values)| (f64::from(*turn), values[high]));
                let back = band.points.iter().rev().map(|(turn, values)| (f64::from(*turn), values[low]));
                let outline: Vec<_> = there.chain(back).collect();
                chart.draw_series([Polygon::new(outline, own.mix(opacity))]).map_err(failed)?;
            }
        }
        for band in bands {
            let line = band.points.iter().map(|(turn, values)| (f64::from(*turn), values[2]));
            draw_curve(&mut chart, line.collect(), band.shade, 3)?;
        }
        draw_ends(area, &chart, &ends)
    })
}

/// Estimates over turns: a line each, with its interval as a band.
///
/// # Errors
/// If the plot library fails.
pub fn curves(alt: &str, title: &str, curves: &[Curve]) -> Plot {
    let turns = turns_of(curves.iter().flat_map(|curve| curve.points.iter().map(|&(turn, _)| turn)));
    let end = |curve: &Curve| curve.points.last().map(|(turn, e)| (f64::from(*turn), e.value));
    let ends = ends_of(curves.iter().map(|curve| (curve.name.as_str(), curve.shade, end(curve))), 300);
    picture(alt, (PAGE, 300), |area| {
        let (span, room) = (0.0..1.0, room_for(&ends));
        let mut chart =
            turn_chart!(area, turns.clone(), span, Unit::Percent, "game turn", title, 12, room: room);
        for curve in curves {
            let there = curve.points.iter().map(|(turn, e)| (f64::from(*turn), e.high.min(1.0)));
            let back = curve.points.iter().rev().map(|(turn, e)| (f64::from(*turn), e.low.max(0.0)));
            let outline: Vec<_> = there.chain(back).collect();
            chart.draw_series([Polygon::new(outline, colour(curve.shade).mix(0.2))]).map_err(failed)?;
        }
        for curve in curves {
            let line = curve.points.iter().map(|(turn, e)| (f64::from(*turn), e.value));
            draw_curve(&mut chart, line.collect(), curve.shade, 3)?;
        }
        draw_ends(area, &chart, &ends)
    })
}

/// Scores seen at values of a parameter, and the value at which the score is a target: its interval as a band.
///
/// # Errors
/// If the plot library fails.
pub fn response(
    alt: &str,
    parameter: &str,
    points: &[(f64, Estimate)],
    target: f64,
    root: &Estimate,
) -> Plot {
    let seen = range(points.iter().map(|&(value, _)| value));
    picture(alt, (PAGE, 320), |area| {
        let units = (Some(Unit::Plain), Unit::Percent);
        let mut chart = turn_chart!(area, seen.clone(), 0.0..1.0, units, parameter, "score of the first team", 10, exact: 16);
        let (low, high) = (root.low.clamp(seen.start, seen.end), root.high.clamp(seen.start, seen.end));
        if root.value.is_finite() && high > low {
            let band = Rectangle::new([(low, 0.0), (high, 1.0)], colour(1).mix(0.2).filled());
            chart.draw_series([band]).map_err(failed)?;
        }
        let level = vec![(seen.start, target), (seen.end, target)];
        chart.draw_series([PathElement::new(level, rgb(LIGHT.soft).stroke_width(2))]).map_err(failed)?;
        if seen.contains(&root.value) {
            let line = vec![(root.value, 0.0), (root.value, 1.0)];
            chart.draw_series([PathElement::new(line, colour(1).stroke_width(3))]).map_err(failed)?;
        }
        for (value, score) in points {
            let whisker = vec![(*value, score.low.max(0.0)), (*value, score.high.min(1.0))];
            chart.draw_series([PathElement::new(whisker, ink().stroke_width(2))]).map_err(failed)?;
            chart.draw_series([Circle::new((*value, score.value), 4, ink().filled())]).map_err(failed)?;
        }
        Ok(())
    })
}

/// A line of a plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Whose.
    pub name: String,
    /// The number of its colour.
    pub shade: usize,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Lines within a range, and a value that they are to be held against.
///
/// # Errors
/// If the plot library fails.
pub fn lines(
    alt: &str,
    titles: (&str, &str),
    span: std::ops::Range<f64>,
    lines: &[Line],
    reference: f64,
) -> Plot {
    let (across, upward) = titles;
    let ends = range(lines.iter().flat_map(|line| line.points.iter().map(|&(x, _)| x)));
    let span = range([span.start, span.end, reference].into_iter());
    let last = |line: &Line| line.points.last().copied();
    let named = ends_of(lines.iter().map(|line| (line.name.as_str(), line.shade, last(line))), 250);
    picture(alt, (560, 250), |area| {
        let (units, room) = ((Some(Unit::Plain), Unit::Plain), room_for(&named));
        let mut chart = turn_chart!(area, ends.clone(), span, units, across, upward, 8, exact: room);
        let level = vec![(ends.start, reference), (ends.end, reference)];
        chart.draw_series([PathElement::new(level, rgb(LIGHT.soft).stroke_width(2))]).map_err(failed)?;
        for line in lines {
            draw_curve(&mut chart, line.points.clone(), line.shade, 2)?;
        }
        draw_ends(area, &chart, &named)
    })
}

/// A small survival curve: steps down, with its interval as a band.
///
/// # Errors
/// If the plot library fails.
pub fn survival(name: &str, steps: &[(u32, Estimate)], last_turn: u32) -> Plot {
    picture(&format!("survival of {name}"), (260, 158), |area| {
        let end = f64::from(last_turn.max(1));
        let mut chart = turn_chart!(area, 0.0..end, 0.0..1.02, Unit::Percent, "", "", 6);
        let stair = |value: &dyn Fn(&Estimate) -> f64| {
            let mut path = vec![(0.0, 1.0)];
            let mut level = 1.0;
            for (turn, estimate) in steps {
                let turn = f64::from(*turn);
                path.push((turn, level));
                level = value(estimate);
                path.push((turn, level));
            }
            path.push((end, level));
            path
        };
        let mut outline = stair(&|e| e.high);
        outline.extend(stair(&|e| e.low).into_iter().rev());
        chart.draw_series([Polygon::new(outline, colour(1).mix(0.22))]).map_err(failed)?;
        chart
            .draw_series([PathElement::new(stair(&|e| e.value), colour(1).stroke_width(2))])
            .map_err(failed)?;
        Ok(())
    })
}

/// Counts by a whole number such as the last turn, one part of a column on the other, in the colours given.
///
/// # Errors
/// If the plot library fails.
pub fn stacked_columns(
    alt: &str,
    titles: (&str, &str),
    shades: &[usize],
    columns: &[(u32, Vec<u64>)],
) -> Plot {
    let (across, upward) = titles;
    let (first, last) =
        (columns.first().map_or(0, |column| column.0), columns.last().map_or(0, |column| column.0));
    let span = f64::from(first) - 0.6..f64::from(last) + 0.6;
    let most = columns.iter().map(|(_, parts)| parts.iter().sum::<u64>()).max().unwrap_or(1).max(1);
    picture(alt, (PAGE, 260), |area| {
        let mut chart =
            turn_chart!(area, span.clone(), 0.0..most as f64 * 1.04, Unit::Plain, across, upward, 12);
        for (turn, parts) in columns {
            let mut base = 0.0;
            for (part, shade) in parts.iter().zip(shades) {
                let top = base + *part as f64;
                let corners = [(f64::from(*turn) - 0.4, base), (f64::from(*turn) + 0.4, top)];
                if *part > 0 {
                    chart.draw_series([Rectangle::new(corners, colour(*shade).filled())]).map_err(failed)?;
                }
                base = top;
            }
        }
        Ok(())
    })
}

/// Numbers from `span.start` to `span.end` as a heat map, each written in its cell.
///
/// # Errors
/// If the plot library fails.
pub fn heat_map(alt: &str, grid: &Grid, span: std::ops::Range<f64>, unit: Unit) -> Plot {
    const CELL: (i32, i32) = (58, 30);
    let size = TEXT / 1.24;
    let brief = |names: &[String]| shorts(&names.iter().map(String::as_str).collect::<Vec<_>>(), LONG);
    let (rows, columns) = (brief(&grid.rows), brief(&grid.columns));
    let left = rows.iter().map(|name| text_width(name, size)).fold(20.0, f64::max) as i32 + 34;
    // Long names of columns are turned on their side.
    let widest = columns.iter().map(|name| text_width(name, size)).fold(0.0, f64::max) as i32;
    let upright = widest > CELL.0 - 6;
    let top = 30 + if upright { widest + 8 } else { 18 };
    let width = left + CELL.0 * grid.columns.len() as i32 + 12;
    let height = top + CELL.1 * grid.rows.len() as i32 + 10;
    picture(alt, (width.max(160) as u32, height as u32), |area| {
        let put = |words: &str, at: (i32, i32), pos: (HPos, VPos), turned: bool| {
            let font = ("sans-serif", TEXT).into_font();
            let font = if turned { font.transform(FontTransform::Rotate270) } else { font };
            let ink = ink();
            let style = TextStyle::from(font).color(&ink).pos(Pos::new(pos.0, pos.1));
            area.draw(&Text::new(words.to_owned(), at, style)).map_err(failed)
        };
        let middle = left + CELL.0 * grid.columns.len() as i32 / 2;
        put(&grid.column_title, (middle, 12), (HPos::Center, VPos::Center), false)?;
        let side = top + CELL.1 * grid.rows.len() as i32 / 2;
        put(&grid.row_title, (12, side), (HPos::Center, VPos::Center), true)?;
        for (column, name) in columns.iter().enumerate() {
            let x = left + CELL.0 * column as i32 + CELL.0 / 2;
            if upright {
                put(name, (x, top - 8), (HPos::Left, VPos::Center), true)?;
            } else {
                put(name, (x, top - 10), (HPos::Center, VPos::Center), false)?;
            }
        }
        for (row, name) in rows.iter().enumerate() {
            let y = top + CELL.1 * row as i32;
            put(name, (left - 8, y + CELL.1 / 2), (HPos::Right, VPos::Center), false)?;
            let values = grid.values.get(row).map_or(&[][..], |values| values);
            for (column, value) in values.iter().enumerate().take(grid.columns.len()) {
                let x = left + CELL.0 * column as i32;
                let Some(value) = value else { continue };
                let share = ((value - span.start) / (span.end - span.start)).clamp(0.0, 1.0);
                let step = (share * HEATS as f64).min(HEATS as f64 - 1.0) as usize;
                let cell = Rectangle::new(
                    [(x + 1, y + 1), (x + CELL.0 - 1, y + CELL.1 - 1)],
                    rgb(LIGHT.heat[step]).filled(),
                );
                area.draw(&cell).map_err(failed)?;
                let at = (x + CELL.0 / 2, y + CELL.1 / 2);
                put(&unit.text(*value), at, (HPos::Center, VPos::Center), false)?;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, half: f64) -> Estimate {
        Estimate { value, low: value - half, high: value + half }
    }

    /// Where a text stands, by its content.
    fn spot_of(svg: &str, words: &str) -> (f64, f64) {
        let before = svg.split(words).next().unwrap();
        let tag = &before[before.rfind("<text").unwrap()..];
        let number = |name: &str| {
            let rest = tag.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        (number("x"), number("y"))
    }

    #[test]
    fn the_strongest_stand_on_top() {
        let rung = |name: &str, elo| Rung { name: name.to_owned(), elo: estimate(elo, 20.0) };
        let svg = elo_ladder(&[rung("weak", -80.0), rung("strong", 120.0), rung("fair", 3.0)]).unwrap();
        let height = |name| spot_of(&svg, name).1;
        assert!(height("strong") < height("fair") && height("fair") < height("weak"));
        let effect = |name: &str, own, total: Option<f64>| Effect {
            name: name.to_owned(),
            own: estimate(own, 0.05),
            total: total.map(|total| estimate(total, 0.05)),
        };
        let svg =
            sensitivity_bars("", "share", &[effect("alone", 0.2, None), effect("joint", 0.1, Some(0.6))])
                .unwrap();
        assert!(spot_of(&svg, "joint").1 < spot_of(&svg, "alone").1);
    }

    #[test]
    fn a_heat_map_shows_every_value_in_its_row_and_column() {
        let grid = Grid {
            row_title: "player".into(),
            column_title: "against".into(),
            rows: vec!["<random>".into(), "scripted".into()],
            columns: vec!["random".into(), "scripted".into()],
            values: vec![vec![None, Some(0.25)], vec![Some(0.75), None]],
        };
        let svg = heat_map("scores", &grid, 0.0..1.0, Unit::Percent).unwrap();
        let ((x25, y25), (x75, y75)) = (spot_of(&svg, "25%"), spot_of(&svg, "75%"));
        assert!(x75 < x25 && y25 < y75);
        assert!(svg.contains("&lt;random&gt;") && !svg.contains("<random>"), "names are text, not markup");
        assert!(svg.contains(LIGHT.heat[1]) && svg.contains(LIGHT.heat[5]));
    }

    #[test]
    fn names_that_differ_still_do_when_they_are_short() {
        let long =
            |part: &str, end: &str| format!("mcts:iterations=1000,c={part},rollout=scripted,trust=2{end}");
        let lists: [Vec<String>; 4] = [
            vec![long("0.5", ""), long("0.6", ""), long("0.5", ",reuse=off"), "random".to_owned()],
            vec!["a".repeat(40), "a".repeat(41), "a".repeat(42)],
            (0..30).map(|n| format!("{}{n:02}{}", "x".repeat(60), "y".repeat(60))).collect(),
            vec![long("0.5", ""), long("0.5", "")],
        ];
        for list in &lists {
            let names: Vec<&str> = list.iter().map(String::as_str).collect();
            for most in [BRIEF, LONG] {
                let shorts = shorts(&names, most);
                for at in 0..names.len() {
                    assert!(shorts[at].chars().count() <= most, "{shorts:?}");
                    for other in 0..at {
                        assert_eq!(shorts[at] == shorts[other], names[at] == names[other], "{shorts:?}");
                    }
                }
            }
        }
        assert_eq!(shorts(&["random", "scripted"], LONG), ["random", "scripted"]);
        assert!(shorts(&[&long("0.5", ""), &long("0.6", "")], LONG)[1].contains("0.6"));
    }

    #[test]
    fn axes_of_shares_end_where_shares_do() {
        let low = Estimate { value: 0.0, low: 0.0, high: 0.03 };
        assert!(span_of(Unit::Percent, [low].iter()).start >= 0.0);
        let high = Estimate { value: 1.0, low: 0.2, high: 1.0 };
        assert!(span_of(Unit::Percent, [high].iter()).end <= 1.0);
        let less = Estimate { value: -0.9, low: -1.0, high: -0.2 };
        assert!(span_of(Unit::Percent, [less].iter()).start >= -1.0);
        assert!(span_of(Unit::Plain, [low].iter()).start < 0.0);
    }

    #[test]
    fn all_and_nothing_are_said_of_nothing_else() {
        let texts =
            [1.0, 0.9999, 0.995, 0.994, 0.5, 0.006, 0.004, 1e-6, 0.0].map(|share| Unit::Percent.text(share));
        assert_eq!(texts, ["100%", ">99%", ">99%", "99%", "50%", "1%", "<1%", "<1%", "0%"]);
        assert_eq!(Unit::Percent.text(1.0 - 1e-12), "100%", "a sum of probabilities that is not quite exact");
    }

    /// The lines of a picture: the points of each.
    fn lines_in(svg: &str) -> Vec<Vec<(i32, i32)>> {
        let points = |line: &str| {
            let pairs = line.split('"').next().unwrap().split_whitespace();
            let pair = |pair: &str| {
                let (x, y) = pair.split_once(',').unwrap();
                (x.parse().unwrap(), y.parse().unwrap())
            };
            pairs.map(pair).collect()
        };
        svg.split("points=\"").skip(1).map(points).collect()
    }

    #[test]
    fn open_intervals_end_in_arrows_and_others_in_caps() {
        let bar =
            |low, high| Bar { name: "a".into(), shade: 0, estimate: Estimate { value: 1.0, low, high } };
        let ends = |estimate: Bar| {
            let others = [bar(0.0, 2.0), estimate];
            let svg = mean_dots("", "", &others).unwrap();
            let lines = lines_in(&svg);
            let ends: Vec<bool> =
                lines.iter().filter(|line| line.len() == 3).map(|line| line[0].0 == line[1].0).collect();
            assert_eq!(&ends[..2], [true, true], "{svg}");
            [ends[2], ends[3]]
        };
        assert_eq!(ends(bar(0.5, 1.5)), [true, true]);
        assert_eq!(ends(bar(f64::NEG_INFINITY, 1.5)), [false, true]);
        assert_eq!(ends(bar(0.5, f64::INFINITY)), [true, false]);
        assert_eq!(ends(bar(f64::NEG_INFINITY, f64::INFINITY)), [false, false]);
    }

    #[test]
    fn curves_of_one_colour_differ_in_their_dashes_and_are_named() {
        let curve = |shade: usize| Curve {
            name: format!("agent {shade}"),
            shade,
            points: (1..9).map(|turn| (turn, estimate(0.05 + 0.07 * shade as f64, 0.01))).collect(),
        };
        let several: Vec<Curve> = (0..2 * SIDES).map(curve).collect();
        let svg = curves("", "", &several).unwrap();
        let strokes = |shade: usize| svg.matches(&format!("stroke=\"{}\"", LIGHT.sides[shade])).count();
        // A line, the lead to its name, and the dashes of the curve whose colour it has.
        assert!((0..SIDES).all(|shade| strokes(shade) > 12), "{svg}");
        let mut heights: Vec<f64> = Vec::new();
        for curve in &several {
            heights.push(spot_of(&svg, &format!("{}\n", curve.name)).1);
        }
        heights.sort_by(f64::total_cmp);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 14.0), "{heights:?}");
        let solid = curves("", "", &several[..SIDES]).unwrap();
        assert_eq!(solid.matches(&format!("stroke=\"{}\"", LIGHT.sides[0])).count(), 2);
        let key = legend([("one", 0), ("seven", SIDES), ("thirteen", 2 * SIDES)]);
        let dashes: Vec<&str> = key.split("stroke-dasharray").skip(1).collect();
        assert!(dashes.len() == 2 && dashes[0][..8] != dashes[1][..8], "{key}");
    }

    #[test]
    fn plots_stand_what_small_runs_bring() {
        let none = Estimate { value: f64::NAN, low: f64::NEG_INFINITY, high: f64::INFINITY };
        let bar = |estimate| Bar { name: "a".into(), shade: 7, estimate };
        for svg in [
            share_bars("", "", &[bar(none)]),
            share_bars("", "", &[]),
            mean_dots("", "", &[bar(none), bar(Estimate { value: 1.0, ..none })]),
            bands("", "", &[]),
            bands("", "", &[Band { name: "a".into(), shade: 0, points: vec![(3, [1.0; 5])] }]),
            curves("", "", &[]),
            survival("x", &[], 0),
            survival("x", &[(2, estimate(0.5, 0.2))], 2),
            stacked_columns("", ("", ""), &[0], &[]),
            stacked_columns("", ("", ""), &[0, 1], &[(5, vec![3, 0])]),
            heat_map("", &Grid::default(), 0.0..1.0, Unit::Plain),
            elo_ladder(&[]),
            dots_against("", "", Unit::Percent, 0.0, &[]),
            dots_against("", "", Unit::Percent, 0.5, &[bar(none)]),
            response("", "", &[], 0.5, &none),
            response("", "", &[(3.0, none)], 0.5, &Estimate { value: 3.0, ..none }),
            lines("", ("", ""), 0.0..0.0, &[], 0.0),
            lines(
                "",
                ("", ""),
                0.0..1.0,
                &[Line { name: "a".into(), shade: 0, points: vec![(2.0, 0.5)] }],
                0.3,
            ),
        ] {
            let svg = svg.unwrap();
            assert!(
                svg.starts_with("<svg role=\"img\"") && !svg.contains("NaN") && !svg.contains("inf"),
                "{svg}"
            );
        }
    }

    #[test]
    fn every_colour_is_one_that_dark_pages_exchange() {
        let bar = Bar { name: "a".into(), shade: 0, estimate: estimate(0.5, 0.1) };
        let svg = share_bars("", "share", &[bar]).unwrap()
            + &bands(
                "",
                "y",
                &[Band { name: "a".into(), shade: 1, points: vec![(1, [1.0; 5]), (2, [3.0; 5])] }],
            )
            .unwrap();
        let style = super::super::page::picture_style();
        for name in ["fill=\"#", "stroke=\"#"] {
            for part in svg.split(name).skip(1) {
                assert!(style.contains(&format!("[{name}{}\"]", &part[..6])), "{name}{}", &part[..6]);
            }
        }
    }
}
