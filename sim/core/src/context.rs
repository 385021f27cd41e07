//! Where chance comes from and where facts go.
//!
//! Rules never draw random numbers and never return reports. They roll on a [`Context`] and tell it what happened.
//! A [`PlayContext`] puts a source of [`Dice`] and a [`Sink`] for facts together; the same rules are thereby sampled,
//! scripted (worked examples), recorded and replayed. The unit sink `()` compiles to nothing.

// A fact nobody hears must not even cost a call.
#![allow(clippy::inline_always)]

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A source of uniform whole numbers.
pub trait Dice {
    /// A uniform number in `0..n`; `n` is at least 1.
    fn below(&mut self, n: u32) -> u32;

    /// A roll of one die: `1..=faces`.
    #[inline]
    fn die(&mut self, faces: u32) -> u32 {
        self.below(faces) + 1
    }

    /// Rolls dice of which only the hits matter: how many show `most` or less.
    #[inline]
    fn hits(&mut self, dice: u32, faces: u32, most: u32) -> u32 {
        (0..dice).fold(0, |hits, _| hits + u32::from(self.die(faces) <= most))
    }
}

/// Where a game's chance comes from and its facts go.
pub trait Context<E>: Dice {
    /// Reports a fact. The closure is only called if the sink listens.
    fn emit(&mut self, fact: impl FnOnce() -> E);
}

/// A receiver of facts.
pub trait Sink<E> {
    /// Takes one fact; a sink that does not listen never calls the closure.
    fn take(&mut self, fact: impl FnOnce() -> E);
}

impl<E> Sink<E> for () {
    #[inline(always)]
    fn take(&mut self, _fact: impl FnOnce() -> E) {}
}

impl<E> Sink<E> for Vec<E> {
    #[inline]
    fn take(&mut self, fact: impl FnOnce() -> E) {
        self.push(fact());
    }
}

impl<E, S: Sink<E>> Sink<E> for &mut S {
    #[inline]
    fn take(&mut self, fact: impl FnOnce() -> E) {
        (**self).take(fact);
    }
}

/// Dice and a sink, together a [`Context`].
#[derive(Clone, Debug, Default)]
pub struct PlayContext<D, S = ()> {
    /// The source of chance.
    pub dice: D,
    /// The receiver of facts.
    pub sink: S,
}

impl<D> PlayContext<D> {
    /// A context whose facts nobody hears.
    pub fn silent(dice: D) -> Self {
        PlayContext { dice, sink: () }
    }
}

impl<D: Dice, S> Dice for PlayContext<D, S> {
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        self.dice.below(n)
    }
    #[inline]
    fn hits(&mut self, dice: u32, faces: u32, most: u32) -> u32 {
        self.dice.hits(dice, faces, most)
    }
}

impl<E, D: Dice, S: Sink<E>> Context<E> for PlayContext<D, S> {
    #[inline(always)]
    fn emit(&mut self, fact: impl FnOnce() -> E) {
        self.sink.take(fact);
    }
}

impl<D: Dice> Dice for &mut D {
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        (**self).below(n)
    }
    #[inline]
    fn hits(&mut self, dice: u32, faces: u32, most: u32) -> u32 {
        (**self).hits(dice, faces, most)
    }
}

/// The generator behind sampled dice: xoshiro256++.
#[derive(Clone, Debug)]
pub struct Rng64(Xoshiro256PlusPlus);

impl Rng64 {
    /// A stream that depends on `seed`, `game` and `stream` alone; streams of one game are independent.
    pub fn stream(seed: u64, game: u64, stream: u64) -> Self {
        // SplitMix64 finaliser, so that neighbouring games share no bits of their seeds.
        let mut z = seed
            ^ game.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17)
            ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03).rotate_left(41);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Rng64(Xoshiro256PlusPlus::seed_from_u64(z ^ (z >> 31)))
    }

    /// 64 random bits.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number in `0.0..1.0`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

