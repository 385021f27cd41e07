//! Nations (16.0 to 16.3, 20): where each stands, which land is whose, and who may enter it.
//!
//! A land is a country of 1939, or a part of one that may change hands apart from it ([`Land`]). It belongs to a nation;
//! who controls it is another matter ([`crate::control`]): a neutral's land is controlled by nobody (8.31).

use sandtable_core::{Hex, Index, PerIndex};

use crate::event::{Cause, Event};
use crate::game::EuroFront;
use crate::ids::{
    BlockId, Blocks, Camp, EventId, Faction, Front, Hexes, LandId, MAX_EVENTS, MAX_LANDS, MAX_NATIONS,
    NationId, Nations, is_on_map, place,
};
use crate::rules::{Entry, Fact, Port, Rules, Status};
use crate::state::State;
use crate::tables::{MapTables, PLACES};

/// Months since September 1939 of June 1940, when the Finnish army is worth 30 points where a scenario begins later than the Winter
/// War (20.82).
const JUNE_1940: i8 = 9;

/// How a nation came to war, and with it where its units may be (16.3, 16.311).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Ties {
    /// At war from the start, or by a declaration of war: its units go where they like.
    CoBelligerent,
    /// By a reaction alliance: home and adjacent nations.
    Interventionist,
    /// By a diplomatic event: home and adjacent hexes and areas.
    Satellite,
    /// By a declaration of war of its own ally (16.41): its units go where they like; it has no peace production left.
    Betrayed,
}

impl Ties {
    /// Whether its units are restricted (16.311).
    #[inline]
    pub const fn restrict(self) -> bool {
        matches!(self, Ties::Interventionist | Ties::Satellite)
    }
}

/// Where play goes on when new belligerents have deployed (16.52).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Resume {
    /// Further declarations of war (4.311).
    Declaration,
    /// The diplomacy of the month (4.12).
    Diplomacy,
    /// Politics (4.37).
    Politics,
}

/// Where the nations stand, and what has come about between them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DiplomacyState {
    /// Where every nation stands (16.0).
    pub status: PerIndex<NationId, Status, MAX_NATIONS>,
    /// How it came to war (16.3).
    pub cause: PerIndex<NationId, Ties, MAX_NATIONS>,
    /// The month in which it was defeated, or since which it has no peace production of its own (16.22): months since
    /// September 1939.
    pub since: PerIndex<NationId, i8, MAX_NATIONS>,
    /// The nation to which a land belongs (1.7, 20.58).
    pub lands: PerIndex<LandId, NationId, MAX_LANDS>,
    /// How often an event has happened (16.6).
    pub happened: PerIndex<EventId, u8, MAX_EVENTS>,
    /// Nations on which a faction has declared war (16.4).
    pub declared: [Nations; 3],
    /// Who has committed treason (16.41).
    pub treason: [bool; 3],
    /// What holds: a bit for each [`Fact`].
    pub facts: u32,
    /// Demoralised nations (16.71).
    pub demoralised: Nations,
    /// Exploited nations (16.73).
    pub exploited: Nations,
    /// Defeated nations whose land each camp was the last to conquer (16.92).
    pub conquered: [Nations; 2],
    /// Those of them that have surrendered (16.84).
    pub surrendered: Nations,
    /// Nations surprised in this fortnight (20.16).
    pub surprised: Nations,
    /// New belligerents whose allies have not been asked yet (16.52).
    pub reacting: Nations,
    /// New belligerents whose units have not deployed yet (16.31).
    pub joining: Nations,
    /// Points of peace production that the nation at hand has left (16.32). While units go to the Curzon Line: the free rail
    /// moves that are left (CL).
    pub peace: i16,
    /// The nation a phase is about.
    pub nation: NationId,
    /// The event of a side that is being carried out.
    pub event: EventId,
    /// Solidarity checks that have failed (20.45).
    pub solidarity: u8,
    /// The month of the Finnish Armistice or defeat (21.482): months since September 1939; below 0: none.
    pub finnish_peace: i8,
    /// Armies that events have set free, and those that they have ever (17.3): bits in the order of
    /// [`EuroFront::releasable`].
    pub released: u8,
    /// Armies that events have set free at any time, as bits (17.3).
    pub ever_released: u8,
    /// Where politics go on when those have deployed who come in them: [`State::cursor`] then.
    pub politics: u16,
    /// The Soviets have reserved 100 points in this month's production (20.593).
    pub reserved: bool,
    /// Factions that confine their paratroops to the ground in this month's production (14.7): bits.
    pub grounding: u8,
    /// Where play goes on when new belligerents have deployed.
    pub resume: Resume,
}

