use sandtable_blitzwar::editor::{Editor, Mark};
use sandtable_blitzwar::event::Modifiers;
use sandtable_core::{Dice, Game, PlayContext, Rng64, Sink, Turn};

use super::super::BlitzWarSystem;
use super::*;
use sandtable_experiments::system::{Source, System};
use sandtable_experiments::table::{Rows, Schema};

/// Hands facts to a recorder.
struct Follower<'a> {
    game: &'a BlitzWar,
    recorder: BlitzRecorder,
    facts: Facts,
}

impl Sink<Event> for Follower<'_> {
    fn take(&mut self, fact: impl FnOnce() -> Event) {
        self.recorder.fact(self.game, fact(), &mut self.facts);
    }
}

#[test]
fn units_followed_through_the_facts_are_those_on_the_map() {
    let id = "blitzwar/campaign-1939";
    let game = BlitzWarSystem.open(Source::Id(id), &[]).unwrap().game;
    let mut legal = Vec::new();
    for number in 0..6 {
        let recorder = BlitzRecorder::new(&game);
        let facts = Facts::new(&BlitzWarSystem, &game);
        let sink = Follower { game: &game, recorder, facts };
        let mut table = PlayContext { dice: Rng64::stream(7, number, 0), sink };
        let mut state = game.initial(&mut table);
        let mut turn = 0;
        while let Turn::Decide(_) = game.turn_of(&state) {
            let recorder = &mut table.sink.recorder;
            if game.turn_number(&state) != turn {
                turn = game.turn_number(&state);
                recorder.sum_units(&game, &state);
                for force in Force::ALL {
                    let counted = game.strength_by_kind(&state, force).map(i32::from);
                    assert_eq!(recorder.strength[force.index()], counted, "{force:?} in turn {turn}");
                }
            }
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let choice = table.below(legal.len() as u32) as usize;
            game.apply(&mut state, legal[choice], &mut table);
        }
        assert!(turn > 20, "game {number} ended in turn {turn}");
    }
}

fn open(id: &str) -> BlitzWar {
    BlitzWarSystem.open(Source::Id(id), &[]).unwrap().game
}

