//! Invariants of a state, and its derived fields computed anew.

use sandtable_core::Index;

use crate::game::BlitzWar;
use crate::location::Location;
use crate::nation::Force;
use crate::phase::{Pending, Phase};
use crate::rules::{Counters, DECK, Kind, Zones};
use crate::state::{PLACES, State};

impl BlitzWar {
    /// The state with every derived field computed from the primary ones: lists of the places, zones with corps, where the
    /// friend's counters bar the side in turn (if that is kept), and where it can pay (unless that is marked to be computed
    /// later).
    pub fn recomputed(&self, state: &State) -> State {
        let mut fresh = state.clone();
        fresh.places.list_anew();
        fresh.on_map = Counters::EMPTY;
        fresh.refresh_allies();
        for counter in self.sheet() {
            fresh.on_map.set(counter, state.location(counter).at() < PLACES);
        }
        self.refresh_all_corps(&mut fresh);
        (fresh.stale, fresh.piled) = (state.stale, state.piled);
        if state.befriended {
            fresh.forget_friends();
            self.refresh_friends(&mut fresh);
        }
        if !state.stale && state.phase >= Phase::NavalMovement {
            self.refresh_supply(&mut fresh);
        } else if !state.stale {
            self.refresh_sources(&mut fresh);
        }
        fresh
    }

