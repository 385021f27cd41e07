//! Odds of a battle: the exact distribution of its outcome, from the rules' own combat code (16, 17).
//!
//! ```text
//! Siege::new -> Blitz attack -> losses -> [Normal attack -> losses -> retreat or hold] -> may the attacker advance?
//!               every die face             every die face
//! ```
//!
//! Nothing of the rules is written again here: an attack is declared, rolled and paid for by the same functions that play
//! the game, with dice that fall in every way there is ([`EveryRoll`]). What the rules leave to the players inside a battle is
//! laid down by a [`Conduct`], and the game's lists of all that they could do are not made. Equal positions after the first
//! round are merged.

use sandtable_core::Index;

use std::fmt;

use sandtable_core::enumerate::{EveryRoll, Remembered};
use sandtable_core::{Dice, PlayContext, Pmf, Sink};

use crate::combat::{Assault, Assessment};
use crate::editor::Editor;
use crate::event::Event;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Zone};
use crate::nation::Nation;
use crate::phase::{Pending, Phase};
use crate::rules::{Kind, Weather};
use crate::setup::Quiet;
use crate::state::{State, mark};

/// Which combat phases belong to a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rounds {
    /// The Blitz attack, where one may be made, and the Normal one after it.
    #[default]
    Both,
    /// The Blitz attack only.
    Blitz,
    /// The Normal attack only.
    Normal,
}

/// Whether the attacker makes the Normal attack after a Blitz attack that left defenders, where the rules leave it to him:
/// a Blitz group with armour must attack the same target again if it can (17.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Again {
    /// Whenever it may be made.
    #[default]
    Always,
    /// Only if he must.
    Never,
    /// If it reads this column of the combat table at least: 1 = 1-1, 2 = 3-2, n+1 = n-1.
    From(i8),
}

/// What both sides do where the rules leave them a choice inside a battle. All attackers attack. Losses are taken where they
/// hurt least: fortified corps turn back first, then infantry goes before armour, minor nations before Great Powers, and
/// small counters before large ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conduct {
    /// Phases fought.
    pub rounds: Rounds,
    /// The attacker's second attack.
    pub again: Again,
    /// The Axis waives the German defence shift where it may (16.3.2).
    pub waive: bool,
    /// The defender who may stay for one more loss does, instead of retreating (17.2).
    pub hold: bool,
}

/// Units lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Toll {
    /// Infantry corps.
    pub infantry: u8,
    /// Armour corps.
    pub armour: u8,
    /// Air units.
    pub air: u8,
}

impl Toll {
    /// Corps of either kind.
    pub fn corps(&self) -> u8 {
        self.infantry + self.armour
    }
}

/// How the zone attacked ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum End {
    /// Defenders still hold it.
    #[default]
    Held,
    /// They have retreated from it.
    Retreated,
    /// None of them is left.
    Eliminated,
}

/// What became of the second attack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Second {
    /// Not asked: the first settled it, or was the only one.
    #[default]
    Unasked,
    /// The rules allowed none.
    Barred,
    /// The attacker declined it.
    Declined,
    /// The attacker chose it.
    Chosen,
    /// The rules demanded it (17.1).
    Compulsory,
}

/// The outcome of a battle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Outcome {
    /// Lost by the attacker.
    pub attacker: Toll,
    /// Lost by the defender, with those who could not retreat.
    pub defender: Toll,
    /// The zone.
    pub end: End,
    /// The attacker may advance.
    pub advance: bool,
    /// The second attack.
    pub second: Second,
}

/// The exact distribution of a battle.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// After the first attack.
    pub first: Pmf<Outcome>,
    /// After the battle.
    pub whole: Pmf<Outcome>,
}

/// Hears who lost what: `sides[0]` are the attacker's losses.
#[derive(Clone, Copy, Default)]
struct LossTally {
    /// Nations of the attacker's side, one bit each.
    attackers: u32,
    sides: [Toll; 2],
}

impl Sink<Event> for LossTally {
    #[inline]
    fn take(&mut self, fact: impl FnOnce() -> Event) {
        let Event::Lost { nation, kind, units, .. } = fact() else { return };
        let toll = &mut self.sides[usize::from(self.attackers >> nation.index() & 1 == 0)];
        match kind {
            Kind::Infantry => toll.infantry += units,
            Kind::Armour => toll.armour += units,
            Kind::Air => toll.air += units,
            _ => {}
        }
    }
}

