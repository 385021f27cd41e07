//! A scenario in figures.

use std::fmt;

use sandtable_blitzwar::nation::{Force, Nation};
use sandtable_blitzwar::rules::{Rules, VictoryRow};

use super::check::{force_of, held};

/// A scenario in figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// First turn, and its season and year.
    pub first_turn: (u8, String),
    /// Last turn, and its season and year.
    pub last_turn: (u8, String),
    /// Land zones.
    pub zones: usize,
    /// Lines that land units move along.
    pub land_links: usize,
    /// Dotted lines.
    pub dotted_links: usize,
    /// Sea zones.
    pub seas: usize,
    /// Ports, naval bases included.
    pub ports: usize,
    /// Zones with a strategic point of any kind.
    pub points: usize,
    /// Side strategic points by side.
    pub side_points: [usize; 3],
    /// Strategic points that each side controls at the start.
    pub points_held: [usize; 3],
    /// Counters of the mix.
    pub counters: usize,
    /// Units at the start, by nation.
    pub units: Vec<NationUnits>,
    /// German surrender by turn, as far as the scenario goes.
    pub victory_surrender: Vec<VictoryRow>,
    /// Germany unbeaten: by Axis strategic points at the end.
    pub victory_points: Vec<VictoryRow>,
}

/// Units of a nation at the start; armies that are placed freely included.
#[derive(Clone, PartialEq, Debug)]
pub struct NationUnits {
    /// Whose.
    pub nation: Nation,
    /// The side they are on, `None` while neutral.
    pub side: Option<Force>,
    /// Infantry corps.
    pub infantry: u32,
    /// Armour corps.
    pub armour: u32,
    /// Air units.
    pub air: u32,
    /// Fleet units.
    pub fleet: u32,
    /// Submarine units.
    pub submarine: u32,
    /// Supply units.
    pub supply: f64,
}

impl Description {
    /// The figures of a scenario that the loader has checked.
    pub fn of(rules: &Rules) -> Description {
        let held = held(rules);
        let point =
            |zone: &sandtable_blitzwar::rules::LandZone| zone.general_point || zone.side_point.is_some();
        let date = |turn: u8| {
            let entry = &rules.calendar[usize::from(turn) - 1];
            let half = if entry.half == 1 { "early" } else { "late" };
            (turn, format!("{half} {} {}", entry.season, entry.year))
        };
        let setup = &rules.setup;
        Description {
            id: setup.id.clone(),
            title: setup.name.clone(),
            first_turn: date(setup.first_turn),
            last_turn: date(setup.last_turn),
            zones: rules.zones.len(),
            land_links: rules.links.iter().filter(|link| !link.dotted).count(),
            dotted_links: rules.links.iter().filter(|link| link.dotted).count(),
            seas: rules.seas.len(),
            ports: rules.zones.iter().filter(|zone| zone.port).count(),
            points: rules.zones.iter().filter(|zone| point(zone)).count(),
            side_points: Force::ALL
                .map(|force| rules.zones.iter().filter(|zone| zone.side_point == Some(force)).count()),
            points_held: Force::ALL.map(|force| {
                rules
                    .zones
                    .iter()
                    .zip(&held)
                    .filter(|(zone, held)| point(zone) && **held == Some(force))
                    .count()
            }),
            counters: rules.counter_types.iter().map(|counter| usize::from(counter.count)).sum(),
            units: Nation::ALL.iter().filter_map(|&nation| units(rules, nation)).collect(),
            victory_surrender: rules
                .victory_surrender
                .iter()
                .filter(|row| row.from <= setup.last_turn && row.to >= setup.first_turn)
                .copied()
                .collect(),
            victory_points: if setup.victory_by_points.is_empty() {
                rules.victory_points.clone()
            } else {
                setup.victory_by_points.clone()
            },
        }
    }
}

fn units(rules: &Rules, nation: Nation) -> Option<NationUnits> {
    let mut sum = NationUnits {
        nation,
        side: force_of(rules, nation),
        infantry: 0,
        armour: 0,
        air: 0,
        fleet: 0,
        submarine: 0,
        supply: 0.0,
    };
    for unit in rules.setup.units.iter().filter(|unit| unit.nation == nation && unit.turn == 0) {
        sum.infantry += u32::from(unit.infantry);
        sum.armour += u32::from(unit.armour);
        sum.air += u32::from(unit.air);
        sum.fleet += u32::from(unit.fleet);
        sum.submarine += u32::from(unit.submarine);
        sum.supply += f64::from(unit.supply_halves) / 2.0;
    }
    for army in rules.setup.free.iter().filter(|army| army.nation == nation) {
        sum.infantry += u32::from(army.counters) * u32::from(army.corps);
    }
    let any = sum.infantry + sum.armour + sum.air + sum.fleet + sum.submarine > 0 || sum.supply > 0.0;
    any.then_some(sum)
}

/// Whole numbers from one to another; 255 is no end.
fn span(from: u8, to: u8) -> String {
    match to {
        _ if to == from => from.to_string(),
        u8::MAX => format!("{from} and more"),
        _ => format!("{from}-{to}"),
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.title, self.id)?;
        let ((first, first_date), (last, last_date)) = (&self.first_turn, &self.last_turn);
        writeln!(f, "Turns {first} ({first_date}) to {last} ({last_date})")?;
        writeln!(
            f,
            "Map: {} land zones, {} land and {} dotted links, {} sea zones, {} ports; {} counters",
            self.zones, self.land_links, self.dotted_links, self.seas, self.ports, self.counters
        )?;
        let [axis, allied, soviet] = self.points_held;
        writeln!(
            f,
            "Strategic points: {}; at the start Axis {axis}, Allied {allied}, Soviet {soviet}",
            self.points
        )?;
        writeln!(
            f,
            "{:<14}{:<9}{:>8}{:>8}{:>5}{:>7}{:>6}{:>8}",
            "Nation", "Side", "Infantry", "Armour", "Air", "Fleet", "Subs", "Supply"
        )?;
        for unit in &self.units {
            writeln!(
                f,
                "{:<14}{:<9}{:>8}{:>8}{:>5}{:>7}{:>6}{:>8}",
                unit.nation.name(),
                unit.side.map_or("neutral", Force::name),
                unit.infantry,
                unit.armour,
                unit.air,
                unit.fleet,
                unit.submarine,
                unit.supply
            )?;
        }
        writeln!(f, "Victory, points Allied and Soviet - Axis:")?;
        for row in &self.victory_surrender {
            writeln!(
                f,
                "  Germany surrenders on turn {}: {}-{}",
                span(row.from, row.to),
                row.allied_soviet,
                row.axis
            )?;
        }
        for row in &self.victory_points {
            writeln!(
                f,
                "  else {} Axis points at the end: {}-{}",
                span(row.from, row.to),
                row.allied_soviet,
                row.axis
            )?;
        }
        Ok(())
    }
}
