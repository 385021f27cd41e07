//! Railways and roads (9.1, 10.3), lines of supply (10.4), supply of nations (10.21), attrition (10.6).
//!
//! ```text
//!  origin        Berlin, London, Siberia                                                  10.2
//!  network       railways joined to it through friendly hexes, routes of the map's edge   10.31, 18.5
//!  roads         of the Mediterranean Front and of the map's edge, joined to those        10.33
//!  line          two hexes to a hex of these, one in the Desert Zone                      10.4
//!  nation        others than great powers: from their capital, if it has a line of
//!                communications to the origin                                             10.21, 10.22
//! ```

use sandtable_core::{Hex, Index};

use crate::event::{Cause, Event};
use crate::game::EuroFront;
use crate::ids::{Blocks, Camp, Faction, Hexes, NationId, Nations, SeaId, Seas, is_on_map};
use crate::rules::Status;
use crate::sea_supply::{CheckedLines, Network, SeaLines};
use crate::state::{Mark, State};
use crate::tables::RouteTable;

/// Hexes and areas through which lines run, and where they end.
pub(crate) struct Track {
    through: Hexes,
    /// Battles: lines run into them, not through (8.4).
    ends: Hexes,
}

/// Railways of a faction from its origin, without sea lines.
pub(crate) struct Overland {
    /// Where its railways run.
    pub track: Track,
    /// Places that they join to its origin.
    pub places: Hexes,
}

impl EuroFront {
    // ---- railways and roads (9.12, 10.31, 10.33, 18.5) ----

    /// Railway hexes and areas connected to sources through friendly ones (9.12; 1936 rule 8). Lines run into friendly
    /// battles, not through them; from a source they start whatever stands there.
    pub(crate) fn rail_network(&self, state: &State, camp: Camp, sources: &Hexes) -> Hexes {
        if sources.is_empty() {
            return Hexes::EMPTY;
        }
        self.along_rails_of(&self.rail_track(state, camp), sources)
    }

    /// Where the railways of a camp run.
    pub(crate) fn rail_track(&self, state: &State, camp: Camp) -> Track {
        self.track(state, camp, &self.map().rail_hexes)
    }

    /// Where the railways of a faction run: not over land closed to it, of the Soviets while they are neutral and to them (16.1,
    /// 1939 rule 4).
    pub(crate) fn track_of(&self, state: &State, faction: Faction) -> Track {
        let mut track = self.rail_track(state, faction.camp());
        let closed = self.closed_to_lines(state, faction);
        if !closed.is_empty() {
            track.through = track.through.difference(&closed);
            track.ends = track.ends.difference(&closed);
        }
        track
    }

    /// Land over which a faction has no lines while the Soviet Union is neutral (16.1).
    pub(crate) fn closed_to_lines(&self, state: &State, faction: Faction) -> Hexes {
        let neutral = !self.is_civil_war() && self.is_neutral(state, self.nations().ussr);
        if neutral { self.closed_to(state, faction) } else { Hexes::EMPTY }
    }

    /// What sources reach along such railways.
    pub(crate) fn along_rails_of(&self, track: &Track, sources: &Hexes) -> Hexes {
        self.along(sources, track, &self.map().joined_rails, |route| route.rail)
    }

    /// What sources reach along railways that go on over straits where no ferry takes trains, such as the Bosporus, but not over
    /// the Suez Canal (9.11; B90).
    pub(crate) fn rails_over_straits(&self, track: &Track, sources: &Hexes) -> Hexes {
        let map = self.map();
        let ways = map.joined_rails.or(&map.straits.difference(&map.suez));
        self.along(sources, track, &ways, |route| route.rail)
    }

    /// A network of railways with the roads that join it (10.33).
    pub(crate) fn road_network(&self, state: &State, camp: Camp, network: &Hexes) -> Hexes {
        let map = self.map();
        if !network.intersects(&map.road_hexes) {
            return *network;
        }
        let track = self.track(state, camp, &map.road_hexes.or(&map.rail_hexes));
        let start = network.difference(&track.ends);
        network.or(&self.along(&start, &track, &map.roads, |route| !route.strait))
    }

