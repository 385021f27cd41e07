//! Odds of a combat: the exact distribution of its outcome, from the rules' own combat code (8.5, 9 to 16).
//!
//! ```text
//! Engagement::new -> leads -> air, artillery, ground coordination -> the roll -> losses -> retreats -> may the attacker advance?
//!                             every die face                         every face  checks on the way
//! ```
//!
//! Nothing of the rules is written again here: the combat is opened and carried on by the functions that play the game, with
//! dice that fall in every way there is. What the rules leave to the players is laid down by a [`Conduct`]. Positions are
//! walked from decision to decision, and equal ones are merged before they are walked on. The combat ends when the losers
//! have left, before anybody advances.

use std::collections::HashMap;
use std::fmt;

use sandtable_core::enumerate::EveryRoll;
use sandtable_core::{Dice, Digest, Hex, Index, PlayContext, Pmf, Sink};

use crate::action::Action;
use crate::combat::Modifiers;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{Air, Player, Units};
use crate::phase::Phase;
use crate::rules::Crt;
use crate::state::{Attack, Mark, Stage, State};

/// Whom a side names as its lead.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lead {
    /// The most efficient unit; of equals the one with more steps, then the weaker one.
    #[default]
    Best,
    /// The least efficient.
    Worst,
}

/// When a side spends Command Points (15.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Points {
    /// Never.
    Never,
    /// On ground coordination alone.
    Ground,
    /// On artillery coordination alone.
    Artillery,
    /// On close air support alone.
    Air,
    /// On whatever check comes first.
    #[default]
    First,
}

/// What a side does where the rules leave it a choice inside a combat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Its lead unit, and those of aircraft, artillery and retreating groups.
    pub lead: Lead,
    /// Air units it commits at most, the strongest first.
    pub air: u8,
    /// Artillery units that support at most, beside the one in or next to the Defender hex.
    pub artillery: u8,
    /// Its Command Points.
    pub points: Points,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { lead: Lead::Best, air: 0, artillery: u8::MAX, points: Points::First }
    }
}

/// What both sides do. Steps are lost where it costs least strength, units retreat as far as they may, and apart from each
/// other before they overfill a hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conduct {
    /// Of the acting side.
    pub attacker: Plan,
    /// Of the other.
    pub defender: Plan,
}

/// What a side has lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Losses {
    /// Steps.
    pub steps: u8,
    /// Of these, steps of armour.
    pub armour: u8,
    /// Units eliminated.
    pub units: u8,
    /// Air units eliminated.
    pub air: u8,
    /// Its units in the combat are disorganised.
    pub disorganised: bool,
}

/// How the Defender hex ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum End {
    /// Defenders still hold it, the attackers stand where they stood.
    #[default]
    Held,
    /// The attackers have retreated from it, or are gone.
    Repulsed,
    /// It is empty: defenders have got away.
    Retreated,
    /// It is empty: no defender is left.
    Eliminated,
}

/// The outcome of a combat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Outcome {
    /// Of the attacker.
    pub attacker: Losses,
    /// Of the defender, with those who could not retreat.
    pub defender: Losses,
    /// The hex.
    pub end: End,
    /// Attackers may advance into it, or have overrun it.
    pub advance: bool,
}

/// The exact distribution of a combat.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// What stands on the table when the die is rolled: odds column and net modifier.
    pub tables: Pmf<Table>,
    /// After all losses and retreats.
    pub outcomes: Pmf<Outcome>,
}

/// A combat about to be fought, and the conduct of both sides.
#[derive(Clone)]
pub struct Engagement<'a> {
    game: &'a RoadsToMoscow,
    start: State,
    target: Hex,
    attackers: Units,
    defenders: Units,
    conduct: Conduct,
}

impl fmt::Debug for Engagement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engagement")
            .field("target", &self.target)
            .field("attackers", &self.attackers)
            .field("defenders", &self.defenders)
            .field("conduct", &self.conduct)
            .finish_non_exhaustive()
    }
}

/// What stands on the table when the die is rolled: odds column (none: below the first) and net modifier.
pub type Table = (Option<u8>, i8);

/// Hears what is read on the table.
#[derive(Clone, Copy, Default)]
struct Reader(Option<Table>);

impl Sink<Event> for Reader {
    #[inline]
    fn take(&mut self, fact: impl FnOnce() -> Event) {
        if let Event::Combat { column, modifier, .. } = fact() {
            self.0 = Some((column, modifier));
        }
    }
}

