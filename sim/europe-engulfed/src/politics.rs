//! Politics (9.0): who is in the war, who may enter whose land, declarations of war.
//!
//! ```text
//!  whose land is open to whom                                         politics
//!  declarations of war, at the start of Operational Movement          politics
//!  minors come into the war and surrender (9.6)                       minors
//!  armistice, Vichy, the end of France (9.5)                          france
//!  Italy's own wars (14.34)                                           italy
//!  those of the USSR (14.321)                                         soviets
//!  Yugoslav partisans (13.42)                                         partisans
//!  the Soviet front garrison (9.26)                                   garrison
//!  what comes by date: joining, American entry, the First Winter      calendar
//!  what is checked at the end of a turn: Italy, conquests             calendar
//! ```
//!
//! Section 9 is lost: its dates and amounts are data, and nearly all of them reconstructed.

mod calendar;
mod france;
mod garrison;
mod italy;
mod minors;
mod partisans;
mod soviets;

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, SpecialAction};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, NATIONS, Nation, Nations, Team, Units};
use crate::phase::Phase;
use crate::rules::{NationKind, Standing, Surprise};
use crate::state::{State, happened, mark};

/// Powers that declare war by choice, but for the USSR on Germany.
const DECLARERS: [Nation; 5] =
    [Nation::Germany, Nation::Italy, Nation::GreatBritain, Nation::UnitedStates, Nation::SovietUnion];

impl EuropeEngulfed {
    /// How a nation stands in the war.
    #[inline]
    pub fn standing(&self, state: &State, nation: Nation) -> Standing {
        state.affairs.standing[nation.index()]
    }
    /// Whether a nation is in the war.
    #[inline]
    pub(crate) fn is_at_war(&self, state: &State, nation: Nation) -> bool {
        state.belligerents & nation.bit() != 0
    }

    // ---- whose land is open to whom ----

    /// Nations whose areas a nation may enter: its own and its patron's clients; in the war those of partners and enemies. The
    /// USSR and the Western Allies keep out of each other's land (9.3, reconstructed).
    fn open_to(&self, state: &State, nation: Nation) -> Nations {
        let Some(team) = state.team(nation) else { return nation.bit() };
        let at_war = self.is_at_war(state, nation);
        let mut open = nation.bit();
        for other in Nation::ALL {
            if let Some(enters) = self.war_apart_between(state, nation, other) {
                open |= if enters { other.bit() } else { 0 };
                continue;
            }
            let enters = match state.team(other) {
                _ if nation == Nation::VichyFrance => false,
                Some(of) if of == team => {
                    let soviet = Nation::SovietUnion;
                    let apart =
                        nation == soviet && is_western(other) || other == soviet && is_western(nation);
                    at_war && self.is_at_war(state, other) && !apart && other != Nation::VichyFrance
                }
                Some(_) => at_war && self.is_at_war(state, other),
                None => at_war && other == Nation::VichyFrance && state.affairs.has(happened::END_OF_VICHY),
            };
            if enters {
                open |= other.bit();
            }
        }
        open
    }

    /// Works out the derived part of politics.
    pub(crate) fn derive_politics(&self, state: &mut State) {
        let standing = &state.affairs.standing;
        let fighting =
            Nation::ALL.into_iter().filter(|nation| standing[nation.index()] == Standing::Belligerent);
        state.belligerents = fighting.fold(0, |mask, nation| mask | nation.bit());
        let mut open = [0; NATIONS];
        for nation in Nation::ALL {
            open[nation.index()] = self.open_to(state, nation);
        }
        state.affairs.open = open;
    }

    /// Of some areas those in which a nation's units may be at all: by the rules of the scenario (16.12, A7), whose they are, where
    /// Axis minors operate (9.15 to 9.18), and who is there.
    #[must_use]
    pub fn open_among(&self, state: &State, nation: Nation, areas: &Areas) -> Areas {
        let entered = state.lands_open_to(nation).or(&self.pact_areas(state, nation));
        let mut open = areas.and(&entered).and(&self.tables.allowed[nation.index()]);
        if self.is_bound_by_pact(state, nation) {
            open = open.difference(&self.rules.politics.pact_closed);
        }
        if self.rules.options.italian_wars {
            open = open.difference(&self.closed_to_italy(state, nation));
        }
        if let Some(lands) = self.operates_in(state, nation) {
            open = open.and(lands);
        }
        if self.is_left_to_partisans(state, nation) {
            open = open.difference(&self.tables.home[Nation::Yugoslavia.index()]);
        }
        match self.kept_apart_from(state, nation) {
            Some(strangers) => open.difference(strangers),
            None => open,
        }
    }

