//! Politics (16.7 to 16.9), at the end of a player turn: morale, armistices, uprisings, surrender, defeat, conquest.
//!
//! Demoralisation, solidarity, surrender, defeat and conquest are looked at automatically (A27). What remains to be decided:
//! to offer an armistice and to answer it, where an army of resistance rises, when and where Tito, who deserts.

use sandtable_core::{ActionSink, Flow, Hex, Index};

use crate::action::Action;
use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{BlockId, Blocks, Camp, Faction, Hexes, NationId, is_on_map, place};
use crate::nations::{Resume, Ties};
use crate::phase::Phase;
use crate::rules::{Acclimatised, Condition, Fact, Rank, Status, Terrain};
use crate::state::{Mark, State};

/// The steps of politics in the order of the chart (4.37), as [`State::cursor`] counts them.
mod step {
    pub const MORALE: u16 = 0;
    pub const ARMISTICE: u16 = 1;
    pub const UPRISINGS: u16 = 2;
    /// Tito.
    pub const TITO: u16 = 10;
    /// Surrender of the nation of this number, and of those after it.
    pub const SURRENDER: u16 = 100;
    pub const DEFEAT: u16 = 200;
}

/// Months after which Tito comes again when he has been disbanded (16.732).
const MONTHS_OF_TITO: u8 = 3;

