//! Seas (15.1, 15.2): who controls them, who may sail them, straits and ice; storms (12.5); naval supremacy (15.8).
//!
//! What is done at sea stands in the modules `voyage` (15.3, 15.7), `invasion` (15.5), `beachhead` (15.6) and `sea_supply`
//! (15.4, 10.8).

use sandtable_core::{Hex, Hexsides, Index};

use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{AREA_LINE, BlockId, Camp, Faction, Front, Hexes, LINES, MAX_SEAS, SeaId, Seas};
use crate::rules::{
    AlliedAir, Basin, Fact, Kind, NavalBalance, NavalRoute, Port, Rules, SideKind, Status, Weather,
};
use crate::state::{MAX_PORTS, State};
use crate::tables::PLACES;

/// No port is in a place.
const NO_PORT: u8 = u8::MAX;
/// Most beachheads.
pub const MAX_BEACHHEADS: usize = 16;

/// A port (15.1).
#[derive(Clone, Copy, Debug)]
pub struct PortBrief {
    /// Where it is.
    pub place: Hex,
    /// Sea areas it lies at.
    pub seas: Seas,
    /// Minor or major.
    pub port: Port,
}

/// Two sea areas that a strait joins (1.371).
#[derive(Clone, Debug)]
pub struct StraitLink {
    /// The sea areas.
    pub seas: [SeaId; 2],
    /// Hexes and areas at its banks.
    pub banks: Vec<Hex>,
}

/// What follows from the data of the seas.
#[derive(Clone, Debug)]
pub struct SeaTables {
    /// Ports, by number.
    pub ports: Vec<PortBrief>,
    /// Places with a port.
    pub harbours: Hexes,
    /// Number of the port of every place.
    port_at: Vec<u8>,
    /// Sea areas that every place borders.
    coasts: Vec<Seas>,
    /// Sea areas that open water joins to each.
    pub open_water: [Seas; MAX_SEAS],
    /// Sea areas that straits join.
    pub straits: Vec<StraitLink>,
    /// Ports at a bank of a strait.
    pub strait_ports: Hexes,
    /// All sea areas.
    pub all: Seas,
    /// Sea areas closed to all in snow (21.42).
    pub freezing: Seas,
    /// Sea areas that the Soviets alone sail: the Caspian (15.11).
    pub caspian: Seas,
    /// The sea area between the Cape and all that lies beyond it (21.381).
    pub cape: Seas,
    /// Sea areas that belong to a faction whatever happens (15.1).
    pub always: [Seas; 3],
    /// Places that may be invaded, as far as their terrain goes (15.52).
    pub beaches: Hexes,
    /// Sea hexes.
    pub sea_hexes: Hexes,
    /// Sea areas of the Northern Route (15.81).
    pub northern_seas: Seas,
    /// Its sea hexes, and hexes on its coasts.
    pub northern_route: Hexes,
    /// Hexsides that lie over water, and straits: what the radius of an invasion headquarters crosses (15.511).
    pub waterways: Hexsides<LINES>,
    /// Beachheads with their amphibious units, by number (15.6).
    pub beachheads: Vec<(BlockId, BlockId)>,
}

