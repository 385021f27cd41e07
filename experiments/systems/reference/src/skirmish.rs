//! The skirmish on hexes, a toy wargame, in the program: what its tables hold, its map, and its game logs.

use sandtable_core::hex::{Direction, Hex};
use sandtable_core::{Board, Game, PerSide, Side};
use sandtable_reference::{Skirmish, skirmish};

use super::{ReferenceGame, reference};
use sandtable_experiments::system::board::{
    Counter, Link, Map, Marker, Marks, Place, Position, Settlement, Site, Terrain, Texture, UnitSymbol, Ways,
};
use sandtable_experiments::system::{AnySystem, Facts, SystemInfo};
use sandtable_experiments::table::{Column, Kind, Row, Schema};

/// The systems of this file.
pub fn systems() -> Vec<Box<dyn AnySystem>> {
    vec![reference::<Skirmish>()]
}

/// The number of a hex among the places of the map, which are the hexes of the board in ascending order.
fn place(game: &Skirmish, hex: Hex) -> usize {
    game.board.places().rank(hex) as usize
}

impl ReferenceGame for Skirmish {
    const INFO: SystemInfo = SystemInfo {
        id: "reference/skirmish",
        name: "Skirmish",
        summary: "a toy wargame on 2,000 hexes: chits from a cup, zones of control, supply by road",
        part_games: 8_192,
    };
    const TRUTH: &'static str = "the board is the same for both sides; Blue only holds back first, unseen";

    fn narrate(&self, event: &skirmish::Event) -> Option<String> {
        use skirmish::Event;
        let unit = |unit: skirmish::Unit| {
            let side = unit.side();
            format!("{} {}", self.sides()[side.index()].name, 1 + unit.0 % (skirmish::UNITS / 2))
        };
        match *event {
            Event::TurnBegins { .. } | Event::Went { .. } => None,
            Event::Drawn { chit } => {
                let side = &self.sides()[chit.side().index()].name;
                Some(format!("the chit of {side}'s formation {} is drawn", 1 + chit.0 % skirmish::FORMATIONS))
            }
            Event::Taken { town, by } => {
                Some(format!("{} takes town {}", self.sides()[by.index()].name, town + 1))
            }
            Event::Fought { attacker, defender, score } => {
                Some(format!("{} attacks {}: {score}", unit(attacker), unit(defender)))
            }
            Event::Lost { unit: loser, steps, unsupplied } => {
                let cause = if unsupplied { " for want of supply" } else { "" };
                Some(format!(
                    "{} loses {steps} step{}{cause}",
                    unit(loser),
                    if steps == 1 { "" } else { "s" }
                ))
            }
        }
    }

    /// By the points so far: a lead of the worth of all towns decides.
    fn position_value(&self, state: &skirmish::State) -> Option<PerSide<f32>> {
        let [blue, red] = [0, 1].map(|side| f32::from(state.points_of(Side(side))));
        let lead = ((blue - red) / 36.0).clamp(-0.5, 0.5);
        Some(PerSide([0.5 + lead, 0.5 - lead, 0.0, 0.0]))
    }

    fn turn_columns() -> Vec<Column> {
        vec![
            Column::new("towns", Kind::Int, "towns", "towns this side holds"),
            Column::new("steps", Kind::Int, "steps", "steps of this side's units on the board"),
        ]
    }

    fn turn_cells(&self, state: &skirmish::State, side: Side, row: &mut Row<'_>) {
        row.int(i32::from(state.towns_of(side))).int(i32::from(state.steps_of(side)));
    }

    fn fact_tables(&self) -> Vec<Schema> {
        let sides = self.sides().iter().map(|side| side.id.to_owned()).collect();
        let columns = vec![
            Column::new("side", Kind::Word(sides), "", "the side that attacked"),
            Column::new(
                "score",
                Kind::Int,
                "",
                "two dice and all that counts; 8 and more cost the defender steps",
            ),
        ];
        vec![Schema { name: "combats", doc: "one row an attack", columns }]
    }

    fn map(&self) -> Option<Map> {
        let hexes = self.board.places();
        let places = hexes.iter().map(|hex| {
            let (east, south) = self.board.centre(hex);
            let town = skirmish::TOWNS.iter().position(|&town| town == hex);
            let supply = skirmish::SOURCES.iter().position(|sources| sources.contains(&hex));
            Place {
                id: format!("{:02}{:02}", hex.line() + 1, hex.place() + 1),
                name: town.map_or_else(String::new, |town| format!("Town {}", town + 1)),
                site: Site::Hex { east, south, flat_top: false },
                terrain: usize::from(self.woods.contains(hex) && town.is_none()),
                region: String::new(),
                marks: Marks {
                    point: town.is_some(),
                    supply: supply.is_some(),
                    supplies: supply.map(|side| Side(side as u8)),
                    settlement: town.map(|_| Settlement::Town),
                    ..Marks::default()
                },
            }
        });
        let half = [Direction::Ahead, Direction::NextAhead, Direction::NextBack];
        let sides = hexes.iter().flat_map(|hex| half.map(|way| (hex, way)));
        let links = sides.filter_map(|(hex, way)| {
            let (road, river) = (self.roads.contains(hex, way), self.river.contains(hex, way));
            let next = self.board.neighbour(hex, way).filter(|_| road || river)?;
            let ways = Ways { secondary: road, ..Ways::default() };
            Some(Link { a: place(self, hex), b: place(self, next), river, ways, ..Link::default() })
        });
        let terrain = |name: &str, texture| Terrain { name: name.to_owned(), texture };
        Some(Map {
            terrains: vec![terrain("clear", Texture::Plain), terrain("woods", Texture::Woods)],
            links: links.collect(),
            marker_key: "On a counter: formation and steps of a unit.".to_owned(),
            places: places.collect(),
            ..Map::default()
        })
    }

    fn position(&self, state: &skirmish::State) -> Position {
        let mut owners = vec![None; self.board.places().len() as usize];
        for (town, hex) in skirmish::TOWNS.into_iter().enumerate() {
            owners[place(self, hex)] = state.holder(town);
        }
        let units = (0..skirmish::UNITS).map(skirmish::Unit);
        let markers = units.filter_map(|unit| {
            let hex = state.place(unit)?;
            let (formation, steps) = (1 + unit.chit().0 % skirmish::FORMATIONS, state.steps(unit));
            let name = self.sides()[unit.side().index()].name;
            Some(Marker {
                place: place(self, hex),
                side: Some(unit.side()),
                text: format!("{formation}/{steps}"),
                words: format!("{name}, formation {formation}, {steps} steps"),
                counters: vec![Counter {
                    symbol: UnitSymbol::Infantry,
                    size: "",
                    name: formation.to_string(),
                    values: steps.to_string(),
                    steps: (steps, skirmish::STEPS),
                    formation: Some(usize::from(formation)),
                    states: String::new(),
                }],
            })
        });
        Position { owners, markers: markers.collect(), ..Position::default() }
    }

    fn fact(&self, event: skirmish::Event, facts: &mut Facts) {
        if let skirmish::Event::Fought { attacker, score, .. } = event {
            facts.row(0).word(attacker.side().index()).int(i32::from(score));
        }
    }
}
