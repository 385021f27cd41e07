//! 4. Supply: lines by land and sea, attrition, what the fall of London and the cut of Moscow do (8, 13).
//!
//! ```text
//!  source - land - port ~ seas ~ port - land - unit       one leg by sea at most: it is never broken by land (8.3)
//!  source - land - Caspian port ~ Caspian ~ port - land   of the Soviets, besides (13)
//!  source - land - Kalinin ~ Ladoga ~ Leningrad           of the Soviets, ends there (1.9)
//! ```
//!
//! The fjords (1.62) need no rule of their own here: their ports touch by land, and a line through them needs friendly
//! areas all along.

use sandtable_core::Board;

use crate::Rolls;
use crate::board::{Bloc, Relation};
use crate::event::LossCause;
use crate::game::VictoryInEurope;
use crate::nation::{Force, NATIONS, Nation, Team};
use crate::place::{Place, UnitId};
use crate::rules::{Areas, Arm, Entry, GateRule, Kind, Seas, Standing, Units};
use crate::state::State;

/// What a line may pass through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// Of units and factories: friendly areas alone (8.1, 8.5).
    Supply,
    /// Of resources: neutral areas and seas too (1.5).
    Resource,
}

/// What lines from some sources reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Network {
    /// Areas.
    pub areas: Areas,
    /// Sea zones on the way.
    pub seas: Seas,
}

/// What lines of a nation may pass through at this moment.
pub(crate) struct Ground<'a> {
    game: &'a VictoryInEurope,
    state: &'a State,
    nation: Nation,
    /// Areas friendly to it.
    pub friendly: Areas,
    /// Areas of its enemies.
    pub hostile: Areas,
    /// Areas a line may enter.
    open: Areas,
    /// Those it may leave again: all but what an event cuts.
    through: Areas,
    seas: Seas,
    /// Straits and canals that supply passes, as bits.
    gates: u32,
}

/// Lines of a nation as they are found in one Supply Phase.
#[derive(Clone, Copy)]
struct Lines {
    bloc: Bloc,
    gates: u32,
    /// Areas that hang together by land with its source, of which allies may draw on the same lines; none if they may not.
    inland: Areas,
    /// Areas with a line.
    areas: Areas,
    /// Those with a line to a red port.
    red: Areas,
}

/// The zones of a set.
fn zones(mut seas: Seas) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let zone = (seas != 0).then(|| seas.trailing_zeros() as u8)?;
        seas &= seas - 1;
        Some(zone)
    })
}

