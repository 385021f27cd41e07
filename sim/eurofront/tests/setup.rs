//! Set-up (22): the militia that is thrown for, and what is refused because it is not built.

mod common;

use common::{rules, spain};
use sandtable_core::{Game, PlayContext, Rng64};
use sandtable_eurofront::ids::is_on_map;
use sandtable_eurofront::rules::{Entry, Goal, Seat};
use sandtable_eurofront::{BlockId, EuroFront};

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

#[test]
fn what_contradicts_itself_is_refused() {
    type Change = fn(&mut sandtable_eurofront::Rules);
    let changes: [(&str, Change); 4] = [
        ("go together", |rules| rules.civil_war = None),
        ("go together", |rules| rules.scenario.situation.goal = Goal::Campaign),
        ("other factions", |rules| rules.scenario.seats.push(Seat::Soviets)),
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
