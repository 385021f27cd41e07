//! Words for counters, decisions and facts.

use sandtable_core::Index;

use crate::action::Action;
use crate::event::{Battle, Event};
use crate::game::BlitzWar;
use crate::location::{Counter, Location, Zone};
use crate::nation::{Country, Force};
use crate::phase::{Pending, Phase};
use crate::rules::Kind;
use crate::state::{State, Status};

/// Half units as a number of units: `2`, `2.5`.
fn halves(amount: u8) -> String {
    if amount.is_multiple_of(2) { format!("{}", amount / 2) } else { format!("{}.5", amount / 2) }
}

/// `3 infantry corps`, `1 air unit`, `2.5 supply units`.
fn amount(kind: Kind, units: u8) -> String {
    let (number, noun) = match kind {
        Kind::Infantry => (units.to_string(), "infantry corps"),
        Kind::Armour => (units.to_string(), "armour corps"),
        Kind::White | Kind::Elite => (units.to_string(), "corps"),
        Kind::Air => (units.to_string(), "air unit"),
        Kind::Fleet => (units.to_string(), "fleet unit"),
        Kind::Submarine => (units.to_string(), "submarine unit"),
        Kind::Supply => (halves(units), "supply unit"),
    };
    let plural = if number == "1" || noun.ends_with("corps") { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A kind as a player says it.
fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Infantry => "infantry",
        Kind::Armour => "armour",
        Kind::White => "white",
        Kind::Elite => "Elite",
        Kind::Air => "air",
        Kind::Fleet => "fleet",
        Kind::Submarine => "submarine",
        Kind::Supply => "supply",
    }
}

/// Name of a phase for people (8).
fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Deployment => "free placement",
        Phase::Diplomacy => "diplomacy",
        Phase::Cards => "choice of cards",
        Phase::Minors => "reinforcements of minors",
        Phase::PowerLosses => "losses of supply",
        Phase::LendLease => "lend-lease",
        Phase::Placement => "placement of reinforcements",
        Phase::Reorganisation => "reorganisation",
        Phase::NavalMovement => "naval movement",
        Phase::NavalCombat => "naval combat",
        Phase::Bombing => "strategic bombing",
        Phase::BattleOfBritain => "Battle of Britain",
        Phase::TacticalAir => "tactical use of air",
        Phase::Beachheads => "beachheads",
        Phase::StrategicAir => "strategic air movement",
        Phase::SeaTransport => "sea transport",
        Phase::Fortification => "fortification",
        Phase::StrategicMovement => "strategic movement",
        Phase::TacticalMovement => "tactical movement",
        Phase::Blitz => "Blitz combat",
        Phase::BlitzMove => "moves after Blitz combat",
        Phase::Normal => "normal combat",
        Phase::NormalMove => "moves after normal combat",
        Phase::OutOfSupply => "moves of units out of supply",
        Phase::LateAir => "strategic air movement at the end of the turn",
        Phase::Over => "end of the game",
    }
}

/// Odds of the ladder (16.2).
fn odds_name(odds: i8) -> String {
    match odds {
        0 => "2-3".into(),
        1 => "1-1".into(),
        2 => "3-2".into(),
        n => format!("{}-1", n - 1),
    }
}

impl BlitzWar {
    /// A counter as players write it: `German I3`, `British I1C1`, `Axis S2.5`.
    pub fn counter_name(&self, state: &State, counter: Counter) -> String {
        let strength = state.strength(counter);
        let (infantry, armour) = self.corps_of(state, counter);
        let face = match self.kind(counter) {
            Kind::Infantry => format!("I{infantry}"),
            Kind::Armour => format!("C{armour}"),
            Kind::White => format!("I{infantry}C{armour}"),
            Kind::Elite => format!("Elite I{infantry}C{armour}"),
            Kind::Air => format!("A{strength}"),
            Kind::Fleet => format!("F{strength}"),
            Kind::Submarine => format!("U{strength}"),
            Kind::Supply => format!("S{}", halves(strength)),
        };
        let fortified = self.kind(counter).is_corps() && state.is_turned(counter);
        format!("{} {face}{}", self.nation(counter).name(), if fortified { " (fortified)" } else { "" })
    }

    /// A counter with its place: `German I3 at Warsaw`.
    fn counter_at(&self, state: &State, counter: Counter) -> String {
        let place = self.place_name(state, state.location(counter));
        format!("{} at {place}", self.counter_name(state, counter))
    }

    fn card_name(&self, force: Force, card: u8) -> &str {
        &self.rules.decks[force.index()][card as usize].name
    }

