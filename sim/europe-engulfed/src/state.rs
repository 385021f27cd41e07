//! A game in progress: below 6 KiB, flat, cloned by copying bytes.
//!
//! ```text
//! counters   place, steps                        320 x 3 bytes, one entry a block or air support unit
//!            marks                               12 sets of 320 bits
//! areas      controller; sets of 192 bits        192 bytes + fortifications, disputes
//! nations    Special Actions, WERP     25 x 12 bytes; fleets 25 x 16; standing, wars
//! strategic  fighters, bombers, submarines
//! battle     the round being fought
//! crossing   the naval move under way
//! derived    who stands where, by team           8 sets
//!            who controls what, by nation        25 sets of 192 bits
//! cache      areas in supply, by nation          25 sets of 192 bits, no part of the position
//! ```
//!
//! There are more than 254 counters in a campaign, so they are kept in [`UnitPlaces`] rather than in lists. The rules of the
//! phases stand above the state: nothing here knows them.

use sandtable_core::Index;
use sandtable_core::units::UnitPlaces;

use crate::event::Way;
use crate::ids::{
    Area, Areas, MAX_AREAS, MAX_SEAS, MAX_UNITS, NATIONS, Nation, Nations, Sea, Team, UnitId, Units,
};
use crate::phase::{FireClass, Mode, Pending, Phase, Sailing, Stage};
use crate::rules::{Asset, Standing, Surprise, Weather, ZoneWeather};

/// Flags of a counter.
pub mod mark {
    /// Has moved in this phase, or said it stays; in production: is new this turn.
    pub const MOVED: u16 = 1;
    /// New in this production.
    pub const RAISED: u16 = MOVED;
    /// Has moved strategically in this phase; in production: has had its replacement step abroad.
    pub const STRATEGIC: u16 = 2;
    /// Has had its replacement step in this production.
    pub const REPLACED: u16 = STRATEGIC;
    /// Found out of supply at the start of the player turn (3.5).
    pub const UNSUPPLIED: u16 = 4;
    /// Has moved since then.
    pub const UNSUPPLIED_MOVED: u16 = 8;
    /// Crossed a river or strait into its newly disputed area.
    pub const CROSSED: u16 = 16;
    /// Came over the Maginot line.
    pub const MAGINOT: u16 = 32;
    /// Came from the air or the sea.
    pub const LANDED: u16 = 64;
    /// Has stood in a disputed area in this player turn: no strategic movement (6.3).
    pub const ENGAGED: u16 = 128;
    /// Has an air support unit on it in this round.
    pub const SUPPORTED: u16 = 256;
    /// Lies face up: in the battle at hand, or until the player turn ends where partisans have appeared (13.42).
    pub const REVEALED: u16 = 512;
    /// Does not fire in this battle: it has been bombed (14.47).
    pub const SILENCED: u16 = 1024;
    /// Has fought at sea in this player turn: not over land in its Combat Phase (14.46).
    pub const FLOWN: u16 = 2048;
    /// Marks there are.
    pub(crate) const COUNT: usize = 12;
}

/// What a nation has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Power {
    /// Its team, while it is in the war.
    pub team: Option<Team>,
    /// Special Actions in hand.
    pub special_actions: u8,
    /// The most it may have.
    pub special_action_pool: u8,
    /// WERP left in its production.
    pub werp: u8,
    /// Strategic moves left in the phase.
    pub moves: u8,
    /// Its replacements are unrestricted in this production (7.8).
    pub unrestricted: bool,
    /// Restricted builds of this calendar year, a bit each: see [`built`] (4.6).
    pub built: u8,
    /// WERP that others have given for its production.
    pub gifts: u8,
    /// WERP paid for a Fleet Point, a flak level and an ASW level that are not finished (13.24).
    pub begun: [u8; 3],
    /// Those of them that have been paid for in this player turn, a bit each: see [`built`].
    pub paid: u8,
}

/// Builds that a nation makes once a calendar year (4.6).
pub mod built {
    /// A Fleet Point.
    pub const FLEET: u8 = 1;
    /// A flak level.
    pub const FLAK: u8 = 2;
    /// An ASW level.
    pub const ASW: u8 = 4;
}

impl Power {
    const ABSENT: Power = Power {
        team: None,
        special_actions: 0,
        special_action_pool: 0,
        werp: 0,
        moves: 0,
        unrestricted: false,
        built: 0,
        gifts: 0,
        begun: [0; 3],
        paid: 0,
    };
}

/// Fleet Points of a nation, by sea zone (8.0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Fleet {
    /// Those that can still carry somebody in this game turn.
    pub ready: [u8; MAX_SEAS],
    /// Those that have (play book, L545).
    pub used: [u8; MAX_SEAS],
}

/// Sea zones in the order in which they are crossed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Route {
    seas: [Sea; MAX_SEAS],
    count: u8,
}

impl Route {
    /// No zone.
    pub const NONE: Route = Route { seas: [Sea(0); MAX_SEAS], count: 0 };

