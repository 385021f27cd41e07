//! The tastes of the scripted player under names, to be read from files and tuned.

use sandtable_blitzwar::Force;

use super::strategy::Tuning;
use sandtable_ai::policy::Weight;

/// A weights that can be tuned.
struct PhaseWeights {
    name: &'static str,
    summary: &'static str,
    /// Beyond these ends the player is no longer sensible.
    range: (f32, f32),
    whole: bool,
    get: fn(&Tuning) -> f32,
    set: fn(&mut Tuning, f32),
}

macro_rules! weights {
    ($field:ident, $low:expr, $high:expr, $summary:expr) => {
        PhaseWeights {
            name: stringify!($field),
            summary: $summary,
            range: ($low, $high),
            whole: false,
            get: |tuning| tuning.$field,
            set: |tuning, value| tuning.$field = value,
        }
    };
}

const TASTES: [PhaseWeights; 17] = [
    weights!(thrift, 0.25, 4.0, "factor on the price of supply"),
    weights!(plug, 0.0, 4.0, "worth of closing a hole in the line, in corps"),
    weights!(march, 0.0, 1.0, "least gain for which a reserve marches, in corps"),
    weights!(rail, 0.0, 1.0, "least gain for which a reserve goes by rail, in corps"),
    weights!(pull, 0.0, 0.4, "longing of a reserve for the front, in corps a zone"),
    weights!(kill, 0.5, 3.0, "worth of an enemy corps in battle, in own corps"),
    weights!(prize, 0.25, 3.0, "factor on the worth of zones taken"),
    weights!(fight, 0.0, 3.0, "worth of fighting for a zone at all, in corps"),
    weights!(cover, 0.1, 1.5, "share of a threat that own corps must match"),
    PhaseWeights {
        name: "caution",
        summary: "how much better than usual the odds must be, in columns of the combat table",
        range: (-2.0, 2.0),
        whole: true,
        get: |tuning| f32::from(tuning.caution),
        set: |tuning, value| tuning.caution = value.round() as i8,
    },
    weights!(loss, 0.3, 3.0, "worth of an own corps lost in a planned battle"),
    weights!(expose, 0.0, 2.0, "share of a zone's worth that weighs against stripping it for an attack"),
    weights!(landing, 0.0, 2.0, "least worth of a landing, in corps"),
    weights!(stand, -2.0, 2.0, "longing to hold a zone rather than to retreat, in corps"),
    weights!(armour, 0.3, 2.0, "factor on the worth of armour on production cards"),
    weights!(air, 0.3, 2.0, "factor on the worth of air units on production cards"),
    weights!(hunger, 0.3, 3.0, "factor on the worth of supply on production cards"),
];

/// All weights of all sides, with the values found by hand.
pub(super) fn all() -> Vec<Weight> {
    let of = |force: Force| {
        let usual = Tuning::of(force);
        TASTES.iter().map(move |weights| Weight {
            side: force.id(),
            name: weights.name,
            summary: weights.summary,
            default: (weights.get)(&usual),
            range: weights.range,
            whole: weights.whole,
        })
    };
    Force::ALL.into_iter().flat_map(of).collect()
}

/// The tastes of all sides with some of them replaced; `None` if there is no weight of a name.
pub(super) fn with(values: &[(String, f32)]) -> Option<[Tuning; 3]> {
    let mut tastes = Force::ALL.map(Tuning::of);
    for (name, value) in values {
        let (side, name) = name.split_once('.')?;
        let force = Force::ALL.into_iter().find(|force| force.id() == side)?;
        let weights = TASTES.iter().find(|weights| weights.name == name)?;
        (weights.set)(&mut tastes[force.index()], *value);
    }
    Some(tastes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_read_where_it_is_set() {
        let usual = Force::ALL.map(Tuning::of);
        for weight in all() {
            let other = if weight.default >= weight.range.1 { weight.range.0 } else { weight.range.1 };
            assert!((weight.range.0..=weight.range.1).contains(&weight.default), "{weight:?}");
            let name = format!("{}.{}", weight.side, weight.name);
            let changed = with(&[(name.clone(), other)]).unwrap();
            assert_ne!(changed, usual, "{name}");
            assert_eq!(with(&[(name.clone(), other), (name, weight.default)]).unwrap(), usual);
        }
        assert_eq!(with(&[]), Some(usual));
        for unknown in ["kill", "axis.kil", "turks.kill"] {
            assert_eq!(with(&[(unknown.to_owned(), 1.0)]), None, "{unknown}");
        }
    }
}
