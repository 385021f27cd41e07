//! France (9.5): the armistice, Vichy and its end, conquest. By option the longer Germany takes the worse are the terms (14.35): Vichy
//! without the Levant, or France fights on: once conquered it has a pool abroad, that Great Britain builds and then the USA.

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, KindId, Nation, Nations, Sea, Team, UnitId};
use crate::phase::Phase;
use crate::rules::{CountryKind, Standing};
use crate::state::{State, Terms, happened};

impl EuropeEngulfed {
    /// Whether France offers an armistice: at the end of an Axis phase with Paris German and joined to Germany (play book,
    /// L213, L341); by option in the player turn of the trigger alone (14.353).
    pub(crate) fn armistice_is_offered(&self, state: &State) -> bool {
        let france = &state.affairs.counts.france;
        let in_time = france.trigger == 0 || france.trigger == state.turn && france.terms == Terms::Open;
        (in_time || !self.rules.options.french_terms) && self.has_lost_paris(state)
    }

    /// Whether an armistice can be asked for (9.521).
    fn has_lost_paris(&self, state: &State) -> bool {
        let Some(paris) = self.tables.capitals[Nation::France.index()] else { return false };
        self.rules.setup.situation.politics
            && state.mover == Team::First
            && self.does_france_fight(state)
            && state.held(Team::First).contains(paris)
            && !state.is_disputed(paris)
            && self.supplied_areas(state, Nation::Germany).contains(paris)
    }

    /// The next phase follows, unless the armistice is decided first.
    pub(crate) fn after_armistice(&self, state: &mut State, next: Phase, context: &mut impl Rolls) {
        if self.armistice_is_offered(state) {
            state.affairs.resume = next;
            state.affairs.counts.france.refused = self.rules.options.french_terms;
            return self.start_phase(state, Phase::Armistice, context);
        }
        self.start_phase(state, next, context);
    }

