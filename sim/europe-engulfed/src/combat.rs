//! 5. Combat (6.0): a round in one area, from the mode to the counterattack.
//!
//! ```text
//!  attacker names area and mode                                      choices (of optional rules)
//!  defender withdraws (7.51), reinforces (7.6)                        responses
//!  blocks are revealed; air units fight or support                    air
//!  defender fires group by group, attacker takes his losses           fire
//!  attacker's survivors fire                                          fire
//!  field fort falls; defender counterattacks (7.7): roles reversed    responses
//!  the battle ends: by option a heavy fortification is reduced (14.50)  control
//! ```
//!
//! All of it is play book (15.1, 15.2, 20.1, 23.0) where the text does not name a ruling.

mod air;
mod choices;
mod fire;
mod responses;

use crate::Rolls;
use crate::action::Action;
use crate::event::{BattleSummary, Event};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Nation, Nations, Team, Units};
use crate::phase::{Mode, Stage};
use crate::state::{Battle, State, mark};

pub use fire::{Group, Shot};

/// Marks by which two blocks of a kind and strength in a battle differ.
const TOLD_APART: u16 = mark::SUPPORTED | mark::UNSUPPLIED | mark::UNSUPPLIED_MOVED;

impl EuropeEngulfed {
    // ---- which battles ----

    /// Areas to fight in: newly disputed ones must be fought over, other disputed ones may be, once each (play book, L269, L687).
    pub(crate) fn combat_actions(&self, state: &State, out: &mut Vec<Action>) {
        let open = state.disputed().difference(&state.fought).difference(&self.paused_areas(state));
        if open.is_empty() {
            return;
        }
        if !open.intersects(&state.newly_disputed) {
            out.push(Action::Pass);
        }
        if self.may_renounce(state) {
            out.push(Action::Renounce);
        }
        for area in open {
            out.extend(Mode::ALL.map(|mode| Action::Attack(area, mode)));
        }
    }

    /// A battle begins. `strikers` are the nations whose blocks attack: all of the team in Initial Combat.
    pub(crate) fn begin_battle(
        &self,
        state: &mut State,
        area: Area,
        mode: Mode,
        strikers: Nations,
        context: &mut impl Rolls,
    ) {
        let attacker = state.mover;
        let first = state.newly_disputed.contains(area);
        state.newly_disputed.remove(area);
        state.fought.insert(area);
        state.battle = Battle {
            area,
            mode,
            opening: mode,
            attacker,
            striker: attacker,
            first,
            strikers,
            ..Battle::NONE
        };
        context.emit(|| Event::BattleBegins { area, attacker, mode, first });
        self.note_americans(state);
        self.ask_choices(state, 0, context);
    }

    // ---- the round ----

    /// Land units of a team in the area of the battle.
    pub(crate) fn blocks(&self, state: &State, team: Team) -> Units {
        self.land_units_at(state, team, state.battle.area)
    }

    /// Blocks and air units of a team that take part in the round with their dice: of the side that attacks in it only those of
    /// the nations that pay (10.5, A42).
    fn fighting(&self, state: &State, team: Team, units: Units) -> Units {
        let battle = &state.battle;
        if team != battle.striker {
            return units;
        }
        // Who can only defend does not attack (16.12).
        units.filter(|unit| {
            let nation = self.nation(unit);
            battle.strikers & nation.bit() != 0 && !self.defends_only(nation)
        })
    }

    /// Blocks are revealed and the round begins.
    fn reveal(&self, state: &mut State, context: &mut impl Rolls) {
        if self.blocks(state, state.battle.attacker.other()).is_empty() {
            return self.end_battle(state, context);
        }
        for unit in state.at(state.battle.area) {
            state.mark(unit, mark::REVEALED);
        }
        let battle = &mut state.battle;
        (battle.elite_hits, battle.infantry_hits, battle.armour_struck) = (0, 0, 0);
        if state.battle.counterattacks == 0 {
            state.battle.steps = Team::ALL.map(|team| self.steps_of(state, &self.blocks(state, team)));
        }
        self.begin_air(state);
    }

    /// Defending and attacking fire are over: the field fortification falls, the defender may answer (A62, A42).
    fn aftermath(&self, state: &mut State, context: &mut impl Rolls) {
        let battle = state.battle;
        if battle.striker != battle.attacker {
            return self.end_battle(state, context);
        }
        let remain = state.manned(battle.attacker).contains(battle.area);
        // Fortifications are of whoever controls the area: his own attacks do them no harm.
        if remain && !state.held(battle.attacker).contains(battle.area) {
            self.fort_falls(state, battle.area, battle.attacker.other());
        }
        self.ask_to_counterattack(state, None, context);
    }

