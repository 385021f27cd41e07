//! Prints the last decisions of a game that the test kit saved:
//! `cargo run --example replay -- FILE SCENARIO [LINES]`.

use sandtable_blitzwar::BlitzWar;
use sandtable_core::{Game, Index, PlayContext, Scripted, Turn, kit};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&arguments[1]).expect("a replay file");
    let replay: kit::Replay = text.parse().expect("a replay");
    let opened = sandtable_scenarios_blitzwar::open(&arguments[2], &[]).expect("a scenario");
    let game = BlitzWar::new(opened.into_rules()).expect("valid rules");
    let lines: usize = arguments.get(3).map_or(40, |lines| lines.parse().expect("a number of lines"));
    let mut context = PlayContext { dice: Scripted::new(replay.rolls.clone()), sink: Vec::new() };
    let mut state = game.initial(&mut context);
    let mut log = Vec::new();
    for &choice in &replay.choices {
        let Turn::Decide(side) = game.turn_of(&state) else { break };
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        let action = legal[choice as usize];
        let (turn, phase) = (state.turn(), state.phase());
        log.push(format!(
            "{turn} {phase:?} {}: {}",
            game.sides()[side.index()].id,
            game.describe(&state, action)
        ));
        game.apply(&mut state, action, &mut context);
        log.extend(
            context
                .sink
                .drain(..)
                .filter_map(|event| game.describe_event(&state, &event))
                .map(|line| format!("      {line}")),
        );
    }
    for line in &log[log.len().saturating_sub(lines)..] {
        println!("{line}");
    }
    if let Err(fault) = game.check(&state) {
        println!("{fault}");
        for zone in game.rules.every_zone().filter(|&zone| fault.contains(&game.rules.zones[zone.at()].name))
        {
            for counter in state.stack(zone) {
                println!(
                    "  {} {:?} {}",
                    game.nation(counter).name(),
                    game.kind(counter),
                    state.is_turned(counter)
                );
            }
        }
    }
}