impl DiplomacyState {
    /// Before any scenario begins.
    pub const NONE: DiplomacyState = DiplomacyState {
        status: PerIndex::new([Status::Absent; MAX_NATIONS]),
        cause: PerIndex::new([Ties::CoBelligerent; MAX_NATIONS]),
        since: PerIndex::new([0; MAX_NATIONS]),
        lands: PerIndex::new([NationId::NONE; MAX_LANDS]),
        happened: PerIndex::new([0; MAX_EVENTS]),
        declared: [Nations::EMPTY; 3],
        treason: [false; 3],
        facts: 0,
        demoralised: Nations::EMPTY,
        exploited: Nations::EMPTY,
        conquered: [Nations::EMPTY; 2],
        surrendered: Nations::EMPTY,
        surprised: Nations::EMPTY,
        reacting: Nations::EMPTY,
        joining: Nations::EMPTY,
        peace: 0,
        nation: NationId::NONE,
        event: EventId(u8::MAX),
        solidarity: 0,
        finnish_peace: -1,
        politics: 0,
        released: 0,
        ever_released: 0,
        reserved: false,
        grounding: 0,
        resume: Resume::Declaration,
    };

    /// Whether something holds.
    #[inline]
    pub fn holds(&self, fact: Fact) -> bool {
        self.facts >> fact as u32 & 1 != 0
    }
    /// Lets something hold, or no more.
    #[inline]
    pub fn set(&mut self, fact: Fact, on: bool) {
        self.facts = self.facts & !(1 << fact as u32) | u32::from(on) << fact as u32;
    }
}

/// A land: a country of 1939, or a part of one that may change hands apart from it (1.7).
#[derive(Clone, Debug)]
pub struct Land {
    /// Country of 1939, as in the data; areas without one have their nation's.
    pub country: String,
    /// What changes hands as a whole; empty if nothing.
    pub territory: String,
    /// Whose it was in 1939.
    pub nation: NationId,
    /// Home territory: no colony (16.6).
    pub home: bool,
    /// Its hexes and areas.
    pub hexes: Hexes,
}

/// What is derived from nations and their land.
#[derive(Clone, Debug)]
pub struct NationTables {
    /// Lands.
    pub lands: Vec<Land>,
    /// The land of every place; a number beyond all lands for the sea.
    pub land_of: Box<[LandId; PLACES]>,
    /// Nations that rules name, if the data know them.
    pub named: Named,
    /// Lands that rules ask for all the time.
    pub known: KnownLands,
    /// The armies that events may set free, in a fixed order: Romanian 3rd and 4th, Hungarian 2nd, Italian 8th (17.3).
    pub releasable: [Option<BlockId>; 4],
    /// The headquarters Afrika, before which no German enters Egypt (20.11).
    pub afrika: Option<BlockId>,
    /// The events of Finland's limited war, and of its end (21.482).
    pub limited_war: [Option<EventId>; 2],
    /// The event that frees the Italians (20.23).
    pub italy_unrestricted: Option<EventId>,
    /// The events by which Norway and Sweden join the Allies: their limits of occupation (NO, SW).
    pub invitations: [Option<EventId>; 2],
    /// The event that equips the expedition to the North (FR).
    pub aid_to_finland: Option<EventId>,
    /// The event that rearms the Soviets (20.593).
    pub rearmament: Option<EventId>,
    /// The hex of Sedan and Philippeville (20.72).
    pub salient: Option<Hex>,
    /// Tito (16.732).
    pub tito: Option<BlockId>,
    /// Capitals of French North Africa (20.4, 20.485).
    pub colonial_capitals: Hexes,
    /// Nations that supply themselves, with the places of theirs to which railways must join their capital (20.74, 20.76, 20.83,
    /// 20.91).
    pub strongholds: [(NationId, Hexes); 5],
}

