//! Actions in words.

use sandtable_core::{Hex, Index, hex::Orientation};

use crate::action::Action;
use crate::game::EuroFront;
use crate::ids::{BlockId, NationId};
use crate::phase::{Haste, Mode, Phase, SeaWay};
use crate::state::State;

impl EuroFront {
    /// Name of a hex or area, as the rules name it.
    pub fn hex_name(&self, hex: Hex) -> String {
        let places = self.rules.map.places.iter();
        let of_place = places.filter(|place| place.hex == hex).max_by_key(|place| place.city);
        let of_hex =
            || self.rules.map.hexes.iter().find(|data| data.hex == hex).map(|data| data.name.clone());
        of_place
            .map(|place| place.name.clone())
            .or_else(of_hex)
            .unwrap_or_else(|| format!("column {} row {}", hex.place(), hex.line()))
    }

    /// Name of a nation.
    pub fn nation_name(&self, nation: NationId) -> &str {
        self.rules.nations.get(nation.at()).map_or("nobody", |nation| &nation.name)
    }

    fn block_name(&self, state: &State, block: BlockId) -> String {
        if block.is_none() {
            return "nobody".into();
        }
        let name = &self.block(block).name;
        if crate::ids::is_on_map(state.at(block)) {
            format!("{name} ({}) in {}", state.steps[block], self.hex_name(state.at(block)))
        } else {
            name.clone()
        }
    }

