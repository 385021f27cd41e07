//! Preconditions of diplomatic events (16.6): expressions over predicates, as the data word them, read once and asked often.
//!
//! ```text
//! expression = predicate | "!" expression | expression "&" expression | expression "|" expression | "(" expression ")"
//! predicate  = name "(" word { "," word } ")"       such as neutral(italy), ctrl_axis(Leningrad), flag(phoney_war)
//! ```

use sandtable_core::Index;

use crate::game::EuroFront;
use crate::ids::{EventId, Faction, Hexes, NationId};
use crate::nations::NationTables;
use crate::rules::{Fact, Goal, Rules, Status};
use crate::state::State;

/// What an expression asks of a place or nation: all its places.
#[derive(Clone, PartialEq, Debug)]
pub enum Realm {
    /// A nation's home territory as it is now.
    Nation(NationId),
    /// Fixed places: a city, an island, a country of 1939.
    Places(Box<Hexes>),
}

/// A predicate.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Predicate {
    Neutral(NationId),
    Of(Faction, NationId),
    Belligerent(NationId),
    CooperatesWithAxis(NationId),
    Defeated(NationId),
    Exploited(NationId),
    Controlled(Faction, Realm),
    Happened(EventId),
    Declared(Faction, NationId),
    /// From this month on, in months since September 1939.
    From(i16),
    /// Up to this month.
    Until(i16),
    Flag(Flag),
}

/// What else a precondition may ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // as the data word them; the heads of `events.toml` say what each means
pub enum Flag {
    Holds(Fact),
    PeaceForAYear,
    ArmisticeForASeason,
    StrategicReserveLeft,
    AxisInSovietZone,
    AxisInMotherRussia,
    RedArmyFull,
    Reserved100,
    RearmamentUnspent,
    AlliedSupremacy,
    AlliedBaseInScandinavia,
    AllBasesInScandinavia,
    NoAxisAtlanticPort,
    SovietsInNorway,
    DryMonth,
    AxisInFrance,
    OpenItalianBorder,
    DesertVictory,
    NorthAfricaVictory,
    AlliesInPortugal,
    BalkansPacified,
    MandateLeft,
    OpenMandate,
    TreasonOnMandate,
    NoAlliesInIndia,
}

/// What a die is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Count {
    AxisReserveHalved,
    WarYearAndHexesInGermany,
    AlliedHexesInOccupiedFrance,
    Beachheads,
    AxisHexesInFranceAndDeadFrench,
    OpenFinnishBorder,
    AxisPortsInNorthAfrica,
    AxisMandateCapitals,
    OpenTurkishBorder,
}

/// A part of an expression in the order of its evaluation.
#[derive(Clone, PartialEq, Debug)]
enum Part {
    Is(Predicate),
    Not,
    And,
    Or,
}

/// An expression, ready to be asked.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition(Vec<Part>);

/// Deepest nesting of an expression.
const DEPTH: usize = 16;

