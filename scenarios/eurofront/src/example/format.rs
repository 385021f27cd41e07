//! Positions and expectations as they are written.

use serde::Deserialize;

use sandtable_scenarios::example::format::{self, Illegal, Lists, Names, Numbers};

/// The position of an example; each key is explained in `examples/README.md`.
#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Position {
    /// Values of the scenario by path.
    pub set: Vec<String>,
    /// Blocks of the set-up stay where they are.
    pub keep_units: bool,
    /// As `1936-07`.
    pub month: Option<String>,
    /// 1 or 2.
    pub fortnight: Option<u8>,
    /// Of the West Front.
    pub weather: Option<String>,
    /// Of the East Front.
    pub weather_east: Option<String>,
    /// Who owns hexes and areas, by side; `neutral`: nobody.
    pub owned: Lists,
    /// Lines `place: block steps marks, block steps`.
    pub units: Vec<String>,
    /// Garrisons by side.
    pub garrisons: Lists,
    /// Battles by their original defender.
    pub defends: Lists,
    /// Blocks that have just entered their battle: `block from place`.
    pub entered: Vec<String>,
    /// Production points at hand, by side or account.
    pub points: Numbers,
    /// Foreign aid.
    pub aid: Option<Aid>,
    /// Whose player turn begins.
    pub turn: Option<String>,
    /// Whose combat begins.
    pub combat: Option<String>,
    /// A month begins: its production.
    pub production: bool,
    /// Who has naval supremacy: a side, or `nobody`.
    pub supremacy: Option<String>,
    /// Sea areas under storm.
    pub storms: Vec<String>,
    /// The Axis has naval supremacy on the Northern Route in this player turn.
    pub weser: bool,
    /// Beachheads: `bh_uk_1 ready`, `bh_uk_1 preparing`, `bh_uk_1 in caen`, `bh_uk_1 in caen disrupted`.
    pub beachheads: Vec<String>,
    /// Where nations stand.
    pub status: Names,
    /// What holds besides, and what does not.
    pub facts: Vec<String>,
    pub no_facts: Vec<String>,
    /// Diplomatic events that have happened besides; how often some have.
    pub events: Vec<String>,
    pub happened: Numbers,
    /// Sides that have committed treason.
    pub treason: Vec<String>,
    pub demoralised: Vec<String>,
    pub exploited: Vec<String>,
    /// Solidarity checks that have failed.
    pub solidarity: Option<u8>,
    /// Month of the Finnish Armistice or defeat, since September 1939.
    pub finnish_peace: Option<i8>,
    /// Whose diplomacy of a month begins.
    pub diplomacy: Option<String>,
    /// Whose politics begin.
    pub politics: Option<String>,
    /// Dice that fall before the first decision.
    pub dice: Vec<u32>,
}

impl format::Position for Position {
    fn overrides(&self) -> Vec<String> {
        self.set.clone()
    }

    fn fault(&self) -> Option<&'static str> {
        let begins = usize::from(self.turn.is_some())
            + usize::from(self.combat.is_some())
            + usize::from(self.production)
            + usize::from(self.diplomacy.is_some())
            + usize::from(self.politics.is_some());
        (begins > 1).then_some("begins with one of `turn`, `combat`, `production`, `diplomacy`, `politics`")
    }
}

/// Foreign aid of the Civil War, as it stands.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Aid {
    /// French points a month.
    pub french: Option<u8>,
    /// Railheads of French aid.
    pub railheads: Option<Vec<String>>,
    /// The railhead of Soviet aid, `none` without one.
    pub soviet: Option<String>,
    /// The railhead of Axis aid, `none` without one.
    pub axis: Option<String>,
    /// Points of Axis aid this month.
    pub axis_points: Option<u8>,
    /// Recognition has been claimed in this season.
    pub claimed: Option<bool>,
    /// Intervention has ended.
    pub ended: Option<bool>,
}