impl<'a> Ground<'a> {
    pub(crate) fn new(game: &'a VictoryInEurope, state: &'a State, nation: Nation, line: Line) -> Ground<'a> {
        let friendly = game.friendly_areas(state, nation);
        let hostile = game.hostile_areas(state, nation);
        let (open, through) = (Areas::EMPTY, Areas::EMPTY);
        let mut ground = Ground { game, state, nation, friendly, hostile, open, through, seas: 0, gates: 0 };
        let gates = (0..game.rules.gates.len() as u8).filter(|&gate| ground.passes(gate));
        ground.gates = gates.fold(0, |gates, gate| gates | 1 << gate);
        ground.of_lines(line)
    }

    /// The same for lines of another kind.
    pub(crate) fn of_lines(&self, line: Line) -> Ground<'a> {
        let Ground { game, state, nation, .. } = *self;
        let open = match line {
            Line::Supply => self.friendly,
            Line::Resource => game.tables.areas.all.difference(&self.hostile).difference(&state.disputed()),
        };
        let through =
            game.team_of(state, nation).map_or(open, |team| open.difference(&game.cut_areas(state, team)));
        let seas = game.supply_seas(state, nation, line);
        Ground { open, through, seas, ..*self }
    }

    /// The nation's capital and its other source, where friendly (8.1, 1.8).
    pub(crate) fn sources(&self) -> Areas {
        self.game.sources(self.nation).and(&self.friendly)
    }

    /// What lines from these sources reach.
    pub(crate) fn reach(&self, sources: &Areas) -> Network {
        if sources.is_empty() {
            return Network { areas: Areas::EMPTY, seas: 0 };
        }
        self.reach_from(&self.inland(sources))
    }

    /// What lines from these sources reach by land.
    fn inland(&self, sources: &Areas) -> Areas {
        self.spread(sources, &Areas::EMPTY)
    }

    /// What lines reach that reach these areas by land.
    fn reach_from(&self, inland: &Areas) -> Network {
        let tables = &self.game.tables;
        let (mut seas, mut left) = (0, self.seas);
        while left != 0 {
            let zone = left.trailing_zeros();
            left &= left - 1;
            if tables.coasts.sea_ports[zone as usize].intersects(inland) {
                seas |= self.sail(1 << zone);
                left &= !seas;
            }
        }
        let landings =
            zones(seas).fold(Areas::EMPTY, |ports, zone| ports.or(&tables.coasts.sea_ports[zone as usize]));
        let landings = landings.and(&self.open);
        let bridgeheads = landings.and(&self.through).difference(inland);
        let inland = if bridgeheads.is_empty() { *inland } else { self.spread(&bridgeheads, inland) };
        // A line may end where an event does not let it pass.
        let ends = if self.through == self.open {
            Areas::EMPTY
        } else {
            tables.land.supply.neighbours_of(&inland).and(&self.open)
        };
        Network { areas: inland.or(&landings).or(&ends), seas }
    }

    /// The `known` areas, of which nothing more is reached, and those that hang together with `start` by land, and by the
    /// Caspian for the Soviets (13).
    fn spread(&self, start: &Areas, known: &Areas) -> Areas {
        let tables = &self.game.tables;
        let open = self.through.difference(known);
        let reached = tables.land.supply.fill(*start, &open).or(known);
        let caspian = tables.coasts.sea_ports[self.game.rules.places.caspian_sea as usize].and(&self.through);
        let soviet = self.game.bloc(self.state, self.nation).force() == Some(Force::Soviet);
        if soviet && caspian.intersects(&reached) && !caspian.difference(&reached).is_empty() {
            tables.land.supply.fill(reached.or(&caspian), &self.through)
        } else {
            reached
        }
    }

    /// Seas that hang together with these, through gates that let supply pass (1.7, 7.23).
    pub(crate) fn sail(&self, start: Seas) -> Seas {
        let tables = &self.game.tables;
        let mut reached = start & self.seas;
        let mut frontier = reached;
        while frontier != 0 {
            let mut next = zones(frontier).fold(0, |next, zone| next | tables.seas.near[zone as usize]);
            next &= self.seas & !reached;
            if next == 0 {
                // Gates lead on from all that has been reached.
                for &(ends, gate) in &tables.seas.gate_links {
                    if reached & ends != 0 && self.gates >> gate & 1 != 0 {
                        next |= ends & self.seas & !reached;
                    }
                }
            }
            frontier = next;
            reached |= frontier;
        }
        reached
    }

    /// Whether supply passes a strait or canal.
    fn passes(&self, gate: u8) -> bool {
        let gate = &self.game.rules.gates[gate as usize];
        let all_friendly = || gate.sides.iter().all(|&side| self.friendly.contains(side));
        match gate.rule {
            GateRule::NoEnemy => !gate.sides.iter().any(|&side| self.hostile.contains(side)),
            GateRule::MajorHoldsAll => self.nation.is_major() && all_friendly(),
            GateRule::GermanFriendly => {
                self.state.politics.patron(self.nation) == Nation::Germany && all_friendly()
            }
        }
    }

    /// Whether Leningrad lives by the lake: no other line to it, and Kalinin at the other shore reached (1.9).
    pub(crate) fn crosses_ladoga(&self, reached: &Areas) -> bool {
        let places = &self.game.rules.places;
        self.game.bloc(self.state, self.nation).force() == Some(Force::Soviet)
            && self.friendly.contains(places.leningrad)
            && !reached.contains(places.leningrad)
            && reached.contains(places.kalinin)
    }

    /// Areas of the Middle East and North Africa with a line to a red port; for Western units alone (8.7, R-69).
    pub(crate) fn by_red_ports(&self) -> Areas {
        if self.game.bloc(self.state, self.nation).force() != Some(Force::Western) {
            return Areas::EMPTY;
        }
        let red = self.game.tables.coasts.red_ports.and(&self.friendly);
        self.reach(&red).areas.and(&self.game.overseas())
    }
}

