//! The battle being fought (5), as a part of the state.

use crate::nation::Team;
use crate::place::{Place, UnitId};
use crate::rules::{Seas, Target, Units};

/// Bit planes that count what a leader has done.
const LED_PLANES: usize = 2;
/// The most Blitz actions of a leader they can count.
pub const MAX_BLITZ_USES: u8 = (1 << LED_PLANES) - 1;

/// Where a battle stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum Stage {
    /// Bombers announce their targets, submarines in their base whether they shelter (6.3, 7.33).
    #[default]
    Announcing,
    /// Battle turns (5.2).
    Turns,
    /// The last round is over: the attacking leader may order another (5.61).
    Extending,
    /// The loser leaves (5.7, 6.4, 7.4).
    Withdrawing,
    /// The winner regroups (5.8).
    Regrouping,
    /// His leader's exploitation is on (5.61).
    Exploiting,
}

/// The battle being fought, and what leaders have done in the turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Battle {
    /// Where; [`Place::NONE`] = no battle is on.
    pub place: Place,
    /// Attacker now: the roles change when the area falls before the defender's reinforcements arrive (5.2).
    pub attacker: Team,
    /// Attacker at its start.
    pub opener: Team,
    /// Round, from 1.
    pub round: u8,
    /// Rounds without those that leaders order.
    pub rounds: u8,
    /// Rounds ordered by leaders (5.61).
    pub extra: u8,
    /// It came of an exploitation (5.61).
    pub exploitation: bool,
    pub(crate) stage: Stage,
    /// Forces whose invaders have landed, as a mask (7.5).
    pub(crate) landed: u8,
    /// The flak has had its turn.
    pub(crate) flak_fired: bool,
    /// Hits that have still to fall, on what, of whose fire ([`UnitId::NONE`] = flak), of which team.
    pub(crate) hits: u8,
    pub(crate) target: Target,
    pub(crate) shooter: UnitId,
    pub(crate) shooting: Team,
    /// Who has won it, once its rounds are over.
    pub(crate) winner: Team,
    /// Borders of the area, by their order in the tables, over which each team attacked or reinforced (5.7).
    pub(crate) used: [u16; 2],
    /// Sea zones from which ships and invaders of each team came to attack or reinforce (7.4).
    pub(crate) used_seas: [Seas; 2],
    /// A team had military units in the battle.
    pub(crate) armies: [bool; 2],
    /// The leader whose exploitation is on (5.61).
    pub(crate) leader: UnitId,
    /// Regroup and exploitation: the units below have had their choice.
    pub(crate) next: UnitId,
    /// Area of the battle that the exploitation starts or joins; [`Place::NONE`] = none.
    pub(crate) goal: Place,
    /// The exploitation started it.
    pub(crate) new_goal: bool,
    /// A unit that waits to enter a neutral area, and the area, while the neutral's units are placed (10.2).
    pub(crate) entering: (UnitId, Place),
    /// What each unit aims at in this round, in bit planes: 0 = nothing, 1 + index of the target, 7 = it shelters.
    pub(crate) aims: [Units; 3],
    /// How often each leader has used Blitz in this turn, in bit planes (5.61).
    pub(crate) led: [Units; LED_PLANES],
    /// For the report, by opener and opponent: units and steps at the start, sums of firepower times dice, hits, losses.
    pub(crate) units: [u8; 2],
    pub(crate) steps: [u8; 2],
    pub(crate) dice: [u8; 2],
    pub(crate) scored: [u8; 2],
    pub(crate) lost: [u8; 2],
}

const _: () = assert!(std::mem::size_of::<Battle>() <= 200);

/// [`Battle::aim`] of a submarine that shelters in its base (7.33).
pub(crate) const SHELTER: u8 = 7;

impl Default for Battle {
    fn default() -> Self {
        Battle {
            place: Place::NONE,
            attacker: Team::Axis,
            opener: Team::Axis,
            round: 0,
            rounds: 0,
            extra: 0,
            exploitation: false,
            stage: Stage::Announcing,
            landed: 0,
            flak_fired: false,
            hits: 0,
            target: Target::Air,
            shooter: UnitId::NONE,
            shooting: Team::Axis,
            winner: Team::Axis,
            used: [0; 2],
            used_seas: [0; 2],
            armies: [false; 2],
            leader: UnitId::NONE,
            next: UnitId(0),
            goal: Place::NONE,
            new_goal: false,
            entering: (UnitId::NONE, Place::NONE),
            aims: [Units::EMPTY; 3],
            led: [Units::EMPTY; LED_PLANES],
            units: [0; 2],
            steps: [0; 2],
            dice: [0; 2],
            scored: [0; 2],
            lost: [0; 2],
        }
    }
}

impl Battle {
    /// Index of a team in the figures of the report.
    pub(crate) fn column(&self, team: Team) -> usize {
        usize::from(team != self.opener)
    }
    /// Whether events work in this round.
    pub(crate) fn is_normal_round(&self) -> bool {
        !self.exploitation && self.round <= self.rounds
    }
    /// Forgets what only the report tells, and the last shot once its hits have fallen: battles that go on alike are equal.
    pub(crate) fn forget_the_past(&mut self) {
        (self.dice, self.scored, self.lost) = ([0; 2], [0; 2], [0; 2]);
        if self.hits == 0 {
            (self.target, self.shooter, self.shooting) = (Target::Air, UnitId::NONE, Team::Axis);
        }
    }
    pub(crate) fn aim(&self, unit: UnitId) -> u8 {
        (0..3).fold(0, |aim, plane| aim | u8::from(self.aims[plane].contains(unit)) << plane)
    }
    pub(crate) fn set_aim(&mut self, unit: UnitId, aim: u8) {
        for (plane, set) in self.aims.iter_mut().enumerate() {
            set.set(unit, aim >> plane & 1 != 0);
        }
    }
    pub(crate) fn aims_at(&self, unit: UnitId, target: Target) -> bool {
        self.aim(unit) == target as u8 + 1
    }
    /// How often a leader has used Blitz this turn.
    pub(crate) fn times_led(&self, leader: UnitId) -> u8 {
        (0..LED_PLANES).fold(0, |times, plane| times | u8::from(self.led[plane].contains(leader)) << plane)
    }
    pub(crate) fn count_lead(&mut self, leader: UnitId) {
        let times = (self.times_led(leader) + 1).min(MAX_BLITZ_USES);
        for (plane, set) in self.led.iter_mut().enumerate() {
            set.set(leader, times >> plane & 1 != 0);
        }
    }
}
