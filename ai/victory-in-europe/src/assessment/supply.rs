//! Areas on which supply hangs, and armies that have lost theirs.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Areas, Arm, Entry, Kind, MAX_AREAS};
use sandtable_victory_in_europe::supply::Line;
use sandtable_victory_in_europe::{Force, Nation, Phase, Place, State, Team, UnitId, VictoryInEurope};

use super::{Assessment, SIEGE, UNSUPPLIED};
use crate::map_tables::MapTables;

/// Share of what hangs on the way to the Urals that its shortest way has: where it holds, and where it is open to attack.
const WAY_BY: f32 = 0.5;
const WAY_OPEN: f32 = 0.7;

impl Assessment {
    /// Armies without a line: who takes the ground between them and the supplied areas saves them. And areas that a line
    /// reaches by sea alone, off which enemy ships lie.
    pub(super) fn find_cut_off(&mut self, game: &VictoryInEurope, map_tables: &MapTables, state: &State) {
        for force in Force::ALL.into_iter().filter(|force| force.team() == self.team) {
            let at = force.index();
            let (held, lines) = (state.held[at], self.lines[at]);
            let unsupplied = held.difference(&lines).filter(|area| self.own_units[area.at()] > 0);
            for area in unsupplied {
                let cut = Areas::fill(Areas::one(area), &held.difference(&lines), &map_tables.neighbours);
                let units = f32::from(self.own_units[area.at()]);
                for gap in cut.neighbours(&map_tables.neighbours).and(&self.fed[at]).difference(&held) {
                    self.relinks[at][gap.at()] += UNSUPPLIED * units;
                }
            }
            let enemy = state.held_by(self.team.other());
            for besieged in held.and(&map_tables.vital) {
                let near = map_tables.neighbours[besieged.at()];
                if near.intersects(&held) || !near.intersects(&enemy) {
                    continue;
                }
                let rest = held.difference(&Areas::one(besieged));
                for gap in near.and(&enemy).and(&rest.neighbours(&map_tables.neighbours)) {
                    self.relinks[at][gap.at()] += SIEGE;
                }
            }
            if force == Force::Axis {
                let capital = game.rules.capitals[Nation::Germany.index()];
                let home = capital.map_or(Areas::EMPTY, Areas::one).and(&held);
                let joined = Areas::fill(home, &held, &map_tables.lines);
                let off = |area: &Place| game.coast_seas(*area, 0) & self.foe_seas != 0;
                self.exposed_overseas[at] = held.difference(&joined).iter().filter(off).collect();
            }
        }
    }

    /// Looks for areas on which supply hangs: those of the team that the enemy could take, and those it could take itself.
    /// It is done anew when ground has changed hands in a Movement Phase; what follows from the battles shows in the next.
    pub(super) fn tie(&mut self, game: &VictoryInEurope, map_tables: &MapTables, state: &State) {
        let stamp = (state.turn, state.mover as u8, state.movers, state.held);
        if self.tied == Some(stamp) || self.tied.is_some() && state.phase != Phase::Movement {
            return;
        }
        self.tied = Some(stamp);
        self.ties = [0.0; MAX_AREAS];
        for force in Force::ALL {
            // Minors live by lines of their own, which run much the same way.
            let capital = [Nation::Germany, Nation::Britain, Nation::Ussr][force.index()];
            let supplied = game.supplied_areas(state, capital, Line::Supply);
            self.lines[force.index()] = supplied;
            self.fed[force.index()] = supplied.neighbours(&map_tables.lines);
            let is_enemy = |unit| game.arm(unit) == Arm::Army && game.team(state, unit) != force.team();
            let enemies = state.held_by(force.team().other()).iter();
            let armies: Areas = enemies.filter(|&area| state.stack(area).any(is_enemy)).collect();
            let armies = armies.or(&state.disputed());
            let held = state.held[force.index()];
            let near = armies.or(&armies.neighbours(&map_tables.neighbours)).and(&held);
            if near.is_empty() || force == Force::Soviet && state.politics.ussr != Entry::AtWar {
                continue;
            }
            let before = supplied.and(&held);
            let mut units = [0.0f32; MAX_AREAS];
            for area in before {
                let eats = |unit: &UnitId| {
                    game.arm(*unit) != Arm::Naval
                        && game.kind(*unit) != Kind::Fortress
                        && game.force(state, *unit) == Some(force)
                };
                units[area.at()] = state.stack(area).filter(eats).count() as f32;
            }
            let mut after = state.clone();
            let conqueror = if force == Force::Axis { Force::Soviet } else { Force::Axis };
            for area in near {
                after.held[force.index()].remove(area);
                after.held[conqueror.index()].insert(area);
                let mut cut = before.difference(&game.supplied_areas(&after, capital, Line::Supply));
                cut.remove(area);
                after.held[force.index()].insert(area);
                after.held[conqueror.index()].remove(area);
                self.ties[area.at()] = cut.iter().map(|area| units[area.at()]).sum();
            }
            if force == Force::Soviet && !state.politics.moscow_cut {
                self.moscow_line(game, map_tables, state, &near, units.iter().sum());
            }
        }
    }

    /// The way from Moscow to the Urals: when it is cut, all units lose a step (13).
    fn moscow_line(
        &mut self,
        game: &VictoryInEurope,
        map_tables: &MapTables,
        state: &State,
        near: &Areas,
        all: f32,
    ) {
        let places = &game.rules.places;
        let held = state.held[Force::Soviet.index()];
        let joined = |held: &Areas| {
            held.contains(places.moscow)
                && Areas::fill(Areas::one(places.urals), held, &map_tables.lines).contains(places.moscow)
        };
        if !joined(&held) {
            return;
        }
        // Who walks in where nobody stands needs no battle.
        let soviets = if self.team == Team::Allies { &self.own } else { &self.foe };
        let bare: Areas = near.iter().filter(|&area| soviets[area.at()] <= 0.0).collect();
        let safe = held.difference(&state.disputed()).difference(&bare);
        let holds = joined(&safe);
        if holds {
            for area in near.or(&near.neighbours(&map_tables.neighbours)).and(&held) {
                let mut rest = safe;
                rest.remove(area);
                if !joined(&rest) {
                    self.ties[area.at()] = self.ties[area.at()].max(all);
                }
            }
        }
        // The shortest ways are guarded in any case.
        let away = |from: Place| {
            let mut far = [u8::MAX; MAX_AREAS];
            let (mut seen, mut ring, mut steps) = (Areas::one(from), Areas::one(from), 0);
            while !ring.is_empty() {
                ring.iter().for_each(|area| far[area.at()] = steps);
                ring = ring.neighbours(&map_tables.lines).and(&held).difference(&seen);
                seen = seen.or(&ring);
                steps += 1;
            }
            far
        };
        let (there, back) = (away(places.moscow), away(places.urals));
        let share = if holds { WAY_BY } else { WAY_OPEN };
        for area in held {
            let at = area.at();
            if area != places.moscow
                && area != places.urals
                && there[at].checked_add(back[at]) == Some(there[places.urals.at()])
            {
                self.ties[at] = self.ties[at].max(share * all);
            }
        }
    }
}