impl SeaTables {
    pub(crate) fn derive(rules: &Rules, map: &crate::tables::MapTables) -> Result<SeaTables, String> {
        let data = &rules.map;
        if data.seas.len() > MAX_SEAS {
            return Err(format!("{} sea areas, at most {MAX_SEAS} have room", data.seas.len()));
        }
        let (ports, port_at) = ports(rules)?;
        let mut coasts = vec![Seas::EMPTY; PLACES];
        for hex in &data.hexes {
            coasts[hex.hex.at()] = hex.coast.iter().copied().collect();
        }
        for port in &ports {
            coasts[port.place.at()] = coasts[port.place.at()].or(&port.seas);
        }
        let mut open_water = [Seas::EMPTY; MAX_SEAS];
        let mut straits = Vec::new();
        for (at, sea) in data.seas.iter().enumerate() {
            for (other, banks) in &sea.links {
                if banks.is_empty() {
                    open_water[at].insert(*other);
                } else if at < other.at() {
                    straits.push(StraitLink { seas: [SeaId::nth(at), *other], banks: banks.clone() });
                }
            }
        }
        let seas_with = |wanted: &dyn Fn(&crate::rules::Sea) -> bool| -> Seas {
            let seas = data.seas.iter().enumerate();
            seas.filter(|(_, sea)| wanted(sea)).map(|(at, _)| SeaId::nth(at)).collect()
        };
        let harbours: Hexes = ports.iter().map(|port| port.place).collect();
        let banks: Hexes =
            straits.iter().flat_map(|strait: &StraitLink| strait.banks.iter().copied()).collect();
        let shoals: Hexes = data.hexes.iter().filter(|hex| hex.shoal).map(|hex| hex.hex).collect();
        let sea_hexes: Hexes = data.hexes.iter().filter(|hex| hex.sea.is_some()).map(|hex| hex.hex).collect();
        let north = rules.naval.routes.iter().filter(|route| route.id == "north");
        let northern_seas: Seas = north.flat_map(|route| route.seas.iter().copied()).collect();
        let on_route = |hex: &&crate::rules::HexData| {
            hex.sea.iter().chain(&hex.coast).any(|sea| northern_seas.contains(*sea))
        };
        let northern_route: Hexes = data.hexes.iter().filter(on_route).map(|hex| hex.hex).collect();
        let invadable = |hex: Hex| {
            let extreme = matches!(map.front[hex.at()], Front::Mediterranean | Front::North);
            let by_terrain = rules.terrain[map.terrain[hex.at()] as usize].sea_invasion;
            // 15.9: on the extreme fronts ports alone; 18.34: the terrain of areas does not forbid it.
            if hex.line() == AREA_LINE {
                harbours.contains(hex)
            } else {
                by_terrain && !shoals.contains(hex) && (!extreme || harbours.contains(hex))
            }
        };
        let beaches = map.in_play.filter(|hex| !coasts[hex.at()].is_empty() && invadable(hex));
        Ok(SeaTables {
            waterways: waterways(rules, map, &sea_hexes)?,
            ports,
            harbours,
            port_at,
            coasts,
            open_water,
            straits,
            strait_ports: harbours.and(&banks),
            all: seas_with(&|_| true),
            freezing: seas_with(&|sea| sea.freezes),
            caspian: seas_with(&|sea| sea.interception == 0),
            cape: seas_with(&|sea| sea.id == "indian_ocean"),
            always: Faction::ALL.map(|faction| seas_with(&|sea| sea.always == Some(faction))),
            beaches,
            sea_hexes,
            northern_seas,
            northern_route,
            beachheads: beachheads(rules)?,
        })
    }

    /// Number of the port in a place.
    #[inline]
    pub fn port(&self, place: Hex) -> Option<usize> {
        let number = *self.port_at.get(place.at())?;
        (number != NO_PORT).then_some(usize::from(number))
    }

    /// Sea areas at which the port of a place lies: none if it has no port.
    pub fn port_seas(&self, place: Hex) -> Seas {
        self.port(place).map_or(Seas::EMPTY, |number| self.ports[number].seas)
    }

    /// Sea areas that a place borders.
    #[inline]
    pub fn coast(&self, place: Hex) -> Seas {
        self.coasts[place.at()]
    }
}

/// Ports by number, and their numbers by place.
fn ports(rules: &Rules) -> Result<(Vec<PortBrief>, Vec<u8>), String> {
    let mut ports: Vec<PortBrief> = Vec::new();
    let mut port_at = vec![NO_PORT; PLACES];
    for place in rules.map.places.iter().filter(|place| place.port != Port::None) {
        let number = &mut port_at[place.hex.at()];
        if *number != NO_PORT {
            return Err(format!("{} is the second port of its hex", place.id));
        }
        *number = ports.len() as u8;
        let seas = place.port_seas.iter().copied().collect();
        ports.push(PortBrief { place: place.hex, seas, port: place.port });
    }
    if ports.len() + MAX_BEACHHEADS > MAX_PORTS {
        return Err(format!("{} ports, at most {} have room", ports.len(), MAX_PORTS - MAX_BEACHHEADS));
    }
    Ok((ports, port_at))
}

/// Beachheads with their units: in the order of the blocks, within each nation (15.6).
fn beachheads(rules: &Rules) -> Result<Vec<(BlockId, BlockId)>, String> {
    let of_kind = |kind: Kind| {
        let blocks = rules.blocks.iter().enumerate();
        blocks.filter(move |(_, block)| block.kind == kind).map(|(at, block)| (BlockId::nth(at), block))
    };
    let mut pairs: Vec<(BlockId, BlockId)> = Vec::new();
    for (beachhead, data) in of_kind(Kind::Beachhead) {
        let number = |id: &str| id.rsplit('_').next().map(str::to_owned);
        let national = of_kind(Kind::Amphibious).filter(|(_, unit)| unit.faction == data.faction);
        let taken = |unit: BlockId| pairs.iter().any(|&(_, other)| other == unit);
        let free: Vec<_> = national.filter(|&(unit, _)| !taken(unit)).collect();
        let same = free.iter().find(|(_, unit)| number(&unit.id) == number(&data.id));
        // A beachhead whose unit is not in the scenario is of no use.
        if let Some(&(unit, _)) = same.or(free.first()) {
            pairs.push((beachhead, unit));
        }
    }
    if pairs.len() > MAX_BEACHHEADS {
        return Err(format!("{} beachheads, at most {MAX_BEACHHEADS} have room", pairs.len()));
    }
    Ok(pairs)
}

