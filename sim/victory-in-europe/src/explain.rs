//! Why a decision is not legal, in words.
//!
//! Nothing here decides what is legal. Where the reason cannot be read off the position, it is found by lifting one
//! restriction after another, in the order in which a player would check them, and asking the generator of legal actions
//! again: what makes the action legal once it is lifted is why it was not.

use crate::place::{NO_INDEX, Place, UnitId};
use sandtable_core::Game;
use sandtable_core::Index;

use crate::action::Action;
use crate::board::Relation;
use crate::game::VictoryInEurope;
use crate::nation::{Nation, Team};
use crate::phase::{Pending, Phase};
use crate::rules::{Areas, Arm, BorderKind, Entry, GateRule, Kind, MAX_BORDERS, Target};
use crate::state::{State, mark};

/// A restriction that can be lifted: what it is called, and the position without it.
type Lift<'a> = (String, Box<dyn Fn(&mut State) + 'a>);

fn lift<'a>(reason: impl Into<String>, change: impl Fn(&mut State) + 'a) -> Lift<'a> {
    (reason.into(), Box::new(change))
}

/// More command or production points than anybody has.
const PLENTY: u8 = 60;

impl VictoryInEurope {
    /// Why an action is not legal; `None` if it is.
    pub fn why_illegal(&self, state: &State, action: Action) -> Option<String> {
        if self.is_legal(state, action) {
            return None;
        }
        if state.phase == Phase::Over {
            return Some("the game is over".into());
        }
        Some(match action {
            Action::Pass => self.why_no_pass(state),
            Action::Card(_) if state.phase == Phase::Cards => "the card is not in the hand".into(),
            Action::Select(unit) if state.phase == Phase::Movement => self.why_not_picked(state, unit),
            Action::Go(to, coast) | Action::Strategic(to, coast) if state.phase == Phase::Movement => {
                self.why_no_move(state, action, to, coast)
            }
            Action::Invade(area) if state.phase == Phase::Movement => {
                self.why_no_invasion(state, action, area)
            }
            Action::Join(unit) if state.phase == Phase::Movement => self.why_no_join(state, action, unit),
            Action::MoveFactory(from, to) if state.phase == Phase::Movement => {
                self.why_factory_stays(state, action, from, to)
            }
            Action::Pin(_) if state.phase == Phase::Pinning => {
                "it does not stand where units are still to be pinned".into()
            }
            Action::Deploy(..) if matches!(state.pending, Pending::Neutral { .. }) => {
                "it is not the next unit, or has no room there".into()
            }
            Action::Name(_) if state.phase == Phase::NamingBattles => {
                if self.first_lift(state, action, &self.event_lifts()).is_some() {
                    "the event names no more places".into()
                } else {
                    "the event does nothing there".into()
                }
            }
            Action::Fight(place) if state.phase == Phase::Combat => self.why_no_fight(state, place),
            Action::Fire(target) | Action::Announce(target) if state.phase == Phase::Combat => {
                self.why_no_fire(state, action, target)
            }
            Action::Shelter if state.phase == Phase::Combat => {
                "only a submarine that is attacked in its own naval base shelters".into()
            }
            Action::Retreat(to, coast) if matches!(state.phase, Phase::Combat | Phase::Landing) => {
                self.why_no_retreat(state, action, to, coast)
            }
            Action::Take(_) if state.phase == Phase::Combat => "another unit is stronger".into(),
            Action::Extend | Action::Exploit if state.phase == Phase::Combat => {
                self.why_no_blitz(state, action)
            }
            Action::Move(unit, to) if state.phase == Phase::Combat => {
                self.why_no_advance(state, action, unit, to)
            }
            Action::Roll(nation) if state.phase == Phase::Diplomacy => {
                self.why_no_roll(state, action, Nation::of(nation))
            }
            Action::AllyPoland if state.phase == Phase::Diplomacy => {
                "not before the second year, or Poland is conquered or hosts Western units".into()
            }
            Action::Build(unit) if state.phase == Phase::Production => self.why_no_step(state, action, unit),
            Action::Raise(unit, place) if state.phase == Phase::Production => {
                self.why_not_raised(state, action, unit, place)
            }
            Action::BuildFactory(area) if state.phase == Phase::Production => {
                self.why_no_factory(state, action, area)
            }
            Action::CutConvoy(_) if state.phase == Phase::Production => {
                "no convoy of the USA takes resources that its factories lack".into()
            }
            Action::Subsidy if state.phase == Phase::Production => {
                let lifts = self.production_lifts(None, Place::NONE);
                self.first_lift(state, action, &lifts).unwrap_or_else(|| {
                    if state.politics.italy == Entry::AtWar {
                        "it has been paid, or does not come from Germany".into()
                    } else {
                        "Italy is not at war".into()
                    }
                })
            }
            _ => "not in this phase".into(),
        })
    }

