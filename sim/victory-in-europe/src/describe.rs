//! Actions and facts in words.

use crate::action::Action;
use crate::event::{Event, LossCause};
use crate::game::VictoryInEurope;
use crate::nation::{Nation, Team};
use crate::phase::{Pending, Phase};
use crate::place::{Place, UnitId};
use crate::rules::Standing;
use crate::state::State;
use sandtable_core::Index;

impl VictoryInEurope {
    fn unit_name(&self, unit: UnitId) -> &str {
        self.rules.units.get(unit.at()).map_or("a unit", |unit| unit.name.as_str())
    }

    fn on_coast(&self, place: Place, coast: u8) -> String {
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
                (_, Pending::Neutral { .. }) => "the rest at their homes".into(),
                (_, Pending::Invasion(_)) => "nobody joins".into(),
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
            Action::MoveFactory(from, to) if from == to => {
                format!("move a factory step from {}", place(from))
            }
            Action::MoveFactory(_, to) => format!("to {}", place(to)),
            Action::Pin(unit) => format!("{} is pinned", name(unit)),
            Action::Deploy(unit, area) => format!("place {} at {}", name(unit), place(area)),
            Action::Name(at) => format!("name {}", place(at)),
            Action::Fight(at) => format!("fight at {}", place(at)),
            Action::Fire(target) => format!("fire at {}", target.name()),
            Action::Announce(target) => format!("aim at {}", target.name()),
            Action::Shelter => "shelter in the base".into(),
            Action::Retreat(Place::NONE, _) => "retreat".into(),
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
            Action::Subsidy => match self.rules.charts.subsidy {
                1 => "a point for Italy".into(),
                points => format!("{points} points for Italy"),
            },
        }
    }

    /// A fact in words; `None` if it goes without saying.
    pub fn describe_event(&self, event: &Event) -> Option<String> {
        let place = |at| self.place_name(at);
        let team = |team| if team == Team::Axis { "the Axis" } else { "the Allies" };
        let steps = |count: u8| if count == 1 { "a step".to_owned() } else { format!("{count} steps") };
        Some(match *event {
            Event::TurnBegins { .. } | Event::PhaseBegins { .. } | Event::BattleBegins { .. } => return None,
            Event::Cards { played, first } => {
                let laid = played.iter().filter_map(|&card| self.rules.cards.get(card as usize));
                let laid: Vec<String> =
                    laid.map(|card| format!("{} ({})", card.name, card.command)).collect();
                format!("cards: {}; {} move first", laid.join(", "), team(first))
            }
            Event::Moved { unit, from, to, strategic } => {
                let how = if strategic { ", strategically" } else { "" };
                format!("{} goes from {} to {}{how}", self.unit_name(unit), place(from), place(to))
            }
            Event::Invasion { force, area } => format!("the {} invade {}", force.name(), place(area)),
            Event::War { by, on } => format!("war between the {} and {}", by.name(), on.name()),
            Event::Standing { nation, standing } => {
                let name = nation.name();
                match standing {
                    Standing::Gone => format!("{name} is out of the war"),
                    Standing::Neutral => format!("{name} is neutral"),
                    Standing::Defending => format!("{name} defends itself"),
                    Standing::Axis => format!("{name} is with the Axis"),
                    Standing::Western => format!("{name} is with the Western Allies"),
                    Standing::Soviet => format!("{name} is with the Soviets"),
                }
            }
            Event::Roll { force, nation, dice, bonus, needed } => {
                let verdict = if dice + bonus >= needed { "success" } else { "refused" };
                let (force, nation) = (force.name(), nation.name());
                format!("the {force} roll {dice}+{bonus} for {nation}, {needed} needed: {verdict}")
            }
            Event::Fired { unit, target, fire, dice, hits } => {
                let who = if unit == UnitId::NONE { "flak" } else { self.unit_name(unit) };
                format!("{who} fires {dice} dice at {fire} on {}: {hits} hit", target.name())
            }
            Event::BattleEnds(battle) => {
                let [a, d] = battle.units;
                let (won, lost) = (if battle.won { "wins" } else { "fails" }, battle.lost);
                format!(
                    "battle at {}: {} attack, {a} units against {d}, {} rounds; the attacker {won}; steps lost {} to {}",
                    place(battle.place),
                    team(battle.attacker),
                    battle.rounds,
                    lost[0],
                    lost[1]
                )
            }
            Event::Loss { unit, steps: count, cause } => {
                let why = match cause {
                    LossCause::Fire => "in battle",
                    LossCause::Retreat => "retreating",
                    LossCause::NoRetreat => "with no way out",
                    LossCause::Attrition => "out of supply",
                    LossCause::Event => "to an event",
                    LossCause::Blitz => "for a Blitz",
                    LossCause::Ice => "to the ice",
                    LossCause::Surrender => "with its country",
                    LossCause::Stacking => "over the stacking limit",
                    LossCause::GivenUp => "given up",
                };
                match count {
                    0 => format!("{} is lost {why}", self.unit_name(unit)),
                    _ => format!("{} loses {} {why}", self.unit_name(unit), steps(count)),
                }
            }
            Event::FactoryLoss { area, steps: count } => {
                format!("the factory at {} loses {}", place(area), steps(count))
            }
            Event::Taken { area, by } => format!("{} takes {}", by.name(), place(area)),
            Event::Production { nation, resources, factories, points, local } => {
                let on_top = if local > 0 {
                    format!(", and {local} for the Urals or Leningrad alone")
                } else {
                    String::new()
                };
                format!(
                    "{} has {resources} resources and {factories} factory steps: {points} points{on_top}",
                    nation.name()
                )
            }
            Event::Unspent { nation, points } => format!("{} leaves {points} points unspent", nation.name()),
            Event::Built { unit, place: at, new } => {
                let what = if new { "enters" } else { "gains a step" };
                format!("{} {what} at {}", self.unit_name(unit), place(at))
            }
            Event::Over { end_reason } => format!("the game is over: {}", end_reason.replace('_', " ")),
        })
    }
}
