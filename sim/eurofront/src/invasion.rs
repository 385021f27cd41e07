//! Invasions and evacuations (15.5): headquarters that send one unit over the sea, where to, the support they give, and
//! assaults from sea and air (7.6).

use sandtable_core::{Flow, Hex};

use crate::action::Action;
use crate::game::EuroFront;
use crate::ids::{AREA_LINE, BlockId, Blocks, Camp, Faction, Front, Hexes, Seas};
use crate::movement::Ground;
use crate::phase::Mode;
use crate::rules::{Acclimatised, Kind, Quality, Weather};
use crate::state::{Mark, State};
use crate::voyage::Course;

/// In an entry of [`crate::state::SeaState::landings`] the number of the headquarters that has named the hex stands above this
/// bit; 0: the hex has been invaded.
const RANK: u16 = 12;

impl EuroFront {
    // ---- headquarters of invasions and drops (15.51, 14.21) ----

    /// Whether a headquarters is activated to send one unit over the sea.
    #[inline]
    pub(crate) fn sends_invasion(&self, state: &State, headquarters: BlockId) -> bool {
        state.sea.invaders >> self.brief(headquarters).headquarters & 1 != 0
    }

    /// Whether a headquarters is activated to drop one unit: its aircraft do nothing else (14.21).
    #[inline]
    pub(crate) fn sends_drop(&self, state: &State, headquarters: BlockId) -> bool {
        state.sea.droppers >> self.brief(headquarters).headquarters & 1 != 0
    }

    /// Whether a headquarters commands nothing but an invasion or a drop (15.51, 14.21).
    #[inline]
    pub(crate) fn is_dedicated(&self, state: &State, headquarters: BlockId) -> bool {
        (state.sea.invaders | state.sea.droppers) >> self.brief(headquarters).headquarters & 1 != 0
    }

    /// Whether headquarters have been activated for invasions or drops in this player turn.
    #[inline]
    pub(crate) fn has_expeditions(&self, state: &State) -> bool {
        state.sea.invaders | state.sea.droppers != 0
    }

    /// Headquarters that are dedicated to an invasion or a drop.
    pub(crate) fn dedicated(&self, state: &State) -> Blocks {
        if state.sea.invaders | state.sea.droppers == 0 {
            return Blocks::EMPTY;
        }
        state.marked(Mark::Active).filter(|block| self.is_dedicated(state, block))
    }

    /// Remembers for what a headquarters is activated.
    pub(crate) fn dedicate(&self, state: &mut State, headquarters: BlockId, mode: Mode) {
        let bit = 1 << self.brief(headquarters).headquarters;
        if mode.is_invasion() {
            state.sea.invaders |= bit;
        }
        if mode.is_para() {
            state.sea.droppers |= bit;
        }
    }

    /// Whether a headquarters may still order its one unit in this phase: a Blitz headquarters in each (15.512).
    pub fn may_send(&self, state: &State, headquarters: BlockId) -> bool {
        let sent = state.orders[usize::from(self.brief(headquarters).headquarters)];
        if state.blitz { state.has(headquarters, Mark::Blitz) && sent < 2 } else { sent == 0 }
    }

    /// It has ordered it.
    pub(crate) fn has_sent(&self, state: &mut State, headquarters: BlockId) {
        state.orders[usize::from(self.brief(headquarters).headquarters)] += if state.blitz { 2 } else { 1 };
    }

    /// Whether a headquarters may be activated for an invasion: in a port it can leave, and with somebody to send or to
    /// fetch (15.51, 15.55).
    pub(crate) fn may_lead_invasion(&self, state: &State, headquarters: BlockId) -> bool {
        let at = state.at(headquarters);
        self.rules.scenario.naval
            && self.brief(headquarters).kind != Kind::TheatreHq
            && self.is_port_of_departure(state, self.camp(headquarters), at)
            && (self.passengers(state, headquarters).iter().next().is_some()
                || !self.evacuees(state, headquarters).is_empty())
    }

    /// Whether an invasion can start in a place: a port of the camp without a battle, or that of a region which it defends (18.51,
    /// B91).
    fn is_port_of_departure(&self, state: &State, camp: Camp, at: Hex) -> bool {
        // 21.471: those into the North Front start elsewhere, and none start in it.
        self.seas().port(at).is_some()
            && state.friendly[camp.index()].contains(at)
            && !self.closing_battles(state).contains(at)
            && self.front(at) != Front::North
    }

