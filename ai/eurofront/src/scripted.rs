//! A sound player of all sides: one decision at a time, by what each choice is expected to bring, in production points.
//!
//! ```text
//! production   aid, arrivals, what is built; recognition       survey     threats, pulls, supply
//! command      headquarters: activation, mobilisation, strikes forecast   a round of combat
//! plan         moves of a phase: attacks, then posts           map_tables what places are worth
//! battle       which battles are fought, who takes losses
//! diplomacy    declarations of war, events, armistices
//! accounts     allotments and transfers
//! landings     invasions, drops, beachheads
//! ```

use std::sync::Arc;

use sandtable_ai::policy::{Policy, pick_legal};
use sandtable_core::{Hex, Rng64, Side};
use sandtable_eurofront::ids::Camp;
use sandtable_eurofront::{Action, EuroFront, Phase, State};

use super::diplomacy::{is_on_the_offensive, restrained};
use super::map_tables::{MapTables, Worths};
use super::plan::{Brief, Planner};
use super::plans::objectives;
use super::production::Shopping;
use super::weights::Weights;

/// The player.
#[derive(Debug)]
pub(super) struct Scripted {
    tables: Arc<MapTables>,
    weights: [Weights; 2],
    worths: Arc<Worths>,
    operation: Option<(Side, u16)>,
    /// What places are worth to the side of the last operation that was played.
    urgent: Option<((Side, u16), Arc<Worths>)>,
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
            operation: None,
            urgent: None,
            light,
            planner: Box::new(Planner::new()),
            shopping: Shopping::new(),
            scratch: Vec::with_capacity(8192),
        }
    }

    /// What places are worth in an operation, worked out when it is first played.
    fn urgent_worths(&mut self, camp: Camp, operation: (Side, u16)) -> Arc<Worths> {
        match &self.urgent {
            Some((known, worths)) if *known == operation => worths.clone(),
            _ => {
                let worths = Arc::new(self.worths.with_objective(camp, Hex(operation.1)));
                self.urgent = Some((operation, worths.clone()));
                worths
            }
        }
    }

    /// The action of most worth; nothing if the list does not fit the decision.
    fn choose(&mut self, game: &EuroFront, state: &State, legal: &[Action]) -> Option<Action> {
        let camp = state.decider.camp();
        let tables = self.tables.clone();
        let late = f32::from(state.month) / game.rules.calendar.len() as f32;
        let mut weights = self.weights[camp.index()].when(late);
        let offensive = is_on_the_offensive(game, state, camp);
        if offensive {
            weights = weights.offensive();
        }
        let weights = restrained(game, state, camp, weights);
        let own = &state.friendly[camp.index()];
        let operation = self.operation.filter(|&(side, objective)| {
            side == game.side_of(state.decider) && !own.contains(Hex(objective))
        });
        let worths = match operation {
            Some(operation) => self.urgent_worths(camp, operation),
            None => self.worths.clone(),
        };
        let worth = worths.of(camp, offensive);
        self.planner.weigh(&weights, (operation, offensive, camp));
        let brief = Brief { game, tables: &tables, weights: &weights, worth, state, camp, light: self.light };
        match state.phase {
            Phase::Recognition => Some(self.claim(&brief)),
            Phase::FrenchRailhead | Phase::FrenchLoss | Phase::SovietPort | Phase::AxisPort => {
                self.port_of_aid(&brief, legal)
            }
            Phase::Arrival | Phase::CadrePlace => Some(self.place(&brief, legal)),
            Phase::Building => Some(self.build(&brief, legal)),
            Phase::Activation => {
                self.expedition(&brief, legal).or_else(|| Some(self.activation(&brief, legal)))
            }
            Phase::Movement => self.send(&brief, legal).or_else(|| Some(self.planner.next(&brief, legal))),
            Phase::Destination => {
                self.send_to(&brief, legal).or_else(|| Some(self.planner.go(&brief, legal)))
            }
            Phase::Withdrawal => Some(self.planner.best_post(&brief, state.subject, legal)),
            Phase::Mobilisation => Some(self.mobilisation(&brief, legal)),
            Phase::Airstrike => Some(self.airstrike(&brief, legal)),
            Phase::ActiveBattle => Some(self.active_battle(&brief)),
            Phase::Losses => self.losses(&brief, legal),
            Phase::Deployment | Phase::Uprising => Some(self.place(&brief, legal)),
            Phase::Diplomacy => Some(self.attempt(&brief, legal)),
            Phase::Declaration => Some(self.declare(&brief, legal)),
            Phase::ArmisticeOffer => Some(self.offer(&brief)),
            Phase::ArmisticeAnswer => Some(Action::Yes),
            Phase::Beachhead => Some(self.beachhead(&brief, legal)),
            Phase::Allotment => Some(self.allot(&brief, legal)),
            Phase::Transfer => Some(self.transfer(&brief, legal)),
            // Whatever is to be had.
            Phase::EventNation | Phase::EventUnit | Phase::Raising | Phase::Desertion => {
                legal.iter().copied().find(|&action| action != Action::Pass)
            }
            Phase::Over => Some(Action::Pass),
        }
    }
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

    /// Hidden enemies count by how many stand where and by the mean of their steps. What a rival in the same camp hides counts as
    /// if it were the player's own (19.51).
    fn reads_hidden(&self, game: &EuroFront) -> bool {
        EuroFront::has_rivals(&game.rules)
    }

    fn objectives(&self, game: &EuroFront, state: &State, side: Side, out: &mut Vec<u16>) {
        let worth = self.worths.of(game.camp_of_side(side), false);
        objectives(&self.tables, worth, game, state, side, out);
    }

    fn set_operation(&mut self, operation: Option<(Side, u16)>) {
        self.operation = operation;
    }

    fn begin_line(&mut self) {
        self.planner.forget();
        self.shopping.forget();
    }
}
