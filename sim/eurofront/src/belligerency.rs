//! Belligerency (16.3): who joins a faction brings his land at once, builds with his peace production (16.32), and deploys
//! (16.31).

use sandtable_core::{ActionSink, Flow, Hex, Index};

use crate::action::Action;
use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{
    Account, BlockId, Blocks, Camp, EventId, Faction, Front, Hexes, MAX_NATIONS, NationId, Nations,
    is_on_map, place,
};
use crate::nations::{Resume, Ties};
use crate::phase::Phase;
use crate::rules::{Acclimatised, Condition, Entry, Fact, Kind, Rank, Status};
use crate::state::{Mark, State};

/// Most foreign units in the land of a minor ally (20.132, 20.53).
const OCCUPATION_LIMIT: u32 = 4;

/// Land that politics keep the Axis out of, but for units of the nations there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barred {
    /// By the Molotov Pact (20.14, B19).
    by_pact: Hexes,
    /// Finland in its limited war, but for Oulu and Petsamo (21.482).
    by_limited_war: Hexes,
}

impl EuroFront {
    /// A nation joins a faction (16.3): its land is the faction's at once, its units come when all reactions are known.
    pub(crate) fn join<T: crate::Rolls>(
        &self,
        state: &mut State,
        nation: NationId,
        faction: Faction,
        ties: Ties,
        context: &mut T,
    ) {
        let land = self.territory(state, nation);
        let free = land.difference(&state.owners.all());
        // Neutrals that stand on the map in the other side's colour deploy anew in that of the side joined (16.31, U-07).
        let other = faction.camp().enemy();
        if state.standing[other.index()].intersects(&self.sets().of_nation[nation.at()]) {
            self.change_colours(state, nation, other, context);
        }
        if self.patron(state, nation).is_some() {
            self.match_colours(state, nation);
        }
        state.diplomacy.status[nation] = Status::Belligerent(faction);
        state.diplomacy.cause[nation] = ties;
        context.emit(|| Event::Joined { nation, faction });
        self.hand_over(state, &free, Some(faction));
        state.diplomacy.reacting.insert(nation);
        state.diplomacy.joining.insert(nation);
        let named = *self.nations();
        if nation == named.italy {
            self.activate_front(state, Front::Mediterranean);
            // Of its own in the colour of the side joined: the others would fight against it.
            self.call_up_those(state, Condition::MediterraneanActive, |block| {
                self.block(block).nation != nation || self.camp(block) == faction.camp()
            });
        }
        if nation == named.sweden {
            state.diplomacy.set(Fact::SwedishComplicity, false); // Neutrals alone are accomplices (21.492).
        }
        if nation == named.finland {
            state.diplomacy.set(Fact::WinterWar, false); // It is a part of the greater war now (21.482).
        }
        if state.diplomacy.holds(Fact::SecondFront) && self.is_land_satellite(state, nation) {
            self.demoralise(state, nation, context); // 16.71
        }
        if nation == named.turkey {
            self.activate_front(state, Front::East); // 20.91
        }
        if nation == named.ussr {
            self.activate_front(state, Front::East); // 20.521
            state.diplomacy.set(Fact::MolotovPact, false);
            self.call_up(state, Condition::ReserveArmy);
            self.call_up(state, Condition::StrategicReserve);
        }
    }

    /// A front becomes active (1.12).
    fn activate_front(&self, state: &mut State, front: Front) {
        let months = &mut state.active_months[front.index()];
        *months = (*months).max(1);
    }

    /// What a condition brings arrives in the production that follows (11.8).
    pub(crate) fn call_up(&self, state: &mut State, condition: Condition) {
        self.call_up_those(state, condition, |_| true);
    }

    /// What a condition brings of some blocks arrives in the production that follows (11.8).
    fn call_up_those(&self, state: &mut State, condition: Condition, of: impl Fn(BlockId) -> bool) {
        for (at, entry) in self.rules.scenario.entries.iter().enumerate() {
            let Entry::Upon(upon, steps) = *entry else { continue };
            let block = BlockId::nth(at);
            if upon == condition && state.at(block) == place::OUT && of(block) {
                state.put(block, self.camp(block), place::AWAITING);
                state.steps[block] = steps;
            }
        }
    }

