//! Decisions in words.

use sandtable_core::{PlayContext, Scripted, Stepwise};
use sandtable_victory_in_europe::nation::Team;
use sandtable_victory_in_europe::phase::{Pending, Phase};
use sandtable_victory_in_europe::rules::Arm;
use sandtable_victory_in_europe::{Action, Place, State, UnitId, VictoryInEurope};

use super::words::{Unit, Words, nation, phase, target, team};
use sandtable_scenarios::example::words::unknown;

/// Verbs of the phrases, for messages.
const VERBS: [&str; 35] = [
    "pass", "stay", "stop", "decline", "end", "until", "lay", "exchange", "move", "transfer", "select", "go",
    "invade", "join", "pin", "place", "name", "fight", "fire", "aim", "shelter", "wait", "retreat", "land",
    "hit", "extend", "exploit", "regroup", "advance", "roll", "ally", "build", "raise", "cut", "pay",
];

/// A decision, or several that belong together.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Order {
    /// Declines, stops, or ends the phase.
    Pass,
    /// Declines everything up to a phase.
    Until(Phase, Option<Team>),
    /// The first of these that is legal from beginning to end.
    Plans(Vec<Plan>),
}

/// Actions one after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Plan {
    pub actions: Vec<Action>,
    /// The march ends where the actions end.
    pub halts: bool,
}

impl Plan {
    fn one(action: Action) -> Plan {
        Plan { actions: vec![action], halts: false }
    }

    /// How many of its actions can be played, and why the next cannot; `None` if all can.
    fn fault(&self, game: &VictoryInEurope, state: &State) -> Option<(usize, String)> {
        let mut trial = state.clone();
        let mut context = PlayContext::silent(Scripted::default());
        let mut halted = None;
        for (at, &action) in self.actions.iter().enumerate() {
            if let Some(reason) = game.why_illegal(&trial, action) {
                let halted = halted.filter(|_| trial.pending == Pending::None);
                return Some((at, halted.unwrap_or(reason)));
            }
            if at + 1 < self.actions.len() || self.halts {
                if let Action::Go(to, _) = action {
                    halted = game.why_halted(&trial, to);
                }
                game.apply_alone(&mut trial, action, &mut context);
            }
        }
        if self.halts && matches!(trial.pending, Pending::March(_)) {
            return game.why_illegal(&trial, Action::Pass).map(|reason| (self.actions.len(), reason));
        }
        None
    }

    /// Plays it.
    pub fn play(&self, game: &VictoryInEurope, state: &mut State, context: &mut super::ScriptedContext) {
        for &action in &self.actions {
            game.apply_alone(state, action, context);
        }
        if self.halts && matches!(state.pending, Pending::March(_)) {
            game.apply_alone(state, Action::Pass, context);
        }
    }
}

/// The first plan that is legal, or why none is: the reason of the one that gets furthest.
pub(super) fn choose<'p>(
    game: &VictoryInEurope,
    state: &State,
    plans: &'p [Plan],
) -> Result<&'p Plan, String> {
    let mut best: Option<(usize, String)> = None;
    for plan in plans {
        match plan.fault(game, state) {
            None => return Ok(plan),
            Some((at, reason)) => {
                if best.as_ref().is_none_or(|(most, _)| at > *most) {
                    best = Some((at, reason));
                }
            }
        }
    }
    Err(best.map_or_else(|| "nothing is meant".to_owned(), |(_, reason)| reason))
}

impl Order {
    /// Why the decision is not legal; `None` if it is.
    pub fn fault(&self, game: &VictoryInEurope, state: &State) -> Result<Option<String>, String> {
        match self {
            Order::Until(..) => Err("`until` is no decision".into()),
            Order::Pass => Ok(game.why_illegal(state, Action::Pass)),
            Order::Plans(plans) => Ok(choose(game, state, plans).err()),
        }
    }
}

/// Reads decisions in a position.
#[derive(Clone, Copy)]
pub(super) struct Orders<'a> {
    pub words: Words<'a>,
    pub state: &'a State,
}

