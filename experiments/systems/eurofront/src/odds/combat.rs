//! Odds of a battle (7), from the game's own combat code.

use std::collections::BTreeMap;

use sandtable_core::Pmf;
use sandtable_eurofront::ids::Camp;
use sandtable_eurofront::odds::{BattleOutcome as Fought, Conduct, End as Ended, Engagement, Losses};
use sandtable_scenarios_eurofront::{Battle, Examples, with_airstrike};

use super::super::tables::WEATHERS;
use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::Override;
use sandtable_experiments::system::data::{battle, policy_value, unknown_policy, wrong_policy};
use sandtable_experiments::system::odds::{
    BattleOutcome, CombatOdds, CombatRequest, End, GridResult, Stage, WHOLE, grid, losses_in_words,
};

/// The scenario of a battle that names none: all powers are at war.
const USUAL: &str = "eurofront/1942";
/// The keys of the policies.
const POLICIES: [&str; 4] = ["rounds", "air", "attacker", "defender"];
/// Whether the strongest activated headquarters in range strikes: not beyond what the position says, in the first round, in
/// every round.
const AIR: [&str; 3] = ["as_is", "first", "every"];

/// What the policies lay down.
#[derive(Clone, Copy, Default)]
struct Chosen {
    conduct: Conduct,
    /// Index into [`AIR`].
    air: usize,
}

pub(in super::super) fn combat(request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
    let battle = battle::<Examples>(request, USUAL, |_| Ok(()))?;
    let chosen = policies(request.policies)?;
    let battle = if chosen.air == 0 { battle } else { with_airstrike(&battle) };
    if request.samples.is_some() {
        return Err(Failure::input("the odds of EuroFront are exact, it samples no battles"));
    }
    let engagement = engagement(&battle)?;
    let rounds = engagement.battle(chosen.conduct);
    let stage = |name: (&str, &str), distribution: &Pmf<Fought>| {
        Stage::of(name, distribution, (&BTreeMap::new(), 0), |&fought, p, seen| outcome(fought, p, seen))
    };
    let mut stages: Vec<Stage> = Vec::new();
    for (at, distribution) in rounds.iter().enumerate() {
        let names = (format!("round_{}", at + 1), format!("After round {}", at + 1));
        stages.push(stage((&names.0, &names.1), distribution));
    }
    stages.extend(rounds.last().map(|last| stage(WHOLE, last)));
    let cell = |attackers, defenders| {
        let other = with_strengths(&battle, attackers, defenders)?;
        let rounds = Engagement::new(&other.game, &other.state, other.hex)?.battle(chosen.conduct);
        let whole = rounds.last().map(|last| stage(WHOLE, last)).ok_or("no round is fought")?;
        Ok(GridResult { reading: None, whole })
    };
    Ok(CombatOdds {
        title: battle.title.clone(),
        facts: facts(&battle, &engagement, &chosen),
        unit: "steps",
        advance: "the attacker has the hex",
        again: "the battle goes on",
        stages,
        grid: grid(request.grid, cell),
        table: Vec::new(),
    })
}

fn engagement(battle: &Battle) -> Result<Engagement<'_>, Failure> {
    Engagement::new(&battle.game, &battle.state, battle.hex).map_err(Failure::input)
}

fn policies(policies: &[Override]) -> Result<Chosen, Failure> {
    let mut chosen = Chosen::default();
    for policy in policies {
        let number = |most: u16| {
            let number = policy.text().parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| wrong_policy(policy, &format!("expected a number from 1 to {most}")))
        };
        let stand = |policy: &Override| if *policy.text() == *"stand" { Ok(0) } else { number(60) };
        match policy.path.as_str() {
            "rounds" => chosen.conduct.rounds = number(12)? as u8,
            "air" => {
                chosen.air = policy_value(policy, AIR)?;
                chosen.conduct.strikes_again = chosen.air == 2;
            }
            "attacker" => chosen.conduct.active_stops = stand(policy)?,
            "defender" => chosen.conduct.passive_leaves = stand(policy)?,
            key => return Err(unknown_policy(policy, key, POLICIES)),
        }
    }
    Ok(chosen)
}

