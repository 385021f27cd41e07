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

/// The sea zones among some places.
pub(super) fn seas_of(places: &Places) -> Seas {
    (places.0[MAX_AREAS / 64] >> (MAX_AREAS % 64)) as Seas
}

/// The legal actions of a decision: all of them, in the order of [`Action`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Menu {
    Choice(Choice),
    Ways(Ways),
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

/// What drawing one of the actions comes to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Drawn {
    /// There is none.
    Nothing,
    /// The only one there is.
    Forced(Action),
    /// One of several.
    One(Action),
}

impl Menu {
    /// The action that `pick` takes: of so many, the one with this many before it.
    pub(crate) fn draw(&self, pick: impl FnOnce(u32) -> u32) -> Drawn {
        match self {
            Menu::Choice(choice) => choice.draw(pick),
            Menu::Ways(ways) => ways.draw(pick),
        }
    }

    /// Appends them all, in ascending order.
    pub(crate) fn list(&self, out: &mut Vec<Action>) {
        let (Menu::Choice(Choice { pass, .. }) | Menu::Ways(Ways { pass, .. })) = self;
        if *pass {
            out.push(Action::Pass);
        }
        match self {
            Menu::Choice(choice) => {
                out.extend(choice.units.iter().map(Action::Select));
                out.extend(choice.invasions.iter().map(Action::Invade));
                out.extend(choice.factories.iter().map(|area| Action::MoveFactory(area, area)));
            }
            Menu::Ways(ways) => {
                each_berth(&ways.goals, |place, coast| out.push(Action::Go(place, coast)));
                each_berth(&ways.transfers, |place, coast| out.push(Action::Strategic(place, coast)));
            }
        }
    }
}

impl Choice {
    /// See [`Menu::draw`].
    #[inline]
    pub(super) fn draw(&self, pick: impl FnOnce(u32) -> u32) -> Drawn {
        let Choice { pass, units, invasions, factories } = self;
        draw(pick, [u32::from(*pass), size(units), size(invasions), size(factories)], |kind, nth| {
            let member = |set: &Places| set.nth(nth).unwrap_or_default();
            match kind {
                0 => Action::Pass,
                1 => Action::Select(member(units)),
                2 => Action::Invade(member(invasions)),
                _ => {
                    let area = member(factories);
                    Action::MoveFactory(area, area)
                }
            }
        })
    }
}

impl Ways {
    /// See [`Menu::draw`].
    #[inline]
    pub(super) fn draw(&self, pick: impl FnOnce(u32) -> u32) -> Drawn {
        let Ways { pass, goals, transfers } = self;
        draw(pick, [u32::from(*pass), berths(goals), berths(transfers)], |kind, nth| match kind {
            0 => Action::Pass,
            1 => {
                let (place, coast) = nth_berth(goals, nth);
                Action::Go(place, coast)
            }
            _ => {
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

/// Picks one of so many actions of each kind: `action` tells which it is by its kind and how many of the kind come before.
#[inline]
fn draw<const KINDS: usize>(
    pick: impl FnOnce(u32) -> u32,
    counts: [u32; KINDS],
    action: impl Fn(usize, u32) -> Action,
) -> Drawn {
    let all = counts.iter().sum();
    let mut nth = if all > 1 { pick(all) } else { 0 };
    let mut kind = 0;
    while kind + 1 < KINDS && nth >= counts[kind] {
        nth -= counts[kind];
        kind += 1;
    }
    match all {
        0 => Drawn::Nothing,
        1 => Drawn::Forced(action(kind, nth)),
        _ => Drawn::One(action(kind, nth)),
    }
}

fn size(set: &Places) -> u32 {
    if set.is_empty() { 0 } else { set.len() }
}

fn berths([ashore, coasts @ ..]: &Berths) -> u32 {
    size(ashore) + if lie_apart(coasts) { coasts.iter().map(size).sum() } else { 0 }
}

/// Whether there are any on coasts, as there are for ships alone.
#[inline]
fn lie_apart([one, two]: &[Places; 2]) -> bool {
    one.0.iter().chain(&two.0).fold(0, |any, word| any | word) != 0
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
    if !lie_apart(coasts) {
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
