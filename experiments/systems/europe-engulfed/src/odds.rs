//! Odds of the battles of Europe Engulfed and of its weather.

use std::collections::BTreeMap;

use sandtable_core::weather::Weather as Distribution;
use sandtable_core::{PlayContext, Rng64};
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::odds::{BattleResult, Conduct};
use sandtable_europe_engulfed::phase::Mode;
use sandtable_europe_engulfed::rules::{Terrain, Weather, Zone};
use sandtable_europe_engulfed::{EuropeEngulfed, State, Team, UnitId};
use sandtable_scenarios_europe_engulfed::{Battle, Examples, SYSTEM};

use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::Override;
use sandtable_experiments::system::data::{battle, name_of, policy_value, unknown_policy, wrong_policy};
use sandtable_experiments::system::odds::{
    BattleOutcome, CombatOdds, CombatRequest, End, GridResult, Stage, WHOLE, WeatherOdds, WeatherRequest,
    WeatherTurn, grid, losses_in_words,
};

use super::MONTHS;

/// The scenario of a question that names none.
const USUAL: &str = "europe-engulfed/patton-1945";
/// The keys of the policies of a battle.
const POLICIES: [&str; 4] = ["mode", "counterattack", "attacker_fighters", "defender_fighters"];
/// How a round is fought.
const MODES: [&str; 2] = ["normal", "assault"];
/// Whether and how the defender counterattacks.
const ANSWERS: [&str; 3] = ["never", "normal", "assault"];

// ---- combat ----

pub(super) fn combat(request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
    let mut battle = battle::<Examples>(request, USUAL, |_| Ok(()))?;
    let conduct = policies(request.policies, &mut battle)?;
    let distribution = battle.game.odds(&battle.state, battle.area, battle.mode, conduct);
    let mut seen: BTreeMap<BattleResult, u64> = BTreeMap::new();
    let mut samples = 0;
    if let Some((number, seed)) = request.samples {
        samples = number;
        let mut context = PlayContext::silent(Rng64::stream(seed, 0, 0));
        for _ in 0..number {
            let mut state = battle.state.clone();
            let result = battle.game.fight_by(&mut state, battle.area, battle.mode, conduct, &mut context);
            *seen.entry(result).or_default() += 1;
        }
    }
    let attacker = battle.state.mover;
    let told = |result: &BattleResult, probability, seen| outcome(attacker, *result, probability, seen);
    let cell = |attackers, defenders| {
        let other = with_strengths(&battle, attackers, defenders)?;
        let distribution = other.game.odds(&other.state, other.area, other.mode, conduct);
        Ok(GridResult { reading: None, whole: Stage::of(WHOLE, &distribution, (&BTreeMap::new(), 0), told) })
    };
    Ok(CombatOdds {
        title: battle.title.clone(),
        facts: facts(&battle, conduct),
        unit: "steps",
        advance: "the attacker has the area",
        again: "the battle goes on",
        stages: vec![Stage::of(WHOLE, &distribution, (&seen, samples), told)],
        grid: grid(request.grid, cell),
        table: Vec::new(),
    })
}

fn policies(policies: &[Override], battle: &mut Battle) -> Result<Conduct, Failure> {
    let mut conduct = Conduct::default();
    let attacker = battle.state.mover;
    for policy in policies {
        let fighters = || {
            let number = policy.text().parse().ok().filter(|number| *number <= 20u8);
            number.ok_or_else(|| wrong_policy(policy, "expected how many air units at most, 0 to 20"))
        };
        match policy.path.as_str() {
            "mode" => battle.mode = Mode::ALL[policy_value(policy, MODES)?],
            "counterattack" => {
                let answer = policy_value(policy, ANSWERS)?;
                let plan = &mut conduct.plans[attacker.other().index()];
                plan.counterattack = answer.checked_sub(1).map(|mode| Mode::ALL[mode]);
            }
            "attacker_fighters" => conduct.plans[attacker.index()].fighters = fighters()?,
            "defender_fighters" => conduct.plans[attacker.other().index()].fighters = fighters()?,
            key => return Err(unknown_policy(policy, key, POLICIES)),
        }
    }
    Ok(conduct)
}

/// The same battle with other strengths: land steps of both sides, spread over their blocks as evenly as those allow.
fn with_strengths(battle: &Battle, attackers: u8, defenders: u8) -> Result<Battle, String> {
    let mut other = battle.clone();
    let attacker = battle.state.mover;
    for (team, wanted) in [(attacker, attackers), (attacker.other(), defenders)] {
        let side = if team == attacker { "attackers" } else { "defenders" };
        let blocks = battle.game.land_units_at(&battle.state, team, battle.area);
        if u32::from(wanted) < blocks.len() {
            return Err(format!("{side}: {wanted} steps are too few for {} blocks", blocks.len()));
        }
        let mut steps: Vec<_> = blocks.iter().map(|unit| (unit, 1u8)).collect();
        for _ in blocks.len()..u32::from(wanted) {
            let room = steps.iter_mut().filter(|(unit, steps)| *steps < battle.game.max_steps(*unit));
            let weakest = room.min_by_key(|(_, steps)| *steps);
            weakest.ok_or_else(|| format!("{side}: the blocks have no {wanted} steps"))?.1 += 1;
        }
        let mut editor = Editor::of(&battle.game, other.state);
        for (unit, steps) in steps {
            editor.steps(unit, steps);
        }
        other.state = editor.finish();
    }
    Ok(other)
}

