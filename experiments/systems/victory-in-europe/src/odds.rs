//! Odds of the battles of Victory in Europe, of its winters and of its cards.

use std::collections::BTreeMap;

use sandtable_core::weather::Weather;
use sandtable_core::{Index, Pmf, Rng64};
use sandtable_scenarios_victory_in_europe::{BattleText, Examples, SYSTEM};
use sandtable_victory_in_europe::UnitId;
use sandtable_victory_in_europe::VictoryInEurope;
use sandtable_victory_in_europe::draws::{Deal, Draws, Order};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::nation::Team;
use sandtable_victory_in_europe::odds::{
    Aim, Conduct, End as BattleEnd, Engagement, Extra, Outcome, Plan, Stand, Toll,
};
use sandtable_victory_in_europe::rules::{Effect, Terrain};

use super::tables::TEAMS;
use sandtable_experiments::failure::{Failure, expected};
use sandtable_experiments::system::Override;
use sandtable_experiments::system::data::{battle, name_of, policy_value, unknown_policy, wrong_policy};
use sandtable_experiments::system::odds::{
    BattleOutcome, BattleSource, CombatOdds, CombatRequest, DrawDistribution, DrawOdds, End, GridResult,
    Stage, WHOLE, WeatherOdds, WeatherRequest, WeatherTurn, grid, losses_in_words,
};

/// The scenario of a battle that names none: all powers are at war.
const USUAL_BATTLE: &str = "victory-in-europe/stalingrad-1942";
/// Weather that is no winter.
const MILD: &str = "mild";
/// The scenario of a calendar that names none.
const USUAL: &str = "victory-in-europe/campaign-1939";

// ---- battles ----

pub(super) fn combat(request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
    let conduct = conduct(request.policies)?;
    let battle = battle::<Examples>(request, USUAL_BATTLE, set_weather)?;
    let engagement =
        Engagement::new(&battle.game, &battle.state, battle.place, conduct).map_err(Failure::input)?;
    if matches!(request.battle, BattleSource::Described(_)) {
        check_war(&battle.game, &engagement)?;
    }
    let distribution = engagement.distribution();
    let rounds = distribution.rounds.len();
    let mut counts: Vec<BTreeMap<Outcome, u64>> = vec![BTreeMap::new(); rounds + 1];
    let mut samples = 0;
    if let Some((number, seed)) = request.samples {
        samples = number;
        let mut dice = Rng64::stream(seed, 0, 0);
        let (mut scratch, mut fought) = (engagement.position().clone(), Vec::new());
        for _ in 0..number {
            let whole = engagement.sample(&mut scratch, &mut dice, &mut fought);
            for (round, counts) in counts[..rounds].iter_mut().enumerate() {
                // A battle that is over stays as it was.
                if let Some(outcome) = fought.get(round).or(fought.last()) {
                    *counts.entry(*outcome).or_default() += 1;
                }
            }
            *counts[rounds].entry(whole).or_default() += 1;
        }
    }
    let cell = |attackers, defenders| {
        let other = engagement.with_strengths(attackers, defenders)?;
        let whole = Stage::of(WHOLE, &other.distribution().whole, (&BTreeMap::new(), 0), outcome);
        Ok(GridResult { reading: None, whole })
    };
    let mut stages: Vec<Stage> = distribution
        .rounds
        .iter()
        .zip(&counts)
        .enumerate()
        .map(|(at, (distribution, counts))| {
            let round = at + 1;
            let names = (format!("round_{round}"), format!("After round {round}"));
            Stage::of((&names.0, &names.1), distribution, (counts, samples), outcome)
        })
        .collect();
    stages.push(Stage::of(WHOLE, &distribution.whole, (&counts[rounds], samples), outcome));
    Ok(CombatOdds {
        title: battle.title.clone(),
        facts: facts(&battle.game, &engagement, request.policies),
        unit: "steps",
        advance: "the leader may exploit (5.61)",
        again: "a leader orders more rounds",
        stages,
        grid: grid(request.grid, cell),
        table: Vec::new(),
    })
}