    /// One zone.
    pub const fn within(sea: Sea) -> Route {
        Route { seas: [sea; MAX_SEAS], count: 1 }
    }
    /// The zones.
    #[inline]
    pub fn seas(&self) -> &[Sea] {
        &self.seas[..self.count as usize]
    }
    /// Whether there is no zone.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// Puts a zone before the others.
    pub(crate) fn begin_with(&mut self, sea: Sea) {
        self.seas.copy_within(..MAX_SEAS - 1, 1);
        self.seas[0] = sea;
        self.count += 1;
    }
}

/// A naval move under way (8.0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Crossing {
    /// The decision at hand.
    pub stage: Sailing,
    /// Land units and air support units on board.
    pub cargo: Units,
    /// Where they go ashore.
    pub to: Area,
    /// How.
    pub how: Way,
    /// The zones crossed, in order.
    pub route: Route,
    /// The zone at hand, as an index into the route.
    pub leg: u8,
    /// A Fleet Point that changes zone: whose, and from where.
    pub transfer: Option<(Nation, Sea)>,
    /// Units that go down with their ships and are still to be named.
    pub sinking: u8,
    /// Air units in the naval combat of a port (14.46).
    pub air: AirAtSea,
}

/// Air units in the naval combat of a port, by team (14.46).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AirAtSea {
    /// Those that have joined.
    pub joined: [u8; 2],
    /// Those of them that fight the enemy's air units.
    pub dogfight: [u8; 2],
    /// Fleet Points and air units lost, less what has been taken of air units.
    pub sunk: [u8; 2],
}

impl AirAtSea {
    /// Nobody in the air.
    pub const NONE: AirAtSea = AirAtSea { joined: [0; 2], dogfight: [0; 2], sunk: [0; 2] };
}

impl Crossing {
    /// Nobody is at sea.
    pub const NONE: Crossing = Crossing {
        stage: Sailing::None,
        cargo: Units::EMPTY,
        to: Area::NONE,
        how: Way::Sea,
        route: Route::NONE,
        leg: 0,
        transfer: None,
        sinking: 0,
        air: AirAtSea::NONE,
    };
}

/// The strategic war (2.0): levels on the General Record Track. By team: Germany, the pool of the Western Allies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct StrategicForces {
    /// Fighter points.
    pub fighters: [u8; 2],
    /// Bomber points.
    pub bombers: [u8; 2],
    /// Flak levels.
    pub flak: [u8; 2],
    /// German submarine points.
    pub submarines: u8,
    /// Allied ASW level.
    pub asw: u8,
    /// German Me-262 (13.35).
    pub me262: u8,
    /// Bomb hits on Germany since the start (16.23(4)).
    pub bomb_hits: u8,
    /// Strategic moves that a team loses in its player turn (2.13, 2.25).
    pub moves_lost: [u8; 2],
    /// WERP that Germany or Great Britain loses in the production at hand.
    pub werp_lost: u8,
    /// The raid under way: bombers, escorts.
    pub raid: [u8; 2],
    /// What meets it, once it is said: fighters, Me-262 (13.35).
    pub met_by: [Option<u8>; 2],
    /// Bomb hits in the production at hand (13.47).
    pub hits_now: u8,
    /// Steps of the markers of option 14.51 gone down: bombers, escorts.
    pub improving: [u8; 2],
    /// Points bought in this player turn, by [`Asset`] (4.6, A77): see [`StrategicForces::bought_of`].
    pub bought: [u8; 6],
    /// Allied bombers that have flown a raid in this turn (2.27).
    pub raided: u8,
}

impl StrategicForces {
    /// Points of an asset bought in this player turn (4.6, A77).
    #[inline]
    pub fn bought_of(&self, asset: Asset) -> u8 {
        self.bought[asset as usize]
    }
}

/// Politics (9.0): how nations stand, and what has happened. Nations of different teams that are both in the war are at war
/// with each other: the USSR counts as neutral until its war with Germany.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Affairs {
    /// How nations stand.
    pub standing: [Standing; NATIONS],
    /// By nation: those whose areas its units may enter (derived from the standings).
    pub(crate) open: [Nations; NATIONS],
    /// What has happened, a bit each: see [`happened`].
    pub happened: u64,
    /// The turn in which Germany and the USSR went to war; 0 = they have not.
    pub soviet_war: u8,
    /// The Soviet draft (9.24 f).
    pub draft: Draft,
    /// Steps of the draft left, in this production and in all.
    pub draft_steps: [u8; 2],
    /// Soviet productions of the draft that are left.
    pub draft_turns: u8,
    /// The Axis minor that got the last free step, as a nation index; [`NOBODY`] = none yet (9.15).
    pub last_free_step: u8,
    /// The free step of this production has been used.
    pub free_step_used: bool,
    /// WERP given in this production by the nation at hand, to the USSR and to Italy, for their limits.
    pub given: u8,
    /// Nations that are to place their blocks, in this phase.
    pub mobilizing: Nations,
    /// Nations that never join the Axis (14.311).
    pub never_joins: Nations,
    /// Nations that have joined it, whatever has become of them since (14.311).
    pub joined: Nations,
    /// Minors that have joined a side of their own will, and use strategic moves and Special Actions of Germany or Great Britain (14.33,
    /// 14.311; 13.43, 13.44). Axis minors do so from the start.
    pub adopted: Nations,
    /// WERP that the producer has lost to the strategic war (13.45).
    pub werp_lost: u8,
    /// Special Actions built in the production at hand (13.45).
    pub actions_built: u8,
    /// Air support units bought in the production at hand, without those made of other aircraft (13.47, A148).
    pub air_units_bought: u8,
    /// Aircraft have been converted in this phase (14.49).
    pub converted: bool,
    /// Major Powers that have declared war on neutrals in this player turn, and on whom (14.43).
    pub surprise: Surprise,
    /// The phase that follows the one put in between.
    pub resume: Phase,
    /// How far deployment has come, in [`crate::rules::Setup::deployments`].
    pub deploying: u8,
    /// What optional rules count.
    pub counts: Counts,
}