    /// The battle is over: who is alone controls the area; blocks stand up again (A110).
    pub(crate) fn end_battle(&self, state: &mut State, context: &mut impl Rolls) {
        let battle = std::mem::replace(&mut state.battle, Battle::NONE);
        let gone =
            mark::REVEALED | mark::SUPPORTED | mark::CROSSED | mark::MAGINOT | mark::LANDED | mark::SILENCED;
        self.note_battle(state, &battle);
        self.note_success_in_snow(state, &battle);
        state.unmark_these(&state.at(battle.area), gone);
        self.freeze(state, &battle, context);
        // The counterattack is part of the round (play book, L149, L231).
        if battle.steps != [0; 2] && state.manned(Team::First).contains(battle.area) {
            self.reduce_fort(state, battle.area);
        }
        let won = !state.manned(battle.attacker.other()).contains(battle.area);
        self.settle_area(state, battle.area, context);
        self.note_conquest(state, battle.area);
        context.emit(|| {
            Event::BattleEnds(BattleSummary {
                area: battle.area,
                attacker: battle.attacker,
                mode: battle.opening,
                first: battle.first,
                fought: battle.steps != [0; 2],
                steps: battle.steps,
                lost: battle.lost,
                counterattacked: battle.counterattacks > 0,
                won,
            })
        });
    }

    /// By option the First Winter in the USSR strikes those Axis land units in Soviet home areas that attack there, or have Soviets
    /// among them after a round that these have begun (14.42 b, c).
    fn freeze(&self, state: &mut State, battle: &Battle, context: &mut impl Rolls) {
        let fought = battle.steps != [0; 2];
        let exposed = battle.attacker == Team::First || state.manned(Team::Second).contains(battle.area);
        if fought && exposed && self.is_freezing(state, battle.area) {
            for unit in self.land_units_at(state, Team::First, battle.area) {
                self.lose_to_winter(state, unit, context);
            }
        }
    }

    /// Whether the First Winter of option 14.42 reigns in an area.
    pub(crate) fn is_freezing(&self, state: &State, area: Area) -> bool {
        self.rules.options.winter_combat
            && self.is_first_winter(state)
            && self.tables.home[Nation::SovietUnion.index()].contains(area)
    }

    // ---- decisions ----

    /// The decision of the battle that is open.
    pub(crate) fn battle_actions(&self, state: &State, out: &mut Vec<Action>) {
        match state.battle.stage {
            Stage::None => {}
            Stage::Withdraw(nation) => {
                out.push(Action::Pass);
                if self.can_withdraw(state, nation) {
                    out.push(Action::Withdraw);
                }
            }
            Stage::Leaving(nation) => self.departing(state, nation, out),
            Stage::Reinforce(nation) => {
                out.push(Action::Pass);
                if self.can_reinforce(state, nation) {
                    out.push(Action::Reinforce);
                }
            }
            Stage::Arriving(nation) | Stage::CounterArriving(nation) => {
                let coming = self.reinforcements(state, nation);
                if !coming.is_empty() {
                    out.push(Action::Pass);
                    out.extend(self.distinct(state, &coming, !0).iter().map(Action::Select));
                }
            }
            Stage::AirSplit(team) => {
                let count = self.usable_air(state, team).len() as u8;
                out.extend((0..=count).map(Action::Fighters));
            }
            Stage::AirLoss(team) => self.air_losses(state, team, out),
            Stage::Support(team) => {
                let blocks = self.unsupported(state, team);
                if state.battle.supports[team.index()] > 0 {
                    out.extend(self.distinct(state, &blocks, TOLD_APART).iter().map(Action::Support));
                }
            }
            Stage::Fire(team) => {
                out.extend(self.groups(state, team).map(|group| Action::Fire(group.0)));
            }
            Stage::Loss(team) => {
                let blocks = self.who_may_lose(state, team);
                out.extend(self.distinct(state, &blocks, TOLD_APART).iter().map(Action::Take));
            }
            Stage::Counterattack(_) => {
                out.push(Action::Pass);
                out.extend(Mode::ALL.map(Action::Counterattack));
            }
            Stage::Choice(choice) => self.choices(state, choice, out),
        }
    }