impl VictoryInEurope {
    /// The Middle East and North Africa (8.7, R-74).
    pub(crate) fn overseas(&self) -> Areas {
        self.tables.areas.overseas
    }
    /// The team a nation's units are commanded by, if any.
    pub(crate) fn team_of(&self, state: &State, nation: Nation) -> Option<Team> {
        match state.politics.standing(nation) {
            Standing::Defending => Some(Team::Axis),
            standing => standing.force().map(Force::team),
        }
    }
    /// Areas friendly to units of a nation (4.1).
    pub fn friendly_areas(&self, state: &State, nation: Nation) -> Areas {
        let areas = self.areas_of_bloc(state, self.bloc(state, nation));
        // Units of the neutral USA abroad live among the Western Allies (R-155).
        let abroad = nation == Nation::Usa && self.bloc(state, nation).force().is_none();
        let areas = if abroad { areas.or(&state.held[Force::Western.index()]) } else { areas };
        areas.difference(&state.disputed())
    }
    /// Areas of those a nation is at war with (4.1).
    pub fn hostile_areas(&self, state: &State, nation: Nation) -> Areas {
        self.areas_of_enemies(state, self.bloc(state, nation))
    }
    /// Sea zones that carry lines of a nation now: not frozen; empty, or with ships or aircraft of its team alone; those
    /// of resources pass by neutrals too (8.3, 1.5, R-39).
    pub fn supply_seas(&self, state: &State, nation: Nation, line: Line) -> Seas {
        let closing = match (line, self.team_of(state, nation)) {
            // Units of neutrals abroad close them too.
            (Line::Supply, Some(team)) => {
                let others = Force::ALL.into_iter().filter(|force| force.team() == team);
                others.fold(self.tables.units.all, |units, own| {
                    units.difference(&state.roster.forces[own.index()])
                })
            }
            _ => self.enemies_of(state, self.bloc(state, nation)),
        };
        let seas = self.tables.seas.open & !self.ice(state);
        seas & !state.seas_with(&closing)
    }
    /// Areas from which a line of this kind reaches a source of the nation: its capital, or its alternative (8.1, 1.8). Red
    /// ports count for Western units, and the Ladoga for Leningrad (8.7, 1.9). For a minor its own capital.
    pub fn supplied_areas(&self, state: &State, nation: Nation, line: Line) -> Areas {
        let ground = Ground::new(self, state, nation, line);
        let areas = ground.reach(&ground.sources()).areas;
        if line == Line::Supply { self.with_detours(&ground, areas, &ground.by_red_ports()) } else { areas }
    }
    /// Areas with a line of supply by the Ladoga and from red ports besides (8.7, 1.9).
    fn with_detours(&self, ground: &Ground<'_>, mut areas: Areas, red: &Areas) -> Areas {
        if ground.crosses_ladoga(&areas) {
            areas.insert(self.rules.places.leningrad);
        }
        areas.or(red)
    }
    /// The same as [`VictoryInEurope::supplied_areas`]. Allies whose sources hang together by land share their lines.
    fn lines_of(&self, state: &State, nation: Nation, known: &[Option<Lines>; NATIONS]) -> Lines {
        let ground = Ground::new(self, state, nation, Line::Supply);
        let (bloc, gates, sources) = (self.bloc(state, nation), ground.gates, ground.sources());
        let mut allies = known.iter().flatten().filter(|lines| lines.bloc == bloc && lines.gates == gates);
        if sources.len() == 1
            && let Some(lines) = allies.clone().find(|lines| sources.difference(&lines.inland).is_empty())
        {
            return *lines;
        }
        let red = allies.next().map_or_else(|| ground.by_red_ports(), |lines| lines.red);
        let inland = ground.inland(&sources);
        let areas = if sources.is_empty() { sources } else { ground.reach_from(&inland).areas };
        // Of several sources apart from each other none has the lines of all; one that an event cuts feeds its own units alone.
        let shared = sources.len() == 1 && sources.difference(&ground.through).is_empty();
        let inland = if shared { inland } else { Areas::EMPTY };
        Lines { bloc, gates, inland, areas: self.with_detours(&ground, areas, &red), red }
    }
    /// Whether an area has a supply line of a nation; `lines` = those worked out so far, for as long as the map stays as it is.
    fn has_line(
        &self,
        state: &State,
        nation: Nation,
        area: Place,
        lines: &mut [Option<Lines>; NATIONS],
    ) -> bool {
        if let Some(lines) = &lines[nation.index()] {
            return lines.areas.contains(area);
        }
        // A source is its own line.
        if self.sources(nation).contains(area) && self.friendly_areas(state, nation).contains(area) {
            return true;
        }
        let new = self.lines_of(state, nation, lines);
        lines[nation.index()] = Some(new);
        new.areas.contains(area)
    }
    /// The sources of a nation: its capital and its other one (8.1, 1.8), friendly or not.
    fn sources(&self, nation: Nation) -> Areas {
        let nation = nation.index();
        [self.rules.capitals[nation], self.rules.alternatives[nation]].into_iter().flatten().collect()
    }
    /// Whether a unit on the map is in supply (8.1, 8.2, 8.4).
    pub fn is_supplied(&self, state: &State, unit: UnitId) -> bool {
        self.has_supply(state, unit, &mut [None; NATIONS])
    }
    /// The same; `lines` = the supplied areas of nations worked out so far, for as long as the map stays as it is.
    pub(crate) fn has_supply(
        &self,
        state: &State,
        unit: UnitId,
        lines: &mut [Option<Areas>; NATIONS],
    ) -> bool {
        if !self.needs_line(state, unit) {
            return true;
        }
        let nation = self.nation(state, unit);
        let known = &mut lines[nation.index()];
        let areas = known.get_or_insert_with(|| self.supplied_areas(state, nation, Line::Supply));
        areas.contains(state.location(unit))
    }
    /// Whether attrition may fall on a unit: in an area, and neither ship, convoy nor fortress (8.2, 8.4).
    fn needs_line(&self, state: &State, unit: UnitId) -> bool {
        state.location(unit).is_area() && self.arm(unit) != Arm::Naval && self.kind(unit) != Kind::Fortress
    }
    /// Whether a capital is surrounded: by enemy areas on all borders, and no line by sea to another friendly port (8.6,
    /// R-40).
    pub fn is_surrounded(&self, state: &State, capital: Place) -> bool {
        let holder = state.controller(capital);
        let around = self.adjacent(capital);
        if around.is_empty()
            || around.iter().any(|area| self.relation(state, holder, area) != Relation::Enemy)
        {
            return false;
        }
        if !self.rules.options.surrounded_port_supplied {
            return true;
        }
        let ground = Ground::new(self, state, holder, Line::Supply);
        let harbours =
            zones(ground.seas).filter(|&zone| self.tables.coasts.sea_ports[zone as usize].contains(capital));
        let seas = ground.sail(harbours.fold(0, |seas, zone| seas | 1 << zone));
        let mut elsewhere = ground.friendly;
        elsewhere.remove(capital);
        !zones(seas).any(|zone| self.tables.coasts.sea_ports[zone as usize].intersects(&elsewhere))
    }