/// Hexsides of which one side is a sea hex, those that carry sea, and straits.
fn waterways(
    rules: &Rules,
    map: &crate::tables::MapTables,
    sea_hexes: &Hexes,
) -> Result<Hexsides<LINES>, String> {
    let mut waterways = Hexsides::EMPTY;
    for hex in *sea_hexes {
        for (way, next) in map.board.neighbours(hex) {
            waterways.insert_one_way(hex, way);
            waterways.insert_one_way(next, way.opposite());
        }
    }
    let wet = |kind| matches!(kind, SideKind::Sea | SideKind::Strait | SideKind::SuezCanal);
    for side in rules.map.sides.iter().filter(|side| wet(side.kind)) {
        if let Some(way) = map.board.direction(side.a, side.b) {
            waterways.insert(&map.board, side.a, way).map_err(|error| error.to_string())?;
        }
    }
    Ok(waterways)
}

/// The seas as a faction finds them now.
pub(crate) struct Waters {
    /// Sea areas next to each that can be reached from it.
    pub next: [Seas; MAX_SEAS],
    /// Sea areas that it may sail.
    pub navigable: Seas,
}

impl EuroFront {
    /// What follows from the data of the seas.
    #[inline]
    pub fn seas(&self) -> &SeaTables {
        &self.tables.sea
    }

    /// Data of a sea area.
    #[inline]
    pub(crate) fn sea_data(&self, sea: SeaId) -> &crate::rules::Sea {
        &self.rules.map.seas[sea.at()]
    }

    /// Whether all seas off a coast are of the Mediterranean basin.
    pub(crate) fn is_mediterranean_coast(&self, at: Hex) -> bool {
        self.seas().coast(at).difference(&self.basin(Basin::Mediterranean)).is_empty()
    }

    /// Sea areas of a basin.
    pub(crate) fn basin(&self, basin: Basin) -> Seas {
        self.seas().all.filter(|sea| self.sea_data(sea).basin == basin)
    }

    // ---- control (15.2) ----

    /// Works out who controls the seas in the phase that begins: who holds the naval base (15.2). Seas with a neutral
    /// base are nobody's.
    pub(crate) fn update_seas(&self, state: &mut State) {
        if !self.rules.scenario.naval {
            return;
        }
        let mut controlled = self.seas().always;
        for sea in self.seas().all {
            let Some(base) = self.sea_data(sea).base else { continue };
            if let Some(owner) = self.holder(state, base) {
                controlled[owner.index()].insert(sea);
            }
        }
        let allied = self.seas().all.filter(|sea| self.is_allied_basin(state, self.sea_data(sea).basin));
        for faction in Faction::ALL {
            let seas = &mut controlled[faction.index()];
            *seas = if faction == Faction::Allies { seas.or(&allied) } else { seas.difference(&allied) };
        }
        state.sea.controlled = controlled;
    }

    /// Whether all seas of a basin are the Allies', whoever holds their bases (15.21).
    fn is_allied_basin(&self, state: &State, basin: Basin) -> bool {
        match basin {
            Basin::Mediterranean => self.italy_is_defeated(state),
            Basin::Atlantic => {
                self.allied_air_supremacy(state) && state.sea.supremacy == Some(Camp::Coalition)
            }
            _ => false,
        }
    }

    /// Whether the enemy of a camp controls a sea area as things stand now (15.2, 15.21).
    pub(crate) fn is_hostile_sea(&self, state: &State, camp: Camp, sea: SeaId) -> bool {
        let data = self.sea_data(sea);
        let allied = self.rules.scenario.naval && self.is_allied_basin(state, data.basin);
        let owner = match (data.always, data.base) {
            _ if allied => Some(Faction::Allies),
            (Some(faction), _) => Some(faction),
            (None, base) => base.and_then(|base| self.holder(state, base)),
        };
        owner.is_some_and(|owner| owner.camp() == camp.enemy())
    }