/// Weather as an override of the calendar.
fn set_weather(text: &mut BattleText) -> Result<(), Failure> {
    let Some(weather) = text.weather.take() else { return Ok(()) };
    let winter = match weather.as_str() {
        "winter" => "yes",
        MILD | "summer" => "no",
        other => {
            let names = expected(other, [MILD, "summer", "winter"]);
            return Err(Failure::input(format!("--weather \"{other}\": {names}")));
        }
    };
    let turn = turn_of(text)?;
    for key in ["winter", "winter_east"] {
        text.overrides.push(Override::new(format!("calendar.{turn}.{key}"), winter));
    }
    Ok(())
}

/// The turn of a described battle.
fn turn_of(text: &BattleText) -> Result<u8, Failure> {
    let told = || {
        let table: toml::Table = toml::from_str(text.position.as_ref()?).ok()?;
        u8::try_from(table.get("turn")?.as_integer()?).ok()
    };
    match text.turn.or_else(told) {
        Some(turn) => Ok(turn),
        None => Ok(SYSTEM.open(&text.scenario, &text.overrides)?.rules().setup.first_turn),
    }
}

/// Refuses a battle between powers that are not at war: what is friendly and enemy would make no sense in it.
fn check_war(game: &VictoryInEurope, engagement: &Engagement<'_>) -> Result<(), Failure> {
    let state = engagement.position();
    let [own, enemy] = [engagement.attacker(), engagement.attacker().other()]
        .map(|team| engagement.units(team).map(|unit| (unit, game.bloc_of(state, unit))).collect::<Vec<_>>());
    for &(unit, bloc) in &own {
        if let Some(&(other, _)) = enemy.iter().find(|(_, other)| !game.at_war(state, bloc, *other)) {
            let [a, b] = [unit, other].map(|unit| game.nation(state, unit).name());
            return Err(Failure::input(format!(
                "{a} and {b} are not at war here: name another scenario, or say so with --position, as in \
                 `entry = {{ ussr = \"at_war\" }}`"
            )));
        }
    }
    Ok(())
}

/// What units of a kind fire at.
const AIMS: [(&str, Aim); 5] = [
    ("best", Aim::Best),
    ("air", Aim::Air),
    ("army", Aim::Army),
    ("naval", Aim::Naval),
    ("factory", Aim::Factory),
];

/// Keys of a side's plan: with `attacker.` or `defender.` before them for one side alone.
const PLAN_KEYS: [&str; 6] = ["early", "fighters", "bombers", "ships", "armies", "submarines"];

/// The conduct that the policies lay down.
fn conduct(policies: &[Override]) -> Result<Conduct, Failure> {
    let mut conduct = Conduct::default();
    for policy in policies {
        let (key, value) = (policy.path.as_str(), &*policy.text());
        let wrong = |names: String| wrong_policy(policy, &names);
        match key {
            "attacker" | "defender" => {
                let stand = stand(value).ok_or_else(|| {
                    wrong("expected stand, the steps below which units leave (1 to 60), or the odds at which they do, as 2-1".into())
                })?;
                let plan = if key == "attacker" { &mut conduct.attacker } else { &mut conduct.defender };
                plan.stand = stand;
            }
            "blitz" => {
                let rounds = value.parse().ok().filter(|rounds| *rounds <= 2);
                conduct.blitz = rounds.ok_or_else(|| wrong("expected 0, 1 or 2 rounds".into()))?;
            }
            _ => {
                let (sides, of_side) = match key.split_once('.') {
                    Some(("attacker", rest)) => ([true, false], rest),
                    Some(("defender", rest)) => ([false, true], rest),
                    _ => ([true, true], key),
                };
                if !PLAN_KEYS.contains(&of_side) {
                    let known = ["attacker", "defender", "blitz"].into_iter().chain(PLAN_KEYS);
                    return Err(unknown_policy(policy, of_side, known));
                }
                let plans = [&mut conduct.attacker, &mut conduct.defender];
                for (plan, _) in plans.into_iter().zip(sides).filter(|(_, meant)| *meant) {
                    amend(plan, of_side, value).map_err(wrong)?;
                }
            }
        }
    }
    Ok(conduct)
}