    /// Where a camp's lines run among some hexes. Regions that it defends they run through (18.51); into the battles of
    /// areas they run whoever defends (18.51, 18.52).
    fn track(&self, state: &State, camp: Camp, ways: &Hexes) -> Track {
        let map = self.map();
        let (own, enemy) = (camp.index(), camp.enemy().index());
        let rear = &self.civil_war_tables().rear[own];
        let persists = !self.is_civil_war();
        let transit = persists.then(|| self.transit(state, camp));
        let mut track = Track { through: Hexes::EMPTY, ends: Hexes::EMPTY };
        for line in map.lines.clone() {
            let friendly = state.friendly[own].0[line];
            let open = if let Some(transit) = &transit {
                friendly | transit.0[line]
            } else {
                let closed = state.friendly[enemy].0[line] | state.disputed.0[line];
                map.in_play.0[line] & !closed | rear.0[line]
            };
            let open = open & ways.0[line];
            let fought = state.occupied[0].0[line] & state.occupied[1].0[line];
            track.through.0[line] = open & (!fought | map.regions.0[line]);
            // A battle that a camp controls is one that it defends (8.31).
            let into = open & friendly | map.areas.0[line] & map.in_play.0[line] & ways.0[line];
            track.ends.0[line] = into & fought & !track.through.0[line];
        }
        track
    }

    /// What sources reach along a track: railways or roads of hexes, and routes.
    fn along(
        &self,
        sources: &Hexes,
        track: &Track,
        ways: &sandtable_core::Hexsides<{ crate::ids::LINES }>,
        wanted: impl Fn(&RouteTable) -> bool,
    ) -> Hexes {
        let map = self.map();
        let mut network = sources.or(&self.board().fill_across(*sources, &track.through, ways));
        if map.routes.is_empty() {
            return self.with_ends(&network, track, ways, wanted);
        }
        let mut fresh = network;
        // Most ends of routes are reached by land.
        let ends = map.route_ends.and(&track.through);
        while fresh.intersects(&map.route_ends) && !ends.difference(&network).is_empty() {
            let more = far_ends(&fresh, map.routes.iter().filter(|route| wanted(route)));
            let more = more.and(&track.through).difference(&network);
            // A fill starts from no area: those are no hexes of the board.
            fresh = if more.difference(&map.areas).is_empty() {
                more
            } else {
                more.or(&self.board().fill_across(more, &track.through.difference(&network), ways))
            };
            network = network.or(&fresh);
        }
        self.with_ends(&network, track, ways, wanted)
    }

    /// A network with the battles into which its lines run.
    fn with_ends(
        &self,
        network: &Hexes,
        track: &Track,
        ways: &sandtable_core::Hexsides<{ crate::ids::LINES }>,
        wanted: impl Fn(&RouteTable) -> bool,
    ) -> Hexes {
        if track.ends.is_empty() {
            return *network;
        }
        let map = self.map();
        let mut next = self.board().across(network, ways);
        if track.ends.intersects(&map.route_ends) {
            next = next.or(&self.over_routes(network, &wanted));
        }
        debug_assert!(map.routes.len() < 256);
        network.or(&next.and(&track.ends))
    }

    /// Places at the far ends of routes that begin in some places.
    pub(crate) fn over_routes(&self, from: &Hexes, wanted: impl Fn(&RouteTable) -> bool) -> Hexes {
        if from.intersects(&self.map().route_ends) {
            far_ends(from, self.map().routes.iter().filter(|route| wanted(route)))
        } else {
            Hexes::EMPTY
        }
    }

    /// Places at the far ends of railway routes that begin in some places, in play or not.
    fn over_any_routes(&self, from: &Hexes) -> Hexes {
        far_ends(from, self.map().all_routes.iter().filter(|route| route.rail))
    }

    // ---- origins (10.2) ----

    /// The hex from which a camp's railways run, if it holds it: its capital (10.2; 1936 situation).
    pub(crate) fn capital(&self, state: &State, camp: Camp) -> Hexes {
        let Some(war) = &self.rules.civil_war else { return Hexes::EMPTY };
        let capital = war.capitals[camp.index()];
        let held = state.friendly[camp.index()].contains(capital)
            || self.civil_war_tables().rear[camp.index()].contains(capital);
        if held { Hexes::one(capital) } else { Hexes::EMPTY }
    }

    /// Railheads by which external supply comes to a camp, if it holds them and no battle is fought there (1936 rule 4).
    pub(crate) fn external_sources(&self, state: &State, camp: Camp) -> Hexes {
        let war = &state.civil_war;
        let railheads: &[Hex] = match camp {
            Camp::Axis => &[war.axis],
            Camp::Coalition => &[war.french[0], war.french[1], war.soviet],
        };
        let rear = &self.civil_war_tables().rear[camp.index()];
        let held = |hex| state.friendly[camp.index()].contains(hex) || rear.contains(hex);
        let open = |&hex: &Hex| is_on_map(hex) && held(hex) && !state.is_battle(hex);
        railheads.iter().copied().filter(open).collect()
    }

    /// The hex or area from which a faction's supply comes, if it holds it and it is joined to what it must be: Berlin by
    /// railway to another Victory City, London to a port (10.2).
    pub(crate) fn origin_of(&self, state: &State, faction: Faction) -> Option<Hex> {
        let origin = self.origin_held(state, faction)?;
        let alone = Hexes::one(origin);
        if self.origin_works(faction, origin, &alone) {
            return Some(origin);
        }
        let network = self.rail_network(state, faction.camp(), &alone);
        self.origin_works(faction, origin, &network).then_some(origin)
    }

