//! Units, hexes, markers and phases in words.

use sandtable_core::hex::Hex;
use sandtable_core::{Board, Index};
use sandtable_roads_to_moscow::event::SupplyStatus;
use sandtable_roads_to_moscow::ids::{AirId, FormationId, Marker, Player, UnitId, hex, hex_number, place};
use sandtable_roads_to_moscow::rules::{Belongs, Weather};
use sandtable_roads_to_moscow::{Mark, Phase, RoadsToMoscow, Sequence, State};

use sandtable_scenarios::example::words::{named, unknown};

/// Phases by name.
pub(super) const PHASES: [(&str, Phase); 44] = [
    ("optional_groups", Phase::OptionalGroups),
    ("reserve", Phase::Reserve),
    ("cups", Phase::FillingCup),
    ("marker", Phase::Marker),
    ("combine_points", Phase::CombinePoints),
    ("sequence", Phase::Sequence),
    ("formation", Phase::Formation),
    ("fuel", Phase::Fuel),
    ("army", Phase::ArmyUnits),
    ("army_points", Phase::ArmyPoints),
    ("engineering", Phase::Engineering),
    ("movement", Phase::Movement),
    ("stack", Phase::Stack),
    ("declaration", Phase::Declaring),
    ("attackers", Phase::Attackers),
    ("refusal", Phase::Refusal),
    ("refusal_lead", Phase::RefusalLead),
    ("reaction", Phase::Reaction),
    ("reaction_points", Phase::ReactionPoints),
    ("no_retreat", Phase::NoRetreat),
    ("no_retreat_lead", Phase::NoRetreatLead),
    ("no_retreat_points", Phase::NoRetreatPoints),
    ("combat", Phase::Combat),
    ("attack_lead", Phase::AttackLead),
    ("defence_lead", Phase::DefenceLead),
    ("air", Phase::Air),
    ("air_lead", Phase::AirLead),
    ("air_points", Phase::AirPoints),
    ("artillery", Phase::Artillery),
    ("sure_artillery", Phase::SureArtillery),
    ("artillery_lead", Phase::ArtilleryLead),
    ("artillery_points", Phase::ArtilleryPoints),
    ("ground_points", Phase::GroundPoints),
    ("losses", Phase::Losses),
    ("no_retreat_loss", Phase::NoRetreatLoss),
    ("retreat", Phase::Retreat),
    ("excess", Phase::Excess),
    ("motorised_advantage", Phase::MotorisedAdvantage),
    ("group_lead", Phase::GroupLead),
    ("special_retreat", Phase::SpecialRetreat),
    ("failed_overrun", Phase::FailedOverrun),
    ("advance", Phase::Advance),
    ("recovery", Phase::Recovery),
    ("over", Phase::Over),
];

/// Sides by name.
const PLAYERS: [(&str, Player); 2] = [("german", Player::German), ("soviet", Player::Soviet)];
/// Weathers by name.
const WEATHERS: [(&str, Weather); 3] =
    [("dry", Weather::Dry), ("overcast", Weather::Overcast), ("rain", Weather::Rain)];
/// Kinds of sequence by name.
const SEQUENCES: [(&str, Sequence); 2] = [("mobile", Sequence::Mobile), ("assault", Sequence::Assault)];
/// Supply by name.
pub(super) const SUPPLY: [(&str, SupplyStatus); 3] = [
    ("supplied", SupplyStatus::Supplied),
    ("emergency", SupplyStatus::Emergency),
    ("unsupplied", SupplyStatus::Unsupplied),
];

/// What lies on a unit, by name. The first ones are told of every unit of an exact hex; the others where they are written.
const MARKS: [(&str, Mark); 12] = [
    ("reduced", Mark::Reduced),
    ("disorganised", Mark::Disorganised),
    ("emergency", Mark::Emergency),
    ("unsupplied", Mark::Unsupplied),
    ("low_fuel", Mark::LowFuel),
    ("fired", Mark::Fired),
    ("spent", Mark::Spent),
    ("activated", Mark::Active),
    ("moved", Mark::Moved),
    ("digging", Mark::Digging),
    ("fuelled", Mark::Fuelled),
    ("reacted", Mark::Reacted),
];
/// How many of them are told of every unit.
const TOLD: usize = 7;

/// Most words of a unit's name.
const NAME_WORDS: usize = 5;

