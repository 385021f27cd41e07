//! Attacks declared and answered, and all that is decided in a combat.

use sandtable_ai::policy::best_action;
use sandtable_core::{Hex, Index};
use sandtable_roads_to_moscow::battle::Role;
use sandtable_roads_to_moscow::ids::{Hexes, Units, place};
use sandtable_roads_to_moscow::rules::Crt;
use sandtable_roads_to_moscow::state::{Attack, Stage, is_hex};
use sandtable_roads_to_moscow::{Action, Mark, Phase, UnitId};

use super::activation::active;
use super::assault::{Force, Help, Prospect, Scene};
use super::map_tables::POINT;
use super::plan::Brief;
use super::posts::Stack;
use super::scripted::Scripted;
use super::survey::{Prey, View};

/// Odds beyond which support changes nothing.
const MOST_ODDS: f32 = 7.0;
/// Guns that are kept for a combat to come: no more fire from afar for a side (12.13f2).
const FIRING: usize = 2;

impl Scripted {
    // ---- declaring ----

    /// Own guns that may fire for an attack on a hex from where they stand.
    fn guns(brief: &Brief<'_>, target: Hex) -> Units {
        let (game, state) = (brief.game, brief.state);
        let enemy = state.active.enemy().index();
        game.sets()
            .artillery
            .and(game.units_of(state.active))
            .and(&active(state))
            .and(&state.on_map)
            .difference(state.marked(Mark::Fired))
            .difference(state.marked(Mark::Disorganised))
            .filter(|unit| {
                let hex = state.at(unit);
                let distance = game.distance(hex, target);
                distance <= u32::from(game.unit(unit).range)
                    && (distance == 1 || !state.zoc[enemy].contains(hex))
            })
    }

    fn help(scene: &Scene<'_>, brief: &Brief<'_>, target: Hex) -> Help {
        scene.help(target, &Self::guns(brief, target), |_| true)
    }

    /// The best force of those that can attack a hex from where they stand.
    fn force(&self, brief: &Brief<'_>, target: Hex, all: &Units, spare: bool) -> (Prospect, Force) {
        let (game, state) = (brief.game, brief.state);
        let scene = self.planner.scene(brief);
        let help = Help { relief: scene.relief(target), ..Self::help(&scene, brief, target) };
        let mut force = Force::standing(state, all);
        let mut prospect = scene.appraise(target, &force, &help);
        // From one hex alone coordination may be easier.
        for way in sandtable_core::Direction::ALL {
            let from = game.neighbour(target, way);
            if is_hex(from) {
                let here = all.filter(|unit| state.at(unit) == from);
                if here.intersects(&active(state)) && here.len() < all.len() {
                    let alone = Force::standing(state, &here);
                    let value = scene.appraise(target, &alone, &help);
                    if value.value > prospect.value {
                        (prospect, force) = (value, alone);
                    }
                }
            }
        }
        if spare {
            let mut at = force.members().len();
            while at > 0 && force.members().len() > 1 {
                at -= 1;
                let less = force.without(at);
                let value = scene.appraise(target, &less, &help);
                let led = less.members().iter().any(|&(unit, _)| state.has(unit, Mark::Active));
                if led && value.value >= prospect.value - 0.02 {
                    (prospect, force) = (value, less);
                }
            }
        }
        (prospect, force)
    }

    pub(super) fn declare(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        self.look(brief, View::All);
        self.planner.survey.look_for_closed_roads(brief.game, brief.tables, brief.state);
        let targets = legal.iter().filter(|action| matches!(action, Action::Target(_))).count();
        let mut chosen: Option<(f32, Hex, Units)> = None;
        for &action in legal {
            let Action::Target(target) = action else { continue };
            let all = brief.game.possible_attackers(brief.state, target);
            let (prospect, force) = self.force(brief, target, &all, targets > 1);
            if prospect.value > brief.weights.gain && chosen.is_none_or(|(known, ..)| prospect.value > known)
            {
                let units = force.members().iter().map(|&(unit, _)| unit).collect();
                chosen = Some((prospect.value, target, units));
            }
        }
        self.planner.survey.forget_closed_roads();
        match chosen {
            Some((_, target, units)) => {
                self.planner.chosen = (target, units);
                Action::Target(target)
            }
            None => Action::Pass,
        }
    }