impl EuroFront {
    /// T7 Politics of the active faction (16.7).
    pub(crate) fn begin_politics<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if self.is_civil_war() {
            return self.end_politics(state, context);
        }
        self.update_control(state);
        state.cursor = step::MORALE;
        state.subject = BlockId::NONE;
        self.go_on_with_politics(state, context);
    }

    /// Goes on from where politics have come to, up to the next decision or the end of the player turn.
    pub(crate) fn go_on_with_politics<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let coalition = state.camp() == Camp::Coalition;
        if state.cursor == step::MORALE {
            state.cursor = step::ARMISTICE;
            self.check_phoney_war(state);
            self.restrict_again(state);
            self.check_morale(state, context);
            if self.declare_emergency(state, context) {
                return;
            }
        }
        if state.cursor == step::ARMISTICE {
            state.cursor = step::UPRISINGS;
            if self.turn_to_armistice(state, context) {
                return;
            }
        }
        if state.active == Faction::Allies {
            while state.cursor < step::TITO {
                let nth = usize::from(state.cursor - step::UPRISINGS);
                state.cursor += 1;
                if self.try_uprising(state, nth, context) {
                    return;
                }
            }
            if state.cursor == step::TITO {
                state.cursor += 1;
                if self.turn_to_tito(state) {
                    return;
                }
            }
        }
        if coalition {
            state.cursor = state.cursor.max(step::SURRENDER);
            while usize::from(state.cursor) < usize::from(step::SURRENDER) + self.rules.nations.len() {
                let nation = NationId::nth(usize::from(state.cursor - step::SURRENDER));
                state.cursor += 1;
                if self.try_surrender(state, nation, context) {
                    return;
                }
            }
        }
        state.cursor = step::DEFEAT;
        self.check_defeats(state, context);
        self.check_conquests(state, context);
        self.check_colonies(state);
        self.end_politics(state, context);
    }

    // ---- morale (16.71) ----

    fn check_morale<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let named = *self.nations();
        let allied = |place: &Hexes| self.controls(state, Camp::Coalition, place);
        let libya = self.land("libya");
        if self.faction_of(state, named.italy) == Some(Faction::Axis) {
            let lands = ["sardinia", "sicily", "albania"].map(|name| self.land(name));
            let cities = self.land("italy").and(&self.objectives().large_cities);
            let lost = allied(&libya)
                || lands.iter().any(allied)
                || self.held_of(state, Camp::Coalition, &cities) > 0;
            if lost {
                self.demoralise(state, named.italy, context);
            }
        }
        // Vichy has land as soon as it is created.
        let vichy_exists = !self.territory(state, named.vichy).is_empty();
        if vichy_exists && self.controls(state, Camp::Coalition, &libya) {
            self.demoralise(state, named.vichy, context);
        }
        if state.active == Faction::Axis {
            self.check_french_morale(state, context);
        }
    }

    /// The Phoney War ends with the Axis's entry into France, Belgium or Holland, or Allied control of a hex in Germany
    /// (20.43).
    fn check_phoney_war(&self, state: &mut State) {
        if !state.diplomacy.holds(Fact::PhoneyWar) {
            return;
        }
        let west = self.land("france").or(&self.land("belgium")).or(&self.land("holland"));
        let entered = state.occupied[Camp::Axis.index()].intersects(&west);
        let germany = self.held_of(state, Camp::Coalition, &self.land("germany")) > 0;
        if entered || germany {
            state.diplomacy.set(Fact::PhoneyWar, false);
            state.diplomacy.set(Fact::WeserWindow, false);
        }
    }

    /// The Soviet Emergency, as soon as the Axis is in Mother Russia (20.561, P16): all of the Strategic Reserve comes. Says
    /// whether it deploys now.
    fn declare_emergency<T: crate::Rolls>(&self, state: &mut State, context: &mut T) -> bool {
        let Some(event) = self.rules.event("SE") else { return false };
        if state.diplomacy.happened[event] > 0
            || !self.flag_holds(state, crate::conditions::Flag::AxisInMotherRussia)
        {
            return false;
        }
        context.emit(|| Event::Diplomacy { event, roll: 0, up_to: 6, happens: true });
        self.take_effect(state, event, context);
        if state.diplomacy.joining.is_empty() {
            return false;
        }
        state.diplomacy.politics = state.cursor;
        self.settle_newcomers(state, Resume::Politics, context);
        true
    }

    // ---- armistices (16.72) ----

    /// Whether somebody decides about an armistice now.
    fn turn_to_armistice<T: crate::Rolls>(&self, state: &mut State, context: &mut T) -> bool {
        match state.active {
            Faction::Axis if self.finnish_armistice_possible(state) => {
                state.phase = Phase::ArmisticeOffer;
                state.decider = Faction::Axis;
                true
            }
            Faction::Allies if self.french_armistice_possible(state) => {
                if state.diplomacy.holds(Fact::ArmisticeForced) {
                    self.offer_armistice(state, context);
                } else {
                    state.phase = Phase::ArmisticeOffer;
                    state.decider = Faction::Allies;
                }
                true
            }
            _ => false,
        }
    }

    /// An armistice is offered: the other side answers at once.
    pub(crate) fn offer_armistice<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if state.active == Faction::Axis && !self.may_refuse_finland() {
            return self.answer_armistice(state, true, context);
        }
        state.phase = Phase::ArmisticeAnswer;
        state.decider = if state.active == Faction::Axis { Faction::Soviets } else { Faction::Axis };
        state.decider = self.player_of(state.decider);
    }

    pub(crate) fn answer_armistice<T: crate::Rolls>(
        &self,
        state: &mut State,
        accepted: bool,
        context: &mut T,
    ) {
        let named = self.nations();
        let french = state.active == Faction::Allies;
        let nation = if french { named.france } else { named.finland };
        context.emit(|| Event::Armistice { nation, accepted });
        match (french, accepted) {
            (true, true) => self.accept_french_armistice(state, context),
            (true, false) => self.refuse_french_armistice(state, context),
            (false, true) => {
                // From now on the Finns build at home again (20.82).
                state.diplomacy.since[nation] = self.months_since_war(state) as i8;
                self.accept_finnish_armistice(state, context);
            }
            (false, false) => Self::refuse_finnish_armistice(state),
        }
        if state.phase != Phase::Over {
            self.update_control(state);
            self.go_on_with_politics(state, context);
        }
    }

    /// Units in land that has become neutral go to the nearest friendly place on its border, without command, or are
    /// eliminated (16.721).
    pub(crate) fn withdraw_from<T: crate::Rolls>(&self, state: &mut State, land: &Hexes, context: &mut T) {
        for camp in Camp::ALL {
            let inside = state.standing[camp.index()].filter(|block| land.contains(state.at(block)));
            for block in inside {
                let border = self.bordering(land).or(&self.along_routes(land)).difference(land);
                let owned = state.owners.of(camp).difference(&state.occupied[camp.enemy().index()]);
                let open = border.and(&owned).filter(|place| self.has_room(state, place, camp));
                let from = state.at(block);
                let nearest = open.iter().min_by_key(|&to| (self.hexes_between(from, to), to));
                if let Some(to) = nearest {
                    self.shift(state, block, to, context);
                    context.emit(|| Event::Moved { block, from, to });
                } else {
                    let cause = crate::event::Cause::Defeat;
                    self.eliminate(state, block, place::ELIMINATED, cause, context);
                }
            }
        }
    }

    /// Hexes from one place to another as the crow flies; areas are far from everything.
    fn hexes_between(&self, from: Hex, to: Hex) -> u32 {
        if from.line() == crate::ids::AREA_LINE || to.line() == crate::ids::AREA_LINE {
            return u32::from(u8::MAX);
        }
        self.board().distance(from, to)
    }

    // ---- uprisings (16.73) ----

    /// Nations that may rise, in the order in which they are asked (16.731, A28), with the name of the land that counts.
    fn rebels_of(&self, nth: usize) -> Option<(NationId, &'static str, &'static str)> {
        let named = self.nations();
        [
            (named.france, "france", "fr_inf_resistance"),
            (named.greece, "greece", "gr_inf_resistance"),
            (named.norway, "norway", "no_inf_resistance"),
        ]
        .get(nth)
        .copied()
    }

    /// Rolls for the uprising of a nation, if it may rise (16.731); says whether an army of resistance is to be placed.
    fn try_uprising<T: crate::Rolls>(&self, state: &mut State, nth: usize, context: &mut T) -> bool {
        let Some((nation, land, army)) = self.rebels_of(nth) else { return false };
        let Some(block) = self.rules.block(army) else { return false };
        let betrayed = nation == self.nations().france && state.diplomacy.holds(Fact::VichyBetrayed);
        let exploited = state.diplomacy.exploited.contains(nation);
        if state.at(block) != place::OUT || !(exploited || betrayed) {
            return false;
        }
        let below = self.held_of(state, Camp::Coalition, &self.land(land)).min(7) as u8;
        let certain = betrayed || below > 6;
        if below < 2 && !certain {
            return false; // The least die is 1.
        }
        let roll = if certain { 0 } else { context.die(6) as u8 };
        let happens = roll < below || certain;
        context.emit(|| Event::Uprising { nation, roll, below, happens });
        happens && self.turn_to_rising(state, block, nation)
    }

    /// The Allies say where an army of resistance rises, if there is a place for it.
    fn turn_to_rising(&self, state: &mut State, army: BlockId, nation: NationId) -> bool {
        state.subject = army;
        state.diplomacy.nation = nation;
        if self.uprising_places(state).is_empty() {
            state.subject = BlockId::NONE;
            return false;
        }
        state.phase = Phase::Uprising;
        state.decider = self.player_of(Faction::Allies);
        true
    }

    /// Tito may appear when Yugoslavia is exploited (16.732).
    fn turn_to_tito(&self, state: &mut State) -> bool {
        let Some(tito) = self.rules.block("tito") else { return false };
        let yugoslavia = self.nations().yugoslavia;
        if state.at(tito) != place::OUT
            || !state.diplomacy.exploited.contains(yugoslavia)
            || !self.is_season_of_tito(state, tito)
        {
            return false;
        }
        self.turn_to_rising(state, tito, yugoslavia)
    }

    /// He has been disbanded: he may come again (16.732). Until then his steps say from which month on a season must have begun,
    /// counted from 1.
    pub(crate) fn send_tito_away(&self, state: &mut State, tito: BlockId) {
        state.put(tito, Camp::Coalition, place::OUT);
        state.steps[tito] = state.month + MONTHS_OF_TITO + 1;
    }

    /// Whether this season began three months or more after he was disbanded, if he was.
    fn is_season_of_tito(&self, state: &State, tito: BlockId) -> bool {
        let since = usize::from(state.steps[tito]);
        since == 0
            || (since - 1..=usize::from(state.month))
                .any(|month| self.rules.calendar.get(month).is_some_and(|month| month.opens_season))
    }

    /// Where an army of resistance may rise: in a hex of its nation without a unit or zone of control of the Axis; Tito in a
    /// mountain hex without such a unit (16.731, 16.732). The rulebook names Germans: the Allies do not see who is one.
    pub(crate) fn uprising_places(&self, state: &State) -> Hexes {
        let nation = state.diplomacy.nation;
        if nation.is_none() || state.subject.is_none() {
            return Hexes::EMPTY;
        }
        let axis = &state.standing[Camp::Axis.index()];
        let at = state.occupied[Camp::Axis.index()];
        let home = self.home(state, nation).and(&self.map().in_play).difference(&at);
        let open = if nation == self.nations().yugoslavia {
            home.filter(|place| self.terrain(place) == Terrain::Mountain)
        } else {
            let supplied = axis.difference(state.marked(Mark::Unsupplied));
            let free = state.places.standing(&supplied, |place| !state.is_battle(place));
            home.difference(&self.board().across(&state.places.occupied(&free), &self.map().zoc))
        };
        open.filter(|place| self.has_room(state, place, Camp::Coalition))
    }

    /// Whether a unit is Tito's, and in Yugoslavia: what he can do there nobody else can (16.732).
    pub(crate) fn is_tito_at_home(&self, state: &State, block: BlockId) -> bool {
        self.tables.nations.tito == Some(block)
            && self.owner_nation(state, state.at(block)) == self.nations().yugoslavia
    }

    /// Mountain hexes of Yugoslavia that nobody holds with a unit: Tito goes there out of battles whatever the zones of
    /// control (16.732).
    pub(crate) fn tito_refuge(&self, state: &State) -> Hexes {
        let free = self.home(state, self.nations().yugoslavia).and(&self.map().in_play);
        let free = free.difference(&state.occupied[0]).difference(&state.occupied[1]);
        free.filter(|place| self.terrain(place) == Terrain::Mountain)
    }

    pub(crate) fn uprisings<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let places = self.uprising_places(state);
        if !places.is_empty() && state.diplomacy.nation == self.nations().yugoslavia {
            out.offer(Action::Pass)?; // He may come later (A27).
        }
        out.all([places], |_, hex| Action::Place(hex))
    }

    /// An army of resistance rises, unsupplied (16.731).
    pub(crate) fn rise<T: crate::Rolls>(&self, state: &mut State, at: Hex, context: &mut T) {
        let block = state.subject;
        let tito = state.diplomacy.nation == self.nations().yugoslavia;
        state.steps[block] = if tito && state.diplomacy.holds(Fact::SecondFront) { 2 } else { 1 };
        self.shift(state, block, at, context);
        state.mark(block, Mark::Unsupplied, true);
        context.emit(|| Event::Arrived { block, at });
        state.subject = BlockId::NONE;
    }

    // ---- surrender (16.8) ----

    /// Whether a nation may surrender now: demoralised, a satellite or Norway, with some of its land lost (16.8).
    fn may_surrender(&self, state: &State, nation: NationId) -> bool {
        let named = self.nations();
        if !state.diplomacy.demoralised.contains(nation) {
            return false;
        }
        let of_axis = self.faction_of(state, nation) == Some(Faction::Axis);
        if nation == named.norway {
            // To the Allies, when they have been invited and declare war (16.83).
            return of_axis && self.held_of(state, Camp::Coalition, &self.territory(state, nation)) > 0;
        }
        let satellite = state.diplomacy.cause[nation] == Ties::Satellite || nation == named.vichy;
        let ports = self.objectives().ports;
        let lost = if nation == named.italy {
            self.home(state, nation).and(&ports) // 20.25
        } else if nation == named.vichy {
            self.territory(state, nation).and(&ports) // 20.487
        } else {
            self.territory(state, nation)
        };
        of_axis && satellite && self.held_of(state, Camp::Coalition, &lost) > 0
    }

    /// War Weariness (16.81, 16.82, B05, B49): lost ports of a sea satellite, lost hexes of a land satellite, and its units
    /// that are eliminated or unsupplied.
    pub fn war_weariness(&self, state: &State, nation: NationId) -> u32 {
        let named = self.nations();
        let by_sea = [named.italy, named.vichy, named.spain, named.norway].contains(&nation);
        let mut land = self.home(state, nation).and(&self.territory_of_1939(nation));
        let of_front = |place: Hex| self.front(place) == crate::ids::Front::Mediterranean;
        if nation == named.vichy {
            land = self.territory(state, nation).filter(of_front);
        }
        if by_sea {
            land = land.and(&self.objectives().ports);
        }
        let resident = |block: BlockId| {
            matches!(self.block(block).acclimatised, Acclimatised::Resident(crate::ids::Front::Mediterranean))
        };
        let counts = |&block: &BlockId| {
            self.block(block).nation == nation
                && self.camp(block) == Camp::Axis
                && (nation != named.vichy || resident(block))
                && (nation != named.italy || !resident(block))
        };
        // Who has no secure line counts as unsupplied; cut off as a whole, as it stands (16.81, 16.82).
        let secure = if state.isolated.contains(nation) {
            self.map().in_play
        } else {
            self.secure_area(state, Faction::Axis)
        };
        let lost = |&block: &BlockId| {
            let at = state.at(block);
            at == place::ELIMINATED
                || is_on_map(at) && (state.has(block, Mark::Unsupplied) || !secure.contains(at))
        };
        let units = self.block_ids().filter(counts).filter(lost).count();
        self.held_of(state, Camp::Coalition, &land) + units as u32
    }

    /// A demoralised nation is asked to surrender (16.8); says whether a desertion is to be decided.
    fn try_surrender<T: crate::Rolls>(&self, state: &mut State, nation: NationId, context: &mut T) -> bool {
        if !self.may_surrender(state, nation) {
            return false;
        }
        let weariness = self.war_weariness(state, nation).min(7) as u8;
        if weariness < 2 {
            return false; // The least die is 1.
        }
        let roll = if weariness > 6 { 0 } else { context.die(6) as u8 };
        let happens = roll < weariness;
        context.emit(|| Event::Surrender { nation, roll, weariness, happens });
        if !happens {
            return false;
        }
        state.diplomacy.nation = nation;
        if self.deserters(state).is_empty() {
            let recruit = self.recruit(state);
            self.surrender(state, nation, context);
            if let Some(block) = recruit {
                state.put(block, self.camp(block), place::ELIMINATED);
                state.mark(block, Mark::EQUIVALENT, true);
            }
            return false;
        }
        state.phase = Phase::Desertion;
        state.decider = Faction::Axis; // Who they are is known to their side alone.
        true
    }

    /// Units of the nation that surrenders that may change sides (16.84): in no zone of control of Germans, and with an
    /// equivalent in the other colour.
    fn deserters(&self, state: &State) -> Blocks {
        let nation = state.diplomacy.nation;
        let german = self.forces(state, self.nations().germany).difference(state.marked(Mark::Unsupplied));
        let at: Hexes = state.places.occupied(&german);
        let zones = at.or(&self.board().across(&at, &self.map().zoc));
        self.forces(state, nation).filter(|block| {
            let place = state.at(block);
            self.camp(block) == Camp::Axis
                && !zones.contains(place)
                && !state.occupied[Camp::Coalition.index()].contains(place)
                && self.equivalent(state, block).is_some()
        })
    }

    /// A block's equivalent of the other camp that is not in play: of its type, else infantry or static (16.84).
    fn equivalent(&self, state: &State, block: BlockId) -> Option<BlockId> {
        let data = self.block(block);
        let others = || {
            self.block_ids().filter(|&other| {
                self.block(other).nation == data.nation
                    && self.camp(other) != self.camp(block)
                    && state.at(other) == place::AT_HOME
            })
        };
        let alike = others().find(|&other| self.block(other).kind == data.kind);
        let foot = |other: &BlockId| {
            matches!(self.block(*other).kind, crate::rules::Kind::Infantry | crate::rules::Kind::Static)
        };
        alike.or_else(|| others().find(foot))
    }

    /// The block in the other colour that may be built in the capital of the nation that surrenders if none of its units deserts
    /// (16.84, B83): infantry, or else static.
    fn recruit(&self, state: &State) -> Option<BlockId> {
        let nation = state.diplomacy.nation;
        let capital = self.rules.nations[nation.at()].capital?;
        let of_kind = |kind: crate::rules::Kind| {
            self.block_ids().find(|&block| {
                let data = self.block(block);
                // Residents of another front than the capital's would have nowhere to stand.
                let at_home = match data.acclimatised {
                    Acclimatised::Resident(front) => front == self.front(capital),
                    _ => true,
                };
                data.nation == nation
                    && data.kind == kind
                    && at_home
                    && self.camp(block) == Camp::Coalition
                    && state.at(block) == place::AT_HOME
            })
        };
        of_kind(crate::rules::Kind::Infantry).or_else(|| of_kind(crate::rules::Kind::Static))
    }

    pub(crate) fn desertions<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        for block in self.deserters(state) {
            out.offer(Action::Unit(block))?;
        }
        Flow::Continue(())
    }

    pub(crate) fn desert<T: crate::Rolls>(&self, state: &mut State, block: BlockId, context: &mut T) {
        let nation = state.diplomacy.nation;
        let at = state.at(block);
        let equivalent = self.equivalent(state, block);
        self.surrender(state, nation, context);
        if let Some(other) = equivalent {
            state.steps[other] = 1;
            self.shift(state, other, at, context);
            context.emit(|| Event::Arrived { block: other, at });
        }
    }

    /// A nation surrenders: it is defeated; its land changes hands by conquest alone (16.84).
    fn surrender<T: crate::Rolls>(&self, state: &mut State, nation: NationId, context: &mut T) {
        self.fall(state, nation, context);
        state.diplomacy.surrendered.insert(nation);
        if nation == self.nations().vichy {
            self.call_up(state, Condition::FreeFrance);
        }
    }

    // ---- defeat (16.9) and conquest (16.92) ----

    /// Every nation at war that has lost its capital, its army, or both, as its rank asks (16.9).
    fn check_defeats<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        for at in 0..self.rules.nations.len() {
            let nation = NationId::nth(at);
            if self.is_beaten(state, nation) {
                self.fall(state, nation, context);
            }
        }
        // French colonies' call (20.493).
        let named = self.nations();
        if state.diplomacy.holds(Fact::FrenchDefeated) || self.status(state, named.france) == Status::Defeated
        {
            let africa = ["algeria", "tunisia"].map(|name| self.land(name));
            if africa.iter().any(|land| self.controls(state, Camp::Coalition, land)) {
                self.call_up(state, Condition::FreeFrance);
            }
        }
    }

    /// Whether a nation is defeated as things stand (16.9).
    pub(crate) fn is_beaten(&self, state: &State, nation: NationId) -> bool {
        let Some(faction) = self.mover_of(state, nation) else { return false };
        if nation == self.nations().ussr
            && self.is_neutral(state, nation)
            && !state.diplomacy.holds(Fact::WinterWar)
        {
            return false;
        }
        let data = &self.rules.nations[nation.at()];
        let enemy = faction.camp().enemy();
        let Some(capital) = data.capital.map(|capital| self.holds(state, enemy, capital)) else {
            return false;
        };
        let major = data.stubborn || data.rank != Rank::Minor;
        // Who stands, or has lost no capital, need not be counted.
        if major && !capital {
            return false;
        }
        if !self.forces(state, nation).is_empty() && !major {
            return capital;
        }
        // Who has no units in the colour of his side is defeated with his capital alone.
        let of_side = |block: &BlockId| {
            self.block(*block).nation == nation && self.brief(*block).faction.camp() == faction.camp()
        };
        let has_army = self.block_ids().any(|block| of_side(&block) && state.at(block) != place::REMOVED);
        let army = has_army && self.forces(state, nation).is_empty();
        if major { capital && (army || !has_army) } else { capital || army }
    }

    /// A nation is defeated, with what follows of itself (16.9, 20.47).
    pub(crate) fn fall<T: crate::Rolls>(&self, state: &mut State, nation: NationId, context: &mut T) {
        let named = *self.nations();
        let in_winter_war = nation == named.finland && state.diplomacy.holds(Fact::WinterWar);
        self.defeat(state, nation, context);
        if nation == named.poland {
            self.annex(state, "danzig", named.germany);
        }
        if nation == named.france {
            self.after_french_defeat(state, true);
        }
        if in_winter_war {
            state.diplomacy.set(Fact::WinterWar, false);
            state.diplomacy.finnish_peace = self.months_since_war(state) as i8;
            self.finland_defeated(state, context);
        }
    }

    /// Who holds the capital of a defeated nation controls all of it, if no unit of the other side is left there (16.92).
    fn check_conquests<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        for at in 0..self.rules.nations.len() {
            let nation = NationId::nth(at);
            let Some(capital) = self.rules.nations[at].capital else { continue };
            if self.status(state, nation) != Status::Defeated {
                continue;
            }
            let Some(by) = Camp::ALL.into_iter().find(|&camp| self.holds(state, camp, capital)) else {
                continue;
            };
            if state.diplomacy.conquered[by.index()].contains(nation) {
                continue;
            }
            let land = self.home(state, nation);
            let left = land.difference(&state.owners.of(by));
            if land.intersects(&state.occupied[by.enemy().index()]) {
                continue;
            }
            state.diplomacy.conquered[by.index()].insert(nation);
            state.diplomacy.conquered[by.enemy().index()].remove(nation);
            if left.is_empty() {
                continue;
            }
            let faction = Self::conqueror(state, by, capital);
            self.hand_over(state, &left, Some(faction));
            context.emit(|| Event::Conquered { nation, by: faction });
        }
    }

    /// Whose a land becomes that a camp has conquered with its capital.
    fn conqueror(state: &State, by: Camp, capital: Hex) -> Faction {
        match by {
            Camp::Axis => Faction::Axis,
            Camp::Coalition if state.owners.is_soviet(capital) => Faction::Soviets,
            Camp::Coalition => Faction::Allies,
        }
    }

    /// Who holds Casablanca, Algiers or Tunis has the colony, if no unit of the other side is left in it (B40).
    fn check_colonies(&self, state: &mut State) {
        for (capital, colony) in [("casablanca", "morocco"), ("algiers", "algeria"), ("tunis", "tunisia")] {
            let Some(capital) = self.rules.place(capital) else { continue };
            // As it is now: France may have fallen in this phase, and its colonies with it (20.47).
            let Some(by) = Camp::ALL.into_iter().find(|&camp| state.owners.owns(camp, capital)) else {
                continue;
            };
            let land = self.land(colony);
            let left = land.difference(&state.owners.of(by));
            if left.is_empty() || land.intersects(&state.occupied[by.enemy().index()]) {
                continue;
            }
            self.hand_over(state, &left, Some(Self::conqueror(state, by, capital)));
        }
    }
}