fn among<T: Copy>(name: &str, what: &str, list: &[(&str, T)]) -> Result<T, String> {
    named(name, what, list.iter().map(|&(known, value)| (known.to_owned(), value)))
}

pub(super) fn phase(name: &str) -> Result<Phase, String> {
    among(name, "a phase", &PHASES)
}

pub(super) fn phase_name(phase: Phase) -> String {
    let known = PHASES.iter().find(|(_, known)| *known == phase);
    known.map_or_else(|| format!("{phase:?}"), |(name, _)| (*name).to_owned())
}

pub(super) fn player(name: &str) -> Result<Player, String> {
    among(name, "a side", &PLAYERS)
}

pub(super) fn weather(name: &str) -> Result<Weather, String> {
    among(name, "a weather", &WEATHERS)
}

pub(super) fn weather_name(weather: Weather) -> &'static str {
    WEATHERS.iter().find(|(_, known)| *known == weather).map_or("", |(name, _)| name)
}

pub(super) fn sequence(name: &str) -> Result<Sequence, String> {
    among(name, "a kind of sequence", &SEQUENCES)
}

/// A unit in words, and what lies on it: `I/69 reduced disorganised`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unit {
    pub id: UnitId,
    /// Marks that it has, and has not.
    pub marks: Vec<Mark>,
    pub without: Vec<Mark>,
    /// Activations used this turn (7.42).
    pub tries: Option<u8>,
}

/// Reads words in the rules of a game.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub game: &'a RoadsToMoscow,
}