impl<'a> Follower<'a> {
    fn new(game: &'a BlitzWar) -> Follower<'a> {
        let recorder = BlitzWarSystem.recorder(game);
        Follower { game, recorder, facts: Facts::new(&BlitzWarSystem, game) }
    }

    fn look(&mut self, state: &State) {
        self.recorder.look(self.game, state, &mut self.facts);
    }

    /// Begins a turn.
    fn turn(&mut self, turn: u8) {
        self.take(|| Event::TurnBegins { turn });
    }

    /// A side begins its turn in a position.
    fn begins(&mut self, force: Force, state: &State) {
        self.take(|| Event::PhaseBegins { phase: Phase::NavalMovement, force });
        self.look(state);
    }

    /// A side has ended its turn in a position.
    fn ends(&mut self, force: Force, state: &State) {
        let turn = self.recorder.turn;
        self.take(|| Event::SideDone { force, turn, axis_points: 0 });
        self.look(state);
    }

    /// What a side has wasted in the turn at hand.
    fn count(&self, force: Force, case: Case) -> i32 {
        self.recorder.open[force.index()].waste.counts[case as usize]
    }
}

/// The map with these infantry corps, one counter each, Axis and Soviets at war; the Axis is in turn.
fn position(game: &BlitzWar, corps: &[(Nation, &str, u8)], edit: impl FnOnce(&mut Editor<'_>)) -> State {
    let mut editor = Editor::new(game);
    editor.timers().axis_soviet_war = 1;
    editor.phase(Phase::NavalMovement, Force::Axis);
    for &(nation, zone, infantry) in corps {
        editor.corps(nation, game.zone(zone).unwrap(), infantry, 0, false).unwrap();
    }
    edit(&mut editor);
    editor.finish()
}

const OPEN: [Case; 3] = [Case::OpenSources, Case::OpenCapitals, Case::OpenPoints];

#[test]
fn places_are_open_to_an_enemy_beside_them() {
    let game = open("blitzwar/barbarossa-1941");
    let soviet = |force: Force, corps: &[(Nation, &str, u8)], edit: &dyn Fn(&mut Editor<'_>)| {
        let state = position(&game, corps, |editor| {
            for own in ["sofia", "stalingrad", "kharkov"] {
                editor.control(game.zone(own).unwrap(), Some(Force::Soviet)).unwrap();
            }
            for taken in ["mozhaisk", "astrakhan", "voronezh", "craiova"] {
                editor.control(game.zone(taken).unwrap(), Some(Force::Axis)).unwrap();
            }
            edit(editor);
        });
        let mut follower = Follower::new(&game);
        follower.turn(17);
        follower.begins(force, &state);
        OPEN.map(|case| follower.count(Force::Soviet, case))
    };
    let as_is = |_: &mut Editor<'_>| ();
    let beside = |zone: &'static str| [(Nation::Ger, zone, 1)];
    // Moscow; Stalingrad, no capital; Kharkov, a strategic point alone; Sofia, a capital alone.
    for (zone, open) in
        [("mozhaisk", [1; 3]), ("astrakhan", [1, 0, 1]), ("voronezh", [0, 0, 1]), ("craiova", [0, 1, 0])]
    {
        assert_eq!(soviet(Force::Axis, &beside(zone), &as_is), open, "{zone}");
    }
    // Who holds the capital of a beaten country matters as long as it may fight again in a turn to come, the last being turn 27 (9.2).
    for (turn, open) in [(26, [0, 1, 0]), (27, [0; 3])] {
        let beaten = |editor: &mut Editor<'_>| {
            editor.turn(turn).unwrap();
            editor.surrendered(Country::Bul, 20, Force::Axis);
        };
        assert_eq!(soviet(Force::Axis, &beside("craiova"), &beaten), open, "turn {turn}");
    }
    let moscow = beside("mozhaisk");
    assert_eq!(soviet(Force::Soviet, &moscow, &as_is), [0; 3], "its own turn");
    assert_eq!(soviet(Force::Axis, &beside("leipzig"), &as_is), [0; 3], "far away");
    for guard in [Nation::Ussr, Nation::Uk] {
        assert_eq!(soviet(Force::Axis, &[moscow[0], (guard, "moscow", 1)], &as_is), [0; 3], "{guard:?}");
    }
    let peace = |editor: &mut Editor<'_>| editor.timers().axis_soviet_war = 0;
    assert_eq!(soviet(Force::Axis, &moscow, &peace), [0; 3], "at peace");
    // Two Italian corps may fight so far from home, three may not (9.6); a German beside them may.
    let italian = (Nation::Ita, "mozhaisk", 1);
    assert_eq!(soviet(Force::Axis, &[italian, italian], &as_is), [1; 3], "two Italians");
    assert_eq!(soviet(Force::Axis, &[italian; 3], &as_is), [0; 3], "three Italians");
    assert_eq!(soviet(Force::Axis, &[italian, italian, italian, moscow[0]], &as_is), [1; 3], "and a German");
    // A depot is a source of supply wherever it lies.
    let depot = |editor: &mut Editor<'_>| {
        editor.supply(Force::Soviet, game.zone("kalinin").unwrap(), 4).unwrap();
    };
    assert_eq!(soviet(Force::Axis, &moscow, &depot), [2, 1, 1]);
}

/// Armies, aircraft and ships that the Axis has idle after each of seven turns in a position; in the fifth a fact may be
/// told first.
fn idle(game: &BlitzWar, state: &State, fact: Option<Event>) -> Vec<[i32; 3]> {
    let mut follower = Follower::new(game);
    (17..24)
        .map(|turn| {
            follower.turn(turn);
            if let Some(fact) = fact
                && turn == 21
            {
                follower.take(|| fact);
            }
            follower.ends(Force::Axis, state);
            [Case::IdleArmies, Case::IdleAir, Case::IdleShips].map(|case| follower.count(Force::Axis, case))
        })
        .collect()
}