    /// Whether a unit has been where it stands since the Command Phase (15.51, 14.21): it has come there neither strategically
    /// nor in the first Movement Phase.
    pub fn has_waited(&self, state: &State, block: BlockId) -> bool {
        !state.has(block, Mark::Strategic) && !state.has(block, Mark::MOVED_FIRST)
    }

    /// Units in the hex of a headquarters that may invade (15.52).
    fn passengers(&self, state: &State, headquarters: BlockId) -> Blocks {
        let stack = state.stack(state.at(headquarters), self.camp(headquarters));
        let busy =
            state.marked(Mark::Active).or(state.marked(Mark::Deactivated)).or(state.marked(Mark::Moved));
        let same = |block: BlockId| self.brief(block).faction == self.brief(headquarters).faction;
        stack.difference(&busy).filter(|block| block != headquarters && same(block) && self.can_invade(block))
    }

    /// Whether units of a kind may invade at all (15.52): siege artillery may not (2.34).
    pub fn can_invade(&self, block: BlockId) -> bool {
        let brief = self.brief(block);
        self.rules.kinds[brief.kind as usize].invades && brief.quality != Quality::Siege
    }

    /// Whether a unit invades a place as amphibious ones do: in the Weser surprise German mountain and infantry units of
    /// the North Front invade Norway so (21.493).
    fn is_amphibious(&self, state: &State, block: BlockId, target: Hex) -> bool {
        let brief = self.brief(block);
        let northern = matches!(
            brief.class,
            Acclimatised::Expeditionary(Front::North)
                | Acclimatised::Veteran(Front::North)
                | Acclimatised::Resident(Front::North)
        );
        brief.kind == Kind::Amphibious
            || state.sea.weser
                && brief.nation == self.nations().germany
                && northern
                && matches!(brief.kind, Kind::Mountain | Kind::Infantry)
                && self.owner_nation(state, target) == self.nations().norway
    }

    // ---- invasions (15.52) ----

    /// The headquarters that can send a unit over the sea now: in its hex, and not used yet.
    fn sender(&self, state: &State, block: BlockId) -> Option<BlockId> {
        let barred = state.has(block, Mark::Dispersed) || !self.has_waited(state, block);
        if state.sea.invaders == 0 || barred || !self.can_invade(block) {
            return None;
        }
        let beside = state.places.among(state.marked(Mark::Active), state.at(block));
        beside.iter().find(|&headquarters| {
            headquarters != block
                && self.sends_invasion(state, headquarters)
                && self.may_send(state, headquarters)
                && self.brief(headquarters).faction == self.brief(block).faction
                && self.is_port_of_departure(state, self.camp(block), state.at(block))
        })
    }

    /// Whether the weather of a place forbids landings: mud on hexes, as swamp does (A24); on the North Front snow, but not
    /// to the Soviets (21.471).
    pub(crate) fn is_weatherbound(&self, state: &State, faction: Faction, target: Hex) -> bool {
        match self.weather(state, target) {
            Weather::Dry => false,
            Weather::Mud => target.line() != AREA_LINE && self.rules.options.mud_blocks_invasion,
            Weather::Snow => self.front(target) == Front::North && faction != Faction::Soviets,
        }
    }

    /// Whether the fronts allow an invasion from one place to another (15.9): none within the Mediterranean Front, into and
    /// out of it from a major port to a port (21.391); into the North Front from ports elsewhere to ports (21.471).
    fn do_fronts_allow(&self, bound: bool, from: Hex, to: Hex) -> bool {
        let extreme = |hex| bound && self.front(hex) == Front::Mediterranean;
        let is_port = self.seas().port(to).is_some();
        let major = self.map().major_ports.contains(from);
        match (extreme(from), extreme(to)) {
            (true, true) => return false,
            (true, false) | (false, true) if !(major && is_port) => return false,
            _ => {}
        }
        self.front(from) != Front::North && (self.front(to) != Front::North || is_port)
    }

    /// Whether the rules of the Mediterranean Front bind a camp: not who has won it (17.6).
    fn is_bound_by_mediterranean(&self, state: &State, camp: Camp) -> bool {
        !self.has_mediterranean(state, camp)
    }

    /// Lists where a unit may land from the sea and from the air now.
    pub fn list_landings(&self, state: &State, block: BlockId, out: &mut Vec<Action>) {
        let _ = self.invasions(state, block, |hex, _, _| {
            out.push(Action::Invade(hex));
            Flow::Continue(())
        });
        out.extend(self.drop_zones(state, block).iter().map(Action::Drop));
    }