/// What optional rules count (13.46, 14.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Counts {
    /// How far the USSR and the USA have come towards a second Special Action (14.22, 14.23).
    pub growth: [Growth; 2],
    /// Axis areas at the start of this turn and of the one before (14.214).
    pub axis_areas: [u8; 2],
    /// Soviet areas at the start of May and June, and whether Germany and the USSR were at war then (14.213, 14.223).
    pub soviet_areas: (u8, bool),
    /// Areas that the Axis held with land units at the start of the player turn, and how many of them the Soviets have taken since
    /// (14.221).
    pub posts: Areas,
    /// See `posts`.
    pub posts_taken: u8,
    /// Areas on which Americans have landed, and in which they have fought without British units, in this player turn (14.231).
    pub americans: [Areas; 2],
    /// Americans fight without British units in the battle at hand (14.231).
    pub americans_alone: bool,
    /// Where and in which turn Overlord goes ashore; nations that have paid for armour; the Axis has reinforced in the turn
    /// (13.46).
    pub overlord: Overlord,
    /// Italy's own wars (14.34).
    pub italy: ItalianWars,
    /// Those of the USSR (14.321).
    pub soviets: SovietWars,
    /// On what terms France gives in (14.35).
    pub france: FrenchTerms,
    /// The turn of the first Soviet success in snow, without the Winter War; 0 = none yet (14.32).
    pub snow_success: u8,
}

/// Italy's own wars, before it is in the war (14.34).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ItalianWars {
    /// The minor that it is at war with, alone.
    pub victim: Option<Nation>,
    /// The turn of its first war; 0 = it has had none.
    pub first: u8,
    /// The turn in which the last victim fell.
    pub last_conquest: u8,
    /// The turn in which it declared war on France and Great Britain; 0 = it has not (14.345).
    pub against_france: u8,
}

/// How France gives in, by how long it takes Germany (14.35).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FrenchTerms {
    /// The turn of the trigger: Germans have entered France, or Germany has attacked Belgium and Holland; 0 = there was none.
    pub trigger: u8,
    /// What it offers.
    pub terms: Terms,
    /// An armistice as in 9.52 was open in this turn and has not been accepted.
    pub refused: bool,
    /// French Fleet Points that have become British and are to be placed.
    pub fleets: u8,
}

/// What France offers that has lost Paris (14.354).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Terms {
    /// It has not been rolled for.
    #[default]
    Open,
    /// Vichy as in 9.52.
    Standard,
    /// Vichy without the Levant.
    WithoutLevant,
    /// France fights on, and must be conquered.
    FightsOn,
}

/// Wars of the USSR with minors, before that with Germany (14.321).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SovietWars {
    /// The minor that it is at war with, alone.
    pub victim: Option<Nation>,
    /// The turn of its last declaration; 0 = it has made none.
    pub declared: u8,
    /// Minors it has conquered.
    pub conquered: Nations,
    /// The last of them.
    pub last: Option<Nation>,
    /// The turn in which that fell.
    pub fell: u8,
}

/// How far a power has come towards a second Special Action (14.222, 14.232).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Growth {
    /// Conditions it has met, a bit each: see [`condition`].
    pub conditions: u8,
    /// Rolls won in a row.
    pub running: u8,
    /// It may have a second Special Action in this turn.
    pub right: bool,
}

/// Conditions for more Special Actions (14.221, 14.231).
pub mod condition {
    /// Soviets have attacked across a river and held on; Americans have landed and held on (a).
    pub const ASSAULT: u8 = 1;
    /// Soviets have taken two areas in a player turn; Americans have fought alone and held on (b, c).
    pub const BATTLE: u8 = 2;
    /// The first anniversary has passed.
    pub const ANNIVERSARY: u8 = 4;
    /// Rolls have been won in a row.
    pub const RUNNING: u8 = 8;
}

/// Operation Overlord (13.46).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Overlord {
    /// Where it goes ashore.
    pub area: Area,
    /// In which turn; 0 = it has not.
    pub turn: u8,
    /// Nations that have paid for an armour block that is not on board yet.
    pub armour: Nations,
    /// The Axis has spent its Special Action to reinforce.
    pub reinforced: bool,
    /// The unit on the way has moved from one area of France to another, and may not do so again (13.46 c).
    pub hindered: bool,
}

