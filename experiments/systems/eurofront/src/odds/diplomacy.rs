//! Odds of reactions to declarations of war (16.5) and of diplomatic events (16.6), from the game's own code.

use std::collections::BTreeMap;

use sandtable_core::{Index as _, PlayContext, Rng64};
use sandtable_eurofront::diplomatic_odds::Alignment;
use sandtable_eurofront::ids::{Camp, EventId, Faction, NationId};
use sandtable_eurofront::{EuroFront, State};
use sandtable_scenarios::example::describe_position;
use sandtable_scenarios_eurofront::Examples;

use sandtable_experiments::failure::{Failure, expected};
use sandtable_experiments::system::data::{name_of, unknown_policy, wrong_policy};
use sandtable_experiments::system::odds::{
    EventChance, EventOdds, EventRequest, ReactionOdds, ReactionOutcome, ReactionRequest,
};
use sandtable_experiments::system::{Override, Source};

/// The scenario of a question that names none: the whole war.
const USUAL: &str = "eurofront/1939";
/// For so many months events are looked at, if nobody says for how many.
const HALF_A_YEAR: usize = 6;
/// The keys of the policies.
const CAMPS: [(&str, Camp); 2] = [("axis", Camp::Axis), ("coalition", Camp::Coalition)];

/// The set-up of a scenario, or what a description makes of it.
fn position(
    scenario: Option<Source<'_>>,
    overrides: &[Override],
    text: Option<&str>,
) -> Result<(EuroFront, State, String), Failure> {
    let scenario = scenario.map_or_else(|| USUAL.to_owned(), name_of);
    let keep = |wanted: &mut _| keep_units(wanted);
    let (game, state) = describe_position::<Examples>(&scenario, overrides, text, keep)?;
    let month = &game.rules.calendar[usize::from(state.month)].id;
    let title = format!("{scenario}, {month}");
    Ok((game, state, title))
}

/// What differs is laid over the set-up.
fn keep_units(wanted: &mut <Examples as sandtable_scenarios::example::Vocabulary>::Position) {
    wanted.keep_units = true;
}

// ---- reactions ----

pub(in super::super) fn reactions(request: &ReactionRequest<'_>) -> Result<ReactionOdds, Failure> {
    let (game, state, title) = position(request.scenario, request.overrides, request.position)?;
    let by = Faction::ALL.into_iter().find(|faction| faction.id() == request.by).ok_or_else(|| {
        let known = expected(request.by, Faction::ALL.map(Faction::id));
        Failure::input(format!("--by \"{}\": {known}", request.by))
    })?;
    let on = game.rules.nation(request.on).ok_or_else(|| {
        let known = game.rules.nations.iter().map(|nation| nation.id.as_str());
        Failure::input(format!("--on \"{}\": {}", request.on, expected(request.on, known)))
    })?;
    let exact = game
        .reaction_odds(&state, by, on)
        .map_err(|fault| Failure::input(format!("--on {}: {fault}", request.on)))?;
    let mut seen: BTreeMap<Alignment, u64> = BTreeMap::new();
    let samples = request.samples.map_or(0, |(samples, _)| samples);
    if let Some((samples, seed)) = request.samples {
        for number in 0..samples {
            let dice = Rng64::stream(seed, number, 0);
            *seen.entry(game.react(&state, by, on, dice).map_err(Failure::input)?).or_default() += 1;
        }
    }
    let named =
        |&(nation, faction): &(NationId, Faction)| (game.rules.nations[nation.at()].id.clone(), faction.id());
    let mut outcomes: Vec<ReactionOutcome> = exact
        .iter()
        .map(|(alignment, probability)| ReactionOutcome {
            joined: alignment.iter().map(named).collect(),
            probability,
            seen: seen.get(alignment).copied().unwrap_or(0),
        })
        .collect();
    outcomes.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    let yes = |holds: bool| if holds { "yes" } else { "no" }.to_owned();
    let side = match by {
        Faction::Axis => "the Axis declares",
        Faction::Allies => "the Allies declare",
        Faction::Soviets => "the Soviets declare",
    };
    Ok(ReactionOdds {
        title: format!("{title}: {side} war on {}", game.nation_name(on)),
        facts: vec![
            ("may be declared now (16.4)", yes(game.may_declare(&state, by, on))),
            ("treason (16.41)", yes(game.is_treason(&state, by, on))),
        ],
        outcomes,
        samples,
    })
}

// ---- events ----