/// Lands that rules ask for all the time.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct KnownLands {
    pub great_britain: Hexes,
    pub spain: Hexes,
    /// Both sides of the Curzon Line (20.14): Eastern Poland and Lithuania, Western Poland and East Prussia.
    pub curzon_line: [Hexes; 2],
    /// Gibraltar and Malta.
    pub fortresses: Hexes,
    pub egypt: Hexes,
    /// Morocco, Algeria and Tunisia.
    pub north_africa: Hexes,
    /// Italy, Albania, Yugoslavia, Greece, the Mediterranean Front, the islands of its sea (20.2).
    pub greater_italy: Hexes,
    /// France and Belgium.
    pub france_and_belgium: Hexes,
    /// Eastern Poland, the Baltic States, Bessarabia (16.42).
    pub borderlands: Hexes,
    /// What the Soviets annex of Poland, which the Axis leaves in that month (20.14).
    pub east_poland: Hexes,
    /// Oulu and Petsamo (21.482).
    pub lapland: Hexes,
}

/// Nations that the rules name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Named {
    pub germany: NationId,
    pub italy: NationId,
    pub britain: NationId,
    pub france: NationId,
    pub vichy: NationId,
    pub free_france: NationId,
    pub ussr: NationId,
    pub poland: NationId,
    pub denmark: NationId,
    pub belgium: NationId,
    pub holland: NationId,
    pub greece: NationId,
    pub yugoslavia: NationId,
    pub switzerland: NationId,
    pub norway: NationId,
    pub finland: NationId,
    pub sweden: NationId,
    pub spain: NationId,
    pub portugal: NationId,
    pub romania: NationId,
    pub hungary: NationId,
    pub bulgaria: NationId,
    pub turkey: NationId,
    pub syria: NationId,
    pub iraq: NationId,
    pub persia: NationId,
    pub palestine: NationId,
    pub republic: NationId,
    pub baltic_states: NationId,
}

impl Named {
    fn find(rules: &Rules) -> Named {
        let nation = |id: &str| rules.nation(id).unwrap_or(NationId::NONE);
        Named {
            germany: nation("germany"),
            italy: nation("italy"),
            britain: nation("britain_us"),
            france: nation("france"),
            vichy: nation("vichy"),
            free_france: nation("free_france"),
            ussr: nation("ussr"),
            poland: nation("poland"),
            denmark: nation("denmark"),
            belgium: nation("belgium"),
            holland: nation("holland"),
            greece: nation("greece"),
            yugoslavia: nation("yugoslavia"),
            switzerland: nation("switzerland"),
            norway: nation("norway"),
            finland: nation("finland"),
            sweden: nation("sweden"),
            spain: nation("spain_nat"),
            portugal: nation("portugal"),
            romania: nation("romania"),
            hungary: nation("hungary"),
            bulgaria: nation("bulgaria"),
            turkey: nation("turkey"),
            syria: nation("syria"),
            iraq: nation("iraq"),
            persia: nation("persia"),
            palestine: nation("palestine"),
            republic: nation("spain_rep"),
            baltic_states: nation("baltic_states"),
        }
    }
}

