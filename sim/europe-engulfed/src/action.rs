//! Decisions: small, one at a time.

use crate::ids::{Area, KindId, Nation, Sea, UnitId};
use crate::phase::Mode;
use crate::rules::Asset;

/// One decision. Where a phase offers several kinds, those of which there are many come last: they are drawn from without being
/// listed. Which ones are open follows from the phase, the pending decision and the stage of the battle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Decline, stop, stay, or end the phase.
    Pass,
    /// Disable a port (13.32).
    Demolish(Area),
    /// Repair one, a Special Action of this nation (13.32).
    Repair(Nation, Area),
    /// Place a beachhead in a port, a Special Action of this nation (13.32).
    Beachhead(Nation, Area),
    /// Leave a disputed area without a rear guard (7.52), a Special Action of this nation.
    Abandon(Nation, Area),
    /// Drop an airborne unit (7.3).
    Drop(UnitId, Area),
    /// Invade an area from a sea zone (7.2), a Special Action of this nation.
    Invade(Nation, Area, Sea),
    /// A block of the invasion goes on board, or an airborne one is to drop with it.
    Embark(UnitId),
    /// Intercept the naval move with all Fleet Points of the zone (8.2).
    Intercept,
    /// Intercept it in its destination port (14.46).
    MeetInPort,
    /// A Fleet Point changes sea zone (A104).
    Transfer(Nation, Sea, Sea),
    /// Declare war (9.0): by whom, on whom.
    DeclareWar(Nation, Nation),
    /// Agree to what is asked (9.5).
    Agree,
    /// Bring a neutral minor into the war for WERP (13.43, 13.44).
    Induce(Nation),
    /// Take the emergency draft (9.24 f).
    Draft,
    /// German airborne make no more assaults from now on (13.33).
    Renounce,
    /// Pause before Moscow (14.41).
    Pause,
    /// The invasion at hand is Operation Overlord (13.46).
    Overlord,
    /// For a second Special Action of this nation one of its armour blocks goes with it (13.46).
    LandArmour(Nation),
    /// A step for the Yugoslav partisans: a new block of this kind in an area (13.42).
    Partisans(KindId, Area),
    /// Make an air support unit of a fighter and one of these points (14.49).
    Convert(Asset, KindId),
    /// Raid with so many bombers and escorts (2.2).
    Raid(u8, u8),
    /// Meet the raid with so many fighters.
    Interceptors(u8),
    /// And with so many Me-262 (13.35).
    Jets(u8),
    /// So many escorts fire at the Me-262 (13.35).
    AtJets(u8),
    /// Pick a unit: to move, to come into a battle, to leave it.
    Select(UnitId),
    /// Move, deploy or place it in this area.
    Go(Area),
    /// Fight in this area (6.0).
    Attack(Area, Mode),
    /// Spend a Special Action to withdraw before combat (7.51).
    Withdraw,
    /// Spend one to reinforce (7.6).
    Reinforce,
    /// Spend one to counterattack (7.7).
    Counterattack(Mode),
    /// So many air units go into air combat, the others support (6.6).
    Fighters(u8),
    /// Put a supporting air unit on this block.
    Support(UnitId),
    /// Fire with this group: see [`crate::combat::Group`].
    Fire(u8),
    /// This counter takes the hit.
    Take(UnitId),
    /// Spend a Special Action of this nation on strategic movement (5.44).
    BreakthroughStrategic(Nation),
    /// Spend one to fight another round (6.73).
    BreakthroughCombat(Nation, Area, Mode),
    /// Spend one to move into an area (5.42).
    BreakthroughMove(Nation, Area),
    /// Spend one on the unsupplied units of an area (7.9).
    LimitedSupply(Nation, Area),
    /// Buy the first step of a counter of this kind.
    Raise(KindId),
    /// Buy a step for a unit.
    Replace(UnitId),
    /// Buy a field fortification (6.9).
    FieldFort(Area),
    /// Buy a heavy fortification (6.95).
    HeavyFort(Area),
    /// Buy a Fleet Point in a sea zone (4.6).
    Fleet(Sea),
    /// Buy a point or level of an asset of the strategic war (20.2).
    Asset(Asset),
    /// Give a WERP to another nation (4.0).
    Give(Nation),
    /// Buy a Special Action (7.1).
    SpecialAction,
    /// Spend one on unrestricted replacements (7.8).
    Unrestricted,
}

const _: () = assert!(std::mem::size_of::<Action>() <= 8);