    /// The origin of a faction, if it holds it.
    fn origin_held(&self, state: &State, faction: Faction) -> Option<Hex> {
        self.map().origins[faction.index()].filter(|&hex| self.holds(state, faction.camp(), hex))
    }

    /// Whether the railways of an origin join it to what it must be joined to (10.2).
    fn origin_works(&self, faction: Faction, origin: Hex, network: &Hexes) -> bool {
        let map = self.map();
        !map.in_play.contains(origin)
            || match faction {
                Faction::Axis => network.difference(&Hexes::one(origin)).intersects(&map.victory_cities),
                Faction::Allies => network.intersects(&map.ports),
                Faction::Soviets => true,
            }
    }

    /// The railways of a faction from its origin, if that brings supply (10.2).
    pub(crate) fn overland(&self, state: &State, faction: Faction) -> Option<Overland> {
        let origin = self.origin_held(state, faction)?;
        let track = self.track_of(state, faction);
        let places = self.along_rails_of(&track, &Hexes::one(origin));
        self.origin_works(faction, origin, &places).then_some(Overland { track, places })
    }

    /// All railways of a faction that bring supply from its origin, sea lines included (15.4).
    pub(crate) fn faction_network(&self, state: &State, faction: Faction) -> Hexes {
        self.lines_of(state, faction, SeaLines::All).places
    }

    /// Railways of a faction that bring supply from its origin, and its sea lines of a sort (15.4).
    pub(crate) fn lines_of(&self, state: &State, faction: Faction, lines: SeaLines) -> Network {
        match self.overland(state, faction) {
            Some(overland) => self.with_sea_lines(state, faction, &overland, lines),
            None => Network::EMPTY,
        }
    }

    /// What railways and sea lines reach from some places.
    pub(crate) fn lines_from(
        &self,
        state: &State,
        faction: Faction,
        sources: &Hexes,
        lines: SeaLines,
    ) -> Network {
        let track = self.track_of(state, faction);
        let places = self.along_rails_of(&track, sources);
        self.with_sea_lines(state, faction, &Overland { track, places }, lines)
    }

    /// All railways of a camp that bring supply.
    pub fn whole_network(&self, state: &State, camp: Camp) -> Hexes {
        let mut factions = self.factions().filter(|faction| faction.camp() == camp);
        let first = factions.next().map_or(Hexes::EMPTY, |faction| self.faction_lines(state, faction));
        factions.fold(first, |all, faction| all.or(&self.faction_lines(state, faction)))
    }

    /// Those of a faction, those of its isolated nations included (10.3, 20.64).
    pub(crate) fn faction_lines(&self, state: &State, faction: Faction) -> Hexes {
        if self.is_civil_war() {
            let camp = faction.camp();
            let sources = self.capital(state, camp).or(&self.external_sources(state, camp));
            return self.rail_network(state, camp, &sources);
        }
        let network = self.lines_of(state, faction, SeaLines::All);
        self.with_nations(state, faction, &network)
    }

    /// The railways of a faction with those of its isolated nations.
    pub(crate) fn with_nations(&self, state: &State, faction: Faction, network: &Network) -> Hexes {
        let mut whole = network.places;
        for nation in self.fighting_for(state, faction) {
            if let Some(own) = self.nation_lines(state, faction, nation, network, SeaLines::All) {
                whole = whole.or(&own.places);
            }
        }
        whole
    }

    /// Nations that fight for a faction. A block in its colour does not say so: nations may have blocks of both (16.3).
    fn fighting_for(&self, state: &State, faction: Faction) -> impl Iterator<Item = NationId> {
        let blocks = self.sets().nations.iter().filter(move |(_, of)| *of == faction);
        blocks.map(|(nation, _)| *nation).filter(move |&nation| self.mover_of(state, nation) == Some(faction))
    }

    // ---- supply of nations (10.21, 20.64) ----

    /// The railways that supply the units of a nation: those of its faction if it is a great power or its capital lies on
    /// them; those of its own capital if that has a line of communications to the faction's origin; else none.
    pub(crate) fn nation_network(&self, state: &State, faction: Faction, nation: NationId) -> Hexes {
        self.nation_places(state, faction, nation, &self.lines_of(state, faction, SeaLines::All))
    }

    /// The railways that supply the units of a nation, where those of its faction are known.
    pub(crate) fn nation_places(
        &self,
        state: &State,
        faction: Faction,
        nation: NationId,
        of_faction: &Network,
    ) -> Hexes {
        match self.nation_lines(state, faction, nation, of_faction, SeaLines::All) {
            Some(own) => own.places,
            None => of_faction.places,
        }
    }

