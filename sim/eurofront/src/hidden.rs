//! What is hidden (23): which enemy block is which and how strong it is, unless it is face up, and what the enemy orders
//! in a production until both camps have decided.
//!
//! Where Allies and Soviets are rivals each is an enemy to the other in this (19.51).
//!
//! A side sees how many enemy blocks of which faction stand in a hex, what they have visibly done, and which are in the pool. The sum of
//! steps of all hidden units of a faction, and that of its hidden headquarters, count as known: losses fall in the open, and what a
//! faction can spend is public. Everything else is dealt anew.

use sandtable_core::{Dice, Digest, Hex};

use crate::game::EuroFront;
use crate::ids::{Account, BlockId, Blocks, Faction, MAX_BLOCKS, place};
use crate::phase::Phase;
use crate::rules::Goal;
use crate::state::{Crossing, MAX_VOYAGES, Mark, State, Voyage};
use crate::tables::PLACES;

/// Steps of the hidden units of each faction, and of its hidden headquarters.
type HiddenSteps = [[u16; 2]; 3];

/// Marks that move with the place of a hidden block, whoever it is.
/// Orders of a production are undone before (they are unseen); in a fortnight that mark says who has starved in the open.
const VISIBLE: [Mark; 8] = [
    Mark::Unsupplied,
    Mark::Moved,
    Mark::Strategic,
    Mark::Entered,
    Mark::Rearguard,
    Mark::Dispersed,
    Mark::Starved,
    Mark::STARVED_THIS_FORTNIGHT,
];

/// The factions whose hidden blocks and orders a viewer does not see: those of the enemy camp, and where Allies and Soviets are
/// rivals each other's (19.51).
#[derive(Clone, Copy)]
struct Strangers([bool; 3]);

impl Strangers {
    fn to(game: &EuroFront, viewer: Faction) -> Strangers {
        let rivals = game.rules.scenario.situation.goal == Goal::VictoryCities { rivals: true };
        Strangers(Faction::ALL.map(|other| other.camp() != viewer.camp() || rivals && other != viewer))
    }

    fn contains(self, faction: Faction) -> bool {
        self.0[faction.index()]
    }
}

/// A hidden block as the enemy sees it, in one number, for counters are sorted in every redraw: by these fields from the left.
///
/// ```text
///  bit 62    50      34        26      25      17  9  1      0
///  faction   place   crossing  marks   asked   dice at sea   invasion
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Counter(u64);

/// Places of the map have twelve bits.
const _: () = assert!(PLACES <= 1 << (Counter::FACTION - Counter::PLACE));

impl Counter {
    const FACTION: u32 = 62;
    const PLACE: u32 = 50;
    const CROSSING: u32 = 34;
    /// In the order of [`VISIBLE`].
    const MARKS: u32 = 26;
    /// The phase asks about it.
    const ASKED: u32 = 25;
    /// What awaits it at sea (15.72).
    const DICE: [u32; 3] = [17, 9, 1];

    fn new(
        faction: Faction,
        place: Hex,
        crossing: Crossing,
        marks: u8,
        asked: bool,
        voyage: Voyage,
    ) -> Counter {
        let dice = voyage.dice.into_iter().zip(Counter::DICE).map(|(dice, bit)| u64::from(dice) << bit);
        let by_land = (faction as u64) << Counter::FACTION
            | u64::from(place.0) << Counter::PLACE
            | u64::from(crossing.0) << Counter::CROSSING
            | u64::from(marks) << Counter::MARKS
            | u64::from(asked) << Counter::ASKED;
        Counter(by_land | dice.sum::<u64>() | u64::from(voyage.invasion))
    }

    fn faction(self) -> Faction {
        Faction::ALL[(self.0 >> Counter::FACTION) as usize]
    }

    fn place(self) -> Hex {
        Hex((self.0 >> Counter::PLACE & ((1 << (Counter::FACTION - Counter::PLACE)) - 1)) as u16)
    }

    fn crossing(self) -> Crossing {
        Crossing((self.0 >> Counter::CROSSING) as u16)
    }

    fn marks(self) -> u8 {
        (self.0 >> Counter::MARKS) as u8
    }

    fn is_asked(self) -> bool {
        self.0 >> Counter::ASKED & 1 != 0
    }

    fn dice(self) -> [u8; 3] {
        Counter::DICE.map(|bit| (self.0 >> bit) as u8)
    }

