//! Attacks: the units that would attack a hex best, as one package, the most valuable package first.

use sandtable_core::{Direction, Hex, Index};
use sandtable_eurofront::ids::{Camp, Faction, Hexes};
use sandtable_eurofront::rules::{Goal, Kind};
use sandtable_eurofront::state::Crossing;
use sandtable_eurofront::{Action, Mark, ROUTE_LIMIT};

use super::{Brief, Mover, Planner, RELIEF, STEP, TAKEN, destination, orders_of, route_of_attack};
use crate::diplomacy::is_of;
use crate::forecast::{Fight, Forecast, forecast};
use crate::landings::worth_of_port;
use crate::map_tables::sixths;
use crate::survey::{COMING, Might, is_bogged, is_fortified, is_mud, overcome, shelter};

/// Steps of a fort.
const FORT: u8 = 4;
/// Most units of an attack.
const PACKAGE: usize = 4;
/// Rounds that a battle may go on without support.
const LATER: u32 = 4;

/// What an attack must promise besides, in production points, where no headquarters supports it and whoever is hit takes more hits
/// for a step (7.4), in campaigns: half of the Axis's rounds of 1941 were fought so, and by December it held Smolensk in three games
/// of ten.
const UNSUPPORTED: f32 = 15.0;

/// Supreme Moves from which on an attack is never short of them: two a unit.
const ENOUGH: u32 = 2 * PACKAGE as u32;

/// An attack.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Package {
    value: f32,
    at: Hex,
    members: [(u16, u32); PACKAGE],
    len: usize,
    /// The moves into the hex: a range of [`Planner::approaches`].
    approaches: (u32, u32),
    /// The headquarters whose aircraft would strike, by number.
    striker: Option<usize>,
}

impl Package {
    fn new(at: Hex) -> Package {
        let members = [(0, 0); PACKAGE];
        Package { value: 0.0, at, members, len: 0, approaches: (0, 0), striker: None }
    }

    fn members(&self) -> &[(u16, u32)] {
        &self.members[..self.len]
    }
}

/// The best package of a hex that a plan has found before it sent anybody anywhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptAttack {
    /// The look at sites by which it was found.
    look: u32,
    /// All else that it follows from, in one number.
    case: u64,
    /// Its members with their moves by number among those into the hex.
    package: Package,
}

impl KeptAttack {
    pub(super) const NONE: KeptAttack = KeptAttack {
        look: 0,
        case: 0,
        package: Package {
            value: 0.0,
            at: Hex(0),
            members: [(0, 0); PACKAGE],
            len: 0,
            approaches: (0, 0),
            striker: None,
        },
    };
}

/// What a fight was worth, with all that this follows from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct KeptFight {
    /// The look at sites, and since when the ground was what it was.
    look: u32,
    since: u32,
    hex: Hex,
    supported: bool,
    over_rivers: bool,
    air: f32,
    threat: f32,
    /// Of the own force.
    steps: f32,
    offence: f32,
    worth: f32,
}

/// Fights that are remembered.
pub(super) const FIGHTS: usize = 1 << 12;

impl KeptFight {
    pub(super) const NONE: KeptFight = KeptFight {
        look: 0,
        since: 0,
        hex: Hex(0),
        supported: false,
        over_rivers: false,
        air: 0.0,
        threat: 0.0,
        steps: 0.0,
        offence: 0.0,
        worth: 0.0,
    };

    /// Where it is remembered.
    fn slot(&self) -> usize {
        let mut case = Case(u64::from(self.hex.0) << 1 | u64::from(self.over_rivers));
        case.add(u64::from(self.steps.to_bits()) << 32 | u64::from(self.offence.to_bits()));
        case.add(u64::from(self.air.to_bits()));
        case.0 as usize % FIGHTS
    }
}

/// A number for all that something follows from: different ones are as good as never the same.
struct Case(u64);

impl Case {
    #[inline]
    fn add(&mut self, word: u64) {
        // The multiplier and the mixing of SplitMix64.
        let mixed = (self.0 ^ word).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        self.0 = mixed ^ mixed >> 29;
    }
}

/// A move of a unit that attacks a hex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach {
    to: Hex,
    mover: u16,
    option: u32,
}