    pub(super) fn attackers(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let attack: &Attack = brief.state.attacks().last()?;
        if self.planner.chosen.0 != attack.target {
            self.look(brief, View::Ways);
            let all = brief.game.possible_attackers(brief.state, attack.target).or(&attack.attackers);
            let (_, force) = self.force(brief, attack.target, &all, false);
            self.planner.chosen = (attack.target, force.members().iter().map(|&(unit, _)| unit).collect());
        }
        // The lead's formation first: the rules of combined formations ask who is there already.
        let wanted = self.planner.chosen.1.difference(&attack.attackers);
        let next = wanted.iter().map(Action::Unit).find(|action| legal.contains(action));
        if next.is_some() {
            return next;
        }
        let can = |crt| legal.contains(&Action::Declare(crt));
        let crt = match (can(Crt::Assault), can(Crt::Mobile)) {
            (true, true) => {
                self.look(brief, View::Ways);
                let scene = self.planner.scene(brief);
                let force = Force::standing(brief.state, &attack.attackers);
                let help = Self::help(&scene, brief, attack.target);
                let value = |crt| scene.on_table(attack.target, &force, &help, crt).value;
                if value(Crt::Mobile) > value(Crt::Assault) { Crt::Mobile } else { Crt::Assault }
            }
            (_, true) => Crt::Mobile,
            (true, false) => Crt::Assault,
            (false, false) => return legal.iter().copied().find(|action| matches!(action, Action::Unit(_))),
        };
        self.planner.chosen = (place::OUT, Units::EMPTY);
        Some(Action::Declare(crt))
    }

    // ---- answers ----

    /// What a declared attack will do to an own hex, and what the hex is worth: losses in place, worth of the ground.
    fn outlook(&self, brief: &Brief<'_>, attack: &Attack, more: &Units) -> Outlook {
        let (game, state) = (brief.game, brief.state);
        let own = self.planner.scene(brief);
        let theirs = Scene { player: brief.player.enemy(), ..own };
        let force = Force::standing(state, &attack.attackers);
        let help = Self::help(&theirs, &Brief { player: brief.player.enemy(), ..*brief }, attack.target);
        let prospect = theirs.on_table(attack.target, &force, &help, attack.crt);
        let defenders = game.combat_units(state, attack.target, brief.player);
        let lives: f32 = defenders.iter().map(|unit| self.tables.worth(game, state, unit)).sum();
        let steps: f32 = defenders.iter().map(|unit| f32::from(game.steps(state, unit))).sum();
        let objective = self.tables.points[attack.target.at()];
        let held = if state.controller(attack.target) == brief.player { objective } else { 0.0 };
        let survey = &self.planner.survey;
        let added: f32 = more.iter().map(|unit| f32::from(game.defence(state, unit))).sum();
        Outlook {
            prospect,
            cleared: prospect.forecast.cleared,
            lives,
            step: lives / steps.max(1.0),
            steps,
            ground: brief.weights.prize * POINT * held + 0.7 * survey.block[attack.target.at()],
            odds: prospect.attack / (prospect.defence + added).max(1.0),
            trapped: own.is_trapped(attack.target),
        }
    }

    /// Refuses where holding costs more than the ground is worth (9.2).
    pub(super) fn refuse(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        self.look(brief, View::Ways);
        for &action in legal {
            let Action::Target(hex) = action else { continue };
            let Some(at) = brief.state.attack_on(hex) else { continue };
            let outlook = self.outlook(brief, &brief.state.attacks[at], &Units::EMPTY);
            let forecast = &outlook.prospect.forecast;
            let loss = forecast.defender_steps * outlook.step
                + outlook.cleared * (0.1 * outlook.lives + outlook.ground);
            let gain = 0.8 * forecast.attacker_steps * brief.weights.kill;
            if loss - gain > outlook.ground + 0.3 + brief.weights.stand {
                return action;
            }
        }
        Action::Pass
    }

