//! Naval moves between ports (15.3), and the interception of all that sails through enemy seas (15.7).

use sandtable_core::{Flow, Hex, Index};

use crate::event::{Cause, Event};
use crate::game::EuroFront;
use crate::ids::{BlockId, Faction, Hexes, MAX_SEAS, SeaId, Seas, is_on_map};
use crate::movement::Ground;
use crate::phase::SeaWay;
use crate::rules::NavalBalance;
use crate::state::{Crossing, MAX_LANDINGS, MAX_PORTS, Mark, PORT_WORDS, State, Voyage};

/// Most sea areas of one voyage.
const MOST_AREAS: usize = 12;

/// What awaits a voyage: its sea areas, and the dice of the enemy's interception by the naval balance as he sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Course {
    /// Sea areas crossed.
    pub areas: u8,
    /// Dice, by [`NavalBalance`].
    pub dice: [u8; 3],
}

impl Course {
    /// All dice.
    #[inline]
    pub(crate) fn all_dice(self) -> u8 {
        self.dice.iter().sum()
    }
}

/// Where ships get from some sea areas: the course to each with the least interception, for every number of areas.
pub(crate) struct Courses {
    /// By number of areas less one, and sea area.
    by_areas: [[Option<[u8; 3]>; MAX_SEAS]; MOST_AREAS],
    most: usize,
}

impl Courses {
    /// The shortest course into one of some sea areas; of those as short the safest.
    pub fn shortest(&self, seas: Seas) -> Option<Course> {
        (0..self.most).find_map(|areas| self.safest_of(areas, seas))
    }

    /// The safest course into one of some sea areas; of those as safe the shortest.
    pub fn safest(&self, seas: Seas) -> Option<Course> {
        let courses = (0..self.most).filter_map(|areas| self.safest_of(areas, seas));
        courses.min_by_key(|course| (course.all_dice(), course.areas))
    }

    fn safest_of(&self, areas: usize, seas: Seas) -> Option<Course> {
        let dice = seas.iter().filter_map(|sea| self.by_areas[areas][sea.at()]);
        let least = dice.min_by_key(|dice| dice.iter().sum::<u8>())?;
        Some(Course { areas: areas as u8 + 1, dice: least })
    }

    /// Sea areas that are reached.
    pub fn reached(&self) -> Seas {
        let reached = |sea: usize| self.by_areas[..self.most].iter().any(|areas| areas[sea].is_some());
        (0..MAX_SEAS).filter(|&sea| reached(sea)).map(SeaId::nth).collect()
    }
}

impl EuroFront {
    /// A player turn begins: ports have all their uses, no headquarters is dedicated.
    pub(crate) fn begin_turn_at_sea(&self, state: &mut State) {
        if !self.rules.scenario.naval {
            return;
        }
        let sea = &mut state.sea;
        sea.port_uses = [0; PORT_WORDS];
        (sea.invaders, sea.droppers) = (0, 0);
        sea.weser = false;
        sea.landings = [Hex(0); MAX_LANDINGS];
        sea.passed = [0; MAX_PORTS / 64];
    }

    // ---- courses ----

    /// Where a faction's ships get from some sea areas through so many, those they start in counted.
    pub(crate) fn courses(
        &self,
        state: &State,
        faction: Faction,
        from: Seas,
        areas: u8,
        closed: Seas,
    ) -> Courses {
        let waters = self.waters(state, faction);
        let most = usize::from(areas).min(MOST_AREAS);
        let mut courses = Courses { by_areas: [[None; MAX_SEAS]; MOST_AREAS], most };
        let with = |mut dice: [u8; 3], sea: SeaId| {
            if let Some((more, balance)) = self.sea_dice(state, faction, sea) {
                dice[balance.index()] += more;
            }
            dice
        };
        if most == 0 {
            return courses;
        }
        for sea in from.and(&waters.navigable).difference(&closed) {
            courses.by_areas[0][sea.at()] = Some(with([0; 3], sea));
        }
        for areas in 1..most {
            for sea in waters.navigable {
                let Some(dice) = courses.by_areas[areas - 1][sea.at()] else { continue };
                for next in waters.next[sea.at()].difference(&closed) {
                    let dice = with(dice, next);
                    let known = &mut courses.by_areas[areas][next.at()];
                    let better = |known: [u8; 3]| dice.iter().sum::<u8>() < known.iter().sum();
                    if known.is_none_or(better) {
                        *known = Some(dice);
                    }
                }
            }
        }
        courses
    }