/// A unit that may attack the hex at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    mover: u16,
    /// Its moves into the hex: a range of [`Planner::approaches`].
    approaches: (u32, u32),
    /// What is lost where it leaves.
    left: f32,
}

/// A hex that may be attacked: what does not depend on who attacks it.
struct Target {
    hex: Hex,
    /// The fight, but for the attacker's strength.
    fight: Fight,
    bogged: bool,
    /// Hits for a step without support.
    later_hits: f32,
    /// Chance that a step of the enemy repulses one that comes over a river.
    repulse: f32,
    /// What the hex is worth.
    ground: f32,
    /// Whoever wins it wins the scenario: nobody takes it back.
    decides: bool,
    threat: f32,
    /// How far units that fight there are supplied.
    fed: f32,
}

impl Planner {
    /// Plans attacks; the hexes that are attacked.
    pub(super) fn plan_attacks(&mut self, brief: &Brief<'_>) -> Hexes {
        self.list_approaches(brief);
        let mut packages = std::mem::take(&mut self.packages);
        self.list_packages(&mut packages);
        for package in &mut packages {
            *package = self.package_kept(brief, package);
        }
        let mut attacked = Hexes::EMPTY;
        loop {
            let mut best: Option<usize> = None;
            for (at, package) in packages.iter().enumerate() {
                if package.len > 0 && best.is_none_or(|known| package.value > packages[known].value) {
                    best = Some(at);
                }
            }
            let Some(best) = best.filter(|&best| packages[best].value > brief.weights.gain) else { break };
            let package = packages.remove(best);
            attacked.insert(package.at);
            self.total += package.value;
            self.attacks += package.value;
            if let Some(headquarters) = package.striker {
                self.struck[headquarters] = true;
            }
            let mut changed = Hexes::one(package.at);
            let budget = self.budget;
            for &(nth, option) in package.members() {
                changed.insert(self.movers[usize::from(nth)].at);
                self.commit(brief, usize::from(nth), self.options[option as usize]);
            }
            let short = self.budget != budget && self.budget < ENOUGH;
            for other in &mut packages {
                if short || self.is_outdated(other, &changed) {
                    *other = self.package(brief, other);
                }
            }
            #[cfg(test)]
            for kept in &packages {
                assert_eq!(*kept, self.package(brief, kept));
            }
        }
        self.packages = packages;
        attacked
    }

    /// Whether what has been planned since may change an attack: who stands where its units do, or in its hex, and aircraft.
    fn is_outdated(&self, package: &Package, changed: &Hexes) -> bool {
        let (first, last) = package.approaches;
        let mut approaches = self.approaches[first as usize..last as usize].iter();
        changed.contains(package.at)
            || package.striker.is_some_and(|headquarters| self.struck[headquarters])
            || approaches.any(|approach| changed.contains(self.movers[usize::from(approach.mover)].at))
    }

    /// Lists the moves that attack, by hex and unit.
    fn list_approaches(&mut self, brief: &Brief<'_>) {
        self.approaches.clear();
        let enemy = &brief.state.occupied[brief.camp.enemy().index()];
        for (nth, mover) in self.movers.iter().enumerate() {
            if mover.might.steps <= 0.0 {
                continue;
            }
            for option in mover.options.0..mover.options.1 {
                let to = match self.options[option as usize] {
                    Action::Engage(hex, _) => hex,
                    Action::March(hex) | Action::Rail(hex)
                        if brief.tables.winter_war && enemy.contains(hex) =>
                    {
                        hex
                    }
                    // Outside of the Winter War attacks are listed first.
                    _ if !brief.tables.winter_war => break,
                    _ => continue,
                };
                if self.full.contains(to) {
                    continue;
                }
                self.approaches.push(Approach { to, mover: nth as u16, option });
            }
        }
        self.approaches.sort_unstable_by_key(|approach| (approach.to, approach.mover, approach.option));
    }

    /// Lists the hexes that may be attacked, without the units.
    fn list_packages(&self, packages: &mut Vec<Package>) {
        packages.clear();
        let mut first = 0;
        for moves in self.approaches.chunk_by(|one, other| one.to == other.to) {
            let last = first + moves.len() as u32;
            packages.push(Package { approaches: (first, last), ..Package::new(moves[0].to) });
            first = last;
        }
    }

