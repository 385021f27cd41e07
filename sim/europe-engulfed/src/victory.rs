//! Victory (10.0; 16.1, 16.2). By areas, points of a side are the areas that count and that it controls; by victory points, the
//! tournament points that their difference is worth.

use sandtable_core::{Outcome, PerSide};

use crate::Rolls;
use crate::event::Event;
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Nations, Team};
use crate::phase::Phase;
use crate::politics::is_western;
use crate::rules::{Condition, Player, PlayerId, Standing, Victory, VictoryPoint};
use crate::state::{State, happened};

/// The most points a side can have.
pub(crate) const MOST_POINTS: i16 = 192;

/// Tournament points of a decisive victory, in hundredths (16.22).
const MOST_TOURNAMENT_POINTS: u16 = 1000;

/// Powers whose conquest is a decisive victory (10.41, 10.47).
const CONQUERED: [Nation; 3] = [Nation::GreatBritain, Nation::SovietUnion, Nation::Germany];

impl EuropeEngulfed {
    /// Areas that count for victory.
    fn victory_areas(&self) -> (Areas, u8) {
        match &self.rules.victory {
            Victory::Areas { areas, needed } => (*areas, *needed),
            Victory::Points { .. } | Victory::Conquest => (Areas::EMPTY, 0),
        }
    }

    /// Whether a conquest ends the game before its last turn (10.4, A97).
    pub(crate) fn is_decided_early(&self, state: &State) -> bool {
        let counts = matches!(self.rules.victory, Victory::Conquest | Victory::Points { conquest: true, .. });
        counts && self.decisive_winner(state).is_some()
    }

    /// Who has conquered a Major Power (10.41, 10.47).
    fn decisive_winner(&self, state: &State) -> Option<Team> {
        let [great_britain, soviet_union, germany] = CONQUERED.map(|nation| self.is_conquered(state, nation));
        if great_britain || soviet_union { Some(Team::First) } else { germany.then_some(Team::Second) }
    }

    /// How a campaign ends (10.41 to 10.47).
    fn level(&self, state: &State) -> (Option<Team>, &'static str, u8) {
        let levels = &self.rules.politics.levels;
        let [marginal, operational, decisive] = levels.points;
        let decided = self.decisive_winner(state);
        if decided == Some(Team::First) {
            return (Some(Team::First), "axis_decisive", decisive);
        }
        let now = self.bimester(state.turn);
        if decided == Some(Team::Second) {
            let [first, second, third] = levels.germany_falls;
            return match now {
                _ if now <= first => (Some(Team::Second), "allied_decisive", decisive),
                _ if now <= second => (Some(Team::Second), "allied_operational", operational),
                _ if now <= third => (Some(Team::Second), "allied_marginal", marginal),
                _ => (None, "draw", 0),
            };
        }
        let prizes = levels.prizes.or(&self.tables.home[Nation::SovietUnion.index()]);
        if prizes.intersects(state.held(Team::First)) {
            return (Some(Team::First), "axis_operational", operational);
        }
        (Some(Team::First), "axis_marginal", marginal)
    }

    /// What gives victory points.
    fn victory_points(&self) -> &[VictoryPoint] {
        match &self.rules.victory {
            Victory::Points { points, .. } => points,
            _ => &[],
        }
    }

    /// The last turn is over.
    pub(crate) fn decide(&self, state: &mut State, context: &mut impl Rolls) {
        let (winner, reason) = match &self.rules.victory {
            Victory::Points { awards, conquest, .. } => {
                state.verdict.points = Team::ALL.map(|team| self.points_of(state, team));
                let [first, second] = self.award(state, awards, *conquest);
                let winner = match first.cmp(&second) {
                    std::cmp::Ordering::Greater => Some(Team::First),
                    std::cmp::Ordering::Less => Some(Team::Second),
                    std::cmp::Ordering::Equal => None,
                };
                let reason = match self.decisive_winner(state).filter(|_| *conquest) {
                    Some(Team::First) => "axis_decisive",
                    Some(Team::Second) => "allied_decisive",
                    None => "victory_points",
                };
                (winner, reason)
            }
            Victory::Conquest => {
                let (winner, reason, points) = self.level(state);
                state.verdict.points = Team::ALL.map(|team| if winner == Some(team) { points } else { 0 });
                (winner, reason)
            }
            Victory::Areas { .. } => self.decide_by_areas(state),
        };
        (state.verdict.winner, state.verdict.reason) = (winner, reason);
        state.phase = Phase::Over;
        context.emit(|| Event::Over { end_reason: reason });
    }

