//! Where units are fed: who goes where nobody feeds him is lost (3.0).

use sandtable_europe_engulfed::ids::{Area, NATIONS};
use sandtable_europe_engulfed::supply::Room;
use sandtable_europe_engulfed::{EuropeEngulfed, Nation, State};

/// How much less an area draws whom nobody feeds there.
pub(super) const STARVES: f32 = 1000.0;

/// By nation, once it is asked for: where how many more of its units are fed.
#[derive(Debug)]
pub(super) struct Rooms([Option<Room>; NATIONS]);

impl Rooms {
    pub fn new() -> Rooms {
        Rooms([None; NATIONS])
    }

    pub fn of(&mut self, game: &EuropeEngulfed, state: &State, nation: Nation) -> &mut Room {
        self.0[nation.index()].get_or_insert_with(|| game.room(state, nation))
    }

    /// Where units of a nation are fed, if that has been asked for.
    pub fn known(&self, nation: Nation) -> Option<&Room> {
        self.0[nation.index()].as_ref()
    }
}

/// Whether a unit that comes from an area, or is deployed, can be fed in another: ships feed so many, who is fed by them already may go
/// where others are (3.2).
pub(super) fn feeds(room: &Room, from: Option<Area>, to: Area) -> bool {
    room.feeds(to) || from.is_some_and(|from| !room.is_by_land(from))
}
