//! The reference games: connect four, backgammon, Kuhn poker.

pub mod skirmish;

use std::fmt::Write;
use std::marker::PhantomData;

use sandtable_ai::Plain;
use sandtable_core::{Digest, Game, PerSide, Side};
use sandtable_reference::{Backgammon, ConnectFour, Kuhn, backgammon, connect_four, kuhn};

use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::board::{Map, Position};
use sandtable_experiments::system::{
    AnySystem, Facts, Override, Recorder, Scenario, ScenarioInfo, Source, System, SystemInfo, TurnEnd,
};
use sandtable_experiments::table::{Column, Kind, Row, Schema};

/// The systems of this crate.
pub fn systems() -> Vec<Box<dyn AnySystem>> {
    vec![reference::<ConnectFour>(), reference::<Backgammon>(), reference::<Kuhn>()]
}

/// The system of a game that is its own only scenario, without data to change.
fn reference<G: ReferenceGame>() -> Box<dyn AnySystem> {
    Box::new(Reference::<G>(PhantomData))
}

struct Reference<G>(PhantomData<G>);

/// What the reference games differ in.
trait ReferenceGame: Game + Default + 'static {
    const INFO: SystemInfo;
    /// What is known of the game.
    const TRUTH: &'static str;

    fn narrate(&self, event: &Self::Event) -> Option<String>;

    fn position_value(&self, state: &Self::State) -> Option<PerSide<f32>> {
        let _ = state;
        None
    }

    fn turn_columns() -> Vec<Column> {
        Vec::new()
    }

    fn turn_cells(&self, state: &Self::State, side: Side, row: &mut Row<'_>) {
        let _ = (state, side, row);
    }

    fn map(&self) -> Option<Map> {
        None
    }

    fn position(&self, state: &Self::State) -> Position {
        let _ = state;
        Position::default()
    }

    fn fact_tables(&self) -> Vec<Schema> {
        Vec::new()
    }

    fn fact(&self, event: Self::Event, facts: &mut Facts) {
        let _ = (event, facts);
    }
}

/// Passes everything on to the game.
struct Pass;

impl<G: ReferenceGame> Recorder<G> for Pass {
    fn fact(&mut self, game: &G, event: G::Event, facts: &mut Facts) {
        game.fact(event, facts);
    }

    fn turn_cells(&mut self, game: &G, state: &G::State, end: TurnEnd, row: &mut Row<'_>) {
        game.turn_cells(state, end.side, row);
    }
}

impl<G: ReferenceGame> System for Reference<G> {
    type Game = G;
    type SystemKnowledge = Plain;
    type Recorder = Pass;

    fn info(&self) -> SystemInfo {
        G::INFO
    }

    fn scenarios(&self) -> Vec<ScenarioInfo> {
        vec![ScenarioInfo { id: G::INFO.id.to_owned(), summary: G::INFO.summary.to_owned() }]
    }

    fn open(&self, _: Source<'_>, overrides: &[Override]) -> Result<Scenario<G, Plain>, Failure> {
        let id = G::INFO.id.to_owned();
        if let Some(first) = overrides.first() {
            return Err(Failure::input(format!("--set {first}: {id} has no values to set")));
        }
        Ok(Scenario { hash: Digest::of(&id), id, game: G::default(), knowledge: Plain })
    }

    fn turn_columns(&self, _: &G) -> Vec<Column> {
        G::turn_columns()
    }

    fn fact_tables(&self, game: &G) -> Vec<Schema> {
        game.fact_tables()
    }

    fn recorder(&self, _: &G) -> Pass {
        Pass
    }

    fn narrate(&self, game: &G, _: &G::State, event: &G::Event) -> Option<String> {
        game.narrate(event)
    }

    fn position_value(&self, scenario: &Scenario<G, Plain>, state: &G::State) -> Option<PerSide<f32>> {
        scenario.game.position_value(state)
    }

    fn map(&self, game: &G) -> Option<Map> {
        game.map()
    }

