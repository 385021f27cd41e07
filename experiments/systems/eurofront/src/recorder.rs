//! What turns the facts of EuroFront into rows.

use sandtable_core::{Hex, Index as _};
use sandtable_eurofront::event::{Cause, Volley};
use sandtable_eurofront::ids::{Account, BlockId, Camp, EventId, Faction, Front, NationId};
use sandtable_eurofront::rules::Weather;
use sandtable_eurofront::{EuroFront, Event, Mark, State};

use super::map::place;
use super::tables::{BUILDS, CLAIMS, COMBATS, DIPLOMACY, LOSSES, PRODUCTION, VOYAGES};
use sandtable_experiments::system::{Facts, Recorder, TurnEnd};
use sandtable_experiments::table::Row;

/// What one side did and suffered in a fortnight.
#[derive(Clone, Copy, Debug, Default)]
struct TurnTally {
    income: i32,
    points_lost: i32,
    activations: i32,
    moved: i32,
    rail_moves: i32,
    sea_moves: i32,
    attacks: i32,
    rounds: i32,
    unsupported: i32,
    strikes: i32,
    lost_steps: i32,
    starved: i32,
    lost_units: i32,
}

/// A round of combat under way: its row is written when all that comes of it is known.
#[derive(Clone, Copy, Debug)]
struct Round {
    at: Hex,
    active: Faction,
    supported: bool,
    assault: bool,
    /// Dice and hits of the airstrike, of the passive and of the active side.
    volleys: [[i32; 2]; 3],
    repulses: i32,
    /// Steps lost by the active and by the passive side.
    lost: [i32; 2],
    ended: bool,
}

/// Turns facts into rows of `turns` and the tables of facts.
#[derive(Clone, Debug, Default)]
pub struct EuroRecorder {
    /// The fortnight at hand, from 1.
    turn: i32,
    weather: Weather,
    ended_weather: Weather,
    /// By faction.
    open: [TurnTally; 3],
    closed: [TurnTally; 3],
    /// Whose player turn it is.
    active: Option<Faction>,
    round: Option<Round>,
}

/// The index of a faction among the sides of a game.
fn side(game: &EuroFront, faction: Faction) -> usize {
    game.side_of(faction).index()
}

impl EuroRecorder {
    /// The faction of a camp that is meant: whose turn it is, else the first of the camp that plays.
    fn of_camp(&self, game: &EuroFront, camp: Camp) -> Faction {
        let first = || game.factions().find(|faction| faction.camp() == camp);
        self.active.filter(|faction| faction.camp() == camp).or_else(first).unwrap_or(Faction::Axis)
    }

    fn tally(&mut self, faction: Faction) -> &mut TurnTally {
        &mut self.open[faction.index()]
    }

    fn close_turn(&mut self) {
        self.closed = std::mem::take(&mut self.open);
        self.ended_weather = self.weather;
        self.turn += 1;
    }

    fn end_round(&mut self, game: &EuroFront, facts: &mut Facts) {
        let Some(round) = self.round.take() else { return };
        let mut row = facts.row(COMBATS);
        row.int(self.turn)
            .word(self.weather as usize)
            .word(side(game, round.active))
            .word(place(game, round.at))
            .flag(round.supported)
            .flag(round.assault);
        let [air, [defence_dice, defence_hits], [offence_dice, offence_hits]] = round.volleys;
        row.int(air[0]).int(air[1]).int(defence_dice).int(defence_hits).int(round.repulses);
        row.int(offence_dice).int(offence_hits).int(round.lost[0]).int(round.lost[1]).flag(round.ended);
    }

    /// A step is lost, or with it the block.
    fn loss(&mut self, game: &EuroFront, block: BlockId, cause: Cause, last: bool, facts: &mut Facts) {
        let faction = game.block(block).faction;
        let tally = self.tally(faction);
        match cause {
            Cause::Combat | Cause::Pursuit | Cause::NoStrength | Cause::Interception => tally.lost_steps += 1,
            Cause::Attrition => tally.starved += 1,
            _ => {}
        }
        tally.lost_units += i32::from(last);
        if let Some(round) = &mut self.round
            && matches!(cause, Cause::Combat | Cause::NoStrength)
        {
            round.lost[usize::from(faction.camp() != round.active.camp())] += 1;
        }
        facts
            .row(LOSSES)
            .int(self.turn)
            .word(side(game, faction))
            .word(block.at())
            .word(cause as usize)
            .flag(last);
    }