    fn invades(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The hidden blocks of a camp, in an order that says nothing of who they are.
struct Counters {
    list: [Counter; MAX_BLOCKS],
    len: usize,
    /// Who they are, in ascending order.
    blocks: Blocks,
}

impl Counters {
    fn of(game: &EuroFront, state: &State, strangers: Strangers) -> Counters {
        let known = state.marked(Mark::Revealed).or(state.marked(Mark::Deactivated));
        let factions = Faction::ALL.into_iter().filter(|&faction| strangers.contains(faction));
        let theirs =
            factions.fold(Blocks::EMPTY, |all, faction| all.or(&game.sets().of_faction[faction.index()]));
        let blocks = state.standing[0].or(&state.standing[1]).and(&theirs).difference(&known);
        let mut list = [Counter(0); MAX_BLOCKS];
        let mut len = 0;
        // Which headquarters is asked in turn is no secret; which unit moves is.
        let asked = matches!(state.phase, Phase::Withdrawal).then_some(state.subject);
        let at_sea = state.sea.voyages.iter().any(|voyage| !voyage.block.is_none());
        let marked = VISIBLE.iter().fold(Blocks::EMPTY, |all, &mark| all.or(state.marked(mark)));
        for block in blocks {
            let has = |(nth, &mark): (usize, &Mark)| u8::from(state.has(block, mark)) << nth;
            let marks = if marked.contains(block) { VISIBLE.iter().enumerate().map(has).sum() } else { 0 };
            let voyage =
                if at_sea { state.sea.voyages.iter().find(|voyage| voyage.block == block) } else { None };
            list[len] = Counter::new(
                game.brief(block).faction,
                state.at(block),
                state.crossing[block],
                marks,
                asked == Some(block),
                voyage.copied().unwrap_or(Voyage::NONE),
            );
            len += 1;
        }
        list[..len].sort_unstable();
        Counters { list, len, blocks }
    }

    /// Takes visible marks, acclimatisation and voyages off the hidden blocks: they go with the counters. Places, crossings and
    /// steps stay, and must be dealt or overwritten.
    fn strip(&self, state: &mut State) {
        for mark in VISIBLE.into_iter().chain([Mark::Acclimatised]) {
            state.marks[mark as usize] = state.marks[mark as usize].difference(&self.blocks);
        }
        self.forget_voyages(state);
    }

    /// Lets this block, which is stripped, be that counter. Whether it has got used to its front is taken from where it stands
    /// (6.73).
    fn put(&self, game: &EuroFront, state: &mut State, nth: usize, block: BlockId) {
        let counter = self.list[nth];
        let at = counter.place();
        state.places.put(block, at);
        if game.belongs_to(block, game.front(at)) {
            state.mark(block, Mark::Acclimatised, true);
        }
        state.crossing[block] = counter.crossing();
        let mut marks = counter.marks();
        while marks != 0 {
            state.mark(block, VISIBLE[marks.trailing_zeros() as usize], true);
            marks &= marks - 1;
        }
        if counter.is_asked() {
            state.subject = block;
        }
        let (dice, invasion) = (counter.dice(), counter.invades());
        if dice != [0; 3]
            && let Some(slot) = state.sea.voyages.iter_mut().find(|slot| slot.block.is_none())
        {
            *slot = Voyage { block, dice, invasion };
        }
    }
}

impl Counters {
    /// Takes the voyages of hidden blocks away: they go with the counters.
    fn forget_voyages(&self, state: &mut State) {
        let before = state.sea.voyages;
        state.sea.voyages = [Voyage::NONE; MAX_VOYAGES];
        let open =
            before.iter().filter(|voyage| !voyage.block.is_none() && !self.blocks.contains(voyage.block));
        for (slot, voyage) in state.sea.voyages.iter_mut().zip(open) {
            *slot = *voyage;
        }
    }
}

impl EuroFront {
    /// Takes out of `seen`, a copy of the state, what the enemy of a faction is about to do unseen, hides his ready beachheads and
    /// strips his hidden blocks. Gives their counters and steps. Who these blocks are still shows until they are dealt anew.
    fn hide(&self, state: &State, seen: &mut State, strangers: Strangers) -> (Counters, HiddenSteps) {
        if state.phase.is_secret() {
            for faction in Faction::ALL.into_iter().filter(|&faction| strangers.contains(faction)) {
                self.undo_orders(seen, faction);
            }
        }
        if state.phase == Phase::Destination && strangers.contains(state.active) {
            seen.phase = Phase::Movement;
            seen.subject = BlockId::NONE;
        }
        // So does who goes to the Curzon Line: a block on the map, unlike others that deploy.
        let by_rail = state.phase == Phase::Deployment && self.is_curzon_line_at_hand(state);
        if by_rail && strangers.contains(state.decider) {
            seen.phase = Phase::EventUnit;
            seen.subject = BlockId::NONE;
        }
        let counters = Counters::of(self, seen, strangers);
        let mut steps = [[0; 2]; 3];
        for block in counters.blocks {
            let brief = self.brief(block);
            let of_faction = &mut steps[brief.faction.index()];
            of_faction[usize::from(brief.kind.is_headquarters())] += u16::from(seen.steps[block]);
        }
        counters.strip(seen);
        self.hide_beachheads(seen, &counters.blocks, strangers);
        (counters, steps)
    }

    /// The state as a faction sees it: the enemy's hidden blocks stand in an order that tells nothing and have no steps, and
    /// what he is about to do unseen is undone. With the steps of his hidden blocks.
    fn veiled(&self, state: &State, viewer: Faction) -> (State, HiddenSteps) {
        let mut seen = *state;
        let strangers = Strangers::to(self, viewer);
        let (counters, steps) = self.hide(state, &mut seen, strangers);
        let by_colour = self.sets().of_faction.iter().flat_map(|own| counters.blocks.and(own));
        for (nth, block) in by_colour.enumerate() {
            counters.put(self, &mut seen, nth, block);
            seen.steps[block] = 0;
        }
        self.ready_beachheads(state, &mut seen, strangers, |_| 0);
        (seen, steps)
    }

    /// A state that the viewer cannot tell from this one.
    pub(crate) fn redraw_hidden(&self, state: &State, viewer: Faction, dice: &mut impl Dice) -> State {
        let strangers = Strangers::to(self, viewer);
        let mut drawn = *state;
        let (counters, steps) = self.hide(state, &mut drawn, strangers);
        self.deal_identities(&mut drawn, &counters, dice);
        for (own, [of_units, of_headquarters]) in self.sets().of_faction.iter().zip(steps) {
            let blocks = counters.blocks.and(own);
            let headquarters = blocks.and(&self.sets().headquarters);
            self.deal_steps(&mut drawn, &headquarters, of_headquarters, dice);
            self.deal_steps(&mut drawn, &blocks.difference(&headquarters), of_units, dice);
        }
        if state.phase.is_secret() && strangers.contains(state.active) {
            self.order_free_steps(&mut drawn, state.camp());
        }
        // Who has decided before: Axis, Allies, Soviets.
        if state.phase.is_secret() && !strangers.contains(state.active) {
            let before = Faction::ALL.into_iter().filter(|&faction| faction < state.active);
            for faction in before.filter(|&faction| strangers.contains(faction)) {
                self.order_at_random(&mut drawn, faction, dice);
            }
        }
        self.ready_beachheads(state, &mut drawn, strangers, |boxed| dice.below(boxed));
        drawn
    }

    /// Nobody else sees which beachheads are ready, nor whose unit has landed, if it is hidden (15.61).
    fn hide_beachheads(&self, state: &mut State, hidden: &Blocks, strangers: Strangers) {
        for (number, &(block, unit)) in self.seas().beachheads.iter().enumerate() {
            if !strangers.contains(self.brief(block).faction) {
                continue;
            }
            if state.at(block) == place::READY && block != state.subject {
                state.places.put(block, place::PREPARING);
            }
            if hidden.contains(unit) {
                state.sea.landed &= !(1 << number);
            }
        }
    }

    /// As many beachheads are ready as there are, for they lie face down in their box (15.61); `pick` says which of so many that are not
    /// yet.
    fn ready_beachheads(
        &self,
        state: &State,
        seen: &mut State,
        strangers: Strangers,
        mut pick: impl FnMut(u32) -> u32,
    ) {
        let theirs = || {
            let blocks = self.seas().beachheads.iter().map(|&(block, _)| block);
            blocks.filter(|&block| strangers.contains(self.brief(block).faction))
        };
        let ready = |state: &State| theirs().filter(|&block| state.at(block) == place::READY).count();
        for _ in ready(seen)..ready(state) {
            let boxed: Blocks = theirs().filter(|&block| seen.at(block) == place::PREPARING).collect();
            if let Some(block) = boxed.nth(pick(boxed.len().max(1))) {
                seen.places.put(block, place::READY);
            }
        }
    }

    /// Who is who: headquarters first, which do not enter battles (5.1).
    fn deal_identities(&self, state: &mut State, counters: &Counters, dice: &mut impl Dice) {
        for faction in Faction::ALL {
            self.deal_identities_of(state, counters, faction, dice);
        }
    }

    /// Deals identities anew among the counters of one colour.
    fn deal_identities_of(
        &self,
        state: &mut State,
        counters: &Counters,
        faction: Faction,
        dice: &mut impl Dice,
    ) {
        let mut free = [0u16; MAX_BLOCKS];
        let mut left = 0;
        for (nth, _) in
            counters.list[..counters.len].iter().enumerate().filter(|(_, one)| one.faction() == faction)
        {
            free[left] = nth as u16;
            left += 1;
        }
        let entered = 1 << VISIBLE.iter().position(|&mark| mark == Mark::Entered).unwrap_or(0);
        let blocks = counters.blocks.and(&self.sets().of_faction[faction.index()]);
        let headquarters = blocks.and(&self.sets().headquarters);
        for block in headquarters.iter().chain(&blocks.difference(&headquarters)) {
            let mut at = dice.below(left as u32) as usize;
            if headquarters.contains(block) {
                // The next counter that has not entered a battle, if there is one.
                let start = at;
                while counters.list[usize::from(free[at])].marks() & entered != 0 {
                    at = (at + 1) % left;
                    if at == start {
                        break;
                    }
                }
            }
            counters.put(self, state, usize::from(free[at]), block);
            left -= 1;
            free[at] = free[left];
        }
    }

    /// Deals so many steps over some blocks, each between its lowest and its full strength.
    fn deal_steps(&self, state: &mut State, blocks: &Blocks, total: u16, dice: &mut impl Dice) {
        let mut left = total;
        for block in blocks {
            state.steps[block] = self.brief(block).least;
            left -= u16::from(self.brief(block).least);
        }
        // Blocks that may still grow, and by how much.
        let mut open = [(BlockId::NONE, 0u8); MAX_BLOCKS];
        let mut count = 0;
        for block in blocks.filter(|block| state.steps[block] < self.brief(block).full) {
            open[count] = (block, self.brief(block).full - state.steps[block]);
            count += 1;
        }
        while left > 0 && count > 0 {
            left -= 1;
            let nth = dice.below(count as u32) as usize;
            open[nth].1 -= 1;
            if open[nth].1 == 0 {
                count -= 1;
                state.steps[open[nth].0] = self.brief(open[nth].0).full;
                open[nth] = open[count];
            }
        }
        for &(block, room) in &open[..count] {
            state.steps[block] = self.brief(block).full - room;
        }
    }

    /// A faction has ordered nothing in this production.
    fn undo_orders(&self, state: &mut State, faction: Faction) {
        for &(beachhead, _) in &self.seas().beachheads {
            if self.brief(beachhead).faction == faction {
                state.mark(beachhead, Mark::Ordered, false);
            }
        }
        for block in self.sets().of_faction[faction.index()] {
            if state.has(block, Mark::Ordered) {
                state.mark(block, Mark::Ordered, false);
                state.crossing[block] = Crossing::NONE;
            }
        }
        if self.is_civil_war() {
            state.marked = state.marked.difference(&state.friendly[faction.camp().index()]);
        }
        state.diplomacy.grounding &= !(1 << faction.index());
        if faction == Faction::Soviets {
            state.diplomacy.reserved = false; // Its points are given back with the others.
        }
        let own = Account::ALL.into_iter().filter(|account| account.faction() == faction);
        for account in own {
            state.spent[account.index()] = false;
            // Who has not begun to decide has touched nothing.
            if account.faction() <= state.active {
                state.points[account.index()] = state.funds[account.index()];
            }
        }
        if state.active == faction {
            self.restart_orders(state);
            if !self.turn_to_arrival(state) {
                self.turn_to_building(state);
            }
        }
    }

    /// A hash of all that the viewer can see.
    pub(crate) fn observation_hash(&self, state: &State, viewer: Faction) -> u64 {
        let (seen, steps) = self.veiled(state, viewer);
        Digest::of(&(viewer as u8, steps, seen))
    }
}