/// A battle about to be fought: a position at the beginning of the first attack, and the conduct of both sides.
#[derive(Clone)]
pub struct Siege<'a> {
    game: &'a BlitzWar,
    start: State,
    target: Zone,
    conduct: Conduct,
    odds: Assessment,
    /// The first attack up to its die.
    declared: Declared,
}

/// An attack up to its die: what is played before never changes.
#[derive(Clone)]
struct Declared {
    state: State,
    /// The attack; `None` if declaring it has undone it.
    assault: Option<Assault>,
    /// Losses so far.
    outcome: Outcome,
}

impl fmt::Debug for Siege<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Siege")
            .field("target", &self.target)
            .field("phase", &self.start.phase)
            .field("conduct", &self.conduct)
            .field("odds", &self.odds)
            .finish_non_exhaustive()
    }
}

impl<'a> Siege<'a> {
    /// The battle for a zone, attacked by all activated counters of the side in turn that may attack it together, or by
    /// those of `only`. A position before the combat phases is taken to the first of them that the weather allows; one in
    /// a combat phase is fought from there.
    ///
    /// # Errors
    /// Says why the attack may not be made.
    pub fn new(
        game: &'a BlitzWar,
        state: &State,
        target: Zone,
        only: Option<&Counters>,
        conduct: Conduct,
    ) -> Result<Self, String> {
        let mut start = state.clone();
        let force = start.active;
        let quiet = &mut Quiet;
        if !matches!(start.pending, Pending::None) {
            return Err("another decision must be made before the attack".into());
        }
        if start.phase > Phase::Normal {
            return Err("the combat phases of the turn are over".into());
        }
        if let Some(group) = only {
            for counter in game.tables.sheet.corps.and(&game.counters_of(&start, force)).difference(group) {
                // Whoever has fought does not attack any more, not even from a beachhead.
                start.add_mark(counter, mark::FOUGHT);
            }
        }
        let mut reason = None;
        if start.phase != Phase::Normal && conduct.rounds != Rounds::Normal {
            if start.phase != Phase::Blitz {
                game.start(&mut start, Phase::Blitz, force, quiet);
            }
            if game.weather(&start) == Weather::Mud {
                reason = Some("there is no Blitz combat in mud".into());
            } else if let Some(assault) = game.assault_on(&start, target) {
                return Ok(Siege::declared(game, start, target, conduct, assault));
            } else {
                reason = Some(game.why_not(&start, target, only));
            }
        }
        if conduct.rounds != Rounds::Blitz {
            if start.phase != Phase::Normal {
                game.start(&mut start, Phase::Normal, force, quiet);
            }
            if let Some(assault) = game.assault_on(&start, target) {
                return Ok(Siege::declared(game, start, target, conduct, assault));
            }
            reason = Some(game.why_not(&start, target, only));
        }
        let place = &game.rules.zones[target.at()].name;
        Err(format!("{place} cannot be attacked: {}", reason.unwrap_or_else(|| "the phase is over".into())))
    }

    /// The position before the first attack.
    pub fn position(&self) -> &State {
        &self.start
    }
    /// Zone attacked.
    pub fn target(&self) -> Zone {
        self.target
    }
    /// Phase of the first attack.
    pub fn phase(&self) -> Phase {
        self.start.phase
    }
    /// Odds and shifts of the first attack; the German defence shift is counted as used.
    pub fn assessment(&self) -> &Assessment {
        &self.odds
    }
    /// Conduct of both sides.
    pub fn conduct(&self) -> &Conduct {
        &self.conduct
    }
    /// Counters that attack.
    pub fn attackers(&self) -> Counters {
        self.game.eligible(&self.start, self.target, &self.game.fighters(&self.start))
    }

    fn context<D: Dice>(&self, dice: D) -> PlayContext<D, LossTally> {
        let attackers = self.start.allies[self.start.active.index()];
        PlayContext { dice, sink: LossTally { attackers, ..LossTally::default() } }
    }

    fn declared(game: &'a BlitzWar, start: State, target: Zone, conduct: Conduct, assault: Assault) -> Self {
        let declared = Declared { state: start.clone(), assault: None, outcome: Outcome::default() };
        let mut siege = Siege { game, start, target, conduct, odds: assault.odds, declared };
        let mut state = siege.start.clone();
        let mut outcome = Outcome::default();
        let assault = siege.declare(&mut state, assault, &mut outcome);
        siege.declared = Declared { state, assault, outcome };
        siege
    }