    // ---- ports (15.32) ----

    /// Uses of a port that are left in this player turn: of an unengaged beachhead one more (15.65).
    pub(crate) fn port_left(&self, state: &State, place: Hex) -> u8 {
        let naval = &self.rules.naval;
        let port = self.seas().port(place);
        let mut left = port.map_or(0, |number| {
            let capacity = naval.port_capacity[self.seas().ports[number].port as usize];
            capacity.saturating_sub(uses(&state.sea.port_uses, number))
        });
        if let Some(beachhead) = self.beachhead_at(state, place)
            && !self.is_disrupted(state, beachhead)
            && !state.is_battle(place)
        {
            let used = uses(&state.sea.port_uses, self.seas().ports.len() + beachhead);
            left += naval.beachhead_capacity.saturating_sub(used);
        }
        left
    }

    /// A port is used once: attempts count (15.32).
    fn use_port(&self, state: &mut State, place: Hex) {
        let tables = self.seas();
        let number = tables.port(place).filter(|&number| {
            let capacity = self.rules.naval.port_capacity[tables.ports[number].port as usize];
            uses(&state.sea.port_uses, number) < capacity
        });
        let beachhead = || self.beachhead_at(state, place).map(|number| tables.ports.len() + number);
        if let Some(number) = number.or_else(beachhead) {
            let shift = number % 32 * 2;
            state.sea.port_uses[number / 32] += 1 << shift;
        }
    }

    /// Battles whose ports are closed to a camp: all but those of regions, for the original defender uses their ports as if nobody
    /// fought there (18.35, 18.51).
    pub(crate) fn closing_battles(&self, state: &State) -> Hexes {
        state.battles().difference(&self.map().regions)
    }

    /// Places in which ships of a camp may land: its ports without a battle, those of regions that it defends, and its beachheads,
    /// with uses left.
    fn open_ports(&self, state: &State, camp: crate::ids::Camp, among: &Hexes) -> Hexes {
        let ports = self.seas().harbours.or(&self.placed_beachheads(state, camp)).and(among);
        let held = ports.and(&state.friendly[camp.index()]).and(&self.map().in_play);
        held.difference(&self.closing_battles(state)).filter(|place| self.port_left(state, place) > 0)
    }

    // ---- naval moves (15.3) ----

    /// Sea areas that one naval move crosses (15.31, 15.821).
    fn areas_a_move(&self, state: &State, faction: Faction) -> u8 {
        let supreme = self.is_supreme(state, faction, Seas::EMPTY);
        self.rules.naval.move_areas[usize::from(supreme)]
    }

    /// Whether no ship leaves a place, for it is a district in which a battle is fought (18.35).
    pub(crate) fn is_engaged_district(&self, state: &State, at: Hex) -> bool {
        state.is_battle(at) && self.map().areas.contains(at) && !self.map().regions.contains(at)
    }

    /// Whether a unit stands where it can embark: in a port its camp controls, the last not in a battle (15.3), nobody in that of
    /// a district (18.35), and it has come by no railway (6.62).
    fn can_embark(&self, state: &State, block: BlockId) -> bool {
        let at = state.at(block);
        let camp = self.camp(block);
        let by_rail = state.has(block, Mark::Strategic) && state.crossing[block].embarked().is_none();
        let barred = by_rail
            || state.has(block, Mark::Dispersed)
            || self.seas().coast(at).is_empty()
            || state.is_battle(at) && self.is_last(state, block)
            || self.is_engaged_district(state, at);
        self.rules.scenario.naval
            && !barred
            && state.friendly[camp.index()].contains(at)
            && self.port_left(state, at) > 0
    }

