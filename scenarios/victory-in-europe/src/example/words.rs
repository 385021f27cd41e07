//! Units and places in words.

use sandtable_core::Index;
use sandtable_victory_in_europe::nation::{Force, Nation, Team};
use sandtable_victory_in_europe::phase::Phase;
use sandtable_victory_in_europe::rules::{Arm, Kind, Seas, Target};
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Place, State, UnitId, VictoryInEurope};

use sandtable_scenarios::example::words::{named, unknown};

/// Phases by name.
pub(super) const PHASES: [(&str, Phase); 11] = [
    ("deployment", Phase::Deployment),
    ("cards", Phase::Cards),
    ("movement", Phase::Movement),
    ("pinning", Phase::Pinning),
    ("naming", Phase::NamingBattles),
    ("combat", Phase::Combat),
    ("landing", Phase::Landing),
    ("supply", Phase::Supply),
    ("diplomacy", Phase::Diplomacy),
    ("production", Phase::Production),
    ("over", Phase::Over),
];

/// Teams by name.
pub(super) const TEAMS: [(&str, Team); 2] = [("axis", Team::Axis), ("allies", Team::Allies)];

/// Targets by name.
const TARGETS: [(&str, Target); 9] = [
    ("air", Target::Air),
    ("aircraft", Target::Air),
    ("army", Target::Army),
    ("armies", Target::Army),
    ("surface", Target::Surface),
    ("sub", Target::Sub),
    ("submarines", Target::Sub),
    ("convoy", Target::Convoy),
    ("factory", Target::Factory),
];

/// Marks of units by name.
const MARKS: [(&str, u8); 6] = [
    ("moved", mark::MOVED),
    ("strategic", mark::STRATEGIC),
    ("pinned", mark::PINNED),
    ("known", mark::KNOWN),
    ("reinforces", mark::REINFORCES),
    ("invades", mark::INVADES),
];

/// Most words of a unit's name.
const NAME_WORDS: usize = 5;

fn among<T: Copy>(name: &str, what: &str, list: &[(&str, T)]) -> Result<T, String> {
    named(name, what, list.iter().map(|&(known, value)| (known.to_owned(), value)))
}

pub(super) fn phase(name: &str) -> Result<Phase, String> {
    among(name, "a phase", &PHASES)
}

pub(super) fn phase_name(phase: Phase) -> &'static str {
    PHASES.iter().find(|(_, known)| *known == phase).map_or("", |(name, _)| name)
}

pub(super) fn team(name: &str) -> Result<Team, String> {
    among(name, "a team", &TEAMS)
}

pub(super) fn team_name(team: Team) -> &'static str {
    TEAMS[team.index()].0
}

pub(super) fn force(name: &str) -> Result<Force, String> {
    let allies = ("allies".to_owned(), Force::Western);
    let forces = Force::ALL.into_iter().map(|force| (force.id().to_owned(), force));
    named(name, "a force", forces.chain([allies]))
}

pub(super) fn nation(name: &str) -> Result<Nation, String> {
    named(name, "a nation", Nation::ALL.into_iter().map(|nation| (nation.id().to_owned(), nation)))
}

pub(super) fn target(name: &str) -> Result<Target, String> {
    among(name, "a target", &TARGETS)
}

/// A nation of units: by its identifier, or in three letters.
fn owner(word: &str) -> Option<Nation> {
    let short = match word {
        "gb" | "uk" | "british" => Some(Nation::Britain),
        "us" => Some(Nation::Usa),
        "su" | "soviet" => Some(Nation::Ussr),
        "swi" => Some(Nation::Switzerland),
        "hol" => Some(Nation::Netherlands),
        "rum" => Some(Nation::Romania),
        "vic" => Some(Nation::Vichy),
        "irn" => Some(Nation::Iran),
        "irq" => Some(Nation::Iraq),
        _ => None,
    };
    short.or_else(|| Nation::by_id(word)).or_else(|| {
        let cut = Nation::ALL.into_iter().filter(|nation| word.len() == 3 && nation.id().starts_with(word));
        let mut cut = cut.fuse();
        match (cut.next(), cut.next()) {
            (Some(nation), None) => Some(nation),
            _ => None,
        }
    })
}

/// Which counters are meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Pick {
    /// This one.
    Unit(UnitId),
    /// Those of a nation and a type or kind.
    Kind(Nation, String),
}

