//! What a scenario starts with besides blocks: relations, fronts, production, what has happened, what decides it (16, 17, 19,
//! 22).

use sandtable_core::Hex;

use super::Cost;
use crate::ids::{BlockId, Camp, EventId, Faction, Front, NationId};

/// What decides a scenario (19; the scenario's own page).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Goal {
    /// Foreign recognition, by pacified cities (1936 rule 9).
    #[default]
    Recognition,
    /// Finland's defeat or armistice, with what it cost (1939A).
    WinterWar,
    /// Norway's defeat or conquest, with the balance of command values (1939B).
    Weser,
    /// The eight conditions of 1940A, or England invaded.
    FallOfFrance,
    /// The campaign: decisive, major and minor victories (19.2 to 19.4).
    Campaign,
    /// The twenty Victory Cities of 1944 (19.5).
    VictoryCities {
        /// Allies and Soviets are rivals too: each plays for its own cities (19.51).
        rivals: bool,
    },
}

impl Goal {
    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            Goal::Recognition => "recognition",
            Goal::WinterWar => "winter_war",
            Goal::Weser => "weser",
            Goal::FallOfFrance => "fall_of_france",
            Goal::Campaign => "campaign",
            Goal::VictoryCities { rivals: false } => "victory_cities",
            Goal::VictoryCities { rivals: true } => "victory_cities_rivals",
        }
    }
}

/// Something that holds at the start, or has happened for good before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Fact {
    /// The Phoney War: no Allied declarations of war, France builds little (20.43).
    PhoneyWar,
    /// The pact of Germany and the Soviet Union (20.14, 20.58).
    MolotovPact,
    /// France has been defeated (20.47).
    FrenchDefeated,
    /// The Second Front is open (16.6, 2F).
    SecondFront,
    /// Sweden lets German troops and ore pass (20.83).
    SwedishComplicity,
    /// The Winter War is being fought (21.481).
    WinterWar,
    /// Finland has had its armistice; Karelia is Soviet (21.482).
    FinnishArmistice,
    /// The Soviet Union has been attacked (20.56).
    GreatPatrioticWar,
    /// The Balkans are pacified (17.4).
    BalkansPacified,
    /// The Allies hold the Mediterranean Front (17.6).
    MediterraneanVictory,
    /// The first winter of the East Front is over: no Winter Paralysis any more (12.45).
    EastWinterOver,
    /// German headquarters in the West cost more for the rest of the game (11.734).
    StrategicBombing,
    /// Paratroops of the Axis do not drop any more (14.7).
    ParasGrounded,
    /// The Axis has lost its surprise for good (20.16).
    AxisSurpriseLost,
    /// The Axis has broken faith with a friend (16.41).
    AxisTreason,
    /// The Allies have (16.41).
    AlliedTreason,
    /// An armistice was offered to France and refused (20.46).
    ArmisticeRefused,
    /// France fights on beside Britain (20.491).
    AngloFrenchUnion,
    /// Finland was offered an armistice, and it was refused (21.482).
    FinnishArmisticeRefused,
    /// Denmark has submitted this month: Norway may be surprised (21.493).
    WeserWindow,
    /// Solidarity has failed twice: the Allies must offer the French Armistice (20.45).
    ArmisticeForced,
    /// The Axis has declared war on Vichy: France may revolt at any time (16.731).
    VichyBetrayed,
    /// The month of the partition of Poland: the Axis is to leave the east of it (20.14).
    PartitionMonth,
    /// France has surrendered without an offer of armistice, or its armistice has been offered (20.46).
    ArmisticeOffered,
    /// Allied paratroops do not drop any more (14.7).
    AlliedParasGrounded,
    /// Soviet paratroops do not drop any more (14.7).
    SovietParasGrounded,
    /// In this player turn mud does not slow the fire of Axis armour in the West (1944 rule 8).
    BulgeSurprise,
    /// The Axis has had the turn in which it does not (1944 rule 8).
    BulgePlayed,
    /// The Axis has surprised the Soviets, who have not had their player turn since (20.54).
    SovietsSurprised,
}

