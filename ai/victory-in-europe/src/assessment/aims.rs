//! Where a force wants to go, and how near areas are to that.

use sandtable_core::Index;
use sandtable_victory_in_europe::nation::NATIONS;
use sandtable_victory_in_europe::rules::{Areas, Entry, MAX_AREAS, MAX_SEAS};
use sandtable_victory_in_europe::{Force, Nation, Place, State, Team, VictoryInEurope};

use super::{Assessment, is_reserved, spread, urgent};
use crate::map_tables::MapTables;
use crate::strategy::{self, Intent, intent};

/// How much of the pull of an area is felt next to it.
const FADE: f32 = 0.78;
/// How much of the pull of a coast is felt at sea before it, and of that of a sea in the next.
const COAST_PULL: f32 = 0.6;
const SEA_FADE: f32 = 0.9;
/// What a second front is worth to Western Allies who relieve the Soviets: factor on the west, and what is added to the
/// pull on the way and to a landing.
const RELIEF_WEST: f32 = 2.0;
/// Factor on the west, but for Denmark and Norway, while Germany has France to beat.
const CAMPAIGN_WEST: f32 = 3.0;
/// Factor on the USSR while Germany, France beaten, has it before it.
const CAMPAIGN_EAST: f32 = 4.0;
/// Share of the worth of a landing for which armies wait in a port; the power of the first wave, that of all waves, and what
/// of the share is for the first.
const STAGING: f32 = 0.3;
/// Share of the worth of landings beyond a sea without a port of one's own that the sea on the way to it has.
const ON_THE_WAY: f32 = 0.8;