    /// Units that may attack the hex of a package.
    fn list_candidates(&self, brief: &Brief<'_>, package: &Package, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        let (mut first, last) = package.approaches;
        let approaches = &self.approaches[first as usize..last as usize];
        for moves in approaches.chunk_by(|one, other| one.mover == other.mover) {
            let range = (first, first + moves.len() as u32);
            first = range.1;
            let mover = &self.movers[usize::from(moves[0].mover)];
            if !mover.done {
                let left = self.leaving(brief, mover, package.at);
                candidates.push(Candidate { mover: moves[0].mover, approaches: range, left });
            }
        }
    }

    /// The units that would attack a hex best.
    fn package(&mut self, brief: &Brief<'_>, open: &Package) -> Package {
        let mut candidates = std::mem::take(&mut self.candidates);
        self.list_candidates(brief, open, &mut candidates);
        let best = self.best_of(brief, open, &candidates);
        self.candidates = candidates;
        best
    }

    /// The same before anybody has been sent anywhere in a plan: as in a plan before, if all was as it is now.
    fn package_kept(&mut self, brief: &Brief<'_>, open: &Package) -> Package {
        let case = self.case_of(brief, open);
        let first = open.approaches.0;
        let known = &self.attacks_kept[open.at.at()];
        if known.look == self.sites.look && known.case == case {
            let mut package = Package { approaches: open.approaches, ..known.package };
            for member in &mut package.members[..known.package.len] {
                let approach = &self.approaches[(first + member.1) as usize];
                *member = (approach.mover, approach.option);
            }
            #[cfg(test)]
            assert_eq!(package, self.package(brief, open));
            return package;
        }
        let package = self.package(brief, open);
        let mut kept = package;
        let into = &self.approaches[first as usize..open.approaches.1 as usize];
        for member in &mut kept.members[..package.len] {
            let is_its = |approach: &Approach| (approach.mover, approach.option) == *member;
            member.1 = into.iter().position(is_its).unwrap_or(0) as u32;
        }
        self.attacks_kept[open.at.at()] = KeptAttack { look: self.sites.look, case, package: kept };
        package
    }

    /// All that the best package of a hex follows from besides the survey: who may attack it and how, the ground and who stands
    /// there and beside it, support, aircraft, orders and hexsides.
    fn case_of(&self, brief: &Brief<'_>, open: &Package) -> u64 {
        let own = &self.survey.hosts[brief.camp.index()];
        let mut case = Case(0);
        let host = |case: &mut Case, hex: Hex| {
            let at = hex.at();
            case.add(u64::from(own.steps[at].to_bits()) << 32 | u64::from(own.offence[at].to_bits()));
            case.add(u64::from(own.defence[at].to_bits()) << 32 | u64::from(own.blocks[at]));
            case.add(u64::from(self.sites.since(hex)));
        };
        host(&mut case, open.at);
        let strike = self.strike(brief, open.at);
        let (striker, air) = strike.map_or((u32::MAX, 0.0), |(number, air)| (number as u32, air));
        case.add(u64::from(striker) << 32 | u64::from(air.to_bits()));
        let supported = self.supported.contains(open.at);
        case.add(u64::from(self.budget.min(ENOUGH)) << 1 | u64::from(supported));
        let (first, last) = open.approaches;
        let mut mover_before = u16::MAX;
        for approach in &self.approaches[first as usize..last as usize] {
            let another = approach.mover != mover_before;
            if another {
                mover_before = approach.mover;
                let mover = &self.movers[usize::from(approach.mover)];
                host(&mut case, mover.at);
                case.add(
                    u64::from(mover.might.steps.to_bits()) << 32 | u64::from(mover.might.offence.to_bits()),
                );
                let flags = u64::from(mover.commanded) << 1 | u64::from(mover.done);
                case.add(u64::from(mover.might.defence.to_bits()) << 32 | u64::from(mover.at.0) << 2 | flags);
            }
            let (kind, used) = match self.options[approach.option as usize] {
                Action::Engage(to, way) => {
                    let from = brief.game.board().neighbour(to, way.opposite());
                    let side = from.map(|from| Crossing::new(from, way, to));
                    (way as u64, side.map_or(0, |side| self.used(brief, side)))
                }
                Action::March(to) => {
                    let number = route_of_attack(brief, self.movers[usize::from(approach.mover)].at, to);
                    (8, number.map_or(0, |number| self.used(brief, Crossing::route(number))))
                }
                _ => (9, 0),
            };
            case.add(u64::from(another) << 32 | kind << 8 | u64::from(used));
        }
        case.0
    }