    /// Declares the attack, and goes up to its die.
    fn declare(&self, state: &mut State, assault: Assault, outcome: &mut Outcome) -> Option<Assault> {
        let game = self.game;
        let context = &mut self.context(Quiet);
        let mut declared = game.declare(state, self.target, Some(assault), context);
        if let Some(assault) = &mut declared {
            game.engage(state, assault, context);
        }
        outcome.add(&context.sink);
        declared
    }

    /// Rolls for a declared attack and fights it up to the advance, which is not made.
    fn resolve(&self, state: &mut State, assault: Option<&Assault>, outcome: &mut Outcome, dice: impl Dice) {
        let game = self.game;
        let context = &mut self.context(dice);
        let mut retreated = false;
        if let Some(assault) = assault {
            let mut attackers = assault.attackers;
            let waived = self.conduct.waive && assault.odds.may_waive;
            let mut zones = game.strike(state, assault, waived, context);
            loop {
                match state.pending {
                    Pending::AttackerLoss | Pending::DefenderLoss | Pending::CancelLoss => {
                        let Some((counter, kind)) = game.cheapest_loss(state, &attackers) else { break };
                        zones = game.take_loss(state, &mut attackers, counter, kind, context);
                    }
                    Pending::Retreat => match zones.first() {
                        Some(zone) if !(self.conduct.hold && game.may_hold(state, false)) => {
                            retreated = true;
                            game.retreat(state, &attackers, zone, context);
                        }
                        _ => BlitzWar::hold(state),
                    },
                    _ => break,
                }
            }
        }
        outcome.add(&context.sink);
        outcome.advance = state.pending == Pending::Advance;
        outcome.end = if game.has_foes(state, self.target) {
            End::Held
        } else if retreated {
            End::Retreated
        } else {
            End::Eliminated
        };
    }

    /// Decides on the attack after the first, and goes to its phase.
    fn second(&self, state: &mut State, outcome: Outcome) -> (Second, Option<Assault>) {
        let game = self.game;
        if outcome.end != End::Held || state.phase != Phase::Blitz || self.conduct.rounds == Rounds::Blitz {
            return (Second::Unasked, None);
        }
        game.start(state, Phase::Normal, state.active, &mut Quiet);
        let Some(assault) = game.assault_on(state, self.target) else { return (Second::Barred, None) };
        if BlitzWar::is_bound_to(state, &assault.attackers, self.target) {
            return (Second::Compulsory, Some(assault));
        }
        let goes = match self.conduct.again {
            Again::Always => true,
            Again::Never => false,
            Again::From(column) => assault.odds.index() >= column,
        };
        if goes { (Second::Chosen, Some(assault)) } else { (Second::Declined, None) }
    }

    /// The exact distribution.
    pub fn distribution(&self) -> Distribution {
        let (mut first, mut whole) = (Vec::new(), Vec::new());
        let mut middles: Vec<(State, Assault, Outcome, f64)> = Vec::new();
        let Declared { state: before, assault, outcome: start } = &self.declared;
        let mut state = before.clone();
        let mut dice = EveryRoll::new();
        loop {
            state.clone_from(before);
            let mut outcome = *start;
            self.resolve(&mut state, assault.as_ref(), &mut outcome, &mut dice);
            let mass = dice.probability();
            first.push((outcome, mass));
            let (second, again) = self.second(&mut state, outcome);
            outcome.second = second;
            if let Some(assault) = again {
                let known = middles.iter_mut().find(|middle| middle.2 == outcome && middle.0 == state);
                match known {
                    Some(middle) => middle.3 += mass,
                    None => middles.push((state.clone(), assault, outcome, mass)),
                }
            } else {
                whole.push((outcome, mass));
            }
            if !dice.advance() {
                break;
            }
        }
        for (mut middle, assault, mut before, mass) in middles {
            let assault = self.declare(&mut middle, assault, &mut before);
            loop {
                state.clone_from(&middle);
                let mut outcome = before;
                self.resolve(&mut state, assault.as_ref(), &mut outcome, &mut dice);
                whole.push((outcome, mass * dice.probability()));
                if !dice.advance() {
                    break;
                }
            }
        }
        Distribution { first: Pmf::weighted(first), whole: Pmf::weighted(whole) }
    }

    /// Fights the battle once: the outcome after the first attack, and at the end. `state` is scratch space.
    pub fn sample(&self, state: &mut State, dice: &mut impl Dice) -> (Outcome, Outcome) {
        state.clone_from(&self.declared.state);
        let mut first = self.declared.outcome;
        self.resolve(state, self.declared.assault.as_ref(), &mut first, &mut *dice);
        let mut whole = first;
        let (second, again) = self.second(state, first);
        whole.second = second;
        if let Some(assault) = again {
            let assault = self.declare(state, assault, &mut whole);
            self.resolve(state, assault.as_ref(), &mut whole, dice);
        }
        (first, whole)
    }