impl Dice for Rng64 {
    /// Multiply-shift: the bias is below n / 2^32.
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// Sampled dice.
pub type Sampled = Rng64;

/// One random word, and as many uniform numbers as a single random choice may take to make of it: equal draws choose
/// alike, however often they are asked.
#[derive(Clone, Copy, Debug)]
pub struct RandomDraw {
    word: u32,
    state: u64,
}

impl RandomDraw {
    /// Draws the word.
    #[inline]
    pub fn new(dice: &mut impl Dice) -> Self {
        let word = dice.below(u32::MAX);
        RandomDraw { word, state: u64::from(word) }
    }
}

impl Dice for RandomDraw {
    /// The word itself comes first, then `SplitMix64` from it.
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        let roll = (u64::from(self.word) * u64::from(n)) >> 32;
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        self.word = (z >> 32) as u32;
        roll as u32
    }
}

/// Dice that fall as written: worked examples and replays.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    rolls: Vec<u32>,
    next: usize,
    fault: Option<String>,
}

impl Scripted {
    /// Dice that will give these values in order, each counted from zero as [`Dice::below`] does.
    pub fn new(rolls: Vec<u32>) -> Self {
        Scripted { rolls, next: 0, fault: None }
    }

    /// Dice that will show these faces in order, each counted from one as [`Dice::die`] does.
    pub fn faces(faces: &[u32]) -> Self {
        Scripted::new(faces.iter().map(|face| face.wrapping_sub(1)).collect())
    }

    /// How many rolls have not been used.
    pub fn left(&self) -> usize {
        self.rolls.len() - self.next
    }

    /// Checks that the rolls fitted the game so far: none was missing and none was out of range.
    ///
    /// # Errors
    /// Says which roll was missing or did not fit its die.
    pub fn check(&self) -> Result<(), String> {
        self.fault.clone().map_or(Ok(()), Err)
    }
}

impl Dice for Scripted {
    fn below(&mut self, n: u32) -> u32 {
        let Some(&roll) = self.rolls.get(self.next) else {
            self.fault.get_or_insert_with(|| format!("roll {} was asked for but not written", self.next + 1));
            return 0;
        };
        self.next += 1;
        if roll >= n {
            self.fault.get_or_insert_with(|| {
                format!("roll {} is {}, on a die of {n} faces", self.next, u64::from(roll) + 1)
            });
            return n - 1;
        }
        roll
    }
}

/// Dice that remember every roll of the dice inside, to be replayed with [`Scripted::new`].
#[derive(Clone, Debug, Default)]
pub struct Recorded<D> {
    inner: D,
    /// The rolls so far, counted from zero.
    pub rolls: Vec<u32>,
}

impl<D> Recorded<D> {
    /// Records what `inner` rolls.
    pub fn new(inner: D) -> Self {
        Recorded { inner, rolls: Vec::new() }
    }
}

impl<D: Dice> Dice for Recorded<D> {
    fn below(&mut self, n: u32) -> u32 {
        let roll = self.inner.below(n);
        self.rolls.push(roll);
        roll
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_rolls_replay() {
        let mut recorded = Recorded::new(Rng64::stream(1, 2, 3));
        let first: Vec<u32> = (0..100).map(|_| recorded.die(6)).collect();
        let mut replay = Scripted::new(recorded.rolls);
        let second: Vec<u32> = (0..100).map(|_| replay.die(6)).collect();
        assert_eq!(first, second);
        assert_eq!((replay.left(), replay.check()), (0, Ok(())));
    }

    #[test]
    fn scripted_dice_name_their_faults() {
        let mut dice = Scripted::faces(&[7]);
        dice.die(6);
        assert_eq!(dice.check().unwrap_err(), "roll 1 is 7, on a die of 6 faces");
        let mut dice = Scripted::faces(&[]);
        dice.die(6);
        assert_eq!(dice.check().unwrap_err(), "roll 1 was asked for but not written");
    }

    #[test]
    fn streams_differ_and_are_fair() {
        assert_ne!(Rng64::stream(1, 0, 0).next(), Rng64::stream(1, 0, 1).next());
        assert_ne!(Rng64::stream(1, 0, 0).next(), Rng64::stream(1, 1, 0).next());
        let mut counts = [0u32; 6];
        let mut dice = Rng64::stream(9, 0, 0);
        for _ in 0..60_000 {
            counts[dice.below(6) as usize] += 1;
        }
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi2 < 20.5, "chi-square {chi2} at 5 degrees of freedom");
    }
}
