//! Battles for the study of odds: described in the words of worked examples, or taken from one.

use sandtable_core::Stepwise;
use sandtable_core::hex::Hex;
use sandtable_eurofront::editor::Editor;
use sandtable_eurofront::ids::Faction;
use sandtable_eurofront::{Action, EuroFront, Mark, Phase, State};
use sandtable_scenarios::example::battle::{BattleText, Battles, wrong};
use sandtable_scenarios::example::words::split_line;
use sandtable_scenarios::example::{Vocabulary, fresh, play_forced};
use sandtable_scenarios::{LoadError, Override};

use super::format::Position;
use super::words::{Words, weather};
use super::{Examples, ScriptedContext, position};
use crate::map::number_of;
use crate::open;

/// A battle that can be fought: a position in its Combat Phase, with support and airstrikes as they are.
#[derive(Clone)]
pub struct Battle {
    /// The rules, with the data of its scenario.
    pub game: EuroFront,
    /// The position.
    pub state: State,
    /// Where it is fought.
    pub hex: Hex,
    /// What it is called.
    pub title: String,
}

impl Battles for Examples {
    type Battle = Battle;

    /// Attackers have entered from the places in which they are named, if those touch the battle; those named in it have
    /// been there. Headquarters among them stay where they are named, activated: they support and may strike.
    fn describe(text: &BattleText) -> Result<Battle, LoadError> {
        described(text)
    }

    fn is_battle(phrase: &str) -> bool {
        let phrase = phrase.trim();
        phrase == "combat" || phrase.starts_with("fight ")
    }

    fn halt(
        game: &EuroFront,
        mut state: State,
        phrase: &str,
        title: String,
        mut context: Option<&mut ScriptedContext>,
    ) -> Result<Battle, String> {
        let named = phrase.trim().strip_prefix("fight ");
        let named = named.map(|place| Words { game }.hex(place.trim())).transpose()?;
        while !matches!(state.phase, Phase::Airstrike | Phase::ActiveBattle) {
            let goes_on = context
                .as_deref_mut()
                .is_some_and(|context| play_forced::<Examples>(game, &mut state, context));
            if !goes_on {
                return Err(format!("`{phrase}`: no combat is at hand"));
            }
        }
        let hex = match named {
            Some(hex) => hex,
            None => one_battle(game, &state)?,
        };
        Ok(Battle { game: game.clone(), state, hex, title })
    }
}

/// The only battle of a position.
fn one_battle(game: &EuroFront, state: &State) -> Result<Hex, String> {
    let battles: Vec<Hex> = state.battles().iter().collect();
    match battles.as_slice() {
        [hex] => Ok(*hex),
        [] => Err("there is no battle".into()),
        several => {
            let names: Vec<String> = several.iter().map(|&hex| Words { game }.id(hex)).collect();
            Err(format!("there are battles in {}: which one?", names.join(", ")))
        }
    }
}

fn described(text: &BattleText) -> Result<Battle, LoadError> {
    let mut wanted: Position = text.position()?;
    let (place, _) = split_line(&text.defenders).map_err(wrong)?;
    let mut overrides = text.edits(&wanted)?;
    if let Some(terrain) = &text.terrain {
        let plain = Examples::game(open(&text.scenario, &overrides)?.into_rules()).map_err(wrong)?;
        let hex = Words { game: &plain }.hex(place).map_err(wrong)?;
        overrides.push(Override::parse(&format!("map.hexes.{}.terrain={terrain}", number_of(hex)))?);
    }
    let game = Examples::game(open(&text.scenario, &overrides)?.into_rules()).map_err(wrong)?;
    let words = Words { game: &game };
    let hex = words.hex(place).map_err(wrong)?;
    if let Some(turn) = text.turn {
        let month = usize::from(turn).checked_sub(1).and_then(|at| game.rules.calendar.get(at));
        let last = game.rules.calendar.len();
        let month = month.ok_or_else(|| wrong(format!("month {turn}: expected 1 to {last}")))?;
        wanted.month = Some(month.id.clone());
    }
    if let Some(name) = &text.weather {
        weather(name).map_err(wrong)?;
        (wanted.weather, wanted.weather_east) = (Some(name.clone()), Some(name.clone()));
    }
    let mut entered = Vec::new();
    let mut active: Option<Faction> = None;
    for line in &text.attackers {
        let (from, items) = split_line(line).map_err(wrong)?;
        let from = words.hex(from).map_err(wrong)?;
        for item in items {
            let unit = words.unit(item).map_err(wrong)?;
            let block = game.block(unit.id);
            if active.is_some_and(|faction| faction != block.faction) {
                return Err(wrong("the attackers belong to one side"));
            }
            active = Some(block.faction);
            if block.kind.is_headquarters() && from != hex {
                wanted.units.push(format!("{}: {item} active", number_of(from)));
                continue;
            }
            wanted.units.push(format!("{}: {item}", number_of(hex)));
            if game.board().direction(from, hex).is_some() {
                entered.push((unit.id, from));
            } else if from != hex {
                return Err(wrong(format!(
                    "`{line}`: attackers come from a hex that touches {place}, or are in it"
                )));
            }
        }
    }
    wanted.units.push(text.defenders.clone());
    wanted.units.extend(text.others.iter().cloned());
    let Some(active) = active else { return Err(wrong("a battle needs attackers: `place: unit, unit`")) };
    (wanted.turn, wanted.combat, wanted.production) = (None, None, false);
    let mut context = fresh::<Examples>(&[]);
    let state = position::build(&game, &wanted, &mut context).map_err(wrong)?;
    let mut editor = Editor::of(&game, state);
    for (block, from) in entered {
        editor.entered_from(block, from);
    }
    let state = editor.combat_of_alone(active);
    if !state.is_battle(hex) {
        return Err(wrong("a battle needs attackers and defenders of two sides in its place"));
    }
    Ok(Battle { state, hex, title: text.title(), game })
}

/// Every activated headquarters that can strike a battle does so: the strongest, since one alone may (7.13).
#[must_use]
pub fn with_airstrike(battle: &Battle) -> Battle {
    let (game, mut battle) = (&battle.game, battle.clone());
    let strikers = battle.state.marked(Mark::Active).iter().max_by_key(|&block| {
        let mut state = battle.state;
        state.phase = Phase::Airstrike;
        state.subject = block;
        let strikes = game.open_actions(&state).contains(&Action::Strike(battle.hex));
        if strikes { game.command_value(&state, block) } else { i8::MIN }
    });
    if let Some(block) = strikers {
        battle.state.phase = Phase::Airstrike;
        battle.state.subject = block;
        if game.open_actions(&battle.state).contains(&Action::Strike(battle.hex)) {
            let number = usize::from(game.brief(block).headquarters);
            battle.state.strikes[number] = battle.hex;
        }
    }
    battle
}
