//! The sequence of play as an enumeration (3): every point at which somebody may have to decide.
//!
//! Weather, fuel receipt, supply, initiative, the draw of a marker, victory and the turn record need no decision and
//! happen between the phases ([`crate::sequence`]).

/// What is being decided. Rule numbers in brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    // A. Strategic Segment
    /// Optional groups of reinforcements may be taken (R81).
    OptionalGroups,
    /// Formations may be put into Reserve (5.3).
    Reserve,
    /// The Second Player leaves markers out of his cup (7.14).
    FillingCup,

    // B. Operations Segment: one Operations Sequence (7.2)
    /// Which marker is played, or both combined (7.22, 7.3); on turn 1 the German's free choice (R10).
    Marker,
    /// A leader may help to combine (7.33c).
    CombinePoints,
    /// Mobile, Assault or Pass (7.21).
    Sequence,
    /// "Activate any Formation" names one (4.25).
    Formation,
    /// Fuel is spent for the formation (6.43a).
    Fuel,
    /// Army units are activated (7.4).
    ArmyUnits,
    /// Command points for an attempt out of range (7.45).
    ArmyPoints,
    /// Who digs (14.26), in an Assault Sequence.
    Engineering,
    /// Which unit moves next (8).
    Movement,
    /// Where the unit or stack at hand goes (8), also in reaction (9.3).
    Stack,
    /// Which hex is attacked (9.1).
    Declaring,
    /// Which units attack it, and on which table (9.1, 10.3).
    Attackers,
    /// Which attacked hex refuses combat (9.2).
    Refusal,
    /// Its lead (9.23a).
    RefusalLead,
    /// Which unit reacts (9.3).
    Reaction,
    /// Command points for its check.
    ReactionPoints,
    /// Which attacked hex declares No Retreat (9.4).
    NoRetreat,
    /// Its lead (9.43a).
    NoRetreatLead,
    /// Command points for its check.
    NoRetreatPoints,

    // Combat: a declared attack, or an overrun (10, 8.5). Who decides is `State::decider`.
    /// Which declared attack is fought next (10.0).
    Combat,
    /// The attacking lead (step a).
    AttackLead,
    /// The defending lead (step a).
    DefenceLead,
    /// Air units are committed, the Soviet's first (step b, 13.2).
    Air,
    /// The lead of the air units (step b).
    AirLead,
    /// Command points for air coordination.
    AirPoints,
    /// Supporting artillery is named, the Defender's first (step c, 12).
    Artillery,
    /// Which adjacent artillery unit of the attack is coordinated by itself (12.17).
    SureArtillery,
    /// The lead of the artillery (step d).
    ArtilleryLead,
    /// Command points for artillery coordination.
    ArtilleryPoints,
    /// Command points for ground coordination (step e).
    GroundPoints,
    /// Who loses the next step, Defender first (step k, 11.2).
    Losses,
    /// Who loses the step of a hex with a No-Retreat marker in place of its retreat (11.42).
    NoRetreatLoss,
    /// Where the unit at hand retreats to (11.3, 11.5), after combat, overrun or refusal.
    Retreat,
    /// Who of those that retreated leaves a hex that holds too much (11.34).
    Excess,
    /// Who loses the step of the Motorised Advantage: a retreat past enemies with red boxes (11.56d).
    MotorisedAdvantage,
    /// The lead of a group that retreated through an enemy zone of control (11.56b).
    GroupLead,
    /// Where the rocket unit at hand goes in its Special Retreat (16.3).
    SpecialRetreat,
    /// Who loses the step of an overrun that has failed, for it has not cleared the hex (8.57).
    FailedOverrun,
    /// Whether and where the unit at hand advances (11.6), after combat or refusal.
    Advance,

    // C. Reorganisation Segment
    /// Whose recovery check is next, and with which command points (3.75b).
    Recovery,
    /// The game has ended.
    Over,
}

impl Phase {
    /// Whether the phase belongs to `combat`.
    #[inline]
    pub fn is_combat(self) -> bool {
        (Phase::Combat..=Phase::Advance).contains(&self)
    }
}

/// What the active player does in his Operations Sequence (7.21).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Sequence {
    /// None is under way.
    #[default]
    None,
    /// Mobile.
    Mobile,
    /// Assault.
    Assault,
}