impl Fact {
    /// All, in the order of their numbers.
    pub const ALL: [Fact; 29] = [
        Fact::PhoneyWar,
        Fact::MolotovPact,
        Fact::FrenchDefeated,
        Fact::SecondFront,
        Fact::SwedishComplicity,
        Fact::WinterWar,
        Fact::FinnishArmistice,
        Fact::GreatPatrioticWar,
        Fact::BalkansPacified,
        Fact::MediterraneanVictory,
        Fact::EastWinterOver,
        Fact::StrategicBombing,
        Fact::ParasGrounded,
        Fact::AxisSurpriseLost,
        Fact::AxisTreason,
        Fact::AlliedTreason,
        Fact::ArmisticeRefused,
        Fact::AngloFrenchUnion,
        Fact::FinnishArmisticeRefused,
        Fact::WeserWindow,
        Fact::ArmisticeForced,
        Fact::VichyBetrayed,
        Fact::PartitionMonth,
        Fact::ArmisticeOffered,
        Fact::AlliedParasGrounded,
        Fact::SovietParasGrounded,
        Fact::BulgeSurprise,
        Fact::BulgePlayed,
        Fact::SovietsSurprised,
    ];
    /// That a faction's paratroops do not drop any more (14.7).
    pub(crate) const fn grounded(faction: crate::ids::Faction) -> Fact {
        match faction {
            crate::ids::Faction::Axis => Fact::ParasGrounded,
            crate::ids::Faction::Allies => Fact::AlliedParasGrounded,
            crate::ids::Faction::Soviets => Fact::SovietParasGrounded,
        }
    }
    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            Fact::PhoneyWar => "phoney_war",
            Fact::MolotovPact => "molotov_pact",
            Fact::FrenchDefeated => "french_defeated",
            Fact::SecondFront => "second_front",
            Fact::SwedishComplicity => "swedish_complicity",
            Fact::WinterWar => "winter_war",
            Fact::FinnishArmistice => "finnish_armistice",
            Fact::GreatPatrioticWar => "great_patriotic_war",
            Fact::BalkansPacified => "balkans_pacified",
            Fact::MediterraneanVictory => "mediterranean_victory",
            Fact::EastWinterOver => "east_winter_over",
            Fact::StrategicBombing => "strategic_bombing",
            Fact::ParasGrounded => "paras_grounded",
            Fact::AxisSurpriseLost => "axis_surprise_lost",
            Fact::AxisTreason => "axis_treason",
            Fact::AlliedTreason => "allied_treason",
            Fact::ArmisticeRefused => "armistice_refused",
            Fact::AngloFrenchUnion => "anglo_french_union",
            Fact::FinnishArmisticeRefused => "finnish_armistice_refused",
            Fact::WeserWindow => "weser_window",
            Fact::ArmisticeForced => "armistice_forced",
            Fact::VichyBetrayed => "vichy_betrayed",
            Fact::PartitionMonth => "partition_month",
            Fact::ArmisticeOffered => "armistice_offered",
            Fact::AlliedParasGrounded => "allied_paras_grounded",
            Fact::SovietParasGrounded => "soviet_paras_grounded",
            Fact::BulgeSurprise => "bulge_surprise",
            Fact::BulgePlayed => "bulge_played",
            Fact::SovietsSurprised => "soviets_surprised",
        }
    }
}

/// Upon what a block comes that has no month of arrival (11.8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Condition {
    /// The Mediterranean Front has become active: in the production that follows (21.322).
    MediterraneanActive,
    /// France has been defeated: in the production that follows (20.47).
    FrenchDefeat,
    /// Allied control of Algeria or Tunisia, or Vichy's surrender (20.493).
    FreeFrance,
    /// The Soviet Strategic Reserve, by event or belligerency (20.53).
    StrategicReserve,
    /// Soviet belligerency (20.521).
    ReserveArmy,
    /// An uprising in its country (16.731).
    Uprising,
    /// The uprising of Yugoslavia under Tito (16.732).
    Tito,
    /// Spanish volunteers (17.7).
    SpanishVolunteers,
}

