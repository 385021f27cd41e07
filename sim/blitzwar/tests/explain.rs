//! Why a decision is not legal: every reason names the rule that forbids it.

mod common;

use std::collections::BTreeSet;

use common::{game, legal, play_until};
use sandtable_blitzwar::Action;
use sandtable_core::{Game, PlayContext, Scripted, Turn};

/// Whether a text ends with rule numbers in brackets: `(15.1)`, `(16.5, 17.4)`.
fn names_a_rule(text: &str) -> bool {
    text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")).is_some_and(|(_, rules)| {
        rules.split(", ").all(|rule| {
            !rule.is_empty() && rule.split('.').all(|part| !part.is_empty() && part.parse::<u8>().is_ok())
        })
    })
}

/// Keeps a few decisions of each kind, to be asked about where they are not legal.
fn learn(known: &mut Vec<Action>, open: Vec<Action>) {
    for action in open {
        let alike = |other: &&Action| std::mem::discriminant(*other) == std::mem::discriminant(&action);
        if known.iter().filter(alike).count() < 4 && !known.contains(&action) {
            known.push(action);
        }
    }
}

#[test]
fn every_reason_names_a_rule() {
    let game = game("campaign-1939");
    let start = game.initial(&mut PlayContext::silent(Scripted::default()));
    let mut known: Vec<Action> = Vec::new();
    play_until(&game, &mut start.clone(), 0, |state| {
        learn(&mut known, legal(&game, state));
        false
    });
    let (mut asked, mut phases, mut state) = (0, BTreeSet::new(), start);
    for part in 1.. {
        let mut decisions = 0;
        play_until(&game, &mut state, part, |state| {
            decisions += 1;
            // Wherever a phase is played for the first time, and now and then.
            decisions > 40 || !phases.contains(&state.phase())
        });
        if game.turn_of(&state) == Turn::Over {
            break;
        }
        phases.insert(state.phase());
        let open = legal(&game, &state);
        for &action in known.iter().filter(|action| !open.contains(action)) {
            let reason = game.why_illegal(&state, action).expect("a reason");
            assert!(names_a_rule(&reason), "{action:?} in {:?}: {reason}", state.phase());
            asked += 1;
        }
        learn(&mut known, open);
    }
    assert!(asked > 2000 && phases.len() > 20, "{asked} in {phases:?}");
}