    /// Nothing is left to decide at this stage of the battle: goes on.
    pub(crate) fn end_stage(&self, state: &mut State, context: &mut impl Rolls) {
        match state.battle.stage {
            Stage::None => {}
            Stage::Withdraw(nation) => self.ask_to_withdraw(state, Some(nation), context),
            Stage::Leaving(nation) => self.has_withdrawn(state, nation, context),
            Stage::Reinforce(nation) => self.ask_to_reinforce(state, Some(nation), context),
            Stage::Arriving(nation) => self.has_reinforced(state, nation, context),
            Stage::AirSplit(team) => self.split_air(state, team, 0, context),
            Stage::AirLoss(team) => self.air_lost(state, team),
            Stage::Support(team) => state.battle.stage = Stage::Fire(team),
            Stage::Fire(team) => self.fired_all(state, team, context),
            Stage::Loss(team) => state.battle.stage = Stage::Fire(team.other()),
            Stage::Counterattack(nation) => self.ask_to_counterattack(state, Some(nation), context),
            Stage::CounterArriving(_) => self.reveal(state, context),
            Stage::Choice(choice) => self.decline(state, choice, context),
        }
    }

    /// Plays a decision of the battle.
    pub(crate) fn battle_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (state.battle.stage, action) {
            (Stage::Withdraw(nation), Action::Withdraw) => self.withdraw(state, nation, context),
            (Stage::Leaving(nation), Action::Go(to)) => self.leave_battle(state, nation, to, context),
            (Stage::Reinforce(nation), Action::Reinforce) => self.reinforce(state, nation, context),
            (Stage::Arriving(nation) | Stage::CounterArriving(nation), Action::Select(unit)) => {
                self.arrive(state, nation, unit, context);
            }
            (Stage::AirSplit(team), Action::Fighters(count)) => self.split_air(state, team, count, context),
            (Stage::AirLoss(team), Action::Take(unit)) => self.lose_air(state, team, unit, context),
            (Stage::Support(team), Action::Support(unit)) => {
                state.mark(unit, mark::SUPPORTED);
                state.battle.supports[team.index()] -= 1;
            }
            (Stage::Fire(team), Action::Fire(group)) => self.fire(state, team, Group(group), context),
            (Stage::Loss(team), Action::Take(unit)) => self.take_hit(state, team, unit, context),
            (Stage::Counterattack(nation), Action::Counterattack(mode)) => {
                self.counterattack(state, nation, mode, context);
            }
            (Stage::Choice(choice), Action::Agree) => self.choose(state, choice, context),
            (Stage::Choice(choice), Action::Fighters(count)) => {
                self.commit(state, choice.team(), count, context);
            }
            (Stage::Choice(_), Action::Take(unit)) => self.bomb_by_mistake(state, unit, context),
            _ => self.end_stage(state, context),
        }
    }

    /// The nation or team that decides in the battle, as a side.
    pub(crate) fn battle_decider(&self, state: &State) -> u8 {
        match state.battle.stage {
            Stage::Withdraw(nation)
            | Stage::Leaving(nation)
            | Stage::Reinforce(nation)
            | Stage::Arriving(nation)
            | Stage::Counterattack(nation)
            | Stage::CounterArriving(nation) => self.player(state, nation),
            Stage::AirSplit(team)
            | Stage::AirLoss(team)
            | Stage::Support(team)
            | Stage::Fire(team)
            | Stage::Loss(team) => self.leader(team),
            Stage::Choice(choice) => self.leader(choice.team()),
            Stage::None => self.leader(state.mover),
        }
    }

    /// Nations of the defender, in the order of the responses (A43): that of the nations, minors last.
    fn next_defender(
        &self,
        state: &State,
        after: Option<Nation>,
        mut asked: impl FnMut(Nation) -> bool,
    ) -> Option<Nation> {
        let defender = state.battle.attacker.other();
        let nations = Nation::members(state.nations(defender) & self.tables.patrons);
        nations.filter(|nation| after.is_none_or(|after| *nation > after)).find(|nation| asked(*nation))
    }

    /// Units of a defender and those attached to it that are in the battle.
    fn defenders_of(&self, state: &State, nation: Nation) -> Units {
        state.at(state.battle.area).and(&self.attached(state, nation))
    }

    /// Whether a battle is being fought.
    pub(crate) fn is_in_battle(&self, state: &State) -> bool {
        state.battle.stage != Stage::None
    }
}
