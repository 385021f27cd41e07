//! Generators of legal actions, written once for everybody who asks: a list, one action drawn at random, a forced move.
//!
//! Rules offer the legal actions of a decision to an [`ActionSink`], in ascending order. Sinks that want a list keep
//! them all; [`Choice`] stops at the second, which is enough to tell a forced move from a decision; [`Sampler`] draws
//! one without making the list, wherever the rules offer whole sets ([`ActionSink::all`], [`ActionSink::rest`]).

use std::ops::ControlFlow;

use crate::bits::{Index, IndexSet, TABLED};
use crate::context::{Dice, RandomDraw};

/// Whether a generator of actions should go on.
pub type Flow = ControlFlow<()>;

/// Receives legal actions in ascending order.
pub trait ActionSink<A: Copy> {
    /// Takes one action.
    fn offer(&mut self, action: A) -> Flow;

    /// Offers the rest of a list: what is `open` to each member of these sets, set by set; before the first of them
    /// `pass`, which is only legal beside others. What is open to one may not depend on those asked before it.
    #[inline]
    fn rest<I: Index, const W: usize, const N: usize>(
        &mut self,
        mut pass: Option<A>,
        sets: [IndexSet<I, W>; N],
        mut open: impl FnMut(usize, I) -> Option<A>,
    ) -> Flow {
        for (set, members) in sets.iter().enumerate().filter(|(_, members)| !members.is_empty()) {
            for member in members {
                if let Some(action) = open(set, member) {
                    if let Some(pass) = pass.take() {
                        self.offer(pass)?;
                    }
                    self.offer(action)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Offers the rest of a list: an action for each member of these sets.
    #[inline]
    fn all<I: Index, const W: usize, const N: usize>(
        &mut self,
        sets: [IndexSet<I, W>; N],
        mut action: impl FnMut(usize, I) -> A,
    ) -> Flow {
        self.rest(None, sets, |set, member| Some(action(set, member)))
    }

    /// Offers so many actions of a menu, told by number, in ascending order.
    #[inline]
    fn numbered(&mut self, count: u32, mut nth: impl FnMut(u32) -> A) -> Flow {
        (0..count).try_for_each(|at| self.offer(nth(at)))
    }

    /// Offers what `fill` appends to a list, in whatever order and maybe more than once.
    fn listed(&mut self, fill: impl FnOnce(&mut Vec<A>)) -> Flow
    where
        A: Ord,
    {
        let mut list = Vec::new();
        fill(&mut list);
        sort(&mut list, 0);
        list.into_iter().try_for_each(|action| self.offer(action))
    }

    /// Whether the whole list is wanted, rather than one action or whether there is any.
    fn lists(&self) -> bool {
        false
    }

    /// Whether one action is drawn from the list, so that candidates of which it draws until one is open serve as well:
    /// see [`ActionSink::candidates`].
    fn draws(&self) -> bool {
        false
    }

    /// After an action that is always legal: says that those of so many numbered candidates follow that are `open`. For
    /// who [`ActionSink::draws`].
    fn candidates(&mut self, count: u32, open: impl FnMut(u32) -> Option<A>) -> Flow {
        let _ = (count, open);
        Flow::Continue(())
    }

    /// Whether no more is asked than if there are at least two actions.
    fn counts(&self) -> bool {
        false
    }

    /// Answers that there are, without the actions. For who [`ActionSink::counts`].
    fn at_least_two(&mut self) -> Flow {
        Flow::Continue(())
    }
}

/// Brings the actions from one on into ascending order, without repetition.
fn sort<A: Ord>(list: &mut Vec<A>, from: usize) {
    if !list[from..].is_sorted_by(|a, b| a < b) {
        debug_assert_eq!(from, 0, "nothing was offered before");
        list.sort_unstable();
        list.dedup();
    }
}

impl<T: Copy> ActionSink<T> for Vec<T> {
    #[inline]
    fn offer(&mut self, action: T) -> Flow {
        self.push(action);
        Flow::Continue(())
    }

    #[inline]
    fn listed(&mut self, fill: impl FnOnce(&mut Vec<T>)) -> Flow
    where
        T: Ord,
    {
        let from = self.len();
        fill(self);
        sort(self, from);
        Flow::Continue(())
    }

    fn lists(&self) -> bool {
        true
    }
}

/// Stops at the second action: tells a forced move from a decision.
#[derive(Debug)]
pub struct Choice<'a, A> {
    /// The first action, if there is any and it was asked for.
    pub first: Option<A>,
    /// Whether there are several.
    pub many: bool,
    scratch: &'a mut Vec<A>,
}

impl<'a, A> Choice<'a, A> {
    /// Nothing offered yet; `scratch` is for rules that must list.
    pub fn new(scratch: &'a mut Vec<A>) -> Self {
        Choice { first: None, many: false, scratch }
    }
}

impl<A: Copy> ActionSink<A> for Choice<'_, A> {
    #[inline]
    fn offer(&mut self, action: A) -> Flow {
        if self.first.is_some() {
            self.many = true;
            return Flow::Break(());
        }
        self.first = Some(action);
        Flow::Continue(())
    }

    #[inline]
    fn numbered(&mut self, count: u32, mut nth: impl FnMut(u32) -> A) -> Flow {
        match count {
            0 => Flow::Continue(()),
            1 => self.offer(nth(0)),
            _ => self.at_least_two(),
        }
    }

    #[inline]
    fn listed(&mut self, fill: impl FnOnce(&mut Vec<A>)) -> Flow
    where
        A: Ord,
    {
        self.scratch.clear();
        fill(self.scratch);
        match *self.scratch.as_slice() {
            [] => Flow::Continue(()),
            [first, ref rest @ ..] if rest.iter().all(|other| *other == first) => self.offer(first),
            _ => self.at_least_two(),
        }
    }

    fn counts(&self) -> bool {
        true
    }

    fn at_least_two(&mut self) -> Flow {
        self.many = true;
        Flow::Break(())
    }
}

/// Stops at the first action: tells whether there is any.
#[derive(Clone, Copy, Default, Debug)]
pub struct FirstOnly {
    /// Whether there is one.
    pub any: bool,
}

impl<A: Copy> ActionSink<A> for FirstOnly {
    #[inline]
    fn offer(&mut self, _action: A) -> Flow {
        self.any = true;
        Flow::Break(())
    }
}

/// Offers a pass before the first other action, and nothing if there is no other. Asks for no short cuts.
#[derive(Debug)]
pub struct PassFirst<'a, A, O> {
    out: &'a mut O,
    /// The pass, until it has been offered.
    pass: Option<A>,
}

impl<'a, A: Copy, O: ActionSink<A>> PassFirst<'a, A, O> {
    /// Puts `pass` before what is offered to `out`.
    pub fn new(out: &'a mut O, pass: A) -> Self {
        PassFirst { out, pass: Some(pass) }
    }

