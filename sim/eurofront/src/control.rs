//! Control and zones of control (8.0), hexside limits (6.33) and stacking (6.2).
//!
//! Control is worked out when a phase begins and stays as it is throughout the phase (8.1). Who stands where changes
//! with every move.

use sandtable_core::{Direction, Hex};

use crate::game::EuroFront;
use crate::ids::{BlockId, Camp, Faction, Hexes};
use crate::rules::{Acclimatised, Fact, Kind, Weather};
use crate::state::{Crossing, Mark, State};
use crate::tables::{MOST_STACKED, PLACES};

/// Blocks of some sort by place of the map, counted once where many places are asked for.
pub(crate) struct BlockCounts([u8; PLACES]);

impl BlockCounts {
    /// In so many places stacks are counted one by one; in more all blocks are counted at once.
    pub(crate) const FEW: u32 = 16;

    /// Counts the blocks that are in places; off the map they are not counted.
    pub(crate) fn of(places: impl Iterator<Item = Hex>) -> BlockCounts {
        let mut counts = BlockCounts([0; PLACES]);
        for place in places {
            if let Some(blocks) = counts.0.get_mut(usize::from(place.0)) {
                *blocks += 1;
            }
        }
        counts
    }

    /// How many are in a place.
    #[inline]
    pub(crate) fn at(&self, place: Hex) -> u8 {
        self.0[usize::from(place.0)]
    }
}

impl EuroFront {
    /// Works out control for the phase that begins (8.1; 1936 rule 1), and with it who owns what (8.34).
    pub(crate) fn update_control(&self, state: &mut State) {
        if state.control_holds {
            return;
        }
        state.control_holds = true;
        let zones = [self.zones(state, Camp::Axis), self.zones(state, Camp::Coalition)];
        let dispersed;
        let present = if state.marked(Mark::Dispersed).is_empty() {
            &state.occupied
        } else {
            dispersed = [Self::present(state, Camp::Axis), Self::present(state, Camp::Coalition)];
            &dispersed
        };
        let loyal = &self.civil_war_tables().loyal;
        let in_play = &self.map().in_play;
        let persists = !self.is_civil_war();
        // Line by line: as sets, a dozen of them would be written and read again.
        for line in self.map().lines.clone() {
            let occupied = [0, 1].map(|camp| present[camp].0[line]);
            let owned = state.owners.line(line);
            // Garrisons hold a hex as units do (1936 rule 2); an owner keeps what nobody takes (8.34).
            let held =
                [0, 1].map(|camp| if persists { occupied[camp] } else { occupied[camp] | owned[camp] });
            // Nobody controls neutral territory, and no zone reaches into it (8.31, 16.1).
            let open = if persists { owned[0] | owned[1] } else { u64::MAX };
            let battles = occupied[0] & occupied[1];
            let by_coalition = battles & state.coalition_defends.0[line];
            let defended = [battles & !by_coalition, by_coalition];
            let vacant = in_play.0[line] & !(held[0] | held[1]);
            let zone = [0, 1].map(|camp| zones[camp].0[line] & vacant & open);
            for (own, enemy) in [(0, 1), (1, 0)] {
                let background =
                    if persists { owned[own] } else { loyal[own].0[line] & !loyal[enemy].0[line] };
                let background = background & vacant & !(zone[0] | zone[1]);
                let taken = held[own] & !held[enemy] | defended[own] | zone[own] & !zone[enemy];
                state.friendly[own].0[line] = taken & open | background;
            }
            state.disputed.0[line] = zone[0] & zone[1];
        }
        if persists {
            self.update_owners(state);
        }
        self.update_seas(state);
    }

    /// Hexes with blocks of a camp that count for control: dispersed ones do not (15.56, 14.3).
    fn present(state: &State, camp: Camp) -> Hexes {
        state.places.occupied(&state.standing[camp.index()].difference(state.marked(Mark::Dispersed)))
    }

