use sandtable_core::{Dice, PlayContext, Rng64, Sink, Turn};
use sandtable_roads_to_moscow::editor::Editor;
use sandtable_roads_to_moscow::ids::hex;

use super::super::RoadsSystem;
use super::super::tables::turn_columns;
use super::*;
use sandtable_experiments::system::{Source, System};
use sandtable_experiments::table::{Rows, Schema};

const MOZHAYSK: &str = "roads-to-moscow/mozhaysk";

fn open(id: &str) -> RoadsToMoscow {
    RoadsSystem.open(Source::Id(id), &[]).unwrap().game
}

/// Hands facts to a recorder.
struct Follower<'a> {
    game: &'a RoadsToMoscow,
    recorder: RoadsRecorder,
    facts: Facts,
}

impl<'a> Follower<'a> {
    fn new(game: &'a RoadsToMoscow) -> Follower<'a> {
        Follower { game, recorder: RoadsRecorder::new(game), facts: Facts::new(&RoadsSystem, game) }
    }

    fn look(&mut self, state: &State) {
        self.recorder.look(self.game, state, &mut self.facts);
    }

    fn count(&self, player: Player, case: Case) -> i32 {
        self.recorder.open[player.index()].waste[case as usize]
    }
}

impl Sink<Event> for Follower<'_> {
    fn take(&mut self, fact: impl FnOnce() -> Event) {
        self.recorder.fact(self.game, fact(), &mut self.facts);
    }
}