    /// Where a unit may invade now, with the course there and the headquarters that sends it.
    fn invasions(
        &self,
        state: &State,
        block: BlockId,
        mut land: impl FnMut(Hex, Course, BlockId) -> Flow,
    ) -> Flow {
        let Some(sender) = self.sender(state, block) else { return Flow::Continue(()) };
        let at = state.at(block);
        let (camp, faction) = (self.camp(block), self.brief(block).faction);
        let number = usize::from(self.brief(sender).headquarters);
        // 15.542: who has sent nobody in the first phase may send a unit far in the second.
        let long = state.blitz && state.orders[number] == 0;
        let from = self.seas().coast(at);
        let range = |supreme: bool, long: bool| {
            self.rules.naval.invasion_areas[usize::from(long)][usize::from(supreme)]
        };
        let supreme = self.is_supreme(state, faction, Seas::EMPTY);
        let storms = state.sea.storms;
        let off_route = if state.sea.weser && faction == Faction::Axis {
            self.seas().all.filter(|sea| !self.is_weser_sea(state, sea)).or(&storms)
        } else {
            self.seas().all
        };
        let reach = |long: bool| {
            [
                self.courses(state, faction, from, range(supreme, long), storms),
                self.courses(state, faction, from, range(true, long), off_route),
            ]
        };
        let (near, far) = (reach(false), reach(true));
        let seas = near.iter().chain(&far).fold(Seas::EMPTY, |all, courses| all.or(&courses.reached()));
        let enemy = &state.occupied[camp.enemy().index()];
        // Who leaves a battle enters none but in areas that its camp defends (18.36).
        let closed = if state.is_battle(at) {
            enemy.difference(&self.map().areas.and(&state.friendly[camp.index()]))
        } else {
            Hexes::EMPTY
        };
        let wave = if state.blitz { Self::first_wave(state) } else { Hexes::EMPTY };
        let named = if state.blitz { self.named_for_second_wave(state, sender) } else { None };
        let bound = self.is_bound_by_mediterranean(state, camp);
        for target in self.seas().beaches.and(&self.open_for(state, block)) {
            // Most are out of reach.
            if !self.seas().coast(target).intersects(&seas) {
                continue;
            }
            let in_second_wave = state.blitz && wave.contains(target);
            let far_off = long && self.is_amphibious(state, block, target);
            let allowed = target != at
                && named.map_or(!state.blitz || in_second_wave || far_off, |named| named == target)
                && self.do_fronts_allow(bound, at, target)
                && !self.is_weatherbound(state, faction, target)
                && self.has_room(state, target, camp)
                && !closed.contains(target)
                && (!enemy.contains(target) || self.may_land_against(state, block, target));
            if !allowed {
                continue;
            }
            let seas = self.seas().coast(target);
            let courses = if far_off { &far } else { &near };
            let course = courses.iter().filter_map(|courses| courses.safest(seas));
            if let Some(course) = course.min_by_key(|course| (course.all_dice(), course.areas))
                && (course.all_dice() == 0 || self.can_be_kept(state, block))
            {
                land(target, course, sender)?;
            }
        }
        Flow::Continue(())
    }

    // ---- two waves (15.541) ----

    /// Hexes that have been invaded in the first Movement Phase.
    fn first_wave(state: &State) -> Hexes {
        state.sea.landings.into_iter().filter(|hex| hex.0 >> RANK == 0).collect()
    }

    /// What stands before the hex that a headquarters names: its number among those of invasions, from 1.
    fn rank_of_wave(&self, state: &State, headquarters: BlockId) -> u16 {
        let before = (1u64 << self.brief(headquarters).headquarters) - 1;
        (state.sea.invaders & before).count_ones() as u16 + 1
    }

    /// The hex that a Blitz headquarters has named in the first Movement Phase, which its second wave must invade.
    fn named_for_second_wave(&self, state: &State, headquarters: BlockId) -> Option<Hex> {
        let rank = self.rank_of_wave(state, headquarters);
        let named = state.sea.landings.into_iter().find(|hex| hex.0 >> RANK == rank);
        named.map(|hex| Hex(hex.0 & ((1 << RANK) - 1)))
    }