    /// The best package of some units: one after another, whoever adds most.
    fn best_of(&self, brief: &Brief<'_>, open: &Package, candidates: &[Candidate]) -> Package {
        let hex = open.at;
        let mut best = Package { approaches: open.approaches, ..Package::new(hex) };
        if candidates.is_empty() {
            return best;
        }
        let own = &self.survey.hosts[brief.camp.index()];
        let mut force = Might {
            steps: own.steps[hex.at()],
            offence: own.offence[hex.at()],
            defence: own.defence[hex.at()],
        };
        let strike = self.strike(brief, hex);
        best.striker = strike.map(|(headquarters, _)| headquarters);
        let target = self.target(brief, hex, strike.map_or(0.0, |(_, air)| air));
        let idle =
            if own.blocks[hex.at()] > 0 { self.fight_worth(brief, &target, force, false) } else { 0.0 };
        let alone = self.price_of_no_support(brief, hex);
        let mut package = best;
        // Units alike add alike.
        let mut alike: Option<(Might, bool, f32)> = None;
        let (mut orders, mut price) = (self.budget, 0.0);
        let mut over_rivers = own.blocks[hex.at()] == 0;
        let room = brief.game.terrain_effect(hex).stacking.saturating_sub(own.blocks[hex.at()]);
        while package.len < PACKAGE.min(usize::from(room)) {
            let mut found: Option<(f32, u16, u32, Might, f32, bool, u32)> = None;
            for candidate in candidates {
                if package.members().iter().any(|&(known, _)| known == candidate.mover) {
                    continue;
                }
                let mover = &self.movers[usize::from(candidate.mover)];
                let Some((option, river)) = self.entry(brief, mover, candidate, &package) else { continue };
                let needs = orders_of(brief, mover, self.options[option as usize]);
                if needs > orders {
                    continue;
                }
                let left = candidate.left + needs as f32 * brief.weights.order;
                let with = Might {
                    steps: force.steps + mover.might.steps,
                    offence: force.offence + mover.might.offence,
                    defence: force.defence + mover.might.defence,
                };
                let all_over = over_rivers && river;
                let worth = match alike {
                    Some((known, over, worth)) if known == with && over == all_over => worth,
                    _ => self.fight_worth(brief, &target, with, all_over),
                };
                alike = Some((with, all_over, worth));
                let value = worth - price - left;
                if found.is_none_or(|known| value > known.0) {
                    found = Some((value, candidate.mover, option, with, left, all_over, needs));
                }
            }
            let Some((value, nth, option, with, left, all_over, needs)) = found else { break };
            package.members[package.len] = (nth, option);
            package.len += 1;
            package.value = value - idle - alone;
            force = with;
            price += left;
            over_rivers = all_over;
            orders -= needs;
            if best.len == 0 || package.value > best.value {
                best = package;
            }
        }
        best
    }

    /// What an attack on a hex must promise besides because nobody supports it: the Axis makes haste while Poland fights.
    fn price_of_no_support(&self, brief: &Brief<'_>, hex: Hex) -> f32 {
        let (game, state) = (brief.game, brief.state);
        let waits = brief.camp == Camp::Coalition || !is_of(game, state, "poland", Faction::Allies);
        let waits = waits && brief.tables.goal == Goal::Campaign;
        if waits && !self.supported.contains(hex) { UNSUPPORTED } else { 0.0 }
    }

    /// The best way for a unit into the hex it may attack: not over a river if it can.
    fn entry(
        &self,
        brief: &Brief<'_>,
        mover: &Mover,
        candidate: &Candidate,
        package: &Package,
    ) -> Option<(u32, bool)> {
        let map = brief.game.map();
        let mut found = None;
        let (first, last) = candidate.approaches;
        for &Approach { option, .. } in &self.approaches[first as usize..last as usize] {
            let action = self.options[option as usize];
            match action {
                Action::March(to) => {
                    let number = route_of_attack(brief, mover.at, to)?;
                    if self.room_on_route(brief, number, action, package) > 0 {
                        return Some((option, false));
                    }
                }
                Action::Engage(to, way) => {
                    let from = brief.game.board().neighbour(to, way.opposite())?;
                    if self.room_at_side(brief, from, way, to, package) == 0 {
                        continue;
                    }
                    let river = map.rivers.contains(from, way);
                    if !river {
                        return Some((option, false));
                    }
                    found = found.or(Some((option, true)));
                }
                _ => return Some((option, false)),
            }
        }
        found
    }