/// The same battle with other strengths: steps of both sides, spread over their units as evenly as their blocks allow.
fn with_strengths(battle: &Battle, attackers: u8, defenders: u8) -> Result<Battle, String> {
    let mut other = battle.clone();
    let active = battle.state.camp();
    for (camp, wanted) in [(active, attackers), (active.enemy(), defenders)] {
        let blocks = battle.state.stack(battle.hex, camp);
        let full = |block| battle.game.brief(block).full;
        for block in blocks {
            other.state.steps[block] = 0;
        }
        for _ in 0..wanted {
            let room = blocks.iter().filter(|&block| other.state.steps[block] < full(block));
            let weakest = room.min_by_key(|&block| other.state.steps[block]);
            let block = weakest.ok_or_else(|| format!("the units have no {wanted} steps"))?;
            other.state.steps[block] += 1;
        }
        for block in blocks {
            if other.state.steps[block] < battle.game.brief(block).least.max(1) {
                return Err(format!("{wanted} steps are too few for {} units", blocks.len()));
            }
        }
    }
    Ok(other)
}

fn facts(battle: &Battle, engagement: &Engagement<'_>, chosen: &Chosen) -> Vec<(&'static str, String)> {
    let (game, state, hex) = (&battle.game, &battle.state, battle.hex);
    let active = state.camp();
    let side = |camp: Camp| {
        let units = engagement.blocks(camp);
        let steps: u32 = units.iter().map(|block| u32::from(state.steps[block])).sum();
        let names: Vec<String> =
            units.iter().map(|block| format!("{} {}", game.block(block).name, state.steps[block])).collect();
        format!("{steps} steps: {}", names.join(", "))
    };
    let repulse = game.repulse_up_to(state, hex);
    let assault = match repulse {
        0 => "no assault".to_owned(),
        up_to => format!("assault, repulsed by 1 to {up_to} of the first defensive fire"),
    };
    let struck = state.strikes.contains(&hex);
    let stop = |steps: u16, word: &str| match steps {
        0 => "stands".to_owned(),
        steps => format!("{word} below {steps} steps"),
    };
    vec![
        (
            "place",
            format!(
                "{}, {}, {}",
                game.hex_name(hex),
                game.terrain(hex).id(),
                WEATHERS[game.weather(state, hex) as usize]
            ),
        ),
        ("attackers", side(active)),
        ("defenders", side(active.enemy())),
        (
            "combat",
            format!(
                "{}, {assault}, {}",
                if state.commanded.contains(hex) { "supported" } else { "unsupported" },
                if struck { "airstrike" } else { "no airstrike" }
            ),
        ),
        (
            "policy",
            format!(
                "{} rounds at most by the same side, air {}, attacker {}, defender {}",
                chosen.conduct.rounds,
                AIR[chosen.air],
                stop(chosen.conduct.active_stops, "stops"),
                stop(chosen.conduct.passive_leaves, "leaves")
            ),
        ),
        ("hits", "among equals the first of the roster takes the hit".into()),
    ]
}

fn lost(losses: Losses) -> String {
    let mut text = losses_in_words(&[(losses.steps, "steps")]);
    if losses.units > 0 {
        text = format!("{text}, {} units eliminated", losses.units);
    }
    if losses.repulsed > 0 {
        text = format!("{text}, {} repulsed", losses.repulsed);
    }
    text
}

fn outcome(outcome: Fought, probability: f64, seen: u64) -> BattleOutcome {
    let round = outcome.round;
    BattleOutcome {
        attacker_lost: u32::from(round.active.steps),
        defender_lost: u32::from(round.passive.steps),
        attacker_units: lost(round.active),
        defender_units: lost(round.passive),
        end: match outcome.end {
            Ended::Won => End::Eliminated,
            Ended::Left => End::Retreated,
            Ended::Open | Ended::Lost | Ended::BrokenOff => End::Held,
        },
        advance: matches!(outcome.end, Ended::Won | Ended::Left),
        again: match outcome.end {
            Ended::Open => "chosen",
            Ended::BrokenOff => "declined",
            Ended::Won | Ended::Lost | Ended::Left => "none",
        },
        probability,
        seen,
    }
}
