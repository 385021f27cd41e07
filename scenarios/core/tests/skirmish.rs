//! The loader, the runner of examples and the kit on a system of their own: the toy wargame with a few data. Its
//! parts are those of every system's crate of scenarios, in the order in which they are written.

use include_dir::{Dir, include_dir};
use sandtable_core::{Game, Phases, PlayContext, Stepwise};
use sandtable_reference::Skirmish;
use sandtable_reference::skirmish::{Action, Chit, Event, Hexes, Phase, State, Unit};
use sandtable_scenarios::example::format::{Illegal, Position as Written};
use sandtable_scenarios::example::words::{Findings, named};
use sandtable_scenarios::example::{self, Refusal, Vocabulary};
use sandtable_scenarios::tree::{Cell, Sheet, Tree};
use sandtable_scenarios::{
    AnySystem, DataFile, LoadError, Override, Problem, System, is_scenario_folder, kit, named_system,
};
use serde::Deserialize;
use toml::{Table, Value};

// ---- the data ----

const WOODS: Sheet = Sheet::of_facts(
    "woods.csv",
    &["id"],
    &[("id", Cell::Text), ("row", Cell::Integer), ("place", Cell::Integer)],
);

static SETUPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tests/skirmish/setups");
static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tests/skirmish/examples");

static SYSTEM: System<Rules> = System {
    id: "skirmish",
    title: "Skirmish",
    files: &[
        DataFile::sheet(WOODS, include_str!("skirmish/woods.csv")),
        DataFile::toml("combat.toml", include_str!("skirmish/combat.toml")),
        DataFile::SETUP,
    ],
    coverage: include_str!("skirmish/rules.csv"),
    setups: &SETUPS,
    examples: &EXAMPLES,
    complete: |root| {
        let Some(Value::Table(setup)) = root.get_mut("setup") else { return };
        setup.entry("towns").or_insert_with(|| Value::Table(Table::new()));
    },
    template: |_, path| match path {
        ["setup", "towns", "north" | "south"] => Some(Value::Integer(0)),
        _ => None,
    },
    build,
    describe: |rules| format!("{}: {} hexes of woods\n", rules.title, rules.woods.len()),
    run_examples: example::run::<Examples>,
};

// ---- the loader ----

#[derive(Clone, PartialEq, Debug)]
struct Rules {
    title: String,
    woods: Vec<(u8, u8)>,
    with_woods: bool,
    blue_reserve: u8,
    towns: Vec<String>,
}

fn build(tree: &Tree) -> Result<Rules, LoadError> {
    let whole = tree.node();
    let mut woods = Vec::new();
    for row in whole.at("woods")?.members()? {
        let hex = (row.get("row")?.byte(1..=40)?, row.get("place")?.byte(1..=50)?);
        if woods.contains(&hex) {
            return Err(row.inconsistent("the hex stands there twice"));
        }
        woods.push(hex);
    }
    let combat = whole.at("combat")?;
    combat.only(&["woods"])?;
    let setup = whole.at("setup")?;
    setup.only(&["system", "id", "blue_reserve", "towns"])?;
    Ok(Rules {
        title: setup.get("title")?.text()?.to_owned(),
        woods,
        with_woods: combat.get("woods")?.get("value")?.flag()?,
        blue_reserve: setup.get("blue_reserve")?.byte(0..=4)?,
        towns: setup.get("towns")?.members()?.iter().map(|town| town.key().to_owned()).collect(),
    })
}

// ---- the words of its examples ----

struct Examples;

struct Played {
    rules: Rules,
    game: Skirmish,
}

#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
struct Position {
    set: Vec<String>,
    reserve: Vec<u8>,
}

impl Written for Position {
    fn overrides(&self) -> Vec<String> {
        self.set.clone()
    }
}

#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
struct Expect {
    phase: Option<String>,
    choices: Option<usize>,
    legal: Vec<String>,
    illegal: Vec<Illegal>,
}

/// The game is played by its rules in the engine; here the rules ride along for the position.
impl Phases for Played {
    fn set_up<T: sandtable_core::Context<Event>>(&self, context: &mut T) -> State {
        self.game.set_up(context)
    }

    fn is_over(&self, state: &State) -> bool {
        self.game.is_over(state)
    }

    fn decider(&self, state: &State) -> sandtable_core::Side {
        self.game.decider(state)
    }

