//! `sandtable balance`: known truths, what changes no value, what survives a kill, what is refused.

mod study;

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use sandtable::failure::Failure;
use sandtable::lab::arena::Arena;
use sandtable::lab::balance::report::{Report, StrengthLine};
use sandtable::lab::balance::{Balance, Handicap, Question, tables};
use sandtable::lab::progress::Progress;
use sandtable::lab::study::{Asked, GamesTable, Manifest, Study, enter};
use sandtable::lab::tournament::manifest::ScenarioEntry;
use sandtable::system::{AnySystem, Override, Scenario, ScenarioInfo, Source, System, SystemInfo, open};
use sandtable::table::{Format, TextTable};
use sandtable_ai::{Named, Policy, Restriction, SystemKnowledge};
use sandtable_core::{Context, Dice, Digest, Game, Outcome, PerSide, Rng64, Side, SideInfo, Turn};
use sandtable_reference::Kuhn;
use sandtable_reference::kuhn;
use sandtable_stats::root::Status;
use study::{BACKGAMMON, CONNECT_FOUR, FRANCE, Scratch, games, interrupt, refused, report, succeed};

/// A game of which everything is known: the first side chooses the good or the poor throw, a die of a hundred
/// decides. With the good one it wins `base + 2 * bonus` per cent of the games, with the poor one 30 fewer; the last
/// `draws` per cent of the others are drawn.
struct Toy {
    sides: [SideInfo; 2],
    base: u32,
    bonus: u32,
    draws: u32,
}

const DRAWN: u8 = 2;

const POOR: u8 = 0;
const GOOD: u8 = 1;

/// Nobody has thrown yet; or who has won.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Throw(Option<u8>);

impl Game for Toy {
    type State = Throw;
    type Action = u8;
    type Event = ();

    fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    fn initial<T: Context<()>>(&self, _: &mut T) -> Throw {
        Throw(None)
    }

    fn turn_of(&self, state: &Throw) -> Turn {
        if state.0.is_some() { Turn::Over } else { Turn::Decide(Side(0)) }
    }

    fn outcome(&self, state: &Throw) -> Option<Outcome> {
        let winner = state.0.filter(|&winner| winner != DRAWN);
        let mut points = PerSide::default();
        match winner {
            Some(winner) => points.0[usize::from(winner)] = 1.0,
            None if state.0.is_some() => points.0[..2].fill(0.5),
            None => return None,
        }
        Some(Outcome { points, utility: points, winner, end_reason: "thrown" })
    }

    fn legal_actions(&self, _: &Throw, out: &mut Vec<u8>) {
        out.extend([POOR, GOOD]);
    }

    fn apply<T: Context<()>>(&self, state: &mut Throw, action: u8, context: &mut T) {
        let good = self.base + 2 * self.bonus;
        let wins = if action == GOOD { good } else { good.saturating_sub(30) };
        let die = context.below(100);
        state.0 = Some(match die {
            die if die < wins => 0,
            die if die >= 100 - self.draws => DRAWN,
            _ => 1,
        });
    }

    fn determinize<D: Dice>(&self, state: &Throw, _: Side, _: &mut D) -> Throw {
        *state
    }

    fn observation(&self, state: &Throw, _: Side) -> u64 {
        self.hash(state)
    }

    fn hash(&self, state: &Throw) -> u64 {
        Digest::of(state)
    }

    fn recomputed_hash(&self, state: &Throw) -> u64 {
        self.hash(state)
    }

    fn check(&self, _: &Throw) -> Result<(), String> {
        Ok(())
    }

    fn turn_number(&self, _: &Throw) -> u32 {
        1
    }

    fn describe(&self, _: &Throw, action: u8) -> String {
        action.to_string()
    }
}

/// Plays by this function: state, side, dice.
struct By<G: Game>(fn(&G::State, &mut Rng64) -> G::Action);

