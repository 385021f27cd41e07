//! The opening position (22): where blocks stand, and the militia that is thrown for (1936).

use sandtable_core::units::UnitPlaces;
use sandtable_core::{Hex, Index, PerIndex};

use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{
    Account, BlockId, Blocks, Camp, Faction, Hexes, MAX_BLOCKS, NationId, Nations, is_on_map, place,
};
use crate::phase::Phase;
use crate::rules::{Entry, Goal, Status, Weather};
use crate::state::{
    Battle, CivilWarState, Crossing, Ending, MAX_HEADQUARTERS, Mark, Owners, SeaState, State,
};

/// Months that a front which is active at the start counts as having been so: longer than any rule asks (21.23, 21.37).
const LONG_ACTIVE: u8 = 12;

impl EuroFront {
    /// The set-up before the first player turn, without the militia that is thrown for. All units are supplied.
    pub fn position(&self) -> State {
        let mut state = State {
            phase: Phase::Activation,
            month: 0,
            fortnight: 3 - self.rules.calendar[0].fortnights,
            turn: 0,
            order: self.turn_order(),
            active: Faction::Axis,
            decider: Faction::Axis,
            blitz: false,
            weather: [Weather::Dry; 2],
            ending: Ending::None,
            subject: BlockId::NONE,
            cursor: 0,
            places: UnitPlaces::all_in(place::OUT),
            steps: PerIndex::new([0; MAX_BLOCKS]),
            crossing: PerIndex::new([Crossing::NONE; MAX_BLOCKS]),
            marks: [Blocks::EMPTY; Mark::COUNT],
            orders: [0; MAX_HEADQUARTERS],
            strikes: [Hex(0); MAX_HEADQUARTERS],
            standing: [Blocks::EMPTY; 2],
            occupied: [Hexes::EMPTY; 2],
            crowded: [false; 2],
            coalition_defends: Hexes::EMPTY,
            new_battles: Hexes::EMPTY,
            marked: Hexes::EMPTY,
            control_holds: false,
            supply_holds: [false; 2],
            friendly: [Hexes::EMPTY; 2],
            disputed: Hexes::EMPTY,
            commanded: Hexes::EMPTY,
            network: Hexes::EMPTY,
            owners: Owners::NONE,
            battle: Battle::NONE,
            points: [0; Account::COUNT],
            funds: [0; Account::COUNT],
            spent: [false; Account::COUNT],
            allotted: [0; Account::COUNT],
            transferred: [0; Account::COUNT],
            isolated: Nations::EMPTY,
            short_of_oil: false,
            active_months: [0; 4],
            sea: SeaState::NONE,
            civil_war: CivilWarState::NONE,
            diplomacy: self.starting_diplomacy(),
        };
        for faction in self.factions() {
            state.points[Account::home(faction).index()] = self.rules.scenario.points[faction.index()];
        }
        self.take_stock(&mut state);
        for (at, entry) in self.rules.scenario.entries.iter().enumerate() {
            let block = BlockId::nth(at);
            let (to, steps) = match *entry {
                Entry::At(hex, steps) => (hex, steps),
                Entry::Reinforcement { .. } => (place::AWAITING, 0),
                Entry::Pool => (place::ELIMINATED, 0),
                Entry::WithNation(steps) | Entry::Free { steps, .. } => (place::AT_HOME, steps),
                Entry::Beachhead { ready: true } => (place::READY, 0),
                Entry::Beachhead { ready: false } => (place::PREPARING, 0),
                Entry::Militia(_) | Entry::Upon(..) | Entry::Never => (place::OUT, 0),
            };
            state.steps[block] = steps;
            state.put(block, self.camp(block), to);
            // Who begins on a front of its own has got used to it (6.73).
            state.mark(block, Mark::Acclimatised, is_on_map(to) && self.belongs_to(block, self.front(to)));
        }
        if let Some(war) = &self.rules.civil_war {
            state.civil_war.french_aid = war.french_aid;
            for (slot, &hex) in state.civil_war.french.iter_mut().zip(&war.border_railheads) {
                *slot = hex;
            }
            state.civil_war.french.sort_unstable();
        }
        for &(at, defender) in &self.rules.scenario.situation.battles {
            if state.is_battle(at) {
                state.coalition_defends.set(at, defender == Camp::Coalition); // 7.12
            }
        }
        self.update_control(&mut state);
        // What was defeated before the scenario has been conquered as its map says (16.92).
        for (at, nation) in self.rules.nations.iter().enumerate() {
            let by = Camp::ALL.into_iter().find(|&camp| {
                nation.capital.is_some_and(|capital| self.held(&state, camp).contains(capital))
            });
            if nation.status == Status::Defeated
                && let Some(by) = by
            {
                state.diplomacy.conquered[by.index()].insert(NationId::nth(at));
            }
        }
        state
    }

