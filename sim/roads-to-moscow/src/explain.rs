//! Why a decision is not legal, in words.
//!
//! Nothing here decides what is legal: the generator does. What follows looks for the restriction that a player would
//! check first, and names its rule.

use sandtable_core::{Game, Hex, Index};

use crate::action::Action;
use crate::game::RoadsToMoscow;
use crate::ids::{Player, UnitId, Units, place};
use crate::phase::{Phase, Sequence};
use crate::rules::{Crt, Water, Weather};
use crate::state::{Mark, Stage, State, is_hex};

/// The first reason that holds.
fn first(reasons: &[(bool, &str)]) -> Option<String> {
    reasons.iter().find(|(holds, _)| *holds).map(|&(_, reason)| reason.into())
}

impl RoadsToMoscow {
    /// Why an action is not legal; `None` if it is.
    pub fn why_illegal(&self, state: &State, action: Action) -> Option<String> {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if legal.contains(&action) {
            return None;
        }
        if state.phase == Phase::Over {
            return Some("the game is over".into());
        }
        let reason = match (state.phase, action) {
            (_, Action::Pass) => self.why_no_pass(state),
            (Phase::OptionalGroups, Action::Group(group)) => self.why_no_group(state, group),
            (Phase::Reserve | Phase::Formation, Action::Formation(formation)) => first(&[
                (
                    self.rules.formations[formation.at()].player != state.decider,
                    "it is not the player's formation",
                ),
                (self.rules.formations[formation.at()].any, "it is no formation of its own (4.25)"),
                (state.in_reserve(formation), "it is in Reserve already"),
                (!self.formation_lives(state, formation), "it has no units"),
                (true, "it has no marker in play (5.31)"),
            ]),
            (Phase::FillingCup, Action::LeaveOut(marker)) => first(&[
                (!state.cup.contains(marker), "it is not in the cup"),
                (true, "another marker of the formation stands for it"),
            ]),
            (Phase::Marker, Action::Marker(marker) | Action::Combine(marker)) => {
                self.why_no_marker(state, action, marker)
            }
            (Phase::Fuel, Action::Unit(unit)) => first(&[
                (!self.sets().fuel.contains(unit), "it is no fuel unit"),
                (state.at(unit) == place::OUT, "it has not been received (6.41)"),
                (true, "it is being spent already (6.42)"),
            ]),
            (Phase::ArmyUnits, Action::Unit(unit)) => self.why_no_army_unit(state, unit),
            (Phase::Engineering, Action::Unit(unit)) => self.why_no_digging(state, unit),
            (Phase::Engineering, Action::Target(_)) => {
                Some("no empty Fortified Position of the player is there (14.34)".into())
            }
            (Phase::Movement, Action::Unit(unit)) => self.why_not_moved(state, unit),
            (Phase::Stack, Action::Join(unit)) => self.why_no_join(state, unit),
            (Phase::Stack, Action::Drop(unit)) => first(&[
                (!state.moving.contains(unit), "it is not in the stack"),
                (!state.under_way, "the stack has not set out"),
                (state.moving.len() == 1, "nobody would go on"),
                (true, "it cannot end its move here"),
            ]),
            (Phase::Stack, Action::Go(to)) => self.why_no_step(state, to),
            (Phase::Stack, Action::Overrun(to)) => self.why_no_overrun(state, to),
            (Phase::Declaring, Action::Target(hex)) => self.why_no_attack(state, hex),
            (Phase::Attackers, Action::Unit(unit)) => self.why_not_attacking(state, unit),
            (Phase::Attackers, Action::Declare(crt)) => self.why_not_declared(state, crt),
            (Phase::Refusal, Action::Target(hex)) => self.why_no_refusal(state, hex),
            (Phase::Reaction, Action::Unit(unit)) => self.why_no_reaction(state, unit),
            (Phase::NoRetreat, Action::Target(hex)) => self.why_no_stand(state, hex),
            (Phase::Combat, Action::Target(_)) => Some("no attack on it is still to be fought".into()),
            (Phase::Air | Phase::AirLead, Action::Air(unit)) => first(&[
                (self.rules.air[unit.at()].player != state.decider, "it is not the player's"),
                (!state.ready.contains(unit), "it is not Ready (13.1)"),
                (true, "no headquarters in good order is near, or two are committed (13.21, 13.24)"),
            ]),
            (Phase::Artillery | Phase::SureArtillery, Action::Unit(unit)) => self.why_no_support(state, unit),
            (
                Phase::Losses
                | Phase::NoRetreatLoss
                | Phase::MotorisedAdvantage
                | Phase::FailedOverrun
                | Phase::Excess,
                Action::Unit(_),
            ) => Some("another unit bears this loss (11.2)".into()),
            (Phase::Retreat, Action::Go(_)) => Some("no legal retreat leads there (11.3, 11.5)".into()),
            (Phase::SpecialRetreat, Action::Go(_)) => Some("no Special Retreat leads there (16.3)".into()),
            (Phase::Advance, Action::Go(_)) => Some("it may not advance there (11.6)".into()),
            (_, Action::Points(unit, leader)) => self.why_no_points(state, unit, leader),
            (_, Action::Lead(unit)) => self.why_no_lead(state, unit),
            _ => Some("not in this phase".into()),
        };
        reason.or_else(|| Some("not in this phase".into()))
    }

