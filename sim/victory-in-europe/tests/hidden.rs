//! Fog of war: a redrawn determinization keeps every count that the viewer can know, and nothing that he cannot.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{SCENARIOS, game, game_of_three};
use sandtable_core::{Dice, Game, Index, PlayContext, Rng64, Side, Turn};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::phase::Pending;
use sandtable_victory_in_europe::place::NO_INDEX;
use sandtable_victory_in_europe::rules::{Arm, Kind};
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{
    Action, Force, Nation, Phase, Place, State, Team, UnitId, VictoryInEurope,
};

/// The forces whose secrets a side knows.
fn insight(game: &VictoryInEurope, side: Side) -> u8 {
    let force = Force::ALL[side.index()];
    if game.sides().len() == 3 { force.bit() } else { force.team().forces() }
}

/// Whether a unit on the map hides its steps from a side.
fn is_veiled(game: &VictoryInEurope, state: &State, unit: UnitId, side: Side) -> bool {
    let insight = insight(game, side);
    let Some(force) = game.force(state, unit) else { return false };
    let ours =
        force.bit() & insight != 0 || game.kind(unit) == Kind::Convoy && force.team().forces() & insight != 0;
    !ours && !state.has_mark(unit, mark::KNOWN)
}

/// Whether it hides what it is, too.
fn is_hidden(game: &VictoryInEurope, state: &State, unit: UnitId, side: Side) -> bool {
    is_veiled(game, state, unit, side) && !matches!(game.kind(unit), Kind::Convoy | Kind::Fortress)
}

/// What a side can count: blocks by place, nation and arm, steps by nation, arm and price.
#[derive(PartialEq, Eq, Debug, Default)]
struct Counts {
    posts: BTreeMap<(Place, u8, Place, Nation, u8, u8), u32>,
    steps: BTreeMap<(Nation, u8, bool, u8), u32>,
}

fn counts(game: &VictoryInEurope, state: &State, side: Side) -> Counts {
    let mut counts = Counts::default();
    for unit in game.unit_ids().filter(|&unit| state.is_on_map(unit)) {
        let (nation, arm) = (game.nation(state, unit), game.arm(unit) as u8);
        let marks = [mark::MOVED, mark::PINNED, mark::REINFORCES, mark::INVADES, mark::STRATEGIC];
        let marks =
            marks.into_iter().fold(0, |marks, bit| marks | if state.has_mark(unit, bit) { bit } else { 0 });
        let post = (state.location(unit), state.coast(unit), state.via(unit), nation, arm, marks);
        *counts.posts.entry(post).or_default() += 1;
        if is_veiled(game, state, unit, side) {
            let built = matches!(game.kind(unit), Kind::Convoy | Kind::Fortress);
            let key = (nation, arm, built, game.unit_type(unit).cost);
            *counts.steps.entry(key).or_default() += u32::from(state.steps(unit));
        }
    }
    counts
}

/// Plays random games and calls `look` at every so many decisions.
fn watch(game: &VictoryInEurope, games: u64, every: u32, mut look: impl FnMut(&State)) {
    let mut legal = Vec::new();
    for number in 0..games {
        let mut context = PlayContext::silent(Rng64::stream(15, number, 0));
        let mut state = game.initial(&mut context);
        let mut decisions = 0;
        while let Turn::Decide(_) = game.turn_of(&state) {
            if decisions % every == 0 {
                look(&state);
            }
            decisions += 1;
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let action = legal[context.below(legal.len() as u32) as usize];
            game.apply(&mut state, action, &mut context);
        }
    }
}

fn every_game() -> Vec<VictoryInEurope> {
    SCENARIOS
        .into_iter()
        .map(game)
        .chain([game_of_three("stalingrad-1942"), game_of_three("campaign-1939")])
        .collect()
}

