//! A position as a player has it before him: the game, on whose side he is, and how he judges.

use sandtable_europe_engulfed::ids::Area;
use sandtable_europe_engulfed::phase::Mode;
use sandtable_europe_engulfed::rules::{Bimester, Standing};
use sandtable_europe_engulfed::state::happened;
use sandtable_europe_engulfed::{EuropeEngulfed, Nation, State, Team};

use super::battle::{Army, Expectation, Ground, round};
use super::weights::Weights;

/// Share of what a later round brings that counts: it may come too late, or cost a Special Action.
const LATER: f32 = 0.6;
/// Share of the worth of steps that counts in the last turn.
const AT_THE_END: f32 = 0.4;
/// Share of an area's worth that is lost with it: it may be taken back.
pub(super) const REGAIN: f32 = 0.7;
/// Share of those who are driven out of an area that is lost.
const DRIVEN_OUT_LOSS: f32 = 0.5;
/// When an attack on the USSR begins to be prepared: the first turn of 1941.
const PREPARATION: Bimester = Bimester { year: 1941, nth: 1 };

/// What an attack on an area is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttackValue {
    /// Worth of the area.
    pub prize: f32,
    /// Power of the enemy around it, who may drive out again who has taken it.
    pub around: f32,
    /// Rounds that are reckoned with.
    pub rounds: u32,
}

/// What an attack is expected to bring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    pub worth: f32,
    /// Probability of clearing the area, in the rounds that are reckoned with.
    pub won: f32,
    /// The first round, in the better mode.
    pub first: Expectation,
}

/// What every judgement starts from.
#[derive(Clone, Copy)]
pub(super) struct Outlook<'a> {
    pub game: &'a EuropeEngulfed,
    pub state: &'a State,
    pub team: Team,
    pub weights: &'a Weights,
    /// What is to be won before all else, for the search.
    pub objective: Option<Area>,
}

impl Outlook<'_> {
    /// Turns still to come.
    pub fn turns_left(&self) -> u8 {
        self.game.rules.setup.turns.saturating_sub(self.state.turn)
    }

    // ---- battles ----

    /// Worth of an own step.
    pub fn loss(&self) -> f32 {
        self.weights.loss * self.step_value_factor()
    }

    /// Worth of an enemy step.
    pub fn kill(&self) -> f32 {
        self.weights.kill * self.step_value_factor()
    }

    /// Share of the worth of steps that counts: at the end of the game nothing has to be kept, and nobody meets who is left.
    fn step_value_factor(&self) -> f32 {
        if self.turns_left() == 0 { AT_THE_END } else { 1.0 }
    }

    /// What a battle is worth that leads to this, of an area worth so much.
    pub fn worth(&self, expected: &Expectation, prize: f32) -> f32 {
        let [attacker, defender] = expected.toll(self.weights.dear);
        self.kill() * defender - self.loss() * attacker + prize * expected.won
    }

    /// What an attack brings, in the better mode.
    pub fn attack(&self, attacker: Army, defender: Army, ground: &Ground, value: AttackValue) -> Prospect {
        let again = Ground { crossed: [0; 2], ..*ground };
        let outcomes = Mode::ALL.map(|mode| {
            let first = round(self.game, attacker, defender, ground, mode);
            let (mut last, mut won) = (first, first.won);
            for _ in 1..value.rounds {
                let next = round(self.game, last.left[0], last.left[1], &again, mode);
                won += LATER * (next.won - last.won).max(0.0);
                last = next;
            }
            let left = first.left[0];
            let driven_out = 1.0 - left.power() / (left.power() + self.weights.risk * value.around + 0.1);
            let prize = value.prize * (1.0 - REGAIN * driven_out);
            let exposed = DRIVEN_OUT_LOSS * self.loss() * left.land() * driven_out;
            let worth = self.worth(&first, prize) + prize * (won - first.won) - exposed * won;
            Prospect { worth, won, first }
        });
        if outcomes[1].worth > outcomes[0].worth { outcomes[1] } else { outcomes[0] }
    }

    // ---- who is an enemy ----

    /// Whether a nation of the other team is an enemy: it is in the war, comes in by date, or an attack on it is being prepared.
    pub fn is_foe(&self, nation: Nation) -> bool {
        let &Outlook { game, state, team, .. } = self;
        let prepared = team == Team::First
            && nation == Nation::SovietUnion
            && state.affairs.has(happened::FALL_OF_FRANCE)
            && game.bimester(state.turn) >= PREPARATION;
        let comes =
            game.rules.setup.situation.enters.iter().any(|&(turn, of)| of == nation && turn >= state.turn);
        prepared || comes || game.standing(state, nation) == Standing::Belligerent
    }

    /// Whether the USSR of the own team is not at war yet and waits for the German attack (9.24): not where it must attack itself by a
    /// date (16.33).
    pub fn is_soviet_peace(&self) -> bool {
        let &Outlook { game, state, team, .. } = self;
        let situation = &game.rules.setup.situation;
        situation.politics
            && situation.soviets_must_declare.is_none()
            && state.affairs.soviet_war == 0
            && state.team(Nation::SovietUnion) == Some(team)
    }

    // ---- the watch on the USSR (9.25) ----

    /// Whether Axis units have to watch the Soviets, now or when Poland has fallen.
    fn must_watch(&self) -> bool {
        let poland = self.game.standing(self.state, Nation::Poland) == Standing::Belligerent;
        self.state.affairs.soviet_war == 0 && (poland || self.state.affairs.has(happened::WARSAW_FELL))
    }

    /// Land units in Poland and East Prussia beyond those that hold the USSR to the pact; nothing where nobody has to watch it.
    pub fn watchers_to_spare(&self) -> Option<i32> {
        let &Outlook { game, state, team, .. } = self;
        let politics = &game.rules.politics;
        let watch = team == Team::First && self.must_watch();
        let there = |area| game.land_units_at(state, team, area).len() as i32;
        watch.then(|| {
            politics.poland_garrison_areas.iter().map(there).sum::<i32>()
                - i32::from(politics.poland_garrison)
        })
    }

    /// Land units that may leave Poland and East Prussia; as many as one likes where nobody has to watch the USSR.
    pub fn may_leave_poland(&self) -> u32 {
        self.watchers_to_spare().map_or(u32::MAX, |spare| spare.max(0) as u32)
    }

    /// Whether a land unit leaves the areas from which the USSR is watched.
    pub fn leaves_watch(&self, from: Area, to: Area) -> bool {
        let watched = &self.game.rules.politics.poland_garrison_areas;
        watched.contains(from) && !watched.contains(to)
    }
}