    /// Offers the pass now, unless it has been offered already.
    pub fn offer_pass(&mut self) -> Flow {
        self.pass.take().map_or(Flow::Continue(()), |pass| self.out.offer(pass))
    }

    /// The receiver itself, for lists without a pass.
    pub fn inner(&mut self) -> &mut O {
        self.out
    }
}

impl<A: Copy, O: ActionSink<A>> ActionSink<A> for PassFirst<'_, A, O> {
    #[inline]
    fn offer(&mut self, action: A) -> Flow {
        if let Some(pass) = self.pass.take() {
            self.out.offer(pass)?;
        }
        self.out.offer(action)
    }

    #[inline]
    fn rest<I: Index, const W: usize, const N: usize>(
        &mut self,
        pass: Option<A>,
        sets: [IndexSet<I, W>; N],
        open: impl FnMut(usize, I) -> Option<A>,
    ) -> Flow {
        self.out.rest(pass.or(self.pass), sets, open)
    }
}

/// Draws one of the actions of a list, each with the same probability. The rest of a list is drawn from without making
/// it: a member that turns out to have nothing open is put aside, and the draw is repeated among what is left.
#[derive(Debug)]
pub struct Sampler<'a, A> {
    draw: RandomDraw,
    /// The actions offered one by one: all there are, unless one was drawn from the rest.
    known: &'a mut Vec<A>,
    drawn: Option<A>,
}

impl<'a, A: Copy> Sampler<'a, A> {
    /// Draws by `draw`; `buffer` is scratch space.
    #[inline]
    pub fn new(draw: RandomDraw, buffer: &'a mut Vec<A>) -> Self {
        buffer.clear();
        Sampler { draw, known: buffer, drawn: None }
    }

    /// The action drawn, if there are at least two. If there is only one, the buffer holds it; else it is empty.
    #[inline]
    pub fn finish(self) -> Option<A> {
        let Sampler { mut draw, known, drawn } = self;
        match known.len() {
            _ if drawn.is_some() => drawn,
            0 | 1 => None,
            many => Some(known[draw.below(many as u32) as usize]),
        }
    }

    /// Whether any member of the sets has something open. What is cheap to ask stands last.
    fn any<I: Index, const W: usize, const N: usize>(
        sets: &[IndexSet<I, W>; N],
        open: &mut impl FnMut(usize, I) -> Option<A>,
    ) -> bool {
        let mut asked = sets.iter().enumerate().rev();
        asked.any(|(set, members)| members.iter().any(|member| open(set, member).is_some()))
    }
}

/// Sizes of sets from which members are drawn: of their words as well where those are few, for a draw without a jump.
struct Sizes<const N: usize> {
    sets: [u32; N],
    words: [[u64; TABLED]; N],
}

impl<const N: usize> Sizes<N> {
    #[inline]
    fn of<I: Index, const W: usize>(sets: &[IndexSet<I, W>; N]) -> Self {
        let mut sizes = Sizes { sets: [0; N], words: [[0; TABLED]; N] };
        for (nth, set) in sets.iter().enumerate() {
            sizes.sets[nth] = if W <= TABLED {
                let words = &mut sizes.words[nth][..W];
                words.copy_from_slice(&set.sizes());
                words.iter().sum::<u64>() as u32
            } else {
                set.len()
            };
        }
        sizes
    }