    fn why_no_pass(&self, state: &State) -> Option<String> {
        let player = state.active.index();
        match state.phase {
            Phase::Sequence => first(&[
                (state.opening, "the first marker of the game is played face up (R10)"),
                (!state.formations.is_empty(), "its marker is open (7.33)"),
                (state.pool[player].is_some(), "a marker lies in the pool (7.22)"),
                (true, "it is the last marker (7.24)"),
            ]),
            Phase::Stack => first(&[
                (
                    self.is_protected(state, self.stack_hex(state), state.decider),
                    "enemy reinforcements may still enter there (5.21)",
                ),
                (true, "stacking: too much would stand there (3.32)"),
            ]),
            Phase::Marker => Some("a marker must be played".into()),
            Phase::FillingCup => Some("there are too many markers in the cup (7.14)".into()),
            Phase::Formation => Some("a formation must be named (4.25)".into()),
            Phase::Attackers => Some("the attack must be declared".into()),
            Phase::Combat => Some("an attack is still to be fought".into()),
            _ => Some("something must be chosen first".into()),
        }
    }

    fn why_no_group(&self, state: &State, group: u8) -> Option<String> {
        let Some(data) = self.rules.groups.get(group as usize) else {
            return Some("there is no such group".into());
        };
        first(&[
            (data.player != state.decider, "it is not the player's group"),
            (state.groups >> group & 1 != 0, "it has been taken"),
            (data.turn > state.turn, "its turn has not come"),
        ])
    }

    fn why_no_marker(&self, state: &State, action: Action, marker: crate::ids::Marker) -> Option<String> {
        let pool = state.pool[state.active.index()];
        let any = |marker| self.marker_sets().any.contains(marker);
        let combining = matches!(action, Action::Combine(_));
        let alike = pool.zip(state.drawn).is_some_and(|(a, b)| self.formation_of(a) == self.formation_of(b));
        first(&[
            (combining && (pool.is_none() || state.drawn.is_none()), "two markers are needed (7.31)"),
            (
                combining && (pool.is_some_and(any) || state.drawn.is_some_and(any)),
                "\"Activate any formation\" combines with none: any formation (4.25a)",
            ),
            (combining && alike, "both are of the same formation (7.31)"),
            (state.drawn != Some(marker) && pool != Some(marker), "it is neither drawn nor in the pool"),
        ])
    }