impl<G: Game> Policy<G> for By<G> {
    fn pick(&mut self, _: &G, state: &G::State, _: Side, legal: &[G::Action], rng: &mut Rng64) -> G::Action {
        let choice = (self.0)(state, rng);
        if legal.contains(&choice) { choice } else { legal[0] }
    }
}

const SCRIPT: [Named; 1] = [Named { name: "scripted", summary: "plays well" }];

struct ToyBrain;

const TOY_RESTRICTIONS: [Restriction<Toy>; 3] = [
    Restriction { name: "good", summary: "never the good throw", denies: |_, _, _, action| action == GOOD },
    Restriction {
        name: "third",
        summary: "never a throw that there is not",
        denies: |_, _, _, action| action == 2,
    },
    Restriction { name: "any", summary: "no throw at all", denies: |_, _, _, _| true },
];

impl SystemKnowledge<Toy> for ToyBrain {
    fn policies(&self) -> &[Named] {
        &SCRIPT
    }

    fn policy(&self, _: &str) -> Option<Box<dyn Policy<Toy>>> {
        Some(Box::new(By(|_, _| GOOD)))
    }

    fn restrictions(&self) -> &[Restriction<Toy>] {
        &TOY_RESTRICTIONS
    }
}

struct ToySystem;

/// Shares of wins that a parameter hardly moves and then all at once: 30% on the line from the third to the fourth
/// value at 2.34.
const LATE: [u32; 4] = [47, 46, 42, 7];
/// Shares that rise and fall again: 50% at 1.29 and at 4.63.
const HUMP: [u32; 7] = [30, 45, 62, 66, 60, 44, 30];

impl System for ToySystem {
    type Game = Toy;
    type SystemKnowledge = ToyBrain;
    type Recorder = ();

    fn info(&self) -> SystemInfo {
        SystemInfo { id: "toy", name: "Toy", summary: "one throw", part_games: 1 }
    }

    fn scenarios(&self) -> Vec<ScenarioInfo> {
        vec![ScenarioInfo { id: "toy".to_owned(), summary: String::new() }]
    }

    fn open(&self, _: Source<'_>, overrides: &[Override]) -> Result<Scenario<Toy, ToyBrain>, Failure> {
        let side = |id, team| SideInfo { id, name: id, team, points: (0, 1) };
        let mut game = Toy { sides: [side("first", 0), side("second", 1)], base: 30, bonus: 0, draws: 0 };
        for set in overrides {
            let value = set.text().parse().map_err(|_| Failure::input("expected a whole number"))?;
            match set.path.as_str() {
                "base" => game.base = value,
                "bonus" => game.bonus = value,
                "late" => game.base = LATE[value as usize],
                "hump" => game.base = HUMP[value as usize],
                "draws" => game.draws = value,
                other => return Err(Failure::input(format!("unknown path {other}"))),
            }
        }
        let hash = Digest::of(&(game.base, game.bonus, game.draws));
        Ok(Scenario { id: "toy".to_owned(), hash, game, knowledge: ToyBrain })
    }

    fn recorder(&self, _: &Toy) {}

    fn describe(&self, _: &Scenario<Toy, ToyBrain>) -> String {
        String::new()
    }
}

/// Kuhn poker with a script that plays an equilibrium.
struct KuhnSystem;

struct KuhnBrain;

const KUHN_RESTRICTIONS: [Restriction<Kuhn>; 1] = [Restriction {
    name: "bet",
    summary: "neither bets nor calls",
    denies: |_, _, _, action| action == kuhn::Move::Bet,
}];

impl SystemKnowledge<Kuhn> for KuhnBrain {
    fn policies(&self) -> &[Named] {
        &SCRIPT
    }

    fn policy(&self, _: &str) -> Option<Box<dyn Policy<Kuhn>>> {
        Some(Box::new(By(|state, rng| equilibrium().choose(state, rng))))
    }

    fn restrictions(&self) -> &[Restriction<Kuhn>] {
        &KUHN_RESTRICTIONS
    }
}

fn equilibrium() -> kuhn::Policy {
    kuhn::Policy::equilibrium(0.25).unwrap()
}

