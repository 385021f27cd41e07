//! How the game ends and who wins (19.0; the scenarios' own pages).

use sandtable_core::{Outcome, PerSide, Side};

use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{Camp, Faction, Front, Hexes, NationId};
use crate::phase::Phase;
use crate::rules::{Goal, Port, Rules, Status};
use crate::state::{Degree, Ending, State};

/// Worth of a victory to its winner, by degree: marginal, minor, major, decisive; the loser has the rest. A decision of
/// this project: the rulebook gives victories names and no numbers.
const WORTH: [f32; 4] = [0.75, 0.85, 0.95, 1.0];
/// Most points, of either side, that a scenario counts in production.
const MOST_PRODUCTION: i16 = 400;
/// Months since September 1939 at the end of which the fall of Berlin is decisive (19.31) at the latest, and major (19.32).
const MAY_1944: i16 = 56;
const NOVEMBER_1944: i16 = 62;

/// An army that a condition of 1940A asks for.
#[derive(Clone, Copy, Debug)]
pub struct Army {
    /// Where it is to stand.
    pub land: Hexes,
    /// Steps of its units, at least.
    pub steps: u32,
    /// Headquarters with them, at least.
    pub headquarters: u32,
}

impl EuroFront {
    /// Goal of the scenario.
    fn goal(&self) -> Goal {
        self.rules.scenario.situation.goal
    }

    /// What a faction would produce this month, the Soviets as in war (B25).
    pub fn monthly_production(&self, state: &State, faction: Faction) -> i16 {
        self.income_at_war(state, faction).iter().sum()
    }

    // ---- when it ends ----

