//! The weights of the scripted player under names, to be read from files and tuned.

use sandtable_blitzwar::Force;

use super::strategy::Weights;
use sandtable_ai::policy::{Weight, WeightField, set_weights};
use sandtable_ai::weight_field;

/// Field of a date, in turns of the campaign.
macro_rules! date_field {
    ($field:ident, $summary:expr) => {
        WeightField {
            name: stringify!($field),
            summary: $summary,
            range: (0.0, 47.0),
            whole: true,
            apart: true,
            get: |weights| f32::from(weights.dates.$field.unwrap_or(0)),
            set: |weights, turn| weights.dates.$field = (turn >= 0.5).then(|| turn.round() as u8),
        }
    };
}

/// What of a weights is a weight.
const FIELDS: [WeightField<Weights>; 26] = [
    weight_field!(thrift, 0.25, 4.0, "factor on the price of supply"),
    weight_field!(plug, 0.0, 4.0, "worth of closing a hole in the line, in corps"),
    weight_field!(march, 0.0, 1.0, "least gain for which a reserve marches, in corps"),
    weight_field!(rail, 0.0, 1.0, "least gain for which a reserve goes by rail, in corps"),
    weight_field!(pull, 0.0, 0.4, "pull of the front on a reserve, in corps a zone"),
    weight_field!(kill, 0.5, 3.0, "worth of an enemy corps in battle, in own corps"),
    weight_field!(prize, 0.25, 3.0, "factor on the worth of zones taken"),
    weight_field!(fight, 0.0, 3.0, "worth of fighting for a zone at all, in corps"),
    weight_field!(cover, 0.1, 1.5, "share of a threat that own corps must match"),
    WeightField {
        name: "caution",
        summary: "how much better than usual the odds must be, in columns of the combat table",
        range: (-2.0, 2.0),
        whole: true,
        apart: false,
        get: |weights| f32::from(weights.caution),
        set: |weights, value| weights.caution = value.round() as i8,
    },
    weight_field!(loss, 0.3, 3.0, "worth of an own corps lost in a planned battle"),
    weight_field!(expose, 0.0, 2.0, "share of a zone's worth that weighs against stripping it for an attack"),
    weight_field!(
        capital,
        0.0,
        10.0,
        "worth of a capital whose fall ends an ally or raises a conquered country, in corps"
    ),
    weight_field!(
        garrison,
        0.0,
        20.0,
        "worth of a garrison in an own Supply Zone or capital once an enemy could come, in corps"
    ),
    weight_field!(landing, 0.0, 2.0, "least worth of a landing, in corps"),
    weight_field!(stand, -2.0, 2.0, "preference to hold a zone rather than to retreat, in corps"),
    weight_field!(armour, 0.3, 2.0, "factor on the worth of armour on production cards"),
    weight_field!(air, 0.3, 2.0, "factor on the worth of air units on production cards"),
    weight_field!(hunger, 0.3, 3.0, "factor on the worth of supply on production cards"),
    date_field!(west, "first turn of the attack in the West; 0: as the timetable drawn for the game has it"),
    date_field!(east, "first turn of the attack on the USSR; 0: as the timetable has it"),
    date_field!(north, "first turn of the attack on Denmark and Norway; 0: as the timetable has it"),
    date_field!(balkans, "first turn of the attack on Yugoslavia; 0: as the timetable has it"),
    date_field!(torch, "first turn of a landing in French North Africa; 0: as the timetable has it"),
    date_field!(overlord, "first turn of a landing in north-west Europe; 0: as the timetable has it"),
    date_field!(wake, "first turn of an attack on an Axis that has not come; 0: as the timetable has it"),
];

/// Who has the weights of dates, the last of [`FIELDS`]: each is one side's.
const WHOSE_DATES: [Force; 7] =
    [Force::Axis, Force::Axis, Force::Axis, Force::Axis, Force::Allied, Force::Allied, Force::Soviet];

/// How a side judges: its weights but for the dates.
pub(super) fn judgement() -> &'static [WeightField<Weights>] {
    &FIELDS[..FIELDS.len() - WHOSE_DATES.len()]
}

/// All weights of all sides, with the values found by hand.
pub(super) fn all() -> Vec<Weight> {
    let of = |force: Force| {
        let usual = Weights::of(force);
        let dates = FIELDS[judgement().len()..].iter().zip(WHOSE_DATES);
        let dates = dates.filter_map(move |(field, whose)| (whose == force).then_some(field));
        judgement().iter().chain(dates).map(move |field| field.weight(force.id(), field.name, &usual))
    };
    Force::ALL.into_iter().flat_map(of).collect()
}

/// The weights of all sides with some of them replaced; `None` if there is no weight of a name.
pub(super) fn with(values: &[(String, f32)]) -> Option<[Weights; 3]> {
    let mut weights = Force::ALL.map(Weights::of);
    set_weights(&FIELDS, &mut weights, values, |side| {
        Force::ALL.iter().position(|force| force.id() == side)
    })?;
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_read_where_it_is_set() {
        let usual = Force::ALL.map(Weights::of);
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