impl System for KuhnSystem {
    type Game = Kuhn;
    type SystemKnowledge = KuhnBrain;
    type Recorder = ();

    fn info(&self) -> SystemInfo {
        SystemInfo { id: "kuhn", name: "Kuhn", summary: "poker", part_games: 1 }
    }

    fn scenarios(&self) -> Vec<ScenarioInfo> {
        vec![ScenarioInfo { id: "kuhn".to_owned(), summary: String::new() }]
    }

    fn open(&self, _: Source<'_>, _: &[Override]) -> Result<Scenario<Kuhn, KuhnBrain>, Failure> {
        Ok(Scenario { id: "kuhn".to_owned(), hash: 1, game: Kuhn::new(), knowledge: KuhnBrain })
    }

    fn recorder(&self, _: &Kuhn) {}

    fn describe(&self, _: &Scenario<Kuhn, KuhnBrain>) -> String {
        String::new()
    }
}

fn asked(systems: &[Box<dyn AnySystem>], overrides: &[&str], agents: &[&str], games: u64) -> Question {
    let set: Vec<Override> = overrides.iter().map(|text| text.parse().unwrap()).collect();
    let id = systems[0].info().id;
    Question {
        scenario: ScenarioEntry::of(open(systems, id, &set).unwrap().as_ref()),
        overrides: overrides.iter().map(|&text| text.to_owned()).collect(),
        agents: agents.iter().map(|&text| text.to_owned()).collect(),
        games,
        handicap: None,
        restrictions: Vec::new(),
    }
}

fn play(systems: &[Box<dyn AnySystem>], question: Question) -> Report {
    play_to_table(systems, question).0
}

/// The report, and the table of all games.
fn play_to_table(systems: &[Box<dyn AnySystem>], question: Question) -> (Report, TextTable) {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let manifest = Manifest::new(Format::Csv, None, Asked { seed: 7, question: question.clone() });
    let (lock, manifest) = enter(Some(out.as_ref()), Some(manifest), None, || unreachable!()).unwrap();
    let (mut balance, mut cast) = Balance::new(systems, question, manifest.identity.seed).unwrap();
    let table = GamesTable::new(tables::GAMES, balance.sides());
    let mut study = Study::open(lock, &manifest, table).unwrap();
    let stop = AtomicBool::new(false);
    let arena = Arena::new(2, &stop).unwrap().with_course();
    let mut progress = Progress::new(true, "games", 0);
    assert!(study.play(&arena, &mut cast, &mut balance, &mut progress).unwrap());
    (Report::new(&balance), games(&out, tables::GAMES))
}

fn toy() -> Vec<Box<dyn AnySystem>> {
    vec![Box::new(ToySystem)]
}

fn handicap(parameter: &str, target: f64, games: u64) -> Handicap {
    Handicap { parameter: parameter.parse().unwrap(), target, width: 0.0, games }
}

#[test]
fn shares_points_and_draws_are_those_of_the_game() {
    let report = play(&toy(), asked(&toy(), &["base=62"], &["scripted", "random"], 4000));
    let shares: Vec<&StrengthLine> = report.strengths.iter().collect();
    assert_eq!(report.games, 8000);
    for (line, truth) in shares.into_iter().zip([0.62, 0.47]) {
        let share = line.teams[0].share;
        assert!(share.contains(truth) && share.width() < 0.035, "{share:?} for {truth}");
        assert_eq!(line.teams[0].wins + line.teams[1].wins, 4000);
        assert!((line.sides[0].points.value - share.value).abs() < 1e-9);
        assert_eq!((line.end.last_turn, line.end.reached_last.value), (1, 1.0));
        assert!(line.course.is_none(), "nobody leads before the throw");
    }
    let page = report.to_string();
    assert!(page.contains("the game favours first") && page.contains("the game favours second"), "{page}");
}