    /// The faction that holds a place, if one does that is at war.
    fn holder(&self, state: &State, place: Hex) -> Option<Faction> {
        if self.holds(state, Camp::Axis, place) {
            return Some(Faction::Axis);
        }
        if !self.holds(state, Camp::Coalition, place) {
            return None;
        }
        let soviet = state.owners.is_soviet(place);
        if soviet && self.soviets_are_neutral(state) {
            return None; // A57: their seas are neutral too.
        }
        Some(if soviet { Faction::Soviets } else { Faction::Allies })
    }

    /// Sea areas that the enemies of a faction control.
    pub fn enemy_seas(&self, state: &State, faction: Faction) -> Seas {
        let enemies = Faction::ALL.into_iter().filter(|other| other.camp() != faction.camp());
        enemies.fold(Seas::EMPTY, |seas, enemy| seas.or(&state.sea.controlled[enemy.index()]))
    }

    // ---- who may sail where (15.11, 15.12, 21.42) ----

    /// Sea areas that a faction may sail: not those that are frozen, nor those to which it has no access.
    pub fn navigable(&self, state: &State, faction: Faction) -> Seas {
        let tables = self.seas();
        let mut seas = tables.all;
        if state.weather[1] == Weather::Snow {
            seas = seas.difference(&tables.freezing);
        }
        if faction != Faction::Soviets {
            seas = seas.difference(&tables.caspian);
        }
        if faction != Faction::Axis && !self.turkey_is_allied(state) {
            let barred = if faction == Faction::Allies { Basin::BlackSea } else { Basin::Mediterranean };
            seas = seas.difference(&self.basin(barred).difference(&tables.caspian));
        }
        // 15.83.
        let beaten = faction == Faction::Axis
            && state.sea.supremacy == Some(Camp::Coalition)
            && self.allied_air_supremacy(state);
        if beaten {
            seas = seas.difference(&self.basin(Basin::Atlantic).or(&self.basin(Basin::Mediterranean)));
        }
        seas
    }

    /// Whether the enemy of a camp holds a bank of a strait: no naval operation passes (15.12).
    pub(crate) fn is_strait_closed(&self, state: &State, camp: Camp, banks: &[Hex]) -> bool {
        banks.iter().any(|&bank| self.holds(state, camp.enemy(), bank))
    }

    /// The seas as a faction finds them.
    pub(crate) fn waters(&self, state: &State, faction: Faction) -> Waters {
        let tables = self.seas();
        let navigable = self.navigable(state, faction);
        let mut next = tables.open_water;
        for strait in &tables.straits {
            if !self.is_strait_closed(state, faction.camp(), &strait.banks) {
                let [a, b] = strait.seas;
                next[a.at()].insert(b);
                next[b.at()].insert(a);
            }
        }
        for seas in &mut next {
            *seas = seas.and(&navigable);
        }
        Waters { next, navigable }
    }

    /// Whether who has come to a port of a strait by one sea may not go on by another: the other bank is the enemy's
    /// (15.4).
    pub(crate) fn is_barred_at(&self, state: &State, camp: Camp, port: Hex, seas: [SeaId; 2]) -> bool {
        let joins = |link: &&StraitLink| {
            link.banks.contains(&port) && link.seas.contains(&seas[0]) && link.seas.contains(&seas[1])
        };
        self.seas().straits.iter().filter(joins).any(|link| self.is_strait_closed(state, camp, &link.banks))
    }

    // ---- interception (15.7) ----

    /// Dice with which the enemy intercepts a faction's ships in a sea area, and the naval balance as the enemy sees it
    /// there. None where the enemy does not control it.
    pub(crate) fn sea_dice(&self, state: &State, faction: Faction, sea: SeaId) -> Option<(u8, NavalBalance)> {
        let enemies = Faction::ALL.into_iter().filter(|other| other.camp() != faction.camp());
        let mut enemies = enemies.filter(|other| state.sea.controlled[other.index()].contains(sea));
        let enemy = enemies.next()?;
        // 20.16: a surprised nation does not intercept.
        if self.is_surprised_at_sea(state, sea) {
            return None;
        }
        Some((self.sea_data(sea).interception, self.balance(state, enemy, faction, sea)))
    }

    /// The naval balance as one faction sees it against another in a sea area (15.8, 21.493).
    pub(crate) fn balance(&self, state: &State, of: Faction, against: Faction, sea: SeaId) -> NavalBalance {
        if of == Faction::Soviets || against == Faction::Soviets {
            return NavalBalance::Parity;
        }
        let supremacy = if self.is_weser_sea(state, sea) { Some(Camp::Axis) } else { state.sea.supremacy };
        NavalBalance::of(of.camp(), supremacy)
    }

