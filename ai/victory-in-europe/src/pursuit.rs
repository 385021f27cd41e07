//! After a battle: which victors regroup (5.8), and whether a leader goes on at once (5.61).
//!
//! The victors choose in the order of their counters: who is passed over stays. So the first one that gains by a move takes
//! it, whatever the later ones would gain.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Arm, Kind};
use sandtable_victory_in_europe::{Action, Force, Pending, Place, State, UnitId, VictoryInEurope};

use super::assessment::{Assessment, LAST_CHANCE, is_extra};
use super::map_tables::MapTables;
use super::odds::{BattleSide, expect};

/// Gain from which on a victor leaves the ground it has won for ground that its side held before.
const REGROUP: f32 = 2.5;
/// Least probability of victory for which an exploitation opens a battle: it has a single round.
const ASSAULT_ODDS: f32 = 0.65;
/// Probability of victory from which on nobody else joins.
const ENOUGH: f32 = 0.93;
/// Share of the worth of ground that an exploitation is expected to keep, and what the leader's step costs it.
const KEPT: f32 = 0.6;
const LEADER_STEP: f32 = 2.5;
/// Units of one force that can stand in an area.
const VICTORS: usize = 8;

/// A won battle, as its winner sees it.
pub(super) struct Pursuit<'a> {
    pub game: &'a VictoryInEurope,
    pub map_tables: &'a MapTables,
    pub assessment: &'a Assessment,
    pub state: &'a State,
    pub force: Force,
}

/// The units that attack a neighbour together, and what is expected of it.
struct Assault {
    win: f32,
    joins: [Option<UnitId>; VICTORS],
}

