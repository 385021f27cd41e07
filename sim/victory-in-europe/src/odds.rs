//! Odds of a battle: the exact distribution of its outcome, from the rules' own combat code (5 to 7).
//!
//! ```text
//! Engagement::new -> round 1: announcements, flak, turns A to E -> end of round -> ... -> [Blitz] -> withdrawal
//!                                   every number of hits              distribution of the round         distribution of the whole
//! ```
//!
//! Nothing of the rules is written again here: the battle is opened and carried on by the functions that play the game, with
//! dice that hit in every number there is. What the rules leave to the players is laid down by a [`Conduct`]. Positions are
//! walked in the order of the battle turns, and equal ones are merged before they are walked on: a few hundred stand for
//! millions of falls of the dice. The battle ends when the losers have left, before anybody regroups.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{Hash, Hasher};

use sandtable_core::enumerate::EveryRoll;
use sandtable_core::{Dice, Digest, Index, PlayContext, Pmf, Scripted};

use crate::Rolls;
use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::nation::Team;
use crate::phase::{Pending, Phase};
use crate::place::{Place, UnitId};
use crate::rules::{Arm, Kind, Target};
use crate::state::{Battle, Stage, State, mark};

/// Whether the units of a side stay in the battle. Who leaves does so in his battle turn, instead of firing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stand {
    /// To the end.
    #[default]
    Firm,
    /// While the side has at least so many steps of the unit's arm in the battle.
    Steps(u8),
    /// While the enemy has less than so many times the steps of the unit's arm.
    Odds(u8),
}

/// What units fire at that may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aim {
    /// Where their firepower is highest; of equal targets the first in the order of [`Target::ALL`].
    #[default]
    Best,
    /// Aircraft, else the best.
    Air,
    /// Military units, else the best.
    Army,
    /// Ships and landing troops, else the best.
    Naval,
    /// The factory, else the best.
    Factory,
}

/// What a side does where the rules leave it a choice inside a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// Whether its units stay in it.
    pub stand: Stand,
    /// They leave in the first round too, which costs a step (5.7).
    pub early: bool,
    /// What fighters fire at.
    pub fighters: Aim,
    /// What bombers announce.
    pub bombers: Aim,
    /// What ships fire at.
    pub ships: Aim,
    /// What military units fire at.
    pub armies: Aim,
    /// Submarines shelter in their base (7.33).
    pub shelter: bool,
}

/// What both sides do. Hits among equals are taken by the cheapest unit. Retreats go to a place with room, the first of the
/// map's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conduct {
    /// Of who attacks at the start of the battle.
    pub attacker: Plan,
    /// Of who defends at its start.
    pub defender: Plan,
    /// Rounds that a leader orders at most (5.61).
    pub blitz: u8,
}

/// Steps lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Toll {
    /// Of military units.
    pub army: u8,
    /// Of aircraft.
    pub air: u8,
    /// Of ships and convoys.
    pub naval: u8,
    /// Of the factory, bombed; not those that fall with the area.
    pub factory: u8,
}

impl Toll {
    /// All of them.
    pub fn steps(&self) -> u8 {
        self.army + self.air + self.naval + self.factory
    }
}

/// How the place attacked ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum End {
    /// The attacker has not won it.
    #[default]
    Held,
    /// He has, and enemies have got away that held it: military units, at sea ships.
    Retreated,
    /// He has, and none of them is left.
    Eliminated,
}

/// What became of the rounds that a leader may order (5.61).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Extra {
    /// Nobody was asked.
    #[default]
    Unasked,
    /// None was ordered.
    Declined,
    /// One or two were.
    Ordered,
}

/// The outcome of a battle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Outcome {
    /// Lost by who attacked at its start.
    pub attacker: Toll,
    /// Lost by who defended, with those who could not retreat.
    pub defender: Toll,
    /// The place.
    pub end: End,
    /// The attacker's leader may exploit the victory (5.61).
    pub exploits: bool,
    /// Rounds of a Blitz.
    pub extra: Extra,
}

/// The exact distribution of a battle.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// After each round; a battle that was over before stays as it was.
    pub rounds: Vec<Pmf<Outcome>>,
    /// After the losers have left.
    pub whole: Pmf<Outcome>,
}

