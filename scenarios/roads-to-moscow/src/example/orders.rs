//! Decisions in words.

use sandtable_core::hex::Hex;
use sandtable_core::{PlayContext, Stepwise};
use sandtable_roads_to_moscow::ids::{Marker, UnitId};
use sandtable_roads_to_moscow::{Action, Phase, RoadsToMoscow, Sequence, State};

use super::position::table_of;
use super::words::{Words, phase};
use super::{ScriptedContext, is_step};
use sandtable_scenarios::example::words::unknown;

/// Verbs of the phrases, for messages.
const VERBS: [&str; 34] = [
    "pass", "stop", "stay", "decline", "until", "take", "reserve", "leave", "play", "combine", "mobile",
    "assault", "activate", "fuel", "dig", "move", "march", "enter", "go", "drop", "attack", "refuse",
    "react", "stand", "resolve", "lead", "fly", "support", "spend", "lose", "retreat", "advance", "remove",
    "overrun",
];

/// A decision, or several that belong together.
pub(super) enum Order {
    /// Declines, stops, or ends the phase.
    Pass,
    /// Declines everything up to a phase.
    Until(Phase),
    /// These decisions, one after the other.
    Plan(Plan),
}

/// A decision of a plan: the first of these that is legal.
pub(super) struct Want {
    actions: Vec<Action>,
    /// Left out if none is legal.
    optional: bool,
    /// Taken only in this phase.
    only_in: Option<Phase>,
}

/// Decisions one after the other.
#[derive(Default)]
pub(super) struct Plan {
    wants: Vec<Want>,
}

impl Plan {
    fn then(mut self, actions: impl IntoIterator<Item = Action>) -> Plan {
        self.wants.push(Want { actions: actions.into_iter().collect(), optional: false, only_in: None });
        self
    }
    fn perhaps_in(mut self, phase: Phase, action: Action) -> Plan {
        self.wants.push(Want { actions: vec![action], optional: true, only_in: Some(phase) });
        self
    }

    /// Plays it, or leaves the state as it is and says how far it could be played and why not further.
    pub fn play(
        &self,
        game: &RoadsToMoscow,
        state: &mut State,
        context: &mut ScriptedContext,
    ) -> Result<(), (usize, String)> {
        let mut trial = *state;
        let mut table = PlayContext { dice: context.dice.clone(), sink: Vec::new() };
        for (at, want) in self.wants.iter().enumerate() {
            if want.only_in.is_some_and(|phase| phase != trial.phase) {
                continue;
            }
            loop {
                let open = game.open_actions(&trial);
                if let Some(&action) = want.actions.iter().find(|action| open.contains(action)) {
                    game.apply_alone(&mut trial, action, &mut table);
                    break;
                }
                // Between the decisions of a plan steps without a choice pass by.
                if at > 0 && is_step(trial.phase) && open.is_empty() {
                    game.end_idle_phase(&mut trial, &mut table);
                    continue;
                }
                if want.optional {
                    break;
                }
                let first = want.actions.first().copied().unwrap_or(Action::Pass);
                let reason = game.why_illegal(&trial, first).unwrap_or_else(|| "it is not open".into());
                return Err((at, reason));
            }
        }
        *state = trial;
        context.dice = table.dice;
        context.sink.append(&mut table.sink);
        Ok(())
    }
}

