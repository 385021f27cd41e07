//! What turns the facts of EuroFront into rows.

use sandtable_core::{Hex, Index as _};
use sandtable_eurofront::event::{Cause, Volley};
use sandtable_eurofront::ids::{BlockId, Camp};
use sandtable_eurofront::rules::Weather;
use sandtable_eurofront::{EuroFront, Event, Mark, State};

use super::map::place;
use super::tables::{BUILDS, CLAIMS, COMBATS, LOSSES};
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
    active: Camp,
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
    open: [TurnTally; 2],
    closed: [TurnTally; 2],
    /// Whose player turn it is.
    active: Option<Camp>,
    round: Option<Round>,
}

impl EuroRecorder {
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
            .word(round.active.index())
            .word(place(game, round.at))
            .flag(round.supported)
            .flag(round.assault);
        let [air, [defence_dice, defence_hits], [offence_dice, offence_hits]] = round.volleys;
        row.int(air[0]).int(air[1]).int(defence_dice).int(defence_hits).int(round.repulses);
        row.int(offence_dice).int(offence_hits).int(round.lost[0]).int(round.lost[1]).flag(round.ended);
    }

    /// A step is lost, or with it the block.
    fn loss(&mut self, game: &EuroFront, block: BlockId, cause: Cause, last: bool, facts: &mut Facts) {
        let camp = game.camp(block);
        let tally = &mut self.open[camp.index()];
        match cause {
            Cause::Combat | Cause::Pursuit | Cause::NoStrength => tally.lost_steps += 1,
            Cause::Attrition => tally.starved += 1,
            Cause::Command | Cause::Intervention => {}
        }
        tally.lost_units += i32::from(last);
        if let Some(round) = &mut self.round
            && matches!(cause, Cause::Combat | Cause::NoStrength)
        {
            round.lost[usize::from(camp != round.active)] += 1;
        }
        facts.row(LOSSES).int(self.turn).word(camp.index()).word(block.at()).word(cause as usize).flag(last);
    }

    fn built(&self, camp: Camp, what: usize, block: Option<BlockId>, at: Option<usize>, facts: &mut Facts) {
        let mut row = facts.row(BUILDS);
        row.int(self.turn).word(camp.index()).word(what);
        for word in [block.map(BlockId::at), at] {
            match word {
                Some(word) => row.word(word),
                None => row.none(),
            };
        }
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
                self.active = Some(faction.camp());
            }
            Event::Recognition { by, level, rolls, granted } => {
                let mut row = facts.row(CLAIMS);
                row.int(self.turn).word(by.index()).int(i32::from(level));
                row.int(i32::from(rolls[0])).int(i32::from(rolls[1])).flag(granted);
            }
            Event::Income { camp, points } => self.open[camp.index()].income = i32::from(points),
            Event::Leftover { camp, points, kept: false } => {
                self.open[camp.index()].points_lost += i32::from(points);
            }
            Event::Built { block, .. } => self.built(game.camp(block), 0, Some(block), None, facts),
            Event::Arrived { block, at } => {
                self.built(game.camp(block), 1, Some(block), Some(place(game, at)), facts);
            }
            Event::Garrison { camp, at } => self.built(camp, 2, None, Some(place(game, at)), facts),
            Event::Activated { block, .. } => self.open[game.camp(block).index()].activations += 1,
            Event::Moved { block, .. } => self.open[game.camp(block).index()].moved += 1,
            Event::MovedByRail { block, .. } => self.open[game.camp(block).index()].rail_moves += 1,
            Event::BattleBegins { defender, .. } => self.open[defender.enemy().index()].attacks += 1,
            Event::BattleEnds { at, .. } => {
                if let Some(round) = self.round.as_mut().filter(|round| round.at == at) {
                    round.ended = true;
                }
            }
            Event::Round { at, active, supported, assault } => {
                self.end_round(game, facts);
                let tally = &mut self.open[active.index()];
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
                    self.open[round.active.index()].strikes += i32::from(which == 0);
                }
            }
            Event::StepLost { block, cause, .. } => self.loss(game, block, cause, false, facts),
            Event::Eliminated { block, cause } => self.loss(game, block, cause, true, facts),
            _ => {}
        }
    }

    fn turn_cells(&mut self, game: &EuroFront, state: &State, end: TurnEnd, row: &mut Row<'_>) {
        let camp = game.camp_of_side(end.side);
        let tally = &self.closed[camp.index()];
        let friendly = &state.friendly[camp.index()];
        let level = i32::from(state.civil_war.level);
        let counted = game.rules.civil_war.iter().flat_map(|war| &war.pacification);
        let cities: i32 =
            counted.filter(|(hex, _)| friendly.contains(*hex)).map(|&(_, worth)| i32::from(worth)).sum();
        let standing = &state.standing[camp.index()];
        let (headquarters, units): (Vec<BlockId>, Vec<BlockId>) =
            standing.iter().partition(|&block| game.brief(block).kind.is_headquarters());
        let steps =
            |blocks: &[BlockId]| blocks.iter().map(|&block| i32::from(state.steps[block])).sum::<i32>();
        row.word(self.ended_weather as usize)
            .int(if camp == Camp::Axis { level } else { -level })
            .int(cities)
            .int(friendly.len() as i32)
            .int((units.len() + headquarters.len()) as i32)
            .int(steps(&units))
            .int(steps(&headquarters))
            .int(standing.and(state.marked(Mark::Unsupplied)).len() as i32)
            .int(state.garrisons(camp).len() as i32)
            .int(i32::from(state.points[camp.index()]))
            .int(tally.income)
            .int(tally.points_lost)
            .int(tally.activations)
            .int(tally.moved)
            .int(tally.rail_moves)
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
