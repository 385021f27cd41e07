//! What an attack is expected to bring: strengths, table, modifiers and losses of a force that attacks from given hexes, with
//! the ground and the lives that are at stake.

use sandtable_core::{Direction, Hex, Index};
use sandtable_roads_to_moscow::ids::{Hexes, Units, place};
use sandtable_roads_to_moscow::phase::Sequence;
use sandtable_roads_to_moscow::rules::{Crt, Water, Weather};
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::{FormationId, Mark, Player, RoadsToMoscow, State, UnitId};

use super::forecast::{self, Forecast};
use super::map_tables::{MapTables, POINT};
use super::survey::Survey;
use super::weights::Weights;

/// Most attackers of a force.
const FORCE: usize = 40;

/// What an attack below 1-1 must promise beyond any other, in steps of infantry.
const AGAINST_ODDS: f32 = 3.0;

/// What it is worth to clear an enemy from a road of supply for each own unit beyond him, times the weight of supply; how many
/// count.
const HOSTAGE: f32 = 0.07;
const MOST_HOSTAGES: u32 = 12;
/// Hexes from which a unit may come by Reaction Movement, at half its allowance.
const REACTION: u32 = 3;

/// Units that attack a hex, each from a hex beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Force {
    members: [(UnitId, Hex); FORCE],
    count: usize,
}

impl Force {
    pub const EMPTY: Force = Force { members: [(UnitId::NONE, place::OUT); FORCE], count: 0 };

    pub fn add(&mut self, unit: UnitId, from: Hex) {
        if self.count < FORCE {
            self.members[self.count] = (unit, from);
            self.count += 1;
        }
    }
    pub fn members(&self) -> &[(UnitId, Hex)] {
        &self.members[..self.count]
    }
    pub fn without(&self, at: usize) -> Force {
        let mut force = *self;
        force.members.copy_within(at + 1..force.count, at);
        force.count -= 1;
        force
    }
    /// Units where they stand.
    pub fn standing(state: &State, units: &Units) -> Force {
        let mut force = Force::EMPTY;
        for unit in *units {
            force.add(unit, state.at(unit));
        }
        force
    }
}

/// What is known of a battle beyond the ground troops.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Help {
    /// Expected artillery support of the attacker, before the cap, and of the defender.
    pub guns: [f32; 2],
    /// Expected modifiers of aircraft, attacker and defender, both positive.
    pub air: [f32; 2],
    /// Defence that is likely to come by Reaction Movement.
    pub relief: f32,
}

/// What an attack is expected to bring.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Prospect {
    /// Gain less losses, in steps of infantry.
    pub value: f32,
    pub forecast: Forecast,
    pub attack: f32,
    pub defence: f32,
    /// Ground and lives that a modifier of one point less would win, about.
    pub stake: f32,
}

/// The place of an appraisal.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub game: &'a RoadsToMoscow,
    pub tables: &'a MapTables,
    pub survey: &'a Survey,
    pub weights: &'a Weights,
    pub state: &'a State,
    pub player: Player,
    /// The kind of the sequence.
    pub sequence: Sequence,
}

