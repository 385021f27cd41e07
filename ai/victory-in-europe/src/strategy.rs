//! When to go to war with whom, and what countries are worth a diplomatic roll.

use sandtable_victory_in_europe::rules::{Entry, Standing};
use sandtable_victory_in_europe::{Force, Nation, State, VictoryInEurope};

/// Turns by the calendar.
const SPRING_1940: u8 = 4;
const AUTUMN_1940: u8 = 6;
const SPRING_1941: u8 = 8;
const SPRING_1942: u8 = 12;
const SPRING_1943: u8 = 16;

/// Worth of a country as an ally, by force.
const ALLIES: [(Nation, [f32; 3]); 17] = [
    (Nation::Italy, [12.0, 0.0, 0.0]),
    (Nation::Usa, [0.0, 30.0, 0.0]),
    (Nation::Romania, [8.0, 3.0, 3.0]),
    (Nation::Hungary, [6.0, 3.0, 2.0]),
    (Nation::Finland, [7.0, 2.0, 3.0]),
    (Nation::Bulgaria, [4.0, 2.0, 2.0]),
    (Nation::Turkey, [5.0, 6.0, 6.0]),
    (Nation::Spain, [6.0, 4.0, 0.0]),
    (Nation::Yugoslavia, [5.0, 5.0, 4.0]),
    (Nation::Greece, [3.0, 5.0, 2.0]),
    (Nation::Belgium, [5.0, 5.0, 0.0]),
    (Nation::Netherlands, [3.0, 4.0, 0.0]),
    (Nation::Norway, [3.0, 4.0, 2.0]),
    (Nation::Sweden, [3.0, 4.0, 2.0]),
    (Nation::Denmark, [2.0, 2.0, 0.0]),
    (Nation::Vichy, [4.0, 4.0, 0.0]),
    (Nation::Portugal, [2.0, 3.0, 0.0]),
];

/// What an alliance with a country is worth to a force.
pub(super) fn ally(force: Force, nation: Nation) -> f32 {
    let known = ALLIES.iter().find(|(other, _)| *other == nation);
    known.map_or(1.0, |(_, worth)| worth[force.index()].max(0.5))
}

/// How a force means to treat a country it is not at war with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intent {
    /// It is left alone.
    Peace,
    /// Troops are brought up.
    Prepare,
    /// It is attacked.
    War,
}

/// What a force means to do about the controller of areas it is not at war with.
pub(super) fn intent(game: &VictoryInEurope, state: &State, force: Force, owner: Nation) -> Intent {
    let politics = &state.politics;
    let winter = game.calendar(state).quarter == 1;
    let turn = state.turn;
    let western_front = politics.standing(Nation::France) == Standing::Western;
    match (force, owner) {
        // The way to Paris leads round the Maginot Line.
        (Force::Axis, Nation::Belgium | Nation::Netherlands) if western_front => {
            if politics.standing(Nation::Poland) == Standing::Western {
                Intent::Peace
            } else if turn >= SPRING_1940 && !winter {
                Intent::War
            } else {
                Intent::Prepare
            }
        }
        // Denmark and Norway keep the ore of Sweden and the enemy's fleet away, if they fall in time: both at once, for with
        // Denmark taken Norway is warned.
        (Force::Axis, Nation::Denmark) if western_war(state) && turn < SPRING_1941 => {
            if turn >= SPRING_1940 && !winter { Intent::War } else { Intent::Prepare }
        }
        (Force::Axis, Nation::Norway) if western_war(state) && turn < SPRING_1942 => {
            if turn >= SPRING_1940 && !winter { Intent::War } else { Intent::Prepare }
        }
        (Force::Axis, Nation::Ussr | Nation::Sphere) if politics.ussr == Entry::Neutral => {
            if western_front || turn < AUTUMN_1940 {
                Intent::Peace
            } else if turn >= SPRING_1941 && !winter {
                Intent::War
            } else {
                Intent::Prepare
            }
        }
        // What the Pact leaves to the Soviets keeps the enemy away from Moscow.
        (Force::Soviet, Nation::Sphere) => Intent::War,
        (Force::Soviet, owner)
            if politics.ussr == Entry::Neutral && politics.standing(owner) == Standing::Axis =>
        {
            if turn >= SPRING_1942 && !winter { Intent::War } else { Intent::Peace }
        }
        _ => Intent::Peace,
    }
}

/// Whether Germany is at war with the Western Allies alone.
pub(super) fn western_war(state: &State) -> bool {
    state.politics.ussr == Entry::Neutral
        && state.politics.standing(Nation::Germany).force() == Some(Force::Axis)
        && state.politics.standing(Nation::Poland) != Standing::Western
}

/// Whether the Soviets may strike before Germany moves again: in the winter before the spring of 1942.
pub(super) fn is_pact_worn(state: &State) -> bool {
    state.politics.ussr == Entry::Neutral && state.turn + 1 >= SPRING_1942
}

/// Whether Germany has France to beat before it turns elsewhere.
pub(super) fn is_campaign_in_the_west(state: &State) -> bool {
    western_war(state) && state.politics.standing(Nation::France) == Standing::Western
}

/// Whether Germany, France beaten, turns against the USSR, and has not yet been forestalled.
pub(super) fn is_campaign_in_the_east(state: &State) -> bool {
    western_war(state) && !is_campaign_in_the_west(state) && state.turn >= AUTUMN_1940
}

/// The enemy that a force leaves alone until another has fallen: Germany fights on one front at a time.
pub(super) fn waits_for(state: &State, force: Force) -> Option<Nation> {
    let poland_stands = state.politics.standing(Nation::Poland) == Standing::Western;
    (force == Force::Axis && poland_stands && state.turn < SPRING_1940).then_some(Nation::France)
}

/// Whether the Western Allies owe the Soviets a front in France, and have had the time to prepare it.
pub fn is_time_for_second_front(state: &State) -> bool {
    state.turn >= SPRING_1943 && state.politics.usa == Entry::AtWar
}

/// Least probability of victory for which a force lands on a hostile coast: who is driven back into the sea has spent two
/// points of command and an army for nothing (7.5).
pub(super) fn landing_odds(state: &State, force: Force) -> f32 {
    // A neutral that has been attacked in vain has been warned, and reinforced.
    if force == Force::Western && state.politics.usa != Entry::AtWar { 0.6 } else { 0.5 }
}