    fn why_no_army_unit(&self, state: &State, unit: UnitId) -> Option<String> {
        let sets = self.sets();
        first(&[
            (!sets.army.contains(unit), "it is no Army unit"),
            (self.player(unit) != state.active, "it is not the player's"),
            (!state.on_map.contains(unit), "it is not on the map"),
            (state.has(unit, Mark::Active), "it is active"),
            (state.has(unit, Mark::Moved), "it tries once in a sequence, and has been tried (7.42)"),
            (
                state.has(unit, Mark::UsedTwice)
                    || state.has(unit, Mark::UsedOnce) && sets.foot.contains(unit),
                "it has no attempt left this turn (7.42)",
            ),
            (true, "out of range, and two have been tried (7.45)"),
        ])
    }

    fn why_no_digging(&self, state: &State, unit: UnitId) -> Option<String> {
        let sets = self.sets();
        let hex = state.at(unit);
        if !is_hex(hex) {
            return Some("it is not on the map".into());
        }
        first(&[
            (!state.has(unit, Mark::Active), "it is not active"),
            (!sets.digs.contains(unit), "its type does not dig (14.23)"),
            (
                self.calendar(state).winter && !sets.digs_in_winter.contains(unit),
                "only engineers dig in winter (14.24)",
            ),
            (state.has(unit, Mark::Disorganised), "it is disorganised (14.25)"),
            (state.positions.iter().any(|held| held.contains(hex)), "there is a Fortified Position (14.22)"),
            (state.stack(hex).intersects(state.marked(Mark::Digging)), "somebody digs there already"),
            (true, "no more may be begun in this activation (14.27)"),
        ])
    }

    fn why_not_moved(&self, state: &State, unit: UnitId) -> Option<String> {
        let hex = state.at(unit);
        first(&[
            (hex == place::ELIMINATED || hex == place::OUT, "it is not in the game"),
            (self.player(unit) != state.active, "it is not the player's"),
            (
                state.has(unit, Mark::BeingSpent) || state.has(unit, Mark::SpentForOther),
                "it is being spent (6.42)",
            ),
            (
                state.has(unit, Mark::UsedTwice) && !self.sets().combat.contains(unit),
                "it has been active twice this turn (15.31)",
            ),
            (!state.has(unit, Mark::Active), "it is not active (4.23b)"),
            (state.has(unit, Mark::Moved), "it has moved already (8.11)"),
            (
                !is_hex(hex) && self.sets().entry_turn[unit.at()] > state.turn,
                "its turn of entry has not come",
            ),
            (self.allowance(state, unit, self.is_assault(state)) == 0, "it has no MP"),
            (true, "the enemy holds its entry hexes (R70)"),
        ])
    }

    fn why_no_join(&self, state: &State, unit: UnitId) -> Option<String> {
        first(&[
            (state.reacting, "units react one by one (9.3)"),
            (state.under_way, "a stack picks nobody up (8.12)"),
            (state.at(unit) != self.stack_hex(state), "they do not stand together"),
            (!state.has(unit, Mark::Active), "it is not active"),
            (state.has(unit, Mark::Moved), "it has moved"),
            (state.moving.contains(unit), "it is in the stack"),
            (Some(unit) < state.moving.iter().last(), "stacks are named in the order of their units"),
            (true, "it cannot move with the stack"),
        ])
    }

    fn stack_hex(&self, state: &State) -> Hex {
        state.moving.first().map_or(place::OUT, |unit| state.at(unit))
    }