    /// Units that may still cross a hexside, those planned counted.
    fn room_at_side(&self, brief: &Brief<'_>, from: Hex, way: Direction, to: Hex, package: &Package) -> u8 {
        let (game, state) = (brief.game, brief.state);
        let limits = &game.rules.side_limits;
        let limit = if is_mud(game, state, from) || is_mud(game, state, to) {
            limits.mud
        } else if game.map().clear.contains(from, way) {
            limits.clear
        } else {
            limits.other
        };
        let side = Crossing::new(from, way, to);
        let members = package.members().iter();
        let beside = members.filter(|&&(_, option)| self.options[option as usize] == Action::Engage(to, way));
        limit.saturating_sub(self.used(brief, side) + beside.count() as u8)
    }

    /// Units that may still march along a route to attack, those planned counted.
    fn room_on_route(&self, brief: &Brief<'_>, number: u8, march: Action, package: &Package) -> u8 {
        let side = Crossing::route(number);
        let members = package.members().iter();
        let beside = members.filter(|&&(_, option)| self.options[option as usize] == march);
        ROUTE_LIMIT.saturating_sub(self.used(brief, side) + beside.count() as u8)
    }

    /// Units that have crossed a hexside or gone along a route in this phase, those planned counted.
    fn used(&self, brief: &Brief<'_>, side: Crossing) -> u8 {
        let used = self.crossings.iter().find(|(known, _)| *known == side).map_or(0, |&(_, used)| used);
        debug_assert!(used >= brief.state.crossings(side));
        used
    }

    /// What is lost where a unit leaves to attack a hex: who is attacked there threatens no more.
    fn leaving(&self, brief: &Brief<'_>, mover: &Mover, target: Hex) -> f32 {
        let at = mover.at.at();
        let value = brief.worth[at];
        let drawn =
            self.drawn(brief, mover.at, mover.might) - self.drawn_to_battle(brief, target, mover.might);
        if value <= 0.0 {
            return drawn;
        }
        let own = &self.survey.hosts[brief.camp.index()];
        let rest = (own.steps[at] - mover.might.steps).max(0.0);
        let ring = brief.game.board().distance(mover.at, target).saturating_sub(1) as usize;
        let engaged = COMING.get(ring).map_or(0.0, |share| share * self.survey.enemy().steps[target.at()]);
        let threat = (self.survey.threat[at] - engaged).max(0.0) + self.survey.enemy().steps[at];
        let cover = shelter(brief.tables, brief.game, brief.state, mover.at);
        let risk = |steps: f32| overcome(threat, self.survey.country + steps * cover);
        let exposed = brief.weights.hold * value * (risk(rest) - risk(own.steps[at]));
        let given_up = own.blocks[at] == 1 && !self.is_kept(brief, mover.at);
        drawn + exposed + if given_up { TAKEN * value } else { 0.0 }
    }

    // ---- what a fight is worth ----

    /// The fight that so much would have as the active side in a hex.
    pub fn fight(&self, brief: &Brief<'_>, hex: Hex, force: Might, supported: bool, air: f32) -> Fight {
        let (game, state) = (brief.game, brief.state);
        let enemy = &self.survey.hosts[brief.camp.enemy().index()];
        let steps = enemy.steps[hex.at()];
        let city = game.map().major_cities.contains(hex);
        let least = if is_fortified(game, state, hex) {
            // The largest of them fires so (7.5).
            sixths(game, game.rules.combat.fortress_fire) * steps / f32::from(enemy.blocks[hex.at()].max(1))
        } else if self.survey.forts.contains(hex) {
            let [_, own] = brief.tables.fire[Kind::Fort as usize];
            own * f32::from(FORT).min(steps) + (steps - f32::from(FORT)).max(0.0)
        } else if city {
            sixths(game, game.rules.combat.city_fire) * steps
        } else {
            0.0
        };
        Fight {
            steps: force.steps,
            offence: if is_bogged(game, state, hex) { force.steps } else { force.offence },
            air,
            enemy: steps,
            defence: enemy.defence[hex.at()].max(least),
            hits: self.survey.hits(game, state, hex, supported),
            repulsed: 0.0,
        }
    }