    fn built(&self, side: usize, what: usize, block: Option<BlockId>, at: Option<usize>, facts: &mut Facts) {
        let mut row = facts.row(BUILDS);
        row.int(self.turn).word(side).word(what);
        for word in [block.map(BlockId::at), at] {
            match word {
                Some(word) => row.word(word),
                None => row.none(),
            };
        }
    }
}

/// Something between nations, as a row of table `diplomacy`.
#[derive(Clone, Copy, Debug, Default)]
struct Affair {
    /// Index into the kinds of affairs.
    what: usize,
    nation: Option<NationId>,
    other: Option<NationId>,
    faction: Option<Faction>,
    event: Option<EventId>,
    roll: u8,
    needed: u8,
    happens: bool,
}

impl Affair {
    /// What an event is among them, if it is one.
    fn of(event: Event) -> Option<Affair> {
        let plain = Affair { happens: true, ..Affair::default() };
        Some(match event {
            Event::WarDeclared { by, on, .. } => {
                Affair { what: 0, nation: Some(on), faction: Some(by), ..plain }
            }
            Event::Reaction { to, of, roll, up_to } => Affair {
                what: 1,
                nation: Some(of),
                other: Some(to),
                roll,
                needed: up_to,
                happens: roll <= up_to,
                ..plain
            },
            Event::Joined { nation, faction } => {
                Affair { what: 2, nation: Some(nation), faction: Some(faction), ..plain }
            }
            Event::Cooperates { nation, faction } => {
                Affair { what: 3, nation: Some(nation), faction: Some(faction), ..plain }
            }
            Event::Diplomacy { event, roll, up_to, happens } => {
                Affair { what: 4, event: Some(event), roll, needed: up_to, happens, ..plain }
            }
            Event::Demoralised { nation } => Affair { what: 5, nation: Some(nation), ..plain },
            Event::Solidarity { roll, forces, holds } => {
                Affair { what: 6, roll, needed: forces, happens: holds, ..plain }
            }
            Event::Armistice { nation, accepted } => {
                Affair { what: 7, nation: Some(nation), happens: accepted, ..plain }
            }
            Event::Uprising { nation, roll, below, happens } => {
                Affair { what: 8, nation: Some(nation), roll, needed: below, happens, ..plain }
            }
            Event::Surrender { nation, roll, weariness, happens } => {
                Affair { what: 9, nation: Some(nation), roll, needed: weariness, happens, ..plain }
            }
            Event::Defeated { nation } => Affair { what: 10, nation: Some(nation), ..plain },
            Event::Conquered { nation, by } => {
                Affair { what: 11, nation: Some(nation), faction: Some(by), ..plain }
            }
            Event::PeaceProduction { nation, points } => {
                Affair { what: 12, nation: Some(nation), needed: points.clamp(0, 255) as u8, ..plain }
            }
            Event::Supremacy { camp } => {
                let faction =
                    camp.map(|camp| if camp == Camp::Axis { Faction::Axis } else { Faction::Allies });
                Affair { what: 13, faction, happens: camp.is_some(), ..plain }
            }
            _ => return None,
        })
    }

    fn write(self, turn: i32, facts: &mut Facts) {
        let mut row = facts.row(DIPLOMACY);
        row.int(turn).word(self.what);
        let words = [
            self.nation.map(NationId::at),
            self.other.map(NationId::at),
            self.faction.map(Faction::index),
            self.event.map(EventId::at),
        ];
        for word in words {
            match word {
                Some(word) => row.word(word),
                None => row.none(),
            };
        }
        row.int(i32::from(self.roll)).int(i32::from(self.needed)).flag(self.happens);
    }
}

