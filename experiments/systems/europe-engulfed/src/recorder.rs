//! What turns the facts of Europe Engulfed into rows.

use sandtable_core::{Index as _, Side};
use sandtable_europe_engulfed::event::{LossCause, Purchase};
use sandtable_europe_engulfed::ids::{NATIONS, Nation, Nations};
use sandtable_europe_engulfed::phase::Mode;
use sandtable_europe_engulfed::rules::Branch;
use sandtable_europe_engulfed::{EuropeEngulfed, Event, State};

use super::tables::{BATTLES, PURCHASES, SPECIAL_ACTIONS};
use sandtable_experiments::system::{Facts, Recorder, TurnEnd};
use sandtable_experiments::table::Row;

/// What one power did and suffered in a turn.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    income: i32,
    unspent: i32,
    lost_fire: i32,
    lost_supply: i32,
    lost_air: i32,
    lost_withdrawal: i32,
    lost_sea: i32,
    lost_winter: i32,
    lost_yielded: i32,
}

/// What a turn was.
#[derive(Clone, Copy, Debug)]
struct Turn {
    number: u8,
    powers: [Tally; NATIONS],
    /// By team.
    battles: [i32; 2],
    assaults: [i32; 2],
}

impl Default for Turn {
    fn default() -> Self {
        Turn { number: 0, powers: [Tally::default(); NATIONS], battles: [0; 2], assaults: [0; 2] }
    }
}

/// Turns facts into rows. The turn that has just ended is kept until its cells are asked for.
#[derive(Debug, Default)]
pub struct EngulfedRecorder {
    open: Turn,
    closed: Turn,
}

/// Powers of a side.
fn powers(game: &EuropeEngulfed, side: Side) -> Nations {
    game.rules.setup.players[side.index()].nations
}

impl Recorder<EuropeEngulfed> for EngulfedRecorder {
    fn fact(&mut self, game: &EuropeEngulfed, event: Event, facts: &mut Facts) {
        let turn = i32::from(self.open.number);
        match event {
            Event::TurnBegins { turn, .. } => {
                self.closed = std::mem::take(&mut self.open);
                self.open.number = turn;
            }
            Event::BattleEnds(battle) if battle.fought => {
                let (attacker, assault) = (battle.attacker.index(), battle.mode == Mode::Assault);
                self.open.battles[attacker] += 1;
                self.open.assaults[attacker] += i32::from(assault);
                let sides = [attacker, 1 - attacker];
                let mut row = facts.row(BATTLES);
                row.int(turn).word(battle.area.at()).word(attacker).flag(assault).flag(battle.first);
                for values in [battle.steps, battle.lost] {
                    for side in sides {
                        row.int(i32::from(values[side]));
                    }
                }
                row.flag(battle.counterattacked).flag(battle.won);
            }
            Event::Income { nation, werp } => self.open.powers[nation.index()].income += i32::from(werp),
            Event::Unspent { nation, werp } => self.open.powers[nation.index()].unspent += i32::from(werp),
            Event::Bought { nation, what, cost } => {
                let what = match what {
                    Purchase::New(_) => 0,
                    Purchase::Step(_) => 1,
                    Purchase::FieldFort(_) => 2,
                    Purchase::HeavyFort(_) => 3,
                    Purchase::SpecialAction => 4,
                    Purchase::Fleet(_) => 5,
                    Purchase::Asset(_) => 6,
                    Purchase::Maintenance => 7,
                    Purchase::Ally(_) => 8,
                    Purchase::Pause => 9,
                    Purchase::PortDisabled(_) => 10,
                };
                facts.row(PURCHASES).int(turn).word(nation.index()).word(what).int(i32::from(cost));
            }
            Event::Spent { nation, on } => {
                facts.row(SPECIAL_ACTIONS).int(turn).word(nation.index()).word(on as usize);
            }
            Event::Loss { unit, cause, .. } => {
                let tally = &mut self.open.powers[game.nation(unit).index()];
                let lost = match cause {
                    _ if game.is_air(unit) => &mut tally.lost_air,
                    // Air combat costs land units nothing.
                    LossCause::Fire | LossCause::AirCombat => &mut tally.lost_fire,
                    LossCause::Supply => &mut tally.lost_supply,
                    LossCause::Overrun => &mut tally.lost_withdrawal,
                    LossCause::Sunk => &mut tally.lost_sea,
                    LossCause::Winter => &mut tally.lost_winter,
                    LossCause::Yielded => &mut tally.lost_yielded,
                };
                *lost += 1;
            }
            _ => {}
        }
    }

