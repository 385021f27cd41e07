//! Units, places and powers in words.

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{KindId, Nation, Sea};
use sandtable_europe_engulfed::rules::{Asset, Branch, Standing};
use sandtable_europe_engulfed::state::{StrategicForces, happened, mark};
use sandtable_europe_engulfed::{Area, EuropeEngulfed, Phase, State, Team, UnitId};
use sandtable_scenarios::example::words::{named, unknown};

use crate::setup::{STANDINGS, TEAMS};

/// Phases by name.
pub(super) const PHASES: [(&str, Phase); 18] = [
    ("deployment", Phase::Deployment),
    ("reinforcement", Phase::Reinforcement),
    ("strategic_war", Phase::StrategicWar),
    ("production", Phase::Production),
    ("declarations", Phase::Declarations),
    ("mobilization", Phase::Mobilization),
    ("armistice", Phase::Armistice),
    ("operational", Phase::Operational),
    ("strategic", Phase::Strategic),
    ("combat", Phase::Combat),
    ("breakthrough", Phase::Breakthrough),
    ("breakthrough_move", Phase::BreakthroughMove),
    ("breakthrough_round", Phase::BreakthroughRound),
    ("breakthrough_strategic", Phase::BreakthroughStrategic),
    ("final_supply", Phase::FinalSupply),
    ("front_garrison", Phase::FrontGarrison),
    ("french_fleets", Phase::FrenchFleets),
    ("over", Phase::Over),
];

/// Marks by name.
const MARKS: [(&str, u16); 8] = [
    ("moved", mark::MOVED),
    ("unsupplied", mark::UNSUPPLIED),
    ("crossed", mark::CROSSED),
    ("maginot", mark::MAGINOT),
    ("landed", mark::LANDED),
    ("engaged", mark::ENGAGED),
    ("supported", mark::SUPPORTED),
    ("unsupplied_moved", mark::UNSUPPLIED_MOVED),
];

pub(super) fn phase(name: &str) -> Result<Phase, String> {
    named(name, "a phase", PHASES.iter().map(|&(known, phase)| (known.to_owned(), phase)))
}

pub(super) fn phase_name(phase: Phase) -> &'static str {
    PHASES.iter().find(|(_, known)| *known == phase).map_or("?", |(name, _)| name)
}

pub(super) fn team(name: &str) -> Result<Team, String> {
    named(name, "a team", TEAMS.iter().map(|&(known, team)| (known.to_owned(), team)))
}

pub(super) fn team_name(team: Team) -> &'static str {
    TEAMS[team as usize].0
}

/// Assets of the strategic war by name.
pub(super) fn asset(name: &str) -> Result<Asset, String> {
    named(name, "an asset", ASSETS.iter().map(|&(known, asset)| (known.to_owned(), asset)))
}

/// Assets by name.
const ASSETS: [(&str, Asset); 6] = [
    ("fighter", Asset::Fighter),
    ("bomber", Asset::Bomber),
    ("flak", Asset::Flak),
    ("submarine", Asset::Submarine),
    ("asw", Asset::Asw),
    ("me262", Asset::Me262),
];

pub(super) fn standing(name: &str) -> Result<Standing, String> {
    named(name, "a standing", STANDINGS.iter().map(|&(known, standing)| (known.to_owned(), standing)))
}

pub(super) fn nation(name: &str) -> Result<Nation, String> {
    named(name, "a power", Nation::ALL.iter().map(|nation| (nation.id().to_owned(), *nation)))
}

/// A unit in words: power, type, printed strength, steps, marks, how many.
pub(super) struct Unit {
    pub kind: KindId,
    pub steps: Option<u8>,
    pub marks: u16,
    pub count: u8,
}

/// The words of a game.
#[derive(Clone, Copy)]
pub(super) struct Words<'g> {
    pub game: &'g EuropeEngulfed,
}