    /// The railways, and sea lines of a sort, that supply the units of a nation; `None`: those of its faction.
    fn nation_lines(
        &self,
        state: &State,
        faction: Faction,
        nation: NationId,
        of_faction: &Network,
        lines: SeaLines,
    ) -> Option<Network> {
        let capital = self.rules.nations[nation.at()].capital.filter(|_| !self.sets().great[nation.at()])?;
        if self.is_free_french(state, nation) || self.are_volunteers(state, nation) {
            return None;
        }
        self.capital_lines(state, faction, nation, capital, of_faction, lines)
    }

    /// The lines that supply units of a nation through a capital; `None`: those of its faction.
    fn capital_lines(
        &self,
        state: &State,
        faction: Faction,
        nation: NationId,
        capital: Hex,
        of_faction: &Network,
        lines: SeaLines,
    ) -> Option<Network> {
        if !self.holds(state, faction.camp(), capital) {
            return Some(Network::EMPTY);
        }
        let camp = faction.camp();
        let barred = self.barred_to(state, nation);
        if self.is_supplied_by_siege(state, faction, capital, of_faction, &barred) {
            return Some(Network { places: Hexes::EMPTY, besieged: Hexes::one(capital) });
        }
        let reached = of_faction.places.contains(capital) || of_faction.besieged.contains(capital);
        if reached && (barred.is_empty() || !barred.intersects(&of_faction.places)) {
            return None;
        }
        let origin = self.origin_of(state, faction);
        let joined = origin.is_some_and(|origin| {
            let origin = Hexes::one(origin);
            self.communicates(state, camp, capital, &origin, &barred, self.seas().all)
        });
        if reached && joined {
            return None;
        }
        Some(if joined || self.is_stronghold(state, camp, nation, capital) {
            self.lines_from(state, faction, &Hexes::one(capital), lines)
        } else {
            Network::EMPTY
        })
    }

    /// Whether the supply of a nation goes by sea from its capital alone, a port under siege: it keeps what siege supply does, one
    /// step (10.21, 10.8).
    fn is_supplied_by_siege(
        &self,
        state: &State,
        faction: Faction,
        capital: Hex,
        of_faction: &Network,
        barred: &Hexes,
    ) -> bool {
        // The ports of regions work as if nobody fought there (18.51).
        let besieged = state.is_battle(capital)
            && !self.map().regions.contains(capital)
            && self.seas().harbours.contains(capital);
        if !besieged || of_faction.places.contains(capital) || self.sieges_are_open(state, faction) {
            return false;
        }
        let Some(origin) = self.origin_of(state, faction) else { return false };
        let joined = |barred: &Hexes| {
            self.communicates(state, faction.camp(), capital, &Hexes::one(origin), barred, self.seas().all)
        };
        // Lines over land start from an engaged capital as from any.
        (of_faction.besieged.contains(capital) || joined(barred)) && !joined(&barred.or(&Hexes::one(capital)))
    }

    /// Units of a nation, Vichy's residents of the Mediterranean Front, that are supplied through the capital of a colony
    /// (20.485).
    pub(crate) fn supplied_through_colonies(
        &self,
        state: &State,
        faction: Faction,
        nation: NationId,
        units: &Blocks,
        of_faction: &Network,
        lines: SeaLines,
    ) -> Blocks {
        let mut supplied = Blocks::EMPTY;
        let residents = units.and(&self.sets().residents[0]);
        if nation != self.nations().vichy || residents.is_empty() {
            return supplied;
        }
        for capital in self.tables.nations.colonial_capitals {
            let own = self.capital_lines(state, faction, nation, capital, of_faction, lines);
            let network = own.as_ref().unwrap_or(of_faction);
            supplied = supplied.or(&self.units_supplied_by(state, faction, &residents, network));
        }
        supplied
    }

    /// Land over which the supply of a nation is never traced: Turkey for the Greeks (20.73).
    fn barred_to(&self, state: &State, nation: NationId) -> Hexes {
        let named = self.nations();
        if nation == named.greece { self.territory(state, named.turkey) } else { Hexes::EMPTY }
    }

    /// Whether a nation is one that supplies itself while railways of its own join its capital to a place of its own: Spain to a port
    /// (20.74), Switzerland to a fortress (20.76), Sweden to Gallivare (20.83), Turkey to Istanbul (20.91). Supply of nations goes on
    /// over straits where no ferry takes trains (10.21).
    fn is_stronghold(&self, state: &State, camp: Camp, nation: NationId, capital: Hex) -> bool {
        let strongholds = &self.tables.nations.strongholds;
        let Some((_, ends)) = strongholds.iter().find(|(of, _)| *of == nation) else { return false };
        let home = self.home(state, nation);
        let mut track = self.rail_track(state, camp);
        track.through = track.through.and(&home);
        track.ends = track.ends.and(&home);
        let reached = self.rails_over_straits(&track, &Hexes::one(capital));
        reached.and(ends).difference(&state.battles()).intersects(&state.friendly[camp.index()])
    }