    /// Owners, fronts and accounts as the scenario has them at its start (8.34, 11.5).
    fn take_stock(&self, state: &mut State) {
        let scenario = &self.rules.scenario;
        for &(place, faction) in &scenario.owners {
            state.owners.give(&Hexes::one(place), Some(faction));
        }
        for front in &scenario.active_fronts {
            state.active_months[front.index()] = LONG_ACTIVE;
        }
        let situation = &scenario.situation;
        state.sea.supremacy = situation.supremacy;
        for &(faction, front, points) in &situation.allotments {
            state.allotted[Account::of(faction, front).index()] += points;
        }
        for &(faction, front, points) in &situation.saved {
            state.points[Account::of(faction, front).index()] += points;
        }
    }

    /// Factions in the order of their player turns (4.22).
    fn turn_order(&self) -> [Faction; 3] {
        self.order_of_turns(false, Weather::Dry)
    }

    /// Factions in the order of their player turns (4.22, 12.7): Soviets before the Axis in Snow in the East, else after it;
    /// the Allies after the Axis, and before it from the Second Front on. Who is not played has no turn.
    pub fn order_of_turns(&self, second_front: bool, east: Weather) -> [Faction; 3] {
        let (axis, allies, soviets) = (Faction::Axis, Faction::Allies, Faction::Soviets);
        let of_rules = match (second_front, east) {
            (false, Weather::Snow) => [soviets, axis, allies],
            (false, _) => [axis, allies, soviets],
            (true, Weather::Snow) => [allies, soviets, axis],
            (true, _) => [allies, axis, soviets],
        };
        let mut order = Faction::ALL;
        let listed = self.rules.scenario.fixed_order.as_deref().unwrap_or(&of_rules);
        let played = listed.iter().filter(|&&faction| self.is_played(faction));
        for (slot, &faction) in order.iter_mut().zip(played) {
            *slot = faction;
        }
        order
    }

    /// The opening position, played up to the first decision.
    pub(crate) fn starting_state<T: crate::Rolls>(&self, context: &mut T) -> State {
        let mut state = self.position();
        if self.turn_to_set_up(&mut state) {
            self.update_control(&mut state);
        } else {
            self.begin_game(&mut state, context);
        }
        state
    }