pub(in super::super) fn events(request: &EventRequest<'_>) -> Result<EventOdds, Failure> {
    let (game, state, title) = position(request.scenario, request.overrides, request.position)?;
    let left = game.rules.calendar.len() - usize::from(state.month);
    let months = request.months.unwrap_or(HALF_A_YEAR.min(left));
    if months > left {
        return Err(Failure::input(format!(
            "--months {months}: expected 1 to {left}, to the end of the calendar"
        )));
    }
    let stated = attempts(&game, request.policies)?;
    let (events, tried) = if request.policies.is_empty() {
        (
            each_alone(&game, &state, (request.samples, months))?,
            "each event as the only one that is tried, every month".to_owned(),
        )
    } else {
        let tell = |(key, camp): (&str, Camp)| {
            let ids: Vec<&str> =
                stated[camp.index()].iter().map(|event| game.rules.events[event.at()].id.as_str()).collect();
            if ids.is_empty() { format!("{key} none") } else { format!("{key} {}", ids.join(", then ")) }
        };
        (together(&game, &state, (request.samples, months), &stated)?, CAMPS.map(tell).join("; "))
    };
    let months = &game.rules.calendar[usize::from(state.month)..][..months];
    Ok(EventOdds {
        title,
        facts: vec![
            ("tried", tried),
            ("besides", "nothing moves and nobody deploys; only diplomacy and the calendar go on".to_owned()),
        ],
        months: months.iter().map(|month| month.id.clone()).collect(),
        events,
        samples: request.samples.map_or(0, |(samples, _)| samples),
    })
}

/// The events that each camp tries, by camp.
fn attempts(game: &EuroFront, policies: &[Override]) -> Result<[Vec<EventId>; 2], Failure> {
    let mut attempts = [Vec::new(), Vec::new()];
    for policy in policies {
        let key = policy.path.as_str();
        let Some(&(_, camp)) = CAMPS.iter().find(|(known, _)| *known == key) else {
            return Err(unknown_policy(policy, key, CAMPS.map(|(known, _)| known)));
        };
        let own = || game.rules.events.iter().filter(move |event| event.side.camp() == camp);
        for id in policy.text().split('+').map(str::trim) {
            let event = own().find(|event| event.id == id).and_then(|event| game.rules.event(&event.id));
            let event = event.ok_or_else(|| {
                let known = own().map(|event| event.id.as_str());
                wrong_policy(policy, &format!("event \"{id}\": {}", expected(id, known)))
            })?;
            attempts[camp.index()].push(event);
        }
    }
    Ok(attempts)
}

/// How many courses are sampled, if any, from which seed; over how many months.
type Length = (Option<(u64, u64)>, usize);

/// Every event that is possible now, tried alone.
fn each_alone(game: &EuroFront, state: &State, length: Length) -> Result<Vec<EventChance>, Failure> {
    let mut chances = Vec::new();
    for (_, camp) in CAMPS {
        for event in game.possible_events(state, camp).collect::<Vec<_>>() {
            let mut attempts = [Vec::new(), Vec::new()];
            attempts[camp.index()].push(event);
            chances.push(chance(game, state, length, &attempts, &[event])?.swap_remove(0));
        }
    }
    Ok(chances)
}

/// What comes of stated attempts: the events tried, and those that come with them.
fn together(
    game: &EuroFront,
    state: &State,
    length: Length,
    attempts: &[Vec<EventId>; 2],
) -> Result<Vec<EventChance>, Failure> {
    let all: Vec<EventId> = (0..game.rules.events.len()).map(EventId::nth).collect();
    let mut chances = chance(game, state, length, attempts, &all)?;
    let mut at = all.iter();
    chances.retain(|chance| {
        let tried = at.next().is_some_and(|event| attempts.iter().flatten().any(|other| other == event));
        tried || chance.by_month.iter().any(|&p| p > 0.0)
    });
    Ok(chances)
}

/// The chances of some events under these attempts.
fn chance(
    game: &EuroFront,
    state: &State,
    length: Length,
    attempts: &[Vec<EventId>; 2],
    events: &[EventId],
) -> Result<Vec<EventChance>, Failure> {
    let attempts = [attempts[0].as_slice(), attempts[1].as_slice()];
    let (samples, months) = length;
    let exact = game
        .event_odds(state, attempts, months)
        .map_err(|fault| Failure::input(format!("--months {fault}")))?;
    let mut chances: Vec<EventChance> = events
        .iter()
        .map(|&event| {
            let data = &game.rules.events[event.at()];
            EventChance {
                id: data.id.clone(),
                name: data.name.clone(),
                side: data.side.id(),
                by_month: exact.iter().map(|month| month[event.at()]).collect(),
                seen: vec![0; months],
            }
        })
        .collect();
    let (samples, seed) = samples.unwrap_or_default();
    for number in 0..samples {
        let mut context = PlayContext::silent(Rng64::stream(seed, number, 0));
        let (mut course, mut happened) = (*state, 0);
        for month in 0..months {
            course.month += u8::from(month > 0);
            happened |= game.diplomatic_month(&mut course, attempts, &mut context);
            for (chance, &event) in chances.iter_mut().zip(events) {
                chance.seen[month] += happened >> event.at() & 1;
            }
        }
    }
    Ok(chances)
}
