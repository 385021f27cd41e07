//! Sea lines (15.4): they join the railways of a side over the sea; interception of supply (15.73); siege supply (10.8).

use sandtable_core::Hex;

use crate::event::Event;
use crate::game::EuroFront;
use crate::ids::{Blocks, Camp, Faction, Hexes, Seas, is_on_map};
use crate::rules::NavalBalance;
use crate::state::State;
use crate::supply::Overland;

/// Which sea lines count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SeaLines {
    /// Those the enemy cannot intercept: secure supply (11.71).
    Safe,
    /// Those, and of the others the ones that have not been intercepted in this Supply Phase (15.73).
    Checked,
    /// All: for production (15.4).
    All,
    /// Those the enemy cannot intercept, but for those round the Cape (21.381).
    NotByCape,
}

/// A network of railways and sea lines.
pub(crate) struct Network {
    /// Places that railways and sea lines reach; engaged ports at the end of a sea line are not among them.
    pub places: Hexes,
    /// Ports in which a battle is fought that its camp defends, at the end of a sea line (10.8).
    pub besieged: Hexes,
}

/// The lines of each faction that interception has left (15.73); of others nothing is known.
pub(crate) type CheckedLines = [Option<Network>; 3];
/// Nothing has been checked.
const NOT_CHECKED: CheckedLines = [const { None }; 3];

impl Network {
    /// Nothing.
    pub const EMPTY: Network = Network { places: Hexes::EMPTY, besieged: Hexes::EMPTY };
}

impl EuroFront {
    /// A network of railways and sea lines: what is reached by land, with what sea lines join to it. Sea lines join
    /// friendly ports; they end in a battle, and do not pass straits the enemy holds (15.4).
    pub(crate) fn with_sea_lines(
        &self,
        state: &State,
        faction: Faction,
        overland: &Overland,
        lines: SeaLines,
    ) -> Network {
        let mut network = Network { places: overland.places, besieged: Hexes::EMPTY };
        if !self.rules.scenario.naval {
            return network;
        }
        let camp = faction.camp();
        let mut waters = self.waters(state, faction);
        if lines == SeaLines::NotByCape {
            waters.navigable = waters.navigable.difference(&self.seas().cape);
        }
        let safe =
            waters.navigable.filter(|sea| self.sea_dice(state, faction, sea).is_none_or(|dice| dice.0 == 0));
        let held = self.seas().harbours.and(&self.held(state, camp));
        let held = held.difference(&self.closed_to_lines(state, faction));
        let battles = self.closing_battles(state);
        let ports = held.difference(&battles);
        // Ports that have been reached by sea alone: from one that lies at a closed strait ships sail on on the side they
        // have come from alone.
        let mut by_sea = Hexes::EMPTY;
        let (mut seas, mut all_seas) = (Seas::EMPTY, Seas::EMPTY);
        // Ports from whose whole coast ships have sailed.
        let mut departed = Hexes::EMPTY;
        let strait_ports = &self.seas().strait_ports;
        loop {
            let in_reach = ports.and(&network.places);
            for port in in_reach.difference(&departed) {
                let coast = self.seas().coast(port);
                let leaving = if by_sea.contains(port) && strait_ports.contains(port) {
                    let from = coast.and(&all_seas);
                    let passes = |to| {
                        from.iter().any(|sea| sea == to || !self.is_barred_at(state, camp, port, [sea, to]))
                    };
                    coast.filter(passes)
                } else {
                    coast
                };
                all_seas = all_seas.or(&leaving.and(&waters.navigable));
                seas = seas.or(&leaving.and(&safe));
            }
            departed = in_reach.difference(&by_sea.and(strait_ports));
            seas = fill(seas, &waters.next, safe);
            all_seas = fill(all_seas.or(&seas), &waters.next, waters.navigable);
            let reached = |port: Hex| {
                let coast = self.seas().coast(port);
                coast.intersects(&seas)
                    || coast.intersects(&all_seas)
                        && match lines {
                            SeaLines::Safe | SeaLines::NotByCape => false,
                            SeaLines::Checked => self.has_passed(state, port),
                            SeaLines::All => true,
                        }
            };
            let new = ports.difference(&network.places).filter(reached);
            if new.is_empty() {
                let defended = held.and(&battles).and(&state.defended(camp));
                network.besieged = defended.filter(reached);
                return network;
            }
            by_sea = by_sea.or(&new);
            network.places = network.places.or(&self.along_rails_of(&overland.track, &new));
        }
    }

