//! Units, places and decisions in words.

use crate::setup::STANDINGS;
use sandtable_blitzwar::game::Counters;
use sandtable_blitzwar::location::{Counter, Location, Sea, Zone};
use sandtable_blitzwar::state::Status;
use sandtable_blitzwar::{Action, BlitzWar, Country, Event, Force, Kind, Nation, Pending, Phase, State};
use sandtable_core::Index;
use sandtable_core::{Game, PlayContext, Scripted, Stepwise};

use sandtable_scenarios::example::words::{named, unknown};

/// Phases by name.
pub(super) const PHASES: [(&str, Phase); 26] = [
    ("deployment", Phase::Deployment),
    ("diplomacy", Phase::Diplomacy),
    ("cards", Phase::Cards),
    ("minors", Phase::Minors),
    ("power_losses", Phase::PowerLosses),
    ("lend_lease", Phase::LendLease),
    ("placement", Phase::Placement),
    ("reorganisation", Phase::Reorganisation),
    ("naval_movement", Phase::NavalMovement),
    ("naval_combat", Phase::NavalCombat),
    ("bombing", Phase::Bombing),
    ("battle_of_britain", Phase::BattleOfBritain),
    ("tactical_air", Phase::TacticalAir),
    ("beachheads", Phase::Beachheads),
    ("strategic_air", Phase::StrategicAir),
    ("sea_transport", Phase::SeaTransport),
    ("fortification", Phase::Fortification),
    ("strategic_movement", Phase::StrategicMovement),
    ("tactical_movement", Phase::TacticalMovement),
    ("blitz", Phase::Blitz),
    ("blitz_move", Phase::BlitzMove),
    ("normal", Phase::Normal),
    ("normal_move", Phase::NormalMove),
    ("out_of_supply", Phase::OutOfSupply),
    ("late_air", Phase::LateAir),
    ("over", Phase::Over),
];

/// Verbs of the phrases, for messages.
const VERBS: [&str; 42] = [
    "pass",
    "until",
    "stop",
    "decline",
    "roll",
    "deploy",
    "choose",
    "take",
    "place",
    "pay",
    "give",
    "lend",
    "release",
    "merge",
    "split",
    "exchange",
    "discard",
    "move",
    "sail",
    "fly",
    "transport",
    "redeploy",
    "rebase",
    "go",
    "fight",
    "bomb",
    "answer",
    "dogfight",
    "beachhead",
    "fortify",
    "unfortify",
    "activate",
    "attack",
    "use",
    "waive",
    "lose",
    "retreat",
    "hold",
    "advance",
    "eliminate",
    "unanswered",
    "end",
];

pub(super) fn force(name: &str) -> Result<Force, String> {
    named(name, "a side", Force::ALL.into_iter().map(|force| (force.id().to_owned(), force)))
}

pub(super) fn country(name: &str) -> Result<Country, String> {
    named(name, "a country", Country::ALL.into_iter().map(|country| (country.id().to_owned(), country)))
}

pub(super) fn status(name: &str) -> Result<Status, String> {
    named(name, "a standing", STANDINGS.into_iter().map(|(name, status)| (name.to_owned(), status)))
}

pub(super) fn phase(name: &str) -> Result<Phase, String> {
    named(name, "a phase", PHASES.into_iter().map(|(name, phase)| (name.to_owned(), phase)))
}

fn nation(name: &str) -> Result<Nation, String> {
    named(name, "a nation", Nation::ALL.into_iter().map(|nation| (nation.id().to_owned(), nation)))
}

/// Kinds by letter.
pub(super) const LETTERS: [(&str, Kind); 6] = [
    ("I", Kind::Infantry),
    ("C", Kind::Armour),
    ("A", Kind::Air),
    ("F", Kind::Fleet),
    ("U", Kind::Submarine),
    ("S", Kind::Supply),
];

fn kind(letter: &str) -> Result<Kind, String> {
    named(letter, "a kind of unit", LETTERS.into_iter().map(|(letter, kind)| (letter.to_owned(), kind)))
}

