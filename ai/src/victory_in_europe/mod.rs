//! What agents know of *Victory in Europe*: how to play each force, and what a position is worth.

mod atlas;
mod odds;
mod offensive;
mod picture;
mod restrictions;
mod scripted;
mod strategy;
mod style;

use std::sync::Arc;

use sandtable_core::{MAX_SIDES, PerSide, Side};
use sandtable_victory_in_europe::rules::Areas;
use sandtable_victory_in_europe::{Force, State, Team, VictoryInEurope};

use crate::policy::{Brain, Guide, Named, Policy, Weight};
use crate::restricted::Restriction;
use crate::search::Depth;
use atlas::Atlas;
use scripted::Scripted;
pub(crate) use style::Style;

/// Knowledge of *Victory in Europe*, made for one set of rules.
#[derive(Clone, Debug)]
pub struct VictoryBrain {
    /// The groups of areas that win for the Axis, and the one that wins for the Allies (9.1, 9.2).
    axis: Vec<Areas>,
    allies: Areas,
    atlas: Arc<Atlas>,
    weights: Vec<Weight>,
}

impl VictoryBrain {
    /// Reads the map and the aims of both teams from the rules. Its policies and guides must only be used with this game.
    pub fn new(game: &VictoryInEurope) -> VictoryBrain {
        let victory = &game.rules.victory;
        VictoryBrain {
            axis: victory.axis_any.clone(),
            allies: victory.allies_all,
            atlas: Arc::new(Atlas::new(game)),
            weights: style::weights(game),
        }
    }

    /// The scripted player with other tastes, by force.
    pub(crate) fn scripted_with(&self, styles: &[Style; 3]) -> Box<dyn Policy<VictoryInEurope>> {
        Box::new(Scripted::new(self.atlas.clone(), styles))
    }
}

const GUIDES: [Named; 1] = [Named {
    name: "material",
    summary: "values positions by aims held, steps and factories; weighs all moves alike",
}];

const POLICIES: [Named; 1] = [Named {
    name: "scripted",
    summary: "plans battles and landings by expected hits, guards what is threatened, drives at the aims of its force",
}];

impl Brain<VictoryInEurope> for VictoryBrain {
    fn policies(&self) -> &[Named] {
        &POLICIES
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<VictoryInEurope>>> {
        (name == POLICIES[0].name).then(|| self.scripted_with(&Style::all()))
    }

    fn weights(&self) -> Vec<Weight> {
        self.weights.clone()
    }

    fn weighted_policy(
        &self,
        name: &str,
        values: &[(String, f32)],
    ) -> Option<Box<dyn Policy<VictoryInEurope>>> {
        let styles = style::with(&self.weights, values)?;
        (name == POLICIES[0].name).then(|| self.scripted_with(&styles))
    }

    fn guides(&self) -> &[Named] {
        &GUIDES
    }

    fn guide(&self, name: &str) -> Option<Box<dyn Guide<VictoryInEurope>>> {
        (name == GUIDES[0].name).then(|| Box::new(Material(self.clone())) as Box<dyn Guide<VictoryInEurope>>)
    }

    fn restrictions(&self) -> &[Restriction<VictoryInEurope>] {
        &restrictions::RESTRICTIONS
    }

    fn default_guide(&self) -> &'static str {
        GUIDES[0].name
    }

    fn default_depth(&self) -> Depth {
        Depth::Turns(1)
    }
}

/// Values positions by aims held, steps and factories.
#[derive(Debug)]
struct Material(VictoryBrain);

/// Weight of the best group of aims the Axis holds, of the Allied aims, of the balances of steps and factories: in
/// logits, set by judgement.
const AXIS_AIMS: f32 = 2.5;
const ALLIED_AIMS: f32 = 2.5;
const STEPS: f32 = 3.0;
const FACTORIES: f32 = 1.5;

impl Guide<VictoryInEurope> for Material {
    fn weigh(
        &mut self,
        _: &VictoryInEurope,
        _: &State,
        _: Side,
        legal: &[sandtable_victory_in_europe::Action],
        out: &mut Vec<f32>,
    ) {
        out.extend(legal.iter().map(|_| 1.0));
    }

    fn evaluate(&mut self, game: &VictoryInEurope, world: &State) -> PerSide<f32> {
        let held = Team::ALL.map(|team| world.held_by(team));
        let share =
            |aims: &Areas, team: Team| aims.and(&held[team.index()]).len() as f32 / aims.len().max(1) as f32;
        let axis_aims = self.0.axis.iter().map(|aims| share(aims, Team::Axis)).fold(0.0, f32::max);
        let allied_aims = share(&self.0.allies, Team::Allies);
        let (mut steps, mut factories) = ([0.0f32; 2], [0.0f32; 2]);
        for force in Force::ALL {
            let team = force.team().index();
            for unit in game.units_of(world, force) {
                steps[team] += f32::from(world.steps(unit)) * f32::from(game.unit_type(unit).cost);
            }
        }
        for team in Team::ALL {
            for area in held[team.index()] {
                factories[team.index()] += f32::from(world.factory(area));
            }
        }
        let balance = |of: [f32; 2]| (of[0] - of[1]) / (of[0] + of[1] + 1.0);
        let logit = AXIS_AIMS * axis_aims - ALLIED_AIMS * allied_aims
            + STEPS * balance(steps)
            + FACTORIES * balance(factories);
        let axis = 1.0 / (1.0 + (-logit).exp());
        let mut value = PerSide([1.0 - axis; MAX_SIDES]);
        value[game.side_of(Force::Axis)] = axis;
        value
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