#[test]
fn units_without_a_task_for_half_a_year_are_idle() {
    let game = open("blitzwar/barbarossa-1941");
    // One guards Berlin and one is beside it; one is in the country, one at the front. One ship is at sea.
    let corps = [
        (Nation::Ger, "berlin", 1),
        (Nation::Ger, "berlin", 2),
        (Nation::Ger, "leipzig", 1),
        (Nation::Ger, "mozhaisk", 1),
    ];
    let state = position(&game, &corps, |editor| {
        editor.ships(Nation::Ger, Unit::Fleet, game.zone("hamburg").unwrap(), 1).unwrap();
        editor
            .ships(Nation::Ger, Unit::Submarine, Location::of_sea(game.sea("north_sea").unwrap()), 1)
            .unwrap();
        editor.air(Nation::Ger, game.zone("berlin").unwrap(), 1, false).unwrap();
    });
    let (none, all) = ([0; 3], [2, 1, 1]);
    assert_eq!(idle(&game, &state, None), [none, none, none, none, all, all, all]);
}

#[test]
fn a_move_or_a_fight_is_a_task() {
    let game = open("blitzwar/barbarossa-1941");
    let leipzig = game.zone("leipzig").unwrap();
    let state = position(&game, &[(Nation::Ger, "leipzig", 1)], |_| ());
    let counter = game.counters_of(&state, Force::Axis).first().unwrap();
    let battle = |zone: Zone| {
        Event::Battle(Battle {
            zone,
            blitz: false,
            attacker: Force::Soviet,
            defender: Force::Axis,
            attacking_infantry: 1,
            attacking_armour: 0,
            defending_infantry: 1,
            defending_armour: 0,
            fortified: 0,
            odds: 1,
            modifiers: Modifiers::default(),
            column: 1,
            die: 3,
            attacker_loss: 0,
            attacker_armour_loss: false,
            defender_loss: 0,
        })
    };
    for (fact, ends) in [
        (Event::Moved { counter, from: leipzig, to: leipzig }, 0),
        (battle(leipzig), 0),
        (battle(game.zone("munich").unwrap()), 1),
    ] {
        let told = idle(&game, &state, Some(fact));
        assert_eq!([told[4][0], told[5][0]], [ends, ends], "{fact:?}");
    }
}

#[test]
fn an_army_beside_an_enemy_or_alone_in_a_place_of_worth_has_a_task() {
    let game = open("blitzwar/barbarossa-1941");
    let armies = |corps: &[(Nation, &str, u8)]| idle(&game, &position(&game, corps, |_| ()), None)[4][0];
    let one = |zone: &'static str| (Nation::Ger, zone, 1);
    assert_eq!(armies(&[one("leipzig")]), 1);
    assert_eq!(armies(&[one("leipzig"), (Nation::Ussr, "munich", 1)]), 0, "an enemy army beside it");
    assert_eq!(armies(&[one("minsk")]), 0, "beside the enemy's ground");
    // Capitals, a Supply Zone, strategic points, a port, and nothing of these.
    for (zone, idle) in [("bucharest", 0), ("sofia", 0), ("prague", 0), ("rostock", 0), ("linz", 1)] {
        assert_eq!(armies(&[one(zone)]), idle, "{zone}");
    }
}