/// What a counter shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Face {
    /// Infantry and armour corps.
    Corps(u8, u8),
    /// Other units; supply in half units.
    Units(Kind, u8),
}

/// A counter, or equal units, in words: `ger elite I1C1 activated`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unit {
    pub nation: Nation,
    pub face: Face,
    pub elite: bool,
    pub fortified: bool,
    pub mission: bool,
    pub unsupplied: bool,
    pub supplied: bool,
    /// `activated` or `idle`.
    pub activated: Option<bool>,
    pub paid: bool,
    pub carried: bool,
    pub moved: Option<u8>,
}

impl Unit {
    /// Reads a unit.
    pub fn read(text: &str) -> Result<Unit, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (unit, rest) = Unit::take(&words)?;
        if rest.is_empty() { Ok(unit) } else { Err(format!("`{}` means nothing here", rest.join(" "))) }
    }

    /// Reads a unit at the beginning of some words, and gives the rest.
    fn take<'w, 't>(words: &'w [&'t str]) -> Result<(Unit, &'w [&'t str]), String> {
        let [owner, rest @ ..] = words else {
            return Err("a unit is expected, as in `ger I3`".into());
        };
        let owner = if *owner == "soviet" { Nation::Ussr } else { nation(owner)? };
        let (elite, rest) = match rest {
            ["elite", rest @ ..] => (true, rest),
            _ => (false, rest),
        };
        let [shown, rest @ ..] = rest else {
            return Err("a unit is expected, as in `ger I3`".into());
        };
        let mut rest = rest;
        let mut unit = Unit {
            nation: owner,
            face: face(shown)?,
            elite,
            fortified: false,
            mission: false,
            unsupplied: false,
            supplied: false,
            activated: None,
            paid: false,
            carried: false,
            moved: None,
        };
        while let [word, after @ ..] = rest {
            match *word {
                "fortified" => unit.fortified = true,
                "mission" => unit.mission = true,
                "unsupplied" => unit.unsupplied = true,
                "supplied" => unit.supplied = true,
                "activated" => unit.activated = Some(true),
                "idle" => unit.activated = Some(false),
                "paid" => unit.paid = true,
                "carried" => unit.carried = true,
                "moved" => {
                    let [zones, after @ ..] = after else {
                        return Err("`moved` needs a number of zones".into());
                    };
                    let zones: u8 =
                        zones.parse().map_err(|_| format!("`{zones}` is not a number of zones"))?;
                    unit.moved = Some(zones);
                    rest = after;
                    continue;
                }
                _ => break,
            }
            rest = after;
        }
        Ok((unit, rest))
    }

    /// The side whose supply this is.
    pub fn supply_side(&self) -> Result<Force, String> {
        match self.nation {
            Nation::Axis => Ok(Force::Axis),
            Nation::Allied => Ok(Force::Allied),
            Nation::Ussr => Ok(Force::Soviet),
            other => Err(format!("supply is of axis, allied or ussr, not {}", other.id())),
        }
    }

    /// The unit without what it has done.
    pub fn plain(&self, land: bool) -> String {
        let mut text = self.nation.id().to_owned();
        if self.elite {
            text.push_str(" elite");
        }
        text.push(' ');
        text.push_str(&show(self.face));
        if self.fortified {
            text.push_str(" fortified");
        }
        if self.mission && land {
            text.push_str(" mission");
        }
        text
    }

    /// Whether a counter looks like this.
    pub fn fits(&self, game: &BlitzWar, state: &State, counter: Counter) -> bool {
        let kind = game.kind(counter);
        let same = match self.face {
            Face::Corps(infantry, armour) => {
                kind.is_corps()
                    && game.corps_of(state, counter) == (infantry, armour)
                    && (kind == Kind::Elite) == self.elite
            }
            Face::Units(wanted, units) => kind == wanted && state.strength(counter) == units,
        };
        same && game.nation(counter) == self.nation
            && (!self.fortified && !self.mission || state.is_turned(counter))
            && (!self.unsupplied || state.is_unsupplied(counter))
            && !(self.supplied && state.is_unsupplied(counter))
            && self.activated.is_none_or(|active| active == state.is_activated(counter))
            && self.moved.is_none_or(|zones| zones == state.moved(counter))
    }
}