/// A position to be walked on from.
struct Node {
    state: Box<State>,
    mass: f64,
}

impl<'a> Engagement<'a> {
    /// A Declared Attack of these units on a hex, on one of the tables. The position is one of an Operations Sequence of the
    /// attacker.
    ///
    /// # Errors
    /// Says why it cannot be declared.
    pub fn attack(
        game: &'a RoadsToMoscow,
        state: &State,
        attackers: Units,
        target: Hex,
        crt: Crt,
        conduct: Conduct,
    ) -> Result<Self, String> {
        let mut start = *state;
        let name = game.hex_name(target);
        let defenders = game.combat_units(&start, target, start.active.enemy());
        if defenders.is_empty() {
            return Err(format!("no enemy unit stands in {name}"));
        }
        if attackers.is_empty() {
            return Err(format!("nobody attacks {name}"));
        }
        start.clear(Mark::Attacking);
        if let Some(unit) = attackers.difference(&game.possible_attackers(&start, target)).first() {
            return Err(format!("{} cannot attack {name} (9.1)", game.unit_name(unit)));
        }
        let (attack, defence) = game.declared_strengths(&start, &attackers, target);
        if game.rules.results[crt as usize].column(attack as u16, defence as u16).is_none() {
            return Err(format!("{attack} to {defence} against {name} is below the least odds (10.53a)"));
        }
        if crt == Crt::Mobile && !game.may_choose_mobile(&start, &attackers, target) {
            return Err(format!("the Mobile table may not be chosen against {name} (10.32, 10.33)"));
        }
        if !attackers.intersects(start.marked(Mark::Active)) {
            return Err(format!("none of those who attack {name} is active (9.11)"));
        }
        start.attacks[0] = Attack { attackers, target, crt, stage: Stage::Declared, ..Attack::NONE };
        start.attack_count = 1;
        let context = &mut PlayContext::silent(EveryRoll::new());
        game.begin_combat_phase(&mut start);
        game.combat_apply(&mut start, Action::Target(target), context);
        Ok(Engagement { game, start, target, attackers, defenders, conduct })
    }

    /// An overrun of a hex by a stack that stands next to it. The stack must be one that may overrun (8.52), with odds of
    /// 1-4; whether the ground, the zones around and its movement points let it (8.54, 8.55) is not asked, so that one may see
    /// what it would be worth.
    ///
    /// # Errors
    /// Says why it cannot be made.
    pub fn overrun(
        game: &'a RoadsToMoscow,
        state: &State,
        stack: Units,
        target: Hex,
        conduct: Conduct,
    ) -> Result<Self, String> {
        let mut start = *state;
        start.moving = stack;
        start.decider = start.active;
        let name = game.hex_name(target);
        let defenders = game.combat_units(&start, target, start.active.enemy());
        if defenders.is_empty() {
            return Err(format!("no enemy unit stands in {name}"));
        }
        let (attack, defence) = game.overrun_strengths(&start, target);
        if game.rules.results[Crt::Mobile as usize].column(attack as u16, defence as u16).is_none() {
            return Err(format!("{attack} to {defence} against {name} is below the least odds (8.56a)"));
        }
        if !game.could_overrun(&start) {
            return Err(format!("these units may not overrun {name} (8.5)"));
        }
        game.begin_overrun(&mut start, target, &mut PlayContext::silent(EveryRoll::new()));
        Ok(Engagement { game, start, target, attackers: stack, defenders, conduct })
    }

    /// The position when the attacker names his lead.
    pub fn position(&self) -> &State {
        &self.start
    }
    /// The Defender hex.
    pub fn target(&self) -> Hex {
        self.target
    }
    /// Units that attack.
    pub fn attackers(&self) -> &Units {
        &self.attackers
    }
    /// Units that defend.
    pub fn defenders(&self) -> &Units {
        &self.defenders
    }
    /// Conduct of both sides.
    pub fn conduct(&self) -> &Conduct {
        &self.conduct
    }
    /// Initial strengths, attacker and defender, without artillery.
    pub fn strengths(&self) -> (u32, u32) {
        self.game.declared_strengths(&self.start, &self.attackers, self.target)
    }
    /// The same combat with another conduct.
    #[must_use]
    pub fn with_conduct(mut self, conduct: Conduct) -> Self {
        self.conduct = conduct;
        self
    }

