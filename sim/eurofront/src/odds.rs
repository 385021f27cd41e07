//! Odds of a battle: the exact distribution of what a round of combat does, from the rules' own combat code (7.2 to 7.6).
//!
//! Nothing of the rules is written again here: the round is opened and carried on by the functions that play the game. The
//! dice of a volley come in as the exact distribution of their hits and repulses, and equal positions are merged before
//! they are walked on. Where an owner would choose among units that are equally strong, the first of the roster suffers.

use std::collections::HashMap;

use sandtable_core::{Digest, Hex, PlayContext, Pmf, Scripted};

use crate::event::Volley;
use crate::game::EuroFront;
use crate::ids::{Blocks, Camp, is_on_map};
use crate::phase::Phase;
use crate::state::State;

/// What a side loses in a round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Losses {
    /// Steps.
    pub steps: u8,
    /// Units eliminated.
    pub units: u8,
    /// Units repulsed (7.61); of the active side alone.
    pub repulsed: u8,
}

/// How a round ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RoundOutcome {
    /// Losses of the active side.
    pub active: Losses,
    /// Losses of the passive side.
    pub passive: Losses,
    /// Who is left in the hex if it is one side alone.
    pub left: Option<Camp>,
}

/// What the sides do in a battle of several rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conduct {
    /// Rounds at most, from 1.
    pub rounds: u8,
    /// Headquarters that strike from the air do so in every round, not in the first alone.
    pub strikes_again: bool,
    /// The active side fights no further round with fewer steps than these.
    pub active_stops: u16,
    /// The passive side leaves with fewer steps than these.
    pub passive_leaves: u16,
}

impl Default for Conduct {
    fn default() -> Self {
        Conduct { rounds: 1, strikes_again: false, active_stops: 0, passive_leaves: 0 }
    }
}

/// How a battle stands, for the side that is active in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// It goes on.
    Open,
    /// The passive side is gone.
    Won,
    /// The active side is gone.
    Lost,
    /// The active side fights on no more.
    BrokenOff,
    /// The passive side leaves.
    Left,
}

/// How a battle stands after some rounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BattleOutcome {
    /// Losses since the battle began.
    pub round: RoundOutcome,
    /// How it stands.
    pub end: End,
}

/// Adds positions to a list; equal ones become one.
fn merge(list: &mut Vec<(State, f64)>, more: impl IntoIterator<Item = (State, f64)>) {
    let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, (state, _)) in list.iter().enumerate() {
        known.entry(Digest::of(state)).or_default().push(at);
    }
    for (state, mass) in more {
        let same = known.entry(Digest::of(&state)).or_default();
        if let Some(&at) = same.iter().find(|&&at| list[at].0 == state) {
            list[at].1 += mass;
        } else {
            same.push(list.len());
            list.push((state, mass));
        }
    }
}

/// A battle whose round is about to be fought.
#[derive(Clone, Debug)]
pub struct Engagement<'a> {
    game: &'a EuroFront,
    start: State,
    hex: Hex,
}

impl<'a> Engagement<'a> {
    /// The battle in a hex, fought by the active side of a state in its Combat Phase: support and airstrikes as they are.
    ///
    /// # Errors
    /// If there is no battle.
    pub fn new(game: &'a EuroFront, state: &State, hex: Hex) -> Result<Self, String> {
        if !is_on_map(hex) || !state.is_battle(hex) {
            return Err(format!("no battle is fought in {}", game.hex_name(hex)));
        }
        Ok(Engagement { game, start: *state, hex })
    }

    /// Blocks that take part.
    pub fn blocks(&self, camp: Camp) -> Blocks {
        self.start.stack(self.hex, camp)
    }

    /// The exact distribution of the round.
    pub fn distribution(&self) -> Pmf<RoundOutcome> {
        let ends = self.round_from(&self.start);
        Pmf::weighted(ends.into_iter().map(|(state, mass)| (self.outcome(&state), mass)).collect::<Vec<_>>())
    }

    /// The exact distribution after each round of a battle that goes on: losses are counted from its start. Later rounds
    /// are fought by the same side with the support that it has; nobody assaults in them, since all have arrived (7.6).
    pub fn battle(&self, conduct: Conduct) -> Vec<Pmf<BattleOutcome>> {
        let mut open = vec![(self.start, 1.0)];
        let mut over: Vec<(BattleOutcome, f64)> = Vec::new();
        let mut rounds = Vec::new();
        for _ in 0..conduct.rounds {
            let mut ended: Vec<(State, f64)> = Vec::new();
            for (state, mass) in std::mem::take(&mut open) {
                let fought = self.round_from(&state).into_iter().map(|(state, part)| (state, mass * part));
                merge(&mut ended, fought);
            }
            let mut now = over.clone();
            for (mut state, mass) in ended {
                let outcome = BattleOutcome { round: self.outcome(&state), end: self.end(&state, conduct) };
                now.push((outcome, mass));
                if outcome.end == End::Open {
                    self.go_on(&mut state, conduct);
                    open.push((state, mass));
                } else {
                    over.push((outcome, mass));
                }
            }
            rounds.push(Pmf::weighted(now));
            if open.is_empty() {
                break;
            }
        }
        rounds
    }