/// Lands of the map, in the order in which the map names them.
pub(crate) fn nation_tables(rules: &Rules, map: &MapTables) -> Result<NationTables, String> {
    if rules.nations.len() > MAX_NATIONS {
        return Err(format!("{} nations, at most {MAX_NATIONS} have room", rules.nations.len()));
    }
    let mut lands: Vec<Land> = Vec::new();
    let mut land_of = Box::new([LandId(u8::MAX); PLACES]);
    let hexes = rules.map.hexes.iter().filter(|data| !data.country.is_empty());
    let hexes = hexes.map(|data| (data.hex, &data.country, data.territory.as_str(), data.nation, data.home));
    let areas = rules.map.areas.iter().enumerate();
    let areas =
        areas.map(|(at, area)| (crate::ids::area(at as u8), &area.country, "", area.nation, area.home));
    for (place, country, territory, nation, home) in hexes.chain(areas) {
        let known = lands.iter().position(|land| land.country == *country && land.territory == territory);
        let at = known.unwrap_or_else(|| {
            lands.push(Land {
                country: country.clone(),
                territory: territory.to_owned(),
                nation: nation.unwrap_or(NationId::NONE),
                home,
                hexes: Hexes::EMPTY,
            });
            lands.len() - 1
        });
        if at >= MAX_LANDS {
            return Err(format!("more lands than the {MAX_LANDS} that have room: {country} {territory}"));
        }
        lands[at].hexes.insert(place);
        land_of[place.at()] = LandId(at as u8);
    }
    let known = |names: &[&str]| {
        let wanted = |land: &&Land| names.contains(&&*land.country) || names.contains(&&*land.territory);
        lands.iter().filter(wanted).fold(Hexes::EMPTY, |all, land| all.or(&land.hexes))
    };
    let known = KnownLands {
        great_britain: known(&["great_britain"]),
        spain: known(&["spain"]),
        curzon_line: [known(&["east_poland", "lithuania"]), known(&["west_poland", "east_prussia"])],
        fortresses: known(&["gibraltar", "malta"]),
        egypt: known(&["egypt"]),
        north_africa: known(&["morocco", "algeria", "tunisia"]),
        greater_italy: known(&[
            "italy",
            "albania",
            "yugoslavia",
            "greece",
            "corsica",
            "malta",
            "cyprus",
            "rhodes",
        ])
        .or(&map.in_play.filter(|place| map.front[place.at()] == Front::Mediterranean)),
        france_and_belgium: known(&["france", "belgium"]),
        borderlands: known(&["east_poland", "baltic_states", "bessarabia"]),
        east_poland: known(&["east_poland"]),
        lapland: ["oulu", "petsamo"].iter().filter_map(|id| rules.place(id)).collect(),
    };
    let named = Named::find(rules);
    let places = |names: &[&str]| -> Hexes { names.iter().filter_map(|name| rules.place(name)).collect() };
    let ports: Hexes =
        rules.map.places.iter().filter(|place| place.port != Port::None).map(|place| place.hex).collect();
    Ok(NationTables {
        known,
        strongholds: [
            (named.spain, ports),
            (named.republic, ports),
            (named.switzerland, map.fortresses[0]),
            (named.sweden, places(&["gallivare"])),
            (named.turkey, places(&["istanbul"])),
        ],
        releasable: ["ro_inf_3", "ro_inf_4", "hu_inf_2", "it_inf_8"].map(|id| rules.block(id)),
        afrika: rules.block("de_hq_afrika"),
        limited_war: ["FL", "FX"].map(|id| rules.event(id)),
        italy_unrestricted: rules.event("IU"),
        invitations: ["NO", "SW"].map(|id| rules.event(id)),
        aid_to_finland: rules.event("FR"),
        rearmament: rules.event("SB"),
        salient: rules.place("philippeville"),
        tito: rules.block("tito"),
        colonial_capitals: ["casablanca", "algiers", "tunis"]
            .iter()
            .filter_map(|id| rules.place(id))
            .collect(),
        lands,
        land_of,
        named,
    })
}

impl EuroFront {
    // ---- questions ----

    /// Lands that rules ask for all the time.
    #[inline]
    pub(crate) fn known_lands(&self) -> &KnownLands {
        &self.tables.nations.known
    }

    /// Nations that the rules name.
    #[inline]
    pub(crate) fn nations(&self) -> &Named {
        &self.tables.nations.named
    }

    /// Whether diplomacy is in play (16.0).
    #[inline]
    pub(crate) fn has_diplomacy(&self) -> bool {
        self.rules.scenario.diplomacy
    }

    /// How often an event that is known by its number has happened.
    #[inline]
    pub(crate) fn times_of(&self, state: &State, event: Option<EventId>) -> u8 {
        event.map_or(0, |event| state.diplomacy.happened[event])
    }

    /// Where a nation stands (16.0).
    #[inline]
    pub fn status(&self, state: &State, nation: NationId) -> Status {
        if nation.at() < MAX_NATIONS { state.diplomacy.status[nation] } else { Status::Absent }
    }

    /// Whether a nation is neutral, cooperating or not (16.1, 16.2).
    #[inline]
    pub fn is_neutral(&self, state: &State, nation: NationId) -> bool {
        matches!(
            self.status(state, nation),
            Status::Neutral | Status::CooperatesWithAxis | Status::CooperatesWithAllies
        )
    }