#[test]
fn a_draw_is_half_a_win_and_the_error_of_the_score_is_that_of_the_games() {
    let report = play(&toy(), asked(&toy(), &["base=40", "draws=30"], &["scripted"], 4000));
    let line = &report.strengths[0];
    assert!(line.teams[0].share.contains(0.4) && line.draws.contains(0.3), "{line:?}");
    assert!(line.first_score.contains(0.55), "{line:?}");
    let mean = line.teams[0].share.value + line.draws.value / 2.0;
    assert!((line.first_score.value - mean).abs() < 1e-9);
    // The deviation of a score of 1, ½ or 0 with these shares; half the interval is 1.96 of it over √4000, what is
    // seen in 4 of 5 studies 2.8 of it.
    let deviation = (0.4 + 0.3 / 4.0 - 0.55f64.powi(2)).sqrt();
    let half = line.first_score.width() / 2.0;
    assert!((half / (1.96 * deviation / 4000f64.sqrt()) - 1.0).abs() < 0.03, "{half}");
    assert!(
        (line.minimum_detectable_effect.unwrap() / (2.8016 * deviation / 4000f64.sqrt()) - 1.0).abs() < 0.03,
        "{line:?}"
    );
    // Who has won all of twenty games need not win all.
    let report = play(&toy(), asked(&toy(), &["base=100"], &["scripted"], 20));
    let score = report.strengths[0].first_score;
    assert_eq!((score.value, score.high), (1.0, 1.0));
    assert!(score.low > 0.75 && score.low < 0.9, "{score:?}");
}

#[test]
fn a_search_ends_once_its_interval_is_narrow_enough() {
    // A width of 4 is two steps of 2. At the root a unit of the bonus is worth 0.02, a game deviates by a half: an
    // interval as wide as 4 takes (1.96 / 2 · 0.5 / 0.02)² = 600 games of the best kind.
    let question = Question {
        handicap: Some(Handicap { width: 4.0, ..handicap("bonus=4..30:2", 0.5, 20_000) }),
        ..asked(&toy(), &[], &["scripted"], 10)
    };
    let found = play(&toy(), question).strengths[0].handicap.clone().unwrap();
    assert_eq!(found.status, Status::Found, "{found:?}");
    assert!(found.value.width() <= 4.0 && found.value.width() > 3.0, "{found:?}");
    assert!((400..1500).contains(&found.games) && found.value.contains(10.0), "{found:?}");
    assert!((found.fair.unwrap() - 10.0).abs() <= 2.0);
}

#[test]
fn the_fair_handicap_is_found() {
    // 30 + 2 * bonus per cent are fair at a bonus of 10, and 60 per cent at 15; at random it is 15 less, fair at 17.5.
    for (agent, target, fair) in [("scripted", 0.5, 10.0), ("scripted", 0.6, 15.0), ("random", 0.5, 17.5)] {
        let question = Question {
            handicap: Some(handicap("bonus=0..30", target, 4000)),
            ..asked(&toy(), &[], &[agent], 10)
        };
        let report = play(&toy(), question);
        let found = report.strengths[0].handicap.clone().unwrap();
        assert!(found.value.contains(fair) && found.value.width() < 5.0, "{fair}: {found:?}");
        assert!((found.fair.unwrap() - fair).abs() <= 2.0, "{found:?}");
        assert!((found.nearest.unwrap() - fair).abs() <= 2.0, "{found:?}");
        assert!(found.games <= 4000 && found.answer.starts_with("fair at"), "{found:?}");
    }
}