/// Half units as a number of units.
pub(super) fn halves(units: u8) -> String {
    if units.is_multiple_of(2) { (units / 2).to_string() } else { format!("{}.5", units / 2) }
}

/// A face in words.
pub(super) fn show(face: Face) -> String {
    match face {
        Face::Corps(infantry, 0) => format!("I{infantry}"),
        Face::Corps(0, armour) => format!("C{armour}"),
        Face::Corps(infantry, armour) => format!("I{infantry}C{armour}"),
        Face::Units(kind, units) => {
            let letter = LETTERS.iter().find(|(_, known)| *known == kind).map_or("?", |(letter, _)| letter);
            if kind == Kind::Supply {
                format!("{letter}{}", halves(units))
            } else {
                format!("{letter}{units}")
            }
        }
    }
}

/// Reads `I2`, `I1C2`, `A`, `S1.5`.
pub(super) fn face(text: &str) -> Result<Face, String> {
    let wrong = || format!("`{text}` is not a unit; `I2`, `I1C2`, `A1`, `F2`, `U1` or `S1.5` is expected");
    let (letter, number) = text.split_at_checked(1).ok_or_else(wrong)?;
    let kind = kind(letter).map_err(|_| wrong())?;
    let count =
        |number: &str| if number.is_empty() { Ok(1) } else { number.parse::<u8>().map_err(|_| wrong()) };
    Ok(match kind {
        Kind::Infantry => match number.split_once('C') {
            Some((infantry, armour)) => Face::Corps(count(infantry)?, count(armour)?),
            None => Face::Corps(count(number)?, 0),
        },
        Kind::Armour => Face::Corps(0, count(number)?),
        Kind::Supply => {
            let units: f64 = if number.is_empty() { 1.0 } else { number.parse().map_err(|_| wrong())? };
            let halves = units * 2.0;
            if !(1.0..=200.0).contains(&halves) || halves.fract() != 0.0 {
                return Err(wrong());
            }
            Face::Units(kind, halves as u8)
        }
        _ => Face::Units(kind, count(number)?),
    })
}

/// A decision, or several that belong together.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Order {
    /// Any of these.
    OneOf(Vec<Action>),
    /// Pick one of equal counters and send it from stop to stop.
    Send { counters: Vec<Counter>, stops: Vec<Location> },
    /// Attack with all who can, or with some, and roll.
    Attack { target: Zone, only: Option<Counters> },
    /// Decline everything up to a phase.
    Until(Phase, Option<Force>),
    /// End the phase, or decline.
    EndPhase,
}

impl Order {
    /// Whether a counter can be picked and sent to the first stop.
    pub fn sends(&self, game: &BlitzWar, state: &State, counter: Counter) -> bool {
        let Order::Send { stops, .. } = self else { return false };
        let picked = game.picked(state, counter);
        game.why_illegal(state, Action::Select(counter)).is_none()
            && stops.first().is_some_and(|&stop| game.why_illegal(&picked, Action::Go(stop)).is_none())
    }

    /// What has to be decided next before the order can be: reorganisation is opened for an exchange of counters, and
    /// closed for anything else; a depot is named once its owner says that he will. Nothing more if it cannot be opened.
    fn opening(&self, game: &BlitzWar, state: &State) -> Option<Action> {
        let any = |wanted: &dyn Fn(&Action) -> bool| match self {
            Order::OneOf(actions) => actions.iter().any(wanted),
            _ => false,
        };
        let exchanges = any(&|action| match action {
            Action::Merge(..)
            | Action::MergeElite(..)
            | Action::Split(..)
            | Action::Exchange(_)
            | Action::Discard(_) => true,
            // Where the phase has reorganisation, it is among its exchanges; else it is decided by itself.
            Action::Unfortify(_) => {
                matches!(state.phase(), Phase::Reorganisation | Phase::SeaTransport | Phase::TacticalMovement)
            }
            _ => false,
        });
        let opening = match (state.pending(), exchanges) {
            (Pending::Reorganisation, false) => Action::Pass,
            (Pending::None, true) => Action::Reorganise,
            (Pending::None, false) if any(&|action| matches!(action, Action::PayFrom(_))) => {
                Action::ChooseDepot
            }
            _ => return None,
        };
        game.why_illegal(state, opening).is_none().then_some(opening)
    }