    /// Nations of a faction that produce for themselves: they hold their capital, which railways and sea lines do not join
    /// to the faction's origin (11.34, 20.64).
    pub fn isolated(&self, state: &State, faction: Faction) -> Nations {
        self.isolated_from(state, faction, &self.faction_network(state, faction))
    }

    /// Nations of a faction that produce for themselves, where its railways and sea lines are known.
    pub(crate) fn isolated_from(&self, state: &State, faction: Faction, network: &Hexes) -> Nations {
        let cut_off = self.fighting_for(state, faction).filter(|nation| {
            let capital = self.rules.nations[nation.at()].capital.filter(|_| !self.sets().great[nation.at()]);
            capital.is_some_and(|capital| {
                self.holds(state, faction.camp(), capital)
                    && !network.contains(capital)
                    && !self.are_volunteers(state, *nation)
                    && !self.is_free_french(state, *nation)
            })
        });
        cut_off.collect()
    }

    /// Whether railways and seas join two places for a camp (10.22): through land that is its own or neutral, no battle but
    /// in regions it defends, seas that the enemy does not control and that are not frozen (21.42).
    pub(crate) fn has_communications(&self, state: &State, camp: Camp, from: Hex, to: Hex) -> bool {
        self.has_communications_to_any(state, camp, from, &Hexes::one(to))
    }

    /// Whether railways and seas join a place to one of some for a camp (10.22), as [`Self::has_communications`] says.
    pub(crate) fn has_communications_to_any(&self, state: &State, camp: Camp, from: Hex, to: &Hexes) -> bool {
        self.communicates(state, camp, from, to, &Hexes::EMPTY, self.seas().all)
    }

    /// Whether lines of communications join a place to one of some (10.22) past barred land, through which they do not run and from
    /// whose ports they do not sail, over no other seas than these.
    fn communicates(
        &self,
        state: &State,
        camp: Camp,
        from: Hex,
        to: &Hexes,
        barred: &Hexes,
        waters: Seas,
    ) -> bool {
        let map = self.map();
        let hostile = state.friendly[camp.enemy().index()]
            .or(&state.owners.of(camp.enemy()).difference(&map.in_play))
            .or(&self.cooperating_with(state, camp.enemy()));
        let closed = hostile
            .or(&state.disputed)
            .or(&state.battles().difference(&map.regions.and(&state.friendly[camp.index()])));
        let open = map.rail_hexes.and(&map.on_land).difference(&closed).difference(barred);
        let tables = self.seas();
        let ports_of = |places: &Hexes| tables.harbours.and(places);
        let seas_of = |port: Hex| tables.port_seas(port);
        // A line may end in a battle, but not with the enemy, or with who cooperates with it.
        let havens = ports_of(&open.or(&to.difference(&hostile)));
        let mut reached = Hexes::EMPTY;
        // Where lines have just come to.
        let mut fresh = Hexes::one(from);
        let mut seas = Seas::EMPTY;
        loop {
            // Areas of the map's edge are no hexes of the board: a fill leaves them out.
            let left = open.difference(&reached);
            fresh = fresh.or(&self.board().fill_across(fresh, &left, &map.joined_rails));
            reached = reached.or(&fresh);
            if reached.intersects(to) {
                return true;
            }
            let over = self.over_any_routes(&fresh).and(&open).difference(&reached);
            if !over.is_empty() {
                fresh = over;
                continue;
            }
            let sailed = seas;
            let ports = ports_of(&reached.difference(barred));
            let embarked = ports.iter().fold(Seas::EMPTY, |all, port| all.or(&seas_of(port)));
            let embarked = embarked.and(&waters).difference(&seas);
            for sea in embarked.filter(|sea| self.is_sea_open(state, camp, sea)) {
                self.sail_on(state, camp, sea, waters, &mut seas);
            }
            if seas == sailed {
                return false;
            }
            fresh = havens.difference(&reached).filter(|port| seas_of(port).intersects(&seas));
        }
    }