    /// A nation cooperates with a faction (16.2): its peace production ends, its places produce for the faction.
    pub(crate) fn cooperate<T: crate::Rolls>(
        &self,
        state: &mut State,
        nation: NationId,
        faction: Faction,
        context: &mut T,
    ) {
        if !self.is_neutral(state, nation) {
            return;
        }
        state.diplomacy.since[nation] = self.months_since_war(state) as i8;
        state.diplomacy.status[nation] = match faction {
            Faction::Axis => Status::CooperatesWithAxis,
            Faction::Allies | Faction::Soviets => Status::CooperatesWithAllies,
        };
        context.emit(|| Event::Cooperates { nation, faction });
    }

    // ---- peace production (16.32) ----

    /// The month from which a nation has built up its army: September 1939, for the Finns the end of the Winter War.
    fn peace_starts(&self, state: &State, nation: NationId) -> i16 {
        if nation == self.nations().finland { i16::from(state.diplomacy.since[nation]) } else { 0 }
    }

    /// Points with which a nation may build up its army when it goes to war (16.32): a quarter of its war-time production
    /// for every month since September 1939, rounded down; all of it for the Finns after the Winter War began (20.82): what they
    /// had before they have built when it began.
    pub fn peace_production(&self, state: &State, nation: NationId) -> i16 {
        let betrayed = state.diplomacy.cause[nation] == Ties::Betrayed && !self.is_neutral(state, nation);
        if betrayed || !self.rules.nations[nation.at()].peace {
            return 0;
        }
        let whole = nation == self.nations().finland
            && (state.diplomacy.holds(Fact::FinnishArmistice) || self.has_happened(state, "WW"));
        // As the Winter War begins Finland has built as any neutral; all of its production counts from then on.
        if nation == self.nations().finland && state.diplomacy.holds(Fact::WinterWar) {
            return self.months_since_war(state).max(0) * self.war_production(state, nation) / 4;
        }
        // Who cooperates has none of its own any more (16.22).
        let since = i16::from(state.diplomacy.since[nation]);
        let until = if whole || since == 0 { self.months_since_war(state) } else { since };
        let months = (until - self.peace_starts(state, nation)).max(0);
        months * self.war_production(state, nation) / if whole { 1 } else { 4 }
    }

    /// A nation's war-time production as printed: cities and resources of its territory (A43).
    pub(crate) fn war_production(&self, state: &State, nation: NationId) -> i16 {
        let land = self.territory(state, nation);
        let places = self.rules.map.places.iter().filter(|place| land.contains(place.hex));
        places.map(|place| i16::from(place.points) + i16::from(place.resources)).sum()
    }

    /// Price of a step built with peace production, at the costs of the faction joined; Mediterranean residents cost twice
    /// the extreme (20.22, B18).
    fn raise_price(&self, state: &State, block: BlockId) -> Option<i16> {
        let data = self.block(block);
        let costs = &self.rules.kinds[data.kind as usize].costs;
        let faction = self.mover_of(state, data.nation)?;
        let resident = matches!(data.acclimatised, Acclimatised::Resident(Front::Mediterranean));
        if resident {
            return costs[3].map(|cost| 2 * i16::from(cost.step));
        }
        costs[faction.index()].map(|cost| i16::from(cost.step))
    }

    /// The faction that moves a nation's units: that of its war; of the neutral Soviets themselves; of the Finns in the
    /// Winter War the Axis (21.48).
    pub(crate) fn mover_of(&self, state: &State, nation: NationId) -> Option<Faction> {
        let named = self.nations();
        let neutral = self.is_neutral(state, nation);
        if neutral && nation == named.ussr {
            Some(Faction::Soviets)
        } else if neutral && nation == named.finland && state.diplomacy.holds(Fact::WinterWar) {
            Some(Faction::Axis)
        } else {
            self.faction_of(state, nation)
        }
    }

    /// Blocks of the nation at hand that are to deploy: those in the colour of the side joined.
    fn recruits(&self, state: &State) -> Blocks {
        let nation = state.diplomacy.nation;
        let camp = self.mover_of(state, nation).map(Faction::camp);
        let at_home = self.block_ids().filter(|&block| {
            self.block(block).nation == nation
                && Some(self.camp(block)) == camp
                && state.at(block) == place::AT_HOME
        });
        at_home.collect()
    }

