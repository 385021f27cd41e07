//! A scenario in figures.

use sandtable_core::Index;
use std::fmt;

use sandtable_victory_in_europe::Rules;
use sandtable_victory_in_europe::nation::{Force, Nation};
use sandtable_victory_in_europe::rules::{Arm, Entry, Standing};

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
    /// How many play.
    pub players: u8,
    /// Areas.
    pub areas: usize,
    /// Land borders.
    pub borders: usize,
    /// Sea zones.
    pub seas: usize,
    /// Ports.
    pub ports: usize,
    /// Naval bases among them.
    pub bases: usize,
    /// Factory steps that the major cities take.
    pub factory_sites: u32,
    /// Resource points on the map.
    pub resources: u32,
    /// Counters.
    pub counters: usize,
    /// Counters in the pool at the start.
    pub pool: usize,
    /// Counters that are out of the game.
    pub gone: usize,
    /// Cards of the years that are played.
    pub cards: usize,
    /// Cards each player draws at the start.
    pub hand: u8,
    /// Forces at the start.
    pub forces: Vec<ForceFigures>,
    /// Neutral nations; majors that are not yet at war are listed with their force.
    pub neutral: Vec<Nation>,
}

/// What a force has at the start.
#[derive(Clone, PartialEq, Debug)]
pub struct ForceFigures {
    /// Which.
    pub force: Force,
    /// Nations that fight with it, and whether they are at war yet.
    pub nations: Vec<(Nation, bool)>,
    /// Areas.
    pub areas: usize,
    /// Factory steps.
    pub factories: u32,
    /// Resource points in its areas.
    pub resources: u32,
    /// Military units, and steps of them.
    pub armies: (usize, u32),
    /// Aircraft, and steps of them.
    pub air: (usize, u32),
    /// Ships and convoys, and steps of them.
    pub naval: (usize, u32),
}

impl Description {
    /// The figures of a scenario that the loader has checked.
    pub fn of(rules: &Rules) -> Description {
        let setup = &rules.setup;
        let date = |turn: u8| {
            let entry = &rules.calendar[usize::from(turn) - 1];
            let season = ["winter", "spring", "summer", "autumn"][usize::from(entry.quarter) - 1];
            (turn, format!("{season} {}", entry.year))
        };
        let years = |turn: u8| rules.calendar[usize::from(turn) - 1].year;
        let played = years(setup.first_turn)..=years(setup.last_turn);
        let standing = |nation: Nation| setup.standing[nation.index()];
        Description {
            id: setup.id.clone(),
            title: setup.title.clone(),
            first_turn: date(setup.first_turn),
            last_turn: date(setup.last_turn),
            players: if rules.options.three_players { 3 } else { 2 },
            areas: rules.areas.len(),
            borders: rules.borders.len(),
            seas: rules.seas.len(),
            ports: rules.ports.iter().filter(|port| !port.name.is_empty()).count(),
            bases: rules.ports.iter().filter(|port| port.base).count(),
            factory_sites: rules.areas.iter().map(|area| u32::from(area.city)).sum(),
            resources: rules.areas.iter().map(|area| u32::from(area.resource)).sum(),
            counters: rules.units.len(),
            pool: rules.units.len() - setup.units.len() - setup.gone.len(),
            gone: setup.gone.len(),
            cards: rules.cards.iter().filter(|card| played.contains(&card.year)).count(),
            hand: setup.hand,
            forces: Force::ALL.map(|force| figures(rules, force)).to_vec(),
            neutral: Nation::ALL.into_iter().filter(|&it| standing(it) == Standing::Neutral).collect(),
        }
    }
}

fn figures(rules: &Rules, force: Force) -> ForceFigures {
    let setup = &rules.setup;
    let with = |nation: Nation| setup.standing[nation.index()] == Standing::with(force);
    let holds = |area: usize| with(setup.control[area]);
    let held = || rules.areas.iter().enumerate().filter(|(area, _)| holds(*area));
    let at_war = |nation: Nation| match nation {
        Nation::Italy => setup.italy == Entry::AtWar,
        Nation::Ussr => setup.ussr == Entry::AtWar,
        Nation::Usa => setup.usa == Entry::AtWar,
        _ => true,
    };
    let units = |arm: Arm| {
        let own = setup.units.iter().filter(|&&(unit, ..)| {
            let unit = &rules.units[unit.at()];
            let gone = setup.standing[unit.nation.index()] == Standing::Gone;
            let nation = unit.free_for.filter(|_| gone).unwrap_or(unit.nation);
            with(nation) && rules.unit_types[unit.kind as usize].arm == arm
        });
        own.fold((0, 0), |(units, steps), unit| (units + 1, steps + u32::from(unit.3)))
    };
    ForceFigures {
        force,
        nations: Nation::ALL
            .into_iter()
            .filter(|&nation| with(nation))
            .map(|nation| (nation, at_war(nation)))
            .collect(),
        areas: held().count(),
        factories: setup
            .factories
            .iter()
            .filter(|&&(area, _)| holds(area.at()))
            .map(|&(_, steps)| u32::from(steps))
            .sum(),
        resources: held().map(|(_, area)| u32::from(area.resource)).sum(),
        armies: units(Arm::Army),
        air: units(Arm::Air),
        naval: units(Arm::Naval),
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.title, self.id)?;
        let ((first, first_date), (last, last_date)) = (&self.first_turn, &self.last_turn);
        writeln!(f, "Turns {first} ({first_date}) to {last} ({last_date}), {} players", self.players)?;
        writeln!(
            f,
            "Map: {} areas, {} borders, {} sea zones, {} ports ({} naval bases); {} resource points, room for {} factory steps",
            self.areas, self.borders, self.seas, self.ports, self.bases, self.resources, self.factory_sites
        )?;
        writeln!(
            f,
            "{} counters, {} of them in the pool and {} out of the game; {} cards, {} drawn at the start",
            self.counters, self.pool, self.gone, self.cards, self.hand
        )?;
        writeln!(
            f,
            "{:<16}{:>6}{:>11}{:>11}{:>15}{:>15}{:>15}",
            "Force", "Areas", "Factories", "Resources", "Armies, steps", "Air, steps", "Ships, steps"
        )?;
        for force in &self.forces {
            let pair = |(units, steps): (usize, u32)| format!("{units}, {steps}");
            writeln!(
                f,
                "{:<16}{:>6}{:>11}{:>11}{:>15}{:>15}{:>15}",
                force.force.name(),
                force.areas,
                force.factories,
                force.resources,
                pair(force.armies),
                pair(force.air),
                pair(force.naval)
            )?;
        }
        for force in &self.forces {
            let names = force.nations.iter().map(|&(nation, at_war)| {
                if at_war { nation.name().to_owned() } else { format!("{} (not yet at war)", nation.name()) }
            });
            writeln!(f, "{}: {}", force.force.name(), names.collect::<Vec<_>>().join(", "))?;
        }
        let neutral: Vec<&str> = self.neutral.iter().map(|nation| nation.name()).collect();
        writeln!(f, "Neutral: {}", if neutral.is_empty() { "nobody".into() } else { neutral.join(", ") })
    }
}