fn stand(value: &str) -> Option<Stand> {
    let number = |text: &str| text.parse().ok().filter(|number| (1..=60).contains(number));
    match value.split_once('-') {
        _ if value == "stand" => Some(Stand::Firm),
        Some((odds, "1")) => number(odds).map(Stand::Odds),
        Some(_) => None,
        None => number(value).map(Stand::Steps),
    }
}

fn amend(plan: &mut Plan, key: &str, value: &str) -> Result<(), String> {
    let one_of = |first: &'static str, second: &'static str| match value {
        _ if value == first => Ok(false),
        _ if value == second => Ok(true),
        _ => Err(expected(value, [first, second])),
    };
    let aim = || {
        let known = AIMS.iter().find(|(name, _)| *name == value);
        known.map(|aim| aim.1).ok_or_else(|| expected(value, AIMS.iter().map(|aim| aim.0)))
    };
    match key {
        "early" => plan.early = one_of("no", "yes")?,
        "submarines" => plan.shelter = one_of("fire", "shelter")?,
        "fighters" => plan.fighters = aim()?,
        "bombers" => plan.bombers = aim()?,
        "ships" => plan.ships = aim()?,
        _ => plan.armies = aim()?,
    }
    Ok(())
}

fn facts(
    game: &VictoryInEurope,
    engagement: &Engagement<'_>,
    policies: &[Override],
) -> Vec<(&'static str, String)> {
    let state = engagement.position();
    let (place, attacker) = (engagement.place(), engagement.attacker());
    let side = |team: Team| {
        let unit = |unit: UnitId| {
            let sheet = game.unit_type(unit);
            let class = char::from(b'A' + sheet.class);
            format!("{} {}{class}{}", game.rules.units[unit.at()].name, state.steps(unit), sheet.fire)
        };
        let units: Vec<String> = engagement.units(team).map(unit).collect();
        if units.is_empty() {
            return "no units".to_owned();
        }
        format!("{} steps: {}", engagement.steps(team), units.join(", "))
    };
    let season = if game.winter_at(state, place) { "winter" } else { MILD };
    let mut ground = vec![game.place_name(place).to_owned(), season.to_owned()];
    if place.is_area() {
        ground.push(
            match game.rules.areas[place.at()].terrain {
                Terrain::Clear => "clear",
                Terrain::Forest => "forest",
                Terrain::Mountain => "mountain",
                Terrain::Desert => "desert",
            }
            .to_owned(),
        );
        let factory = state.factory(place);
        if factory > 0 {
            ground.push(format!("factory of {factory}"));
        }
    }
    let told: Vec<String> = policies.iter().map(ToString::to_string).collect();
    let policy = if told.is_empty() {
        "attacker=stand defender=stand blitz=0, best targets".to_owned()
    } else {
        told.join(" ")
    };
    let turn = super::label(game, state.turn);
    vec![
        ("place", ground.join(", ")),
        ("turn", turn),
        ("attackers", format!("{}, {}", TEAMS[attacker.index()], side(attacker))),
        ("defenders", format!("{}, {}", TEAMS[attacker.other().index()], side(attacker.other()))),
        ("rounds", format!("{}, without those that a leader orders", engagement.rounds())),
        ("policy", policy),
        (
            "hits",
            "among equals the cheapest unit takes the hit; bombed factory steps count as the defender's"
                .into(),
        ),
    ]
}

fn units(toll: Toll) -> String {
    losses_in_words(&[
        (toll.army, "army"),
        (toll.air, "air"),
        (toll.naval, "naval"),
        (toll.factory, "factory"),
    ])
}

fn outcome(outcome: &Outcome, probability: f64, seen: u64) -> BattleOutcome {
    BattleOutcome {
        attacker_lost: u32::from(outcome.attacker.steps()),
        defender_lost: u32::from(outcome.defender.steps()),
        attacker_units: units(outcome.attacker),
        defender_units: units(outcome.defender),
        end: match outcome.end {
            BattleEnd::Held => End::Held,
            BattleEnd::Retreated => End::Retreated,
            BattleEnd::Eliminated => End::Eliminated,
        },
        advance: outcome.exploits,
        again: match outcome.extra {
            Extra::Unasked => "none",
            Extra::Declined => "declined",
            Extra::Ordered => "chosen",
        },
        probability,
        seen,
    }
}

