//! Odds of BlitzWar's battles and of its weather.

use std::collections::BTreeMap;

use sandtable_blitzwar::event::Modifiers;
use sandtable_blitzwar::odds::{Again, Conduct, End as BattleEnd, Outcome, Rounds, Second, Siege, Toll};
use sandtable_blitzwar::rules::{CalendarTurn, Weather as Sky};
use sandtable_blitzwar::{Assessment, Phase, Rules};
use sandtable_core::Rng64;
use sandtable_core::weather::Weather;
use sandtable_scenarios_blitzwar::{Examples, SYSTEM};

use super::tables::ODDS;
use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::Override;
use sandtable_experiments::system::data::{battle, name_of, policy_value, unknown_policy};
use sandtable_experiments::system::odds::{
    BattleOutcome, CombatOdds, CombatRequest, End, GridResult, Reading, Stage, WHOLE, WeatherOdds,
    WeatherRequest, WeatherTurn, grid, losses_in_words,
};

/// The scenario of a battle or a weather that names none.
const USUAL: &str = "blitzwar/campaign-1939";

/// Kinds of weather, the fairest first.
const SKIES: [(&str, Sky); 3] = [("fair", Sky::Fair), ("mud", Sky::Mud), ("snow", Sky::Snow)];

/// The keys of a conduct, with what they may be set to.
const POLICIES: [(&str, &[&str]); 4] = [
    ("rounds", &["both", "blitz", "normal"]),
    ("again", &["always", "never", "1-1", "3-2", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1"]),
    ("german_defence", &["use", "waive"]),
    ("defender", &["retreat", "hold"]),
];

pub(super) fn combat(request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
    let conduct = conduct(request.policies)?;
    let battle = battle::<Examples>(request, USUAL, |_| Ok(()))?;
    let only = battle.only.as_ref();
    let siege =
        Siege::new(&battle.game, &battle.state, battle.target, only, conduct).map_err(Failure::input)?;
    let distribution = siege.distribution();
    let mut counts: [BTreeMap<Outcome, u64>; 2] = Default::default();
    let mut samples = 0;
    if let Some((number, seed)) = request.samples {
        samples = number;
        let mut dice = Rng64::stream(seed, 0, 0);
        let mut sampler = siege.sampler();
        for _ in 0..number {
            let (first, whole) = sampler.sample(&mut dice);
            *counts[0].entry(first).or_default() += 1;
            *counts[1].entry(whole).or_default() += 1;
        }
    }
    let cell = |attackers, defenders| siege.with_strengths(attackers, defenders).map(|siege| cell(&siege));
    let [first, whole] = counts;
    Ok(CombatOdds {
        title: battle.title.clone(),
        facts: facts(&siege, request.policies),
        unit: "corps",
        advance: "the attacker may advance",
        again: "a further attack is made",
        stages: vec![
            Stage::of(
                ("first_round", "After the first round"),
                &distribution.first,
                (&first, samples),
                outcome,
            ),
            Stage::of(WHOLE, &distribution.whole, (&whole, samples), outcome),
        ],
        grid: grid(request.grid, cell),
        table: Vec::new(),
    })
}

/// The conduct that the policies lay down.
fn conduct(policies: &[Override]) -> Result<Conduct, Failure> {
    let mut conduct = Conduct::default();
    for policy in policies {
        let Some((key, values)) = POLICIES.iter().find(|(known, _)| *known == policy.path) else {
            return Err(unknown_policy(policy, &policy.path, POLICIES.map(|(key, _)| key)));
        };
        let at = policy_value(policy, values.iter().copied())?;
        match *key {
            "rounds" => conduct.rounds = [Rounds::Both, Rounds::Blitz, Rounds::Normal][at],
            "again" => {
                conduct.again = match at {
                    0 => Again::Always,
                    1 => Again::Never,
                    column => Again::From(column as i8 - 1),
                };
            }
            "german_defence" => conduct.waive = values[at] == "waive",
            _ => conduct.hold = values[at] == "hold",
        }
    }
    Ok(conduct)
}

/// A step of the ladder of odds in words.
fn ladder(index: i8) -> String {
    match usize::try_from(index) {
        Err(_) => "below 2-3".into(),
        Ok(step) => ODDS.get(step).map_or_else(|| format!("{}-1", step - 1), |name| (*name).to_owned()),
    }
}

/// The shifts that are not nought, by name.
fn shifts(modifiers: &Modifiers) -> Vec<(&'static str, i8)> {
    [
        ("German attack", modifiers.german_attack),
        ("British against Italians", modifiers.british_vs_italians),
        ("armour", modifiers.armour),
        ("attacker's air", modifiers.attacker_air),
        ("out of supply", modifiers.out_of_supply),
        ("German defence", modifiers.german_defence),
        ("all fortified", modifiers.all_fortified),
        ("defender's air", modifiers.defender_air),
        ("terrain", modifiers.terrain),
        ("fortress", modifiers.fortress),
        ("fortified line", modifiers.fortified_line),
    ]
    .into_iter()
    .filter(|shift| shift.1 != 0)
    .collect()
}

fn corps((infantry, armour): (u8, u8)) -> String {
    let parts = [(infantry, "infantry"), (armour, "armour")];
    let words: Vec<String> =
        parts.iter().filter(|part| part.0 > 0).map(|(n, kind)| format!("{n} {kind}")).collect();
    words.join(" + ")
}

fn facts(siege: &Siege<'_>, policies: &[Override]) -> Vec<(&'static str, String)> {
    let odds: &Assessment = siege.assessment();
    let moved: Vec<String> =
        shifts(&odds.modifiers).iter().map(|(name, shift)| format!("{name} {shift:+}")).collect();
    let shifts = if moved.is_empty() { "none".to_owned() } else { moved.join(", ") };
    let phases = match (siege.phase(), siege.conduct().rounds) {
        (Phase::Blitz, Rounds::Blitz) => "Blitz",
        (Phase::Blitz, _) => "Blitz, then Normal",
        _ => "Normal",
    };
    let fortified =
        if odds.fortified > 0 { format!(", {} fortified", odds.fortified) } else { String::new() };
    let chosen: Vec<String> = POLICIES
        .iter()
        .map(|(key, values)| {
            let told = policies.iter().rev().find(|policy| policy.path == *key);
            format!("{key}={}", told.map_or(values[0].into(), Override::text))
        })
        .collect();
    vec![
        ("combat", phases.to_owned()),
        ("attackers", format!("{} corps", corps(odds.attackers))),
        ("defenders", format!("{} corps{fortified}", corps(odds.defenders))),
        ("odds", format!("{}; shifts: {shifts}; column {}", ladder(odds.odds), ladder(odds.column() as i8))),
        ("policy", chosen.join(" ")),
        ("losses", "fortified corps turn back first, infantry before armour, minor nations before Great Powers, small counters before large ones".to_owned()),
    ]
}

fn units(toll: Toll) -> String {
    losses_in_words(&[(toll.infantry, "infantry"), (toll.armour, "armour"), (toll.air, "air")])
}

fn outcome(outcome: &Outcome, probability: f64, seen: u64) -> BattleOutcome {
    BattleOutcome {
        attacker_lost: u32::from(outcome.attacker.corps()),
        defender_lost: u32::from(outcome.defender.corps()),
        attacker_units: units(outcome.attacker),
        defender_units: units(outcome.defender),
        end: match outcome.end {
            BattleEnd::Held => End::Held,
            BattleEnd::Retreated => End::Retreated,
            BattleEnd::Eliminated => End::Eliminated,
        },
        advance: outcome.advance,
        again: match outcome.second {
            Second::Unasked => "none",
            Second::Barred => "barred",
            Second::Declined => "declined",
            Second::Chosen => "chosen",
            Second::Compulsory => "compulsory",
        },
        probability,
        seen,
    }
}

fn cell(siege: &Siege<'_>) -> GridResult {
    let odds = siege.assessment();
    GridResult {
        reading: Some(Reading {
            odds: ladder(odds.odds),
            modifiers: i32::from(odds.modifiers.total()),
            column: ladder(odds.column() as i8),
        }),
        whole: Stage::of(WHOLE, &siege.distribution().whole, (&BTreeMap::new(), 0), outcome),
    }
}

/// When a turn is, in words.
pub(super) fn when(turn: &CalendarTurn) -> String {
    let part = if turn.half == 1 { "first" } else { "second" };
    format!("{part} half of {} {}", turn.season, turn.year)
}

pub(super) fn weather(request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
    if let Some(policy) = request.policies.first() {
        return Err(Failure::input(format!(
            "unknown policy \"{}\": nobody chooses anything in the weather of BlitzWar",
            policy.path
        )));
    }
    let scenario = request.scenario.map_or_else(|| USUAL.to_owned(), name_of);
    let loaded = SYSTEM.open(&scenario, request.overrides)?;
    let rules: &Rules = loaded.rules();
    let (first, last) = (rules.setup.first_turn, rules.setup.last_turn);
    let turns = || (first..=last).map(|number| (number, &rules.calendar[usize::from(number) - 1]));
    let kind = |sky: Sky| SKIES.iter().position(|known| known.1 == sky).unwrap_or(0);
    let calendar: Vec<usize> = turns().map(|(_, turn)| kind(turn.weather)).collect();
    let distribution = Weather::fixed(SKIES.len(), &calendar).map_err(Failure::input)?;
    Ok(WeatherOdds {
        scenario,
        source: "the weather is fixed by the calendar (rule 6): nothing is rolled, every answer is certain"
            .to_owned(),
        kinds: SKIES.map(|known| known.0.to_owned()).to_vec(),
        turns: turns()
            .map(|(number, turn)| WeatherTurn {
                number: u32::from(number),
                label: when(turn),
                season: format!("{} {}", turn.season, turn.year),
            })
            .collect(),
        fronts: vec![("all fronts".to_owned(), distribution)],
        draws: None,
    })
}