impl Assessment {
    /// Where a force wants to go, and how near areas are to that.
    pub(super) fn aim(
        &mut self,
        game: &VictoryInEurope,
        map_tables: &MapTables,
        state: &State,
        force: Force,
    ) {
        let at = force.index();
        let soviets_in = state.politics.ussr == Entry::AtWar;
        let mut hostile = match force {
            Force::Axis if soviets_in => state.held[1].or(&state.held[2]),
            Force::Axis => state.held[1],
            Force::Soviet if !soviets_in => Areas::EMPTY,
            Force::Western | Force::Soviet => state.held[0],
        };
        let mut intents = [Intent::Peace; NATIONS];
        for nation in Nation::ALL {
            intents[nation.index()] = intent(game, state, force, nation);
        }
        let mut way = hostile.or(&state.held[at]);
        for area in map_tables.all.difference(&way) {
            let owner = state.controller(area);
            let intent =
                if is_reserved(game, state, force, area) { Intent::War } else { intents[owner.index()] };
            if intent != Intent::Peace {
                way.insert(area);
            }
            if intent == Intent::War {
                hostile.insert(area);
            }
        }
        let waits = strategy::waits_for(state, force);
        let hostile = hostile
            .iter()
            .filter(|&area| !game.rules.areas[area.at()].safe && waits != Some(state.controller(area)))
            .collect::<Areas>();
        (self.hostile[at], self.way[at]) = (hostile, way);
        let (worth, objective) = (&self.worth, self.objective[at]);
        let worth_to = |area: Place| urgent(worth[area.at()], objective == Some(area));
        let pull = &mut self.pull[at];
        let mut theatres = self.weights[at].theatres();
        if force == Force::Western && self.relieves {
            theatres[0] *= RELIEF_WEST;
        }
        let in_campaign = force == Force::Axis && self.western_campaign.is_some();
        let east = self.eastern_campaign.filter(|_| force == Force::Axis);
        let north = game.country(Nation::Denmark).or(game.country(Nation::Norway));
        for area in way.difference(&state.held[at]) {
            let theatre = usize::from(map_tables.theatre[area.at()]);
            let campaign = in_campaign && theatre == 0 && !north.contains(area);
            pull[area.at()] = worth_to(area)
                * theatres[theatre]
                * if campaign {
                    CAMPAIGN_WEST
                } else if east.is_some_and(|east| east.contains(area)) {
                    CAMPAIGN_EAST
                } else {
                    1.0
                };
        }
        spread(map_tables, &way, &way, pull, FADE);
        self.embark(game, map_tables, state, force);
        let pull = &mut self.pull[at];
        if force == Force::Western {
            // Over the sea they are drawn to ports that face coasts worth a landing, and to ports that face those.
            let mut seas = self.sea_pull;
            for _ in 0..map_tables.shores.len() {
                let mut changed = false;
                for (zone, links) in map_tables.links.iter().enumerate() {
                    let near = (0..MAX_SEAS).filter(|&other| links >> other & 1 != 0);
                    let most = near.map(|other| seas[other]).fold(0.0, f32::max) * SEA_FADE;
                    if most > seas[zone] {
                        seas[zone] = most;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            for (zone, ports) in map_tables.ports.iter().enumerate() {
                for area in ports.and(&state.held[at]) {
                    pull[area.at()] = pull[area.at()].max(seas[zone]);
                }
            }
            spread(map_tables, &way, &way, pull, FADE);
        }
    }

    /// What lies beyond the coasts of each sea, and what landings from its ports are worth.
    fn embark(&mut self, game: &VictoryInEurope, map_tables: &MapTables, state: &State, force: Force) {
        let at = force.index();
        let hostile = self.hostile[at];
        if force == Force::Western {
            let aims = game.rules.victory.allies_all.and(&hostile);
            self.landing_aims = aims.or(&aims.neighbours(&map_tables.neighbours));
        }
        self.landings[at] = [0.0; MAX_SEAS];
        self.staging[at] = [0.0; MAX_AREAS];
        if force == Force::Western {
            self.sea_pull = [0.0; MAX_SEAS];
        }
        let overseas = match force {
            Force::Western => hostile,
            // Germany lands in neutral countries that it means to take and cannot march to, and once more in Norway.
            Force::Axis => {
                let norway = game.country(Nation::Norway).and(&hostile);
                let again = if strategy::western_war(state) { norway } else { Areas::EMPTY };
                self.way[at]
                    .difference(&state.held_by(Team::Allies).difference(&again))
                    .difference(&state.held[at])
                    .difference(&state.held[at].neighbours(&map_tables.neighbours))
            }
            Force::Soviet => return,
        };
        let is_goal = |area: &Place| {
            game.rules.areas[area.at()].invadable
                && (force == Force::Western || map_tables.capital_of[area.at()] != 255)
        };
        if force == Force::Axis {
            self.neutral_aims = overseas.iter().filter(is_goal).collect();
        }
        for zone in 0..map_tables.shores.len() {
            let coasts = map_tables.shores[zone].and(&overseas);
            let home = map_tables.ports[zone].and(&state.held[at]);
            let is_manned = force == Force::Axis || home.iter().any(|area| self.own_units[area.at()] > 0);
            for area in coasts.iter().filter(is_goal) {
                if force == Force::Western {
                    let drawn = self.pull[at][area.at()] * (0.4 + 0.6 * self.room(game, force, area));
                    self.sea_pull[zone] = self.sea_pull[zone].max(COAST_PULL * drawn);
                }
                if is_manned {
                    self.landings[at][zone] =
                        self.landings[at][zone].max(self.beachhead(game, state, force, area));
                }
            }
        }
        if force == Force::Axis {
            self.lead_to_landings(map_tables, state);
        }
        for zone in 0..map_tables.shores.len() {
            if self.own_seas >> zone & 1 != 0 {
                for area in map_tables.ports[zone].and(&state.held[at]) {
                    let staging = &mut self.staging[at][area.at()];
                    *staging = staging.max(STAGING * self.landings[at][zone]);
                }
            }
        }
    }

    /// Germany lands beyond a sea on which it has no port by way of one on which it has: ships hold both (7.5).
    fn lead_to_landings(&mut self, map_tables: &MapTables, state: &State) {
        let at = Force::Axis.index();
        let has_port = |zone: usize| map_tables.ports[zone].intersects(&state.held[at]);
        let landings = self.landings[at];
        for zone in (0..map_tables.waters.len()).filter(|&zone| has_port(zone)) {
            let beyond = |next: &usize| map_tables.waters[zone] >> next & 1 != 0 && !has_port(*next);
            let worth = (0..map_tables.waters.len()).filter(beyond).map(|next| landings[next]);
            let led_to = ON_THE_WAY * worth.fold(0.0, f32::max);
            self.landings[at][zone] = self.landings[at][zone].max(led_to);
        }
    }
}
