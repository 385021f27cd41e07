mod common;
use common::game;
use sandtable_core::{Dice, Game, Rng64, Seat};
#[test]
fn zz() {
    for name in ["turning-point-1943"] {
    let game = game(name);
    for seed in 0..4u64 {
        let mut state = game.initial(&mut Seat::silent(Rng64::stream(seed, 0, 2)));
        let mut seat = Seat { dice: Rng64::stream(seed, 0, 0), sink: Vec::new() };
        let mut choice = Rng64::stream(seed, 0, 1);
        let mut n = 0;
        while matches!(game.turn_of(&state), sandtable_core::Turn::Decide(_)) {
            let mut actions = Vec::new();
            game.legal_actions(&state, &mut actions);
            let action = actions[choice.below(actions.len() as u32) as usize];
            let before = state.clone();
            seat.sink.clear();
            game.apply(&mut state, action, &mut seat);
            n += 1;
            if let Err(e) = game.check(&state) {
                println!("{name} seed {seed} n {n}: {e}\n turn {} {:?} {:?} {:?}: {action:?} {}\n events {:?}", before.turn(), before.phase(), before.pending(), before.active(), game.describe(&before, action), seat.sink);
                for z in 0..game.rules.zones.len() as u8 { if e.contains(&game.rules.zones[z as usize].name) { println!(" {:?} {:?}", state.stack(z).map(|c| (c, game.nation(c), game.kind(c), state.is_turned(c), game.force(&state, c))).collect::<Vec<_>>(), state.controller(z)); } }
                break;
            }
            if n > 60000 { println!("{name} seed {seed} long"); break; }
        }
        println!("{name} {seed} done n {n} turn {} {:?}", state.turn(), game.outcome(&state).map(|o| (o.points.0, o.cause)));
    }}
}