#[test]
fn determinizations_keep_all_counts_and_all_that_is_known() {
    for game in every_game() {
        let mut dice = Rng64::stream(15, 0, 9);
        watch(&game, 3, 23, |state| {
            for side in (0..game.sides().len() as u8).map(Side) {
                let determinization = game.determinize(state, side, &mut dice);
                assert_eq!(counts(&game, &determinization, side), counts(&game, state, side), "for {side:?}");
                for unit in game.unit_ids() {
                    let name = &game.rules.units[unit.at()].id;
                    assert_eq!(determinization.is_on_map(unit), state.is_on_map(unit), "{name}");
                    if !is_hidden(&game, state, unit, side) {
                        assert_eq!(determinization.location(unit), state.location(unit), "{name} is known");
                        if state.phase != Phase::Production && !is_veiled(&game, state, unit, side) {
                            assert_eq!(determinization.steps(unit), state.steps(unit), "{name} is known");
                        }
                    }
                    assert!(determinization.steps(unit) <= game.max_steps(unit), "{name}");
                    let least = u8::from(game.kind(unit) != Kind::Leader);
                    assert!(
                        !determinization.is_on_map(unit) || determinization.steps(unit) >= least,
                        "{name}"
                    );
                }
            }
        });
    }
}

#[test]
fn determinizations_keep_stacking_wherever_it_holds() {
    for game in every_game() {
        let mut dice = Rng64::stream(15, 1, 9);
        let places = || game.areas().iter().chain((0..game.rules.seas.len() as u8).map(Place::sea));
        watch(&game, 3, 31, |state| {
            for side in (0..game.sides().len() as u8).map(Side) {
                let determinization = game.determinize(state, side, &mut dice);
                for (place, team) in places().flat_map(|place| Team::ALL.map(|team| (place, team))) {
                    if game.overstacked(state, place, team).is_none() {
                        assert_eq!(
                            game.overstacked(&determinization, place, team),
                            None,
                            "{}",
                            game.place_name(place)
                        );
                    }
                }
            }
        });
    }
}

/// Cards in hands and laid, face down or up.
fn all_cards(state: &State) -> Vec<u8> {
    let cards = &state.cards;
    cards.hand.into_iter().flatten().chain(cards.laid).filter(|&card| card != NO_INDEX).collect()
}

#[test]
fn every_card_is_in_one_place_and_of_the_year() {
    for game in every_game() {
        let mut dice = Rng64::stream(15, 2, 9);
        watch(&game, 4, 19, |state| {
            for side in (0..game.sides().len() as u8).map(Side) {
                let determinization = game.determinize(state, side, &mut dice);
                let cards = all_cards(&determinization);
                let different: BTreeSet<u8> = cards.iter().copied().collect();
                assert_eq!(different.len(), cards.len(), "for {side:?}: {:?}", determinization.cards);
                for force in Force::ALL {
                    assert_eq!(determinization.cards.count(force), state.cards.count(force));
                    if force.bit() & insight(&game, side) != 0 {
                        assert_eq!(
                            determinization.cards.hand[force.index()],
                            state.cards.hand[force.index()]
                        );
                    }
                    for card in
                        determinization.cards.hand[force.index()].into_iter().filter(|&card| card != NO_INDEX)
                    {
                        let sheet = &game.rules.cards[card as usize];
                        assert_eq!(sheet.colour.force().team(), force.team());
                        assert_eq!(sheet.year, game.calendar(state).year);
                        assert_eq!(state.cards.spent >> card & 1, 0, "card {card} has been played");
                    }
                    // What an event has shown stays where it was shown.
                    for card in state.cards.hand[force.index()].into_iter().filter(|&card| card != NO_INDEX) {
                        if state.cards.seen >> card & 1 != 0 {
                            assert!(determinization.cards.hand[force.index()].contains(&card));
                        }
                    }
                }
                let [_, western, soviet] = determinization.cards.hand;
                let foreign = |hand: [u8; 4], own: Force| {
                    hand.into_iter()
                        .filter(|&card| card != NO_INDEX)
                        .any(|card| game.rules.cards[card as usize].colour.force() != own)
                };
                // Each was dealt his own colour first (12.0).
                let both = foreign(western, Force::Western) && foreign(soviet, Force::Soviet);
                assert!(!both, "{western:?} {soviet:?}");
            }
        });
    }
}

