//! What play looks up, derived from the data once: links over land, coasts and ports, sets of zones, counters, countries.

mod coasts;
mod countries;
mod links;
mod sheet;
mod ways;
mod zones;

pub(crate) use self::coasts::{Coasts, Straits};
use self::countries::Countries;
pub(crate) use self::links::Links;
use self::sheet::Sheet;
pub(crate) use self::sheet::{Form, NATIONS_AT_ONCE, face};
pub(crate) use self::ways::{Ground, Waters};
use self::zones::ZoneSets;
use crate::rules::{MAX_COUNTERS, MAX_SEAS, MAX_ZONES, Rules};

/// Everything play looks up, derived from [`Rules`].
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// Lines between zones.
    pub links: Links,
    /// Where land and sea meet.
    pub coasts: Coasts,
    /// The land as floods see it.
    pub ground: Ground,
    /// The seas as ways.
    pub waters: Waters,
    /// Zones by what they are.
    pub zones: ZoneSets,
    /// The counter sheet.
    pub sheet: Sheet,
    /// What holds for countries and nations as a whole.
    pub countries: Countries,
    /// Something that land counters do costs nothing (11, 13 to 16).
    pub free: bool,
}

impl Tables {
    /// # Errors
    /// Says which part of the data is out of the engine's bounds or refers to something that is not there.
    pub(crate) fn derive(rules: &Rules) -> Result<Tables, String> {
        check_bounds(rules)?;
        let links = Links::derive(rules)?;
        let coasts = Coasts::derive(rules, &links);
        let straits = Straits::derive(rules);
        let zones = ZoneSets::derive(rules);
        let sheet = Sheet::derive(rules);
        let countries = Countries::derive(rules, &links, &zones, &sheet);
        let ground = Ground::derive(rules, &links, &coasts);
        let waters = Waters::derive(rules, &straits, &coasts.sea_ports)?;
        let free = rules.costs.prices_on_land().contains(&0);
        Ok(Tables { links, coasts, ground, waters, zones, sheet, countries, free })
    }
}

/// Whether map, counter mix and calendar are of a size that the engine takes.
fn check_bounds(rules: &Rules) -> Result<(), String> {
    let zones = rules.zones.len();
    if zones == 0 || zones > MAX_ZONES {
        return Err(format!("the map has {zones} land zones; the engine takes 1 to {MAX_ZONES}"));
    }
    if rules.seas.len() > MAX_SEAS {
        let seas = rules.seas.len();
        return Err(format!("the map has {seas} sea zones; the engine takes at most {MAX_SEAS}"));
    }
    let counters: usize = rules.counter_types.iter().map(|kind| kind.count as usize).sum();
    if counters > MAX_COUNTERS {
        return Err(format!(
            "the counter mix has {counters} counters; the engine takes at most {MAX_COUNTERS}"
        ));
    }
    let (first, last) = (rules.setup.first_turn, rules.setup.last_turn);
    if first == 0 || first > last || last as usize > rules.calendar.len() {
        return Err(format!(
            "the scenario runs from turn {first} to {last}; the calendar has {} turns",
            rules.calendar.len()
        ));
    }
    Ok(())
}
