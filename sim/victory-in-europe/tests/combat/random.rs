//! Battles at random: they end, every step is accounted for, and nothing of them stays behind.

use sandtable_core::{Dice, Game, Index, PlayContext, Rng64};
use sandtable_victory_in_europe::rules::{Arm, Kind};
use sandtable_victory_in_europe::state::{State, mark};
use sandtable_victory_in_europe::{Event, Force, Nation, Pending, Phase, Place, Team, UnitId, event};

use crate::bench::{Sound, game, map};

/// Units of a force that may be anywhere.
fn units_of(force: Force) -> Vec<UnitId> {
    let nations: &[Nation] = match force {
        Force::Axis => &[Nation::Germany, Nation::Italy, Nation::Hungary],
        Force::Western => &[Nation::Britain],
        Force::Soviet => &[Nation::Ussr],
    };
    let fits =
        |&unit: &UnitId| nations.contains(&game().printed_nation(unit)) && game().kind(unit) != Kind::Convoy;
    game().unit_ids().filter(fits).collect()
}

fn below(dice: &mut Rng64, n: usize) -> usize {
    dice.below(n as u32) as usize
}

/// Puts up to `most` units of a force at a place, as far as they find room and may be there.
fn fill(state: &mut State, dice: &mut Rng64, at: Place, force: Force, most: usize, attacks: bool) {
    let game = game();
    let pool = units_of(force);
    for _ in 0..=below(dice, most) {
        let unit = pool[below(dice, pool.len())];
        let fortress = game.kind(unit) == Kind::Fortress;
        if state.is_on_map(unit) || fortress && attacks {
            continue;
        }
        let coasts: Vec<u8> =
            if at.is_area() { (1..=2).filter(|&coast| game.has_port(at, coast)).collect() } else { vec![0] };
        let coast = match game.arm(unit) {
            Arm::Naval if coasts.is_empty() => continue,
            Arm::Naval => coasts[below(dice, coasts.len())],
            Arm::Army if !at.is_area() => continue,
            _ => 0,
        };
        let leader = game.kind(unit) == Kind::Leader;
        let steps =
            below(dice, game.max_steps(unit) as usize + usize::from(leader)) as u8 + u8::from(!leader);
        let mut editor = sandtable_victory_in_europe::editor::Editor::of(game, state.clone());
        editor.place_on(unit, at, coast, steps);
        if game.overstacked(editor.state(), at, force.team()).is_some() {
            continue;
        }
        if attacks {
            let from: Vec<&str> = match at.sea_zone() {
                Some(_) => vec!["north_sea", "baltic_sea"],
                None => {
                    game.adjacent(at).iter().map(|area| game.rules.areas[area.at()].id.as_str()).collect()
                }
            };
            let id = game.rules.units[unit.at()].id.as_str();
            if !from.is_empty() {
                editor.entered(id, from[below(dice, from.len())], 0);
            }
            let jumps = game.kind(unit) == Kind::Paratroop && dice.below(2) == 0;
            editor.state_mut().set_jumped(unit, jumps);
            let infantry = game.kind(unit).is_infantry() && game.kind(unit) != Kind::Paratroop;
            if infantry && !coasts.is_empty() && dice.below(4) == 0 {
                editor.state_mut().invasion.coast[force.index()] = coasts[0];
                editor.state_mut().set_mark(unit, mark::INVADES, true);
            }
        }
        *state = editor.finish();
    }
}

/// A map at war: units here and there, and up to three places under attack.
fn position(dice: &mut Rng64) -> State {
    let game = game();
    let mut state = map().finish();
    state.turn = 8 + dice.below(8) as u8;
    state.first = Team::ALL[below(dice, 2)];
    let areas = game.rules.areas.len() as u8;
    for _ in 0..dice.below(12) {
        let area = Place(dice.below(u32::from(areas)) as u8);
        if let Some(force) = Force::ALL.into_iter().find(|&force| state.holds(force, area)) {
            fill(&mut state, dice, area, force, 3, false);
            state.set_factory(area, game.rules.areas[area.at()].city.min(2));
        }
    }
    for _ in 0..=dice.below(3) {
        let attacker = Team::ALL[below(dice, 2)];
        let sea = dice.below(4) == 0;
        let (at, defender) = if sea {
            let zone = dice.below(game.rules.seas.len() as u32) as u8;
            let allied = [Force::Western, Force::Soviet][below(dice, 2)];
            (Place::sea(zone), if attacker == Team::Axis { allied } else { Force::Axis })
        } else {
            let area = Place(dice.below(u32::from(areas)) as u8);
            let holder = Force::ALL.into_iter().find(|&force| state.holds(force, area));
            let Some(defender) = holder.filter(|force| force.team() != attacker) else { continue };
            (area, defender)
        };
        if state.disputed().contains(at)
            || sea && !state.is_vacant(at)
            || at.is_area() && game.rules.areas[at.at()].safe
        {
            continue;
        }
        let attackers = if defender == Force::Axis {
            [Force::Western, Force::Soviet][below(dice, 2)]
        } else {
            Force::Axis
        };
        fill(&mut state, dice, at, attackers, 6, true);
        let team = attackers.team();
        if state.stack(at).all(|unit| game.team(&state, unit) != team) {
            continue;
        }
        fill(&mut state, dice, at, defender, 6, false);
        let ours: Vec<UnitId> = state.stack(at).filter(|&unit| game.team(&state, unit) != team).collect();
        for unit in ours {
            // Player 2 reinforces what Player 1 attacks; somebody was there before.
            if attacker == state.first && dice.below(3) == 0 && game.kind(unit) != Kind::Fortress {
                state.set_mark(unit, mark::REINFORCES, true);
            }
        }
        match at.sea_zone() {
            Some(zone) => state.sea_attacked[team.index()] |= 1 << zone,
            None => state.attacked[team.index()].insert(at),
        }
    }
    state
}