    fn position(&self, game: &G, state: &G::State) -> Position {
        game.position(state)
    }

    fn describe(&self, _: &Scenario<G, Plain>) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(text, "What is known: {}", G::TRUTH);
        text
    }
}

impl ReferenceGame for ConnectFour {
    const INFO: SystemInfo = SystemInfo {
        id: "reference/connect-four",
        name: "Connect four",
        summary: "perfect information, seven columns, four in a row wins",
        part_games: 65_536,
    };
    const TRUTH: &'static str = "solved; the first side wins, and only by opening in the centre column";

    fn narrate(&self, event: &connect_four::Event) -> Option<String> {
        let connect_four::Event::Dropped { column, row, .. } = event;
        Some(format!("the disc rests in column {}, row {}", column + 1, row + 1))
    }
}

impl ReferenceGame for Backgammon {
    const INFO: SystemInfo = SystemInfo {
        id: "reference/backgammon",
        name: "Backgammon",
        summary: "dice, a race with contact, single games without doubling",
        part_games: 8_192,
    };
    const TRUTH: &'static str = "the shape of the game; both sides are equal but for the first roll";

    fn narrate(&self, event: &backgammon::Event) -> Option<String> {
        match event {
            backgammon::Event::Rolled { side, dice } => {
                Some(format!("{} rolls {} and {}", self.sides()[side.index()].name, dice[0], dice[1]))
            }
            backgammon::Event::Moved { hit: true, to, .. } => Some(format!("a blot is hit on point {to}")),
            backgammon::Event::Moved { hit: false, .. } => None,
            backgammon::Event::Stuck { side } => {
                Some(format!("{} cannot play the rest", self.sides()[side.index()].name))
            }
        }
    }

    /// By the race: a lead of a sixth of the pips that both have left is worth a tenth.
    fn position_value(&self, state: &backgammon::State) -> Option<PerSide<f32>> {
        let [own, other] = [0, 1].map(|side| state.pips(Side(side)) as f32);
        let lead = 0.6 * (other - own) / (own + other).max(1.0);
        Some(PerSide([0.5 + lead, 0.5 - lead, 0.0, 0.0]))
    }

    fn turn_columns() -> Vec<Column> {
        vec![Column::new("pips", Kind::Int, "pips", "pips this side still has to move")]
    }

    fn turn_cells(&self, state: &backgammon::State, side: Side, row: &mut Row<'_>) {
        row.int(state.pips(side) as i32);
    }

    fn fact_tables(&self) -> Vec<Schema> {
        let sides = self.sides().iter().map(|side| side.id.to_owned()).collect();
        let columns = vec![
            Column::new("side", Kind::Word(sides), "", "the side that hit"),
            Column::new("point", Kind::Int, "", "the point on which the blot stood, as that side counts"),
        ];
        vec![Schema { name: "hits", doc: "one row a blot that was hit", columns }]
    }

    fn fact(&self, event: backgammon::Event, facts: &mut Facts) {
        if let backgammon::Event::Moved { side, to, hit: true, .. } = event {
            facts.row(0).word(side.index()).int(i32::from(to));
        }
    }
}

impl ReferenceGame for Kuhn {
    const INFO: SystemInfo = SystemInfo {
        id: "reference/kuhn",
        name: "Kuhn poker",
        summary: "hidden cards, one bet, three cards in the deck",
        part_games: 65_536,
    };
    const TRUTH: &'static str = "between equilibrium players the first side loses 1/18 chip a hand";

    fn narrate(&self, event: &kuhn::Event) -> Option<String> {
        match event {
            kuhn::Event::Chose { .. } => None,
            kuhn::Event::Shown { cards } => {
                let names: Vec<String> = self
                    .sides()
                    .iter()
                    .zip(cards)
                    .map(|(side, card)| format!("{} {card:?}", side.name))
                    .collect();
                Some(format!("the cards: {}", names.join(", ")))
            }
        }
    }
}