    /// How the battle stands after a round.
    fn end(&self, state: &State, conduct: Conduct) -> End {
        let active = self.start.camp();
        let steps = |camp: Camp| -> u16 {
            state.stack(self.hex, camp).iter().map(|block| u16::from(state.steps[block])).sum()
        };
        let holds = |camp: Camp| state.occupied[camp.index()].contains(self.hex);
        match (holds(active), holds(active.enemy())) {
            (true, false) => End::Won,
            (false, _) => End::Lost,
            _ if steps(active) < conduct.active_stops => End::BrokenOff,
            _ if steps(active.enemy()) < conduct.passive_leaves => End::Left,
            _ => End::Open,
        }
    }

    /// The next round: nobody has just arrived, and aircraft come again or do not.
    fn go_on(&self, state: &mut State, conduct: Conduct) {
        self.game.end_round(state);
        state.new_battles.remove(self.hex);
        if !conduct.strikes_again {
            for strike in state.strikes.iter_mut().filter(|strike| **strike == self.hex) {
                *strike = Hex(0);
            }
        }
    }

    /// The positions in which a round that begins in a position can end, before it is closed.
    fn round_from(&self, state: &State) -> Vec<(State, f64)> {
        let game = self.game;
        let mut start = *state;
        game.begin_round(&mut start, self.hex, &mut PlayContext::silent(Scripted::default()));
        let mut level = vec![(start, 1.0)];
        let mut ends = Vec::new();
        while !level.is_empty() {
            let mut next: Vec<(State, f64)> = Vec::new();
            for (mut state, mass) in level {
                let context = &mut PlayContext::silent(Scripted::default());
                let Some(volley) = game.next_volley(&mut state, context) else {
                    ends.push((state, mass));
                    continue;
                };
                let volleys = self.volley(&state, volley);
                merge(
                    &mut next,
                    volleys.iter().map(|(&(hits, repulses), chance)| {
                        let mut after = state;
                        game.bring_down(&mut after, volley, hits, repulses);
                        self.settle_losses(&mut after);
                        (after, mass * chance)
                    }),
                );
            }
            level = next;
        }
        let mut merged = Vec::new();
        merge(&mut merged, ends);
        merged
    }

    /// The distribution of hits and repulses of a volley.
    fn volley(&self, state: &State, volley: Volley) -> Pmf<(u8, u8)> {
        let repulse = self.game.repulse_by(state, volley);
        let mut sum = Pmf::point((0, 0));
        self.game.shots(state, volley, |dice, least| {
            let die = Pmf::die(6)
                .map(|face| (u8::from(face >= i32::from(least)), u8::from(face <= i32::from(repulse))));
            for _ in 0..dice {
                sum = sum.join(&die, |a, b| (a.0 + b.0, a.1 + b.1));
            }
        });
        sum
    }

    /// All losses due are taken.
    fn settle_losses(&self, state: &mut State) {
        let context = &mut PlayContext::silent(Scripted::default());
        while state.battle.hits + state.battle.repulses > 0 {
            if let Some(block) = self.game.loss_candidates(state).first() {
                self.game.take_loss(state, block, context);
            } else {
                (state.battle.hits, state.battle.repulses) = (0, 0);
            }
        }
        state.phase = Phase::ActiveBattle;
    }

    fn outcome(&self, state: &State) -> RoundOutcome {
        let losses = |camp: Camp| {
            let mut losses = Losses::default();
            for block in self.blocks(camp) {
                let at = state.at(block);
                losses.steps += self.start.steps[block] - state.steps[block];
                losses.units += u8::from(!is_on_map(at));
                losses.repulsed += u8::from(is_on_map(at) && at != self.hex);
            }
            losses
        };
        let active = self.start.camp();
        let holds = |camp: Camp| state.occupied[camp.index()].contains(self.hex);
        let left = Camp::ALL.into_iter().filter(|&camp| holds(camp));
        RoundOutcome {
            active: losses(active),
            passive: losses(active.enemy()),
            left: left.clone().next().filter(|_| left.count() == 1),
        }
    }
}
