//! Which battles are fought (7.14), and who takes losses (7.33).

use sandtable_ai::policy::best_action;
use sandtable_core::Index;
use sandtable_eurofront::ids::Camp;
use sandtable_eurofront::{Action, Mark};

use super::map_tables::sixths;
use super::plan::{Brief, STEP};
use super::scripted::Scripted;

impl Scripted {
    /// Whether the battle at hand is fought: if the round is worth more than to wait.
    pub(super) fn active_battle(&mut self, brief: &Brief<'_>) -> Action {
        self.planner.look_at_battles(brief);
        let (game, state) = (brief.game, brief.state);
        let hex = state.battle.hex;
        if brief.camp == Camp::Axis && brief.tables.norway.contains(hex) {
            // Who is besieged starves, and is gone for good only when a battle is fought (21.494).
            return Action::Yes;
        }
        let struck = state.strikes.iter().position(|&strike| strike == hex);
        let air = struck.map_or(0.0, |number| {
            let block = game.sets().headquarters_list[number];
            f32::from(game.command_value(state, block).max(0))
                * sixths(game, game.air_fire(state, block, hex))
        });
        let force = self.force_in(brief, hex);
        let fight = self.planner.fight(brief, hex, force, state.commanded.contains(hex), air);
        // Who starves loses by waiting.
        let starving = state.stack(hex, brief.camp).and(state.marked(Mark::Unsupplied));
        let starving = if brief.tables.civil_war { 0.0 } else { starving.len() as f32 };
        let waits = brief.weights.supply * STEP * 0.5 * starving.min(force.steps);
        if self.planner.round_worth(brief, hex, &fight) + waits > 0.0 { Action::Yes } else { Action::Pass }
    }

    /// The cheapest unit takes the hit; the most valuable one is repulsed.
    pub(super) fn losses(&mut self, brief: &Brief<'_>, legal: &[Action]) -> Option<Action> {
        let (game, state) = (brief.game, brief.state);
        let sign = if state.battle.repulses > 0 { 1.0 } else { -1.0 };
        best_action(legal, |action| {
            let Action::Unit(block) = action else { return -1000.0 };
            let own = game.block(block).cost.map(|cost| f32::from(cost.step));
            let price = own.unwrap_or(brief.tables.price[game.brief(block).kind as usize]);
            // One that will soon be gone is no loss.
            let foreign = if game.block(block).foreign { 0.5 } else { 0.0 };
            sign * (price - foreign) - block.at() as f32 / 1e6
        })
    }
}
