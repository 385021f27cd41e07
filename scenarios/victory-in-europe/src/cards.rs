//! The cards and their events (3).

use sandtable_victory_in_europe::nation::Nation;
use sandtable_victory_in_europe::rules::{
    Areas, Arm, Card, Colour, Effect, Kind, MAX_CARDS, Scope, Seas, Target, Where,
};
use sandtable_victory_in_europe::{Place, UnitId};

use super::map::{Map, TERRAINS};
use super::nation;
use super::units::{Counters, TARGETS, arm_of, kinds};
use sandtable_scenarios::tree::{Names, Node, Whole};
use sandtable_scenarios::{LoadError, Problem, nearest};

pub(super) fn read(whole: Whole<'_>, map: &Map, counters: &Counters) -> Result<Vec<Card>, LoadError> {
    let rows = whole.at("cards")?;
    <Names>::of_rows(&rows, "a card", MAX_CARDS)?;
    let mut cards = Vec::new();
    for entry in rows.members()? {
        entry.only(&["colour", "year", "command", "event"])?;
        let colours = [
            ("german", Colour::German),
            ("italian", Colour::Italian),
            ("allied", Colour::Allied),
            ("soviet", Colour::Soviet),
        ];
        cards.push(Card {
            id: entry.key().to_owned(),
            name: entry.get("name")?.text()?.to_owned(),
            colour: entry.get("colour")?.choose("a colour", &colours)?,
            year: entry.get("year")?.integer(1900..=2100)? as u16,
            command: entry.get("command")?.byte(0..=9)?,
            effect: effect(&entry.get("event")?, map, counters)?,
        });
    }
    Ok(cards)
}

/// Groups of kinds of unit that events speak of.
fn groups() -> Vec<(&'static str, u32)> {
    let mask = |is: &dyn Fn(Kind) -> bool| {
        Kind::ALL.into_iter().filter(|&kind| is(kind)).fold(0, |mask, kind| mask | kind.bit())
    };
    let mut words = vec![
        ("any", 0),
        ("air", mask(&|kind| arm_of(kind) == Arm::Air)),
        ("naval", mask(&|kind| arm_of(kind) == Arm::Naval)),
        ("army", mask(&|kind| arm_of(kind) == Arm::Army)),
        ("infantry", mask(&Kind::is_infantry)),
    ];
    words.extend(kinds().into_iter().filter(|&(id, _)| id != "infantry").map(|(id, kind)| (id, kind.bit())));
    words
}

struct Reader<'n, 't> {
    event: &'n Node<'t>,
    map: &'n Map,
}

impl Reader<'_, '_> {
    fn number(&self, key: &str) -> Result<u8, LoadError> {
        self.event.get(key)?.byte(1..=20)
    }
    fn flag(&self, key: &str) -> Result<bool, LoadError> {
        self.event.find(key)?.map_or(Ok(false), |node| node.flag())
    }
    fn nation(&self) -> Result<Option<Nation>, LoadError> {
        self.event.find("nation")?.map(|node| nation(&node)).transpose()
    }
    fn scope(&self) -> Result<Scope, LoadError> {
        let groups = groups();
        let mut kinds = 0;
        for item in self.event.get("units")?.items()? {
            kinds |= item.choose("a kind of unit", &groups)?;
        }
        let nations = match self.event.find("nation")? {
            None => 0,
            Some(node) if node.text().is_ok() => nation(&node)?.bit(),
            Some(node) => node.items()?.iter().try_fold(0, |mask, item| Ok(mask | nation(item)?.bit()))?,
        };
        Ok(Scope { kinds, nations })
    }
    fn place(&self) -> Result<Where, LoadError> {
        let node = self.event.get("where")?;
        if node.text().is_ok() {
            return node.choose("a place", &[("anywhere", Where::Anywhere), ("home", Where::Home)]);
        }
        let (mut areas, mut seas): (Areas, Seas) = (Areas::EMPTY, 0);
        for item in node.items()? {
            let id = item.text()?;
            if let Some(area) = self.map.area_names.index_of(id) {
                areas.insert(area);
            } else if let Some(sea) = self.map.sea_names.index_of(id) {
                seas |= 1 << sea;
            } else if let Some((_, region)) = self.map.named.iter().find(|(name, _)| name == id) {
                areas = areas.or(region);
            } else if id == "ussr_home" {
                let home = (0..).zip(&self.map.areas).filter(|(_, area)| area.home == Some(Nation::Ussr));
                areas = areas.or(&home.map(|(at, _)| Place(at)).collect());
            } else {
                let known = self.map.areas.iter().map(|area| area.id.as_str());
                let known = known.chain(self.map.seas.iter().map(|sea| sea.id.as_str()));
                let near = nearest(id, known.chain(self.map.named.iter().map(|(name, _)| name.as_str())));
                let what = "an area, a sea zone or a region".into();
                return Err(item.error(Problem::UnknownName { value: id.into(), what, near }));
            }
        }
        Ok(match (areas.is_empty(), seas.count_ones()) {
            (_, 0) => Where::Region(areas),
            (true, 1) => Where::Sea(seas.trailing_zeros() as u8),
            _ => Where::RegionAndSeas(areas, seas),
        })
    }
    fn target(&self) -> Result<Option<Target>, LoadError> {
        self.event.find("target")?.map(|node| node.choose("a target", &TARGETS)).transpose()
    }
}

