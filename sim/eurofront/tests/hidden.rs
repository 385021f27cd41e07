//! What the enemy does not see (23): he cannot tell states apart that differ in hidden things alone, and both have the same
//! determinizations.

mod common;

use std::collections::BTreeSet;

use common::{rules, sampled};
use sandtable_core::Game;
use sandtable_eurofront::editor::Editor;
use sandtable_eurofront::ids::{Camp, is_on_map, place};
use sandtable_eurofront::rules::Kind;
use sandtable_eurofront::{BlockId, EuroFront, Faction, Mark, State};

fn game(scenario: &str) -> EuroFront {
    EuroFront::new(rules(scenario)).expect("rules")
}

fn blocks<const N: usize>(game: &EuroFront, ids: [&str; N]) -> [BlockId; N] {
    ids.map(|id| game.rules.block(id).unwrap_or_else(|| panic!("no block {id}")))
}

/// Determinizations of a state for a viewer, from so many rolls of the dice.
fn determinizations(game: &EuroFront, state: &State, viewer: Faction) -> Vec<State> {
    (0..24).map(|seed| game.determinize(state, game.side_of(viewer), &mut sampled(seed).dice)).collect()
}

/// Two states look alike to a viewer, and have the same determinizations; gives these.
fn look_alike(game: &EuroFront, [one, other]: [&State; 2], viewer: Faction) -> Vec<State> {
    assert_ne!(one, other);
    let side = game.side_of(viewer);
    let id = viewer.id();
    assert_eq!(game.observation(one, side), game.observation(other, side), "the {id} see what is hidden");
    let first = determinizations(game, one, viewer);
    assert_eq!(
        first,
        determinizations(game, other, viewer),
        "determinizations for the {id} depend on what is hidden"
    );
    first
}

fn tell_apart(game: &EuroFront, [one, other]: [&State; 2], viewer: Faction) {
    let side = game.side_of(viewer);
    assert_ne!(game.observation(one, side), game.observation(other, side), "{} see it", viewer.id());
}

/// Which beachheads are ready nobody sees but who owns them and who is on his side (15.61); how many are, which lie face down in
/// their box, all do.
#[test]
fn which_beachheads_are_ready_is_hidden_and_how_many_is_not() {
    for (scenario, strangers) in
        [("1944", &[Faction::Axis][..]), ("1944A", &[Faction::Axis, Faction::Soviets])]
    {
        let game = game(scenario);
        let all = blocks(&game, ["bh_us_5", "bh_us_6", "bh_uk_1"]);
        let with_ready = |ready: &[BlockId]| {
            let mut editor = Editor::new(&game);
            editor.clear();
            for block in all {
                let to = if ready.contains(&block) { place::READY } else { place::PREPARING };
                editor.beachhead(block, to, false);
            }
            editor.finish()
        };
        let [one, other, more] = [&all[..1], &all[1..2], &all[1..]].map(with_ready);
        for viewer in Faction::ALL {
            tell_apart(&game, [&one, &more], viewer);
            if !strangers.contains(&viewer) {
                tell_apart(&game, [&one, &other], viewer);
                continue;
            }
            let ready =
                |state: &State| all.into_iter().filter(|&block| state.at(block) == place::READY).collect();
            let drawn: Vec<Vec<BlockId>> =
                look_alike(&game, [&one, &other], viewer).iter().map(ready).collect();
            assert!(drawn.iter().all(|ready| ready.len() == 1), "{drawn:?}");
            let different: BTreeSet<BlockId> = drawn.into_iter().flatten().collect();
            assert_eq!(different.len(), 3, "each of them is the one in some determinization");
        }
    }
}

/// Which of two amphibious units has landed, so that its beachhead may follow, is as hidden as the units are (15.61, 15.62).
#[test]
fn whose_beachhead_may_follow_is_hidden() {
    let game = game("1944");
    let units = blocks(&game, ["us_amph_5", "us_amph_6"]);
    let [cherbourg, le_havre] = ["cherbourg", "le_havre"].map(|id| game.rules.place(id).expect("a place"));
    let with_landed = |landed: BlockId, shown: bool| {
        let mut editor = Editor::new(&game);
        editor.clear();
        for unit in units {
            let at = if unit == landed { cherbourg } else { le_havre };
            editor.place(unit, at, 2).mark(unit, Mark::Revealed, shown);
        }
        let number =
            game.seas().beachheads.iter().position(|&(_, unit)| unit == landed).expect("a beachhead");
        editor.state_mut().sea.landed = 1 << number;
        editor.finish()
    };
    let [one, other] = units.map(|landed| with_landed(landed, false));
    look_alike(&game, [&one, &other], Faction::Axis);
    tell_apart(&game, [&one, &other], Faction::Allies);
    let [one, other] = units.map(|landed| with_landed(landed, true));
    tell_apart(&game, [&one, &other], Faction::Axis);
}

/// Which of two hidden blocks is the stronger is not seen, of units and of headquarters; the sums of both are known, and every
/// block is stronger in one determinization and weaker in another.
#[test]
fn who_is_stronger_is_hidden() {
    for scenario in ["1941", "1943", "1944A"] {
        let game = game(scenario);
        let state = Editor::new(&game).finish();
        for headquarters in [true, false] {
            let mut all: Vec<BlockId> = (0..game.rules.blocks.len() as u16)
                .map(BlockId)
                .filter(|&block| {
                    let brief = game.brief(block);
                    brief.faction == Faction::Axis
                        && brief.kind.is_headquarters() == headquarters
                        && brief.kind != Kind::Static
                        && is_on_map(state.at(block))
                })
                .collect();
            all.sort_by_key(|&block| state.steps[block]);
            let strong = *all.last().expect("a block");
            let full = game.brief(strong).full;
            let weak = all.into_iter().find(|&block| game.brief(block).full == full).expect("another");
            assert!(state.steps[weak] < state.steps[strong]);
            let mut other = state;
            (other.steps[weak], other.steps[strong]) = (state.steps[strong], state.steps[weak]);
            tell_apart(&game, [&state, &other], Faction::Axis);
            for viewer in [Faction::Allies, Faction::Soviets] {
                let drawn = look_alike(&game, [&state, &other], viewer);
                let sum = |state: &State| {
                    let standing = state.standing[Camp::Axis.index()].into_iter();
                    let alike =
                        standing.filter(|&block| game.brief(block).kind.is_headquarters() == headquarters);
                    alike.map(|block| u32::from(state.steps[block])).sum::<u32>()
                };
                assert!(drawn.iter().all(|drawn| sum(drawn) == sum(&state)), "{scenario}");
                let steps: BTreeSet<u8> = drawn.iter().map(|drawn| drawn.steps[strong]).collect();
                assert!(steps.len() > 1, "{scenario}: {} is always as strong", game.block(strong).id);
            }
        }
    }
}