impl Order {
    /// Why the decision is not legal; `None` if it is. Steps without a choice before it pass by.
    pub fn fault(&self, game: &RoadsToMoscow, state: &State) -> Result<Option<String>, String> {
        match self {
            Order::Until(_) => Err("`until` is no decision".into()),
            Order::Pass => Ok(game.why_illegal(state, Action::Pass)),
            Order::Plan(plan) => {
                let mut context = sandtable_scenarios::example::fresh::<super::Examples>(&[]);
                Ok(plan.play(game, &mut { *state }, &mut context).err().map(|(_, reason)| reason))
            }
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
    /// Reads a decision.
    pub fn order(&self, phrase: &str) -> Result<Order, String> {
        let (verb, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
        let rest = rest.trim();
        let one = |action| Ok(Order::Plan(Plan::default().then([action])));
        match (verb, rest) {
            ("pass" | "stop" | "stay" | "decline", "") => Ok(Order::Pass),
            ("until", _) => Ok(Order::Until(phase(rest)?)),
            ("take", _) => one(Action::Group(self.group(rest)?)),
            ("reserve", _) => one(Action::Formation(self.words.formation(rest)?)),
            ("leave", _) => self.leave(rest),
            ("play", _) => self.play(rest),
            ("combine", _) => {
                let markers = self.words.markers(rest)?.map(Action::Combine);
                Ok(Order::Plan(Plan::default().then(markers)))
            }
            ("mobile", "") => one(Action::Mobile),
            ("assault", "") => one(Action::Assault),
            ("activate", _) => match self.words.formation(rest) {
                Ok(formation) => one(Action::Formation(formation)),
                Err(_) => one(Action::Unit(self.words.bare(rest)?)),
            },
            ("fuel" | "dig" | "support" | "lose" | "react", _) => one(Action::Unit(self.words.bare(rest)?)),
            ("move", _) => self.moves(rest, true),
            ("march", _) => self.moves(rest, false),
            ("enter", _) => self.moves(&rest.replacen(" at ", " to ", 1), true),
            ("go", _) => self.go(rest),
            ("overrun", _) => one(Action::Overrun(self.words.hex(rest)?)),
            ("drop", _) => one(Action::Drop(self.words.bare(rest)?)),
            ("attack", _) => self.attack(rest),
            ("refuse" | "stand", _) => self.stands(rest),
            ("resolve" | "remove", _) => one(Action::Target(self.words.hex(rest)?)),
            ("lead", _) => {
                let unit = self.words.bare(rest)?;
                Ok(Order::Plan(Plan::default().then([Action::Lead(unit), Action::Unit(unit)])))
            }
            ("fly", _) => {
                let air = self.words.air(rest)?.into_iter().map(Action::Air);
                Ok(Order::Plan(Plan::default().then(air)))
            }
            ("spend", _) => self.spend(rest),
            ("retreat" | "advance", _) => self.walk(rest),
            _ => Err(unknown(verb, "a decision", VERBS)),
        }
    }

    fn group(&self, name: &str) -> Result<u8, String> {
        let groups = self.words.game.rules.groups.iter().enumerate();
        let names = groups.map(|(at, group)| (group.id.clone(), at as u8));
        sandtable_scenarios::example::words::named(name, "an optional group", names)
    }

    /// `out 18T`: a marker that stays out of the cup.
    fn leave(&self, rest: &str) -> Result<Order, String> {
        let name = rest.strip_prefix("out ").ok_or("`leave out FORMATION` is expected")?;
        let markers = self.words.markers(name)?.map(Action::LeaveOut);
        Ok(Order::Plan(Plan::default().then(markers)))
    }

    /// `10Pz`, `10Pz mobile`: plays a marker; one that was drawn alone need not be chosen.
    fn play(&self, rest: &str) -> Result<Order, String> {
        let (name, kind) = rest.split_once(' ').map_or((rest, None), |(name, kind)| (name, Some(kind)));
        let markers: Vec<Marker> = self.words.markers(name)?.collect();
        let drawn = self.state.drawn.is_some_and(|drawn| markers.contains(&drawn));
        let chosen = drawn && self.state.phase == Phase::Sequence;
        let mut plan = Plan::default();
        if !chosen {
            plan = plan.then(markers.iter().copied().map(Action::Marker));
        }
        if let Some(kind) = kind {
            let action = match super::words::sequence(kind)? {
                Sequence::Assault => Action::Assault,
                _ => Action::Mobile,
            };
            plan = plan.then([action]);
        }
        if chosen && kind.is_none() {
            return Err(format!("`{name}` is chosen: say mobile or assault"));
        }
        Ok(Order::Plan(plan))
    }

    /// `UNIT, UNIT to HEX HEX`: a unit or stack moves hex by hex and, if `stops`, ends its move there. The enemy's hex is
    /// overrun.
    fn moves(&self, rest: &str, stops: bool) -> Result<Order, String> {
        let (units, way) = rest.split_once(" to ").ok_or("`UNIT, UNIT to HEX HEX` is expected")?;
        let mut units = self.words.bare_list(units)?;
        units.sort_unstable();
        let mut plan = Plan::default();
        for (at, &unit) in units.iter().enumerate() {
            plan = plan.then([if at == 0 { Action::Unit(unit) } else { Action::Join(unit) }]);
        }
        let way = self.way(way)?;
        let overruns = way.last().is_some_and(|&last| self.is_held(last));
        for &hex in &way {
            plan = plan.then([if self.is_held(hex) { Action::Overrun(hex) } else { Action::Go(hex) }]);
        }
        if stops && !overruns {
            plan = plan.perhaps_in(Phase::Stack, Action::Pass);
        }
        Ok(Order::Plan(plan))
    }

    /// Whether the enemy of who decides holds a hex.
    fn is_held(&self, hex: Hex) -> bool {
        self.state.occupied[self.state.decider.enemy().index()].contains(hex)
    }

    fn way(&self, text: &str) -> Result<Vec<Hex>, String> {
        text.split_whitespace().map(|hex| self.words.hex(hex)).collect()
    }

    /// `to HEX HEX`: the stack at hand goes on.
    fn go(&self, rest: &str) -> Result<Order, String> {
        let way = self.way(rest.strip_prefix("to ").ok_or("`go to HEX` is expected")?)?;
        let plan = way.into_iter().fold(Plan::default(), |plan, hex| {
            plan.then([if self.is_held(hex) { Action::Overrun(hex) } else { Action::Go(hex) }])
        });
        Ok(Order::Plan(plan))
    }

    /// `HEX TABLE with UNIT, UNIT`.
    fn attack(&self, rest: &str) -> Result<Order, String> {
        let expected = "`attack HEX TABLE with UNIT, UNIT` is expected";
        let (head, units) = rest.split_once(" with ").ok_or(expected)?;
        let (hex, table) = head.split_once(' ').ok_or(expected)?;
        let crt = table_of(table)?;
        let mut plan = Plan::default().then([Action::Target(self.words.hex(hex)?)]);
        for unit in self.words.bare_list(units)? {
            plan = plan.then([Action::Unit(unit)]);
        }
        Ok(Order::Plan(plan.then([Action::Declare(crt)])))
    }

    /// `HEX with UNIT`: the hex refuses combat, or does not retreat, with this lead.
    fn stands(&self, rest: &str) -> Result<Order, String> {
        let (hex, unit) = rest.split_once(" with ").ok_or("`HEX with UNIT` is expected")?;
        let (hex, unit) = (self.words.hex(hex)?, self.words.bare(unit)?);
        Ok(Order::Plan(Plan::default().then([Action::Target(hex)]).then([Action::Lead(unit)])))
    }

    /// `HQ` or `HQ and LEADER`.
    fn spend(&self, rest: &str) -> Result<Order, String> {
        let action = match rest.split_once(" and ") {
            Some((staff, leader)) => Action::Points(self.words.bare(staff)?, self.words.bare(leader)?),
            None => Action::Points(self.words.bare(rest)?, UnitId::NONE),
        };
        Ok(Order::Plan(Plan::default().then([action])))
    }

    /// `UNIT to HEX HEX`, perhaps with `stop`: it retreats or advances.
    fn walk(&self, rest: &str) -> Result<Order, String> {
        let (unit, way) = rest.split_once(" to ").ok_or("`UNIT to HEX` is expected")?;
        let (way, stops) = way.strip_suffix(" stop").map_or((way, false), |way| (way, true));
        let unit = self.words.bare(unit)?;
        let walker = self.state.battle.walker;
        if !walker.is_none() && walker != unit {
            return Err(format!("it is the turn of {}", self.words.unit_name(walker)));
        }
        let mut plan =
            self.way(way)?.into_iter().fold(Plan::default(), |plan, hex| plan.then([Action::Go(hex)]));
        if stops {
            plan = plan.then([Action::Pass]);
        }
        Ok(Order::Plan(plan))
    }
}