    /// The action in words.
    pub(crate) fn describe_action(&self, state: &State, action: Action) -> String {
        let subject = self.block_name(state, state.subject);
        let name = |hex| self.hex_name(hex);
        let compass = |way| Orientation::PointyTops.compass(way);
        match (state.phase, action) {
            (Phase::Recognition, Action::Pass) => "does not claim recognition".into(),
            (Phase::Recognition, _) => "claims foreign recognition".into(),
            (Phase::FrenchRailhead, Action::Place(hex)) => format!("French aid comes to {}", name(hex)),
            (Phase::FrenchLoss, Action::Place(hex)) => format!("no more French aid comes to {}", name(hex)),
            (Phase::SovietPort, Action::Place(hex)) => format!("Soviet aid is to come to {}", name(hex)),
            (Phase::AxisPort, Action::Place(hex)) => format!("Axis aid is to come to {}", name(hex)),
            (Phase::AxisPort, _) => "Axis aid comes to the capital".into(),
            (Phase::Building, Action::Pass) => "builds no more".into(),
            (Phase::Building, Action::Yes) => "confines its paratroops to the ground".into(),
            (Phase::Activation, Action::Pass) => format!("{subject} stays inactive"),
            (Phase::Movement, Action::Pass) => "moves no more".into(),
            (Phase::Mobilisation, Action::Pass) => format!("{subject} stays activated"),
            (Phase::Airstrike, Action::Pass) => format!("{subject} does not strike"),
            (Phase::ActiveBattle, Action::Pass) => format!("no battle in {}", name(state.battle.hex)),
            (Phase::ActiveBattle, _) => format!("battle in {}", name(state.battle.hex)),
            (Phase::Losses, Action::Unit(block)) if state.battle.repulses > 0 => {
                format!("{} is repulsed", self.block_name(state, block))
            }
            (Phase::Losses, Action::Unit(block)) => format!("{} is hit", self.block_name(state, block)),
            (Phase::Beachhead, Action::Pass) => format!("{} stays as it is", self.block(state.subject).name),
            (Phase::Beachhead, Action::Place(hex)) => {
                format!("places {} in {}", self.block(state.subject).name, name(hex))
            }
            (Phase::Beachhead, Action::Yes) => format!("withdraws {}", self.block(state.subject).name),
            (Phase::Diplomacy, Action::Pass) => "tries no event".into(),
            (Phase::Diplomacy, Action::Event(event)) => {
                let data = &self.rules.events[event.at()];
                match self.chance_of(state, event) {
                    Some(most @ 1..6) => format!("tries {} ({}), on 1 to {most}", data.name, data.id),
                    _ => format!("lets happen {} ({})", data.name, data.id),
                }
            }
            (Phase::EventUnit, Action::Pass) => "moves no more by rail".into(),
            (Phase::EventUnit, Action::Unit(block)) => format!("chooses {}", self.block(block).name),
            (Phase::EventNation, Action::Nation(nation)) => format!("chooses {}", self.nation_name(nation)),
            (Phase::Declaration, Action::Yes) => "its armour in the West defies the mud in this turn".into(),
            (Phase::Declaration, Action::Pass) => "declares no (more) war".into(),
            (Phase::Declaration, Action::Nation(nation)) => {
                let treason = self.is_treason(state, state.active, nation);
                let treason = if treason { ", by treason" } else { "" };
                format!("declares war on {}{treason}", self.nation_name(nation))
            }
            (Phase::Raising, Action::Pass) => {
                format!("{} builds no more in peace", self.nation_name(state.diplomacy.nation))
            }
            (Phase::Deployment, Action::Place(hex)) if self.is_curzon_line_at_hand(state) => {
                format!("{subject} goes by rail into {}", name(hex))
            }
            (Phase::Deployment, Action::Place(hex)) => format!("deploys {subject} in {}", name(hex)),
            (Phase::ArmisticeOffer, Action::Pass) => "offers no armistice".into(),
            (Phase::ArmisticeOffer, _) => "offers an armistice".into(),
            (Phase::ArmisticeAnswer, Action::Pass) => "refuses the armistice".into(),
            (Phase::ArmisticeAnswer, _) => "accepts the armistice".into(),
            (Phase::Uprising, Action::Pass) => format!("{subject} does not rise yet"),
            (Phase::Uprising, Action::Place(hex)) => format!("{subject} rises in {}", name(hex)),
            (Phase::Desertion, Action::Unit(block)) => {
                format!("{} changes sides", self.block_name(state, block))
            }
            (_, Action::Pass) => "passes".into(),
            (_, Action::Yes) => "yes".into(),
            (_, Action::Activate(mode, hex)) => {
                let mode = match mode {
                    Mode::Normal => "",
                    Mode::Blitz => " for a Blitz",
                    Mode::Invasion => " for an invasion",
                    Mode::BlitzInvasion => " for a Blitz invasion",
                    Mode::Para => " for a drop",
                    Mode::BlitzPara => " for a Blitz of drops",
                };
                if hex == state.at(state.subject) {
                    format!("activates {subject}{mode}")
                } else {
                    format!("activates {subject}{mode} and deploys it into {}", name(hex))
                }
            }
            (_, Action::Unit(block)) => format!("moves {}", self.block_name(state, block)),
            (_, Action::Rearguard(block)) => {
                format!("{} is to retreat as rearguard", self.block_name(state, block))
            }
            (_, Action::Engage(hex, way)) => {
                format!("{subject} engages {}, going {}", name(hex), compass(way))
            }
            (_, Action::Disengage(way, hex)) => {
                format!("{subject} leaves the battle to the {} and goes into {}", compass(way), name(hex))
            }
            (Phase::Mobilisation, Action::Go(hex)) if hex == state.at(state.subject) => {
                format!("{subject} deactivates")
            }
            (_, Action::Go(hex)) => format!("{subject} goes into {}", name(hex)),
            (_, Action::Rail(hex)) => format!("{subject} goes by rail into {}", name(hex)),
            (_, Action::Sail(SeaWay::Shortest, hex)) => format!("{subject} goes by sea to {}", name(hex)),
            (_, Action::Sail(SeaWay::Safest, hex)) => {
                format!("{subject} goes by sea to {}, the safest way", name(hex))
            }
            (_, Action::Invade(hex)) if self.brief(state.subject).kind.is_headquarters() => {
                format!("{subject} names {} for its second wave", name(hex))
            }
            (_, Action::Invade(hex)) => format!("{subject} invades {}", name(hex)),
            (_, Action::Evacuate(hex)) => format!("{subject} is evacuated to {}", name(hex)),
            (_, Action::Drop(hex)) => format!("{subject} is dropped into {}", name(hex)),
            (_, Action::March(hex)) => format!("{subject} marches to {}", name(hex)),
            (_, Action::Road(hex)) => format!("{subject} goes by road into {}", name(hex)),
            (_, Action::Strike(hex)) => format!("{subject} strikes {}", name(hex)),
            (_, Action::Build(block)) => format!("buys a step for {}", self.block_name(state, block)),
            (_, Action::Cadre(block)) => format!("buys a cadre of {}", self.block_name(state, block)),
            (Phase::Building, Action::Allot(points)) => format!("reserves {points} points for rearmament"),
            (_, Action::Hasten(block, Haste::Paid)) => {
                format!("pays for {} to come a month earlier", self.block_name(state, block))
            }
            (_, Action::Hasten(block, Haste::Weak)) => {
                format!("brings {} a month earlier and a step weaker", self.block_name(state, block))
            }
            (_, Action::Disband(block)) => format!("disbands {}", self.block_name(state, block)),
            (_, Action::Allot(points)) => format!("allots {points} points a month"),
            (_, Action::Transfer(to)) => format!("sends points to {}", to.id()),
            (_, Action::Place(hex)) => format!("places {subject} into {}", name(hex)),
            (_, Action::Garrison(hex)) => format!("buys a garrison in {}", name(hex)),
            (_, Action::Nation(nation)) => self.nation_name(nation).to_owned(),
            (_, Action::Event(event)) => self.rules.events[event.at()].name.clone(),
        }
    }
}
