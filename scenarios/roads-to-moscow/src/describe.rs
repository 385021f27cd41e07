//! A scenario in figures.

use std::fmt;

use sandtable_roads_to_moscow::Rules;
use sandtable_roads_to_moscow::ids::{Player, hex_number};
use sandtable_roads_to_moscow::rules::{CalendarTurn, Entry, HexData};

/// A scenario in figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// Name of the map.
    pub map: String,
    /// First and last turn, and how many there are.
    pub turns: (String, String, usize),
    /// First and last column in play.
    pub columns: (u8, u8),
    /// Hexes in play, and hexsides of the map that carry something.
    pub hexes: (usize, usize),
    /// Whose attack it is, and what he must score of which total.
    pub attacker: Player,
    /// Victory Points that he needs, and that objectives are worth in all.
    pub points: (i16, u32),
    /// Objectives by hex, name and points.
    pub objectives: Vec<(u16, String, u8)>,
    /// What each side has.
    pub sides: [SideFigures; 2],
    /// Whether German units need fuel.
    pub fuel: bool,
}

/// What a side has.
#[derive(Clone, PartialEq, Debug)]
pub struct SideFigures {
    /// Which.
    pub player: Player,
    /// Units on the map at the start, and steps of them.
    pub start: (usize, u32),
    /// Reinforcements, and steps of them.
    pub later: (usize, u32),
    /// Units of optional groups, and steps of them.
    pub optional: (usize, u32),
    /// Air units.
    pub air: usize,
    /// Formations with their Activation Markers at the start and later.
    pub markers: Vec<(String, u8, u8)>,
}

impl Description {
    /// The figures of a scenario that the loader has checked.
    pub fn of(rules: &Rules) -> Description {
        let scenario = &rules.scenario;
        let (first, last) = scenario.columns;
        let name = |at: Option<&CalendarTurn>| at.map_or(String::new(), |turn| turn.name.clone());
        let place = |hex| {
            let named = rules.map.hexes.iter().find(|data| data.hex == hex);
            named.map_or(String::new(), |data| data.name.clone())
        };
        let in_play = |data: &&HexData| (first..=last).contains(&(data.hex.line() + 1));
        Description {
            id: scenario.id.clone(),
            title: scenario.name.clone(),
            map: rules.map.name.clone(),
            turns: (name(rules.calendar.first()), name(rules.calendar.last()), rules.calendar.len()),
            columns: scenario.columns,
            hexes: (rules.map.hexes.iter().filter(in_play).count(), rules.map.sides.len()),
            attacker: scenario.attacker,
            points: (
                scenario.threshold,
                scenario.objectives.iter().map(|&(_, points)| u32::from(points)).sum(),
            ),
            objectives: scenario
                .objectives
                .iter()
                .map(|&(hex, points)| (hex_number(hex), place(hex), points))
                .collect(),
            sides: Player::ALL.map(|player| figures(rules, player)),
            fuel: rules.fuel.in_force,
        }
    }
}

fn figures(rules: &Rules, player: Player) -> SideFigures {
    let count = |such: &dyn Fn(&Entry) -> bool| {
        let own = rules.units.iter().zip(&rules.entries).filter(|(unit, _)| unit.player == player);
        own.filter(|(_, entry)| such(entry))
            .fold((0, 0), |(units, steps), (unit, _)| (units + 1, steps + u32::from(unit.steps)))
    };
    let markers = rules.formations.iter().enumerate().filter(|(_, formation)| formation.player == player);
    let of = |at: usize, start: bool| {
        let own = rules.markers.iter().filter(|marker| usize::from(marker.formation.0) == at);
        own.filter(|marker| (marker.turn == 1) == start).count() as u8
    };
    SideFigures {
        player,
        start: count(&|entry| matches!(entry, Entry::At(_))),
        later: count(&|entry| matches!(entry, Entry::From { .. })),
        optional: count(&|entry| matches!(entry, Entry::Optional { .. })),
        air: rules.air.iter().filter(|air| air.player == player).count(),
        markers: markers
            .map(|(at, formation)| (formation.id.clone(), of(at, true), of(at, false)))
            .filter(|&(_, start, later)| start + later > 0)
            .collect(),
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.title, self.id)?;
        let (first, last, count) = &self.turns;
        writeln!(f, "Turns {first} to {last} ({count}), the {} attacks", self.attacker.name())?;
        let ((from, to), (hexes, sides)) = (self.columns, self.hexes);
        writeln!(
            f,
            "Map of {}, columns {from} to {to}: {hexes} hexes, {sides} hexsides with features",
            self.map
        )?;
        let fuel = if self.fuel { "; German units need fuel" } else { "" };
        writeln!(f, "Victory: {} of {} points{fuel}", self.points.0, self.points.1)?;
        let listed = self.objectives.iter().map(|(hex, name, points)| {
            let name = if name.is_empty() { String::new() } else { format!(" {name}") };
            format!("{hex:04}{name} {points}")
        });
        writeln!(f, "Objectives: {}", listed.collect::<Vec<_>>().join(", "))?;
        writeln!(
            f,
            "{:<10}{:>15}{:>15}{:>15}{:>11}",
            "Side", "Start, steps", "Later, steps", "Optional", "Air units"
        )?;
        for side in &self.sides {
            let pair = |(units, steps): (usize, u32)| format!("{units}, {steps}");
            writeln!(
                f,
                "{:<10}{:>15}{:>15}{:>15}{:>11}",
                side.player.name(),
                pair(side.start),
                pair(side.later),
                pair(side.optional),
                side.air
            )?;
        }
        for side in &self.sides {
            let markers = side.markers.iter().map(|(id, start, later)| match later {
                0 => format!("{id} {start}"),
                _ => format!("{id} {start} + {later}"),
            });
            writeln!(f, "{} markers: {}", side.player.name(), markers.collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}
