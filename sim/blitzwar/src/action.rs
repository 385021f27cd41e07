//! Decisions: small, one at a time.

use crate::nation::Nation;
use crate::rules::Kind;

/// One decision. Which ones are open follows from the phase and the pending decision of the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Decline, stop, or end the subphase.
    Pass,
    /// Put the next army of the free placement into a zone (19).
    Deploy(u8),
    /// Roll the diplomatic die (9.3).
    Roll,
    /// Choose a card for the turn after the three that wait (10.1).
    Card(u8),
    /// Italian reinforcement: take a unit of this kind (11.2).
    Italian(Kind),
    /// Put the next reinforcement of a nation into a place (11.2, 11.5).
    Place {
        /// Whose unit.
        nation: Nation,
        /// What it is.
        kind: Kind,
        /// Location code.
        place: u8,
    },
    /// Pay the rest of the loss from supply (11.3).
    PaySupply,
    /// Give up a reinforcement unit of this kind instead of supply (11.3).
    GiveUp(Kind),
    /// Hand over two supply units, or one air unit, to the Soviets (11.4).
    Lend(Kind),
    /// Release one counter of a locked type (11.8).
    Release(u8),
    /// Turn a fortified corps back, at any time (15.1).
    Unfortify(u8),
    /// Name the depot that pays next (7, R-16).
    ChooseDepot,
    /// Pay next from this zone, as far as what is paid for is within its reach (7, R-16).
    PayFrom(u8),
    /// Combine or divide counters now (11.10), in phases 3, 6 and 7: one exchange.
    Reorganise,
    /// Combine the first counter with the second, which must stand together, on a counter that is no Elite Army (11.10).
    Merge(u8, u8),
    /// Combine them into an Elite Army (11.7).
    MergeElite(u8, u8),
    /// Detach one corps of this kind (infantry or armour), one ship, or half of a supply counter, as a counter of its own
    /// (11.10).
    Split(u8, Kind),
    /// Exchange a white counter for an Elite Army with the same corps, or the reverse (11.10).
    Exchange(u8),
    /// Eliminate an own counter (11.10).
    Discard(u8),
    /// Pick a counter that is to move.
    Select(u8),
    /// Send the picked counter to a location code.
    Go(u8),
    /// Fight in a sea (12.2).
    NavalAttack(u8),
    /// Put an air unit into the bombing box (13.3).
    Bomb(u8),
    /// Answer with an air unit (13.2).
    Respond(u8),
    /// Fight a round of the Battle of Britain (13.4.3).
    Dogfight,
    /// Turn an air unit at sea into a beachhead at a zone (13.4.5).
    Beachhead {
        /// Air unit at sea.
        counter: u8,
        /// Zone it joins.
        zone: u8,
    },
    /// Fortify one infantry corps of a counter (15.1).
    Fortify(u8),
    /// Pay for a counter to attack without having moved (15.3).
    Activate(u8),
    /// Attack a zone (16.1, 17.1) with all who can; see [`Action::Withhold`].
    Attack(u8),
    /// Leave a counter out of the attack.
    Withhold(u8),
    /// Roll for the attack as it stands.
    Resolve,
    /// Use the German defence shift (16.3.2).
    UseShift,
    /// Waive it.
    WaiveShift,
    /// Lose a corps of this kind from a counter; a fortified corps is turned back instead (16.2).
    Lose(u8, Kind),
    /// Retreat to a zone (17.2).
    Retreat(u8),
    /// Stay, for one more loss (17.2).
    Hold,
    /// Advance with a counter into a zone (16.4, 17.3).
    Advance(u8, u8),
    /// Eliminate a counter over the stacking limit (4).
    Eliminate(u8),
}

const _: () = assert!(std::mem::size_of::<Action>() <= 8);