impl Condition {
    /// How many there are.
    pub const COUNT: usize = 8;
    /// All, in the order of their numbers.
    pub const ALL: [Condition; Condition::COUNT] = [
        Condition::MediterraneanActive,
        Condition::FrenchDefeat,
        Condition::FreeFrance,
        Condition::StrategicReserve,
        Condition::ReserveArmy,
        Condition::Uprising,
        Condition::Tito,
        Condition::SpanishVolunteers,
    ];
    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            Condition::MediterraneanActive => "mf_activation",
            Condition::FrenchDefeat => "french_defeat",
            Condition::FreeFrance => "ff2_mtn",
            Condition::StrategicReserve => "strategic_reserve",
            Condition::ReserveArmy => "reserve_army",
            Condition::Uprising => "uprising",
            Condition::Tito => "tito",
            Condition::SpanishVolunteers => "spanish_volunteers",
        }
    }
}

/// How strong an army is to be (1940A).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ArmyRequirement {
    /// Steps of its units, at least.
    pub steps: u16,
    /// Headquarters with them, at least.
    pub headquarters: u16,
}

/// Where the sides stand when the scenario begins.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Situation {
    /// What decides the scenario.
    pub goal: Goal,
    /// Who has naval supremacy; `None` for parity (15.8).
    pub supremacy: Option<Camp>,
    /// What holds at the start.
    pub facts: Vec<Fact>,
    /// Diplomatic events that have happened (16.6).
    pub events: Vec<EventId>,
    /// Events that were tried, failed, and may not come again.
    pub failed: Vec<EventId>,
    /// Cost of Soviet headquarters, which reforms of the army lower (20.54); 0 where the
    /// Soviets have no part.
    pub soviet_headquarters: Cost,
    /// Production points a faction allots to a front each month (11.5).
    pub allotments: Vec<(Faction, Front, i16)>,
    /// Points saved before the scenario, by front (11.4).
    pub saved: Vec<(Faction, Front, i16)>,
    /// Points a month that a faction receives from a month of the scenario on, in place of what its places yield; sorted by
    /// month.
    pub fixed_income: Vec<(u8, Faction, i16)>,
    /// Territories that have passed to another nation for good, such as `east_poland` (20.58).
    pub annexed: Vec<(String, NationId)>,
    /// Nations that produce for themselves, cut off from their great power (20.64).
    pub isolated: Vec<NationId>,
    /// Conquered nations whose production is exploited (16.92).
    pub exploited: Vec<NationId>,
    /// Demoralised nations (16.71).
    pub demoralised: Vec<NationId>,
    /// Letters of the conditions of 1940A that count as fulfilled whatever happens (1940C).
    pub granted: Vec<u8>,
    /// What the conditions b, c and d of 1940A ask for: in the East of Romania, in East Prussia, in Western Poland.
    pub armies: [ArmyRequirement; 3],
    /// Nations in uprising (16.73).
    pub uprising: Vec<NationId>,
    /// Units that may not leave their home for good (16.311).
    pub restricted: Vec<BlockId>,
    /// Units of minor powers set free to fight abroad (17.3).
    pub released: Vec<BlockId>,
    /// Units out of the game for good (16.91).
    pub removed: Vec<BlockId>,
    /// The only events that may be tried, if the scenario names them (1940C).
    pub only_events: Option<Vec<EventId>>,
    /// Battles at the start: where, and the original defender (7.12).
    pub battles: Vec<(Hex, Camp)>,
    /// Order of the first fortnight, if the scenario names it; else as ever.
    pub first_order: Option<Vec<Faction>>,
}

impl Situation {
    /// Whether something holds at the start.
    pub fn holds(&self, fact: Fact) -> bool {
        self.facts.contains(&fact)
    }
    /// What a faction receives in a month in place of its production, if anything is fixed.
    pub fn income(&self, faction: Faction, month: u8) -> Option<i16> {
        let known = |&&(from, whose, _): &&(u8, Faction, i16)| whose == faction && from <= month;
        self.fixed_income.iter().rev().find(known).map(|&(_, _, points)| points)
    }
}