    /// Headquarters of Blitz invasions that may still name a hex for their second wave.
    pub(crate) fn namers(&self, state: &State) -> Blocks {
        if state.sea.invaders == 0 || state.blitz || state.sea.landings.iter().all(|hex| hex.0 != 0) {
            return Blocks::EMPTY;
        }
        let able = state.marked(Mark::Blitz).filter(|block| self.sends_invasion(state, block));
        able.filter(|block| {
            self.rank_of_wave(state, block) < 1 << (16 - RANK)
                && self.named_for_second_wave(state, block).is_none()
                && !self.places_to_name(state, block).is_empty()
        })
    }

    /// Hexes that such a headquarters may name: those within the range of an invasion from its port.
    pub(crate) fn places_to_name(&self, state: &State, headquarters: BlockId) -> Hexes {
        let (at, camp, faction) =
            (state.at(headquarters), self.camp(headquarters), self.brief(headquarters).faction);
        let supreme = self.is_supreme(state, faction, Seas::EMPTY);
        let areas = self.rules.naval.invasion_areas[0][usize::from(supreme)];
        let reach = self.courses(state, faction, self.seas().coast(at), areas, state.sea.storms).reached();
        let open = self.seas().beaches.and(&self.open_for(state, headquarters)).difference(&Hexes::one(at));
        let bound = self.is_bound_by_mediterranean(state, camp);
        open.filter(|hex| {
            self.seas().coast(hex).intersects(&reach)
                && self.do_fronts_allow(bound, at, hex)
                && !self.is_weatherbound(state, faction, hex)
        })
    }

    /// It names one.
    fn name_for_second_wave(&self, state: &mut State, headquarters: BlockId, hex: Hex) {
        let rank = self.rank_of_wave(state, headquarters);
        if let Some(slot) = state.sea.landings.iter_mut().find(|slot| slot.0 == 0) {
            *slot = Hex(hex.0 | rank << RANK);
        }
    }

    /// Whether a unit may land where enemies stand: one a phase (15.521); headquarters never (5.1), and only some start
    /// a battle (15.53).
    pub(crate) fn may_land_against(&self, state: &State, block: BlockId, target: Hex) -> bool {
        let brief = self.brief(block);
        let own = state.stack(target, self.camp(block));
        let landed = own
            .iter()
            .any(|other| state.has(other, Mark::Moved) && state.crossing[other].embarked().is_some());
        let lasting = state.is_battle(target) && !state.new_battles.contains(target);
        !brief.kind.is_headquarters()
            && !landed
            && (lasting || self.rules.kinds[brief.kind as usize].assaults_by_sea)
    }

