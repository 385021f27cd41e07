//! Positions and expectations as they are written.

use std::collections::BTreeMap;

use serde::Deserialize;

use sandtable_scenarios::example::format::{self, Illegal, Lists, Names};

/// Numbers by name.
pub type Numbers = BTreeMap<String, u8>;

#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Position {
    /// Values of the scenario by path.
    pub set: Vec<String>,
    /// Units of the set-up stay on the map.
    pub keep_units: bool,
    pub turn: Option<u8>,
    /// Player 1.
    pub first: Option<String>,
    pub phase: Option<String>,
    /// Whose phase it is.
    pub team: Option<String>,
    /// Areas by nation.
    pub control: Lists,
    /// Standings of nations: `axis`, `axis italy`, `gone`.
    pub standing: Names,
    /// How far Italy, the USSR and the USA are in the war.
    pub entry: Names,
    pub factories: Numbers,
    /// Command points by force.
    pub command: Numbers,
    /// Cards by force.
    pub hands: Lists,
    /// Cards laid and revealed, by the force that laid them.
    pub laid: Names,
    /// Places named for events, by force.
    pub named: Lists,
    /// Cards played or seen this year.
    pub spent: Vec<String>,
    /// Units in the pool, and out of the game.
    pub pool: Vec<String>,
    pub gone: Vec<String>,
    /// Places to be emptied, with `keep_units`.
    pub clear: Vec<String>,
    /// Lines `place: unit, unit`.
    pub units: Vec<String>,
    /// Places attacked in this turn, by team.
    pub attacks: Lists,
    pub invasion: Vec<Landing>,
    /// Areas conquered this turn.
    pub captured: Vec<String>,
    /// Turns and facts the rules remember.
    pub dates: Numbers,
    pub facts: Vec<String>,
    /// Neutrals with a claim on them, by team.
    pub claims: Lists,
    /// The country that refused Player 1 this turn.
    pub refused: Option<String>,
}

/// A sea invasion under way.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Landing {
    pub force: String,
    pub area: String,
    /// Coast it comes to, from 1.
    pub coast: Option<u8>,
    /// Sea zones it came through, the last one last.
    pub through: Vec<String>,
}

impl format::Position for Position {
    fn overrides(&self) -> Vec<String> {
        self.set.clone()
    }
}

#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Exact content of places.
    pub units: Vec<String>,
    /// Part of the content of places.
    pub among: Vec<String>,
    /// Units in the pool, and out of the game.
    pub pool: Vec<String>,
    pub gone: Vec<String>,
    /// All steps lost in the step.
    pub lost: Option<Vec<String>>,
    pub control: Lists,
    pub standing: Names,
    pub entry: Names,
    pub factories: Numbers,
    pub command: Numbers,
    pub hands: Lists,
    pub dates: Numbers,
    pub facts: Vec<String>,
    pub no_facts: Vec<String>,
    /// Areas with a line of supply, and without one, by nation.
    pub supplied: Lists,
    pub cut_off: Lists,
    /// Units that may enter or leave a battle over a border, `a b`.
    pub limits: Numbers,
    /// Production of majors.
    pub account: BTreeMap<String, Books>,
    /// Production points left to majors that write.
    pub points: Numbers,
    /// The shots of the step, in order.
    pub fired: Option<Vec<Shot>>,
    /// The last battle that ended in the step.
    pub battle: Option<Report>,
    /// Parts of facts that were reported in the step.
    pub events: Vec<String>,
    /// What was not reported.
    pub no_events: Vec<String>,
    pub turn: Option<u8>,
    pub phase: Option<String>,
    pub team: Option<String>,
    /// Player 1.
    pub first: Option<String>,
    /// The force that decides.
    pub decides: Option<String>,
    /// The unit that is asked.
    pub asked: Option<String>,
    /// Decisions that are open, passing not counted.
    pub choices: Option<usize>,
    pub legal: Vec<String>,
    pub illegal: Vec<Illegal>,
    /// The force that has won, and how.
    pub winner: Option<String>,
    pub end_reason: Option<String>,
}

/// Production of a major.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Books {
    pub resources: Option<u8>,
    pub factories: Option<u8>,
    pub aid: Option<u8>,
    pub points: Option<u8>,
    pub urals: Option<u8>,
    pub leningrad: Option<u8>,
    /// Factory steps that resources would still feed.
    pub growth: Option<u8>,
}

/// A unit fires.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Shot {
    /// A unit, or `flak`.
    pub unit: String,
    pub at: Option<String>,
    pub fire: Option<u8>,
    pub dice: Option<u8>,
    pub hits: Option<u8>,
}

/// A battle as fought; pairs are of its attacker and defender.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Report {
    pub place: Option<String>,
    pub attacker: Option<String>,
    pub rounds: Option<u8>,
    pub units: Option<[u8; 2]>,
    pub steps: Option<[u8; 2]>,
    /// Firepower times dice, summed.
    pub weight: Option<[u8; 2]>,
    pub hits: Option<[u8; 2]>,
    pub lost: Option<[u8; 2]>,
    pub won: Option<bool>,
    pub exploitation: Option<bool>,
    pub winter: Option<bool>,
}
