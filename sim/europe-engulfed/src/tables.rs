//! What play asks for all the time, derived from the data once.

use sandtable_core::{AreaBoard, Board, Index};

use crate::ids::{
    Area, Areas, KindId, MAX_AREAS, MAX_KINDS, MAX_SEAS, MAX_UNITS, NATIONS, Nation, Nations, Team, UnitId,
    Units,
};
use crate::phase::FireClass;
use crate::rules::{Branch, CountryKind, EdgeKind, Rules, ScenarioNation, Standing, Terrain, Zone};
use crate::state::MOST_SPECIAL_ACTIONS;

/// Where a counter starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// Where; [`Area::WAITING`] = somewhere in `zone`.
    pub area: Area,
    pub steps: u8,
    /// Where its owner may deploy it.
    pub zone: Areas,
}

/// A resource area in play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resource {
    pub area: Area,
    pub value: u8,
    /// Whose home area it is; `None` overseas.
    pub home: Option<Nation>,
}

#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// Areas in play and which of them touch by land.
    pub land: AreaBoard<Area, 3>,
    pub in_play: Areas,
    /// By area: those at most two steps away.
    pub within_two: Vec<Areas>,
    /// By area: the areas from which a river or a strait is crossed.
    pub rivers: Vec<Areas>,
    /// By area: the areas across a strait.
    pub straits: Vec<Areas>,
    /// By area: the areas from which the Maginot line guards it.
    pub maginot: Vec<Areas>,
    /// By area: the other ends of its air links.
    pub links: Vec<Areas>,
    /// By sea zone: the areas with a port on it.
    pub ports: [Areas; MAX_SEAS],
    /// By sea zone: the areas with a beach on it.
    pub beaches: [Areas; MAX_SEAS],
    /// By sea zone: the areas with a port or a beach on it.
    pub coasts: [Areas; MAX_SEAS],
    /// Areas of the eastern climate zone.
    pub eastern: Areas,
    pub swamps: Areas,
    pub rough: Areas,
    pub fortresses: Areas,
    pub resources: Vec<Resource>,
    /// All resource areas; and by nation those at home.
    pub resource_areas: Areas,
    pub home_resources: [Areas; NATIONS],
    pub heavy_fort_sites: Areas,

    pub counters: usize,
    pub kind_of: [KindId; MAX_UNITS],
    /// First counter of each kind, and one past the last.
    pub first_of: [u16; MAX_KINDS + 1],
    pub nation_of: [Nation; MAX_UNITS],
    pub max: [u8; MAX_UNITS],
    pub of_nation: [Units; NATIONS],
    pub land_units: Units,
    pub air_units: Units,
    pub classes: [Units; 2],
    pub airborne: Units,
    pub armour: Units,
    pub infantry: Units,
    pub elite: Units,
    /// Counters of the Western Allies.
    pub western: Units,
    pub starts: Vec<Start>,

    /// By nation: where the scenario's climate zones let it be (16.12, A7).
    pub allowed: [Areas; NATIONS],
    /// Counters of nations that only defend (16.12).
    pub defends_only: Units,
    pub home: [Areas; NATIONS],
    pub new_units: [Areas; NATIONS],
    pub sources: [Areas; NATIONS],
    pub patron: [Nation; NATIONS],
    /// Nations that use the Special Actions of each.
    pub clients: [Nations; NATIONS],
    /// Nations that use their own Special Actions.
    pub patrons: Nations,
    pub player: [u8; NATIONS],
    pub scenario: [Option<ScenarioNation>; NATIONS],
    /// By nation: the area with which a minor falls (9.6), Paris of France.
    pub capitals: [Option<Area>; NATIONS],
}