    /// Whether the Axis's ore comes by way of Narvik (17.2): a railway joins the port to Gallivare, railways join Berlin to a
    /// port of the Baltic basins, and ships get from one to the other on the Northern Route, in seas that are not the enemy's.
    pub(crate) fn is_ore_route_open(&self, state: &State, berlin: Hex, narvik: Hex, gallivare: Hex) -> bool {
        let (camp, tables) = (Camp::Axis, self.seas());
        if self.holds(state, camp.enemy(), narvik) || state.is_battle(narvik) {
            return false;
        }
        let mut sailed = Seas::EMPTY;
        let from = tables.port_seas(narvik).and(&tables.northern_seas);
        for sea in from.filter(|sea| self.is_sea_open(state, camp, sea)) {
            self.sail_on(state, camp, sea, tables.northern_seas, &mut sailed);
        }
        let near = sailed.difference(&self.basin(crate::rules::Basin::Atlantic));
        let ports = tables.harbours.filter(|port| tables.port_seas(port).intersects(&near));
        let by_rail = |from, to: &Hexes| self.communicates(state, camp, from, to, &Hexes::EMPTY, Seas::EMPTY);
        by_rail(narvik, &Hexes::one(gallivare)) && by_rail(berlin, &ports)
    }

    /// Adds the seas that are reached from one among some: straits are closed if the enemy holds both banks (10.21).
    fn sail_on(&self, state: &State, camp: Camp, sea: SeaId, waters: Seas, seas: &mut Seas) {
        if seas.contains(sea) {
            return;
        }
        seas.insert(sea);
        for (next, banks) in &self.rules.map.seas[sea.at()].links {
            let barred = !banks.is_empty() && banks.iter().all(|&bank| self.holds(state, camp.enemy(), bank));
            if !barred && waters.contains(*next) && self.is_sea_open(state, camp, *next) {
                self.sail_on(state, camp, *next, waters, seas);
            }
        }
    }

    /// Whether supply of nations crosses a sea: not where the enemy controls it, nor through ice (10.22, 21.42).
    fn is_sea_open(&self, state: &State, camp: Camp, sea: SeaId) -> bool {
        let frozen = self.sea_data(sea).freezes && state.weather[1] == crate::rules::Weather::Snow;
        !frozen && !self.is_hostile_sea(state, camp, sea)
    }

    /// Land of neutrals that cooperate with a camp (16.2): the other one traces nothing over it.
    fn cooperating_with(&self, state: &State, camp: Camp) -> Hexes {
        let wanted = match camp {
            Camp::Axis => Status::CooperatesWithAxis,
            Camp::Coalition => Status::CooperatesWithAllies,
        };
        let nations = (0..self.rules.nations.len()).map(NationId::nth);
        nations
            .filter(|&nation| state.diplomacy.status[nation] == wanted)
            .fold(Hexes::EMPTY, |land, nation| land.or(&self.territory(state, nation)))
    }

    // ---- lines of supply (10.4) ----

    /// Hexes in which units of a camp are supplied by a network (10.4): so many hexes away at most, through friendly and
    /// disputed ones; the unit's own may be a battle that the enemy controls. In the Desert Zone lines are shorter.
    pub fn supplied_by(&self, state: &State, camp: Camp, network: &Hexes) -> Hexes {
        let numbers = &self.rules.numbers;
        let through = self.traceable(state, camp);
        let into = through.or(&state.battles());
        let land = &self.map().land;
        let within = |steps: u32| {
            let inner = self.board().within_across(*network, steps - 1, &through, land);
            inner.or(&self.board().across_into(&inner, land, &into))
        };
        let supplied = within(u32::from(numbers.supply_line));
        let desert = &self.map().desert_zone;
        if !supplied.intersects(desert) || self.is_civil_war() {
            return supplied;
        }
        let near = match u32::from(numbers.desert_supply_line) {
            0 => *network,
            steps => within(steps),
        };
        supplied.difference(desert).or(&near.and(desert))
    }

    /// Units of a camp that have a line of supply now; `lines` are those of its factions, where they have just been checked.
    fn supplied_units(&self, state: &State, camp: Camp, lines: Option<&CheckedLines>) -> Blocks {
        let standing = state.standing[camp.index()];
        let in_area = |units: &Blocks, area: &Hexes| state.places.standing(units, |at| area.contains(at));
        if self.is_civil_war() {
            let network = self.whole_network(state, camp);
            return in_area(&standing, &self.supplied_by(state, camp, &network));
        }
        let mut supplied = Blocks::EMPTY;
        for faction in Faction::ALL.into_iter().filter(|faction| faction.camp() == camp) {
            if !standing.intersects(&self.sets().of_faction[faction.index()]) {
                continue;
            }
            let traced;
            let main = if let Some(checked) = lines.and_then(|lines| lines[faction.index()].as_ref()) {
                debug_assert!({
                    let again = self.lines_of(state, faction, SeaLines::Checked);
                    again.places == checked.places && again.besieged == checked.besieged
                });
                checked
            } else {
                traced = self.lines_of(state, faction, SeaLines::Checked);
                &traced
            };
            // Most nations are supplied by the lines of their faction: those all at once.
            let mut common = Blocks::EMPTY;
            for &(nation, of) in &self.sets().nations {
                let units = standing.and(&self.sets().of_nation[nation.at()]);
                if of != faction || units.is_empty() {
                    continue;
                }
                match self.nation_lines(state, faction, nation, main, SeaLines::Checked) {
                    Some(own) => {
                        supplied = supplied.or(&self.units_supplied_by(state, faction, &units, &own));
                        let lines = SeaLines::Checked;
                        supplied = supplied
                            .or(&self.supplied_through_colonies(state, faction, nation, &units, main, lines));
                    }
                    None => common = common.or(&units),
                }
            }
            supplied = supplied.or(&self.units_supplied_by(state, faction, &common, main));
            supplied = supplied.or(&self.supplied_from_beaches(state, faction, main));
        }
        let garrisons = self.garrisons_supplied(state, camp, &standing.difference(&supplied));
        supplied.or(&garrisons).difference(&self.strays(state, &standing))
    }

