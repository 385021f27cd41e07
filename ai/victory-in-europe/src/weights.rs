//! The weights of the scripted player: numbers in its judgement by which one player differs from another. They have names,
//! to be read from files and tuned.

use sandtable_core::Game;
use sandtable_victory_in_europe::{Force, VictoryInEurope};

use sandtable_ai::policy::{Weight, WeightField};
use sandtable_ai::weight_field;

/// Weights of the player of one force. Worth is counted in steps of infantry.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Weights {
    /// Least probability of victory for which a battle is opened.
    pub odds: f32,
    /// Least gain for which a battle is opened.
    pub gain: f32,
    /// Worth of an enemy step lost in battle.
    pub kill: f32,
    /// Worth of an own step lost in battle.
    pub loss: f32,
    /// Factor on the worth of ground to be taken.
    pub prize: f32,
    /// Share of the pull of ground further on that counts for ground on the way.
    pub drive: f32,
    /// What is added to that share towards the end of the war.
    pub hurry: f32,
    /// Worth of an enemy unit cut off from its supply.
    pub sever: f32,
    /// Share of the worth of what it strips that weighs against an attack.
    pub expose: f32,
    /// Pull of a step of power towards ground to be taken, against the worth of guarding one's own.
    pub pull: f32,
    /// Share of an enemy's power next door that has to be matched.
    pub fear: f32,
    /// Power that guards an area of great worth against surprise.
    pub garrison: f32,
    /// Worth of a command point that a Strategic Movement takes.
    pub command: f32,
    /// Least gain for which an army marches.
    pub march: f32,
    /// Least gain for which a landing is made.
    pub landing: f32,
    /// Added to the strength that holds ground in battle rather than to leave it, in steps.
    pub stand: f32,
    /// Factors on the worth of ground by theatre: the west, the Mediterranean, the north, the middle and the south of the
    /// east.
    pub west: f32,
    pub mediterranean: f32,
    pub leningrad: f32,
    pub moscow: f32,
    pub caucasus: f32,
    /// Factors on the worth of production: armour, aircraft, ships, convoys, factories.
    pub armour: f32,
    pub air: f32,
    pub navy: f32,
    pub convoys: f32,
    pub factories: f32,
}

impl Weights {
    /// The usual weights of a force.
    pub fn of(force: Force) -> Weights {
        let western = force == Force::Western;
        Weights {
            odds: if force == Force::Soviet { 0.2 } else { 0.42 },
            gain: 1.0,
            kill: 1.1,
            loss: 1.2,
            // Ground is what the USSR has to win back, at any odds that are not hopeless (`proof.toml`).
            prize: if force == Force::Soviet { 2.2 } else { 1.0 },
            drive: 0.3,
            hurry: if force == Force::Axis { 0.0 } else { 1.0 },
            sever: if force == Force::Axis { 0.0 } else { 1.0 },
            expose: 0.5,
            pull: if force == Force::Soviet { 0.6 } else { 0.35 },
            fear: match force {
                Force::Axis => 0.8,
                Force::Western => 0.45,
                Force::Soviet => 0.6,
            },
            garrison: 0.9,
            command: match force {
                Force::Axis => 7.0,
                Force::Western => 4.0,
                Force::Soviet => 3.0,
            },
            march: 0.6,
            // Nobody comes back from a landing that was too small, and one in France is worth the wait.
            landing: if western { 4.0 } else { 3.0 },
            stand: 0.0,
            west: 1.0,
            mediterranean: 1.0,
            leningrad: 1.0,
            moscow: 1.0,
            caucasus: 1.0,
            armour: 1.0,
            air: if western { 2.5 } else { 1.0 },
            navy: 1.0,
            convoys: 1.0,
            factories: if western { 0.4 } else { 1.0 },
        }
    }
    /// The usual weights of all forces.
    pub fn all() -> [Weights; 3] {
        Force::ALL.map(Weights::of)
    }
    /// Factors by theatre, in the order of [`super::map_tables::MapTables::theatre`].
    pub fn theatres(&self) -> [f32; THEATRES] {
        [self.west, self.mediterranean, self.leningrad, self.moscow, self.caucasus]
    }
}

/// The theatre round the Mediterranean.
pub(super) const MEDITERRANEAN: u8 = 1;
/// How many theatres there are.
pub(super) const THEATRES: usize = 5;

/// The theatre of a place by latitude and longitude.
pub(super) fn theatre(latitude: f32, longitude: f32) -> u8 {
    if longitude < 18.0 || latitude < 44.0 && longitude < 40.0 {
        u8::from(latitude < 44.0)
    } else if latitude >= 57.0 {
        2
    } else if latitude >= 52.0 {
        3
    } else {
        4
    }
}