    /// The attacked hex that a reacting unit would best go to: worth holding, with room, and not lost anyway. Headquarters
    /// hold nothing.
    fn call(&self, brief: &Brief<'_>, unit: UnitId) -> Option<(f32, Hex)> {
        let (game, state) = (brief.game, brief.state);
        if game.sets().headquarters.contains(unit) {
            return None;
        }
        let mut best: Option<(f32, Hex)> = None;
        for attack in state.attacks() {
            if attack.stage != Stage::Declared {
                continue;
            }
            let distance = game.distance(state.at(unit), attack.target);
            let there = game.combat_units(state, attack.target, brief.player);
            let room = game.rules.numbers.stacking.saturating_sub(game.stacking(&there));
            if distance == 0 || distance > 3 || game.unit(unit).stacking > room {
                continue;
            }
            let outlook = self.outlook(brief, attack, &Units::one(unit));
            let before = self.outlook(brief, attack, &Units::EMPTY);
            let eased = (before.odds - outlook.odds) / before.odds.max(0.5);
            let worth = before.cleared * (outlook.ground + 0.2 * outlook.lives) * eased
                - 0.25 * outlook.odds / 3.0 * self.tables.worth(game, state, unit);
            if worth > 0.1 && outlook.odds < 4.0 && best.is_none_or(|(known, _)| worth > known) {
                best = Some((worth, attack.target));
            }
        }
        best
    }

    pub(super) fn reaction(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        self.look(brief, View::Ways);
        best_action(legal, |action| match action {
            Action::Unit(unit) => self.call(brief, unit).map_or(-1.0, |(worth, _)| worth),
            _ => 0.0,
        })
    }

    /// A reacting unit on its way.
    pub(super) fn react(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let (game, state) = (brief.game, brief.state);
        let unit = state.moving.first()?;
        let from = state.at(unit);
        let attacked = |hex| state.attack_on(hex).is_some();
        if state.under_way && attacked(from) {
            return Some(Action::Pass);
        }
        self.look(brief, View::Ways);
        let target = self.call(brief, unit).map(|(_, hex)| hex);
        let Some(target) = target else { return Some(Action::Pass) };
        let here = game.distance(from, target);
        best_action(legal, |action| match action {
            Action::Go(hex) => here as f32 - game.distance(hex, target) as f32 - 0.5,
            _ => 0.0,
        })
    }

    /// Holds at all costs where the ground, or the lives of who cannot get away, are worth the step it takes (9.4).
    pub(super) fn no_retreat(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        self.look(brief, View::Ways);
        for &action in legal {
            let Action::Target(hex) = action else { continue };
            let Some(at) = brief.state.attack_on(hex) else { continue };
            let outlook = self.outlook(brief, &brief.state.attacks[at], &Units::EMPTY);
            let trapped = if outlook.trapped { 0.8 } else { 0.1 };
            let saved = outlook.ground + trapped * outlook.lives + brief.weights.stand;
            // Headquarters are not given for it.
            let staff =
                brief.game.combat_units(brief.state, hex, brief.player).and(&brief.game.sets().headquarters);
            let spent = outlook.steps < outlook.prospect.forecast.defender_steps + 2.5;
            if !staff.is_empty() && spent && !outlook.trapped {
                continue;
            }
            if outlook.cleared > 0.0 && saved > 1.1 * outlook.step {
                return action;
            }
        }
        Action::Pass
    }

    // ---- combat ----

    /// The appraisal of the combat at hand, by the attacker, with these guns and aircraft.
    fn battle(&self, brief: &Brief<'_>, help: &Help) -> Prospect {
        let state = brief.state;
        let battle = &state.battle;
        let own = self.planner.scene(brief);
        let scene = Scene { player: state.active, ..own };
        let attackers = battle.attackers.and(&state.on_map);
        let force = Force::standing(state, &attackers);
        scene.on_table(battle.target, &force, help, battle.crt)
    }

