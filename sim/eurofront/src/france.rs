//! France (20.4): morale, Allied Solidarity, the Armistice, Vichy, Free France.

use sandtable_core::Index;

use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{BlockId, Camp, Faction, Hexes, LandId, NationId, is_on_map, place};
use crate::nations::{Land, Ties};
use crate::rules::{Condition, Fact, Status};
use crate::state::{Mark, State};

/// Lands that become Vichy's: its part of France, Corsica and the colonies (20.481).
const VICHY: [&str; 6] = ["vichy", "corsica", "morocco", "algeria", "tunisia", "french_empire"];

/// Whether a land is Vichy's when it is created.
pub(crate) fn is_vichy(land: &Land) -> bool {
    VICHY.iter().any(|name| land.territory == *name || land.territory.is_empty() && land.country == *name)
}

impl EuroFront {
    // ---- morale and solidarity (20.44, 20.45) ----

    /// In the Axis's politics: France may be demoralised; if it was before, Solidarity is checked.
    pub(crate) fn check_french_morale<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let named = *self.nations();
        if self.faction_of(state, named.france).is_none() {
            return;
        }
        if state.diplomacy.demoralised.contains(named.france) {
            return self.check_solidarity(state, context);
        }
        let land = self.land("france").or(&self.land("belgium"));
        let cities = land.and(&self.objectives().large_cities);
        let lost = self.held_of(state, Camp::Axis, &cities.or(&self.objectives().maginot)) > 0;
        if lost && self.status(state, named.poland) == Status::Defeated {
            self.demoralise(state, named.france, context);
        }
    }

    /// The British Expeditionary Force as Solidarity counts it (20.45, B10, P42): British units in France or Belgium, twice
    /// in Belgium, in hexes the Axis controls or next to one; and those eliminated there, once.
    pub fn expeditionary_force(&self, state: &State) -> u32 {
        let belgium = self.land("belgium");
        let theatre = self.land("france").or(&belgium);
        let axis = self.held(state, Camp::Axis);
        let near = axis.or(&self.board().across(&axis, &self.map().land)).or(&belgium);
        let british = self.forces(state, self.nations().britain);
        let there = british.filter(|block| theatre.contains(state.at(block)));
        let twice = there.filter(|block| near.contains(state.at(block)));
        let fallen = state.marked(Mark::FALLEN).filter(|block| state.at(block) == place::ELIMINATED);
        there.len() + twice.len() + fallen.len()
    }

    /// A die at or above the size of the force lets Solidarity fail; the second failure forces an offer of armistice.
    fn check_solidarity<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if state.diplomacy.solidarity >= 2 {
            return;
        }
        let forces = self.expeditionary_force(state).min(7) as u8;
        let certain = forces <= 1 || forces > 6; // B29
        let roll = if certain { 0 } else { context.die(6) as u8 };
        let holds = if certain { forces > 6 } else { roll < forces };
        context.emit(|| Event::Solidarity { roll, forces, holds });
        if !holds {
            state.diplomacy.solidarity += 1;
            if state.diplomacy.solidarity == 2 {
                state.diplomacy.set(Fact::ArmisticeForced, true);
            }
        }
    }

    /// Whether a block is British and in France or Belgium: eliminated there it counts until it is rebuilt (B64).
    pub(crate) fn falls_in_france(&self, state: &State, block: BlockId) -> bool {
        let at = state.at(block);
        self.block(block).nation == self.nations().britain
            && !self.is_civil_war()
            && is_on_map(at)
            && self.known_lands().france_and_belgium.contains(at)
    }

    // ---- the Armistice (20.46) ----

    /// Whether the Allies may offer the French Armistice: once a game, while France fights on their side.
    pub(crate) fn french_armistice_possible(&self, state: &State) -> bool {
        let france = self.nations().france;
        !state.diplomacy.holds(Fact::ArmisticeOffered)
            && self.faction_of(state, france) == Some(Faction::Allies)
            && !self.nations().vichy.is_none()
    }

    /// Accepted: France is defeated, all its units are eliminated; Vichy is created, the rest is the Axis's (20.46, 20.48).
    pub(crate) fn accept_french_armistice<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let named = *self.nations();
        state.diplomacy.set(Fact::ArmisticeOffered, true);
        self.defeat(state, named.france, context);
        for (at, land) in self.tables.nations.lands.iter().enumerate() {
            if is_vichy(land) {
                state.diplomacy.lands[LandId::nth(at)] = named.vichy;
            }
        }
        state.diplomacy.status[named.vichy] = Status::CooperatesWithAxis;
        state.diplomacy.cause[named.vichy] = Ties::CoBelligerent;
        // Who stands in its land leaves before that changes hands (16.721, B39); the rest of France goes by conquest (20.46).
        let vichy = self.territory(state, named.vichy);
        self.withdraw_from(state, &vichy, context);
        self.hand_over(state, &vichy, None);
        context.emit(|| Event::Cooperates { nation: named.vichy, faction: Faction::Axis });
        self.after_french_defeat(state, false);
    }

    /// Refused: France is defeated and fights on beside Britain as Free France (20.491).
    pub(crate) fn refuse_french_armistice<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let france = self.nations().france;
        state.diplomacy.set(Fact::ArmisticeOffered, true);
        state.diplomacy.set(Fact::ArmisticeRefused, true);
        state.diplomacy.set(Fact::AngloFrenchUnion, true);
        state.diplomacy.status[france] = Status::Defeated;
        state.diplomacy.since[france] = self.months_since_war(state) as i8;
        context.emit(|| Event::Defeated { nation: france });
        self.after_french_defeat(state, false);
    }

    /// What follows of itself when France is defeated (20.47); without an offer of armistice the colonies turn to the Axis.
    pub(crate) fn after_french_defeat(&self, state: &mut State, without_offer: bool) {
        state.diplomacy.set(Fact::FrenchDefeated, true);
        state.diplomacy.set(Fact::PhoneyWar, false);
        state.diplomacy.set(Fact::ArmisticeForced, false);
        self.call_up(state, Condition::FrenchDefeat);
        if without_offer {
            let colonies = ["morocco", "algeria", "tunisia", "french_empire"].map(|name| self.land(name));
            let colonies = colonies.iter().fold(Hexes::EMPTY, Hexes::or);
            let allied = state.occupied[Camp::Coalition.index()];
            self.hand_over(state, &colonies.difference(&allied), Some(Faction::Axis));
        }
    }

    /// Whether units of a nation fight as Free French: under British headquarters, supplied straight from London (20.492,
    /// 20.493).
    pub(crate) fn is_free_french(&self, state: &State, nation: NationId) -> bool {
        let named = self.nations();
        nation == named.free_france
            || nation == named.france && state.diplomacy.holds(Fact::AngloFrenchUnion)
            || nation == named.vichy && self.faction_of(state, named.vichy) == Some(Faction::Allies)
    }

    /// Whether a French headquarters that has outlived France stands where it cannot be activated: beyond France, Belgium, French
    /// North Africa and the nations and colonies next to them (20.494).
    pub(crate) fn is_french_abroad(&self, state: &State, headquarters: BlockId) -> bool {
        let nation = self.brief(headquarters).nation;
        if nation != self.nations().france || !self.is_free_french(state, nation) {
            return false;
        }
        let (at, known) = (state.at(headquarters), self.known_lands());
        let france = known.france_and_belgium.or(&known.north_africa).or(&self.land("corsica"));
        if france.contains(at) {
            return false;
        }
        let home = self.home(state, self.owner_nation(state, at));
        let colony = || self.tables.nations.lands.get(self.tables.nations.land_of[at.at()].at());
        let around = if home.contains(at) { home } else { colony().map_or(Hexes::EMPTY, |land| land.hexes) };
        !around.intersects(&self.bordering(&france))
    }

    /// Whether a French headquarters is disrupted for good (20.44).
    pub(crate) fn is_broken(&self, state: &State, block: BlockId) -> bool {
        let france = self.nations().france;
        self.block(block).nation == france && state.diplomacy.demoralised.contains(france)
    }

    /// Whether an eliminated block may be rebuilt: not those of defeated nations, nor converted Frenchmen (16.91, 20.492); of who has
    /// surrendered without a desertion the equivalent may (16.84).
    pub(crate) fn may_be_rebuilt(&self, state: &State, block: BlockId) -> bool {
        let nation = self.block(block).nation;
        state.at(block) == place::ELIMINATED
            && (self.is_civil_war()
                || self.status(state, nation) != Status::Defeated
                || state.has(block, Mark::EQUIVALENT))
    }
}
