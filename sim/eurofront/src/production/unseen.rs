//! Orders of a production at random: those that a viewer has not seen (11.2, 23), drawn anew, and those of random play.
//!
//! Order by order each is drawn with the same probability of all that are legal, without listing those: one is drawn of all
//! that might be legal, and another one as long as it is not.

use std::cell::OnceCell;

use sandtable_core::{ActionSink, Dice, Flow, Hex, PlayContext};

use crate::action::Action;
use crate::game::EuroFront;
use crate::ids::{Account, BlockId, Blocks, Faction, Hexes, MAX_BLOCKS, is_on_map};
use crate::movement::Access;
use crate::phase::{Haste, Phase};
use crate::production::{CADRES, DISBANDED, EARLY, GARRISONS, REARMAMENT, WEAK};
use crate::rules::Kind;
use crate::state::{Mark, State};

/// Orders that may be given whatever has been ordered, above all that [`State::cursor`] counts.
const PASS: u16 = u16::MAX;
const GROUND: u16 = PASS - 1;
const RESERVE: u16 = PASS - 2;
/// A block may be built or raised, and be disbanded; or be brought forward in two ways.
const MOST: usize = 2 * MAX_BLOCKS + 3;

/// All orders that may be legal until the production is over, garrisons of 1936 left out: numbers as [`State::cursor`] has them.
struct Candidates {
    list: [u16; MOST],
    len: usize,
}

impl Candidates {
    fn of(game: &EuroFront, state: &State) -> Candidates {
        let mut candidates = Candidates { list: [PASS; MOST], len: 1 };
        if game.may_ground(state) {
            candidates.add(GROUND);
        }
        if state.active == Faction::Soviets {
            candidates.add(RESERVE);
        }
        let own = state.standing[state.camp().index()].and(&game.sets().of_faction[state.active.index()]);
        candidates.add_all(0, &own.filter(|block| game.may_receive_step(state, block)));
        candidates.add_all(0, &game.cooperating_forces(state));
        candidates.add_all(0, &game.beachheads_to_build(state));
        candidates.add_all(CADRES, &game.to_be_raised(state));
        for block in game.due_next_month(state) {
            candidates.add(EARLY + block.0);
            if game.brief(block).kind != Kind::Beachhead && game.can_come_weaker(block) {
                candidates.add(WEAK + block.0);
            }
        }
        if !game.is_civil_war() {
            let staying = game.staying(state);
            let full = own.filter(|block| game.may_be_disbanded(state, block, |hex| staying.at(hex)));
            candidates.add_all(DISBANDED, &full);
        }
        candidates
    }

    fn add(&mut self, order: u16) {
        self.list[self.len] = order;
        self.len += 1;
    }

    fn add_all(&mut self, kind: u16, blocks: &Blocks) {
        for block in blocks {
            self.add(kind + block.0);
        }
    }

    /// Drops what comes before an order that has been given.
    fn drop_before(&mut self, cursor: u16) {
        let mut kept = 0;
        for nth in 0..self.len {
            let order = self.list[nth];
            self.list[kept] = order;
            kept += usize::from(order >= cursor);
        }
        self.len = kept;
    }
}

/// What has been worked out for a faction's production.
struct Production<'a> {
    game: &'a EuroFront,
    /// Its lines without those of isolated nations.
    lines: Hexes,
    /// Whether want of oil, which only headquarters ask for, is in the state.
    oil: bool,
    access: OnceCell<Access>,
}