#[test]
fn an_army_that_is_back_after_two_turns_has_undone_its_move() {
    let game = open("blitzwar/barbarossa-1941");
    let at = |zone: &str| position(&game, &[(Nation::Ger, zone, 1)], |_| ());
    let undone = |fact: Option<Event>| {
        let mut follower = Follower::new(&game);
        for (turn, zone) in [(17, "leipzig"), (18, "hannover"), (19, "leipzig")] {
            follower.turn(turn);
            if turn == 19
                && let Some(fact) = fact
            {
                follower.take(|| fact);
            }
            follower.ends(Force::Axis, &at(zone));
        }
        follower.count(Force::Axis, Case::MovesUndone)
    };
    let taken = |zone: &str| Event::Control { zone: game.zone(zone).unwrap(), force: Some(Force::Axis) };
    assert_eq!(undone(None), 1);
    assert_eq!(undone(Some(taken("hannover"))), 0);
    assert_eq!(undone(Some(taken("munich"))), 1);
    // Aircraft come and go.
    let mut follower = Follower::new(&game);
    for (turn, zone) in [(17, "leipzig"), (18, "hannover"), (19, "leipzig")] {
        follower.turn(turn);
        let zone = game.zone(zone).unwrap();
        follower.ends(
            Force::Axis,
            &position(&game, &[], |editor| {
                editor.air(Nation::Ger, zone, 1, false).unwrap();
            }),
        );
    }
    assert_eq!(follower.count(Force::Axis, Case::MovesUndone), 0);
}

#[test]
fn a_counter_that_is_exchanged_or_joined_goes_on() {
    let game = open("blitzwar/barbarossa-1941");
    let german = |infantry: u8, armour: u8, zone: &str| {
        let mut editor = Editor::new(&game);
        let corps = editor.corps(Nation::Ger, game.zone(zone).unwrap(), infantry, armour, false).unwrap();
        (corps, editor.finish())
    };
    // An infantry counter and a white one, both in the country.
    let (old, before) = german(2, 0, "leipzig");
    let (new, after) = german(1, 1, "leipzig");
    assert_ne!(old, new);
    let idle = |fact: Option<Event>| {
        let mut follower = Follower::new(&game);
        for turn in 17..22 {
            follower.turn(turn);
            if turn == 21
                && let Some(fact) = fact
            {
                follower.take(|| fact);
            }
            follower.ends(Force::Axis, if turn < 21 { &before } else { &after });
        }
        follower.count(Force::Axis, Case::IdleArmies)
    };
    assert_eq!(idle(Some(Event::Exchanged { counter: old, into: new })), 1);
    assert_eq!(idle(None), 0, "another counter");
    // There and back, on another counter.
    let undone = |exchanged: bool| {
        let mut follower = Follower::new(&game);
        for (turn, state) in [(17, before.clone()), (18, german(2, 0, "hannover").1), (19, after.clone())] {
            follower.turn(turn);
            if exchanged && turn == 19 {
                follower.take(|| Event::Exchanged { counter: old, into: new });
            }
            follower.ends(Force::Axis, &state);
        }
        follower.count(Force::Axis, Case::MovesUndone)
    };
    assert_eq!([undone(true), undone(false)], [1, 0]);
    // Two counters stand idle; the second one moves or fights, and joins the first.
    let joined = |fact: Option<Event>| {
        let mut follower = Follower::new(&game);
        for turn in 17..22 {
            follower.turn(turn);
            if turn == 21 {
                if let Some(fact) = fact {
                    follower.take(|| fact);
                }
                follower.take(|| Event::Combined { counter: new, into: old });
            }
            follower.ends(Force::Axis, &before);
        }
        follower.count(Force::Axis, Case::IdleArmies)
    };
    let leipzig = game.zone("leipzig").unwrap();
    assert_eq!(joined(None), 1);
    assert_eq!(joined(Some(Event::Moved { counter: new, from: leipzig, to: leipzig })), 0);
}