/// A battle about to be fought, and the conduct of both sides.
#[derive(Clone)]
pub struct Engagement<'a> {
    game: &'a VictoryInEurope,
    /// Before it.
    before: State,
    /// Opened, up to the first announcement.
    start: State,
    place: Place,
    /// Units in it, with their teams.
    roster: Vec<(UnitId, Team)>,
    conduct: Conduct,
}

impl fmt::Debug for Engagement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engagement")
            .field("place", &self.place)
            .field("attacker", &self.attacker())
            .field("roster", &self.roster)
            .field("conduct", &self.conduct)
            .finish_non_exhaustive()
    }
}

/// What a position does not tell of the way to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Path {
    /// Factory steps bombed.
    bombed: u8,
    /// A leader ordered no round.
    declined: bool,
}

/// Where a step of the battle has led.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moment {
    /// To a decision.
    Asked,
    /// To the end of a round.
    RoundOver,
    /// To the end.
    Over,
}

/// A position that is to be walked on from, with its probability. Boxes go from hand to hand.
struct Node {
    state: Box<State>,
    path: Path,
    mass: f64,
}

/// Positions of one rank; equal ones are one.
#[derive(Default)]
struct Level {
    known: HashMap<u64, Vec<usize>>,
    nodes: Vec<Node>,
}

impl Level {
    #[allow(clippy::vec_box)] // they go on to other levels
    fn add(&mut self, digest: u64, state: &State, path: Path, mass: f64, spare: &mut Vec<Box<State>>) {
        let known = self.known.entry(digest).or_default();
        let nodes = &mut self.nodes;
        if let Some(&at) = known.iter().find(|&&at| nodes[at].path == path && *nodes[at].state == *state) {
            nodes[at].mass += mass;
            return;
        }
        known.push(nodes.len());
        let mut fresh = spare.pop().unwrap_or_else(|| Box::new(state.clone()));
        State::clone_from(&mut fresh, state);
        nodes.push(Node { state: fresh, path, mass });
    }
}

impl<'a> Engagement<'a> {
    /// The battle due at a place. A position before the Combat Phase is taken to it.
    ///
    /// # Errors
    /// Says why it cannot be fought.
    pub fn new(
        game: &'a VictoryInEurope,
        state: &State,
        place: Place,
        conduct: Conduct,
    ) -> Result<Self, String> {
        let mut before = state.clone();
        let context = &mut PlayContext::silent(Scripted::default());
        if before.phase < Phase::Combat {
            let first = before.first;
            game.start_team(&mut before, Phase::Combat, first, context);
        }
        let name = game.place_name(place);
        let due = match place.sea_zone() {
            Some(sea) => before.disputed_seas() >> sea & 1 != 0,
            None => place.is_area() && before.disputed().contains(place),
        };
        if before.phase != Phase::Combat || !due {
            return Err(format!("no battle is due at {name}"));
        }
        if before.pending != Pending::None {
            return Err(format!("another decision must be made before the battle at {name}"));
        }
        let mut start = before.clone();
        game.open_battle(&mut start, place, context);
        let roster = start.stack(place).map(|unit| (unit, game.team(&start, unit))).collect();
        Ok(Engagement { game, before, start, place, roster, conduct })
    }

    /// The position of its first round.
    pub fn position(&self) -> &State {
        &self.start
    }
    /// Area or sea zone fought for.
    pub fn place(&self) -> Place {
        self.place
    }
    /// The team that attacks.
    pub fn attacker(&self) -> Team {
        self.start.battle.attacker
    }
    /// Units of a team in the battle.
    pub fn units(&self, team: Team) -> impl Iterator<Item = UnitId> {
        self.roster.iter().filter(move |unit| unit.1 == team).map(|unit| unit.0)
    }
    /// Steps of a team at the start.
    pub fn steps(&self, team: Team) -> u32 {
        self.units(team).map(|unit| u32::from(self.start.steps(unit))).sum()
    }
    /// Rounds without those that leaders order.
    pub fn rounds(&self) -> u8 {
        self.start.battle.rounds
    }
    /// Conduct of both sides.
    pub fn conduct(&self) -> &Conduct {
        &self.conduct
    }

    // ---- the walk ----