    /// Of some units those that a network supplies: by lines of two hexes, or in ports under siege (10.4, 10.8).
    pub(crate) fn units_supplied_by(
        &self,
        state: &State,
        faction: Faction,
        units: &Blocks,
        network: &Network,
    ) -> Blocks {
        if units.is_empty() || network.places.is_empty() && network.besieged.is_empty() {
            return Blocks::EMPTY;
        }
        let camp = faction.camp();
        let mut places = network.places;
        if self.sieges_are_open(state, faction) {
            places = places.or(&network.besieged);
        }
        let area = self.area_along(state, camp, &places);
        let in_area = state.places.standing(units, |at| area.contains(at));
        // Fortresses have no siege supply besides their own (10.8).
        let [full, minor] = &self.map().fortresses;
        let besieged = network.besieged.difference(full).difference(minor);
        in_area.or(&self.siege_supplied(state, faction, &besieged).and(units))
    }

    /// Units of a faction that its beachheads supply (15.63).
    fn supplied_from_beaches(&self, state: &State, faction: Faction, network: &Network) -> Blocks {
        let [wide, narrow] = self.beachhead_sources(state, faction, network, SeaLines::Checked);
        if wide.is_empty() && narrow.is_empty() {
            return Blocks::EMPTY;
        }
        let own = state.standing[faction.camp().index()].and(&self.sets().of_faction[faction.index()]);
        let area = if wide.is_empty() { wide } else { self.supplied_by(state, faction.camp(), &wide) };
        state.places.standing(&own, |at| area.contains(at) || narrow.contains(at))
    }

    // ---- what production asks (11.71, 11.73) ----

    /// Hexes that railways which are reached supply, with the roads that join them (10.33, 10.4).
    pub fn area_along(&self, state: &State, camp: Camp, places: &Hexes) -> Hexes {
        self.supplied_by(state, camp, &self.road_network(state, camp, places))
    }

    /// Hexes that a faction's lines reach without crossing enemy seas: secure supply, sieges and fortresses not counted
    /// (11.71).
    pub(crate) fn secure_area(&self, state: &State, faction: Faction) -> Hexes {
        self.area_along(state, faction.camp(), &self.lines_of(state, faction, SeaLines::Safe).places)
    }

    /// Hexes that a faction supplies in a production: those of its secure lines and of its beachheads (11.71, 15.63).
    pub(crate) fn producing_area(&self, state: &State, faction: Faction, secure: &Network) -> Hexes {
        self.area_along(state, faction.camp(), &secure.places)
            .or(&self.area_of_beachheads(state, faction, secure))
    }

    /// Hexes that a faction's beachheads supply in a production, if the enemy cannot intercept their lines (11.71, 15.63).
    pub(crate) fn area_of_beachheads(&self, state: &State, faction: Faction, secure: &Network) -> Hexes {
        let [wide, narrow] = self.beachhead_sources(state, faction, secure, SeaLines::Safe);
        if wide.is_empty() { narrow } else { narrow.or(&self.supplied_by(state, faction.camp(), &wide)) }
    }

    /// Of units without a line those that a fortress or a base supplies: the largest of those in a fortress that their camp
    /// controls (10.7), in such a base one that is alone (10.71, 21.397).
    fn garrisons_supplied(&self, state: &State, camp: Camp, cut_off: &Blocks) -> Blocks {
        let mut supplied = Blocks::EMPTY;
        if cut_off.is_empty() {
            return supplied;
        }
        let friendly = &state.friendly[camp.index()];
        let [full, minor] = &self.map().fortresses;
        let held = state.occupied[camp.index()].and(friendly);
        for hex in full.or(minor).and(&held) {
            let strongest = |block: &crate::ids::BlockId| (state.steps[*block], std::cmp::Reverse(*block));
            if let Some(largest) = state.stack(hex, camp).and(cut_off).iter().max_by_key(strongest) {
                supplied.insert(largest);
            }
        }
        for hex in self.map().bases.and(&held) {
            let stack = state.stack(hex, camp);
            if stack.len() == 1 {
                supplied = supplied.or(&stack.and(cut_off));
            }
        }
        supplied
    }