/// Plays a game at random; `look` sees every decision.
fn play(
    game: &RoadsToMoscow,
    number: u64,
    mut look: impl FnMut(&Follower<'_>, &State),
) -> (Follower<'_>, State) {
    let mut table = PlayContext { dice: Rng64::stream(7, number, 0), sink: Follower::new(game) };
    let mut state = game.initial(&mut table);
    let mut legal = Vec::new();
    while let Turn::Decide(_) = game.turn_of(&state) {
        table.sink.look(&state);
        look(&table.sink, &state);
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let choice = table.below(legal.len() as u32) as usize;
        game.apply(&mut state, legal[choice], &mut table);
    }
    table.sink.look(&state);
    (table.sink, state)
}

#[test]
fn steps_followed_through_the_facts_are_those_on_the_map() {
    let game = open(MOZHAYSK);
    let mut lost = 0;
    for number in 0..6 {
        let mut turn = 0;
        let (follower, _) = play(&game, number, |follower, state| {
            if state.turn == turn {
                return;
            }
            turn = state.turn;
            for unit in state.on_map {
                let followed = game.unit(unit).steps - follower.recorder.lost[unit.at()];
                assert_eq!(followed, game.steps(state, unit), "{} in turn {turn}", game.unit_name(unit));
            }
            for unit in state.units_at_place(off_map::ELIMINATED) {
                let all = game.unit(unit).steps;
                assert_eq!(follower.recorder.lost[unit.at()], all, "{} is gone", game.unit_name(unit));
            }
        });
        lost += follower.recorder.lost.iter().map(|steps| u32::from(*steps)).sum::<u32>();
    }
    assert!(lost > 20, "{lost} steps were lost in all");
}

/// The cells of a column of a table of facts.
fn column(game: &RoadsToMoscow, facts: &Facts, table: usize, name: &str) -> Vec<String> {
    let schema = &RoadsSystem.fact_tables(game)[table];
    let at = schema.columns.iter().position(|column| column.name == name).unwrap();
    facts.texts(table, schema.columns.len()).into_iter().map(|mut row| row.swap_remove(at)).collect()
}

#[test]
fn combats_and_activations_tell_of_the_same_fights() {
    let game = open("roads-to-moscow/borodino-field");
    let sum = |cells: Vec<String>| cells.iter().map(|cell| cell.parse::<i32>().unwrap()).sum::<i32>();
    let mut fought = 0;
    for number in 0..24 {
        let (follower, state) = play(&game, number, |_, _| ());
        let cells = |table, name| column(&game, &follower.facts, table, name);
        let combats = cells(COMBATS, "kind");
        let overruns = combats.iter().filter(|kind| *kind == "overrun").count() as i32;
        assert_eq!(sum(cells(ACTIVATIONS, "overruns")), overruns);
        // An attack whose strength falls to nothing is called off before its roll.
        assert!(sum(cells(ACTIVATIONS, "attacks")) >= combats.len() as i32 - overruns);
        let cleared = cells(COMBATS, "end")
            .iter()
            .filter(|end| ["retreated", "eliminated"].contains(&end.as_str()))
            .count();
        assert_eq!(sum(cells(ACTIVATIONS, "cleared")), cleared as i32);
        let roads = follower.recorder.roads.len();
        assert_eq!(cells(FRONTS, "road").len(), roads * usize::from(state.turn), "a front a road and turn");
        fought += combats.len();
    }
    assert!(fought > 20, "{fought} combats");
}

/// A position on a turn's first decision after supply, units of one side alone.
fn standing(game: &RoadsToMoscow, unit: &str, at: u16, unsupplied: bool) -> State {
    let mut editor = Editor::new(game);
    editor.clear();
    editor.place(unit, at).control_all(Player::German);
    editor.mark(unit, Mark::Emergency, unsupplied).phase(Phase::FillingCup, Player::German);
    editor.finish()
}

#[test]
fn units_without_supply_went_there_or_were_cut_off() {
    let game = open(MOZHAYSK);
    let id = game.rules.unit("g_10pz_I_69").unwrap();
    let begins = |turn| Event::TurnBegins { turn, weather: Weather::Dry, roll: 1 };
    // On the highway, then deep in the woods of the north.
    let (from, to) = (4123, 3504);
    let found = |moved: bool, before: u16| {
        let mut follower = Follower::new(&game);
        follower.take(|| begins(1));
        follower.look(&standing(&game, "g_10pz_I_69", before, false));
        if moved {
            follower.take(|| Event::Moved { unit: id, from: hex(before), to: hex(to), reaction: false });
        }
        follower.take(|| begins(2));
        follower.look(&standing(&game, "g_10pz_I_69", to, true));
        [Case::UnsuppliedOwn, Case::UnsuppliedCut].map(|case| follower.count(Player::German, case))
    };
    assert_eq!(found(true, from), [1, 0], "from supply into the wild");
    assert_eq!(found(false, from), [0, 1], "it did not go of its own will");
    assert_eq!(found(true, 3604), [0, 1], "it had no supply to lose");
}

#[test]
fn artillery_that_could_support_and_formations_without_activation_are_waste() {
    let game = open(MOZHAYSK);
    let gun = game.rules.unit("g_10pz_I_90").unwrap();
    let found = |fires: bool, activated: bool| {
        let mut follower = Follower::new(&game);
        follower.take(|| Event::TurnBegins { turn: 1, weather: Weather::Dry, roll: 1 });
        follower.look(&standing(&game, "g_10pz_I_90", 4123, false));
        follower.recorder.could_support.insert(gun);
        if activated {
            let formation = game.rules.formation("10Pz").unwrap();
            follower.take(|| Event::Activated { formation, sequence: Sequence::Mobile });
        }
        if fires {
            follower.take(|| Event::Supports { unit: gun, target: hex(4023) });
        }
        follower.take(|| Event::TurnEnds { turn: 1, score: 3 });
        let waste = follower.recorder.closed[0].waste;
        [waste[Case::UnfiredArtillery as usize], waste[Case::IdleFormations as usize]]
    };
    assert_eq!(found(false, false), [1, 1]);
    assert_eq!(found(true, false), [0, 1]);
    assert_eq!(found(false, true), [1, 0]);
}

#[test]
fn artillery_is_silent_that_was_on_offer_when_no_more_was_named() {
    let game = open(MOZHAYSK);
    let mut counted = 0;
    for number in 0..8 {
        let mut table = PlayContext { dice: Rng64::stream(8, number, 0), sink: Follower::new(&game) };
        let mut state = game.initial(&mut table);
        let (mut turn, mut left) = (0, Units::EMPTY);
        while let Turn::Decide(_) = game.turn_of(&state) {
            table.sink.look(&state);
            if state.turn != turn {
                (turn, left) = (state.turn, Units::EMPTY);
            }
            if state.phase != Phase::Artillery {
                assert_eq!(table.sink.recorder.could_support, left, "game {number}, turn {turn}");
            }
            let mut legal = Vec::new();
            game.legal_actions(&state, &mut legal);
            let choice = legal[table.below(legal.len() as u32) as usize];
            if state.phase == Phase::Artillery && choice == Action::Pass {
                for action in legal {
                    if let Action::Unit(unit) = action {
                        left.insert(unit);
                        counted += 1;
                    }
                }
            }
            game.apply(&mut state, choice, &mut table);
        }
    }
    assert!(counted > 20, "{counted}");
}

#[test]
fn combined_formations_are_one_activation_and_a_pass_is_none() {
    let game = open(MOZHAYSK);
    let formation = |id: &str| game.rules.formation(id).unwrap();
    let marker = |id: &str| {
        let at = game.rules.markers.iter().position(|marker| marker.formation == formation(id)).unwrap();
        sandtable_roads_to_moscow::Marker::nth(at)
    };
    let mut follower = Follower::new(&game);
    follower.take(|| Event::TurnBegins { turn: 1, weather: Weather::Dry, roll: 1 });
    let activated = |id: &str| Event::Activated { formation: formation(id), sequence: Sequence::Assault };
    follower.take(|| activated("32"));
    follower.take(|| Event::Combined {
        revealed: marker("10Pz"),
        other: marker("SSR"),
        roll: 9,
        total: 11,
        success: true,
    });
    follower.take(|| activated("10Pz"));
    follower.take(|| activated("SSR"));
    follower.take(|| Event::Passed { player: Player::Soviet, marker: marker("18T") });
    follower.take(|| Event::TurnEnds { turn: 1, score: 0 });
    let cells = |name| column(&game, &follower.facts, ACTIVATIONS, name);
    assert_eq!(cells("formation"), ["32", "10Pz", "18T"]);
    assert_eq!(cells("other"), ["", "SSR", ""]);
    assert_eq!(cells("sequence"), ["assault", "assault", "pass"]);
    assert_eq!(cells("order"), ["1", "2", "3"]);
    assert_eq!(follower.recorder.closed.map(|tally| (tally.activations, tally.passes)), [(2, 0), (1, 1)]);
}

#[test]
fn the_row_of_a_turn_tells_what_stands_on_the_map() {
    let game = open(MOZHAYSK);
    let mut follower = Follower::new(&game);
    follower.take(|| Event::TurnBegins { turn: 1, weather: Weather::Rain, roll: 10 });
    follower.take(|| Event::TurnEnds { turn: 1, score: 7 });
    let mut editor = Editor::new(&game);
    editor.clear();
    editor.place("g_10pz_I_7", 2019).place("g_10pz_hq69", 2019).control_all(Player::German);
    editor.mark("g_10pz_I_7", Mark::Reduced, true).mark("g_10pz_I_7", Mark::Disorganised, true);
    let state = editor.finish();
    let schema = Schema { name: "turns", doc: "", columns: turn_columns() };
    let mut rows = Rows::new(&schema);
    let end = TurnEnd { turn: 1, side: Player::German.side() };
    follower.recorder.turn_cells(&game, &state, end, &mut rows.row());
    let cell = |name: &str| {
        let at = schema.columns.iter().position(|column| column.name == name).unwrap();
        rows.text(0, at)
    };
    let names = ["score", "weather", "first", "units", "steps", "armour", "disorganised", "fired"];
    assert_eq!(names.map(cell), ["7", "rain", "true", "2", "2", "1", "1", "0"]);
    let all: i32 = game.rules.scenario.objectives.iter().map(|(_, points)| i32::from(*points)).sum();
    assert_eq!(cell("objectives"), all.to_string());
    let road = main_road(&game, &follower.recorder.roads).unwrap();
    assert_eq!((road.name.as_str(), cell("reach")), ("new_smolensk_road", road.hexes.len().to_string()));
}