/// A field that is a weight, with its names by force: two forces may belong to one side.
pub(super) struct Names {
    pub(super) field: WeightField<Weights>,
    by_force: [&'static str; 3],
}

macro_rules! weights {
    ($field:ident, $low:expr, $high:expr, $summary:expr) => {
        Names {
            field: weight_field!($field, $low, $high, $summary),
            by_force: [
                stringify!($field),
                concat!("western_", stringify!($field)),
                concat!("soviet_", stringify!($field)),
            ],
        }
    };
}

/// The fields that are weights.
pub(super) const FIELDS: [Names; 26] = [
    weights!(odds, 0.1, 0.9, "least probability of victory for which a battle is opened"),
    weights!(gain, 0.0, 5.0, "least gain for which a battle is opened, in steps of infantry"),
    weights!(kill, 0.3, 3.0, "worth of an enemy step lost in battle"),
    weights!(loss, 0.3, 3.0, "worth of an own step lost in battle"),
    weights!(prize, 0.25, 3.0, "factor on the worth of ground to be taken"),
    weights!(drive, 0.0, 1.0, "share of the pull of ground further on that counts for ground on the way"),
    weights!(hurry, 0.0, 3.0, "what is added to the share of that pull towards the end of the war"),
    weights!(sever, 0.0, 3.0, "worth of an enemy unit cut off from its supply"),
    weights!(expose, 0.0, 2.0, "share of the worth of what it strips that weighs against an attack"),
    weights!(pull, 0.0, 1.5, "pull of power towards ground to be taken, against the worth of guarding"),
    weights!(fear, 0.1, 2.0, "share of an enemy's power next door that has to be matched"),
    weights!(garrison, 0.0, 3.0, "power that guards areas of great worth against surprise, in expected hits"),
    weights!(
        command,
        0.0,
        12.0,
        "worth of a command point that a Strategic Movement takes, in steps of infantry"
    ),
    weights!(march, 0.0, 2.0, "least gain for which an army marches, in steps of infantry"),
    weights!(landing, 0.0, 12.0, "least gain for which a landing is made, in steps of infantry"),
    weights!(
        stand,
        -2.0,
        2.0,
        "added to the strength that holds ground in battle rather than to leave it, in steps"
    ),
    weights!(west, 0.25, 3.0, "factor on the worth of ground in the west"),
    weights!(mediterranean, 0.25, 3.0, "factor on the worth of ground round the Mediterranean"),
    weights!(leningrad, 0.25, 3.0, "factor on the worth of ground in the north of the east"),
    weights!(moscow, 0.25, 3.0, "factor on the worth of ground in the middle of the east"),
    weights!(caucasus, 0.25, 3.0, "factor on the worth of ground in the south of the east"),
    weights!(armour, 0.3, 3.0, "factor on the worth of building armour"),
    weights!(air, 0.3, 3.0, "factor on the worth of building aircraft"),
    weights!(navy, 0.3, 5.0, "factor on the worth of building ships"),
    weights!(convoys, 0.0, 3.0, "factor on the worth of building convoys"),
    weights!(factories, 0.0, 3.0, "factor on the worth of building factories"),
];

/// All weights of all forces with the values found by hand, by the side that plays the force.
pub(super) fn described(game: &VictoryInEurope) -> Vec<Weight> {
    let of = |force: Force| {
        let usual = Weights::of(force);
        let side = game.sides()[game.side_of(force).index()].id;
        FIELDS.iter().map(move |names| names.field.weight(side, names.by_force[force.index()], &usual))
    };
    Force::ALL.into_iter().flat_map(of).collect()
}

/// The weights of all forces with some of them replaced; `None` if there is no weight of a name.
pub(super) fn with(described: &[Weight], values: &[(String, f32)]) -> Option<[Weights; 3]> {
    let mut weights = Weights::all();
    for (name, value) in values {
        let (side, name) = name.split_once('.')?;
        let at = described.iter().position(|weight| weight.side == side && weight.name == name)?;
        (FIELDS[at % FIELDS.len()].field.set)(&mut weights[at / FIELDS.len()], *value);
    }
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_read_where_it_is_set() {
        for players in ["false", "true"] {
            let text = format!("options.three_players={players}");
            let set = [sandtable_scenarios_victory_in_europe::Override::parse(&text).unwrap()];
            let scenario =
                sandtable_scenarios_victory_in_europe::open("victory-in-europe/campaign-1939", &set).unwrap();
            let game = VictoryInEurope::new(scenario.into_rules()).unwrap();
            let (weights, usual) = (described(&game), Weights::all());
            for weight in &weights {
                let other = if weight.default >= weight.range.1 { weight.range.0 } else { weight.range.1 };
                assert!((weight.range.0..=weight.range.1).contains(&weight.default), "{weight:?}");
                let name = format!("{}.{}", weight.side, weight.name);
                let changed = with(&weights, &[(name.clone(), other)]).unwrap();
                assert_ne!(changed, usual, "{name}");
                let again = with(&weights, &[(name.clone(), other), (name, weight.default)]);
                assert_eq!(again, Some(usual));
            }
            for unknown in ["kill", "axis.kil", "turks.kill", "axis.soviet_kill"] {
                assert_eq!(with(&weights, &[(unknown.to_owned(), 1.0)]), None, "{unknown}");
            }
        }
    }
}