#[test]
fn rows_of_waste_say_what_where_and_how_much() {
    let game = open("blitzwar/barbarossa-1941");
    let mut follower = Follower::new(&game);
    follower.turn(17);
    follower.take(|| Event::PhaseBegins { phase: Phase::TacticalMovement, force: Force::Axis });
    let tobruk = game.zone("tobruk").unwrap();
    follower.take(|| Event::Overstacked { force: Force::Axis, corps: 1, zone: tobruk });
    let state = position(&game, &[(Nation::Ger, "berlin", 2)], |_| ());
    follower.begins(Force::Axis, &state);
    let end = position(&game, &[], |editor| {
        let corps = editor.corps(Nation::Ger, game.zone("gorki").unwrap(), 2, 0, false).unwrap();
        editor.mark(corps, Mark::Unsupplied, true).unwrap();
    });
    follower.ends(Force::Axis, &end);
    let taken = position(&game, &[(Nation::Ger, "mozhaisk", 1)], |editor| {
        editor.control(game.zone("moscow").unwrap(), Some(Force::Soviet)).unwrap();
        editor.control(game.zone("mozhaisk").unwrap(), Some(Force::Axis)).unwrap();
    });
    follower.turn(18);
    follower.begins(Force::Axis, &taken);
    let rows: Vec<String> = follower.facts.texts(WASTE, 6).into_iter().map(|row| row.join(" ")).collect();
    let infantry = end_type(&game, &end);
    assert_eq!(
        rows,
        [
            "17 axis lost_stacking tobruk  1".to_owned(),
            format!("17 axis unsupplied_own gorki {infantry} 2"),
            "18 soviet open_sources moscow  1".to_owned(),
            "18 soviet open_capitals moscow  1".to_owned(),
            "18 soviet open_points moscow  1".to_owned(),
        ]
    );
}

/// The type of the one Axis counter on the map.
fn end_type(game: &BlitzWar, state: &State) -> String {
    let counter = game.counters_of(state, Force::Axis).first().unwrap();
    game.rules.counter_types[usize::from(game.counter_type(counter))].id.clone()
}

#[test]
fn a_corps_that_attacked_has_undone_nothing() {
    let game = open("blitzwar/barbarossa-1941");
    let corps = |state: &State, fought: bool| {
        let ashore = |counter: &Counter| {
            game.kind(*counter).is_corps() && state.location(*counter).at() < game.rules.zones.len()
        };
        let mut own = game.counters_of(state, Force::Axis).iter().filter(ashore);
        own.find(|&counter| state.has_fought(counter) == fought)
    };
    // Random play up to a decision of the Soviets after an Axis attack.
    let mut legal = Vec::new();
    let attacked = (0..100).find_map(|number| {
        let mut table = PlayContext::silent(Rng64::stream(7, number, 0));
        let mut state = game.initial(&mut table);
        while let Turn::Decide(_) = game.turn_of(&state) {
            if state.active() == Force::Soviet && corps(&state, true).is_some() {
                return Some(state);
            }
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let choice = table.below(legal.len() as u32) as usize;
            game.apply(&mut state, legal[choice], &mut table);
        }
        None
    });
    let state = attacked.expect("an attack in a hundred games");
    for (fought, undone) in [(true, 0), (false, 1)] {
        let counter = corps(&state, fought).unwrap();
        let (place, elsewhere) = (state.location(counter), game.zone("madrid").unwrap());
        let mut follower = Follower::new(&game);
        follower.recorder.tracker.ends(counter, place, false, 17);
        follower.recorder.tracker.ends(counter, elsewhere, false, 18);
        follower.turn(19);
        follower.ends(Force::Axis, &state);
        assert_eq!(follower.count(Force::Axis, Case::MovesUndone), undone);
    }
}

#[test]
fn corps_out_of_supply_went_there_or_were_cut_off() {
    let game = open("blitzwar/barbarossa-1941");
    let lost = |from: &str, to: &str| {
        let mut follower = Follower::new(&game);
        follower.turn(17);
        follower.begins(Force::Axis, &position(&game, &[(Nation::Ger, from, 2)], |_| ()));
        let end = position(&game, &[], |editor| {
            let corps = editor.corps(Nation::Ger, game.zone(to).unwrap(), 2, 0, false).unwrap();
            editor.mark(corps, Mark::Unsupplied, true).unwrap();
        });
        follower.ends(Force::Axis, &end);
        [Case::UnsuppliedOwn, Case::UnsuppliedCut].map(|case| follower.count(Force::Axis, case))
    };
    assert_eq!(lost("berlin", "gorki"), [2, 0], "from supply into the enemy's country");
    assert_eq!(lost("berlin", "berlin"), [0, 2], "it stood still");
    assert_eq!(lost("moscow", "gorki"), [0, 2], "it had no supply to lose");
}

