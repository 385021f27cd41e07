//! The words of nations and diplomacy (16, 20): where they stand at the start, and what must hold afterwards.

use sandtable_core::Index;
use sandtable_eurofront::editor::Editor;
use sandtable_eurofront::ids::{EventId, Faction, NationId, Nations};
use sandtable_eurofront::rules::{Fact, Status};
use sandtable_eurofront::{Event, State};

use super::format::{Expect, Position};
use super::words::{Words, faction};
use crate::diplomacy::RELATIONS;
use sandtable_scenarios::example::words::{Findings, listed, named};

fn status(name: &str) -> Result<Status, String> {
    named(
        name,
        "where a nation stands",
        RELATIONS.map(|(known, value)| (known.to_owned(), value)).into_iter(),
    )
}

fn status_name(status: Status) -> &'static str {
    RELATIONS.iter().find(|(_, known)| *known == status).map_or("?", |(name, _)| name)
}

fn fact(name: &str) -> Result<Fact, String> {
    named(name, "what may hold", Fact::ALL.map(|fact| (fact.id().to_owned(), fact)).into_iter())
}

impl Words<'_> {
    /// A nation by its identifier.
    pub fn nation(self, id: &str) -> Result<NationId, String> {
        let nations = self.game.rules.nations.iter().enumerate();
        named(id, "a nation", nations.map(|(at, nation)| (nation.id.clone(), NationId::nth(at))))
    }

    /// A diplomatic event by its identifier.
    pub fn event(self, id: &str) -> Result<EventId, String> {
        let events = self.game.rules.events.iter().enumerate();
        named(id, "a diplomatic event", events.map(|(at, event)| (event.id.clone(), EventId::nth(at))))
    }

    fn nation_id(self, nation: NationId) -> String {
        self.game.rules.nations.get(nation.at()).map_or("none".into(), |nation| nation.id.clone())
    }

    fn event_id(self, event: EventId) -> String {
        self.game.rules.events.get(event.at()).map_or("none".into(), |event| event.id.clone())
    }

    fn nation_set(self, list: &[String]) -> Result<Nations, String> {
        list.iter().map(|id| self.nation(id)).collect()
    }

    fn nation_names(self, nations: Nations) -> String {
        listed(&nations.iter().map(|nation| self.nation_id(nation)).collect::<Vec<_>>())
    }
}

/// Puts the nations where the position says.
pub(super) fn place(words: Words<'_>, wanted: &Position, editor: &mut Editor<'_>) -> Result<(), String> {
    for (id, name) in &wanted.status {
        editor.relate(words.nation(id)?, status(name)?);
    }
    for (list, on) in [(&wanted.facts, true), (&wanted.no_facts, false)] {
        for name in list {
            editor.state_mut().diplomacy.set(fact(name)?, on);
        }
    }
    for id in &wanted.events {
        let event = words.event(id)?;
        editor.state_mut().diplomacy.happened[event] += 1;
    }
    for (id, &times) in &wanted.happened {
        let event = words.event(id)?;
        editor.state_mut().diplomacy.happened[event] =
            u8::try_from(times).map_err(|_| format!("{times} times"))?;
    }
    for name in &wanted.treason {
        let faction = faction(name)?;
        editor.state_mut().diplomacy.treason[faction.index()] = true;
    }
    let demoralised = words.nation_set(&wanted.demoralised)?;
    let exploited = words.nation_set(&wanted.exploited)?;
    let state = editor.state_mut();
    state.diplomacy.demoralised = state.diplomacy.demoralised.or(&demoralised);
    state.diplomacy.exploited = state.diplomacy.exploited.or(&exploited);
    if let Some(failures) = wanted.solidarity {
        state.diplomacy.solidarity = failures;
    }
    if let Some(month) = wanted.finnish_peace {
        state.diplomacy.finnish_peace = month;
    }
    Ok(())
}

