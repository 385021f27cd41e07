//! What holds for countries and nations as a whole.

use sandtable_core::Board;

use super::links::Links;
use super::sheet::Sheet;
use super::zones::ZoneSets;
use crate::nation::{COUNTRIES, Country, Nation};
use crate::rules::{AreaOfOperations, Counters, Rules, Zones};

/// Sets of countries and nations that the rules ask for, one bit each.
#[derive(Clone, Debug)]
pub(crate) struct Countries {
    /// Countries whose home, in 1939 or as enlarged by Eastern Poland, borders each country's home.
    pub borders: [u32; COUNTRIES],
    /// Counters of Minor Countries.
    pub minors: Counters,
    /// By the marks of a turn (mark 1 in bit 0, mark 2 in bit 1), countries that may bring reinforcements on it (11.2).
    /// The partisans' and the Free French follow dates, not marks: these are always among them.
    pub minors_due: [u32; 4],
    /// Nations whose corps no region binds, nor the company of other minors (9.6).
    pub operates_anywhere: u32,
    /// Nations that may be supplied at home without a line (7, 9.4).
    pub supplied_at_home: u32,
}

impl Countries {
    pub(super) fn derive(rules: &Rules, links: &Links, zones: &ZoneSets, sheet: &Sheet) -> Countries {
        Countries {
            borders: borders(links, zones),
            minors: Nation::ALL
                .into_iter()
                .filter(|nation| nation.country().is_some_and(Country::is_minor_country))
                .fold(Counters::EMPTY, |set, nation| set.or(&sheet.of_nation[nation.index()])),
            minors_due: [(false, false), (true, false), (false, true), (true, true)]
                .map(|(mark1, mark2)| minors_due(rules, mark1, mark2)),
            operates_anywhere: nations_where(|nation| {
                nation.country().is_none_or(|country| {
                    !country.is_minor_country()
                        && rules.countries[country.index()].area_of_operations == AreaOfOperations::Free
                })
            }),
            supplied_at_home: nations_where(|nation| {
                nation.country().is_some_and(|at| at == Country::Fra || at.is_minor_country())
            }),
        }
    }
}

fn nations_where(wanted: impl Fn(Nation) -> bool) -> u32 {
    let nations = Nation::ALL.into_iter().filter(|&nation| wanted(nation));
    nations.fold(0, |mask, nation| mask | 1 << nation as u32)
}

/// Countries that may bring reinforcements on a turn with these marks (11.2).
fn minors_due(rules: &Rules, mark1: bool, mark2: bool) -> u32 {
    let dated = [Country::Vichy, Country::Yug];
    let due = Country::ALL.into_iter().filter(|&country| {
        dated.contains(&country) || rules.countries[country.index()].rhythm.is_due(mark1, mark2)
    });
    due.fold(0, |mask, country| mask | 1 << country.index())
}

/// Countries next to each one's home.
fn borders(links: &Links, zones: &ZoneSets) -> [u32; COUNTRIES] {
    Country::ALL.map(|country| {
        let around = links.land.neighbours_of(&zones.home[country.index()]);
        let next = Country::ALL.into_iter().filter(|&other| {
            let more = if other == Country::Ussr { zones.eastern_poland } else { Zones::EMPTY };
            around.intersects(&zones.home[other.index()].or(&more))
        });
        next.fold(0, |mask, other| mask | 1 << other as u32)
    })
}