/// A unit in words: `ger infantry 3 known`, `ger_pz_1a 4`, `Manstein 2`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unit {
    pub pick: Pick,
    pub steps: Option<u8>,
    pub marks: u8,
    /// Marks it must not have.
    pub without: u8,
    pub half: Option<bool>,
    pub jumped: bool,
    pub coast: Option<u8>,
    /// The place it came from this turn.
    pub from: Option<Place>,
}

/// Reads words in the rules of a game.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub game: &'a VictoryInEurope,
}

impl<'a> Words<'a> {
    pub fn place(self, name: &str) -> Result<Place, String> {
        self.game.place(name).ok_or_else(|| unknown(name, "a place", self.place_ids()))
    }

    pub fn area(self, name: &str) -> Result<Place, String> {
        let place = self.place(name)?;
        if place.is_area() { Ok(place) } else { Err(format!("`{name}` is a sea zone, not an area")) }
    }

    pub fn zone(self, name: &str) -> Result<u8, String> {
        let place = self.place(name)?;
        place.sea_zone().ok_or_else(|| format!("`{name}` is an area, not a sea zone"))
    }

    fn place_ids(self) -> impl Iterator<Item = &'a str> {
        let rules = &self.game.rules;
        rules.areas.iter().map(|area| area.id.as_str()).chain(rules.seas.iter().map(|sea| sea.id.as_str()))
    }

    /// Identifier of a place.
    pub fn id(self, place: Place) -> &'a str {
        match place.sea_zone() {
            Some(zone) => &self.game.rules.seas[zone as usize].id,
            None if place.is_area() => &self.game.rules.areas[place.at()].id,
            None => "the pool",
        }
    }

    /// An area, all areas a country had in 1939, or a region.
    pub fn areas(self, name: &str) -> Result<Vec<Place>, String> {
        if let Some(area) = self.game.place(name).filter(|&place| place.is_area()) {
            return Ok(vec![area]);
        }
        let regions = &self.game.rules.regions;
        let region = match name {
            "vichy" => Some(&regions.vichy),
            "libya" => Some(&regions.libya),
            "great_britain" => Some(&regions.great_britain),
            "eastern_poland" => Some(&regions.eastern_poland),
            "western_poland" => Some(&regions.western_poland),
            "baltic" => Some(&regions.baltic),
            "fjords" => Some(&regions.fjords),
            "north_africa" => Some(&regions.north_africa),
            "middle_east" => Some(&regions.middle_east),
            _ => Nation::by_id(name).map(|nation| self.game.country(nation)),
        };
        region
            .map(|areas| areas.iter().collect())
            .ok_or_else(|| unknown(name, "an area, a country or a region", self.place_ids()))
    }

    pub fn card(self, name: &str) -> Result<u8, String> {
        let cards = self.game.rules.cards.iter().enumerate();
        named(name, "a card", cards.map(|(at, card)| (card.id.clone(), at as u8)))
    }

    /// Sea zones by name.
    pub fn zones(self, names: &[String]) -> Result<Seas, String> {
        names.iter().try_fold(0, |zones, name| Ok(zones | 1 << self.zone(name)?))
    }

    /// Reads a unit.
    pub fn unit(self, text: &str) -> Result<Unit, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (unit, rest) = self.take_unit(&words)?;
        if rest.is_empty() { Ok(unit) } else { Err(format!("`{}` means nothing here", rest.join(" "))) }
    }

    /// Reads a unit at the beginning of some words, and gives the rest.
    pub fn take_unit<'w, 't>(self, words: &'w [&'t str]) -> Result<(Unit, &'w [&'t str]), String> {
        let (pick, rest) = self.take_pick(words)?;
        let mut unit = Unit {
            pick,
            steps: None,
            marks: 0,
            without: 0,
            half: None,
            jumped: false,
            coast: None,
            from: None,
        };
        let mut rest = rest;
        if let [word, after @ ..] = rest
            && let Ok(steps) = word.parse()
        {
            unit.steps = Some(steps);
            rest = after;
        }
        while let [word, after @ ..] = rest {
            if let Some(&(_, mark)) = MARKS.iter().find(|(name, _)| name == word) {
                unit.marks |= mark;
                rest = after;
                continue;
            }
            rest = match (*word, after) {
                ("unknown", after) => {
                    unit.without |= mark::KNOWN;
                    after
                }
                ("half", after) => {
                    unit.half = Some(true);
                    after
                }
                ("whole", after) => {
                    unit.half = Some(false);
                    after
                }
                ("jumped", after) => {
                    unit.jumped = true;
                    after
                }
                ("coast", [coast, after @ ..]) => {
                    unit.coast = Some(
                        coast
                            .parse()
                            .ok()
                            .filter(|coast| (1..=2).contains(coast))
                            .ok_or_else(|| format!("`{coast}` is not a coast, 1 or 2"))?,
                    );
                    after
                }
                ("came", ["from", place, after @ ..]) => {
                    unit.from = Some(self.place(place)?);
                    after
                }
                _ => break,
            };
        }
        Ok((unit, rest))
    }

    fn take_pick<'w, 't>(self, words: &'w [&'t str]) -> Result<(Pick, &'w [&'t str]), String> {
        let units = &self.game.rules.units;
        let [first, rest @ ..] = words else {
            return Err("a unit is expected, as in `ger infantry 3`".into());
        };
        if let Some(unit) = self.game.unit(first) {
            return Ok((Pick::Unit(unit), rest));
        }
        for count in (1..=words.len().min(NAME_WORDS)).rev() {
            let name = words[..count].join(" ");
            if let Some(at) = units.iter().position(|unit| unit.name.eq_ignore_ascii_case(&name)) {
                return Ok((Pick::Unit(UnitId::nth(at)), &words[count..]));
            }
        }
        let Some(nation) = owner(first) else {
            let ids = units.iter().map(|unit| unit.id.as_str());
            let nations = Nation::ALL.iter().map(|nation| nation.id());
            return Err(unknown(first, "a unit or a nation", ids.chain(nations)));
        };
        let [kind, rest @ ..] = rest else {
            return Err(format!("a type of unit is expected after `{first}`, as in `ger infantry 3`"));
        };
        let types = self.game.rules.unit_types.iter().map(|kind| kind.id.as_str());
        let kinds: Vec<&str> = types.chain(Kind::ALL.iter().map(|kind| kind.id())).collect();
        if kinds.contains(kind) {
            Ok((Pick::Kind(nation, (*kind).to_owned()), rest))
        } else {
            Err(unknown(kind, "a type of unit", kinds))
        }
    }

    /// Whether a counter is one of those meant, whatever its steps. A type of the same name goes before a kind.
    pub fn picks(self, state: &State, pick: &Pick, unit: UnitId) -> bool {
        match pick {
            Pick::Unit(wanted) => *wanted == unit,
            Pick::Kind(nation, name) => {
                let game = self.game;
                let is_own = game.printed_nation(unit) == *nation || game.nation(state, unit) == *nation;
                is_own && (game.unit_type(unit).id == *name || game.kind(unit).id() == *name)
            }
        }
    }

    /// Whether a unit on the map looks as described, as far as it is.
    pub fn fits(self, state: &State, wanted: &Unit, unit: UnitId) -> bool {
        self.picks(state, &wanted.pick, unit)
            && wanted.steps.is_none_or(|steps| steps == state.steps(unit))
            && state.has_mark(unit, wanted.marks)
            && (wanted.without == 0 || !state.has_mark(unit, wanted.without))
            && wanted.half.is_none_or(|half| half == state.has_half_hit(unit))
            && (!wanted.jumped || state.has_jumped(unit))
            && wanted.coast.is_none_or(|coast| coast == state.coast(unit))
            && wanted.from.is_none_or(|from| from == state.via(unit))
    }

    /// A unit on the map in words.
    pub fn shown(self, state: &State, unit: UnitId) -> String {
        let mut text = format!("{} {}", self.game.rules.units[unit.at()].id, state.steps(unit));
        for (name, mark) in MARKS {
            if matches!(mark, mark::PINNED | mark::REINFORCES | mark::INVADES) && state.has_mark(unit, mark) {
                text.push(' ');
                text.push_str(name);
            }
        }
        if state.has_half_hit(unit) {
            text.push_str(" half");
        }
        if state.coast(unit) == 2 {
            text.push_str(" coast 2");
        }
        text
    }

    /// The first coast of an area on which a ship can lie: one with a port before one without.
    pub fn coast(self, unit: UnitId, place: Place) -> u8 {
        if self.game.arm(unit) != Arm::Naval || !place.is_area() {
            return 0;
        }
        (1..=2).find(|&coast| self.game.has_port(place, coast)).unwrap_or(1)
    }
}