    // ---- the walk ----

    /// An overrun hands the game back to movement, an attack to the choice of the next.
    fn is_over(state: &State) -> bool {
        !state.phase.is_combat() || matches!(state.phase, Phase::Combat | Phase::Advance)
    }

    /// Plays one decision, or ends a step that has none.
    fn step(&self, state: &mut State, legal: &mut Vec<Action>, dice: &mut impl Dice) -> Option<Table> {
        let context = &mut PlayContext { dice, sink: Reader::default() };
        legal.clear();
        let _ = self.game.combat_actions(state, legal);
        match self.choose(state, legal) {
            Some(action) => self.game.combat_apply(state, action, context),
            None => self.game.combat_end(state, context),
        }
        context.sink.0
    }

    /// The exact distribution.
    pub fn distribution(&self) -> Distribution {
        self.walk(vec![Node { state: Box::new(self.start), mass: 1.0 }])
    }

    /// The exact distribution with this column of the table and this net modifier in place of those that strengths, aircraft,
    /// artillery and coordination would bring; nothing of these takes part. `None`: odds below the first column.
    pub fn at_table(&self, column: Option<u8>, modifier: i8) -> Pmf<Outcome> {
        let (mut legal, mut dice) = (Vec::new(), EveryRoll::new());
        let mut led = self.start;
        while matches!(led.phase, Phase::AttackLead | Phase::DefenceLead) {
            self.step(&mut led, &mut legal, &mut dice);
        }
        let mut rolled = Vec::new();
        loop {
            let mut state = Box::new(led);
            let context = &mut PlayContext::silent(&mut dice);
            self.game.roll_on_table(&mut state, [0; 2], column, Modifiers::default(), modifier, context);
            rolled.push(Node { state, mass: dice.probability() });
            if !dice.advance() {
                return self.walk(rolled).outcomes;
            }
        }
    }

    /// Walks on from positions to the ends of the combat.
    fn walk(&self, mut level: Vec<Node>) -> Distribution {
        let (mut tables, mut outcomes) = (Vec::new(), Vec::new());
        let (mut legal, mut dice) = (Vec::new(), EveryRoll::new());
        while !level.is_empty() {
            let mut next: Vec<Node> = Vec::new();
            let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
            for node in level {
                loop {
                    let mut state = node.state.clone();
                    let table = self.step(&mut state, &mut legal, &mut dice);
                    let mass = node.mass * dice.probability();
                    tables.extend(table.map(|table| (table, mass)));
                    if Self::is_over(&state) {
                        outcomes.push((self.outcome(&state), mass));
                    } else {
                        let same = known.entry(Digest::of(&*state)).or_default();
                        if let Some(&at) = same.iter().find(|&&at| next[at].state == state) {
                            next[at].mass += mass;
                        } else {
                            same.push(next.len());
                            next.push(Node { state, mass });
                        }
                    }
                    if !dice.advance() {
                        break;
                    }
                }
            }
            level = next;
        }
        if tables.is_empty() {
            tables.push(((None, 0), 1.0));
        }
        Distribution { tables: Pmf::weighted(tables), outcomes: Pmf::weighted(outcomes) }
    }

    /// Fights the combat once. `state` and `legal` are scratch space.
    pub fn sample(&self, state: &mut State, legal: &mut Vec<Action>, dice: &mut impl Dice) -> Outcome {
        *state = self.start;
        while !Self::is_over(state) {
            self.step(state, legal, dice);
        }
        self.outcome(state)
    }

    fn outcome(&self, state: &State) -> Outcome {
        let game = self.game;
        let losses = |units: Units, player: Player| -> Losses {
            let mut losses = Losses::default();
            for unit in units {
                let on_map = state.on_map.contains(unit);
                let left = if on_map { game.steps(state, unit) } else { 0 };
                let lost = game.steps(&self.start, unit) - left;
                losses.steps += lost;
                losses.armour += if game.sets().armoured.contains(unit) { lost } else { 0 };
                losses.units += u8::from(!on_map);
                losses.disorganised |= on_map
                    && state.has(unit, Mark::Disorganised)
                    && !self.start.has(unit, Mark::Disorganised);
            }
            losses.air = (self.air_of(&self.start, player).len() - self.air_of(state, player).len()) as u8;
            losses
        };
        let (attacker, defender) = (self.start.active, self.start.active.enemy());
        let held = state.occupied[defender.index()].contains(self.target);
        let attackers = self.attackers.and(&state.on_map);
        let stand = attackers.iter().any(|unit| state.at(unit) == self.start.at(unit));
        let entered = attackers.iter().any(|unit| state.at(unit) == self.target);
        let end = match () {
            () if held && stand => End::Held,
            () if held => End::Repulsed,
            () if self.defenders.intersects(&state.on_map) => End::Retreated,
            () => End::Eliminated,
        };
        Outcome {
            attacker: losses(self.attackers, attacker),
            defender: losses(self.defenders, defender),
            end,
            advance: entered || state.phase == Phase::Advance && !state.battle.walker.is_none(),
        }
    }