    /// A decision in words, as a player would say it.
    pub fn describe_action(&self, state: &State, action: Action) -> String {
        let name = |counter: Counter| self.counter_name(state, counter);
        let at = |counter: Counter| self.counter_at(state, counter);
        let place = |place: Location| self.place_name(state, place);
        match action {
            Action::Pass => self.describe_pass(state),
            Action::Deploy(zone) => format!("Deploy the next army at {}", place(zone)),
            Action::Roll => match state.pending {
                Pending::TurkishRoll => "Roll for free passage through Turkey".into(),
                _ => "Roll for Spain to join the Axis".into(),
            },
            Action::Card(card) => {
                format!("Choose the card {}", self.card_name(self.decider(state), card))
            }
            Action::Italian(kind) => format!("Take Italian {} as reinforcement", kind_name(kind)),
            Action::Place { nation, kind, place: to } => {
                format!("Place {} {} at {}", nation.name(), kind_name(kind), place(to))
            }
            Action::PaySupply => "Pay the loss from supply".into(),
            Action::GiveUp(kind) => format!("Give up {} of the reinforcements", amount(kind, 1)),
            Action::Lend(Kind::Supply) => "Lend 2 supply units to the Soviets".into(),
            Action::Lend(kind) => format!("Lend {} to the Soviets", amount(kind, 1)),
            Action::Release(index) => {
                let sheet = &self.rules.counter_types[index as usize];
                let size = if sheet.kind == Kind::Supply {
                    amount(sheet.kind, 2 * sheet.front)
                } else {
                    amount(sheet.kind, sheet.front)
                };
                format!("Release a {} counter of {size}", sheet.nation.name())
            }
            Action::Reorganise => "Reorganise".into(),
            Action::Merge(a, b) => format!("Combine {} with {}", name(a), at(b)),
            Action::MergeElite(a, b) => {
                format!("Combine {} with {} into an Elite Army", name(a), at(b))
            }
            Action::Exchange(counter) if self.kind(counter) == Kind::Elite => {
                format!("Exchange {} for a plain counter", at(counter))
            }
            Action::Exchange(counter) => format!("Exchange {} for an Elite Army", at(counter)),
            Action::Split(counter, Kind::Supply) => format!("Divide {}", at(counter)),
            Action::Split(counter, kind) => format!("Detach {} from {}", amount(kind, 1), at(counter)),
            Action::Discard(counter) => format!("Remove {}", at(counter)),
            Action::Select(counter) => match state.phase {
                Phase::TacticalAir => format!("Use {}", at(counter)),
                Phase::SeaTransport => format!("Transport {}", at(counter)),
                Phase::StrategicMovement | Phase::StrategicAir | Phase::LateAir => {
                    format!("Move {} strategically", at(counter))
                }
                _ => format!("Move {}", at(counter)),
            },
            Action::Go(to) => self.describe_go(state, to),
            Action::NavalAttack(sea) => format!("Fight in the {}", self.rules.seas[sea.at()].name),
            Action::Bomb(counter) => format!("Bomb Germany with {}", at(counter)),
            Action::Respond(counter) => match state.pending {
                Pending::Response { counter: used, .. } => {
                    format!("Answer {} with {}", at(used), at(counter))
                }
                _ => format!("Answer with {}", at(counter)),
            },
            Action::Dogfight => "Fight a round of the Battle of Britain".into(),
            Action::Beachhead { counter, zone } => {
                format!("Use {} as a beachhead at {}", at(counter), place(zone))
            }
            Action::Fortify(counter) => format!("Fortify an infantry corps of {}", at(counter)),
            Action::Unfortify(counter) => format!("Turn back {}", at(counter)),
            Action::ChooseDepot => "Choose the depot that pays next".into(),
            Action::PayFrom(zone) => format!("Pay next from {}", place(zone)),
            Action::Activate(counter) => format!("Activate {}", at(counter)),
            Action::Attack(zone) => format!("Attack {}", place(zone)),
            Action::Withhold(counter) => format!("Leave {} out of the attack", at(counter)),
            Action::Resolve => format!("Roll for the attack on {}", place(state.combat.target)),
            Action::UseShift => "Use the German defence shift".into(),
            Action::WaiveShift => "Waive the German defence shift".into(),
            Action::Lose(counter, _) if state.is_turned(counter) => {
                format!("Turn back {} instead of a loss", at(counter))
            }
            Action::Lose(counter, kind) => format!("Lose {} from {}", amount(kind, 1), at(counter)),
            Action::Retreat(zone) => format!("Retreat to {}", place(zone)),
            Action::Hold => "Stay, for one more corps".into(),
            Action::Advance(counter, zone) => {
                let from = place(state.location(counter));
                format!("Advance {} from {from} to {}", name(counter), place(zone))
            }
            Action::Eliminate(counter) => format!("Eliminate {} over the stacking limit", at(counter)),
        }
    }