    /// Decides what has to be decided before the order can be.
    pub fn open<T: sandtable_core::Context<Event>>(
        &self,
        game: &BlitzWar,
        state: &mut State,
        context: &mut T,
    ) {
        for _ in 0..2 {
            let Some(opening) = self.opening(game, state) else { return };
            game.apply_alone(state, opening, context);
        }
    }

    /// Why the order is not legal; `None` if it is.
    ///
    /// # Errors
    /// If it cannot be said, because the order itself is none.
    pub fn fault(&self, game: &BlitzWar, state: &State) -> Result<Option<String>, String> {
        let mut opened = state.clone();
        self.open(game, &mut opened, &mut PlayContext::silent(Scripted::default()));
        let state = &opened;
        match self {
            Order::OneOf(actions) => {
                let mut reasons = actions.iter().map(|&action| game.why_illegal(state, action));
                let first = reasons.next().ok_or("no counter is meant")?;
                Ok(if first.is_none() || reasons.any(|reason| reason.is_none()) { None } else { first })
            }
            Order::Send { counters, stops } => {
                if counters.iter().any(|&counter| self.sends(game, state, counter)) {
                    return Ok(None);
                }
                let pick = |&counter: &Counter| game.why_illegal(state, Action::Select(counter));
                let counter = counters.iter().find(|counter| pick(counter).is_none()).or(counters.first());
                let (Some(counter), Some(&stop)) = (counter, stops.first()) else {
                    return Err("no counter is meant".into());
                };
                let go = game.why_illegal(&game.picked(state, *counter), Action::Go(stop));
                // That there is nowhere to go says less than why the counter cannot go there.
                let nowhere = |reason: &String| reason.starts_with("there is nowhere to go");
                Ok(pick(counter).filter(|reason| !nowhere(reason) || go.is_none()).or(go))
            }
            Order::Attack { target, only } => {
                let whole = game.why_illegal(state, Action::Attack(*target));
                Ok(match only {
                    None => whole,
                    Some(group) if can_build(game, state, *target, group) => None,
                    Some(group) => game
                        .why_no_attack(state, *target, group)
                        .or(whole)
                        .or_else(|| Some("the others cannot be left out".into())),
                })
            }
            Order::Until(..) => Err("`until` is no decision".into()),
            Order::EndPhase => Ok(game.why_illegal(state, Action::Pass)),
        }
    }
}

/// Whether the decisions of the rules lead to an attack by exactly these counters.
fn can_build(game: &BlitzWar, state: &State, target: Zone, group: &Counters) -> bool {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    if !legal.contains(&Action::Attack(target)) {
        return false;
    }
    let mut trial = state.clone();
    game.apply_alone(&mut trial, Action::Attack(target), &mut PlayContext::silent(Scripted::default()));
    while let Some(action) = next_withheld(game, &trial, group) {
        game.apply_alone(&mut trial, action, &mut PlayContext::silent(Scripted::default()));
    }
    game.sheet().all(|counter| trial.attacks(counter) == group.contains(counter))
}

/// The next counter to be left out of an attack that only these make.
pub(super) fn next_withheld(game: &BlitzWar, state: &State, group: &Counters) -> Option<Action> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    legal.into_iter().find(|action| matches!(action, Action::Withhold(counter) if !group.contains(*counter)))
}

/// Reads words in a position.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub game: &'a BlitzWar,
    pub state: &'a State,
}