    /// Plays the decision at hand, if there is one, and carries the battle on to the next, to the end of the round, or to its
    /// own end.
    fn go_on(
        &self,
        state: &mut State,
        path: &mut Path,
        choice: Option<Action>,
        context: &mut impl Rolls,
    ) -> Moment {
        let game = self.game;
        let mut choice = choice;
        loop {
            let goes_on = state.pending == Pending::None || {
                let action = choice.take().unwrap_or_else(|| self.choose(state));
                path.declined |= matches!(state.pending, Pending::Extend(_)) && action == Action::Pass;
                game.carry_out(state, action, context)
            };
            if !goes_on {
                continue;
            }
            loop {
                let Battle { round, stage, .. } = state.battle;
                if stage == Stage::Regrouping {
                    return Moment::Over;
                }
                let factory = self.factory(state);
                let asked = game.proceed(state, context);
                if stage == Stage::Turns && (state.battle.stage != stage || state.battle.round != round) {
                    // A factory that falls with the area is not bombed.
                    return Moment::RoundOver;
                }
                path.bombed += factory - self.factory(state);
                match state.pending {
                    // Choices without dice between them are made at once.
                    Pending::Hit(_) | Pending::Withdraw(_) | Pending::GoOn(_) => break,
                    _ if asked => return Moment::Asked,
                    _ => {}
                }
            }
        }
    }

    fn factory(&self, state: &State) -> u8 {
        if self.place.is_area() { state.factory(self.place) } else { 0 }
    }

    /// Where in the battle a position stands: positions are walked in this order, which never goes back.
    fn rank(&self, state: &State) -> (u8, u8, u8, u8) {
        let battle = &state.battle;
        let (order, unit) = match state.pending {
            Pending::Announce(unit) => (1 + self.role(state, unit), unit),
            Pending::Fire(unit) => {
                (1 + 2 * self.game.battle_class(state, unit) + self.role(state, unit), unit)
            }
            _ => (0, UnitId(0)),
        };
        (battle.round, battle.stage as u8, order, unit.0)
    }
    fn role(&self, state: &State, unit: UnitId) -> u8 {
        u8::from(self.game.team(state, unit) == state.battle.attacker)
    }

    /// A digest of what may differ between positions of the battle.
    fn digest(&self, state: &State, path: Path) -> u64 {
        let mut digest = Digest::default();
        for &(unit, _) in &self.roster {
            let at = unit.at();
            digest.write_u32(u32::from_le_bytes([
                state.places.of(unit).0,
                state.step[at],
                state.mark[at],
                0,
            ]));
        }
        (path, state.battle.attacker, self.factory(state)).hash(&mut digest);
        digest.finish()
    }

    /// The exact distribution.
    pub fn distribution(&self) -> Distribution {
        let mut rounds: Vec<Vec<(Outcome, f64)>> = Vec::new();
        // Rounds fought, the outcome after the last, and in the end.
        let mut over: Vec<(usize, Outcome, Outcome, f64)> = Vec::new();
        let mut levels: BTreeMap<(u8, u8, u8, u8), Level> = BTreeMap::new();
        let mut spare = Vec::new();
        let first = levels.entry(self.rank(&self.start)).or_default();
        first.add(0, &self.start, Path::default(), 1.0, &mut spare);
        let mut dice = EveryRoll::new();
        let mut state = self.start.clone();
        while let Some((_, level)) = levels.pop_first() {
            for Node { state: before, path, mass } in level.nodes {
                let choice = (before.pending != Pending::None).then(|| self.choose(&before));
                loop {
                    state.clone_from(&before);
                    let mut path = path;
                    let moment =
                        self.go_on(&mut state, &mut path, choice, &mut PlayContext::silent(&mut dice));
                    let mass = mass * dice.probability();
                    let fought = usize::from(before.battle.round);
                    if moment == Moment::Over {
                        let after = self.outcome(&before, path, false);
                        over.push((fought, after, self.outcome(&state, path, true), mass));
                    } else {
                        if moment == Moment::RoundOver {
                            rounds.resize_with(rounds.len().max(fought), Vec::new);
                            rounds[fought - 1].push((self.outcome(&state, path, false), mass));
                        }
                        state.battle.forget_the_past();
                        let level = levels.entry(self.rank(&state)).or_default();
                        level.add(self.digest(&state, path), &state, path, mass, &mut spare);
                    }
                    if !dice.advance() {
                        break;
                    }
                }
                spare.push(before);
            }
        }
        for (fought, after, _, mass) in &over {
            for later in &mut rounds[*fought..] {
                later.push((*after, *mass));
            }
        }
        Distribution {
            rounds: rounds.into_iter().map(Pmf::weighted).collect(),
            whole: Pmf::weighted(over.into_iter().map(|(_, _, outcome, mass)| (outcome, mass))),
        }
    }

