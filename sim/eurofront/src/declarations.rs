//! Declarations of war (16.4), treason (16.41), surprise (20.16), reaction alliances (16.5).

use sandtable_core::{ActionSink, Flow, Index};

use crate::action::Action;
use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{BlockId, Camp, EventId, Faction, Front, Hexes, NationId, Nations};
use crate::nations::{Resume, Ties};
use crate::rules::{Fact, Kind, Reaction, Status, Weather};
use crate::state::State;

/// Months from September 1939 to the first winter, before which the Allies declare no war (A69).
const FIRST_WINTER: i16 = 3;
/// Months from September 1939 to June 1944.
const JUNE_1944: i16 = 57;
/// Hexes that a unit may go in a player turn: its move, and that of a Blitz.
const REACH: u32 = 6;

impl EuroFront {
    // ---- T1 declarations (4.311) ----

    /// Whom the active faction may declare war on (16.4).
    pub(crate) fn victims(&self, state: &State) -> Nations {
        if self.is_civil_war() {
            return Nations::EMPTY;
        }
        let all = (0..self.rules.nations.len()).map(NationId::nth);
        all.filter(|&nation| self.may_declare(state, state.active, nation)).collect()
    }

    /// Whether a faction may declare war on a nation (16.4, 20.33, 20.51, 21.48).
    pub fn may_declare(&self, state: &State, faction: Faction, nation: NationId) -> bool {
        let named = self.nations();
        let diplomacy = &state.diplomacy;
        let ally = faction == Faction::Axis && self.is_full_ally(state, nation);
        if !ally && !self.is_neutral(state, nation) || self.free_land(state, nation).is_empty() {
            return false;
        }
        if nation == named.finland && diplomacy.holds(Fact::WinterWar) {
            return false; // 21.48
        }
        let allowed = match faction {
            Faction::Axis => true,
            Faction::Allies if nation == named.ussr => false,
            Faction::Allies => {
                self.months_since_war(state) >= FIRST_WINTER && !diplomacy.holds(Fact::PhoneyWar)
                    || nation == named.norway && self.has_happened(state, "NX")
            }
            Faction::Soviets => self.faction_of(state, named.ussr).is_some() && nation != named.ussr,
        };
        allowed && self.can_reach(state, faction, nation)
    }

    /// A nation's territory in play, without what others hold of it: colonies are no victims (20.93). Of an ally all of it.
    fn free_land(&self, state: &State, nation: NationId) -> Hexes {
        let land = self.territory(state, nation).and(&self.map().in_play);
        if nation == self.nations().ussr || self.faction_of(state, nation).is_some() {
            return land;
        }
        land.difference(&state.owners.all())
    }

    /// Whether a unit of a faction could enter a nation's land in this player turn (B55): from nearby, or from a port by
    /// sea. An ally's land is entered by others than its own, and by those that are not there (B69).
    fn can_reach(&self, state: &State, faction: Faction, nation: NationId) -> bool {
        let own = state.standing[faction.camp().index()].and(&self.sets().of_faction[faction.index()]);
        let units = own.difference(&self.sets().headquarters);
        let ally = self.faction_of(state, nation) == Some(faction);
        let (from, land) = if ally {
            let land = self.limited_land(state, nation);
            let guests = units.difference(&self.sets().of_nation[nation.at()]);
            (state.places.occupied(&guests).difference(&land), land)
        } else {
            (state.places.occupied(&units), self.free_land(state, nation))
        };
        let open = self.enterable(state, faction).or(&land);
        if self.board().within_across(from, REACH, &open, &self.map().land).intersects(&land) {
            return true;
        }
        let along_route = |route: &crate::rules::Route| {
            from.contains(route.a) && land.contains(route.b)
                || from.contains(route.b) && land.contains(route.a)
        };
        self.rules.map.routes.iter().any(along_route)
            || self.rules.scenario.naval
                && from.intersects(&self.objectives().ports)
                && land.intersects(&self.objectives().coast)
    }