    /// The faction with which a nation is at war's side (16.3).
    pub fn faction_of(&self, state: &State, nation: NationId) -> Option<Faction> {
        match self.status(state, nation) {
            Status::Belligerent(faction) => Some(faction),
            _ => None,
        }
    }

    /// Who has the production of a nation's places while it is at peace: whom it cooperates with (16.21).
    pub(crate) fn patron(&self, state: &State, nation: NationId) -> Option<Faction> {
        match self.status(state, nation) {
            Status::CooperatesWithAxis => Some(Faction::Axis),
            Status::CooperatesWithAllies => Some(Faction::Allies),
            _ => None,
        }
    }

    /// The nation to which a place belongs now; none: a free city, or the sea.
    #[inline]
    pub(crate) fn owner_nation(&self, state: &State, place: Hex) -> NationId {
        let land = self.tables.nations.land_of[place.at()];
        if land.at() < MAX_LANDS { state.diplomacy.lands[land] } else { NationId::NONE }
    }

    /// Lands that belong to a nation now.
    fn lands_of(&self, state: &State, nation: NationId) -> impl Iterator<Item = &Land> {
        let lands = state.diplomacy.lands;
        let list = self.tables.nations.lands.iter().enumerate();
        list.filter(move |(at, _)| lands[LandId::nth(*at)] == nation).map(|(_, land)| land)
    }

    /// All hexes and areas of a nation, colonies included.
    pub fn territory(&self, state: &State, nation: NationId) -> Hexes {
        self.lands_of(state, nation).fold(Hexes::EMPTY, |all, land| all.or(&land.hexes))
    }

    /// All hexes and areas that a nation had in 1939.
    pub fn territory_of_1939(&self, nation: NationId) -> Hexes {
        let lands = self.tables.nations.lands.iter().filter(|land| land.nation == nation);
        lands.fold(Hexes::EMPTY, |all, land| all.or(&land.hexes))
    }

    /// Hexes and areas of a nation without colonies (B58).
    pub fn home(&self, state: &State, nation: NationId) -> Hexes {
        let home = self.lands_of(state, nation).filter(|land| land.home);
        home.fold(Hexes::EMPTY, |all, land| all.or(&land.hexes))
    }

    /// Whether a place on land is nobody's colony (B58).
    #[inline]
    pub(crate) fn is_home_land(&self, place: Hex) -> bool {
        let land = self.tables.nations.land_of[place.at()];
        self.tables.nations.lands.get(land.at()).is_some_and(|land| land.home)
    }

    /// Hexes and areas of a country of 1939, or of a territory.
    pub fn land(&self, name: &str) -> Hexes {
        let named = self.tables.nations.lands.iter();
        named
            .filter(|land| land.territory == name || land.country == name)
            .fold(Hexes::EMPTY, |all, land| all.or(&land.hexes))
    }

    /// Whether a camp controls all of some places, and there are any (B58).
    pub fn controls(&self, state: &State, camp: Camp, places: &Hexes) -> bool {
        !places.is_empty() && places.difference(&self.held(state, camp)).is_empty()
    }

    /// Places that a camp held when the phase began: controlled, or out of play and its own ([`EuroFront::holds`]).
    pub(crate) fn held(&self, state: &State, camp: Camp) -> Hexes {
        let out = state.owners.of(camp).difference(&self.map().in_play);
        if self.is_civil_war() { state.friendly[camp.index()] } else { state.friendly[camp.index()].or(&out) }
    }

    /// The land of the Soviet Union: its territory and all else that it owns, but for what the Axis has taken.
    pub(crate) fn russia(&self, state: &State) -> Hexes {
        let land = self.territory(state, self.nations().ussr).or(&state.owners.soviet());
        land.difference(&state.owners.of(Camp::Axis))
    }

    /// Whether the Soviet Union takes part and is neutral (20.51).
    pub fn keeps_peace(&self, state: &State) -> bool {
        !self.is_civil_war()
            && self.is_neutral(state, self.nations().ussr)
            && self.is_played(Faction::Soviets)
    }

