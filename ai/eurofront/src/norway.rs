//! How the Axis takes Norway in the scenario of 1939B (21.49): it binds Oslo's garrison, lands where Oslo's railway comes to
//! the coast, and brings the headquarters of the North ashore there, for nobody in Oslo is hit easily without support (7.4).
//! Norway's army starves once Oslo is lost.

use sandtable_core::{Hex, Index};
use sandtable_eurofront::EuroFront;
use sandtable_eurofront::ids::{BlockId, Hexes, is_on_map};
use sandtable_eurofront::rules::Kind;

use super::plan::{Brief, crosses};

/// Hexes from Oslo within which a port feeds who besieges it.
const NEAR_OSLO: u32 = 2;
/// Worth for the headquarters of the North of standing where it supports the siege of Oslo, elsewhere ashore, and in a port
/// from which it can come there, in production points.
const SUPPORTS: f32 = 70.0;
const ASHORE: f32 = 40.0;
const WAITS: f32 = 20.0;
/// The same where it supports a fight so near to Oslo that the siege is fed from there.
const SUPPORTS_BASE: f32 = 60.0;
/// Worth for a supreme headquarters of standing where its aircraft reach Oslo, in production points.
const STRIKES: f32 = 14.0;
/// Worth of a step of the headquarters of the North, and of those that order armies over the sea, in production points.
const COMMANDS: f32 = 24.0;
const ORDERS: f32 = 12.0;
/// Worth for the headquarters of the North of going ashore of its own accord, in production points.
const GOES: f32 = 30.0;
/// Worth of a landing in a port that feeds the siege: of the port, and for each step of who follows.
const BASE: f32 = 60.0;
const FOLLOWS: f32 = 6.0;

/// The capital of Norway.
pub(super) fn capital(game: &EuroFront) -> Option<Hex> {
    game.rules.nations[game.rules.nation("norway")?.at()].capital
}

/// Oslo, while the Axis wants it and does not hold it.
pub(super) fn wanted(brief: &Brief<'_>) -> Option<Hex> {
    if brief.tables.norway.is_empty() || !crosses(brief) {
        return None;
    }
    capital(brief.game).filter(|&hex| {
        let own = &brief.state.friendly[brief.camp.index()];
        !own.contains(hex) || brief.state.is_battle(hex)
    })
}

/// Whether a port feeds who besieges Oslo.
pub(super) fn feeds_siege(game: &EuroFront, hex: Hex) -> bool {
    capital(game).is_some_and(|oslo| oslo != hex && game.board().distance(oslo, hex) <= NEAR_OSLO)
}

/// Whether a headquarters would support the siege of a place from a hex with so many steps.
fn supports_from(brief: &Brief<'_>, block: BlockId, steps: u8, hex: Hex, target: Hex) -> bool {
    brief.game.supports_in(brief.state, block).contains(target)
        && brief.game.board().distance(hex, target) <= u32::from(steps)
}

/// Whether a headquarters of the Axis stands where it can support the siege of a place.
pub(super) fn is_supported(brief: &Brief<'_>, target: Hex) -> bool {
    let (game, state) = (brief.game, brief.state);
    let own = state.standing[brief.camp.index()].and(&game.sets().headquarters);
    own.iter().any(|block| {
        let value = game.command_value(state, block).max(0) as u8;
        is_on_map(state.at(block)) && supports_from(brief, block, value, state.at(block), target)
    })
}

/// Whether a theatre headquarters stands where it supports the siege of Oslo, and there is one: then it does.
pub(super) fn leads_siege(brief: &Brief<'_>, block: BlockId) -> bool {
    let (game, state) = (brief.game, brief.state);
    let value = game.command_value(state, block).max(0) as u8;
    game.brief(block).kind == Kind::TheatreHq
        && wanted(brief).is_some_and(|oslo| {
            state.is_battle(oslo) && value > 0 && supports_from(brief, block, value, state.at(block), oslo)
        })
}

/// What it is worth to a supreme headquarters, or to a theatre headquarters that supports combat in the North, to stand in a
/// hex.
pub(super) fn worth_of_staff(brief: &Brief<'_>, hex: Hex, block: BlockId) -> f32 {
    let (game, state) = (brief.game, brief.state);
    let Some(oslo) = wanted(brief) else { return 0.0 };
    if game.brief(block).kind == Kind::SupremeHq {
        let range = u32::from(state.steps[block]) * u32::from(game.rules.numbers.supreme_air_range);
        return if game.board().distance(hex, oslo) <= range { STRIKES } else { 0.0 };
    }
    if !game.supports_in(state, block).contains(oslo) {
        return 0.0;
    }
    let at = state.at(block);
    // One that is new comes from nowhere.
    let lost = if !is_on_map(at) || game.front(at) == game.front(hex) {
        0
    } else {
        game.acclimatisation(state, block, game.front(hex))
    };
    let left = state.steps[block].saturating_sub(lost);
    if brief.tables.norway.contains(hex) {
        let supports = |target: Hex| left > 0 && supports_from(brief, block, left, hex, target);
        let mut bases = state.battles().into_iter().filter(|&target| feeds_siege(game, target));
        return if supports(oslo) {
            SUPPORTS
        } else if bases.any(supports) {
            SUPPORTS_BASE
        } else {
            ASHORE
        };
    }
    let seas = game.seas();
    if seas.harbours.contains(hex) && seas.coast(hex).intersects(&seas.coast(oslo)) { WAITS } else { 0.0 }
}