    /// 16.1, play book: the first team wins by controlling all areas that count, the second by some of them; otherwise it is a draw.
    fn decide_by_areas(&self, state: &State) -> (Option<Team>, &'static str) {
        let (areas, needed) = self.victory_areas();
        let held = |team: Team| state.held(team).and(&areas).len();
        match (held(Team::First), held(Team::Second)) {
            (first, _) if first == areas.len() => (Some(Team::First), "all_areas_held"),
            (_, second) if second >= u32::from(needed) => (Some(Team::Second), "areas_taken"),
            _ => (None, "last_turn"),
        }
    }

    /// The row of the awards: what the second team has more, within four (16.22).
    fn lead(state: &State) -> usize {
        let [first, second] = state.verdict.points.map(i16::from);
        ((second - first).clamp(-4, 4) + 4) as usize
    }

    /// Tournament points of the teams, in hundredths: all to who has conquered a Major Power (10.41, 10.47), else by what the second
    /// team has more (16.22).
    fn award(&self, state: &State, awards: &[[u16; 2]; 9], conquest: bool) -> [u16; 2] {
        match self.decisive_winner(state).filter(|_| conquest) {
            Some(winner) => Team::ALL.map(|team| if team == winner { MOST_TOURNAMENT_POINTS } else { 0 }),
            None => awards[Self::lead(state)],
        }
    }

    /// Victory points of a team as things stand (16.22).
    pub fn points_of(&self, state: &State, team: Team) -> u8 {
        let own = self.victory_points().iter().filter(|point| point.team == team);
        own.map(|point| point.points * self.times_met(state, point)).sum()
    }

    /// How often a condition is met.
    fn times_met(&self, state: &State, point: &VictoryPoint) -> u8 {
        let enemy = point.team.other();
        let once = |met: bool| u8::from(met);
        match point.condition {
            Condition::Held => self.held_in_supply(state, point, false),
            Condition::Controlled => state.held(point.team).and(&point.areas).len() as u8,
            Condition::ControlledTogether => once(point.areas.difference(state.held(point.team)).is_empty()),
            Condition::ItalianCollapse => once(state.affairs.has(happened::ITALIAN_COLLAPSE)),
            Condition::HeldOverLand => self.held_in_supply(state, point, true),
            Condition::BeachheadsRepelled => state.repelled,
            Condition::NeverTwo => once(state.affairs.happened & happened::TWO_OBJECTIVES == 0),
            Condition::Expelled => once(
                !point.areas.intersects(state.held(enemy)) && !point.areas.intersects(state.manned(enemy)),
            ),
            Condition::BombHitsAtMost(most) => once(state.strategic.bomb_hits <= most),
            Condition::BombHitsAtLeast(least) => once(state.strategic.bomb_hits >= least),
            Condition::ItalyStands => once(state.affairs.happened & happened::ITALIAN_COLLAPSE == 0),
            Condition::ItalySurrendered => {
                once(state.affairs.standing[Nation::Italy.index()] == Standing::Conquered)
            }
        }
    }

    /// Areas of a point that its team controls at the end of the game, with a line of supply of whoever controls them (A100);
    /// those of Vichy are nobody's.
    fn held_in_supply(&self, state: &State, point: &VictoryPoint, over_land: bool) -> u8 {
        let held = point.areas.filter(|area| {
            state.controller(area).is_some_and(|nation| {
                let fed = if over_land {
                    // Its line leads to Germany, whoever of the Axis holds the area.
                    self.areas_fed_by_land(state, Nation::Germany)
                } else {
                    self.supplied_areas(state, nation)
                };
                nation != Nation::VichyFrance && state.team(nation) == Some(point.team) && fed.contains(area)
            })
        });
        held.len() as u8
    }

