//! The weights of the scripted player: numbers in its judgement, with names, to be read from files and tuned.

use sandtable_europe_engulfed::rules::PlayerId;
use sandtable_europe_engulfed::{EuropeEngulfed, Team};

use sandtable_ai::policy::{Weight, WeightField, set_weights};
use sandtable_ai::weight_field;

/// Weights of the player of one side. Worth is counted in steps of infantry.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Weights {
    /// Least worth for which a battle is opened.
    pub gain: f32,
    /// Least probability of clearing an area, in two rounds, for which it is attacked.
    pub odds: f32,
    /// Worth of so much power elsewhere, for each that is sent into an attack.
    pub commit: f32,
    /// Worth of an enemy step lost.
    pub kill: f32,
    /// Worth of an own step lost.
    pub loss: f32,
    /// Factor on the worth of ground.
    pub prize: f32,
    /// Factor on the worth of ground, besides `prize`, once Germany has begun a war with the USSR, for either side.
    pub press: f32,
    /// Factor on the worth of ground, besides both, in the first year of that war, while the front is open.
    pub counter: f32,
    /// Share of the pull of ground further on that counts for ground on the way.
    pub drive: f32,
    /// Share of the pull of ground further on that counts for ground on the way once Germany has begun a war with the USSR.
    pub onward: f32,
    /// Share of the worth of own ground further on that counts for own ground before it: who loses the front loses what it covers.
    pub cover: f32,
    /// Worth of somebody in each area behind the front, as a share of the area's: who breaks through the front has to stop there.
    pub depth: f32,
    /// Own power that is kept where a Major Power that loses several areas together holds out longest, in steps.
    pub refuge: f32,
    /// Share of those who can reinforce an area for a Special Action that is reckoned to meet an attack on it (7.6).
    pub reserve: f32,
    /// How much dearer the last Special Action of a power is in a battle elsewhere while ground that decides the game is at the front.
    pub last: f32,
    /// Share of an enemy's power next door that own power must match.
    pub fear: f32,
    /// Share of an enemy's power next door that stays to meet it when others go to attack.
    pub hold: f32,
    /// Share of an enemy's power next door that stays to meet it in ground with whose loss the game is decided.
    pub stand: f32,
    /// Own power that stays on home ground of a Major Power at the front when others march, go by rail or break through, as a share of the
    /// enemy's that can reach it.
    pub home: f32,
    /// Share of the worth of home ground that is fought over that draws troops next to it.
    pub contest: f32,
    /// Share of the power that could land on a coast that is wanted there; on home ground it is at least all of it.
    pub coast: f32,
    /// Worth of each block that lays down its arms when a capital falls.
    pub surrender: f32,
    /// Factor on the worth of own ground that is to be held.
    pub keep: f32,
    /// Power against an enemy next door, as a multiple of his, up to which more of it is wanted for an attack.
    pub mass: f32,
    /// Share of the power around an area taken that is reckoned to come at who took it.
    pub risk: f32,
    /// Share of the enemy's counters still to be deployed that are expected before an area that decides the game.
    pub massed: f32,
    /// Worth of a step of armour lost, in steps of infantry, and of an elite step, in plain ones.
    pub dear: f32,
    /// Worth of a foothold on the enemy's shore for each power that waits overseas for one.
    pub foothold: f32,
    /// Share of the worth of an airfield behind the front that is left each area further off.
    pub forward: f32,
    /// Least gain for which a unit marches.
    pub march: f32,
    /// Worth of a Special Action in hand, when it is to be spent.
    pub special: f32,
    /// Worth of one that is bought.
    pub stock: f32,
    /// Share of the worth of a Special Action that the next one in hand has.
    pub later: f32,
    /// Factor on the worth of building armour.
    pub armour: f32,
    /// Factor on the worth of building air support.
    pub air: f32,
    /// Factor on the worth of field fortifications.
    pub forts: f32,
    /// Factor on the worth of submarines, bombers and what meets them.
    pub assets: f32,
}

impl Weights {
    /// The weights of a player of whom nothing better is known.
    const COMMON: Weights = Weights {
        gain: 0.5,
        odds: 0.25,
        commit: 0.0,
        kill: 1.0,
        loss: 0.9,
        prize: 1.0,
        press: 1.0,
        counter: 1.0,
        drive: 0.4,
        onward: 0.4,
        cover: 0.4,
        depth: 0.0,
        refuge: 0.0,
        reserve: 0.0,
        last: 1.0,
        fear: 0.5,
        hold: 0.1,
        stand: 0.0,
        home: 0.0,
        contest: 0.0,
        coast: 0.5,
        surrender: 0.3,
        keep: 1.5,
        mass: 2.0,
        risk: 0.3,
        massed: 0.5,
        dear: 1.0,
        foothold: 0.02,
        forward: 1.0,
        march: 0.3,
        special: 1.5,
        stock: 6.0,
        later: 0.95,
        armour: 1.2,
        air: 0.8,
        forts: 0.4,
        assets: 0.5,
    };

