//! Units, places and powers in words.

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{KindId, Nation};
use sandtable_europe_engulfed::rules::Branch;
use sandtable_europe_engulfed::state::mark;
use sandtable_europe_engulfed::{Area, EuropeEngulfed, Phase, State, Team, UnitId};
use sandtable_scenarios::example::words::{named, unknown};

/// Phases by name.
pub(super) const PHASES: [(&str, Phase); 12] = [
    ("deployment", Phase::Deployment),
    ("reinforcement", Phase::Reinforcement),
    ("production", Phase::Production),
    ("operational", Phase::Operational),
    ("strategic", Phase::Strategic),
    ("combat", Phase::Combat),
    ("breakthrough", Phase::Breakthrough),
    ("breakthrough_move", Phase::BreakthroughMove),
    ("breakthrough_round", Phase::BreakthroughRound),
    ("breakthrough_strategic", Phase::BreakthroughStrategic),
    ("final_supply", Phase::FinalSupply),
    ("over", Phase::Over),
];

/// Teams by name.
const TEAMS: [(&str, Team); 2] = [("first", Team::First), ("second", Team::Second)];

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
