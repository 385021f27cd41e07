//! Headquarters (5.0): activation, radius, disruption, deactivation.

use sandtable_core::{ActionSink, Board, Flow, Hex, Index};

use crate::action::Action;
use crate::event::{Cause, Event};
use crate::game::EuroFront;
use crate::ids::{BlockId, Faction, Front, Hexes, NationId, is_on_map};
use crate::phase::{Mode, Phase, SeaWay};
use crate::rules::{Acclimatised, AlliedAir, Kind, Rank, Weather};
use crate::state::{Mark, State};
use crate::tables::RouteTable;

/// Length of a short route (18.31).
pub(crate) const SHORT_ROUTE: u8 = 2;

/// More steps than any radius, range or rail move has.
const LONGEST_SPREAD: usize = 12;

/// Bits of [`State::orders`] that count Supreme Moves.
const COUNT: u8 = 0x3f;
/// Set in [`State::orders`] of a headquarters at a turning point that has ordered in its own front first (5.723).
const STAYED: u8 = 0x40;
/// Set in [`State::orders`] of a headquarters at a turning point that has first ordered in the front to which it turns (5.723).
const TURNED: u8 = 0x80;

/// What a supreme headquarters has a say in: a front, of the North Front its western or eastern part (21.431).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sphere {
    West,
    East,
    South,
    WesternNorth,
    EasternNorth,
}

impl EuroFront {
    // ---- value and radius ----

    /// Command value of a headquarters in effect: one less for each cause that disrupts it (5.32). Below 0 it commands
    /// nothing.
    pub fn command_value(&self, state: &State, headquarters: BlockId) -> i8 {
        let causes = [
            self.is_disrupted_by_weather(state, headquarters),
            self.is_off_front(state, headquarters),
            self.is_shaken(state, headquarters),
        ];
        state.steps[headquarters] as i8 - causes.map(i8::from).iter().sum::<i8>()
    }

    /// Whether weather disrupts a headquarters (12.31, 12.42): not a supreme one in its own capital, nor in snow those of
    /// nations that are used to it.
    fn is_disrupted_by_weather(&self, state: &State, headquarters: BlockId) -> bool {
        let at = state.at(headquarters);
        if !self.weather_effect(state, at).disrupts {
            return false;
        }
        let brief = self.brief(headquarters);
        let nation = &self.rules.nations[brief.nation.at()];
        let hardy = nation.winter_headquarters && self.weather(state, at) == Weather::Snow;
        let in_capital = brief.kind == Kind::SupremeHq && nation.capital == Some(at);
        !hardy && !in_capital
    }

    /// Whether a headquarters stands outside of the fronts on which it works as it should: the Axis's by its logistics
    /// (5.33), strangers in the Mediterranean and in the Arctic (21.34, 21.43), the Soviet North outside of its front (20.54).
    pub(crate) fn is_off_front(&self, state: &State, headquarters: BlockId) -> bool {
        let brief = self.brief(headquarters);
        let at = state.at(headquarters);
        let front = self.front(at);
        if brief.faction == Faction::Soviets && brief.class == Acclimatised::Veteran(Front::North) {
            return front != Front::North;
        }
        match front {
            Front::Mediterranean => !self.belongs_to(headquarters, front),
            Front::North => self.map().arctic.contains(at) && !self.belongs_to(headquarters, front),
            // Those of the East work in the West as well (5.33).
            Front::West => !brief.fronts[Front::West.index()] && !brief.fronts[Front::East.index()],
            Front::East => !brief.fronts[Front::East.index()],
        }
    }

    /// Whether a unit is a resident, veteran or expeditionary of an extreme front (2.8).
    pub fn belongs_to(&self, block: BlockId, front: Front) -> bool {
        match self.brief(block).class {
            Acclimatised::Alien => false,
            Acclimatised::Expeditionary(own) | Acclimatised::Veteran(own) | Acclimatised::Resident(own) => {
                own == front
            }
        }
    }

    /// Hexes within the command radius of a field headquarters, activated or not (5.31): traced through friendly and disputed hexes; the
    /// last may be a battle that the enemy controls.
    pub fn command_area(&self, state: &State, headquarters: BlockId) -> Hexes {
        self.command_area_into(state, headquarters, &state.battles())
    }