    /// Units of a force that suffer attrition if the Supply Phase comes now (8.6).
    pub fn unsupplied(&self, state: &State, force: Force) -> Units {
        let (mut lines, surrounded) = ([None; NATIONS], self.surrounded(state));
        let ashore = self.ashore(state).and(&state.roster.forces[force.index()]);
        ashore.filter(|unit| self.suffers_attrition(state, unit, &surrounded, &mut lines))
    }
    /// Capitals with units in them that are surrounded (8.6).
    fn surrounded(&self, state: &State) -> Areas {
        let capitals = self.rules.capitals.into_iter().flatten();
        capitals.filter(|&capital| !state.is_vacant(capital) && self.is_surrounded(state, capital)).collect()
    }
    /// Units on land but for ships and fortresses, whom attrition spares (8.2, 8.4).
    fn ashore(&self, state: &State) -> Units {
        let apart = self.tables.units.of_arm[Arm::Naval as usize]
            .or(&self.tables.units.of_kind[Kind::Fortress as usize]);
        state.roster.on_map.difference(&state.roster.at_sea).difference(&apart)
    }
    /// Whether a unit suffers attrition (8.6); `lines` = those worked out so far.
    fn suffers_attrition(
        &self,
        state: &State,
        unit: UnitId,
        surrounded: &Areas,
        lines: &mut [Option<Lines>; NATIONS],
    ) -> bool {
        let (place, nation) = (state.location(unit), self.nation(state, unit));
        (surrounded.contains(place) || !self.has_line(state, nation, place, lines))
            && !self.is_spared(state, unit)
    }