/// Over many determinizations of the opening position: where each hidden unit stands, and with how many steps.
#[test]
fn what_is_hidden_is_drawn_anew() {
    for (scenario, viewer) in [("bagration-1944", 0), ("bagration-1944", 1), ("stalingrad-1942", 1)] {
        let game = game(scenario);
        let state = game.initial(&mut PlayContext::silent(Rng64::stream(15, 3, 0)));
        let side = Side(viewer);
        let mut dice = Rng64::stream(15, 3, 9);
        let (mut places, mut steps) = (BTreeMap::new(), BTreeMap::new());
        for _ in 0..400 {
            let determinization = game.determinize(&state, side, &mut dice);
            let units = game.unit_ids().filter(|&unit| state.is_on_map(unit));
            for unit in units.filter(|&unit| is_hidden(&game, &state, unit, side)) {
                places.entry(unit).or_insert_with(BTreeSet::new).insert(determinization.location(unit));
                steps.entry(unit).or_insert_with(BTreeSet::new).insert(determinization.steps(unit));
            }
        }
        let blocks = |nation: Nation, arm: Arm| {
            game.unit_ids()
                .filter(|&unit| {
                    state.is_on_map(unit)
                        && is_hidden(&game, &state, unit, side)
                        && game.nation(&state, unit) == nation
                        && game.arm(unit) == arm
                })
                .map(|unit| state.location(unit))
                .collect::<BTreeSet<_>>()
        };
        let mut leaders = 0;
        for (unit, seen) in places {
            let all = blocks(game.nation(&state, unit), game.arm(unit));
            let name = &game.rules.units[unit.at()].id;
            if game.kind(unit) == Kind::Leader {
                // Where armies stand as close as they can, one block more tells that it is a leader or a paratrooper.
                assert!(seen.len() * 3 > all.len(), "{name}: {seen:?} of {all:?}");
                leaders += 1;
            } else if game.arm(unit) == Arm::Army {
                assert!(seen.len() + 1 >= all.len(), "{name}: {seen:?} of {all:?}");
            } else {
                assert_eq!(seen, all, "{name}");
            }
        }
        assert!(leaders > 0 || viewer == 0);
        let varied = steps.values().filter(|seen| seen.len() > 1).count();
        assert!(
            varied * 4 > steps.len() * 3,
            "{varied} of {} units have other steps now and then",
            steps.len()
        );
    }
}

#[test]
fn a_known_block_stays_where_it_was_seen() {
    let game = game("bagration-1944");
    let mut seen = 0;
    let mut dice = Rng64::stream(15, 4, 9);
    watch(&game, 12, 3, |state| {
        let side = Side(0);
        for unit in game.unit_ids() {
            if state.is_on_map(unit)
                && state.has_mark(unit, mark::KNOWN)
                && game.team(state, unit) == Team::Allies
            {
                let determinization = game.determinize(state, side, &mut dice);
                assert_eq!(
                    (determinization.location(unit), determinization.steps(unit)),
                    (state.location(unit), state.steps(unit))
                );
                seen += 1;
            }
        }
    });
    assert!(seen > 50, "{seen} known blocks");
}

#[test]
fn what_an_event_has_given_in_production_is_hidden_with_what_is_written() {
    let game = game("barbarossa-1941");
    let mut dice = Rng64::stream(15, 1, 9);
    for force in [Force::Axis, Force::Western] {
        let mut state = Editor::new(&game).begin(
            Phase::Production,
            Team::Axis,
            &mut PlayContext::silent(Rng64::stream(1, 1, 1)),
        );
        state.cards.taken[force.index()] = 1;
        for side in (0..game.sides().len() as u8).map(Side) {
            let determinization = game.determinize(&state, side, &mut dice);
            let own = insight(&game, side) & force.bit() != 0;
            assert_eq!(determinization.cards.taken[force.index()], u8::from(own), "{force:?} for {side:?}");
        }
        // In other phases all see the event at work.
        state.phase = Phase::Combat;
        let determinization = game.determinize(&state, Side(0), &mut dice);
        assert_eq!(determinization.cards.taken[force.index()], 1);
    }
}