    // ---- interception of supply (15.73) ----

    /// Whether the sea line of a port through enemy seas has been checked, and not been cut, in this Supply Phase.
    fn has_passed(&self, state: &State, port: Hex) -> bool {
        self.seas().port(port).is_some_and(|number| state.sea.passed[number / 64] >> (number % 64) & 1 != 0)
    }

    /// The active side intercepts the supply of all factions of a camp (15.73). Gives the lines that are left, by faction, of
    /// those that have units; if another of the camp has passed a port after them, they are to be traced anew.
    pub(crate) fn intercept_all_supply<T: crate::Rolls>(
        &self,
        state: &mut State,
        camp: Camp,
        context: &mut T,
    ) -> CheckedLines {
        let before = (state.sea.passed, state.sea.disrupted);
        let mut thrown = false;
        let mut left = NOT_CHECKED;
        for faction in Faction::ALL.into_iter().filter(|faction| faction.camp() == camp) {
            let units = state.standing[camp.index()].and(&self.sets().of_faction[faction.index()]);
            if !units.is_empty() {
                let passed = state.sea.passed;
                let (any, lines) = self.intercept_supply(state, faction, &units, context);
                thrown |= any;
                if state.sea.passed != passed {
                    left = NOT_CHECKED; // The ports that have been passed are those of its whole camp.
                }
                left[faction.index()] = Some(lines);
            }
        }
        state.sea.contested[camp.index()] = thrown;
        if thrown || before != (state.sea.passed, state.sea.disrupted) {
            state.supply_holds[camp.index()] = false;
        }
        left
    }

    /// The active side intercepts sea lines of a faction's ports and beachheads that go through enemy seas: each once, if
    /// units depend on it. Says whether any dice were thrown, and what lines are left.
    fn intercept_supply<T: crate::Rolls>(
        &self,
        state: &mut State,
        faction: Faction,
        units: &Blocks,
        context: &mut T,
    ) -> (bool, Network) {
        let overland = self.overland(state, faction);
        let track = self.track_of(state, faction);
        let lines_of = |state: &State, lines| {
            let overland = overland.as_ref();
            overland.map_or(Network::EMPTY, |overland| self.with_sea_lines(state, faction, overland, lines))
        };
        let all = lines_of(state, SeaLines::All);
        let mut known = lines_of(state, SeaLines::Checked);
        let mut thrown = false;
        if all.places != known.places || all.besieged != known.besieged {
            let wanted = self.units_supplied_by(state, faction, units, &all);
            let mut tried = Hexes::EMPTY;
            loop {
                let left = wanted.difference(&self.units_supplied_by(state, faction, units, &known));
                if left.is_empty() {
                    break;
                }
                let places =
                    self.seas().harbours.and(&all.places.difference(&known.places).or(&all.besieged));
                let places = places.difference(&known.besieged).difference(&tried);
                let depend = |port: Hex| {
                    let alone = Hexes::one(port);
                    let besieged = all.besieged.and(&alone);
                    let places =
                        if besieged.is_empty() { self.along_rails_of(&track, &alone) } else { Hexes::EMPTY };
                    let network = Network { places, besieged };
                    self.units_supplied_by(state, faction, units, &network).intersects(&left)
                };
                let Some(port) = places.iter().find(|&port| depend(port)) else { break };
                tried.insert(port);
                thrown = true;
                if !self.is_line_cut(state, faction, &known, port, 1, context)
                    && let Some(number) = self.seas().port(port)
                {
                    state.sea.passed[number / 64] |= 1 << (number % 64);
                    known = lines_of(state, SeaLines::Checked);
                }
            }
        }
        for number in 0..self.seas().beachheads.len() {
            let (block, _) = self.seas().beachheads[number];
            let at = state.at(block);
            let checked = is_on_map(at)
                && self.brief(block).faction == faction
                && !self.is_disrupted(state, number)
                && !known.places.contains(at);
            if checked {
                thrown = true;
                if self.is_line_cut(state, faction, &known, at, 0, context) {
                    self.disrupt(state, number, true);
                }
            }
        }
        (thrown, known)
    }