    /// The Supply Phase: attrition of Player 1's units first, one-time losses before (R-59), surrenders, victory. Decides
    /// nothing; ends the game if somebody has won.
    pub(crate) fn supply_phase(&self, state: &mut State, context: &mut impl Rolls) {
        self.fall_of_london(state, context);
        self.cut_of_moscow(state, context);
        // Attrition takes no ships and no areas: lines stay as they are while it is at work.
        let (mut lines, surrounded) = ([None; NATIONS], self.surrounded(state));
        let ashore = self.ashore(state);
        for team in [state.first, state.second()] {
            for unit in ashore.and(&state.commanded_by(team)) {
                if self.suffers_attrition(state, unit, &surrounded, &mut lines) {
                    self.wither(state, unit, context);
                }
            }
        }
        self.political_checks(state, context);
        if state.phase != crate::phase::Phase::Over {
            self.check_victory(state, context);
        }
    }

    /// The first time the Axis controls London, every Allied unit in Great Britain loses a step (13).
    fn fall_of_london(&self, state: &mut State, context: &mut impl Rolls) {
        if state.politics.london_lost || !state.holds(Force::Axis, self.rules.places.london) {
            return;
        }
        state.politics.london_lost = true;
        for unit in self.unit_ids() {
            let place = state.location(unit);
            if place.is_area()
                && self.rules.regions.great_britain.contains(place)
                && self.force(state, unit).is_some_and(|force| force.team() == Team::Allies)
            {
                self.wither(state, unit, context);
            }
        }
    }
    /// The first time Moscow has no line to the Urals, every Soviet unit loses a step, but for fortresses, ships and units
    /// in the Urals (13).
    fn cut_of_moscow(&self, state: &mut State, context: &mut impl Rolls) {
        let places = &self.rules.places;
        if state.politics.moscow_cut || state.politics.ussr != Entry::AtWar {
            return;
        }
        let ground = Ground::new(self, state, Nation::Ussr, Line::Supply);
        let from_urals = ground.reach(&Areas::one(places.urals).and(&ground.friendly));
        if from_urals.areas.contains(places.moscow) {
            return;
        }
        state.politics.moscow_cut = true;
        for unit in self.unit_ids() {
            if self.needs_line(state, unit)
                && self.nation(state, unit) == Nation::Ussr
                && state.location(unit) != places.urals
            {
                self.wither(state, unit, context);
            }
        }
    }
    /// A unit loses steps for want of supply (8.6).
    fn wither(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        self.lose_steps(state, unit, self.rules.charts.attrition, LossCause::Attrition, context);
    }
}