#[test]
fn a_fair_value_is_found_on_curves_of_any_shape_and_checked_with_fresh_dice() {
    let search = |parameter: &str, target: f64| {
        let question = Question {
            handicap: Some(handicap(parameter, target, 2500)),
            ..asked(&toy(), &[], &["scripted"], 10)
        };
        play(&toy(), question).strengths[0].handicap.clone().unwrap()
    };
    let late = search("late=0..3", 0.3);
    assert!(late.value.contains(2.34) && late.value.width() < 0.3, "{late:?}");
    // 42% at 2 and 7% at 3: no step is fair.
    assert_eq!((late.fair, late.nearest), (None, Some(2.0)), "{late:?}");
    assert_eq!(late.crossings[0].between, Some([2.0, 3.0]), "{late:?}");
    let at_no_step = "fair between 2 and 3, at no step: first scores 4";
    assert!(late.answer.starts_with(at_no_step) && late.answer.contains("] at 2 and "), "{}", late.answer);
    assert!(late.answer.contains("] at 3; nearest is 2; "), "{}", late.answer);
    assert!(!late.crossings[0].rising && late.misfit.unwrap() < 0.01, "{late:?}");
    assert!(late.answer.contains("between 2 and 3; no logistic curve fits the scores"), "{}", late.answer);
    // A fifth of the games is kept, for both steps.
    assert!(
        late.checks.iter().map(|check| (check.value, check.games)).eq([(2.0, 250), (3.0, 250)]),
        "{late:?}"
    );
    assert!(late.checks[0].score.contains(0.42) && late.checks[1].score.contains(0.07), "{late:?}");
    assert!(!late.disputed && late.answer.contains("; with fresh dice first scores 4"), "{}", late.answer);

    let hump = search("hump=0..6", 0.5);
    let [up, down] = &hump.crossings[..] else { panic!("{hump:?}") };
    assert!(up.rising && up.value.contains(1.29) && up.between == Some([1.0, 2.0]), "{hump:?}");
    assert!(!down.rising && down.value.contains(4.625) && down.between == Some([4.0, 5.0]), "{hump:?}");
    assert!(hump.answer.starts_with("fair at 2 values: first scores 50% at 1."), "{}", hump.answer);
    // Neither step beside the first, 50% lies between; the second has one.
    println!("{}", hump.answer);
    assert_eq!(hump.checks.len(), 4, "{hump:?}");
}

#[test]
fn the_games_that_check_a_fair_value_share_no_dice_with_those_that_found_it() {
    let question = Question {
        handicap: Some(handicap("late=0..3", 0.3, 2500)),
        ..asked(&toy(), &[], &["scripted"], 10)
    };
    let (report, table) = play_to_table(&toy(), question);
    let column = |name: &str| table.names.iter().position(|other| other == name).unwrap();
    let [arm, seed, game] = ["arm", "seed", "game"].map(column);
    let (fresh, used): (Vec<_>, Vec<_>) =
        table.rows.iter().partition(|row| row[arm].ends_with(", fresh dice"));
    let checks = &report.strengths[0].handicap.as_ref().unwrap().checks;
    assert_eq!(fresh.len() as u64, checks.iter().map(|check| check.games).sum::<u64>());
    assert!(!fresh.is_empty() && fresh.len() < used.len());
    let used: HashSet<[&str; 2]> = used.iter().map(|row| [&*row[seed], &*row[game]]).collect();
    for row in fresh {
        assert!(!used.contains(&[&*row[seed], &*row[game]]), "{row:?}");
    }
}

#[test]
fn without_a_fair_value_it_is_said_in_words() {
    for (range, status, words) in [
        (
            "bonus=15..30",
            Status::Above,
            "no fair value inside the range: first scores more than 50% throughout",
        ),
        (
            "bonus=0..5",
            Status::Below,
            "no fair value inside the range: first scores less than 50% throughout",
        ),
    ] {
        let question =
            Question { handicap: Some(handicap(range, 0.5, 4000)), ..asked(&toy(), &[], &["scripted"], 10) };
        let found = play(&toy(), question).strengths[0].handicap.clone().unwrap();
        assert_eq!((found.status, found.fair, found.nearest), (status, None, None), "{found:?}");
        assert!(found.answer.starts_with(words), "{}", found.answer);
    }
}