    /// An area has changed hands: whether the enemy of a point of 16.22 now has two of its areas (A17).
    pub(crate) fn note_objectives(&self, state: &mut State) {
        let two = |point: &VictoryPoint| {
            point.condition == Condition::NeverTwo
                && state.held(point.team.other()).and(&point.areas).len() >= 2
        };
        if self.victory_points().iter().any(two) {
            state.affairs.happened |= happened::TWO_OBJECTIVES;
        }
    }

    /// Whether a beachhead of a team counts for its enemy when it is repelled (16.22, A99).
    pub(crate) fn counts_when_repelled(&self, team: Team, area: Area) -> bool {
        self.victory_points().iter().any(|point| {
            point.condition == Condition::BeachheadsRepelled
                && point.team == team.other()
                && point.areas.contains(area)
        })
    }

    /// The Western Allies or the Soviets, where two players lead them: who controls more areas on the other's side of the Demarcation
    /// Line (9.28, 14.48).
    fn further_across(&self, state: &State) -> Option<PlayerId> {
        let players = &self.rules.setup.players;
        let both = [PlayerId::Western, PlayerId::Soviet];
        if !both.iter().all(|id| players.iter().any(|player| player.id == *id)) {
            return None;
        }
        let western = Nation::ALL.into_iter().filter(|nation| is_western(*nation));
        let western = western.fold(0, |mask: Nations, nation| mask | nation.bit());
        let east = self.rules.optional.soviet_sphere;
        let in_the_east = state.lands_of(western).and(&east).len();
        let in_the_west = state.lands_of(Nation::SovietUnion.bit()).difference(&east).len();
        match in_the_east.cmp(&in_the_west) {
            std::cmp::Ordering::Greater => Some(PlayerId::Western),
            std::cmp::Ordering::Less => Some(PlayerId::Soviet),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// What the point between the Allies who have won adds and takes (14.48).
    fn point_between_allies(&self, state: &State, player: &Player) -> f32 {
        let won = state.verdict.winner == Some(Team::Second) && player.team == Team::Second;
        match self.further_across(state) {
            Some(id) if won && self.rules.options.tournament_points => {
                if player.id == id {
                    1.0
                } else {
                    -1.0
                }
            }
            _ => 0.0,
        }
    }

    /// The result of a game that is over.
    pub(crate) fn result(&self, state: &State) -> Option<Outcome> {
        if state.phase != Phase::Over {
            return None;
        }
        let (mut points, mut utility) = (PerSide::default(), PerSide::default());
        for (index, player) in self.rules.setup.players.iter().enumerate() {
            (points.0[index], utility.0[index]) =
                if let Victory::Points { awards, conquest, .. } = &self.rules.victory {
                    let award = f32::from(self.award(state, awards, *conquest)[player.team.index()]) / 100.0;
                    (award, award / 10.0)
                } else {
                    let held = match self.rules.victory {
                        Victory::Conquest => {
                            let points = state.verdict.points.map(f32::from);
                            let own = points[player.team.index()];
                            // A defeat costs what the victory brings (14.48).
                            let deducts = self.rules.options.tournament_points;
                            let own = if deducts { own - points[player.team.other().index()] } else { own };
                            own + self.point_between_allies(state, player)
                        }
                        _ => state.held(player.team).and(&self.victory_areas().0).len() as f32,
                    };
                    let worth = match state.verdict.winner {
                        None => 0.5,
                        Some(team) => f32::from(u8::from(team == player.team)),
                    };
                    (held, worth)
                };
        }
        let winner = state.verdict.winner.map(|team| team as u8);
        Some(Outcome { points, utility, winner, end_reason: state.verdict.reason })
    }
}
