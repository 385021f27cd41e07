use sandtable_core::{Game, PlayContext, Rng64, Sink};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::rules::{Entry as InTheWar, Target};

use super::super::VictorySystem;
use super::*;
use sandtable_experiments::system::{Source, System};

fn open(id: &str) -> VictoryInEurope {
    VictorySystem.open(Source::Id(id), &[]).unwrap().game
}

/// A recorder that is shown positions made by hand.
struct Follower<'a> {
    game: &'a VictoryInEurope,
    recorder: VictoryRecorder,
    facts: Facts,
}

impl Sink<Event> for Follower<'_> {
    fn take(&mut self, fact: impl FnOnce() -> Event) {
        self.recorder.fact(self.game, fact(), &mut self.facts);
    }
}

impl<'a> Follower<'a> {
    fn new(game: &'a VictoryInEurope) -> Follower<'a> {
        let recorder = VictorySystem.recorder(game);
        Follower { game, recorder, facts: Facts::new(&VictorySystem, game) }
    }

    fn look(&mut self, state: &State) {
        self.recorder.look(self.game, state, &mut self.facts);
    }

    fn turn(&mut self, turn: u8) {
        self.take(|| Event::TurnBegins { turn });
    }

    fn phase(&mut self, phase: Phase, team: Team, state: &State) {
        self.take(|| Event::PhaseBegins { phase, team: Some(team) });
        self.look(state);
    }

    /// The Axis has moved first, in a position.
    fn axis_ends(&mut self, state: &State) {
        self.phase(Phase::Pinning, Team::Allies, state);
    }

    fn count(&self, force: Force, case: Case) -> i32 {
        self.recorder.open[force.index()].waste.counts[case as usize]
    }
}

/// The map with these units at full strength and no others.
fn position(game: &VictoryInEurope, units: &[(&str, &str)]) -> State {
    let mut editor = Editor::new(game);
    editor.clear();
    for &(unit, place) in units {
        let steps = game.max_steps(game.unit(unit).unwrap());
        editor.place(unit, place, steps);
    }
    editor.finish()
}

#[test]
fn places_are_open_to_an_enemy_beside_them() {
    let game = open("victory-in-europe/stalingrad-1942");
    let soviet = |team: Team, units: &[(&str, &str)], edit: &dyn Fn(&mut Editor<'_>)| {
        let mut editor = Editor::of(&game, position(&game, units));
        edit(&mut editor);
        let state = editor.finish();
        let mut follower = Follower::new(&game);
        follower.turn(13);
        follower.phase(Phase::Movement, team, &state);
        [Case::OpenSources, Case::OpenCapitals, Case::OpenPoints]
            .map(|case| follower.count(Force::Soviet, case))
    };
    // Moscow; the Urals, into which no army marches; Leningrad; a capital of somebody else's.
    let beside = |area: &'static str| [("ger_inf_6a", area)];
    for (area, open) in
        [("smolensk", [1; 3]), ("orenburg", [0; 3]), ("novgorod", [0, 0, 1]), ("cracow", [0, 1, 0])]
    {
        let held = |editor: &mut Editor<'_>| {
            for own in ["moscow", "urals", "leningrad", "warsaw"] {
                editor.control(own, Nation::Ussr);
            }
            editor.control(area, Nation::Germany);
        };
        assert_eq!(soviet(Team::Axis, &beside(area), &held), open, "{area}");
    }
    let taken = |editor: &mut Editor<'_>| {
        editor.control("smolensk", Nation::Germany);
    };
    let peace = |editor: &mut Editor<'_>| {
        taken(editor);
        editor.entry(Nation::Ussr, InTheWar::Neutral);
    };
    assert_eq!(soviet(Team::Allies, &beside("smolensk"), &taken), [0; 3], "its own move");
    assert_eq!(soviet(Team::Axis, &beside("berlin"), &taken), [0; 3], "far away");
    assert_eq!(soviet(Team::Axis, &[("ger_fa_me109_1", "smolensk")], &taken), [0; 3], "aircraft");
    assert_eq!(soviet(Team::Axis, &beside("smolensk"), &peace), [0; 3], "at peace");
    for (guard, open) in [("su_inf3_1", [0; 3]), ("gb_inf_8a", [0; 3]), ("su_fa_i16_1", [1; 3])] {
        let units = [("ger_inf_6a", "smolensk"), (guard, "moscow")];
        assert_eq!(soviet(Team::Axis, &units, &taken), open, "{guard} in Moscow");
    }
}

/// Armies, aircraft and ships that the Axis has idle after each of five turns in a position; in each, a fact may be told
/// first.
fn idle(game: &VictoryInEurope, units: &[(&str, &str)], fact: impl Fn(u8) -> Option<Event>) -> Vec<[i32; 3]> {
    let state = position(game, units);
    let mut follower = Follower::new(game);
    (13..18)
        .map(|turn| {
            follower.turn(turn);
            if let Some(fact) = fact(turn) {
                follower.take(|| fact);
            }
            follower.axis_ends(&state);
            [Case::IdleArmies, Case::IdleAir, Case::IdleShips].map(|case| follower.count(Force::Axis, case))
        })
        .collect()
}

