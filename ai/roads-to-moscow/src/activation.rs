//! Which formation is played when, and how: markers, the pool, combining, Mobile or Assault, fuel, Army units, digging,
//! Reserve, optional groups.

use sandtable_ai::policy::best_action;
use sandtable_core::Index;
use sandtable_roads_to_moscow::ids::{Formations, Hexes, Units, place};
use sandtable_roads_to_moscow::phase::Sequence;
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::{Action, FormationId, Mark, Marker, Player, State, UnitId};

use super::map_tables::POINT;
use super::plan::Brief;
use super::scripted::Scripted;
use super::survey::View;

/// Hexes from the enemy within which an Assault Sequence may bring something.
const CONTACT: usize = 6;
/// What speaks for an activation of what guns, headquarters and others behind the troops gain by their new places.
const REAR_SHARE: f32 = 0.5;

impl Scripted {
    // ---- the Strategic Segment ----

    /// An optional group is worth its fights, and costs what it gives the enemy.
    pub(super) fn groups(&self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let left = f32::from(self.tables.turns + 1 - brief.state.turn) / 12.0;
        best_action(legal, |action| match action {
            Action::Group(group) => {
                let group = &brief.game.rules.groups[usize::from(group)];
                let worth: f32 =
                    group.units.iter().map(|unit| self.tables.steps[unit.at()]).map(|[a, b]| a + b).sum();
                brief.weights.groups * worth * left.min(0.5) - POINT * f32::from(group.cost)
            }
            _ => 0.0,
        })
    }

    /// Reserve is for formations that have nobody to lead for two turns.
    pub(super) fn reserve(&self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let (game, state) = (brief.game, brief.state);
        let idle = |formation: FormationId| {
            game.units_in(formation).iter().all(|unit| {
                !is_hex(state.at(unit))
                    && (state.at(unit) != place::AWAITING
                        || game.sets().entry_turn[unit.at()] > state.turn + 2)
            })
        };
        let idle = legal.iter().copied().find(|&action| match action {
            Action::Formation(formation) => idle(formation),
            _ => false,
        });
        idle.or(Some(Action::Pass))
    }

    // ---- the cup and the pool ----

    /// How much the formation of a marker has to do now.
    fn work_of(&self, brief: &Brief<'_>, marker: Marker) -> f32 {
        let game = brief.game;
        let formation = game.formation_of(marker);
        if game.rules.formations[formation.at()].any {
            return self.best_formation(brief, None).map_or(0.0, |(_, work)| work) - 0.5;
        }
        self.work(brief, formation)
    }

    /// How much a formation has to do now: troops near the enemy, troops to come.
    pub(super) fn work(&self, brief: &Brief<'_>, formation: FormationId) -> f32 {
        let (game, state, survey) = (brief.game, brief.state, &self.planner.survey);
        game.units_in(formation)
            .iter()
            .map(|unit| {
                let at = state.at(unit);
                let strength = f32::from(game.offence(state, unit) + game.defence(state, unit)) / 8.0;
                if !is_hex(at) {
                    let comes = at == place::AWAITING && game.sets().entry_turn[unit.at()] <= state.turn;
                    return if comes { 0.6 * strength } else { 0.0 };
                }
                let share = match survey.enemy_distance(at) {
                    0..=1 => 1.0,
                    2..=4 => 0.8,
                    5..=7 => 0.5,
                    _ => 0.3,
                };
                strength * share
            })
            .sum()
    }

    fn best_formation(&self, brief: &Brief<'_>, legal: Option<&[Action]>) -> Option<(FormationId, f32)> {
        let state = brief.state;
        let mut best: Option<(FormationId, f32)> = None;
        for formation in brief.game.marker_sets().formations_of[brief.player.index()] {
            if legal.is_some_and(|legal| !legal.contains(&Action::Formation(formation))) {
                continue;
            }
            // Who has its markers in the cup still acts without it.
            let waiting = brief.game.marker_sets().of_formation[formation.at()]
                .and(&state.in_play)
                .difference(&state.played);
            let work = self.work(brief, formation) * if waiting.is_empty() { 1.0 } else { 0.7 };
            if best.is_none_or(|(_, known)| work > known) {
                best = Some((formation, work));
            }
        }
        best
    }