// ---- winters and cards ----

pub(super) fn weather(request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
    let orders = orders(request.policies)?;
    let scenario = request.scenario.map_or_else(|| USUAL.to_owned(), name_of);
    let loaded = SYSTEM.open(&scenario, request.overrides)?;
    let game = VictoryInEurope::new(loaded.into_rules()).map_err(Failure::input)?;
    let (first, last) = (game.rules.setup.first_turn, game.rules.setup.last_turn);
    let mut editor = Editor::new(&game);
    // Winter in each region, ice, as the rules answer for the turn.
    let mut regions: [Vec<usize>; 3] = Default::default();
    let [moscow, london] = [game.rules.places.moscow, game.rules.places.london];
    for turn in first..=last {
        let state = editor.turn(turn).state();
        let here = [game.winter_at(state, moscow), game.winter_at(state, london), game.ice(state) != 0];
        for (region, winter) in regions.iter_mut().zip(here) {
            region.push(usize::from(winter));
        }
    }
    let names = ["Soviet Union and Finland", "everywhere else", "rivers and seas that freeze"];
    let mut fronts = Vec::new();
    for (name, calendar) in names.into_iter().zip(regions) {
        fronts.push((name.to_owned(), Weather::fixed(2, &calendar).map_err(Failure::input)?));
    }
    let frozen: Vec<&str> =
        game.rules.seas.iter().filter(|sea| sea.freezes).map(|sea| sea.name.as_str()).collect();
    Ok(WeatherOdds {
        scenario,
        source: format!(
            "winter is fixed by the calendar (3.4): nothing is rolled, every answer is certain; what freezes are the \
             rivers of the Soviet Union (3.44), {} (3.43)",
            frozen.join(", ")
        ),
        kinds: vec![MILD.to_owned(), "winter".to_owned()],
        turns: (first..=last)
            .map(|turn| WeatherTurn {
                number: u32::from(turn),
                label: super::label(&game, turn),
                season: game.rules.calendar[usize::from(turn) - 1].year.to_string(),
            })
            .collect(),
        fronts,
        draws: Some(draws(&game, orders)),
    })
}

/// In which order cards are laid.
const ORDERS: [(&str, Order); 3] =
    [("highest", Order::Highest), ("lowest", Order::Lowest), ("random", Order::Random)];

fn orders(policies: &[Override]) -> Result<[Order; 2], Failure> {
    let mut orders = [Order::default(); 2];
    for policy in policies {
        let team = TEAMS
            .iter()
            .position(|team| *team == policy.path)
            .ok_or_else(|| unknown_policy(policy, &policy.path, TEAMS))?;
        orders[team] = ORDERS[policy_value(policy, ORDERS.map(|order| order.0))?].1;
    }
    Ok(orders)
}

fn numbers(distribution: &Pmf<u8>) -> Vec<(String, f64)> {
    distribution.iter().map(|(number, p)| (number.to_string(), p)).collect()
}

/// What an event does, in a word.
fn event(effect: &Effect) -> &'static str {
    match effect {
        Effect::Firepower { .. } => "firepower",
        Effect::Round { .. } => "round",
        Effect::Loss { .. } => "loss",
        Effect::Steps { .. } => "steps",
        Effect::Deploy { .. } => "deploy",
        Effect::Points { .. } => "points",
        Effect::Diplomacy { .. } => "diplomacy",
        Effect::Strategic { .. } => "strategic",
        Effect::Move { .. } => "move",
        Effect::Invade { .. } => "invade",
        Effect::Mud { .. } => "mud",
        Effect::Urals { .. } => "urals",
        Effect::Supply { .. } => "supply",
        Effect::Cut { .. } => "cut",
        Effect::Peek { .. } => "peek",
    }
}

