//! Blocks, places, sides and phases in words.

use sandtable_core::{Hex, Index};
use sandtable_eurofront::event::Volley;
use sandtable_eurofront::ids::{Account, BlockId, Blocks, Camp, Faction, SeaId, hex, place};
use sandtable_eurofront::rules::{Fire, Weather};
use sandtable_eurofront::{EuroFront, Mark, Phase, State};

use sandtable_scenarios::example::words::{named, unknown};

/// Phases by name.
const PHASES: [(&str, Phase); 30] = [
    ("recognition", Phase::Recognition),
    ("french_railhead", Phase::FrenchRailhead),
    ("french_loss", Phase::FrenchLoss),
    ("soviet_port", Phase::SovietPort),
    ("axis_port", Phase::AxisPort),
    ("allotment", Phase::Allotment),
    ("transfer", Phase::Transfer),
    ("arrival", Phase::Arrival),
    ("building", Phase::Building),
    ("cadre_place", Phase::CadrePlace),
    ("diplomacy", Phase::Diplomacy),
    ("event_nation", Phase::EventNation),
    ("event_unit", Phase::EventUnit),
    ("raising", Phase::Raising),
    ("deployment", Phase::Deployment),
    ("declaration", Phase::Declaration),
    ("activation", Phase::Activation),
    ("movement", Phase::Movement),
    ("destination", Phase::Destination),
    ("withdrawal", Phase::Withdrawal),
    ("mobilisation", Phase::Mobilisation),
    ("airstrike", Phase::Airstrike),
    ("battles", Phase::ActiveBattle),
    ("losses", Phase::Losses),
    ("beachhead", Phase::Beachhead),
    ("armistice_offer", Phase::ArmisticeOffer),
    ("armistice_answer", Phase::ArmisticeAnswer),
    ("uprising", Phase::Uprising),
    ("desertion", Phase::Desertion),
    ("over", Phase::Over),
];

/// What lies on a block, by name.
const MARKS: [(&str, Mark); 13] = [
    ("unsupplied", Mark::Unsupplied),
    ("revealed", Mark::Revealed),
    ("active", Mark::Active),
    ("blitz", Mark::Blitz),
    ("deactivated", Mark::Deactivated),
    ("moved", Mark::Moved),
    ("strategic", Mark::Strategic),
    ("entered", Mark::Entered),
    ("rearguard", Mark::Rearguard),
    ("dispersed", Mark::Dispersed),
    ("acclimatised", Mark::Acclimatised),
    ("starved", Mark::Starved),
    ("starved_this_fortnight", Mark::STARVED_THIS_FORTNIGHT),
];

/// Weathers by name.
const WEATHERS: [(&str, Weather); 3] =
    [("dry", Weather::Dry), ("mud", Weather::Mud), ("snow", Weather::Snow)];

/// Sides by name: those of the Civil War, and all others.
const SIDES: [(&str, Faction); 5] = [
    ("nationalists", Faction::Axis),
    ("republicans", Faction::Allies),
    ("axis", Faction::Axis),
    ("allies", Faction::Allies),
    ("soviets", Faction::Soviets),
];

fn among<T: Copy>(name: &str, what: &str, list: &[(&str, T)]) -> Result<T, String> {
    named(name, what, list.iter().map(|&(known, value)| (known.to_owned(), value)))
}

fn name_of<T: PartialEq>(value: &T, list: &[(&'static str, T)]) -> &'static str {
    list.iter().find(|(_, known)| known == value).map_or("?", |(name, _)| name)
}

pub(super) fn phase(name: &str) -> Result<Phase, String> {
    among(name, "a phase", &PHASES)
}

pub(super) fn phase_name(phase: Phase) -> &'static str {
    name_of(&phase, &PHASES)
}

pub(super) fn weather(name: &str) -> Result<Weather, String> {
    among(name, "a weather", &WEATHERS)
}

pub(super) fn weather_name(weather: Weather) -> &'static str {
    name_of(&weather, &WEATHERS)
}

/// The faction of a side.
pub(super) fn faction(name: &str) -> Result<Faction, String> {
    among(name, "a side", &SIDES)
}

/// The camp of a side.
pub(super) fn camp(name: &str) -> Result<Camp, String> {
    faction(name).map(Faction::camp)
}

/// The account of a side for the West (its home account), or another by its identifier.
pub(super) fn account(name: &str) -> Result<Account, String> {
    let named = SIDES.iter().map(|&(side, faction)| (side.to_owned(), Account::home(faction)));
    let accounts = Account::ALL.iter().map(|&account| (account.id().to_owned(), account));
    sandtable_scenarios::example::words::named(name, "a side or an account", named.chain(accounts))
}

pub(super) fn fire_name(fire: Fire) -> &'static str {
    match fire {
        Fire::None => "none",
        Fire::Single => "SF",
        Fire::Double => "DF",
        Fire::Triple => "TF",
        Fire::Quadruple => "QF",
    }
}

pub(super) fn volley_name(volley: Volley) -> &'static str {
    match volley {
        Volley::Air => "air",
        Volley::Defensive => "defensive",
        Volley::Offensive => "offensive",
        Volley::Pursuit => "pursuit",
    }
}

/// A block in words: `sn_inf_1 2 unsupplied`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unit {
    pub id: BlockId,
    pub steps: Option<u8>,
    /// Marks that it has, and has not.
    pub marks: Vec<Mark>,
    pub without: Vec<Mark>,
}

/// Reads words in the rules of a game.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub game: &'a EuroFront,
}

