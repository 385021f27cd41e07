//! What there is to choose from in the Movement Phase, as sets: told how many, or drawn from, without making a list.

use crate::action::Action;
use crate::place::Place;
use crate::rules::{Areas, MAX_AREAS, Seas, Units};
use sandtable_core::{ActionSink, Flow, Index, IndexSet};

/// A set of places: areas, and sea zones by [`crate::place::Place::sea`].
pub(super) type Places = Areas;

/// Places by the coast a unit ends on: 0 = none, as for all but ships in an area.
pub(super) type Berths = [Places; 3];

/// Sea zones as places.
pub(super) fn of_seas(zones: Seas) -> Places {
    let mut places = Places::EMPTY;
    places.0[MAX_AREAS / 64] = u64::from(zones) << (MAX_AREAS % 64);
    places
}

/// The sea zones among some places.
pub(super) fn seas_of(places: &Places) -> Seas {
    (places.0[MAX_AREAS / 64] >> (MAX_AREAS % 64)) as Seas
}

/// What to move next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// [`Action::Pass`].
    pub pass: bool,
    /// [`Action::Select`].
    pub units: Units,
    /// [`Action::Invade`].
    pub invasions: Areas,
    /// [`Action::MoveFactory`], to be told where to.
    pub factories: Areas,
}

/// Where the picked unit goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways {
    /// [`Action::Pass`].
    pub pass: bool,
    /// [`Action::Go`].
    pub goals: Berths,
    /// [`Action::Strategic`].
    pub transfers: Berths,
}

impl Choice {
    /// Offers them all.
    #[inline]
    pub(super) fn offer(&self, out: &mut impl ActionSink<Action>) -> Flow {
        let Choice { pass, units, invasions, factories } = self;
        if out.lists() {
            if *pass {
                out.offer(Action::Pass)?;
            }
            units.iter().try_for_each(|unit| out.offer(Action::Select(unit)))?;
            invasions.iter().try_for_each(|area| out.offer(Action::Invade(area)))?;
            return factories.iter().try_for_each(|area| out.offer(Action::MoveFactory(area, area)));
        }
        let counts = [u32::from(*pass), size(units), size(invasions), size(factories)];
        out.numbered(counts.iter().sum(), |nth| {
            let (kind, nth) = kind_of(&counts, nth);
            match kind {
                0 => Action::Pass,
                1 => Action::Select(member(units, nth)),
                2 => Action::Invade(member(invasions, nth)),
                _ => {
                    let area = member(factories, nth);
                    Action::MoveFactory(area, area)
                }
            }
        })
    }
}

impl Ways {
    /// Offers them all.
    #[inline]
    pub(super) fn offer(&self, out: &mut impl ActionSink<Action>) -> Flow {
        let Ways { pass, goals, transfers } = self;
        if out.lists() {
            if *pass {
                out.offer(Action::Pass)?;
            }
            each_berth(goals, |place, coast| out.offer(Action::Go(place, coast)))?;
            return each_berth(transfers, |place, coast| out.offer(Action::Strategic(place, coast)));
        }
        let counts = [u32::from(*pass), berths(goals), berths(transfers)];
        out.numbered(counts.iter().sum(), |nth| match kind_of(&counts, nth) {
            (0, _) => Action::Pass,
            (1, nth) => {
                let (place, coast) = nth_berth(goals, nth);
                Action::Go(place, coast)
            }
            (_, nth) => {
                let (place, coast) = nth_berth(transfers, nth);
                Action::Strategic(place, coast)
            }
        })
    }

    pub(super) const NONE: Ways =
        Ways { pass: false, goals: [Places::EMPTY; 3], transfers: [Places::EMPTY; 3] };

    /// Whether the picked unit can go nowhere.
    pub(super) fn is_bare(&self) -> bool {
        self.goals.iter().chain(&self.transfers).all(Places::is_empty)
    }
}

/// Of so many actions of each kind, the kind of one by its number, and how many of the kind come before.
#[inline]
fn kind_of<const KINDS: usize>(counts: &[u32; KINDS], mut nth: u32) -> (usize, u32) {
    let mut kind = 0;
    while kind + 1 < KINDS && nth >= counts[kind] {
        nth -= counts[kind];
        kind += 1;
    }
    (kind, nth)
}

fn size<I: Index>(set: &IndexSet<I, 3>) -> u32 {
    if set.is_empty() { 0 } else { set.len() }
}

/// The member with so many smaller ones; there must be so many.
fn member<I: Index>(set: &IndexSet<I, 3>, nth: u32) -> I {
    set.nth(nth).unwrap_or(I::nth(0))
}

fn berths([ashore, coasts @ ..]: &Berths) -> u32 {
    size(ashore) + if lie_apart(coasts) { coasts.iter().map(size).sum() } else { 0 }
}

/// Whether there are any on coasts, as there are for ships alone.
#[inline]
fn lie_apart([one, two]: &[Places; 2]) -> bool {
    one.0.iter().chain(&two.0).fold(0, |any, word| any | word) != 0
}

fn each_berth(berths: &Berths, mut each: impl FnMut(Place, u8) -> Flow) -> Flow {
    for place in berths.iter().fold(Places::EMPTY, Places::or) {
        for (coast, set) in (0..).zip(berths) {
            if set.contains(place) {
                each(place, coast)?;
            }
        }
    }
    Flow::Continue(())
}

fn nth_berth(berths: &Berths, mut nth: u32) -> (Place, u8) {
    let [ashore, coasts @ ..] = berths;
    if !lie_apart(coasts) {
        return (member(ashore, nth), 0);
    }
    for place in berths.iter().fold(Places::EMPTY, Places::or) {
        for (coast, set) in (0..).zip(berths) {
            if set.contains(place) {
                if nth == 0 {
                    return (place, coast);
                }
                nth -= 1;
            }
        }
    }
    (Place(0), 0)
}