    /// A unit invades (15.52).
    pub(crate) fn invade<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        to: Hex,
        context: &mut T,
    ) {
        if self.brief(block).kind.is_headquarters() && state.has(block, Mark::Active) {
            return self.name_for_second_wave(state, block, to);
        }
        let offered = first_to(to, |take| self.invasions(state, block, take));
        let Some((course, sender)) = offered else { return };
        self.has_sent(state, sender);
        if !state.blitz
            && let Some(slot) = state.sea.landings.iter_mut().find(|slot| slot.0 == 0)
        {
            *slot = to;
        }
        self.put_to_sea(state, block, to, course, true, context);
        self.scatter(state, block, to, context);
        self.lands(state, block);
    }

    /// A unit has come to a place over the sea or through the air: it is dispersed, and in a battle if enemies are there.
    pub(crate) fn scatter<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        at: Hex,
        context: &mut T,
    ) {
        let camp = self.camp(block);
        state.mark(block, Mark::Dispersed, true);
        state.mark(block, Mark::Moved, true);
        if !state.occupied[camp.enemy().index()].contains(at) {
            return;
        }
        let alone = state.stack(at, camp) == Blocks::one(block);
        state.mark(block, Mark::Entered, true);
        if alone {
            self.begin_battle(state, at, camp.enemy(), context);
        } else if state.original_defender(at) != camp && !state.new_battles.contains(at) {
            state.mark(block, Mark::Revealed, true); // 7.15
        }
    }

    // ---- evacuations (15.55) ----

    /// Sea areas from which a headquarters can fetch a unit.
    fn evacuation_reach(&self, state: &State, headquarters: BlockId) -> Seas {
        let faction = self.brief(headquarters).faction;
        let supreme = self.is_supreme(state, faction, Seas::EMPTY);
        let areas = self.rules.naval.invasion_areas[0][usize::from(supreme)];
        let from = self.seas().coast(state.at(headquarters));
        self.courses(state, faction, from, areas, state.sea.storms).reached()
    }

    /// Units that a headquarters in its port could fetch.
    fn evacuees(&self, state: &State, headquarters: BlockId) -> Blocks {
        let reach = self.evacuation_reach(state, headquarters);
        let own = state.standing[self.camp(headquarters).index()];
        let own = own.and(&self.sets().of_faction[self.brief(headquarters).faction.index()]);
        let busy =
            state.marked(Mark::Active).or(state.marked(Mark::Deactivated)).or(state.marked(Mark::Moved));
        let busy = busy.or(state.marked(Mark::Strategic)); // 6.62
        let bound = self.is_bound_by_mediterranean(state, self.camp(headquarters));
        own.difference(&busy).difference(state.marked(Mark::Dispersed)).filter(|block| {
            let at = state.at(block);
            at != state.at(headquarters)
                && self.seas().beaches.contains(at)
                && self.seas().coast(at).intersects(&reach)
                && self.can_invade(block)
                && self.do_fronts_allow(bound, state.at(headquarters), at)
        })
    }

    /// Whether a unit of a camp has been fetched out of a battle in this phase: one a phase (15.55).
    pub(crate) fn is_battle_left_by_sea(&self, state: &State, camp: Camp, at: Hex) -> bool {
        let fetched =
            |other: BlockId| state.has(other, Mark::Moved) && state.crossing[other].embarked() == Some(at);
        state.is_battle(at) && state.standing[camp.index()].iter().any(fetched)
    }

    /// Ports to which a unit may be evacuated now, with the course and the headquarters in the port.
    fn evacuations(
        &self,
        state: &State,
        block: BlockId,
        mut fetch: impl FnMut(Hex, Course, BlockId) -> Flow,
    ) -> Flow {
        if state.sea.invaders == 0 {
            return Flow::Continue(());
        }
        let at = state.at(block);
        let (camp, faction) = (self.camp(block), self.brief(block).faction);
        let supreme = self.is_supreme(state, faction, Seas::EMPTY);
        let areas = self.rules.naval.invasion_areas[0][usize::from(supreme)];
        if self.is_battle_left_by_sea(state, camp, at) {
            return Flow::Continue(());
        }
        let able = state.marked(Mark::Active).filter(|headquarters| {
            self.sends_invasion(state, headquarters)
                && self.may_send(state, headquarters)
                && self.brief(headquarters).faction == faction
                && self.is_port_of_departure(state, camp, state.at(headquarters))
                && self.has_room(state, state.at(headquarters), camp)
                && self.evacuees(state, headquarters).contains(block)
        });
        let ports: Hexes = able.iter().map(|headquarters| state.at(headquarters)).collect();
        for port in ports {
            let there = able.iter().find(|&headquarters| state.at(headquarters) == port);
            let Some(headquarters) = there else { continue };
            let courses = self.courses(state, faction, self.seas().coast(at), areas, state.sea.storms);
            if let Some(course) = courses.safest(self.seas().coast(port))
                && (course.all_dice() == 0 || self.can_be_kept(state, block))
            {
                fetch(port, course, headquarters)?;
            }
        }
        Flow::Continue(())
    }

    /// A unit is evacuated. The last of its camp in a battle takes pursuit fire as it goes (15.55).
    pub(crate) fn evacuate<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        to: Hex,
        context: &mut T,
    ) {
        let offered = first_to(to, |take| self.evacuations(state, block, take));
        let Some((course, headquarters)) = offered else { return };
        self.has_sent(state, headquarters);
        state.mark(block, Mark::Moved, true);
        let (from, camp) = (state.at(block), self.camp(block));
        if state.is_battle(from) && self.is_last(state, block) {
            let by_kind = self.rules.naval.evacuation_speed;
            let speed = by_kind[usize::from(self.brief(block).kind != Kind::Amphibious)];
            if !self.pursue_at(state, block, speed, context) {
                return;
            }
        }
        self.put_to_sea(state, block, to, course, true, context);
        let active = state.has(block, Mark::Active);
        state.mark(block, Mark::Revealed, active);
        self.renew_battle(state, from, camp, context);
    }

    // ---- as decisions ----

    /// Where a headquarters may be activated to lead an invasion, a Blitz invasion, a drop, a Blitz of drops: its own hex, it
    /// does not deploy (15.51, 14.21).
    pub(crate) fn expedition_modes(&self, state: &State, headquarters: BlockId) -> [Hexes; 4] {
        let here = |may: bool| if may { Hexes::one(state.at(headquarters)) } else { Hexes::EMPTY };
        let blitz = self.may_blitz(state, headquarters);
        let invasion = self.may_lead_invasion(state, headquarters);
        let para = self.may_lead_drop(state, headquarters);
        [here(invasion), here(invasion && blitz), here(para), here(para && blitz)]
    }

    /// Units among some that an invasion or para headquarters can send now.
    pub(crate) fn expeditionaries(&self, state: &State, rested: &Blocks) -> Blocks {
        if state.sea.invaders | state.sea.droppers == 0 {
            return Blocks::EMPTY;
        }
        let senders = self.dedicated(state).filter(|block| self.may_send(state, block));
        let mut sent = Blocks::EMPTY;
        for headquarters in senders {
            sent = sent.or(&state.places.at(state.at(headquarters)));
            if self.sends_invasion(state, headquarters) {
                sent = sent.or(&self.evacuees(state, headquarters));
            }
        }
        sent.and(rested).filter(|block| self.has_expedition(state, block))
    }

    /// Whether a unit can be sent over the sea, fetched or dropped now.
    pub(crate) fn has_expedition(&self, state: &State, block: BlockId) -> bool {
        if state.sea.invaders | state.sea.droppers == 0 {
            return false;
        }
        let stop = |_, _, _| Flow::Break(());
        self.invasions(state, block, stop).is_break()
            || self.evacuations(state, block, stop).is_break()
            || !self.drop_zones(state, block).is_empty()
    }

    /// Whether a unit can leave its hex over the sea or through the air now.
    pub(crate) fn can_go_overseas(&self, state: &State, block: BlockId, ground: &Ground) -> bool {
        self.has_expedition(state, block)
            || self.rules.scenario.naval
                && self.can_sail(state, block, self.most_voyages(state, block), ground)
    }

    /// Places that a unit may invade, to which it may be evacuated, into which it may be dropped.
    pub(crate) fn expeditions(&self, state: &State, block: BlockId) -> [Hexes; 3] {
        let (mut invaded, mut fetched) = (Hexes::EMPTY, Hexes::EMPTY);
        if state.sea.invaders | state.sea.droppers == 0 {
            return [Hexes::EMPTY; 3];
        }
        let _ = self.invasions(state, block, |hex, _, _| {
            invaded.insert(hex);
            Flow::Continue(())
        });
        let _ = self.evacuations(state, block, |hex, _, _| {
            fetched.insert(hex);
            Flow::Continue(())
        });
        [invaded, fetched, self.drop_zones(state, block)]
    }

    // ---- support (15.511) ----

    /// Hexes in which headquarters of invasions support combat: traced through sea and over invadable coasts, into the areas of
    /// the map's edge that have a coast and along the routes between them (18.2).
    pub(crate) fn invasion_support(&self, state: &State) -> Hexes {
        let mut area = Hexes::EMPTY;
        if state.sea.invaders == 0 {
            return area;
        }
        for headquarters in *state.marked(Mark::Active) {
            if self.sends_invasion(state, headquarters) && self.brief(headquarters).kind == Kind::Hq {
                area = area.or(&self.support_area(state, headquarters));
            }
        }
        area
    }

    /// Hexes that one of them supports.
    pub fn support_area(&self, state: &State, headquarters: BlockId) -> Hexes {
        let value = self.command_value(state, headquarters);
        if value <= 0 {
            return Hexes::EMPTY;
        }
        let (camp, faction) = (self.camp(headquarters), self.brief(headquarters).faction);
        let start = Hexes::one(state.at(headquarters));
        let supreme = self.is_supreme(state, faction, Seas::EMPTY);
        let [usual, doubled] =
            self.rules.naval.support_radius.map(|per_value| value as u32 * u32::from(per_value));
        let closed = self.closed_banks(state, camp);
        // Areas with a port on a sea, and that which borders a sea hex (18.2): never overland.
        let areas = self.map().areas.and(&self.map().in_play);
        let coastal =
            areas.filter(|area| !self.seas().coast(area).is_empty() || self.map().coastal.contains(area));
        let coasts = self.seas().beaches.or(&coastal);
        let open = self.seas().sea_hexes.or(&coasts.difference(&closed));
        let step =
            |reached: &Hexes, open: &Hexes| self.board().across_into(reached, &self.seas().waterways, open);
        let area = self.spread(&start, if supreme { doubled } else { usual }, &open, step);
        // In the surprise of Norway as far on the Northern Route (21.493).
        let area = if state.sea.weser && faction == Faction::Axis {
            area.or(&self.spread(&start, doubled, &open.and(&self.seas().northern_route), step))
        } else {
            area
        };
        area.and(&self.seas().beaches)
    }

    /// Banks of straits that the enemy closes to a camp.
    fn closed_banks(&self, state: &State, camp: Camp) -> Hexes {
        let straits = self.seas().straits.iter();
        let closed = straits.filter(|strait| self.is_strait_closed(state, camp, &strait.banks));
        closed.flat_map(|strait| strait.banks.iter().copied()).collect()
    }

    // ---- assaults (7.6, 15.53, 14.41) ----

    /// Greatest die of the first defensive fire that repulses this attacker; none if its attack is no assault.
    pub(crate) fn repulse_number(&self, state: &State, block: BlockId) -> Option<u8> {
        let at = state.at(block);
        let crossing = state.crossing[block];
        if crossing.embarked().is_some() {
            let defender = self.defending_faction(state, at);
            let sea = self.seas().coast(at).first()?;
            let balance = self.balance(state, defender, self.brief(block).faction, sea);
            let other = usize::from(!self.is_amphibious(state, block, at));
            return Some(self.rules.combat.naval_repulse[other][balance.index()]);
        }
        if crossing.took_off().is_some() {
            let fortress = self.map().fortresses[0].contains(at);
            return Some(self.rules.combat.air_repulse[usize::from(fortress)]);
        }
        self.river_repulse(state, block)
    }

    /// The same of an attack over a river or strait (7.62, 12.6): straits do not freeze (A36).
    fn river_repulse(&self, state: &State, block: BlockId) -> Option<u8> {
        if !self.entered_over_river(state, block) {
            return None;
        }
        let (hex, way) = state.crossing[block].end()?;
        let frozen = self.weather(state, state.at(block)) == Weather::Snow;
        let weather = if frozen && self.map().straits.contains(hex, way) {
            &self.rules.weather[Weather::Dry as usize]
        } else {
            self.weather_effect(state, state.at(block))
        };
        Some(weather.river_repulse)
    }

    /// Whose units defend a hex against the active side.
    fn defending_faction(&self, state: &State, at: Hex) -> Faction {
        let defender = state.stack(at, state.camp().enemy()).first();
        defender.map_or(Faction::Allies, |block| self.brief(block).faction)
    }

    /// Greatest die that repulses whatever the assault: ambivalent nations repulse the Allies weakly (16.711), surprised ones not at
    /// all but in fortified ports (20.16).
    pub(crate) fn repulse_limit(&self, state: &State, at: Hex) -> u8 {
        let Some(defender) = state.stack(at, state.camp().enemy()).first() else { return 6 };
        let nation = self.brief(defender).nation;
        let fortified = || self.rules.map.places.iter().any(|place| place.hex == at && place.fortified_port);
        if self.is_surprised(state, at) && state.active == Faction::Axis && !fortified() {
            return 0;
        }
        let named = self.nations();
        let ambivalent = [named.norway, named.vichy, named.portugal].contains(&nation)
            && state.diplomacy.demoralised.contains(nation)
            && state.active == Faction::Allies;
        if ambivalent { 1 } else { 6 }
    }

    /// What becomes of a unit that was repulsed from the sea or the air: where it goes, and whether it is worn out by it
    /// (7.64, 15.531).
    pub(crate) fn repulsed_to(&self, state: &State, block: BlockId) -> Option<(Hex, bool)> {
        let crossing = state.crossing[block];
        let by_sea = crossing.embarked().map(|port| (port, false));
        by_sea.or_else(|| crossing.took_off().map(|base| (base, true)))
    }
}

/// The first of the crossings offered that ends in a place: its course, and the headquarters that sends it.
fn first_to(
    to: Hex,
    offered: impl FnOnce(&mut dyn FnMut(Hex, Course, BlockId) -> Flow) -> Flow,
) -> Option<(Course, BlockId)> {
    let mut found = None;
    let _ = offered(&mut |place, course, headquarters| {
        if place == to {
            found = Some((course, headquarters));
            return Flow::Break(());
        }
        Flow::Continue(())
    });
    found
}