    fn turn_cells(&mut self, game: &EuropeEngulfed, state: &State, end: TurnEnd, row: &mut Row<'_>) {
        let turn = if end.turn == u32::from(self.closed.number) { &self.closed } else { &self.open };
        let side = powers(game, end.side);
        let mine = |nation: Nation| side & nation.bit() != 0;
        let held = game.areas().filter(|area| state.controller(area).is_some_and(mine));
        let resources = held.filter(|area| game.rules.areas[area.at()].resource > 0);
        let (mut units, mut steps, mut armour, mut air) = (0, 0, 0, 0);
        for unit in game.unit_ids().filter(|unit| state.is_on_map(*unit) && mine(game.nation(*unit))) {
            if game.is_air(unit) {
                air += 1;
                continue;
            }
            let strength = i32::from(state.steps(unit));
            units += 1;
            steps += strength;
            armour += if game.branch(unit) == Branch::Armour { strength } else { 0 };
        }
        let (mut sum, mut actions, mut fleets) = (Tally::default(), 0, 0);
        for nation in Nation::members(side) {
            let tally = &turn.powers[nation.index()];
            sum.income += tally.income;
            sum.unspent += tally.unspent;
            sum.lost_fire += tally.lost_fire;
            sum.lost_supply += tally.lost_supply;
            sum.lost_air += tally.lost_air;
            sum.lost_withdrawal += tally.lost_withdrawal;
            sum.lost_sea += tally.lost_sea;
            sum.lost_winter += tally.lost_winter;
            sum.lost_yielded += tally.lost_yielded;
            actions += i32::from(state.power(nation).special_actions);
            fleets += i32::from(game.fleet_of(state, nation));
        }
        let team = game.rules.setup.players[end.side.index()].team.index();
        row.int(held.len() as i32).int(resources.len() as i32);
        row.int(units).int(steps).int(armour).int(air).int(actions).int(fleets);
        row.int(sum.income).int(sum.unspent);
        row.int(sum.lost_fire)
            .int(sum.lost_supply)
            .int(sum.lost_air)
            .int(sum.lost_withdrawal)
            .int(sum.lost_sea)
            .int(sum.lost_winter)
            .int(sum.lost_yielded);
        row.int(turn.battles[team]).int(turn.assaults[team]);
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::Sink;
    use sandtable_europe_engulfed::editor::Editor;

    use super::super::EngulfedSystem;
    use super::*;
    use sandtable_experiments::system::{Source, System as _};

    /// A recorder that is told what happens.
    struct Follower<'a> {
        game: &'a EuropeEngulfed,
        recorder: EngulfedRecorder,
        facts: Facts,
    }

    impl Sink<Event> for Follower<'_> {
        fn take(&mut self, fact: impl FnOnce() -> Event) {
            self.recorder.fact(self.game, fact(), &mut self.facts);
        }
    }

    /// Steps lost in the First Winter and blocks that yield to Americans are not lost to fire, nor to anything else.
    #[test]
    fn winter_and_yielding_have_columns_of_their_own() {
        let game = EngulfedSystem.open(Source::Id("europe-engulfed/campaign-1941"), &[]).unwrap().game;
        let facts = Facts::new(&EngulfedSystem, &game);
        let mut follower = Follower { game: &game, recorder: EngulfedRecorder::default(), facts };
        let mut editor = Editor::new(&game);
        editor.clear();
        let kind = |nation: Nation| {
            let land = |of: &sandtable_europe_engulfed::rules::Kind| {
                of.nation == nation && of.branch == Branch::Infantry
            };
            let at = game.rules.kinds.iter().position(land).unwrap();
            sandtable_europe_engulfed::KindId(at as u8)
        };
        let minsk = game.area("minsk").unwrap();
        let frozen = editor.place(kind(Nation::Germany), minsk, 3);
        let yields = editor.place(kind(Nation::VichyFrance), game.area("morocco").unwrap(), 2);
        for cause in [LossCause::Winter, LossCause::Winter, LossCause::Fire] {
            follower.take(|| Event::Loss { unit: frozen, area: minsk, cause });
        }
        follower.take(|| Event::Loss { unit: yields, area: minsk, cause: LossCause::Yielded });
        let told = |nation: Nation| {
            let tally = follower.recorder.open.powers[nation.index()];
            [tally.lost_fire, tally.lost_winter, tally.lost_yielded, tally.lost_supply, tally.lost_sea]
        };
        assert_eq!(told(Nation::Germany), [1, 2, 0, 0, 0]);
        assert_eq!(told(Nation::VichyFrance), [0, 0, 1, 0, 0]);
    }
}
