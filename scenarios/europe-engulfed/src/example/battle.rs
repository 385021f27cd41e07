//! Battles for the study of odds: described in the words of worked examples, or taken from one.

use sandtable_core::Stepwise;
use sandtable_europe_engulfed::editor::Editor;
use sandtable_europe_engulfed::phase::{Mode, Stage};
use sandtable_europe_engulfed::state::mark;
use sandtable_europe_engulfed::{Action, Area, EuropeEngulfed, Phase, State, Team, UnitId};
use sandtable_scenarios::example::battle::{BattleText, Battles, wrong};
use sandtable_scenarios::example::words::split_line;
use sandtable_scenarios::example::{Vocabulary, fresh, play_forced};
use sandtable_scenarios::{LoadError, Override};

use super::format::Position;
use super::orders::{Order, order};
use super::words::Words;
use super::{Examples, ScriptedContext, position};
use crate::open;

/// A battle that can be fought: the position just before it is named.
#[derive(Clone)]
pub struct Battle {
    /// The rules, with the data of its scenario.
    pub game: EuropeEngulfed,
    /// The position: a Combat Phase in which the area may be fought over.
    pub state: State,
    /// Where it is fought.
    pub area: Area,
    /// How its round is fought.
    pub mode: Mode,
    /// What it is called.
    pub title: String,
}

impl Battles for Examples {
    type Battle = Battle;

    /// Attackers that are named in another area have just entered from there: the area of the battle is newly disputed, and what
    /// they crossed counts (20.1). Those named in it have been there.
    fn describe(text: &BattleText) -> Result<Battle, LoadError> {
        described(text)
    }

    fn is_battle(phrase: &str) -> bool {
        let phrase = phrase.trim_start();
        phrase.starts_with("attack ") || phrase.starts_with("assault ")
    }

    fn halt(
        game: &EuropeEngulfed,
        mut state: State,
        phrase: &str,
        title: String,
        mut context: Option<&mut ScriptedContext>,
    ) -> Result<Battle, String> {
        loop {
            let due = match order(Words { game }, &state, phrase)? {
                Order::Actions(actions) => actions.first().copied(),
                _ => None,
            };
            let Some(action @ Action::Attack(area, mode)) = due else {
                return Err(format!("`{phrase}` is no battle"));
            };
            if state.battle.stage == Stage::None && game.open_actions(&state).contains(&action) {
                return Ok(Battle { game: game.clone(), state, area, mode, title });
            }
            let goes_on = context
                .as_deref_mut()
                .is_some_and(|context| play_forced::<Examples>(game, &mut state, context));
            if !goes_on {
                return Err(format!("`{phrase}`: no battle is due there"));
            }
        }
    }
}

fn described(text: &BattleText) -> Result<Battle, LoadError> {
    let mut wanted: Position = text.position()?;
    let (target, _) = split_line(&text.defenders).map_err(wrong)?;
    let mut overrides = text.edits(&wanted)?;
    if let Some(terrain) = &text.terrain {
        overrides.push(Override::parse(&format!("areas.{target}.terrain={terrain}"))?);
    }
    let game = Examples::game(open(&text.scenario, &overrides)?.into_rules()).map_err(wrong)?;
    let words = Words { game: &game };
    let area = words.area(target).map_err(wrong)?;
    if !game.areas().contains(area) {
        return Err(wrong(format!("{target} is not in play in {}", text.scenario)));
    }

    // Everybody else, and the position beside the units.
    wanted.turn = text.turn.or(wanted.turn);
    wanted.phase = None;
    wanted.weather = text.weather.clone().or(wanted.weather);
    wanted.units.extend(text.others.iter().cloned());
    let rest = position::build(&game, &wanted, &mut fresh::<Examples>(&[])).map_err(wrong)?;
    let mut editor = Editor::of(&game, rest);
    let defenders = stand(words, &mut editor, &text.defenders, area)?;
    let defender = team_of(words, &editor, &defenders, "nobody defends")?;
    let mut attackers = Vec::new();
    for line in &text.attackers {
        let (from, _) = split_line(line).map_err(wrong)?;
        let origin = words.area(from).map_err(wrong)?;
        let units = stand(words, &mut editor, line, area)?;
        if origin != area {
            if let Some(unit) = units.iter().find(|unit| !is_next_to(&game, **unit, origin, area)) {
                let by = if game.is_air(*unit) { "by land or air link" } else { "by land" };
                return Err(wrong(format!("{from} is not next to {target} {by}")));
            }
            enter(&game, &mut editor, &units, origin, area);
            editor.newly_disputed(area);
        }
        attackers.extend(units);
    }
    let attacker = team_of(words, &editor, &attackers, "nobody attacks")?;
    if attacker == defender {
        return Err(wrong("attackers and defenders are on the same side"));
    }
    if let Some(&unit) = defenders.iter().find(|unit| !game.is_air(**unit)) {
        editor.control(area, game.nation(unit));
    }
    let state = editor.begin(Phase::Combat, attacker, &mut fresh::<Examples>(&[]));
    if !state.is_disputed(area) {
        return Err(wrong("land units of both sides are expected"));
    }
    Ok(Battle { game, state, area, mode: Mode::Normal, title: text.title() })
}

/// Puts the units of a line into the area of the battle.
fn stand(
    words: Words<'_>,
    editor: &mut Editor<'_>,
    line: &str,
    area: Area,
) -> Result<Vec<UnitId>, LoadError> {
    let (_, items) = split_line(line).map_err(wrong)?;
    let mut placed = Vec::new();
    for item in items {
        let unit = words.unit(item).map_err(wrong)?;
        position::put(words.game, editor, item, &unit, area, &mut placed).map_err(wrong)?;
    }
    Ok(placed)
}

/// The team of units, all of one.
fn team_of(words: Words<'_>, editor: &Editor<'_>, units: &[UnitId], nobody: &str) -> Result<Team, LoadError> {
    let mut team = None;
    for &unit in units {
        let nation = words.game.nation(unit);
        let own = editor.state().team(nation);
        let own = own.ok_or_else(|| wrong(format!("{} is not in the war here", nation.name())))?;
        if team.replace(own).is_some_and(|other| other != own) {
            return Err(wrong("units of both sides stand in one line of battle"));
        }
    }
    team.ok_or_else(|| wrong(nobody))
}

/// Whether a unit can have come straight from an area: over a border, or for air units over an air link too.
fn is_next_to(game: &EuropeEngulfed, unit: UnitId, from: Area, to: Area) -> bool {
    let joins = |a: Area, b: Area| (a, b) == (from, to) || (b, a) == (from, to);
    let by_air = || game.rules.air_links.iter().any(|&(a, b)| joins(a, b));
    game.rules.edges.iter().any(|edge| joins(edge.a, edge.b)) || game.is_air(unit) && by_air()
}

/// Units have come from an area: what they crossed counts in the first round.
fn enter(game: &EuropeEngulfed, editor: &mut Editor<'_>, units: &[UnitId], from: Area, to: Area) {
    let marks = game.crossing(from, to) | mark::MOVED;
    for &unit in units {
        let marks = if game.is_air(unit) { mark::MOVED } else { marks };
        editor.mark(unit, marks);
    }
}