    fn describe_pass(&self, state: &State) -> String {
        match state.pending {
            Pending::SpanishRoll => "Do not roll for Spain".into(),
            Pending::TurkishRoll => "Do not roll for Turkey".into(),
            Pending::Response { counter, .. } => format!("Do not answer {}", self.counter_at(state, counter)),
            Pending::March(counter) => format!("Stop with {}", self.counter_at(state, counter)),
            Pending::Advance => "Advance no further".into(),
            Pending::Reorganisation => "Leave the counters as they are".into(),
            _ => format!("End the {}", phase_name(state.phase)),
        }
    }

    fn describe_go(&self, state: &State, to: Location) -> String {
        let target = self.place_name(state, to);
        let (Pending::Destination(counter) | Pending::March(counter)) = state.pending else {
            return format!("Go to {target}");
        };
        let (name, from) =
            (self.counter_name(state, counter), self.place_name(state, state.location(counter)));
        match state.phase {
            Phase::TacticalAir => format!("Send {name} from {from} over {target}"),
            Phase::SeaTransport => format!("Transport {name} from {from} to {target}"),
            _ => format!("Move {name} from {from} to {target}"),
        }
    }

    /// A fact in words for a replay; `None` for facts that another one tells too.
    pub fn describe_event(&self, state: &State, event: &Event) -> Option<String> {
        let place = |place: Location| self.place_name(state, place);
        let zone = |zone: Zone| self.rules.zones[zone.at()].name.as_str();
        Some(match *event {
            Event::TurnBegins { turn } => {
                let date = &self.rules.calendar[turn as usize - 1];
                let half = if date.half == 1 { "first" } else { "second" };
                format!("Turn {turn}: {half} half of {} {}", date.season, date.year)
            }
            Event::SideDone { force, axis_points, .. } => {
                format!("{} turn over; the Axis holds {axis_points} strategic points", force.name())
            }
            Event::PhaseBegins { .. } | Event::Exchanged { .. } | Event::Combined { .. } => return None,
            Event::Standing { country, status } => standing(country, status),
            Event::DiplomaticRoll { country, die } => format!("Die for {}: {die}", country.name()),
            Event::CardShown { force, card } => {
                format!("{} card: {}", force.name(), self.card_name(force, card))
            }
            Event::SupplyLost { force, units } => {
                format!("{} side loses {}", force.name(), amount(Kind::Supply, 2 * units))
            }
            Event::Reinforced { nation, kind, units, place: at } => {
                format!("Reinforcement: {} {} at {}", nation.name(), amount(kind, units), place(at))
            }
            Event::Lost { nation, kind, units, place: at, .. } => {
                format!("Lost: {} {} at {}", nation.name(), amount(kind, units), place(at))
            }
            Event::Overstacked { force, corps, zone: at } => {
                format!("{} gives up {corps} corps over the stacking limit in {}", side(force), zone(at))
            }
            Event::Unplaced { force, kind, units } => {
                format!("{} side has no place for {}", force.name(), amount(kind, units))
            }
            Event::Spent { force, halves } => {
                format!("{} side spends {}", force.name(), amount(Kind::Supply, halves))
            }
            Event::Moved { counter, from, to } => {
                format!("{} goes from {} to {}", self.moved_name(state, counter), place(from), place(to))
            }
            Event::Control { zone: at, force: Some(force) } => format!("{} takes {}", side(force), zone(at)),
            Event::Control { zone: at, force: None } => format!("{} is neutral", zone(at)),
            Event::NavalRound { sea, attacker, die, attacker_loss, defender_loss } => format!(
                "Naval combat in the {}: {} attack, die {die}, {attacker_loss} lost by the attacker, {defender_loss} by \
                 the defender",
                self.rules.seas[sea.at()].name,
                attacker.name()
            ),
            Event::AirMission { nation, place: at } => format!("{} air over {}", nation.name(), place(at)),
            Event::AirAnswered { nation, place: at } => {
                format!("{} air answers over {}; both units are lost", nation.name(), place(at))
            }
            Event::BritainRound { die } => format!("Battle of Britain: die {die}"),
            Event::Battle(ref battle) => self.describe_battle(battle),
            Event::Retreated { from, to } => format!("Retreat from {} to {}", zone(from), zone(to)),
            Event::GameOver { allied_soviet, axis } => {
                format!("The game is over: Allies and Soviets {allied_soviet}, Axis {axis}")
            }
        })
    }