    /// Fights the battle once: fills `rounds` with the outcome after each, and returns that of the end. `state` is scratch
    /// space.
    pub fn sample(&self, state: &mut State, dice: &mut impl Dice, rounds: &mut Vec<Outcome>) -> Outcome {
        state.clone_from(&self.start);
        rounds.clear();
        let mut path = Path::default();
        let context = &mut PlayContext::silent(dice);
        loop {
            match self.go_on(state, &mut path, None, context) {
                Moment::Over => return self.outcome(state, path, true),
                Moment::RoundOver => rounds.push(self.outcome(state, path, false)),
                Moment::Asked => {}
            }
        }
    }

    /// The outcome so far, or in the end.
    fn outcome(&self, state: &State, path: Path, over: bool) -> Outcome {
        let game = self.game;
        let opener = self.attacker();
        let at_sea = !self.place.is_area();
        let mut tolls = [Toll::default(); 2];
        let mut survive = false;
        for &(unit, team) in &self.roster {
            let toll = &mut tolls[usize::from(team != opener)];
            let lost = self.start.steps(unit) - state.steps(unit);
            let arm = game.arm(unit);
            match arm {
                Arm::Army => toll.army += lost,
                Arm::Air => toll.air += lost,
                Arm::Naval => toll.naval += lost,
            }
            survive |=
                team != opener && state.is_on_map(unit) && arm == if at_sea { Arm::Naval } else { Arm::Army };
        }
        tolls[1].factory = path.bombed;
        let holds = |team| {
            if at_sea { game.has_ships(state, team) } else { game.holds_ground(state, team) }
        };
        // Reinforcements that are still to come hold nothing yet, and may win it back.
        let more = game
            .units_at(state, self.place, opener.other())
            .any(|unit| state.has_mark(unit, mark::REINFORCES));
        let end = match () {
            () if !holds(opener) || holds(opener.other()) || more => End::Held,
            () if survive => End::Retreated,
            () => End::Eliminated,
        };
        let extra = match state.battle.extra {
            _ if !over => Extra::Unasked,
            0 if path.declined => Extra::Declined,
            0 => Extra::Unasked,
            _ => Extra::Ordered,
        };
        let exploits = over && state.battle.winner == opener && game.exploiting_leader(state).is_some();
        Outcome { attacker: tolls[0], defender: tolls[1], end, exploits, extra }
    }

    // ---- conduct ----

    fn plan(&self, state: &State, unit: UnitId) -> &Plan {
        if self.game.team(state, unit) == self.attacker() {
            &self.conduct.attacker
        } else {
            &self.conduct.defender
        }
    }

    /// What who is asked does.
    fn choose(&self, state: &State) -> Action {
        let game = self.game;
        match state.pending {
            Pending::Announce(unit) if game.kind(unit) == Kind::Submarine => {
                if self.plan(state, unit).shelter { Action::Shelter } else { Action::Pass }
            }
            Pending::Announce(unit) => {
                let aim = self.plan(state, unit).bombers;
                let target = self.target(state, unit, aim, game.aims(state, unit));
                target.map_or(Action::Pass, Action::Announce)
            }
            Pending::Fire(unit) => {
                if self.leaves(state, unit) && !game.exits(state, unit).is_empty() {
                    return Action::Retreat(Place::NONE, 0);
                }
                let plan = self.plan(state, unit);
                let aim = match (game.arm(unit), game.kind(unit)) {
                    (_, Kind::Fighter) => plan.fighters,
                    (Arm::Air, _) => plan.bombers,
                    (Arm::Naval, _) => plan.ships,
                    (Arm::Army, _) => plan.armies,
                };
                let target = self.target(state, unit, aim, game.shots(state, unit));
                target.map_or(Action::Pass, Action::Fire)
            }
            Pending::Hit(_) => {
                let cheapest = game.bearers(state).min_by_key(|&unit| (game.unit_type(unit).cost, unit));
                cheapest.map_or(Action::Pass, Action::Take)
            }
            Pending::Withdraw(unit) => self.goal(state, unit, game.exits(state, unit).places()),
            Pending::GoOn(unit) => self.goal(state, unit, game.ways_on(state, unit).places()),
            Pending::Extend(_) if state.battle.extra < self.conduct.blitz => Action::Extend,
            _ => Action::Pass,
        }
    }