/// What a step of a headquarters is worth besides that supports the siege of Oslo, or will.
pub(super) fn worth_of_step(brief: &Brief<'_>, block: BlockId) -> f32 {
    let Some(oslo) = wanted(brief) else { return 0.0 };
    if is_of_the_north(brief, block, oslo) {
        COMMANDS
    } else if brief.game.brief(block).kind == Kind::SupremeHq {
        ORDERS
    } else {
        0.0
    }
}

/// Whether a theatre headquarters supports combat in Oslo, and orders units of the North wherever it stands itself (21.43).
fn is_of_the_north(brief: &Brief<'_>, block: BlockId, oslo: Hex) -> bool {
    brief.game.brief(block).kind == Kind::TheatreHq
        && brief.game.supports_in(brief.state, block).contains(oslo)
}

/// Whether the headquarters of the North may have something to do though no enemy is near.
pub(super) fn may_act(brief: &Brief<'_>, block: BlockId) -> bool {
    wanted(brief).is_some_and(|oslo| is_of_the_north(brief, block, oslo))
}

/// What it is worth to activate the headquarters of the North to go ashore when it mobilises, where nobody orders it there.
pub(super) fn worth_of_going(brief: &Brief<'_>, block: BlockId) -> f32 {
    let (game, state) = (brief.game, brief.state);
    let at = state.at(block);
    if !may_act(brief, block) || brief.tables.norway.contains(at) || !game.seas().harbours.contains(at) {
        return 0.0;
    }
    let supreme = state.marked(sandtable_eurofront::Mark::Active).difference(&game.sets().field_headquarters);
    let ordered = supreme.iter().any(|block| game.orders_left(state, block) > 0);
    let own = state.friendly[brief.camp.index()].difference(&state.battles());
    let base = brief.tables.norway.and(&own).and(&game.seas().harbours);
    let reached = base
        .iter()
        .any(|port| feeds_siege(game, port) && game.seas().coast(port).intersects(&game.seas().coast(at)));
    if reached && !ordered { GOES } else { 0.0 }
}

/// What it is worth besides to land so many steps in a port that feeds the siege of Oslo, where `chance` says how likely
/// they take it; 0 elsewhere.
pub(super) fn worth_of_base(brief: &Brief<'_>, hex: Hex, steps: f32, chance: f32) -> f32 {
    if wanted(brief).is_none() || !feeds_siege(brief.game, hex) {
        return 0.0;
    }
    let ours = brief.state.friendly[brief.camp.index()].contains(hex) && !brief.state.is_battle(hex);
    FOLLOWS * steps + if ours { 0.0 } else { BASE * chance }
}

/// Whether who lands in Oslo only starves there: somebody binds its garrison, and nobody feeds or supports the siege.
pub(super) fn only_starves(brief: &Brief<'_>, hex: Hex, own: u8, supplied: &Hexes) -> bool {
    wanted(brief) == Some(hex) && own > 0 && !supplied.contains(hex) && !is_supported(brief, hex)
}

#[cfg(test)]
mod tests {
    use sandtable_eurofront::Faction;
    use sandtable_eurofront::editor::Editor;
    use sandtable_eurofront::ids::place;
    use sandtable_eurofront::rules::Status;

    use super::*;
    use crate::testing::{game, seen};

    /// Two landed at Kristiansand and fought its garrison without support for a month, with Dietl in Hamburg.
    #[test]
    fn dietl_comes_ashore_where_he_supports_the_fight_for_a_port_near_oslo() {
        let game = game("1939B");
        let [oslo, kristiansand, stavanger, hamburg] =
            ["oslo", "kristiansand", "stavanger", "hamburg"].map(|id| game.rules.place(id).unwrap());
        let [dietl, lands, guard] =
            ["de_thq_dietl", "de_mtn_18", "no_static_1"].map(|id| game.rules.block(id).unwrap());
        let norway = game.rules.nation("norway").unwrap();
        let gain = |at: Hex| {
            let mut editor = Editor::new(&game);
            editor.relate(norway, Status::Belligerent(Faction::Allies)).place(dietl, hamburg, 3);
            let state = editor.place(guard, kristiansand, 1).place(lands, at, 3).finish();
            seen(&game, &state, |brief, _| {
                assert_eq!(wanted(brief), Some(oslo));
                worth_of_staff(brief, stavanger, dietl) - worth_of_staff(brief, hamburg, dietl)
            })
        };
        let [fought_for, at_peace] = [kristiansand, stavanger].map(gain);
        assert!((fought_for - (SUPPORTS_BASE - WAITS)).abs() < 0.1, "{fought_for}");
        assert!((at_peace - (ASHORE - WAITS)).abs() < 0.1, "{at_peace}");
    }

    #[test]
    fn a_staff_that_is_raised_anew_comes_from_nowhere() {
        let game = game("1939B");
        let oslo = game.rules.place("oslo").unwrap();
        for staff in game.sets().headquarters.and(&game.sets().of_faction[Faction::Axis.index()]) {
            let state = Editor::new(&game).remove(staff, place::ELIMINATED).finish();
            assert!(seen(&game, &state, |brief, _| worth_of_staff(brief, oslo, staff)) >= 0.0);
        }
    }
}
