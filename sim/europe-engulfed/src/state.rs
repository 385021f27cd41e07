//! A game in progress: below 3 KiB, flat, cloned by copying bytes.
//!
//! ```text
//! counters   place, steps, marks                 320 x 5 bytes, one entry a block or air support unit
//! areas      controller; sets of 192 bits        192 bytes + fortifications, disputes
//! nations    Special Actions, WERP     25 x 12 bytes
//! battle     the round being fought
//! derived    who stands where, by team           6 sets
//! ```
//!
//! There are more than 254 counters in a campaign, so they are kept in [`UnitPlaces`] rather than in lists. The rules of the
//! phases stand above the state: nothing here knows them.

use sandtable_core::Index;
use sandtable_core::units::UnitPlaces;

use crate::ids::{Area, Areas, MAX_AREAS, MAX_UNITS, NATIONS, Nation, Nations, Team, UnitId, Units};
use crate::phase::{FireClass, Mode, Pending, Phase, Stage};
use crate::rules::{Weather, ZoneWeather};

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
    /// Lies face up in the battle at hand.
    pub const REVEALED: u16 = 512;
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
}

impl Power {
    const ABSENT: Power = Power {
        team: None,
        special_actions: 0,
        special_action_pool: 0,
        werp: 0,
        moves: 0,
        unrestricted: false,
    };
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
    };
}

/// How the game has ended (10.0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Verdict {
    /// The winner; `None` = a draw, or not over.
    pub winner: Option<Team>,
    /// Why, a short lower-case word.
    pub reason: &'static str,
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
    /// How the game has ended.
    pub verdict: Verdict,
    pub(crate) control: [u8; MAX_AREAS],
    pub(crate) places: UnitPlaces<UnitId, Area, MAX_UNITS, 5>,
    pub(crate) steps: [u8; MAX_UNITS],
    pub(crate) marks: [u16; MAX_UNITS],
    /// Areas controlled, by team (derived).
    pub(crate) held: [Areas; 2],
    /// Areas with land units, by team (derived).
    pub(crate) manned: [Areas; 2],
    /// Counters, by team (derived from the teams of nations).
    pub(crate) of_team: [Units; 2],
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
            newly_disputed: Areas::EMPTY,
            fought: Areas::EMPTY,
            abandoned: Paid::NONE,
            drops: Paid::NONE,
            battle: Battle::NONE,
            verdict: Verdict::default(),
            control: [NOBODY; MAX_AREAS],
            places: UnitPlaces::all_in(Area::GONE),
            steps: [0; MAX_UNITS],
            marks: [0; MAX_UNITS],
            held: [Areas::EMPTY; 2],
            manned: [Areas::EMPTY; 2],
            of_team: [Units::EMPTY; 2],
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
        self.location(unit).is_on_map()
    }
    /// Its steps.
    #[inline]
    pub fn steps(&self, unit: UnitId) -> u8 {
        self.steps[unit.at()]
    }
    /// Its marks: see [`mark`].
    #[inline]
    pub fn marks(&self, unit: UnitId) -> u16 {
        self.marks[unit.at()]
    }
    /// Whether it has one of these marks.
    #[inline]
    pub fn has_mark(&self, unit: UnitId, marks: u16) -> bool {
        self.marks[unit.at()] & marks != 0
    }
    /// Sets marks.
    #[inline]
    pub fn mark(&mut self, unit: UnitId, marks: u16) {
        self.marks[unit.at()] |= marks;
    }
    /// Takes these marks from all counters.
    pub fn unmark_all(&mut self, marks: u16) {
        self.marks.iter_mut().for_each(|mark| *mark &= !marks);
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
    pub fn nations(&self, team: Team) -> Nations {
        Nation::ALL
            .into_iter()
            .filter(|nation| self.team(*nation) == Some(team))
            .fold(0, |mask, nation| mask | nation.bit())
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
    /// A nation pays for an area.
    pub fn add(&mut self, nation: Nation, area: Area) {
        self.areas[self.count as usize] = (area, nation as u8);
        self.count += 1;
    }
}

const _: () = assert!(std::mem::size_of::<State>() <= 6 * 1024);
