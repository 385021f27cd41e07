//! What it is worth to stand in a hex.

use sandtable_core::{Direction, Hex, Index};
use sandtable_roads_to_moscow::ids::Units;
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::tables::HEXES;
use sandtable_roads_to_moscow::{Player, RoadsToMoscow, State, UnitId};

use super::assault::Scene;
use super::map_tables::POINT;

/// Offence that fits around a hex, about.
const MOST_THREAT: f32 = 40.0;

/// Half points of way beyond which a unit without supply is lost anyway.
const LONG: u16 = 100;

/// Units without supply beyond which a road is not worth more.
const MOST_CUT_OFF: u32 = 12;

/// Hexes within which the enemy is near an objective, whatever lies between.
const NEARBY: usize = 4;

/// What of the danger to stand alone remains among troops that the enemy can reach.
const IN_THE_LINE: f32 = 0.25;

/// A stack that looks for a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stack {
    pub defence: f32,
    pub offence: f32,
    pub worth: f32,
    pub foot: bool,
    /// Guns, headquarters, leaders, fuel: they keep behind the troops.
    pub rear: bool,
    /// Of them those who add nothing to a defence: headquarters, leaders, guns that support attacks alone.
    pub apart: bool,
}

impl Stack {
    pub fn of(scene: &Scene<'_>, units: &Units) -> Stack {
        let (game, state) = (scene.game, scene.state);
        let sets = game.sets();
        let mut stack = Stack { defence: 0.0, offence: 0.0, worth: 0.0, foot: true, rear: true, apart: true };
        for unit in *units {
            stack.defence += f32::from(game.defence(state, unit));
            stack.offence += f32::from(game.offence(state, unit));
            stack.worth += scene.tables.worth(game, state, unit);
            stack.foot &= sets.foot.contains(unit);
            let behind = sets.artillery.contains(unit)
                || sets.headquarters.contains(unit)
                || !sets.combat.contains(unit);
            stack.rear &= behind;
            let supports = sets.artillery.contains(unit) && !game.unit(unit).support_attack_only;
            stack.apart &= behind && !supports && !sets.fuel.contains(unit);
        }
        stack
    }
}