    /// Support and aircraft named so far, as a part of the full strength, with some more guns of one part.
    fn named(brief: &Brief<'_>, more: &Units) -> Help {
        let (game, state) = (brief.game, brief.state);
        let mut help = Help::default();
        for role in Role::ALL {
            let mut guns = state.battle.support[role.index()];
            if role == state.battle.role {
                guns = guns.or(more);
            }
            help.guns[role.index()] = guns.iter().map(|unit| 0.8 * f32::from(game.unit(unit).support)).sum();
            let air = state.battle.air[role.index()];
            help.air[role.index()] =
                air.iter().map(|unit| 0.6 * f32::from(game.rules.air[unit.at()].cas)).sum();
        }
        help
    }

    /// What a modifier of one point is worth to the player in the combat at hand.
    fn stake(&self, brief: &Brief<'_>) -> f32 {
        let help = Self::named(brief, &Units::EMPTY);
        self.battle(brief, &help).stake
    }

    pub(super) fn fight(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let (game, state, weights) = (brief.game, brief.state, brief.weights);
        let sets = game.sets();
        match state.phase {
            Phase::Combat => {
                self.look(brief, View::Ways);
                let scene = self.planner.scene(brief);
                best_action(legal, |action| match action {
                    Action::Target(hex) => {
                        let Some(at) = state.attack_on(hex) else { return f32::MIN };
                        let attack = &state.attacks[at];
                        let force = Force::standing(state, &attack.attackers);
                        let help = Self::help(&scene, brief, hex);
                        scene.on_table(hex, &force, &help, attack.crt).forecast.cleared
                    }
                    _ => f32::MIN,
                })
            }
            Phase::AttackLead
            | Phase::DefenceLead
            | Phase::RefusalLead
            | Phase::NoRetreatLead
            | Phase::ArtilleryLead
            | Phase::GroupLead
            | Phase::AirLead
            | Phase::SureArtillery => best_action(legal, |action| match action {
                Action::Lead(unit) => self.lead(brief, unit),
                Action::Unit(unit) => f32::from(game.unit(unit).support),
                Action::Air(air) => f32::from(game.rules.air[air.at()].efficiency),
                _ => -1.0,
            }),
            Phase::Air => {
                self.look(brief, View::Ways);
                let stake = self.stake(brief);
                // Lists are made in ascending order: the first of those that are wanted.
                let wanted = |action: Action| match action {
                    Action::Air(air) => {
                        let data = &game.rules.air[air.at()];
                        let success = f32::from(data.efficiency) / 12.0;
                        success * f32::from(data.cas) * stake > weights.thrift
                    }
                    _ => false,
                };
                legal.iter().copied().find(|&action| wanted(action)).or(Some(Action::Pass))
            }
            Phase::Artillery => {
                self.look(brief, View::Ways);
                Some(self.artillery(brief, legal))
            }
            Phase::AirPoints | Phase::ArtilleryPoints | Phase::GroundPoints => {
                self.look(brief, View::Ways);
                let stake = self.stake(brief);
                let effect = match state.phase {
                    Phase::AirPoints => {
                        let air = state.battle.air[state.battle.role.index()];
                        air.iter().map(|unit| f32::from(game.rules.air[unit.at()].cas)).sum()
                    }
                    Phase::ArtilleryPoints => 1.2,
                    _ => f32::from(game.rules.numbers.ground_failed_drm),
                };
                self.points(brief, legal, 0.1 * effect * stake, 0.3 * weights.thrift)
            }
            Phase::ArmyPoints => Some(Action::Pass),
            Phase::ReactionPoints => self.points(brief, legal, 0.08, 0.5 * weights.thrift),
            Phase::NoRetreatPoints => self.points(brief, legal, 0.2, 0.5 * weights.thrift),
            Phase::Recovery => self.points(brief, legal, 1.0, 0.0),
            Phase::Losses | Phase::NoRetreatLoss | Phase::FailedOverrun | Phase::MotorisedAdvantage => {
                best_action(legal, |action| match action {
                    Action::Unit(unit) => -self.tables.next_step(game, state, unit),
                    _ => f32::MIN,
                })
            }
            Phase::Excess => best_action(legal, |action| match action {
                Action::Unit(unit) => -self.tables.worth(game, state, unit),
                _ => f32::MIN,
            }),
            Phase::Retreat | Phase::SpecialRetreat => {
                self.look(brief, View::All);
                let walker = state.battle.walker;
                if !sets.combat.contains(walker)
                    || sets.artillery.contains(walker)
                    || sets.headquarters.contains(walker)
                {
                    let troops = state.occupied[brief.player.index()];
                    let prey = Prey::rear(brief.attacks);
                    self.planner.survey.look_for_raids(game, &self.tables, state, &troops, prey);
                }
                let units = Units::one(state.battle.walker);
                let driven = game.player(state.battle.walker) != brief.player;
                let scene = self.planner.scene(brief);
                best_action(legal, |action| match action {
                    Action::Go(hex) if driven => {
                        -self.planner.survey.block[hex.at()] + way_back(brief, self, hex)
                    }
                    Action::Go(hex) => self.refuge(&scene, &units, hex),
                    Action::Pass if driven => 0.0,
                    Action::Pass => self.refuge(&scene, &units, state.at(state.battle.walker)) + 0.1,
                    _ => f32::MIN,
                })
            }
            Phase::Advance => {
                self.look(brief, View::All);
                let unit = state.battle.walker;
                let here = state.at(unit);
                if is_hex(here) && self.tables.points[here.at()] > 0.0 {
                    // Who could come if nobody stayed.
                    let others = state.occupied[brief.player.index()].difference(&Hexes::one(here));
                    self.planner.survey.look_for_raids(game, &self.tables, state, &others, Prey::Objectives);
                }
                let scene = self.planner.scene(brief);
                let helper = !sets.combat.contains(unit);
                best_action(legal, |action| match action {
                    Action::Go(hex) if helper => {
                        if self.planner.survey.enemy_distance(state.at(unit)) > 1 {
                            -1.0
                        } else {
                            hex_rank(hex)
                        }
                    }
                    Action::Go(hex) => self.advance(&scene, unit, hex),
                    Action::Pass => 0.0,
                    _ => f32::MIN,
                })
            }
            _ => None,
        }
    }