impl Counts {
    const NONE: Counts = Counts {
        growth: [Growth { conditions: 0, running: 0, right: false }; 2],
        axis_areas: [0; 2],
        soviet_areas: (0, false),
        posts: Areas::EMPTY,
        posts_taken: 0,
        americans: [Areas::EMPTY; 2],
        americans_alone: false,
        overlord: Overlord { area: Area::NONE, turn: 0, armour: 0, reinforced: false, hindered: false },
        italy: ItalianWars { victim: None, first: 0, last_conquest: 0, against_france: 0 },
        soviets: SovietWars { victim: None, declared: 0, conquered: 0, last: None, fell: 0 },
        france: FrenchTerms { trigger: 0, terms: Terms::Open, refused: false, fleets: 0 },
        snow_success: 0,
    };
}

/// The Soviet emergency draft (9.24 f).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Draft {
    /// Germany has not attacked yet.
    #[default]
    NotYet,
    /// It may be taken in the next Soviet production.
    Open,
    /// It is running.
    Running,
    /// It has been taken.
    Taken,
    /// It has been declined.
    Declined,
}

/// What has happened, as bits of [`Affairs::happened`].
pub mod happened {
    /// The Axis has controlled two of its objectives in the USSR at a time (16.22).
    pub const TWO_OBJECTIVES: u64 = 1;
    /// Italian morale has collapsed (9.4).
    pub const ITALIAN_COLLAPSE: u64 = 2;
    /// France has fallen, by armistice or conquest (9.5).
    pub const FALL_OF_FRANCE: u64 = 4;
    /// Vichy France exists (9.52).
    pub const VICHY: u64 = 8;
    /// American land units have entered Vichy France or North Africa (9.52).
    pub const AMERICANS_IN_VICHY: u64 = 16;
    /// Vichy France is over.
    pub const END_OF_VICHY: u64 = 32;
    /// Allied units have entered Germany (9.11 b).
    pub const GERMANY_ENTERED: u64 = 64;
    /// Warsaw has fallen to Germany: the pact occupation is open (9.25).
    pub const WARSAW_FELL: u64 = 128;
    /// Leningrad has fallen to the Axis: the Finns go on (A85).
    pub const LENINGRAD_FELL: u64 = 256;
    /// The First Winter has passed (9.13).
    pub const FIRST_WINTER: u64 = 512;
    /// Swedish ore comes no more (9.14).
    pub const NO_ORE: u64 = 1024;
    /// The Axis holds, or has held, a Soviet home area (16.33(3)).
    pub const USSR_ENTERED: u64 = 2048;
    /// ASW fires before the submarines (13.36).
    pub const ASW_FIRST: u64 = 4096;
    /// Germany has declared war on Sweden or Spain (13.44, 14.311).
    pub const WAR_ON_SWEDEN_OR_SPAIN: u64 = 8192;
    /// Germany has declared war on one of those that may join it (14.311).
    pub const WAR_ON_CANDIDATE: u64 = 1 << 14;
    /// The Western Allies have attacked Portugal (14.33).
    pub const PORTUGAL_ATTACKED: u64 = 1 << 15;
    /// Bombers (14.51) are improved.
    pub const BOMBERS_IMPROVED: u64 = 1 << 16;
    /// Escorts (14.51) are improved.
    pub const ESCORTS_IMPROVED: u64 = 1 << 17;
    /// German airborne make no more assaults (13.33).
    pub const AIRBORNE_RENOUNCED: u64 = 1 << 18;
    /// Germany has paused in the turn after it attacked the USSR (14.41).
    pub const PAUSE: u64 = 1 << 19;
    /// The war between Germany and the USSR was begun by Germany (14.41, A119).
    pub const GERMANY_ATTACKED: u64 = 1 << 20;
    /// The German infrastructure has collapsed: a Special Action less (14.212).
    pub const COLLAPSE: u64 = 1 << 21;
    /// Germany rolls for its fourth Special Action (14.213).
    pub const FOURTH_AT_RISK: u64 = 1 << 22;
    /// It may not build the fourth in this turn (14.214).
    pub const NO_FOURTH: u64 = 1 << 23;
    /// The USSR has a second Special Action for good (14.222).
    pub const SOVIET_SECOND: u64 = 1 << 24;
    /// And a third (14.223).
    pub const SOVIET_THIRD: u64 = 1 << 25;
    /// The USA have a second Special Action for good (14.232).
    pub const AMERICAN_SECOND: u64 = 1 << 26;
    /// And a third (14.223).
    pub const AMERICAN_THIRD: u64 = 1 << 27;
    /// Germany has made its final offensive against the Soviets (13.34).
    pub const OFFENSIVE_IN_THE_EAST: u64 = 1 << 28;
    /// And against the Western Allies (13.34).
    pub const OFFENSIVE_IN_THE_WEST: u64 = 1 << 29;
    /// Operation Overlord has been declared (13.46).
    pub const OVERLORD: u64 = 1 << 30;
    /// The Americans have bombed an area in this turn (14.47).
    pub const CARPET_BOMBING: u64 = 1 << 31;
    /// Yugoslav partisans have risen (13.42).
    pub const PARTISANS: u64 = 1 << 32;
    /// They have had their step of this turn (13.42).
    pub const PARTISANS_FED: u64 = 1 << 33;
    /// Germany has attacked the USSR while that was busy with a minor (14.322).
    pub const SOVIETS_CAUGHT: u64 = 1 << 34;
    /// France has been conquered and fights on from abroad (14.354).
    pub const FRANCE_IN_EXILE: u64 = 1 << 35;
    /// Partisans stood in Yugoslavia as the Allied player turn began, and both Allied players keep out (13.42).
    pub const YUGOSLAVIA_CLOSED: u64 = 1 << 36;
    /// The USSR has declared war on the Axis minors together (16.33(1)).
    pub const AXIS_MINORS_ATTACKED: u64 = 1 << 37;
}