/// Kinds of events, and the keys that describe them.
const EVENTS: [(&str, &[&str]); 15] = [
    ("firepower", &["units", "bonus", "battles", "nation", "factories", "defending", "terrain", "target"]),
    ("round", &["nation"]),
    ("loss", &["units", "steps", "nation", "factories", "where"]),
    ("steps", &["units", "steps", "nation", "where"]),
    ("deploy", &["unit", "area"]),
    ("points", &["nation", "points"]),
    ("diplomacy", &["nation", "bonus"]),
    ("strategic", &["nation", "factories", "moves"]),
    ("move", &["units", "nation", "bonus"]),
    ("invade", &["discount"]),
    ("mud", &["where"]),
    ("urals", &["units", "moves"]),
    ("supply", &["nation", "areas"]),
    ("cut", &["areas", "where"]),
    ("peek", &["cards"]),
];

fn effect(event: &Node<'_>, map: &Map, counters: &Counters) -> Result<Effect, LoadError> {
    let read = Reader { event, map };
    let (kind, keys) = event.get("kind")?.choose("an event", &EVENTS.map(|row| (row.0, row)))?;
    let keys: Vec<&str> = ["kind"].iter().chain(keys).copied().collect();
    event.only(&keys)?;
    Ok(match kind {
        "firepower" => Effect::Firepower {
            scope: read.scope()?,
            flak: read.flag("factories")?,
            bonus: read.number("bonus")?,
            battles: event.get("battles")?.byte(1..=2)?,
            defending: read.flag("defending")?,
            terrain: event.find("terrain")?.map(|node| node.choose("a terrain", &TERRAINS)).transpose()?,
            target: read.target()?,
        },
        "round" => Effect::Round { nation: read.nation()? },
        "loss" => Effect::Loss {
            scope: read.scope()?,
            factory: read.flag("factories")?,
            steps: read.number("steps")?,
            place: read.place()?,
        },
        "steps" => Effect::Steps { scope: read.scope()?, steps: read.number("steps")?, place: read.place()? },
        "deploy" => {
            let area = map.area_names.read(&event.get("area")?)?;
            Effect::Deploy { unit: counters.names.read(&event.get("unit")?)?, area }
        }
        "points" => Effect::Points { nation: nation(&event.get("nation")?)?, points: read.number("points")? },
        "diplomacy" => Effect::Diplomacy { nation: read.nation()?, bonus: read.number("bonus")? },
        "strategic" => Effect::Strategic {
            factory: read.flag("factories")?,
            nation: read.nation()?,
            moves: read.number("moves")?,
        },
        "move" => Effect::Move { scope: read.scope()?, bonus: read.number("bonus")? },
        "invade" => Effect::Invade { discount: read.number("discount")? },
        "mud" => Effect::Mud { place: read.place()? },
        "urals" => {
            Effect::Urals { units: leaving_urals(event, counters)?, free: event.get("moves")?.byte(0..=20)? }
        }
        "supply" => Effect::Supply { areas: event.get("areas")?.byte(1..=2)?, nation: read.nation()? },
        "cut" => Effect::Cut { areas: event.get("areas")?.byte(1..=2)?, place: read.place()? },
        _ => Effect::Peek { cards: event.get("cards")?.byte(1..=4)? },
    })
}

/// Units that an event lets out of the Urals (13).
fn leaving_urals(event: &Node<'_>, counters: &Counters) -> Result<[UnitId; 4], LoadError> {
    let node = event.get("units")?;
    let items = node.items()?;
    let mut units = [UnitId::NONE; 4];
    if items.len() > units.len() {
        return Err(node.inconsistent(format!("at most {} units may leave the Urals", units.len())));
    }
    for (place, item) in units.iter_mut().zip(items) {
        *place = counters.names.read(&item)?;
    }
    Ok(units)
}