#[test]
fn a_restriction_costs_what_the_thing_is_worth() {
    let question = Question {
        restrictions: ["good", "third", "any"].map(str::to_owned).to_vec(),
        ..asked(&toy(), &["base=60"], &["scripted", "random"], 2000)
    };
    let report = play(&toy(), question);
    let line = |agent: &str, side: &str, restriction: &str| {
        let fits = |line: &&_| -> bool {
            let line: &sandtable::lab::balance::report::RestrictionLine = line;
            (line.agent.as_str(), line.side.as_str(), line.restriction.as_str()) == (agent, side, restriction)
        };
        report.restrictions.iter().find(fits).unwrap()
    };
    let good = line("scripted", "first", "good");
    assert_eq!(good.restricted_agent, "scripted:deny=good");
    assert!(good.share.contains(-0.3) && good.points.contains(-0.3), "{good:?}");
    // On the same dice the poor throw never wins where the good one loses: the difference is as sure as it can be.
    assert!(good.share.width() < 0.045 && good.points_p < 1e-9, "{good:?}");
    let luck = line("random", "first", "good");
    assert!(luck.share.contains(-0.15), "{luck:?}");
    for (agent, side, restriction) in
        [("scripted", "second", "good"), ("scripted", "first", "third"), ("random", "first", "any")]
    {
        let nothing = line(agent, side, restriction);
        assert_eq!((nothing.share.value, nothing.points.value), (0.0, 0.0), "{nothing:?}");
        assert_eq!((nothing.points_p, nothing.pairs), (1.0, 2000));
    }
}

#[test]
fn kuhn_poker_has_its_value_and_a_bet_its_worth() {
    let systems: Vec<Box<dyn AnySystem>> = vec![Box::new(KuhnSystem)];
    let question =
        Question { restrictions: vec!["bet".to_owned()], ..asked(&systems, &[], &["scripted"], 40_000) };
    let report = play(&systems, question);
    let points = report.strengths[0].sides[0].points;
    assert!(points.contains(kuhn::VALUE) && points.width() < 0.03, "{points:?}");
    // The first side's loss when it may not bet, from the exact value of such play.
    let mut meek = equilibrium();
    meek.bet = [[0.0; 4]; 3];
    for (side, value) in
        [meek.against(&equilibrium()).value(), -equilibrium().against(&meek).value()].into_iter().enumerate()
    {
        let equal = if side == 0 { kuhn::VALUE } else { -kuhn::VALUE };
        // The wins of a restricted side are those of its own team.
        let free = report.restrictions[side].free_share;
        assert_eq!(free, report.strengths[0].teams[side].share);
        let loss = report.restrictions[side].points;
        assert!(loss.contains(value - equal) && loss.value < 0.0, "{loss:?} for {}", value - equal);
    }
}

#[test]
fn threads_change_no_value() {
    let scratch = Scratch::new();
    let args = [
        "balance",
        FRANCE,
        "--agent",
        "random",
        "--games",
        "24",
        "--handicap",
        "setup.axis.extra_supply=0..10:0.5",
        "--handicap-games",
        "60",
        "--restrict",
        "air",
        "--restrict",
        "submarine-cards",
        "--quiet",
    ];
    let folders = ["1", "2", "5"].map(|threads| {
        let out = scratch.text(threads);
        succeed(&[&args[..], &["--threads", threads, "--out", &out]].concat());
        out
    });
    study::assert_same(&folders[0], &folders[1], "balance", tables::GAMES);
    study::assert_same(&folders[0], &folders[2], "balance", tables::GAMES);
    let report = report(&folders[0], "balance");
    assert_eq!(report["restrictions"].as_array().unwrap().len(), 6, "two things for each of three sides");
    let course = &report["strengths"][0]["course"]["turns"];
    assert_eq!(course[0]["games"], 24, "{course}");
    // The campaign in France is told from its first turn, the seventh, to its last.
    let turns: Vec<u64> =
        course.as_array().unwrap().iter().map(|line| line["turn"].as_u64().unwrap()).collect();
    let last = report["strengths"][0]["end"]["last_turn"].as_u64().unwrap();
    assert_eq!((turns[0], turns.last()), (7, Some(&last)), "{turns:?}");
}