impl Affairs {
    const NONE: Affairs = Affairs {
        standing: [Standing::Neutral; NATIONS],
        open: [0; NATIONS],
        happened: 0,
        soviet_war: 0,
        draft: Draft::NotYet,
        draft_steps: [0; 2],
        draft_turns: 0,
        last_free_step: NOBODY,
        free_step_used: false,
        given: 0,
        mobilizing: 0,
        never_joins: 0,
        joined: 0,
        adopted: 0,
        werp_lost: 0,
        actions_built: 0,
        air_units_bought: 0,
        converted: false,
        surprise: Surprise::NONE,
        resume: Phase::Operational,
        deploying: 0,
        counts: Counts::NONE,
    };

    /// Whether something has happened.
    #[inline]
    pub fn has(&self, what: u64) -> bool {
        self.happened & what != 0
    }
}

/// No choice made yet: see [`Battle::fighters`].
pub const UNDECIDED: u8 = 255;

/// The round of combat being fought (6.0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Battle {
    /// The decision at hand.
    pub stage: Stage,
    /// Where.
    pub area: Area,
    /// How the round is fought.
    pub mode: Mode,
    /// How the attacker began it.
    pub opening: Mode,
    /// The attacker of the battle.
    pub attacker: Team,
    /// The team that attacks in this round: in a counterattack the other.
    pub striker: Team,
    /// It is the first round of a newly disputed area.
    pub first: bool,
    /// Nations whose blocks fire on the attacker's side of the round (A42, 10.5).
    pub strikers: Nations,
    /// Counterattacks made.
    pub counterattacks: u8,
    /// Areas from which the Special Action at hand has already brought a land unit.
    pub drawn: Areas,
    /// Air units in air combat, by team; [`UNDECIDED`] = not said yet.
    pub fighters: [u8; 2],
    /// Air units left to support, by team.
    pub supports: [u8; 2],
    /// Air units still to be taken out, by team.
    pub air_hits: [u8; 2],
    /// Groups that have fired in this half of the round, a bit each.
    pub fired: u16,
    /// Hits still to be taken.
    pub hits: u16,
    /// The class that takes them.
    pub target: FireClass,
    /// Land steps when blocks were revealed.
    pub steps: [u16; 2],
    /// Land steps lost since.
    pub lost: [u16; 2],
    /// The attacker's armour fights infantry too: always, but by option 14.45.
    pub risks: bool,
    /// Elite blocks that have taken their hit of the round, a bit a team and class (14.45).
    pub elite_hits: u8,
    /// Hits by the defender's infantry in the round, and those of them on armour (14.45).
    pub infantry_hits: u16,
    /// See `infantry_hits`.
    pub armour_struck: u16,
    /// Hits that infantry takes after those on armour (14.45).
    pub later: u16,
    /// It is a final offensive (13.34).
    pub offensive: bool,
    /// The nation whose withdrawal is pursued (14.44).
    pub leaving: Option<Nation>,
}

impl Battle {
    /// No battle.
    pub const NONE: Battle = Battle {
        stage: Stage::None,
        area: Area::NONE,
        mode: Mode::Normal,
        opening: Mode::Normal,
        attacker: Team::First,
        striker: Team::First,
        first: false,
        strikers: 0,
        counterattacks: 0,
        drawn: Areas::EMPTY,
        fighters: [UNDECIDED; 2],
        supports: [0; 2],
        air_hits: [0; 2],
        fired: 0,
        hits: 0,
        target: FireClass::Infantry,
        steps: [0; 2],
        lost: [0; 2],
        risks: true,
        elite_hits: 0,
        infantry_hits: 0,
        armour_struck: 0,
        later: 0,
        offensive: false,
        leaving: None,
    };
}

/// How the game has ended (10.0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Verdict {
    /// The winner; `None` = a draw, or not over.
    pub winner: Option<Team>,
    /// Why, a short lower-case word.
    pub reason: &'static str,
    /// Victory points by team (16.22).
    pub points: [u8; 2],
}

