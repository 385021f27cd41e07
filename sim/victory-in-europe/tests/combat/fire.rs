//! Firepower, targets, hits (5.2 to 5.5, 6.3).

use sandtable_victory_in_europe::rules::Target;
use sandtable_victory_in_europe::{Action, Nation, Pending, Team};

use crate::bench::{Bench, assault, map, place, unit};

#[test]
fn e_36_lancaster_over_berlin() {
    let mut editor = map();
    editor.place("gb_hb_lancaster", "berlin", 4).factory("berlin", 2);
    editor.attack(Team::Allies, "berlin").first(Team::Allies);
    let mut bench = Bench::new(&mut editor, &[1, 2, 1, 3, 4, 6, 3, 2, 5]);
    bench.until(|pending| matches!(pending, Pending::Withdraw(_)));
    assert_eq!(bench.state.factory(place("berlin")), 0);
    let factory = sandtable_victory_in_europe::state::NONE;
    let lancaster = unit("gb_hb_lancaster");
    let expected = [
        (factory, Target::Air, 1, 2, 1),
        (lancaster, Target::Factory, 2, 3, 1),
        (factory, Target::Air, 1, 1, 0),
        (lancaster, Target::Factory, 2, 3, 1),
    ];
    assert_eq!(bench.shots(), expected);
    bench.play(Action::Retreat(place("london"), 0)).finish().dice_fit();
    assert!(bench.is_at("gb_hb_lancaster", "london"));
    assert_eq!(bench.steps("gb_hb_lancaster"), 3);
    let battle = bench.battles()[0];
    assert_eq!((battle.rounds, battle.won, battle.units, battle.lost), (2, false, [1, 0], [1, 0]));
}
