use proptest::prelude::*;
use sandtable_core::hex::Reach;
use sandtable_core::kit::{self, KitOptions};
use sandtable_core::{Board, Game, PlayContext, Rng64, Scripted, play_out_random};

use super::map::turned;
use super::*;

fn start(game: &Skirmish) -> State {
    game.initial(&mut PlayContext::silent(Scripted::default()))
}

/// A position with these units alone, each with its hex, the first on the march.
fn position(game: &Skirmish, units: &[(u8, Hex)]) -> State {
    let mut state = start(game);
    state.steps = [0; UNITS as usize];
    for &(unit, hex) in units {
        state.steps[unit as usize] = STEPS;
        state.places.put(Unit(unit), hex);
    }
    state.occupied = [Side(0), Side(1)].map(|side| state.occupied_by(side));
    let unit = Unit(units[0].0);
    (state.phase, state.mover, state.points) = (Phase::Marching(unit), unit.side(), POINTS);
    state
}

fn legal(game: &Skirmish, state: &State) -> Vec<Action> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    legal
}

#[test]
fn the_invariants_of_all_games_hold() {
    let options = KitOptions { games: 12, seed: 3, deep_every: 61, max_children: 24, ..Default::default() };
    kit::run(&Skirmish::new(), &options).unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn the_board_has_2000_hexes_and_looks_alike_from_both_sides() {
    let game = Skirmish::new();
    assert_eq!(game.board.places().len(), 2000);
    let turn = |hexes: &Hexes| -> Hexes { hexes.iter().map(turned).collect() };
    assert_eq!((turn(&game.woods), turn(&game.town_hexes)), (game.woods, game.town_hexes));
    for way in Direction::ALL {
        for sides in [&game.roads, &game.river] {
            assert_eq!(turn(sides.leaving(way)), *sides.leaving(way.opposite()), "{way:?}");
        }
    }
    let state = start(&game);
    for unit in (0..UNITS / 2).map(Unit) {
        assert_eq!(state.place(Unit(unit.0 + UNITS / 2)), state.place(unit).map(turned));
    }
    assert!(game.woods.len() > 300, "there are woods");
}

#[test]
fn a_march_costs_what_ground_and_river_cost() {
    let game = Skirmish::new();
    let (road, way) = (Hex::new(10, 5), Direction::Ahead);
    assert_eq!(game.cost(road, way, Hex::new(10, 6)), 1, "half a point along a road");
    let bank = Hex::new(15, 24);
    let over = game.board.neighbour(bank, Direction::Ahead).unwrap();
    assert_eq!(game.cost(bank, Direction::Ahead, over), 4 + 2 * u8::from(game.woods.contains(over)));
    assert_eq!(game.cost(Hex::new(10, 24), way, Hex::new(10, 25)), 1, "a bridge");
    let wood = game.woods.iter().find(|wood| wood.place() < 20).unwrap();
    let (back, from) =
        game.board.neighbours(wood).find(|(_, hex)| !game.roads.hexes().contains(*hex)).unwrap();
    assert_eq!(game.cost(from, back.opposite(), wood), 4);
}

#[test]
fn who_enters_a_zone_of_control_stops_and_does_not_go_from_one_to_the_next() {
    let game = Skirmish::new();
    let (blue, red) = (Hex::new(10, 5), Hex::new(10, 8));
    let mut state = position(&game, &[(0, blue), (16, red)]);
    let mut context = PlayContext::silent(Scripted::default());
    assert!(legal(&game, &state).contains(&Action::Go(Direction::Ahead)));
    game.play(&mut state, Action::Go(Direction::Ahead), &mut context);
    assert_eq!(state.phase, Phase::Marching(Unit(0)));
    game.play(&mut state, Action::Go(Direction::Ahead), &mut context);
    assert_eq!(state.phase, Phase::Attacking(Unit(0)), "beside the enemy the march ends");

    let state = position(&game, &[(0, Hex::new(10, 7)), (16, red)]);
    let ways: Vec<_> = legal(&game, &state).into_iter().skip(1).collect();
    let beside_red = game.board.neighbours_of(&Hexes::one(red));
    for way in Direction::ALL {
        let to = game.board.neighbour(Hex::new(10, 7), way).unwrap();
        let free = to != red && !beside_red.contains(to);
        assert_eq!(ways.contains(&Action::Go(way)), free, "{way:?}");
    }
}

#[test]
fn combat_takes_steps_by_the_score() {
    let game = Skirmish::new();
    let (west, east) = (Hex::new(10, 5), Hex::new(10, 6));
    for (dice, steps) in [([6, 5], [2, 0]), ([6, 2], [2, 1]), ([4, 2], [2, 2]), ([1, 4], [1, 2])] {
        let mut state = position(&game, &[(0, west), (16, east), (1, Hex::new(30, 5))]);
        let mut context = PlayContext { dice: Scripted::faces(&dice), sink: Vec::new() };
        game.fight(&mut state, Unit(0), Unit(16), &mut context);
        assert_eq!([Unit(0), Unit(16)].map(|unit| state.steps(unit)), steps, "{dice:?}");
        assert_eq!((context.dice.check(), context.dice.left()), (Ok(()), 0));
        let advanced = state.place(Unit(0)) == Some(east);
        assert_eq!(advanced, steps[1] == 0, "who destroys advances");
    }
    // Support of a friend, against a town across the river.
    let town = TOWNS[5];
    let (from, friend) = (Hex::new(19, 24), game.board.neighbour(town, Direction::NextAhead).unwrap());
    let state = position(&game, &[(0, from), (1, friend), (16, town)]);
    assert_eq!(game.modifier(&state, Unit(0), Unit(16)), 1 - 2);
}

#[test]
fn supply_comes_five_hexes_from_a_road_that_no_enemy_controls() {
    let game = Skirmish::new();
    let near = Hex::new(15, 10);
    let far = Hex::new(16, 10);
    let mut context = PlayContext { dice: Scripted::default(), sink: Vec::new() };
    let mut state = position(&game, &[(0, near), (1, far), (16, Hex::new(39, 45))]);
    game.starve(&mut state, &mut context);
    assert_eq!([0, 1].map(|unit| state.steps(Unit(unit))), [2, 1]);
    // An enemy beside the road cuts it, but for a friend who stands on it.
    let on_the_road = [(1, Hex::new(10, 5)), (2, Hex::new(10, 6))];
    for (friends, steps) in [(0, 1), (1, 1), (2, 2)] {
        // The other road leads there too.
        let cutters = [(16, Hex::new(9, 5)), (17, Hex::new(28, 5))];
        let friends = on_the_road.into_iter().take(friends);
        let units: Vec<_> = [(0, near)].into_iter().chain(cutters).chain(friends).collect();
        let mut state = position(&game, &units);
        game.starve(&mut state, &mut context);
        assert_eq!(state.steps(Unit(0)), steps, "both hexes of the road that the enemy controls are held");
    }
}

#[test]
fn what_is_held_back_is_hidden_and_stays_out_of_the_cup() {
    let game = Skirmish::new();
    let mut state = start(&game);
    let mut context = PlayContext::silent(Rng64::stream(5, 0, 0));
    game.apply(&mut state, Action::HoldBack(Chit(2)), &mut context);
    assert!(!state.cup.chits.contains(Chit(2)));
    let mut seen = [0; 4];
    for seed in 0..400 {
        let determinization = Game::determinize(&game, &state, Side(1), &mut Rng64::stream(seed, 0, 0));
        assert_eq!(
            Game::observation(&game, &determinization, Side(1)),
            Game::observation(&game, &state, Side(1))
        );
        seen[determinization.reserve[0].unwrap().0 as usize] += 1;
    }
    assert!(seen.iter().all(|&count| (60..140).contains(&count)), "{seen:?}");
    let own = Game::determinize(&game, &state, Side(0), &mut Rng64::stream(1, 0, 0));
    assert_eq!(own, state, "a side knows what it holds back itself");
}

#[test]
fn random_games_end_with_a_result() {
    let game = Skirmish::new();
    let mut actions = Vec::new();
    let (mut wins, mut total) = ([0; 3], 0);
    for seed in 0..60 {
        let mut context = PlayContext::silent(Rng64::stream(7, seed, 0));
        let mut state = game.initial(&mut context);
        let decisions = play_out_random(&game, &mut state, &mut context, &mut actions);
        total += decisions;
        let winner = Game::outcome(&game, &state).unwrap().winner;
        wins[winner.map_or(2, usize::from)] += 1;
    }
    assert!(wins[0] > 5 && wins[1] > 5, "{wins:?}");
    assert!(total > 60 * 150, "{total} decisions");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Who marches hex by hex gets where the search for the cheapest way gets.
    #[test]
    fn marches_reach_what_the_board_reaches(line in 0u8..40, place in 0u8..50, foes in prop::collection::vec((0u8..40, 0u8..50), 0..16)) {
        let game = Skirmish::new();
        let from = Hex::new(line, place);
        let mut units = vec![(0, from)];
        for (unit, (line, place)) in (16..).zip(foes) {
            let hex = Hex::new(line, place);
            if units.iter().all(|&(_, other)| other != hex) {
                units.push((unit, hex));
            }
        }
        let state = position(&game, &units);
        let zone = game.board.neighbours_of(&state.occupied[1]);
        let reach: Reach<LINES, 9> = game.board.reach(from, POINTS, &zone, |a, way, b| {
            let slips = zone.contains(a) && zone.contains(b);
            (!slips && !state.occupied[1].contains(b)).then(|| game.cost(a, way, b))
        });
        let (mut seen, mut open) = (Hexes::one(from), vec![state]);
        while let Some(state) = open.pop() {
            for action in legal(&game, &state) {
                if let Action::Go(_) = action {
                    let mut next = state.clone();
                    game.play(&mut next, action, &mut PlayContext::silent(Scripted::default()));
                    seen.insert(next.places.of(Unit(0)));
                    if next.phase == Phase::Marching(Unit(0)) && next.points > 0 {
                        open.push(next);
                    }
                }
            }
        }
        prop_assert_eq!(seen, reach.hexes());
    }
}