    pub(crate) fn declarations<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let victims = self.victims(state);
        let surprise = self.may_surprise_in_mud(state);
        if victims.is_empty() && !surprise {
            return Flow::Continue(());
        }
        out.offer(Action::Pass)?;
        if surprise {
            out.offer(Action::Yes)?;
        }
        for nation in victims {
            out.offer(Action::Nation(nation))?;
        }
        Flow::Continue(())
    }

    // ---- the Ardennes (1944 rule 8) ----

    /// Whether the Axis may make this its turn in which mud does not slow the fire of its armour in the West: one of its choice in
    /// a game that begins in June 1944; asked where there is mud.
    pub(crate) fn may_surprise_in_mud(&self, state: &State) -> bool {
        state.active == Faction::Axis
            && self.tables.months[0] == JUNE_1944
            && state.weather[0] == Weather::Mud
            && !state.diplomacy.holds(Fact::BulgePlayed)
    }

    /// It does.
    pub(crate) fn surprise_in_mud(state: &mut State) {
        state.diplomacy.set(Fact::BulgePlayed, true);
        state.diplomacy.set(Fact::BulgeSurprise, true);
    }

    /// Whether a unit fires as in dry weather whatever the mud.
    pub(crate) fn surprises_in_mud(&self, state: &State, block: BlockId) -> bool {
        state.diplomacy.holds(Fact::BulgeSurprise)
            && self.brief(block).kind == Kind::Armour
            && self.brief(block).faction == Faction::Axis
            && self.front(state.at(block)) == Front::West
    }

    /// War is declared: the victim joins the other side at once (16.4), others may react (16.5).
    pub(crate) fn declare_war<T: crate::Rolls>(
        &self,
        state: &mut State,
        by: Faction,
        on: NationId,
        context: &mut T,
    ) {
        self.open_war(state, by, on, context);
        self.settle_newcomers(state, Resume::Declaration, context);
    }

    /// What a declaration of war does before anybody reacts.
    pub(crate) fn open_war<T: crate::Rolls>(
        &self,
        state: &mut State,
        by: Faction,
        on: NationId,
        context: &mut T,
    ) {
        let treason = self.is_treason(state, by, on);
        context.emit(|| Event::WarDeclared { by, on, treason });
        state.diplomacy.declared[by.index()].insert(on);
        let named = *self.nations();
        // War on the Spanish Republic warns the Soviets (1936 rule 10).
        let warned = on == named.ussr && state.diplomacy.declared[by.index()].contains(named.republic);
        let ally = self.faction_of(state, on) == Some(Faction::Axis);
        // Neutrals alone are surprised (20.16).
        let surprises =
            by == Faction::Axis && !state.diplomacy.holds(Fact::AxisSurpriseLost) && !warned && !ally;
        if treason {
            self.commit_treason(state, by);
        }
        if surprises {
            state.diplomacy.surprised.insert(on);
            if on == named.ussr {
                state.diplomacy.set(Fact::SovietsSurprised, true); // 20.54
            }
            if on == named.norway && state.diplomacy.holds(Fact::WeserWindow) {
                state.sea.weser = state.diplomacy.holds(Fact::PhoneyWar); // 21.493
            }
        }
        let joins = match by {
            Faction::Axis if on == named.ussr => Faction::Soviets,
            Faction::Axis => Faction::Allies,
            Faction::Allies | Faction::Soviets => Faction::Axis,
        };
        if on == named.ussr {
            self.enter_great_patriotic_war(state);
        }
        if on == named.vichy && by == Faction::Axis {
            state.diplomacy.set(Fact::VichyBetrayed, true); // 16.731
        }
        if ally {
            self.change_colours(state, on, Camp::Axis, context);
            state.diplomacy.demoralised.remove(on);
            // What other units of the Axis stand on they take at once (8.34).
            let land = self.territory(state, on).and(&state.owners.of(Camp::Axis));
            self.hand_over(state, &land, Some(joins));
        }
        let ties = if ally { Ties::Betrayed } else { Ties::CoBelligerent };
        self.join(state, on, joins, ties, context);
    }

    /// Whether a declaration of war is treason (16.41, 20.17, 20.36).
    pub fn is_treason(&self, state: &State, by: Faction, on: NationId) -> bool {
        let named = self.nations();
        match by {
            Faction::Axis => {
                self.rules.nations[on.at()].lean == Some(Camp::Axis)
                    || self.status(state, on) == Status::CooperatesWithAxis
                    || self.faction_of(state, on) == Some(Faction::Axis)
            }
            Faction::Allies => {
                let norway = on == named.norway && self.has_happened(state, "NX");
                let mandate = self.mandates().any(|nation| nation == on) && self.has_happened(state, "ME");
                !norway && !mandate
            }
            Faction::Soviets => false,
        }
    }

    fn commit_treason(&self, state: &mut State, by: Faction) {
        state.diplomacy.treason[by.index()] = true;
        if by == Faction::Axis {
            state.diplomacy.set(Fact::AxisTreason, true);
            state.diplomacy.set(Fact::AxisSurpriseLost, true);
        } else {
            state.diplomacy.set(Fact::AlliedTreason, true);
        }
    }

    /// Whether the Axis has stayed in Eastern Poland beyond the month of its partition (20.14, B19).
    pub(crate) fn outstays_partition(&self, state: &mut State) -> bool {
        if !state.diplomacy.holds(Fact::PartitionMonth) || self.may_leave_east_poland(state) {
            return false;
        }
        state.diplomacy.set(Fact::PartitionMonth, false);
        self.is_neutral(state, self.nations().ussr)
            && !self.units_in(state, Faction::Axis, self.east_poland()).is_empty()
    }

    /// Whether surprise or broken morale disrupts a headquarters (20.16, 20.44): the Soviets' until the end of the Soviet player turn
    /// that follows the declaration of war, though that be in the next fortnight (20.54).
    pub(crate) fn is_shaken(&self, state: &State, headquarters: BlockId) -> bool {
        let nation = self.block(headquarters).nation;
        state.diplomacy.surprised.contains(nation)
            || state.diplomacy.holds(Fact::SovietsSurprised) && nation == self.nations().ussr
            || self.is_broken(state, headquarters)
    }

    /// Whether Hitler's order to stand fast holds a headquarters: in the East in the first Axis turn of a game that begins
    /// in June 1944 (1944 rule 1).
    pub(crate) fn must_stand_fast(&self, state: &State, headquarters: BlockId) -> bool {
        state.active == Faction::Axis
            && state.month == 0
            && state.fortnight == 3 - self.rules.calendar[0].fortnights
            && self.tables.months[0] == JUNE_1944
            && self.front(state.at(headquarters)) == Front::East
    }

    /// Who is surprised as a fortnight begins: Poland in the first of September 1939 (1939 rule 3).
    pub(crate) fn surprised_at_start(&self, state: &State) -> Nations {
        let poland = self.nations().poland;
        let first = state.month == 0 && state.fortnight == 3 - self.rules.calendar[0].fortnights;
        if first && self.tables.months[0] == 0 && self.faction_of(state, poland) == Some(Faction::Allies) {
            Nations::one(poland)
        } else {
            Nations::EMPTY
        }
    }

    /// Whether a place lies in a nation that is surprised in this fortnight (20.16).
    pub(crate) fn is_surprised(&self, state: &State, place: sandtable_core::Hex) -> bool {
        let nation = self.owner_nation(state, place);
        !nation.is_none() && state.diplomacy.surprised.contains(nation)
    }

    // ---- reactions (16.5) ----

    /// The faction that a neutral would join by a link of the table, and the greatest die that lets it (16.51).
    fn reaction(&self, state: &State, link: &Reaction) -> Option<(Faction, u8)> {
        let named = self.nations();
        let france_is_defeated = self.status(state, named.france) == Status::Defeated
            || state.diplomacy.holds(Fact::FrenchDefeated);
        let up_to = link.up_to[usize::from(france_is_defeated)];
        let neutral = self.stands_in_table(link.neutral);
        let same =
            self.faction_of(state, self.stands_in_table(link.belligerent)).map(|faction| match faction {
                Faction::Soviets => Faction::Allies, // Nobody joins the Soviets (16.3).
                faction => faction,
            });
        let joins = link.joins.or(same)?;
        let holds = match link.condition.as_str() {
            "spain_republican" => self.has_happened(state, "RE") || self.republic_won(),
            "spain_nationalist" => !self.republic_won(),
            "norway_axis" => self.faction_of(state, named.norway) == Some(Faction::Axis),
            _ => true,
        };
        let against = match self.status(state, neutral) {
            Status::Neutral => false,
            Status::CooperatesWithAxis => joins != Faction::Axis,
            Status::CooperatesWithAllies => joins == Faction::Axis,
            _ => return None,
        };
        let possible = up_to > 0 && holds && !against && !state.diplomacy.treason[joins.index()];
        possible.then_some((joins, up_to))
    }

    /// The nation that the table names: for Spain that which has won the Civil War (1936 rule 10).
    fn stands_in_table(&self, nation: NationId) -> NationId {
        let named = self.nations();
        if nation == named.spain && self.republic_won() { named.republic } else { nation }
    }

    /// Whether the Republic won the Civil War: then its nation takes part, and Spain is its (1936 rule 10). While that war goes on
    /// nobody asks.
    pub(crate) fn republic_won(&self) -> bool {
        let republic = self.rules.nations.iter().find(|nation| nation.id == "spain_rep");
        republic.is_some_and(|nation| nation.status != Status::Absent)
    }

    /// All reactions to new belligerents, the highest in the table first, and to those who react (16.52).
    pub(crate) fn resolve_reactions<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        self.run_chain(state, context, |context, _| context.die(6) as u8);
    }

    /// The chain of reactions; `roll` gives the die of a link, whose greatest die that lets the neutral react it is told.
    pub(crate) fn run_chain<T: crate::Rolls>(
        &self,
        state: &mut State,
        context: &mut T,
        mut roll: impl FnMut(&mut T, u8) -> u8,
    ) {
        while let Some(belligerent) = self.first_reacting(state) {
            state.diplomacy.reacting.remove(belligerent);
            let asks = |link: &&Reaction| self.stands_in_table(link.belligerent) == belligerent;
            for link in self.rules.reactions.iter().filter(asks) {
                let Some((joins, up_to)) = self.reaction(state, link) else { continue };
                let roll = roll(context, up_to);
                let neutral = self.stands_in_table(link.neutral);
                context.emit(|| Event::Reaction { to: belligerent, of: neutral, roll, up_to });
                if roll <= up_to {
                    self.join(state, neutral, joins, Ties::Interventionist, context);
                }
            }
        }
        state.diplomacy.reacting = Nations::EMPTY;
    }

    /// The new belligerent that stands highest in the table.
    fn first_reacting(&self, state: &State) -> Option<NationId> {
        let waiting = &state.diplomacy.reacting;
        let links = self.rules.reactions.iter();
        links.map(|link| self.stands_in_table(link.belligerent)).find(|&nation| waiting.contains(nation))
    }

    /// New belligerents: reactions, then deployment; then play goes on as said (16.52).
    pub(crate) fn settle_newcomers<T: crate::Rolls>(
        &self,
        state: &mut State,
        resume: Resume,
        context: &mut T,
    ) {
        // Only a declaration of war makes others react (16.5).
        if resume == Resume::Declaration {
            self.resolve_reactions(state, context);
        }
        state.diplomacy.reacting = Nations::EMPTY;
        state.diplomacy.resume = resume;
        state.diplomacy.nation = NationId::NONE;
        self.go_on_deploying(state, context);
    }

    /// The event that a side carries out, if there is one.
    pub(crate) fn event_at_hand(state: &State) -> Option<EventId> {
        let event = state.diplomacy.event;
        (event != EventId(u8::MAX)).then_some(event)
    }
}