    /// All have been placed: militia comes up, and the first fortnight begins.
    fn begin_game<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        self.raise_militia(state, context);
        self.update_control(state);
        self.begin_fortnight(state, context);
    }

    // ---- the free set-up of 1936 ----

    /// The next block that is to be placed: first those of Spanish Morocco, then one of each side in turn, the Republicans'
    /// first, in the order of the roster. Says whether there is one.
    fn turn_to_set_up(&self, state: &mut State) -> bool {
        let is_free = |block: BlockId, south: bool| {
            matches!(self.rules.scenario.entries[block.at()],
            Entry::Free { in_morocco, .. } if in_morocco == south)
        };
        let waiting = |camp: Camp, south: bool| {
            self.blocks_of(camp)
                .iter()
                .find(|&block| is_free(block, south) && state.at(block) == place::AT_HOME)
        };
        let placed = |camp: Camp| state.standing[camp.index()].filter(|block| is_free(block, false)).len();
        let next = waiting(Camp::Axis, true).or_else(|| {
            let republicans = placed(Camp::Coalition) <= placed(Camp::Axis);
            let first = if republicans { Camp::Coalition } else { Camp::Axis };
            waiting(first, false).or_else(|| waiting(first.enemy(), false))
        });
        let Some(block) = next else { return false };
        state.phase = Phase::Deployment;
        state.subject = block;
        state.active = self.brief(block).faction;
        state.decider = state.active;
        true
    }

    /// Where the block at hand may be placed: in places loyal to its side, four in a major city, two in a minor one, one in a town;
    /// those of Spanish Morocco there, each in a place of its own.
    pub(crate) fn places_to_set_up(&self, state: &State) -> Hexes {
        let camp = self.camp(state.subject);
        let loyal = &self.civil_war_tables().loyal[camp.index()];
        let doubtful = &self.civil_war_tables().loyal[camp.enemy().index()];
        let open = loyal.difference(doubtful).and(&self.map().in_play);
        if let Entry::Free { in_morocco: true, .. } = self.rules.scenario.entries[state.subject.at()] {
            let morocco = self.land("spanish_morocco").or(&self.land("tangier"));
            return open.and(&morocco).difference(&state.occupied[camp.index()]);
        }
        open.filter(|hex| {
            let most = match () {
                () if self.map().major_cities.contains(hex) => 4,
                () if self.map().cities.contains(hex) => 2,
                () => 1,
            };
            state.stack(hex, camp).len() < most && self.has_room(state, hex, camp)
        })
    }

    /// It is placed; the next one, or the game begins.
    pub(crate) fn set_up<T: crate::Rolls>(&self, state: &mut State, at: Hex, context: &mut T) {
        let block = state.subject;
        state.put(block, self.camp(block), at);
        context.emit(|| Event::Arrived { block, at });
        state.subject = BlockId::NONE;
        if !self.turn_to_set_up(state) {
            state.active = Faction::Axis;
            self.begin_game(state, context);
        }
    }

    /// A die for the region and one for the place in it, for each static unit; again if the place has militia already, or
    /// its hex is full (1936, semi-historical game).
    fn raise_militia<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let Some(war) = &self.rules.civil_war else { return };
        let mut taken = [0u64; 2];
        for (at, entry) in self.rules.scenario.entries.iter().enumerate() {
            let Entry::Militia(steps) = *entry else { continue };
            let block = BlockId::nth(at);
            let camp = self.camp(block);
            let own = camp.index();
            loop {
                let (region, nth) = (context.die(6) as usize - 1, context.die(6) as usize - 1);
                let (hex, _) = war.militia[own][region][nth];
                let number = region * 6 + nth;
                if taken[own] >> number & 1 == 0 && self.has_room(state, hex, camp) {
                    taken[own] |= 1 << number;
                    state.steps[block] = steps;
                    state.put(block, camp, hex);
                    break;
                }
            }
        }
    }

    /// Whether the data can be played: within the engine's bounds and without rules that are not built yet.
    pub(crate) fn check_set_up(&self) -> Result<(), String> {
        let rules = &self.rules;
        if rules.calendar.is_empty() || rules.calendar.len() > 200 {
            return Err(format!("{} months, expected 1 to 200", rules.calendar.len()));
        }
        if rules.scenario.entries.len() != rules.blocks.len() {
            return Err(format!(
                "{} entries for {} blocks",
                rules.scenario.entries.len(),
                rules.blocks.len()
            ));
        }
        let players: Vec<Faction> = self.factions().collect();
        if let Some(order) = &rules.scenario.fixed_order
            && (order.len() != players.len() || order.iter().any(|faction| !players.contains(faction)))
        {
            return Err(
                "the fixed order of the player turns names other factions than those that play".into()
            );
        }
        if rules.civil_war.is_some() != (rules.scenario.situation.goal == Goal::Recognition) {
            return Err("the special rules of 1936 and its goal, recognition, go together".into());
        }
        for (at, entry) in rules.scenario.entries.iter().enumerate() {
            let block = &rules.blocks[at];
            let brief = self.brief(BlockId::nth(at));
            let (hex, steps) = match *entry {
                Entry::At(hex, steps) => (Some(hex), steps),
                Entry::Militia(steps) | Entry::Free { steps, .. } | Entry::Reinforcement { steps, .. } => {
                    (None, steps)
                }
                Entry::Pool
                | Entry::Beachhead { .. }
                | Entry::WithNation(_)
                | Entry::Upon(..)
                | Entry::Never => continue,
            };
            if !(brief.least..=brief.full).contains(&steps) {
                return Err(format!(
                    "{} begins with {steps} steps, expected {} to {}",
                    block.id, brief.least, brief.full
                ));
            }
            if let Some(hex) = hex
                && !(is_on_map(hex) && self.map().in_play.contains(hex))
            {
                return Err(format!(
                    "{} begins in column {} row {}, which is not in play",
                    block.id,
                    hex.place(),
                    hex.line()
                ));
            }
        }
        let militia = |camp: Camp| {
            let of_camp = |at: usize| self.camp(BlockId::nth(at)) == camp;
            let entries = rules.scenario.entries.iter().enumerate();
            entries.filter(|(at, entry)| matches!(entry, Entry::Militia(_)) && of_camp(*at)).count()
        };
        let Some(war) = &rules.civil_war else { return Ok(()) };
        for camp in Camp::ALL {
            let places = war.militia[camp.index()].iter().flatten();
            if militia(camp) > 0 && places.clone().any(|(hex, _)| !self.map().in_play.contains(*hex)) {
                return Err("a place of the militia table is not in play".into());
            }
            if militia(camp) > 12 {
                return Err(format!("{} units of militia, at most 12 find a place", militia(camp)));
            }
        }
        Ok(())
    }
}