/// Nobody controls an area that is out of play.
pub const NOBODY: u8 = 255;

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Turn, from 1.
    pub turn: u8,
    /// Phase.
    pub phase: Phase,
    /// Decision inside it.
    pub pending: Pending,
    /// Whose player turn it is, or who deploys.
    pub mover: Team,
    /// The nation that produces, or that pays for the breakthrough at hand.
    pub payer: Nation,
    /// The area a breakthrough moves into; [`Area::NONE`] = none.
    pub goal: Area,
    /// What is left of the move on the way.
    pub march: u8,
    /// Weather by climate zone.
    pub weather: ZoneWeather,
    /// What nations have, by index.
    pub powers: [Power; NATIONS],
    /// Field fortifications.
    pub field_forts: Areas,
    /// Heavy fortifications.
    pub heavy_forts: Areas,
    /// Those of them that have been reduced once and twice (14.50).
    pub reduced_forts: [Areas; 2],
    /// Areas newly disputed whose first round has not been fought (A50).
    pub newly_disputed: Areas,
    /// Areas fought over in this phase.
    pub fought: Areas,
    /// Areas that nations may leave without a rear guard in this phase (7.52).
    pub abandoned: Paid,
    /// Targets of the airborne drops of nations in this phase (A106).
    pub drops: Paid,
    /// The battle being fought.
    pub battle: Battle,
    /// Fleet Points by nation.
    pub fleets: [Fleet; NATIONS],
    /// The naval move under way.
    pub crossing: Crossing,
    /// Areas that nations have paid to invade in this phase (7.2).
    pub landings: Paid,
    /// Areas invaded from the sea in this player turn.
    pub invaded: Areas,
    /// Beachheads, by team.
    pub beachheads: [Areas; 2],
    /// Those of them in ports that a Special Action has been paid for (13.32).
    pub paid_beachheads: [Areas; 2],
    /// Ports that are of no use (13.32).
    pub disabled_ports: Areas,
    /// Those of them that can be repaired in the movement at hand.
    pub repairable: Areas,
    /// Ports whose field fortification has just gone, by the team that decides whether they are disabled.
    pub demolition: [Areas; 2],
    /// Beachheads of the second team on Atlantic coasts of Europe that were repelled (16.22, A99).
    pub repelled: u8,
    /// The strategic war.
    pub strategic: StrategicForces,
    /// Politics.
    pub affairs: Affairs,
    /// How the game has ended.
    pub verdict: Verdict,
    pub(crate) control: [u8; MAX_AREAS],
    pub(crate) places: UnitPlaces<UnitId, Area, MAX_UNITS, 5>,
    pub(crate) steps: [u8; MAX_UNITS],
    /// The counters with each mark, by bit: see [`mark`].
    marked: [Units; mark::COUNT],
    /// Counters on the map (derived).
    pub(crate) on_map: Units,
    /// Areas controlled, by nation (derived).
    pub(crate) lands: [Areas; NATIONS],
    /// Areas controlled, by team (derived).
    pub(crate) held: [Areas; 2],
    /// Areas with land units, by team (derived).
    pub(crate) manned: [Areas; 2],
    /// Areas with Soviet counters, and with Western ones on their side (derived).
    pub(crate) apart: [Areas; 2],
    /// Counters, by team (derived from the teams of nations).
    pub(crate) of_team: [Units; 2],
    /// Nations, by team (derived).
    pub(crate) partners: [Nations; 2],
    /// Nations in the war (derived from their standings).
    pub(crate) belligerents: Nations,
    pub(crate) cache: Cache,
}

/// What has been worked out from the rest of a state and holds until that changes. No part of the position: two states that
/// differ in it alone are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cache {
    /// Areas in supply of the nations that are `known`.
    pub supplied: [Areas; NATIONS],
    pub known: Nations,
    /// Units of the mover out of supply; `None` = not known.
    pub unsupplied: Option<Units>,
}

impl Cache {
    /// Nothing is known.
    pub const NONE: Cache = Cache { supplied: [Areas::EMPTY; NATIONS], known: 0, unsupplied: None };

    /// What the areas in supply rest on has changed: control, disputes, fleets, beachheads, who is in the war.
    #[inline]
    pub fn invalidate(&mut self) {
        self.known = 0;
        self.unsupplied = None;
    }
}