impl Tables {
    pub(crate) fn derive(rules: &Rules) -> Result<Tables, String> {
        let count = rules.areas.len();
        if count > MAX_AREAS {
            return Err(format!("{count} areas, there is room for {MAX_AREAS}"));
        }
        if rules.setup.control.len() != count {
            return Err(format!("{} areas have a controller, of {count}", rules.setup.control.len()));
        }
        if rules.nations.len() != NATIONS {
            return Err(format!("{} nations, there are {NATIONS}", rules.nations.len()));
        }
        let in_play = rules.setup.in_play;
        if let Some(area) = in_play.iter().find(|area| area.at() >= count) {
            return Err(format!("area {} is in play, the areas are 0 to {}", area.0, count - 1));
        }
        let mut tables = Tables::of_map(rules, in_play)?;
        tables.add_counters(rules)?;
        tables.add_nations(rules)?;
        Ok(tables)
    }

    fn of_map(rules: &Rules, in_play: Areas) -> Result<Tables, String> {
        let count = rules.areas.len();
        let open = |a: Area, b: Area| in_play.contains(a) && in_play.contains(b);
        let edges = rules.edges.iter().filter(|edge| open(edge.a, edge.b));
        let land = AreaBoard::from_edges(count, edges.clone().map(|edge| (edge.a, edge.b)))
            .map_err(|fault| format!("edges: {fault}"))?;
        let mut rivers = vec![Areas::EMPTY; count];
        let mut straits = rivers.clone();
        let mut maginot = rivers.clone();
        let mut links = rivers.clone();
        for edge in edges {
            for (from, to) in [(edge.a, edge.b), (edge.b, edge.a)] {
                rivers[to.at()].set(from, matches!(edge.kind, EdgeKind::River | EdgeKind::Strait));
                straits[to.at()].set(from, edge.kind == EdgeKind::Strait);
                maginot[to.at()].set(from, edge.maginot == Some(to));
            }
        }
        for &(a, b) in rules.air_links.iter().filter(|&&(a, b)| open(a, b)) {
            links[a.at()].insert(b);
            links[b.at()].insert(a);
        }
        let areas_with = |terrain: Terrain| {
            in_play.iter().filter(|area| rules.areas[area.at()].terrain == terrain).collect::<Areas>()
        };
        let mut resources = Vec::new();
        let mut home_resources = [Areas::EMPTY; NATIONS];
        let (mut ports, mut beaches, mut coasts) =
            ([Areas::EMPTY; MAX_SEAS], [Areas::EMPTY; MAX_SEAS], [Areas::EMPTY; MAX_SEAS]);
        if rules.seas.len() > MAX_SEAS {
            return Err(format!("{} sea zones, there is room for {MAX_SEAS}", rules.seas.len()));
        }
        for area in in_play {
            let data = &rules.areas[area.at()];
            for sea in 0..rules.seas.len() {
                let (port, beach) = (data.ports & 1 << sea != 0, data.beaches[sea] > 0);
                ports[sea].set(area, port);
                beaches[sea].set(area, beach);
                coasts[sea].set(area, port || beach);
            }
            let country = rules
                .countries
                .get(data.country as usize)
                .ok_or_else(|| format!("{} is in country {}, which is not there", data.id, data.country))?;
            if data.resource > 0 {
                let home = (country.home && country.kind != CountryKind::Overseas).then_some(country.owner);
                resources.push(Resource { area, value: data.resource, home });
                if let Some(home) = home {
                    home_resources[home.index()].insert(area);
                }
            }
        }
        let around = |at: usize| land.within(Areas::one(Area::nth(at)), 2);
        Ok(Tables {
            within_two: (0..count).map(around).collect(),
            land,
            in_play,
            rivers,
            straits,
            maginot,
            links,
            ports,
            beaches,
            coasts,
            eastern: in_play.filter(|area| rules.areas[area.at()].zone == Zone::Eastern),
            swamps: areas_with(Terrain::Swamp),
            rough: areas_with(Terrain::Rough),
            fortresses: areas_with(Terrain::Fortress),
            resource_areas: resources.iter().map(|resource| resource.area).collect(),
            home_resources,
            resources,
            heavy_fort_sites: in_play.filter(|area| rules.areas[area.at()].heavy_fort),
            counters: 0,
            kind_of: [KindId(0); MAX_UNITS],
            first_of: [0; MAX_KINDS + 1],
            nation_of: [Nation::Germany; MAX_UNITS],
            max: [0; MAX_UNITS],
            of_nation: [Units::EMPTY; NATIONS],
            land_units: Units::EMPTY,
            air_units: Units::EMPTY,
            classes: [Units::EMPTY; 2],
            airborne: Units::EMPTY,
            armour: Units::EMPTY,
            infantry: Units::EMPTY,
            elite: Units::EMPTY,
            western: Units::EMPTY,
            starts: Vec::new(),
            allowed: [in_play; NATIONS],
            defends_only: Units::EMPTY,
            home: [Areas::EMPTY; NATIONS],
            new_units: [Areas::EMPTY; NATIONS],
            sources: [Areas::EMPTY; NATIONS],
            patron: Nation::ALL,
            clients: [0; NATIONS],
            patrons: 0,
            player: [NO_PLAYER; NATIONS],
            scenario: [None; NATIONS],
            capitals: [None; NATIONS],
        })
    }

