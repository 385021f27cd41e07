//! What can be denied to a player of `BlitzWar`, to see what it is worth.

use sandtable_blitzwar::rules::Card;
use sandtable_blitzwar::{Action, BlitzWar, Kind, Phase};
use sandtable_core::Side;

use sandtable_ai::restricted::Restriction;

pub(super) const RESTRICTIONS: [Restriction<BlitzWar>; 10] = [
    Restriction {
        name: "air",
        summary: "air units fly no missions, answer none and do not change their bases",
        denies: |game, _, _, action| match action {
            Action::Bomb(_) | Action::Respond(_) | Action::Dogfight | Action::Beachhead { .. } => true,
            Action::Select(counter) => game.kind(counter) == Kind::Air,
            _ => false,
        },
    },
    Restriction {
        name: "navy",
        summary: "fleets and submarines neither sail nor fight",
        denies: |game, _, _, action| match action {
            Action::NavalAttack(_) => true,
            Action::Select(counter) => game.kind(counter).is_naval(),
            _ => false,
        },
    },
    Restriction {
        name: "sea-transport",
        summary: "nothing is carried over sea, so nobody lands",
        denies: |_, state, _, action| {
            state.phase() == Phase::SeaTransport && matches!(action, Action::Select(_))
        },
    },
    Restriction {
        name: "blitz",
        summary: "no attacks in the blitz phase",
        denies: |_, state, _, action| state.phase() == Phase::Blitz && matches!(action, Action::Attack(_)),
    },
    Restriction {
        name: "attack",
        summary: "no attacks on land at all",
        denies: |_, _, _, action| matches!(action, Action::Attack(_)),
    },
    Restriction {
        name: "fortification",
        summary: "no corps is fortified",
        denies: |_, _, _, action| matches!(action, Action::Fortify(_)),
    },
    Restriction {
        name: "strategic-movement",
        summary: "no strategic movement by land",
        denies: |_, state, _, action| {
            state.phase() == Phase::StrategicMovement && matches!(action, Action::Select(_))
        },
    },
    Restriction {
        name: "armour-cards",
        summary: "no cards with armour while there are others to choose",
        denies: |game, _, side, action| card(game, side, action, |card| card.armour > 0),
    },
    Restriction {
        name: "fleet-cards",
        summary: "no cards with fleets while there are others to choose",
        denies: |game, _, side, action| card(game, side, action, |card| card.fleet > 0),
    },
    Restriction {
        name: "submarine-cards",
        summary: "no cards with submarines while there are others to choose",
        denies: |game, _, side, action| card(game, side, action, |card| card.submarine > 0),
    },
];

/// Whether the action chooses a card of a kind.
fn card(game: &BlitzWar, side: Side, action: Action, of_kind: fn(&Card) -> bool) -> bool {
    let Action::Card(card) = action else { return false };
    game.rules.decks[side.index()].get(usize::from(card)).is_some_and(of_kind)
}