impl PartialEq for Cache {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Cache {}

impl std::hash::Hash for Cache {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

impl State {
    /// Nobody anywhere.
    pub(crate) fn empty() -> State {
        State {
            turn: 1,
            phase: Phase::Deployment,
            pending: Pending::None,
            mover: Team::First,
            payer: Nation::Germany,
            goal: Area::NONE,
            march: 0,
            weather: [Weather::Clear; 3],
            powers: [Power::ABSENT; NATIONS],
            field_forts: Areas::EMPTY,
            heavy_forts: Areas::EMPTY,
            reduced_forts: [Areas::EMPTY; 2],
            newly_disputed: Areas::EMPTY,
            fought: Areas::EMPTY,
            abandoned: Paid::NONE,
            drops: Paid::NONE,
            battle: Battle::NONE,
            fleets: [Fleet::default(); NATIONS],
            crossing: Crossing::NONE,
            landings: Paid::NONE,
            invaded: Areas::EMPTY,
            beachheads: [Areas::EMPTY; 2],
            paid_beachheads: [Areas::EMPTY; 2],
            disabled_ports: Areas::EMPTY,
            repairable: Areas::EMPTY,
            demolition: [Areas::EMPTY; 2],
            repelled: 0,
            strategic: StrategicForces::default(),
            affairs: Affairs::NONE,
            verdict: Verdict::default(),
            control: [NOBODY; MAX_AREAS],
            places: UnitPlaces::all_in(Area::GONE),
            steps: [0; MAX_UNITS],
            marked: [Units::EMPTY; mark::COUNT],
            on_map: Units::EMPTY,
            lands: [Areas::EMPTY; NATIONS],
            held: [Areas::EMPTY; 2],
            manned: [Areas::EMPTY; 2],
            apart: [Areas::EMPTY; 2],
            of_team: [Units::EMPTY; 2],
            partners: [0; 2],
            belligerents: 0,
            cache: Cache::NONE,
        }
    }

    // ---- counters ----

    /// Where a counter is.
    #[inline]
    pub fn location(&self, unit: UnitId) -> Area {
        self.places.of(unit)
    }
    /// Whether it is on the map.
    #[inline]
    pub fn is_on_map(&self, unit: UnitId) -> bool {
        self.on_map.contains(unit)
    }
    /// Counters on the map.
    #[inline]
    pub fn on_map(&self) -> Units {
        self.on_map
    }
    /// Those of a team.
    #[inline]
    pub fn on_map_of(&self, team: Team) -> Units {
        self.on_map.and(&self.of_team[team.index()])
    }
    /// Its steps.
    #[inline]
    pub fn steps(&self, unit: UnitId) -> u8 {
        self.steps[unit.at()]
    }
    /// Its marks: see [`mark`].
    #[inline]
    pub fn marks(&self, unit: UnitId) -> u16 {
        let bits = self.marked.iter().enumerate();
        bits.fold(0, |marks, (bit, marked)| marks | u16::from(marked.contains(unit)) << bit)
    }
    /// Whether it has one of these marks.
    #[inline]
    pub fn has_mark(&self, unit: UnitId, marks: u16) -> bool {
        (0..mark::COUNT).any(|bit| marks & 1 << bit != 0 && self.marked[bit].contains(unit))
    }
    /// Counters with one of these marks.
    #[inline]
    pub fn marked(&self, marks: u16) -> Units {
        let bits = (0..mark::COUNT).filter(|bit| marks & 1 << bit != 0);
        bits.fold(Units::EMPTY, |all, bit| all.or(&self.marked[bit]))
    }
    /// Whether two counters have the same of these marks.
    #[inline]
    pub(crate) fn same_marks(&self, one: UnitId, other: UnitId, marks: u16) -> bool {
        let mut bits = (0..mark::COUNT).filter(|bit| marks & 1 << bit != 0);
        bits.all(|bit| self.marked[bit].contains(one) == self.marked[bit].contains(other))
    }
    /// Sets marks.
    #[inline]
    pub fn mark(&mut self, unit: UnitId, marks: u16) {
        for bit in (0..mark::COUNT).filter(|bit| marks & 1 << bit != 0) {
            self.marked[bit].insert(unit);
        }
    }
    /// Takes these marks from a counter.
    #[inline]
    pub(crate) fn unmark(&mut self, unit: UnitId, marks: u16) {
        for bit in (0..mark::COUNT).filter(|bit| marks & 1 << bit != 0) {
            self.marked[bit].remove(unit);
        }
    }
    /// Gives a counter these marks and no others.
    pub(crate) fn set_marks(&mut self, unit: UnitId, marks: u16) {
        for (bit, marked) in self.marked.iter_mut().enumerate() {
            marked.set(unit, marks & 1 << bit != 0);
        }
    }
    /// Takes these marks from some counters.
    pub(crate) fn unmark_these(&mut self, units: &Units, marks: u16) {
        for bit in (0..mark::COUNT).filter(|bit| marks & 1 << bit != 0) {
            self.marked[bit] = self.marked[bit].difference(units);
        }
    }
    /// Takes these marks from all counters.
    pub fn unmark_all(&mut self, marks: u16) {
        for bit in (0..mark::COUNT).filter(|bit| marks & 1 << bit != 0) {
            self.marked[bit] = Units::EMPTY;
        }
    }
    /// Counters in an area.
    #[inline]
    pub fn at(&self, area: Area) -> Units {
        self.places.at(area)
    }
    /// Counters of a team in an area.
    #[inline]
    pub fn of_team_at(&self, team: Team, area: Area) -> Units {
        self.places.at(area).and(&self.of_team[team.index()])
    }

    // ---- areas ----

