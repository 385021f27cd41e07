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
        let game = self.game;
        let mut start = self.start;
        game.begin_round(&mut start, self.hex, &mut PlayContext::silent(Scripted::default()));
        let mut level = vec![(start, 1.0)];
        let mut outcomes = Vec::new();
        while !level.is_empty() {
            let mut next: Vec<(State, f64)> = Vec::new();
            let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
            for (mut state, mass) in level {
                let Some(volley) = game.next_volley(&mut state) else {
                    outcomes.push((self.outcome(&state), mass));
                    continue;
                };
                for (&(hits, repulses), chance) in self.volley(&state, volley).iter() {
                    let mut after = state;
                    game.land(&mut after, volley, hits, repulses);
                    self.settle_losses(&mut after);
                    let same = known.entry(Digest::of(&after)).or_default();
                    if let Some(&at) = same.iter().find(|&&at| next[at].0 == after) {
                        next[at].1 += mass * chance;
                    } else {
                        same.push(next.len());
                        next.push((after, mass * chance));
                    }
                }
            }
            level = next;
        }
        Pmf::weighted(outcomes)
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