    /// The usual weights of a player: the better of some hundred others, each against the usual ones of the other: those of the Allies
    /// in 16.2, with an eye on the campaigns, those of 16.1, those of the Axis in the campaigns and 16.3. `prize`, `press`, `counter`,
    /// `onward`, `coast` and `mass` of the Allies, and `gain`, `stock`, `onward`, `stand`, `mass` and `depth` of the Axis were set when
    /// coasts had come to be guarded, `loss`, `reserve`, `hold`, `risk` and `coast` of the Axis, and `massed`, `refuge`, `stand`, `hold`,
    /// `risk` and `foothold` of the Allies when what counts behind a coast had, for games in the campaigns, 16.2 and 16.3 that are not
    /// lopsided.
    pub const fn of(player: PlayerId) -> Weights {
        let common = Weights::COMMON;
        match player {
            PlayerId::Axis => Weights {
                gain: 1.0,
                prize: 0.88,
                reserve: 0.6,
                loss: 1.1,
                hold: 0.35,
                risk: 0.255,
                special: 1.0,
                coast: 0.69,
                stock: 8.0,
                surrender: 1.0,
                air: 0.6,
                drive: 0.24,
                onward: 0.18,
                cover: 0.24,
                keep: 0.9,
                stand: 0.3,
                mass: 1.5,
                depth: 0.15,
                home: 0.5,
                contest: 1.0,
                forward: 0.75,
                ..common
            },
            PlayerId::Allied => Weights {
                prize: 0.37,
                press: 1.4,
                counter: 1.2,
                onward: 0.66,
                foothold: 0.05,
                risk: 0.265,
                massed: 0.95,
                coast: 0.55,
                special: 2.7,
                last: 4.0,
                hold: 1.17,
                reserve: 0.35,
                stand: 0.72,
                depth: 1.2,
                mass: 2.5,
                refuge: 29.0,
                armour: 1.0,
                air: 0.6,
                assets: 0.25,
                dear: 2.0,
                surrender: 0.0,
                ..common
            },
            PlayerId::Western => Weights {
                gain: 2.6,
                commit: 0.4,
                kill: 1.15,
                prize: 1.5,
                drive: 0.75,
                onward: 0.75,
                cover: 0.65,
                fear: 0.2,
                hold: 0.05,
                keep: 3.75,
                mass: 1.2,
                risk: 0.15,
                reserve: 0.35,
                march: 0.2,
                special: 1.0,
                stock: 4.0,
                air: 0.6,
                armour: 1.0,
                ..common
            },
            PlayerId::Soviet => Weights {
                odds: 0.27,
                commit: 0.55,
                loss: 1.15,
                prize: 1.35,
                drive: 0.75,
                onward: 0.75,
                cover: 0.12,
                fear: 0.7,
                march: 1.1,
                special: 3.2,
                armour: 1.9,
                air: 0.7,
                forts: 0.3,
                ..common
            },
        }
    }
}

/// The weights of all players, by [`PlayerId`].
pub(crate) type AllWeights = [Weights; PlayerId::ALL.len()];

/// The usual weights of all players.
pub(crate) const USUAL: AllWeights = [
    Weights::of(PlayerId::Axis),
    Weights::of(PlayerId::Allied),
    Weights::of(PlayerId::Western),
    Weights::of(PlayerId::Soviet),
];

/// The player whose weights hold for a team: the one who leads all of it, also where two share the lead by option (14.48).
fn leader(game: &EuropeEngulfed, team: Team) -> PlayerId {
    let mut players =
        game.rules.setup.players.iter().filter(|player| player.team == team).map(|player| player.id);
    match (players.next(), players.next()) {
        (Some(player), None) => player,
        _ => PlayerId::Allied,
    }
}

/// The weights of the players of a team.
pub(super) fn of_team(game: &EuropeEngulfed, weights: &AllWeights, team: Team) -> Weights {
    weights[leader(game, team) as usize]
}