    /// A counter's name once it may have left the map: without strength if it has none.
    fn moved_name(&self, state: &State, counter: Counter) -> String {
        if state.strength(counter) == 0 {
            format!("{} {}", self.nation(counter).name(), kind_name(self.kind(counter)))
        } else {
            self.counter_name(state, counter)
        }
    }

    fn describe_battle(&self, battle: &Battle) -> String {
        let attackers = battle.attacking_infantry + battle.attacking_armour;
        let defenders = battle.defending_infantry + battle.defending_armour;
        let armour = if battle.attacker_armour_loss { " (armour)" } else { "" };
        format!(
            "{} {} on {}: {attackers} to {defenders} corps, {} with {:+} columns, column {}, die {}; {}{armour} lost by \
             the attacker, {} by the {} defender",
            battle.attacker.name(),
            if battle.blitz { "Blitz" } else { "attack" },
            self.rules.zones[battle.zone.at()].name,
            odds_name(battle.odds),
            battle.modifiers.total(),
            odds_name(battle.column as i8),
            battle.die,
            battle.attacker_loss,
            battle.defender_loss,
            battle.defender.name(),
        )
    }
}

/// A side as the subject of a sentence.
fn side(force: Force) -> &'static str {
    match force {
        Force::Axis => "The Axis",
        Force::Allied => "The Allied side",
        Force::Soviet => "The Soviet side",
    }
}

/// A country's standing as a sentence.
fn standing(country: Country, status: Status) -> String {
    let name = country.name();
    match status {
        Status::Axis => format!("{name} is at war on the Axis side"),
        Status::Allied => format!("{name} is at war on the Allied side"),
        Status::Soviet => format!("{name} is at war on the Soviet side"),
        Status::Neutral => format!("{name} is neutral"),
        Status::Passage => format!("{name} lets Axis troops pass"),
        Status::Surrendered => format!("{name} surrenders"),
        Status::Absent => format!("{name} does not exist"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::*;
    use crate::nation::Nation;

    #[test]
    fn actions_read_as_a_player_says_them() {
        let game = game();
        let mut state = position(&game, 5, Phase::SeaTransport, Force::Axis);
        let army = put(&game, &mut state, Nation::Ger, Kind::Infantry, 3, HAMBURG);
        let depot = put(&game, &mut state, Nation::Axis, Kind::Supply, 5, RUHR);
        let fort = put(&game, &mut state, Nation::Ger, Kind::Infantry, 1, RUHR);
        state.turn_face(fort, true);
        let air = put(&game, &mut state, Nation::Ger, Kind::Air, 1, HAMBURG);
        let say = |state: &State, action| game.describe_action(state, action);
        assert_eq!(say(&state, Action::Advance(army, CALAIS)), "Advance German I3 from Hamburg to Calais");
        assert_eq!(say(&state, Action::Select(depot)), "Transport Axis S2.5 at Ruhr");
        assert_eq!(say(&state, Action::Unfortify(fort)), "Turn back German I1 (fortified) at Ruhr");
        assert_eq!(say(&state, Action::Pass), "End the sea transport");
        state.phase = Phase::TacticalAir;
        state.pending = Pending::Destination(air);
        assert_eq!(
            say(&state, Action::Go(Location::of_sea(NORTH_SEA))),
            "Send German A1 from Hamburg over North Sea"
        );
        state.pending = Pending::Response { counter: air, target: LONDON, responder: 1 };
        assert_eq!(say(&state, Action::Pass), "Do not answer German A1 at Hamburg");
    }

    #[test]
    fn facts_read_as_sentences() {
        let game = game();
        let state = position(&game, 5, Phase::Normal, Force::Axis);
        let say = |event| game.describe_event(&state, &event);
        let lost = Event::Lost {
            nation: Nation::Uk,
            kind: Kind::Fleet,
            units: 2,
            place: Location::of_sea(NORTH_SEA),
            unsupplied: false,
        };
        assert_eq!(say(lost).unwrap(), "Lost: British 2 fleet units at North Sea");
        let spent = Event::Spent { force: Force::Axis, halves: 3 };
        assert_eq!(say(spent).unwrap(), "Axis side spends 1.5 supply units");
        assert_eq!(say(Event::PhaseBegins { phase: Phase::Normal, force: Force::Axis }), None);
    }
}