impl Words<'_> {
    pub fn area(self, name: &str) -> Result<Area, String> {
        let areas = &self.game.rules.areas;
        let at = areas.iter().position(|area| area.id == name);
        at.map(Area::nth).ok_or_else(|| unknown(name, "an area", areas.iter().map(|area| area.id.as_str())))
    }

    pub fn area_id(self, area: Area) -> String {
        self.game.rules.areas[area.at()].id.clone()
    }

    pub fn sea(self, name: &str) -> Result<Sea, String> {
        let seas = &self.game.rules.seas;
        let at = seas.iter().position(|sea| sea.id == name);
        at.map(Sea::nth).ok_or_else(|| unknown(name, "a sea zone", seas.iter().map(|sea| sea.id.as_str())))
    }

    /// Fleet Points in words: `italy mediterranean 2 used 1`.
    pub fn fleet(self, line: &str) -> Result<(Nation, Sea, u8, u8), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |text: &str| {
            text.parse::<u8>()
                .map_err(|_| format!("`{text}`: a number of Fleet Points is expected in `{line}`"))
        };
        match words[..] {
            [power, sea, ready] => Ok((nation(power)?, self.sea(sea)?, number(ready)?, 0)),
            [power, sea, ready, "used", used] => {
                Ok((nation(power)?, self.sea(sea)?, number(ready)?, number(used)?))
            }
            _ => Err(format!(
                "`{line}`: a power, a sea zone and Fleet Points are expected, as in `italy mediterranean 2 used 1`"
            )),
        }
    }

    /// `soviet_union arm elite 3/4 crossed x2`: steps of printed strength; `germany inf 4` is any of that printed strength;
    /// air support units have no strength.
    pub fn unit(self, text: &str) -> Result<Unit, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [power, branch, rest @ ..] = &words[..] else {
            return Err(format!(
                "`{text}`: a power, a type and a strength are expected, as in `germany arm 3/4`"
            ));
        };
        let nation = nation(power)?;
        let branch =
            named(branch, "a unit type", Branch::ALL.iter().map(|branch| (branch.id().to_owned(), *branch)))?;
        let (mut elite, mut steps, mut most, mut marks, mut count) = (false, None, None, 0, 1);
        for word in rest {
            let number = |text: &str| {
                text.parse::<u8>()
                    .map_err(|_| format!("`{text}`: a number is expected in `{}`", words.join(" ")))
            };
            if *word == "elite" {
                elite = true;
            } else if let Some(&(_, mark)) = MARKS.iter().find(|(name, _)| name == word) {
                marks |= mark;
            } else if let Some(times) = word.strip_prefix('x') {
                count = number(times)?;
            } else if let Some((now, printed)) = word.split_once('/') {
                (steps, most) = (Some(number(now)?), Some(number(printed)?));
            } else {
                most = Some(number(word)?);
            }
        }
        let most =
            if branch == Branch::Air { 1 } else { most.ok_or_else(|| format!("`{text}` has no strength"))? };
        let kinds = &self.game.rules.kinds;
        let is = |at: &usize| {
            let kind = &kinds[*at];
            (kind.nation, kind.branch, kind.elite, kind.max) == (nation, branch, elite, most)
        };
        let at = (0..kinds.len()).find(is).ok_or_else(|| format!("`{text}`: there is no such counter"))?;
        Ok(Unit { kind: KindId::nth(at), steps, marks, count })
    }

    /// A unit of these words in an area: one that differs in nothing from others stands for all.
    pub fn find(
        self,
        state: &State,
        wanted: &Unit,
        area: Area,
        also: impl Fn(UnitId) -> bool,
    ) -> Option<UnitId> {
        self.game.counters(wanted.kind).find(|unit| {
            state.location(*unit) == area
                && wanted.steps.is_none_or(|steps| state.steps(*unit) == steps)
                && (wanted.marks == 0 || state.has_mark(*unit, wanted.marks))
                && also(*unit)
        })
    }

    /// A unit on the map in words, without marks.
    pub fn shown(self, state: &State, unit: UnitId) -> String {
        let kind = self.game.kind(unit);
        let elite = if kind.elite { " elite" } else { "" };
        if kind.branch == Branch::Air {
            return format!("{} asu", kind.nation.id());
        }
        format!("{} {}{elite} {}/{}", kind.nation.id(), kind.branch.id(), state.steps(unit), kind.max)
    }
}