impl Words<'_> {
    /// A hex or area: a place by identifier or name, a hex by its rule name or its number of column and row.
    pub fn hex(self, text: &str) -> Result<Hex, String> {
        let rules = &self.game.rules;
        if let Some(found) = rules.place(text) {
            return Ok(found);
        }
        let pair = |at: usize| text.get(at..at + 2).and_then(|digits| digits.parse::<u8>().ok());
        if text.len() == 4
            && let (Some(column), Some(row)) = (pair(0), pair(2))
        {
            let found = hex(column.min(63), row.min(63));
            if rules.map.hexes.iter().any(|data| data.hex == found) {
                return Ok(found);
            }
        }
        let places = rules.map.places.iter().flat_map(|place| [place.id.as_str(), place.name.as_str()]);
        let hexes = rules.map.hexes.iter().map(|data| data.name.as_str());
        Err(unknown(text, "a hex, an area or a place", places.chain(hexes)))
    }

    /// A faction as the scenario calls it.
    pub fn side(self, faction: Faction) -> &'static str {
        match (faction, self.game.rules.civil_war.is_some()) {
            (Faction::Axis, true) => "nationalists",
            (_, true) => "republicans",
            (faction, false) => faction.id(),
        }
    }

    /// A camp as the scenario calls it: outside of the Civil War by the faction that leads it.
    pub fn camp_name(self, camp: Camp) -> &'static str {
        let of_camp = |faction: &Faction| faction.camp() == camp;
        self.side(self.game.factions().find(of_camp).unwrap_or(Faction::Axis))
    }

    /// Hexes of a list.
    pub fn hexes(self, list: &[String]) -> Result<Vec<Hex>, String> {
        list.iter().map(|text| self.hex(text)).collect()
    }

    /// A sea area by its identifier.
    pub fn sea(self, id: &str) -> Result<SeaId, String> {
        let seas = self.game.rules.map.seas.iter().enumerate();
        named(id, "a sea area", seas.map(|(at, sea)| (sea.id.clone(), SeaId::nth(at))))
    }

    pub fn sea_id(self, sea: SeaId) -> String {
        self.game.rules.map.seas[sea.at()].id.clone()
    }

    /// A block by its identifier.
    pub fn block(self, id: &str) -> Result<BlockId, String> {
        let blocks = self.game.rules.blocks.iter().enumerate();
        named(id, "a block of the scenario", blocks.map(|(at, block)| (block.id.clone(), BlockId::nth(at))))
    }

    pub fn block_id(self, block: BlockId) -> String {
        if block.is_none() { "none".into() } else { self.game.block(block).id.clone() }
    }

    /// A block with its steps and marks.
    pub fn unit(self, text: &str) -> Result<Unit, String> {
        let mut words = text.split_whitespace();
        let id = self.block(words.next().unwrap_or_default())?;
        let mut unit = Unit { id, steps: None, marks: Vec::new(), without: Vec::new() };
        for word in words {
            if let Ok(steps) = word.parse::<u8>() {
                let most = self.game.block(id).full;
                if steps > most {
                    return Err(format!("`{text}`: the block has {most} steps at most"));
                }
                unit.steps = Some(steps);
                continue;
            }
            let positive = word.strip_prefix("not_").unwrap_or(word);
            let mark = among(positive, "what may lie on a block", &MARKS)?;
            if positive == word { unit.marks.push(mark) } else { unit.without.push(mark) }
        }
        Ok(unit)
    }

    /// Whether a block looks as described.
    pub fn fits(self, state: &State, wanted: &Unit) -> bool {
        wanted.steps.is_none_or(|steps| state.steps[wanted.id] == steps)
            && wanted.marks.iter().all(|&mark| state.has(wanted.id, mark))
            && wanted.without.iter().all(|&mark| !state.has(wanted.id, mark))
    }

    /// A block with what lies on it.
    pub fn shown(self, state: &State, block: BlockId) -> String {
        let mut text = format!("{} {}", self.block_id(block), state.steps[block]);
        for (name, mark) in MARKS {
            if state.has(block, mark) {
                text.push(' ');
                text.push_str(name);
            }
        }
        text
    }

    /// All blocks in a place.
    pub fn stack(self, state: &State, at: Hex) -> Blocks {
        self.game.block_ids().filter(|&block| state.at(block) == at).collect()
    }

    /// The number of a month of the scenario.
    pub fn month(self, id: &str) -> Result<u8, String> {
        let months = self.game.rules.calendar.iter().enumerate();
        named(id, "a month of the scenario", months.map(|(at, month)| (month.id.clone(), at as u8)))
    }

    /// Where a block is, for people.
    pub fn place_name(self, at: Hex) -> String {
        match at {
            place::OUT => "out of the game".into(),
            place::AWAITING => "still to come".into(),
            place::AT_HOME => "at home, on the card of neutrals".into(),
            place::ELIMINATED => "eliminated".into(),
            place::REMOVED => "removed for good".into(),
            hex => self.id(hex),
        }
    }

    /// A hex as examples name it: by a place in it, or by its rule name.
    pub fn id(self, at: Hex) -> String {
        let rules = &self.game.rules;
        let places = rules.map.places.iter().filter(|place| place.hex == at);
        places
            .max_by_key(|place| place.city)
            .map(|place| place.id.clone())
            .or_else(|| rules.map.hexes.iter().find(|data| data.hex == at).map(|data| data.name.clone()))
            .unwrap_or_else(|| "nowhere".into())
    }
}