const FLAGS: [(&str, Flag); 31] = [
    ("finnish_armistice", Flag::Holds(Fact::FinnishArmistice)),
    ("finnish_armistice_refused", Flag::Holds(Fact::FinnishArmisticeRefused)),
    ("phoney_war", Flag::Holds(Fact::PhoneyWar)),
    ("anglo_french_union", Flag::Holds(Fact::AngloFrenchUnion)),
    ("swedish_complicity", Flag::Holds(Fact::SwedishComplicity)),
    ("molotov_pact", Flag::Holds(Fact::MolotovPact)),
    ("armistice_or_defeat_12_months", Flag::PeaceForAYear),
    ("armistice_full_season", Flag::ArmisticeForASeason),
    ("strategic_reserve_left", Flag::StrategicReserveLeft),
    ("axis_in_soviet_zone", Flag::AxisInSovietZone),
    ("axis_in_mother_russia", Flag::AxisInMotherRussia),
    ("red_army_full", Flag::RedArmyFull),
    ("reserved_100", Flag::Reserved100),
    ("sa_unspent", Flag::RearmamentUnspent),
    ("naval_supremacy_allied", Flag::AlliedSupremacy),
    ("allied_base_norway_or_denmark", Flag::AlliedBaseInScandinavia),
    ("all_bases_norway_and_denmark", Flag::AllBasesInScandinavia),
    ("no_axis_atlantic_port_with_rail", Flag::NoAxisAtlanticPort),
    ("soviets_in_norway", Flag::SovietsInNorway),
    ("wf_dry_month", Flag::DryMonth),
    ("axis_hex_in_france", Flag::AxisInFrance),
    ("undefended_french_hex_next_to_italy", Flag::OpenItalianBorder),
    ("axis_desert_victory", Flag::DesertVictory),
    ("axis_na_victory", Flag::NorthAfricaVictory),
    ("allied_units_in_portugal", Flag::AlliesInPortugal),
    ("balkans_pacified", Flag::BalkansPacified),
    ("mandate_not_yet_belligerent", Flag::MandateLeft),
    ("ungarrisoned_allied_mandate", Flag::OpenMandate),
    ("allied_treason_on_mandate", Flag::TreasonOnMandate),
    ("no_allied_unit_in_india", Flag::NoAlliesInIndia),
    ("second_front", Flag::Holds(Fact::SecondFront)),
];

const COUNTS: [(&str, Count); 9] = [
    ("axis_ef_reserve_halved", Count::AxisReserveHalved),
    ("war_year_plus_hexes_in_greater_germany", Count::WarYearAndHexesInGermany),
    ("allied_hexes_occupied_france_ports_double", Count::AlliedHexesInOccupiedFrance),
    ("allied_bh_prep_1_ready_2", Count::Beachheads),
    ("axis_hexes_in_france_plus_dead_french_units", Count::AxisHexesInFranceAndDeadFrench),
    ("undefended_soviet_areas_on_finnish_border", Count::OpenFinnishBorder),
    ("axis_major_ports_libya_egypt", Count::AxisPortsInNorthAfrica),
    ("axis_me_mandate_capitals", Count::AxisMandateCapitals),
    ("undefended_turkish_border_cities", Count::OpenTurkishBorder),
];

/// The count of a name.
pub(crate) fn count(name: &str) -> Result<Count, String> {
    let known = COUNTS.iter().find(|(known, _)| *known == name);
    known.map(|&(_, count)| count).ok_or_else(|| format!("`{name}` is no count that the rules know"))
}

/// Months since September 1939 of a month as the data name it: `1939-10`.
pub(crate) fn months_since_war(id: &str) -> Result<i16, String> {
    let parts = id
        .split_once('-')
        .and_then(|(year, month)| Some((year.parse::<i16>().ok()?, month.parse::<i16>().ok()?)));
    let (year, month) = parts.ok_or_else(|| format!("`{id}` is no month, as 1939-10 is"))?;
    Ok((year - 1939) * 12 + month - 9)
}

/// Reads an expression.
pub(crate) struct Reader<'a> {
    rules: &'a Rules,
    nations: &'a NationTables,
    words: Vec<&'a str>,
    at: usize,
    parts: Vec<Part>,
}

impl<'a> Reader<'a> {
    /// The condition that a text words.
    ///
    /// # Errors
    /// Says which word is unknown or missing.
    pub(crate) fn read(
        text: &'a str,
        rules: &'a Rules,
        nations: &'a NationTables,
    ) -> Result<Condition, String> {
        let mut reader = Reader { rules, nations, words: words(text), at: 0, parts: Vec::new() };
        let read = reader.alternatives().and_then(|()| match reader.next() {
            None => Ok(()),
            Some(word) => Err(format!("`{word}` is one word too many")),
        });
        read.map_err(|error| format!("`{text}`: {error}"))?;
        let condition = Condition(reader.parts);
        if condition.depth() > DEPTH { Err(format!("`{text}` is nested too deep")) } else { Ok(condition) }
    }

