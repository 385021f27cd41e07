//! A scenario in figures.

use std::fmt;

use sandtable_eurofront::Rules;
use sandtable_eurofront::ids::Faction;
use sandtable_eurofront::rules::{Entry, Kind, Terrain};

/// A scenario in figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// First and last month, and how many there are.
    pub months: (String, String, usize),
    /// Fortnights.
    pub fortnights: u32,
    /// Hexes of the map: of land, and of sea.
    pub hexes: (usize, usize),
    /// Hexes and areas that units may enter; none: all of land.
    pub in_play: Option<usize>,
    /// Map-edge areas, sea areas, named places.
    pub names: (usize, usize, usize),
    /// What each player has.
    pub sides: Vec<SideFigures>,
}

/// What a player has.
#[derive(Clone, PartialEq, Debug)]
pub struct SideFigures {
    /// Name.
    pub name: &'static str,
    /// Whose blocks he has.
    pub faction: Faction,
    /// Headquarters at the start, and their command values.
    pub headquarters: (usize, u32),
    /// Other units at the start, and their combat values.
    pub units: (usize, u32),
    /// Reinforcements, and their steps.
    pub later: (usize, u32),
}

impl Description {
    /// The figures of a scenario that the loader has checked.
    pub fn of(rules: &Rules) -> Description {
        let (scenario, map) = (&rules.scenario, &rules.map);
        let name = |at: Option<&sandtable_eurofront::rules::Month>| {
            at.map_or(String::new(), |month| month.id.clone())
        };
        let land = map.hexes.iter().filter(|hex| hex.terrain != Terrain::Sea).count();
        Description {
            id: scenario.id.clone(),
            title: scenario.name.clone(),
            months: (name(rules.calendar.first()), name(rules.calendar.last()), rules.calendar.len()),
            fortnights: rules.calendar.iter().map(|month| u32::from(month.fortnights)).sum(),
            hexes: (land, map.hexes.len() - land),
            in_play: (!scenario.in_play.is_empty()).then_some(scenario.in_play.len()),
            names: (map.areas.len(), map.seas.len(), map.places.len()),
            sides: scenario
                .players
                .iter()
                .map(|player| side(rules, player.faction(), player.name()))
                .collect(),
        }
    }
}

fn side(rules: &Rules, faction: Faction, name: &'static str) -> SideFigures {
    let mut side = SideFigures { name, faction, headquarters: (0, 0), units: (0, 0), later: (0, 0) };
    for (block, entry) in rules.blocks.iter().zip(&rules.scenario.entries) {
        if block.faction != faction || block.kind == Kind::Beachhead {
            continue;
        }
        let (count, steps) = match *entry {
            Entry::At(_, steps) | Entry::Militia(steps) | Entry::Free { steps, .. }
                if block.kind.is_headquarters() =>
            {
                (&mut side.headquarters, steps)
            }
            Entry::At(_, steps) | Entry::Militia(steps) | Entry::Free { steps, .. } => {
                (&mut side.units, steps)
            }
            Entry::Reinforcement { steps, .. } => (&mut side.later, steps),
            Entry::Pool | Entry::Beachhead { .. } | Entry::WithNation(_) | Entry::Upon(..) | Entry::Never => {
                continue;
            }
        };
        count.0 += 1;
        count.1 += u32::from(steps);
    }
    side
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last, months) = &self.months;
        writeln!(f, "{}", self.title)?;
        writeln!(f, "  {months} months, {first} to {last}, {} fortnights", self.fortnights)?;
        let (land, sea) = self.hexes;
        let (areas, seas, places) = self.names;
        writeln!(
            f,
            "  map: {land} hexes of land, {sea} of sea; {areas} areas, {seas} sea areas, {places} places"
        )?;
        if let Some(in_play) = self.in_play {
            writeln!(f, "  in play: {in_play} hexes")?;
        }
        for side in &self.sides {
            let ((headquarters, value), (units, steps), (later, later_steps)) =
                (side.headquarters, side.units, side.later);
            writeln!(
                f,
                "  {}: {headquarters} headquarters of command value {value}, {units} units of combat value {steps}, {later} reinforcements of {later_steps}",
                side.name
            )?;
        }
        Ok(())
    }
}
