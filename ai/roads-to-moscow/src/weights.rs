//! The weights of the scripted player: numbers in its judgement by which one player differs from another. They have names,
//! to be read from files and tuned.

use sandtable_ai::policy::{Weight, WeightField, set_weights};
use sandtable_ai::weight_field;
use sandtable_roads_to_moscow::Player;

/// Weights of a player. Worth is counted in steps of infantry.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Weights {
    /// Least expected gain for which an attack is made.
    pub gain: f32,
    /// Worth of an enemy step lost in combat.
    pub kill: f32,
    /// Worth of an own step lost in combat.
    pub loss: f32,
    /// Factor on the worth of objectives.
    pub prize: f32,
    /// Pull of objectives ahead on a unit, for each half point of way.
    pub pull: f32,
    /// Worth of standing in the way of the enemy to an own objective.
    pub block: f32,
    /// Weight of the danger in which a hex lies.
    pub fear: f32,
    /// Weight of the danger to guns, headquarters and who else keeps behind the troops.
    pub care: f32,
    /// Weight of being where supply does not reach.
    pub supply: f32,
    /// Worth of staying where one stands.
    pub stay: f32,
    /// Factor on the worth of enemies that cannot retreat.
    pub encircle: f32,
    /// Longing to hold a hex in combat rather than to give way.
    pub stand: f32,
    /// What speaks for an Assault Sequence.
    pub assault: f32,
    /// Worth of an activation below which the marker goes into the pool.
    pub patience: f32,
    /// Least expected gain for which aircraft fly or command points are spent.
    pub thrift: f32,
    /// Worth of an optional group, against its price. At 2 both sides took all of them and lost by it: in 200 games of Mozhaysk the
    /// German won 54% and not 44 without his own, 33% without the Soviet ones; in Mtsensk 38, 27 and not 36.
    pub groups: f32,
    /// Above one half the player goes forward, else he holds: see [`Weights::goes_forward`].
    pub forward: f32,
}

impl Weights {
    /// The usual weights of a player: whether he is the one who must take objectives.
    pub fn of(player: Player, attacks: bool) -> Weights {
        // The Soviet counter-stroke at Pervyy Voin has four turns: lives and what stands behind are spent for it. With the care
        // of others it lost 26 of 1,200 games to random play, so 8 of the same and 12 of 1,000 others, and as many as before to the
        // scripted German.
        let counters = attacks && player == Player::Soviet;
        Weights {
            gain: if attacks { 0.1 } else { 0.5 },
            kill: 1.0,
            loss: if counters { 0.6 } else { 1.0 },
            prize: 1.0,
            // The German at Pervyy Voin goes to meet the enemy (`proof.toml`); with 0.12 he won 139 of 200 games, and not 119.
            pull: if attacks {
                0.12
            } else if player == Player::German {
                0.05
            } else {
                0.01
            },
            block: if attacks { 0.6 } else { 1.5 },
            fear: if attacks { 0.3 } else { 1.0 },
            care: if counters {
                1.0
            } else if attacks {
                2.5
            } else {
                2.0
            },
            supply: if attacks { 2.0 } else { 1.0 },
            stay: if attacks { 0.05 } else { 0.3 },
            encircle: 1.0,
            stand: 0.0,
            assault: 0.0,
            patience: if attacks { 0.2 } else { 0.4 },
            thrift: 0.1,
            groups: 0.5,
            forward: if attacks { 1.0 } else { 0.0 },
        }
    }

    /// Weights of the last turn for who loses as things stand: lives count for what they score, supply for nothing, danger for
    /// little, but to staffs; no activation goes by.
    pub fn desperate(self) -> Weights {
        Weights {
            gain: self.gain.min(0.0),
            patience: f32::MIN,
            kill: 0.6 * self.kill,
            loss: 0.3 * self.loss,
            fear: 0.1 * self.fear,
            supply: 0.0,
            stay: 0.0,
            prize: 2.0 * self.prize,
            ..self
        }
    }

