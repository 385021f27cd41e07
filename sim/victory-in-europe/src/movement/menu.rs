//! What there is to choose from in the Movement Phase, as sets: told how many, or drawn from, without making a list.

use crate::action::Action;
use crate::rules::{Areas, MAX_AREAS, Seas, Units};
use sandtable_core::AreaSet;

/// A set of places: areas, and sea zones by [`crate::state::sea`].
pub(super) type Places = AreaSet<3>;

/// Places by the coast a unit ends on: 0 = none, as for all but ships in an area.
pub(super) type Berths = [Places; 3];

/// Sea zones as places.
pub(super) fn of_seas(zones: Seas) -> Places {
    let mut places = Places::EMPTY;
    places.0[MAX_AREAS / 64] = u64::from(zones) << (MAX_AREAS % 64);
    places
}

/// The legal actions of a decision, in the order of [`Action`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Menu {
    /// [`Action::Pass`].
    pub pass: bool,
    /// [`Action::Select`].
    pub units: Units,
    /// [`Action::Go`].
    pub goals: Berths,
    /// [`Action::Strategic`].
    pub transfers: Berths,
    /// [`Action::Invade`].
    pub invasions: Areas,
    /// [`Action::MoveFactory`], to be told where to.
    pub factories: Areas,
}

impl Menu {
    pub(super) const EMPTY: Menu = Menu {
        pass: false,
        units: Units::EMPTY,
        goals: [Places::EMPTY; 3],
        transfers: [Places::EMPTY; 3],
        invasions: Areas::EMPTY,
        factories: Areas::EMPTY,
    };

    /// How many actions there are of each kind, and in all.
    pub(crate) fn count(&self) -> Counts {
        let of_each = [
            u32::from(self.pass),
            size(&self.units),
            berths(&self.goals),
            berths(&self.transfers),
            size(&self.invasions),
            size(&self.factories),
        ];
        Counts { of_each, all: of_each.iter().sum() }
    }

    /// The action with this many before it, of which there must be so many.
    pub(crate) fn nth(&self, counts: &Counts, mut nth: u32) -> Action {
        let mut kind = 0;
        while kind < 5 && nth >= counts.of_each[kind] {
            nth -= counts.of_each[kind];
            kind += 1;
        }
        let member = |set: &Places| set.nth(nth).unwrap_or_default();
        match kind {
            0 => Action::Pass,
            1 => Action::Select(member(&self.units)),
            2 => {
                let (place, coast) = nth_berth(&self.goals, nth);
                Action::Go(place, coast)
            }
            3 => {
                let (place, coast) = nth_berth(&self.transfers, nth);
                Action::Strategic(place, coast)
            }
            4 => Action::Invade(member(&self.invasions)),
            _ => {
                let area = member(&self.factories);
                Action::MoveFactory(area, area)
            }
        }
    }

    /// Whether a picked unit can go nowhere.
    pub(super) fn is_bare(&self) -> bool {
        self.goals.iter().chain(&self.transfers).all(Places::is_empty)
    }

    /// Appends them all, in ascending order.
    pub(crate) fn list(&self, out: &mut Vec<Action>) {
        if self.pass {
            out.push(Action::Pass);
        }
        out.extend(self.units.iter().map(Action::Select));
        each_berth(&self.goals, |place, coast| out.push(Action::Go(place, coast)));
        each_berth(&self.transfers, |place, coast| out.push(Action::Strategic(place, coast)));
        out.extend(self.invasions.iter().map(Action::Invade));
        out.extend(self.factories.iter().map(|area| Action::MoveFactory(area, area)));
    }
}

/// How many actions a [`Menu`] offers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    of_each: [u32; 6],
    pub all: u32,
}

fn size(set: &Places) -> u32 {
    if set.is_empty() { 0 } else { set.len() }
}

fn berths(berths: &Berths) -> u32 {
    berths.iter().map(size).sum()
}

fn each_berth(berths: &Berths, mut each: impl FnMut(u8, u8)) {
    for place in berths.iter().fold(Places::EMPTY, Places::or) {
        for (coast, set) in (0..).zip(berths) {
            if set.has(place) {
                each(place, coast);
            }
        }
    }
}

fn nth_berth(berths: &Berths, mut nth: u32) -> (u8, u8) {
    let [ashore, coasts @ ..] = berths;
    if coasts.iter().all(Places::is_empty) {
        return (ashore.nth(nth).unwrap_or_default(), 0);
    }
    for place in berths.iter().fold(Places::EMPTY, Places::or) {
        for (coast, set) in (0..).zip(berths) {
            if set.has(place) {
                if nth == 0 {
                    return (place, coast);
                }
                nth -= 1;
            }
        }
    }
    (0, 0)
}