    fn why_no_step(&self, state: &State, to: Hex) -> Option<String> {
        let from = self.stack_hex(state);
        let mover = self.moving(state);
        let enemy = mover.player.enemy().index();
        if !is_hex(from) {
            return first(&[
                (
                    !state.moving.iter().all(|unit| self.entry_hexes(unit).any(|hex| hex == to)),
                    "it is no entry hex of theirs (5.2)",
                ),
                (state.occupied[enemy].contains(to), "the enemy holds it (R70)"),
                (true, "they could neither pay for it nor find room to end"),
            ]);
        }
        let Some(way) = self.board().direction(from, to) else {
            return Some("it is not the next hex: no adjacent hex within the scenario line".into());
        };
        let side = self.side(from, way);
        let affordable = self.step_price(state, mover, from, way, u8::MAX - 1).is_some();
        first(&[
            (state.must_overrun, "after an overrun into an enemy ZOC it overruns or stops (8.56i)"),
            (state.occupied[enemy].contains(to), "an enemy combat unit stands there (8.14)"),
            (side.water == Water::River && mover.reacting, "no reaction over a river (9.37)"),
            (side.is_open_river() && !mover.crosses_river, "the river has no bridge (8.36c)"),
            (side.is_open_river() && !mover.fresh, "a river takes the whole allowance (8.36c)"),
            (
                !mover.combat && self.bars_helpers(state, mover.player, to),
                "leaders and fuel do not go adjacent to an enemy alone (8.15)",
            ),
            (
                !affordable
                    && state.zoc[enemy].contains(from)
                    && state.zoc[enemy].contains(to)
                    && !mover.fresh,
                "from ZOC to ZOC go red boxes alone (8.22)",
            ),
            (self.step_price(state, mover, from, way, state.movement_left).is_none(), "too few MP (8.13)"),
            (self.is_protected(state, to, mover.player), "enemy reinforcements may still enter there (5.21)"),
            (true, "stacking: too much would stand there (3.32)"),
        ])
    }

    fn why_no_overrun(&self, state: &State, to: Hex) -> Option<String> {
        let (sets, units) = (self.sets(), &state.moving);
        let from = self.stack_hex(state);
        let way = if is_hex(from) { self.board().direction(from, to) } else { None };
        let Some(way) = way else {
            return Some("it is not the next hex: no adjacent hex within the scenario line".into());
        };
        let player = state.decider;
        let enemy = player.enemy();
        let (attack, defence) = self.overrun_strengths(state, to);
        first(&[
            (state.sequence != Sequence::Mobile || state.reacting, "in a Mobile Sequence alone (8.51)"),
            (state.weather == Weather::Rain, "no overrun in rain (8.55a)"),
            (!state.occupied[enemy.index()].contains(to), "no enemy combat unit stands there"),
            (
                !units.difference(&sets.red_or_cavalry).is_empty(),
                "without a red box only cavalry overruns (8.52)",
            ),
            (state.burdened, "those that may not overrun stay where the stack begins, together (8.52)"),
            (!units.intersects(&sets.leads_overrun), "no armour, armoured car or cavalry (8.52)"),
            (units.intersects(state.marked(Mark::Disorganised)), "somebody is disorganised (8.52)"),
            (units.intersects(state.marked(Mark::Unsupplied)), "somebody is unsupplied (8.52)"),
            (units.iter().any(|unit| self.is_low_on_fuel(state, unit)), "somebody is low on fuel (8.52)"),
            (self.side(from, way).water == Water::River, "not over a river, even at a bridge (8.55b)"),
            (
                player == Player::German && self.is_active_line(state, from, way),
                "not over a Fortified Line (8.55b)",
            ),
            (self.map().towns.contains(to), "not into a town (8.55c)"),
            (state.positions[enemy.index()].contains(to), "not into a Fortified Position (8.55c)"),
            (
                self.projecting_into(state, from, enemy).any(|hex| hex != to),
                "ZOCs of more than one enemy hex reach the one they start from (8.55d)",
            ),
            (attack == 0 || 4 * attack < defence, "odds below 1-4 (8.56a)"),
            (!self.may_end_in(state, units, from, player), "stacking in the hex it overruns from (8.53)"),
            (self.is_protected(state, to, player), "enemy reinforcements may still enter there (5.21)"),
            (true, "too few MP (8.54)"),
        ])
    }

    fn why_no_attack(&self, state: &State, hex: Hex) -> Option<String> {
        let enemy = state.active.enemy();
        first(&[
            (!state.occupied[enemy.index()].contains(hex), "no enemy combat unit stands there"),
            (state.attacks().iter().any(|attack| attack.target == hex), "it is attacked already (9.13)"),
            (self.possible_attackers(state, hex).is_empty(), "nobody can attack it (9.11, 9.14, 9.15)"),
            (true, "no active unit could reach odds of 1-4 (10.53a)"),
        ])
    }