    /// The guns that change the odds, one or more together; else those that make it surer, while support is not in excess and
    /// they have no other combat to wait for.
    fn artillery(&self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let (game, state) = (brief.game, brief.state);
        let sign = if state.battle.role == Role::Attacker { 1.0 } else { -1.0 };
        let now = self.battle(brief, &Self::named(brief, &Units::EMPTY)).value;
        let mut open: Units = legal
            .iter()
            .filter_map(|&action| if let Action::Unit(unit) = action { Some(unit) } else { None })
            .collect();
        let all = open;
        let mut wanted = Units::EMPTY;
        let mut best = (now * sign + 0.04, Units::EMPTY);
        for _ in 0..3 {
            let Some(next) = open.iter().max_by_key(|&unit| game.unit(unit).support) else { break };
            open.remove(next);
            wanted.insert(next);
            let value = sign * self.battle(brief, &Self::named(brief, &wanted)).value;
            if value > best.0 {
                best = (value, wanted);
            }
        }
        if let Some(unit) = best.1.first() {
            return Action::Unit(unit);
        }
        // Coordination may fail, and so may the odds that hang on it.
        let spare = all
            .difference(state.marked(Mark::Emergency))
            .difference(state.marked(Mark::Unsupplied))
            .filter(|unit| !self.is_awaited(brief, unit, &all));
        if self.has_use_for_support(brief) {
            spare.first().map_or(Action::Pass, Action::Unit)
        } else {
            Action::Pass
        }
    }

    /// Whether one more gun could matter: support as it is expected below the strength that it adds to, odds below the last column
    /// whatever the other side's guns bring. The defender names his first.
    fn has_use_for_support(&self, brief: &Brief<'_>) -> bool {
        let battle = &brief.state.battle;
        let mut help = Self::named(brief, &Units::EMPTY);
        let named = std::mem::take(&mut help.guns[battle.role.index()]);
        let bare = self.battle(brief, &help);
        let own = if battle.role == Role::Attacker { bare.attack } else { bare.defence };
        named < own && bare.attack < MOST_ODDS * bare.defence
    }