fn facts(battle: &Battle, conduct: Conduct) -> Vec<(&'static str, String)> {
    let (game, state, area) = (&battle.game, &battle.state, battle.area);
    let attacker = state.mover;
    let side = |team: Team| {
        let units = state.of_team_at(team, area);
        let steps = game.steps_of(state, &game.land_units_at(state, team, area));
        let names: Vec<String> = units.iter().map(|unit| in_words(game, state, unit)).collect();
        format!("{steps} steps: {}", names.join(", "))
    };
    let terrain = match game.rules.areas[usize::from(area.0)].terrain {
        Terrain::Clear => "clear",
        Terrain::Rough => "rough",
        Terrain::Swamp => "swamp",
        Terrain::Fortress => "fortress",
        Terrain::OffMap => "off the map",
    };
    let fort = match (state.field_forts.contains(area), state.heavy_forts.contains(area)) {
        (_, true) => ", heavy fortification",
        (true, _) => ", field fortification",
        _ => "",
    };
    let weather = state.weather[game.zone(area) as usize].id().replace('_', " ");
    let first = if state.newly_disputed.contains(area) { "first round" } else { "later round" };
    let plan = |team: Team| {
        let plan = conduct.plans[team.index()];
        let answer = plan.counterattack.map_or("", |mode| match mode {
            Mode::Normal => ", counterattacks",
            Mode::Assault => ", counterattacks by assault",
        });
        format!("{} air units into air combat at most{answer}", plan.fighters)
    };
    vec![
        ("place", format!("{}, {terrain}{fort}, {weather}", game.area_name(area))),
        ("attackers", side(attacker)),
        ("defenders", side(attacker.other())),
        ("combat", format!("{}, {first}", MODES[battle.mode as usize])),
        ("attacker", plan(attacker)),
        ("defender", plan(attacker.other())),
        ("losses", "plain blocks before elite and supported ones, of those the strongest".to_owned()),
        ("rules", "6.0 is reconstructed from the play book (A41 to A43, A55 to A60)".to_owned()),
    ]
}

/// A counter with its steps.
fn in_words(game: &EuropeEngulfed, state: &State, unit: UnitId) -> String {
    let name = game.unit_name(unit);
    if game.is_air(unit) { name } else { format!("{name} at {}", state.steps(unit)) }
}

fn outcome(attacker: Team, result: BattleResult, probability: f64, seen: u64) -> BattleOutcome {
    let lost = |team: Team| {
        let (steps, air) = (result.lost[team.index()], result.air_lost[team.index()]);
        let count = |number: u16| number.min(255) as u8;
        (u32::from(steps), losses_in_words(&[(count(steps), "steps"), (count(air), "air units")]))
    };
    let (own, enemy) = (lost(attacker), lost(attacker.other()));
    BattleOutcome {
        attacker_lost: own.0,
        defender_lost: enemy.0,
        attacker_units: own.1,
        defender_units: enemy.1,
        end: if result.won { End::Eliminated } else { End::Held },
        advance: result.won,
        again: if result.won { "none" } else { "chosen" },
        probability,
        seen,
    }
}

// ---- weather ----

pub(super) fn weather(request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
    if let Some(policy) = request.policies.first() {
        return Err(Failure::input(format!(
            "unknown policy \"{}\": nobody chooses anything in the weather of Europe Engulfed",
            policy.path
        )));
    }
    let scenario = request.scenario.map_or_else(|| USUAL.to_owned(), name_of);
    let loaded = SYSTEM.open(&scenario, request.overrides)?;
    let game = EuropeEngulfed::new(loaded.into_rules()).map_err(Failure::input)?;
    let turns = game.rules.setup.turns;
    let zones = [("East", Zone::Eastern), ("West", Zone::Western), ("South", Zone::Southern)];
    let mut fronts = Vec::new();
    for (name, zone) in zones {
        let of = |turn: u8| chances(&game, turn, zone);
        let moves = (2..=turns).map(|turn| vec![of(turn); Weather::ALL.len()]).collect();
        fronts.push((name.to_owned(), Distribution::chain(of(1), moves).map_err(Failure::input)?));
    }
    let label = |turn: u8| {
        let bimester = game.bimester(turn);
        (format!("{} {}", MONTHS[usize::from(bimester.nth) - 1], bimester.year), season(bimester.nth))
    };
    Ok(WeatherOdds {
        scenario,
        source: "fixed by the calendar or the scenario, or two dice a turn in the bimesters that roll (1.1); the table is \
                 reconstructed (A108)"
            .to_owned(),
        kinds: Weather::ALL.map(|kind| kind.id().to_owned()).to_vec(),
        turns: (1..=turns)
            .map(|turn| {
                let (label, season) = label(turn);
                WeatherTurn { number: u32::from(turn), label, season: season.to_owned() }
            })
            .collect(),
        fronts,
        draws: None,
    })
}

/// The season of two months.
fn season(nth: u8) -> &'static str {
    match nth {
        1 | 6 => "winter",
        2 => "spring",
        3 | 4 => "summer",
        _ => "autumn",
    }
}

/// The chance of each kind of weather in a zone.
fn chances(game: &EuropeEngulfed, turn: u8, zone: Zone) -> Vec<f64> {
    let mut chances = vec![0.0; Weather::ALL.len()];
    for (weather, chance) in game.weather_of(turn) {
        chances[weather[zone as usize] as usize] += chance;
    }
    chances
}