    fn next(&mut self) -> Option<&'a str> {
        self.at += 1;
        self.words.get(self.at - 1).copied()
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at) == Some(&word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        match self.next() {
            Some(found) if found == word => Ok(()),
            other => Err(format!("`{word}` is expected before `{}`", other.unwrap_or("its end"))),
        }
    }

    fn alternatives(&mut self) -> Result<(), String> {
        self.conjunction()?;
        while self.takes("|") {
            self.conjunction()?;
            self.parts.push(Part::Or);
        }
        Ok(())
    }

    fn conjunction(&mut self) -> Result<(), String> {
        self.factor()?;
        while self.takes("&") {
            self.factor()?;
            self.parts.push(Part::And);
        }
        Ok(())
    }

    fn factor(&mut self) -> Result<(), String> {
        if self.takes("!") {
            self.factor()?;
            self.parts.push(Part::Not);
            return Ok(());
        }
        if self.takes("(") {
            self.alternatives()?;
            return self.expect(")");
        }
        let name = self.next().ok_or("a predicate is missing")?;
        self.expect("(")?;
        let first = self.next().ok_or("a word is missing")?;
        let second = if self.takes(",") { self.next() } else { None };
        self.expect(")")?;
        let predicate = self.predicate(name, first, second)?;
        self.parts.push(Part::Is(predicate));
        Ok(())
    }

    fn predicate(&self, name: &str, first: &str, second: Option<&str>) -> Result<Predicate, String> {
        if name == "dow" {
            let nation = second.ok_or("dow names who has declared war on whom")?;
            return Ok(Predicate::Declared(faction(first)?, self.nation(nation)?));
        }
        if second.is_some() {
            return Err(format!("`{name}` asks of one thing alone"));
        }
        Ok(match name {
            "neutral" => Predicate::Neutral(self.nation(first)?),
            "axis" => Predicate::Of(Faction::Axis, self.nation(first)?),
            "allied" => Predicate::Of(Faction::Allies, self.nation(first)?),
            "belligerent" => Predicate::Belligerent(self.nation(first)?),
            "coop_axis" => Predicate::CooperatesWithAxis(self.nation(first)?),
            "defeated" => Predicate::Defeated(self.nation(first)?),
            "exploited" => Predicate::Exploited(self.nation(first)?),
            "ctrl_axis" => Predicate::Controlled(Faction::Axis, self.realm(first)?),
            "ctrl_allied" => Predicate::Controlled(Faction::Allies, self.realm(first)?),
            "ctrl_soviet" => Predicate::Controlled(Faction::Soviets, self.realm(first)?),
            "de" => {
                let event = self.rules.event(first);
                Predicate::Happened(event.ok_or_else(|| format!("`{first}` is no event"))?)
            }
            "from" => Predicate::From(months_since_war(first)?),
            "until" => Predicate::Until(months_since_war(first)?),
            "flag" => {
                let known = FLAGS.iter().find(|(known, _)| *known == first);
                Predicate::Flag(known.ok_or_else(|| format!("`{first}` is no flag that the rules know"))?.1)
            }
            _ => return Err(format!("`{name}` is no predicate that the rules know")),
        })
    }

    fn nation(&self, id: &str) -> Result<NationId, String> {
        self.rules.nation(id).ok_or_else(|| format!("`{id}` is no nation"))
    }

    /// A nation, the USSR of 1939, a country or territory, or a place.
    fn realm(&self, word: &str) -> Result<Realm, String> {
        if let Some(nation) = self.rules.nation(word) {
            return Ok(Realm::Nation(nation));
        }
        let name = if word == "mother_russia" { "ussr" } else { word };
        let lands = self.nations.lands.iter().filter(|land| land.country == name || land.territory == name);
        let places = lands.fold(Hexes::EMPTY, |all, land| all.or(&land.hexes));
        if !places.is_empty() {
            return Ok(Realm::Places(Box::new(places)));
        }
        let place =
            self.rules.place(word).ok_or_else(|| format!("`{word}` is neither a land nor a place"))?;
        Ok(Realm::Places(Box::new(Hexes::one(place))))
    }
}

