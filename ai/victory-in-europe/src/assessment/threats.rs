//! What enemies threaten, and what is lost with it.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Areas, Entry};
use sandtable_victory_in_europe::{Force, Place, State, Team, VictoryInEurope};

use super::{Assessment, HOPELESS, spread};
use crate::map_tables::MapTables;
use crate::strategy;

/// Stake from which on a coast always has a full garrison.
const GUARDED: f32 = 16.0;
/// How much of the stake of an area its neighbours have that lie before it.
const BEHIND: f32 = 0.6;
/// How many areas away enemies are looked for, and what they count for with each area more.
const FAR: usize = 4;
const NEARER: f32 = 0.4;
/// The same where the war is decided: who comes from further away comes all the same.
const NEARER_VITAL: f32 = 0.5;
/// Expected hits a round of a strong army.
const FULL: f32 = 1.33;
/// Stake from which on a coast keeps its last guard while enemy ships lie before it.
const COAST: f32 = 6.0;
/// Stake of Germany in Denmark, the way to Hamburg and the Baltic, beyond its worth.
const GATE: f32 = 8.0;
/// Areas from Berlin within which enemy armies call the Axis home, and what ground elsewhere is worth to it then.
const HOMELAND: usize = 3;
/// Worth from which on an own area behind the line is guarded too, against how much power.
const DEEP: f32 = 5.0;
const BREAKTHROUGH: f32 = 0.3;
/// How much less of it is feared while peace holds.
const DISTRUST: f32 = 0.5;

impl Assessment {
    /// Areas near Berlin, whoever holds it, if enemy armies are among them.
    pub(super) fn endangered_homeland(
        &self,
        game: &VictoryInEurope,
        map_tables: &MapTables,
        state: &State,
    ) -> Option<Areas> {
        let berlin = game.rules.victory.last;
        if self.team != Team::Axis {
            return None;
        }
        let mut near = Areas::one(berlin);
        for _ in 0..HOMELAND {
            near = near.or(&near.neighbours(&map_tables.neighbours));
        }
        let at_war =
            state.held[1].or(&if state.politics.ussr == Entry::AtWar { state.held[2] } else { Areas::EMPTY });
        let invaded = near.and(&at_war).iter().any(|area| self.foe[area.at()] > 0.0);
        invaded.then_some(near)
    }

    /// What the enemy gains on the way through each own area.
    pub(super) fn stake(&mut self, map_tables: &MapTables, state: &State, denmark: Option<Place>) {
        let own = state.held_by(self.team);
        for area in own {
            self.stake[area.at()] = self.worth[area.at()] + self.ties[area.at()];
        }
        if self.team == Team::Axis
            && let Some(denmark) = denmark
            && own.contains(denmark)
        {
            self.stake[denmark.at()] += GATE;
        }
        // Who stands before an area that the enemy touches anyhow does not guard it.
        let touched = state.held_by(self.team.other()).neighbours(&map_tables.neighbours);
        spread(map_tables, &own, &own.difference(&touched), &mut self.stake, BEHIND);
    }

    /// Coasts on which an enemy army that waits in a port could land: through seas that its ships hold (7.5). Fortresses count as
    /// armies, and the Soviets during the Pact as enemies: without either the Axis wins three of four games of Barbarossa.
    fn landing_reach(&self, map_tables: &MapTables, enemies: &Areas) -> Areas {
        let manned: Areas = enemies.iter().filter(|area| self.foe_units[area.at()] > 0).collect();
        let zones = 0..map_tables.shores.len();
        let mut seas = zones
            .clone()
            .filter(|&zone| map_tables.ports[zone].intersects(&manned))
            .fold(0, |seas, zone| seas | 1 << zone)
            & self.foe_seas;
        loop {
            let held = zones.clone().filter(|&zone| seas >> zone & 1 != 0);
            let next = held.fold(seas, |seas, zone| seas | map_tables.links[zone] & self.foe_seas);
            if next == seas {
                break;
            }
            seas = next;
        }
        let held = zones.filter(|&zone| seas >> zone & 1 != 0);
        held.fold(Areas::EMPTY, |coasts, zone| coasts.or(&map_tables.shores[zone]))
    }

    /// Whether enemies could be in an own area by the end of a turn: they stand beside it, or before an area beside it that is held
    /// too weakly to stop them, and a victory there is exploited (5.61).
    fn is_in_reach(&self, map_tables: &MapTables, own: &Areas, enemies: &Areas, area: Place) -> bool {
        let ring = map_tables.neighbours[area.at()];
        let breaks_through = |screen: Place| {
            let before = map_tables.neighbours[screen.at()].and(enemies);
            let foe: f32 = before.iter().map(|near| self.foe[near.at()]).sum();
            self.own[screen.at()] < HOPELESS * foe
        };
        ring.intersects(enemies) || ring.and(own).iter().any(breaks_through)
    }