    /// Hexes within the command radius of a field headquarters (5.31) if some hexes were battles.
    fn command_area_into(&self, state: &State, headquarters: BlockId, battles: &Hexes) -> Hexes {
        let radius = self.command_value(state, headquarters);
        let start = Hexes::one(state.at(headquarters));
        if radius < 0 {
            return Hexes::EMPTY;
        }
        let through = self.traceable(state, self.camp(headquarters));
        let land = &self.map().land;
        let Some(inner) = (radius as u32).checked_sub(1) else { return start };
        let step = |reached: &Hexes, open: &Hexes| self.board().across_into(reached, land, open);
        let inner = self.spread(&start, inner, &through, step);
        let mut last = self.board().across(&inner, land);
        // The last two hexes may be a short route (18.22).
        if let Some(before) = (radius as u32).checked_sub(2)
            && inner.intersects(&self.map().route_ends)
        {
            let near = self.spread(&start, before, &through, step);
            last = last.or(&self.over_routes(&near, |route| !route.is_long()));
        }
        inner.or(&last.and(&through.or(battles))).and(&self.map().in_play)
    }

    /// Of some hexes those in which a battle may begin in Blitz Movement: on fronts with an activated Blitz headquarters,
    /// elsewhere where it will be supported (7.4, B60).
    pub(crate) fn open_to_blitz(&self, state: &State, targets: &Hexes) -> Hexes {
        if !state.blitz || targets.is_empty() {
            return *targets;
        }
        let blitz = state.marked(Mark::Blitz);
        let fronts = Front::ALL
            .into_iter()
            .filter(|&front| blitz.iter().any(|block| self.front(state.at(block)) == front));
        let open = fronts.fold(Hexes::EMPTY, |open, front| open.or(&self.map().of_front[front.index()]));
        let rest = targets.difference(&open);
        if rest.is_empty() {
            return *targets;
        }
        let active = state.marked(Mark::Active).and(&self.sets().field_headquarters);
        let active = active.difference(&self.dedicated(state));
        let supported = active
            .iter()
            .fold(Hexes::EMPTY, |area, block| area.or(&self.command_area_into(state, block, &rest)));
        targets.and(&open.or(&supported))
    }

    /// Hexes at most so many steps from a start through open ones, as `step` goes from some hexes to open ones; routes of the map's edge
    /// count as many as they are long (18.22, 18.32), an area that borders an open sea hex one (18.2).
    pub(crate) fn spread(
        &self,
        start: &Hexes,
        steps: u32,
        open: &Hexes,
        step: impl Fn(&Hexes, &Hexes) -> Hexes,
    ) -> Hexes {
        self.spread_over(start, steps, open, step, |_| true)
    }

    /// Hexes at most so many steps from a start through open ones, as [`Self::spread`] says, along routes of a sort.
    pub(crate) fn spread_over(
        &self,
        start: &Hexes,
        steps: u32,
        open: &Hexes,
        step: impl Fn(&Hexes, &Hexes) -> Hexes,
        wanted: impl Fn(&RouteTable) -> bool,
    ) -> Hexes {
        let mut reached = *start;
        if !self.map().in_play.intersects(&self.map().areas) {
            let mut new = reached;
            for _ in 0..steps {
                new = step(&new, open).difference(&reached);
                if new.is_empty() {
                    break;
                }
                reached = reached.or(&new);
            }
            return reached;
        }
        let last = (steps as usize).min(LONGEST_SPREAD - 1);
        // Far from routes and areas it goes from hex to hex alone.
        let map = self.map();
        let leads_on =
            |reached: &Hexes| reached.intersects(&map.route_ends) || reached.intersects(&map.coastal);
        let (mut count, mut new) = (0, reached);
        while count < last && !leads_on(&new) {
            new = step(&new, open).difference(&reached);
            reached = reached.or(&new);
            count += 1;
        }
        if count == last {
            return reached;
        }
        // When the far end of a route is reached: none has been passed yet.
        let mut due = [Hexes::EMPTY; LONGEST_SPREAD];
        for count in count..=last {
            if new.intersects(&self.map().route_ends) {
                for route in self.map().routes.iter().filter(|route| wanted(route)) {
                    let arrives = count + usize::from(route.length);
                    for (near, far) in [(route.a, route.b), (route.b, route.a)] {
                        if arrives <= last && new.contains(near) && open.contains(far) {
                            due[arrives].insert(far);
                        }
                    }
                }
            }
            if new.intersects(&self.map().coastal) && count < last {
                for &(sea, area) in &self.map().shores {
                    for (near, far) in [(sea, area), (area, sea)] {
                        if new.contains(near) && open.contains(far) {
                            due[count + 1].insert(far); // 18.2
                        }
                    }
                }
            }
            if count < last {
                let next = step(&new, open).or(&due[count + 1]);
                new = next.difference(&reached);
                reached = reached.or(&next);
            }
        }
        reached
    }