impl Scene<'_> {
    /// Strongest efficiency among possible leads of these.
    fn lead(&self, units: &Units) -> f32 {
        let leads = self.game.possible_leads(units);
        leads.iter().map(|unit| self.game.efficiency(self.state, unit)).max().map_or(1.0, f32::from)
    }

    /// What the attack of a force on a hex is expected to bring, on the better table.
    pub fn appraise(&self, target: Hex, force: &Force, help: &Help) -> Prospect {
        let assault = self.on_table(target, force, help, Crt::Assault);
        if self.may_be_mobile(target, force) {
            let mobile = self.on_table(target, force, help, Crt::Mobile);
            if mobile.value > assault.value {
                return mobile;
            }
        }
        assault
    }

    fn crosses(&self, from: Hex, target: Hex, is: impl Fn(Direction) -> bool) -> bool {
        self.game.board().direction(from, target).is_some_and(is)
    }

    fn all(&self, target: Hex, force: &Force, is: impl Fn(Hex, Direction) -> bool) -> bool {
        force.members().iter().all(|&(_, from)| self.crosses(from, target, |way| is(from, way)))
    }

    fn is_behind_line(&self, target: Hex, force: &Force) -> bool {
        self.player == Player::German
            && self.game.map().beside_line.contains(target)
            && self.all(target, force, |from, way| {
                self.game.side(from, way).line_ahead && self.game.is_active_line(self.state, from, way)
            })
    }

    /// Whether the force may attack on the Mobile table (10.32, 10.33), as the rules ask of units that stand there.
    fn may_be_mobile(&self, target: Hex, force: &Force) -> bool {
        let (game, state) = (self.game, self.state);
        self.sequence == Sequence::Mobile
            && state.weather != Weather::Rain
            && force.members().iter().any(|&(unit, _)| game.sets().enables_mobile.contains(unit))
            && !game.map().towns.contains(target)
            && !state.positions[self.player.enemy().index()].contains(target)
            && !self.all(target, force, |from, way| game.side(from, way).water == Water::River)
            && !self.is_behind_line(target, force)
    }

    /// What an overrun is expected to bring (8.56): on the Mobile table, without coordination and support but of a gun in
    /// the hex beside troops; who does not clear the hex loses a step more (8.57).
    pub fn overrun(&self, target: Hex, force: &Force) -> Prospect {
        let (game, state) = (self.game, self.state);
        let defenders = game.combat_units(state, target, self.player.enemy());
        let guns = defenders.and(&game.sets().artillery);
        let silent = state.marked(Mark::Fired).or(state.marked(Mark::Disorganised));
        let fire = guns.difference(&silent).iter().map(|gun| f32::from(game.unit(gun).support));
        let support = if guns == defenders { 0.0 } else { fire.fold(0.0, f32::max) };
        let help = Help { guns: [0.0, support], ..Help::default() };
        let prospect = self.on_table(target, force, &help, Crt::Mobile);
        let step = |&(unit, _): &(UnitId, Hex)| self.tables.next_step(game, state, unit);
        let cheapest = force.members().iter().map(step).fold(f32::MAX, f32::min);
        let failed = (1.0 - prospect.forecast.cleared) * self.weights.loss * cheapest;
        Prospect { value: prospect.value - failed, ..prospect }
    }

    /// What an attack on this table is expected to bring.
    pub fn on_table(&self, target: Hex, force: &Force, help: &Help, crt: Crt) -> Prospect {
        let (game, state, sets) = (self.game, self.state, self.game.sets());
        let enemy = self.player.enemy();
        let defenders = game.combat_units(state, target, enemy);
        let table = &game.rules.results[crt as usize];

        // Strengths (10.5).
        let (mut near, mut across) = ([0u32; 2], [0u32; 2]);
        let mut units = Units::EMPTY;
        let mut from_hexes = Hexes::EMPTY;
        let mut formations = 0;
        let mut formation: Option<FormationId> = None;
        for &(unit, from) in force.members() {
            units.insert(unit);
            from_hexes.insert(from);
            if let Some(own) = game.formation(unit)
                && formation != Some(own)
            {
                formations += 1;
                formation = Some(own);
            }
            let unsupplied = usize::from(state.has(unit, Mark::Unsupplied));
            let river = self.crosses(from, target, |way| game.side(from, way).water == Water::River);
            let sums = if river { &mut across } else { &mut near };
            sums[unsupplied] += u32::from(game.offence(state, unit));
        }
        let [near, across] = [near, across].map(|[supplied, unsupplied]| supplied + unsupplied / 2);
        let attack = (near + across / 2) as f32;
        let guns = defenders.and(&sets.artillery);
        let sum =
            |units: &Units| -> f32 { units.iter().map(|unit| f32::from(game.defence(state, unit))).sum() };
        let line_troops = sum(&defenders.difference(&guns)) + help.relief;
        let swamp = if game.map().swamp.contains(target) { 0.5 } else { 1.0 };
        let attack_total = attack + (swamp * help.guns[0]).min(attack).floor();
        let defence_total = line_troops + sum(&guns) + (swamp * help.guns[1]).min(line_troops).floor();
        let Some(column) = forecast::column(table, attack_total, defence_total.max(1.0)) else {
            return Prospect {
                value: -5.0 - 2.0 * units.len() as f32,
                attack: attack_total,
                defence: defence_total,
                ..Prospect::default()
            };
        };

        // Modifiers (10.6).
        let chart = &game.rules.terrain;
        let numbers = &game.rules.numbers;
        let line = self.is_behind_line(target, force);
        let position = state.positions[enemy.index()].contains(target);
        let town = game.map().towns.contains(target);
        let works = match () {
            () if line => chart.fort_line_drm,
            () if position => chart.fortified_position_drm,
            () => 0,
        };
        let on_all = |is: bool, modifier: i8| if is { modifier } else { 0 };
        let mut modifier = game.map().terrain_drm[target.at()]
            + works
            + on_all(
                self.all(target, force, |from, way| game.side(from, way).unbridged() == Water::Stream),
                chart.stream_drm,
            )
            + on_all(self.all(target, force, |from, way| game.side(from, way).uphill), chart.slope_drm)
            + on_all(state.no_retreat.contains(target), numbers.no_retreat_drm);
        let fit = units.difference(state.marked(Mark::Disorganised));
        let red_defence = defenders.intersects(&sets.red_defence);
        if !town
            && works == 0
            && !red_defence
            && fit.intersects(&sets.armoured)
            && fit.intersects(&sets.combined_arms)
        {
            modifier += numbers.combined_arms_drm;
        }
        if (town || works > 0) && fit.intersects(&sets.engineers) {
            modifier += numbers.engineer_drm;
        }
        let own_lead = self.lead(&units);
        let coordination = &game.rules.coordination;
        // Ground coordination (10.43): the chance that it fails.
        let disorganised = units.intersects(state.marked(Mark::Disorganised));
        let checked = disorganised || from_hexes.len() > 1 && (crt == Crt::Mobile || formations > 1);
        let mut ground = 0.0;
        if checked {
            let mut drm = coordination.ground_each_hex * (from_hexes.len() as i8 - 1)
                + coordination.ground_each_formation * (formations - 1).max(0);
            if self.sequence == Sequence::Mobile {
                drm += coordination.ground_mobile;
            }
            if disorganised {
                drm += coordination.ground_disorganised;
            }
            if state.weather == Weather::Rain {
                drm += coordination.ground_rain;
            }
            let success = ((own_lead - f32::from(drm)) / 10.0).clamp(0.0, 1.0);
            ground = (1.0 - success) * f32::from(numbers.ground_failed_drm);
        }
        let modifier =
            f32::from(modifier) + self.lead(&defenders) - own_lead + ground + help.air[1] - help.air[0];
        let forecasts = &self.tables.forecasts[crt as usize];
        let now = forecast::at(forecasts, column, modifier);
        let attrition =
            (red_defence || defenders.intersects(&sets.armoured)) && units.intersects(&sets.armoured);
        let stakes = self.stakes(target, force, &units, &defenders, attrition);
        let mut value = stakes.of(&now);
        let better = stakes.of(&forecast::at(forecasts, column, modifier - 1.0));
        let stake = (better - value).max(0.0);
        // Against odds only the last turn gambles, and for points.
        let last = self.tables.is_last(state)
            && self.tables.points[target.at()] > 0.0
            && state.controller(target) != self.player;
        if attack_total < defence_total && !last {
            value -= AGAINST_ODDS;
        }
        Prospect { value, forecast: now, attack: attack_total, defence: defence_total, stake }
    }

    fn stakes(
        &self,
        target: Hex,
        force: &Force,
        units: &Units,
        defenders: &Units,
        attrition: bool,
    ) -> Stakes {
        let (game, state, tables, weights) = (self.game, self.state, self.tables, self.weights);
        let steps: f32 = defenders.iter().map(|unit| f32::from(game.steps(state, unit))).sum();
        let lives: f32 = defenders.iter().map(|unit| tables.worth(game, state, unit)).sum();
        let cheapest = |wanted: &Units| {
            wanted.iter().map(|unit| tables.next_step(game, state, unit)).fold(f32::MAX, f32::min)
        };
        let mean: f32 = units.iter().map(|unit| tables.next_step(game, state, unit)).sum::<f32>()
            / units.len().max(1) as f32;
        let armour = if attrition { cheapest(&units.and(&game.sets().armoured)) } else { 0.0 };
        let exits = self.exits(target, force);
        // Ground: an objective, a hex in the enemy's way, the way on.
        let objective =
            if state.controller(target) == self.player { 0.0 } else { tables.points[target.at()] };
        let here = self.survey.progress(target);
        let back =
            force.members().iter().map(|&(_, from)| self.survey.progress(from)).fold(f32::MIN, f32::max);
        let strength: f32 =
            units.iter().map(|unit| f32::from(game.offence(state, unit))).sum::<f32>().min(16.0);
        let ground = weights.prize * POINT * objective
            + weights.pull * (here - back).clamp(0.0, 6.0) * strength / 4.0
            + 0.3 * self.survey.block[target.at()]
            + if self.survey.blockers.contains(target) {
                self.road()
            } else {
                HOSTAGE * weights.supply * self.survey.hostages(tables, target).min(MOST_HOSTAGES) as f32
            }
            + 0.15;
        Stakes {
            step: weights.kill * lives / steps.max(1.0),
            steps: steps.max(1.0),
            lives: weights.kill * lives,
            loss: weights.loss * 0.5 * (mean + cheapest(units)),
            armour: weights.loss * armour,
            ground,
            trapped: weights.encircle
                * if exits == 0 {
                    0.9
                } else if exits == 1 {
                    0.25
                } else {
                    0.05
                },
            units: units.len() as f32,
        }
    }

    /// Hexes to which the defenders could retreat, with the force in place.
    fn exits(&self, target: Hex, force: &Force) -> usize {
        let (game, state) = (self.game, self.state);
        let (own, enemy) = (self.player.index(), self.player.enemy().index());
        Direction::ALL
            .into_iter()
            .filter(|&way| {
                let to = game.neighbour(target, way);
                is_hex(to)
                    && !state.occupied[own].contains(to)
                    && !game.side(target, way).is_open_river()
                    && (state.occupied[enemy].contains(to)
                        || !state.zoc[own].contains(to)
                            && !force.members().iter().any(|&(_, from)| game.distance(from, to) <= 1))
            })
            .count()
    }

    /// Expected help of guns and aircraft in an attack on a hex: `guns` are the attacker's that may fire, `usable` tells
    /// whether one will be in range.
    pub fn help(&self, target: Hex, guns: &Units, in_range: impl Fn(UnitId) -> bool) -> Help {
        let (game, state) = (self.game, self.state);
        let enemy = self.player.enemy();
        let coordination = &game.rules.coordination;
        let rain = state.weather == Weather::Rain;
        let mobile = self.sequence == Sequence::Mobile;
        let mut drm = [0i8; 2];
        if mobile {
            drm[0] += coordination.artillery_mobile_attacker;
            drm[1] += coordination.artillery_mobile_defender;
        }
        if rain {
            drm = drm.map(|drm| drm + coordination.artillery_rain);
        }
        let part = |unit: UnitId, drm: i8| {
            let success = ((f32::from(game.efficiency(state, unit)) - f32::from(drm)) / 10.0).clamp(0.0, 1.0);
            success + 0.4 * (1.0 - success)
        };
        let mut attacking = [0.0f32; 2];
        for unit in *guns {
            if in_range(unit) {
                push(&mut attacking, f32::from(game.unit(unit).support) * part(unit, drm[0]));
            }
        }
        let silent = state.marked(Mark::Fired).or(state.marked(Mark::Disorganised));
        let batteries =
            game.sets().artillery.and(game.units_of(enemy)).and(&state.on_map).difference(&silent);
        let mut defending = [0.0f32; 2];
        for unit in batteries {
            let data = game.unit(unit);
            if !data.support_attack_only && game.distance(state.at(unit), target) <= u32::from(data.range) {
                push(&mut defending, f32::from(data.support) * part(unit, drm[1]));
            }
        }
        Help {
            guns: [attacking.iter().sum(), 0.7 * defending.iter().sum::<f32>()],
            air: [self.air(self.player, target, 7), 0.4 * self.air(enemy, target, 4)],
            relief: 0.0,
        }
    }

    /// Defence that is likely to come to an attacked hex (9.3): red boxes near it, out of zones, in good order.
    pub fn relief(&self, target: Hex) -> f32 {
        let (game, state) = (self.game, self.state);
        let enemy = self.player.enemy();
        let sets = game.sets();
        let troops = sets.red.and(&sets.combat).difference(&sets.headquarters);
        let mut ready = troops.and(game.units_of(enemy)).and(&state.on_map);
        for mark in [Mark::Reacted, Mark::Disorganised, Mark::Unsupplied, Mark::LowFuel] {
            ready = ready.difference(state.marked(mark));
        }
        let there = game.combat_units(state, target, enemy);
        let room = game.rules.numbers.stacking.saturating_sub(game.stacking(&there));
        let mut best = [0.0f32; 2];
        for unit in ready {
            let hex = state.at(unit);
            let distance = game.distance(hex, target);
            if (1..=REACTION).contains(&distance)
                && game.unit(unit).stacking <= room
                && !game.in_zoc(state, hex, self.player)
            {
                let success = f32::from(game.efficiency(state, unit)) / 10.0;
                push(&mut best, 0.6 * success * f32::from(game.defence(state, unit)));
            }
        }
        if room > 3 { best[0] + best[1] } else { best[0] }
    }

    /// Expected modifier of a side's aircraft at a hex, if a headquarters is near enough.
    fn air(&self, player: Player, target: Hex, range: u32) -> f32 {
        let (game, state) = (self.game, self.state);
        if state.ready.is_empty() {
            return 0.0;
        }
        let staffs = game.sets().headquarters.and(game.units_of(player)).and(&state.on_map);
        if !staffs.iter().any(|unit| game.distance(state.at(unit), target) <= range) {
            return 0.0;
        }
        let coordination = &game.rules.coordination;
        let mut drm = match state.weather {
            Weather::Dry => 0,
            Weather::Overcast => coordination.cas_overcast,
            Weather::Rain => coordination.cas_rain,
        };
        if self.sequence == Sequence::Mobile {
            drm += coordination.cas_mobile;
        }
        if player == Player::Soviet {
            drm += coordination.cas_soviet;
        }
        let mut best = [0.0f32; 2];
        for unit in state.ready {
            let data = &game.rules.air[unit.at()];
            if data.player == player {
                let success = ((f32::from(data.efficiency) - f32::from(drm)) / 10.0).clamp(0.0, 1.0);
                push(&mut best, success * f32::from(data.cas));
            }
        }
        0.7 * best.iter().sum::<f32>()
    }
}