    /// A month begins: decisive results end the game at once (19.1, A32).
    pub(crate) fn check_sudden_death<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if self.goal() != Goal::Campaign {
            return;
        }
        // 19.31, 19.32: at the end of the month before.
        let ended = self.months_since_war(state) - 1;
        if self.holds_berlin(state) && ended <= MAY_1944 {
            return self.finish(state, Ending::Victory(Camp::Coalition, Degree::Decisive), context);
        }
        if self.holds_berlin(state) && ended == NOVEMBER_1944 {
            return self.finish(state, Ending::Victory(Camp::Coalition, Degree::Major), context);
        }
        // 19.21
        let [axis, allies, soviets] = Faction::ALL.map(|faction| self.monthly_production(state, faction));
        if axis >= 2 * (allies + soviets) {
            self.finish(state, Ending::Victory(Camp::Axis, Degree::Decisive), context);
        }
    }

    /// A player turn is over: England may have been invaded (1940A).
    pub(crate) fn check_invasion_of_england<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        if self.goal() == Goal::FallOfFrance
            && self.held_of(state, Camp::Axis, &self.objectives().english_ports) > 0
        {
            self.finish(state, Ending::Victory(Camp::Axis, Degree::Decisive), context);
        }
    }

    /// The last fortnight of the scenario is over.
    pub(crate) fn run_out<T: crate::Rolls>(&self, state: &mut State, context: &mut T) {
        let ending = match self.goal() {
            Goal::Recognition => {
                self.count_pacification(state);
                Ending::Stalemate
            }
            Goal::WinterWar => Self::winter_war_ending(),
            Goal::Weser => self.weser_ending(state),
            Goal::FallOfFrance => Self::fall_of_france_ending(self.conditions_met(state)),
            Goal::Campaign => self.campaign_ending(state),
            Goal::VictoryCities { rivals } => self.cities_ending(state, rivals),
        };
        self.finish(state, ending, context);
    }

    pub(crate) fn finish<T: crate::Rolls>(&self, state: &mut State, ending: Ending, context: &mut T) {
        state.ending = ending;
        state.phase = Phase::Over;
        let winner = Self::winner(state);
        context.emit(|| Event::GameOver { winner });
    }

    // ---- 1939B ----

    /// Command values of the Axis less twice those of the Allies (1939B).
    pub fn balance_of_command(&self, state: &State) -> i16 {
        let headquarters = &self.sets().headquarters;
        let value = |faction: Faction| -> i16 {
            let own = headquarters.and(&self.sets().of_faction[faction.index()]);
            let standing = own.and(&state.standing[faction.camp().index()]);
            standing.iter().map(|block| i16::from(state.steps[block])).sum()
        };
        value(Faction::Axis) - 2 * value(Faction::Allies)
    }

    /// Norway conquered or defeated, and the balance of command (1939B).
    fn weser_ending(&self, state: &State) -> Ending {
        let norway = self.nations().norway;
        let ahead = self.balance_of_command(state) > 0;
        let with_axis = self.faction_of(state, norway) == Some(Faction::Axis);
        if self.status(state, norway) != Status::Defeated && !with_axis {
            return Ending::Victory(Camp::Coalition, Degree::Decisive);
        }
        let home = self.home(state, norway).and(&self.map().in_play);
        let conquered = self.controls(state, Camp::Axis, &home);
        match (ahead, conquered) {
            (true, true) => Ending::Victory(Camp::Axis, Degree::Major),
            (true, false) => Ending::Victory(Camp::Axis, Degree::Minor),
            (false, _) => Ending::Victory(Camp::Coalition, Degree::Minor),
        }
    }

    // ---- 1940A, B, C ----

    /// How many of the eight conditions of 1940A the Axis fulfils.
    pub fn conditions_met(&self, state: &State) -> u8 {
        self.conditions(state).into_iter().map(u8::from).sum()
    }

    /// Major ports of England, one of which decides 1940A for the Axis at once.
    pub fn english_ports(&self) -> &Hexes {
        &self.objectives().english_ports
    }

    /// Cities on the border of Turkey, which joins the Axis the more likely the more of them no Soviet unit guards (TX).
    pub fn turkish_border(&self) -> &Hexes {
        &self.objectives().turkish_border
    }

    /// Which of the eight conditions of 1940A the Axis fulfils, from a to h.
    pub fn conditions(&self, state: &State) -> [bool; 8] {
        let named = self.nations();
        let axis = |places: &Hexes| self.controls(state, Camp::Axis, places);
        let places = |ids: [&str; 2]| -> Hexes { ids.iter().filter_map(|id| self.rules.place(id)).collect() };
        let alone = (0..self.rules.nations.len()).all(|at| {
            let nation = NationId(at as u8);
            let western =
                self.rules.nations[at].capital.is_some_and(|capital| self.front(capital) == Front::West);
            nation == named.britain || !western || self.faction_of(state, nation) != Some(Faction::Allies)
        });
        let [romania, prussia, poland] = self.armies_wanted(state).map(|army| self.is_up(state, &army));
        let romania_is_axis = self.faction_of(state, named.romania) == Some(Faction::Axis);
        let met = [
            alone,
            romania_is_axis && romania,
            prussia,
            poland,
            self.has_mare_nostrum(state),
            self.has_north_africa(state, Camp::Axis),
            axis(&places(["abadan", "basra"])),
            state.sea.supremacy == Some(Camp::Axis),
        ];
        std::array::from_fn(|nth| met[nth] || self.is_granted(nth))
    }

    /// Whether a scenario grants one of these conditions, counted from 0 (1940B, 1940C).
    fn is_granted(&self, nth: usize) -> bool {
        self.rules.scenario.situation.granted.contains(&(b'a' + nth as u8))
    }

    /// Which of the [armies wanted](EuroFront::armies_wanted) a scenario grants.
    pub fn armies_granted(&self) -> [bool; 3] {
        [1, 2, 3].map(|nth| self.is_granted(nth))
    }

    /// The armies that conditions b, c and d of 1940A ask of the Axis: in Romania's East, in East Prussia, in Western Poland.
    pub fn armies_wanted(&self, state: &State) -> [Army; 3] {
        let east = |place: &sandtable_core::Hex| self.front(*place) == Front::East;
        let romania = self.territory(state, self.nations().romania).filter(|place| east(&place));
        let lands = [romania, self.land("east_prussia"), self.land("west_poland")];
        let wanted = &self.rules.scenario.situation.armies;
        std::array::from_fn(|nth| Army {
            land: lands[nth],
            steps: wanted[nth].steps.into(),
            headquarters: wanted[nth].headquarters.into(),
        })
    }

    /// Whether an army stands where it is wanted.
    fn is_up(&self, state: &State, army: &Army) -> bool {
        let there = self.units_in(state, Faction::Axis, &army.land);
        let headquarters = there.and(&self.sets().headquarters);
        let units = there.difference(&headquarters);
        let steps: u32 = units.iter().map(|block| u32::from(state.steps[block])).sum();
        steps >= army.steps && headquarters.len() >= army.headquarters
    }

    /// Degree of victory by conditions met (1940A).
    fn fall_of_france_ending(met: u8) -> Ending {
        match met {
            8.. => Ending::Victory(Camp::Axis, Degree::Decisive),
            7 => Ending::Victory(Camp::Axis, Degree::Major),
            6 => Ending::Victory(Camp::Axis, Degree::Minor),
            5 => Ending::Victory(Camp::Axis, Degree::Marginal),
            4 => Ending::Draw,
            3 => Ending::Victory(Camp::Coalition, Degree::Marginal),
            2 => Ending::Victory(Camp::Coalition, Degree::Major),
            _ => Ending::Victory(Camp::Coalition, Degree::Decisive),
        }
    }

    // ---- the campaign (19.2 to 19.4) ----

    /// Whether Allies or Soviets control Berlin.
    fn holds_berlin(&self, state: &State) -> bool {
        self.objectives().berlin.is_some_and(|berlin| self.holds(state, Camp::Coalition, berlin))
    }

    fn campaign_ending(&self, state: &State) -> Ending {
        if self.holds_berlin(state) {
            return Ending::Victory(Camp::Coalition, Degree::Minor); // 19.33
        }
        let [axis, allies, soviets] = Faction::ALL.map(|faction| self.monthly_production(state, faction));
        Self::ending_by_production(axis, allies + soviets)
    }

    /// Victory by monthly production at the end (19.22 to 19.24, 19.34).
    pub fn ending_by_production(axis: i16, coalition: i16) -> Ending {
        if axis > coalition {
            Ending::Victory(Camp::Axis, Degree::Major)
        } else if 4 * axis >= 3 * coalition {
            Ending::Victory(Camp::Axis, Degree::Minor)
        } else if 3 * axis >= 2 * coalition {
            Ending::Victory(Camp::Axis, Degree::Marginal)
        } else if coalition >= 3 * axis {
            Ending::Victory(Camp::Coalition, Degree::Marginal)
        } else {
            Ending::Draw
        }
    }

    // ---- Victory Cities (19.5) ----

    /// Points of a faction's Victory Cities, those with rail or naval supply (19.5).
    pub fn victory_points(&self, state: &State, faction: Faction) -> i16 {
        let network = self.faction_network(state, faction);
        let places = self.rules.map.places.iter().filter(|place| place.victory > 0);
        let own = places.filter(|place| {
            let soviet = state.owners.is_soviet(place.hex);
            self.holds(state, faction.camp(), place.hex)
                && network.contains(place.hex)
                && (faction == Faction::Axis || soviet == (faction == Faction::Soviets))
        });
        own.map(|place| i16::from(place.victory)).sum()
    }

    /// Twice the Axis's points against those of Allies and Soviets; among three rivals the most win, a tie is a draw (19.5,
    /// 19.51, A33).
    fn cities_ending(&self, state: &State, rivals: bool) -> Ending {
        let points = Faction::ALL.map(|faction| self.victory_points(state, faction));
        if rivals {
            let most = points.into_iter().max().unwrap_or(0);
            let mut first = Faction::ALL.into_iter().filter(|faction| points[faction.index()] == most);
            return match (first.next(), first.next()) {
                (Some(faction), None) => Ending::Rival(faction),
                _ => Ending::Draw,
            };
        }
        match (2 * points[0]).cmp(&(points[1] + points[2])) {
            std::cmp::Ordering::Greater => Ending::Victory(Camp::Axis, Degree::Decisive),
            std::cmp::Ordering::Equal => Ending::Draw,
            std::cmp::Ordering::Less => Ending::Victory(Camp::Coalition, Degree::Decisive),
        }
    }

    // ---- the result ----

    /// The winner of a game that is over. Stalemate is a marginal victory of the Republicans (1936 rule 9).
    pub fn winner(state: &State) -> Option<Camp> {
        match state.ending {
            Ending::None | Ending::Draw => None,
            Ending::Recognition(camp) | Ending::Victory(camp, _) => Some(camp),
            Ending::Stalemate => Some(Camp::Coalition),
            Ending::Rival(faction) => Some(faction.camp()),
        }
    }

    /// Whether Allies and Soviets are rivals (19.51).
    pub fn has_rivals(rules: &Rules) -> bool {
        rules.scenario.situation.goal == Goal::VictoryCities { rivals: true }
    }

    /// The number of a faction's team: its camp, or among rivals itself.
    pub(crate) fn team(rules: &Rules, faction: Faction) -> u8 {
        if Self::has_rivals(rules) { faction as u8 } else { faction.camp() as u8 }
    }

    /// What the scenario counts, as the Axis sees it: in 1936 the pacification level, in a campaign the production by which
    /// it is ahead, and so on; among rivals each faction's own cities.
    pub(crate) fn score(&self, state: &State, faction: Faction) -> i16 {
        let axis = match self.goal() {
            Goal::Recognition => i16::from(state.civil_war.level),
            Goal::WinterWar => self.winter_war_score(state),
            Goal::Weser => self.balance_of_command(state),
            Goal::FallOfFrance => i16::from(self.conditions_met(state)) - 4,
            Goal::Campaign => {
                let [axis, allies, soviets] =
                    Faction::ALL.map(|faction| self.monthly_production(state, faction));
                (axis - allies - soviets).clamp(-MOST_PRODUCTION, MOST_PRODUCTION)
            }
            Goal::VictoryCities { rivals: true } => return self.victory_points(state, faction),
            Goal::VictoryCities { rivals: false } => {
                let [axis, allies, soviets] = Faction::ALL.map(|faction| self.victory_points(state, faction));
                2 * axis - allies - soviets
            }
        };
        if faction == Faction::Axis { axis } else { -axis }
    }

    /// The result, once the game is over: points from each side's own point of view, and what it is worth.
    pub(crate) fn result(&self, state: &State) -> Option<Outcome> {
        let (winner, worth, end_reason) = match state.ending {
            Ending::None => return None,
            Ending::Recognition(camp) => (Some(camp as u8), 1.0, "recognition"),
            Ending::Stalemate => (Some(Camp::Coalition as u8), WORTH[0], "stalemate"),
            Ending::Victory(camp, degree) => (Some(camp as u8), WORTH[degree as usize], degree.id()),
            Ending::Rival(faction) => (Some(faction as u8), 1.0, "victory cities"),
            Ending::Draw => (None, 0.5, "draw"),
        };
        let (mut points, mut utility) = (PerSide([0.0; 4]), PerSide([0.0; 4]));
        for (at, faction) in self.factions().enumerate() {
            let side = Side(at as u8);
            points[side] = f32::from(self.score(state, faction));
            let own = Some(Self::team(&self.rules, faction)) == winner;
            utility[side] = if own || winner.is_none() { worth } else { 1.0 - worth };
        }
        Some(Outcome { points, utility, winner, end_reason })
    }
}

