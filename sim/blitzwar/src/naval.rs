//! Naval phase (12): movement, combat, blockade; and the harbours that change hands (15.3).
//!
//! Rulings: whose supply a ship sails on R-91, ports R-92, losses R-93, ships driven out R-94.

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, Locations, Sea, Zone, seas};
use crate::nation::{Force, Nation};
use crate::phase::{Pending, Phase};
use crate::rules::{Kind, Seas, Zones};
use crate::sequence::{ActionSink, Flow, Offer, PassFirst};
use crate::state::{State, mark};
use crate::supply::Till;

/// Zones and seas as locations.
pub(crate) fn with_seas(zones: Zones, waters: Seas) -> Locations {
    seas(waters).fold(zones, |mut places, sea| {
        places.insert(Location::of_sea(sea));
        places
    })
}

impl BlitzWar {
    /// Of these, the counters of a side outside pool and lock, in ascending order.
    pub(crate) fn units(
        &self,
        state: &State,
        force: Force,
        wanted: &Counters,
        mut each: impl FnMut(Counter) -> Flow,
    ) -> Flow {
        for counter in wanted.and(&self.counters_of(state, force)) {
            each(counter)?;
        }
        Continue(())
    }

    /// Whether two sides fight each other now: Axis and Soviets are at peace until one attacks the other (9.3).
    pub fn at_war(&self, state: &State, a: Force, b: Force) -> bool {
        a.opposes(b) && (a != Force::Soviet && b != Force::Soviet || state.timers.axis_soviet_war != 0)
    }