/// Keeps the two largest.
fn push(best: &mut [f32; 2], value: f32) {
    if value > best[0] {
        *best = [value, best[0]];
    } else if value > best[1] {
        best[1] = value;
    }
}

/// What is won and lost in a combat.
struct Stakes {
    step: f32,
    steps: f32,
    lives: f32,
    loss: f32,
    armour: f32,
    ground: f32,
    trapped: f32,
    units: f32,
}

impl Stakes {
    fn of(&self, forecast: &Forecast) -> f32 {
        let killed = forecast.defender_steps.min(self.steps) * self.step;
        let rest = (self.lives - killed).max(0.0);
        let cleared = forecast.cleared * (self.ground + self.trapped * rest)
            + forecast.eliminated * (1.0 - self.trapped).max(0.0) * rest;
        let won = killed + cleared + 0.35 * forecast.defender_disorganised * self.steps.min(4.0) * 0.5;
        let lost = forecast.attacker_steps * self.loss
            + forecast.red * self.armour
            + forecast.thrown_back * 0.25
            + forecast.attacker_disorganised * 0.15 * self.units;
        won - lost
    }
}

#[cfg(test)]
mod tests {
    use sandtable_roads_to_moscow::editor::Editor;
    use sandtable_roads_to_moscow::ids::hex;