/// Two states that a side cannot tell apart lead it to the same determinizations, with the same dice: nothing of the truth is left in them.
#[test]
fn determinizations_depend_on_what_is_seen_alone() {
    for game in every_game() {
        let mut seed = 0;
        watch(&game, 3, 7, |state| {
            let Turn::Decide(side) = game.turn_of(state) else { return };
            let other = game.determinize(state, side, &mut Rng64::stream(17, seed, 0));
            assert_eq!(game.observation(&other, side), game.observation(state, side));
            let list = |state: &State| {
                let mut legal = Vec::new();
                game.legal_actions(state, &mut legal);
                legal
            };
            // While production is written the others' part counts as not written.
            assert_eq!(list(&other), list(state), "in {:?} {:?}", state.phase, state.pending);
            for number in 0..2 {
                let mut dice = [Rng64::stream(18, seed, number), Rng64::stream(18, seed, number)];
                let [first, second] = &mut dice;
                let determinizations =
                    [game.determinize(state, side, first), game.determinize(&other, side, second)];
                assert!(
                    determinizations[0] == determinizations[1],
                    "in {:?} {:?}",
                    state.phase,
                    state.pending
                );
            }
            seed += 1;
        });
    }
}

/// Where the leader of the enemy stands in many determinizations, as somebody with something to decide imagines them.
fn places_of_leaders(game: &VictoryInEurope, state: &State, side: Side) -> BTreeMap<UnitId, BTreeSet<Place>> {
    let mut dice = Rng64::stream(19, 0, 9);
    let mut places: BTreeMap<UnitId, BTreeSet<Place>> = BTreeMap::new();
    for _ in 0..200 {
        let determinization = game.determinize(state, side, &mut dice);
        let leaders = game.unit_ids().filter(|&unit| game.kind(unit) == Kind::Leader);
        for unit in leaders.filter(|&unit| state.is_on_map(unit) && is_hidden(game, state, unit, side)) {
            places.entry(unit).or_default().insert(determinization.location(unit));
        }
    }
    places
}

#[test]
fn who_places_a_neutrals_units_does_not_see_which_army_is_a_leader() {
    let game = game("campaign-1939");
    let mut context = PlayContext::silent(Rng64::stream(1, 1, 1));
    let mut editor = Editor::new(&game);
    editor.command([5, 5, 5]).first(Team::Axis);
    let start = editor.begin(Phase::Movement, Team::Axis, &mut context);
    // A neutral with more than one area is attacked; its units are placed by the enemy while the Germans move.
    let armies = game.unit_ids().filter(|&unit| {
        start.is_on_map(unit)
            && game.nation(&start, unit) == Nation::Germany
            && game.arm(unit) == Arm::Army
            && game.kind(unit) != Kind::Leader
    });
    let attacks =
        armies.flat_map(|unit| game.adjacent(start.location(unit)).iter().map(move |to| (unit, to)));
    let mut attacked = attacks.filter_map(|(unit, to)| {
        let mut state = start.clone();
        let mut legal = Vec::new();
        for action in [Action::Select(unit), Action::Go(to, 0)] {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            if !legal.contains(&action) {
                return None;
            }
            game.apply(&mut state, action, &mut PlayContext::silent(Rng64::stream(1, 1, 1)));
        }
        matches!(state.pending, Pending::Neutral { .. }).then_some(state)
    });
    let state = attacked.next().expect("a neutral with a choice of places");
    let side = Side(1);
    // Nor does he learn it from which places are over their limit while the Germans pass through.
    let mut crowded = state.clone();
    crowded.invasion.squeezed.insert(game.place("berlin").expect("an area"));
    assert_eq!(game.observation(&crowded, side), game.observation(&state, side));
    assert_ne!(game.observation(&crowded, Side(0)), game.observation(&state, Side(0)));
    let places = places_of_leaders(&game, &state, side);
    assert!(!places.is_empty());
    for (unit, seen) in places {
        assert!(seen.len() > 5, "{}: {seen:?}", game.rules.units[unit.at()].id);
    }
}