    pub(crate) fn armistice_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let france = &mut state.affairs.counts.france;
        if action == Action::Agree {
            france.refused = false;
            self.vichy_begins(state, context);
        } else if france.terms == Terms::WithoutLevant {
            france.terms = Terms::FightsOn;
        }
        self.go_on_after_armistice(state, context);
    }

    // ---- terms by the time it takes (14.35) ----

    /// Whether France is in the war at home.
    pub(crate) fn does_france_fight(&self, state: &State) -> bool {
        self.is_at_war(state, Nation::France) && !state.affairs.has(happened::FRANCE_IN_EXILE)
    }

    /// Germans have entered France, or Germany has attacked Belgium and Holland (14.352).
    pub(super) fn trigger_terms(&self, state: &mut State) {
        let turn = state.turn;
        let france = &mut state.affairs.counts.france;
        if self.rules.options.french_terms && france.trigger == 0 {
            france.trigger = turn;
        }
    }

    /// The end of an Axis player turn after that of the trigger: France that has lost Paris rolls for its terms, once; whether it
    /// offers any (14.354).
    pub(crate) fn comes_to_terms(&self, state: &mut State, context: &mut impl Rolls) -> bool {
        let france = state.affairs.counts.france;
        let rolls = self.rules.options.french_terms
            && state.mover == Team::First
            && france.trigger > 0
            && state.turn > france.trigger
            && france.terms == Terms::Open
            && self.has_lost_paris(state);
        if !rolls {
            return false;
        }
        let rules = &self.rules.optional.french;
        let roll = context.die(6) as i8 + self.bearing_on_terms(state);
        let terms = match roll {
            _ if roll <= rules.rolls[0] => Terms::FightsOn,
            _ if roll <= rules.rolls[1] => Terms::WithoutLevant,
            _ => Terms::Standard,
        };
        let france = &mut state.affairs.counts.france;
        (france.terms, france.refused) = (terms, terms == Terms::Standard);
        terms != Terms::FightsOn
    }

    /// What is added to the roll for the terms (14.354; A25).
    fn bearing_on_terms(&self, state: &State) -> i8 {
        let rules = &self.rules.optional.french;
        let home = self.tables.home[Nation::France.index()];
        let on_map = |nation: Nation| self.tables.of_nation[nation.index()].and(&state.on_map);
        let blocks = on_map(Nation::France).and(&self.tables.land_units).len();
        let british =
            state.places.standing(&on_map(Nation::GreatBritain), |at: Area| home.contains(at)).len();
        let late = state.turn.saturating_sub(state.affairs.counts.france.trigger + 1);
        let cities = self.rules.politics.french_cities.difference(state.held(Team::First));
        let mut more = -rules.late * late.min(9) as i8;
        more += if blocks < u32::from(rules.few.0) { rules.few.1 } else { 0 };
        more += if cities.is_empty() { rules.marseille } else { 0 };
        more - if british >= u32::from(rules.british.0) { rules.british.1 } else { 0 }
    }

    /// The end of a turn in which an armistice as in 9.52 was open: France that is still in the war fights on (14.353, 14.354).
    fn harden_terms(&self, state: &mut State) {
        let fights = self.rules.options.french_terms && self.does_france_fight(state);
        let france = &mut state.affairs.counts.france;
        if std::mem::take(&mut france.refused) && fights && france.trigger > 0 {
            france.terms = Terms::FightsOn;
        }
    }

    /// Areas of Vichy, without the Levant where France has kept it from the armistice.
    pub(super) fn vichy_lands(&self, state: &State) -> Areas {
        let vichy = self.rules.politics.vichy;
        match state.affairs.counts.france.terms {
            Terms::WithoutLevant => vichy.difference(&self.rules.optional.french.levant),
            _ => vichy,
        }
    }

    // ---- France fights on from abroad (14.354) ----

    /// Whether a nation is France that fights on after its conquest.
    #[inline]
    pub(crate) fn is_exile(&self, state: &State, nation: Nation) -> bool {
        nation == Nation::France && state.affairs.has(happened::FRANCE_IN_EXILE)
    }

    /// Who builds what is left of France: Great Britain, from their entry on the USA.
    pub(crate) fn host(&self, state: &State) -> Nation {
        let americans = self.is_at_war(state, Nation::UnitedStates);
        if americans { Nation::UnitedStates } else { Nation::GreatBritain }
    }

    /// Nations whose units a nation builds: its clients, who has joined the Axis of its own will, and France in exile.
    pub(crate) fn built_by(&self, state: &State, payer: Nation) -> Nations {
        let exiles = self.is_exile(state, Nation::France) && self.host(state) == payer;
        let joined =
            if payer == Nation::Germany { state.affairs.adopted & state.nations(Team::First) } else { 0 };
        self.tables.clients[payer.index()] | joined | if exiles { Nation::France.bit() } else { 0 }
    }

    /// Where new units of a nation come in: of France in exile with the British, later with the Free French (9.533).
    pub(crate) fn new_unit_areas(&self, state: &State, nation: Nation) -> Areas {
        let at_host = match self.host(state) {
            Nation::UnitedStates => Nation::FreeFrance,
            host => host,
        };
        let nation = if self.is_exile(state, nation) { at_host } else { nation };
        self.tables.new_units[nation.index()]
    }

    /// Where a counter goes that is lost: to the pool; of France in exile one destroyed in combat is out of the game, but for as many
    /// as the Free French have (9.53).
    pub(crate) fn grave(&self, state: &State, unit: UnitId, cause: LossCause) -> Area {
        let in_combat = matches!(cause, LossCause::Fire | LossCause::AirCombat | LossCause::Overrun);
        if !in_combat || !self.is_exile(state, self.nation(unit)) {
            return Area::POOL;
        }
        let kind = self.kind(unit);
        let free = self.rules.kinds.iter().filter(|other| {
            (other.nation, other.branch, other.max) == (Nation::FreeFrance, kind.branch, kind.max)
        });
        let least: usize = free.map(|other| usize::from(other.counters)).sum();
        let left = self.counters(self.kind_of(unit)).filter(|other| state.location(*other) != Area::GONE);
        if left.count() > least { Area::GONE } else { Area::POOL }
    }

    /// France is conquered and fights on: it loses its Special Action and most of its counters, the others are built anew abroad (A135);
    /// of its Fleet Points one becomes British, the other on a roll.
    fn goes_into_exile(&self, state: &mut State, context: &mut impl Rolls) {
        let rules = &self.rules.optional.french;
        state.affairs.happened |= happened::FRANCE_IN_EXILE;
        for unit in self.tables.of_nation[Nation::France.index()] {
            if state.is_on_map(unit) || state.location(unit) == Area::WAITING {
                self.send(state, unit, Area::POOL);
            }
        }
        for &(kind, count) in &rules.removed {
            for unit in self.counters(KindId(kind)).take(usize::from(count)) {
                state.places.put(unit, Area::GONE);
            }
        }
        let power = &mut state.powers[Nation::France.index()];
        (power.special_actions, power.special_action_pool) = (0, 0);
        let points = self.fleet_of(state, Nation::France);
        self.scuttle(state, Nation::France);
        let second = points > 1 && context.die(6) >= u32::from(rules.fleet_on);
        state.affairs.counts.france.fleets = points.min(1) + u8::from(second);
        self.derive(state);
    }

    /// Sea zones in which a French Fleet Point becomes British.
    pub(crate) fn fleet_havens(&self, state: &State, out: &mut Vec<Action>) {
        if state.affairs.counts.france.fleets > 0 {
            let open = |sea: &Sea| self.rules.seas[sea.at()].open_to & Nation::GreatBritain.bit() != 0;
            out.extend(self.sea_zones().filter(open).map(Action::Fleet));
        }
    }

    pub(crate) fn place_french_fleet(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Fleet(sea) = action else { return self.end_phase(state, context) };
        state.affairs.counts.france.fleets -= 1;
        state.fleets[Nation::GreatBritain.index()].ready[sea.at()] += 1;
        state.cache.invalidate();
    }

    /// Vichy France: the French army and fleet are removed; the south and the colonies are Vichy's, the west is Germany's (play
    /// book, L341, L495). What the Axis has taken of the south stays its own (ruling).
    fn vichy_begins(&self, state: &mut State, context: &mut impl Rolls) {
        let vichy = self.vichy_lands(state);
        state.affairs.happened |= happened::VICHY | happened::FALL_OF_FRANCE;
        self.leaves_the_war(state, Nation::France, context);
        for area in self.rules.politics.vichy.difference(&vichy) {
            if state.controller(area) == Some(Nation::France) {
                self.bequeath(state, area, Team::Second, Nation::GreatBritain, context);
            }
        }
        state.affairs.standing[Nation::VichyFrance.index()] = Standing::Neutral;
        // Where an ally disputes an area he stays.
        let south =
            vichy.filter(|area| state.controller(area) == Some(Nation::France) && !state.is_disputed(area));
        for area in south {
            for unit in state.of_team_at(Team::Second, area) {
                self.evacuate(state, unit, area, context);
            }
            self.hand_over(state, area, Nation::VichyFrance, context);
        }
        self.passes_on(state, Nation::France, Team::Second, |_| Some(Nation::Germany), context);
        let mut garrison = self.tables.of_nation[Nation::VichyFrance.index()].into_iter();
        for &area in &self.rules.politics.vichy_units {
            if state.controller(area) != Some(Nation::VichyFrance) {
                continue;
            }
            if let Some(unit) = garrison.next() {
                state.steps[unit.at()] = self.max_steps(unit);
                self.put(state, unit, area);
                context.emit(|| Event::Moved { unit, from: Area::POOL, to: area, how: Way::Deployed });
            }
        }
        self.derive(state);
    }

    /// An Allied unit on land that becomes neutral goes to the nearest friendly port, or is lost (9.52, reconstructed).
    fn evacuate(&self, state: &mut State, unit: UnitId, from: Area, context: &mut impl Rolls) {
        let nation = self.nation(unit);
        let here = &self.rules.areas[from.at()];
        let distance = |area: Area| {
            let there = &self.rules.areas[area.at()];
            (there.lat - here.lat).powi(2) + (there.lon - here.lon).powi(2)
        };
        let vichy = self.vichy_lands(state);
        let ports = self.friendly(state, nation).filter(|area| {
            self.rules.areas[area.at()].ports != 0
                && !state.disabled_ports.contains(area)
                && !state.is_disputed(area)
                && !vichy.contains(area)
                && state.controller(area) != Some(Nation::France)
                && self.has_room(state, Team::Second, unit, area)
        });
        match ports.iter().min_by(|one, other| distance(*one).total_cmp(&distance(*other))) {
            Some(to) => {
                self.put(state, unit, to);
                context.emit(|| Event::Moved { unit, from, to, how: Way::Withdrawal });
            }
            None => self.eliminate(state, unit, LossCause::Supply, context),
        }
    }

    /// France is conquered when the Axis has Paris and Marseille at the end of an Allied player turn (play book, L341): France
    /// itself is Germany's, the colonies are Britain's (9.52, reconstructed).
    pub(crate) fn conquest_of_france(&self, state: &mut State, context: &mut impl Rolls) {
        let politics = &self.rules.politics;
        if !self.does_france_fight(state)
            || politics.french_cities.is_empty()
            || !politics.french_cities.difference(state.held(Team::First)).is_empty()
        {
            return self.harden_terms(state);
        }
        state.affairs.happened |= happened::FALL_OF_FRANCE;
        if state.affairs.counts.france.terms == Terms::FightsOn {
            self.goes_into_exile(state, context);
        } else {
            self.leaves_the_war(state, Nation::France, context);
        }
        let owner = |area: Area| {
            let country = self.country_of(area);
            Some(if country.kind == CountryKind::Major { Nation::Germany } else { Nation::GreatBritain })
        };
        self.passes_on(state, Nation::France, Team::Second, owner, context);
    }

    /// Vichy ends with the Allied player turn in which Americans first entered its land in France or North Africa: its units are
    /// gone, overseas it is Allied, at home whoever enters takes it (reconstructed).
    pub(crate) fn end_of_vichy(&self, state: &mut State, context: &mut impl Rolls) {
        if !state.affairs.has(happened::AMERICANS_IN_VICHY) || state.affairs.has(happened::END_OF_VICHY) {
            return;
        }
        state.affairs.happened |= happened::END_OF_VICHY;
        self.leaves_the_war(state, Nation::VichyFrance, context);
        let owner = |area: Area| {
            let country = self.country_of(area);
            (country.kind == CountryKind::Overseas).then_some(Nation::GreatBritain)
        };
        self.passes_on(state, Nation::VichyFrance, Team::First, owner, context);
    }
}