/// What must hold after a step; each key is explained in `examples/README.md`.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Exact content of hexes.
    pub units: Vec<String>,
    /// Part of the content of hexes.
    pub among: Vec<String>,
    pub eliminated: Vec<String>,
    /// Removed for good.
    pub removed: Vec<String>,
    /// Reinforcements still to come.
    pub awaiting: Vec<String>,
    /// Control when the phase began, by side; also `disputed`, `nobody`.
    pub control: Lists,
    pub garrisons: Lists,
    /// Battles by their original defender.
    pub defends: Lists,
    pub no_battle: Vec<String>,
    /// Command values in effect.
    pub value: Numbers,
    /// Supreme Moves left.
    pub orders: Numbers,
    pub speed: Numbers,
    /// Firepower of a block where it stands: `block active`, `block passive`.
    pub fire: Names,
    /// Greatest die that repulses, by hex.
    pub repulse: Numbers,
    /// Hexes within the radius of a headquarters.
    pub commands: Lists,
    /// Hexes in which units of a side are supplied, and in which not.
    pub supplied: Lists,
    pub cut_off: Lists,
    pub points: Numbers,
    /// Points with which the production of a side began in this step.
    pub income: Numbers,
    /// Volleys of the step in order: `defensive madrid 3 dice 1 hit 1 repulse`.
    pub fired: Option<Vec<String>>,
    /// Rounds of the step in order: `madrid supported`, `madrid unsupported assault`.
    pub rounds: Option<Vec<String>>,
    /// Steps lost in the step, in order: `block combat`.
    pub lost: Option<Vec<String>>,
    /// Blockade runs of the step: `barcelona 3 of 7`.
    pub blockade: Option<Vec<String>>,
    pub aid: Option<Aid>,
    /// The claim of the step: `nationalists 5: 4 7 refused`.
    pub claim: Option<String>,
    /// Pacification level, Nationalist less Republican.
    pub level: Option<i32>,
    /// Who has naval supremacy: a side, or `nobody`.
    pub supremacy: Option<String>,
    /// Who controls sea areas, by sea area: a side, or `nobody`.
    pub seas: Names,
    /// Sea areas under storm.
    pub storms: Option<Vec<String>>,
    /// Naval routes that sides can use.
    pub routes: Numbers,
    /// Interceptions of the step in order: `uk_inf_1 2 dice 1 hit turned_back`.
    pub voyages: Option<Vec<String>>,
    /// Interceptions of supply of the step in order: `narvik 2 dice cut`, `narvik 2 dice open`.
    pub cuts: Option<Vec<String>>,
    /// Hexes in which a headquarters of an invasion supports combat.
    pub support: Lists,
    /// Beachheads, as in the position.
    pub beachheads: Vec<String>,
    /// Where nations stand.
    pub status: Names,
    pub facts: Vec<String>,
    pub no_facts: Vec<String>,
    /// How often events have happened.
    pub happened: Numbers,
    /// The greatest die with which an event happens; 0: it cannot be tried.
    pub chance: Numbers,
    pub demoralised: Option<Vec<String>>,
    pub surprised: Option<Vec<String>>,
    pub exploited: Option<Vec<String>>,
    pub treason: Option<Vec<String>>,
    /// War Weariness.
    pub weariness: Numbers,
    /// Peace production.
    pub peace: Numbers,
    /// What sides produce in a month, the Soviets as in war.
    pub production: Numbers,
    /// The order of player turns.
    pub turns: Option<Vec<String>>,
    /// Size of the British Expeditionary Force.
    pub expedition: Option<u32>,
    /// Conditions of 1940A that are met.
    pub conditions: Option<u8>,
    /// Points of Victory Cities.
    pub cities: Numbers,
    /// Blocks on the card of neutrals.
    pub at_home: Vec<String>,
    /// What has happened between nations in the step, in order.
    pub relations: Option<Vec<String>>,
    pub month: Option<String>,
    pub fortnight: Option<u8>,
    pub weather: Option<String>,
    pub phase: Option<String>,
    /// Who decides.
    pub decides: Option<String>,
    /// The block the phase is about.
    pub subject: Option<String>,
    /// Decisions that are open, passing not counted.
    pub choices: Option<usize>,
    pub legal: Vec<String>,
    pub illegal: Vec<Illegal>,
    pub winner: Option<String>,
    pub end_reason: Option<String>,
}