impl Pursuit<'_> {
    /// A move, an exploitation, or the end of both.
    pub fn choose(&self, legal: &[Action]) -> Option<Action> {
        let exploits = matches!(self.state.pending, Pending::Exploit(_));
        let goal = if exploits { self.goal(legal) } else { None };
        let mut first: Option<(UnitId, f32, Action)> = None;
        for &action in legal {
            let Action::Move(unit, to) = action else { continue };
            let gain = match &goal {
                Some((goal, assault)) if *goal == to => {
                    if assault.joins.contains(&Some(unit)) {
                        f32::INFINITY
                    } else {
                        -1.0
                    }
                }
                _ => self.gain(unit, to),
            };
            let is_better =
                |&(other, most, _): &(UnitId, f32, Action)| unit < other || unit == other && gain > most;
            if gain > 0.0 && first.as_ref().is_none_or(is_better) {
                first = Some((unit, gain, action));
            }
        }
        if legal.contains(&Action::Exploit) && self.breakthrough() > 0.0 {
            return Some(Action::Exploit);
        }
        first.map(|(_, _, action)| action).or_else(|| legal.contains(&Action::Pass).then_some(Action::Pass))
    }

    /// The neighbour that an exploitation attacks, with whom.
    fn goal(&self, legal: &[Action]) -> Option<(Place, Assault)> {
        let mut most = (0.0, None);
        for &action in legal {
            let Action::Move(_, to) = action else { continue };
            if !to.is_area() || !self.assessment.foes.contains(to) {
                continue;
            }
            let assault = self.assault(to, |unit| legal.contains(&Action::Move(unit, to)));
            let is_last = self.is_last_chance(to, &assault);
            let worth =
                if is_last { LAST_CHANCE } else { assault.win * self.assessment.prize(self.force, to) };
            if (is_last || assault.win >= ASSAULT_ODDS) && worth > most.0 {
                most = (worth, Some((to, assault)));
            }
        }
        most.1
    }

    /// The strongest victors that may cross the border attack until it is enough, with their leader.
    fn assault(&self, to: Place, may_go: impl Fn(UnitId) -> bool) -> Assault {
        let &Pursuit { game, assessment, state, force, .. } = self;
        let here = state.battle.place;
        let team = force.team();
        let defence = assessment.defenders(game, state, to, team.other());
        let mut host = BattleSide::default();
        let mut crossed = 0;
        for unit in game.units_at(state, to, team) {
            host.add_army(assessment.block(game, state, unit), 1.0);
            crossed += u8::from(!is_leader(game, unit));
        }
        let mut assault = Assault { win: 0.0, joins: [None; VICTORS] };
        let mut leader = None;
        let mut armies = [None::<(f32, UnitId)>; VICTORS];
        let victors = game.units_at(state, here, team).filter(|&unit| game.arm(unit) == Arm::Army);
        let mut found = 0;
        for unit in victors.filter(|&unit| game.kind(unit) != Kind::Fortress && may_go(unit)) {
            if is_leader(game, unit) {
                leader = Some(unit);
            } else if found < VICTORS {
                armies[found] = Some((assessment.block(game, state, unit).power(), unit));
                found += 1;
            }
        }
        armies[..found].sort_unstable_by(|a, b| {
            let key = |army: &Option<(f32, UnitId)>| army.unwrap_or((0.0, UnitId(0)));
            key(b).0.total_cmp(&key(a).0).then(key(a).1.cmp(&key(b).1))
        });
        let ways = game.border_limit(state, here, to).saturating_sub(crossed);
        let mut joined = 0;
        for &(_, unit) in armies.iter().flatten().take(usize::from(ways)) {
            if expect(&host, &defence, 1).win > ENOUGH {
                break;
            }
            host.add_army(assessment.block(game, state, unit), 1.0);
            assault.joins[joined] = Some(unit);
            joined += 1;
        }
        // A leader alone is lost.
        if host.units > 0
            && joined < VICTORS
            && let Some(leader) = leader
        {
            host.add_army(assessment.block(game, state, leader), 1.0);
            assault.joins[joined] = Some(leader);
        }
        assault.win = expect(&host, &defence, 1).win;
        assault
    }

    /// What an exploitation is worth: the best attack on a neighbour by those who stand here.
    fn breakthrough(&self) -> f32 {
        let &Pursuit { map_tables, assessment, state, force, .. } = self;
        let here = state.battle.place;
        let mut most: f32 = f32::NEG_INFINITY;
        for to in
            map_tables.neighbours[here.at()].and(&assessment.hostile[force.index()]).and(&assessment.foes)
        {
            let assault = self.assault(to, |_| true);
            if self.is_last_chance(to, &assault) {
                return LAST_CHANCE;
            }
            if assault.win < ASSAULT_ODDS {
                continue;
            }
            let gone: f32 = assault.joins.iter().flatten().map(|&unit| self.power(unit)).sum();
            let there = assessment.own[here.at()];
            let leaves = assessment.cover(here, there) - assessment.cover(here, (there - gone).max(0.0));
            most = most.max(KEPT * assault.win * assessment.prize(force, to) - leaves);
        }
        most - LEADER_STEP
    }

    /// Whether it is the last attack on Berlin, at whatever odds.
    fn is_last_chance(&self, to: Place, assault: &Assault) -> bool {
        self.assessment.is_last_chance(self.game, to) && assault.joins[0].is_some()
    }

    fn power(&self, unit: UnitId) -> f32 {
        self.assessment.block(self.game, self.state, unit).power()
    }

    /// What it is worth that a victorious unit moves on, without a battle.
    fn gain(&self, unit: UnitId, to: Place) -> f32 {
        let &Pursuit { game, map_tables, assessment, state, force } = self;
        let here = state.battle.place;
        if !here.is_area() || !to.is_area() || assessment.foes.contains(to) {
            return -1.0;
        }
        let own = game.force(state, unit).unwrap_or(force);
        if is_leader(game, unit) && assessment.own_units[to.at()] == 0 {
            return -1.0;
        }
        if assessment.is_last_chance(game, to)
            && assessment.hostile[own.index()].contains(to)
            && !is_leader(game, unit)
        {
            return LAST_CHANCE; // Berlin lies open.
        }
        let power = self.power(unit).max(0.1);
        let left = (assessment.own[here.at()] - power).max(0.0);
        // A leader alone does not hold won ground before an army.
        let faces_army = map_tables.neighbours[here.at()].iter().any(|near| assessment.foe[near.at()] > 0.0);
        let leaves_nobody = left <= 0.2 || faces_army && !is_extra(game, unit);
        if leaves_nobody && assessment.own_units[here.at()] <= 1 && !assessment.is_last_stand(to) {
            return -1.0;
        }
        let leaves = assessment.post(own, here, left, power);
        if state.held[own.index()].contains(to) {
            return assessment.post(own, to, assessment.own[to.at()], power) - leaves - REGROUP;
        }
        if !assessment.hostile[own.index()].contains(to) {
            return -1.0;
        }
        // Power of enemies next to it.
        let near = map_tables.neighbours[to.at()];
        let threat: f32 = 0.6 * near.iter().map(|near| assessment.foe[near.at()]).sum::<f32>();
        let risk = (threat - power).max(0.0);
        0.6 * assessment.prize(own, to) - 0.8 * risk.min(3.0) - leaves - 0.3
    }
}