    /// The nation that controls an area; `None` if it is out of play.
    #[inline]
    pub fn controller(&self, area: Area) -> Option<Nation> {
        let nation = self.control[area.at()];
        (nation != NOBODY).then(|| Nation::of(nation))
    }
    /// An area passes to a nation.
    pub(crate) fn set_controller(&mut self, area: Area, nation: Nation) {
        if let Some(before) = self.controller(area) {
            self.lands[before.index()].remove(area);
        }
        self.lands[nation.index()].insert(area);
        self.control[area.at()] = nation as u8;
        self.cache.invalidate();
    }
    /// Areas that some nations control.
    #[inline]
    pub(crate) fn lands_of(&self, nations: Nations) -> Areas {
        Nation::members(nations).fold(Areas::EMPTY, |all, nation| all.or(&self.lands[nation.index()]))
    }
    /// Areas of the nations whose land is open to a nation.
    pub(crate) fn lands_open_to(&self, nation: Nation) -> Areas {
        let open = self.affairs.open[nation.index()];
        if open.count_ones() < 4 {
            return self.lands_of(open);
        }
        // Few of those with a team are closed, few of the others are open.
        let both = self.partners[0] | self.partners[1];
        let held = self.held[0].or(&self.held[1]);
        held.difference(&self.lands_of(both & !open)).or(&self.lands_of(open & !both))
    }
    /// Areas a team controls.
    #[inline]
    pub fn held(&self, team: Team) -> &Areas {
        &self.held[team.index()]
    }
    /// Areas with land units of a team.
    #[inline]
    pub fn manned(&self, team: Team) -> &Areas {
        &self.manned[team.index()]
    }
    /// Areas with land units of both teams.
    #[inline]
    pub fn disputed(&self) -> Areas {
        self.manned[0].and(&self.manned[1])
    }
    /// Whether an area is disputed.
    #[inline]
    pub fn is_disputed(&self, area: Area) -> bool {
        self.manned[0].contains(area) && self.manned[1].contains(area)
    }

    // ---- fleets ----

    /// Fleet Points with which a team fights in a sea zone, whether they have carried anybody or not: those of nations in the war.
    pub fn fleet_points(&self, team: Team, sea: Sea) -> u8 {
        let points = |nation: Nation| {
            let fleet = &self.fleets[nation.index()];
            fleet.ready[sea.at()] + fleet.used[sea.at()]
        };
        Nation::members(self.nations(team) & self.belligerents).map(points).sum()
    }
    /// Those that can still carry somebody.
    pub fn ready_points(&self, team: Team, sea: Sea) -> u8 {
        let own = Nation::members(self.nations(team) & self.belligerents);
        own.map(|nation| self.fleets[nation.index()].ready[sea.at()]).sum()
    }
    /// Fleet Points in a sea zone that can carry units of a nation: its own, and those of partners when both are in the war.
    pub fn ready_for(&self, nation: Nation, sea: Sea) -> u8 {
        let ships = Nation::members(self.carriers_for(nation));
        ships.map(|owner| self.fleets[owner.index()].ready[sea.at()]).sum()
    }
    /// Nations whose Fleet Points carry and feed units of a nation (12.8).
    #[inline]
    pub(crate) fn carriers_for(&self, nation: Nation) -> Nations {
        match self.team(nation) {
            Some(team) if self.is_belligerent(nation) => {
                nation.bit() | self.nations(team) & self.belligerents
            }
            _ => nation.bit(),
        }
    }
    /// Whether Fleet Points of one nation carry and feed units of another (12.8).
    #[inline]
    pub fn carries_for(&self, owner: Nation, nation: Nation) -> bool {
        self.carriers_for(nation) & owner.bit() != 0
    }
    /// Whether a nation is in the war.
    #[inline]
    fn is_belligerent(&self, nation: Nation) -> bool {
        self.belligerents & nation.bit() != 0
    }

    // ---- nations ----

    /// What a nation has.
    #[inline]
    pub fn power(&self, nation: Nation) -> &Power {
        &self.powers[nation.index()]
    }
    /// The team of a nation.
    #[inline]
    pub fn team(&self, nation: Nation) -> Option<Team> {
        self.powers[nation.index()].team
    }
    /// Nations of a team.
    #[inline]
    pub fn nations(&self, team: Team) -> Nations {
        self.partners[team.index()]
    }
}

/// The most Special Actions that a team can have in hand.
pub(crate) const MOST_SPECIAL_ACTIONS: usize = 16;

/// Areas for which nations have paid a Special Action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Paid {
    areas: [(Area, u8); MOST_SPECIAL_ACTIONS],
    count: u8,
}

impl Paid {
    /// Nothing.
    pub const NONE: Paid = Paid { areas: [(Area::NONE, NOBODY); MOST_SPECIAL_ACTIONS], count: 0 };

    /// Whether a nation has paid for an area.
    pub fn covers(&self, nation: Nation, area: Area) -> bool {
        self.areas[..self.count as usize].contains(&(area, nation as u8))
    }
    /// Whether a nation has paid for any area.
    pub fn any(&self, nation: Nation) -> bool {
        self.areas[..self.count as usize].iter().any(|paid| paid.1 == nation as u8)
    }
    /// A nation pays for an area.
    pub fn add(&mut self, nation: Nation, area: Area) {
        self.areas[self.count as usize] = (area, nation as u8);
        self.count += 1;
    }
}

const _: () = assert!(std::mem::size_of::<State>() <= 6 * 1024);