    /// Places that a faction may not enter, nor any line of it, since the Soviet Union is neutral: its land, and for the
    /// Soviets all that is not theirs but Finland in the Winter War (20.51, 21.48). In the Winter War Finland is closed to all
    /// but the Soviets, also when they have come to be at war with others. Border hexes that nobody defends are
    /// open all the same (16.42). Land that nobody owns is neutral as well (16.1).
    pub fn closed_to(&self, state: &State, faction: Faction) -> Hexes {
        let named = self.nations();
        if self.is_civil_war() {
            return Hexes::EMPTY;
        }
        if !self.is_neutral(state, named.ussr) {
            let alone = state.diplomacy.holds(Fact::WinterWar) && faction != Faction::Soviets;
            return if alone { self.territory(state, named.finland) } else { Hexes::EMPTY };
        }
        let russia = self.russia(state);
        let finland = self.territory(state, named.finland);
        let winter_war = state.diplomacy.holds(Fact::WinterWar);
        let closed = match faction {
            Faction::Soviets if winter_war => self.map().in_play.difference(&russia.or(&finland)),
            Faction::Soviets => self.map().in_play.difference(&russia),
            // Who stands in Eastern Poland leaves it in the month of its partition, through it (20.14).
            Faction::Axis if self.may_leave_east_poland(state) => russia.difference(self.east_poland()),
            Faction::Axis if winter_war => russia.or(&finland),
            Faction::Axis | Faction::Allies => russia,
        };
        closed.difference(&self.border_gaps(state, faction))
    }

    /// Eastern Poland (20.14).
    pub fn east_poland(&self) -> &Hexes {
        &self.known_lands().east_poland
    }

    /// Whether it is the month of the partition of Poland, in which the Axis must leave the East of it (20.14).
    pub fn may_leave_east_poland(&self, state: &State) -> bool {
        let since = i16::from(state.diplomacy.since[self.nations().baltic_states]);
        state.diplomacy.holds(Fact::PartitionMonth) && self.months_since_war(state) <= since
    }

    /// Border hexes in and next to Eastern Poland, the Baltic States and Bessarabia that the other side has left
    /// undefended: while the Pact holds each side may enter and annex them, a hex a turn, not in the month of a change of
    /// the border (16.42, 20.15, B21).
    pub fn border_gaps(&self, state: &State, faction: Faction) -> Hexes {
        let ussr = self.nations().ussr;
        let changed = i16::from(state.diplomacy.since[ussr]);
        let open = state.diplomacy.holds(Fact::MolotovPact)
            && faction != Faction::Allies
            && state.active == faction
            && !state.blitz
            && self.months_since_war(state) > changed;
        if !open {
            return Hexes::EMPTY;
        }
        let lands = &self.known_lands().borderlands;
        let (axis, soviet) = (state.owners.of(Camp::Axis), state.owners.soviet());
        let (own, other) = if faction == Faction::Axis { (axis, soviet) } else { (soviet, axis) };
        let held = state.occupied[faction.camp().enemy().index()];
        let common = lands.and(&soviet.or(&axis));
        let border = other.and(&self.bordering(&own)).difference(&held);
        border.and(&common.or(&self.bordering(&common)))
    }

    /// What is closed to a block instead, if it is Finnish: in the Winter War the Finns meet the Soviets, and stay in both
    /// countries (21.48, B20).
    pub(crate) fn closed_to_finns(&self, state: &State, block: BlockId) -> Option<Hexes> {
        let named = self.nations();
        (self.brief(block).nation == named.finland && state.diplomacy.holds(Fact::WinterWar)).then(|| {
            let both = self.territory(state, named.ussr).or(&self.territory(state, named.finland));
            self.map().in_play.difference(&both)
        })
    }