    // ---- the supply phase (10.5, 10.6) ----

    /// The supply phase: the active camp checks all enemy units (10.5), which suffer attrition if they are unsupplied
    /// (10.6).
    pub(crate) fn check_supply<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let checked = state.camp().enemy();
        let own = checked.index();
        let excess = if state.crowded[own] { self.excess(state, checked) } else { Blocks::EMPTY };
        let traced;
        let mut lines = None;
        if self.rules.scenario.naval && (!state.supply_holds[own] || state.sea.contested[own]) {
            self.update_control(state);
            traced = self.intercept_all_supply(state, checked, context);
            lines = Some(&traced);
        }
        if !state.supply_holds[own] || state.crowded[own] {
            self.update_supply(state, checked, &excess, lines, context);
        }
        state.crowded[own] = !excess.is_empty();
        for block in state.standing[own].and(state.marked(Mark::Unsupplied)) {
            if !self.holds_out(state, block) || excess.contains(block) {
                self.starve(state, block, context);
            }
        }
    }

    /// Whether a unit without supply loses no step (10.6): who defends a loyal place in 1936 (1936 rule 4), a fort unit at its
    /// last step (2.28), but none of the Maginot Line (20.41), Tito in Yugoslavia (16.732).
    fn holds_out(&self, state: &State, block: crate::ids::BlockId) -> bool {
        let brief = self.brief(block);
        let loyal = &self.civil_war_tables().loyal[brief.camp.index()];
        loyal.contains(state.at(block))
            || self.sets().forts.contains(block)
                && !self.sets().maginot.contains(block)
                && state.steps[block] <= brief.least
            || self.is_tito_at_home(state, block)
    }

    /// Attrition (10.6): of an Axis unit, which two opponents check, one step between two Axis player turns and one in a
    /// fortnight.
    fn starve<T: crate::Rolls>(&self, state: &mut State, block: crate::ids::BlockId, context: &mut T) {
        if self.rules.scenario.players.len() > 2 && self.brief(block).faction == Faction::Axis {
            if state.has(block, Mark::Starved) || state.has(block, Mark::STARVED_THIS_FORTNIGHT) {
                return;
            }
            state.mark(block, Mark::Starved, true);
            state.mark(block, Mark::STARVED_THIS_FORTNIGHT, true);
        }
        self.lose_step(state, block, Cause::Attrition, context);
    }

    /// Sets the supply status of a camp's units (10.5).
    fn update_supply<T: crate::Rolls>(
        &self,
        state: &mut State,
        camp: Camp,
        excess: &Blocks,
        lines: Option<&CheckedLines>,
        context: &mut T,
    ) {
        self.update_control(state);
        let standing = state.standing[camp.index()];
        let supplied = self.supplied_units(state, camp, lines).difference(excess);
        let unsupplied = standing.difference(&supplied);
        let before = state.marked(Mark::Unsupplied).and(&standing);
        if before != unsupplied {
            state.board_changes();
            for block in standing {
                if before.contains(block) != unsupplied.contains(block) {
                    context.emit(|| Event::Supply { block, supplied: supplied.contains(block) });
                }
            }
            let others = state.marked(Mark::Unsupplied).difference(&standing);
            state.marks[Mark::Unsupplied as usize] = others.or(&unsupplied);
        }
        // Who has become unsupplied has lost his zone of control: the next check may find more.
        state.supply_holds[camp.index()] = before == unsupplied;
    }

    /// Units beyond the stacking limit of their hex, the largest first (6.22).
    fn excess(&self, state: &State, camp: Camp) -> Blocks {
        let mut excess = Blocks::EMPTY;
        for hex in state.occupied[camp.index()] {
            let mut stack = state.stack(hex, camp);
            let limit = u32::from(self.stacking_limit(state, hex));
            while stack.len() > limit {
                let Some(largest) =
                    stack.iter().max_by_key(|&block| (state.steps[block], std::cmp::Reverse(block)))
                else {
                    break;
                };
                stack.remove(largest);
                excess.insert(largest);
            }
        }
        excess
    }
}

/// Places at the far ends of some routes that begin in some places.
fn far_ends<'a>(from: &Hexes, routes: impl Iterator<Item = &'a RouteTable>) -> Hexes {
    let mut ends = Hexes::EMPTY;
    for route in routes {
        if from.contains(route.a) {
            ends.insert(route.b);
        }
        if from.contains(route.b) {
            ends.insert(route.a);
        }
    }
    ends
}