    /// The hexes that the activated field headquarters of the active camp reach now (5.3, 7.4).
    pub(crate) fn all_command_areas(&self, state: &State) -> Hexes {
        let active = state.marked(Mark::Active).and(&self.sets().field_headquarters);
        let active = active.difference(&self.dedicated(state));
        active.iter().fold(Hexes::EMPTY, |area, block| area.or(&self.command_area(state, block)))
    }

    /// The nation as one of which the units of a nation are ordered: the Free French and the British order each other's (20.493,
    /// 20.494).
    fn ordered_as(&self, state: &State, nation: NationId) -> NationId {
        if self.is_free_french(state, nation) { self.nations().britain } else { nation }
    }

    /// Hexes in which field headquarters may order a nation's units (5.34): the Allies' only those of their own nation.
    pub(crate) fn ordered_area(&self, state: &State, nation: NationId) -> Hexes {
        if state.active != Faction::Allies || self.is_civil_war() {
            return state.commanded;
        }
        let active = state.marked(Mark::Active).and(&self.sets().field_headquarters);
        let active = active.difference(&self.dedicated(state));
        let nation = self.ordered_as(state, nation);
        let own = active.filter(|block| self.ordered_as(state, self.brief(block).nation) == nation);
        own.iter().fold(Hexes::EMPTY, |area, block| area.or(&self.command_area(state, block)))
    }

    /// Hexes in which combat is supported (7.4, 5.52): those that field headquarters reach, and within the home of its nation
    /// those of a Scandinavian theatre headquarters, of Dietl's in the North (5.8, 20.8, 21.43).
    pub(crate) fn supported_area(&self, state: &State) -> Hexes {
        let theatre = state.marked(Mark::Active).difference(&self.sets().field_headquarters);
        theatre.iter().fold(self.all_command_areas(state), |area, block| {
            let home = self.supports_in(state, block);
            if home.is_empty() { area } else { area.or(&self.command_area(state, block).and(&home)) }
        })
    }

    /// The land in which a headquarters supports combat within its radius: a field headquarters everywhere, a Scandinavian
    /// theatre headquarters in the home of its nation, Dietl's in the North (5.8, 20.8, 21.43), all others nowhere.
    pub fn supports_in(&self, state: &State, headquarters: BlockId) -> Hexes {
        let brief = self.brief(headquarters);
        match brief.kind {
            Kind::Hq => self.map().in_play,
            Kind::TheatreHq if self.belongs_to(headquarters, Front::North) => {
                if self.sets().great[brief.nation.at()] {
                    self.map().of_front[Front::North.index()]
                } else {
                    self.home(state, brief.nation)
                }
            }
            _ => Hexes::EMPTY,
        }
    }

    /// Supreme Moves a supreme or theatre headquarters may still order in this player turn (5.71, 5.8): none if it leads an
    /// invasion or a drop, for which it spends all of its command (5.9).
    pub fn orders_left(&self, state: &State, headquarters: BlockId) -> u8 {
        let numbers = &self.rules.numbers;
        let rate = match self.brief(headquarters).kind {
            _ if self.is_dedicated(state, headquarters) => 0,
            Kind::SupremeHq => numbers.supreme_moves,
            Kind::TheatreHq => numbers.theatre_moves,
            _ => 0,
        };
        let most = self.command_value(state, headquarters).max(0) as u8 * rate;
        most.saturating_sub(state.orders[usize::from(self.brief(headquarters).headquarters)] & COUNT)
    }