fn draws(game: &VictoryInEurope, orders: [Order; 2]) -> DrawOdds {
    let draws = Draws::new(game);
    let first_turn = game.rules.setup.first_turn;
    let mut distributions = Vec::new();
    for deal in &draws.deals {
        let turn = usize::from(deal.first - first_turn);
        for team in Team::ALL {
            of_hand(game, &draws, deal, team, turn, &mut distributions);
        }
        distributions.push(DrawDistribution {
            turn,
            subject: TEAMS[0].to_owned(),
            question: format!("turns as Player 1, of {}", deal.turns),
            outcomes: numbers(&draws.turns_first(deal, orders)),
            mean: Some(draws.turns_first(deal, orders).mean()),
        });
        for before in 0..deal.turns {
            of_turn(game, &draws, deal, orders, before, turn + usize::from(before), &mut distributions);
        }
    }
    let name = |order: Order| ORDERS.iter().find(|known| known.1 == order).map_or("", |known| known.0);
    DrawOdds {
        source: format!(
            "each side draws from the cards of the year and lays one a turn (3.1, 3.2), at a stated play: axis={} allies={}",
            name(orders[0]),
            name(orders[1])
        ),
        distributions,
    }
}

/// The distributions of a hand when it is drawn.
fn of_hand(
    game: &VictoryInEurope,
    draws: &Draws<'_>,
    deal: &Deal,
    team: Team,
    turn: usize,
    distributions: &mut Vec<DrawDistribution>,
) {
    let deck = &deal.decks[team.index()];
    let mut push = |question: String, outcomes, mean| {
        distributions.push(DrawDistribution {
            turn,
            subject: TEAMS[team.index()].to_owned(),
            question,
            outcomes,
            mean,
        });
    };
    let [best, total] = [draws.best(deal, team), draws.total(deal, team)];
    push("best command in hand".into(), numbers(&best), Some(best.mean()));
    push("command of the hand together".into(), numbers(&total), Some(total.mean()));
    let mut values: Vec<u8> = deck.iter().map(|&card| draws.command(card)).collect();
    values.sort_unstable();
    values.dedup();
    let some = |such: &dyn Fn(u8) -> bool| draws.count(deal, team, such).chance(|&count| count > 0);
    let with_command =
        values.iter().map(|&value| (value.to_string(), some(&|card| draws.command(card) == value))).collect();
    push("a card of this command in hand".into(), with_command, None);
    let kind = |card: u8| event(&game.rules.cards[usize::from(card)].effect);
    let mut kinds: Vec<&str> = deck.iter().map(|&card| kind(card)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let with_event =
        kinds.iter().map(|&event| (event.to_owned(), some(&|card| kind(card) == event))).collect();
    push("such an event in hand".into(), with_event, None);
}

/// The distributions of a turn: what is in hand before a card is laid, the card that is, who is Player 1.
fn of_turn(
    game: &VictoryInEurope,
    draws: &Draws<'_>,
    deal: &Deal,
    orders: [Order; 2],
    before: u8,
    turn: usize,
    distributions: &mut Vec<DrawDistribution>,
) {
    for team in Team::ALL {
        let order = orders[team.index()];
        let subject = || TEAMS[team.index()].to_owned();
        let held = deal.decks[team.index()].iter().map(|&card| {
            (game.rules.cards[usize::from(card)].id.clone(), draws.held(deal, team, order, card, before))
        });
        distributions.push(DrawDistribution {
            turn,
            subject: subject(),
            question: "card in hand".into(),
            outcomes: held.collect(),
            mean: None,
        });
        let laid = draws.laid(deal, team, order, before);
        let laid = laid.map(|card| card.map_or(0, |card| draws.command(card)));
        distributions.push(DrawDistribution {
            turn,
            subject: subject(),
            question: "command laid".into(),
            outcomes: numbers(&laid),
            mean: Some(laid.mean()),
        });
    }
    let axis = draws.axis_first(deal, orders, before);
    distributions.push(DrawDistribution {
        turn,
        subject: "both".into(),
        question: "Player 1".into(),
        outcomes: vec![(TEAMS[0].to_owned(), axis), (TEAMS[1].to_owned(), (1.0 - axis).max(0.0))],
        mean: None,
    });
}