fn steps(state: &State, team: Team) -> i32 {
    let on_map = game().unit_ids().filter(|&unit| state.is_on_map(unit) && game().team(state, unit) == team);
    on_map.map(|unit| i32::from(state.steps(unit))).sum()
}

fn reports(events: &[Event]) -> impl Iterator<Item = event::Battle> {
    events.iter().filter_map(|event| if let Event::BattleEnds(battle) = event { Some(*battle) } else { None })
}

/// Between two battles, every step lost so far is in a report, or was the price of an exploitation after it.
fn check_reports(start: &State, now: &State, events: &[Event]) {
    for team in Team::ALL {
        let mut lost = 0;
        let mut on = false;
        for event in events {
            match event {
                Event::BattleBegins { .. } => on = true,
                Event::BattleEnds(battle) => {
                    on = false;
                    lost += i32::from(battle.lost[usize::from(battle.attacker != team)]);
                }
                Event::Loss { unit, cause: event::LossCause::Blitz, .. } if !on => {
                    lost += i32::from(game().team(start, *unit) == team);
                }
                _ => {}
            }
        }
        assert_eq!(steps(start, team) - steps(now, team), lost, "{team:?}: {events:#?}");
    }
}

#[test]
fn random_battles_end_and_leave_nothing_behind() {
    let game = game();
    let mut battles = 0;
    for seed in 0..3000 {
        let mut dice = Rng64::stream(7, seed, 0);
        let start = position(&mut dice);
        if start.disputed().is_empty() && start.disputed_seas() == 0 {
            continue;
        }
        let mut choice = Rng64::stream(7, seed, 1);
        let mut context = PlayContext { dice, sink: Vec::<Event>::new() };
        let mut editor = sandtable_victory_in_europe::editor::Editor::of(game, start.clone());
        let mut state = editor.begin(Phase::Combat, start.first, &mut context);
        let mut legal = Vec::new();
        for decision in 0.. {
            assert!(decision < 1000, "seed {seed}: no end");
            if !matches!(state.phase, Phase::Combat | Phase::Landing) {
                break;
            }
            game.check_units_of(&state);
            // A war that an exploitation declares brings new units on the map.
            let called_up = context.sink.iter().any(|event| matches!(event, Event::Built { .. }));
            if state.phase == Phase::Combat && state.pending == Pending::None && !called_up {
                check_reports(&start, &state, &context.sink);
            }
            legal.clear();
            game.legal_actions(&state, &mut legal);
            assert!(
                legal.is_sorted() && legal.windows(2).all(|pair| pair[0] != pair[1]),
                "seed {seed}: {legal:?}"
            );
            assert!(
                legal.len() > 1,
                "seed {seed}: a forced move is no decision: {legal:?} {:?}",
                state.pending
            );
            let action = legal[below(&mut choice, legal.len())];
            game.apply(&mut state, action, &mut context);
        }
        battles += reports(&context.sink).count();
        for unit in game.unit_ids() {
            let name = &game.rules.units[unit.at()].id;
            let at = state.location(unit);
            assert!(state.is_on_map(unit) || at == Place::POOL || at == Place::GONE, "seed {seed}: {name}");
            let marks = [mark::INVADES, mark::REINFORCES];
            assert!(marks.iter().all(|&mark| !state.has_mark(unit, mark)), "seed {seed}: {name}");
            assert!(!state.has_half_hit(unit) && !state.has_jumped(unit), "seed {seed}: {name}");
        }
        assert!(state.disputed().is_empty() && state.disputed_seas() == 0, "seed {seed}");
        assert_eq!(state.battle, sandtable_victory_in_europe::state::Battle::default(), "seed {seed}");
        for place in (0..192).map(Place) {
            let teams = |team: Team| state.stack(place).any(|unit| game.team(&state, unit) == team);
            assert!(!teams(Team::Axis) || !teams(Team::Allies), "seed {seed}: enemies together at {place:?}");
        }
    }
    assert!(battles > 500, "{battles}");
}

/// Whole games at random: combat leaves every turn without a disputed place.
#[test]
fn random_games_leave_no_battle_unfought() {
    let game = game();
    let mut battles = 0;
    for seed in 0..40 {
        let mut choice = Rng64::stream(11, seed, 1);
        let mut context = PlayContext { dice: Rng64::stream(11, seed, 0), sink: Vec::<Event>::new() };
        let mut state = game.initial(&mut context);
        let mut legal = Vec::new();
        for decision in 0..200_000 {
            if matches!(state.phase, Phase::Over) {
                break;
            }
            assert!(decision < 199_999, "seed {seed}: no end");
            if matches!(state.phase, Phase::Combat | Phase::Landing) {
                game.check_units_of(&state);
            }
            if matches!(state.phase, Phase::Cards | Phase::Diplomacy) {
                assert!(state.disputed().is_empty() && state.disputed_seas() == 0, "seed {seed}");
            }
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let action = legal[below(&mut choice, legal.len())];
            game.apply(&mut state, action, &mut context);
        }
        battles += reports(&context.sink).count();
        for place in (0..192).map(Place) {
            let teams = |team: Team| state.stack(place).any(|unit| game.team(&state, unit) == team);
            assert!(!teams(Team::Axis) || !teams(Team::Allies), "seed {seed}: enemies together at {place:?}");
        }
    }
    assert!(battles > 100, "{battles}");
}