pub(super) const FIELDS: [WeightField<Weights>; 37] = [
    weight_field!(gain, 0.0, 5.0, "least worth for which a battle is opened, in steps"),
    weight_field!(odds, 0.0, 0.9, "least probability of clearing an area for which it is attacked"),
    weight_field!(commit, 0.0, 1.0, "worth elsewhere of each power that is sent into an attack"),
    weight_field!(kill, 0.2, 3.0, "worth of an enemy step lost in battle, in own steps"),
    weight_field!(loss, 0.2, 3.0, "worth of an own step lost in battle"),
    weight_field!(prize, 0.2, 4.0, "factor on the worth of ground"),
    weight_field!(
        press,
        0.5,
        3.0,
        "factor on the worth of ground, besides, once Germany has attacked the USSR"
    ),
    weight_field!(
        counter,
        0.5,
        3.0,
        "factor on the worth of ground, besides, in the first year of the war in the East"
    ),
    weight_field!(
        drive,
        0.0,
        1.0,
        "share of the pull of ground further on that counts for ground on the way"
    ),
    weight_field!(
        onward,
        0.0,
        1.0,
        "share of the pull of ground further on that counts on the way, once Germany has attacked the USSR"
    ),
    weight_field!(
        cover,
        0.0,
        1.5,
        "share of the worth of own ground further on that counts for ground before it"
    ),
    weight_field!(depth, 0.0, 2.0, "worth of somebody in an area behind the front, as a share of the area's"),
    weight_field!(refuge, 0.0, 60.0, "own power kept where a Major Power holds out longest"),
    weight_field!(
        reserve,
        0.0,
        1.5,
        "share of who can reinforce an area that is reckoned to meet an attack on it"
    ),
    weight_field!(
        last,
        1.0,
        9.0,
        "how much dearer the last Special Action is while ground that decides the game is at the front"
    ),
    weight_field!(fear, 0.0, 2.0, "share of an enemy's power next door that own power must match"),
    weight_field!(hold, 0.0, 1.5, "share of an enemy's power next door that stays when others attack"),
    weight_field!(
        stand,
        0.0,
        1.5,
        "share of an enemy's power next door that stays in ground that decides the game"
    ),
    weight_field!(
        home,
        0.0,
        2.0,
        "own power that stays on home ground at the front, as a share of the enemy's that can reach it"
    ),
    weight_field!(
        contest,
        0.0,
        2.0,
        "share of the worth of home ground fought over that draws troops next to it"
    ),
    weight_field!(
        coast,
        0.0,
        1.5,
        "share of the power that could land on a coast that is wanted there, all of it at home"
    ),
    weight_field!(surrender, 0.0, 3.0, "worth of each block that lays down its arms when a capital falls"),
    weight_field!(keep, 0.0, 6.0, "factor on the worth of own ground that is to be held"),
    weight_field!(mass, 0.3, 6.0, "multiple of an enemy's power up to which more is wanted for an attack"),
    weight_field!(risk, 0.0, 2.0, "share of the power around an area taken that comes at who took it"),
    weight_field!(
        massed,
        0.0,
        1.0,
        "share of an enemy still to deploy that is expected before ground that decides the game"
    ),
    weight_field!(
        dear,
        1.0,
        3.0,
        "worth of a step of armour lost, in steps of infantry, and of an elite one, in plain ones"
    ),
    weight_field!(
        foothold,
        0.0,
        0.5,
        "worth of a foothold ashore for each power that waits overseas for one"
    ),
    weight_field!(
        forward,
        0.3,
        1.0,
        "share of the worth of an airfield behind the front that is left each area further off"
    ),
    weight_field!(march, 0.0, 2.0, "least gain for which a unit marches, in steps"),
    weight_field!(special, 0.0, 15.0, "worth of a Special Action in hand, in steps, when it is to be spent"),
    weight_field!(stock, 0.0, 15.0, "worth of a Special Action that is bought, in steps"),
    weight_field!(later, 0.3, 1.0, "share of the worth of a Special Action that the next one in hand has"),
    weight_field!(armour, 0.3, 3.0, "factor on the worth of building armour"),
    weight_field!(air, 0.3, 3.0, "factor on the worth of building air support"),
    weight_field!(forts, 0.0, 3.0, "factor on the worth of field fortifications"),
    weight_field!(assets, 0.0, 3.0, "factor on the worth of submarines, bombers and what meets them"),
];

/// All weights that are read in a game.
pub(super) fn described(game: &EuropeEngulfed) -> Vec<Weight> {
    let of = |player: PlayerId| {
        FIELDS.iter().map(move |field| field.weight(player.id(), field.name, &Weights::of(player)))
    };
    Team::ALL.into_iter().map(|team| leader(game, team)).flat_map(of).collect()
}

/// The weights of all players with some of them replaced; `None` if there is no weight of a name.
pub(super) fn with(values: &[(String, f32)]) -> Option<AllWeights> {
    let mut weights = USUAL;
    let at = |side: &str| PlayerId::ALL.iter().position(|player| player.id() == side);
    set_weights(&FIELDS, &mut weights, values, at)?;
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_read_where_it_is_set() {
        let scenario = sandtable_scenarios_europe_engulfed::open("europe-engulfed/patton-1945", &[]).unwrap();
        let game = EuropeEngulfed::new(scenario.into_rules()).unwrap();
        let weights = described(&game);
        assert_eq!(weights.len(), 2 * FIELDS.len(), "two players");
        for weight in weights {
            let other = if weight.default >= weight.range.1 { weight.range.0 } else { weight.range.1 };
            assert!((weight.range.0..=weight.range.1).contains(&weight.default), "{weight:?}");
            let name = format!("{}.{}", weight.side, weight.name);
            let changed = with(&[(name.clone(), other)]).unwrap();
            assert_ne!(changed, USUAL, "{name}");
            assert_eq!(with(&[(name.clone(), other), (name, weight.default)]).unwrap(), USUAL);
        }
        for unknown in ["kill", "soviet_union.kil", "turks.kill"] {
            assert_eq!(with(&[(unknown.to_owned(), 1.0)]), None, "{unknown}");
        }
    }
}
