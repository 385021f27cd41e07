//! Actions in words.

use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::nation::Nation;
use crate::phase::{Pending, Phase};
use crate::state::State;

impl VictoryInEurope {
    fn unit_name(&self, unit: u8) -> &str {
        self.rules.units.get(unit as usize).map_or("a unit", |unit| unit.name.as_str())
    }

    fn on_coast(&self, place: u8, coast: u8) -> String {
        let port = self.rules.ports.iter().find(|port| port.area == place && port.coast == coast);
        match port {
            Some(port) if !port.name.is_empty() && coast > 0 => {
                format!("{} ({})", self.place_name(place), port.name)
            }
            _ => self.place_name(place).to_owned(),
        }
    }

    pub(crate) fn describe_action(&self, state: &State, action: Action) -> String {
        let name = |unit| self.unit_name(unit);
        let place = |at| self.place_name(at);
        match action {
            Action::Pass => match (state.phase, state.pending) {
                (_, Pending::Destination(unit) | Pending::March(unit)) => format!("{} stops", name(unit)),
                (_, Pending::Extend(_)) => "no further round".into(),
                (Phase::Movement, _) => "end movement".into(),
                (Phase::Diplomacy, _) => "no diplomatic roll".into(),
                (Phase::Production, _) => "end production".into(),
                _ => "pass".into(),
            },
            Action::Exchange(a, b) => format!("exchange {} and {}", name(a), name(b)),
            Action::Card(card) => {
                let card = &self.rules.cards[card as usize];
                format!("lay {} ({} command)", card.name, card.command)
            }
            Action::Select(unit) => format!("move {}", name(unit)),
            Action::Go(to, coast) => format!("to {}", self.on_coast(to, coast)),
            Action::Strategic(to, coast) => format!("strategically to {}", self.on_coast(to, coast)),
            Action::Invade(area) => format!("invade {}", place(area)),
            Action::Join(unit) => format!("with {}", name(unit)),
            Action::MoveFactory(from, to) => {
                format!("move a factory step from {} to {}", place(from), place(to))
            }
            Action::Pin(unit) => format!("{} is pinned", name(unit)),
            Action::Deploy(unit, area) => format!("place {} at {}", name(unit), place(area)),
            Action::Name(at) => format!("name {}", place(at)),
            Action::Fight(at) => format!("fight at {}", place(at)),
            Action::Fire(target) => format!("fire at {}", target.name()),
            Action::Announce(target) => format!("aim at {}", target.name()),
            Action::Shelter => "shelter in the base".into(),
            Action::Retreat(to, coast) => match state.pending {
                Pending::Land(_) => format!("land at {}", self.on_coast(to, coast)),
                _ => format!("retreat to {}", self.on_coast(to, coast)),
            },
            Action::Take(unit) => format!("{} takes it", name(unit)),
            Action::Extend => "fight another round".into(),
            Action::Exploit => "exploit".into(),
            Action::Move(unit, to) => format!("{} to {}", name(unit), place(to)),
            Action::Roll(nation) => format!("roll for {}", Nation::of(nation).name()),
            Action::AllyPoland => "ally with Poland".into(),
            Action::Build(unit) => format!("a step for {}", name(unit)),
            Action::Raise(unit, area) => format!("build {} at {}", name(unit), place(area)),
            Action::BuildFactory(area) => format!("a factory step at {}", place(area)),
            Action::CutConvoy(unit) => format!("give up {}", name(unit)),
            Action::Subsidy => "a point for Italy".into(),
        }
    }
}