impl Orders<'_> {
    fn game(&self) -> &VictoryInEurope {
        self.words.game
    }

    /// Counters of `UNIT [at|from PLACE]`, on the map, and what follows.
    fn located<'w, 't>(&self, words: &'w [&'t str]) -> Result<(Vec<UnitId>, &'w [&'t str]), String> {
        let (unit, rest) = self.words.take_unit(words)?;
        let (place, rest) = match rest {
            ["at" | "from" | "in", place, rest @ ..] => (Some(self.words.place(place)?), rest),
            _ => (None, rest),
        };
        let found: Vec<UnitId> = self
            .game()
            .unit_ids()
            .filter(|&at| {
                self.state.is_on_map(at)
                    && place.is_none_or(|place| place == self.state.location(at))
                    && self.words.fits(self.state, &unit, at)
            })
            .collect();
        if found.is_empty() {
            let described = words[..words.len() - rest.len()].join(" ");
            return Err(format!("there is no {described}"));
        }
        Ok((found, rest))
    }

    /// Counters of words that say nothing else.
    fn only(&self, words: &[&str]) -> Result<Vec<UnitId>, String> {
        let (found, rest) = self.located(words)?;
        if rest.is_empty() { Ok(found) } else { Err(format!("`{}` means nothing here", rest.join(" "))) }
    }

    /// Counters of the pool.
    fn pooled(&self, unit: &Unit) -> Result<Vec<UnitId>, String> {
        let found: Vec<UnitId> =
            self.game().unit_ids().filter(|&at| self.words.picks(self.state, &unit.pick, at)).collect();
        let pooled: Vec<UnitId> =
            found.iter().copied().filter(|&at| self.state.location(at) == Place::POOL).collect();
        match (found.is_empty(), pooled.is_empty()) {
            (true, _) => Err("there is no such unit".into()),
            (false, true) => Ok(found),
            (false, false) => Ok(pooled),
        }
    }

    /// Coasts on which a unit may end at a place: those of the area for ships, none for others.
    fn coasts(&self, unit: UnitId, place: Place, said: Option<u8>) -> Vec<u8> {
        if self.game().arm(unit) != Arm::Naval || !place.is_area() {
            return vec![said.unwrap_or(0)];
        }
        if let Some(coast) = said {
            return vec![coast];
        }
        let coasts: Vec<u8> = (1..=2).filter(|&coast| self.game().coast_seas(place, coast) != 0).collect();
        if coasts.is_empty() { vec![1] } else { coasts }
    }

    /// `PLACE [coast N]`, with nothing after it.
    fn goal(&self, words: &[&str]) -> Result<(Place, Option<u8>), String> {
        match words {
            [place] => Ok((self.words.place(place)?, None)),
            [place, "coast", coast] => {
                let coast = coast.parse().map_err(|_| format!("`{coast}` is not a coast, 1 or 2"))?;
                Ok((self.words.place(place)?, Some(coast)))
            }
            _ => Err(format!("`{}` is not a place", words.join(" "))),
        }
    }

    /// Reads a decision.
    pub fn order(&self, phrase: &str) -> Result<Order, String> {
        let list: Vec<&str> =
            phrase.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
        let [verb, rest @ ..] = list.as_slice() else { return Err("nothing is said".into()) };
        let one = |action| Ok(Order::Plans(vec![Plan::one(action)]));
        let each = |make: &dyn Fn(UnitId) -> Action| self.each(rest, make);
        match (*verb, rest) {
            ("pass" | "stop" | "decline" | "wait" | "end", []) | ("place", ["the", "rest"]) => {
                Ok(Order::Pass)
            }
            ("stay", []) => Ok(Order::Pass),
            ("stay", _) => self.stay(rest),
            ("until", [name]) => Ok(Order::Until(phase(name)?, None)),
            ("until", [name, whose]) => Ok(Order::Until(phase(name)?, Some(team(whose)?))),
            ("lay", [card]) => one(Action::Card(self.words.card(card)?)),
            ("exchange", _) => self.exchange(rest),
            ("move", ["factory", "from", from, "to", to]) => self.move_factory(from, to),
            ("move", _) => self.journey(rest, false),
            ("transfer", _) => self.journey(rest, true),
            ("select", _) => each(&Action::Select),
            ("go", ["to", goal @ ..]) => self.go(goal),
            ("invade", [area]) => one(Action::Invade(self.words.area(area)?)),
            ("invade", [area, "with", group @ ..]) => self.invasion(self.words.area(area)?, group),
            ("join", ["with", unit @ ..]) => self.each(unit, &Action::Join),
            ("pin", _) => each(&Action::Pin),
            ("place", _) => self.deployment(rest),
            ("name", [place]) => one(Action::Name(self.words.place(place)?)),
            ("fight", ["at" | "in", place] | [place]) => one(Action::Fight(self.words.place(place)?)),
            ("fire", ["at", goal, rest @ ..] | [goal, rest @ ..]) => {
                self.asked(rest)?;
                one(Action::Fire(target(goal)?))
            }
            ("aim", ["at", goal, rest @ ..] | [goal, rest @ ..]) => {
                self.asked(rest)?;
                one(Action::Announce(target(goal)?))
            }
            ("shelter", _) => {
                self.asked(rest)?;
                one(Action::Shelter)
            }
            ("retreat", _) => self.retreat(rest),
            ("land", _) => self.landing(rest),
            ("hit", _) => each(&Action::Take),
            ("extend", []) => one(Action::Extend),
            ("exploit", []) => one(Action::Exploit),
            ("regroup" | "advance", _) => self.regroup(verb, rest),
            ("roll", ["for", name]) => one(Action::Roll(nation(name)? as u8)),
            ("ally", ["with", "poland"]) => one(Action::AllyPoland),
            ("build", ["factory", "at" | "in", area]) => one(Action::BuildFactory(self.words.area(area)?)),
            ("build", _) => each(&Action::Build),
            ("raise", _) => self.raise(rest),
            ("cut", _) => each(&Action::CutConvoy),
            ("pay", ["italy"]) => one(Action::Subsidy),
            _ if VERBS.contains(verb) => Err(format!("`{verb}` is not followed by what it needs")),
            _ => Err(unknown(verb, "a decision", VERBS)),
        }
    }

    /// What one of the units does that the words name.
    fn each(&self, words: &[&str], make: &dyn Fn(UnitId) -> Action) -> Result<Order, String> {
        Ok(Order::Plans(self.only(words)?.into_iter().map(|unit| Plan::one(make(unit))).collect()))
    }

    /// `stay UNIT`: it is picked, and goes nowhere.
    fn stay(&self, words: &[&str]) -> Result<Order, String> {
        let plans = self
            .only(words)?
            .into_iter()
            .map(|unit| Plan { actions: vec![Action::Select(unit), Action::Pass], halts: false });
        Ok(Order::Plans(plans.collect()))
    }

    /// `move factory from AREA to AREA`.
    fn move_factory(&self, from: &str, to: &str) -> Result<Order, String> {
        let (from, to) = (self.words.area(from)?, self.words.area(to)?);
        let actions = vec![Action::MoveFactory(from, from), Action::MoveFactory(from, to)];
        Ok(Order::Plans(vec![Plan { actions, halts: false }]))
    }

    /// `regroup UNIT to PLACE`, `advance UNIT to PLACE`.
    fn regroup(&self, verb: &str, words: &[&str]) -> Result<Order, String> {
        let (units, rest) = self.located(words)?;
        let ["to", place] = rest else { return Err(format!("`{verb} UNIT to PLACE` is expected")) };
        let to = self.words.place(place)?;
        Ok(Order::Plans(units.into_iter().map(|unit| Plan::one(Action::Move(unit, to))).collect()))
    }

    /// `raise UNIT at PLACE`.
    fn raise(&self, words: &[&str]) -> Result<Order, String> {
        let (unit, rest) = self.words.take_unit(words)?;
        let ["at" | "in", place] = rest else {
            return Err("`raise UNIT at PLACE` is expected".into());
        };
        let at = self.words.place(place)?;
        let plans = self.pooled(&unit)?.into_iter().map(|unit| Plan::one(Action::Raise(unit, at)));
        Ok(Order::Plans(plans.collect()))
    }

    /// `[with] UNIT`: the unit that is asked must be this one.
    fn asked(&self, words: &[&str]) -> Result<(), String> {
        let words = match words {
            [] => return Ok(()),
            ["with", rest @ ..] => rest,
            _ => return Err(format!("`{}` means nothing here", words.join(" "))),
        };
        let units = self.only(words)?;
        match self.state.pending.unit() {
            Some(unit) if units.contains(&unit) => Ok(()),
            Some(unit) => Err(format!("it is the turn of {}", self.words.shown(self.state, unit))),
            None => Err("no unit is asked".into()),
        }
    }

    fn exchange(&self, words: &[&str]) -> Result<Order, String> {
        let (first, rest) = self.located(words)?;
        let ["with", rest @ ..] = rest else { return Err("`exchange UNIT with UNIT` is expected".into()) };
        let second = self.only(rest)?;
        let mut plans = Vec::new();
        for &a in &first {
            for &b in second.iter().filter(|&&b| b != a) {
                plans.push(Plan::one(Action::Exchange(a.min(b), a.max(b))));
            }
        }
        Ok(Order::Plans(plans))
    }

    /// `UNIT from PLACE [via PLACE]... to PLACE [coast N]`.
    fn journey(&self, words: &[&str], strategic: bool) -> Result<Order, String> {
        let (units, mut rest) = self.located(words)?;
        let mut stops = Vec::new();
        while let ["via", place, after @ ..] = rest {
            stops.push(self.words.place(place)?);
            rest = after;
        }
        let ["to", goal @ ..] = rest else {
            return Err("`move UNIT from PLACE to PLACE` is expected".into());
        };
        let (to, coast) = self.goal(goal)?;
        let mut plans = Vec::new();
        for unit in units {
            for coast in self.coasts(unit, to, coast) {
                let mut actions = vec![Action::Select(unit)];
                actions.extend(stops.iter().map(|&stop| Action::Go(stop, 0)));
                actions.push(if strategic { Action::Strategic(to, coast) } else { Action::Go(to, coast) });
                plans.push(Plan { actions, halts: !strategic });
            }
        }
        Ok(Order::Plans(plans))
    }

    /// Sends the unit on that has been picked.
    fn go(&self, goal: &[&str]) -> Result<Order, String> {
        let (to, coast) = self.goal(goal)?;
        let unit = self.state.pending.unit().ok_or("no unit has been picked")?;
        let plans = self.coasts(unit, to, coast).into_iter().map(|coast| Plan::one(Action::Go(to, coast)));
        Ok(Order::Plans(plans.collect()))
    }

    /// `invade AREA with UNIT [and LEADER]`.
    fn invasion(&self, area: Place, words: &[&str]) -> Result<Order, String> {
        let (units, rest) = self.located(words)?;
        let leaders = match rest {
            [] => vec![None],
            ["and", rest @ ..] => self.only(rest)?.into_iter().map(Some).collect(),
            _ => return Err("`invade AREA with UNIT and LEADER` is expected".into()),
        };
        let mut plans = Vec::new();
        for &unit in &units {
            for &leader in &leaders {
                let mut actions = vec![Action::Invade(area), Action::Join(unit)];
                actions.push(leader.map_or(Action::Pass, Action::Join));
                if leader.is_some() {
                    actions.push(Action::Pass);
                }
                plans.push(Plan { actions, halts: false });
            }
        }
        Ok(Order::Plans(plans))
    }

    /// `place UNIT at AREA`: the next unit of a neutral.
    fn deployment(&self, words: &[&str]) -> Result<Order, String> {
        let (unit, rest) = self.words.take_unit(words)?;
        let ["at" | "in", area] = rest else { return Err("`place UNIT at AREA` is expected".into()) };
        let area = self.words.area(area)?;
        let plans = self.pooled(&unit)?.into_iter().map(|unit| Plan::one(Action::Deploy(unit, area)));
        Ok(Order::Plans(plans.collect()))
    }

    /// `[UNIT] to PLACE [coast N]`, in the battle turn of a unit or when it must leave; without a place, that it will.
    fn retreat(&self, words: &[&str]) -> Result<Order, String> {
        let leave = Action::Retreat(Place::NONE, 0);
        let words = match words {
            [] => return Ok(Order::Plans(vec![Plan::one(leave)])),
            ["to", ..] => words,
            _ => {
                let (units, rest) = self.located(words)?;
                let asked = self.state.pending.unit();
                if !asked.is_some_and(|unit| units.contains(&unit)) {
                    let now = asked.map_or("nobody".into(), |unit| self.words.shown(self.state, unit));
                    return Err(format!("it is the turn of {now}"));
                }
                rest
            }
        };
        let ["to", goal @ ..] = words else { return Err("`retreat to PLACE` is expected".into()) };
        let (to, coast) = self.goal(goal)?;
        let unit = self.state.pending.unit().ok_or("no unit is asked")?;
        let fires = matches!(self.state.pending, Pending::Fire(_));
        let plans = self.coasts(unit, to, coast).into_iter().map(|coast| {
            let goes = Action::Retreat(to, coast);
            Plan { actions: if fires { vec![leave, goes] } else { vec![goes] }, halts: false }
        });
        Ok(Order::Plans(plans.collect()))
    }

    /// `[UNIT] at AREA`.
    fn landing(&self, words: &[&str]) -> Result<Order, String> {
        let goal = match words {
            ["at", goal] => goal,
            [unit @ .., "at", goal] => {
                let units = self.only(unit)?;
                if !self.state.pending.unit().is_some_and(|unit| units.contains(&unit)) {
                    return Err("it is the turn of another aircraft".into());
                }
                goal
            }
            _ => return Err("`land at AREA` is expected".into()),
        };
        Ok(Order::Plans(vec![Plan::one(Action::Retreat(self.words.place(goal)?, 0))]))
    }
}