    /// Naval moves of a unit for at most so many orders, each with its port, way, orders and course.
    pub(crate) fn voyages(
        &self,
        state: &State,
        block: BlockId,
        orders: u8,
        ground: &Ground,
        mut sail: impl FnMut(Hex, SeaWay, u8, Course) -> Flow,
    ) -> Flow {
        if orders == 0 || !self.can_embark(state, block) {
            return Flow::Continue(());
        }
        let at = state.at(block);
        let (camp, faction) = (self.camp(block), self.brief(block).faction);
        let a_move = self.areas_a_move(state, faction);
        let courses =
            self.courses(state, faction, self.seas().coast(at), orders.saturating_mul(a_move), Seas::EMPTY);
        let reached = courses.reached();
        for port in self.open_ports(state, camp, &ground.open.difference(&ground.full)) {
            let seas = self.seas().coast(port).and(&reached);
            if port == at || seas.is_empty() {
                continue;
            }
            let Some(shortest) = courses.shortest(seas) else { continue };
            let kept = self.can_be_kept(state, block);
            if kept || shortest.all_dice() == 0 {
                sail(port, SeaWay::Shortest, shortest.areas.div_ceil(a_move), shortest)?;
            }
            if let Some(safest) = courses.safest(seas)
                && safest.all_dice() < shortest.all_dice()
                && (kept || safest.all_dice() == 0)
            {
                sail(port, SeaWay::Safest, safest.areas.div_ceil(a_move), safest)?;
            }
        }
        Flow::Continue(())
    }

    /// Whether one more voyage through enemy seas can be kept until it is rolled for: [`crate::state::MAX_VOYAGES`] a
    /// Movement Phase.
    pub(crate) fn can_be_kept(&self, state: &State, block: BlockId) -> bool {
        state.sea.voyages.iter().any(|voyage| voyage.block.is_none() || voyage.block == block)
    }

    /// Ports to which a unit may go by naval moves for so many orders: the shortest way, and the safest where it is another.
    pub(crate) fn naval_moves(
        &self,
        state: &State,
        block: BlockId,
        orders: u8,
        ground: &Ground,
    ) -> [Hexes; 2] {
        let mut ports = [Hexes::EMPTY; 2];
        let _ = self.voyages(state, block, orders, ground, |port, way, _, _| {
            ports[way as usize].insert(port);
            Flow::Continue(())
        });
        ports
    }

    /// Whether a unit has a naval move.
    pub(crate) fn can_sail(&self, state: &State, block: BlockId, orders: u8, ground: &Ground) -> bool {
        self.voyages(state, block, orders, ground, |_, _, _, _| Flow::Break(())).is_break()
    }

    /// The orders and the course of a naval move.
    pub(crate) fn voyage(
        &self,
        state: &State,
        block: BlockId,
        orders: u8,
        to: Hex,
        by: SeaWay,
    ) -> Option<(u8, Course)> {
        let mut found = None;
        let ground = self.ground_for(state, block);
        let _ = self.voyages(state, block, orders, &ground, |port, way, cost, course| {
            if port == to && way == by {
                found = Some((cost, course));
                return Flow::Break(());
            }
            Flow::Continue(())
        });
        found
    }

