//! A sound player of all sides: one decision at a time, by what each choice is expected to bring, in production points.
//!
//! ```text
//! production   aid, arrivals, what is built; recognition       survey     threats, pulls, supply
//! command      headquarters: activation, mobilisation, strikes forecast   a round of combat
//! plan         moves of a phase: attacks, then posts           map_tables what places are worth
//! battle       which battles are fought, who takes losses
//! ```

use std::sync::Arc;

use sandtable_ai::policy::{Policy, pick_legal};
use sandtable_core::{Rng64, Side};
use sandtable_eurofront::ids::{Camp, Front, NationId, is_on_map};
use sandtable_eurofront::{Action, EuroFront, Phase, State};

use super::map_tables::{MapTables, Worths};
use super::plan::{Brief, Planner};
use super::production::Shopping;
use super::weights::Weights;

/// The player.
#[derive(Debug)]
pub(super) struct Scripted {
    tables: Arc<MapTables>,
    weights: [Weights; 2],
    worths: Arc<Worths>,
    light: bool,
    pub(super) planner: Box<Planner>,
    pub(super) shopping: Shopping,
    pub(super) scratch: Vec<Action>,
}

impl Scripted {
    /// A player of these weights, by camp; a `light` one looks less closely.
    pub fn new(tables: Arc<MapTables>, weights: [Weights; 2], light: bool) -> Scripted {
        let worths = Arc::new(Worths::new(&tables, &weights));
        Scripted {
            tables,
            weights,
            worths,
            light,
            planner: Box::new(Planner::new()),
            shopping: Shopping::new(),
            scratch: Vec::with_capacity(8192),
        }
    }

    /// The action of most worth; nothing if the list does not fit the decision.
    fn choose(&mut self, game: &EuroFront, state: &State, legal: &[Action]) -> Option<Action> {
        let camp = state.decider.camp();
        let tables = self.tables.clone();
        let late = f32::from(state.month) / game.rules.calendar.len() as f32;
        let weights = self.weights[camp.index()].when(late);
        let worths = self.worths.clone();
        let worth = &worths.0[camp.index()];
        let brief = Brief { game, tables: &tables, weights: &weights, worth, state, camp, light: self.light };
        match state.phase {
            Phase::Recognition => Some(self.claim(&brief)),
            Phase::FrenchRailhead | Phase::FrenchLoss | Phase::SovietPort | Phase::AxisPort => {
                self.port_of_aid(&brief, legal)
            }
            Phase::Arrival | Phase::CadrePlace => Some(self.place(&brief, legal)),
            Phase::Building => Some(self.build(&brief, legal)),
            Phase::Activation => Some(self.activation(&brief, legal)),
            Phase::Movement => Some(self.planner.next(&brief, legal)),
            Phase::Destination => Some(self.planner.go(&brief, legal)),
            Phase::Withdrawal => Some(self.planner.best_post(&brief, state.subject, legal)),
            Phase::Mobilisation => Some(self.mobilisation(&brief, legal)),
            Phase::Airstrike => Some(self.airstrike(&brief, legal)),
            Phase::ActiveBattle => Some(self.active_battle(&brief)),
            Phase::Losses => self.losses(&brief, legal),
            Phase::Deployment | Phase::Uprising => Some(self.place(&brief, legal)),
            // Whatever is to be had, for now.
            Phase::Diplomacy
            | Phase::EventNation
            | Phase::EventUnit
            | Phase::Raising
            | Phase::Beachhead
            | Phase::Desertion => legal.iter().copied().find(|&action| action != Action::Pass),
            Phase::Declaration => Some(declaration(&brief, legal)),
            // Points stay where they are, no peace is made.
            Phase::Allotment
            | Phase::Transfer
            | Phase::ArmisticeOffer
            | Phase::ArmisticeAnswer
            | Phase::Over => Some(Action::Pass),
        }
    }
}

/// War on the Soviet Union alone, by an Axis whose army is in the East (16.4).
fn declaration(brief: &Brief<'_>, legal: &[Action]) -> Action {
    /// Part of the army of the Axis that must be in the East.
    const IN_THE_EAST: u32 = 3;
    let (game, state) = (brief.game, brief.state);
    let own = &state.standing[brief.camp.index()];
    let east = state.places.standing(own, |at| is_on_map(at) && game.front(at) == Front::East);
    let war = game.rules.nations.iter().position(|nation| nation.id == "ussr");
    let war = war.map_or(Action::Pass, |nation| Action::Nation(NationId(nation as u8)));
    let ready = brief.camp == Camp::Axis && IN_THE_EAST * east.len() > own.len();
    if ready && legal.contains(&war) { war } else { Action::Pass }
}

impl Policy<EuroFront> for Scripted {
    fn pick(
        &mut self,
        game: &EuroFront,
        determinization: &State,
        _: Side,
        legal: &[Action],
        _: &mut Rng64,
    ) -> Action {
        pick_legal(legal, || self.choose(game, determinization, legal))
    }

    fn begin_line(&mut self) {
        self.planner.forget();
        self.shopping.forget();
    }
}