impl Words<'_> {
    /// A hex of the map by its number, in play or not.
    pub fn hex(self, text: &str) -> Result<Hex, String> {
        let digits = text.len() == 4 && text.bytes().all(|digit| digit.is_ascii_digit());
        let number = text.parse::<u16>().unwrap_or(0);
        if digits && number / 100 >= 1 && number % 100 >= 1 {
            let hex = hex(number);
            if self.game.rules.map.hexes.iter().any(|data| data.hex == hex) {
                return Ok(hex);
            }
        }
        Err(format!("`{text}` is no hex of the map: expected its number, such as 3523"))
    }

    /// A hex in play by its number.
    pub fn hex_in_play(self, text: &str) -> Result<Hex, String> {
        let hex = self.hex(text)?;
        if self.game.board().places().contains(hex) {
            Ok(hex)
        } else {
            Err(format!("`{text}` lies beyond the line of the scenario"))
        }
    }

    /// Hexes by number.
    pub fn hexes(self, list: &[String]) -> Result<Vec<Hex>, String> {
        list.iter().map(|text| self.hex_in_play(text)).collect()
    }

    /// What a unit is called, short.
    pub fn unit_name(self, unit: UnitId) -> String {
        let data = self.game.unit(unit);
        let same = self.game.rules.units.iter().filter(|other| other.designation == data.designation);
        match data.belongs {
            Belongs::Formation(of) if same.count() > 1 => {
                format!("{} {}", self.game.formation_name(of), data.designation)
            }
            _ => data.designation.clone(),
        }
    }

    /// Reads a unit's name at the beginning of some words, and gives the rest.
    fn take_name<'w, 't>(self, words: &'w [&'t str]) -> Result<(UnitId, &'w [&'t str]), String> {
        let units = &self.game.rules.units;
        for count in (1..=words.len().min(NAME_WORDS)).rev() {
            let name = words[..count].join(" ");
            let is = |at: &usize| {
                let unit = &units[*at];
                let full = || match unit.belongs {
                    Belongs::Formation(of) => {
                        name == format!("{} {}", self.game.formation_name(of), unit.designation)
                    }
                    _ => false,
                };
                unit.id == name || unit.designation == name || full()
            };
            let found: Vec<usize> = (0..units.len()).filter(is).collect();
            match found.as_slice() {
                [] => {}
                [one] => return Ok((UnitId::nth(*one), &words[count..])),
                several => {
                    let names: Vec<String> =
                        several.iter().map(|&at| self.unit_name(UnitId::nth(at))).collect();
                    return Err(format!("`{name}` may be {}: name the formation", names.join(" or ")));
                }
            }
        }
        let first = words.first().copied().unwrap_or_default();
        let known = units.iter().flat_map(|unit| [unit.id.as_str(), unit.designation.as_str()]);
        Err(unknown(first, "a unit", known))
    }

    /// Reads a unit.
    pub fn unit(self, text: &str) -> Result<Unit, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (unit, mut rest) = self.take_name(&words)?;
        let mut read = Unit { id: unit, marks: Vec::new(), without: Vec::new(), tries: None };
        while let [word, after @ ..] = rest {
            rest = after;
            if let ("tries", [count, after @ ..]) = (*word, after) {
                let tries = count.parse().ok().filter(|tries| *tries <= 2);
                read.tries = Some(tries.ok_or_else(|| format!("`{count}` is not 0, 1 or 2"))?);
                rest = after;
                continue;
            }
            let positive = word.strip_prefix("not_").unwrap_or(word);
            let names = MARKS.iter().map(|(name, mark)| ((*name).to_owned(), *mark));
            let mark = named(positive, "what may lie on a unit", names)?;
            if positive == *word { read.marks.push(mark) } else { read.without.push(mark) }
        }
        Ok(read)
    }

    /// The unit of a text that says nothing else.
    pub fn bare(self, text: &str) -> Result<UnitId, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match self.take_name(&words)? {
            (unit, []) => Ok(unit),
            (_, rest) => Err(format!("`{}` means nothing here", rest.join(" "))),
        }
    }

    /// The units of a list with commas.
    pub fn bare_list(self, text: &str) -> Result<Vec<UnitId>, String> {
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        items.map(|item| self.bare(item)).collect()
    }

    /// Whether a unit looks as described. `exact`: all that is told of every unit must be written.
    pub fn fits(self, state: &State, wanted: &Unit, exact: bool) -> bool {
        let unit = wanted.id;
        let told = |&(_, mark): &(&str, Mark)| state.has(unit, mark) == wanted.marks.contains(&mark);
        let tries = u8::from(state.has(unit, Mark::UsedOnce)) + u8::from(state.has(unit, Mark::UsedTwice));
        wanted.marks.iter().all(|&mark| state.has(unit, mark))
            && wanted.without.iter().all(|&mark| !state.has(unit, mark))
            && wanted.tries.is_none_or(|wanted| wanted == tries)
            && (!exact || MARKS[..TOLD].iter().all(told))
    }

    /// A unit with what lies on it.
    pub fn shown(self, state: &State, unit: UnitId) -> String {
        let mut text = self.unit_name(unit);
        for (name, mark) in &MARKS[..TOLD] {
            if state.has(unit, *mark) {
                text.push(' ');
                text.push_str(name);
            }
        }
        text
    }

    pub fn formation(self, name: &str) -> Result<FormationId, String> {
        let formations = self.game.rules.formations.iter().enumerate();
        let names = formations.map(|(at, formation)| (formation.id.clone(), FormationId::nth(at)));
        named(name, "a formation", names)
    }

    /// Markers of a formation.
    pub fn markers(self, name: &str) -> Result<impl Iterator<Item = Marker>, String> {
        let formation = self.formation(name)?;
        let markers: Vec<Marker> = self.game.marker_sets().of_formation[formation.at()].iter().collect();
        if markers.is_empty() {
            return Err(format!("`{name}` has no Activation Marker in the scenario"));
        }
        Ok(markers.into_iter())
    }

    /// Air units of a name or identifier.
    pub fn air(self, name: &str) -> Result<Vec<AirId>, String> {
        let air = self.game.rules.air.iter().enumerate();
        let found: Vec<AirId> = air
            .filter(|(_, unit)| unit.id == name || unit.name == name)
            .map(|(at, _)| AirId::nth(at))
            .collect();
        if found.is_empty() {
            let known = self.game.rules.air.iter().flat_map(|unit| [unit.id.as_str(), unit.name.as_str()]);
            return Err(unknown(name, "an air unit", known));
        }
        Ok(found)
    }

    /// The number of a turn of the scenario, from 1.
    pub fn turn(self, name: &str) -> Result<u8, String> {
        let turns = self.game.rules.calendar.iter().enumerate();
        named(name, "a turn", turns.map(|(at, turn)| (turn.name.clone(), at as u8 + 1)))
    }

    pub fn turn_name(self, turn: u8) -> String {
        let entry = self.game.rules.calendar.get(usize::from(turn).wrapping_sub(1));
        entry.map_or_else(|| turn.to_string(), |entry| entry.name.clone())
    }
}

/// Where a unit is, for people.
pub(super) fn place_name(at: Hex) -> String {
    match at {
        place::OUT => "out of the game".into(),
        place::AWAITING => "off the map".into(),
        place::ELIMINATED => "eliminated".into(),
        hex => format!("{:04}", hex_number(hex)),
    }
}