    /// The headquarters that orders so many Supreme Moves of a unit, and what that costs it (5.71): that for which it costs
    /// least, a theatre headquarters rather than a supreme one, then that with most moves left.
    pub(crate) fn who_orders(&self, state: &State, unit: BlockId, moves: u8) -> Option<(BlockId, u8)> {
        let supreme = state.marked(Mark::Active).difference(&self.sets().field_headquarters);
        let supreme = supreme.difference(&self.dedicated(state));
        let able = supreme.iter().filter_map(|block| {
            let cost = moves * self.rate(state, block, unit)?;
            let left = self.orders_left(state, block);
            let worth = (cost, self.brief(block).kind == Kind::SupremeHq, std::cmp::Reverse(left));
            (left >= cost).then_some((worth, block))
        });
        able.min_by_key(|&(worth, _)| worth).map(|((cost, ..), block)| (block, cost))
    }

    /// Whether any Supreme Move may still be ordered.
    pub fn any_orders(&self, state: &State) -> bool {
        let supreme = state.marked(Mark::Active).difference(&self.sets().field_headquarters);
        let supreme = supreme.difference(&self.dedicated(state));
        supreme.iter().any(|block| self.orders_left(state, block) > 0)
    }

    /// Supreme Moves that a supreme or theatre headquarters spends on one of a unit where it stands: 1, or 2 in a
    /// neighbouring front (5.721, 5.722); `None` where it has no say (5.72, 5.8). At a turning point it orders in the front
    /// in which it has ordered first for 1, in the other for 2 (5.723).
    pub(crate) fn rate(&self, state: &State, headquarters: BlockId, unit: BlockId) -> Option<u8> {
        let (own, whose) = (self.brief(headquarters), self.brief(unit));
        if own.faction != whose.faction {
            return None;
        }
        if self.is_civil_war() || own.faction == Faction::Soviets {
            return Some(1);
        }
        let (here, there) = (state.at(headquarters), state.at(unit));
        let front = self.front(there);
        if own.kind == Kind::TheatreHq {
            let may = if self.rules.nations[own.nation.at()].rank == Rank::Minor {
                own.nation == whose.nation // 20.74, 21.43
            } else if self.belongs_to(headquarters, Front::North) {
                front == Front::North // Dietl (21.43).
            } else {
                // CS whoever it is (20.24), ME its own and Free Frenchmen (5.34, 20.494).
                front == Front::Mediterranean
                    && (own.faction == Faction::Axis
                        || own.nation == whose.nation
                        || self.is_free_french(state, whose.nation))
            };
            return may.then_some(1);
        }
        if own.faction == Faction::Allies {
            let nation = self.ordered_as(state, whose.nation);
            if self.rules.nations[nation.at()].rank == Rank::Minor {
                return Some(1); // Wherever they are (5.72).
            }
            if self.ordered_as(state, own.nation) != nation {
                return None;
            }
        }
        // OKH has the East and with it Finland, OKW the rest (5.72, 21.431).
        let eastern = own.faction == Faction::Axis
            && own.fronts[Front::East.index()]
            && !own.fronts[Front::West.index()];
        let sphere = |place: Hex| match self.front(place) {
            Front::North if self.is_eastern_north(state, place) => Sphere::EasternNorth,
            Front::North => Sphere::WesternNorth,
            Front::West => Sphere::West,
            Front::East => Sphere::East,
            Front::Mediterranean => Sphere::South,
        };
        let (at, of) = (sphere(here), sphere(there));
        if at == of {
            let never = if eastern {
                of == Sphere::South
            } else {
                of == Sphere::East && own.faction == Faction::Axis
            };
            let turned = self.chosen_front(state, headquarters) & TURNED != 0;
            return (!never).then_some(1 + u8::from(turned));
        }
        let neighbours: &[(Sphere, Sphere)] = if eastern {
            &[(Sphere::East, Sphere::West), (Sphere::East, Sphere::EasternNorth)]
        } else {
            &[(Sphere::West, Sphere::South), (Sphere::West, Sphere::WesternNorth)]
        };
        let may = neighbours.iter().any(|&(a, b)| (a, b) == (at, of) || (b, a) == (at, of));
        let turns = self.turns_to(here, front) && self.chosen_front(state, headquarters) & STAYED == 0;
        may.then_some(2 - u8::from(turns))
    }