#[test]
fn every_game_can_be_played_alone() {
    let scratch = Scratch::new();
    let (out, alone) = (scratch.text("out"), scratch.text("alone"));
    let args = ["--restrict", "air", "--games", "3", "--seed", "9", "--format", "csv", "--quiet"];
    succeed(&[&["balance", FRANCE, "--agent", "random", "--out", &out], &args[..]].concat());
    let args = ["--agents", "random", "--side", "axis=random:deny=air", "--games", "3", "--seed", "9"];
    succeed(&[&["play", FRANCE, "--out", &alone, "--format", "csv", "--quiet"], &args[..]].concat());
    let study = games(&out, tables::GAMES);
    let one = games(&alone, "games");
    let of_arm: Vec<usize> = study
        .column("arm")
        .unwrap()
        .enumerate()
        .filter(|(_, arm)| *arm == "random, axis air")
        .map(|(row, _)| row)
        .collect();
    assert_eq!(of_arm.len(), 3);
    for column in ["winner", "points_axis", "utility_allied", "end_reason", "decisions"] {
        let cells: Vec<&str> = study.column(column).unwrap().collect();
        let here: Vec<&str> = of_arm.iter().map(|&row| cells[row]).collect();
        assert_eq!(here, one.column(column).unwrap().collect::<Vec<_>>(), "{column}");
    }
}

#[test]
fn a_killed_study_goes_on_where_it_was() {
    let args = [
        FRANCE,
        "--agent",
        "random",
        "--games",
        "60",
        "--handicap",
        "setup.axis.extra_supply=0..10",
        "--handicap-games",
        "200",
        "--restrict",
        "air",
    ];
    study::survives_kills("balance", &args, "balance", tables::GAMES);
}

#[test]
fn games_that_are_added_make_the_study_of_the_larger_number() {
    let scratch = Scratch::new();
    let (out, whole) = (scratch.text("out"), scratch.text("whole"));
    let begin = |out: &str, games: &str, more: &[&str]| {
        let args = ["--agent", "random", "--restrict", "air", "--handicap", "setup.axis.extra_supply=0..10"];
        succeed(&[&["balance", FRANCE, "--quiet", "--out", out, "--games", games], &args[..], more].concat());
    };
    begin(&whole, "50", &["--handicap-games", "30"]);
    begin(&out, "30", &[]);
    // With the same words and more games; then with the folder alone. The search stays as it was begun.
    begin(&out, "40", &[]);
    succeed(&["balance", "--out", &out, "--games", "50", "--quiet"]);
    study::assert_same(&out, &whole, "balance", tables::GAMES);
    refused(&["balance", "--out", &out, "--games", "49"], &["one of 50 games an arm", "49"]);
    let handicap = ["--handicap", "setup.axis.extra_supply=0..10", "--handicap-games", "31"];
    let args = ["balance", FRANCE, "--out", &out, "--agent", "random", "--restrict", "air"];
    refused(&[&args[..], &handicap].concat(), &["another handicap"]);
}

#[test]
fn an_interrupt_says_what_was_done() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let message = interrupt(&["balance", BACKGAMMON, "--games", "1000000", "--quiet", "--out", &out], &out);
    assert!(message.contains(" of 2000000 games; go on with: sandtable balance --out"), "{message}");
    refused(&["balance", BACKGAMMON, "--games", "5", "--out", &out], &["1000000 games", "more than 5"]);
    refused(&["balance", BACKGAMMON, "--seed", "5", "--out", &out], &["another seed"]);
    refused(&["balance", "--seed", "5", "--out", &out], &["--seed", "name the scenario"]);
}