    /// Whether a gun is wanted in another combat of this sequence, still to be fought, for which there are not others enough
    /// that could fire there alone.
    fn is_awaited(&self, brief: &Brief<'_>, unit: UnitId, open: &Units) -> bool {
        let (game, state) = (brief.game, brief.state);
        let reaches = |gun: UnitId, target: Hex| {
            game.distance(state.at(gun), target) <= u32::from(game.unit(gun).range)
        };
        let here = |gun: UnitId| open.contains(gun);
        let ready = game
            .sets()
            .artillery
            .and(game.units_of(brief.player))
            .and(&active(state).or(open))
            .and(&state.on_map)
            .difference(state.marked(Mark::Fired))
            .difference(state.marked(Mark::Disorganised));
        state.attacks().iter().any(|attack| {
            attack.stage == Stage::Declared
                && attack.target != state.battle.target
                && reaches(unit, attack.target)
                && {
                    let there = ready.filter(|gun| reaches(gun, attack.target));
                    let before = there.iter().filter(|&gun| here(gun) && gun < unit).count();
                    let alone = there.iter().filter(|&gun| !here(gun)).count();
                    // The first of those that reach both wait for the other.
                    alone + before < FIRING
                }
        })
    }

    /// Spends points where a point is worth enough: the fewest that are on offer first.
    fn points(&self, brief: &Brief<'_>, legal: &[Action], each: f32, price: f32) -> Option<Action> {
        let game = brief.game;
        best_action(legal, |action| match action {
            Action::Points(headquarters, leader) => {
                let of = |unit: UnitId| if unit.is_none() { 0.0 } else { f32::from(game.unit(unit).command) };
                let (staff, extra) = (of(headquarters), of(leader));
                staff * (each - price) + extra * (each - 2.0 * price - 0.02)
            }
            _ => 0.0,
        })
    }

    /// A good lead is efficient, and its next step is not dear.
    fn lead(&self, brief: &Brief<'_>, unit: UnitId) -> f32 {
        let (game, state) = (brief.game, brief.state);
        f32::from(game.efficiency(state, unit)) - 0.8 * self.tables.next_step(game, state, unit)
    }

    /// Where to retreat: to one's own, in supply, in the way of the enemy.
    fn refuge(&self, scene: &Scene<'_>, units: &Units, hex: Hex) -> f32 {
        let stack = Stack::of(scene, units);
        let company: f32 = scene
            .game
            .combat_units(scene.state, hex, scene.player)
            .difference(units)
            .iter()
            .map(|unit| f32::from(scene.game.defence(scene.state, unit)))
            .sum();
        if stack.rear {
            let home = f32::from(self.tables.home[scene.player.index()][hex.at()].min(200));
            return -scene.weights.care * scene.danger(hex, &stack, company)
                - scene.out_of_supply(hex, &stack)
                - 0.02 * home;
        }
        scene.post(&stack, hex, company)
    }

    /// What a unit gains by advancing into a hex.
    fn advance(&self, scene: &Scene<'_>, unit: UnitId, hex: Hex) -> f32 {
        let (game, state) = (scene.game, scene.state);
        let units = Units::one(unit);
        let stack = Stack::of(scene, &units);
        let company = |hex: Hex| -> f32 {
            game.combat_units(state, hex, scene.player)
                .difference(&units)
                .iter()
                .map(|mate| f32::from(game.defence(state, mate)))
                .sum()
        };
        let here = state.at(unit);
        if hex == here || !is_hex(hex) {
            return 0.0;
        }
        let there = scene.post(&stack, hex, company(hex) + 3.0);
        there - scene.post(&stack, here, company(here)) - scene.leaving(here, company(here)) + 0.15
    }
}

/// What awaits own troops in an attacked hex.
struct Outlook {
    prospect: Prospect,
    cleared: f32,
    lives: f32,
    step: f32,
    steps: f32,
    ground: f32,
    odds: f32,
    trapped: bool,
}

impl Scene<'_> {
    /// Whether own troops in a hex have nowhere to retreat to.
    fn is_trapped(&self, hex: Hex) -> bool {
        let enemy = self.player.enemy().index();
        sandtable_core::Direction::ALL.into_iter().all(|way| {
            let to = self.game.neighbour(hex, way);
            !is_hex(to)
                || self.state.occupied[enemy].contains(to)
                || self.state.zoc[enemy].contains(to)
                    && !self.state.occupied[self.player.index()].contains(to)
                || self.game.side(hex, way).is_open_river()
        })
    }
}