    /// Somebody who fights the battle many times, and remembers what came of each fall of the dice: only new ones are
    /// played.
    pub fn sampler(&self) -> Sampler<'_> {
        Sampler { siege: self, known: Remembered::new(), scratch: self.start.clone() }
    }

    /// The battle with other forces instead of those of the first attack: so many attacking and defending corps, of which
    /// at most as many are armour and fortified as before, infantry the rest; Elite Armies are replaced by common counters.
    /// They stand where those they replace stand, beyond the stacking limit if need be, and nobody else joins them.
    ///
    /// # Errors
    /// Says that the counter sheet does not suffice, or why the attack may not be made.
    pub fn with_strengths(&self, attackers: u8, defenders: u8) -> Result<Siege<'a>, String> {
        let game = self.game;
        let defending: Counters =
            self.start.stack(self.target).filter(|&counter| game.kind(counter).is_corps()).collect();
        let mut editor = Editor::of(game, self.start.clone());
        let group = editor.replace_corps(&self.attackers(), attackers)?;
        editor.replace_corps(&defending, defenders)?;
        Siege::new(game, &editor.finish(), self.target, Some(&group), self.conduct)
    }
}

/// Samples of one battle.
#[derive(Clone)]
pub struct Sampler<'a> {
    siege: &'a Siege<'a>,
    known: Remembered<(Outcome, Outcome)>,
    scratch: State,
}

impl Sampler<'_> {
    /// As [`Siege::sample`], with the same dice the same.
    #[inline]
    pub fn sample(&mut self, dice: &mut impl Dice) -> (Outcome, Outcome) {
        let (siege, scratch) = (self.siege, &mut self.scratch);
        *self.known.sample(dice, |dice| siege.sample(scratch, dice))
    }
}

impl Outcome {
    fn add(&mut self, losses: &LossTally) {
        self.attacker.add(losses.sides[0]);
        self.defender.add(losses.sides[1]);
    }
}

impl Toll {
    fn add(&mut self, other: Toll) {
        self.infantry += other.infantry;
        self.armour += other.armour;
        self.air += other.air;
    }
}

impl BlitzWar {
    /// The attack on a zone in this phase by all who can make it together, if they may.
    fn assault_on(&self, state: &State, zone: Zone) -> Option<Assault> {
        let open = self.has_foes(state, zone) && self.attackable(state, zone);
        if open { self.assault_in_full(state, zone) } else { None }
    }

    /// Of the losses that may be chosen, the one that hurts least.
    fn cheapest_loss(&self, state: &State, attackers: &Counters) -> Option<(Counter, Kind)> {
        const ARMOUR: u8 = 1 << 5;
        const CLOSED: u8 = 1 << 7;
        const GREAT: u32 = 1 << Nation::Ger as u32
            | 1 << Nation::Usa as u32
            | 1 << Nation::Ussr as u32
            | 1 << Nation::Uk as u32;
        let casualties = self.casualties(state, || *attackers);
        let mut cheapest = u16::MAX;
        casualties.counters.iter().for_each(|counter| {
            let [infantry, armour] = self.lost_corps(state, &casualties, counter);
            let great = GREAT >> self.nation(counter) as u32 & 1 != 0;
            // Infantry is the cheaper one of a counter that has both. What costs most comes first in the number.
            let price = u16::from(!(infantry || armour)) << 15
                | u16::from(!state.is_turned(counter)) << 14
                | u16::from(!infantry) << 13
                | u16::from(great) << 12
                | u16::from(state.strength(counter)) << 8;
            cheapest = cheapest.min(price | u16::from(counter.0));
        });
        let [counter, price] = cheapest.to_le_bytes();
        let kind = if price & ARMOUR == 0 { Kind::Infantry } else { Kind::Armour };
        (price & CLOSED == 0).then_some((Counter(counter), kind))
    }

    /// Why nobody may attack a zone.
    fn why_not(&self, state: &State, zone: Zone, only: Option<&Counters>) -> String {
        let fighters = self.fighters(state);
        let group = only.copied().unwrap_or_else(|| self.eligible(state, zone, &fighters));
        self.why_no_attack(state, zone, &group).unwrap_or_else(|| "no own corps may attack it".into())
    }
}