    /// Numbers the counters: those placed first, then those in the pool, then those withheld.
    fn add_counters(&mut self, rules: &Rules) -> Result<(), String> {
        if rules.kinds.len() > MAX_KINDS {
            return Err(format!("{} kinds of counters, there is room for {MAX_KINDS}", rules.kinds.len()));
        }
        for (index, kind) in rules.kinds.iter().enumerate() {
            let name = || format!("{} {} {}", kind.nation.id(), kind.branch.id(), kind.max);
            let first = self.counters;
            let end = first + kind.counters as usize;
            if end > MAX_UNITS {
                return Err(format!("more than {MAX_UNITS} counters"));
            }
            let mut starts = Vec::new();
            for placement in rules.setup.placements.iter().filter(|one| one.kind as usize == index) {
                if placement.steps == 0 || placement.steps > kind.max {
                    return Err(format!("{} is placed with {} steps", name(), placement.steps));
                }
                let zone = placement.zone.and(&self.in_play);
                let area = match (zone.len(), zone.first()) {
                    (1, Some(area)) => area,
                    (0, _) => return Err(format!("{} is placed in no area in play", name())),
                    _ => Area::WAITING,
                };
                let start = Start { area, steps: placement.steps, zone };
                starts.extend(std::iter::repeat_n(start, placement.count as usize));
            }
            let withheld = rules.setup.withheld.iter().filter(|one| one.0 as usize == index);
            let withheld: usize = withheld.map(|one| one.1 as usize).sum();
            let used = starts.len() + withheld;
            if used > kind.counters as usize {
                return Err(format!("{used} counters of {} are used, of {}", name(), kind.counters));
            }
            let off = |area| Start { area, steps: 0, zone: Areas::EMPTY };
            starts.resize(kind.counters as usize - withheld, off(Area::POOL));
            starts.resize(kind.counters as usize, off(Area::GONE));
            self.starts.extend(starts);
            for unit in (first..end).map(UnitId::nth) {
                self.kind_of[unit.at()] = KindId::nth(index);
                self.nation_of[unit.at()] = kind.nation;
                self.max[unit.at()] = kind.max;
                self.of_nation[kind.nation.index()].insert(unit);
                match class_of(kind.branch) {
                    Some(class) => {
                        self.land_units.insert(unit);
                        self.classes[class as usize].insert(unit);
                    }
                    None => self.air_units.insert(unit),
                }
                self.airborne.set(unit, kind.branch == Branch::Airborne);
                self.armour.set(unit, kind.branch == Branch::Armour);
                self.infantry.set(unit, kind.branch == Branch::Infantry);
                self.elite.set(unit, kind.elite);
                self.western.set(unit, crate::politics::is_western(kind.nation));
            }
            self.first_of[index] = first as u16;
            self.counters = end;
        }
        self.first_of[rules.kinds.len()..].fill(self.counters as u16);
        Ok(())
    }

