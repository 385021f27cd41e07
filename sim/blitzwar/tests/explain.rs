//! Why a decision is not legal: every reason names the rule that forbids it.

mod common;

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

#[test]
fn every_reason_names_a_rule() {
    let game = game("campaign-1939");
    let mut state = game.initial(&mut PlayContext::silent(Scripted::default()));
    let mut known: Vec<Action> = Vec::new();
    let mut asked = 0;
    for part in 0..120 {
        let mut decisions = 0;
        play_until(&game, &mut state, part, |_| {
            decisions += 1;
            decisions > 40
        });
        if game.turn_of(&state) == Turn::Over {
            break;
        }
        let open = legal(&game, &state);
        for &action in known.iter().filter(|action| !open.contains(action)) {
            let reason = game.why_illegal(&state, action).expect("a reason");
            assert!(names_a_rule(&reason), "{action:?} in {:?}: {reason}", state.phase());
            asked += 1;
        }
        for action in open {
            let alike = |other: &&Action| std::mem::discriminant(*other) == std::mem::discriminant(&action);
            if known.iter().filter(alike).count() < 4 {
                known.push(action);
            }
        }
    }
    assert!(asked > 2000, "{asked}");
}
