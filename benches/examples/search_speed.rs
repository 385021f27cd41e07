//! Simulations a second of the search agents beside plain random rollouts from the same state.
//!
//! ```text
//! cargo run --release -p sandtable-benches --example search_speed [ITERATIONS [AGENT...]]
//! ```
//!
//! Rounds of all are interleaved; each line gives the median round and its ratio to the rollouts' median.

use std::time::Instant;

use sandtable_ai::search::Depth;
use sandtable_ai::{AgentSpec, Plain, Policy, SystemKnowledge, UniformPolicy, View};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_benches::{campaign, campaign_in_europe};
use sandtable_core::{Game, PlayContext, Rng64, Turn};
use sandtable_reference::{Backgammon, ConnectFour, Kuhn};

const ROUNDS: usize = 15;

fn measure<G: Game + 'static>(
    name: &str,
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
    depth: Depth,
    iterations: u32,
    specs: &[String],
) {
    let mut rng = Rng64::stream(1, 0, 1);
    let state = game.initial(&mut PlayContext::silent(Rng64::stream(1, 0, 0)));
    let Turn::Decide(side) = game.turn_of(&state) else { return };
    let turn = game.turn_number(&state);
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    let view = View::new(game, &state, side, &legal);
    let agents: Vec<AgentSpec> = specs
        .iter()
        .map(|spec| {
            let options = if spec.contains(':') { "," } else { ":" };
            let depth =
                if let Depth::Turns(turns) = depth { format!(",depth={turns}t") } else { String::new() };
            let depth = if spec.starts_with("flat") { String::new() } else { depth };
            format!("{spec}{options}iterations={iterations}{depth}").parse().expect("a valid spec")
        })
        .collect();
    let mut rates = vec![Vec::new(); 1 + specs.len()];
    let mut buffer = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..iterations {
            let mut determinization = state.clone();
            UniformPolicy.play_out(game, &mut determinization, depth.horizon(turn), &mut buffer, &mut rng);
        }
        rates[0].push(f64::from(iterations) / start.elapsed().as_secs_f64());
        for (spec, rates) in agents.iter().zip(&mut rates[1..]) {
            let mut agent = spec.build::<G>(knowledge).expect("no policy is named");
            let start = Instant::now();
            agent.choose(&view, &mut rng);
            rates.push(f64::from(iterations) / start.elapsed().as_secs_f64());
        }
    }
    println!("{name}, {iterations} simulations a search");
    let mut base = 0.0;
    for (label, rates) in std::iter::once("rollouts").chain(specs.iter().map(String::as_str)).zip(&mut rates)
    {
        rates.sort_by(f64::total_cmp);
        let median = rates[ROUNDS / 2];
        base = if base == 0.0 { median } else { base };
        println!("  {label:<28} {median:>12.0} a second   {:>5.2}", median / base);
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let iterations = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let mut specs: Vec<String> = arguments.collect();
    if specs.is_empty() {
        specs = ["mcts", "mcts:rule=puct", "ismcts", "ismcts:opponents=informed", "flat-mc"]
            .map(str::to_owned)
            .into();
    }
    measure("connect four", &ConnectFour::new(), &Plain, Depth::End, iterations, &specs);
    measure("backgammon", &Backgammon::new(), &Plain, Depth::End, iterations / 20, &specs);
    measure("Kuhn poker", &Kuhn::new(), &Plain, Depth::End, iterations, &specs);
    // Searches over actions: trees of a wargame, whose rollouts end with the game turn.
    specs.retain(|spec| spec != "ismcts:opponents=informed" && spec != "flat-mc");
    for spec in &mut specs {
        *spec = format!("{spec}{}over=actions,rollout=random", if spec.contains(':') { "," } else { ":" });
    }
    let game = campaign();
    measure("BlitzWar", &game, &BlitzKnowledge::new(&game), Depth::Turns(1), iterations / 5, &specs);
    let game = campaign_in_europe();
    measure(
        "Victory in Europe",
        &game,
        &VictoryKnowledge::new(&game),
        Depth::Turns(1),
        iterations / 5,
        &specs,
    );
}