impl Scene<'_> {
    /// Share of its lives that a defence in a hex would lose to what the enemy could bring there.
    pub fn peril(&self, hex: Hex, defence: f32) -> f32 {
        let threat = self.survey.threat[hex.at()].min(MOST_THREAT);
        if threat <= 0.0 {
            return 0.0;
        }
        let works = if self.state.positions[self.player.index()].contains(hex) { 1.0 } else { 0.0 };
        let cover = 1.0 + 0.2 * (f32::from(self.game.map().terrain_drm[hex.at()]) + works);
        let odds = threat / (cover * defence.max(0.5));
        (0.16 * (odds - 0.8)).clamp(0.0, 0.9)
    }

    /// Chance that guns, headquarters and the like in a hex are overtaken, `company` standing by them.
    pub fn exposure(&self, hex: Hex, company: f32) -> f32 {
        let survey = self.survey;
        let danger = survey.threat[hex.at()].max(0.6 * survey.menace[hex.at()]);
        if danger <= 0.0 {
            return 0.0;
        }
        let cover = company + 0.3 * survey.guard[hex.at()] + 1.0;
        ((danger / cover - 0.8) / 2.5).clamp(0.0, 1.0)
    }

    /// Sides by which troops in a hex cannot get away: enemies, their zones, rivers, the edge.
    fn closed_sides(&self, hex: Hex) -> usize {
        let (own, enemy) = (self.player.index(), self.player.enemy().index());
        Direction::ALL
            .into_iter()
            .filter(|&way| {
                let to = self.game.neighbour(hex, way);
                !is_hex(to)
                    || self.state.occupied[enemy].contains(to)
                    || self.state.zoc[enemy].contains(to) && !self.state.occupied[own].contains(to)
                    || self.game.side(hex, way).is_open_river()
            })
            .count()
    }

    /// Worth of a stack standing in a hex at the end of the phase, beside `company` of own defence there.
    pub fn post(&self, stack: &Stack, hex: Hex, company: f32) -> f32 {
        let (survey, tables, weights, state) = (self.survey, self.tables, self.weights, self.state);
        let total = stack.defence + company;
        let mut worth = 0.0;
        // Ground to be taken.
        let at = &tables.points;
        if at[hex.at()] > 0.0 && state.controller(hex) != self.player {
            worth += weights.prize * POINT * at[hex.at()];
        }
        worth += weights.pull * survey.progress(hex) * (0.3 + stack.offence / 4.0);
        // Ground to be held.
        worth += survey.block[hex.at()] * (survey.hold(hex, total) - survey.hold(hex, company));
        // Danger.
        let peril = self.peril(hex, total);
        if peril > 0.0 {
            let closed = self.closed_sides(hex) as f32;
            let trapped = 1.0 + 0.15 * (closed - 2.0).max(0.0);
            worth -= weights.fear * peril * trapped * stack.worth;
        }
        // A road that brings supply to others, and the enemies on it.
        if survey.cut_off > 0 {
            if survey.closed_road.contains(hex) {
                worth += self.road();
            }
            worth += stack.offence.min(8.0) / 4.0 * self.road() * survey.call(hex);
        }
        worth - self.out_of_supply(hex, stack)
    }

    /// What it is worth to open the road of supply that is closed.
    pub fn road(&self) -> f32 {
        0.12 * self.weights.supply * self.survey.cut_off.min(MOST_CUT_OFF) as f32
    }

    /// What it costs a stack to stand where supply does not reach: the more, the longer the way back to it.
    pub fn out_of_supply(&self, hex: Hex, stack: &Stack) -> f32 {
        if self.survey.supplies(hex, stack.foot) {
            return 0.0;
        }
        let back = f32::from(self.tables.home[self.player.index()][hex.at()].min(LONG));
        self.weights.supply * (0.6 * stack.worth + 0.5) * (0.7 + 0.012 * back)
    }

    /// What guns, headquarters and others behind the troops risk in a hex, `company` of troops standing by them: to be
    /// run down by a column, and to fall to whoever comes along.
    pub fn danger(&self, hex: Hex, stack: &Stack, company: f32) -> f32 {
        let near = self.survey.enemy_distance(hex);
        // Who adds nothing to a defence better stands behind it than in it.
        let least = if stack.apart { IN_THE_LINE } else { 0.0 };
        let alone = (1.0 - company / 4.0).max(least);
        // A screen of troops and their zones helps, but it may break.
        let close = 0.15 * ((7.0 - near as f32) / 4.0).clamp(0.0, 1.0) + 0.85 * self.survey.risk(hex);
        // In the front line they share the fate of the troops.
        let front = [1.0, 1.0, 0.4].get(near).map_or(0.0, |share| share * (0.8 + 0.4 * stack.worth));
        2.0 * self.exposure(hex, company) * (0.5 + stack.worth)
            + alone * close * (0.8 + 1.3 * stack.worth)
            + front
    }

    /// What it costs to leave a hex, `company` of own defence staying behind: nothing, but for an objective that is left
    /// empty while the enemy is near or can come by a raid.
    pub fn leaving(&self, hex: Hex, company: f32) -> f32 {
        let points = self.tables.points[hex.at()];
        let comes = self.survey.enemy_distance(hex) <= NEARBY || self.survey.risk(hex) > 0.0;
        if points > 0.0 && company <= 0.0 && comes { self.weights.prize * POINT * points } else { 0.0 }
    }

    /// What it is worth that troops stand in an own objective which the enemy can reach.
    pub fn garrison(&self, hex: Hex) -> f32 {
        let points = self.tables.points[hex.at()];
        if points <= 0.0 || self.state.controller(hex) != self.player {
            return 0.0;
        }
        let late = if self.tables.is_late(self.state) { 1.0 } else { 0.5 };
        self.weights.prize * POINT * points * late * self.survey.risk(hex)
    }
}

/// Stacking points and defence in each hex as a plan fills it.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    pub points: Vec<u8>,
    pub defence: Vec<f32>,
    /// Of that what troops give: neither guns nor headquarters.
    pub troops: Vec<f32>,
}

impl Crowd {
    pub fn new() -> Crowd {
        Crowd { points: vec![0; HEXES], defence: vec![0.0; HEXES], troops: vec![0.0; HEXES] }
    }

    fn add(&mut self, game: &RoadsToMoscow, state: &State, unit: UnitId, hex: Hex, sign: f32) {
        let defence = sign * f32::from(game.defence(state, unit));
        self.defence[hex.at()] += defence;
        let sets = game.sets();
        if !sets.artillery.contains(unit) && !sets.headquarters.contains(unit) {
            self.troops[hex.at()] += defence;
        }
    }