impl Recorder<EuroFront> for EuroRecorder {
    fn fact(&mut self, game: &EuroFront, event: Event, facts: &mut Facts) {
        match event {
            // The production of a month belongs to its first fortnight.
            Event::MonthBegins { .. } => {
                self.end_round(game, facts);
                self.close_turn();
                self.active = None;
            }
            Event::FortnightBegins { fortnight, weather } => {
                self.end_round(game, facts);
                if fortnight == 2 {
                    self.close_turn();
                }
                self.weather = weather[0];
            }
            Event::GameOver { .. } => {
                self.end_round(game, facts);
                self.close_turn();
            }
            Event::TurnBegins { faction } => {
                self.end_round(game, facts);
                self.active = Some(faction);
            }
            Event::Recognition { by, level, rolls, granted } => {
                let mut row = facts.row(CLAIMS);
                row.int(self.turn).word(side(game, self.of_camp(game, by))).int(i32::from(level));
                row.int(i32::from(rolls[0])).int(i32::from(rolls[1])).flag(granted);
            }
            Event::Income { account, points, received, .. } => {
                self.tally(account.faction()).income += i32::from(received);
                let mut row = facts.row(PRODUCTION);
                row.int(self.turn).word(side(game, account.faction())).word(account.index());
                row.int(i32::from(points)).word(0);
            }
            Event::Leftover { account, points, kept } => {
                let faction = account.faction();
                if !kept {
                    self.tally(faction).points_lost += i32::from(points);
                }
                let mut row = facts.row(PRODUCTION);
                row.int(self.turn).word(side(game, faction)).word(account.index());
                row.int(i32::from(points)).word(if kept { 1 } else { 2 });
            }
            Event::Allotted { account, points } | Event::Transferred { to: account, points, .. } => {
                let transferred = matches!(event, Event::Transferred { .. });
                let mut row = facts.row(PRODUCTION);
                row.int(self.turn).word(side(game, account.faction())).word(account.index());
                row.int(i32::from(points)).word(if transferred { 4 } else { 3 });
            }
            Event::Built { block, .. } => {
                self.built(side(game, game.block(block).faction), 0, Some(block), None, facts);
            }
            Event::Arrived { block, at } => {
                let side = side(game, game.block(block).faction);
                self.built(side, 1, Some(block), Some(place(game, at)), facts);
            }
            Event::Garrison { camp, at } => {
                self.built(side(game, self.of_camp(game, camp)), 2, None, Some(place(game, at)), facts);
            }
            Event::Activated { block, .. } => self.tally(game.block(block).faction).activations += 1,
            Event::Moved { block, .. } => self.tally(game.block(block).faction).moved += 1,
            Event::MovedByRail { block, .. } => self.tally(game.block(block).faction).rail_moves += 1,
            Event::Sailed { block, .. } => self.tally(game.block(block).faction).sea_moves += 1,
            Event::BattleBegins { defender, .. } => {
                let faction = self.of_camp(game, defender.enemy());
                self.tally(faction).attacks += 1;
            }
            Event::Intercepted { block, dice, hits, turned_back } => {
                let mut row = facts.row(VOYAGES);
                row.int(self.turn).word(side(game, game.block(block).faction)).word(block.at()).none();
                row.int(i32::from(dice)).int(i32::from(hits)).flag(turned_back);
            }
            Event::SupplyIntercepted { at, dice, cut } => {
                let mut row = facts.row(VOYAGES);
                row.int(self.turn).none().none().word(place(game, at)).int(i32::from(dice)).int(0).flag(cut);
            }
            Event::BattleEnds { at, .. } => {
                if let Some(round) = self.round.as_mut().filter(|round| round.at == at) {
                    round.ended = true;
                }
            }
            Event::Round { at, active, supported, assault } => {
                self.end_round(game, facts);
                let active = self.of_camp(game, active);
                let tally = self.tally(active);
                tally.rounds += 1;
                tally.unsupported += i32::from(!supported);
                self.round = Some(Round {
                    at,
                    active,
                    supported,
                    assault,
                    volleys: [[0; 2]; 3],
                    repulses: 0,
                    lost: [0; 2],
                    ended: false,
                });
            }
            Event::Fired { volley, dice, hits, repulses, .. } => {
                let which = match volley {
                    Volley::Air => 0,
                    Volley::Defensive => 1,
                    Volley::Offensive => 2,
                    Volley::Pursuit => return,
                };
                if let Some(round) = &mut self.round {
                    round.volleys[which] = [i32::from(dice), i32::from(hits)];
                    round.repulses += i32::from(repulses);
                    let active = round.active;
                    self.tally(active).strikes += i32::from(which == 0);
                }
            }
            Event::StepLost { block, cause, .. } => self.loss(game, block, cause, false, facts),
            Event::Eliminated { block, cause } => self.loss(game, block, cause, true, facts),
            _ => {
                if let Some(affair) = Affair::of(event) {
                    affair.write(self.turn, facts);
                }
            }
        }
    }