    /// Land of neutrals through whose railways a camp moves and traces, without staying there: of those that cooperate with
    /// it, and of Sweden while it is an accomplice (16.21, 20.131, 21.492).
    pub(crate) fn transit(&self, state: &State, camp: Camp) -> Hexes {
        if self.is_civil_war() {
            return Hexes::EMPTY;
        }
        let wanted = match camp {
            Camp::Axis => Status::CooperatesWithAxis,
            Camp::Coalition => Status::CooperatesWithAllies,
        };
        let mut transit = Hexes::EMPTY;
        for nation in (0..self.rules.nations.len()).map(NationId::nth) {
            if state.diplomacy.status[nation] == wanted {
                transit = transit.or(&self.territory(state, nation));
            }
        }
        let sweden = self.nations().sweden;
        let accomplice = camp == Camp::Axis
            && state.diplomacy.holds(Fact::SwedishComplicity)
            && self.status(state, sweden) == Status::Neutral;
        if accomplice { transit.or(&self.territory(state, sweden)) } else { transit }
    }

    // ---- changes ----

    /// Land changes hands: from now on this faction has it, or nobody (8.34, 16.92).
    pub(crate) fn hand_over(&self, state: &mut State, places: &Hexes, to: Option<Faction>) {
        state.owners.give(places, to);
        state.board_changes();
    }

    /// A territory or country becomes home territory of a nation (16.6, annexation).
    pub(crate) fn annex(&self, state: &mut State, name: &str, nation: NationId) {
        for (at, land) in self.tables.nations.lands.iter().enumerate() {
            if land.territory == name || land.country == name {
                state.diplomacy.lands[LandId::nth(at)] = nation;
                if nation == self.nations().ussr {
                    state.diplomacy.since[nation] = self.months_since_war(state) as i8; // 16.42
                }
                let owner = self.faction_of(state, nation);
                let neutral_soviets = self.nations().ussr == nation;
                let owner = owner.or(neutral_soviets.then_some(Faction::Soviets));
                self.hand_over(state, &land.hexes, owner);
            }
        }
    }

    /// Blocks of a nation on the map.
    pub(crate) fn forces(&self, state: &State, nation: NationId) -> Blocks {
        state.standing[0].or(&state.standing[1]).and(&self.sets().of_nation[nation.at()])
    }

    /// The block of equal type and strength in the other colour (16.84, U-07).
    pub(crate) fn counterpart(&self, block: BlockId) -> Option<BlockId> {
        self.sets().counterparts[block.at()]
    }

    /// The forces of a nation change sides with it (16.41): the blocks of its old side leave, those of the new one are as
    /// strong: where those stood on the map they wait to deploy, and who was lost is lost; the rest come as their nation builds them.
    pub(crate) fn change_colours<T: crate::Rolls>(
        &self,
        state: &mut State,
        nation: NationId,
        from: Camp,
        context: &mut T,
    ) {
        let own = |&block: &BlockId| self.block(block).nation == nation && self.camp(block) == from;
        for block in self.block_ids().filter(own) {
            let (at, steps) = (state.at(block), state.steps[block]);
            // One that waits upon a condition lies ready as well (11.8).
            let ready = |&other: &BlockId| match state.at(other) {
                place::AT_HOME => true,
                place::OUT => matches!(self.rules.scenario.entries[other.at()], Entry::Upon(..)),
                _ => false,
            };
            let Some(other) = self.counterpart(block).filter(ready) else {
                continue;
            };
            let (to, steps) = match at {
                place::ELIMINATED | place::REMOVED => (at, 0),
                _ if is_on_map(at) => (place::AT_HOME, steps),
                _ => (place::OUT, 0),
            };
            state.put(other, from.enemy(), to);
            state.steps[other] = steps;
        }
        self.disband_colour(state, nation, from, context);
    }

    /// All blocks of a nation leave the game for good (16.91).
    pub(crate) fn disband<T: crate::Rolls>(&self, state: &mut State, nation: NationId, context: &mut T) {
        for camp in Camp::ALL {
            self.disband_colour(state, nation, camp, context);
        }
    }

    /// All blocks of a nation in the colour of a camp leave the game for good (16.91).
    pub(crate) fn disband_colour<T: crate::Rolls>(
        &self,
        state: &mut State,
        nation: NationId,
        camp: Camp,
        context: &mut T,
    ) {
        let own = |&block: &BlockId| self.block(block).nation == nation && self.camp(block) == camp;
        for block in self.block_ids().filter(own) {
            if is_on_map(state.at(block)) {
                self.eliminate(state, block, place::REMOVED, Cause::Defeat, context);
            } else {
                state.put(block, camp, place::REMOVED);
                state.forget_fall(block);
            }
        }
    }