    pub(super) fn leave_out(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        self.look(brief, View::Front);
        best_action(legal, |action| match action {
            Action::LeaveOut(marker) => -self.work_of(brief, marker),
            _ => f32::MIN,
        })
    }

    /// The marker with more to do; both together if they stand side by side.
    pub(super) fn marker(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        self.look(brief, View::Front);
        best_action(legal, |action| match action {
            Action::Marker(marker) => self.work_of(brief, marker),
            Action::Combine(marker) => {
                let formation = brief.game.formation_of(marker);
                let own = self.work(brief, formation);
                let others = legal.iter().filter_map(|&other| match other {
                    Action::Marker(other) if other != marker => Some(brief.game.formation_of(other)),
                    _ => None,
                });
                let beside = others.map(|other| self.beside(brief, formation, other)).fold(0.0, f32::max);
                let value = f32::from(brief.game.rules.formations[formation.at()].combination);
                own + beside * (0.3 + 0.1 * value) - 0.6
            }
            _ => f32::MIN,
        })
    }

    /// Strength with which two formations face the same enemies.
    fn beside(&self, brief: &Brief<'_>, one: FormationId, other: FormationId) -> f32 {
        let (game, state, survey) = (brief.game, brief.state, &self.planner.survey);
        let front = |formation| {
            game.units_in(formation).and(&state.on_map).filter(|unit| survey.near[2].contains(state.at(unit)))
        };
        let (a, b) = (front(one), front(other));
        let close = |unit: UnitId, others: &Units| {
            others.iter().any(|mate| game.distance(state.at(unit), state.at(mate)) <= 2)
        };
        a.iter().filter(|&unit| close(unit, &b)).map(|unit| f32::from(game.offence(state, unit)) / 8.0).sum()
    }

    // ---- the sequence ----

    /// The kind of sequence that promises more; a marker with nothing to do goes into the pool.
    pub(super) fn sequence(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let state = brief.state;
        let any = |marker: Marker| {
            let formation = brief.game.formation_of(marker);
            brief.game.rules.formations[formation.at()].any
        };
        let formations = match state.drawn {
            Some(marker) if any(marker) => {
                self.look(brief, View::Front);
                self.best_formation(brief, None).map(|(formation, _)| formation).into_iter().collect()
            }
            Some(marker) => std::iter::once(brief.game.formation_of(marker)).collect(),
            None => state.formations,
        };
        let actors = self.company(brief, formations);
        // The Mobile Sequence last: it is the one that is usually carried out.
        let mut value = [0.0; 2];
        let mut rear_gain = 0.0;
        self.look(brief, View::Front);
        let contact = &self.planner.survey.near[CONTACT];
        let troops = actors.and(&brief.game.sets().combat).and(&state.on_map);
        let near = troops.iter().any(|unit| contact.contains(state.at(unit)));
        for (at, sequence) in [Sequence::Mobile, Sequence::Assault].into_iter().enumerate().rev() {
            // Far from the enemy half the movement is no choice.
            if sequence == Sequence::Assault && !near {
                value[at] = f32::MIN;
                continue;
            }
            let rear = sequence == Sequence::Mobile;
            value[at] = self.planner.make(&Brief { sequence, actors: &actors, ..*brief }, rear);
            if rear {
                rear_gain = self.planner.rear_gain;
            }
        }
        self.planner.forget();
        value[1] += brief.weights.assault + self.works(brief, &actors);
        // A formation whose troops stay still brings what stands behind them out of danger, with the whole of its movement.
        let rear = if brief.attacks { 0.0 } else { REAR_SHARE * rear_gain };
        let most = (value[0] + rear).max(value[1]);
        if most < brief.weights.patience && legal.contains(&Action::Pass) {
            return Action::Pass;
        }
        if value[1] > value[0] { Action::Assault } else { Action::Mobile }
    }