    /// What a camp controls and the other owned changes hands (8.34). What the Coalition takes is the Soviets' where they
    /// stand, or they alone have taken it; one of the two never takes from the other (20.34, 20.53).
    fn update_owners(&self, state: &mut State) {
        let [to_axis, to_coalition] =
            Camp::ALL.map(|camp| state.friendly[camp.index()].and(&state.owners.of(camp.enemy())));
        if to_axis.is_empty() && to_coalition.is_empty() {
            return;
        }
        state.owners.give(&to_axis, Some(Faction::Axis));
        state.owners.give(&to_coalition, Some(Faction::Allies));
        if !to_coalition.is_empty() {
            let near = |faction: Faction| {
                let blocks = state.standing[1].and(&self.sets().of_faction[faction.index()]);
                let stand: Hexes = state.places.occupied(&blocks);
                (stand, self.board().across(&stand, &self.map().zoc))
            };
            let ((allies, by_allies), (soviets, by_soviets)) =
                (near(Faction::Allies), near(Faction::Soviets));
            let taken = soviets.or(&by_soviets.difference(&by_allies)).difference(&allies).and(&to_coalition);
            state.owners.give(&taken, Some(Faction::Soviets));
        }
    }

    /// Whether a camp holds a place: controlled it when the phase began, or owns it out of play.
    pub fn holds(&self, state: &State, camp: Camp, place: Hex) -> bool {
        let own = camp.index();
        state.friendly[own].contains(place)
            || state.owners.owns(camp, place) && !self.map().in_play.contains(place) && !self.is_civil_war()
    }

    /// Vacant or not: hexes in a zone of control of a camp (8.2). Supplied units that are not in battle have one, and
    /// garrisons (1936 rule 2).
    pub fn zones(&self, state: &State, camp: Camp) -> Hexes {
        let without = state.marked(Mark::Unsupplied).or(state.marked(Mark::Dispersed));
        let standing = &state.standing[camp.index()];
        let mut from = if without.intersects(standing) {
            state.places.occupied(&standing.difference(&without))
        } else {
            state.occupied[camp.index()]
        };
        let has_garrisons = self.is_civil_war();
        for line in self.map().lines.clone() {
            let enemy = state.occupied[camp.enemy().index()].0[line];
            let garrisons = if has_garrisons { state.owners.line(line)[camp.index()] } else { 0 };
            from.0[line] = from.0[line] & !enemy | garrisons;
        }
        let zones = self.board().across(&from, &self.map().zoc);
        if self.keeps_peace(state) { self.zones_at_peace(state, camp, &zones, &from) } else { zones }
    }

    /// Zones while the Soviet Union is neutral (16.1): none reaches into its land from outside, and none out of it; in the
    /// Winter War those of the Finns and of the Soviets do (B20).
    fn zones_at_peace(&self, state: &State, camp: Camp, zones: &Hexes, from: &Hexes) -> Hexes {
        let named = self.nations();
        let russia = self.russia(state);
        let winter_war = state.diplomacy.holds(Fact::WinterWar);
        let (inside, reach) = match camp {
            Camp::Coalition if winter_war => {
                let reach = russia.or(&self.territory(state, named.finland));
                (self.sets().of_faction[Faction::Soviets.index()], reach)
            }
            Camp::Coalition => (self.sets().of_faction[Faction::Soviets.index()], russia),
            Camp::Axis if winter_war => (self.forces(state, named.finland), self.map().in_play),
            Camp::Axis => return zones.difference(&russia),
        };
        let inside = inside.and(&state.standing[camp.index()]).difference(state.marked(Mark::Unsupplied));
        let inside: Hexes = state.places.occupied(&inside);
        let own = self.board().across(&inside.and(from), &self.map().zoc).and(&reach);
        let others = self.board().across(&from.difference(&inside), &self.map().zoc).difference(&russia);
        own.or(&others)
    }

    /// Hexes a camp may trace rail and command through as its own (8.4): those it controls, and in 1936 those that
    /// nobody controls (1936 rule 1).
    pub fn open_to(&self, state: &State, camp: Camp) -> Hexes {
        if !self.is_civil_war() {
            return state.friendly[camp.index()];
        }
        let enemy = state.friendly[camp.enemy().index()].or(&state.disputed);
        self.map().in_play.difference(&enemy)
    }

    /// Hexes a camp may trace command and lines of supply through (8.4): disputed ones as well.
    pub fn traceable(&self, state: &State, camp: Camp) -> Hexes {
        if !self.is_civil_war() {
            // Not through neutrals (16.1), but for who stands at Sedan.
            let mut through = state.friendly[camp.index()].or(&state.disputed);
            if let Some(salient) = self.manned_salient(state, camp) {
                through.insert(salient);
            }
            return through;
        }
        self.map().in_play.difference(&state.friendly[camp.enemy().index()])
    }

    /// Hexes into which a camp may disengage and retreat (8.4): controlled, and no battle now.
    pub(crate) fn refuge(&self, state: &State, camp: Camp) -> Hexes {
        state.friendly[camp.index()].difference(&state.battles())
    }

