//! An Operations Sequence up to the activation of its formations (7.2, 7.3): draw, choose, combine, Mobile, Assault or
//! Pass, "Activate any Formation".

use sandtable_core::{ActionSink, Flow, Index};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{FormationId, Formations, Markers, Player, UnitId, Units, place};
use crate::phase::{Phase, Sequence};
use crate::state::{Mark, State};

impl RoadsToMoscow {
    /// O1: the player draws a marker; with an empty cup he plays the one in the pool (R47).
    pub(crate) fn begin_operations_sequence(
        &self,
        state: &mut State,
        player: Player,
        context: &mut impl Rolls,
    ) {
        state.active = player;
        state.decider = player;
        state.sequence = Sequence::None;
        state.formations = Formations::EMPTY;
        state.drawn = self.draw(state, player, context);
        state.phase = Phase::Marker;
    }

    // ---- O2: which marker (7.22), combining (7.3) ----

    pub(crate) fn marker_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        if state.opening {
            // R10: any one of the German's, face up.
            let open = self.one_each(self.available(state, state.active));
            return out.all([open], |_, marker| Action::Marker(marker));
        }
        let at_hand: Markers =
            [state.drawn, state.pool[state.active.index()]].into_iter().flatten().collect();
        let choices = self.one_each(at_hand);
        out.all([choices], |_, marker| Action::Marker(marker))?;
        // 7.31, 7.32: two markers of different formations, neither "any" (4.25a).
        if choices.len() == 2 && !choices.intersects(&self.marker_sets().any) {
            out.all([choices], |_, marker| Action::Combine(marker))?;
        }
        Flow::Continue(())
    }

    pub(crate) fn marker_apply(&self, state: &mut State, action: Action) {
        let (Action::Marker(marker) | Action::Combine(marker)) = action else { return };
        let pool = &mut state.pool[state.active.index()];
        if *pool == Some(marker) {
            *pool = state.drawn;
        }
        state.drawn = Some(marker);
        if let Action::Combine(_) = action {
            self.reveal(state, self.formation_of(marker), true);
            state.phase = Phase::CombinePoints;
        } else {
            state.phase = Phase::Sequence;
        }
    }

    /// A marker is shown: what the opponent knows of the one in the pool (7.33e). If the marker shown cannot have come from
    /// the pool, that one still lies there; else it may be another. `combining`: the other is of another formation (7.32).
    pub(crate) fn reveal(&self, state: &mut State, formation: FormationId, combining: bool) {
        let not = &mut state.pool_not[state.active.index()];
        if !not.contains(formation) && !self.rules.formations[formation.at()].any {
            *not = Formations::EMPTY;
        }
        if combining {
            not.insert(formation);
        }
    }

    /// Leaders who may add their points: unspent, with an HQ of the revealed formation (7.33c, 15.32a, R17).
    pub(crate) fn combine_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let Some(marker) = state.drawn else { return Flow::Continue(()) };
        let headquarters =
            self.units_in(self.formation_of(marker)).and(&self.sets().headquarters).and(&state.on_map);
        let leaders: Units = headquarters
            .iter()
            .filter_map(|unit| self.leader_in(state, state.at(unit), state.active))
            .collect();
        out.rest(Some(Action::Pass), [leaders], |_, leader| Some(Action::Points(leader, UnitId::NONE)))
    }

    pub(crate) fn combine_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let points = match action {
            Action::Points(leader, _) => self.spend_points(state, leader, UnitId::NONE, context),
            _ => 0,
        };
        self.combine(state, points, context);
    }

    /// 7.33: d10, the combination value of the revealed marker and the leader's points.
    pub(crate) fn combine(&self, state: &mut State, points: u8, context: &mut impl Rolls) {
        let player = state.active.index();
        let (Some(revealed), Some(other)) = (state.drawn, state.pool[player]) else { return };
        let formation = self.formation_of(revealed);
        let roll = context.die(10) as u8;
        let total = roll + self.rules.formations[formation.at()].combination + points;
        let success = total >= self.rules.numbers.combine;
        context.emit(|| Event::Combined { revealed, other, roll, total, success });
        state.drawn = None;
        state.played.insert(revealed);
        state.formations.insert(formation);
        if success {
            state.pool[player] = None;
            state.pool_not[player] = Formations::EMPTY;
            state.played.insert(other);
            state.formations.insert(self.formation_of(other));
        }
        state.phase = Phase::Sequence;
    }

    // ---- O2: Mobile, Assault or Pass (7.21) ----

    /// Whether the active player may pass: not with a marker in the pool (7.22), not with his last one (7.24), not once
    /// his marker is open.
    fn may_pass(&self, state: &State) -> bool {
        !state.opening
            && state.formations.is_empty()
            && state.pool[state.active.index()].is_none()
            && state.cup.intersects(&self.marker_sets().of[state.active.index()])
    }

    pub(crate) fn sequence_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        if self.may_pass(state) {
            out.offer(Action::Pass)?;
        }
        out.offer(Action::Mobile)?;
        out.offer(Action::Assault)
    }

    pub(crate) fn sequence_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let player = state.active;
        state.sequence = match action {
            Action::Mobile => Sequence::Mobile,
            Action::Assault => Sequence::Assault,
            _ => {
                // 7.21C: face down into the pool, whichever it is (R48); the opponent gets a modifier (7.12b).
                state.pool[player.index()] = state.drawn;
                state.initiative[player.enemy().index()] += self.rules.numbers.pass_initiative;
                if let Some(marker) = state.drawn.take() {
                    context.emit(|| Event::Passed { player, marker });
                }
                return self.end_operations_sequence(state, context);
            }
        };
        if let Some(marker) = state.drawn.take() {
            state.played.insert(marker);
            let formation = self.formation_of(marker);
            self.reveal(state, formation, false);
            if self.rules.formations[formation.at()].any {
                state.phase = Phase::Formation;
                return;
            }
            state.formations.insert(formation);
        }
        self.activate(state, context);
    }

    // ---- O3: "Activate any Formation" (4.25) ----

    pub(crate) fn formation_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        // R80: any own formation with units on the map or to come.
        let open = self.marker_sets().formations_of[state.active.index()]
            .filter(|formation| self.formation_lives(state, formation));
        out.all([open], |_, formation| Action::Formation(formation))
    }

    pub(crate) fn formation_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Formation(formation) = action else { return };
        state.formations.insert(formation);
        if state.reserve.contains(formation) {
            // R79: its Reserve ends, all its markers go to the Activated box.
            state.reserve.remove(formation);
            let markers = self.marker_sets().of_formation[formation.at()].and(&state.in_play);
            state.played = state.played.or(&markers);
        }
        self.activate(state, context);
    }

    /// All units of the active formations become active (4.23b); leaders and fuel with them, as long as they may
    /// (15.31, 16.21), and Army units that are to enter (7.46).
    fn activate(&self, state: &mut State, context: &mut impl Rolls) {
        let sequence = state.sequence;
        for formation in state.formations {
            context.emit(|| Event::Activated { formation, sequence });
        }
        let there = state.on_map.or(&state.places.at(place::AWAITING));
        let sets = self.sets();
        let helpers = sets.leaders.or(&sets.fuel).difference(state.marked(Mark::UsedTwice));
        let army = sets.army.difference(&state.on_map);
        let own = helpers.or(&army).and(self.units_of(state.active));
        let active =
            state.formations.iter().fold(own, |active, formation| active.or(self.units_in(formation)));
        state.marks[Mark::Active as usize] = active.and(&there);
        self.begin_fuel(state);
    }

    /// Whether a unit belongs to an active formation or is an Army unit activated with it (7.47).
    #[inline]
    pub fn is_active(&self, state: &State, unit: UnitId) -> bool {
        state.has(unit, Mark::Active)
    }

    /// O11: what lies on units for the sequence alone goes; the next sequence begins.
    pub(crate) fn end_operations_sequence(&self, state: &mut State, context: &mut impl Rolls) {
        for mark in Mark::OF_SEQUENCE {
            state.clear(mark);
        }
        state.sequence = Sequence::None;
        state.formations = Formations::EMPTY;
        state.moving = Units::EMPTY;
        state.unit = UnitId::NONE;
        state.hex = place::OUT;
        state.army_attempts = 0;
        state.digs_left = 0;
        state.drawn = None;
        for attack in &mut state.attacks[..state.attack_count as usize] {
            *attack = crate::state::Attack::NONE;
        }
        state.attack_count = 0;
        state.battle = crate::battle::Battle::NONE;
        if state.opening {
            state.opening = false;
            return self.fill_cups(state, context);
        }
        self.next_operations_sequence(state, state.active, context);
    }
}