    fn turn_cells(&mut self, game: &EuroFront, state: &State, end: TurnEnd, row: &mut Row<'_>) {
        let faction = game.rules.scenario.players[end.side.index()].faction();
        let camp = faction.camp();
        let tally = &self.closed[faction.index()];
        let friendly = &state.friendly[camp.index()];
        let level = i32::from(state.civil_war.level);
        let counted = game.rules.civil_war.iter().flat_map(|war| &war.pacification);
        let cities: i32 =
            counted.filter(|(hex, _)| friendly.contains(*hex)).map(|&(_, worth)| i32::from(worth)).sum();
        let standing = &state.standing[camp.index()].and(&game.sets().of_faction[faction.index()]);
        let points: i32 = Account::ALL
            .into_iter()
            .filter(|account| account.faction() == faction)
            .map(|account| i32::from(state.points[account.index()]))
            .sum();
        let hexes_of = |front: Front| friendly.iter().filter(|&hex| game.front(hex) == front).count() as i32;
        let (headquarters, units): (Vec<BlockId>, Vec<BlockId>) =
            standing.iter().partition(|&block| game.brief(block).kind.is_headquarters());
        let steps =
            |blocks: &[BlockId]| blocks.iter().map(|&block| i32::from(state.steps[block])).sum::<i32>();
        let steps_of = |front: Front| {
            let there = units.iter().filter(|&&block| game.front(state.at(block)) == front);
            there.map(|&block| i32::from(state.steps[block])).sum::<i32>()
        };
        row.word(self.ended_weather as usize)
            .int(if camp == Camp::Axis { level } else { -level })
            .int(cities)
            .int(friendly.len() as i32);
        for front in Front::ALL {
            row.int(hexes_of(front));
        }
        row.int((units.len() + headquarters.len()) as i32).int(steps(&units));
        for front in Front::ALL {
            row.int(steps_of(front));
        }
        row.int(steps(&headquarters))
            .int(standing.and(state.marked(Mark::Unsupplied)).len() as i32)
            .int(if game.is_civil_war() { state.garrisons(camp).len() as i32 } else { 0 })
            .int(points)
            .int(tally.income)
            .int(tally.points_lost)
            .int(tally.activations)
            .int(tally.moved)
            .int(tally.rail_moves)
            .int(tally.sea_moves)
            .int(tally.attacks)
            .int(tally.rounds)
            .int(tally.unsupported)
            .int(tally.strikes)
            .int(tally.lost_steps)
            .int(tally.starved)
            .int(tally.lost_units);
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::{Dice as _, Game as _, PlayContext, Rng64, Sink};
    use sandtable_experiments::system::{Source, System as _};

    use super::super::EuroSystem;
    use super::*;

    /// Facts of a game as they come, with the position after each decision.
    struct Told(Vec<Event>);

    impl Sink<Event> for Told {
        fn take(&mut self, fact: impl FnOnce() -> Event) {
            self.0.push(fact());
        }
    }

    #[test]
    fn rows_tell_what_random_games_did() {
        let game = EuroSystem.open(Source::Id("eurofront/1936"), &[]).unwrap().game;
        let (mut all_rounds, mut some_loss) = (0, false);
        for number in 0..12 {
            let mut facts = Facts::new(&EuroSystem, &game);
            let mut recorder = EuroSystem.recorder(&game);
            let mut context = PlayContext { dice: Rng64::stream(7, number, 0), sink: Told(Vec::new()) };
            let mut state = game.initial(&mut context);
            let (mut rounds, mut lost, mut legal) = (0, 0, Vec::new());
            let mut told = |context: &mut PlayContext<Rng64, Told>, facts: &mut Facts| {
                for event in context.sink.0.drain(..) {
                    rounds += usize::from(matches!(event, Event::Round { .. }));
                    lost += usize::from(matches!(event, Event::StepLost { .. } | Event::Eliminated { .. }));
                    recorder.fact(&game, event, facts);
                }
            };
            let mut choices = Rng64::stream(7, number, 1);
            while game.outcome(&state).is_none() {
                told(&mut context, &mut facts);
                legal.clear();
                game.legal_actions(&state, &mut legal);
                let action = legal[choices.below(legal.len() as u32) as usize];
                game.apply(&mut state, action, &mut context);
            }
            told(&mut context, &mut facts);
            let combats = facts.texts(COMBATS, 16);
            assert_eq!(combats.len(), rounds);
            assert_eq!(facts.texts(LOSSES, 5).len(), lost);
            all_rounds += rounds;
            some_loss |= combats.iter().any(|row| row[13] != "0" || row[14] != "0");
        }
        assert!(all_rounds > 20, "{all_rounds} rounds");
        assert!(some_loss, "somebody loses a step");
    }
}