#[test]
fn the_report_speaks_for_itself() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let args = ["balance", BACKGAMMON, "--agent", "random", "--games", "200", "--restrict", "greedy"];
    let page = succeed(&[&args[..], &["--out", &out]].concat());
    for words in [
        "random on all sides, 200 games",
        "end turn",
        "lead changes",
        "decisive turn",
        "comebacks",
        "restricted play",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&succeed(&["balance", "--out", &out, "--json"])).unwrap();
    assert_eq!(json["report"], report(&out, "balance"));
    assert_eq!(json["session"]["games"], 0);
    assert_eq!(succeed(&["balance", "--out", &out, "--quiet"]), "");
    // Greedy play wins more than chance does.
    let line = &json["report"]["restrictions"][0];
    assert_eq!(line["restricted_agent"], "flat-mc:iterations=100,depth=0");
    // Every table is documented, with the columns it has.
    for table in [
        "balance_teams",
        "balance_sides",
        "balance_ends",
        "balance_turns",
        "balance_handicaps",
        "balance_restrictions",
        "balance_crossings",
        "balance_checks",
    ] {
        let rows = study::file(std::path::Path::new(&out).join(table).with_extension("parquet"));
        let schema = succeed(&["schema", BACKGAMMON, table]);
        for name in &rows.names {
            assert!(schema.contains(&format!("  {name} ")), "{name} is not in {schema}");
        }
        let of_handicaps = ["balance_handicaps", "balance_crossings", "balance_checks"];
        assert_eq!(rows.rows.is_empty(), of_handicaps.contains(&table), "{table}");
    }
    let schema = succeed(&["schema", BACKGAMMON, tables::GAMES]);
    assert!(schema.contains("  course "), "{schema}");
}

#[test]
fn the_ladder_is_the_systems_own() {
    let scratch = Scratch::new();
    for (scenario, ladder) in [(CONNECT_FOUR, "mcts:iterations=50"), (FRANCE, "scripted")] {
        let out = scratch.text(ladder);
        succeed(&["balance", scenario, "--games", "1", "--out", &out, "--quiet"]);
        let strengths = report(&out, "balance")["strengths"].clone();
        assert_eq!((&strengths[0]["agent"], &strengths[1]["agent"]), (&"random".into(), &ladder.into()));
    }
}

#[test]
fn bad_input_is_refused_before_the_first_game() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let with = |args: &[&'static str], words: &[&str]| {
        refused(&[&["balance", FRANCE, "--out", &out], args].concat(), words);
        assert!(!std::path::Path::new(&out).exists(), "{args:?} made a folder");
    };
    with(&["--agent", "scriptd"], &["--agent scriptd", "scripted"]);
    with(&["--agent", "random", "--agent", "random"], &["random", "twice"]);
    with(&["--restrict", "airr"], &["--restrict airr", "did you mean \"air\""]);
    with(&["--set", "setup.axis.extra_suply=1"], &["setup.axis.extra_suply", "extra_supply"]);
    with(&["--handicap", "setup.axis.extra_suply=0..2"], &["--handicap", "extra_suply", "extra_supply"]);
    with(&["--handicap", "setup.axis.extra_supply=2..0"], &["--handicap", "2 is not less than 0"]);
    with(&["--handicap", "setup.axis.extra_supply"], &["--handicap", "PATH=LOW..HIGH"]);
    with(&["--handicap", "setup.title=0..2"], &["--handicap setup.title=0..2", "setup.title"]);
    with(
        &["--handicap", "setup.axis.extra_supply=0.0..1.0"],
        &["--handicap", "extra_supply", "LOW..HIGH:STEP"],
    );
    with(&["--handicap", "setup.axis.extra_infantry=0..1:0.5"], &["--handicap", "0.5", "whole number"]);
    with(&["--target", "0.5"], &["--handicap"]);
    with(&["--handicap", "setup.axis.extra_supply=0..4", "--target", "1"], &["--target", "between 0 and 1"]);
    with(&["--games", "0"], &["--games"]);
    refused(&["balance", "blitzwar/france-1941"], &["blitzwar/france-1941", "did you mean"]);
    refused(&["balance"], &["name a scenario"]);
    refused(&["balance", "--out", &out], &["there is no balance to go on with"]);
}