    /// Whether a place is a turning point towards a front (5.723).
    fn turns_to(&self, place: Hex, front: Front) -> bool {
        self.map().turning_points.contains(&(place, front))
    }

    /// In which front a headquarters at a turning point has ordered first.
    fn chosen_front(&self, state: &State, headquarters: BlockId) -> u8 {
        state.orders[usize::from(self.brief(headquarters).headquarters)] & !COUNT
    }

    /// A supreme or theatre headquarters orders Supreme Moves of a unit (5.71).
    pub(crate) fn order(&self, state: &mut State, unit: BlockId, moves: u8) {
        let Some((headquarters, cost)) = self.who_orders(state, unit, moves) else { return };
        let (at, there) = (state.at(headquarters), self.front(state.at(unit)));
        let turning = self.map().turning_points.iter().any(|&(place, _)| place == at);
        let choice = match there {
            _ if !turning => 0,
            front if front == self.front(at) => STAYED,
            front if self.turns_to(at, front) => TURNED,
            // In a third front it orders at half rate whatever it chooses.
            _ => 0,
        };
        let orders = &mut state.orders[usize::from(self.brief(headquarters).headquarters)];
        *orders += cost;
        if *orders & !COUNT == 0 {
            *orders |= choice;
        }
    }

    /// Whether a place of the North Front belongs to its eastern part: Finland and the Soviet Union (21.4).
    pub(crate) fn is_eastern_north(&self, state: &State, place: Hex) -> bool {
        let nation = self.owner_nation(state, place);
        nation == self.nations().finland || nation == self.nations().ussr
    }

    /// Hexes that the aircraft of a headquarters reach (13.11).
    pub(crate) fn air_area(&self, state: &State, headquarters: BlockId) -> Hexes {
        let value = self.command_value(state, headquarters).max(0) as u32;
        let (brief, at) = (self.brief(headquarters), state.at(headquarters));
        let front = self.front(at);
        let mut times = match brief.kind {
            Kind::SupremeHq => u32::from(self.rules.numbers.supreme_air_range),
            _ => 1,
        };
        if self.is_civil_war() {
            return self.board().within_open(Hexes::one(at), value * times, &self.map().air);
        }
        // Extended range of the Allies in the West and the Mediterranean (13.31).
        let extended = brief.faction == Faction::Allies
            && self.month(state).allied_air >= AlliedAir::Extended
            && matches!(front, Front::West | Front::Mediterranean);
        times += u32::from(extended);
        let range = value * times;
        // Not over neutral land, nor into the Mediterranean Front but by its own headquarters (13.11).
        let neutral = self.map().in_play.difference(&state.owners.all());
        let mut air = self.map().air.difference(&neutral);
        let stranger = front != Front::Mediterranean
            && !self.belongs_to(headquarters, Front::Mediterranean)
            && !self.has_mediterranean(state, brief.camp);
        if stranger && !self.sends_invasion(state, headquarters) {
            air = air.difference(&self.map().of_front[Front::Mediterranean.index()]);
        }
        let air = &air;
        self.spread(&Hexes::one(at), range, air, |reached, open| self.board().within_open(*reached, 1, open))
    }

    // ---- going through the headquarters one by one ----

    /// The first headquarters of the active faction, from a number on, that is on the map and `wanted`.
    pub(crate) fn next_headquarters(
        &self,
        state: &State,
        from: u16,
        wanted: impl Fn(BlockId) -> bool,
    ) -> Option<BlockId> {
        let list = self.sets().headquarters_list.iter().skip(usize::from(from));
        list.copied().find(|&block| {
            self.brief(block).faction == state.active && is_on_map(state.at(block)) && wanted(block)
        })
    }

    /// Goes on to the next headquarters that is `wanted`, and says whether there is one.
    pub(crate) fn turn_to_headquarters(
        &self,
        state: &mut State,
        phase: Phase,
        wanted: impl Fn(&State, BlockId) -> bool,
    ) -> bool {
        let next = self.next_headquarters(state, state.cursor, |block| wanted(state, block));
        state.subject = next.unwrap_or(BlockId::NONE);
        if let Some(next) = next {
            state.phase = phase;
            state.decider = state.active;
            state.cursor = u16::from(self.brief(next).headquarters) + 1;
        }
        next.is_some()
    }