    /// What enemies could bring against each area of the team, the nearest first, through their own ground: who stands
    /// behind a hole in the line is guarded by plugging it.
    pub(super) fn fear(&mut self, game: &VictoryInEurope, map_tables: &MapTables, state: &State) {
        let soviets_in = state.politics.ussr == Entry::AtWar;
        let own = state.held_by(self.team);
        let passable = state.held_by(self.team.other());
        let mut armed = Areas::EMPTY;
        for area in map_tables.all {
            if self.foe[area.at()] > 0.0 {
                armed.insert(area);
            }
        }
        let landing_reach = self.landing_reach(map_tables, &passable);
        let kept_by_pact = if soviets_in { Areas::EMPTY } else { state.held[2] };
        let soviets = if soviets_in { armed.and(&state.held[2]) } else { Areas::EMPTY };
        // The Pact holds while Germany is busy in the west: what is dear keeps a guard, and nobody else waits for the Soviets;
        // until the year comes in which they have armies enough to break it.
        let distrust = match (strategy::is_pact_worn(state), self.western_campaign) {
            (true, _) => 1.0,
            (false, Some(_)) => 0.0,
            (false, None) => DISTRUST,
        };
        for area in own {
            let holder = Force::ALL.into_iter().find(|&force| state.holds(force, area));
            let holder = holder.map_or(0, Force::index);
            let (weights, confidence) = (&self.weights[holder], self.confidence[holder]);
            let (mut threat, mut weight) = (0.0, 1.0);
            let (mut seen, mut ring) = (Areas::one(area), Areas::one(area));
            for _ in 0..FAR {
                ring = ring.neighbours(&map_tables.neighbours).difference(&seen);
                if ring.is_empty() {
                    break;
                }
                for near in ring.and(&armed) {
                    let peace = !soviets_in
                        && (state.held[2].contains(area) && state.held[0].contains(near)
                            || state.held[0].contains(area) && state.held[2].contains(near));
                    threat += self.foe[near.at()] * weight * if peace { distrust } else { 1.0 };
                }
                weight *= if map_tables.vital.contains(area) { NEARER_VITAL } else { NEARER };
                seen = seen.or(&ring);
                ring = ring.and(&passable);
            }
            // No more can come than the borders and the ground take.
            let ways: u8 = map_tables.neighbours[area.at()]
                .iter()
                .map(|near| game.border_limit(state, near, area))
                .sum();
            let most = f32::from(ways.min(game.rules.areas[area.at()].stack)) * FULL + 0.7;
            // Who lands has had a ship before the coast since the turn's start (7.5).
            let landing = game.rules.areas[area.at()].invadable && landing_reach.contains(area);
            let least =
                if landing { weights.garrison * (self.stake[area.at()] / GUARDED).min(1.0) } else { 0.0 };
            // A leader who breaks through goes on into what lies behind, if nobody is there.
            let ring = map_tables.neighbours[area.at()];
            let two_off = ring.or(&ring.neighbours(&map_tables.neighbours));
            let deep = self.held(area) >= DEEP && two_off.intersects(&armed);
            // Nor do they march into a port or city of Germany, as the Soviets did into Konigsberg.
            let at_home =
                map_tables.german_cities.contains(area) && self.is_in_reach(map_tables, &own, &soviets, area);
            let vital = map_tables.vital.contains(area)
                && two_off.or(&two_off.neighbours(&map_tables.neighbours)).intersects(&armed);
            let least = if deep || vital || at_home { least.max(BREAKTHROUGH) } else { least };
            let is_capital = map_tables.capital_of[area.at()] != 255;
            // Nor the last guard of a coast before which an enemy lies, or it would have to be brought from afar.
            let coast = landing && self.stake[area.at()] >= COAST;
            let urgent = vital || is_capital && ring.intersects(&armed);
            if urgent {
                self.urgent.insert(area);
            }
            let walls = u8::from(self.fortified.contains(area));
            let at_peace = !soviets_in && state.held[2].contains(area);
            let beside = ring.and(&armed).difference(&kept_by_pact);
            let open = !beside.is_empty() || landing || at_home;
            if (vital || is_capital || at_home) && !at_peace && open && self.own_units[area.at()] <= walls {
                self.bare.insert(area);
            }
            if urgent || coast || at_home {
                self.keys.insert(area);
            }
            self.threat[area.at()] = (weights.fear * threat / confidence).min(most).max(least);
        }
    }
}