    fn why_not_attacking(&self, state: &State, unit: UnitId) -> Option<String> {
        let attack = state.attacks().last()?;
        let sets = self.sets();
        let way =
            if is_hex(state.at(unit)) { self.board().direction(state.at(unit), attack.target) } else { None };
        first(&[
            (self.player(unit) != state.active, "it is not the player's"),
            (attack.attackers.contains(unit), "it attacks already"),
            (way.is_none(), "it is not adjacent to the hex (9.1)"),
            (!sets.combat.contains(unit), "it is no combat unit"),
            (sets.artillery.contains(unit), "artillery supports, it does not attack (12.1)"),
            (self.offence(state, unit) == 0, "it has no offensive strength (9.14)"),
            (state.has(unit, Mark::Attacking), "it attacks another hex (10.11)"),
            (
                way.is_some_and(|way| self.is_barred(&Units::one(unit), state.at(unit), way)),
                "it cannot cross the river (9.15, 9.16)",
            ),
            (
                !self.is_active(state, unit) && state.sequence == Sequence::Mobile,
                "active units alone attack in a Mobile Sequence (9.11a)",
            ),
            (
                !self.is_active(state, unit) && self.formation(unit).is_none(),
                "Army units that are not active do not attack (7.48)",
            ),
            (
                self.formation(unit).is_some_and(|formation| state.in_reserve(formation)),
                "its formation is in Reserve (5.32)",
            ),
            (true, "combined formations attack together from a hex that both hold (7.35), at odds of 1-4"),
        ])
    }

    fn why_not_declared(&self, state: &State, crt: Crt) -> Option<String> {
        let attack = state.attacks().last()?;
        let (attackers, target) = (&attack.attackers, attack.target);
        let (strength, defence) = self.declared_strengths(state, attackers, target);
        first(&[
            (attackers.is_empty(), "nobody attacks"),
            (!attackers.intersects(state.marked(Mark::Active)), "no active unit attacks (9.11b)"),
            (strength == 0 || 4 * strength < defence, "odds below 1-4 (10.53a)"),
            (crt == Crt::Assault, "not now"),
            (state.sequence == Sequence::Assault, "the Assault table in an Assault Sequence (10.32)"),
            (state.weather == Weather::Rain, "the Assault table in rain (10.32)"),
            (
                !attackers.intersects(&self.sets().enables_mobile),
                "no armour, armoured car or cavalry attacks (10.33)",
            ),
            (self.map().towns.contains(target), "the Assault table against a town (10.32)"),
            (
                state.positions[state.active.enemy().index()].contains(target),
                "the Assault table against a Fortified Position (10.32)",
            ),
            (self.is_behind_line(state, target, attackers), "all attack across a Fortified Line (10.32)"),
            (true, "all attack across a river (10.32)"),
        ])
    }

    fn why_no_refusal(&self, state: &State, hex: Hex) -> Option<String> {
        let units = state.stack(hex).and(self.units_of(state.decider));
        first(&[
            (
                !state.attacks().iter().any(|attack| attack.target == hex && attack.stage == Stage::Declared),
                "it is not attacked",
            ),
            (!self.unasked(state).contains(hex), "it has tried already"),
            (
                !units.difference(&self.sets().red_or_cavalry).is_empty(),
                "without a red box only cavalry refuses (9.21)",
            ),
            (units.intersects(state.marked(Mark::Disorganised)), "somebody is disorganised (9.21)"),
            (self.any_in_reserve(state, &units), "its formation is in Reserve (5.32)"),
            (true, "no retreat of two hexes without a vacant enemy ZOC (R22)"),
        ])
    }

