//! The weights of the scripted player: numbers in its judgement by which one player differs from another. They have names,
//! to be read from files and tuned.

use sandtable_ai::policy::{Weight, WeightField, set_weights};
use sandtable_ai::weight_field;
use sandtable_core::Game;
use sandtable_eurofront::EuroFront;
use sandtable_eurofront::ids::Camp;

/// Weights of the player of one camp. Worth is counted in production points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Weights {
    /// Worth of a city, for each point it counts towards victory.
    pub city: f32,
    /// Worth of a hex with a town.
    pub town: f32,
    /// Worth of a production point a month.
    pub income: f32,
    /// Worth of a capital, besides.
    pub capital: f32,
    /// Worth of the place whose loss loses the war, in campaigns.
    pub key: f32,
    /// Worth of any hex of land, in campaigns.
    pub ground: f32,
    /// Share of the worth of what lies behind a hex that counts where a line is held, in campaigns.
    pub line: f32,
    /// Worth of an enemy step lost, against its price.
    pub kill: f32,
    /// Worth of an own step lost, against its price.
    pub loss: f32,
    /// Least expected gain for which a battle is begun.
    pub gain: f32,
    /// Share of what further rounds of a battle bring that counts.
    pub siege: f32,
    /// Weight of the danger in which a unit stands.
    pub fear: f32,
    /// Weight of what may be lost where one does not stand.
    pub hold: f32,
    /// Pull of ground further on, against its worth.
    pub pull: f32,
    /// Share of the pull of all ground but the most promising.
    pub spread: f32,
    /// Weight of what the enemy loses when his railways are cut.
    pub cut: f32,
    /// Weight of what our own railways gain.
    pub join: f32,
    /// Weight of being where supply does not reach.
    pub supply: f32,
    /// Factor on the price of the steps that headquarters spend.
    pub command: f32,
    /// Price of a step of a theatre headquarters short of its full value, in production points.
    pub theatre: f32,
    /// Worth below which no Supreme Move is ordered.
    pub order: f32,
    /// What the second half of a Blitz brings, against the first.
    pub blitz: f32,
    /// Worth of a headquarters where ground draws most.
    pub lead: f32,
    /// Weight of the danger to headquarters.
    pub care: f32,
    /// How much what cannot be bought yet speaks for saving.
    pub thrift: f32,
    /// Factor on the worth of garrisons.
    pub garrison: f32,
    /// How much bolder one becomes towards the end.
    pub hurry: f32,
    /// Chance of recognition from which it is claimed before the last month of a season.
    pub claim: f32,
}

impl Weights {
    /// The usual weights of a camp, in a campaign or in 1936.
    pub fn of(camp: Camp, campaign: bool) -> Weights {
        let axis = camp == Camp::Axis;
        let of_1936 = Weights::of_1936(axis);
        if !campaign {
            return of_1936;
        }
        Weights {
            gain: 0.5,
            siege: 0.8,
            fear: 0.06,
            income: if axis { 7.0 } else { 4.0 },
            hold: if axis { 1.4 } else { 0.8 },
            pull: 0.6,
            // At 0.35 its line breaks as soon as the Coalition comes with all it has (1944).
            line: if axis { 0.6 } else { of_1936.line },
            supply: 1.5,
            thrift: 1.0,
            garrison: 1.0,
            command: 0.3,
            lead: 10.0,
            key: if axis { 30.0 } else { 0.0 },
            city: 10.0,
            kill: 1.0,
            order: 0.6,
            care: 1.0,
            hurry: 0.0,
            spread: 1.0,
            ..of_1936
        }
    }

    /// The weights in an offensive: what one has, and the army itself, count for less.
    pub fn offensive(self) -> Weights {
        Weights { income: 0.6 * self.income, supply: 0.5 * self.supply, loss: 0.8 * self.loss, ..self }
    }

    fn of_1936(axis: bool) -> Weights {
        Weights {
            city: if axis { 12.0 } else { 10.0 },
            town: 0.5,
            income: 4.0,
            capital: 4.0,
            key: 0.0,
            ground: 1.0,
            line: 0.35,
            kill: if axis { 1.7 } else { 1.0 },
            loss: 1.0,
            gain: if axis { -0.5 } else { 1.0 },
            siege: if axis { 0.8 } else { 0.6 },
            fear: 0.15,
            hold: if axis { 0.35 } else { 0.4 },
            pull: if axis { 0.25 } else { 0.6 },
            spread: if axis { 0.9 } else { 0.6 },
            cut: 0.3,
            join: 0.4,
            supply: if axis { 3.5 } else { 1.5 },
            command: if axis { 0.25 } else { 0.5 },
            theatre: 4.0,
            order: if axis { 0.2 } else { 0.6 },
            blitz: 0.6,
            lead: 25.0,
            care: if axis { 0.5 } else { 1.0 },
            thrift: if axis { 0.15 } else { 1.0 },
            garrison: if axis { 3.0 } else { 0.6 },
            hurry: if axis { 2.0 } else { 0.0 },
            claim: 0.6,
        }
    }

    /// The weights when so much of the game is over, 0 to 1.
    pub fn when(self, late: f32) -> Weights {
        let hurry = self.hurry * late;
        Weights {
            gain: self.gain - 3.0 * hurry,
            pull: self.pull * (1.0 + hurry),
            hold: self.hold / (1.0 + hurry),
            fear: self.fear / (1.0 + hurry),
            command: self.command / (1.0 + hurry),
            ..self
        }
    }
}