fn faction(id: &str) -> Result<Faction, String> {
    let known = Faction::ALL.into_iter().find(|faction| faction.id() == id);
    known.ok_or_else(|| format!("`{id}` is no faction"))
}

/// Names and signs of an expression.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let sign = "()!&|,".contains(first);
        let end = if sign { 1 } else { rest.find(|letter| "()!&|,".contains(letter)).unwrap_or(rest.len()) };
        words.push(rest[..end].trim_end());
        rest = rest[end..].trim_start();
    }
    words
}

impl Condition {
    fn depth(&self) -> usize {
        let (mut depth, mut most) = (0usize, 0);
        for part in &self.0 {
            match part {
                Part::Is(_) => depth += 1,
                Part::Not => {}
                Part::And | Part::Or => depth -= 1,
            }
            most = most.max(depth);
        }
        most
    }

    /// Whether it holds.
    pub(crate) fn holds(&self, game: &EuroFront, state: &State) -> bool {
        let mut stack = [false; DEPTH];
        let mut top = 0;
        for part in &self.0 {
            match part {
                Part::Is(predicate) => {
                    stack[top] = game.predicate_holds(state, predicate);
                    top += 1;
                }
                Part::Not => stack[top - 1] = !stack[top - 1],
                Part::And => {
                    top -= 1;
                    stack[top - 1] &= stack[top];
                }
                Part::Or => {
                    top -= 1;
                    stack[top - 1] |= stack[top];
                }
            }
        }
        stack[0]
    }
}

impl EuroFront {
    /// Whether a nation stands aside because the scenario leaves it out: the USSR in 1940A, B and C (1940A rule 1). It is
    /// neutral, and does nothing.
    pub(crate) fn is_left_out(&self, nation: NationId) -> bool {
        nation == self.nations().ussr
            && self.rules.scenario.situation.goal == Goal::FallOfFrance
            && self.rules.nations[nation.at()].status == Status::Absent
    }

    fn predicate_holds(&self, state: &State, predicate: &Predicate) -> bool {
        match *predicate {
            Predicate::Neutral(nation) => self.is_neutral(state, nation) || self.is_left_out(nation),
            Predicate::Of(faction, nation) => self.faction_of(state, nation) == Some(faction),
            Predicate::Belligerent(nation) => self.faction_of(state, nation).is_some(),
            Predicate::CooperatesWithAxis(nation) => self.status(state, nation) == Status::CooperatesWithAxis,
            Predicate::Defeated(nation) => self.status(state, nation) == Status::Defeated,
            Predicate::Exploited(nation) => state.diplomacy.exploited.contains(nation),
            Predicate::Controlled(faction, ref realm) => self.realm_is_held(state, faction, realm),
            Predicate::Happened(event) => state.diplomacy.happened[event] > 0,
            Predicate::Declared(faction, nation) => {
                state.diplomacy.declared[faction.index()].contains(nation)
            }
            Predicate::From(month) => self.months_since_war(state) >= month,
            Predicate::Until(month) => self.months_since_war(state) <= month,
            Predicate::Flag(flag) => self.flag_holds(state, flag),
        }
    }

    /// Whether a faction controls all of a realm; a neutral is controlled by nobody (B58).
    fn realm_is_held(&self, state: &State, faction: Faction, realm: &Realm) -> bool {
        let places = match *realm {
            Realm::Nation(nation) if self.is_neutral(state, nation) => return false,
            Realm::Nation(nation) => self.home(state, nation),
            Realm::Places(ref places) => **places,
        };
        let all = self.controls(state, faction.camp(), &places);
        match faction {
            Faction::Axis => all,
            Faction::Allies => all && !places.intersects(&state.owners.soviet()),
            Faction::Soviets => all && places.difference(&state.owners.soviet()).is_empty(),
        }
    }

    /// Months since September 1939; before it below 0.
    pub fn months_since_war(&self, state: &State) -> i16 {
        self.tables.months[usize::from(state.month)]
    }
}