    /// A hex that may be attacked, with so much from the air.
    fn target(&self, brief: &Brief<'_>, hex: Hex, air: f32) -> Target {
        let (game, state) = (brief.game, brief.state);
        let supported = self.supported.contains(hex);
        Target {
            hex,
            fight: self.fight(brief, hex, Might::default(), supported, air),
            bogged: is_bogged(game, state, hex),
            later_hits: self.survey.hits(game, state, hex, false),
            repulse: f32::from(game.weather_effect(state, hex).river_repulse) / 6.0,
            ground: self.ground(brief, hex) + self.survey.cut[hex.at()],
            decides: worth_of_port(brief, hex) > 0.0,
            threat: self.survey.threat[hex.at()],
            fed: self.is_fed(brief, hex),
        }
    }

    /// What an own force in a hex where the enemy stands is worth, as far as it is known.
    fn fight_worth(&self, brief: &Brief<'_>, target: &Target, force: Might, over_rivers: bool) -> f32 {
        let known = KeptFight {
            look: self.sites.look,
            since: self.sites.since(target.hex),
            hex: target.hex,
            supported: self.supported.contains(target.hex),
            over_rivers,
            air: target.fight.air,
            threat: target.threat,
            steps: force.steps,
            offence: force.offence,
            worth: 0.0,
        };
        let cell = &self.fights[known.slot()];
        let kept = cell.get();
        if (KeptFight { worth: 0.0, ..kept }) == known {
            #[cfg(test)]
            assert_eq!(
                kept.worth.to_bits(),
                self.worth_of_fight(brief, target, force, over_rivers).to_bits()
            );
            return kept.worth;
        }
        let worth = self.worth_of_fight(brief, target, force, over_rivers);
        cell.set(KeptFight { worth, ..known });
        worth
    }

    /// What it is worth: the round it fights now, and the ground. Where all come over rivers they may be repulsed.
    fn worth_of_fight(&self, brief: &Brief<'_>, target: &Target, force: Might, over_rivers: bool) -> f32 {
        let offence = if target.bogged { force.steps } else { force.offence };
        let mut fight = Fight { steps: force.steps, offence, ..target.fight };
        if over_rivers {
            fight.repulsed = (target.repulse * fight.enemy / force.steps.max(1.0)).min(0.9);
        }
        self.outcome_worth(brief, target, &fight, &forecast(&fight, 1))
    }

    /// What a round is worth with what follows: more rounds, if they pay, which no headquarters need support.
    fn outcome_worth(&self, brief: &Brief<'_>, target: &Target, fight: &Fight, round: &Forecast) -> f32 {
        let w = brief.weights;
        let (rest, enemy) = ((fight.steps - round.lost).max(0.0), (fight.enemy - round.killed).max(0.0));
        let relief = enemy + RELIEF * target.threat;
        let open = 1.0 - round.cleared;
        let exchange = |forecast: &Forecast| STEP * (w.kill * forecast.killed - w.loss * forecast.lost);
        let stays = if target.decides { 1.0 } else { overcome(rest + 0.5, target.threat * 0.5) };
        let later = Fight {
            steps: rest,
            offence: fight.offence * rest / fight.steps.max(0.1),
            air: 0.0,
            enemy: enemy.max(0.5),
            defence: fight.defence * enemy.max(0.5) / fight.enemy.max(0.1),
            hits: target.later_hits,
            repulsed: 0.0,
        };
        let later = forecast(&later, LATER);
        let later = (exchange(&later) + later.cleared * target.ground * stays).max(0.0);
        let danger = w.fear * STEP * rest * overcome(relief, rest);
        let unsupplied = w.supply * STEP * 0.5 * rest.min(3.0) * (1.0 - target.fed);
        let stranglehold = self.strangles(brief, target.hex, rest);
        exchange(round)
            + round.cleared * target.ground * stays
            + open * (w.siege * later + stranglehold - danger)
            - unsupplied
    }