    fn air_of(&self, state: &State, player: Player) -> Air {
        state.ready.or(&state.flown).filter(|air| self.game.rules.air[air.at()].player == player)
    }

    // ---- conduct ----

    fn plan(&self, player: Player) -> &Plan {
        if player == self.start.active { &self.conduct.attacker } else { &self.conduct.defender }
    }

    /// What who is asked does; `None`: there is nothing to decide.
    fn choose(&self, state: &State, legal: &[Action]) -> Option<Action> {
        let game = self.game;
        let battle = &state.battle;
        let plan = self.plan(state.decider);
        let first = *legal.first()?;
        let unit_of = |action: &Action| match *action {
            Action::Lead(unit) | Action::Unit(unit) | Action::Points(unit, _) => Some(unit),
            _ => None,
        };
        let strength = |unit| game.offence(state, unit) + game.defence(state, unit);
        // The first of the best.
        let most = |worth: &dyn Fn(&Action) -> Option<i32>| {
            legal.iter().copied().rev().max_by_key(|action| worth(action))
        };
        match state.phase {
            Phase::AttackLead | Phase::DefenceLead | Phase::GroupLead | Phase::ArtilleryLead => {
                most(&|action| {
                    let unit = unit_of(action)?;
                    let rating = i32::from(game.efficiency(state, unit));
                    let rating = if plan.lead == Lead::Best { rating } else { -rating };
                    Some(100 * rating + 50 * i32::from(game.steps(state, unit)) - i32::from(strength(unit)))
                })
            }
            Phase::Air if battle.air[battle.role.index()].len() >= u32::from(plan.air) => Some(first),
            Phase::Air | Phase::AirLead => most(&|action| match *action {
                Action::Air(air) if state.phase == Phase::Air => {
                    Some(i32::from(game.rules.air[air.at()].cas))
                }
                Action::Air(air) => Some(i32::from(game.rules.air[air.at()].efficiency)),
                _ => None,
            }),
            Phase::AirPoints | Phase::ArtilleryPoints | Phase::GroundPoints => {
                let spends = match (plan.points, state.phase) {
                    (Points::Never, _) => false,
                    (Points::First, _) => true,
                    (points, Phase::AirPoints) => points == Points::Air,
                    (points, Phase::ArtilleryPoints) => points == Points::Artillery,
                    (points, _) => points == Points::Ground,
                };
                let points = |action: &Action| unit_of(action).map(|unit| i32::from(game.unit(unit).command));
                if spends { most(&points) } else { Some(first) }
            }
            Phase::Artillery | Phase::SureArtillery => {
                let near = |unit| game.distance(state.at(unit), battle.target) <= 1;
                let distant = battle.support[battle.role.index()].iter().filter(|&unit| !near(unit)).count();
                most(&|action| {
                    let unit = unit_of(action)?;
                    let wanted = near(unit) || distant < usize::from(plan.artillery);
                    wanted.then(|| i32::from(game.unit(unit).support))
                })
            }
            // Where it costs least: who has two steps is kept alive, who is weak goes first.
            Phase::Losses
            | Phase::NoRetreatLoss
            | Phase::MotorisedAdvantage
            | Phase::Excess
            | Phase::FailedOverrun => most(&|action| {
                let unit = unit_of(action)?;
                Some(100 * i32::from(game.steps(state, unit)) - i32::from(strength(unit)))
            }),
            _ => legal.iter().copied().find(|action| *action != Action::Pass).or(Some(first)),
        }
    }
}

/// The table in words: `3-1 at -2`.
pub fn table_name(game: &RoadsToMoscow, crt: Crt, (column, modifier): Table) -> String {
    format!("{} at {modifier:+}", crate::combat::column_name(&game.rules.results[crt as usize], column))
}