fn is_leader(game: &VictoryInEurope, unit: UnitId) -> bool {
    game.kind(unit) == Kind::Leader
}

#[cfg(test)]
mod tests {
    use sandtable_victory_in_europe::Nation;
    use sandtable_victory_in_europe::editor::Editor;

    use super::*;
    use crate::weights::Weights;

    fn kursk() -> VictoryInEurope {
        let scenario =
            sandtable_scenarios_victory_in_europe::open("victory-in-europe/kursk-1943", &[]).unwrap();
        VictoryInEurope::new(scenario.into_rules()).unwrap()
    }

    /// The Axis has won an area with some units, beside Soviets in another; some of its units may be there already. What is
    /// seen of its pursuit.
    fn pursue<T>(
        game: &VictoryInEurope,
        (won, victors): (&str, &[(&str, u8)]),
        (beside, others): (&str, &[(&str, u8)]),
        exploits: bool,
        look: impl FnOnce(&Pursuit<'_>) -> T,
    ) -> T {
        let mut editor = Editor::new(game);
        editor.clear().control(won, Nation::Germany).control("kharkov", Nation::Germany);
        editor.control(beside, Nation::Ussr);
        for &(unit, steps) in victors {
            editor.place(unit, won, steps);
        }
        for &(unit, steps) in others {
            editor.place(unit, beside, steps);
        }
        let mut state = editor.reveal().finish();
        state.battle.place = game.place(won).unwrap();
        let leader = game.unit("ger_ldr_manstein").unwrap();
        state.pending = if exploits { Pending::Exploit(leader) } else { Pending::Regroup };
        let map_tables = MapTables::new(game);
        let mut assessment = Assessment::new(&Weights::all());
        assessment.refresh(game, &map_tables, &state, Force::Axis);
        let force = Force::Axis;
        look(&Pursuit { game, map_tables: &map_tables, assessment: &assessment, state: &state, force })
    }

    /// What is chosen there of these actions.
    fn choose(
        game: &VictoryInEurope,
        won: (&str, &[(&str, u8)]),
        beside: (&str, &[(&str, u8)]),
        exploits: bool,
        legal: &[Action],
    ) -> Option<Action> {
        pursue(game, won, beside, exploits, |pursuit| pursuit.choose(legal))
    }

    fn to(game: &VictoryInEurope, unit: &str, area: &str) -> Action {
        Action::Move(game.unit(unit).unwrap(), game.place(area).unwrap())
    }

    const CORPS: [(&str, u8); 3] = [("ger_inf_6a", 4), ("ger_pz_4a", 3), ("ger_ldr_manstein", 2)];
    const WEAK: [(&str, u8); 1] = [("su_inf3_1", 1)];
    const STRONG: [(&str, u8); 3] = [("su_guard_1", 4), ("su_guard_2", 4), ("su_tk_t34_1", 3)];

    #[test]
    fn a_leader_exploits_against_the_weak_and_not_against_the_strong() {
        let game = kursk();
        let legal = [Action::Exploit, Action::Pass];
        let choose = |victors, soviets| choose(&game, ("tula", victors), ("moscow", soviets), false, &legal);
        assert_eq!(choose(&CORPS, &WEAK), Some(Action::Exploit));
        assert_eq!(choose(&CORPS, &STRONG), Some(Action::Pass));
        // Nobody goes with him.
        assert_eq!(choose(&[("ger_ldr_manstein", 2)], &WEAK), Some(Action::Pass));
    }

    /// What is seen in Poznan, won by a Guards army, in a turn and with some others there and beside it.
    fn before_berlin<T>(
        game: &VictoryInEurope,
        (turn, others): (u8, &[(&str, &str, u8)]),
        look: impl FnOnce(&Pursuit<'_>) -> T,
    ) -> T {
        let mut editor = Editor::new(game);
        editor.clear().turn(turn).control("poznan", Nation::Ussr).control("warsaw", Nation::Ussr);
        editor.place("su_guard_1", "poznan", 2);
        for &(unit, area, steps) in others {
            editor.place(unit, area, steps);
        }
        let mut state = editor.reveal().finish();
        state.battle.place = game.place("poznan").unwrap();
        state.pending = Pending::Regroup;
        let (map_tables, mut assessment) = (MapTables::new(game), Assessment::new(&Weights::all()));
        let force = Force::Soviet;
        assessment.refresh(game, &map_tables, &state, force);
        look(&Pursuit { game, map_tables: &map_tables, assessment: &assessment, state: &state, force })
    }

    #[test]
    fn in_the_last_turn_an_exploitation_goes_for_berlin_at_any_odds() {
        let game = kursk();
        let choose = |turn: u8| {
            let others =
                [("su_ldr_zhukov", "poznan", 2), ("ger_inf_1a", "berlin", 3), ("ger_inf_2a", "berlin", 3)];
            before_berlin(&game, (turn, &others), |pursuit| {
                let guard = [to(&game, "su_guard_1", "stettin"), Action::Exploit, Action::Pass];
                let goal = pursuit.goal(&[to(&game, "su_guard_1", "berlin")]).map(|(goal, _)| goal);
                (pursuit.choose(&guard) == Some(Action::Exploit), goal == game.place("berlin"))
            })
        };
        assert_eq!(choose(26), (true, true));
        assert_eq!(choose(25), (false, false));
    }

    /// The only victor stays where he is while what he holds counts.
    #[test]
    fn in_the_last_turn_the_only_victor_walks_into_an_open_berlin() {
        let game = kursk();
        let (walks, stays) = (to(&game, "su_guard_1", "berlin"), Action::Pass);
        let choose = |turn: u8| before_berlin(&game, (turn, &[]), |pursuit| pursuit.choose(&[walks, stays]));
        assert_eq!(choose(26), Some(walks));
        assert_eq!(choose(25), Some(stays));
    }

    #[test]
    fn an_exploitation_attacks_in_the_order_of_the_counters_within_the_border_limit() {
        let game = kursk();
        let legal: Vec<_> = ["ger_ldr_manstein", "ger_pz_4a", "ger_inf_6a"]
            .into_iter()
            .map(|unit| to(&game, unit, "voronezh"))
            .chain([Action::Pass])
            .collect();
        let choose = |others, legal| choose(&game, ("kursk", &CORPS), ("voronezh", others), true, legal);
        assert_eq!(choose(&WEAK, &legal), Some(to(&game, "ger_inf_6a", "voronezh")));
        assert_eq!(choose(&STRONG, &legal), Some(Action::Pass));
        // Two armies have crossed the border, and no more may: the leader joins them, the tanks do not.
        let crossed = [("su_inf3_1", 1), ("ger_inf_2a", 4), ("ger_inf_9a", 4)];
        assert_eq!(choose(&crossed, &legal), Some(to(&game, "ger_ldr_manstein", "voronezh")));
        assert_eq!(choose(&crossed, &legal[1..]), Some(Action::Pass));
    }

    #[test]
    fn who_holds_won_ground_alone_stays_there() {
        let game = kursk();
        let choose = |victors: &[(&str, u8)], unit, area| {
            let legal = [to(&game, unit, area), Action::Pass];
            choose(&game, ("tula", victors), ("moscow", &[]), false, &legal)
        };
        assert_eq!(choose(&CORPS[..1], "ger_inf_6a", "moscow"), Some(Action::Pass));
        // With a leader he may go where no enemy is beside.
        let led = [CORPS[0], CORPS[2]];
        let leaves = |soviets: &[(&str, u8)]| {
            pursue(&game, ("tula", &led), ("moscow", soviets), false, |pursuit| {
                let (army, kharkov) = (game.unit("ger_inf_6a").unwrap(), game.place("kharkov").unwrap());
                (pursuit.gain(army, kharkov) + 1.0).abs() > 1e-3
            })
        };
        assert_eq!([leaves(&[]), leaves(&WEAK)], [true, false]);
        let pair = &CORPS[..2];
        assert_eq!(choose(pair, "ger_inf_6a", "moscow"), Some(to(&game, "ger_inf_6a", "moscow")));
        // A leader does not go where no army is.
        assert_eq!(choose(&CORPS, "ger_ldr_manstein", "moscow"), Some(Action::Pass));
    }

    #[test]
    fn a_regroup_opens_no_battle() {
        let game = kursk();
        let legal = [to(&game, "ger_inf_6a", "moscow"), Action::Pass];
        let chosen = choose(&game, ("tula", &CORPS), ("moscow", &WEAK), false, &legal);
        assert_eq!(chosen, Some(Action::Pass));
    }

    #[test]
    fn the_strongest_attack_until_it_is_enough_and_no_leader_alone() {
        let game = kursk();
        let victors = [("ger_inf_2a", 1), ("ger_inf_6a", 4), ("ger_pz_4a", 3), ("ger_ldr_manstein", 2)];
        let orel = game.place("orel").unwrap();
        let leader = game.unit("ger_ldr_manstein");
        let (all, alone) = pursue(&game, ("tula", &victors), ("orel", &[]), true, |pursuit| {
            let joins = |assault: Assault| assault.joins.into_iter().flatten().collect::<Vec<_>>();
            let alone = pursuit.assault(orel, |unit| Some(unit) == leader);
            (joins(pursuit.assault(orel, |_| true)), joins(alone))
        });
        assert_eq!(all, [game.unit("ger_inf_6a").unwrap(), leader.unwrap()]);
        assert!(alone.is_empty(), "{alone:?}");
    }

    #[test]
    fn an_exploitation_is_worth_what_it_wins_less_the_leader_and_what_it_leaves() {
        let game = kursk();
        let moscow = game.place("moscow").unwrap();
        let worth = |victors: &[(&str, u8)], soviets: &[(&str, u8)]| {
            pursue(&game, ("tula", victors), ("moscow", soviets), false, |pursuit| {
                let win = pursuit.assault(moscow, |_| true).win;
                (pursuit.breakthrough(), KEPT * win * pursuit.assessment.prize(Force::Axis, moscow))
            })
        };
        let (gain, prize) = worth(&CORPS, &WEAK);
        assert!(gain > 0.0 && gain < prize - 2.0, "{gain} of {prize}: the leader's step");
        let (stripped, prize) = worth(&CORPS[1..], &WEAK);
        assert!(stripped < prize - LEADER_STEP - 1.0, "{stripped} of {prize}: nobody stays");
        assert!(worth(&CORPS, &STRONG).0 == f32::NEG_INFINITY, "no attack at such odds");
    }

    #[test]
    fn a_move_is_worth_ground_less_what_it_risks_and_leaves() {
        let game = kursk();
        let army = game.unit("ger_inf_6a").unwrap();
        // The gain, and what is left of it without the ground and the place that is left.
        let weigh = |beside: &str, soviets: &[(&str, u8)], to: &str| {
            let to = game.place(to).unwrap();
            pursue(&game, ("tula", &CORPS[..2]), (beside, soviets), false, |pursuit| {
                let (here, own) = (pursuit.state.battle.place, &pursuit.assessment.own);
                let power = pursuit.power(army);
                let leaves = pursuit.assessment.post(Force::Axis, here, own[here.at()] - power, power);
                let gain = pursuit.gain(army, to);
                (gain, gain - 0.6 * pursuit.assessment.prize(Force::Axis, to) + leaves)
            })
        };
        // Beside Moscow.
        let (_, risk) = weigh("kalinin", &STRONG, "moscow");
        let (_, none) = weigh("moscow", &[], "moscow");
        assert!(risk < none - 0.5 && none > -0.5 && none < 0.0, "{risk} against {none}");
        let gain = |beside: &str, soviets: &[(&str, u8)], to: &str| weigh(beside, soviets, to).0;
        // Ground that is held already must be worth more, and nobody goes to a neutral country.
        let kharkov = game.place("kharkov").unwrap();
        let (gained, worth) = pursue(&game, ("tula", &CORPS[..2]), ("moscow", &[]), false, |pursuit| {
            let (here, own) = (pursuit.state.battle.place, &pursuit.assessment.own);
            let (power, post) = (pursuit.power(army), |at: Place, there| {
                pursuit.assessment.post(Force::Axis, at, there, pursuit.power(army))
            });
            let worth = post(kharkov, own[kharkov.at()]) - post(here, own[here.at()] - power);
            (pursuit.gain(army, kharkov), worth)
        });
        assert!((gained + REGROUP - worth).abs() < 1e-3, "{gained} of {worth}");
        assert!((gain("moscow", &[], "switzerland") + 1.0).abs() < 1e-3);
    }
}