/// What has happened, by name.
const HAPPENINGS: [(&str, u64); 35] = [
    ("collapse", happened::COLLAPSE),
    ("fourth_at_risk", happened::FOURTH_AT_RISK),
    ("no_fourth", happened::NO_FOURTH),
    ("soviet_second", happened::SOVIET_SECOND),
    ("soviet_third", happened::SOVIET_THIRD),
    ("american_second", happened::AMERICAN_SECOND),
    ("american_third", happened::AMERICAN_THIRD),
    ("offensive_in_the_east", happened::OFFENSIVE_IN_THE_EAST),
    ("offensive_in_the_west", happened::OFFENSIVE_IN_THE_WEST),
    ("overlord", happened::OVERLORD),
    ("carpet_bombing", happened::CARPET_BOMBING),
    ("partisans", happened::PARTISANS),
    ("partisans_fed", happened::PARTISANS_FED),
    ("airborne_renounced", happened::AIRBORNE_RENOUNCED),
    ("pause", happened::PAUSE),
    ("asw_first", happened::ASW_FIRST),
    ("war_on_sweden_or_spain", happened::WAR_ON_SWEDEN_OR_SPAIN),
    ("bombers_improved", happened::BOMBERS_IMPROVED),
    ("escorts_improved", happened::ESCORTS_IMPROVED),
    ("portugal_attacked", happened::PORTUGAL_ATTACKED),
    ("two_objectives", happened::TWO_OBJECTIVES),
    ("italian_collapse", happened::ITALIAN_COLLAPSE),
    ("fall_of_france", happened::FALL_OF_FRANCE),
    ("vichy", happened::VICHY),
    ("americans_in_vichy", happened::AMERICANS_IN_VICHY),
    ("end_of_vichy", happened::END_OF_VICHY),
    ("germany_entered", happened::GERMANY_ENTERED),
    ("warsaw_fell", happened::WARSAW_FELL),
    ("leningrad_fell", happened::LENINGRAD_FELL),
    ("first_winter", happened::FIRST_WINTER),
    ("no_ore", happened::NO_ORE),
    ("germany_attacked", happened::GERMANY_ATTACKED),
    ("france_in_exile", happened::FRANCE_IN_EXILE),
    ("soviets_caught", happened::SOVIETS_CAUGHT),
    ("ussr_entered", happened::USSR_ENTERED),
];

pub(super) fn happening(name: &str) -> Result<u64, String> {
    named(name, "something that happens", HAPPENINGS.iter().map(|&(known, bit)| (known.to_owned(), bit)))
}

/// Where a level of the strategic war stands.
type Level = fn(&mut StrategicForces) -> &mut u8;

/// Levels of the strategic war, by name.
const LEVELS: [(&str, Level); 13] = [
    ("axis_fighter", |forces| &mut forces.fighters[0]),
    ("allied_fighter", |forces| &mut forces.fighters[1]),
    ("axis_bomber", |forces| &mut forces.bombers[0]),
    ("allied_bomber", |forces| &mut forces.bombers[1]),
    ("axis_flak", |forces| &mut forces.flak[0]),
    ("allied_flak", |forces| &mut forces.flak[1]),
    ("submarine", |forces| &mut forces.submarines),
    ("asw", |forces| &mut forces.asw),
    ("me262", |forces| &mut forces.me262),
    ("bomb_hits", |forces| &mut forces.bomb_hits),
    ("axis_moves_lost", |forces| &mut forces.moves_lost[0]),
    ("allied_moves_lost", |forces| &mut forces.moves_lost[1]),
    ("werp_lost", |forces| &mut forces.werp_lost),
];

/// A level of the strategic war, by name.
pub(super) fn asset_of<'s>(forces: &'s mut StrategicForces, name: &str) -> Result<&'s mut u8, String> {
    let levels = LEVELS.iter().map(|&(known, level)| (known.to_owned(), level));
    Ok(named(name, "a level of the strategic war", levels)?(forces))
}