    /// All members.
    #[inline]
    fn sum(&self) -> u32 {
        self.sets.iter().sum()
    }

    /// A member of a set is taken out.
    #[inline]
    fn take<I: Index, const W: usize>(&mut self, set: usize, member: I) {
        self.sets[set] -= 1;
        if W <= TABLED {
            self.words[set][member.at() / 64] -= 1;
        }
    }

    /// The set, and the member of it, with this number among all.
    #[inline]
    fn member<I: Index, const W: usize>(
        &self,
        sets: &[IndexSet<I, W>; N],
        mut nth: u32,
    ) -> Option<(usize, I)> {
        let mut set = 0;
        while set + 1 < N && nth >= self.sets[set] {
            nth -= self.sets[set];
            set += 1;
        }
        let of = sets.get(set)?;
        let member = if W <= TABLED { of.drawn(&self.words[set][..W], u64::from(nth)) } else { of.nth(nth) };
        member.map(|member| (set, member))
    }
}

impl<A: Copy> ActionSink<A> for Sampler<'_, A> {
    #[inline]
    fn offer(&mut self, action: A) -> Flow {
        self.known.push(action);
        Flow::Continue(())
    }

    fn draws(&self) -> bool {
        true
    }

    #[inline]
    fn numbered(&mut self, count: u32, mut nth: impl FnMut(u32) -> A) -> Flow {
        let sure = self.known.len() as u32;
        match sure + count {
            _ if count == 0 => Flow::Continue(()),
            1 => self.offer(nth(0)),
            all => {
                let lot = self.draw.below(all);
                self.drawn = Some(lot.checked_sub(sure).map_or_else(|| self.known[lot as usize], nth));
                Flow::Break(())
            }
        }
    }

    #[inline]
    fn listed(&mut self, fill: impl FnOnce(&mut Vec<A>)) -> Flow
    where
        A: Ord,
    {
        let from = self.known.len();
        fill(self.known);
        sort(self.known, from);
        Flow::Continue(())
    }

    #[inline]
    fn all<I: Index, const W: usize, const N: usize>(
        &mut self,
        sets: [IndexSet<I, W>; N],
        mut action: impl FnMut(usize, I) -> A,
    ) -> Flow {
        let sure = self.known.len() as u32;
        let sizes = Sizes::of(&sets);
        let left = sizes.sum();
        if left == 0 {
            return Flow::Continue(());
        }
        let nth = self.draw.below(sure + left);
        let Some(nth) = nth.checked_sub(sure) else {
            self.drawn = Some(self.known[nth as usize]);
            return Flow::Break(());
        };
        let Some((set, member)) = sizes.member(&sets, nth) else { return Flow::Continue(()) };
        if sure + left == 1 {
            return self.offer(action(set, member));
        }
        self.drawn = Some(action(set, member));
        Flow::Break(())
    }

    fn candidates(&mut self, count: u32, mut open: impl FnMut(u32) -> Option<A>) -> Flow {
        let sure = self.known.len() as u32;
        debug_assert!(sure > 0, "some action is always legal");
        loop {
            let nth = self.draw.below(sure + count);
            if nth < sure {
                if sure > 1 || (0..count).any(|other| open(other).is_some()) {
                    self.drawn = Some(self.known[nth as usize]);
                }
                return Flow::Continue(());
            }
            self.drawn = open(nth - sure);
            if self.drawn.is_some() {
                return Flow::Continue(());
            }
        }
    }

    #[inline]
    fn rest<I: Index, const W: usize, const N: usize>(
        &mut self,
        pass: Option<A>,
        mut sets: [IndexSet<I, W>; N],
        mut open: impl FnMut(usize, I) -> Option<A>,
    ) -> Flow {
        let sure = self.known.len() as u32;
        debug_assert!(pass.is_none() || sure == 0, "a pass comes first");
        let base = sure + u32::from(pass.is_some());
        let mut sizes = Sizes::of(&sets);
        let mut left = sizes.sum();
        while left > 0 {
            let nth = self.draw.below(base + left);
            if nth < base {
                if sure < 2 && !Self::any(&sets, &mut open) {
                    return Flow::Continue(());
                }
                self.drawn = Some(pass.unwrap_or_else(|| self.known[nth as usize]));
                return Flow::Break(());
            }
            let Some((set, member)) = sizes.member(&sets, nth - base) else { break };
            sets[set].remove(member);
            sizes.take::<I, W>(set, member);
            left -= 1;
            let Some(action) = open(set, member) else { continue };
            if base == 0 && !Self::any(&sets, &mut open) {
                return self.offer(action);
            }
            self.drawn = Some(action);
            return Flow::Break(());
        }
        Flow::Continue(())
    }
}