    /// Units that would act with these formations: their own, leaders, fuel, and Army units in command range.
    fn company(&self, brief: &Brief<'_>, formations: Formations) -> Units {
        let (game, state) = (brief.game, brief.state);
        let sets = game.sets();
        let own = formations.iter().fold(Units::EMPTY, |all, formation| all.or(game.units_in(formation)));
        let staffs = own.and(&sets.headquarters).and(&state.on_map);
        let used = state.marked(Mark::UsedTwice).or(&state.marked(Mark::UsedOnce).and(&sets.foot));
        let army = sets.army.and(game.units_of(brief.player)).difference(&used).filter(|unit| {
            let at = state.at(unit);
            !is_hex(at) || staffs.iter().any(|staff| game.in_command_range(state.at(staff), at))
        });
        let helpers = sets
            .leaders
            .or(&sets.fuel)
            .and(game.units_of(brief.player))
            .difference(state.marked(Mark::UsedTwice));
        own.or(&army).or(&helpers)
    }

    /// What digging in would add to an Assault Sequence.
    fn works(&self, brief: &Brief<'_>, actors: &Units) -> f32 {
        let wanted =
            actors.and(&brief.game.sets().digs).iter().map(|unit| self.site(brief, unit)).fold(0.0, f32::max);
        0.5 * wanted
    }

    /// What a Fortified Position where a unit stands would be worth.
    fn site(&self, brief: &Brief<'_>, unit: UnitId) -> f32 {
        let (game, state, survey) = (brief.game, brief.state, &self.planner.survey);
        if !is_hex(state.at(unit)) || !game.may_dig(state, unit) {
            return 0.0;
        }
        let hex = state.at(unit);
        let near = survey.enemy_distance(hex);
        let held = self.tables.points[hex.at()] > 0.0 && state.controller(hex) == brief.player;
        let threatened = survey.threat[hex.at()] > 3.0;
        // A line protects already.
        let line = brief.player == Player::Soviet && game.map().line_of[hex.at()] != u8::MAX;
        let worth = if brief.attacks { 0.0 } else { 0.4 }
            + if held { 0.4 } else { 0.0 }
            + if threatened { 0.4 } else { 0.0 }
            + if near <= 5 { 0.2 } else { -0.3 };
        if line { 0.3 * worth } else { worth - 0.3 }
    }

    pub(super) fn formation(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        self.look(brief, View::Front);
        self.best_formation(brief, Some(legal)).map(|(formation, _)| Action::Formation(formation))
    }

    /// Fuel for a formation that has somewhere to go: the unit that is nearest to it, once.
    pub(super) fn fuel(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let (game, state) = (brief.game, brief.state);
        let formation = state.formations.difference(&state.fuel_decided).first()?;
        let first = formation == state.formations.first()?;
        let spent = if first { Mark::BeingSpent } else { Mark::SpentForOther };
        if !state.marked(spent).is_empty() {
            return Some(Action::Pass);
        }
        let formations = std::iter::once(formation).collect();
        let actors = self.company(brief, formations);
        let without = self.planner.make(&Brief { actors: &actors, fuelled: false, ..*brief }, false);
        let with = self.planner.make(&Brief { actors: &actors, fuelled: true, ..*brief }, true);
        self.planner.forget();
        if with < without + 0.4 {
            return Some(Action::Pass);
        }
        let troops = game.units_in(formation).and(&state.on_map).difference(&game.sets().foot);
        best_action(legal, |action| match action {
            Action::Unit(unit) => {
                let at = state.at(unit);
                // Off the map it feeds from where it could enter, and is lost if it does not (6.41, 6.45).
                let (from, waiting) = if is_hex(at) {
                    (Hexes::one(at), 0.0)
                } else {
                    let bits = game.sets().entries[unit.at()];
                    let entries = game.map().entries.iter().enumerate();
                    (entries.filter(|(at, _)| bits >> at & 1 != 0).map(|(_, &hex)| hex).collect(), 0.5)
                };
                let area = game.hexes_supplied_from(state, brief.player, false, &from);
                let fed = troops.iter().filter(|&troop| area.contains(state.at(troop))).count();
                // Whoever enters is fed there.
                let enters = troops.is_empty() && waiting > 0.0;
                if fed > 0 || enters { fed as f32 + waiting } else { -1.0 }
            }
            _ => 0.0,
        })
    }