    fn generate<O: sandtable_core::ActionSink<Action>>(
        &self,
        state: &State,
        out: &mut O,
    ) -> sandtable_core::Flow {
        self.game.generate(state, out)
    }

    fn play<T: sandtable_core::Context<Event>>(&self, state: &mut State, action: Action, context: &mut T) {
        self.game.play(state, action, context);
    }

    fn end_phase<T: sandtable_core::Context<Event>>(&self, state: &mut State, context: &mut T) {
        self.game.end_phase(state, context);
    }
}

impl Game for Played {
    type State = State;
    type Action = Action;
    type Event = Event;

    sandtable_core::played_by_phases!();

    fn sides(&self) -> &[sandtable_core::SideInfo] {
        self.game.sides()
    }

    fn outcome(&self, state: &State) -> Option<sandtable_core::Outcome> {
        self.game.outcome(state)
    }

    fn determinize<D: sandtable_core::Dice>(
        &self,
        state: &State,
        viewer: sandtable_core::Side,
        dice: &mut D,
    ) -> State {
        self.game.determinize(state, viewer, dice)
    }

    fn observation(&self, state: &State, viewer: sandtable_core::Side) -> u64 {
        self.game.observation(state, viewer)
    }

    fn hash(&self, state: &State) -> u64 {
        self.game.hash(state)
    }

    fn recomputed_hash(&self, state: &State) -> u64 {
        self.game.recomputed_hash(state)
    }

    fn check(&self, state: &State) -> Result<(), String> {
        self.game.check(state)
    }

    fn turn_number(&self, state: &State) -> u32 {
        self.game.turn_number(state)
    }

    fn describe(&self, state: &State, action: Action) -> String {
        self.game.describe(state, action)
    }
}

const PHASES: [&str; 7] = ["holding_back", "drawing", "picking", "marching", "attacking", "supply", "over"];

fn phase(state: &State) -> &'static str {
    match state.phase() {
        Phase::HoldingBack => PHASES[0],
        Phase::Drawing => PHASES[1],
        Phase::Picking => PHASES[2],
        Phase::Marching(_) => PHASES[3],
        Phase::Attacking(_) => PHASES[4],
        Phase::Supply => PHASES[5],
        Phase::Over => PHASES[6],
    }
}

/// A decision in words: `pass`, `hold back 2`, `pick 7`, or `go` for the first hex there is.
fn order(game: &Played, state: &State, phrase: &str) -> Result<Action, String> {
    let number = |text: &str| text.parse::<u8>().map_err(|_| format!("`{text}` is no number from 1"));
    if let Some(chit) = phrase.strip_prefix("hold back ") {
        return Ok(Action::HoldBack(Chit(number(chit)? - 1)));
    }
    if let Some(unit) = phrase.strip_prefix("pick ") {
        return Ok(Action::Pick(Unit(number(unit)? - 1)));
    }
    let open = game.open_actions(state);
    let go = open.into_iter().find(|action| matches!(action, Action::Go(_))).unwrap_or(Action::Pass);
    named(phrase, "a decision", [("pass".to_owned(), Action::Pass), ("go".to_owned(), go)].into_iter())
}

fn fault(game: &Played, state: &State, phrase: &str) -> Result<Option<String>, String> {
    let action = order(game, state, phrase)?;
    let reason = match state.phase() {
        Phase::Marching(_) => "another unit marches",
        _ => "it is not open",
    };
    Ok((!game.open_actions(state).contains(&action)).then(|| reason.to_owned()))
}

impl Vocabulary for Examples {
    type Rules = Rules;
    type Game = Played;
    type Position = Position;
    type Expect = Expect;

