//! Units of both sides thrown into a few hexes.

use std::collections::BTreeMap;

use sandtable_core::{Board, Dice, Hex, Index, PlayContext, Rng64};
use sandtable_roads_to_moscow::editor::Editor;
use sandtable_roads_to_moscow::ids::{FormationId, Player, hex_number};
use sandtable_roads_to_moscow::rules::{Kind, Weather};
use sandtable_roads_to_moscow::state::Mark;
use sandtable_roads_to_moscow::{Phase, RoadsToMoscow, Sequence, State};

/// Throws units of both sides into a few hexes, puts marks on them, and begins a phase of an Operations Sequence.
pub fn melee(game: &RoadsToMoscow, dice: &mut Rng64, phase: Phase) -> State {
    let mut editor = Editor::new(game);
    editor.clear();
    let centre = Hex::new(8 + dice.below(20) as u8, 6 + dice.below(18) as u8);
    let radius = 2 + dice.below(3);
    let near: Vec<Hex> =
        game.board().places().iter().filter(|&hex| game.distance(hex, centre) <= radius).collect();
    let active = if dice.below(2) == 0 { Player::German } else { Player::Soviet };
    let owner = |hex: Hex| {
        // A ragged front.
        let west = u32::from(hex.place()) * 3 + u32::from(hex.line()) * 5 % 7;
        if west % 2 == 0 { Player::German } else { Player::Soviet }
    };
    let mut load: BTreeMap<Hex, u8> = BTreeMap::new();
    for unit in game.unit_ids() {
        let data = game.unit(unit);
        if dice.below(3) == 0 || data.kind == Kind::Fuel {
            continue;
        }
        let at = near[dice.below(near.len() as u32) as usize];
        let points = load.entry(at).or_default();
        if owner(at) != data.player || *points + data.stacking > 9 {
            continue;
        }
        *points += data.stacking;
        editor.place_at(unit, at);
        let id = &data.id;
        let mut throw = |mark: Mark, one_in: u32| {
            if dice.below(one_in) == 0 {
                editor.mark(id, mark, true);
            }
        };
        if data.steps == 2 {
            throw(Mark::Reduced, 4);
        }
        if game.sets().combat.contains(unit) {
            throw(Mark::Disorganised, 8);
        }
        throw(Mark::Unsupplied, 8);
        throw(Mark::Spent, 8);
        if data.range > 0 {
            throw(Mark::Fired, 4);
        }
    }
    for air in &game.rules.air {
        editor.air(&air.id, dice.below(3) > 0, false);
    }
    for &hex in &near {
        if dice.below(6) == 0 {
            editor.position(hex_number(hex), owner(hex).enemy(), false);
            editor.position(hex_number(hex), owner(hex), true);
        }
        if dice.below(2) == 0 && owner(hex) != active {
            editor.no_retreat(hex_number(hex), true);
        }
    }
    let weather = [Weather::Dry, Weather::Dry, Weather::Overcast, Weather::Rain][dice.below(4) as usize];
    let sequence = if dice.below(2) == 0 { Sequence::Mobile } else { Sequence::Assault };
    let own: Vec<&str> = (game.rules.formations.iter().enumerate())
        .filter(|(at, formation)| {
            let units = game.units_in(FormationId::nth(*at));
            formation.player == active && !formation.any && !units.is_empty()
        })
        .map(|(_, formation)| formation.id.as_str())
        .collect();
    let first = own[dice.below(own.len() as u32) as usize];
    let second = own[dice.below(own.len() as u32) as usize];
    let both = [first, second];
    let formations = if first != second && dice.below(3) == 0 { &both[..] } else { &both[..1] };
    editor.weather(weather).activate(formations, sequence);
    for unit in game.unit_ids() {
        if game.formation(unit).is_none() && game.player(unit) == active && dice.below(2) == 0 {
            editor.active(&game.unit(unit).id);
        }
    }
    editor.markers_of_turn();
    editor.begin(phase, active, &mut PlayContext::silent(Rng64::stream(0, 0, 0)))
}
