//! A sound player of both sides: one decision at a time, by what each choice is expected to bring.
//!
//! ```text
//! activation   which formation when, Mobile or Assault, fuel, Army units, digging
//! plan         a sequence: attacks first, then troops, guns, headquarters
//! posts        what it is worth to stand in a hex        survey     threats, routes, supply
//! assault      what an attack would bring                forecast   the tables of results
//! fighting     reactions, leads, aircraft, guns, losses, retreats, advances
//! ```

use std::sync::Arc;

use sandtable_ai::policy::{Policy, pick_legal};
use sandtable_core::{Rng64, Side};
use sandtable_roads_to_moscow::ids::Units;
use sandtable_roads_to_moscow::phase::Sequence;
use sandtable_roads_to_moscow::{Action, Mark, Phase, Player, RoadsToMoscow, State};

use super::activation::active;
use super::map_tables::MapTables;
use super::plan::{Brief, Planner};
use super::survey::View;
use super::weights::Weights;

/// The player.
#[derive(Debug)]
pub(super) struct Scripted {
    pub(super) tables: Arc<MapTables>,
    weights: [Weights; 2],
    pub(super) light: bool,
    pub(super) planner: Box<Planner>,
}

impl Scripted {
    /// A player of these weights, by side; a `light` one looks less closely.
    pub fn new(tables: Arc<MapTables>, weights: [Weights; 2], light: bool) -> Scripted {
        Scripted { tables, weights, light, planner: Box::new(Planner::new()) }
    }

    /// Looks at the position for its own side.
    pub(super) fn look(&mut self, brief: &Brief<'_>, view: View) {
        let Brief { game, tables, state, player, weights, .. } = *brief;
        self.planner.survey.take(game, tables, state, player, weights, view);
    }

    /// The action of most worth; nothing if the list is empty or does not fit the decision.
    fn choose(&mut self, game: &RoadsToMoscow, state: &State, legal: &[Action]) -> Option<Action> {
        let player = state.decider;
        let tables = self.tables.clone();
        let usual = self.weights[player.index()];
        let weights = match tables.is_last(state) {
            true if game.leader(state) == player => usual.content(),
            true => usual.desperate(),
            false => usual,
        };
        let actors: Units = active(state);
        let brief = Brief {
            game,
            tables: &tables,
            weights: &weights,
            state,
            player,
            sequence: if state.sequence == Sequence::None { Sequence::Mobile } else { state.sequence },
            actors: &actors,
            fuelled: is_fuelled(game, state, player),
            attacks: weights.goes_forward(),
            light: self.light,
        };
        match state.phase {
            Phase::OptionalGroups => self.groups(&brief, legal),
            Phase::Reserve => self.reserve(&brief, legal),
            Phase::FillingCup => self.leave_out(&brief, legal),
            Phase::Marker => self.marker(&brief, legal),
            Phase::CombinePoints => legal.iter().rev().copied().find(|&action| action != Action::Pass),
            Phase::Sequence => Some(self.sequence(&brief, legal)),
            Phase::Formation => self.formation(&brief, legal),
            Phase::Fuel => self.fuel(&brief, legal),
            Phase::ArmyUnits => self.army(&brief, legal),
            Phase::Engineering => self.dig(&brief, legal),
            Phase::Movement => self.planner.next(&brief, legal).or(Some(Action::Pass)),
            Phase::Stack if state.reacting => self.react(&brief, legal),
            Phase::Stack => self.planner.step(&brief, legal),
            Phase::Declaring => Some(self.declare(&brief, legal)),
            Phase::Attackers => self.attackers(&brief, legal),
            Phase::Refusal => Some(self.refuse(&brief, legal)),
            Phase::Reaction => self.reaction(&brief, legal),
            Phase::NoRetreat => Some(self.no_retreat(&brief, legal)),
            _ => self.fight(&brief, legal),
        }
    }
}

/// Whether motorised units of the active player would move with fuel: some is being spent, or can be before they move.
fn is_fuelled(game: &RoadsToMoscow, state: &State, player: Player) -> bool {
    if !game.rules.fuel.in_force || player == Player::Soviet {
        return true;
    }
    let spent = state.marked(Mark::BeingSpent).or(state.marked(Mark::SpentForOther));
    if state.phase > Phase::Fuel {
        return !spent.is_empty();
    }
    let out = state.units_at_place(sandtable_roads_to_moscow::ids::place::OUT);
    !game.sets().fuel.difference(&spent).difference(&out).is_empty()
}

impl Policy<RoadsToMoscow> for Scripted {
    fn pick(
        &mut self,
        game: &RoadsToMoscow,
        determinization: &State,
        _: Side,
        legal: &[Action],
        _: &mut Rng64,
    ) -> Action {
        pick_legal(legal, || self.choose(game, determinization, legal))
    }

    fn begin_line(&mut self) {
        self.planner.forget_all();
    }
}