#[test]
fn units_without_a_task_for_half_a_year_are_idle() {
    let game = open("victory-in-europe/stalingrad-1942");
    // One guards Berlin and one is beside it; one is in the country. One ship is at sea.
    let units = [
        ("ger_inf_6a", "berlin"),
        ("ger_inf_4a", "berlin"),
        ("ger_inf_2a", "leipzig"),
        ("ger_fa_me109_1", "berlin"),
        ("ger_bb", "hamburg"),
        ("ita_bb", "baltic_sea"),
    ];
    let (none, all) = ([0; 3], [2, 1, 1]);
    assert_eq!(idle(&game, &units, |_| None), [none, none, all, all, all]);
}

#[test]
fn who_may_not_move_is_not_idle() {
    let game = open("victory-in-europe/campaign-1939");
    // Two in a place, of which one guards it.
    let idle = |units: [&str; 2], place: &str, edit: &dyn Fn(&mut Editor<'_>)| {
        let mut editor = Editor::of(&game, position(&game, &units.map(|unit| (unit, place))));
        edit(editor.turn(9));
        let state = editor.finish();
        let mut follower = Follower::new(&game);
        for turn in 9..12 {
            follower.turn(turn);
            follower.phase(Phase::Pinning, Team::Axis, &state);
        }
        follower.count(game.force(&state, game.unit(units[0]).unwrap()).unwrap(), Case::IdleArmies)
    };
    let opened = |editor: &mut Editor<'_>| {
        editor.turn(13);
    };
    let (guards, americans) = (["su_guard_1", "su_guard_2"], ["us_inf_3a", "us_inf_7a"]);
    assert_eq!(idle(guards, "urals", &|_| ()), 0, "in the Urals before 1942");
    assert_eq!(idle(guards, "urals", &opened), 1, "in 1942");
    assert!(idle(guards, "gorky", &|_| ()) > 0, "elsewhere");
    assert_eq!(idle(americans, "usa", &|_| ()), 0, "of the neutral USA");
    let at_war = |editor: &mut Editor<'_>| {
        editor.entry(Nation::Usa, InTheWar::AtWar);
    };
    assert_eq!(idle(americans, "usa", &at_war), 1);
}

#[test]
fn a_move_or_a_fight_is_a_task() {
    let game = open("victory-in-europe/stalingrad-1942");
    let (leipzig, berlin) = (game.place("leipzig").unwrap(), game.place("berlin").unwrap());
    let unit = game.unit("ger_fa_me109_1").unwrap();
    let air = [("ger_fa_me109_1", "leipzig")];
    let battle = |place| Event::BattleBegins { place, attacker: Team::Allies };
    for (fact, ends) in [
        (Event::Moved { unit, from: leipzig, to: leipzig, strategic: false }, 0),
        (Event::Fired { unit, target: Target::Air, fire: 1, dice: 1, hits: 0 }, 0),
        (battle(leipzig), 0),
        (battle(berlin), 1),
    ] {
        let told = idle(&game, &air, |turn| (turn == 15).then(|| fact.clone()));
        assert_eq!([told[2], told[4]], [[0, ends, 0], [0, 1, 0]], "{fact:?}");
    }
}

#[test]
fn an_army_beside_an_enemy_or_alone_in_a_place_of_worth_has_a_task() {
    let game = open("victory-in-europe/stalingrad-1942");
    let armies = |units: &[(&str, &str)]| idle(&game, units, |_| None)[2][0];
    let one = |area: &'static str| ("ger_inf_6a", area);
    assert_eq!(armies(&[one("leipzig")]), 1);
    assert_eq!(armies(&[one("leipzig"), ("su_inf3_1", "munich")]), 0, "an enemy army beside it");
    assert_eq!(armies(&[one("leipzig"), ("su_fa_i16_1", "munich")]), 1, "enemy aircraft beside it");
    assert_eq!(armies(&[one("smolensk")]), 0, "beside the enemy's ground");
    // A capital, a factory, a port, and nothing of these.
    for (area, idle) in [("prague", 0), ("warsaw", 0), ("cologne", 0), ("stettin", 0), ("breslau", 1)] {
        assert_eq!(armies(&[one(area)]), idle, "{area}");
    }
}

#[test]
fn an_army_that_is_back_after_two_turns_has_undone_its_move() {
    let game = open("victory-in-europe/stalingrad-1942");
    let undone = |unit: &str, fact: Option<Event>| {
        let mut follower = Follower::new(&game);
        for (turn, area) in [(13, "leipzig"), (14, "munich"), (15, "leipzig")] {
            follower.turn(turn);
            if turn == 15
                && let Some(fact) = fact.clone()
            {
                follower.take(|| fact);
            }
            follower.axis_ends(&position(&game, &[(unit, area)]));
        }
        follower.count(Force::Axis, Case::MovesUndone)
    };
    let taken = |area: &str| Event::Taken { area: game.place(area).unwrap(), by: Nation::Germany };
    assert_eq!(undone("ger_inf_6a", None), 1);
    assert_eq!(undone("ger_inf_6a", Some(taken("munich"))), 0);
    assert_eq!(undone("ger_inf_6a", Some(taken("berlin"))), 1);
    assert_eq!(undone("ger_fa_me109_1", None), 0, "aircraft come and go");
}