/// Compares where nations stand, and what has happened between them in the step.
pub(super) fn check(
    words: Words<'_>,
    state: &State,
    expect: &Expect,
    events: &[Event],
    found: &mut Findings,
) {
    let game = words.game;
    for (id, name) in &expect.status {
        let (Some(nation), Some(wanted)) = (found.take(words.nation(id)), found.take(status(name))) else {
            continue;
        };
        found.same(id, &status_name(wanted), &status_name(game.status(state, nation)));
    }
    for (list, on) in [(&expect.facts, true), (&expect.no_facts, false)] {
        for name in list {
            let Some(fact) = found.take(fact(name)) else { continue };
            found.same(name, &on, &state.diplomacy.holds(fact));
        }
    }
    for (id, &times) in &expect.happened {
        let Some(event) = found.take(words.event(id)) else { continue };
        found.same(&format!("{id} has happened"), &times, &i32::from(state.diplomacy.happened[event]));
    }
    for (id, &most) in &expect.chance {
        let Some(event) = found.take(words.event(id)) else { continue };
        let camp = game.rules.events[event.at()].side.camp();
        let possible = game.possible_events(state, camp).any(|other| other == event);
        let is = if possible { game.chance_of(state, event).unwrap_or(0) } else { 0 };
        found.same(&format!("chance of {id}"), &most, &i32::from(is));
    }
    for (what, wanted, is) in [
        ("demoralised", &expect.demoralised, state.diplomacy.demoralised),
        ("surprised", &expect.surprised, state.diplomacy.surprised),
        ("exploited", &expect.exploited, state.diplomacy.exploited),
    ] {
        let Some(list) = wanted else { continue };
        let Some(set) = found.take(words.nation_set(list)) else { continue };
        found.same(what, &words.nation_names(set), &words.nation_names(is));
    }
    if let Some(list) = &expect.treason {
        let is: Vec<&str> = Faction::ALL
            .into_iter()
            .filter(|faction| state.diplomacy.treason[faction.index()])
            .map(Faction::id)
            .collect();
        found.same(
            "treason",
            &listed(list),
            &listed(&is.iter().map(ToString::to_string).collect::<Vec<_>>()),
        );
    }
    for (id, &points) in &expect.weariness {
        let Some(nation) = found.take(words.nation(id)) else { continue };
        found.same(&format!("weariness of {id}"), &points, &(game.war_weariness(state, nation) as i32));
    }
    for (id, &points) in &expect.peace {
        let Some(nation) = found.take(words.nation(id)) else { continue };
        found.same(
            &format!("peace production of {id}"),
            &points,
            &i32::from(game.peace_production(state, nation)),
        );
    }
    for (name, &points) in &expect.production {
        let Some(faction) = found.take(faction(name)) else { continue };
        let is = i32::from(game.monthly_production(state, faction));
        found.same(&format!("production of {name}"), &points, &is);
    }
    if let Some(list) = &expect.turns {
        let turns = &state.order[..game.factions().count()];
        let is: Vec<String> = turns.iter().map(|faction| faction.id().to_owned()).collect();
        found.same("order of turns", &listed(list), &listed(&is));
    }
    if let Some(forces) = expect.expedition {
        found.same("British forces in France", &forces, &game.expeditionary_force(state));
    }
    if let Some(met) = expect.conditions {
        found.same("conditions met", &met, &game.conditions_met(state));
    }
    for (name, &points) in &expect.cities {
        let Some(faction) = found.take(faction(name)) else { continue };
        let is = i32::from(game.victory_points(state, faction));
        found.same(&format!("victory cities of {name}"), &points, &is);
    }
    for text in &expect.at_home {
        let (id, steps) = text.split_once(' ').map_or((text.as_str(), None), |(id, steps)| (id, Some(steps)));
        let Some(block) = found.take(words.block(id)) else { continue };
        let home = words.place_name(sandtable_eurofront::ids::place::AT_HOME);
        found.same(id, &home, &words.place_name(state.at(block)));
        if let Some(steps) = steps {
            found.same(&format!("steps of {id}"), &steps.to_owned(), &state.steps[block].to_string());
        }
    }
    if let Some(wanted) = &expect.relations {
        let is: Vec<String> = events.iter().filter_map(|&event| in_words(words, event)).collect();
        found.same("what happened", &listed(wanted), &listed(&is));
    }
}

/// What happens between nations, as examples word it.
fn in_words(words: Words<'_>, event: Event) -> Option<String> {
    let nation = |nation| words.nation_id(nation);
    let verdict = |holds: bool, yes: &str, no: &str| if holds { yes.to_owned() } else { no.to_owned() };
    Some(match event {
        Event::WarDeclared { by, on, treason } => {
            format!("{} declares war on {}{}", by.id(), nation(on), if treason { " by treason" } else { "" })
        }
        Event::Reaction { to, of, roll, up_to } => {
            format!("{} reacts to {}: {roll} of {up_to}", nation(of), nation(to))
        }
        Event::Joined { nation: who, faction } => format!("{} joins {}", nation(who), faction.id()),
        Event::Cooperates { nation: who, faction } => {
            format!("{} cooperates with {}", nation(who), faction.id())
        }
        Event::PeaceProduction { nation: who, points } => format!("{} builds for {points}", nation(who)),
        Event::Diplomacy { event, roll: 0, happens: true, .. } => {
            format!("{} happens", words.event_id(event))
        }
        Event::Diplomacy { event, roll, up_to, happens } => {
            let verdict = verdict(happens, "happens", "fails");
            format!("{}: {roll} of {up_to} {verdict}", words.event_id(event))
        }
        Event::Demoralised { nation: who } => format!("{} is demoralised", nation(who)),
        Event::Solidarity { roll, forces, holds } => {
            format!("solidarity: {roll} of {forces} {}", verdict(holds, "holds", "fails"))
        }
        Event::Armistice { nation: who, accepted } => {
            format!("armistice of {} {}", nation(who), verdict(accepted, "accepted", "refused"))
        }
        Event::Uprising { nation: who, roll, below, happens } => {
            format!("uprising of {}: {roll} of {below} {}", nation(who), verdict(happens, "happens", "fails"))
        }
        Event::Surrender { nation: who, roll, weariness, happens } => {
            let verdict = verdict(happens, "happens", "fails");
            format!("surrender of {}: {roll} of {weariness} {verdict}", nation(who))
        }
        Event::Defeated { nation: who } => format!("{} is defeated", nation(who)),
        Event::Conquered { nation: who, by } => {
            format!("{} is conquered by {}", nation(who), words.side(by))
        }
        _ => return None,
    })
}