/// The least and the most points a side can have.
pub(crate) fn bounds_of_points(rules: &Rules) -> (i16, i16) {
    let cities = rules.map.places.iter().map(|place| i16::from(place.victory)).sum::<i16>();
    let most = match rules.scenario.situation.goal {
        Goal::Recognition => {
            let war = rules.civil_war.as_ref();
            war.map_or(0, |war| war.pacification.iter().map(|&(_, worth)| i16::from(worth)).sum())
        }
        Goal::WinterWar | Goal::Weser => {
            let headquarters = rules.blocks.iter().filter(|block| block.kind.is_headquarters());
            let units = rules.blocks.len() as i16;
            2 * headquarters.map(|block| i16::from(block.full)).sum::<i16>() + units
        }
        Goal::FallOfFrance => 4,
        Goal::Campaign => MOST_PRODUCTION,
        Goal::VictoryCities { .. } => 2 * cities,
    };
    (-most, most)
}

/// Major ports of England: of Great Britain itself (1940A).
pub(crate) fn english_ports(rules: &Rules) -> Hexes {
    let in_england =
        |hex| rules.map.hexes.iter().any(|data| data.hex == hex && data.country == "great_britain");
    let places = rules.map.places.iter().filter(|place| place.port == Port::Major && in_england(place.hex));
    places.map(|place| place.hex).collect()
}