impl<'a> Production<'a> {
    /// Looks at what a faction supplies; from now on its production is at hand in the state.
    fn begin(game: &'a EuroFront, state: &mut State, faction: Faction) -> Production<'a> {
        state.active = faction;
        let lines = game.look_at_lines(state, faction);
        game.restart_orders(state);
        Production { game, lines, oil: false, access: OnceCell::new() }
    }

    /// An order that is legal, of some that may be and of all garrisons that may be bought; each with the same probability.
    fn draw(&mut self, state: &mut State, among: &mut Candidates, dice: &mut impl Dice) -> Action {
        let garrisons = self.game.garrisons_to_buy(state);
        let mut open = among.len;
        loop {
            let nth = dice.below(open as u32 + garrisons.len()) as usize;
            if let Some(hex) = nth.checked_sub(open).and_then(|nth| garrisons.nth(nth as u32)) {
                return Action::Garrison(hex);
            }
            self.look_at_oil(state, among.list[nth]);
            if let Some(action) = self.order(state, among.list[nth]) {
                return action;
            }
            // It is none of those among which is drawn on.
            open -= 1;
            among.list.swap(nth, open);
        }
    }

    /// An order by its number, if it is legal; it is not before what has been ordered.
    fn order(&self, state: &State, order: u16) -> Option<Action> {
        let game = self.game;
        let block = |kind: u16| BlockId(order - kind);
        let (holds, action) = match order {
            PASS => (true, Action::Pass),
            GROUND => (game.may_ground(state), Action::Yes),
            RESERVE => (game.may_reserve(state), Action::Allot(REARMAMENT as u8)),
            DISBANDED.. => {
                let block = block(DISBANDED);
                let staying = |hex| game.staying_in(state, hex);
                (game.may_be_disbanded(state, block, staying), Action::Disband(block))
            }
            WEAK.. => {
                let block = block(WEAK);
                let holds = !state.has(block, Mark::Ordered)
                    && !game.arrival_places(state, block, &self.access).is_empty();
                (holds, Action::Hasten(block, Haste::Weak))
            }
            EARLY.. => {
                let block = block(EARLY);
                let holds = if game.brief(block).kind == Kind::Beachhead {
                    game.affords_beachhead(state)
                } else {
                    let places = game.arrival_places(state, block, &self.access);
                    self.affords_any(state, block, &places)
                };
                (holds, Action::Hasten(block, Haste::Paid))
            }
            GARRISONS.. => return None,
            CADRES.. => {
                let block = block(CADRES);
                let holds = game.may_afford_cadre(state, block)
                    && self.affords_any(state, block, &self.places_for_cadre(state, block));
                (holds, Action::Cadre(block))
            }
            _ => (self.may_be_built(state, block(0)), Action::Build(block(0))),
        };
        holds.then_some(action)
    }

    fn may_be_built(&self, state: &State, block: BlockId) -> bool {
        let game = self.game;
        if game.brief(block).kind == Kind::Beachhead {
            return game.affords_beachhead(state);
        }
        game.affords_step(state, block)
            && (!is_on_map(state.at(block))
                || game.may_receive_step(state, block)
                    && game.cut_off_with_nation(state, &Blocks::one(block)).is_empty())
    }

    /// Places in which a cadre of a block may be placed if it can be paid for.
    fn places_for_cadre(&self, state: &State, block: BlockId) -> Hexes {
        if self.game.is_civil_war() {
            return self.game.places_to_raise(state, block);
        }
        self.game.places_with_room(state, block, &self.access)
    }

    fn affords_any(&self, state: &State, block: BlockId, places: &Hexes) -> bool {
        places.iter().any(|hex| self.game.affords_cadre(state, block, hex))
    }

    /// Puts want of oil into the state, if it may make what is ordered dearer (11.735, 11.736).
    fn look_at_oil(&mut self, state: &mut State, order: u16) {
        let of_block = order < RESERVE && !(GARRISONS..EARLY).contains(&order);
        let dearer = |block: BlockId| matches!(self.game.brief(block).kind, Kind::Hq | Kind::SupremeHq);
        if !self.oil && of_block && dearer(BlockId(order % CADRES)) {
            state.short_of_oil = self.game.is_short_of_oil(state, state.active, &self.lines);
            self.oil = true;
        }
    }

    /// The orders that may be drawn are those that the rules list.
    #[cfg(debug_assertions)]
    fn check(&self, state: &State, candidates: &Candidates) {
        let mut copy = *state;
        copy.short_of_oil = self.game.is_short_of_oil(state, state.active, &self.lines);
        let mut listed = Vec::new();
        let _ = self.game.actions(&copy, &mut listed);
        let candidates = &candidates.list[..candidates.len];
        let mut drawn: Vec<Action> =
            candidates.iter().filter_map(|&order| self.order(&copy, order)).collect();
        drawn.extend(self.game.garrisons_to_buy(&copy).iter().map(Action::Garrison));
        drawn.sort_unstable();
        listed.sort_unstable();
        assert_eq!(drawn, listed, "orders from {} on", state.cursor);
    }

    /// A place for the block at hand.
    fn draw_place(&self, state: &State, dice: &mut impl Dice) -> Option<Hex> {
        let block = state.subject;
        let mut places = if state.cursor >= EARLY {
            self.game.arrival_places(state, block, &self.access)
        } else {
            self.places_for_cadre(state, block)
        };
        let paid = state.cursor < WEAK;
        loop {
            let hex = places.nth(dice.below(places.len().max(1)))?;
            if !paid || self.game.affords_cadre(state, block, hex) {
                return Some(hex);
            }
            places.remove(hex);
        }
    }
}

impl EuroFront {
    /// Whether the points at hand might pay for a cadre anywhere: what it costs at least.
    pub(super) fn may_afford_cadre(&self, state: &State, block: BlockId) -> bool {
        let kind = self.brief(block).kind;
        if self.is_civil_war() {
            let least = self.cost(block).map(|cost| match kind {
                Kind::Hq => cost.cadre.min(self.war().double_supply.cadre),
                _ => cost.cadre,
            });
            return least.is_some_and(|least| self.affords(state, Account::home(state.active), least));
        }
        if matches!(kind, Kind::Hq | Kind::SupremeHq) {
            return true; // Reforms make those of the Soviets cheaper.
        }
        let costs = self.rules.kinds[kind as usize].costs.iter().flatten();
        let least = match self.block(block).cost {
            Some(own) => own.cadre,
            // Paratroops that are confined to the ground cost half (14.7).
            None => costs.map(|cost| cost.cadre).min().unwrap_or(0) / 2,
        };
        let most = Account::all_of(state.active).map(|account| state.points[account.index()]).max();
        most.is_some_and(|most| most >= i16::from(least))
    }