    /// Legal actions of the Naval Phase (12.1, 12.2).
    pub(crate) fn naval_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        if let Pending::Destination(counter) = state.pending {
            return self.naval_targets(state, counter, out);
        }
        let mut out = PassFirst::new(out, Action::Pass);
        self.turned_back(state, &mut out)?;
        if state.phase == Phase::NavalCombat {
            for sea in seas(self.contested_seas(state) & !u32::from_le_bytes(state.tally)) {
                out.offer(Action::NavalAttack(sea))?;
            }
            return Continue(());
        }
        let area = self.own_area(state, state.active);
        let mut till = Till::new(self, state);
        // Ships of one kind in one place can all sail or none can.
        let mut last = (Location::NONE, Kind::Fleet, false);
        let ships = self.tables.sheet.ships.and(&self.counters_of(state, state.active));
        let mut sails = |counter: Counter| {
            if state.has_mark(counter, mark::DONE) {
                return false;
            }
            let (place, kind) = (state.location(counter), self.kind(counter));
            if (last.0, last.1) != (place, kind) {
                last = (place, kind, self.may_sail(state, counter, &area, &mut till));
            }
            last.2 && !self.has_identical_before(state, counter)
        };
        out.rest(None, [self.depot_choice(state), ships], |set, counter| match set {
            0 => ships.iter().any(&mut sails).then_some(Action::ChooseDepot),
            _ => sails(counter).then_some(Action::Select(counter)),
        })
    }

    /// Plays an action of the Naval Phase (12).
    pub(crate) fn naval_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (action, state.pending) {
            (Action::Select(counter), _) => state.pending = Pending::Destination(counter),
            (Action::Go(place), Pending::Destination(counter)) => {
                let area = self.own_area(state, state.active);
                if let Some(port) = self.naval_payer(state, counter, &area, &mut Till::new(self, state)) {
                    self.pay(state, counter, port, self.rules.costs.naval, context);
                }
                self.relocate(state, counter, place, context);
                state.add_mark(counter, mark::DONE);
                state.pending = Pending::None;
            }
            (Action::NavalAttack(sea), _) => {
                let done = u32::from_le_bytes(state.tally) | sea.mask();
                state.tally = done.to_le_bytes();
                self.naval_combat(state, sea, context);
            }
            _ => self.end_phase(state, context),
        }
    }

    // ---- movement (12.1) ----

    /// Seas a ship stands on before its first step, and the steps that took: leaving a port is one.
    fn put_out(&self, place: Location) -> (Seas, u8) {
        match place.sea() {
            Some(sea) => (sea.mask(), 0),
            None => (self.port_seas(place), 1),
        }
    }

    /// Where a ship can go in one move, price aside (12.1): seas, and ports of the area.
    pub(crate) fn naval_reach(&self, state: &State, counter: Counter, area: &Zones) -> (Zones, Seas) {
        let (place, bound) = (state.location(counter), self.kind(counter) == Kind::Fleet);
        let (start, steps) = self.put_out(place);
        let left = self.rules.limits.naval_move.saturating_sub(steps) as usize;
        let waters = &self.tables.waters;
        let passage = waters.passage(area, bound);
        let mut reached = waters.within(passage, start, left);
        let mut ports = Zones::EMPTY;
        if left > 0 {
            ports = waters.ports_of(waters.within(passage, start, left - 1)).and(area);
            ports = ports.difference(&self.friend_zones(state, state.active));
        }
        // British ships too stay out of French North Africa until France has surrendered (9.6).
        if self.nation(counter) == Nation::Uk && state.timers.french_surrender == 0 {
            ports = ports.difference(&self.rules.regions.french_north_africa);
        }
        match place.sea() {
            Some(sea) => reached &= !(sea.mask()),
            None => ports.remove(place),
        }
        (ports, reached)
    }

    /// The port from whose network a ship's move is paid: where it lies, else the nearest it can reach (7).
    pub(crate) fn naval_payer(
        &self,
        state: &State,
        counter: Counter,
        area: &Zones,
        till: &mut Till<'_>,
    ) -> Option<Zone> {
        let (place, bound) = (state.location(counter), self.kind(counter) == Kind::Fleet);
        let mut pays = |zone: &Zone| till.pays(counter, *zone, self.rules.costs.naval);
        if place.is_zone() && state.fuel.contains(place) && pays(&place) {
            return Some(place);
        }
        let (start, steps) = self.put_out(place);
        let left = self.rules.limits.naval_move.saturating_sub(steps) as usize;
        let waters = &self.tables.waters;
        let passage = waters.passage(area, bound);
        let open = area.and(&state.fuel);
        let mut crossed = 0;
        for step in 0..left {
            let ring = waters.within(passage, start, step) & !crossed;
            if ring == 0 {
                break;
            }
            if let Some(port) = waters.ports_of(ring).and(&open).iter().find(&mut pays) {
                return Some(port);
            }
            crossed |= ring;
        }
        None
    }

    /// Whether a ship has somewhere to go and somebody to pay for it (12.1).
    fn may_sail(&self, state: &State, counter: Counter, area: &Zones, till: &mut Till<'_>) -> bool {
        let (place, bound) = (state.location(counter), self.kind(counter) == Kind::Fleet);
        // A ship in port can put out to sea.
        let waters = &self.tables.waters;
        let free = place
            .sea()
            .is_none_or(|sea| waters.within(waters.passage(area, bound), sea.mask(), 1) != sea.mask());
        self.naval_payer(state, counter, area, till).is_some()
            && (free || !self.naval_reach(state, counter, area).0.is_empty())
    }

    /// Destinations of a ship (12.1).
    fn naval_targets(&self, state: &State, counter: Counter, out: &mut impl Offer) -> Flow {
        let (ports, waters) = self.naval_reach(state, counter, &self.own_area(state, state.active));
        out.ways(with_seas(ports, waters))
    }

    // ---- combat (12.2) ----

    /// Seas where the side in turn and an enemy have naval units (12.2).
    fn contested_seas(&self, state: &State) -> Seas {
        let waters = |force: Force| {
            let mut mask: Seas = 0;
            let _ = self.units(state, force, &self.tables.sheet.ships, |counter| {
                if let Some(sea) = state.location(counter).sea() {
                    mask |= sea.mask();
                }
                Continue(())
            });
            mask
        };
        let own = waters(state.active);
        if own == 0 {
            return 0;
        }
        let foes = Force::ALL.into_iter().filter(|&foe| self.at_war(state, state.active, foe));
        own & foes.fold(0, |mask, foe| mask | waters(foe))
    }

    /// Naval units in a sea of a side, or of all its enemies.
    fn ships(&self, state: &State, sea: Sea, force: Force, enemies: bool) -> u8 {
        self.ship_counters(state, sea, force, enemies).map(|counter| state.strength(counter)).sum()
    }

    fn ship_counters(
        &self,
        state: &State,
        sea: Sea,
        force: Force,
        enemies: bool,
    ) -> impl Iterator<Item = Counter> {
        state.stack(Location::of_sea(sea)).filter(move |&counter| {
            self.kind(counter).is_naval()
                && self.force(state, counter).is_some_and(|owner| {
                    if enemies { self.at_war(state, force, owner) } else { owner == force }
                })
        })
    }

    /// Fights in a sea until the die reaches the number of defenders or a side is gone (12.2, R-22).
    fn naval_combat(&self, state: &mut State, sea: Sea, context: &mut impl Rolls) {
        let attacker = state.active;
        let late = self.calendar(state).late_naval;
        loop {
            let (attackers, defenders) =
                (self.ships(state, sea, attacker, false), self.ships(state, sea, attacker, true));
            if attackers == 0 || defenders == 0 {
                return;
            }
            let die = context.die(6) as u8;
            let row = die as usize - 1;
            let (attack, defence) = match (late, attacker) {
                (false, _) => self.rules.charts.naval_early[row],
                (true, Force::Axis) => self.rules.charts.naval_late[row],
                (true, _) => {
                    let (axis, enemy) = self.rules.charts.naval_late[row];
                    (enemy, axis)
                }
            };
            let (attacker_loss, defender_loss) = (attack.min(attackers), defence.min(defenders));
            context.emit(|| Event::NavalRound { sea, attacker, die, attacker_loss, defender_loss });
            for (losses, enemies) in [(attacker_loss, false), (defender_loss, true)] {
                for _ in 0..losses {
                    let victim = self
                        .ship_counters(state, sea, attacker, enemies)
                        .min_by_key(|&counter| (self.kind(counter), state.strength(counter), counter));
                    if let Some(victim) = victim {
                        self.lose_unit(state, victim, context);
                    }
                }
            }
            state.stale = true;
            let counted =
                if self.rules.options.naval_count_after { defenders - defender_loss } else { defenders };
            if die >= counted {
                return;
            }
        }
    }

    // ---- ports and blockade ----

    /// Naval units in a port that enemy corps have entered put to sea (15.3); without a sea to go to they are lost.
    pub(crate) fn ships_to_sea(&self, state: &mut State, zone: Zone, context: &mut impl Rolls) {
        while let Some(counter) = state.stack(zone).find(|&counter| self.kind(counter).is_naval()) {
            let ruled_by_enemy = |sea: &Sea| {
                self.maritime_superiority(state, *sea).is_some_and(|holder| {
                    self.force(state, counter).is_some_and(|own| self.at_war(state, own, holder))
                })
            };
            let waters = self.port_seas(zone);
            let refuge = seas(waters).find(|sea| !ruled_by_enemy(sea)).or_else(|| seas(waters).next());
            match refuge {
                Some(sea) => self.relocate(state, counter, Location::of_sea(sea), context),
                None => self.eliminate(state, counter, context),
            }
        }
    }

    /// Supply units the Allied side loses to the blockade (12.4): one for each Axis naval unit in the North Atlantic,
    /// half, rounded up, for those in the Central Atlantic; at most its side points in Great Britain.
    pub(crate) fn blockade(&self, state: &State) -> u8 {
        let marks = &self.rules.landmarks;
        let north = self.ships(state, marks.north_atlantic, Force::Axis, false);
        let central = self.ships(state, marks.central_atlantic, Force::Axis, false);
        let points = self
            .side_points(Force::Allied)
            .and(&self.rules.regions.great_britain)
            .and(state.control(Force::Allied))
            .len();
        (north + central.div_ceil(2)).min(points as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::*;

    fn strengths(game: &BlitzWar, state: &State, sea: Sea) -> (u8, u8) {
        (game.ships(state, sea, Force::Axis, false), game.ships(state, sea, Force::Allied, false))
    }

    fn fight(game: &BlitzWar, state: &mut State, sea: Sea, faces: &[u32]) {
        let mut context = scripted(faces);
        game.naval_apply(state, Action::NavalAttack(sea), &mut context);
        assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())));
    }

    #[test]
    fn ships_sail_four_steps_and_pass_straits_with_their_key() {
        let game = game();
        let mut state = position(&game, 5, Phase::NavalMovement, Force::Axis);
        let fleet = put(&game, &mut state, Nation::Ger, Kind::Fleet, 2, HAMBURG);
        let submarines = put(&game, &mut state, Nation::Ger, Kind::Submarine, 3, HAMBURG);
        assert!(legal(&game, &state).is_empty(), "no supply, no move");
        let depot = put(&game, &mut state, Nation::Axis, Kind::Supply, 4, RUHR);
        assert_eq!(legal(&game, &state), [Action::Pass, Action::Select(fleet), Action::Select(submarines)]);
        // Hamburg - North Sea - North Atlantic - Central Atlantic; Gibraltar and Copenhagen are not Axis.
        let waters = [NORTH_ATLANTIC, CENTRAL_ATLANTIC, NORTH_SEA, NORWEGIAN_SEA].map(Location::of_sea);
        assert_eq!(destinations(&game, &state, fleet), waters);
        // Submarines pass straits; a Mediterranean port would be a fifth step.
        let more = [NORTH_ATLANTIC, CENTRAL_ATLANTIC, NORTH_SEA, WESTERN_MED, BALTIC, NORWEGIAN_SEA]
            .map(Location::of_sea);
        let mut expected = vec![Location(2)]; // Rostock, by the Baltic
        expected.extend(more);
        assert_eq!(destinations(&game, &state, submarines), expected);
        game.naval_apply(&mut state, Action::Select(fleet), &mut scripted(&[]));
        game.naval_apply(&mut state, Action::Go(waters[1]), &mut scripted(&[]));
        game.refresh_supply(&mut state);
        assert_eq!((state.location(fleet), state.strength(depot)), (waters[1], 2));
        assert_eq!(legal(&game, &state), [Action::Pass, Action::Select(submarines)]);
        game.check_invariants(&state).unwrap();
    }

    #[test]
    fn a_round_ends_when_the_die_reaches_the_defenders_before_it() {
        let game = game();
        let mut state = position(&game, 20, Phase::NavalCombat, Force::Axis);
        for _ in 0..2 {
            put(&game, &mut state, Nation::Ger, Kind::Fleet, 2, Location::of_sea(NORTH_SEA));
            put(&game, &mut state, Nation::Uk, Kind::Fleet, 2, Location::of_sea(NORTH_SEA));
        }
        assert_eq!(legal(&game, &state), [Action::Pass, Action::NavalAttack(NORTH_SEA)]);
        // Four defenders: a three costs one each and goes on, the next three ends it.
        fight(&game, &mut state, NORTH_SEA, &[3, 3]);
        assert_eq!(strengths(&game, &state, NORTH_SEA), (2, 2));
        assert!(legal(&game, &state).is_empty(), "a sea is fought in once a phase");
        state.tally = [0; 4];
        fight(&game, &mut state, NORTH_SEA, &[2]);
        assert_eq!(strengths(&game, &state, NORTH_SEA), (2, 2));
        game.check_invariants(&state).unwrap();
    }

    #[test]
    fn the_late_table_costs_the_axis_and_it_loses_fleets_first() {
        let game = game();
        for attacker in [Force::Axis, Force::Allied] {
            let mut state = position(&game, 32, Phase::NavalCombat, attacker);
            let fleet = put(&game, &mut state, Nation::Ger, Kind::Fleet, 1, Location::of_sea(NORTH_SEA));
            let submarines =
                put(&game, &mut state, Nation::Ger, Kind::Submarine, 2, Location::of_sea(NORTH_SEA));
            put(&game, &mut state, Nation::Uk, Kind::Fleet, 2, Location::of_sea(NORTH_SEA));
            fight(&game, &mut state, NORTH_SEA, &[6]);
            assert_eq!(strengths(&game, &state, NORTH_SEA), (2, 2));
            assert_eq!((state.location(fleet), state.strength(submarines)), (Location::POOL, 2));
        }
    }

    #[test]
    fn superiority_needs_more_than_submarines() {
        let game = game();
        let mut state = position(&game, 5, Phase::NavalMovement, Force::Axis);
        put(&game, &mut state, Nation::Ger, Kind::Submarine, 3, Location::of_sea(NORTH_SEA));
        assert_eq!(game.maritime_superiority(&state, NORTH_SEA), None);
        put(&game, &mut state, Nation::Uk, Kind::Fleet, 2, Location::of_sea(NORTH_SEA));
        assert_eq!(game.maritime_superiority(&state, NORTH_SEA), Some(Force::Allied));
        let air = put(&game, &mut state, Nation::Ger, Kind::Air, 1, Location::of_sea(NORTH_SEA));
        state.turn_face(air, true);
        assert_eq!(game.maritime_superiority(&state, NORTH_SEA), None);
    }

    #[test]
    fn the_blockade_is_capped_by_the_points_of_great_britain() {
        let game = game();
        let mut state = position(&game, 5, Phase::PowerLosses, Force::Allied);
        put(&game, &mut state, Nation::Ger, Kind::Submarine, 3, Location::of_sea(CENTRAL_ATLANTIC));
        assert_eq!(game.blockade(&state), 2);
        put(&game, &mut state, Nation::Ger, Kind::Submarine, 3, Location::of_sea(NORTH_ATLANTIC));
        assert_eq!(game.blockade(&state), 2, "the fixture has two side points in Great Britain");
        give(&mut state, PLYMOUTH, Force::Axis);
        assert_eq!(game.blockade(&state), 1);
    }

    #[test]
    fn ships_leave_a_captured_port_for_a_sea_the_enemy_does_not_rule() {
        let game = game();
        let mut state = position(&game, 5, Phase::TacticalMovement, Force::Axis);
        let fleet = put(&game, &mut state, Nation::Uk, Kind::Fleet, 2, GIBRALTAR);
        put(&game, &mut state, Nation::Ger, Kind::Fleet, 2, Location::of_sea(CENTRAL_ATLANTIC));
        game.ships_to_sea(&mut state, GIBRALTAR, &mut scripted(&[]));
        assert_eq!(state.location(fleet), Location::of_sea(WESTERN_MED));
    }
}