#[test]
fn new_steps_of_blocks_that_were_seen_do_not_show() {
    let game = game("stalingrad-1942");
    let unit = |id: &str| game.unit(id).expect("a unit");
    let (seen, other) = (unit("ger_inf_2a"), unit("ger_inf_4a"));
    let built = |target: UnitId, full: bool| {
        let mut editor = Editor::new(&game);
        editor.place("ger_inf_2a", "berlin", if full { 4 } else { 2 }).place("ger_inf_4a", "paris", 2);
        let mut context = PlayContext::silent(Rng64::stream(1, 1, 1));
        let mut state = editor.begin(Phase::Production, Team::Axis, &mut context);
        state.set_mark(seen, mark::KNOWN, true);
        assert!(game.max_steps(seen) == 4 && game.max_steps(other) == 4);
        game.apply(&mut state, Action::Build(target), &mut context);
        while state.phase == Phase::Production {
            game.apply(&mut state, Action::Pass, &mut context);
        }
        state
    };
    let states = [built(seen, false), built(other, false)];
    let views = states.each_ref().map(|state| game.observation(state, Side(1)));
    assert_eq!(views[0], views[1], "which of the two has grown");
    assert_eq!(states.each_ref().map(|state| state.steps(seen)), [3, 2]);
    assert!(states.iter().all(|state| !state.has_mark(seen, mark::KNOWN)));
    // One at full steps cannot have grown, and is still known.
    assert!(built(other, true).has_mark(seen, mark::KNOWN));
    // Its owner knows in any case.
    assert_ne!(game.observation(&states[0], Side(0)), game.observation(&states[1], Side(0)));
}

/// A combat in which the Allies decide, with so many armies in Berlin, where three may stand, and four units far from them, of
/// which two may be leaders.
fn crowded(game: &VictoryInEurope, in_berlin: usize, with_leaders: bool) -> State {
    let mut editor = Editor::new(game);
    editor.clear();
    let armies = ["ger_inf_1a", "ger_inf_2a", "ger_inf_4a", "ger_inf_6a", "ger_inf_8a", "ger_inf_9a"];
    for army in &armies[..in_berlin] {
        editor.place(army, "berlin", 2);
    }
    editor.place("ger_inf_16a", "vienna", 2).place("ger_inf_17a", "munich", 2);
    if with_leaders {
        editor.place("ger_ldr_manstein", "vienna", 1).place("ger_ldr_guderian", "munich", 1);
    }
    let mut state = editor.finish();
    (state.phase, state.active) = (Phase::Combat, Team::Allies.forces());
    state
}

/// Where no arrangement keeps the limits of stacking, leaders are no more where they are than elsewhere.
#[test]
fn leaders_are_dealt_where_no_arrangement_keeps_the_limits_too() {
    let game = game("bagration-1944");
    let state = crowded(&game, 6, true);
    let berlin = game.place("berlin").expect("an area");
    assert!(game.overstacked(&state, berlin, Team::Axis).is_some());
    let places = places_of_leaders(&game, &state, Side(1));
    assert_eq!(places.len(), 2);
    assert!(places.values().any(|seen| seen.contains(&berlin)), "{places:?}");
}

#[test]
fn leaders_are_dealt_by_chance_where_an_arrangement_keeps_the_limits() {
    let game = game("bagration-1944");
    let deals = |in_berlin, with_leaders, viewer| {
        let state = crowded(&game, in_berlin, with_leaders);
        game.deals_by_chance(&state, viewer, &mut Rng64::stream(1, 1, 1))
    };
    assert_eq!(deals(3, true, Force::Soviet), Some(true));
    assert_eq!(deals(6, true, Force::Soviet), Some(false));
    assert_eq!(deals(3, false, Force::Soviet), None, "there are no leaders");
    assert_eq!(deals(3, true, Force::Axis), None, "he knows where his own are");
}