    /// Places that a faction's units may enter: land in play that is not neutral (16.1), where no unit of a faction stands
    /// with which they do not stack (20.34, 20.53).
    pub(crate) fn enterable(&self, state: &State, faction: Faction) -> Hexes {
        let in_play = self.map().in_play;
        if self.is_civil_war() {
            return in_play;
        }
        let open = in_play.and(&state.owners.all());
        let stranger = match faction {
            Faction::Axis => return open,
            Faction::Allies => Faction::Soviets,
            Faction::Soviets => Faction::Allies,
        };
        let strangers = state.standing[1].and(&self.sets().of_faction[stranger.index()]);
        if strangers.is_empty() { open } else { open.difference(&state.places.occupied(&strangers)) }
    }

    /// Units that may enter or leave a battle through a hexside between two hexes in a Movement Phase (6.33).
    #[inline]
    fn side_limit(&self, state: &State, hex: Hex, way: Direction, next: Hex) -> u8 {
        let limits = &self.rules.side_limits;
        let in_mud = |hex| self.weather(state, hex) == Weather::Mud;
        if in_mud(hex) || in_mud(next) {
            limits.mud
        } else if self.map().clear.contains(hex, way) {
            limits.clear
        } else {
            limits.other
        }
    }

    /// Units that may still enter or leave a battle through a hexside in this Movement Phase (6.33).
    pub(crate) fn capacity(&self, state: &State, hex: Hex, way: Direction) -> u8 {
        let Some(next) = self.board().neighbour(hex, way) else { return 0 };
        let limit = self.side_limit(state, hex, way, next);
        let left = limit.saturating_sub(state.crossings(Crossing::new(hex, way, next)));
        if left != 1 || state.marked(Mark::Rearguard).is_empty() {
            return left;
        }
        // The last way out is kept for a rearguard (B14).
        let kept =
            [hex, next].into_iter().any(|at| self.is_only_exit(state, at, Crossing::new(hex, way, next)));
        u8::from(!kept)
    }

    /// Whether a rearguard of the active camp in a hex has no other way out than by a hexside.
    fn is_only_exit(&self, state: &State, at: Hex, side: Crossing) -> bool {
        if !state.stack(at, state.camp()).intersects(state.marked(Mark::Rearguard)) {
            return false;
        }
        let refuge = self.refuge(state, state.camp());
        let mut others = Direction::ALL.into_iter().filter(|&way| {
            let Some(next) = self.board().neighbour(at, way) else { return false };
            let other = Crossing::new(at, way, next);
            other != side
                && refuge.contains(next)
                && self.map().land.contains(at, way)
                && state.crossings(other) < self.side_limit(state, at, way, next)
        });
        others.next().is_none()
    }

    /// Whether one more block of a camp may end its move in a hex (6.2). It is judged as things stand, not at the end
    /// of the phase: who wants to march in column moves those in front first.
    #[inline]
    pub(crate) fn has_room(&self, state: &State, hex: Hex, camp: Camp) -> bool {
        state.stack(hex, camp).len() < u32::from(self.stacking_limit(state, hex))
    }

    /// Hexes in which no more blocks of a camp may stand (6.2).
    pub fn full_hexes(&self, state: &State, camp: Camp) -> Hexes {
        let map = self.map();
        // Hexes with at least so many blocks, less one.
        let mut stacks = [Hexes::EMPTY; MOST_STACKED];
        for block in state.standing[camp.index()] {
            let at = state.at(block);
            let mut more = 1 << at.place();
            for stack in &mut stacks {
                let word = &mut stack.0[usize::from(at.line())];
                (*word, more) = (*word | more, *word & more);
                if more == 0 {
                    break;
                }
            }
        }
        let mut full = Hexes::EMPTY;
        for (stack, limited) in stacks.iter().zip(&map.stacking) {
            for line in map.lines.clone() {
                full.0[line] |= stack.0[line] & limited.0[line];
            }
        }
        if state.diplomacy.holds(Fact::SecondFront) || map.narrow.is_empty() {
            return full;
        }
        let limit = usize::from(self.rules.numbers.narrow_stacking).clamp(1, MOST_STACKED);
        full.or(&stacks[limit - 1].and(&map.narrow))
    }

