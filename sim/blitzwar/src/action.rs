//! Decisions: small, one at a time.

use crate::location::{Counter, Location, Sea, Zone};
use crate::nation::Nation;
use crate::rules::Kind;

/// One decision. Which ones are open follows from the phase and the pending decision of the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Decline, stop, or end the subphase.
    Pass,
    /// Put the next army of the free placement into a zone (19).
    Deploy(Zone),
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
        /// Where.
        place: Location,
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
    Unfortify(Counter),
    /// Name the depot that pays next (7, R-16).
    ChooseDepot,
    /// Pay next from this zone, as far as what is paid for is within its reach (7, R-16).
    PayFrom(Zone),
    /// Combine or divide counters now (11.10), in phases 3, 6 and 7: one exchange.
    Reorganise,
    /// Combine the first counter with the second, which must stand together, on a counter that is no Elite Army (11.10).
    Merge(Counter, Counter),
    /// Combine them into an Elite Army (11.7).
    MergeElite(Counter, Counter),
    /// Detach one corps of this kind (infantry or armour), one ship, or half of a supply counter, as a counter of its own
    /// (11.10).
    Split(Counter, Kind),
    /// Exchange a white counter for an Elite Army with the same corps, or the reverse (11.10).
    Exchange(Counter),
    /// Eliminate an own counter (11.10).
    Discard(Counter),
    /// Pick a counter that is to move.
    Select(Counter),
    /// Send the picked counter to a location.
    Go(Location),
    /// Fight in a sea (12.2).
    NavalAttack(Sea),
    /// Put an air unit into the bombing box (13.3).
    Bomb(Counter),
    /// Answer with an air unit (13.2).
    Respond(Counter),
    /// Fight a round of the Battle of Britain (13.4.3).
    Dogfight,
    /// Turn an air unit at sea into a beachhead at a zone (13.4.5).
    Beachhead {
        /// Air unit at sea.
        counter: Counter,
        /// Zone it joins.
        zone: Zone,
    },
    /// Fortify one infantry corps of a counter (15.1).
    Fortify(Counter),
    /// Pay for a counter to attack without having moved (15.3).
    Activate(Counter),
    /// Attack a zone (16.1, 17.1) with all who can; see [`Action::Withhold`].
    Attack(Zone),
    /// Leave a counter out of the attack.
    Withhold(Counter),
    /// Roll for the attack as it stands.
    Resolve,
    /// Use the German defence shift (16.3.2).
    UseShift,
    /// Waive it.
    WaiveShift,
    /// Lose a corps of this kind from a counter; a fortified corps is turned back instead (16.2).
    Lose(Counter, Kind),
    /// Retreat to a zone (17.2).
    Retreat(Zone),
    /// Stay, for one more loss (17.2).
    Hold,
    /// Advance with a counter into a zone (16.4, 17.3).
    Advance(Counter, Zone),
    /// Eliminate a counter over the stacking limit (4).
    Eliminate(Counter),
}

const _: () = assert!(std::mem::size_of::<Action>() <= 8);