    pub(crate) fn raisings<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        let affordable = self.recruits(state).filter(|block| {
            block.0 >= state.cursor
                && state.steps[block] < self.brief(block).full
                && !self.is_unsupplied_recruit(block)
                && self.raise_price(state, block).is_some_and(|price| price <= state.diplomacy.peace)
        });
        if affordable.is_empty() {
            return Flow::Continue(());
        }
        out.offer(Action::Pass)?;
        for block in affordable {
            out.offer(Action::Build(block))?;
        }
        Flow::Continue(())
    }

    /// The garrison of Ethiopia cannot be built up: nothing supplies it (20.22).
    pub(crate) fn is_unsupplied_recruit(&self, block: BlockId) -> bool {
        matches!(self.block(block).id.as_str(), "it_static_1ea" | "al_it_static_1ea")
    }

    pub(crate) fn raise(&self, state: &mut State, block: BlockId) {
        state.diplomacy.peace -= self.raise_price(state, block).unwrap_or_default();
        state.steps[block] += 1;
        state.cursor = block.0;
    }

    // ---- deployment (16.31) ----

    /// The next new belligerent builds up its army, those of the active side first (16.52); or play goes on.
    pub(crate) fn go_on_deploying<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let joining = state.diplomacy.joining;
        let own = |nation: &NationId| {
            self.mover_of(state, *nation).is_some_and(|faction| faction.camp() == state.camp())
        };
        let next = joining.iter().find(own).or_else(|| joining.first());
        let Some(nation) = next else {
            state.diplomacy.nation = NationId::NONE;
            state.subject = BlockId::NONE;
            state.control_holds = false;
            self.update_control(state);
            return match state.diplomacy.resume {
                Resume::Declaration => self.turn_to_declaration(state),
                Resume::Diplomacy => self.go_on_with_diplomacy(state, context),
                Resume::Politics => {
                    state.cursor = state.diplomacy.politics;
                    self.go_on_with_politics(state, context);
                }
            };
        };
        state.diplomacy.joining.remove(nation);
        state.diplomacy.nation = nation;
        let points = self.peace_production(state, nation);
        state.diplomacy.peace = points;
        if points > 0 {
            context.emit(|| Event::PeaceProduction { nation, points });
        }
        if let Some(faction) = self.mover_of(state, nation) {
            state.decider = self.player_of(faction);
        }
        state.phase = Phase::Raising;
        state.subject = BlockId::NONE;
        state.cursor = 0;
    }

    /// Who decides for a faction: itself, or its ally where it is not played.
    pub(crate) fn player_of(&self, faction: Faction) -> Faction {
        let ally = match faction {
            Faction::Axis => Faction::Axis,
            Faction::Allies => Faction::Soviets,
            Faction::Soviets => Faction::Allies,
        };
        if self.is_played(faction) { faction } else { ally }
    }

    /// The army is built: its units deploy one by one.
    pub(crate) fn turn_to_deployment<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        loop {
            let Some(block) = self.recruits(state).first() else {
                return self.go_on_deploying(state, context);
            };
            state.phase = Phase::Deployment;
            state.subject = block;
            if !self.deployment_places(state).is_empty() {
                return;
            }
            // No room at home: it may be built as a cadre later (11.72).
            state.put(block, self.camp(block), place::ELIMINATED);
            state.steps[block] = 0;
        }
    }

    /// Where the unit at hand may deploy (16.31): at home, minor powers one unit a hex; some nations fill some places first.
    pub(crate) fn deployment_places(&self, state: &State) -> Hexes {
        let block = state.subject;
        if block.is_none() {
            return Hexes::EMPTY;
        }
        if self.is_civil_war() {
            return self.places_to_set_up(state);
        }
        if self.is_curzon_line_at_hand(state) {
            return self.places_at_curzon_line(state, block);
        }
        let data = self.block(block);
        let nation = data.nation;
        let camp = self.camp(block);
        let named = self.nations();
        let enemy = state.occupied[camp.enemy().index()];
        let owned = state.owners.of(camp).and(&self.map().in_play).difference(&enemy);
        let resident = matches!(data.acclimatised, Acclimatised::Resident(Front::Mediterranean));
        if data.kind == Kind::Fort
            && let Some(fort) = self.rules.nations[nation.at()].fort
            && owned.contains(fort)
        {
            return Hexes::one(fort);
        }
        let territory = self.territory(state, nation);
        let (mut open, mut first) = (self.home(state, nation).and(&owned), Hexes::EMPTY);
        if nation == named.italy {
            let albania = self.land("albania");
            if resident {
                // 1EA in Ethiopia, the others one in each Libyan port (20.22).
                open = if self.is_unsupplied_recruit(block) {
                    self.land("italian_east_africa").and(&owned)
                } else {
                    self.land("libya").and(&self.objectives().ports).and(&owned)
                };
                first = open.difference(&state.occupied[camp.index()]);
            } else {
                open = open.or(&albania.and(&owned));
                first = open.and(&self.objectives().large_cities).difference(&state.occupied[camp.index()]);
                if first.is_empty() && !albania.intersects(&state.occupied[camp.index()]) {
                    first = albania.and(&open);
                }
            }
        } else if nation == named.vichy {
            let colonies = ["morocco", "algeria", "tunisia"].map(|name| self.land(name));
            if resident {
                // In or next to ports of North Africa, at least one in each colony (20.484).
                let africa = colonies.iter().fold(Hexes::EMPTY, Hexes::or);
                let ports = africa.and(&self.objectives().ports);
                open = ports.or(&self.bordering(&ports).and(&africa)).and(&owned);
                for colony in colonies {
                    if !colony.intersects(&state.occupied[camp.index()]) {
                        first = first.or(&colony.and(&open));
                    }
                }
            } else {
                open = open.and(&self.land("france"));
            }
        } else if nation == named.ussr {
            open = open.and(&self.map().cities); // 11.81
        } else if nation == named.finland && state.diplomacy.holds(Fact::WinterWar) {
            // The Mannerheim Line must be held: Vyborg and Vyborg NE1 (21.481).
            let line = [self.rules.place("vyborg"), self.rules.place("Vyborg NE1")];
            let line: Hexes = line.into_iter().flatten().collect();
            first = line.and(&owned).difference(&state.occupied[camp.index()]);
        } else if nation == named.norway {
            open = territory.and(&owned).and(&self.objectives().ports); // 20.81
        } else if nation == named.spain && matches!(data.acclimatised, Acclimatised::Veteran(_)) {
            open = open.or(&territory.and(&owned)); // Spanish Morocco (20.74)
        }
        let alone = self.rules.nations[nation.at()].rank == Rank::Minor
            && !(nation == named.finland && state.diplomacy.holds(Fact::WinterWar));
        let free = |places: &Hexes| {
            if alone {
                places.difference(&state.occupied[camp.index()])
            } else {
                places.filter(|place| self.has_room(state, place, camp))
            }
        };
        let (open, first) = (free(&open), free(&first));
        if first.is_empty() { open } else { first }
    }

    pub(crate) fn deployments<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        out.all([self.deployment_places(state)], |_, hex| Action::Place(hex))
    }

    pub(crate) fn deploy<T: crate::Rolls>(&self, state: &mut State, at: Hex, context: &mut T) {
        let block = state.subject;
        if self.is_civil_war() {
            return self.set_up(state, at, context);
        }
        if self.is_curzon_line_at_hand(state) {
            return self.go_to_curzon_line(state, at, context);
        }
        self.shift(state, block, at, context);
        state.mark(block, Mark::Acclimatised, true);
        context.emit(|| Event::Arrived { block, at });
        self.turn_to_deployment(state, context);
    }

    // ---- restriction (16.311) ----

    /// Where units of a nation may be by the way it came to war (16.311); `None`: anywhere.
    pub(crate) fn allowed_zone(&self, state: &State, block: BlockId) -> Option<Hexes> {
        let nation = self.block(block).nation;
        if self.is_civil_war() || nation.at() >= MAX_NATIONS || self.is_released(state, block) {
            return None;
        }
        if let Some(zone) = self.home_zone(state, block) {
            return Some(zone);
        }
        self.is_restricted(state, block).then(|| self.nation_zone(state, nation))
    }

    /// Whether the way in which its nation came to war restricts a unit, or its scenario does (16.311).
    fn is_restricted(&self, state: &State, block: BlockId) -> bool {
        state.diplomacy.cause[self.block(block).nation].restrict()
            || self.rules.scenario.situation.restricted.contains(&block)
    }

    /// Where the restricted units of a nation may be (16.311).
    fn nation_zone(&self, state: &State, nation: NationId) -> Hexes {
        let named = self.nations();
        let ties = state.diplomacy.cause[nation];
        let home = if nation == named.italy {
            self.known_lands().greater_italy
        } else {
            // The larger of the borders of 1939 and of now.
            self.territory(state, nation).or(&self.territory_of_1939(nation))
        };
        let next = self.bordering(&home).or(&self.along_routes(&home));
        // Spain, which an event brings in, goes as far as those who react (SX).
        if ties != Ties::Interventionist && nation != named.spain {
            return home.or(&next);
        }
        let neighbours = next.iter().map(|place| self.owner_nation(state, place));
        let lands = neighbours
            .filter(|other| !other.is_none())
            .fold(home, |all, other| all.or(&self.territory(state, other)));
        lands.or(&next)
    }

    /// Units among some on the map that are beyond the zone to which they are restricted: unsupplied (16.311, B31).
    pub(crate) fn strays(&self, state: &State, of: &Blocks) -> Blocks {
        if self.is_civil_war() {
            return Blocks::EMPTY;
        }
        let mut strays = Blocks::EMPTY;
        let named = self.nations();
        for nation in (0..self.rules.nations.len()).map(NationId::nth) {
            let own_rules =
                nation == named.france || nation == named.britain || self.are_volunteers(state, nation);
            let free = !state.diplomacy.cause[nation].restrict()
                && self.rules.scenario.situation.restricted.is_empty();
            if free && !own_rules {
                continue;
            }
            let forces = of.and(&self.sets().of_nation[nation.at()]);
            if forces.is_empty() {
                continue;
            }
            if own_rules {
                strays = strays.or(&forces.filter(|block| {
                    self.allowed_zone(state, block).is_some_and(|zone| !zone.contains(state.at(block)))
                }));
                continue;
            }
            let restricted =
                forces.filter(|block| self.is_restricted(state, block) && !self.is_released(state, block));
            if !restricted.is_empty() {
                let zone = self.nation_zone(state, nation);
                strays = strays.or(&restricted.filter(|block| !zone.contains(state.at(block))));
            }
        }
        strays
    }

    /// Nations in whose land as many units of a faction stand that are not their own as may in a minor ally's: in Italy's those in
    /// its colonies do not count (20.132).
    pub fn hosts_of_many(&self, state: &State, faction: Faction) -> Nations {
        let mut guests = [0u32; MAX_NATIONS];
        let italy = self.nations().italy;
        for block in state.standing[faction.camp().index()].and(&self.sets().of_faction[faction.index()]) {
            let at = state.at(block);
            let nation = self.owner_nation(state, at);
            let counts = nation != italy || self.is_home_land(at);
            if counts && !nation.is_none() && nation != self.brief(block).nation {
                guests[nation.at()] += 1;
            }
        }
        let nations = (0..self.rules.nations.len()).map(NationId::nth);
        nations.filter(|nation| guests[nation.at()] >= OCCUPATION_LIMIT).collect()
    }

    /// Nations whose land may be closed to units of a faction because as many foreign units stand there as may (20.132, 20.53). In most
    /// positions there are none.
    pub(crate) fn limiting_hosts(&self, state: &State, faction: Faction) -> Nations {
        let open = self.is_civil_war() || faction == Faction::Allies && self.invited_by(state).is_empty();
        if open { Nations::EMPTY } else { self.hosts_of_many(state, faction) }
    }

    /// Land of minor allies in which as many foreign units stand as may (20.132, 20.53; NO, SW): a fifth may not enter, until the
    /// enemy has. `hosts` are those of [`Self::limiting_hosts`] for its faction.
    pub(crate) fn full_lands(&self, state: &State, block: BlockId, hosts: Nations) -> Hexes {
        let brief = self.brief(block);
        let named = self.nations();
        let mut full = Hexes::EMPTY;
        let guest = match brief.faction {
            Faction::Axis => Faction::Axis,
            Faction::Allies | Faction::Soviets => Faction::Allies,
        };
        for nation in hosts {
            let minor = self.rules.nations[nation.at()].rank == Rank::Minor
                || nation == named.italy && !state.diplomacy.demoralised.contains(nation);
            let uninvited = brief.faction == Faction::Allies && !self.invited_by(state).contains(nation);
            if !minor || uninvited || nation == brief.nation || self.faction_of(state, nation) != Some(guest)
            {
                continue;
            }
            let land = self.limited_land(state, nation);
            let at = state.at(block);
            if is_on_map(at) && land.contains(at)
                || land.intersects(&state.occupied[brief.camp.enemy().index()])
            {
                continue;
            }
            full = full.or(&land);
        }
        full
    }

    /// Whether a nation is an ally of the Axis in whose land stand as many of its units as may (20.132): the next one may enter by a
    /// declaration of war alone (16.41).
    pub(crate) fn is_full_ally(&self, state: &State, nation: NationId) -> bool {
        let italy = self.nations().italy;
        let bound = self.rules.nations[nation.at()].rank == Rank::Minor
            || nation == italy && !state.diplomacy.demoralised.contains(nation);
        if !bound || self.faction_of(state, nation) != Some(Faction::Axis) {
            return false;
        }
        let land = self.limited_land(state, nation);
        let guests = self.units_in(state, Faction::Axis, &land);
        guests.difference(&self.sets().of_nation[nation.at()]).len() >= OCCUPATION_LIMIT
            && !land.intersects(&state.occupied[Camp::Coalition.index()])
    }

    /// The land of an ally in which the limit of occupation holds: of Italy without its colonies (20.132).
    pub(crate) fn limited_land(&self, state: &State, nation: NationId) -> Hexes {
        if nation == self.nations().italy { self.home(state, nation) } else { self.territory(state, nation) }
    }

    /// Norway and Sweden when they have joined the Allies by event: they let in as many as any minor ally (NO, SW).
    fn invited_by(&self, state: &State) -> Nations {
        let named = self.nations();
        let hosts = [named.norway, named.sweden].into_iter().zip(self.tables.nations.invitations);
        hosts.filter(|&(_, event)| self.times_of(state, event) > 0).map(|(nation, _)| nation).collect()
    }

    /// Land that politics keep a block out of, besides neutral land: before the Mediterranean is active (20.34), French
    /// Africa while France fights (20.34), Egypt before the headquarters Afrika has come (20.11), lands of the Molotov Pact
    /// (20.14, B19), Finland but for Oulu and Petsamo in its limited war (21.482).
    pub(crate) fn forbidden_land(&self, state: &State, block: BlockId, of_faction: &Barred) -> Hexes {
        let data = self.brief(block);
        let named = self.nations();
        let lands = self.known_lands();
        let mut barred = Hexes::EMPTY;
        if data.nation == named.britain {
            let resident = matches!(data.class, Acclimatised::Resident(Front::Mediterranean));
            if !state.is_active(Front::Mediterranean) && !resident {
                barred = barred.or(&self.map().of_front[Front::Mediterranean.index()]);
                if data.kind != Kind::Static {
                    barred = barred.or(&lands.fortresses);
                }
            }
            let axis = &state.occupied[Camp::Axis.index()];
            let fights = self.faction_of(state, named.france).is_some();
            if fights && !lands.north_africa.intersects(axis) {
                barred = barred.or(&lands.north_africa);
            }
        }
        if data.nation == named.germany {
            let afrika = self.tables.nations.afrika.map(|afrika| state.at(afrika));
            if afrika.is_some_and(|at| at == place::AWAITING || at == place::OUT) {
                barred = barred.or(&lands.egypt);
            }
        }
        if data.faction == Faction::Axis {
            if !self.molotov_nations().contains(&data.nation) {
                barred = barred.or(&of_faction.by_pact);
            }
            if data.nation != named.finland {
                barred = barred.or(&of_faction.by_limited_war);
            }
        }
        barred
    }

    /// Nations whose land is closed to most of the Axis by the Molotov Pact (20.14, B19).
    fn molotov_nations(&self) -> [NationId; 4] {
        let named = self.nations();
        [named.baltic_states, named.finland, named.turkey, named.persia]
    }

    /// Land that politics keep a faction out of, but for units of the nations there.
    pub(crate) fn barred_land(&self, state: &State, faction: Faction) -> Barred {
        let mut barred = Barred { by_pact: Hexes::EMPTY, by_limited_war: Hexes::EMPTY };
        if faction != Faction::Axis || self.is_civil_war() {
            return barred;
        }
        if self.keeps_peace(state) {
            let pact = self.molotov_nations().into_iter();
            barred.by_pact = pact.fold(Hexes::EMPTY, |all, nation| all.or(&self.territory(state, nation)));
        }
        let [begun, ended] = self.tables.nations.limited_war;
        let happened =
            |event: Option<EventId>| event.is_some_and(|event| state.diplomacy.happened[event] > 0);
        if happened(begun) && !happened(ended) {
            let finland = self.territory(state, self.nations().finland);
            barred.by_limited_war = finland.difference(&self.known_lands().lapland);
        }
        barred
    }

    /// The zone of units restricted by rules of their own: Frenchmen of the West (20.41), Spanish volunteers (17.7), British
    /// garrisons and the Northern expedition (20.31).
    fn home_zone(&self, state: &State, block: BlockId) -> Option<Hexes> {
        let data = self.block(block);
        let named = self.nations();
        let lands = self.known_lands();
        if data.nation == named.france {
            let resident = matches!(data.acclimatised, Acclimatised::Resident(_));
            if resident || state.diplomacy.holds(Fact::AngloFrenchUnion) {
                return None;
            }
            let core = lands.france_and_belgium;
            let next = self.bordering(&core);
            let nations = next.iter().map(|place| self.owner_nation(state, place));
            let near = nations.filter(|nation| !nation.is_none());
            return Some(near.fold(core.or(&next), |all, nation| all.or(&self.home(state, nation))));
        }
        if self.are_volunteers(state, data.nation) {
            let spain = lands.spain;
            return Some(spain.or(&self.bordering(&spain))); // 17.7
        }
        if data.nation != named.britain {
            return None;
        }
        let britain = lands.great_britain;
        if matches!(data.acclimatised, Acclimatised::Expeditionary(Front::North)) {
            return Some(britain.or(&self.map().of_front[Front::North.index()]));
        }
        (data.kind == Kind::Static && data.acclimatised == Acclimatised::Alien)
            .then(|| britain.or(&lands.fortresses))
    }

    /// Places at the other end of routes of the map edge.
    pub(crate) fn along_routes(&self, places: &Hexes) -> Hexes {
        let routes = self.rules.map.routes.iter();
        let ends = routes.filter_map(|route| match (places.contains(route.a), places.contains(route.b)) {
            (true, false) => Some(route.b),
            (false, true) => Some(route.a),
            _ => None,
        });
        ends.collect()
    }

    /// The armies that events may set free, in a fixed order: Romanian 3rd and 4th, Hungarian 2nd, Italian 8th (17.3).
    pub(crate) fn releasable(&self) -> impl Iterator<Item = (u8, BlockId)> {
        let armies = self.tables.nations.releasable.into_iter().enumerate();
        armies.filter_map(|(bit, block)| Some((bit as u8, block?)))
    }

    /// Whether a unit is free of its restriction (16.311, 17.3): until it is eliminated.
    pub(crate) fn is_released(&self, state: &State, block: BlockId) -> bool {
        let data = self.block(block);
        let named = self.nations();
        data.nation == named.italy
            && !matches!(data.acclimatised, Acclimatised::Resident(_))
            && self.tables.nations.italy_unrestricted.is_some_and(|event| state.diplomacy.happened[event] > 0)
            || self
                .releasable()
                .any(|(bit, other)| other == block && state.diplomacy.released >> bit & 1 != 0)
    }

    /// Armies that were set free are restricted again when the Soviets have recaptured what they were set free for: Odessa,
    /// Sevastopol (17.3).
    pub(crate) fn restrict_again(&self, state: &mut State) {
        if state.diplomacy.released == 0 {
            return;
        }
        let held = self.held(state, Camp::Coalition);
        for (city, bits) in [("odessa", 0b0001), ("sevastopol", 0b1110)] {
            if self.rules.place(city).is_some_and(|city| held.contains(city)) {
                state.diplomacy.released &= !bits;
            }
        }
    }

    /// A unit that was set free is eliminated: rebuilt, it is restricted for good (16.311).
    pub(crate) fn forget_release(&self, state: &mut State, block: BlockId) {
        if state.diplomacy.released != 0
            && let Some((bit, _)) = self.releasable().find(|&(_, other)| other == block)
        {
            state.diplomacy.released &= !(1 << bit);
        }
    }

    // ---- the Soviet Union (20.5) ----

    /// The Great Patriotic War (20.56): Soviet costs; saved points are halved.
    pub(crate) fn enter_great_patriotic_war(&self, state: &mut State) {
        if !state.diplomacy.holds(Fact::GreatPatrioticWar) {
            state.diplomacy.set(Fact::GreatPatrioticWar, true);
            if let Some(event) = self.rules.event("SG") {
                state.diplomacy.happened[event] = 1;
            }
            state.points[Account::Soviets.index()] /= 2;
        }
    }
}