    /// Blocks of a camp that may stand in a hex (6.2): by terrain; on Malta and at Gibraltar fewer until the Second Front
    /// (1.45).
    #[inline]
    pub fn stacking_limit(&self, state: &State, hex: Hex) -> u8 {
        let limit = self.terrain_effect(hex).stacking;
        let narrow = self.map().narrow.contains(hex) && !state.diplomacy.holds(Fact::SecondFront);
        if narrow { limit.min(self.rules.numbers.narrow_stacking) } else { limit }
    }

    /// A block enters a hex, or leaves the map: places, battles and garrisons are brought up to date.
    pub(crate) fn shift<T: crate::Rolls>(&self, state: &mut State, block: BlockId, to: Hex, context: &mut T) {
        let camp = self.camp(block);
        let from = state.at(block);
        let was_battle = crate::ids::is_on_map(from) && state.is_battle(from);
        if !crate::ids::is_on_map(from) {
            state.forget_fall(block);
        }
        state.put(block, camp, to);
        self.leaves_beach(state, block);
        if was_battle && !state.is_battle(from) {
            self.end_battle(state, from, context);
        }
        if crate::ids::is_on_map(to) && self.is_civil_war() {
            let enemy = camp.enemy();
            if state.owners.owns(enemy, to) && !state.occupied[enemy.index()].contains(to) {
                state.owners.give(&Hexes::one(to), None);
                context.emit(|| crate::Event::GarrisonLost { camp: camp.enemy(), at: to });
            }
        }
    }

    /// One side is left in a hex, or nobody: the battle is over, and who won it stands up again.
    fn end_battle<T: crate::Rolls>(&self, state: &mut State, at: Hex, context: &mut T) {
        state.new_battles.remove(at);
        state.coalition_defends.remove(at);
        state.marked.remove(at);
        let winner = Camp::ALL.into_iter().find(|camp| state.occupied[camp.index()].contains(at));
        // Those whose enemies died before they fired have succeeded in their assault too (21.351, 21.441).
        if state.battle.assault && state.battle.hex == at && winner == Some(state.camp()) {
            state.battle.assault = false;
            self.settle_assault(state, at, context);
        }
        if let Some(winner) = winner {
            for block in state.stack(at, winner) {
                let active = state.has(block, Mark::Active);
                state.mark(block, Mark::Revealed, active);
                state.mark(block, Mark::Entered, false);
            }
            // A garrison has no friend left beside it (1936 rule 2).
            let loser = winner.enemy();
            if self.is_civil_war() && state.owners.owns(loser, at) {
                state.owners.give(&Hexes::one(at), None);
                context.emit(|| crate::Event::GarrisonLost { camp: loser, at });
            }
        }
        context.emit(|| crate::Event::BattleEnds { at, winner });
    }

    /// A block has lost a step, or is eliminated if it had none to lose (2.6).
    pub(crate) fn lose_step<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        cause: crate::event::Cause,
        context: &mut T,
    ) {
        if state.steps[block] <= self.brief(block).least {
            self.eliminate(state, block, crate::ids::place::ELIMINATED, cause, context);
        } else {
            state.steps[block] -= 1;
            let left = state.steps[block];
            context.emit(|| crate::Event::StepLost { block, cause, left });
        }
    }

    /// Whether a block of an extreme front would be lost elsewhere: there it cannot be rebuilt then (21.373, 21.462).
    fn falls_abroad(&self, state: &State, block: BlockId) -> bool {
        let (at, class) = (state.at(block), self.brief(block).class);
        crate::ids::is_on_map(at) && class != Acclimatised::Alien && !self.belongs_to(block, self.front(at))
    }

    /// A block leaves the map.
    pub(crate) fn eliminate<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        to: Hex,
        cause: crate::event::Cause,
        context: &mut T,
    ) {
        let falls = self.falls_in_france(state, block);
        let abroad = to == crate::ids::place::ELIMINATED && self.falls_abroad(state, block);
        self.forget_release(state, block);
        let brief = self.brief(block);
        if self.rules.options.paras_grounded_by_loss && brief.kind == Kind::Para {
            state.diplomacy.set(Fact::grounded(brief.faction), true); // 14.7, optional: in any way, also disbanded (11.84)
        }
        state.steps[block] = 0;
        for set in &mut state.marks {
            set.remove(block);
        }
        state.mark(block, Mark::FALLEN, falls && to == crate::ids::place::ELIMINATED);
        state.mark(block, Mark::FALLEN_ABROAD, abroad);
        state.crossing[block] = Crossing::NONE;
        self.shift(state, block, to, context);
        context.emit(|| crate::Event::Eliminated { block, cause });
    }
}