    // ---- activation (5.2) ----

    /// Whether a headquarters has any command to give (5.32).
    pub(crate) fn can_activate(&self, state: &State, headquarters: BlockId) -> bool {
        self.command_value(state, headquarters) >= 0
            && !self.must_stand_fast(state, headquarters)
            && !self.is_french_abroad(state, headquarters)
    }

    /// Hexes into which a headquarters may deploy, its own included (5.21).
    fn places_to_deploy(&self, state: &State, headquarters: BlockId) -> Hexes {
        let at = state.at(headquarters);
        let own = Hexes::one(at);
        if self.weather_effect(state, at).no_deployment {
            return own;
        }
        let camp = self.camp(headquarters);
        // Into what nobody controls it may go (1936 rule 1), but not leave a battle for it.
        let into = if state.is_battle(at) { self.refuge(state, camp) } else { self.open_to(state, camp) };
        let into = if self.is_civil_war() { into } else { into.and(&self.open_for(state, headquarters)) };
        self.board().across(&own, &self.map().land).and(&into).difference(&state.battles()).or(&own)
    }

    /// Whether a headquarters may choose Blitz (5.6): field headquarters of a value alone, not off their front (5.33).
    pub(crate) fn may_blitz(&self, state: &State, block: BlockId) -> bool {
        self.brief(block).kind == Kind::Hq && state.steps[block] > 0 && !self.is_off_front(state, block)
    }

