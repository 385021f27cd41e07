//! Decisions in words.

use crate::action::Action;
use crate::combat::Group;
use crate::game::EuropeEngulfed;
use crate::ids::UnitId;
use crate::phase::{FireClass, Mode, Pending, Phase, Sailing, Stage};
use crate::rules::Branch;
use crate::state::State;

impl EuropeEngulfed {
    /// A counter in words: nation, strength when full, branch.
    pub fn unit_name(&self, unit: UnitId) -> String {
        let kind = self.kind(unit);
        if kind.branch == Branch::Air {
            return format!("air support unit of {}", kind.nation.name());
        }
        let elite = if kind.elite { "elite " } else { "" };
        format!("{}-step {elite}{} of {}", kind.max, kind.branch.name(), kind.nation.name())
    }

    /// A counter with what can be seen of it on the map.
    fn counter(&self, state: &State, unit: UnitId) -> String {
        let (steps, at) = (state.steps(unit), self.area_name(state.location(unit)));
        format!("the {} with {steps} left in {at}", self.unit_name(unit))
    }

    pub(crate) fn describe_action(&self, state: &State, action: Action) -> String {
        let place = |area| self.area_name(area);
        let way = |mode| if mode == Mode::Assault { "assault" } else { "attack" };
        match action {
            Action::Pass => self.describe_pass(state).into(),
            Action::Select(unit) => format!("take {}", self.counter(state, unit)),
            Action::Go(area) => format!("go to {}", place(area)),
            Action::Abandon(nation, area) => {
                format!("leave {} without a rear guard, a Special Action of {}", place(area), nation.name())
            }
            Action::Drop(unit, area) => format!("drop {} on {}", self.counter(state, unit), place(area)),
            Action::Attack(area, mode) => format!("{} in {}", way(mode), place(area)),
            Action::Withdraw => "withdraw before combat".into(),
            Action::Reinforce => "reinforce".into(),
            Action::Counterattack(mode) => format!("counterattack: {}", way(mode)),
            Action::Fighters(count) => format!("send {count} into air combat"),
            Action::Support(unit) => format!("support {}", self.counter(state, unit)),
            Action::Fire(group) => {
                let group = Group(group);
                let class = if group.class() == FireClass::Armour { "armour" } else { "infantry" };
                format!("fire with {class}, bonus {}", group.own())
            }
            Action::Take(unit) => format!("lose a step of {}", self.counter(state, unit)),
            Action::BreakthroughMove(nation, area) => {
                format!("break through to {}, a Special Action of {}", place(area), nation.name())
            }
            Action::BreakthroughStrategic(nation) => {
                format!("move strategically again, a Special Action of {}", nation.name())
            }
            Action::BreakthroughCombat(nation, area, mode) => {
                format!("{} in {} again, a Special Action of {}", way(mode), place(area), nation.name())
            }
            Action::LimitedSupply(nation, area) => {
                format!("limited supply in {}, a Special Action of {}", place(area), nation.name())
            }
            Action::Raise(kind) => {
                let unit = self.counters(kind).next();
                format!("build a new {}", unit.map_or_else(String::new, |unit| self.unit_name(unit)))
            }
            Action::Replace(unit) => format!("add a step to {}", self.counter(state, unit)),
            Action::FieldFort(area) => format!("build a field fortification in {}", place(area)),
            Action::HeavyFort(area) => format!("build a heavy fortification in {}", place(area)),
            Action::Fleet(sea) => format!("build a Fleet Point in the {}", self.sea_name(sea)),
            Action::Asset(asset) => format!("build {}", asset.name()),
            Action::Demolish(area) => format!("disable the port in {}", place(area)),
            Action::Repair(nation, area) => {
                format!("repair the port in {}, a Special Action of {}", place(area), nation.name())
            }
            Action::Beachhead(nation, area) => {
                format!("place a beachhead in {}, a Special Action of {}", place(area), nation.name())
            }
            Action::Overlord => "declare Operation Overlord".into(),
            Action::LandArmour(nation) => {
                format!("land an armour block too, a Special Action of {}", nation.name())
            }
            Action::Partisans(kind, area) => {
                let unit = self.counters(kind).next().map_or_else(String::new, |unit| self.unit_name(unit));
                format!("raise partisans in {}: {unit}", place(area))
            }
            Action::Induce(nation) => format!("bring {} into the war", nation.name()),
            Action::Draft => "take the emergency draft".into(),
            Action::Renounce => "make no more airborne assaults".into(),
            Action::Pause => "pause in the East".into(),
            Action::Convert(asset, kind) => {
                let unit = self.counters(kind).next().map_or_else(String::new, |unit| self.unit_name(unit));
                format!("make {unit} of a fighter point and {}", asset.name())
            }
            Action::Jets(count) => format!("and with {count} Me-262"),
            Action::AtJets(count) => format!("{count} escorts fire at the Me-262"),
            Action::Give(nation) => format!("give a WERP to {}", nation.name()),
            Action::Invade(nation, area, sea) => {
                format!(
                    "invade {} from the {}, a Special Action of {}",
                    place(area),
                    self.sea_name(sea),
                    nation.name()
                )
            }
            Action::Embark(unit) => format!("take {} on board", self.counter(state, unit)),
            Action::Intercept => "intercept".into(),
            Action::MeetInPort => "intercept in the port".into(),
            Action::Transfer(nation, from, to) => format!(
                "a Fleet Point of {} goes from the {} to the {}",
                nation.name(),
                self.sea_name(from),
                self.sea_name(to)
            ),
            Action::DeclareWar(by, on) => format!("{} declares war on {}", by.name(), on.name()),
            Action::Agree => "agree".into(),
            Action::Raid(bombers, escorts) => format!("raid with {bombers} bombers and {escorts} escorts"),
            Action::Interceptors(fighters) => format!("meet the raid with {fighters} fighters"),
            Action::SpecialAction => "build a Special Action".into(),
            Action::Unrestricted => "spend a Special Action on unrestricted replacements".into(),
        }
    }

    fn describe_pass(&self, state: &State) -> &'static str {
        match (state.battle.stage, state.pending) {
            (Stage::Withdraw(_), _) => "do not withdraw",
            (Stage::Reinforce(_) | Stage::Arriving(_) | Stage::CounterArriving(_), _) => "bring nobody else",
            (Stage::Counterattack(_), _) => "do not counterattack",
            (_, Pending::Destination(_)) => "stay",
            (_, Pending::March(_)) => "stop",
            _ if state.crossing.stage == Sailing::Embarking => "sail",
            _ if state.crossing.stage != Sailing::None => "do not intercept",
            _ if state.phase == Phase::Breakthrough => "no further breakthrough",
            _ => "end the phase",
        }
    }
}