    /// Army units in range come along; out of range those that are likely to hear, and whose place is elsewhere.
    pub(super) fn army(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let (game, state) = (brief.game, brief.state);
        self.look(brief, View::Front);
        best_action(legal, |action| match action {
            Action::Unit(unit) => {
                let near = self.planner.survey.enemy_distance(state.at(unit));
                let foot = game.sets().foot.contains(unit);
                if game.in_army_range(state, unit) {
                    // Who may act but once a turn waits until it has something to do.
                    let idle = foot && near > 4 && !brief.attacks;
                    if idle { -0.1 } else { 1.0 }
                } else {
                    let chance = f32::from(game.efficiency(state, unit)) / 10.0;
                    let far = near > 4 || brief.attacks;
                    if far { chance - 0.45 } else { -0.1 }
                }
            }
            _ => 0.0,
        })
    }

    pub(super) fn dig(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        self.look(brief, View::Front);
        best_action(legal, |action| match action {
            Action::Unit(unit) => {
                // Engineers go on; infantry that stays digs.
                self.site(brief, unit) - 0.05 * f32::from(brief.game.offence(brief.state, unit))
            }
            _ => 0.0,
        })
    }
}

/// Units that act in the sequence at hand.
pub(super) fn active(state: &State) -> Units {
    *state.marked(Mark::Active)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sandtable_ai::policy::Policy;
    use sandtable_core::Rng64;
    use sandtable_roads_to_moscow::editor::Editor;
    use sandtable_roads_to_moscow::{Phase, RoadsToMoscow};

    use super::super::map_tables::MapTables;
    use super::super::weights;
    use super::*;
    use crate::fixture::open;

    const CHOICES: [Action; 3] = [Action::Pass, Action::Assault, Action::Mobile];

    /// The sequence that the Soviet player of Mozhaysk chooses for the 32nd Division.
    fn sequence(game: &RoadsToMoscow, state: &State) -> Action {
        let tables = Arc::new(MapTables::new(game));
        let weights = weights::with(tables.attacker, &[]).unwrap();
        let mut scripted = Scripted::new(tables, weights, false);
        scripted.pick(game, state, state.decider.side(), &CHOICES, &mut Rng64::stream(1, 0, 0))
    }

    #[test]
    fn a_formation_is_played_to_bring_its_staff_out_of_danger() {
        let game = open("mozhaysk").0;
        let chosen = |staff: u16, turn: u8, points: [i16; 2]| {
            let mut editor = Editor::new(&game);
            editor.clear().turn(turn).points(points).control_all(Player::Soviet);
            editor.place("s_32_hq", staff).place("g_10pz_I_69", 3219);
            editor.activate(&["32"], Sequence::Mobile);
            sequence(&game, &editor.phase(Phase::Sequence, Player::Soviet).finish())
        };
        assert_eq!(chosen(2619, 1, [0, 0]), Action::Mobile);
        // Ten hexes away, too, for there the enemy is in two sequences.
        assert_eq!(chosen(2219, 1, [0, 0]), Action::Mobile);
        assert_eq!(chosen(404, 1, [0, 0]), Action::Pass);
        // Who loses as things stand lets no activation go by in the last turn.
        let last = u8::try_from(game.rules.calendar.len()).unwrap();
        assert_eq!(chosen(404, last, [0, 0]), Action::Pass);
        assert_ne!(chosen(404, last, [90, 0]), Action::Pass);
        assert_eq!(chosen(404, last - 1, [90, 0]), Action::Pass);
    }
}