#[test]
fn steps_are_lost_to_attrition_by_an_own_move_or_a_cut_and_to_stacking() {
    let game = open("victory-in-europe/stalingrad-1942");
    let unit = game.unit("ger_inf_6a").unwrap();
    let lost = |from: &str, to: &str, cause: LossCause| {
        let mut follower = Follower::new(&game);
        follower.turn(13);
        follower.phase(Phase::Movement, Team::Axis, &position(&game, &[("ger_inf_6a", from)]));
        follower.axis_ends(&position(&game, &[("ger_inf_6a", to)]));
        follower.take(|| Event::Loss { unit, steps: 2, cause });
        // The row says where the unit was.
        if let [row] = &follower.facts.texts(WASTE, 6)[..] {
            assert_eq!([&*row[0], &*row[1]], ["13", "axis"]);
            assert_eq!([&*row[3], &*row[4], &*row[5]], [to, "ger_inf_6a", "2"]);
        }
        [Case::UnsuppliedOwn, Case::UnsuppliedCut, Case::LostStacking]
            .map(|case| follower.count(Force::Axis, case))
    };
    assert_eq!(lost("berlin", "moscow", LossCause::Attrition), [2, 0, 0], "it went there");
    assert_eq!(lost("berlin", "berlin", LossCause::Attrition), [0, 2, 0], "it stood still");
    assert_eq!(lost("gorky", "moscow", LossCause::Attrition), [0, 2, 0], "it had no supply to lose");
    assert_eq!(lost("berlin", "leipzig", LossCause::Stacking), [0, 0, 2]);
    assert_eq!(lost("berlin", "leipzig", LossCause::Fire), [0; 3]);
}

#[test]
fn each_team_begins_and_ends_its_moves_once_a_turn() {
    let game = open("victory-in-europe/stalingrad-1942");
    let mut follower = Follower::new(&game);
    // With three players the Allied phase begins for each of the two; the Axis moves second.
    let phases = [
        (Phase::Movement, Team::Allies, [0, 13], [0, 0]),
        (Phase::Movement, Team::Allies, [0, 0], [0, 0]),
        (Phase::Pinning, Team::Axis, [0, 0], [0, 13]),
        (Phase::Movement, Team::Axis, [13, 0], [0, 0]),
        (Phase::NamingBattles, Team::Allies, [0, 0], [13, 0]),
        (Phase::NamingBattles, Team::Allies, [0, 0], [0, 0]),
        (Phase::NamingBattles, Team::Axis, [0, 0], [0, 0]),
        (Phase::Combat, Team::Allies, [0, 0], [0, 0]),
    ];
    follower.turn(13);
    for (phase, team, begun, ended) in phases {
        follower.take(|| Event::PhaseBegins { phase, team: Some(team) });
        let due = follower.recorder.tracker.take_due();
        assert_eq!((&due.0[..2], &due.1[..2]), (&ended[..], &begun[..]), "{phase:?} {team:?}");
    }
}

#[test]
fn what_a_major_produces_and_does_not_spend_is_told() {
    let game = open("victory-in-europe/stalingrad-1942");
    for (team, force) in [(Team::Axis, Force::Axis), (Team::Allies, Force::Soviet)] {
        let mut follower = Follower::new(&game);
        follower.turn(13);
        let mut table = PlayContext { dice: Rng64::stream(7, 0, 0), sink: follower };
        let mut state = Editor::new(&game).begin(Phase::Production, team, &mut table);
        let (mut legal, mut due, mut local) = (Vec::new(), [0; 3], [0; 2]);
        while state.phase == Phase::Production && state.mover == team {
            let (budget, major) = (&state.budget, state.budget.major().unwrap());
            let whose = state.politics.standing(major).force().unwrap();
            local = [local[0] + budget.urals, local[1] + budget.leningrad];
            due[whose.index()] += budget.points[major.index()] + budget.urals + budget.leningrad;
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let pass =
                legal.iter().find(|action| matches!(action, sandtable_victory_in_europe::Action::Pass));
            game.apply(&mut state, *pass.unwrap(), &mut table);
        }
        // The turn is over when the second team has placed its production.
        let TurnTally { waste, points: produced, .. } = *table.sink.recorder.tally(13, force.index());
        let points = f64::from(due[force.index()]);
        assert!(points > 0.0, "{force:?}");
        assert_eq!(produced, i32::from(due[force.index()]), "{force:?}");
        // The Urals and Leningrad have points of their own.
        assert_eq!(local.map(|points| points > 0), [force == Force::Soviet; 2], "{force:?} {local:?}");
        assert!((waste.unspent - points).abs() < 1e-9, "{force:?}: {} of {points}", waste.unspent);
        assert!((waste.unspent_lost - points).abs() < 1e-9);
    }
}