    pub(crate) fn activations<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let block = state.subject;
        if block.is_none() {
            return Flow::Continue(());
        }
        let deployments = self.places_to_deploy(state, block);
        let blitz = self.may_blitz(state, block);
        out.offer(Action::Pass)?;
        let blitz = if blitz { deployments } else { Hexes::EMPTY };
        if self.is_civil_war() {
            return out.all([deployments, blitz], |set, hex| {
                Action::Activate(if set == 0 { Mode::Normal } else { Mode::Blitz }, hex)
            });
        }
        // Invasions and drops it leads from where it stands (15.51, 14.21).
        let [invasion, blitz_invasion, para, blitz_para] = self.expedition_modes(state, block);
        out.all([deployments, blitz, invasion, blitz_invasion, para, blitz_para], |set, hex| {
            let modes =
                [Mode::Normal, Mode::Blitz, Mode::Invasion, Mode::BlitzInvasion, Mode::Para, Mode::BlitzPara];
            Action::Activate(modes[set], hex)
        })
    }

    pub(crate) fn activate<T: crate::Rolls>(&self, state: &mut State, mode: Mode, to: Hex, context: &mut T) {
        let block = state.subject;
        state.mark(block, Mark::Active, true);
        state.mark(block, Mark::Blitz, mode.is_blitz());
        self.dedicate(state, block, mode);
        state.mark(block, Mark::Revealed, true);
        context.emit(|| Event::Activated { block, mode, at: to });
        let from = state.at(block);
        if to != from && self.survives_leaving(state, block, context) {
            state.crowded[self.camp(block).index()] |= !self.has_room(state, to, self.camp(block));
            self.shift(state, block, to, context);
            context.emit(|| Event::Moved { block, from, to });
            self.settle_in(state, block, from, context);
        }
    }

    /// A headquarters leaves its hex: if it is the last of its camp in a battle it takes pursuit fire (5.21, 5.51), whether
    /// others have come in this phase or not, whose attack is a new one then (6.4).
    pub(crate) fn survives_leaving<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        context: &mut T,
    ) -> bool {
        let (at, camp) = (state.at(block), self.camp(block));
        if !state.is_battle(at) || !self.is_last(state, block) || self.pursue(state, block, context) {
            return true;
        }
        self.renew_battle(state, at, camp, context);
        false
    }

    // ---- deactivation (5.5) ----

    /// A headquarters that has exercised command loses a step and goes hidden (5.5); of value 0 it is destroyed (5.31).
    /// A Blitz headquarters does so twice, and stays activated the first time (5.6).
    pub(crate) fn spend<T: crate::Rolls>(
        &self,
        state: &mut State,
        block: BlockId,
        stays: bool,
        context: &mut T,
    ) {
        self.lose_step(state, block, Cause::Command, context);
        if stays || !is_on_map(state.at(block)) {
            return;
        }
        let attacker =
            state.is_battle(state.at(block)) && state.original_defender(state.at(block)) != self.camp(block);
        state.mark(block, Mark::Active, false);
        state.mark(block, Mark::Blitz, false);
        state.mark(block, Mark::Deactivated, true);
        state.mark(block, Mark::Revealed, attacker);
        context.emit(|| Event::Deactivated { block });
    }

    /// Whether a headquarters may mobilise now (5.5, 5.6): a Blitz headquarters after Blitz Movement alone.
    pub(crate) fn may_mobilise(&self, state: &State, block: BlockId) -> bool {
        state.has(block, Mark::Active) && (state.blitz || !state.has(block, Mark::Blitz))
    }

    pub(crate) fn mobilisations<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let block = state.subject;
        if block.is_none() {
            return Flow::Continue(());
        }
        let at = state.at(block);
        out.offer(Action::Pass)?;
        if state.steps[block] == 0 {
            // It is destroyed as it deactivates, here or after combat.
            return out.offer(Action::Go(at));
        }
        let mut go = Hexes::one(at);
        // By a long route only who orders Supreme Moves and keeps one for it (18.21).
        let length = if self.orders_left(state, block) > 0 { u8::MAX } else { SHORT_ROUTE };
        let ground = &self.ground_for(state, block);
        let by_route = self.marches_over_routes(state, block, length, ground);
        if state.is_battle(at) {
            self.disengagements(state, block, ground, out)?;
        } else {
            go = go.or(&self.marches(state, block, ground).reached);
        }
        let moves = self.moves_to_mobilise(state, block);
        let [rail, road] = if moves == 0 {
            [Hexes::EMPTY; 2]
        } else {
            let by_rail = self.chained_rail_moves(state, block, moves, ground);
            [by_rail, self.road_destinations(state, block, ground)]
        };
        if self.is_civil_war() {
            return out
                .all([go, rail], |set, hex| if set == 0 { Action::Go(hex) } else { Action::Rail(hex) });
        }
        let [shortest, safest] = self.naval_moves(state, block, moves, ground);
        out.all([go, rail, by_route, road, shortest, safest], |set, hex| match set {
            0 => Action::Go(hex),
            1 => Action::Rail(hex),
            2 => Action::March(hex),
            3 => Action::Road(hex),
            4 => Action::Sail(SeaWay::Shortest, hex),
            _ => Action::Sail(SeaWay::Safest, hex),
        })
    }

    /// Strategic moves that a headquarters which mobilises may make: of a supreme or theatre headquarters one, and as many
    /// more as it has kept Supreme Moves (5.73, 5.8).
    fn moves_to_mobilise(&self, state: &State, headquarters: BlockId) -> u8 {
        if self.brief(headquarters).kind == Kind::Hq { 0 } else { 1 + self.orders_left(state, headquarters) }
    }

    /// A headquarters deactivates and goes where the action says (5.51).
    pub(crate) fn mobilise<T: crate::Rolls>(&self, state: &mut State, action: Action, context: &mut T) {
        let block = state.subject;
        if let Action::March(to) = action
            && self.march_cost(state.at(block), to) > 1
        {
            // One move is free, the other was kept (5.73, 18.21).
            state.orders[usize::from(self.brief(block).headquarters)] += 1;
        }
        // Its Supreme Moves it counts before it deactivates.
        let course = match action {
            Action::Sail(way, to) => {
                let moves = self.moves_to_mobilise(state, block);
                self.voyage(state, block, moves, to, way).map(|(_, course)| (to, course))
            }
            _ => None,
        };
        self.spend(state, block, false, context);
        let stays = action == Action::Go(state.at(block));
        if !is_on_map(state.at(block)) || stays || !self.survives_leaving(state, block, context) {
            return;
        }
        match course {
            Some((to, course)) => self.sail(state, block, to, course, context),
            None => self.carry_out(state, block, action, context),
        }
    }
}