    fn why_no_reaction(&self, state: &State, unit: UnitId) -> Option<String> {
        let sets = self.sets();
        let bar = |mark| state.has(unit, mark);
        if !state.on_map.contains(unit) {
            return Some("it is not on the map".into());
        }
        first(&[
            (self.player(unit) != state.decider, "it is not the player's"),
            (!sets.combat.contains(unit), "leaders and fuel do not react (R7)"),
            (!sets.red.contains(unit), "who has no red box does not react (8.17)"),
            (bar(Mark::Reacted), "it has tried in this sequence (R7)"),
            (bar(Mark::Disorganised), "it is disorganised (3.72d)"),
            (bar(Mark::Unsupplied), "it is unsupplied (9.33)"),
            (bar(Mark::LowFuel), "it is low on fuel (6.44b)"),
            (self.in_zoc(state, state.at(unit), state.active), "it stands in an enemy ZOC (R7)"),
            (
                self.formation(unit).is_some_and(|formation| state.in_reserve(formation)),
                "its formation is in Reserve (5.32)",
            ),
            (
                self.formation(unit).is_some_and(|formation| state.unfuelled.contains(formation)),
                "its formation has no fuel (R5)",
            ),
            (true, "more hexes than allowed to an attack (R7)"),
        ])
    }

    fn why_no_stand(&self, state: &State, hex: Hex) -> Option<String> {
        let player = state.decider;
        let Some(attack) = state.attack_on(hex).map(|at| &state.attacks[at]) else {
            return Some("it is not attacked".into());
        };
        let combat = self.combat_units(state, hex, player);
        let steps: u8 = combat.iter().map(|unit| self.steps(state, unit)).sum();
        first(&[
            (attack.asked, "it has tried already"),
            (attack.refusal_failed, "its refusal has failed (9.42)"),
            (steps < self.rules.numbers.no_retreat_steps, "too few steps (9.42)"),
            (self.any_in_reserve(state, &combat), "its formation is in Reserve (5.32)"),
            (true, "no Fortified Position or Line, headquarters or leader there (9.42)"),
        ])
    }

    fn why_no_points(&self, state: &State, unit: UnitId, leader: UnitId) -> Option<String> {
        let spent = |unit: UnitId| !unit.is_none() && state.has(unit, Mark::Spent);
        first(&[
            (self.unit(unit).command == 0, "it has no command points"),
            (spent(unit) || spent(leader), "its points are spent (15.22)"),
            (state.has(unit, Mark::Disorganised), "it is disorganised (15.15)"),
            (!state.on_map.contains(unit), "it is not on the map"),
            (
                !leader.is_none() && state.at(leader) != state.at(unit),
                "the leader is not with the headquarters (15.32)",
            ),
            (true, "it is of another formation, or out of range (15.13, 15.14)"),
        ])
    }

    fn why_no_support(&self, state: &State, unit: UnitId) -> Option<String> {
        let data = self.unit(unit);
        first(&[
            (!self.sets().artillery.contains(unit), "it is no artillery"),
            (data.player != state.decider, "it is not the player's"),
            (!state.on_map.contains(unit), "it is not on the map (5.27)"),
            (state.has(unit, Mark::Fired), "it has fired (12.13d)"),
            (state.has(unit, Mark::Disorganised), "it is disorganised (12.13d)"),
            (data.support_attack_only && state.decider != state.active, "it supports attacks alone (A)"),
            (
                state.on_map.contains(unit)
                    && self.distance(state.at(unit), state.battle.target) > u32::from(data.range),
                "the hex is out of range (12.13a)",
            ),
            (true, "it is of another formation, pinned in an enemy ZOC, or one too many (12.13, 12.14)"),
        ])
    }

    fn why_no_lead(&self, state: &State, unit: UnitId) -> Option<String> {
        first(&[
            (self.player(unit) != state.decider, "it is not the player's"),
            (!self.sets().combat.contains(unit), "it is no combat unit"),
            (
                self.sets().headquarters.contains(unit),
                "a headquarters leads only alone or with others (15.12)",
            ),
            (true, "it is not among those who fight"),
        ])
    }
}