    fn system() -> &'static System<Rules> {
        &SYSTEM
    }

    fn game(rules: Rules) -> Result<Played, String> {
        let mut game = Skirmish::new();
        if rules.with_woods {
            for &(row, place) in &rules.woods {
                game.woods.insert(sandtable_core::hex::Hex::new(row - 1, place - 1));
            }
        } else {
            game.woods = Hexes::EMPTY;
        }
        Ok(Played { rules, game })
    }

    fn position(
        game: &Played,
        wanted: &Position,
        context: &mut example::ScriptedContext<Self>,
    ) -> Result<State, String> {
        let mut state = game.set_up(&mut PlayContext { dice: &mut context.dice, sink: () });
        let own = Some(game.rules.blue_reserve).filter(|&reserve| reserve > 0);
        for chit in own.iter().chain(&wanted.reserve) {
            example::play_phrase::<Examples>(game, &mut state, &format!("hold back {chit}"), context)?;
        }
        Ok(state)
    }

    fn attempt(
        game: &Played,
        state: &mut State,
        phrase: &str,
        context: &mut example::ScriptedContext<Self>,
    ) -> Result<(), Refusal> {
        if phrase == "pass" {
            return example::pass::<Examples>(game, state, Action::Pass, context);
        }
        if let Some(wanted) = phrase.strip_prefix("until ") {
            let reached = |state: &State| phase(state) == wanted;
            return example::play_until::<Examples>(game, state, context, Action::Pass, reached, |_| false);
        }
        if let Some(reason) = fault(game, state, phrase).map_err(Refusal::Never)? {
            return Err(Refusal::NotYet(format!("not legal: {reason}")));
        }
        let action = order(game, state, phrase).map_err(Refusal::Never)?;
        game.apply_alone(state, action, context);
        Ok(())
    }

    fn is_notable(_: &State, action: Action) -> bool {
        matches!(action, Action::Pass | Action::Attack(_))
    }

    fn check(game: &Played, state: &State, expect: &Expect, _: &[Event]) -> Vec<String> {
        let mut found = Findings::default();
        if let Some(expected) = &expect.phase {
            let names = PHASES.iter().map(|name| ((*name).to_owned(), *name));
            if let Some(expected) = found.take(named(expected, "a phase", names)) {
                found.same("phase", &expected, &phase(state));
            }
        }
        if let Some(choices) = &expect.choices {
            let open = game.open_actions(state);
            found.same("choices", choices, &open.iter().filter(|action| **action != Action::Pass).count());
        }
        found.decisions(&expect.legal, &expect.illegal, |phrase| fault(game, state, phrase));
        found.list
    }
}

// ---- its tests ----

const PLAIN: &str = "skirmish/plain";

#[test]
fn scenarios_open_and_the_engine_takes_them() {
    kit::check_scenarios::<Examples>(&["plain", "reserved"]);
    let counts = SYSTEM.provenance_counts(PLAIN).unwrap();
    let counts: Vec<_> = counts.iter().map(|it| (it.file.as_str(), it.rulebook, it.reconstructed)).collect();
    assert_eq!(counts, [("woods.csv", 1, 1), ("combat.toml", 1, 0), ("setup.toml", 0, 0)]);
    kit::check_facts::<Examples>(false, 1);
    kit::check_invariants::<Examples>(PLAIN, &["woods.west.row=12"], 2);
}

#[test]
fn overrides_reach_the_rules() {
    let edits = ["woods.west.row=12", "combat.woods=no", "setup.blue_reserve = 3", "setup.towns.north=1"];
    let scenario = kit::with::<Examples>(PLAIN, &edits).unwrap();
    let rules = scenario.rules();
    assert_eq!((rules.woods[0], rules.with_woods, rules.blue_reserve), ((12, 20), false, 3));
    assert_eq!(rules.towns, ["north"]);
    let shown: Vec<String> = scenario.overrides().iter().map(Override::to_string).collect();
    assert_eq!(
        shown,
        ["woods.west.row=12", "combat.woods=no", "setup.blue_reserve=3", "setup.towns.north=1"]
    );
    kit::check_paths::<Examples>(
        PLAIN,
        &[("woods.wst.row=1", "woods.west.row"), ("setup.blue_reserv=1", "setup.blue_reserve")],
    );
    kit::check_values::<Examples>(
        PLAIN,
        &[
            ("woods.west.row=41", "woods.west.row: found 41, expected a number from 1 to 40"),
            ("woods.west.row=far", "found the text `far`, expected a whole number"),
            ("setup.towns.west=1", "there is no such value"),
        ],
    );
}

#[test]
fn faults_are_told_with_their_place() {
    kit::check_faults::<Examples>(
        PLAIN,
        &[
            ("woods.csv", "west,20,20,", "east,20,20,", "woods.csv:4: woods.east: `east` stands there twice"),
            ("woods.csv", "west,20,20,", "west,21,31,", "the hex stands there twice"),
            (
                "woods.csv",
                "id,row,",
                "id,rows,",
                "woods.csv:2: `rows` is not a column of this table; did you mean `row`?",
            ),
            ("woods.csv", "rulebook,1", "rulebook,", "the fact needs a `basis`"),
            ("woods.csv", "rulebook", "rumour", "`rumour` is not a provenance"),
            ("combat.toml", "[woods]", "[wood]", "`wood` means nothing here; did you mean `woods`?"),
            ("setup.toml", "skirmish", "skirmsh", "`\"skirmsh\"` is not a system; did you mean `skirmish`?"),
            ("setup.toml", "\"skirmish\"", "\"chess\"", "`\"chess\"` is not the system `skirmish`"),
        ],
    );
}

