//! Set-up (22): the militia that is thrown for, and what is refused because it is not built.

mod common;

use common::{rules, spain};
use sandtable_core::{Game, PlayContext, Rng64, context::Dice};
use sandtable_eurofront::ids::is_on_map;
use sandtable_eurofront::rules::{Entry, Goal, Player};
use sandtable_eurofront::{Action, BlockId, Camp, EuroFront, Phase};

#[test]
fn militia_comes_up_in_places_of_its_table_one_in_each() {
    let game = spain();
    let war = game.rules.civil_war.as_ref().expect("1936");
    let mut elsewhere = 0;
    let mut before = None;
    for seed in 0..20 {
        let state = game.initial(&mut PlayContext::silent(Rng64::stream(seed, 0, 0)));
        let mut all = Vec::new();
        for (at, entry) in game.rules.scenario.entries.iter().enumerate() {
            let block = BlockId(at as u16);
            if let Entry::Militia(steps) = *entry {
                let table = war.militia[game.camp(block) as usize].iter().flatten();
                let places = table.filter(|(hex, _)| *hex == state.at(block)).count();
                assert!(places > 0, "{} in {}", game.block(block).id, game.hex_name(state.at(block)));
                assert!(is_on_map(state.at(block)) && state.steps[block] == steps);
                let there = all.iter().filter(|&&hex| hex == state.at(block)).count();
                assert!(there < places, "one unit in each place");
                all.push(state.at(block));
            }
        }
        assert_eq!(all.len(), 10, "four of the Nationalists, six of the Republicans");
        elsewhere += u32::from(before.as_ref() != Some(&all));
        before = Some(all);
    }
    assert!(elsewhere >= 18, "it is thrown for");
}

/// The free set-up (1936): three in Spanish Morocco, each in a place of its own; then one of each side in turn, the Republicans'
/// first, in loyal places; at last the militia.
#[test]
fn sides_place_their_blocks_in_turn_in_loyal_places() {
    let mut rules = rules("1936");
    for (block, entry) in rules.blocks.iter().zip(&mut rules.scenario.entries) {
        if let Entry::At(_, steps) = *entry {
            let in_morocco = ["sn_hq_1", "sp_sfl", "sn_inf_1"].contains(&block.id.as_str());
            *entry = Entry::Free { steps, in_morocco };
        }
    }
    let game = EuroFront::new(rules).expect("rules");
    let war = game.rules.civil_war.as_ref().expect("1936");
    let place = |id: &str| game.rules.place(id).expect("a place");
    let (mut fullest, mut legal) = (0, Vec::new());
    for seed in 0..20 {
        let mut dice = Rng64::stream(seed, 1, 0);
        let mut context = PlayContext::silent(Rng64::stream(seed, 0, 0));
        let mut state = game.initial(&mut context);
        let mut sides = Vec::new();
        while state.phase == Phase::Deployment {
            let (block, camp) = (state.subject, game.camp(state.subject));
            assert_eq!(state.decider.camp(), camp);
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let reason = game.why_illegal(&state, Action::Place(place("lisbon"))).unwrap_or_default();
            let words = if sides.len() < 2 { "Spanish Morocco" } else { "a loyal place" };
            assert!(reason.contains(words), "{reason}");
            if sides.len() < 2 {
                let morocco = ["ceuta", "melilla", "tangiers"].map(place);
                assert_eq!(legal.len(), 3 - sides.len(), "{}", game.block(block).id);
                assert!(legal.iter().all(|action| morocco.iter().any(|&hex| *action == Action::Place(hex))));
            }
            // Madrid first: it fills up.
            let madrid = Action::Place(place("madrid"));
            let action =
                if legal.contains(&madrid) { madrid } else { legal[dice.below(legal.len() as u32) as usize] };
            sides.push(camp);
            game.apply(&mut state, action, &mut context);
            let at = state.at(block);
            assert!(war.loyal.iter().any(|&(hex, faction)| hex == at && faction.camp() == camp));
            let there = state.stack(at, camp).len();
            let city = game.map().cities.contains(at) || game.map().major_cities.contains(at);
            fullest = if state.phase == Phase::Deployment { fullest.max(there) } else { fullest };
            // With the last of them militia has come up.
            let done = state.phase != Phase::Deployment;
            assert!(done || there <= if city { 4 } else { 1 }, "{}", game.hex_name(at));
        }
        let [axis, allies] = [Camp::Axis, Camp::Coalition];
        // The third of Spanish Morocco has one place left, and goes there of itself.
        assert_eq!(sides[..2], [axis; 2]);
        assert_eq!(sides[2..10], [allies, axis, allies, axis, allies, axis, allies, axis]);
        assert_eq!(sides.len(), 13, "five more of the Nationalists, six of the Republicans");
        assert_eq!(state.phase, Phase::Activation);
        for (at, entry) in game.rules.scenario.entries.iter().enumerate() {
            let stands = is_on_map(state.at(BlockId(at as u16)));
            assert_eq!(stands, matches!(entry, Entry::Free { .. } | Entry::Militia(_)));
        }
    }
    assert_eq!(fullest, 4, "four in a major city");
}

#[test]
fn what_contradicts_itself_is_refused() {
    type Change = fn(&mut sandtable_eurofront::Rules);
    let changes: [(&str, Change); 4] = [
        ("go together", |rules| rules.civil_war = None),
        ("go together", |rules| rules.scenario.situation.goal = Goal::Campaign),
        ("other factions", |rules| rules.scenario.players.push(Player::Soviets)),
        ("steps", |rules| {
            for entry in &mut rules.scenario.entries {
                if let Entry::At(_, steps) = entry {
                    *steps = 5;
                }
            }
        }),
    ];
    for (words, change) in changes {
        let mut rules = rules("1936");
        change(&mut rules);
        let error = EuroFront::new(rules).err().unwrap_or_default();
        assert!(error.contains(words), "{words}: {error}");
    }
}