    /// Checks the invariants of a state: places, control, counters and their faces, stacking, derived sets, cards.
    ///
    /// # Errors
    /// Names the first invariant that does not hold.
    pub fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.check_lists(state)?;
        self.check_counters(state)?;
        self.check_zones(state)?;
        self.check_beachheads(state)?;
        check_cards(state)?;
        self.check_derived(state)
    }

    /// Every counter is in exactly the list of its place, the lists are sorted, and pool and lock have none (3).
    fn check_lists(&self, state: &State) -> Result<(), String> {
        let mut seen = Counters::EMPTY;
        for place in (0..PLACES).map(Location::nth) {
            let mut last = None;
            for counter in state.stack(place) {
                if counter.0 >= self.counters() {
                    return Err(format!(
                        "{} lists counter {counter:?}, which does not exist",
                        self.place_name(state, place)
                    ));
                }
                if state.location(counter) != place {
                    return Err(format!(
                        "counter {counter:?} is listed at {} but located at {}",
                        self.place_name(state, place),
                        self.place_name(state, state.location(counter))
                    ));
                }
                if last.is_some_and(|last| last >= counter) {
                    return Err(format!("the list of {} is not sorted", self.place_name(state, place)));
                }
                last = Some(counter);
                seen.insert(counter);
            }
        }
        for counter in self.sheet() {
            let place = state.location(counter);
            let listed = seen.contains(counter);
            let real = place.at() < self.rules.zones.len()
                || place.sea().is_some_and(|sea| sea.at() < self.rules.seas.len())
                || (Location::FIRST_BEACHHEAD..=Location::BOMBING_BOX).contains(&place);
            if real != listed || !real && place != Location::POOL && place != Location::LOCKED {
                return Err(format!("counter {counter:?} has location code {place:?} but is in no list"));
            }
        }
        Ok(())
    }

    /// Faces exist on the counter sheet, and counters off the map are blank (3, 11.6).
    fn check_counters(&self, state: &State) -> Result<(), String> {
        for counter in self.sheet() {
            let sheet = &self.rules.counter_types[self.counter_type(counter) as usize];
            let (place, strength) = (state.location(counter), state.strength(counter));
            if place == Location::POOL || place == Location::LOCKED {
                if state.look(counter) != 0 {
                    return Err(format!("counter {counter:?} ({}) is off the map but not blank", sheet.id));
                }
                continue;
            }
            let fits = match sheet.kind {
                Kind::Supply => (1..=2 * sheet.front).contains(&strength),
                Kind::Air | Kind::Fleet | Kind::Submarine => (1..=sheet.front).contains(&strength),
                _ => {
                    strength > 0
                        && (strength == sheet.front || strength == sheet.back)
                        && (strength <= 2 || state.turn >= sheet.third_corps_from)
                }
            };
            if !fits {
                return Err(format!("counter {counter:?} ({}) shows a strength of {strength}", sheet.id));
            }
            if state.is_turned(counter) {
                let allowed = match sheet.kind {
                    Kind::Air => true,
                    Kind::Infantry => sheet.fortifiable && strength == 1,
                    _ => false,
                };
                if !allowed {
                    return Err(format!("counter {counter:?} ({}) has no other face", sheet.id));
                }
            }
            let sea_place = place.sea().is_some();
            let home = match sheet.kind {
                Kind::Fleet | Kind::Submarine => {
                    sea_place || place.is_zone() && self.tables.zones.ports.contains(place)
                }
                Kind::Air => true,
                Kind::Supply => place.is_zone(),
                _ => place.is_zone() || place.is_beachhead(),
            };
            if !home {
                return Err(format!(
                    "counter {counter:?} ({}) is at {}",
                    sheet.id,
                    self.place_name(state, place)
                ));
            }
        }
        Ok(())
    }

    /// One side controls a zone at most, one side's counters stand there (but for air on mission), and stacks are within
    /// limits when a side's own turn begins (4).
    fn check_zones(&self, state: &State) -> Result<(), String> {
        for zone in self.rules.every_zone() {
            let name = &self.rules.zones[zone.at()].name;
            if Force::ALL.iter().filter(|force| state.control(**force).contains(zone)).count() > 1 {
                return Err(format!("{name} is controlled by two sides"));
            }
            let mut owner: Option<Force> = None;
            for counter in state.stack(zone) {
                let mission = self.kind(counter) == Kind::Air && state.is_turned(counter);
                if let Some(force) = self.force(state, counter)
                    && !mission
                {
                    if owner.is_some_and(|other| other != force) {
                        return Err(format!("counters of two sides stand at {name}"));
                    }
                    owner = Some(force);
                }
            }
            let begins = state.phase == Phase::NavalMovement && state.pending == Pending::None;
            if begins && self.is_overstacked(state, zone) {
                return Err(format!("{name} is over the stacking limit"));
            }
        }
        for force in Force::ALL {
            let beyond = state.control(force).iter().find(|&zone| zone.at() >= self.rules.zones.len());
            if let Some(zone) = beyond {
                return Err(format!("{} controls zone {zone:?}, which does not exist", force.name()));
            }
        }
        Ok(())
    }

    /// Beachheads lie between a beach and its sea and hold air on mission and corps of one side (13.4.5).
    fn check_beachheads(&self, state: &State) -> Result<(), String> {
        for place in Location::beachheads() {
            let Some(first) = state.stack(place).next() else { continue };
            let Some((zone, sea)) = state.beachhead(place) else {
                return Err(format!("counter {first:?} stands in a beachhead at no zone"));
            };
            if zone.at() >= self.rules.zones.len()
                || sea.at() >= self.rules.seas.len()
                || !self.beaches(sea).contains(zone)
            {
                return Err(format!("a beachhead joins zone {zone:?} and sea {sea:?}"));
            }
            let force = self.force(state, first);
            for counter in state.stack(place) {
                let fits = if self.kind(counter) == Kind::Air {
                    state.is_turned(counter)
                } else {
                    self.kind(counter).is_corps()
                };
                if !fits || force.is_none() || self.force(state, counter) != force {
                    return Err(format!(
                        "counter {counter:?} does not belong in {}",
                        self.place_name(state, place)
                    ));
                }
            }
        }
        for counter in state.stack(Location::BOMBING_BOX) {
            if self.kind(counter) != Kind::Air || !state.is_turned(counter) {
                return Err(format!("counter {counter:?} does not belong in the bombing box"));
            }
        }
        Ok(())
    }

    /// Derived fields are what the primary ones say.
    fn check_derived(&self, state: &State) -> Result<(), String> {
        let fresh = self.recomputed(state);
        if state.on_map != fresh.on_map {
            return Err("the set of counters on the map is wrong".into());
        }
        if state.allies != fresh.allies {
            return Err("the nations of a side are wrong".into());
        }
        let differ = |a: &Zones, b: &Zones| {
            a.difference(b).or(&b.difference(a)).first().map(|zone| self.rules.zones[zone.at()].name.clone())
        };
        for force in Force::ALL {
            if let Some(zone) = differ(state.corps(force), fresh.corps(force)) {
                return Err(format!("the set of zones with {} corps is wrong at {zone}", force.name()));
            }
        }
        if state.befriended != fresh.befriended {
            return Err("zones of the friend are kept for a side that has none, or in combat".into());
        }
        if let Some(zone) = differ(&state.attacked, &fresh.attacked) {
            return Err(format!("the set of zones that the friend's counters bar is wrong at {zone}"));
        }
        for (what, old, new) in
            [("at all", state.fuel, fresh.fuel), ("from the first network", state.main, fresh.main)]
        {
            if let Some(zone) = differ(&old, &new) {
                return Err(format!("the set of zones that can pay {what} is wrong at {zone}"));
            }
        }
        if (state.paired, state.stock) != (fresh.paired, fresh.stock) {
            return Err(format!("the networks hold {:?} half units, not {:?}", fresh.stock, state.stock));
        }
        if state.spare_depots != fresh.spare_depots {
            return Err(format!(
                "the networks have {} depots beyond the first, not {}",
                fresh.spare_depots, state.spare_depots
            ));
        }
        for force in Force::ALL {
            let full = self.crowded(state, &state.corps(force).difference(&state.piles())).first();
            if let Some(zone) = full {
                return Err(format!("nobody will look at {}", self.rules.zones[zone.at()].name));
            }
        }
        Ok(())
    }
}