    fn is_legal(&self, state: &State, action: Action) -> bool {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        legal.contains(&action)
    }

    /// The first restriction without which alone an action would be legal.
    fn single_lift(&self, state: &State, action: Action, lifts: &[Lift<'_>]) -> Option<String> {
        lifts
            .iter()
            .find(|lift| self.is_legal_without(state, action, [*lift]))
            .map(|(reason, _)| reason.clone())
    }

    /// The same; if several restrictions bar the action, the first that does so even without all others.
    fn first_lift(&self, state: &State, action: Action, lifts: &[Lift<'_>]) -> Option<String> {
        self.single_lift(state, action, lifts).or_else(|| {
            if !self.is_legal_without(state, action, lifts) {
                return None;
            }
            let needed = |at: &usize| {
                let others = lifts.iter().enumerate().filter(|(other, _)| other != at).map(|(_, lift)| lift);
                !self.is_legal_without(state, action, others)
            };
            (0..lifts.len()).find(needed).map(|at| lifts[at].0.clone())
        })
    }

    fn is_legal_without<'l, 'a: 'l>(
        &self,
        state: &State,
        action: Action,
        lifts: impl IntoIterator<Item = &'l Lift<'a>>,
    ) -> bool {
        let mut free = state.clone();
        for (_, change) in lifts {
            change(&mut free);
        }
        self.is_legal(&self.recomputed(&free), action)
    }

    fn why_no_pass(&self, state: &State) -> String {
        match (state.phase, state.pending) {
            (Phase::Cards, _) => "a card must be laid",
            (Phase::Movement, Pending::None) => "units over the stacking limit must make room first",
            (Phase::Movement, Pending::Destination(_) | Pending::March(_)) => "stacking limit",
            (Phase::Combat, Pending::None) => "a battle is due",
            (Phase::Combat, Pending::Fire(_)) => "it fires or retreats",
            (Phase::Combat, Pending::Withdraw(_) | Pending::GoOn(_)) => "it must leave",
            (Phase::Combat, Pending::Hit(_) | Pending::Loss(_)) => "a unit must bear the loss",
            (Phase::Landing, _) => "it must land",
            _ => "something must be decided first",
        }
        .into()
    }

    // ---- movement ----

    fn why_not_picked(&self, state: &State, unit: UnitId) -> String {
        if !state.is_on_map(unit) {
            return "it is not on the map".into();
        }
        if state.pending != Pending::None {
            return "another unit is on the move".into();
        }
        if self.force(state, unit).is_none_or(|force| force.bit() & state.movers == 0) {
            return "it is not the mover's".into();
        }
        if matches!(self.kind(unit), Kind::Fortress | Kind::Convoy) {
            return "it does not move".into();
        }
        let lifts = vec![
            lift("pinned", move |state| state.set_mark(unit, mark::PINNED, false)),
            lift("it has moved", move |state| state.set_mark(unit, mark::MOVED, false)),
            lift("the USA is neutral", |state| state.politics.usa = Entry::AtWar),
            lift("not enough command", |state| state.command = [PLENTY; 3]),
            lift("the Urals are closed", |state| {
                // Once they are open each Ally has a purse of its own, which is no reason.
                (state.politics.axis_attacked_ussr, state.politics.soviet_entry) = (true, 0);
                state.command = [PLENTY; 3];
            }),
        ];
        self.first_lift(state, Action::Select(unit), &lifts)
            .unwrap_or_else(|| "there is nowhere to go".into())
    }

    /// A turn of the same year without winter.
    fn summer(&self, state: &State) -> u8 {
        let here = self.calendar(state);
        let mild = |at: &usize| {
            let turn = &self.rules.calendar[*at];
            turn.year == here.year && !turn.winter && !turn.winter_east
        };
        (0..self.rules.calendar.len()).find(mild).map_or(state.turn, |at| at as u8 + 1)
    }

    /// Units of a unit's own side at a place that count against its limit are taken away.
    fn make_room(&self, state: &mut State, unit: UnitId, place: Place) {
        let team = self.team(state, unit);
        let arm = self.arm(unit);
        let there: Vec<UnitId> = self.units_at(state, place, team).collect();
        for other in there {
            if other != unit
                && self.arm(other) == arm
                && !self.has_room(state, unit, place, state.coast(other))
            {
                state.send(other, Place::POOL);
            }
        }
    }

    fn why_no_move(&self, state: &State, action: Action, to: Place, coast: u8) -> String {
        let Some(unit) = state.pending.unit() else {
            return "no unit is on the move".into();
        };
        let from = state.location(unit);
        let army = self.arm(unit) == Arm::Army;
        let strategic = matches!(action, Action::Strategic(..));
        if from == to && coast == state.coast(unit) {
            return "it is there".into();
        }
        if army && !to.is_area() {
            return "armies do not end at sea".into();
        }
        let jumps = self.kind(unit) == Kind::Paratroop && state.disputed().contains(to);
        if army && !strategic && !jumps {
            match self.border(from, to).map(|(_, border)| border.kind) {
                None => return "not adjacent".into(),
                Some(BorderKind::Alpine) => return "alpine border".into(),
                Some(BorderKind::Urals) => return "the Urals are entered by Strategic Movement alone".into(),
                Some(_) => {}
            }
        }
        if to.is_area()
            && let Some(reason) = self.why_closed(state, unit, to)
        {
            return reason;
        }
        if self.arm(unit) == Arm::Naval && to.is_area() && !self.has_port(to, coast) {
            return "there is no port on that coast".into();
        }
        if let Some(reason) = self.single_lift(state, action, &self.movement_lifts(state, unit, to, coast)) {
            return reason;
        }
        let relation = to.is_area().then(|| self.relation(state, self.nation(state, unit), to));
        if strategic {
            return match relation {
                Some(Relation::Friendly) | None => "no open way there".into(),
                Some(_) => "it is not friendly".into(),
            };
        }
        if !army && relation == Some(Relation::Enemy) && state.is_vacant(to) {
            return "nothing there to fight".into();
        }
        if !army && self.with_range().is_some_and(|game| game.is_legal(state, action)) {
            return "out of range".into();
        }
        match self.arm(unit) {
            Arm::Air => "no way there but over neutral areas",
            Arm::Naval => "no open way by sea",
            Arm::Army if jumps => "out of range of its aircraft, or no army to support it",
            Arm::Army => "it may not be entered",
        }
        .into()
    }

    /// The same rules with ships and aircraft that go anywhere.
    fn with_range(&self) -> Option<VictoryInEurope> {
        const FAR: u8 = 15;
        let mut rules = self.rules.clone();
        for kind in rules.unit_types.iter_mut().filter(|kind| kind.arm != Arm::Army && kind.moves > 0) {
            kind.moves = FAR;
        }
        VictoryInEurope::new(rules).ok()
    }

    /// Why the march of the unit at hand ends in an area it goes to; `before` is the position before it goes there.
    pub fn why_halted(&self, before: &State, to: Place) -> Option<String> {
        let unit = before.pending.unit().filter(|&unit| self.arm(unit) == Arm::Army)?;
        let from = before.location(unit);
        let (_, border) = self.border(from, to)?;
        let relation = self.relation(before, self.nation(before, unit), to);
        let reason = match () {
            () if before.march <= 1 => "no movement points left",
            () if self.winter_at(before, to) => "winter",
            () if self.tables.areas.mountains.contains(to) => "mountains stop it",
            () if border.kind == BorderKind::Mountain => "a mountain border stops it",
            () if border.kind == BorderKind::Strait => "the strait stops it",
            () if self.tables.areas.forests.contains(to) && relation != Relation::Friendly => {
                "the forest stops it"
            }
            () if self.is_muddy(before, self.team(before, unit), to) => "mud stops it",
            () if relation != Relation::Friendly => "the enemy stops it",
            () => return None,
        };
        Some(reason.into())
    }

    /// Why an area is closed to a unit in peace.
    fn why_closed(&self, state: &State, unit: UnitId, to: Place) -> Option<String> {
        let nation = self.nation(state, unit);
        let holder = state.controller(to);
        match self.relation(state, nation, to) {
            Relation::Neutral if !self.may_declare_war(state, nation, to) => {
                Some(format!("not at war with {}", holder.name()))
            }
            Relation::Neutral if self.arm(unit) != Arm::Army => Some(format!("{} is neutral", holder.name())),
            Relation::Enemy if self.rules.areas[to.at()].safe => Some("it cannot be attacked".into()),
            Relation::Disputed if !self.concerns(state, unit, to) => {
                Some("the battle there is not of its war".into())
            }
            _ => None,
        }
    }

    /// Restrictions of movement, as a player would check them.
    fn movement_lifts<'a>(&'a self, state: &State, unit: UnitId, to: Place, coast: u8) -> Vec<Lift<'a>> {
        let summer = self.summer(state);
        let naval = self.arm(unit) == Arm::Naval;
        let own = self.nation(state, unit);
        let team = self.team(state, unit);
        let mut lifts = vec![
            lift("no movement points left", |state| state.march = 9),
            lift("not enough command", |state| state.command = [PLENTY; 3]),
            lift("border limit", |state| state.crossed = [0; MAX_BORDERS]),
            lift("the enemy came over that border", move |state| {
                let here = state.location(unit);
                let enemies: Vec<UnitId> = self.units_at(state, here, team.other()).collect();
                for enemy in enemies {
                    state.via[enemy.at()] = Place::NONE;
                }
            }),
            lift("stacking limit", move |state| self.make_room(state, unit, to)),
            lift("it was not friendly at the start of the phase", |state| state.held_before = state.held),
            lift("the sea was not held at the start of the phase", |state| {
                state.seas_before = Team::ALL.map(|team| self.seas_with_ships(state, team));
            }),
            lift(if naval { "the sea is frozen" } else { "winter" }, move |state| state.turn = summer),
            lift("an event forbids it", |state| state.cards.laid = [NO_INDEX; 3]),
            lift("nothing there to fight", move |state| {
                // An enemy of the pool that it could fight, on the coast it goes to.
                let arm = if naval { Arm::Naval } else { Arm::Army };
                let enemy = self.tables.units.of_arm[arm as usize]
                    .iter()
                    .find(|&enemy| state.location(enemy) == Place::POOL && self.enemies(state, unit, enemy));
                if let Some(enemy) = enemy.filter(|_| self.arm(unit) != Arm::Army && to.is_area()) {
                    state.put(enemy, to, if naval { coast } else { 0 });
                    state.set_steps(enemy, 1);
                }
            }),
            lift("units of others are there", move |state| {
                let bloc = self.bloc_of(state, unit);
                let there: Vec<UnitId> = state.stack(to).collect();
                for other in there {
                    let its = self.bloc_of(state, other);
                    if its != bloc && !self.at_war(state, bloc, its) {
                        state.send(other, Place::POOL);
                    }
                }
            }),
            lift("enemy ships bar the way", move |state| {
                for zone in (0..self.rules.seas.len() as u8).filter(|&zone| Place::sea(zone) != to) {
                    let there: Vec<UnitId> = self.units_at(state, Place::sea(zone), team.other()).collect();
                    for enemy in there {
                        state.send(enemy, Place::POOL);
                    }
                }
            }),
        ];
        for gate in &self.rules.gates {
            if gate.rule == GateRule::GermanFriendly && own != Nation::Germany {
                continue;
            }
            let name = gate.id.replace('_', " ");
            lifts.push(lift(format!("the {name} is closed"), move |state| {
                for &side in &gate.sides {
                    self.give_area(state, side, own);
                }
            }));
        }
        lifts
    }

    fn enemies(&self, state: &State, a: UnitId, b: UnitId) -> bool {
        self.at_war(state, self.bloc_of(state, a), self.bloc_of(state, b))
    }

    fn seas_with_ships(&self, state: &State, team: Team) -> u32 {
        let ships = |zone: &u8| {
            self.units_at(state, Place::sea(*zone), team).any(|unit| self.arm(unit) == Arm::Naval)
        };
        (0..self.rules.seas.len() as u8).filter(ships).fold(0, |seas, zone| seas | 1 << zone)
    }

    fn why_no_invasion(&self, state: &State, action: Action, area: Place) -> String {
        if state.pending != Pending::None {
            return "another unit is on the move".into();
        }
        if !self.rules.areas[area.at()].invadable {
            return "its coast cannot be invaded".into();
        }
        if self.coast_seas(area, 0) == 0 {
            return "it has no coast".into();
        }
        if state.held_by(state.mover).contains(area) && !state.disputed().contains(area) {
            return "it is friendly".into();
        }
        let summer = self.summer(state);
        let lifts = vec![
            lift("one invasion a turn", |state| state.invasion.done = [Place::NONE; 3]),
            lift("not enough command", |state| state.command = [PLENTY; 3]),
            lift("no invasion in winter", move |state| state.turn = summer),
            lift("the sea was not held at the start of the phase", |state| {
                state.seas_before = Team::ALL.map(|team| self.seas_with_ships(state, team));
                for unit in self.tables.units.of_arm[Arm::Naval as usize] {
                    state.via[unit.at()] = Place::NONE;
                }
            }),
            lift("the infantry has moved or is pinned", |state| {
                for unit in self.tables.units.of_arm[Arm::Army as usize] {
                    state.set_mark(unit, mark::MOVED | mark::PINNED, false);
                }
            }),
        ];
        self.first_lift(state, action, &lifts).unwrap_or_else(|| {
            "no infantry in a friendly port from which ships hold the seas to it, now and at the start".into()
        })
    }

    fn why_no_join(&self, state: &State, action: Action, unit: UnitId) -> String {
        let Pending::Invasion(goal) = state.pending else { return "no invasion is under way".into() };
        if !state.is_on_map(unit) {
            return "it is not on the map".into();
        }
        let kind = self.kind(unit);
        if !(kind.is_infantry() && kind != Kind::Paratroop || kind == Kind::Leader) {
            return "only an infantry and a leader invade from the sea".into();
        }
        if kind != Kind::Leader && state.invasion.done.contains(&goal) {
            return "one infantry an invasion".into();
        }
        self.single_lift(state, action, &self.movement_lifts(state, unit, goal, 0))
            .unwrap_or_else(|| "it stands in no friendly port on the way of the ships".into())
    }

    fn why_factory_stays(&self, state: &State, action: Action, from: Place, to: Place) -> String {
        if state.factory(from) == 0 {
            return "there is no factory".into();
        }
        if from != to && self.rules.areas[to.at()].city == 0 {
            return "it is no major city".into();
        }
        let lifts = vec![
            lift("not enough command", |state| state.command = [PLENTY; 3]),
            lift("a factory does not leave a battle", |state| {
                state.attacked = [Areas::EMPTY; 2];
            }),
            lift("it was not friendly at the start of the phase", |state| state.held_before = state.held),
            lift("the value of the city", move |state| {
                let steps = state.factory(to);
                if from != to && steps > 0 {
                    state.set_factory(to, steps - 1);
                }
            }),
            lift("a step has come there this turn", move |state| state.set_arrivals(to, 0)),
            lift("its country is not at war", |state| state.politics.ussr = Entry::AtWar),
        ];
        self.first_lift(state, action, &lifts).unwrap_or_else(|| "it is not friendly".into())
    }

    // ---- naming and combat ----

    fn event_lifts(&self) -> Vec<Lift<'_>> {
        vec![lift("", |state| {
            state.cards.named = [[Place::NONE; 2]; 3];
            state.cards.used = [false; 3];
        })]
    }

    fn why_no_fight(&self, state: &State, place: Place) -> String {
        let due = match place.sea_zone() {
            Some(zone) => state.disputed_seas() >> zone & 1 != 0,
            None => state.disputed().contains(place),
        };
        match () {
            () if state.battle.place != Place::NONE => "a battle is being fought",
            () if !due => "no battle is due there",
            () => "raids of Player 1 come first",
        }
        .into()
    }

    fn why_no_fire(&self, state: &State, action: Action, target: Target) -> String {
        let (Pending::Fire(unit) | Pending::Announce(unit)) = state.pending else {
            return "no unit has its battle turn".into();
        };
        let (sheet, place) = (self.unit_type(unit), state.battle.place);
        let team = self.team(state, unit);
        if (sheet.primary | sheet.secondary) & target.bit() == 0 {
            return format!("it does not fire at {}", target.name());
        }
        let aircraft_only = target == Target::Air && self.arm(unit) != Arm::Air;
        if aircraft_only
            && !self.units_at(state, place, team.other()).any(|enemy| self.arm(enemy) == Arm::Air)
        {
            return "nothing to fire at".into();
        }
        let summer = self.summer(state);
        let lifts = vec![
            lift("invaders do not fire before they have landed", move |state| {
                state.set_mark(unit, mark::INVADES, false);
            }),
            lift("no firepower at secondary targets in winter", move |state| state.turn = summer),
            lift("the last step is safe from it", move |state| {
                for enemy in self.units_at(state, place, team.other()).collect::<Vec<_>>() {
                    state.set_steps(enemy, state.steps(enemy) + 1);
                }
            }),
            lift("one ship alone attacks a naval base", move |state| {
                let others: Vec<UnitId> =
                    self.units_at(state, place, team).filter(|&other| other != unit).collect();
                for other in others.into_iter().filter(|&other| self.arm(other) == Arm::Naval) {
                    state.send(other, Place::POOL);
                }
            }),
        ];
        if let Some(reason) = self.first_lift(state, action, &lifts) {
            return reason;
        }
        let weak = sheet.primary & target.bit() == 0 && sheet.fire <= 1;
        match () {
            () if state.steps(unit) == 0 => "it has no dice",
            () if weak => "firepower 0 at a secondary target",
            () if aircraft_only => "the aircraft have not attacked it in this round",
            () if self.announces_first(unit) && matches!(action, Action::Fire(_)) => {
                "it has announced another target"
            }
            () => "nothing to fire at",
        }
        .into()
    }

    fn announces_first(&self, unit: UnitId) -> bool {
        self.arm(unit) == Arm::Air && !matches!(self.kind(unit), Kind::Fighter)
    }

    fn why_no_retreat(&self, state: &State, action: Action, to: Place, coast: u8) -> String {
        let Some(unit) = state.pending.unit() else { return "no unit is asked".into() };
        let from = state.location(unit);
        let stronger = lift("it would not outlive the retreat", move |state: &mut State| {
            state.set_steps(unit, state.steps(unit) + 2);
        });
        if to == Place::NONE {
            let reason = self.first_lift(state, action, &[stronger]);
            return reason.unwrap_or_else(|| "there is no way out".into());
        }
        let nation = self.nation(state, unit);
        if to.is_area() && self.relation(state, nation, to) != Relation::Friendly {
            return "it is not friendly".into();
        }
        if self.arm(unit) == Arm::Naval && to.is_area() && !self.has_port(to, coast) {
            return "there is no port on that coast".into();
        }
        let lifts = vec![
            stronger,
            lift("border limit", |state| state.crossed = [0; MAX_BORDERS]),
            lift("stacking limit", move |state| self.make_room(state, unit, to)),
        ];
        if let Some(reason) = self.first_lift(state, action, &lifts) {
            return reason;
        }
        match self.arm(unit) {
            Arm::Air => "out of range",
            Arm::Naval => "no way there through friendly or empty seas within range",
            Arm::Army if !self.adjacent(from).contains(to) => "not adjacent, and no way over friendly seas",
            Arm::Army => "the enemy attacked over that border",
        }
        .into()
    }

    fn why_no_blitz(&self, state: &State, action: Action) -> String {
        let place = state.battle.place;
        if place == Place::NONE {
            return "no battle is on".into();
        }
        let leaders = || state.stack(place).filter(|&unit| self.kind(unit) == Kind::Leader);
        if leaders().next().is_none() {
            return "no leader is there".into();
        }
        let spent = leaders().all(|unit| state.steps(unit) == 0);
        match action {
            _ if spent => "the leader has no step left",
            Action::Extend => "not at the end of the last round, or two Blitz actions have been used",
            _ => "not after a victory, or two Blitz actions have been used",
        }
        .into()
    }

    fn why_no_advance(&self, state: &State, action: Action, unit: UnitId, to: Place) -> String {
        if !matches!(state.pending, Pending::Regroup | Pending::Exploit(_)) {
            return "no regroup or exploitation is on".into();
        }
        let place = state.battle.place;
        if state.location(unit) != place {
            return "it is not in the battle".into();
        }
        let exploits = matches!(state.pending, Pending::Exploit(_));
        if self.arm(unit) == Arm::Air || exploits && self.arm(unit) != Arm::Army {
            return "only armies advance; ships regroup, aircraft land".into();
        }
        let lifts = vec![
            lift("border limit", |state| state.crossed = [0; MAX_BORDERS]),
            lift("stacking limit", move |state| self.make_room(state, unit, to)),
            lift("one new battle an exploitation", |state| {
                // As seen before any unit has gone into a battle.
                state.attacked = [Areas::EMPTY; 2];
            }),
        ];
        if let Some(reason) = self.first_lift(state, action, &lifts) {
            return reason;
        }
        let relation = to.is_area().then(|| self.relation(state, self.nation(state, unit), to));
        match relation {
            _ if self.arm(unit) == Arm::Army && to.is_area() && !self.adjacent(place).contains(to) => {
                "not adjacent"
            }
            Some(Relation::Neutral) => "it is neutral",
            Some(Relation::Enemy) if !state.is_vacant(to) && !exploits => "enemies are there",
            Some(Relation::Enemy | Relation::Disputed) if exploits => "one new battle an exploitation",
            _ => "it has had its choice, or may not go there",
        }
        .into()
    }

    // ---- diplomacy and production ----

    fn why_no_roll(&self, state: &State, action: Action, nation: Nation) -> String {
        let lifts = vec![
            lift("the roll has been made", |state| state.politics.rolled = false),
            lift("rolls have ended with the entry of the USA", |state| state.politics.usa = Entry::Neutral),
        ];
        let reason = self.first_lift(state, action, &lifts);
        reason.unwrap_or_else(|| format!("no roll is allowed for {}", nation.name()))
    }

    /// Restrictions of what is built.
    fn production_lifts(&self, unit: Option<UnitId>, place: Place) -> Vec<Lift<'_>> {
        let last = self.rules.calendar.len() as u8;
        let year = unit.map_or(0, |unit| self.rules.units[unit.at()].year);
        let mut lifts = Vec::new();
        if let Some(unit) = unit {
            lifts.push(lift("one step a turn", move |state| state.set_mark(unit, mark::BUILT, false)));
            lifts.push(lift("at full strength", move |state| {
                let steps = state.steps(unit);
                if steps == self.max_steps(unit) {
                    state.set_steps(unit, steps - 1);
                    self.renew_growable(state);
                }
            }));
            lifts.push(lift(format!("not before {year}"), move |state| state.turn = last));
        }
        lifts.extend([
            lift("not enough points", |state| {
                state.budget.points = [PLENTY; crate::nation::MAJORS];
                state.budget.urals = PLENTY;
                // Only where the lake feeds Leningrad is there a purse for it (1.9).
                if self.account(state, Nation::Ussr).leningrad > 0 {
                    state.budget.leningrad = PLENTY;
                }
            }),
            lift("out of supply", |state| {
                state.budget.lines = self.tables.areas.all;
                self.renew_growable(state);
            }),
            lift("no resources for it", |state| state.budget.growth = [PLENTY; 2]),
            lift("no resource of the USA for it", |state| state.budget.resources = PLENTY),
        ]);
        if place.is_area() {
            lifts.push(lift("one step a marker and turn", move |state| {
                for written in &mut state.budget.written {
                    *written = crate::state::Written::default();
                }
                state.set_arrivals(place, 0);
            }));
            lifts.push(lift("the value of the city", move |state| {
                let steps = state.factory(place);
                state.set_factory(place, steps.saturating_sub(1));
            }));
            lifts.push(lift("there is no factory", move |state| {
                if state.factory(place) == 0 {
                    state.set_factory(place, 1);
                }
            }));
        }
        if place.is_on_map()
            && let Some(unit) = unit
        {
            lifts.push(lift("stacking limit", move |state| {
                let there: Vec<UnitId> = state.stack(place).collect();
                for other in there.into_iter().filter(|&other| self.arm(other) == self.arm(unit)) {
                    state.send(other, Place::POOL);
                }
            }));
        }
        lifts
    }

    fn why_no_step(&self, state: &State, action: Action, unit: UnitId) -> String {
        if !state.is_on_map(unit) {
            return "it is not on the map".into();
        }
        if !self.is_paid_now(state, unit) {
            return "another power pays for it".into();
        }
        let lifts = self.production_lifts(Some(unit), state.location(unit));
        self.first_lift(state, action, &lifts).unwrap_or_else(|| match self.arm(unit) {
            Arm::Naval if self.kind(unit) != Kind::Convoy => "not in a supplied naval base".into(),
            _ => "it may not gain a step there".into(),
        })
    }

    /// Whether the major that writes pays for a unit (11.5).
    fn is_paid_now(&self, state: &State, unit: UnitId) -> bool {
        let payer = state.politics.patron(self.nation(state, unit));
        state.budget.major() == Some(payer)
    }

    fn why_not_raised(&self, state: &State, action: Action, unit: UnitId, place: Place) -> String {
        if state.location(unit) != Place::POOL {
            return "it is not in the pool".into();
        }
        if !self.is_paid_now(state, unit) {
            return "another power pays for it".into();
        }
        let like = |other: &UnitId| self.tables.units.like[other.at()] == self.tables.units.like[unit.at()];
        if self
            .unit_ids()
            .take(unit.at())
            .filter(like)
            .any(|other| self.is_legal(state, Action::Raise(other, place)))
        {
            return "a counter like it enters first".into();
        }
        self.first_lift(state, action, &self.production_lifts(Some(unit), place))
            .unwrap_or_else(|| "it does not enter there".into())
    }

    fn why_no_factory(&self, state: &State, action: Action, area: Place) -> String {
        if self.rules.areas[area.at()].city == 0 {
            return "it is no major city".into();
        }
        if let Some(major) = state.budget.major()
            && !self.home(major).contains(area)
        {
            return "it is not home territory".into();
        }
        self.first_lift(state, action, &self.production_lifts(None, area))
            .unwrap_or_else(|| "it is not controlled".into())
    }
}