    /// Whether a nation's units may be in an area at all.
    pub(crate) fn is_open_to(&self, state: &State, nation: Nation, area: Area) -> bool {
        self.open_among(state, nation, &Areas::one(area)).contains(area)
    }

    /// Areas of the pact that a nation may enter (9.25): the Soviets move in once Warsaw is German; what nobody has entered is open
    /// to both sides when they are at war (A90).
    pub(crate) fn pact_areas(&self, state: &State, nation: Nation) -> Areas {
        let soviet = nation == Nation::SovietUnion && state.affairs.has(happened::WARSAW_FELL);
        if soviet || state.affairs.soviet_war > 0 && self.is_at_war(state, nation) {
            let claimed = state.held(Team::First).or(state.held(Team::Second));
            return self.rules.politics.pact_areas.difference(&claimed);
        }
        Areas::EMPTY
    }

    /// Whether the pact keeps Germany and its partners out of areas of its own: until their war with the USSR (17.8(1); play book,
    /// L477).
    fn is_bound_by_pact(&self, state: &State, nation: Nation) -> bool {
        self.rules.setup.situation.politics
            && state.affairs.soviet_war == 0
            && state.team(nation) == Some(Team::First)
    }

    /// Where an Axis minor fights alone by its rules (9.15 to 9.18; A85).
    fn operates_in(&self, state: &State, nation: Nation) -> Option<&Areas> {
        let politics = &self.rules.politics;
        if self.is_partisan(state, nation) {
            return Some(&self.tables.home[nation.index()]);
        }
        let lands = match nation {
            Nation::Finland if !state.affairs.has(happened::LENINGRAD_FELL) => {
                &politics.finns_before_leningrad
            }
            _ => politics.operates_in.get(nation.index())?,
        };
        (!lands.is_empty() && state.team(nation) == Some(Team::First)).then_some(lands)
    }

    /// Soviet counters, and those Western ones on their side that never share an area with them (9.3).
    pub(crate) fn kept_apart(&self, state: &State) -> [Units; 2] {
        let Some(team) = state.team(Nation::SovietUnion) else { return [Units::EMPTY; 2] };
        let of = |units: &Units| units.and(&state.of_team[team.index()]);
        [of(&self.tables.of_nation[Nation::SovietUnion.index()]), of(&self.tables.western)]
    }