/// Any four consecutive cards of a side are distinct (10.1).
fn check_cards(state: &State) -> Result<(), String> {
    for force in Force::ALL {
        let mut seen = [false; DECK];
        for card in state.cards(force).into_iter().flatten() {
            match seen.get_mut(card as usize) {
                Some(seen) if !*seen => *seen = true,
                Some(_) => return Err(format!("{} has chosen card {card} twice", force.name())),
                None => {
                    return Err(format!("{} has chosen card {card}, which does not exist", force.name()));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::*;
    use crate::location::Counter;
    use crate::location::Zone;
    use crate::nation::Nation;
    use sandtable_core::Game;

    /// A sound position, damaged in one place.
    fn fault(damage: impl FnOnce(&BlitzWar, &mut State, Counter)) -> String {
        let game = game();
        let mut state = position(&game, 5, Phase::NavalMovement, Force::Axis);
        put(&game, &mut state, Nation::Axis, Kind::Supply, 5, RUHR);
        let corps = put(&game, &mut state, Nation::Ger, Kind::Infantry, 2, RUHR);
        assert_eq!(game.check_invariants(&state), Ok(()));
        assert!(game.recomputed(&state) == state);
        damage(&game, &mut state, corps);
        game.check_invariants(&state).unwrap_err()
    }

    #[test]
    fn every_damage_is_named() {
        let cases = [
            (fault(|_, state, corps| state.places.put_unlisted(corps, HAMBURG)), "located at Hamburg"),
            (
                fault(|_, state, corps| {
                    state.places.put(corps, Location::POOL);
                    state.places.put_unlisted(corps, RUHR);
                }),
                "is in no list",
            ),
            (fault(|_, state, corps| state.set_strength(corps, 4)), "shows a strength of 4"),
            (fault(|_, state, corps| state.turn_face(corps, true)), "has no other face"),
            (
                fault(|game, state, corps| {
                    state.put(corps, Location::POOL);
                    game.refresh_all_corps(state);
                }),
                "not blank",
            ),
            (fault(|_, state, _| state.control[1].insert(RUHR)), "Ruhr is controlled by two sides"),
            (
                fault(|game, state, _| {
                    put(game, state, Nation::Uk, Kind::Infantry, 1, RUHR);
                }),
                "counters of two sides stand at Ruhr",
            ),
            (
                fault(|game, state, _| {
                    for _ in 0..3 {
                        put(game, state, Nation::Ger, Kind::Infantry, 1, RUHR);
                    }
                }),
                "Ruhr is over the stacking limit",
            ),
            (
                fault(|game, state, _| {
                    put(game, state, Nation::Ger, Kind::Infantry, 1, Location::FIRST_BEACHHEAD);
                }),
                "in a beachhead at no zone",
            ),
            (fault(|_, state, _| state.corps[0].insert(HAMBURG)), "Axis corps is wrong at Hamburg"),
            (
                fault(|_, state, _| state.main.remove(HAMBURG)),
                "pay from the first network is wrong at Hamburg",
            ),
            (
                fault(|game, state, _| {
                    state.set_active(Force::Allied);
                    put(game, state, Nation::Ussr, Kind::Air, 1, MOSCOW);
                    game.renew(state);
                    assert_eq!(game.check_invariants(state), Ok(()));
                    state.attacked.remove(MOSCOW);
                }),
                "the friend's counters bar is wrong at Moscow",
            ),
            (fault(|_, state, _| state.stock[0] -= 1), "hold [5, 0] half units, not [4, 0]"),
            (
                fault(|game, state, _| {
                    state.phase = Phase::SeaTransport;
                    for _ in 0..3 {
                        put(game, state, Nation::Ger, Kind::Infantry, 1, RUHR);
                    }
                    state.piled = 0;
                }),
                "nobody will look at Ruhr",
            ),
            (fault(|_, state, _| state.cards[2] = [3, 4, 3, u8::MAX]), "card 3 twice"),
        ];
        for (message, expected) in cases {
            assert!(message.contains(expected), "{message:?} does not say {expected:?}");
        }
    }

    #[test]
    fn armies_of_two_sides_are_placed_before_the_first_turn() {
        use crate::nation::Country;
        use crate::rules::FreePlacement;
        use crate::state::Status;
        for second in [Nation::Ussr, Nation::Ger] {
            let mut rules = game().rules.clone();
            for (country, status) in
                [(Country::Uk, Status::Allied), (Country::Ussr, Status::Soviet), (Country::Ger, Status::Axis)]
            {
                rules.setup.countries[country.index()].status = status;
            }
            let free = |nation: Nation, corps: u8, area: [Zone; 2]| FreePlacement {
                nation,
                counters: 2,
                corps,
                area: area.into_iter().collect(),
            };
            let units = if second == Nation::Ger { 1 } else { 2 };
            rules.setup.free =
                vec![free(Nation::Uk, 2, [LONDON, PLYMOUTH]), free(second, units, [MOSCOW, RUHR])];
            let game = BlitzWar::new(rules).unwrap();
            let mut context = scripted(&[]);
            let mut state = game.initial(&mut context);
            put(&game, &mut state, Nation::Ussr, Kind::Air, 1, MOSCOW);
            state.stale = true;
            game.renew(&mut state);
            for _ in 0..4 {
                assert_eq!(state.phase, Phase::Deployment);
                assert!(game.recomputed(&state) == state, "{second:?}, {:?} in turn", state.active);
                let action = legal(&game, &state)[0];
                game.apply(&mut state, action, &mut context);
            }
        }
    }

    #[test]
    fn a_finished_position_knows_who_pays() {
        let game = game();
        let mut editor = crate::editor::Editor::of(&game, position(&game, 5, Phase::Normal, Force::Axis));
        editor.supply(Force::Axis, RUHR, 4).unwrap();
        editor.phase(Phase::Normal, Force::Axis);
        assert!(editor.finish().fuel.contains(HAMBURG));
    }
}
