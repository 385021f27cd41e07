//! France (9.5): the armistice, Vichy and its end, conquest.

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Nation, Team, UnitId};
use crate::phase::Phase;
use crate::rules::{CountryKind, Standing};
use crate::state::{State, happened};

impl EuropeEngulfed {
    /// Whether France offers an armistice: at the end of an Axis phase with Paris German and joined to Germany (play book,
    /// L213, L341).
    pub(crate) fn armistice_is_offered(&self, state: &State) -> bool {
        let Some(paris) = self.tables.capitals[Nation::France.index()] else { return false };
        self.rules.setup.situation.politics
            && state.mover == Team::First
            && self.is_at_war(state, Nation::France)
            && state.held(Team::First).contains(paris)
            && !state.is_disputed(paris)
            && self.supplied_areas(state, Nation::Germany).contains(paris)
    }

    /// The next phase follows, unless the armistice is decided first.
    pub(crate) fn after_armistice(&self, state: &mut State, next: Phase, context: &mut impl Rolls) {
        if self.armistice_is_offered(state) {
            state.affairs.resume = next;
            return self.start_phase(state, Phase::Armistice, context);
        }
        self.start_phase(state, next, context);
    }

    pub(crate) fn armistice_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        if action == Action::Agree {
            self.vichy_begins(state, context);
        }
        let next = state.affairs.resume;
        self.start_phase(state, next, context);
    }

    /// Vichy France: the French army and fleet are removed; the south and the colonies are Vichy's, the west is Germany's (play
    /// book, L341, L495). What the Axis has taken of the south stays its own (ruling).
    fn vichy_begins(&self, state: &mut State, context: &mut impl Rolls) {
        let vichy = self.rules.politics.vichy;
        state.affairs.happened |= happened::VICHY | happened::FALL_OF_FRANCE;
        self.leaves_the_war(state, Nation::France, context);
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
        let vichy = self.rules.politics.vichy;
        let ports = self.friendly(state, nation).filter(|area| {
            self.rules.areas[area.at()].ports != 0
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
        if !self.is_at_war(state, Nation::France)
            || politics.french_cities.is_empty()
            || !politics.french_cities.difference(state.held(Team::First)).is_empty()
        {
            return;
        }
        state.affairs.happened |= happened::FALL_OF_FRANCE;
        self.leaves_the_war(state, Nation::France, context);
        let owner = |area: Area| {
            let country = &self.rules.countries[self.rules.areas[area.at()].country as usize];
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
            let country = &self.rules.countries[self.rules.areas[area.at()].country as usize];
            (country.kind == CountryKind::Overseas).then_some(Nation::GreatBritain)
        };
        self.passes_on(state, Nation::VichyFrance, Team::First, owner, context);
    }
}