    fn target(
        &self,
        state: &State,
        unit: UnitId,
        aim: Aim,
        among: impl Iterator<Item = Target>,
    ) -> Option<Target> {
        let wanted = |target| match aim {
            Aim::Best => false,
            Aim::Air => target == Target::Air,
            Aim::Army => target == Target::Army,
            Aim::Naval => matches!(target, Target::Surface | Target::Sub | Target::Convoy),
            Aim::Factory => target == Target::Factory,
        };
        among.min_by_key(|&target| {
            (!wanted(target), std::cmp::Reverse(self.game.firepower(state, unit, target)), target)
        })
    }

    /// A place with room if there is one.
    fn goal(&self, state: &State, unit: UnitId, places: impl Iterator<Item = (Place, u8)>) -> Action {
        let is_full = |&(to, coast): &(Place, u8)| !self.game.has_room(state, unit, to, coast);
        places.min_by_key(is_full).map_or(Action::Pass, |(to, coast)| Action::Retreat(to, coast))
    }

    /// Whether a unit leaves in its battle turn, if it can.
    fn leaves(&self, state: &State, unit: UnitId) -> bool {
        let battle = &state.battle;
        let team = self.game.team(state, unit);
        let &Plan { stand, early, .. } = self.plan(state, unit);
        if stand == Stand::Firm || battle.round == 1 && !early {
            return false;
        }
        let arm = self.game.arm(unit);
        let steps = |team| -> u32 {
            let fighters = self.game.fighters(state, team).filter(|&unit| self.game.arm(unit) == arm);
            fighters.map(|unit| u32::from(state.steps(unit))).sum()
        };
        match stand {
            Stand::Firm => false,
            Stand::Steps(least) => steps(team) < u32::from(least),
            Stand::Odds(times) => {
                let enemies = steps(team.other());
                enemies > 0 && enemies >= u32::from(times) * steps(team)
            }
        }
    }

    // ---- strengths ----

    /// The battle with other strengths: the units of each side that fight for the place, leaders and fortresses aside, have
    /// so many steps together, as even as they can, the first ones more; who has none is not there. A side without
    /// military units is counted in ships, one without either in aircraft.
    ///
    /// # Errors
    /// Says that its units cannot have so many.
    pub fn with_strengths(&self, attackers: u8, defenders: u8) -> Result<Engagement<'a>, String> {
        let mut state = self.before.clone();
        for (team, steps) in [(self.attacker(), attackers), (self.attacker().other(), defenders)] {
            self.spread(&mut state, team, steps)?;
        }
        Engagement::new(self.game, &state, self.place, self.conduct)
    }

    fn spread(&self, state: &mut State, team: Team, steps: u8) -> Result<(), String> {
        let game = self.game;
        let counted = |arm: Arm| -> Vec<UnitId> {
            let special = |unit| matches!(game.kind(unit), Kind::Leader | Kind::Fortress | Kind::Convoy);
            self.units(team).filter(|&unit| game.arm(unit) == arm && !special(unit)).collect()
        };
        let units =
            [Arm::Army, Arm::Naval, Arm::Air].into_iter().map(counted).find(|units| !units.is_empty());
        let role = if team == self.attacker() { "attacker" } else { "defender" };
        let units = units.ok_or_else(|| format!("the {role} has no units whose steps could be changed"))?;
        let most: u32 = units.iter().map(|&unit| u32::from(game.max_steps(unit))).sum();
        if u32::from(steps) > most {
            return Err(format!("the {role}'s units have {most} steps at most"));
        }
        let mut given = vec![0; units.len()];
        for _ in 0..steps {
            let open = (0..units.len()).filter(|&at| given[at] < game.max_steps(units[at]));
            if let Some(at) = open.min_by_key(|&at| given[at]) {
                given[at] += 1;
            }
        }
        for (&unit, &steps) in units.iter().zip(&given) {
            if steps == 0 {
                state.send(unit, Place::POOL);
            } else {
                state.set_steps(unit, steps);
            }
        }
        Ok(())
    }
}