    /// A nation is defeated (16.9): its forces are out for good; its land goes by conquest (16.92).
    pub(crate) fn defeat<T: crate::Rolls>(&self, state: &mut State, nation: NationId, context: &mut T) {
        state.diplomacy.status[nation] = Status::Defeated;
        state.diplomacy.since[nation] = self.months_since_war(state) as i8;
        state.diplomacy.joining.remove(nation);
        state.diplomacy.reacting.remove(nation);
        context.emit(|| Event::Defeated { nation });
        self.disband(state, nation, context);
    }

    /// Nations demoralised by what has happened (16.71).
    pub(crate) fn demoralise<T: crate::Rolls>(&self, state: &mut State, nation: NationId, context: &mut T) {
        if !state.diplomacy.demoralised.contains(nation) {
            state.diplomacy.demoralised.insert(nation);
            context.emit(|| Event::Demoralised { nation });
        }
    }

    /// The nations where they stand when the scenario begins.
    pub(crate) fn starting_diplomacy(&self) -> DiplomacyState {
        let mut start = DiplomacyState::NONE;
        for (at, nation) in self.rules.nations.iter().enumerate() {
            start.status[NationId::nth(at)] = nation.status;
        }
        let now = self.tables.months[0];
        for at in 0..self.rules.nations.len() {
            if matches!(
                start.status[NationId::nth(at)],
                Status::Defeated | Status::CooperatesWithAxis | Status::CooperatesWithAllies
            ) {
                start.since[NationId::nth(at)] = now as i8;
            }
        }
        // Nobody but its enemies can have forced Italy down before a scenario begins (1944).
        let italy = self.nations().italy;
        if !italy.is_none() && start.status[italy] == Status::Defeated {
            start.surrendered.insert(italy);
        }
        self.tie_by_events(&mut start);
        // The Axis has attacked Poland wherever that is at war, or has fallen (PP).
        let poland = self.nations().poland;
        if !poland.is_none() && matches!(start.status[poland], Status::Belligerent(_) | Status::Defeated) {
            start.declared[Faction::Axis.index()].insert(poland);
        }
        for (at, land) in self.tables.nations.lands.iter().enumerate() {
            start.lands[LandId::nth(at)] = land.nation;
        }
        // Spain is the Republic's if that has won the Civil War (1936 rule 10).
        if self.republic_won() {
            for (at, land) in self.tables.nations.lands.iter().enumerate() {
                if land.nation == self.nations().spain {
                    start.lands[LandId::nth(at)] = self.nations().republic;
                }
            }
        }
        let situation = &self.rules.scenario.situation;
        for &fact in &situation.facts {
            start.set(fact, true);
        }
        for &event in &situation.events {
            start.happened[event] += 1;
        }
        for camp in [Faction::Axis, Faction::Allies] {
            let fact = if camp == Faction::Axis { Fact::AxisTreason } else { Fact::AlliedTreason };
            start.treason[camp.index()] = start.holds(fact);
        }
        // Vichy France stands where it has been created before (20.481).
        let vichy = self.nations().vichy;
        let created = !vichy.is_none()
            && start.holds(Fact::FrenchDefeated)
            && matches!(start.status[vichy], Status::CooperatesWithAxis | Status::Belligerent(_));
        for (at, land) in self.tables.nations.lands.iter().enumerate() {
            if created && crate::france::is_vichy(land) {
                start.lands[LandId::nth(at)] = vichy;
            }
        }
        // The Finnish Armistice of February 1940, after which the Finns built for 100% of their production (20.82, B51).
        let finland = self.nations().finland;
        if start.holds(Fact::FinnishArmistice) && !finland.is_none() {
            start.finnish_peace = 5;
            start.since[finland] = JUNE_1940;
        }
        start.exploited = situation.exploited.iter().copied().collect();
        start.demoralised = situation.demoralised.iter().copied().collect();
        for (name, nation) in &situation.annexed {
            for (at, land) in self.tables.nations.lands.iter().enumerate() {
                if land.territory == *name || land.country == *name {
                    start.lands[LandId::nth(at)] = *nation;
                }
            }
        }
        start
    }
}