    use super::super::survey::View;
    use super::*;
    use crate::fixture::open;

    /// What a scene of the German's Assault Sequence says.
    fn ask<T>(state: &State, game: &RoadsToMoscow, tables: &MapTables, ask: impl Fn(&Scene<'_>) -> T) -> T {
        let survey = Survey::new();
        let weights = Weights::of(Player::German, true);
        let (player, sequence) = (Player::German, Sequence::Assault);
        ask(&Scene { game, tables, survey: &survey, weights: &weights, state, player, sequence })
    }

    #[test]
    fn against_odds_only_the_last_turn_attacks_and_for_points() {
        let (game, tables) = open("mozhaysk");
        // A battalion against two in a hex, from one beside it.
        let value = |turn: u8, target: u16, from: u16| {
            let mut editor = Editor::new(&game);
            editor.clear().turn(turn).place("g_10pz_I_69", from);
            for unit in ["s_20t_I", "s_20t_II"] {
                editor.place(unit, target);
            }
            let state = editor.finish();
            let force = Force::standing(&state, &Units::one(game.rules.unit("g_10pz_I_69").unwrap()));
            let prospect =
                ask(&state, &game, &tables, |scene| scene.appraise(hex(target), &force, &Help::default()));
            // Against odds, but not below the tables.
            assert!(prospect.attack < prospect.defence && prospect.forecast != Forecast::default());
            prospect.value
        };
        let [points, none] = [(2623, 2722), (1011, 1010)].map(|(target, from)| {
            assert_eq!(tables.points[hex(target).at()] > 0.0, target == 2623);
            value(tables.turns, target, from) - value(tables.turns - 1, target, from)
        });
        assert!((points - AGAINST_ODDS).abs() < 1e-3 && none.abs() < 1e-3, "{points} {none}");
    }

    /// 11.23: whatever else the result costs.
    #[test]
    fn a_red_result_costs_a_step_of_the_armour_that_may_lose_one() {
        let (game, tables) = open("mozhaysk");
        let mut editor = Editor::new(&game);
        editor.clear().place("g_ssr_stug", 1010).place("g_ssr_I_D", 1010);
        editor.place("s_20t_I", 1011).place("s_32_I_17", 2020);
        let state = editor.finish();
        let unit = |id: &str| game.rules.unit(id).unwrap();
        let stug = unit("g_ssr_stug");
        let red = Forecast { red: 1.0, ..Forecast::default() };
        let cost = |units: &Units, target: u16| {
            let force = Force::standing(&state, units);
            let defenders = game.combat_units(&state, hex(target), Player::Soviet);
            let armoured = &game.sets().armoured;
            let liable = defenders.intersects(armoured) && units.intersects(armoured);
            let of = |forecast: &Forecast| {
                ask(&state, &game, &tables, |scene| {
                    scene.stakes(hex(target), &force, units, &defenders, liable).of(forecast)
                })
            };
            of(&Forecast::default()) - of(&red)
        };
        let worth = tables.next_step(&game, &state, stug);
        let both = Units::one(stug).or(&Units::one(unit("g_ssr_I_D")));
        assert!(worth > 2.0 && (cost(&both, 1011) - worth).abs() < 1e-5, "{} of {worth}", cost(&both, 1011));
        assert!(cost(&Units::one(unit("g_ssr_I_D")), 1011).abs() < 1e-5);
        assert!(cost(&both, 2020).abs() < 1e-5);
    }

    #[test]
    fn an_enemy_by_the_road_is_worth_an_attack_for_those_who_live_beyond_him() {
        let (game, tables) = open("road-to-mtsensk");
        let mut editor = Editor::new(&game);
        editor.clear().control_all(Player::German);
        for unit in ["g_4pz_I_33", "g_4pz_II_33", "g_4pz_I_12"] {
            editor.place(unit, 2417);
        }
        let state = editor.finish();
        let weights = Weights::of(Player::German, true);
        let mut survey = Survey::new();
        survey.take(&game, &tables, &state, Player::German, &weights, View::All);
        let home = |at: Hex| tables.home[Player::German.index()][at.at()];
        let behind = survey.roads.iter().find(|&at| home(at) + 20 < home(hex(2417))).unwrap();
        let troops = game.combat_units(&state, hex(2417), Player::German);
        let ground = |survey: &Survey| {
            let (player, sequence) = (Player::German, Sequence::Assault);
            let scene = Scene {
                game: &game,
                tables: &tables,
                survey,
                weights: &weights,
                state: &state,
                player,
                sequence,
            };
            scene.stakes(behind, &Force::standing(&state, &troops), &troops, &Units::EMPTY, false).ground
        };
        let before = ground(&survey);
        survey.look_for_closed_roads(&game, &tables, &state);
        let gained = ground(&survey) - before;
        assert!(gained > 0.3 && (gained - 3.0 * HOSTAGE * weights.supply).abs() < 1e-4, "{gained}");
    }

    #[test]
    fn relief_comes_from_near_if_there_is_room() {
        let (game, tables) = open("mozhaysk");
        let relief = |from: u16, full: bool| {
            let mut editor = Editor::new(&game);
            editor.clear().place("s_32_I_17", 2623).place("s_20t_I", from);
            if full {
                for unit in ["s_32_II_17", "s_32_III_17", "s_32_I_113", "s_32_II_113"] {
                    editor.place(unit, 2623);
                }
            }
            let state = editor.finish();
            ask(&state, &game, &tables, |scene| scene.relief(hex(2623)))
        };
        assert!(relief(2422, false) > 0.5);
        assert!(relief(1922, false) <= 0.0, "too far");
        assert!(relief(2422, true) <= 0.0, "no room");
    }
}