    /// How far units that fight in a hex are supplied: from beside it, if it is the enemy's.
    fn is_fed(&self, brief: &Brief<'_>, hex: Hex) -> f32 {
        if self.is_kept(brief, hex) {
            return 1.0;
        }
        let mut near = brief.game.board().across(&Hexes::one(hex), &brief.game.map().land);
        if brief.tables.winter_war {
            brief.tables.routes.iter().filter_map(|route| route.beyond(hex)).for_each(|far| near.insert(far));
        }
        near.iter().chain([hex]).map(|hex| self.survey.fed(hex)).fold(0.0, f32::max)
    }

    /// The best airstrike on a hex that no other attack has: number of the headquarters, and its sixths.
    fn strike(&self, brief: &Brief<'_>, hex: Hex) -> Option<(usize, f32)> {
        let (game, state) = (brief.game, brief.state);
        let mut best: Option<(usize, f32)> = None;
        for block in *state.marked(Mark::Active) {
            let data = game.brief(block);
            let value = game.command_value(state, block).max(0);
            let reach = match data.kind {
                Kind::SupremeHq => value as u32 * u32::from(game.rules.numbers.supreme_air_range),
                _ => value as u32,
            };
            let number = usize::from(data.headquarters);
            if self.struck[number] || value == 0 || game.board().distance(state.at(block), hex) > reach {
                continue;
            }
            let dice = f32::from(value) * sixths(game, game.air_fire(state, block, hex));
            if dice > 0.0 && best.is_none_or(|(_, known)| dice > known) {
                best = Some((number, dice));
            }
        }
        best
    }

    /// Battles that go on and are worth fighting add to the plan.
    pub(super) fn count_battles(&mut self, brief: &Brief<'_>) {
        for hex in brief.state.battles() {
            let own = &self.survey.hosts[brief.camp.index()];
            let at = hex.at();
            if own.steps[at] <= 0.0 || self.orders.iter().any(|order| destination(order.action) == Some(hex))
            {
                continue;
            }
            let force = Might { steps: own.steps[at], offence: own.offence[at], defence: own.defence[at] };
            let supported = self.supported.contains(hex);
            let strike = self.strike(brief, hex);
            let fight = self.fight(brief, hex, force, supported, strike.map_or(0.0, |(_, air)| air));
            let worth = self.round_worth(brief, hex, &fight);
            if worth > 0.0 {
                self.total += worth;
                self.attacks += worth;
                if let Some((number, _)) = strike {
                    self.struck[number] = true;
                }
            }
        }
    }

    /// What a round is worth against not fighting it.
    pub fn round_worth(&self, brief: &Brief<'_>, hex: Hex, fight: &Fight) -> f32 {
        let round = forecast(fight, 1);
        let w = brief.weights;
        let (rest, enemy) = ((fight.steps - round.lost).max(0.0), (fight.enemy - round.killed).max(0.0));
        let exchange = STEP * (w.kill * round.killed - w.loss * round.lost);
        let ground = self.ground(brief, hex);
        let long = overcome(rest, enemy) - overcome(fight.steps, fight.enemy);
        exchange + round.cleared * ground * (1.0 - w.siege) + 0.5 * ground * long
    }
}

#[cfg(test)]
mod tests {
    use sandtable_eurofront::editor::Editor;
    use sandtable_eurofront::ids::{Camp, Faction, Hexes};
    use sandtable_eurofront::rules::Status;

    use super::UNSUPPORTED;
    use crate::testing::{game, seen_by};

    #[test]
    fn attacks_in_campaigns_wait_for_headquarters() {
        let waits = |scenario: &str, camp: Camp, of_poland: Status, supported: bool| {
            let game = game(scenario);
            let hex = game.rules.place("minsk").unwrap();
            let poland = game.rules.nation("poland").unwrap();
            let state = Editor::new(&game).relate(poland, of_poland).finish();
            seen_by(camp, &game, &state, |brief, player| {
                player.planner.supported = if supported { Hexes::one(hex) } else { Hexes::EMPTY };
                player.planner.price_of_no_support(brief, hex) >= UNSUPPORTED
            })
        };
        let (fights, beaten) = (Status::Belligerent(Faction::Allies), Status::Defeated);
        assert!(waits("1939", Camp::Coalition, fights, false));
        assert!(waits("1939", Camp::Axis, beaten, false));
        assert!(!waits("1939", Camp::Axis, fights, false));
        assert!(!waits("1939", Camp::Axis, beaten, true));
        assert!(!waits("1944", Camp::Coalition, beaten, false));
    }
}