impl Words<'_> {
    pub fn zone(&self, name: &str) -> Result<Zone, String> {
        let zones = self.game.rules.zones.iter().enumerate();
        named(name, "a land zone", zones.map(|(at, zone)| (zone.id.clone(), Zone::nth(at))))
    }

    pub fn sea(&self, name: &str) -> Result<Sea, String> {
        let seas = self.game.rules.seas.iter().enumerate();
        named(name, "a sea", seas.map(|(at, sea)| (sea.id.clone(), Sea::nth(at))))
    }

    /// A zone, or all zones of a country.
    pub fn zones(&self, name: &str) -> Result<Vec<Zone>, String> {
        if let Some(country) = Country::from_id(name) {
            return Ok(self.game.home(country).iter().collect());
        }
        Ok(vec![self.zone(name)?])
    }

    /// A zone, a sea, a beachhead in use (`zone@sea`) or the bombing box.
    pub fn place(&self, name: &str) -> Result<Location, String> {
        if let Some((zone, sea)) = name.split_once('@') {
            let wanted = (self.zone(zone)?, self.sea(sea)?);
            return Location::beachheads()
                .find(|&place| self.state.beachhead(place) == Some(wanted))
                .ok_or_else(|| format!("there is no beachhead at {name}"));
        }
        if name == "bombing_box" {
            return Ok(Location::BOMBING_BOX);
        }
        let rules = &self.game.rules;
        let zones = rules.zones.iter().enumerate().map(|(at, zone)| (zone.id.clone(), Zone::nth(at)));
        let seas =
            rules.seas.iter().enumerate().map(|(at, sea)| (sea.id.clone(), Location::of_sea(Sea::nth(at))));
        named(name, "a place", zones.chain(seas))
    }

    /// Counters that look like a unit, at a place or anywhere on the map.
    fn counters(&self, unit: &Unit, at: Option<&str>) -> Result<Vec<Counter>, String> {
        let place = at.map(|name| self.place(name)).transpose()?;
        let found: Vec<Counter> = self
            .game
            .sheet()
            .filter(|&counter| {
                let here = self.state.location(counter);
                here <= Location::BOMBING_BOX
                    && place.is_none_or(|place| place == here)
                    && unit.fits(self.game, self.state, counter)
            })
            .collect();
        if found.is_empty() {
            let at = at.map_or(String::new(), |name| format!(" at {name}"));
            return Err(format!("there is no {}{at}", unit.plain(true)));
        }
        Ok(found)
    }

    /// Counters of `unit [at|from PLACE]`.
    fn located(&self, unit: &Unit, rest: &[&str]) -> Result<Vec<Counter>, String> {
        match rest {
            [] => self.counters(unit, None),
            ["at" | "from" | "in", place] => self.counters(unit, Some(place)),
            _ => Err(format!("`{}` means nothing here", rest.join(" "))),
        }
    }

    /// Reads a decision.
    pub fn order(&self, phrase: &str) -> Result<Order, String> {
        let words: Vec<&str> =
            phrase.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
        let [verb, rest @ ..] = words.as_slice() else { return Err("nothing is said".into()) };
        let each = |make: &dyn Fn(Counter) -> Action| self.each(rest, make);
        let one = |action| Ok(Order::OneOf(vec![action]));
        match (*verb, rest) {
            ("pass" | "stop" | "decline" | "unanswered", _) | ("end", ["phase"] | []) => Ok(Order::EndPhase),
            ("until", [name]) => Ok(Order::Until(phase(name)?, None)),
            ("until", [name, side]) => Ok(Order::Until(phase(name)?, Some(force(side)?))),
            ("roll", []) => one(Action::Roll),
            ("deploy", ["at", zone]) => one(Action::Deploy(self.zone(zone)?)),
            ("choose", [card]) => one(Action::Card(self.card(card)?)),
            ("take", [letter]) => one(Action::Italian(kind(letter)?)),
            ("place", [owner, letter, "at", place]) => {
                let owner = if *owner == "soviet" { Nation::Ussr } else { nation(owner)? };
                one(Action::Place { nation: owner, kind: kind(letter)?, place: self.place(place)? })
            }
            ("pay", ["supply"]) => one(Action::PaySupply),
            ("pay", ["from", zone]) => one(Action::PayFrom(self.zone(zone)?)),
            ("give", ["up", letter]) => one(Action::GiveUp(kind(letter)?)),
            ("lend", [letter]) => one(Action::Lend(kind(letter)?)),
            ("release", [name]) => one(Action::Release(self.counter_type(name)?)),
            ("merge", _) => self.merger(rest),
            ("split", [letter, "from", unit @ ..]) => {
                let kind = kind(letter)?;
                self.each(unit, &|counter| Action::Split(counter, kind))
            }
            ("exchange", _) => each(&Action::Exchange),
            ("discard", _) => each(&Action::Discard),
            ("move" | "sail" | "fly" | "transport" | "redeploy" | "rebase", _) => self.journey(verb, rest),
            ("go", ["on", "to", place] | ["to", place]) => one(Action::Go(self.place(place)?)),
            ("fight", ["in", sea]) => one(Action::NavalAttack(self.sea(sea)?)),
            ("bomb", ["with", unit @ ..]) => self.each(unit, &Action::Bomb),
            ("answer", ["with", unit @ ..]) => self.each(unit, &Action::Respond),
            ("dogfight", []) => one(Action::Dogfight),
            ("beachhead", [unit @ .., "at", zone]) => {
                let zone = self.zone(zone)?;
                self.each(unit, &|counter| Action::Beachhead { counter, zone })
            }
            ("fortify", _) => each(&Action::Fortify),
            ("unfortify", _) => each(&Action::Unfortify),
            ("activate", _) => each(&Action::Activate),
            ("attack", [zone]) => Ok(Order::Attack { target: self.zone(zone)?, only: None }),
            ("attack", [zone, "with", group @ ..]) => {
                Ok(Order::Attack { target: self.zone(zone)?, only: Some(self.group(group)?) })
            }
            ("use", ["shift"]) => one(Action::UseShift),
            ("waive", ["shift"]) => one(Action::WaiveShift),
            ("lose", [letter, "from", unit @ ..]) => {
                let kind = kind(letter)?;
                self.each(unit, &|counter| Action::Lose(counter, kind))
            }
            ("retreat", ["to", zone]) => one(Action::Retreat(self.zone(zone)?)),
            ("hold", []) => one(Action::Hold),
            ("advance", [unit @ .., "to", zone]) => self.advance(unit, self.zone(zone)?),
            ("eliminate", _) => each(&Action::Eliminate),
            _ if VERBS.contains(verb) => Err(format!("`{verb}` is not followed by what it needs")),
            _ => Err(unknown(verb, "a decision", VERBS)),
        }
    }

    /// What one of the counters does that the words name.
    fn each(&self, unit: &[&str], make: &dyn Fn(Counter) -> Action) -> Result<Order, String> {
        let (unit, rest) = Unit::take(unit)?;
        Ok(Order::OneOf(self.located(&unit, rest)?.into_iter().map(make).collect()))
    }

    /// `advance UNIT to ZONE`: of those that the words name, one of the attackers if there are any.
    fn advance(&self, unit: &[&str], zone: Zone) -> Result<Order, String> {
        let (unit, rest) = Unit::take(unit)?;
        let counters = self.located(&unit, rest)?;
        let fighting: Vec<Counter> =
            counters.iter().copied().filter(|&counter| self.state.attacks(counter)).collect();
        let counters = if fighting.is_empty() { counters } else { fighting };
        Ok(Order::OneOf(counters.into_iter().map(|counter| Action::Advance(counter, zone)).collect()))
    }

    /// A card of the side in turn (10.1).
    fn card(&self, name: &str) -> Result<u8, String> {
        let deck = &self.game.rules.decks[self.state.active().index()];
        let cards = deck.iter().enumerate().map(|(at, card)| (card.id.clone(), at as u8));
        named(name, "a card of the side in turn", cards)
    }

    /// A type of counters (3).
    fn counter_type(&self, name: &str) -> Result<u8, String> {
        let kinds = self.game.rules.counter_types.iter().enumerate();
        named(name, "a counter type", kinds.map(|(at, kind)| (kind.id.clone(), at as u8)))
    }

    /// `[elite] UNIT with UNIT [at PLACE]`.
    fn merger(&self, words: &[&str]) -> Result<Order, String> {
        let (words, make): (_, fn(Counter, Counter) -> Action) = match words {
            ["elite", rest @ ..] => (rest, Action::MergeElite),
            _ => (words, Action::Merge),
        };
        let (first, rest) = Unit::take(words)?;
        let ["with", rest @ ..] = rest else {
            return Err("`merge UNIT with UNIT at PLACE` is expected".into());
        };
        let (second, rest) = Unit::take(rest)?;
        let (a, b) = (self.located(&first, rest)?, self.located(&second, rest)?);
        let mut pairs = Vec::new();
        for &a in &a {
            for &b in b.iter().filter(|&&b| b != a) {
                pairs.push(make(a.min(b), a.max(b)));
            }
        }
        if pairs.is_empty() { Err("two counters are expected".into()) } else { Ok(Order::OneOf(pairs)) }
    }

    /// `UNIT from PLACE [via PLACE]... to PLACE`, the places in any order; stops in the order in which they are written.
    fn journey(&self, verb: &str, words: &[&str]) -> Result<Order, String> {
        let fits = match verb {
            "sail" => self.state.phase() == Phase::NavalMovement,
            "fly" => self.state.phase() == Phase::TacticalAir,
            "rebase" => matches!(self.state.phase(), Phase::StrategicAir | Phase::LateAir),
            "transport" => self.state.phase() == Phase::SeaTransport,
            "redeploy" => self.state.phase() == Phase::StrategicMovement,
            _ => !matches!(
                self.state.phase(),
                Phase::NavalMovement
                    | Phase::TacticalAir
                    | Phase::StrategicAir
                    | Phase::LateAir
                    | Phase::SeaTransport
                    | Phase::StrategicMovement
            ),
        };
        if !fits {
            let now =
                PHASES.iter().find(|(_, phase)| *phase == self.state.phase()).map_or("", |(name, _)| name);
            return Err(format!("`{verb}` belongs to another phase than {now}"));
        }
        let (unit, rest) = Unit::take(words)?;
        let (mut from, mut goal, mut stops) = (None, None, Vec::new());
        let mut rest = rest;
        let wrong = || Err(format!("`{verb} UNIT from PLACE to PLACE` is expected"));
        while let [word, place, after @ ..] = rest {
            match *word {
                "from" | "at" | "in" if from.is_none() => from = Some(*place),
                "to" if goal.is_none() => goal = Some(self.place(place)?),
                "via" => stops.push(self.place(place)?),
                _ => return wrong(),
            }
            rest = after;
        }
        let (Some(goal), []) = (goal, rest) else { return wrong() };
        stops.push(goal);
        Ok(Order::Send { counters: self.counters(&unit, from)?, stops })
    }

    /// Counters of `UNIT [at PLACE] and UNIT [at PLACE] ...`. Of equal ones the highest are meant, as the lowest are left
    /// out first.
    pub fn group(&self, words: &[&str]) -> Result<Counters, String> {
        let mut group = Counters::EMPTY;
        for part in words.split(|&word| word == "and") {
            let (unit, rest) = Unit::take(part)?;
            let found = self.located(&unit, rest)?;
            let able = found.iter().rev().find(|&&counter| {
                !group.contains(counter) && self.game.force(self.state, counter) == Some(self.state.active())
            });
            let counter = *able.ok_or_else(|| format!("there is no other {}", unit.plain(true)))?;
            group.insert(counter);
        }
        Ok(group)
    }

    /// All own counters that can attack a zone now.
    pub fn full_group(&self, target: Zone) -> Counters {
        let mut state = self.state.clone();
        let mut legal = Vec::new();
        self.game.legal_actions(&state, &mut legal);
        if legal.contains(&Action::Attack(target)) {
            let mut context = PlayContext::silent(Scripted::default());
            self.game.apply_alone(&mut state, Action::Attack(target), &mut context);
        }
        debug_assert!(state.pending() != Pending::None || !legal.contains(&Action::Attack(target)));
        self.game.sheet().filter(|&counter| state.attacks(counter)).collect()
    }
}