/// Plays on from a position of the Axis with four corps in Leipzig, giving up what is asked for first, until a side
/// begins its turn; gives what the Axis has lost to the limit.
fn overstacked(game: &BlitzWar, phase: Phase, force: Force) -> i32 {
    let mut editor = Editor::new(game);
    for _ in 0..4 {
        editor.corps(Nation::Ger, game.zone("leipzig").unwrap(), 2, 0, false).unwrap();
    }
    let mut follower = Follower::new(game);
    follower.turn(17);
    let mut table = PlayContext { dice: Rng64::stream(7, 0, 0), sink: follower };
    let mut state = editor.begin(phase, force, &mut table);
    let mut legal = Vec::new();
    while state.phase() <= Phase::Reorganisation {
        legal.clear();
        game.legal_actions(&state, &mut legal);
        game.apply(&mut state, legal[0], &mut table);
    }
    table.sink.count(Force::Axis, Case::LostStacking)
}

#[test]
fn stacks_over_the_limit_are_waste_if_their_own_side_has_made_them() {
    let game = open("blitzwar/barbarossa-1941");
    assert_eq!(overstacked(&game, Phase::Reorganisation, Force::Soviet), 2);
    assert_eq!(overstacked(&game, Phase::Diplomacy, Force::Axis), 0);
    // In a side's turn only its own stacks are its own fault: enemies that retreat may fill theirs.
    let mut follower = Follower::new(&game);
    follower.turn(17);
    follower.take(|| Event::PhaseBegins { phase: Phase::TacticalMovement, force: Force::Axis });
    for (force, corps) in [(Force::Axis, 2), (Force::Soviet, 3)] {
        follower.take(|| Event::Overstacked { force, corps, zone: game.zone("minsk").unwrap() });
    }
    assert_eq!(Force::ALL.map(|force| follower.count(force, Case::LostStacking)), [2, 0, 0]);
}

#[test]
fn lost_supply_and_what_finds_no_place_are_counted() {
    let game = open("blitzwar/barbarossa-1941");
    let mut follower = Follower::new(&game);
    follower.turn(17);
    let place = game.zone("leipzig").unwrap();
    let lost = |kind, units, unsupplied| Event::Lost { nation: Nation::Axis, kind, units, place, unsupplied };
    follower.take(|| lost(Unit::Supply, 3, false));
    follower.take(|| Event::Unplaced { force: Force::Axis, kind: Unit::Supply, units: 4 });
    follower.take(|| Event::Unplaced { force: Force::Axis, kind: Unit::Air, units: 3 });
    for unsupplied in [false, true] {
        follower.take(|| Event::Lost {
            nation: Nation::Ger,
            kind: Unit::Infantry,
            units: 2,
            place,
            unsupplied,
        });
    }
    let state = position(&game, &[], |editor| editor.supply(Force::Axis, place, 9).unwrap());
    follower.ends(Force::Axis, &state);
    let schema = Schema { name: "turns", doc: "", columns: BlitzWarSystem.turn_columns(&game) };
    let mut rows = Rows::new(&schema);
    let end = TurnEnd { turn: 17, side: Force::Axis.side() };
    follower.recorder.turn_cells(&game, &state, end, &mut rows.row());
    let cell = |name: &str| {
        let at = schema.columns.iter().position(|column| column.name == name).unwrap();
        rows.text(0, at)
    };
    let names = ["unspent", "unspent_lost", "lost_unsupplied", "unplaced", "lost_supply", "lost_infantry"];
    assert_eq!(names.map(cell), ["4.5", "2", "2", "3", "1.5", "4"]);
}