/// Leaders follow their troops into the first hex on offer.
fn hex_rank(_: Hex) -> f32 {
    0.1
}

/// How far from home a hex is for the enemy who is driven there.
fn way_back(brief: &Brief<'_>, player: &Scripted, hex: Hex) -> f32 {
    0.05 * f32::from(player.tables.home[brief.player.enemy().index()][hex.at()].min(200))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sandtable_ai::policy::Policy;
    use sandtable_core::{Game, Rng64};
    use sandtable_roads_to_moscow::editor::Editor;
    use sandtable_roads_to_moscow::phase::Sequence;
    use sandtable_roads_to_moscow::{Player, RoadsToMoscow, State};

    use super::super::map_tables::MapTables;
    use super::super::weights;
    use super::*;
    use crate::fixture::open;

    /// What the player chooses.
    fn choice(game: &RoadsToMoscow, state: &State) -> Action {
        let tables = Arc::new(MapTables::new(game));
        let weights = weights::with(tables.attacker, &[]).unwrap();
        let mut player = Scripted::new(tables, weights, false);
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        assert!(legal.len() > 1, "{legal:?}");
        player.pick(game, state, state.decider.side(), &legal, &mut Rng64::stream(1, 0, 0))
    }

    /// Four battalions attack Naryshkino; who is near may react.
    fn attacked(game: &RoadsToMoscow, near: &str, there: &[&str]) -> State {
        let mut editor = Editor::new(game);
        editor.clear().control_all(Player::German).control(2417, Player::German);
        let attackers = ["s_5ab_I_201", "s_5ab_II_201", "s_5ab_III_201"];
        for unit in attackers {
            editor.place(unit, 2517);
        }
        for unit in there {
            editor.place(unit, 2417);
        }
        editor.place(near, 2218).activate(&["5Abn"], Sequence::Assault);
        editor.attack(2417, &attackers, Crt::Assault);
        editor.phase(Phase::Reaction, Player::German).finish()
    }

    /// What the German thinks of a position in his Assault Sequence.
    fn as_german<T>(game: &RoadsToMoscow, state: &State, ask: impl Fn(&Scripted, &Brief<'_>) -> T) -> T {
        let tables = Arc::new(MapTables::new(game));
        let weights = weights::with(tables.attacker, &[]).unwrap();
        let brief = Brief {
            game,
            tables: &tables,
            weights: &weights[0],
            state,
            player: Player::German,
            sequence: Sequence::Assault,
            actors: state.marked(Mark::Active),
            fuelled: true,
            attacks: true,
            light: false,
        };
        ask(&Scripted::new(tables.clone(), weights, false), &brief)
    }

    #[test]
    fn who_wins_as_things_stand_gambles_no_more_in_the_last_turn() {
        let game = open("mozhaysk").0;
        let last = u8::try_from(game.rules.calendar.len()).unwrap();
        let attacks = |turn: u8, points: i16| {
            let mut editor = Editor::new(&game);
            editor.clear().control_all(Player::German).turn(turn).points([points, 0]);
            editor.place("s_32_I_17", 2823).place("g_10pz_I_86", 2722);
            editor.place("g_10pz_I_69", 2722).place("g_10pz_II_69", 2722);
            editor.activate(&["10Pz"], Sequence::Assault);
            choice(&game, &editor.phase(Phase::Declaring, Player::German).finish()) != Action::Pass
        };
        let threshold = game.rules.scenario.threshold;
        assert_eq!(
            [attacks(last - 1, threshold), attacks(last, threshold), attacks(last, -threshold)],
            [true, false, true]
        );
    }

    #[test]
    fn nobody_reacts_to_where_there_is_no_room() {
        let game = open("road-to-mtsensk").0;
        let unit = |id: &str| game.rules.unit(id).unwrap();
        let reacts = |there: &[&str]| choice(&game, &attacked(&game, "g_4pz_I_35", there));
        assert_eq!(reacts(&["g_4pz_I_33"]), Action::Unit(unit("g_4pz_I_35")));
        let full = ["g_4pz_I_33", "g_4pz_II_33", "g_4pz_I_12", "g_4pz_II_12"];
        let stack: Units = full.iter().map(|id| unit(id)).collect();
        assert!(game.stacking(&stack) + game.unit(unit("g_4pz_I_35")).stacking > game.rules.numbers.stacking);
        assert_eq!(reacts(&full), Action::Pass);
    }

    #[test]
    fn guns_wait_for_a_combat_to_come_as_long_as_it_needs_them() {
        let game = open("mozhaysk").0;
        let guns = ["g_10pz_I_90", "g_10pz_II_90", "g_10pz_III_90"].map(|id| game.rules.unit(id).unwrap());
        let awaited = |count: usize, offered: usize| {
            let mut editor = Editor::new(&game);
            editor.clear().place("s_32_I_17", 2623).place("s_32_II_17", 2823);
            editor.place("g_10pz_I_69", 2722).place("g_10pz_II_69", 2722);
            for &gun in &guns[..count] {
                editor.place(game.rules.units[gun.at()].id.as_str(), 2722);
            }
            editor.activate(&["10Pz"], Sequence::Assault);
            editor.attack(2623, &["g_10pz_I_69"], Crt::Assault);
            editor.attack(2823, &["g_10pz_II_69"], Crt::Assault);
            let mut state = editor.phase(Phase::Artillery, Player::German).finish();
            state.battle.target = sandtable_roads_to_moscow::ids::hex(2623);
            let open: Units = guns[..offered].iter().copied().collect();
            as_german(&game, &state, |player, brief| {
                guns[..offered].iter().map(|&gun| player.is_awaited(brief, gun, &open)).collect::<Vec<_>>()
            })
        };
        assert_eq!(awaited(2, 2), [true, true]);
        assert_eq!(awaited(3, 3), [true, true, false]);
        // One that cannot fire here waits there.
        assert_eq!(awaited(3, 2), [true, false]);
    }

    #[test]
    fn the_attacker_reckons_with_the_guns_that_the_defender_has_named() {
        let game = open("mozhaysk").0;
        let unit = |id: &str| game.rules.unit(id).unwrap();
        let troops =
            ["g_10pz_I_69", "g_10pz_II_69", "g_10pz_I_86", "g_10pz_II_86", "g_10pz_I_7", "g_10pz_II_7"];
        // Support is expected to bring four fifths: of as much as the strength that it adds to some may be missing.
        let useful = |attackers: &[&str], named: [&[&str]; 2]| {
            let mut editor = Editor::new(&game);
            editor.clear().place("s_32_I_17", 2623).place("s_572", 2423);
            for &unit in troops.iter().chain(&["g_10pz_I_90", "g_10pz_II_90"]) {
                editor.place(unit, 2722);
            }
            editor.activate(&["10Pz"], Sequence::Assault);
            let mut state = editor.phase(Phase::Artillery, Player::German).finish();
            state.battle.target = sandtable_roads_to_moscow::ids::hex(2623);
            state.battle.crt = Crt::Assault;
            state.battle.role = Role::Attacker;
            state.battle.attackers = attackers.iter().map(|id| unit(id)).collect();
            state.battle.defenders = Units::one(unit("s_32_I_17"));
            state.battle.support = named.map(|named| named.iter().map(|id| unit(id)).collect());
            as_german(&game, &state, |player, brief| {
                let bare = player.battle(brief, &Help::default());
                (player.has_use_for_support(brief), bare.attack, bare.defence)
            })
        };
        let enough = useful(&troops, [&[], &[]]);
        assert!(!enough.0 && enough.1 >= MOST_ODDS * enough.2, "{enough:?}");
        let answered = useful(&troops, [&[], &["s_572", "s_gm1_m"]]);
        assert!(answered.0, "{answered:?}");
        assert!(useful(&troops[..1], [&["g_10pz_I_90"], &[]]).0);
    }

    #[test]
    fn headquarters_do_not_react() {
        let game = open("road-to-mtsensk").0;
        assert_eq!(choice(&game, &attacked(&game, "g_4pz_hq5", &["g_4pz_I_33"])), Action::Pass);
    }
}