    /// Areas with counters with which those of a nation never share one.
    fn kept_apart_from<'a>(&self, state: &'a State, nation: Nation) -> Option<&'a Areas> {
        let team = state.team(nation)?;
        if state.team(Nation::SovietUnion) != Some(team) {
            return None;
        }
        let [soviet, western] = &state.apart;
        match nation {
            Nation::SovietUnion => Some(western),
            _ if is_western(nation) => Some(soviet),
            _ => None,
        }
    }

    /// Areas that a nation's side controls and it may use.
    pub(crate) fn friendly(&self, state: &State, nation: Nation) -> Areas {
        let Some(team) = state.team(nation) else { return Areas::EMPTY };
        let held = *state.held(team);
        let closed = state.nations(team) & !state.affairs.open[nation.index()];
        if closed == 0 { held } else { held.difference(&state.lands_of(closed)) }
    }

    /// Whether a border is closed in the first Initial Operational Movement Phase (15.4).
    pub(crate) fn is_closed_border(&self, state: &State, from: Area, to: Area) -> bool {
        let Some(country) = self.rules.setup.situation.closed_border else { return false };
        let inside = |area: Area| self.rules.areas[area.at()].country == country;
        state.turn == 1 && state.phase == Phase::Operational && inside(from) != inside(to)
    }

    // ---- declarations of war ----

    /// Whether the Phoney War keeps Germany from minors (9.11 b): until a date, or until Allied units have entered Germany
    /// (play book, L343); by option 14.31 never after the first turn.
    fn is_phoney_war(&self, state: &State) -> bool {
        let now = self.bimester(state.turn);
        now < self.rules.politics.phoney_war_ends
            && !state.affairs.has(happened::GERMANY_ENTERED)
            && !self.rules.options.german_freedom
    }

    /// Axis land units that watch the Soviets in Poland and East Prussia (play book, L273).
    fn polish_garrison(&self, state: &State) -> u32 {
        let areas = self.rules.politics.poland_garrison_areas;
        areas.iter().map(|area| self.land_units_at(state, Team::First, area).len()).sum()
    }

    /// Whether a nation may declare war on another now.
    pub(crate) fn may_declare(&self, state: &State, by: Nation, on: Nation) -> bool {
        let politics = &self.rules.politics;
        let italian = self.rules.options.italian_wars
            && match by {
                Nation::Italy => self.may_italy_attack(state, on) || self.may_italy_join(state, on),
                Nation::GreatBritain => self.may_britain_answer(state, on),
                _ => false,
            };
        if italian && self.rules.setup.situation.politics {
            return true;
        }
        match by {
            Nation::Italy => return false,
            Nation::SovietUnion => {
                return self.may_soviets_attack(state, on) || self.may_soviets_attack_group(state, on);
            }
            _ => {}
        }
        if !self.rules.setup.situation.politics
            || state.team(by) != Some(state.mover)
            || self.standing(state, on) != Standing::Neutral
            || state.affairs.mobilizing & on.bit() != 0
        {
            return false;
        }
        let candidate =
            self.rules.options.german_freedom && by == Nation::Germany && politics.candidates.contains(&on);
        let free = state.team(on).is_none() && on != Nation::BalticStates;
        let kind = self.rules.nations[on.index()].kind;
        let minor = (kind == NationKind::Minor || candidate) && free;
        match by {
            Nation::Germany => {
                let soviet = on == Nation::SovietUnion
                    && state.affairs.soviet_war == 0
                    && !self.is_pact_in_force(state);
                state.turn >= self.rules.setup.situation.declarations_from
                    && (soviet && state.team(on).is_some() || minor && !self.is_phoney_war(state))
            }
            // The USA by option 14.33 alone (A147).
            Nation::UnitedStates if !self.rules.options.western_wars => false,
            Nation::GreatBritain | Nation::UnitedStates => {
                let vichy = on == Nation::VichyFrance
                    && state.affairs.has(happened::VICHY)
                    && !state.affairs.has(happened::END_OF_VICHY);
                let listed = politics.western_targets & on.bit() != 0;
                let paid = self.may_attack_unlisted(state, on) && state.power(by).special_actions > 0;
                self.is_at_war(state, by) && (listed && (minor || vichy) || paid)
            }
            _ => false,
        }
    }

    /// Whether the pact holds both sides until the turn in which the USSR must declare war (16.33(1)).
    fn is_pact_in_force(&self, state: &State) -> bool {
        let until = self.rules.setup.situation.soviets_must_declare;
        until.is_some_and(|date| self.bimester(state.turn) < date)
    }

    /// Whether a Western Ally that spends a Special Action may declare war on a minor that is not on the list (14.33).
    fn may_attack_unlisted(&self, state: &State, on: Nation) -> bool {
        let kind = self.rules.nations[on.index()].kind;
        self.rules.options.western_wars
            && matches!(kind, NationKind::Minor | NationKind::AxisMinor)
            && state.team(on).is_none()
    }

    /// Whether the USSR may declare war on Germany (9.25, 9.26): without the garrison of five in the East once Poland has
    /// fallen (play book, L273), or late enough (play book, L59).
    fn may_attack_germany(&self, state: &State) -> bool {
        let situation = &self.rules.setup.situation;
        if !situation.politics
            || state.affairs.soviet_war > 0
            || state.mover != Team::Second
            || self.is_pact_in_force(state)
        {
            return false;
        }
        let stripped = state.affairs.has(happened::WARSAW_FELL)
            && self.polish_garrison(state) < u32::from(self.rules.politics.poland_garrison);
        let free = self.bimester(state.turn) >= self.rules.politics.soviet_freedom;
        state.team(Nation::SovietUnion) == Some(Team::Second) && (stripped || free)
    }

    /// Why war cannot be declared.
    pub(crate) fn why_no_war(&self, state: &State, by: Nation, on: Nation) -> &'static str {
        if state.team(by) != Some(state.mover) {
            return "it is not the turn of the power";
        }
        if self.rules.options.italian_wars && (by, on) == (Nation::Italy, Nation::France) {
            return "an Allied land unit guards the French Alps, or Italy is in the war (14.345)";
        }
        if self.standing(state, on) != Standing::Neutral && by != Nation::SovietUnion {
            return "the power is not neutral (9.0)";
        }
        match by {
            Nation::Germany if state.turn < self.rules.setup.situation.declarations_from => {
                "Germany declares no war in the first turn (17.8)"
            }
            Nation::Germany | Nation::SovietUnion
                if self.is_pact_in_force(state) && [by, on].contains(&Nation::SovietUnion) =>
            {
                "the pact holds until the USSR must declare war (16.33)"
            }
            Nation::Germany if on != Nation::SovietUnion && self.is_phoney_war(state) => {
                "the Phoney War keeps Germany from minors (9.11)"
            }
            Nation::SovietUnion
                if self.rules.setup.situation.soviets_attack_minors
                    && state.affairs.soviet_war > 0
                    && self.neutral_axis_minors(state) & on.bit() != 0 =>
            {
                "it declares war on all neutral Axis minors together, in the name of the first (16.33)"
            }
            Nation::SovietUnion if on != Nation::Germany => {
                "it may attack one neutral minor a turn beside its units, from March 1940, while it is at war with nobody (14.321)"
            }
            Nation::SovietUnion => "the garrison in the East holds the USSR to the pact (9.25)",
            _ if state.phase != Phase::Declarations => {
                "wars are declared at the start of Initial Operational Movement alone (9.0)"
            }
            Nation::GreatBritain | Nation::UnitedStates if !self.is_at_war(state, by) => {
                "the power is not in the war (9.0)"
            }
            Nation::GreatBritain | Nation::UnitedStates if self.may_attack_unlisted(state, on) => {
                "the power has no Special Action for a war that is not on the list (14.33)"
            }
            Nation::GreatBritain | Nation::UnitedStates => {
                "the Western Allies may not declare war on it (9.31)"
            }
            _ => "the power may not declare war on it (9.0)",
        }
    }

    /// Whether the phase has anything to decide.
    pub(crate) fn has_declarations(&self, state: &State) -> bool {
        self.rules.setup.situation.politics
            && (self.may_attack_germany(state)
                || DECLARERS
                    .into_iter()
                    .any(|by| Nation::ALL.into_iter().any(|on| self.may_declare(state, by, on))))
    }

    pub(crate) fn declaration_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        for by in DECLARERS {
            let targets = Nation::ALL.into_iter().filter(|on| self.may_declare(state, by, *on));
            out.extend(targets.map(|on| Action::DeclareWar(by, on)));
        }
        if self.may_attack_germany(state) {
            out.push(Action::DeclareWar(Nation::SovietUnion, Nation::Germany));
        }
    }

    pub(crate) fn declaration_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match action {
            Action::DeclareWar(by, on) => self.declare_war(state, by, on, context),
            _ => self.end_phase(state, context),
        }
    }

    /// A war begins.
    pub(crate) fn declare_war(&self, state: &mut State, by: Nation, on: Nation, context: &mut impl Rolls) {
        context.emit(|| Event::WarDeclared { by, on });
        if self.standing(state, on) == Standing::Neutral
            && self.rules.nations[by.index()].kind == NationKind::Major
        {
            state.affairs.surprise.by |= by.bit();
            state.affairs.surprise.on |= on.bit();
        }
        if self.begin_italian_war(state, by, on, context) {
            return;
        }
        if on == Nation::SovietUnion || (by, on) == (Nation::SovietUnion, Nation::Germany) {
            return self.begin_soviet_war(state, by == Nation::Germany, context);
        }
        if by == Nation::SovietUnion {
            if self.may_soviets_attack_group(state, on) {
                return self.begin_war_on_group(state, context);
            }
            self.begin_war_on_minor(state, on);
        }
        let candidate = self.rules.politics.candidates.contains(&on);
        match by {
            Nation::Germany if matches!(on, Nation::Sweden | Nation::Spain) => {
                state.affairs.happened |= happened::WAR_ON_SWEDEN_OR_SPAIN;
            }
            Nation::Germany if matches!(on, Nation::Belgium | Nation::Holland) => {
                let neutral =
                    |nation: Nation| nation != on && self.standing(state, nation) == Standing::Neutral;
                if ![Nation::Belgium, Nation::Holland].into_iter().any(neutral) {
                    self.trigger_terms(state);
                }
            }
            Nation::Germany if candidate => state.affairs.happened |= happened::WAR_ON_CANDIDATE,
            Nation::GreatBritain | Nation::UnitedStates
                if self.rules.politics.western_targets & on.bit() == 0 =>
            {
                self.spend(state, by, SpecialAction::War, context);
                if on == Nation::Portugal {
                    state.affairs.happened |= happened::PORTUGAL_ATTACKED;
                }
            }
            _ => {}
        }
        let enemy = if self.rules.nations[by.index()].kind == NationKind::Major {
            state.team(by).map(Team::other)
        } else {
            None
        };
        state.powers[on.index()].team = enemy;
        if on != Nation::VichyFrance {
            self.mobilize(state, on, false);
        }
        self.set_standing(state, on, Standing::Belligerent, context);
    }

    /// Germany and the USSR go to war: full production, the cadre benefit, the draft if Germany has attacked (9.24); Finland
    /// joins the Axis (reconstructed).
    pub(crate) fn begin_soviet_war(&self, state: &mut State, by_germany: bool, context: &mut impl Rolls) {
        if by_germany && self.are_soviets_distracted(state) {
            state.affairs.happened |= happened::SOVIETS_CAUGHT;
        }
        state.affairs.soviet_war = state.turn;
        if by_germany {
            state.affairs.happened |= happened::GERMANY_ATTACKED;
            if !self.do_benefits_wait(state) {
                self.open_draft(state);
            }
        }
        // By option it rolls whether it joins (14.311).
        if self.standing(state, Nation::Finland) == Standing::Neutral && !self.rules.options.german_freedom {
            self.join_axis(state, Nation::Finland, context);
        }
        self.set_standing(state, Nation::SovietUnion, Standing::Belligerent, context);
    }

    /// Who surprises whom: in the Initial Combat Phase of the player turn in which a Major Power has declared war on a neutral
    /// (14.43), and in that of the first player turn as the scenario says.
    pub(crate) fn surprise(&self, state: &State) -> Surprise {
        if !self.rules.options.surprise || state.phase != Phase::Combat {
            return Surprise::NONE;
        }
        let opening = state.turn == 1 && state.mover == Team::First;
        if opening { self.rules.setup.situation.surprise } else { state.affairs.surprise }
    }

    /// Whether Germany can still decide to pause: in the turn after it has attacked the USSR, before anybody has moved; there is
    /// no use in it once the First Winter has passed (14.41).
    pub(crate) fn may_pause(&self, state: &State) -> bool {
        self.rules.options.paulus_pause
            && state.mover == Team::First
            && state.affairs.soviet_war > 0
            && state.affairs.has(happened::GERMANY_ATTACKED)
            && state.turn == state.affairs.soviet_war + 1
            && !state.affairs.has(happened::PAUSE | happened::FIRST_WINTER)
            && !state.marked(mark::MOVED).intersects(&state.of_team[Team::First.index()])
    }

    /// Areas in which the Axis neither moves nor fights in the phase, for it pauses: the eastern zone (14.41).
    pub(crate) fn paused_areas(&self, state: &State) -> Areas {
        let pauses = state.affairs.has(happened::PAUSE)
            && state.turn == state.affairs.soviet_war + 1
            && state.mover == Team::First
            && matches!(state.phase, Phase::Operational | Phase::Combat);
        if pauses { self.tables.eastern } else { Areas::EMPTY }
    }

    /// A nation stands otherwise from now on; what follows for who may be where is worked out anew.
    pub(crate) fn set_standing(
        &self,
        state: &mut State,
        nation: Nation,
        standing: Standing,
        context: &mut impl Rolls,
    ) {
        state.affairs.standing[nation.index()] = standing;
        if nation == Nation::Italy {
            // Its own wars are part of the war now (14.343).
            state.affairs.counts.italy.victim = None;
        }
        if nation == Nation::SovietUnion {
            state.affairs.counts.soviets.victim = None;
        }
        context.emit(|| Event::StandingChanged { nation, standing });
        self.derive(state);
    }

    /// What the fall of a city sets off, whether it is entered or won in battle: of Warsaw (9.25), of Leningrad (A85).
    pub(crate) fn note_fall(&self, state: &mut State, area: Area, to: Team) {
        if to != Team::First || !self.rules.setup.situation.politics {
            return;
        }
        if Some(area) == self.tables.capitals[Nation::Poland.index()] {
            state.affairs.happened |= happened::WARSAW_FELL;
        }
        if Some(area) == self.rules.politics.leningrad {
            state.affairs.happened |= happened::LENINGRAD_FELL;
        }
    }

    /// What units that come into an area set off: the end of the Phoney War, Americans in Vichy.
    pub(crate) fn notice(&self, state: &mut State, area: Area, by: Nation) {
        if !self.rules.setup.situation.politics {
            return;
        }
        let (team, mut seen) = (state.team(by), 0);
        let country = self.country_of(area);
        if team == Some(Team::Second) && country.owner == Nation::Germany && country.home {
            seen |= happened::GERMANY_ENTERED;
        }
        let american = matches!(by, Nation::UnitedStates | Nation::FreeFrance);
        if american && state.affairs.has(happened::VICHY) && self.vichy_lands(state).contains(area) {
            seen |= happened::AMERICANS_IN_VICHY;
        }
        if by == Nation::Germany && self.tables.home[Nation::France.index()].contains(area) {
            self.trigger_terms(state);
        }
        state.affairs.happened |= seen;
    }
}

/// Whether a nation is one of the Western Allies.
pub(crate) fn is_western(nation: Nation) -> bool {
    matches!(nation, Nation::GreatBritain | Nation::UnitedStates | Nation::France | Nation::FreeFrance)
}