    /// Whether the Axis has naval supremacy for a time in a sea area: on the Northern Route (21.493).
    pub(crate) fn is_weser_sea(&self, state: &State, sea: SeaId) -> bool {
        state.sea.weser && self.seas().northern_seas.contains(sea)
    }

    /// Whether a faction has naval supremacy in all of these sea areas; none of them: over all.
    pub(crate) fn is_supreme(&self, state: &State, faction: Faction, seas: Seas) -> bool {
        let by_camp = faction != Faction::Soviets && state.sea.supremacy == Some(faction.camp());
        let weser = || !seas.is_empty() && seas.iter().all(|sea| self.is_weser_sea(state, sea));
        by_camp || faction == Faction::Axis && weser()
    }

    // ---- storms (12.5) ----

    /// The basin that a sum of two dice strikes: in mud or snow, on an odd one; front 0 is the West, 1 the East.
    pub fn storm_of(&self, front: usize, weather: Weather, sum: u32) -> Option<crate::rules::Basin> {
        let foul = weather != Weather::Dry && !sum.is_multiple_of(2);
        let strikes =
            |&&(on, dice, _): &&crate::rules::Storm| usize::from(on) == front && u32::from(dice) == sum;
        self.rules.storms.iter().find(strikes).filter(|_| foul).map(|&(_, _, basin)| basin)
    }

    /// A throw for the weather of a front may bring a storm (12.5).
    pub(crate) fn roll_storm<T: crate::Rolls>(
        &self,
        state: &mut State,
        front: usize,
        sum: u32,
        context: &mut T,
    ) {
        if let Some(basin) = self.storm_of(front, state.weather[front], sum) {
            state.sea.storms = state.sea.storms.or(&self.basin(basin));
            context.emit(|| Event::Storm { basin });
        }
    }

    // ---- supremacy (15.8) ----

    /// Whether a camp can use a route: neither its seas nor its straits are the enemy's (15.81).
    fn can_use(&self, state: &State, camp: Camp, route: &NavalRoute) -> bool {
        let faction = if camp == Camp::Axis { Faction::Axis } else { Faction::Allies };
        let enemy = self.enemy_seas(state, faction);
        let free = |seas: &[SeaId]| !seas.iter().any(|&sea| enemy.contains(sea));
        (camp == Camp::Coalition || route.axis)
            && free(&route.seas)
            && (route.either.is_empty() || route.either.iter().any(|seas| free(seas)))
            && !self.is_strait_closed(state, camp, &route.banks)
    }

    /// Routes that a camp can use (15.81).
    pub fn usable_routes(&self, state: &State, camp: Camp) -> u8 {
        self.rules.naval.routes.iter().map(|route| u8::from(self.can_use(state, camp, route))).sum()
    }

    /// Naval supremacy is evaluated: at the end of each Politics Phase (15.8).
    pub(crate) fn evaluate_supremacy<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if !self.rules.scenario.naval || self.rules.naval.routes.is_empty() {
            return;
        }
        self.update_control(state);
        let [axis, allies] = Camp::ALL.map(|camp| self.usable_routes(state, camp));
        let camp = match axis.cmp(&allies) {
            std::cmp::Ordering::Greater => Some(Camp::Axis),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Camp::Coalition),
        };
        if camp != state.sea.supremacy {
            state.sea.supremacy = camp;
            state.board_changes();
            context.emit(|| Event::Supremacy { camp });
        }
    }

    // ---- what diplomacy and the air decide ----

    /// Whether Turkey fights on the side of the Allies (15.11).
    fn turkey_is_allied(&self, state: &State) -> bool {
        self.status(state, self.nations().turkey) == Status::Belligerent(Faction::Allies)
    }

    /// Whether Italy has been defeated (15.21).
    fn italy_is_defeated(&self, state: &State) -> bool {
        self.status(state, self.nations().italy) == Status::Defeated
    }

    /// Whether the Soviets are at war with nobody (A57, B20).
    fn soviets_are_neutral(&self, state: &State) -> bool {
        self.status(state, self.nations().ussr) == Status::Neutral && !state.diplomacy.holds(Fact::WinterWar)
    }

    /// Whether Allied air supremacy is in effect in the West (13.32).
    pub(crate) fn allied_air_supremacy(&self, state: &State) -> bool {
        self.month(state).allied_air == AlliedAir::Supremacy
    }

    /// Whether the ships of a sea area belong to a nation surprised in this fortnight (20.16).
    fn is_surprised_at_sea(&self, state: &State, sea: SeaId) -> bool {
        !state.diplomacy.surprised.is_empty()
            && self.sea_data(sea).base.is_some_and(|base| self.is_surprised(state, base))
    }
}