    /// Offers an order to who draws one of all that are legal, elsewhere than in 1936.
    pub(super) fn draw_order<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let production = Production { game: self, lines: Hexes::EMPTY, oil: true, access: OnceCell::new() };
        let mut candidates = Candidates::of(self, state);
        candidates.drop_before(state.cursor);
        let others = &candidates.list[1..candidates.len];
        out.offer(Action::Pass)?;
        out.candidates(others.len() as u32, |nth| production.order(state, others[nth as usize]))
    }

    /// The orders of who has decided before, which the viewer has not seen: any that he could have given. Those he has given are
    /// undone already.
    pub(crate) fn order_at_random(&self, state: &mut State, faction: Faction, dice: &mut impl Dice) {
        let (phase, subject, cursor, active) = (state.phase, state.subject, state.cursor, state.active);
        let (network, commanded, marked) = (state.network, state.commanded, state.marked);
        let (isolated, short_of_oil, by_cape) = (state.isolated, state.short_of_oil, state.new_battles);
        let mut production = Production::begin(self, state, faction);
        self.order_free_steps(state, faction.camp());
        // Reinforcements that are due, one after the other. Who has no place to arrive in comes later, as who is passed over (11.83).
        for block in self.due(state) {
            let places = self.arrival_places(state, block, &production.access);
            if let Some(nth) = dice.below(places.len() + 1).checked_sub(1)
                && let Some(hex) = places.nth(nth)
            {
                Self::turn_to_arrival_of(state, block);
                self.order_placement(state, hex);
            }
        }
        self.turn_to_building(state);
        let mut candidates = Candidates::of(self, state);
        loop {
            candidates.drop_before(state.cursor);
            #[cfg(debug_assertions)]
            production.check(state, &candidates);
            let action = production.draw(state, &mut candidates, dice);
            if action == Action::Pass {
                break;
            }
            self.act(state, action, &mut PlayContext::silent(&mut *dice));
            if state.phase == Phase::CadrePlace
                && let Some(hex) = production.draw_place(state, dice)
            {
                self.act(state, Action::Place(hex), &mut PlayContext::silent(&mut *dice));
            }
        }
        state.active = active;
        (state.phase, state.subject, state.cursor) = (phase, subject, cursor);
        (state.network, state.commanded) = (network, commanded);
        if !self.is_civil_war() {
            // In 1936 garrisons that have been ordered.
            state.marked = marked;
        }
        (state.isolated, state.short_of_oil, state.new_battles) = (isolated, short_of_oil, by_cape);
    }
}