    /// A unit sails to a port. Orders are counted by the caller.
    pub(crate) fn sail<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        to: Hex,
        course: Course,
        context: &mut T,
    ) {
        let from = state.at(block);
        self.use_port(state, from);
        self.use_port(state, to);
        state.mark(block, Mark::Strategic, true);
        self.put_to_sea(state, block, to, course, false, context);
    }

    /// A unit goes over the sea; what awaits it is kept until all have moved (15.72).
    pub(crate) fn put_to_sea<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        to: Hex,
        course: Course,
        invasion: bool,
        context: &mut T,
    ) {
        let from = state.at(block);
        if state.is_battle(from) {
            let active = state.has(block, Mark::Active);
            state.mark(block, Mark::Revealed, active);
        }
        // A voyage of several moves goes back to where it began.
        let embarked = state.crossing[block].embarked().unwrap_or(from);
        self.shift(state, block, to, context);
        state.crossing[block] = Crossing::by_sea(embarked);
        let dice = course.all_dice();
        context.emit(|| Event::Sailed { block, from, to, dice });
        if dice == 0 {
            return;
        }
        let slots = &mut state.sea.voyages;
        let known = slots.iter().position(|voyage| voyage.block == block);
        let slot = known.or_else(|| slots.iter().position(|voyage| voyage.block.is_none()));
        debug_assert!(slot.is_some(), "more voyages than are kept");
        if let Some(slot) = slot {
            let voyage = &mut slots[slot];
            voyage.block = block;
            voyage.invasion = invasion;
            for (sum, more) in voyage.dice.iter_mut().zip(course.dice) {
                *sum += more;
            }
        }
    }

    // ---- interception (15.72) ----

    /// All have moved: the passive side intercepts what has gone through its seas.
    pub(crate) fn intercept_voyages<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        for slot in 0..state.sea.voyages.len() {
            let voyage = state.sea.voyages[slot];
            if voyage.block.is_none() {
                break;
            }
            state.sea.voyages[slot] = Voyage::NONE;
            if is_on_map(state.at(voyage.block)) {
                self.intercept(state, voyage, context);
            }
        }
    }

    /// Supreme Moves that one headquarters can still give a unit for naval moves (15.3): none inland.
    pub(crate) fn most_voyages(&self, state: &State, block: BlockId) -> u8 {
        if self.seas().coast(state.at(block)).is_empty() { 0 } else { self.most_orders(state, block) }
    }

    /// Supreme Moves that one headquarters can still give a unit (15.3).
    pub(crate) fn most_orders(&self, state: &State, block: BlockId) -> u8 {
        let mut most = 0;
        while self.who_orders(state, block, most + 1).is_some() {
            most += 1;
        }
        most
    }

    fn intercept<T: crate::Rolls>(&self, state: &mut State, voyage: Voyage, context: &mut T) {
        let block = voyage.block;
        let table = &self.rules.naval.interception[usize::from(!voyage.invasion)];
        let (mut thrown, mut hits, mut turned_back) = (0, 0, false);
        for balance in [NavalBalance::Supremacy, NavalBalance::Parity, NavalBalance::Inferiority] {
            let line = table[balance.index()];
            for _ in 0..voyage.dice[balance.index()] {
                let die = context.die(6) as u8;
                thrown += 1;
                hits += u8::from(die >= line.hits_from);
                turned_back |= die <= line.repulses_up_to;
            }
        }
        context.emit(|| Event::Intercepted { block, dice: thrown, hits, turned_back });
        for _ in 0..hits {
            if is_on_map(state.at(block)) {
                self.lose_step(state, block, Cause::Interception, context);
            }
        }
        if turned_back && is_on_map(state.at(block)) {
            self.turn_back(state, block, context);
        }
    }

    /// A unit returns to where it embarked (15.72, 15.531).
    pub(crate) fn turn_back<T: crate::Rolls>(&self, state: &mut State, block: BlockId, context: &mut T) {
        let Some(to) = state.crossing[block].embarked() else { return };
        let camp = self.camp(block);
        state.mark(block, Mark::Dispersed, false);
        state.mark(block, Mark::Entered, false);
        state.mark(block, Mark::Moved, false); // It may be sent again from where it has been all the time (15.541).
        let active = state.has(block, Mark::Active);
        state.mark(block, Mark::Revealed, active);
        state.crowded[camp.index()] |= !self.has_room(state, to, camp);
        self.shift(state, block, to, context);
        state.crossing[block] = Crossing::NONE;
        if state.occupied[camp.enemy().index()].contains(to) && !self.had_company(state, block) {
            // An evacuation that was driven back into its battle.
            self.begin_battle(state, to, camp.enemy(), context);
            state.mark(block, Mark::Entered, true);
        }
    }

    /// Whether others of its camp stand beside a unit.
    fn had_company(&self, state: &State, block: BlockId) -> bool {
        state.stack(state.at(block), self.camp(block)).len() > 1
    }
}

/// How often a port has been used.
fn uses(counts: &[u64; PORT_WORDS], number: usize) -> u8 {
    (counts[number / 32] >> (number % 32 * 2) & 3) as u8
}