    /// The sea line from a place to a network is named by its owner, who takes the one with the fewest dice; the enemy
    /// throws them. Row 0 of the table is for beachheads, 1 for ports.
    fn is_line_cut<T: crate::Rolls>(
        &self,
        state: &State,
        faction: Faction,
        network: &Network,
        at: Hex,
        row: usize,
        context: &mut T,
    ) -> bool {
        let camp = faction.camp();
        let ports = self.seas().harbours.and(&network.places).and(&self.held(state, camp));
        let ports = ports.difference(&self.closing_battles(state));
        let from = ports.iter().fold(Seas::EMPTY, |seas, port| seas.or(&self.seas().coast(port)));
        let courses = self.courses(state, faction, from, u8::MAX, Seas::EMPTY);
        let Some(course) = courses.safest(self.seas().coast(at)) else { return true };
        let mut cut = false;
        for balance in [NavalBalance::Supremacy, NavalBalance::Parity, NavalBalance::Inferiority] {
            let up_to = self.rules.naval.supply_cut[row][balance.index()];
            for _ in 0..course.dice[balance.index()] {
                cut |= context.die(6) as u8 <= up_to;
            }
        }
        let dice = course.all_dice();
        if dice > 0 {
            context.emit(|| Event::SupplyIntercepted { at, dice, cut });
        }
        cut
    }

    // ---- siege supply (10.8, 15.41) and beachheads (15.63) ----

    /// Units that siege supply keeps in besieged ports: one in each, of one step; with supremacy one of any strength, with
    /// air supremacy as well all of them. A unit of more steps than it keeps loses one (A17).
    pub(crate) fn siege_supplied(&self, state: &State, faction: Faction, besieged: &Hexes) -> Blocks {
        let mut supplied = Blocks::EMPTY;
        for port in *besieged {
            let stack = state.stack(port, faction.camp());
            if self.sieges_are_open(state, faction) {
                supplied = supplied.or(&stack);
                continue;
            }
            let any_strength = self.is_supreme(state, faction, Seas::EMPTY);
            let kept = |block: &crate::ids::BlockId| {
                any_strength || state.steps[*block] <= self.rules.naval.siege_steps
            };
            if let Some(block) = stack.iter().filter(kept).max_by_key(|&block| state.steps[block]) {
                supplied.insert(block);
            }
        }
        supplied
    }

    /// Whether an engaged port supplies as any other: with naval and air supremacy (15.83).
    pub(crate) fn sieges_are_open(&self, state: &State, faction: Faction) -> bool {
        faction == Faction::Allies
            && state.sea.supremacy == Some(Camp::Coalition)
            && self.allied_air_supremacy(state)
    }

    /// Hexes from which beachheads supply units up to two hexes away: in hexes their camp controls (15.63); and those in
    /// which they supply nobody but who stands in them. With safe lines those alone that the enemy cannot intercept.
    pub(crate) fn beachhead_sources(
        &self,
        state: &State,
        faction: Faction,
        network: &Network,
        lines: SeaLines,
    ) -> [Hexes; 2] {
        let (mut wide, mut narrow) = (Hexes::EMPTY, Hexes::EMPTY);
        let camp = faction.camp();
        for (number, &(block, _)) in self.seas().beachheads.iter().enumerate() {
            let at = state.at(block);
            if !is_on_map(at) || self.brief(block).faction != faction || self.is_disrupted(state, number) {
                continue;
            }
            // A line by sea to a friendly port; if it can be intercepted, that has been thrown for (15.73).
            let courses = self.courses(state, faction, self.seas().coast(at), u8::MAX, Seas::EMPTY);
            let ports = self.seas().harbours.and(&network.places);
            let joined = ports.iter().any(|port| {
                let course = courses.safest(self.seas().coast(port));
                course.is_some_and(|course| lines != SeaLines::Safe || course.all_dice() == 0)
            });
            if !joined {
                continue;
            }
            if faction == Faction::Soviets {
                // 15.67: its own and adjacent hexes.
                narrow =
                    narrow.or(&self.board().across(&Hexes::one(at), &self.map().land)).or(&Hexes::one(at));
            } else if state.friendly[camp.index()].contains(at) {
                wide.insert(at);
            } else {
                narrow.insert(at);
            }
        }
        [wide, narrow]
    }
}

/// Sea areas reached from some through open ones.
fn fill(start: Seas, next: &[Seas; crate::ids::MAX_SEAS], open: Seas) -> Seas {
    let (mut reached, mut frontier) = (start, start);
    while !frontier.is_empty() {
        let around = frontier.iter().fold(Seas::EMPTY, |all, sea| all.or(&next[sea.0 as usize]));
        frontier = around.and(&open).difference(&reached);
        reached = reached.or(&frontier);
    }
    reached
}