    /// Weights of the last turn for who wins as things stand: he attacks only where it pays well, and his lives are dear.
    pub fn content(self) -> Weights {
        Weights { gain: self.gain.max(1.0), loss: 2.0 * self.loss, ..self }
    }

    /// Whether the player marches in large columns, and gives up ground for an attack, as who must take objectives does.
    pub fn goes_forward(&self) -> bool {
        self.forward > 0.5
    }
}

/// What can be set by name.
pub(super) const FIELDS: [WeightField<Weights>; 17] = [
    weight_field!(gain, -1.0, 3.0, "least expected gain for which an attack is made, in steps of infantry"),
    weight_field!(kill, 0.2, 3.0, "worth of an enemy step lost in combat"),
    weight_field!(loss, 0.2, 3.0, "worth of an own step lost in combat"),
    weight_field!(prize, 0.2, 4.0, "factor on the worth of objectives"),
    weight_field!(pull, 0.0, 1.0, "pull of objectives ahead on a unit, for each half point of way"),
    weight_field!(block, 0.0, 4.0, "worth of standing in the way of the enemy to an own objective"),
    weight_field!(fear, 0.0, 4.0, "weight of the danger in which a hex lies"),
    weight_field!(care, 0.0, 4.0, "weight of the danger to guns, headquarters and others behind the troops"),
    weight_field!(supply, 0.0, 4.0, "weight of being where supply does not reach"),
    weight_field!(stay, 0.0, 2.0, "worth of staying where one stands, in steps of infantry"),
    weight_field!(encircle, 0.0, 4.0, "factor on the worth of enemies that cannot retreat"),
    weight_field!(stand, -2.0, 2.0, "longing to hold a hex in combat rather than to give way, in steps"),
    weight_field!(assault, -2.0, 2.0, "what speaks for an Assault Sequence, in steps of infantry"),
    weight_field!(patience, 0.0, 3.0, "worth of an activation below which its marker goes into the pool"),
    weight_field!(thrift, 0.0, 2.0, "least expected gain for which aircraft fly or command points are spent"),
    weight_field!(groups, 0.0, 3.0, "worth of an optional group against its price"),
    weight_field!(
        forward,
        0.0,
        1.0,
        "above one half: marches in large columns and gives up ground for attacks, else holds"
    ),
];

/// All weights of both players with the values found by hand.
pub(super) fn all(attacker: Player) -> Vec<Weight> {
    let of = |player: Player| {
        let usual = Weights::of(player, player == attacker);
        FIELDS.iter().map(move |field| field.weight(player.id(), field.name, &usual))
    };
    Player::ALL.into_iter().flat_map(of).collect()
}

/// The weights of both with some of them replaced; `None` if there is no weight of a name.
pub(super) fn with(attacker: Player, values: &[(String, f32)]) -> Option<[Weights; 2]> {
    let mut weights = Player::ALL.map(|player| Weights::of(player, player == attacker));
    set_weights(&FIELDS, &mut weights, values, |side| {
        Player::ALL.iter().position(|player| player.id() == side)
    })?;
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_read_where_it_is_set() {
        for attacker in Player::ALL {
            let usual = Player::ALL.map(|player| Weights::of(player, player == attacker));
            for weight in all(attacker) {
                let other = if weight.default >= weight.range.1 { weight.range.0 } else { weight.range.1 };
                assert!((weight.range.0..=weight.range.1).contains(&weight.default), "{weight:?}");
                let name = format!("{}.{}", weight.side, weight.name);
                let changed = with(attacker, &[(name.clone(), other)]).unwrap();
                assert_ne!(changed, usual, "{name}");
                let again = with(attacker, &[(name.clone(), other), (name, weight.default)]);
                assert_eq!(again, Some(usual));
            }
            for unknown in ["kill", "german.kil", "finnish.kill"] {
                assert_eq!(with(attacker, &[(unknown.to_owned(), 1.0)]), None, "{unknown}");
            }
        }
    }
}