#[test]
fn any_data_and_any_edit_load_or_say_why_not() {
    kit::check_export::<Examples>(PLAIN, &["woods.west.row=12", "setup.towns.north=1"]);
    kit::check_mutations::<Examples>(PLAIN, 200);
    kit::check_overrides::<Examples>(PLAIN, 200);
}

#[test]
fn a_folder_names_one_of_the_systems_handed_in() {
    let scratch = kit::Scratch::new("named");
    SYSTEM.export(PLAIN, &scratch.0).unwrap();
    assert!(is_scenario_folder(&scratch.0) && !is_scenario_folder(std::path::Path::new("src")));
    assert_eq!(named_system(&scratch.0, &["chess", "skirmish"]).unwrap(), "skirmish");
    let error = named_system(&scratch.0, &["chess", "skirmishes"]).unwrap_err();
    assert_eq!(error.to_string(), "setup.toml: `\"skirmish\"` is not a system; did you mean `skirmishes`?");
    std::fs::remove_file(scratch.0.join("setup.toml")).unwrap();
    let error = SYSTEM.open(scratch.name(), &[]).unwrap_err();
    assert!(matches!(*error.problem, Problem::MissingFile { .. }), "{error}");
}

#[test]
fn examples_hold_and_say_where_they_do_not() {
    let reports = kit::reports::<Examples>();
    kit::check_examples::<Examples>(&reports, 1);
    kit::check_readme::<Examples>(&format!("{}/tests/skirmish", env!("CARGO_MANIFEST_DIR")));
    let (_, text) = SYSTEM.examples()[0];
    let one = text.split("[[example]]").enumerate().filter(|(at, _)| *at != 1).map(|(_, part)| part);
    let one = one.collect::<Vec<_>>().join("[[example]]");
    kit::check_damage::<Examples>(
        &one,
        &[
            ("choices = 4", "choices = 5", "step 1: choices: expected 5, found 4"),
            ("\"marching\"", "\"picking\"", "step 2: phase: expected picking, found marching"),
            ("\"marching\"", "\"marchin\"", "`marchin` is not a phase; did you mean `marching`?"),
            ("dice = [1]", "dice = []", "dice: roll 1 was asked for but not written"),
            ("dice = [1]", "dice = [1, 2]", "dice: 1 of 2 rolls were not used"),
            ("\"pick 1\"", "\"pick 9\"", "`pick 9`: not legal: it is not open"),
            (
                "another unit marches",
                "rain",
                "expected to be illegal because `rain`, found `another unit marches`",
            ),
            // The lists of an example are added to those of the file: Blue has held its second formation back.
            (
                "set = [\"woods.west",
                "reserve = [3], set = [\"woods.west",
                "position: not legal: it is not open",
            ),
            ("\"go\"]", "\"until chess\"]", "this must be decided first"),
        ],
    );
    kit::check_malformed::<Examples>(
        &one,
        &[
            ("title", "titel", "unknown field `titel`; did you mean `title`?"),
            ("reserve = [2]", "reserv = [2]", "unknown field `reserv`; did you mean `reserve`?"),
            ("skirmish/plain", "skirmish/plan", "did you mean `skirmish/plain`?"),
            (
                "skirmish/plain",
                "chess/plain",
                "chess/plain is no scenario of Skirmish, as others of the file",
            ),
            ("scenario = \"skirmish/plain\"", "", "`scenario` is missing"),
            ("woods.west.row=13", "woods.west.row=99", "example march: woods.west.row: found 99"),
            ("woods.east.row=22", "woods.east.row=99", "example march: woods.east.row: found 99"),
        ],
    );
}

#[test]
fn rules_name_their_proofs() {
    let rules = SYSTEM.coverage().unwrap();
    assert_eq!(rules[0].proofs(), ["march", "zones_of_control_stop_a_march"]);
    assert!(rules.iter().all(|rule| rule.is_implemented() && rule.is_proven()));
}