/// What of the weights has a name.
pub(super) const FIELDS: [WeightField<Weights>; 28] = [
    weight_field!(city, 1.0, 40.0, "worth of a city for each point it counts, in production points"),
    weight_field!(town, 0.0, 10.0, "worth of a hex with a town, in production points"),
    weight_field!(income, 0.0, 20.0, "worth of a production point a month"),
    weight_field!(capital, 0.0, 40.0, "worth of a capital besides"),
    weight_field!(key, 0.0, 100.0, "worth of the place whose loss loses the war besides, in campaigns"),
    weight_field!(ground, 0.0, 10.0, "worth of any hex of land in campaigns, in production points"),
    weight_field!(line, 0.0, 2.0, "share of what lies behind that counts where a line is held, in campaigns"),
    weight_field!(kill, 0.2, 4.0, "worth of an enemy step lost, against its price"),
    weight_field!(loss, 0.2, 4.0, "worth of an own step lost, against its price"),
    weight_field!(gain, -4.0, 8.0, "least expected gain for which a battle is begun, in production points"),
    weight_field!(siege, 0.0, 1.0, "share of what further rounds of a battle bring that counts"),
    weight_field!(fear, 0.0, 3.0, "weight of the danger in which a unit stands"),
    weight_field!(hold, 0.0, 4.0, "weight of what may be lost where one does not stand"),
    weight_field!(pull, 0.0, 1.0, "pull of ground further on, against its worth"),
    weight_field!(spread, 0.0, 1.0, "share of the pull of all ground but the most promising"),
    weight_field!(cut, 0.0, 2.0, "weight of what the enemy loses when his railways are cut"),
    weight_field!(join, 0.0, 2.0, "weight of what our own railways gain"),
    weight_field!(supply, 0.0, 4.0, "weight of being where supply does not reach"),
    weight_field!(command, 0.0, 4.0, "factor on the price of the steps that headquarters spend"),
    weight_field!(theatre, 0.0, 20.0, "price of a step of a theatre headquarters short of its full value"),
    weight_field!(order, 0.0, 4.0, "worth below which no Supreme Move is ordered, in production points"),
    weight_field!(blitz, 0.0, 2.0, "what the second half of a Blitz brings, against the first"),
    weight_field!(lead, 0.0, 40.0, "worth of a headquarters where ground draws most, in production points"),
    weight_field!(care, 0.0, 4.0, "weight of the danger to headquarters"),
    weight_field!(thrift, 0.0, 3.0, "how much what cannot be bought yet speaks for saving"),
    weight_field!(garrison, 0.0, 4.0, "factor on the worth of garrisons"),
    weight_field!(hurry, 0.0, 4.0, "how much bolder one becomes towards the end"),
    weight_field!(claim, 0.0, 1.0, "chance of recognition from which it is claimed before a season's end"),
];

/// Whose weights they are, and of which war.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// Identifiers of the sides, by camp.
    pub ids: [&'static str; 2],
    /// Not the Spanish Civil War.
    pub campaign: bool,
}

/// Identifiers of the sides that play the camps of a game: of the first, where two play one.
pub(super) fn sides(game: &EuroFront) -> Sides {
    let ids = Camp::ALL.map(|camp| {
        let of_camp = game.sides().iter().find(|side| side.team == camp as u8);
        of_camp.map_or("nobody", |side| side.id)
    });
    Sides { ids, campaign: !game.is_civil_war() }
}

/// All weights of both sides with the values found by hand.
pub(super) fn weights(sides: Sides) -> Vec<Weight> {
    let of = |camp: Camp| {
        let usual = Weights::of(camp, sides.campaign);
        FIELDS.iter().map(move |field| field.weight(sides.ids[camp.index()], field.name, &usual))
    };
    Camp::ALL.into_iter().flat_map(of).collect()
}

/// The weights of both with some of them replaced; `None` if there is no weight of a name.
pub(super) fn with(sides: Sides, values: &[(String, f32)]) -> Option<[Weights; 2]> {
    let mut all = Camp::ALL.map(|camp| Weights::of(camp, sides.campaign));
    set_weights(&FIELDS, &mut all, values, |side| sides.ids.iter().position(|id| *id == side))?;
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDES: Sides = Sides { ids: ["nationalists", "republicans"], campaign: false };

    #[test]
    fn every_weight_is_read_where_it_is_set() {
        let usual = Camp::ALL.map(|camp| Weights::of(camp, false));
        for weight in weights(SIDES) {
            let other = if weight.default >= weight.range.1 { weight.range.0 } else { weight.range.1 };
            assert!((weight.range.0..=weight.range.1).contains(&weight.default), "{weight:?}");
            let name = format!("{}.{}", weight.side, weight.name);
            let changed = with(SIDES, &[(name.clone(), other)]).unwrap();
            assert_ne!(changed, usual, "{name}");
            let again = with(SIDES, &[(name.clone(), other), (name, weight.default)]);
            assert_eq!(again, Some(usual));
        }
        for unknown in ["kill", "nationalists.kil", "axis.kill"] {
            assert_eq!(with(SIDES, &[(unknown.to_owned(), 1.0)]), None, "{unknown}");
        }
    }
}