    pub fn take(&mut self, game: &RoadsToMoscow, state: &State, player: Player) {
        self.points.fill(0);
        self.defence.fill(0.0);
        self.troops.fill(0.0);
        for unit in state.on_map.and(game.units_of(player)) {
            self.come(game, state, unit, state.at(unit));
        }
    }

    pub fn come(&mut self, game: &RoadsToMoscow, state: &State, unit: UnitId, hex: Hex) {
        self.points[hex.at()] += game.unit(unit).stacking;
        self.add(game, state, unit, hex, 1.0);
    }

    pub fn go(&mut self, game: &RoadsToMoscow, state: &State, unit: UnitId, hex: Hex) {
        self.points[hex.at()] -= game.unit(unit).stacking;
        self.add(game, state, unit, hex, -1.0);
    }
}

#[cfg(test)]
mod tests {
    use sandtable_roads_to_moscow::editor::Editor;
    use sandtable_roads_to_moscow::ids::{Hexes, hex};
    use sandtable_roads_to_moscow::phase::Sequence;

    use super::super::survey::{Prey, Survey, View};
    use super::super::weights::Weights;
    use super::*;
    use crate::fixture::open;

    /// What it costs the last German battalion in 3219 to leave it, with the enemy's nearest so far away.
    #[test]
    fn the_last_in_an_objective_stays_while_a_raid_can_come() {
        let (game, tables) = open("mozhaysk");
        let weights = Weights::of(Player::German, true);
        let cost = |enemy: u16, company: f32| {
            let mut editor = Editor::new(&game);
            editor.clear().control_all(Player::German).place("g_10pz_I_69", 3219).place("s_18t_I", enemy);
            let state = editor.finish();
            let mut survey = Survey::new();
            survey.take(&game, &tables, &state, Player::German, &weights, View::All);
            survey.look_for_raids(&game, &tables, &state, &Hexes::EMPTY, Prey::Objectives);
            let (player, sequence) = (Player::German, Sequence::Mobile);
            let scene = Scene {
                game: &game,
                tables: &tables,
                survey: &survey,
                weights: &weights,
                state: &state,
                player,
                sequence,
            };
            (
                survey.enemy_distance(hex(3219)),
                survey.risk(hex(3219)) > 0.0,
                scene.leaving(hex(3219), company),
            )
        };
        let worth = weights.prize * POINT * tables.points[hex(3219).at()];
        let (far, raided, left) = cost(2418, 0.0);
        assert!(far > 4 && raided, "{far}");
        assert!((left - worth).abs() < 1e-6, "{left}");
        // Others stay, or nobody can come.
        assert!(cost(2418, 3.0).2 <= 0.0);
        assert!(!cost(1001, 0.0).1 && cost(1001, 0.0).2 <= 0.0);
    }

    #[test]
    fn who_adds_nothing_to_a_defence_does_not_stand_in_the_line() {
        let (game, tables) = open("mozhaysk");
        let weights = Weights::of(Player::Soviet, false);
        let mut editor = Editor::new(&game);
        editor.clear().place("g_10pz_I_69", 3219);
        let state = editor.finish();
        let mut survey = Survey::new();
        survey.take(&game, &tables, &state, Player::Soviet, &weights, View::All);
        survey.look_for_raids(&game, &tables, &state, &Hexes::EMPTY, Prey::rear(true));
        let (player, sequence) = (Player::Soviet, Sequence::Mobile);
        let scene = Scene {
            game: &game,
            tables: &tables,
            survey: &survey,
            weights: &weights,
            state: &state,
            player,
            sequence,
        };
        let stack = |id: &str| Stack::of(&scene, &Units::one(game.rules.unit(id).unwrap()));
        // Among so many troops nobody is alone.
        let danger = |id: &str, number: u16| {
            let stack = stack(id);
            let apart = scene.danger(hex(number), &stack, 12.0);
            apart - scene.danger(hex(number), &Stack { apart: false, ..stack }, 12.0)
        };
        let [near, far] = [2918, 1011];
        assert!(survey.risk(hex(near)) > 0.0 && survey.risk(hex(far)) <= 0.0);
        for id in ["s_32_hq", "s_gm1_m"] {
            assert!(danger(id, near) > 0.2 && danger(id, far).abs() < 1e-6, "{id}: {}", danger(id, near));
        }
        assert!(!stack("s_572").apart && danger("s_572", near).abs() < 1e-6);
    }
}