    fn add_nations(&mut self, rules: &Rules) -> Result<(), String> {
        for data in &rules.nations {
            self.patron[data.nation.index()] = data.patron;
            self.clients[data.patron.index()] |= data.nation.bit();
            if data.patron == data.nation {
                self.patrons |= data.nation.bit();
            }
        }
        for team in Team::ALL {
            let players = rules.setup.players.iter().filter(|player| player.team == team);
            let nations = players.fold(0, |all, player| all | player.nations);
            let of_team = rules.setup.nations.iter().filter(|data| nations & data.nation.bit() != 0);
            let pool: usize = of_team.map(|data| usize::from(data.special_action_pool)).sum();
            if pool > MOST_SPECIAL_ACTIONS {
                return Err(format!(
                    "a team has a pool of {pool} Special Actions, there is room for {MOST_SPECIAL_ACTIONS}"
                ));
            }
        }
        if rules.setup.players.is_empty() || rules.setup.players.len() > 3 {
            return Err(format!("{} players; two or three", rules.setup.players.len()));
        }
        for (index, player) in rules.setup.players.iter().enumerate() {
            for nation in Nation::members(player.nations) {
                self.player[nation.index()] = index as u8;
            }
        }
        for area in self.in_play {
            let data = &rules.areas[area.at()];
            let country = &rules.countries[data.country as usize];
            if country.home {
                self.home[country.owner.index()].insert(area);
            }
            if let Some(nation) = data.source_of {
                self.sources[nation.index()].insert(area);
            }
        }
        // A minor is supplied from its capital and by its patron (A82).
        for country in &rules.countries {
            let capital = country.capital.filter(|capital| self.in_play.contains(*capital));
            if let Some(capital) = capital.filter(|_| country.kind != CountryKind::Major) {
                self.sources[country.owner.index()].insert(capital);
            }
            if capital.is_some() {
                self.capitals[country.owner.index()] = capital;
            }
        }
        let own = self.sources;
        for nation in Nation::ALL {
            let patron = self.patron[nation.index()];
            self.sources[nation.index()] = own[nation.index()].or(&own[patron.index()]);
        }
        for data in &rules.setup.nations {
            let index = data.nation.index();
            self.scenario[index] = Some(*data);
            if let Some(zone) = data.confined {
                self.allowed[index] = self.in_play.filter(|area| rules.areas[area.at()].zone == zone);
            }
            if data.defends_only {
                self.defends_only = self.defends_only.or(&self.of_nation[index]);
            }
            if !data.sources.is_empty() {
                self.sources[index] = data.sources;
            }
            self.new_units[index] = if data.new_units.is_empty() { self.home[index] } else { data.new_units };
        }
        if !rules.options.italian_wars {
            let closed = Nation::members(rules.politics.barred_to_italy);
            let closed = closed.fold(Areas::EMPTY, |all, nation| all.or(&self.home[nation.index()]));
            let allowed = &mut self.allowed[Nation::Italy.index()];
            *allowed = allowed.difference(&closed);
        }
        let setup = &rules.setup;
        let commanded = setup.players.iter().fold(0, |mask, player| mask | player.nations);
        let named = |nation: Nation| {
            self.scenario[nation.index()].as_ref().is_some_and(|data| data.standing == Standing::Belligerent)
        };
        for kind in rules.kinds.iter().filter(|kind| named(kind.nation)) {
            if commanded & kind.nation.bit() == 0 {
                return Err(format!("no player leads {}", kind.nation.id()));
            }
        }
        Ok(())
    }
}

/// No player leads a nation from the start.
pub(crate) const NO_PLAYER: u8 = 255;

/// The class a branch fights as; `None` for air support.
pub(crate) fn class_of(branch: Branch) -> Option<FireClass> {
    match branch {
        Branch::Infantry | Branch::Cavalry | Branch::Militia | Branch::Airborne => Some(FireClass::Infantry),
        Branch::Armour => Some(FireClass::Armour),
        Branch::Air => None,
    }
}
